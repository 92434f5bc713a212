//! Each request of the protocol, on a small game.

use serde_json::{Value, json};

use super::client::{Client, edited};
use crate::commands::{FAILING, GOOD, INVALID, Project};
use crate::suite::cards;

const GAME: &str = include_str!("../suite/base/hop.game");
const RULES: &str = include_str!("../suite/base/rules.rhai");

fn strings(list: &Value, key: &str) -> Vec<String> {
    list.as_array().unwrap().iter().map(|one| one[key].as_str().unwrap_or_default().to_owned()).collect()
}

/// Returns the place of the first `word` in `text` after `after`: line and column from 0.
fn place(text: &str, after: &str, word: &str) -> (usize, usize) {
    let from = text.find(after).unwrap();
    let at = from + text[from..].find(word).unwrap();
    let line = text[..at].matches('\n').count();
    (line, at - text[..at].rfind('\n').map_or(0, |at| at + 1))
}

#[test]
fn a_misspelt_word_is_underlined_and_mended() {
    let mut client = Client::start(Project::hop());
    client.open("a.scenario", INVALID);
    let found = client.diagnostics("a.scenario", 1, |found| !found.is_empty());
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0]["code"], "unknown_die");
    assert_eq!(
        found[0]["range"],
        json!({ "start": { "line": 4, "character": 7 }, "end": { "line": 4, "character": 15 } })
    );
    assert!(found[0]["message"].as_str().unwrap().contains("did you mean `distance`?"), "{found:?}");
    let fixes = client.fixes("a.scenario", 4);
    assert_eq!(strings(&json!(fixes), "title"), ["Change to `distance`"]);
    let mended = edited(INVALID, &fixes[0]["edit"]["changes"][client.uri("a.scenario")]);
    assert_eq!(mended, INVALID.replace("distanse", "distance"));
    client.change("a.scenario", 2, &mended);
    client.diagnostics("a.scenario", 2, |found| found.is_empty());
    client.stop();
}

#[test]
fn a_failing_expectation_is_shown_and_accepted() {
    let mut client = Client::start(Project::hop());
    client.open("a.scenario", FAILING);
    let found = client.diagnostics("a.scenario", 1, |found| !found.is_empty());
    assert_eq!(found[0]["range"]["start"]["line"], 7);
    let message = found[0]["message"].as_str().unwrap();
    assert!(message.contains("red is at c3, not at d4") && message.contains("reached: red at c3"), "{message}");
    let fixes = client.fixes("a.scenario", 7);
    assert_eq!(strings(&json!(fixes), "title"), ["Accept what was reached"]);
    let mended = edited(FAILING, &fixes[0]["edit"]["changes"][client.uri("a.scenario")]);
    assert_eq!(mended, FAILING.replace("red at d4", "red at c3"));
    client.stop();
}

/// A snapshot is accepted by an edit of the file of snapshots, which may have to be made.
#[test]
fn snapshots_are_accepted() {
    let mut client = Client::start(Project::hop());
    let text = GOOD.replace("  expect red at c3\n", "  expect snapshot\n");
    client.open("a.scenario", &text);
    client.diagnostics("a.scenario", 1, |found| found.iter().any(|one| one["code"] == "snapshot"));
    let fixes = client.fixes("a.scenario", 7);
    assert_eq!(fixes[0]["title"], "Accept this snapshot");
    let changes = &fixes[0]["edit"]["documentChanges"];
    assert_eq!(changes[0], json!({ "kind": "create", "uri": client.uri("a.scenario.snap") }));
    let written = changes[1]["edits"][0]["newText"].as_str().unwrap();
    std::fs::write(client.project.path().join("a.scenario.snap"), written).unwrap();
    std::fs::write(client.project.path().join("a.scenario"), &text).unwrap();
    assert_eq!(client.project.run(&["test", "a.scenario"]).code, 0, "{written}");
    let changed = json!({ "changes": [{ "uri": client.uri("a.scenario.snap"), "type": 1 }] });
    client.notify("workspace/didChangeWatchedFiles", changed);
    client.change("a.scenario", 2, &text);
    client.diagnostics("a.scenario", 2, |found| found.is_empty());
    client.stop();
}

