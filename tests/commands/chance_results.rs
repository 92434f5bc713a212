//! What is chance and what is a finding: rankings of readings, shared wins, intervals of means, and numbers of players.

use serde_json::Value;

use super::Project;

/// A game with two options that change nothing but which random numbers are used for what, and one that changes who wins.
/// For each throw both players are as likely to win.
const DECLARED: &str = "game duel \"Duel\"\nplayers 2..4 red blue green gold\nrules \"rules.rhai\"\nrulebook \"RULES.md\"\n\
    die 1..6\ncounter score for each player\noption order = normal | reversed\noption burn = 0 in 0..6\noption edge = 0 in 0..3\n";
const RULES: &str = r#"
fn turn(me) {
    for i in 0..option("burn") { roll(); }
    let first = roll();
    let second = roll();
    let mine = if option("order") == "reversed" { second } else { first };
    if me == players()[0] { mine += option("edge"); }
    me.score += mine;
    if me.score >= 12 { clause("E1"); win(me); return; }
}
"#;

fn duel() -> Project {
    Project::new()
        .file("games/duel/duel.game", DECLARED)
        .file("games/duel/rules.rhai", RULES)
        .file("games/duel/RULES.md", "# Duel\n\n[E1] Twelve points win.\n")
}

fn json(project: &Project, words: &[&str]) -> Value {
    let ran = project.run(words);
    assert_eq!(ran.code, 0, "{}", ran.all());
    serde_json::from_str(&ran.stdout).unwrap()
}

/// Returns the ranking of all readings for a seed.
fn ranking(project: &Project, seed: usize, games: &str) -> Vec<Value> {
    let (seed, all) = (seed.to_string(), "--all-options");
    let words =
        ["compare", "duel", all, "--states", "0", "-n", games, "--seed", &seed, "--format", "json", "--jobs", "1"];
    json(project, &words)["readings"].as_array().unwrap().clone()
}

#[test]
fn an_option_without_effect_is_seldom_ranked_as_a_finding() {
    let project = duel();
    // Eleven readings, of which seven have no effect.
    let mut wrong = 0;
    for seed in 1..=30 {
        let readings = ranking(&project, seed, "100");
        let idle = readings.iter().filter(|one| {
            let name = one["reading"].as_str().unwrap();
            name.starts_with("order") || name.starts_with("burn")
        });
        let idle: Vec<&Value> = idle.collect();
        assert_eq!(idle.len(), 7);
        wrong += usize::from(idle.iter().any(|one| one["effect"]["finding"] == true));
        // What has an effect is found.
        let found = readings.iter().find(|one| one["reading"] == "edge=3").unwrap();
        assert_eq!(found["effect"]["finding"], true, "seed {seed}");
    }
    // 5 % of 30 are 1.5; more than 4 would come up in 1.6 % of all choices of the seeds.
    assert!(wrong <= 4, "{wrong} of 30");
}

#[test]
fn a_ranking_shows_intervals_and_the_games_that_would_tell() {
    let ran = duel().run(&["compare", "duel", "--all-options", "--states", "0", "-n", "100"]);
    let (found, idle) = ran.stdout.split_once("no effect is seen of").unwrap();
    assert!(found.contains("edge=3") && !found.contains("burn="), "{}", ran.stdout);
    assert!(idle.contains("burn=3") && idle.contains("games needed") && idle.contains(" about "), "{}", ran.stdout);
    assert!(idle.contains("(Bonferroni)"), "{}", ran.stdout);
    let all = json(&duel(), &["compare", "duel", "--all-options", "--states", "0", "-n", "100", "--format", "json"]);
    let statistics = all["readings"][0]["statistics"].as_array().unwrap().len();
    assert_eq!(all["comparisons"], 10 * statistics);
    let effect = &all["readings"][0]["effect"];
    assert!(effect["turns_low"].as_f64() < effect["turns"].as_f64(), "{effect}");
}

