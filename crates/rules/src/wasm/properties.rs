//! Properties of players, pieces and the game: where their values are, reading and setting them.

use wasm_encoder::{Instruction as I, ValType};

use super::body::{at, long};
use super::compiler::Emit;
use super::fixed::Fixed;
use super::layout::{self, pieces_with};
use super::operators::operator;
use super::outline::changes;
use super::runtime::{Helper, NO_BITS};
use super::unit::Unit;
use super::value::{NO_ID, TAG_BITS, Tag, Ty};
use crate::natives;
use crate::script::{Assign, LocalId, Node};
use crate::values::{Kind, Sort};
use crate::vm::Settable;
use referee_table::{Kind as Told, PropertyEach, PropertyId, PropertyKind, Several, StateBytes, Value};

/// The most words of a property that compiled rules look through.
const MOST_WORDS: usize = 16;

/// A property whose values have a place of their own.
#[derive(Clone, Copy)]
pub(super) struct Placed {
    id: PropertyId,
    /// The addresses of the first value and of its sort.
    value: u32,
    sort: u32,
    /// The tag of its owners, the first owner and their number; `None` for the game.
    owners: Option<(Tag, usize, usize)>,
}

/// What changes a property.
#[derive(Clone, Copy)]
pub(super) enum Change<'s> {
    /// An assignment, by an operator if there is one.
    Assigned(Option<&'s str>),
    /// A call of `set`.
    Set,
    /// A call of `tally`, which adds to a counter.
    Tallied,
}

impl Unit<'_, '_> {
    /// Returns where the values of a property are, if values of the kind of its owner have exactly one with this name; where
    /// the one value is, if the owner is fixed.
    fn placed(&self, of: &Node, name: &str) -> Option<Placed> {
        let mut placed = self.placed_of(&of.kind, name)?;
        if let (Some((tag, first, count)), Some(Fixed::Id(owner, id))) = (placed.owners, self.fixed(of))
            && owner == tag
            && let Some(place) = (id as usize).checked_sub(first).filter(|place| *place < count)
        {
            let place = u32::try_from(place).ok()?;
            placed.value += 8 * place;
            placed.sort += place;
            placed.owners = None;
        }
        Some(placed)
    }

    fn placed_of(&self, of: &Kind, name: &str) -> Option<Placed> {
        let schema = self.with.with.schema;
        let mut named = schema.properties.iter().enumerate().filter(|(_, property)| property.name == name);
        let (number, property) = named.next()?;
        if named.next().is_some() || schema.printed.iter().any(|printed| printed.name == name) {
            return None;
        }
        let id = PropertyId::at(number);
        let owners = match property.owners.only()? {
            PropertyEach::Game if of.is(Sort::Game) => None,
            PropertyEach::Player if self.may_own(of, &[Sort::Player], name) => {
                Some((Tag::Player, 0, schema.players.len()))
            }
            PropertyEach::Kind(_) if self.may_own(of, &[Sort::Piece, Sort::Men], name) => {
                let (first, count) = pieces_with(schema, id)?;
                Some((Tag::Piece, first, count))
            }
            PropertyEach::Place(kind) if schema.has_only(kind) && self.may_own(of, &[Sort::Cell], name) => {
                Some((Tag::Cell, 0, self.with.with.state.board().size()))
            }
            _ => return None,
        };
        let (value, sort) = self.with.layout.value(id, 0)?;
        Some(Placed { id, value, sort, owners })
    }

    /// Returns whether a value may be of these sorts, and no other value has anything of this name after a dot: then the rules are
    /// given up.
    fn may_own(&self, of: &Kind, sorts: &[Sort], name: &str) -> bool {
        let is_only = |sort: &Sort| of.is_or_nothing(*sort);
        let is_only_there = || !self.with.with.script.keys.contains(name) && natives::properties(name).is_empty();
        sorts.iter().any(is_only) || sorts.iter().any(|sort| of.may_be(*sort)) && is_only_there()
    }

