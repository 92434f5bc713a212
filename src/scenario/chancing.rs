//! Judging chances: play is laid out from the pause on, and what is to happen is judged where it ends.

use std::sync::Arc;

use num_rational::BigRational;

use super::feeder::shorten;
use super::plan::{ChanceCheck, Check, Compare};
use super::runner::Runner;
use super::verdicts::{self, standing};
use crate::diagnostic::Diagnostic;
use crate::play::{Chance, Horizon, Machine, Open, Rounding, Stop, Trouble, decimal, explore};
use crate::rules::{Holes, Program};
use crate::source::{Source, Span};
use crate::table::{Names, State};
use crate::trace::{Decision, Failure, Question};

/// Whether a condition holds in a position.
pub(super) fn holds(
    program: &Program,
    (source, holes): (&Arc<Source>, &Holes),
    condition: &Check,
    state: &State,
) -> Result<bool, Box<Diagnostic>> {
    match condition {
        Check::Island(island) => program.judge_island(source, *island, holes, state),
        other => Ok(verdicts::judge(&Machine::new(program, state.clone()), other, 0).is_none()),
    }
}

/// Where a question stands, and so how decisions are settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    /// In a scenario: lines below it.
    Line,
    /// On the command line: flags.
    Flag,
}

/// What there is to say of a trouble, without a place in the scenario.
pub(super) fn explain(program: &Program, trouble: Trouble, asked: Asked) -> Diagnostic {
    match trouble {
        Trouble::Fault(wrong) => *wrong,
        Trouble::TooMany(states) => {
            let message = format!("not decided: after {states} states there are still more, or a phase asks too often");
            let more = match asked {
                Asked::Line => "`within 3 turns`, or allow more states, `up to 1000000 states`",
                Asked::Flag => "`--within 3`, or allow more states, `--states 1000000`",
            };
            Diagnostic::general("not_decided", message).help(format!(
                "ask about fewer turns, {more}; a loop in the rules that asks again and again is better a phase that calls `then`"
            ))
        }
        Trouble::Open(open) => not_settled(program, &open, asked),
    }
}

fn not_settled(program: &Program, open: &Open, asked_in: Asked) -> Diagnostic {
    let Open { ask, state } = open;
    let names = Names { schema: state.schema(), board: state.board() };
    let asked = ask.question.write(names);
    let decisions: &[Decision] = match &ask.question {
        Question::Choose(decision) => std::slice::from_ref(decision),
        Question::ChooseAll(all) => all,
        _ => &[],
    };
    let message = format!("nothing says how `{asked}` is decided on the way");
    let mut wrong = Diagnostic::general("not_settled", message);
    if let Some(decision) = decisions.first() {
        let player = names.schema.player_name(decision.player);
        let options: Vec<String> = decision.options.iter().map(|option| option.write(names)).collect();
        let example = options.first().map_or("", String::as_str);
        let ways = match asked_in {
            Asked::Line => format!(
                "add a line below, for example `when {player} {example}`, `when {player} policy random`, `at best for {player}` or `at worst for {player}`"
            ),
            Asked::Flag => format!(
                "add for example `--when \"{player} {example}\"`, `--policy random`, or `--policy {player}=best`"
            ),
        };
        let together =
            if decisions.len() > 1 { "\nwhat is decided at once cannot be decided best or worst" } else { "" };
        wrong = wrong.help(format!("{ways}{together}\nthe options there are: {}", shorten(&options)));
    }
    Diagnostic { labels: program.label(ask.place).into_iter().collect(), ..wrong }
}

/// A diagnostic with the line of the scenario in front of its other places.
fn at_line(wrong: Diagnostic, source: &Arc<Source>, span: Span) -> Diagnostic {
    let mut labels = vec![crate::diagnostic::Label { source: Arc::clone(source), span, text: String::new() }];
    let others = wrong.labels.iter().cloned();
    labels.extend(others.map(|label| match label.text.is_empty() {
        true => crate::diagnostic::Label { text: "asked here".to_owned(), ..label },
        false => label,
    }));
    Diagnostic { labels, ..wrong }
}

