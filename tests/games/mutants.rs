//! The examples of every bundled game notice every change of its rules and house rules, or a remark in the rules says why
//! they cannot.

use std::path::Path;
use std::process::Command;

/// Games that take seconds in the dev build.
const SMALL: [&str; 8] = [
    "breakthrough",
    "draughts",
    "evil-squash",
    "hex-squish",
    "lines-of-action",
    "pig",
    "royal-game-of-ur",
    "squish-blocks",
];

/// Games that take minutes there. `.ci/run` tries them with the release build.
const LARGE: [&str; 2] = ["squirmish", "squish-board"];

/// Changes each game with `referee mutate`. The environment variable `REFEREE` may name another build of the program.
fn examples_notice_every_change(games: &[&str]) {
    let own = std::env::var_os("REFEREE").unwrap_or_else(|| env!("CARGO_BIN_EXE_referee").into());
    let mut missed = String::new();
    for game in games {
        let folder = env!("CARGO_MANIFEST_DIR");
        let ran = Command::new(&own).args(["mutate", game]).current_dir(folder).output().unwrap();
        if !ran.status.success() {
            missed.push_str(&String::from_utf8_lossy(&ran.stdout));
            missed.push_str(&String::from_utf8_lossy(&ran.stderr));
        }
    }
    assert!(missed.is_empty(), "{missed}");
}

#[test]
fn examples_of_small_games_notice_every_change() {
    examples_notice_every_change(&SMALL);
}

#[test]
#[ignore = "takes minutes in the dev build"]
fn examples_of_large_games_notice_every_change() {
    examples_notice_every_change(&LARGE);
}

#[test]
fn no_game_is_left_out() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("games");
    let names = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.collect();
    names.sort();
    let mut tried = [&SMALL[..], &LARGE].concat();
    tried.sort_unstable();
    assert_eq!(names, tried);
}
