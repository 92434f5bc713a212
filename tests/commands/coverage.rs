//! `referee coverage`, on a game that is small enough to count by hand.

use super::{Project, Ran};

const GAME: &str = "\
game steps \"Steps\"
players 2 red blue
rules \"rules.rhai\"
rulebook \"RULES.md\"
board grid 5x1
die 1..3
piece pawn for each player symbols r b
option goal = near | far
option laps = 1 in 1..3
ask stay
ask go
event PIECE rests
event PIECE hurries
place red at a1, blue at b1
";

const RULEBOOK: &str = "\
[S1] Throw.

[S2] A three ends the turn.

[S3] Go, or stay.
";

/// Each line says in a comment what its runs are in `EXAMPLES`: 3 turns, thrown 1, 2 and 3. After each the next turn
/// begins, and pauses at its throw.
const RULES: &str = "\
// Steps.
fn turn(me) {
    let thrown = roll();                               // 6
    clause(\"S1\");                                      // 3
    if thrown == 3 { clause(\"S2\"); return; }           // 3, inside 1
    let far = thrown > 1 && option(\"goal\") == \"far\";   // 2
    for n in 0..thrown {                               // 2
        if n == 1 { continue; }                        // 3, inside 1
        event(\"rests\", pawn(me));                      // 2
    }
    switch thrown {                                    // 2
        1 => event(\"hurries\", pawn(me)),               // 1
        2 => two(me),                                  // 1
    }
}

fn two(me) {
    let chosen = choose(me, \"go\", [may(\"go\"), may(\"stay\")]);   // 1
    if chosen.verb == \"go\" {                           // 1
        clause(\"S3\");                                  // 0
    }
    // A remark, and a line with nothing but a brace.
}

fn unused(me) {
    let once = 1;                                      // 0
    once
}
";

const EXAMPLES: &str = "\
use steps

scenario \"A one\"
  covers S1
  turn red
  roll 1
  expect turn blue

scenario \"A two\"
  turn red
  roll 2
  red stay

scenario \"A three\"
  turn red
  roll 3
  expect turn blue
";

fn steps() -> Project {
    Project::new()
        .file("games/steps/steps.game", GAME)
        .file("games/steps/RULES.md", RULEBOOK)
        .file("games/steps/rules.rhai", RULES)
        .file("scenarios/steps.scenario", EXAMPLES)
}

/// The project with another text in its rules.
fn changed(old: &str, new: &str) -> Project {
    assert!(RULES.contains(old));
    steps().file("games/steps/rules.rhai", RULES.replace(old, new))
}

#[track_caller]
fn passes(ran: &Ran) -> &str {
    assert_eq!(ran.code, 0, "{}", ran.all());
    &ran.stdout
}

#[test]
fn what_is_missing_is_listed_with_its_place_and_line() {
    let ran = steps().run(&["coverage"]);
    insta::assert_snapshot!(passes(&ran), @r#"
    steps: 3 tests
      clauses    2 of 3    66 %
      functions  2 of 3    66 %
      lines      12 of 15  80 %
      branches   12 of 15  80 %
    missing:
      clause S3                    never applied
      games/steps/rules.rhai:6:29  never true                let far = thrown > 1 && option("goal") == "far";   // 2
      games/steps/rules.rhai:11:5  never without a case      switch thrown {                                    // 2
      games/steps/rules.rhai:19:8  never true                if chosen.verb == "go" {                           // 1
      games/steps/rules.rhai:20    never run                 clause("S3");                                  // 0
      games/steps/rules.rhai:25    `unused` is never called  fn unused(me) {
      option goal = far            never used
      option laps = 1..3 except 1  never used
      ask go                       never used
    "#);
}

/// The comments in `RULES` say how often each line runs.
#[test]
fn lines_are_counted_as_often_as_they_run() {
    let lcov = steps().run(&["coverage", "--format", "lcov"]);
    let text = passes(&lcov);
    let mut wanted = String::new();
    for (at, line) in RULES.lines().enumerate() {
        let Some((code, runs)) = line.rsplit_once("// ") else { continue };
        let runs = runs.split_once("inside ").map_or(runs, |(_, least)| least);
        if let Ok(runs) = runs.parse::<u32>()
            && !code.trim().is_empty()
        {
            wanted.push_str(&format!("DA:{},{runs}\n", at + 1));
        }
    }
    // The last statement of `unused` has no comment.
    let (line, _) = RULES.lines().enumerate().find(|(_, line)| line.trim() == "once").unwrap();
    wanted.push_str(&format!("DA:{},0\n", line + 1));
    let counted: String = text.lines().filter(|line| line.starts_with("DA:")).map(|line| format!("{line}\n")).collect();
    assert_eq!(counted, wanted);
    assert!(text.starts_with("TN:\nSF:games/steps/rules.rhai\n"), "{text}");
    assert!(text.contains("FNDA:6,turn\nFNDA:1,two\nFNDA:0,unused\n"), "{text}");
}

/// Each condition, loop and `switch`, as `line: taken` by hand.
#[test]
fn both_ways_of_each_branch_are_counted() {
    let lcov = steps().run(&["coverage", "--format", "lcov"]);
    let line_of = |part: &str| RULES.lines().position(|line| line.contains(part)).unwrap() + 1;
    let mut by_line: Vec<(usize, Vec<&str>)> = Vec::new();
    for branch in passes(&lcov).lines().filter_map(|line| line.strip_prefix("BRDA:")) {
        let parts: Vec<&str> = branch.split(',').collect();
        let (line, taken) = (parts[0].parse().unwrap(), parts[3]);
        match by_line.last_mut().filter(|(last, _)| *last == line) {
            Some((_, all)) => all.push(taken),
            None => by_line.push((line, vec![taken])),
        }
    }
    let wanted = [
        // Not a three, a three.
        ("if thrown == 3", vec!["2", "1"]),
        // More than one: not, yes. The goal is far: not, yes.
        ("let far", vec!["1", "1", "1", "0"]),
        // Three rounds in two loops, both to the end.
        ("for n in", vec!["3", "2"]),
        ("if n == 1", vec!["2", "1"]),
        // Another number.
        ("switch thrown", vec!["0"]),
        ("1 => event", vec!["1"]),
        ("2 => two", vec!["1"]),
        ("if chosen.verb", vec!["1", "0"]),
    ];
    let wanted: Vec<_> = wanted.into_iter().map(|(part, taken)| (line_of(part), taken)).collect();
    assert_eq!(by_line, wanted);
}

#[test]
fn clauses_are_listed_with_the_examples_that_apply_them() {
    let ran = steps().run(&["coverage", "--details"]);
    assert!(
        passes(&ran).contains(
            "clauses:\n  S1: 3\n    scenarios/steps.scenario:3 A one\n    scenarios/steps.scenario:9 A two\n    \
             scenarios/steps.scenario:14 A three\n  S2: 1\n    scenarios/steps.scenario:14 A three\n  S3: 0\n"
        ),
        "{}",
        ran.stdout
    );
    let markdown = steps().run(&["coverage", "--format", "markdown"]);
    insta::assert_snapshot!(passes(&markdown), @r"
    ### Steps: clauses and examples

    | clause | examples | which |
    |---|--:|---|
    | S1 | 3 | scenarios/steps.scenario:3 A one<br>scenarios/steps.scenario:9 A two<br>scenarios/steps.scenario:14 A three |
    | S2 | 1 | scenarios/steps.scenario:14 A three |
    | S3 | 0 |  |
    ");
}

#[test]
fn json_has_the_same_numbers() {
    let ran = steps().run(&["coverage", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(passes(&ran)).unwrap();
    let game = &json["games"][0];
    assert_eq!(game["game"], "steps");
    assert_eq!(game["clauses"], serde_json::json!({"covered": 2, "all": 3}));
    assert_eq!(game["functions"], serde_json::json!({"covered": 2, "all": 3}));
    assert_eq!(game["by_clause"][1]["tests"], serde_json::json!(["scenarios/steps.scenario:14 A three"]));
    let unused: Vec<&str> =
        game["unused"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert_eq!(unused, ["goal = far", "laps = 1..3 except 1", "go"]);
}

#[test]
fn a_limit_that_is_not_reached_fails() {
    let ran = steps().run(&["coverage", "--fail-under", "clauses=67"]);
    assert_eq!(
        (ran.code, ran.stderr.as_str()),
        (1, "error: `steps`: 66 % of the clauses are covered, less than 67 %\n")
    );
    // Two of three are more than 66 %.
    assert_eq!(steps().run(&["coverage", "--fail-under", "clauses=66,functions=66"]).code, 0);
    let ran = steps().run(&["coverage", "--fail-under", "lines=100,branches=100"]);
    assert_eq!((ran.code, ran.stderr.lines().count()), (1, 2), "{}", ran.all());
    for wrong in ["lines", "lines=101", "words=3", "lines=-1", ""] {
        let ran = steps().run(&["coverage", "--fail-under", wrong]);
        assert_eq!(ran.code, 2, "{wrong}: {}", ran.all());
    }
}

#[test]
fn a_line_may_be_marked_if_it_does_not_run() {
    let marked = changed(
        "        clause(\"S3\");                                  // 0",
        "        clause(\"S3\"); // not covered: never",
    );
    let ran = marked.run(&["coverage"]);
    assert!(!passes(&ran).contains("never run"), "{}", ran.stdout);
    // On a line of its own it is about the next line of code.
    let above = changed(
        "    if chosen.verb == \"go\" {",
        "    // not covered: why\n    // more\n    if chosen.verb == \"go\" {",
    );
    assert!(!passes(&above.run(&["coverage"])).contains("never true  if chosen"));
    for (mark, why) in [
        ("    clause(\"S1\"); // not covered: never", "this line is covered"),
        ("    clause(\"S1\"); // not covered:", "the reason is missing"),
    ] {
        let ran = changed("    clause(\"S1\");                                      // 3", mark).run(&["coverage"]);
        let wanted = format!("games/steps/rules.rhai:4: remove `not covered`: {why}\n");
        assert!(ran.code == 1 && ran.stdout.ends_with(&wanted), "{}", ran.all());
    }
    // A string is no comment.
    let ran = changed("    let once = 1;", "    let once = \"// not covered: no\";").run(&["coverage"]);
    assert_eq!(ran.code, 0, "{}", ran.all());
}

#[test]
fn a_house_rule_counts_once_it_is_used() {
    let house =
        "/// Twos go.\nfn two(me) {\n    base_two(me);\n    if me == blue { event(\"hurries\", pawn(me)); }\n}\n";
    let unused = steps().file("games/steps/house/twos.rhai", house).run(&["coverage"]);
    assert!(
        passes(&unused).contains("house rule twos") && !unused.stdout.contains("house/twos.rhai"),
        "{}",
        unused.stdout
    );
    let example = format!("{EXAMPLES}\nscenario \"House\"\n  with house \"twos\"\n  turn red\n  roll 2\n  red go\n");
    let used = steps().file("games/steps/house/twos.rhai", house).file("scenarios/steps.scenario", example);
    let ran = used.run(&["coverage"]);
    let text = passes(&ran);
    assert!(text.contains("games/steps/house/twos.rhai:4") && !text.contains("house rule twos"), "{text}");
    // The redefined function is still the one of the rules.
    let lcov = used.run(&["coverage", "--format", "lcov"]);
    assert!(passes(&lcov).contains("FNDA:8,turn\nFNDA:2,two\nFNDA:0,unused\n"), "{}", lcov.stdout);
}

#[test]
fn tests_that_fail_are_reported() {
    let wrong = EXAMPLES.replace("expect turn blue", "expect turn red");
    let ran = steps().file("scenarios/steps.scenario", wrong).run(&["coverage"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (1, "error: 2 of 3 tests did not pass; `referee test` shows why\n"));
    let unread = steps().file("scenarios/more.scenario", "use steps\nscenario \"x\"\n  tern red\n").run(&["coverage"]);
    assert_eq!(unread.code, 3, "{}", unread.all());
    let none = steps().run(&["coverage", "--scenario", "nowhere"]);
    assert_eq!(none.code, 4, "{}", none.all());
    assert_eq!(steps().run(&["coverage", "scenarios/step.scenario"]).code, 2);
}

#[test]
fn a_bundled_game_has_no_files_for_lcov() {
    let project = Project::new()
        .file("scenarios/p.scenario", "use pig\nscenario \"x\"\n  players ann ben\n  turn ann\n  roll 1\n");
    let ran = project.run(&["coverage", "--format", "lcov"]);
    let remark = "the bundled game `pig` has no files on disk, so it is left out\n";
    assert_eq!((ran.code, ran.stdout.as_str(), ran.stderr.as_str()), (0, "", remark));
    let text = project.run(&["coverage"]);
    assert!(passes(&text).contains("(built in) games/pig/rules.rhai:"), "{}", text.stdout);
}

#[test]
fn the_number_of_threads_changes_nothing() {
    for format in ["human", "json", "lcov", "markdown"] {
        let run = |jobs: &str| steps().run(&["coverage", "--details", "--format", format, "--jobs", jobs]);
        assert_eq!(run("1"), run("7"), "{format}");
    }
}

/// A claim that does not hold is listed where it is written, and not only as a test that does not pass.
#[test]
fn clauses_that_are_claimed_but_not_applied_are_listed() {
    let project = steps().file("scenarios/steps.scenario", EXAMPLES.replace("  covers S1\n", "  covers S1 S3\n"));
    let place = "scenarios/steps.scenario:4";
    let ran = project.run(&["coverage"]);
    assert_eq!(ran.code, 1, "{}", ran.all());
    assert!(
        ran.stdout.contains(&format!("  {place} "))
            && ran.stdout.contains("  `covers S3`, but it is not applied  scenarios/steps.scenario:3 A one"),
        "{}",
        ran.stdout
    );
    assert!(!ran.stdout.contains("`covers S1`"), "{}", ran.stdout);
    let json = project.run(&["coverage", "--format", "json"]).stdout;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let claims = json["games"][0]["unapplied"].as_array().unwrap();
    assert_eq!((claims.len(), &claims[0]["clause"], &claims[0]["place"]), (1, &"S3".into(), &place.into()));
    let table = project.run(&["coverage", "--format", "markdown"]).stdout;
    assert!(
        table.contains(&format!(
            "\nClaimed by `covers`, but not applied:\n\n- S3: {place}, in scenarios/steps.scenario:3 A one"
        )),
        "{table}"
    );
}
