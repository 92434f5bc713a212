//! The lines of a `.game` or `.scenario` file.
//!
//! The tree is light: words are spans into the source, read again with [`Source::word`]; what a word names is for the
//! resolver, which knows the game. Both kinds of file share the lines about boards, pieces and dice.

use std::sync::Arc;

use crate::source::{Source, Span, Spanned};

/// A parsed file: its lines in order, and what a formatter needs besides.
#[derive(Clone, Debug)]
pub struct File {
    /// The text.
    pub source: Arc<Source>,
    /// Every line that says something, in order; rows are attached to the line that they belong to.
    pub lines: Vec<Line>,
    /// Comments and blank lines.
    pub trivia: Trivia,
}

/// What a file holds that means nothing: kept beside the tree for the formatter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trivia {
    /// Comments, from `#` to the end of the line, in order.
    pub comments: Vec<Span>,
    /// Start bytes of blank lines, in order.
    pub blanks: Vec<u32>,
}

/// One line, with the rows below it that belong to it.
#[derive(Clone, Debug)]
pub struct Line {
    /// The whole line without indentation, comment and line end; without its rows.
    pub span: Span,
    /// What it says.
    pub kind: LineKind,
}

/// Words of a line; a word in quotes is one word, quotes included.
pub type Words = Vec<Span>;

/// A `|` or `>` row: its text after the mark, trimmed.
pub type Row = Span;

/// Numbers from the first to the last, both included.
pub type Numbers = (i64, i64);

/// What a line says.
#[derive(Clone, Debug)]
pub enum LineKind {
    // ---- a game file
    /// `game squish-board "Squish!"`
    Game {
        /// The identifier, which is the name of the folder too.
        id: Span,
        /// The title, in quotes.
        title: Option<Span>,
    },
    /// `players 2..8 red blue …` in a game, `players red green` in a scenario.
    Players {
        /// How many play.
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
        /// The shape, where it is given.
        shape: Option<BoardShape>,
        /// The diagram, top row first.
        rows: Vec<Row>,
    },
    /// `directions 8 clockwise from north`
    Directions {
        /// How many.
        count: Spanned<i64>,
        /// `clockwise` or `anticlockwise`.
        sense: Span,
        /// The first: `north`, `east` …
        from: Span,
    },
    /// `die distance 1..6`, `die cast 4 of 0..1`, `die weather sun | rain | storm`
    Die {
        /// Its name; a game with one die may leave it out.
        name: Option<Span>,
        /// How many are thrown at once.
        count: Option<Spanned<i64>>,
        /// Its faces.
        faces: Faces,
    },
    /// `piece block 1..4 size 4x4 symbols …`; in a scenario `piece large size 3x3`.
    Piece(Piece),
    /// `card fighter from "cards.yaml" in deck`
    Card {
        /// What these cards are called.
        name: Span,
        /// The data file, in quotes.
        file: Span,
        /// The zone in which they begin.
        zone: Option<Span>,
    },
    /// `zone hand for each player secret`
    Zone {
        /// Its name.
        name: Span,
        /// `for each player`
        each: Option<Span>,
        /// `open`, `secret`, `hidden` or `pile`.
        sight: Option<Span>,
    },
    /// `flag squished for each marker`
    Flag {
        /// Its name.
        name: Span,
        /// `for each …`; without it the game has one.
        each: Option<Span>,
    },
    /// `counter score for each player = 0`; `record counter …` is written by the rules and never read.
    Counter {
        /// Its name.
        name: Span,
        /// `for each …`
        each: Option<Span>,
        /// `= 0`
        initial: Option<Spanned<i64>>,
        /// Whether `record` stands before it.
        record: bool,
    },
    /// `property home for each player CELL`, `property shards for each player NUMBERS`
    Property {
        /// Its name.
        name: Span,
        /// `for each …`
        each: Option<Span>,
        /// The kind of its value: `CELL`, `NUMBER`, `PLAYER` …; the plural is a set.
        kind: Span,
        /// `in drawings`
        in_drawings: Option<Span>,
    },
    /// `ask walk [to] CELL "Move your marker"`
    Ask {
        /// The words; the first is the verb.
        form: Vec<FormPart>,
        /// What the player is asked, in quotes.
        title: Option<Span>,
    },
    /// `event PIECE moves DIRECTION to CELL "What happened"`
    Event {
        /// The words; the first in lower case is the verb.
        form: Vec<FormPart>,
        /// What it means, in quotes.
        title: Option<Span>,
    },
    /// `option rehit = ignored | moves "…"`, `option victory = 3 in 1..9`
    Option {
        /// Its name.
        name: Span,
        /// Its values, the default first; for numbers the default alone.
        values: Words,
        /// The numbers it may be.
        range: Option<Spanned<Numbers>>,
        /// What it decides, in quotes.
        title: Option<Span>,
    },
    /// `variant simple "Simple game"`: the set-up lines below belong to it, up to the next variant.
    Variant {
        /// Its name.
        name: Span,
        /// Its title, in quotes.
        title: Option<Span>,
    },
    /// `clause S1 S2`: the clauses that the set-up applies.
    Clause(Words),

