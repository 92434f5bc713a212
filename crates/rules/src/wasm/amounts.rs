//! Amounts of resources. One on its way from call to call is *packed*: a number of 64 bits, with as many bits for each resource,
//! in the order of the alphabet, of which the highest is 0. So one operation adds, takes away or compares all of them. In variables,
//! lists and actions amounts are the maps that rules see.
//!
//! What is no amount, or too much for its bits, gives the rules up.

use wasm_encoder::{Instruction as I, ValType};

use super::body::{Body, long, word};
use super::compiler::Emit;
use super::layout;
use super::of_amounts::OfAmounts;
use super::of_board::{OfBoard, OnBoard};
use super::resource_places::{Amounts, names};
use super::runtime;
use super::unit::Unit;
use super::value::{NOTHING, TAG_BITS, Tag, Ty};
use crate::natives::{self, Emitted};
use crate::script::{Call, Node, Target, What};
use referee_table::PropertyId;

impl Amounts {
    /// Puts how many there are of the resource at a place of the packed amount in a variable on the stack.
    pub(super) fn one(&self, b: &mut Body, packed: u32, at: usize) {
        b.get(packed);
        b.all([I::I64Const(self.shift(at)), I::I64ShrU, I::I64Const(self.limit() - 1), I::I64And]);
    }

    /// Puts how many different resources there are in the packed amount on the stack.
    pub(super) fn count(&self, b: &mut Body) {
        let highest = self.highest();
        b.all([I::I64Const(highest), I::I64Or, I::I64Const(self.each(1)), I::I64Sub]);
        b.all([I::I64Const(highest), I::I64And, I::I64Popcnt]);
    }

    /// Puts how much more an amount weighs than another value on the stack, of 32 bits, by the packed amount on the stack.
    pub(super) fn more_weight(&self, b: &mut Body) {
        self.count(b);
        b.all([I::I32WrapI64, I::I32Const(1), I::I32Shl]);
    }

    /// Adds the number on the stack, of which there may be too many, to a packed amount in a variable.
    pub(super) fn add(&self, b: &mut Body, at: usize, packed: u32) {
        let count = b.local(ValType::I64);
        b.tee(count);
        b.all([I::I64Const(self.limit()), I::I64GeU]);
        b.give_up_if();
        b.get(count);
        b.all([I::I64Const(self.shift(at)), I::I64Shl]);
        b.get(packed);
        b.add(I::I64Or);
        b.set(packed);
        b.done(ValType::I64, count);
    }

    /// Reads the map in the variable 0.
    fn pack(&self, b: &mut Body) {
        let (left, at) = (b.local(ValType::I32), b.local(ValType::I32));
        let [packed, value, name] = std::array::from_fn(|_| b.local(ValType::I64));
        b.get(0);
        b.add(I::I32Load(word(runtime::LENGTH)));
        b.set(left);
        b.get(0);
        b.add(I::I32Load(word(runtime::ITEMS)));
        b.set(at);
        b.rounds(left, |b| {
            b.get(at);
            b.all([I::I64Load(long(0)), I::I64Const(TAG_BITS), I::I64ShrU]);
            b.all([I::I64Const(self.first.into()), I::I64Sub]);
            b.tee(name);
            b.all([I::I64Const(i64::try_from(self.resources.len()).unwrap_or_default()), I::I64GeU]);
            b.give_up_if();
            b.get(at);
            b.add(I::I64Load(long(8)));
            b.tee(value);
            // What is left out on a card is `()`.
            b.all([I::I64Const(NOTHING), I::I64Ne]);
            b.when(None);
            b.get(value);
            runtime::unwrap(b, Ty::Number);
            b.tee(value);
            b.all([I::I64Const(self.limit()), I::I64GeU]);
            b.give_up_if();
            b.get(value);
            b.get(name);
            b.all([I::I64Const(self.bits.into()), I::I64Mul, I::I64Shl]);
            b.get(packed);
            b.add(I::I64Or);
            b.set(packed);
            b.end();
            b.step(at, runtime::PAIR);
        });
        b.get(packed);
    }

    /// Makes a map of the packed amount in the variable 0, of what there is of it.
    fn unpack(&self, b: &mut Body) {
        let (map, at) = (b.local(ValType::I32), b.local(ValType::I32));
        let count = b.local(ValType::I64);
        runtime::new_map(b, i32::try_from(self.resources.len()).unwrap_or_default());
        b.tee(map);
        b.add(I::I32Load(word(runtime::ITEMS)));
        b.set(at);
        for (place, name) in (0..self.resources.len()).zip(self.first..) {
            self.one(b, 0, place);
            b.tee(count);
            b.all([I::I64Eqz, I::I32Eqz]);
            b.when(None);
            b.get(at);
            b.all([I::I64Const(Tag::Text.wrap(name)), I::I64Store(long(0))]);
            b.get(at);
            b.get(count);
            runtime::wrap(b, Ty::Number);
            b.add(I::I64Store(long(8)));
            b.step(at, runtime::PAIR);
            b.end();
        }
        b.get(map);
        b.get(0);
        self.count(b);
        b.all([I::I32WrapI64, I::I32Store(word(runtime::LENGTH))]);
        b.get(map);
    }

