//! Judges expectations against the present state of play.

use crate::check::board::board;
use crate::check::facts::{self, outcome};
use crate::check::marks::{in_values, wrong_marks};
use crate::check::mismatch::{Verdict, mismatch, mismatch_in_lines};
use crate::check::open;
use crate::plan::actions::same;
use crate::plan::model::{Asked, EventRow, Fact, Present};
use crate::write::answers::{listed, shorten};
use referee_diagnostic::{as_lines, counted, one_line};
use referee_play::{Machine, Stop};
use referee_source::Span;
use referee_syntax::ast::ChoicesHow;
use referee_table::{AskId, Names, Outcome, PlayerId, Value};
use referee_trace::{Action, Decision, Ended, Event, Question};

/// Judges an expectation; `seen` is the number of events that earlier lines have checked.
pub(crate) fn judge(machine: &Machine<'_>, expected: &Present, seen: usize) -> Verdict {
    match expected {
        Present::Fact(fact) => match facts::judge(machine.state(), fact) {
            verdict if matches!(fact, Fact::Over) => verdict.with(|found| found.actual = standing(machine)),
            verdict => verdict,
        },
        Present::Asks(player, ask) => asks(machine, *player, *ask),
        Present::AsksRoll(die) => asks_chance(machine, &Question::Roll(*die), "the rules do not ask for this die"),
        Present::AsksDraw(zone) => asks_chance(machine, &Question::Draw(*zone), "the rules do not ask for this card"),
        Present::Choices { of, how, list } => {
            whose(machine, *of, how.form()).unwrap_or_else(|| choices(machine, *of, *how, list))
        }
        Present::ChoicesCount { of, count } => {
            whose(machine, *of, &format!("count {count}")).unwrap_or_else(|| choices_count(machine, *of, *count))
        }
        Present::Board(drawn) => board(machine.state(), drawn),
        Present::Events { exactly, rows } => events(machine, *exactly, rows, seen),
    }
}

/// Judges whether the rules ask this player this.
fn asks(machine: &Machine<'_>, player: PlayerId, ask: AskId) -> Verdict {
    let names = machine.names();
    if decisions(machine).iter().any(|decision| decision.player == player && decision.ask == ask) {
        return Verdict::Holds;
    }
    let verb = names.schema.verb(ask);
    let expected = format!("asks {} {verb}", names.schema.player_name(player));
    mismatch("the rules do not ask this", expected, standing(machine))
}

/// Judges whether the rules ask for this roll or draw.
fn asks_chance(machine: &Machine<'_>, wanted: &Question, message: &str) -> Verdict {
    match machine.stop() {
        Stop::Paused(ask) if ask.question == *wanted => Verdict::Holds,
        _ => mismatch(message, format!("asks {}", wanted.write(machine.names())), standing(machine)),
    }
}

/// Returns the decisions that are pending.
pub(crate) fn decisions<'m>(machine: &'m Machine<'_>) -> &'m [Decision] {
    match machine.stop() {
        Stop::Paused(ask) | Stop::Refused(ask) => match &ask.question {
            Question::Choose(decision) => std::slice::from_ref(decision),
            Question::ChooseAll(all) => all,
            Question::Roll(_) | Question::Draw(_) => &[],
        },
        _ => &[],
    }
}

/// Returns the ask of the rules, or the reason why there is none.
pub(crate) fn standing(machine: &Machine<'_>) -> String {
    match machine.stop() {
        Stop::Paused(ask) | Stop::Refused(ask) => format!("asks {}", ask.question.write(machine.names())),
        Stop::Fresh => "nothing was played yet".to_owned(),
        Stop::Returned => "the procedure has returned".to_owned(),
        Stop::Over => format!("over: {}", outcome(machine.names(), machine.state().outcome.as_ref())),
        Stop::Fault(_) => "the rules stopped with an error".to_owned(),
    }
}

/// Returns how the game ended, if it is over, and by what.
pub(crate) fn ended_by(machine: &Machine<'_>) -> Option<Ended> {
    let names = machine.names();
    let (clause, place) = machine.ended()?;
    let clause = clause.map(|clause| names.schema.clause_name(clause).to_owned());
    Some(Ended { outcome: outcome(names, machine.state().outcome.as_ref()), clause, place })
}

