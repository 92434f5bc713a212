//! Diagrams of boards: tokens separated by spaces, the top row first.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::board::REACH;
use super::stack_tokens::{self, Run};
use super::{
    Board, Cell, Cells, Face, Graph, Names, Owner, PieceDef, PieceId, PlayerId, Schema, State, Table, runs_of,
};
use super::{Drawing, DrawnCell, DrawnLink, DrawnPiece, DrawnPlace, DrawnRow, Lying};
use referee_diagnostic::{Code, Diagnostic, did_you_mean, one_of};
use referee_source::{Source, Span, Word, span_of, unescaped};

/// What a diagram has where the board has no cell.
const HOLE: &str = "-";

/// The content of one cell in a diagram.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token {
    /// `.`: an empty cell.
    Empty,
    /// `?`: any content.
    Any,
    /// One of these pieces, which share a symbol, and the player before it.
    Piece(Vec<PieceId>, Option<PlayerId>),
    /// Several pieces on each other, from the top: pieces that share a symbol, and how many of them.
    Stack(Vec<(Vec<PieceId>, usize)>),
    /// A face-down card, any for `(?)`, one of these for `(R3)`; and the player before it.
    Down(Option<Vec<PieceId>>, Option<PlayerId>),
}

impl Token {
    /// Returns the player before the piece.
    #[must_use]
    pub const fn player(&self) -> Option<PlayerId> {
        match self {
            Self::Piece(_, player) | Self::Down(_, player) => *player,
            Self::Empty | Self::Any | Self::Stack(_) => None,
        }
    }

    /// Returns the token as text.
    #[must_use]
    pub fn write(&self, schema: &Schema) -> String {
        let symbol = |pieces: &[PieceId]| {
            let piece = pieces.first().and_then(|piece| schema.pieces.get(piece.index()));
            piece.map_or_else(String::new, PieceDef::drawn)
        };
        match self {
            Self::Empty => ".".to_owned(),
            Self::Any => "?".to_owned(),
            Self::Piece(pieces, None) => {
                let one: Vec<(PieceId, usize)> = pieces.first().map(|piece| (*piece, 1)).into_iter().collect();
                stack_tokens::write(schema, &one)
            }
            Self::Piece(pieces, player) => schema.prefixed(*player, &symbol(pieces)),
            Self::Stack(runs) => stack_tokens::write(schema, &first_of(runs)),
            Self::Down(cards, player) => {
                schema.prefixed(*player, &format!("({})", cards.as_deref().map_or_else(|| "?".to_owned(), symbol)))
            }
        }
    }
}

/// One cell of a diagram: the cell, its content, and its location in the file.
pub type Drawn = (Cell, Token, Span);

