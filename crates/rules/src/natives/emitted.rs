//! The natives that compiled rules carry out in place; all others are calls of the host.

use crate::values::{Kind, Sort};

/// What compiled code does in place of a call, for values of the kinds that [`emitted`] has looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Emitted {
    /// The piece on a cell.
    At,
    /// The next cell in a direction.
    Step,
    /// The direction of a step from one cell to another.
    DirectionTo,
    /// The owner of a piece.
    Owner,
    /// Whether a set has a cell.
    Has,
    /// The number of cells of a set.
    Count,
    /// Whether a set has no cells.
    IsEmptySet,
    /// The set with no cells.
    NoCells,
    /// The length of a list.
    Length,
    /// The sum of a list of numbers.
    Sum,
    /// Whether a list is empty.
    IsEmptyList,
    /// Each value of a list once, in order.
    SetOf,
    /// Whether a list, or a range of numbers, has a value.
    Contains,
    InRange,
    /// Where a value is first in a list.
    IndexOf,
    /// Adds a value to a list.
    Push,
    /// Takes the last value out of a list, the first one, or another one.
    Pop,
    TakeFirst,
    TakeAt,
    /// The next player.
    After,
    /// Gives the next turn to a player.
    NextTurn,
    /// Adds to a counter.
    Tally,
    /// The cells with pieces of a player.
    Cells,
    /// The cells of a piece.
    CellsOf,
    /// The cells with pieces, or with pieces of a kind.
    Occupied,
    OccupiedBy,
    /// The cells one step further.
    Shift,
    /// The cells one step away.
    Around,
    /// The pieces on cells.
    On,
    /// Whether a piece would leave the board with a step, and the cells one step further.
    Leaves,
    Shifted,
    /// Moves a piece a step.
    Advance,
    /// Puts a piece on a cell.
    Put,
    /// Takes a piece off the cell on which it is.
    LiftFrom,
    /// Takes the piece on a cell off the board.
    Remove,
    /// How many pieces stand on a cell, and how many of them have a name.
    Height,
    CountThere,
    /// The set of one cell.
    One,
    /// The cell of a piece.
    Place,
    /// Whether a piece is off the board.
    IsOff,
    /// How far a number is from 0.
    Abs,
    /// The smaller of two numbers.
    Least,
    /// The larger of two numbers.
    Most,
    /// A set for one direction.
    Only,
    /// The set of one direction.
    Toward,
    /// The cells of all directions.
    InAny,
    /// The cells one step away, or so many, for each direction.
    Touched,
    TouchedFar,
    /// The cells at any distance, at most so far, or through a set, for each direction.
    Seen,
    SeenFar,
    SeenThrough,
    /// The lines with so many cells, for each direction.
    Lined,
    /// One step back in each direction.
    Behind,
    /// The sets of opposite directions.
    Opposite,
    /// What steps inside a set reach.
    Flood,
    /// Whether a set is one group.
    Connected,
    /// The groups of a set.
    Groups,
    /// The cells of a set as a list.
    InOrder,
    /// Whether a face-down card is on a cell.
    IsFaceDown,
    /// The cells with face-down cards.
    FaceDown,
    /// A move for each cell and direction.
    Steps,
    /// A longer move for each.
    Jumps,
    /// No moves.
    NoMoves,
    /// How many moves there are.
    CountMoves,
    /// Whether there are no moves.
    IsEmptyMoves,
    /// A move of one step.
    Path,
    /// The cells on which a move captures.
    Captured,
    /// The same move with one more step.
    Onward,
    /// The same move, whose last step captures there, too: on a cell, or on those of a set.
    Capturing,
    /// The cells of a move's path.
    Stops,
    /// Makes a move.
    Make,
    /// Whether a player can move.
    CanMove,
    /// The moves that the position remembers.
    Remembered,
    /// Remembers moves.
    Noted,
    /// Takes a piece off the board.
    Lift,
    /// Whether a zone has no cards.
    IsEmptyZone,
    /// How many cards a zone has, or how many copies of a card.
    CountZone,
    CountCopies,
    /// Whether a card is in a zone.
    HasCard,
    /// The cards of a zone.
    CardsOf,
    /// Moves a card from one zone to another, takes it out of one, or puts it into one.
    MoveCard,
    TakeCard,
    PutCard,
    /// Draws the next card, or draws it into another zone.
    Draw,
    DrawTo,
    /// Deals cards to each player.
    Deal,
    /// Lets several players choose at once.
    ChooseAll,
    /// Forgets the order of a zone.
    Shuffle,
    /// Deals a card face down, or so many, and picks one up.
    DealDown,
    DealAllDown,
    PickUp,
    /// Two amounts together, what is left of one without the other, and how much one is.
    Plus,
    Minus,
    Total,
    /// What a player lacks of an amount, whether they have it, all that they have, and what the supply has.
    Missing,
    CanPay,
    Amounts,
    Supply,
    /// Moves an amount from the supply to a player, back, or to another player.
    Gain,
    Pay,
    PayTo,
}

