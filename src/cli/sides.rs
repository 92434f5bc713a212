//! The readings that `referee compare` compares, ready to be played.

use super::disk::Disk;
use super::flags::STRATEGY;
use super::own_tests::AskedGame;
use super::pairs::Side;
use super::workers::spread;
use referee_diagnostic::Diagnostic;
use referee_play::Deals;
use referee_report::counters;
use referee_scenario::{Issue, Loader, MAX_PAIRED, Origin, SetUp, issues};
use referee_table::PlayerId;

/// The readings to compare.
pub(super) struct Question<'q> {
    /// The reading that all others are compared with.
    pub(super) first: SetUp,
    /// The other one; `None` for every value of every option and every house rule.
    pub(super) second: Option<SetUp>,
    /// How players decide, in the words of the command line.
    pub(super) policies: &'q [String],
    /// How `greedy` averages, in the games of all readings.
    pub(super) deals: Deals,
    /// A condition for the end of a game.
    pub(super) chance: Option<&'q String>,
}

/// The readings, and the data that the games of all readings share.
pub(super) struct Sides {
    /// The readings; the first is the one that all others are compared with.
    pub(super) all: Vec<Side>,
    /// The options of which not every value is tried.
    pub(super) cut: Vec<Issue>,
    /// The players, in the order of play; none if no game can be played under the first reading.
    pub(super) players: Vec<PlayerId>,
    /// The policy of each player.
    pub(super) policies: Vec<String>,
    /// Whether a player has no policy, and decides at random.
    pub(super) is_open: bool,
}

impl Sides {
    /// Prepares the readings.
    ///
    /// # Errors
    /// Returns the errors of the readings that the user named, and of the policies and the condition.
    pub(super) fn of(asked: &AskedGame, question: &Question<'_>) -> Result<Self, Vec<Diagnostic>> {
        let loader = || Loader::new(&Disk, asked.options.clone());
        let prepared = spread(1, 1, loader, |loader, _| prepare(asked, question, loader));
        prepared.into_iter().next().unwrap_or_else(|| Err(Vec::new()))
    }
}

fn prepare(asked: &AskedGame, question: &Question<'_>, loader: &mut Loader<'_>) -> Result<Sides, Vec<Diagnostic>> {
    let (first, players) = side(question, loader, &question.first, &[]);
    let issues = issues(&asked.listed, MAX_PAIRED);
    let others = match &question.second {
        Some(second) => vec![second.clone()],
        None => every_other(&first, &issues),
    };
    let mut all = vec![first];
    for set_up in others {
        let known = all.first().map(|first| first.options.clone()).unwrap_or_default();
        all.push(side(question, loader, &set_up, &known).0);
    }
    let named = if question.second.is_some() { all.len() } else { 1 };
    let mut wrong: Vec<Diagnostic> = Vec::new();
    // It is no error if the game is over at once under a reading.
    for problem in all.iter().take(named).flat_map(Side::errors) {
        // An error of both, for example in a policy, is reported once.
        if !wrong.iter().any(|known| known.message == problem.message) {
            wrong.push(problem.clone());
        }
    }
    if !wrong.is_empty() {
        return Err(wrong);
    }
    let strategy = all.first().map(|first| &first.strategy);
    let policies = players.iter().filter_map(|player| Some(strategy?.describe(*player))).collect();
    let has_policy = |player: &PlayerId| strategy.is_some_and(|strategy| strategy.policy(*player).is_some());
    let is_open = players.is_empty() || !players.iter().all(has_policy);
    let cut = issues.into_iter().filter(|issue| question.second.is_none() && issue.cut_from.is_some()).collect();
    Ok(Sides { cut, players, policies, is_open, all })
}

/// Returns a reading, and the players of its games. If no game can be played, its options are taken from the words of
/// its set-up, otherwise from `known`.
fn side(
    question: &Question<'_>,
    loader: &mut Loader<'_>,
    set_up: &SetUp,
    known: &[(String, String)],
) -> (Side, Vec<PlayerId>) {
    let read = referee_scenario::stage(loader, &Origin::SetUp(set_up.clone())).and_then(|stage| {
        let mut strategy = stage.strategy(STRATEGY, question.policies)?;
        strategy.deals = question.deals.clone();
        let chance = question.chance.map(|words| stage.condition(words)).transpose()?;
        let mut side = Side::new(set_up.clone(), stage.options(), strategy, chance);
        side.counters = counters(stage.schema());
        Ok((side, stage.players))
    });
    read.unwrap_or_else(|why| {
        let chosen = |name: &str| {
            let mut pairs = set_up.options.iter();
            pairs.find(|(other, _)| other == name).map(|(_, value)| value.clone())
        };
        let options = known.iter().map(|(name, value)| (name.clone(), chosen(name).unwrap_or_else(|| value.clone())));
        (Side::unplayable(set_up.clone(), options.collect(), why), Vec::new())
    })
}

/// Returns the readings in which one option has another value than in the first reading, or one more house rule is in
/// use.
fn every_other(first: &Side, issues: &[Issue]) -> Vec<SetUp> {
    let (first, options) = (&first.set_up, &first.options);
    let mut others = Vec::new();
    for issue in issues {
        if issue.is_house() {
            let houses = first.houses.iter().chain([&issue.name]).cloned().collect();
            others.extend((!first.houses.contains(&issue.name)).then(|| SetUp { houses, ..first.clone() }));
            continue;
        }
        let now = options.iter().find(|(name, _)| *name == issue.name).map(|(_, value)| value);
        for value in issue.values.iter().filter(|value| Some(*value) != now) {
            let own = (issue.name.clone(), value.clone());
            let is_other = |(name, _): &&(String, String)| *name != issue.name;
            let options = first.options.iter().filter(is_other).cloned().chain([own]).collect();
            others.push(SetUp { options, ..first.clone() });
        }
    }
    others
}
