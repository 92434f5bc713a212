//! Tables of examples: each row below `examples` is a test of its own, and its values fill the placeholders `{name}`.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::Rc;
use std::sync::Arc;

use crate::plan::blocks::{Block, used_in, whole};
use crate::plan::resolver::{Columns, Row};
use referee_diagnostic::{Code, Diagnostic, MAX_PROBLEMS, counted, did_you_mean, one_of};
use referee_source::{Source, Span, quotations};
use referee_syntax::ast::{Line, LineKind};
use referee_syntax::parse_words;
use referee_table::Schema;

/// Words that mean something else in expressions, where a column is a variable.
const RESERVED: [&str; 27] = [
    "true", "false", "let", "const", "if", "else", "switch", "while", "loop", "for", "in", "is", "do", "until", "fn",
    "private", "this", "return", "try", "catch", "break", "continue", "import", "export", "as", "global", "me",
];

/// The maximum number of columns.
const MAX_COLUMNS: usize = 1000;

/// The table of a scenario.
pub(crate) struct Examples<'f> {
    /// The lines of the table.
    pub(crate) span: Span,
    pub(crate) rows: Rows<'f>,
    /// The errors for columns that nothing uses; a typo elsewhere may be the cause.
    pub(crate) unused: Vec<Diagnostic>,
}

/// The rows of a table, each read when it is needed: read rows are many times as large as their text.
#[derive(Clone, Debug)]
pub(crate) struct Rows<'f> {
    source: &'f Arc<Source>,
    columns: Rc<Columns<'f>>,
    spans: &'f [Span],
}

impl<'f> Rows<'f> {
    pub(crate) const fn len(&self) -> usize {
        self.spans.len()
    }

    /// Returns the rows that have a value for each column.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Row<'f>> + '_ {
        (0..self.len()).filter_map(|at| self.row(at).ok())
    }

    /// Returns one row.
    ///
    /// # Errors
    /// Returns the errors if it has no value for one of the columns, or more values than there are columns.
    pub(crate) fn row(&self, at: usize) -> Result<Row<'f>, Vec<Diagnostic>> {
        let source = self.source;
        let span = self.spans.get(at).copied().unwrap_or_default();
        let (names, values) = (&self.columns.names, cells(source, span));
        if values.len() != names.len() {
            return Err(vec![misfit(source, span, names, &values)]);
        }
        let empty = names.iter().zip(&values).filter(|(_, value)| source.slice(**value).is_empty());
        let empty: Vec<Diagnostic> = empty.map(|(name, value)| no_value(source, name, *value)).collect();
        if !empty.is_empty() {
            return Err(empty);
        }
        let values = names.iter().zip(values).map(|(name, span)| (*name, span, parse_words(source, span)));
        Ok(Row { number: at + 1, span, values: values.collect(), columns: Rc::clone(&self.columns) })
    }
}

/// Returns the rows of the table of a scenario.
///
/// # Errors
/// Returns all errors of its columns, and an error for each row that does not fit them; and the first row that does, if the
/// columns are right.
pub(crate) fn examples<'f>(
    source: &'f Arc<Source>,
    schema: &Schema,
    block: &Block<'f>,
    shared: &BTreeSet<&'f str>,
) -> Result<Option<Examples<'f>>, (Vec<Diagnostic>, Option<Row<'f>>)> {
    let lines: Vec<&'f Line> =
        block.lines.iter().chain(block.branches.iter().flat_map(|branch| &branch.lines)).copied().collect();
    let mut tables = lines.iter().filter_map(|line| match &line.kind {
        LineKind::Examples(rows) => Some((*line, rows)),
        _ => None,
    });
    let Some((line, rows)) = tables.next() else { return Ok(None) };
    if let Some((second, _)) = tables.next() {
        let wrong = Diagnostic::new(Code::DuplicateLine, source, second.span, "this scenario already has a table");
        return Err((vec![wrong.help("write all examples in one table")], None));
    }
    let Some((head, rest)) = rows.split_first() else {
        let wrong = Diagnostic::new(Code::WrongTable, source, line.span, "there is no table below this line");
        let wrong = wrong.help(
            "name the placeholders in the first row: `| throw | target |`, and write their values in the rows below it",
        );
        return Err((vec![wrong], None));
    };
    let columns = cells(source, *head);
    let mut wrong = Vec::new();
    name_columns(source, schema, *head, &columns, &mut wrong);
    let are_named = wrong.is_empty();
    let names: Vec<&'f str> = columns.iter().map(|span| source.slice(*span)).collect();
    let rows = Rows { source, columns: Rc::new(Columns::new(names.clone())), spans: rest };
    let misread = (0..rows.len()).filter_map(|at| rows.row(at).err());
    wrong.extend(misread.flatten().take(MAX_PROBLEMS));
    if rest.is_empty() {
        wrong.push(
            Diagnostic::new(Code::WrongTable, source, *head, "this table has no rows")
                .help("write a row of values for each example, below the row that names the placeholders"),
        );
    }
    if wrong.is_empty() {
        wrong.extend(same_rows(source, rest));
        wrong.extend(titles(block).flat_map(|title| unknown_in_title(source, title, &names)));
    }
    if !wrong.is_empty() {
        return Err((wrong, rows.iter().next().filter(|_| are_named)));
    }
    let used = used(source, &lines, block);
    let is_used = |name: &str| used.contains(name) || shared.contains(name);
    let unused = columns.iter().filter(|span| !is_used(source.slice(**span))).map(|span| {
        let name = source.slice(*span);
        let message = format!("nothing in this scenario uses the column `{name}`");
        let help = format!("write `{{{name}}}` where its values belong, or remove the column");
        Diagnostic::new(Code::WrongTable, source, *span, message).help(help)
    });
    Ok(Some(Examples { span: line.span.to(whole(line)), rows, unused: unused.collect() }))
}

