//! Judges chances: explores play from the pause to the horizon, and judges the condition there.

use std::sync::Arc;

use num_rational::BigRational;

use crate::check::facts::holds;
use crate::check::verdicts::standing;
use crate::odds::explain::{Asked, explain, trap_lines};
use crate::odds::unused::unused;
use crate::plan::model::{ChanceCheck, Compare};
use crate::plan::strategy::StrategyPart;
use crate::run::runner::Runner;
use referee_diagnostic::{Code, Diagnostic, counted};
use referee_play::{
    Chance, DecisionsSeen, Graph, Horizon, Inquiry, OddsError, Rounding, Stop, Trap, decimal, explore, short_fraction,
};
use referee_source::{Source, Span};
use referee_table::{Names, State, drawn};
use referee_trace::{Failure, FailureKind};

/// The most characters of a fraction in a message.
const LONGEST: usize = 24;

/// Returns a diagnostic with the line of the scenario before its other locations.
fn at_line(wrong: Diagnostic, source: &Arc<Source>, span: Span) -> Diagnostic {
    let mut labels = vec![referee_diagnostic::Label { source: Arc::clone(source), span, text: String::new() }];
    let others = wrong.labels.iter().cloned();
    labels.extend(others.map(|label| match label.text.is_empty() {
        true => referee_diagnostic::Label { text: "asked here".to_owned(), ..label },
        false => label,
    }));
    wrong.labelled(labels)
}

impl Runner<'_> {
    /// Judges a chance from the present position.
    pub(crate) fn chance(&mut self, span: Span, asked: &ChanceCheck) {
        let source = &self.plan.source;
        if matches!(self.machine.stop(), Stop::Fresh | Stop::Returned) {
            let message = format!("play does not continue from here: {}", standing(&self.machine));
            let wrong = Diagnostic::new(Code::NothingAsked, source, span, message);
            let [first, _] = self.machine.names().schema.example_players();
            self.fail(wrong.help(format!("begin the play with a line such as `turn {first}`")));
            return;
        }
        let program = self.program;
        let mut class = |state: &State| {
            let holds = holds(program, (source, &self.plan.placeholders), &asked.condition, state);
            holds.map(usize::from)
        };
        let rules = asked.condition.reads_turns(source).and(asked.inquiry.strategy.reads_turns());
        let machine = self.machine.reading_turns(rules);
        let graph = match explore(&machine, &asked.inquiry, &mut class) {
            Ok(graph) => graph,
            Err(trouble) => return self.unknown(span, &asked.inquiry, trouble),
        };
        self.unused(asked, graph.met());
        if graph.endless() > 0 {
            self.endless(span, asked, &graph);
            return;
        }
        let chance = graph.chance(|class| class == 1);
        if let Some(watcher) = &mut self.watcher {
            watcher.found(source, span, &asked.words, &chance);
        }
        let (kind, code, message) = match compared(&chance, asked) {
            Some(true) => return,
            Some(false) => {
                let sign = match asked.compare {
                    Compare::Equal => String::new(),
                    other => format!("{} ", other.sign()),
                };
                let found = if asked.is_percent() { percent(&chance.low) } else { brief(&chance.low) };
                let message = format!("the chance is {found}, not {sign}{}", asked.written);
                (FailureKind::Play, Code::ExpectationFailed, message)
            }
            None => {
                let message = "not decided: the chance is not known exactly enough".to_owned();
                (FailureKind::Open, Code::Inconclusive, message)
            }
        };
        let wrong = Diagnostic::new(code, source, span, message);
        let wrong = match help(&chance, asked) {
            Some(help) => wrong.help(help),
            None => wrong,
        };
        let actual = format!("{}, over {}", found(&chance, asked), counted(graph.states(), "state"));
        let failure = self.failure(wrong);
        self.keep(Failure { kind, expected: Some(expected(asked)), actual: Some(actual), ..failure });
    }

    /// Reports why a chance is not known.
    fn unknown(&mut self, span: Span, inquiry: &Inquiry, trouble: OddsError) {
        let source = &self.plan.source;
        let kind = match trouble {
            OddsError::Fault(wrong) => {
                let wrong = Failure::plain(wrong.also(source, span, "while this is judged"));
                return self.keep_fault(wrong);
            }
            OddsError::TooMany(..) | OddsError::History(_) => FailureKind::Open,
            OddsError::Open(_) => FailureKind::Play,
        };
        let failure = self.failure(at_line(explain(self.program, trouble, inquiry, Asked::Line), source, span));
        self.keep(Failure { kind, ..failure });
    }

    /// Reports the lines below a chance that have no effect. Does not check rows of a table: they share their lines.
    fn unused(&mut self, asked: &ChanceCheck, met: &DecisionsSeen) {
        if !self.plan.placeholders.is_empty() {
            return;
        }
        for (part, wrong) in unused(self.machine.names(), &asked.inquiry.strategy, met) {
            let span = match part {
                StrategyPart::Action(at) => asked.actions.get(at),
                StrategyPart::Policy(at) => asked.policies.get(at),
            };
            if let Some(span) = span {
                self.fail(wrong.at(&self.plan.source, *span));
            }
        }
    }

    /// Reports that play may never end, with a position from which it cannot end.
    fn endless(&mut self, span: Span, asked: &ChanceCheck, graph: &Graph) {
        let (what, help) = match asked.inquiry.horizon {
            Horizon::Game => ("game", "correct the rules, or ask about a number of turns: `within 10 turns`"),
            Horizon::Turns(_) => ("turn", "check the rules for a cycle there"),
        };
        let from = match graph.trap() {
            Some(trap) if trap.within_turn => "positions in the middle of a turn".to_owned(),
            _ => format!("{} of {} states", graph.endless(), graph.states()),
        };
        let message = format!("the {what} may never end: it cannot end from {from}");
        let wrong = Diagnostic::new(Code::Endless, &self.plan.source, span, message).help(help);
        let Some(trap) = graph.trap() else {
            self.fail(wrong);
            return;
        };
        let place = format!("one of these, {}", trapped(self.machine.names(), trap));
        self.keep(Failure { actual: Some(place), actual_board: drawn(&trap.state), ..Failure::plain(wrong) });
    }
}

