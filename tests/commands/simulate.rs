//! Simulation: the same games for the same seed with any split over threads and runs, policies, recorded games.

use serde_json::Value;

use super::Project;

/// A race for a six: who throws it wins. The first player wins 6 of 11 games, and a game takes 6 turns on average.
fn sixes(rules: &str) -> Project {
    let game = "\
game sixes \"Sixes\"
players 2..3 red blue green
rules \"rules.rhai\"
board grid 3x3
die 1..6
piece marker for each player symbols r b g
counter sixes for each player
ask pass
ask guess NUMBER
";
    Project::new().file("games/sixes/sixes.game", game).file("games/sixes/rules.rhai", rules)
}

const SIXES: &str = "\
fn turn(me) {
    if roll() == 6 { me.sixes += 1; win(me); }
}
";

/// Returns the JSON output of a run.
fn simulated(project: &Project, line: &str) -> Value {
    let ran = simulate(project, &format!("{line} --format json"));
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{line}: {}", ran.all());
    serde_json::from_str(&ran.stdout).unwrap()
}

/// Splits a command line into words; a quoted word may contain spaces.
fn simulate(project: &Project, line: &str) -> super::Ran {
    let mut arguments = vec!["simulate"];
    for (at, part) in line.split('\'').enumerate() {
        if at % 2 == 1 { arguments.push(part) } else { arguments.extend(part.split_whitespace()) }
    }
    project.run(&arguments)
}

/// The heading names options with another value than usual.
#[test]
fn the_heading_tells_what_is_played() {
    let ran = simulate(&Project::new(), "pig --with goal=50 -n 2");
    assert!(ran.stdout.starts_with("Pig (goal=50): games 1 to 2 of seed 1"), "{}", ran.all());
    let usual = simulate(&Project::new(), "pig --with goal=100 -n 2");
    assert!(usual.stdout.starts_with("Pig: games 1 to 2 of seed 1"), "{}", usual.all());
}

/// The clauses that the lines of the set-up apply count in each game, as in `referee coverage`.
#[test]
fn clauses_of_the_set_up_count() {
    let project = sixes(SIXES);
    let file = project.path().join("games/sixes/sixes.game");
    let game = std::fs::read_to_string(&file).unwrap();
    let project = project.file("games/sixes/sixes.game", format!("{game}rulebook \"RULES.md\"\nclause S1\n"));
    let project = project.file("games/sixes/RULES.md", "# Sixes\n\n[S1] All markers are off the board.\n");
    let run = simulated(&project, "sixes -n 4");
    assert_eq!((&run["clauses"][0]["clause"], &run["clauses"][0]["games"]), (&"S1".into(), &4.into()), "{run}");
}

fn wins(run: &Value, player: usize) -> u64 {
    run["players"][player]["wins"]["games"].as_u64().unwrap()
}

fn between(run: &Value, player: usize, share: f64) -> bool {
    let wins = &run["players"][player]["wins"];
    wins["low"].as_f64().unwrap() < share && share < wins["high"].as_f64().unwrap()
}

fn threads_change_nothing(lines: &[&str]) {
    let project = Project::new();
    for line in lines {
        let one = simulate(&project, &format!("{line} --jobs 1"));
        assert_eq!((one.code, one.stderr.as_str()), (0, ""), "{}", one.all());
        for jobs in [2, 3, 16] {
            assert_eq!(simulate(&project, &format!("{line} --jobs {jobs}")), one, "{line}");
        }
    }
}

#[test]
fn the_number_of_threads_changes_nothing() {
    threads_change_nothing(&[
        "breakthrough -n 20",
        "squish-board -n 8 --players 4 --format json",
        "hex-squish -n 3 --policy white=mcts:5 --policy 'black=greedy:-groups(cells(me)).len()'",
    ]);
}

#[test]
#[ignore = "some hundred games, also with players who look ahead"]
fn the_number_of_threads_changes_nothing_in_full() {
    threads_change_nothing(&[
        "breakthrough -n 100",
        "squish-board -n 40 --players 4 --format json",
        "hex-squish -n 12 --policy white=mcts:5 --policy 'black=greedy:-groups(cells(me)).len()'",
    ]);
}

