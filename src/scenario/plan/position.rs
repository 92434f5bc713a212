//! Resolves position lines into a state: sizes of board and pieces, players, options and the content of cells.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::diagnostic::{Diagnostic, did_you_mean, one_of};
use crate::game::Game;
use crate::scenario::plan::actions::taking_part;
use crate::scenario::plan::blocks::is_position;
use crate::scenario::plan::joined::report_joined;
use crate::scenario::plan::players::{Mentioned, players};
use crate::scenario::plan::prefixes::{self, Origin};
use crate::scenario::plan::resolver::{Resolver, end_of, names, placeholder, those_who_play};
use crate::source::{Span, Spanned, Word};
use crate::syntax::ast::{BoardShape, Line, LineKind};
use crate::table::{
    Board, BoardSpec, Cell, Face, Laid, Owner, PieceId, PlaceError, Placing, PlayerId, Prefixes, PropertyId, Schema,
    SetValue, Setting, State, Table, Variant, ZoneId, drawn_players, face_down, placements, read_diagram,
};

/// The context of a position: the game and the settings of the scenario.
pub(crate) struct Frame<'g> {
    pub(crate) game: &'g Game,
    pub(crate) variant: usize,
    pub(crate) options: Vec<Setting>,
    /// The board of a house rule, which replaces the game's.
    pub(crate) board: Option<BoardSpec>,
    /// Whether the scenario has a line `setup`.
    pub(crate) own_setup: bool,
}

/// The pieces of which there is one, each with the location that places it.
type Placed = BTreeMap<PieceId, (Origin, Span)>;
/// The values that `set` lines have set, each with the last line.
type Assigned = BTreeMap<(PropertyId, Owner), (Origin, Span)>;

/// Returns the state at the start of the scenario with this `head`, from its position lines and those of its shared
/// positions. The names `mentioned` in the scenario determine the players if no line names them.
///
/// # Errors
/// Reports the errors of the lines. Returns the table if all is known of it.
pub(crate) fn resolve(
    resolver: &mut Resolver<'_>,
    frame: &Frame<'_>,
    sorted: &[(Origin, &Line)],
    mentioned: &Mentioned<'_>,
    head: Span,
) -> Result<State, Option<Arc<Table>>> {
    let before = resolver.wrong.len();
    let lines: Vec<&Line> = sorted.iter().map(|(_, line)| *line).collect();
    let lines = lines.as_slice();
    drawn_twice(resolver, lines);
    let drawn = resolver.wrong.len();
    let mut state = State::new(Arc::new(table(resolver, frame, (lines, head), mentioned).ok_or(None)?));
    let is_known = resolver.wrong.len() == drawn;
    if replaces_set_up(lines) {
        let (mut placed_by, mut whose, mut assigned) = (Placed::new(), Prefixes::new(), Assigned::new());
        for (origin, line) in sorted.iter().filter(|(_, line)| is_position(&line.kind)) {
            if resolver.is_full() {
                break;
            }
            match &line.kind {
                LineKind::Board { rows, .. } if !rows.is_empty() => {
                    for piece in diagram(resolver, (&mut state, &mut whose), rows, (*origin, line.span)) {
                        placed_by.insert(piece, (*origin, line.span));
                    }
                }
                LineKind::Place(list) => {
                    for placement in list {
                        let placed = place(resolver, (&mut state, &mut whose), placement, (*origin, line.span));
                        let Some((piece, span)) = placed else { continue };
                        match placed_by.insert(piece, (*origin, span)) {
                            Some((first, place)) if first >= *origin => {
                                placed_twice(resolver, &state, piece, span, place);
                            }
                            _ => {}
                        }
                    }
                }
                LineKind::Set(words) => {
                    let words = resolver.words(words);
                    set(resolver, (&mut state, &mut whose, &mut assigned), &words, (*origin, line.span));
                }
                _ => {}
            }
        }
        crate::scenario::plan::cards::lay_out(resolver, &mut state, lines);
    } else if let Some(variant) = frame.game.schema.variants.get(frame.variant) {
        let own_board = !sets_up_itself(frame, lines) && !is_for_another(resolver, frame, lines, variant);
        if own_board {
            set_up(resolver, variant, &mut state, head);
        }
        set_values(variant, &mut state, own_board);
        let owner = |zone: ZoneId| state.schema().zones.get(zone.index()).and_then(|zone| zone.owner);
        let plays = |laid: &&Laid| owner(laid.zone).is_none_or(|owner| state.table.players.contains(&owner));
        let laid: Vec<Laid> = variant.laid.iter().filter(plays).cloned().collect();
        state.lay_out(&laid);
    }
    if resolver.wrong.len() == before { Ok(state) } else { Err(Some(state.table).filter(|_| is_known)) }
}

