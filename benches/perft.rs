//! Counts sequences of moves from the set-up. The last moves are only listed; all others are made.
//!
//! Measures processor time on one thread. Fails if fewer than a million sequences are counted per second, or if counts
//! differ from the known numbers.

mod tables;

use std::cell::RefCell;
use std::rc::Rc;

use cpu_time::ThreadTime;
use referee_play::{AnswerSource, Machine, SharedAnswers, perft};
use referee_rules::Reply;
use referee_table::{PlayerId, State};
use referee_trace::Ask;

/// The minimum rate of sequences per second.
const GOAL: f64 = 1e6;

/// A source without answers.
struct Nobody;

impl AnswerSource for Nobody {
    fn read(&mut self, _: &Ask, _: &State) -> Reply {
        Reply::Pause
    }
}

fn main() {
    let nobody: SharedAnswers = Rc::new(RefCell::new(Nobody));
    for (id, depth, known) in KNOWN {
        let game = tables::game(id);
        let program = tables::program(&game, &game.rules);
        let mut machine = Machine::new(&program, tables::set_up(&game, None, 2));
        machine.turn(PlayerId(0), &nobody);
        let began = ThreadTime::now();
        let Ok(count) = perft(&machine, depth) else { unreachable!("the rules go wrong") };
        let rate = count as f64 / began.elapsed().as_secs_f64();
        println!("{id}, {depth} moves: {count} sequences, {:.1} million a second", rate / 1e6);
        assert_eq!(count, known, "{id}");
        assert!(rate >= GOAL, "{id}: {rate:.0} sequences a second");
    }
}

/// Games with a number of moves and the number of sequences, which independent implementations of the rules confirm.
const KNOWN: [(&str, usize, u64); 2] = [("hex-squish", 4, 441_072), ("breakthrough", 4, 256_036)];
