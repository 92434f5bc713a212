//! How players decide: by chance, by what a position is worth to them, or by trying out.

use std::sync::Arc;

use super::deal::unordered;
use super::feed::once;
use super::machine::{Machine, Stop};
use super::playout::Playouts;
use super::random::Random;
use super::search::search;
use crate::diagnostic::{Diagnostic, did_you_mean, one_of};
use crate::rules::{Holes, Program};
use crate::source::{Source, Span};
use crate::table::{Outcome, PlayerId, Value};
use crate::trace::{Answer, Decision};

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
}

impl Policy {
    /// Whether it looks at what the options lead to, for which play must pause.
    #[must_use]
    pub const fn thinks(&self) -> bool {
        !matches!(self, Self::Random)
    }

    /// The place of the option to take at the pause where `machine` stands.
    ///
    /// # Errors
    /// The rules, or what the policy goes by, are wrong.
    pub(super) fn choose(
        &self,
        playouts: &Playouts<'_>,
        machine: &Machine<'_>,
        decision: &Decision,
        random: &mut Random,
    ) -> Result<usize, Box<Diagnostic>> {
        match self {
            Self::Random => Ok(random.place(decision.options.len())),
            Self::Greedy(source, span) => {
                let best = greatest(playouts.program, machine, decision, (source, *span))?;
                Ok(best.get(random.place(best.len())).copied().unwrap_or(0))
            }
            Self::Search(tries) => search(playouts, machine, decision, random, *tries),
        }
    }
}

impl std::fmt::Display for Policy {
    /// As it is written on the command line.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Random => write!(f, "random"),
            Self::Greedy(source, span) => write!(f, "greedy:{}", source.slice(*span)),
            Self::Search(tries) => write!(f, "mcts:{tries}"),
        }
    }
}

/// The options behind which an expression is greatest. A game won goes before all, a game lost behind all.
pub(super) fn greatest(
    program: &Program,
    machine: &Machine<'_>,
    decision: &Decision,
    (source, span): (&Arc<Source>, Span),
) -> Result<Vec<usize>, Box<Diagnostic>> {
    let me = decision.player;
    let holes: Holes = vec![("me".to_owned(), Value::Player(me))];
    // Cards that the player may not see are not there for the expression, nor is an order that he does not know.
    let has_hidden = program.schema().zones.iter().any(|zone| !zone.sight.is_open());
    let forgotten = if has_hidden { unordered(machine, me) } else { None };
    let machine = forgotten.as_ref().unwrap_or(machine);
    let mut best: Vec<usize> = Vec::new();
    let mut most = None;
    for at in 0..decision.options.len() {
        let mut next = machine.clone();
        next.go_on(&once(Answer::Chosen(at)));
        let worth = match (next.stop(), &next.state().outcome) {
            (Stop::Fault(wrong), _) => return Err(wrong.clone()),
            (Stop::Over, Some(Outcome::Won(winners))) if winners.contains(&me) => i64::MAX,
            (Stop::Over, Some(Outcome::Won(_) | Outcome::Nobody)) => i64::MIN,
            _ if has_hidden => program.rate_island(source, span, &holes, &next.state().view(me).state)?,
            _ => program.rate_island(source, span, &holes, next.state())?,
        };
        if most.is_none_or(|most| worth > most) {
            most = Some(worth);
            best.clear();
        }
        if most == Some(worth) {
            best.push(at);
        }
    }
    Ok(best)
}

/// The policies of all players of the game file from texts `POLICY`, for everybody, or `PLAYER=POLICY`; `taking` are
/// those who take part.
///
/// # Errors
/// Everything that is wrong with the texts.
pub fn policies(program: &Program, taking: &[PlayerId], texts: &[String]) -> Result<Vec<Policy>, Vec<Diagnostic>> {
    const FLAG: &str = "--policy ";
    // One source for all, so that each expression has a place of its own.
    let lines: Vec<String> = texts.iter().map(|text| format!("{FLAG}{}", text.replace(['\n', '\r'], " "))).collect();
    let source = Arc::new(Source::new("(command line)", lines.join("\n")));
    let players = &program.schema().players;
    let mut named: Vec<Option<Policy>> = vec![None; players.len()];
    let mut general: Option<Policy> = None;
    let mut wrong = Vec::new();
    let mut start = 0;
    for line in &lines {
        let whole = Span::new(start + FLAG.len()..start + line.len());
        start += line.len() + 1;
        let read = read(program, &source, whole);
        let (player, policy) = match read {
            Ok(read) => read,
            Err(more) => {
                wrong.extend(more);
                continue;
            }
        };
        let place = match player {
            None => &mut general,
            Some((player, span)) => {
                if !taking.contains(&player) {
                    let name = program.schema().player_name(player);
                    let names = taking.iter().map(|player| program.schema().player_name(*player));
                    let message = format!("{name} does not take part");
                    let help = format!("those who play are {}", one_of(names, 9));
                    wrong.push(Diagnostic::new("not_playing", &source, span, message).help(help));
                }
                match named.get_mut(player.index()) {
                    Some(place) => place,
                    None => continue,
                }
            }
        };
        if place.is_some() {
            let wrong_twice = Diagnostic::new("duplicate_name", &source, whole, "there is a policy for this already");
            wrong.push(wrong_twice.help("name one policy for a player, and one for everybody else"));
        }
        *place = Some(policy);
    }
    let general = general.unwrap_or_default();
    let all = named.into_iter().map(|policy| policy.unwrap_or_else(|| general.clone())).collect();
    if wrong.is_empty() { Ok(all) } else { Err(wrong) }
}

type Read = (Option<(PlayerId, Span)>, Policy);

/// One text: whose policy, and which.
fn read(program: &Program, source: &Arc<Source>, span: Span) -> Result<Read, Vec<Diagnostic>> {
    let text = source.slice(span);
    let part = |from: usize, to: usize| {
        let begin = span.start as usize;
        Span::new(begin + from..begin + to)
    };
    // An expression may hold `=` as well.
    let owner = text.split_once('=').map(|(name, _)| name).filter(|name| !name.contains(':'));
    let player = match owner {
        None => None,
        Some(name) => Some((player(program, source, part(0, name.len()))?, part(0, name.len()))),
    };
    let from = owner.map_or(0, |name| name.len() + 1);
    let rest = text.get(from..).unwrap_or_default();
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
    Ok((player, policy))
}

fn player(program: &Program, source: &Arc<Source>, span: Span) -> Result<PlayerId, Vec<Diagnostic>> {
    let name = source.slice(span);
    program.schema().player(name).ok_or_else(|| {
        let names = || program.schema().players.iter().map(String::as_str);
        let help = did_you_mean(name, names()).unwrap_or_else(|| format!("the players are {}", one_of(names(), 9)));
        vec![Diagnostic::new("unknown_player", source, span, format!("there is no player `{name}`")).help(help)]
    })
}