/// Returns whether position lines replace the game's set-up.
pub(crate) fn replaces_set_up(lines: &[&Line]) -> bool {
    lines.iter().any(|line| {
        matches!(&line.kind, LineKind::Place(_) | LineKind::Set(_) | LineKind::Cards { .. })
            || matches!(&line.kind, LineKind::Board { rows, .. } if !rows.is_empty())
    })
}

fn drawn_twice(resolver: &mut Resolver<'_>, lines: &[&Line]) {
    let mut drawings =
        lines.iter().filter(|line| matches!(&line.kind, LineKind::Board { rows, .. } if !rows.is_empty()));
    let Some(first) = drawings.next() else { return };
    for line in drawings {
        let wrong =
            Diagnostic::new("duplicate_line", resolver.source, line.span, "this position already has a diagram");
        let wrong = wrong.also(resolver.source, first.span, "the first one");
        resolver.report(
            wrong.help("draw the board once, or change it with `place` lines: a diagram shows the whole board"),
        );
    }
}

fn placed_twice(resolver: &mut Resolver<'_>, state: &State, piece: PieceId, span: Span, first: Span) {
    let name = state.schema().piece_name(piece);
    let message = format!("this position already says where {name} is");
    let wrong = Diagnostic::new("placed_twice", resolver.source, span, message);
    resolver
        .report(wrong.also(resolver.source, first, "here").help("remove one of the two: there is only one such piece"));
}

/// Returns whether only `fn setup()` puts pieces on the board. The lines of the game file apply to the game's board,
/// not to the board of a house rule or of a scenario with a line `setup`.
fn sets_up_itself(frame: &Frame<'_>, lines: &[&Line]) -> bool {
    frame.board.is_some() || frame.own_setup && own_board(lines).is_some()
}

/// Returns the shape of the board that the last such line of a scenario sets.
fn own_board(lines: &[&Line]) -> Option<BoardShape> {
    lines.iter().rev().find_map(|line| match line.kind {
        LineKind::Board { shape, .. } => shape,
        _ => None,
    })
}

/// Returns whether the lines of the game file place pieces on a board of another size than the scenario's. Reports
/// this.
fn is_for_another(resolver: &mut Resolver<'_>, frame: &Frame<'_>, lines: &[&Line], variant: &Variant) -> bool {
    let schema = &frame.game.schema;
    let is_other = |own: &BoardShape| {
        crate::game::board_spec(resolver.source, *own).is_ok_and(|spec| spec != schema.board_of(frame.variant))
    };
    let (Some(own), false) = (own_board(lines).filter(is_other), !variant.is_for_one_board()) else { return false };
    let message = "the game's set-up is for another board, so this board has no position";
    let help =
        "draw the position below, or place pieces with `place`; if the rules set up boards of any size, write `setup`";
    resolver.report(Diagnostic::new("does_not_fit", resolver.source, own.span, message).help(help));
    true
}