/// How a game ends at a place of the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// The player wins, or several do.
    Won,
    /// All others win.
    Lost,
    Nobody,
    Draw,
}

/// Returns how the function with this name ends the game for arguments of these kinds.
pub(crate) fn ending(name: &str, kinds: &[&Kind]) -> Option<Ending> {
    match (name, kinds) {
        ("win", [kind]) if kind.is(Sort::Player) || kind.is(Sort::List) => Some(Ending::Won),
        ("lose", [kind]) if kind.is(Sort::Player) => Some(Ending::Lost),
        ("nobody_wins", []) => Some(Ending::Nobody),
        ("draw_game", []) => Some(Ending::Draw),
        _ => None,
    }
}

/// A part of a move, after a dot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PartOfMove {
    From,
    To,
    Captures,
}

impl PartOfMove {
    /// Returns the part with this name.
    pub(crate) fn of(name: &str) -> Option<Self> {
        Some(match name {
            "from" => Self::From,
            "to" => Self::To,
            "captures" => Self::Captures,
            _ => return None,
        })
    }
}

/// The function that calls that of the rules for the moves of a player.
const CAN_MOVE: &str = "can_move";

/// Returns whether the function with this name calls that of the rules that lists moves.
pub(crate) fn lists_moves(name: &str) -> bool {
    name == CAN_MOVE
}

/// Returns whether the function with this name makes moves of several steps, or that capture elsewhere than on their last
/// cell.
pub(crate) fn makes_long_moves(name: &str) -> bool {
    matches!(name, "onward" | "capturing")
}

/// Returns whether the function with this name puts the elements of a list together by a closure, from the first on.
pub(crate) fn reduces(name: &str) -> bool {
    name == "reduce"
}

