//! The grammars with which editors colour files: they know the words of the language, all of them and no others.

use std::collections::BTreeSet;
use std::path::Path;

use referee_syntax::{FileKind, forms};
use serde_json::Value;

/// Where the grammars say that a line begins, and that a word follows the first one.
const LINE: &str = "^[ \\t]*(";
const SECOND: &str = "\\G[ \\t]+(";
/// The end of a word, as `syntax` sees it.
const EDGE: &str = ")(?=[ \\t,=:\"{(]|$)";

/// Returns a file of the extension.
fn grammar(name: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("editors/vscode/syntaxes").join(name);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| unreachable!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap()
}

/// Adds the words of all patterns `PREFIX(one|two)EDGE` in a part of a grammar; no word may be in two of them.
fn collect(part: &Value, prefix: &str, words: &mut BTreeSet<String>) {
    match part {
        Value::Array(parts) => parts.iter().for_each(|part| collect(part, prefix, words)),
        Value::Object(parts) => {
            for key in ["begin", "match"] {
                let pattern = parts.get(key).and_then(Value::as_str).and_then(|pattern| pattern.strip_prefix(prefix));
                for word in pattern.and_then(|rest| rest.strip_suffix(EDGE)).into_iter().flat_map(|all| all.split('|'))
                {
                    assert!(words.insert(word.to_owned()), "`{word}` is in two patterns");
                }
            }
            parts.values().for_each(|part| collect(part, prefix, words));
        }
        _ => {}
    }
}

fn words<'g>(grammars: impl IntoIterator<Item = &'g Value>, prefix: &str) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    grammars.into_iter().for_each(|grammar| collect(grammar, prefix, &mut words));
    words
}

fn of_the_language(kind: FileKind, after_expect: bool) -> BTreeSet<String> {
    forms(kind, after_expect).map(|(word, _)| word.to_owned()).collect()
}

#[test]
fn the_grammars_have_the_words_that_begin_lines() {
    let shared = grammar("referee.tmLanguage.json");
    let (scenario, game) = (grammar("scenario.tmLanguage.json"), grammar("game.tmLanguage.json"));
    assert!(words([&shared], LINE).len() > 5, "the shared grammar has lines about positions");
    assert_eq!(words([&shared, &scenario], LINE), of_the_language(FileKind::Scenario, false));
    // The grammar of game files is that of house rules, too.
    let declared: BTreeSet<String> =
        [FileKind::Game, FileKind::House].into_iter().flat_map(|kind| of_the_language(kind, false)).collect();
    assert_eq!(words([&shared, &game], LINE), declared);
}

#[test]
fn the_grammar_of_scenarios_has_the_words_after_expect() {
    let scenario = grammar("scenario.tmLanguage.json");
    assert_eq!(words([&scenario], SECOND), of_the_language(FileKind::Scenario, true));
}
