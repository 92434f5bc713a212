//! Declares the board: its shape and directions, its symmetries, and its arrows, each base of which has one.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;

use super::declaring::Declaring;
use referee_diagnostic::{Code, Diagnostic, did_you_mean, one_of};
use referee_source::{Source, Span, Spanned, Word};
use referee_syntax::ast::{BoardShape, Chequered, LineKind, Stacks};
use referee_table::{Board, BoardError, BoardSpec, Cell, Heading, Names, Schema, Stacking, SymmetryWord};

impl Declaring<'_> {
    /// Declares the board and its directions.
    pub(super) fn board(&mut self) {
        let directions = self.file.lines.iter().find_map(|line| match line.kind {
            LineKind::Directions { count, sense, from } => Some((count, sense, from)),
            _ => None,
        });
        let mut shapes = self.file.lines.iter().filter_map(|line| match &line.kind {
            LineKind::Board { shape, .. } => *shape,
            _ => None,
        });
        if let Some(shape) = shapes.next() {
            // The error in the shape is enough: a small board avoids further errors.
            let own = self.shape(shape);
            self.schema.board = own.unwrap_or(BoardSpec::Grid(1, 1));
            let stacks = own.zip(shape.stacks);
            self.schema.stacks = stacks.map_or_else(Stacking::default, |(own, stacks)| self.stacking(own, stacks));
            self.schema.dark = own.zip(shape.chequered).and_then(|(own, chequered)| self.dark(own, chequered));
        }
        let has_board = self.schema.board != BoardSpec::None;
        for line in &self.file.lines {
            match &line.kind {
                LineKind::Board { shape: None, rows } if rows.is_empty() || !has_board => {
                    let help = "write for example `board grid 8x8`, or remove this line in a game without a board";
                    self.advise(Code::MissingValue, line.span, "the board has no size", help);
                }
                LineKind::Directions { .. } if !has_board => {
                    let help = "remove this line, or declare a board: `board grid 8x8`";
                    self.missing(Code::NoBoard, line.span, "a game without a board has no directions", help);
                }
                _ => {}
            }
        }
        if !has_board {
            return;
        }
        self.schema.headings = match directions {
            None => usual_headings(self.schema.board),
            Some((count, sense, from)) => self.headings(count, sense, from),
        };
    }

    fn headings(&mut self, count: Spanned<i64>, sense: Span, from: Span) -> Vec<Heading> {
        let clockwise = match self.text(sense).as_str() {
            "clockwise" => true,
            "anticlockwise" | "counterclockwise" => false,
            other => {
                self.advise(
                    Code::UnknownWord,
                    sense,
                    format!("unknown sense of rotation `{other}`"),
                    "write `clockwise` or `anticlockwise`",
                );
                true
            }
        };
        let first = self.text(from);
        let read = match self.schema.board {
            BoardSpec::Grid(..) | BoardSpec::Framed(..) | BoardSpec::Open => {
                Board::square_headings(count.node, clockwise, &first)
            }
            BoardSpec::Hex(_) => Board::hex_headings(count.node, clockwise, &first),
            BoardSpec::Track(_) | BoardSpec::None => Err(BoardError::DirectionCount),
        };
        read.unwrap_or_else(|error| {
            self.wrong_headings(error, count, from);
            Vec::new()
        })
    }

    fn wrong_headings(&mut self, error: BoardError, count: Spanned<i64>, from: Span) {
        let (cells, counts) = match self.schema.board {
            BoardSpec::Grid(..) | BoardSpec::Framed(..) | BoardSpec::Open => ("squares", "4 or 8"),
            BoardSpec::Hex(_) => ("hexagons", "6"),
            BoardSpec::Track(_) | BoardSpec::None => {
                let help = "remove this line: direction 1 is forward, 2 is back";
                self.advise(Code::WrongDirections, count.span, "a track has no `directions` line", help);
                return;
            }
        };
        if error == BoardError::DirectionCount {
            let message = format!("{cells} do not have {} directions", count.node);
            self.advise(Code::WrongDirections, count.span, message, format!("write {counts}"));
            return;
        }
        let names: Vec<&str> = usual_headings(self.schema.board).iter().map(|heading| heading.long).collect();
        let first = self.text(from);
        let help = did_you_mean(&first, names.iter().copied()).unwrap_or_else(|| {
            let choice = one_of(names.iter().copied(), 8);
            format!("write one of {choice}; 4 directions cannot begin with a diagonal one")
        });
        let message = format!("`{first}` is not one of the {} directions", count.node);
        self.advise(Code::UnknownDirection, from, message, help);
    }

    fn shape(&mut self, shape: BoardShape) -> Option<BoardSpec> {
        match game_board_spec(&self.file.source, shape) {
            Ok(spec) => Some(spec),
            Err(wrong) => {
                self.wrong.push(*wrong);
                None
            }
        }
    }

    /// Returns which cells of a chequered board are dark: see `Schema::dark`.
    fn dark(&mut self, board: BoardSpec, chequered: Chequered) -> Option<bool> {
        let Some(span) = chequered.dark else { return Some(false) };
        let (board, name) = (self.schema.build_board(board).ok()?, self.file.source.word(span).text.to_owned());
        if let Some(cell) = board.cell(&name) {
            return Some(board.is_odd(cell));
        }
        let help = did_you_mean(&name, board.names()).unwrap_or_else(|| format!("the board is {}", board.words()));
        self.advise(Code::UnknownCell, span, format!("unknown cell `{name}`"), help);
        None
    }
}

