//! Sides and corners: Dots and Boxes, and the corners of the hexagons of a settlers' game.

use std::collections::BTreeSet;

use super::{Tried, names, one};
use referee_table::{Cells, PlaceKind};

const BOXES: &str = "board grid 2x2 with sides
piece line many symbol l
piece box many for each player symbols r b
counter score for each player
ask draw CELL
event PLAYER draws CELL
variant plain
";

const BOXES_RULES: &str = r#"
fn turn(me) {
    let side = choose(me, "draw", sides() - occupied());
    place(line, side);
    event("draws", me, side);
    let more = false;
    for cell in touching(side) {
        if (sides(cell) - occupied("line")).is_empty() { place(piece_of(me), cell); me.score += 1; more = true; }
    }
    if more && sides() != occupied("line") { again(me); }
    if sides() == occupied("line") { ended(); }
}
fn again(me) { turn(me); }
fn piece_of(me) { box(me) }
fn ended() { draw_game(); }
"#;

#[test]
fn dots_and_boxes() {
    let tried = Tried { lines: BOXES, rules: BOXES_RULES, files: &[] };
    let board = tried.board();
    assert_eq!((board.count(), board.places(PlaceKind::Side).unwrap().len()), (4, 12));
    assert!(board.places(PlaceKind::Corner).is_none());
    // Whoever draws, one of the sides that are left is drawn.
    let wanted: Vec<u64> = (1..=4).map(|depth| (0..depth).map(|drawn| 12 - drawn).product()).collect();
    assert_eq!(tried.perft("  turn red\n", 4), wanted);
    // Up to the last side: 12! / 7! from a board with five lines less.
    let five = "  place line at a1/N, line at a1/E, line at b2/S, line at b2/W, line at a1/S, line at b2/N, line at a2/W\n  turn red\n";
    assert_eq!(tried.perft(five, 5), [5, 20, 60, 120, 120]);
    tried.passes(
        "scenario \"a box\"
  place line at a1/N, line at a1/E, line at a1/S
  turn red
  expect a1/N holds line
  expect a2/S holds line
  expect a1/a2 holds line
  red draw a1/W
  expect a1 holds red
  expect red.score = 1
  red draw b2/N
  expect turn blue
  expect board
    | . .
    | r .
  expect events
    > red draws a1/W
    > red draws b2/N
scenario \"sets\"
  expect { count(all_cells()) == 4 && count(around(one(cell_named(\"a1\")))) == 3 && count(sides()) == 12 }
  expect { to_debug(in_order(sides(cell_named(\"a1\")))) == \"[a1/S, a1/W, a1/E, a1/N]\" && to_debug(in_order(touching(cell_named(\"a1/N\")))) == \"[a2, a1]\" }
",
    );
    tried.fails("  place line at a1/NE\n", &["unknown cell `a1/NE`", "a1/N"]);
    tried.fails("  place line at a1^NE\n", &["unknown cell `a1^NE`", "this board has no corners as places"]);
}

#[test]
fn sides_of_squares_are_those_of_a_model() {
    let lines = BOXES.replace("grid 2x2 with sides", "grid 5x4 with corners sides");
    let board = Tried { lines: &lines, rules: BOXES_RULES, files: &[] }.board();
    let count = |kind| board.places(kind).unwrap().len();
    assert_eq!((count(PlaceKind::Side), count(PlaceKind::Corner)), (5 * 5 + 6 * 4, 6 * 5));
    for side in board.places(PlaceKind::Side).unwrap().iter() {
        let set = Cells::of(board.size(), [side]);
        assert_eq!(board.joined(&set, PlaceKind::Corner).len(), 2);
        assert!((1..=2).contains(&board.touched_by(side).len()));
        // As many sides meet at the ends of a side as corners are joined there.
        let ends = board.joined(&set, PlaceKind::Corner);
        assert_eq!(board.joined(&ends, PlaceKind::Side).difference(&set), board.beside(&set));
    }
    for corner in board.places(PlaceKind::Corner).unwrap().iter() {
        let set = Cells::of(board.size(), [corner]);
        let sides = board.joined(&set, PlaceKind::Side);
        assert_eq!(board.joined(&sides, PlaceKind::Corner).difference(&set), board.beside(&set));
    }
    assert_eq!(names(&board, &board.joined(&one(&board, "b2^NE"), PlaceKind::Cell)), ["b2", "b3", "c2", "c3"]);
    assert_eq!(names(&board, &board.beside(&one(&board, "b2^NE"))), ["a2^NE", "b1^NE", "b3^NE", "c2^NE"]);
}

const SETTLERS: &str = "board hex 3 with corners sides
piece house many for each player symbols h o
piece road many for each player symbols r s
counter longest for each player
ask build CELL
event PLAYER builds CELL
variant plain
";

/// Houses stand on corners, at least two sides apart; roads on sides.
const SETTLERS_RULES: &str = r#"
fn turn(me) {
    let houses = occupied("house");
    let corner = choose(me, "build", corners() - within(houses, 1));
    place(house(me), corner);
    let road = choose(me, "build", sides(corner) - occupied());
    place(road(me), road);
    event("builds", me, corner);
    me.longest = groups(cells(me) & sides()).map(|group| count(group)).reduce(|most, long| if long > most { long } else { most }, 0);
}
"#;

#[test]
fn the_hexagon_of_settlers_has_54_corners_and_72_sides() {
    let tried = Tried { lines: SETTLERS, rules: SETTLERS_RULES, files: &[] };
    let board = tried.board();
    let all = |kind| board.places(kind).unwrap().clone();
    let (corners, sides) = (all(PlaceKind::Corner), all(PlaceKind::Side));
    assert_eq!((board.count(), corners.len(), sides.len()), (19, 54, 72));
    let touched = |places: &Cells| -> Vec<usize> {
        let mut counts = vec![0; 4];
        places.iter().for_each(|place| counts[board.touched_by(place).len()] += 1);
        counts
    };
    // 24 corners between three hexagons, 12 between two, 18 of one; 42 sides between two, 30 at the edge.
    assert_eq!((touched(&corners), touched(&sides)), (vec![0, 18, 12, 24], vec![0, 30, 42, 0]));
    let ways = |places: &Cells| -> usize {
        places.iter().map(|place| board.beside(&Cells::of(board.size(), [place])).len()).sum()
    };
    // Each side joins two corners. At a corner of three sides three pairs of them meet, at one of two a pair.
    let three =
        corners.iter().filter(|corner| board.joined(&Cells::of(board.size(), [*corner]), PlaceKind::Side).len() == 3);
    let three = three.count();
    assert_eq!((ways(&corners), ways(&sides)), (2 * 72, 2 * (3 * three + (54 - three))));
    // Corner to corner, never to a cell or a side.
    assert_eq!(board.flood(&one(&board, "c3^N"), &corners.union(board.all()).union(&sides)).0, corners);
    assert_eq!(board.flood(&one(&board, "c3"), &corners.union(board.all()).union(&sides)).0, *board.all());
    assert_eq!(board.flood(&one(&board, "c3/E"), &corners.union(board.all()).union(&sides)).0, sides);
    // Every place has one written name, and each of its other names is its own.
    let names: BTreeSet<&str> = board.seconds().map(|place| board.name(place)).collect();
    assert_eq!(names.len(), 54 + 72);
    assert_eq!(board.cell("c3/E"), board.cell("c4/W"));
    assert_eq!(board.cell("c3^NE"), board.cell("c4^NW"));
    assert_eq!(board.cell("c3^N"), board.cell("d2^SE"));
}

#[test]
fn houses_and_roads_are_built() {
    let tried = Tried { lines: SETTLERS, rules: SETTLERS_RULES, files: &[] };
    // 54 corners with as many roads as sides meet there: each side has two corners.
    assert_eq!(tried.perft("  turn red\n", 2), [54, 144]);
    tried.passes(
        "scenario \"a house\"
  place blue at c3^N, blue road at c3/NE
  turn red
  expect { !(corners() - within(occupied(\"house\"), 1)).has(cell_named(\"c3^NE\")) }
  expect { count(corners() - within(occupied(\"house\"), 1)) == 50 }
  red build c3^SE
  red build c3/E
  expect c3^SE holds red
  expect red.longest = 1
  expect c4/W holds red road
  expect { count(touching(cell_named(\"c3^SE\"))) == 3 && count(cells(red) & corners()) == 1 }
",
    );
    tried.fails(
        "  place red at a1^S, red road at a1/SW\n  turn red\n  expect over\n",
        &["places: red road at a1/SW, red at a1^S"],
    );
}

#[test]
fn positions_and_pictures_have_what_is_on_them() {
    let tried = Tried { lines: SETTLERS, rules: SETTLERS_RULES, files: &[] };
    let game = tried.game();
    let board = tried.board();
    let table = tried.table();
    let mut state = referee_table::State::new(std::sync::Arc::new(table));
    let piece = |name: &str| game.schema.piece(name).unwrap();
    for (name, at) in [("red", "c3^N"), ("red road", "c3/NE"), ("blue", "b2")] {
        state.lay(piece(name), board.cell(at).unwrap(), false).unwrap();
    }
    let lines = referee_scenario::position_lines(&state).join("\n  ");
    assert!(lines.contains("board hex 3") && lines.contains("place red road at c3/NE, red at c3^N"), "{lines}");
    // The lines make the same position again.
    tried.passes(&format!(
        "scenario \"again\"\n  {lines}\n  expect c3^N holds red\n  expect c3/NE holds red road\n  expect b2 holds blue\n  expect c3^S empty\n"
    ));
    let drawing = referee_table::drawn(&state).unwrap();
    assert_eq!(drawing.places.len(), 54 + 72);
    let spots = referee_draw::spots(&drawing);
    assert_eq!(spots.len(), 19 + 54 + 72);
    // Each is somewhere else, and inside of the picture.
    let points: BTreeSet<(i32, i32)> = spots.iter().map(|spot| (spot.x, spot.y)).collect();
    assert_eq!(points.len(), spots.len());
    let empty = referee_table::State::new(std::sync::Arc::clone(&state.table));
    assert_ne!(state.key(), empty.key());
}
