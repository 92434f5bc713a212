//! Strategies: the instructions and policies by which players decide, in playouts as in odds.

use super::instruction::Instruction;
use super::machine::{Machine, Stop};
use super::open::judged;
use super::policy::{Deals, Policy, greatest};
use super::random::Random;
use super::search::{Tries, search};
use referee_diagnostic::{Code, Diagnostic};
use referee_rules::{Program, turns_read_by};
use referee_table::{PlayerId, State, TurnRules};
use referee_trace::{Answer, Decision};

/// How decisions are made: instructions first, then policies.
#[derive(Clone, Debug, Default)]
pub struct StrategyProfile {
    /// Instructions. The first one counts whose condition holds and that matches exactly one option.
    pub actions: Vec<Instruction>,
    /// Policies of players; the first for a player counts.
    pub policies: Vec<(PlayerId, Policy)>,
    /// The flag of the command line for an action or a policy; empty if they come from elsewhere.
    pub policy_flag: &'static str,
    /// How `greedy` averages over what its player does not see.
    pub deals: Deals,
}

/// An option that an instruction chose.
pub(super) struct Instructed {
    /// The index of the instruction.
    pub(super) by: usize,
    /// The option, or what is said where the ask takes any values.
    pub(super) answer: Answer,
}

impl StrategyProfile {
    /// Returns the policy of a player with its index; `None` if the player has none.
    #[must_use]
    pub fn policy(&self, player: PlayerId) -> Option<(usize, &Policy)> {
        let mut policies = self.policies.iter().enumerate();
        policies.find(|(_, (other, _))| *other == player).map(|(at, (_, policy))| (at, policy))
    }

    /// Returns the instructions and the policy of a player as on the command line; without a policy, `random`.
    #[must_use]
    pub fn describe(&self, player: PlayerId) -> String {
        let own = self.actions.iter().filter(|instruction| instruction.player == player);
        let policy = self.policy(player).map_or(&Policy::Random, |(_, policy)| policy).to_string();
        own.map(|instruction| instruction.words.clone()).chain([policy]).collect::<Vec<_>>().join(", ")
    }

    /// Returns what its conditions and expressions read of turns and rounds.
    #[must_use]
    pub fn reads_turns(&self) -> TurnRules {
        let conditions = self.actions.iter().filter_map(|instruction| instruction.condition.as_ref());
        let conditions = conditions.map(|condition| condition.source.slice(condition.span));
        let rated = self.policies.iter().filter_map(|(_, policy)| match policy {
            Policy::Greedy(source, span) => Some(source.slice(*span)),
            _ => None,
        });
        conditions.chain(rated).map(turns_read_by).fold(TurnRules::default(), TurnRules::and)
    }

    /// Returns whether a player rates options.
    pub(super) fn rates(&self) -> bool {
        self.policies.iter().any(|(_, policy)| matches!(policy, Policy::Greedy(..)))
    }

    /// Returns whether a player looks ahead or at the state in playouts, for which play must pause.
    pub(super) fn thinks(&self, player: PlayerId) -> bool {
        let random = matches!(self.policy(player), None | Some((_, Policy::Random)));
        !random || self.actions.iter().any(|instruction| instruction.player == player)
    }

    /// Returns the option of the first instruction that matches one and whose condition holds.
    ///
    /// # Errors
    /// Returns an error if the evaluation of a condition fails.
    pub(super) fn instructed(
        &self,
        program: &Program,
        state: &State,
        decision: &Decision,
    ) -> Result<Option<Instructed>, Box<Diagnostic>> {
        for (by, instruction) in self.actions.iter().enumerate() {
            if let Some(answer) = instruction.answer(program, state, decision)? {
                instruction.follow();
                return Ok(Some(Instructed { by, answer }));
            }
        }
        Ok(None)
    }

    /// Returns the answer in a playout at the pause of `machine`.
    ///
    /// # Errors
    /// Returns an error if the rules or an expression of the policy cause an error, if the policy is for odds only, or if the ask
    /// takes any values and nothing is suggested.
    pub(super) fn choose(
        &self,
        tries: &dyn Tries,
        machine: &Machine<'_>,
        decision: &Decision,
        random: &mut Random,
    ) -> Result<Answer, Box<Diagnostic>> {
        let program = machine.program();
        if let Some(instructed) = self.instructed(program, machine.state(), decision)? {
            return Ok(instructed.answer);
        }
        if let Stop::Paused(ask) = machine.stop() {
            judged(program, machine.state(), (decision, ask.place), Some((&self.actions, self.policy_flag)))?;
        }
        self.option(tries, machine, decision, random).map(Answer::Chosen)
    }

    /// Returns the index of the option that the policy of a player takes.
    fn option(
        &self,
        tries: &dyn Tries,
        machine: &Machine<'_>,
        decision: &Decision,
        random: &mut Random,
    ) -> Result<usize, Box<Diagnostic>> {
        let program = machine.program();
        match self.policy(decision.player).map(|(_, policy)| policy) {
            None | Some(Policy::Random) => Ok(random.place(decision.options.len())),
            Some(Policy::Greedy(source, span)) => {
                let deals = (&self.deals, &mut random.fork());
                let best = greatest(program, machine, decision, (source, *span), deals, Some(tries))?;
                let at = random.place(best.len());
                best.get(at).copied().ok_or_else(|| Box::new(Diagnostic::internal("no option is rated best")))
            }
            Some(Policy::Search(count)) => search(tries, machine, decision, random, *count),
            Some(policy @ (Policy::Best | Policy::Worst)) => {
                let message = format!("the policy `{policy}` is for odds, not for playouts");
                Err(Box::new(Diagnostic::question(Code::NotSupported, message)))
            }
        }
    }

    /// Returns the index of the option to take in a playout when several players decide at once; `None` if the policy
    /// would have to look ahead.
    ///
    /// # Errors
    /// Returns an error if the evaluation of a condition fails.
    pub(super) fn choose_at_once(
        &self,
        program: &Program,
        state: &State,
        decision: &Decision,
        random: &mut Random,
    ) -> Result<Option<usize>, Box<Diagnostic>> {
        if decision.options.len() == 1 {
            return Ok(Some(0));
        }
        if let Some(Instructed { answer: Answer::Chosen(at), .. }) = self.instructed(program, state, decision)? {
            return Ok(Some(at));
        }
        match self.policy(decision.player) {
            None | Some((_, Policy::Random)) => Ok(Some(random.place(decision.options.len()))),
            Some(_) => Ok(None),
        }
    }
}
