//! Edits that an editor offers: a word that is meant, the position that was reached, expectations to be recorded.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::check::{self, Run};
use super::edit::{Edit, applied};
use super::overlay::Overlay;
use super::project::{Project, Role};
use crate::diagnostic::{Diagnostic, Label, meant, nearest_within};
use crate::scenario::{self, Snapshots, accepted_path};
use crate::source::{Host, Source, Span, Word};
use crate::syntax::ast::{Expect, LineKind};
use crate::trace::Failure;

/// A change that an editor offers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What it does.
    pub title: String,
    /// The changes.
    pub edits: Vec<Edit>,
}

/// Returns a fix for each word that a message suggests.
#[must_use]
pub fn suggested(wrong: &Diagnostic) -> Vec<Fix> {
    let Some(label) = wrong.labels.first().filter(|label| label.source.is_file() && !label.source.is_bundled()) else {
        return Vec::new();
    };
    let help = wrong.help.as_deref().unwrap_or_default();
    let fix = |word: String| {
        let span = misspelt(&label.source, label.span, &word);
        let quoted = label.source.word(span).quoted;
        let text = if quoted { format!("\"{word}\"") } else { word.clone() };
        let edit = Edit { path: PathBuf::from(label.source.name()), span, text };
        Fix { title: format!("Change to `{word}`"), edits: vec![edit] }
    };
    meant(help).into_iter().map(fix).collect()
}

/// Returns the word in a span that a suggestion replaces: the one that is like it, or the whole span.
fn misspelt(source: &Source, span: Span, word: &str) -> Span {
    let is_like = |candidate: &str| nearest_within(candidate, [word], 3).is_some();
    if is_like(source.word(span).text) {
        return span;
    }
    let parts = source.tokens(span);
    let trimmed = parts.iter().map(|part| {
        let text = part.text.trim_end_matches([',', ':', ')', ';']);
        (text, Span { end: part.span.start + Span::new(0..text.len()).end, ..part.span })
    });
    trimmed.filter(|(text, _)| is_like(text)).map(|(_, span)| span).next().unwrap_or(span)
}

/// Returns a fix that accepts what was reached where a test fails: the line with the value of the rules. Offered only if
/// the line no longer fails afterwards.
pub fn accepted(project: &mut Project<'_>, path: &Path, run: &Run, failure: &Failure) -> Option<Fix> {
    if failure.diagnostic.code == "snapshot" {
        return snapshot(project, path, run);
    }
    let opened = project.open(path)?;
    // An error of the rules is in another file.
    let in_file = |label: &&Label| label.source.name() == opened.source.name();
    let label = failure.diagnostic.labels.first().filter(in_file)?;
    let line = opened.lines.as_ref()?.lines.iter().rev().find(|line| line.span.start <= label.span.start)?;
    let source = &opened.source;
    let indent = indentation(source, line.span);
    let words = source.slice(line.span);
    let reached = failure.actual.as_deref().unwrap_or_default();
    let (span, text) = match &line.kind {
        LineKind::Expect(Expect::Board(rows)) => {
            let board = failure.actual_board.as_ref()?;
            let rows_end = rows.last().map_or(line.span.end, |row| row.end);
            let rows: Vec<String> = board.rows_of_a_file().iter().map(|row| format!("\n{indent}  | {row}")).collect();
            (Span { end: rows_end, ..line.span }, format!("expect board{}", rows.concat()))
        }
        LineKind::Expect(Expect::Events { rows, .. }) => {
            let rows_end = rows.last().map_or(line.span.end, |row| row.end);
            let events: Vec<String> = failure.events.iter().map(|event| format!("\n{indent}  > {event}")).collect();
            (Span { end: rows_end, ..line.span }, format!("{words}{}", events.concat()))
        }
        LineKind::Expect(Expect::Choices { verb, .. }) => {
            let verb = verb.map(|verb| format!(" {}", source.slice(verb))).unwrap_or_default();
            (line.span, format!("expect choices{verb} = {reached}"))
        }
        LineKind::Expect(Expect::ChoicesCount { count, .. }) => {
            (*count, reached.split(':').next().unwrap_or_default().to_owned())
        }
        LineKind::Expect(Expect::Chance { .. }) => {
            let sign = |word: &&Word<'_>| matches!(word.text, "=" | "<" | ">" | "<=" | ">=");
            let words = source.tokens(line.span);
            let at = words.iter().rposition(|word| sign(&word))?;
            let old = words.get(at + 1)?;
            let is_number = |word: &&str| word.starts_with(|letter: char| letter.is_ascii_digit());
            let new = reached.split([' ', ',']).find(is_number)?;
            (Span { end: old.span.end, start: words.get(at)?.span.start }, format!("= {new}"))
        }
        LineKind::Refuse { because: Some(because), .. } if reached.starts_with("because ") => {
            (*because, reached.trim_start_matches("because ").to_owned())
        }
        LineKind::Refuse { answer, .. } => {
            let played = answer.first().zip(answer.last()).map(|(first, last)| first.to(*last))?;
            (line.span, source.slice(played).to_owned())
        }
        LineKind::Expect(_) => (line.span, format!("expect {reached}")),
        LineKind::Answer(_) => (line.span, format!("refuse {words}")),
        _ => return None,
    };
    let title = match line.kind {
        LineKind::Answer(_) => "Expect that the rules refuse this".to_owned(),
        LineKind::Refuse { because: None, .. } => "Play this answer".to_owned(),
        _ => "Accept what was reached".to_owned(),
    };
    let edit = Edit { path: opened.path.clone(), span, text };
    helps(project, &edit, failure).then(|| Fix { title, edits: vec![edit] })
}

