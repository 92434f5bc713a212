//! Shared by all resolvers of lines: reads the words of a line, fills placeholders and collects errors.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use referee_diagnostic::{Code, Diagnostic, MAX_PROBLEMS, one_of};
use referee_game::Lines;
use referee_source::{Source, Span, Word};
use referee_syntax::in_one_expression;
use referee_table::{Names, Phrase, Table};

/// The most bytes that the placeholders of a test may be filled with.
const MAX_FILLED: usize = 1 << 18;

/// The columns of a table.
#[derive(Debug, Default)]
pub(crate) struct Columns<'f> {
    pub(crate) names: Vec<&'f str>,
    places: BTreeMap<&'f str, usize>,
}

impl<'f> Columns<'f> {
    pub(crate) fn new(names: Vec<&'f str>) -> Self {
        let mut places = BTreeMap::new();
        names.iter().enumerate().for_each(|(at, name)| {
            places.entry(*name).or_insert(at);
        });
        Self { names, places }
    }
}

/// The values of a table's row by the names of its columns.
#[derive(Clone, Debug, Default)]
pub(crate) struct Row<'f> {
    pub(crate) number: usize,
    pub(crate) span: Span,
    /// For each column its name, the cell, and the words in the cell.
    pub(crate) values: Vec<(&'f str, Span, Vec<Span>)>,
    pub(crate) columns: Rc<Columns<'f>>,
}

impl Row<'_> {
    /// Returns the cell of a column, and its words.
    pub(crate) fn cell(&self, column: &str) -> Option<(Span, &[Span])> {
        let (_, cell, words) = self.values.get(*self.columns.places.get(column)?)?;
        Some((*cell, words))
    }

    /// Returns each placeholder with its cell of the table, as they are written.
    pub(crate) fn written(&self, source: &Source) -> impl Iterator<Item = (String, String)> {
        self.values.iter().map(|(name, cell, _)| (format!("{{{name}}}"), source.slice(*cell).trim().to_owned()))
    }

    /// Returns the first word of the value for the placeholder at `span`.
    pub(crate) fn value(&self, source: &Arc<Source>, span: Span) -> Option<Span> {
        let word = source.word(span);
        let name = word.placeholder()?;
        self.cell(name)?.1.first().copied()
    }
}

/// The reader of the lines of one scenario.
pub(crate) struct Resolver<'f> {
    pub(crate) source: &'f Arc<Source>,
    pub(crate) row: Option<Row<'f>>,
    pub(crate) wrong: Vec<Diagnostic>,
    /// Whether the rows that fill the placeholders are unknown, so that a placeholder cannot be wrong.
    without_rows: bool,
    /// The line of a placeholder without a value, if nothing was recorded since. It causes all other errors of its line.
    unfilled: Option<usize>,
    /// The number of bytes that placeholders may still be filled with.
    room: usize,
}

impl<'f> Resolver<'f> {
    pub(crate) const fn new(source: &'f Arc<Source>, row: Option<Row<'f>>) -> Self {
        Self { source, row, wrong: Vec::new(), without_rows: false, unfilled: None, room: MAX_FILLED }
    }

    /// Returns the resolver for lines whose placeholders cannot be checked.
    pub(crate) fn without_rows(source: &'f Arc<Source>) -> Self {
        Self { without_rows: true, ..Self::new(source, None) }
    }

    /// Returns whether there are so many errors that the rest of the lines is not read.
    pub(crate) fn is_full(&self) -> bool {
        self.wrong.len() >= MAX_PROBLEMS || self.room == 0
    }

    /// Records an error.
    pub(crate) fn report(&mut self, diagnostic: Diagnostic) {
        let first = diagnostic.labels.first().filter(|label| Arc::ptr_eq(&label.source, self.source));
        let line = first.map(|label| self.source.line(label.span.start));
        if !self.is_full() && (self.unfilled.is_none() || self.unfilled != line) {
            self.unfilled = None;
            self.wrong.push(diagnostic.with_strange_character());
        }
    }

