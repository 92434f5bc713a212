//! Scenarios in Markdown: reads all fenced blocks marked `scenario` together as one file.

use std::sync::Arc;

use crate::plan::unread;
use referee_diagnostic::{Code, Diagnostic, nearest};
use referee_source::{Fence, Source, Span, fences};

/// The mark of a block that is read.
const MARK: &str = "scenario";

/// Returns a Markdown file as a source that contains only its scenario blocks, and the errors of its blocks. Spaces
/// replace everything else, so that locations are those of the Markdown file.
pub fn source(name: &str, text: String) -> (Arc<Source>, Vec<Diagnostic>) {
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
    let mut found: Vec<Diagnostic> = fences.iter().filter_map(|fence| wrong(&source, fence)).collect();
    found.extend(unread::outside(&source, &fences));
    // Markdown allows such line ends, but then a block would have to end the file.
    found.extend(lone_return(source.shown()).filter(|_| hides_blocks(source.shown())).map(|at| {
        let message = "the lines of this file end with U+000D alone, so its blocks are not read";
        Diagnostic::new(Code::InvisibleCharacter, &source, Span::new(at..at + 1), message)
            .label("the first line ends here")
            .help("save the file with line ends of Unix (U+000A) or of Windows (U+000D U+000A)")
    }));
    let last = fences.last().filter(|last| !last.closed && found.is_empty() && fences.iter().any(is_scenario_block));
    let ends = |fence: &&Fence| fence.range.end >= source.shown().trim_end().len();
    found.extend(last.filter(ends).and_then(|fence| unclosed(&source, fence)));
    (source, found)
}

/// Returns whether a Markdown text has scenario blocks, or blocks that are probably meant to be.
pub fn has_scenarios(text: &str) -> bool {
    let fences = fences(text);
    let own = fences.iter().any(|fence| is_scenario_block(fence) || is_meant(text, fence));
    own || unread::is_outside(text, &fences) || hides_blocks(text)
}

/// Returns whether a text has scenario blocks only for readers to whom U+000D alone ends a line, as in CommonMark.
fn hides_blocks(text: &str) -> bool {
    let has = |text: &str| fences(text).iter().any(is_scenario_block);
    lone_return(text).is_some() && !has(text) && has(&text.replace('\r', "\n"))
}

/// Returns the first U+000D that is not followed by U+000A.
fn lone_return(text: &str) -> Option<usize> {
    text.match_indices('\r').map(|(at, _)| at).find(|at| text.as_bytes().get(at + 1) != Some(&b'\n'))
}

/// Returns whether a block holds scenarios.
pub fn is_scenario_block(fence: &Fence) -> bool {
    fence.mark().eq_ignore_ascii_case(MARK)
}

/// Returns whether a block that is not read is probably meant to be: its mark is misspelt, it holds an example, or it
/// is unclosed and so contains blocks with the mark.
fn is_meant(text: &str, fence: &Fence) -> bool {
    is_misspelt(fence) || swallowed(text, fence).is_some() || unread::is_example(text, fence)
}

fn is_misspelt(fence: &Fence) -> bool {
    let bare = fence.mark().trim_matches(|letter: char| !letter.is_alphanumeric()).to_lowercase();
    // `scenario:pig` and `scenario-pig` too.
    let word = bare.split(|letter: char| !letter.is_alphanumeric()).next().unwrap_or_default();
    !is_scenario_block(fence) && (word == MARK || is_begun(&bare) || nearest(&bare, [MARK]).is_some())
}

/// Returns whether a mark is the beginning of the right one.
fn is_begun(mark: &str) -> bool {
    mark.len() > 2 && MARK.starts_with(mark)
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

/// Returns the span of the opening line of a block.
fn head(source: &Source, fence: &Fence) -> Option<Span> {
    let line = source.shown().get(fence.range.clone())?.lines().next()?.trim_end();
    Some(Span::new(fence.range.start..fence.range.start + line.len()))
}

fn wrong(source: &Arc<Source>, fence: &Fence) -> Option<Diagnostic> {
    if is_misspelt(fence) {
        let message = format!("this block is marked `{}`, so it is not read", fence.mark());
        let help = "did you mean `scenario`? Blocks whose first word is `scenario` are read";
        return Some(Diagnostic::new(Code::UnreadBlock, source, head(source, fence)?, message).help(help));
    }
    if swallowed(source.shown(), fence).is_some() || !fence.closed && is_scenario_block(fence) {
        return unclosed(source, fence);
    }
    if is_scenario_block(fence) || !unread::is_example(source.shown(), fence) {
        return None;
    }
    let message = match fence.mark() {
        "" => "this block holds an example, but it has no mark, so it is not read".to_owned(),
        mark => format!("this block holds an example, but it is marked `{mark}`, so it is not read"),
    };
    let help = "mark it `scenario` if it is to be run, or `text` if it is to be shown only";
    Some(Diagnostic::new(Code::UnreadBlock, source, head(source, fence)?, message).help(help))
}

/// Returns the error for a block that is not closed, or that contains another one because of that.
fn unclosed(source: &Arc<Source>, fence: &Fence) -> Option<Diagnostic> {
    let head = head(source, fence)?;
    let marks = source.shown().get(head.range())?.chars().take_while(|letter| matches!(letter, '`' | '~'));
    let marks: String = marks.collect();
    let wrong = Diagnostic::new(Code::UnclosedBlock, source, head, "this block is not closed").label("opened here");
    let wrong = match swallowed(source.shown(), fence) {
        Some(inner) => wrong.also(source, inner, "this block is inside it, so it is not read"),
        None => wrong,
    };
    let help = "after its last line; use longer fences for a block that contains others";
    Some(wrong.help(format!("write a line {marks} {help}")))
}
