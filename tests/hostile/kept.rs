//! Data that must be preserved: accepted snapshots, permissions of files; and failures that must not fill the memory.

use std::fs;
use std::path::Path;

use proptest::prelude::*;
use referee_scenario::Snapshots;
use referee_source::MemoryHost;

use super::disk::{folder, run, says};

/// Texts in which marks of the file format, line ends and blanks are frequent.
fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("=== ".to_owned()),
        Just("=== t #1".to_owned()),
        Just("=======".to_owned()),
        Just("<<<<<<< a".to_owned()),
        Just(">>>>>>> b".to_owned()),
        Just("\n".to_owned()),
        Just("\r".to_owned()),
        Just("\r\n".to_owned()),
        Just(" ".to_owned()),
        Just("\t".to_owned()),
        Just("\\".to_owned()),
        Just("\"".to_owned()),
        Just("#".to_owned()),
        Just("\u{85}\u{2028}\u{a0}\u{feff}".to_owned()),
        any::<String>(),
    ];
    proptest::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn what_is_accepted_is_read_again(entries in proptest::collection::btree_map((text(), 1..4usize), text(), 0..5)) {
        let mut kept = Snapshots::default();
        for ((title, number), text) in &entries {
            kept.set(&format!("{title} #{number}"), text);
        }
        let host = MemoryHost::default().with("a.snap", kept.text());
        let read = Snapshots::load(&host, Path::new("a.snap"));
        prop_assert_eq!(read, Ok(kept.clone()), "{}", kept.text());
    }
}

#[test]
fn tests_that_look_alike_have_snapshots_of_their_own() {
    let folder = folder();
    let play = "  place red at a1\n  turn red\n  expect snapshot\n";
    let other = "  place red at b2\n  turn red\n  expect snapshot\n";
    let text = format!(
        "use attack\nscenario \"t\"\n{play}  branch \"x\"\n  expect snapshot\nscenario \"t > x\"\n{other}\
         scenario \".\"\n{play}scenario \" .\"\n{other}scenario \" t\"\n{other}scenario \"t \"\n{play}\
         scenario \"r\"\n  place red at {{where}}\n  turn red\n  expect snapshot\n  examples\n    | where |\n    | a1 |\n    | b2 |\n\
         scenario \"r (row 1)\"\n  place red at c3\n  turn red\n  expect snapshot\nscenario \"r \\(row 2)\"\n{play}"
    );
    fs::write(folder.path().join("a.scenario"), text).unwrap();
    says(&run(folder.path(), &["test", "a.scenario", "--accept"]), 0, "0 failed");
    says(&run(folder.path(), &["test", "a.scenario"]), 0, "11 passed, 0 failed");
}

#[test]
fn two_branches_whose_titles_become_the_same_are_told() {
    let folder = folder();
    let text = "use attack\nscenario \"t\"\n  place red at a1\n  turn red\n  branch \"{x}\"\n  expect red at {x}\n  \
                branch \"{y}\"\n  expect red at {y}\n  examples\n    | x | y |\n    | a1 | a1 |\n";
    fs::write(folder.path().join("a.scenario"), text).unwrap();
    says(&run(folder.path(), &["test", "a.scenario"]), 3, "two tests of this file have the title \"t (row 1) > a1\"");
}

#[test]
fn two_runs_that_accept_at_once_lose_nothing() {
    let folder = folder();
    let tests = 12;
    let scenario = |number| format!("scenario \"n{number}.\"\n  place red at a1\n  turn red\n  expect snapshot\n");
    let text: String = (0..tests).map(scenario).collect();
    fs::write(folder.path().join("a.scenario"), format!("use attack\n{text}")).unwrap();
    std::thread::scope(|scope| {
        for number in 0..tests {
            let path = folder.path();
            let filter = format!("n{number}.");
            scope.spawn(move || {
                says(&run(path, &["test", "a.scenario", "--accept", "--scenario", &filter]), 0, "1 passed")
            });
        }
    });
    says(&run(folder.path(), &["test", "a.scenario"]), 0, "12 passed, 0 failed");
}

#[cfg(unix)]
#[test]
fn files_are_written_with_the_rights_that_they_had() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder();
    let snap = folder.path().join("a.scenario.snap");
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    says(&run(folder.path(), &["test", "a.scenario", "--accept"]), 0, "1 passed");
    // A new file has the default permissions, like this one.
    fs::write(folder.path().join("new"), "").unwrap();
    assert_eq!(mode(&snap), mode(&folder.path().join("new")));
    let text = fs::read_to_string(&snap).unwrap();
    fs::write(&snap, text.replace("turn red", "turn blue")).unwrap();
    fs::set_permissions(&snap, fs::Permissions::from_mode(0o640)).unwrap();
    says(&run(folder.path(), &["test", "a.scenario", "--accept"]), 0, "1 passed");
    assert_eq!((mode(&snap), fs::read_to_string(&snap).unwrap()), (0o640, text));
}

#[test]
fn a_snapshot_that_cannot_be_written_hides_no_report() {
    let folder = folder();
    fs::create_dir(folder.path().join("a.scenario.snap.new")).unwrap();
    for arguments in [&["test", "a.scenario"][..], &["test", "a.scenario", "--accept"]] {
        let ran = run(folder.path(), arguments);
        says(&ran, 3, "FAIL a.scenario (0 of 1 passed)");
        says(&ran, 3, "a.scenario.snap.new");
    }
}

#[test]
fn a_recorded_game_that_was_edited_is_kept() {
    let folder = folder();
    let arguments = ["simulate", "squish-board", "-n", "2", "--record", "played", "--max-plies", "3"];
    says(&run(folder.path(), &arguments), 0, "");
    // The same again is the same.
    says(&run(folder.path(), &arguments), 0, "");
    let mut files: Vec<_> =
        fs::read_dir(folder.path().join("played")).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    fs::write(&files[1], "# mine\n").unwrap();
    fs::remove_file(&files[0]).unwrap();
    says(&run(folder.path(), &arguments), 2, "exists already with other content");
    assert!(!files[0].exists() && fs::read_to_string(&files[1]).unwrap() == "# mine\n");
}

#[test]
fn failures_of_long_tables_are_bounded() {
    let folder = folder();
    let rules = "fn turn(me) { for n in 0..5000 { event(\"counted\", n); } roll(\"d\"); }";
    fs::write(folder.path().join("games/attack/rules.rhai"), rules).unwrap();
    let rows: String = (0..300).map(|row| format!("    | b2 | {row} |\n")).collect();
    let many = "  expect red at b2\n".repeat(200);
    let text = format!(
        "use attack\nscenario \"t\"\n  place red at a1\n  turn red\n{many}  expect red at {{x}}\n  \
         expect {{ k >= 0 || at(cell_named(\"a1\")) == () }}\n  examples\n    | x | k |\n{rows}"
    );
    let host = super::host(rules, &text);
    let (_, results) = super::judged(&host, Default::default());
    assert_eq!(results.len(), 300);
    for mut result in results {
        assert_eq!(result.failures.len(), 201);
        let before: usize = result.failures.iter().map(|failure| failure.weight()).sum();
        assert!(before < 4 << 20, "{before}");
        referee_trace::bound(&mut result.failures, 10_000);
        let after: usize = result.failures.iter().map(|failure| failure.weight()).sum();
        assert!(after < 30_000, "{after}");
        assert!(result.failures.last().unwrap().diagnostic.message.contains("more mismatches of this test"));
    }
}
