//! Symmetries: positions that they make one, counted by hand; and play from a position and from what it becomes.

use std::collections::{BTreeMap, BTreeSet};

use referee_play::Alone;
use referee_table::Symmetry;

use super::hex_oracle::{End, Hex, Position};
use super::hex_play::Hexagons;
use super::playing::{Playable, Random, answer, asked, silent};
use super::spaces::{Node, Oracle, Threads, begun, scattered, up_to};

/// A sixth of a turn, in steps to the east and to the north-east.
const fn turned((q, r): Hex) -> Hex {
    (-r, q + r)
}

/// Left and right exchanged.
const fn mirrored((q, r): Hex) -> Hex {
    (-q - r, r)
}

/// Returns what a position becomes, by hand.
fn image((position, player, end): &Node, map: &dyn Fn(Hex) -> Hex, swapped: bool) -> Node {
    let other = |player: usize| if swapped { 1 - player } else { player };
    let pieces: BTreeMap<Hex, usize> =
        position.pieces.iter().map(|(hex, player)| (map(*hex), other(*player))).collect();
    let end = end.map(|end| match end {
        End::Won(winner) => End::Won(other(winner)),
        End::Tie => End::Tie,
    });
    (Position { side: position.side, pieces }, other(*player), end)
}

/// Returns the least of all that a position becomes by the twelve maps of the board and the exchange of the players.
fn least(node: &Node) -> Node {
    let mut all = Vec::new();
    for swapped in [false, true] {
        for turns in 0..6 {
            for mirror in [false, true] {
                let map = |hex: Hex| {
                    let hex = if mirror { mirrored(hex) } else { hex };
                    (0..turns).fold(hex, |hex, _| turned(hex))
                };
                all.push(image(node, &map, swapped));
            }
        }
    }
    all.into_iter().min().unwrap()
}

#[test]
fn positions_are_one_up_to_rotations_reflections_and_colours() {
    let hexagons = Hexagons::load();
    let mut random = Random(41);
    for round in 0..18 {
        let (side, pieces) = [(2, 2), (3, 2), (2, 3)][round % 3];
        let mut reading = hexagons.reading(round % 2 == 1, Some(&mut random));
        // With the other value the game looks at history, which no state has.
        reading.options.insert("cycle".to_owned(), "agreement".to_owned());
        let start = scattered(side, pieces, &mut random, &reading);
        let oracle = Oracle::of(&start, &reading);
        let orbits: BTreeSet<Node> = oracle.nodes.iter().map(least).collect();
        let machine = begun(&hexagons, &start, &reading);
        let symmetries = Symmetry::all(&machine.state().table);
        assert_eq!(symmetries.len(), 23, "twelve maps of the board, and both orders of the players");
        let space = up_to(&machine, &symmetries, &Alone, &|| None);
        assert_eq!(space.states(), orbits.len(), "{start:?}, {reading:?}");
        assert_eq!(space.shortest_cycle().is_some(), oracle.shortest_cycle().is_some(), "{start:?}, {reading:?}");
        let helped = up_to(&machine, &symmetries, &Threads(2), &|| Some(Hexagons::load().program));
        assert_eq!((helped.levels(), helped.bytes()), (space.levels(), space.bytes()));
    }
}

/// What a position becomes, and what that becomes by the inverse.
#[test]
fn an_inverse_undoes_a_symmetry() {
    let mut random = Random(5);
    let mut declared = 0;
    for id in ["hex-squish", "breakthrough", "lines-of-action"] {
        let game = Playable::load(id, &[]);
        let variant = &game.program.schema().variants[0];
        let mut machine = game.begin(game.start(variant, 2, game.defaults()), &silent());
        let symmetries = Symmetry::all(&machine.state().table);
        declared += symmetries.len();
        for _ in 0..40 {
            let state = machine.state();
            for symmetry in &symmetries {
                assert_eq!(state.turned(symmetry).turned(&symmetry.inverse()).encoded(), state.encoded(), "{id}");
            }
            let Some(question) = asked(&machine) else { break };
            let chosen = random.answer(&question, machine.state()).unwrap();
            answer(&mut machine, chosen);
        }
    }
    // Twelve and eight maps of the board with the players in two orders, and one reflection.
    assert_eq!(declared, 23 + 1 + 15);
}