    /// Leaves the number of the owner in a variable, if a property has several.
    fn owner(&mut self, of: &Node, placed: &Placed) -> Emit<Option<u32>> {
        let Some((tag, first, count)) = placed.owners else { return Ok(None) };
        let number = |number: usize| i32::try_from(number).unwrap_or(i32::MAX);
        self.to(of, Ty::id(tag))?;
        let owner = self.body.local(ValType::I32);
        if first > 0 {
            self.body.all([I::I32Const(number(first)), I::I32Sub]);
        }
        self.body.tee(owner);
        self.body.all([I::I32Const(number(count)), I::I32GeU]);
        self.body.give_up_if();
        Ok(Some(owner))
    }

    /// Puts what is to be added to the address of the first value on the stack.
    fn beyond(&mut self, owner: Option<u32>, shift: i32) {
        match owner {
            Some(owner) => {
                self.body.get(owner);
                if shift > 0 {
                    self.body.all([I::I32Const(shift), I::I32Shl]);
                }
            }
            None => self.body.word(0),
        }
    }

    /// Puts the value of a property on the stack. Returns `None`, with nothing done, if the host does it.
    pub(super) fn property(&mut self, of: &Node, name: &str) -> Emit<Option<Ty>> {
        let Some(placed) = self.placed(of, name) else { return Ok(None) };
        let schema = self.with.with.schema;
        let Some(property) = schema.properties.get(placed.id.index()) else { return Ok(None) };
        if let PropertyKind::Value(Told::Word(_)) = &property.kind {
            return self.word_of(of, &placed);
        }
        let ty = match &property.kind {
            PropertyKind::Flag => Ty::Truth,
            PropertyKind::Counter { record: false } => Ty::Number,
            PropertyKind::Counter { record: true } => return Ok(None),
            PropertyKind::Value(kind) => {
                let kind = Kind::of_answer(kind).or_nothing();
                match self.with.ty(&kind) {
                    Ty::Id { tag: Tag::Player | Tag::Piece | Tag::Cell, .. } | Ty::Any if !kind.may_be(Sort::Cells) => {
                        Ty::Any
                    }
                    _ => return Ok(None),
                }
            }
        };
        let owner = self.owner(of, &placed)?;
        self.beyond(owner, 3);
        self.body.add(I::I64Load(long(placed.value)));
        if ty != Ty::Truth {
            self.within_bits();
        }
        match ty {
            Ty::Truth => self.body.add(I::I32WrapI64),
            Ty::Any => {
                self.body.all([I::I64Const(TAG_BITS), I::I64Shl]);
                self.beyond(owner, 0);
                self.body.all([I::I64Load8U(at(placed.sort, 0)), I::I64Or]);
            }
            _ => {}
        }
        owner.into_iter().for_each(|owner| self.body.done(ValType::I32, owner));
        let PropertyKind::Value(kind) = &property.kind else { return Ok(Some(ty)) };
        let known = self.with.ty(&Kind::of_answer(kind).or_nothing());
        self.convert(Ty::Any, known);
        Ok(Some(known))
    }

    /// Returns the strings that are the words of a property, by their numbers in its declaration; none if the host knows them alone.
    fn words_of(&mut self, property: PropertyId) -> Vec<i32> {
        let (strings, state) = (&mut self.with.strings, &self.with.layout.state);
        let number = |text: &Value| match text {
            Value::Text(text) => Some(strings.number(&(&**text).into()).cast_signed()),
            _ => None,
        };
        Some(state.texts(property))
            .filter(|texts| texts.len() <= MOST_WORDS)
            .map_or_else(Vec::new, |texts| texts.iter().filter_map(number).collect())
    }

