//! Pages in a browser: `check.js` looks at them in headless Chromium, with axe-core.

use std::path::Path;
use std::process::Command;

use crate::commands::{FAILING, GOOD, INVALID, Project};

const BOARD: &str = "\
use hop short

scenario \"A board that differs\"
  turn red
  roll distance 1
  red walk to b1
  expect board
    | . . . . b
    | . . . . .
    | . . . . .
    | . . . . .
    | . . r . .
";

/// A list of tests, one that passes, one that fails, one with a wrong board, and one with errors: each in a narrow and a
/// wide window, light and dark.
#[test]
#[ignore = "needs Node, Chromium and the packages of tests/web"]
fn pages_are_accessible_and_complete_without_scripts() {
    let project = Project::hop()
        .file("1.scenario", GOOD)
        .file("2.scenario", FAILING)
        .file("3.scenario", BOARD)
        .file("4.scenario", INVALID);
    project.run(&["test", "1.scenario", "2.scenario", "3.scenario", "4.scenario", "--report", "html=pages"]);
    // The page with errors has no steps.
    let said = checked(
        &project.path().join("pages"),
        &["index.html", "0001.html", "0002.html", "0003.html", "errors:0004.html"],
    );
    assert!(said.contains(" of 5 pages, 0 problems"), "{said}");
}

/// The page of a rulebook with cards, and of one with a board and further examples.
#[test]
#[ignore = "needs Node, Chromium and the packages of tests/web"]
fn pages_of_rulebooks_are_accessible() {
    let project = Project::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (name, paths) in [("squirmish", vec![]), ("breakthrough", vec!["scenarios/breakthrough"])] {
        let (rulebook, out) = (format!("games/{name}/RULES.md"), project.path().join(format!("pages/{name}.html")));
        std::fs::create_dir_all(out.parent().unwrap()).unwrap();
        let arguments = [&["book", &rulebook, "--out", out.to_str().unwrap()], paths.as_slice()].concat();
        let made = project.command(&arguments).current_dir(root).output().unwrap();
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    }
    let said = checked(&project.path().join("pages"), &["errors:squirmish.html", "errors:breakthrough.html"]);
    assert!(said.contains(" of 2 pages, 0 problems"), "{said}");
}

/// Returns what `check.js` says of pages; fails if it finds a problem.
fn checked(folder: &Path, pages: &[&str]) -> String {
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/web");
    if !here.join("node_modules").is_dir() {
        let installed =
            Command::new("npm").args(["ci", "--no-audit", "--no-fund"]).current_dir(&here).status().unwrap();
        assert!(installed.success());
    }
    let mut command = Command::new("node");
    let output = command.arg("check.js").arg(folder).args(pages).current_dir(&here).output().unwrap();
    let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{said}");
    said
}
