//! The lines of a `.game`, `.house` or `.scenario` file.
//!
//! The tree stores words as spans into the source; [`Source::word`] returns their text. The resolver, which knows the
//! game, decides what a word names. Both kinds of file share the lines about boards, pieces and dice.

use std::sync::Arc;

use referee_source::{Source, Span, Spanned};

/// A parsed file: its lines in order, and what a formatter needs in addition.
#[derive(Clone, Debug)]
pub struct File {
    /// The text.
    pub source: Arc<Source>,
    /// Every line that is neither blank nor a comment, in order; rows are attached to the line above them.
    pub lines: Vec<Line>,
    /// Comments and blank lines.
    pub trivia: Trivia,
}

/// The parts of a file without meaning, kept for the formatter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trivia {
    /// Comments, from `#` to the end of the line, in order.
    pub comments: Vec<Span>,
    /// Start bytes of blank lines, in order.
    pub blanks: Vec<u32>,
}

/// One line with its rows.
#[derive(Clone, Debug)]
pub struct Line {
    /// The whole line without indentation, comment and line end; without its rows.
    pub span: Span,
    /// The kind of line and its parts.
    pub kind: LineKind,
}

/// Words of a line; a word in quotes is one word, quotes included.
pub type Words = Vec<Span>;

/// A `|` or `>` row: its text after the mark, trimmed.
pub type Row = Span;

/// A range of numbers, both ends included.
pub type Numbers = (i64, i64);

