//! `referee compare`: what an option or a house rule changes.

use serde_json::Value;

use super::readings::steps;
use super::{Project, Ran};

/// A race for a high throw. If a throw wins with the chance p, the first of two players wins with 1 / (2 - p), and a game
/// takes 1 / p turns on average.
const SIXES: &str = "\
game sixes \"Sixes\"
players 2..3 red blue green
rules \"rules.rhai\"
rulebook \"RULES.md\"
board grid 3x1
die 1..6
piece marker for each player symbols r b g
option needed = 6 in 2..6    \"The least throw that wins\"
option colour = red | blue   \"Nothing\"
";

const RULES: &str = "\
fn turn(me) { thrown(me, roll()); }
fn thrown(me, number) {
    if number >= option(\"needed\") { clause(\"S1\"); win(me); }
}
";

const HOUSE: &str = "\
/// Cautious: a one ends the game.
fn thrown(me, number) {
    if number == 1 { draw_game(); } else { base_thrown(me, number); }
}
";

const SCENARIOS: &str = "\
use sixes

scenario \"A five does not win\"
  turn red
  roll 5
  expect not over

scenario \"A six wins\"
  turn red
  roll 6
  expect winner red

scenario \"A four wins with this option\"
  with needed = 4
  turn red
  roll 4
  expect winner red

scenario \"The first player has the better chance\"
  turn red
  expect chance winner red > 1/2 to the end of the game
";

/// A project with the game, these rules and these scenarios.
fn sixes_of(rules: &str, scenarios: &str) -> Project {
    Project::new()
        .file("games/sixes/sixes.game", SIXES)
        .file("games/sixes/rules.rhai", rules)
        .file("games/sixes/RULES.md", "[S1] Who throws enough wins.\n")
        .file("games/sixes/house/cautious.rhai", HOUSE)
        .file("scenarios/sixes.scenario", scenarios)
}

fn sixes() -> Project {
    sixes_of(RULES, SCENARIOS)
}

/// Runs `referee compare`, with words split at spaces.
fn compare(project: &Project, line: &str) -> Ran {
    let arguments: Vec<&str> = std::iter::once("compare").chain(line.split_whitespace()).collect();
    project.run(&arguments)
}

/// Returns the JSON output of a run.
fn compared(project: &Project, line: &str) -> Value {
    let ran = compare(project, &format!("{line} --format json"));
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{line}: {}", ran.all());
    serde_json::from_str(&ran.stdout).unwrap()
}

/// Returns the statistics of the first reading in a comparison.
fn statistics(found: &Value) -> &Vec<Value> {
    found["readings"][0]["statistics"].as_array().unwrap()
}

fn statistic<'v>(found: &'v Value, name: &str) -> &'v Value {
    statistics(found).iter().find(|one| one["statistic"] == name).unwrap()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

/// Whether the interval of a statistic contains a number.
fn contains(statistic: &Value, wanted: f64) -> bool {
    number(&statistic["low"]) <= wanted && wanted <= number(&statistic["high"])
}

#[test]
fn an_option_changes_scenarios_odds_and_games() {
    insta::assert_snapshot!(compare(&sixes(), "sixes --set needed=4").all());
    insta::assert_snapshot!("house_rule", compare(&sixes(), "sixes --house cautious --against needed=5 -n 200").all());
    insta::assert_snapshot!("json", compare(&sixes(), "sixes --set needed=4 -n 100 --format json").all());
}

#[test]
fn boards_are_shown_beside_each_other() {
    let scenarios = "\
scenario \"Two cells\"
  turn red
  red go
  expect red at c1

scenario \"Beyond the edge\"
  place red at i1
  turn red
  red go
  expect red at i1

scenario \"Only the last position changes\"
  turn red
  red go
  expect a2 holds red
";
    let ran = compare(&steps(scenarios), "steps --set length=3 --max-plies 4 -n 50");
    insta::assert_snapshot!(ran.all());
    // A house rule of another script.
    let ran = compare(&steps(scenarios), "steps --house still --max-plies 4 -n 50");
    insta::assert_snapshot!("still", ran.all());
}

#[test]
fn known_differences_are_found() {
    let found = compared(&sixes(), "sixes --set needed=4 -n 4000 --chance {players().len>0}");
    let odds = found["readings"][0]["odds"]["rows"].as_array().unwrap();
    let fractions = |row: &Value| {
        [&row["before"]["fraction"], &row["after"]["fraction"]].map(|one| one.as_str().unwrap().to_owned())
    };
    assert_eq!(odds.iter().map(fractions).collect::<Vec<_>>(), [["6/11", "2/3"], ["5/11", "1/3"], ["1", "1"]]);
    // 2/3 - 6/11 = 4/33; 2 - 6 = -4 turns.
    let (wins, turns) = (statistic(&found, "red wins"), statistic(&found, "turns in a game"));
    assert!(wins["seen"] == "differs" && contains(wins, 4.0 / 33.0), "{wins}");
    assert!(turns["seen"] == "differs" && contains(turns, -4.0), "{turns}");
    assert_eq!(statistic(&found, "{players().len>0}")["seen"], "same");
}

