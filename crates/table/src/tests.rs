//! Tests of boards: numbers of cells, names, neighbours, footprints.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::{Board, BoardError, Cell, Cells, Direction, draw_with};

fn squares(columns: i64, rows: i64) -> Board {
    Board::grid(columns, rows, Board::square_headings(8, true, "north").unwrap()).unwrap()
}

fn hexagon(side: i64) -> Board {
    Board::hex(side, Board::hex_headings(6, true, "north-east").unwrap()).unwrap()
}

#[test]
fn squares_are_named_from_the_bottom_left() {
    let board = squares(64, 3);
    assert_eq!(board.count(), 192);
    let names: Vec<&str> = board.names().collect();
    assert_eq!(names.first(), Some(&"a1"));
    assert_eq!(names.get(25..28), Some(["z1", "aa1", "ab1"].as_slice()));
    assert_eq!(names.last(), Some(&"bl3"));
    assert_eq!(Board::grid(65, 1, Vec::new()).unwrap_err(), BoardError::Size);
}

#[test]
fn a_step_goes_where_its_name_says_and_ends_at_the_edge() {
    let board = squares(3, 3);
    let to = |name: &str, from: &str| board.step(board.cell(from).unwrap(), board.direction(name).unwrap());
    assert_eq!(to("NE", "a1"), board.cell("b2"));
    assert_eq!(to("SW", "b2"), board.cell("a1"));
    assert_eq!(to("N", "b3"), None);
    assert_eq!(board.direction("NW"), Some(Direction(8)));
}

#[test]
fn a_footprint_begins_at_the_cell_nearest_a1() {
    let board = squares(4, 4);
    let cells = board.footprint(board.cell("b2").unwrap(), (2, 3)).unwrap();
    let names: Vec<&str> = cells.iter().map(|cell| board.name(cell)).collect();
    assert_eq!(names, ["b2", "c2", "b3", "c3", "b4", "c4"]);
    assert_eq!(board.footprint(board.cell("d1").unwrap(), (2, 1)), None);
}

#[test]
fn four_directions_may_begin_anywhere_and_turn_either_way() {
    let names = |clockwise, from| {
        let headings = Board::square_headings(4, clockwise, from).unwrap();
        headings.iter().map(|heading| heading.name).collect::<Vec<_>>()
    };
    assert_eq!(names(true, "east"), ["E", "S", "W", "N"]);
    assert_eq!(names(false, "north"), ["N", "W", "S", "E"]);
    assert_eq!(Board::square_headings(4, true, "north-east").unwrap_err(), BoardError::From);
}

/// In a grid without room between its rows, a step must not wrap round the edge, however narrow the board is.
#[test]
fn steps_lead_where_the_coordinates_say() {
    let of_four =
        |columns, rows| Board::grid(columns, rows, Board::square_headings(4, false, "west").unwrap()).unwrap();
    let narrow = [(1, 1), (1, 5), (5, 1), (2, 4), (4, 2), (3, 3), (8, 8), (2, 64), (64, 2), (11, 12)];
    let mut boards: Vec<Board> = narrow.into_iter().map(|(columns, rows)| squares(columns, rows)).collect();
    boards.extend([of_four(2, 3), of_four(1, 4), hexagon(2), hexagon(3), hexagon(7), Board::track(13).unwrap()]);
    for board in &boards {
        for from in board.cells() {
            let (x, y) = board.spot(from);
            assert_eq!(board.at((x, y)), Some(from));
            let mut neighbours = BTreeSet::new();
            for (heading, number) in board.headings().iter().zip(1..) {
                let direction = Direction::at(number);
                let to = board.at((x + heading.dx, y + heading.dy));
                assert_eq!(board.step(from, direction), to, "{} {}", board.words(), board.name(from));
                assert_eq!(board.leaves(&Cells::of(board.size(), [from]), direction), to.is_none());
                let Some(to) = to else { continue };
                neighbours.insert(to);
                assert_eq!(board.direction_between(from, to), Some(direction));
                let back = board.all_back(&Cells::of(board.size(), [to]), direction);
                let behind = |cell| {
                    board.at({
                        let (x, y) = board.spot(cell);
                        (x - heading.dx, y - heading.dy)
                    })
                };
                let walked = std::iter::successors(behind(to), |cell| behind(*cell));
                assert_eq!(back, Cells::of(board.size(), walked));
            }
            let far = board.cells().filter(|to| !neighbours.contains(to));
            far.for_each(|to| assert_eq!(board.direction_between(from, to), None));
        }
    }
}

