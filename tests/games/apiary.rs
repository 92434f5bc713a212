//! An independent implementation of Apiary from its rulebook: compares the options of each decision, what players have, points and
//! winners of random games.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::LazyLock;

use referee_table::{Outcome, Owner, PlayerId, State, Value};
use referee_trace::{Answer, Question};

use super::playing::{Playable, Random, answer, asked, silent};

const POTS: [&str; 6] = ["clover", "heather", "linden", "sage", "thyme", "honey"];
const NECTARS: usize = 5;
const HONEY: usize = 5;
const ROWS: [&str; 3] = ["meadow", "hedge", "wood"];
const LIMIT: i64 = 10;

/// How many there are of each pot.
type Amount = [i64; 6];

/// A plant, or a guest.
struct Card {
    /// What a plant gives; what a guest wants.
    gives: Amount,
    cost: Amount,
    points: i64,
}

type Cards = BTreeMap<&'static str, Card>;

static FILES: LazyLock<[Cards; 4]> = LazyLock::new(|| {
    [
        cards(include_str!("../../games/apiary/meadow.yaml"), "gives"),
        cards(include_str!("../../games/apiary/hedge.yaml"), "gives"),
        cards(include_str!("../../games/apiary/wood.yaml"), "gives"),
        cards(include_str!("../../games/apiary/guests.yaml"), "wants"),
    ]
});

fn cards(text: &'static str, gives: &str) -> Cards {
    let rows = text.lines().filter_map(|line| line.trim_start().strip_prefix("- {name: "));
    let card = |row: &'static str| {
        let amount = |key: &str| row.split_once(&format!("{key}: {{")).map_or([0; 6], |(_, rest)| amount(rest));
        let points = row.split_once("points: ").unwrap().1.split([',', '}']).next().unwrap();
        let card = Card { gives: amount(gives), cost: amount("cost"), points: points.parse().unwrap() };
        (row.split_once(',').unwrap().0, card)
    };
    rows.map(card).collect()
}

/// Reads `clover: 1, sage: 2}…`.
fn amount(text: &str) -> Amount {
    let mut found = [0; 6];
    for part in text.split_once('}').unwrap().0.split(", ") {
        let (pot, number) = part.split_once(": ").unwrap();
        found[POTS.iter().position(|other| *other == pot).unwrap()] = number.parse().unwrap();
    }
    found
}

/// Reads `clover sage x2`.
fn read(text: &str) -> Amount {
    let (mut found, mut last) = ([0; 6], 0);
    for word in text.split(' ') {
        if let Some(number) = word.strip_prefix('x') {
            found[last] = number.parse().unwrap();
        } else {
            last = POTS.iter().position(|pot| *pot == word).unwrap();
            found[last] = 1;
        }
    }
    found
}

fn plant(name: &str) -> &'static Card {
    FILES[..3].iter().find_map(|cards| cards.get(name)).unwrap()
}

#[derive(Default)]
struct Player {
    has: Amount,
    garden: Vec<String>,
    reserved: Vec<String>,
    score: i64,
}

/// Where a card goes that is drawn.
#[derive(Clone, Copy)]
enum To {
    Row(usize),
    Guests,
    Reserved(usize),
}

#[derive(Clone, Copy, PartialEq)]
enum Stage {
    Action,
    GiveBack,
    Guests,
}

/// The game between two answers.
struct Apiary {
    barter: bool,
    reserving: bool,
    supply: Amount,
    players: Vec<Player>,
    /// Those of the plants, and that of the guests.
    decks: [BTreeSet<String>; 4],
    rows: [Vec<String>; 3],
    guests: Vec<String>,
    draws: VecDeque<(usize, To)>,
    stage: Stage,
    mover: usize,
    winners: Option<Vec<usize>>,
}

impl Apiary {
    fn new(players: usize, house: Option<&str>) -> Self {
        let each = 3 + i64::try_from(players).unwrap();
        let rows = (0..3).flat_map(|row| [(row, To::Row(row)); 4]);
        let mut game = Self {
            barter: house == Some("barter"),
            reserving: house != Some("no-reserving"),
            supply: [each, each, each, each, each, 5],
            players: (0..players).map(|_| Player::default()).collect(),
            decks: [0, 1, 2, 3].map(|at| FILES[at].keys().map(|name| (*name).to_owned()).collect()),
            rows: Default::default(),
            guests: Vec::new(),
            draws: rows.chain(vec![(3, To::Guests); players + 1]).collect(),
            stage: Stage::Action,
            mover: 0,
            winners: None,
        };
        game.go_on();
        game
    }

    fn me(&mut self) -> &mut Player {
        &mut self.players[self.mover]
    }

