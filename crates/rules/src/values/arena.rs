//! Holds the large values of a phase. The arena is emptied at once when the phase ends, so cyclic references cannot
//! leak. Its size is counted, so rules that use too much stop at the same place on every machine.

use std::any::TypeId;

use rhai::{Array, Dynamic, FnPtr, ImmutableString, Map};
use smallvec::{SmallVec, smallvec};

use super::errors::{Native, failure};
use super::limits::COLLECTION;
use super::moves::{GameItself, Moves};
use super::spare::Spare;
use super::too_large;
use super::value::{Callable, Fields, List, Span, Val};
use super::work::{Beyond, Work};
use referee_diagnostic::MustBe as _;
use referee_table::{Cell, Cells, Dirs, Move, PieceId, PlayerId, Value, ZoneId};
use referee_trace::Action;

/// The maximum size in bytes of a phase's values together, including those no longer in use.
const ROOM: usize = 512 << 20;
/// The maximum nesting of lists, maps and closures.
pub(crate) const DEPTH: usize = 60;
/// The size in bytes of a string besides its characters: where it is counted, and where they are.
const STRING: usize = 48;
/// The nesting up to which values are counted by recursion.
const FEW_LEVELS: usize = 3;

/// A function as Rhai sees it inside a list: an opaque value that Rhai only passes on.
#[derive(Clone, Debug)]
pub(crate) struct Opaque {
    value: Val,
    name: ImmutableString,
}

impl Opaque {
    /// Returns the display text of the function.
    pub(crate) fn shown(&self) -> ImmutableString {
        format!("Fn({})", self.name).into()
    }
}

/// A variable that closures share.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Boxed {
    pub(crate) value: Val,
    /// Whether a closure has it already. Until then it is like any other variable.
    pub(crate) is_captured: bool,
}

impl Beyond for Boxed {}

macro_rules! pools {
    ($($pool:ident: $type:ty, $variant:ident;)*) => {
        /// The large values of a phase.
        #[derive(Clone, Debug, Default)]
        pub(crate) struct Arena {
            $(pub(crate) $pool: Vec<$type>,)*
            /// The size of the values in bytes.
            bytes: usize,
            /// The work done on large values that has not been counted yet, in operations.
            work: Work,
            /// Whether the element that was set last made the list or map larger, or may have.
            has_grown: bool,
            /// Empty lists to be filled: the room of lists that were dropped.
            spare: Spare,
        }

        /// The lengths of the pools up to which values are kept when a phase ends: the constants of the rules.
        #[derive(Clone, Copy, Debug, Default)]
        pub(crate) struct Mark {
            $(pub(crate) $pool: usize,)*
        }

        impl Arena {
            $(
                /// Stores a value.
                pub(crate) fn $pool(&mut self, value: $type) -> Val {
                    let beyond = value.beyond();
                    self.bytes += size_of::<$type>() + beyond;
                    self.work.of_bytes(beyond);
                    self.$pool.push(value);
                    Val::$variant(u32::try_from(self.$pool.len() - 1).unwrap_or(u32::MAX))
                }
            )*

            /// Returns the present lengths of the pools.
            pub(crate) fn mark(&self) -> Mark {
                Mark { $($pool: self.$pool.len(),)* }
            }

            /// Drops all values after the mark.
            pub(crate) fn empty(&mut self, mark: &Mark) {
                // Each stored value is counted, so 0 bytes means that there are none.
                if self.bytes > 0 {
                    self.forget(mark);
                }
            }

            /// Drops all values after the mark, including constants, whose bytes are not counted.
            pub(crate) fn forget(&mut self, mark: &Mark) {
                self.spare.keep(self.lists.get_mut(mark.lists..).unwrap_or_default());
                $(self.$pool.truncate(mark.$pool);)*
                self.bytes = 0;
            }

            /// Removes and returns all values after the mark.
            pub(crate) fn split_off(&mut self, mark: &Mark) -> Self {
                Self {
                    $($pool: self.$pool.split_off(mark.$pool.min(self.$pool.len())),)*
                    bytes: std::mem::take(&mut self.bytes),
                    work: Work::default(),
                    has_grown: false,
                    spare: Spare::default(),
                }
            }

            /// Stores again the values that `split_off` removed.
            pub(crate) fn lay_again(&mut self, taken: &Self) {
                $(self.$pool.extend_from_slice(&taken.$pool);)*
                self.bytes = taken.bytes;
            }
        }
    };
}

