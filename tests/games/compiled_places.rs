//! Which boards compiled rules play on, and that they play there as the machine does.

use referee_play::{Playouts, StrategyProfile};
use referee_rules::Engine;

use super::compiled::{beginning, loaded, told};
use super::compiled_spaces::compare_walks;
use super::playing::silent;
use super::playouts::{first_turn, set_up};

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
    played_by(RULES, board, files)
}

/// The same by these rules.
fn played_by(rules: &str, board: &str, files: &[(&str, &str)]) -> (usize, usize) {
    let (game, program) = loaded(board, &LINES.replace("BOARD", board), files, rules.to_owned());
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
fn compiled_rules_play_on_boards_of_every_kind() {
    let holes = ["rhombus 5x4", "rhombus 11x11", "triangle 6", "grid 5x5 without a1 c3 e4", "hex 4 without d4"];
    let others = ["rings 3x8", "rings 5x20", "grid 4x4 with corners sides", "hex 3 with sides", "grid 2x3 with sides"];
    for board in holes.iter().chain(&others) {
        let (compiled, all) = played(&format!("board {board}"), &[]);
        assert_eq!(compiled, all, "{board}");
    }
    for links in [1, 3] {
        // More places than a word has bits, in the larger one.
        let map = map_of(links * 20, links);
        let (compiled, all) = played("board graph from \"map.yaml\"", &[("map.yaml", &map)]);
        assert_eq!(compiled, all, "{links} links of each place");
    }
}

/// Returns a graph of so many places in a circle, each with links to this number of others.
fn map_of(places: usize, links: usize) -> String {
    let mut map = "places:\n".to_owned();
    for place in 0..places {
        map += &format!("  - {{name: P{place}, at: [{}, {}]}}\n", place % 7, place / 7);
    }
    map += "links:\n";
    for place in 0..places {
        for link in 0..links {
            let to = (place + 1 + link * link * 3) % places;
            let one_way = if place % 5 == 4 { ", one_way: true" } else { "" };
            map += &format!("  - {{from: P{place}, to: P{to}{one_way}}}\n");
        }
    }
    map
}

/// Goes through the sets and steps of directions, on rings too.
const WAYS: &str = r#"
fn turn(me) {
    let free = all_cells() - occupied();
    if free.is_empty() || game.sum % 13 == 5 { draw_game(); }
    let to = choose(me, "put", free);
    place(stone(me), to);
    let own = cells(me);
    for way in range(1, directions() + 1) {
        add(count(own.shift(way)) * way);
        add(if step(to, way) == () { way } else { count(one(step(to, way)) & own) });
        add(count(touched(own).toward(way)));
        add(count(seen(own).toward(way)));
    }
    add(count(own.shift(1)));
    add(if step(to, 1) == () { 3 } else { count(one(step(to, 1)) & own) });
    add(count(steps(touched(free) & own)));
    let ways = touched(free) & own;
    add(count(ways.in_any()));
}
fn add(number) { game.sum = (game.sum * 7 + number) % 10007; }
"#;

#[test]
fn steps_of_directions_are_the_same_on_boards_that_turn_round_and_with_places_of_a_second_kind() {
    for board in ["rings 3x8", "rings 4x19", "grid 4x4 with corners sides", "grid 9x9 with sides", "hex 3 with corners"]
    {
        let (compiled, all) = played_by(WAYS, &format!("board {board}"), &[]);
        assert_eq!(compiled, all, "{board}");
    }
}

#[test]
fn walks_are_the_same_on_boards_of_every_kind() {
    let map = map_of(7, 2);
    let graph = "graph from \"map.yaml\"";
    for board in ["rings 2x3", "grid 2x2 with corners", graph] {
        let lines = LINES.replace("BOARD", &format!("board {board}"));
        let (game, program) = loaded(board, &lines, &[("map.yaml", &map)], RULES.to_owned());
        let machine = first_turn(&program, set_up(&game, 2), &silent());
        let (compiled, all) = compare_walks(board, &machine, 2_000, &[]);
        assert_eq!(compiled, all, "{board}");
    }
}