    /// Puts the value of a property on the stack that is one of its words. Returns `None`, with nothing done, if the host does it.
    fn word_of(&mut self, of: &Node, placed: &Placed) -> Emit<Option<Ty>> {
        let words = self.words_of(placed.id);
        if words.is_empty() {
            return Ok(None);
        }
        let (sort, number) = (self.body.local(ValType::I32), self.body.local(ValType::I32));
        let owner = self.owner(of, placed)?;
        self.beyond(owner, 3);
        self.body.add(I::I32Load(at(placed.value, 2)));
        self.body.set(number);
        self.beyond(owner, 0);
        self.body.add(I::I32Load8U(at(placed.sort, 0)));
        self.body.set(sort);
        self.body.pick(number, I::I32Const(NO_ID), words.iter().map(|word| I::I32Const(*word)));
        self.body.word(NO_ID);
        self.body.get(sort);
        self.body.add(I::Select);
        owner.into_iter().chain([sort, number]).for_each(|local| self.body.done(ValType::I32, local));
        Ok(Some(Ty::maybe(Tag::Text)))
    }

    /// Puts the number of a word on the stack as the value of a property, of 64 bits, and leaves its sort in the variable with the
    /// string. What is none of its words gives the rules up: it is an error.
    fn word_sorted(&mut self, text: u32, words: &[i32]) {
        let number = self.body.local(ValType::I32);
        self.body.word(-1);
        // As in `Body::pick`, numbers are not compared here.
        for (place, word) in words.iter().enumerate() {
            self.body.word(i32::try_from(place).unwrap_or(-1));
            self.body.get(text);
            self.body.all([I::I32Const(*word), I::I32Xor, I::Select]);
        }
        self.body.tee(number);
        self.body.all([I::I32Const(0), I::I32LtS]);
        self.body.get(text);
        self.body.all([I::I32Const(NO_ID), I::I32Ne, I::I32And]);
        self.body.give_up_if();
        self.body.get(number);
        self.body.word(0);
        self.body.get(text);
        self.body.all([I::I32Const(NO_ID), I::I32Ne, I::Select, I::I64ExtendI32U]);
        self.body.word(i32::from(StateBytes::WORD));
        self.body.word(0);
        self.body.get(text);
        self.body.all([I::I32Const(NO_ID), I::I32Ne, I::Select]);
        self.body.set(text);
        self.body.done(ValType::I32, number);
    }

    /// Returns where the values of a property are that is a set or a bag of numbers; `None` for another one.
    fn placed_numbers(&self, of: &Node, name: &str) -> Option<Placed> {
        let placed = self.placed(of, name)?;
        let property = self.with.with.schema.properties.get(placed.id.index())?;
        match &property.kind {
            // Bits are a set, and a bag in which no number is repeated; all others are values beside the bytes.
            PropertyKind::Value(Told::Many(Several::Set | Several::Bag, one))
                if matches!(**one, Told::Number | Told::Direction) =>
            {
                Some(placed)
            }
            _ => None,
        }
    }

    /// Puts the list of a property that is a set of numbers on the stack. Returns `None`, with nothing done, for any other one.
    pub(super) fn numbers_of(&mut self, node: &Node, of: &Node, name: &str) -> Emit<Option<Ty>> {
        let Some(placed) = self.placed_numbers(of, name) else { return Ok(None) };
        let (site, given) = self.with.out(node, self.function, false)?;
        let list = self.body.local(ValType::I32);
        let sort = self.body.local(ValType::I32);
        let owner = self.owner(of, &placed)?;
        self.beyond(owner, 0);
        self.body.add(I::I32Load8U(at(placed.sort, 0)));
        self.body.tee(sort);
        self.body.all([I::I32Const(i32::from(StateBytes::NUMBERS)), I::I32Eq]);
        self.body.when(None);
        self.beyond(owner, 3);
        self.body.add(I::I64Load(long(placed.value)));
        self.body.call(Helper::OfBits.number());
        self.body.set(list);
        self.body.otherwise();
        self.body.word(NO_ID);
        self.body.set(list);
        self.body.get(sort);
        self.body.when(None);
        self.body.word(site.cast_signed());
        if !given.is_empty() {
            self.wrapped_owner(of, &placed, owner)?;
        }
        self.body.call(layout::out(given.len()));
        self.convert(Ty::Any, Ty::id(Tag::List));
        self.body.set(list);
        self.body.end();
        self.body.end();
        self.body.get(list);
        self.body.done(ValType::I32, list);
        self.body.done(ValType::I32, sort);
        owner.into_iter().for_each(|owner| self.body.done(ValType::I32, owner));
        Ok(Some(Ty::maybe(Tag::List)))
    }

