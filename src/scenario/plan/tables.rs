//! Tables of examples: each row below `examples` is a test of its own, and its values fill the placeholders `{name}`.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::diagnostic::{Diagnostic, counted, did_you_mean, one_of};
use crate::scenario::plan::blocks::{Block, whole};
use crate::scenario::plan::resolver::Row;
use crate::source::{Source, Span, quotations};
use crate::syntax::ast::{Line, LineKind};
use crate::syntax::parse_words;
use crate::table::Schema;

/// Words that mean something else in expressions, where a column is a variable.
const RESERVED: [&str; 27] = [
    "true", "false", "let", "const", "if", "else", "switch", "while", "loop", "for", "in", "is", "do", "until", "fn",
    "private", "this", "return", "try", "catch", "break", "continue", "import", "export", "as", "global", "me",
];

/// The table of a scenario.
pub(crate) struct Examples<'f> {
    /// The lines of the table.
    pub(crate) span: Span,
    pub(crate) rows: Vec<Row<'f>>,
    /// The errors for columns that nothing uses; a typo elsewhere may be the cause.
    pub(crate) unused: Vec<Diagnostic>,
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
    shared: &[&'f Line],
) -> Result<Option<Examples<'f>>, (Vec<Diagnostic>, Option<Row<'f>>)> {
    let lines: Vec<&'f Line> =
        block.lines.iter().chain(block.branches.iter().flat_map(|branch| &branch.lines)).copied().collect();
    let mut tables = lines.iter().filter_map(|line| match &line.kind {
        LineKind::Examples(rows) => Some((*line, rows)),
        _ => None,
    });
    let Some((line, rows)) = tables.next() else { return Ok(None) };
    if let Some((second, _)) = tables.next() {
        let wrong = Diagnostic::new("duplicate_line", source, second.span, "this scenario already has a table");
        return Err((vec![wrong.help("write all examples in one table")], None));
    }
    let Some((head, rest)) = rows.split_first() else {
        let wrong = Diagnostic::new("wrong_table", source, line.span, "there is no table below this line");
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
    let read = read_rows(source, &names, rest, &mut wrong);
    if rest.is_empty() {
        wrong.push(
            Diagnostic::new("wrong_table", source, *head, "this table has no rows")
                .help("write a row of values for each example, below the row that names the placeholders"),
        );
    }
    if wrong.is_empty() {
        wrong.extend(same_rows(source, &read));
        wrong.extend(titles(block).flat_map(|title| unknown_in_title(source, title, &names)));
    }
    if !wrong.is_empty() {
        return Err((wrong, read.into_iter().next().filter(|_| are_named)));
    }
    let used = used(source, &lines, block, shared);
    let unused = columns.iter().filter(|span| !used.contains(source.slice(**span))).map(|span| {
        let name = source.slice(*span);
        let message = format!("nothing in this scenario uses the column `{name}`");
        let help = format!("write `{{{name}}}` where its values belong, or remove the column");
        Diagnostic::new("wrong_table", source, *span, message).help(help)
    });
    Ok(Some(Examples { span: line.span.to(whole(line)), rows: read, unused: unused.collect() }))
}

/// Returns the lines of the first table of a scenario and its rows, without a check of them; `None` without a table.
pub(crate) fn rows<'f>(source: &'f Arc<Source>, block: &Block<'f>) -> Option<(Span, Vec<Row<'f>>)> {
    let mut lines = block.lines.iter().chain(block.branches.iter().flat_map(|branch| &branch.lines));
    let (line, rows) = lines.find_map(|line| match &line.kind {
        LineKind::Examples(rows) => Some((*line, rows)),
        _ => None,
    })?;
    let (head, rest) = rows.split_first()?;
    let names: Vec<&'f str> = cells(source, *head).iter().map(|span| source.slice(*span)).collect();
    Some((line.span.to(whole(line)), read_rows(source, &names, rest, &mut Vec::new())))
}