/// The kinds of lines.
#[derive(Clone, Debug)]
pub enum LineKind {
    // ---- a game file
    /// `game squish-board "Squish!"`
    Game {
        /// The identifier, which is also the name of the folder.
        id: Span,
        /// The title, in quotes.
        title: Option<Span>,
    },
    /// `house three-check "Three checks"`: the first line of a file of a house rule.
    House {
        /// Its name, which is also that of its folder.
        name: Span,
        /// The title, in quotes.
        title: Option<Span>,
    },
    /// `players 2..8 red blue …` in a game, `players red green` in a scenario.
    Players {
        /// The number of players.
        count: Option<Spanned<Numbers>>,
        /// Their names.
        names: Words,
    },
    /// `rules "rules.rhai"`
    Rules(Span),
    /// `rulebook "RULES.md"`
    Rulebook(Span),
    /// `arrows "arrows.yaml"`
    Arrows(Span),
    /// `board grid 16x16`; in a scenario `board 9x8`, or `board` alone, with a diagram below.
    Board {
        /// The shape, if given.
        shape: Option<BoardShape>,
        /// The diagram, top row first.
        rows: Vec<Row>,
    },
    /// `directions 8 clockwise from north`
    Directions {
        /// The number of directions.
        count: Spanned<i64>,
        /// `clockwise` or `anticlockwise`.
        sense: Span,
        /// The first direction: `north`, `east` …
        from: Span,
    },
    /// `die distance 1..6`, `die cast 4 of 0..1`, `die weather sun | rain | storm`, `die cup 1..6 secret`
    Die {
        /// Its name; optional in a game with one die.
        name: Option<Span>,
        /// The number of dice thrown at once.
        count: Option<Spanned<i64>>,
        /// Its faces.
        faces: Faces,
        /// Who sees its throws.
        sight: Option<Span>,
    },
    /// `piece block 1..4 size 4x4 symbols …`; in a scenario `piece large size 3x3`.
    Piece(Piece),
    /// `card fighter from "cards.yaml" in deck`
    Card {
        /// The name of these cards.
        name: Span,
        /// The data file, in quotes.
        file: Span,
        /// The zone that holds them at the start.
        zone: Option<Span>,
    },
    /// `zone hand for each player secret`
    Zone {
        /// Its name.
        name: Span,
        /// `for each player`
        each: Option<Span>,
        /// `open`, `secret`, `hidden` or `pile`.
        visibility: Option<Span>,
    },
    /// `flag squished for each marker`
    Flag {
        /// Its name.
        name: Span,
        /// `for each …`; without it the game has one flag.
        each: Words,
        /// Who sees it.
        sight: Option<Span>,
    },
    /// `counter score for each player = 0`; `record counter …` is written by the rules and never read, `clock counter …` is no
    /// part of a position.
    Counter {
        /// Its name.
        name: Span,
        /// `for each …`
        each: Words,
        /// `= 0`
        initial: Option<Spanned<i64>>,
        /// Whether `record` is written before it.
        record: bool,
        /// Whether `clock` is written before it.
        clock: bool,
        /// Who sees it.
        sight: Option<Span>,
    },
    /// `resource ore, wool for each player supply 19`
    Resource {
        /// Their names.
        names: Words,
        /// `for each …`
        each: Words,
        /// `= 2`: how many each owner begins with.
        initial: Option<Spanned<i64>>,
        /// `supply 19`: how many of each there are in the supply; without it there is no limit.
        supply: Option<Spanned<i64>>,
        /// Who sees how much an owner has.
        sight: Option<Span>,
    },
    /// `property home for each player CELL`, `property shards for each player NUMBERS`
    Property {
        /// Its name.
        name: Span,
        /// `for each …`
        each: Words,
        /// The kind of its value: `CELL`, `NUMBERS`, `LIST of PLAYER` ….
        kind: Span,
        /// `in drawings`
        in_drawings: Option<Span>,
        /// Who sees it.
        sight: Option<Span>,
    },
    /// `ask walk [to] CELL "Move your marker"`, `ask hide NUMBER secret`
    Ask {
        /// The words; the first is the verb.
        form: Vec<FormPart>,
        /// Who sees the answer: `secret`.
        sight: Option<Span>,
        /// The question to the player, in quotes.
        title: Option<Span>,
    },
    /// `event PIECE moves DIRECTION to CELL "What happened"`
    Event {
        /// The words; the first in lower case is the verb.
        form: Vec<FormPart>,
        /// Its title, in quotes.
        title: Option<Span>,
    },
    /// `option rehit = ignored | moves "…"`, `option victory = 3 in 1..9`
    Option {
        /// Its name.
        name: Span,
        /// Its values, the default first; for numbers the default alone.
        values: Words,
        /// The allowed numbers.
        range: Option<Spanned<Numbers>>,
        /// Its title, in quotes.
        title: Option<Span>,
    },
    /// `variant simple "Simple game"`; the set-up lines up to the next variant belong to it.
    Variant {
        /// Its name.
        name: Span,
        /// Its title, in quotes.
        title: Option<Span>,
    },
    /// `symmetry rotations reflections`: the symmetries of the rules.
    Symmetry(Words),
    /// `clause S1 S2`: the clauses that the set-up applies.
    Clause(Words),

    // ---- a position, in both kinds of file
    /// `place block 1 at d10, block 2 at j10`
    Place(Vec<Placement>),
    /// `set red.score 3`, `set red squished`
    Set(Words),
    /// `hand red: bounce squash`, `deck: squash …`
    Cards {
        /// The zone: the words before the colon.
        zone: Words,
        /// The cards in it.
        cards: Words,
    },
    /// `shuffle deck`; in a scenario also `shuffle deck: bounce squash …` with the resulting order.
    Shuffle {
        /// The zone.
        zone: Words,
        /// The words after the colon, if there is one.
        order: Option<Words>,
    },
    /// `deal 2 from deck to hand of each player`
    Deal {
        /// The number of cards, or a placeholder for it.
        number: Span,
        /// The zone they are taken from.
        from: Words,
        /// The zones or the board that receive them.
        to: Words,
    },
    /// `arrow 7 -> 3, 12 -> 20`: the base and the end of each; empty for `arrow none`.
    Arrow(Vec<(Span, Span)>),

