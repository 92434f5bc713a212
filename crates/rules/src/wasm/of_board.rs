//! Which functions of a module look at the board of its game, or are for sets and moves: each is written if something calls it.

use wasm_encoder::Instruction as I;

use super::body::Body;
use super::large_sets::MOST_WORDS;
use super::layout::{Layout, are_single};
use super::module;
use super::of_amounts::OfAmounts;
use super::of_zones::OfZones;
use super::value::{Tag, Ty};
use referee_table::{Board, KindId, PieceId, PlayerId, State};

/// What the functions that look at the board are written from.
#[derive(Clone, Copy)]
pub(super) struct OnBoard<'b> {
    pub(super) state: &'b State,
    pub(super) layout: &'b Layout,
    /// All that are written.
    pub(super) functions: &'b [OfBoard],
}

impl OnBoard<'_> {
    pub(super) fn board(&self) -> &Board {
        self.state.board()
    }

    pub(super) const fn layout(&self) -> &Layout {
        self.layout
    }

    /// Returns the number of directions.
    pub(super) const fn directions(&self) -> u32 {
        self.layout().directions
    }

    /// Calls another one of these functions, which [`OfBoard::uses`] names.
    pub(super) fn call(&self, b: &mut Body, function: OfBoard) {
        match (module::OF_BOARD..).zip(self.functions).find(|(_, other)| **other == function) {
            Some((number, _)) => b.call(number),
            None => b.give_up(),
        }
    }
}

/// A function that looks at the board. Sets are those of a small board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OfBoard {
    /// `(player) -> set`: the cells with pieces of a player.
    Cells,
    /// `() -> set`: the cells with pieces.
    Occupied,
    /// `() -> set`: the cells with pieces of a kind.
    OfKind(KindId),
    /// `(cell, cell) -> wrapped`: the direction of a step from one to the other, or `()`.
    DirectionTo,
    /// `(piece) -> set`: the cells of a piece.
    CellsOf,
    /// `(set, direction) -> set`: the cells one step further.
    Shift,
    /// `(set) -> set`: the cells one step away, without those of the set.
    Around,
    /// `(set) -> list of pieces`, each once, in reading order.
    On,
    /// `() -> list of pieces`: all on a large board, in reading order.
    OnAll,
    /// `(piece, direction) -> boolean`: whether a step would leave the board.
    Leaves,
    /// `(piece, direction) -> set`: the cells one step further.
    Shifted,
    /// `(piece, direction)`: moves a piece a step.
    Advance,
    /// `(piece, cell)`: puts a piece on a cell.
    Place,
    /// `(cell)`: puts one more of a piece with `many` on a cell.
    PlaceOne(PieceId),
    /// `(cell) -> piece`: takes the piece on a cell off the board.
    Remove,
    /// `(list of actions) -> map or ()`: a choice; `()` if the host is to ask.
    Choose,
    /// `(list) -> wrapped`: a choice among values with this tag; 0 if the host is to ask.
    ChooseValue(Tag),
    /// `(set) -> cell or ()`: a choice; `()` if the host is to ask.
    ChooseCell,
    /// `(dirs, dirs) -> dirs`
    Combine(Combined),
    /// `(dirs, set) -> dirs`
    With(Combined),
    /// `(set, direction) -> dirs`
    Only,
    /// `(dirs, direction) -> set`
    Toward,
    /// `(dirs) -> set`
    InAny,
    /// `(set) -> dirs`
    Touched,
    /// `(set, distance) -> dirs`
    TouchedFar,
    /// `(set) -> dirs`
    Seen,
    /// `(set, distance) -> dirs`
    SeenFar,
    /// `(set, set) -> dirs`
    SeenThrough,
    /// `(set, number) -> dirs`
    Lined,
    /// `(dirs) -> dirs`
    Behind,
    /// `(dirs) -> dirs`
    Opposite,
    /// `(set, set) -> set`
    Flood,
    /// `(set) -> boolean`
    Connected,
    /// `(set) -> list of sets`
    Groups,
    /// `(set) -> list of cells`
    InOrder,
    /// `(dirs) -> moves`
    Steps,
    /// `(dirs, distance) -> moves`
    Jumps,
    /// `(moves) -> list`
    Listed,
    /// `(moves, moves) -> moves`
    Join,
    /// `(moves, move) -> moves`
    Add,
    /// `(moves) -> move or ()`: a choice; `()` if the host is to ask.
    ChooseMove,
    /// `(move)`
    Make,
    /// `(move, cell) -> move`: one more step.
    Onward,
    /// `(move, set) -> move`: captures there, too.
    Capturing,
    /// `(move) -> list of cells`
    Stops,
    /// `(move, move) -> boolean`: whether the first one comes after the other.
    Follows,
    /// `(move, move) -> boolean`: whether they are different, but written in the same way.
    Alike,
    /// `(piece)`: takes a single piece off the board.
    Lift,
    /// `(piece, cell)`: takes the piece off the cell on which it is.
    LiftFrom,
    /// `(cell) -> number`: how many pieces stand there.
    Height,
    /// `(cell, piece) -> number`: how many of the pieces that stand there are this one.
    CountThere,
    /// One for sets of a large board.
    Wide(Wide),
    /// One for zones and cards.
    Zones(OfZones),
    /// One for amounts of resources.
    Amounts(OfAmounts),
}

