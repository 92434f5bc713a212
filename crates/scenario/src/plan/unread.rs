//! Examples in Markdown that are in no scenario block, so that nothing would run them.

use std::ops::Range;
use std::sync::Arc;

use referee_diagnostic::{Code, Diagnostic};
use referee_source::{Fence, Source, Span, html_blocks, within};
use referee_syntax::ast::LineKind;
use referee_syntax::{FileKind, parse};

/// The marks of blocks with examples that are probably meant to be run, and the names of games. Any other mark is there
/// on purpose: `text`, or the language of another tool.
const MEANT: [&str; 17] = [
    "",
    "referee",
    "gherkin",
    "feature",
    "example",
    "examples",
    "test",
    "tests",
    "game",
    "games",
    "play",
    "rule",
    "rules",
    "rulebook",
    "txt",
    "plain",
    "plaintext",
];

/// A line of a text without the marks of quotes around it, and where it begins.
type Place<'t> = (usize, &'t str);

/// Returns whether a block that is no scenario block holds an example: its first line begins a file of scenarios.
pub(crate) fn is_example(text: &str, fence: &Fence) -> bool {
    let mut lines: Vec<Place<'_>> = Vec::new();
    for range in &fence.content {
        let mut at = range.start;
        for line in text.get(range.clone()).unwrap_or_default().split_inclusive('\n') {
            lines.push((at, line.trim()));
            at += line.len();
        }
    }
    // A block that holds other blocks shows Markdown.
    let holds_blocks = lines.iter().any(|(_, line)| line.starts_with("```") || line.starts_with("~~~"));
    let first = lines.iter().find(|(_, line)| is_line(line));
    let mark = fence.mark().to_lowercase();
    let game = first.filter(|(_, line)| is_use(line)).and_then(|(_, line)| line.split_whitespace().nth(1));
    if !MEANT.contains(&mark.as_str()) && game.is_none_or(|game| !game.eq_ignore_ascii_case(&mark)) {
        return false;
    }
    let begins = first.is_some_and(|(_, line)| is_use(line) || is_title(line) || line.starts_with("position \""));
    begins && !holds_blocks && title(&lines).is_some()
}

/// Returns whether a text has examples outside all blocks.
pub(crate) fn is_outside(text: &str, fences: &[Fence]) -> bool {
    stretches(text, fences).iter().any(|lines| title(lines).is_some())
}

/// Returns an error for each stretch of text between blocks that has examples.
pub(crate) fn outside(source: &Arc<Source>, fences: &[Fence]) -> Vec<Diagnostic> {
    let report = |lines: Vec<Place<'_>>| {
        let (at, line) = *lines.get(title(&lines)?)?;
        let span = Span::new(at..at + line.len());
        let message = "this example is in no scenario block, so it is not read";
        let wrong = Diagnostic::new(Code::UnreadBlock, source, span, message);
        // The line that was meant to open the block: at most one above the line `use`.
        let above = lines.iter().rev().skip_while(|(other, _)| *other >= at).filter(|(_, line)| is_line(line)).take(2);
        let opening = above.into_iter().find(|(_, line)| line.starts_with(['`', '~']));
        let wrong = match opening {
            Some((at, line)) => wrong.also(source, Span::new(*at..at + line.len()), "this line opens no block"),
            None => wrong,
        };
        Some(wrong.help(
            "write a line ```scenario above it and a line ``` below it, with three marks and at most three spaces \
             before them; to show it only, write ```text",
        ))
    };
    let found: Vec<Diagnostic> = stretches(source.shown(), fences).into_iter().filter_map(report).collect();
    // The comment is the reason.
    match unclosed_comment(source).filter(|_| !found.is_empty()) {
        Some(wrong) => vec![wrong],
        None => found,
    }
}

/// Returns whether a block of HTML is a comment, and if so, whether it is closed.
fn comment(text: &str, html: &Range<usize>) -> Option<bool> {
    let html = text.get(html.clone()).unwrap_or_default().trim_start();
    html.strip_prefix("<!--").map(|rest| rest.contains("-->"))
}

/// Returns an error for a comment that is not closed, so that it hides examples.
fn unclosed_comment(source: &Arc<Source>) -> Option<Diagnostic> {
    let text = source.shown();
    let html = html_blocks(text).into_iter().find(|html| comment(text, html) == Some(false))?;
    let at = html.start + text.get(html.clone())?.find("<!--")?;
    let wrong = Diagnostic::new(Code::UnclosedBlock, source, Span::new(at..at + 4), "this comment is not closed");
    Some(wrong.label("opened here").help("write `-->` at its end; nothing below it is read"))
}

