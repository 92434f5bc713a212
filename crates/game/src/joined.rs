//! Two claims on one line, joined by a comma or by `and`: each needs a line of its own.

use super::lines::Lines;
use referee_diagnostic::{Code, Diagnostic};
use referee_source::{Source, Span, Word};

/// Words that do not belong to a claim, and join two.
const JOINING: [&str; 4] = ["and", "&", "&&", "+"];

/// Replaces the errors after the first `before` ones by one, if the words are several claims, each of which `reads` on its
/// own. `keyword` begins the line.
pub fn report_joined<'f, F: Lines<'f>>(
    file: &mut F,
    before: usize,
    (keyword, words): (&str, &[Word<'f>]),
    reads: impl Fn(&mut F, &[Word<'f>]) -> bool,
) {
    let parts = parts(file.source(), words);
    let [first, second, ..] = parts.as_slice() else { return };
    let from = file.errors().len();
    let each = parts.iter().all(|part| reads(file, part));
    file.errors().truncate(from);
    let Some((end, start)) = first.last().zip(second.first()).filter(|_| each) else { return };
    let joint = Span { start: end.span.end, end: start.span.start };
    let written = |part: &&[Word<'_>]| {
        let whole = part.first().zip(part.last()).map(|(first, last)| first.span.to(last.span));
        format!("{keyword} {}", whole.map_or("", |whole| file.source().slice(whole)))
    };
    let lines: Vec<String> = parts.iter().map(written).collect();
    let joint = if file.source().slice(joint).trim() == "," { start.span } else { joint };
    let wrong =
        Diagnostic::new(Code::WrongForm, file.source(), joint, format!("each `{keyword}` needs a line of its own"));
    let wrong = wrong.help(format!("write a line for each: `{}`", lines.join("`, `")));
    file.errors().truncate(before);
    file.report(wrong);
}

/// Returns the claims between the words or commas that join them.
fn parts<'w, 'f>(source: &Source, words: &'w [Word<'f>]) -> Vec<&'w [Word<'f>]> {
    let mut parts = Vec::new();
    let mut start = 0;
    for (at, word) in words.iter().enumerate() {
        let joins = word.is_any(&JOINING);
        let after_comma = at.checked_sub(1).and_then(|before| words.get(before)).is_some_and(|before| {
            // Words of a table's row are elsewhere.
            before.span.end <= word.span.start
                && source.slice(Span { start: before.span.end, end: word.span.start }).trim() == ","
        });
        if joins || after_comma {
            parts.extend(words.get(start..at));
            start = if joins { at + 1 } else { at };
        }
    }
    parts.extend(words.get(start..));
    parts
}
