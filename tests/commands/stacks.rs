//! Pieces that stand on each other, in game files, diagrams, lines and pictures.

use super::Project;

const LASCA: &str = "game towers \"Towers\"\nplayers 2 white black\nrules \"rules.rhai\"\n\nboard grid 5x5 stacks\n\
                     \x20 | b . b . b\n  | . . . . .\n  | . . . . .\n  | . . . . .\n  | w . w . w\n\n\
                     piece man many for each player symbols w b\npiece king for each player symbols W B\nask move MOVE\n\
                     symmetry left-right\n";

const RULES: &str = "const UP = [\"NW\", \"NE\"];\n\
    fn moves(me) {\n    let found = no_moves();\n    for from in in_order(tops(me)) {\n        for way in UP {\n\
    \x20           let over = step(from, direction_named(way));\n            if over == () { continue; }\n\
    \x20           let piece = top(over);\n            if piece == () { found += path(from, over); continue; }\n\
    \x20           let to = step(over, direction_named(way));\n\
    \x20           if owner(piece) != me && to != () && top(to) == () { found += path(from, to).capturing(over); }\n\
    \x20       }\n    }\n    found\n}\n\
    fn apply(me, move) {\n    if move.captures {\n        let taken = remove(in_order(captured(move))[0]);\n\
    \x20       move_stack(move.from, move.to);\n        put_under(taken, move.to);\n\
    \x20   } else {\n        move_stack(move.from, move.to);\n    }\n}\n\
    fn stuck(me) { draw_game(); }\nfn ended(me) { if !can_move(after(me)) { draw_game(); } }\n";

fn project() -> Project {
    Project::new().file("games/towers/towers.game", LASCA).file("games/towers/rules.rhai", RULES)
}

fn judged(lines: &str) -> super::Ran {
    project().file("a.scenario", format!("use towers\n\nscenario \"A position\"\n{lines}")).run(&["test", "a.scenario"])
}

#[test]
fn a_capture_makes_a_stack() {
    let ran = judged(
        "  board\n    | . . . . .\n    | . . . . .\n    | . b/w . . .\n    | wx2/B . . . .\n    | . . . . .\n  turn white\n  \
         expect a2 count 3\n  expect b3 holds black man white man\n  expect a2 holds white x2 black king\n  expect a2 holds white …\n  \
         expect white at b3\n  expect black king at a2\n  white move a2xc4\n  expect c4 holds white x2 black king black\n  \
         expect b3 holds white\n  expect board\n    | . . . . .\n    | . . wx2/B/b . .\n    | . w . . .\n    | . . . . .\n    \
         | . . . . .\n",
    );
    assert_eq!(ran.code, 0, "{}", ran.all());
}

#[test]
fn other_stacks_are_told() {
    let ran = judged(
        "  place white x2 at a1, black at a1, black king at a1\n  place white at b2\n  turn white\n  \
         expect a1 holds white x2 black\n  expect a1 holds black king …\n  expect a1 holds black king\n  expect a1 count 3\n  \
         expect b2 holds black\n  expect board\n    | . . . . .\n    | . . . . .\n    | . . . . .\n    | . w . . .\n    \
         | B/bx2/w . . . .\n",
    );
    insta::assert_snapshot!(ran.stdout);
}

#[test]
fn wrong_stacks_are_reported() {
    let ran = judged(
        "  board\n    | wx0 . . . .\n    | . w/q . . .\n    | . w/ . . .\n    | . . W/w/W . .\n    | . . . . wx20000\n  \
         place black king x2 at a1\n  place black x0 at a2\n  place white at a1 x2\n  turn white\n  expect a1 count many\n  \
         expect a1 holds white x0\n",
    );
    insta::assert_snapshot!(ran.all());
}

#[test]
fn wrong_games_are_reported() {
    let game = "game towers \"Towers\"\nplayers 2 white black\nrules \"rules.rhai\"\nboard grid 5x5 stacks on a1, a9, b1 b1\n\
                piece man many for each player symbols w/ ax2\npiece large size 2x2 symbol L\npiece small symbol s\n\
                property holder for each small PLAYER in drawings\nask move MOVE\nvariant other\n  board grid 4x4 stacks\n";
    let ran = Project::new()
        .file("games/towers/towers.game", game)
        .file("games/towers/rules.rhai", "fn turn(me) { draw_game(); }\n")
        .run(&["check", "games"]);
    assert_eq!(ran.code, 3, "{}", ran.all());
    insta::assert_snapshot!(ran.all());
}

#[test]
fn only_some_cells_hold_stacks() {
    let game = LASCA.replace("5x5 stacks", "5x5 stacks on a1 b1");
    let ran = Project::new()
        .file("games/towers/towers.game", &game)
        .file("games/towers/rules.rhai", RULES)
        .file(
            "a.scenario",
            "use towers\n\nscenario \"Two on one\"\n  place white x2 at c1\n  turn white\n  expect over\n\n\
             scenario \"Drawn\"\n  board\n    | . . . . .\n    | . . . . .\n    | . . . . .\n    | . . . . .\n    \
             | w/b . w/b . .\n  turn white\n  expect over\n\nscenario \"One by one\"\n  place white at a1, black at a1\n  \
             place white at d1, black at d1\n  turn white\n  expect over\n\nscenario \"Counted\"\n  place white at c1\n  \
             turn white\n  expect c1 count 2\n",
        )
        .run(&["test", "a.scenario"]);
    insta::assert_snapshot!(ran.all());
}

