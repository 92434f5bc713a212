//! Messages about a wrong command line, and the help.

use super::{GOOD, Project};

#[test]
fn help() {
    insta::assert_snapshot!(Project::new().run(&["--help"]).stdout);
}

#[test]
fn help_of_test() {
    insta::assert_snapshot!(Project::new().run(&["test", "--help"]).stdout);
}

#[test]
fn help_of_check() {
    insta::assert_snapshot!(Project::new().run(&["check", "--help"]).stdout);
}

#[test]
fn wrong_command_lines() {
    let project = Project::hop().file("good.scenario", GOOD);
    let lines = [
        "tset",
        "test --jobs 0",
        "test --jobs many",
        "test --format xml",
        "test --scenario",
        "test --colour",
        "test missing.scenario",
        "test good.scenari",
        "test good.scenaro:4",
        "test hpo",
        "games hpo",
        "test good.scenario:99",
        "test good.scenario:2",
        "test scenarios/../games/hop/rules.rhai",
        "show god.scenario",
        "check good.scenario missing",
        "test good.scenario --games nowhere",
    ];
    let mut text = String::new();
    for line in lines {
        let arguments: Vec<&str> = line.split(' ').collect();
        text.push_str(&format!("$ referee {line}\n{}\n\n", project.run(&arguments).all()));
    }
    insta::assert_snapshot!(text.trim_end());
}
