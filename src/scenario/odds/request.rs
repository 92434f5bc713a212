//! Odds from the end of a scenario: the chance of a condition, or of each player to win.

use std::sync::Arc;

use num_rational::BigRational;
use num_traits::One;

use crate::diagnostic::{Diagnostic, did_you_mean, one_of};
use crate::play::{
    Chance, Condition, Graph, Horizon, Inquiry, Instruction, Machine, OddsError, OddsPolicy, Stop, StrategyProfile,
    explore,
};
use crate::rules::{Holes, Program};
use crate::scenario::check::verdicts::outcome;
use crate::scenario::odds::explain::{Asked, explain, holds, trap_lines};
use crate::scenario::odds::unused::{Settling, Unused, unused};
use crate::scenario::plan::actions::taking_part;
use crate::scenario::plan::chance::{self, GREEDY, Given};
use crate::scenario::plan::model::Check;
use crate::scenario::plan::resolver::{Resolver, names};
use crate::source::{Source, Span, Word};
use crate::syntax::{parse_when, parse_words};
use crate::table::{Outcome, PlayerId, State, Table, draw};
use crate::trace::{Action, Drawing};

/// A request for odds, in words that are not read yet.
#[derive(Clone, Debug)]
pub struct OddsRequest {
    /// The actions and policies for decisions: `red squash evil`, `red policy random`.
    pub when: Vec<String>,
    /// The policies for all other decisions: `random`, `best`, `worst`, or an action; `red=` restricts one to a player.
    pub policies: Vec<String>,
    /// The condition; `None` for the chance of each player to win.
    pub chance: Option<String>,
    /// The horizon.
    pub horizon: Horizon,
    /// The largest number of states.
    pub states: usize,
}

/// The requested odds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Odds {
    /// The outcomes and their chances.
    pub rows: Vec<OddsRow>,
    /// The number of states.
    pub states: usize,
    /// The number of states from which the game cannot end; or of such positions in the middle of a turn.
    pub endless: usize,
    /// One of these positions, if there are any.
    pub trap: Option<TrapShown>,
}

/// A position from which the game cannot end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrapShown {
    /// The player whose turn it is.
    pub turn: Option<String>,
    /// The board.
    pub board: Drawing,
    /// The shortest line of play to it, as lines of a scenario.
    pub line: Vec<String>,
    /// Whether all such positions are in the middle of a turn.
    pub within_turn: bool,
}

/// One outcome.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OddsRow {
    /// The name of a player who may win, another end, or the condition.
    pub name: String,
    /// The chance of the outcome.
    pub chance: Chance,
}

/// The policies of players for decisions that nothing else covers, as they are requested.
type Wishes = Vec<(PlayerId, Wish)>;

#[derive(Clone)]
enum Wish {
    Is(OddsPolicy),
    Best,
    Worst,
}

/// Returns the odds from the present position of a machine.
pub(crate) fn odds(program: &Program, machine: &Machine<'_>, request: &OddsRequest) -> Result<Odds, Vec<Diagnostic>> {
    if !matches!(machine.stop(), Stop::Paused(_) | Stop::Over) {
        if let Stop::Fault(wrong) = machine.stop() {
            return Err(vec![(**wrong).clone()]);
        }
        let wrong = Diagnostic::general("nothing_asked", "play does not continue from the end of this scenario");
        let [first, _] = machine.names().schema.example_players();
        let help = format!("choose a scenario that ends at a question, or begin its play with `turn {first}`");
        return Err(vec![wrong.help(help)]);
    }
    let (settlement, wishes, flags) = settled(program, machine, request)?;
    let asking = Asking { program, machine, request, settlement, wishes, flags };
    match &request.chance {
        Some(words) => asking.of_condition(words),
        None => asking.of_winning(),
    }
}

struct Asking<'a> {
    program: &'a Program,
    machine: &'a Machine<'a>,
    request: &'a OddsRequest,
    settlement: StrategyProfile,
    wishes: Wishes,
    flags: Flags,
}