/// Returns what compiled code does in place of a call of the function with this name, for arguments of these kinds; `None` if
/// it calls the host. A value that may also be `()` is an error then, and so is any other where the function has one form
/// alone.
pub(crate) fn emitted(name: &str, kinds: &[&Kind]) -> Option<Emitted> {
    let is = |at: usize, sort: Sort| kinds.get(at).is_some_and(|kind| kind.is(sort) || kind.is_or_nothing(sort));
    let may = |at: usize, sort: Sort| kinds.get(at).is_some_and(|kind| kind.may_be(sort));
    let is_piece = |at: usize| is(at, Sort::Piece) || is(at, Sort::Men);
    let may_be_piece = |at: usize| may(at, Sort::Piece) || may(at, Sort::Men);
    let is_list = is(0, Sort::List);
    let emitted = match (name, kinds.len()) {
        ("at", 1) if may(0, Sort::Cell) => Emitted::At,
        ("step", 2) if is(0, Sort::Cell) && may(1, Sort::Number) => Emitted::Step,
        ("direction_to", 2) if may(0, Sort::Cell) && may(1, Sort::Cell) => Emitted::DirectionTo,
        ("owner", 1) if may_be_piece(0) => Emitted::Owner,
        ("has", 2) if is(0, Sort::Cells) && may(1, Sort::Cell) => Emitted::Has,
        ("count", 1) if is(0, Sort::Cells) => Emitted::Count,
        ("is_empty", 1) if is(0, Sort::Cells) => Emitted::IsEmptySet,
        ("no_cells", 0) => Emitted::NoCells,
        ("len", 1) if is(0, Sort::List) => Emitted::Length,
        ("sum", 1) if may(0, Sort::List) => Emitted::Sum,
        ("is_empty", 1) if is(0, Sort::List) => Emitted::IsEmptyList,
        ("contains", 2) if is_list => Emitted::Contains,
        ("index_of", 2)
            if is_list && !kinds.get(1).is_some_and(|kind| kind.is(Sort::Function) || kind.is(Sort::Text)) =>
        {
            Emitted::IndexOf
        }
        ("set_of", 1) if is_list => Emitted::SetOf,
        ("contains", 2) if is(0, Sort::Range) && may(1, Sort::Number) => Emitted::InRange,
        ("pop", 1) if is_list => Emitted::Pop,
        ("shift", 1) if is_list => Emitted::TakeFirst,
        ("remove", 2) if is_list && may(1, Sort::Number) => Emitted::TakeAt,
        ("on", 1) if may(0, Sort::Cells) => Emitted::On,
        ("leaves", 2) if is_piece(0) && may(1, Sort::Number) => Emitted::Leaves,
        ("shifted", 2) if is_piece(0) && may(1, Sort::Number) => Emitted::Shifted,
        ("advance", 2) if is_piece(0) && may(1, Sort::Number) => Emitted::Advance,
        ("push", 2) if is(0, Sort::List) => Emitted::Push,
        ("next_turn", 1) if is(0, Sort::Player) => Emitted::NextTurn,
        ("tally", 3) => Emitted::Tally,
        ("after", 1) if is(0, Sort::Player) => Emitted::After,
        ("cells", 1) if is(0, Sort::Player) => Emitted::Cells,
        ("cells", 1) if is_piece(0) => Emitted::CellsOf,
        ("occupied", 0) => Emitted::Occupied,
        ("occupied", 1) if kinds.first().is_some_and(|kind| kind.is(Sort::Text)) => Emitted::OccupiedBy,
        ("shift", 2) if is(0, Sort::Cells) && is(1, Sort::Number) => Emitted::Shift,
        ("around", 1) if is(0, Sort::Cells) => Emitted::Around,
        ("place", 2) if may_be_piece(0) && may(1, Sort::Cell) => Emitted::Put,
        ("lift", 1) if may_be_piece(0) => Emitted::Lift,
        ("lift", 2) if may_be_piece(0) && may(1, Sort::Cell) => Emitted::LiftFrom,
        ("remove", 1) if may(0, Sort::Cell) => Emitted::Remove,
        ("height", 1) if is(0, Sort::Cell) => Emitted::Height,
        ("count", 2) if is(0, Sort::Cell) && may_be_piece(1) => Emitted::CountThere,
        ("one", 1) if may(0, Sort::Cell) => Emitted::One,
        ("cell", 1) if may_be_piece(0) => Emitted::Place,
        ("is_off", 1) if may_be_piece(0) => Emitted::IsOff,
        ("abs", 1) if is(0, Sort::Number) => Emitted::Abs,
        ("min", 2) if is(0, Sort::Number) && is(1, Sort::Number) => Emitted::Least,
        ("max", 2) if is(0, Sort::Number) && is(1, Sort::Number) => Emitted::Most,
        ("is_face_down", 1) if may(0, Sort::Cell) => Emitted::IsFaceDown,
        ("face_down", 0) => Emitted::FaceDown,
        (CAN_MOVE, 1) if is(0, Sort::Player) => Emitted::CanMove,
        ("_vm_remembered", 1) => Emitted::Remembered,
        ("_vm_noted", 2) => Emitted::Noted,
        ("_vm_none", 1) => Emitted::IsEmptyMoves,
        _ => {
            return of_ways(name, kinds)
                .or_else(|| of_moves(name, kinds))
                .or_else(|| of_cards(name, kinds))
                .or_else(|| of_amounts(name, kinds));
        }
    };
    Some(emitted)
}

/// Returns what is done for functions of sets for each direction, and of lines.
fn of_ways(name: &str, kinds: &[&Kind]) -> Option<Emitted> {
    let is = |at: usize, sort: Sort| kinds.get(at).is_some_and(|kind| kind.is(sort));
    let is_set = is(0, Sort::Cells);
    Some(match (name, kinds.len()) {
        ("only", 2) if is_set && is(1, Sort::Number) => Emitted::Only,
        ("toward", 2) if is(0, Sort::Dirs) && is(1, Sort::Number) => Emitted::Toward,
        ("in_any", 1) if is(0, Sort::Dirs) => Emitted::InAny,
        ("touched", 1) if is_set => Emitted::Touched,
        ("touched", 2) if is_set && is(1, Sort::Number) => Emitted::TouchedFar,
        ("seen", 1) if is_set => Emitted::Seen,
        ("seen", 2) if is_set && is(1, Sort::Number) => Emitted::SeenFar,
        ("seen_through", 2) if is_set && is(1, Sort::Cells) => Emitted::SeenThrough,
        ("lined", 2) if is_set && is(1, Sort::Number) => Emitted::Lined,
        ("behind", 1) if is(0, Sort::Dirs) => Emitted::Behind,
        ("opposite", 1) if is(0, Sort::Dirs) => Emitted::Opposite,
        ("flood", 2) if is_set && is(1, Sort::Cells) => Emitted::Flood,
        ("connected", 1) if is_set => Emitted::Connected,
        ("groups", 1) if is_set => Emitted::Groups,
        ("in_order", 1) if is_set => Emitted::InOrder,
        _ => return None,
    })
}

