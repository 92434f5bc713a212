//! Play lines: turns, phases, procedures, dice and decisions.

use crate::scenario::plan::model::{Step, StepKind};
use crate::scenario::plan::resolver::{Resolver, end_of, names};
use crate::scenario::plan::cards;
use crate::scenario::plan::expect;
use crate::scenario::plan::dice;
use crate::diagnostic::{Diagnostic, did_you_mean, one_of};
use crate::rules::Program;
use crate::source::{Span, Word};
use crate::syntax::ast::{Line, LineKind};
use crate::syntax::near_keyword;
use crate::table::{Misread, Names, Phase, PlayerId, Schema, Table, Value, ZoneId};
use crate::trace::Action;

/// Returns the step that a line says; nothing for a line that is no step.
pub(crate) fn resolve(resolver: &mut Resolver<'_>, table: &Table, program: &Program, line: &Line) -> Option<Step> {
    let kind = match &line.kind {
        LineKind::Turn(words) => {
            let words = resolver.words(words);
            StepKind::Turn(only_player(resolver, table, &words, line.span)?)
        }
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
        LineKind::Answer(words) => {
            let words = resolver.words(words);
            let (player, action) = answer(resolver, table, &words, line.span)?;
            StepKind::Answer(player, action)
        }
        LineKind::Refuse { answer: words, because } => {
            let words = resolver.words(words);
            let reason = because.map(|span| resolver.words(&[span]));
            let (player, action) = answer(resolver, table, &words, line.span)?;
            let because = reason.map(|words| words.iter().map(|word| word.text).collect::<Vec<_>>().join(" "));
            StepKind::Refuse { player, action, because }
        }
        LineKind::Setup => {
            let phases = set_up(table, program);
            if phases.is_empty() {
                let misread =
                    Misread::new("unknown_function", line.span, "the rules of this game have no function `setup`");
                return resolver.misread(misread.help(
                    "draw the position instead, write `fn setup()` in the rules, or lines `shuffle` and `deal` in the game file",
                ));
            }
            StepKind::Setup(phases)
        }
        LineKind::Shuffle { zone, order } => cards::shuffle(resolver, table, (zone, order.as_ref()), line.span)?,
        LineKind::Deal { number, from, to } => cards::deal(resolver, table, (*number, from, to), line.span)?,
        LineKind::Agree(outcome) => {
            let words = resolver.words(&[*outcome]);
            if let Some(other) = words.iter().find(|word| word.text != "draw") {
                let message = format!("players cannot agree on `{}`", other.text);
                return resolver.misread(Misread::new("wrong_form", other.span, message).help("write `agree draw`"));
            }
            if !program.has("agreed", 0) {
                let message = "the rules of this game do not let the players agree on a draw";
                let help = "if its rulebook does, write `fn agreed() { draw_game(); }` in the rules";
                return resolver.misread(Misread::new("unknown_function", line.span, message).help(help));
            }
            StepKind::Agree
        }
        LineKind::Expect(expect) => StepKind::Expect(expect::resolve(resolver, table, expect, line.span)?),
        _ => return None,
    };
    Some(Step { span: line.span, kind })
}

/// What a set-up does before play, in its order: the game file's lines `shuffle` and `deal`, then the rules' `setup()`.
pub(crate) fn set_up(table: &Table, program: &Program) -> Vec<Phase> {
    let variant = table.schema.variants.get(table.variant);
    let dealings = variant.into_iter().flat_map(|variant| &variant.dealings);
    let mut phases: Vec<Phase> = dealings.filter_map(|dealing| Some(dealing.at(table)?.phase())).collect();
    phases.extend(program.has("setup", 0).then(|| Phase { name: "setup".into(), args: Vec::new() }));
    phases
}

fn only_player(resolver: &mut Resolver<'_>, table: &Table, words: &[Word<'_>], line: Span) -> Option<PlayerId> {
    let Some(first) = words.first() else {
        return resolver.misread(
            Misread::new("missing_value", line, "this line does not say whose turn it is")
                .help(format!("write for example `turn {}`", table.schema.example_players().first().unwrap_or(&""))),
        );
    };
    let player = resolver.get(names(table).player(first))?;
    if let Some(extra) = words.get(1) {
        return resolver.misread(Misread::new(
            "wrong_form",
            extra.span,
            format!("`{}` does not belong here", extra.text),
        ));
    }
    taking_part(resolver, table, player, first)
}

