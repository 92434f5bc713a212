//! Boards as people draw them: tokens between blanks, the top row first.

use std::collections::BTreeMap;

use super::board::REACH;
use super::{Board, Cell, Cells, Face, Misread, Names, PieceId, PlayerId, Schema, State, Table};
use super::{Drawing, DrawnCell, DrawnRow};
use crate::diagnostic::{did_you_mean, one_of};
use crate::source::{Span, Word};

/// What a diagram says of one cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token {
    /// `.`: nothing lies there.
    Empty,
    /// `?`: anything may lie there.
    Any,
    /// One of these pieces, which share a symbol, and the player before it.
    Piece(Vec<PieceId>, Option<PlayerId>),
    /// `(?)`: a card that lies face down; `(R3)`: one of these; and the player before it.
    Down(Option<Vec<PieceId>>, Option<PlayerId>),
}

impl Token {
    /// Returns the player before the piece.
    #[must_use]
    pub const fn player(&self) -> Option<PlayerId> {
        match self {
            Self::Piece(_, player) | Self::Down(_, player) => *player,
            Self::Empty | Self::Any => None,
        }
    }

    /// As a drawing has it.
    #[must_use]
    pub fn write(&self, schema: &Schema) -> String {
        let symbol = |pieces: &[PieceId]| {
            let piece = pieces.first().and_then(|piece| schema.pieces.get(piece.index()));
            piece.map_or("", |piece| piece.symbol.as_str())
        };
        match self {
            Self::Empty => ".".to_owned(),
            Self::Any => "?".to_owned(),
            Self::Piece(pieces, player) => schema.prefixed(*player, symbol(pieces)),
            Self::Down(cards, player) => {
                schema.prefixed(*player, &format!("({})", cards.as_deref().map_or("?", symbol)))
            }
        }
    }
}

/// One cell of a diagram: where, what, and where it is written.
pub type Drawn = (Cell, Token, Span);

/// Returns the cells of a diagram, row after row; `end` is the place of the line above it.
///
/// # Errors
/// Every row that is too long or short, every unknown symbol.
pub fn read_diagram(names: Names<'_>, rows: &[Vec<Word<'_>>], end: Span) -> Result<Vec<Drawn>, Vec<Misread>> {
    if names.board.is_open() {
        return read_open(names, rows, end);
    }
    let wanted = names.board.rows();
    if wanted.is_empty() {
        return Err(vec![super::names::no_board(end, "this game has no board that could be drawn")]);
    }
    let mut drawn = Vec::new();
    let mut misreads = Vec::new();
    if rows.len() != wanted.len() {
        let message = format!("the diagram has {} rows, the board {}", rows.len(), wanted.len());
        let help = format!("the board is {}; draw every row, the top one first", names.board.words());
        misreads.push(Misread::new("wrong_diagram", end, message).help(help));
    }
    for (words, row) in rows.iter().zip(wanted) {
        let span = words.first().zip(words.last()).map_or(end, |(first, last)| first.span.to(last.span));
        if words.len() != row.cells.len() {
            let plural = if words.len() == 1 { "" } else { "s" };
            let (count, wanted) = (words.len(), row.cells.len());
            let message = format!("this row has {count} cell{plural}, and row {} of the board has {wanted}", row.label);
            misreads
                .push(Misread::new("wrong_diagram", span, message).help("separate the cells by blanks; `.` is empty"));
            continue;
        }
        for (word, cell) in words.iter().zip(&row.cells) {
            match token(names, word, *cell) {
                Ok(token) => drawn.push((*cell, token, word.span)),
                Err(misread) => misreads.push(misread),
            }
        }
    }
    if misreads.is_empty() { Ok(drawn) } else { Err(misreads) }
}