pools! {
    texts: ImmutableString, Text;
    lists: List, List;
    maps: Fields, Map;
    cells: Cells, Cells;
    dirs: Dirs, Dirs;
    single: Move, Move;
    several: Moves, Moves;
    functions: Callable, Function;
    ranges: Span, Range;
    actions: Action, Action;
    others: Dynamic, Other;
    boxes: Boxed, Shared;
}

impl Arena {
    /// Returns whether the values of the phase exceed the limit.
    #[inline]
    pub(crate) const fn is_full(&self) -> bool {
        self.bytes > ROOM
    }

    /// Returns whether there is room for this many more bytes.
    pub(crate) const fn is_within(&self, bytes: usize) -> bool {
        self.bytes.saturating_add(bytes) <= ROOM
    }

    /// Raises the size of the phase's values, if more is to be counted than is stored.
    pub(crate) fn has_grown_to(&mut self, bytes: usize) {
        self.bytes = self.bytes.max(bytes);
    }

    /// Returns the size of the phase's values in bytes.
    pub(crate) const fn bytes(&self) -> usize {
        self.bytes
    }

    /// Counts bytes that were added to a stored list or string.
    #[inline]
    pub(crate) const fn grown(&mut self, bytes: usize) {
        self.bytes += bytes;
    }

    /// Returns the work that is to be counted.
    pub(crate) const fn work(&self) -> &Work {
        &self.work
    }

    /// Stores a list.
    pub(crate) fn list(&mut self, items: Vec<Val>) -> Val {
        self.bytes += items.len() * size_of::<Val>();
        self.work.of_values(items.len());
        self.lists(List { items, shared: false })
    }

    /// Returns an empty list, to be filled and stored.
    #[inline]
    pub(crate) fn spare(&mut self) -> Vec<Val> {
        self.spare.take()
    }

    /// Stores a list with these items.
    #[inline]
    pub(crate) fn list_of(&mut self, items: &[Val]) -> Val {
        let mut list = self.spare.take();
        list.extend_from_slice(items);
        self.list(list)
    }

    /// Stores a string.
    pub(crate) fn text(&mut self, text: ImmutableString) -> Val {
        self.bytes += STRING + text.len();
        self.work.of_bytes(text.len());
        self.texts(text)
    }

    /// Stores a map whose items are in any order, as in data files.
    pub(crate) fn unsorted_map(&mut self, mut items: Vec<(ImmutableString, Val)>) -> Val {
        items.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
        self.map(items)
    }

    /// Stores a map whose names are strings of their own, and not those of the rules or of another map.
    pub(crate) fn described(&mut self, items: Vec<(String, Val)>) -> Val {
        self.bytes += items.iter().map(|(name, _)| STRING + name.len()).sum::<usize>();
        self.unsorted_map(items.into_iter().map(|(name, value)| (name.into(), value)).collect())
    }

    /// Stores a map. The items must be sorted by name.
    pub(crate) fn map(&mut self, items: Vec<(ImmutableString, Val)>) -> Val {
        self.bytes += items.len() * 40;
        self.work.of_values(items.len() * 4);
        self.maps(Fields { items, shared: false })
    }

    /// Returns the string that a value refers to.
    #[inline]
    pub(crate) fn text_of(&self, value: Val) -> Option<&ImmutableString> {
        match value {
            Val::Text(at) => self.texts.get(at as usize),
            _ => None,
        }
    }

