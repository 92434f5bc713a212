//! Resolves play lines: turns, phases, procedures, dice and decisions.

use std::sync::Arc;

use crate::plan::actions::{answer, taking_part};
use crate::plan::cards;
use crate::plan::dice;
use crate::plan::expect;
use crate::plan::model::{Step, StepKind};
use crate::plan::resolver::{Resolver, names};
use referee_diagnostic::{Code, Diagnostic, did_you_mean};
use referee_rules::Program;
use referee_source::{Source, Span, Word, texts};
use referee_syntax::ast::{Line, LineKind, Words, game_line, position_line, scenario_line};
use referee_table::{Names, Phase, Phrase, PlayerId, Schema, Table, Value};

/// Returns the step of a line; `None` for a line that is not a step or has errors.
pub(crate) fn resolve(resolver: &mut Resolver<'_>, table: &Table, program: &Program, line: &Line) -> Option<Step> {
    let kind = match &line.kind {
        LineKind::Turn(words) => StepKind::Turn(only_player(resolver, table, words, line.span)?),
        LineKind::Resume(words) => {
            let (phase, player) = phase(resolver, table, program, words, line.span)?;
            StepKind::Resume(phase, player)
        }
        LineKind::Do(words) => {
            let (phase, player) = phase(resolver, table, program, words, line.span)?;
            StepKind::Do(phase, player)
        }
        LineKind::Roll(dice) => StepKind::Roll(dice::roll(resolver, table, dice, line.span)?),
        LineKind::Draw(words) => cards::draw(resolver, table, words, line.span)?,
        LineKind::Answer(words) => match resigning(resolver, table, program, words, line.span) {
            Some(step) => step?,
            None => decision(resolver, table, words, line.span)?,
        },
        LineKind::Refuse { answer: words, because } => refusal(resolver, table, words, *because, line.span)?,
        LineKind::Setup => setup(resolver, table, program, line.span)?,
        LineKind::Shuffle { zone, order } => cards::shuffle(resolver, table, (zone, order.as_ref()), line.span)?,
        LineKind::Deal { number, from, to } => cards::deal(resolver, table, (*number, from, to), line.span)?,
        LineKind::Agree(outcome) => agreement(resolver, program, *outcome, line.span)?,
        LineKind::Expect(expect) => StepKind::Expect(expect::resolve(resolver, table, expect, line.span)?),
        // Lines that are no steps: the position, the rules, settings of the scenario, and declarations of games.
        position_line!() | scenario_line!() | game_line!() | LineKind::When { .. } | LineKind::At { .. } => {
            return None;
        }
    };
    Some(Step { span: line.span, kind })
}

/// Reads an action that a player chooses.
fn decision(resolver: &mut Resolver<'_>, table: &Table, words: &Words, line: Span) -> Option<StepKind> {
    let words = resolver.words(words);
    let (player, action) = answer(resolver, table, resolver.phrase(&words, line))?;
    Some(StepKind::Answer(player, action))
}

/// Reads an action that must not be among the options.
fn refusal(
    resolver: &mut Resolver<'_>,
    table: &Table,
    words: &Words,
    because: Option<Span>,
    line: Span,
) -> Option<StepKind> {
    let words = resolver.words(words);
    let reason = because.map(|span| resolver.words(&[span]));
    if let ([_, .., word, text], None) = (words.as_slice(), because)
        && text.quoted
        && !word.quoted
        && let Some(near) = did_you_mean(word.text, ["because"])
    {
        let misread = Diagnostic::on(Code::WrongForm, word, format!("`{}` does not belong here", word.text));
        return resolver.misread(misread.help(near));
    }
    if let Some([first, .., last]) = reason.as_deref()
        && first.quoted
        && first.text.contains(' ')
    {
        let wrong = Diagnostic::on(Code::BadPlaceholder, last, "a reason in quotes ends with them");
        return resolver.misread(wrong.help("leave out the quotes, or what is after them"));
    }
    let (player, action) = answer(resolver, table, resolver.phrase(&words, line))?;
    let because = reason.zip(because).map(|(words, span)| match (words.as_slice(), resolver.cell(span)) {
        // The quotes around a whole cell are not a part of the reason; those around a word are.
        ([word], _) if word.quoted => word.text.to_owned(),
        (_, Some(cell)) => cell.to_owned(),
        (words, None) => texts(words),
    });
    Some(StepKind::Refuse { player, action, because })
}

