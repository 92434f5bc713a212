//! A rulebook as one page.

use maud::{Markup, PreEscaped, html};

use super::content::{BookText, Content, ShownExample, example_id, link_after};
use super::example::Example;
use super::render::{Embedded, Rendered, render, shown_id};
use crate::html::{PAGE_STYLE, STEP_STYLE, document};
use referee_diagnostic::one_line;
use referee_draw::STYLE;

/// The style of a page that examples also have elsewhere.
pub(super) const EXAMPLE_STYLE: &str = include_str!("example.css");
/// The style of a page.
const BOOK_STYLE: &str = include_str!("book.css");
/// The content security policy: a browser loads and runs nothing; pictures are in the page.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

/// The content of a page.
#[derive(Clone, Copy, Debug)]
pub struct BookPage<'b> {
    /// The name of the rulebook, for one without a title.
    pub name: &'b str,
    /// Its text, in Markdown.
    pub text: &'b str,
    /// The examples in its blocks.
    pub own: &'b [Example],
    /// The examples of other files.
    pub further: &'b [Example],
    /// The pictures that the page contains.
    pub pictures: &'b Embedded,
}

impl<'b> BookPage<'b> {
    const fn content(&self, shown: &'b [ShownExample<'b>]) -> BookText<'b> {
        BookText { text: self.text, own: self.own, shown, elsewhere: &[], prefix: "" }
    }

    /// Returns all examples with their addresses.
    fn shown(&self) -> Vec<ShownExample<'b>> {
        let all = self.own.iter().chain(self.further).enumerate();
        let one = |(at, example)| {
            let address = format!("#{}", example_id("", at + 1));
            ShownExample { example, address, is_own: at < self.own.len() }
        };
        all.map(one).collect()
    }
}

/// Returns the number of clauses of the rulebook, and the ids of those that no example shows.
#[must_use]
pub fn clauses_without_example(given: &BookPage<'_>) -> (usize, Vec<String>) {
    let shown = given.shown();
    let content = Content::of(&given.content(&shown));
    let missing = content.clauses.iter().filter(|(_, shown)| shown.is_empty()).map(|(id, _)| (*id).to_owned());
    (content.clauses.len(), missing.collect())
}

/// Returns the page.
#[must_use]
pub fn book_page(given: &BookPage<'_>) -> String {
    let shown = given.shown();
    let content = Content::of(&given.content(&shown));
    let Rendered { title, body, has_first_level } = render(given.text, &content, given.pictures);
    let (heading, name) = match title {
        Some((html, text)) => (html! { (PreEscaped(html)) }, text),
        None if has_first_level => (html! {}, given.name.to_owned()),
        None => (html! { h1 { (one_line(given.name)) } }, given.name.to_owned()),
    };
    let style = html! {
        meta http-equiv="Content-Security-Policy" content=(POLICY);
        style { (PreEscaped([STYLE, "\n", STEP_STYLE, PAGE_STYLE, EXAMPLE_STYLE, BOOK_STYLE].concat())) }
    };
    let head = html! {
        (heading)
        p.summary { (summary(given, &content)) }
        @if !content.clauses.is_empty() || !given.further.is_empty() {
            nav aria-label="On this page" {
                ul {
                    @if !content.clauses.is_empty() { li { a href="#Clauses" { "Clauses and their examples" } } }
                    @if !given.further.is_empty() { li { a href="#Further" { "Further examples" } } }
                }
            }
        }
    };
    let main = html! {
        (PreEscaped(body))
        @if !content.clauses.is_empty() { (clauses(&content)) }
        @if !given.further.is_empty() { (further(given, &content)) }
    };
    document(&name, &style, &head, &main)
}

/// Returns how many examples and clauses the page has.
fn summary(given: &BookPage<'_>, content: &Content<'_>) -> String {
    let examples = given.own.len() + given.further.len();
    let passed = match examples {
        1 => "1 example, which the rules pass".to_owned(),
        _ => format!("{examples} examples, all of which the rules pass"),
    };
    let all = content.clauses.len();
    let shown = content.clauses.iter().filter(|(_, shown)| !shown.is_empty()).count();
    if all == 0 { format!("{passed}.") } else { format!("{passed}; they show {shown} of {all} clauses.") }
}

/// Returns the clauses, each with all examples that show it.
fn clauses(content: &Content<'_>) -> Markup {
    html! {
        section aria-labelledby="Clauses" {
            h2 #Clauses { "Clauses and their examples" }
            dl.clauses {
                @for (id, shown) in &content.clauses {
                    div {
                        dt id=(shown_id(id)) { a href=(format!("#{}", content.clause_id(id))) { (id) } }
                        dd {
                            @if shown.is_empty() { (content.note(id, None)) }
                            @for (at, one) in shown.iter().enumerate() {
                                @if at > 0 { ", " }
                                (link_after(at.checked_sub(1).and_then(|before| shown.get(before)).copied(), one))
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Returns the examples of other files.
fn further(given: &BookPage<'_>, content: &Content<'_>) -> Markup {
    let numbered = given.further.iter().enumerate().map(|(at, example)| (given.own.len() + at + 1, example));
    let mut files: Vec<(&str, Vec<(usize, &Example)>)> = Vec::new();
    for (number, example) in numbered {
        match files.last_mut().filter(|(file, _)| *file == example.file) {
            Some((_, own)) => own.push((number, example)),
            None => files.push((&example.file, vec![(number, example)])),
        }
    }
    html! {
        section aria-labelledby="Further" {
            h2 #Further { "Further examples" }
            @for (file, own) in &files {
                h3 { (one_line(file)) }
                @for (number, example) in own { (content.example(*number, example, 4)) }
            }
        }
    }
}
