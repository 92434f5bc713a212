//! Messages for invalid YAML, from the parser's error types.

use std::sync::Arc;

use serde_yaml::granit_parser::ErrorKind;
use serde_yaml::{Error, ExternalMessageSource, MessageFormatter, UserMessageFormatter};

use referee_diagnostic::{Code, Diagnostic};
use referee_source::{Source, Span};

/// Returns the error for a text that the parser cannot read.
pub(super) fn unreadable(source: &Arc<Source>, error: &Error) -> Diagnostic {
    // The location of the name after `*`, not of its expansion.
    let at = error.location().map_or(0, |location| {
        let (line, column) = (usize::try_from(location.line()), usize::try_from(location.column()));
        source.offset(line.unwrap_or(1).max(1), column.unwrap_or(1).max(1))
    });
    let line = source.line_span(source.line(at));
    let start = at.min(line.end);
    let error = innermost(error);
    if let Error::DuplicateMappingKey { key: Some(key), .. } = error {
        let named = source.slice(Span { start, end: line.end }).starts_with(key.as_str());
        let span = if named {
            Span { start, end: start + Span::new(0..key.len()).end }
        } else {
            Span { start, end: line.end }
        };
        let wrong = Diagnostic::new(Code::WrongYaml, source, span, format!("the key `{key}` is written twice"));
        return wrong.help("remove one of the two");
    }
    let quotes = match kind(error) {
        Some(ErrorKind::MappingValueNotAllowed) => unquoted(source, line, start),
        Some(kind) if is_of_quotes(kind) => unclosed(source, start),
        _ => None,
    };
    if let Some(wrong) = quotes {
        return wrong;
    }
    let opens = source.slice(Span { start: line.start, end: start }).trim().is_empty();
    let (message, help) = in_words(error, opens);
    let wrong =
        Diagnostic::new(Code::WrongYaml, source, Span { start, end: line.end }, format!("invalid YAML: {message}"));
    wrong.help(help)
}

/// Returns the error itself, without the text that it quotes and the `*` that led to it.
fn innermost(error: &Error) -> &Error {
    match error {
        Error::WithSnippet { error, .. } | Error::AliasError { error, .. } => innermost(error),
        error => error,
    }
}

/// Returns the kind of an error that the parser found; `None` for those that come from the values.
fn kind(error: &Error) -> Option<&ErrorKind> {
    match error {
        Error::ExternalMessage { source, .. } => match source.as_ref() {
            ExternalMessageSource::Parser(error) => Some(error.kind()),
            _ => None,
        },
        _ => None,
    }
}

/// Whether a quote that is not closed may be the reason for an error of this kind.
const fn is_of_quotes(kind: &ErrorKind) -> bool {
    matches!(
        kind,
        ErrorKind::UnclosedQuotedScalar
            | ErrorKind::DocumentIndicatorInQuotedScalar
            | ErrorKind::InvalidQuotedScalarIndent
            | ErrorKind::InvalidTrailingSingleQuotedScalar
            | ErrorKind::InvalidTrailingDoubleQuotedScalar
            | ErrorKind::UnknownQuotedScalarEscape
            | ErrorKind::InvalidQuotedScalarHexEscape
            | ErrorKind::InvalidLowSurrogateHexEscape
            | ErrorKind::InvalidLowSurrogate
            | ErrorKind::MissingLowSurrogate
            | ErrorKind::UnpairedLowSurrogate
            | ErrorKind::InvalidUnicodeEscape
    )
}

/// Returns the error for a text with a colon and without quotes, if this is why `line` cannot be read from `at` on.
fn unquoted(source: &Arc<Source>, line: Span, at: u32) -> Option<Diagnostic> {
    let before = source.slice(Span { start: line.start, end: at });
    let (key, value) = before.split_once(": ")?;
    let skipped = key.len() + 2 + value.len() - value.trim_start().len();
    let start = line.start + Span::new(0..skipped).end;
    let text = source.slice(Span { start, end: line.end }).trim_end();
    if value.trim().is_empty() || text.starts_with(['"', '\'', '{', '[']) {
        return None;
    }
    let span = Span { start, end: start + Span::new(0..text.len()).end };
    let wrong = Diagnostic::new(Code::WrongYaml, source, span, "invalid YAML: a value with a colon needs quotes");
    let quoted = text.replace('\\', "\\\\").replace('"', "\\\"");
    Some(wrong.help(format!("write `{}: \"{quoted}\"`", key.trim_start_matches([' ', '-']))))
}

