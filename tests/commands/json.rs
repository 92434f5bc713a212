//! JSON output: one object and nothing else.

use serde_json::{Value, json};

use super::{FAILING, GOOD, INVALID, Project, Ran};

/// Standard output as one JSON object on one line.
fn object(ran: &Ran) -> Value {
    assert_eq!(ran.stderr, "");
    assert!(ran.stdout.ends_with('\n') && ran.stdout.lines().count() == 1, "{}", ran.stdout);
    serde_json::from_str(&ran.stdout).unwrap()
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

#[test]
fn results_have_the_documented_shape() {
    let project = Project::hop().file("bad.scenario", FAILING).file("good.scenario", GOOD);
    let ran = project.run(&["test", "bad.scenario", "good.scenario", "--format", "json"]);
    assert_eq!(ran.code, 1);
    assert_eq!(
        object(&ran),
        json!({
            "version": 1,
            "summary": { "passed": 1, "failed": 1, "errored": 0, "skipped": 0 },
            "tests": [
                {
                    "file": "bad.scenario",
                    "scenario": "A walk that ends elsewhere",
                    "row": null,
                    "branch": null,
                    "status": "failed",
                    "failures": [{
                        "line": 8,
                        "column": 3,
                        "code": "referee::expectation_failed",
                        "help": null,
                        "message": "red is at c3, not at d4",
                        "expected": "red at d4",
                        "actual": "red at c3",
                    }],
                },
                {
                    "file": "good.scenario",
                    "scenario": "A walk of two squares",
                    "row": null,
                    "branch": null,
                    "status": "passed",
                    "failures": [],
                },
            ],
        })
    );
}

#[test]
fn rows_and_branches_are_named() {
    let text = "use hop short\n\nscenario \"A table\"\n  turn red\n  roll distance {points}\n  branch \"stopping\"\n    red stop\n    expect red resting\n  examples\n    | points |\n    | 3 |\n";
    let ran = Project::hop().file("table.scenario", text).run(&["test", "table.scenario", "--format", "json"]);
    let tests = object(&ran)["tests"].clone();
    let named = |at: usize| (tests[at]["row"].clone(), tests[at]["branch"].clone());
    assert_eq!(named(0), (json!(1), Value::Null));
    assert_eq!(named(1), (json!(1), json!("stopping")));
}

#[test]
fn an_invalid_file_is_an_errored_test() {
    let ran = Project::hop().file("bad.scenario", INVALID).run(&["test", "bad.scenario", "--format", "json"]);
    assert_eq!(ran.code, 3);
    let whole = object(&ran);
    assert_eq!(whole["summary"], json!({ "passed": 0, "failed": 0, "errored": 1, "skipped": 0 }));
    assert_eq!(whole["tests"][0]["status"], "errored");
    assert_eq!(whole["tests"][0]["failures"][0]["line"], 5);
    let mistake = &whole["tests"][0]["failures"][0];
    assert_eq!(mistake["message"], "unknown die `distanse`");
    assert_eq!(mistake["code"], "referee::unknown_die");
    assert_eq!(mistake["column"], 8);
    assert_eq!(mistake["help"], "did you mean `distance`?");
}

#[test]
fn the_other_tests_of_an_invalid_file_are_skipped() {
    let text = format!("{GOOD}\n{}", INVALID.trim_start_matches("use hop short\n"));
    let ran = Project::hop().file("half.scenario", text).run(&["test", "half.scenario", "--format", "json"]);
    let whole = object(&ran);
    assert_eq!(whole["summary"], json!({ "passed": 0, "failed": 0, "errored": 1, "skipped": 1 }));
    assert_eq!(whole["tests"][0]["status"], "skipped");
}

#[test]
fn nothing_found_is_an_object_too() {
    let ran = Project::new().folder("empty").run(&["test", "empty", "--format", "json"]);
    assert_eq!(ran.code, 4);
    let empty = json!({ "passed": 0, "failed": 0, "errored": 0, "skipped": 0 });
    assert_eq!(object(&ran), json!({ "version": 1, "summary": empty, "tests": [] }));
}

#[test]
fn mistakes_have_the_documented_shape() {
    let project = Project::hop().file("bad.scenario", INVALID).file("good.scenario", GOOD);
    let ran = project.run(&["check", "bad.scenario", "good.scenario", "--format", "json"]);
    assert_eq!(ran.code, 3);
    assert_eq!(
        object(&ran),
        json!({
            "version": 1,
            "summary": { "files": 2, "mistakes": 1 },
            "diagnostics": [{
                "file": "bad.scenario",
                "line": 5,
                "column": 8,
                "code": "referee::unknown_die",
                "message": "unknown die `distanse`",
                "help": "did you mean `distance`?",
            }],
        })
    );
}

#[test]
fn a_mistake_without_a_place_has_no_line() {
    let project = Project::hop().file("bytes.scenario", [0xff, 0xfe, 0x00]);
    let whole = object(&project.run(&["check", "bytes.scenario", "--format", "json"]));
    let mistake = &whole["diagnostics"][0];
    assert_eq!(keys(mistake), ["code", "column", "file", "help", "line", "message"]);
    assert_eq!(mistake["line"], Value::Null);
}
