//! The fenced code blocks of a Markdown text, including those inside quotes and lists.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

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

/// Where the text of a Markdown file is not plain.
#[derive(Debug, Default)]
pub struct Markup {
    /// Fenced blocks and code in lines. Blocks that are code because they are indented are not here.
    pub code: Vec<Range<usize>>,
    /// Blocks that are code because they are indented.
    pub indented: Vec<Range<usize>>,
    /// Comments of HTML.
    pub comments: Vec<Range<usize>>,
    /// Headings.
    pub headings: Vec<Range<usize>>,
    /// The beginnings of the cells of tables.
    pub cells: Vec<usize>,
}

impl Markup {
    /// Returns where the text of a Markdown file is not plain.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let mut found = Self::default();
        for (event, range) in Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter() {
            match event {
                Event::Start(Tag::CodeBlock(CodeBlockKind::Indented)) => found.indented.push(range),
                Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_))) | Event::Code(_) => found.code.push(range),
                Event::Start(Tag::HtmlBlock) | Event::InlineHtml(_) => found.add_comments(text, range),
                Event::Start(Tag::Heading { .. }) => found.headings.push(range),
                Event::Start(Tag::TableCell) => found.cells.push(range.start),
                _ => {}
            }
        }
        found
    }

    fn add_comments(&mut self, text: &str, range: Range<usize>) {
        let mut start = range.start;
        while let Some(html) = text.get(start..range.end) {
            let Some(opens) = html.find("<!--") else { return };
            let comment = html.get(opens..).unwrap_or_default();
            let end = comment.find("-->").map_or(range.end, |end| start + opens + end + 3);
            self.comments.push(start + opens..end);
            start = end;
        }
    }
}

/// Returns whether an index is in one of these ranges, which are in order.
#[must_use]
pub fn within(ranges: &[Range<usize>], at: usize) -> Option<&Range<usize>> {
    let before = ranges.partition_point(|range| range.start <= at);
    ranges.get(before.checked_sub(1)?).filter(|range| range.contains(&at))
}