    fn total(&self, b: &mut Body) {
        b.long(0);
        for place in 0..self.resources.len() {
            self.one(b, 0, place);
            b.add(I::I64Add);
        }
    }

    fn held(&self, b: &mut Body) {
        let packed = b.local(ValType::I64);
        for (at, place) in self.resources.iter().enumerate() {
            if let Some((_, value)) = place.held {
                b.get(0);
                b.all([I::I32Const(3), I::I32Shl, I::I64Load(long(value))]);
                self.add(b, at, packed);
            }
        }
        b.get(packed);
    }

    fn supply(&self, b: &mut Body) {
        let packed = b.local(ValType::I64);
        for (at, place) in self.resources.iter().enumerate() {
            if let Some((_, value)) = place.supply {
                b.all([I::I32Const(0), I::I64Load(long(value))]);
                self.add(b, at, packed);
            }
        }
        b.get(packed);
    }

    /// Of what the other one has more there is nothing left.
    fn without(&self, b: &mut Body) {
        let (left, enough) = (b.local(ValType::I64), b.local(ValType::I64));
        self.difference(b, 0, 1);
        b.tee(left);
        b.all([I::I64Const(self.highest()), I::I64And]);
        b.tee(enough);
        b.get(enough);
        b.all([I::I64Const(i64::from(self.bits) - 1), I::I64ShrU, I::I64Sub]);
        b.get(left);
        b.add(I::I64And);
    }

    /// Puts the difference of two packed amounts on the stack: the highest bit of a resource says that there is enough of it.
    fn difference(&self, b: &mut Body, one: u32, other: u32) {
        b.get(one);
        b.all([I::I64Const(self.highest()), I::I64Or]);
        b.get(other);
        b.add(I::I64Sub);
    }

    /// Moves an amount from a player or the supply to another one, whose variables these are.
    fn moved(&self, b: &mut Body, (packed, from, to): (u32, Option<u32>, Option<u32>)) {
        let count = b.local(ValType::I64);
        for (at, place) in self.resources.iter().enumerate() {
            let [source, target] = [from, to].map(|player| match player {
                Some(player) => place.held.map(|(property, value)| (property, value, Some(player))),
                None => place.supply.map(|(property, value)| (property, value, None)),
            });
            self.one(b, packed, at);
            b.tee(count);
            b.all([I::I64Eqz, I::I32Eqz]);
            b.when(None);
            if [from, to].iter().any(Option::is_some) && place.held.is_none() {
                // Players do not have it.
                b.give_up();
            }
            if let Some(source) = source {
                Self::load(b, source);
                b.get(count);
                b.add(I::I64LtS);
                b.give_up_if();
                Self::change(b, source, count, I::I64Sub);
            }
            if let Some(target) = target {
                Self::change(b, target, count, I::I64Add);
            }
            b.end();
        }
    }

    /// Leaves the address of a value, less that of the first one, on the stack.
    fn beyond(b: &mut Body, player: Option<u32>) {
        match player {
            Some(player) => {
                b.get(player);
                b.all([I::I32Const(3), I::I32Shl]);
            }
            None => b.word(0),
        }
    }

    fn load(b: &mut Body, (_, value, player): (PropertyId, u32, Option<u32>)) {
        Self::beyond(b, player);
        b.add(I::I64Load(long(value)));
    }

    /// Changes a value by the number in a variable.
    fn change(b: &mut Body, value: (PropertyId, u32, Option<u32>), count: u32, how: I<'static>) {
        let (property, address, player) = value;
        Self::beyond(b, player);
        Self::load(b, value);
        b.get(count);
        b.add(how);
        b.add(I::I64Store(long(address)));
        b.raise(layout::CHANGES, 1);
        b.all([I::I32Const(0), I::I32Const(0), I::I64Load(long(layout::SET))]);
        b.all([I::I64Const(1 << property.index()), I::I64Or, I::I64Store(long(layout::SET))]);
    }