    /// Returns the items of the list that a value refers to.
    #[inline]
    pub(crate) fn items(&self, value: Val) -> Option<&Vec<Val>> {
        match value {
            Val::List(at) => self.lists.get(at as usize).map(|list| &list.items),
            _ => None,
        }
    }

    /// Returns the map that a value refers to.
    #[inline]
    pub(crate) fn fields(&self, value: Val) -> Option<&Fields> {
        match value {
            Val::Map(at) => self.maps.get(at as usize),
            _ => None,
        }
    }

    /// Marks a list or a map as shared: it is copied before one of its holders changes it.
    #[inline]
    pub(crate) fn share(&mut self, value: Val) {
        match value {
            Val::List(at) => {
                if let Some(list) = self.lists.get_mut(at as usize) {
                    list.shared = true;
                }
            }
            Val::Map(at) => {
                if let Some(map) = self.maps.get_mut(at as usize) {
                    map.shared = true;
                }
            }
            _ => {}
        }
    }

    /// Makes a list or a map unshared, by a copy if necessary.
    #[inline]
    pub(crate) fn own(&mut self, value: &mut Val) {
        let is_shared = match *value {
            Val::List(at) => self.lists.get(at as usize).is_some_and(|list| list.shared),
            Val::Map(at) => self.maps.get(at as usize).is_some_and(|map| map.shared),
            _ => false,
        };
        if is_shared {
            *value = self.copied(*value);
        }
    }

    /// Returns a copy of a list or a map.
    #[inline(never)]
    fn copied(&mut self, value: Val) -> Val {
        match value {
            Val::List(at) => {
                let mut items = self.spare.take();
                items.extend(self.lists.get(at as usize).into_iter().flat_map(|list| &list.items));
                items.iter().for_each(|item| self.share(*item));
                self.list(items)
            }
            Val::Map(at) => {
                let items = self.maps.get(at as usize).map(|map| map.items.clone()).or_missing("a map", Vec::new());
                items.iter().for_each(|(_, item)| self.share(*item));
                self.map(items)
            }
            value => value,
        }
    }

    /// Returns the items of a list to be changed, after the list is made unshared.
    pub(crate) fn own_items(&mut self, value: &mut Val) -> Option<&mut Vec<Val>> {
        self.own(value);
        match *value {
            Val::List(at) => self.lists.get_mut(at as usize).map(|list| &mut list.items),
            _ => None,
        }
    }

    /// Returns a map to be changed, after it is made unshared.
    pub(crate) fn own_fields(&mut self, value: &mut Val) -> Option<&mut Fields> {
        self.own(value);
        match *value {
            Val::Map(at) => self.maps.get_mut(at as usize),
            _ => None,
        }
    }

    /// Returns the value of a shared variable, and any other value as it is.
    #[inline]
    pub(crate) fn unboxed(&self, value: Val) -> Val {
        match value {
            Val::Shared(at) => self.boxes.get(at as usize).map(|boxed| boxed.value).unwrap_or_default(),
            value => value,
        }
    }

    /// Returns the number of values in a list or a map, including nested ones. Counting stops once the limit is
    /// exceeded.
    pub(crate) fn count(&self, value: Val) -> usize {
        let mut open: SmallVec<[Val; 16]> = smallvec![value];
        let mut count = 0;
        while let Some(value) = open.pop() {
            match value {
                Val::List(_) => {
                    let items = self.items(value).map(Vec::as_slice).or_missing("a list", &[]);
                    count += items.len();
                    open.extend(items.iter().copied().filter(|item| matches!(item, Val::List(_) | Val::Map(_))));
                }
                Val::Map(_) => {
                    let items = self.fields(value).map(|map| map.items.as_slice()).or_missing("a map", &[]);
                    count += items.len();
                    let values = items.iter().map(|(_, item)| *item);
                    open.extend(values.filter(|item| matches!(item, Val::List(_) | Val::Map(_))));
                }
                _ => {}
            }
            if count > COLLECTION {
                break;
            }
        }
        count
    }

