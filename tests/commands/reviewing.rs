//! `review` with many snapshots, and files of snapshots whose scenario file is gone.

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use super::{Project, Ran};

/// A file of `count` scenarios, each with a snapshot.
fn many(count: usize) -> String {
    let one = |at| format!("\nscenario \"Case {at:02}\"\n  turn red\n  expect snapshot\n");
    format!("use hop short\n{}", (0..count).map(one).collect::<String>())
}

/// A project with 5 snapshots to review in one file, and 3 in another.
fn waiting() -> Project {
    let project = Project::hop().file("s/a.scenario", many(5)).file("s/b.md", format!("```scenario\n{}```\n", many(3)));
    assert_eq!(project.run(&["test", "s"]).code, 1);
    project
}

fn review(project: &Project, answers: &str) -> Ran {
    let mut command = project.command(&["review", "s"]);
    command.env("REFEREE_REVIEW", "1").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(answers.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Ran { stdout: text(output.stdout), stderr: text(output.stderr), code: output.status.code().unwrap() }
}

/// Returns how many snapshots a file has.
fn count(project: &Project, file: &str) -> usize {
    std::fs::read_to_string(project.path().join(file)).map_or(0, |text| text.matches("\n=== ").count())
}

/// Returns how many snapshots are accepted, and how many wait, of both files.
fn counts(project: &Project) -> [usize; 4] {
    ["s/a.scenario.snap", "s/a.scenario.snap.new", "s/b.md.snap", "s/b.md.snap.new"].map(|file| count(project, file))
}

#[test]
fn many_snapshots_can_be_decided_at_once() {
    for (answers, counts_after, said) in [
        ("a\nr\ns\na\ns\ns\ns\na\n", [2, 2, 1, 2], "3 accepted, 1 rejected, 4 to review"),
        ("a all\n", [5, 0, 3, 0], "8 accepted, 0 rejected, 0 to review"),
        ("r all\n", [0, 0, 0, 0], "0 accepted, 8 rejected, 0 to review"),
        ("a\ns all\n", [1, 4, 0, 3], "1 accepted, 0 rejected, 7 to review"),
        ("r\na file\ns\na\nq\n", [4, 0, 1, 2], "5 accepted, 1 rejected, 2 to review"),
        ("skip file\naccept file\n", [0, 5, 3, 0], "3 accepted, 0 rejected, 5 to review"),
        ("a\nq\n", [1, 4, 0, 3], "1 accepted, 0 rejected, 7 to review"),
        // The end of the input is the end of the review.
        ("a\na\n", [2, 3, 0, 3], "2 accepted, 0 rejected, 6 to review"),
        ("", [0, 5, 0, 3], "0 accepted, 0 rejected, 8 to review"),
    ] {
        let project = waiting();
        let ran = review(&project, answers);
        assert_eq!((ran.code, counts(&project)), (0, counts_after), "{answers:?}: {}", ran.all());
        // The answers are not shown where no terminal shows them.
        assert!(ran.stdout.ends_with(&format!("{said}\n")), "{answers:?}: {}", ran.stdout);
    }
}

#[test]
fn a_review_says_how_many_are_left_and_explains_its_answers() {
    let ran = review(&waiting(), "A\n?\nq\n");
    assert!(ran.stdout.contains("s/a.scenario: Case 00 #1 (1 of 8, 7 snapshots left after it)"), "{}", ran.stdout);
    assert_eq!(ran.stdout.matches("a all    accept all that is left").count(), 2, "{}", ran.stdout);
}

#[test]
fn what_was_decided_is_kept_when_a_review_is_killed() {
    let project = waiting();
    let mut command = project.command(&["review", "s"]);
    command.env("REFEREE_REVIEW", "1").stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.as_mut().unwrap().write_all(b"a\nr\na\n").unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap().contains("Case 03")));
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(counts(&project), [2, 2, 0, 3]);
    // What is left is still to review.
    assert!(review(&project, "a all\n").stdout.ends_with("5 accepted, 0 rejected, 0 to review\n"));
}