    /// Makes actions of the ask in the variable 1 of the amounts in the list in the variable 0.
    fn offered(b: &mut Body, with: &OnBoard<'_>) {
        let [list, items, action, map] = std::array::from_fn(|_| b.local(ValType::I32));
        b.get(0);
        b.add(I::I32Load(word(runtime::LENGTH)));
        runtime::full_list(b, list, items);
        runtime::each_item(b, 0, true, |b, at| {
            b.get(at);
            b.add(I::I64Load(long(0)));
            runtime::unwrap(b, Ty::id(Tag::Map));
            with.call(b, OfBoard::Amounts(OfAmounts::Pack));
            with.call(b, OfBoard::Amounts(OfAmounts::Unpack));
            b.tee(map);
            b.all([I::I32Const(1), I::I32Store(word(runtime::SHARED))]);
            runtime::allocated(b, 16);
            b.tee(action);
            b.get(1);
            b.add(I::I32Store(word(0)));
            b.get(action);
            b.all([I::I32Const(1), I::I32Store(word(4))]);
            b.get(action);
            b.get(map);
            runtime::wrap(b, Ty::id(Tag::Map));
            b.add(I::I64Store(long(8)));
            b.get(items);
            b.get(action);
            runtime::wrap(b, Ty::id(Tag::Action));
            b.add(I::I64Store(long(0)));
            b.step(items, runtime::ITEM);
        });
        b.get(list);
    }
}

impl OfAmounts {
    /// Writes the function.
    pub(super) fn write(self, b: &mut Body, with: &OnBoard<'_>) {
        let Some(amounts) = &with.layout().amounts else { return b.give_up() };
        match self {
            Self::Pack => amounts.pack(b),
            Self::Unpack => amounts.unpack(b),
            Self::Total => amounts.total(b),
            Self::Held => amounts.held(b),
            Self::Supply => amounts.supply(b),
            Self::Without => amounts.without(b),
            Self::Gain => amounts.moved(b, (1, None, Some(0))),
            Self::Pay => amounts.moved(b, (1, Some(0), None)),
            Self::PayTo => amounts.moved(b, (1, Some(0), Some(2))),
            Self::Offered => Amounts::offered(b, with),
        }
    }
}

/// Returns what a call does with amounts, if it is a native for them.
fn of_call(node: &Node) -> Option<(Emitted, &Call)> {
    let call = node.call().filter(|call| call.target == Target::Native && !call.method && !call.maybe)?;
    let kinds: Vec<_> = call.args.iter().map(|arg| &arg.kind).collect();
    let emitted = natives::emitted(&call.name, &kinds)?;
    let makes_one =
        matches!(emitted, Emitted::Plus | Emitted::Minus | Emitted::Missing | Emitted::Amounts | Emitted::Supply);
    makes_one.then_some((emitted, call))
}

impl Unit<'_, '_> {
    /// Calls a function for amounts, whose arguments are on the stack.
    fn by(&mut self, function: OfAmounts) -> Emit {
        match self.with.of_board(OfBoard::Amounts(function)) {
            Some(number) => self.body.call(number),
            None => self.body.give_up(),
        }
        Ok(())
    }

    /// Writes a native of amounts. Returns `None`, with nothing done, if the host does it.
    pub(super) fn of_amounts(&mut self, node: &Node, emitted: Emitted, args: &[Node]) -> Emit<Option<Ty>> {
        if self.with.layout.amounts.is_none() {
            return Ok(None);
        }
        let function = match emitted {
            Emitted::Gain => OfAmounts::Gain,
            Emitted::Pay => OfAmounts::Pay,
            Emitted::PayTo => OfAmounts::PayTo,
            _ => OfAmounts::Total,
        };
        Ok(Some(match (emitted, args) {
            (Emitted::Total, [amount]) => {
                self.packed(amount)?;
                self.by(OfAmounts::Total)?;
                Ty::Number
            }
            (Emitted::CanPay, [player, amount]) => {
                let highest = self.with.layout.amounts.as_ref().map_or(0, Amounts::highest);
                self.to(player, Ty::id(Tag::Player))?;
                self.by(OfAmounts::Held)?;
                self.body.all([I::I64Const(highest), I::I64Or]);
                self.packed(amount)?;
                self.body.all([I::I64Sub, I::I64Const(highest), I::I64And, I::I64Const(highest), I::I64Eq]);
                Ty::Truth
            }
            (Emitted::Gain | Emitted::Pay | Emitted::PayTo, [player, amount, rest @ ..]) => {
                self.to(player, Ty::id(Tag::Player))?;
                self.packed(amount)?;
                for other in rest {
                    self.to(other, Ty::id(Tag::Player))?;
                }
                self.by(function)?;
                Ty::Nothing
            }
            _ if of_call(node).is_some() => {
                self.packed(node)?;
                self.by(OfAmounts::Unpack)?;
                Ty::id(Tag::Map)
            }
            _ => return Ok(None),
        }))
    }

