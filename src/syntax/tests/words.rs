//! Words of rows and cells, and near misses.

use crate::source::{Source, Span};
use crate::syntax::{is_keyword, near_expectation, near_keyword, parse_words};

fn cut(text: &str) -> Vec<String> {
    let source = Source::new("test", format!("> {text}"));
    let span = Span::new(2..2 + text.len());
    parse_words(&source, span).into_iter().map(|word| source.slice(word).to_owned()).collect()
}

#[test]
fn words_are_cut_as_in_lines() {
    assert_eq!(cut("large moves NE, to  g4"), ["large", "moves", "NE", "to", "g4"]);
    assert_eq!(cut("\"block 1\" at (0, 0) score=3 {who}"), ["\"block 1\"", "at", "(0, 0)", "score", "=", "3", "{who}"]);
    assert_eq!(cut("a{n} ((x)y)z"), ["a{n}", "((x)y)z"]);
    assert_eq!(cut("= ="), ["=", "="]);
    assert_eq!(cut(""), Vec::<String>::new());
}

#[test]
fn what_is_not_well_formed_is_cut_at_blanks() {
    assert_eq!(cut("a \"b c } é"), ["a", "\"b", "c", "}", "é"]);
    assert_eq!(cut(&"(".repeat(100_000)).len(), 1);
}

#[test]
fn near_misses_are_suggested() {
    assert_eq!(near_keyword("exepct"), Some("expect"));
    assert_eq!(near_keyword("Scenario"), Some("scenario"));
    assert_eq!(near_keyword("rol"), Some("roll"));
    assert_eq!(near_keyword("red"), None);
    assert_eq!(near_keyword("é"), None);
    assert_eq!(near_expectation("evnts"), Some("events"));
    assert_eq!(near_expectation("large"), None);
    assert!(is_keyword("roll") && is_keyword("winner") && !is_keyword("red"));
}
