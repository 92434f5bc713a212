//! Results of functions of the rules that are remembered: nothing but the time shows it.

use super::Project;

fn game(declared: &str, rules: &str) -> Project {
    let lines = format!(
        "game sums \"Sums\"\nplayers 2 red blue\nrules \"rules.rhai\"\ncounter score for each player = 0\n\
ask give NUMBER\n{declared}"
    );
    Project::new().file("games/sums/sums.game", lines).file("games/sums/rules.rhai", rules)
}

#[track_caller]
fn passes(project: Project, turn: &str) {
    let scenario = format!("use sums\n\nscenario \"A turn\"\n  turn red\n{turn}");
    let ran = project.file("turn.scenario", scenario).run(&["test", "turn.scenario"]);
    assert_eq!(ran.code, 0, "{}", ran.all());
}

/// The functions return a constant list and a text that equals a constant: the machine keeps neither beyond the phase.
const TRAP: &str = "const WORD = \"aaaa\";
fn turn(me) {
    let first = choose(me, \"give\", [1, 2]);
    if first == 1 { win(me); }
    let kept = [few(3), word(4)];
    first = 0;
    let last = 0;
    loop {
        last = choose(me, \"give\", [1, 2, 3]);
        kept = [few(last * 0 + 3), word(last * 0 + 4)];
        if last == 9 { win(me); }
    }
}
fn few(n) { while n > 3 { n -= 1; } [1, 2] }
fn word(n) { let text = \"\"; while n > 0 { n -= 1; text += \"a\"; } text }
";

#[test]
fn a_recalled_value_is_the_same_at_a_pause_as_that_of_a_run() {
    let ran = game("", TRAP).run(&["odds", "sums", "--policy", "random"]);
    assert!(ran.all().contains("play reaches it by:\n  red give 2\n  red give 1\n"), "{}", ran.all());
}

#[test]
fn nothing_of_a_recalled_constant_is_left_for_a_phase_that_goes_on() {
    let rules = "fn turn(me) {
    let mine = [me.score, 70];
    let chosen = choose(me, \"give\", [1, 2]);
    me.score = mine[1] + chosen;
    then(\"leaf\", me);
}
fn leaf(me) {
    let steps = few(5);
    steps = few(5);
    if me.score < 70 { lose(me); }
    if me.score >= 70 { win(me); }
}
fn few(n) { while n > 3 { n -= 1; } [1, 2, 3] }
";
    for policy in ["random", "greedy:me.score", "mcts:20"] {
        let ran = game("", rules).run(&["simulate", "sums", "-n", "20", "--seed", "1", "--policy", policy]);
        assert!(
            ran.code == 0 && ran.all().lines().any(|line| line.starts_with(" red wins") && line.contains("100.0 %")),
            "{policy}: {}",
            ran.all()
        );
    }
}

#[test]
fn a_property_called_len_is_read_and_set_each_time() {
    let rules = "fn turn(me) {
    let before = total(3);
    OF.len = 5;
    me.score = total(3);
    set_len(me);
    OF.len = 0;
    set_len(me);
    win(me);
}
fn total(n) { let sum = 0; for i in 0..n { sum += OF.len; } sum }
fn set_len(me) { for i in 0..3 { OF.len = 7 + i; } 0 }
";
    let both = "counter len = 0\n";
    passes(game(both, &rules.replace("OF", "game")), "  expect red.score = 15\n  expect game.len = 9\n");
    let each = "counter len for each player = 0\n";
    passes(game(each, &rules.replace("OF", "red")), "  expect red.score = 15\n  expect red.len = 9\n");
}

#[test]
fn a_function_of_a_map_under_the_name_of_a_native_one_runs_each_time() {
    let rules = "const BY = #{ max: |n| { game.k += n; game.k } };
fn total(n) { let sum = 0; for i in 0..n { sum += BY.max(i + 1); } sum }
fn turn(me) { let before = total(3); me.score = total(3); win(me); }
";
    passes(game("counter k = 0\n", rules), "  expect red.score = 28\n  expect game.k = 12\n");
    let asks = "const BY = #{ max: Fn(\"ask_die\") };
fn ask_die(n) { roll() }
fn total(n) { let sum = 0; for i in 0..n { sum += BY.max(i); } sum }
fn turn(me) { me.score = total(2); me.score += total(2); win(me); }
";
    passes(game("die 1..3\n", asks), "  roll 1\n  roll 2\n  roll 3\n  roll 3\n  expect red.score = 9\n");
}