#[test]
fn without_an_effect_nothing_differs() {
    let found = compared(&sixes(), "sixes --set colour=blue -n 300");
    assert!(statistics(&found).iter().all(|one| one["seen"] == "same" && one["games_needed"].is_null()), "{found}");
    assert_eq!(found["readings"][0]["scenarios"]["changed"], 0);
    assert!(found["readings"][0]["odds"]["rows"].as_array().unwrap().iter().all(|row| row["equal"] == true), "{found}");
}

#[test]
fn a_reading_does_not_differ_from_itself() {
    let sixes = sixes();
    let bundled = Project::new();
    for (project, line) in [
        (&sixes, "sixes --set needed=4 --against needed=4 -n 60"),
        (&sixes, "sixes --house cautious --against cautious -n 60"),
        (&sixes, "sixes --set needed=6 -n 60"),
        (&bundled, "pig --set goal=30 --against goal=30 -n 20 --states 100 --policy greedy:me.score"),
        (
            &bundled,
            "squish-blocks --players 3 --set deck_out=immediately --against deck_out=immediately -n 10 --states 100",
        ),
    ] {
        let ran = compare(project, line);
        assert!(ran.stdout.contains("these are the same: "), "{line}: {}", ran.all());
        let found = compared(project, line);
        let reading = &found["readings"][0];
        assert!(statistics(&found).iter().all(|one| one["seen"] == "same"), "{line}: {found}");
        assert_eq!(reading["scenarios"]["changed"], 0, "{line}");
        assert_eq!(reading["effect"]["size"], 0.0, "{line}");
    }
}

#[test]
fn readings_in_the_other_order_differ_by_as_much() {
    let project = sixes();
    let one = compared(&project, "sixes --house cautious --against needed=5 -n 200");
    let other = compared(&project, "sixes --set needed=5 --against cautious -n 200");
    for (one, other) in statistics(&one).iter().zip(statistics(&other)) {
        assert_eq!((&one["before"], &one["after"]), (&other["after"], &other["before"]));
        assert_eq!(one["games_needed"], other["games_needed"]);
        for (field, opposite) in [("difference", "difference"), ("low", "high"), ("high", "low")] {
            assert!((number(&one[field]) + number(&other[opposite])).abs() < 2e-6, "{one} {other}");
        }
    }
}

/// Returns the JSON of `referee simulate`.
fn simulated(project: &Project, line: &str) -> Value {
    let arguments: Vec<&str> = ["simulate", "sixes", "--format", "json"].into_iter().chain(line.split(' ')).collect();
    serde_json::from_str(&project.run(&arguments).stdout).unwrap()
}

#[test]
fn means_are_those_of_simulated_games() {
    let project = sixes();
    let found = compared(&project, "sixes --house cautious --against needed=5 --players 3 -n 300 --seed 7");
    for (field, flags) in [("before", "--with needed=5"), ("after", "--house cautious")] {
        let run = simulated(&project, &format!("{flags} --players 3 -n 300 --seed 7"));
        let share = |games: &Value| number(&games["share"]);
        for (at, player) in ["red", "blue", "green"].iter().enumerate() {
            assert_eq!(
                number(&statistic(&found, &format!("{player} wins"))[field]),
                share(&run["players"][at]["wins"])
            );
        }
        assert_eq!(number(&statistic(&found, "draw")[field]), share(&run["draws"]));
        assert_eq!(statistic(&found, "turns in a game")[field], run["plies"]["mean"]);
        // Means are rounded to six places.
        let times = number(&statistic(&found, "S1 applied in a game")[field]) * 300.0;
        assert!((times - number(&run["clauses"][0]["times"])).abs() < 1e-3, "{times}");
    }
}

