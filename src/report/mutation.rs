//! Changes of the rules that no test notices, as text and as JSON.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde::Serialize;

use super::json::line;
use crate::diagnostic::printable;
use crate::rules::{Mark, MarkKind, Mutant};
use crate::scenario::{Fate, Mutation};

/// The results of changes of the rules of a game.
#[derive(Debug)]
pub struct MutationReport<'r> {
    mutation: &'r Mutation<'r>,
    /// The indices of the changes that were tried, with the result of each.
    fates: &'r [(usize, Fate)],
}

/// The number of changes by result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
struct Counts {
    changes: usize,
    noticed: usize,
    too_long: usize,
    unnoticed: usize,
    marked: usize,
    invalid: usize,
    same: usize,
}

impl<'r> MutationReport<'r> {
    /// Returns a report about these changes.
    #[must_use]
    pub const fn new(mutation: &'r Mutation<'r>, fates: &'r [(usize, Fate)]) -> Self {
        Self { mutation, fates }
    }

    fn tried(&self) -> impl Iterator<Item = (&'r Mutant, &'r Fate)> {
        let mutation = self.mutation;
        self.fates.iter().filter_map(|(at, fate)| Some((mutation.mutants.get(*at)?, fate)))
    }

    fn is_marked(&self, mutant: &Mutant) -> bool {
        let about = |mark: &Mark| mark.line == mutant.at.line && !mark.reason.is_empty();
        self.mutation.marks().iter().any(|(source, mark)| source.name() == mutant.source.name() && about(mark))
    }

    /// Returns the changes that no test notices and no remark explains.
    #[must_use]
    pub fn survivors(&self) -> Vec<(&'r Mutant, &'r Fate)> {
        self.tried().filter(|(mutant, fate)| is_unnoticed(fate) && !self.is_marked(mutant)).collect()
    }

    /// Returns the places of remarks `equivalent` without a reason, or on lines of which every change is noticed.
    /// `whole` is whether all changes were tried.
    #[must_use]
    pub fn idle_marks(&self, whole: bool) -> Vec<(String, &'static str)> {
        let needed = |name: &str, line: usize| {
            self.tried()
                .any(|(mutant, fate)| is_unnoticed(fate) && mutant.source.name() == name && mutant.at.line == line)
        };
        let idle = |(source, mark): &(std::sync::Arc<crate::source::Source>, Mark)| {
            let place = format!("{}:{}", source.name(), mark.written);
            match (mark.reason.is_empty(), needed(source.name(), mark.line)) {
                (true, _) => Some((place, "the reason is missing")),
                (false, false) if whole => Some((place, "the examples notice every change of this line")),
                (false, _) => None,
            }
        };
        // `referee coverage` reports the others.
        let marks = self.mutation.marks();
        marks.iter().filter(|(_, mark)| mark.kind == MarkKind::Equivalent).filter_map(idle).collect()
    }

    fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        for (mutant, fate) in self.tried() {
            counts.changes += 1;
            let count = match fate {
                Fate::Noticed => &mut counts.noticed,
                Fate::TooLong => &mut counts.too_long,
                Fate::Unnoticed | Fate::NotRun if self.is_marked(mutant) => &mut counts.marked,
                Fate::Unnoticed | Fate::NotRun => &mut counts.unnoticed,
                Fate::Invalid => &mut counts.invalid,
                Fate::Same => &mut counts.same,
            };
            *count += 1;
        }
        counts
    }

    /// Returns the report as text. `whole` is whether all changes were tried.
    #[must_use]
    pub fn text(&self, whole: bool) -> String {
        let counts = self.counts();
        let mut text = format!(
            "{}: {} changes: {} noticed, {} not noticed",
            self.mutation.game.schema.id,
            counts.changes,
            counts.noticed + counts.too_long,
            counts.unnoticed
        );
        let others = [
            (counts.marked, "marked as equivalent"),
            (counts.invalid, "not valid"),
            (counts.same, "compiled to the same"),
        ];
        for (count, what) in others.into_iter().filter(|(count, _)| *count > 0) {
            let _ = write!(text, ", {count} {what}");
        }
        text.push('\n');
        let mut by_clause: BTreeMap<usize, Vec<(&Mutant, &Fate)>> = BTreeMap::new();
        let clauses = &self.mutation.game.schema.clauses;
        for (mutant, fate) in self.survivors() {
            let clause = self.mutation.clause_of(mutant);
            let place = clauses.iter().position(|own| Some(&own.id) == clause.as_ref()).unwrap_or(clauses.len());
            by_clause.entry(place).or_default().push((mutant, fate));
        }
        for (place, all) in by_clause {
            let clause = clauses.get(place).map_or("no clause", |clause| clause.id.as_str());
            for (mutant, fate) in all {
                let _ = write!(text, "\n{}", shown(clause, mutant, fate));
            }
        }
        for (place, why) in self.idle_marks(whole) {
            let _ = writeln!(text, "{}: remove `equivalent`: {why}", printable(&place));
        }
        text
    }
}

const fn is_unnoticed(fate: &Fate) -> bool {
    matches!(fate, Fate::Unnoticed | Fate::NotRun)
}

/// Returns a change: its clause, the missing example, and the lines before and after.
fn shown(clause: &str, mutant: &Mutant, fate: &Fate) -> String {
    let short = |text: &str| printable(text.lines().next().unwrap_or_default());
    let what = match (fate, mutant.new.is_empty()) {
        (Fate::NotRun, _) => "no example runs this line".to_owned(),
        (_, true) => format!("no example needs `{}`", short(mutant.old())),
        (_, false) => format!("no example tells `{}` from `{}` here", short(&mutant.new), short(mutant.old())),
    };
    let (name, line) = (mutant.source.name(), mutant.at.line);
    let mut text = format!("{clause}: {what}\n  {}:{line}:{}\n", printable(name), mutant.at.column);
    let last = mutant.source.line(mutant.span.end);
    let changed = mutant.changed();
    let removed = mutant.old().matches('\n').count().saturating_sub(mutant.new.matches('\n').count());
    for old in line..=last {
        let _ = writeln!(text, "  - {}", printable(mutant.source.slice(mutant.source.line_span(old))));
    }
    for new in line..=last - removed {
        let new = changed.slice(changed.line_span(new));
        if !new.trim().is_empty() {
            let _ = writeln!(text, "  + {}", printable(new));
        }
    }
    text
}

#[derive(Serialize)]
struct Report<'r> {
    version: u32,
    game: &'r str,
    summary: Counts,
    unnoticed: Vec<Row<'r>>,
    idle_marks: Vec<String>,
}

#[derive(Serialize)]
struct Row<'r> {
    clause: Option<String>,
    file: &'r str,
    line: usize,
    column: usize,
    old: &'r str,
    new: &'r str,
    run: bool,
}

/// Returns the report as JSON: `{"version":1,"game":…,"summary":{…},"unnoticed":[…]}`
#[must_use]
pub fn mutation_json(report: &MutationReport<'_>, whole: bool) -> String {
    let survivors = report.survivors();
    let unnoticed = survivors.iter().map(|(mutant, fate)| Row {
        clause: report.mutation.clause_of(mutant),
        file: mutant.source.name(),
        line: mutant.at.line,
        column: mutant.at.column,
        old: mutant.old(),
        new: &mutant.new,
        run: **fate == Fate::Unnoticed,
    });
    line(&Report {
        version: 1,
        game: &report.mutation.game.schema.id,
        summary: report.counts(),
        unnoticed: unnoticed.collect(),
        idle_marks: report.idle_marks(whole).into_iter().map(|(place, _)| place).collect(),
    })
}
