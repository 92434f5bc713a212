//! `--profile`: where rules spend work, by function and line.

use serde_json::Value;

use super::{Project, Ran};

const GAME: &str = "\
game chase \"Chase\"
players 2 white black
rules \"rules.rhai\"
board grid 4x4
piece king for each player symbols K k
ask move MOVE
place white at a1, black at d4
";

/// The moves of each position are listed twice: to look whether there are any, and for the next turn.
const RULES: &str = "\
fn moves(me) {
    let from = cell(king(me));
    let found = no_moves();
    for to in around(one(from)) - occupied() { found += path(from, to); }
    found
}
fn apply(me, move) { make(move); }
fn ended(me) {
    if cell(king(me)) == goal(me) { win(me); }
    if moves(after(me)).is_empty() { win(me); }
}
fn goal(me) { cell_named(if me == white { \"d4\" } else { \"a1\" }) }
";

const STRAIGHT: &str = "\
/// Straight: a king moves in straight directions only.
fn moves(me) {
    let kept = no_moves();
    for move in base_moves(me) {
        if is_straight(move) { kept += move; }
    }
    kept
}
private fn is_straight(move) { row(move.from) == row(move.to) || column(move.from) == column(move.to) }
";

const SCENARIOS: &str = "\
use chase

scenario \"A step\"
  turn white
  white move a1-b2
  expect turn black

scenario \"Another\"
  turn black
  black move d4-c3
  expect b2 empty
";

fn chase(rules: &str) -> Project {
    let project = Project::new().file("games/chase/chase.game", GAME).file("games/chase/rules.rhai", rules);
    project.file("games/chase/house/straight.rhai", STRAIGHT).file("scenarios/chase.scenario", SCENARIOS)
}

fn run(project: &Project, line: &str) -> Ran {
    let ran = project.run(&line.split_whitespace().collect::<Vec<_>>());
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{line}: {}", ran.all());
    ran
}

/// Returns a table with the shares of time in hidden form: they are others in each run.
fn without_times(text: &str) -> String {
    let hidden = |line: &str| match line.rsplit_once("  ").filter(|(_, time)| time.trim().ends_with(" %")) {
        Some((row, time)) if !time.contains('.') => format!("{}  T\n", row.trim_end()),
        _ => format!("{line}\n"),
    };
    text.lines().map(hidden).collect()
}

/// Returns the profile in JSON, and all else.
fn profile_of(project: &Project, line: &str) -> (Value, Value) {
    let mut all: Value = serde_json::from_str(&run(project, &format!("{line} --format json")).stdout).unwrap();
    (all.as_object_mut().unwrap().remove("profile").unwrap_or_default(), all)
}

#[test]
fn a_table_says_which_functions_and_lines_work_most() {
    let text = run(&chase(RULES), "simulate chase -n 20 --profile").stdout;
    insta::assert_snapshot!("simulated", without_times(&text));
    let text = run(&chase(RULES), "test scenarios --profile").stdout;
    insta::assert_snapshot!("tested", without_times(&text));
}

/// The number of calls per turn tells that moves are listed twice; `can_move` does not.
#[test]
fn moves_that_are_listed_twice_are_called_twice() {
    let calls = |rules: &str| {
        let (profile, _) = profile_of(&chase(rules), "simulate chase -n 20 --profile");
        let functions = profile["functions"].as_array().unwrap();
        let moves = functions.iter().find(|one| one["function"] == "moves").unwrap();
        moves["calls"].as_f64().unwrap() / profile["turns"].as_f64().unwrap()
    };
    let once = RULES.replace("moves(after(me)).is_empty()", "!can_move(after(me))");
    let (twice, once) = (calls(RULES), calls(&once));
    assert!((1.9..2.1).contains(&twice) && (0.9..1.1).contains(&once), "{twice} and {once}");
}

#[test]
fn results_and_profiles_are_the_same_for_any_number_of_threads() {
    let project = chase(RULES);
    for line in [
        "simulate chase -n 30",
        "simulate chase -n 3 --policy mcts:4",
        "simulate chase -n 8 --house straight --policy white=greedy:row(cell(king(me)))",
        "simulate pig -n 20",
        "simulate squish-blocks -n 3",
        "test scenarios",
    ] {
        let (none, plain) = profile_of(&project, line);
        assert!(none.is_null(), "{line}");
        let one = profile_of(&project, &format!("{line} --profile --jobs 1"));
        assert_eq!(plain, one.1, "{line}");
        let sum: i64 = one.0["functions"].as_array().unwrap().iter().map(|of| of["work"].as_i64().unwrap()).sum();
        assert_eq!(one.0["work"].as_i64(), Some(sum), "{line}");
        assert_eq!(one, profile_of(&project, &format!("{line} --profile --jobs 2")), "{line}");
        let text = run(&project, line).stdout;
        let profiled = run(&project, &format!("{line} --profile")).stdout;
        assert!(profiled.starts_with(&format!("{text}\nprofile: ")), "{profiled}");
    }
}

#[test]
fn functions_of_house_rules_are_listed_with_their_file() {
    let (profile, _) = profile_of(&chase(RULES), "simulate chase -n 5 --house straight --profile");
    let files: Vec<&str> = profile["functions"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|one| one["function"] == "moves" || one["function"] == "is_straight")
        .map(|one| one["file"].as_str().unwrap())
        .collect();
    let house = "games/chase/house/straight.rhai";
    assert_eq!(files.iter().filter(|file| **file == house).count(), 2, "{files:?}");
    assert_eq!(files.iter().filter(|file| **file == "games/chase/rules.rhai").count(), 1, "{files:?}");
}

#[test]
fn stacks_are_written_for_flame_graphs() {
    let project = chase(RULES);
    let read = |name: &str| std::fs::read_to_string(project.path().join(name)).unwrap();
    let (profile, _) = profile_of(&project, "simulate chase -n 20 --profile --profile-stacks out/stacks.txt");
    let stacks = read("out/stacks.txt");
    insta::assert_snapshot!("stacks", stacks);
    let count = |line: &str| line.rsplit_once(' ').unwrap().1.parse::<i64>().unwrap();
    assert_eq!(profile["work"].as_i64(), Some(stacks.lines().map(count).sum()));
    run(&project, "simulate chase -n 20 --house straight --profile --profile-stacks out/stacks.txt");
    insta::assert_snapshot!("stacks_of_a_house_rule", read("out/stacks.txt"));
    run(&project, "test scenarios --profile --profile-stacks tested.txt");
    assert!(read("tested.txt").contains("(built-in turn);ended/1;moves/1;line 4 "), "{}", read("tested.txt"));
}

#[test]
fn mistakes_say_what_to_write() {
    let project = chase(RULES).file("notes.txt", "hello\n");
    let lines = [
        "simulate chase --profile-stacks a.txt",
        "simulate chase --profile --profile-stacks games",
        "simulate chase --profile --profile-stacks notes.txt",
        "simulate chase --profile --players all",
        "test --profile --watch",
        "test --profile --report html=pages",
        "test --profile --profile-stacks notes.txt",
    ];
    let mut all = String::new();
    for line in lines {
        let ran = project.run(&line.split_whitespace().collect::<Vec<_>>());
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{line}: {}", ran.all());
        all.push_str(&format!("$ referee {line}\n{}\n", ran.stderr));
    }
    insta::assert_snapshot!("mistakes", all);
    assert_eq!(std::fs::read_to_string(project.path().join("notes.txt")).unwrap(), "hello\n");
}