    /// Records errors that were found elsewhere.
    pub(crate) fn report_all(&mut self, wrong: Vec<Diagnostic>) {
        self.unfilled = None;
        let room = MAX_PROBLEMS.saturating_sub(self.wrong.len());
        self.wrong.extend(wrong.into_iter().take(room));
    }

    /// Records that the placeholder at `span` has no value.
    fn report_unfilled(&mut self, span: Span, message: impl Into<String>, help: impl Into<String>) {
        self.unfilled = Some(self.source.line(span.start));
        if !self.without_rows && !self.is_full() {
            self.wrong.push(Diagnostic::new(Code::UnknownPlaceholder, self.source, span, message).help(help));
        }
    }

    /// Records the error for words that cannot be read, and returns `None`.
    pub(crate) fn misread<T>(&mut self, misread: Diagnostic) -> Option<T> {
        self.report(misread);
        None
    }

    /// Returns the value of a result; records its error.
    pub(crate) fn get<T>(&mut self, result: Result<T, Diagnostic>) -> Option<T> {
        result.map_or_else(|misread| self.misread(misread), Some)
    }

    /// Returns `read` if no word is left; records the error for one that is.
    pub(crate) fn finish<T>(&mut self, words: Phrase<'_>, read: T) -> Option<T> {
        self.get(words.finished())?;
        Some(read)
    }

    /// Returns all of these words, for readers; `line` is the location of an error about missing words if there are none.
    pub(crate) fn phrase<'w>(&self, words: &'w [Word<'w>], line: Span) -> Phrase<'w>
    where
        'f: 'w,
    {
        Phrase::new(self.source, words, line)
    }

    /// Returns the words of a line. The words of the row's value replace a placeholder `{name}`; their spans are in the
    /// row.
    pub(crate) fn words(&mut self, spans: &[Span]) -> Vec<Word<'f>> {
        let mut words = Vec::with_capacity(spans.len());
        for span in spans {
            let word = self.source.word(*span);
            match word.placeholder() {
                None if word.quoted && self.names_column(word.text) => {
                    let wrong = Diagnostic::new(
                        Code::BadPlaceholder,
                        self.source,
                        *span,
                        "a placeholder is not filled inside quotes",
                    );
                    self.report(wrong.help(
                        "write the placeholder without quotes, and the quotes in the table; if the text has these \
                         characters itself, give the column another name",
                    ));
                }
                None if !word.quoted && word.text.split('"').step_by(2).any(|text| text.contains('{')) => {
                    let wrong = Diagnostic::new(
                        Code::BadPlaceholder,
                        self.source,
                        *span,
                        "a placeholder cannot be a part of a word",
                    );
                    let help = self.as_expression(spans, *span).unwrap_or_else(|| {
                        "replace the whole word by the placeholder, and write whole words in the table".to_owned()
                    });
                    self.report(wrong.help(help));
                    // What is left of the line says something else.
                    self.unfilled = Some(self.source.line(span.start));
                }
                None => words.push(word),
                Some(name) => words.extend(self.filled(name, *span)),
            }
        }
        words
    }

    /// Returns help for an expectation about a property of a placeholder: the expression that says it.
    fn as_expression(&self, spans: &[Span], first: Span) -> Option<String> {
        let line = self.source.slice(self.source.line_span(self.source.line(first.start)));
        let last = spans.last().filter(|_| spans.first() == Some(&first))?;
        let whole = in_one_expression(self.source.slice(first.to(*last)))?;
        line.trim_start().starts_with("expect ").then(|| format!("write an expression, `{whole}`"))
    }

