//! Where a text in Markdown begins something: its lines, the cells of its tables, and what follows a tag of HTML, each
//! after the marks of lists, quotes and emphasis.

use referee_source::{Markup, within};

use super::marks::{Mark, near, opening};

/// Where the number of a clause may stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// At the beginning of a line, also after `-` or `*`.
    Paragraph,
    /// At the beginning of an item or a paragraph after other marks: `1.`, `+`, `__`, a tag of HTML, an anchor.
    Item,
    /// At the beginning of a cell of a table, or of a footnote.
    Cell,
    /// In a heading or a quote.
    Apart,
    /// After something that Markdown does not know: `a)`, `•`; or struck out.
    Odd,
    /// In a block that is code because it is indented.
    Code,
}

impl Place {
    /// Returns whether a number in this place begins a clause.
    pub(super) const fn is_read(self) -> bool {
        !matches!(self, Self::Apart | Self::Odd)
    }

    /// Returns whether this mark in this place may be meant as the number of a clause.
    pub(super) fn has(self, mark: &Mark<'_>) -> bool {
        match self {
            Self::Paragraph | Self::Apart => true,
            Self::Item | Self::Odd => mark.is_square() || mark.is_capital(),
            Self::Cell | Self::Code => mark.is_square(),
        }
    }
}

/// Where the first words of something are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Beginning {
    /// Their index.
    pub(super) at: usize,
    pub(super) place: Place,
}

/// Elements of HTML that begin a line of their own.
const BLOCKS: [&str; 14] =
    ["article", "br", "dd", "div", "dl", "dt", "li", "p", "section", "summary", "td", "th", "tr", "blockquote"];
/// Characters that are written for the mark of an item, and that Markdown does not know.
const BULLETS: &str = "•◦▪▫■□●○–—·§→►▶‣⁃:";

/// Returns where the lines, cells and elements of a text begin, in order, outside of code and comments.
pub(super) fn beginnings(text: &str, markup: &Markup) -> Vec<Beginning> {
    let mut starts: Vec<(usize, bool)> = vec![(0, true)];
    starts.extend(text.match_indices('\n').map(|(at, _)| (at + 1, true)));
    starts.extend(markup.comments.iter().map(|comment| (comment.end, false)));
    starts.extend(elements(text).map(|at| (at, false)));
    let cells = markup.cells.iter().map(|at| (*at, false));
    starts.extend(cells);
    starts.sort_by_key(|(at, is_line)| (*at, !is_line));
    let mut found: Vec<Beginning> = Vec::new();
    for (at, is_line) in starts {
        let in_comment = within(&markup.comments, at).is_some_and(|comment| comment.start < at);
        if in_comment || within(&markup.code, at).is_some() {
            continue;
        }
        let is_cell = markup.cells.binary_search(&at).is_ok();
        let mut prefix = Prefix { text, markup, at, place: if is_line { Place::Paragraph } else { Place::Item } };
        if is_cell {
            prefix.place = Place::Cell;
        }
        let is_indented = within(&markup.indented, prefix.first_word()).is_some();
        let Some(mut beginning) = prefix.beginning() else { continue };
        // A tag may end in what is code or a comment.
        let is_hidden = [&markup.comments, &markup.code].iter().any(|parts| within(parts, beginning.at).is_some());
        if within(&markup.headings, beginning.at).is_some() {
            beginning.place = Place::Apart;
        }
        if is_indented {
            beginning.place = match beginning.place {
                Place::Paragraph | Place::Item => Place::Code,
                _ => Place::Odd,
            };
        }
        let is_new = found.last().is_none_or(|last| last.at < beginning.at);
        if is_new && !is_hidden && !(is_indented && beginning.place == Place::Odd) {
            found.push(beginning);
        } else if let Some(last) = found.last_mut().filter(|last| last.at == beginning.at && is_cell) {
            // The first cell of a row without a line at its side.
            if last.place == Place::Item {
                last.place = Place::Cell;
            }
        }
    }
    found
}

/// Returns the ends of the tags that begin a line of their own.
fn elements(text: &str) -> impl Iterator<Item = usize> {
    text.match_indices('<').filter_map(|(at, _)| {
        let tag = tag(text.get(at..)?)?;
        BLOCKS.contains(&tag.name.as_str()).then_some(at + tag.length)
    })
}

/// A tag of HTML.
struct Tag {
    /// Its name in small letters.
    name: String,
    length: usize,
}

/// Returns the tag at the beginning of a text.
fn tag(text: &str) -> Option<Tag> {
    let inside = text.strip_prefix('<')?;
    let inside = inside.strip_prefix('/').unwrap_or(inside);
    let name: String = inside.chars().take_while(char::is_ascii_alphanumeric).take(16).collect();
    let next = inside.get(name.len()..)?.chars().next()?;
    if !name.starts_with(|letter: char| letter.is_ascii_alphabetic())
        || !(next.is_whitespace() || matches!(next, '>' | '/'))
    {
        return None;
    }
    let close = 1 + inside_of_tag(text)?;
    Some(Tag { name: name.to_ascii_lowercase(), length: close + 1 })
}

/// Returns the number of bytes between the brackets of a tag.
fn inside_of_tag(text: &str) -> Option<usize> {
    let inside = text.as_bytes().get(1..)?;
    let end = inside.iter().position(|byte| matches!(byte, b'>' | b'<'))?;
    (inside.get(end) == Some(&b'>')).then_some(end)
}

/// What stands before the first words.
struct Prefix<'t> {
    text: &'t str,
    markup: &'t Markup,
    at: usize,
    place: Place,
}

