//! Options that pass through a function `offered` of the rules or of house rules, and actions that rules read.

use std::path::Path;

use referee_scenario::{Loader, LoaderOptions, judge, plan};
use referee_source::MemoryHost;
use referee_trace::Status;

const GAME: &str = "game inn \"Inn\"\nplayers 2 red blue\nrules \"rules.rhai\"\nboard grid 4x4\ndirections 4 clockwise from north\n\
                    piece man for each player symbols r b\ndie six 1..6\ncounter coins for each player = 3\n\
                    ask walk CELL\nask hop MOVE [with] NUMBER\nask rest\nask pay NUMBER\nask guess NUMBER\nask move MOVE\n";

/// A turn that asks for actions, a number and, of all players at once, another number.
const RULES: &str = r#"
fn turn(me) {
    let found = [may("rest")];
    for to in around(cells(man(me))) - occupied() { found.push(may("walk", to)); }
    for to in around(cells(man(me))) - occupied() { found.push(may("hop", path(cell(man(me)), to), 2)); }
    let chosen = choose(me, "walk", found);
    if chosen.verb == "walk" { place(man(me), chosen.value); }
    if chosen.verb == "hop" { make(chosen.move); }
    me.coins -= choose(me, "pay", 0..=2);
    choose_then(me, "guess", [1, 2, 3], "guessed");
}
fn guessed(me, number) { me.coins += number; let all = choose_all(players(), "guess", |player| [player.coins, 7]); me.coins += sum(all); }
"#;

const LISTED: &str = r#"
fn moves(me) { steps(cells(man(me)) & touched(all_cells() - occupied())) }
fn apply(me, move) { make(move); }
fn ended(me) { if !can_move(after(me)) { win(me); } }
fn stuck(me) { lose(me); }
"#;

/// The messages of a scenario of the game with these rules and house rules; empty if it passes.
fn told(rules: &str, houses: &[(&str, &str)], lines: &str) -> String {
    let host = MemoryHost::default().with("games/inn/inn.game", GAME).with("games/inn/rules.rhai", rules);
    let host = houses.iter().fold(host, |host, (name, text)| host.with(format!("games/inn/house/{name}.rhai"), *text));
    let with: String = houses.iter().map(|(name, _)| format!("  with house \"{name}\"\n")).collect();
    let scenario = format!("use inn\nscenario \"a\"\n{with}  place red at a1, blue at d4\n{lines}");
    let host = host.with("a.scenario", scenario);
    let options = LoaderOptions { games: Some("games".into()), working_folder: "/".into(), ..LoaderOptions::default() };
    let mut loader = Loader::new(&host, options);
    let suite = plan(&mut loader, Path::new("a.scenario"));
    let told = |one: &referee_diagnostic::Diagnostic| {
        let marked: Vec<String> = one
            .labels
            .iter()
            .map(|label| format!("{} {:?}", label.source.name(), label.source.slice(label.span)))
            .collect();
        format!("{}: {} {marked:?} {}\n", one.code, one.message, one.help.clone().unwrap_or_default())
    };
    if !suite.problems.is_empty() {
        return suite.problems.iter().map(told).collect();
    }
    let result = judge(&mut loader, &suite, 0);
    assert_eq!(result.status == Status::Passed, result.failures.is_empty());
    result.failures.iter().map(|one| told(&one.diagnostic)).collect()
}

const HOME: (&str, &str) = (
    "homely",
    "/// Homely: nobody walks north, and nobody rests.\nfn offered(me, ask, options) {\n    let kept = base_offered(me, ask, options);\n    if ask != \"walk\" { return kept; }\n    let here = cell(man(me));\n    kept.filter(|one| one.verb != \"rest\" && (one.verb == \"hop\" || row(one.value) == row(here)))\n}\n",
);
const RICH: (&str, &str) = (
    "rich",
    "/// Rich: one may pay 9, and guess nothing but 3.\nfn offered(me, ask, options) {\n    if ask == \"pay\" { return [9] + base_offered(me, ask, options).filter(|n| n > 0); }\n    if ask == \"guess\" { return [3]; }\n    base_offered(me, ask, options)\n}\n",
);

#[test]
fn options_pass_through_the_function_of_a_house_rule() {
    let plain = "  turn red\n  expect choices = rest, walk a2, walk b1, hop a1-a2 with 2, hop a1-b1 with 2\n  red rest\n  expect choices pay = 0, 1, 2\n";
    assert_eq!(told(RULES, &[], plain), "");
    let homely = "  turn red\n  expect choices = walk b1, hop a1-a2 with 2, hop a1-b1 with 2\n  refuse red walk a2\n  red walk b1\n  expect choices pay = 0, 1, 2\n";
    assert_eq!(told(RULES, &[HOME], homely), "");
    let both = "  turn red\n  expect choices = walk b1, hop a1-a2 with 2, hop a1-b1 with 2\n  red hop a1-a2 with 2\n  expect red at a2\n  expect choices pay = 9, 1, 2\n  red pay 9\n  expect choices guess = 3\n  red guess 3\n  red guess 3\n  blue guess 3\n  expect red.coins = 3\n";
    assert_eq!(told(RULES, &[HOME, RICH], both), "");
}

