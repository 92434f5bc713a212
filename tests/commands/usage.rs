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
        "show good.scenario:3",
        "show hop --variant shrot",
        "perft hop --with goal=20",
        "simulate hop --games 5 --games 6",
        "explore hop --games 1 --write good.scenario",
    ];
    let mut text = String::new();
    for line in lines {
        let arguments: Vec<&str> = line.split(' ').collect();
        text.push_str(&format!("$ referee {line}\n{}\n\n", project.run(&arguments).all()));
    }
    insta::assert_snapshot!(text.trim_end());
}

/// Each shell gets a script that knows every command, and each command a page of the manual.
#[test]
fn completions_and_manual_pages() {
    let project = Project::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let ran = project.run(&["completions", shell]);
        assert!(ran.code == 0 && ran.stdout.contains("max-plies") && ran.stdout.contains("readings"), "{shell}");
    }
    assert_eq!(project.run(&["completions", "bsh"]).code, 2);
    let ran = project.run(&["man", "pages"]);
    let help = project.run(&["--help"]).stdout;
    let commands = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let mut count = 1;
    let named = |line: &&str| line.starts_with("  ") && !line.starts_with("   ");
    for command in
        commands.filter(named).filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help")
    {
        let page = std::fs::read_to_string(project.path().join(format!("pages/referee-{command}.1"))).unwrap();
        assert!(page.contains(".TH") && page.contains(&format!("referee\\-{command}")), "{page}");
        count += 1;
    }
    assert_eq!(ran.all(), format!("{count} pages in pages\n──── exit code 0"));
    assert!(std::fs::read_to_string(project.path().join("pages/referee.1")).unwrap().contains("Exit codes"));
}
