//! Graphs: Nine Men's Morris, and a map of routes.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::{Tried, names, one};

/// The 24 points of Nine Men's Morris, by the names that its players write.
const POINTS: [&str; 24] = [
    "a1", "d1", "g1", "b2", "d2", "f2", "c3", "d3", "e3", "a4", "b4", "c4", "e4", "f4", "g4", "c5", "d5", "e5", "b6",
    "d6", "f6", "a7", "d7", "g7",
];

/// The 16 lines of three points.
const MILLS: [[&str; 3]; 16] = [
    ["a1", "d1", "g1"],
    ["b2", "d2", "f2"],
    ["c3", "d3", "e3"],
    ["a4", "b4", "c4"],
    ["e4", "f4", "g4"],
    ["c5", "d5", "e5"],
    ["b6", "d6", "f6"],
    ["a7", "d7", "g7"],
    ["a1", "a4", "a7"],
    ["b2", "b4", "b6"],
    ["c3", "c4", "c5"],
    ["d1", "d2", "d3"],
    ["d5", "d6", "d7"],
    ["e3", "e4", "e5"],
    ["f2", "f4", "f6"],
    ["g1", "g4", "g7"],
];

fn morris() -> String {
    let mut text = "places:\n".to_owned();
    for point in POINTS {
        let (letter, row) = point.split_at(1);
        let column = letter.as_bytes()[0] - b'a';
        let _ = writeln!(text, "  - {{name: {point}, at: [{column}, {row}]}}");
    }
    text.push_str("links:\n");
    for [one, two, three] in MILLS {
        let _ = writeln!(text, "  - {{from: {one}, to: {two}}}\n  - {{from: {two}, to: {three}}}");
    }
    text.push_str("lines:\n");
    for mill in MILLS {
        let _ = writeln!(text, "  - [{}]", mill.join(", "));
    }
    text
}

const MORRIS: &str = "board graph from \"morris.yaml\"
piece man many for each player symbols w b
counter placed for each player
ask put CELL
ask take CELL
ask move MOVE
event PLAYER puts CELL
symmetry rotations reflections
";

const MORRIS_RULES: &str = r#"
fn turn(me) {
    if me.placed < 9 {
        let to = choose(me, "put", all_cells() - occupied());
        me.placed += 1;
        place(man(me), to);
        event("puts", me, to);
        closed(me, to);
    } else {
        let found = no_moves();
        for from in cells(me) {
            for to in around(one(from)) - occupied() { found += path(from, to); }
        }
        let made = choose(me, "move", found);
        make(made);
        closed(me, made.to);
    }
}
fn closed(me, at) {
    if graph_lines().some(|line| line.has(at) && (line - cells(me)).is_empty()) {
        remove(choose(me, "take", cells(after(me))));
    }
}
"#;

#[test]
fn nine_mens_morris_has_its_points_links_and_mills() {
    let map = morris();
    let tried = Tried { lines: MORRIS, rules: MORRIS_RULES, files: &[("morris.yaml", &map)] };
    let board = tried.board();
    assert_eq!((board.count(), board.seconds().count(), board.graph_lines().count()), (24, 32, 16));
    let beside = |name: &str| names(&board, &board.beside(&one(&board, name)));
    assert_eq!(beside("a1"), ["a4", "d1"]);
    assert_eq!(beside("d2"), ["b2", "d1", "d3", "f2"]);
    assert_eq!(beside("d5"), ["c5", "d6", "e5"]);
    // No mill is closed before a player has three men: the fifth man.
    let wanted: [u64; 4] = [24, 24 * 23, 24 * 23 * 22, 24 * 23 * 22 * 21];
    assert_eq!(wanted[..3], [24, 552, 12144]);
    assert_eq!(tried.perft("  turn red\n", 3), wanted[..3]);
}

