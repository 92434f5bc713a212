//! Renders diagnostics as text for a terminal or a log. The only module that uses miette.

use std::fmt;

use miette::{
    GraphicalReportHandler, GraphicalTheme, LabeledSpan, MietteError, MietteSpanContents, Severity, SourceCode,
    SourceSpan, SpanContents,
};

use textwrap::{WordSeparator, WordSplitter};

use super::escape::{one_line, printable};
use super::{Diagnostic, Label};
use referee_source::{Source, Span};

/// The width at which messages are wrapped, in columns. It is fixed so that an error looks the same everywhere.
const WIDTH: usize = 100;
/// Labels more than this many lines apart get excerpts of their own.
const NEAR: usize = 12;
/// The maximum number of bytes shown of a line.
const LONG: usize = 240;

/// Renders diagnostics.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Renderer {
    /// Whether to use colour.
    pub colour: bool,
}

impl Renderer {
    /// Returns the diagnostic as text with its excerpts, help and trace; the text ends with a line end.
    #[must_use]
    pub fn render(&self, diagnostic: &Diagnostic) -> String {
        self.rendered(diagnostic, Report::new(diagnostic))
    }

    /// Returns a diagnostic that is no error as text, in the same way.
    #[must_use]
    pub fn render_note(&self, diagnostic: &Diagnostic) -> String {
        self.rendered(diagnostic, Report { severity: Severity::Advice, ..Report::new(diagnostic) })
    }

    fn rendered(&self, diagnostic: &Diagnostic, report: Report) -> String {
        let theme = if self.colour { GraphicalTheme::unicode() } else { GraphicalTheme::unicode_nocolor() };
        // A name with a hyphen is one word.
        let handler = GraphicalReportHandler::new_themed(theme)
            .with_width(WIDTH)
            .with_word_separator(WordSeparator::AsciiSpace)
            .with_word_splitter(WordSplitter::NoHyphenation)
            .with_links(false)
            .with_context_lines(1);
        let mut text = String::new();
        if handler.render_report(&mut text, &report).is_err() {
            text = format!("{}\n", one_line(&diagnostic.message));
        }
        for call in &diagnostic.trace {
            let at = call.source.position(call.span.start);
            let line = call.source.slice(call.source.line_span(at.line)).trim();
            let shown = printable(line.get(..line.floor_char_boundary(LONG.min(line.len()))).unwrap_or_default());
            text.push_str(&format!(
                "  {} ({}:{}:{}): {shown}\n",
                one_line(&call.text),
                one_line(call.source.name()),
                at.line,
                at.column
            ));
        }
        let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
        format!("{}\n", lines.join("\n").trim_matches('\n'))
    }
}

/// A few lines of a source.
#[derive(Debug)]
struct Excerpt {
    name: String,
    text: String,
    /// The number of the first line, counted from 0.
    line: usize,
    /// The index of the first byte of the excerpt in the source.
    start: usize,
}

impl Excerpt {
    /// Returns the lines from `first` to `last` with one more line on each side. If one of them is too long, returns
    /// only the part around `first`.
    fn new(source: &Source, first: Span, last: Span) -> Self {
        let (top, bottom) = (source.line(first.start), source.line(last.end.max(last.start)));
        let longest = (top..=bottom).map(|line| source.line_span(line).range().len()).max().unwrap_or(0);
        if longest > LONG {
            return Self::cut(source, first, top);
        }
        let (top, bottom) = (top.saturating_sub(1).max(1), bottom + 1);
        let start = source.line_span(top).start;
        let mut end = source.line_span(bottom).end;
        if source.line_span(bottom).range().len() > LONG {
            end = source.line_span(bottom - 1).end;
        }
        let above_is_long = source.line_span(top).range().len() > LONG;
        let (top, start) = if above_is_long { (top + 1, source.line_span(top + 1).start) } else { (top, start) };
        let text = printable(source.shown().get(Span { start, end: end.max(start) }.range()).unwrap_or_default());
        Self { name: one_line(source.name()), text, line: top - 1, start: start as usize }
    }

    fn cut(source: &Source, at: Span, line: usize) -> Self {
        let whole = source.line_span(line);
        let text = source.shown();
        let from = text.floor_char_boundary((at.start as usize).saturating_sub(LONG / 3).max(whole.start as usize));
        let to = text.floor_char_boundary((from + LONG).min(whole.end as usize));
        let shown = printable(text.get(from..to).unwrap_or_default());
        Self { name: one_line(source.name()), text: shown, line: line - 1, start: from }
    }