    /// Returns the number of values like [`Self::count`]; `None` if there are too many, or if lists and maps lie in
    /// each other on more than this number of levels.
    fn count_within(&self, value: Val, levels: usize) -> Option<usize> {
        let is_large = |item: &Val| matches!(item, Val::List(_) | Val::Map(_));
        let mut count = 0;
        if let Val::List(at) = value {
            let items = &self.lists.get(at as usize)?.items;
            count += items.len();
            for item in items.iter().filter(|item| is_large(item)) {
                count += self.count_within(*item, levels.checked_sub(1)?)?;
            }
        } else {
            let items = &self.fields(value)?.items;
            count += items.len();
            for (_, item) in items.iter().filter(|(_, item)| is_large(item)) {
                count += self.count_within(*item, levels.checked_sub(1)?)?;
            }
        }
        (count <= COLLECTION).then_some(count)
    }

    /// Converts a value for native functions that take any value.
    ///
    /// # Errors
    /// Returns an error if lists and maps are nested too deeply.
    pub(crate) fn to_dynamic(&self, value: Val) -> Native<Dynamic> {
        self.dynamic(value, 0)
    }

    /// Converts the value of a constant. Unlike other values it outlives the arena, with the values that are bound to
    /// functions in it. `pointer` returns a function value of Rhai.
    ///
    /// # Errors
    /// Returns an error if lists and maps are nested too deeply.
    pub(crate) fn to_constant(&self, value: Val, pointer: &dyn Fn(&str) -> Native<FnPtr>) -> Native<Dynamic> {
        self.lasting(self.to_dynamic(value)?, pointer, 0)
    }

    fn lasting(&self, value: Dynamic, pointer: &dyn Fn(&str) -> Native<FnPtr>, depth: usize) -> Native<Dynamic> {
        if depth > DEPTH {
            return Err(failure(format!("lists, maps and functions are nested more than {DEPTH} deep")));
        }
        let lasting = |value| self.lasting(value, pointer, depth + 1);
        if let Some(list) = value.read_lock::<Array>().map(|list| list.clone()) {
            return Ok(list.into_iter().map(lasting).collect::<Native<Array>>()?.into());
        }
        if let Some(map) = value.read_lock::<Map>().map(|map| map.clone()) {
            let pairs = map.into_iter().map(|(name, value)| Ok((name, lasting(value)?)));
            return Ok(pairs.collect::<Native<Map>>()?.into());
        }
        let Some(Opaque { value: Val::Function(at), name }) = value.read_lock::<Opaque>().map(|found| found.clone())
        else {
            return Ok(value);
        };
        let function = self.functions.get(at as usize).ok_or_else(|| failure("internal error: unknown value"))?;
        let mut pointer = pointer(&name)?;
        for bound in &function.curry {
            pointer.add_curry(lasting(self.to_dynamic(*bound)?)?);
        }
        Ok(pointer.into())
    }

