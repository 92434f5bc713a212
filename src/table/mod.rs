//! What lies on the table: boards, cells, pieces, values and the state; their notation, read and written.

mod board;
mod cells;
mod dealing;
mod diagram;
mod dice;
mod dirs;
mod drawing;
mod faces;
mod form;
mod history;
mod ids;
mod kind;
mod layout;
mod moves;
mod names;
mod notation;
mod packed;
mod prefix;
mod properties;
mod saved;
mod schema;
mod state;
#[cfg(test)]
mod tests;
mod value;
mod zones;

pub use board::{Board, BoardError, Heading};
pub use cells::Cells;
pub use dealing::Dealing;
pub use diagram::{
    Drawn, Token, draw, draw_with, drawn, drawn_players, face_down, fits, placements, read_diagram, symbol,
};
pub use dice::{Die, DieFace, MOST_THROWS, Throw};
pub use dirs::Dirs;
pub(crate) use drawing::GAP;
pub use drawing::{Drawing, DrawnCell, DrawnRow};
pub use faces::{Face, Faces};
pub use form::{Form, Part};
pub use ids::{
    AskId, Cell, ClauseId, DieId, Direction, EventId, KindId, OptionId, PieceId, PlayerId, PropertyId, ZoneId,
};
pub use kind::Kind;
pub use layout::{Layout, Listed};
pub use moves::{MAX_STEPS, Move, MoveError};
pub use names::{Misread, Names, Placing, whole};
pub use packed::{Packed, Packer};
pub use prefix::{Prefixed, Prefixes};
pub use saved::{Saved, Unfit};
pub use schema::{
    BoardSpec, Card, CardFunction, Choice, Clause, Each, GameOption, Owner, Parameters, PieceDef, PieceKind, Placement,
    Property, PropertyEach, PropertyKind, Schema, SetValue, Setting, Variant,
};
pub use state::{Outcome, Phase, PlaceError, State, StateKey, Table};
pub use value::Value;
pub use zones::{Counts, Laid, Order, Sight, View, Zone, ZoneDef};
