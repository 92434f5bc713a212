//! Where an example goes on below a line, for pages that write what follows.

use serde_json::{Value, json};

use super::client::Client;
use crate::commands::Project;

const EXAMPLE: &str = "use hop short

scenario \"A walk\"
  cites \"A walk\"
  # Why.
  always { red.score >= 0 }

  board
    | . . . . b
    | . . . . .
    | r . . . .
    | . . . . .
    | . . . . .
  set red.score 1
  turn red
  roll distance 2
  # Now she walks.

  refuse red walk to e5
  expect asks red walk
  expect chance red at c3 = 1
  when red walk to c3
  red walk to c3
  branch \"Otherwise\"
    red walk to b2

use hop short
scenario \"Alone\"
  turn red
";

/// Returns `below`, `indent`, `next` and `setsPosition` at a line, counted from 1.
fn place(client: &mut Client, name: &str, line: usize) -> Value {
    let at = client.at(name, line - 1, 0);
    let found = client.request("referee/position", at)["goesOn"].clone();
    json!([found["below"], found["indent"], found["next"], found["setsPosition"]])
}

#[test]
fn what_comes_before_play_is_passed_and_rows_stay_together() {
    let mut client = Client::start(Project::hop());
    client.open("a.scenario", EXAMPLE);
    // Below the title and the lines that head it.
    for line in [3, 4, 6] {
        assert_eq!(place(&mut client, "a.scenario", line), json!([6, "  ", "board", true]), "line {line}");
    }
    // On the head of a diagram and on its rows: below them.
    for line in [8, 10, 13] {
        assert_eq!(place(&mut client, "a.scenario", line), json!([13, "  ", "set red.score 1", true]), "line {line}");
    }
    assert_eq!(place(&mut client, "a.scenario", 14), json!([14, "  ", "turn red", false]));
    assert_eq!(place(&mut client, "a.scenario", 15), json!([15, "  ", "roll distance 2", false]));
    // What only judges is no line of play.
    for line in 16..=22 {
        assert_eq!(place(&mut client, "a.scenario", line), json!([line, "  ", "red walk to c3", false]), "line {line}");
    }
    assert_eq!(place(&mut client, "a.scenario", 23), json!([23, "  ", null, false]));
    assert_eq!(place(&mut client, "a.scenario", 24), json!([24, "    ", "red walk to b2", false]));
    assert_eq!(place(&mut client, "a.scenario", 29), json!([29, "  ", null, false]));
    let mut found = |line: usize| {
        let at = client.at("a.scenario", line, 0);
        client.request("referee/position", at)["goesOn"].clone()
    };
    for line in 2..24 {
        let found = found(line);
        assert_eq!((&found["title"], &found["titleIndent"]), (&json!(3), &json!("  ")), "line {line}");
        assert_eq!(found["diagram"], 8, "line {line}");
    }
    let alone = found(28);
    assert_eq!((&alone["title"], &alone["diagram"]), (&json!(28), &Value::Null));
    client.stop();
}

#[test]
fn an_answer_stays_inside_the_block_of_a_rulebook() {
    let mut client = Client::start(Project::hop());
    let text =
        "# Hop\n\n```scenario\nuse hop short\n\nscenario \"A walk\"\n  turn red\n  roll distance 2\n\n```\n\nMore.\n";
    client.open("a.md", text);
    assert_eq!(place(&mut client, "a.md", 8), json!([8, "  ", null, false]));
    for line in 9..=12 {
        let found = place(&mut client, "a.md", line);
        assert!(found[0] == Value::Null || found[0] == 8 || line == 9 && found[0] == 9, "line {line}: {found}");
    }
    client.stop();
}
