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
    let one = run(&good, line, "test --scenario 'A walk' --report \"tap=my results.tap\"");
    assert_eq!(one.1, Some(0), "{}", one.0);
    assert!(good.path().join("my results.tap").is_file());
    assert_eq!(run(&good, line, "test '$(touch here)'").1, Some(2));
    assert!(!good.path().join("here").exists());
}

#[test]
fn the_hooks_find_what_is_wrong() {
    let hooks = read(".pre-commit-hooks.yaml");
    let hooks = hooks.as_array().unwrap();
    let ids: Vec<&str> = hooks.iter().map(|hook| hook["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["referee-fmt", "referee-check"]);
    let entry = |at: usize| hooks[at]["entry"].as_str().unwrap();
    let project = Project::hop().file("scenarios/a.scenario", GOOD).file("b.scenario", "scenario A\n");
    // The one is given the changed files, the other reads the folders that a project has.
    assert_eq!(run(&project, &format!("{} scenarios/a.scenario games/hop/hop.game", entry(0)), "").1, Some(0));
    assert_eq!(run(&project, &format!("{} b.scenario", entry(0)), "").1, Some(3));
    assert_eq!(hooks[1]["pass_filenames"], false);
    assert_eq!(run(&project, entry(1), "").1, Some(0));
    let wrong = [
        ("scenarios/b.scenario", "scenario A\n"),
        ("scenarios/b.md", "# Rules\n\n```scenario\nuse hop\nscenario \"A\"\n  turn rad\n```\n"),
        ("games/hop/rules.rhai", "fn turn(me) { clase(\"N1\"); }\n"),
    ];
    for (file, text) in wrong {
        let project = Project::hop().file("scenarios/a.scenario", GOOD).file(file, text);
        assert_eq!(run(&project, entry(1), "").1, Some(3), "{file}");
    }
}