    fn dynamic(&self, value: Val, depth: usize) -> Native<Dynamic> {
        if depth > DEPTH {
            return Err(failure(format!("lists and maps are nested more than {DEPTH} deep")));
        }
        let lost = || failure("internal error: unknown value");
        let at = |at: u32| at as usize;
        Ok(match value {
            Val::Nothing => Dynamic::UNIT,
            Val::Truth(truth) => truth.into(),
            Val::Number(number) => number.into(),
            Val::Letter(letter) => letter.into(),
            Val::Player(player) => Dynamic::from(player),
            Val::Piece(piece) => Dynamic::from(piece),
            Val::Zone(zone) => Dynamic::from(zone),
            Val::Cell(cell) => Dynamic::from(cell),
            Val::Text(id) => self.texts.get(at(id)).cloned().ok_or_else(lost)?.into(),
            Val::List(_) => {
                let items = self.items(value).ok_or_else(lost)?;
                items.iter().map(|item| self.dynamic(*item, depth + 1)).collect::<Native<Array>>()?.into()
            }
            Val::Map(_) => {
                let items = &self.fields(value).ok_or_else(lost)?.items;
                let pair =
                    |(name, item): &(ImmutableString, Val)| Ok((name.as_str().into(), self.dynamic(*item, depth + 1)?));
                items.iter().map(pair).collect::<Native<Map>>()?.into()
            }
            Val::Cells(id) => Dynamic::from(self.cells.get(at(id)).cloned().ok_or_else(lost)?),
            Val::Dirs(id) => Dynamic::from(self.dirs.get(at(id)).cloned().ok_or_else(lost)?),
            Val::Move(id) => Dynamic::from(self.single.get(at(id)).cloned().ok_or_else(lost)?),
            Val::Moves(id) => Dynamic::from(self.several.get(at(id)).cloned().ok_or_else(lost)?),
            Val::Function(id) => {
                let function = self.functions.get(at(id)).ok_or_else(lost)?;
                match FnPtr::new(function.name.clone()) {
                    Ok(plain) if function.curry.is_empty() => plain.into(),
                    _ => Dynamic::from(Opaque { value, name: function.name.clone() }),
                }
            }
            Val::Range(id) => self.ranges.get(at(id)).copied().ok_or_else(lost)?.into_dynamic(),
            Val::Action(id) => Dynamic::from(self.actions.get(at(id)).cloned().ok_or_else(lost)?),
            Val::Game => Dynamic::from(GameItself),
            Val::Other(id) => self.others.get(at(id)).cloned().ok_or_else(lost)?,
            Val::Shared(_) => self.dynamic(self.unboxed(value), depth + 1)?,
        })
    }

    /// Converts a value that a native function returned.
    pub(crate) fn of_dynamic(&mut self, value: Dynamic) -> Val {
        let value = if value.is_shared() { value.flatten() } else { value };
        let id = value.type_id();
        macro_rules! of {
            ($($type:ty => $lay:expr,)*) => {
                $(if id == TypeId::of::<$type>() {
                    let lay: fn(&mut Self, $type) -> Val = $lay;
                    return value.try_cast::<$type>().map_or(Val::Nothing, |value| lay(self, value));
                })*
            };
        }
        of! {
            () => |_, ()| Val::Nothing,
            i64 => |_, number| Val::Number(number),
            bool => |_, truth| Val::Truth(truth),
            PieceId => |_, piece| Val::Piece(piece),
            PlayerId => |_, player| Val::Player(player),
            Cell => |_, cell| Val::Cell(cell),
            Array => |arena, items| {
                arena.work.add(items.len());
                let items = items.into_iter().map(|item| arena.of_dynamic(item)).collect();
                arena.list(items)
            },
            ImmutableString => Self::text,
            Map => |arena, map| {
                arena.work.add(map.len());
                let items = map.into_iter().map(|(name, item)| (name.into(), arena.of_dynamic(item))).collect();
                arena.map(items)
            },
            ZoneId => |_, zone| Val::Zone(zone),
            char => |_, letter| Val::Letter(letter),
            Cells => Self::cells,
            Dirs => Self::dirs,
            Move => Self::single,
            Moves => Self::several,
            Action => Self::actions,
            GameItself => |_, _| Val::Game,
            Opaque => |_, opaque| opaque.value,
            FnPtr => |arena, pointer| {
                let curry = pointer.curry().iter().cloned().map(|value| arena.of_dynamic(value)).collect();
                arena.functions(Callable { name: pointer.fn_name().into(), curry })
            },
        }
        match Span::of(&value) {
            Some(span) => self.ranges(span),
            None => self.others(value),
        }
    }

