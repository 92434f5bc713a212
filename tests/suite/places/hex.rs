//! The game Hex on a real rhombus, against a model of it that knows nothing of boards.

use std::collections::BTreeSet;

use super::{Tried, names, one};
use crate::games::playing::Random;
use referee_table::Cells;

const LINES: &str = "board rhombus 11x11
piece stone many for each player symbols r b
ask put [on] CELL
event PLAYER puts on CELL
variant whole
variant small
  board rhombus 3x3
";

const RULES: &str = r#"
fn turn(me) {
    let target = choose(me, "put", all_cells() - occupied());
    place(stone(me), target);
    event("puts", me, target);
    let (first, last) = sides_of(me);
    if !(flood(first, cells(me)) & last).is_empty() { win(me); }
}
fn sides_of(me) { [] }
"#;

fn rules() -> String {
    RULES.replace("    let (first, last) = sides_of(me);\n", "    let ways = if me == red { [\"SW\", \"NE\"] } else { [\"W\", \"E\"] };\n    let first = leaving(ways[0]);\n    let last = leaving(ways[1]);\n")
        .replace("fn sides_of(me) { [] }", "fn leaving(way) { all_cells() - all_cells().shift(reverse(direction_named(way))) }")
}

/// The neighbours of a cell of a rhombus, by its column and row.
fn neighbours((x, y): (i32, i32), (wide, high): (i32, i32)) -> Vec<(i32, i32)> {
    let all = [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1), (x - 1, y + 1), (x + 1, y - 1)];
    all.into_iter().filter(|(x, y)| (0..wide).contains(x) && (0..high).contains(y)).collect()
}

fn name((x, y): (i32, i32)) -> String {
    format!("{}{}", char::from(b'a' + u8::try_from(x).unwrap()), y + 1)
}

/// All cells that ways of `own` lead to from those that `begin`.
fn reached(own: &BTreeSet<(i32, i32)>, begin: impl Fn(&(i32, i32)) -> bool, size: (i32, i32)) -> BTreeSet<(i32, i32)> {
    let mut reached: BTreeSet<(i32, i32)> = own.iter().copied().filter(|cell| begin(cell)).collect();
    let mut left: Vec<(i32, i32)> = reached.iter().copied().collect();
    while let Some(cell) = left.pop() {
        for next in neighbours(cell, size) {
            if own.contains(&next) && reached.insert(next) {
                left.push(next);
            }
        }
    }
    reached
}

#[test]
fn a_rhombus_has_the_neighbours_of_hex() {
    let rules = rules();
    let board = Tried { lines: LINES, rules: &rules, files: &[] }.board();
    assert_eq!(board.count(), 121);
    let mut links = 0;
    for (x, y) in (0..11).flat_map(|x| (0..11).map(move |y| (x, y))) {
        let mut wanted: Vec<String> = neighbours((x, y), (11, 11)).into_iter().map(name).collect();
        wanted.sort();
        links += wanted.len();
        assert_eq!(names(&board, &board.beside(&one(&board, &name((x, y))))), wanted, "{}", name((x, y)));
    }
    // Three families of lines: 11 of 10 steps twice, and the short diagonals.
    assert_eq!(links / 2, 110 + 110 + 100);
    // A corner that is acute has two neighbours, an obtuse one three.
    let count = |name: &str| board.beside(&one(&board, name)).len();
    assert_eq!(["a1", "k11", "a11", "k1", "f6"].map(count), [2, 2, 3, 3, 6]);
}

#[test]
fn groups_and_distances_are_those_of_a_model() {
    let rules = rules();
    let board = Tried { lines: LINES, rules: &rules, files: &[] }.board();
    let mut random = Random(7);
    for _ in 0..200 {
        let share = 1 + random.below(9);
        let own: BTreeSet<(i32, i32)> =
            (0..11).flat_map(|x| (0..11).map(move |y| (x, y))).filter(|_| random.below(10) < share).collect();
        let set = Cells::of(board.size(), own.iter().map(|cell| board.cell(&name(*cell)).unwrap()));
        let bottom = Cells::of(board.size(), (0..11).map(|x| board.cell(&name((x, 0))).unwrap()));
        let wanted: BTreeSet<String> = reached(&own, |(_, y)| *y == 0, (11, 11)).into_iter().map(name).collect();
        assert_eq!(names(&board, &board.flood(&bottom, &set).0), wanted.into_iter().collect::<Vec<_>>());
        // The distance of hexagons, which only a hole could lengthen.
        let at = |random: &mut Random| (random.below(11) as i32, random.below(11) as i32);
        let (from, to) = (at(&mut random), at(&mut random));
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let far = dx.abs().max(dy.abs()).max((dx + dy).abs());
        let [from, to] = [from, to].map(|cell| board.cell(&name(cell)).unwrap());
        assert_eq!(board.distance(from, to).0, Some(far as usize));
        let way = board.shortest_way(from, to, board.all()).0.unwrap();
        assert_eq!(way.len(), far as usize + 1);
        assert!(way.windows(2).all(|pair| board.direction_between(pair[0], pair[1]).is_some()));
        let near = board.within(&Cells::of(board.size(), [from]), 2).0;
        assert_eq!(near.contains(to), far <= 2);
    }
}

/// How many sequences of so many stones there are, where the game ends with a chain from side to side.
fn sequences(red: &BTreeSet<(i32, i32)>, blue: &BTreeSet<(i32, i32)>, (turn, depth): (usize, usize), side: i32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut all = 0;
    for cell in (0..side).flat_map(|x| (0..side).map(move |y| (x, y))) {
        if red.contains(&cell) || blue.contains(&cell) {
            continue;
        }
        let mut own = if turn == 0 { red.clone() } else { blue.clone() };
        own.insert(cell);
        let end = |(x, y): &(i32, i32)| if turn == 0 { *y } else { *x };
        let linked = reached(&own, |cell| end(cell) == 0, (side, side)).iter().any(|cell| end(cell) == side - 1);
        if linked {
            all += u64::from(depth == 1);
            continue;
        }
        all += match turn {
            0 => sequences(&own, blue, (1, depth - 1), side),
            _ => sequences(red, &own, (0, depth - 1), side),
        };
    }
    all
}

#[test]
fn perft_is_that_of_a_model() {
    let rules = rules();
    let tried = Tried { lines: LINES, rules: &rules, files: &[] };
    assert_eq!(tried.perft("  turn red\n", 2), [121, 121 * 120]);
    let none = BTreeSet::new();
    let wanted: Vec<u64> = (1..=6).map(|depth| sequences(&none, &none, (0, depth), 3)).collect();
    assert_eq!(wanted[..2], [9, 72]);
    assert_eq!(tried.perft("  board rhombus 3x3\n  turn red\n", 6), wanted);
}

#[test]
fn games_are_played_drawn_and_written() {
    let rules = rules();
    let tried = Tried { lines: LINES, rules: &rules, files: &[] };
    tried.passes(
        "scenario \"a chain\"
  board rhombus 3x3
    |     . . b
    |   r . .
    | r b .
  turn red
  expect { distance(cell_named(\"a1\"), cell_named(\"c3\")) == 4 }
  red put a3
  expect winner red
  expect board
    |     r . b
    |   r . .
    | r b .
",
    );
    tried.fails("  turn red\n  expect over\n", &["11            . . .", " 2   . . .", " 1  . . .", "    a b c"]);
}