#[test]
fn another_seed_is_another_run() {
    let project = Project::new();
    let runs =
        [1, 2, 3].map(|seed| simulate(&project, &format!("breakthrough -n 50 --format json --seed {seed}")).stdout);
    let without_seed = runs.each_ref().map(|run| run.split_once("\"first_game\"").unwrap().1);
    assert_ne!(without_seed[0], without_seed[1]);
    assert_ne!(without_seed[1], without_seed[2]);
}

#[test]
fn parts_of_a_run_add_up_to_the_whole() {
    let project = Project::new();
    let whole = simulated(&project, "squish-board -n 60 --seed 9");
    let parts = [(1, 7), (8, 30), (38, 23)]
        .map(|(first, count)| simulated(&project, &format!("squish-board -n {count} --first-game {first} --seed 9")));
    let sum = |field: &str| parts.iter().map(|part| part.pointer(field).unwrap().as_u64().unwrap()).sum::<u64>();
    for field in [
        "/games",
        "/players/0/wins/games",
        "/players/1/wins/games",
        "/nobody/games",
        "/unfinished/games",
        "/plies/sum",
        "/decisions",
        "/options",
        "/clauses/0/times",
        "/clauses/1/games",
        "/ended_by/0/games",
        "/dice/0/faces/3",
    ] {
        assert_eq!(sum(field), whole.pointer(field).unwrap().as_u64().unwrap(), "{field}");
    }
    let games = |run: &Value| {
        run["plies"]["histogram"].as_array().unwrap().iter().map(|bin| bin[1].as_u64().unwrap()).sum::<u64>()
    };
    assert_eq!(parts.iter().map(games).sum::<u64>(), games(&whole));
}

#[test]
fn shares_and_lengths_are_those_that_can_be_worked_out() {
    let project = sixes(SIXES);
    let run = simulated(&project, "sixes -n 4000");
    assert!(between(&run, 0, 6.0 / 11.0) && between(&run, 1, 5.0 / 11.0), "{run}");
    assert_eq!(wins(&run, 0) + wins(&run, 1), 4000);
    // The standard deviation of the mean of 4000 lengths is 0.087.
    assert!((run["plies"]["mean"].as_f64().unwrap() - 6.0).abs() < 0.4, "{run}");
    // Of the lengths of a geometric distribution with 1/6, half are at most 4 and a quarter at most 2.
    assert_eq!(run["plies"]["quartiles"], serde_json::json!([2, 4, 8]));
    let faces: Vec<u64> =
        run["dice"][0]["faces"].as_array().unwrap().iter().map(|face| face.as_u64().unwrap()).collect();
    assert_eq!((faces.len(), faces[5], faces.iter().sum()), (6, 4000, run["plies"]["sum"].as_u64().unwrap()));
    assert_eq!((&run["decisions"], &run["mean_options"]), (&Value::from(0), &Value::Null));
    let three = simulated(&project, "sixes -n 4000 --players 3");
    assert!(between(&three, 0, 36.0 / 91.0) && between(&three, 2, 25.0 / 91.0), "{three}");
    // If the second player begins, they have the better chance.
    let turned = simulated(&project, "sixes -n 4000 --players 'blue red'");
    assert_eq!((&turned["players"][0]["player"], wins(&turned, 0)), (&Value::from("blue"), wins(&run, 0)));
}

#[test]
fn a_game_that_takes_too_long_is_unfinished() {
    let project = sixes(SIXES);
    let run = simulated(&project, "sixes -n 6000 --max-plies 3");
    // Three throws without a six: 125 of 216 games.
    let unfinished = &run["unfinished"];
    assert!(
        unfinished["low"].as_f64().unwrap() < 125.0 / 216.0 && 125.0 / 216.0 < unfinished["high"].as_f64().unwrap()
    );
    assert_eq!(wins(&run, 0) + wins(&run, 1) + unfinished["games"].as_u64().unwrap(), 6000);
    let longest = run["plies"]["histogram"].as_array().unwrap().last().unwrap()[0].as_u64();
    assert_eq!(longest, Some(3));
}

/// `low` is the least chance that this number of games shows.
fn greed_wins(games: u64, low: f64) {
    let project = Project::new();
    let greedy = "'black=greedy:count(cells(me)) - count(cells(after(me)))'";
    let run = simulated(&project, &format!("breakthrough -n {games} --policy {greedy}"));
    assert!(run["players"][1]["wins"]["low"].as_f64().unwrap() > low, "{run}");
    // If all options have the same value, the choice is random.
    let even = simulated(&project, &format!("breakthrough -n {} --policy white=greedy:0", 3 * games));
    assert!(even["players"][0]["wins"]["low"].as_f64().unwrap() < 0.9, "{even}");
}

