//! The names that game files declare, also in lines with errors, and where lines of scenarios mention them.

use serde_json::{Value, json};

use super::client::Client;
use crate::commands::Project;

/// Every declaration has an error of its own, and some lines cannot be read at all.
const BROKEN: &str = "\
game heap \"Heap\" # Of stones.
players 1..9 red 2nd red
board grid 3x
die luck 1..
die 6 0..1
die sky sun | sun | luck
piece stone 4..1
piece many many size 99x99
piece king for each nobody
card tool from \"none.yaml\" in nowhere
zone hand secret
zone heap for each king
flag tired for each nothing
counter score for each player = 0
counter score
property home CELLAR
ask take [to] CELL \"Take\"
ask take NUMBER
ask free|tired rest
event PLAYER rests \"Someone rests\"
event PLAYER
option pace = slow
option pace = slow | slow
option size = 9 in 1..3
variant long \"Long game\"
  board grid 99999x1
variant long
";

fn symbols(client: &mut Client, name: &str) -> Vec<(String, String)> {
    let of = client.of(name);
    let found = client.request("textDocument/documentSymbol", of);
    let text = |symbol: &Value, key: &str| {
        let place = &symbol[key];
        format!("{}:{}", place["start"]["line"], place["start"]["character"])
    };
    let list = found.as_array().unwrap().iter();
    list.map(|symbol| (symbol["name"].as_str().unwrap().to_owned(), text(symbol, "selectionRange"))).collect()
}

#[test]
fn a_line_with_errors_declares_its_name() {
    let mut client = Client::start(Project::new());
    client.open("games/heap/heap.game", BROKEN);
    let found = symbols(&mut client, "games/heap/heap.game");
    let names: Vec<String> = found.iter().map(|(name, place)| format!("{place} {name}")).collect();
    let expected = [
        "0:5 heap",
        "1:13 red",
        "1:17 2nd",
        "1:21 red",
        "4:4 6",
        "5:4 sky",
        "7:6 many",
        "8:6 king",
        "9:5 tool",
        "10:5 hand",
        "11:5 heap",
        "12:5 tired",
        "13:8 score",
        "14:8 score",
        "15:9 home",
        "16:4 take",
        "17:4 take",
        "18:15 rest",
        "19:13 rests",
        "21:7 pace",
        "22:7 pace",
        "23:7 size",
        "24:8 long",
        "26:8 long",
    ];
    assert_eq!(names, expected);
    client.stop();
}

/// The names of all bundled games are where the outline says, and stay so beside a line that cannot be read.
#[test]
fn each_name_is_where_it_is_declared() {
    let mut client = Client::start(Project::new());
    let mut version = 1;
    for folder in std::fs::read_dir("games").unwrap() {
        let folder = folder.unwrap();
        let id = folder.file_name().into_string().unwrap();
        let Ok(text) = std::fs::read_to_string(folder.path().join(format!("{id}.game"))) else { continue };
        let name = format!("games/{id}/{id}.game");
        client.open(&name, &text);
        let found = symbols(&mut client, &name);
        assert!(found.len() > 3, "{id}: {found:?}");
        let place = |place: &str| -> (usize, usize) {
            let (line, column) = place.split_once(':').unwrap();
            (line.parse().unwrap(), column.parse().unwrap())
        };
        for (word, at) in &found {
            let (line, column) = place(at);
            let rest: String = text.lines().nth(line).unwrap().chars().skip(column).collect();
            assert!(rest.trim_start_matches('"').starts_with(word), "{id}: {word} at {at}");
        }
        version += 1;
        client.change(&name, version, &format!("this is no line\n{text}"));
        let moved = found.iter().map(|(word, at)| {
            let (line, column) = place(at);
            (word.clone(), format!("{}:{column}", line + 1))
        });
        assert_eq!(symbols(&mut client, &name), moved.collect::<Vec<_>>(), "{id}");
    }
    client.stop();
}

/// A word consists of what the reader of words says, also if a placeholder is a part of it.
#[test]
fn the_parts_of_a_word_are_mentions() {
    let text = "use hop short

scenario \"A\"
  set {who}.score 1
  turn red
  expect {who}.score = 1
  always { red.score >= 0 }
  examples
    | who |
    | red |
";
    let mut client = Client::start(Project::hop().file("a.scenario", text));
    client.open_file("a.scenario");
    let at = client.at("a.scenario", 3, 13);
    let found = client.request("textDocument/references", at);
    let lines = found.as_array().unwrap().iter().filter(|place| place["uri"] == client.uri("a.scenario"));
    let lines: Vec<&Value> = lines.map(|place| &place["range"]["start"]["line"]).collect();
    assert_eq!(json!(lines), json!([3, 5, 6]));
    client.stop();
}
