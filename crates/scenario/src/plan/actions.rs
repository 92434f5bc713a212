//! Reads actions and their players from the words of lines, and compares actions with options.

use crate::plan::resolver::{Resolver, names};
use crate::plan::{cards, meant};
use referee_diagnostic::{Code, Diagnostic, MustBe as _, did_you_mean, one_of};
use referee_source::{Span, Word, span_of};
use referee_syntax::near_keyword;
use referee_table::{Phrase, PlayerId, Schema, Table, ZoneId};
use referee_trace::Action;

/// Words that other tools use for `expect`.
const EXPECTING: [&str; 7] = ["assert", "check", "ensure", "verify", "should", "test", "require"];

/// Returns the player, who is named at `span`, if they take part in this scenario; reports an error otherwise.
pub(crate) fn taking_part(
    resolver: &mut Resolver<'_>,
    table: &Table,
    player: PlayerId,
    span: Span,
) -> Option<PlayerId> {
    resolver.get(table.taking_part(player, resolver.source, span))
}

/// Reads a player's decision: the player, then the words of an ask.
pub(crate) fn answer(resolver: &mut Resolver<'_>, table: &Table, phrase: Phrase<'_>) -> Option<(PlayerId, Action)> {
    let (schema, words) = (&table.schema, phrase.words());
    let first = phrase.first()?;
    let Some(player) = schema.player(first.text) else {
        let keyword = near_keyword(first.text).map(|keyword| format!("did you mean `{keyword}`?"));
        let near = did_you_mean(first.text, schema.players.iter().map(String::as_str));
        let zone = schema.is_zone(first.text).then(|| {
            format!("write a colon between a zone and its cards: `{}: …`", schema.zone_name(zone_like(schema, words)))
        });
        let expected = meant_to_expect(resolver, table, phrase);
        // Other words for the line `setup`.
        let is_set_up = words.len() == 1 && ["begin", "prepare", "start"].contains(&first.text);
        let set_up = is_set_up.then(|| "write `setup` to set up the game".to_owned());
        let another = meant::after_another(resolver.source, schema, words).or_else(|| meant::had(table, words));
        let help = expected
            .or(another)
            .or(zone)
            .or(near)
            .or(keyword)
            .or(set_up)
            .unwrap_or_else(|| begin_with_player(table, phrase));
        let message = format!("unknown keyword or player `{}`", first.text);
        resolver.report(Diagnostic::unread(Code::UnknownLine, resolver.source, first.span, message).help(help));
        return None;
    };
    let player = taking_part(resolver, table, player, first.span)?;
    let rest = phrase.from(1);
    // What else the words may mean costs more than all lines that are right.
    if let Some(verb) = rest.first().filter(|verb| schema.ask(verb.text).is_none()) {
        let right = without_verb(table, rest).map(|right| format!("write the verb as well: `{} {right}`", first.text));
        if let Some(help) = right.or_else(|| meant::had(table, words)) {
            let misread = Diagnostic::on(Code::UnknownAsk, verb, format!("the rules never ask `{}`", verb.text));
            return resolver.misread(misread.help(help));
        }
    }
    action(resolver, table, rest).map(|action| (player, action))
}

/// Returns help for a line that is probably an expectation: `assert turn red`, `hand red contains ace`, `red.score = 3`.
fn meant_to_expect(resolver: &Resolver<'_>, table: &Table, phrase: Phrase<'_>) -> Option<String> {
    let (schema, words) = (&table.schema, phrase.words());
    let (first, last) = words.first().zip(words.last())?;
    let mut rest = phrase;
    if let Ok(Some(_)) = names(table).dotted(&mut rest)
        && let Some(sign) = rest.first().filter(|word| word.is("="))
    {
        let value = resolver.source.slice(sign.span.to(last.span));
        let subject = resolver.source.slice(phrase.before(rest).span());
        let set = value.trim_start_matches(['=', ' ']);
        return Some(format!("write `expect {subject} {value}` to check it, or `set {subject} {set}` in a position"));
    }
    if EXPECTING.contains(&first.text) {
        let rest = words.get(1).map_or("…", |second| resolver.source.slice(second.span.to(last.span)));
        return Some(format!("write `expect {rest}`"));
    }
    schema.is_zone(first.text).then(|| cards::held(words)).flatten()
}