    /// Returns the words of a list with commas. If an item is only a placeholder, commas in its value separate items
    /// too.
    pub(crate) fn list(&mut self, items: &[Vec<Span>]) -> Vec<Vec<Word<'f>>> {
        let source = self.source;
        let mut list: Vec<Vec<Word<'f>>> = Vec::new();
        for spans in items {
            let words = self.words(spans);
            let alone = matches!(spans.as_slice(), [span] if source.word(*span).placeholder().is_some());
            let mut item: Vec<Word<'f>> = Vec::new();
            for word in words {
                let between = item.last().map(|last| Span { start: last.span.end, end: word.span.start });
                if alone && between.is_some_and(|between| source.slice(between).contains(',')) {
                    list.push(std::mem::take(&mut item));
                }
                item.push(word);
            }
            list.push(item);
        }
        list
    }

    /// Returns the whole cell that fills the placeholder at `span`, as it is written.
    pub(crate) fn cell(&self, span: Span) -> Option<&'f str> {
        let word = self.source.word(span);
        let name = word.placeholder()?;
        Some(self.source.slice(self.row.as_ref()?.cell(name)?.0))
    }

    /// Returns whether a text contains a placeholder for a column of the table.
    fn names_column(&self, text: &str) -> bool {
        let Some(row) = &self.row else { return false };
        let mut names = text.split('{').skip(1).filter_map(|rest| Some(rest.split_once('}')?.0));
        names.any(|name| row.columns.places.contains_key(name))
    }

    /// Records that the values for the placeholders are too large; then no more are filled.
    fn overfull(&mut self, span: Span, cell: Span) {
        let message = format!("the values of this row make the scenario longer by more than {MAX_FILLED} bytes");
        let wrong =
            Diagnostic::new(Code::LineTooLong, self.source, span, message).also(self.source, cell, "this value");
        self.report(wrong.help("write shorter values, or use them in fewer places"));
        self.room = 0;
    }

    pub(crate) fn filled(&mut self, name: &str, span: Span) -> Vec<Word<'f>> {
        let source = self.source;
        let Some(row) = &self.row else {
            if source.is_command_line() {
                let help = format!("if these brackets are a part of a text, write it in quotes: `\"{{{name}}}\"`");
                self.report_unfilled(span, "only lines of a scenario have placeholders", help);
                return Vec::new();
            }
            let help = format!(
                "add a line `examples` with a table below it whose first row names the placeholders; if `{name}` is an \
                 expression, compare it: `{{ {name} == … }}`"
            );
            self.report_unfilled(span, "this scenario has no table of examples", help);
            return Vec::new();
        };
        if let Some((cell, spans)) = row.cell(name) {
            if let Some(room) = self.room.checked_sub(cell.range().len() + 1) {
                self.room = room;
                return spans.iter().map(|span| source.word(*span)).collect();
            }
            self.overfull(span, cell);
            return Vec::new();
        }
        let columns: Vec<&str> = row.values.iter().map(|(column, _, _)| *column).collect();
        let help = referee_diagnostic::did_you_mean(name, columns.iter().copied())
            .unwrap_or_else(|| format!("the columns are {}", one_of(columns.iter().copied(), 12)));
        self.report_unfilled(span, format!("unknown column `{name}`"), help);
        Vec::new()
    }
}

impl<'f> Lines<'f> for Resolver<'f> {
    fn source(&self) -> &'f Arc<Source> {
        self.source
    }

    fn words(&mut self, spans: &[Span]) -> Vec<Word<'f>> {
        self.words(spans)
    }

    fn tokens(&mut self, row: Span) -> Vec<Word<'f>> {
        let mut words = Vec::new();
        for word in self.source.tokens(row) {
            match word.placeholder() {
                Some(name) => words.extend(self.filled(name, word.span)),
                None => words.push(word),
            }
        }
        words
    }

    fn report(&mut self, wrong: Diagnostic) {
        self.report(wrong);
    }

    fn errors(&mut self) -> &mut Vec<Diagnostic> {
        &mut self.wrong
    }
}

/// Returns the names of a table.
pub(crate) fn names(table: &Table) -> Names<'_> {
    table.names()
}

/// Returns the value that `read` resolves from a source, or the errors.
pub(crate) fn resolved<T>(
    source: &Arc<Source>,
    read: impl FnOnce(&mut Resolver<'_>) -> Option<T>,
) -> Result<T, Vec<Diagnostic>> {
    let mut resolver = Resolver::new(source, None);
    match read(&mut resolver) {
        Some(value) if resolver.wrong.is_empty() => Ok(value),
        _ if resolver.wrong.is_empty() => Err(vec![Diagnostic::general(Code::WrongForm, "this cannot be read")]),
        _ => Err(resolver.wrong),
    }
}
