//! The same random games with each value of an option: errors of the rules, and options that make no difference.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::finding::{Finding, FindingKey, Kind};
use super::hunt::Hunt;
use super::shrink::{Evidence, Shrunk, shrink};
use crate::loader::Loader;
use crate::plan::reading::Reading;
use crate::readings::{MAX_PAIRED, settings};
use crate::run::runner;
use crate::stage::{Begins, NoStage, Origin, Stage, stage_as};
use referee_diagnostic::{Code, Diagnostic};
use referee_play::Digest;
use referee_table::{OptionId, Schema, Setting, Table};
use referee_trace::Event;

/// An option with another value than the games that are explored have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherSetting {
    option: OptionId,
    value: Setting,
    /// Its value in the games that are explored.
    now: Setting,
}

/// The effect of another value of an option.
#[derive(Clone, Debug)]
pub enum SettingEffect {
    /// A game, or the position in which games begin.
    Some,
    /// None of the games, of which some come to their end.
    None,
    /// None of the games, but none of them is finished.
    Unknown,
    /// No game can begin with it: the first error.
    Unplayable(Box<Diagnostic>),
}

/// The number of turns that are compared first.
const OPENING: u64 = 20;
/// The most games with another value that are searched for errors of the rules, and the most turns of them together.
const SEARCHED: (u64, u64) = (10, 1000);

impl OtherSetting {
    /// Returns the option and the value, as `--with` takes them.
    #[must_use]
    pub fn written(&self, schema: &Schema) -> String {
        let option = schema.options.get(self.option.index()).map_or("", |option| option.name.as_str());
        format!("{option}={}", self.value)
    }

    /// Returns whether the rules of a stage may have read the option in games in which their points have run so often.
    #[must_use]
    pub fn may_have_been_read(&self, stage: &Stage, runs: &[u64]) -> bool {
        let option = stage.schema().options.get(self.option.index());
        option.is_none_or(|option| stage.program.may_have_read(&option.name, runs))
    }

    fn reading(&self) -> Reading {
        Reading { settings: vec![(self.option, self.value.clone())], ..Reading::default() }
    }
}

/// The games as they are, once they were needed: those with other values of options are compared with them.
#[derive(Default)]
pub struct Originals {
    /// The events before a game.
    before: Option<Vec<Event>>,
    /// The games, by the number of turns after which they are stopped and by their numbers.
    games: BTreeMap<(u64, u64), Digest>,
}

impl Originals {
    fn before(&mut self, hunt: &Hunt<'_>) -> &[Event] {
        self.before.get_or_insert_with(|| events(hunt.stage))
    }

    fn game(&mut self, hunt: &Hunt<'_>, number: u64) -> &Digest {
        self.games.entry((hunt.max_turns, number)).or_insert_with(|| hunt.digest(number))
    }
}

/// What is known of the games as they are that are compared with those with another value of an option.
#[derive(Clone, Copy, Debug)]
pub struct KnownGames<'h> {
    /// Whether the rules may have read the option in them. If not, no value of it makes a difference.
    pub have_read: bool,
    /// The numbers of those that have come to their end.
    pub over: &'h BTreeSet<u64>,
}

/// An error of the rules in games with another value of an option.
#[derive(Clone, Debug)]
pub struct SettingFault {
    /// The option and the value.
    pub other: OtherSetting,
    /// The error, as the shortest of these games shows it.
    pub finding: Finding,
    /// The number of turns of this game, and its number.
    pub shortest: (u64, u64),
    /// The number of games with the error.
    pub games: u64,
    /// The number of games that were searched.
    pub searched: u64,
}