#[test]
fn statistics_that_occur_in_no_game_are_counted() {
    let clauses: String = (1..40).map(|at| format!("[N{at}] Never.\n\n")).collect();
    let project = duel().file("games/duel/RULES.md", format!("# Duel\n\n[E1] Twelve points win.\n\n{clauses}"));
    let ran = project.run(&["compare", "duel", "--set", "edge=1", "--states", "0", "-n", "10"]);
    let line = ran.stdout.lines().find(|line| line.starts_with("in no game: ")).unwrap();
    assert!(line.len() < 250 && line.ends_with(" more"), "{line}");
}

#[test]
fn shared_wins_are_explained() {
    let rules = "fn turn(me) { win(if roll() > 3 { players() } else { [me] }); }\n";
    let game = "game both \"Both\"\nplayers 2 red blue\nrules \"rules.rhai\"\ndie 1..6\n";
    let project = Project::new().file("games/both/both.game", game).file("games/both/rules.rhai", rules);
    let ran = project.run(&["simulate", "both", "-n", "200"]);
    assert!(ran.stdout.contains("games several players win; they count for each of them"), "{}", ran.all());
    assert!(ran.stdout.contains("so the shares add up to more than 100 %"), "{}", ran.all());
    let found = json(&project, &["simulate", "both", "-n", "200", "--format", "json"]);
    let wins: u64 = (0..2).map(|at| found["players"][at]["wins"]["games"].as_u64().unwrap()).sum();
    assert_eq!(wins, 200 + found["shared_wins"]["games"].as_u64().unwrap());
    // The same words for chances, and for the shares and chances of a comparison.
    let words =
        "several players win with a chance of 1/2; it counts for each of them, so the chances add up to more than 1";
    let ran = project.run(&["odds", "both"]);
    assert!(ran.stdout.contains(words), "{}", ran.all());
    assert_eq!(json(&project, &["odds", "both", "--format", "json"])["shared_wins"]["fraction"], "1/2");
    let ran = project.run(&["odds", "both", "--chance", "winner red"]);
    assert!(!ran.stdout.contains("several players"), "{}", ran.all());
    let project = project
        .file("games/both/both.game", format!("{game}option share = yes | no\n"))
        .file("games/both/rules.rhai", rules.replace("> 3", "> 3 && option(\"share\") == \"yes\""));
    let ran = project.run(&["compare", "both", "--set", "share=no", "-n", "50"]);
    assert!(ran.stdout.contains("in some games several players win"), "{}", ran.all());
    assert!(ran.stdout.contains("several players win with a chance of 1/2 under default"), "{}", ran.all());
    assert!(!ran.stdout.contains("under share=no"), "{}", ran.all());
    // Where nobody shares a win, nothing is said.
    for command in
        [&["simulate", "duel", "-n", "20"][..], &["odds", "duel"], &["compare", "duel", "--set", "edge=1", "-n", "9"]]
    {
        assert!(!duel().run(command).stdout.contains("several players"), "{command:?}");
    }
}

#[test]
fn means_have_intervals() {
    let found = json(&duel(), &["simulate", "duel", "-n", "400", "--format", "json"]);
    let length = &found["plies"];
    let ends = |value: &Value| [value[0].as_f64().unwrap(), value[1].as_f64().unwrap()];
    // From the histogram.
    let games: Vec<(f64, f64)> = length["histogram"].as_array().unwrap().iter().map(|one| ends(one).into()).collect();
    let count: f64 = games.iter().map(|(_, count)| count).sum();
    let mean = games.iter().map(|(turns, count)| turns * count).sum::<f64>() / count;
    let spread = games.iter().map(|(turns, count)| (turns - mean).powi(2) * count).sum::<f64>() / (count - 1.0);
    let half = 1.9659 * (spread / count).sqrt();
    let [low, high] = ends(&length["mean_interval"]);
    assert!((low - (mean - half)).abs() < 1e-3 && (high - (mean + half)).abs() < 1e-3, "{length}");
    for counter in found["counters"].as_array().unwrap() {
        let [low, high] = ends(&counter["mean_interval"]);
        let mean = counter["mean"].as_f64().unwrap();
        assert!(low < mean && mean < high, "{counter}");
    }
    let text = duel().run(&["simulate", "duel", "-n", "400"]).stdout;
    assert!(text.contains(" on average (95 % interval "), "{text}");
}