/// Returns whether something happens before the first turn.
pub(crate) fn has_set_up(table: &Table, program: &Program) -> bool {
    !set_up(table, program).is_empty() || program.turn_rules().begin_rounds
}

fn setup(resolver: &mut Resolver<'_>, table: &Table, program: &Program, line: Span) -> Option<StepKind> {
    let phases = set_up(table, program);
    if !has_set_up(table, program) {
        let message = "the rules of this game have no function `setup`";
        let misread = Diagnostic::new(Code::UnknownFunction, resolver.source, line, message);
        return resolver.misread(misread.help(
            "draw the position instead, write `fn setup()` in the rules, or lines `shuffle` and `deal` \
             in the game file",
        ));
    }
    Some(StepKind::Setup(phases))
}

/// Reads `red resigns`; `None` for another line, and in a game in which a player may choose that.
fn resigning(
    resolver: &mut Resolver<'_>,
    table: &Table,
    program: &Program,
    words: &Words,
    line: Span,
) -> Option<Option<StepKind>> {
    if resigning_is_an_answer(&table.schema) {
        return None;
    }
    let words = resolver.words(words);
    let [player, _] = words.as_slice() else { return None };
    let player = words.last().filter(|last| last.is(RESIGNS)).and(Some(player))?;
    Some(resignation(resolver, table, program, player, line))
}

/// Returns whether a player may choose what the word for resigning says: then it is an answer.
#[must_use]
pub fn resigning_is_an_answer(schema: &Schema) -> bool {
    schema.asks.iter().any(|ask| ask.verb == RESIGNS)
}

/// The word with which a player resigns.
pub const RESIGNS: &str = "resigns";

fn resignation(
    resolver: &mut Resolver<'_>,
    table: &Table,
    program: &Program,
    word: &Word<'_>,
    line: Span,
) -> Option<StepKind> {
    let player = resolver.get(names(table).player(word))?;
    let player = taking_part(resolver, table, player, word.span)?;
    if !program.has("resigned", 1) {
        let message = "the rules of this game do not say what follows if a player resigns";
        let help = "write it in the rules: `fn resigned(player) { lose(player); }`, or say there who goes on: \
                    `fn resigned(player) { next_turn(after(player)); }`";
        return resolver.misread(Diagnostic::new(Code::UnknownFunction, resolver.source, line, message).help(help));
    }
    Some(StepKind::Resign(player))
}

fn agreement(resolver: &mut Resolver<'_>, program: &Program, outcome: Span, line: Span) -> Option<StepKind> {
    let words = resolver.words(&[outcome]);
    if let Some(other) = words.iter().find(|word| word.text != "draw") {
        let message = format!("players cannot agree on `{}`", other.text);
        return resolver.misread(Diagnostic::on(Code::WrongForm, other, message).help("write `agree draw`"));
    }
    if !program.has("agreed", 0) {
        let message = "the rules of this game do not let the players agree on a draw";
        let help = "if its rulebook does, write `fn agreed() { draw_game(); }` in the rules";
        return resolver.misread(Diagnostic::new(Code::UnknownFunction, resolver.source, line, message).help(help));
    }
    Some(StepKind::Agree)
}

/// Returns the phases of a set-up, in order: the `shuffle` and `deal` lines of the game file, then `setup()` of the
/// rules.
pub(crate) fn set_up(table: &Table, program: &Program) -> Vec<Phase> {
    let variant = table.schema.variants.get(table.variant);
    let dealings = variant.into_iter().flat_map(|variant| &variant.dealings);
    let mut phases: Vec<Phase> = dealings.filter_map(|dealing| Some(dealing.at(table)?.phase())).collect();
    phases.extend(program.has("setup", 0).then(|| Phase { name: "setup".into(), args: Vec::new() }));
    phases
}

