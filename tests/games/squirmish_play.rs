//! Squirmish, played at random with options at random, and compared answer by answer with the independent reading.
//!
//! Games begin with the set-up, or in the middle with many cards in play and much damage.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::rc::Rc;

use referee_play::{AnswerSource, Machine, SharedAnswers, Stop};
use referee_rules::Reply;
use referee_table::{
    Choice as Values, Laid, Names, Outcome, Owner, Phase, PieceId, PlayerId, Setting, State, Throw, Value, ZoneId,
};
use referee_trace::{Answer, Ask, Decision, Question};

use super::playing::{Playable, Random};
use super::squirmish_cards::{Card, printed};
use super::squirmish_oracle::{Choice, End, Entry, Fighter, Said, Seen, Squirmish};

/// Answers at random and keeps a log.
struct Player {
    random: Random,
    longest: usize,
    /// A card of which much is to be seen.
    featured: String,
    log: Vec<Entry>,
}

impl Player {
    fn decide(&mut self, decision: &Decision, state: &State) -> (usize, Choice) {
        let names = Names { schema: state.schema(), board: state.board() };
        let mut options: Vec<String> = decision.options.iter().map(|option| option.write(names)).collect();
        let about = |at: &usize| options[*at].split(' ').any(|word| word == self.featured || word == "yes");
        let mut places: Vec<usize> = (0..options.len()).collect();
        if self.random.below(3) > 0 && places.iter().any(about) {
            places.retain(about);
        }
        let at = places[self.random.below(places.len())];
        let chosen = options[at].clone();
        options.sort_unstable();
        let ask = state.schema().asks[decision.ask.index()].verb.clone();
        (at, Choice { who: decision.player.index(), ask, options, chosen })
    }
}

impl AnswerSource for Player {
    fn read(&mut self, ask: &Ask, state: &State) -> Reply {
        if self.log.len() == self.longest {
            return Reply::Pause;
        }
        let (answer, said) = match &ask.question {
            Question::Roll(_) => {
                // Special attacks and dice thrown again are met often.
                let face = [0, 1, 2, 3, 4, 5, 0, 5, 5][self.random.below(9)];
                (Answer::Rolled(Throw::of([face])), Said::Rolled(i64::try_from(face).unwrap() + 1))
            }
            Question::Draw(_) => {
                let of = ask.question.chances(state);
                let card = |answer: &Answer| match answer {
                    Answer::Drawn(card) => number(*card),
                    other => unreachable!("{other:?}"),
                };
                let drawn = of[self.random.below(of.len())].0.clone();
                let mut cards: Vec<usize> = of.iter().map(|(answer, _)| card(answer)).collect();
                assert!(of.iter().all(|(_, weight)| *weight == 1));
                cards.sort_unstable();
                (drawn.clone(), Said::Drew(card(&drawn), cards))
            }
            Question::Choose(decision) => {
                let (at, choice) = self.decide(decision, state);
                (Answer::Chosen(at), Said::Chose(choice))
            }
            Question::ChooseAll(all) => {
                let all: Vec<(usize, Choice)> = all.iter().map(|one| self.decide(one, state)).collect();
                let (places, choices) = all.into_iter().unzip();
                (Answer::AllChosen(places), Said::ChoseAll(choices))
            }
        };
        let turn = state.turn.map(PlayerId::index);
        self.log.push(Entry { turn, seen: seen(state), said });
        Reply::Answer(answer)
    }
}

/// Cards are the only pieces, in the order of the file.
fn number(card: PieceId) -> usize {
    card.index()
}

fn value(state: &State, name: &str, owner: Owner) -> Value {
    let property = state.schema().property(name).unwrap();
    state.value(property, owner).unwrap_or_else(|| unreachable!("no {name}")).clone()
}

fn zone(state: &State, name: &str, owner: Option<usize>) -> ZoneId {
    state.schema().zone(name, owner.map(PlayerId::at)).unwrap()
}

