//! Policies of players: random, greedy by the value of a position, or by tree search.

use std::sync::Arc;

use num_rational::BigRational;
use num_traits::Zero;

use super::deal::Known;
use super::feed::once;
use super::instruction::{Condition, Instruction};
use super::machine::{Machine, Stop};
use super::random::Random;
use super::search::{Rollout, search};
use crate::diagnostic::{Diagnostic, did_you_mean, one_of};
use crate::rules::{Holes, Program};
use crate::source::{Source, Span};
use crate::table::{Outcome, PlayerId, State, Value};
use crate::trace::{Action, Answer, Decision};

/// The names of the policies, each with its form.
const POLICIES: [(&str, &str); 3] =
    [("random", "`random`"), ("greedy", "`greedy:EXPRESSION`"), ("mcts", "`mcts:PLAYOUTS`")];

/// The maximum number of playouts for one decision.
const MAX_PLAYOUTS: u32 = 1_000_000;

/// A policy of a player.
#[derive(Clone, Debug, Default)]
pub enum Policy {
    /// All options are equally likely.
    #[default]
    Random,
    /// The option after which this expression is greatest.
    Greedy(Arc<Source>, Span),
    /// The option tried most often in a tree search with this number of playouts (UCT). If cards are hidden from the
    /// player, each playout has another deal of them.
    Search(u32),
    /// The first instruction that matches exactly one option and whose condition holds; otherwise the policy decides.
    Guided(Vec<Instruction>, Box<Self>),
}

impl Policy {
    /// Returns the instructions that have decided nothing in the playouts so far.
    #[must_use]
    pub fn never_followed(&self) -> Vec<&Instruction> {
        match self {
            Self::Guided(instructions, policy) => {
                let own = instructions.iter().filter(|instruction| !instruction.is_followed());
                own.chain(policy.never_followed()).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Returns whether the policy looks ahead or at the state, for which play must pause.
    #[must_use]
    pub const fn thinks(&self) -> bool {
        !matches!(self, Self::Random)
    }

    /// Returns the index of the option to take at the pause of `machine`.
    ///
    /// # Errors
    /// Returns an error if the rules or an expression of the policy cause an error.
    pub(super) fn choose(
        &self,
        rollout: &Rollout<'_>,
        machine: &Machine<'_>,
        decision: &Decision,
        random: &mut Random,
    ) -> Result<usize, Box<Diagnostic>> {
        let program = machine.program();
        match self {
            Self::Random => Ok(random.place(decision.options.len())),
            Self::Greedy(source, span) => {
                let best = greatest(program, machine, decision, (source, *span))?;
                Ok(best.get(random.place(best.len())).copied().unwrap_or(0))
            }
            Self::Search(tries) => search(rollout, machine, decision, random, *tries),
            Self::Guided(instructions, policy) => match instructed(program, machine.state(), instructions, decision)? {
                Some(at) => Ok(at),
                None => policy.choose(rollout, machine, decision, random),
            },
        }
    }

    /// Returns the index of the option to take when several players decide at once; `None` if the policy would have to
    /// look ahead.
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
        match self {
            _ if decision.options.len() == 1 => Ok(Some(0)),
            Self::Random => Ok(Some(random.place(decision.options.len()))),
            Self::Greedy(..) | Self::Search(_) => Ok(None),
            Self::Guided(instructions, policy) => match instructed(program, state, instructions, decision)? {
                Some(at) => Ok(Some(at)),
                None => policy.choose_at_once(program, state, decision, random),
            },
        }
    }
}

/// Returns the index of the option taken by the first instruction that matches one and whose condition holds.
fn instructed(
    program: &Program,
    state: &State,
    instructions: &[Instruction],
    decision: &Decision,
) -> Result<Option<usize>, Box<Diagnostic>> {
    for instruction in instructions {
        if let Some(at) = instruction.option(decision)
            && instruction.holds(program, state)?
        {
            instruction.follow();
            return Ok(Some(at));
        }
    }
    Ok(None)
}

impl std::fmt::Display for Policy {
    /// Writes the policy as on the command line.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Random => write!(f, "random"),
            Self::Greedy(source, span) => write!(f, "greedy:{}", source.slice(*span)),
            Self::Search(tries) => write!(f, "mcts:{tries}"),
            Self::Guided(instructions, policy) => {
                for instruction in instructions {
                    write!(f, "{}, ", instruction.words)?;
                }
                write!(f, "{policy}")
            }
        }
    }
}