#[test]
fn greed_beats_chance() {
    greed_wins(12, 0.7);
}

#[test]
#[ignore = "some hundred games with players who look ahead"]
fn greed_beats_chance_in_full() {
    greed_wins(60, 0.9);
}

/// A small position, in which games are short.
const SMALL: &str = "\
use breakthrough

scenario \"Five by five\"
  board 5x5
    | b b b b b
    | b b b b b
    | . . . . .
    | w w w w w
    | w w w w w
  turn white
";

#[test]
fn search_beats_chance() {
    let project = Project::new().file("small.scenario", SMALL);
    let run = simulated(&project, "breakthrough --from small.scenario -n 20 --policy black=mcts:60");
    assert!(run["players"][1]["wins"]["low"].as_f64().unwrap() > 0.6, "{run}");
}

#[test]
fn chance_decides_when_options_are_equal() {
    // The second of three numbers has the greatest value, so it is always guessed, not in a third of the games.
    let guess = "fn turn(me) { let n = choose(me, \"guess\", 1..=3); me.sixes = if n == 2 { 1 } else { 0 }; if n == 2 { lose(me); } draw_game(); }";
    let project = sixes(guess);
    let run = simulated(&project, "sixes -n 300");
    let low = run["draws"]["low"].as_f64().unwrap();
    assert!(low < 2.0 / 3.0 && 2.0 / 3.0 < run["draws"]["high"].as_f64().unwrap(), "{run}");
    // A lost game is worse than any value of the expression.
    let run = simulated(&project, "sixes -n 50 --policy greedy:me.sixes");
    assert_eq!(run["draws"]["games"], 50);
    assert_eq!(simulated(&project, "sixes -n 20 --policy mcts:30")["draws"]["games"], 20);
}

/// Plays games of all bundled games, `games` by chance and some by a policy.
fn recorded_games_replay_and_pass(games: usize) {
    let names = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/games")).unwrap();
    let mut count = 0;
    for name in names.map(|entry| entry.unwrap().file_name().into_string().unwrap()) {
        let mut lines = vec![format!("{name} -n {games}")];
        // One game has too many possible deals for `greedy`; in the other, all players decide at once.
        if !["squish-blocks", "squirmish"].contains(&name.as_str()) {
            lines.push(format!("{name} --max-plies 5 -n {} --policy greedy:0", games / 4 + 1));
        }
        if name == "squish-board" && games > 2 {
            lines.push("squish-board --variant advanced --players 8 --max-plies 40 -n 3".to_owned());
            lines
                .push("squish-board --house slip-aside --with survivor=own --players 'blue white red' -n 5".to_owned());
        }
        for (at, line) in lines.iter().enumerate() {
            let project = Project::new();
            let ran = simulate(&project, &format!("{line} --seed {at} --record played"));
            assert_eq!(ran.code, 0, "{line}: {}", ran.all());
            let judged = project.run(&["test", "played"]);
            assert_eq!(judged.code, 0, "{line}: {}", judged.all());
            count += std::fs::read_dir(project.path().join("played")).unwrap().count();
        }
    }
    assert!(count >= 10 * games, "{count}");
}

#[test]
fn recorded_games_of_all_games_replay_and_pass() {
    recorded_games_replay_and_pass(2);
}

#[test]
#[ignore = "some hundred games"]
fn recorded_games_of_all_games_replay_and_pass_in_full() {
    recorded_games_replay_and_pass(12);
}

#[test]
fn a_game_is_recorded_from_where_a_scenario_ends() {
    let start = "\
use squish-board simple

scenario \"In the middle of a turn\"
  piece large size 2x2
  players green red
  board 6x5
    | . . . . . .
    | . L L . . r
    | . L L . . .
    | . . . . . .
    | g . . . . .
  set green.points 2
  resume walk green 3
  green walk to b1
";
    let project = Project::new().file("start.scenario", start);
    let ran = simulate(&project, "squish-board --from start.scenario -n 30 --record played --record-games 2,28-30");
    assert_eq!(ran.code, 0, "{}", ran.all());
    let folder = std::fs::read_dir(project.path().join("played")).unwrap();
    let mut files: Vec<String> = folder.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    files.sort();
    assert_eq!(files, [2, 28, 29, 30].map(|game| format!("squish-board-seed-1-game-{game}.scenario")));
    let judged = project.run(&["test", "played"]);
    assert_eq!(judged.code, 0, "{}", judged.all());
    let text = std::fs::read_to_string(project.path().join("played").join(&files[0])).unwrap();
    for line in ["piece large size 2x2", "board 6x5", "set green.points 2", "resume walk green 3", "green walk to b1"] {
        assert!(text.contains(line), "{line} is missing in\n{text}");
    }
}