/// What the built-in turn lists passes through it as well, so that `can_move` and `stuck` see it.
#[test]
fn listed_moves_pass_through_it() {
    const EAST: (&str, &str) = (
        "east",
        "/// East: nobody moves north or south.\nfn offered(_me, _ask, options) {\n    options.filter(|move| row(move.from) == row(move.to))\n}\n",
    );
    const NONE: (&str, &str) = (
        "none",
        "/// None: blue never moves.\nfn offered(me, ask, options) {\n    if me == blue { no_moves() } else { base_offered(me, ask, options) }\n}\n",
    );
    let east = "  turn red\n  expect choices move = a1-b1\n  refuse red move a1-a2\n  red move a1-b1\n  expect choices move = d4-c4\n";
    assert_eq!(told(LISTED, &[EAST], east), "");
    assert_eq!(
        told(
            LISTED,
            &[NONE],
            "  turn red\n  expect choices move = a1-b1, a1-a2\n  red move a1-b1\n  expect winner red\n"
        ),
        ""
    );
    assert_eq!(told(LISTED, &[], "  turn red\n  red move a1-b1\n  expect choices move = d4-c4, d4-d3\n"), "");
    let odds = "  turn red\n  expect chance red at b1 = 1\n    when red policy random\n";
    assert_eq!(told(LISTED, &[EAST], odds), "");
    let reached = "  turn red\n  expect never red at a2 within 2 turns\n";
    assert_eq!(told(LISTED, &[EAST], reached), "");
}

/// The rules themselves may have it.
#[test]
fn rules_have_it_themselves() {
    let rules = format!(
        "{RULES}fn offered(me, ask, options) {{ if ask == \"pay\" {{ options.filter(|n| n < 2) }} else {{ options }} }}\n"
    );
    assert_eq!(told(&rules, &[], "  turn red\n  red rest\n  expect choices pay = 0, 1\n"), "");
    let house = [RICH];
    assert_eq!(told(&rules, &house, "  turn red\n  red rest\n  expect choices pay = 9, 1\n"), "");
}

#[test]
fn no_options_are_told_with_the_function_that_lost_them() {
    const NO: (&str, &str) = (
        "no",
        "/// No: nobody pays.\nfn offered(_me, ask, options) {\n    if ask == \"pay\" { [] } else { options }\n}\n",
    );
    let found = told(RULES, &[NO], "  turn red\n  red rest\n");
    assert!(found.starts_with("no_options: red has no options for `pay`"), "{found}");
    assert!(found.contains("rules.rhai \\\"choose") && found.contains("house/no.rhai \\\"offered"), "{found}");
    const OTHER: (&str, &str) = ("other", "/// Other parameters.\nfn offered(options) { options }\n");
    let found = told(RULES, &[OTHER], "  turn red\n");
    assert!(found.starts_with("house_function: ") || found.contains("fn offered(me, ask, options)"), "{found}");
}

/// Actions are read in closures, and in `why_not`.
#[test]
fn actions_are_read() {
    let rules = r#"
fn turn(me) {
    let all = [may("rest"), may("walk", cell_named("a2")), may("walk", cell_named("b1")), may("hop", path(cell(man(me)), cell_named("b1")), 3)];
    let short = all.filter(|one| one.verb != "hop" || one.values[1] < 3);
    let far = all.filter(|one| one.verb == "hop" && one.move.to == cell_named("b1") && !one.move.captures);
    let walks = all.filter(|one| one.verb == "walk").map(|one| row(one.value));
    me.coins = short.len * 100 + far.len * 10 + sum(walks);
    if all.some(|one| one.value == () && one.values.is_empty()) && all.find(|one| one.verb == "rest").verb == "rest" { me.coins += 1000; }
    let chosen = choose(me, "walk", short + far);
    if chosen.verb == "hop" { make(chosen.move); }
}
fn why_not(me, action) { if action.verb == "hop" { `not to ${name(action.move.to)}` } else if action.values.len > 0 { "too far" } else { () } }
"#;
    let lines = "  turn red\n  expect red.coins = 1311\n  expect choices = rest, walk a2, walk b1, hop a1-b1 with 3\n  refuse red walk c4 because \"too far\"\n  refuse red hop a1-a2 with 3 because \"not to a2\"\n  red hop a1-b1 with 3\n  expect red at b1\n";
    assert_eq!(told(rules, &[], lines), "");
    let wrong = "fn turn(me) { let all = [may(\"rest\")].filter(|one| one.target == 3); if all.len > 0 { choose(me, \"rest\", all); } }\n";
    let found = told(wrong, &[], "  turn red\n");
    assert!(found.starts_with("unknown_property: unknown flag, counter or property `target`"), "{found}");
    assert!(found.contains("an action has `verb`, `value`, `values`, `move`"), "{found}");
    let none = "fn turn(me) { for one in [may(\"rest\"), may(\"move\", path(cell_named(\"a1\"), cell_named(\"a2\")))] { if one.move.captures { me.coins += 1; } } }\n";
    let found = told(none, &[], "  turn red\n");
    assert!(found.contains("`rest` has no move"), "{found}");
}