/// Returns the error for the last quote up to `at` that its line does not close.
fn unclosed(source: &Arc<Source>, at: u32) -> Option<Diagnostic> {
    let above = (1..=source.line(at)).rev().map(|line| source.line_span(line));
    let (line, (skipped, quote)) = above.into_iter().find_map(|line| Some((line, open_quote(source.slice(line))?)))?;
    let start = line.start + Span::new(0..skipped).end;
    let text = source.slice(Span { start, end: line.end }).trim_end();
    let span = Span { start, end: start + Span::new(0..text.len()).end };
    let wrong = Diagnostic::new(Code::WrongYaml, source, span, "invalid YAML: this quote is not closed");
    Some(wrong.help(format!("write `{text}{quote}`")))
}

/// Returns the offset in a line of a quote that the line does not close, and the quote.
fn open_quote(line: &str) -> Option<(usize, char)> {
    let mut open: Option<(usize, char)> = None;
    let mut before = ' ';
    for (at, char) in line.char_indices() {
        match open {
            Some((_, quote)) if char == quote && (quote == '\'' || before != '\\') => open = None,
            None if matches!(char, '"' | '\'') && matches!(before, ' ' | '[' | '{' | ',') => open = Some((at, char)),
            None if char == '#' && before == ' ' => break,
            _ => {}
        }
        before = char;
    }
    open
}

/// Returns a message and a help for an error. `opens` is whether the error is at the beginning of its line.
fn in_words(error: &Error, opens: bool) -> (String, &'static str) {
    let plain = |message: &str, help: &'static str| (message.to_owned(), help);
    match error {
        Error::MultipleDocuments { .. } => {
            plain("a second document begins here", "remove the line `---`: a data file is one document")
        }
        Error::UnknownAnchor { .. } => {
            plain("unknown name after `*`", "write the value itself, in quotes if it begins with `*`")
        }
        Error::InvalidScalar { .. } | Error::UnsupportedTag { .. } => {
            plain("this value does not match the tag before it", "remove the word with `!`")
        }
        Error::Budget { .. }
        | Error::AliasReplayLimitExceeded { .. }
        | Error::AliasExpansionLimitExceeded { .. }
        | Error::RecursiveReferencesRequireWeakTypes { .. } => {
            plain("this expands to too many values", "write the values themselves instead of `*` and a name")
        }
        _ => match kind(error).and_then(|kind| of_the_parser(kind, opens)) {
            Some((message, help)) => plain(message, help),
            None => {
                let text = UserMessageFormatter.format_message(error);
                let text = text.trim_end_matches([',', ':', '.', ' ']);
                plain(text, "close each `{` and `[`, and put strings with such a character in quotes")
            }
        },
    }
}

/// Returns a message and a help for an error of the parser; `None` if the parser's own message is plain enough.
const fn of_the_parser(kind: &ErrorKind, opens: bool) -> Option<(&'static str, &'static str)> {
    Some(match kind {
        ErrorKind::MappingValueNotAllowed => {
            ("a key with a value is not allowed here", "add a colon after the key above, or indent this line less")
        }
        ErrorKind::TabNotAllowed | ErrorKind::TabInBlockIndentation | ErrorKind::TabInIndentation => {
            ("a line is indented with a tab", "indent lines with spaces")
        }
        ErrorKind::SimpleKeyExpected => ("a colon is missing after this", "write a key and its value as `KEY: VALUE`"),
        ErrorKind::ExpectedNodeContent
        | ErrorKind::ExpectedBlockMappingKey
        | ErrorKind::ExpectedBlockSequenceEntry
        | ErrorKind::ExpectedFlowMappingSeparator
        | ErrorKind::ExpectedFlowSequenceSeparator
        | ErrorKind::ExpectedDocumentStart => match opens {
            true => (
                "unexpected indentation",
                "indent all items of a list, and all keys of an item, by the same number of spaces; begin an item with \
                 `-`",
            ),
            false => (
                "unexpected text after an entry",
                "write a comma between entries in brackets; outside of brackets write each item on its own line",
            ),
        },
        _ => return None,
    })
}
