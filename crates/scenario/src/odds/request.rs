//! Odds from the end of a scenario: the chance of a condition, or of each player to win.

use std::sync::Arc;

use num_rational::BigRational;
use num_traits::One;

use crate::check::facts::{holds, outcome};
use crate::odds::explain::{Asked, OddsFlags, explain, trap_lines};
use crate::odds::unused::unused;
use crate::plan::absent;
use crate::plan::chance::CHANCE;
use crate::plan::condition::{About, condition};
use crate::plan::model::Condition;
use crate::plan::policy::Place;
use crate::plan::resolver::{Resolver, resolved};
use crate::plan::strategy::{self, Flags, StrategyFlags, StrategyPart};
use referee_diagnostic::{Code, Diagnostic};
use referee_play::{
    Chance, Deals, Follower, Graph, Horizon, Inquiry, Limit, Machine, OddsError, Policy, Progress, Stop, explore, tell,
};
use referee_rules::{Placeholders, Program};
use referee_source::{Source, Span};
use referee_syntax::parse_words;
use referee_table::{Outcome, PlayerId, State, Table, TurnRules, draw};
use referee_trace::Drawing;

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
    /// How `greedy` averages over what its player does not see.
    pub deals: Deals,
    /// The largest number of bytes for them.
    pub bytes: u64,
    /// What runs the rules.
    pub by: Follower,
    /// The flags that name these parts in messages.
    pub flags: OddsFlags,
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
    /// The chance that several players win together, if all of them are among the outcomes and this may happen.
    pub shared: Option<Chance>,
    /// One of these positions, if there are any.
    pub trap: Option<TrapShown>,
}

/// Why odds are not known.
#[derive(Clone, Debug)]
pub struct UnknownOdds {
    /// The errors.
    pub problems: Vec<Diagnostic>,
    /// The limit that was reached, if it is that.
    pub limit: Option<Limit>,
}

impl From<Vec<Diagnostic>> for UnknownOdds {
    fn from(problems: Vec<Diagnostic>) -> Self {
        Self { problems, limit: None }
    }
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

/// Returns the odds from the present position of a machine.
pub(crate) fn odds(program: &Program, machine: &Machine<'_>, request: &OddsRequest) -> Result<Odds, UnknownOdds> {
    if !matches!(machine.stop(), Stop::Paused(_) | Stop::Over) {
        if let Stop::Fault(wrong) = machine.stop() {
            return Err(vec![(**wrong).clone()].into());
        }
        let wrong = Diagnostic::general(Code::NothingAsked, "play does not continue from the end of this scenario");
        let [first, _] = machine.names().schema.example_players();
        let help = format!("choose a scenario that ends at a question, or begin its play with `turn {first}`");
        return Err(vec![wrong.help(help)].into());
    }
    let table = &machine.state().table;
    let flags =
        strategy::flags(program, table, request.flags.strategy, (&request.when, &request.policies), Place::Odds)?;
    let asking = Asking { program, machine, request, flags };
    match &request.chance {
        Some(words) => asking.of_condition(words),
        None => asking.of_winning(),
    }
}

struct Asking<'a> {
    program: &'a Program,
    machine: &'a Machine<'a>,
    request: &'a OddsRequest,
    flags: Flags,
}