#[test]
fn errors_in_every_kind_of_file_are_shown_where_they_are() {
    let markdown = format!("# Walks\n\nRed walks.\n\n```scenario\n{INVALID}```\n");
    let files = [
        ("walks.md", markdown.as_str(), "unknown_die", 9),
        ("games/hop/hop.game", &GAME.replace("die luck", "dye luck"), "unknown_line", 9),
        ("games/hop/rules.rhai", &RULES.replace("roll(\"distance\")", "roll(\"distanse\")"), "unknown_name", 5),
    ];
    for (name, text, code, line) in files {
        let mut client = Client::start(Project::hop());
        client.open(name, text);
        let found = client.diagnostics(name, 1, |found| !found.is_empty());
        assert_eq!(found[0]["range"]["start"]["line"], line, "{name}: {found:?}");
        if code != "unknown_name" {
            assert_eq!(found[0]["code"], code, "{name}: {found:?}");
        }
        assert!(found[0]["message"].as_str().unwrap().contains("did you mean"), "{name}: {found:?}");
    }
}

/// A data file of arrows with a cell that the board does not have.
#[test]
fn errors_in_data_files_are_shown() {
    let game = format!("{GAME}\narrows \"arrows.yaml\"\n");
    let project = Project::hop().file("games/hop/hop.game", game);
    let mut client = Client::start(project);
    client.open("games/hop/arrows.yaml", "arrows:\n  - {from: a1, to: z9}\n");
    let found = client.diagnostics("games/hop/arrows.yaml", 1, |found| !found.is_empty());
    assert_eq!(found[0]["range"]["start"], json!({ "line": 1, "character": 19 }), "{found:?}");
}

/// A change of the rules that is not saved yet is seen by the open scenarios.
#[test]
fn a_change_of_the_rules_reaches_open_scenarios() {
    let mut client = Client::start(Project::hop());
    client.open("a.scenario", GOOD);
    client.diagnostics("a.scenario", 1, |found| found.is_empty());
    client.open("games/hop/rules.rhai", &RULES.replace("place(marker(me), act.value);", ""));
    let found = client.diagnostics("a.scenario", 1, |found| !found.is_empty());
    assert!(found[0]["message"].as_str().unwrap().contains("the rules do not offer `walk to c3`"), "{found:?}");
    // Closed without saving: the file on disk counts again.
    let of = client.of("games/hop/rules.rhai");
    client.notify("textDocument/didClose", of);
    client.change("a.scenario", 2, GOOD);
    client.diagnostics("a.scenario", 2, |found| found.is_empty());
    client.stop();
}

/// A change of the rules that a house rule does not survive is shown in the file of the house rule, open or not, and stays
/// there while the rules are edited further.
#[test]
fn a_change_of_the_rules_reaches_house_rules() {
    const HOUSE: &str = "games/hop/house/twice.rhai";
    const NAME: &str = "games/hop/rules.rhai";
    let house = "fn walk(me, points) { base_walk(me, twice(points)); }\n";
    let rules = format!("{RULES}\nfn twice(points) {{ 2 * points }}\n");
    let mut client = Client::start(Project::hop().file(HOUSE, house).file(NAME, &rules));
    client.open_file(NAME);
    client.diagnostics(NAME, 1, |found| found.is_empty());
    let changed = rules.replace("twice", "double");
    for (version, text) in [(2, changed.clone()), (3, format!("{changed}\n"))] {
        client.change(NAME, version, &text);
        let found = client.diagnostics(HOUSE, None, |found| !found.is_empty());
        assert!(found[0]["message"].as_str().unwrap().contains("`twice`"), "{found:?}");
    }
    client.change(NAME, 4, &rules);
    client.diagnostics(HOUSE, None, |found| found.is_empty());
    client.stop();
}