    // ---- a scenario file
    /// `use squish-board simple`
    Use {
        /// The game.
        game: Span,
        /// The variant.
        variant: Option<Span>,
    },
    /// `scenario "…"`
    Scenario(Span),
    /// `position "corner"`: a shared position, up to the next scenario or position.
    Position(Span),
    /// `branch "a harder roll"`
    Branch(Span),
    /// `from "corner"`, `from {place}`
    From(Span),
    /// `from setup`
    FromSetup,
    /// `cites "Examples of Block Movement, 5"`
    Cites(Span),
    /// `covers B4 M2`
    Covers(Words),
    /// `with rehit = moves`; in a game file below a variant.
    With {
        /// The option.
        name: Span,
        /// Its value.
        value: Span,
    },
    /// `with house "soft-walls"`
    WithHouse(Span),
    /// `setup`
    Setup,
    /// `turn green`
    Turn(Words),
    /// `resume walk red 3`: a phase and its arguments.
    Resume(Words),
    /// `do push_block large 5 6`: a procedure and its arguments.
    Do(Words),
    /// `roll direction 2, distance 5`; `roll 5`; `roll cast 1 1 0 0`
    Roll(Vec<Rolled>),
    /// `draw squash`, `draw deck squash bounce`: the drawn cards.
    Draw(Words),
    /// `red walk to e5`: any line that does not begin with a keyword.
    Answer(Words),
    /// `agree draw`
    Agree(Span),
    /// `refuse red walk to h8 because "too far"`
    Refuse {
        /// The refused answer.
        answer: Words,
        /// The reason, in quotes, or a placeholder for it.
        because: Option<Span>,
    },
    /// `expect …`
    Expect(Expect),
    /// `always { … }`, `always each event { … }`, `always at the end of a turn { … }`
    Always {
        /// Whether it is checked at each event.
        each_event: bool,
        /// `at the end of a turn` or `at the end of a round`, if it is checked only there.
        at_end: Option<Span>,
        /// The embedded expression, braces included.
        expression: Span,
    },
    /// `when red squash evil`, `when red policy random`: decides for a player in the `expect chance` above.
    When {
        /// The words up to a condition or an expression.
        words: Words,
        /// That condition or expression.
        tail: Option<Tail>,
    },
    /// `at best for red`, `at worst for red`
    At {
        /// Whether it is `best` and not `worst`.
        best: bool,
        /// The player who decides.
        player: Span,
    },
    /// `examples`, with a table below whose first row names the placeholders.
    Examples(Vec<Row>),
}

/// The shape of a board: `grid 16x16`, `hex 4`, `track 64`, `open`, `graph from "map.yaml"`, or `9x8` alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardShape {
    /// The location of the whole shape.
    pub span: Span,
    /// The word for its kind, if given.
    pub kind: Option<Span>,
    /// `16x16`, `4`, `64`: the first number and, after an `x`, the second.
    pub size: Option<(i64, Option<i64>)>,
    /// `margin 1`
    pub margin: Option<i64>,
    /// `chequered`
    pub chequered: Option<Chequered>,
    /// `stacks`
    pub stacks: Option<Stacks>,
    /// The data file of a graph.
    pub file: Option<Span>,
    /// The cells after `without`.
    pub without: Words,
    /// The words after `with`: `corners`, `sides`.
    pub with: Words,
}

/// The end of a `board` line about the colours of its cells: `chequered dark b1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chequered {
    /// The location of these words.
    pub span: Span,
    /// The cell after `dark`, if given.
    pub dark: Option<Span>,
}

/// The end of a `board` line about cells on which pieces stack: `stacks on a1 b1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stacks {
    /// The location of these words.
    pub span: Span,
    /// The cells after `on`, from the first to the last, if given.
    pub on: Option<Span>,
}

/// A `piece` line.
#[derive(Clone, Debug)]
pub struct Piece {
    /// Its name: one word in a game, possibly several in a scenario (`block 1`).
    pub name: Words,
    /// `1..4`: one piece for each number.
    pub numbers: Option<Spanned<Numbers>>,
    /// `for each player`
    pub each: Option<Span>,
    /// `size 4x4`: columns and rows.
    pub size: Option<Spanned<(i64, i64)>>,
    /// `symbol L`, `symbols r b g`
    pub symbols: Words,
}

