//! The fenced code blocks of a Markdown text, including those inside quotes and lists.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag, TagEnd};

/// A fenced code block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fence {
    /// The whole block, including its opening line.
    pub range: Range<usize>,
    /// The words after the opening marks.
    pub info: String,
    /// The parts of its content in order, without the marks of surrounding quotes and lists.
    pub content: Vec<Range<usize>>,
    /// Whether it has a closing line.
    pub closed: bool,
}

impl Fence {
    /// Returns the first word after the opening marks.
    #[must_use]
    pub fn mark(&self) -> &str {
        self.info.split([' ', '\t', ',']).next().unwrap_or_default()
    }
}

/// Returns the fenced code blocks of a text, in order.
#[must_use]
pub fn fences(text: &str) -> Vec<Fence> {
    let mut fences: Vec<Fence> = Vec::new();
    let mut open = false;
    for (event, range) in Parser::new(text).into_offset_iter() {
        match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) => {
                let closed = is_closed(text.get(range.clone()).unwrap_or_default());
                fences.push(Fence { range, info: info.into_string(), content: Vec::new(), closed });
                open = true;
            }
            Event::End(TagEnd::CodeBlock) => open = false,
            Event::Text(_) if open => {
                fences.iter_mut().next_back().into_iter().for_each(|fence| fence.content.push(range.clone()))
            }
            _ => {}
        }
    }
    fences
}

/// Returns the blocks of HTML of a text, such as comments, in order.
#[must_use]
pub fn html_blocks(text: &str) -> Vec<Range<usize>> {
    let html = |(event, range)| matches!(event, Event::Start(Tag::HtmlBlock)).then_some(range);
    Parser::new(text).into_offset_iter().filter_map(html).collect()
}

/// Returns whether the last line of a block is its closing line.
fn is_closed(block: &str) -> bool {
    let mut lines = block.lines();
    let Some(first) = lines.next().map(str::trim_start) else { return false };
    let Some(mark) = first.chars().next() else { return false };
    let length = first.chars().take_while(|letter| *letter == mark).count();
    let last = lines.next_back().unwrap_or_default().trim_start_matches([' ', '\t', '>']).trim_end();
    last.chars().count() >= length && last.chars().all(|letter| letter == mark)
}
