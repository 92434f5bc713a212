//! Policies of players, for decisions without an instruction.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use num_rational::BigRational;
use num_traits::{One, Zero};

use super::all_deals::{MAX_DEALS, unknown_deals};
use super::blind::Blind;
use super::feed::once;
use super::machine::{Machine, Stop};
use super::random::Random;
use super::visibility::can_throw_again;
use referee_diagnostic::{Code, Diagnostic};
use referee_rules::{Expression, Placeholders, Program};
use referee_source::{Source, Span};
use referee_table::{Outcome, PlayerId, State, Value};
use referee_trace::{Action, Answer, Ask, Decision, Question};

/// A policy of a player.
#[derive(Clone, Debug, Default)]
pub enum Policy {
    /// All options are equally likely.
    #[default]
    Random,
    /// The option after which this expression is greatest; ties are equally likely.
    Greedy(Arc<Source>, Span),
    /// The option tried most often in a tree search with this number of playouts (UCT). If cards are hidden from the
    /// player, each playout has another deal of them. In playouts only.
    Search(u32),
    /// The option with the greatest chance of the condition. In odds only.
    Best,
    /// The option with the smallest chance of the condition. In odds only.
    Worst,
}

impl std::fmt::Display for Policy {
    /// Writes the policy as on the command line.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Random => write!(f, "random"),
            Self::Greedy(source, span) => write!(f, "greedy:{}", source.slice(*span)),
            Self::Search(tries) => write!(f, "mcts:{tries}"),
            Self::Best => write!(f, "best"),
            Self::Worst => write!(f, "worst"),
        }
    }
}

/// The maximum number of random deals for one decision.
pub const MAX_SAMPLE: u32 = 100_000;

/// Over how many deals `greedy` takes the average if more are possible than can all be visited.
#[derive(Clone, Debug, Default)]
pub struct Deals {
    /// The number of random deals; `None` if only an exact average is good enough.
    pub sample: Option<u32>,
    /// The number of decisions that were made by a sample; shared by clones.
    sampled: Arc<AtomicU64>,
}

impl Deals {
    /// Returns the size of samples.
    #[must_use]
    pub fn of(sample: u32) -> Self {
        Self { sample: Some(sample), sampled: Arc::default() }
    }

    /// Returns the number of decisions that were made by a sample.
    #[must_use]
    pub fn sampled(&self) -> u64 {
        self.sampled.load(Ordering::Relaxed)
    }
}

/// What rates options in place of the machine, where that is quicker.
pub(super) trait Rates {
    /// Returns what the options at the pause of a machine are worth to the player who decides; `None` if the machine is to find
    /// out.
    fn rated(&self, machine: &Machine<'_>, decision: &Decision, expression: Expression<'_>) -> Option<Vec<Worth>>;

    /// Counts what the machine has done to rate options.
    fn by_machine(&self, operations: u64);
}

/// Returns the options after which an expression is greatest, on average over all deals of cards hidden from the
/// player, or over random ones if there are too many. A win is better than any value, and a loss is worse. `machine` is
/// at the decision. `rates` finds out what options are worth where nothing is hidden, if it can.
pub(super) fn greatest(
    program: &Program,
    machine: &Machine<'_>,
    decision: &Decision,
    expression: (&Arc<Source>, Span),
    (deals, random): (&Deals, &mut Random),
    rates: Option<&dyn Rates>,
) -> Result<Vec<usize>, Box<Diagnostic>> {
    if decision.options.len() < 2 {
        return Ok(vec![0]);
    }
    can_throw_again(machine, decision.player, "greedy")?;
    let rating = Rating { program, player: decision.player, expression };
    let mut known = Blind::of(machine, decision);
    if known.is_none() && !machine.state().lends_any() {
        let (source, span) = expression;
        let compiled = Expression { source, span, of_player: true };
        if let Some(worths) = rates.and_then(|rates| rates.rated(machine, decision, compiled)) {
            return Ok(best(&worths));
        }
        let before = program.spent();
        let worths = (0..decision.options.len()).map(|at| rating.worth(machine.silent_clone(), at));
        let best = best(&worths.collect::<Result<Vec<_>, _>>()?);
        rates.iter().for_each(|rates| rates.by_machine(program.spent().wrapping_sub(before)));
        return Ok(best);
    }
    let nothing = || vec![(BigRational::zero(), BigRational::zero()); decision.options.len()];
    let mut sums = nothing();
    let add = |sums: &mut Vec<(BigRational, BigRational)>, machine: &Machine<'_>, weight: &BigRational| {
        for (option, (wins, value)) in decision.options.iter().zip(sums) {
            let worth = rating.worth_of(machine, option)?;
            *wins += weight * BigRational::from_integer(worth.0.into());
            *value += weight * BigRational::from_integer(worth.1.into());
        }
        Ok(())
    };
    let mut is_exact = true;
    // Deals of unknown cards, over all deals of what else is hidden.
    let mut room = MAX_DEALS;
    let mut add_all = |machine: &Machine<'_>, weight: &BigRational| {
        if !machine.state().lends_any() {
            return add(&mut sums, machine, weight);
        }
        let Some(deals) = unknown_deals(machine.state(), room) else {
            is_exact = false;
            return Ok(());
        };
        room = room.saturating_sub(deals.len());
        for (ways, state) in deals {
            let mut dealt = machine.silent_clone();
            *dealt.state_mut() = state;
            add(&mut sums, &dealt, &(weight * BigRational::from_integer(ways)))?;
        }
        Ok(())
    };
    let sample = deals.sample.unwrap_or(0);
    let visits_all = match &known {
        Some(known) => known.each(sample as usize, &mut add_all)?,
        None => add_all(machine, &BigRational::one()).map(|()| true)?,
    };
    if visits_all && is_exact {
        return Ok(best(&sums));
    }
    if sample == 0 {
        return Err(known.map_or_else(|| too_many(machine, decision.player), |known| known.too_many()));
    }
    sums = nothing();
    for _ in 0..sample {
        let mut machine = match &mut known {
            Some(known) => known.deal("greedy", random)?,
            None => machine.silent_clone(),
        };
        random.deal_unknown(machine.state_mut());
        add(&mut sums, &machine, &BigRational::one())?;
    }
    deals.sampled.fetch_add(1, Ordering::Relaxed);
    Ok(best(&sums))
}