/// One part of an ask's or event's form.
#[derive(Clone, Debug)]
pub enum FormPart {
    /// A literal word.
    Word(Span),
    /// The kind of a value, in capitals: `CELL`.
    Kind(Span),
    /// `[…]`: an optional group.
    Optional(Vec<FormPart>, Span),
}

impl FormPart {
    /// Returns its place.
    #[must_use]
    pub const fn span(&self) -> Span {
        match self {
            Self::Word(span) | Self::Kind(span) | Self::Optional(_, span) => *span,
        }
    }
}

/// A piece and where it is placed: `large at e5`, `red off`.
#[derive(Clone, Debug)]
pub struct Placement {
    /// The piece.
    pub piece: Words,
    /// The words after `at`; `None` for `off`.
    pub at: Option<Words>,
    /// Whether `face down` follows.
    pub face_down: bool,
}

/// The faces of a `die` line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Faces {
    /// `1..6`
    Range(Spanned<Numbers>),
    /// `sun | rain | storm`, one for each side.
    Listed(Words),
}

/// A throw of a `roll` line: the name of the die, optional in a game with one die, and the faces it shows.
pub type Rolled = Words;

/// The kinds of expectations.
#[derive(Clone, Debug)]
pub enum Expect {
    /// Words that the resolver interprets: `red squished`, `large at c4`, `red.score = 3`, `e5 empty` …
    Words(Words),
    /// `turn blue`, `winner red`, `not over`: a condition that is a sentence of the language.
    Condition {
        /// The condition.
        condition: Condition,
        /// The words after those that name it.
        words: Words,
    },
    /// `asks red walk`
    Asks(Words),
    /// `choices red move = d4-e5, d4-d5`
    Choices {
        /// The player, the verb, or both.
        of: Words,
        /// The comparison.
        how: ChoicesHow,
        /// The listed options, separated by commas.
        list: Vec<Words>,
    },
    /// `choices red move count 12`
    ChoicesCount {
        /// The player, the verb, or both.
        of: Words,
        /// The number of options, or a placeholder for it.
        count: Span,
    },
    /// `board` with a diagram below.
    Board(Vec<Row>),
    /// `events` with rows below, in order.
    Events {
        /// Whether the rows must be all events since the last check.
        exactly: bool,
        /// The rows.
        rows: Vec<Row>,
    },
    /// `snapshot`
    Snapshot,
    /// `chance red squished = 7/60 within 3 turns`
    Chance {
        /// The condition, if it is an embedded expression; braces included.
        expression: Option<Span>,
        /// The condition, if it is in words; then the comparison and the horizon.
        words: Words,
    },
    /// `{ … }`: an embedded expression that must be true, braces included.
    Expression(Span),
    /// `perft 3 = 8902`
    Perft(Words),
    /// `reachable winner white within 6 turns`, `no cycle up to 1000 states`
    Question {
        /// The question.
        question: Question,
        /// The condition, if it is an embedded expression; braces included.
        expression: Option<Span>,
        /// The condition, if it is in words; then the horizon and the limits.
        words: Words,
    },
}

/// A sentence of the language about a position. `expect` takes it, and so do a chance and a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// `turn blue`
    Turn,
    /// `winner red`, `winners ann bob`
    Winners,
    /// `nobody wins`
    NobodyWins,
    /// `no winner`
    NoWinner,
    /// `draw`
    Draw,
    /// `over`
    Over,
    /// `not over`
    NotOver,
}

/// A question about all play that may follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// `reachable`: the condition holds at some point of some line of play.
    Reachable,
    /// `never`: it holds at no point of any line.
    Never,
    /// `cycle`: play can come back to a position.
    Cycle,
    /// `no cycle`
    NoCycle,
    /// `every line ends`
    EveryLineEnds,
}