    /// Sets a property that is a set of numbers to a list; one of other numbers, or in another order, is for the host. Returns
    /// `false`, with nothing done, for any other property or value.
    pub(super) fn set_numbers(&mut self, node: &Node, assign: &Assign, of: &Node, name: &str) -> Emit<bool> {
        let Some(placed) = self.placed_numbers(of, name).filter(|placed| placed.id.index() < 64) else {
            return Ok(false);
        };
        let property = self.with.with.schema.properties.get(placed.id.index());
        let schema = self.with.with.schema;
        // What copies would have together is an error, which the host tells.
        let is_hosts = property.is_none_or(|property| property.in_drawings || schema.copied(property).is_some());
        if is_hosts || assign.sign.is_some() || !assign.value.kind.is(Sort::List) {
            return Ok(false);
        }
        let site = self.with.changed_field(node, assign, self.function);
        let (list, bits) = (self.body.local(ValType::I32), self.body.local(ValType::I64));
        let sort = self.body.local(ValType::I32);
        self.to(&assign.value, Ty::id(Tag::List))?;
        self.body.tee(list);
        self.body.word(1);
        self.body.call(Helper::Bits.number());
        self.body.set(bits);
        let owner = self.owner(of, &placed)?;
        self.beyond(owner, 0);
        self.body.add(I::I32Load8U(at(placed.sort, 0)));
        self.body.tee(sort);
        self.body.all([I::I32Const(i32::from(StateBytes::LARGE)), I::I32Eq]);
        self.body.get(bits);
        self.body.all([I::I64Const(NO_BITS), I::I64Eq, I::I32Or]);
        if self.is_of_directions(&placed) {
            // Those of the board.
            self.body.get(bits);
            let all = (1_i64 << (self.with.layout.directions + 1).min(62)) - 2;
            self.body.all([I::I64Const(!all), I::I64And, I::I64Eqz, I::I32Eqz, I::I32Or]);
        }
        self.body.when(None);
        self.body.word(site.cast_signed());
        self.wrapped_owner(of, &placed, owner)?;
        self.body.get(list);
        self.convert(Ty::id(Tag::List), Ty::Any);
        self.body.call(layout::out(2));
        self.body.add(I::Drop);
        self.body.otherwise();
        self.body.raise(layout::CHANGES, 1);
        self.beyond(owner, 3);
        self.body.get(bits);
        self.body.add(I::I64Store(long(placed.value)));
        self.beyond(owner, 0);
        self.body.all([I::I32Const(i32::from(StateBytes::NUMBERS)), I::I32Store8(at(placed.sort, 0))]);
        self.note_set(placed.id);
        self.body.end();
        self.body.done(ValType::I32, list);
        self.body.done(ValType::I32, sort);
        self.body.done(ValType::I64, bits);
        owner.into_iter().for_each(|owner| self.body.done(ValType::I32, owner));
        Ok(true)
    }

    /// Notes that a property has another value.
    fn note_set(&mut self, property: PropertyId) {
        self.body.all([I::I32Const(0), I::I32Const(0), I::I64Load(long(layout::SET))]);
        self.body.all([I::I64Const(1 << property.index()), I::I64Or, I::I64Store(long(layout::SET))]);
    }

    /// Puts the owner of a property on the stack as a wrapped value.
    fn wrapped_owner(&mut self, of: &Node, placed: &Placed, owner: Option<u32>) -> Emit {
        match (owner, placed.owners) {
            (Some(owner), Some((tag, first, _))) => {
                self.body.get(owner);
                self.body.all([I::I32Const(i32::try_from(first).unwrap_or(i32::MAX)), I::I32Add]);
                self.convert(Ty::id(tag), Ty::Any);
                Ok(())
            }
            // It is fixed, or the game.
            _ => self.to(of, Ty::Any),
        }
    }

