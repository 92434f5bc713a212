//! Resolves the words of `expect` lines into expectations.

use std::sync::Arc;

use crate::plan::absent::{all_play, players_in, players_of};
use crate::plan::actions::action;
use crate::plan::chance;
use crate::plan::condition::{of_position, said};
use crate::plan::model::{Asked, Check, Fact, Present};
use crate::plan::perft;
use crate::plan::question;
use crate::plan::resolver::{Resolver, names};
use referee_diagnostic::{Code, Diagnostic, did_you_mean, one_of};
use referee_game::{Lines as _, drawn_take_part, report_joined};
use referee_source::{Source, Span, Word};
use referee_syntax::ast::Expect;
use referee_syntax::parse_words;
use referee_table::{AskId, Drawn, EventId, Form, Kind, Phrase, Schema, Table, read_diagram};

/// Resolves an `expect` line.
pub(crate) fn resolve(resolver: &mut Resolver<'_>, table: &Table, expect: &Expect, line: Span) -> Option<Check> {
    match expect {
        Expect::Words(spans) => {
            let words = resolver.words(spans);
            let before = resolver.wrong.len();
            let read = said(resolver, table, resolver.phrase(&words, line));
            if read.is_none() {
                let reads = |resolver: &mut Resolver<'_>, part: &[Word<'_>]| {
                    said(resolver, table, resolver.phrase(part, line)).is_some()
                };
                report_joined(resolver, before, ("expect", &words), reads);
            }
            let fact = read?;
            // The rules of the set-up might put it on the board.
            if !matches!(fact, Fact::Off(_)) {
                all_play(resolver, table, players_of(table, &fact), &words)?;
            }
            Some(Check::Present(Present::Fact(fact)))
        }
        Expect::Condition { condition, words } => {
            let words = resolver.words(words);
            let fact = of_position(resolver, table, *condition, resolver.phrase(&words, line))?;
            all_play(resolver, table, players_of(table, &fact), &words)?;
            Some(Check::Present(Present::Fact(fact)))
        }
        Expect::Asks(spans) => {
            let words = resolver.words(spans);
            let asked = asks(resolver, table, resolver.phrase(&words, line))?;
            if let Present::Asks(player, _) = asked {
                all_play(resolver, table, vec![player], &words)?;
            }
            Some(Check::Present(asked))
        }
        Expect::Choices { of, how, list } => {
            let spans = of.iter().chain(list.iter().flatten());
            let words: Vec<Word<'_>> = spans.map(|span| resolver.source.word(*span)).collect();
            let of = asked(resolver, table, of)?;
            let list = choices(resolver, table, of.verb, list, line)?;
            let values = list.iter().flat_map(|(action, _)| &action.values);
            let players = of.player.into_iter().chain(values.flat_map(|value| players_in(table, value))).collect();
            all_play(resolver, table, players, &words)?;
            Some(Check::Present(Present::Choices { of, how: *how, list }))
        }
        Expect::ChoicesCount { of, count } => {
            let words: Vec<Word<'_>> = of.iter().map(|span| resolver.source.word(*span)).collect();
            let of = asked(resolver, table, of)?;
            let count = choices_count(resolver, table, of, *count)?;
            all_play(resolver, table, of.player.into_iter().collect(), &words)?;
            Some(Check::Present(Present::ChoicesCount { of, count }))
        }
        Expect::Board(rows) => board(resolver, table, rows, line).map(|drawn| Check::Present(Present::Board(drawn))),
        Expect::Events { exactly, rows } => {
            let rows = events(resolver, table, rows)?;
            Some(Check::Present(Present::Events { exactly: *exactly, rows }))
        }
        Expect::Snapshot => Some(Check::Snapshot),
        Expect::Expression(span) => Some(Check::Expression(*span)),
        Expect::Perft(words) => perft::resolve(resolver, words, line),
        Expect::Chance { expression, words } => chance::resolve(resolver, table, *expression, words, line),
        Expect::Question { question, expression, words } => {
            question::resolve(resolver, table, (*question, *expression, words), line)
        }
    }
}

