//! Which boards compiled rules play on, and that they play there as the machine does.

use referee_play::{Playouts, StrategyProfile};
use referee_rules::Engine;

use super::compiled::{beginning, loaded, told};

const LINES: &str = "game tried \"Tried\"\nplayers 2 red blue\nrules \"rules.rhai\"\nrulebook \"RULES.md\"\nBOARD\n\
                     piece stone many for each player symbols r b\ncounter sum\nask put CELL\n";

/// Puts stones until the board is full, and adds up what sets of cells say in the meantime.
const RULES: &str = r#"
fn turn(me) {
    let free = all_cells() - occupied();
    if free.is_empty() { draw_game(); }
    let to = choose(me, "put", free);
    place(stone(me), to);
    add(count(around(one(to))));
    add(count(flood(one(to), cells(me))));
    for group in groups(cells(me)) { add(count(group)); }
    for cell in in_order(cells(me)) { add(count(around(one(cell)) - occupied())); }
    add(count(within(one(to), 2)));
}
fn add(number) { game.sum = (game.sum * 7 + number) % 10007; }
"#;

/// How many of some games compiled rules play on a board, of how many, after a comparison with the machine.
fn played(board: &str, files: &[(&str, &str)]) -> (usize, usize) {
    let (game, program) = loaded(board, &LINES.replace("BOARD", board), files, RULES.to_owned());
    let start = beginning(&game, &program);
    let strategy = StrategyProfile::default();
    let playouts = Playouts { rollouts: None, program: &program, start: &start, strategy: &strategy, max_plies: 500 };
    let by_machine: Vec<_> = (0..5).map(|number| playouts.play(11, number, false)).collect();
    let mut found = (0, 0);
    for engine in Engine::ALL {
        let is_compiled = playouts.compile(*engine);
        for (number, expected) in (0..).zip(&by_machine) {
            let played = playouts.play(11, number, false);
            assert_eq!(told(&played), told(expected), "{board}, game {number}");
            assert!(is_compiled || !played.compiled, "{board}");
            found = (found.0 + usize::from(played.compiled), found.1 + 1);
        }
    }
    found
}

#[test]
fn compiled_rules_play_on_even_boards_and_leave_the_others_to_the_machine() {
    for board in ["rhombus 5x4", "rhombus 11x11", "triangle 6", "grid 5x5 without a1 c3 e4", "hex 4 without d4"] {
        let (compiled, all) = played(&format!("board {board}"), &[]);
        assert_eq!(compiled, all, "{board}");
    }
    for board in ["rings 3x8", "grid 4x4 with corners sides", "hex 3 with sides"] {
        assert_eq!(played(&format!("board {board}"), &[]).0, 0, "{board}");
    }
    let map = "places:\n  - {name: A, at: [0, 0]}\n  - {name: B, at: [1, 0]}\n  - {name: C, at: [1, 1]}\n\
               links:\n  - {from: A, to: B}\n  - {from: B, to: C, one_way: true}\n";
    assert_eq!(played("board graph from \"map.yaml\"", &[("map.yaml", map)]).0, 0);
}
