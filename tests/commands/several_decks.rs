//! Policies in games with several decks: cards of one deck are not dealt into another, and nobody knows more for it than their player
//! does.

use super::Project;
use super::policies::{odds, simulated};

const GAME: &str = "game decks \"Decks\"\nplayers 2 ann ben\nrules \"rules.rhai\"\n\nzone low_deck hidden\nzone high_deck hidden\n\
zone hand for each player secret\nzone trick hidden\nzone shown\ncard low from \"low.yaml\" in low_deck\n\
card high from \"high.yaml\" in high_deck\ncounter score for each player\ncounter asked = 0\n\
ask bet\nask sure\nask pass\n";

const LOW: &str = "printed: {worth: NUMBER}\ncards:\n  - {name: low1, worth: 1}\n  - {name: low3, worth: 3}\n  - {name: low5, worth: 5}\n";
const HIGH: &str = "printed: {worth: NUMBER}\ncards:\n  - {name: high10, worth: 10}\n  - {name: high20, worth: 20}\n";

/// Ben may lay one of his cards face down, at random. Then ann takes what is sure, or what BET comes to.
const RULES: &str = "fn turn(me) {
    if me == players()[1] {
        choose(me, \"pass\", [may(\"pass\")]);
        if game.asked > 0 { draw_game(); } else { draw(hand(me), trick); }
        return;
    }
    let act = choose(me, \"sure\", [may(\"sure\"), may(\"bet\")]);
    me.score = if act.verb == \"sure\" { SURE } else { BET };
    game.asked += 1;
}
fn worth(zone) {
    let all = [\"low1\", \"low3\", \"low5\", \"high10\", \"high20\"].map(|name| piece(name));
    sum(all.map(|card| count(zone, card) * card.worth))
}
";

const PRODUCT: &str =
    "cards(hand(after(me))).map(|card| card.worth).reduce(|all, worth| if all == () { worth } else { all * worth })";

fn project(rules: &str, bet: &str) -> Project {
    Project::new()
        .file("games/decks/decks.game", GAME)
        .file("games/decks/rules.rhai", rules.replace("BET", bet))
        .file("games/decks/low.yaml", LOW)
        .file("games/decks/high.yaml", HIGH)
}

/// Asserts that ann bets in this position if less than `worth` is sure, and not if more is.
fn bets_for(worth: u32, bet: &str, lines: &str) {
    bets_between(worth - 1, worth + 1, bet, lines);
}

/// Asserts that ann bets in this position if `less` is sure, and not if `more` is.
fn bets_between(less: u32, more: u32, bet: &str, lines: &str) {
    for (sure, bets) in [(less, "1"), (more, "0")] {
        let scenario = format!("use decks\n\nscenario \"Cards\"\n{lines}");
        let project = project(&RULES.replace("SURE", &sure.to_string()), bet).file("a.scenario", scenario);
        let chance = format!("{{ ann.score != {sure} }}");
        let asked = ["a.scenario", "--policy", "greedy:me.score", "--chance", &chance, "--to-the-end"];
        assert_eq!(odds(&project, &asked)["odds"][0]["fraction"], bets, "{bet}, {sure} is sure\n{lines}");
    }
}

/// Ben has one card of each deck, so there are six deals: 1, 3 or 5 times 10 or 20, on average 45. In one pool, two of the five cards
/// would be worth 49.3.
#[test]
fn the_average_is_over_the_cards_of_each_deck() {
    for low in ["low1", "low3", "low5"] {
        for high in ["high10", "high20"] {
            let lines = format!("  hand ben: {low} {high}\n  turn ann\n");
            bets_for(45, PRODUCT, &lines);
            // Two of three low cards, and one of two high ones, are left in the decks.
            bets_for(6, "worth(low_deck)", &lines);
            bets_for(15, "worth(high_deck)", &lines);
        }
    }
}

/// Whichever card ben has laid face down, ann knows only that it was one of his, two of three low ones and one high one: it is worth
/// 2/3 of 3 and 1/3 of 15. Only low cards are in the deck of low ones.
#[test]
fn a_card_from_among_others_may_be_any_of_them() {
    for (hand, laid) in [("low1 low3 high10", "low1"), ("low1 low3 high10", "high10"), ("low3 low5 high20", "high20")] {
        let lines = format!("  hand ben: {hand}\n  turn ben\n  ben pass\n  draw {laid}\n");
        bets_for(7, "worth(trick)", &lines);
        bets_for(3, "worth(low_deck)", &lines);
        bets_for(15, "worth(high_deck)", &lines);
    }
}

/// Where cards of both decks are together in one of them, any of them may have been drawn: five cards are worth 39.
#[test]
fn decks_that_are_together_are_one() {
    let all = ["low1", "low3", "low5", "high10", "high20"];
    for card in all {
        let rest: Vec<&str> = all.into_iter().filter(|other| *other != card).collect();
        let lines = format!("  low_deck: {}\n  hand ben: {card}\n  turn ann\n", rest.join(" "));
        bets_between(7, 8, PRODUCT, &lines);
    }
}

/// Only low cards have a printed cost, and only they are drawn. No deal that a policy tries gives a player a high one.
#[test]
fn rules_that_rely_on_the_deck_run_in_every_deal() {
    let rules = "fn turn(me) {
    if is_empty(low_deck) { draw_game(); return; }
    choose(me, \"pass\", [may(\"pass\"), may(\"sure\")]);
    me.score = sum(cards(hand(me)).map(|card| card.cost));
    draw(low_deck, hand(me));
}
";
    let cards = |name: &str, printed: &str| -> String {
        (0..8).map(|at| format!("  - {{name: {name}{at}{printed}}}\n")).collect()
    };
    let project = Project::new()
        .file("games/decks/decks.game", GAME)
        .file("games/decks/rules.rhai", rules)
        .file("games/decks/low.yaml", format!("printed: {{cost: NUMBER}}\ncards:\n{}", cards("low", ", cost: 1")))
        .file("games/decks/high.yaml", format!("cards:\n{}", cards("high", "")));
    for policy in ["greedy:count(hand(me))", "mcts:20"] {
        simulated(&project, &["decks", "--policy", policy, "-n", "3"]);
    }
}
