//! Scenarios in Markdown, and snapshots: new, accepted, changed and stale ones, and the effect of `CI`.

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
    assert!(ran.stdout.contains("is not accepted yet"), "{}", ran.stdout);
    assert!(there(&project, "s.scenario.snap.new") && !there(&project, "s.scenario.snap"));
    assert_eq!(project.run(&["test", "--accept", "s.scenario"]).code, 0);
    assert!(there(&project, "s.scenario.snap") && !there(&project, "s.scenario.snap.new"));
    assert_eq!(project.run(&["test", "s.scenario"]).code, 0);
}

#[test]
fn a_changed_snapshot_shows_the_lines_that_differ() {
    let project = with_snapshot();
    assert_eq!(project.run(&["test", "--accept", "s.scenario"]).code, 0);
    let kept = std::fs::read_to_string(project.path().join("s.scenario.snap")).unwrap();
    let project = project.file("s.scenario.snap", kept.replace("turn red", "turn blue"));
    let ran = project.run(&["test", "s.scenario"]);
    assert_eq!(ran.code, 1);
    assert!(ran.stdout.contains("- turn blue") && ran.stdout.contains("+ turn red"), "{}", ran.stdout);
    assert_eq!(
        std::fs::read_to_string(project.path().join("s.scenario.snap")).unwrap(),
        kept.replace("turn red", "turn blue")
    );
}

#[test]
fn nothing_is_written_where_ci_is_set() {
    let project = with_snapshot();
    let ran = project.command(&["test", "s.scenario"]).env("CI", "1").output().unwrap();
    assert_eq!(ran.status.code(), Some(1));
    assert!(!there(&project, "s.scenario.snap.new"));
    let ran = project.command(&["test", "--accept", "s.scenario"]).env("CI", "1").output().unwrap();
    assert_eq!(ran.status.code(), Some(2));
    assert!(!there(&project, "s.scenario.snap"));
}

#[test]
fn a_snapshot_that_no_test_has_is_stale() {
    let project = with_snapshot();
    assert_eq!(project.run(&["test", "--accept", "s.scenario"]).code, 0);
    let project = project.file("s.scenario", SNAPPED.replace("Kept", "Renamed"));
    let ran = project.run(&["test", "s.scenario"]);
    assert!(ran.stdout.contains("stale snapshot: s.scenario has no test \"Kept #1\" any more"), "{}", ran.stdout);
    assert_eq!(project.run(&["test", "--accept", "s.scenario"]).code, 0);
    let kept = std::fs::read_to_string(project.path().join("s.scenario.snap")).unwrap();
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

#[test]
fn a_scenario_file_and_a_page_of_one_name_have_snapshots_of_their_own() {
    let page = format!("# Page\n\n```scenario\n{}```\n", SNAPPED.replace("Kept", "Paged"));
    let project = with_snapshot().file("s.md", page);
    assert_eq!(project.run(&["test", "--accept", "."]).code, 0);
    let ran = project.run(&["test", "."]);
    assert!(ran.code == 0 && !ran.stdout.contains("stale"), "{}", ran.all());
    assert!(there(&project, "s.scenario.snap") && there(&project, "s.md.snap"));
}

/// Two tests, each with a snapshot.
const TWO: &str = "use hop short\n\nscenario \"One\"\n  turn red\n  expect snapshot\n\nscenario \"Two\"\n  turn blue\n  expect snapshot\n";

fn read(project: &Project, name: &str) -> String {
    std::fs::read_to_string(project.path().join(name)).unwrap()
}

#[test]
fn what_waits_for_tests_that_do_not_run_is_kept() {
    let project = Project::hop().file("s.scenario", TWO);
    assert_eq!(project.run(&["test", "."]).code, 1);
    let both = read(&project, "s.scenario.snap.new");
    assert!(both.contains("=== One #1") && both.contains("=== Two #1"), "{both}");
    assert_eq!(project.run(&["test", ".", "--scenario", "One"]).code, 1);
    assert_eq!(read(&project, "s.scenario.snap.new"), both);
    assert_eq!(project.run(&["test", ".", "--scenario", "One", "--accept"]).code, 0);
    let (kept, left) = (read(&project, "s.scenario.snap"), read(&project, "s.scenario.snap.new"));
    assert!(kept.contains("=== One #1") && !kept.contains("=== Two #1"), "{kept}");
    assert!(!left.contains("=== One #1") && left.contains("=== Two #1"), "{left}");
    let ran = project.run(&["test", ".", "--scenario", "One"]);
    assert!(ran.code == 0 && !ran.stdout.contains("stale"), "{}", ran.all());
    assert_eq!(read(&project, "s.scenario.snap.new"), left);
    assert_eq!(project.run(&["test", ".", "--accept"]).code, 0);
    assert!(!there(&project, "s.scenario.snap.new"));
}

#[test]
fn a_file_of_snapshots_that_was_broken_by_hand_is_told_and_kept() {
    let accepted = Project::hop().file("s.scenario", TWO);
    assert_eq!(accepted.run(&["test", ".", "--accept"]).code, 0);
    let good = read(&accepted, "s.scenario.snap");
    let broken = [
        ("no name", good.replace("=== One #1\n", "")),
        ("a name cut", good.replace("=== One #1", "===One")),
        ("a name twice", good.replace("=== Two #1", "=== One #1")),
        ("a merge", good.replace("=== Two #1", "<<<<<<< ours\n=======\n>>>>>>> theirs\n=== Two #1")),
        ("nothing below", format!("{good}\n=== Three #1\n")),
    ];
    let mut said = String::new();
    for (what, text) in broken {
        let project = Project::hop().file("s.scenario", TWO).file("s.scenario.snap", &text);
        for arguments in [&["test", "."][..], &["test", ".", "--accept"][..], &["check", "s.scenario"][..]] {
            let ran = project.run(arguments);
            assert_eq!(ran.code, 3, "{what}: {}", ran.all());
            assert!(ran.stdout.contains("referee::wrong_snapshots"), "{what}: {}", ran.all());
            assert_eq!(read(&project, "s.scenario.snap"), text, "{what}");
        }
        said.push_str(&format!("──── {what}\n{}\n", project.run(&["check", "s.scenario"]).all()));
    }
    insta::assert_snapshot!(said);
}

#[test]
fn a_drawing_that_was_changed_by_hand_differs() {
    let project = with_snapshot();
    assert_eq!(project.run(&["test", "--accept", "s.scenario"]).code, 0);
    let kept = read(&project, "s.scenario.snap");
    let project = project.file("s.scenario.snap", kept.replace("1 r", "1 x"));
    let ran = project.run(&["test", "s.scenario"]);
    assert_eq!(ran.code, 1, "{}", ran.all());
    assert!(
        ran.stdout.lines().any(|line| line.trim_start().starts_with("- ") && line.contains("1 x")),
        "{}",
        ran.all()
    );
}
