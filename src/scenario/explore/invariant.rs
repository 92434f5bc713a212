//! Expressions that must be true at every point of play.

use std::sync::Arc;

use crate::diagnostic::Diagnostic;
use crate::rules::{Holes, Program};
use crate::scenario::stage::Stage;
use crate::source::{Source, Span};
use crate::table::State;

/// The words before an expression that is also judged at each event.
const EACH_EVENT: &str = "each event";

/// An expression that must be true at every point of play, from a line `always` or from the command line.
#[derive(Clone, Debug)]
pub struct Invariant {
    source: Arc<Source>,
    island: Span,
    /// Whether it is also judged at each event.
    pub(super) each_event: bool,
    holes: Holes,
}

impl Invariant {
    /// Returns whether it is true in a state.
    pub(super) fn holds(&self, program: &Program, state: &State) -> Result<bool, Box<Diagnostic>> {
        program.judge_island(&self.source, self.island, &self.holes, state)
    }

    /// Returns the error that it is not true.
    pub(super) fn broken(&self) -> Diagnostic {
        Diagnostic::new("expectation_failed", &self.source, self.island, "this is not always true")
    }

    /// Returns the expression with its braces.
    #[must_use]
    pub fn words(&self) -> &str {
        self.source.slice(self.island)
    }

    /// Returns the line of a scenario.
    pub(super) fn line(&self) -> String {
        let each = if self.each_event { "each event " } else { "" };
        format!("always {each}{}", self.words())
    }

    /// Returns the values of a table's row that it may use.
    pub(super) const fn holes(&self) -> &Holes {
        &self.holes
    }
}

/// Returns the invariants of a stage: those of its scenario, then those of the command line, each an expression in
/// braces, after the words `each event` if it is judged at each event as well.
///
/// # Errors
/// Returns all errors in the words of the command line.
pub fn invariants(stage: &Stage, words: &[String]) -> Result<Vec<Invariant>, Vec<Diagnostic>> {
    let plan = &stage.plan;
    let of_scenario = plan.always.iter().map(|always| Invariant {
        source: Arc::clone(&plan.source),
        island: always.island,
        each_event: always.each_event,
        holes: plan.holes.clone(),
    });
    let mut all: Vec<Invariant> = of_scenario.collect();
    let mut wrong = Vec::new();
    for words in words {
        match of_command_line(&stage.program, words) {
            Ok(invariant) => all.push(invariant),
            Err(more) => wrong.extend(more),
        }
    }
    if wrong.is_empty() { Ok(all) } else { Err(wrong) }
}

fn of_command_line(program: &Program, words: &str) -> Result<Invariant, Vec<Diagnostic>> {
    const FLAG: &str = "--always ";
    let source = Arc::new(Source::command_line(format!("{FLAG}{words}")));
    let said = words.trim();
    let begins = FLAG.len() + words.find(said).unwrap_or(0);
    let expression = said.strip_prefix(EACH_EVENT).map_or(said, str::trim_start);
    let island = Span::new(begins + said.len() - expression.len()..begins + said.len());
    if !expression.starts_with('{') || !expression.ends_with('}') {
        let whole = Span::new(begins..begins + said.len());
        let wrong = Diagnostic::new("wrong_form", &source, whole, "expected an expression in braces");
        return Err(vec![wrong.help("write for example `--always \"{ red.score <= 3 }\"`")]);
    }
    let holes = Holes::default();
    program.compile_island(&source, island, &holes)?;
    Ok(Invariant { source, island, each_event: said.len() != expression.len(), holes })
}
