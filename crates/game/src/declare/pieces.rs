//! Declares pieces: kinds, names, sizes and symbols.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::declaring::{Declaring, MOST};
use crate::boards::Boards;
use referee_diagnostic::{Code, counted, did_you_mean};
use referee_source::Span;
use referee_syntax::ast::{self, LineKind};
use referee_table::{DeclaredKind, Each, KindId, PieceDef, PieceKind, PlayerId, is_ambiguous_in_stacks, is_symbol};

/// Declares every `piece` line.
pub(super) fn declare(declaring: &mut Declaring<'_>, boards: &Boards) {
    let mut lines = Vec::new();
    for line in &declaring.file.lines {
        let LineKind::Piece(piece) = &line.kind else { continue };
        if !declaring.has_room(declaring.schema.pieces.len(), MOST, "pieces", line.span) {
            break;
        }
        kind(declaring, piece, line.span);
        lines.resize(declaring.schema.kinds.len(), line.span);
    }
    clashes(declaring, &lines, boards);
}

fn kind(declaring: &mut Declaring<'_>, piece: &ast::Piece, line: Span) {
    let Some(first) = piece.name.first().copied() else { return };
    let name = declaring.text(first);
    declaring.declares(DeclaredKind::Kind, first, line);
    let many = piece.name.get(1).is_some_and(|span| declaring.text(*span) == "many");
    if let Some(second) = piece.name.get(if many { 2 } else { 1 }) {
        let near = did_you_mean(&declaring.text(*second), ["many", "for", "each", "size", "symbol", "symbols"]);
        // The piece is declared anyway, so that there is no second error about its name.
        declaring.report(Code::WrongPiece, *second, "the name of a piece is one word").help =
            near.or_else(|| Some("write `piece NAME [FIRST..LAST] [size COLUMNSxROWS]`".to_owned()));
    }
    declaring.name(&name, first);
    let each = match (piece.each, piece.numbers) {
        (Some(each), _) if declaring.text(each) != "player" => {
            let message = format!("expected `player`, found `{}`", declaring.text(each));
            declaring.report(Code::UnknownKind, each, message).help = Some("write `for each player`".to_owned());
            return;
        }
        (Some(_), None) => Each::Player,
        (None, Some(numbers)) => Each::Number(numbers.node.0, numbers.node.1),
        (None, None) => Each::One,
        (Some(_), Some(numbers)) => Each::PlayerNumber(numbers.node.0, numbers.node.1),
    };
    let size = piece.size.map_or((1, 1), |size| size.node);
    let (Ok(columns), Ok(rows)) = (u8::try_from(size.0), u8::try_from(size.1)) else {
        wrong_size(declaring, piece);
        return;
    };
    if !(1..=64).contains(&columns) || !(1..=64).contains(&rows) {
        wrong_size(declaring, piece);
        return;
    }
    if let Some(size) = piece.size.filter(|_| declaring.schema.has_stacks() && (columns, rows) != (1, 1)) {
        let message = "in a game in which pieces stack, each covers one cell";
        declaring.report(Code::WrongPiece, size.span, message).help =
            Some("remove this size, or remove `stacks` from the `board` line".to_owned());
    }
    let id = KindId::at(declaring.schema.kinds.len());
    declaring.schema.kinds.push(PieceKind { name: name.clone(), each, size: (columns, rows), home: None });
    if many && ((columns, rows) != (1, 1) || matches!(each, Each::Number(..) | Each::PlayerNumber(..))) {
        declaring.report(Code::WrongPiece, line, "`many` pieces cover one cell each, and have no numbers").help =
            Some("write for example `piece man many for each player symbols w b`".to_owned());
        return;
    }
    let mut defs = defs(declaring, id, &name, each, line);
    for def in &mut defs {
        def.many = many;
    }
    let count = declaring.schema.pieces.len() + defs.len();
    if declaring.has_room(count.saturating_sub(1), MOST, "pieces", line) {
        symbols(declaring, piece, defs, line);
    }
}

fn wrong_size(declaring: &mut Declaring<'_>, piece: &ast::Piece) {
    if let Some(size) = piece.size {
        declaring.report(Code::WrongPiece, size.span, "a piece is 1 to 64 columns wide and 1 to 64 rows high").help =
            Some("write for example `size 2x2`".to_owned());
    }
}