    /// Puts whether there is nothing in an amount on the stack, or how many different resources there are. Returns `None`, with
    /// nothing done, if the value is not that of a native of amounts.
    pub(super) fn size_of_amount(&mut self, of: &Node, is_empty: bool) -> Emit<Option<Ty>> {
        if self.with.layout.amounts.is_none() || of_call(of).is_none() || self.is_of_rules(of) {
            return Ok(None);
        }
        self.packed(of)?;
        if is_empty {
            self.body.add(I::I64Eqz);
            return Ok(Some(Ty::Truth));
        }
        let Self { body, with, .. } = self;
        with.layout.amounts.iter().for_each(|amounts| amounts.count(body));
        Ok(Some(Ty::Number))
    }

    /// Returns whether a call is one of a function of the rules.
    fn is_of_rules(&self, node: &Node) -> bool {
        node.call().is_some_and(|call| self.with.with.script.function(&call.name, call.args.len()).is_some())
    }

    /// Puts an amount on the stack, packed.
    pub(super) fn packed(&mut self, node: &Node) -> Emit {
        if let What::Map(pairs) = &node.what
            && let Some(places) = self.places_of(pairs)
        {
            let packed = self.body.local(ValType::I64);
            self.body.long(0);
            self.body.set(packed);
            for (place, (_, value)) in places.into_iter().zip(pairs) {
                self.to(value, Ty::Number)?;
                let Self { body, with, .. } = &mut *self;
                with.layout.amounts.iter().for_each(|amounts| amounts.add(body, place, packed));
            }
            self.body.get(packed);
            self.body.done(ValType::I64, packed);
            return Ok(());
        }
        let Some((emitted, call)) = of_call(node).filter(|_| !self.is_of_rules(node)) else {
            self.to(node, Ty::id(Tag::Map))?;
            return self.by(OfAmounts::Pack);
        };
        match (emitted, call.args.as_slice()) {
            (Emitted::Plus, [one, other]) => {
                let highest = self.with.layout.amounts.as_ref().map_or(0, Amounts::highest);
                let sum = self.body.local(ValType::I64);
                self.packed(one)?;
                self.packed(other)?;
                self.body.add(I::I64Add);
                self.body.tee(sum);
                self.body.all([I::I64Const(highest), I::I64And, I::I64Eqz, I::I32Eqz]);
                self.body.give_up_if();
                self.body.get(sum);
                self.body.done(ValType::I64, sum);
                Ok(())
            }
            (Emitted::Minus, [one, other]) => {
                self.packed(one)?;
                self.packed(other)?;
                self.by(OfAmounts::Without)
            }
            (Emitted::Missing, [player, amount]) => {
                let held = self.body.local(ValType::I64);
                self.to(player, Ty::id(Tag::Player))?;
                self.by(OfAmounts::Held)?;
                self.body.set(held);
                self.packed(amount)?;
                self.body.get(held);
                self.body.done(ValType::I64, held);
                self.by(OfAmounts::Without)
            }
            (Emitted::Amounts, [player]) => {
                self.to(player, Ty::id(Tag::Player))?;
                self.by(OfAmounts::Held)
            }
            _ => self.by(OfAmounts::Supply),
        }
    }

    /// Returns which resources the keys of a map are, if all values are numbers.
    fn places_of(&self, pairs: &[(crate::script::Key, Node)]) -> Option<Vec<usize>> {
        let names = names(self.with.with.schema)?;
        let place = |(key, value): &(crate::script::Key, Node)| {
            let is_number = self.ty_of(value) == Ty::Number;
            names.iter().position(|name| *name == key.name.as_str()).filter(|_| is_number)
        };
        pairs.iter().map(place).collect()
    }

    /// Puts an amount on the stack as a value of an action or of a list of options: a map of its own, which nobody changes.
    pub(super) fn amount_of_action(&mut self, node: &Node) -> Emit {
        let map = self.body.local(ValType::I32);
        self.packed(node)?;
        self.by(OfAmounts::Unpack)?;
        self.body.tee(map);
        self.body.all([I::I32Const(1), I::I32Store(word(runtime::SHARED))]);
        self.body.get(map);
        self.convert(Ty::id(Tag::Map), Ty::Any);
        self.body.done(ValType::I32, map);
        Ok(())
    }

    /// Adds what an amount weighs more than another value to the weight of what is reported.
    pub(super) fn weigh_amount(&mut self, node: &Node) -> Emit {
        let more = self.body.local(ValType::I32);
        self.packed(node)?;
        let Self { body, with, .. } = &mut *self;
        with.layout.amounts.iter().for_each(|amounts| amounts.more_weight(body));
        self.body.set(more);
        self.unless_looking(|unit| unit.body.raise_by(layout::WEIGHT, |b| b.get(more)));
        self.body.done(ValType::I32, more);
        Ok(())
    }
}
