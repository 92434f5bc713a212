//! `referee explore`: games with a planted hole each, what is found, and the scenarios that are left.

use insta::assert_snapshot;

use super::{Project, Ran};

/// A game in which two frogs hop over a board with three stones; `rules` are its rules.
fn pond(rules: &str) -> Project {
    pond_with("", rules)
}

/// The same with more declarations.
fn pond_with(declarations: &str, rules: &str) -> Project {
    let game = "\
game pond \"Pond\"
players 2 red blue
rules \"rules.rhai\"
rulebook \"RULES.md\"

board grid 5x5
directions 4 clockwise from north
die 1..6

piece frog for each player symbols r b
piece stone 1..3
counter flies for each player
counter round

ask hop [to] CELL
ask rest
event PIECE hops to CELL

place red at b1, blue at d1
place stone 1 at b3, stone 2 at d3, stone 3 at e5
";
    let rulebook = "# Pond\n\n[P1] Throw the die and hop.\n\n[P2] Five flies win.\n\n[P3] A frog may be stuck.\n";
    Project::new()
        .file("games/pond/pond.game", format!("{game}{declarations}"))
        .file("games/pond/RULES.md", rulebook)
        .file("games/pond/rules.rhai", rules)
}

/// The functions that the rules of each test share.
const COMMON: &str = "\
/// The free cells beside a frog.
fn landings(me) {
    let found = [];
    for direction in 1..=4 {
        let target = step(cell(frog(me)), direction);
        if target != () && at(target) == () { found.push(target); }
    }
    found
}