/// Returns the pieces of a kind with their names and default symbols.
fn defs(declaring: &mut Declaring<'_>, kind: KindId, name: &str, each: Each, line: Span) -> Vec<PieceDef> {
    match each {
        Each::One => vec![PieceDef {
            kind,
            name: name.to_owned(),
            symbol: name.to_owned(),
            owner: None,
            number: None,
            many: false,
            card: None,
        }],
        Each::Number(low, high) => {
            if !is_range(declaring, name, (low, high), 1, line) {
                return Vec::new();
            }
            let def = |number: i64| PieceDef {
                kind,
                name: format!("{name} {number}"),
                symbol: number.to_string(),
                owner: None,
                number: Some(number),
                many: false,
                card: None,
            };
            (low..=high).map(def).collect()
        }
        Each::PlayerNumber(low, high) => {
            if !is_range(declaring, name, (low, high), declaring.schema.players.len(), line) {
                return Vec::new();
            }
            let of = |at: usize, player: &str, number: i64| PieceDef {
                kind,
                name: format!("{player} {name} {number}"),
                symbol: format!("{player}{number}"),
                owner: Some(PlayerId::at(at)),
                number: Some(number),
                many: false,
                card: None,
            };
            let players = declaring.schema.players.iter().enumerate();
            players.flat_map(|(at, player)| (low..=high).map(move |number| of(at, player, number))).collect()
        }
        // Cards are in files of their own.
        Each::Card => Vec::new(),
        Each::Player => {
            // Pieces of the first kind with one `for each player` have only the names of the players. Those of house rules have
            // the same names whichever others are in use.
            let alone = declaring.is_of_game(line)
                && !declaring.schema.kinds.iter().take(kind.index()).any(|kind| kind.each == Each::Player);
            let def = |(at, player): (usize, &String)| {
                let full = if alone { player.clone() } else { format!("{player} {name}") };
                PieceDef {
                    kind,
                    symbol: full.clone(),
                    name: full,
                    owner: Some(PlayerId::at(at)),
                    number: None,
                    many: false,
                    card: None,
                }
            };
            declaring.schema.players.iter().enumerate().map(def).collect()
        }
    }
}

/// Returns whether the numbers of pieces are a range, and not too many for `players`; reports otherwise.
fn is_range(declaring: &mut Declaring<'_>, name: &str, (low, high): (i64, i64), players: usize, line: Span) -> bool {
    if low > high {
        let each = if players == 1 { "" } else { " for each player" };
        declaring.report(Code::WrongPiece, line, "pieces are numbered from the lowest to the highest number").help =
            Some(format!("write for example `piece {name} 1..4{each}`"));
        return false;
    }
    let many = usize::try_from(high.saturating_sub(low)).unwrap_or(usize::MAX).saturating_add(1);
    let all = many.saturating_mul(players.max(1));
    declaring.has_room(all.saturating_sub(1), MOST, "pieces", line)
}

fn symbols(declaring: &mut Declaring<'_>, piece: &ast::Piece, mut defs: Vec<PieceDef>, line: Span) {
    let mut given: Vec<String> = piece.symbols.iter().map(|span| declaring.text(*span)).collect();
    let players = declaring.schema.players.len();
    let of_each = defs.iter().all(|def| def.owner.is_some() && def.number.is_some());
    if of_each && given.len() == players && given.len() != defs.len() {
        // One symbol for each player, before the numbers: `w1 w2 … b1 b2 …`.
        let before = |def: &PieceDef| given.get(def.owner?.index()).zip(def.number);
        let symbol = |def: &PieceDef| before(def).map(|(player, number)| format!("{player}{number}"));
        given = defs.iter().filter_map(symbol).collect();
    }
    if !given.is_empty() && !defs.is_empty() && given.len() != defs.len() {
        let span = piece.symbols.first().zip(piece.symbols.last()).map_or(line, |(first, last)| first.to(*last));
        let message = format!("expected {}, found {}", counted(defs.len(), "symbol"), given.len());
        declaring.report(Code::WrongSymbols, span, message).help = Some(match of_each {
            true => format!("give one symbol for each player, which the numbers follow, or {} in all", defs.len()),
            false => "give one symbol for each piece, in the same order".to_owned(),
        });
    }
    for (def, symbol) in defs.iter_mut().zip(given) {
        def.symbol = symbol;
    }
    declaring.schema.pieces.extend(defs);
}

/// Returns symbols for the pieces of a kind that no other piece has, `symbols a b`; `None` if there are not enough letters.
fn free_symbols(pieces: &[PieceDef], kind: KindId) -> Option<String> {
    let count = pieces.iter().filter(|piece| piece.kind == kind).count();
    let taken: BTreeSet<&str> = pieces.iter().map(|piece| piece.symbol.as_str()).collect();
    let free = ('a'..='z').map(String::from).filter(|letter| !taken.contains(letter.as_str()));
    let free: Vec<String> = free.take(count).collect();
    let word = if count == 1 { "symbol" } else { "symbols" };
    (free.len() == count).then(|| format!("{word} {}", free.join(" ")))
}