/// Returns what is done for functions of moves.
fn of_moves(name: &str, kinds: &[&Kind]) -> Option<Emitted> {
    let is = |at: usize, sort: Sort| kinds.get(at).is_some_and(|kind| kind.is(sort));
    let may = |at: usize, sort: Sort| kinds.get(at).is_some_and(|kind| kind.may_be(sort));
    Some(match (name, kinds.len()) {
        ("steps", 1) if is(0, Sort::Dirs) => Emitted::Steps,
        ("jumps", 2) if is(0, Sort::Dirs) && is(1, Sort::Number) => Emitted::Jumps,
        ("no_moves", 0) => Emitted::NoMoves,
        ("count", 1) if is(0, Sort::Moves) => Emitted::CountMoves,
        ("is_empty", 1) if is(0, Sort::Moves) => Emitted::IsEmptyMoves,
        ("path", 2) if may(0, Sort::Cell) && may(1, Sort::Cell) => Emitted::Path,
        ("onward", 2) if is(0, Sort::Move) && may(1, Sort::Cell) => Emitted::Onward,
        ("capturing", 2) if is(0, Sort::Move) && (may(1, Sort::Cell) || may(1, Sort::Cells)) => Emitted::Capturing,
        ("stops", 1) if is(0, Sort::Move) => Emitted::Stops,
        ("captured", 1) if is(0, Sort::Move) => Emitted::Captured,
        ("make", 1) if is(0, Sort::Move) => Emitted::Make,
        _ => return None,
    })
}

/// Returns what is done for functions of zones and cards.
fn of_cards(name: &str, kinds: &[&Kind]) -> Option<Emitted> {
    let is = |at: usize, sort: Sort| kinds.get(at).is_some_and(|kind| kind.is(sort) || kind.is_or_nothing(sort));
    let may = |at: usize, sort: Sort| kinds.get(at).is_some_and(|kind| kind.may_be(sort));
    let (card, zone) = (|at: usize| may(at, Sort::Piece) || may(at, Sort::Men), |at: usize| may(at, Sort::Zone));
    let of_zone = is(0, Sort::Zone);
    Some(match (name, kinds.len()) {
        ("is_empty", 1) if of_zone => Emitted::IsEmptyZone,
        ("count", 1) if of_zone => Emitted::CountZone,
        ("count", 2) if of_zone && card(1) => Emitted::CountCopies,
        ("has", 2) if of_zone && card(1) => Emitted::HasCard,
        ("cards", 1) if zone(0) => Emitted::CardsOf,
        ("move_card", 3) if card(0) && zone(1) && zone(2) => Emitted::MoveCard,
        ("take_card", 2) if card(0) && zone(1) => Emitted::TakeCard,
        ("choose_all", 3) if is(0, Sort::List) => Emitted::ChooseAll,
        ("put_card", 2) if card(0) && zone(1) => Emitted::PutCard,
        ("draw", 1) if zone(0) => Emitted::Draw,
        ("draw", 2) if zone(0) && zone(1) => Emitted::DrawTo,
        ("deal", 3) if may(0, Sort::Number) && zone(1) => Emitted::Deal,
        ("shuffle", 1) if zone(0) => Emitted::Shuffle,
        ("deal_face_down", 2) if is(0, Sort::Number) && zone(1) => Emitted::DealAllDown,
        ("deal_face_down", 2) if of_zone && may(1, Sort::Cell) => Emitted::DealDown,
        ("pick_up", 2) if may(0, Sort::Cell) && zone(1) => Emitted::PickUp,
        _ => return None,
    })
}

/// Returns what is done for functions of amounts. Those of other owners than players are the host's.
fn of_amounts(name: &str, kinds: &[&Kind]) -> Option<Emitted> {
    let is = |at: usize, sort: Sort| kinds.get(at).is_some_and(|kind| kind.is(sort) || kind.is_or_nothing(sort));
    let may = |at: usize, sort: Sort| kinds.get(at).is_some_and(|kind| kind.may_be(sort));
    Some(match (name, kinds.len()) {
        ("plus", 2) if may(0, Sort::Map) && may(1, Sort::Map) => Emitted::Plus,
        ("minus", 2) if may(0, Sort::Map) && may(1, Sort::Map) => Emitted::Minus,
        ("total", 1) if may(0, Sort::Map) => Emitted::Total,
        ("missing", 2) if is(0, Sort::Player) && may(1, Sort::Map) => Emitted::Missing,
        ("can_pay", 2) if is(0, Sort::Player) && may(1, Sort::Map) => Emitted::CanPay,
        ("amounts", 1) if is(0, Sort::Player) => Emitted::Amounts,
        ("supply", 0) => Emitted::Supply,
        ("gain", 2) if is(0, Sort::Player) && may(1, Sort::Map) => Emitted::Gain,
        ("pay", 2) if is(0, Sort::Player) && may(1, Sort::Map) => Emitted::Pay,
        ("pay", 3) if is(0, Sort::Player) && may(1, Sort::Map) && is(2, Sort::Player) => Emitted::PayTo,
        _ => return None,
    })
}
