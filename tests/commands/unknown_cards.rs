//! Hands with unknown cards: what is asked, what is dealt at random, what it comes to on average, and what is refused.

use super::{Project, Ran};

const GAME: &str = "game fishing \"Fishing\"\nplayers 2 ann bob\nrules \"rules.rhai\"\n\nzone deck hidden\n\
                    zone hand for each player secret\nzone pool pile\ncard rank from \"cards.yaml\" in deck\n\
                    counter score for each player\nask fish PIECE\nask snatch\nask pass\nask show\nevent PLAYER fishes PIECE\n";

const CARDS: &str = "printed: {value: NUMBER}\ncards:\n  - {name: king, count: 4, value: 3}\n  \
                     - {name: queen, count: 4, value: 2}\n  - {name: jack, count: 4, value: 1}\n";

/// Whoever fishes for a card gets it if the other player has it, and another one otherwise. The other functions look at cards in other
/// ways: by chance, in a function value, and all together.
const RULES: &str = r#"fn turn(me) {
    let other = after(me);
    let wanted = set_of(cards(pool)).map(|card| may("fish", card));
    if !is_empty(hand(other)) { wanted.push(may("snatch")); }
    if !is_empty(deck) { wanted.push(may("show")); }
    let chosen = choose(me, "fish", wanted + [may("pass")]);
    switch chosen.verb {
        "fish" => {
            event("fishes", me, chosen.value);
            if has(hand(other), chosen.value) {
                move_card(chosen.value, hand(other), hand(me));
                me.score += 1;
            } else if !is_empty(deck) {
                draw(deck, hand(me));
            }
        }
        "snatch" => {
            let card = draw(hand(other), hand(me));
            me.score += card.value;
        }
        "show" => {
            let first = draw(deck, pool);
            me.score = players().map(|player| cards(hand(player)).len()).len() + first.value;
        }
        _ => {}
    }
}
"#;

fn project() -> Project {
    Project::new()
        .file("games/fishing/fishing.game", GAME)
        .file("games/fishing/rules.rhai", RULES)
        .file("games/fishing/cards.yaml", CARDS)
}

fn judged(lines: &str) -> Ran {
    project().file("a.scenario", format!("use fishing\n\nscenario \"A hand\"\n{lines}")).run(&["test", "a.scenario"])
}

/// Asserts that the scenario passes.
fn passes(lines: &str) {
    let ran = judged(lines);
    assert_eq!(ran.code, 0, "{lines}\n{}", ran.all());
}

/// Eleven cards are in no other place: three kings, four queens, four jacks.
const FIVE: &str = "  pool: king\n  hand bob: 5 unknown\n";

#[test]
fn what_nobody_looks_at_is_not_asked() {
    passes(&format!(
        "{FIVE}  turn ann\n  expect hand bob = 5 unknown\n  expect hand bob count 5\n  expect hand bob not empty\n  \
         expect deck count 6\n  expect asks ann fish\n  ann pass\n  expect asks bob fish\n  expect hand bob = 5 unknown\n"
    ));
    // A card that is drawn from the deck may be any of the eleven.
    passes(&format!(
        "{FIVE}  deal 1 from deck to hand of ann\n  draw king\n  expect hand ann = king\n  expect deck count 5\n  \
         turn ann\n  expect chance king in hand of bob = 7/9\n    when ann pass\n"
    ));
}

#[test]
fn what_is_certain_of_unknown_cards_holds() {
    let all_but_two = "  pool: king x4 queen x4 jack x2\n  hand bob: 2 unknown\n";
    passes(&format!(
        "{all_but_two}  expect hand bob = jack x2\n  expect jack in hand of bob\n  expect not jack in deck\n  \
         expect not hand bob = jack king\n  expect deck count 0\n"
    ));
    // One king is at bob's at most, so the others are in the deck.
    passes("  hand bob: 1 unknown\n  expect king in deck\n");
    passes(
        "  hand bob: queen 1 unknown\n  hand ann: jack x4\n  expect not hand bob = king x2\n  expect not hand bob = queen jack\n  \
         expect not jack in deck\n",
    );
    for (lines, line) in [
        (FIVE, "king in deck"),
        (FIVE, "not king in deck"),
        ("  hand bob: queen 1 unknown\n", "not hand bob = queen king"),
    ] {
        let told = judged(&format!("{lines}  expect {line}\n"));
        assert_eq!(told.code, 1, "{line}");
        assert!(told.stdout.contains("not known: "), "{line}\n{}", told.stdout);
    }
    // Six of eleven cards without one of three kings: 28 of 462.
    passes(&format!("{FIVE}  turn ann\n  expect chance king in deck = 31/33\n    when ann pass\n"));
}

