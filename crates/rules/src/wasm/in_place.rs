//! Natives that compiled rules carry out themselves.

use wasm_encoder::{Instruction as I, ValType};

use super::board::{self, OfBoard};
use super::body::{at, word};
use super::compiler::Emit;
use super::layout::{self};
use super::phases::after_each;
use super::runtime::{self, Helper};
use super::unit::Unit;
use super::value::{NO_ID, Tag, Ty};
use crate::natives::Emitted;
use crate::script::Node;

impl Unit<'_, '_, '_> {
    /// Writes a native in place. Returns `None`, with nothing done, if the board does not allow it.
    pub(super) fn emitted(&mut self, emitted: Emitted, args: &[Node]) -> Emit<Option<Ty>> {
        Ok(match self.of_components(emitted, args)? {
            Some(ty) => Some(ty),
            None => match self.of_values(emitted, args)? {
                Some(ty) => Some(ty),
                None => self.of_sets(emitted, args)?,
            },
        })
    }

    /// Writes one that takes cells, pieces or players.
    fn of_components(&mut self, emitted: Emitted, args: &[Node]) -> Emit<Option<Ty>> {
        Ok(Some(match (emitted, args) {
            (Emitted::At, [cell]) => {
                self.to(cell, Ty::id(Tag::Cell))?;
                self.body.all([I::I32Const(1), I::I32Shl]);
                self.body.add(I::I32Load16U(at(self.with.layout.board(), 1)));
                self.body.all([I::I32Const(1), I::I32Sub]);
                Ty::maybe(Tag::Piece)
            }
            (Emitted::Step, [cell, direction]) => {
                let number = self.body.local(ValType::I64);
                let ways = self.with.layout.directions;
                self.to(cell, Ty::id(Tag::Cell))?;
                self.to(direction, Ty::Number)?;
                self.body.all([I::I64Const(1), I::I64Sub]);
                self.body.tee(number);
                self.body.all([I::I64Const(i64::from(ways)), I::I64GeU]);
                self.body.give_up_if();
                self.body.all([I::I32Const(ways.cast_signed()), I::I32Mul]);
                self.body.get(number);
                self.body.all([I::I32WrapI64, I::I32Add, I::I32Const(1), I::I32Shl]);
                self.body.add(I::I32Load16U(at(self.with.layout.steps, 1)));
                self.body.all([I::I32Const(1), I::I32Sub]);
                self.body.done(ValType::I64, number);
                Ty::maybe(Tag::Cell)
            }
            (Emitted::Owner, [piece]) => {
                self.to(piece, Ty::id(Tag::Piece))?;
                self.body.add(I::I32Load8U(at(self.with.layout.owners, 0)));
                self.body.all([I::I32Const(1), I::I32Sub]);
                Ty::maybe(Tag::Player)
            }
            // It is an error to give it twice, or to somebody who does not play.
            (Emitted::NextTurn, [player])
                if self.with.with.state.table.players.len() == self.with.with.schema.players.len() =>
            {
                let given = self.body.local(ValType::I32);
                self.to(player, Ty::id(Tag::Player))?;
                self.body.set(given);
                self.body.load(layout::NEXT_TURN);
                self.body.all([I::I32Const(NO_ID), I::I32Ne]);
                self.body.give_up_if();
                self.body.word(0);
                self.body.get(given);
                self.body.add(I::I32Store(word(layout::NEXT_TURN)));
                self.body.done(ValType::I32, given);
                Ty::Nothing
            }
            (Emitted::After, [player]) => {
                let of = self.body.local(ValType::I32);
                self.to(player, Ty::id(Tag::Player))?;
                self.body.set(of);
                let after = after_each(&self.with.with.state.table).map(|player| I::I32Const(player.0.into()));
                self.body.pick(of, I::I32Const(NO_ID), after);
                self.body.done(ValType::I32, of);
                Ty::id(Tag::Player)
            }
            (Emitted::Place, [piece]) => {
                self.to(piece, Ty::id(Tag::Piece))?;
                board::alone(&mut self.body, &self.with.layout);
                board::place(&mut self.body, &self.with.layout);
                Ty::maybe(Tag::Cell)
            }
            (Emitted::IsOff, [piece]) if !self.with.with.schema.pieces.iter().any(|piece| piece.many) => {
                self.to(piece, Ty::id(Tag::Piece))?;
                board::place(&mut self.body, &self.with.layout);
                self.body.all([I::I32Const(NO_ID), I::I32Eq]);
                Ty::Truth
            }
            _ => return Ok(None),
        }))
    }

    /// Writes one that takes lists or numbers.
    fn of_values(&mut self, emitted: Emitted, args: &[Node]) -> Emit<Option<Ty>> {
        Ok(Some(match (emitted, args) {
            (Emitted::Length, [list]) => {
                self.to(list, Ty::id(Tag::List))?;
                self.body.add(I::I64Load32U(word(runtime::LENGTH)));
                Ty::Number
            }
            (Emitted::Sum, [list]) => {
                self.to(list, Ty::id(Tag::List))?;
                self.body.call(Helper::Sum.number());
                Ty::Number
            }
            (Emitted::IsEmptyList, [list]) => {
                self.to(list, Ty::id(Tag::List))?;
                self.body.all([I::I32Load(word(runtime::LENGTH)), I::I32Eqz]);
                Ty::Truth
            }
            (Emitted::Push, [list, item]) if list.local().is_some() => {
                let value = self.body.local(ValType::I64);
                self.kept(item, Ty::Any)?;
                self.body.set(value);
                self.owned(list, Tag::List)?;
                self.body.get(value);
                self.body.call(Helper::Push.number());
                self.body.done(ValType::I64, value);
                Ty::Nothing
            }
            (Emitted::Least | Emitted::Most, [one, other]) => {
                let (first, second) = (self.body.local(ValType::I64), self.body.local(ValType::I64));
                self.to(one, Ty::Number)?;
                self.body.set(first);
                self.to(other, Ty::Number)?;
                self.body.set(second);
                for local in [first, second, first, second] {
                    self.body.get(local);
                }
                self.body.add(if emitted == Emitted::Least { I::I64LtS } else { I::I64GtS });
                self.body.add(I::Select);
                self.body.done(ValType::I64, first);
                self.body.done(ValType::I64, second);
                Ty::Number
            }
            _ => return Ok(None),
        }))
    }

    /// Writes one that takes or makes sets of a small board, or that looks at the board as a whole.
    fn of_sets(&mut self, emitted: Emitted, args: &[Node]) -> Emit<Option<Ty>> {
        let small = self.with.has_small_sets();
        Ok(Some(match (emitted, args) {
            (Emitted::Has, [set, cell]) if small => {
                self.to(set, Ty::Set)?;
                self.to(cell, Ty::id(Tag::Cell))?;
                self.body.all([I::I64ExtendI32U, I::I64ShrU, I::I32WrapI64, I::I32Const(1), I::I32And]);
                Ty::Truth
            }
            (Emitted::Count, [set]) if small => {
                self.to(set, Ty::Set)?;
                self.body.add(I::I64Popcnt);
                Ty::Number
            }
            (Emitted::IsEmptySet, [set]) if small => {
                self.to(set, Ty::Set)?;
                self.body.add(I::I64Eqz);
                Ty::Truth
            }
            (Emitted::NoCells, []) if small => {
                self.body.long(0);
                Ty::Set
            }
            (Emitted::One, [cell]) if small => {
                self.body.long(1);
                self.to(cell, Ty::id(Tag::Cell))?;
                self.body.all([I::I64ExtendI32U, I::I64Shl]);
                Ty::Set
            }
            (
                Emitted::Cells
                | Emitted::CellsOf
                | Emitted::Occupied
                | Emitted::Shift
                | Emitted::Around
                | Emitted::Put
                | Emitted::Remove,
                args,
            ) => {
                let function = match emitted {
                    Emitted::Cells => OfBoard::Cells,
                    Emitted::CellsOf => OfBoard::CellsOf,
                    Emitted::Occupied => OfBoard::Occupied,
                    Emitted::Shift => OfBoard::Shift,
                    Emitted::Put => OfBoard::Place,
                    Emitted::Remove => OfBoard::Remove,
                    _ => OfBoard::Around,
                };
                let Some(number) = self.with.of_board(function) else { return Ok(None) };
                let (parameters, result) = function.signature();
                for (arg, ty) in args.iter().zip(parameters) {
                    self.to(arg, *ty)?;
                }
                self.body.call(number);
                result
            }
            _ => return Ok(None),
        }))
    }
}