#[test]
fn hover_says_what_a_word_means() {
    let mut client = Client::start(Project::hop());
    let text = GOOD.replace("  turn red", "  covers R1\n  turn red");
    client.open("a.scenario", &text);
    client.open_file("games/hop/rules.rhai");
    let mut said = |name: &str, (line, column): (usize, usize)| {
        let at = client.at(name, line, column);
        client.request("textDocument/hover", at)["contents"]["value"].as_str().unwrap_or_default().to_owned()
    };
    let expected = [
        ("a.scenario", place(&text, "covers", "R1"), vec!["**clause** R1", "Roll the die. You may walk"]),
        ("a.scenario", place(&text, "red walk", "walk"), vec!["**ask** walk", "Move your marker one square"]),
        ("a.scenario", place(&text, "roll", "distance"), vec!["**die** distance", "die distance 1..6"]),
        ("a.scenario", place(&text, "turn", "turn"), vec!["turn PLAYER"]),
        ("a.scenario", place(&text, "red walk", "b2"), vec!["**cell** b2", "board grid 5x5"]),
        ("a.scenario", place(&text, "use", "short"), vec!["**variant** short", "A short game"]),
        (
            "games/hop/rules.rhai",
            place(RULES, "free_around(me)", "free"),
            vec!["**function** free_around", "R2: the free"],
        ),
        ("games/hop/rules.rhai", place(RULES, "option(", "goal"), vec!["**option** goal", "How many points win"]),
        ("games/hop/rules.rhai", place(RULES, "occupied()", "occupied"), vec!["occupied() -> cells"]),
        ("games/hop/rules.rhai", place(RULES, "me.score", "score"), vec!["counter score for each player"]),
        ("games/hop/rules.rhai", place(RULES, "place(marker(me)", "marker"), vec!["**piece** marker"]),
    ];
    for (name, at, words) in expected {
        let text = said(name, at);
        for word in words {
            assert!(text.contains(word), "{name} {at:?}: {text}");
        }
    }
    assert_eq!(said("a.scenario", (1, 0)), "");
}

/// What is printed on cards is no function of the same name, and a placeholder is a column.
#[test]
fn hover_knows_printed_values_and_columns() {
    let rules = format!("{}\nfn peek(card) {{ card.count + card.value }}\n", cards::RULES);
    let data = cards::CARDS.replace("{value: NUMBER,", "{value: NUMBER, count: NUMBER,");
    let project = Project::new()
        .file("games/tricks/tricks.game", cards::GAME)
        .file("games/tricks/rules.rhai", &rules)
        .file("games/tricks/cards.yaml", data);
    let mut client = Client::start(project);
    let text = "use tricks\n\nscenario \"A card\"\n  turn red\n  draw {card}\n  \
                examples\n    | card |\n    | ace  |\n    | two  |\n";
    client.open("a.scenario", text);
    client.open_file("games/tricks/rules.rhai");
    let mut said = |name: &str, (line, column): (usize, usize)| {
        let at = client.at(name, line, column);
        client.request("textDocument/hover", at)["contents"]["value"].as_str().unwrap_or_default().to_owned()
    };
    let count = said("games/tricks/rules.rhai", place(&rules, "card.count +", "count"));
    assert!(count.contains("**printed on cards** count") && count.contains("count: NUMBER"), "{count}");
    let verb = said("games/tricks/rules.rhai", place(&rules, "chosen.verb", "verb"));
    assert_eq!(verb, "**key** verb\n\n`verb` is a string");
    let hand = said("games/tricks/rules.rhai", place(&rules, "draw(deck, hand(me))", "hand"));
    assert!(hand.contains("**zone** hand"), "{hand}");
    let card = said("a.scenario", place(text, "draw {card}", "card"));
    assert!(card.contains("**column** card") && card.contains("`ace`, `two`"), "{card}");
    client.stop();
}