#[test]
fn morris_is_placed_drawn_and_moved() {
    let map = morris();
    let tried = Tried { lines: MORRIS, rules: MORRIS_RULES, files: &[("morris.yaml", &map)] };
    tried.passes(
        "scenario \"a mill\"
  place red at a1, red at d1, blue at d3, blue at b2
  turn red
  red put g1
  red take d3
  expect events
    > red puts g1
  expect board
    | . . .
    | . . .
    | . . .
    | . . . . . .
    | . . .
    | b . .
    | w w w
  expect { distance(cell_named(\"a1\"), cell_named(\"c3\")) == 4 }

scenario \"a move\"
  place red at a1, blue at d3
  set red.placed 9
  turn red
  expect choices move = a1-a4, a1-d1
  red move a1-a4
  expect a4 holds red
",
    );
    tried.fails("  place red at d4\n", &["unknown cell `d4`", "did you mean `a4`?"]);
    // The drawing has the names of the places of each row.
    tried.fails("  turn red\n  expect over\n", &["a4, b4, c4, e4, f4, g4  . . . . . ."]);
}

const ROUTES: &str = "# A small map.
printed:
  places: {region: north|south}
  links: {length: NUMBER, colour: TEXT, needs: [length]}
places:
  - {name: Paris, at: [3, 4], region: north}
  - {name: New Town, at: [6, 4], region: north}
  - {name: Dijon, at: [5, 1], region: south}
  - {name: Lyon, at: [4, -3]}
links:
  - {from: Paris, to: Dijon, length: 3, colour: red}
  - {from: Paris, to: Dijon, length: 3, colour: blue}
  - {from: Dijon, to: Lyon, length: 1}
  - {from: Paris, to: New Town, length: 5}
  - {from: New Town, to: Lyon, name: Ferry, length: 2, one_way: true}
";

const TRAINS: &str = "board graph from \"map.yaml\"
piece train many for each player symbols r b
piece trader for each player symbols R B
counter points for each player
ask claim CELL
ask walk MOVE
event PLAYER claims CELL
place red trader at Paris
variant plain
";

const TRAIN_RULES: &str = r#"
fn turn(me) {
    let free = links() - occupied();
    let link = choose(me, "claim", free);
    place(train(me), link);
    me.points += printed_on(link, "length");
    event("claims", me, link);
    if distance_by(me, "Paris", "Lyon") { win(me); }
}
fn distance_by(me, from, to) {
    let own = cells(me) & links();
    groups(own).some(|group| group.touching().has(cell_named(from)) && group.touching().has(cell_named(to)))
}
fn walk(me) { make(choose(me, "walk", around(cells(trader(me))).map_to_moves(me))); }
fn map_to_moves(me) { no_moves() }
"#;

fn train_rules() -> String {
    TRAIN_RULES
        .replace("around(cells(trader(me))).map_to_moves(me)", "ways(me)")
        .replace(
            "fn map_to_moves(me) { no_moves() }",
            "fn ways(me) { let found = no_moves(); for to in around(cells(trader(me))) { found += path(cell(trader(me)), to); } found }",
        )
}

#[test]
fn links_are_places_that_are_owned() {
    let rules = train_rules();
    let tried = Tried { lines: TRAINS, rules: &rules, files: &[("map.yaml", ROUTES)] };
    tried.passes(
        "scenario \"routes\"
  place blue at Paris/Dijon
  turn red
  expect choices claim = Paris/Dijon/2, Dijon/Lyon, \"Paris/New Town\", Ferry
  expect { count(links(cell_named(\"Paris\"))) == 3 && printed_on(cell_named(\"Paris\"), \"region\") == \"north\" }
  expect { printed_on(cell_named(\"Lyon\"), \"region\") == () && printed_on(cell_named(\"Paris/Dijon/2\"), \"colour\") == \"blue\" }
  red claim Paris/Dijon/2
  expect red.points = 3
  blue claim \"Paris/New Town\"
  expect Paris/Dijon holds blue
  red claim Dijon/Lyon
  expect winner red
  expect events
    > red claims Paris/Dijon/2
    > blue claims \"Paris/New Town\"
    > red claims Dijon/Lyon

scenario \"the other name of a link\"
  place blue at Dijon/Paris
  expect Paris/Dijon holds blue
  expect { connected(links(cell_named(\"Dijon\"))) && count(around(one(cell_named(\"Ferry\")))) == 2 }

scenario \"ways\"
  turn red
  do walk red
  expect choices walk = Paris-Dijon, \"Paris-New Town\"
  red walk \"Paris-New Town\"
  expect red trader at \"New Town\"

scenario \"one way\"
  expect { distance(cell_named(\"New Town\"), cell_named(\"Lyon\")) == 1 && distance(cell_named(\"Lyon\"), cell_named(\"New Town\")) == 3 }
  expect { within(one(cell_named(\"Lyon\")), 1) == (one(cell_named(\"Lyon\")) | one(cell_named(\"Dijon\"))) }
  expect { shortest(cell_named(\"Lyon\"), cell_named(\"New Town\"), all_cells()).len == 4 }
",
    );
    tried.fails("  place blue trader at New Town\n", &["write a name of several words in quotes: `\"New Town\"`"]);
    tried.fails("  place blue trader at Pariss\n", &["did you mean `Paris`?"]);
    tried.fails("  turn red\n  red claim Paris-Dijon\n", &["Paris-Dijon"]);
    let shown = tried.judged("scenario \"s\"\n  place red at Ferry\n  turn red\n  expect over\n").0;
    assert!(shown.contains("places: red at Ferry"), "{shown}");
}

#[test]
fn a_game_may_have_several_maps() {
    let small =
        "places:\n  - {name: Paris, at: [0, 0]}\n  - {name: Ems, at: [1, 0]}\nlinks:\n  - {from: Paris, to: Ems}\n";
    let lines = TRAINS.replace("variant plain\n", "variant large\nvariant small\n  board graph from \"small.yaml\"\n");
    let rules = train_rules();
    let files = [("map.yaml", ROUTES), ("small.yaml", small)];
    let tried = Tried { lines: &lines, rules: &rules, files: &files };
    tried.passes(
        "scenario \"another map\"
  board graph from \"small.yaml\"
    | r B
  expect { count(all_cells()) == 2 && count(links()) == 1 }
  expect Ems holds blue trader
",
    );
    tried.fails("  board graph from \"large.yaml\"\n", &["the game has no graph `large.yaml`", "`map.yaml`"]);
    tried.fails("  board 3x3\n", &["this board is not of the same kind as the game's board"]);
    tried.fails(
        "  turn red\n  expect { printed_on(cell_named(\"Paris\"), \"regoin\") == () }\n",
        &["nothing `regoin` is printed", "did you mean `region`?"],
    );
}

#[test]
fn a_graph_has_no_directions_columns_or_rows() {
    let with = |code: &str, wanted: &[&str]| {
        let rules = format!("fn turn(me) {{ {code} win(me); }}");
        Tried { lines: TRAINS, rules: &rules, files: &[("map.yaml", ROUTES)] }.fails("  turn red\n", wanted);
    };
    let paris = "cell_named(\"Paris\")";
    with(
        &format!("let a = step({paris}, 1);"),
        &["`step` needs directions, which a graph does not have", "around(one(place))"],
    );
    with(&format!("let a = column({paris});"), &["`column` needs columns and rows", "printed_on(place, \"region\")"]);
    with(&format!("let a = line({paris}, 1);"), &["`line` needs directions", "graph_lines()"]);
    with("let a = cell(1, 2);", &["`cell` needs columns and rows"]);
    with("let a = edge();", &["`edge` needs an edge"]);
    with("let a = steps(touched(all_cells()));", &["`steps` needs directions", "`touched` needs directions"]);
    with("let a = sides();", &["the board has no sides as places"]);
    let lines = format!("{TRAINS}directions 4 clockwise from north\n");
    let lines = lines.replace("variant plain\n", "");
    Tried { lines: &lines, rules: "fn turn(me) { win(me); }", files: &[("map.yaml", ROUTES)] }
        .fails("  turn red\n", &["a graph has no directions", "around(one(place))"]);
}

#[test]
fn errors_in_a_map_are_told_with_their_lines() {
    let with = |map: &str, wanted: &[&str]| {
        Tried {
            lines: "board graph from \"map.yaml\"\npiece man symbol m\nask go CELL\n",
            rules: "fn turn(me) { win(me); }",
            files: &[("map.yaml", map)],
        }
        .fails("  turn red\n", wanted);
    };
    with("links: []\n", &["this file has no places", "- {name: Paris, at: [3, 4]}"]);
    with("places:\n  - {name: A}\n", &["this place has no coordinates `at`", "{name: A, at: [3, 4]}", "map.yaml:2"]);
    with("places:\n  - {name: A, at: [1]}\n", &["expected two whole numbers"]);
    with("places:\n  - {name: A/B, at: [1, 1]}\n", &["`A/B` cannot be the name of a place"]);
    with("places:\n  - {name: A, at: [1, 1]}\n  - {name: A, at: [2, 1]}\n", &["the name `A` is here twice"]);
    with(
        "places:\n  - {name: A, at: [1, 1]}\n  - {name: B, at: [1, 1]}\n",
        &["`B` is drawn where `A` is", "give each place coordinates of its own"],
    );
    let two = "places:\n  - {name: A, at: [1, 1]}\n  - {name: B, at: [2, 1]}\n";
    with(&format!("{two}links:\n  - {{from: A, to: C}}\n"), &["unknown place `C`", "the places are `A`, `B`"]);
    with(&format!("{two}links:\n  - {{from: A, to: A}}\n"), &["this link ends at the place where it begins"]);
    with(&format!("{two}links:\n  - {{from: A}}\n"), &["a link needs a place `from` and a place `to`"]);
    with(
        &format!("{two}links:\n  - {{from: A, to: B, colour: red}}\n"),
        &["unknown key `colour`", "declare other values first, under"],
    );
    with(&format!("{two}  - {{name: A-B, at: [3, 3]}}\n"), &["`A-B` would be read as a move from A to B"]);
    with(&format!("{two}lines:\n  - [A, B, A]\n"), &["this place is in its line twice"]);
    with(
        &format!(
            "printed: {{links: {{length: NUMBER, needs: [length]}}}}\n{two}links:\n  - {{from: A, to: B}}\n  - {{from: A, to: B, length: far}}\n"
        ),
        &["`length` is missing here", "`far` is not a number"],
    );
    Tried { lines: "board graph from \"none.yaml\"\nask go CELL\n", rules: "fn turn(me) { win(me); }", files: &[] }
        .fails("  turn red\n", &["cannot read `none.yaml`"]);
}

#[test]
fn amounts_are_printed_on_links() {
    let map = "printed: {links: {cost: AMOUNT}}\nplaces:\n  - {name: A, at: [1, 1]}\n  - {name: B, at: [2, 1]}\n\
               links:\n  - {from: A, to: B, cost: {ore: 2}}\n";
    let tried = Tried {
        lines: "board graph from \"map.yaml\"\nresource ore for each player\nask go CELL\n",
        rules: "fn turn(me) {
    let to = choose(me, \"go\", links());
    gain(me, #{ ore: 3 });
    pay(me, printed_on(to, \"cost\"));
}",
        files: &[("map.yaml", map)],
    };
    tried.passes("scenario \"costs\"\n  turn red\n  red go A/B\n  expect red has ore\n");
}

#[test]
fn symmetries_of_a_graph_are_those_of_its_coordinates() {
    let map = morris();
    let tried = Tried { lines: MORRIS, rules: MORRIS_RULES, files: &[("morris.yaml", &map)] };
    let table = tried.table();
    // The square's eight, without the one that changes nothing.
    let all = referee_table::Symmetry::all(&table);
    assert_eq!(all.len(), 7);
    let board = &table.board;
    for symmetry in &all {
        let places: BTreeSet<_> = board.cells().map(|cell| symmetry.cell(cell)).collect();
        assert_eq!(places.len(), 24);
        for link in board.seconds() {
            let ends = |link| board.touched_by(link).iter().copied().collect::<BTreeSet<_>>();
            let image: BTreeSet<_> = ends(link).into_iter().map(|end| symmetry.cell(end)).collect();
            assert_eq!(ends(symmetry.cell(link)), image);
        }
    }
}
