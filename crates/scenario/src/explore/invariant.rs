//! Expressions that must be true at every point of play.

use std::sync::Arc;

use crate::plan::absent;
use crate::plan::model::Judged;
use crate::stage::Stage;
use referee_diagnostic::{Code, Diagnostic};
use referee_play::LookFor;
use referee_rules::{Expression, Placeholders, Program, turns_read_by};
use referee_source::{Source, Span};
use referee_table::{State, TurnRules};

/// The ways in which words before an expression say where it is judged.
const JUDGED: [Judged; 3] = [Judged::Events, Judged::TurnEnds, Judged::RoundEnds];

/// An expression that must be true at every point of play, from a line `always` or from the command line.
#[derive(Clone, Debug)]
pub struct Invariant {
    source: Arc<Source>,
    expression: Span,
    /// Where it is judged.
    pub(super) judged: Judged,
    placeholders: Placeholders,
}

impl Invariant {
    /// Returns the condition under which a state that breaks it is marked; `None` if it has values from elsewhere.
    pub(super) fn broken_if(&self, mark: u32) -> Option<LookFor<'_>> {
        Some(LookFor { expression: self.expression()?, is: false, mark })
    }

    /// Returns the expression; `None` if it has values from elsewhere.
    pub(super) fn expression(&self) -> Option<Expression<'_>> {
        let expression = Expression { source: &self.source, span: self.expression, of_player: false };
        self.placeholders.is_empty().then_some(expression)
    }

    /// Returns whether it is true in a state.
    pub(super) fn holds(&self, program: &Program, state: &State) -> Result<bool, Box<Diagnostic>> {
        program.judge_expression(&self.source, self.expression, &self.placeholders, state)
    }

    /// Returns the error that it is not true.
    pub(super) fn broken(&self) -> Diagnostic {
        Diagnostic::new(Code::ExpectationFailed, &self.source, self.expression, "this is not always true")
    }

    /// Returns the expression with its braces.
    #[must_use]
    pub fn words(&self) -> &str {
        self.source.slice(self.expression)
    }

    /// Returns what it reads of turns and rounds, with where it is judged.
    pub(super) fn reads_turns(&self) -> TurnRules {
        let rules = turns_read_by(self.words());
        TurnRules { rounds: rules.rounds || self.judged == Judged::RoundEnds, ..rules }
    }

    /// Returns the line of a scenario.
    pub(super) fn line(&self) -> String {
        format!("always {}{}", self.judged.words(), self.words())
    }

    /// Returns the values of a table's row that it may use.
    pub(super) const fn placeholders(&self) -> &Placeholders {
        &self.placeholders
    }
}

/// Returns the invariants of a stage: those of its scenario, then those of the command line, each an expression in
/// braces, after the words `each event`, `at the end of a turn` or `at the end of a round` if it is judged there. Messages name them
/// by their flag.
///
/// # Errors
/// Returns all errors in the words of the command line.
pub fn invariants(stage: &Stage, (flag, words): (&str, &[String])) -> Result<Vec<Invariant>, Vec<Diagnostic>> {
    let plan = &stage.plan;
    let of_scenario = plan.always.iter().map(|always| Invariant {
        source: Arc::clone(&plan.source),
        expression: always.expression,
        judged: always.judged,
        placeholders: plan.placeholders.clone(),
    });
    let mut all: Vec<Invariant> = of_scenario.collect();
    let mut wrong = Vec::new();
    for words in words {
        match of_command_line(stage, (flag, words)) {
            Ok(invariant) => all.push(invariant),
            Err(more) => wrong.extend(more),
        }
    }
    if wrong.is_empty() { Ok(all) } else { Err(wrong) }
}

fn of_command_line(stage: &Stage, (flag, words): (&str, &str)) -> Result<Invariant, Vec<Diagnostic>> {
    let source = Arc::new(Source::command_line(format!("{flag} {words}")));
    let trimmed = words.trim();
    let begins = flag.len() + 1 + words.find(trimmed).unwrap_or(0);
    let said =
        |judged: &Judged| trimmed.strip_prefix(judged.words().trim_end()).map(|rest| (*judged, rest.trim_start()));
    let (judged, words) = JUDGED.iter().find_map(said).unwrap_or((Judged::Pauses, trimmed));
    let expression = Span::new(begins + trimmed.len() - words.len()..begins + trimmed.len());
    if !words.starts_with('{') || !words.ends_with('}') {
        let whole = Span::new(begins..begins + trimmed.len());
        let wrong = Diagnostic::new(Code::WrongForm, &source, whole, "expected an expression in braces");
        return Err(vec![wrong.help(format!("write for example `{flag} \"{{ red.score <= 3 }}\"`"))]);
    }
    let placeholders = Placeholders::default();
    absent::compile(&stage.program, &stage.plan.start.table, (&source, expression), &placeholders)?;
    Ok(Invariant { source, expression, judged, placeholders })
}
