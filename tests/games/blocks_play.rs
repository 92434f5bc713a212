//! Squish Blocks, played at random in lockstep with the independent reading.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use referee_play::Machine;
use referee_table::{Face, Names, Outcome, Owner, PieceId, PlayerId, Setting, State, Value, Variant, Zone};
use referee_trace::{Answer, Question};

use super::blocks_oracle::{
    Card, DECK, DeckOut, Due, Options, Oracle, Place, SQUARES, Spot, dots, is_beside, is_inside, spots,
};
use super::playing::{Playable, Random, answer, asked, silent};

/// What came up in some games.
#[derive(Debug, Default)]
struct Seen {
    squishes: usize,
    passes: usize,
    refills: usize,
    shared: usize,
    /// Games that ended with a card in a hand: by the pile.
    by_pile: usize,
}

/// The name of a card.
fn card(state: &State, piece: PieceId) -> Card {
    let name = state.schema().piece_name(piece);
    DECK.into_iter().find(|card| *card == name).unwrap()
}

fn words(machine: &Machine<'_>, question: &Question) -> Vec<String> {
    let names = Names { schema: machine.state().schema(), board: machine.state().board() };
    let Question::Choose(decision) = question else { unreachable!("{question:?}") };
    decision.options.iter().map(|option| option.write(names)).collect()
}

/// Every value of every option in turn.
fn options(number: usize) -> (Options, BTreeMap<&'static str, &'static str>) {
    let deck_out = [
        (DeckOut::EndOfTurn, "end_of_turn"),
        (DeckOut::Immediately, "immediately"),
        (DeckOut::OnFailedRefill, "on_failed_refill"),
        (DeckOut::Ignore, "ignore"),
    ];
    let (deck_out, ends) = deck_out[number % 4];
    let [two_at_once, inert, skipped] = [4, 8, 16].map(|bit| number & bit > 0);
    let named = BTreeMap::from([
        ("deal_order", if two_at_once { "two_at_once" } else { "round_robin" }),
        ("outside_idle", if inert { "inert" } else { "stays_active" }),
        ("deck_out", ends),
        ("empty_hand_turn", if skipped { "skipped" } else { "may_squish" }),
    ]);
    (Options { two_at_once, inert, deck_out, skipped }, named)
}

fn settings(game: &Playable, number: usize) -> (Options, Vec<Setting>) {
    let (options, named) = options(number);
    let declared = &game.program.schema().options;
    assert_eq!(declared.len(), named.len());
    (options, declared.iter().map(|option| Setting::Word(named[option.name.as_str()].into())).collect())
}

fn shuffled(random: &mut Random) -> Vec<Card> {
    let mut deck = DECK.to_vec();
    (0..deck.len()).for_each(|at| deck.swap(at, random.below(at + 1)));
    deck
}

/// Put a position on the table of the rules: the cards of the pile and those face down are in no order.
fn lay(
    state: &mut State,
    places: &[(Spot, Place)],
    hands: &[BTreeSet<Card>],
    scores: &[BTreeSet<Card>],
    unseen: &[Card],
) {
    let table = Arc::clone(&state.table);
    let id = |card: Card| table.schema.piece(card).unwrap();
    let zone = |name: &str, owner| table.schema.zone(name, owner).unwrap();
    let bag = |cards: &[Card]| Zone::new(Vec::new(), cards.iter().map(|card| (id(card), 1)).collect());
    let pile = zone("pile", None);
    *state.zone_mut(pile).unwrap() = bag(unseen);
    for (name, sets) in [("hand", hands), ("score", scores)] {
        for (player, cards) in sets.iter().enumerate() {
            let cards: Vec<Card> = cards.iter().copied().collect();
            *state.zone_mut(zone(name, Some(PlayerId::at(player)))).unwrap() = bag(&cards);
        }
    }
    for (spot, lies) in places {
        let cell = state.board().cell(&Oracle::name(*spot)).unwrap();
        match lies {
            Place::Up(card) => state.put(id(card), cell).unwrap(),
            Place::Down(Some(card)) => state.lay(id(card), cell, true).unwrap(),
            Place::Down(None) => state.lay_face_down(cell, Face::Unknown(pile)).unwrap(),
            Place::Empty => {}
        }
    }
}

