//! Measures contestants in turns, so that a busy machine affects all of them alike.

use cpu_time::ThreadTime;

/// The number of turns of each contestant; the median counts.
const ROUNDS: u64 = 5;
/// The processor time of a turn in seconds; longer if a single unit of work takes longer.
pub(crate) const SLICE: f64 = 0.3;

/// A function that works for one round and returns its rate per second.
pub(crate) type Contestant<'c> = Box<dyn FnMut(u64) -> f64 + 'c>;

/// Returns a contestant for numbered units of work; each returns how many it counts as.
pub(crate) fn contestant<'c>(mut work: impl FnMut(u64) -> u64 + 'c) -> Contestant<'c> {
    Box::new(move |round| {
        let began = ThreadTime::now();
        let (mut done, mut number, mut batch) = (0, round << 32, 1);
        loop {
            for _ in 0..batch {
                done += work(number);
                number += 1;
            }
            let took = began.elapsed().as_secs_f64();
            if took >= SLICE {
                return done as f64 / took;
            }
            // Reading the clock takes longer than a game of the fastest contestant.
            if took < SLICE / 16.0 {
                batch *= 2;
            }
        }
    })
}

/// Returns a contestant for work that counts as one each time, such as games.
pub(crate) fn one_by_one<'c, T>(mut play: impl FnMut(u64) -> T + 'c) -> Contestant<'c> {
    contestant(move |number| {
        std::hint::black_box(play(number));
        1
    })
}

/// Returns the rate per second of each contestant.
pub(crate) fn rates<const N: usize>(mut all: [Contestant<'_>; N]) -> [f64; N] {
    let mut rates = [(); N].map(|()| Vec::new());
    for round in 0..ROUNDS {
        for (one, rates) in all.iter_mut().zip(&mut rates) {
            rates.push(one(round));
        }
    }
    rates.map(middle)
}

fn middle(mut all: Vec<f64>) -> f64 {
    all.sort_by(f64::total_cmp);
    all.get(all.len() / 2).copied().unwrap_or(f64::NAN)
}