#[test]
fn completion_offers_what_fits() {
    let mut client = Client::start(Project::hop().file("games/hop/house/polite.rhai", "fn setup() {}\n"));
    let offered = |client: &mut Client, version: &mut i32, line: &str| -> Vec<String> {
        let text = format!("use hop short\n\nposition \"corner\"\n  place red at a1\n\nscenario \"A\"\n{line}\n");
        *version += 1;
        client.change("a.scenario", *version, &text);
        let at = client.at("a.scenario", 6, line.len());
        strings(&client.request("textDocument/completion", at), "label")
    };
    client.open("a.scenario", "");
    let version = &mut 1;
    let has = |found: &[String], wanted: &[&str], never: &[&str]| {
        assert!(wanted.iter().all(|word| found.iter().any(|label| label == word)), "{wanted:?} in {found:?}");
        assert!(!never.iter().any(|word| found.iter().any(|label| label == word)), "{never:?} in {found:?}");
    };
    has(&offered(&mut client, version, "  "), &["turn", "expect", "red", "turn red"], &["die", "piece marker"]);
    has(&offered(&mut client, version, "  use "), &["hop"], &["red"]);
    has(&offered(&mut client, version, "  with "), &["edge", "goal"], &["wall"]);
    has(&offered(&mut client, version, "  with edge = "), &["wall", "torus"], &["goal"]);
    has(&offered(&mut client, version, "  with house \""), &["polite"], &["red"]);
    has(&offered(&mut client, version, "  from \""), &["corner"], &["red"]);
    has(&offered(&mut client, version, "  covers "), &["R1", "R2", "R3"], &["red"]);
    has(&offered(&mut client, version, "  roll "), &["distance", "luck"], &["red"]);
    has(&offered(&mut client, version, "  expect "), &["board", "events", "red", "stone"], &["roll"]);
    has(&offered(&mut client, version, "  expect turn "), &["red", "blue"], &["stone"]);
    has(&offered(&mut client, version, "  always { oc"), &["occupied", "free_around"], &["R1"]);
    has(&offered(&mut client, version, "  expect { "), &["occupied", "red"], &["roll", "choose", "place", "remove"]);
    has(&offered(&mut client, version, "  place red at "), &["a1", "e5"], &["red", "walk"]);
    has(&offered(&mut client, version, "  red walk "), &["to", "a1"], &["red", "stone"]);
    has(&offered(&mut client, version, "  refuse red walk to "), &["a1"], &["to", "red"]);
    has(
        &offered(&mut client, version, "  expect choices "),
        &["=", "includes", "excludes", "count", "walk", "red"],
        &["a1"],
    );
    has(&offered(&mut client, version, "  expect choices red "), &["=", "count", "walk"], &["red"]);
    has(&offered(&mut client, version, "  expect choices red walk "), &["=", "count"], &["walk", "red"]);
    has(&offered(&mut client, version, "  expect choices red walk = a1, "), &["to", "a2"], &["walk", "red"]);
    has(&offered(&mut client, version, "  expect choices walk "), &["=", "count"], &["walk", "red"]);
    has(&offered(&mut client, version, "  expect choices walk = a1, "), &["to", "a2"], &["walk", "red"]);
    has(&offered(&mut client, version, "  expect choices = "), &["walk", "stop"], &["red", "a1"]);
    has(&offered(&mut client, version, "  expect red."), &["score", "resting"], &["red", "walk"]);
    for text in ["  cites \"", "  cites \"Pa", "  refuse red stop because \"", "  scenario \""] {
        assert!(offered(&mut client, version, text).is_empty(), "{text}");
    }
    client.stop();
}

/// At an ask, whole lines with the legal answers are offered first.
#[test]
fn completion_knows_the_legal_answers() {
    let mut client = Client::start(Project::hop());
    let before = "use hop short\n\nscenario \"A\"\n  turn red\n";
    let text = format!("{before}\n  expect red at a1\n");
    client.open("a.scenario", &text);
    let at = client.at("a.scenario", 4, 0);
    let rolls = strings(&client.request("textDocument/completion", at), "label");
    assert_eq!(rolls[..6], [1, 2, 3, 4, 5, 6].map(|face| format!("roll distance {face}")));
    let text = format!("{before}  roll distance 1\n  red w\n");
    client.change("a.scenario", 2, &text);
    let at = client.at("a.scenario", 5, 7);
    let found = client.request("textDocument/completion", at);
    let walks = strings(&found, "label");
    assert_eq!(walks[..3], ["red walk to a2", "red walk to b2", "red walk to b1"], "{walks:?}");
    // What was written is replaced.
    assert_eq!(edited(&text, &json!([found[0]["textEdit"]])), text.replace("red w", "red walk to a2"));
}