fn table(
    resolver: &mut Resolver<'_>,
    frame: &Frame<'_>,
    (lines, head): (&[&Line], Span),
    mentioned: &Mentioned<'_>,
) -> Option<Table> {
    let schema = &frame.game.schema;
    let mut shape = frame.board.unwrap_or_else(|| schema.board_of(frame.variant));
    for line in lines {
        if let LineKind::Board { shape: Some(own), .. } = &line.kind {
            match crate::game::board_spec(resolver.source, *own) {
                Ok(_) if schema.board == BoardSpec::None => {
                    let message = "this game has no board";
                    let wrong = Diagnostic::new("no_board", resolver.source, own.span, message);
                    resolver.report(wrong.help("remove this line, or declare a board in the game file"));
                    return None;
                }
                Ok(spec) if std::mem::discriminant(&spec) != std::mem::discriminant(&schema.board) => {
                    let wrong = Diagnostic::new(
                        "wrong_board",
                        resolver.source,
                        own.span,
                        "this board is not of the same kind as the game's board",
                    );
                    resolver.report(wrong.help("write a board of the game's kind; only its size may differ"));
                    return None;
                }
                Ok(spec) => shape = spec,
                Err(wrong) => {
                    resolver.report(*wrong);
                    return None;
                }
            }
        }
    }
    let Ok(board) = frame.game.board(shape) else { return None };
    let kind_size =
        |piece: &crate::table::PieceDef| schema.kinds.get(piece.kind.index()).map_or((1, 1), |kind| kind.size);
    let mut sizes: Vec<(u8, u8)> = schema.pieces.iter().map(kind_size).collect();
    for line in lines {
        if let LineKind::Piece(piece) = &line.kind {
            resize(resolver, schema, piece, &mut sizes, line.span);
        }
    }
    let players = players(resolver, (schema, frame.variant), (lines, head), mentioned);
    let arrows = arrows(resolver, schema, &board, shape, lines);
    Some(Table {
        schema: Arc::clone(schema),
        board,
        sizes,
        players,
        options: frame.options.clone(),
        arrows,
        variant: frame.variant,
    })
}

/// Returns the arrows that the scenario draws; otherwise those of the game, if the board is the game's own.
fn arrows(
    resolver: &mut Resolver<'_>,
    schema: &Schema,
    board: &Board,
    shape: BoardSpec,
    lines: &[&Line],
) -> Vec<(Cell, Cell)> {
    let own = lines.iter().filter_map(|line| match &line.kind {
        LineKind::Arrow(arrows) => Some(arrows),
        _ => None,
    });
    let mut named = Vec::new();
    let own: Vec<_> = own.collect();
    let has_lines = !own.is_empty();
    for (from, to) in own.into_iter().flatten() {
        let words = resolver.words(&[*from, *to]);
        if let [from, to] = words.as_slice() {
            let name = |word: &Word<'_>| Spanned::new(word.text.to_owned(), word.span);
            named.push((name(from), name(to)));
        }
    }
    let none = lines.iter().find(|line| matches!(&line.kind, LineKind::Arrow(arrows) if arrows.is_empty()));
    if let Some(line) = none.filter(|_| !named.is_empty()) {
        let message = "other lines of this position draw arrows";
        let wrong = Diagnostic::new("duplicate_line", resolver.source, line.span, message);
        resolver.report(wrong.help("remove this line: the arrows of a position replace all arrows of the game"));
    }
    if !has_lines {
        return if shape == schema.board { schema.arrows.clone() } else { Vec::new() };
    }
    crate::game::arrows((schema, board), resolver.source, &named, &mut resolver.wrong)
}

fn resize(
    resolver: &mut Resolver<'_>,
    schema: &Schema,
    piece: &crate::syntax::ast::Piece,
    sizes: &mut [(u8, u8)],
    line: Span,
) {
    let words = resolver.words(&piece.name);
    let Some(first) = words.first().copied() else { return };
    let strange = piece.numbers.map(|numbers| numbers.span).or(piece.each).or(piece.symbols.first().copied());
    if let Some(span) = strange {
        let wrong =
            Diagnostic::unread("misplaced_line", resolver.source, span, "this can be declared only in the game file");
        resolver
            .report(wrong.help("write `piece NAME size COLUMNSxROWS`: in a scenario this line only changes a size"));
        return;
    }
    let Some(size) = piece.size else {
        resolver.report(
            Diagnostic::new("missing_value", resolver.source, line, "the size is missing in this line")
                .help("write `piece NAME size COLUMNSxROWS`: in a scenario this line only changes a size"),
        );
        return;
    };
    let side = |cells: i64| u8::try_from(cells).ok().filter(|cells| (1..=64).contains(cells));
    let Some(own) = side(size.node.0).zip(side(size.node.1)) else {
        let message = "a piece is 1 to 64 columns wide and 1 to 64 rows high";
        let wrong = Diagnostic::new("wrong_piece", resolver.source, size.span, message);
        resolver.report(wrong.help("write for example `size 2x2`"));
        return;
    };
    let name = words.iter().map(|word| word.text).collect::<Vec<_>>().join(" ");
    let whole = schema.piece(&name).map(|piece| vec![piece]);
    let kind = || schema.kind(&name).map(|kind| schema.pieces_of(kind).collect::<Vec<PieceId>>());
    let Some(pieces) = whole.or_else(kind) else {
        let all = || {
            schema
                .kinds
                .iter()
                .map(|kind| kind.name.as_str())
                .chain(schema.pieces.iter().map(|piece| piece.name.as_str()))
        };
        let help = did_you_mean(&name, all()).unwrap_or_else(|| {
            format!("the kinds of pieces are {}", one_of(schema.kinds.iter().map(|kind| kind.name.as_str()), 9))
        });
        resolver.report(
            Diagnostic::new("unknown_piece", resolver.source, first.span, format!("unknown piece `{name}`")).help(help),
        );
        return;
    };
    for piece in pieces {
        if let Some(slot) = sizes.get_mut(piece.index()) {
            *slot = own;
        }
    }
}

