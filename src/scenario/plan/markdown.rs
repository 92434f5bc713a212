//! Scenarios in Markdown: reads all fenced blocks marked `scenario` together as one file.

use std::sync::Arc;

use crate::diagnostic::{Diagnostic, nearest};
use crate::source::{Fence, Source, Span, fences};

/// The mark of a block that is read.
const MARK: &str = "scenario";

/// Returns a Markdown file as a source that contains only its scenario blocks, and the errors of its blocks. Spaces
/// replace everything else, so that locations are those of the Markdown file.
pub(crate) fn source(name: &str, text: String) -> (Arc<Source>, Vec<Diagnostic>) {
    let fences = fences(&text);
    let mut read: Vec<u8> = text.bytes().map(|byte| if matches!(byte, b'\n' | b'\r') { byte } else { b' ' }).collect();
    for range in fences.iter().filter(|fence| is_scenario_block(fence)).flat_map(|fence| &fence.content) {
        if let (Some(into), Some(from)) = (read.get_mut(range.clone()), text.as_bytes().get(range.clone())) {
            into.copy_from_slice(from);
        }
    }
    // Blocks begin and end between characters, so this is valid UTF-8.
    let read = String::from_utf8(read).unwrap_or_else(|_| text.clone());
    let source = Arc::new(Source::masked(name, read, text));
    let wrong = fences.iter().filter_map(|fence| wrong(&source, fence)).collect();
    (source, wrong)
}

/// Returns whether a Markdown text has scenario blocks, or blocks that are probably meant to be.
pub(crate) fn has_scenarios(text: &str) -> bool {
    fences(text).iter().any(|fence| is_scenario_block(fence) || is_meant(text, fence))
}

/// Returns the first word that marks a block.
fn mark(fence: &Fence) -> &str {
    fence.info.split([' ', '\t', ',']).next().unwrap_or_default()
}

/// Returns whether a block holds scenarios.
pub(crate) fn is_scenario_block(fence: &Fence) -> bool {
    mark(fence).eq_ignore_ascii_case(MARK)
}

/// Returns whether a block that is not read is probably meant to be: its mark is misspelt, or it is unclosed and so
/// contains blocks with the mark.
fn is_meant(text: &str, fence: &Fence) -> bool {
    is_misspelt(fence) || swallowed(text, fence).is_some()
}

fn is_misspelt(fence: &Fence) -> bool {
    let bare = mark(fence).trim_matches(|letter: char| !letter.is_alphanumeric()).to_lowercase();
    !is_scenario_block(fence) && (bare == MARK || nearest(&bare, [MARK]).is_some())
}

/// Returns the first line in a block that looks like the beginning of a scenario block. A block that contains others on
/// purpose has longer fences than theirs.
fn swallowed(text: &str, fence: &Fence) -> Option<Span> {
    let mut at = fence.range.start;
    let mut outer = "";
    for line in text.get(fence.range.clone())?.split_inclusive('\n') {
        let bare = line.trim_start_matches([' ', '>']).trim_end();
        let info = bare.trim_start_matches(['`', '~']);
        let marks = bare.get(..bare.len() - info.len()).unwrap_or_default();
        let opens = marks.len() >= 3 && info.split_whitespace().next() == Some(MARK);
        if at == fence.range.start {
            outer = marks;
        } else if opens && (!fence.closed || marks.starts_with(outer)) {
            return Some(Span::new(at..at + line.trim_end().len()));
        }
        at += line.len();
    }
    None
}

fn wrong(source: &Arc<Source>, fence: &Fence) -> Option<Diagnostic> {
    let shown = source.shown();
    let line = shown.get(fence.range.clone())?.lines().next()?.trim_end();
    let head = Span::new(fence.range.start..fence.range.start + line.len());
    if is_misspelt(fence) {
        let message = format!("this block is marked `{}`, so it is not read", mark(fence));
        let help = "did you mean `scenario`? Blocks whose first word is `scenario` are read";
        return Some(Diagnostic::new("unread_block", source, head, message).help(help));
    }
    let inner = swallowed(shown, fence);
    if inner.is_none() && (fence.closed || !is_scenario_block(fence)) {
        return None;
    }
    let marks: String = line.chars().take_while(|letter| matches!(letter, '`' | '~')).collect();
    let wrong = Diagnostic::new("unclosed_block", source, head, "this block is not closed").label("opened here");
    let wrong = match inner {
        Some(inner) => wrong.also(source, inner, "this block is inside it, so it is not read"),
        None => wrong,
    };
    Some(
        wrong.help(format!(
            "write a line {marks} after its last line; use longer fences for a block that contains others"
        )),
    )
}