/// Where any values are taken, what the rules suggest and the form are offered, and names follow the verb.
#[test]
fn completion_knows_asks_that_take_any_values() {
    let game = Project::new()
        .file("games/bazaar/bazaar.game", include_str!("../../docs/games/bazaar/bazaar.game"))
        .file("games/bazaar/rules.rhai", include_str!("../../docs/games/bazaar/rules.rhai"));
    let mut client = Client::start(game);
    let before = "use bazaar\n\nscenario \"A\"\n  players ann bob\n  turn ann\n";
    client.open("a.scenario", &format!("{before}  ann p\n"));
    let at = client.at("a.scenario", 5, 7);
    let found = strings(&client.request("textDocument/completion", at), "label");
    let answers = ["ann pass", "ann propose wool for ore to bob", "ann propose AMOUNT for AMOUNT to PLAYER"];
    assert_eq!(found[..3], answers, "{found:?}");
    client.change("a.scenario", 2, &format!("{before}  ann propose \n"));
    let at = client.at("a.scenario", 5, 14);
    let found = strings(&client.request("textDocument/completion", at), "label");
    assert_eq!(found[..2], answers[1..], "{found:?}");
    assert!(found.len() > 2, "what the form takes next is offered, too: {found:?}");
    let mut version = 2;
    let mut offered = |line: &str| {
        version += 1;
        client.change("a.scenario", version, &format!("{before}{line}\n"));
        let at = client.at("a.scenario", 5, line.len());
        let found = strings(&client.request("textDocument/completion", at), "label");
        found.into_iter().filter(|label| !answers.contains(&label.as_str())).collect::<Vec<_>>()
    };
    assert_eq!(offered("  ann propose "), ["ore", "wool", "none"]);
    assert_eq!(offered("  ann propose ore x2 "), ["wool", "for"]);
    assert_eq!(offered("  ann propose ore for "), ["ore", "wool", "none"]);
    assert_eq!(offered("  expect ann has "), ["ore", "wool", "none"]);
    assert_eq!(offered("  expect ann has ore "), ["wool"]);
    client.stop();
}

#[test]
fn a_name_leads_to_its_declaration_and_its_mentions() {
    let mut client = Client::start(Project::hop().file("a.scenario", GOOD));
    client.open_file("a.scenario");
    let (line, column) = place(GOOD, "red walk", "walk");
    let at = client.at("a.scenario", line, column);
    let found = client.request("textDocument/definition", at.clone());
    assert_eq!(found[0]["uri"], client.uri("games/hop/hop.game"));
    let (line, column) = place(GAME, "ask walk", "walk");
    assert_eq!(found[0]["range"]["start"], json!({ "line": line, "character": column }));
    let found = client.request("textDocument/references", at);
    let mut places: Vec<String> = found
        .as_array()
        .unwrap()
        .iter()
        .map(|place| {
            let file = place["uri"].as_str().unwrap().rsplit('/').next().unwrap();
            format!("{file}:{}", place["range"]["start"]["line"].as_u64().unwrap() + 1)
        })
        .collect();
    places.sort();
    let expected = ["a.scenario:6", "a.scenario:7", "hop.game:21", "rules.rhai:14", "rules.rhai:15", "rules.rhai:36"];
    assert_eq!(places, expected);
    client.stop();
}

#[test]
fn renaming_changes_all_files_and_breaks_none() {
    let project = Project::hop().file("a.scenario", GOOD);
    let mut client = Client::start(project);
    client.open_file("a.scenario");
    let (line, column) = place(GOOD, "red walk", "walk");
    let mut rename = client.at("a.scenario", line, column);
    rename["newName"] = "stroll".into();
    let changes = client.request("textDocument/rename", rename.clone())["changes"].clone();
    for (name, text) in [("a.scenario", GOOD), ("games/hop/hop.game", GAME), ("games/hop/rules.rhai", RULES)] {
        let changed = edited(text, &changes[client.uri(name)]);
        assert_ne!(changed, text);
        std::fs::write(client.project.path().join(name), changed).unwrap();
    }
    let ran = client.project.run(&["test", "a.scenario"]);
    assert_eq!(ran.code, 0, "{}", ran.all());
    // A name that is taken, a word of the language, and no name at all.
    for (new, expected) in
        [("stop", "this name would cause an error"), ("roll", "a word of the language"), ("a b", "cannot be the name")]
    {
        rename["newName"] = new.into();
        let said = client.try_request("textDocument/rename", rename.clone()).unwrap_err();
        assert!(said.contains(expected), "{new}: {said}");
    }
    client.stop();
}