/// Returns the reason why nothing is asked here, as a sentence for messages.
pub(crate) fn why_nothing(machine: &Machine<'_>) -> String {
    match (machine.stop(), &machine.state().outcome) {
        (Stop::Over, Some(_)) => format!("{}; nothing is asked any more", ending(machine)),
        _ => format!("nothing is asked here: {}", standing(machine)),
    }
}

/// Returns how the game ended, as a sentence for messages, with the clause that ended it.
pub(crate) fn ending(machine: &Machine<'_>) -> String {
    let names = machine.names();
    let ended = match &machine.state().outcome {
        Some(Outcome::Draw) => "it is a draw".to_owned(),
        Some(Outcome::Won(players)) => {
            let list: Vec<&str> = players.iter().map(|player| names.schema.player_name(*player)).collect();
            format!("{} {} won", list.join(" and "), if list.len() == 1 { "has" } else { "have" })
        }
        Some(Outcome::Nobody) | None => "nobody has won".to_owned(),
    };
    let clause = ended_by(machine).and_then(|ended| ended.clause).map(|clause| format!(" ({clause})"));
    format!("the game is over: {ended}{}", clause.unwrap_or_default())
}

/// Returns the options that are offered now, to one player or to all, for one verb or for all.
fn offered(machine: &Machine<'_>, of: Asked) -> Vec<Action> {
    let mine = decisions(machine).iter().filter(|decision| of.player.is_none_or(|player| decision.player == player));
    let all = mine.flat_map(Decision::listed);
    all.filter(|action| of.verb.is_none_or(|verb| action.ask == verb)).cloned().collect()
}

/// Returns the verdict if several players are asked and the line names none of them. `rest` is the end of such a line.
fn whose(machine: &Machine<'_>, of: Asked, rest: &str) -> Option<Verdict> {
    let ([first, _, ..], None) = (decisions(machine), of.player) else { return None };
    let names = machine.names();
    let players: Vec<&str> =
        decisions(machine).iter().map(|decision| names.schema.player_name(decision.player)).collect();
    let verb = names.schema.verb(of.verb.unwrap_or(first.ask));
    let message =
        format!("{} are asked at once, and this line does not say whose options it means", players.join(" and "));
    let first = players.first().copied().unwrap_or_default();
    let found = mismatch(message, "the options of one player", standing(machine));
    let help = format!("name the player: `expect choices {first} {verb} {rest}`");
    Some(found.with(|found| found.help = Some(help)))
}

/// Judges whether this number of options is offered.
fn choices_count(machine: &Machine<'_>, of: Asked, count: usize) -> Verdict {
    // Of a player who is not asked there is nothing to count.
    let asked = |player| decisions(machine).iter().any(|decision| decision.player == player);
    if of.player.is_some_and(|player| !asked(player))
        && let Some(verdict) = not_asked(machine, of)
    {
        return verdict;
    }
    if let Some(verdict) = open::not_listed(machine, decisions(machine), of, &format!("count {count}")) {
        return verdict;
    }
    let offered = offered(machine, of);
    if offered.len() == count {
        return Verdict::Holds;
    }
    let all: Vec<String> = offered.iter().map(|action| action.write(machine.names())).collect();
    let message = match decisions(machine).is_empty() {
        true => why_nothing(machine),
        false => format!("the number of choices is {}, not {count}", offered.len()),
    };
    // Options of several values need a line each, so that their number can be seen.
    let is_long = |value: &Value| value.items().nth(1).is_some();
    if all.is_empty() {
        return mismatch(message, count.to_string(), offered.len().to_string());
    }
    match offered.iter().flat_map(|option| &option.values).any(is_long) {
        true => mismatch_in_lines(message, count.to_string(), format!("{}:\n{}", offered.len(), listed(&all))),
        false => mismatch(message, count.to_string(), format!("{}: {}", offered.len(), shorten(&all))),
    }
}