    // ---- a position, in either
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
    /// `shuffle deck`; in a scenario also `shuffle deck: bounce squash …`, the order that came of it.
    Shuffle {
        /// The zone.
        zone: Words,
        /// The words behind the colon, if there is one.
        order: Option<Words>,
    },
    /// `deal 2 from deck to hand of each player`
    Deal {
        /// How many cards, or a hole for it.
        number: Span,
        /// The zone from which they come.
        from: Words,
        /// Where they go.
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
    /// `draw squash`, `draw deck squash bounce`: the cards that are drawn.
    Draw(Words),
    /// `red walk to e5`: any line that begins with no keyword.
    Answer(Words),
    /// `agree draw`
    Agree(Span),
    /// `refuse red walk to h8 because "too far"`
    Refuse {
        /// The refused answer.
        answer: Words,
        /// The reason, in quotes, or a hole for it.
        because: Option<Span>,
    },
    /// `expect …`
    Expect(Expect),
    /// `always { … }`, `always each event { … }`
    Always {
        /// Whether it is judged at each event.
        each_event: bool,
        /// The island, braces included.
        island: Span,
    },
    /// `when red squash evil`, `when red policy random`: how a decision is settled in the `expect chance` above.
    When {
        /// The words up to a condition or an expression.
        words: Words,
        /// That condition or expression.
        tail: Option<Tail>,
    },
    /// `at best for red`, `at worst for red`
    At {
        /// `best`, and not `worst`.
        best: bool,
        /// Whose decisions.
        player: Span,
    },
    /// `examples`, with a table below whose first row names the holes.
    Examples(Vec<Row>),
    /// A line of the language that is not interpreted yet; the words say what it is about.
    NotYet(&'static str),
}

/// `grid 16x16`, `hex 4`, `track 64`, `open`, or `9x8` alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardShape {
    /// The whole of it.
    pub span: Span,
    /// The word for its kind, where it is given.
    pub kind: Option<Span>,
    /// `16x16`, `4`, `64`: first number and, behind an `x`, second number.
    pub size: Option<(i64, Option<i64>)>,
    /// `margin 1`
    pub margin: Option<i64>,
}

/// A `piece` line.
#[derive(Clone, Debug)]
pub struct Piece {
    /// Its name: one word in a game; in a scenario it may have more (`block 1`).
    pub name: Words,
    /// `1..4`: one piece for each number.
    pub numbers: Option<Spanned<Numbers>>,
    /// `for each player`
    pub each: Option<Span>,
    /// `size 4x4`: columns, rows.
    pub size: Option<Spanned<(i64, i64)>>,
    /// `symbol L`, `symbols r b g`
    pub symbols: Words,
}

/// One part of an ask's or event's form.
#[derive(Clone, Debug)]
pub enum FormPart {
    /// A word as it stands.
    Word(Span),
    /// The kind of a value, in capitals: `CELL`.
    Kind(Span),
    /// `[…]`: may be left out as a whole.
    Optional(Vec<FormPart>, Span),
}

/// `large at e5`, `red off`
#[derive(Clone, Debug)]
pub struct Placement {
    /// The piece.
    pub piece: Words,
    /// The words behind `at`; nothing for `off`.
    pub at: Option<Words>,
    /// `face down`
    pub face_down: bool,
}

/// What a `die` line says of the faces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Faces {
    /// `1..6`
    Range(Spanned<Numbers>),
    /// `sun | rain | storm`, one for each side.
    Listed(Words),
}

/// A throw of a `roll` line: the name of the die, which a game with one die may leave out, and what it shows.
pub type Rolled = Words;

/// What is expected.
#[derive(Clone, Debug)]
pub enum Expect {
    /// Words for the resolver: `red squished`, `large at c4`, `red.score = 3`, `e5 empty` …
    Words(Words),
    /// `turn blue`
    Turn(Words),
    /// `asks red walk`
    Asks(Words),
    /// `winner red`, `winners ann bob`
    Winners(Words),
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
    /// `choices move = d4-e5, d4-d5`
    Choices {
        /// The verb.
        verb: Option<Span>,
        /// How the list is compared.
        how: ChoicesHow,
        /// The listed options: words between commas.
        list: Vec<Words>,
    },
    /// `choices move count 12`
    ChoicesCount {
        /// The verb.
        verb: Option<Span>,
        /// How many, or a hole for it.
        count: Span,
    },
    /// `board` and a diagram.
    Board(Vec<Row>),
    /// `events` and rows, in order.
    Events {
        /// All since the last look, and no other.
        exactly: bool,
        /// The rows.
        rows: Vec<Row>,
    },
    /// `snapshot`
    Snapshot,
    /// `chance red squished = 7/60 within 3 turns`
    Chance {
        /// The condition, where it is an expression; braces included.
        island: Option<Span>,
        /// The condition, where it is words; then how it is compared with what, and up to where play goes.
        words: Words,
    },
    /// `{ … }`: an expression that must be true, braces included.
    Island(Span),
    /// A question that is not interpreted yet.
    NotYet(&'static str),
}

/// How a list of options is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChoicesHow {
    /// `=`: these and no others.
    Equal,
    /// `includes`
    Includes,
    /// `excludes`
    Excludes,
}

/// What stands behind the words of a `when` line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tail {
    /// `if { game.pot >= 20 }`: the condition, braces included.
    If(Span),
    /// `greedy:count(cells(me))`: the name of the policy with its colon, and the expression.
    Greedy(Span, Span),
}
