//! What an editor offers on the line of a board.

use super::client::Client;
use crate::commands::Project;

#[test]
fn completion_knows_the_words_of_a_board() {
    let mut client = Client::start(Project::hop());
    let mut version = 1;
    client.open("games/hop/hop.game", "");
    let mut offered = |before: &str, line: &str| -> Vec<String> {
        let text = format!("game hop \"Hop\"\n{before}\n{line}\n");
        version += 1;
        client.change("games/hop/hop.game", version, &text);
        let at = client.at("games/hop/hop.game", 2, line.len());
        let found = client.request("textDocument/completion", at);
        found.as_array().unwrap().iter().map(|one| one["label"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(offered("", "board "), ["grid", "hex", "track", "open"]);
    assert_eq!(offered("", "board grid 8x8 "), ["margin", "chequered"]);
    assert_eq!(offered("", "board 8x8 margin 1 "), ["chequered"]);
    assert_eq!(offered("", "board grid 8x8 chequered "), ["dark"]);
    assert!(offered("", "board hex 4 ").is_empty());
    assert_eq!(offered("variant small", "  board grid 8x8 "), ["margin"]);
    client.stop();
}
