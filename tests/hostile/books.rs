//! Rulebooks of any lines become pages and chapters without a panic, with one anchor for each clause, links that lead
//! somewhere, and nothing active.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::LazyLock;

use proptest::prelude::*;
use pulldown_cmark::{Options, Parser};
use referee_game::clause_places;
use referee_report::{BookPage, BookText, Embedded, Example, ShownExample, book_chapter, book_page, example_id};
use referee_scenario::{Loader, LoaderOptions};
use referee_source::MemoryHost;

use crate::commands::GOOD;
use crate::suite::HOP;

/// The beginning of each text, so that its clauses are those of the game.
fn begin() -> String {
    format!("```scenario\n{GOOD}```\n\n")
}

/// The lines that texts are made of.
const LINES: [&str; 47] = [
    "[R1] Roll the die.",
    "- [R2] Never *walk* there",
    "  - [R1] nested",
    "> [R2] in a quote",
    "    [R1] in code",
    "\t[R2] after a tab",
    "**[R1] all strong**",
    "* [R2] [a link](x.md)",
    "1. [R1] numbered",
    "[R1]: https://example.org",
    "[R2]",
    "[R1] `code` ![alt](b.png) <b>bold</b>",
    "# [R2] Heading",
    "# Heading",
    "## Heading",
    "===",
    "---",
    "",
    "",
    "```",
    "~~~text",
    "<script>alert(1)</script>",
    "<form>",
    "<!-- a comment",
    "-->",
    "| a | |",
    "|---|:-:|",
    "| [R1] | `x` |",
    "[a](javascript:alert(1)) <img src=x onerror=go()>",
    "<javascript:alert(1)> <https://example.org/?a=1&b=2>",
    "&lt;script&gt; &#0; \u{202e}\u{0}",
    "text [R1] inside ~~struck~~  ",
    "\\[R2] escaped \\",
    "`open",
    "close`",
    "![alt",
    "more](b.png) end",
    "[x](y \"t",
    "[R2] z\") end",
    "<a title='",
    "[R1] in a tag'>",
    "[R1] a | b",
    "--|--",
    "*open",
    "close* **",
    "- ```text",
    "  ```",
];

/// The example at the beginning.
static EXAMPLE: LazyLock<Example> = LazyLock::new(|| super::on_worker(example));

/// Returns the example at the beginning.
fn example() -> Example {
    let host = HOP.iter().fold(MemoryHost::default(), |host, (path, text)| host.with(*path, *text));
    let host = host.with("rules.md", begin());
    let mut loader = Loader::new(&host, LoaderOptions::default());
    let suite = referee_scenario::plan(&mut loader, Path::new("rules.md"));
    let judged = referee_scenario::judge_watched(&mut loader, &suite, 0);
    Example::of(judged, Vec::new(), true).unwrap()
}

fn attributes<'h>(html: &'h str, name: &str) -> Vec<&'h str> {
    let begin = format!(" {name}=\"");
    html.split(begin.as_str()).skip(1).map(|rest| rest.split('"').next().unwrap()).collect()
}

/// Checks a page or a chapter.
fn check(html: &str, clauses: &BTreeSet<&str>, prefix: &str) {
    for clause in clauses {
        assert_eq!(html.matches(&format!(" id=\"Clause-{prefix}{clause}\"")).count(), 1, "{clause}");
    }
    let ids = attributes(html, "id");
    let own = |id: &&&str| id.starts_with(char::is_uppercase);
    let distinct: BTreeSet<&str> = ids.iter().copied().collect();
    assert_eq!(ids.iter().filter(own).count(), distinct.iter().filter(own).count(), "an id occurs twice");
    for link in attributes(html, "href").into_iter().filter_map(|link| link.strip_prefix('#')) {
        assert!(distinct.contains(link), "#{link} leads nowhere");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn any_lines_become_a_page_and_a_chapter(chosen in prop::collection::vec(0..LINES.len(), 0..14)) {
        let lines: Vec<&str> = chosen.iter().map(|at| LINES[*at]).collect();
        let text = begin() + lines.join("\n").as_str();
        let own = [EXAMPLE.clone()];
        let clauses: BTreeSet<&str> = clause_places(&text).into_iter().map(|(id, _)| id).collect();
        let page = book_page(&BookPage { name: "rules.md", text: &text, own: &own, further: &[], pictures: &Embedded::new() });
        check(&page, &clauses, "");
        let ids = attributes(&page, "id");
        prop_assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len());
        let body = page.split_once("<body>").unwrap().1;
        for active in ["<script", "<img", "href=\"javascript", "<form>", "<b>", "<!--"] {
            prop_assert!(!body.contains(active), "{}", active);
        }
        prop_assert!(attributes(body, "href").iter().all(|link| !link.contains(':') || link.starts_with("https://example.org")));
        let shown = [ShownExample { example: &own[0], address: format!("#{}", example_id("7-", 1)), is_own: true }];
        let chapter = book_chapter(&BookText { text: &text, own: &own, shown: &shown, elsewhere: &[], prefix: "7-" });
        let chapter = chapter.unwrap();
        check(&chapter, &clauses, "7-");
        // What is inserted is HTML to a reader of Markdown, and not text.
        let mut html = String::new();
        pulldown_cmark::html::push_html(&mut html, Parser::new_ext(&chapter, Options::ENABLE_TABLES));
        for clause in &clauses {
            let anchor = format!("<span class=\"clause\" id=\"Clause-7-{clause}\"></span>");
            prop_assert_eq!(html.matches(&anchor).count(), 1, "{}", chapter);
        }
        prop_assert_eq!(html.matches("<span class=\"shown\">").count(), clauses.len());
        prop_assert_eq!(html.matches("<article class=\"example\"").count(), 1);
    }
}

/// A text of many headings, blocks, links, pictures and clauses is a page in time that grows with its length.
#[test]
fn a_long_text_becomes_a_page() {
    let many =
        "# Play\n\n```scenario\n```\n\n[R1] again ![x](x.png) [a](b \"c\")\n\n| a |\n|---|\n\n<b>\n\n".repeat(20_000);
    let text = begin() + many.as_str();
    let own = [EXAMPLE.clone()];
    let page =
        book_page(&BookPage { name: "rules.md", text: &text, own: &own, further: &[], pictures: &Embedded::new() });
    assert!(page.contains("id=\"play-19999\""));
    assert_eq!(page.matches(" id=\"Clause-R1\"").count(), 1);
    let chapter = book_chapter(&BookText { text: &text, own: &own, shown: &[], elsewhere: &[], prefix: "" }).unwrap();
    assert_eq!(chapter.matches("<div class=\"referee\">").count(), 20_001);
    assert_eq!(chapter.matches("[R1] again").count(), 20_000);
}
