//! Steps and answers in the words of scenario lines.

use crate::plan::model::StepKind;
use crate::plan::steps::{CELL, CELLS};
use crate::write::cards;
use referee_diagnostic::{MustBe as _, as_lines, one_line};
use referee_source::quoted;
use referee_table::{Dealing, DieId, Names, Phase, Throw, Value};
use referee_trace::{Answer, Ask, Decision, Question};

/// Returns the lines for the answers of one phase; consecutive dice share a line, those of a player also if they are equal.
pub(crate) fn answer_lines(names: Names<'_>, answers: &[(Ask, Answer)]) -> Vec<String> {
    let mut lines = Vec::new();
    let mut dice: Vec<(DieId, Throw)> = Vec::new();
    let mut by = None;
    for (ask, answer) in answers {
        if let (Question::Roll(die), Answer::Rolled(throw)) = (&ask.question, answer) {
            let again = dice.iter().any(|(other, _)| other == die);
            if !dice.is_empty() && (ask.by != by || again && by.is_none()) {
                lines.push(roll_line(names, &std::mem::take(&mut dice)));
            }
            dice.push((*die, throw.clone()));
            by = ask.by;
            continue;
        }
        if !dice.is_empty() {
            lines.push(roll_line(names, &std::mem::take(&mut dice)));
        }
        let decided = |decision: &Decision, at: usize| {
            let option = decision.options.get(at).map(|option| option.write(names));
            let option = option.or_missing("an option of a decision", String::new());
            format!("{} {option}", names.schema.player_name(decision.player))
        };
        match (&ask.question, answer) {
            (Question::Draw(_), Answer::Drawn(_)) => lines.extend(ask.question.write_chance(names, answer)),
            (Question::Choose(decision), Answer::Chosen(at)) => lines.push(decided(decision, *at)),
            (Question::Choose(decision), Answer::Said(action)) => {
                let player = names.schema.player_name(decision.player);
                lines.push(format!("{player} {}", action.write(names)));
            }
            (Question::ChooseAll(all), Answer::AllChosen(chosen)) => {
                lines.extend(all.iter().zip(chosen).map(|(decision, at)| decided(decision, *at)));
            }
            (_, Answer::Resigned(player)) => lines.push(format!("{} resigns", names.schema.player_name(*player))),
            _ => {}
        }
    }
    if !dice.is_empty() {
        lines.push(roll_line(names, &dice));
    }
    lines
}

fn roll_line(names: Names<'_>, dice: &[(DieId, Throw)]) -> String {
    let one = |(die, throw): &(DieId, Throw)| {
        let die = names.schema.dice.get(die.index())?;
        Some(format!("{} {}", die.name, die.write(names, throw)).trim_start().to_owned())
    };
    format!("roll {}", dice.iter().filter_map(one).collect::<Vec<_>>().join(", "))
}

/// Returns a value as an argument of a line `resume` or `do`, which reads it again.
fn argument(names: Names<'_>, value: &Value) -> String {
    let all = |values: &mut dyn Iterator<Item = &Value>| {
        values.map(|value| argument(names, value)).collect::<Vec<_>>().join(", ")
    };
    match value {
        Value::Text(text) => quoted(text),
        Value::Cell(cell) if names.board.name(*cell).parse::<i64>().is_ok() => {
            format!("{CELL} {}", names.board.name(*cell))
        }
        Value::List(list) => format!("[{}]", all(&mut list.iter())),
        Value::Set(set) => format!("{CELLS} [{}]", all(&mut set.iter())),
        Value::Bag(_) => format!("[{}]", all(&mut value.items())),
        other => names.write(None, other),
    }
}

/// Returns the line for a step of play; `None` for a refusal or an expectation.
pub(crate) fn step_line(names: Names<'_>, step: &StepKind) -> Option<String> {
    let call = |word: &str, phase: &Phase| {
        if let Some(dealing) = Dealing::of(phase) {
            return dealing.write(names.schema);
        }
        let args = phase.args.iter().map(|value| format!(" {}", argument(names, value)));
        format!("{word} {}{}", phase.name, args.collect::<String>())
    };
    match step {
        StepKind::Turn(player) => Some(format!("turn {}", names.schema.player_name(*player))),
        StepKind::Resume(phase, _) => Some(call("resume", phase)),
        StepKind::Do(phase, _) => Some(call("do", phase)),
        StepKind::Setup(_) => Some("setup".to_owned()),
        StepKind::Shuffle(zone, order) => {
            let mut words: Vec<String> = order.order().iter().map(|card| cards::quoted(names.schema, *card)).collect();
            if words.is_empty() && order.more.is_none() {
                words.push("none".to_owned());
            }
            words.extend(order.more.map(|_| "…".to_owned()));
            Some(format!("shuffle {}: {}", names.schema.zone_name(*zone), words.join(" ")))
        }
        StepKind::Roll(dice) => {
            let shown: Vec<(DieId, Throw)> = dice.iter().map(|(die, throw, _)| (*die, throw.clone())).collect();
            Some(roll_line(names, &shown))
        }
        StepKind::Draw(zone, cards) => {
            let zone = zone.map(|zone| names.schema.zone_name(zone));
            let cards = cards.iter().map(|(card, _)| cards::quoted(names.schema, *card));
            Some(format!("draw {}", zone.into_iter().chain(cards).collect::<Vec<_>>().join(" ")))
        }
        StepKind::Answer(player, action) => {
            Some(format!("{} {}", names.schema.player_name(*player), action.write(names)))
        }
        StepKind::Agree => Some("agree draw".to_owned()),
        StepKind::Resign(player) => Some(format!("{} resigns", names.schema.player_name(*player))),
        StepKind::Refuse { .. } | StepKind::Expect(_) => None,
    }
}

/// The most options that a message lists.
const LISTED: usize = 24;

/// Returns a list of options, one on a line, cut to the first ones if it is long.
pub(crate) fn listed(list: &[String]) -> String {
    let more = list.len().saturating_sub(LISTED);
    let rest = (more > 0).then(|| format!("… and {more} more"));
    as_lines(list.iter().take(LISTED).cloned().chain(rest))
}

/// Returns a list of options on one line, cut to the first ones if it is long.
pub(crate) fn shorten(list: &[String]) -> String {
    let shown = list.iter().take(LISTED).map(|option| one_line(option)).collect::<Vec<_>>().join(", ");
    if list.len() > LISTED { format!("{shown} … ({} in all)", list.len()) } else { shown }
}
