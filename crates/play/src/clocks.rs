//! Counters that every turn changes. Unless they are clocks, they are a part of each position, so that no position comes again.

use super::random::Random;
use super::set_up::{after_phase, begun};
use referee_rules::Program;
use referee_table::{Phase, PropertyId, PropertyKind, State, Value};

/// The number of random games, and the maximum numbers of turns, phases and asks of one.
const GAMES: u64 = 6;
const TURNS: usize = 40;
const PHASES: usize = 2000;
const ASKS: usize = 4000;
/// The number of turns after which a counter is judged.
const ENOUGH: usize = 20;

/// What one counter did from turn to turn.
struct Watched {
    property: PropertyId,
    turns: usize,
    rose: usize,
    stayed: bool,
}

/// Plays random games from a position, the set-up first, and returns the counters that rules can read and that every turn
/// changed, mostly upwards. Their number of games is small: another game may leave them as they are.
#[must_use]
pub fn clocks(program: &Program, start: &State, phases: &[Phase]) -> Vec<PropertyId> {
    let counters = start.schema().properties.iter().enumerate();
    let read =
        counters.filter(|(_, property)| property.kind == PropertyKind::Counter { record: false } && !property.clock);
    let watched = |(at, _)| Watched { property: PropertyId::at(at), turns: 0, rose: 0, stayed: false };
    let mut all: Vec<Watched> = read.map(watched).collect();
    if all.is_empty() {
        return Vec::new();
    }
    for number in 0..GAMES {
        game(program, begun(program, start, phases), &mut all, &mut Random::of_game(1, number));
    }
    let ticks = |counter: &Watched| counter.turns >= ENOUGH && !counter.stayed && counter.rose * 4 >= counter.turns * 3;
    all.into_iter().filter(ticks).map(|counter| counter.property).collect()
}

/// Plays one game. Stops at its end, at an error and at a limit.
fn game(program: &Program, mut state: State, all: &mut [Watched], random: &mut Random) {
    let (mut turns, mut asks) = (0, ASKS);
    let mut before: Option<State> = None;
    for _ in 0..PHASES {
        if state.agenda.is_empty() {
            if let Some(before) = before.replace(state.clone()) {
                all.iter_mut().for_each(|counter| counter.look(&before, &state));
            }
            turns += 1;
            if turns > TURNS {
                return;
            }
        }
        state = match after_phase(program, state, &mut asks, random) {
            Ok(next) => next,
            Err(_) => return,
        };
    }
}

impl Watched {
    /// Compares the counter at the beginning of a turn and of the next one.
    fn look(&mut self, before: &State, now: &State) {
        let Some(property) = now.schema().properties.get(self.property.index()) else { return };
        let owners = now.table.owners(property);
        let values = |state: &State| -> Vec<i64> {
            owners
                .iter()
                .filter_map(|owner| match state.value(self.property, *owner) {
                    Some(Value::Int(number)) => Some(number),
                    _ => None,
                })
                .collect()
        };
        let (before, now) = (values(before), values(now));
        let sum = |values: &[i64]| values.iter().fold(0_i64, |sum, number| sum.saturating_add(*number));
        self.turns += 1;
        self.stayed |= before == now;
        self.rose += usize::from(sum(&now) > sum(&before));
    }
}