fn held(state: &State, name: &str, owner: usize) -> BTreeSet<usize> {
    let counts = state.zone(zone(state, name, Some(owner))).unwrap().counts();
    assert!(counts.values().all(|count| *count == 1));
    counts.keys().map(|card| number(*card)).collect()
}

fn seen(state: &State) -> Seen {
    let mut cards = BTreeMap::new();
    for card in (0..state.schema().pieces.len()).map(PieceId::at) {
        let Some(cell) = state.place(card) else { continue };
        let owner = Owner::Piece(card);
        let (Value::Player(controller), Value::Int(hits)) =
            (value(state, "controller", owner), value(state, "hits", owner))
        else {
            unreachable!("a card in play without a controller")
        };
        let name = state.board().name(cell);
        let (x, y) = name.trim_matches(['(', ')']).split_once(',').unwrap();
        cards.insert(number(card), ((x.parse().unwrap(), y.parse().unwrap()), controller.index(), hits));
    }
    let players = 0..state.table.players.len();
    Seen {
        cards,
        hands: players.clone().map(|player| held(state, "hand", player)).collect(),
        victory: players.map(|player| held(state, "victory", player)).collect(),
        discard: state.zone(zone(state, "discard", None)).unwrap().known().iter().map(|card| number(*card)).collect(),
        deck: usize::try_from(state.zone(zone(state, "deck", None)).unwrap().len()).unwrap(),
    }
}

/// A game of a variant, and how it is to begin.
struct Start {
    state: State,
    oracle: Squirmish,
    whole: bool,
}

impl Start {
    /// Options at random; the set-up is to come.
    fn new(game: &Playable, cards: &Rc<Vec<Card>>, random: &mut Random, seed: u64) -> Self {
        let small = random.below(4) == 0;
        let schema = game.program.schema();
        let variant = game.variant(if small { "small" } else { "full" });
        let players = 2 + random.below(if small { 2 } else { 3 });
        let mut options = random.settings(schema);
        for (option, setting) in schema.options.iter().zip(&mut options) {
            if matches!(option.choice, Values::Numbers(..)) {
                let most = match &*option.name {
                    "victory" => 3,
                    "deal" => 8,
                    _ => 7,
                };
                *setting = Setting::Number(i64::try_from(1 + random.below(most)).unwrap());
            }
        }
        let named = schema.options.iter().zip(&options).map(|(option, setting)| match setting {
            Setting::Word(word) => (option.name.to_string(), word.to_string()),
            Setting::Number(number) => (option.name.to_string(), number.to_string()),
        });
        let named = named.collect();
        let mut state = game.start(variant, players, options);
        state.lay_out(&variant.laid);
        state.shuffle(zone(&state, "deck", None));
        let deck = state.zone(zone(&state, "deck", None)).unwrap().bag().keys().map(|card| number(*card)).collect();
        let oracle = Squirmish {
            printed: Rc::clone(cards),
            options: named,
            players,
            active: 0,
            fighters: BTreeMap::new(),
            hands: vec![BTreeSet::new(); players],
            victory: vec![BTreeSet::new(); players],
            discard: Vec::new().into(),
            deck,
            stack: Vec::new().into(),
            bereft: BTreeSet::new(),
            log: Vec::new().into_iter(),
            cleaning: false,
            read: 0,
            seed,
            met: BTreeMap::new(),
        };
        Self { state, oracle, whole: true }
    }
}

/// The first cards, before random ones are added: a line that can break, a hole with a tail, one for each, or one card.
const SHAPES: [&[(i32, i32)]; 4] = [
    &[(-1, 0), (0, 0), (1, 0), (2, 0), (3, 0), (4, 0)],
    &[(0, 0), (1, 0), (2, 0), (2, -1), (2, -2), (1, -2), (0, -2), (0, -1), (3, 0), (4, 0), (4, 1)],
    &[(0, 0), (1, 0)],
    &[(0, 0)],
];