/// Reads the one player whose turn it is.
fn only_player(resolver: &mut Resolver<'_>, table: &Table, words: &[Span], line: Span) -> Option<PlayerId> {
    let words = resolver.words(words);
    let mut words = resolver.phrase(&words, line);
    let Some(first) = words.take() else {
        return resolver.misread(
            words
                .wrong(Code::MissingValue, line, "this line does not say whose turn it is")
                .help(format!("write for example `turn {}`", table.schema.example_players().first().unwrap_or(&""))),
        );
    };
    let player = resolver.get(names(table).player(first))?;
    resolver.get(words.finished())?;
    taking_part(resolver, table, player, first.span)
}

/// Reads a function of the rules with its arguments. Also returns the first player among them, whose turn it then is.
fn phase(
    resolver: &mut Resolver<'_>,
    table: &Table,
    program: &Program,
    spans: &[Span],
    line: Span,
) -> Option<(Phase, Option<PlayerId>)> {
    let words = with_brackets(resolver.source, table, resolver.words(spans));
    let mut words = resolver.phrase(&words, line);
    let Some(first) = words.take() else {
        let message = "this line does not name a function of the rules";
        return resolver.misread(words.wrong(Code::MissingValue, line, message));
    };
    let mut args = Vec::new();
    while !words.is_empty() {
        args.push(resolver.get(argument(names(table), &mut words, 0))?);
    }
    if !program.offers(first.text, args.len()) {
        let arities: Vec<String> =
            program.functions().filter(|(name, _)| *name == first.text).map(|(_, arity)| arity.to_string()).collect();
        let message = if arities.is_empty() {
            format!("unknown function `{}`", first.text)
        } else {
            let plural = if arities == ["1"] { "" } else { "s" };
            format!("`{}` takes {} argument{plural}, got {}", first.text, arities.join(" or "), args.len())
        };
        let help = if arities.is_empty() {
            let names = || program.functions().map(|(name, _)| name);
            let longer = names().find(|name| name.starts_with(first.text));
            let longer = || longer.map(|name| format!("did you mean `{name}`?"));
            did_you_mean(first.text, names()).or_else(longer)
        } else {
            let values = if arities == ["1"] { "value" } else { "values" };
            Some(format!("write {} {values} after `{}`", arities.join(" or "), first.text))
        };
        let code = if arities.is_empty() { Code::UnknownFunction } else { Code::WrongArity };
        return resolver.misread(Diagnostic::on(code, first, message).maybe_help(help));
    }
    let player = args.iter().find_map(|value| match value {
        Value::Player(player) => Some(*player),
        _ => None,
    });
    Some((Phase { name: first.text.into(), args }, player))
}

/// The word before a cell whose name could be read as something else: the cells of a track are numbers.
pub(crate) const CELL: &str = "cell";

/// The word before a list of cells that is a set.
pub(crate) const CELLS: &str = "cells";

/// The largest depth of lists within lists.
const MAX_DEPTH: usize = 16;

/// Cuts the brackets of lists off words: `[a1` is `[` and `a1`. A name may begin with a bracket.
fn with_brackets<'f>(source: &'f Arc<Source>, table: &Table, words: Vec<Word<'f>>) -> Vec<Word<'f>> {
    let is_name = |word: &Word<'_>| table.schema.piece(word.text).is_some() || table.schema.player(word.text).is_some();
    let mut cut = Vec::with_capacity(words.len());
    for word in words {
        if word.quoted || !word.text.contains(['[', ']']) || is_name(&word) {
            cut.push(word);
            continue;
        }
        let middle = word.text.trim_start_matches('[');
        let before = word.text.len() - middle.len();
        let middle = middle.trim_end_matches(']');
        let part = |from: usize, text: &'f str| {
            let start = word.span.start + Span::new(0..from).end;
            let span = Span { start, end: start + Span::new(0..text.len()).end };
            // A string in quotes is read as such.
            if source.slice(span) == text { source.word(span) } else { Word { text, ..word } }
        };
        let ends = |range: std::ops::Range<usize>| range.filter_map(|at| Some(part(at, word.text.get(at..=at)?)));
        cut.extend(ends(0..before));
        cut.extend((!middle.is_empty()).then(|| part(before, middle)));
        cut.extend(ends(before + middle.len()..word.text.len()));
    }
    cut
}

