//! Random games: the scripted rules against the same game written in Rust by hand, game by game the same.
#![expect(clippy::indexing_slicing, reason = "a bench may stop with a panic")]

mod tables;
mod yardsticks;

use std::cell::RefCell;
use std::rc::Rc;

use cpu_time::ThreadTime;
use referee::play::{Feed, Machine, Reader, Stop};
use referee::rules::Reply;
use referee::table::{Outcome, PlayerId, State, Value};
use referee::trace::{Answer, Ask, Question};
use yardsticks::{Chance, MOST, Played, bitboards::Bitboards, plain::Plain};

struct Random {
    chance: Chance,
    played: Played,
}
impl Reader for Random {
    fn read(&mut self, ask: &Ask, _: &State) -> Reply {
        let Question::Choose(decision) = &ask.question else { return Reply::Pause };
        if self.played.moves >= MOST {
            return Reply::Pause;
        }
        let at = self.chance.below(decision.options.len());
        let Value::Move(m) = decision.options[at].values[0] else { return Reply::Pause };
        self.played.note(m.from.index(), m.to.index());
        Reply::Answer(Answer::Chosen(at))
    }
}

fn main() {
    let game = tables::game("hex-squish");
    let program = tables::program(&game);
    let mut start = tables::empty(&game, 2);
    for (at, cell) in yardsticks::RIM.iter().enumerate() {
        let cell = start.board().cell(cell).unwrap();
        let piece = referee::table::PieceId::at(at % 2);
        start.put(piece, cell).unwrap();
    }
    let script = |seed: u64| {
        let random = Rc::new(RefCell::new(Random { chance: Chance(seed), played: Played::default() }));
        let feed: Feed = random.clone();
        let mut m = Machine::new(&program, start.clone());
        m.turn(PlayerId(0), &feed);
        let mut played = random.borrow().played;
        if let Stop::Fault(d) = m.stop() {
            panic!("{d:?}")
        }
        played.winner = match &m.state().outcome {
            Some(Outcome::Won(w)) => Some(w[0].index()),
            _ => None,
        };
        played
    };
    let mut bits = Bitboards::new();
    let mut plain = Plain::new();
    run("bitboards", 200000, |s| yardsticks::playout(&mut bits, s));
    run("plain", 20000, |s| yardsticks::playout(&mut plain, s));
    run("script", 2000, script);
}
fn run(name: &str, n: u64, mut f: impl FnMut(u64) -> Played) {
    let t = ThreadTime::now();
    let mut moves = 0;
    let mut hash = 0u64;
    for s in 0..n {
        let p = f(s);
        moves += p.moves;
        if s < 2000 {
            hash = hash.rotate_left(1) ^ p.hash ^ p.winner.unwrap_or(7) as u64;
        }
    }
    let e = t.elapsed().as_secs_f64();
    println!(
        "{name}: {:.0}/s {:.1} moves {:.0} ns/move {hash:x}",
        n as f64 / e,
        moves as f64 / n as f64,
        e * 1e9 / moves as f64
    );
}