    fn is_of_directions(&self, placed: &Placed) -> bool {
        let property = self.with.with.schema.properties.get(placed.id.index());
        property.is_some_and(|property| match &property.kind {
            PropertyKind::Value(Told::Many(_, one)) => **one == Told::Direction,
            _ => false,
        })
    }

    /// Returns the type of the value that a property is set to; `None` if its values have no place, or this one may be no value
    /// of it.
    fn type_to_set(&mut self, property: PropertyId, value: &Node) -> Option<Ty> {
        let schema = self.with.with.schema;
        let given = self.with.ty(&value.kind);
        let declared = schema.properties.get(property.index()).filter(|declared| !declared.resource)?;
        if let PropertyKind::Counter { record: true } = declared.kind {
            let is_plain = !declared.in_drawings && matches!(given, Ty::Any | Ty::Number);
            return is_plain.then_some(Ty::Number);
        }
        // What copies would have together is an error, which the host tells.
        if schema.copied(declared).is_some() {
            return None;
        }
        if declared.in_drawings && matches!(declared.kind, PropertyKind::Value(Told::Player)) {
            let player = Ty::maybe(Tag::Player);
            let few = schema.players.len() <= u32::BITS as usize;
            return (few && (player.takes(given) || given == Ty::Nothing)).then_some(player);
        }
        if let PropertyKind::Value(Told::Word(_)) = declared.kind {
            let text = Ty::maybe(Tag::Text);
            let fits = matches!(given, Ty::Any | Ty::Nothing | Ty::Id { tag: Tag::Text, .. });
            return (fits && !self.words_of(property).is_empty()).then_some(text);
        }
        let ty = match (Settable::of(schema, property)?, &declared.kind) {
            (Settable::FlagOrCounter, PropertyKind::Flag) => Ty::Truth,
            (Settable::FlagOrCounter, _) => Ty::Number,
            (Settable::Only(_), PropertyKind::Value(kind)) => match (self.with.ty(&Kind::of_answer(kind)), given) {
                (Ty::Number, Ty::Number) => Ty::Number,
                (Ty::Number, Ty::Nothing) => Ty::Nothing,
                (Ty::Id { tag, .. }, Ty::Nothing | Ty::Any) => Ty::maybe(tag),
                (Ty::Id { tag: one, .. }, Ty::Id { tag: other, .. }) if one == other => given,
                _ => return None,
            },
            _ => return None,
        };
        // A value of another kind is an error.
        let fits = given == ty || given == Ty::Any || given == Ty::Nothing && matches!(ty, Ty::Id { .. });
        fits.then_some(ty)
    }

    /// Puts the id in a variable on the stack as the value of a property, of 64 bits, and leaves its sort in the variable: `()` has the
    /// sort and the value 0.
    fn sorted(&mut self, id: u32, tag: Tag) {
        self.body.get(id);
        self.body.all([I::I32Const(1), I::I32Add, I::I64ExtendI32U, I::I64Const(1), I::I64Sub]);
        self.body.long(0);
        self.body.get(id);
        self.body.all([I::I32Const(NO_ID), I::I32Ne, I::Select]);
        self.body.word(tag as i32);
        self.body.word(0);
        self.body.get(id);
        self.body.all([I::I32Const(NO_ID), I::I32Ne, I::Select]);
        self.body.set(id);
    }

    /// Gives up if the player in a variable is one that does not take part.
    pub(super) fn is_playing(&mut self, player: u32) {
        let players = &self.with.with.state.table.players;
        let playing = players.iter().fold(0, |bits, player| bits | 1_u32 << player.0);
        self.body.word(playing.cast_signed());
        self.body.get(player);
        self.body.all([I::I32ShrU, I::I32Const(1), I::I32And, I::I32Eqz]);
        self.body.get(player);
        self.body.all([I::I32Const(NO_ID), I::I32Ne, I::I32And]);
        self.body.give_up_if();
    }

