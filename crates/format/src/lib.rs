//! Formats `.game`, `.house` and `.scenario` files, and the scenario blocks of Markdown files: indentation, blank lines, aligned
//! diagrams, tables, titles and comments. What is written stays; only spaces and blank lines change.

mod align;
mod items;
mod squeeze;
mod text;

use std::ops::Range;
use std::sync::Arc;

use referee_diagnostic::{Code, Diagnostic};
use referee_scenario::markdown_source;
use referee_source::{Source, Span, fences};
use referee_syntax::ast::File;
use referee_syntax::{FileKind, parse};

/// The name of a file decides how it is formatted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Plain(FileKind),
    Markdown,
}

/// Returns the formatted text of a file. Its name must end with `.game`, `.house`, `.scenario` or `.md`; another one is formatted
/// as a scenario file.
///
/// # Errors
/// Returns all errors if the file cannot be read as lines; then nothing is to be changed.
pub fn format(name: &str, text: &str) -> Result<String, Vec<Diagnostic>> {
    let form = match name.rsplit('.').next() {
        Some("game") => Form::Plain(FileKind::Game),
        Some("house") => Form::Plain(FileKind::House),
        Some("md") => Form::Markdown,
        _ => Form::Plain(FileKind::Scenario),
    };
    let (kind, source, mut wrong) = match form {
        Form::Plain(kind) => (kind, Arc::new(Source::new(name, text)), Vec::new()),
        Form::Markdown => {
            let (source, wrong) = markdown_source(name, text.to_owned());
            (FileKind::Scenario, source, wrong)
        }
    };
    let (file, mistakes) = parse(&source, kind);
    wrong.extend(mistakes);
    if !wrong.is_empty() {
        return Err(wrong);
    }
    let formatted = match form {
        Form::Plain(_) => whole(&file, kind, text),
        Form::Markdown => blocks(&file, text)?,
    };
    let same = is_same(&file, name, &formatted, form);
    let changed = || vec![Diagnostic::internal(format!("formatting would change what {name} says"))];
    if same { Ok(formatted) } else { Err(changed()) }
}

/// Returns a formatted file of lines.
fn whole(file: &File, kind: FileKind, text: &str) -> String {
    let lines = text::lines(items::items(file, kind, 0..text.len()));
    let mut formatted = lines.join("\n");
    if !formatted.is_empty() {
        formatted.push('\n');
    }
    with_line_ends(formatted, text)
}

/// Returns a Markdown text with formatted scenario blocks.
///
/// # Errors
/// Returns an error for each block whose lines do not begin alike.
fn blocks(file: &File, text: &str) -> Result<String, Vec<Diagnostic>> {
    let mut wrong = Vec::new();
    let mut formatted = String::new();
    let mut end = 0;
    for fence in fences(text).into_iter().filter(referee_scenario::is_scenario_block) {
        let Some(content) = content(text, &fence.content) else {
            let message = "this block cannot be formatted: its lines do not begin alike";
            let head = Span::new(
                fence.range.start
                    ..fence.range.start
                        + text.get(fence.range.clone()).and_then(|block| block.lines().next()).map_or(0, str::len),
            );
            let problem = Diagnostic::new(Code::NotSupported, &file.source, head, message);
            // A block without lines has nothing to format.
            wrong.extend(
                (!fence.content.is_empty()).then(|| problem.help("begin all its lines with the same marks and spaces")),
            );
            continue;
        };
        formatted.push_str(text.get(end..content.range.start).unwrap_or_default());
        let lines = text::lines(items::items(file, FileKind::Scenario, content.range.clone()));
        let mut block = String::new();
        // The lines within an expression still have spaces in place of the marks of a quote.
        let covered = " ".repeat(content.prefix.len());
        for (at, line) in lines.iter().flat_map(|line| line.split('\n').enumerate()) {
            let line = if at == 0 { line } else { line.strip_prefix(&covered).unwrap_or(line) };
            block.push_str(format!("{}{line}", content.prefix).trim_end());
            block.push('\n');
        }
        formatted.push_str(&with_line_ends(block, text));
        end = content.range.end;
    }
    formatted.push_str(text.get(end..).unwrap_or_default());
    if wrong.is_empty() { Ok(formatted) } else { Err(wrong) }
}

/// The content of a block in Markdown.
struct Content<'t> {
    /// Its whole lines.
    range: Range<usize>,
    /// The text before each of them: marks of quotes, spaces of lists.
    prefix: &'t str,
}

/// Returns the content of a block; `None` if it has no lines, or lines with unlike text before them.
fn content<'t>(text: &'t str, parts: &[Range<usize>]) -> Option<Content<'t>> {
    let begin = |at: usize| text.get(..at).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1);
    let start = begin(parts.first()?.start);
    let end = parts.last()?.end;
    let prefix = text.get(start..parts.first()?.start)?;
    let alike = text.get(start..end)?.lines().all(|line| {
        let is_empty = line.trim_end() == prefix.trim_end();
        is_empty || line.starts_with(prefix)
    });
    alike.then_some(Content { range: start..end, prefix })
}

/// Returns a text with the line ends of another: those of its first line.
fn with_line_ends(text: String, like: &str) -> String {
    let windows = like.split_once('\n').is_some_and(|(first, _)| first.ends_with('\r'));
    if windows { text.replace('\n', "\r\n") } else { text }
}

/// Returns whether a formatted file has the same lines as before.
fn is_same(before: &File, name: &str, formatted: &str, form: Form) -> bool {
    let (kind, source) = match form {
        Form::Plain(kind) => (kind, Arc::new(Source::new(name, formatted))),
        Form::Markdown => (FileKind::Scenario, markdown_source(name, formatted.to_owned()).0),
    };
    let (after, mistakes) = parse(&source, kind);
    mistakes.is_empty() && squeeze::content(before) == squeeze::content(&after)
}
