//! Exit codes of commands.

use super::{FAILING, GOOD, INVALID, Project};

#[test]
fn all_passed_is_0() {
    let ran = Project::hop().file("good.scenario", GOOD).run(&["test", "good.scenario"]);
    insta::assert_snapshot!(ran.all(), @r"
    ok   good.scenario (1 of 1 passed)
    1 passed, 0 failed
    ──── exit code 0
    ");
}

#[test]
fn a_failed_expectation_is_1() {
    let ran = Project::hop().file("good.scenario", GOOD).file("bad.scenario", FAILING).run(&["test", "."]);
    assert_eq!(ran.code, 1);
    assert!(ran.stdout.ends_with("1 passed, 1 failed\n"), "{}", ran.stdout);
    assert_eq!(ran.stderr, "");
}

#[test]
fn wrong_usage_is_2() {
    let project = Project::hop().file("good.scenario", GOOD);
    let wrong: [&[&str]; 8] = [
        &[],
        &["tset"],
        &["test", "--jobs", "0"],
        &["test", "--jobs", "many"],
        &["test", "--format", "xml"],
        &["test", "--scenario"],
        &["test", "--colour"],
        &["test", "missing.scenario"],
    ];
    for arguments in wrong {
        let ran = project.run(arguments);
        assert_eq!(ran.code, 2, "{arguments:?}");
        assert_eq!(ran.stdout, "", "{arguments:?}");
        assert_ne!(ran.stderr, "", "{arguments:?}");
    }
}

#[test]
fn an_invalid_file_is_3_and_the_others_run() {
    let project = Project::hop().file("good.scenario", GOOD).file("bad.scenario", INVALID);
    let ran = project.run(&["test", "."]);
    assert_eq!(ran.code, 3);
    assert!(ran.stdout.contains("unknown die `distanse`"), "{}", ran.stdout);
    assert!(ran.stdout.contains("ok   good.scenario (1 of 1 passed)"), "{}", ran.stdout);
    assert!(ran.stdout.ends_with("1 passed, 0 failed, 1 errored\n"), "{}", ran.stdout);
}

#[test]
fn an_invalid_file_beats_a_failure() {
    let project = Project::hop().file("failing.scenario", FAILING).file("bad.scenario", INVALID);
    assert_eq!(project.run(&["test", "."]).code, 3);
}

#[test]
fn nothing_to_run_is_4() {
    let project = Project::hop().file("good.scenario", GOOD).folder("empty");
    for arguments in [&["test", "empty"][..], &["test", ".", "--scenario", "no such title"], &["check", "empty"]] {
        let ran = project.run(arguments);
        assert_eq!(ran.code, 4, "{arguments:?}: {}", ran.all());
        assert_eq!(ran.stderr, "");
    }
}

#[test]
fn help_and_version_are_0() {
    for arguments in [["--help"], ["--version"]] {
        let ran = Project::new().run(&arguments);
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    }
}

/// What packages and scripts read.
#[test]
fn the_version_names_the_engines() {
    let short = format!("referee {}", env!("CARGO_PKG_VERSION"));
    assert_eq!(Project::new().run(&["-V"]).stdout, format!("{short}\n"));
    let long = Project::new().run(&["--version"]).stdout;
    let all = [format!("{short} (engines: wasmi)\n"), format!("{short} (engines: wasmi, wasmtime)\n")];
    assert!(all.contains(&long), "{long}");
}
