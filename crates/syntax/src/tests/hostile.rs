//! Hostile texts: the parser ends soon and reports something sensible.

use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::{FileKind, read};
use crate::parse_words;
use crate::reader::{by_grammar, is_plain};
use referee_source::{Source, Span};

fn codes(text: &str) -> Vec<&'static str> {
    let began = Instant::now();
    let mut codes: Vec<&str> = read(FileKind::Scenario, text).1.iter().map(|mistake| mistake.code.name()).collect();
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
    codes.dedup();
    codes
}

const LARGE: usize = 4 << 20;

#[test]
fn long_lines() {
    for unit in ["a ", "a", "\"", "(", "{", "[", "=", ",", "#", "|", "> a", "\"a\" ", "é"] {
        codes(&unit.repeat(LARGE / unit.len()));
        codes(&format!("red {}", unit.repeat(60_000 / unit.len())));
        codes(&format!("expect {{{}", unit.repeat(LARGE / unit.len())));
    }
    assert_eq!(codes(&"a ".repeat(LARGE)), ["line_too_long"]);
}

#[test]
fn deep_nests_on_a_small_stack() {
    let work = || {
        assert_eq!(codes(&format!("red {}", "(".repeat(1000))), ["nested_too_deep"]);
        assert_eq!(codes(&format!("expect {{{}", "{".repeat(1000))), ["nested_too_deep"]);
        assert_eq!(codes(&format!("expect {{{}", "/*".repeat(1000))), ["nested_too_deep"]);
        assert_eq!(codes(&format!("expect {{{}", "`${".repeat(1000))), ["nested_too_deep"]);
        assert_eq!(codes(&format!("red {}{}", "(".repeat(32), ")".repeat(32))), Vec::<&str>::new());
        let text = format!("ask walk {} a {}", "[ a ".repeat(32), "]".repeat(32));
        assert_eq!(read(FileKind::Game, &text).1, []);
    };
    std::thread::Builder::new().stack_size(1 << 20).spawn(work).unwrap().join().unwrap();
}

#[test]
fn many_lines_that_open_and_never_close() {
    for unit in
        ["expect {\n", "expect { */ /*\n", "expect {`\n", "expect { \"\n", "always { #\"\n", "red (\n", "> \"\n"]
    {
        codes(&unit.repeat(LARGE / unit.len()));
    }
}

#[test]
fn an_odd_file_of_many_good_expressions() {
    assert_eq!(codes(&"expect { a {\n} }\n".repeat(20_000)), Vec::<&str>::new());
}

/// Pieces of the language, whole and broken.
const FRAGMENTS: &[&str] = &[
    "expect",
    "board",
    "roll",
    "place",
    "at",
    "off",
    "piece",
    "red",
    "e5",
    "1..6",
    "9x8",
    "-",
    "=",
    ",",
    "|",
    ">",
    "#",
    "\"",
    "\"a b\"",
    "{",
    "}",
    "{who}",
    "(",
    ")",
    "[",
    "]",
    "`",
    "${",
    "/*",
    "*/",
    "//",
    "'",
    "\\",
    " ",
    "  ",
    "\t",
    "\n",
    "\n",
    "\r\n",
    "\r",
    "\0",
    "é",
    "\u{feff}",
    "“",
    "🎲",
    "CELL",
    "events",
    "exactly",
    "choices",
    "count",
    "always",
    "each event",
    "at the end of a turn",
    "for each",
    "size",
    "symbols",
    "face down",
    "because",
    "option",
    "in",
    "ask",
    "event",
    "players",
    "99999999999999999999",
    "examples",
    "refuse",
    "with",
    "house",
    "turn",
    "die",
    "game",
    "counter",
    "record",
    "clock",
    "property",
    "\u{a0}",
    "#\"",
];

fn fragment() -> impl Strategy<Value = &'static str> {
    prop::sample::select(FRAGMENTS)
}

fn check(kind: FileKind, text: &str) {
    let (file, mistakes) = read(kind, text);
    let fits = |span: Span| text.get(span.range()).is_some();
    // Collects the spans from the debug form of the tree, so that none is missed.
    for line in &file.lines {
        assert!(fits(line.span));
        super::with_texts(&format!("{:?}", line.kind), &file.source);
        for part in format!("{:?}", line.kind).split("Span { start: ").skip(1) {
            let (start, rest) = part.split_once(", end: ").unwrap();
            let (end, _) = rest.split_once(" }").unwrap();
            assert!(fits(Span { start: start.parse().unwrap(), end: end.parse().unwrap() }), "{line:?}");
        }
    }
    assert!(file.trivia.comments.iter().all(|span| fits(*span)));
    for mistake in &mistakes {
        assert!(mistake.labels.iter().all(|label| fits(label.span)), "{mistake:?}");
        assert!(!mistake.message.is_empty() && mistake.help.is_some());
    }
    let words = parse_words(&file.source, Span::new(0..text.len()));
    assert!(words.iter().all(|span| fits(*span)));
    assert!(mistakes.len() <= text.lines().count() + 1);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn fragments_never_panic(parts in prop::collection::vec(fragment(), 0..60)) {
        for text in [parts.concat(), parts.join(" ")] {
            check(FileKind::Game, &text);
            check(FileKind::House, &text);
            check(FileKind::Scenario, &text);
        }
    }

    #[test]
    fn any_text_never_panics(text in "\\PC*") {
        check(FileKind::Scenario, &text);
    }

    /// What is cut without the grammar is cut as the grammar does.
    #[test]
    fn plain_words_are_those_of_the_grammar(text in "[a-z0-9:.|>~#\\-\u{a0}é\u{200b} \t]{1,40}|[a-c,=\"(){} \t]{1,8}") {
        let span = Span::new(0..text.len());
        let source = Source::new("a.scenario", text.as_str());
        if is_plain(&text) {
            prop_assert_eq!(Some(parse_words(&source, span)), by_grammar(&text, span));
        }
    }
}