/// Names that make functions, functions below a house rule, and accepted snapshots.
#[test]
fn renaming_reaches_calls_house_rules_and_snapshots() {
    let house = "fn walk(me, points) { base_walk(me, points); }\n";
    let text = format!("{GOOD}  expect snapshot\n");
    let files =
        ["a.scenario", "a.scenario.snap", "games/hop/hop.game", "games/hop/rules.rhai", "games/hop/house/twice.rhai"];
    let project = Project::hop().file("a.scenario", &text).file(files[4], house);
    assert_eq!(project.run(&["test", "--accept", "a.scenario"]).code, 0);
    let mut client = Client::start(project);
    files.iter().filter(|name| !name.ends_with(".snap")).for_each(|name| client.open_file(name));
    let mut renamed = |name: &str, (after, word): (&str, &str), new: &str| {
        let text = std::fs::read_to_string(client.project.path().join(name)).unwrap();
        let (line, column) = place(&text, after, word);
        let mut rename = client.at(name, line, column);
        rename["newName"] = new.into();
        let changes = client.request("textDocument/rename", rename)["changes"].clone();
        let mut changed = Vec::new();
        let project = Project::new();
        for name in files {
            let text = std::fs::read_to_string(client.project.path().join(name)).unwrap();
            let edits = &changes[client.uri(name)];
            let text = if edits.is_null() { text } else { edited(&text, edits) };
            changed.extend((!edits.is_null()).then_some(name));
            std::fs::create_dir_all(project.path().join(name).parent().unwrap()).unwrap();
            std::fs::write(project.path().join(name), text).unwrap();
        }
        let rulebook = std::fs::read_to_string(client.project.path().join("games/hop/RULES.md")).unwrap();
        std::fs::write(project.path().join("games/hop/RULES.md"), rulebook).unwrap();
        let ran = project.run(&["test", "a.scenario"]);
        assert_eq!(ran.code, 0, "{new}: {}", ran.all());
        assert_eq!(project.run(&["check", "games"]).code, 0, "{new}: {}", project.run(&["check", "games"]).all());
        changed
    };
    assert_eq!(renamed("games/hop/hop.game", ("piece marker", "marker"), "pawn"), [files[2], files[3]]);
    assert_eq!(renamed("games/hop/rules.rhai", ("fn walk", "walk"), "step_on"), [files[3], files[4]]);
    assert_eq!(renamed("games/hop/hop.game", ("players", "red"), "rose"), [files[0], files[1], files[2]]);
    let (line, column) = place(GAME, "players", "red");
    let mut rename = client.at("games/hop/hop.game", line, column);
    rename["newName"] = "3".into();
    let said = client.try_request("textDocument/rename", rename).unwrap_err();
    assert!(said.contains("`3` cannot be the name of a player"), "{said}");
    client.stop();
}

#[test]
fn symbols_folds_and_colours() {
    let mut client = Client::start(Project::hop());
    let text = format!(
        "{GOOD}  expect board\n    | . . . . b\n    | . . . . .\n    | . . r . .\n    | . . . . .\n    | . . . . .\n\n  branch \"On\"\n    expect red at c3\n"
    );
    client.open("a.scenario", &text);
    client.open_file("games/hop/rules.rhai");
    let of = client.of("a.scenario");
    let symbols = client.request("textDocument/documentSymbol", of.clone());
    assert_eq!(strings(&symbols, "name"), ["A walk of two squares"]);
    assert_eq!(strings(&symbols[0]["children"], "name"), ["On"]);
    let rules = client.of("games/hop/rules.rhai");
    let symbols = client.request("textDocument/documentSymbol", rules);
    assert_eq!(strings(&symbols, "name"), ["turn", "walk", "free_around", "why_not"]);
    let folds = client.request("textDocument/foldingRange", of.clone());
    let folds: Vec<(u64, u64)> = folds
        .as_array()
        .unwrap()
        .iter()
        .map(|fold| (fold["startLine"].as_u64().unwrap(), fold["endLine"].as_u64().unwrap()))
        .collect();
    assert_eq!(folds, [(2, 16), (8, 13), (15, 16)]);
    let tokens = client.request("textDocument/semanticTokens/full", of);
    let legend = client.capabilities["semanticTokensProvider"]["legend"]["tokenTypes"].clone();
    let numbers: Vec<u64> = tokens["data"].as_array().unwrap().iter().map(|number| number.as_u64().unwrap()).collect();
    let (mut line, mut column) = (0, 0);
    let mut named = Vec::new();
    for token in numbers.chunks(5).take(8) {
        column = if token[0] == 0 { column + token[1] } else { token[1] };
        line += token[0];
        let word = text.lines().nth(usize::try_from(line).unwrap()).unwrap();
        let start = usize::try_from(column).unwrap();
        let word = &word[start..start + usize::try_from(token[2]).unwrap()];
        named.push(format!("{word}: {}", legend[usize::try_from(token[3]).unwrap()].as_str().unwrap()));
    }
    let expected = [
        "use: keyword",
        "hop: namespace",
        "short: label",
        "scenario: keyword",
        "\"A walk of two squares\": string",
        "turn: keyword",
        "red: variable",
        "roll: keyword",
    ];
    assert_eq!(named, expected);
}

