//! Prints the table row by row, and counts missed goals.

use std::process::ExitCode;

/// The goal of a row.
#[derive(Clone, Copy)]
pub(crate) enum Goal {
    AtLeast(f64),
    AtMost(f64),
    /// No goal; the row is for comparison.
    None,
}

impl Goal {
    fn is_reached(self, value: f64) -> bool {
        match self {
            Self::AtLeast(goal) => value >= goal,
            Self::AtMost(goal) => value <= goal,
            Self::None => true,
        }
    }
}

/// The arguments of the command line, and the results so far.
#[derive(Default)]
pub(crate) struct Report {
    /// Words that select rows; all rows if there are none.
    words: Vec<String>,
    /// Whether to run only the scripted rules, for profiling.
    pub(crate) alone: bool,
    rows: usize,
    goals: usize,
    missed: Vec<String>,
    /// The ratios so far: of which row, and to what.
    pub(crate) ratios: Vec<(String, String, f64)>,
}

impl Report {
    pub(crate) fn new(mut words: Vec<String>) -> Self {
        let alone = words.iter().any(|word| word == "alone");
        words.retain(|word| word != "alone");
        println!("{:<44} {:>16} {:>32} {:>9} {:>8}", "", "rules", "yardstick", "ratio", "goal");
        Self { words, alone, ..Self::default() }
    }

    /// Returns whether a row is selected.
    pub(crate) fn wants(&self, what: &str) -> bool {
        let what = what.to_lowercase();
        self.words.is_empty() || self.words.iter().any(|word| what.contains(&word.to_lowercase()))
    }

    /// Prints a rate per second, compared with a baseline.
    pub(crate) fn ratio(&mut self, what: &str, (ours, unit): (f64, &str), (name, theirs): (&str, f64), goal: Goal) {
        let ratio = ours / theirs;
        self.ratios.push((what.to_owned(), name.to_owned(), ratio));
        let against = format!("{name} {}", per_second(theirs, unit));
        self.row(what, &per_second(ours, unit), (&against, &digits(ratio)), (goal, &digits, ratio));
    }

    /// Prints a rate per second.
    pub(crate) fn rate(&mut self, what: &str, (ours, unit): (f64, &str), goal: Goal) {
        self.row(what, &per_second(ours, unit), ("", ""), (goal, &|goal| per_second(goal, unit), ours));
    }

    /// Prints a duration.
    pub(crate) fn time(&mut self, what: &str, seconds: f64, goal: Goal) {
        self.row(what, &time(seconds), ("", ""), (goal, &time, seconds));
    }

    /// Prints that work was stopped after this number of seconds, which misses any goal.
    pub(crate) fn stopped(&mut self, what: &str, seconds: f64, goal: Goal) {
        self.row(what, &format!("not in {}", time(seconds)), ("", ""), (goal, &time, f64::INFINITY));
    }

    /// Prints a row that cannot be measured here.
    pub(crate) fn skipped(&self, what: &str, why: &str) {
        println!("{what:<44} {why}");
    }

    fn row(
        &mut self,
        what: &str,
        ours: &str,
        (against, ratio): (&str, &str),
        (goal, words, value): (Goal, &dyn Fn(f64) -> String, f64),
    ) {
        let reached = goal.is_reached(value);
        let (goal, verdict) = match goal {
            Goal::None => (String::new(), ""),
            Goal::AtLeast(goal) | Goal::AtMost(goal) => (words(goal), if reached { "reached" } else { "missed" }),
        };
        self.rows += 1;
        self.goals += usize::from(!verdict.is_empty());
        if !reached {
            self.missed.push(what.to_owned());
        }
        let line = format!("{what:<44} {ours:>16} {against:>32} {ratio:>9} {goal:>8}  {verdict}");
        println!("{}", line.trim_end());
    }

    /// Prints the last lines, and returns the result of the run.
    pub(crate) fn end(&self) -> ExitCode {
        if self.rows == 0 {
            println!("no row has these words");
            return ExitCode::FAILURE;
        }
        println!("\n{} of {} goals reached", self.goals - self.missed.len(), self.goals);
        if self.missed.is_empty() {
            return ExitCode::SUCCESS;
        }
        println!("missed: {}", self.missed.join("; "));
        ExitCode::FAILURE
    }
}

fn per_second(rate: f64, unit: &str) -> String {
    format!("{}{unit}/s", digits(rate))
}

fn time(seconds: f64) -> String {
    if seconds < 1.0 { format!("{} ms", digits(seconds * 1e3)) } else { format!("{} s", digits(seconds)) }
}

/// Formats a number with three significant digits, or as an integer: 0.0123, 1.23, 123, 12345, 1.23 million.
fn digits(value: f64) -> String {
    if value >= 1e6 {
        return format!("{} million", digits(value / 1e6));
    }
    let before = if value >= 1.0 { value.log10().floor() as usize + 1 } else { 1 };
    let zeros = if value > 0.0 && value < 1.0 { (-value.log10()).floor() as usize } else { 0 };
    let words = format!("{value:.*}", 3_usize.saturating_sub(before) + zeros.min(4));
    let whole = words.contains('.').then(|| words.trim_end_matches('0').trim_end_matches('.').to_owned());
    whole.unwrap_or(words)
}
