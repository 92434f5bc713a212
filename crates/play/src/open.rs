//! Asks that take any values: what policies may choose among, and what is said where there is nothing.

use super::instruction::Instruction;
use referee_diagnostic::{Code, Diagnostic};
use referee_rules::Program;
use referee_source::quoted;
use referee_table::{AskId, Names, State};
use referee_trace::{Answer, Ask, Decision, Question, RulesPlace};

/// Checks that a policy can choose among the options of a decision: that the rules say what they suggest for each open ask,
/// and refuse none of it. `actions` are those that a strategy takes, with the flag of the command line for more.
///
/// # Errors
/// Returns an error if they do not; without an ask that is open, nothing is wrong.
pub(super) fn judged(
    program: &Program,
    state: &State,
    (decision, place): (&Decision, RulesPlace),
    actions: Option<(&[Instruction], &str)>,
) -> Result<(), Box<Diagnostic>> {
    if decision.open.is_empty() {
        return Ok(());
    }
    let names = Names { schema: state.schema(), board: state.board() };
    if let Some(ask) = decision.unlisted() {
        let wrong = not_listed(names, decision, ask, "no policy can choose");
        let mut wrong = match actions.filter(|(_, flag)| !flag.is_empty()) {
            Some((_, flag)) => wrong.help(ways(names, decision, ask, flag)),
            None => wrong.help(suggest(names, ask)),
        };
        let actions = actions.map(|(actions, _)| actions).unwrap_or_default();
        let refused = refused(program, state, decision, actions)?;
        for (words, reason) in refused {
            wrong.message.push_str(&format!("; `{words}` is refused here: {}", quoted(&reason)));
        }
        return Err(Box::new(wrong.labelled(program.label(place))));
    }
    for option in decision.options.iter().filter(|option| decision.takes(option.ask)) {
        if let Some(reason) = program.why_not(state, decision.player, option)? {
            let player = names.schema.player_name(decision.player);
            let message =
                format!("the rules suggest `{player} {}`, and refuse it: {}", option.write(names), quoted(&reason));
            let help = "suggest only what `why_not` does not refuse in this position";
            let wrong = Diagnostic::general(Code::RefusedSuggestion, message).help(help);
            return Err(Box::new(wrong.labelled(program.label(place))));
        }
    }
    Ok(())
}

/// Checks that the answers to an ask are all listed, so that they can be counted or searched: `what` is what wants that.
///
/// # Errors
/// Returns an error if they are not.
pub(super) fn all_listed(program: &Program, state: &State, ask: &Ask, what: &str) -> Result<(), Box<Diagnostic>> {
    let Question::Choose(decision) = &ask.question else { return Ok(()) };
    let Some(open) = decision.open.first() else { return Ok(()) };
    let names = Names { schema: state.schema(), board: state.board() };
    let wrong = not_listed(names, decision, open.ask, what);
    let help =
        "ask about play in which this is answered: after a line that answers it, or within fewer turns or answers";
    Err(Box::new(wrong.help(help).labelled(program.label(ask.place))))
}

/// Returns the error for an open ask; `so` is what cannot be done for that.
fn not_listed(names: Names<'_>, decision: &Decision, ask: AskId, so: &str) -> Diagnostic {
    let player = names.schema.player_name(decision.player);
    let verb = names.schema.verb(ask);
    let message = format!("`{player} {verb}` takes any values that `why_not` does not refuse, so {so}");
    Diagnostic::question(Code::NotListed, message)
}

/// Returns the form of an ask.
fn form(names: Names<'_>, ask: AskId) -> String {
    names.schema.asks.get(ask.index()).map(ToString::to_string).unwrap_or_default()
}

/// Returns how rules suggest values.
fn suggest(names: Names<'_>, ask: AskId) -> String {
    let verb = names.schema.verb(ask);
    format!("suggest some in the rules: `may_any(\"{verb}\", [may(\"{verb}\", …)])`")
}

/// Returns what decides: an action of a policy, or what the rules suggest.
fn ways(names: Names<'_>, decision: &Decision, ask: AskId, flag: &str) -> String {
    let player = names.schema.player_name(decision.player);
    let listed = decision.listed().next().map(|option| option.write(names));
    let listed = listed.map(|option| format!(" or `{flag} \"{player}={option}\"`")).unwrap_or_default();
    format!("add what {player} does: `{flag} \"{player}={}\"`{listed}; or {}", form(names, ask), suggest(names, ask))
}

/// Returns the actions that would answer, and why the rules refuse them here.
pub(super) fn refused(
    program: &Program,
    state: &State,
    decision: &Decision,
    actions: &[Instruction],
) -> Result<Vec<(String, String)>, Box<Diagnostic>> {
    let names = Names { schema: state.schema(), board: state.board() };
    let mut refused = Vec::new();
    for instruction in actions.iter().filter(|one| one.player == decision.player && decision.takes(one.action.ask)) {
        if instruction.holds(program, state)?
            && let Some(reason) = program.why_not(state, decision.player, &instruction.action)?
        {
            refused.push((instruction.action.write(names), reason));
        }
    }
    Ok(refused)
}

impl Instruction {
    /// Returns the answer to a decision: the option that the action matches, or the action itself where its ask is open and
    /// the rules do not refuse it.
    ///
    /// # Errors
    /// Returns an error if the evaluation of the rules or of the condition fails.
    pub(super) fn answer(
        &self,
        program: &Program,
        state: &State,
        decision: &Decision,
    ) -> Result<Option<Answer>, Box<Diagnostic>> {
        let is_open = self.player == decision.player && decision.takes(self.action.ask);
        let listed = if is_open { None } else { self.option(decision) };
        if listed.is_none() && !is_open || !self.holds(program, state)? {
            return Ok(None);
        }
        if let Some(at) = listed {
            return Ok(Some(Answer::Chosen(at)));
        }
        let reason = program.why_not(state, decision.player, &self.action)?;
        Ok(reason.is_none().then(|| Answer::Said(self.action.clone())))
    }
}
