//! What rules tell: events and applied clauses. What a game is played for without a record is only counted.

use wasm_encoder::{Instruction as I, ValType};

use super::compiler::{Emit, Refused};
use super::layout;
use super::long_moves;
use super::of_board::{OfBoard, Wide};
use super::outline::strings_of;
use super::unit::Unit;
use super::value::{Tag, Ty};
use crate::natives::Special;
use crate::script::{Call, Node};
use crate::values::Kind;
use referee_table::{Kind as Told, Several, text_weight};

/// What a value of an event must be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted<'s> {
    /// `()`, for a value that may be left out.
    Nothing,
    /// A value of a type.
    Of(Ty),
    /// A direction of the board.
    Direction,
    /// One of these words.
    Word(&'s [String]),
    /// An amount of resources.
    Amount,
}

/// A value of an event, what it must be, and whether it may be `()` instead.
struct Part<'n, 's> {
    value: &'n Node,
    wanted: Wanted<'s>,
    optional: bool,
}

impl<'s> Unit<'_, 's> {
    /// Reports an event whose values are of the kinds of its form. Returns `false`, with nothing done, if the host does it.
    pub(super) fn event(&mut self, args: &[Node]) -> Emit<bool> {
        let schema = self.with.with.schema;
        let Some((verb, values)) = args.split_first() else { return Ok(false) };
        let event = verb.text().and_then(|verb| schema.event(verb)).and_then(|event| schema.events.get(event.index()));
        let Some(kinds) = event.map(|event| event.kinds()).filter(|kinds| values.len() <= kinds.len()) else {
            return Ok(false);
        };
        let mut parts = Vec::new();
        for (at, (kind, optional)) in kinds.iter().copied().enumerate() {
            let Some(value) = values.get(at) else {
                if optional {
                    continue;
                }
                return Ok(false);
            };
            let Some(wanted) = self.wanted(kind, optional, value) else { return Ok(false) };
            parts.push(Part { value, wanted, optional });
        }
        for part in &parts {
            self.told(part)?;
        }
        let weight = i32::try_from(kinds.len()).unwrap_or(i32::MAX).saturating_add(1);
        self.unless_looking(|unit| unit.body.raise_both(layout::REPORTED, 1, weight));
        Ok(true)
    }

    /// Returns what a value of an event must be, and certainly may be; `None` if the host is to look at it.
    fn wanted(&self, kind: &'s Told, optional: bool, value: &Node) -> Option<Wanted<'s>> {
        let (shapes, given) = (self.with.layout.shapes, self.with.ty(&value.kind));
        if given == Ty::Nothing {
            return optional.then_some(Wanted::Nothing);
        }
        let of = |ty: Ty| Some((ty, Wanted::Of(ty)));
        let (ty, wanted) = match kind {
            Told::Cell | Told::Player | Told::Piece | Told::Number => of(Ty::of(&Kind::of_answer(kind), shapes)),
            Told::Direction => Some((Ty::Number, Wanted::Direction)),
            Told::Many(Several::Set, of_cells) if **of_cells == Told::Cell && !optional => {
                of(if shapes.small { Ty::Set } else { Ty::id(Tag::Cells) })
            }
            Told::Move if !optional && shapes.moves => of(Ty::id(Tag::Move)),
            Told::Amount if !optional && shapes.amounts => Some((Ty::id(Tag::Map), Wanted::Amount)),
            Told::Word(words) if words.iter().all(|word| text_weight(word) == 1) => {
                Some((Ty::id(Tag::Text), Wanted::Word(words)))
            }
            Told::Text if value.text().is_some_and(|text| text_weight(text) == 1) => of(Ty::id(Tag::Text)),
            _ => None,
        }?;
        ty.takes(given).then_some(wanted)
    }

    /// Evaluates a value of an event, and gives up if it is not what it must be.
    fn told(&mut self, part: &Part<'_, '_>) -> Emit {
        let (ty, words) = match part.wanted {
            Wanted::Nothing => return self.effect(part.value),
            Wanted::Amount => return self.weigh_amount(part.value),
            // Each cell has a weight.
            Wanted::Of(ty @ (Ty::Set | Ty::Id { tag: Tag::Cells, .. })) => return self.weigh_set(part.value, ty),
            Wanted::Of(ty) if !part.optional => {
                self.to(part.value, ty)?;
                if ty == Ty::id(Tag::Move) && !self.with.layout.shapes.plain {
                    self.weigh_move();
                    return Ok(());
                }
                self.drop(ty);
                return Ok(());
            }
            Wanted::Of(ty) => (ty, &[][..]),
            Wanted::Direction => (Ty::Number, &[][..]),
            Wanted::Word(words) => (Ty::id(Tag::Text), words),
        };
        let value = self.body.local(ValType::I64);
        self.to(part.value, Ty::Any)?;
        self.body.set(value);
        let end = self.body.block(None);
        if part.optional {
            self.body.get(value);
            self.body.add(I::I64Eqz);
            self.body.jump_if(end);
        }
        for word in words {
            let number = self.with.strings.number(&word.as_str().into());
            self.body.get(value);
            self.body.all([I::I64Const(Tag::Text.wrap(number)), I::I64Eq]);
            self.body.jump_if(end);
        }
        if words.is_empty() {
            self.body.get(value);
            self.convert(Ty::Any, ty);
            if part.wanted == Wanted::Direction {
                let directions = i64::from(self.with.layout.directions);
                self.body.all([I::I64Const(1), I::I64Sub, I::I64Const(directions), I::I64GeU]);
                self.body.give_up_if();
            } else {
                self.drop(ty);
            }
        } else {
            self.body.give_up();
        }
        self.body.end();
        self.body.done(ValType::I64, value);
        Ok(())
    }

    /// Adds what the move on the stack weighs more than others to the weight of what is reported.
    fn weigh_move(&mut self) {
        let made = self.body.local(ValType::I32);
        self.body.set(made);
        self.body.raise_by(layout::WEIGHT, |b| long_moves::more_weight(b, made));
        self.body.done(ValType::I32, made);
    }

    /// Adds the number of cells of a set to the weight of what is reported.
    fn weigh_set(&mut self, set: &Node, ty: Ty) -> Emit {
        let count = self.body.local(ValType::I32);
        if ty == Ty::Set {
            self.to(set, ty)?;
            self.body.add(I::I64Popcnt);
        } else if self.on_board(OfBoard::Wide(Wide::Count), std::iter::once(set))?.is_none() {
            return Err(Refused("an event with a set of a very large board"));
        }
        self.body.add(I::I32WrapI64);
        self.body.set(count);
        self.body.raise_by(layout::WEIGHT, |b| b.get(count));
        self.body.done(ValType::I32, count);
        Ok(())
    }

    /// Counts a clause that a call names. Returns `false`, with nothing done, for any other call.
    pub(super) fn clause(&mut self, call: &Call) -> Emit<bool> {
        match call.args.as_slice() {
            [id] if call.natives.special() == Some(Special::Clause) => {
                let schema = self.with.with.schema;
                if !strings_of(id).is_some_and(|ids| ids.iter().all(|id| schema.clause(id).is_some())) {
                    return Ok(false);
                }
                self.for_string(id, &mut |unit, id| {
                    let number =
                        schema.clause(id).map_or(0, |clause| u32::try_from(clause.index()).unwrap_or_default());
                    unit.unless_looking(|unit| {
                        unit.body.raise(unit.with.layout.clauses + 4 * number, 1);
                        unit.body.store(layout::APPLIED, 1);
                        unit.body.store(layout::LAST_CLAUSE, number.cast_signed() + 1);
                    });
                    Ok(())
                })?;
                Ok(true)
            }
            _ => Ok(false),
        }
    }
}