/// Returns the player, if he takes part in this scenario.
pub(crate) fn taking_part(
    resolver: &mut Resolver<'_>,
    table: &Table,
    player: PlayerId,
    word: &Word<'_>,
) -> Option<PlayerId> {
    if table.players.contains(&player) {
        return Some(player);
    }
    let players = table.players.iter().map(|player| table.schema.player_name(*player));
    resolver.misread(
        Misread::new("not_playing", word.span, format!("`{}` does not take part in this scenario", word.text))
            .help(format!("those who play are {}", one_of(players, 9))),
    )
}

/// Returns a function of the rules with values, and the first player among them, whose turn it then is.
fn phase(
    resolver: &mut Resolver<'_>,
    table: &Table,
    program: &Program,
    spans: &[Span],
    line: Span,
) -> Option<(Phase, Option<PlayerId>)> {
    let words = resolver.words(spans);
    let Some(first) = words.first() else {
        return resolver.misread(Misread::new(
            "missing_value",
            line,
            "this line does not name a function of the rules",
        ));
    };
    let mut args = Vec::new();
    let mut rest = words.get(1..).unwrap_or_default();
    while !rest.is_empty() {
        let (value, taken) = resolver.get(any_value(names(table), rest, end_of(&words, line)))?;
        args.push(value);
        rest = rest.get(taken..).unwrap_or_default();
    }
    if !program.offers(first.text, args.len()) {
        let arities: Vec<String> =
            program.functions().filter(|(name, _)| *name == first.text).map(|(_, arity)| arity.to_string()).collect();
        let message = if arities.is_empty() {
            format!("the rules have no function `{}`", first.text)
        } else {
            format!("`{}` is called with {} value{}", first.text, args.len(), if args.len() == 1 { "" } else { "s" })
        };
        let help = if arities.is_empty() {
            did_you_mean(first.text, program.functions().map(|(name, _)| name))
        } else {
            Some(format!("it takes {}", arities.join(" or ")))
        };
        return resolver.misread(Misread::new("unknown_function", first.span, message).maybe_help(help));
    }
    let player = args.iter().find_map(|value| match value {
        Value::Player(player) => Some(*player),
        _ => None,
    });
    Some((Phase { name: first.text.into(), args }, player))
}

/// Returns a value of whatever kind the words name: a number or direction, a player, a piece, a cell; in quotes a text.
pub(crate) fn any_value(names: Names<'_>, words: &[Word<'_>], end: Span) -> Result<(Value, usize), Misread> {
    let Some(first) = words.first() else { return Err(Misread::new("missing_value", end, "a value is missing here")) };
    // A player's name is the player, though a piece may be called so too; a longer name of a piece wins.
    let piece = names.piece(words).ok();
    if let (Ok(player), true) = (names.player(first), piece.is_none_or(|(_, taken)| taken == 1)) {
        return Ok((Value::Player(player), 1));
    }
    if let Some((piece, taken)) = piece {
        return Ok((Value::Piece(piece), taken));
    }
    if let Ok(number) = names.number(first) {
        return Ok((Value::Int(number), 1));
    }
    if let Ok(cell) = names.cell(first) {
        return Ok((Value::Cell(cell), 1));
    }
    if first.quoted {
        return Ok((Value::text(first.text), 1));
    }
    let schema = names.schema;
    let all = schema.pieces.iter().map(|piece| piece.name.as_str()).chain(schema.players.iter().map(String::as_str));
    let help = did_you_mean(first.text, all).unwrap_or_else(|| {
        "write a number, a direction, a player, a piece or a cell; a text goes in quotes".to_owned()
    });
    Err(Misread::new("unknown_name", first.span, format!("nothing is called `{}`", first.text)).help(help))
}

