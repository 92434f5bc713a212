//! Unreadable files and folders are never skipped silently: invalid text, missing permissions, links to the outside.

use std::fs;
use std::path::Path;

use super::disk::{folder, run, says};

/// A scenario that passes.
const PASSES: &str = "use attack\nscenario \"It\"\n  place red at a1\n  turn red\n  expect red at a1\n";

/// A folder with the game and, in `all`, a scenario that passes.
fn all() -> tempfile::TempDir {
    let folder = folder();
    fs::create_dir(folder.path().join("all")).unwrap();
    fs::write(folder.path().join("all/good.scenario"), PASSES).unwrap();
    says(&run(folder.path(), &["test", "all"]), 0, "1 passed, 0 failed");
    folder
}

/// Checks that a run of everything, a run of a part and a check report the same.
#[track_caller]
fn always_says(folder: &Path, words: &str) {
    for arguments in [&["test", "all"][..], &["test", "all", "--scenario", "nothing fits"], &["check", "all"]] {
        says(&run(folder, arguments), 3, words);
    }
    says(&run(folder, &["test", "all", "--format", "json"]), 3, "\"errored\":1");
}

#[test]
fn a_page_that_is_no_text() {
    let folder = all();
    fs::write(folder.path().join("all/page.md"), b"# \xff\n```scenario\n").unwrap();
    always_says(folder.path(), "cannot read all/page.md: line 1 is not UTF-8: save the file as UTF-8");
}

#[test]
fn a_page_that_is_too_large() {
    let folder = all();
    fs::write(folder.path().join("all/page.md"), vec![b' '; (16 << 20) + 1]).unwrap();
    always_says(folder.path(), "cannot read all/page.md: larger than 16777216 bytes");
}

#[test]
fn folders_in_folders_without_end() {
    let folder = all();
    let deep = folder.path().join("all").join("d/".repeat(33));
    fs::create_dir_all(&deep).unwrap();
    fs::write(deep.join("deep.scenario"), PASSES).unwrap();
    always_says(folder.path(), "nested too");
}

#[cfg(unix)]
#[test]
fn what_may_not_be_read() {
    use std::os::unix::fs::PermissionsExt;
    let folder = all();
    let (page, closed) = (folder.path().join("all/page.md"), folder.path().join("all/closed"));
    fs::write(&page, "# A page\n").unwrap();
    fs::create_dir(&closed).unwrap();
    let forbid = |path: &Path| fs::set_permissions(path, fs::Permissions::from_mode(0o000)).unwrap();
    let allow = |path: &Path| fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    forbid(&page);
    if fs::read(&page).is_ok() {
        // A user who may read everything cannot run this test.
        return;
    }
    always_says(folder.path(), "cannot read all/page.md");
    allow(&page);
    forbid(&closed);
    always_says(folder.path(), "cannot read all/closed");
    allow(&closed);
    let house = folder.path().join("games/attack/house");
    fs::create_dir(&house).unwrap();
    fs::write(house.join("short.rhai"), "").unwrap();
    fs::write(folder.path().join("h.scenario"), PASSES.replace("  turn", "  with house \"short\"\n  turn")).unwrap();
    forbid(&house.join("short.rhai"));
    says(&run(folder.path(), &["test", "h.scenario"]), 3, "cannot read the house rule games/attack/house/short.rhai");
    forbid(&house);
    says(&run(folder.path(), &["check", "games"]), 3, "cannot read games/attack/house");
    allow(&house);
}

#[cfg(unix)]
#[test]
fn links_that_lead_out() {
    use std::os::unix::fs::symlink;
    let folder = all();
    let secret = tempfile::tempdir().unwrap();
    fs::write(secret.path().join("secret.scenario"), "secret words\n").unwrap();
    fs::create_dir(secret.path().join("inside")).unwrap();
    let link = folder.path().join("all/link.scenario");
    symlink(secret.path().join("secret.scenario"), &link).unwrap();
    always_says(folder.path(), "cannot read all/link.scenario: a link to a target outside the folder all");
    fs::remove_file(&link).unwrap();
    symlink(secret.path().join("inside"), folder.path().join("all/inside")).unwrap();
    always_says(folder.path(), "cannot read all/inside: a link to a target outside the folder all");
    fs::remove_file(folder.path().join("all/inside")).unwrap();

    // The targets of links in games and snapshot files are not printed either.
    for file in ["games/attack/rules.rhai", "all/good.scenario.snap"] {
        let folder = all();
        let file = folder.path().join(file);
        let _ = fs::remove_file(&file);
        symlink(secret.path().join("secret.scenario"), &file).unwrap();
        let ran = run(folder.path(), &["test", "all"]);
        says(&ran, 3, "a link to a target outside the folder");
        assert!(!ran.1.contains("secret words"), "{}", ran.1);
    }
    // A link to a file in the same folder is allowed.
    let folder = all();
    fs::rename(folder.path().join("games/attack/rules.rhai"), folder.path().join("games/attack/other.rhai")).unwrap();
    symlink("other.rhai", folder.path().join("games/attack/rules.rhai")).unwrap();
    says(&run(folder.path(), &["test", "all"]), 0, "1 passed, 0 failed");
}

#[test]
fn a_game_that_is_not_there_is_told_at_the_line_of_each_file() {
    let folder = tempfile::tempdir().unwrap();
    for number in 10..50 {
        let text = format!("{}use nothere\nscenario \"{number}\"\n  turn red\n", "\n".repeat(number));
        fs::write(folder.path().join(format!("f{number}.scenario")), text).unwrap();
    }
    let one = run(folder.path(), &["test", "--jobs", "1", "."]);
    for number in 10..50 {
        assert!(one.1.contains(&format!("[f{number}.scenario:{}:5]", number + 1)), "{number}: {}", one.1);
    }
    assert_eq!(run(folder.path(), &["test", "--jobs", "8", "."]), one);
}

#[test]
fn a_test_without_a_title_is_told() {
    let folder = folder();
    fs::write(folder.path().join("b.scenario"), PASSES.replace("It", "")).unwrap();
    says(&run(folder.path(), &["test", "b.scenario"]), 3, "the title of this scenario is empty");
}

#[test]
fn a_mistake_in_the_head_of_a_table_is_told_to_programs_too() {
    let folder = folder();
    fs::write(folder.path().join("b.scenario"), format!("{PASSES}  examples\n    | unused |\n    | 1 |\n")).unwrap();
    let ran = run(folder.path(), &["test", "b.scenario", "--format", "json"]);
    says(&ran, 3, "\"errored\":1,\"skipped\":1");
    says(&ran, 3, "nothing in this scenario uses the column `unused`");
}
