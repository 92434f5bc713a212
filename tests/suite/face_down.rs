//! Face-down cards on the board: when chance is asked, and who knows them. Their odds must be those of a deck that was
//! shuffled openly.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use referee_diagnostic::{Code, Diagnostic};
use referee_game::{Game, SearchPath};
use referee_report::Human;
use referee_scenario::{Loader, LoaderOptions, position_lines};
use referee_source::MemoryHost;
use referee_table::{Face, PieceId, PlayerId, State, Table};
use referee_trace::Status;

const GAME: &str = "game patch \"Patch\"
players 2 red blue
rules \"rules.rhai\"
board grid 2x2 margin 1
directions 4 clockwise from north
zone deck hidden
zone hand for each player secret
zone pile pile
card tile from \"tiles.yaml\" in deck
ask flip CELL
ask stop

variant dealt
  shuffle deck
  deal 4 from deck to board face down
  deal 1 from deck to hand of each player

variant half
  place C at b2 face down
  deal 3 from deck to board face up
";

const TILES: &str = "printed: {dots: NUMBER}
cards:
  - {name: ace, symbol: A, count: 2, dots: 1}
  - {name: bee, symbol: B, count: 2, dots: 2}
  - {name: C, dots: 3}
  - {name: D, dots: 4}
";

