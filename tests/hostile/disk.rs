//! Unusual files: folders with the names of files, loops of links, files that cannot be read or written.

use std::fs;
use std::path::Path;
use std::process::Output;

use super::{GAME, RULES, TURN};
use crate::program::referee;

/// A folder with the game, and a scenario that asks for a snapshot.
pub(super) fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let game = folder.path().join("games/attack");
    fs::create_dir_all(&game).unwrap();
    fs::write(game.join("attack.game"), GAME).unwrap();
    fs::write(game.join("rules.rhai"), RULES).unwrap();
    fs::write(folder.path().join("a.scenario"), format!("{TURN}  expect snapshot\n")).unwrap();
    folder
}

/// Run the command in a folder.
pub(super) fn run(folder: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let mut command = referee();
    let Output { status, stdout, stderr } =
        command.args(arguments).current_dir(folder).env_remove("CI").env("NO_COLOR", "1").output().unwrap();
    let told = format!("{}{}", String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap());
    assert!(!told.contains(|letter: char| letter.is_control() && letter != '\n'), "{told:?}");
    (status.code(), told)
}

#[track_caller]
pub(super) fn says((code, told): &(Option<i32>, String), exit: i32, words: &str) {
    assert_eq!(*code, Some(exit), "{told}");
    assert!(told.contains(words), "{words:?} is not in\n{told}");
}

/// The names of the files in a folder.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned());
    // What failed is remembered here, whatever else could not be written.
    let mut names: Vec<String> = entries.filter(|name| name != ".referee").collect();
    names.sort();
    names
}

#[test]
fn folders_with_the_names_of_files() {
    let folder = folder();
    fs::create_dir(folder.path().join("b.scenario")).unwrap();
    fs::create_dir(folder.path().join("games/attack/x.game")).unwrap();
    says(&run(folder.path(), &["test", "b.scenario"]), 4, "no scenarios");
    says(&run(folder.path(), &["show", "b.scenario"]), 3, "not a file");
    fs::remove_file(folder.path().join("games/attack/attack.game")).unwrap();
    fs::create_dir(folder.path().join("games/attack/attack.game")).unwrap();
    says(&run(folder.path(), &["test", "a.scenario"]), 3, "not a file");
    fs::remove_file(folder.path().join("games/attack/rules.rhai")).unwrap();
    fs::remove_dir(folder.path().join("games/attack/attack.game")).unwrap();
    fs::create_dir(folder.path().join("games/attack/rules.rhai")).unwrap();
    fs::write(folder.path().join("games/attack/attack.game"), GAME).unwrap();
    says(&run(folder.path(), &["test", "a.scenario"]), 3, "not a file");
}

#[test]
fn texts_that_are_none() {
    let folder = folder();
    fs::write(folder.path().join("b.scenario"), b"use attack\nscenario \"\xff\"\n").unwrap();
    says(&run(folder.path(), &["test", "b.scenario"]), 3, "b.scenario: line 2 is not UTF-8: save the file as UTF-8");
    fs::write(folder.path().join("b.scenario"), b"\xff\xfeu\0s\0e\0").unwrap();
    says(&run(folder.path(), &["check", "b.scenario"]), 3, "b.scenario: line 1 is not UTF-8: save the file as UTF-8");
    fs::write(folder.path().join("b.scenario"), vec![b'x'; 17 << 20]).unwrap();
    says(&run(folder.path(), &["test", "b.scenario"]), 3, "larger than");
    fs::write(folder.path().join("games/attack/rules.rhai"), b"fn turn(me) { \"\xff\" }").unwrap();
    says(&run(folder.path(), &["test", "a.scenario"]), 3, "not UTF-8");
}

