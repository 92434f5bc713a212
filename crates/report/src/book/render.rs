//! Markdown as HTML. Raw HTML is shown as text, comments are left out, and links lead only to harmless places.

use std::collections::{BTreeMap, BTreeSet};

use maud::html;
use pulldown_cmark::html::push_html;
use pulldown_cmark::{CowStr, Event, HeadingLevel, Tag, TagEnd};

use super::content::Content;
use super::events::{Events, PlacedClause, events, placed_clauses};
use referee_diagnostic::printable;

/// The kinds of addresses that a link may have.
const SCHEMES: [&str; 3] = ["http", "https", "mailto"];

/// A text as HTML.
pub(super) struct Rendered {
    /// The heading at its beginning, if that is one of the first level, as HTML and as text.
    pub(super) title: Option<(String, String)>,
    /// The rest.
    pub(super) body: String,
    /// Whether the rest has a heading of the first level.
    pub(super) has_first_level: bool,
}

/// The pictures that a page contains: by their addresses in the text, addresses that have their data.
pub type Embedded = BTreeMap<String, String>;

/// Returns the addresses of the pictures of a text that are files beside it.
#[must_use]
pub fn picture_files(text: &str) -> BTreeSet<String> {
    let addresses = events(text).into_iter().filter_map(|(event, _)| match event {
        Event::Start(Tag::Image { dest_url, .. }) => Some(dest_url.into_string()),
        _ => None,
    });
    addresses.filter(|address| !address.contains(':') && !address.starts_with(['/', '\\', '#'])).collect()
}

/// Returns a text as HTML with its examples, clauses and pictures.
pub(super) fn render(text: &str, content: &Content<'_>, pictures: &Embedded) -> Rendered {
    let events = events(text);
    let clauses = placed_clauses(text, &events, |id| content.has_clause(id));
    let (ids, written) = (BTreeMap::new(), Vec::new());
    let mut writer = Writer { content, pictures, clauses, begun: 0, ended: 0, level: 1, links: 0, ids, written };
    writer.write(&events);
    let Writer { mut written, .. } = writer;
    let is_title = matches!(written.first(), Some(Event::Start(Tag::Heading { level: HeadingLevel::H1, .. })));
    let end = written.iter().position(|event| matches!(event, Event::End(TagEnd::Heading(_))));
    let title = end.filter(|_| is_title).map(|end| {
        let heading: Vec<Event<'_>> = written.drain(..=end).collect();
        (pushed(heading.clone()), plain(heading.iter()))
    });
    let is_first = |event: &Event<'_>| matches!(event, Event::Start(Tag::Heading { level: HeadingLevel::H1, .. }));
    let has_first_level = written.iter().any(is_first);
    Rendered { title, body: pushed(written), has_first_level }
}

fn pushed(events: Vec<Event<'_>>) -> String {
    let mut html = String::new();
    push_html(&mut html, events.into_iter());
    // An empty cell is the heading of nothing.
    for style in ["", " style=\"text-align: left\"", " style=\"text-align: center\"", " style=\"text-align: right\""] {
        html = html.replace(&format!("<th{style}></th>"), "<td></td>");
    }
    html
}

/// Returns the text of events without their marks.
fn plain<'e>(events: impl Iterator<Item = &'e Event<'e>>) -> String {
    let text = events.map(|event| match event {
        Event::Text(text) | Event::Code(text) => text.to_string(),
        Event::SoftBreak | Event::HardBreak => " ".to_owned(),
        _ => String::new(),
    });
    text.collect()
}

/// Turns the events of a text into those that are written.
struct Writer<'w, 't> {
    content: &'w Content<'w>,
    pictures: &'w Embedded,
    clauses: Vec<PlacedClause<'w>>,
    /// The number of clauses whose beginnings are written, and of those whose ends are.
    begun: usize,
    ended: usize,
    /// The level of the heading above.
    level: u8,
    /// The number of open links.
    links: usize,
    /// How often each id of a heading occurs.
    ids: BTreeMap<String, usize>,
    written: Vec<Event<'t>>,
}

impl<'w, 't> Writer<'w, 't> {
    fn raw(&mut self, html: String) {
        self.written.push(Event::InlineHtml(html.into()));
    }