#[test]
fn a_long_policy_does_not_make_the_table_wide() {
    let game = "game pass \"Pass\"\nplayers 2 red blue\nrules \"rules.rhai\"\nask bid NUMBER\n";
    let rules = "fn turn(me) { if choose(me, \"bid\", [1, 2, 3]) == 3 { win(me); } }\n";
    let project = Project::new().file("games/pass/pass.game", game).file("games/pass/rules.rhai", rules);
    let long = format!("red=greedy:{}", ["1"; 60].join(" + "));
    let ran = project.run(&["simulate", "pass", "-n", "10", "--policy", &long]);
    let table: Vec<&str> = ran.stdout.lines().take_while(|line| !line.starts_with("policy of")).collect();
    assert!(table.iter().all(|line| line.chars().count() <= 100), "{}", ran.all());
    assert!(ran.stdout.contains("\npolicy of red: greedy:1 + 1"), "{}", ran.all());
}

#[test]
fn games_are_simulated_with_each_number_of_players() {
    let project = duel();
    let ran = project.run(&["simulate", "duel", "-n", "50", "--players", "all"]);
    assert_eq!(ran.code, 0, "{}", ran.all());
    insta::assert_snapshot!(ran.stdout);
    let all = json(&project, &["simulate", "duel", "-n", "50", "--players", "all", "--format", "json"]);
    for (at, number) in (2..=4).enumerate() {
        let own =
            json(&project, &["simulate", "duel", "-n", "50", "--players", &number.to_string(), "--format", "json"]);
        assert_eq!(all["simulations"][at], own, "{number}");
    }
    for (words, help) in [
        (&["simulate", "duel", "--players", "all", "--record", "out"][..], "--players"),
        (&["play", "duel", "--players", "all"], "all"),
    ] {
        let ran = project.run(words);
        assert!(ran.code == 2 && ran.stderr.contains(help), "{}", ran.all());
    }
}

/// A game that stops with an error only with four players.
const HOLE: &str = r#"
fn turn(me) {
    me.score += roll();
    if players().len() == 4 && me.score > 8 { throw "no card is left"; }
    if me.score >= 12 { clause("E1"); win(me); return; }
}
"#;

#[test]
fn holes_are_found_with_each_number_of_players() {
    let project = duel().file("games/duel/rules.rhai", HOLE);
    let ran = project.run(&["explore", "duel", "--games", "30", "--write", "found"]);
    assert_eq!(ran.code, 1, "{}", ran.all());
    assert!(ran.stdout.contains("of 30 games with 4 players"), "{}", ran.all());
    assert!(ran.stdout.contains("explore duel --players 4"), "{}", ran.all());
    // What is found can be played again.
    let again = project.run(&["test", "found"]);
    assert!(again.code == 3 || again.code == 1, "{}", again.all());
    assert!(again.stdout.contains("no card is left"), "{}", again.all());
    // Who is named plays, and nobody else.
    assert_eq!(project.run(&["explore", "duel", "--games", "30", "--players", "2"]).code, 0);
    let found = project.run(&["explore", "duel", "--games", "30", "--format", "json"]);
    let found: Value = serde_json::from_str(&found.stdout).unwrap();
    assert_eq!(
        (&found["other_players"], &found["holes"][0]["players"]),
        (&serde_json::json!([3, 4]), &serde_json::json!(4))
    );
}