/// Where cards are numbers, too.
#[test]
fn a_number_before_unknown_is_no_card() {
    let ran = Project::new()
        .file("games/ranks/ranks.game", GAME.replace("fishing", "ranks"))
        .file("games/ranks/rules.rhai", "fn turn(me) { choose(me, \"pass\", [may(\"pass\")]); }\n")
        .file("games/ranks/cards.yaml", "cards:\n  - {name: \"2\"}\n  - {name: \"3\", count: 4}\n")
        .file(
            "a.scenario",
            "use ranks\n\nscenario \"A\"\n  hand ann: \"2\" 2 unknown\n  expect hand ann = 2 2 unknown\n",
        )
        .run(&["test", "a.scenario"]);
    assert_eq!(ran.code, 0, "{}", ran.all());
}

#[test]
fn cards_that_are_face_down_are_not_in_the_deck_for_certain() {
    let game = "game nets \"Nets\"\nplayers 2 red blue\nrules \"rules.rhai\"\nboard grid 2x1\nzone deck hidden\n\
                card fish from \"cards.yaml\" in deck\nask go\n";
    let rules = "fn setup() { deal_face_down(2, deck); }\nfn turn(me) { choose(me, \"go\", [may(\"go\")]); }\n";
    let cards = "cards:\n  - {name: eel, count: 3}\n  - {name: cod}\n  - {name: ray}\n";
    let play = "use nets\n\nscenario \"A\"\n  setup\n  expect eel in deck\n  expect not cod in deck\n";
    let ran = Project::new()
        .file("games/nets/nets.game", game)
        .file("games/nets/rules.rhai", rules)
        .file("games/nets/cards.yaml", cards)
        .file("a.scenario", play)
        .run(&["test", "a.scenario"]);
    assert_eq!(ran.code, 1, "{}", ran.all());
    assert!(ran.stdout.contains("not known: cards of deck are face down on the board"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("expect eel in deck\n   ·"), "three eels, and two cards elsewhere\n{}", ran.stdout);
}

#[test]
fn a_rule_that_looks_at_them_asks_for_each() {
    passes(&format!(
        "{FIVE}  turn ann\n  ann fish king\n  expect asks draw deck\n  draw queen queen\n  expect hand bob = queen queen 3 unknown\n  \
         draw jack queen king\n  expect ann.score = 1\n  expect hand bob = queen x3 jack\n  expect hand ann = king\n  \
         expect events exactly\n    > ann fishes king\n"
    ));
    // The answers that were given before are not asked for again, and nothing happens twice.
    passes(&format!(
        "{FIVE}  turn ann\n  ann show\n  draw king\n  expect asks draw deck\n  expect pool = king king\n  \
         draw king king jack jack jack\n  expect ann.score = 5\n  expect pool = king king\n  expect deck count 5\n"
    ));
    // What was drawn since the last ask is no longer there.
    let ran = judged(&format!("{FIVE}  turn ann\n  ann show\n  draw king\n  draw king king king\n"));
    assert!(ran.code != 0 && ran.all().contains("no `king` is left in deck"), "{}", ran.all());
}

#[test]
fn chances_are_those_of_drawing_without_putting_back() {
    // None of the three kings among five of eleven: 56 of 462 hands.
    passes(&format!(
        "{FIVE}  turn ann\n  expect chance ann.score = 1 = 29/33\n    when ann fish king\n  \
         expect chance king in hand of bob = 29/33\n    when ann pass\n  \
         expect chance {{ count(hand(bob), piece(\"king\")) == 2 }} = 28/77\n    when ann pass\n  \
         expect chance hand bob = king king king queen queen = 6/462\n    when ann pass\n"
    ));
    // A card of a hand of which two are known: king, jack, and three of the other nine.
    passes(
        "  pool: king\n  hand bob: king jack 3 unknown\n  turn ann\n  expect chance ann.score = 3 = 1/3\n    when ann snatch\n",
    );
    // Where no card is left over, the hand is certain, and the deck empty.
    passes(
        "  pool: king x4\n  hand ann: queen x4\n  hand bob: 4 unknown\n  turn ann\n  expect deck empty\n  \
         expect chance hand bob = jack x4 = 1\n    when ann pass\n",
    );
    // With an empty deck the others are out of the game.
    passes(
        "  pool: king\n  hand bob: 5 unknown\n  deck: none\n  turn ann\n  expect deck empty\n  \
         expect chance king in hand of bob = 29/33\n    when ann pass\n",
    );
}

#[test]
fn a_player_who_would_know_the_cards_cannot_decide_without_them() {
    for decides in ["when bob policy greedy:me.score", "at best for bob"] {
        let queen = "  hand ann: queen\n  turn bob\n  expect chance bob.score = 2 = 1/3\n";
        let ran = judged(&format!("{FIVE}{queen}    {decides}\n"));
        let all = ran.all();
        assert!(all.contains("not_seen") && all.contains("hand bob"), "{decides}\n{all}");
    }
    // Ann does not see them anyway: of the two sorts that she can fish for, a king is more likely than a jack.
    passes(
        "  pool: king jack jack jack\n  hand bob: 2 unknown\n  turn ann\n  expect chance ann.score = 1 = 9/14\n    \
         when ann policy greedy:me.score\n",
    );
}

#[test]
fn questions_are_about_all_cards_that_they_may_be() {
    passes(
        "  pool: king\n  hand bob: 2 unknown\n  turn ann\n  expect reachable ann.score = 1 within 1 turn\n  \
         expect never ann.score = 7 within 1 turn\n  expect reachable { count(hand(ann)) == 1 && ann.score == 3 } within 1 turn\n  \
         expect perft 1 = 4\n  expect perft 2 = 12\n  ann pass\n  expect hand bob = 2 unknown\n",
    );
}

#[test]
fn games_from_there_are_dealt_by_their_seeds() {
    let text = format!("use fishing\n\nscenario \"A hand\"\n{FIVE}  turn ann\n");
    let from = |arguments: &[&str]| {
        let mut all = vec!["simulate", "fishing", "--from", "a.scenario", "-n", "50"];
        all.extend(arguments);
        project().file("a.scenario", &text).run(&all)
    };
    let ran = from(&["--seed", "7", "--max-plies", "1", "--policy", "ann=fish king"]);
    assert_eq!(ran.code, 0, "{}", ran.all());
    assert_eq!(ran.all(), from(&["--seed", "7", "--max-plies", "1", "--policy", "ann=fish king"]).all());
    // What is recorded is played again: the cards are drawn where the rules look at them.
    for policy in ["ann=random", "bob=mcts:20", "ann=greedy:me.score"] {
        let record = project().file("a.scenario", &text);
        let simulate =
            ["simulate", "fishing", "--from", "a.scenario", "-n", "3", "--max-plies", "9", "--record", "found"];
        let ran = record.run(&simulate.iter().copied().chain(["--policy", policy]).collect::<Vec<_>>());
        assert_eq!(ran.code, 0, "{}", ran.all());
        let ran = record.run(&["test", "found"]);
        assert!(ran.code == 0 && ran.all().contains("passed"), "{}", ran.all());
    }
    for policy in ["ann=greedy:me.score", "bob=mcts:20", "bob=greedy:me.score"] {
        let ran = from(&["--policy", policy, "--max-plies", "4"]);
        assert_eq!(ran.code, 0, "{policy}\n{}", ran.all());
    }
}

#[test]
fn wrong_lines_are_reported() {
    insta::assert_snapshot!(
        judged(
            "  pool: 2 unknown\n  deck: king 3 unknown\n  hand ann: 0 unknown\n  hand bob: 2 unknown 3 unknown\n  turn ann\n  \
             draw 2 unknown\n  expect hand ann 5 unknown\n  expect hand ann = unknown\n"
        )
        .all()
    );
    insta::assert_snapshot!(judged("  hand ann: king 6 unknown\n  hand bob: 7 unknown\n  turn ann\n").all());
    insta::assert_snapshot!(
        judged(&format!(
            "{FIVE}  turn ann\n  expect king in hand of bob\n  expect not king in hand of bob\n  expect {{ has(hand(bob), piece(\"king\")) }}\n  \
             expect hand bob = king 4 unknown\n  ann fish king\n  bob pass\n"
        ))
        .all()
    );
}