/// Returns the cells of a diagram, row by row; `line` is the location of the line above it.
///
/// # Errors
/// Returns every row with a wrong number of cells, and every unknown symbol.
pub fn read_diagram(
    names: Names<'_>,
    rows: &[Vec<Word<'_>>],
    (source, line): (&Arc<Source>, Span),
) -> Result<Vec<Drawn>, Vec<Diagnostic>> {
    if names.board.is_open() {
        return read_open(names, rows, (source, line));
    }
    let wanted = names.board.rows();
    if wanted.is_empty() {
        return Err(vec![super::no_board(source, line, "this game has no board")]);
    }
    let mut drawn = Vec::new();
    let mut misreads = Vec::new();
    if rows.len() != wanted.len() {
        let message = format!("expected {} rows, found {}", wanted.len(), rows.len());
        let wide = wanted.last().filter(|_| names.board.is_numbered()).map(|row| row.cells.len());
        let wide = wide.map(|cells| format!(", in rows of {cells}")).unwrap_or_default();
        let help = format!("draw every row, from top to bottom: the board is {}{wide}", names.board.words());
        misreads.push(Diagnostic::new(Code::WrongDiagram, source, line, message).help(help));
        // The numbers of empty cells are then those of other rows.
        if names.board.is_numbered() {
            return Err(misreads);
        }
    }
    for (words, row) in rows.iter().zip(wanted) {
        let span = span_of(words).unwrap_or(line);
        if words.len() != row.cells.len() {
            // The rows of a track have no names.
            let named = if row.label.is_empty() { String::new() } else { format!(" in row {}", row.label) };
            let message = format!("expected {} cells{named}, found {}", row.cells.len(), words.len());
            let misread = Diagnostic::new(Code::WrongDiagram, source, span, message);
            misreads.push(misread.help("separate the cells by spaces; write `.` for an empty cell"));
            continue;
        }
        for (word, cell) in words.iter().zip(&row.cells) {
            if !names.board.all().contains(*cell) {
                misreads.extend(not_a_hole(word));
                continue;
            }
            match token(names, word, *cell) {
                Ok(token) => drawn.push((*cell, token, word.span)),
                Err(misread) => misreads.push(misread),
            }
        }
    }
    if misreads.is_empty() { Ok(drawn) } else { Err(misreads) }
}

/// Returns the error for a word that stands where the board has no cell; `None` for the mark of a hole.
fn not_a_hole(word: &Word<'_>) -> Option<Diagnostic> {
    if word.text == HOLE && !word.quoted {
        return None;
    }
    let message = "the board has no cell here";
    Some(
        Diagnostic::on(Code::WrongDiagram, word, message)
            .help(format!("write `{HOLE}` for a cell that the board is without")),
    )
}

/// Returns the cells of a diagram of an open board: rows, and below them the coordinates of the bottom left cell. All
/// other cells are empty.
fn read_open(
    names: Names<'_>,
    rows: &[Vec<Word<'_>>],
    (source, line): (&Arc<Source>, Span),
) -> Result<Vec<Drawn>, Vec<Diagnostic>> {
    const FORM: &str = "write the coordinates of its bottom left cell as the last row: `| at (0,0)`";
    let wrong =
        |span: Span, message: String| vec![Diagnostic::new(Code::WrongDiagram, source, span, message).help(FORM)];
    let span = |words: &[Word<'_>]| span_of(words).unwrap_or(line);
    let Some((last, rows)) = rows.split_last() else { return Ok(Vec::new()) };
    let origin = match last.as_slice() {
        [at, origin @ ..] if at.text == "at" && !origin.is_empty() => {
            let name: String = origin.iter().map(|word| word.text).collect();
            names.board.cell(&name).ok_or_else(|| wrong(span(origin), format!("unknown cell `{name}`")))?
        }
        _ => return Err(wrong(span(last), "the location of this diagram on the open board is missing".to_owned())),
    };
    let (left, bottom) = names.board.spot(origin);
    let width = rows.first().map_or(0, Vec::len);
    let (mut drawn, mut misreads) = (Vec::new(), Vec::new());
    for (y, words) in (0..).zip(rows.iter().rev()) {
        if words.len() != width {
            let message = format!("expected {width} cells as in the first row, found {}", words.len());
            let misread = Diagnostic::new(Code::WrongDiagram, source, span(words), message);
            misreads.push(misread.help("draw all rows with the same number of cells; write `.` for an empty cell"));
            continue;
        }
        for (x, word) in (0..).zip(words) {
            let Some(cell) = names.board.cell_at(i64::from(left) + x, i64::from(bottom) + y) else {
                misreads.push(Diagnostic::on(Code::WrongDiagram, word, "this is beyond the limit of an open board"));
                continue;
            };
            match token(names, word, cell) {
                Ok(token) => drawn.push((cell, token, word.span)),
                Err(misread) => misreads.push(misread),
            }
        }
    }
    let shown = Cells::of(names.board.size(), drawn.iter().map(|(cell, _, _)| *cell));
    drawn.extend(names.board.all().difference(&shown).iter().map(|cell| (cell, Token::Empty, line)));
    if misreads.is_empty() { Ok(drawn) } else { Err(misreads) }
}

fn token(names: Names<'_>, word: &Word<'_>, cell: Cell) -> Result<Token, Diagnostic> {
    // Most cells of most diagrams are empty.
    if word.text == "." && !word.quoted {
        return Ok(Token::Empty);
    }
    if let Some(stack) = stack_tokens::read(names, word, cell)? {
        return Ok(match stack.as_slice() {
            [(pieces, 1)] => Token::Piece(pieces.clone(), None),
            _ => Token::Stack(stack),
        });
    }
    let pieces = &names.schema.pieces;
    let (player, word) = names.prefix(word)?;
    match word.text {
        _ if word.quoted => {}
        // An empty cell without a player was read above.
        "." | "?" if player.is_some() => {
            let message = "only a piece can have a player before it";
            let help = format!("write `{0}` alone, or a piece after the colon", word.text);
            return Err(Diagnostic::on(Code::WrongDiagram, &word, message).help(help));
        }
        "?" => return Ok(Token::Any),
        // Diagrams of tracks show an empty cell by its number.
        number if player.is_none() && names.board.is_numbered() && names.board.name(cell) == number => {
            return Ok(Token::Empty);
        }
        _ => {}
    }
    let down = word.inside_parentheses();
    let whose = player.map(|player| player.node);
    if down.is_some_and(|down| down.is("?")) && names.schema.back().is_some() {
        let card = pieces.iter().position(|piece| piece.card.is_some()).filter(|_| !names.schema.shows_cards());
        if let Some(card) = card {
            names.fits_prefix(word.source, player, PieceId::at(card))?;
        }
        return Ok(Token::Down(None, whose));
    }
    // A card that is face down may be in quotes within the parentheses.
    let text = match down {
        Some(down) if down.quoted => unescaped(down.text),
        Some(down) => Cow::Borrowed(down.text),
        None => Cow::Borrowed(word.text),
    };
    let text = &*text;
    let same = |piece: &super::PieceDef| piece.symbol == text || piece.name == text;
    let fits = |piece: &super::PieceDef| same(piece) && !piece.is_back() && (down.is_none() || piece.card.is_some());
    let found: Vec<PieceId> = (0..).zip(pieces).filter(|(_, piece)| fits(piece)).map(|(at, _)| PieceId(at)).collect();
    if let Some(first) = found.first() {
        names.fits_prefix(word.source, player, *first)?;
        return Ok(if down.is_some() { Token::Down(Some(found), whose) } else { Token::Piece(found, whose) });
    }
    if let Some(other) = other_number(names, &word, cell).filter(|_| player.is_none()) {
        return Err(other);
    }
    if down.is_some() {
        let cards = || pieces.iter().filter(|piece| piece.card.is_some()).map(|piece| piece.symbol.as_str());
        let help = did_you_mean(text, cards()).unwrap_or_else(|| match one_of(cards(), 14) {
            list if list.is_empty() => "this game has no cards".to_owned(),
            list => format!("write `(?)`, or the symbol of a card in parentheses: the cards are {list}"),
        });
        let message = format!("unknown card symbol `{text}`");
        return Err(Diagnostic::on(Code::UnknownSymbol, &word, message).help(help));
    }
    if word.text == HOLE && !names.board.is_whole() {
        let message = format!("`{}` is a cell of the board", names.board.name(cell));
        let help = format!("write `.` if it is empty: `{HOLE}` stands only for a cell that the board is without");
        return Err(Diagnostic::on(Code::WrongDiagram, &word, message).help(help));
    }
    let symbols = || pieces.iter().filter(|piece| !piece.is_back()).map(|piece| piece.symbol.as_str());
    let message = format!("unknown symbol `{}`", word.text);
    let help =
        did_you_mean(word.text, symbols()).unwrap_or_else(|| format!("the symbols are {}", one_of(symbols(), 14)));
    Err(Diagnostic::on(Code::UnknownSymbol, &word, message).help(help))
}

/// Returns the error for the number of another cell of a track.
fn other_number(names: Names<'_>, word: &Word<'_>, cell: Cell) -> Option<Diagnostic> {
    if !names.board.is_numbered() || word.text.parse::<u32>().is_err() {
        return None;
    }
    let message = format!("this is cell {}, not cell {}", names.board.name(cell), word.text);
    let help = format!("write `{}` or `.` if it is empty, otherwise the symbol of a piece", names.board.name(cell));
    Some(Diagnostic::on(Code::WrongDiagram, word, message).help(help))
}

/// Returns the pieces of a diagram, each with the cell nearest `a1` that it covers.
///
/// # Errors
/// Returns every piece that does not fill its footprint exactly, and every `?`.
pub fn placements(
    table: &Table,
    source: &Arc<Source>,
    drawn: &[Drawn],
) -> Result<Vec<(PieceId, Cell)>, Vec<Diagnostic>> {
    let mut groups: BTreeMap<&[PieceId], Vec<(Cell, Span)>> = BTreeMap::new();
    let mut misreads = Vec::new();
    for (cell, token, span) in drawn {
        match token {
            // See `face_down`.
            Token::Empty | Token::Down(..) | Token::Stack(_) => {}
            Token::Any => misreads.push(
                Diagnostic::new(Code::WrongDiagram, source, *span, "`?` is not allowed in a position")
                    .help("write `.` for an empty cell"),
            ),
            Token::Piece(pieces, _) => groups.entry(pieces).or_default().push((*cell, *span)),
        }
    }
    let mut placed = Vec::new();
    let (board, size) = (&*table.board, |piece: PieceId| table.size(piece));
    for (pieces, mut cells) in groups {
        if let Some(piece) = pieces.iter().find(|piece| table.schema.is_many(**piece)) {
            placed.extend(cells.iter().map(|(cell, _)| (*piece, *cell)));
            continue;
        }
        cells.sort_unstable();
        let all = Cells::of(board.size(), cells.iter().map(|(cell, _)| *cell));
        let mut left = all.clone();
        for piece in pieces {
            let Some(anchor) = left.iter().next() else { break };
            let whole = board.footprint(anchor, size(*piece)).filter(|cells| cells.difference(&left).is_empty());
            let Some(whole) = whole else { break };
            left = left.difference(&whole);
            placed.push((*piece, anchor));
        }
        let wrong = left.iter().next().and_then(|cell| cells.iter().find(|(other, _)| *other == cell));
        if let (Some((_, span)), Some(piece)) = (wrong, pieces.first()) {
            let (columns, rows) = size(*piece);
            let twice = pieces.len() == 1 && placed.iter().any(|(other, _)| other == piece);
            let (message, help) = if twice {
                ("this piece is drawn twice".to_owned(), "draw it once: there is only one".to_owned())
            } else {
                let size = format!("{columns} columns wide and {rows} rows high");
                let help = format!("draw it {size}, or change its size by a `piece … size` line in the scenario");
                (format!("this piece does not fill its {columns}x{rows} cells"), help)
            };
            misreads.push(Diagnostic::new(Code::WrongFootprint, source, *span, message).help(help));
        }
    }
    stacked(table, source, drawn, &mut placed, &mut misreads);
    if misreads.is_empty() { Ok(placed) } else { Err(misreads) }
}

/// Adds the pieces of the stacks of a diagram, of each from the bottom.
fn stacked(
    table: &Table,
    source: &Arc<Source>,
    drawn: &[Drawn],
    placed: &mut Vec<(PieceId, Cell)>,
    misreads: &mut Vec<Diagnostic>,
) {
    for (cell, token, span) in drawn {
        let Token::Stack(runs) = token else { continue };
        for (pieces, count) in runs.iter().rev() {
            for _ in 0..*count {
                let is_free =
                    |piece: &PieceId| table.schema.is_many(*piece) || placed.iter().all(|(other, _)| other != piece);
                let Some(piece) = pieces.iter().copied().find(is_free) else {
                    let message = "this piece is drawn twice";
                    let twice = Diagnostic::new(Code::WrongFootprint, source, *span, message);
                    misreads.push(twice.help("draw it once: there is only one"));
                    break;
                };
                placed.push((piece, *cell));
            }
        }
    }
}

/// Returns the cells of a diagram with face-down cards, each with the card if the diagram names it.
#[must_use]
pub fn face_down(drawn: &[Drawn]) -> Vec<(Cell, Option<PieceId>, Span)> {
    let down = drawn.iter().filter_map(|(cell, token, span)| match token {
        Token::Down(cards, _) => Some((*cell, cards.as_ref().and_then(|cards| cards.first().copied()), *span)),
        _ => None,
    });
    down.collect()
}

/// Returns the pieces of a diagram that may have a player before them, each with that player: those in `placed` and
/// face-down cards.
#[must_use]
pub fn drawn_players(
    table: &Table,
    drawn: &[Drawn],
    placed: &[(PieceId, Cell)],
) -> Vec<(PieceId, Option<PlayerId>, Span)> {
    if !table.schema.properties.iter().any(|property| property.in_drawings) {
        return Vec::new();
    }
    let mut lies: BTreeMap<Cell, PieceId> = BTreeMap::new();
    for (piece, cell) in placed {
        let cells = table.board.footprint(*cell, table.size(*piece));
        lies.extend(cells.iter().flat_map(Cells::iter).map(|cell| (cell, *piece)));
    }
    let named = drawn.iter().filter_map(|(cell, token, span)| {
        let piece = match token {
            Token::Down(cards, _) => cards.as_ref()?.first().copied(),
            _ => lies.get(cell).copied(),
        };
        Some((piece?, token.player(), *span))
    });
    named.filter(|(piece, _, _)| table.schema.drawn_property(*piece).is_some()).collect()
}

/// Returns whether a token matches the content of a cell.
#[must_use]
pub fn fits(state: &State, cell: Cell, token: &Token) -> bool {
    let down = || state.face(cell).and_then(Face::card);
    // An unknown card never has a player before it.
    let back = |player: Option<PlayerId>| down().and_then(|card| state.drawn_player(card)) == player;
    match (token, state.at(cell)) {
        (Token::Any, _) | (Token::Empty, None) => true,
        (Token::Piece(pieces, player), Some(piece)) => {
            pieces.contains(&piece) && state.drawn_player(piece) == *player && state.height(cell) == 1
        }
        (Token::Stack(runs), _) => stack_tokens::fits(state, cell, runs),
        (Token::Down(None, player), _) => state.face(cell).is_some() && back(*player),
        (Token::Down(Some(cards), player), _) => down().is_some_and(|card| cards.contains(&card)) && back(*player),
        _ => false,
    }
}

/// Returns a diagram of the board; `text` returns the text of each cell and whether it is highlighted.
pub fn draw_with(board: &Board, text: impl Fn(Cell) -> (String, bool)) -> Drawing {
    draw_cells(board, |cell| {
        let (text, marked) = text(cell);
        DrawnCell { text, marked, ..DrawnCell::default() }
    })
}

/// Returns a diagram of a position that a scenario draws; highlights the cells for which `marked` holds.
pub fn draw_tokens(state: &State, drawn: &[Drawn], marked: impl Fn(Cell) -> bool) -> Drawing {
    let arrows = state.table.arrows.clone();
    let tokens: BTreeMap<Cell, &Token> = drawn.iter().map(|(cell, token, _)| (*cell, token)).collect();
    let drawing = draw_cells(state.board(), |cell| {
        let token = tokens.get(&cell).copied().unwrap_or(&Token::Empty);
        let piece = token_piece(state.schema(), token).map(Box::new);
        let below = match token {
            Token::Stack(runs) => below(state.schema(), &first_of(runs)),
            _ => Vec::new(),
        };
        DrawnCell { text: token.write(state.schema()), marked: marked(cell), piece, below, ..DrawnCell::default() }
    });
    Drawing { arrows, ..drawing }
}

/// Returns the piece that a token puts on a cell.
fn token_piece(schema: &Schema, token: &Token) -> Option<DrawnPiece> {
    match token {
        Token::Empty | Token::Any => None,
        Token::Down(_, player) => Some(face_down_card(*player)),
        Token::Piece(pieces, player) => drawn_piece(schema, *pieces.first()?, *player),
        Token::Stack(runs) => drawn_piece(schema, *runs.first()?.0.first()?, None),
    }
}

/// Returns the first piece of each run.
fn first_of(runs: &[Run]) -> Vec<(PieceId, usize)> {
    runs.iter().filter_map(|(pieces, count)| Some((*pieces.first()?, *count))).collect()
}

/// Returns the pieces below the top one of a stack, from the top, each run with its number.
fn below(schema: &Schema, runs: &[(PieceId, usize)]) -> Vec<(DrawnPiece, usize)> {
    let below = runs.iter().enumerate().map(|(at, (piece, count))| (*piece, count - usize::from(at == 0)));
    below
        .filter(|(_, count)| *count > 0)
        .filter_map(|(piece, count)| Some((drawn_piece(schema, piece, None)?, count)))
        .collect()
}

fn face_down_card(player: Option<PlayerId>) -> DrawnPiece {
    DrawnPiece { name: "a face-down card".to_owned(), player, whole: None, lying: Lying::FaceDown }
}

/// Returns a piece that is face up; `player` is written before it.
fn drawn_piece(schema: &Schema, id: PieceId, player: Option<PlayerId>) -> Option<DrawnPiece> {
    let piece = schema.pieces.get(id.index())?;
    if piece.is_back() {
        return Some(face_down_card(player));
    }
    Some(DrawnPiece {
        name: piece.name.clone(),
        player: player.or(piece.owner),
        whole: (!piece.many && piece.card.is_none()).then_some(id),
        lying: if piece.card.is_some() { Lying::Card } else { Lying::Piece },
    })
}

/// Returns the piece on a cell.
fn piece_on(state: &State, cell: Cell) -> Option<DrawnPiece> {
    if let Some(face) = state.face(cell) {
        return Some(face_down_card(face.card().and_then(|card| state.drawn_player(card))));
    }
    let piece = state.at(cell)?;
    drawn_piece(state.schema(), piece, state.drawn_player(piece))
}

/// Returns a diagram of the board with these cells.
fn draw_cells(board: &Board, content: impl Fn(Cell) -> DrawnCell) -> Drawing {
    let content = |cell: Cell| {
        if board.name(cell).is_empty() {
            return DrawnCell { text: HOLE.to_owned(), ..DrawnCell::default() };
        }
        DrawnCell { cell: Some(cell), name: board.name(cell).to_owned(), dark: board.is_dark(cell), ..content(cell) }
    };
    if board.is_open() {
        return draw_open(board, content);
    }
    let (margin, rows) = (board.margin(), board.rows());
    let is_inside = |cell: Option<&Cell>| cell.map(|cell| !margin.contains(*cell));
    // Whether a margin begins or ends between two cells; false if there is no cell before.
    let border = |before: Option<&Cell>, cell: &Cell| before.is_some() && is_inside(before) != is_inside(Some(cell));
    let middle = |row: &super::board::Row| row.cells.get(row.cells.len() / 2).copied();
    let middles: Vec<Option<Cell>> = rows.iter().map(middle).collect();
    let widest = rows.get(rows.len() / 2).map(|row| row.cells.as_slice()).unwrap_or_default();
    let apart = |at: usize| {
        let pair = at.checked_sub(1).and_then(|before| widest.get(before)).zip(widest.get(at));
        pair.is_some_and(|(before, cell)| border(Some(before), cell))
    };
    let cell = |(at, cell): (usize, &Cell)| DrawnCell { apart: apart(at), ..content(*cell) };
    let row = |(at, row): (usize, &super::board::Row)| DrawnRow {
        label: row.label.clone(),
        indent: row.indent,
        cells: row.cells.iter().enumerate().map(cell).collect(),
        apart: at
            .checked_sub(1)
            .and_then(|before| middles.get(before)?.as_ref())
            .zip(middle(row))
            .is_some_and(|(before, cell)| border(Some(before), &cell)),
    };
    Drawing {
        shape: board.shape(),
        rows: rows.iter().enumerate().map(row).collect(),
        columns: board.columns().to_vec(),
        places: board.seconds().filter_map(|place| drawn_place(board, place, content(place))).collect(),
        points: board.as_graph().map(points).unwrap_or_default(),
        ..Drawing::default()
    }
}

/// Returns the coordinates of the places of a graph.
fn points(graph: &Graph) -> BTreeMap<Cell, (i32, i32)> {
    graph.places.iter().enumerate().map(|(at, place)| (Cell::at(at), place.at)).collect()
}

/// Returns a place of a second kind with what is on it.
fn drawn_place(board: &Board, place: Cell, cell: DrawnCell) -> Option<DrawnPlace> {
    let first = *board.touched_by(place).first()?;
    let ((x, y), (from_x, from_y)) = (board.fine_spot(place), board.fine_spot(first));
    let link = board.link(place).and_then(|link| {
        let ends = link.ends.map(Cell::at);
        let same = |other: &crate::GraphLink| other.ends == link.ends || other.ends == [link.ends[1], link.ends[0]];
        let alike = || board.as_graph().into_iter().flat_map(|graph| &graph.links).filter(|other| same(other));
        let number = alike().position(|other| other == link)?;
        Some(DrawnLink { ends, one_way: link.one_way, of: (number, alike().count()) })
    });
    Some(DrawnPlace { cell, kind: board.place_kind(place), beside: (first, (x - from_x, y - from_y)), link })
}

/// Returns a diagram of the occupied part of an open board, with a ring of empty cells around it.
fn draw_open(board: &Board, content: impl Fn(Cell) -> DrawnCell) -> Drawing {
    let shown: BTreeMap<Cell, DrawnCell> = board.cells().map(|cell| (cell, content(cell))).collect();
    let used = shown.iter().filter(|(_, cell)| cell.marked || cell.text != ".");
    let spots: Vec<(i32, i32)> = used.map(|(cell, _)| board.spot(*cell)).collect();
    let range = |at: fn(&(i32, i32)) -> i32| {
        let (low, high) = (spots.iter().map(at).min().unwrap_or(0), spots.iter().map(at).max().unwrap_or(0));
        (low - 1).max(-REACH)..=(high + 1).min(REACH)
    };
    let (columns, rows) = (range(|spot| spot.0), range(|spot| spot.1));
    let origin = (*columns.start(), *rows.start());
    let cell = |x: i32, y: i32| {
        let shown = board.cell_at(x.into(), y.into()).and_then(|cell| shown.get(&cell));
        shown.cloned().unwrap_or_default()
    };
    let row = |y: i32| DrawnRow {
        label: y.to_string(),
        cells: columns.clone().map(|x| cell(x, y)).collect(),
        ..DrawnRow::default()
    };
    Drawing {
        rows: rows.rev().map(row).collect(),
        columns: columns.clone().map(|x| x.to_string()).collect(),
        origin: Some(format!("({},{})", origin.0, origin.1)),
        ..Drawing::default()
    }
}

/// Returns a diagram of the position; highlights the cells for which `marked` holds.
pub fn draw(state: &State, marked: impl Fn(Cell) -> bool) -> Drawing {
    let drawing = draw_cells(state.board(), |cell| DrawnCell {
        text: symbol(state, cell),
        marked: marked(cell),
        piece: piece_on(state, cell).map(Box::new),
        below: if state.height(cell) > 1 { below(state.schema(), &runs_of(state.stack(cell))) } else { Vec::new() },
        held: held(state, cell).unwrap_or_default(),
        ..DrawnCell::default()
    });
    Drawing { notes: notes(state), arrows: state.table.arrows.clone(), ..drawing }
}

/// Returns a diagram of the position without highlighting; `None` in a game without a board.
#[must_use]
pub fn drawn(state: &State) -> Option<Drawing> {
    state.board().has_cells().then(|| draw(state, |_| false))
}

/// Returns the notes below a diagram: the pieces at the start of a track, and the arrows.
fn notes(state: &State) -> Vec<String> {
    let (board, table) = (state.board(), &state.table);
    let pieces = state.schema().pieces.iter().enumerate();
    let waiting = pieces.filter(|(at, piece)| {
        piece.owner.is_some_and(|owner| table.players.contains(&owner)) && state.is_off(PieceId::at(*at))
    });
    let waiting: Vec<&str> = waiting.map(|(_, piece)| piece.symbol.as_str()).collect();
    let start = (board.is_numbered() && !waiting.is_empty()).then(|| format!("start: {}", waiting.join(" ")));
    let arrows = table.arrows.iter().map(|(from, to)| format!("{} -> {}", board.name(*from), board.name(*to)));
    let arrows: Vec<String> = arrows.collect();
    let arrows = (!arrows.is_empty()).then(|| format!("arrows: {}", arrows.join(", ")));
    start.into_iter().chain(arrows).chain(beyond(state)).chain(amounts(state)).collect()
}

/// Returns the note `places: …` about the pieces on places of a second kind, which have no place in the rows of a diagram.
fn beyond(state: &State) -> Option<String> {
    let board = state.board();
    let on = |place: Cell| Some(format!("{} at {}", symbol_of(state, place)?, board.written(place)));
    let pieces: Vec<String> = board.seconds().filter_map(on).collect();
    (!pieces.is_empty()).then(|| format!("places: {}", pieces.join(", ")))
}

/// Returns the note `amounts: …` about what places have of resources.
fn amounts(state: &State) -> Option<String> {
    let board = state.board();
    let of = |place: Cell| Some(format!("{} {}", board.written(place), held(state, place)?));
    let amounts: Vec<String> = board.every_place().iter().filter_map(of).collect();
    (!amounts.is_empty()).then(|| format!("amounts: {}", amounts.join(", ")))
}

/// Returns what a place has of resources, as lines write it; `None` if it has none.
fn held(state: &State, place: Cell) -> Option<String> {
    let schema = state.schema();
    if schema.resources.is_empty() || !schema.has_values_of_places() {
        return None;
    }
    let amount = state.amount_of(Owner::Place(place));
    (!amount.is_empty()).then(|| schema.written_amount(&amount))
}

/// Returns the name of the piece on a place, as lines have it.
fn symbol_of(state: &State, place: Cell) -> Option<String> {
    Some(state.schema().written_piece(state.at(place)?))
}

/// Returns the text of a cell in a diagram.
#[must_use]
pub fn symbol(state: &State, cell: Cell) -> String {
    let schema = state.schema();
    let drawn = |piece: PieceId, face_down: bool| {
        let symbol = schema.pieces.get(piece.index()).map_or_else(String::new, PieceDef::drawn);
        let symbol = if face_down { format!("({symbol})") } else { symbol };
        schema.prefixed(state.drawn_player(piece), &symbol)
    };
    if let Some(card) = state.face(cell).and_then(Face::card) {
        return drawn(card, true);
    }
    if state.height(cell) > 1 || state.at(cell).is_some() && schema.counted_piece().is_some() {
        return stack_tokens::write(schema, &runs_of(state.stack(cell)));
    }
    let empty = || if state.board().is_numbered() { state.board().name(cell) } else { "." };
    state.at(cell).map_or_else(|| empty().to_owned(), |piece| drawn(piece, false))
}
