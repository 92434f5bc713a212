//! The game table: boards, cells, pieces, values and the state; reads and writes their notation.

mod amounts;
mod board;
mod cards;
mod cells;
mod contents;
mod dealing;
mod declaration;
mod declared_symmetries;
mod diagram;
mod dice;
mod dirs;
mod drawing;
mod encoding;
mod face_down;
mod faces;
mod fixed;
mod form;
mod graph;
mod ids;
mod images;
mod kind;
mod layout;
mod looking;
mod looks;
mod met;
mod mixed;
mod mixing;
mod moves;
mod moving;
mod name_map;
mod notation;
mod numbers;
mod owned;
mod owners;
mod palette;
mod phase;
mod prefix;
mod properties;
mod schema;
mod secrets;
mod shown;
mod sight;
mod stack_bytes;
mod stack_tokens;
mod stacking;
mod stacks;
mod stamps;
mod state;
mod symmetry;
mod table;
mod taking_part;
#[cfg(test)]
mod tests;
mod turn_rules;
mod turns;
mod unknown_cards;
mod value;
mod variants;
mod zone_bytes;
mod zones;

pub use amounts::{Amount, SUPPLY, amount_in};
pub use board::{Board, BoardError, Heading, PlaceKind};
pub use cards::View;
pub use cells::Cells;
pub use contents::Outcome;
pub use dealing::Dealing;
pub use declaration::{Declaration, DeclaredKind};
pub use declared_symmetries::{Symmetries, SymmetryWord};
pub use diagram::{
    Drawn, Token, draw, draw_tokens, draw_with, drawn, drawn_players, face_down, fits, placements, read_diagram, symbol,
};
pub use dice::{Die, DieFace, MAX_THROWS, Throw};
pub use dirs::Dirs;
pub use drawing::{
    Drawing, DrawnCell, DrawnLink, DrawnMove, DrawnPiece, DrawnPlace, DrawnRow, DrawnZone, GAP, Lying, Shape, aligned,
    is_symbol,
};
pub use encoding::{Decoder, Encoder, Packed, Packer, StateKey};
pub use faces::{Face, Faces};
pub use fixed::{Places, StateBytes};
pub use form::{Form, Part, opening_words};
pub use graph::{Graph, GraphLink, GraphPlace};
pub use ids::{
    AskId, Cell, ClauseId, DieId, Direction, EventId, KindId, OptionId, PieceId, PlayerId, PropertyId, ZoneId,
};
pub use images::Images;
pub use kind::{Kind, Lost, Several};
pub use layout::Layout;
pub use met::Met;
pub use mixed::{Home, Mixed, Spot};
pub use moves::{MAX_STEPS, Move, MoveError};
pub use name_map::{NameMap, NameSet};
pub use notation::{Listed, Names, Phrase, Placing, Prefixed, Undotted, likely_name, no_board, written_name};
pub use owners::{Owner, PropertyEach, PropertyOwners};
pub use palette::Symbol;
pub use phase::{DEFERRED, Phase, ROUND_BEGINS, ROUND_ENDS};
pub use schema::{
    BoardSpec, Card, CardFunction, Choice, Clause, Each, GameOption, Parameters, PieceDef, PieceKind, Placement,
    PrintedDef, Property, PropertyKind, Resource, Schema, SecondKinds, SetValue, Setting, Variant,
};
pub use shown::{Onlooker, drawn_moves, drawn_zones};
pub use sight::Sight;
pub use stack_bytes::COLUMN;
pub use stack_tokens::{MOST_ON_A_CELL, is_ambiguous_in_stacks, run_in, times};
pub use stacking::Stacking;
pub use stacks::runs_of;
pub use stamps::{Seen, Stamps, Topics};
pub use state::{PlaceError, State};
pub use symmetry::{Sketch, Symmetry, with_sorted_options};
pub use table::Table;
pub use turn_rules::TurnRules;
pub use turns::{OrderError, Turns, TurnsPart};
pub use value::{Runs, Value, text_weight};
pub use zone_bytes::{CardBits, KNOWN, ZoneBytes};
pub use zones::{Arrival, Counts, Laid, Lent, Loose, Order, Visibility, Zone, ZoneDef};