impl Runner<'_> {
    /// Judge a chance from where play stands.
    pub(super) fn chance(&mut self, span: Span, asked: &ChanceCheck) {
        let source = &self.plan.source;
        if matches!(self.machine.stop(), Stop::Fresh | Stop::Returned) {
            let message = format!("play does not go on from here: {}", standing(&self.machine));
            let wrong = Diagnostic::new("nothing_asked", source, span, message);
            self.fail(wrong.help("begin the play with a line such as `turn red`"));
            return;
        }
        let program = self.program;
        let mut class = |state: &State| {
            let holds = holds(program, (source, &self.plan.holes), &asked.condition, state);
            holds.map(usize::from)
        };
        let graph = match explore(&self.machine, &asked.inquiry, &mut class) {
            Ok(graph) => graph,
            Err(Trouble::Fault(wrong)) => {
                let wrong = Failure::plain(wrong.also(source, span, "while this is judged"));
                self.failures.push(wrong);
                return;
            }
            Err(trouble) => {
                let wrong = at_line(explain(program, trouble, Asked::Line), source, span);
                self.fail(wrong);
                return;
            }
        };
        let endless = graph.endless();
        if endless > 0 {
            let (what, help) = match asked.inquiry.horizon {
                Horizon::Game => ("game", "mend the rules, or ask about a number of turns: `within 10 turns`"),
                Horizon::Turns(_) => ("turn", "do the rules run in a circle there?"),
            };
            let message = format!("the {what} may never end: from {endless} of {} states it cannot", graph.states());
            let wrong = Diagnostic::new("endless", source, span, message);
            self.fail(wrong.help(help));
            return;
        }
        let chance = graph.chance(|class| class == 1);
        let message = match compared(&chance, asked) {
            Some(true) => return,
            Some(false) => "the chance is another",
            None => "not decided: the chance is not known that exactly",
        };
        let code = if compared(&chance, asked).is_none() { "not_decided" } else { "expectation_failed" };
        let wrong = Diagnostic::new(code, source, span, message);
        let wrong = match help(&chance, asked) {
            Some(help) => wrong.help(help),
            None => wrong,
        };
        let said = |value: &BigRational| Chance { low: value.clone(), high: value.clone() }.to_string();
        let margin = asked.margin.as_ref().map(|margin| format!(" ± {margin}")).unwrap_or_default();
        let expected = format!("chance {} {} {}{margin}", asked.words, asked.compare.sign(), said(&asked.value));
        let states = graph.states();
        let plural = if states == 1 { "" } else { "s" };
        let actual = format!("{chance}, over {states} state{plural}");
        let failure = self.failure(wrong);
        self.failures.push(Failure { expected: Some(expected), actual: Some(actual), ..failure });
    }
}

/// Whether a chance is as asked; nothing where its bounds do not tell.
fn compared(chance: &Chance, asked: &ChanceCheck) -> Option<bool> {
    let (low, high, value) = (&chance.low, &chance.high, &asked.value);
    let told = |all: bool, none: bool| {
        if all {
            Some(true)
        } else if none {
            Some(false)
        } else {
            None
        }
    };
    match (asked.compare, &asked.margin) {
        (Compare::Equal, None) => told(low == value && high == value, high < value || low > value),
        (Compare::Equal, Some(margin)) => {
            let (least, most) = (value - margin, value + margin);
            told(*low >= least && *high <= most, *high < least || *low > most)
        }
        (Compare::Less, _) => told(high < value, low >= value),
        (Compare::More, _) => told(low > value, high <= value),
        (Compare::AtMost, _) => told(high <= value, low > value),
        (Compare::AtLeast, _) => told(low >= value, high < value),
    }
}

/// What to write instead, where the line is nearly right.
fn help(chance: &Chance, asked: &ChanceCheck) -> Option<String> {
    let near = |places| decimal(&chance.low, places, Rounding::Nearest);
    match (asked.compare, &asked.margin) {
        (Compare::Equal, None) if !chance.is_exact() => {
            Some(format!("so many states are solved by bounds and not exactly: write `= {} ± 0.000001`", near(6)))
        }
        (Compare::Equal, None) => {
            let distance =
                if chance.low > asked.value { &chance.low - &asked.value } else { &asked.value - &chance.low };
            let small = BigRational::new(1.into(), 1000.into());
            (distance < small).then(|| format!("a decimal is meant exactly: write `= {} ± 0.0001`", near(4)))
        }
        _ => None,
    }
}