#[test]
fn snapshots_that_cannot_be_read_are_not_written_over() {
    let folder = folder();
    let snap = folder.path().join("a.scenario.snap");
    for bad in [&b"=== kept \xff\n"[..], &vec![b'x'; 17 << 20]] {
        fs::write(&snap, bad).unwrap();
        says(
            &run(folder.path(), &["test", "--accept", "a.scenario"]),
            3,
            "cannot read the snapshots in a.scenario.snap",
        );
        assert_eq!(fs::read(&snap).unwrap(), bad);
    }
    fs::remove_file(&snap).unwrap();
    fs::create_dir(&snap).unwrap();
    fs::write(snap.join("kept"), "kept").unwrap();
    says(&run(folder.path(), &["test", "--accept", "a.scenario"]), 3, "cannot read the snapshots in a.scenario.snap");
    assert!(snap.join("kept").exists());
    assert_eq!(names(folder.path()), ["a.scenario", "a.scenario.snap", "games"]);
}

#[test]
fn a_write_that_fails_leaves_nothing_behind() {
    let folder = folder();
    // The file that waits cannot be replaced: something else has its name.
    let pending = folder.path().join("a.scenario.snap.new");
    fs::create_dir(&pending).unwrap();
    fs::write(pending.join("kept"), "kept").unwrap();
    says(&run(folder.path(), &["test", "a.scenario"]), 3, "cannot read the snapshots in a.scenario.snap.new");
    assert_eq!(names(folder.path()), ["a.scenario", "a.scenario.snap.new", "games"]);
}

#[cfg(unix)]
#[test]
fn loops_of_links() {
    use std::os::unix::fs::symlink;
    let folder = folder();
    let scenarios = folder.path().join("scenarios");
    fs::create_dir(&scenarios).unwrap();
    symlink(".", scenarios.join("here")).unwrap();
    symlink("..", scenarios.join("up")).unwrap();
    symlink("loop.scenario", scenarios.join("loop.scenario")).unwrap();
    let told = run(folder.path(), &["test", "scenarios"]);
    assert!(told.0.is_some(), "{}", told.1);
    says(&run(folder.path(), &["test", "scenarios/loop.scenario"]), 3, "cannot read scenarios/loop.scenario");
    fs::remove_file(folder.path().join("games/attack/rules.rhai")).unwrap();
    symlink("rules.rhai", folder.path().join("games/attack/rules.rhai")).unwrap();
    says(&run(folder.path(), &["test", "a.scenario"]), 3, "cannot read");
}

#[cfg(unix)]
#[test]
fn escapes_in_names_of_files_and_arguments() {
    let folder = folder();
    let name = "\u{1b}[2J\u{202e}\u{9b}31m.scenario";
    fs::write(folder.path().join(name), "scenario \"x\"\n").unwrap();
    let (_, told) = run(folder.path(), &["test", "."]);
    assert!(told.contains("scenario") && !told.contains('\u{202e}'), "{told:?}");
    for arguments in [["test", "\u{1b}[2J"], ["show", "\u{1b}[2J"], ["check", "\u{202e}\u{1b}"], ["moves", "\u{1b}c"]] {
        let (_, told) = run(folder.path(), &arguments);
        assert!(!told.contains('\u{202e}'), "{told:?}");
    }
    let (_, told) = run(folder.path(), &["test", "--scenario", "\u{1b}[2J", "."]);
    assert!(!told.is_empty());
}

#[test]
fn rules_that_never_end_end_here() {
    let folder = folder();
    let rules = |text: &str| fs::write(folder.path().join("games/attack/rules.rhai"), text).unwrap();
    rules("fn turn(me) { loop {} }");
    says(&run(folder.path(), &["test", "a.scenario"]), 3, "the rules run too long without asking anything");
    rules("fn turn(me) { turn(me) }");
    says(&run(folder.path(), &["test", "a.scenario"]), 3, "call one another too deeply");
    rules("fn turn(me) { [0].for_each(|| turn(me)); }");
    says(&run(folder.path(), &["show", "a.scenario"]), 3, "the rules stopped with an error");
}
