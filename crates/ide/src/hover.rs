//! Descriptions of words: names of the game, functions of the API, keywords, cells.

use std::path::Path;

use super::known::Known;
use super::names::{Definition, NameKind};
use super::project::{Opened, Project, Role};
use referee_rules::Meaning;
use referee_source::{Source, Span};
use referee_syntax::ast::{File, LineKind};
use referee_syntax::{FileKind, form_of};

/// The most values of a column that are shown.
const MAX_VALUES: usize = 12;

/// A text about a place in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hover {
    /// The place.
    pub span: Span,
    /// The text, in Markdown.
    pub text: String,
}

/// Returns the description of the word at a byte.
pub fn hover(project: &mut Project<'_>, path: &Path, at: u32) -> Option<Hover> {
    project.refresh();
    let opened = project.open(path)?;
    let in_rules = opened.in_rules_at(at);
    let about = in_rules.and_then(|(name, known)| known?.scripts_of(opened.source.name()).about(name));
    if let Some(mention) = opened.at(at) {
        let text = match mention.key.kind {
            NameKind::Position => Some(format!("position \"{}\"", mention.key.name)),
            NameKind::Variable => about,
            _ => {
                let known = opened.game_of(mention);
                known.and_then(|known| described(known, mention, about.as_deref()))
            }
        };
        return text.map(|text| Hover { span: mention.span, text });
    }
    if let Some((name, _)) = in_rules {
        let text = match name.meaning {
            Meaning::Native => native(&name.name),
            Meaning::Column => column(&opened, name.span),
            _ => about,
        };
        return text.map(|text| Hover { span: name.span, text });
    }
    let span = word_at(&opened.source, at)?;
    let text = match opened.role {
        Role::Game => keyword(&opened.source, span, FileKind::Game),
        Role::House => keyword(&opened.source, span, FileKind::House),
        Role::Scenario | Role::Markdown => keyword(&opened.source, span, FileKind::Scenario)
            .or_else(|| cell(&opened, span))
            .or_else(|| in_braces(&opened.source, span).then(|| column(&opened, span)).flatten()),
        Role::Script | Role::Data => None,
    };
    text.map(|text| Hover { span, text })
}

/// Returns a name in words, with its declaration; that of a function with its signature, if it is known.
fn described(known: &Known, mention: &super::mentions::Mention, about: Option<&str>) -> Option<String> {
    let found: Vec<&Definition> = known.names.of_key(&mention.key).collect();
    let first = found.first()?;
    let word = match first.key.kind {
        NameKind::Printed => "printed on cards",
        kind => kind.words(),
    };
    let mut text = format!("**{word}** {}", first.key.name);
    if !first.key.of.is_empty() && !matches!(first.key.kind, NameKind::Function | NameKind::Constant) {
        text.push_str(&format!(" of `{}`", first.key.of));
    }
    let declared = first.source.slice(first.whole).trim();
    match first.key.kind {
        NameKind::Function | NameKind::Constant => {
            let head = declared.lines().next().unwrap_or_default().trim_end_matches('{').trim_end();
            let written = format!("```rhai\n{head}\n```");
            let signature = about.filter(|_| first.key.kind == NameKind::Function);
            text.push_str(&format!("\n{}", signature.unwrap_or(&written)));
        }
        NameKind::House | NameKind::Clause => {}
        NameKind::Card | NameKind::Printed if !declared.is_empty() => {
            text.push_str(&format!("\n```yaml\n{declared}\n```"));
        }
        _ if !declared.is_empty() => text.push_str(&format!("\n```referee\n{declared}\n```")),
        _ => {}
    }
    for definition in &found {
        if !definition.about.is_empty() {
            text.push_str(&format!("\n\n{}", definition.about));
        }
        if found.len() > 1 {
            text.push_str(&format!("\n\n*{}*", definition.source.name()));
        }
    }
    if let Some(comment) = comment_beside(&known.files.declared, first) {
        text.push_str(&format!("\n\n{comment}"));
    }
    Some(text)
}

