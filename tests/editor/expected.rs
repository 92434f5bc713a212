//! The board that is expected at a line, for pages that draw it whether play reaches it or not.

use serde_json::Value;

use super::client::Client;
use crate::commands::Project;

/// Returns the symbols on the cells, as rows from the top.
fn rows(cells: &Value) -> Vec<String> {
    let mut rows: Vec<(i64, Vec<String>)> = Vec::new();
    for cell in cells.as_array().unwrap() {
        let (y, text) = (cell["y"].as_i64().unwrap(), cell["text"].as_str().unwrap().to_owned());
        match rows.last_mut().filter(|(at, _)| *at == y) {
            Some((_, row)) => row.push(text),
            None => rows.push((y, vec![text])),
        }
    }
    rows.into_iter().map(|(_, row)| row.join(" ")).collect()
}

#[test]
fn a_board_that_is_expected_is_drawn_whether_it_is_reached_or_not() {
    let text = "use hop short\n\nscenario \"A walk\"\n  turn red\n  roll distance 2\n  expect board\n    | . . . . b\n    | . . . . .\n    | r . . . .\n    | . . . . .\n    | . . . . .\n  red walk to c3\n  expect board\n    | . . . . .\n    | . . . . .\n    | . . r . .\n    | . b . . .\n    | . . . . .\n  expect turn blue\n";
    let mut client = Client::start(Project::hop());
    client.open("a.scenario", text);
    let mut at = |line: usize| client.request("referee/position", client.at("a.scenario", line, 0));
    // On the head of a diagram and on each of its rows; here neither is reached.
    for line in 5..=10 {
        let expected = at(line)["expected"].clone();
        assert_eq!(rows(&expected["cells"])[..3], [". . . . b", ". . . . .", "r . . . ."], "{expected}");
        assert!(expected["svg"].as_str().unwrap().starts_with("<svg"), "{expected}");
        assert!(!expected["svg"].as_str().unwrap().contains("differs"), "{expected}");
    }
    for line in 12..=17 {
        let expected = at(line)["expected"].clone();
        assert_eq!(rows(&expected["cells"])[2..4], [". . r . .", ". b . . ."], "{expected}");
    }
    for line in [2, 3, 4, 11, 18] {
        assert_eq!(at(line)["expected"], Value::Null, "line {line}");
    }
    client.stop();
}
