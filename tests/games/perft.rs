//! Perft: published or independently computed numbers of move sequences.
//!
//! Breakthrough on 8x8: the counts that chess programmers compare. Squish on hexagons: counted by two independent
//! programs for the same set-up.

use std::path::Path;

use referee_scenario::{Loader, LoaderOptions, Suite};
use referee_source::MemoryHost;

/// The numbers of sequences of 1, 2, … moves from the end of a scenario.
pub(crate) fn counts(scenario: &str, depths: usize) -> Vec<u64> {
    let host = MemoryHost::default().with("a.scenario", scenario);
    let mut loader = Loader::new(&host, LoaderOptions { working_folder: "/".into(), ..LoaderOptions::default() });
    let suite: Suite = referee_scenario::plan(&mut loader, Path::new("a.scenario"));
    assert!(suite.problems.is_empty(), "{:?}", suite.problems);
    let total = |depth| {
        referee_scenario::perft(&mut loader, &suite, 0, depth).unwrap().counts.iter().map(|(_, count)| count).sum()
    };
    (1..=depths).map(total).collect()
}

#[test]
fn breakthrough() {
    assert_eq!(counts("use breakthrough\nscenario \"b\"\n  turn white\n", 4), [22, 484, 11132, 256_036]);
}

/// The counts that programmers of draughts compare.
const DRAUGHTS: [u64; 7] = [7, 49, 302, 1469, 7361, 36_768, 179_740];

#[test]
fn draughts() {
    assert_eq!(counts("use draughts\nscenario \"d\"\n  turn black\n", 5), DRAUGHTS[..5]);
}

#[test]
#[ignore = "takes a minute without optimisation"]
fn draughts_further() {
    assert_eq!(counts("use draughts\nscenario \"d\"\n  turn black\n", 7), DRAUGHTS);
}

/// The numbers from the set-up of a side that the rules make.
fn hexagons(variant: &str, side: i32, depths: usize) -> Vec<u64> {
    let begin = format!("use hex-squish {variant}\nscenario \"h\"\n  board hex {side}\n  setup\n");
    counts(&begin, depths)
}

#[test]
fn squish_on_four_hexagons_a_side() {
    // From the lines of the game file.
    assert_eq!(counts("use hex-squish\nscenario \"h\"\n  turn white\n", 3), [30, 810, 19794]);
    assert_eq!(hexagons("squish", 4, 4), [30, 810, 19794, 441_072]);
}

#[test]
fn squish_on_three_hexagons_a_side() {
    assert_eq!(hexagons("squish", 3, 4), [6, 30, 150, 600]);
}

#[test]
fn squish_on_five_hexagons_a_side() {
    assert_eq!(hexagons("squish", 5, 3), [72, 4968, 325_872]);
}

#[test]
#[ignore = "takes a minute"]
fn squish_on_five_hexagons_a_side_for_four_moves() {
    assert_eq!(hexagons("squish", 5, 4), [72, 4968, 325_872, 20_512_704]);
}

#[test]
fn squish_on_six_hexagons_a_side_begins_in_114_ways() {
    assert_eq!(hexagons("squish", 6, 1), [114]);
}

#[test]
fn flowish_on_three_to_five_hexagons_a_side() {
    assert_eq!(hexagons("flowish", 3, 4), [6, 30, 93, 270]);
    assert_eq!(hexagons("flowish", 4, 3), [30, 810, 5523]);
    assert_eq!(hexagons("flowish", 5, 2), [72, 4914]);
}

#[test]
#[ignore = "takes a minute"]
fn flowish_on_four_and_five_hexagons_a_side_for_four_moves() {
    assert_eq!(hexagons("flowish", 4, 4), [30, 810, 5523, 36174]);
    assert_eq!(hexagons("flowish", 5, 4), [72, 4914, 53052, 568_995]);
}