/// A project of which one file was renamed, one deleted, one has lost its scenarios, and one is still there.
fn orphaned() -> Project {
    let project = Project::hop();
    let files =
        ["s/old.scenario", "s/deep/gone.md", "s/empty.scenario", "s/page.md", "other/old.scenario", "s/new.scenario"];
    let project = files.iter().fold(project, |project, file| {
        let text = if file.ends_with(".md") { format!("```scenario\n{}```\n", many(1)) } else { many(1) };
        project.file(file, text)
    });
    assert_eq!(project.run(&["test", "--accept", "s", "other"]).code, 0);
    std::fs::copy(project.path().join("s/old.scenario.snap"), project.path().join("s/gone.scenario.snap.new")).unwrap();
    for file in ["s/old.scenario", "s/deep/gone.md", "other/old.scenario"] {
        std::fs::remove_file(project.path().join(file)).unwrap();
    }
    // Other programs have files with such names.
    let project =
        project.file("s/mine.scenario.snap", "---\nsource: a test\n").file("s/notes.txt.snap", "# Snapshots of");
    project.file("s/empty.scenario", "# Later.\n").file("s/page.md", "# A page\n")
}

const LOST: [&str; 5] = [
    "s/deep/gone.md.snap",
    "s/empty.scenario.snap",
    "s/gone.scenario.snap.new",
    "s/old.scenario.snap",
    "s/page.md.snap",
];

fn stale(text: &str) -> Vec<String> {
    let lines = text.lines().filter_map(|line| line.strip_prefix("stale snapshots: "));
    lines.map(|line| line.split_once(": ").unwrap().0.to_owned()).collect()
}

#[test]
fn snapshots_without_a_scenario_file_are_reported() {
    let project = orphaned();
    let said = "stale snapshots: s/old.scenario.snap: s/old.scenario is not there any more; `referee test --accept` removes them\n";
    for (words, code) in [(&["test", "s"][..], 0), (&["check", "s"], 0), (&["test", "s", "--jobs", "1"], 0)] {
        let ran = project.run(words);
        assert_eq!((ran.code, stale(&ran.stdout)), (code, LOST.map(str::to_owned).to_vec()), "{}", ran.all());
        assert!(
            ran.stdout.contains(said) && ran.stdout.contains("s/page.md has no scenario any more"),
            "{}",
            ran.all()
        );
    }
    // JSON is for programs.
    for words in [["test", "s", "--format", "json"], ["check", "s", "--format", "json"]] {
        let ran = project.run(&words);
        assert_eq!((stale(&ran.stderr).len(), ran.stdout.lines().count()), (5, 1), "{}", ran.all());
    }
    // Only what was looked at: a file, another folder, some of the tests.
    assert_eq!(stale(&project.run(&["test", "s/new.scenario"]).stdout).len(), 0);
    assert_eq!(stale(&project.run(&["test", "s/deep", "s/new.scenario"]).stdout), ["s/deep/gone.md.snap"]);
    assert_eq!(stale(&project.run(&["test", "s", "--scenario", "Case"]).stdout).len(), 0);
}

#[test]
fn accepting_removes_snapshots_without_a_scenario_file() {
    let project = orphaned();
    let there = || LOST.iter().filter(|file| project.path().join(file).exists()).count();
    for words in
        [&["test", "s/new.scenario", "--accept"][..], &["test", "s", "--accept", "--scenario", "Case"], &["test", "s"]]
    {
        project.run(words);
        assert_eq!(there(), 5, "{words:?}");
    }
    let ran = project.run(&["test", "s", "--accept"]);
    assert_eq!((ran.code, there()), (0, 0), "{}", ran.all());
    assert!(ran.stdout.contains("removed snapshots: s/old.scenario.snap: "), "{}", ran.all());
    for file in ["s/new.scenario.snap", "other/old.scenario.snap", "s/mine.scenario.snap", "s/notes.txt.snap"] {
        assert!(project.path().join(file).exists(), "{file}");
    }
    assert_eq!(stale(&project.run(&["test", "s"]).stdout).len(), 0);
}
