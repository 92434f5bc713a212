//! Writes a line of play that answers a question as a scenario that replays it.

use crate::plan::model::Plan;
use crate::write::answers::{answer_lines, step_line};
use crate::write::start::settings_and_position;
use referee_rules::{Placeholders, Program};
use referee_source::{Source, quoted};
use referee_table::{Names, Value};
use referee_trace::{Answer, Ask};

/// A line of play after some steps of a plan.
pub(crate) struct Witness<'w> {
    pub(crate) plan: &'w Plan,
    pub(crate) program: &'w Program,
    pub(crate) names: Names<'w>,
    /// The number of steps of the plan that are played before.
    pub(crate) steps: usize,
    /// The asks of the line with their answers.
    pub(crate) line: &'w [(Ask, Answer)],
    /// Expectations within the line, each after this number of its answers, in order.
    pub(crate) within: Vec<(usize, Vec<String>)>,
    /// The placeholders of these expectations.
    pub(crate) placeholders: Placeholders,
}

impl Witness<'_> {
    /// Returns the scenario with this title; `about` is a comment at its beginning.
    pub(crate) fn text(&self, title: &str, about: &str) -> String {
        let names = self.names;
        let variant = names.schema.variants.get(self.plan.start.table.variant);
        let variant = variant.map_or("", |variant| variant.name.as_str());
        let mut lines = vec![format!("# {about}"), format!("use {} {variant}", names.schema.id).trim_end().to_owned()];
        lines.extend([String::new(), format!("scenario {}", quoted(title))]);
        let mut inside = settings_and_position(self.plan, self.program, names);
        let played = self.plan.steps.iter().take(self.steps);
        inside.extend(played.filter_map(|step| step_line(names, &step.kind)));
        for at in 0..=self.line.len() {
            inside.extend(self.within.iter().filter(|(after, _)| *after == at).flat_map(|(_, lines)| lines.clone()));
            let answer = self.line.get(at).map(std::slice::from_ref).unwrap_or_default();
            inside.extend(answer_lines(names, answer));
        }
        inside.extend(self.table());
        lines.extend(inside.into_iter().map(|line| format!("  {line}").trim_end().to_owned()));
        lines.join("\n") + "\n"
    }

    /// Returns a table with the values of the placeholders.
    fn table(&self) -> Vec<String> {
        if self.placeholders.is_empty() {
            return Vec::new();
        }
        let row = |cells: Vec<String>| format!("  | {} |", cells.join(" | "));
        let names = row(self.placeholders.iter().map(|(name, _)| name.clone()).collect());
        let values = row(self.placeholders.iter().map(|(_, one)| cell_of_table(self.names, one)).collect());
        vec!["examples".to_owned(), names, values]
    }
}

/// Returns a value as a cell of a table has it.
pub(crate) fn cell_of_table(names: Names<'_>, value: &Value) -> String {
    match value {
        Value::Text(text) => quoted(text),
        other => names.write(None, other),
    }
}

/// Returns the placeholders that an expression uses.
pub(crate) fn used_placeholders(
    source: &Source,
    expression: referee_source::Span,
    placeholders: &Placeholders,
) -> Placeholders {
    let separates = |letter: char| !(letter.is_ascii_alphanumeric() || letter == '_');
    let words: Vec<&str> = source.slice(expression).split(separates).collect();
    placeholders.iter().filter(|(name, _)| words.contains(&name.as_str())).cloned().collect()
}
