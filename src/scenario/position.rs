//! Position lines as a state: the board's and pieces' sizes, who plays, options, what lies where.

use std::sync::Arc;

use super::blocks::is_position;
use super::resolver::{Resolver, end_of, names};
use crate::diagnostic::{Diagnostic, did_you_mean, one_of};
use crate::game::Game;
use crate::source::{Span, Word};
use crate::syntax::ast::{Line, LineKind};
use crate::table::{
    Cell, Misread, Owner, PieceId, PlaceError, PlayerId, PropertyEach, PropertyId, PropertyKind, Schema, Setting,
    State, Table, Value, placements, read_diagram,
};

/// What a scenario says before play, besides its position.
pub(super) struct Frame<'g> {
    pub(super) game: &'g Game,
    pub(super) variant: usize,
    pub(super) options: Vec<Setting>,
}

/// The state at the start of a scenario, from its lines (shared positions put in); `all` are the lines of the whole
/// scenario, which tell who plays where no line says so.
pub(super) fn resolve(resolver: &mut Resolver<'_>, frame: &Frame<'_>, lines: &[&Line], all: &[&Line]) -> Option<State> {
    let before = resolver.wrong.len();
    let table = table(resolver, frame, lines, all)?;
    let mut state = State::new(Arc::new(table));
    let explicit = lines.iter().any(|line| {
        matches!(&line.kind, LineKind::Place(_) | LineKind::Set(_))
            || matches!(&line.kind, LineKind::Board { rows, .. } if !rows.is_empty())
    });
    if explicit {
        for line in lines.iter().filter(|line| is_position(&line.kind)) {
            match &line.kind {
                LineKind::Board { rows, .. } if !rows.is_empty() => diagram(resolver, &mut state, rows, line.span),
                LineKind::Place(list) => {
                    for placement in list {
                        place(resolver, &mut state, placement, line.span);
                    }
                }
                LineKind::Set(words) => {
                    let words = resolver.words(words);
                    set(resolver, &mut state, &words, line.span);
                }
                _ => {}
            }
        }
    } else {
        set_up(resolver, frame, &mut state, all.first().map_or(Span::default(), |line| line.span));
    }
    (resolver.wrong.len() == before).then_some(state)
}

fn table(resolver: &mut Resolver<'_>, frame: &Frame<'_>, lines: &[&Line], all: &[&Line]) -> Option<Table> {
    let schema = &frame.game.schema;
    let mut shape = schema.board;
    for line in lines {
        if let LineKind::Board { shape: Some(own), .. } = &line.kind {
            match crate::game::board_spec(resolver.source, *own) {
                Ok(spec) => shape = spec,
                Err(wrong) => {
                    resolver.say(*wrong);
                    return None;
                }
            }
        }
    }
    let Ok(board) = schema.build_board(shape) else { return None };
    let kind_size =
        |piece: &crate::table::PieceDef| schema.kinds.get(piece.kind.index()).map_or((1, 1), |kind| kind.size);
    let mut sizes: Vec<(u8, u8)> = schema.pieces.iter().map(kind_size).collect();
    for line in lines {
        if let LineKind::Piece(piece) = &line.kind {
            resize(resolver, schema, piece, &mut sizes, line.span);
        }
    }
    let players = players(resolver, schema, lines, all);
    Some(Table { schema: Arc::clone(schema), board: Arc::new(board), sizes, players, options: frame.options.clone() })
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
    let Some(size) = piece.size else {
        resolver.say(
            Diagnostic::new("missing_value", resolver.source, line, "this line does not say a size")
                .help("in a scenario a `piece` line gives a piece another size: `piece large size 3x3`"),
        );
        return;
    };
    let (Ok(columns), Ok(rows)) = (u8::try_from(size.node.0), u8::try_from(size.node.1)) else { return };
    if !(1..=64).contains(&columns) || !(1..=64).contains(&rows) {
        resolver.say(Diagnostic::new(
            "wrong_piece",
            resolver.source,
            size.span,
            "a piece is 1 to 64 columns wide and 1 to 64 rows high",
        ));
        return;
    }
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
        resolver.say(
            Diagnostic::new("unknown_piece", resolver.source, first.span, format!("there is no piece `{name}`"))
                .help(help),
        );
        return;
    };
    for piece in pieces {
        if let Some(slot) = sizes.get_mut(piece.index()) {
            *slot = (columns, rows);
        }
    }
}