/// The command-line words for each action and policy that must have an effect; `None` for policies of all players.
#[derive(Default)]
struct Flags {
    actions: Vec<Option<Arc<Source>>>,
    policies: Vec<Option<Arc<Source>>>,
}

impl Flags {
    /// Returns an error for each command-line argument of which every part is in `parts`; each argument once.
    fn of(&self, parts: &[Unused]) -> Vec<Diagnostic> {
        let mut told: Vec<(Arc<Source>, Diagnostic)> = Vec::new();
        for part in parts {
            let Some(source) = self.source(part.line) else { continue };
            let same = |other: &&Arc<Source>| Arc::ptr_eq(other, source);
            let all = self.actions.iter().chain(&self.policies).flatten().filter(same).count();
            let unused = parts.iter().filter_map(|part| self.source(part.line)).filter(same).count();
            if unused < all || told.iter().any(|(other, _)| Arc::ptr_eq(other, source)) {
                continue;
            }
            let span = Span::new(0..source.text().len());
            let wrong = Diagnostic::new("unused_line", source, span, part.message.clone()).help(part.help.clone());
            told.push((Arc::clone(source), wrong));
        }
        told.into_iter().map(|(_, wrong)| wrong).collect()
    }

    fn source(&self, line: Settling) -> Option<&Arc<Source>> {
        let found = match line {
            Settling::Action(at) => self.actions.get(at),
            Settling::Policy(at) => self.policies.get(at),
        };
        found.and_then(Option::as_ref)
    }
}

