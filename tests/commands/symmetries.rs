//! Declared symmetries: checked against the rules, and used by questions.

use std::collections::BTreeSet;

use super::Project;

/// A game in which a man steps to a free neighbour, and whoever cannot loses. With `way = east` nobody steps to the
/// west, which no longer looks the same from the other side.
const GAME: &str = "\
game shuttle \"Shuttle\"
players 2 red blue
rules \"rules.rhai\"
rulebook \"RULES.md\"

board grid 3x3
directions 4 clockwise from north
piece man for each player symbols r b
option way = any | east
symmetry rotations reflections colours

ask move MOVE
event PLAYER moves MOVE

place red at a1, blue at c3
";

const RULES: &str = "\
fn moves(me) {
    let free = all_cells() - occupied();
    let open = only(cells(me) & free.shift(reverse(1)), 1);
    for number in 2..=4 {
        if number == 4 && option(\"way\") == \"east\" { continue; }
        open |= only(cells(me) & free.shift(reverse(number)), number);
    }
    steps(open)
}

fn apply(me, move) {
    clause(\"S1\");
    event(\"moves\", me, move);
    make(move);
}

fn ended(me) { }
";

const SCENARIOS: &str = "\
use shuttle

scenario \"Symmetric questions\"
  place red at a1, blue at c3
  turn red
  expect cycle
  expect reachable { cells(red) == all_cells() } or undecided
  expect never { at(cell_named(\"b2\")) == man(red) } within 1 turn

scenario \"What looks different from another corner\"
  place red at a1, blue at c3
  turn red
  expect reachable { at(cell_named(\"a3\")) == man(red) }
  expect never { at(cell_named(\"c1\")) == man(red) }
";

fn shuttle(game: &str) -> Project {
    Project::new()
        .file("games/shuttle/shuttle.game", game)
        .file("games/shuttle/rules.rhai", RULES)
        .file("games/shuttle/RULES.md", "# Shuttle\n\n[S1] A man steps to a free neighbour.\n")
        .file("a.scenario", SCENARIOS)
}

#[test]
fn a_symmetry_that_an_option_breaks_is_reported_with_the_option() {
    insta::assert_snapshot!(shuttle(GAME).run(&["check", "games"]).all());
}

#[test]
fn a_symmetry_that_the_rules_do_not_have_is_reported() {
    let game = GAME.replace("any | east", "east | any").replace("rotations reflections colours", "left-right colours");
    let project = shuttle(&game);
    let checked = project.run(&["check", "games"]);
    insta::assert_snapshot!(checked.all());
    // A question does not trust it, either.
    let asked = project.run(&["test", "a.scenario"]);
    assert_eq!(asked.code, 3, "{}", asked.stdout);
    assert!(asked.stdout.contains("the symmetry `left-right` does not hold"), "{}", asked.stdout);
}

/// Rules in which white goes up and black goes down: with exchanged colours nobody can move.
const RACE: &str = "\
fn moves(me) {
    let free = all_cells() - occupied();
    let way = direction_named(if me == red { \"N\" } else { \"S\" });
    steps(only(cells(me) & free.shift(reverse(way)), way))
}

fn apply(me, move) {
    event(\"moves\", me, move);
    make(move);
}

fn ended(me) { if !can_move(after(me)) { draw_game(); } }
";

/// A game in which red must throw before a turn, and blue need not: what is asked differs.
const THROWS: &str = "\
fn turn(me) {
    if me == red { roll(); }
    place(man(me), choose(me, \"go\", all_cells() - occupied()));
}
";

#[test]
fn an_error_of_the_image_alone_names_the_symmetry() {
    let game = GAME.replace("rotations reflections colours", "colours").replace("option way = any | east\n", "");
    let game = game.replace("blue at c3", "blue at c4").replace("board grid 3x3", "board grid 3x4");
    let project = |game: &str, rules: &str| {
        Project::new()
            .file("games/shuttle/shuttle.game", game)
            .file("games/shuttle/rules.rhai", rules)
            .file("games/shuttle/RULES.md", "# Shuttle\n\n[S1] A man steps to a free neighbour.\n")
    };
    let checked = project(&game, RACE).run(&["check", "games"]).all();
    insta::assert_snapshot!(checked);
    assert!(checked.contains("the symmetry `colours` does not hold"), "{checked}");
    assert!(checked.contains("blue has no move"), "{checked}");
}

#[test]
fn what_each_position_asks_is_shown() {
    let game = GAME.replace("option way = any | east\n", "die 1..2\n").replace("ask move MOVE", "ask go CELL");
    let game = game.replace("rotations reflections colours", "colours").replace("event PLAYER moves MOVE\n", "");
    let project = Project::new()
        .file("games/shuttle/shuttle.game", &game)
        .file("games/shuttle/rules.rhai", THROWS)
        .file("games/shuttle/RULES.md", "# Shuttle\n");
    let checked = project.run(&["check", "games"]).all();
    assert!(
        checked.contains("the first asks `roll`; the second asks `red go`")
            || checked.contains("the first asks `roll`; the second asks `blue go`"),
        "{checked}"
    );
}

/// The men have 9 and 8 places, and it is the turn of one of them. Each move goes from a light square to a dark one or back, so
/// play comes to half of these 144 positions: to 72, and to 12 up to the eight maps of the board.
#[test]
fn questions_look_at_positions_that_are_one_by_a_symmetry_once() {
    let without = GAME.replace("symmetry rotations reflections colours\n", "");
    let run = |game: &str| shuttle(game).run(&["test", "-v", "a.scenario"]);
    let (reduced, whole) = (run(GAME), run(&without).all());
    assert!(reduced.stdout.contains("in none of 12 states") && whole.contains("in none of 72 states"), "{whole}");
    insta::assert_snapshot!(reduced.all());
    // The lines of play are the same.
    assert_eq!(reduced.all().replace("none of 12 states", "none of 72 states"), whole);
}

/// A game in which the players put men on free cells until the board is full.
const DROPS: &str = "\
game drops \"Drops\"
players 2 white black
rules \"rules.rhai\"
rulebook \"RULES.md\"

board grid 3x3
directions 4 clockwise from north
piece man many for each player symbols w b
counter turns
symmetry rotations reflections

ask drop CELL
event drops CELL
";

/// What a turn asks: after it has told something, after it has returned, and among actions that it lists in any order.
const DROPPING: [&str; 4] = [
    "clause(\"D1\"); place(man(me), choose(me, \"drop\", free));",
    "choose_then(me, \"drop\", free, \"dropped\");",
    "let cells = []; for cell in free { cells.insert(0, cell); } choose_then(me, \"drop\", cells, \"dropped\");",
    "let all = []; for cell in free { all.push(may(\"drop\", cell)); } choose_then(me, \"drop\", all, \"chosen\");",
];

fn drops(game: &str, dropping: &str) -> Project {
    let rules = format!(
        "fn turn(me) {{
    let free = all_cells() - occupied();
    if free.is_empty() {{ draw_game(); }}
    {dropping}
}}
fn dropped(me, cell) {{ place(man(me), cell); event(\"drops\", cell); }}
fn chosen(me, action) {{ dropped(me, action.value); }}
"
    );
    Project::new()
        .file("games/drops/drops.game", game)
        .file("games/drops/rules.rhai", &rules)
        .file("games/drops/RULES.md", "# Drops\n\n[D1] A man is put on a free cell.\n")
        .file(
            "a.scenario",
            "use drops\n\nscenario \"All play\"\n  board 3x3\n  turn white\n  expect never { count(cells(white)) == 9 }\n",
        )
}

/// Returns the number of positions of men of two colours that are put on nine cells in turn, by hand: those that are one
/// by a turn or a reflection count once, if wanted.
fn positions(up_to_symmetry: bool) -> usize {
    let turned = |cells: &[u8]| -> Vec<u8> { (0..9).map(|at| cells[3 * (2 - at % 3) + at / 3]).collect() };
    let mirrored = |cells: &[u8]| -> Vec<u8> { (0..9).map(|at| cells[3 * (at / 3) + 2 - at % 3]).collect() };
    let least = |cells: Vec<u8>| {
        let mut images = vec![cells];
        for at in 0..3 {
            images.push(turned(&images[at]));
        }
        images.extend(images.clone().iter().map(|cells| mirrored(cells)));
        images.into_iter().min().unwrap()
    };
    let mut level = BTreeSet::from([vec![0; 9]]);
    let mut sum = 0;
    for number in 0..=9 {
        sum += level.len();
        let puts = level.iter().flat_map(|cells| {
            let put = move |at: &usize| {
                let mut next = cells.clone();
                next[*at] = 1 + number % 2;
                next
            };
            (0..9).filter(|at| cells[*at] == 0).map(move |at| put(&at))
        });
        level = puts.map(|cells| if up_to_symmetry { least(cells) } else { cells }).collect();
    }
    sum
}

fn choices_have_the_symmetries_of_the_board(ways: &[&str]) {
    let without = DROPS.replace("symmetry rotations reflections\n", "");
    for dropping in ways {
        let project = drops(DROPS, dropping);
        let checked = project.run(&["check", "games"]);
        assert_eq!(checked.code, 0, "{dropping}: {}", checked.all());
        for (project, up_to_symmetry) in [(project, true), (drops(&without, dropping), false)] {
            let asked = project.run(&["test", "-v", "a.scenario"]);
            let states = format!("holds, {} states", positions(up_to_symmetry));
            assert!(asked.stdout.contains(&states), "{dropping}: {states}: {}", asked.all());
        }
    }
}

#[test]
fn choices_between_phases_have_the_symmetries_of_the_board() {
    choices_have_the_symmetries_of_the_board(&DROPPING[1..2]);
}

#[test]
#[ignore = "all positions of four games, with symmetries and without"]
fn choices_between_phases_have_the_symmetries_of_the_board_in_full() {
    choices_have_the_symmetries_of_the_board(&DROPPING);
}

#[test]
fn a_turn_may_change_the_position_before_it_asks() {
    let counts = "game.turns += 1; place(man(me), choose(me, \"drop\", free));";
    let checked = drops(DROPS, counts).run(&["check", "games"]);
    assert_eq!(checked.code, 0, "{}", checked.all());
    let unlike = "game.turns += 1; place(man(me), choose(me, \"drop\", if game.turns == 1 { one(cell_named(\"a1\")) } else { free }));";
    let checked = drops(DROPS, unlike).run(&["check", "games"]);
    assert!(checked.all().contains("does not hold"), "{}", checked.all());
}

#[test]
fn a_set_up_that_has_changed_the_position_before_it_asks_cannot_be_checked() {
    let asks = "place(man(me), choose(me, \"drop\", free));
}
fn setup() {
    place(man(white), cell_named(\"a1\"));
    place(man(black), choose(black, \"drop\", all_cells() - occupied()));";
    insta::assert_snapshot!(drops(DROPS, asks).run(&["check", "games"]).all());
}

#[test]
fn words_that_make_no_symmetry_are_reported() {
    let rotations = DROPS.replace("symmetry rotations reflections\n", "symmetry left-right\n");
    let arrows = rotations.replace("directions", "arrow a1 -> b2\ndirections");
    let dice = DROPS.replace("board grid 3x3\ndirections 4 clockwise from north\n", "die 1..6\n");
    let dice = dice.replace("piece man many for each player symbols w b\n", "").replace("CELL", "NUMBER");
    let throw = Project::new()
        .file("games/drops/drops.game", &dice)
        .file("games/drops/rules.rhai", "fn turn(me) { roll(); }\n")
        .file("games/drops/RULES.md", "# Drops\n\n[D1] A die is thrown.\n");
    let said = [drops(&arrows, DROPPING[0]), throw].map(|project| project.run(&["check", "games"]).all());
    insta::assert_snapshot!(said.join("\n"));
}

/// In these bounds a search without symmetries finds no cycle or not all of them, but one with symmetries does: its cycle is
/// played again and again, until the position itself comes back.
#[test]
fn a_cycle_up_to_a_symmetry_has_a_line_of_play() {
    let rolling = RULES.replace("fn moves(me) {", "fn turn(me) {\n    roll();\n    let move = choose(me, \"move\", possible(me));\n    apply(me, move);\n}\n\nfn possible(me) {");
    let rolling = rolling.replace("fn ended(me) { }", "");
    let game = GAME.replace("option way", "die 1..2\noption way");
    for (game, rules, most) in [(GAME, RULES, [10, 12, 15, 20]), (&game, &rolling, [20, 40, 60, 80])] {
        let mut shown = 0;
        for most in most {
            for question in ["no cycle", "every line ends"] {
                let limits = format!("up to {most} states");
                let text = format!(
                    "use shuttle\n\nscenario \"C\"\n  place red at a1, blue at c3\n  turn red\n  expect {question} {limits}\n"
                );
                let project = shuttle(game).file("games/shuttle/rules.rhai", rules).file("a.scenario", text);
                let ran = project.run(&["test", "a.scenario", "--write", "found"]);
                if ran.stdout.contains("not decided") {
                    continue;
                }
                shown += 1;
                let told = format!("a shorter cycle may exist beyond the {most} states searched");
                let words = ran.stdout.replace("\n  │ ", " ");
                assert!(ran.code == 1 && words.contains(&told), "{limits}: {}", ran.stdout);
                let found = std::fs::read_to_string(project.path().join("found/a-line-6.scenario")).unwrap();
                assert!(found.contains("\nscenario \"A cycle\"\n"), "{found}");
                let replayed = project.run(&["test", "found"]);
                assert_eq!(replayed.code, 0, "{limits}: {found}{}", replayed.stdout);
            }
        }
        assert!(shown >= 4, "{shown}");
    }
    let text = "use shuttle\n\nscenario \"C\"\n  place red at a1, blue at c3\n  turn red\n  expect no cycle\n";
    let ran = shuttle(GAME).file("a.scenario", text).run(&["test", "a.scenario"]);
    assert!(
        ran.stdout.contains("scenario \"A shortest cycle\"") && !ran.stdout.contains("may exist"),
        "{}",
        ran.stdout
    );
}
