//! Pieces that stand on each other: the same by the machine, compiled rules and encoded states; images under symmetries; and what
//! the rules see of a stack, against a list for each cell.

use std::collections::BTreeMap;

use referee_table::{Cell, PieceId, PlaceError, State, Symmetry};

use super::compiled::{game_of, play_tried};
use super::playing::Random;
use super::playouts::set_up;

const GAME: &str = "game tried \"Tried\"\nplayers 2 red blue\nrules \"rules.rhai\"\nrulebook \"RULES.md\"\nBOARD\ndie six 1..6\n\
                    counter sum for each player = 0\ncounter rounds\npiece man many for each player symbols a b\n\
                    piece king for each player symbols K Q\npiece token 1..4 symbols 1 2 3 4\nask pick NUMBER\nask go CELL\n\
                    event told NUMBER\n";

const BOARDS: [&str; 4] =
    ["board grid 4x3 stacks", "board grid 9x9 stacks on b2 c3 d4 e5 a1 i9", "board hex 3 stacks", "board open stacks"];

/// Each with what is done.
const DEEDS: &[(&str, &str)] = &[
    (
        "pieces on each other",
        "fn done(me, far) { let to = choose(me, \"go\", cells_of(far)); place(man(me), to); if far > 3 { place(king(me), to); } \
         place(token(1 + far % 4), in_order(cells_of(far + 1))[0]); for cell in occupied() { look(me, cell); } \
         me.sum += count(tops(me)) + count(stacked(2)) * 5 + on(occupied()).len * 7; \
         if height(to) > 2 { remove(to); } if far == 2 { lift(king(me)); } if count(to, man(me)) > 1 { lift(man(me), to); } }",
    ),
    (
        "stacks that move",
        "fn done(me, far) { let to = choose(me, \"go\", cells_of(far)); place(man(me), to); put_under(king(after(me)), to); \
         let other = in_order(cells_of(far + 2))[0]; if other != to { move_stack(1 + far % height(to), to, other); } \
         for cell in occupied() { look(me, cell); } \
         if occupied() != no_cells() { let from = in_order(occupied())[0]; \
           for cell in around(one(from)) & cells_of(1) { make(if at(cell) == () { path(from, cell) } else { path(from, cell).capturing(cell) }); break; } } \
         for cell in occupied() { look(me, cell); } }",
    ),
];

const LOOK: &str = "fn look(me, cell) { let n = 1; for piece in pieces_at(cell) { n += 3; me.sum = (me.sum * 7 + n + value(piece)) % 10007; } \
                    me.sum = (me.sum * 3 + height(cell) + if bottom(cell) == top(cell) { 1 } else { 2 }) % 10007; }\n\
                    fn value(piece) { if piece == king(red) { if under(piece) == () { 9 } else { 4 } } else if is_kind(piece, \"token\") { number(piece) } \
                    else if owner(piece) == red { 5 } else { 6 } }\n";

#[test]
fn stacks_are_the_same_by_each_engine() {
    for (at, board) in BOARDS.iter().enumerate() {
        let game = GAME.replace("BOARD", board);
        let cells = match at {
            1 => "one(cell_named(\"b2\")) | one(cell_named(\"c3\")) | one(cell_named(\"d4\"))",
            3 => "around(one(cell(far % 3, 0)))",
            _ => "around(one(nth(1 + far)))",
        };
        for (what, deed) in DEEDS {
            let deed =
                format!("fn cells_of(far) {{ {cells} }}\n{LOOK}{deed}\nfn deed(me) {{ done(me, roll(\"six\")); }}");
            let (_, told) = play_tried(&format!("{what}, {board}"), &game, &[], &deed, 6);
            assert!(!told.contains("fault"), "{what}, {board}: {told}");
        }
    }
}

/// The pieces of each cell, from the bottom.
type Model = BTreeMap<Cell, Vec<PieceId>>;

fn agrees(state: &State, model: &Model) {
    for cell in state.board().cells() {
        let wanted: Vec<PieceId> = model.get(&cell).into_iter().flatten().rev().copied().collect();
        assert_eq!(state.stack(cell).collect::<Vec<_>>(), wanted);
        assert_eq!(state.at(cell), wanted.first().copied());
        assert_eq!(state.height(cell), wanted.len());
    }
    for at in 0..state.schema().pieces.len() {
        let piece = PieceId::at(at);
        let cells: Vec<Cell> =
            model.iter().filter(|(_, pieces)| pieces.contains(&piece)).map(|(cell, _)| *cell).collect();
        assert_eq!(state.covered(piece).iter().collect::<Vec<_>>(), cells, "{}", state.schema().piece_name(piece));
        assert_eq!(state.is_off(piece), cells.is_empty());
    }
}