/// Returns the verdict on the options of a player, or of an ask, if the rules do not ask it.
fn not_asked(machine: &Machine<'_>, of: Asked) -> Option<Verdict> {
    let names = machine.names();
    let is_meant = |decision: &Decision| {
        of.player.is_none_or(|player| decision.player == player) && of.verb.is_none_or(|verb| decision.ask == verb)
    };
    let is_asked = decisions(machine).iter().any(is_meant);
    let words = match (of.player.map(|player| names.schema.player_name(player)), of.verb) {
        (Some(player), None) => player.to_owned(),
        (player, verb) => {
            let verb = verb.map(|verb| names.schema.verb(verb)).unwrap_or_default();
            player.map_or_else(|| verb.to_owned(), |player| format!("{player} {verb}"))
        }
    };
    let message = format!("the rules do not ask `{words}` here");
    let found = mismatch(message, format!("a choice of `{words}`"), standing(machine));
    let help = "move this line to where this is asked";
    (!is_asked).then(|| found.with(|found| found.help = Some(help.to_owned())))
}

/// Judges whether these options are offered: exactly these, at least these, or none of these.
fn choices(machine: &Machine<'_>, of: Asked, how: ChoicesHow, list: &[(Action, Span)]) -> Verdict {
    let names = machine.names();
    if decisions(machine).is_empty() && how == ChoicesHow::Excludes {
        // Without a decision, the absence of an option proves nothing about the rules.
        let wanted: Vec<String> = list.iter().map(|(action, _)| action.write(names)).collect();
        let help = "move this line to where a player is asked";
        let found = mismatch(
            "no player decides anything here",
            format!("a choice without {}", shorten(&wanted)),
            format!("no choice: {}", standing(machine)),
        );
        return found.with(|found| found.help = Some(help.to_owned()));
    }
    let written = |list: &[&Action]| shorten(&list.iter().map(|action| action.write(names)).collect::<Vec<_>>());
    if how == ChoicesHow::Equal {
        let all: Vec<&Action> = list.iter().map(|(wanted, _)| wanted).collect();
        if let Some(verdict) = open::not_listed(machine, decisions(machine), of, &written(&all)) {
            return verdict;
        }
    }
    let taking = |wanted| open::taking(decisions(machine), of, wanted);
    let any: Vec<_> = list.iter().filter_map(|(wanted, _)| Some((taking(wanted)?, wanted))).collect();
    if let Some(verdict) = open::judged(machine, how, &any) {
        return verdict;
    }
    let list: Vec<&(Action, Span)> = list.iter().filter(|(wanted, _)| taking(wanted).is_none()).collect();
    if list.is_empty() && !any.is_empty() {
        return Verdict::Holds;
    }
    let offered = offered(machine, of);
    if how == ChoicesHow::Excludes
        && offered.is_empty()
        && let Some(wrong) = not_asked(machine, of)
    {
        return wrong;
    }
    let missing: Vec<&Action> = list
        .iter()
        .map(|(wanted, _)| wanted)
        .filter(|wanted| !offered.iter().any(|option| same(wanted, option)))
        .collect();
    let found: Vec<&Action> = list
        .iter()
        .map(|(wanted, _)| wanted)
        .filter(|wanted| offered.iter().any(|option| same(wanted, option)))
        .collect();
    let extra: Vec<&Action> =
        offered.iter().filter(|option| !list.iter().any(|(wanted, _)| same(wanted, option))).collect();
    // A move with wrong marks proves nothing about the same move with the right marks.
    let marks = missing.iter().find_map(|wanted| wrong_marks(names, wanted, &offered));
    let wrong = match how {
        ChoicesHow::Equal => !missing.is_empty() || !extra.is_empty(),
        ChoicesHow::Includes => !missing.is_empty(),
        ChoicesHow::Excludes => !found.is_empty() || marks.is_some(),
    };
    if !wrong {
        return Verdict::Holds;
    }
    let message = match how {
        ChoicesHow::Excludes if found.is_empty() => "one of these moves has a wrong `x` or `-`".to_owned(),
        ChoicesHow::Excludes => format!("offered after all: {}", written(&found)),
        ChoicesHow::Includes => format!("not offered: {}", written(&missing)),
        ChoicesHow::Equal => match (missing.is_empty(), extra.is_empty()) {
            (false, true) => format!("not offered: {}", written(&missing)),
            (true, _) => format!("offered too: {}", written(&extra)),
            (false, false) => format!("not offered: {}; offered instead: {}", written(&missing), written(&extra)),
        },
    };
    let wanted: Vec<&Action> = list.iter().map(|(wanted, _)| wanted).collect();
    let actual = if offered.is_empty() {
        format!("no choice: {}", standing(machine))
    } else {
        written(&offered.iter().collect::<Vec<_>>())
    };
    let help =
        marks.map(|wrong| [Some(wrong.message), wrong.help].into_iter().flatten().collect::<Vec<_>>().join(": "));
    mismatch(message, written(&wanted), actual).with(|found| found.help = help)
}