/// Returns the lines outside all blocks: a list for each stretch between two of them.
fn stretches<'t>(text: &'t str, fences: &[Fence]) -> Vec<Vec<Place<'t>>> {
    // Nearly all texts end here.
    if !text.contains("scenario \"") {
        return Vec::new();
    }
    // The content of a closed comment is left out on purpose.
    let html: Vec<Range<usize>> =
        html_blocks(text).into_iter().filter(|html| comment(text, html).is_some_and(|closed| closed)).collect();
    let blocks: Vec<Range<usize>> = fences.iter().map(|fence| fence.range.clone()).collect();
    let hidden = |at: usize| [&blocks, &html].into_iter().any(|ranges| within(ranges, at).is_some());
    let (mut found, mut at) = (vec![Vec::new()], 0);
    for line in text.split_inclusive('\n') {
        let bare = line.trim_start_matches([' ', '\t', '>']);
        let start = at + line.len() - bare.len();
        if hidden(start) {
            found.push(Vec::new());
        } else {
            found.iter_mut().next_back().into_iter().for_each(|lines| lines.push((start, bare.trim_end())));
        }
        at += line.len();
    }
    found
}

/// Returns the first of the lines that is the title of an example: after it or before it is another line of a scenario,
/// so that a sentence about the line is none.
fn title(lines: &[Place<'_>]) -> Option<usize> {
    let is_example = |at: usize| {
        let before = lines.iter().take(at).rev().find(|(_, line)| is_line(line));
        let after = lines.iter().skip(at + 1).find(|(_, line)| is_line(line));
        before.is_some_and(|(_, line)| is_use(line)) || after.is_some_and(|(_, line)| is_read(line))
    };
    (0..lines.len()).find(|at| lines.get(*at).is_some_and(|(_, line)| is_title(line)) && is_example(*at))
}

/// Returns whether a line is neither empty nor a comment.
fn is_line(line: &str) -> bool {
    !line.is_empty() && !line.starts_with('#')
}

/// Returns whether a line is `scenario "TITLE"`.
fn is_title(line: &str) -> bool {
    matches!(kind(line), Some(LineKind::Scenario(_)))
}

/// Returns whether a line is `use GAME` or `use GAME VARIANT`. A sentence may be like it.
fn is_use(line: &str) -> bool {
    matches!(kind(line), Some(LineKind::Use { .. }))
}

/// Returns whether a line can be read as one of a scenario, other than an answer, which may be any words.
fn is_read(line: &str) -> bool {
    !matches!(kind(line), None | Some(LineKind::Answer(_)))
}

fn kind(line: &str) -> Option<LineKind> {
    let source = Arc::new(Source::built_in("(line)", line.to_owned()));
    let (mut file, wrong) = parse(&source, FileKind::Scenario);
    file.lines.pop().filter(|_| wrong.is_empty() && file.lines.is_empty()).map(|line| line.kind)
}

#[cfg(test)]
mod tests {
    use super::{is_example, is_outside};
    use referee_source::fences;

    /// Whether the text has an example that is not read.
    fn unread(text: &str) -> bool {
        let fences = fences(text);
        is_outside(text, &fences) || fences.iter().any(|fence| fence.mark() != "scenario" && is_example(text, fence))
    }

    const EXAMPLE: &str = "use hop short\n\nscenario \"A walk\"\n  turn red\n";

    #[test]
    fn an_example_in_no_scenario_block_is_seen() {
        let set_in: String = EXAMPLE.lines().map(|line| format!("    {line}\n")).collect();
        assert!(unread(&format!("``scenario\n{EXAMPLE}``\n")));
        assert!(unread(&format!("    ```scenario\n{set_in}    ```\n")));
        assert!(unread(&format!("```\n{EXAMPLE}```\n")));
        assert!(unread(&format!("```referee\n{EXAMPLE}```\n")));
        assert!(unread(&format!("```rules\n{EXAMPLE}```\n")));
        assert!(unread(&format!("```hop\n{EXAMPLE}```\n")));
        assert!(unread(&format!("<pre>\n{EXAMPLE}</pre>\n")));
        assert!(unread(&format!("<div>\n{EXAMPLE}</div>\n")));
        assert!(unread(&format!("<script>\n{EXAMPLE}</script>\n")));
        assert!(unread(&format!("<!-- a remark\n\n```scenario\n{EXAMPLE}```\n")));
        assert!(unread(EXAMPLE));
    }

    #[test]
    fn an_example_that_is_shown_and_words_about_one_are_none() {
        assert!(!unread(&format!("```scenario\n{EXAMPLE}```\n")));
        assert!(!unread(&format!("```text\n{EXAMPLE}```\n")));
        assert!(!unread(&format!("```yaml\n{EXAMPLE}```\n")));
        assert!(!unread(&format!("```file walk.scenario\n{EXAMPLE}```\n")));
        assert!(!unread(&format!("````\n```scenario\n{EXAMPLE}```\n````\n")));
        assert!(!unread(&format!("<!--\n{EXAMPLE}-->\n")));
        assert!(!unread(&format!("```console\n$ cat walk.scenario\n{EXAMPLE}```\n")));
        assert!(!unread("We looked at\nscenario \"A walk\"\nwith the red piece.\n"));
        assert!(!unread("Begin with the line `scenario \"A walk\"`.\n"));
    }
}