/// Returns a fix that accepts the snapshots of a test: the file of accepted snapshots with them.
fn snapshot(project: &Project<'_>, path: &Path, run: &Run) -> Option<Fix> {
    let file = accepted_path(&project.overlay.shown(path));
    let mut snapshots = Snapshots::load(project.overlay, &file).ok()?;
    run.result.snapshots.iter().for_each(|(name, text)| snapshots.set(name, text));
    let before = project.overlay.read(&file).unwrap_or_default();
    let edit = Edit { path: file, span: Span::new(0..before.len()), text: snapshots.text() };
    Some(Fix { title: "Accept this snapshot".to_owned(), edits: vec![edit] })
}

/// Returns whether a failure is gone after an edit, without new errors in the file.
fn helps(project: &mut Project<'_>, edit: &Edit, failure: &Failure) -> bool {
    let Ok(text) = project.overlay.read(&edit.path) else { return false };
    let changed = Overlay::new(project.overlay.root().to_path_buf(), project.overlay);
    changed.set(&edit.path, applied(&text, std::iter::once(edit)));
    let mut after = project.over(&changed);
    let Some(line) = failure.diagnostic.place().map(|(_, line)| line) else { return false };
    let first = failure.diagnostic.labels.first().map_or(line, |label| label.source.line(edit.span.start));
    let tests = super::check::tests_at(&mut after, &edit.path, first);
    let runs = check::run(&mut after, &edit.path, &|at, _| tests.contains(&at), &|| true);
    let rows = edit.text.lines().count().max(1);
    let fails = |run: &Run| {
        let lines = run.result.failures.iter().filter_map(|failure| failure.diagnostic.place());
        lines.into_iter().any(|(_, line)| (first..first + rows).contains(&line))
    };
    !runs.is_empty() && !runs.iter().any(fails)
}

/// Returns the indentation of a line.
fn indentation(source: &Source, span: Span) -> String {
    let line = source.line_span(source.line(span.start));
    source.slice(Span { end: span.start, ..line }).to_owned()
}

/// Returns an edit that records what play has reached after a line, counted from 1: expectations below the last line that
/// was played up to there. `None` if the line is in no test that can be run.
pub fn record(project: &mut Project<'_>, path: &Path, line: usize) -> Option<Fix> {
    let (_, scene) = super::check::position(project, path, line)?;
    let opened = project.open(path)?;
    let source: &Arc<Source> = &opened.source;
    let lines = &opened.lines.as_ref()?.lines;
    let number = scene.line?;
    let played = lines.iter().rev().find(|written| source.line(written.span.start) <= number)?;
    // The rows of a diagram belong to the line above them.
    let next = lines.iter().find(|other| other.span.start > played.span.start);
    let last = next.map_or(source.line(u32::MAX), |next| source.line(next.span.start) - 1);
    let is_row = |number: usize| source.slice(source.line_span(number)).trim_start().starts_with(['|', '>']);
    let end = (number + 1..=last).take_while(|number| is_row(*number)).last().unwrap_or(source.line(played.span.start));
    let indent = match played.kind {
        LineKind::Scenario(_) | LineKind::Branch(_) => format!("{}  ", indentation(source, played.span)),
        _ => indentation(source, played.span),
    };
    let mut written = String::new();
    for expected in expectations(&scene) {
        written.push_str(&format!("\n{indent}{expected}"));
    }
    let at = source.line_span(end).end;
    let edit = Edit { path: opened.path.clone(), span: Span { start: at, end: at }, text: written };
    Some(Fix { title: "Record what was reached".to_owned(), edits: vec![edit] })
}

/// Returns expectations that a position meets.
fn expectations(scene: &crate::trace::Scene) -> Vec<String> {
    let mut lines = Vec::new();
    if !scene.events.is_empty() {
        lines.push("expect events".to_owned());
        lines.extend(scene.events.iter().map(|event| format!("  > {event}")));
    }
    let rows = scene.board.rows_of_a_file();
    if !rows.is_empty() {
        lines.push("expect board".to_owned());
        lines.extend(rows.iter().map(|row| format!("  | {row}")));
    }
    match scene.standing.split_once(' ') {
        // Several players who decide at once have a line each.
        Some(("asks", asked)) => lines.extend(asked.split(" and ").map(|asked| format!("expect asks {asked}"))),
        Some(("over:", outcome)) => lines.push(format!("expect {outcome}")),
        _ => {}
    }
    lines
}

/// Returns the lines that can be written at a line, counted from 1: the answers to the question that the rules ask there.
pub(super) fn answers(project: &mut Project<'_>, path: &Path, line: usize, most: usize) -> Vec<String> {
    let path = project.overlay.shown(path);
    let Ok(text) = project.overlay.read(&path) else { return Vec::new() };
    let name = path.to_string_lossy().replace('\\', "/");
    let whole = Source::new(name.clone(), text.clone());
    let begin = whole.line_span(line).range().start;
    let mut before = text;
    before.truncate(begin);
    let source = match Role::of(&path) {
        Some(Role::Markdown) => {
            before.push_str("```\n");
            scenario::markdown_source(&name, before).0
        }
        Some(Role::Scenario) => Arc::new(Source::new(name, before)),
        _ => return Vec::new(),
    };
    let suite = scenario::plan_text(&mut project.loader, &path, source, Vec::new(), &scenario::Reading::default());
    let Some(last) = suite.tests.iter().enumerate().max_by_key(|(_, test)| test.line).map(|(at, _)| at) else {
        return Vec::new();
    };
    scenario::answers(&mut project.loader, &suite, last, most)
}