/// Reads the number of options.
fn choices_count(resolver: &mut Resolver<'_>, table: &Table, of: Asked, count: Span) -> Option<usize> {
    let words = resolver.words(&[count]);
    let word = words.first()?;
    let Ok(number) = word.text.parse() else {
        if word.text.bytes().all(|byte| byte.is_ascii_digit()) {
            let misread = Diagnostic::on(Code::NumberTooLarge, word, "this number is too large");
            return resolver.misread(misread.help(format!("write a number up to {}", i64::MAX)));
        }
        let message = match word.text.strip_prefix('-') {
            Some(_) => "a count is at least 0".to_owned(),
            None => format!("expected a number, found `{}`", word.text),
        };
        let player = of.player.map_or_else(String::new, |player| format!("{} ", table.schema.player_name(player)));
        let verb = of.verb.map_or_else(String::new, |verb| format!("{} ", table.schema.verb(verb)));
        return resolver.misread(
            Diagnostic::on(Code::NotANumber, word, message)
                .help(format!("write for example `expect choices {player}{verb}count 0`")),
        );
    };
    resolver.finish(resolver.phrase(&words, count).from(1), number)
}

/// Reads a diagram of the board.
fn board(resolver: &mut Resolver<'_>, table: &Table, rows: &[Span], line: Span) -> Option<Vec<Drawn>> {
    let words: Vec<Vec<Word<'_>>> = rows.iter().map(|row| resolver.tokens(*row)).collect();
    // Some rows of a table may leave the board open.
    let is_plain = !rows.iter().any(|row| resolver.source.slice(*row).contains('{'));
    if is_plain && !rows.is_empty() && words.iter().flatten().all(|word| word.text == "?") {
        let message = "this board expects nothing: every cell is `?`, which matches anything";
        let help = "draw at least one cell as it should be, or remove the line";
        return resolver.misread(Diagnostic::new(Code::NothingChecked, resolver.source, line, message).help(help));
    }
    match read_diagram(names(table), &words, (resolver.source, line)) {
        Ok(drawn) => drawn_take_part(resolver, table, &drawn).then_some(drawn),
        Err(wrong) => {
            wrong.into_iter().for_each(|wrong| resolver.report(wrong));
            None
        }
    }
}

/// Reads the words after `choices`: the player, the verb, or both.
fn asked(resolver: &mut Resolver<'_>, table: &Table, of: &[Span]) -> Option<Asked> {
    let words = resolver.words(of);
    let schema = &table.schema;
    let player = |word: &Word<'_>| schema.player(word.text);
    match words.as_slice() {
        [] => Some(Asked::default()),
        [one] if schema.ask(one.text).is_none() && player(one).is_some() => {
            Some(Asked { player: player(one), verb: None })
        }
        [one] => ask(resolver, table, one).map(|verb| Asked { player: None, verb: Some(verb) }),
        [first, second, ..] => {
            let player = resolver.get(names(table).player(first))?;
            let verb = ask(resolver, table, second)?;
            let rest = resolver.phrase(&words, Span::default()).from(2);
            resolver.finish(rest, Asked { player: Some(player), verb: Some(verb) })
        }
    }
}

/// Reads the verb of an ask.
fn ask(resolver: &mut Resolver<'_>, table: &Table, word: &Word<'_>) -> Option<AskId> {
    let found = table.schema.ask(word.text);
    if found.is_some() {
        return found;
    }
    let all = || table.schema.asks.iter().map(|ask| ask.verb.as_str());
    let help = did_you_mean(word.text, all()).unwrap_or_else(|| format!("the asks are {}", one_of(all(), 12)));
    resolver.misread(Diagnostic::on(Code::UnknownAsk, word, format!("the rules never ask `{}`", word.text)).help(help))
}

/// Returns the help for an ask, a die or a zone directly after `expect asks`.
fn what_is_asked(schema: &Schema, word: &str) -> Option<String> {
    if schema.ask(word).is_some() {
        Some(format!("name the player first: `expect asks {} {word}`", schema.example_players()[0]))
    } else if schema.die(word).is_some() {
        Some(format!("write `expect asks roll {word}`"))
    } else {
        schema.is_zone(word).then(|| format!("write `expect asks draw {word}`"))
    }
}

