//! Expectations: from the words of an `expect` line to something that can be judged.

use crate::scenario::plan::cards;
use crate::scenario::plan::chance;
use crate::scenario::plan::model::Check;
use crate::scenario::plan::position::row_words;
use crate::scenario::plan::prefixes;
use crate::scenario::plan::properties::{dotted, flag, value};
use crate::scenario::plan::resolver::{Resolver, end_of, names};
use crate::scenario::plan::steps::{action, taking_part};
use crate::diagnostic::{Diagnostic, did_you_mean, one_of};
use crate::source::{Span, Spanned, Word};
use crate::syntax::ast::Expect;
use crate::syntax::{near_expectation, parse_words};
use crate::table::{AskId, EventId, Form, Misread, PlayerId, PropertyKind, Schema, Table, read_diagram};

/// What an `expect` line wants.
pub(crate) fn resolve(resolver: &mut Resolver<'_>, table: &Table, expect: &Expect, line: Span) -> Option<Check> {
    match expect {
        Expect::Words(spans) => {
            let words = resolver.words(spans);
            plain(resolver, table, &words, line)
        }
        Expect::Turn(spans) => {
            let words = resolver.words(spans);
            let player = players(resolver, table, &words, line)?.first().copied()?;
            nothing_more(resolver, &words, 1, Check::Turn(player))
        }
        Expect::Asks(spans) => {
            let words = resolver.words(spans);
            asks(resolver, table, &words, line)
        }
        Expect::Winners(spans) => {
            let words = resolver.words(spans);
            let mut players = players(resolver, table, &words, line)?;
            players.sort_unstable();
            Some(Check::Winners(players))
        }
        Expect::NobodyWins => Some(Check::NobodyWins),
        Expect::NoWinner => Some(Check::NoWinner),
        Expect::Draw => Some(Check::Draw),
        Expect::Over => Some(Check::Over),
        Expect::NotOver => Some(Check::NotOver),
        Expect::Choices { verb, how, list } => {
            let verb = ask(resolver, table, *verb)?;
            let list = choices(resolver, table, verb, list, line)?;
            Some(Check::Choices { verb, how: *how, list })
        }
        Expect::ChoicesCount { verb, count } => {
            let verb = ask(resolver, table, *verb)?;
            let words = resolver.words(&[*count]);
            let word = words.first()?;
            let Ok(number) = word.text.parse() else {
                if word.text.bytes().all(|byte| byte.is_ascii_digit()) {
                    let misread = Misread::new("number_too_large", word.span, "this number is too large");
                    return resolver.misread(misread.help(format!("numbers go up to {}", i64::MAX)));
                }
                let message = match word.text.strip_prefix('-') {
                    Some(_) => "a count is not less than nothing".to_owned(),
                    None => format!("`{}` is no number", word.text),
                };
                return resolver.misread(
                    Misread::new("not_a_number", word.span, message)
                        .help("write for example `expect choices walk count 0`"),
                );
            };
            nothing_more(resolver, &words, 1, Check::ChoicesCount { verb, count: number })
        }
        Expect::Board(rows) => {
            let words: Vec<Vec<Word<'_>>> = rows.iter().map(|row| row_words(resolver, *row)).collect();
            match read_diagram(names(table), &words, line) {
                Ok(drawn) => prefixes::take_part(resolver, table, &drawn).then_some(Check::Board(drawn)),
                Err(misreads) => {
                    for misread in misreads {
                        let _: Option<()> = resolver.misread(misread);
                    }
                    None
                }
            }
        }
        Expect::Events { exactly, rows } => {
            events(resolver, table, rows).map(|rows| Check::Events { exactly: *exactly, rows })
        }
        Expect::Snapshot => Some(Check::Snapshot),
        Expect::Island(span) => Some(Check::Island(*span)),
        Expect::Chance { island, words } => chance::resolve(resolver, table, *island, words, line),
        Expect::NotYet(what) => not_yet(resolver, line, what),
    }
}

fn not_yet(resolver: &mut Resolver<'_>, span: Span, what: &str) -> Option<Check> {
    resolver.say(Diagnostic::new("not_supported", resolver.source, span, format!("{what}: not supported yet")));
    None
}