/// A game of the rules and one of the independent reading.
struct Pair<'g> {
    machine: Machine<'g>,
    oracle: Oracle,
    /// How to find the game again.
    label: String,
}

impl<'g> Pair<'g> {
    /// A game for so many players; `number` is that of the options, and of what the deck is like.
    fn begin(game: &'g Playable, side: usize, players: usize, number: usize, random: &mut Random) -> Self {
        let schema = game.program.schema();
        let (options, settings) = settings(game, number);
        let mut start = game.start(game.variant(&format!("square-{side}")), players, settings);
        // A whole deck, or one that leaves a small pile, or none.
        let mut deck = shuffled(random);
        if random.below(3) > 0 {
            deck.truncate(side * side + 2 * players + random.below(6));
        }
        // The rules' set-up shuffles: an order that is known afterwards has been arranged before.
        let ordered = random.below(4) == 0;
        let ids: Vec<PieceId> = deck.iter().map(|card| schema.piece(card).unwrap()).collect();
        let pile = schema.zone("pile", None).unwrap();
        *start.zone_mut(pile).unwrap() = Zone::new(Vec::new(), ids.iter().map(|id| (*id, 1)).collect());
        if ordered {
            start.arrange(pile, 1, &ids);
        }
        let oracle = Oracle::dealt(side, players, options, &deck, ordered);
        Self { machine: game.begin(start, &silent()), oracle, label: String::new() }
    }

    /// A game that is under way, with many cards face up. Each card outside is one less in the hands, so that a player
    /// who holds a card can always play it.
    fn amid(game: &'g Playable, side: usize, players: usize, number: usize, random: &mut Random) -> Self {
        let (options, settings) = settings(game, number);
        let mut state = game.start(game.variant(&format!("square-{side}")), players, settings);
        let mut deck = shuffled(random);
        let mut next = || deck.pop().unwrap();
        let mut some = |most: usize, random: &mut Random| -> Vec<BTreeSet<Card>> {
            (0..players).map(|_| (0..random.below(most)).map(|_| next()).collect()).collect()
        };
        let (hands, scores) = (some(3, random), some(2, random));
        let mut outside = 2 * players - hands.iter().map(BTreeSet::len).sum::<usize>();
        let mut places = Vec::new();
        for spot in spots(side) {
            let lies = match (is_inside(side, spot), is_beside(side, spot), random.below(10)) {
                (true, _, 0..7) => Place::Up(next()),
                (true, _, 7) => Place::Down(Some(next())),
                (true, ..) => Place::Down(None),
                (_, true, 0..3) if outside > 0 => {
                    outside -= 1;
                    Place::Up(next())
                }
                _ => continue,
            };
            places.push((spot, lies));
        }
        let unknown = places.iter().filter(|(_, lies)| *lies == Place::Down(None)).count();
        deck.truncate(unknown + random.below(5));
        lay(&mut state, &places, &hands, &scores, &deck);
        let mut machine = Machine::new(&game.program, state);
        machine.turn(PlayerId::at(0), &silent());
        let oracle = Oracle::amid(side, options, &places, hands, scores, deck.into_iter().collect());
        Self { machine, oracle, label: String::new() }
    }