/// Returns a player's decision: the player, then the words of an ask.
pub(crate) fn answer(
    resolver: &mut Resolver<'_>,
    table: &Table,
    words: &[Word<'_>],
    line: Span,
) -> Option<(PlayerId, Action)> {
    let schema = &table.schema;
    let first = words.first()?;
    let Some(player) = schema.player(first.text) else {
        let keyword = near_keyword(first.text).map(|keyword| format!("did you mean `{keyword}`?"));
        let near = did_you_mean(first.text, schema.players.iter().map(String::as_str));
        let zone = schema.is_zone(first.text).then(|| {
            format!("a colon stands between a zone and its cards: `{}: …`", schema.zone_name(zone_like(schema, words)))
        });
        let expected = meant_to_expect(resolver, schema, words);
        let help = expected.or(zone).or(near).or(keyword).unwrap_or_else(|| {
            let players = table.players.iter().map(|player| schema.player_name(*player));
            format!("a decision begins with the player: {}", one_of(players, 9))
        });
        return resolver.misread(
            Misread::new(
                "unknown_line",
                first.span,
                format!("no line begins with `{}`, and no player is called so", first.text),
            )
            .help(help),
        );
    };
    let player = taking_part(resolver, table, player, first)?;
    let rest = words.get(1..).unwrap_or_default();
    if let (Some(verb), Some(right)) = (rest.first(), without_verb(table, rest, end_of(words, line)))
        && schema.ask(verb.text).is_none()
    {
        let misread = Misread::new("unknown_ask", verb.span, format!("the rules never ask `{}`", verb.text));
        return resolver.misread(misread.help(format!("write the verb as well: `{} {right}`", first.text)));
    }
    action(resolver, table, rest, end_of(words, line)).map(|action| (player, action))
}

/// The words of other tools for `expect`.
const EXPECTING: [&str; 7] = ["assert", "check", "ensure", "verify", "should", "test", "require"];

/// Returns the expectation that a line may have been meant for: `assert turn red`, `hand red contains ace`.
fn meant_to_expect(resolver: &Resolver<'_>, schema: &Schema, words: &[Word<'_>]) -> Option<String> {
    let (first, last) = words.first().zip(words.last())?;
    if EXPECTING.contains(&first.text) {
        let rest = words.get(1).map_or("…", |second| resolver.source.slice(second.span.to(last.span)));
        return Some(format!("write `expect {rest}`"));
    }
    schema.is_zone(first.text).then(|| cards::held(words)).flatten()
}

/// Returns the zone that words without a colon mean, as far as they tell.
fn zone_like(schema: &Schema, words: &[Word<'_>]) -> ZoneId {
    let text = |at: usize| words.get(at).map_or("", |word| word.text);
    let named = schema.zone(text(0), schema.player(text(1)));
    let any = schema.zones.iter().position(|zone| zone.name == text(0)).map(ZoneId::at);
    named.or(any).unwrap_or(ZoneId(0))
}

/// Returns an action from its words, the verb first.
pub(crate) fn action(resolver: &mut Resolver<'_>, table: &Table, words: &[Word<'_>], end: Span) -> Option<Action> {
    let schema = &table.schema;
    let verbs = || schema.asks.iter().map(|ask| ask.verb.as_str());
    let Some(verb) = words.first() else {
        return resolver.misread(
            Misread::new("missing_value", end, "this line does not say what the player does")
                .help(format!("the asks are {}", one_of(verbs(), 9))),
        );
    };
    let Some(ask) = schema.ask(verb.text) else {
        let line = resolver.source.slice(verb.span.to(end));
        let chance = match verb.text {
            "roll" | "rolls" => Some(line.replacen("rolls", "roll", 1)),
            "draw" | "draws" => Some(line.replacen("draws", "draw", 1)),
            _ => None,
        };
        let chance =
            chance.map(|line| format!("chance is nobody's decision, so no player is named: `{}`", line.trim()));
        let right = without_verb(table, words, end).map(|right| format!("write the verb as well: `{right}`"));
        let help =
            chance.or(right).or_else(|| did_you_mean(verb.text, verbs())).unwrap_or_else(|| match one_of(verbs(), 9) {
                list if list.is_empty() => "this game asks its players nothing".to_owned(),
                list => format!("the asks are {list}"),
            });
        return resolver.misread(
            Misread::new("unknown_ask", verb.span, format!("the rules never ask `{}`", verb.text)).help(help),
        );
    };
    let form = schema.asks.get(ask.index())?;
    let values = resolver.get(form.read(names(table), words, end))?;
    Some(Action { ask, values })
}

/// Returns the line with the verb that it leaves out, where the words are the values of an ask.
fn without_verb(table: &Table, words: &[Word<'_>], end: Span) -> Option<String> {
    table.schema.asks.iter().find_map(|form| {
        let verb = Word { text: &form.verb, span: end, quoted: false };
        let whole: Vec<Word<'_>> = std::iter::once(verb).chain(words.iter().copied()).collect();
        let values = form.read(names(table), &whole, end).ok().filter(|values| !values.is_empty())?;
        Some(form.write(names(table), &values))
    })
}

/// Notes the lines that stand in a scenario and are not interpreted yet, or belong elsewhere.
pub(crate) fn unsupported(resolver: &mut Resolver<'_>, line: &Line) {
    let what = match &line.kind {
        LineKind::NotYet(what) => what,
        _ => return,
    };
    resolver.say(Diagnostic::new("not_supported", resolver.source, line.span, format!("{what}: not supported yet")));
}

/// Returns whether an action that a line describes is an option: values that the line leaves out fit any.
pub(crate) fn same(wanted: &Action, option: &Action) -> bool {
    wanted.fits(option)
}
