//! The readings that `referee compare` compares, ready to be played.

use super::disk::Disk;
use super::own_tests::AskedGame;
use super::pairs::Side;
use super::workers::spread;
use crate::diagnostic::Diagnostic;
use crate::scenario::{self, Issue, Loader, MAX_PAIRED, Origin, SetUp, Stage, issues};
use crate::table::PlayerId;

/// What is to be compared.
pub(super) struct Question<'q> {
    /// The reading that all others are compared with.
    pub(super) first: SetUp,
    /// The other one; `None` for every value of every option and every house rule.
    pub(super) second: Option<SetUp>,
    /// How players decide, in the words of the command line.
    pub(super) policies: &'q [String],
    /// A condition for the end of a game.
    pub(super) chance: Option<&'q String>,
}

/// The readings, and what holds for the games of all of them.
pub(super) struct Sides {
    /// The readings; the first is the one that all others are compared with.
    pub(super) all: Vec<Side>,
    /// The readings that cannot be played, with their errors. If the user named the reading, its errors end the command.
    pub(super) unplayable: Vec<(SetUp, Vec<Diagnostic>)>,
    /// The options of which not every value is tried.
    pub(super) cut: Vec<Issue>,
    /// The players, in the order of play.
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
    let first = side(question, loader, &question.first);
    let others = match (&question.second, &first) {
        (Some(second), _) => vec![second.clone()],
        (None, Ok((_, stage))) => every_other(&question.first, stage, &issues(&asked.listed, MAX_PAIRED)),
        (None, Err(_)) => Vec::new(),
    };
    let (mut all, mut unplayable) = (Vec::new(), Vec::new());
    for set_up in others {
        match side(question, loader, &set_up) {
            Ok((side, _)) => all.push(side),
            Err(problems) => unplayable.push((set_up, problems)),
        }
    }
    let named = question.second.is_some().then(|| unplayable.iter().flat_map(|(_, problems)| problems).cloned());
    let wrong: Vec<Diagnostic> = named.into_iter().flatten().collect();
    let (first, stage) = match first {
        Ok(first) if wrong.is_empty() => first,
        Ok(_) => return Err(wrong),
        Err(mut problems) => {
            // What is wrong with both, as a policy may be, is reported once.
            let new = wrong.into_iter().filter(|wrong| !problems.iter().any(|known| known.message == wrong.message));
            let new: Vec<Diagnostic> = new.collect();
            problems.extend(new);
            return Err(problems);
        }
    };
    all.insert(0, first);
    let first = all.first().map(|first| &first.strategy);
    let players = stage.players.clone();
    let policies = players.iter().filter_map(|player| Some(first?.describe(*player))).collect();
    let is_open = players.iter().any(|player| first.is_none_or(|strategy| strategy.policy(*player).is_none()));
    let cut = issues(&asked.listed, MAX_PAIRED).into_iter();
    let cut = cut.filter(|issue| question.second.is_none() && issue.cut_from.is_some()).collect();
    Ok(Sides { unplayable, cut, players, policies, is_open, all })
}

/// Returns a reading that is ready to be played, and the start of its games.
fn side(question: &Question<'_>, loader: &mut Loader<'_>, set_up: &SetUp) -> Result<(Side, Stage), Vec<Diagnostic>> {
    let stage = scenario::stage(loader, &Origin::SetUp(set_up.clone()))?;
    let strategy = stage.strategy(question.policies)?;
    let chance = question.chance.map(|words| stage.condition(words)).transpose()?;
    Ok((Side::new(set_up.clone(), stage.options(), strategy, chance), stage))
}

/// Returns the readings in which one option has another value than in the first reading, or one more house rule is in use.
fn every_other(first: &SetUp, stage: &Stage, issues: &[Issue]) -> Vec<SetUp> {
    let options = stage.options();
    let mut others = Vec::new();
    for issue in issues {
        if issue.is_house() {
            let houses = first.houses.iter().chain([&issue.name]).cloned().collect();
            others.extend((!first.houses.contains(&issue.name)).then(|| SetUp { houses, ..first.clone() }));
            continue;
        }
        let now = options.iter().find(|(name, _)| *name == issue.name).map(|(_, value)| value);
        for value in issue.values.iter().filter(|value| Some(*value) != now) {
            let own = format!("{} = {value}", issue.name);
            let is_other = |words: &&String| words.split_once(" = ").is_none_or(|(name, _)| name != issue.name);
            let options = first.options.iter().filter(is_other).cloned().chain([own]).collect();
            others.push(SetUp { options, ..first.clone() });
        }
    }
    others
}