/// The actual result, if play stopped before an expected event.
pub const NOTHING_MORE: &str = "nothing more happened";

/// Judges the events after the first `seen`: all of them, or some in this order.
fn events(machine: &Machine<'_>, exactly: bool, rows: &[EventRow], seen: usize) -> Verdict {
    let happened: Vec<&Event> = machine.events().skip(seen).collect();
    if exactly {
        all_events(machine.names(), rows, &happened)
    } else {
        events_in_order(machine.names(), rows, &happened)
    }
}

/// Returns whether an event is as a row says.
fn is_event((event, values, _): &EventRow, actual: &Event) -> bool {
    actual.event == *event
        && actual.values.len() == values.len()
        && values.iter().zip(&actual.values).all(|(wanted, value)| wanted.is_nothing() || wanted.says(value))
}

/// Returns the verdict for a row without its event; `None` for an event without a row.
fn wrong_event(
    names: Names<'_>,
    happened: &[&Event],
    row: Option<&EventRow>,
    message: String,
    actual: String,
) -> Verdict {
    let row_text = |(event, values, _): &EventRow| Event { event: *event, values: values.clone() }.write(names);
    let expected = row.map_or_else(|| "no more events".to_owned(), row_text);
    mismatch_in_lines(message, one_line(&expected), actual).with(|found| {
        found.span = row.map(|(_, _, span)| *span);
        found.help = row.and_then(|(id, values, _)| {
            let mut like = happened.iter().filter(|event| event.event == *id);
            like.find_map(|event| in_values(names, values, &event.values)).map(|wrong| wrong.message)
        });
    })
}

/// Judges whether these events happened, and no others.
fn all_events(names: Names<'_>, rows: &[EventRow], happened: &[&Event]) -> Verdict {
    for (place, row) in rows.iter().enumerate() {
        let (message, actual) = match happened.get(place) {
            Some(event) if is_event(row, event) => continue,
            Some(event) => {
                let message = format!("event {} differs", place + 1);
                return wrong_event(names, happened, Some(row), message, one_line(&event.write(names)))
                    .with(|found| found.unsaid = true);
            }
            None => {
                let message = format!("only {} of {} events happened", happened.len(), rows.len());
                (message, NOTHING_MORE.to_owned())
            }
        };
        return wrong_event(names, happened, Some(row), message, actual);
    }
    let extra: Vec<String> = happened.iter().skip(rows.len()).map(|event| event.write(names)).collect();
    if extra.is_empty() {
        return Verdict::Holds;
    }
    let message = format!("{} happened", counted(extra.len(), "more event"));
    wrong_event(names, happened, None, message, as_lines(&extra))
}

/// Judges whether these events happened in this order, perhaps among others.
fn events_in_order(names: Names<'_>, rows: &[EventRow], happened: &[&Event]) -> Verdict {
    let mut at = 0;
    for row in rows {
        if let Some(place) = happened.iter().skip(at).position(|event| is_event(row, event)) {
            at += place + 1;
            continue;
        }
        let rest: Vec<String> = happened.iter().skip(at).map(|event| event.write(names)).collect();
        let earlier = happened.iter().take(at).any(|event| is_event(row, event));
        let message = match (at, earlier) {
            (0, _) => "this did not happen".to_owned(),
            (_, true) => "this happened, but before the event in the row above".to_owned(),
            (_, false) => "this did not happen after the event in the row above".to_owned(),
        };
        let actual = if rest.is_empty() { NOTHING_MORE.to_owned() } else { as_lines(&rest) };
        return wrong_event(names, happened, Some(row), message, actual);
    }
    Verdict::Holds
}
