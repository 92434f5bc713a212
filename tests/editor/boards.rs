//! What an editor offers on the lines of a game file.

use super::client::Client;
use crate::commands::Project;

#[test]
fn completion_knows_the_words_of_a_board() {
    let mut client = Client::start(Project::hop());
    let mut version = 1;
    client.open("games/hop/hop.game", "");
    let mut offered = |before: &str, line: &str| offered(&mut client, &mut version, before, line);
    let kinds = ["grid", "hex", "rhombus", "triangle", "rings", "graph", "track", "open"];
    assert_eq!(offered("", "board "), kinds);
    assert_eq!(offered("", "board grid 8x8 "), ["margin", "chequered", "without", "with", "stacks"]);
    assert_eq!(offered("", "board 8x8 margin 1 "), ["chequered", "without", "with", "stacks"]);
    assert_eq!(offered("", "board grid 8x8 chequered "), ["dark", "stacks"]);
    assert_eq!(offered("", "board hex 4 "), ["without", "with", "stacks"]);
    assert_eq!(offered("", "board hex 4 stacks "), ["on"]);
    assert_eq!(offered("", "board rhombus 5x5 with "), ["corners", "sides"]);
    assert_eq!(offered("", "board graph "), ["from"]);
    assert_eq!(offered("", "board rings 3x8 "), ["stacks"]);
    assert_eq!(offered("variant small", "  board grid 8x8 "), ["margin", "without"]);
    client.stop();
}

/// Completes a line of a game file below another one.
fn offered(client: &mut Client, version: &mut i32, before: &str, line: &str) -> Vec<String> {
    let text = format!("game hop \"Hop\"\n{before}\n{line}\n");
    *version += 1;
    client.change("games/hop/hop.game", *version, &text);
    let at = client.at("games/hop/hop.game", 2, line.len());
    let found = client.request("textDocument/completion", at);
    found.as_array().unwrap().iter().map(|one| one["label"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn completion_knows_the_kinds_of_values() {
    let mut client = Client::start(Project::hop());
    let mut version = 1;
    client.open("games/hop/hop.game", "");
    let mut offered = |line: &str| offered(&mut client, &mut version, "piece stone for each player", line);
    let kinds = ["CELL", "NUMBER", "PLAYER", "PIECE", "DIRECTION", "MOVE", "TEXT"];
    let singular = kinds.iter().copied().chain(["AMOUNT"]).map(str::to_owned);
    let several = ["BAG of", "SET of", "LIST of"];
    let plural = kinds.iter().map(|kind| format!("{kind}S")).chain(several.map(str::to_owned));
    let all: Vec<String> = singular.chain(plural).collect();
    for line in ["property home for each player ", "ask walk to ", "ask walk ", "event ", "event PLAYER is "] {
        assert_eq!(offered(line), all, "{line}");
    }
    assert_eq!(offered("property home "), [&all[..], &["for each player".to_owned()]].concat());
    assert_eq!(offered("property home for each "), ["player", "cell", "stone"]);
    assert_eq!(offered("flag wet for each "), ["player", "cell", "stone"]);
    for line in ["property home ", "property home for each player ", "ask walk to ", "event "] {
        for word in ["BAG", "SET", "LIST"] {
            assert_eq!(offered(&format!("{line}{word} ")), ["of"], "{line}");
            assert_eq!(offered(&format!("{line}{word} of ")), kinds, "{line}");
        }
    }
    assert!(offered("property ").is_empty());
    assert!(offered("ask walk CELL \"Walk ").is_empty());
    client.stop();
}
