//! The examples of every bundled game notice every change of its rules and house rules, or a remark in the rules says why
//! they cannot.

use super::every_game::games;
use crate::program::referee;

/// Games that take seconds in the dev build, with every fourth change.
const SMALL: [&str; 4] = ["breakthrough", "evil-squash", "liars-dice", "pig"];

/// Games that take longer there.
const LARGE: [&str; 14] = [
    "apiary",
    "backgammon",
    "chess",
    "draughts",
    "go",
    "hex-squish",
    "lines-of-action",
    "oh-hell",
    "oware",
    "royal-game-of-ur",
    "skerry-mail",
    "squirmish",
    "squish-blocks",
    "squish-board",
];

/// Changes each game with `referee mutate`, and these flags.
fn examples_notice_every_change(games: &[&str], flags: &[&str]) {
    let mut missed = String::new();
    for game in games {
        let folder = env!("CARGO_MANIFEST_DIR");
        let ran = referee().args(["mutate", game]).args(flags).current_dir(folder).output().unwrap();
        if !ran.status.success() {
            missed.push_str(&String::from_utf8_lossy(&ran.stdout));
            missed.push_str(&String::from_utf8_lossy(&ran.stderr));
        }
    }
    assert!(missed.is_empty(), "{missed}");
}

#[test]
fn examples_of_small_games_notice_every_change() {
    examples_notice_every_change(&SMALL, &["--shard", "1/4"]);
}

#[test]
#[ignore = "takes minutes in the dev build"]
fn examples_of_small_games_notice_every_change_in_full() {
    examples_notice_every_change(&SMALL, &[]);
}

#[test]
#[ignore = "takes minutes in the dev build"]
fn examples_of_large_games_notice_every_change_in_full() {
    examples_notice_every_change(&LARGE, &[]);
}

#[test]
fn no_game_is_left_out() {
    let mut tried = [&SMALL[..], &LARGE].concat();
    tried.sort_unstable();
    assert_eq!(games(), tried);
}