pub(crate) fn players(
    resolver: &mut Resolver<'_>,
    table: &Table,
    words: &[Word<'_>],
    line: Span,
) -> Option<Vec<PlayerId>> {
    if words.is_empty() {
        let end = end_of(words, line);
        return resolver.misread(Misread::new("missing_value", end, "a player is missing here"));
    }
    words.iter().map(|word| resolver.get(names(table).player(word))).collect()
}

fn ask(resolver: &mut Resolver<'_>, table: &Table, verb: Option<Span>) -> Option<Option<AskId>> {
    let Some(span) = verb else { return Some(None) };
    let words = resolver.words(&[span]);
    let word = words.first()?;
    let found = table.schema.ask(word.text);
    if found.is_some() {
        return Some(found);
    }
    let all = || table.schema.asks.iter().map(|ask| ask.verb.as_str());
    let help = did_you_mean(word.text, all()).unwrap_or_else(|| format!("the asks are {}", one_of(all(), 12)));
    resolver.misread(Misread::new("unknown_ask", word.span, format!("the rules never ask `{}`", word.text)).help(help))
}

/// `red walk`, `roll distance`
fn asks(resolver: &mut Resolver<'_>, table: &Table, words: &[Word<'_>], line: Span) -> Option<Check> {
    let end = end_of(words, line);
    let Some(first) = words.first() else {
        return resolver.misread(
            Misread::new("missing_value", end, "this line does not say what is asked")
                .help("write `expect asks PLAYER VERB` or `expect asks roll DIE`"),
        );
    };
    if first.text == "roll" && table.schema.player("roll").is_none() {
        let name = words.get(1).map_or("", |word| word.text);
        let found = table.schema.die(name);
        let all = || table.schema.dice.iter().map(|die| die.name.as_str());
        let span = words.get(1).map_or(end, |word| word.span);
        let help = did_you_mean(name, all()).unwrap_or_else(|| match one_of(all(), 9) {
            _ if all().next().is_some_and(str::is_empty) => {
                "the game's one die has no name: write `expect asks roll`".to_owned()
            }
            list => format!("the dice are {list}"),
        });
        let Some(die) = found else {
            if table.schema.dice.is_empty() {
                let misread = Misread::new("unknown_die", first.span, "this game has no dice");
                return resolver.misread(misread.help("declare one in the game file: `die 1..6`"));
            }
            if words.len() == 1 {
                let message = format!("the game has {} dice: which one is asked for?", table.schema.dice.len());
                let misread = Misread::new("unknown_die", first.span, message);
                let named = all().next().unwrap_or("distance");
                let help = format!("name it: {}\nfor example: expect asks roll {named}", one_of(all(), 9));
                return resolver.misread(misread.help(help));
            }
            let misread = Misread::new("unknown_die", span, format!("there is no die `{name}`"));
            return resolver.misread(misread.help(help));
        };
        return nothing_more(resolver, words, 2, Check::AsksRoll(die));
    }
    if first.text == "draw" && table.schema.player("draw").is_none() {
        let (zone, taken) = resolver.get(cards::zone(table, words.get(1..).unwrap_or_default(), end))?;
        return nothing_more(resolver, words, 1 + taken, Check::AsksDraw(zone));
    }
    let player = resolver.get(names(table).player(first))?;
    let Some(verb) = words.get(1) else {
        return resolver.misread(Misread::new("missing_value", end, "this line does not say what the player is asked"));
    };
    let ask = ask(resolver, table, Some(verb.span))??;
    nothing_more(resolver, words, 2, Check::Asks(player, ask))
}

fn choices(
    resolver: &mut Resolver<'_>,
    table: &Table,
    verb: Option<AskId>,
    list: &[Vec<Span>],
    line: Span,
) -> Option<Vec<(crate::trace::Action, Span)>> {
    let form = verb.and_then(|verb| table.schema.asks.get(verb.index()));
    let mut options: Vec<Vec<Word<'_>>> = resolver.list(list);
    // Without commas every option is one word, unless all the words are one option.
    if let ([only], Some(form)) = (options.as_slice(), form)
        && only.len() > 1
        && only.first().is_some_and(|first| first.text != form.verb)
        && form.read(names(table), &complete(form, only), end_of(only, line)).is_err()
    {
        options = only.iter().map(|word| vec![*word]).collect();
    }
    let mut actions = Vec::new();
    for words in options {
        let Some((first, last)) = words.first().zip(words.last()) else { continue };
        let span = first.span.to(last.span);
        let whole = form.map_or_else(|| words.clone(), |form| complete(form, &words));
        actions.push((action(resolver, table, &whole, end_of(&words, line))?, span));
    }
    Some(actions)
}

