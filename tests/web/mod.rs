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
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/web");
    if !here.join("node_modules").is_dir() {
        let installed =
            Command::new("npm").args(["ci", "--no-audit", "--no-fund"]).current_dir(&here).status().unwrap();
        assert!(installed.success());
    }
    // The page with errors has no steps.
    let mut command = Command::new("node");
    command.arg("check.js").arg(project.path().join("pages")).current_dir(&here);
    let output =
        command.args(["index.html", "0001.html", "0002.html", "0003.html", "errors:0004.html"]).output().unwrap();
    let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success() && said.contains(" of 5 pages, 0 problems"), "{said}");
}