/// Returns the options after which an expression is greatest, on average over all deals of cards hidden from the
/// player. A win is better than any value, and a loss is worse.
pub(super) fn greatest(
    program: &Program,
    machine: &Machine<'_>,
    decision: &Decision,
    expression: (&Arc<Source>, Span),
) -> Result<Vec<usize>, Box<Diagnostic>> {
    if decision.options.len() < 2 {
        return Ok(vec![0]);
    }
    let options = 0..decision.options.len();
    let rating = Rating { program, player: decision.player, expression };
    let Some(known) = Known::of(machine, decision.player) else {
        let worths: Result<Vec<Worth>, _> = options.map(|at| rating.worth(machine, at)).collect();
        return Ok(best(&worths?));
    };
    let mut sums = vec![(BigRational::zero(), BigRational::zero()); decision.options.len()];
    known.each(&mut |machine, weight| {
        for (at, (wins, value)) in sums.iter_mut().enumerate() {
            let worth = rating.worth(machine, at)?;
            *wins += weight * BigRational::from_integer(worth.0.into());
            *value += weight * BigRational::from_integer(worth.1.into());
        }
        Ok(())
    })?;
    Ok(best(&sums))
}

/// The worth of a position, compared lexicographically: 1 for a win, -1 for a loss, otherwise 0; then the value of the
/// expression.
type Worth = (i64, i64);

/// A rating of options by an expression, for a player.
struct Rating<'r> {
    program: &'r Program,
    player: PlayerId,
    expression: (&'r Arc<Source>, Span),
}

impl Rating<'_> {
    /// Returns the worth of the position after the option with this index.
    fn worth(&self, machine: &Machine<'_>, at: usize) -> Result<Worth, Box<Diagnostic>> {
        let mut next = machine.silent_clone();
        next.go_on(&once(Answer::Chosen(at)));
        let me = self.player;
        let holes: Holes = vec![("me".to_owned(), Value::Player(me))];
        let rate = |state: &State| self.program.rate_island(self.expression.0, self.expression.1, &holes, state);
        Ok(match (next.stop(), &next.state().outcome) {
            (Stop::Fault(wrong), _) => return Err(wrong.clone()),
            (Stop::Over, Some(Outcome::Won(winners))) if winners.contains(&me) => (1, 0),
            (Stop::Over, Some(Outcome::Won(_) | Outcome::Nobody)) => (-1, 0),
            // The expression must not use cards that the player cannot see.
            _ if next.state().hides_cards() => (0, rate(&next.state().view(me).state)?),
            _ => (0, rate(next.state())?),
        })
    }
}