/// Returns the zone that words without a colon probably mean.
fn zone_like(schema: &Schema, words: &[Word<'_>]) -> ZoneId {
    let text = |at: usize| words.get(at).map_or("", |word| word.text);
    let named = schema.zone(text(0), schema.player(text(1)));
    let any = schema.zones.iter().position(|zone| zone.name == text(0)).map(ZoneId::at);
    named.or(any).or_missing("the zone of a name", ZoneId(0))
}

/// Reads an action from its words, the verb first.
pub(crate) fn action(resolver: &mut Resolver<'_>, table: &Table, words: Phrase<'_>) -> Option<Action> {
    let schema = &table.schema;
    let verbs = || schema.asks.iter().map(|ask| ask.verb.as_str());
    let Some(verb) = words.first() else {
        return resolver.misread(
            words
                .missing("this line does not say what the player does")
                .help(format!("the asks are {}", one_of(verbs(), 9))),
        );
    };
    let Some(ask) = schema.ask(verb.text) else {
        let line = resolver.source.slice(verb.span.to(words.end()));
        let chance = match verb.text {
            "roll" | "rolls" => Some(line.replacen("rolls", "roll", 1)),
            "draw" | "draws" => Some(line.replacen("draws", "draw", 1)),
            _ => None,
        };
        let chance = chance.map(|line| format!("write `{}`: chance is not a player's decision", line.trim()));
        let right = without_verb(table, words).map(|right| format!("write the verb as well: `{right}`"));
        let is_event = schema.events.iter().any(|event| event.verb == verb.text);
        let near = || {
            let happens = "write what happens in rows below `expect events`: `> …`";
            match did_you_mean(verb.text, verbs()) {
                Some(near) if is_event => Some(format!("{near} Or {happens}")),
                near if is_event => near.or_else(|| Some(happens.to_owned())),
                near => near,
            }
        };
        let help = chance.or(right).or_else(near).unwrap_or_else(|| match one_of(verbs(), 9) {
            list if list.is_empty() => "this game asks its players nothing".to_owned(),
            list => format!("the asks are {list}"),
        });
        return resolver.misread(
            Diagnostic::on(Code::UnknownAsk, verb, format!("the rules never ask `{}`", verb.text)).help(help),
        );
    };
    let form = schema.asks.get(ask.index())?;
    let read = form.read(names(table), words);
    let values =
        resolver.get(read.map_err(|misread| match meant::second_answer(resolver.source, schema, words.words()) {
            Some(help) => misread.help(help),
            None => misread,
        }))?;
    Some(Action { ask, values: values.into() })
}

/// Returns help for a decision without its player: each line that is meant if there are few, otherwise who may decide.
fn begin_with_player(table: &Table, words: Phrase<'_>) -> String {
    let players = || table.players.iter().map(|player| table.schema.player_name(*player));
    let begins = words.first().is_some_and(|verb| table.schema.ask(verb.text).is_some());
    let written = || span_of(words.words()).map(|span| words.source().slice(span).to_owned());
    let right = if begins { written() } else { without_verb(table, words) };
    match right.filter(|_| table.players.len() <= 2) {
        Some(right) => {
            let lines: Vec<String> = players().map(|player| format!("`{player} {right}`")).collect();
            format!("begin a decision with the player: {}", lines.join(" or "))
        }
        None => format!("begin a decision with the player: {}", one_of(players(), 9)),
    }
}

/// Returns the line with the missing verb, if the words are the values of an ask.
fn without_verb(table: &Table, words: Phrase<'_>) -> Option<String> {
    table.schema.asks.iter().find_map(|form| {
        let verb = Word::plain(words.source(), &form.verb, words.end());
        let whole: Vec<Word<'_>> = std::iter::once(verb).chain(words.words().iter().copied()).collect();
        let values = form.read(names(table), words.with(&whole)).ok().filter(|values| !values.is_empty())?;
        Some(form.write(names(table), &values))
    })
}

/// Returns whether an action of a line fits an option: values that the line omits fit any.
pub(crate) fn same(wanted: &Action, option: &Action) -> bool {
    wanted.fits(option)
}