    fn write(&mut self, events: &Events<'t>) {
        let mut at = 0;
        while let Some((event, range)) = events.get(at) {
            at = match event {
                Event::Start(Tag::CodeBlock(_)) => self.code(events, at),
                Event::Start(Tag::HtmlBlock) => self.html_block(events, at),
                Event::Start(Tag::Heading { level, .. }) => self.heading(events, at, *level),
                Event::Start(Tag::Image { dest_url, title, .. }) => self.image(events, at, (dest_url, title)),
                Event::Start(tag) => self.start(tag, at),
                Event::End(tag) => self.end(*tag, at),
                Event::Text(_) => self.text(events, at),
                Event::InlineHtml(html) | Event::Html(html) => {
                    let shown = without_comments(html);
                    self.begin(range.end);
                    self.written.push(Event::Text(shown.into()));
                    at + 1
                }
                Event::Code(_) => {
                    self.begin(range.end);
                    self.written.push(event.clone());
                    at + 1
                }
                other => {
                    self.written.push(other.clone());
                    at + 1
                }
            };
            // Only an event with text, or the end of an element, can be the end of a clause.
            let last = events.get(at - 1);
            if let Some((Event::Text(_) | Event::Code(_) | Event::InlineHtml(_) | Event::End(_), range)) = last {
                self.close(range.end);
            }
        }
        self.close(usize::MAX);
    }

    /// Writes the anchors of the clauses that begin before an index.
    fn begin(&mut self, before: usize) {
        while let Some(clause) = self.clauses.get(self.begun).copied().filter(|clause| clause.start < before) {
            self.begun += 1;
            self.raw(html! { span.clause id=(self.content.clause_id(clause.id)) {} }.into_string());
        }
    }

    /// Writes the examples of the clauses that end up to an index.
    fn close(&mut self, until: usize) {
        while let Some(clause) = self.clauses.get(self.ended).copied().filter(|clause| clause.end <= until) {
            self.begin(clause.start + 1);
            self.ended += 1;
            let all = format!("#{}", shown_id(clause.id));
            self.raw(self.content.note(clause.id, Some(&all)).into_string());
        }
    }

    /// Writes a text; the id of a clause as one anchor.
    fn text(&mut self, events: &Events<'t>, at: usize) -> usize {
        let Some((Event::Text(text), range)) = events.get(at) else { return at + 1 };
        let clause = self.clauses.get(self.begun).copied().filter(|clause| clause.start == range.start);
        let words = |at: usize| match events.get(at) {
            Some((Event::Text(text), _)) => Some(&**text),
            _ => None,
        };
        match clause {
            Some(PlacedClause { id, start, .. })
                if [words(at), words(at + 1), words(at + 2)] == [Some("["), Some(id), Some("]")] =>
            {
                self.begin(start);
                self.begun += 1;
                self.raw(html! { span.clause id=(self.content.clause_id(id)) { "[" (id) "]" } }.into_string());
                at + 3
            }
            _ => {
                self.begin(range.end);
                self.written.push(Event::Text(text.clone()));
                at + 1
            }
        }
    }

    fn start(&mut self, tag: &Tag<'t>, at: usize) -> usize {
        match tag {
            Tag::Link { dest_url, title, .. } => {
                self.links += 1;
                self.link(dest_url, title);
            }
            Tag::Table(_) => {
                self.raw("<div class=\"wide\" tabindex=\"0\">".to_owned());
                self.written.push(Event::Start(tag.clone()));
            }
            tag => self.written.push(Event::Start(tag.clone())),
        }
        at + 1
    }

    fn end(&mut self, tag: TagEnd, at: usize) -> usize {
        match tag {
            TagEnd::Link => {
                self.links = self.links.saturating_sub(1);
                self.raw("</a>".to_owned());
            }
            TagEnd::Table => {
                self.written.push(Event::End(tag));
                self.raw("</div>\n".to_owned());
            }
            tag => self.written.push(Event::End(tag)),
        }
        at + 1
    }

    fn link(&mut self, address: &str, title: &str) {
        let address = Some(printable(address)).filter(|address| is_harmless(address));
        let title = Some(printable(title)).filter(|title| !title.is_empty());
        let open = html! { a href=[address] title=[title] {} }.into_string();
        self.raw(open.trim_end_matches("</a>").to_owned());
    }

    /// Writes a picture whose data are there; otherwise, because a page fetches nothing, a link to it. Returns the
    /// index of the event after it.
    fn image(&mut self, events: &Events<'t>, at: usize, (address, title): (&str, &str)) -> usize {
        let mut depth = 0;
        let inside = events.iter().skip(at).take_while(|(event, _)| {
            depth += match event {
                Event::Start(Tag::Image { .. }) => 1,
                Event::End(TagEnd::Image) => -1,
                _ => 0,
            };
            depth > 0
        });
        let inside: Vec<&Event<'_>> = inside.map(|(event, _)| event).collect();
        let words = printable(&plain(inside.iter().copied()));
        let named = if words.trim().is_empty() { printable(address) } else { words.clone() };
        match self.pictures.get(address) {
            Some(data) => {
                let title = Some(printable(title)).filter(|title| !title.is_empty());
                self.raw(html! { img src=(data) alt=(words) title=[title]; }.into_string());
            }
            // Links must not be inside links.
            None if self.links > 0 => self.written.push(Event::Text(named.into())),
            None => {
                self.link(address, title);
                self.written.push(Event::Text(named.into()));
                self.raw("</a>".to_owned());
            }
        }
        at + inside.len() + 1
    }