/// Puts the pieces of a diagram on the board; returns those of which there is one.
fn diagram(
    resolver: &mut Resolver<'_>,
    (state, whose): (&mut State, &mut Prefixes<Origin>),
    rows: &[Span],
    (origin, line): (Origin, Span),
) -> Vec<PieceId> {
    let table = Arc::clone(&state.table);
    let words: Vec<Vec<Word<'_>>> = rows.iter().map(|row| row_words(resolver, *row)).collect();
    let drawn = match read_diagram(names(&table), &words, line) {
        Ok(drawn) => drawn,
        Err(misreads) => {
            misreads.into_iter().for_each(|misread| {
                let _: Option<()> = resolver.misread(misread);
            });
            return Vec::new();
        }
    };
    if !prefixes::take_part(resolver, &table, &drawn) {
        return Vec::new();
    }
    match placements(&table, &drawn) {
        Ok(placed) => {
            for (piece, cell) in &placed {
                if !owner_plays(resolver, &table, *piece, line) {
                    return Vec::new();
                }
                put(resolver, state, *piece, *cell, line);
            }
            for (cell, card, span) in face_down(&drawn) {
                draw_face(resolver, state, cell, card, span);
            }
            for (piece, player, span) in drawn_players(&table, &drawn, &placed) {
                prefixes::put_player(resolver, (&mut *state, &mut *whose), (piece, player), (origin, span));
            }
            let unknown = drawn.iter().find(|(_, token, _)| matches!(token, crate::table::Token::Down(None, Some(_))));
            if let Some((_, _, span)) = unknown {
                let message = "an unknown card cannot have a player";
                let help = "name the card: `PLAYER:(CARD)`, or remove the player";
                resolver.report(Diagnostic::new("wrong_diagram", resolver.source, *span, message).help(help));
            }
            let single = |piece: &PieceId| !table.schema.is_many(*piece);
            placed.into_iter().map(|(piece, _)| piece).filter(single).collect()
        }
        Err(misreads) => {
            misreads.into_iter().for_each(|misread| {
                let _: Option<()> = resolver.misread(misread);
            });
            Vec::new()
        }
    }
}

/// Puts a face-down card of a diagram on the board: `(R3)`, or `(?)` for one that no player has seen.
fn draw_face(resolver: &mut Resolver<'_>, state: &mut State, cell: Cell, card: Option<PieceId>, span: Span) {
    if let Some(card) = card {
        return put_face(resolver, state, (card, true), cell, span);
    }
    let Some(zone) = state.schema().unknown_zone() else {
        let message = "the zone of this unknown card is not determined";
        let help = "name the card: `(CARD)`; `(?)` requires exactly one hidden zone that holds cards at the start";
        return resolver.report(Diagnostic::new("wrong_diagram", resolver.source, span, message).help(help));
    };
    // Cannot fail: a cell of a diagram is on the board, and it is drawn once.
    let _ = state.lay_face_down(cell, Face::Unknown(zone));
}

/// Returns the tokens of a diagram's row, with placeholders filled.
pub(crate) fn row_words<'f>(resolver: &mut Resolver<'f>, row: Span) -> Vec<Word<'f>> {
    let source = resolver.source;
    let mut words = Vec::new();
    for word in source.tokens(row) {
        match placeholder(&word) {
            Some(name) => words.extend(resolver.filled(name, word.span)),
            None => words.push(word),
        }
    }
    words
}