/// Takes the values of a list up to its closing bracket; the opening one is taken.
fn list(names: Names<'_>, words: &mut Phrase<'_>, depth: usize) -> Result<Vec<Value>, Diagnostic> {
    const FORM: &str = "write a list in brackets: `[a1, b2]`";
    let mut values = Vec::new();
    if depth > MAX_DEPTH {
        let message = format!("lists are at most {MAX_DEPTH} deep");
        return Err(words.wrong(Code::WrongForm, words.next_span(), message).help(FORM));
    }
    loop {
        if words.is_empty() {
            return Err(words.missing("`]` is missing here").help(FORM));
        }
        if words.takes("]") {
            return Ok(values);
        }
        values.push(argument(names, words, depth)?);
    }
}

/// Takes an argument of a phase: a value of any kind, a move, a boolean, `none`, a list in brackets, or a set of cells.
fn argument(names: Names<'_>, words: &mut Phrase<'_>, depth: usize) -> Result<Value, Diagnostic> {
    let Some(first) = words.first().filter(|_| names.known_piece(*words).is_none()) else {
        return any_value(names, words);
    };
    let mut rest = words.from(1);
    let read = match first.keyword() {
        "[" => Value::List(list(names, &mut rest, depth + 1)?),
        CELLS if rest.takes("[") => {
            let cells = list(names, &mut rest, depth + 1)?;
            if let Some(other) = cells.iter().find(|value| !matches!(value, Value::Cell(_))) {
                let message = format!("`{}` is not a cell", names.write(None, other));
                let misread = Diagnostic::on(Code::WrongForm, first, message);
                return Err(
                    misread.help("write a set of cells as `cells [a1, b2]`, a list of other values without `cells`")
                );
            }
            Value::Set(cells.into_iter().collect())
        }
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        "none" => Value::Nothing,
        "]" => {
            let message = "`]` does not belong here: no list is open";
            return Err(Diagnostic::on(Code::WrongForm, first, message).help("write a list in brackets: `[a1, b2]`"));
        }
        _ => {
            let mut plain = *words;
            match any_value(names, &mut plain) {
                Ok(value) => {
                    rest = plain;
                    value
                }
                Err(misread) => names.moved(first).map(Value::Move).map_err(|_| misread)?,
            }
        }
    };
    *words = rest;
    Ok(read)
}

/// Takes a value of any kind: a number or direction, a player, a piece, a cell, or a string in quotes.
pub(crate) fn any_value(names: Names<'_>, words: &mut Phrase<'_>) -> Result<Value, Diagnostic> {
    let schema = names.schema;
    let piece = names.known_piece(*words);
    let Some(first) = words.take() else { return Err(words.missing("a value is missing here")) };
    // A player has priority over a piece of the same name, but not over a piece with a longer name.
    if let (Some(player), true) = (schema.player(first.text), piece.is_none_or(|(_, rest)| rest.len() == words.len())) {
        return Ok(Value::Player(player));
    }
    if let Some((piece, rest)) = piece {
        *words = rest;
        return Ok(Value::Piece(piece));
    }
    if let Some(second) = words.first().filter(|_| first.is(CELL)) {
        words.skip(1);
        return names.cell(second).map(Value::Cell);
    }
    if let Ok(number) = names.number(first) {
        return Ok(Value::Int(number));
    }
    if let Some(cell) = names.board.cell(first.text) {
        return Ok(Value::Cell(cell));
    }
    if first.quoted {
        return Ok(Value::text(first.text));
    }
    let all = schema.pieces.iter().map(|piece| piece.name.as_str()).chain(schema.players.iter().map(String::as_str));
    let help = did_you_mean(first.text, all).unwrap_or_else(|| {
        "write a number, a direction, a player, a piece, a cell, `true` or `false`, or a list of these in brackets; put a \
         string in quotes"
            .to_owned()
    });
    Err(Diagnostic::on(Code::UnknownName, first, format!("unknown name `{}`", first.text)).help(help))
}