#[test]
fn a_recorded_game() {
    let project = sixes(SIXES);
    simulate(&project, "sixes -n 1 --seed 5 --record played");
    insta::assert_snapshot!(
        std::fs::read_to_string(project.path().join("played/sixes-seed-5-game-1.scenario")).unwrap()
    );
}

const ALL_AT_ONCE: &str = "\
fn turn(me) {
    let guesses = choose_all(players(), \"guess\", |player| [1, 2, 3]);
    if guesses[0] == guesses[1] { win(me); }
}
";

#[test]
fn players_who_are_asked_at_once_decide_at_random() {
    let project = sixes(ALL_AT_ONCE);
    let run = simulated(&project, "sixes -n 5000 --record played");
    // A third of all turns ends the game; the first player wins 3 of 5 games.
    assert!(between(&run, 0, 0.6), "{run}");
    assert_eq!(run["decisions"].as_u64().unwrap(), 2 * run["plies"]["sum"].as_u64().unwrap());
    assert_eq!(project.run(&["test", "played"]).code, 0);
}

#[test]
fn the_first_game_that_goes_wrong_is_told_and_recorded() {
    let wrong = "fn turn(me) { let n = roll(); if n == 6 { let list = [1]; list[n]; } if n == 1 { win(me); } }";
    let project = sixes(wrong);
    let one = simulate(&project, "sixes --jobs 1");
    assert_eq!(one, simulate(&project, "sixes --jobs 3"));
    insta::assert_snapshot!(one.all());
    let recorded = simulate(&project, "sixes --record played --record-games 999");
    assert_eq!(recorded.code, 3);
    insta::assert_snapshot!("recorded_fault", std::fs::read_to_string(only_file(&project, "played")).unwrap());
    let judged = project.run(&["test", "played"]);
    assert!(judged.code == 3 && judged.stdout.contains("the list has 1 element,"), "{}", judged.all());
}

#[test]
fn games_to_record_that_are_not_played_are_reported() {
    let project = sixes("fn turn(me) { if roll() == 6 { win(me); } }");
    for (line, help) in [
        ("-n 10 --record-games 40", "`--count 40`, or name games up to 10"),
        ("-n 3 --record-games 2-5", "`--count 5`"),
        ("-n 3 --first-game 4 --record-games 5,2", "`--first-game 2`"),
    ] {
        let ran = simulate(&project, &format!("sixes --record played {line}"));
        assert!(ran.code == 2 && ran.stderr.contains(help), "{line}: {}", ran.all());
        assert!(!project.path().join("played").exists());
    }
    assert_eq!(simulate(&project, "sixes -n 3 --first-game 4 --record played --record-games 4-6").code, 0);
}

fn only_file(project: &Project, folder: &str) -> std::path::PathBuf {
    let mut files = std::fs::read_dir(project.path().join(folder)).unwrap();
    let file = files.next().unwrap().unwrap().path();
    assert!(files.next().is_none());
    file
}

#[test]
fn games_without_an_end_are_stopped() {
    let asks = sixes("fn turn(me) { loop { roll(); } }");
    let phases = sixes("fn turn(me) { then(\"turn\", me); }");
    let silent = sixes("fn turn(me) { if game_over() { roll(); } }\nfn game_over() { false }");
    let mut text = String::new();
    for project in [asks, silent] {
        text.push_str(&format!("{}\n\n", simulate(&project, "sixes -n 2").all()));
    }
    insta::assert_snapshot!(text.trim_end());
    assert_eq!(simulate(&phases, "sixes -n 2").code, 3);
}