impl Start {
    /// A turn in the middle of a game: most cards in play are badly hurt, victory piles are almost full.
    fn middle(mut self, random: &mut Random, featured: usize) -> Self {
        self.whole = false;
        let oracle = &mut self.oracle;
        let mut deck: Vec<usize> = oracle.deck.iter().copied().filter(|card| *card != featured).collect();
        for at in (1..deck.len()).rev() {
            deck.swap(at, random.below(at + 1));
        }
        let group = oracle.printed[featured].group.clone();
        let mate = deck.iter().position(|card| group.is_some() && oracle.printed[*card].group == group);
        if let Some(mate) = mate.filter(|_| random.below(2) == 0) {
            let mate = deck.remove(mate);
            deck.push(mate);
        }
        let players = oracle.players;
        oracle.active = random.below(players);
        let shape = SHAPES[random.below(SHAPES.len())];
        let number = if shape.len() < 3 { players } else { shape.len() + random.below(2 * players) };
        let mut cards = take(&mut deck, number - 1);
        cards.insert(random.below(number), featured);
        for (at, card) in cards.into_iter().enumerate() {
            let cell = shape.get(at).copied().unwrap_or_else(|| free_cell(oracle, random));
            let controller = if shape.len() < 3 { at % players } else { random.below(players) };
            let fighter = fighter(&oracle.printed[card], cell, controller, random);
            oracle.fighters.insert(card, fighter);
        }
        let victory: usize = oracle.options["victory"].parse().unwrap();
        for player in 0..players {
            oracle.hands[player] = take(&mut deck, random.below(4)).into_iter().collect();
            oracle.victory[player] =
                take(&mut deck, victory - 1 - random.below(2).min(victory - 1)).into_iter().collect();
        }
        oracle.discard = take(&mut deck, random.below(4)).into();
        let left = if random.below(3) == 0 { random.below(4) } else { deck.len() };
        oracle.deck = take(&mut deck, left).into_iter().collect();
        self.lay();
        self
    }

    /// The same cards as the model has.
    fn lay(&mut self) {
        let Self { state, oracle, .. } = self;
        for (card, fighter) in &oracle.fighters {
            let (piece, (x, y)) = (PieceId::at(*card), fighter.cell.unwrap());
            let cell = state.board().cell(&format!("({x},{y})")).unwrap();
            state.put(piece, cell).unwrap();
            let player = Value::Player(PlayerId::at(fighter.controller));
            let values = [
                ("controller", player),
                ("hits", Value::Int(fighter.hits)),
                ("fought", Value::Bool(fighter.fought)),
                ("asleep", Value::Bool(fighter.asleep)),
                ("marks", Value::Int(fighter.brooding + i64::from(fighter.once))),
            ];
            for (name, value) in values {
                let property = state.schema().property(name).unwrap();
                state.set_value(property, Owner::Piece(piece), value);
            }
        }
        let pieces = |cards: &mut dyn Iterator<Item = &usize>| cards.map(|card| PieceId::at(*card)).collect();
        let mut laid = vec![
            Laid {
                zone: zone(state, "discard", None),
                cards: pieces(&mut oracle.discard.iter()),
                more: false,
                unknown: 0,
            },
            Laid { zone: zone(state, "deck", None), cards: pieces(&mut oracle.deck.iter()), more: false, unknown: 0 },
        ];
        for player in 0..oracle.players {
            for (name, cards) in [("hand", &oracle.hands[player]), ("victory", &oracle.victory[player])] {
                let zone = zone(state, name, Some(player));
                laid.push(Laid { zone, cards: pieces(&mut cards.iter()), more: false, unknown: 0 });
            }
        }
        state.lay_out(&laid);
        state.shuffle(zone(state, "deck", None));
        assert_eq!(seen(state), oracle.seen());
    }
}

/// So many cards from the end, or as many as are left.
fn take(deck: &mut Vec<usize>, count: usize) -> Vec<usize> {
    deck.split_off(deck.len().saturating_sub(count))
}