/// Returns the comment at the end of the line of a game file that declares a name.
fn comment_beside<'f>(file: &'f File, definition: &Definition) -> Option<&'f str> {
    let (source, end) = (&file.source, definition.whole.end);
    let is_beside = |span: &&Span| span.start >= end && source.line(span.start) == source.line(end);
    let comment = file.trivia.comments.iter().find(is_beside)?;
    let is_here = definition.source.name() == source.name();
    is_here.then(|| source.slice(*comment).trim_start_matches('#').trim())
}

/// Returns the description of a function of the API.
fn native(word: &str) -> Option<String> {
    let forms = referee_rules::described(word);
    let shown = forms.iter().map(|form| {
        let example = form.example();
        let (form, about) = (form.written(), form.doc());
        format!("```rhai\n{form}\n```\n{about}\n\n`{}` → `{}`", example.code, example.gives)
    });
    (!forms.is_empty()).then(|| shown.collect::<Vec<_>>().join("\n\n"))
}

/// Returns the form of the line that a keyword begins.
fn keyword(source: &Source, span: Span, kind: FileKind) -> Option<String> {
    let line = source.line_span(source.line(span.start));
    let before = source.slice(Span { end: span.start, ..line }).trim();
    let word = source.slice(span);
    let form = match before {
        "" => form_of(word, kind, false),
        "expect" => form_of(word, kind, true),
        _ => None,
    }?;
    Some(format!("```referee\n{form}\n```"))
}

/// Returns the board that has a cell.
fn cell(opened: &Opened, span: Span) -> Option<String> {
    let known = opened.game_at(span.start)?;
    let word = opened.source.slice(span);
    let lines = &known.files.declared.lines;
    let board = lines.iter().find(|line| matches!(line.kind, LineKind::Board { .. }))?;
    let letters = word.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let is_cell =
        letters.len() < word.len() && letters.len() <= 2 && letters.bytes().all(|byte| byte.is_ascii_lowercase());
    is_cell.then(|| {
        let declared = known.files.declared.source.slice(board.span);
        format!("**cell** {word}\n```referee\n{declared}\n```")
    })
}

/// Returns the column of the scenario's table that a placeholder or a variable names, with its values.
fn column(opened: &Opened, span: Span) -> Option<String> {
    let source = &opened.source;
    let word = source.slice(span);
    let lines = &opened.lines.as_ref()?.lines;
    let own = lines.iter().skip_while(|line| line.span.end < span.start);
    let rows =
        own.take_while(|line| !matches!(line.kind, LineKind::Scenario(_))).find_map(|line| match &line.kind {
            LineKind::Examples(rows) => Some(rows),
            _ => None,
        })?;
    let cells = |row: Span| -> Vec<&str> { source.slice(row).split('|').map(str::trim).collect() };
    let (head, rest) = rows.split_first()?;
    let place = cells(*head).iter().position(|name| *name == word)?;
    let values: Vec<String> =
        rest.iter().filter_map(|row| Some(format!("`{}`", cells(*row).get(place)?))).take(MAX_VALUES).collect();
    let more = if rest.len() > values.len() { " …" } else { "" };
    Some(format!("**column** {word}\n\n{}{more}", values.join(", ")))
}

/// Returns whether a place is after an opening brace on its line.
fn in_braces(source: &Source, span: Span) -> bool {
    let line = source.line_span(source.line(span.start));
    source.slice(Span { end: span.start, ..line }).contains('{')
}

/// Returns the word at a byte.
pub(super) fn word_at(source: &Source, at: u32) -> Option<Span> {
    let text = source.text();
    let at = at as usize;
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    let before = text.get(..at)?;
    let after = text.get(at..)?;
    let start = before.trim_end_matches(is_part).len();
    let end = at + (after.len() - after.trim_start_matches(is_part).len());
    (start < end).then(|| Span::new(start..end))
}
