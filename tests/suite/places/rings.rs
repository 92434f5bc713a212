//! Concentric rings.

use super::{Tried, names, one};
use referee_table::{Cells, Direction};

const LINES: &str = "board rings 3x8
piece man many for each player symbols r b
ask go MOVE
event PLAYER goes MOVE
symmetry rotations reflections
place red at a1, blue at c5
";

const RULES: &str = r#"
fn turn(me) {
    let move = choose(me, "go", steps(cells(me) & touched(all_cells() - occupied())));
    event("goes", me, move);
    make(move);
}
"#;

const TRIED: Tried<'_> = Tried { lines: LINES, rules: RULES, files: &[] };

#[test]
fn cells_of_rings_have_neighbours_along_the_ring_and_on_the_next() {
    let board = TRIED.board();
    assert_eq!(board.count(), 24);
    let beside = |name: &str| names(&board, &board.beside(&one(&board, name)));
    assert_eq!(beside("a1"), ["a2", "a8", "b1"]);
    assert_eq!(beside("b8"), ["a8", "b1", "b7", "c8"]);
    assert_eq!(beside("c5"), ["b5", "c4", "c6"]);
    // 8 steps along each ring, 8 from ring to ring.
    let links: usize = board.cells().map(|cell| board.beside(&Cells::of(board.size(), [cell])).len()).sum();
    assert_eq!(links, 2 * (3 * 8 + 2 * 8));
    let [clockwise, out, back, inward] = [1, 2, 3, 4].map(Direction);
    let at = |name: &str| board.cell(name).unwrap();
    assert_eq!(board.step(at("a8"), clockwise), Some(at("a1")));
    assert_eq!(board.step(at("a1"), back), Some(at("a8")));
    assert_eq!((board.step(at("a3"), out), board.step(at("a3"), inward)), (Some(at("b3")), None));
    assert_eq!(board.beyond(at("b6"), clockwise, 1000), Some(at("b6")));
    assert_eq!(board.direction_between(at("c1"), at("c8")), Some(back));
    for direction in [clockwise, out, back, inward] {
        for cell in board.cells() {
            let set = Cells::of(board.size(), [cell]);
            let next = board.step(cell, direction);
            assert_eq!(board.shift(&set, direction).first(), next);
            assert_eq!(board.leaves(&set, direction), next.is_none());
            assert_eq!(
                next.map(|next| board.shift_back(&Cells::of(board.size(), [next]), direction)),
                next.map(|_| set)
            );
        }
        let lines = board.lines(direction);
        let lengths = if direction == clockwise || direction == back { (3, 8) } else { (8, 3) };
        assert!(lines.len() == lengths.0 && lines.iter().all(|line| line.len() == lengths.1));
    }
    assert_eq!(board.distance(at("a1"), at("c5")).0, Some(6));
    assert_eq!(board.distance(at("a1"), at("a8")).0, Some(1));
}

#[test]
fn games_on_rings_are_played() {
    TRIED.passes(
        "scenario \"round\"
  turn red
  expect choices go = a1-a2, a1-a8, a1-b1
  red go a1-a8
  blue go c5-c6
  expect board
    | . . . . . b . .
    | . . . . . . . .
    | . . . . . . . r
  expect { in_order(line(cell_named(\"b3\"), direction_named(\"CW\"))).len == 8 }
  expect { reverse(direction_named(\"CW\")) == direction_named(\"CCW\") && count(edge()) == 16 }
  expect { in_order(seen(one(cell_named(\"a1\"))).toward(direction_named(\"clockwise\"))).len == 8 }
",
    );
    assert_eq!(TRIED.perft("  turn red\n", 2), [3, 9]);
}