fn hop(me, target) {
    place(frog(me), target);
    event(\"hops\", frog(me), target);
}
";

/// A game that is right: five flies win, and each round brings one.
const RIGHT: &str = "\
fn turn(me) {
    clause(\"P1\");
    roll();
    let cells = landings(me);
    if cells.len > 0 { hop(me, choose(me, \"hop\", cells)); } else { clause(\"P3\"); }
    me.flies += 1;
    if me.flies == 5 { clause(\"P2\"); win(me); }
}
";

fn with_common(rules: &str) -> Project {
    pond(&format!("{rules}\n{COMMON}"))
}

/// Explores, writes the scenarios, and returns the run and the scenarios: these must fail as the report says, the same
/// seed must find them again, and three threads must print the same as one.
fn explored(project: &Project, arguments: &[&str]) -> (Ran, Vec<String>) {
    let with = |more: &[&str]| project.run(&[&["explore", "pond"], arguments, more].concat());
    let ran = with(&["--jobs", "1"]);
    assert_eq!(with(&["--jobs", "3"]), ran);
    let json: serde_json::Value =
        serde_json::from_str(&with(&["--format", "json", "--write", "holes"]).stdout).unwrap();
    let holes = json["holes"].as_array().unwrap();
    let mut texts = Vec::new();
    for hole in holes {
        assert_eq!(hole["shows"], true, "{hole}");
        let (file, text) = (hole["written"].as_str().unwrap(), hole["scenario"].as_str().unwrap());
        assert_eq!(std::fs::read_to_string(project.path().join(file)).unwrap(), text);
        let code = hole["code"].as_str().unwrap();
        let tested = project.run(&["test", file]);
        let expected = if matches!(
            code,
            "referee::unfinished" | "referee::unexplained_end" | "referee::endless_turn" | "referee::cannot_end"
        ) {
            "referee::expectation_failed"
        } else {
            code
        };
        assert!(tested.stdout.contains(expected) && tested.code != 0, "{text}\n{tested:?}");
        let again = hole["again"].as_str().unwrap();
        let words = shell_words(again);
        let once: Vec<&str> = words[1..].iter().map(String::as_str).chain(["--format", "json"]).collect();
        let once: serde_json::Value = serde_json::from_str(&project.run(&once).stdout).unwrap();
        let found = once["holes"].as_array().unwrap();
        assert!(found.len() == 1 || hole["answers"].is_number(), "{again}");
        assert!(found.iter().any(|found| found["scenario"] == hole["scenario"]), "{again}: {found:?}");
        texts.push(text.to_owned());
    }
    (ran, texts)
}

/// Splits a command as a shell does: words in single quotes are one word.
fn shell_words(command: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    for (at, part) in command.split('\'').enumerate() {
        match (at % 2, part) {
            (0, part) => {
                for (at, word) in part.split(' ').enumerate() {
                    if at > 0 {
                        words.push(String::new());
                    }
                    words.last_mut().unwrap().push_str(word);
                }
            }
            (_, part) => words.last_mut().unwrap().push_str(part),
        }
    }
    words.into_iter().filter(|word| !word.is_empty()).collect()
}

#[test]
fn a_game_without_holes() {
    let (ran, scenarios) = explored(&with_common(RIGHT), &["--games", "300"]);
    assert!(scenarios.is_empty());
    assert_snapshot!(ran.all());
}

#[test]
fn an_index_after_a_rare_event() {
    let rules = RIGHT.replace(
        "    roll();\n",
        "    let names = [\"N\", \"E\", \"S\", \"W\", \"N\"];\n    \
         if roll() == 6 && column(cell(frog(after(me)))) == 4 && at(cell_named(\"e5\")) == stone_3() {\n        \
         event(\"hops\", frog(me), cell_named(names[column(cell(frog(after(me)))) + 1]));\n    }\n",
    ) + "\nfn stone_3() { stone(3) }\n";
    let (ran, _) = explored(&with_common(&rules), &["--games", "300"]);
    assert_snapshot!(ran.all());
}

#[test]
fn an_ask_without_options() {
    let rules = RIGHT.replace("if cells.len > 0 { hop", "if true { hop").replace("== 5", "== 7");
    // A frog that hops only up and to the right is stuck below a stone.
    let project = pond(&format!("{rules}\n{}", COMMON.replace("1..=4", "1..=2")));
    let (ran, _) = explored(&project, &["--games", "300"]);
    assert_snapshot!(ran.all());
}

#[test]
fn an_endless_game() {
    let rules = "fn turn(me) { clause(\"P1\"); hop(me, choose(me, \"hop\", landings(me))); }\n";
    let (ran, _) = explored(&with_common(rules), &["--games", "3", "--max-turns", "200"]);
    assert_snapshot!(ran.all());
}

#[test]
fn an_endless_game_without_a_loop() {
    let rules = "fn turn(me) { clause(\"P1\"); me.flies += roll(); hop(me, choose(me, \"hop\", landings(me))); }\n";
    let (ran, _) = explored(&with_common(rules), &["--games", "3", "--max-turns", "100"]);
    assert_snapshot!(ran.all());
}

#[test]
fn an_endless_turn() {
    let rules = "fn turn(me) { loop { if choose(me, \"rest\", [may(\"rest\"), may(\"hop\", cell(frog(me)))]) == () { win(me); } } }\n";
    // Each run plays 100,000 answers, so this one must do.
    assert_snapshot!(with_common(rules).run(&["explore", "pond", "--games", "1", "--jobs", "1"]).all());
}

#[test]
fn an_end_that_no_clause_explains() {
    let rules = RIGHT.replace(
        "    clause(\"P1\");\n    roll();\n",
        "    if roll() == 1 && me.flies == 3 { nobody_wins(); }\n    clause(\"P1\");\n",
    );
    let (ran, _) = explored(&with_common(&rules), &["--games", "100"]);
    assert_snapshot!(ran.all());
}

#[test]
fn a_broken_invariant() {
    let rules = RIGHT.replace(
        "me.flies += 1;",
        "me.flies += 1;\n    if me.flies == 4 && row(cell(frog(me))) == 3 { me.flies += 3; }",
    );
    let (ran, _) = explored(&with_common(&rules), &["--games", "300", "--always", "{ red.flies <= 5 }"]);
    assert_snapshot!(ran.all());
}

/// A game whose play has few positions: a frog on c5 wins while stone 3 is on e5.
fn small(more: &str) -> Project {
    let rules = "\
fn turn(me) {
    clause(\"P1\");
    hop(me, choose(me, \"hop\", landings(me)));
    MORE
    if cell(frog(me)) == cell_named(\"c5\") && at(cell_named(\"e5\")) == stone(3) { clause(\"P2\"); win(me); }
}
";
    with_common(&rules.replace("MORE", more))
}

#[test]
fn an_error_that_random_games_miss() {
    let project = small(
        "if cell(frog(me)) == cell_named(\"a3\") && cell(frog(after(me))) == cell_named(\"d4\") { place(frog(me), in_order(one(cell_named(\"a3\")))[1]); }",
    );
    let random = project.run(&["explore", "pond", "--games", "2"]);
    assert_eq!(random.code, 0, "{random:?}");
    let (ran, _) = explored(&project, &["--games", "2", "--states", "5000"]);
    assert_snapshot!(ran.all());
    // Too few states do not lead there, and the report says so.
    let few = project.run(&["explore", "pond", "--games", "2", "--states", "20"]);
    assert_eq!(few.code, 0, "{few:?}");
    assert!(few.stdout.contains("play followed to the first 20 states, not to all"), "{few:?}");
}

#[test]
fn the_memory_for_states_is_limited() {
    let project = small("");
    let ran = project.run(&["explore", "breakthrough", "--games", "1", "--states", "100000", "--memory", "1"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let told = ran.stdout.lines().find(|line| line.starts_with("play followed to the first ")).unwrap_or_default();
    assert!(
        told.ends_with(" states, which fill 1 MB, the limit on memory; allow more memory, `--memory 2000`"),
        "{ran:?}"
    );
    let alone = project.run(&["explore", "pond", "--memory", "1"]);
    assert!(alone.code == 2 && alone.stderr.contains("--states"), "{alone:?}");
}

#[test]
fn a_position_from_which_play_cannot_end() {
    // Without stone 3 nobody can win.
    let project = small("if cell(frog(me)) == cell_named(\"b5\") { lift(stone(3)); }");
    let (ran, scenarios) = explored(&project, &["--games", "1", "--states", "5000"]);
    assert!(scenarios.iter().any(|text| text.contains("expect reachable over")), "{scenarios:?}");
    assert_snapshot!(ran.all());
}

#[test]
fn all_play_breaks_an_invariant() {
    let project = small("");
    let always = "{ cell(frog(red)) != cell_named(\"a3\") || cell(frog(blue)) != cell_named(\"e3\") }";
    let (_, scenarios) = explored(&project, &["--games", "1", "--states", "5000", "--always", always]);
    assert_eq!(scenarios.len(), 1, "{scenarios:?}");
    let scenario = &scenarios[0];
    assert!(scenario.contains("hop to"), "{scenario}");
    // An invariant that cannot be evaluated is broken as well.
    let (ran, _) =
        explored(&project, &["--games", "1", "--states", "50", "--always", "{ [true][row(cell(frog(red))) - 1] }"]);
    assert!(ran.stdout.contains("1 hole"), "{ran:?}");
}

#[test]
fn all_play_that_cannot_be_followed() {
    let project = small("if repetitions(me) > 2 { clause(\"P3\"); nobody_wins(); }");
    let ran = project.run(&["explore", "pond", "--games", "1", "--states", "100"]);
    assert!(ran.stdout.contains("play cannot be followed: the rules ask how often"), "{ran:?}");
    let json = project.run(&["explore", "pond", "--games", "1", "--states", "100", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(json["followed"]["all"], false);
    assert_eq!(json["followed"]["states"], 0);
}

#[test]
fn what_nothing_reaches() {
    let rules = format!(
        "{RIGHT}\nfn unused() {{ 1 }}\n\nfn rare(me) {{\n    if me.flies > 9 {{\n        me.flies = 0;\n        me.flies += 1;\n    }}\n}}\n"
    )
    .replace("    me.flies += 1;\n    if me.flies == 5", "    me.flies += 1;\n    rare(me);\n    if me.flies == 5");
    let project = with_common(&rules);
    let ran = project.run(&["explore", "pond", "--games", "20", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    let text = std::fs::read_to_string(project.path().join("games/pond/rules.rhai")).unwrap();
    let line_of = |words: &str| text.lines().position(|line| line.contains(words)).unwrap() + 1;
    let files = json["unreached"].as_array().unwrap();
    assert_eq!(files.len(), 1, "{json}");
    let file = &files[0];
    assert_eq!(file["functions"], serde_json::json!([{ "name": "unused", "line": line_of("fn unused") }]));
    let zero = line_of("me.flies = 0");
    let lines = file["lines"].as_array().unwrap();
    assert!(lines.contains(&serde_json::json!([zero, zero + 1])), "{json}");
    assert_snapshot!(project.run(&["explore", "pond", "--games", "20"]).all());
}

#[test]
fn the_invariants_of_a_scenario() {
    let scenario = "\
use pond

scenario \"At most {most} flies\"
  place red at a4, blue at c1
  set blue.flies 3
  always { blue.flies <= most }
  turn red
  examples
    | most |
    | 4    |
";
    let project = with_common(RIGHT).file("at-most.scenario", scenario);
    let (ran, _) = explored(&project, &["--games", "20", "--from", "at-most.scenario"]);
    assert_snapshot!(ran.all());
}

#[test]
fn hints_fail_only_if_asked_to() {
    let project = with_common(RIGHT);
    assert_eq!(project.run(&["explore", "pond", "--games", "20"]).code, 0);
    assert_eq!(project.run(&["explore", "pond", "--games", "20", "--strict"]).code, 1);
}

/// A game with an option that the rules use, one that they forgot, one of which two values mean the same, one that
/// changes only which clauses are applied, one that changes only the events, and one with which no game can begin.
fn with_options() -> Project {
    let declarations = "\
option goal = 5 in 1..9
option forgotten = off | on | often
option speed = slow | same | fast
option cited = no | yes
option told = no | yes
option broken = no | yes
";
    let rules = RIGHT
        .replace("me.flies == 5", "me.flies == option(\"goal\")")
        .replace("me.flies += 1;", "me.flies += 1;\n    if option(\"speed\") == \"fast\" { me.flies += 1; }")
        .replace(
            "roll();",
            "roll();\n    if option(\"told\") == \"yes\" { event(\"hops\", frog(me), cell(frog(me))); }",
        )
        .replace("clause(\"P1\");", "if option(\"cited\") == \"no\" { clause(\"P1\"); }");
    let set_up = "fn setup() { if option(\"broken\") == \"yes\" { players()[9] } }\n";
    pond_with(declarations, &format!("{rules}\n{set_up}\n{COMMON}"))
}

#[test]
#[ignore = "holes of 40 games, three times; the next test has fewer"]
fn options_that_make_no_difference_in_full() {
    let project = with_options();
    let (ran, _) = explored(&project, &["--games", "40"]);
    assert_snapshot!(ran.stdout.lines().filter(|line| line.starts_with("hint")).collect::<Vec<_>>().join("\n"), @"
    hint: no play applied clause `P3` (games/pond/rules.rhai:6:68)
    hint: option `forgotten` makes no difference: all 40 games are the same with each of its values
    hint: `speed = same` makes no difference: all 40 games are the same as with `speed = slow`
    hint: no game can begin with `broken = yes`: the list has 2 elements, but this reads element 9
    ");
    let chosen = project.run(&["explore", "pond", "--games", "40", "--with", "forgotten=on", "--with", "speed=fast"]);
    assert!(!chosen.stdout.contains("option `forgotten`"), "what the user sets is not varied: {}", chosen.stdout);
    let one = project.run(&["explore", "pond", "--game", "3"]);
    assert!(!one.stdout.contains("difference"), "a single game shows nothing of that: {}", one.stdout);
}

/// From a scenario, the games begin there with each value; what the scenario sets itself stays as it is.
#[test]
fn options_that_make_no_difference_from_a_scenario() {
    let scenario = "use pond\n\nscenario \"Here\"\n  with goal = 3\n  turn red\n";
    let project = with_options().file("here.scenario", scenario);
    let ran = project.run(&["explore", "pond", "--games", "40", "--from", "here.scenario"]);
    assert_snapshot!(ran.stdout.lines().filter(|line| line.starts_with("hint")).collect::<Vec<_>>().join("\n"), @"
    hint: no play applied clause `P3` (games/pond/rules.rhai:6:68)
    hint: option `forgotten` makes no difference: all 40 games are the same with each of its values
    hint: `speed = same` makes no difference: all 40 games are the same as with `speed = slow`
    hint: option `broken` makes no difference: all 40 games are the same with each of its values
    ");
}

#[test]
fn errors_in_an_invariant_are_underlined() {
    let project = with_common(RIGHT);
    let all: Vec<String> = ["{ red.flys < 3 }", "red.flies < 3", "each event { red.flies + }"]
        .iter()
        .map(|words| project.run(&["explore", "pond", "--games", "1", "--always", words]).all())
        .collect();
    assert_snapshot!(all.join("\n\n"));
}

#[test]
fn a_file_with_other_content_is_kept() {
    let project = with_common("fn turn(me) { roll(); choose(me, \"hop\", no_cells()); }\n")
        .file("holes/pond-no_options-line-1.scenario", "# mine\n");
    let ran = project.run(&["explore", "pond", "--games", "1", "--write", "holes"]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("pond-no_options-line-1.scenario exists already"), "{}", ran.stderr);
    assert!(ran.stdout.contains("1 hole"), "the report is complete without the files: {}", ran.stdout);
    let kept = std::fs::read_to_string(project.path().join("holes/pond-no_options-line-1.scenario")).unwrap();
    assert_eq!(kept, "# mine\n");
}

/// Every bundled game, in each variant: random games end within 1000 turns, but for one, and neither they nor, in the first
/// variant, the first states of all play show another hole. A sample has fewer games and states, and no other variants.
fn bundled_games_have_no_holes(count: &str, limit: u64, is_sample: bool) {
    let project = Project::new();
    let json = |arguments: &[&str]| -> serde_json::Value {
        serde_json::from_str(&project.run(&[arguments, &["--format", "json"]].concat()).stdout).unwrap()
    };
    let all = json(&["games"]);
    let games = all["games"].as_array().unwrap();
    assert!(games.len() > 5);
    for game in games {
        let id = game["game"].as_str().unwrap();
        // Its games are long.
        if is_sample && id == "squirmish" {
            continue;
        }
        let variants = game["variants"].as_array().unwrap().iter();
        let named = variants.filter_map(|variant| variant["variant"].as_str()).filter(|name| !name.is_empty());
        let flags = named.filter(|_| !is_sample).map(|name| vec!["--variant", name]);
        for flags in std::iter::once(Vec::new()).chain(flags) {
            let most = limit.to_string();
            let extent: &[&str] = match flags.is_empty() {
                true => &["--games", count, "--states", &most],
                // A single game, with which options are not compared.
                false => &["--game", "1"],
            };
            let found = json(&[&["explore", id], extent, flags.as_slice()].concat());
            assert_eq!(found["max_turns"], 1000);
            let holes = found["holes"].as_array().unwrap();
            let messages: Vec<&str> = holes.iter().map(|hole| hole["message"].as_str().unwrap()).collect();
            // Players who decide at random hardly ever end the advanced game of Squish!.
            let known: &[&str] = match (id, flags.as_slice()) {
                ("squish-board", ["--variant", "advanced"]) => &["the game is not over after 1000 turns"],
                _ => &[],
            };
            assert_eq!(messages, known, "{id} {flags:?}");
            if !flags.is_empty() {
                continue;
            }
            let followed = &found["followed"];
            let states = followed["states"].as_u64().unwrap();
            assert!(
                states == limit || followed["all"] == true || followed["why"].is_string(),
                "{id} {flags:?}: {followed}"
            );
        }
    }
}

#[test]
fn the_bundled_games_have_no_holes() {
    bundled_games_have_no_holes("1", 50, true);
}

#[test]
#[ignore = "every variant of every game, with hundreds of states"]
fn the_bundled_games_have_no_holes_in_full() {
    bundled_games_have_no_holes("5", 300, false);
}

/// The rules stop with an error under a value of an option that the random games do not have.
#[test]
fn errors_under_another_value_of_an_option_are_holes() {
    let game = "game tiny\nplayers 1 sol\nrules \"rules.rhai\"\ncounter n = 0\nask add NUMBER\n\
                option a = one | two\noption c = ok | bad | worse\n";
    let rules = "fn turn(me) {
    let k = choose(me, \"add\", 1..=3);
    if option(\"c\") != \"ok\" && game.n > 3 { k = k / (k - k); }
    if option(\"a\") == \"two\" { k += 1; }
    game.n += k;
    if game.n > 6 { win(me); }
}
";
    let start = "use tiny\n\nscenario \"Later\"\n  set game.n 2\n  turn sol\n";
    let project = Project::new()
        .file("games/tiny/tiny.game", game)
        .file("games/tiny/rules.rhai", rules)
        .file("a.scenario", start);
    let ran = project.run(&["explore", "tiny", "--games", "30"]);
    assert_eq!(ran.code, 1, "{}", ran.all());
    // One error, though two values lead to it.
    assert!(ran.stdout.ends_with("\n1 hole, 0 hints\n"), "{}", ran.stdout);
    assert!(
        ran.stdout.contains(
            "of 10 games with `c=bad`; explore the shortest again: `referee explore tiny --with c=bad --seed 1 --game "
        ),
        "{}",
        ran.stdout
    );
    assert!(ran.stdout.contains("      with c = bad\n      set game.n 4\n"), "{}", ran.stdout);
    let json = project.run(&["explore", "tiny", "--games", "30", "--format", "json", "--write", "found"]);
    let json: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    let hole = &json["holes"][0];
    assert_eq!((&hole["with"], &hole["games_with"], &hole["shows"]), (&"c=bad".into(), &10.into(), &true.into()));
    let again: Vec<&str> = hole["again"].as_str().unwrap().split(' ').skip(1).collect();
    let again = project.run(&again);
    assert!(again.code == 1 && again.stdout.contains("found in 1 of 1 game;"), "{}", again.all());
    assert_eq!(project.run(&["test", "found"]).code, 3);
    // An error that the games themselves show is not reported again.
    let ran = project.run(&["explore", "tiny", "--games", "30", "--with", "c=worse"]);
    assert!(ran.stdout.contains("of 30 games; ") && ran.stdout.contains("\n1 hole, "), "{}", ran.stdout);
    // No flag sets an option at a scenario.
    let ran = project.run(&["explore", "tiny", "--games", "30", "--from", "a.scenario"]);
    assert!(
        ran.stdout.contains(
            "`c=bad`; explore the shortest again: `referee explore tiny --from a.scenario --seed 1 --games 30`"
        ),
        "{}",
        ran.stdout
    );
}
