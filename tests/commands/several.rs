//! Bags, sets and lists in all that writes and reads them: records, positions, play, fmt.

use super::{Project, Ran};

const GAME: &str = "game rolls \"Rolls\"\nplayers 2 ann bob\nrules \"rules.rhai\"\nboard grid 3x3\ndie 1..3\n\
                    card good from \"cards.yaml\"\nproperty rolls for each player NUMBERS secret\n\
                    property path for each player LIST of CELL\nproperty seen for each player SET of NUMBER\n\
                    property moods LIST of calm|angry\nproperty owed for each good PLAYERS shared\n\
                    ask pay PIECES\nask step LIST of DIRECTION\nask mark CELLS\n\
                    event PLAYER pays PIECES\nevent PLAYER steps LIST of DIRECTION\nevent CELLS are marked\n";

const CARDS: &str = "printed: {suits: LIST of NUMBER, bag: BAG of red|blue, set: SET of NUMBER}\ncards:\n  \
                     - {name: ore, count: 3, suits: [3, 1, 3], bag: [red, blue, red], set: [2, 1]}\n  - {name: big ore}\n";

const RULES: &str = r#"fn turn(me) {
    let rolled = roll();
    me.rolls = bag_of(me.rolls + [rolled]);
    me.seen = set_of(me.seen + [rolled]);
    me.path.push(cell_named(["a1", "b2", "c3"][rolled - 1]));
    let a = piece("ore");
    let b = piece("big ore");
    let paid = choose(me, "pay", [[a, b, a], [b, a, a], [a, a], [b], []]);
    event("pays", me, paid);
    a.owed = bag_of(a.owed + [me]);
    let steps = choose(me, "step", [[1, 2], [2, 1], [1, 1], []]);
    event("steps", me, steps);
    for step in steps { game.moods.push(if step == 1 { "calm" } else { "angry" }); }
    if game.moods.len() > 4 { game.moods = game.moods.extract(-3); }
    let c3 = cell_named("c3");
    let marked = choose(me, "mark", [one(cell_named("a1")) | one(c3), [c3, cell_named("a3")]]);
    event("are marked", marked);
    if me.rolls.len() > 3 { win(me); }
}
"#;

fn project() -> Project {
    Project::new()
        .file("games/rolls/rolls.game", GAME)
        .file("games/rolls/cards.yaml", CARDS)
        .file("games/rolls/rules.rhai", RULES)
}

fn passes(ran: &Ran) {
    assert_eq!(ran.code, 0, "{}", ran.all());
}

fn judged(lines: &str) -> Ran {
    project().file("a.scenario", format!("use rolls\n\nscenario \"Several\"\n{lines}")).run(&["test", "a.scenario"])
}

#[test]
fn what_is_recorded_is_read_again() {
    let project = project();
    passes(&project.run(&["check", "games"]));
    passes(&project.run(&["simulate", "rolls", "-n", "8", "--record", "rec"]));
    passes(&project.run(&["test", "rec"]));
    let texts: Vec<String> = std::fs::read_dir(project.path().join("rec"))
        .unwrap()
        .map(|entry| std::fs::read_to_string(entry.unwrap().path()).unwrap())
        .collect();
    for written in ["pay ore x2, big ore", "pay ore x2\n", "pay none", "step N NE", "step NE N", "step N N"] {
        assert!(texts.iter().any(|text| text.contains(written)), "{written}: {texts:?}");
    }
    passes(&project.run(&["fmt", "--check", "rec"]));
}

#[test]
fn positions_have_them_and_are_read_again() {
    let lines = "  set ann.rolls 3 x2 1\n  set ann.path = a1 b2 a1\n  set game.moods calm calm\n  set ore.owed bob ann bob\n  \
                 turn ann\n  roll 3\n  ann pay big ore, ore, ore\n  expect ann.rolls = 1 3 3 3\n  expect ann.rolls = 3 x3 1\n  \
                 expect ann.path = a1 b2 a1 c3\n  expect ore.owed = ann x2 bob x2\n  ann step NE N\n  \
                 expect game.moods = calm calm angry calm\n  expect events exactly\n    > ann pays big ore, ore x2\n    \
                 > ann steps NE N\n  expect { piece(\"ore\").suits == [3, 1, 3] && piece(\"ore\").bag == [\"blue\", \"red\", \"red\"] \
                 && piece(\"ore\").set == [1, 2] }\n";
    passes(&judged(lines));
    let project = project().file("a.scenario", format!("use rolls\n\nscenario \"Several\"\n{lines}"));
    let shown = project.run(&["show", "a.scenario"]);
    // A list is written value by value.
    let moods = "game.moods = calm calm angry calm";
    for line in ["ann.rolls = 1 3 x3", "ann.path = a1 b2 a1 c3", "ore.owed = ann x2 bob x2", moods] {
        assert!(shown.stdout.contains(line), "{line}: {}", shown.all());
    }
    let seen = project.run(&["show", "a.scenario", "--view", "bob"]);
    assert!(!seen.stdout.contains("ann.rolls = 1") && seen.stdout.contains("ann.path = a1 b2"), "{}", seen.all());
}