impl OfBoard {
    /// Returns its parameters and its result.
    pub(super) const fn signature(self, small: bool) -> (&'static [Ty], Ty) {
        const CELLS: &[Ty] = &[Ty::id(Tag::Cells)];
        const PIECE_AND_NUMBER: &[Ty] = &[Ty::id(Tag::Piece), Ty::Number];
        const PLAYER: &[Ty] = &[Ty::id(Tag::Player)];
        const PIECE: &[Ty] = &[Ty::id(Tag::Piece)];
        const CELL: &[Ty] = &[Ty::id(Tag::Cell)];
        const TWO_CELLS: &[Ty] = &[Ty::id(Tag::Cell), Ty::id(Tag::Cell)];
        const PIECE_AND_CELL: &[Ty] = &[Ty::id(Tag::Piece), Ty::id(Tag::Cell)];
        const CELL_AND_PIECE: &[Ty] = &[Ty::id(Tag::Cell), Ty::id(Tag::Piece)];
        const LIST: &[Ty] = &[Ty::id(Tag::List)];
        const DIRS: Ty = Ty::id(Tag::Dirs);
        const MOVES: Ty = Ty::id(Tag::Moves);
        const MOVE: Ty = Ty::id(Tag::Move);
        const MOVE_AND_CELL: &[Ty] = &[MOVE, Ty::id(Tag::Cell)];
        match self {
            Self::Wide(wide) => return wide.signature(),
            Self::Zones(zones) => return zones.signature(),
            Self::Amounts(amounts) => return amounts.signature(),
            _ => {}
        }
        let parameters: &[Ty] = match self {
            Self::Wide(_) | Self::Zones(_) | Self::Amounts(_) => &[],
            Self::On if !small => CELLS,
            Self::On => &[Ty::Set],
            Self::Leaves | Self::Shifted | Self::Advance => PIECE_AND_NUMBER,
            Self::Lift => PIECE,
            Self::DirectionTo => TWO_CELLS,
            Self::Cells => PLAYER,
            Self::Occupied | Self::OfKind(_) | Self::OnAll => &[],
            Self::CellsOf => PIECE,
            Self::Shift | Self::Only | Self::TouchedFar | Self::SeenFar | Self::Lined => &[Ty::Set, Ty::Number],
            Self::Around
            | Self::Touched
            | Self::Seen
            | Self::Connected
            | Self::Groups
            | Self::InOrder
            | Self::ChooseCell => &[Ty::Set],
            Self::SeenThrough | Self::Flood => &[Ty::Set, Ty::Set],
            Self::Combine(_) => &[DIRS, DIRS],
            Self::With(_) => &[DIRS, Ty::Set],
            Self::Toward | Self::Jumps => &[DIRS, Ty::Number],
            Self::InAny | Self::Behind | Self::Opposite | Self::Steps => &[DIRS],
            Self::Listed | Self::ChooseMove => &[MOVES],
            Self::Join => &[MOVES, MOVES],
            Self::Add => &[MOVES, Ty::Any],
            Self::Make | Self::Stops => &[MOVE],
            Self::Onward => MOVE_AND_CELL,
            Self::Capturing => &[MOVE, Ty::Set],
            Self::Follows | Self::Alike => &[MOVE, MOVE],
            Self::Choose | Self::ChooseValue(_) => LIST,
            Self::Place | Self::LiftFrom => PIECE_AND_CELL,
            Self::Remove | Self::PlaceOne(_) | Self::Height => CELL,
            Self::CountThere => CELL_AND_PIECE,
        };
        let result = match self {
            Self::Choose => Ty::maybe(Tag::Map),
            Self::Advance | Self::Place | Self::PlaceOne(_) | Self::Lift | Self::LiftFrom | Self::Make => Ty::Nothing,
            Self::Leaves => Ty::Truth,
            Self::Height | Self::CountThere => Ty::Number,
            Self::On | Self::OnAll => Ty::id(Tag::List),
            Self::Shifted => Ty::Set,
            Self::Remove => Ty::id(Tag::Piece),
            Self::Connected => Ty::Truth,
            Self::Groups | Self::InOrder | Self::Listed | Self::Stops => Ty::id(Tag::List),
            Self::Onward | Self::Capturing => MOVE,
            Self::Follows | Self::Alike => Ty::Truth,
            Self::Steps | Self::Jumps | Self::Join | Self::Add => MOVES,
            Self::ChooseMove => Ty::maybe(Tag::Move),
            Self::ChooseValue(_) | Self::DirectionTo => Ty::Any,
            Self::ChooseCell => Ty::maybe(Tag::Cell),
            Self::Combine(_) | Self::With(_) | Self::Only | Self::Touched | Self::TouchedFar => DIRS,
            Self::Seen | Self::SeenFar | Self::SeenThrough | Self::Lined | Self::Behind | Self::Opposite => DIRS,
            Self::Cells | Self::Occupied | Self::OfKind(_) | Self::CellsOf | Self::Shift | Self::Around => Ty::Set,
            Self::Wide(_) | Self::Zones(_) | Self::Amounts(_) => Ty::Set,
            Self::Toward | Self::InAny | Self::Flood => Ty::Set,
        };
        (parameters, result)
    }