/// A card in play, with a past at random.
fn fighter(card: &Card, cell: (i32, i32), controller: usize, random: &mut Random) -> Fighter {
    let worst = card.hp - 1;
    Fighter {
        cell: Some(cell),
        controller,
        hits: [worst, worst, worst, (worst - 1).max(0), (worst - 2).max(0), 0][random.below(6)],
        fought: random.below(3) == 0,
        asleep: random.below(12) == 0,
        once: ["Tusk", "Ember"].contains(&&*card.name) && random.below(4) == 0,
        brooding: if card.name == "Grudge" { [0, 0, 1, 2][random.below(4)] } else { 0 },
        hurt: None,
    }
}

/// A free cell next to those that are taken, mostly one with a single neighbour, so that islands can break off.
fn free_cell(oracle: &Squirmish, random: &mut Random) -> (i32, i32) {
    let taken: BTreeSet<(i32, i32)> = oracle.fighters.values().filter_map(|fighter| fighter.cell).collect();
    let around = |(x, y): (i32, i32)| [(x, y + 1), (x + 1, y), (x, y - 1), (x - 1, y)];
    let free = taken.iter().flat_map(|cell| around(*cell)).filter(|cell| !taken.contains(cell));
    let mut free: Vec<(i32, i32)> = free.collect::<BTreeSet<_>>().into_iter().collect();
    let alone = |cell: &(i32, i32)| around(*cell).into_iter().filter(|next| taken.contains(next)).count() == 1;
    if random.below(4) > 0 && free.iter().any(alone) {
        free.retain(alone);
    }
    if free.is_empty() { (0, 0) } else { free[random.below(free.len())] }
}

/// What was met in games, and how often.
type DecisionsSeen = BTreeMap<String, usize>;

/// Play a game; whether it came to its end.
fn play(game: &Playable, start: Start, featured: &str, longest: usize, met: &mut DecisionsSeen) -> bool {
    let Start { state, mut oracle, whole } = start;
    let seed = oracle.seed;
    let player = Player { random: Random(seed), longest, featured: featured.to_owned(), log: Vec::new() };
    let player = Rc::new(RefCell::new(player));
    let feed: SharedAnswers = Rc::clone(&player) as SharedAnswers;
    let mut machine = Machine::new(&game.program, state);
    if whole {
        machine.resume(Phase { name: "setup".into(), args: Vec::new() }, None, &feed);
    } else {
        machine.turn(PlayerId::at(oracle.active), &feed);
    }
    oracle.log = player.borrow().log.clone().into_iter();
    let end = if whole { oracle.play() } else { oracle.turns() };
    assert!(oracle.log.next().is_none(), "seed {seed}: the game went on after {end:?}");
    for (what, times) in std::mem::take(&mut oracle.met) {
        *met.entry(what).or_default() += times;
    }
    match machine.stop() {
        Stop::Over => {
            let winner = match &end {
                End::Won(winner) => Outcome::Won(vec![PlayerId::at(*winner)]),
                End::Drawn => Outcome::Draw,
                End::Asked => unreachable!("seed {seed}: the game is not over"),
            };
            assert_eq!(machine.state().outcome, Some(winner), "seed {seed}");
            assert_eq!(seen(machine.state()), oracle.seen(), "seed {seed}");
            true
        }
        Stop::Paused(_) => {
            assert_eq!((end, player.borrow().log.len()), (End::Asked, longest), "seed {seed}");
            false
        }
        other => unreachable!("seed {seed}: {other:?}"),
    }
}

/// Games from the set-up on; how many came to their end.
fn whole_games(seeds: Range<u64>, longest: usize) -> usize {
    let game = Playable::load("squirmish", &[]);
    let cards = Rc::new(printed());
    let ended = seeds.filter(|seed| {
        let start = Start::new(&game, &cards, &mut Random(*seed), *seed);
        play(&game, start, "", longest, &mut DecisionsSeen::new())
    });
    ended.count()
}

/// Games from their middle on, each with another card to be seen; what was met in each.
fn middles(game: &Playable, seeds: impl IntoIterator<Item = u64>, longest: usize) -> Vec<(u64, DecisionsSeen)> {
    let cards = Rc::new(printed());
    let play = |seed: u64| {
        let random = &mut Random(seed);
        let start = Start::new(game, &cards, random, seed);
        let deck = &start.oracle.deck;
        let featured = *deck.iter().nth(usize::try_from(seed).unwrap() % deck.len()).unwrap();
        let mut met = DecisionsSeen::new();
        play(game, start.middle(random, featured), &cards[featured].name, longest, &mut met);
        (seed, met)
    };
    seeds.into_iter().map(play).collect()
}