/// Who takes part: those that a `players` line names; else all where their number is fixed; else those whose names
/// stand in the scenario, filled up in the game's order to the least number.
fn players(resolver: &mut Resolver<'_>, schema: &Schema, lines: &[&Line], all: &[&Line]) -> Vec<PlayerId> {
    let everybody: Vec<PlayerId> = (0..schema.players.len()).map(PlayerId::at).collect();
    let said = lines.iter().find_map(|line| match &line.kind {
        LineKind::Players { names, .. } => Some(names),
        _ => None,
    });
    if let Some(spans) = said {
        let mut named = Vec::new();
        for word in resolver.words(spans) {
            match schema.player(word.text) {
                Some(player) if named.contains(&player) => resolver.say(Diagnostic::new(
                    "duplicate_name",
                    resolver.source,
                    word.span,
                    format!("`{}` is named twice", word.text),
                )),
                Some(player) => named.push(player),
                None => {
                    let names = || schema.players.iter().map(String::as_str);
                    let help = did_you_mean(word.text, names())
                        .unwrap_or_else(|| format!("the players are {}", one_of(names(), 9)));
                    resolver.say(
                        Diagnostic::new(
                            "unknown_player",
                            resolver.source,
                            word.span,
                            format!("there is no player `{}`", word.text),
                        )
                        .help(help),
                    );
                }
            }
        }
        return named;
    }
    let (least, most) = schema.player_count;
    if least == most {
        return everybody;
    }
    let source = resolver.source;
    let extent = all.iter().map(|line| line.span).reduce(Span::to).unwrap_or_default();
    let text = source.slice(extent);
    let symbols = diagram_tokens(source, all);
    let stands = |name: &str| {
        text.split(|letter: char| !letter.is_alphanumeric() && letter != '_' && letter != '-').any(|word| word == name)
    };
    let drawn = |player: PlayerId| {
        schema.pieces.iter().any(|piece| piece.owner == Some(player) && symbols.contains(&piece.symbol.as_str()))
    };
    let mut taking: Vec<bool> =
        everybody.iter().map(|player| stands(schema.player_name(*player)) || drawn(*player)).collect();
    let mut missing = least.saturating_sub(taking.iter().filter(|takes| **takes).count());
    for takes in &mut taking {
        if missing > 0 && !*takes {
            *takes = true;
            missing -= 1;
        }
    }
    everybody.into_iter().zip(taking).filter(|(_, takes)| *takes).map(|(player, _)| player).collect()
}

/// The tokens of all position diagrams.
fn diagram_tokens<'s>(source: &'s crate::source::Source, lines: &[&Line]) -> Vec<&'s str> {
    let rows = lines.iter().filter_map(|line| match &line.kind {
        LineKind::Board { rows, .. } => Some(rows),
        _ => None,
    });
    rows.flatten().flat_map(|row| source.slice(*row).split_whitespace()).collect()
}

fn diagram(resolver: &mut Resolver<'_>, state: &mut State, rows: &[Span], line: Span) {
    let table = Arc::clone(&state.table);
    let words: Vec<Vec<Word<'_>>> = rows.iter().map(|row| row_words(resolver, *row)).collect();
    let drawn = match read_diagram(names(&table), &words, line) {
        Ok(drawn) => drawn,
        Err(misreads) => {
            misreads.into_iter().for_each(|misread| {
                let _: Option<()> = resolver.misread(misread);
            });
            return;
        }
    };
    match placements(&table.board, |piece| table.size(piece), &drawn) {
        Ok(placed) => {
            for (piece, cell) in placed {
                put(resolver, state, piece, cell, line);
            }
        }
        Err(misreads) => misreads.into_iter().for_each(|misread| {
            let _: Option<()> = resolver.misread(misread);
        }),
    }
}

/// The tokens of a diagram's row.
pub(super) fn row_words<'f>(resolver: &Resolver<'f>, row: Span) -> Vec<Word<'f>> {
    let source = resolver.source;
    let text = source.slice(row);
    let mut words = Vec::new();
    let mut at = 0;
    for token in text.split_whitespace() {
        let start = text.get(at..).and_then(|rest| rest.find(token)).map_or(at, |found| at + found);
        at = start + token.len();
        let begin = row.start as usize;
        words.push(Word { text: token, span: Span::new(begin + start..begin + at), quoted: false });
    }
    words
}

fn put(resolver: &mut Resolver<'_>, state: &mut State, piece: PieceId, cell: Cell, span: Span) {
    let refused = state.put(piece, cell);
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
        .help("a piece is placed by its cell nearest `a1`"),
        PlaceError::Occupied(cell, other) => {
            let message = format!(
                "{name} cannot lie here: {} is on {}",
                state.schema().piece_name(other),
                state.board().name(cell)
            );
            Diagnostic::new("occupied", resolver.source, span, message)
        }
    };
    resolver.say(wrong);
}