impl Declaring<'_> {
    /// Returns the cells of the game's board on which pieces stack.
    fn stacking(&mut self, board: BoardSpec, stacks: Stacks) -> Stacking {
        let Some(on) = stacks.on else { return Stacking::Everywhere };
        let Ok(board) = self.schema.build_board(board) else { return Stacking::Nowhere };
        let source = Arc::clone(&self.file.source);
        let mut names: Vec<String> = Vec::new();
        for word in source.tokens(on) {
            let name = word.text.trim_matches(',');
            if name.is_empty() {
                continue;
            }
            let span = Span::of_part(word.span.range().start, word.text, name);
            if board.cell(name).is_none() {
                let help =
                    did_you_mean(name, board.names()).unwrap_or_else(|| format!("the board is {}", board.words()));
                self.advise(Code::UnknownCell, span, format!("unknown cell `{name}`"), help);
            } else if names.iter().any(|other| other == name) {
                self.advise(Code::DuplicateName, span, format!("`{name}` stands twice"), "remove one of them");
            } else {
                names.push(name.to_owned());
            }
        }
        Stacking::On(names)
    }
}

/// Returns the default directions of a board.
fn usual_headings(board: BoardSpec) -> Vec<Heading> {
    match board {
        BoardSpec::Grid(..) | BoardSpec::Framed(..) => Board::square_headings(8, true, "north"),
        BoardSpec::Open => Board::square_headings(4, true, "north"),
        BoardSpec::Hex(_) => Board::hex_headings(6, true, "north-east"),
        BoardSpec::Track(_) => Ok(Board::track_headings()),
        BoardSpec::None => Ok(Vec::new()),
    }
    .unwrap_or_default()
}

/// Returns the board of this shape for a variant, a scenario or a house rule. The cells that are dark are those of the
/// game.
pub fn board_spec(source: &Arc<Source>, shape: BoardShape) -> Result<BoardSpec, Box<Diagnostic>> {
    if let Some(stacks) = shape.stacks {
        let message = "only the game's own `board` line says on which cells pieces stack";
        let wrong = Diagnostic::new(Code::WrongBoard, source, stacks.span, message);
        return Err(Box::new(
            wrong.help("remove this: on boards of other sizes pieces stack as on the game's own board"),
        ));
    }
    let Some(chequered) = shape.chequered else { return game_board_spec(source, shape) };
    let message = "only the game's own `board` line says that its boards are chequered";
    let wrong = Diagnostic::new(Code::WrongBoard, source, chequered.span, message);
    Err(Box::new(wrong.help("remove this: boards of other sizes have the colours of the game's own board")))
}

