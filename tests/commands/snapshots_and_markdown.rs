//! Scenarios in Markdown, and snapshots: new, accepted, changed, stale; what `CI` forbids.

use super::{GOOD, Project};

const SNAPPED: &str = "use hop short\n\nscenario \"Kept\"\n  turn red\n  expect snapshot\n";

fn with_snapshot() -> Project {
    Project::hop().file("s.scenario", SNAPPED)
}

fn there(project: &Project, name: &str) -> bool {
    project.path().join(name).exists()
}

#[test]
fn a_new_snapshot_waits_to_be_accepted() {
    let project = with_snapshot();
    let ran = project.run(&["test", "s.scenario"]);
    assert_eq!(ran.code, 1, "{}", ran.all());
    assert!(ran.stdout.contains("was not accepted yet"), "{}", ran.stdout);
    assert!(there(&project, "s.snap.new") && !there(&project, "s.snap"));
    assert_eq!(project.run(&["test", "--accept", "s.scenario"]).code, 0);
    assert!(there(&project, "s.snap") && !there(&project, "s.snap.new"));
    assert_eq!(project.run(&["test", "s.scenario"]).code, 0);
}

#[test]
fn a_changed_snapshot_shows_the_lines_that_differ() {
    let project = with_snapshot();
    assert_eq!(project.run(&["test", "--accept", "s.scenario"]).code, 0);
    let kept = std::fs::read_to_string(project.path().join("s.snap")).unwrap();
    let project = project.file("s.snap", kept.replace("turn red", "turn blue"));
    let ran = project.run(&["test", "s.scenario"]);
    assert_eq!(ran.code, 1);
    assert!(ran.stdout.contains("- turn blue") && ran.stdout.contains("+ turn red"), "{}", ran.stdout);
    assert_eq!(std::fs::read_to_string(project.path().join("s.snap")).unwrap(), kept.replace("turn red", "turn blue"));
}

#[test]
fn nothing_is_written_where_ci_is_set() {
    let project = with_snapshot();
    let ran = project.command(&["test", "s.scenario"]).env("CI", "1").output().unwrap();
    assert_eq!(ran.status.code(), Some(1));
    assert!(!there(&project, "s.snap.new"));
    let ran = project.command(&["test", "--accept", "s.scenario"]).env("CI", "1").output().unwrap();
    assert_eq!(ran.status.code(), Some(2));
    assert!(!there(&project, "s.snap"));
}

#[test]
fn a_snapshot_that_no_test_has_is_stale() {
    let project = with_snapshot();
    assert_eq!(project.run(&["test", "--accept", "s.scenario"]).code, 0);
    let project = project.file("s.scenario", SNAPPED.replace("Kept", "Renamed"));
    let ran = project.run(&["test", "s.scenario"]);
    assert!(ran.stdout.contains("stale snapshot: s.scenario has no test \"Kept #1\" any more"), "{}", ran.stdout);
    assert_eq!(project.run(&["test", "--accept", "s.scenario"]).code, 0);
    let kept = std::fs::read_to_string(project.path().join("s.snap")).unwrap();
    assert!(!kept.contains("Kept") && kept.contains("Renamed"), "{kept}");
}

#[test]
fn review_needs_a_terminal() {
    assert_eq!(with_snapshot().run(&["review", "s.scenario"]).code, 2);
}

#[test]
fn mistakes_in_markdown_are_told_at_its_own_lines() {
    let page = format!(
        "# Ärger – with “quotes”\r\n\n```scenario\n{GOOD}```\n\n[a]: b\n\n~~~ scenario\nscenario \"Wrong\"\n  turn rde\n  roll distance 99\n~~~\n\n```text\nexpect nothing of this\n```\n"
    );
    insta::assert_snapshot!(Project::hop().file("page.md", page).run(&["test", "page.md"]).all());
}

#[test]
fn markdown_without_scenarios_is_passed_over_in_folders() {
    let project = Project::hop().file("notes/plain.md", "# Nothing\n").file("notes/a.scenario", GOOD);
    let ran = project.run(&["test", "notes"]);
    assert_eq!(ran.code, 0, "{}", ran.all());
    assert!(!ran.stdout.contains("plain.md"));
}
