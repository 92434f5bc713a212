//! Policies in games with hidden cards: cards that a player cannot see must not affect decisions.

use serde_json::Value;

use super::Project;

fn simulated(project: &Project, arguments: &[&str]) -> Value {
    let ran = project.run(&[&["simulate"], arguments, &["--format", "json"]].concat());
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{arguments:?}: {}", ran.all());
    serde_json::from_str(&ran.stdout).unwrap()
}

fn wins(run: &Value, player: usize) -> u64 {
    run["players"][player]["wins"]["games"].as_u64().unwrap()
}

/// Blue and red each draw one of three cards; red guesses blue's card. Red sees their own card, so at most half of the
/// guesses are right. A policy that knew blue's card would always be right, and one that ignored red's own card would
/// be right in a third of the games.
fn guessing() -> Project {
    let game = "game guess\nplayers 2 red blue\nrules \"rules.rhai\"\nboard grid 1x1\nzone deck hidden\n\
zone hand for each player secret\ncard one from \"cards.yaml\" in deck\nask guess PIECE\nask pass\noption mix = no|yes\n";
    let rules = "fn turn(me) {
    let other = after(me);
    if option(\"mix\") == \"yes\" { shuffle(deck); }
    if is_empty(hand(other)) { draw(deck, hand(other)); }
    if is_empty(hand(me)) { draw(deck, hand(me)); }
    let guess = choose(me, \"guess\", [piece(\"ant\"), piece(\"bee\"), piece(\"cat\")]);
    if has(hand(other), guess) { win(me); }
    lose(me);
}
";
    let cards = "cards:\n  - {name: ant}\n  - {name: bee}\n  - {name: cat}\n";
    Project::new()
        .file("games/guess/guess.game", game)
        .file("games/guess/rules.rhai", rules)
        .file("games/guess/cards.yaml", cards)
}

#[test]
fn a_search_does_as_well_as_who_sees_no_more() {
    let run = simulated(&guessing(), &["guess", "-n", "400", "--policy", "mcts:40"]);
    let wins = &run["players"][0]["wins"];
    assert!(wins["low"].as_f64().unwrap() < 0.5 && 0.5 < wins["high"].as_f64().unwrap(), "{run}");
}

/// Positions that look the same to red: a hand, or the order of the deck, is another.
#[test]
fn a_search_never_depends_on_what_it_cannot_see() {
    let scenario = |lines: &str| format!("use guess\n\nscenario \"A guess\"\n{lines}  turn red\n");
    let held = |card: &str| scenario(&format!("  hand red: cat\n  hand blue: {card}\n"));
    let drawn = |first: &str, second: &str| scenario(&format!("  deck: {first} {second} cat\n"));
    let shuffled = |order: &str| format!("{}  shuffle deck: {order}\n", scenario("  with mix = yes\n"));
    let project = guessing()
        .file("one.scenario", held("ant"))
        .file("other.scenario", held("bee"))
        .file("first.scenario", drawn("ant", "bee"))
        .file("second.scenario", drawn("cat", "bee").replace("bee cat\n", "bee ant\n"))
        .file("shuffled.scenario", shuffled("ant bee cat"))
        .file("otherwise.scenario", shuffled("cat bee ant"));
    for [one, other] in [
        ["one.scenario", "other.scenario"],
        ["first.scenario", "second.scenario"],
        ["shuffled.scenario", "otherwise.scenario"],
    ] {
        let play = |file: &str| simulated(&project, &["guess", "--from", file, "-n", "100", "--policy", "mcts:20"]);
        let (here, there) = (wins(&play(one), 0), wins(&play(other), 0));
        // The guesses are the same, and each of the two cards is right in one of the positions.
        assert_eq!(here + there, 100, "{one}");
        assert!((20..=80).contains(&here), "{one}: {here}");
    }
}

/// Four players close together on a short track, each with four cards.
const RACE: &str = "\
use evil-squash evil-cards

scenario \"A short race\"
  with must_play_card = may_decline
  players red blue green yellow
  board track 16
  hand red: bounce bounce squash squash
  hand blue: bounce bounce squash squash
  hand green: bounce bounce squash squash
  hand yellow: bounce bounce squash squash
  place red at 1
  place blue at 4
  place green at 5
  place yellow at 6
  turn red
";

/// In `games` games, the search wins at least `more` more than chance.
fn search_beats_chance(games: &str, more: u64) {
    let project = Project::new().file("race.scenario", RACE);
    let play = |policy: &str, jobs: &str| {
        simulated(
            &project,
            &["evil-squash", "--from", "race.scenario", "-n", games, "--jobs", jobs, "--policy", policy],
        )
    };
    let (by_chance, by_search) = (play("random", "1"), play("red=mcts:60", "2"));
    // The seeds are fixed, and so are both numbers; by chance red wins about a quarter of the games.
    assert!(wins(&by_search, 0) >= wins(&by_chance, 0) + more, "{by_chance}\n{by_search}");
    let fewer = |jobs: &str| {
        simulated(
            &project,
            &["evil-squash", "--from", "race.scenario", "-n", "20", "--jobs", jobs, "--policy", "mcts:10"],
        )
    };
    assert_eq!(fewer("1"), fewer("3"));
}

#[test]
fn a_search_with_secret_cards_beats_chance() {
    search_beats_chance("60", 3);
}

#[test]
#[ignore = "three hundred games with search"]
fn a_search_with_secret_cards_beats_chance_in_full() {
    search_beats_chance("300", 30);
}

/// Whether to take a card, of a deck whose order the scenario knows and the player does not.
#[test]
fn greed_does_not_know_what_is_drawn_next() {
    let game = "game take\nplayers 1 red\nrules \"rules.rhai\"\nboard grid 1x1\nzone deck hidden\n\
zone hand for each player secret\ncard one from \"cards.yaml\" in deck\nask take yes|no\n";
    let rules = "fn turn(me) { if choose(me, \"take\", [\"yes\", \"no\"]) == \"yes\" { draw(deck, hand(me)); } }";
    let scenario = |deck: &str| format!("use take\n\nscenario \"A card\"\n{deck}  turn red\n");
    let project = Project::new()
        .file("games/take/take.game", game)
        .file("games/take/rules.rhai", rules)
        .file("games/take/cards.yaml", "cards:\n  - {name: ant}\n  - {name: bee}\n")
        .file("first.scenario", scenario("  deck: ant bee\n"))
        .file("last.scenario", scenario("  deck: bee ant\n"))
        .file("unknown.scenario", scenario(""));
    let taken = |file: &str, policy: &str| {
        let ran = project.run(&["odds", file, "--chance", "{ count(hand(red)) == 1 }", "--policy", policy]);
        assert_eq!(ran.code, 0, "{}", ran.all());
        ran.stdout.lines().next().unwrap_or_default().rsplit(' ').next().unwrap_or_default().to_owned()
    };
    for file in ["first.scenario", "last.scenario", "unknown.scenario"] {
        // The hand is unchanged until the card arrives.
        assert_eq!(taken(file, "greedy:count(hand(me), piece(\"ant\"))"), "1/2", "{file}");
        assert_eq!(taken(file, "greedy:-count(hand(me), piece(\"bee\"))"), "1/2", "{file}");
    }
}

#[test]
fn greed_does_not_look_into_secret_cards() {
    let project = Project::new();
    let with = |policy: &str| {
        let cards = ["evil-squash", "--variant", "evil-cards", "--players", "2", "-n", "30", "--policy"];
        simulated(&project, &[&cards[..], &[policy]].concat())["plies"].clone()
    };
    // An opponent's hand is empty for the expression, so all positions have the same rating.
    let plain = with("greedy:0");
    assert_eq!(with("greedy:count(hand(after(me)), piece(\"squash\"))"), plain);
    assert_ne!(with("greedy:count(hand(me), piece(\"squash\"))"), plain);
}

/// Four players follow suit. Whose cards the next player may choose from is in a hidden hand, and the cards can be dealt
/// in many ways.
#[test]
fn policies_play_a_trick_taking_game() {
    let game = "game trick\nplayers 4 ann bob cat dan\nrules \"rules.rhai\"\nboard grid 1x1\nzone deck hidden\n\
zone hand for each player secret\nzone table\nzone won\ncard one from \"cards.yaml\" in deck\ncounter tricks for each player\n\
property led TEXT\nproperty best PIECE\nproperty taker PLAYER\nask play PIECE\n";
    let rules = "fn setup() { shuffle(deck); deal(4, deck, \"hand\"); }
fn turn(me) {
    game.best = ();
    for player in round(me) { then(\"play\", player); }
    then(\"score\");
}
fn round(me) { let all = [me]; let next = after(me); while next != me { all.push(next); next = after(next); } all }
fn play(me) {
    let mine = cards(hand(me));
    if game.best != () { let same = mine.filter(|card| card.suit == game.led); if same.len() > 0 { mine = same; } }
    let card = choose(me, \"play\", mine);
    move_card(card, hand(me), table);
    if game.best == () { game.led = card.suit; game.best = card; game.taker = me; }
    else if card.suit == game.led && card.v > game.best.v { game.best = card; game.taker = me; }
}
fn score() {
    game.taker.tricks += 1;
    for card in cards(table) { move_card(card, table, won); }
    next_turn(game.taker);
    if is_empty(hand(ann)) { win(game.taker); }
}
";
    let cards: String = ["heart", "spade", "club", "star"]
        .iter()
        .flat_map(|suit| (1..=4).map(move |v| format!("  - {{name: {suit}{v}, v: {v}, suit: {suit}}}\n")))
        .collect();
    let project = Project::new()
        .file("games/trick/trick.game", game)
        .file("games/trick/rules.rhai", rules)
        .file("games/trick/cards.yaml", format!("printed: {{v: NUMBER, suit: TEXT}}\ncards:\n{cards}"));
    for policy in ["greedy:0", "greedy:me.tricks", "mcts:5"] {
        let run = || simulated(&project, &["trick", "-n", "2", "--policy", policy, "--deals", "10"]);
        assert_eq!(run(), run(), "{policy}");
    }
}

/// The same with all cards of a pack, a trick in one phase: random deals rarely give the others what they have played.
#[test]
fn policies_play_a_trick_of_one_phase() {
    let game = "game trick\nplayers 4 ann bob cat dan\nrules \"rules.rhai\"\nboard grid 1x1\nzone deck hidden\n\
zone hand for each player secret\nzone table\nzone won for each player pile\ncard one from \"cards.yaml\" in deck\n\
counter hearts for each player\nask play PIECE\n";
    let rules = "fn setup() { shuffle(deck); for each in players() { for n in 0..13 { draw(deck, hand(each)); } } }
fn turn(me) {
    let player = me;
    let best = ();
    let taker = me;
    for n in 0..4 {
        let mine = cards(hand(player));
        if best != () { let same = mine.filter(|card| card.suit == best.suit); if same.len > 0 { mine = same; } }
        let card = choose(player, \"play\", mine);
        move_card(card, hand(player), table);
        if best == () || card.suit == best.suit && card.v > best.v { best = card; taker = player; }
        player = after(player);
    }
    for card in cards(table) {
        if card.suit == \"heart\" { taker.hearts += 1; }
        move_card(card, table, won(taker));
    }
    next_turn(taker);
    if is_empty(hand(me)) { win(taker); }
}
";
    let cards: String = ["heart", "spade", "club", "star"]
        .iter()
        .flat_map(|suit| (1..=13).map(move |v| format!("  - {{name: {suit}{v}, v: {v}, suit: {suit}}}\n")))
        .collect();
    let project = Project::new()
        .file("games/trick/trick.game", game)
        .file("games/trick/rules.rhai", rules)
        .file("games/trick/cards.yaml", format!("printed: {{v: NUMBER, suit: TEXT}}\ncards:\n{cards}"));
    for policy in ["greedy:0", "greedy:-me.hearts", "mcts:2"] {
        let run = || simulated(&project, &["trick", "-n", "1", "--policy", policy, "--deals", "2"]);
        assert_eq!(run(), run(), "{policy}");
    }
}

/// Of 80 cards of 40 kinds, three others have played fifteen that are all different, and not in dan's hand. Ann, who
/// played the first, holds its copy too in about a ninth of the deals: it is one of 50 cards, of which she holds ten, and
/// deals with both copies in her hand are half as many as single cards would make.
#[test]
fn a_card_that_was_played_says_no_more_of_its_copy_than_it_should() {
    let game = "game copies\nplayers 4 ann bob cat dan\nrules \"rules.rhai\"\nboard grid 1x1\nzone deck hidden\n\
zone hand for each player secret\nzone table\ncard one from \"cards.yaml\" in deck\ncounter score for each player\n\
ask play PIECE\nask guess NUMBER\n";
    let rules = "const BOUND = 0;
fn setup() { shuffle(deck); deal(15, deck, \"hand\"); }
fn turn(me) {
    let first = ();
    for n in 0..5 {
        for player in [ann, bob, cat] {
            let fresh = cards(hand(player)).filter(|card| !has(table, card) && !has(hand(dan), card));
            let card = choose(player, \"play\", fresh);
            if first == () { first = card; }
            move_card(card, hand(player), table);
        }
    }
    let guess = choose(dan, \"guess\", 0..=1);
    if guess == 0 { dan.score = BOUND; } else if has(hand(ann), first) { dan.score = 1000; }
    choose(ann, \"guess\", 0..=1);
    win(if guess == 1 { bob } else { ann });
}
";
    let cards: String = (0..40).map(|at| format!("  - {{name: c{at}, count: 2}}\n")).collect();
    for (bound, winner) in [(80, 2), (150, 1)] {
        let rules = rules.replace("BOUND = 0", &format!("BOUND = {bound}"));
        let project = Project::new()
            .file("games/copies/copies.game", game)
            .file("games/copies/rules.rhai", &rules)
            .file("games/copies/cards.yaml", format!("cards:\n{cards}"));
        let run = simulated(
            &project,
            &["copies", "-n", "4", "--policy", "random", "--policy", "dan=greedy:me.score", "--deals", "1000"],
        );
        assert_eq!(wins(&run, winner - 1), 4, "{bound}");
    }
}

/// A phase that a line begins with a card of red's hand says nothing of the card that it would have in another deal.
#[test]
fn nobody_knows_the_card_with_which_a_line_resumes() {
    let game = "game told\nplayers 2 red blue\nrules \"rules.rhai\"\nboard grid 1x1\nzone deck hidden\n\
zone hand for each player secret\ncard one from \"cards.yaml\" in deck\nask guess NUMBER\n";
    let rules = "fn turn(me) { let card = draw(deck, hand(red)); then(\"answer\", card); }
fn answer(card) { let guess = choose(blue, \"guess\", 0..=1); win(if guess == card.v { blue } else { red }); }
";
    let scenario = |begin: &str| {
        format!(
            "use told\n\nscenario \"Told\"\n  {begin}\n  expect chance winner blue = 1/2 to the end of the game\n    \
when blue policy greedy:0\n"
        )
    };
    let project = Project::new()
        .file("games/told/told.game", game)
        .file("games/told/rules.rhai", rules)
        .file("games/told/cards.yaml", "printed: {v: NUMBER}\ncards:\n  - {name: ant, v: 0}\n  - {name: bee, v: 1}\n")
        .file("scenarios/a.scenario", scenario("turn red"))
        .file("scenarios/b.scenario", scenario("hand red: ant\n  resume answer ant"));
    let ran = project.run(&["test", "scenarios/a.scenario"]);
    assert_eq!(ran.code, 0, "{}", ran.all());
    let ran = project.run(&["test", "scenarios/b.scenario"]);
    assert!(ran.code == 3 && ran.all().contains("`answer` began with `ant`"), "{} {}", ran.code, ran.all());
    for policy in ["greedy:0", "mcts:20"] {
        let from = ["simulate", "told", "--from", "scenarios/b.scenario", "--scenario", "Told", "-n", "3"];
        let ran = project.run(&[&from[..], &["--policy", policy]].concat());
        assert!(ran.all().contains("not_seen"), "{policy} {}", ran.all());
    }
}

/// A card that was taken out of the game face down is dealt again with the others: nobody has seen it.
#[test]
fn nobody_knows_a_card_that_is_in_no_zone() {
    let game = "game burnt\nplayers 2 red blue\nrules \"rules.rhai\"\nboard grid 1x1\nzone deck hidden\n\
zone hand for each player secret\ncard one from \"cards.yaml\" in deck\nask guess PIECE\n";
    // The rules find out which card is missing; two of the three cards are as likely for red, who holds the third.
    let rules = "fn setup() { shuffle(deck); draw(deck); draw(deck, hand(red)); draw(deck, hand(blue)); }
fn turn(me) {
    let all = [piece(\"ant\"), piece(\"bee\"), piece(\"cat\")];
    let guess = choose(me, \"guess\", all);
    if all.all(|card| card == guess || has(hand(red), card) || has(hand(blue), card)) { win(me); }
    lose(me);
}
";
    let project = Project::new()
        .file("games/burnt/burnt.game", game)
        .file("games/burnt/rules.rhai", rules)
        .file("games/burnt/cards.yaml", "cards:\n  - {name: ant}\n  - {name: bee}\n  - {name: cat}\n");
    let ran = project.run(&["odds", "burnt", "--policy", "greedy:0", "--format", "json"]);
    let found: Value = serde_json::from_str(&ran.stdout).unwrap_or_else(|_| unreachable!("{}", ran.all()));
    assert_eq!(found["odds"][0]["fraction"], "1/2", "{found}");
    let wins = wins(&simulated(&project, &["burnt", "-n", "200", "--policy", "mcts:20"]), 0);
    assert!((65..=135).contains(&wins), "{wins}");
    let best = project.run(&["odds", "burnt", "--policy", "red=best"]);
    assert!(best.code == 2 && best.stderr.contains("no zone") && best.stderr.contains("not_seen"), "{}", best.all());
}

/// Red draws cards of which there are two each, and blue guesses one that they do not see, while another card comes into
/// view. Two of the three others have the other name, so blue is right in two of three games; in half of them if the
/// card in view says nothing.
#[test]
fn a_card_that_comes_into_view_says_nothing_of_an_equal_one() {
    let game = "game g\nplayers 2 red blue\nrules \"rules.rhai\"\nboard grid 2x2\nzone deck hidden\n\
zone hand for each player secret\nzone heap pile\ncard trick from \"cards.yaml\" in deck\ncounter score for each player\n\
ask guess NUMBER\n";
    let cards = "printed: {v: NUMBER}\ncards:\n  - {name: ace, v: 0, count: 2}\n  - {name: bat, v: 1, count: 2}\n";
    let both = "let e = draw(deck, hand(red)); let c = draw(deck, hand(red));";
    let loose = "let e = draw(deck); let c = draw(deck);";
    let cases = [
        (format!("{both} then(\"show\", e, c);"), "move_card(e, hand(red), heap);", "2/3"),
        (format!("{both} move_card(e, hand(red), heap); then(\"show\", e, c);"), "", "2/3"),
        // The last card drawn comes into view.
        (format!("{both} move_card(c, hand(red), heap); then(\"show\", c, e);"), "", "2/3"),
        (format!("{loose} put_card(c, hand(red)); put_card(e, hand(blue)); then(\"show\", e, c);"), "", "2/3"),
        (format!("{loose} put_card(e, heap); put_card(c, hand(red)); then(\"show\", e, c);"), "", "2/3"),
        (format!("{loose} put_card(e, hand(blue)); then(\"show\", e, c);"), "", "2/3"),
        // Which of the two comes into view depends on both.
        (
            format!(
                "{loose} let low = if e.v < c.v {{ e }} else {{ c }}; put_card(low, heap); then(\"show\", low, e);"
            ),
            "",
            "2/3",
        ),
        (
            "let e = draw(deck); place_face_down(e, cell_named(\"a1\")); let c = draw(deck, hand(red)); \
turn_up(cell_named(\"a1\")); then(\"show\", e, c);"
                .to_owned(),
            "",
            "2/3",
        ),
        // The card in view comes from the deck. Here it says that the two in the hand are bats.
        (
            format!(
                "{both} if e.v == c.v {{ try {{ move_card(piece(\"ace\"), deck, heap); }} catch {{ }} }} then(\"show\", e, c);"
            ),
            "",
            "2/3",
        ),
        (
            "let e = draw(deck, hand(red)); move_card(piece(\"ace\"), deck, heap); then(\"show\", e, e);".to_owned(),
            "",
            "1/2",
        ),
        // Blue saw the first card, which is back in the hand.
        (
            "let e = draw(deck, hand(red)); move_card(e, hand(red), heap); let c = draw(deck, hand(red)); \
move_card(e, heap, hand(red)); then(\"show\", e, c);"
                .to_owned(),
            "",
            "2/3",
        ),
    ];
    for (turn, show, fair) in cases {
        let rules = format!(
            "fn turn(me) {{ {turn} }}\nfn show(e, c) {{ {show} let h = c.v; let x = choose(blue, \"guess\", 0..=1);\n\
    if x == h {{ win(blue); }} else {{ win(red); }} }}\n"
        );
        let project = Project::new()
            .file("games/g/g.game", game)
            .file("games/g/rules.rhai", rules.clone())
            .file("games/g/cards.yaml", cards);
        let ran = project.run(&["odds", "g", "--policy", "blue=greedy:me.score", "--format", "json"]);
        let found: Value = serde_json::from_str(&ran.stdout).unwrap_or_else(|_| unreachable!("{}", ran.all()));
        assert_eq!(found["odds"][1]["fraction"], fair, "{rules}{}", ran.all());
    }
}

/// Red holds ten of fourteen cards, which is 1001 deals; blue guesses whether the lowest is the first of all. A line that
/// says how many deals are tried has a chance.
#[test]
fn a_chance_says_over_how_many_deals_greed_takes_the_average() {
    let game = "game g\nplayers 2 red blue\nrules \"rules.rhai\"\nzone deck hidden\nzone hand for each player secret\n\
card one from \"cards.yaml\" in deck\ncounter score for each player\nask guess NUMBER\n";
    let cards: String = (0..14).map(|at| format!("  - {{name: c{at}, v: {at}}}\n")).collect();
    let rules = "fn turn(me) {
    let low = 99;
    for card in cards(hand(red)) { low = min(low, card.v); }
    let x = choose(blue, \"guess\", 0..=1);
    if (x == 1) == (low > 0) { win(blue); }
    lose(blue);
}
";
    let project = Project::new()
        .file("games/g/g.game", game)
        .file("games/g/rules.rhai", rules)
        .file("games/g/cards.yaml", format!("printed: {{v: NUMBER}}\ncards:\n{cards}"));
    let line = |asked: &str| {
        let text = format!(
            "use g\n\nscenario \"Many\"\n  hand red: c0 c3 c4 c5 c6 c7 c8 c9 c10 c11\n  turn red\n  expect chance {asked}\n    \
             when blue policy greedy:me.score\n"
        );
        let file = project.path().join("a.scenario");
        std::fs::write(file, text).unwrap();
        project.run(&["test", "a.scenario"])
    };
    let refused = line("winner blue = 1 to the end of the game");
    assert!(refused.code != 0 && refused.all().contains("`over 100 deals`"), "{}", refused.all());
    // It is in ten of fourteen deals.
    for good in ["winner blue = 1 to the end of the game over 40 deals", "winner blue over 40 deals = 1"] {
        assert_eq!(line(good).code, 0, "{}", line(good).all());
    }
    for (wrong, code) in [("0", "wrong_form"), ("1000000", "number_too_large")] {
        let ran = line(&format!("winner blue = 1 over {wrong} deals"));
        assert!(ran.code != 0 && ran.all().contains(code), "{}", ran.all());
    }
}
