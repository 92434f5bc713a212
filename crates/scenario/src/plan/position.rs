//! Resolves position lines into a state: sizes of board and pieces, players, options and the content of cells.

use std::sync::Arc;

use crate::plan::blocks::is_position;
use crate::plan::players::{Mentioned, players};
use crate::plan::resolver::Resolver;
use referee_diagnostic::{Code, Diagnostic, did_you_mean, one_of};
use referee_game::{Game, Kind, Position, SetUpOf, refused};
use referee_source::{Span, Spanned, Word, texts};
use referee_syntax::ast::{BoardShape, Line, LineKind};
use referee_table::{
    Board, BoardSpec, Cell, Laid, Owner, PieceId, Places, PlayerId, Schema, SetValue, Setting, State, Table, TurnRules,
    Value, Variant, ZoneId,
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

/// The block of a position line. A line of a later block may override a line of an earlier one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Origin {
    /// The set-up of the game, with which a line `from setup` begins.
    SetUp,
    /// A shared position.
    Shared,
    /// The scenario.
    Scenario,
    /// A branch of the scenario.
    Branch,
}

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
    let table = Arc::new(table(resolver, frame, (lines, head), mentioned).ok_or(None)?);
    let is_known = resolver.wrong.len() == before;
    let mut state = State::new(Arc::clone(&table));
    let from = lines.iter().find(|line| matches!(line.kind, LineKind::FromSetup)).map(|line| line.span);
    if replaces_set_up(lines) {
        let mut position = Position::new(Kind::Scenario, Arc::clone(&table));
        if let Some(span) = from {
            misplaced_set_up(resolver, lines);
            position.begin_with(set_up_of(resolver, frame, lines, &table), Origin::SetUp, span);
        }
        for (origin, line) in sorted.iter().filter(|(_, line)| is_position(&line.kind)) {
            if resolver.is_full() {
                break;
            }
            position.read(resolver, line, *origin);
        }
        state = position.complete(resolver).state;
    } else if let Some(variant) = frame.game.schema.variants.get(frame.variant) {
        let own_board = !sets_up_itself(frame, lines) && !is_for_another(resolver, frame, lines, variant);
        if own_board {
            set_up(resolver, variant, &mut state, head);
        }
        set_values(variant, &mut state, own_board);
        state.lay_out(&laid_of(variant, &table));
    }
    if resolver.wrong.len() == before { Ok(state) } else { Err(Some(table).filter(|_| is_known)) }
}

/// Returns the contents of the zones of players who take part.
fn laid_of(variant: &Variant, table: &Table) -> Vec<Laid> {
    let owner = |zone: ZoneId| table.schema.zones.get(zone.index()).and_then(|zone| zone.owner);
    let plays = |laid: &&Laid| owner(laid.zone).is_none_or(|owner| table.players.contains(&owner));
    variant.laid.iter().filter(plays).cloned().collect()
}

/// Returns the set-up that the lines after `from setup` change: without its pieces, if one of them is a diagram, which
/// shows the whole board.
fn set_up_of(resolver: &mut Resolver<'_>, frame: &Frame<'_>, lines: &[&Line], table: &Table) -> SetUpOf {
    let Some(variant) = frame.game.schema.variants.get(frame.variant) else { return SetUpOf::default() };
    let own_board = !sets_up_itself(frame, lines) && !is_for_another(resolver, frame, lines, variant);
    let drawn = lines.iter().any(|line| matches!(&line.kind, LineKind::Board { rows, .. } if !rows.is_empty()));
    let mut set_up = SetUpOf { laid: laid_of(variant, table), ..SetUpOf::default() };
    set_up.places.extend(placed_of(variant, table).filter(|_| own_board && !drawn));
    let shows_board = |set: &SetValue| drawn && is_in_drawings(&table.schema, set);
    set_up.values.extend(values_of(variant, table, own_board).filter(|set| !shows_board(set)).cloned());
    set_up
}

fn is_in_drawings(schema: &Schema, set: &SetValue) -> bool {
    schema.properties.get(set.property.index()).is_some_and(|property| property.in_drawings)
}

/// Reports a line `from setup` below lines that change the position, and a second one.
fn misplaced_set_up(resolver: &mut Resolver<'_>, lines: &[&Line]) {
    let mut first = None;
    for (at, line) in lines.iter().enumerate().filter(|(_, line)| matches!(line.kind, LineKind::FromSetup)) {
        let earlier = lines.get(..at).unwrap_or_default();
        if let Some(first) = first {
            let wrong = Diagnostic::new(
                Code::DuplicateLine,
                resolver.source,
                line.span,
                "this position already begins with the set-up",
            );
            resolver.report(wrong.also(resolver.source, first, "here").help("remove this line"));
        } else if let Some(above) = earlier.iter().find(|line| replaces_set_up(&[line])) {
            let message = "the set-up would replace the position of the lines above it";
            let wrong = Diagnostic::new(Code::MisplacedLine, resolver.source, line.span, message);
            let wrong = wrong.also(resolver.source, above.span, "one of them");
            resolver.report(wrong.help("write `from setup` above the lines that change it"));
        }
        first.get_or_insert(line.span);
    }
}

