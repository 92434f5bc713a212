//! The odds from the end of a scenario on: of something, or of each player to win.

use std::sync::Arc;

use num_rational::BigRational;
use num_traits::One;

use super::chances;
use super::chancing::{Asked, explain, holds};
use super::plan::Check;
use super::resolver::{Resolver, names};
use super::verdicts::outcome;
use crate::diagnostic::Diagnostic;
use crate::play::{Chance, Graph, Horizon, Inquiry, Machine, Manner, Settlement, Stop, Trouble, explore};
use crate::rules::{Holes, Program};
use crate::source::{Source, Span, Word};
use crate::syntax::parse_words;
use crate::table::{Outcome, PlayerId, State};

/// The name under which messages show words of the command line.
pub const COMMAND_LINE: &str = "(command line)";

/// What is asked, in words that are still to be read.
#[derive(Clone, Debug)]
pub struct OddsRequest {
    /// How decisions are settled: `red squash evil`, `red policy random`.
    pub when: Vec<String>,
    /// How players decide else: `random`, `best`, `worst`, or an action; of one player with `red=` before it.
    pub policies: Vec<String>,
    /// What is to happen; nothing for the chance of each player to win.
    pub chance: Option<String>,
    /// Up to where.
    pub horizon: Horizon,
    /// The most states.
    pub states: usize,
}

/// The odds that were asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Odds {
    /// What may come, and how likely it is.
    pub rows: Vec<OddsRow>,
    /// How many states were met.
    pub states: usize,
    /// From how many of them the game cannot end.
    pub endless: usize,
}

/// One thing that may come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OddsRow {
    /// A player who may win, another end, or the condition.
    pub name: String,
    /// Its chance.
    pub chance: Chance,
}

/// The wishes of players who decide what nothing else settles.
type Wishes = Vec<(PlayerId, Wish)>;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Wish {
    Random,
    Best,
    Worst,
}

/// The odds from where a machine stands.
pub(super) fn odds(program: &Program, machine: &Machine<'_>, request: &OddsRequest) -> Result<Odds, Vec<Diagnostic>> {
    if !matches!(machine.stop(), Stop::Paused(_) | Stop::Over) {
        if let Stop::Fault(wrong) = machine.stop() {
            return Err(vec![(**wrong).clone()]);
        }
        let wrong = Diagnostic::general("nothing_asked", "play does not go on from the end of this scenario");
        return Err(vec![wrong.help("choose a scenario that ends at a question, or begin its play with `turn red`")]);
    }
    let (settlement, wishes) = settled(machine, request)?;
    let asking = Asking { program, machine, request, settlement, wishes };
    match &request.chance {
        Some(words) => asking.of_condition(words),
        None => asking.of_winning(),
    }
}

struct Asking<'a> {
    program: &'a Program,
    machine: &'a Machine<'a>,
    request: &'a OddsRequest,
    settlement: Settlement,
    wishes: Wishes,
}