    /// What the plants of the mover's garden give.
    fn yields(&self) -> Amount {
        let garden = &self.players[self.mover].garden;
        [0, 1, 2, 3, 4, 5].map(|pot| garden.iter().map(|name| plant(name).gives[pot]).sum())
    }

    /// What the mover pays for a plant; `None` if they cannot.
    fn payment(&self, name: &str) -> Option<Amount> {
        let (given, has) = (self.yields(), self.players[self.mover].has);
        let price = |pot: usize| (plant(name).cost[pot] - given[pot]).max(0);
        let mut paid = [0, 1, 2, 3, 4, 5].map(|pot| price(pot).min(has[pot]));
        paid[HONEY] = (0..NECTARS).map(|pot| price(pot) - paid[pot]).sum();
        (paid[HONEY] <= has[HONEY]).then_some(paid)
    }

    fn options(&self) -> BTreeSet<String> {
        let me = &self.players[self.mover];
        match self.stage {
            Stage::GiveBack => (0..6).filter(|pot| me.has[*pot] > 0).map(|pot| format!("give {}", POTS[pot])).collect(),
            Stage::Guests => self.coming().map(|name| format!("receive {name}")).collect(),
            Stage::Action => self.actions(),
        }
    }

    fn actions(&self) -> BTreeSet<String> {
        let me = &self.players[self.mover];
        let mut all = BTreeSet::new();
        let left: Vec<usize> = (0..NECTARS).filter(|pot| self.supply[*pot] > 0).collect();
        for set in 1_u32..1 << NECTARS {
            let kinds: Vec<usize> = (0..NECTARS).filter(|pot| set & (1 << pot) != 0).collect();
            if kinds.len() == left.len().min(3) && kinds.iter().all(|pot| left.contains(pot)) {
                let words: Vec<&str> = kinds.iter().map(|pot| POTS[*pot]).collect();
                all.insert(format!("take {}", words.join(" ")));
            }
        }
        let market = || self.rows.iter().flatten();
        all.extend((0..NECTARS).filter(|pot| self.supply[*pot] > 3).map(|pot| format!("take {} x2", POTS[pot])));
        let paid = market().chain(&me.reserved).filter(|name| self.payment(name).is_some());
        all.extend(paid.map(|name| format!("buy {name}")));
        if self.reserving && me.reserved.len() < 3 {
            all.extend(market().map(|name| format!("reserve {name}")));
            let decks = (0..3).filter(|row| !self.decks[*row].is_empty());
            all.extend(decks.map(|row| format!("scout {}", ROWS[row])));
        }
        for gives in (0..NECTARS).filter(|pot| self.barter && me.has[*pot] > 1) {
            let gets = (0..6).filter(|pot| *pot != gives && self.supply[*pot] > 0);
            all.extend(gets.map(|pot| format!("barter {} x2 for {}", POTS[gives], POTS[pot])));
        }
        if all.is_empty() {
            all.insert("clear".to_owned());
        }
        all
    }

    /// The guests who see all that they want.
    fn coming(&self) -> impl Iterator<Item = &String> {
        let seen = self.yields();
        self.guests.iter().filter(move |name| (0..6).all(|pot| FILES[3][name.as_str()].gives[pot] <= seen[pot]))
    }

    /// Moves pots from the supply to the mover, or back.
    fn gain(&mut self, amount: Amount, sign: i64) {
        for (pot, number) in amount.into_iter().enumerate() {
            self.supply[pot] -= sign * number;
            self.me().has[pot] += sign * number;
        }
    }

    fn honey(&mut self) {
        if self.supply[HONEY] > 0 {
            self.gain([0, 0, 0, 0, 0, 1], 1);
        }
    }

    /// Takes a plant out of the market.
    fn leaves(&mut self, name: &str) {
        for row in 0..3 {
            if self.rows[row].iter().any(|other| other == name) {
                self.rows[row].retain(|other| other != name);
                if !self.decks[row].is_empty() {
                    self.draws.push_back((row, To::Row(row)));
                }
            }
        }
    }

    fn chosen(&mut self, words: &str) {
        let (verb, what) = words.split_once(' ').unwrap_or((words, ""));
        let is_action = self.stage == Stage::Action;
        match verb {
            "take" => self.gain(read(what), 1),
            "give" => self.gain(read(what), -1),
            "buy" => {
                let paid = self.payment(what).unwrap();
                self.gain(paid, -1);
                self.leaves(what);
                let me = self.me();
                me.reserved.retain(|other| other != what);
                me.garden.push(what.to_owned());
                me.score += plant(what).points;
            }
            "reserve" => {
                self.leaves(what);
                self.me().reserved.push(what.to_owned());
                self.honey();
            }
            "scout" => {
                let row = ROWS.iter().position(|row| *row == what).unwrap();
                self.draws.push_back((row, To::Reserved(self.mover)));
                self.honey();
            }
            "clear" => {
                let has = self.me().has;
                self.gain(has, -1);
            }
            "barter" => {
                let (gives, gets) = what.split_once(" for ").unwrap();
                self.gain(read(gives), -1);
                self.gain(read(gets), 1);
            }
            "receive" => self.receives(what),
            other => unreachable!("{other}"),
        }
        if is_action {
            self.stage = Stage::GiveBack;
        }
        self.go_on();
    }