/// Returns a part of an open board: rows, and below them the coordinates of the first cell of the last row. All else is
/// empty.
fn read_open(names: Names<'_>, rows: &[Vec<Word<'_>>], end: Span) -> Result<Vec<Drawn>, Vec<Misread>> {
    const FORM: &str = "write the coordinates of its bottom left cell as the last row: `| at (0,0)`";
    let wrong = |span: Span, message: String| vec![Misread::new("wrong_diagram", span, message).help(FORM)];
    let span =
        |words: &[Word<'_>]| words.first().zip(words.last()).map_or(end, |(first, last)| first.span.to(last.span));
    let Some((last, rows)) = rows.split_last() else { return Ok(Vec::new()) };
    let origin = match last.as_slice() {
        [at, origin @ ..] if at.text == "at" && !origin.is_empty() => {
            let name: String = origin.iter().map(|word| word.text).collect();
            names.board.cell(&name).ok_or_else(|| wrong(span(origin), format!("the board has no cell `{name}`")))?
        }
        _ => return Err(wrong(span(last), "this drawing does not say where on the open board it is".to_owned())),
    };
    let (left, bottom) = names.board.spot(origin);
    let width = rows.first().map_or(0, Vec::len);
    let (mut drawn, mut misreads) = (Vec::new(), Vec::new());
    for (y, words) in (0..).zip(rows.iter().rev()) {
        if words.len() != width {
            let message = format!("this row has {} cells, and the first one has {width}", words.len());
            let misread = Misread::new("wrong_diagram", span(words), message);
            misreads.push(misread.help("rows of a drawing are of one length; `.` is empty"));
            continue;
        }
        for (x, word) in (0..).zip(words) {
            let Some(cell) = names.board.cell_at(i64::from(left) + x, i64::from(bottom) + y) else {
                misreads.push(Misread::new(
                    "wrong_diagram",
                    word.span,
                    "this is further out than an open board reaches",
                ));
                continue;
            };
            match token(names, word, cell) {
                Ok(token) => drawn.push((cell, token, word.span)),
                Err(misread) => misreads.push(misread),
            }
        }
    }
    let shown = Cells::of(names.board.size(), drawn.iter().map(|(cell, _, _)| *cell));
    drawn.extend(names.board.all().difference(&shown).iter().map(|cell| (cell, Token::Empty, end)));
    if misreads.is_empty() { Ok(drawn) } else { Err(misreads) }
}

fn token(names: Names<'_>, word: &Word<'_>, cell: Cell) -> Result<Token, Misread> {
    let pieces = &names.schema.pieces;
    let (player, word) = names.prefix(word)?;
    match word.text {
        "." | "?" if player.is_some() => {
            let message = "a player stands before a piece, and this is none";
            let help = format!("write `{0}` alone, or a piece behind the colon", word.text);
            return Err(Misread::new("wrong_diagram", word.span, message).help(help));
        }
        "." => return Ok(Token::Empty),
        "?" => return Ok(Token::Any),
        // As an empty cell of a track is drawn.
        number if player.is_none() && names.board.is_numbered() && names.board.name(cell) == number => {
            return Ok(Token::Empty);
        }
        _ => {}
    }
    let down = word.text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    let whose = player.map(|player| player.node);
    if down == Some("?") && names.schema.back().is_some() {
        let card = pieces.iter().position(|piece| piece.card.is_some()).filter(|_| !names.schema.shows_cards());
        if let Some(card) = card {
            names.fits_prefix(player, PieceId::at(card))?;
        }
        return Ok(Token::Down(None, whose));
    }
    let text = down.unwrap_or(word.text);
    let same = |piece: &super::PieceDef| piece.symbol == text || piece.name == text;
    let fits = |piece: &super::PieceDef| same(piece) && !piece.is_back() && (down.is_none() || piece.card.is_some());
    let found: Vec<PieceId> = (0..).zip(pieces).filter(|(_, piece)| fits(piece)).map(|(at, _)| PieceId(at)).collect();
    if let Some(first) = found.first() {
        names.fits_prefix(player, *first)?;
        return Ok(if down.is_some() { Token::Down(Some(found), whose) } else { Token::Piece(found, whose) });
    }
    if down.is_some() {
        let cards = || pieces.iter().filter(|piece| piece.card.is_some()).map(|piece| piece.symbol.as_str());
        let help = did_you_mean(text, cards()).unwrap_or_else(|| match one_of(cards(), 14) {
            list if list.is_empty() => "this game has no cards".to_owned(),
            list => format!("a face-down card is written `(?)`, or with its symbol: the cards are {list}"),
        });
        let message = format!("no card has the symbol `{text}`");
        return Err(Misread::new("unknown_symbol", word.span, message).help(help));
    }
    let symbols = || pieces.iter().filter(|piece| !piece.is_back()).map(|piece| piece.symbol.as_str());
    let message = format!("no piece has the symbol `{}`", word.text);
    let help =
        did_you_mean(word.text, symbols()).unwrap_or_else(|| format!("the symbols are {}", one_of(symbols(), 14)));
    Err(Misread::new("unknown_symbol", word.span, message).help(help))
}

/// Returns the pieces of a diagram with the cells nearest `a1` that they cover.
///
/// # Errors
/// Every piece that does not fill its footprint exactly, every `?`.
pub fn placements(table: &Table, drawn: &[Drawn]) -> Result<Vec<(PieceId, Cell)>, Vec<Misread>> {
    let mut groups: BTreeMap<&[PieceId], Vec<(Cell, Span)>> = BTreeMap::new();
    let mut misreads = Vec::new();
    for (cell, token, span) in drawn {
        match token {
            // See `face_down`.
            Token::Empty | Token::Down(..) => {}
            Token::Any => misreads.push(
                Misread::new("wrong_diagram", *span, "`?` cannot stand in a position")
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
                ("this piece is drawn twice".to_owned(), "there is one of it: draw it once".to_owned())
            } else {
                let size = format!("{columns} columns wide and {rows} rows high");
                let help = format!("it is {size}; a `piece … size` line in the scenario can change that");
                (format!("this piece does not fill its {columns}x{rows} cells"), help)
            };
            misreads.push(Misread::new("wrong_footprint", *span, message).help(help));
        }
    }
    if misreads.is_empty() { Ok(placed) } else { Err(misreads) }
}

/// Returns the cells of a diagram on which cards lie face down, with the card where the diagram says it.
#[must_use]
pub fn face_down(drawn: &[Drawn]) -> Vec<(Cell, Option<PieceId>, Span)> {
    let down = drawn.iter().filter_map(|(cell, token, span)| match token {
        Token::Down(cards, _) => Some((*cell, cards.as_ref().and_then(|cards| cards.first().copied()), *span)),
        _ => None,
    });
    down.collect()
}

/// Returns the pieces of a diagram before which a player may be written, each with that player: those `placed` and
/// face-down cards.
#[must_use]
pub fn drawn_players(
    table: &Table,
    drawn: &[Drawn],
    placed: &[(PieceId, Cell)],
) -> Vec<(PieceId, Option<PlayerId>, Span)> {
    let mut lies: BTreeMap<Cell, PieceId> = BTreeMap::new();
    for (piece, cell) in placed {
        let cells = table.board.footprint(*cell, table.size(*piece));
        lies.extend(cells.iter().flat_map(Cells::iter).map(|cell| (cell, *piece)));
    }
    let said = drawn.iter().filter_map(|(cell, token, span)| {
        let piece = match token {
            Token::Down(cards, _) => cards.as_ref()?.first().copied(),
            _ => lies.get(cell).copied(),
        };
        Some((piece?, token.player(), *span))
    });
    said.filter(|(piece, _, _)| table.schema.drawn_property(*piece).is_some()).collect()
}

/// Returns whether a token fits what lies on a cell.
#[must_use]
pub fn fits(state: &State, cell: Cell, token: &Token) -> bool {
    let down = || state.face(cell).and_then(Face::card);
    // No player is written before an unknown card.
    let back = |player: Option<PlayerId>| down().and_then(|card| state.drawn_player(card)) == player;
    match (token, state.at(cell)) {
        (Token::Any, _) | (Token::Empty, None) => true,
        (Token::Piece(pieces, player), Some(piece)) => pieces.contains(&piece) && state.drawn_player(piece) == *player,
        (Token::Down(None, player), _) => state.face(cell).is_some() && back(*player),
        (Token::Down(Some(cards), player), _) => down().is_some_and(|card| cards.contains(&card)) && back(*player),
        _ => false,
    }
}

/// Returns the board as it is drawn in text, with what `text` says for each cell and whether it is to stand out.
pub fn draw_with(board: &Board, text: impl Fn(Cell) -> (String, bool)) -> Drawing {
    if board.is_open() {
        return draw_open(board, text);
    }
    let (inside, rows) = (board.inside(), board.rows());
    let is_inside = |cell: Option<&Cell>| cell.map(|cell| inside.contains(*cell));
    // Where a margin begins or ends, if the cell before is on the board at all.
    let border = |before: Option<&Cell>, cell: &Cell| before.is_some() && is_inside(before) != is_inside(Some(cell));
    let middle = |row: &super::board::Row| row.cells.get(row.cells.len() / 2).copied();
    let middles: Vec<Option<Cell>> = rows.iter().map(middle).collect();
    let widest = rows.get(rows.len() / 2).map(|row| row.cells.as_slice()).unwrap_or_default();
    let apart = |at: usize| {
        let pair = at.checked_sub(1).and_then(|before| widest.get(before)).zip(widest.get(at));
        pair.is_some_and(|(before, cell)| border(Some(before), cell))
    };
    let cell = |(at, cell): (usize, &Cell)| {
        let (text, marked) = text(*cell);
        DrawnCell { text, marked, apart: apart(at) }
    };
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
        rows: rows.iter().enumerate().map(row).collect(),
        columns: board.columns().to_vec(),
        notes: Vec::new(),
        origin: None,
    }
}

