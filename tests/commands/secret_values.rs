//! Values that not all players see: what they show, and who may decide.

use super::Project;

const GAME: &str = "game bids \"Bids\"\nplayers 2 ann bob\nrules \"rules.rhai\"\n\ndie 1..6\n\
                    counter bid for each player secret\nproperty code NUMBERS hidden\nflag ready for each player\n\
                    counter score for each player\nask bid NUMBER\nask guess NUMBER\n";

const RULES: &str = r#"fn turn(me) {
    if game.code.is_empty() { game.code = [roll()]; }
    if me.bid == 0 { me.bid = choose(me, "bid", 1..=3); return; }
    let guess = choose(me, "guess", 1..=3);
    if after(me).bid == guess { me.score += 1; }
    if game.code.contains(guess) { me.score += 1; }
    me.bid = 0;
    if me.score > 3 { win(me); }
}
"#;

fn project() -> Project {
    Project::new().file("games/bids/bids.game", GAME).file("games/bids/rules.rhai", RULES)
}

fn judged(lines: &str) -> super::Ran {
    project().file("a.scenario", format!("use bids\n\nscenario \"A secret\"\n{lines}")).run(&["test", "a.scenario"])
}

const BEGUN: &str = "  set ann.bid 2\n  set bob.bid 3\n  set game.code = 4\n  turn ann\n";

#[test]
fn the_author_sees_everything() {
    let ran = judged(&format!(
        "{BEGUN}  expect bob.bid = 3\n  expect game.code = 4\n  ann guess 3\n  expect ann.score = 1\n  expect ann.bid = 0\n"
    ));
    assert_eq!(ran.code, 0, "{}", ran.all());
}

#[test]
fn who_does_not_see_a_value_cannot_try_what_it_leads_to() {
    for (decides, policy) in [
        ("when ann policy greedy:me.score", "greedy"),
        ("at best for ann", "best or worst"),
        ("at worst for ann", "best or worst"),
    ] {
        let ran = judged(&format!("{BEGUN}  expect chance ann.score = 1 = 1/3\n    {decides}\n"));
        let all = ran.all();
        assert!(all.contains("not_seen") && all.contains(policy) && all.contains("bob.bid"), "{decides}\n{all}");
    }
    let ran = judged(&format!("{BEGUN}  expect chance ann.score = 1 = 1/3\n    when ann policy random\n"));
    assert_eq!(ran.code, 0, "{}", ran.all());
    for policy in ["mcts:20", "greedy:me.score"] {
        let ran = project().run(&["simulate", "bids", "-n", "5", "--policy", &format!("ann={policy}")]);
        assert!(ran.code != 0 && ran.all().contains("who does not see"), "{policy}\n{}", ran.all());
    }
}

#[test]
fn conditions_do_not_see_what_their_player_does_not() {
    // Bob has bid 3, which ann's condition cannot see: for her it is 0, as at first.
    let chance = "  expect chance ann.score = 1 = 0\n    when ann guess 1 if { bob.bid == 0 && me.bid == 2 }\n";
    let ran = judged(&format!("{BEGUN}{chance}"));
    assert_eq!(ran.code, 0, "{}", ran.all());
}

#[test]
fn play_shows_what_a_player_may_know() {
    let ran = project().run_with(&["play", "bids", "--policy", "bob=random", "--seed", "3"], "2\n3\n");
    assert!(ran.all().contains("ann.bid = 2"), "{}", ran.all());
    assert!(!ran.all().contains("bob.bid =") && !ran.all().contains("game.code"), "{}", ran.all());
}

#[test]
fn wrong_secrets_are_reported() {
    let game = GAME
        .replace("for each player secret", "for each player secrt")
        .replace("NUMBERS hidden", "NUMBERS secret")
        .replace("flag ready for each player", "flag ready for each player pile");
    let ran = project().file("games/bids/bids.game", &game).run(&["check", "games"]);
    insta::assert_snapshot!(ran.all());
}