/// Returns the words of an option with the verb in front, which may be left out where the line names it.
fn complete<'w>(form: &'w Form, words: &[Word<'w>]) -> Vec<Word<'w>> {
    let missing = words.first().is_none_or(|first| first.text != form.verb);
    let span = words.first().map_or_else(Span::default, |first| first.span);
    let verb = missing.then_some(Word { text: &form.verb, span, quoted: false });
    verb.into_iter().chain(words.iter().copied()).collect()
}

fn events(
    resolver: &mut Resolver<'_>,
    table: &Table,
    rows: &[Span],
) -> Option<Vec<(crate::table::EventId, Vec<crate::table::Value>, Span)>> {
    let schema = &table.schema;
    let mut read = Vec::new();
    let mut whole = true;
    for row in rows {
        let spans = parse_words(resolver.source, *row);
        let words = resolver.words(&spans);
        let Some(event) = event_of(schema, &words) else {
            let _: Option<()> = resolver.misread(no_event(schema, &words, *row));
            whole = false;
            continue;
        };
        let Some(form) = schema.events.get(event.index()) else { continue };
        match resolver.get(form.read(names(table), &words, Span { start: row.end, end: row.end })) {
            Some(values) => read.push((event, values, *row)),
            None => whole = false,
        }
    }
    whole.then_some(read)
}

/// Returns the event that the words of a row name: of several, the one with the longest name.
fn event_of(schema: &Schema, words: &[Word<'_>]) -> Option<EventId> {
    let named = |name: &str| {
        let name: Vec<&str> = name.split(' ').collect();
        words
            .windows(name.len())
            .any(|run| run.iter().zip(&name).all(|(word, part)| word.text == *part && !word.quoted))
    };
    // The first word that is a name decides, as it did for events with names of one word.
    let first = words.iter().find_map(|word| {
        let begins = |name: &str| name.split(' ').next() == Some(word.text) && !word.quoted;
        schema.events.iter().any(|event| begins(&event.verb) && named(&event.verb)).then_some(word.text)
    })?;
    let events = schema.events.iter().enumerate();
    let fits = events.filter(|(_, event)| event.verb.split(' ').next() == Some(first) && named(&event.verb));
    fits.max_by_key(|(_, event)| event.verb.len()).map(|(at, _)| EventId::at(at))
}

/// Returns why a row is none of the game's events.
fn no_event(schema: &Schema, words: &[Word<'_>], row: Span) -> Misread {
    let verbs = || schema.events.iter().map(|event| event.verb.as_str());
    let begun = |word: &&Word<'_>| verbs().any(|verb| verb.split(' ').next() == Some(word.text));
    let near = match words.iter().find(begun) {
        // `is oot`, where there are `is out` and `is safe`.
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
    Misread::new("unknown_event", row, "this is none of the game's events").help(help)
}

/// Returns the expectations that begin with a name.
pub(crate) fn plain(resolver: &mut Resolver<'_>, table: &Table, words: &[Word<'_>], line: Span) -> Option<Check> {
    let names = names(table);
    let end = end_of(words, line);
    let Some(first) = words.first() else {
        return resolver.misread(Misread::new("missing_value", end, "this line does not say what is expected"));
    };
    let text = |at: usize| words.get(at).filter(|word| !word.quoted).map_or("", |word| word.text);
    if let Some(read) = dotted(resolver, table, words) {
        let ((owner, property), taken) = read?;
        if text(taken) != "=" {
            let span = words.get(taken).map_or(end, |word| word.span);
            let said: Vec<&str> = words.iter().take(taken).map(|word| word.text).collect();
            let help = format!("write for example `expect {} = 3`", said.join(" "));
            return resolver.misread(Misread::new("wrong_form", span, "`=` is missing here").help(help));
        }
        let value = value(resolver, table, property, words.get(taken + 1..).unwrap_or_default(), end)?;
        return Some(Check::Property(property, owner, value));
    }
    if let Some(check) = cards::expect(resolver, table, words, line) {
        return check;
    }
    let not = usize::from(text(1) == "not" && text(2) == "face");
    if text(1 + not) == "face" {
        let cell = resolver.get(names.cell(first))?;
        if text(2 + not) == "down" {
            return nothing_more(resolver, words, 3 + not, Check::FaceDown(cell, not == 0));
        }
        let span = words.get(2 + not).map_or(end, |word| word.span);
        let misread = Misread::new("wrong_form", span, "`down` is missing here");
        let help =
            format!("write `expect {0} face down`; a card that lies face up is `expect {0} holds CARD`", first.text);
        return resolver.misread(misread.help(help));
    }
    if let Some(check) = ending(resolver, table, words) {
        return check;
    }
    if matches!(text(1), "empty" | "holds") {
        let cell = resolver.get(names.cell(first))?;
        if text(1) == "empty" {
            return nothing_more(resolver, words, 2, Check::Empty(cell));
        }
        let rest = words.get(2..).unwrap_or_default();
        let read = if rest.is_empty() {
            Err(Misread::new("missing_value", end, "a piece is missing here"))
        } else {
            names.prefixed_piece(rest)
        };
        let ((piece, player), taken) = resolver.get(read)?;
        let player = match player {
            Some(Spanned { node, span }) => {
                let word = Word { text: table.schema.player_name(node), span, quoted: false };
                Some(taking_part(resolver, table, node, &word)?)
            }
            None => None,
        };
        return nothing_more(resolver, words, 2 + taken, Check::Holds(cell, piece, player));
    }
    if let Ok((piece, taken)) = names.piece(words) {
        match text(taken) {
            "off" => return nothing_more(resolver, words, taken + 1, Check::Off(piece)),
            "at" if table.board.is_numbered() && text(taken + 1) == "start" => {
                return nothing_more(resolver, words, taken + 2, Check::Off(piece));
            }
            "at" => {
                let word = words.get(taken + 1);
                let read = word.map_or_else(
                    || Err(Misread::new("missing_value", end, "a cell is missing here")),
                    |word| names.cell(word),
                );
                let cell = resolver.get(read)?;
                return nothing_more(resolver, words, taken + 2, Check::At(piece, cell));
            }
            _ => {}
        }
    }
    if words.len() > 1 && (names.piece(words).is_ok() || names.player(first).is_ok())
        || table.schema.property(first.text).is_some()
    {
        if let Some(dotted) = undotted(table, words) {
            let message = format!("`{}` is a number or another value, and no flag", dotted.1);
            let help = format!("write `expect {}`", dotted.0);
            return resolver.misread(Misread::new("wrong_form", first.span.to(end), message).help(help));
        }
        if let Some(misread) = neither(table, words) {
            return resolver.misread(misread);
        }
        let (owner, property, truth) = resolver.get(flag(table, words).map_err(|misread| {
            let cell = table.board.names().next().unwrap_or_default();
            let piece = table.schema.pieces.first().map_or("", |piece| piece.name.as_str());
            let help = format!("write for example `expect {piece} at {cell}`, or `expect {piece} off`");
            if misread.help.is_some() { misread } else { misread.help(help) }
        }))?;
        return Some(Check::Property(property, owner, crate::table::Value::Bool(truth)));
    }
    if let Some(misread) = lies_on(table, words) {
        return resolver.misread(misread);
    }
    unknown(resolver, table, words, first)
}

/// `d4 is black king`, where `d4 holds black king` is meant.
fn lies_on(table: &Table, words: &[Word<'_>]) -> Option<Misread> {
    let (cell, word) = words.first().zip(words.get(1)).filter(|(cell, _)| !cell.quoted)?;
    names(table).cell(cell).ok()?;
    let rest = words.get(2..).unwrap_or_default();
    let empty = matches!(rest, [only] if matches!(only.text, "empty" | "free" | "nothing" | "none"));
    let what = match names(table).piece(rest).or_else(|_| names(table).piece(words.get(1..).unwrap_or_default())) {
        _ if empty => "empty".to_owned(),
        Ok((piece, _)) => format!("holds {}", table.schema.piece_name(piece)),
        Err(_) => "holds PIECE".to_owned(),
    };
    let message = format!("`{}` does not belong here", word.text);
    Some(Misread::new("wrong_form", word.span, message).help(format!("write `expect {} {what}`", cell.text)))
}

/// `white loses`; and `white wins`, `win white`, which are other words for `winner white`.
fn ending(resolver: &mut Resolver<'_>, table: &Table, words: &[Word<'_>]) -> Option<Option<Check>> {
    let [first, second, ..] = words else { return None };
    let bare = |word: &Word<'_>, all: &[&str]| {
        !word.quoted && all.contains(&word.text) && table.schema.property(word.text).is_none()
    };
    let player = |word: &Word<'_>| names(table).player(word).ok();
    if let Some(loser) = player(first).filter(|_| bare(second, &["loses"])) {
        return Some(nothing_more(resolver, words, 2, Check::Loses(loser)));
    }
    let lost = ["lose", "loser", "lost", "loses"];
    let (who, verb, right) = match (player(first), player(second)) {
        (Some(_), _) if bare(second, &["wins", "win", "won"]) => (first, second, "winner"),
        (_, Some(_)) if bare(first, &["wins", "win", "won"]) => (second, first, "winner"),
        (Some(_), _) if bare(second, &lost) => (first, second, "loses"),
        (_, Some(_)) if bare(first, &lost) => (second, first, "loses"),
        _ => return None,
    };
    let right = if right == "winner" { format!("winner {}", who.text) } else { format!("{} loses", who.text) };
    let misread =
        Misread::new("wrong_form", verb.span, format!("the end of a game is not expected by `{}`", verb.text));
    Some(resolver.misread(misread.help(format!("write `{right}`"))))
}

/// `red on e5` and `red = 3`, which speak of no flag: another word for `at`, and a value of nothing.
fn neither(table: &Table, words: &[Word<'_>]) -> Option<Misread> {
    let (first, last) = words.first().zip(words.last())?;
    let names = names(table);
    if let Some(equals) = words.iter().find(|word| word.text == "=" && !word.quoted) {
        let span = first.span.to(equals.span);
        let misread = Misread::new("wrong_form", span, "this does not say which number or value is meant");
        let named = |kind: &PropertyKind| *kind != PropertyKind::Flag;
        let known = table.schema.properties.iter().filter(|property| named(&property.kind));
        let help = match one_of(known.map(|property| property.name.as_str()), 9) {
            list if list.is_empty() => "this game declares no counters and no properties".to_owned(),
            list => format!("name it behind a point, `{}.NAME = …`: there is {list}", first.text),
        };
        return Some(misread.help(help));
    }
    let (_, taken) = names.piece(words).ok()?;
    let word = words.get(taken).filter(|_| words.len() == taken + 2)?;
    names.cell(last).ok()?;
    let message = format!("`{}` does not belong here", word.text);
    Some(Misread::new("wrong_form", word.span, message).help(format!("did you mean `at {}`?", last.text)))
}

/// `ann.sunk = 0` and `sunk`, where words say `ann sunk 0`.
fn undotted<'w>(table: &Table, words: &[Word<'w>]) -> Option<(String, &'w str)> {
    let schema = &table.schema;
    let valued = |word: &&Word<'_>| {
        let declared = schema.property(word.text).and_then(|property| schema.properties.get(property.index()));
        !word.quoted && declared.is_some_and(|declared| declared.kind != PropertyKind::Flag)
    };
    let at = words.iter().position(|word| valued(&word))?;
    let name = words.get(at)?.text;
    let text = |words: &[Word<'_>]| {
        let words = words.iter().map(|word| word.text).filter(|word| !matches!(*word, "=" | "is" | "not"));
        words.collect::<Vec<_>>().join(" ")
    };
    let owner = match text(words.get(..at)?) {
        none if none.is_empty() => "game".to_owned(),
        owner => owner,
    };
    let value = match text(words.get(at + 1..)?) {
        none if none.is_empty() => "3".to_owned(),
        value => value,
    };
    Some((format!("{owner}.{name} = {value}"), name))
}

