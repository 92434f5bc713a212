//! Games that compiled rules play one phase after the other, each run again for every answer in it.

use std::sync::Arc;

use super::random::Random;
use super::stepped::{Silence, Way, option, throw};
use super::tally::Tally;
use referee_rules::{Asked, Reached, Steps};
use referee_table::{Outcome, PlayerId, State};
use referee_trace::RulesPlace;

/// More answers in a turn are left to the machine: a playout allows yet more.
const MOST_ANSWERS: u32 = 10_000;

/// Who answers in such games, and looks on.
pub(super) trait Answering {
    /// Whether what phases count is wanted. If not, a game that is stopped goes on to the next ask, as a machine does with the
    /// last answer.
    const COUNT: bool;

    /// Returns the rules that play the games.
    fn main(&mut self) -> Option<&mut Steps>;

    /// Returns which of so many options a player takes, who is asked after a way through the phase of a position.
    fn choice(&mut self, from: (&[u8], &Way), asked: (PlayerId, u32), random: &mut Random) -> Option<usize>;

    /// Looks at the state at the start of a game; `None` if the machine is to play it.
    fn begin(&mut self, _: &State) -> Option<()> {
        Some(())
    }

    /// Looks at where play has come to; `None` if the machine is to play the game.
    fn look(&mut self, _: Reached) -> Option<()> {
        Some(())
    }
}

/// A game that was played.
pub(super) struct Finished {
    /// How and where in the rules it has ended; `None` if it was stopped.
    pub(super) ended: Option<(Outcome, RulesPlace)>,
    pub(super) state: State,
    pub(super) tally: Tally,
}

/// Plays a game from a state on, whose next phase is on its agenda, and at most so many turns; `is_counted` says whether that
/// phase is counted as a turn already. Returns `None` if the machine is to play it.
pub(super) fn play<S: Answering>(
    seats: &mut S,
    (first, mut is_counted): (&State, bool),
    (mut tally, max_plies): (Tally, u64),
    mut random: Random,
) -> Option<Finished> {
    let table = Arc::clone(&first.table);
    let mut position = seats.main()?.position(first)?;
    let (mut next, mut way, mut answers) = (Vec::new(), Way::new(), 0);
    let mut silence = Silence::begin(seats.main()?);
    let run = |main: &mut Steps, position: &[u8], way: &Way| match S::COUNT {
        true => main.run_counting(position, way),
        false => main.run(position, way),
    };
    let mut is_beyond = false;
    loop {
        let main = seats.main()?;
        if !std::mem::take(&mut is_counted) && main.is_turn_next(&position) {
            is_beyond |= tally.plies >= max_plies;
            if is_beyond && S::COUNT {
                let mut state = main.first();
                main.show_position(&position, &mut state)?;
                state.agenda.pop();
                tally.ended(&state);
                return Some(Finished { ended: None, state, tally });
            }
            (tally.plies, tally.last_clause, answers) = (tally.plies + 1, None, 0);
        }
        way.clear();
        let mut reached = run(main, &position, &way)?;
        while let Reached::Ask(asked, of) = reached {
            answers += 1;
            if answers > MOST_ANSWERS {
                return None;
            }
            seats.look(reached)?;
            if is_beyond {
                let state = seats.main()?.state()?;
                return Some(Finished { ended: None, state, tally });
            }
            match asked {
                Asked::Die(die) => {
                    let thrown = random.throw(&table.schema, die);
                    way.extend(throw(&table, die, &thrown, of)?);
                }
                Asked::Player(player) => {
                    let at = seats.choice((&position, &way), (player, of), &mut random)?;
                    way.extend(option(at, of)?);
                }
            }
            let main = seats.main()?;
            silence = Silence::begin(main);
            reached = run(main, &position, &way)?;
        }
        let main = seats.main()?;
        if S::COUNT {
            if main.counts().is_none() {
                // The host fills some tables when they are first needed: a second run finds them there.
                main.run_counting(&position, &way)?;
            }
            tally.add(&main.counts()?);
        }
        if reached == Reached::Over {
            let (ended, state) = (main.ended()?, main.state()?);
            seats.look(reached)?;
            tally.ended(&state);
            return Some(Finished { ended: Some(ended), state, tally });
        }
        next.clear();
        main.after(&position, &mut next)?;
        silence.goes_on(main)?;
        seats.look(reached)?;
        std::mem::swap(&mut position, &mut next);
    }
}