impl Asking<'_> {
    /// Returns the inquiry with the requested policies, for a condition that is good for the players for which
    /// `wanted_by` returns true.
    fn inquiry(&self, wanted_by: impl Fn(PlayerId) -> bool) -> Inquiry {
        let mut settlement = self.settlement.clone();
        settlement.policies.extend(self.wishes.iter().map(|(player, wish)| {
            let policy = match (wish, wanted_by(*player)) {
                (Wish::Is(manner), _) => manner.clone(),
                (Wish::Best, true) | (Wish::Worst, false) => OddsPolicy::Likeliest,
                (Wish::Best, false) | (Wish::Worst, true) => OddsPolicy::LeastLikely,
            };
            (*player, policy)
        }));
        Inquiry { horizon: self.request.horizon, settlement, states: self.request.states }
    }

    fn explored(
        &self,
        inquiry: &Inquiry,
        class: &mut dyn FnMut(&State) -> Result<usize, Box<Diagnostic>>,
    ) -> Result<Graph, Vec<Diagnostic>> {
        let graph = explore(self.machine, inquiry, class);
        let graph = graph.map_err(|trouble: OddsError| vec![explain(self.program, trouble, Asked::Flag)])?;
        let unused = self.flags.of(&unused(self.machine.names(), &inquiry.settlement, graph.met()));
        if unused.is_empty() { Ok(graph) } else { Err(unused) }
    }

    fn of_condition(&self, words: &str) -> Result<Odds, Vec<Diagnostic>> {
        let (source, condition) = read_condition(self.program, &self.machine.state().table, words)?;
        let holes = Holes::default();
        let mut class = |state: &State| holds(self.program, (&source, &holes), &condition, state).map(usize::from);
        let graph = self.explored(&self.inquiry(|_| true), &mut class)?;
        let row = OddsRow { name: words.to_owned(), chance: graph.chance(|class| class == 1) };
        Ok(Odds { rows: vec![row], states: graph.states(), endless: graph.endless(), trap: self.trap(&graph) })
    }

    fn of_winning(&self) -> Result<Odds, Vec<Diagnostic>> {
        let players = &self.machine.state().table.players;
        let wish =
            |player: &PlayerId| self.wishes.iter().any(|(other, wish)| other == player && !matches!(wish, Wish::Is(_)));
        let trying: Vec<PlayerId> = players.iter().copied().filter(wish).collect();
        if trying.len() > 1 && players.len() > 2 {
            let message = "best play of several players is supported for two players only";
            let [one, other] = self.machine.names().schema.example_players();
            return Err(vec![Diagnostic::general("not_supported", message).help(format!(
                "let one player play best, and choose policies for the others: \
                 `--policy {one}=best --policy {other}=random`",
            ))]);
        }
        let Some(first) = trying.first().copied() else {
            let mut found = Vec::new();
            let graph = self.explored(&self.inquiry(|_| true), &mut |state| Ok(class_of(&mut found, state)))?;
            return Ok(self.table(&graph, &found, players));
        };
        // If one of two players always wins, one chance determines the other. Otherwise only the chance of the player
        // who plays best or worst is known.
        let mut found = Vec::new();
        let graph =
            self.explored(&self.inquiry(|player| player == first), &mut |state| Ok(class_of(&mut found, state)))?;
        let own = self.table(&graph, &found, &[first]);
        let one_wins = |outcome: &Option<Outcome>| matches!(outcome, Some(Outcome::Won(winners)) if winners.len() == 1);
        let either = players.len() == 2 && own.endless == 0 && found.iter().all(one_wins);
        if trying.len() > 1 && !either {
            let ends: Vec<String> = found
                .iter()
                .filter(|outcome| !one_wins(outcome))
                .map(|end| outcome(self.machine.names(), end.as_ref()))
                .collect();
            let otherwise = if ends.is_empty() { "not at all".to_owned() } else { format!("with {}", ends.join(", ")) };
            let message = format!(
                "best play of both players requires that exactly one of them wins; this game may end {otherwise}"
            );
            let [one, other] = self.machine.names().schema.example_players();
            let help = format!(
                "ask about one condition: `--chance \"winner {one}\" --policy {one}=best --policy {other}=worst`"
            );
            return Err(vec![Diagnostic::general("not_supported", message).help(help)]);
        }
        let rows = own.rows.into_iter().filter(|row| row.name == self.name(first)).collect::<Vec<_>>();
        let Some(mine) = rows.first().filter(|_| either).map(|row| row.chance.clone()) else {
            return Ok(Odds { rows, ..own });
        };
        let chance = |player: PlayerId| if player == first { mine.clone() } else { rest(&mine) };
        let rows = players.iter().map(|player| OddsRow { name: self.name(*player), chance: chance(*player) }).collect();
        Ok(Odds { rows, ..own })
    }

    fn trap(&self, graph: &Graph) -> Option<TrapShown> {
        let (trap, names) = (graph.trap()?, self.machine.names());
        Some(TrapShown {
            turn: trap.state.turn.map(|player| self.name(player)),
            board: draw(&trap.state, |_| false),
            line: trap_lines(names, trap),
            within_turn: trap.within_turn,
        })
    }

    fn name(&self, player: PlayerId) -> String {
        self.machine.names().schema.player_name(player).to_owned()
    }

    /// Returns the chances of these players to win, and of other ends.
    fn table(&self, graph: &Graph, found: &[Option<Outcome>], players: &[PlayerId]) -> Odds {
        let wins = |class: usize, player: PlayerId| {
            let end = found.get(class);
            matches!(end, Some(Some(Outcome::Won(winners))) if winners.contains(&player))
        };
        let mut rows: Vec<OddsRow> = players
            .iter()
            .map(|player| OddsRow { name: self.name(*player), chance: graph.chance(|class| wins(class, *player)) })
            .collect();
        for (class, end) in found.iter().enumerate() {
            if !matches!(end, Some(Outcome::Won(_))) {
                let name = outcome(self.machine.names(), end.as_ref());
                rows.push(OddsRow { name, chance: graph.chance(|other| other == class) });
            }
        }
        let endless = graph.endless();
        if endless > 0 {
            rows.push(OddsRow { name: "never ends".to_owned(), chance: rest(&graph.chance(|_| true)) });
        }
        Odds { rows, states: graph.states(), endless, trap: self.trap(graph) }
    }
}