/// Returns the lines of the first table of a scenario and its rows, without a check of them; `None` without a table.
pub(crate) fn rows<'f>(source: &'f Arc<Source>, block: &Block<'f>) -> Option<(Span, Rows<'f>)> {
    let mut lines = block.lines.iter().chain(block.branches.iter().flat_map(|branch| &branch.lines));
    let (line, rows) = lines.find_map(|line| match &line.kind {
        LineKind::Examples(rows) => Some((*line, rows)),
        _ => None,
    })?;
    let (head, rest) = rows.split_first()?;
    let names = cells(source, *head).iter().map(|span| source.slice(*span)).collect();
    Some((line.span.to(whole(line)), Rows { source, columns: Rc::new(Columns::new(names)), spans: rest }))
}

/// Returns the cells of a row; a `|` in quotes belongs to its cell.
fn cells(source: &Source, row: Span) -> Vec<Span> {
    let text = source.slice(row);
    let mut bounds = Vec::new();
    let mut strings = quotations(text).peekable();
    for (at, _) in text.match_indices('|') {
        while strings.next_if(|string| string.end <= at).is_some() {}
        bounds.extend(strings.peek().is_none_or(|string| string.start > at).then_some(at));
    }
    if !text.ends_with('|') || bounds.last().is_none_or(|last| last + 1 != text.len()) {
        bounds.push(text.len());
    }
    let mut start = 0;
    let mut cells = Vec::new();
    for bound in bounds {
        let cell = text.get(start..bound).unwrap_or_default();
        let lead = start + cell.len() - cell.trim_start().len();
        let end = (start + cell.trim_end().len()).max(lead);
        let base = row.range().start;
        cells.push(Span::new(base + lead..base + end));
        start = bound + 1;
    }
    cells
}

fn name_columns(source: &Arc<Source>, schema: &Schema, head: Span, columns: &[Span], wrong: &mut Vec<Diagnostic>) {
    let mut seen: BTreeMap<&str, Span> = BTreeMap::new();
    if let Some(extra) = columns.get(MAX_COLUMNS) {
        let message = format!("a table has at most {MAX_COLUMNS} columns");
        wrong.push(Diagnostic::new(Code::TooMany, source, *extra, message).help("write several words into one cell"));
        return;
    }
    for span in columns {
        let name = source.slice(*span);
        let mut report = |code, span, message: String, help: &str| {
            wrong.push(Diagnostic::new(code, source, span, message).help(help));
        };
        let letters = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        let component = || schema.player(name).is_some() || schema.piece(name).is_some() || name == "game";
        if name.is_empty() {
            // An empty cell has no characters to underline.
            report(
                Code::WrongTable,
                head,
                "a column of this table has no name".to_owned(),
                "name each column in the first row",
            );
        } else if !letters || name.starts_with(|first: char| first.is_ascii_digit()) {
            let help =
                "use letters, digits and `_`, and begin with a letter; the first row of a table names the placeholders";
            report(Code::WrongTable, *span, format!("`{name}` cannot be the name of a column"), help);
        } else if let Some(first) = seen.get(name) {
            let twice = Diagnostic::new(Code::DuplicateName, source, *span, format!("there are two columns `{name}`"));
            wrong.push(twice.also(source, *first, "the first one").help("give each column a name of its own"));
        } else if RESERVED.contains(&name) {
            let help = "choose another name: in expressions this word means something else";
            report(Code::ReservedWord, *span, format!("`{name}` cannot be the name of a column"), help);
        } else if component() {
            let help = "choose another name: in expressions a column is a variable, and would hide the component";
            report(Code::HidesComponent, *span, format!("`{name}` is the name of a component of the game"), help);
        }
        seen.entry(name).or_insert(*span);
    }
}

