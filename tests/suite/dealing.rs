//! Lines that shuffle and deal, lines that name an order, and piles.

use std::path::Path;

use referee_report::Human;
use referee_scenario::{Loader, LoaderOptions};
use referee_source::MemoryHost;
use referee_trace::Status;

use super::cards::{GAME, host};

const CARDS: &str =
    "cards:\n  - {name: ace, count: 4}\n  - {name: two, count: 4}\n  - {name: Pooga the Brave, symbol: P}\n";

const RULES: &str = "\
fn setup() { draw(deck, discard); }

/// A card is drawn; with the last one the discard pile is shuffled into a new deck.
fn turn(me) {
    if is_empty(deck) {
        for card in cards(discard) { move_card(card, discard, deck); }
        shuffle(deck);
        event(\"reshuffles\", me);
    }
    draw(deck, hand(me));
    then(\"act\", me);
}

fn act(me) {
    let options = [may(\"keep\")];
    for card in cards(hand(me)) { options.push(may(\"play\", card)); }
    let chosen = choose(me, \"play\", options);
    if chosen.verb == \"play\" { move_card(chosen.value, hand(me), discard); }
}

fn mix(times) { for time in 0..times { shuffle(deck); draw(deck, hand(red)); } }

fn bury(card) { shuffle(deck); take_card(card, discard); put_card(card, deck); roll(); draw(deck, hand(red)); draw(deck, hand(red)); }

fn back(me) { draw(discard, hand(me)); }

fn turn_over() { for card in cards(discard) { move_card(card, discard, deck); } }
";

const LINES: &str = "die 1..6
event PLAYER reshuffles
place ace at a1
discard: two

variant plain

variant dealt
  hand red: ace
  shuffle deck
  deal 1 from deck to hand of each player
  deal 1 from deck to hand of red
";

fn project(text: &str) -> MemoryHost {
    let game = GAME.replace("zone discard", "zone discard pile") + LINES;
    host()
        .with("games/tricks/tricks.game", game)
        .with("games/tricks/rules.rhai", RULES)
        .with("games/tricks/cards.yaml", CARDS)
        .with("a.scenario", text)
}

/// Returns the report of scenarios of the game, and whether all pass.
fn judged(text: &str) -> (String, bool) {
    let host = project(text);
    let mut loader = Loader::new(&host, LoaderOptions::default());
    let suite = referee_scenario::plan(&mut loader, Path::new("a.scenario"));
    let results: Vec<_> =
        (0..suite.tests.len()).map(|index| referee_scenario::judge(&mut loader, &suite, index)).collect();
    let passed = !results.is_empty() && results.iter().all(|result| result.status == Status::Passed);
    (Human::new(false, false).file(&suite.file, &suite.problems, &results), passed && suite.problems.is_empty())
}

fn passes(text: &str) {
    let (said, passed) = judged(text);
    assert!(passed, "{said}");
}

/// Checks that a scenario of these lines fails with this message.
fn fails(lines: &str, wanted: &str) {
    let (said, passed) = judged(&format!("use tricks\nscenario \"fails\"\n  players red blue\n{lines}"));
    assert!(!passed && said.contains(wanted), "{said}");
}

#[test]
fn the_set_up_of_a_game_file_deals() {
    passes(
        "use tricks dealt

scenario \"Without the line setup the cards lie as the lines say, and nothing is dealt\"
  players red blue
  expect ace at a1
  expect discard = two
  expect hand red = ace
  expect hand blue empty
  expect deck count 6

scenario \"The lines come first, in their order, then the function of the rules\"
  players red blue
  setup
  expect asks draw deck
  draw two, Pooga the Brave
  expect hand red = ace two
  expect hand blue = Pooga the Brave
  draw ace
  expect hand red = ace ace two
  expect discard = two
  expect asks draw deck
  draw deck ace
  expect discard = ace two
  expect turn red
  expect asks draw deck

scenario \"Cards go round in the order of play\"
  players blue red
  setup
  draw two ace
  expect hand blue = two
  expect hand red = ace ace

scenario \"A player who takes no part gets nothing\"
  players blue green
  setup
  draw two ace
  # No second card for red, and none in red's hand: the deck has one more.
  expect hand green = ace
  expect asks draw deck
  expect deck count 5

scenario \"A position takes the place of the lines about the position\"
  players red blue
  deck: ace two ace ace …
  # The line shuffle forgets the order.
  setup
  draw ace two ace
  expect hand red = ace ace
  expect hand blue = two
  expect a1 empty

use tricks plain

scenario \"Another variant has lines of its own\"
  players red blue
  expect ace at a1
  expect deck count 7
  setup
  draw two
  expect discard = two two
  expect hand red empty
",
    );
}

#[test]
fn a_scenario_deals() {
    passes(
        "use tricks plain

scenario \"Dealt to each\"
  players red blue
  deck: ace two ace two …
  deal 2 from deck to hand of each player
  expect hand red = ace ace
  expect hand blue = two two
  deal 1 from hand of red to discard
  draw hand of red ace
  expect discard = ace
  expect hand red = ace
  shuffle deck
  deal 1 from deck to hand blue
  draw Pooga the Brave
  expect hand blue count 3

scenario \"So many\"
  players red blue
  deal {count} from deck to hand of blue
  draw {cards}
  expect hand blue count {count}
  examples
    | count | cards   |
    | 1     | ace     |
    | 2     | ace ace |
",
    );
    fails("  deal 8 from deck to hand of red\n", "`deal 8 from deck to hand red` takes 8 cards, but deck has 7");
}

#[test]
fn the_order_of_a_shuffled_zone() {
    passes(
        "use tricks plain

scenario \"Its cards come as they are known\"
  players red blue
  shuffle deck
  shuffle deck: ace \"Pooga the Brave\" two …
  expect deck = ace \"Pooga the Brave\" two …
  turn red
  red keep
  blue keep
  expect hand red = ace two
  expect hand blue = Pooga the Brave
  red keep
  expect asks draw deck

scenario \"Behind a pause of the same phase, and behind a branch\"
  players red blue
  discard: none
  deck: …
  do mix 2
  expect asks draw deck

  branch \"known\"
  shuffle deck: Pooga the Brave …
  # The first card came, and the deck was shuffled again.
  expect hand red = Pooga the Brave
  expect asks draw deck
  shuffle deck: two …
  expect hand red = two, Pooga the Brave

  branch \"drawn\"
  draw ace
  shuffle deck: two …
  expect hand red = ace two

scenario \"All of it\"
  players red blue
  deck: none
  discard: ace two
  turn red
  expect asks draw deck
  shuffle deck: two ace
  red keep
  expect hand red = two
  expect hand blue = ace
  expect deck empty

scenario \"What was put on it since lies before\"
  players red blue
  discard: two
  do bury two
  expect asks roll
  expect chance ace in hand red = 1/2
  shuffle deck: ace …
  expect deck = two ace …
  expect chance ace in hand red = 1
  expect chance Pooga the Brave in hand red = 0
  roll 1
  expect hand red = ace two

scenario \"The chance knows it\"
  players red blue
  discard: none
  shuffle deck
  do mix 1
  expect chance ace in hand red = 4/9
  shuffle deck: ace …
  expect ace in hand red

use tricks dealt

scenario \"In the set-up\"
  players red blue
  setup
  shuffle deck: ace two …
  expect hand red = ace ace
  expect hand blue = two
  expect asks draw deck
",
    );
}

/// Drawing the cards one by one and naming their order must have the same result.
#[test]
fn an_order_is_what_its_cards_are_when_they_are_drawn() {
    let names = ["ace", "two", "\"Pooga the Brave\""];
    let mut text = "use tricks dealt\n".to_owned();
    let mut tried = 0;
    for code in 0..3_usize.pow(4) {
        let order: Vec<usize> = (0..4).map(|place| code / 3_usize.pow(place) % 3).collect();
        let count = |card: usize| order.iter().filter(|other| **other == card).count();
        // Two aces, three twos and Pooga are in the deck.
        if count(0) > 2 || count(1) > 3 || count(2) > 1 {
            continue;
        }
        tried += 1;
        let words: Vec<&str> = order.iter().map(|card| names[*card]).collect();
        let after = format!(
            "  expect hand red = ace {} {}\n  expect hand blue = {}\n  expect discard = {} two\n  expect deck count 2\n",
            words[0], words[2], words[1], words[3]
        );
        let all = words.join(" ");
        let ways = [
            ("drawn", format!("  setup\n  draw {all}\n")),
            ("said", format!("  setup\n  shuffle deck: {all} …\n")),
            (
                "begun",
                format!("  setup\n  shuffle deck: {} {} …\n  draw {} {}\n", words[0], words[1], words[2], words[3]),
            ),
        ];
        for (way, lines) in ways {
            text += &format!("scenario \"{code} {way}\"\n  players red blue\n{lines}{after}  expect asks draw deck\n");
        }
    }
    assert_eq!(tried, 38);
    passes(&text);
}

#[test]
fn an_order_that_cannot_be() {
    fails("  turn red\n  shuffle deck: ace …\n", "deck was not shuffled: asks draw deck");
    fails(
        "  shuffle deck\n  shuffle deck: ace …\n  shuffle deck: ace …\n",
        "a line above already gives the order of deck",
    );
    fails("  do mix 1\n  draw ace\n  shuffle deck: ace …\n", "a card was drawn from deck since it was shuffled");
    fails(
        "  discard: ace ace\n  shuffle deck\n  shuffle deck: ace ace ace …\n",
        "this is one `ace` too many: deck holds 2",
    );
    fails(
        "  hand red: Pooga the Brave\n  shuffle deck\n  shuffle deck: Pooga the Brave …\n",
        "`Pooga the Brave` is not in deck",
    );
    fails("  shuffle deck\n  shuffle deck: ace\n", "deck holds 6 more cards");
    fails("  deck: ace\n  shuffle deck\n  shuffle deck: ace …\n", "no cards of deck are left for `…`");
    fails("  shuffle deck\n  shuffle deck: ace …\n  turn red\n  draw two\n", "already names the card");
    fails("  shuffle deck\n  shuffle deck: ace …\n  turn red\n  expect hand red = two\n", "hand red = ace");
    // Of the two draws the second is asked.
    fails(
        "  shuffle deck\n  shuffle deck: ace …\n  turn red\n  red keep\n  draw ace two\n",
        "the rules ask `blue play` here; this card does not answer it",
    );
}

#[test]
fn a_pile_has_an_order_and_an_open_zone_has_none() {
    passes(
        "use tricks plain

scenario \"What came last lies on top\"
  players red blue
  hand red: ace two
  discard: Pooga the Brave
  resume act red
  red play ace
  draw two
  blue play two
  expect discard = two ace Pooga the Brave
  expect { cards(discard)[0] == piece(\"two\") }
  do back red
  expect hand red = two two
  expect discard = ace Pooga the Brave
  do turn_over
  expect deck = \"Pooga the Brave\" ace …

scenario \"A pile that was shuffled has no order that is known\"
  players red blue
  discard: ace two
  shuffle discard
  expect discard = …
  shuffle discard: two ace
  expect discard = two ace
  do back red
  expect hand red = two
",
    );
    let (_, passed) = judged(
        "use tricks plain\nscenario \"a\"\n  players red blue\n  discard: ace two\n  expect discard = two ace\n",
    );
    assert!(!passed);
    passes("use tricks plain\nscenario \"a\"\n  players red blue\n  hand red: ace two\n  expect hand red = two ace\n");
}
