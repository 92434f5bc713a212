//! Whole random games of Squish! from the set-up to the end: no errors in scripts, and a reason for every refusal.

use std::cell::RefCell;
use std::rc::Rc;

use referee_play::{AnswerSource, SharedAnswers, Stop};
use referee_rules::Reply;
use referee_table::{Board, Cell, Owner, PieceId, PlayerId, Setting, State, Value};
use referee_trace::{Action, Answer, Ask, Decision, Question};

use super::playing::{Playable, Random};

/// The most asks of one game.
const LONGEST: usize = 2500;

/// Answers at random, but takes every shard, and mostly walks towards the next one or, with all four, towards home.
struct Player {
    random: Random,
    asks: usize,
    /// Whether to pause before each decision, once.
    pauses: bool,
    armed: bool,
}

impl Player {
    fn decide(&mut self, decision: &Decision, state: &State) -> usize {
        let by_chance = self.random.below(decision.options.len());
        let goals = goals(state, decision.player);
        if goals.is_empty() || self.random.below(4) == 0 {
            return by_chance;
        }
        let nearest = |cell: Cell| goals.iter().map(|goal| distance(state.board(), cell, *goal)).min().unwrap_or(0);
        let marker = state.schema().pieces.iter().position(|piece| piece.owner == Some(decision.player)).unwrap();
        let here = state.place(PieceId::at(marker)).map_or(0, nearest);
        let far = |action: &Action| {
            let verb = state.schema().asks[action.ask.index()].verb.as_str();
            match (verb, &action.values[..]) {
                ("collect", _) => 0,
                ("walk", [Value::Cell(cell)]) => 1 + nearest(*cell),
                ("direction" | "start", _) => 0,
                ("stop", _) => 1 + here,
                _ => 100,
            }
        };
        let best = decision.options.iter().map(far).min().unwrap();
        let best: Vec<usize> = (0..decision.options.len()).filter(|at| far(&decision.options[*at]) == best).collect();
        best[self.random.below(best.len())]
    }
}

/// Where a player of the advanced game wants to go: onto the start square, or to the blocks with shards to take.
fn goals(state: &State, player: PlayerId) -> Vec<Cell> {
    let Value::Cell(home) = value(state, "home", player) else { return Vec::new() };
    let Value::Set(shards) = value(state, "shards", player) else { return Vec::new() };
    if shards.len() == 4 {
        return vec![home];
    }
    let wanted = |number: i64| !shards.contains(&Value::Int(number));
    let pieces = state.schema().pieces.iter().enumerate();
    let blocks = pieces.filter(|(_, piece)| piece.number.is_some_and(wanted));
    blocks.flat_map(|(at, _)| state.covered(PieceId::at(at)).iter().collect::<Vec<_>>()).collect()
}

/// King's steps between two cells of the board.
fn distance(board: &Board, from: Cell, to: Cell) -> usize {
    let place = |cell: Cell| {
        let (column, row) = board.name(cell).split_at(1);
        (usize::from(column.as_bytes()[0]), row.parse::<usize>().unwrap())
    };
    let ((x, y), (column, row)) = (place(from), place(to));
    x.abs_diff(column).max(y.abs_diff(row))
}

impl AnswerSource for Player {
    fn read(&mut self, ask: &Ask, state: &State) -> Reply {
        if self.asks == LONGEST {
            return Reply::Pause;
        }
        let answer = match &ask.question {
            Question::Choose(_) if self.pauses && !self.armed => return Reply::Pause,
            Question::Choose(decision) => Answer::Chosen(self.decide(decision, state)),
            other => self.random.answer(other, state).unwrap(),
        };
        self.armed = false;
        self.asks += 1;
        Reply::Answer(answer)
    }
}

fn value(state: &State, name: &str, player: PlayerId) -> Value {
    let property = state.schema().property(name).unwrap();
    state.value(property, Owner::Player(player)).unwrap().clone()
}

struct Squish(Playable);

impl Squish {
    fn with(houses: &[&str]) -> Self {
        Self(Playable::load("squish-board", houses))
    }

    fn start(&self, variant: &str, players: usize, options: Vec<Setting>) -> State {
        self.0.start(self.0.variant(variant), players, options)
    }

