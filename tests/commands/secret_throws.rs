//! Throws and answers that not all players see: what they show, who may decide, and that nobody decides by them.

use serde_json::Value;

use super::{Project, Ran};

const GAME: &str = "game cups \"Cups\"\nplayers 2 ann bob\nrules \"rules.rhai\"\n\ndie cup 1..6 secret\ndie fate 1..6 hidden\n\
                    counter held for each player secret\ncounter score for each player\nflag even for each player\n\
                    ask guess NUMBER\nask wait\nevent PLAYER threw NUMBER\n\n\
                    option keeps = value | variable | argument | nobody\noption tells = nothing | parity\n";

/// Bob throws, and ann guesses. The throw is carried to the guess in several ways.
const GUESS: &str = r#"
fn turn(me) {
    let other = after(me);
    let shown = if option("keeps") == "nobody" { roll("fate") } else { roll(other, "cup") };
    if option("tells") == "parity" { other.even = shown % 2 == 0; }
    if option("keeps") == "argument" { then("guess", me, shown); return; }
    if option("keeps") == "value" { other.held = shown; then("guess_held", me); return; }
    guess(me, shown);
}
fn guess_held(me) { guess(me, after(me).held); }
fn guess(me, shown) {
    if choose(me, "guess", 1..=6) == shown { win(me); }
    lose(me);
}
"#;

/// Both throw in turns of their own; in the third turn ann guesses what bob has thrown. Then it begins again.
const LATER: &str = r#"
fn turn(me) {
    if me.held == 0 {
        me.held = roll(me, "cup");
        choose(me, "wait", [may("wait")]);
        return;
    }
    let right = choose(me, "guess", 1..=6) == after(me).held;
    for player in players() { event("threw", player, player.held); }
    clear_secrets();
    let other = after(me);
    if right { me.score += 1; } else { other.score += 1; }
    if me.score + other.score == 3 { win(if me.score > other.score { me } else { other }); }
    next_turn(me);
}
"#;

fn project(rules: &str) -> Project {
    // Where answers are secret, nobody can average.
    let hide = if rules == HIDE { "ask hide NUMBER secret\n" } else { "" };
    Project::new().file("games/cups/cups.game", format!("{GAME}{hide}")).file("games/cups/rules.rhai", rules)
}

fn scenario(lines: &str) -> String {
    format!("use cups\n\nscenario \"A secret\"\n{lines}")
}

fn judged(rules: &str, lines: &str) -> Ran {
    project(rules).file("a.scenario", scenario(lines)).run(&["test", "a.scenario"])
}

/// Plays games from a position, in which bob decides at random.
fn simulated(project: &Project, file: &str, games: &str, policy: &str, more: &[&str]) -> Ran {
    let flags = ["simulate", "cups", "--from", file, "-n", games, "--policy", policy, "--policy", "bob=random"];
    project.run(&[&flags[..], more].concat())
}