    /// Sets a property in place. Returns `false`, with nothing done, if the host does it.
    pub(super) fn set_property(&mut self, of: &Node, name: &str, value: &Node, how: Change<'_>) -> Emit<bool> {
        let Some(placed) = self.placed(of, name) else { return Ok(false) };
        let schema = self.with.with.schema;
        let Some(property) = schema.properties.get(placed.id.index()) else { return Ok(false) };
        let Some(ty) = self.type_to_set(placed.id, value).filter(|_| placed.id.index() < 64) else { return Ok(false) };
        let sign = match how {
            Change::Assigned(sign) => sign,
            Change::Set => None,
            Change::Tallied => Some("+"),
        };
        let by_call = !matches!(how, Change::Assigned(_));
        let operation = match sign {
            None => None,
            // Rules cannot read a record.
            Some(_) if !by_call && property.is_record() => return Ok(false),
            Some(sign) => match operator(sign, ty) {
                Some(operation) if ty == Ty::Number && !is_value(&property.kind) => Some(operation),
                _ => return Ok(false),
            },
        };
        // Calls look at a variable with an owner last, and at any other owner first: it must make no difference.
        let stays = |local: &LocalId| !changes(value, *local);
        if by_call && placed.owners.is_some() && !self.is_simple(value) && !of.local().as_ref().is_some_and(stays) {
            return Ok(false);
        }
        let first = if by_call { Some(self.owner(of, &placed)?) } else { None };
        let (new, before) = (self.body.local(ValType::I64), self.body.local(ValType::I64));
        let sort = self.body.local(ValType::I32);
        self.to(value, ty)?;
        match ty {
            Ty::Truth => self.body.add(I::I64ExtendI32U),
            Ty::Nothing => self.body.long(0),
            Ty::Id { tag, .. } => {
                self.body.set(sort);
                if property.in_drawings {
                    self.is_playing(sort);
                }
                if tag == Tag::Text {
                    let words = self.words_of(placed.id);
                    self.word_sorted(sort, &words);
                } else {
                    self.sorted(sort, tag);
                }
            }
            _ => {}
        }
        self.body.set(new);
        let owner = match first {
            Some(owner) => owner,
            None => self.owner(of, &placed)?,
        };
        self.beyond(owner, 3);
        self.body.add(I::I64Load(long(placed.value)));
        self.within_bits();
        self.body.set(before);
        if let Some(operation) = operation {
            self.body.get(before);
            self.body.get(new);
            self.operate(operation, Ty::Number);
            self.body.set(new);
        }
        self.body.raise(layout::CHANGES, 1);
        self.body.get(before);
        self.body.get(new);
        self.body.add(I::I64Ne);
        if is_value(&property.kind) {
            match ty {
                Ty::Id { .. } => self.body.get(sort),
                Ty::Nothing => self.body.word(0),
                _ => self.body.word(Tag::Number as i32),
            }
            self.body.set(sort);
            self.beyond(owner, 0);
            self.body.add(I::I32Load8U(at(placed.sort, 0)));
            self.body.get(sort);
            self.body.all([I::I32Ne, I::I32Or]);
            if !matches!(ty, Ty::Id { tag: Tag::Text, .. }) {
                // A larger value is beside the bytes, and the host removes it.
                self.beyond(owner, 0);
                self.body.add(I::I32Load8U(at(placed.sort, 0)));
                self.body.all([I::I32Const(Tag::Cell as i32), I::I32GtU]);
                self.body.give_up_if();
            }
        }
        self.body.when(None);
        self.beyond(owner, 3);
        self.body.get(new);
        self.body.add(I::I64Store(long(placed.value)));
        if is_value(&property.kind) {
            self.beyond(owner, 0);
            self.body.get(sort);
            self.body.add(I::I32Store8(at(placed.sort, 0)));
        }
        self.note_set(placed.id);
        self.body.end();
        self.body.done(ValType::I64, new);
        self.body.done(ValType::I64, before);
        self.body.done(ValType::I32, sort);
        owner.into_iter().for_each(|owner| self.body.done(ValType::I32, owner));
        Ok(true)
    }
}

/// Returns whether a property may have values of a kind, or none: not one that is a flag or a counter.
const fn is_value(kind: &PropertyKind) -> bool {
    matches!(kind, PropertyKind::Value(_))
}
