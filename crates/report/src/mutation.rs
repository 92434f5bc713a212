//! Changes of the rules that no test notices, as text and as JSON.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde::Serialize;

use super::object::{line, object};
use referee_diagnostic::one_line;
use referee_rules::{Mark, MarkKind, Mutant};
use referee_scenario::{Fate, Mutation};

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

    /// Returns whether all changes were tried.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.fates.len() == self.mutation.mutants.len()
    }

    /// Returns whether a remark explains a change that no test notices.
    fn is_marked(&self, mutant: &Mutant) -> bool {
        let name = mutant.source.name();
        let about = |mark: &Mark| {
            mark.line == mutant.at.line
                && !mark.reason.is_empty()
                && match (mark.kind, mark.names.is_empty()) {
                    (MarkKind::NotCovered, _) => true,
                    (MarkKind::Equivalent, true) => self.is_clear(name, mark.line),
                    (MarkKind::Equivalent, false) => mark.names.iter().any(|own| is_of(mutant, own)),
                }
        };
        self.mutation.marks().iter().any(|(source, mark)| source.name() == name && about(mark))
    }

    /// Returns the changes of a line that no test notices.
    fn left(&self, name: &str, line: usize) -> impl Iterator<Item = &'r Mutant> {
        let unnoticed = self.tried().filter(|(_, fate)| is_unnoticed(fate)).map(|(mutant, _)| mutant);
        unnoticed.filter(move |mutant| mutant.source.name() == name && mutant.at.line == line)
    }

    /// Returns whether a remark without names can mean only one thing: one change of the line is left, or all are. With some of
    /// the changes this is not known.
    fn is_clear(&self, name: &str, line: usize) -> bool {
        let noticed = |(mutant, fate): &(&Mutant, &Fate)| {
            let here = mutant.source.name() == name && mutant.at.line == line;
            here && matches!(fate, Fate::Noticed | Fate::TooLong)
        };
        !self.is_whole() || self.left(name, line).count() < 2 || !self.tried().any(|one| noticed(&one))
    }

    /// Returns the changes that no test notices and no remark explains.
    #[must_use]
    pub fn survivors(&self) -> Vec<(&'r Mutant, &'r Fate)> {
        self.tried().filter(|(mutant, fate)| is_unnoticed(fate) && !self.is_marked(mutant)).collect()
    }

    /// Returns what is wrong with remarks `equivalent`, each with its place: no reason, no effect, or no name though several changes
    /// of the line are left.
    #[must_use]
    pub fn wrong_marks(&self) -> Vec<(String, String)> {
        let whole = self.is_whole();
        // `referee coverage` reports the others.
        let marks = self.mutation.marks().into_iter().filter(|(_, mark)| mark.kind == MarkKind::Equivalent);
        let wrong = marks.flat_map(|(source, mark)| {
            let left: Vec<&Mutant> = self.left(source.name(), mark.line).collect();
            let idle = |name: &&String| !left.iter().any(|mutant| is_of(mutant, name));
            let texts = if mark.reason.is_empty() {
                vec!["remove `equivalent`: the reason is missing".to_owned()]
            } else if !whole {
                Vec::new()
            } else if !mark.names.is_empty() {
                let idle = mark.names.iter().filter(idle);
                idle.map(|name| format!("remove `{name}` after `equivalent`: no change of it is left")).collect()
            } else if left.is_empty() {
                vec!["remove `equivalent`: the examples notice every change of this line".to_owned()]
            } else if !self.is_clear(source.name(), mark.line) {
                vec![format!("name the changes that are meant, as in `equivalent {}: …`", named(&left))]
            } else {
                Vec::new()
            };
            let place = format!("{}:{}", source.name(), mark.written);
            texts.into_iter().map(move |text| (place.clone(), text))
        });
        wrong.collect()
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

    /// Returns the report as text.
    #[must_use]
    pub fn text(&self) -> String {
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
        let clauses = &self.mutation.clauses;
        for (mutant, fate) in self.survivors() {
            let clause = self.mutation.clause_of(mutant);
            let place = clauses.iter().position(|own| Some(own) == clause.as_ref()).unwrap_or(clauses.len());
            by_clause.entry(place).or_default().push((mutant, fate));
        }
        for (place, all) in by_clause {
            let clause = clauses.get(place).map_or("no clause", String::as_str);
            for (mutant, fate) in all {
                let _ = write!(text, "\n{}", shown(clause, mutant, fate));
            }
        }
        for (place, what) in self.wrong_marks() {
            let _ = writeln!(text, "{}: {}", one_line(&place), one_line(&what));
        }
        text
    }
}

const fn is_unnoticed(fate: &Fate) -> bool {
    matches!(fate, Fate::Unnoticed | Fate::NotRun)
}

/// Returns whether a remark with this name is about a change: it is the changed text, or its first line.
fn is_of(mutant: &Mutant, name: &str) -> bool {
    mutant.old() == name || mutant.old().lines().next().is_some_and(|first| first.trim_end() == name)
}

/// Returns the names of changes, as a remark has them.
fn named(mutants: &[&Mutant]) -> String {
    let mut names: Vec<String> = Vec::new();
    for text in mutants.iter().filter_map(|mutant| mutant.old().lines().next()).map(str::trim_end) {
        let bare = !text.contains(|letter: char| letter.is_whitespace() || matches!(letter, ',' | ':' | '`'));
        let name = if bare { text.to_owned() } else { format!("`{text}`") };
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names.join(", ")
}

/// Returns a change: its clause, the missing example, and the lines before and after.
fn shown(clause: &str, mutant: &Mutant, fate: &Fate) -> String {
    let short = |text: &str| one_line(text.lines().next().unwrap_or_default());
    let what = match (fate, mutant.new.is_empty()) {
        (Fate::NotRun, _) => "no example runs this line".to_owned(),
        (_, true) => format!("no example needs `{}`", short(mutant.old())),
        (_, false) => format!("no example tells `{}` from `{}` here", short(&mutant.new), short(mutant.old())),
    };
    let (name, line) = (mutant.source.name(), mutant.at.line);
    let mut text = format!("{clause}: {what}\n  {}:{line}:{}\n", one_line(name), mutant.at.column);
    let last = mutant.source.line(mutant.span.end);
    let changed = mutant.changed();
    let removed = mutant.old().matches('\n').count().saturating_sub(mutant.new.matches('\n').count());
    for old in line..=last {
        let _ = writeln!(text, "  - {}", one_line(mutant.source.slice(mutant.source.line_span(old))));
    }
    for new in line..=last - removed {
        let new = changed.slice(changed.line_span(new));
        if !new.trim().is_empty() {
            let _ = writeln!(text, "  + {}", one_line(new));
        }
    }
    text
}

/// Returns the report as JSON: `{"version":1,"game":…,"summary":{…},"unnoticed":[…]}`
#[must_use]
pub fn mutation_json(report: &MutationReport<'_>) -> String {
    let unnoticed = report.survivors().into_iter().map(|(mutant, fate)| {
        object()
            .with("clause", report.mutation.clause_of(mutant))
            .with("file", mutant.source.name())
            .with("line", mutant.at.line)
            .with("column", mutant.at.column)
            .with("old", mutant.old())
            .with("new", &mutant.new)
            .with("run", *fate == Fate::Unnoticed)
    });
    let all = object()
        .with("version", 1)
        .with("game", &report.mutation.game.schema.id)
        .with("summary", report.counts())
        .list("unnoticed", unnoticed)
        .list("idle_marks", report.wrong_marks().into_iter().map(|(place, _)| place));
    line(&all)
}