/// The comparison of a list of options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChoicesHow {
    /// `=`: exactly these options.
    Equal,
    /// `includes`
    Includes,
    /// `excludes`
    Excludes,
}

impl ChoicesHow {
    /// Returns the end of a line of this kind, with a place for its options.
    #[must_use]
    pub const fn form(self) -> &'static str {
        match self {
            Self::Equal => "= …",
            Self::Includes => "includes …",
            Self::Excludes => "excludes …",
        }
    }
}

/// The end of a `when` line, after its words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tail {
    /// `if { game.pot >= 20 }`: the condition, braces included.
    If(Span),
    /// `greedy:count(cells(me))`: the name of the policy with its colon, and the expression.
    Greedy(Span, Span),
}

// Patterns for kinds of lines. A match over `LineKind` that uses them needs no arm `_`, so the compiler reports a line
// that is left out.

/// A line of a position.
#[macro_export]
macro_rules! position_line {
    () => {
        $crate::ast::LineKind::Board { .. }
            | $crate::ast::LineKind::Piece(_)
            | $crate::ast::LineKind::Place(_)
            | $crate::ast::LineKind::Set(_)
            | $crate::ast::LineKind::Cards { .. }
            | $crate::ast::LineKind::Arrow(_)
            | $crate::ast::LineKind::Players { .. }
            | $crate::ast::LineKind::From(_)
            | $crate::ast::LineKind::FromSetup
    };
}

/// A line of play, or what must hold there.
#[macro_export]
macro_rules! play_line {
    () => {
        $crate::ast::LineKind::Shuffle { .. }
            | $crate::ast::LineKind::Deal { .. }
            | $crate::ast::LineKind::Setup
            | $crate::ast::LineKind::Turn(_)
            | $crate::ast::LineKind::Resume(_)
            | $crate::ast::LineKind::Do(_)
            | $crate::ast::LineKind::Roll(_)
            | $crate::ast::LineKind::Draw(_)
            | $crate::ast::LineKind::Answer(_)
            | $crate::ast::LineKind::Agree(_)
            | $crate::ast::LineKind::Refuse { .. }
            | $crate::ast::LineKind::Expect(_)
    };
}

/// A line that begins, heads or frames a scenario.
#[macro_export]
macro_rules! scenario_line {
    () => {
        $crate::ast::LineKind::Use { .. }
            | $crate::ast::LineKind::Scenario(_)
            | $crate::ast::LineKind::Position(_)
            | $crate::ast::LineKind::Branch(_)
            | $crate::ast::LineKind::Cites(_)
            | $crate::ast::LineKind::Covers(_)
            | $crate::ast::LineKind::With { .. }
            | $crate::ast::LineKind::WithHouse(_)
            | $crate::ast::LineKind::Examples(_)
            | $crate::ast::LineKind::Always { .. }
    };
}

/// A line that only game files have.
#[macro_export]
macro_rules! game_line {
    () => {
        $crate::ast::LineKind::Game { .. }
            | $crate::ast::LineKind::House { .. }
            | $crate::ast::LineKind::Rules(_)
            | $crate::ast::LineKind::Rulebook(_)
            | $crate::ast::LineKind::Arrows(_)
            | $crate::ast::LineKind::Directions { .. }
            | $crate::ast::LineKind::Die { .. }
            | $crate::ast::LineKind::Card { .. }
            | $crate::ast::LineKind::Zone { .. }
            | $crate::ast::LineKind::Flag { .. }
            | $crate::ast::LineKind::Counter { .. }
            | $crate::ast::LineKind::Resource { .. }
            | $crate::ast::LineKind::Property { .. }
            | $crate::ast::LineKind::Ask { .. }
            | $crate::ast::LineKind::Event { .. }
            | $crate::ast::LineKind::Option { .. }
            | $crate::ast::LineKind::Variant { .. }
            | $crate::ast::LineKind::Symmetry(_)
            | $crate::ast::LineKind::Clause(_)
    };
}

pub use {game_line, play_line, position_line, scenario_line};
