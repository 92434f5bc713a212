//! `referee play`: games typed in from standard input.

use std::io::{Read, Write};
use std::process::Stdio;

use insta::assert_snapshot;

use super::Project;

/// Plays a game with these lines; each is typed when something is asked.
fn played(arguments: &[&str], lines: &[&str]) -> super::Ran {
    let input: String = lines.iter().map(|line| format!("{line}\n")).collect();
    Project::new().run_with(&[&["play"], arguments].concat(), &input)
}

#[test]
fn a_game_against_a_policy() {
    let lines = [
        "walk",
        "move a2-a4",
        "why a2-a4",
        "why e5",
        "why a2",
        "why z9",
        "optoins",
        "",
        "23",
        "1",
        "undo",
        "undo",
        "white move h2-h3",
        "move g2-h3",
        "show",
        "quit",
    ];
    let ran = played(&["breakthrough", "--policy", "black=random", "--seed", "3"], &lines);
    assert_snapshot!(ran.all());
    assert_eq!(ran.code, 0);
    assert_eq!(played(&["breakthrough", "--policy", "black=random", "--seed", "3"], &lines), ran, "the same seed");
}

/// What was played is a scenario that passes and is formatted; a file with other content is kept.
#[test]
fn a_game_is_saved_as_a_scenario() {
    let project = Project::new();
    let game = ["play", "royal-game-of-ur", "--policy", "dark=random", "--seed", "5", "--record", "whole.scenario"];
    let input = "1\n".repeat(12) + "save part.scenario\n1\n1\n";
    let ran = project.run_with(&game, &input);
    assert_eq!(ran.code, 0, "{}", ran.all());
    let tested = project.run(&["test", "part.scenario", "whole.scenario"]);
    assert!(tested.stdout.contains("2 passed, 0 failed"), "{}", tested.all());
    assert_eq!(project.run(&["fmt", "--check", "."]).code, 0);
    let read = |name: &str| std::fs::read_to_string(project.path().join(name)).unwrap();
    assert!(read("whole.scenario").lines().count() > read("part.scenario").lines().count());
    let again = project.run_with(&game, "quit\n");
    assert_eq!(again.code, 2);
    assert!(again.stderr.contains("whole.scenario exists already: name another file, or delete it"), "{}", again.all());
}

/// A game is kept while it is played: here somebody stops the program at a question.
#[test]
fn a_game_that_is_stopped_is_kept() {
    let project = Project::new();
    let mut command =
        project.command(&["play", "pig", "--policy", "ben=random", "--seed", "1", "--record", "pig.scenario"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"again\n").unwrap();
    // The program waits for the next answer when it has asked for it.
    let mut seen = Vec::new();
    let mut output = child.stdout.take().unwrap();
    let asked = |seen: &[u8]| String::from_utf8_lossy(seen).matches("ann again>").count();
    while asked(&seen) < 2 {
        let mut byte = [0];
        assert_eq!(output.read(&mut byte).unwrap(), 1, "{}", String::from_utf8_lossy(&seen));
        seen.extend(byte);
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let kept = std::fs::read_to_string(project.path().join("pig.scenario")).unwrap();
    assert_eq!(kept.matches("ann again").count(), 1, "{kept}");
    assert_eq!(project.run(&["test", "pig.scenario"]).code, 0, "{kept}");
}

#[test]
fn a_whole_game_ends() {
    let ran = played(&["pig", "--policy", "random", "--seed", "2"], &[]);
    assert_eq!(ran.code, 0);
    let last = ran.stdout.lines().last().unwrap();
    assert!(last.starts_with("over: "), "{last}");
}

/// Dice that somebody throws at a real table; an impossible throw is asked again, and a throw can be taken back.
#[test]
fn dice_by_hand() {
    let lines = ["7", "six", "4", "undo", "5", "roll", "undo", "6", "hold", "quit"];
    let ran = played(&["pig", "--chance-by-hand"], &lines);
    assert_snapshot!(ran.all());
}

#[test]
fn a_hint_is_an_option() {
    let ran = played(&["pig"], &["hint", "quit"]);
    assert!(ran.stdout.contains("> hint\nagain\n"), "nobody holds 3 points: {}", ran.all());
}

/// The cards of others are never shown: not in the position, not as they are drawn, not at the change of seats.
#[test]
fn hands_stay_secret() {
    let alone = played(&["squish-blocks", "--policy", "bob=random", "--seed", "4"], &["options", "1", "1", "quit"]);
    assert_snapshot!("alone", alone.all());
    let both = played(&["squish-blocks", "--seed", "4"], &["", "1", "", "1", "", "quit"]);
    assert_snapshot!("both", both.all());
    let stopped = played(&["squish-blocks", "--seed", "4"], &["", "1", "quit"]);
    assert!(!stopped.stdout.contains("hand bob: R"), "who stops sees no other hand: {}", stopped.all());
    let typed = played(&["squish-blocks", "--chance-by-hand"], &["R1a", "R3b", "x", "undo", "undo", "undo"]);
    assert_snapshot!("cards_by_hand", typed.all());
}

#[test]
fn wrong_arguments() {
    let all = [
        &["brekthrough"][..],
        &["breakthrough", "--policy", "blak=random"],
        &["breakthrough", "--policy", "black=best"],
        &["breakthrough", "--with", "size=3"],
    ];
    let said: Vec<String> = all.iter().map(|arguments| played(arguments, &[]).all()).collect();
    assert_snapshot!(said.join("\n\n"));
}

/// Red sees that blue sinks cards, and not which: a secret hand, and a zone that nobody sees.
#[test]
fn no_card_of_a_hidden_bag_is_named() {
    for (kind, offer) in [("PIECES", "[all]"), ("SET of PIECE", "[all]"), ("LIST of PIECE", "[all]"), ("PIECE", "all")]
    {
        let game = format!(
            "game fish\nplayers 2 red blue\nrules \"rules.rhai\"\nzone deck hidden\nzone hand for each player secret\nzone out hidden\n\
             card fish from \"fish.yaml\" in deck\nask sink {kind}\n"
        );
        let rules = format!(
            "fn setup() {{ deal(2, deck, \"hand\"); }}\nfn turn(me) {{\n    let all = cards(hand(me));\n    \
             let sunk = choose(me, \"sink\", {offer});\n    \
             for card in all {{ move_card(card, hand(me), out); }}\n    if is_empty(hand(after(me))) {{ draw_game(); }}\n}}\n"
        );
        let cards = "cards:\n  - {name: carp}\n  - {name: pike}\n  - {name: eel}\n  - {name: cod}\n";
        let ran = Project::new()
            .file("games/fish/fish.game", game)
            .file("games/fish/rules.rhai", rules)
            .file("games/fish/fish.yaml", cards)
            .run_with(&["play", "fish", "--policy", "blue=random"], "1\n");
        let told: Vec<&str> = ran.stdout.lines().filter(|line| line.starts_with("blue ")).collect();
        assert_eq!(told, ["blue sink …"], "{kind}\n{}", ran.all());
    }
}