const SEEDS: &str = "game sow \"Sow\"\nplayers 2 ann bob\nrules \"rules.rhai\"\nboard grid 4x2 stacks\npiece seed many symbol s\n\
                     ask sow CELL\nplace seed x3 at a1, seed x3 at b1, seed x3 at c1, seed x3 at d1\n\
                     place seed x3 at a2, seed x3 at b2, seed x3 at c2, seed x3 at d2\n";

const SOWING: &str = "fn turn(me) {\n    let mine = in_order(occupied()).filter(|pit| row(pit) == (if me == ann { 0 } else { 1 }));\n\
    \x20   if mine.is_empty() { draw_game(); }\n    let pit = choose(me, \"sow\", mine);\n\
    \x20   let at = if row(pit) == 0 { column(pit) } else { 7 - column(pit) };\n\
    \x20   for n in 1..=height(pit) { move_stack(1, pit, pit_of((at + n) % 8)); }\n}\n\
    fn pit_of(n) { if n < 4 { cell(n, 0) } else { cell(7 - n, 1) } }\n";

/// A game with one piece of which there are many: diagrams show how many.
#[test]
fn seeds_in_pits_are_numbers() {
    let project = Project::new().file("games/sow/sow.game", SEEDS).file("games/sow/rules.rhai", SOWING).file(
        "a.scenario",
        "use sow\n\nscenario \"Sown\"\n  turn ann\n  expect a1 holds 3\n  ann sow a1\n  expect a1 empty\n  expect b1 holds 4\n  \
         expect d1 holds seed x4\n  expect board\n    | 3 3 3 3\n    | . 4 4 4\n  bob sow a2\n  expect { count(cell(1, 0), seed) == 5 }\n\n\
         scenario \"Drawn\"\n  board\n    | 1 . 10 .\n    | . . . 12\n  expect c2 count 10\n  expect a2 holds seed\n  expect d1 holds 12\n",
    );
    let ran = project.run(&["test", "a.scenario"]);
    assert_eq!(ran.code, 0, "{}", ran.all());
    let shown = project.run(&["show", "a.scenario"]);
    insta::assert_snapshot!(shown.stdout);
    // A recorded game is read again.
    let recorded = project.run(&["simulate", "sow", "-n", "2", "--max-plies", "9", "--record", "games-played"]);
    assert_eq!(recorded.code, 0, "{}", recorded.all());
    let again = project.run(&["test", "games-played"]);
    assert_eq!(again.code, 0, "{}", again.all());
}

/// A board that was expected is drawn as it was written, with `1` for one seed.
#[test]
fn an_expected_board_of_seeds_is_drawn_with_numbers() {
    let ran = Project::new()
        .file("games/sow/sow.game", SEEDS)
        .file("games/sow/rules.rhai", SOWING)
        .file(
            "a.scenario",
            "use sow\n\nscenario \"Other numbers\"\n  board\n    | 2 2 2 2\n    | 2 2 2 2\n  turn ann\n  expect board\n    | 2 1 2 2\n    | 3 2 1 .\n",
        )
        .run(&["test", "a.scenario"]);
    assert_eq!(ran.code, 1, "{}", ran.all());
    assert!(ran.stdout.contains("2  2[1]2 2 ") && ran.stdout.contains("1 [3]2[1 .]"), "{}", ran.stdout);
}

#[test]
fn stacks_are_drawn() {
    let ran = project()
        .file("a.scenario", "use towers\n\nscenario \"A position\"\n  place white x7 at a1, black at a1\n  turn white\n  expect turn white\n")
        .run(&["show", "a.scenario", "--format", "svg", "--step", "0"]);
    assert_eq!(ran.code, 0, "{}", ran.all());
    let svg = roxmltree::Document::parse(&ran.stdout).unwrap();
    let circles = svg.descendants().filter(|node| node.has_tag_name("circle")).count();
    assert_eq!(circles, 5, "four of those below, and the top one");
    let texts: Vec<&str> =
        svg.descendants().filter(|node| node.has_tag_name("text")).filter_map(|node| node.text()).collect();
    assert!(texts.contains(&"b") && texts.contains(&"8"), "{texts:?}");
    assert!(ran.stdout.contains("black over 7 times white on a1"), "{}", ran.stdout);
}

#[test]
fn a_line_of_play_with_stacks_is_a_scenario() {
    let found = project()
        .file(
            "a.scenario",
            "use towers\n\nscenario \"May there be three\"\n  board\n    | . . . . .\n    | . . . . .\n    | . b/w . . .\n    \
             | wx2 . . . .\n    | . . . . .\n  turn white\n  expect reachable { height(cell_named(\"c4\")) == 3 } within 1 turn\n  \
             expect chance { height(cell_named(\"c4\")) == 3 } = 1\n    when white policy random\n",
        )
        .run(&["test", "-v", "a.scenario"]);
    assert_eq!(found.code, 0, "{}", found.all());
    assert!(found.stdout.contains("b/w"), "{}", found.stdout);
}
