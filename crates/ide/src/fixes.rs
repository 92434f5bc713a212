//! Edits that an editor offers for an error: a suggested word, or the actual value of a failed expectation.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::check::{self, Run};
use super::edit::{Edit, applied, indentation};
use super::overlay::Overlay;
use super::project::Project;
use referee_diagnostic::{Diagnostic, Label, closest, meant, nearest_within};
use referee_scenario::{NOTHING_MORE, Snapshots, accepted_path};
use referee_source::{Host, Source, Span, quoted, unescaped};
use referee_syntax::ast::{Expect, Line, LineKind};
use referee_trace::{Failure, FailureKind};

/// A change that an editor offers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// Its title.
    pub title: String,
    /// The changes.
    pub edits: Vec<Edit>,
}

/// Returns a fix for each word that a message suggests, if the location of that word is certain.
#[must_use]
pub fn suggested(wrong: &Diagnostic) -> Vec<Fix> {
    let Some(label) = wrong.labels.first().filter(|label| label.source.is_file() && !label.source.is_bundled()) else {
        return Vec::new();
    };
    let help = wrong.help.as_deref().unwrap_or_default();
    let fix = |word: String| {
        // A name that needs quotes is suggested in quotes.
        let inner = word.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
        let name = inner.map_or(Cow::Borrowed(word.as_str()), unescaped);
        let span = misspelt(&label.source, label.span, &name)?;
        let is_quoted = label.source.word(span).quoted;
        let text = if is_quoted || inner.is_some() { quoted(&name) } else { word.clone() };
        let edit = Edit { path: PathBuf::from(label.source.name()), span, text };
        Some(Fix { title: format!("Change to `{word}`"), edits: vec![edit] })
    };
    meant(help).into_iter().filter_map(fix).collect()
}

/// Returns the word in a span that a suggestion replaces: the one that is like it, or the whole span. The marks of a
/// fence in Markdown, with which a span may begin, stay. Returns `None` if it could be one of several words.
fn misspelt(source: &Source, span: Span, word: &str) -> Option<Span> {
    // The text of a Markdown file has only its scenario blocks.
    let source = &Arc::new(Source::new(source.name(), source.shown()));
    let marks = source.slice(span).bytes().take_while(|byte| matches!(byte, b'`' | b'~')).count();
    let span = if marks < 3 { span } else { Span { start: span.start + Span::new(0..marks).end, ..span } };
    let is_like = |candidate: &str| nearest_within(candidate, [word], 3).is_some();
    if is_like(source.word(span).text) {
        return Some(span);
    }
    let parts = source.tokens(span);
    let trimmed = parts.iter().map(|part| {
        let text = part.text.trim_end_matches([',', ':', ')', ';']);
        (text, Span { end: part.span.start + Span::new(0..text.len()).end, ..part.span })
    });
    let like = trimmed.filter(|(text, _)| is_like(text)).map(|(_, span)| span).next();
    let whole = || (marks < 3 || parts.len() == 1).then_some(span);
    like.or_else(whole)
}

/// Returns a fix that accepts the actual result at a failing line: the line with the value of the rules. It is offered
/// only if the line then no longer fails.
pub fn accepted(project: &mut Project<'_>, path: &Path, run: &Run, failure: &Failure) -> Option<Fix> {
    if failure.kind == FailureKind::Snapshot {
        return snapshot(project, path, run);
    }
    let opened = project.open(path)?;
    // An error of the rules is in another file.
    let in_file = |label: &&Label| label.source.name() == opened.source.name();
    let label = failure.diagnostic.labels.first().filter(in_file)?;
    let line = opened.lines.as_ref()?.lines.iter().rev().find(|line| line.span.start <= label.span.start)?;
    let (span, text) = reached(&opened.source, line, failure)?;
    let title = match line.kind {
        LineKind::Answer(_) => "Expect that the rules refuse this".to_owned(),
        LineKind::Refuse { because: None, .. } => "Play this answer".to_owned(),
        _ => "Accept what was reached".to_owned(),
    };
    let edit = Edit { path: opened.path.clone(), span, text };
    helps(project, &edit, failure).then(|| Fix { title, edits: vec![edit] })
}