/// Returns where a trap is, and the shortest line of play to it: `in the turn of blue, after: roll distance 1; red
/// stop`.
fn trapped(names: Names<'_>, trap: &Trap) -> String {
    let whose = |player| format!("in the turn of {}, ", names.schema.player_name(player));
    let turn = trap.state.turn.map_or_else(String::new, whose);
    match trap_lines(names, trap) {
        lines if lines.is_empty() => format!("{turn}at the present position"),
        lines => format!("{turn}after: {}", lines.join("; ")),
    }
}

/// Returns whether a chance is as expected; `None` if its bounds do not decide it.
fn compared(chance: &Chance, asked: &ChanceCheck) -> Option<bool> {
    let (low, high, value) = (&chance.low, &chance.high, &asked.value);
    let decided = |all: bool, none: bool| {
        if all {
            Some(true)
        } else if none {
            Some(false)
        } else {
            None
        }
    };
    match (asked.compare, &asked.margin) {
        (Compare::Equal, None) => decided(low == value && high == value, high < value || low > value),
        (Compare::Equal, Some(margin)) => {
            let (least, most) = (value - margin, value + margin);
            decided(*low >= least && *high <= most, *high < least || *low > most)
        }
        (Compare::Less, _) => decided(high < value, low >= value),
        (Compare::More, _) => decided(low > value, high <= value),
        (Compare::AtMost, _) => decided(high <= value, low > value),
        (Compare::AtLeast, _) => decided(low >= value, high < value),
    }
}

/// Returns the expectation of a line, as it is written.
fn expected(asked: &ChanceCheck) -> String {
    format!("chance {} {} {}", asked.words, asked.compare.sign(), asked.written)
}

/// Returns the chance found, in percent if the line is.
fn found(chance: &Chance, asked: &ChanceCheck) -> String {
    match (asked.is_percent(), chance.is_exact()) {
        (false, _) => chance.to_string(),
        (true, true) => match short_fraction(&chance.low) {
            Some(fraction) => format!("{} ({fraction})", percent(&chance.low)),
            None => percent(&chance.low),
        },
        (true, false) => format!("between {} and {}", percent(&chance.low), percent(&chance.high)),
    }
}

/// Returns the help for a line that is nearly right: the line to write instead.
fn help(chance: &Chance, asked: &ChanceCheck) -> Option<String> {
    let near = |places: usize| match asked.is_percent() {
        false => format!("{} ± 0.{}1", decimal(&chance.low, places, Rounding::Nearest), "0".repeat(places - 1)),
        true => {
            let places = places - 2;
            let hundredfold = &chance.low * BigRational::from_integer(100.into());
            format!("{}% ± 0.{}1%", decimal(&hundredfold, places, Rounding::Nearest), "0".repeat(places - 1))
        }
    };
    match (asked.compare, &asked.margin) {
        (Compare::Equal, None) if !chance.is_exact() => {
            Some(format!("write `= {}`: with this many states the chance is known by bounds, not exactly", near(6)))
        }
        (Compare::Equal, None) => {
            let distance =
                if chance.low > asked.value { &chance.low - &asked.value } else { &asked.value - &chance.low };
            let small = BigRational::new(1.into(), 1000.into());
            (distance < small).then(|| format!("write `= {}`: a decimal without a margin is exact", near(4)))
        }
        _ => None,
    }
}

/// Returns a chance in few characters: a fraction, or the beginning of its decimals.
fn brief(chance: &BigRational) -> String {
    let text = chance.to_string();
    if text.len() <= LONGEST { text } else { format!("{}…", decimal(chance, 9, Rounding::Down)) }
}

/// Returns a chance in percent; `…` means further digits.
fn percent(chance: &BigRational) -> String {
    let hundredfold = chance * BigRational::from_integer(100.into());
    let text = decimal(&hundredfold, 9, Rounding::Down);
    let short = text.trim_end_matches('0').trim_end_matches('.');
    let scale = BigRational::from_integer(1_000_000_000.into());
    if (hundredfold * scale).is_integer() { format!("{short}%") } else { format!("{text}…%") }
}
