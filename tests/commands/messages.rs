//! What messages say to do is right: it is done here.

use super::Project;

/// A game in which all players bid at once, up to their coins, and then one of them takes or leaves.
fn auction() -> Project {
    let game = "game bids\nplayers 2..3 ann bob cem\nrules \"rules.rhai\"\ncounter coins for each player = 3\n\
                counter won for each player = 0\nask bid NUMBER\nask take\nask leave\n\
                event PLAYER is outbid\nevent PLAYER is in the lead by NUMBER\nevent PLAYER pays\n";
    let rules = "fn turn(me) {
    let bids = choose_all(players(), \"bid\", |one| 0..=one.coins);
    let at = 0;
    for one in players() { one.coins -= bids[at]; at += 1; }
    let act = choose(me, \"take\", [may(\"take\"), may(\"leave\")]);
    if act.verb == \"take\" { me.won += 1; event(\"is in the lead\", me, me.won); }
    if me.won == 3 { win(me); }
}
";
    Project::new().file("games/bids/bids.game", game).file("games/bids/rules.rhai", rules)
}

/// Returns the words in single quotes of a message.
fn quoted(text: &str) -> Vec<String> {
    // Long lines of help are broken.
    let joined = text.split_whitespace().collect::<Vec<_>>().join(" ");
    joined.split('\'').skip(1).step_by(2).map(str::to_owned).collect()
}

#[test]
fn the_actions_for_players_who_decide_at_once_are_those_to_give() {
    for policy in ["ann=mcts:5", "mcts:5", "bob=greedy:me.won"] {
        let mut arguments = vec!["simulate", "bids", "-n", "5", "--policy", policy].into_iter().map(str::to_owned);
        let mut arguments: Vec<String> = arguments.by_ref().collect();
        let run = |arguments: &[String]| auction().run(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
        let ran = run(&arguments);
        assert_eq!(ran.code, 3, "{ran:?}");
        let actions = quoted(ran.stderr.split("help:").nth(1).unwrap());
        assert_eq!(actions.len(), if policy.contains('=') { 1 } else { 2 }, "{ran:?}");
        for action in actions {
            arguments.extend(["--policy".to_owned(), action]);
        }
        let ran = run(&arguments);
        assert_eq!(ran.code, 0, "{arguments:?}: {ran:?}");
    }
}

#[test]
fn there_is_no_hint_for_a_decision_at_once() {
    let ran = auction().run_with(&["play", "bids", "--policy", "bob=random"], "hint\nbid 0\nhint\n");
    assert!(ran.stderr.contains("there is no hint for ann bid and bob bid: several players decide at once"), "{ran:?}");
    // The decision of one player has one.
    assert!(["take", "leave"].iter().any(|option| ran.stdout.contains(&format!("take> hint\n{option}\n"))), "{ran:?}");
}

#[test]
fn an_event_may_be_called_by_more_words_of_its_form() {
    // Two events begin with `is`: their names are `is outbid` and `is in`.
    for (name, is_right) in [
        ("is in", true),
        ("is in the", true),
        ("is in the lead", true),
        ("is in the lead by", true),
        ("is in the lead by far", false),
        ("is in th", false),
        ("in the lead", false),
        ("is", false),
    ] {
        let project = auction();
        let path = project.path().join("games/bids/rules.rhai");
        let rules = std::fs::read_to_string(&path).unwrap().replace("is in the lead", name);
        std::fs::write(&path, &rules).unwrap();
        let ran = project.run(&["check", "games"]);
        assert_eq!(ran.code == 0, is_right, "{name}: {ran:?}");
        if is_right {
            let text = "use bids\n\nscenario \"A lead\"\n  players ann bob\n  turn ann\n  ann bid 0\n  bob bid 0\n  \
                        ann take\n  expect events\n    > ann is in the lead by 1\n";
            let ran = project.file("a.scenario", text).run(&["test", "a.scenario"]);
            assert_eq!(ran.code, 0, "{name}: {ran:?}");
        }
    }
    // The name may be in a variable, where only play can look at it; the number of values is checked as for the short one.
    for (from, to, code) in [
        ("event(\"is in the lead\", me, me.won)", "let name = \"is in the lead\"; event(name, me, me.won)", 0),
        ("event(\"is in the lead\", me, me.won)", "event(\"is in the lead\", me)", 3),
    ] {
        let project = auction();
        let path = project.path().join("games/bids/rules.rhai");
        std::fs::write(&path, std::fs::read_to_string(&path).unwrap().replace(from, to)).unwrap();
        assert_eq!(project.run(&["simulate", "bids", "-n", "3"]).code, code, "{to}");
    }
}

#[test]
fn a_policy_for_what_is_left_need_not_be_needed() {
    let line = |lines: &str| {
        format!(
            "use bids\n\nscenario \"A chance\"\n  players ann bob\n  turn ann\n  ann bid 0\n  bob bid 0\n  \
             expect chance ann.won = 1 = 1\n{lines}"
        )
    };
    let tested = |lines: &str| auction().file("a.scenario", line(lines)).run(&["test", "a.scenario"]);
    let ran = tested("    when ann take\n    when ann policy random\n");
    assert_eq!(ran.code, 0, "{ran:?}");
    let ran = tested("    when ann take\n    when bob policy random\n");
    assert_eq!(ran.code, 0, "{ran:?}");
    // Best play of a player who decides nothing, and an action that never counts, are still errors.
    let ran = tested("    when ann take\n    at best for bob\n");
    assert!(ran.stdout.contains("this has no effect: bob decides nothing before the horizon"), "{ran:?}");
    let ran = tested("    when ann take\n    when ann leave\n");
    assert!(ran.stdout.contains("this has no effect"), "{ran:?}");
    let odds = |policies: &[&str]| {
        let text = line("").replace("  expect chance ann.won = 1 = 1\n", "");
        let project = auction().file("a.scenario", text);
        project.run(&[&["odds", "a.scenario", "--chance", "ann.won = 1", "--within", "1"], policies].concat())
    };
    let ran = odds(&["--policy", "ann=take", "--policy", "ann=random"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert_eq!(odds(&["--policy", "ann=take", "--policy", "bob=random"]).code, 0);
}

#[test]
fn options_of_several_values_are_counted_line_by_line() {
    let game = "game pay\nplayers 1 ann\nrules \"rules.rhai\"\nask pay NUMBERS\n";
    let rules = "fn turn(me) { choose(me, \"pay\", [[1, 2], [1, 3], [1, 2, 3]]); win(me); }\n";
    let text = "use pay\n\nscenario \"Three\"\n  turn ann\n  expect choices count 2\n";
    let project = Project::new().file("games/pay/pay.game", game).file("games/pay/rules.rhai", rules);
    let ran = project.file("a.scenario", text).run(&["test", "a.scenario"]);
    let lines: Vec<&str> = ran.stdout.lines().map(str::trim).skip_while(|line| !line.starts_with("actual:")).collect();
    assert_eq!(lines.get(..4), Some(&["actual:   3:", "pay 1 2", "pay 1 3", "pay 1 2 3"][..]), "{ran:?}");
}

#[test]
fn the_colon_is_all_that_is_wrong() {
    let game = "game pay\nplayers: 2 white black\nrules: \"rules.rhai\"\ndie: 1..6\n";
    let project = Project::new()
        .file("games/pay/pay.game", game)
        .file("games/pay/rules.rhai", "fn turn(me) { roll(); win(me); }\n");
    let ran = project.run(&["check", "games"]);
    assert!(ran.stdout.contains("3 errors"), "{ran:?}");
    let helps: Vec<&str> = ran.stdout.lines().filter_map(|line| line.trim().strip_prefix("help: write `")).collect();
    let right: String = helps.iter().map(|help| format!("{}\n", help.trim_end_matches('`'))).collect();
    let project = project.file("games/pay/pay.game", format!("game pay\n{right}"));
    assert_eq!(project.run(&["check", "games"]).code, 0, "{right}");
}

#[test]
fn what_is_too_much_for_odds_can_be_estimated() {
    let chance = ["--chance", "ann.won = 3"];
    let all = ["--policy", "random"];
    let odds = auction().run(&[&["odds", "bids", "--states", "20", "--within", "6"], &chance[..], &all[..]].concat());
    assert!(
        odds.stderr.contains("or estimate it from random games: `referee simulate` has `--chance`, too"),
        "{odds:?}"
    );
    let simulated = auction().run(&[&["simulate", "bids", "-n", "20"], &chance[..], &all[..]].concat());
    assert_eq!(simulated.code, 0, "{simulated:?}");
}

/// Who alone is asked by `choose_all` decides as everywhere else: policies may look ahead.
#[test]
fn one_player_who_is_asked_by_choose_all_decides_alone() {
    let rules = "fn turn(me) { let bids = choose_all([me], \"bid\", |who| [1, 2]); me.points += bids[0]; if me.points > 2 { win(me); } }\n";
    let game =
        "game duo \"Duo\"\nplayers 2 nan oto\nrules \"rules.rhai\"\ncounter points for each player\nask bid NUMBER\n";
    let project = Project::new().file("games/duo/duo.game", game).file("games/duo/rules.rhai", rules).file(
        "a.scenario",
        "use duo\n\nscenario \"Best play\"\n  turn nan\n  expect choices bid = 1, 2\n  expect chance winner nan = 1 to the end of the game\n    at best for nan\n    at worst for oto\n",
    );
    for policy in ["mcts:5", "greedy:{ me.points }"] {
        let ran = project.run(&["simulate", "duo", "-n", "3", "--policy", policy]);
        assert_eq!(ran.code, 0, "{}", ran.all());
    }
    let ran = project.run(&["odds", "duo", "--policy", "nan=best", "--policy", "oto=worst"]);
    assert!(ran.code == 0 && ran.stdout.contains("nan  1.000000000"), "{}", ran.all());
    let ran = project.run(&["test", "a.scenario"]);
    assert_eq!(ran.code, 0, "{}", ran.all());
    // In the expression of a policy the player is `me`.
    let ran = project.run(&["simulate", "duo", "-n", "1", "--policy", "greedy:points"]);
    assert!(ran.stderr.contains("write `me.points`"), "{}", ran.all());
}