fn put(resolver: &mut Resolver<'_>, state: &mut State, piece: PieceId, cell: Cell, span: Span) {
    put_face(resolver, state, (piece, false), cell, span);
}

/// Puts a piece on the board, or a card face down.
fn put_face(resolver: &mut Resolver<'_>, state: &mut State, (piece, down): (PieceId, bool), cell: Cell, span: Span) {
    let refused = state.lay(piece, cell, down);
    let Err(error) = refused else { return };
    let name = state.schema().piece_name(piece).to_owned();
    let (columns, rows) = state.table.size(piece);
    let wrong = match error {
        PlaceError::DoesNotFit => Diagnostic::new(
            "does_not_fit",
            resolver.source,
            span,
            format!("{name} is {columns}x{rows} and does not fit on the board here"),
        )
        .help("place a piece by its cell nearest `a1`"),
        PlaceError::Occupied(cell, other) => {
            let message = format!(
                "{name} cannot be placed here: {} is on {}",
                state.schema().piece_name(other),
                state.board().name(cell)
            );
            Diagnostic::new("occupied", resolver.source, span, message)
                .help("place one of the two elsewhere, or `off`: a cell holds one piece")
        }
    };
    resolver.report(wrong);
}

/// Puts a piece where a `place` line says. Returns the piece and its location in the line if there is only one of it.
fn place(
    resolver: &mut Resolver<'_>,
    (state, whose): (&mut State, &mut Prefixes<Origin>),
    placement: &crate::syntax::ast::Placement,
    (origin, line): (Origin, Span),
) -> Option<(PieceId, Span)> {
    let table = Arc::clone(&state.table);
    let words = resolver.words(&placement.piece);
    let at = placement.at.as_ref().map(|at| resolver.words(at));
    let read = names(&table).placing(&words, at.as_deref(), end_of(at.as_deref().unwrap_or(&words), line));
    let Placing { piece, player, cell } = resolver.get(read)?;
    let span = words.first().zip(words.last()).map_or(line, |(first, last)| first.span.to(last.span));
    if placement.face_down && table.schema.card(piece).is_none() {
        let message = format!("only a card can be face down, and {} is not a card", table.schema.piece_name(piece));
        resolver.report(Diagnostic::new("wrong_piece", resolver.source, span, message).help("remove `face down`"));
        return None;
    }
    if let Some(Spanned { node: player, span }) = player {
        let word = Word { text: table.schema.player_name(player), span, quoted: false };
        let player = taking_part(resolver, &table, player, &word)?;
        prefixes::put_player(resolver, (&mut *state, whose), (piece, Some(player)), (origin, span));
    }
    if cell.is_some() && !owner_plays(resolver, &table, piece, span) {
        return None;
    }
    match cell {
        Some((cell, place)) => put_face(resolver, state, (piece, placement.face_down), cell, place),
        None => state.lift(piece),
    }
    (!table.schema.is_many(piece) && !placement.face_down).then_some((piece, span))
}

/// Applies a `set` line: `red.score 3`, `red squished`.
fn set(
    resolver: &mut Resolver<'_>,
    (state, whose, assigned): (&mut State, &mut Prefixes<Origin>, &mut Assigned),
    words: &[Word<'_>],
    (origin, line): (Origin, Span),
) {
    let table = Arc::clone(&state.table);
    if knows(resolver, state, words) {
        return;
    }
    let before = resolver.wrong.len();
    let Some((property, owner, value)) = resolver.get(names(&table).setting(words, line)) else {
        let reads = |_: &mut Resolver<'_>, part: &[Word<'_>]| names(&table).setting(part, line).is_ok();
        return report_joined(resolver, before, ("set", words), reads);
    };
    let plays = match owner {
        Owner::Game => true,
        Owner::Player(player) => {
            let text = table.schema.player_name(player);
            let start = words.first().map_or(line, |word| word.span).range().start;
            let word = Word { text, span: Span::new(start..start + text.len()), quoted: false };
            taking_part(resolver, &table, player, &word).is_some()
        }
        Owner::Piece(piece) => owner_plays(resolver, &table, piece, line),
    };
    let given = (property, owner, &value);
    if !plays || !prefixes::may_set(resolver, (&*state, whose), given, words.last(), (origin, line)) {
        return;
    }
    let place = (property, owner);
    match assigned.get_mut(&place) {
        Some((first, span)) if *first >= origin => {
            let message = format!("this position already sets `{}`", table.schema.value_name(property, owner));
            let wrong = Diagnostic::new("duplicate_line", resolver.source, line, message);
            resolver.report(wrong.also(resolver.source, *span, "here").help("remove one of the two lines"));
        }
        Some(earlier) => *earlier = (origin, line),
        None => {
            assigned.insert(place, (origin, line));
        }
    }
    state.set_value(property, owner, value);
}

