//! The scenarios that change, with both verdicts and the differences in the last position.

use std::fmt::Write;

use super::model::plural;
use crate::board::side_by_side;
use crate::tables::columns;
use referee_diagnostic::{counted, one_line, printable};
use referee_scenario::{Compared, Outcome, PositionChange};
use referee_trace::Status;

/// The numbers of scenarios that change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    pub(super) all: usize,
    /// Those in which anything changes.
    pub(super) changed: usize,
    pub(super) verdicts: usize,
    pub(super) failures: usize,
    pub(super) positions: usize,
    pub(super) chances: usize,
    /// Those that set the options and house rules themselves.
    pub(super) fixed: usize,
}

/// Counts the scenarios that change.
pub(super) fn counts(scenarios: &[Compared]) -> Counts {
    let count = |is: &dyn Fn(&Compared) -> bool| scenarios.iter().filter(|one| is(one)).count();
    Counts {
        all: scenarios.len(),
        changed: count(&Compared::changes),
        verdicts: count(&Compared::changes_verdict),
        failures: count(&Compared::changes_failure),
        positions: count(&|one| one.position().is_some()),
        chances: count(&|one| !one.chances.is_empty()),
        fixed: count(&|one| one.is_fixed),
    }
}

/// Returns how many scenarios change, and how many stay. `is_same` says that the readings are the same for all.
pub(super) fn summary(scenarios: &[Compared], is_same: bool) -> String {
    let counts = counts(scenarios);
    if counts.all == 0 {
        return "scenarios: none found\n".to_owned();
    }
    let kinds = [
        (counts.verdicts, "verdict"),
        (counts.failures, "failure"),
        (counts.positions, "last position"),
        (counts.chances, "chance"),
    ];
    let kinds: Vec<String> =
        kinds.iter().filter(|(number, _)| *number > 0).map(|(number, noun)| counted(*number, noun)).collect();
    let of = if kinds.is_empty() { String::new() } else { format!(" ({})", kinds.join(", ")) };
    let changed = plural(counts.changed, "changes", "change");
    let same = counts.all - counts.changed;
    let mut text = format!(
        "scenarios: {} of {} {changed}{of}, {same} {}",
        counts.changed,
        counts.all,
        plural(same, "stays", "stay")
    );
    if counts.fixed > 0 && !is_same {
        let sets = plural(counts.fixed, "it sets these rules itself", "they set these rules themselves");
        let _ = write!(text, ", {} of them because {sets}", counts.fixed);
    }
    text + "\n"
}

/// Returns the scenarios that change.
pub(super) fn changes(scenarios: &[Compared], base: &str, label: &str, colour: bool) -> String {
    let changed = scenarios.iter().filter(|one| one.changes());
    changed.map(|one| change(one, (&one_line(base), &one_line(label)), colour)).collect()
}

fn change(compared: &Compared, (base, label): (&str, &str), colour: bool) -> String {
    let mut text = format!("\n{}:{} {}\n", one_line(&compared.file), compared.line, one_line(&compared.title));
    let verdicts = [&compared.before, &compared.after].map(|outcome| one_line(&verdict(outcome, false)));
    if verdicts[0] == verdicts[1] {
        let verdict = one_line(&verdict(&compared.before, true));
        let _ = writeln!(text, "  both {verdict}");
    } else {
        let [before, after] = verdicts;
        let rows = columns([[base.to_owned(), before], [label.to_owned(), after]]);
        text.extend(rows.lines().map(|line| format!("  {line}\n")));
    }
    text.extend(compared.position().map(|position| places(&position, (base, label), colour)));
    for chance in &compared.chances {
        let line = format!(
            "  line {}: chance {}: {} under {base}, {} under {label}\n",
            chance.line, chance.condition, chance.before, chance.after
        );
        text.push_str(&printable(&line));
    }
    text
}

/// Returns the result of a scenario, or its results under both readings.
fn verdict(outcome: &Outcome, both: bool) -> String {
    let word = word(outcome.status, both);
    let failure = outcome.failure.as_ref();
    failure.map_or_else(|| word.to_owned(), |failure| format!("{word} at line {}: {}", failure.line, failure.message))
}

/// Returns a status in a few words.
const fn word(status: Status, both: bool) -> &'static str {
    match (status, both) {
        (Status::Passed, true) => "pass",
        (Status::Passed, false) => "passes",
        (Status::Failed, true) => "fail",
        (Status::Failed, false) => "fails",
        (Status::Errored, true) => "stop with an error",
        (Status::Errored, false) => "stops with an error",
        (Status::Skipped, true) => "are not played",
        (Status::Skipped, false) => "is not played",
    }
}

/// Returns the differences in the last position.
fn places(position: &PositionChange, (base, label): (&str, &str), colour: bool) -> String {
    let mut text = String::new();
    if let Some((before, after)) = &position.boards {
        let titles = [base, label].map(|name| format!("{name}:"));
        for line in side_by_side((&titles[0], before), (&titles[1], after), colour) {
            let _ = writeln!(text, "{}", format!("  {line}").trim_end());
        }
    }
    for (name, facts) in [(base, &position.only_before), (label, &position.only_after)] {
        if !facts.is_empty() {
            let _ = writeln!(text, "  only under {name}: {}", one_line(&facts.join("; ")));
        }
    }
    text
}