    /// Returns the others that it calls.
    pub(super) const fn uses(self, layout: &Layout) -> &'static [Self] {
        let shapes = layout.shapes;
        let (small, stacks) = (shapes.small, layout.columns.is_some());
        match self {
            Self::Place if stacks => &[Self::Lift],
            Self::Remove | Self::Lift if stacks => &[Self::LiftFrom],
            Self::LiftFrom if stacks => &[],
            Self::On if small => &[Self::Occupied],
            Self::On => &[Self::Wide(Wide::InOrder)],
            Self::Leaves if small => &[Self::CellsOf, Self::Shift],
            Self::Leaves => &[Self::Wide(Wide::CellsOf), Self::Wide(Wide::Shift)],
            Self::Shifted => &[Self::CellsOf, Self::Shift],
            Self::Wide(Wide::Shifted) => &[Self::Wide(Wide::CellsOf), Self::Wide(Wide::Shift)],
            Self::Wide(Wide::CellsOf) => &[Self::Wide(Wide::One)],
            Self::Wide(Wide::Flood) => {
                const AND: OfBoard = OfBoard::Wide(Wide::Combine(Combined::And));
                const OR: OfBoard = OfBoard::Wide(Wide::Combine(Combined::Or));
                &[AND, OR, Self::Wide(Wide::Around), Self::Wide(Wide::Same)]
            }
            Self::Wide(Wide::Groups) => {
                const WITHOUT: OfBoard = OfBoard::Wide(Wide::Combine(Combined::Without));
                const ONE: OfBoard = OfBoard::Wide(Wide::One);
                &[Self::Wide(Wide::IsEmpty), Self::Wide(Wide::First), ONE, Self::Wide(Wide::Flood), WITHOUT]
            }
            Self::Advance => &[Self::Place],
            Self::Choose if shapes.amounts => &[Self::Amounts(OfAmounts::Pack)],
            Self::Amounts(OfAmounts::Offered) => &[Self::Amounts(OfAmounts::Pack), Self::Amounts(OfAmounts::Unpack)],
            Self::Steps | Self::Jumps => &[Self::Occupied],
            Self::ChooseMove if !shapes.plain => &[Self::Listed, Self::Follows, Self::Alike],
            Self::Join | Self::Add | Self::ChooseMove => &[Self::Listed],
            Self::Alike => &[Self::Follows],
            Self::LiftFrom => &[Self::Remove],
            Self::Make => &[Self::Remove, Self::Place],
            Self::Zones(OfZones::AllDown) => &[Self::Zones(OfZones::Down)],
            Self::Zones(OfZones::Put) => &[Self::Zones(OfZones::Arrive)],
            Self::Zones(OfZones::Draw) => &[Self::Zones(OfZones::Chance)],
            Self::Zones(OfZones::PickUp) => &[Self::Zones(OfZones::Arrive), Self::Zones(OfZones::Chance)],
            _ => &[],
        }
    }

    /// Returns whether it makes steps in directions, each of the same number of cells everywhere.
    const fn steps(self) -> bool {
        matches!(
            self,
            Self::Shift
                | Self::Shifted
                | Self::Leaves
                | Self::Advance
                | Self::Touched
                | Self::TouchedFar
                | Self::Seen
                | Self::SeenFar
                | Self::SeenThrough
                | Self::Lined
                | Self::Behind
                | Self::Wide(Wide::Shift | Wide::ShiftBy(_) | Wide::Shifted)
        )
    }

    /// Returns whether it can be written for the games of a table.
    pub(super) fn is_possible(self, state: &State, layout: &Layout) -> bool {
        let few = || state.schema().pieces.len() <= MOST_PIECES;
        let small = layout.shapes.small;
        // For pieces that stand on each other, the host does what is not done with columns in the memory.
        let of_columns = matches!(self, Self::Place | Self::Remove | Self::LiftFrom | Self::Lift);
        let of_one = of_columns && layout.columns.is_none()
            || matches!(
                self,
                Self::On | Self::OnAll | Self::Advance | Self::PlaceOne(_) | Self::Make | Self::Zones(OfZones::Place)
            );
        if of_one && state.board().has_stacks() || self.steps() && state.board().turns_round() {
            return false;
        }
        match self {
            Self::Choose | Self::ChooseValue(_) => true,
            Self::DirectionTo => !state.board().is_open(),
            Self::OnAll => layout.order.is_some(),
            Self::Steps | Self::Jumps | Self::Listed | Self::Join | Self::Add | Self::ChooseMove | Self::Make
                if !layout.shapes.moves =>
            {
                false
            }
            Self::Onward | Self::Capturing | Self::Stops | Self::Follows | Self::Alike => {
                layout.shapes.moves && !layout.shapes.plain
            }
            Self::Make | Self::Advance => Self::Place.is_possible(state, layout),
            Self::On | Self::Leaves => {
                small && !state.board().is_open()
                    || [Wide::InOrder, Wide::CellsOf, Wide::Shift].iter().all(|wide| wide.is_possible(state))
            }
            Self::Wide(wide) => wide.is_possible(state),
            Self::Zones(zones) => zones.is_possible(state, layout),
            Self::Amounts(_) => layout.amounts.is_some(),
            Self::Lift if layout.columns.is_none() => true,
            Self::Height | Self::CountThere => layout.columns.is_some(),
            // Cards may be elsewhere.
            Self::PlaceOne(_) if state.board().is_open() => false,
            Self::Place | Self::PlaceOne(_) | Self::Remove | Self::LiftFrom | Self::Lift => {
                let knows_limits = layout.vast.is_some() || !state.board().is_open();
                knows_limits && state.schema().zones.is_empty() && state.schema().back().is_none()
            }
            _ if !small => false,
            Self::Around | Self::Flood | Self::Connected | Self::Groups => is_short(state.board(), 1),
            Self::Cells | Self::OfKind(_) => few(),
            Self::Jumps => are_single(state),
            _ => true,
        }
    }
}

