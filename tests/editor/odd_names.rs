//! Cards with odd names: found, offered and renamed, in and out of quotes, in all files of a game.

use referee_source::quoted;
use serde_json::Value;

use super::client::{Client, edited};
use crate::commands::Project;

const GAME: &str = "game kelp \"Kelp\"\nplayers 2 ulla omer\nrules \"rules.rhai\"\nboard grid 3x3\nzone reef pile\n\
                    zone net for each player open\ncard fish from \"fish.yaml\"\nproperty keeper for each fish PLAYER in drawings\nask keep PIECE\n";

/// Names that need quotes, and some that need none.
const NAMES: [&str; 9] =
    ["Cod, old", "Ray #2", "Eel: small", "Otto \"Anvil\" Brandt", "Keeper's Oath", "a\\b", "Sea Hen", "Crab", "(deep)"];

fn rules(name: &str) -> String {
    format!(
        "fn turn(me) {{\n    let options = [may(\"keep\", piece({}))];\n    choose(me, \"keep\", options);\n}}\n",
        quoted(name)
    )
}

fn word(name: &str) -> String {
    let plain = name.chars().all(|letter| letter.is_alphanumeric() || matches!(letter, ' ' | '\''));
    if plain { name.to_owned() } else { quoted(name) }
}

fn scenario(name: &str) -> String {
    let word = word(name);
    let symbol = quoted(name);
    format!(
        "use kelp\n\nscenario \"One\"\n  board\n    | . . .\n    | . ulla:{symbol} .\n    | . . ulla:({symbol})\n  net ulla: {word}\n  turn ulla\n  \
         expect choices = keep {word}\n  ulla keep {word}\n  expect {word} in net ulla\n  expect net ulla = {word}\n  expect {{ net(ulla).has(piece({symbol})) }}\n"
    )
}

/// The data file in each way to write a text there.
fn data(name: &str) -> Vec<String> {
    let single = name.replace('\'', "''");
    vec![
        format!("cards:\n  - {{name: {}, count: 4}}\n  - name: Other\n", quoted(name)),
        format!("cards:\n  - name: '{single}'\n    count: 4\n  - {{name: Other}}\n"),
    ]
}

#[test]
fn a_card_of_any_name_is_renamed_to_any_other() {
    for (at, name) in NAMES.iter().enumerate() {
        let new = NAMES[(at + 1) % NAMES.len()];
        for data in data(name) {
            let files = [
                ("games/kelp/kelp.game", GAME.to_owned()),
                ("games/kelp/rules.rhai", rules(name)),
                ("games/kelp/fish.yaml", data),
                ("a.scenario", scenario(name)),
            ];
            let project = files.iter().fold(Project::new(), |project, (path, text)| project.file(path, text));
            let before = project.run(&["test", "a.scenario"]);
            assert_eq!(before.code, 0, "{name}: {}", before.all());
            let mut client = Client::start(project);
            files.iter().for_each(|(path, _)| client.open_file(path));
            // From the line of the zone in the scenario.
            let column = files[3].1.lines().nth(7).unwrap().find(": ").unwrap() + 4;
            let mut rename = client.at("a.scenario", 7, column);
            rename["newName"] = new.into();
            let changes = client.request("textDocument/rename", rename)["changes"].clone();
            let changed = files.iter().fold(Project::new(), |project, (path, text)| {
                let edits: &Value = &changes[client.uri(path)];
                project.file(path, if edits.is_null() { text.clone() } else { edited(text, edits) })
            });
            let ran = changed.run(&["test", "a.scenario"]);
            assert_eq!(ran.code, 0, "{name} -> {new}: {changes}\n{}", ran.all());
            let written = std::fs::read_to_string(changed.path().join("a.scenario")).unwrap();
            assert_eq!(written.matches(&quoted(name)).count(), 0, "{name} -> {new}: {written}");
            client.stop();
        }
    }
}

#[test]
fn a_card_is_offered_as_lines_have_it() {
    let list: Vec<String> = NAMES.iter().map(|name| format!("  - name: {}\n", quoted(name))).collect();
    let project = Project::new()
        .file("games/kelp/kelp.game", GAME)
        .file("games/kelp/rules.rhai", rules("Crab"))
        .file("games/kelp/fish.yaml", format!("cards:\n{}", list.concat()));
    let head = "use kelp\n\nscenario \"One\"\n";
    let labels = |client: &mut Client, name: &str, line: &str| -> Vec<String> {
        client.open(name, &format!("{head}{line}"));
        let found = client.request("textDocument/completion", client.at(name, 3, line.len()));
        let list = found["items"].as_array().or(found.as_array()).unwrap().clone();
        list.iter().map(|item| item["label"].as_str().unwrap().to_owned()).collect()
    };
    let mut client = Client::start(project);
    let offered = labels(&mut client, "a.scenario", "  expect net ulla = ");
    for name in NAMES {
        assert!(offered.contains(&word(name)), "{name}: {offered:?}");
    }
    // After an open quote, what is between the quotes.
    let offered = labels(&mut client, "b.scenario", "  expect net ulla = \"");
    for name in NAMES {
        let inner = quoted(name);
        assert!(offered.iter().any(|label| *label == inner[1..inner.len() - 1]), "{name}: {offered:?}");
    }
    client.stop();
}
