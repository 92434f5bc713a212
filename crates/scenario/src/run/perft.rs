//! Judges the number of sequences of answers.

use crate::plan::model::PerftCheck;
use crate::run::runner::Runner;
use referee_diagnostic::{Code, Diagnostic, counted, one_line};
use referee_play::{MAX_STATES, Stop, divide_within};
use referee_source::Span;
use referee_trace::{Answered, Failure, FailureKind, Finding};

/// The most first answers whose numbers a failure shows.
const SHOWN: usize = 12;

impl Runner<'_> {
    /// Judges `perft 3 = 8902` at the present pause.
    pub(crate) fn perft(&mut self, span: Span, check: PerftCheck) {
        let PerftCheck { depth, count, states, or_undecided } = check;
        if !matches!(self.machine.stop(), Stop::Paused(_)) {
            let wrong = self.nothing_to_ask(span);
            return self.fail(wrong);
        }
        let counts = match divide_within(&self.machine, depth, states as u64) {
            Ok(counts) => counts,
            Err(wrong) => {
                let wrong = match wrong.labels.is_empty() {
                    true => wrong.at(&self.plan.source, span),
                    false => wrong.also(&self.plan.source, span, "while this is counted"),
                };
                return self.keep_fault(Failure::plain(wrong));
            }
        };
        let total = counts.as_ref().map(|counts| counts.iter().map(|(_, count)| count).sum::<u64>());
        let finding = match total {
            None => Finding::Undecided,
            Some(total) if total == count => Finding::Holds,
            Some(_) => Finding::Fails,
        };
        let passes = matches!(finding, Finding::Holds) || or_undecided && matches!(finding, Finding::Undecided);
        self.answered.push(Answered {
            line: self.plan.source.line(span.start),
            question: format!("perft {depth} = {count}"),
            finding,
            passes,
            states: total.map_or(states, |total| usize::try_from(total).unwrap_or(usize::MAX)),
            bytes: 0,
            witness: None,
        });
        if passes {
            return;
        }
        let source = &self.plan.source;
        let (kind, wrong, actual) = match counts.zip(total) {
            None => {
                let message = format!(
                    "not decided: there are more than {} of up to {}",
                    counted(states, "sequence"),
                    counted(depth, "answer")
                );
                let wrong = Diagnostic::new(Code::Inconclusive, source, span, message).help(more(check));
                (FailureKind::Open, wrong, format!("not decided, after {}", counted(states, "sequence")))
            }
            Some((counts, total)) => {
                let message = format!("{} of {}, not {count}", counted(total, "sequence"), counted(depth, "answer"));
                let wrong = Diagnostic::new(Code::ExpectationFailed, source, span, message);
                (FailureKind::Play, wrong, in_lines(&counts, total))
            }
        };
        let failure = self.failure(wrong);
        let expected = Some(count.to_string());
        self.keep(Failure { kind, expected, actual: Some(actual), ..failure });
    }
}

/// Returns the number of all sequences, and below it those of the first answers.
fn in_lines(counts: &[(String, u64)], total: u64) -> String {
    let mut lines = vec![total.to_string()];
    lines.extend(counts.iter().take(SHOWN).map(|(answer, count)| format!("  {}: {count}", one_line(answer))));
    if let Some(more) = counts.len().checked_sub(SHOWN).filter(|more| *more > 0) {
        lines.push(format!("  … and {} more", counted(more, "first answer")));
    }
    lines.join("\n")
}

/// Returns the help for a number that was not counted.
fn more(check: PerftCheck) -> String {
    let fewer = (check.depth > 1).then(|| format!("count fewer answers, `perft {} = …`", check.depth - 1));
    let higher = check.states.saturating_mul(4).clamp(1_000_000, MAX_STATES);
    let more = (higher > check.states).then(|| format!("allow more, `up to {higher} states`"));
    let ways: Vec<String> = fewer.into_iter().chain(more).collect();
    match ways.as_slice() {
        [] => "accept it with `or undecided`".to_owned(),
        ways => format!("{}, or accept it with `or undecided`", ways.join(", ")),
    }
}