#[test]
fn what_is_said_of_wrong_lines() {
    let project = sixes(ALL_AT_ONCE).file("small.scenario", SMALL);
    let lines = [
        "sixess",
        "sixes --variant quick",
        "sixes --house soft",
        "sixes --with goal=1",
        "squish-board --with survivor=owm",
        "sixes --with goal",
        "sixes --players 4",
        "sixes --players 'red rde'",
        "sixes --count 0",
        "sixes --policy mtcs:10",
        "sixes --policy mcts",
        "sixes --policy random:3",
        "sixes --policy rad=random",
        "sixes --policy green=random",
        "sixes --policy red=random --policy red=greedy:1",
        "sixes --policy 'greedy:count(cels(me))'",
        "sixes --policy 'greedy:roll()'",
        "sixes --policy 'greedy:(1'",
        "sixes --players 'red red'",
        "sixes --policy red=greedy:1",
        "breakthrough --policy 'greedy:cells(me)'",
        "sixes --record-games 1",
        "sixes --record played --record-games 5-1",
        "sixes --from small.scenario",
        "sixes --from nothing.scenario",
        "breakthrough --from small.scenario --scenario Six",
        "breakthrough --from small.scenario --players 2",
    ];
    let mut text = String::new();
    for line in lines {
        text.push_str(&format!("$ referee simulate {line}\n{}\n\n", simulate(&project, line).all()));
    }
    insta::assert_snapshot!(text.trim_end());
}

#[test]
fn help() {
    insta::assert_snapshot!(Project::new().run(&["simulate", "--help"]).stdout);
}

/// Each turn is one throw, and so the throws of a game are its turns; each six ends a game.
#[test]
fn counters_are_told_as_they_are_at_the_end() {
    let rules = "fn turn(me) {
    tally(game, \"throws\", 1);
    if roll() == 6 {
        tally(me, \"sixes\", 1);
        win(me);
    }
}
";
    let project = sixes(rules);
    let game = project.path().join("games/sixes/sixes.game");
    let text = std::fs::read_to_string(&game).unwrap();
    std::fs::write(&game, format!("{text}record counter throws\nrecord counter idle for each marker\ncounter pot\n"))
        .unwrap();
    let run = simulated(&project, "sixes -n 300 --players 2");
    let counters = run["counters"].as_array().unwrap();
    let of = |counter: &str, owner: &str| {
        counters.iter().find(|row| row["counter"] == counter && row["of"] == owner).map(|row| &row["values"])
    };
    assert_eq!(of("throws", "game"), Some(&run["plies"]["histogram"]));
    for player in 0..2 {
        let wins = wins(&run, player);
        let name = run["players"][player]["player"].as_str().unwrap();
        assert_eq!(of("sixes", name), Some(&serde_json::json!([[0, 300 - wins], [1, wins]])));
    }
    // Players who do not take part, and counters of the game that rules can read, are no statistics.
    assert!(of("sixes", "green").is_none() && of("pot", "game").is_none());
    let said = simulate(&project, "sixes -n 300 --players 2").stdout;
    assert!(said.contains(" throws      game") && !said.contains("idle"), "{said}");
    // For any split of the games, the counts add up.
    let parts = ["sixes -n 100 --players 2", "sixes -n 200 --first-game 101 --players 2"];
    let games: u64 =
        parts.iter().map(|part| simulated(&project, part)["counters"][0]["values"][1][1].as_u64().unwrap()).sum();
    assert_eq!(games, run["counters"][0]["values"][1][1].as_u64().unwrap());
}

#[test]
fn what_tally_cannot_do_is_said() {
    let mut said = String::new();
    for (line, rules) in [
        ("a record is not read", "let n = game.throws;"),
        ("a flag is no counter", "tally(game, \"first\", 1);"),
        ("too large a number", "tally(game, \"throws\", 9223372036854775807); tally(game, \"throws\", 1);"),
        ("no such counter", "tally(game, \"trows\", 1);"),
        ("another's counter", "tally(me, \"throws\", 1);"),
    ] {
        let project = sixes(&format!("fn turn(me) {{ {rules} win(me); }}\n"));
        let game = project.path().join("games/sixes/sixes.game");
        let text = std::fs::read_to_string(&game).unwrap();
        std::fs::write(&game, format!("{text}record counter throws\nflag first\n")).unwrap();
        let ran = simulate(&project, "sixes -n 1 --players 2");
        assert_ne!(ran.code, 0, "{line}");
        said.push_str(&format!("{line}\n{}\n", ran.all()));
    }
    insta::assert_snapshot!(said.trim_end());
}
