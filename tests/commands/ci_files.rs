//! The files with which other systems run the program: the action and the hooks. Their commands are run here.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::{FAILING, GOOD, Project};

/// Returns the text of a file at the top of the repository, as JSON.
fn read(name: &str) -> serde_json::Value {
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).unwrap();
    serde_yaml::from_str(&text).unwrap()
}

/// Runs a command line of a file in a project, by a shell that finds the program.
fn run(project: &Project, line: &str, arguments: &str) -> (String, Option<i32>) {
    let folder = PathBuf::from(env!("CARGO_BIN_EXE_referee")).parent().unwrap().to_path_buf();
    let path = std::env::join_paths([folder, PathBuf::from("/usr/bin"), PathBuf::from("/bin")]).unwrap();
    let mut shell = Command::new("bash");
    shell
        .args(["-c", line])
        .current_dir(project.path())
        .env("PATH", path)
        .env("ARGUMENTS", arguments)
        .env("CI", "true");
    let output = shell.output().unwrap();
    (String::from_utf8(output.stdout).unwrap(), output.status.code())
}

#[test]
fn the_action_shows_failures_at_their_lines() {
    let action = read("action.yml");
    let steps = action["runs"]["steps"].as_array().unwrap();
    let lines: Vec<&str> = steps.iter().map(|step| step["run"].as_str().unwrap()).collect();
    let [install, line] = lines.as_slice() else { unreachable!("two steps, found {lines:?}") };
    assert!(install.contains("cargo install --locked --path"));
    let arguments = action["inputs"]["arguments"]["default"].as_str().unwrap();
    let failing = Project::hop().file("scenarios/a.scenario", FAILING);
    let (text, code) = run(&failing, line, arguments);
    assert!(text.contains("::error file=scenarios/a.scenario,line=8"), "{text}");
    assert_eq!(code, Some(1));
    let good = Project::hop().file("scenarios/a.scenario", GOOD);
    assert_eq!(run(&good, line, arguments).1, Some(0));
}

#[test]
fn the_hooks_are_run_on_files() {
    let hooks = read(".pre-commit-hooks.yaml");
    let hooks = hooks.as_array().unwrap();
    assert_eq!(hooks.len(), 2);
    for hook in hooks {
        let entry = hook["entry"].as_str().unwrap();
        let project = Project::hop().file("scenarios/a.scenario", GOOD).file("b.scenario", "scenario A\n");
        assert_eq!(
            run(&project, &format!("{entry} scenarios/a.scenario games/hop/hop.game"), "").1,
            Some(0),
            "{entry}"
        );
        assert_eq!(run(&project, &format!("{entry} b.scenario"), "").1, Some(3), "{entry}");
    }
}