/// The number of pieces up to which their cells are put together one by one.
const MOST_PIECES: usize = 64;

/// How two sets are combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Combined {
    And,
    Or,
    /// The cells of the first one without those of the other.
    Without,
}

impl Combined {
    /// Returns how an operator combines sets.
    pub(super) fn by(sign: &str) -> Option<Self> {
        Some(match sign {
            "&" => Self::And,
            "|" => Self::Or,
            "-" => Self::Without,
            _ => return None,
        })
    }

    /// Returns a word of both sets together.
    pub(super) const fn of(self, one: u64, other: u64) -> u64 {
        match self {
            Self::And => one & other,
            Self::Or => one | other,
            Self::Without => one & !other,
        }
    }

    pub(super) fn write(self, b: &mut Body) {
        match self {
            Self::And => b.add(I::I64And),
            Self::Or => b.add(I::I64Or),
            Self::Without => b.all([I::I64Const(-1), I::I64Xor, I::I64And]),
        }
    }
}

/// A function for large sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wide {
    /// `(set, set) -> set`
    Combine(Combined),
    /// `(set, set) -> boolean`
    Same,
    /// `(set, direction) -> set`
    Shift,
    /// `(set) -> set`: the cells one step further in a direction.
    ShiftBy(u32),
    /// `(set) -> set`: the cells one step away, without those of the set.
    Around,
    /// `(set, cell) -> boolean`
    Has,
    /// `(set) -> number`
    Count,
    /// `(set) -> boolean`
    IsEmpty,
    /// `(cell) -> set`
    One,
    /// `() -> set`: no cells.
    None,
    /// `() -> set`: the cells with pieces.
    Occupied,
    /// `(player) -> set`: the cells with pieces of a player.
    Cells,
    /// `() -> set`: the cells with pieces of one player, or of a kind.
    CellsOfPlayer(PlayerId),
    OfKind(KindId),
    /// `(piece) -> set`: the cells of a piece.
    CellsOf,
    /// `(piece, direction) -> set`: the cells one step further.
    Shifted,
    /// `(set) -> list of cells`
    Listed,
    /// `(set) -> list of cells`: row by row from the top.
    InOrder,
    /// `(set) -> cell`: the one nearest `a1`.
    First,
    /// `(set, set) -> set`: what steps inside the second set reach from the first one.
    Flood,
    /// `(set) -> list of sets`
    Groups,
    /// `(set) -> cell or ()`: a choice; `()` if the host is to ask.
    Choose,
}

