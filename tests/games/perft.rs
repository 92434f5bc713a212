//! Perft: published or independently computed numbers of move sequences.
//!
//! Breakthrough on 8x8: the counts that chess programmers compare. Squish on hexagons: counted by two independent
//! programs for the same set-up.

use std::path::Path;

use referee::scenario::{Judge, JudgeOptions, Suite};
use referee::source::MemoryHost;

/// The numbers of sequences of 1, 2, … moves from the end of a scenario.
pub(crate) fn counts(scenario: &str, depths: usize) -> Vec<u64> {
    let host = MemoryHost::default().with("a.scenario", scenario);
    let mut judge = Judge::new(&host, JudgeOptions { working_folder: "/".into(), ..JudgeOptions::default() });
    let suite: Suite = judge.plan(Path::new("a.scenario"));
    assert!(suite.problems.is_empty(), "{:?}", suite.problems);
    let total = |depth| judge.perft(&suite, 0, depth).unwrap().counts.iter().map(|(_, count)| count).sum();
    (1..=depths).map(total).collect()
}

#[test]
fn breakthrough() {
    assert_eq!(counts("use breakthrough\nscenario \"b\"\n  turn white\n", 4), [22, 484, 11132, 256_036]);
}

#[test]
fn squish_on_four_hexagons_a_side() {
    assert_eq!(counts("use hex-squish\nscenario \"h\"\n  turn white\n", 4), [30, 810, 19794, 441_072]);
}

#[test]
fn squish_on_three_hexagons_a_side() {
    // The published pattern: cell class (q - r) mod 3.
    let scenario = format!("use hex-squish\nscenario \"h\"\n  board hex 3\n{}", pattern(3));
    assert_eq!(counts(&format!("{scenario}  turn white\n"), 4), [6, 30, 150, 600]);
}

/// The diagram of the set-up for a side: class 1 white, class 2 black, class 0 empty.
fn pattern(side: i32) -> String {
    let most = side - 1;
    let row = |r: i32| {
        let columns = (-most).max(-most - r)..=most.min(most - r);
        let token = |q: i32| [".", "W", "B"][usize::try_from((q - r).rem_euclid(3)).unwrap()];
        format!("    | {}\n", columns.map(token).collect::<Vec<_>>().join(" "))
    };
    (-most..=most).rev().map(row).collect()
}
