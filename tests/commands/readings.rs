//! `referee readings`: options and house rules held against the examples of a rulebook.

use std::collections::BTreeMap;
use std::path::Path;

use super::{Project, Ran};

/// A game of one move: red steps on by the option's number of cells, or is stopped by an error.
const STEPS: &str = "\
game steps \"Steps\"
players 1..2 red blue
rules \"rules.rhai\"
rulebook \"RULES.md\"
board grid 9x2
directions 4 clockwise from north
piece pawn for each player symbols r b
ask go
event PIECE goes to CELL
option length = 2 in 1..3000   \"How far a step leads\"
option wall = stops | fails    \"What a step beyond the edge does\"
option extra = no | yes        \"Whether there is a second step\"
option unused = this | that    \"Nothing\"
variant plain
  place red at a1, blue at a2
variant double
  place red at a1, blue at a2
  with extra = yes
";

const RULES: &str = "\
fn turn(me) {
    choose(me, \"go\", [may(\"go\")]);
    walk(me, option(\"length\"));
    if option(\"extra\") == \"yes\" { walk(me, 1); }
}
fn walk(me, far) {
    let goal = cell(pawn(me));
    for n in 0..far {
        if goal != () { goal = step(goal, direction_named(\"E\")); }
    }
    if goal == () {
        if option(\"wall\") == \"fails\" { place(pawn(me), goal); }
        return;
    }
    clause(\"W1\");
    place(pawn(me), goal);
    event(\"goes\", pawn(me), goal);
}
";

/// A project with the game and these scenarios.
pub(super) fn steps(scenarios: &str) -> Project {
    Project::new()
        .file("games/steps/steps.game", STEPS)
        .file("games/steps/rules.rhai", RULES)
        .file("games/steps/RULES.md", "[W1] A step.\n")
        .file("games/steps/house/still.rhai", "/// Still: nobody moves\nfn walk(me, far) { }\n")
        .file("scenarios/steps.scenario", format!("use steps plain\n\n{scenarios}"))
}

const EXAMPLES: &str = "\
scenario \"Two cells\"
  cites \"Page 1\"
  turn red
  red go
  expect red at c1

scenario \"Beyond the edge\"
  cites \"Page 2\"
  place red at i1
  turn red
  red go
  expect red at i1

scenario \"With a second step\"
  cites \"Page 3\"
  with extra = yes
  turn red
  red go
  expect red at d1

scenario \"Not an example of the rulebook\"
  turn red
  red go
  expect red at c1
";

#[test]
fn each_value_is_held_against_the_examples() {
    insta::assert_snapshot!(steps(EXAMPLES).run(&["readings", "steps"]).all());
    insta::assert_snapshot!(steps(EXAMPLES).run(&["readings", "steps", "--format", "markdown"]).all());
    insta::assert_snapshot!(steps(EXAMPLES).run(&["readings", "steps", "--pairs"]).all());
}

/// Returns the JSON of a run.
fn json(ran: &Ran) -> serde_json::Value {
    serde_json::from_str(&ran.stdout).map_err(|wrong| format!("{wrong}: {}", ran.all())).unwrap()
}

/// For each option and house rule, and each value, its verdict.
fn verdicts(ran: &Ran) -> BTreeMap<String, Vec<String>> {
    let found = json(ran);
    let issues = found["issues"].as_array().unwrap().iter().map(|issue| {
        let values = issue["values"].as_array().unwrap().iter();
        let said = |value: &serde_json::Value| value["verdict"].as_str().unwrap().to_owned();
        (issue["name"].as_str().unwrap().to_owned(), values.map(said).collect())
    });
    issues.collect()
}

#[test]
fn what_an_example_sets_itself_is_no_evidence_about_other_values() {
    let only = "scenario \"Own\"\n  cites \"Page 3\"\n  with extra = yes\n  turn red\n  red go\n  expect red at d1\n";
    let found = verdicts(&steps(only).run(&["readings", "steps", "--format", "json"]));
    assert_eq!(found["extra"], ["untested", "allowed"]);
    // So does a variant that sets an option, and a house rule that the scenario uses.
    let variant = "use steps double\n\nscenario \"Own\"\n  cites \"3\"\n  with house \"still\"\n  turn red\n  red go\n  expect red at a1\n";
    let found = verdicts(&steps(variant).run(&["readings", "steps", "--format", "json"]));
    assert_eq!(found["extra"], ["untested", "allowed"]);
    assert_eq!(found["still"], ["untested", "allowed"]);
}

#[test]
fn claims_about_clauses_are_not_evidence() {
    let covers = "scenario \"A step\"\n  cites \"1\"\n  covers W1\n  turn red\n  red go\n  expect events\n";
    let covers = covers.replace("  expect events\n", "");
    let found = verdicts(&steps(&covers).run(&["readings", "steps", "--format", "json"]));
    // Under the house rule nobody moves, so no clause is applied; the example itself says nothing against that.
    assert_eq!(found["still"], ["allowed", "allowed"]);
}

#[test]
fn an_example_that_fails_as_it_is_written_is_reported() {
    let wrong = "scenario \"Three cells\"\n  cites \"Page 1\"\n  turn red\n  red go\n  expect red at d1\n";
    let ran = steps(wrong).run(&["readings", "steps"]);
    assert_eq!(ran.code, 1, "{}", ran.all());
    assert!(ran.stdout.contains("fails as it is written: scenarios/steps.scenario:7: red is at c1, not at d1\n"));
    // Another reading makes it right: then the default is ruled out, and that value is the only one left.
    assert!(ran.stdout.contains("\nlength: decided\n"), "{}", ran.stdout);
    assert!(ran.stdout.contains("\n  3 ") && ran.stdout.contains("  allowed by 1 example\n"), "{}", ran.stdout);
    assert!(ran.stdout.contains("\nwall: contradicted, no value agrees with the examples"), "{}", ran.stdout);
}

/// One value is ruled out, the other stopped by an error: none is right.
#[test]
fn a_value_stopped_by_an_error_is_not_decided() {
    let edge = "scenario \"The edge\"\n  cites \"1\"\n  place red at i1\n  turn red\n  red go\n  expect red at h1\n";
    let ran = |format| steps(edge).run(&["readings", "steps", "--format", format]);
    let found = ran("json");
    assert_eq!(verdicts(&found)["wall"], ["ruled out", "error"]);
    assert!(
        found.stdout.contains(r#""name":"wall","title":"What a step beyond the edge does","state":"contradicted""#)
    );
    let text = ran("human").stdout;
    assert!(text.contains("\nwall: contradicted, no value agrees with the examples: correct"), "{text}");
    assert!(text.ends_with(" contradicted\n") && !text.contains("wall: decided"), "{text}");
    let table = ran("markdown").stdout;
    assert!(table.contains("| `wall`, contradicted: no value agrees with the examples: correct"), "{table}");
}

#[test]
fn without_examples_every_reading_is_open() {
    let none = "scenario \"Not cited\"\n  turn red\n  red go\n  expect red at c1\n";
    let ran = steps(none).run(&["readings", "steps"]);
    assert_eq!(ran.code, 4);
    insta::assert_snapshot!(ran.all());
}

#[test]
fn wrong_words_and_files_are_reported() {
    let mut said = String::new();
    for arguments in [
        &["readings", "stps"][..],
        &["readings", "steps", "scenarios/stebs.scenario"],
        &["readings", "steps", "scenarios/steps.scenario:1"],
        &["readings"],
    ] {
        said.push_str(&format!("$ referee {}\n{}\n\n", arguments.join(" "), steps(EXAMPLES).run(arguments).all()));
    }
    // An error in a file is never passed over: the scenario may be an example.
    let broken = steps(EXAMPLES).file("scenarios/b.scenario", "use steps\n\nscenario \"B\"\n  trun red\n");
    said.push_str(&broken.run(&["readings", "steps"]).all());
    insta::assert_snapshot!(said);
}

#[test]
fn results_do_not_depend_on_the_number_of_threads() {
    let project = steps(EXAMPLES).file("scenarios/more.scenario", format!("use steps double\n\n{EXAMPLES}"));
    let run = |jobs| project.run(&["readings", "steps", "--pairs", "--format", "json", "--jobs", jobs]);
    let one = run("1");
    assert!(one.stdout.contains("\"pairs\""), "{}", one.all());
    assert!(["2", "3", "7"].iter().all(|jobs| run(jobs) == one));
}

/// The scenarios of a file that have a line `cites`, each with this line replaced by `line`; all claims about clauses are
/// replaced by comments. The lines keep their numbers.
fn edited(text: &str, line: &str) -> String {
    let lines = text.lines().map(|own| match own.trim().split(' ').next() {
        Some("cites") => format!("  {line}\n"),
        Some("covers") => "  # covers\n".to_owned(),
        _ => format!("{own}\n"),
    });
    lines.collect()
}

/// The scenarios that cite the rulebook, by their titles.
fn cited(text: &str) -> Vec<String> {
    let scenarios = text.split("\nscenario \"").skip(1).filter(|rest| rest.contains("\n  cites "));
    scenarios.map(|rest| rest.split('"').next().unwrap().to_owned()).collect()
}

/// The independent computation: `referee test` on copies of the scenarios in which a line `with …` is added.
fn by_hand(files: &[(&str, String)], line: &str) -> (usize, usize, Option<(String, u64)>) {
    let (mut hold, mut fail, mut first) = (0, 0, None);
    for (name, text) in files {
        let project = Project::new().file(name, edited(text, line));
        let found = json(&project.run(&["test", "--format", "json"]));
        for title in cited(text) {
            let tests = found["tests"].as_array().unwrap().iter().filter(|test| test["scenario"] == title.as_str());
            for test in tests {
                let passed = test["status"] == "passed";
                assert!(passed || test["status"] == "failed", "{line}: {test}");
                hold += usize::from(passed);
                fail += usize::from(!passed);
                if !passed {
                    let line = test["failures"][0]["line"].as_u64().unwrap();
                    first.get_or_insert(((*name).to_owned(), line));
                }
            }
        }
    }
    (hold, fail, first)
}

/// Compares every N-th value of all options and house rules with a copy of the scenarios that sets it.
fn copies_come_out_the_same(one_of: usize) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let names = ["scenarios/squish-board/advanced.scenario", "scenarios/squish-board/simple.scenario"];
    let files = names.map(|name| (name, std::fs::read_to_string(root.join(name)).unwrap()));
    let all: usize = files.iter().map(|(_, text)| cited(text).len()).sum();
    assert_eq!(all, 11);
    let project = files.iter().fold(Project::new(), |project, (name, text)| project.file(name, text));
    let ran = project.run(&["readings", "squish-board", "--format", "json"]);
    let found = json(&ran);
    let (mut values, mut ruled_out) = (0, 0);
    for issue in found["issues"].as_array().unwrap() {
        for value in issue["values"].as_array().unwrap() {
            values += 1;
            if values % one_of != 0 {
                continue;
            }
            let (name, word) = (issue["name"].as_str().unwrap(), value["value"].as_str().unwrap());
            let line = match (issue["kind"].as_str().unwrap(), word) {
                ("option", word) => format!("with {name} = {word}"),
                (_, "with") => format!("with house \"{name}\""),
                _ => "# as it is".to_owned(),
            };
            let (hold, fail, first) = by_hand(&files, &line);
            assert_eq!((hold + fail, &value["hold"], &value["fail"]), (all, &hold.into(), &fail.into()), "{line}");
            let shown = (value["first"]["file"].as_str(), value["first"]["line"].as_u64());
            assert_eq!(shown, (first.as_ref().map(|(file, _)| file.as_str()), first.as_ref().map(|(_, line)| *line)));
            ruled_out += usize::from(fail > 0);
        }
    }
    assert_eq!(values, 24);
    assert!(ruled_out > 0 && ran.code == 0, "{}", ran.all());
}

#[test]
fn edited_copies_of_the_scenarios_come_out_the_same() {
    copies_come_out_the_same(4);
}

#[test]
#[ignore = "runs the scenarios for each of 24 values"]
fn edited_copies_of_the_scenarios_come_out_the_same_in_full() {
    copies_come_out_the_same(1);
}

/// A line answers the only question, so play never pauses at it; its options still differ.
#[test]
fn a_question_that_is_answered_at_once_is_compared_too() {
    let game = "game pick\nplayers 1 solo\nrules \"rules.rhai\"\nask take NUMBER\noption most = 3 in 3..4\n";
    let rules = "fn turn(me) { choose(me, \"take\", 1..=option(\"most\")); win(me); }\n";
    let text = "use pick\n\nscenario \"Two\"\n  cites \"Page 1\"\n  turn solo\n  solo take 2\n  expect over\n";
    let ran = Project::new()
        .file("games/pick/pick.game", game)
        .file("games/pick/rules.rhai", rules)
        .file("scenarios/a.scenario", text)
        .run(&["readings", "pick", "--format", "json"]);
    let found = json(&ran);
    assert_eq!(found["issues"][0]["play_differently"], 1, "{}", ran.stdout);
}

/// Each of two values is allowed alone, and both together are ruled out: nobody sees that by looking at the options one
/// after the other.
#[test]
fn a_pair_that_is_ruled_out_though_its_values_are_allowed_is_surprising() {
    let game = "game pick\nplayers 1 solo\nrules \"rules.rhai\"\nask take NUMBER\n\
                option first = 0 in 0..1\noption second = 0 in 0..1\noption third = 0 in 0..1\n";
    let rules = "fn turn(me) {
    choose(me, \"take\", 1..=3 - option(\"first\") * option(\"second\"));
    win(me);
}
";
    let text = "use pick\n\nscenario \"Three\"\n  cites \"Page 1\"\n  turn solo\n  solo take 3\n  expect over\n";
    let project = Project::new()
        .file("games/pick/pick.game", game)
        .file("games/pick/rules.rhai", rules)
        .file("scenarios/a.scenario", text);
    let found = json(&project.run(&["readings", "pick", "--pairs", "--format", "json"]));
    let pairs = found["pairs"].as_array().unwrap();
    assert_eq!(pairs.len(), 3, "{found}");
    let surprising: Vec<&serde_json::Value> = pairs.iter().filter(|pair| pair["surprising"] == true).collect();
    assert_eq!(surprising.len(), 1, "{found}");
    insta::assert_snapshot!(project.run(&["readings", "pick", "--pairs"]).all());
}