    fn receives(&mut self, name: &str) {
        self.guests.retain(|other| other != name);
        self.me().score += FILES[3][name].points;
        self.ends_turn();
    }

    fn drawn(&mut self, name: &str) {
        let (deck, to) = self.draws.pop_front().unwrap();
        assert!(self.decks[deck].remove(name), "{name}");
        let zone = match to {
            To::Row(row) => &mut self.rows[row],
            To::Guests => &mut self.guests,
            To::Reserved(player) => &mut self.players[player].reserved,
        };
        zone.push(name.to_owned());
        self.go_on();
    }

    /// Goes on to what is asked next.
    fn go_on(&mut self) {
        if !self.draws.is_empty() {
            return;
        }
        if self.stage == Stage::GiveBack && self.me().has.iter().sum::<i64>() <= LIMIT {
            self.stage = Stage::Guests;
            let coming: Vec<String> = self.coming().cloned().collect();
            match &coming[..] {
                [] => self.ends_turn(),
                [one] => self.receives(one),
                _ => {}
            }
        }
    }

    fn ends_turn(&mut self) {
        self.stage = Stage::Action;
        self.mover = (self.mover + 1) % self.players.len();
        if self.mover == 0 && self.players.iter().any(|player| player.score >= 12) {
            let rank = |player: &Player| (player.score, -i64::try_from(player.garden.len()).unwrap());
            let best = self.players.iter().map(rank).max().unwrap();
            self.winners = Some((0..self.players.len()).filter(|at| rank(&self.players[*at]) == best).collect());
        }
    }

    /// What players have, the supply and the scores are those of the game that the rules play.
    fn agrees(&self, state: &State) {
        let number = |name: &str, owner: Owner| match state.value(state.schema().property(name).unwrap(), owner) {
            Some(Value::Int(number)) => number,
            other => unreachable!("{name}: {other:?}"),
        };
        for (at, player) in self.players.iter().enumerate() {
            let owner = Owner::Player(PlayerId::at(at));
            assert_eq!(POTS.map(|pot| number(pot, owner)), player.has);
            assert_eq!(number("score", owner), player.score);
        }
        assert_eq!(POTS.map(|pot| number(&format!("{pot}_supply"), Owner::Game)), self.supply);
    }
}

/// Plays a game; returns the number of decisions.
fn play(game: &Playable, players: usize, house: Option<&str>, seed: u64) -> usize {
    let random = &mut Random(seed);
    let start = game.start(&game.program.schema().variants[0], players, game.defaults());
    let mut machine = game.begin(start, &silent());
    let mut apiary = Apiary::new(players, house);
    let mut decisions = 0;
    while let Some(question) = asked(&machine) {
        let state = machine.state();
        let given = random.answer(&question, state).unwrap();
        match (&question, &given) {
            (Question::Draw(_), Answer::Drawn(card)) => apiary.drawn(state.schema().piece_name(*card)),
            (Question::Choose(decision), Answer::Chosen(at)) => {
                apiary.agrees(state);
                assert!(apiary.draws.is_empty() && apiary.winners.is_none(), "seed {seed}");
                assert_eq!(decision.player, PlayerId::at(apiary.mover), "seed {seed}");
                let names = referee_table::Names { schema: state.schema(), board: state.board() };
                let words: Vec<String> = decision.options.iter().map(|option| option.write(names)).collect();
                assert_eq!(words.iter().cloned().collect::<BTreeSet<_>>(), apiary.options(), "seed {seed}");
                assert_eq!(words.len(), apiary.options().len(), "seed {seed}");
                apiary.chosen(&words[*at]);
                decisions += 1;
            }
            other => unreachable!("seed {seed}: {other:?}"),
        }
        answer(&mut machine, given);
    }
    apiary.agrees(machine.state());
    let winners = apiary.winners.map(|all| Outcome::Won(all.into_iter().map(PlayerId::at).collect()));
    assert_eq!(machine.state().outcome, winners, "seed {seed}");
    decisions
}

#[test]
fn every_game_goes_as_an_independent_reading_says() {
    let mut decisions = 0;
    for house in [None, Some("barter"), Some("no-reserving")] {
        let game = Playable::load("apiary", house.as_slice());
        for players in 2..=4 {
            decisions += (0..2).map(|seed| play(&game, players, house, seed)).sum::<usize>();
        }
    }
    assert!(decisions > 1500, "{decisions}");
}