/// Reads the words after `expect asks`: `red walk`, `roll distance`.
fn asks(resolver: &mut Resolver<'_>, table: &Table, mut words: Phrase<'_>) -> Option<Present> {
    let Some(first) = words.take() else {
        return resolver.misread(
            words
                .missing("this line does not say what is asked")
                .help("write `expect asks PLAYER VERB` or `expect asks roll DIE`"),
        );
    };
    if first.text == "roll" && table.schema.player("roll").is_none() {
        let name = words.first().map_or("", |word| word.text);
        let found = table.schema.die(name);
        let all = || table.schema.dice.iter().map(|die| die.name.as_str());
        let help = did_you_mean(name, all()).unwrap_or_else(|| match one_of(all(), 9) {
            _ if all().next().is_some_and(str::is_empty) => {
                "write `expect asks roll`: the game's one die has no name".to_owned()
            }
            list => format!("the dice are {list}"),
        });
        let Some(die) = found else {
            if table.schema.dice.is_empty() {
                let misread = Diagnostic::on(Code::UnknownDie, first, "this game has no dice");
                return resolver.misread(misread.help("declare one in the game file: `die 1..6`"));
            }
            if words.is_empty() {
                let message = format!("the name of the die is missing: the game has {} dice", table.schema.dice.len());
                let misread = Diagnostic::on(Code::UnknownDie, first, message);
                let named = all().next().unwrap_or("distance");
                let help = format!("name it: {}\nfor example: expect asks roll {named}", one_of(all(), 9));
                return resolver.misread(misread.help(help));
            }
            let misread = words.wrong(Code::UnknownDie, words.next_span(), format!("unknown die `{name}`"));
            return resolver.misread(misread.help(help));
        };
        return resolver.finish(words.from(1), Present::AsksRoll(die));
    }
    if first.text == "draw" && table.schema.player("draw").is_none() {
        let zone = resolver.get(table.zone(&mut words))?;
        return resolver.finish(words, Present::AsksDraw(zone));
    }
    let asked = |misread: Diagnostic| misread.maybe_help(what_is_asked(&table.schema, first.text));
    let player = names(table).player(first).map_err(asked);
    let player = resolver.get(player)?;
    let Some(verb) = words.take() else {
        return resolver.misread(words.missing("this line does not say what the player is asked"));
    };
    let ask = ask(resolver, table, verb)?;
    resolver.finish(words, Present::Asks(player, ask))
}

fn choices(
    resolver: &mut Resolver<'_>,
    table: &Table,
    verb: Option<AskId>,
    list: &[Vec<Span>],
    line: Span,
) -> Option<Vec<(referee_trace::Action, Span)>> {
    let form = verb.and_then(|verb| table.schema.asks.get(verb.index()));
    let mut options: Vec<Vec<Word<'_>>> = resolver.list(list);
    // Without commas, every option is one word, unless all words together are one option, or an option may be several.
    if let ([only], Some(form)) = (options.as_slice(), form)
        && only.len() > 1
        && only.first().is_some_and(|first| first.text != form.verb)
        && !form.kinds().iter().any(|(kind, _)| matches!(kind, Kind::Many(..)))
        && form.read(names(table), resolver.phrase(only, line).with(&complete(form, only))).is_err()
    {
        options = only.iter().map(|word| vec![*word]).collect();
    }
    let mut actions: Vec<(referee_trace::Action, Span)> = Vec::new();
    for words in options {
        let Some((first, last)) = words.first().zip(words.last()) else { continue };
        let span = first.span.to(last.span);
        if let ([none], Some(form)) = (words.as_slice(), form)
            && none.is("none")
        {
            let misread = Diagnostic::on(Code::WrongForm, none, "`none` is not an option");
            return resolver.misread(misread.help(format!("write `expect choices {} count 0`", form.verb)));
        }
        let whole = form.map_or_else(|| words.clone(), |form| complete(form, &words));
        let read = action(resolver, table, resolver.phrase(&words, line).with(&whole))?;
        // The values of a row may be equal.
        let written = |place: &Span| line.start <= place.start && place.end <= line.end;
        let first = actions.iter().find(|(other, _)| *other == read).map(|(_, place)| *place);
        if let Some(first) = first.filter(|first| written(first) && written(&span)) {
            let message = format!("the option `{}` is listed twice", resolver.source.slice(span));
            let twice = Diagnostic::new(Code::ListedTwice, resolver.source, span, message);
            let source = resolver.source;
            resolver.report(twice.also(source, first, "the first one").help("remove one of them"));
        }
        actions.push((read, span));
    }
    Some(actions)
}