/// Random changes of a state, compared with a list for each cell; then the encoded state, and the images of symmetries.
#[test]
fn a_state_with_stacks_is_what_its_changes_made_of_it() {
    let game = GAME.replace("BOARD", "board grid 4x4 stacks\nsymmetry rotations reflections colours");
    let rules = "fn turn(me) { draw_game(); }".to_owned();
    let table = set_up(&game_of(&game, &[], rules), 2).table;
    let symmetries = Symmetry::all(&table);
    assert_eq!(symmetries.len(), 15, "all but the one that changes nothing");
    for seed in 0..60 {
        let (mut random, mut state, mut model) = (Random(seed), State::new(table.clone()), Model::new());
        let pieces = state.schema().pieces.len();
        for _ in 0..40 {
            let piece = PieceId::at(random.below(pieces));
            let [cell, other] = [(); 2].map(|()| Cell::at(random.below(16)));
            let many = state.schema().is_many(piece);
            let gone =
                |model: &mut Model| model.values_mut().for_each(|column| column.retain(|one| many || *one != piece));
            match random.below(7) {
                0 | 1 => {
                    state.put(piece, cell).unwrap();
                    gone(&mut model);
                    model.entry(cell).or_default().push(piece);
                }
                2 => {
                    state.put_under(piece, cell).unwrap();
                    gone(&mut model);
                    model.entry(cell).or_default().insert(0, piece);
                }
                3 => {
                    let column = model.entry(cell).or_default();
                    let at = column.iter().rposition(|one| *one == piece);
                    assert_eq!(state.take_off(piece, cell), at.is_some());
                    if let Some(at) = at {
                        column.remove(at);
                    }
                }
                4 => {
                    let column = model.entry(cell).or_default();
                    let count = random.below(column.len() + 1);
                    let moved = if cell == other { Vec::new() } else { column.split_off(column.len() - count) };
                    state.move_stack(count, cell, other).unwrap();
                    model.entry(other).or_default().extend(moved);
                }
                5 => {
                    state.lift(piece);
                    model.values_mut().for_each(|column| column.retain(|one| *one != piece));
                }
                _ => {
                    state.clear(cell);
                    model.entry(cell).or_default().pop();
                }
            }
            agrees(&state, &model);
        }
        // A look at another position leaves this one as it is.
        let (key, stamp) = (state.key(), state.stamps().board());
        state.look();
        for _ in 0..10 {
            let piece = PieceId::at(random.below(pieces));
            let [cell, other] = [(); 2].map(|()| Cell::at(random.below(16)));
            state.put(piece, cell).unwrap();
            state.look();
            state.put_under(piece, other).unwrap();
            state.sweep(cell);
            state.look_back();
            state.move_stack(random.below(3), cell, other).unwrap();
            state.clear(Cell::at(random.below(16)));
        }
        state.look_back();
        assert_eq!((state.key(), state.stamps().board()), (key, stamp));
        agrees(&state, &model);
        let bytes = state.encoded();
        let again = State::decoded(&table, &bytes).unwrap();
        agrees(&again, &model);
        assert_eq!(again.key(), state.key());
        for symmetry in &symmetries {
            let turned = state.turned(symmetry);
            let heights = |state: &State| {
                let mut heights: Vec<usize> = state.board().cells().map(|cell| state.height(cell)).collect();
                heights.sort_unstable();
                heights
            };
            assert_eq!(heights(&turned), heights(&state));
            let mut encoded = Vec::new();
            state.encode_turned(symmetry, &mut encoded);
            assert_eq!(encoded, turned.encoded());
        }
    }
}

#[test]
fn the_order_of_a_stack_decides() {
    let game = GAME.replace("BOARD", "board grid 4x4 stacks on a1 b1");
    let empty = set_up(&game_of(&game, &[], "fn turn(me) { draw_game(); }".to_owned()), 2);
    let [a1, b1, c1] = ["a1", "b1", "c1"].map(|name| empty.board().cell(name).unwrap());
    let [red, blue] = ["red", "blue"].map(|name| empty.schema().piece(name).unwrap());
    let stack = |pieces: [PieceId; 2], cell: Cell| {
        let mut state = empty.clone();
        state.put(pieces[0], cell).unwrap();
        state.put(pieces[1], cell).map(|()| state)
    };
    assert_ne!(stack([red, blue], a1).unwrap().key(), stack([blue, red], a1).unwrap().key());
    assert_ne!(stack([red, blue], a1).unwrap().encoded(), stack([blue, red], a1).unwrap().encoded());
    assert_eq!(stack([red, blue], c1).err(), Some(PlaceError::Occupied(c1, red)));
    let mut state = stack([red, red], b1).unwrap();
    assert_eq!(state.move_stack(2, b1, c1), Err(PlaceError::NoStack(c1)));
    state.move_stack(1, b1, c1).unwrap();
    assert_eq!([b1, c1].map(|cell| state.height(cell)), [1, 1]);
}
