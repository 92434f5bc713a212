//! The kinds of the lines of a scenario, and their words.

use referee_syntax::is_keyword;

/// What a line is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// `expect`, `refuse`, `covers`, `always`: distinguished by the patterns of the edits.
    Claim,
    /// A player's decision.
    Answer,
    /// What dice show.
    Roll,
    /// A row below `expect events`; whether it lists all of them.
    Event { exactly: bool },
    /// A row below `expect board`.
    Drawing,
    /// A row of a table, from 1; the names of its columns are row 0.
    Row(usize),
    /// Anything else: a line about what is played, not about its result.
    Other,
}

pub(crate) fn is_blank(line: &str) -> bool {
    line.trim().is_empty() || line.trim().starts_with('#')
}

/// The line without its comment and the blanks around it.
pub(crate) fn body(line: &str) -> &str {
    let mut quoted = false;
    let mut last = ' ';
    for (at, letter) in line.char_indices() {
        match letter {
            '"' => quoted = !quoted,
            '#' if !quoted && last == ' ' => return line[..at].trim(),
            _ => {}
        }
        last = letter;
    }
    line.trim()
}

/// The cells of a `|` row of a table.
pub(crate) fn row_cells(row: &str) -> Vec<String> {
    let inner = body(row).trim_start_matches('|').trim_end_matches('|');
    inner.split('|').map(|cell| cell.trim().to_owned()).collect()
}

/// What the lines of a scenario are for.
pub(crate) fn parts(lines: &[String]) -> Vec<Part> {
    let mut parts = Vec::new();
    // The line that `|` and `>` rows belong to, and the open braces.
    let mut rows = Part::Other;
    let mut braces = 0_i64;
    for line in lines {
        let body = body(line);
        let first = body.split([' ', '.']).next().unwrap_or_default();
        if braces > 0 {
            braces += depth(body);
            parts.push(Part::Other);
            continue;
        }
        if body.starts_with('|') || body.starts_with('>') {
            parts.push(rows);
            if let Part::Row(row) = &mut rows {
                *row += 1;
            }
            continue;
        }
        rows = match body {
            "expect board" => Part::Drawing,
            "expect events" => Part::Event { exactly: false },
            "expect events exactly" => Part::Event { exactly: true },
            "examples" => Part::Row(0),
            _ => Part::Other,
        };
        let is_zone = first.ends_with(':') || body.split(' ').nth(1).is_some_and(|word| word.ends_with(':'));
        parts.push(match first {
            "expect" | "refuse" | "covers" | "always" => Part::Claim,
            "roll" => Part::Roll,
            _ if is_keyword(first) || is_zone => Part::Other,
            _ => Part::Answer,
        });
        if matches!(first, "expect" | "always") {
            braces = depth(body);
        }
    }
    parts
}

fn depth(body: &str) -> i64 {
    body.chars().fold(0, |depth, letter| depth + i64::from(letter == '{') - i64::from(letter == '}'))
}

/// The words of a text with their places: commas divide, and what is quoted is one word.
pub(crate) fn words(text: &str) -> Vec<(usize, &str)> {
    let mut words = Vec::new();
    let mut start = None;
    let mut quoted = false;
    for (at, letter) in text.char_indices() {
        let divides = !quoted && matches!(letter, ' ' | ',' | '(' | ')');
        if letter == '"' {
            quoted = !quoted;
        }
        match (start, divides) {
            (None, false) => start = Some(at),
            (Some(from), true) => {
                words.push((from, &text[from..at]));
                start = None;
            }
            _ => {}
        }
    }
    words.extend(start.map(|from| (from, &text[from..])));
    words
}