pub(crate) fn nothing_more(resolver: &mut Resolver<'_>, words: &[Word<'_>], at: usize, check: Check) -> Option<Check> {
    match words.get(at) {
        None => Some(check),
        Some(extra) => {
            resolver.misread(Misread::new("wrong_form", extra.span, format!("`{}` does not belong here", extra.text)))
        }
    }
}

fn unknown(resolver: &mut Resolver<'_>, table: &Table, words: &[Word<'_>], first: &Word<'_>) -> Option<Check> {
    let names = names(table);
    let about_piece = words.iter().any(|word| matches!(word.text, "at" | "off"));
    if about_piece {
        return resolver.get(names.piece(words).map(|_| None::<Check>)).flatten();
    }
    let keyword = near_expectation(first.text).map(|keyword| format!("did you mean `expect {keyword}`?"));
    let schema = &table.schema;
    let all = schema.pieces.iter().map(|piece| piece.name.as_str()).chain(schema.players.iter().map(String::as_str));
    let help = did_you_mean(first.text, all).or(keyword).unwrap_or_else(|| "an expectation begins with a piece, a player, a cell, or a word such as `board`, `events`, `turn`, `winner`".to_owned());
    resolver.misread(
        Misread::new("unknown_expectation", first.span, format!("nothing is called `{}`", first.text)).help(help),
    )
}
