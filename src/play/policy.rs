//! How players decide: by chance, by what a position is worth to them, or by trying out.

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

/// The names of the policies, each as it is written.
const POLICIES: [(&str, &str); 3] =
    [("random", "`random`"), ("greedy", "`greedy:EXPRESSION`"), ("mcts", "`mcts:PLAYOUTS`")];

/// The most playouts for one decision.
const MOST_PLAYOUTS: u32 = 1_000_000;

/// How a player decides.
#[derive(Clone, Debug, Default)]
pub enum Policy {
    /// Every option is as likely as any other.
    #[default]
    Random,
    /// The option behind which the expression at this place is greatest.
    Greedy(Arc<Source>, Span),
    /// The option that wins most often when it is tried out so many times, better options more often (UCT); where cards
    /// are hidden from him, each time with another deal of them.
    Search(u32),
    /// What the first of these says that means one option and whose condition holds; otherwise as the policy decides.
    Guided(Vec<Instruction>, Box<Self>),
}

impl Policy {
    /// Returns what it says that has decided nothing in the playouts so far.
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

    /// Returns whether it looks at what the options lead to, for which play must pause.
    #[must_use]
    pub const fn thinks(&self) -> bool {
        !matches!(self, Self::Random)
    }

    /// Returns the place of the option to take at the pause where `machine` stands.
    ///
    /// # Errors
    /// The rules, or what the policy goes by, are wrong.
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

    /// Returns the place of the option to take where several players decide at once; `None` if the policy would have to
    /// look at what follows.
    ///
    /// # Errors
    /// A condition goes wrong.
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

/// Returns the place of the option of the first instruction that means one and whose condition holds.
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
    /// As it is written on the command line.
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

/// Returns the options after which an expression is greatest, on average over all that may be hidden from the player.
/// To win goes before everything, to lose after everything.
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

/// What a position is worth: 1 if it is won, -1 if it is lost; otherwise the value of the expression. As a won game goes
/// before everything, so does the first number.
type Worth = (i64, i64);

/// By what options are rated, and for whom.
struct Rating<'r> {
    program: &'r Program,
    player: PlayerId,
    expression: (&'r Arc<Source>, Span),
}

impl Rating<'_> {
    /// What the position is worth that the option at this place leads to.
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
            // Cards that the player may not see are not there for the expression.
            _ if next.state().hides_cards() => (0, rate(&next.state().view(me).state)?),
            _ => (0, rate(next.state())?),
        })
    }
}

/// Returns the places of the greatest.
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

/// An action with its condition, read from words of the command line that are no policy; `None` if they are no action
/// either.
pub type ReadAction<'r> =
    dyn Fn(&Arc<Source>, Span) -> Option<Result<(Action, Option<Condition>), Vec<Diagnostic>>> + 'r;

/// What the texts have said so far.
struct Said {
    /// Of each player.
    own: Vec<(Option<Policy>, Vec<Instruction>)>,
    /// Of everybody.
    general: (Option<Policy>, Vec<Instruction>),
}

/// Returns the policies of all players of the game file from texts `POLICY`, for everybody, or `PLAYER=POLICY`;
/// `taking` are those who take part, and `action` reads what is no policy.
///
/// # Errors
/// Everything that is wrong with the texts.
pub fn policies(
    program: &Program,
    taking: &[PlayerId],
    texts: &[String],
    action: &ReadAction<'_>,
) -> Result<Vec<Policy>, Vec<Diagnostic>> {
    const FLAG: &str = "--policy ";
    // One source for all, so that each expression has a place of its own.
    let lines: Vec<String> = texts.iter().map(|text| format!("{FLAG}{}", text.replace(['\n', '\r'], " "))).collect();
    let source = Arc::new(Source::new("(command line)", lines.join("\n")));
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
    /// Notes one text; what is wrong with it.
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
                let wrong = Diagnostic::new("duplicate_name", source, whole, "there is a policy for this already");
                return Some(wrong.help("name one policy for a player, and one for everybody else"));
            }
            What::Policy(policy) => place.0 = Some(policy),
            What::Action(action, condition, words) => {
                let player = player.map_or(PlayerId(0), |(player, _)| player);
                place.1.push(Instruction::new(player, action, condition, words));
            }
        }
        None
    }

    /// What is said of one player goes before what is said of everybody.
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

/// What a text says.
enum What {
    Policy(Policy),
    Action(Action, Option<Condition>, String),
}

type Read = (Option<(PlayerId, Span)>, What);

/// One text: whose policy, and which.
fn read(program: &Program, source: &Arc<Source>, span: Span, action: &ReadAction<'_>) -> Result<Read, Vec<Diagnostic>> {
    let text = source.slice(span);
    let part = |from: usize, to: usize| {
        let begin = span.start as usize;
        Span::new(begin + from..begin + to)
    };
    // An expression may hold `=` as well.
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
            let wrong = Diagnostic::new("wrong_policy", source, given_span, "`random` takes nothing behind it");
            return Err(one(wrong.help("write `random`")));
        }
        ("greedy", Some(expression)) if !expression.is_empty() => {
            let holes: Holes = vec![("me".to_owned(), Value::Player(PlayerId(0)))];
            program.compile_island(source, given_span, &holes)?;
            Policy::Greedy(Arc::clone(source), given_span)
        }
        ("greedy", _) => {
            let message = "`greedy` needs an expression that rates a position for `me`";
            let help = "write it behind a colon, such as `greedy:count(cells(me))`";
            return Err(one(Diagnostic::new("wrong_policy", source, name_span, message).help(help)));
        }
        ("mcts", given) => {
            let tries = given.and_then(|given| given.parse().ok()).filter(|tries| (1..=MOST_PLAYOUTS).contains(tries));
            let Some(tries) = tries else {
                let span = if given.is_some_and(|given| !given.is_empty()) { given_span } else { name_span };
                let message = "`mcts` needs a number of playouts for each decision";
                let help = format!("write it behind a colon, from 1 to {MOST_PLAYOUTS}: `mcts:100`");
                return Err(one(Diagnostic::new("wrong_policy", source, span, message).help(help)));
            };
            Policy::Search(tries)
        }
        _ => {
            let written = one_of(POLICIES.iter().map(|(_, written)| written.trim_matches('`')), 9);
            let help = did_you_mean(name, POLICIES.iter().map(|(name, _)| *name))
                .unwrap_or_else(|| format!("the policies are {written}"));
            let message = format!("there is no policy `{name}`");
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
        vec![Diagnostic::new("unknown_player", source, span, format!("there is no player `{name}`")).help(help)]
    })
}