/// The games that ann wins, of `games` games from a position.
fn wins(project: &Project, file: &str, games: &str, policy: &str) -> u64 {
    let ran = simulated(project, file, games, policy, &["--format", "json"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{policy}: {}", ran.all());
    let run: Value = serde_json::from_str(&ran.stdout).unwrap();
    run["players"][0]["wins"]["games"].as_u64().unwrap()
}

const POLICIES: [&str; 3] = ["ann=random", "ann=greedy:me.score", "ann=mcts:12"];

/// Six positions that differ only in what ann does not see: in each game of a seed she guesses the same in all, so that she is
/// right in exactly one of them.
#[test]
fn no_policy_can_tell_throws_apart() {
    for keeps in ["value", "variable", "argument", "nobody"] {
        let die = if keeps == "nobody" { "fate" } else { "cup" };
        for policy in POLICIES {
            let won = (1..=6).map(|face| {
                let lines = format!("  with keeps = {keeps}\n  turn ann\n  roll {die} {face}\n");
                let project = project(GUESS).file("a.scenario", scenario(&lines));
                wins(&project, "a.scenario", "12", policy)
            });
            assert_eq!(won.sum::<u64>(), 12, "{keeps} {policy}");
        }
    }
}

/// What all players know of the throw counts: of the three even faces one is right.
#[test]
fn policies_average_over_the_throws_that_are_possible() {
    for policy in ["ann=greedy:me.score", "ann=mcts:60"] {
        let won = [2, 4, 6].map(|face| {
            let lines = format!("  with tells = parity\n  turn ann\n  roll cup {face}\n");
            wins(&project(GUESS).file("a.scenario", scenario(&lines)), "a.scenario", "12", policy)
        });
        assert_eq!(won.iter().sum::<u64>(), 12, "{policy} {won:?}");
    }
}

/// Throws of earlier turns, too, and in later rounds.
#[test]
fn throws_of_earlier_turns_are_made_again() {
    for round in ["", "  ann guess 1\n  roll cup 2\n  ann wait\n  roll cup 5\n  bob wait\n"] {
        for policy in POLICIES {
            let won = (1..=6).map(|face| {
                let mut lines = format!("  turn ann\n  roll cup 3\n  ann wait\n  roll cup {face}\n  bob wait\n");
                if !round.is_empty() {
                    // In the first round bob has thrown the same in all six, and all have seen it.
                    lines = format!("  turn ann\n  roll cup 3\n  ann wait\n  roll cup 4\n  bob wait\n{round}");
                    lines = lines.replace("roll cup 5", &format!("roll cup {face}"));
                }
                let text = scenario(&lines);
                let project = project(LATER).file("a.scenario", text);
                first_guess_is_right(&project, policy)
            });
            assert_eq!(won.sum::<u64>(), 8, "{round:?} {policy}");
        }
    }
}

/// Of eight games, those in which ann's next guess is right: the recorded games show it.
fn first_guess_is_right(project: &Project, policy: &str) -> u64 {
    let record = ["--record", "played", "--record-games", "1,2,3,4,5,6,7,8"];
    let ran = simulated(project, "a.scenario", "8", policy, &record);
    assert_eq!(ran.code, 0, "{policy}: {}", ran.all());
    let mut right = 0;
    for entry in std::fs::read_dir(project.path().join("played")).unwrap() {
        let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        let before = std::fs::read_to_string(project.path().join("a.scenario")).unwrap();
        let guesses = before.matches("ann guess").count();
        let guess = text.split("ann guess ").nth(guesses + 1).unwrap().chars().next();
        let thrown = before.rsplit("roll cup ").next().unwrap().chars().next();
        right += u64::from(guess == thrown);
    }
    right
}

#[test]
fn odds_average_over_the_throws_of_a_turn() {
    let chance = |keeps: &str, die: &str, face: u32| {
        let lines = format!(
            "  with keeps = {keeps}\n  turn ann\n  roll {die} {face}\n  expect chance winner ann = 1/6\n    when ann policy greedy:0\n"
        );
        judged(GUESS, &lines)
    };
    for (keeps, die) in [("value", "cup"), ("variable", "cup"), ("argument", "cup"), ("nobody", "fate")] {
        for face in [1, 5] {
            let ran = chance(keeps, die, face);
            assert_eq!(ran.code, 0, "{keeps} {face}: {}", ran.all());
        }
    }
}

/// Bob's throw was turns ago: ann takes the average over what it may have been.
#[test]
fn odds_average_over_the_throws_of_earlier_turns() {
    let ran = judged(
        LATER,
        "  turn ann\n  expect chance ann.score = 1 = 1/6 within 3 turns\n    when ann wait\n    when ann policy greedy:me.score\n    \
         when bob wait\n",
    );
    assert_eq!(ran.code, 0, "{}", ran.all());
}

#[test]
fn who_does_not_see_all_cannot_play_best() {
    for by in ["at best for ann", "at worst for ann"] {
        let ran = judged(GUESS, &format!("  turn ann\n  roll cup 3\n  expect chance winner ann = 1/6\n    {by}\n"));
        assert!(ran.all().contains("not_seen") && ran.all().contains("`roll cup`"), "{}", ran.all());
        assert!(ran.all().contains("would look at secrets that ann does not see: "), "{}", ran.all());
    }
}

/// A position with secret values says nothing of the chances that they had.
#[test]
fn what_was_not_thrown_cannot_be_thrown_again() {
    let lines = "  set bob.held 3\n  resume guess_held ann\n";
    for policy in ["ann=greedy:me.score", "ann=mcts:12"] {
        let project = project(GUESS).file("a.scenario", scenario(lines));
        let ran = simulated(&project, "a.scenario", "3", policy, &[]);
        let all = ran.all();
        assert!(ran.code != 0 && all.contains("ann, who does not see `bob.held`, `roll cup`, `roll fate`"), "{all}");
        assert!(all.contains("so that they can be made again"), "{all}");
    }
}

const HIDE: &str = r#"
fn turn(me) {
    let other = after(me);
    other.held = choose(other, "hide", 1..=3);
    let both = choose_all(players(), "hide", |player| 4..=5);
    if both[0] == both[1] { me.score += 1; }
    if choose(me, "guess", 1..=3) == other.held { win(me); }
    lose(me);
}
"#;

#[test]
fn secret_answers_are_not_averaged_over() {
    for policy in ["ann=greedy:me.score", "ann=mcts:12"] {
        let flags = ["--policy", "ann=hide 4", "--policy", policy, "--policy", "bob=random"];
        let ran = project(HIDE).run(&[&["simulate", "cups", "-n", "3"], &flags[..]].concat());
        assert!(ran.code != 0 && ran.all().contains("referee::not_seen"), "{}", ran.all());
    }
    let ran = project(HIDE).run(&["simulate", "cups", "-n", "30", "--policy", "ann=guess 2", "--policy", "random"]);
    assert_eq!(ran.code, 0, "{}", ran.all());
}

#[test]
fn play_shows_who_answers_and_not_what() {
    let ran = project(HIDE).run_with(&["play", "cups", "--policy", "bob=random", "--seed", "3"], "hide 4\n1\n");
    let all = ran.all();
    assert!(all.contains("bob hide …\n") && all.contains("ann hide 4, bob hide …\n"), "{all}");
    assert!(all.contains("ann guess 1\n") && !all.contains("bob.held"), "{all}");
    // Who answers sees it.
    let ran = project(HIDE).run_with(&["play", "cups", "--policy", "ann=random", "--seed", "3"], "2\nhide 5\n");
    assert!(ran.all().contains("bob hide 2\n") && ran.all().contains("ann hide …, bob hide 5\n"), "{}", ran.all());
    // Two people at one screen: nobody sees what others have typed.
    let ran = project(HIDE).run_with(&["play", "cups", "--seed", "3"], "\n2\n\nhide 4\n\nhide 5\n\n1\n");
    assert!(
        ran.all().contains("bob hide …\n") && ran.all().contains("press Enter when nobody else looks"),
        "{}",
        ran.all()
    );
}

#[test]
fn play_shows_throws_to_their_player() {
    let shown = |policy: &str, keeps: &str| {
        let keeps = format!("keeps={keeps}");
        let ran =
            project(GUESS).run_with(&["play", "cups", "--policy", policy, "--with", &keeps, "--seed", "3"], "1\n");
        ran.all()
    };
    let by_ann = shown("bob=random", "value");
    assert!(by_ann.contains("roll cup\n") && !by_ann.contains("bob.held"), "{by_ann}");
    let by_bob = shown("ann=random", "value");
    let face = by_bob.split("roll cup ").nth(1).unwrap_or_default().chars().next();
    assert!(face.is_some_and(|face| ('1'..='6').contains(&face)), "{by_bob}");
    let hidden = shown("ann=random", "nobody");
    assert!(hidden.contains("roll fate\n"), "{hidden}");
    // By hand, only who plays alone types in their own secret throws.
    let arguments = ["play", "cups", "--chance-by-hand", "--seed", "3", "--policy"];
    let ran = project(GUESS).run_with(&[&arguments[..], &["ann=random"]].concat(), "5\n");
    assert!(ran.all().contains("roll cup 5"), "{}", ran.all());
    let ran = project(GUESS).run_with(&[&arguments[..], &["bob=random"]].concat(), "1\n");
    assert!(ran.all().contains("roll cup\n") && ran.all().contains("ann guess 1"), "{}", ran.all());
}

/// What is written as a scenario replays, each player's throws on a line.
#[test]
fn records_have_everything() {
    let project = project(LATER);
    let ran = project.run(&["simulate", "cups", "-n", "3", "--record", "played"]);
    assert_eq!(ran.code, 0, "{}", ran.all());
    let ran = project.run(&["test", "played"]);
    assert!(ran.code == 0 && ran.stdout.contains("3 passed"), "{}", ran.all());
}

#[test]
fn the_author_sees_everything() {
    let ran = judged(LATER, "  turn ann\n  expect asks roll cup\n  roll 4\n  expect ann.held = 4\n  ann wait\n  roll cup 2\n  bob wait\n  ann guess 2\n  expect ann.score = 1\n  expect ann.held = 0\n  expect events exactly\n    > ann threw 4\n    > bob threw 2\n".replace("roll 4", "roll cup 4").as_str());
    assert_eq!(ran.code, 0, "{}", ran.all());
    let ran = judged(
        HIDE,
        "  turn ann\n  expect choices bob hide = 1, 2, 3\n  bob hide 2\n  ann hide 4\n  bob hide 4\n  expect ann.score = 1\n  expect bob.held = 2\n  ann guess 2\n  expect winner ann\n",
    );
    assert_eq!(ran.code, 0, "{}", ran.all());
}

/// Conditions see the throw of their player and not those of others.
#[test]
fn conditions_see_what_their_player_sees() {
    let begun = "  turn ann\n  roll cup 3\n  ann wait\n  roll cup 5\n  bob wait\n";
    for (condition, chance) in [("me.held == 3", "1"), ("bob.held == 0", "1")] {
        let lines = format!(
            "{begun}  expect chance ann.score = 1 = {chance}\n    when ann guess 5 if {{ {condition} }}\n    when ann policy random\n"
        );
        let ran = judged(LATER, &lines);
        assert_eq!(ran.code, 0, "{condition}: {}", ran.all());
    }
    let lines = format!(
        "{begun}  expect chance ann.score = 1 = 1/6\n    when ann guess 5 if {{ bob.held == 5 }}\n    when ann policy random\n"
    );
    let ran = judged(LATER, &lines);
    assert!(ran.all().contains("its condition never holds"), "{}", ran.all());
}

#[test]
fn wrong_secrets_are_reported() {
    let game = GAME
        .replace("die cup 1..6 secret", "die cup 1..6 secrt")
        .replace("die fate 1..6 hidden", "die fate sun | rain pile")
        + "ask hide NUMBER hidden\n";
    let ran = project(GUESS).file("games/cups/cups.game", &game).run(&["check", "games"]);
    let rules = "fn turn(me) {\n    me.held = roll(\"cup\");\n    me.score = roll(me, \"fate\");\n    me.score = roll(me);\n    win(me);\n}\n";
    let other = project(rules).run(&["check", "games"]);
    let answer = judged(HIDE, "  turn ann\n  bob hide 2 secret\n");
    insta::assert_snapshot!(format!("{}\n{}\n{}", ran.all(), other.all(), answer.all()));
}