    /// Converts a value of the game's state for a script.
    pub(crate) fn of_value(&mut self, value: &Value) -> Val {
        match value {
            Value::Nothing => Val::Nothing,
            Value::Bool(truth) => Val::Truth(*truth),
            Value::Int(number) => Val::Number(*number),
            Value::Text(text) => self.text(ImmutableString::from(&**text)),
            Value::Player(player) => Val::Player(*player),
            Value::Piece(piece) => Val::Piece(*piece),
            Value::Cell(cell) => Val::Cell(*cell),
            Value::Move(made) => self.single(made.clone()),
            Value::Set(set) => {
                let items = set.iter().map(|value| self.of_value(value)).collect();
                self.list(items)
            }
            Value::List(_) | Value::Bag(_) => {
                let items = value.items().map(|value| self.of_value(value)).collect();
                self.list(items)
            }
            Value::Map(map) => {
                let items = map.iter().map(|(name, value)| (ImmutableString::from(&**name), self.of_value(value)));
                let items = items.collect();
                self.unsorted_map(items)
            }
        }
    }

    /// Returns Rhai's name for a parameter of the value's type, for the signatures of functions that are not found.
    pub(crate) fn signature_name(&self, value: Val) -> &'static str {
        match self.unboxed(value) {
            Val::Text(_) => "&str | ImmutableString | String",
            value => self.type_name(value),
        }
    }

    /// Returns Rhai's name for the type of a value.
    pub(crate) fn type_name(&self, value: Val) -> &'static str {
        match value {
            Val::Nothing => "()",
            Val::Truth(_) => "bool",
            Val::Number(_) => "i64",
            Val::Letter(_) => "char",
            Val::Player(_) => "player",
            Val::Piece(_) => "piece",
            Val::Zone(_) => "zone",
            Val::Cell(_) => "cell",
            Val::Text(_) => "string",
            Val::List(_) => "array",
            Val::Map(_) => "map",
            Val::Cells(_) => "cells",
            Val::Dirs(_) => "dirs",
            Val::Move(_) => "move",
            Val::Moves(_) => "moves",
            Val::Function(_) => "Fn",
            Val::Range(at) => match self.ranges.get(at as usize) {
                Some(span) if span.inclusive => "range=",
                _ => "range",
            },
            Val::Action(_) => "action",
            Val::Game => "game",
            Val::Other(_) => "value",
            Val::Shared(_) => self.type_name(self.unboxed(value)),
        }
    }
}

impl Arena {
    /// Checks the size of a list or a map in which an element was set to this value. `is_other` is `false` if the same
    /// element is only put back after a part of it was set.
    ///
    /// # Errors
    /// Returns an error if it has too many elements.
    #[inline]
    pub(crate) fn fits_with(&mut self, of: Val, value: Val, is_other: bool) -> Native<()> {
        if is_other {
            self.has_grown = matches!(value, Val::List(_) | Val::Map(_));
        }
        if self.has_grown { self.fits(of) } else { Ok(()) }
    }

    /// Checks the size of a map that has got one more element.
    ///
    /// # Errors
    /// Returns an error if it has too many elements.
    pub(crate) fn fits_after_growth(&mut self, of: Val) -> Native<()> {
        self.has_grown = true;
        self.fits(of)
    }

    /// Checks the size of a list or a map.
    ///
    /// # Errors
    /// Returns an error if it has too many elements.
    pub(crate) fn fits(&self, value: Val) -> Native<()> {
        let (count, what) = match value {
            Val::List(_) => (self.items(value).map_or(0, Vec::len), "Size of array/BLOB"),
            Val::Map(_) => (self.fields(value).map_or(0, |map| map.items.len()), "Size of object map"),
            _ => return Ok(()),
        };
        if count > COLLECTION {
            return Err(too_large(what));
        }
        let large = |value: &Val| matches!(value, Val::List(_) | Val::Map(_));
        self.work.of_values(count / 8);
        let nested = match value {
            Val::List(_) => self.items(value).is_some_and(|items| items.iter().any(large)),
            _ => self.fields(value).is_some_and(|map| map.items.iter().any(|(_, value)| large(value))),
        };
        if nested && self.count_within(value, FEW_LEVELS).is_none() && self.count(value) > COLLECTION {
            return Err(too_large(what));
        }
        Ok(())
    }
}