/// Returns whether position lines replace the game's set-up, or change it after `from setup`.
pub(crate) fn replaces_set_up(lines: &[&Line]) -> bool {
    lines.iter().any(|line| {
        matches!(&line.kind, LineKind::Place(_) | LineKind::Set(_) | LineKind::Cards { .. })
            || matches!(&line.kind, LineKind::Board { rows, .. } if !rows.is_empty())
    })
}

/// Returns whether only `fn setup()` puts pieces on the board. The lines of the game file apply to the game's board,
/// not to the board of a house rule or of a scenario with a line `setup`.
fn sets_up_itself(frame: &Frame<'_>, lines: &[&Line]) -> bool {
    frame.board.is_some() || frame.own_setup && own_board(lines).is_some()
}

/// Returns the shape of the board that the last such line of a scenario sets.
fn own_board<'l>(lines: &[&'l Line]) -> Option<&'l BoardShape> {
    lines.iter().rev().find_map(|line| match &line.kind {
        LineKind::Board { shape, .. } => shape.as_ref(),
        _ => None,
    })
}

/// Returns whether the lines of the game file place pieces on a board of another size than the scenario's. Reports
/// this.
fn is_for_another(resolver: &mut Resolver<'_>, frame: &Frame<'_>, lines: &[&Line], variant: &Variant) -> bool {
    let schema = &frame.game.schema;
    let is_other = |own: &&BoardShape| {
        let spec = referee_game::board_spec(resolver.source, own, &schema.graphs);
        spec.is_ok_and(|spec| spec != schema.board_of(frame.variant))
    };
    let (Some(own), false) = (own_board(lines).filter(is_other), !variant.is_for_one_board()) else { return false };
    let message = "the game's set-up is for another board, so this board has no position";
    let help =
        "draw the position below, or place pieces with `place`; if the rules set up boards of any size, write `setup`";
    resolver.report(Diagnostic::new(Code::DoesNotFit, resolver.source, own.span, message).help(help));
    true
}