impl Asking<'_> {
    /// The wishes as policies, for a condition that these players want.
    fn inquiry(&self, wanted_by: impl Fn(PlayerId) -> bool) -> Inquiry {
        let mut settlement = self.settlement.clone();
        settlement.policies.extend(self.wishes.iter().map(|(player, wish)| {
            let policy = match (wish, wanted_by(*player)) {
                (Wish::Random, _) => Manner::Random,
                (Wish::Best, true) | (Wish::Worst, false) => Manner::Likeliest,
                (Wish::Best, false) | (Wish::Worst, true) => Manner::LeastLikely,
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
        graph.map_err(|trouble: Trouble| vec![explain(self.program, trouble, Asked::Flag)])
    }

    fn of_condition(&self, words: &str) -> Result<Odds, Vec<Diagnostic>> {
        let source = command_line(words);
        let span = Span::new(0..words.len());
        let holes = Holes::default();
        let condition = if words.starts_with('{') {
            self.program.compile_island(&source, span, &holes)?;
            Check::Island(span)
        } else {
            let table = &self.machine.state().table;
            read(&source, |resolver, words| chances::condition(resolver, table, words, span))?
        };
        let mut class = |state: &State| holds(self.program, (&source, &holes), &condition, state).map(usize::from);
        let graph = self.explored(&self.inquiry(|_| true), &mut class)?;
        let row = OddsRow { name: words.to_owned(), chance: graph.chance(|class| class == 1) };
        Ok(Odds { rows: vec![row], states: graph.states(), endless: graph.endless() })
    }

    fn of_winning(&self) -> Result<Odds, Vec<Diagnostic>> {
        let players = &self.machine.state().table.players;
        let wish = |player: &PlayerId| self.wishes.iter().any(|(other, wish)| other == player && *wish != Wish::Random);
        let trying: Vec<PlayerId> = players.iter().copied().filter(wish).collect();
        if trying.len() > 1 && players.len() > 2 {
            let message = "the best play of several players is known for two players only";
            return Err(vec![Diagnostic::general("not_supported", message).help(
                "let one player play best, and settle the decisions of the others: `--policy red=best --policy blue=random`",
            )]);
        }
        let Some(first) = trying.first().copied() else {
            let mut found = Vec::new();
            let graph = self.explored(&self.inquiry(|_| true), &mut |state| Ok(class_of(&mut found, state)))?;
            return Ok(self.table(&graph, &found, players));
        };
        // What one of two players wins is what the other loses; else only the row of the one who tries is known.
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
            let message = format!("best play of both is known where one of them wins; this game may end {otherwise}");
            return Err(vec![
                Diagnostic::general("not_supported", message)
                    .help("ask about one thing: `--chance \"winner red\" --policy red=best --policy blue=worst`"),
            ]);
        }
        let rows = own.rows.into_iter().filter(|row| row.name == self.name(first)).collect::<Vec<_>>();
        let Some(mine) = rows.first().filter(|_| either).map(|row| row.chance.clone()) else {
            return Ok(Odds { rows, ..own });
        };
        let chance = |player: PlayerId| if player == first { mine.clone() } else { rest(&mine) };
        let rows = players.iter().map(|player| OddsRow { name: self.name(*player), chance: chance(*player) }).collect();
        Ok(Odds { rows, ..own })
    }

    fn name(&self, player: PlayerId) -> String {
        self.machine.names().schema.player_name(player).to_owned()
    }

    /// The chances of players to win, and of other ends.
    fn table(&self, graph: &Graph, found: &[Option<Outcome>], players: &[PlayerId]) -> Odds {
        let wins = |class: usize, player: PlayerId| matches!(found.get(class), Some(Some(Outcome::Won(winners))) if winners.contains(&player));
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
        Odds { rows, states: graph.states(), endless }
    }
}

/// The chance that something does not happen.
fn rest(chance: &Chance) -> Chance {
    Chance { low: BigRational::one() - &chance.high, high: BigRational::one() - &chance.low }
}

/// The class of an end: which outcome it is, in the order in which they are found.
fn class_of(found: &mut Vec<Option<Outcome>>, state: &State) -> usize {
    found.iter().position(|outcome| *outcome == state.outcome).unwrap_or_else(|| {
        found.push(state.outcome.clone());
        found.len() - 1
    })
}

fn command_line(words: &str) -> Arc<Source> {
    Arc::new(Source::new(COMMAND_LINE, words))
}

/// Read words of the command line.
fn read<T>(
    source: &Arc<Source>,
    read: impl FnOnce(&mut Resolver<'_>, &[Word<'_>]) -> Option<T>,
) -> Result<T, Vec<Diagnostic>> {
    let mut resolver = Resolver { source, row: None, wrong: Vec::new() };
    let spans = parse_words(source, Span::new(0..source.text().len()));
    let words = resolver.words(&spans);
    match read(&mut resolver, &words) {
        Some(value) if resolver.wrong.is_empty() => Ok(value),
        _ if resolver.wrong.is_empty() => Err(vec![Diagnostic::general("wrong_form", "this cannot be read")]),
        _ => Err(resolver.wrong),
    }
}

/// How the command line settles decisions.
fn settled(machine: &Machine<'_>, request: &OddsRequest) -> Result<(Settlement, Wishes), Vec<Diagnostic>> {
    let table = &machine.state().table;
    let mut settlement = Settlement::default();
    for words in &request.when {
        let source = command_line(words);
        let span = Span::new(0..words.len());
        read(&source, |resolver, words| chances::when(resolver, table, &mut settlement, words, span))?;
    }
    let mut wishes = Wishes::new();
    for policy in &request.policies {
        let (player, policy) = match policy.split_once('=') {
            Some((player, policy)) => (Some(player.trim()), policy.trim()),
            None => (None, policy.trim()),
        };
        let whose: Vec<PlayerId> = match player {
            Some(player) => {
                let source = command_line(player);
                vec![read(&source, |resolver, words| {
                    let player = resolver.get(names(table).player(words.first()?))?;
                    super::steps::taking_part(resolver, table, player, words.first()?)
                })?]
            }
            None => table.players.clone(),
        };
        let wish = match policy {
            "random" => Wish::Random,
            "best" => Wish::Best,
            "worst" => Wish::Worst,
            words => {
                let source = command_line(words);
                let end = Span::new(words.len()..words.len());
                let action = read(&source, |resolver, words| super::steps::action(resolver, table, words, end))?;
                settlement.actions.extend(whose.iter().map(|player| (*player, action.clone())));
                continue;
            }
        };
        // What is said of one player goes before what is said of all.
        let place = if player.is_some() { 0 } else { wishes.len() };
        wishes.splice(place..place, whose.into_iter().map(|player| (player, wish)));
    }
    let known: Vec<PlayerId> = settlement.policies.iter().map(|(player, _)| *player).collect();
    let mut seen = Vec::new();
    wishes.retain(|(player, _)| {
        let first = !seen.contains(player) && !known.contains(player);
        seen.push(*player);
        first
    });
    Ok((settlement, wishes))
}