impl Asking<'_> {
    /// Returns the inquiry with the requested policies, for a condition that is good for the players for which
    /// `wanted_by` returns true.
    fn inquiry(&self, wanted_by: impl Fn(PlayerId) -> bool) -> Inquiry {
        let mut strategy = self.flags.strategy.clone();
        strategy.deals = self.request.deals.clone();
        for (player, policy) in &mut strategy.policies {
            match policy {
                Policy::Best if !wanted_by(*player) => *policy = Policy::Worst,
                Policy::Worst if !wanted_by(*player) => *policy = Policy::Best,
                _ => {}
            }
        }
        let OddsRequest { horizon, states, bytes, by, .. } = *self.request;
        Inquiry { horizon, strategy, states, bytes, by }
    }

    fn explored(
        &self,
        inquiry: &Inquiry,
        reads: TurnRules,
        class: &mut dyn FnMut(&State) -> Result<usize, Box<Diagnostic>>,
    ) -> Result<Graph, UnknownOdds> {
        let machine = self.machine.reading_turns(reads.and(inquiry.strategy.reads_turns()));
        let graph = explore(&machine, inquiry, class).map_err(|trouble| {
            let limit = match &trouble {
                OddsError::TooMany(_, limit) => Some(*limit),
                _ => None,
            };
            let asked = Asked::Flags(self.request.flags);
            UnknownOdds { problems: vec![explain(self.program, trouble, inquiry, asked)], limit }
        })?;
        let unused = self.unused(unused(self.machine.names(), &inquiry.strategy, graph.met()));
        if unused.is_empty() { Ok(graph) } else { Err(unused.into()) }
    }

    /// Returns an error for each argument of which no part has an effect.
    fn unused(&self, unused: Vec<(StrategyPart, Diagnostic)>) -> Vec<Diagnostic> {
        let parts: Vec<StrategyPart> = unused.iter().map(|(part, _)| *part).collect();
        let (source, arguments) = self.flags.all_of(&parts);
        let wrong = unused.into_iter().filter_map(|(part, wrong)| {
            let (_, span) = arguments.iter().find(|(other, _)| *other == part)?;
            Some(wrong.at(source, *span))
        });
        wrong.collect()
    }

    fn of_condition(&self, words: &str) -> Result<Odds, UnknownOdds> {
        let (source, condition) = read_condition(self.program, &self.machine.state().table, words, &CHANCE)?;
        let placeholders = Placeholders::default();
        let mut class =
            |state: &State| holds(self.program, (&source, &placeholders), &condition, state).map(usize::from);
        let reads = condition.reads_turns(&source);
        let graph = self.explored(&self.inquiry(|_| true), reads, &mut class)?;
        let row = row(&graph, words.to_owned(), |class| class == 1);
        let (states, endless) = (graph.states(), graph.endless());
        Ok(Odds { rows: vec![row], states, endless, shared: None, trap: self.trap(&graph) })
    }

    fn of_winning(&self) -> Result<Odds, UnknownOdds> {
        let players = &self.machine.state().table.players;
        let strategy = &self.flags.strategy;
        let tries = |player: &PlayerId| matches!(strategy.policy(*player), Some((_, Policy::Best | Policy::Worst)));
        let trying: Vec<PlayerId> = players.iter().copied().filter(tries).collect();
        if trying.len() > 1 && players.len() > 2 {
            let message = "best play of several players is supported for two players only";
            let [one, other] = self.machine.names().schema.example_players();
            let policy = self.request.flags.strategy.policy;
            return Err(vec![Diagnostic::question(Code::NotSupported, message).help(format!(
                "let one player play best, and choose policies for the others: \
                 `{policy} {one}=best {policy} {other}=random`",
            ))]
            .into());
        }
        let Some(first) = trying.first().copied() else {
            let mut found = Vec::new();
            let graph = self.explored(&self.inquiry(|_| true), TurnRules::default(), &mut |state| {
                Ok(class_of(&mut found, state))
            })?;
            return Ok(self.table(&graph, &found, players));
        };
        // If one of two players always wins, one chance determines the other. Otherwise only the chance of the player
        // who plays best or worst is known.
        let mut found = Vec::new();
        let graph = self.explored(&self.inquiry(|player| player == first), TurnRules::default(), &mut |state| {
            Ok(class_of(&mut found, state))
        })?;
        let own = self.table(&graph, &found, &[first]);
        let either = one_of_two_wins(players, own.endless, &found);
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
            let OddsFlags { chance, strategy: StrategyFlags { policy, .. }, .. } = self.request.flags;
            let help = format!(
                "ask about one condition: `{chance} \"winner {one}\" {policy} {one}=best {policy} {other}=worst`"
            );
            return Err(vec![Diagnostic::question(Code::NotSupported, message).help(help)].into());
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
        let chance = |player: PlayerId| row(graph, self.name(player), |class| wins(class, player));
        let mut rows: Vec<OddsRow> = match players {
            [one, other] if one_of_two_wins(players, graph.endless(), found) => {
                let first = chance(*one);
                let second = told(self.name(*other), || rest(&first.chance));
                vec![first, second]
            }
            _ => players.iter().map(|player| chance(*player)).collect(),
        };
        for (class, end) in found.iter().enumerate() {
            if !matches!(end, Some(Outcome::Won(_))) {
                let name = outcome(self.machine.names(), end.as_ref());
                rows.push(row(graph, name, |other| other == class));
            }
        }
        let endless = graph.endless();
        if endless > 0 {
            let ends = row(graph, "ends".to_owned(), |_| true);
            rows.push(OddsRow { name: "never ends".to_owned(), chance: rest(&ends.chance) });
        }
        let several = |class: usize| match found.get(class) {
            Some(Some(Outcome::Won(winners))) => winners.iter().filter(|winner| players.contains(winner)).count() > 1,
            _ => false,
        };
        let shared = (0..found.len()).any(several).then(|| row(graph, "several win".to_owned(), several).chance);
        Odds { rows, states: graph.states(), endless, shared, trap: self.trap(graph) }
    }
}

/// Returns whether exactly one of two players always wins, so that one chance determines the other.
fn one_of_two_wins(players: &[PlayerId], endless: usize, found: &[Option<Outcome>]) -> bool {
    players.len() == 2 && endless == 0 && found.iter().all(one_wins)
}

/// Returns whether exactly one player wins.
fn one_wins(outcome: &Option<Outcome>) -> bool {
    matches!(outcome, Some(Outcome::Won(winners)) if winners.len() == 1)
}

/// Returns the chance of an outcome with its name.
fn row(graph: &Graph, name: String, wanted: impl Fn(usize) -> bool) -> OddsRow {
    told(name, || graph.chance(wanted))
}

/// Returns a chance with its name. The watcher can follow.
fn told(name: String, chance: impl FnOnce() -> Chance) -> OddsRow {
    tell(&Progress::Outcome(&name));
    let chance = chance();
    tell(&Progress::Is(&chance));
    OddsRow { name, chance }
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

/// Reads a condition from words of the command line.
pub(crate) fn read_condition(
    program: &Program,
    table: &Table,
    words: &str,
    about: &About,
) -> Result<(Arc<Source>, Condition), Vec<Diagnostic>> {
    let source = command_line(words);
    let span = Span::new(0..words.len());
    let condition = if words.starts_with('{') {
        absent::compile(program, table, (&source, span), &Placeholders::default())?;
        Condition::Expression(span)
    } else {
        let spans = parse_words(&source, span);
        let read = |resolver: &mut Resolver<'_>| {
            let words = resolver.words(&spans);
            condition(resolver, table, resolver.phrase(&words, span), about)
        };
        Condition::Fact(resolved(&source, read)?)
    };
    Ok((source, condition))
}