    /// All that lies on the table, whose turn it is and what has happened are the same in both.
    fn agrees(&self) {
        let (state, oracle) = (self.machine.state(), &self.oracle);
        for spot in oracle.spots() {
            let cell = state.board().cell(&Oracle::name(spot)).unwrap();
            let lies = match (state.face(cell), state.at(cell)) {
                (Some(Face::Unknown(_)), _) => Place::Down(None),
                (Some(Face::Card { card: piece, seen, .. }), _) if seen.is_empty() => {
                    Place::Down(Some(card(state, *piece)))
                }
                (Some(face), _) => unreachable!("{face:?}"),
                (None, Some(piece)) => Place::Up(card(state, piece)),
                (None, None) => Place::Empty,
            };
            assert_eq!(lies, oracle.at(spot), "{}: {}", self.label, Oracle::name(spot));
        }
        assert_eq!(state.board().cells().count(), oracle.spots().count(), "{}", self.label);
        let zone = |name: &str, owner| state.zone(state.schema().zone(name, owner).unwrap()).unwrap();
        let in_zone = |zone: &Zone| zone.counts().keys().map(|piece| card(state, *piece)).collect::<BTreeSet<_>>();
        for player in 0..oracle.hands.len() {
            let owner = Some(PlayerId::at(player));
            assert_eq!(in_zone(zone("hand", owner)), oracle.hands[player], "{}", self.label);
            assert_eq!(in_zone(zone("score", owner)), oracle.scores[player], "{}", self.label);
        }
        let pile = zone("pile", None);
        assert_eq!(usize::try_from(pile.len()).unwrap(), oracle.pile, "{}", self.label);
        let unseen: BTreeSet<Card> = pile.bag().keys().map(|piece| card(state, *piece)).collect();
        assert_eq!(unseen, oracle.unseen, "{}", self.label);
        let events: Vec<String> = self.machine.events().map(|event| event.write(self.machine.names())).collect();
        assert_eq!(events, oracle.events, "{}", self.label);
    }

    /// What was recorded of a game that is over is what the independent reading counts.
    fn counts_agree(&self) {
        let (state, oracle) = (self.machine.state(), &self.oracle);
        let recorded = |name: &str, owner| match state.value(state.schema().property(name).unwrap(), owner) {
            Some(Value::Int(number)) => usize::try_from(number).unwrap(),
            other => unreachable!("{}: {name}: {other:?}", self.label),
        };
        let mut points: Vec<usize> = oracle.scores.iter().map(|cards| dots(cards) as usize).collect();
        for (player, points) in points.iter().enumerate() {
            let owner = Owner::Player(PlayerId::at(player));
            let words = format!("{} squishes ", state.schema().player_name(PlayerId::at(player)));
            let squishes = oracle.events.iter().filter(|event| event.starts_with(&words)).count();
            let counted = (recorded("points", owner), recorded("squishes", owner));
            assert_eq!(counted, (*points, squishes), "{}", self.label);
        }
        points.sort_unstable_by(|one, other| other.cmp(one));
        let margin = points[0] - points[1];
        let counted = (recorded("margin", Owner::Game), recorded("ties", Owner::Game));
        assert_eq!(counted, (margin, usize::from(margin == 0)), "{}", self.label);
    }

    /// Answer what is asked, if what is due is the same; whether the game goes on.
    fn step(&mut self, random: &mut Random) -> bool {
        let question = asked(&self.machine);
        let given = match (&question, self.oracle.due()) {
            (None, Due::Over(winners)) => {
                let winners = winners.into_iter().map(PlayerId::at).collect();
                assert_eq!(self.machine.state().outcome, Some(Outcome::Won(winners)), "{}", self.label);
                self.agrees();
                self.counts_agree();
                return false;
            }
            (Some(question @ Question::Draw(_)), Due::Draw) => {
                let chances = question.chances(self.machine.state());
                let drawn = chances[random.below(chances.len())].0.clone();
                let Answer::Drawn(piece) = &drawn else { unreachable!("{drawn:?}") };
                let unseen = chances.iter().map(|(answer, weight)| match answer {
                    Answer::Drawn(piece) if *weight == 1 => card(self.machine.state(), *piece),
                    other => unreachable!("{other:?}"),
                });
                assert_eq!(unseen.collect::<BTreeSet<_>>(), self.oracle.unseen, "{}", self.label);
                self.oracle.draw(card(self.machine.state(), *piece));
                drawn
            }
            (Some(question @ Question::Choose(decision)), Due::Choice(due)) => {
                assert_eq!(self.machine.state().turn, Some(PlayerId::at(self.oracle.mover)), "{}", self.label);
                assert_eq!(decision.player, PlayerId::at(self.oracle.mover), "{}", self.label);
                self.agrees();
                let words = words(&self.machine, question);
                let mut sorted = words.clone();
                sorted.sort_unstable();
                assert_eq!(sorted, due, "{}", self.label);
                let chosen = self.pick(&words, random);
                self.oracle.choose(&words[chosen]);
                Answer::Chosen(chosen)
            }
            (question, due) => unreachable!("{}: {question:?}, but {due:?}", self.label),
        };
        answer(&mut self.machine, given);
        true
    }

