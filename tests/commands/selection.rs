//! Which tests run, and in how many threads.

use super::{FAILING, GOOD, INVALID, Project};

const TWO: &str = "\
use hop short

scenario \"The first\"
  turn red
  expect asks roll distance

scenario \"The second\"
  turn blue
  roll distance 1
  blue stop
  expect blue resting
  branch \"and then a walk\"
    roll distance 1
    red walk to b1
    expect red at b1

scenario \"A table\"
  turn red
  roll distance {points}
  expect asks red walk
  examples
    | points |
    | 1      |
    | 6      |
";

#[test]
fn a_filter_looks_at_file_and_title() {
    let project = Project::hop().file("one.scenario", GOOD).file("two.scenario", TWO);
    let passed = |filter: &str| {
        let ran = project.run(&["test", ".", "--verbose", "--filter", filter]);
        let names = ran.stdout.lines().filter_map(|line| line.strip_prefix("pass "));
        names.map(str::to_owned).collect::<Vec<_>>()
    };
    insta::assert_debug_snapshot!(passed("two.scenario"), @r#"
    [
        "two.scenario:3 The first",
        "two.scenario:7 The second",
        "two.scenario:12 The second > and then a walk",
        "two.scenario:23 A table (row 1)",
        "two.scenario:24 A table (row 2)",
    ]
    "#);
    insta::assert_debug_snapshot!(passed("second > and"), @r#"
    [
        "two.scenario:12 The second > and then a walk",
    ]
    "#);
    insta::assert_debug_snapshot!(passed("(row 2)"), @r#"
    [
        "two.scenario:24 A table (row 2)",
    ]
    "#);
    insta::assert_debug_snapshot!(passed("two squares"), @r#"
    [
        "one.scenario:3 A walk of two squares",
    ]
    "#);
}

#[test]
fn any_number_of_threads_says_the_same() {
    let mut project = Project::hop().file("broken.scenario", INVALID);
    for number in 0..12 {
        let text = if number % 3 == 0 { FAILING } else { TWO };
        project = project.file(&format!("folder{}/file{number}.scenario", number % 2), text);
    }
    for format in ["human", "json"] {
        let with = |jobs: &str| project.run(&["test", ".", "--verbose", "--format", format, "--jobs", jobs]);
        let alone = with("1");
        assert_eq!(alone.code, 3);
        assert_eq!(with("4"), alone);
        assert_eq!(with("64"), alone);
        assert_eq!(project.run(&["test", ".", "--verbose", "--format", format]), alone);
    }
}

#[test]
fn a_file_named_twice_runs_once() {
    let project = Project::hop().file("good.scenario", GOOD);
    let ran = project.run(&["test", "good.scenario", "good.scenario"]);
    assert!(ran.stdout.ends_with("1 passed, 0 failed\n"), "{}", ran.stdout);
}

#[test]
fn the_folder_scenarios_is_where_tests_are() {
    let project = Project::hop().file("scenarios/deep/down/good.scenario", GOOD).file("elsewhere.scenario", FAILING);
    let ran = project.run(&["test"]);
    assert_eq!(ran.code, 0, "{}", ran.all());
    assert!(ran.stdout.contains("ok   scenarios/deep/down/good.scenario"), "{}", ran.stdout);
}

#[test]
fn hidden_folders_are_left_out() {
    let project = Project::hop().file("all/.old/bad.scenario", FAILING).file("all/good.scenario", GOOD);
    assert_eq!(project.run(&["test", "all"]).code, 0);
}
