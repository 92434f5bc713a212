//! Files that are not regular files or not text, and output that is not read.

use std::io::Read;
use std::process::Stdio;

use super::{FAILING, GOOD, Project};

#[test]
fn a_folder_with_the_name_of_a_file() {
    let project = Project::hop().file("odd.scenario/inside.scenario", GOOD).folder("empty.scenario");
    let ran = project.run(&["test", "odd.scenario"]);
    assert_eq!(ran.code, 0, "{}", ran.all());
    assert!(ran.stdout.contains("ok   odd.scenario/inside.scenario"), "{}", ran.stdout);
    assert_eq!(project.run(&["test", "empty.scenario"]).code, 4);
}

#[test]
fn bytes_that_are_no_text() {
    let project = Project::hop().file("bytes.scenario", b"use hop short\n\xff\xfe\n").file("good.scenario", GOOD);
    insta::assert_snapshot!(project.run(&["test", "bytes.scenario", "good.scenario"]).all());
}

#[test]
fn bytes_that_are_no_text_in_the_rules() {
    let project = Project::hop().file("games/hop/rules.rhai", b"fn turn(me) {}\n// \xff\n").file("a.scenario", GOOD);
    insta::assert_snapshot!(project.run(&["test", "a.scenario"]).all());
}

#[test]
fn a_file_without_scenarios_is_reported() {
    for text in ["", "\n", "use hop short\n", "use hop short\n# scenario \"One\"\n"] {
        let project = Project::hop().file("scenarios/empty.scenario", text).file("scenarios/good.scenario", GOOD);
        for command in ["test", "check", "test scenarios/empty.scenario"] {
            let ran = project.run(&command.split(' ').collect::<Vec<_>>());
            assert_eq!(ran.code, 3, "{command}: {}", ran.all());
            assert!(ran.stdout.contains("this file has no scenario"), "{command}: {}", ran.all());
        }
    }
}

/// `referee new` writes a file to fill in.
#[test]
fn a_file_with_only_comments_is_named() {
    let comments = "# use hop\n# scenario \"One\"\n";
    let project = Project::hop().file("scenarios/later.scenario", comments).file("scenarios/good.scenario", GOOD);
    let ran = project.run(&["test"]);
    assert!(ran.code == 0 && ran.stdout.contains("none scenarios/later.scenario (only comments)"), "{}", ran.all());
    let ran = project.run(&["check"]);
    let said = "scenarios/later.scenario has no scenario, only comments";
    assert!(ran.code == 0 && ran.stdout.contains(said), "{}", ran.all());
    let ran = project.run(&["test", "scenarios/later.scenario"]);
    assert!(ran.code == 4 && ran.stdout.contains("no scenarios found"), "{}", ran.all());
}

#[test]
fn a_mark_of_byte_order_and_line_ends_of_windows() {
    let text = format!("\u{feff}{}", GOOD.replace('\n', "\r\n"));
    let ran = Project::hop().file("windows.scenario", text).run(&["test", "windows.scenario"]);
    assert_eq!(ran.code, 0, "{}", ran.all());
}

