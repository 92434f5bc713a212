//! Between files and bytes on our side, and URIs, lines and columns on the protocol's.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use lsp_types::{
    DiagnosticRelatedInformation, DiagnosticSeverity, Location, NumberOrString, Position, PositionEncodingKind, Range,
    Uri,
};

use referee_diagnostic::{Diagnostic, Label};
use referee_ide::Overlay;
use referee_source::{Source, Span};
use referee_trace::Failure;

/// How columns are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    Utf8,
    Utf16,
}

impl Encoding {
    /// Returns UTF-8 if the client supports it, otherwise UTF-16, which every client supports.
    pub(super) fn of(offered: Option<&[PositionEncodingKind]>) -> Self {
        let bytes = offered.is_some_and(|kinds| kinds.contains(&PositionEncodingKind::UTF8));
        if bytes { Self::Utf8 } else { Self::Utf16 }
    }

    pub(super) const fn kind(self) -> PositionEncodingKind {
        match self {
            Self::Utf8 => PositionEncodingKind::UTF8,
            Self::Utf16 => PositionEncodingKind::UTF16,
        }
    }

    pub(super) fn length(self, text: &str) -> u32 {
        let units = match self {
            Self::Utf8 => text.len(),
            Self::Utf16 => text.encode_utf16().count(),
        };
        u32::try_from(units).unwrap_or(u32::MAX)
    }

    /// Returns the position of a byte of a text.
    pub(super) fn position(self, source: &Source, at: u32) -> Position {
        let line = source.line(at);
        let start = source.line_span(line).start as usize;
        let before = source.shown().get(start..at as usize).unwrap_or_default();
        Position { line: u32::try_from(line.saturating_sub(1)).unwrap_or(u32::MAX), character: self.length(before) }
    }

    pub(super) fn range(self, source: &Source, span: Span) -> Range {
        Range { start: self.position(source, span.start), end: self.position(source, span.end) }
    }

    /// Returns the byte at a position; the end of the line or of the text, if the position is beyond it.
    pub(super) fn offset(self, source: &Source, position: Position) -> u32 {
        let start = source.line_span(position.line as usize + 1).start;
        let rest = source.shown().get(start as usize..).unwrap_or_default();
        let line = rest.split(['\n', '\r']).next().unwrap_or_default();
        let mut units = 0;
        let mut bytes = 0;
        for letter in line.chars() {
            if units >= position.character {
                break;
            }
            units += self.length(letter.encode_utf8(&mut [0; 4]));
            bytes += letter.len_utf8();
        }
        start + Span::new(0..bytes).end
    }
}

/// Returns the path of a file URI; `None` for any other.
pub(super) fn path_of(uri: &Uri) -> Option<PathBuf> {
    let is_file = uri.scheme().is_some_and(|scheme| scheme.eq_lowercase("file"));
    let path = uri.path().as_estr().decode().into_string().ok()?;
    // `/C:/…` on Windows.
    let drive = path.as_bytes().get(2) == Some(&b':') && cfg!(windows);
    let path = if drive { path.get(1..)?.to_owned() } else { path.into_owned() };
    is_file.then(|| PathBuf::from(path))
}

/// Returns the URI of a file.
pub(super) fn uri_of(path: &Path) -> Option<Uri> {
    let mut uri = String::from("file://");
    let text = path.to_string_lossy().replace('\\', "/");
    if !text.starts_with('/') {
        uri.push('/');
    }
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => uri.push(char::from(byte)),
            other => uri.push_str(&format!("%{other:02X}")),
        }
    }
    Uri::from_str(&uri).ok()
}

/// Returns the location of a label; `None` if it is in no file of the host.
pub(super) fn location(encoding: Encoding, overlay: &Overlay<'_>, label: &Label) -> Option<Location> {
    if !label.source.is_file() || label.source.is_bundled() {
        return None;
    }
    let uri = uri_of(&overlay.absolute(Path::new(label.source.name())))?;
    Some(Location { uri, range: encoding.range(&label.source, label.span) })
}

/// A diagnostic of the protocol, and the file that it belongs to; `None` if it has no location in a file.
pub(super) type Placed = (Option<Uri>, lsp_types::Diagnostic);

/// Returns a diagnostic for the protocol.
pub(super) fn diagnostic(encoding: Encoding, overlay: &Overlay<'_>, wrong: &Diagnostic) -> Placed {
    let first = wrong.labels.first();
    let place = first.and_then(|label| location(encoding, overlay, label));
    let mut message = wrong.message.clone();
    if let Some(label) = first.filter(|label| !label.text.is_empty()) {
        message.push_str(&format!("\n{}", label.text));
    }
    if let (None, Some(label)) = (&place, first) {
        message.push_str(&format!("\nin {}:{}", label.source.name(), label.source.line(label.span.start)));
    }
    if let Some(help) = wrong.shown_help() {
        message.push_str(&format!("\nhelp: {help}"));
    }
    let others = wrong.labels.iter().skip(1).chain(&wrong.trace);
    let related = others.filter_map(|label| {
        let location = location(encoding, overlay, label)?;
        Some(DiagnosticRelatedInformation { location, message: label.text.clone() })
    });
    let related: Vec<DiagnosticRelatedInformation> = related.collect();
    let found = lsp_types::Diagnostic {
        range: place.as_ref().map(|place| place.range).unwrap_or_default(),
        severity: Some(DiagnosticSeverity::ERROR),
        code: Some(NumberOrString::String(wrong.code.to_string())),
        source: Some("referee".to_owned()),
        message,
        related_information: (!related.is_empty()).then_some(related),
        ..lsp_types::Diagnostic::default()
    };
    (place.map(|place| place.uri), found)
}

/// Returns a note for the protocol: no error, but something to know.
pub(super) fn note(encoding: Encoding, overlay: &Overlay<'_>, about: &Diagnostic) -> Placed {
    let (uri, mut found) = diagnostic(encoding, overlay, about);
    found.severity = Some(DiagnosticSeverity::INFORMATION);
    (uri, found)
}

/// Returns a failure for the protocol, with the expected and the actual result.
pub(super) fn failure(encoding: Encoding, overlay: &Overlay<'_>, title: &str, failure: &Failure) -> Placed {
    let (uri, mut found) = diagnostic(encoding, overlay, &failure.diagnostic);
    match (&failure.actual_board, &failure.expected, &failure.actual) {
        (Some(_), Some(expected), Some(actual)) if expected.contains('\n') || actual.contains('\n') => {}
        (_, Some(expected), Some(actual)) => {
            found.message.push_str(&format!("\nexpected: {expected}\nreached: {actual}"));
        }
        _ => {}
    }
    if let Some(board) = &failure.actual_board {
        found.message.push_str(&format!("\nthe board:\n{}", board.plain().join("\n")));
    }
    if let Some(asking) = &failure.asking {
        found.message.push_str(&format!("\nthe rules ask: {}", asking.text));
    }
    if let Some(ended) = &failure.ended {
        found.message.push_str(&format!("\nthe game is over: {ended}"));
    }
    found.message.push_str(&format!("\nin \"{title}\""));
    (uri, found)
}