    /// Squish more often than chance alone would, and else play outside now and then, so that games end.
    fn pick(&self, words: &[String], random: &mut Random) -> usize {
        let is_outside = |word: &str| {
            let on = word.rsplit(' ').next().unwrap();
            self.oracle.spots().any(|spot| Oracle::name(spot) == on && self.oracle.at(spot) == Place::Empty)
        };
        let like = match random.below(8) {
            0..4 => |word: &str, _: bool| word.starts_with("squish"),
            4 => |word: &str, outside: bool| outside && word.starts_with("play"),
            5..7 => |word: &str, outside: bool| !outside && word.starts_with("play"),
            _ => |_: &str, _: bool| true,
        };
        let liked: Vec<usize> = (0..words.len()).filter(|at| like(&words[*at], is_outside(&words[*at]))).collect();
        if liked.is_empty() { random.below(words.len()) } else { liked[random.below(liked.len())] }
    }
}

/// Play a game to its end, and note what came up.
fn play(mut pair: Pair<'_>, label: String, random: &mut Random, seen: &mut Seen) {
    pair.label = label;
    while pair.step(random) {}
    let oracle = &pair.oracle;
    let Due::Over(winners) = oracle.due() else { unreachable!("the game is over") };
    let count = |word: &str| oracle.events.iter().filter(|event| event.contains(word)).count();
    seen.squishes += count("squishes");
    seen.passes += count("passes");
    seen.refills += count("refill");
    seen.shared += usize::from(winners.len() > 1 && !oracle.scores[winners[0]].is_empty());
    seen.by_pile += usize::from(oracle.hands.iter().any(|hand| !hand.is_empty()));
    let points = |player: usize| dots(&oracle.scores[player]);
    let others = (0..oracle.hands.len()).filter(|player| !winners.contains(player));
    assert!(others.map(points).all(|worse| worse < points(winners[0])));
}

/// Plays games for every square, every number of players, and each `step`th of the 32 combinations of options: a number
/// of games from the set-up, and a number from the middle.
fn play_all(step: usize, dealt: u64, amid: u64) -> Seen {
    let game = Playable::load("squish-blocks", &[]);
    let mut seen = Seen::default();
    let tables = SQUARES.into_iter().flat_map(|(side, fewest, most)| (fewest..=most).map(move |count| (side, count)));
    for (at, (side, players)) in tables.enumerate() {
        for number in (at % step..32).step_by(step) {
            for seed in 0..dealt.max(amid) {
                let random = &mut Random(seed * 1000 + (32 * at + number) as u64);
                let label = format!("square {side}, {players} players, options {number}, seed {seed}");
                if seed < dealt {
                    play(Pair::begin(&game, side, players, number, random), label.clone(), random, &mut seen);
                }
                if seed < amid {
                    play(Pair::amid(&game, side, players, number, random), label, random, &mut seen);
                }
            }
        }
    }
    seen
}

#[test]
fn the_squares_are_for_as_many_players_as_the_rulebook_says() {
    let game = Playable::load("squish-blocks", &[]);
    let schema = game.program.schema();
    let squares = |(at, variant): (usize, &Variant)| {
        let side = variant.name.strip_prefix("square-").unwrap().parse().unwrap();
        let (fewest, most) = schema.player_count_of(at);
        (side, fewest, most)
    };
    let squares: BTreeSet<(usize, usize, usize)> = schema.variants.iter().enumerate().map(squares).collect();
    assert_eq!(squares, SQUARES.into());
}

#[test]
fn every_game_goes_as_an_independent_reading_says() {
    let seen = play_all(11, 1, 3);
    assert!(seen.squishes > 200 && seen.refills > 100 && seen.passes > 100, "{seen:?}");
    assert!(seen.shared > 10 && seen.by_pile > 10, "{seen:?}");
}

#[test]
#[ignore = "takes minutes"]
fn a_great_many_games_go_as_an_independent_reading_says() {
    let seen = play_all(1, 3, 30);
    assert!(seen.squishes > 20_000 && seen.refills > 10_000 && seen.passes > 10_000, "{seen:?}");
    assert!(seen.shared > 1000 && seen.by_pile > 1000, "{seen:?}");
}