    /// Play a game; whether it came to its end. With `reasons` each decision on the way is looked at.
    fn play(&self, start: State, seed: u64, reasons: bool) -> bool {
        let player = Player { random: Random(seed), asks: 0, pauses: reasons, armed: false };
        let player = Rc::new(RefCell::new(player));
        let feed: SharedAnswers = Rc::clone(&player) as SharedAnswers;
        let mut machine = self.0.begin(start, &feed);
        loop {
            match machine.stop() {
                Stop::Over => return true,
                Stop::Paused(ask) if reasons && player.borrow().asks < LONGEST => {
                    let Question::Choose(decision) = &ask.question else { return false };
                    self.reasons(machine.state(), decision, &mut player.borrow_mut().random, seed);
                    player.borrow_mut().armed = true;
                    machine.go_on(&feed);
                }
                other => {
                    assert!(matches!(other, Stop::Paused(_)), "seed {seed}: {other:?}");
                    return false;
                }
            }
        }
    }

    /// An action is refused for a reason exactly if it is not among the options.
    fn reasons(&self, state: &State, decision: &Decision, random: &mut Random, seed: u64) {
        let schema = state.schema();
        let ask = |verb: &str| schema.ask(verb).unwrap();
        let cells: Vec<Cell> = state.board().cells().collect();
        let cell = cells[random.below(cells.len())];
        let players = &state.table.players;
        let mut tried = decision.options.clone();
        let act = |verb: &str, value: Value| Action { ask: ask(verb), values: vec![value].into() };
        match schema.asks[decision.ask.index()].verb.as_str() {
            "walk" => {
                tried.push(act("walk", Value::Cell(cell)));
                tried.extend(players.iter().map(|player| act("shove", Value::Player(*player))));
                tried.extend((0..=5).map(|number| act("collect", Value::Int(number))));
            }
            "start" => tried.push(act("start", Value::Cell(cell))),
            _ => {}
        }
        for action in tried {
            let offered = decision.options.contains(&action);
            let reason = self.0.program.why_not(state, decision.player, &action).unwrap();
            let direction = action.ask == ask("direction");
            assert!(direction || reason.is_none() == offered, "seed {seed}: {action:?} offered {offered}: {reason:?}");
        }
    }
}

#[test]
fn the_simple_game_is_played_to_its_end() {
    let squish = Squish::with(&[]);
    let ended = (0..60).filter(|seed| {
        let players = 2 + usize::try_from(seed % 7).unwrap();
        squish.play(squish.start("simple", players, squish.0.defaults()), *seed, false)
    });
    let ended = ended.count();
    assert!(ended > 50, "{ended}");
}

/// Returns how many of the advanced games are played to their end.
fn advanced_games(count: u64) -> usize {
    let squish = Squish::with(&[]);
    let ended = (0..count).filter(|seed| {
        let players = 2 + usize::try_from(seed % 7).unwrap();
        squish.play(squish.start("advanced", players, squish.0.defaults()), *seed, false)
    });
    ended.count()
}

#[test]
fn the_advanced_game_is_played_to_its_end() {
    assert!(advanced_games(5) > 3);
}

#[test]
#[ignore = "some long games"]
fn the_advanced_game_is_played_to_its_end_in_full() {
    let ended = advanced_games(20);
    assert!(ended > 15, "{ended}");
}

#[test]
fn whatever_the_options_and_house_rules_no_game_errs() {
    for houses in [&["soft-walls"][..], &["slip-aside"], &["soft-walls", "slip-aside"]] {
        let squish = Squish::with(houses);
        for seed in 0..8 {
            let mut random = Random(1000 + seed);
            let options = random.settings(squish.0.program.schema());
            let variant = if seed % 2 == 0 { "simple" } else { "advanced" };
            squish.play(squish.start(variant, 2 + random.below(7), options), seed, false);
        }
    }
}

#[test]
fn every_refusal_has_a_reason_and_no_option_has_one() {
    let squish = Squish::with(&[]);
    for seed in 0..4 {
        let mut random = Random(2000 + seed);
        let options = random.settings(squish.0.program.schema());
        let variant = if seed % 2 == 0 { "simple" } else { "advanced" };
        squish.play(squish.start(variant, 2 + random.below(7), options), seed, true);
    }
}