    /// Writes a heading with an id; returns the index of the event after it.
    fn heading(&mut self, events: &Events<'t>, at: usize, level: HeadingLevel) -> usize {
        let rest = events.iter().skip(at + 1).take_while(|(event, _)| !matches!(event, Event::End(TagEnd::Heading(_))));
        let words = rest.map(|(event, _)| match event {
            Event::Text(text) | Event::Code(text) => text.to_string(),
            Event::InlineHtml(html) => without_comments(html),
            Event::SoftBreak | Event::HardBreak => " ".to_owned(),
            _ => String::new(),
        });
        let slug = slug(&words.collect::<String>());
        let count = self.ids.entry(slug.clone()).or_default();
        let mut id = if *count == 0 { slug.clone() } else { format!("{slug}-{count}") };
        *count += 1;
        // `a-1` may be the id of another heading.
        while id != slug && self.ids.contains_key(&id) {
            id.push_str("-1");
        }
        self.ids.entry(id.clone()).or_insert(1);
        self.level = level as u8;
        let (classes, attrs) = (Vec::new(), Vec::new());
        self.written.push(Event::Start(Tag::Heading { level, id: Some(id.into()), classes, attrs }));
        at + 1
    }

    /// Writes a block of code or its replacement; returns the index of the event after it.
    fn code(&mut self, events: &Events<'t>, at: usize) -> usize {
        let end = end_of(events, at, TagEnd::CodeBlock);
        let start = events.get(at).map_or(0, |(_, range)| range.start);
        let shown = match self.content.block(start, self.level.saturating_add(1)) {
            Some((block, _)) => block.into_string(),
            None => {
                let code = plain(events.iter().take(end).skip(at).map(|(event, _)| event));
                html! { pre tabindex="0" { code { (code) } } }.into_string()
            }
        };
        self.written.push(Event::Html(format!("{shown}\n").into()));
        end + 1
    }

    /// Writes a block of HTML as text; returns the index of the event after it.
    fn html_block(&mut self, events: &Events<'t>, at: usize) -> usize {
        let end = end_of(events, at, TagEnd::HtmlBlock);
        let lines = events.iter().take(end).skip(at).filter_map(|(event, _)| match event {
            Event::Html(html) => Some(&**html),
            _ => None,
        });
        let shown = without_comments(&lines.collect::<String>());
        if !shown.trim().is_empty() {
            self.written.push(Event::Start(Tag::Paragraph));
            self.written.push(Event::Text(CowStr::from(shown.trim().to_owned())));
            self.written.push(Event::End(TagEnd::Paragraph));
        }
        end + 1
    }
}

/// Returns the id of the list of examples that show a clause.
pub(super) fn shown_id(clause: &str) -> String {
    format!("Shown-{clause}")
}

/// Returns the index of the next end of such a block.
fn end_of(events: &Events<'_>, at: usize, tag: TagEnd) -> usize {
    let rest = events.iter().enumerate().skip(at);
    let mut ends = rest.filter(|(_, (event, _))| *event == Event::End(tag));
    ends.next().map_or(events.len(), |(end, _)| end)
}

/// Returns HTML without its comments. A comment that does not end reaches to the end.
fn without_comments(html: &str) -> String {
    let mut left = String::new();
    let mut rest = html;
    while let Some((before, comment)) = rest.split_once("<!--") {
        left.push_str(before);
        rest = comment.split_once("-->").map_or("", |(_, after)| after);
    }
    left.push_str(rest);
    left
}

/// Returns whether a link may lead to an address: to the page itself, to a file, or to the web.
fn is_harmless(address: &str) -> bool {
    // Browsers ignore spaces and control characters.
    let bare: String = address.chars().filter(|letter| !letter.is_control() && !letter.is_whitespace()).collect();
    match bare.split_once(':') {
        Some((scheme, _)) if !scheme.contains(['/', '?', '#']) => SCHEMES.contains(&scheme.to_lowercase().as_str()),
        _ => true,
    }
}

/// Returns the id of a heading, as rulebooks link to it: small letters, numbers and `-`. Ids of ours begin with a
/// capital letter, so they are different.
fn slug(text: &str) -> String {
    let kept = text.trim().chars().filter_map(|letter| match letter {
        letter if letter.is_alphanumeric() || matches!(letter, '-' | '_') => Some(letter),
        letter if letter.is_whitespace() => Some('-'),
        _ => None,
    });
    let slug = kept.collect::<String>().to_lowercase();
    if slug.is_empty() { "section".to_owned() } else { slug }
}
