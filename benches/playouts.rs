//! Random games: the rules in their script against the same game written in Rust by hand, game by game the same.
//!
//! One thread, processor time; the ratios are what counts. Fails if the games differ, or if the script is too slow.

mod tables;
#[expect(clippy::indexing_slicing, reason = "yardsticks are written as such programs are")]
mod yardsticks;

use std::hint::black_box;

use cpu_time::ThreadTime;
use referee::game::Game;
use referee::play::{Ending, Machine, Playouts, Random, Start};
use referee::rules::Program;
use referee::table::{Outcome, PieceId, State, Value};
use referee::trace::{Answer, Question};
use yardsticks::bitboards::Bitboards;
use yardsticks::plain::Plain;
use yardsticks::{MOST, Played, RIM, playout};

/// What the script must reach of the games that the plain yardstick plays in the same time.
const GOAL: f64 = 0.4;
/// The games that are compared move by move.
const COMPARED: u64 = 500;
/// Contestants take turns, so that a busy machine is unfair to nobody.
const ROUNDS: u64 = 7;
/// The time that each gets in a round, in seconds.
const SLICE: f64 = 0.3;

const SEED: u64 = 1;

/// The set-up of the yardsticks.
fn rim(game: &Game) -> State {
    let mut state = tables::empty(game, 2);
    for (at, cell) in RIM.iter().enumerate() {
        let cell = state.board().cell(cell);
        let placed = cell.map(|cell| state.put(PieceId::at(at % 2), cell));
        assert!(matches!(placed, Some(Ok(()))), "the rim is on the board");
    }
    state
}

/// A game of the script; its moves are noted only if they are kept.
fn scripted(program: &Program, start: &Start, number: u64, keep: bool) -> Played {
    let playouts = Playouts { program, start, policies: &[], max_plies: MOST as u64 };
    let game = playouts.play(SEED, number, keep);
    let mut played = Played { moves: usize::try_from(game.tally.plies).unwrap_or(0), ..Played::default() };
    if keep {
        played.moves = 0;
    }
    for (ask, answer) in game.answers.iter().flatten() {
        let (Question::Choose(decision), Answer::Chosen(at)) = (&ask.question, answer) else { continue };
        if let Some([Value::Move(made)]) = decision.options.get(*at).map(|option| option.values.as_slice()) {
            played.note(made.from().index(), made.to().index());
        }
    }
    match game.ending {
        Ending::Over(Outcome::Won(winners)) => played.winner = winners.first().map(|winner| winner.index()),
        Ending::Over(_) | Ending::Stopped => {}
        Ending::Fault(wrong) => unreachable!("the rules go wrong: {}", wrong.message),
    }
    played
}

/// Somebody who plays, and the playouts per second in each round.
struct Contestant<'c> {
    name: &'static str,
    play: Box<dyn FnMut(u64) -> Played + 'c>,
    rates: Vec<f64>,
    moves: f64,
}

impl Contestant<'_> {
    fn round(&mut self, round: u64) {
        let began = ThreadTime::now();
        let (mut games, mut moves) = (0_u32, 0);
        while began.elapsed().as_secs_f64() < SLICE {
            for _ in 0..5 {
                moves += black_box((self.play)(round << 32 | u64::from(games))).moves;
                games += 1;
            }
        }
        self.rates.push(f64::from(games) / began.elapsed().as_secs_f64());
        self.moves = moves as f64 / f64::from(games);
    }

    /// The middle of the rounds.
    fn rate(&self) -> f64 {
        let mut rates = self.rates.clone();
        rates.sort_by(f64::total_cmp);
        rates.get(rates.len() / 2).copied().unwrap_or(f64::NAN)
    }
}

fn main() {
    let game = tables::game("hex-squish");
    let program = tables::program(&game, &game.rules);
    let Some(start) = Start::of(&Machine::new(&program, rim(&game))) else { unreachable!("nothing was run yet") };
    let (mut bitboards, mut plain) = (Bitboards::new(), Plain::new());
    for number in 0..COMPARED {
        let chance = || Random::of_game(SEED, number);
        let told = playout(&mut plain, chance());
        assert_eq!(playout(&mut bitboards, chance()), told, "game {number} of the bitboards");
        assert_eq!(scripted(&program, &start, number, true), told, "game {number} of the script");
        let silent = scripted(&program, &start, number, false);
        assert_eq!((silent.moves, silent.winner), (told.moves, told.winner), "game {number}, nothing kept");
    }
    println!("{COMPARED} games are the same, move by move");
    let contestant = |name, play| Contestant { name, play, rates: Vec::new(), moves: 0.0 };
    let mut all = [
        contestant("Rust, bitboards", Box::new(|number| playout(&mut bitboards, Random::of_game(SEED, number)))),
        contestant(
            "Rust, plain Vec<Option<Piece>>",
            Box::new(|number| playout(&mut plain, Random::of_game(SEED, number))),
        ),
        contestant("the rules in their script", Box::new(|number| scripted(&program, &start, number, false))),
    ];
    // `cargo bench --bench playouts -- script` runs one alone, for a profile.
    if let Some(word) = std::env::args().skip(1).find(|word| !word.starts_with('-')) {
        all.iter_mut().filter(|one| one.name.contains(&word)).for_each(|one| {
            (0..ROUNDS).for_each(|round| one.round(round));
            println!("{}: {:.0} playouts/s", one.name, one.rate());
        });
        return;
    }
    for round in 0..ROUNDS {
        all.iter_mut().for_each(|contestant| contestant.round(round));
    }
    let yardstick = all.get(1).map_or(f64::NAN, Contestant::rate);
    for one in &all {
        let (rate, moves) = (one.rate(), one.moves);
        let ratio = rate / yardstick;
        println!("{:<32} {rate:>10.0} playouts/s {:>8.0} ns/move {ratio:>8.2}", one.name, 1e9 / (rate * moves));
    }
    println!("\nother games, from their set-ups, 500 turns at most");
    for (id, players) in [("hex-squish", 2), ("breakthrough", 2), ("lines-of-action", 2), ("squish-board", 2)] {
        let game = tables::game(id);
        let program = tables::program(&game, &game.rules);
        let state = tables::set_up(&game, None, players);
        let Some(start) = Start::of(&Machine::new(&program, state)) else { unreachable!("nothing was run yet") };
        let play = Box::new(|number| scripted(&program, &start, number, false));
        let mut one = Contestant { name: id, play, rates: Vec::new(), moves: 0.0 };
        one.round(0);
        println!("{id:<32} {:>10.1} playouts/s {:>8.0} ns/turn", one.rate(), 1e9 / (one.rate() * one.moves));
    }
    let reached = all.last().map_or(f64::NAN, Contestant::rate) / yardstick;
    assert!(reached >= GOAL, "the script reaches {reached:.2} of the plain yardstick, less than {GOAL}");
}
