//! Games with an order of turns, rounds and players who resign, by the commands.

use super::Project;

const GAME: &str = "game bids \"Bids\"\nplayers 2..3 red blue green\nrules \"rules.rhai\"\nrulebook \"RULES.md\"\n\
                    ask bid NUMBER \"Bid\"\ncounter bid for each player\nclock counter bids\n";

/// In each round by descending bids; the highest bid of three has another turn. After four rounds the last one to bid wins.
const RULES: &str = "fn turn(me) {
    me.bid = choose(me, \"bid\", [1, 2, 3]);
    game.bids += 1;
    if me.bid == 3 { extra_turn(me); }
    if me.bid == 1 { skip(after(me)); }
}
fn round_begins() {
    let all = turn_order();
    all.sort(|one, other| other.bid - one.bid);
    set_order(all);
}
fn round_ends() {
    if round() == 4 { win(last_turn()); }
}
fn resigned(player) {
    let left = turn_order().filter(|one| one != player);
    if left.len() == 1 { win(left[0]); }
    set_order(left);
}
";

fn project() -> Project {
    Project::new()
        .file("games/bids/bids.game", GAME)
        .file("games/bids/rules.rhai", RULES)
        .file("games/bids/RULES.md", "# Bids\n\n[R1] Bid.\n")
}

#[test]
fn recorded_games_with_an_order_of_turns_replay() {
    let project = project();
    for players in ["2", "3"] {
        let ran = project.run(&[
            "simulate",
            "bids",
            "--players",
            players,
            "--games",
            "5",
            "--seed",
            "3",
            "--record",
            &format!("games{players}"),
        ]);
        assert_eq!(ran.code, 0, "{}", ran.all());
        let ran = project.run(&["test", &format!("games{players}")]);
        assert!(ran.code == 0 && ran.stdout.contains("5 passed, 0 failed"), "{}", ran.all());
    }
}

#[test]
fn a_game_is_played_until_a_player_resigns_and_its_record_replays() {
    let project = project();
    let ran = project.run_with(
        &["play", "bids", "--players", "3", "--record", "a.scenario"],
        "bid 2\nresign\nbid 2\nred bid 3\nred resigns\n",
    );
    assert_eq!(ran.code, 0, "{}", ran.all());
    let text = std::fs::read_to_string(project.path().join("a.scenario")).unwrap();
    assert!(text.contains("  blue resigns\n"), "{text}\n{}", ran.all());
    let ran = project.run(&["test", "a.scenario"]);
    assert_eq!(ran.code, 0, "{}{text}", ran.all());
}

#[test]
fn without_the_function_nobody_resigns() {
    let cut = RULES.find("fn resigned").unwrap();
    let project = project().file("games/bids/rules.rhai", &RULES[..cut]);
    let ran = project.run_with(&["play", "bids", "--players", "2"], "resign\nquit\n");
    assert!(ran.all().contains("the rules do not say what follows if a player resigns"), "{}", ran.all());
}

#[test]
fn holes_at_the_ends_of_turns_and_rounds_are_found_and_shown() {
    let project = project();
    for (always, found) in [
        ("at the end of a round { round() < 3 }", true),
        ("at the end of a turn { last_turn() != blue || turns() < 4 }", true),
        ("at the end of a round { game.bids >= round() }", false),
    ] {
        let ran = project.run(&["explore", "bids", "--players", "2", "--games", "30", "--always", always]);
        let all = ran.all();
        assert_eq!(all.contains("this is not always true"), found, "{always}: {all}");
        if found {
            let words = always.split(" {").next().unwrap();
            assert!(all.contains(&format!("always {words} {{")), "{all}");
            // The scenario that shows the hole fails as it says.
            let from = all.find("    use bids").or_else(|| all.find("    # Found by")).unwrap_or_default();
            let shown: String = all[from..]
                .lines()
                .take_while(|line| line.is_empty() || line.starts_with("    "))
                .map(|line| format!("{}\n", line.strip_prefix("    ").unwrap_or_default()))
                .collect();
            std::fs::write(project.path().join("hole.scenario"), &shown).unwrap();
            let ran = project.run(&["test", "hole.scenario"]);
            assert!(ran.all().contains("this is not always true"), "{shown}\n{}", ran.all());
        }
    }
}

#[test]
fn odds_and_questions_read_rounds_and_turns() {
    let scenario = "use bids\n\nscenario \"Rounds\"\n  players red blue\n  turn red\n  \
                    expect reachable round 2 within 2 turns\n  expect never round 3 within 2 turns\n  \
                    expect never { turns() > 3 } within 3 turns\n  \
                    expect chance { round() == 2 } = 1/3 within 2 turns\n    when red policy random\n    when blue policy random\n";
    let project = project().file("a.scenario", scenario);
    let ran = project.run(&["test", "a.scenario"]);
    assert_eq!(ran.code, 0, "{}", ran.all());
}