/// Every cell is in exactly one line of a direction, and a step never leaves its line.
#[test]
fn lines_share_out_the_board() {
    for (board, longest) in [(squares(5, 3), 5), (squares(2, 4), 4), (hexagon(3), 5), (Board::track(30).unwrap(), 30)] {
        assert_eq!(board.longest_line(), longest);
        let mut most = 0;
        for number in 1..=board.headings().len() {
            let direction = Direction::at(number);
            let lines = board.lines(direction);
            let all = lines.iter().fold(Cells::none(board.size()), |all, line| all.union(line));
            assert_eq!(&all, board.all());
            assert_eq!(lines.iter().map(Cells::len).sum::<usize>(), board.count());
            for (line, cell) in lines.iter().flat_map(|line| line.iter().map(move |cell| (line, cell))) {
                assert!(board.step(cell, direction).is_none_or(|next| line.contains(next)));
            }
            most = most.max(lines.iter().map(Cells::len).max().unwrap_or(0));
        }
        assert_eq!(most, longest);
    }
}

#[test]
fn so_many_steps_on_is_step_after_step() {
    for board in [squares(5, 3), hexagon(3)] {
        for number in 1..=board.headings().len() {
            let direction = Direction::at(number);
            for (from, far) in board.cells().flat_map(|from| (0..8).map(move |far| (from, far))) {
                let walked = (0..far).try_fold(from, |cell, _| board.step(cell, direction));
                assert_eq!(board.beyond(from, direction, far), walked);
                let goals = Cells::of(board.size(), walked);
                assert_eq!(board.at_distance(&goals, direction, far).contains(from), walked.is_some());
                let near = board.within_distance(&goals, direction, 7);
                assert_eq!(near.contains(from), far > 0 && walked.is_some());
            }
        }
    }
}

#[test]
fn a_hexagon_of_side_n_has_3n_n_less_1_plus_1_cells() {
    for side in 2..=11 {
        let cells = usize::try_from(3 * side * (side - 1) + 1).unwrap();
        assert_eq!(hexagon(side).count(), cells);
    }
    assert_eq!(Board::hex(12, Vec::new()).unwrap_err(), BoardError::Size);
}

#[test]
fn hexagons_are_named_by_rows_from_the_bottom_and_have_six_neighbours() {
    let board = hexagon(4);
    let centre = board.cell("d4").unwrap();
    let around: Vec<&str> =
        (1..=6).filter_map(|d| board.step(centre, Direction(d))).map(|cell| board.name(cell)).collect();
    assert_eq!(around, ["e4", "d5", "c4", "c3", "d3", "e3"]);
    assert_eq!(board.step(board.cell("a1").unwrap(), board.direction("W").unwrap()), None);
}

#[test]
fn a_hexagon_is_drawn_as_one() {
    let board = hexagon(3);
    let drawing = draw_with(&board, |cell| (if board.name(cell) == "c3" { "x" } else { "." }.to_owned(), false));
    assert_eq!(drawing.plain(), ["e   . . .", "d  . . . .", "c . . x . .", "b  . . . .", "a   . . ."]);
}

#[test]
fn a_track_is_one_line_drawn_as_a_serpentine() {
    for (cells, rows) in [(1, 1), (8, 1), (12, 1), (13, 4), (64, 8), (30, 5), (100, 10), (1000, 84)] {
        let board = Board::track(cells).unwrap();
        assert_eq!((board.count(), board.rows().len()), (usize::try_from(cells).unwrap(), rows), "{cells}");
        for number in 1..=cells {
            let cell = board.nth(number).unwrap();
            assert_eq!(board.name(cell), number.to_string());
            assert_eq!(board.number(cell), usize::try_from(number).ok());
            assert_eq!(board.step(cell, Direction(1)), board.nth(number + 1));
            assert_eq!(board.step(cell, Direction(2)), board.nth(number - 1));
        }
    }
    // Three rows of four, and the last cell above the end of the row below.
    let board = Board::track(13).unwrap();
    let rows: Vec<String> = draw_with(&board, |cell| (board.name(cell).to_owned(), false)).plain();
    assert_eq!(rows, ["          13", "  9 10 11 12", "  8  7  6  5", "  1  2  3  4"]);
    assert!(Board::track(0).is_err() && Board::track(1001).is_err());
}

