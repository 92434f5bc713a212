//! Cards and zones: random outcomes, known parts of an order, what a player sees, equality of states.

use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use referee_diagnostic::{Code, Diagnostic};
use referee_game::{Game, SearchPath};
use referee_play::{AnswerSource, Machine, SharedAnswers, Stop};
use referee_report::Human;
use referee_rules::{Program, Reply};
use referee_scenario::{Loader, LoaderOptions, position_lines};
use referee_table::{PieceId, PlayerId, State, Table, ZoneId};
use referee_trace::{Answer, Ask, Status};

use super::cards::host;

/// A source of these answers, and no others.
struct Given(Vec<Answer>);

impl AnswerSource for Given {
    fn read(&mut self, _: &Ask, _: &State) -> Reply {
        if self.0.is_empty() { Reply::Pause } else { Reply::Answer(self.0.remove(0)) }
    }
}

fn load() -> (Game, Program) {
    let host = host();
    let search_path = SearchPath::new(&host, None, "".into());
    let asked = Diagnostic::general(Code::UnknownGame, "no such game");
    let game = Game::find(&search_path, Path::new("a.scenario"), "tricks", &asked).unwrap();
    let program = Program::load(&game.schema, &[Arc::clone(&game.rules)]).unwrap();
    (game, program)
}