/// Returns whether the player whose piece this is takes part; reports it otherwise.
fn owner_plays(resolver: &mut Resolver<'_>, table: &Table, piece: PieceId, span: Span) -> bool {
    let owner = table.schema.pieces.get(piece.index()).and_then(|piece| piece.owner);
    let Some(owner) = owner.filter(|owner| !table.players.contains(owner)) else { return true };
    let (piece, owner) = (table.schema.piece_name(piece), table.schema.player_name(owner));
    let message = format!("{piece} cannot be in this position: `{owner}` does not take part in this scenario");
    resolver.report(Diagnostic::new("not_playing", resolver.source, span, message).help(those_who_play(table)));
    false
}

/// Reads `red knows b2 c3`: the face-down cards that a player has seen. Returns whether the words have this form.
fn knows(resolver: &mut Resolver<'_>, state: &mut State, words: &[Word<'_>]) -> bool {
    let table = Arc::clone(&state.table);
    let [who, verb, cells @ ..] = words else { return false };
    if verb.text != "knows" || verb.quoted || cells.is_empty() || table.schema.property("knows").is_some() {
        return false;
    }
    let Some(player) = resolver.get(names(&table).player(who)) else { return true };
    for word in cells {
        let Some(cell) = resolver.get(names(&table).cell(word)) else { continue };
        match state.face(cell) {
            Some(Face::Card { .. }) => state.see_face(cell, player),
            Some(_) => {
                let message = format!("the card on {} is unknown", word.text);
                let wrong = Diagnostic::new("wrong_piece", resolver.source, word.span, message);
                resolver.report(wrong.help("name the card: `place CARD at CELL face down`"));
            }
            None => {
                let message = format!("there is no face-down card on {}", word.text);
                let help = "move this line below the diagram or the `place` line that puts a card there";
                resolver.report(Diagnostic::new("wrong_piece", resolver.source, word.span, message).help(help));
            }
        }
    }
    true
}

fn set_up(resolver: &mut Resolver<'_>, variant: &Variant, state: &mut State, line: Span) {
    for placed in &variant.places {
        let owner = state.schema().pieces.get(placed.piece.index()).and_then(|piece| piece.owner);
        if owner
            .into_iter()
            .chain(set_player(variant, state.schema(), placed.piece))
            .any(|player| !state.table.players.contains(&player))
        {
            continue;
        }
        // The game file was checked with this board, so each of its cells exists.
        let Some(cell) = state.board().cell(&placed.cell) else { continue };
        put_face(resolver, state, (placed.piece, placed.face_down), cell, line);
    }
}

/// Returns the player that the game file writes before a piece.
fn set_player(variant: &Variant, schema: &Schema, piece: PieceId) -> Option<PlayerId> {
    let property = schema.drawn_property(piece)?;
    let sets = |set: &&SetValue| (set.property, set.owner) == (property, Owner::Piece(piece));
    variant.values.iter().rfind(sets).and_then(|set| set.value.player())
}

/// Sets the values of the game file. Omits cells if the board is not the game's own.
fn set_values(variant: &Variant, state: &mut State, own_board: bool) {
    let values = variant.values.iter().filter(|set| own_board || !set.names_cells);
    for SetValue { property, owner, value, .. } in values {
        let player = match owner {
            Owner::Game => None,
            Owner::Player(player) => Some(*player),
            Owner::Piece(piece) => state.schema().pieces.get(piece.index()).and_then(|piece| piece.owner),
        };
        let shown = state.schema().properties.get(property.index()).is_some_and(|property| property.in_drawings);
        let shown = value.player().filter(|_| shown);
        if player.into_iter().chain(shown).all(|player| state.table.players.contains(&player)) {
            state.set_value(*property, *owner, value.clone());
        }
    }
}
