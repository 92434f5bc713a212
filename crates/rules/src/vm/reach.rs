//! Reads and writes parts of values, after a dot or in brackets.

use rhai::{EvalAltResult, ImmutableString, Position};
use smallvec::smallvec;

use super::machine::{Machine, Values};
use super::op::{Function, Op};
use super::site::{Overloads, Site, Target};
use super::window::{Register, Window};
use crate::host;
use crate::natives::place;
use crate::natives::{MOVE_OF, OF_CHOSEN, READ, WRITE};
use crate::values::Wrong;
use crate::values::{Span, Val, failure};
use referee_table::{Owner, PropertyId};

impl Machine<'_> {
    /// Runs an operation that builds a string or adds to a list, or that reads or writes a part of a value.
    #[inline(never)]
    pub(crate) fn reach(&mut self, op: Op, function: &Function, window: &mut Window<'_>) -> Result<(), Wrong> {
        match op {
            Op::Same { to, of, constant } => {
                window[to] = Val::Truth(self.memory.arena.same(window[of], function.constant(constant)));
            }
            Op::Within { to, of, constant } => {
                window[to] = Val::Truth(self.within(window[of], function.constant(constant)));
            }
            Op::Append { to, from, count } => {
                let items: Values = window.row(from, count).into();
                if let Some(list) = self.memory.arena.own_items(&mut window[to]) {
                    list.extend(items);
                }
                self.memory.arena.fits(window[to])?;
            }
            Op::Text { to, from, count } => {
                let parts: Values = window.row(from, count).into();
                window[to] = self.interpolated(&parts)?;
            }
            Op::IndexOwn { to, of, at, add } => {
                let at = window[at];
                window[to] = self.own_element(&mut window[of], at, add)?;
            }
            Op::SetIndex { of, at, value } => {
                let (at, value) = (window[at], window[value]);
                self.set_index(&mut window[of], at, value, false)?;
            }
            Op::PutIndex { of, on_copy: true, .. } | Op::PutField { of, on_copy: true, .. }
                if is_component(&window[of]) => {}
            Op::PutIndex { of, at, value, is_set, .. } => {
                let (at, value) = (window[at], window[value]);
                let done = self.set_index(&mut window[of], at, value, is_set);
                put_back(done, |error| matches!(error, EvalAltResult::ErrorIndexingType(..)))?;
            }
            Op::FieldOwn { to, of, site, add } | Op::PropertyOwn { to, of, site, add, .. } => {
                self.own_field(window, (to, of), function.site(site)?, add)?;
            }
            Op::Length { to, of, site } | Op::Property { to, of, site, .. } => {
                window[to] = self.read(window[of], function.site(site)?)?
            }
            Op::SetField { of, value, site } | Op::SetProperty { of, value, site, .. } => {
                self.set_field(window, of, function.site(site)?, value, false)?
            }
            Op::PutField { of, value, is_set, site, .. } => {
                let done = self.set_field(window, of, function.site(site)?, value, is_set);
                put_back(done, |error| matches!(error, EvalAltResult::ErrorDotExpr(..)))?;
            }
            _ => return Err(failure("internal error: unknown operation")),
        }
        self.settle()
    }

    /// Returns a list of these values.
    #[inline(never)]
    pub(crate) fn list(&mut self, items: &[Val]) -> Result<Val, Wrong> {
        let list = self.memory.arena.list_of(items);
        self.settle()?;
        self.fitting(list, items.iter().any(is_large))
    }

    /// Returns a map with the values in the registers from `from` on.
    #[inline(never)]
    pub(crate) fn map(
        &mut self,
        function: &Function,
        from: Register,
        names: u16,
        window: &mut Window<'_>,
    ) -> Result<Val, Wrong> {
        let names = function.names.get(usize::from(names)).map(Vec::as_slice).unwrap_or_default();
        let value = |at: &Register| window[from.wrapping_add(*at)];
        let is_nested = names.iter().any(|(_, at)| is_large(&value(at)));
        let map = self.memory.arena.map(names.iter().map(|(name, at)| (name.clone(), value(at))).collect());
        self.settle()?;
        self.fitting(map, is_nested)
    }

    /// Returns a list or a map of no more values than a function has registers, if it is not too large.
    fn fitting(&self, value: Val, is_nested: bool) -> Result<Val, Wrong> {
        if is_nested {
            self.memory.arena.fits(value)?;
        }
        Ok(value)
    }

    /// Returns whether a number is in a range.
    fn within(&self, number: Val, range: Val) -> bool {
        let (Val::Number(number), Val::Range(at)) = (number, range) else { return false };
        self.memory.arena.ranges.get(at as usize).is_some_and(|span| span.contains(number))
    }

    /// Returns the element at an index of a value that is to change there; with `add`, `()` where a map has none.
    fn own_element(&mut self, of: &mut Val, at: Val, add: bool) -> Result<Val, Wrong> {
        self.memory.arena.own(of);
        match (*of, at) {
            (Val::Map(_), Val::Text(_)) if add => Ok(self.named_or_nothing(*of, at)),
            (of, at) => self.index(of, at),
        }
    }

    /// Reads a property of a value that is to change there; with `add`, `()` where a map has none.
    pub(crate) fn own_field(
        &mut self,
        window: &mut Window<'_>,
        (to, of): (Register, Register),
        site: &Site,
        add: bool,
    ) -> Result<(), Wrong> {
        if matches!(window[of], Val::List(_) | Val::Map(_)) {
            self.memory.arena.own(&mut window[of]);
        }
        window[to] = match window[of] {
            map @ Val::Map(_) if add => {
                self.memory.arena.fields(map).and_then(|map| map.field(&site.name)).unwrap_or_default()
            }
            of => self.field(of, site)?,
        };
        Ok(())
    }

    /// Returns the element at an index.
    pub(crate) fn index(&mut self, of: Val, at: Val) -> Result<Val, Wrong> {
        let arena = &self.memory.arena;
        if let (Val::Map(_), Some(name)) = (of, arena.text_of(at))
            && let Some(value) = arena.fields(of).and_then(|map| map.shared_field(name))
        {
            return Ok(value);
        }
        if let Val::Player(_) | Val::Piece(_) | Val::Cell(_) | Val::Game = of {
            return self.named(READ, &[of, at]);
        }
        match of {
            Val::List(_) => {
                let items = arena.items(of).map(Vec::as_slice).unwrap_or_default();
                let Val::Number(number) = at else { return Err(self.mismatch("i64", at)) };
                let found = place(items.len(), number).and_then(|at| items.get(at)).copied();
                found.ok_or_else(|| out_of_bounds(items.len(), number))
            }
            Val::Map(_) => {
                let Some(name) = arena.text_of(at) else { return Err(self.mismatch("ImmutableString", at)) };
                Ok(arena.fields(of).and_then(|map| map.field(name)).unwrap_or_default())
            }
            Val::Text(_) => {
                let Some(text) = arena.text_of(of) else { return Err(failure("internal error: unknown string")) };
                let Val::Number(number) = at else { return Err(self.mismatch("i64", at)) };
                arena.work().of_bytes(4 * text.len());
                let count = text.chars().count();
                let found = place(count, number).and_then(|at| text.chars().nth(at));
                let bounds = || EvalAltResult::ErrorStringBounds(count, number, Position::NONE);
                found.map(Val::Letter).ok_or_else(|| Box::new(bounds()))
            }
            Val::Number(bits) => match at {
                Val::Number(bit) => Ok(Val::Truth(bits & (1 << place_of_bit(bit)?) != 0)),
                Val::Range(range) => {
                    let span = arena.ranges.get(range as usize).copied();
                    let (mask, shift) = span.map_or(Ok((0, 0)), bits_of)?;
                    Ok(Val::Number((bits & mask) >> shift))
                }
                other => Err(self.mismatch("i64", other)),
            },
            other => {
                let what = format!("{} [{}]", arena.type_name(other), arena.type_name(at));
                Err(Box::new(EvalAltResult::ErrorIndexingType(what, Position::NONE)))
            }
        }
    }

    /// Reads or writes a property of a component by its name.
    fn named(&mut self, name: &str, values: &[Val]) -> Result<Val, Wrong> {
        // The result of the function depends on more than its arguments.
        self.memory.remembering = None;
        let natives = Overloads::new(self.code.natives(name, values.len()), None);
        if !natives.takes(values) {
            let kinds: Vec<&str> = values.iter().take(2).map(|value| self.memory.arena.type_name(*value)).collect();
            let what = format!("{} [{}]", kinds.first().unwrap_or(&""), kinds.get(1).unwrap_or(&""));
            return Err(Box::new(EvalAltResult::ErrorIndexingType(what, Position::NONE)));
        }
        self.native(&natives, &name.into(), Position::NONE, &mut Values::from(values))
    }

    pub(crate) fn named_or_nothing(&self, of: Val, at: Val) -> Val {
        let arena = &self.memory.arena;
        let name = arena.text_of(at);
        name.and_then(|name| arena.fields(of)?.field(name)).unwrap_or_default()
    }

    /// Sets the element at an index. With `is_put`, it may be the same list or map as before, after a part of it was set.
    fn set_index(&mut self, of: &mut Val, at: Val, value: Val, is_put: bool) -> Result<(), Wrong> {
        match *of {
            Val::List(_) => {
                let Val::Number(number) = at else { return Err(self.mismatch("i64", at)) };
                let arena = &mut self.memory.arena;
                let Some(items) = arena.own_items(of) else { return Err(failure("internal error: unknown list")) };
                let count = items.len();
                let item = place(count, number).and_then(|at| items.get_mut(at));
                let before = std::mem::replace(item.ok_or_else(|| out_of_bounds(count, number))?, value);
                arena.fits_with(*of, value, !is_put || before != value)
            }
            Val::Map(_) => {
                let Some(name) = self.memory.arena.text_of(at).cloned() else {
                    return Err(self.mismatch("ImmutableString", at));
                };
                self.insert(of, &name, value, is_put)
            }
            Val::Text(_) => {
                let Val::Number(number) = at else { return Err(self.mismatch("i64", at)) };
                let Val::Letter(letter) = value else { return Err(self.mismatch("char", value)) };
                let Some(text) = self.memory.arena.text_of(*of) else {
                    return Err(failure("internal error: unknown string"));
                };
                self.memory.arena.work().of_bytes(8 * text.len());
                let mut letters: Vec<char> = text.chars().collect();
                let count = letters.len();
                let place = place(count, number).and_then(|at| letters.get_mut(at));
                let bounds = || EvalAltResult::ErrorStringBounds(count, number, Position::NONE);
                *place.ok_or_else(|| Box::new(bounds()))? = letter;
                *of = self.memory.arena.text(letters.into_iter().collect::<String>().into());
                Ok(())
            }
            Val::Number(bits) => {
                match (at, value) {
                    (Val::Number(bit), Val::Truth(truth)) => {
                        let bit = 1 << place_of_bit(bit)?;
                        *of = Val::Number(if truth { bits | bit } else { bits & !bit });
                    }
                    (Val::Range(range), Val::Number(value)) => {
                        let span = self.memory.arena.ranges.get(range as usize).copied();
                        let (mask, shift) = span.map_or(Ok((0, 0)), bits_of)?;
                        *of = Val::Number((bits & !mask) | ((value << shift) & mask));
                    }
                    (Val::Number(_), value) => return Err(self.mismatch("bool", value)),
                    (Val::Range(_), value) => return Err(self.mismatch("i64", value)),
                    (other, _) => return Err(self.mismatch("i64", other)),
                }
                Ok(())
            }
            Val::Player(_) | Val::Piece(_) | Val::Cell(_) | Val::Game => {
                self.named(WRITE, &[*of, at, value]).map(|_| ())
            }
            other => {
                let arena = &self.memory.arena;
                let what = format!("{} [{}]", arena.type_name(other), arena.type_name(at));
                Err(Box::new(EvalAltResult::ErrorIndexingType(what, Position::NONE)))
            }
        }
    }

    fn insert(&mut self, of: &mut Val, name: &ImmutableString, value: Val, is_put: bool) -> Result<(), Wrong> {
        let arena = &mut self.memory.arena;
        let Some(map) = arena.own_fields(of) else { return Err(failure("internal error: unknown map")) };
        let values = map.items.len();
        match map.insert(name, value) {
            Some(before) => arena.fits_with(*of, value, !is_put || before != value),
            None => {
                // Those behind the new one are moved.
                arena.work().of_values(values / 8);
                arena.grown(40);
                arena.fits_after_growth(*of)
            }
        }
    }

    /// Returns the value after a dot: an element of a map, or a property.
    pub(crate) fn field(&mut self, of: Val, site: &Site) -> Result<Val, Wrong> {
        if let Val::Map(_) = of {
            let found = self.memory.arena.fields(of).and_then(|map| map.field(&site.name));
            let found = found.or_else(|| if site.name == MOVE_OF { self.move_of_chosen(of) } else { None });
            return found.ok_or_else(|| missing(&site.name));
        }
        self.tick()?;
        let Target::Field { own, property, printed, .. } = &site.callee else {
            return Err(failure("internal error: not a field"));
        };
        if own.all.is_empty() {
            if let (Some(name), Val::Piece(piece)) = (printed, of)
                && let Some(value) = self.code.printed(*name, piece)
            {
                return Ok(value);
            }
            if let (Some(property), Some(owner)) = (property, Self::owner(of))
                && let Some(value) = host::read(self.link, *property, owner, &mut self.memory.arena)?
            {
                return Ok(value);
            }
        }
        self.uncommon_field(of, site)
    }

    /// Returns the move of a chosen action, a map with its values, if it has one and no more.
    fn move_of_chosen(&self, map: Val) -> Option<Val> {
        let [verb, values] = OF_CHOSEN.map(ImmutableString::from);
        let values = self.memory.arena.fields(map).filter(|map| map.field(&verb).is_some())?.field(&values)?;
        let mut moves = self.memory.arena.items(values)?.iter().filter(|value| matches!(value, Val::Move(_)));
        moves.next().copied().filter(|_| moves.next().is_none())
    }

    /// Returns a property that is not plain: a function of the library, or of the names of components.
    #[inline(never)]
    fn uncommon_field(&mut self, of: Val, site: &Site) -> Result<Val, Wrong> {
        let Target::Field { getter, own, named, .. } = &site.callee else {
            return Err(failure("internal error: not a field"));
        };
        let mut values: Values = smallvec![of];
        if own.takes(&values) || own.library.is_some() && !matches!(of, Val::Player(_) | Val::Piece(_) | Val::Cell(_)) {
            return self.native(own, getter, site.position, &mut values);
        }
        let name = self.memory.arena.text(site.name.clone());
        values.push(name);
        if named.takes(&values) {
            return self.native(named, &site.name, site.position, &mut values);
        }
        values.pop();
        self.of_rhai(getter, site.position, &mut values).map_err(|error| self.no_property(error, of, site, None))
    }

    /// Sets the value after a dot.
    pub(crate) fn set_field(
        &mut self,
        window: &mut Window<'_>,
        of: Register,
        site: &Site,
        value: Register,
        is_put: bool,
    ) -> Result<(), Wrong> {
        let value = window[value];
        let of = &mut window[of];
        if let Val::Map(_) = of {
            return self.insert(of, &site.name, value, is_put);
        }
        self.tick()?;
        let Target::Field { property, .. } = &site.callee else {
            return Err(failure("internal error: not a field"));
        };
        if let (Some(property), Some(owner)) = (property, Self::owner(*of))
            && (host::write(self.link, *property, owner, value)? || self.try_write(*property, owner, value)?)
        {
            return Ok(());
        }
        self.set_uncommon_field(of, site, value)
    }

    /// Sets a property to a list or to a value outside the arena. Returns `false` without effect if it is to be set in the
    /// usual way.
    pub(crate) fn try_write(&self, property: PropertyId, owner: Owner, value: Val) -> Result<bool, Wrong> {
        // A list may become a set of fewer values.
        self.charge(self.memory.arena.items(value).map_or(0, Vec::len))?;
        match host::listed_value(value, &self.memory.arena) {
            Some(value) => host::write_value(self.link, property, owner, value),
            None => Ok(false),
        }
    }

    #[inline(never)]
    fn set_uncommon_field(&mut self, of: &mut Val, site: &Site, value: Val) -> Result<(), Wrong> {
        let Target::Field { set, .. } = &site.callee else {
            return Err(failure("internal error: not a field"));
        };
        let name = self.memory.arena.text(site.name.clone());
        let mut values: Values = smallvec![*of, name, value];
        if set.takes(&values) {
            return self.native(set, &site.name, site.position, &mut values).map(|_| ());
        }
        let unknown = Box::new(EvalAltResult::ErrorFunctionNotFound(String::new(), Position::NONE));
        Err(self.no_property(unknown, *of, site, Some(value)))
    }

    /// Returns the owner of properties that a value stands for.
    pub(crate) const fn owner(of: Val) -> Option<Owner> {
        match of {
            Val::Player(player) => Some(Owner::Player(player)),
            Val::Piece(piece) => Some(Owner::Piece(piece)),
            Val::Cell(place) => Some(Owner::Place(place)),
            Val::Game => Some(Owner::Game),
            _ => None,
        }
    }

    /// Replaces the error for an unknown property by Rhai's message.
    fn no_property(&self, error: Wrong, of: Val, site: &Site, set: Option<Val>) -> Wrong {
        if !matches!(*error, EvalAltResult::ErrorFunctionNotFound(..) | EvalAltResult::ErrorDotExpr(..)) {
            return error;
        }
        let kind = self.memory.arena.type_name(of);
        let name = &site.name;
        let message = match set {
            None => format!("Unknown property '{name}' - a getter is not registered for type '{kind}'"),
            Some(value) => {
                let value = self.memory.arena.type_name(value);
                format!(
                    "No writable property '{name}' - a setter is not registered for type '{kind}' to handle '{value}'"
                )
            }
        };
        Box::new(EvalAltResult::ErrorDotExpr(message, Position::NONE))
    }
}

