//! The parts that all pages share.

use maud::{DOCTYPE, Markup, html};

use referee_diagnostic::one_line;
use referee_draw::STYLE;
use referee_trace::Status;

/// The style of pages.
pub(crate) const PAGE_STYLE: &str = include_str!("report.css");
/// The style of steps and verdicts, which pages of others can use too: every rule is about a class of ours.
pub(crate) const STEP_STYLE: &str = include_str!("parts.css");

/// The files that all pages use: names and contents. The style of the pictures comes first.
pub const PAGE_FILES: [(&str, &[&str]); 2] =
    [("report.css", &[STYLE, "\n", STEP_STYLE, PAGE_STYLE]), ("report.js", &[include_str!("report.js")])];

/// Returns the name of the page of a test, by its index among all tests of the run.
#[must_use]
pub fn page_name(at: usize) -> String {
    format!("{:04}.html", at + 1)
}

/// Returns a page with this title, which uses [`PAGE_FILES`].
pub(super) fn page(title: &str, head: &Markup, main: &Markup, script: bool) -> String {
    let files = html! {
        link rel="stylesheet" href="report.css";
        @if script { script src="report.js" defer {} }
    };
    document(title, &files, head, main)
}

/// Returns a page with this title; `style` is the rest of its head.
pub(crate) fn document(title: &str, style: &Markup, head: &Markup, main: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="generator" content="referee";
                title { (one_line(title)) }
                (style)
            }
            body {
                header { (head) }
                main { (main) }
            }
        }
    };
    page.into_string() + "\n"
}

/// Returns the mark and the word for a status. The mark is not read aloud.
pub(crate) fn badge(status: Status) -> Markup {
    let (class, mark) = match status {
        Status::Passed => ("passed", "✓"),
        Status::Failed => ("failed", "✗"),
        Status::Errored => ("failed", "!"),
        Status::Skipped => ("skipped", "–"),
    };
    html! { span.status.(class) { span aria-hidden="true" { (mark) } " " (status.word()) } }
}

/// Returns the link that opens an example in the playground, if there is an address.
pub(crate) fn opened(address: Option<&str>) -> Markup {
    html! { @if let Some(address) = address { ", " a href=(address) { "open in the playground" } } }
}

/// Returns a heading of a level from 1 to 6; greater levels are 6.
pub(crate) fn heading(level: u8, id: Option<&str>, content: &Markup) -> Markup {
    match level {
        0 | 1 => html! { h1 id=[id] { (content) } },
        2 => html! { h2 id=[id] { (content) } },
        3 => html! { h3 id=[id] { (content) } },
        4 => html! { h4 id=[id] { (content) } },
        5 => html! { h5 id=[id] { (content) } },
        _ => html! { h6 id=[id] { (content) } },
    }
}
