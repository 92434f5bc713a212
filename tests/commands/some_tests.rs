//! Runs of some of the tests: up to the first failure, a part, and what failed before.

use std::collections::BTreeSet;

use super::{FAILING, GOOD, INVALID, Project, Ran};

fn files(count: usize, text: impl Fn(usize) -> String) -> Project {
    (0..count).fold(Project::hop(), |project, at| project.file(&format!("scenarios/{at:02}.scenario"), text(at)))
}

fn titled(text: &str, at: usize) -> String {
    text.replace("scenario \"", &format!("scenario \"{at}: "))
}

/// The names of the tests that were run and passed.
fn passed(ran: &Ran) -> BTreeSet<String> {
    ran.stdout.lines().filter_map(|line| line.strip_prefix("pass ")).map(str::to_owned).collect()
}

#[test]
fn the_first_failure_ends_the_run() {
    let project = files(12, |at| titled(if at == 4 || at == 8 { FAILING } else { GOOD }, at));
    let ran = project.run(&["test", "--fail-fast", "--jobs", "1"]);
    assert_eq!(ran.code, 1);
    assert!(ran.stdout.ends_with("\n4 passed, 1 failed; 7 tests not run after this failure\n"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("05.scenario"), "{}", ran.stdout);
    assert_eq!(project.run(&["test", "--fail-fast", "--jobs", "4"]), ran);
    let json = project.run(&["test", "--fail-fast", "--format", "json"]).stdout;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((json["not_run"].as_u64(), json["tests"].as_array().unwrap().len()), (Some(7), 5));
    // Pages end with the failure, too.
    for jobs in ["1", "4"] {
        project.run(&["test", "--fail-fast", "--jobs", jobs, "--report", "html=pages"]);
        let pages = std::fs::read_dir(project.path().join("pages")).unwrap().map(|page| page.unwrap().file_name());
        let numbered = pages.filter(|page| page.to_string_lossy().starts_with("00")).count();
        let last = std::fs::read_to_string(project.path().join("pages/0005.html")).unwrap();
        assert!(numbered == 5 && !last.contains("Next scenario"), "{numbered}");
    }
    // Without a failure nothing is left out, and nothing is said.
    let good = files(3, |at| titled(GOOD, at)).run(&["test", "--fail-fast"]);
    assert!(good.stdout.ends_with("\n3 passed, 0 failed\n"), "{}", good.stdout);
    // An error in a file is a failure too.
    let invalid = files(3, |at| titled(if at == 1 { INVALID } else { GOOD }, at)).run(&["test", "--fail-fast"]);
    assert_eq!(invalid.code, 3);
    assert!(
        invalid.stdout.ends_with("1 passed, 0 failed, 1 errored; 1 test not run after this failure\n"),
        "{}",
        invalid.stdout
    );
}

#[test]
fn all_parts_together_are_the_whole() {
    let project = files(20, |at| titled(GOOD, at));
    let whole = passed(&project.run(&["test", "-v"]));
    assert_eq!(whole.len(), 20);
    let mut together = BTreeSet::new();
    for part in 1..=3 {
        let ran = project.run(&["test", "-v", "--shard", &format!("{part}/3")]);
        let own = passed(&ran);
        assert_eq!(ran.code, 0);
        let end = format!("{} passed, 0 failed; part {part} of 3: {} of 20 tests\n", own.len(), own.len());
        assert!(ran.stdout.ends_with(&end), "{}", ran.stdout);
        assert!(own.is_disjoint(&together));
        together.extend(own);
    }
    assert_eq!(together, whole);
    // A scenario stays in its part when others are added.
    let first = |project: &Project| passed(&project.run(&["test", "-v", "--shard", "1/3"]));
    let before = first(&project);
    let more = project.file("scenarios/more.scenario", titled(GOOD, 99));
    assert!(before.is_subset(&first(&more)));
}

#[test]
fn a_part_may_be_empty() {
    let project = files(1, |at| titled(GOOD, at));
    let ran: Vec<Ran> = (1..=4).map(|part| project.run(&["test", "--shard", &format!("{part}/4")])).collect();
    assert!(ran.iter().all(|ran| ran.code == 0 && ran.stderr.is_empty()), "{ran:?}");
    let empty = ran.iter().filter(|ran| ran.stdout.starts_with("0 passed, 0 failed; part ")).count();
    assert_eq!(empty, 3);
    assert!(ran.iter().any(|ran| ran.stdout.ends_with(": none of 1 test\n")), "{ran:?}");
    // Without any scenarios, a part is as wrong as the whole.
    assert_eq!(Project::hop().run(&["test", "--shard", "1/2"]).code, 4);
}

#[test]
fn rows_and_branches_stay_together() {
    let table = "use hop short\n\nscenario \"A table\"\n  turn red\n  roll distance {n}\n  expect asks red walk\n  examples\n    | n |\n    | 1 |\n    | 2 |\n    | 3 |\n";
    let project = Project::hop().file("table.scenario", table);
    let counts: Vec<usize> = (1..=2)
        .map(|part| passed(&project.run(&["test", "table.scenario", "-v", "--shard", &format!("{part}/2")])).len())
        .collect();
    assert!(counts == [3, 0] || counts == [0, 3], "{counts:?}");
}

#[test]
fn what_failed_is_run_again() {
    let project = files(4, |at| titled(if at % 2 == 1 { FAILING } else { GOOD }, at));
    let first = project.run(&["test", "--last-failed"]);
    assert_eq!(first.stderr, "no test failed when these paths were last run, so all are run\n");
    assert!(first.stdout.ends_with("\n2 passed, 2 failed\n"), "{}", first.stdout);
    let again = project.run(&["test", "--last-failed"]);
    assert!(again.stdout.ends_with("\n0 passed, 2 failed\n") && again.stderr.is_empty(), "{}", again.all());
    // One is mended, the other one removed.
    let project = project.file("scenarios/01.scenario", titled(FAILING, 1).replace("at d4", "at c3"));
    let project = project.file("scenarios/03.scenario", titled(GOOD, 7));
    let mended = project.run(&["test", "--last-failed", "-v"]);
    insta::assert_snapshot!(mended.all());
    let none = project.run(&["test", "--last-failed"]);
    assert!(none.stdout.ends_with("\n4 passed, 0 failed\n"), "{}", none.all());
    assert_eq!(none.stderr, first.stderr);
}

#[test]
fn what_failed_may_all_be_gone() {
    let project = files(1, |at| titled(FAILING, at));
    project.run(&["test"]);
    let project = project.file("scenarios/00.scenario", titled(GOOD, 5));
    let gone = project.run(&["test", "--last-failed"]);
    assert_eq!((gone.stdout.as_str(), gone.code), ("0 passed, 0 failed\n", 4));
    assert!(gone.stderr.ends_with("none of the tests that failed last time is there\n"), "{}", gone.stderr);
    // Then nothing is on the list, and all are run.
    assert_eq!(
        project.run(&["test", "--last-failed"]).stdout,
        "ok   scenarios/00.scenario (1 of 1 passed)\n1 passed, 0 failed\n"
    );
}

#[test]
fn other_paths_have_a_list_of_their_own() {
    let project = files(2, |at| titled(if at == 1 { FAILING } else { GOOD }, at));
    project.run(&["test"]);
    let other = project.run(&["test", "scenarios/01.scenario", "--last-failed"]);
    assert!(other.stderr.starts_with("no test failed"), "{}", other.stderr);
    // A run of some of the tests keeps what is known of the others.
    project.run(&["test", "--scenario", "0: "]);
    let kept = project.run(&["test", "--last-failed"]);
    assert!(kept.stdout.ends_with("\n0 passed, 1 failed\n"), "{}", kept.all());
}

#[test]
fn a_folder_without_failures_stays_as_it_is() {
    let project = files(1, |at| titled(GOOD, at));
    project.run(&["test"]);
    assert!(!project.path().join(".referee").exists());
    let failing = files(1, |at| titled(FAILING, at));
    failing.command(&["test"]).env("CI", "true").output().unwrap();
    assert!(!failing.path().join(".referee").exists(), "nothing is written if `CI` is set");
    failing.run(&["test"]);
    assert_eq!(std::fs::read_to_string(failing.path().join(".referee/.gitignore")).unwrap(), "*\n");
    // What cannot be read counts as nothing, and is named.
    let broken = failing.file(".referee/last-failed.json", "{ nonsense");
    assert!(broken.run(&["test", "--last-failed"]).stderr.contains("last-failed.json is damaged"));
}