/// Reports symbols that cannot be written, once for each line.
fn unwritten_symbols(declaring: &mut Declaring<'_>, lines: &[Span], pieces: &[PieceDef]) {
    let mut reported: Option<KindId> = None;
    // Pieces are sorted by kind.
    for piece in pieces.iter().filter(|piece| !is_symbol(&piece.symbol)) {
        if reported.replace(piece.kind) == Some(piece.kind) {
            continue;
        }
        let line = lines.get(piece.kind.index()).copied().unwrap_or_default();
        let message = format!("`{}` cannot be written in a diagram", piece.symbol);
        let help = match free_symbols(pieces, piece.kind) {
            Some(free) => format!("choose a letter: write for example `{free}` at the end of the line"),
            None => "choose a letter".to_owned(),
        };
        declaring.advise(Code::WrongSymbols, line, message, help);
    }
}

/// Reports symbols that two pieces share, once for each line.
fn same_symbols(declaring: &mut Declaring<'_>, lines: &[Span], pieces: &[PieceDef]) {
    let mut symbols: BTreeMap<&str, &PieceDef> = BTreeMap::new();
    let mut clashes: BTreeMap<KindId, Vec<(&PieceDef, &PieceDef)>> = BTreeMap::new();
    for piece in pieces {
        match symbols.get(piece.symbol.as_str()) {
            Some(other) => clashes.entry(piece.kind).or_default().push((other, piece)),
            None => drop(symbols.insert(&piece.symbol, piece)),
        }
    }
    for (kind, clashes) in clashes {
        let line = lines.get(kind.index()).copied().unwrap_or_default();
        let Some((other, piece)) = clashes.first() else { continue };
        let more = match clashes.len() {
            1 => String::new(),
            2 => "; 1 more piece of this line has the symbol of another".to_owned(),
            several => format!("; {} more pieces of this line have the symbols of others", several - 1),
        };
        let message = format!("`{}` and `{}` have the same symbol `{}`{more}", other.name, piece.name, piece.symbol);
        let help = match free_symbols(pieces, kind) {
            Some(free) => format!("give each piece a different symbol, such as `{free}`"),
            None => "give each piece a different symbol, after the word `symbols`".to_owned(),
        };
        let source = Arc::clone(&declaring.file.source);
        let first = lines.get(other.kind.index()).copied().unwrap_or_default();
        let is_elsewhere = !Arc::ptr_eq(&source.of_part(first).0, &source.of_part(line).0);
        let wrong = declaring.report(Code::DuplicateSymbol, line, message);
        wrong.help = Some(help);
        if is_elsewhere {
            *wrong = wrong.clone().also(&source, first, format!("`{}`", other.name));
        }
    }
}

/// Reports symbols that two pieces share, reserved symbols, and names that are cells.
fn clashes(declaring: &mut Declaring<'_>, lines: &[Span], boards: &Boards) {
    let board = boards.get(&declaring.schema, &declaring.schema.board);
    let pieces = declaring.schema.pieces.clone();
    same_symbols(declaring, lines, &pieces);
    unwritten_symbols(declaring, lines, &pieces);
    for piece in &pieces {
        let line = lines.get(piece.kind.index()).copied().unwrap_or_default();
        if matches!(piece.symbol.as_str(), "." | "?") || piece.symbol.starts_with('(') {
            declaring
                .report(Code::ReservedWord, line, format!("`{}` means something else in diagrams", piece.symbol))
                .help = Some("choose a letter".to_owned());
        }
        let counts = || declaring.schema.counted_piece().is_some() && piece.symbol.parse::<usize>().is_ok();
        if declaring.schema.has_stacks() && (is_ambiguous_in_stacks(&piece.symbol) || counts()) {
            declaring
                .report(Code::ReservedWord, line, format!("`{}` means several pieces where pieces stack", piece.symbol))
                .help = Some("choose a letter".to_owned());
        }
        if board.as_ref().is_ok_and(|board| board.cell(&piece.name).is_some()) {
            declaring.report(Code::DuplicateName, line, format!("`{}` is the name of a cell", piece.name)).help =
                Some("choose another name".to_owned());
        }
    }
    let players = declaring.schema.players.clone();
    for player in players {
        if board.as_ref().is_ok_and(|board| board.cell(&player).is_some()) {
            let line = declaring.file.lines.iter().find(|line| matches!(line.kind, LineKind::Players { .. }));
            let span = line.map_or(Span::default(), |line| line.span);
            declaring.report(Code::DuplicateName, span, format!("`{player}` is the name of a cell")).help =
                Some("choose another name".to_owned());
        }
    }
}