/// Returns the part of a failing line that the value of the rules replaces, with the text for it.
fn reached(source: &Arc<Source>, line: &Line, failure: &Failure) -> Option<(Span, String)> {
    let words = source.slice(line.span);
    let value = failure.actual.as_deref().unwrap_or_default();
    // A diagram or a list of events below the line is replaced with it.
    let with_rows = |first: &str, old: &[Span], sign: char, rows: &[String]| {
        let indent = indentation(source, line.span);
        let rows: String = rows.iter().map(|row| format!("\n{indent}  {sign} {row}")).collect();
        let end = old.last().map_or(line.span.end, |row| row.end);
        Some((Span { end, ..line.span }, format!("{first}{rows}")))
    };
    match &line.kind {
        LineKind::Expect(Expect::Board(old)) => {
            with_rows("expect board", old, '|', &failure.actual_board.as_ref()?.rows_of_a_file())
        }
        LineKind::Expect(Expect::Events { exactly: true, rows: old }) => {
            (failure.more_events == 0).then(|| with_rows(words, old, '>', &failure.events))?
        }
        LineKind::Expect(Expect::Events { exactly: false, rows: old }) => event(source, old, failure),
        LineKind::Expect(Expect::Choices { of, .. }) => {
            let of: String = of.iter().map(|word| format!(" {}", source.slice(*word))).collect();
            Some((line.span, format!("expect choices{of} = {value}")))
        }
        LineKind::Expect(Expect::ChoicesCount { count, .. }) => Some((*count, value.split(':').next()?.to_owned())),
        LineKind::Expect(Expect::Chance { .. }) => chance(source, line.span, value),
        LineKind::Expect(_) => Some((line.span, format!("expect {value}"))),
        LineKind::Refuse { because: Some(because), .. } if value.starts_with("because ") => {
            Some((*because, value.trim_start_matches("because ").to_owned()))
        }
        LineKind::Refuse { answer, .. } => {
            Some((line.span, source.slice(answer.first()?.to(*answer.last()?)).to_owned()))
        }
        LineKind::Answer(_) => Some((line.span, format!("refuse {words}"))),
        _ => None,
    }
}

/// Returns the wrong row of a list of events, with the event that is most like it; the row is dropped if nothing more
/// happened.
fn event(source: &Source, rows: &[Span], failure: &Failure) -> Option<(Span, String)> {
    let wrong = failure.diagnostic.labels.first()?.span;
    let row = *rows.iter().find(|row| (row.start..row.end).contains(&wrong.start))?;
    let happened = failure.actual.as_deref()?;
    if happened == NOTHING_MORE {
        let above = source.line_span(source.line(row.start) - 1).end;
        return (rows.len() > 1).then(|| (Span { start: above, ..row }, String::new()));
    }
    Some((wrong, closest(source.slice(wrong), happened.lines())?.to_owned()))
}

/// Returns the comparison and the number at the end of `expect chance`, with the chance for it.
fn chance(source: &Arc<Source>, line: Span, value: &str) -> Option<(Span, String)> {
    let words = source.tokens(line);
    let sign = words.iter().rposition(|word| matches!(word.text, "=" | "<" | ">" | "<=" | ">="))?;
    let old = words.get(sign)?.span.to(words.get(sign + 1)?.span);
    let is_number = |word: &&str| word.starts_with(|letter: char| letter.is_ascii_digit());
    let new = value.split([' ', ',']).find(is_number)?;
    Some((old, format!("= {new}")))
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
    let Some(label) = failure.diagnostic.labels.first() else { return false };
    let first = label.source.line(edit.span.start);
    let tests = check::tests_at(&mut after, &edit.path, first);
    let runs = check::run(&mut after, &edit.path, &|at, _| tests.contains(&at), &|| true);
    let rows = edit.text.lines().count().max(1);
    let fails = |run: &Run| {
        let lines = run.result.failures.iter().filter_map(|failure| failure.diagnostic.place());
        lines.into_iter().any(|(_, line)| (first..first + rows).contains(&line))
    };
    !runs.is_empty() && !runs.iter().any(fails)
}
