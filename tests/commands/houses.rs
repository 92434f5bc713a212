//! House rules that declare, in folders of their own.

use super::{Project, Ran};

/// A house rule that declares everything that one may: see its files.
const TOKENS: [(&str, &str); 5] = [
    ("tokens.house", include_str!("base/tokens/tokens.house")),
    ("cards.yaml", include_str!("base/tokens/cards.yaml")),
    ("RULES.md", include_str!("base/tokens/RULES.md")),
    ("rules.rhai", include_str!("base/tokens/rules.rhai")),
    ("tokens.scenario", include_str!("base/tokens/tokens.scenario")),
];

/// The script of a house rule that changes nothing of what is seen.
const SAME: &str = "fn walk(me, points) { base_walk(me, points); }\n";

/// The lines of a scenario of the small game.
fn scenario(lines: &str) -> String {
    format!("use hop\n\nscenario \"It\"\n{lines}")
}

fn tokens() -> Project {
    TOKENS
        .iter()
        .fold(Project::hop(), |project, (file, text)| project.file(&format!("games/hop/house/tokens/{file}"), text))
}

/// The small game with these files below its folder `house`.
fn with(files: &[(&str, &str)]) -> Project {
    files.iter().fold(Project::hop(), |project, (file, text)| project.file(&format!("games/hop/house/{file}"), text))
}

/// The codes of the errors of a run, in order, each with the file and the line that is underlined first.
fn codes(ran: &Ran) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for line in ran.all().lines() {
        if let Some(code) = line.trim().trim_start_matches("error: ").strip_prefix("referee::") {
            found.push((code.to_owned(), String::new()));
        } else if let Some((code, place)) = found.last_mut()
            && let Some((_, rest)) = line.split_once("─[")
            && place.is_empty()
            && !code.is_empty()
        {
            let (place_of, _) = rest.rsplit_once(':').unwrap();
            *place = place_of.to_owned();
        }
    }
    found
}

#[test]
fn a_house_rule_declares_whatever_a_game_file_does() {
    let project = tokens();
    let ran = project.run(&["check"]);
    assert_eq!(ran.code, 0, "{}", ran.all());
    // All names of the house rule are used; those of the game that nothing uses were so before.
    assert!(!ran.all().contains("tokens"), "{}", ran.all());
    let ran = project.run(&["test", "games"]);
    assert_eq!(ran.code, 0, "{}", ran.all());
    assert!(ran.stdout.contains("2 passed, 0 failed"), "{}", ran.all());
}

#[test]
fn a_house_rule_is_listed_with_its_options() {
    let project = tokens();
    insta::assert_snapshot!(project.run(&["games", "hop"]).all());
    let json: serde_json::Value =
        serde_json::from_str(&project.run(&["games", "hop", "--format", "json"]).stdout).unwrap();
    let houses = &json["games"][0]["houses"];
    assert_eq!(houses[0]["house"], "tokens");
    assert_eq!(houses[0]["options"][0]["option"], "price");
    assert_eq!(houses[0]["options"][0]["default"], "1");
    assert_eq!(json["games"][0]["options"].as_array().unwrap().len(), 2, "the game has only its own options");
}