#[test]
fn formatting_lenses_inlays_and_positions() {
    let mut client = Client::start(Project::hop());
    let text = GOOD.replace("  turn red", "      turn   red");
    client.open("a.scenario", &text);
    let of = client.of("a.scenario");
    let edits = client.request("textDocument/formatting", of.clone());
    assert_eq!(edited(&text, &edits), GOOD);
    let lenses = client.request("textDocument/codeLens", of.clone());
    let titles: Vec<&str> =
        lenses.as_array().unwrap().iter().map(|lens| lens["command"]["title"].as_str().unwrap()).collect();
    assert_eq!(titles, ["run", "show position", "record from here"]);
    // The tests have been run when there is nothing wrong.
    let mut inlays = of.clone();
    inlays["range"] = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 20, "character": 0 } });
    client.diagnostics("a.scenario", 1, |found| found.is_empty());
    let run = json!({ "command": "referee.run", "arguments": [client.uri("a.scenario")] });
    client.request("workspace/executeCommand", run);
    let mut found = Value::Null;
    for _ in 0..500 {
        found = client.request("textDocument/inlayHint", inlays.clone());
        if found.as_array().is_some_and(|list| !list.is_empty()) {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let labels = strings(&found, "label");
    assert_eq!(labels[..3], ["nothing was played yet", "asks roll distance", "asks red walk"], "{labels:?}");
    assert!(found[3]["tooltip"]["value"].as_str().unwrap().contains('r'), "{found}");
    let at = client.at("a.scenario", 5, 0);
    let position = client.request("referee/position", at);
    assert_eq!(position["title"], "A walk of two squares");
    assert!(position["text"].as_str().unwrap().contains("asks red walk"), "{position}");
    assert!(position["svg"].as_str().unwrap().starts_with("<svg"), "{position}");
    let cells = position["cells"].as_array().unwrap();
    assert_eq!(cells[0]["cell"], "a5", "{position}");
    assert!(position["answers"].as_array().unwrap().contains(&json!("red walk to c3")), "{position}");
    assert_eq!(position["diagram"].as_array().unwrap().len(), 5, "{position}");
    assert!(strings(&position["symbols"], "text").contains(&"r".to_owned()), "{position}");
    let results = client.request("referee/results", of.clone());
    assert_eq!(strings(&results["tests"], "status"), ["passed"], "{results}");
    let tests = client.request("referee/tests", of);
    assert_eq!(tests["tests"][0]["line"], 3);
    client.stop();
}

#[test]
fn commands_run_show_and_record() {
    let mut client = Client::start(Project::hop());
    client.open("a.scenario", FAILING);
    let run = json!({ "command": "referee.run", "arguments": [client.uri("a.scenario"), 3] });
    let ran = client.request("workspace/executeCommand", run);
    assert_eq!(ran["tests"][0]["status"], "failed");
    assert_eq!(ran["tests"][0]["failures"][0]["line"], 8);
    assert_eq!(ran["tests"][0]["steps"].as_array().unwrap().len(), 5);
    let short = FAILING.replace("  expect red at d4\n", "");
    client.change("a.scenario", 2, &short);
    let record = json!({ "command": "referee.record", "arguments": [client.uri("a.scenario"), 7] });
    let edit = client.request("workspace/executeCommand", record);
    assert_eq!(client.asked_for("workspace/applyEdit")["edit"], edit);
    let recorded = edited(&short, &edit["changes"][client.uri("a.scenario")]);
    let expected = "\
  red walk to c3
  expect events
    > red moves to c3
  expect board
    | . . . . b
    | . . . . .
    | . . r . .
    | . . . . .
    | . . . . .
  expect asks roll distance
";
    assert!(recorded.ends_with(expected), "{recorded}");
    client.change("a.scenario", 3, &recorded);
    let run = json!({ "command": "referee.run", "arguments": [client.uri("a.scenario")] });
    assert_eq!(client.request("workspace/executeCommand", run)["tests"][0]["status"], "passed");
    client.stop();
}

/// Columns in UTF-16, as every client can count them: `𝄞` is one character of four bytes and two units.
#[test]
fn columns_are_counted_as_the_client_counts() {
    let text = INVALID.replace("roll distanse", "roll \"𝄞\" distanse");
    for (offered, expected) in [(json!({}), 7), (json!({ "general": { "positionEncodings": ["utf-8"] } }), 7)] {
        let mut client = Client::start_with(Project::hop(), offered);
        client.open("a.scenario", &text);
        let found = client.diagnostics("a.scenario", 1, |found| !found.is_empty());
        assert_eq!(found[0]["range"]["start"]["character"], expected, "{found:?}");
    }
}

/// The odds of best play take minutes in this build; the server does not wait for them.
#[test]
fn the_server_ends_in_the_middle_of_a_test() {
    let text = "use pig\n\nscenario \"Best play\"\n  players ann ben\n  turn ann\n  \
                expect chance winner ann = 1/2 to the end of the game\n    at best for ann\n    at best for ben\n";
    let mut client = Client::start(Project::new());
    client.open("a.scenario", text);
    client.diagnostics("a.scenario", 1, |found| found.is_empty());
    // The tests begin when nothing has changed for a moment.
    std::thread::sleep(std::time::Duration::from_millis(500));
    let of = client.of("a.scenario");
    assert_eq!(client.request("textDocument/codeLens", of).as_array().unwrap().len(), 3);
    client.stop_within(std::time::Duration::from_secs(10));
}

#[test]
fn a_client_that_begins_wrongly_is_told_so() {
    let mut client = Client::launch(Project::hop());
    let wrong = json!({ "capabilities": { "textDocument": { "semanticTokens": {} } }, "processId": null });
    let error = client.try_request("initialize", wrong).unwrap_err();
    assert!(error.contains("missing field"), "{error}");
    let capabilities = client.request("initialize", json!({ "capabilities": {}, "processId": null }));
    assert_eq!(capabilities["capabilities"]["hoverProvider"], true);
    client.notify("initialized", json!({}));
    client.stop();
}

/// In Squish!, `direction` is a die and an ask.
#[test]
fn what_is_rolled_is_a_die() {
    let text = "use squish-board\n\nscenario \"A\"\n  turn red\n  roll direction 2, distance 5\n";
    let mut client = Client::start(Project::hop());
    client.open("b.scenario", text);
    let at = client.at("b.scenario", 4, 8);
    let hover = client.request("textDocument/hover", at);
    assert!(hover["contents"]["value"].as_str().unwrap().starts_with("**die** direction"), "{hover}");
    client.stop();
}

/// Messages that no client should send.
#[test]
fn strange_messages_are_answered_or_ignored() {
    let mut client = Client::start(Project::hop());
    assert!(client.try_request("textDocument/teleport", json!({})).is_err());
    assert!(client.try_request("textDocument/hover", json!({ "nothing": 1 })).is_err());
    let of = json!({ "textDocument": { "uri": "http://example.org/a.scenario" } });
    assert!(client.try_request("textDocument/documentSymbol", of).is_err());
    let run = json!({ "command": "referee.fly", "arguments": [client.uri("a.scenario"), 3] });
    assert!(client.try_request("workspace/executeCommand", run).is_err());
    client.notify("textDocument/didOpen", json!([1, 2, 3]));
    assert!(client.notified_of("window/logMessage")["message"].as_str().unwrap().starts_with("textDocument/didOpen: "));
    let part = json!({ "text": "x", "range": { "start": { "line": 0, "character": 0 }, "end": { "line": 0, "character": 1 } } });
    let document = json!({ "uri": client.uri("a.scenario"), "version": 2 });
    client.notify("textDocument/didChange", json!({ "textDocument": document, "contentChanges": [part] }));
    let told = client.notified_of("window/logMessage");
    assert_eq!(told["message"], "textDocument/didChange: a part of the text was sent instead of the whole text");
    let at = client.at("missing.scenario", 4, 0);
    assert!(client.try_request("textDocument/hover", at).is_err());
    client.open("a.scenario", INVALID);
    let far = client.at("a.scenario", 4000, 4000);
    assert_eq!(client.request("textDocument/hover", far), Value::Null);
    client.stop();
}