/// Returns the indices of the greatest elements.
fn best<T: PartialOrd>(worths: &[T]) -> Vec<usize> {
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

/// A function that reads an action with its condition from an argument of the command line; it returns `None` if the
/// argument is not an action.
pub type ReadAction<'r> =
    dyn Fn(&Arc<Source>, Span) -> Option<Result<(Action, Option<Condition>), Vec<Diagnostic>>> + 'r;

/// The policies and instructions read so far.
struct Said {
    /// Those of each player.
    own: Vec<(Option<Policy>, Vec<Instruction>)>,
    /// Those for all players.
    general: (Option<Policy>, Vec<Instruction>),
}

/// Reads the policies of all players of the game file from strings `POLICY`, for all players, or `PLAYER=POLICY`.
/// `taking` are the players who take part; `action` reads actions.
///
/// # Errors
/// Returns all errors in the strings.
pub fn policies(
    program: &Program,
    taking: &[PlayerId],
    texts: &[String],
    action: &ReadAction<'_>,
) -> Result<Vec<Policy>, Vec<Diagnostic>> {
    const FLAG: &str = "--policy ";
    // Use one source for all, so that the span of each expression is unique.
    let lines: Vec<String> = texts.iter().map(|text| format!("{FLAG}{}", text.replace(['\n', '\r'], " "))).collect();
    let source = Arc::new(Source::command_line(lines.join("\n")));
    let count = program.schema().players.len();
    let mut said = Said { own: vec![(None, Vec::new()); count], general: (None, Vec::new()) };
    let mut wrong = Vec::new();
    let mut start = 0;
    for line in &lines {
        let whole = Span::new(start + FLAG.len()..start + line.len());
        start += line.len() + 1;
        match read(program, &source, whole, action) {
            Ok(read) => wrong.extend(said.note(program, taking, (&source, whole), read)),
            Err(more) => wrong.extend(more),
        }
    }
    if wrong.is_empty() { Ok(said.policies()) } else { Err(wrong) }
}

impl Said {
    /// Adds what was read from a string; returns the error if it does not fit.
    fn note(
        &mut self,
        program: &Program,
        taking: &[PlayerId],
        (source, whole): (&Arc<Source>, Span),
        (player, what): Read,
    ) -> Option<Diagnostic> {
        if let Some((player, span)) = player.filter(|(player, _)| !taking.contains(player)) {
            let name = program.schema().player_name(player);
            let names = taking.iter().map(|player| program.schema().player_name(*player));
            let help = format!("those who play are {}", one_of(names, 9));
            return Some(Diagnostic::new("not_playing", source, span, format!("{name} does not take part")).help(help));
        }
        let place = match player {
            None => &mut self.general,
            Some((player, _)) => self.own.get_mut(player.index())?,
        };
        match what {
            What::Policy(_) if place.0.is_some() => {
                let wrong = Diagnostic::new("duplicate_name", source, whole, "duplicate policy");
                return Some(wrong.help("name one policy for each player, or one for all others"));
            }
            What::Policy(policy) => place.0 = Some(policy),
            What::Action(action, condition, words) => {
                let player = player.map_or(PlayerId(0), |(player, _)| player);
                place.1.push(Instruction::new(player, action, condition, words));
            }
        }
        None
    }

    /// Returns the policy of each player. Those of a single player take precedence over those for all players.
    fn policies(self) -> Vec<Policy> {
        let Self { own, general: (general, instructions) } = self;
        let general = general.unwrap_or_default();
        let everybody = |player| instructions.iter().map(move |one| Instruction { player, ..one.clone() });
        own.into_iter()
            .enumerate()
            .map(|(at, (policy, mut own))| {
                own.extend(everybody(PlayerId::at(at)));
                let policy = policy.unwrap_or_else(|| general.clone());
                if own.is_empty() { policy } else { Policy::Guided(own, Box::new(policy)) }
            })
            .collect()
    }
}

/// What a string contains.
enum What {
    Policy(Policy),
    Action(Action, Option<Condition>, String),
}

type Read = (Option<(PlayerId, Span)>, What);

/// Reads a string: a policy or an action, and its player.
fn read(program: &Program, source: &Arc<Source>, span: Span, action: &ReadAction<'_>) -> Result<Read, Vec<Diagnostic>> {
    let text = source.slice(span);
    let part = |from: usize, to: usize| {
        let begin = span.start as usize;
        Span::new(begin + from..begin + to)
    };
    // An expression may contain `=` too.
    let owner = text.split_once('=').map(|(name, _)| name).filter(|name| !name.contains([':', '{']));
    let player = match owner {
        None => None,
        Some(name) => Some((player(program, source, part(0, name.len()))?, part(0, name.len()))),
    };
    let from = owner.map_or(0, |name| name.len() + 1);
    let rest = text.get(from..).unwrap_or_default();
    if let Some(read) = action(source, part(from, text.len())) {
        let (action, condition) = read?;
        return Ok((player, What::Action(action, condition, rest.trim().to_owned())));
    }
    let (name, given) = rest.split_once(':').map_or((rest, None), |(name, given)| (name, Some(given)));
    let name_span = part(from, from + name.len().max(1).min(rest.len()));
    let given_span = part(from + name.len() + usize::from(given.is_some()), text.len());
    let one = |wrong: Diagnostic| vec![wrong];
    let policy = match (name, given.map(str::trim)) {
        ("random", None) => Policy::Random,
        ("random", Some(_)) => {
            let wrong = Diagnostic::new("wrong_policy", source, given_span, "`random` takes no value");
            return Err(one(wrong.help("write `random`")));
        }
        ("greedy", Some(expression)) if !expression.is_empty() => {
            let holes: Holes = vec![("me".to_owned(), Value::Player(PlayerId(0)))];
            program.compile_island(source, given_span, &holes)?;
            Policy::Greedy(Arc::clone(source), given_span)
        }
        ("greedy", _) => {
            let message = "`greedy` needs an expression that rates a position for `me`";
            let help = "write it after a colon, such as `greedy:count(cells(me))`";
            return Err(one(Diagnostic::new("wrong_policy", source, name_span, message).help(help)));
        }
        ("mcts", given) => {
            let tries = given.and_then(|given| given.parse().ok()).filter(|tries| (1..=MAX_PLAYOUTS).contains(tries));
            let Some(tries) = tries else {
                let span = if given.is_some_and(|given| !given.is_empty()) { given_span } else { name_span };
                let message = "`mcts` needs a number of playouts for each decision";
                let help = format!("write it after a colon, from 1 to {MAX_PLAYOUTS}: `mcts:100`");
                return Err(one(Diagnostic::new("wrong_policy", source, span, message).help(help)));
            };
            Policy::Search(tries)
        }
        _ => {
            let written = one_of(POLICIES.iter().map(|(_, written)| written.trim_matches('`')), 9);
            let help = did_you_mean(name, POLICIES.iter().map(|(name, _)| *name))
                .unwrap_or_else(|| format!("the policies are {written}"));
            let message = format!("unknown policy `{name}`");
            return Err(one(Diagnostic::new("unknown_policy", source, name_span, message).help(help)));
        }
    };
    Ok((player, What::Policy(policy)))
}

fn player(program: &Program, source: &Arc<Source>, span: Span) -> Result<PlayerId, Vec<Diagnostic>> {
    let name = source.slice(span);
    program.schema().player(name).ok_or_else(|| {
        let names = || program.schema().players.iter().map(String::as_str);
        let help = did_you_mean(name, names()).unwrap_or_else(|| format!("the players are {}", one_of(names(), 9)));
        vec![Diagnostic::new("unknown_player", source, span, format!("unknown player `{name}`")).help(help)]
    })
}