/// Returns the rows that have a value for each column, and adds an error for each other one.
fn read_rows<'f>(source: &Arc<Source>, names: &[&'f str], rows: &[Span], wrong: &mut Vec<Diagnostic>) -> Vec<Row<'f>> {
    let mut read = Vec::new();
    for (at, span) in rows.iter().enumerate() {
        let values = cells(source, *span);
        let empty = names.iter().zip(&values).filter(|(_, value)| source.slice(**value).is_empty());
        let empty: Vec<Diagnostic> = empty.map(|(name, value)| no_value(source, name, *value)).collect();
        if !empty.is_empty() && values.len() == names.len() {
            wrong.extend(empty);
        } else if values.len() == names.len() {
            let values = names.iter().zip(values).map(|(name, span)| (*name, span, parse_words(source, span)));
            read.push(Row { number: at + 1, span: *span, values: values.collect() });
        } else {
            wrong.push(misfit(source, *span, names, &values));
        }
    }
    read
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
    let mut seen: Vec<(&str, Span)> = Vec::new();
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
                "wrong_table",
                head,
                "a column of this table has no name".to_owned(),
                "name each column in the first row",
            );
        } else if !letters || name.starts_with(|first: char| first.is_ascii_digit()) {
            let help =
                "use letters, digits and `_`, and begin with a letter; the first row of a table names the placeholders";
            report("wrong_table", *span, format!("`{name}` cannot be the name of a column"), help);
        } else if let Some((_, first)) = seen.iter().find(|(other, _)| *other == name) {
            let twice = Diagnostic::new("duplicate_name", source, *span, format!("there are two columns `{name}`"));
            wrong.push(twice.also(source, *first, "the first one").help("give each column a name of its own"));
        } else if RESERVED.contains(&name) {
            let help = "choose another name: in expressions this word means something else";
            report("reserved_word", *span, format!("`{name}` cannot be the name of a column"), help);
        } else if component() {
            let help = "choose another name: in expressions a column is a variable, and would hide the component";
            report("hides_component", *span, format!("`{name}` is the name of a component of the game"), help);
        }
        seen.push((name, *span));
    }
}

/// Returns the error for an empty cell.
fn no_value(source: &Arc<Source>, name: &str, cell: Span) -> Diagnostic {
    let message = format!("this row has no value for `{name}`");
    let help = "write a value in each cell: `none` if the line allows it, `\"\"` for an empty string";
    Diagnostic::new("wrong_table", source, cell, message).label("this cell is empty").help(help)
}

/// Returns the error for the first row with the values of an earlier one.
fn same_rows(source: &Arc<Source>, rows: &[Row<'_>]) -> Option<Diagnostic> {
    let mut seen: BTreeMap<Vec<Vec<&str>>, &Row<'_>> = BTreeMap::new();
    for row in rows {
        // As they are written: `a1, b2` and `a1 b2` show two ways to write the same.
        let values = row.values.iter().map(|(_, cell, _)| source.slice(*cell).split_whitespace().collect()).collect();
        if let Some(first) = seen.insert(values, row) {
            let message = format!("row {} has the same values as row {}", row.number, first.number);
            let twice = Diagnostic::new("listed_twice", source, row.span, message);
            return Some(twice.also(source, first.span, "the first one").help("remove one of them"));
        }
    }
    None
}

/// Returns the error for a row that has more or fewer values than there are columns.
fn misfit(source: &Arc<Source>, row: Span, names: &[&str], values: &[Span]) -> Diagnostic {
    let all = one_of(names.iter().copied(), 12);
    let (has, wanted) = (counted(values.len(), "value"), counted(names.len(), "column"));
    let message = format!("this row has {has}, but the table has {wanted}: {all}");
    let wrong = |span| Diagnostic::new("wrong_table", source, span, message.clone());
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
        (!is_right).then(|| Diagnostic::new("unknown_placeholder", source, span, message).help(help))
    });
    wrong.collect()
}

/// Returns the columns that the lines of a scenario use, in placeholders or in expressions.
fn used<'f>(source: &'f Source, lines: &[&'f Line], block: &Block<'f>, shared: &[&'f Line]) -> BTreeSet<&'f str> {
    let letter = |letter: char| !(letter.is_ascii_alphanumeric() || letter == '_');
    let mut used = BTreeSet::new();
    let titles = std::iter::once(block.head).chain(block.branches.iter().map(|branch| branch.head));
    for line in lines.iter().chain(shared).copied().chain(titles) {
        if matches!(line.kind, LineKind::Examples(_)) {
            continue;
        }
        used.extend(line.kind.expression().into_iter().flat_map(|expression| source.slice(expression).split(letter)));
        let text = source.slice(whole(line));
        used.extend(text.split('{').skip(1).filter_map(|rest| Some(rest.split_once('}')?.0.trim())));
    }
    used
}