/// Returns the chance that something does not happen.
fn rest(chance: &Chance) -> Chance {
    Chance { low: BigRational::one() - &chance.high, high: BigRational::one() - &chance.low }
}

/// Returns the class of an end: the index of its outcome in `found`. Adds a new outcome.
fn class_of(found: &mut Vec<Option<Outcome>>, state: &State) -> usize {
    found.iter().position(|outcome| *outcome == state.outcome).unwrap_or_else(|| {
        found.push(state.outcome.clone());
        found.len() - 1
    })
}

fn command_line(words: &str) -> Arc<Source> {
    Arc::new(Source::command_line(words))
}

/// Reads words of the command line.
fn read<T>(
    source: &Arc<Source>,
    read: impl FnOnce(&mut Resolver<'_>, &[Word<'_>]) -> Option<T>,
) -> Result<T, Vec<Diagnostic>> {
    let spans = parse_words(source, Span::new(0..source.text().len()));
    resolved(source, |resolver| {
        let words = resolver.words(&spans);
        read(resolver, &words)
    })
}

/// Returns the value that `read` resolves from a source, or the errors.
pub(crate) fn resolved<T>(
    source: &Arc<Source>,
    read: impl FnOnce(&mut Resolver<'_>) -> Option<T>,
) -> Result<T, Vec<Diagnostic>> {
    let mut resolver = Resolver { source, row: None, wrong: Vec::new() };
    match read(&mut resolver) {
        Some(value) if resolver.wrong.is_empty() => Ok(value),
        _ if resolver.wrong.is_empty() => Err(vec![Diagnostic::general("wrong_form", "this cannot be read")]),
        _ => Err(resolver.wrong),
    }
}

/// Checks that words that are not a policy begin with an ask of the rules.
fn no_policy(program: &Program, source: &Arc<Source>) -> Result<(), Vec<Diagnostic>> {
    let first = source.text().split_whitespace().next().unwrap_or_default();
    let verbs = || program.schema().asks.iter().map(|ask| ask.verb.as_str());
    if verbs().any(|verb| verb == first) {
        return Ok(());
    }
    let message = format!("unknown policy or action `{first}`");
    let help = did_you_mean(first, POLICIES.into_iter().chain(verbs())).unwrap_or_else(|| {
        let asks = match one_of(verbs(), 9) {
            asks if asks.is_empty() => String::new(),
            asks => format!("; an action begins with {asks}"),
        };
        format!("the policies are {}{asks}", one_of(POLICIES, 9))
    });
    Err(vec![Diagnostic::new("unknown_policy", source, Span::new(0..first.len()), message).help(help)])
}

/// Reads a condition from words of the command line.
pub(crate) fn read_condition(
    program: &Program,
    table: &Table,
    words: &str,
) -> Result<(Arc<Source>, Check), Vec<Diagnostic>> {
    let source = command_line(words);
    let span = Span::new(0..words.len());
    let check = if words.starts_with('{') {
        program.compile_island(&source, span, &Holes::default())?;
        Check::Island(span)
    } else {
        read(&source, |resolver, words| chance::condition(resolver, table, words, span))?
    };
    Ok((source, check))
}

/// Reads an action with an optional condition at `span` of the command line.
pub(crate) fn read_instruction(
    program: &Program,
    table: &Table,
    source: &Arc<Source>,
    span: Span,
) -> Result<(Action, Option<Condition>), Vec<Diagnostic>> {
    let (spans, tail) = parse_when(source, span);
    let holes = Holes::default();
    resolved(source, |resolver| {
        let given = Given { words: resolver.words(&spans), tail, holes: &holes, line: span };
        chance::instruction(resolver, table, program, &given)
    })
}

/// The policies for odds.
const POLICIES: [&str; 4] = ["random", "best", "worst", "greedy:EXPRESSION"];

/// Reads the arguments of `--when`: actions and policies for decisions.
fn settled_when(
    program: &Program,
    table: &Table,
    arguments: &[String],
) -> Result<(StrategyProfile, Flags), Vec<Diagnostic>> {
    let mut settlement = StrategyProfile::default();
    let mut flags = Flags::default();
    for words in arguments {
        let source = command_line(words);
        let span = Span::new(0..words.len());
        let holes = Holes::default();
        let (spans, tail) = parse_when(&source, span);
        resolved(&source, |resolver| {
            let given = Given { words: resolver.words(&spans), tail, holes: &holes, line: span };
            chance::when(resolver, table, program, &mut settlement, &given)
        })?;
        flags.actions.resize(settlement.actions.len(), Some(Arc::clone(&source)));
        flags.policies.resize(settlement.policies.len(), Some(source));
    }
    Ok((settlement, flags))
}

/// Reads the name of a player who takes part.
fn read_player(table: &Table, name: &str) -> Result<PlayerId, Vec<Diagnostic>> {
    let source = command_line(name.trim());
    read(&source, |resolver, words| {
        let player = resolver.get(names(table).player(words.first()?))?;
        taking_part(resolver, table, player, words.first()?)
    })
}

/// Reads the actions and policies of a request.
fn settled(
    program: &Program,
    machine: &Machine<'_>,
    request: &OddsRequest,
) -> Result<(StrategyProfile, Wishes, Flags), Vec<Diagnostic>> {
    let table = &machine.state().table;
    let (mut settlement, mut flags) = settled_when(program, table, &request.when)?;
    let mut wishes: Vec<(PlayerId, Wish, Option<Arc<Source>>)> = Vec::new();
    for policy in &request.policies {
        let source = command_line(policy);
        // An expression may contain `=` as well.
        let owner = policy.split_once('=').map(|(player, _)| player).filter(|player| !player.contains([':', '{']));
        let from = owner.map_or(0, |player| player.len() + 1);
        let words = policy.get(from..).unwrap_or_default().trim();
        let whose: Vec<PlayerId> = match owner {
            Some(player) => vec![read_player(table, player)?],
            None => table.players.clone(),
        };
        let wish = match words {
            "random" => Wish::Is(OddsPolicy::Random),
            "best" => Wish::Best,
            "worst" => Wish::Worst,
            words if words.starts_with(GREEDY) => {
                let end = policy.trim_end().len();
                let start = end - words.len() + GREEDY.len();
                Wish::Is(chance::greedy(program, &source, Span::new(start..end))?)
            }
            words => {
                let read_from = command_line(words);
                no_policy(program, &read_from)?;
                let (action, condition) = read_instruction(program, table, &read_from, Span::new(0..words.len()))?;
                let one =
                    |player: &PlayerId| Instruction::new(*player, action.clone(), condition.clone(), words.to_owned());
                settlement.actions.extend(whose.iter().map(one));
                flags.actions.resize(settlement.actions.len(), Some(source));
                continue;
            }
        };
        // A policy of one player has priority over a policy of all players.
        let place = if owner.is_some() { 0 } else { wishes.len() };
        let words = owner.is_some().then_some(source);
        wishes.splice(place..place, whose.into_iter().map(|player| (player, wish.clone(), words.clone())));
    }
    let known: Vec<PlayerId> = settlement.policies.iter().map(|(player, _)| *player).collect();
    let mut seen = Vec::new();
    wishes.retain(|(player, ..)| {
        let first = !seen.contains(player) && !known.contains(player);
        seen.push(*player);
        first
    });
    flags.policies.extend(wishes.iter().map(|(_, _, words)| words.clone()));
    Ok((settlement, wishes.into_iter().map(|(player, wish, _)| (player, wish)).collect(), flags))
}
