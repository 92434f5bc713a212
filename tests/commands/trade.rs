//! Asks that take any values: proposals of trade, bids and guesses, in scenarios, in play and in simulation.

use insta::assert_snapshot;
use serde_json::Value;

use super::{Project, Ran};

const GAME: &str = include_str!("../../docs/games/bazaar/bazaar.game");
const RULES: &str = include_str!("../../docs/games/bazaar/rules.rhai");

/// The game of the reference, with these words of its rules replaced.
fn with(changes: &[(&str, &str)]) -> Project {
    let mut rules = RULES.to_owned();
    for (from, to) in changes {
        assert!(rules.contains(from), "{from}");
        rules = rules.replace(from, to);
    }
    Project::new().file("games/bazaar/bazaar.game", GAME).file("games/bazaar/rules.rhai", rules)
}

fn judged(project: Project, lines: &str) -> Ran {
    let scenario = format!("use bazaar\n\nscenario \"A trade\"\n  players ann bob\n{lines}");
    project.file("a.scenario", scenario).run(&["test", "a.scenario"])
}

fn read(project: &Project, file: &str) -> String {
    std::fs::read_to_string(project.path().join(file)).unwrap()
}

/// Nothing is suggested.
const SILENT: (&str, &str) = ("may_any(\"propose\", usual(me))", "may_any(\"propose\")");

#[test]
fn proposals_are_accepted_refused_and_answered() {
    let ran = judged(
        with(&[]),
        r#"  turn ann
  expect asks ann propose
  expect choices propose includes ore for wool to bob, ore x2 wool for wool x9 to bob
  expect choices propose excludes ore x3 for wool to bob, none for wool to bob, ore for wool to ann
  expect choices pass count 1
  expect choices includes pass, propose ore for wool to bob
  expect choices excludes accept, propose ore x3 for wool to bob
  refuse ann propose ore x3 for wool to bob because "you do not have that"
  refuse ann propose none for wool to bob because "a gift is no trade"
  refuse ann propose ore for wool to ann
  refuse bob propose ore for wool to ann because "not your turn"
  ann propose ore for wool x2 to bob
  expect asks bob accept
  expect choices accept = accept
  refuse bob counter wool x3 for ore because "you do not have that"

  branch "accepted"
  bob accept
  expect ann has ore wool x4
  expect bob has ore x3
  expect events
    > bob gives wool x2 for ore
  expect asks bob propose

  branch "refused"
  bob refuse
  expect ann has ore x2 wool x2
  expect turn bob

  branch "answered, and answered again"
  bob counter wool for ore x2
  expect asks ann accept
  ann counter ore x2 for wool x2
  bob accept
  expect ann has wool x4
  expect winner bob
"#,
    );
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{}", ran.all());
    let ran = judged(
        with(&[]),
        "  turn ann\n  ann propose {gives} for {gets} to bob\n  bob accept\n  expect ann has {left}\n  examples\n    \
         | gives | gets    | left       |\n    | ore   | wool    | ore wool x3 |\n    | wool  | ore wool | ore x3 wool x2 |\n",
    );
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{}", ran.all());
}

#[test]
fn what_is_refused_or_needs_a_list_is_reported() {
    let wrong = [
        "  turn ann\n  ann propose ore x3 for wool to bob\n",
        "  turn ann\n  ann propose ore for to bob\n",
        "  turn ann\n  ann propose ore for wool\n",
        "  turn ann\n  ann accept\n",
        "  turn ann\n  refuse ann propose ore for wool to bob\n",
        "  turn ann\n  refuse ann propose ore x3 for wool to bob because \"no\"\n",
        "  turn ann\n  refuse ann counter ore for wool\n",
        "  turn ann\n  expect choices propose = ore for wool to bob\n",
        "  turn ann\n  expect choices propose count 2\n",
        "  turn ann\n  expect choices count 2\n",
        "  turn ann\n  expect choices propose includes ore x3 for wool to bob\n",
        "  turn ann\n  expect choices propose excludes ore for wool to bob\n",
        "  turn ann\n  expect perft 2 = 7\n",
        "  turn ann\n  expect reachable winner ann within 2 turns\n",
        "  turn ann\n  expect chance winner ann = 0 within 2 turns\n",
        "  turn ann\n  expect chance winner ann = 0\n    at best for ann\n",
        "  turn ann\n  expect chance winner ann = 0\n    when ann policy random\n",
        "  turn ann\n  expect chance winner ann = 0\n    when ann propose ore x3 for wool to bob\n    when ann policy random\n",
    ];
    let all: Vec<String> = wrong.iter().map(|lines| judged(with(&[SILENT]), lines).all()).collect();
    assert_snapshot!(all.join("\n"));
}

