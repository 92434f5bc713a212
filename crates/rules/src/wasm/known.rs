//! Natives written for arguments that are fixed: a direction, a player or a piece.

use wasm_encoder::{Instruction as I, ValType};

use super::board;
use super::body::at;
use super::compiler::Emit;
use super::fixed::Fixed;
use super::of_board::{OfBoard, Wide};
use super::unit::Unit;
use super::value::{Tag, Ty};
use super::ways;
use crate::natives::Emitted;
use crate::script::Node;
use referee_table::{PieceId, PlayerId};

impl Unit<'_, '_> {
    /// Writes a native for the arguments that are fixed. Returns `None`, with nothing done, if none of them helps.
    pub(super) fn of_fixed(&mut self, emitted: Emitted, args: &[Node]) -> Emit<Option<Ty>> {
        let (state, small) = (self.with.with.state, self.with.layout.shapes.small);
        Ok(Some(match (emitted, args) {
            (Emitted::Shift, [set, direction]) => {
                let number = self.fixed_direction(direction).filter(|_| !state.board().turns_round());
                let Some(number) = number else { return Ok(None) };
                if !small {
                    return self.on_board(OfBoard::Wide(Wide::ShiftBy(number)), std::iter::once(set));
                }
                self.to(set, Ty::Set)?;
                ways::shifted(&mut self.body, state.board(), number);
                Ty::Set
            }
            (Emitted::Step, [cell, direction]) => {
                let Some(number) = self.fixed_direction(direction) else { return Ok(None) };
                let (ways, steps) = (self.with.layout.directions, self.with.layout.steps);
                self.to(cell, Ty::id(Tag::Cell))?;
                self.body.all([I::I32Const(2 * ways.cast_signed()), I::I32Mul]);
                self.body.add(I::I32Load16U(at(steps + 2 * (number - 1), 1)));
                self.body.all([I::I32Const(1), I::I32Sub]);
                Ty::maybe(Tag::Cell)
            }
            (Emitted::Toward, [dirs, direction]) if small => {
                let Some(number) = self.fixed_direction(direction) else { return Ok(None) };
                self.to(dirs, Ty::id(Tag::Dirs))?;
                let address = self.body.local(ValType::I32);
                self.body.set(address);
                ways::load(&mut self.body, address, number);
                self.body.done(ValType::I32, address);
                Ty::Set
            }
            (Emitted::Cells, [player]) => {
                let Some(Fixed::Id(Tag::Player, player)) = self.fixed(player) else { return Ok(None) };
                let player = PlayerId::at(player as usize);
                if !small {
                    return self.on_board(OfBoard::Wide(Wide::CellsOfPlayer(player)), std::iter::empty());
                }
                if !OfBoard::Cells.is_possible(state, &self.with.layout)
                    || !are_many(state, |piece| piece.owner == Some(player))
                {
                    return Ok(None);
                }
                board::all_cells(&mut self.body, state, &self.with.layout, |piece| piece.owner == Some(player));
                Ty::Set
            }
            (Emitted::Occupied, []) if small && are_many(state, |_| true) => {
                board::all_cells(&mut self.body, state, &self.with.layout, |_| true);
                Ty::Set
            }
            (Emitted::CellsOf, [piece]) if small => {
                let Some(Fixed::Id(Tag::Piece, piece)) = self.fixed(piece) else { return Ok(None) };
                let Some(place) = self.with.layout.many(PieceId::at(piece as usize)) else { return Ok(None) };
                self.body.all([I::I32Const(0), I::I64Load(super::body::long(place))]);
                Ty::Set
            }
            (Emitted::Put, [piece, cell]) => {
                let Some(Fixed::Id(Tag::Piece, piece)) = self.fixed(piece) else { return Ok(None) };
                let piece = PieceId::at(piece as usize);
                if self.with.layout.many(piece).is_none() {
                    return Ok(None);
                }
                return self.on_board(OfBoard::PlaceOne(piece), std::iter::once(cell));
            }
            _ => return Ok(None),
        }))
    }
}

/// The number of pieces with `many` up to which their sets are put together in place.
const MOST_PIECES: usize = 4;

/// Returns whether the pieces of a sort are few, and all with `many`.
fn are_many(state: &referee_table::State, of: impl Fn(&referee_table::PieceDef) -> bool) -> bool {
    let mut pieces = state.schema().pieces.iter().filter(|piece| of(piece));
    pieces.clone().count() <= MOST_PIECES && pieces.all(|piece| piece.many)
}
