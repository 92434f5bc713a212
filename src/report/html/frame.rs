//! What all pages share.

use maud::{DOCTYPE, Markup, html};

use crate::draw::{STYLE, clean};
use crate::trace::Status;

/// The files that all pages use: names and contents. The style of the pictures comes first.
pub const PAGE_FILES: [(&str, &[&str]); 2] =
    [("report.css", &[STYLE, "\n", include_str!("report.css")]), ("report.js", &[include_str!("report.js")])];

/// Returns the name of the page of a test, by its index among all tests of the run.
#[must_use]
pub fn page_name(at: usize) -> String {
    format!("{:04}.html", at + 1)
}

/// Returns a page with this title.
pub(super) fn page(title: &str, head: &Markup, main: &Markup, script: bool) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="generator" content="referee";
                title { (clean(title)) }
                link rel="stylesheet" href="report.css";
                @if script { script src="report.js" defer {} }
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
pub(super) fn badge(status: Status) -> Markup {
    let (class, mark, word) = match status {
        Status::Passed => ("passed", "✓", "passed"),
        Status::Failed => ("failed", "✗", "failed"),
        Status::Errored => ("failed", "!", "errored"),
        Status::Skipped => ("skipped", "–", "skipped"),
    };
    html! { span.status.(class) { span aria-hidden="true" { (mark) } " " (word) } }
}