/// The number of cells up to which they are looked at one by one.
const MOST_CELLS: usize = 512;

impl Wide {
    /// Returns its parameters and its result.
    pub(super) const fn signature(self) -> (&'static [Ty], Ty) {
        const SET: Ty = Ty::id(Tag::Cells);
        const CELL: Ty = Ty::id(Tag::Cell);
        const PLAYER: Ty = Ty::id(Tag::Player);
        const PIECE: &[Ty] = &[Ty::id(Tag::Piece)];
        const PIECE_AND_NUMBER: &[Ty] = &[Ty::id(Tag::Piece), Ty::Number];
        match self {
            Self::Combine(_) | Self::Flood => (&[SET, SET], SET),
            Self::First => (&[SET], CELL),
            Self::Same => (&[SET, SET], Ty::Truth),
            Self::Shift => (&[SET, Ty::Number], SET),
            Self::Around | Self::ShiftBy(_) => (&[SET], SET),
            Self::Has => (&[SET, CELL], Ty::Truth),
            Self::Count => (&[SET], Ty::Number),
            Self::IsEmpty => (&[SET], Ty::Truth),
            Self::One => (&[CELL], SET),
            Self::None | Self::Occupied | Self::CellsOfPlayer(_) | Self::OfKind(_) => (&[], SET),
            Self::CellsOf => (PIECE, SET),
            Self::Shifted => (PIECE_AND_NUMBER, SET),
            Self::Cells => (&[PLAYER], SET),
            Self::Listed | Self::InOrder | Self::Groups => (&[SET], Ty::id(Tag::List)),
            Self::Choose => (&[SET], Ty::maybe(Tag::Cell)),
        }
    }

    /// Returns whether it can be written for the games of a table.
    pub(super) fn is_possible(self, state: &State) -> bool {
        let size = state.board().size();
        let words = size.div_ceil(u64::BITS as usize);
        let to_neighbours = matches!(self, Self::Around | Self::Flood | Self::Groups);
        if to_neighbours && !is_short(state.board(), words) {
            return false;
        }
        if words > MOST_WORDS {
            return are_single(state) && !matches!(self, Self::OfKind(_));
        }
        words > 1
            && match self {
                Self::Cells | Self::CellsOfPlayer(_) | Self::OfKind(_) => state.schema().pieces.len() <= MOST_PIECES,
                Self::Occupied => size <= MOST_CELLS || are_few(state),
                _ => true,
            }
    }
}

/// The maximum number of steps, of one word each, that are written for the neighbours of cells.
const MOST_STEPS: usize = 1_000;

/// Returns whether the steps to neighbours of a board of which a set has so many words are few enough to be written. What goes through
/// the words one after the other knows those of directions only.
fn is_short(board: &Board, words: usize) -> bool {
    let of_directions = board.ways() == board.headings().len() && !board.turns_round();
    of_directions || words <= MOST_WORDS && board.ways() * words <= MOST_STEPS
}

/// The number of pieces up to which looking at all of them is quicker than looking at the cells.
const FEW_PIECES: usize = 8;
/// The same on a board of which a set has several words.
const FEW_ON_LARGE: usize = 16;

/// Returns whether there are few pieces.
pub(super) fn are_few(state: &State) -> bool {
    let few = if state.board().size() > u64::BITS as usize { FEW_ON_LARGE } else { FEW_PIECES };
    state.schema().pieces.len() <= few
}