impl<'t> Prefix<'t> {
    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Returns the index of the first word of the line.
    fn first_word(&self) -> usize {
        let rest = self.rest();
        self.at + rest.len() - rest.trim_start_matches([' ', '\t']).len()
    }

    /// Notes a mark that is not one of those at the beginning of a paragraph.
    fn becomes(&mut self, place: Place) {
        let rank = |place: Place| match place {
            Place::Paragraph => 0,
            Place::Item => 1,
            Place::Cell | Place::Code => 2,
            Place::Odd => 3,
            Place::Apart => 4,
        };
        if rank(place) > rank(self.place) {
            self.place = place;
        }
    }

    /// Returns where the first words are; `None` if the line has none, or begins with an element that shows its text as
    /// it is.
    fn beginning(mut self) -> Option<Beginning> {
        loop {
            let rest = self.rest();
            let first = rest.chars().next()?;
            let take = |prefix: &mut Self, place: Place, length: usize| {
                prefix.becomes(place);
                prefix.at += length;
            };
            match first {
                '\n' => return None,
                ' ' | '\t' | '-' | '*' => self.at += 1,
                '>' | '#' => take(&mut self, Place::Apart, 1),
                '+' | '_' | '\r' => take(&mut self, Place::Item, 1),
                '|' => take(&mut self, Place::Cell, 1),
                '~' => take(&mut self, Place::Odd, 1),
                '<' if let Some(comment) = within(&self.markup.comments, self.at) => self.at = comment.end,
                '<' => {
                    let tag = tag(rest)?;
                    take(&mut self, place_of_element(&tag.name)?, tag.length);
                }
                '!' => take(&mut self, Place::Item, image(rest)?),
                '&' if opening(rest).is_some() => return Some(Beginning { at: self.at, place: self.place }),
                '&' => take(&mut self, Place::Item, entity(rest)?),
                '[' if let Some(length) = task_box(rest) => take(&mut self, Place::Item, length),
                '[' if let Some(length) = footnote(rest) => take(&mut self, Place::Cell, length),
                '[' if rest.starts_with("[](") => take(&mut self, Place::Item, near(rest).find(')')? + 1),
                _ if first == '\\' || opening(rest).is_some() => {
                    if let Some(length) = enumerator(rest) {
                        take(&mut self, Place::Odd, length);
                        continue;
                    }
                    if first == '\\' {
                        self.becomes(Place::Item);
                    }
                    return Some(Beginning { at: self.at, place: self.place });
                }
                _ if BULLETS.contains(first) => take(&mut self, Place::Odd, first.len_utf8()),
                _ if first.is_whitespace() || matches!(first, '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}') => {
                    take(&mut self, Place::Item, first.len_utf8());
                }
                _ => match (item(rest), enumerator(rest)) {
                    (Some(length), _) => take(&mut self, Place::Item, length),
                    (None, Some(length)) => take(&mut self, Place::Odd, length),
                    (None, None) => return None,
                },
            }
        }
    }
}

/// Returns what a number means within an element; `None` if the element shows its text as it is.
fn place_of_element(name: &str) -> Option<Place> {
    Some(match name {
        "code" | "pre" | "kbd" | "samp" | "script" | "style" => return None,
        "blockquote" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => Place::Apart,
        "del" | "s" | "strike" => Place::Odd,
        "td" | "th" => Place::Cell,
        _ => Place::Item,
    })
}

/// Returns the length of the image at the beginning of a line.
fn image(text: &str) -> Option<usize> {
    let line = near(text);
    let words = line.strip_prefix("![")?.find("](")? + 4;
    Some(words + line.get(words..)?.find(')')? + 1)
}

/// Returns the length of the character at the beginning of a text that is written by its name, such as `&nbsp;`.
fn entity(text: &str) -> Option<usize> {
    let (name, _) = near(text).get(1..)?.split_once(';')?;
    let is_name = name.len() <= 8 && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'#');
    is_name.then_some(name.len() + 2)
}

/// Returns the length of the box of a task, such as `[x]`.
fn task_box(text: &str) -> Option<usize> {
    ["[ ] ", "[x] ", "[X] "].iter().any(|task| text.starts_with(task)).then_some(4)
}

/// Returns the length of the beginning of a footnote, such as `[^1]:`.
fn footnote(text: &str) -> Option<usize> {
    let line = near(text);
    line.starts_with("[^").then(|| line.find("]:").map(|end| end + 2)).flatten()
}

/// Returns the length of the mark of an item of a numbered list.
fn item(text: &str) -> Option<usize> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let after = text.get(digits..)?;
    let is_item = (1..=9).contains(&digits) && after.starts_with(['.', ')']);
    (is_item && after.get(1..)?.starts_with(char::is_whitespace)).then_some(digits + 1)
}

/// Returns the length of a number or a letter that is written for the mark of an item, and that Markdown does not know:
/// `1.2`, `a)`, `(a)`, `iv.`.
fn enumerator(text: &str) -> Option<usize> {
    let word = near(text).split(|letter: char| letter.is_whitespace() || letter == '[').next()?;
    let opened = word.strip_prefix('(').filter(|_| word.ends_with(')'));
    let inside = opened.unwrap_or(word).trim_end_matches(['.', ')', ':']);
    let is_number = inside.starts_with(|letter: char| letter.is_ascii_digit())
        && inside.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let is_letter = inside.len() == 1 && inside.bytes().all(|byte| byte.is_ascii_alphabetic());
    let is_roman = inside.bytes().all(|byte| b"ivxIVX".contains(&byte));
    let is_closed = word.ends_with(['.', ')', ':']);
    let is_one = !inside.is_empty() && inside.len() <= 6;
    (is_one && (is_number || (is_closed && (is_letter || is_roman)))).then_some(word.len())
}