/// Returns the error for too many ways to deal unknown cards, where nothing else is hidden from a player.
fn too_many(machine: &Machine<'_>, player: PlayerId) -> Box<Diagnostic> {
    let schema = machine.state().schema();
    let zones: Vec<String> = machine.state().lent_zones().map(|(zone, _)| schema.zone_name(zone)).collect();
    let message = format!(
        "`greedy` depends on the unknown cards of {}: more than {MAX_DEALS} deals are possible for {}",
        zones.join(", "),
        schema.player_name(player)
    );
    let help = "take the average over a sample of them: write `over 100 deals` at the end of the line `expect chance …`; or name \
                another policy, such as `random` or an action";
    Box::new(Diagnostic::question(Code::NotSeen, message).help(help))
}

/// The worth of a position, compared lexicographically: 1 for a win, -1 for a loss, otherwise 0; then the value of the
/// expression.
pub(super) type Worth = (i64, i64);

/// Returns what the end of a game is worth to a player; `None` for a draw.
pub(super) fn worth_of(outcome: &Outcome, me: PlayerId) -> Option<Worth> {
    match outcome {
        Outcome::Won(winners) if winners.contains(&me) => Some((1, 0)),
        Outcome::Won(_) | Outcome::Nobody => Some((-1, 0)),
        Outcome::Draw => None,
    }
}

/// A rating of options by an expression, for a player.
struct Rating<'r> {
    program: &'r Program,
    player: PlayerId,
    expression: (&'r Arc<Source>, Span),
}

impl Rating<'_> {
    /// Returns the worth of the position after an option, which may have another index in this deal.
    fn worth_of(&self, machine: &Machine<'_>, option: &Action) -> Result<Worth, Box<Diagnostic>> {
        let at = match machine.stop() {
            Stop::Paused(Ask { question: Question::Choose(decision), .. }) => {
                decision.options.iter().position(|other| other == option)
            }
            _ => None,
        };
        let at = at.ok_or_else(|| Box::new(Diagnostic::internal("a deal has other options")))?;
        self.worth(machine.silent_clone(), at)
    }

    /// Returns the worth of the position after the option with this index.
    fn worth(&self, mut next: Machine<'_>, at: usize) -> Result<Worth, Box<Diagnostic>> {
        next.go_on(&once(Answer::Chosen(at)));
        let me = self.player;
        let placeholders: Placeholders = vec![("me".to_owned(), Value::Player(me))];
        let rate =
            |state: State| self.program.rate_expression(self.expression.0, self.expression.1, &placeholders, state);
        let ended = match (next.stop(), &next.state().outcome) {
            (Stop::Fault(wrong), _) => return Err(wrong.clone()),
            (Stop::Over, Some(outcome)) => worth_of(outcome, me),
            _ => None,
        };
        Ok(match ended {
            Some(worth) => worth,
            // The expression must not use cards that the player cannot see.
            None if next.state().hides_any() => (0, rate(next.state().view(me).state)?),
            None => (0, rate(next.into_parts().0)?),
        })
    }
}

/// Returns the indices of the greatest elements.
pub(super) fn best<T: PartialOrd>(worths: &[T]) -> Vec<usize> {
    let mut best: Vec<usize> = Vec::new();
    for (at, worth) in worths.iter().enumerate() {
        let most = best.first().and_then(|first| worths.get(*first));
        if most.is_none_or(|most| worth > most) {
            best.clear();
            best.push(at);
        } else if most == Some(worth) {
            best.push(at);
        }
    }
    best
}