    fn label(&self, label: &Label) -> LabeledSpan {
        let range = label.span.range();
        let start = range.start.saturating_sub(self.start).min(self.text.len());
        let end = range.end.saturating_sub(self.start).clamp(start, self.text.len());
        // miette draws a label over several lines as a block; underlining its first line is enough.
        let first_line = self.text.get(start..end).and_then(|text| text.find('\n')).unwrap_or(end - start);
        let text = (!label.text.is_empty()).then(|| one_line(&label.text));
        LabeledSpan::new_primary_with_span(text, (start, first_line))
    }
}

impl SourceCode for Excerpt {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        before: usize,
        after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let inner = self.text.as_str().read_span(span, before, after)?;
        let (line, column, count) = (inner.line() + self.line, inner.column(), inner.line_count());
        Ok(Box::new(MietteSpanContents::new_named(self.name.clone(), inner.data(), *inner.span(), line, column, count)))
    }
}

/// A diagnostic in the form miette needs: one excerpt, its labels, and notes for locations elsewhere.
#[derive(Debug)]
struct Report {
    code: Option<String>,
    message: String,
    help: Option<String>,
    excerpt: Option<Excerpt>,
    labels: Vec<LabeledSpan>,
    notes: Vec<Report>,
    severity: Severity,
}

impl Report {
    fn new(diagnostic: &Diagnostic) -> Self {
        let mut report = Self {
            code: Some(format!("referee::{}", diagnostic.code)),
            message: one_line(&diagnostic.message),
            help: diagnostic.shown_help().as_deref().map(printable),
            excerpt: None,
            labels: Vec::new(),
            notes: Vec::new(),
            severity: Severity::Error,
        };
        let Some((first, others)) = diagnostic.labels.split_first() else { return report };
        let line = |label: &Label| label.source.line(label.span.start);
        let near = |label: &&Label| label.source == first.source && line(label).abs_diff(line(first)) <= NEAR;
        let (together, apart): (Vec<&Label>, Vec<&Label>) = others.iter().partition(|label| near(label));
        let top = together.iter().map(|label| label.span).chain([first.span]).min().unwrap_or(first.span);
        let bottom = together.iter().map(|label| label.span).chain([first.span]).max().unwrap_or(first.span);
        let excerpt = Excerpt::new(&first.source, top, Span { start: bottom.start, end: bottom.start });
        report.labels = std::iter::once(first).chain(together).map(|label| excerpt.label(label)).collect();
        report.excerpt = Some(excerpt);
        report.notes = apart.into_iter().map(Self::note).collect();
        report
    }

    fn note(label: &Label) -> Self {
        let start = Span { start: label.span.start, end: label.span.start };
        let excerpt = Excerpt::new(&label.source, start, start);
        let unlabelled = Label { text: String::new(), ..label.clone() };
        let message = if label.text.is_empty() { "here".to_owned() } else { one_line(&label.text) };
        Self {
            code: None,
            message,
            help: None,
            labels: vec![excerpt.label(&unlabelled)],
            excerpt: Some(excerpt),
            notes: Vec::new(),
            severity: Severity::Advice,
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.message)
    }
}

impl std::error::Error for Report {}

impl miette::Diagnostic for Report {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.code.as_ref().map(|code| Box::new(code) as Box<dyn fmt::Display>)
    }

    fn severity(&self) -> Option<Severity> {
        Some(self.severity)
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.help.as_ref().map(|help| Box::new(help) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.excerpt.as_ref().map(|excerpt| excerpt as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        (!self.labels.is_empty())
            .then(|| Box::new(self.labels.iter().cloned()) as Box<dyn Iterator<Item = LabeledSpan>>)
    }

    fn related<'a>(&'a self) -> Option<Box<dyn Iterator<Item = &'a dyn miette::Diagnostic> + 'a>> {
        (!self.notes.is_empty()).then(|| {
            Box::new(self.notes.iter().map(|note| note as &dyn miette::Diagnostic))
                as Box<dyn Iterator<Item = &dyn miette::Diagnostic>>
        })
    }
}