#[test]
fn wrong_lines_are_reported_in_their_words() {
    for (line, message, help) in [
        ("set ann.rolls x2 3", "`x2` is not a number", "write it after the value: `VALUE x2`"),
        ("set ann.rolls 3 x0", "there cannot be `3 x0`", "write `none` if nothing is"),
        ("set ann.rolls 3 x10001", "a line lists at most 10000 values", "declare a counter"),
        ("set ann.path a1 x2", "a list is written value by value", "write `a1 a1`"),
        ("set ann.path a1 x1", "a list is written value by value", "write `a1`"),
        ("set ann.path a1 x9", "a list is written value by value", "write `a1 a1 a1 a1 a1 …`"),
        ("set ann.path a1 x0", "there cannot be `a1 x0`", "leave out what is not there"),
        ("set ann.seen 3 x2", "`3` is listed twice", "`SET of NUMBER` is a set"),
        ("set game.moods clam", "unknown word `clam`", "write `calm`, `angry`"),
    ] {
        let ran = judged(&format!("  {line}\n  turn ann\n"));
        assert!(ran.code != 0 && ran.all().contains(message) && ran.all().contains(help), "{line}\n{}", ran.all());
    }
}

#[test]
fn players_type_them() {
    let typed = "\npay ore, ore, big ore\nstep NE N\nmark c3 a3\n\npay ore x2\nstep none\nquit\n";
    let ran = project().run_with(&["play", "rolls", "--seed", "3"], typed);
    for line in ["ann pays ore x2, big ore", "ann steps NE N", "bob pays ore x2", "bob steps none"] {
        assert!(ran.stdout.contains(line), "{line}\n{}", ran.all());
    }
}

#[test]
fn they_are_explored_and_their_options_are_counted() {
    let project = project();
    // Three faces; four bags; four lists; two sets.
    passes(&judged(
        "  turn ann\n  expect perft 1 = 3\n  expect perft 2 = 12\n  expect perft 3 = 48\n  expect perft 4 = 96\n",
    ));
    let ran = project.run(&["explore", "rolls", "--games", "20"]);
    passes(&ran);
}

#[test]
fn words_of_an_earlier_version_are_replaced_in_data_files() {
    let before = "# NUMBERS were lists.\nprinted:\n  needs: [suits]\n  suits: NUMBERS  # in order\n  names: &texts \"TEXTS\"\n  \
                  stats: {life: NUMBER, tags: TEXTS, signs: *texts}\ncards:\n  - {name: ore, suits: [3, 1, 3], names: [NUMBERS]}\n";
    let after = before
        .replace("suits: NUMBERS", "suits: LIST of NUMBER")
        .replace("\"TEXTS\"", "\"LIST of TEXT\"")
        .replace("tags: TEXTS", "tags: LIST of TEXT");
    let other = "printed: {suits: NUMBERS}\n";
    let project = Project::new()
        .file(
            "games/old/old.game",
            "game old \"Old\"\nplayers 1 ann\nrules \"rules.rhai\"\ncard good from \"cards.yaml\"\n",
        )
        .file("games/old/rules.rhai", "fn turn(me) { if piece(\"ore\").suits[1] == 1 { win(me); } }\n")
        .file("games/old/cards.yaml", before)
        .file("other.yaml", other)
        .file("a.scenario", "use old\nscenario  \"It wins\"\n  turn ann\n  expect winner ann\n");
    let read = |name: &str| std::fs::read_to_string(project.path().join(name)).unwrap();
    let ran = project.run(&["check", "games"]);
    assert_eq!(ran.all().matches("changed_kind").count(), 3, "{}", ran.all());
    assert!(ran.all().contains("write `LIST of NUMBER` for what it was, or `BAG of NUMBER`"), "{}", ran.all());
    insta::assert_snapshot!(project.run(&["fmt", "--upgrade", "--check"]).all());
    assert_eq!(read("games/old/cards.yaml"), before);
    let ran = project.run(&["fmt", "--upgrade"]);
    passes(&ran);
    assert!(ran.stdout.contains("upgraded games/old/cards.yaml") && ran.stdout.contains("1 changed"), "{}", ran.all());
    assert_eq!((read("games/old/cards.yaml"), read("other.yaml")), (after, other.to_owned()));
    // Nothing was formatted.
    assert!(read("a.scenario").contains("scenario  \"It"));
    passes(&project.run(&["check", "games"]));
    passes(&project.run(&["test", "a.scenario"]));
    let ran = project.run(&["fmt", "--upgrade", "--check"]);
    assert!(ran.code == 0 && ran.stdout.contains("all in the words of this version"), "{}", ran.all());
}