#[test]
fn coverage_counts_what_a_house_rule_declares() {
    let project = tokens();
    let ran = project.run(&["coverage", "games", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(json["games"][0]["game"], "hop");
    let clauses = json["games"][0]["clauses"].to_string();
    assert!(clauses.contains("T1") || ran.stdout.contains("\"clause\":\"T1\""), "{}", ran.stdout);
    // Its scenarios leave `leave` out, and never play the other temper.
    insta::assert_snapshot!(project.run(&["coverage", "games"]).all());
}

#[test]
fn coverage_counts_the_clauses_of_a_house_rule_that_no_scenario_uses() {
    let project = tokens().file("a.scenario", scenario("  covers R1\n  turn red\n  roll distance 1\n"));
    let ran = project.run(&["coverage", "a.scenario"]);
    for missing in ["clause T1", "clause T2", "house rule tokens", "ask grab", "event grabs"] {
        assert!(ran.stdout.contains(missing), "{missing} is missing in {}", ran.all());
    }
}

#[test]
fn a_claim_of_a_clause_of_a_house_rule_is_checked() {
    let lines = "  with house \"tokens\"\n  covers T2\n  setup\n  draw clover\n  draw clover\n  expect not over\n";
    let ran = tokens().file("a.scenario", scenario(lines)).run(&["test", "a.scenario"]);
    assert_eq!(ran.code, 1, "{}", ran.all());
    assert!(ran.stdout.contains("does not apply clause T2"), "{}", ran.all());
}

#[test]
fn a_name_of_a_house_rule_that_is_not_in_use_is_recognised() {
    let lines = "  with price = 4\n  covers T1\n  set red.pennies 2\n  turn red\n  roll wind N\n  red grab c3\n  \
                 expect { red.pennies == 2 }\n  expect hand red = clover\n";
    let ran = tokens().file("a.scenario", scenario(lines)).run(&["test", "a.scenario"]);
    insta::assert_snapshot!(ran.all());
}

#[test]
fn the_flags_of_commands_know_what_a_house_rule_declares() {
    let project = tokens();
    let ran = project.run(&["simulate", "hop", "--house", "tokens", "--with", "price=2", "--games", "5"]);
    assert_eq!(ran.code, 0, "{}", ran.all());
    assert!(ran.stdout.contains("pennies"), "the counter of each player is counted: {}", ran.all());
    let ran = project.run(&["simulate", "hop", "--with", "price=2", "--games", "5"]);
    insta::assert_snapshot!(ran.all());
}

#[test]
fn every_command_plays_with_a_house_rule_that_declares() {
    let project = tokens();
    for (arguments, code) in [
        (&["moves", "games/hop/house/tokens/tokens.scenario", "--scenario", "All of it"][..], 0),
        (&["show", "games/hop/house/tokens/tokens.scenario", "--scenario", "All of it"], 0),
        (&["explore", "hop", "--house", "tokens", "--games", "20"], 0),
        (&["compare", "hop", "games", "--house", "tokens", "--set", "price=5", "--games", "5", "--states", "0"], 0),
        (&["readings", "hop", "games"], 0),
        (&["perft", "hop", "--house", "tokens", "--depth", "1"], 0),
        (&["fmt", "--check", "games/hop/house"], 0),
    ] {
        let ran = project.run(arguments);
        assert_eq!(ran.code, code, "{arguments:?}: {}", ran.all());
    }
    let ran = project.run(&["mutate", "hop"]);
    assert!(ran.stdout.contains("games/hop/house/tokens/rules.rhai"), "its script is changed, too: {}", ran.all());
}

#[test]
fn questions_know_what_a_house_rule_declares() {
    let lines = "  with house \"tokens\"\n  place red at b2, coin at c3, blue at e5\n  hand red: clover\n  turn red\n  \
                 roll distance 1\n  red walk to c2\n  red grab c3\n  expect asks roll wind\n  \
                 expect chance red lucky = 1/4\n  expect reachable red lucky within 1 turn\n  \
                 expect never { game.pot > 0 } within 1 turn\n";
    let ran = tokens().file("a.scenario", scenario(lines)).run(&["test", "a.scenario"]);
    assert_eq!(ran.code, 0, "{}", ran.all());
}

#[test]
fn a_game_of_a_house_rule_is_written_as_a_scenario_that_replays() {
    let project = tokens();
    let flags = ["simulate", "hop", "--house", "tokens", "--with", "price=2", "--games", "1", "--record", "played"];
    let ran = project.run(&flags);
    assert_eq!(ran.code, 0, "{}", ran.all());
    let folder = std::fs::read_dir(project.path().join("played")).unwrap();
    let files: Vec<_> =
        folder.map(|file| file.unwrap().path()).filter(|file| file.extension().unwrap() == "scenario").collect();
    assert_eq!(files.len(), 1, "{files:?}");
    let written = std::fs::read_to_string(&files[0]).unwrap();
    assert!(written.contains("with house \"tokens\"") && written.contains("with price = 2"), "{written}");
    let ran = project.run(&["test", "played"]);
    assert_eq!(ran.code, 0, "{}\n{written}", ran.all());
}

#[test]
fn tables_know_what_a_house_rule_declares() {
    let lines = "  with house \"tokens\"\n  place red at b2, {what} at c3, blue at e5\n  hand red: {card}\n  set red.pennies {n}\n  \
                 expect c3 holds {what}\n  expect hand red = {card}\n  expect { red.pennies == n }\n  examples\n    \
                 | what     | card      | n |\n    | coin     | clover    | 3 |\n    | flagpole | horseshoe | 4 |\n";
    let ran = tokens().file("a.scenario", scenario(lines)).run(&["test", "a.scenario"]);
    assert_eq!(ran.code, 0, "{}", ran.all());
    // In expressions a column with the name of a piece would hide it.
    let ran = tokens().file("a.scenario", scenario(&lines.replace("what", "coin"))).run(&["test", "a.scenario"]);
    assert_eq!(codes(&ran), [("hides_component".to_owned(), "a.scenario:12".to_owned())], "{}", ran.all());
}

/// The only die of a game needs no name in its rules and examples, which do not change.
#[test]
fn a_die_of_a_house_rule_is_beside_the_only_one_of_the_game() {
    let game = "game toss\nplayers 1 ann\nrules \"rules.rhai\"\ndie 1..6\ncounter sum\n";
    let rules = "fn turn(me) { game.sum += roll(); more(me); if game.sum > 30 { win(me); } }\nfn more(me) { }\n";
    let coin = "fn more(me) { if roll(\"coin\") == \"heads\" { game.sum += 10; } game.sum += roll(); }\n";
    let text = "use toss\n\nscenario \"Alone\"\n  turn ann\n  roll 5\n  expect game.sum = 5\n\nscenario \"With a coin\"\n  \
                with house \"coin\"\n  turn ann\n  roll 5, coin heads, 2\n  expect game.sum = 17\n  expect asks roll\n";
    let project = Project::new()
        .file("games/toss/toss.game", game)
        .file("games/toss/rules.rhai", rules)
        .file("games/toss/house/coin/coin.house", "house coin\ndie coin heads | tails\n")
        .file("games/toss/house/coin/rules.rhai", coin)
        .file("a.scenario", text);
    for arguments in [&["check"][..], &["test", "a.scenario"]] {
        let ran = project.run(arguments);
        assert_eq!(ran.code, 0, "{arguments:?}: {}", ran.all());
    }
    let flags = ["simulate", "toss", "--house", "coin", "--games", "1", "--record", "played"];
    project.run(&flags);
    let ran = project.run(&["test", "played"]);
    assert_eq!(ran.code, 0, "{}", ran.all());
    let nameless = project.file("games/toss/house/coin/coin.house", "house coin\ndie heads | tails\n");
    let found = codes(&nameless.run(&["check"]));
    assert_eq!(found, [("wrong_die".to_owned(), "games/toss/house/coin/coin.house:2".to_owned())]);
}

#[test]
fn lines_that_a_house_rule_cannot_have() {
    let lines = "house bade \"Another name\"
game hop
players 2 ann bob
board grid 6x6
directions 4 clockwise from north
arrow a1 -> b2
arrows \"arrows.yaml\"
symmetry colours
variant long
with goal = 3
with edge = torus
with house \"tokens\"
board
house bad
rules \"rules.rhai\"
rules \"other.rhai\"
rock 3
";
    let project = with(&[("bad/bad.house", lines), ("bad/rules.rhai", SAME)]);
    insta::assert_snapshot!(project.run(&["check"]).all());
}

#[test]
fn names_that_the_game_has() {
    let lines = "house bad
counter score for each player
ask walk [to] CELL
event PIECE rests
option goal = 1 in 1..4
die luck 1..6
piece stone 3..4
piece dog symbol X
zone red
";
    insta::assert_snapshot!(with(&[("bad/bad.house", lines)]).run(&["check"]).all());
}

#[test]
fn a_clause_that_the_game_has() {
    let rulebook = "# Bad\n\n[R2] A clause of its own. See [R1].\n\n[H1] This one is new, and names [R3] and [R9].\n";
    let files = [("bad/bad.house", "house bad\nflag warm\n"), ("bad/RULES.md", rulebook)];
    insta::assert_snapshot!(with(&files).run(&["check"]).all());
}

#[test]
fn a_name_that_the_rules_of_the_game_use_otherwise() {
    let files = [("bad/bad.house", "house bad\npiece target symbol t\n")];
    insta::assert_snapshot!(with(&files).run(&["check"]).all());
}

#[test]
fn a_house_rule_has_one_place() {
    let both = with(&[("warm.rhai", SAME), ("warm/warm.house", "house warm\nflag warm\n")]);
    insta::assert_snapshot!("both", both.run(&["check"]).all());
    // A folder with other files beside a script is none.
    let notes = with(&[("warm.rhai", SAME), ("warm/notes.txt", "Warm.")]);
    assert_eq!(notes.run(&["check"]).code, 0);
    let loose = with(&[("warm/rules.rhai", SAME)]);
    insta::assert_snapshot!("loose", loose.run(&["check"]).all());
    let renamed = with(&[("warm/hot.house", "house hot\nflag warm\n")]);
    insta::assert_snapshot!("renamed", renamed.run(&["check"]).all());
    let empty = with(&[("warm/warm.house", "# Nothing.\nhouse warm\n")]);
    insta::assert_snapshot!("empty", empty.run(&["check"]).all());
    let unnamed = with(&[("warm/warm.house", "# A flag.\nflag warm\n")]);
    insta::assert_snapshot!("unnamed", unnamed.run(&["check"]).all());
    let unused =
        with(&[("warm/warm.house", "house warm\nflag warm\n"), ("warm/walk.rhai", SAME), ("warm/a.yaml", "a: 1\n")]);
    insta::assert_snapshot!("unused", unused.run(&["check"]).all());
    let missing = with(&[("warm/warm.house", "house warm\nrules \"walk.rhai\"\ncard x from \"../cards.yaml\"\n")]);
    insta::assert_snapshot!("missing", missing.run(&["check"]).all());
}

#[test]
fn two_house_rules_that_do_not_go_together() {
    let files = [
        ("one/one.house", "house one\ncounter coins for each player = 0\nplace rock at a3\n"),
        ("two/two.house", "house two\ncounter coins for each player = 1\nplace rock at c3\n"),
        ("six/six.house", "house six\npiece dog symbol d\n"),
        ("ten/ten.house", "house ten\npiece cat symbol d\nplace rock at c1\n"),
    ];
    let text = scenario("  with house \"one\"\n  with house \"two\"\n  turn red\n")
        + "\nscenario \"Symbols\"\n  with house \"six\"\n  with house \"ten\"\n  turn red\n"
        + "\nscenario \"Places\"\n  with house \"one\"\n  with house \"ten\"\n  turn red\n";
    let project = with(&files).file("a.scenario", text);
    // Each is right alone.
    let checked = project.run(&["check", "games"]);
    assert_eq!(checked.code, 0, "{}", checked.all());
    insta::assert_snapshot!(project.run(&["test", "a.scenario"]).all());
    let flags = project.run(&["simulate", "hop", "--house", "one", "--house", "two", "--games", "1"]);
    assert_eq!(codes(&flags), [("house_conflict".to_owned(), "(command line):3".to_owned())], "{}", flags.all());
}

#[test]
fn what_two_house_rules_declare_in_the_same_words_is_one_thing() {
    let files = [
        ("one/one.house", "house one\ncounter   coins for each player = 0 # Coins.\nplace rock at c3\n"),
        ("one/rules.rhai", "fn walk(me, points) { me.coins += 1; base_walk(me, points); }\n"),
        ("two/two.house", "house two\nflag warm\ncounter coins for each player = 0\nplace rock at c3\n"),
        ("two/rules.rhai", "fn walk(me, points) { me.coins += 2; game.warm = true; base_walk(me, points); }\n"),
    ];
    let lines = "  with house \"one\"\n  with house \"two\"\n  turn red\n  roll distance 1\n  expect red.coins = 3\n  \
                 expect game warm\n";
    let set_up = "\nscenario \"Set-up\"\n  with house \"two\"\n  with house \"one\"\n  expect rock at c3\n";
    let ran = with(&files).file("a.scenario", scenario(lines) + set_up).run(&["test", "a.scenario"]);
    assert_eq!(ran.code, 0, "{}", ran.all());
}

#[test]
fn a_house_rule_over_a_house_rule_uses_its_names() {
    let files = [
        ("coins/coins.house", "house coins\ncounter coins for each player = 0\nevent PLAYER has NUMBER coins\n"),
        (
            "coins/rules.rhai",
            "fn walk(me, points) { me.coins += 1; event(\"has\", me, me.coins); base_walk(me, points); }\n",
        ),
        ("double.rhai", "fn walk(me, points) { base_walk(me, points); if points > 1 { tally(me, \"score\", 1); } }\n"),
    ];
    let lines = "  with house \"coins\"\n  with house \"double\"\n  turn red\n  roll distance 2\n  expect red.coins = 1\n  \
                 expect events\n    > red has 1 coins\n";
    let ran = with(&files).file("a.scenario", scenario(lines)).run(&["test", "a.scenario"]);
    assert_eq!(ran.code, 0, "{}", ran.all());
}

#[test]
fn the_set_up_of_a_house_rule_is_over_that_of_each_variant() {
    let drawn = "house drawn\nboard\n  | . . . . .\n  | . . . . .\n  | . b . r .\n  | . . . . .\n  | . . . . .\n";
    let files = [
        ("moved/moved.house", "house moved\nplace red at b2, stone 1 at c4\nset red.score 1\n"),
        ("drawn/drawn.house", drawn),
    ];
    let text = scenario(
        "  with house \"moved\"\n  expect red at b2\n  expect blue at e5\n  expect stone 1 at c4\n  \
                         expect red.score = 1\n",
    ) + "\nscenario \"Drawn\"\n  with house \"drawn\"\n  expect red at d3\n  expect blue at b3\n"
        + "\nscenario \"Without\"\n  expect red at a1\n  expect stone 1 off\n";
    let ran = with(&files).file("a.scenario", text).run(&["test", "a.scenario"]);
    insta::assert_snapshot!(ran.all());
}

#[test]
fn a_house_rule_must_keep_the_symmetries_of_its_game() {
    let project = Project::new();
    assert_eq!(project.run(&["new", "lines", "--from", "breakthrough"]).code, 0);
    let lines = "house crooked\nflag bent for each player\n";
    let rules = "fn moves(me) { let all = base_moves(me); all.filter(|move| !(\"a1\" == `${move.from}`) && column(move.to) != 1) }\n";
    let project = project
        .file("games/lines/house/crooked/crooked.house", lines)
        .file("games/lines/house/crooked/rules.rhai", rules);
    let ran = project.run(&["check", "games/lines"]);
    assert_eq!(codes(&ran).first().map(|(code, _)| code.as_str()), Some("asymmetric"), "{}", ran.all());
    assert!(ran.all().contains("with house \"crooked\""), "{}", ran.all());
}

#[test]
fn the_file_of_a_house_rule_is_formatted() {
    let text = "house   warm   \"Warm\"\n   counter  coins   for each player=0\n\n\n\nask hum   \"Hum\"\nask  whistle \"Whistle\"\n";
    let project = with(&[("warm/warm.house", text)]);
    assert_eq!(project.run(&["fmt"]).code, 0);
    let formatted = std::fs::read_to_string(project.path().join("games/hop/house/warm/warm.house")).unwrap();
    insta::assert_snapshot!(formatted);
}