#[test]
fn rules_that_cannot_judge_are_reported() {
    let changes: [&[(&str, &str)]; 8] = [
        &[("fn why_not", "fn why_nto")],
        &[("fn why_not(me, action)", "fn why_not(me, verb, action)")],
        &[("may_any(\"propose\", usual(me))", "may_any(\"propos\")")],
        &[("may(\"pass\")]", "may_any(\"pass\")]")],
        &[("may(\"pass\")]", "may(\"propose\", #{ ore: 1 }, #{ wool: 1 }, me)]")],
        &[(
            "choose(me, \"propose\", [may_any(\"propose\", usual(me)), may(\"pass\")])",
            "choose_all(players(), \"propose\", |one| [may_any(\"propose\")])[0]",
        )],
        &[("may_any(\"propose\", usual(me))", "may_any(\"propose\", [may(\"pass\")])")],
        &[("return \"a gift is no trade\";", "choose(me, \"pass\", [may(\"pass\")]);")],
    ];
    let one =
        |changes: &&[(&str, &str)]| judged(with(changes), "  turn ann\n  ann propose none for wool to bob\n").all();
    let all: Vec<String> = changes.iter().map(one).collect();
    assert_snapshot!(all.join("\n"));
}

/// Also where the options are made before, and where only one player is asked: the same rules are wrong at every table.
#[test]
fn several_at_once_and_one_alone_choose_among_listed_options() {
    for players in ["players()", "[me]"] {
        let asked = format!("choose_all({players}, \"propose\", |one| options)[0]");
        let rules = format!("let options = [may_any(\"propose\")]; {asked}");
        let ran = judged(
            with(&[(
                "choose(me, \"propose\", [may_any(\"propose\", usual(me)), may(\"pass\")])",
                &format!("{{ {rules} }}"),
            )]),
            "  turn ann\n  ann propose none for wool to bob\n",
        );
        assert!(
            ran.code != 0 && ran.all().contains("`choose_all` takes options that are listed"),
            "{players}: {}",
            ran.all()
        );
    }
}

/// Asks for a chance within so many turns, where both players have a policy.
fn chances(project: &Project, what: &str, turns: &str, policy: &str, more: &[&str]) -> Ran {
    let flags = ["odds", "bazaar", "--players", "ann bob", "--chance", what, "--within", turns, "--policy", policy];
    project.run(&[&flags[..], more].concat())
}

