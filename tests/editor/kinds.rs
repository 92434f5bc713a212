//! What an editor says and offers by the kinds of values in scripts, also while they are written.

use serde_json::Value;

use super::client::{Client, edited};
use crate::commands::Project;

const GAME: &str = "\
game hop \"Hop\"
players 2 red blue
rules \"rules.rhai\"
rulebook \"RULES.md\"
board grid 5x5
directions 4 clockwise from north
die distance 1..2
piece frog for each player symbols r b
counter score for each player
property home for each frog CELL
flag done
ask hop [to] CELL \"Hop\"
ask stay \"Stay\"
event PIECE hops to CELL
place red at b1, blue at d1
";

const RULEBOOK: &str = "# Hop\n\n[S1] Hop.\n";

const RULES: &str = "\
/// How far a frog sees.
const FAR = 2;

fn turn(me) {
    let n = roll(\"distance\") + FAR;
    let goals = in_order(free(me)).filter(|goal| row(goal) < n);
    if goals.is_empty() { return; }
    let goal = choose(me, \"hop\", goals);
    event(\"hops\", frog(me), goal);
    place(frog(me), goal);
    let sums = #{ red: 1, at: goal };
    me.score += sums.red;
    clause(\"S1\");
}

// The cells around a frog.
fn free(me) { around(one(cell(frog(me)))) - occupied() }
";

const NAME: &str = "games/hop/rules.rhai";

fn project() -> Project {
    Project::new().file("games/hop/hop.game", GAME).file(NAME, RULES).file("games/hop/RULES.md", RULEBOOK)
}

/// Returns line and column of the byte after `text` in the script.
fn after(script: &str, text: &str) -> (usize, usize) {
    let end = script.find(text).unwrap() + text.len();
    let before = &script[..end];
    (before.matches('\n').count(), before.chars().rev().take_while(|letter| *letter != '\n').count())
}

/// Returns what is said about the word that ends where `text` does.
fn said(client: &mut Client, script: &str, text: &str) -> String {
    let (line, column) = after(script, text);
    let at = client.at(NAME, line, column);
    client.request("textDocument/hover", at)["contents"]["value"].as_str().unwrap_or_default().to_owned()
}

/// Returns what is offered at the end of a line that stands in place of one of `turn`.
fn offered(client: &mut Client, version: &mut i32, line: &str) -> Vec<String> {
    let script = RULES.replace("    me.score += sums.red;\n", &format!("{line}\n"));
    *version += 1;
    client.change(NAME, *version, &script);
    let (row, column) = after(&script, line);
    let at = client.at(NAME, row, column);
    let found = client.request("textDocument/completion", at);
    found.as_array().unwrap().iter().map(|item| item["label"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn hover_says_the_kind_of_a_value_and_where_it_comes_from() {
    let mut client = Client::start(project());
    client.open_file(NAME);
    let expected = [
        ("let n", "**variable** n\n\n`n` is a number"),
        ("let goals", "**variable** goals\n\n`goals` is a list of cells: it comes from `filter`, line 6"),
        ("|goal", "**parameter** goal\n\n`goal` is a cell"),
        ("place(frog(me), goal", "`goal` is a cell: it comes from `choose`, line 8"),
        ("fn turn(me", "**parameter** me\n\n`me` is a player"),
        ("fn free(me", "`me` is a player: it is given by a call of `free`, line 6"),
        ("in_order(free", "**function** free\n```rhai\nfree(me: player) -> cells\n```"),
        ("in_order(free", "The cells around a frog."),
        ("at: goal };\n    me.sc", "counter score for each player"),
        ("#{ red", "`red` is a number"),
        ("+= sums.red", "**key** red\n\n`red` is a number"),
        ("+ FAR", "const FAR = 2;"),
        ("choose", "choose(player: player"),
        ("roll(\"dist", "**die** distance"),
        ("clause(\"S", "**clause** S1"),
    ];
    for (place, text) in expected {
        let found = said(&mut client, RULES, place);
        assert!(found.contains(text), "{place}: {found}");
    }
    client.stop();
}

#[test]
fn completion_after_a_dot_offers_what_the_kind_has() {
    let mut client = Client::start(project());
    client.open_file(NAME);
    let mut version = 1;
    let mut has = |line: &str, wanted: &[&str], never: &[&str]| {
        let found = offered(&mut client, &mut version, line);
        let is_in = |word: &&&str| found.iter().any(|label| label == **word);
        assert!(wanted.iter().all(|word| is_in(&word)), "{line}: {wanted:?} in {found:?}");
        assert!(!never.iter().any(|word| is_in(&word)), "{line}: {never:?} in {found:?}");
    };
    has("    me.", &["score"], &["home", "done", "len", "filter", "red"]);
    has("    me.sc", &["score"], &["home"]);
    has("    frog(me).", &["home"], &["score", "done", "len"]);
    has("    game.", &["done"], &["score", "home"]);
    has("    sums.", &["red", "at", "keys"], &["score", "home", "push"]);
    has("    goals.", &["len", "filter", "map"], &["score", "home", "row"]);
    has("    goal.", &["row", "column"], &["score", "home", "filter"]);
    // In a condition, an argument, a closure, a map, a text; and with what is not closed.
    has("    if me.", &["score"], &["home"]);
    has("    place(frog(me).", &["home"], &["score"]);
    has("    let scored = goals.map(|one| one.", &["row"], &["score"]);
    has("    let all = #{ one: [me.", &["score"], &["home"]);
    has("    let text = `${me.", &["score"], &["home"]);
    has("    for one in goals { one.", &["row"], &["score"]);
    // Elsewhere, the variables that are visible, then all else.
    has("    go", &["goal", "goals", "me", "n", "sums", "free", "FAR", "red", "choose"], &["score", "hops"]);
    has("    let all = goals.map(|one| ", &["one", "goals"], &["score"]);
    // In a string, the names that the argument can have.
    has("    roll(\"", &["distance"], &["hop", "S1"]);
    has("    choose(me, \"", &["hop", "stay"], &["distance", "S1"]);
    has("    event(\"", &["hops"], &["hop", "S1"]);
    has("    clause(\"", &["S1"], &["hop"]);
    has("    then(\"", &["turn", "free"], &["hop"]);
    client.stop();
}

/// In an expression of a scenario, with functions that only tell.
#[test]
fn expressions_of_scenarios_know_kinds() {
    let mut client = Client::start(project());
    let offered = |client: &mut Client, version: i32, line: &str| -> Vec<String> {
        let text = format!("use hop\n\nscenario \"A\"\n  turn red\n  {line}\n");
        client.change("a.scenario", version, &text);
        let at = client.at("a.scenario", 4, line.len() + 2);
        let found = client.request("textDocument/completion", at);
        found.as_array().unwrap().iter().map(|item| item["label"].as_str().unwrap().to_owned()).collect()
    };
    client.open("a.scenario", "");
    let found = offered(&mut client, 2, "expect { red.");
    assert!(found.iter().any(|label| label == "score") && !found.iter().any(|label| label == "home"), "{found:?}");
    let found = offered(&mut client, 3, "expect { free(red).filter(|one| one.");
    assert!(found.iter().any(|label| label == "row") && !found.iter().any(|label| label == "score"), "{found:?}");
    let text = "use hop\n\nscenario \"A\"\n  turn red\n  expect { free(red).filter(|one| one == b1).len() > 0 }\n";
    client.change("a.scenario", 4, text);
    let mut said = |word: &str| {
        let (line, column) = after(text, word);
        let at = client.at("a.scenario", line, column);
        client.request("textDocument/hover", at)["contents"]["value"].as_str().unwrap_or_default().to_owned()
    };
    assert!(said("|one").contains("`one` is a cell"), "{}", said("|one"));
    assert!(said("expect { free").contains("free(me: player) -> cells"), "{}", said("expect { free"));
    client.stop();
}

/// Variables of closures, loops and blocks are renamed where they are visible, and nowhere else; also when another
/// function cannot be read.
#[test]
fn variables_are_renamed_alone() {
    for broken in ["", "\nfn wrong(goal) { let n = goal. }\n"] {
        let script = format!("{RULES}{broken}");
        let mut client = Client::start(project().file(NAME, &script));
        client.open_file(NAME);
        for (place, from, to) in
            [("filter(|goal", "|goal| row(goal)", "|changed| row(changed)"), ("let n", "let n = ", "let changed = ")]
        {
            let (line, column) = after(&script, place);
            let mut rename = client.at(NAME, line, column);
            rename["newName"] = "changed".into();
            let changes = client.request("textDocument/rename", rename)["changes"].clone();
            let changed = edited(&script, &changes[client.uri(NAME)]);
            let mut expected = script.replacen(from, to, 1);
            if place == "let n" {
                expected = expected.replacen("< n)", "< changed)", 1);
            }
            assert_eq!(changed, expected);
        }
        client.stop();
    }
}

/// A file that cannot be read as a whole has its names, its outline and its colours.
#[test]
fn a_broken_script_is_answered_from() {
    let script =
        RULES.replace("    let goal = choose(me, \"hop\", goals);\n", "    let goal = choose(me, \"hop\", goals\n");
    let mut client = Client::start(project().file(NAME, &script));
    client.open_file(NAME);
    client.diagnostics(NAME, 1, |found| !found.is_empty());
    assert!(said(&mut client, &script, "let goals").contains("`goals` is a list of cells"));
    assert!(said(&mut client, &script, "\"hop\", goals").contains("`goals` is a list of cells"));
    assert!(said(&mut client, &script, "choose(me, \"ho").contains("**ask** hop"));
    assert!(said(&mut client, &script, "in_order(free").contains("free(me: player) -> cells"));
    assert!(said(&mut client, &script, "fn free(me").contains("`me` is a player"));
    let of = client.of(NAME);
    let symbols = client.request("textDocument/documentSymbol", of.clone());
    let names: Vec<&Value> = symbols.as_array().unwrap().iter().map(|symbol| &symbol["name"]).collect();
    assert_eq!(names, ["FAR", "turn", "free"]);
    let (line, column) = after(&script, "place(frog(me), goal");
    let at = client.at(NAME, line, column);
    let found = client.request("textDocument/definition", at);
    assert_eq!(found[0]["range"]["start"]["line"], after(&script, "let goal = ").0, "{found}");
    client.stop();
}

#[test]
fn the_numbers_of_pieces_follow_their_kind() {
    let game = GAME.replace("property home", "piece guard 2..4 for each player\nproperty home");
    let project = project().file("games/hop/hop.game", &game);
    let mut client = Client::start(project);
    client.open("a.scenario", "");
    for (at, line) in ["place red guard ", "expect red guard ", "red hop red guard "].into_iter().enumerate() {
        let text = format!("use hop\n\nscenario \"A\"\n  {line}\n");
        client.change("a.scenario", i32::try_from(at).unwrap() + 2, &text);
        let at = client.at("a.scenario", 3, line.len() + 2);
        let found = client.request("textDocument/completion", at);
        let labels: Vec<&str> = found.as_array().unwrap().iter().map(|item| item["label"].as_str().unwrap()).collect();
        assert!(["2", "3", "4"].iter().all(|number| labels.contains(number)), "{line}: {labels:?}");
        assert!(!labels.contains(&"5") && !labels.contains(&"1"), "{line}: {labels:?}");
    }
}