fn start(game: &Game) -> State {
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

fn zone(state: &State, name: &str, owner: Option<u8>) -> ZoneId {
    state.schema().zone(name, owner.map(PlayerId)).unwrap()
}

/// Returns the random outcomes at the pause of a machine: cards with their weights.
fn chances(machine: &Machine<'_>) -> Vec<(String, u64)> {
    let Stop::Paused(ask) = machine.stop() else { unreachable!("{:?}", machine.stop()) };
    let said = |answer: &Answer| ask.question.write_chance(machine.names(), answer).unwrap();
    ask.question.chances(machine.state()).iter().map(|(answer, weight)| (said(answer), *weight)).collect()
}

fn feed(state: &State, cards: &[&str]) -> SharedAnswers {
    Rc::new(RefCell::new(Given(cards.iter().map(|name| Answer::Drawn(card(state, name))).collect())))
}

#[test]
fn a_draw_is_weighted_by_equal_cards() {
    let (game, program) = load();
    let state = start(&game);
    let mut machine = Machine::new(&program, state.clone());
    machine.turn(PlayerId(0), &feed(&state, &[]));
    let weights = |pairs: [(&str, u64); 3]| pairs.map(|(name, weight)| (format!("draw deck {name}"), weight)).to_vec();
    assert_eq!(chances(&machine), weights([("ace", 2), ("two", 3), ("Pooga the Brave", 1)]));

    let mut machine = Machine::new(&program, state.clone());
    let setup = referee_table::Phase { name: "setup".into(), args: Vec::new() };
    machine.resume(setup, None, &feed(&state, &["two", "ace"]));
    assert_eq!(chances(&machine), weights([("ace", 1), ("two", 2), ("Pooga the Brave", 1)]));
    // A draw from equal cards is an ask too: every draw needs a line of a scenario.
    machine.go_on(&feed(&state, &["two", "two", "ace"]));
    machine.go_on(&(Rc::new(RefCell::new(Given(vec![Answer::Chosen(0)]))) as SharedAnswers));
    assert_eq!(chances(&machine), [("draw deck Pooga the Brave".to_owned(), 1)]);
}

/// Returns the state after the set-up with these cards drawn.
fn dealt(program: &Program, state: &State, cards: &[&str]) -> State {
    let mut machine = Machine::new(program, state.clone());
    let setup = referee_table::Phase { name: "setup".into(), args: Vec::new() };
    machine.resume(setup, None, &feed(state, cards));
    machine.state().clone()
}

#[test]
fn equal_cards_make_equal_states() {
    let (game, program) = load();
    let state = start(&game);
    let deal = |cards: &[&str]| dealt(&program, &state, cards).key();
    // Red has the first and the third card.
    assert_eq!(deal(&["ace", "two", "two", "two"]), deal(&["two", "two", "ace", "two"]));
    assert_ne!(deal(&["ace", "two", "two", "two"]), deal(&["two", "ace", "two", "two"]));
}

#[test]
fn a_player_knows_neither_other_hands_nor_the_deck() {
    let (game, program) = load();
    let state = start(&game);
    let deal = |cards: &[&str]| dealt(&program, &state, cards);
    // Blue's hand is another one, and so is the deck; red's is the same.
    let (one, other) = (deal(&["ace", "two", "two", "ace"]), deal(&["ace", "Pooga the Brave", "two", "two"]));
    let (red, blue) = (PlayerId(0), PlayerId(1));
    let seen = |state: &State, player: PlayerId| {
        let view = state.view(player);
        (view.state.key(), view.covered, view.unseen)
    };
    assert_ne!(one.key(), other.key());
    assert_eq!(seen(&one, red), seen(&other, red));
    assert_ne!(seen(&one, blue), seen(&other, blue));
    // The player knows the number of cards, and which cards they are in total.
    let view = one.view(red);
    assert_eq!(
        view.covered,
        [(zone(&one, "deck", None), 2), (zone(&one, "hand", Some(1)), 2), (zone(&one, "hand", Some(2)), 0)]
    );
    let unseen: Vec<u32> = ["ace", "two", "Pooga the Brave"].map(|name| view.unseen[&card(&one, name)]).to_vec();
    assert_eq!(unseen, [1, 2, 1]);
    assert_eq!(view.state.zone(zone(&one, "hand", Some(0))), one.zone(zone(&one, "hand", Some(0))));
}

#[test]
fn what_is_known_of_an_order_does_not_show_in_a_view() {
    let (game, _) = load();
    let mut state = start(&game);
    let (deck, ace) = (zone(&state, "deck", None), card(&state, "ace"));
    let shuffled = state.view(PlayerId(0));
    let pile = state.zone_mut(deck).unwrap();
    assert!(pile.take(ace));
    pile.put_first(ace);
    let stacked = state.view(PlayerId(0));
    assert_eq!((shuffled.state.key(), &shuffled.unseen), (stacked.state.key(), &stacked.unseen));
}

#[test]
fn encoded_states_and_written_positions_hold_the_cards() {
    let (game, _) = load();
    let mut state = start(&game);
    let (deck, hand) = (zone(&state, "deck", None), zone(&state, "hand", Some(1)));
    for name in ["two", "Pooga the Brave"] {
        let card = card(&state, name);
        assert!(state.zone_mut(deck).unwrap().take(card));
        state.zone_mut(hand).unwrap().add(card);
    }
    let ace = card(&state, "ace");
    assert!(state.zone_mut(deck).unwrap().take(ace));
    state.zone_mut(deck).unwrap().put_first(ace);
    assert_eq!(State::decoded(&state.table, &state.encoded()).unwrap().key(), state.key());
    let lines = position_lines(&state);
    assert!(lines.contains(&"hand blue: two \"Pooga the Brave\"".to_owned()), "{lines:?}");
    assert!(lines.contains(&"deck: ace …".to_owned()), "{lines:?}");
    let scenario = format!(
        "use tricks\nscenario \"written\"\n  {}\n  expect deck count 4\n  expect deck = ace …\n  expect hand blue = \"Pooga the Brave\", two\n",
        lines.join("\n  ")
    );
    passes(&scenario);
}

/// An order that a line gives to a shuffle to come is part of an encoded state. How often a zone was shuffled is history.
#[test]
fn an_encoded_state_goes_on_alike_with_the_order_of_a_shuffle_to_come() {
    let (game, _) = load();
    let mut state = start(&game);
    let deck = zone(&state, "deck", None);
    state.shuffle(deck);
    state.arrange(deck, 2, &[card(&state, "ace"), card(&state, "two")]);
    let mut restored = State::decoded(&state.table, &state.encoded()).unwrap();
    assert_eq!((restored.key(), restored.encoded()), (state.key(), state.encoded()));
    for shuffles in 0..2 {
        state.shuffle(deck);
        restored.shuffle(deck);
        let first = [&state, &restored].map(|state| state.zone(deck).unwrap().known().to_vec());
        assert_eq!(first[0], first[1]);
        assert_eq!(first[0].len(), if shuffles == 0 { 0 } else { 2 }, "the second shuffle gives the order");
    }
    assert_eq!(restored.key(), state.key());
}

fn passes(text: &str) {
    let host = host().with("a.scenario", text);
    let mut loader = Loader::new(&host, LoaderOptions::default());
    let suite = referee_scenario::plan(&mut loader, Path::new("a.scenario"));
    let results: Vec<_> =
        (0..suite.tests.len()).map(|index| referee_scenario::judge(&mut loader, &suite, index)).collect();
    let passed = suite.problems.is_empty() && results.iter().all(|result| result.status == Status::Passed);
    let said = Human::new(false, false).file(&suite.file, &suite.problems, &results);
    assert!(passed && !results.is_empty(), "{said}");
}

#[test]
fn lines_about_cards() {
    passes(
        "use tricks

scenario \"A known order is not asked for; behind it chance is\"
  players red blue
  deck: Pooga the Brave, ace …
  turn red
  expect choices = keep, play \"Pooga the Brave\"
  red play Pooga the Brave
  expect events exactly
    > red plays Pooga the Brave for 0
  expect hand blue = ace
  blue play ace
  expect events exactly
    > blue plays ace for 11
  expect discard = ace \"Pooga the Brave\"
  expect ace in discard
  expect asks draw deck
  draw two
  expect hand red = two
  expect two in hand of red
  expect two in hand red
  expect deck count 3

scenario \"A whole order: the other cards are out of the game\"
  players red blue
  deck: two
  turn red
  expect deck empty
  red keep
  expect asks blue play
  expect choices = keep

scenario \"Cards of which nothing is said are in the deck\"
  players red blue
  hand red: ace ace two two
  discard: two
  turn red
  expect deck count 1
  draw deck Pooga the Brave
  expect hand red count 5

scenario \"Put back, a card lies first; shuffled, the others come by chance\"
  players red blue
  deck: two …
  discard: ace
  do back ace
  expect deck = ace …
  expect discard empty

scenario \"A card on the board is not in the deck\"
  players red blue
  board
    | P .
    | . ace
  expect deck count 4
  expect a2 holds Pooga the Brave

scenario \"From the hand onto the board\"
  players red blue
  hand red: ace two
  do lay red ace a1
  expect ace at a1
  expect hand red = two

scenario \"What is printed on cards\"
  players red blue
  set ace marked
  expect ace marked
  expect Pooga the Brave not marked
  expect { piece(\"ace\").value == 11 && piece(\"ace\").clan == \"bats\" && piece(\"ace\").flies }
  expect { piece(\"two\").at == [3, 1] && piece(\"two\").flies == () }
  expect { piece(\"Pooga the Brave\").rows[0] == 1 && piece(\"Pooga the Brave\").rows[2].hit == 2 }
  expect { piece(\"Pooga the Brave\").clan == \"red moles\" && pieces(\"trick\").len == 3 }
",
    );
}
