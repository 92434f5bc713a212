//! Declares the board: its shape and directions, its symmetries, and its arrows, each base of which has one.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;

use super::declaring::Declaring;
use referee_diagnostic::{Code, Diagnostic, did_you_mean, one_of};
use referee_source::{Source, Span, Spanned, Word};
use referee_syntax::ast::{BoardShape, Chequered, LineKind, Stacks};
use referee_table::{
    Board, BoardError, BoardSpec, Cell, Graph, Heading, Names, Schema, SecondKinds, Stacking, SymmetryWord,
};

impl Declaring<'_> {
    /// Declares the board and its directions.
    pub(super) fn board(&mut self) {
        let directions = self.file.lines.iter().find_map(|line| match line.kind {
            LineKind::Directions { count, sense, from } => Some((count, sense, from)),
            _ => None,
        });
        let mut shapes = self.file.lines.iter().filter_map(|line| match &line.kind {
            LineKind::Board { shape, .. } => shape.as_ref(),
            _ => None,
        });
        if let Some(shape) = shapes.next() {
            // The error in the shape is enough: a small board avoids further errors.
            let own = self.shape(shape);
            self.schema.board = own.clone().unwrap_or(BoardSpec::Grid(1, 1));
            self.schema.second = own.as_ref().map(|own| self.second_kinds(own, shape)).unwrap_or_default();
            let stacks = own.as_ref().zip(shape.stacks);
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
            None => usual_headings(&self.schema.board),
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
        let read = match Cut::of(&self.schema.board) {
            Cut::Squares => Board::square_headings(count.node, clockwise, &first),
            Cut::Hexagons => Board::hex_headings(count.node, clockwise, &first),
            Cut::Track | Cut::Rings | Cut::Graph | Cut::None => Err(BoardError::DirectionCount),
        };
        read.unwrap_or_else(|error| {
            self.wrong_headings(error, count, from);
            Vec::new()
        })
    }

    fn wrong_headings(&mut self, error: BoardError, count: Spanned<i64>, from: Span) {
        let cut = Cut::of(&self.schema.board);
        let mut refuse = |message: &str, help: &str| self.advise(Code::WrongDirections, count.span, message, help);
        let (cells, counts) = match cut {
            Cut::Squares => ("squares", "4 or 8"),
            Cut::Hexagons => ("hexagons", "6"),
            Cut::Rings => {
                let help = "remove this line: the directions are CW (clockwise), OUT, CCW (anticlockwise) and IN";
                return refuse("rings have no `directions` line", help);
            }
            Cut::Graph => {
                let help =
                    "remove this line: `around(one(place))` are the places next to one, `links(place)` its links";
                return refuse("a graph has no directions", help);
            }
            Cut::Track | Cut::None => {
                let help = "remove this line: direction 1 is forward, 2 is back";
                return refuse("a track has no `directions` line", help);
            }
        };
        if error == BoardError::DirectionCount {
            let message = format!("{cells} do not have {} directions", count.node);
            self.advise(Code::WrongDirections, count.span, message, format!("write {counts}"));
            return;
        }
        let names: Vec<&str> = usual_headings(&self.schema.board).iter().map(|heading| heading.long).collect();
        let first = self.text(from);
        let help = did_you_mean(&first, names.iter().copied()).unwrap_or_else(|| {
            let choice = one_of(names.iter().copied(), 8);
            format!("write one of {choice}; 4 directions cannot begin with a diagonal one")
        });
        let message = format!("`{first}` is not one of the {} directions", count.node);
        self.advise(Code::UnknownDirection, from, message, help);
    }

    /// Returns the places of a second kind that a `board` line asks for.
    fn second_kinds(&mut self, board: &BoardSpec, shape: &BoardShape) -> SecondKinds {
        let mut kinds = SecondKinds::default();
        for span in &shape.with {
            let text = self.text(*span);
            let slot = match text.as_str() {
                "sides" => &mut kinds.sides,
                "corners" => &mut kinds.corners,
                _ => {
                    let help =
                        did_you_mean(&text, SECOND).unwrap_or_else(|| "write `corners`, `sides` or both".to_owned());
                    self.advise(Code::UnknownWord, *span, format!("unknown word `{text}`"), help);
                    continue;
                }
            };
            if std::mem::replace(slot, true) {
                self.advise(Code::ListedTwice, *span, format!("`{text}` is listed twice"), "write each word once");
            }
        }
        let fits = matches!(Cut::of(board), Cut::Squares | Cut::Hexagons) && *board.whole() != BoardSpec::Open;
        if let (Some(first), false) = (shape.with.first(), fits) {
            let help = match Cut::of(board) {
                Cut::Graph => "remove these words: the second kind of places of a graph are its links",
                _ => "remove these words, or write for example `board hex 3 with corners sides`",
            };
            let message = "only boards of squares or hexagons have corners and sides as places";
            self.advise(Code::WrongBoard, *first, message, help);
            return SecondKinds::default();
        }
        kinds
    }

    fn shape(&mut self, shape: &BoardShape) -> Option<BoardSpec> {
        match game_board_spec(&self.file.source, shape, &self.schema.graphs) {
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
    fn stacking(&mut self, board: &BoardSpec, stacks: Stacks) -> Stacking {
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

/// The words after `with`.
const SECOND: [&str; 2] = ["corners", "sides"];

/// What the cells of a board are.
#[derive(Clone, Copy)]
enum Cut {
    Squares,
    Hexagons,
    Track,
    Rings,
    Graph,
    None,
}

impl Cut {
    fn of(board: &BoardSpec) -> Self {
        match board.whole() {
            BoardSpec::Grid(..) | BoardSpec::Framed(..) | BoardSpec::Open => Self::Squares,
            BoardSpec::Hex(_) | BoardSpec::Rhombus(..) | BoardSpec::Triangle(_) => Self::Hexagons,
            BoardSpec::Track(_) => Self::Track,
            BoardSpec::Rings(..) => Self::Rings,
            BoardSpec::Graph(_) => Self::Graph,
            BoardSpec::None | BoardSpec::Without(..) => Self::None,
        }
    }
}

/// Returns the default directions of a board.
fn usual_headings(board: &BoardSpec) -> Vec<Heading> {
    match Cut::of(board) {
        Cut::Squares if *board.whole() == BoardSpec::Open => Board::square_headings(4, true, "north"),
        Cut::Squares => Board::square_headings(8, true, "north"),
        Cut::Hexagons => Board::hex_headings(6, true, "north-east"),
        Cut::Track => Ok(Board::track_headings()),
        Cut::Rings => Ok(Board::ring_headings()),
        Cut::Graph | Cut::None => Ok(Vec::new()),
    }
    .unwrap_or_default()
}

/// Returns the board of this shape for a variant, a scenario or a house rule; `graphs` are those of the game. The cells that are
/// dark, and the sides and corners that are places, are those of the game.
pub fn board_spec(
    source: &Arc<Source>,
    shape: &BoardShape,
    graphs: &[Arc<Graph>],
) -> Result<BoardSpec, Box<Diagnostic>> {
    let wrong = |span: Span, message: &str, help: &str| {
        Err(Box::new(Diagnostic::new(Code::WrongBoard, source, span, message).help(help)))
    };
    if let Some(stacks) = shape.stacks {
        return wrong(
            stacks.span,
            "only the game's own `board` line says on which cells pieces stack",
            "remove this: on boards of other sizes pieces stack as on the game's own board",
        );
    }
    match (shape.chequered, shape.with.first()) {
        (Some(chequered), _) => wrong(
            chequered.span,
            "only the game's own `board` line says that its boards are chequered",
            "remove this: boards of other sizes have the colours of the game's own board",
        ),
        (None, Some(with)) => wrong(
            *with,
            "only the game's own `board` line says that corners and sides are places",
            "remove this: boards of other sizes have the kinds of places of the game's own board",
        ),
        (None, None) => game_board_spec(source, shape, graphs),
    }
}

/// The words for kinds of boards.
const KINDS: [&str; 8] = ["grid", "hex", "rhombus", "triangle", "rings", "graph", "track", "open"];

/// Returns the board of this shape for a game with these graphs.
pub fn game_board_spec(
    source: &Arc<Source>,
    shape: &BoardShape,
    graphs: &[Arc<Graph>],
) -> Result<BoardSpec, Box<Diagnostic>> {
    let whole = whole_board_spec(source, shape, graphs)?;
    if shape.without.is_empty() {
        return Ok(whole);
    }
    let wrong = |code: Code, span: Span, message: String, help: String| {
        Err(Box::new(Diagnostic::new(code, source, span, message).help(help)))
    };
    if !matches!(Cut::of(&whole), Cut::Squares | Cut::Hexagons) || whole == BoardSpec::Open {
        let span = shape.without.first().copied().unwrap_or(shape.span);
        let message = "only boards of squares or hexagons can be without some cells".to_owned();
        let help = "remove these words, or write for example `board grid 7x7 without a1 b1`".to_owned();
        return wrong(Code::WrongBoard, span, message, help);
    }
    let schema = Schema { headings: usual_headings(&whole), ..Schema::empty() };
    let Ok(board) = schema.build_board(&whole) else { return Ok(whole) };
    let mut holes: Vec<String> = Vec::new();
    for span in &shape.without {
        let word = source.word(*span);
        Names { schema: &schema, board: &board }.cell(&word).map_err(Box::new)?;
        if holes.iter().any(|hole| hole == word.text) {
            let message = format!("`{}` is listed twice", word.text);
            return wrong(Code::ListedTwice, *span, message, "write each cell once".to_owned());
        }
        holes.push(word.text.to_owned());
    }
    if holes.len() >= board.count() {
        let message = "this board has no cells left".to_owned();
        return wrong(Code::WrongBoard, shape.span, message, "leave some cells on the board".to_owned());
    }
    // Boards without the same cells are equal, in whatever order a line names them.
    let holes = board.names().filter(|name| holes.iter().any(|hole| hole == name)).map(str::to_owned).collect();
    Ok(BoardSpec::Without(Box::new(whole), holes))
}

/// Returns the board of this shape with all its cells.
fn whole_board_spec(
    source: &Arc<Source>,
    shape: &BoardShape,
    graphs: &[Arc<Graph>],
) -> Result<BoardSpec, Box<Diagnostic>> {
    let wrong = |message: String, help: &str| {
        Err(Box::new(Diagnostic::new(Code::WrongBoard, source, shape.span, message).help(help)))
    };
    let kind = shape.kind.map(|span| source.word(span).text);
    let no_grid = kind.filter(|kind| KINDS.contains(kind) && *kind != "grid");
    let side = |number: i64| (1..=64).contains(&number);
    match (kind, shape.size) {
        _ if no_grid.is_some() && shape.margin.is_some() => {
            wrong("only a grid has a margin".to_owned(), "write for example `board grid 3x3 margin 1`")
        }
        (_, size) if no_grid.is_some() && shape.chequered.is_some() => {
            let number = size.map_or(String::new(), |(first, second)| match second {
                Some(second) => format!(" {first}x{second}"),
                None => format!(" {first}"),
            });
            let file = shape.file.map_or(String::new(), |file| format!(" from {}", source.slice(file)));
            wrong(
                "only a grid can be chequered".to_owned(),
                &format!(
                    "write `board {}{number}{file}`, or for example `board grid 8x8 chequered`",
                    no_grid.unwrap_or_default()
                ),
            )
        }
        (Some("hex"), Some((side, None))) if (2..=11).contains(&side) => Ok(BoardSpec::Hex(side)),
        (Some("hex"), _) => {
            wrong("a hexagon has 2 to 11 cells on a side".to_owned(), "write for example `board hex 4`")
        }
        (Some("rhombus"), Some((columns, Some(rows)))) if side(columns) && side(rows) => {
            Ok(BoardSpec::Rhombus(columns, rows))
        }
        (Some("rhombus"), _) => {
            let message = "a rhombus has 1 to 64 columns and 1 to 64 rows of hexagons".to_owned();
            wrong(message, "write for example `board rhombus 11x11`")
        }
        (Some("triangle"), Some((length, None))) if side(length) && length > 1 => Ok(BoardSpec::Triangle(length)),
        (Some("triangle"), _) => {
            wrong("a triangle has 2 to 64 cells on a side".to_owned(), "write for example `board triangle 5`")
        }
        (Some("rings"), Some((rings, Some(cells)))) if (1..=20).contains(&rings) && (3..=64).contains(&cells) => {
            Ok(BoardSpec::Rings(rings, cells))
        }
        (Some("rings"), _) => {
            let message = "there are 1 to 20 rings, with 3 to 64 cells each".to_owned();
            wrong(message, "write for example `board rings 3x8`: three rings of eight cells")
        }
        (Some("graph"), _) => graph_spec(source, shape, graphs),
        (Some("track"), Some((cells, None))) if (1..=1000).contains(&cells) => Ok(BoardSpec::Track(cells)),
        (Some("track"), _) => wrong("a track has 1 to 1000 cells".to_owned(), "write for example `board track 64`"),
        (Some("open"), None) => Ok(BoardSpec::Open),
        (Some("open"), Some(_)) => wrong("an open board has no size".to_owned(), "write `board open`"),
        (Some(other), _) if other != "grid" => {
            let help = did_you_mean(other, KINDS).unwrap_or_else(|| "write for example `board grid 8x8`".to_owned());
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
        (_, Some((columns, Some(rows)))) if side(columns) && side(rows) => Ok(BoardSpec::Grid(columns, rows)),
        (_, Some((_, Some(_)))) => {
            wrong("a board has 1 to 64 columns and 1 to 64 rows".to_owned(), "write for example `8x8`")
        }
        _ => wrong("a grid needs columns and rows".to_owned(), "write for example `board grid 8x8`"),
    }
}

/// Returns the board of a graph whose file the game has read.
fn graph_spec(source: &Arc<Source>, shape: &BoardShape, graphs: &[Arc<Graph>]) -> Result<BoardSpec, Box<Diagnostic>> {
    let span = shape.file.unwrap_or(shape.span);
    let file = source.word(span).text;
    if let Some(graph) = graphs.iter().find(|graph| graph.file == file) {
        return Ok(BoardSpec::Graph(Arc::clone(graph)));
    }
    let files = || graphs.iter().map(|graph| graph.file.as_str());
    let help = did_you_mean(file, files()).unwrap_or_else(|| match one_of(files(), 9) {
        list if list.is_empty() => "name a data file with places and links that the game file names, too".to_owned(),
        list => format!("the game file names {list}"),
    });
    let message = format!("the game has no graph `{file}`");
    Err(Box::new(Diagnostic::new(Code::WrongBoard, source, span, message).help(help)))
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