fn place(resolver: &mut Resolver<'_>, state: &mut State, placement: &crate::syntax::ast::Placement, line: Span) {
    let table = Arc::clone(&state.table);
    let words = resolver.words(&placement.piece);
    let Some((piece, taken)) = resolver.get(names(&table).piece(&words)) else { return };
    if let Some(extra) = words.get(taken) {
        let message = format!("`{}` does not belong here", extra.text);
        let _: Option<()> = resolver.misread(
            Misread::new("wrong_form", extra.span, message).help("write `place PIECE at CELL` or `place PIECE off`"),
        );
        return;
    }
    if placement.face_down {
        resolver.say(Diagnostic::new("not_supported", resolver.source, line, "face down: not supported yet"));
    }
    let Some(at) = &placement.at else {
        state.lift(piece);
        return;
    };
    let at = resolver.words(at);
    let end = end_of(&words, line);
    let cell = at.first().map_or_else(
        || Err(Misread::new("missing_value", end, "a cell is missing here")),
        |word| names(&table).cell(word),
    );
    if let Some(cell) = resolver.get(cell) {
        put(resolver, state, piece, cell, at.first().map_or(line, |word| word.span));
    }
}

/// `red.score 3`, `red squished`
fn set(resolver: &mut Resolver<'_>, state: &mut State, words: &[Word<'_>], line: Span) {
    let table = Arc::clone(&state.table);
    let Some(first) = words.first() else { return };
    if let Some((owner, property)) = dotted(resolver, &table, first) {
        let (Some(owner), Some(property)) = (owner, property) else { return };
        let value = value(resolver, &table, property, words.get(1..).unwrap_or_default(), end_of(words, line));
        if let Some(value) = value {
            state.set_value(property, owner, value);
        }
        return;
    }
    match flag(&table, words) {
        Ok((owner, property, truth)) => state.set_value(property, owner, Value::Bool(truth)),
        Err(misread) => {
            let _: Option<()> =
                resolver.misread(misread.help("write `set red.score 3` for a value, `set red captured` for a flag"));
        }
    }
}

/// The owner and the property of a word like `red.score`; nothing if it has no dot. A part that does not exist is noted.
pub(super) fn dotted(
    resolver: &mut Resolver<'_>,
    table: &Table,
    word: &Word<'_>,
) -> Option<(Option<Owner>, Option<PropertyId>)> {
    let (left, right) = word.text.split_once('.').filter(|_| !word.quoted)?;
    let schema = &table.schema;
    let split = word.span.start + Span::new(0..left.len()).end;
    let (left_span, right_span) =
        (Span { start: word.span.start, end: split }, Span { start: split + 1, end: word.span.end });
    let property = schema.property(right);
    let Some(property) = property else {
        let all = || schema.properties.iter().map(|property| property.name.as_str());
        let help = did_you_mean(right, all()).unwrap_or_else(|| format!("the game declares {}", one_of(all(), 12)));
        let message = format!("there is no flag, counter or property `{right}`");
        resolver.say(Diagnostic::new("unknown_property", resolver.source, right_span, message).help(help));
        return Some((None, None));
    };
    let Some(declared) = schema.properties.get(property.index()) else { return Some((None, None)) };
    let owner = match declared.each {
        PropertyEach::Game => (left == "game").then_some(Owner::Game),
        PropertyEach::Player => schema.player(left).map(Owner::Player),
        PropertyEach::Kind(kind) => {
            let named = schema.piece(left).map(Owner::Piece);
            let of_player = || schema.player(left).and_then(|player| schema.piece_of(kind, player)).map(Owner::Piece);
            named.filter(|owner| schema.owners(declared.each).contains(owner)).or_else(of_player)
        }
    };
    if owner.is_none() {
        let who = schema.owner_words(declared.each);
        let owners: Vec<String> = schema.owners(declared.each).iter().map(|owner| owner_name(schema, *owner)).collect();
        let help = did_you_mean(left, owners.iter().map(String::as_str))
            .unwrap_or_else(|| format!("each {who} has it: {}", one_of(owners.iter().map(String::as_str), 9)));
        resolver.say(
            Diagnostic::new("unknown_owner", resolver.source, left_span, format!("`{left}` has no `{right}`"))
                .help(help),
        );
    }
    Some((owner, Some(property)))
}

/// What lines call an owner.
pub(super) fn owner_name(schema: &Schema, owner: Owner) -> String {
    match owner {
        Owner::Game => "game".to_owned(),
        Owner::Player(player) => schema.player_name(player).to_owned(),
        Owner::Piece(piece) => schema.piece_name(piece).to_owned(),
    }
}