/// Returns the words of an option with the verb at the beginning. An option may omit the verb if the line names it.
fn complete<'w>(form: &'w Form, words: &[Word<'w>]) -> Vec<Word<'w>> {
    let missing = words.first().filter(|first| first.text != form.verb);
    let verb = missing.map(|first| Word::plain(first.source, &form.verb, first.span));
    verb.into_iter().chain(words.iter().copied()).collect()
}

fn events(
    resolver: &mut Resolver<'_>,
    table: &Table,
    rows: &[Span],
) -> Option<Vec<(referee_table::EventId, Vec<referee_table::Value>, Span)>> {
    let schema = &table.schema;
    let mut read = Vec::new();
    let mut whole = true;
    for row in rows {
        let spans = parse_words(resolver.source, *row);
        let words = resolver.words(&spans);
        let Some(event) = event_of(schema, &words) else {
            resolver.report(no_event(schema, &words, (resolver.source, *row)));
            whole = false;
            continue;
        };
        let Some(form) = schema.events.get(event.index()) else { continue };
        let end = Span { start: row.end, ..*row };
        match resolver.get(form.read(names(table), resolver.phrase(&words, *row).ending(end))) {
            Some(values) => read.push((event, values, *row)),
            None => whole = false,
        }
    }
    whole.then_some(read)
}

/// Returns the event that the words of a row name; the one with the longest name if there are several.
fn event_of(schema: &Schema, words: &[Word<'_>]) -> Option<EventId> {
    let named = |name: &str| {
        let name: Vec<&str> = name.split(' ').collect();
        words.windows(name.len()).any(|run| run.iter().zip(&name).all(|(word, part)| word.is(part)))
    };
    // The first word that begins the name of an event decides.
    let first = words.iter().find_map(|word| {
        let begins = |name: &str| name.split(' ').next() == Some(word.text) && !word.quoted;
        schema.events.iter().any(|event| begins(&event.verb) && named(&event.verb)).then_some(word.text)
    })?;
    let events = schema.events.iter().enumerate();
    let fits = events.filter(|(_, event)| event.verb.split(' ').next() == Some(first) && named(&event.verb));
    fits.max_by_key(|(_, event)| event.verb.len()).map(|(at, _)| EventId::at(at))
}

/// Returns the error for a row that is not an event of the game.
fn no_event(schema: &Schema, words: &[Word<'_>], (source, row): (&Arc<Source>, Span)) -> Diagnostic {
    let verbs = || schema.events.iter().map(|event| event.verb.as_str());
    let begun = |word: &&Word<'_>| verbs().any(|verb| verb.split(' ').next() == Some(word.text));
    let near = match words.iter().find(begun) {
        // `is oot`, if the events are `is out` and `is safe`.
        Some(first) => {
            let alike = verbs().filter(|verb| verb.split(' ').next() == Some(first.text));
            Some(format!("the events with `{}` are {}", first.text, one_of(alike, 12)))
        }
        None => words.iter().find_map(|word| did_you_mean(word.text, verbs())),
    };
    let help = near.unwrap_or_else(|| match one_of(verbs(), 12) {
        list if list.is_empty() => "the game declares no events".to_owned(),
        list => format!("the events are {list}"),
    });
    Diagnostic::new(Code::UnknownEvent, source, row, "this is not an event of the game").help(help)
}