/// What was not met in any of these games.
fn missing(games: &[(u64, DecisionsSeen)]) -> Vec<String> {
    let mut expected = expected(&printed());
    expected.retain(|what| !games.iter().any(|(_, met)| met.contains_key(what)));
    expected
}

/// Few of these games that show as much as all of them.
fn cover(games: &[(u64, DecisionsSeen)]) -> Vec<u64> {
    let mut left: BTreeSet<String> = expected(&printed()).into_iter().collect();
    let mut seeds = Vec::new();
    loop {
        let shown = |met: &DecisionsSeen| left.iter().filter(|what| met.contains_key(*what)).count();
        let (seed, met) = games.iter().rev().max_by_key(|(_, met)| shown(met)).unwrap();
        if shown(met) == 0 {
            return seeds;
        }
        left.retain(|what| !met.contains_key(what));
        seeds.push(*seed);
    }
}

/// Games from the middle that show every card and every mechanism; found by the long test below.
const SHOWN: [u64; 23] = [
    1764, 2285, 1099, 2235, 1618, 2580, 1046, 1131, 1204, 1482, 1155, 2256, 1000, 1022, 1057, 1156, 1327, 1396, 2596,
    1079, 1147, 1422, 1855,
];

#[test]
fn whole_games_go_as_an_independent_reading_says() {
    let ended = whole_games(12..22, 90);
    assert!(ended > 0, "{ended}");
}

#[test]
fn every_card_and_every_mechanism_goes_as_an_independent_reading_says() {
    let game = Playable::load("squirmish", &[]);
    let games = middles(&game, SHOWN.into_iter().chain(0..30), 14);
    let missing = missing(&games);
    assert!(missing.is_empty(), "not met: {missing:?}; take the seeds that the long test finds");
}

#[test]
#[ignore = "long: some hundred games"]
fn many_games_go_as_an_independent_reading_says() {
    let ended = whole_games(0..30, 250);
    assert!(ended > 15, "{ended}");
    let game = Playable::load("squirmish", &[]);
    let games = middles(&game, SHOWN.into_iter().chain(0..800), 14);
    let missing = missing(&games);
    assert!(missing.is_empty(), "not met: {missing:?}");
    eprintln!("these show everything: {:?}", cover(&games));
}

/// Everything that the model counts and that has to be met.
fn expected(cards: &[Card]) -> Vec<String> {
    const MECHANISMS: [&str; 42] = [
        "a foe in reach, mandatory",
        "a foe in reach, on_foe",
        "a foe in reach, optional",
        "another's ability does damage, active_player",
        "another's ability does damage, owner_of_ability",
        "asleep",
        "attached again",
        "attached where there is a hole, any_open_edge",
        "attached where there is a hole, outer_only",
        "battle cry",
        "broken",
        "chain",
        "consolation",
        "damage",
        "discard",
        "discard out of turn",
        "discards turned over",
        "effect",
        "empty table",
        "equal islands",
        "foe attacked",
        "healing",
        "move",
        "no card to draw, no_draw",
        "no damage left",
        "no effect",
        "no effect in spite of a cry, kept",
        "no effect in spite of a cry, spent",
        "nothing to heal",
        "own card attacked",
        "replace",
        "rounded, down",
        "rounded, up",
        "saved in step 2",
        "several fall",
        "several reach the number, active_player_first",
        "several reach the number, most_cards_then_active",
        "splash, all_but_cry",
        "splash, none",
        "taken over",
        "to the victory pile of another",
        "use out of turn",
    ];
    let abilities = cards.iter().flat_map(|card| card.abilities_that_count().into_iter().chain(card.specials()));
    MECHANISMS.iter().map(|what| (*what).to_owned()).chain(abilities).collect()
}