/// Returns whether a value has properties in the state of the game.
const fn is_component(value: &Val) -> bool {
    matches!(value, Val::Player(_) | Val::Piece(_) | Val::Cell(_) | Val::Game)
}

/// Returns whether a value may hold others.
const fn is_large(value: &Val) -> bool {
    matches!(value, Val::List(_) | Val::Map(_))
}

fn out_of_bounds(count: usize, at: i64) -> Wrong {
    Box::new(EvalAltResult::ErrorArrayBounds(count, at, Position::NONE))
}

fn missing(name: &str) -> Wrong {
    Box::new(EvalAltResult::ErrorPropertyNotFound(name.to_owned(), Position::NONE))
}

/// The number of bits of a number.
const BITS: usize = 64;

fn place_of_bit(bit: i64) -> Result<usize, Wrong> {
    place(BITS, bit).ok_or_else(|| Box::new(EvalAltResult::ErrorBitFieldBounds(BITS, bit, Position::NONE)))
}

/// Returns the mask for a range of bits, and its shift.
fn bits_of(span: Span) -> Result<(i64, u32), Wrong> {
    let bounds = |at| Box::new(EvalAltResult::ErrorBitFieldBounds(BITS, at, Position::NONE));
    let from = place(BITS, span.from).ok_or_else(|| bounds(span.from))?;
    let last = match (span.to, span.inclusive) {
        (i64::MAX, _) => BITS,
        (to, true) => place(BITS, to).ok_or_else(|| bounds(to))? + 1,
        (to, false) => {
            let whole = usize::try_from(to).ok().filter(|to| *to <= BITS);
            place(BITS, to).or(whole).ok_or_else(|| bounds(to))?
        }
    };
    let shift = u32::try_from(from).unwrap_or_default();
    if last <= from {
        return Ok((0, 0));
    }
    let count = last - from;
    let mask = if count >= BITS { -1 } else { ((1_i64 << count) - 1) << shift };
    Ok((mask, shift))
}

/// Returns what came of putting a changed part of a value back. A part that cannot be set stays as it is.
fn put_back(done: Result<(), Wrong>, cannot_be_set: impl Fn(&EvalAltResult) -> bool) -> Result<(), Wrong> {
    match done {
        Err(error) if cannot_be_set(&error) => Ok(()),
        done => done,
    }
}
