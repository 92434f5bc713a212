//! `referee check`

use super::{FAILING, GOOD, INVALID, Project};
use crate::suite::HOP;

#[test]
fn nothing_is_run() {
    let ran = Project::hop().file("bad.scenario", FAILING).run(&["check", "bad.scenario"]);
    insta::assert_snapshot!(ran.all(), @r"
    1 file, no errors
    ──── exit code 0
    ");
}

#[test]
fn mistakes_are_shown_and_counted() {
    let project = Project::hop().file("good.scenario", GOOD).file("bad.scenario", INVALID);
    insta::assert_snapshot!(project.run(&["check", "good.scenario", "bad.scenario"]).all());
}

#[test]
fn games_in_a_folder_are_checked() {
    let ran = Project::hop().file("good.scenario", GOOD).run(&["check", "."]);
    assert!(ran.all().ends_with("2 files, no errors, 5 notes\n──── exit code 0"), "{}", ran.all());
}

/// An error in the rules is reported once for any number of scenarios.
#[test]
fn a_mistake_in_the_rules_is_told_once() {
    let project = Project::hop().file("games/hop/rules.rhai", "fn turn(me) { rol(\"distance\"); }\n");
    let project = project.file("one.scenario", GOOD).file("two.scenario", GOOD);
    let ran = project.run(&["check", "."]);
    assert_eq!(ran.stdout.matches("unknown function `rol`").count(), 1, "{}", ran.stdout);
    assert!(ran.stdout.contains("games/hop/rules.rhai:1:15"), "{}", ran.stdout);
    assert_eq!(ran.code, 3);
}

/// The set-up of each variant is run, with answers to what it asks.
#[test]
fn an_error_in_the_set_up_is_found() {
    let game = format!("{}\nvariant long\n  place red at a1\n", HOP[0].1);
    let rules = format!(
        "{}fn setup() {{\n    let names = [\"score\", \"scr\" + \"oe\"];\n    let far = roll(\"distance\");\n    \
         if variant() == \"long\" {{ set(red, names[1], far); }}\n}}\n",
        HOP[1].1
    );
    let project = Project::hop().file(HOP[0].0, game).file("games/hop/rules.rhai", rules);
    insta::assert_snapshot!(project.run(&["check", "games"]).all());
}

/// A string that passes through many functions, each of which calls the next one many times, is followed once.
#[test]
fn a_name_is_followed_through_many_functions() {
    let calls = |at: usize| format!("f{}(name); ", at + 1).repeat(60);
    let chain: String = (0..60).map(|at| format!("fn f{at}(name) {{ {} }}\n", calls(at))).collect();
    let list = format!("const NAMES = [{}];\n", "\"a1\", ".repeat(3_000));
    let rules = format!(
        "{}{list}{chain}fn f60(name) {{ cell_named(name); }}\nfn top() {{ f0(\"z9\"); cell_named(NAMES[3]) }}\n",
        HOP[1].1
    );
    let ran = Project::hop().file("games/hop/rules.rhai", rules).run(&["check", "games"]);
    assert!(ran.code == 3 && ran.all().contains("no board of this game has a cell `z9`"), "{}", ran.all());
    assert_eq!(ran.all().matches("referee::").count(), 1, "{}", ran.all());
}

/// Lines call the piece of a player by its kind, too, so no card can have this name.
#[test]
fn a_card_named_like_the_piece_of_a_player_is_reported() {
    let game = "game crown \"Crown\"\nplayers 2 red blue\nrules \"rules.rhai\"\nboard grid 3x3\nzone deck hidden\n\
                card trick from \"cards.yaml\" in deck\npiece king for each player\nask pass\n";
    let check = |name: &str| {
        let project = Project::new()
            .file("games/crown/crown.game", game)
            .file("games/crown/rules.rhai", "fn turn(me) { choose(me, \"pass\", [may(\"pass\")]); }\n")
            .file("games/crown/cards.yaml", format!("cards:\n  - name: {name}\n"));
        project.run(&["check"])
    };
    for name in ["red king", "blue king", "red"] {
        assert!(check(name).all().contains("is already the name of something else"), "{}", check(name).all());
    }
    for name in ["red queen", "green king", "Red King", "red kings"] {
        assert_eq!(check(name).code, 0, "{}", check(name).all());
    }
}