#[test]
fn intervals_are_those_of_the_single_games() {
    let project = sixes();
    let found = compared(&project, "sixes --set needed=3 -n 12 --seed 5");
    // Each game alone, under each reading.
    let turns = |flags: &str| -> Vec<f64> {
        let game = |number: u32| simulated(&project, &format!("{flags}-n 1 --first-game {number} --seed 5"));
        (1..=12).map(|at| number(&game(at)["plies"]["sum"])).collect()
    };
    let differences: Vec<f64> =
        turns("").iter().zip(turns("--with needed=3 ")).map(|(one, other)| other - one).collect();
    let mean = differences.iter().sum::<f64>() / 12.0;
    let variance = differences.iter().map(|one| (one - mean).powi(2)).sum::<f64>() / 11.0;
    // 2.200985 is the quantile of Student's distribution with 11 degrees of freedom for 95 %, on both sides.
    let half = 2.200_985 * (variance / 12.0).sqrt();
    let turns = statistic(&found, "turns in a game");
    for (field, wanted) in [("difference", mean), ("low", mean - half), ("high", mean + half)] {
        assert!((number(&turns[field]) - wanted).abs() < 1e-5, "{field}: {wanted} {turns}");
    }
    // 1.959964 and 1.644854 are quantiles of the normal distribution, for 95 % on both sides and on one.
    let wanted = ((1.959_964_f64 + 1.644_854).powi(2) * variance / mean.powi(2)).ceil();
    assert_eq!(number(&turns["games_needed"]), wanted.max(2.0));
}

#[test]
fn all_options_are_ranked_by_their_effect() {
    insta::assert_snapshot!(compare(&sixes(), "sixes --all-options -n 300").all());
    let found = compared(&sixes(), "sixes --all-options -n 300");
    let readings: Vec<&str> =
        found["readings"].as_array().unwrap().iter().map(|one| one["reading"].as_str().unwrap()).collect();
    // Mean lengths of 6/5, 6/4, 2 and 3 turns instead of 6; a one or a six ends the game after 3.
    assert_eq!(readings[..3], ["needed=2", "needed=3", "needed=4"]);
    assert_eq!(readings[5], "colour=blue");
    // Every value is compared with the given base, which itself is not among them.
    let found = compared(&sixes(), "sixes --all-options --against needed=2 --against cautious -n 20 --states 0");
    let readings = found["readings"].as_array().unwrap();
    let labels: Vec<&str> = readings.iter().map(|one| one["reading"].as_str().unwrap()).collect();
    assert_eq!(labels.len(), 5, "{labels:?}");
    assert!(labels.contains(&"needed=2, colour=blue, cautious"), "{labels:?}");
    // The command that is advised is one that can be run.
    let ran = compare(&sixes(), "sixes --all-options --against colour=blue --against cautious -n 20 --states 0");
    let advised = ran.stdout.rsplit("`referee compare ").next().unwrap().trim_end().trim_end_matches('`');
    assert_eq!(
        advised,
        "sixes --set colour=blue --set needed=2 --house cautious --against colour=blue --against cautious"
    );
    assert_eq!(compare(&sixes(), advised).code, 0);
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let wrong = "fn turn(me) { thrown(me, roll()); }\nfn thrown(me, number) { if option(\"needed\") < 4 && number == 3 { let list = [1]; list[number]; } if number >= option(\"needed\") { win(me); } }";
    let (good, wrong) = (sixes(), sixes_of(wrong, SCENARIOS));
    for (project, line) in [
        (&good, "sixes --set needed=4 -n 300"),
        (&good, "sixes --all-options -n 100 --format json"),
        (&wrong, "sixes --all-options -n 200"),
        (&wrong, "sixes --set needed=4 --against needed=2 -n 200"),
    ] {
        let one = compare(project, &format!("{line} --jobs 1"));
        assert!(!one.stdout.is_empty(), "{}", one.all());
        for jobs in ["2", "3", "7"] {
            assert_eq!(compare(project, &format!("{line} --jobs {jobs}")), one, "{line}");
        }
    }
}

#[test]
fn errors_of_the_rules_are_reported_with_their_reading() {
    let wrong = "fn turn(me) { thrown(me, roll()); }\nfn thrown(me, number) {\n    if option(\"needed\") == 5 && number == 3 { let list = [1]; list[number]; }\n    if number >= option(\"needed\") { win(me); }\n}\n";
    let project = sixes_of(wrong, SCENARIOS);
    let mut said = String::new();
    for line in ["sixes --set needed=5", "sixes --set needed=4 --against needed=5", "sixes --all-options -n 50"] {
        let ran = compare(&project, line);
        assert_eq!(ran.code, 3, "{line}: {}", ran.all());
        said.push_str(&format!("$ referee compare {line}\n{}\n\n", ran.all()));
    }
    // Without a first turn no game can be played under a reading, but its scenarios can.
    let at_once = "fn turn(me) {\n    if option(\"needed\") == 3 { let list = players(); list[7]; }\n    thrown(me, roll());\n}\nfn thrown(me, number) { if number == 6 { win(me); } }\n";
    let project = sixes_of(at_once, SCENARIOS);
    for line in ["sixes --set needed=3", "sixes --all-options -n 50 --states 0"] {
        let ran = compare(&project, line);
        assert_eq!(ran.code, 3, "{line}: {}", ran.all());
        said.push_str(&format!("$ referee compare {line}\n{}\n\n", ran.all()));
    }
    insta::assert_snapshot!(said.trim_end());
}