fn table(
    resolver: &mut Resolver<'_>,
    frame: &Frame<'_>,
    (lines, head): (&[&Line], Span),
    mentioned: &Mentioned<'_>,
) -> Option<Table> {
    let schema = &frame.game.schema;
    let mut shape = frame.board.clone().unwrap_or_else(|| schema.board_of(frame.variant));
    for line in lines {
        if let LineKind::Board { shape: Some(own), .. } = &line.kind {
            match referee_game::board_spec(resolver.source, own, &schema.graphs) {
                Ok(_) if schema.board == BoardSpec::None => {
                    let message = "this game has no board";
                    let wrong = Diagnostic::new(Code::NoBoard, resolver.source, own.span, message);
                    resolver.report(wrong.help("remove this line, or declare a board in the game file"));
                    return None;
                }
                Ok(spec) if !spec.is_like(&schema.board) => {
                    let wrong = Diagnostic::new(
                        Code::WrongBoard,
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
    let Ok(board) = frame.game.board(&shape) else { return None };
    if let Some(message) = schema.has_too_many_values(&board) {
        let own = lines.iter().find(|line| matches!(line.kind, LineKind::Board { shape: Some(_), .. }));
        let wrong = Diagnostic::new(Code::TooMany, resolver.source, own.map_or(head, |line| line.span), message);
        resolver.report(wrong.help("write a smaller board, or let fewer properties belong to its places"));
        return None;
    }
    let kind_size =
        |piece: &referee_table::PieceDef| schema.kinds.get(piece.kind.index()).map_or((1, 1), |kind| kind.size);
    let mut sizes: Vec<(u8, u8)> = schema.pieces.iter().map(kind_size).collect();
    for line in lines {
        if let LineKind::Piece(piece) = &line.kind {
            resize(resolver, schema, piece, &mut sizes, line.span);
        }
    }
    let players = players(resolver, (schema, frame.variant), (lines, head), mentioned);
    let arrows = arrows(resolver, schema, &board, &shape, lines);
    Some(Table {
        schema: Arc::clone(schema),
        board,
        sizes,
        players,
        options: frame.options.clone(),
        arrows,
        variant: frame.variant,
        turns: TurnRules::default(),
        places: Places::default(),
    })
}

/// Returns the arrows that the scenario draws; otherwise those of the game, if the board is the game's own.
fn arrows(
    resolver: &mut Resolver<'_>,
    schema: &Schema,
    board: &Board,
    shape: &BoardSpec,
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
        let wrong = Diagnostic::new(Code::DuplicateLine, resolver.source, line.span, message);
        resolver.report(wrong.help("remove this line: the arrows of a position replace all arrows of the game"));
    }
    if !has_lines {
        return if *shape == schema.board { schema.arrows.clone() } else { Vec::new() };
    }
    referee_game::arrows((schema, board), resolver.source, &named, &mut resolver.wrong)
}

fn resize(
    resolver: &mut Resolver<'_>,
    schema: &Schema,
    piece: &referee_syntax::ast::Piece,
    sizes: &mut [(u8, u8)],
    line: Span,
) {
    let words = resolver.words(&piece.name);
    let Some(first) = words.first().copied() else { return };
    let strange = piece.numbers.map(|numbers| numbers.span).or(piece.each).or(piece.symbols.first().copied());
    if let Some(span) = strange {
        let wrong = Diagnostic::unread(
            Code::MisplacedLine,
            resolver.source,
            span,
            "this can be declared only in the game file",
        );
        resolver
            .report(wrong.help("write `piece NAME size COLUMNSxROWS`: in a scenario this line only changes a size"));
        return;
    }
    let Some(size) = piece.size else {
        resolver.report(
            Diagnostic::new(Code::MissingValue, resolver.source, line, "the size is missing in this line")
                .help("write `piece NAME size COLUMNSxROWS`: in a scenario this line only changes a size"),
        );
        return;
    };
    let side = |cells: i64| u8::try_from(cells).ok().filter(|cells| (1..=64).contains(cells));
    let Some(own) = side(size.node.0).zip(side(size.node.1)) else {
        let message = "a piece is 1 to 64 columns wide and 1 to 64 rows high";
        let wrong = Diagnostic::new(Code::WrongPiece, resolver.source, size.span, message);
        resolver.report(wrong.help("write for example `size 2x2`"));
        return;
    };
    if schema.has_stacks() && own != (1, 1) {
        let message = "in a game in which pieces stack, each covers one cell";
        resolver
            .report(Diagnostic::new(Code::WrongPiece, resolver.source, size.span, message).help("remove this line"));
        return;
    }
    let name = texts(&words);
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
            Diagnostic::new(Code::UnknownPiece, resolver.source, first.span, format!("unknown piece `{name}`"))
                .help(help),
        );
        return;
    };
    for piece in pieces {
        if let Some(slot) = sizes.get_mut(piece.index()) {
            *slot = own;
        }
    }
}

fn set_up(resolver: &mut Resolver<'_>, variant: &Variant, state: &mut State, line: Span) {
    let table = Arc::clone(&state.table);
    for (piece, cell, face_down) in placed_of(variant, &table) {
        if let Err(error) = state.lay(piece, cell, face_down) {
            resolver.report(refused(&table, Some(piece), error).at(resolver.source, line));
        }
    }
}

/// Returns the pieces that the game file places, without those of players who do not take part: each with its cell and
/// whether it is face down.
fn placed_of<'t>(variant: &'t Variant, table: &'t Table) -> impl Iterator<Item = (PieceId, Cell, bool)> + 't {
    let schema = &table.schema;
    variant.places.iter().filter_map(move |placed| {
        let owner = schema.pieces.get(placed.piece.index()).and_then(|piece| piece.owner);
        let mut players = owner.into_iter().chain(set_player(variant, schema, placed.piece));
        if players.any(|player| !table.players.contains(&player)) {
            return None;
        }
        // The game file was checked with this board, so each of its cells exists.
        Some((placed.piece, table.board.cell(&placed.cell)?, placed.face_down))
    })
}

/// Returns the player that the game file writes before a piece.
fn set_player(variant: &Variant, schema: &Schema, piece: PieceId) -> Option<PlayerId> {
    let property = schema.drawn_property(piece)?;
    let sets = |set: &&SetValue| (set.property, set.owner) == (property, Owner::Piece(piece));
    variant.values.iter().rfind(sets).and_then(|set| set.value.player())
}

/// Sets the values of the game file. Omits cells if the board is not the game's own.
fn set_values(variant: &Variant, state: &mut State, own_board: bool) {
    let table = Arc::clone(&state.table);
    for SetValue { property, owner, value, .. } in values_of(variant, &table, own_board) {
        state.set_value(*property, *owner, value.clone());
    }
    for resource in &table.schema.resources {
        let (Some(supply), Some(left)) = (resource.supply, state.left_of(resource)) else { continue };
        if variant.values.iter().all(|set| set.property != supply) {
            state.set_value(supply, Owner::Game, Value::Int(left.max(0)));
        }
    }
}

/// Returns the values of the game file, without those of players who do not take part.
fn values_of<'t>(variant: &'t Variant, table: &'t Table, own_board: bool) -> impl Iterator<Item = &'t SetValue> {
    let schema = &table.schema;
    let plays = move |set: &&SetValue| {
        let player = match set.owner {
            Owner::Game | Owner::Place(_) => None,
            Owner::Player(player) => Some(player),
            Owner::Piece(piece) => schema.pieces.get(piece.index()).and_then(|piece| piece.owner),
        };
        let shown = set.value.player().filter(|_| is_in_drawings(schema, set));
        player.into_iter().chain(shown).all(|player| table.players.contains(&player))
    };
    variant.values.iter().filter(move |set| own_board || !set.names_cells).filter(plays)
}
