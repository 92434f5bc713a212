//! Words of rows and cells, and near misses.

use std::sync::Arc;

use crate::ast::{Condition, Expect, LineKind};
use crate::grammar::Rule;
use crate::keywords::{EXPECTATIONS, HOUSE, KEYWORDS, NO_WINNER, Reading};
use crate::{Claim, FileKind, claim, is_keyword, keywords, near_expectation, near_keyword, parse, parse_words};
use referee_source::{Source, Span};

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

/// A line of the grammar without a keyword would be read as a player's answer, or as `expect WORDS`.
#[test]
fn every_line_of_the_grammar_has_its_keyword() {
    let keyed: Vec<Rule> = KEYWORDS
        .iter()
        .chain(EXPECTATIONS)
        .chain([&NO_WINNER, &HOUSE])
        .filter_map(|keyword| match keyword.reading {
            Reading::Line(rule, _) => Some(rule),
            Reading::Expect => None,
        })
        .collect();
    let without = [Rule::answer_line, Rule::expect_line, Rule::expect_expression];
    let mut lines = 0;
    for rule in Rule::all_rules().iter().filter(|rule| !without.contains(rule)) {
        let name = format!("{rule:?}");
        if name.ends_with("_line") || name.starts_with("expect_") {
            assert!(keyed.contains(rule), "keywords.rs has no word for `{name}`");
            lines += 1;
        }
    }
    assert!(lines > 40, "{lines}");
}

/// The condition of a line `expect …`, if it is one.
fn condition_of(line: &str) -> Option<Condition> {
    let (file, _) = parse(&Arc::new(Source::new("test", line)), FileKind::Scenario);
    match &file.lines.first()?.kind {
        LineKind::Expect(Expect::Condition { condition, .. }) => Some(*condition),
        _ => None,
    }
}

/// An expectation about a position is a condition of a chance and of a question, too, and of the same meaning there.
#[test]
fn what_expect_takes_as_a_condition_is_one_everywhere() {
    let mut conditions = 0;
    for keyword in EXPECTATIONS.iter().chain([&NO_WINNER]) {
        let condition = condition_of(keyword.form);
        assert_eq!(keyword.condition.map(|(condition, _)| condition), condition, "`{}`", keyword.form);
        let claimed = claim(keyword.word, keyword.form.split(' ').nth(2).unwrap_or_default());
        match condition {
            Some(condition) => {
                assert!(matches!(claimed, Some(Claim::OfPosition { condition: other, .. }) if other == condition));
                conditions += 1;
            }
            None => assert_eq!(claimed, Some(Claim::Other), "`{}`", keyword.form),
        }
    }
    assert_eq!(conditions, 8);
    assert_eq!((claim("not", "red"), claim("red", "squished")), (None, None));
    assert_eq!(claim("no", "winner"), Some(Claim::OfPosition { condition: Condition::NoWinner, words: 2 }));
}

#[test]
fn every_keyword_is_in_the_manual_and_in_the_words_for_fuzzing() {
    let read = |path: &str| std::fs::read_to_string(format!("{}/../../{path}", env!("CARGO_MANIFEST_DIR"))).unwrap();
    let (manual, words) = (read("docs/language.md"), read("fuzz/words.dict"));
    let has =
        |text: &str, word: &str| text.split(|letter: char| !letter.is_ascii_alphabetic()).any(|other| other == word);
    for word in keywords() {
        assert!(has(&manual, word), "docs/language.md does not have `{word}`");
        assert!(has(&words, word), "fuzz/words.dict does not have `{word}`");
    }
}

/// Games may have pieces of this name, which were there before house rules declared.
#[test]
fn house_begins_a_line_only_in_the_file_of_a_house_rule() {
    assert!(!is_keyword("house"));
    let read = |kind, text: &str| {
        let (file, wrong) = parse(&Arc::new(Source::new("test", text)), kind);
        (file.lines.into_iter().map(|line| line.kind).next(), wrong.len())
    };
    assert!(matches!(
        read(FileKind::House, "house \"dry feet\" \"Dry feet\""),
        (Some(LineKind::House { title: Some(_), .. }), 0)
    ));
    assert!(matches!(read(FileKind::Scenario, "house to b2"), (Some(LineKind::Answer(_)), 0)));
    assert!(matches!(read(FileKind::Game, "house dry-feet"), (None, 1)));
    // The lines of a game file are there, those of scenarios are not.
    assert!(matches!(read(FileKind::House, "counter score"), (Some(LineKind::Counter { .. }), 0)));
    assert!(matches!(read(FileKind::House, "turn red"), (None, 1)));
}