/// A value for a property from the words behind it.
pub(super) fn value(
    resolver: &mut Resolver<'_>,
    table: &Table,
    property: PropertyId,
    words: &[Word<'_>],
    end: Span,
) -> Option<Value> {
    let kind = table.schema.properties.get(property.index())?.kind.clone();
    let words: Vec<Word<'_>> = words.iter().copied().filter(|word| word.text != "=").collect();
    let names = names(table);
    let read = match &kind {
        PropertyKind::Flag => match words.first().map(|word| word.text) {
            Some("true") => Ok((Value::Bool(true), 1)),
            Some("false") => Ok((Value::Bool(false), 1)),
            _ => Err(Misread::new(
                "not_a_flag_value",
                words.first().map_or(end, |word| word.span),
                "a flag is `true` or `false`",
            )),
        },
        PropertyKind::Counter { .. } => names.value(&crate::table::Kind::Number, &words, end),
        PropertyKind::Value(_)
            if words.first().is_some_and(|word| word.text == "none")
                && !matches!(kind, PropertyKind::Value(crate::table::Kind::Many(_))) =>
        {
            Ok((Value::Nothing, 1))
        }
        PropertyKind::Value(kind) => names.value(kind, &words, end),
    };
    let (value, taken) = resolver.get(read)?;
    if let Some(extra) = words.get(taken) {
        return resolver.misread(Misread::new(
            "wrong_form",
            extra.span,
            format!("`{}` does not belong here", extra.text),
        ));
    }
    Some(value)
}

/// `red squished`, `red not squished`, `block 1 moved`: who, which flag, and whether it is set.
pub(super) fn flag(table: &Table, words: &[Word<'_>]) -> Result<(Owner, PropertyId, bool), Misread> {
    let schema = &table.schema;
    let (Some(last), Some(first)) = (words.last(), words.first()) else {
        return Err(Misread::new("missing_value", Span::default(), "something is missing here"));
    };
    let truth = !words.iter().any(|word| word.text == "not" && !word.quoted);
    let subject: Vec<Word<'_>> =
        words.iter().copied().take(words.len() - 1).filter(|word| word.text != "not").collect();
    let found =
        schema.property(last.text).and_then(|property| Some((property, schema.properties.get(property.index())?)));
    let flag = found.filter(|(_, declared)| declared.kind == PropertyKind::Flag);
    let Some((property, declared)) = flag else {
        let flags = || {
            schema
                .properties
                .iter()
                .filter(|property| property.kind == PropertyKind::Flag)
                .map(|property| property.name.as_str())
        };
        let misread = Misread::new("unknown_flag", last.span, format!("there is no flag `{}`", last.text));
        return Err(misread.maybe_help(did_you_mean(last.text, flags())));
    };
    let name = subject.iter().map(|word| word.text).collect::<Vec<_>>().join(" ");
    let owners = schema.owners(declared.each);
    let owner = owners.iter().find(|owner| match owner {
        Owner::Game => subject.is_empty() || name == "game",
        other => owner_name(schema, **other) == name,
    });
    let of_player = || match declared.each {
        PropertyEach::Kind(kind) => {
            schema.player(&name).and_then(|player| schema.piece_of(kind, player)).map(Owner::Piece)
        }
        _ => None,
    };
    owner.copied().or_else(of_player).map(|owner| (owner, property, truth)).ok_or_else(|| {
        let names: Vec<String> = owners.iter().map(|owner| owner_name(schema, *owner)).collect();
        let span = subject.first().zip(subject.last()).map_or(first.span, |(first, last)| first.span.to(last.span));
        Misread::new("unknown_owner", span, format!("`{name}` has no flag `{}`", last.text))
            .maybe_help(did_you_mean(&name, names.iter().map(String::as_str)))
    })
}

fn set_up(resolver: &mut Resolver<'_>, frame: &Frame<'_>, state: &mut State, line: Span) {
    let Some(variant) = frame.game.schema.variants.get(frame.variant) else { return };
    for placed in &variant.places {
        let owner = state.schema().pieces.get(placed.piece.index()).and_then(|piece| piece.owner);
        if owner.is_some_and(|owner| !state.table.players.contains(&owner)) {
            continue;
        }
        let Some(cell) = state.board().cell(&placed.cell) else {
            let message = format!(
                "the set-up places {} at {}, which this board does not have",
                state.schema().piece_name(placed.piece),
                placed.cell
            );
            resolver.say(
                Diagnostic::new("does_not_fit", resolver.source, line, message)
                    .help("draw the position of this scenario: `board` with a diagram"),
            );
            return;
        };
        put(resolver, state, placed.piece, cell, line);
    }
}
