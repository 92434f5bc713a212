//! Whether compiled rules play the games of a series: it is decided by counts, after a few games both ways. The games are the
//! same either way.

use std::cell::Cell;

use super::playout::{Played, Playouts};
use referee_rules::Engine;

/// The number of games that are counted, by the machine first and then by compiled rules.
const SAMPLE: u64 = 4;

/// From how many operations of the machine in the games that are left compiling is worth it: several times what it takes.
const WORTH: u64 = 10_000_000;

/// The number of operations of the machine that a call of the host takes about as long as, without what it copies, and the
/// number of bytes whose copy adds one.
const CALL: u64 = 10;
const BYTES: u64 = 250;

/// What is known of the games of a series from one start, and with one program.
#[derive(Debug)]
pub struct Quicker {
    engine: Option<Engine>,
    trial: Cell<Trial>,
}

#[derive(Clone, Copy, Debug)]
enum Trial {
    /// The machine has played so many games with so many operations.
    Machine {
        games: u64,
        operations: u64,
    },
    /// So many games were tried with compiled rules, which have called the host so often, where the machine takes so many
    /// operations for a game.
    Compiled {
        games: u64,
        calls: u64,
        operations: u64,
    },
    Settled,
}

impl Default for Quicker {
    fn default() -> Self {
        Self::by(Engine::of_machine_code())
    }
}

impl Quicker {
    /// Returns one for games that this engine may play; without one the machine plays all.
    #[must_use]
    pub const fn by(engine: Option<Engine>) -> Self {
        Self { engine, trial: Cell::new(Trial::Machine { games: 0, operations: 0 }) }
    }

    /// Plays a game of a series, of which this many are left. Its answers are not kept.
    pub fn play(&self, playouts: &Playouts<'_>, seed: u64, number: u64, left: u64) -> Played {
        let program = playouts.program;
        match (self.trial.get(), self.engine) {
            (Trial::Machine { games, operations }, Some(engine)) => {
                let before = program.spent();
                let played = playouts.play(seed, number, false);
                let (games, operations) = (games + 1, operations + program.spent().saturating_sub(before));
                self.trial.set(match games < SAMPLE {
                    true => Trial::Machine { games, operations },
                    false => Self::tried(playouts, operations / games, left, engine),
                });
                played
            }
            (Trial::Compiled { games, calls, operations }, _) => {
                let before = program.calls_of_host();
                let played = playouts.play(seed, number, false);
                let (games, calls) = (games + 1, calls + program.calls_of_host().saturating_sub(before));
                let cost = CALL + playouts.start.bytes_to_copy() / BYTES;
                let is_slower = games == SAMPLE && (calls / games).saturating_mul(cost) > operations;
                if !played.compiled || is_slower {
                    program.forget_compiled();
                }
                let settled = !played.compiled || games == SAMPLE;
                self.trial.set(if settled { Trial::Settled } else { Trial::Compiled { games, calls, operations } });
                played
            }
            _ => playouts.play(seed, number, false),
        }
    }

    /// Compiles the rules if the games that are left are worth it.
    fn tried(playouts: &Playouts<'_>, operations: u64, left: u64, engine: Engine) -> Trial {
        if operations.saturating_mul(left) < WORTH || !playouts.compile(engine) {
            return Trial::Settled;
        }
        Trial::Compiled { games: 0, calls: 0, operations }
    }
}