/// Returns the error for an empty cell.
fn no_value(source: &Arc<Source>, name: &str, cell: Span) -> Diagnostic {
    let message = format!("this row has no value for `{name}`");
    let help = "write a value in each cell: `none` if the line allows it, `\"\"` for an empty string";
    Diagnostic::new(Code::WrongTable, source, cell, message).label("this cell is empty").help(help)
}

/// Returns the error for the first row with the values of an earlier one.
fn same_rows(source: &Arc<Source>, rows: &[Span]) -> Option<Diagnostic> {
    // As they are written: `a1, b2` and `a1 b2` show two ways to write the same.
    let values = |row: Span| {
        let cells = cells(source, row).into_iter().map(|cell| source.slice(cell).split_whitespace().collect());
        cells.collect::<Vec<Vec<&str>>>()
    };
    // The values would be many times as large as the text.
    let mut seen: BTreeMap<u64, usize> = BTreeMap::new();
    for (at, row) in rows.iter().enumerate() {
        let own = values(*row);
        let mut hasher = DefaultHasher::new();
        own.hash(&mut hasher);
        let first = *seen.entry(hasher.finish()).or_insert(at);
        let first_row = rows.get(first).filter(|other| first != at && values(**other) == own);
        if let Some(first_row) = first_row {
            let message = format!("row {} has the same values as row {}", at + 1, first + 1);
            let twice = Diagnostic::new(Code::ListedTwice, source, *row, message);
            return Some(twice.also(source, *first_row, "the first one").help("remove one of them"));
        }
    }
    None
}

/// Returns the error for a row that has more or fewer values than there are columns.
fn misfit(source: &Arc<Source>, row: Span, names: &[&str], values: &[Span]) -> Diagnostic {
    let all = one_of(names.iter().copied(), 12);
    let (has, wanted) = (counted(values.len(), "value"), counted(names.len(), "column"));
    let message = format!("this row has {has}, but the table has {wanted}: {all}");
    let wrong = |span| Diagnostic::new(Code::WrongTable, source, span, message.clone());
    let help = "separate the values by `|`; a `|` in quotes belongs to its value";
    match values.get(names.len()) {
        Some(extra) => wrong(*extra).label("there is no column for this value").help(help),
        None => {
            let missing = one_of(names.iter().skip(values.len()).copied(), 12);
            wrong(row).label(format!("no value for {missing}")).help(help)
        }
    }
}

/// Returns the titles of a scenario and its branches.
fn titles<'b>(block: &'b Block<'_>) -> impl Iterator<Item = Span> + 'b {
    let heads = std::iter::once(block.head).chain(block.branches.iter().map(|branch| branch.head));
    heads.filter_map(|head| match head.kind {
        LineKind::Scenario(title) | LineKind::Branch(title) => Some(title),
        _ => None,
    })
}

/// Returns the errors for placeholders in a title that no column has.
fn unknown_in_title(source: &Arc<Source>, title: Span, names: &[&str]) -> Vec<Diagnostic> {
    let text = source.slice(title);
    let all = || names.iter().copied();
    let places = text.match_indices('{').filter_map(|(at, _)| {
        let rest = text.get(at + 1..)?;
        let is_letter = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        let end = rest.find(|letter| !is_letter(letter)).unwrap_or(rest.len());
        let (name, is_closed) = (rest.get(..end)?, rest.get(end..)?.starts_with('}'));
        let span = Span::new(title.range().start + at..title.range().start + at + 1 + end + usize::from(is_closed));
        Some((name, is_closed, span))
    });
    let wrong = places.filter_map(|(name, is_closed, span)| {
        let known = names.contains(&name);
        let (message, help) = if known && !is_closed {
            (format!("this placeholder for `{name}` is not closed"), format!("write `{{{name}}}`"))
        } else {
            let help = did_you_mean(name, all()).unwrap_or_else(|| format!("the columns are {}", one_of(all(), 12)));
            (format!("the table has no column `{name}`"), help)
        };
        let is_right = name.is_empty() || known && is_closed;
        (!is_right).then(|| Diagnostic::new(Code::UnknownPlaceholder, source, span, message).help(help))
    });
    wrong.collect()
}

/// Returns the columns that the lines of a scenario use, in placeholders or in expressions.
fn used<'f>(source: &'f Source, lines: &[&'f Line], block: &Block<'f>) -> BTreeSet<&'f str> {
    let titles = std::iter::once(block.head).chain(block.branches.iter().map(|branch| branch.head));
    lines.iter().copied().chain(titles).flat_map(|line| used_in(source, line)).collect()
}