#[test]
fn a_reader_that_goes_away() {
    let mut project = Project::hop();
    for number in 0..300 {
        project = project.file(&format!("scenarios/file{number}.scenario"), FAILING);
    }
    let mut child = project.command(&["test"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut first = [0; 1];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn nobody_reads_the_help() {
    let mut child = Project::new().command(&["--help"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[cfg(unix)]
#[test]
fn a_loop_of_links_ends() {
    let project = Project::hop().file("loop/good.scenario", GOOD);
    std::os::unix::fs::symlink(project.path().join("loop"), project.path().join("loop/again")).unwrap();
    let ran = project.run(&["test", "loop"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
}

#[cfg(unix)]
#[test]
fn a_link_that_leads_nowhere() {
    let project = Project::hop().file("all/good.scenario", GOOD);
    std::os::unix::fs::symlink("nowhere", project.path().join("all/broken.scenario")).unwrap();
    let ran = project.run(&["test", "all"]);
    assert_eq!(ran.code, 3, "{}", ran.all());
    assert!(ran.stdout.contains("broken.scenario: no such file"), "{}", ran.stdout);
}

/// A folder is searched for `.scenario` files; this one would be skipped in silence.
#[test]
fn an_extension_in_capitals_is_reported() {
    let project = Project::hop().file("scenarios/good.scenario", GOOD).file("scenarios/UP.SCENARIO", FAILING);
    let ran = project.run(&["test"]);
    assert_eq!(ran.code, 3, "{}", ran.all());
    let said = "scenarios/UP.SCENARIO: its extension is not in lower case: rename it to end with .scenario";
    assert!(ran.all().contains(said), "{}", ran.all());
}

#[test]
fn an_extension_that_is_almost_right_is_reported() {
    let page = format!("```scenario\n{FAILING}```\n");
    let near = [
        ("scenarios/a.scenario.txt", FAILING, ".scenario"),
        ("scenarios/a.Scenario.TXT", FAILING, ".scenario"),
        ("scenarios/a.scenaro", FAILING, ".scenario"),
        ("scenarios/a.scenarios", FAILING, ".scenario"),
        ("scenarios/a.markdown", &page, ".md"),
        ("scenarios/a.md.txt", &page, ".md"),
        ("games/hop/house/mine.Rhai", "", ".rhai"),
        ("games/hop/house/mine.rhai.txt", "", ".rhai"),
        ("games/hop/hop.game.txt", "", ".game"),
    ];
    for (file, text, ending) in near {
        let project = Project::hop().file("scenarios/good.scenario", GOOD).file(file, text);
        for command in ["test", "check"] {
            let ran = project.run(&[command]);
            let all = ran.all().replace("\n  │", "");
            assert_eq!(ran.code, 3, "{command} {file}: {all}");
            assert!(all.contains(&format!("rename it to end with {ending}")), "{command} {file}: {all}");
        }
    }
    for file in
        ["scenarios/a.txt", "scenarios/a.markdown", "scenarios/scenario.png", "games/hop/a.Rhai", "scenarios/a.gam"]
    {
        let ran = Project::hop().file("scenarios/good.scenario", GOOD).file(file, "no example").run(&["test"]);
        assert_eq!(ran.code, 0, "{file}: {}", ran.all());
    }
}

/// A script is used if the game file or a data file names it, or if it lies in the folder `house`; a data file, if the
/// game file names it.
#[test]
fn scripts_that_nothing_uses() {
    const HOUSE: &str = "/// Nobody rests.\nfn free_around(me) { around(cells(marker(me))) }\n";
    for (path, why) in [
        ("games/hop/house/far.rhia", "rename it to end with .rhai"),
        ("games/hop/house/more/far.rhai", "it is in a folder below `house`"),
        ("games/hop/houses/far.rhai", "house rules belong in a folder `house`, not `houses`"),
        ("games/hop/House/far.rhai", "house rules belong in a folder `house`, not `House`"),
        ("games/hop/far.rhai", "nothing uses it"),
        ("games/hop/arrows.yaml", "nothing uses it: name it in the game file"),
    ] {
        let project = Project::hop().file(path, HOUSE).file("a.scenario", GOOD);
        let ran = project.run(&["check"]);
        assert!(ran.code == 3 && ran.all().contains(why), "{path}: {}", ran.all());
    }
    let project = Project::hop().file("games/hop/house/far.rhai", HOUSE).file("notes/far.rhai", HOUSE);
    let ran = project.file("a.scenario", GOOD).run(&["check"]);
    assert_eq!(ran.code, 0, "{}", ran.all());
}

#[cfg(unix)]
#[test]
fn a_report_behind_a_link_stays_behind_it() {
    let project = Project::hop().file("scenarios/a.scenario", GOOD).folder("pages");
    std::os::unix::fs::symlink(project.path().join("pages"), project.path().join("link")).unwrap();
    let ran = project.run(&["test", "--report", "html=link"]);
    assert_eq!(ran.code, 0, "{}", ran.all());
    assert!(project.path().join("pages/index.html").exists());
    assert!(project.path().join("link").is_symlink());
}

#[test]
fn a_rulebook_whose_clauses_have_no_numbers_in_brackets() {
    let project = Project::hop()
        .file("games/hop/RULES.md", "# Hop\n\n- **W1** A turn is a walk.\n")
        .file("games/hop/rules.rhai", "fn turn(me) {\n    clause(\"W1\");\n}\n")
        .file("a.scenario", GOOD);
    let ran = project.run(&["test", "a.scenario"]);
    assert_eq!(ran.code, 3, "{}", ran.all());
    let help = "begin paragraphs of the rulebook with a number in brackets, such as `[W1]`";
    assert!(ran.all().contains("unknown clause of the rulebook `W1`") && ran.all().contains(help), "{}", ran.all());
}
