//! The files of a house rule that declares, in an editor.

use serde_json::{Value, json};

use super::client::{Client, edited};
use crate::commands::Project;

const HOUSE: &str = "games/hop/house/coins/coins.house";
const SCRIPT: &str = "games/hop/house/coins/rules.rhai";
const DECLARED: &str = "# Coins.
house coins \"A coin for each step\"
counter coins for each player = 0
event PLAYER gets NUMBER
";
const RULES: &str = "fn walk(me, points) {
    me.coins += 1;
    event(\"gets\", me, me.coins);
    clause(\"C1\");
    base_walk(me, points);
}
";
const EXAMPLES: &str = "use hop

scenario \"A coin\"
  with house \"coins\"
  covers C1
  turn red
  roll distance 1
  expect red.coins = 1
";
const BOOK: &str = "games/hop/house/coins/RULES.md";
const SCENARIO: &str = "games/hop/house/coins/coins.scenario";

fn client() -> Client {
    let project = Project::hop().file(HOUSE, DECLARED).file(SCRIPT, RULES).file(SCENARIO, EXAMPLES);
    Client::start(project.file(BOOK, "# Coins\n\n[C1] Each step brings a coin.\n"))
}

/// The line and the column of a word, from 0.
fn place(text: &str, word: &str) -> (usize, usize) {
    let at = text.find(word).unwrap();
    let line = text[..at].matches('\n').count();
    (line, at - text[..at].rfind('\n').map_or(0, |at| at + 1))
}

fn hover(client: &mut Client, name: &str, (line, column): (usize, usize)) -> String {
    let at = client.at(name, line, column);
    client.request("textDocument/hover", at)["contents"]["value"].as_str().unwrap_or_default().to_owned()
}

fn labels(client: &mut Client, name: &str, (line, column): (usize, usize)) -> Vec<String> {
    let at = client.at(name, line, column);
    let found = client.request("textDocument/completion", at);
    found.as_array().unwrap().iter().map(|one| one["label"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn errors_in_the_files_of_a_house_rule_are_shown_where_they_are() {
    let mut client = client();
    client.open(HOUSE, DECLARED);
    client.diagnostics(HOUSE, 1, |found| found.is_empty());
    client.change(HOUSE, 2, &DECLARED.replace("counter coins", "counter score"));
    let found = client.diagnostics(HOUSE, 2, |found| !found.is_empty());
    assert_eq!(found[0]["code"], "duplicate_name", "{found:?}");
    assert_eq!(found[0]["range"]["start"], json!({ "line": 2, "character": 8 }), "{found:?}");
    // Its script does not know the name any more, and its examples neither.
    client.change(HOUSE, 3, &DECLARED.replace("counter coins", "counter pennies"));
    client.open(SCRIPT, RULES);
    let found = client.diagnostics(SCRIPT, 1, |found| !found.is_empty());
    assert_eq!(found[0]["range"]["start"]["line"], 1, "{found:?}");
    client.stop();
}

#[test]
fn names_of_a_house_rule_are_known_everywhere() {
    let mut client = client();
    for (name, text) in [(HOUSE, DECLARED), (SCRIPT, RULES), (SCENARIO, EXAMPLES)] {
        client.open(name, text);
    }
    for (name, text, word, about) in [
        (HOUSE, DECLARED, "coins for", "coins"),
        (HOUSE, DECLARED, "house coins", "house NAME"),
        (SCRIPT, RULES, "coins +=", "coins"),
        (SCENARIO, EXAMPLES, "coins = 1", "coins"),
        (SCENARIO, EXAMPLES, "C1", "Each step brings a coin."),
        (SCENARIO, EXAMPLES, "coins\"\n  covers", "A coin for each step"),
    ] {
        let said = hover(&mut client, name, place(text, word));
        assert!(said.contains(about), "{name} {word}: {said}");
    }
    let (line, column) = place(EXAMPLES, "coins = 1");
    let at = client.at(SCENARIO, line, column);
    let found = client.request("textDocument/definition", at);
    let first: &Value = found.as_array().map_or(&found, |list| &list[0]);
    assert_eq!(first["uri"], client.uri(HOUSE), "{found}");
    assert_eq!(first["range"]["start"], json!({ "line": 2, "character": 8 }), "{found}");
    client.stop();
}

#[test]
fn what_fits_in_the_file_of_a_house_rule_is_offered() {
    let mut client = client();
    client.open(HOUSE, &format!("{DECLARED}\n"));
    let found = labels(&mut client, HOUSE, (4, 0));
    for word in ["house", "counter", "event", "place"] {
        assert!(found.iter().any(|label| label == word), "{word}: {found:?}");
    }
    for word in ["game", "players", "symmetry", "variant", "turn"] {
        assert!(!found.iter().any(|label| label == word), "{word}: {found:?}");
    }
    client.open(SCENARIO, &EXAMPLES.replace("covers C1", "covers "));
    assert!(labels(&mut client, SCENARIO, (4, 9)).contains(&"C1".to_owned()));
    client.stop();
}

#[test]
fn a_name_of_a_house_rule_is_renamed_everywhere() {
    let mut client = client();
    client.open_file(HOUSE);
    let (line, column) = place(DECLARED, "coins for");
    let mut rename = client.at(HOUSE, line, column);
    rename["newName"] = "pennies".into();
    let changes = client.request("textDocument/rename", rename)["changes"].clone();
    for (name, text) in [(HOUSE, DECLARED), (SCRIPT, RULES), (SCENARIO, EXAMPLES)] {
        let renamed = edited(text, &changes[client.uri(name)]);
        let expected = text
            .replace("counter coins", "counter pennies")
            .replace("me.coins", "me.pennies")
            .replace("red.coins", "red.pennies");
        assert_eq!(renamed, expected, "{name}");
    }
    // The house rule itself has the name of its folder.
    let mut rename = client.at(HOUSE, 1, 6);
    rename["newName"] = "pennies".into();
    let said = client.try_request("textDocument/rename", rename).unwrap_err();
    assert!(said.contains("rename that"), "{said}");
    client.stop();
}