#[test]
fn a_game_that_is_over_at_once_has_scenarios_all_the_same() {
    let over = "fn turn(me) { if option(\"needed\") == 2 { win(me); } else { thrown(me, roll()); } }\nfn thrown(me, number) { if number >= option(\"needed\") { win(me); } }";
    let project = sixes_of(over, SCENARIOS);
    insta::assert_snapshot!(compare(&project, "sixes --set needed=2 -n 10").all());
}

#[test]
fn a_game_without_scenarios_is_compared_by_its_games() {
    let ran = compare(&sixes_of(RULES, "use pig\n"), "sixes --set needed=4 -n 10 --states 0");
    assert_eq!(ran.code, 0, "{}", ran.all());
    assert!(ran.stdout.contains("\nscenarios: none found\ngames: "), "{}", ran.stdout);
    // Without games, the scenarios alone.
    let ran = compare(&sixes(), "sixes --set needed=4 -n 0 --states 0");
    assert!(
        ran.stdout.contains("\nscenarios: 2 of 4 change") && ran.stdout.contains("\ngames: none played\n"),
        "{}",
        ran.stdout
    );
}

#[test]
fn a_path_without_scenarios_of_the_game_is_reported() {
    let other = "use pig\n\nscenario \"One\"\n  turn ann\n  roll 3\n";
    let project = sixes().file("other/one.scenario", other).folder("empty");
    // The name of another game is a path as well.
    let ran = compare(&project, "sixes pig --set needed=4 -n 2 --states 0");
    assert!(ran.code == 4 && ran.stderr.contains("no scenario of the game `sixes` in pig\n"), "{}", ran.all());
    let ran = project.run(&["readings", "sixes", "pig"]);
    assert!(ran.code == 4 && ran.stderr.contains("no scenario of the game `sixes` in pig\n"), "{}", ran.all());
    for path in ["other", "other/one.scenario", "other/one.scenario:3", "empty", "scenarios empty"] {
        let ran = compare(&project, &format!("sixes {path} --set needed=4 -n 2 --states 0"));
        assert!(ran.code == 4 && ran.stderr.contains("no scenario of the game `sixes` in"), "{path}: {}", ran.all());
    }
}

#[test]
fn wrong_words_and_files_are_reported() {
    let mut said = String::new();
    for line in [
        "sixes",
        "sixs --house cautious",
        "sixes --house cautius",
        "sixes --set neded=4",
        "sixes --set needed=7",
        "sixes --set colour=bleu",
        "sixes --set needed",
        "sixes --set needed=4 --against cautius",
        "sixes --set neded=4 --against color=blue",
        "sixes --set needed=4 --set needed=5",
        "sixes --all-options --set needed=4",
        "sixes --set needed=4 --variant long",
        "sixes --set needed=4 --players 4",
        "sixes --set needed=4 --policy randm",
        "sixes --set needed=4 --chance winer",
        "sixes --set needed=4 --games 0",
        "sixes scenarios/sxies.scenario --set needed=4",
        "sixes scenarios/sixes.scenario:1 --set needed=4",
    ] {
        let ran = compare(&sixes(), line);
        assert!(ran.stdout.is_empty() && ran.code > 1, "{line}: {}", ran.all());
        said.push_str(&format!("$ referee compare {line}\n{}\n\n", ran.all()));
    }
    // An error in a file is never passed over: the scenario may change.
    let broken = sixes().file("scenarios/b.scenario", "use sixes\n\nscenario \"B\"\n  trun red\n");
    said.push_str(&compare(&broken, "sixes --set needed=4").all());
    insta::assert_snapshot!(said);
}

/// A counter that only a house rule declares has nothing to be compared with, and is named.
#[test]
fn counters_of_a_house_rule_are_named() {
    let project = Project::new()
        .file("games/sixes/sixes.game", SIXES)
        .file("games/sixes/rules.rhai", RULES)
        .file("games/sixes/RULES.md", "[S1] Who throws enough wins.\n")
        .file("games/sixes/house/counted/counted.house", "house counted\nrecord counter throws for each player\n")
        .file("games/sixes/house/counted/rules.rhai", "fn turn(me) { tally(me, \"throws\", 1); base_turn(me); }\n");
    let ran = compare(&project, "sixes --house counted -n 20");
    assert!(ran.stdout.ends_with("\nnot compared, because only house rules declare them: throws\n"), "{}", ran.all());
    let json: serde_json::Value =
        serde_json::from_str(&compare(&project, "sixes --house counted -n 20 --format json").stdout).unwrap();
    assert_eq!(json["readings"][0]["own_counters"], serde_json::json!(["throws"]));
}