const RULES: &str = "
fn turn(me) {
    let options = [may(\"stop\")];
    for cell in in_order(face_down()) { options.push(may(\"flip\", cell)); }
    let act = choose(me, \"flip\", options);
    if act.verb == \"flip\" && turn_up(act.value).dots == 4 { win(me); }
}
fn flip(cell) { turn_up(cell); }
fn take(cell, me) { pick_up(cell, hand(me)); }
fn back(cell) { pick_up(cell, deck); }
fn peek(cell, me) { look_at(cell, me); }
fn hide(me, card, cell) { take_card(card, hand(me)); place_face_down(card, cell, me); }
fn lay(me, card, cell) { take_card(card, hand(me)); place(card, cell); }
fn down(cell) { deal_face_down(deck, cell); }
fn some(number) { deal_face_down(number, deck); }
fn open(number) { deal_face_up(number, deck); }
fn dotted(cell) { at(cell).dots == 1 }
fn mix() { shuffle(deck); }
fn top(me) { draw(deck, hand(me)); }
fn has_ace() { has(deck, piece(\"ace\")); }
fn toss(me, card) { move_card(card, hand(me), deck); }
fn lifted(cell) { lift(at(cell)); }

/// Steps as the digits of a number: 1 deals a card face down, 2 draws one, 3 turns the first face-down card up, 4 takes
/// the last one into the hand, 5 looks at the first one.
fn stages(number) {
    while number > 0 {
        let down = in_order(face_down());
        let step = number % 10;
        number /= 10;
        if step == 1 && !is_empty(deck) { deal_face_down(1, deck); }
        if step == 2 && !is_empty(deck) { draw(deck, hand(red)); }
        if step == 3 && down.len() > 0 { turn_up(down[0]); }
        if step == 4 && down.len() > 0 { pick_up(down[down.len() - 1], hand(red)); }
        if step == 5 && down.len() > 0 { look_at(down[0], red); }
    }
}
";

fn host(scenarios: &str) -> MemoryHost {
    MemoryHost::default()
        .with("games/patch/patch.game", GAME)
        .with("games/patch/rules.rhai", RULES)
        .with("games/patch/tiles.yaml", TILES)
        .with("a.scenario", scenarios)
}

/// Returns the report of scenarios, and whether all pass.
fn judged(scenarios: &str) -> (String, bool) {
    let host = host(scenarios);
    let mut loader = Loader::new(&host, LoaderOptions::default());
    let suite = referee_scenario::plan(&mut loader, Path::new("a.scenario"));
    let results: Vec<_> =
        (0..suite.tests.len()).map(|index| referee_scenario::judge(&mut loader, &suite, index)).collect();
    let passed = !results.is_empty() && results.iter().all(|result| result.status == Status::Passed);
    (Human::new(false, false).file(&suite.file, &suite.problems, &results), passed && suite.problems.is_empty())
}

fn passes(scenarios: &str) {
    let (said, passed) = judged(scenarios);
    assert!(passed, "{said}");
}

/// Checks that a scenario of these lines fails with this message.
fn fails(lines: &str, wanted: &str) {
    let (said, passed) = judged(&format!("use patch dealt\nscenario \"fails\"\n{lines}"));
    assert!(!passed && said.contains(wanted), "{wanted}\n{said}");
}

#[test]
fn cards_are_dealt_face_down_and_turned_up() {
    passes(
        "use patch dealt

scenario \"Nobody knows what was dealt to the board, and so nothing is asked\"
  setup
  expect asks draw deck
  expect b3 face down
  expect a1 not face down
  draw ace bee
  expect hand red = ace
  expect deck count 0
  expect board
    | .  .   .   .
    | . (?) (?)  .
    | . (?) (?)  .
    | .  .   .   .
  red flip b3
  expect asks draw deck
  draw D
  expect winner red
  expect b3 holds D
  expect b3 not face down

scenario \"The order of a shuffling says what was dealt: the board as a reader meets it, then the hands\"
  setup
  shuffle deck: ace bee C D ace bee
  expect hand red = ace
  expect hand blue = bee
  expect board
    | .  .   .   .
    | . (A) (B)  .
    | . (C) (D)  .
    | .  .   .   .
  red flip c2
  expect winner red

scenario \"A part of the order\"
  setup
  shuffle deck: ace bee …
  expect board
    | .  .   .   .
    | . (A) (B)  .
    | . (?) (?)  .
    | .  .   .   .
  draw C D
  red flip b3
  blue flip b2
  draw ace

scenario \"What was dealt is known to be no card that lies open\"
  do some 2
  do flip b3
  draw ace
  do top red
  draw ace
  do flip c3
  expect chance c3 holds bee = 2/4
  draw bee
  expect deck count 3

use patch half

scenario \"A card of the set-up face down, others face up\"
  setup
  draw ace bee D
  expect board
    | . . . .
    | . A B .
    | . (C) D .
    | . . . .
  expect deck count 2
",
    );
}

#[test]
fn positions_say_what_lies_face_down() {
    passes(
        "use patch

scenario \"A drawing\"
  board 2x2 margin 1
    | (C) .   .  .
    | .  (?) (A) .
    | .  (?)  A  .
    | .   .   .  .
  hand red: D
  set red knows a4
  expect a4 face down
  expect c2 holds ace
  expect deck count 0
  expect { knows(red, cell_named(\"a4\")) && !knows(blue, cell_named(\"a4\")) }
  do flip b3
  draw bee
  do flip b2
  draw bee

scenario \"A line, and what rules do\"
  place ace at b2 face down, C at b3 face down
  expect board
    | .  .  . .
    | . (C) . .
    | . (A) . .
    | .  .  . .
  do take b2 red
  expect hand red = ace
  do hide red ace c2
  expect c2 face down
  expect { knows(red, cell_named(\"c2\")) && !knows(blue, cell_named(\"c2\")) }
  do peek b3 blue
  expect { knows(blue, cell_named(\"b3\")) }
  do down b2
  do back b2
  expect deck count 4
  do down b2
  do peek b2 red
  draw bee
  expect board
    | .  .  . .
    | . (C) . .
    | . (B) (A) .
    | .  .  . .
  do flip b2
  expect b2 holds bee
",
    );
}

#[test]
fn what_cannot_be_is_told() {
    fails("  do some 5\n", "cannot deal 5 cards: 4 cells inside the board are empty");
    fails("  do down b2\n  do down b2\n", "a face-down card is there");
    fails("  do flip b2\n", "there is no face-down card on b2");
    fails("  do some 1\n  do has_ace\n", "the cards of `deck` are unknown");
    fails("  do top red\n  draw ace\n  do some 1\n  do toss red ace\n  do mix\n", "deck cannot be shuffled");
    fails("  place red at b2 face down\n", "unknown piece `red`");
    fails("  place C at b2 face down, C at c2 face down\n", "this position already says where C is");
    fails(
        "  board 2x2 margin 1\n    | . . . .\n    | . (x) . .\n    | . . . .\n    | . . . .\n",
        "unknown card symbol `x`",
    );
    fails(
        "  deck: ace\n  board 2x2 margin 1\n    | . . . .\n    | . (?) . .\n    | . . . .\n    | . . . .\n",
        "1 unknown cards are on the board",
    );
    fails("  deal 2 from deck to board\n", "`face down` or `face up` is missing here");
    fails("  deal 2 from hand red to board face up\n", "have no order");
    fails("  do some 1\n  do flip b3\n  draw ace\n  shuffle deck: ace …\n", "deck was not shuffled");
    fails("  setup\n  draw C D\n  shuffle deck: ace …\n", "a card was drawn from deck");
    fails("  setup\n  shuffle deck: C C …\n", "one `C` too many");
    fails("  do some 1\n  set red knows b3\n", "");
    fails("  place C at b3 face down\n  expect b3 face up\n", "`down` is missing here");
    fails("  do down b2\n  do dotted b2\n", "a face-down card has none");
    fails("  place C at b3 face down\n  expect b3 holds C\n", "b3 holds a face-down card");
}

/// A small generator: the same numbers on every machine.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }
}

/// Returns the aces in the hand and the face-up cards, after steps on a deck in this order.
fn model(steps: &[u64], deck: &[char]) -> (usize, usize) {
    let (mut deck, mut down, mut hand) = (deck.to_vec(), BTreeMap::new(), Vec::new());
    let mut open = BTreeMap::new();
    deck.reverse();
    for step in steps {
        let free = (0..4).find(|cell| !down.contains_key(cell) && !open.contains_key(cell));
        match (step, free) {
            (1, Some(cell)) if !deck.is_empty() => {
                down.insert(cell, deck.pop().unwrap());
            }
            (2, _) => hand.extend(deck.pop()),
            (3, _) => open.extend(down.pop_first()),
            (4, _) => hand.extend(down.pop_last().map(|(_, card)| card)),
            _ => {}
        }
    }
    (hand.iter().filter(|card| **card == 'A').count(), open.values().filter(|card| **card == 'A').count())
}

fn orders(left: &[char]) -> Vec<Vec<char>> {
    if left.is_empty() {
        return vec![Vec::new()];
    }
    let with = |at: usize| {
        let mut rest = left.to_vec();
        let first = rest.remove(at);
        orders(&rest).into_iter().map(move |order| [&[first], &order[..]].concat())
    };
    (0..left.len()).flat_map(with).collect()
}

#[test]
fn odds_are_those_of_a_deck_that_was_shuffled_openly() {
    let mut numbers = Numbers(7);
    let orders = orders(&['A', 'A', 'B', 'B', 'C', 'D']);
    let mut text = "use patch\n".to_owned();
    for case in 0..40 {
        let mut steps: Vec<u64> = vec![1, 1];
        while steps.len() < 9 {
            // A fifth card would find no place: of four cells at most four are dealt to.
            let dealt = steps.iter().filter(|step| **step == 1).count();
            let step = 1 + numbers.below(5);
            if step != 1 || dealt < 4 {
                steps.push(step);
            }
        }
        // Chance must be asked at least once.
        steps.push(3);
        let number = steps.iter().rev().fold(0, |number, step| number * 10 + step);
        let mut found: BTreeMap<(usize, usize), usize> = BTreeMap::new();
        for order in &orders {
            *found.entry(model(&steps, order)).or_default() += 1;
        }
        text.push_str(&format!("scenario \"{case}\"\n  do stages {number}\n"));
        for ((hand, open), count) in found {
            let aces =
                "{ let n = 0; for c in occupied(\"tile\").in_order() { if name(at(c)) == \"ace\" { n += 1; } } n }";
            text.push_str(&format!(
                "  expect chance {{ count(hand(red), piece(\"ace\")) == {hand} && {aces} == {open} }} = {count}/{}\n",
                orders.len()
            ));
        }
    }
    passes(&text);
}

fn start() -> State {
    let host = host("");
    let search_path = SearchPath::new(&host, None, "".into());
    let asked = Diagnostic::general(Code::UnknownGame, "no such game");
    let game = Game::find(&search_path, Path::new("a.scenario"), "patch", &asked).unwrap();
    let schema = &game.schema;
    State::new(Arc::new(Table {
        schema: Arc::clone(schema),
        board: Arc::new(schema.build_board(&schema.board).unwrap()),
        sizes: vec![(1, 1); schema.pieces.len()],
        players: vec![PlayerId(0), PlayerId(1)],
        options: Vec::new(),
        variant: 0,
        arrows: Vec::new(),
        turns: referee_table::TurnRules::default(),
        places: referee_table::Places::default(),
    }))
}

fn card(state: &State, name: &str) -> PieceId {
    state.schema().piece(name).unwrap()
}

#[test]
fn a_view_shows_no_card_that_its_player_does_not_know() {
    let (red, blue) = (PlayerId(0), PlayerId(1));
    let with = |name: &str, other: &str, seen: Vec<PlayerId>| {
        let mut state = start();
        let deck = state.schema().zone("deck", None).unwrap();
        let cell = state.board().cell("b2").unwrap();
        let (down, next) = (card(&state, name), card(&state, other));
        assert!(state.zone_mut(deck).unwrap().take(down) && state.zone_mut(deck).unwrap().take(next));
        state.zone_mut(deck).unwrap().put_first(next);
        state.lay_face_down(cell, Face::Card { card: down, from: None, seen }).unwrap();
        state
    };
    let (one, other) = (with("ace", "D", vec![red]), with("D", "ace", vec![red]));
    assert_ne!(one.key(), other.key());
    assert_eq!(one.view(blue).state.key(), other.view(blue).state.key());
    assert_eq!(one.view(blue).unseen, other.view(blue).unseen);
    assert_ne!(one.view(red).state.key(), other.view(red).state.key());
    assert_eq!(one.view(blue).unseen.values().sum::<u32>(), 6);
    assert_eq!(one.view(red).unseen.values().sum::<u32>(), 5);
    // Unseen cards are equal regardless of their history.
    let mut unknown = start();
    let deck = unknown.schema().zone("deck", None).unwrap();
    let cell = unknown.board().cell("b2").unwrap();
    unknown.deal_face_down(deck, cell).unwrap();
    assert_eq!(unknown.zone(deck).unwrap().len(), 5);
    assert_eq!(unknown.view(red).unseen.values().sum::<u32>(), 6);
    let mut ordered = start();
    let names = ["ace", "ace", "bee", "bee", "C", "D"].map(|name| card(&start(), name));
    ordered.arrange(deck, 0, &names);
    ordered.deal_face_down(deck, cell).unwrap();
    assert_eq!(ordered.view(red).state.key(), unknown.view(red).state.key());
    assert_ne!(ordered.key(), unknown.key());
    // The order may be named before or after the deal.
    unknown.shuffle(deck);
    let mut behind = start();
    behind.shuffle(deck);
    behind.deal_face_down(deck, cell).unwrap();
    behind.arrange(deck, 0, &names);
    assert_eq!(behind.key(), ordered.key());
}

#[test]
fn states_with_cards_face_down_are_encoded_and_written() {
    let mut state = start();
    let deck = state.schema().zone("deck", None).unwrap();
    let cell = |name: &str| state.board().cell(name).unwrap();
    let (one, two, three) = (cell("b2"), cell("a1"), cell("c3"));
    state.deal_face_down(deck, one).unwrap();
    let c = card(&state, "C");
    assert!(state.zone_mut(deck).unwrap().take(c));
    state.lay_face_down(two, Face::Card { card: c, from: Some(deck), seen: vec![PlayerId(1)] }).unwrap();
    state.deal_face_down(deck, three).unwrap();
    let back = State::decoded(&state.table, &state.encoded()).unwrap();
    assert_eq!(back.key(), state.key());
    assert_eq!(back.zone(deck).unwrap().len(), 3);
    // A written position is read as the same position.
    let lines: String = position_lines(&state).iter().map(|line| format!("  {line}\n")).collect();
    assert!(lines.contains("(?)") && lines.contains("(C)") && lines.contains("set blue knows a1"), "{lines}");
    let scenario = format!(
        "use patch\nscenario \"read back\"\n{lines}  expect deck count 3\n  expect {{ knows(blue, cell_named(\"a1\")) }}\n"
    );
    passes(&scenario);
}
