//! Options of players who rate them, by compiled rules: where each leads, and what the expression is worth there.

use super::machine::Machine;
use super::policy::{Worth, worth_of};
use super::stepped::{AskedAt, Came, Way, option, throw};
use referee_rules::{Asked, Steps, number_for};
use referee_table::{Outcome, Phase, PlayerId, State};
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

/// Returns the ask at the pause of a machine; `None` if compiled rules do not come to it. The pause must be the first of its
/// phase, or it must be known how that came to it.
pub(super) fn asked_at(
    steps: &mut Steps,
    machine: &Machine<'_>,
    decision: &Decision,
    since: Option<&Since<'_>>,
) -> Option<AskedAt> {
    let asked = match since {
        Some(since) => {
            let (state, phase) = since.begun;
            AskedAt::after(steps, (state.clone(), phase.clone()), since.way()?)?
        }
        None => AskedAt::of(steps, machine)?,
    };
    let of = u32::try_from(decision.options.len()).ok()?;
    (asked.asked == Asked::Player(decision.player) && asked.of == of).then_some(asked)
}

/// Returns what the options at an ask are worth to a player, by the expression that was compiled with the rules; `None` if
/// they are given up.
pub(super) fn worths(steps: &mut Steps, asked: &AskedAt, player: PlayerId) -> Option<Vec<Worth>> {
    let worth = |option: u32| match asked.go_on(steps, &[number_for(option, asked.of)])? {
        Came::Ask(_) => worth_here(steps, None, player),
        Came::Over(outcome) => worth_here(steps, Some(&outcome), player),
    };
    (0..asked.of).map(worth).collect()
}

/// Returns what it is worth to a player where play has come to: at the end of a game or elsewhere.
pub(super) fn worth_here(steps: &mut Steps, ended: Option<&Outcome>, player: PlayerId) -> Option<Worth> {
    match ended.and_then(|outcome| worth_of(outcome, player)) {
        Some(worth) => Some(worth),
        None => Some((0, steps.rate(player)?)),
    }
}