/// What lies on an open board, and a ring of empty cells around it.
fn draw_open(board: &Board, text: impl Fn(Cell) -> (String, bool)) -> Drawing {
    let shown: BTreeMap<Cell, (String, bool)> = board.cells().map(|cell| (cell, text(cell))).collect();
    let used = shown.iter().filter(|(_, (text, marked))| *marked || text != ".");
    let spots: Vec<(i32, i32)> = used.map(|(cell, _)| board.spot(*cell)).collect();
    let range = |at: fn(&(i32, i32)) -> i32| {
        let (low, high) = (spots.iter().map(at).min().unwrap_or(0), spots.iter().map(at).max().unwrap_or(0));
        (low - 1).max(-REACH)..=(high + 1).min(REACH)
    };
    let (columns, rows) = (range(|spot| spot.0), range(|spot| spot.1));
    let origin = (*columns.start(), *rows.start());
    let cell = |x: i32, y: i32| {
        let shown = board.cell_at(x.into(), y.into()).and_then(|cell| shown.get(&cell));
        let (text, marked) = shown.cloned().unwrap_or_default();
        DrawnCell { text, marked, apart: false }
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
        notes: Vec::new(),
    }
}

/// Returns the position, with the cells set off for which `marked` holds.
pub fn draw(state: &State, marked: impl Fn(Cell) -> bool) -> Drawing {
    let drawing = draw_with(state.board(), |cell| (symbol(state, cell), marked(cell)));
    Drawing { notes: notes(state), ..drawing }
}

/// Returns the position, marked nowhere; `None` in a game without a board.
#[must_use]
pub fn drawn(state: &State) -> Option<Drawing> {
    state.board().has_cells().then(|| draw(state, |_| false))
}

/// What the cells do not show: who stands at the start of a track, and the arrows.
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
    start.into_iter().chain(arrows).collect()
}

/// What a diagram shows for a cell.
#[must_use]
pub fn symbol(state: &State, cell: Cell) -> String {
    let schema = state.schema();
    let drawn = |piece: PieceId, face_down: bool| {
        let symbol = schema.pieces.get(piece.index()).map_or("", |piece| piece.symbol.as_str());
        let symbol = if face_down { format!("({symbol})") } else { symbol.to_owned() };
        schema.prefixed(state.drawn_player(piece), &symbol)
    };
    if let Some(card) = state.face(cell).and_then(Face::card) {
        return drawn(card, true);
    }
    let empty = || if state.board().is_numbered() { state.board().name(cell) } else { "." };
    state.at(cell).map_or_else(|| empty().to_owned(), |piece| drawn(piece, false))
}