/// Plays the first of the games with these numbers again, with an option set to another value, and returns the errors of the
/// rules in them, sorted.
pub fn setting_faults(
    loader: &mut Loader<'_>,
    origin: &Origin,
    hunt: &Hunt<'_>,
    (first, count): (u64, u64),
    (other, known): (&OtherSetting, KnownGames<'_>),
) -> Vec<SettingFault> {
    if !known.have_read {
        return Vec::new();
    }
    let Ok(stage) = stage_as(loader, origin, &other.reading()) else { return Vec::new() };
    let (most, mut left) = SEARCHED;
    let mut searched = 0;
    let mut faults: BTreeMap<FindingKey, SettingFault> = BTreeMap::new();
    for number in first..first + count.min(most) {
        if left == 0 {
            break;
        }
        searched += 1;
        let changed = Hunt { stage: &stage, invariants: &[], max_turns: hunt.max_turns.min(left), ..*hunt };
        let game = changed.game(number, first + count.min(most) - number);
        left -= game.tally.plies.min(left);
        let Some(finding) = game.finding.filter(|finding| finding.key.kind == Kind::Fault) else { continue };
        let shortest = (game.tally.plies, number);
        let new = SettingFault { other: other.clone(), finding, shortest, games: 0, searched: 0 };
        let known = faults.entry(new.finding.key.clone()).or_insert_with(|| new.clone());
        if shortest < known.shortest {
            (known.shortest, known.finding) = (shortest, new.finding);
        }
        known.games += 1;
    }
    faults.into_values().map(|fault| SettingFault { searched, ..fault }).collect()
}

/// Returns the shortest scenario found that shows such an error, beginning with this comment. Returns `None` if the files have
/// changed so that no game begins.
pub fn shrink_setting(
    loader: &mut Loader<'_>,
    (origin, file): (&Origin, &Path),
    hunt: &Hunt<'_>,
    fault: &SettingFault,
    comment: &str,
) -> Option<Shrunk> {
    let stage = stage_as(loader, origin, &fault.other.reading()).ok()?;
    let changed = Hunt { stage: &stage, invariants: &[], ..*hunt };
    Some(shrink(loader, file, &changed, (&fault.finding, Evidence::Game(fault.shortest.1)), comment))
}

/// Returns the other numbers of players for whom the set-up of a stage is; none for a scenario.
#[must_use]
pub fn other_players(stage: &Stage) -> Vec<usize> {
    let table = &stage.plan.start.table;
    let (least, most) = stage.schema().player_count_of(table.variant);
    let is_set_up = matches!(stage.begins, Begins::SetUp(_));
    (least..=most).filter(|number| is_set_up && *number != table.players.len()).collect()
}

/// Returns the other values of each option that the start of the games does not set itself. Of an option with many
/// numbers, these are the lowest, the highest and those nearest its default.
#[must_use]
pub fn other_settings(stage: &Stage) -> Vec<OtherSetting> {
    let table = &stage.plan.start.table;
    let options = stage.schema().options.iter().enumerate().map(|(at, option)| (OptionId::at(at), option));
    let free = options.filter(|(id, _)| !stage.plan.own_options.contains(id));
    let valued = free.filter_map(|(id, option)| Some((id, option, table.option(id)?)));
    let others = valued.flat_map(|(id, option, now)| {
        let values = settings(&option.choice, MAX_PAIRED).0.into_iter().filter(move |value| value != now);
        values.map(move |value| OtherSetting { option: id, value, now: now.clone() })
    });
    others.collect()
}

/// Plays the games with these numbers again, with an option set to another value, until one of them is another game.
pub fn setting_effect(
    loader: &mut Loader<'_>,
    origin: &Origin,
    (hunt, originals): (&Hunt<'_>, &mut Originals),
    (first, count): (u64, u64),
    (other, known): (&OtherSetting, KnownGames<'_>),
) -> SettingEffect {
    let stage = match stage_as(loader, origin, &other.reading()) {
        Ok(stage) => stage,
        // The games with the option as it is do begin.
        Err(NoStage::Over(_)) => return SettingEffect::Some,
        Err(why @ (NoStage::NoScenario(_) | NoStage::Wrong(_))) => {
            let wrong = why.problems().first().cloned();
            return wrong.map_or(SettingEffect::Some, |wrong| SettingEffect::Unplayable(Box::new(wrong)));
        }
    };
    let changed = Hunt { stage: &stage, invariants: &[], ..*hunt };
    if !are_alike(&hunt.stage.plan.start.table, &stage.plan.start.table) {
        return SettingEffect::Some;
    }
    if !known.have_read && hunt.stage.start.is_like(&stage.start) {
        return if known.over.is_empty() { SettingEffect::Unknown } else { SettingEffect::None };
    }
    if originals.before(hunt) != events(&stage) {
        return SettingEffect::Some;
    }
    let numbers = first..first + count;
    // Most options that make a difference make it early.
    let openings = [hunt, &changed].map(|hunt| Hunt { max_turns: hunt.max_turns.min(OPENING), ..*hunt });
    let [one, other] = &openings;
    if numbers.clone().any(|number| *originals.game(one, number) != other.digest(number)) {
        return SettingEffect::Some;
    }
    let mut effect = SettingEffect::Unknown;
    // Games without an end take long, and show nothing.
    for number in numbers.filter(|number| known.over.contains(number)) {
        if *originals.game(hunt, number) != changed.digest(number) {
            return SettingEffect::Some;
        }
        effect = SettingEffect::None;
    }
    effect
}

/// Returns whether two tables differ only in the values of options.
fn are_alike(one: &Table, other: &Table) -> bool {
    Table { options: other.options.clone(), ..one.clone() } == *other
}

/// Returns the events before a game begins.
fn events(stage: &Stage) -> Vec<Event> {
    runner::play(&stage.plan, &stage.program, |machine, _| machine.events().cloned().collect())
}

/// Returns a hint for each option of which no value, or not every value, makes a difference in the given number of
/// games, and for each value with which no game can begin.
#[must_use]
pub fn setting_hints(schema: &Schema, games: u64, effects: &[(OtherSetting, SettingEffect)]) -> Vec<Diagnostic> {
    let mut hints = Vec::new();
    for (at, option) in schema.options.iter().enumerate() {
        let id = OptionId::at(at);
        let own: Vec<_> = effects.iter().filter(|(other, _)| other.option == id).collect();
        let words = |value: &Setting| format!("`{} = {value}`", option.name);
        for (other, effect) in &own {
            if let SettingEffect::Unplayable(wrong) = effect {
                let message = format!("no game can begin with {}: {}", words(&other.value), wrong.message);
                hints.push(Diagnostic::general(Code::UnplayableOption, message));
            }
        }
        let idle = own.iter().filter(|(_, effect)| matches!(effect, SettingEffect::None));
        let same: Vec<&OtherSetting> = idle.map(|(other, _)| other).collect();
        let Some(OtherSetting { now, .. }) = same.first() else { continue };
        let subject = if same.len() == own.len() {
            format!("option `{}` makes no difference", option.name)
        } else {
            let all: Vec<String> = same.iter().map(|other| words(&other.value)).collect();
            let verb = if all.len() == 1 { "makes" } else { "make" };
            format!("{} {verb} no difference", all.join(", "))
        };
        let games =
            if games == 1 { "the game is the same".to_owned() } else { format!("all {games} games are the same") };
        let message = match same.len() == own.len() {
            true => format!("{subject}: {games} with each of its values"),
            false => format!("{subject}: {games} as with {}", words(now)),
        };
        let help = "play more games, begin at a scenario in which it matters, or remove it";
        hints.push(Diagnostic::general(Code::IdleOption, message).help(help));
    }
    hints
}
