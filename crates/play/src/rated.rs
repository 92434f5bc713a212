//! Options of players who rate them, by compiled rules: where each leads, and what the expression is worth there.

use super::machine::Machine;
use super::policy::{Worth, worth_of};
use super::stepped::{AskedAt, Came, Way, option, throw};
use referee_rules::{Asked, Steps, number_for};
use referee_table::{Phase, State};
use referee_trace::{Answer, Ask, Decision, Question};

/// The beginning of the phase that has paused, and the answers since.
pub(super) struct Since<'s> {
    /// The state and the phase that began in it.
    pub(super) begun: &'s (State, Phase),
    pub(super) answers: &'s [(Ask, Answer)],
}

impl Since<'_> {
    /// Returns the random numbers of the answers; `None` if they are more than choices and throws.
    fn way(&self) -> Option<Way> {
        let table = &self.begun.0.table;
        let mut way = Way::new();
        for (ask, answer) in self.answers {
            match (&ask.question, answer) {
                (Question::Choose(decision), Answer::Chosen(at)) => {
                    way.extend(option(*at, u32::try_from(decision.options.len()).ok()?)?);
                }
                (Question::Roll(die), Answer::Rolled(thrown)) => {
                    let faces = table.schema.dice.get(die.index())?.faces.len();
                    way.extend(throw(table, *die, thrown, u32::try_from(faces).ok()?)?);
                }
                _ => return None,
            }
        }
        Some(way)
    }
}

/// Returns what the options at the pause of a machine are worth to the player who decides, by the expression that was compiled with
/// the rules; `None` if they are given up. The pause must be the first of its phase, or it must be known how that came to it.
pub(super) fn worths(
    steps: &mut Steps,
    machine: &Machine<'_>,
    decision: &Decision,
    since: Option<&Since<'_>>,
) -> Option<Vec<Worth>> {
    let asked = match since {
        Some(since) => {
            let (state, phase) = since.begun;
            AskedAt::after(steps, (state.clone(), phase.clone()), since.way()?)?
        }
        None => AskedAt::of(steps, machine)?,
    };
    let player = decision.player;
    let of = u32::try_from(decision.options.len()).ok()?;
    if (asked.asked, asked.of) != (Asked::Player(player), of) {
        return None;
    }
    let mut worth = |option: u32| {
        let ended = match asked.go_on(steps, &[number_for(option, of)])? {
            Came::Ask(_) => None,
            Came::Over(outcome) => worth_of(&outcome, player),
        };
        Some(match ended {
            Some(worth) => worth,
            None => (0, steps.rate(player)?),
        })
    };
    (0..of).map(&mut worth).collect()
}
