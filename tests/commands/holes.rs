//! Placeholders: the values that a row may contain, and how a row is split into cells.

use super::Project;

fn passes(text: &str) {
    let ran = Project::hop()
        .file("games/hop/house/far.rhai", "option(\"goal\", 9);\n\nfn why_not(me, act) { base::why_not(me, act) }\n")
        .file("t.scenario", text)
        .run(&["test", "t.scenario"]);
    assert_eq!(ran.code, 0, "{}", ran.all());
}

#[test]
fn a_hole_stands_for_the_name_of_a_position() {
    passes(
        "use hop short\n\nposition \"left\"\n  place red at a1\n\nposition \"right\"\n  place red at e1\n\nscenario \"S\"\n  from {where}\n  expect red at {cell}\n  examples\n    | where | cell |\n    | left | a1 |\n    | \"right\" | e1 |\n",
    );
}

#[test]
fn a_hole_stands_for_an_option_and_its_value() {
    passes(
        "use hop short\n\nscenario \"S\"\n  with {option} = {value}\n  expect { option(\"goal\") == goal }\n  examples\n    | option | value | goal |\n    | goal | 2 | 2 |\n    | edge | torus | 3 |\n",
    );
}

#[test]
fn a_hole_stands_for_options_and_their_verb_and_count() {
    passes(
        "use hop short\n\nscenario \"S\"\n  turn red\n  roll distance 1\n  expect choices {verb} = {list}\n  expect choices {verb} count {count}\n  examples\n    | verb | list | count |\n    | walk | a2, b1, b2 | 3 |\n    | walk | a2 b1 b2 | 3 |\n    | stop | stop | 1 |\n",
    );
}

#[test]
fn a_hole_stands_for_tokens_of_a_drawing() {
    passes(
        "use hop short\n\nscenario \"S\"\n  board\n    | . . . . b\n    | . . . . .\n    | . . . . .\n    | . . . . .\n    | {corner} . {rest}\n  expect red at {cell}\n  expect board\n    | ? ? ? ? {other}\n    | ? ? ? ? ?\n    | ? ? ? ? ?\n    | ? ? ? ? ?\n    | {corner} ? {rest}\n  examples\n    | corner | rest | cell | other |\n    | r | . . . | a1 | b |\n    | . | . r . | d1 | ? |\n",
    );
}

#[test]
fn titles_are_filled() {
    let text = "use hop short\n\nscenario \"Red throws {points}\"\n  turn red\n  roll distance {points}\n  branch \"and {verb}s\"\n    red {verb}\n  examples\n    | points | verb |\n    | 2 | stop |\n";
    let ran = Project::hop().file("t.scenario", text).run(&["test", "-v", "t.scenario"]);
    assert!(ran.stdout.contains("Red throws 2 (row 1) > and stops"), "{}", ran.all());
}

#[test]
fn a_bar_in_quotes_belongs_to_its_value() {
    passes(
        "use hop short\n\nscenario \"S\"\n  turn red\n  expect { text == \"a | b\" && number == 2 + red.score }\n  examples\n    | text | number |\n    | \"a | b\" | 2 |\n",
    );
}

#[test]
fn true_and_false_are_no_texts_in_expressions() {
    passes(
        "use hop short\n\nscenario \"S\"\n  turn {who}\n  expect { red.resting == resting || told }\n  examples\n    | who | resting | told |\n    | red | false | false |\n    | blue | true | true |\n",
    );
}

#[test]
fn a_hole_stands_for_a_house_rule() {
    let text = "use hop short\n\nscenario \"S\"\n  with house {house}\n  turn red\n  examples\n    | house |\n    | far |\n    | fra |\n";
    let ran = Project::hop()
        .file("games/hop/house/far.rhai", "fn why_not(me, act) { \"never\" }\n")
        .file("t.scenario", text)
        .run(&["test", "t.scenario"]);
    assert_eq!(ran.code, 3, "{}", ran.all());
    assert!(ran.stdout.contains("unknown house rule `fra`"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("`far`\n   ╭"), "{}", ran.stdout);
}

#[test]
fn a_mistake_in_a_row_belongs_to_the_test_of_this_row() {
    let text = "use hop short\n\nscenario \"S\"\n  turn red\n  roll distance {points}\n  examples\n    | points |\n    | 1 |\n    | 77 |\n";
    let ran = Project::hop().file("t.scenario", text).run(&["test", "t.scenario", "--format", "json"]);
    let whole: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(whole["tests"][0]["status"], "skipped");
    assert_eq!(whole["tests"][1]["status"], "errored");
}

#[test]
fn a_scenario_may_place_elsewhere_what_a_shared_position_places() {
    passes(
        "use hop short\n\nposition \"corner\"\n  place red at a1, blue at e5\n\nscenario \"S\"\n  from \"corner\"\n  place red at c3\n\n  branch \"there\"\n  expect red at c3\n  expect blue at e5\n\n  branch \"off\"\n  place red off\n  expect red off\n",
    );
}
