//! Flags, counters, properties and resources of the places of a board, and those of owners of several sorts.

use super::Project;

const GAME: &str = r#"game fields "Fields"
players ann ben
rules "rules.rhai"
board grid 3x3
piece farmer for each player symbols A B
resource grain, stone for each player, cell supply 6
flag burnt for each cell
property lord for each cell PLAYER
counter wounds for each player, farmer
record counter visits for each cell
ask go CELL
place ann farmer at a1
place ben farmer at c3
set b2 has grain x2
set a2.lord ben
"#;

const RULES: &str = "fn turn(me) {
    let to = choose(me, \"go\", in_order(around(one(cell(farmer(me)))) - occupied()));
    place(farmer(me), to);
    tally(to, \"visits\", 1);
    if to.burnt { me.wounds += 1; tally(farmer(me), \"wounds\", 2); return; }
    pay(to, amounts(to), me);
    if to.lord == () { to.lord = me; }
    if can_pay(me, #{ grain: 3 }) { win(me); return; }
    if (supply()[\"grain\"] ?? 0) >= 1 { gain(cell_named(\"b1\"), #{ grain: 1 }); }
    if to == cell_named(\"c1\") { to.burnt = true; }
}
";

fn project() -> Project {
    Project::new().file("games/fields/fields.game", GAME).file("games/fields/rules.rhai", RULES)
}

fn judged(lines: &str) -> super::Ran {
    project().file("a.scenario", format!("use fields\n\nscenario \"A position\"\n{lines}")).run(&["test", "a.scenario"])
}

#[test]
fn places_have_values_of_their_own() {
    let ran = judged(
        "  from setup
  turn ann
  expect b2 has grain x2
  expect a2.lord = ben
  ann go b2
  expect ann has grain x2
  expect b2 has none
  expect b1 has grain
  expect b1.grain = 1
  expect game.grain_supply = 3
  expect b2.lord = ann
  expect a1.lord = none
  expect { cell_named(\"b1\").grain == 1 && cell_named(\"b2\")[\"lord\"] == ann }
  expect not b2 burnt
  ben go c2
  expect b1 has grain x2
",
    );
    assert_eq!(ran.code, 0, "{}", ran.all());
}

#[test]
fn owners_of_several_sorts_have_one_property() {
    let ran = judged(
        "  place ann farmer at b1, ben farmer at c3
  set c1 burnt
  set ben.wounds 4
  turn ann
  ann go c1
  expect ann.wounds = 1
  expect ann farmer.wounds = 2
  expect ben.wounds = 4
  expect { farmer(ben).wounds == 0 && farmer(ann).wounds == 2 }
  expect c1 burnt
",
    );
    assert_eq!(ran.code, 0, "{}", ran.all());
}

#[test]
fn other_values_of_places_are_told() {
    let ran = judged(
        "  place ann farmer at b1, ben farmer at c3
  set a1 has grain x3 stone
  set c1 burnt
  turn ann
  ann go c1
  expect a1 has grain x2 stone
  expect a1.grain = 2
  expect a2.lord = ann
  expect c1 not burnt
  expect a1 has stone x2 …
",
    );
    insta::assert_snapshot!(ran.stdout);
}

#[test]
fn wrong_values_of_places_are_reported() {
    let ran = judged(
        "  place ann farmer at b1, ben farmer at c3
  set a9 has grain
  set a1 has gold
  set a1.grain x3
  set a1 burned
  set b1.loard ben
  set a1 has grain x9
  set ann burnt
  turn ann
  expect d4.grain = 2
  expect a1 burnd
  expect a1.wounds = 2
  expect ann.lord = ben
  expect burnt
",
    );
    insta::assert_snapshot!(ran.stdout);
}

#[test]
fn wrong_owners_are_reported() {
    let wrong = |lines: &str| {
        let game = format!("game wrong \"Wrong\"\nplayers ann ben\nrules \"rules.rhai\"\n{lines}");
        let project = Project::new()
            .file("games/wrong/wrong.game", game)
            .file("games/wrong/rules.rhai", "fn turn(me) { win(me); }\n");
        project.run(&["check", "games"]).all()
    };
    let on_a_board = "board grid 3x3
piece man for each player
flag dry for each cells
flag built for each corner
flag known for each player, cell, player
flag closed for each link
flag mined for each cell secret
flag fallow for each cell shared
property lord for each cell PLAYER in drawings
property guard for each man, cell PLAYER in drawings
flag poor for each cell and player
resource wood for each cell, = 3
";
    let without = "flag dry for each cell\n";
    let many: String = std::iter::once("board grid 60x60\n".to_owned())
        .chain((0..19).map(|number| format!("flag f{number} for each cell\n")))
        .collect();
    insta::assert_snapshot!([on_a_board, without, &many].map(wrong).join("\n———\n"));
}

#[test]
fn a_board_of_a_scenario_may_be_too_large_for_the_values() {
    let many: String = (0..19).map(|number| format!("flag f{number} for each cell\n")).collect();
    let ran = Project::new()
        .file(
            "games/many/many.game",
            format!("game many \"Many\"\nplayers ann ben\nrules \"rules.rhai\"\nboard grid 9x9\n{many}"),
        )
        .file("games/many/rules.rhai", "fn turn(me) { win(me); }\n")
        .file("a.scenario", "use many\n\nscenario \"Large\"\n  board 60x60\n  turn ann\n  expect winner ann\n")
        .run(&["test", "a.scenario"]);
    insta::assert_snapshot!(ran.stdout);
}

#[test]
fn wrong_rules_about_values_of_places_are_reported() {
    let rules = "fn turn(me) {
    let to = choose(me, \"go\", in_order(around(one(cell(farmer(me)))) - occupied()));
    if to.wounds > 1 { to.burned = true; }
    to.grain += 1;
    let farmer = farmer(me);
    farmer.burnt = true;
    me.lord = me;
    to[\"loard\"] = me;
    gain(to, #{ gold: 1 });
    place(farmer, to);
    win(me);
}
";
    let project = Project::new().file("games/fields/fields.game", GAME).file("games/fields/rules.rhai", rules);
    insta::assert_snapshot!(project.run(&["check", "games"]).all());
}

#[test]
fn pictures_and_records_have_the_values_of_places() {
    let project = project().file(
        "a.scenario",
        "use fields

scenario \"Fields\"
  from setup
  set c2 has grain stone x2
  turn ann
  ann go b2
",
    );
    let shown = project.run(&["show", "a.scenario"]);
    insta::assert_snapshot!("shown", shown.stdout);
    let picture = project.run(&["show", "a.scenario", "--format", "svg"]);
    assert_eq!(picture.code, 0, "{}", picture.all());
    assert!(picture.stdout.contains(">grain, stone ×2</text>"), "{}", picture.stdout);
    assert!(!picture.stdout.contains(">grain ×2</text>"), "ann has it now: {}", picture.stdout);
}

/// What is recorded replays, with every value of a place at the end.
#[test]
fn recorded_games_replay() {
    let project = project();
    let ran = project.run(&["simulate", "fields", "--games", "10", "--record", "recorded"]);
    assert_eq!(ran.code, 0, "{}", ran.all());
    let ran = project.run(&["test", "recorded"]);
    assert_eq!(ran.code, 0, "{}", ran.all());
    assert!(ran.stdout.contains("10 passed"), "{}", ran.stdout);
}

#[test]
fn records_of_places_are_counted() {
    let ran = project().run(&["simulate", "fields", "--games", "40"]);
    let visits: Vec<&str> = ran.stdout.lines().filter(|line| line.trim_start().starts_with("visits")).collect();
    assert_eq!(visits.len(), 9, "{}", ran.stdout);
}

/// A mirrored field is the same position only if what its cells have is mirrored, too: counted without symmetries and with them.
#[test]
fn symmetries_turn_the_values_of_places() {
    let game = |symmetries: &str| {
        format!(
            "game marks \"Marks\"\nplayers ann ben\nrules \"rules.rhai\"\nboard grid 3x2\n{symmetries}flag marked for each cell\n\
             property taker for each cell PLAYER\nask mark CELL\n"
        )
    };
    let rules = "fn turn(me) {
    let free = in_order(all_cells()).filter(|cell| !cell.marked);
    if free.is_empty() { draw_game(); return; }
    let cell = choose(me, \"mark\", free);
    cell.marked = true;
    cell.taker = me;
    if row(cell) == 2 && column(cell) == 2 { win(me); }
}
";
    let question = "use marks

scenario \"All\"
  turn ann
  expect never { cell_named(\"a1\").taker == ann && cell_named(\"c1\").taker == ann && cell_named(\"b1\").taker == ann && cell_named(\"a2\").taker == ann }
";
    let asked = |symmetries: &str| {
        let project = Project::new()
            .file("games/marks/marks.game", game(symmetries))
            .file("games/marks/rules.rhai", rules)
            .file("a.scenario", question);
        let ran = project.run(&["test", "a.scenario", "-v"]);
        assert_eq!(ran.code, 0, "{}", ran.all());
        let words: Vec<&str> = ran.stdout.split_whitespace().collect();
        let states = words.windows(2).find(|pair| pair[1].starts_with("state")).map(|pair| pair[0].replace(',', ""));
        states.and_then(|states| states.parse::<u64>().ok()).unwrap_or_default()
    };
    let (all, mirrored) = (asked(""), asked("symmetry left-right\n"));
    assert!(0 < mirrored && mirrored < all && mirrored * 2 >= all, "{mirrored} of {all}");
}

/// Of several kinds of places each keeps its values when a position is turned: the same is found with symmetries and without, and
/// random play finds no difference between a position and its image.
#[test]
fn symmetries_turn_the_values_of_several_kinds_of_places() {
    let rules = "fn turn(me) {
    let old = cell(man);
    let c = choose(me, \"walk\", around(one(old)));
    place(man, c);
    if c.mark == 1 { win(me); }
    if is_mid(c) && is_mid(old) { game.run += 1; } else { game.run = 0; }
    if game.run == 8 { old.mark = 1; game.run = 0; }
    game.walked += 1;
    if game.walked >= 10 { nobody_wins(); }
}
fn is_mid(c) { count(around(one(c))) == 5 }
";
    for owners in ["cell", "cell, side", "side, cell", "corner, cell, side"] {
        for symmetry in ["", "symmetry rotations\n", "symmetry reflections\n"] {
            let game = format!(
                "game walks \"Walks\"\nplayers 1 red\nrules \"rules.rhai\"\nboard grid 3x3 with corners sides\n{symmetry}\
                 piece man symbol r\ncounter mark for each {owners}\ncounter walked\ncounter run\nask walk CELL\nplace man at a2\n"
            );
            let project =
                Project::new().file("games/walks/walks.game", game).file("games/walks/rules.rhai", rules).file(
                    "a.scenario",
                    "use walks\n\nscenario \"Nine steps win\"\n  from setup\n  turn red\n  expect never winner red\n",
                );
            let ran = project.run(&["test", "a.scenario"]);
            assert!(ran.code == 1 && ran.stdout.contains("9 answers"), "{owners}, {symmetry}{}", ran.all());
            let checked = project.run(&["check", "games"]);
            assert_eq!(checked.code, 0, "{owners}, {symmetry}{}", checked.all());
        }
    }
}
