//! Perft: published or independently computed numbers of move sequences.
//!
//! Breakthrough on 8x8: the counts that chess programmers compare. Squish on hexagons: counted by two independent
//! programs for the same set-up. Chess: the positions of the Chess Programming Wiki, "Perft Results"; its house rules: those with which
//! the engine Fairy-Stockfish is tested.

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

const CHESS: &str = include_str!("../../scenarios/chess/perft.scenario");
const ATOMIC: &str = include_str!("../../games/chess/house/atomic/atomic.scenario");
const HILL: &str = include_str!("../../games/chess/house/king-of-the-hill/king-of-the-hill.scenario");
const THREE_CHECK: &str = include_str!("../../games/chess/house/three-check/three-check.scenario");

/// The numbers from the position of a scenario of chess with this title.
fn chess(file: &str, title: &str, depths: usize) -> Vec<u64> {
    let begins = format!("scenario \"{title}\"\n");
    let (_, from) = file.split_once(&begins).unwrap();
    let (scenario, _) = from.split_once("\nscenario ").unwrap_or((from, ""));
    let lines = scenario.lines().filter(|line| !line.trim().starts_with("expect"));
    counts(&format!("use chess\n{begins}{}\n", lines.collect::<Vec<_>>().join("\n")), depths)
}

#[test]
fn chess_from_the_first_position() {
    assert_eq!(chess(CHESS, "The first position", 3), [20, 400, 8902]);
}

#[test]
#[ignore = "takes minutes without optimisation"]
fn chess_from_the_first_position_further() {
    assert_eq!(chess(CHESS, "The first position", 5), [20, 400, 8902, 197_281, 4_865_609]);
}

#[test]
#[ignore = "takes minutes without optimisation"]
fn chess_from_well_known_positions() {
    for (title, counted) in [
        ("The position called Kiwipete", &[48, 2039, 97_862, 4_085_603][..]),
        ("Position 3: captures in passing on a line with the king", &[14, 191, 2812, 43_238, 674_624]),
        ("Position 4: promotions and checks", &[6, 264, 9467, 422_333]),
        ("Position 4 with the colours exchanged", &[6, 264, 9467, 422_333]),
        ("Position 5: a promotion with the first move", &[44, 1486, 62_379, 2_103_487]),
        ("Position 6", &[46, 2079, 89_890, 3_894_594]),
    ] {
        assert_eq!(chess(CHESS, title, counted.len()), counted, "{title}");
    }
}

#[test]
#[ignore = "takes minutes without optimisation"]
fn atomic_chess() {
    let first = "The first position, as the programs of others count it";
    assert_eq!(chess(ATOMIC, first, 5), [20, 400, 8902, 197_326, 4_864_979]);
    assert_eq!(chess(ATOMIC, "Explosions on both sides", 4), [40, 1238, 45_237, 1_434_825]);
    assert_eq!(chess(ATOMIC, "Pawns that capture", 4), [28, 833, 23_353, 714_499]);
    assert_eq!(chess(ATOMIC, "A check with four ways out", 2), [4, 148]);
}

#[test]
fn king_of_the_hill_and_three_check() {
    assert_eq!(chess(HILL, "Kings near the hill, as the programs of others count", 2), [21, 943]);
    assert_eq!(chess(THREE_CHECK, "One check more, as the programs of others count", 2), [25, 547]);
}

#[test]
#[ignore = "takes a minute without optimisation"]
fn king_of_the_hill_and_three_check_further() {
    assert_eq!(chess(HILL, "Kings near the hill, as the programs of others count", 3), [21, 943, 19_003]);
    assert_eq!(chess(THREE_CHECK, "One check more, as the programs of others count", 3), [25, 547, 12_407]);
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