/// Checks what sets of cells do, cell by cell.
fn check_sets(board: &Board, one: &BTreeSet<Cell>, other: &BTreeSet<Cell>) {
    let set = |cells: &BTreeSet<Cell>| Cells::of(board.size(), cells.iter().copied());
    let cells = |cells: &Cells| cells.iter().collect::<BTreeSet<Cell>>();
    let (first, second) = (set(one), set(other));
    assert!(first.iter().is_sorted() && first.len() == one.len());
    assert_eq!(cells(&first), *one);
    assert_eq!(cells(&first.union(&second)), one | other);
    assert_eq!(cells(&first.intersection(&second)), one & other);
    assert_eq!(cells(&first.difference(&second)), one - other);
    assert_eq!(first.is_subset(&second), one.is_subset(other));
    assert_eq!(first.difference(&first), Cells::none(board.size()));
    let directions: Vec<Direction> = (1..=board.headings().len()).map(Direction::at).collect();
    let beside = |from: &BTreeSet<Cell>| -> BTreeSet<Cell> {
        let steps = from.iter().flat_map(|cell| directions.iter().map(|direction| board.step(*cell, *direction)));
        steps.flatten().collect()
    };
    assert_eq!(cells(&board.beside(&first)), beside(one));
    for direction in &directions {
        let steps: BTreeSet<Cell> = one.iter().filter_map(|cell| board.step(*cell, *direction)).collect();
        assert_eq!(cells(&board.shift(&first, *direction)), steps);
    }
    let mut reached = one & other;
    loop {
        let more = &(&beside(&reached) & other) - &reached;
        if more.is_empty() {
            break;
        }
        reached.extend(more);
    }
    assert_eq!(cells(&board.flood(&first, &second).0), reached);
    // Only on squares are there larger pieces.
    for anchor in one.iter().filter(|_| directions.len() == 8) {
        for (columns, rows) in [(2, 3), (1, 1), (5, 2), (3, 1)] {
            let rights = |first: Option<Cell>| {
                std::iter::successors(first, |cell| board.step(*cell, board.direction_of(1, 0)?)).take(columns)
            };
            let ups = std::iter::successors(Some(*anchor), |cell| board.step(*cell, board.direction_of(0, 1)?));
            let under: BTreeSet<Cell> = ups.take(rows).flat_map(|cell| rights(Some(cell))).collect();
            let size = (u8::try_from(columns).unwrap(), u8::try_from(rows).unwrap());
            let fits = under.len() == columns * rows;
            assert_eq!(board.footprint(*anchor, size).map(|found| cells(&found)), fits.then_some(under));
        }
    }
    let removed = one.iter().next().copied();
    let mut fewer = first.clone();
    removed.into_iter().for_each(|cell| fewer.remove(cell));
    assert_eq!(fewer, set(&one.iter().copied().skip(1).collect()));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn sets_of_cells_are_what_they_are_cell_by_cell(
        one in prop::collection::vec(any::<prop::sample::Index>(), 0..40),
        gaps in prop::collection::vec(any::<prop::sample::Index>(), 0..400),
        full in any::<bool>(),
    ) {
        let headings = || Board::square_headings(8, true, "north").unwrap();
        for board in [Board::open(headings()), squares(64, 5), squares(16, 16), squares(64, 4), squares(3, 64), squares(2, 9), hexagon(4), squares(8, 8)] {
            let all: Vec<Cell> = board.cells().collect();
            let chosen = |indices: &[prop::sample::Index]| -> BTreeSet<Cell> {
                indices.iter().map(|index| *index.get(&all)).collect()
            };
            let other = if full { &all.iter().copied().collect() - &chosen(&gaps) } else { chosen(&gaps) };
            check_sets(&board, &chosen(&one), &other);
        }
    }
}