#[test]
fn policies_choose_among_suggestions_and_actions_say_anything() {
    let simulate = |project: &Project, more: &[&str]| {
        let games = if more.iter().any(|flag| flag.contains("mcts")) { "2" } else { "40" };
        let flags = ["simulate", "bazaar", "--players", "ann bob", "-n", games, "--max-plies", "60"];
        project.run(&[&flags, more].concat())
    };
    let project = with(&[]);
    let json = |ran: Ran| -> Value {
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{}", ran.all());
        serde_json::from_str(&ran.stdout).unwrap()
    };
    // Who passes is never proposed to by one who passes.
    let passing = json(simulate(&project, &["--policy", "ann=pass", "--policy", "bob=pass", "--format", "json"]));
    assert_eq!(passing["unfinished"]["games"], 40);
    let random = json(simulate(&project, &["--format", "json"]));
    assert_ne!(random["unfinished"]["games"], 40);
    // What no one suggests is said by an action of a policy, while the rules do not refuse it; then the others decide.
    let said = ["--policy", "ann=propose wool x2 for ore x2 to bob", "--policy", "bob=accept", "--format", "json"];
    let said = json(simulate(&project, &said));
    assert_eq!(said["players"][0]["wins"]["games"], 40);
    for policy in ["ann=greedy:me.ore", "ann=mcts:20"] {
        json(simulate(&project, &["--policy", policy, "--format", "json"]));
    }
    let silent = with(&[SILENT]);
    let all = [
        simulate(&silent, &[]),
        simulate(&silent, &["--policy", "ann=propose ore x3 for wool to bob"]),
        simulate(&silent, &["--policy", "ann=greedy:me.ore"]),
        simulate(&silent, &["--policy", "bob=mcts:10", "--policy", "ann=pass"]),
        simulate(&with(&[("#{ wool: 1 }, #{ ore: 1 }", "#{ wool: 3 }, #{ ore: 1 }")]), &[]),
        silent.run(&["explore", "bazaar", "--players", "ann bob", "--games", "2"]),
        silent.run(&["perft", "bazaar", "--depth", "2", "--players", "ann bob"]),
        project.run(&["perft", "bazaar", "--depth", "2", "--players", "ann bob"]),
        chances(&silent, "winner ann", "2", "random", &[]),
        chances(&project, "winner ann", "2", "best", &[]),
    ];
    assert_snapshot!(all.map(|ran| ran.all()).join("\n"));
    // With a policy for each ask, chances are exact: ann proposes, and one of two answers accepts.
    let odds = json(chances(&project, "ann has ore x3 wool", "1", "random", &["--format", "json"]));
    assert_eq!(odds["odds"][0]["fraction"], "1/4", "{odds}");
    let said = ["--when", "ann propose ore x2 for wool x2 to bob", "--format", "json"];
    let odds = json(chances(&silent, "ann has wool x4", "1", "random", &said));
    assert_eq!(odds["odds"][0]["fraction"], "1/2", "{odds}");
}

#[test]
fn games_with_proposals_are_recorded_and_replay() {
    let project = with(&[]);
    let said = ["--policy", "ann=propose wool ore for ore x2 to bob if { me.ore == 2 }", "--policy", "ann=random"];
    let flags = ["simulate", "bazaar", "--players", "ann bob", "-n", "8", "--max-plies", "20", "--record", "played"];
    let ran = project.run(&[&flags[..], &said].concat());
    assert_eq!(ran.code, 0, "{}", ran.all());
    let ran = project.run(&["test", "played"]);
    assert_eq!(ran.code, 0, "{}", ran.all());
    assert!(ran.stdout.contains("8 passed, 0 failed"), "{}", ran.all());
    let first = read(&project, "played/bazaar-seed-1-game-1.scenario");
    assert!(first.contains("ann propose ore wool for ore x2 to bob"), "{first}");
}

#[test]
fn proposals_are_typed_in_play() {
    let typed = "options\npropose ore x3 for wool to bob\nwhy propose ore for wool to ann\nwhy propose ore for wool to bob\n\
                 propose ore\n9\n1\nundo\nundo\npropose ore x2 for wool x2 to bob\nsave kept.scenario\naccept\n";
    let project = with(&[]);
    let ran = project.run_with(&["play", "bazaar", "--players", "ann bob"], typed);
    assert_snapshot!(ran.all());
    let ran = project.run(&["test", "kept.scenario"]);
    assert_eq!(ran.code, 0, "{}\n{}", ran.all(), read(&project, "kept.scenario"));
    let project = project.file("a.scenario", "use bazaar\n\nscenario \"A turn\"\n  players ann bob\n  turn ann\n");
    let moves = project.run(&["moves", "a.scenario"]).stdout;
    let form = "propose AMOUNT for AMOUNT to PLAYER";
    let suggested = "propose wool for ore to bob";
    assert_eq!(
        moves,
        format!("asks ann propose\n  pass\n  {form}, whatever the rules do not refuse\n    suggested: {suggested}\n")
    );
    let moves: Value = serde_json::from_str(&project.run(&["moves", "a.scenario", "--format", "json"]).stdout).unwrap();
    let listed = ["pass", form, suggested];
    assert_eq!(["options", "open", "suggested"].map(|key| &moves[key][0]), listed, "{moves}");
    let judged = |action: &str| {
        let ran = project.run(&["moves", "a.scenario", action]);
        (ran.stdout, ran.code)
    };
    let allowed = judged("ann propose ore for wool to bob");
    assert_eq!(allowed, ("allowed: ann propose ore for wool to bob\n".to_owned(), 0));
    let refused = judged("ann propose ore x4 for wool to bob");
    assert_eq!(refused, ("refused: ann propose ore x4 for wool to bob: you do not have that\n".to_owned(), 1));
}