/// Returns the board of this shape for a game.
pub fn game_board_spec(source: &Arc<Source>, shape: BoardShape) -> Result<BoardSpec, Box<Diagnostic>> {
    let wrong = |message: String, help: &str| {
        Err(Box::new(Diagnostic::new(Code::WrongBoard, source, shape.span, message).help(help)))
    };
    let kind = shape.kind.map(|span| source.word(span).text);
    match (kind, shape.size) {
        (Some("hex" | "track" | "open"), _) if shape.margin.is_some() => {
            wrong("only a grid has a margin".to_owned(), "write for example `board grid 3x3 margin 1`")
        }
        (Some(kind @ ("hex" | "track" | "open")), size) if shape.chequered.is_some() => {
            let number = size.map_or(String::new(), |(first, second)| match second {
                Some(second) => format!(" {first}x{second}"),
                None => format!(" {first}"),
            });
            wrong(
                "only a grid can be chequered".to_owned(),
                &format!("write `board {kind}{number}`, or for example `board grid 8x8 chequered`"),
            )
        }
        (Some("hex"), Some((side, None))) if (2..=11).contains(&side) => Ok(BoardSpec::Hex(side)),
        (Some("hex"), _) => {
            wrong("a hexagon has 2 to 11 cells on a side".to_owned(), "write for example `board hex 4`")
        }
        (Some("track"), Some((cells, None))) if (1..=1000).contains(&cells) => Ok(BoardSpec::Track(cells)),
        (Some("track"), _) => wrong("a track has 1 to 1000 cells".to_owned(), "write for example `board track 64`"),
        (Some("open"), None) => Ok(BoardSpec::Open),
        (Some("open"), Some(_)) => wrong("an open board has no size".to_owned(), "write `board open`"),
        (Some(other), _) if other != "grid" => {
            let help = did_you_mean(other, ["grid", "hex", "track", "open"])
                .unwrap_or_else(|| "write for example `board grid 8x8`".to_owned());
            wrong(format!("unknown kind of board `{other}`"), &help)
        }
        (_, Some((columns, Some(rows)))) if shape.margin.is_some() => {
            let margin = shape.margin.unwrap_or(0);
            let fits = |side: i64| side >= 1 && margin.saturating_mul(2).saturating_add(side) <= 64;
            if margin >= 1 && fits(columns) && fits(rows) {
                return Ok(BoardSpec::Framed(columns, rows, margin));
            }
            wrong(
                "a margin is at least 1 cell wide, and the whole board has at most 64 columns and 64 rows".to_owned(),
                "write for example `board grid 3x3 margin 1`",
            )
        }
        (_, Some((columns, Some(rows)))) if (1..=64).contains(&columns) && (1..=64).contains(&rows) => {
            Ok(BoardSpec::Grid(columns, rows))
        }
        (_, Some((_, Some(_)))) => {
            wrong("a board has 1 to 64 columns and 1 to 64 rows".to_owned(), "write for example `8x8`")
        }
        _ => wrong("a grid needs columns and rows".to_owned(), "write for example `board grid 8x8`"),
    }
}

/// Returns arrows from the names of their cells; adds all errors to `wrong`.
pub fn arrows(
    (schema, board): (&Schema, &Board),
    source: &Arc<Source>,
    named: &[(Spanned<String>, Spanned<String>)],
    wrong: &mut Vec<Diagnostic>,
) -> Vec<(Cell, Cell)> {
    let mut arrows: BTreeMap<Cell, Cell> = BTreeMap::new();
    for (from, to) in named {
        let mut cell = |name: &Spanned<String>| {
            let word = Word::plain(source, &name.node, name.span);
            Names { schema, board }.cell(&word).map_err(|misread| wrong.push(misread))
        };
        let (base, end) = (cell(from), cell(to));
        let (Ok(base), Ok(end)) = (base, end) else { continue };
        if base == end {
            let message = "this arrow ends on the cell where it begins";
            wrong.push(Diagnostic::new(Code::WrongArrow, source, to.span, message).help("end it on another cell"));
        } else if let Entry::Vacant(free) = arrows.entry(base) {
            free.insert(end);
        } else {
            let message = format!("another arrow already begins on {}", board.name(base));
            let help = "keep one of them: at most one arrow begins on a cell";
            wrong.push(Diagnostic::new(Code::WrongArrow, source, from.span, message).help(help));
        }
    }
    arrows.into_iter().collect()
}

impl Declaring<'_> {
    pub(super) fn symmetries(&mut self) {
        let words = || SymmetryWord::ALL.iter().map(|word| word.word());
        for line in &self.file.lines {
            let LineKind::Symmetry(spans) = &line.kind else { continue };
            for span in spans {
                let text = self.text(*span);
                let Some(word) = SymmetryWord::ALL.into_iter().find(|word| word.word() == text) else {
                    let help =
                        did_you_mean(&text, words()).unwrap_or_else(|| format!("use one of {}", one_of(words(), 9)));
                    self.advise(Code::UnknownSymmetry, *span, format!("unknown symmetry `{text}`"), help);
                    continue;
                };
                let (source, place) = self.file.source.of_part(*span);
                if !self.schema.symmetries.declare(word, &source, place) {
                    self.advise(Code::DuplicateName, *span, format!("`{text}` stands twice"), "remove one of them");
                }
            }
        }
    }
}