#[test]
fn numbers_texts_and_sets_are_any_values_too() {
    let game = "game bid\nplayers 2 ann bob\nrules \"rules.rhai\"\nproperty said TEXT\ncounter paid for each player\n\
                ask bid NUMBER\nask guess TEXT [NUMBER]\nask name NUMBERS\nask stop\n";
    let rules = r#"fn turn(me) { choose_then(me, "bid", [may_any("bid", 1..=3), may("stop")], "bidden"); }
fn bidden(me, said) {
    if said.verb == "stop" { win(me); }
    me.paid = said.value;
    let guess = choose(me, "guess", [may_any("guess", [may("guess", "hall"), may("guess", "yard", 2)])]);
    game.said = guess.value + (guess.values[1] ?? 0);
    let named = choose(me, "name", [may_any("name", [[1, 2], [3]])]);
    me.paid += sum(named.value);
}
fn why_not(me, action) {
    if action.verb == "bid" && action.value <= me.paid { return "bid more than " + me.paid; }
    if action.verb == "name" && action.value.contains(9) { return "nine is no name"; }
}
"#;
    let project = Project::new().file("games/bid/bid.game", game).file("games/bid/rules.rhai", rules);
    let lines = "use bid\n\nscenario \"A bid\"\n  turn ann\n  refuse ann bid 0 because \"bid more than 0\"\n  ann bid 1000000\n  \
                 expect ann.paid = 1000000\n  ann guess \"in the hall\"\n  expect game.said = \"in the hall0\"\n  \
                 refuse ann name 9 1 because \"nine is no name\"\n  ann name 3 1\n  expect ann.paid = 1000004\n  bob stop\n  \
                 expect winner bob\n";
    let project = project.file("a.scenario", lines);
    let ran = project.run(&["test", "a.scenario"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{}", ran.all());
    let ran = project.run(&["simulate", "bid", "-n", "30", "--record", "played"]);
    // A bid that is suggested and too low is an error of the rules.
    assert_snapshot!(ran.all());
}

#[test]
fn a_changed_why_not_is_noticed_by_refusals() {
    let lines = "use bazaar\n\nscenario \"Refusals\"\n  players ann bob\n  turn ann\n  \
                 refuse ann propose ore x3 for wool to bob because \"you do not have that\"\n  \
                 refuse ann propose none for wool to bob because \"a gift is no trade\"\n  \
                 refuse ann propose ore for none to bob because \"a gift is no trade\"\n  \
                 refuse ann propose ore for wool to ann because \"trade with another player\"\n  \
                 ann propose ore for wool x3 to bob\n  \
                 refuse bob accept\n  \
                 refuse bob counter wool x3 for ore because \"you do not have that\"\n  \
                 bob counter wool x2 for ore x2\n  ann accept\n  expect winner bob\n";
    let why_not = 1 + RULES.lines().position(|line| line.starts_with("fn why_not")).unwrap();
    // How many changes of a line of `why_not` are listed: it is the last function.
    let unnoticed = |lines: &str| {
        let ran = with(&[]).file("scenarios/a.scenario", lines).run(&["mutate", "bazaar"]);
        let places = ran.stdout.lines().filter_map(|line| line.strip_prefix("  games/bazaar/rules.rhai:"));
        let places = places.map(|place| place.split(':').next().unwrap().parse::<usize>().unwrap());
        let (listed, before): (Vec<_>, Vec<_>) = places.partition(|&line| line > why_not);
        assert!(!before.is_empty(), "{}", ran.all());
        (listed.len(), ran.all())
    };
    let (listed, all) = unnoticed(lines);
    assert_eq!(listed, 0, "{all}");
    // Without the refusal of an answer that has no values, nothing needs the first line and its `return`.
    let (listed, all) = unnoticed(&lines.replace("  refuse bob accept\n", ""));
    assert_eq!(listed, 2, "{all}");
}
