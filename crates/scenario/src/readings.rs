//! Holds the readings of a game's rules against the examples of its rulebook: the scenarios with a line `cites`.

use std::collections::BTreeMap;
use std::path::Path;

use crate::judge::observe;
use crate::listing::Listed;
use crate::loader::Loader;
use crate::plan::file::plan_as;
use crate::plan::reading::Reading;
use crate::plan::suite::{PlannedTest, Suite};
use crate::run::scenes::Course;
use referee_diagnostic::{MustBe as _, one_line};
use referee_table::{Choice, OptionId, Setting};
use referee_trace::{Failure, FailureKind, TestResult};

/// The largest number of values of an option that are tried on their own.
pub const MAX_VALUES: u64 = 100;
/// The largest number of values of an option that are tried in pairs with those of others.
pub const MAX_PAIRED: u64 = 9;

/// A point on which the rules can be read in several ways: an option, or whether a house rule is in use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Issue {
    /// The name of the option or house rule.
    pub name: String,
    /// Its title; may be empty.
    pub title: String,
    /// Its readings.
    pub values: Vec<String>,
    /// The index of the default reading.
    pub default: usize,
    /// The number of readings that there are, if not all of them are in `values`.
    pub cut_from: Option<u64>,
    /// The option; `None` for a house rule.
    option: Option<(OptionId, Vec<Setting>)>,
}

/// The words for the readings of a house rule: not in use, in use.
const HOUSE: [&str; 2] = ["without", "with"];

impl Issue {
    /// Returns whether it is about a house rule.
    #[must_use]
    pub const fn is_house(&self) -> bool {
        self.option.is_none()
    }

    /// Adds a reading of this issue to that of others.
    fn add(&self, value: usize, reading: &mut Reading) {
        match &self.option {
            Some((option, settings)) => {
                reading.settings.extend(settings.get(value).map(|setting| (*option, setting.clone())));
            }
            None => reading.houses.extend((value == 1).then(|| self.name.clone())),
        }
    }

    /// Returns the reading that a test chooses itself: `Some(None)` if it is not among the values.
    fn chosen_by(&self, test: &PlannedTest) -> Option<Option<usize>> {
        let plan = test.plan.as_ref()?;
        let Some((option, settings)) = &self.option else {
            return plan.houses.iter().any(|house| house.name == self.name).then_some(Some(1));
        };
        let own = plan.start.table.option(*option).filter(|_| plan.own_options.contains(option))?;
        Some(settings.iter().position(|setting| setting == own))
    }
}

/// Returns the options and house rules of a game. An option with more than `most` values is cut to the lowest, the
/// highest and those nearest its default.
#[must_use]
pub fn issues(listed: &Listed, most: u64) -> Vec<Issue> {
    let options = listed.schema.options.iter().enumerate().map(|(at, option)| {
        let (settings, cut_from) = settings(&option.choice, most);
        let default = option.choice.default();
        Issue {
            name: option.name.clone(),
            title: option.title.clone(),
            values: settings.iter().map(Setting::to_string).collect(),
            default: settings.iter().position(|setting| *setting == default).or_missing("the default of an option", 0),
            cut_from,
            option: Some((OptionId::at(at), settings)),
        }
    });
    let houses = listed.houses.iter().map(|house| Issue {
        name: house.name.clone(),
        title: house.title.clone(),
        values: HOUSE.map(str::to_owned).to_vec(),
        default: 0,
        cut_from: None,
        option: None,
    });
    options.chain(houses).collect()
}

/// Returns the values of an option to try, and their number if these are not all.
pub(super) fn settings(choice: &Choice, most: u64) -> (Vec<Setting>, Option<u64>) {
    let (low, high, default) = match choice {
        Choice::Words(words) => return (words.iter().cloned().map(Setting::Word).collect(), None),
        Choice::Numbers(low, high, default) => (*low, *high, *default),
    };
    let all = high.abs_diff(low).saturating_add(1);
    if all <= most {
        return ((low..=high).map(Setting::Number).collect(), None);
    }
    // Between the lowest and the highest there is room for these around the default.
    let middle = i64::try_from(most.saturating_sub(2).max(1)).unwrap_or(1);
    let first = default.saturating_sub(middle / 2).clamp(low + 1, high - middle);
    let mut values: Vec<i64> = (first..first + middle).chain([low, default, high]).collect();
    values.sort_unstable();
    values.dedup();
    (values.into_iter().map(Setting::Number).collect(), Some(all))
}

/// The result of an example under a reading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Held {
    /// Whether it holds.
    pub holding: Holding,
    /// Whether its play is not the same as under the reading that it is written for.
    pub differs: bool,
}

/// Whether an example holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Holding {
    /// All expectations of the example are true.
    Holds,
    /// Something is different; the first such thing.
    Fails(Difference),
    /// The example cannot be played: the rules stop with an error, or the reading does not fit its position.
    Breaks(Difference),
}

/// The first difference of an example, or an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The line of the example, counted from 1.
    pub line: usize,
    /// The message.
    pub message: String,
}

impl Held {
    /// Returns the result of a test. `covers` lines do not count: they are about clauses, not about play.
    fn of(result: &TestResult, is_planned: bool, differs: bool) -> Self {
        let placed = || result.failures.iter().enumerate().filter(|(_, one)| one.kind != FailureKind::Covers);
        let last = result.failures.len().saturating_sub(1);
        let is_elsewhere = |failure: &Failure| {
            let first = failure.diagnostic.labels.first();
            first.is_some_and(|label| label.source.name() != &*result.file)
        };
        let errored = result.status == referee_trace::Status::Errored && !result.failures.iter().any(is_elsewhere);
        let is_error = |(at, failure): &(usize, &Failure)| {
            let elsewhere = is_elsewhere(failure);
            // An error of the rules in the play of the lines ends the run, so it is the last failure.
            let ends = errored && *at == last;
            // An undecided or unsupported line is no evidence against the reading.
            !is_planned || elsewhere || ends || failure.kind == FailureKind::Open
        };
        let failed = placed().find(|found| !is_error(found)).map(|(_, failure)| failure);
        let holding = match (failed, placed().next()) {
            (Some(failure), _) => Holding::Fails(difference(result, failure)),
            (None, Some((_, failure))) => Holding::Breaks(difference(result, failure)),
            (None, None) => Holding::Holds,
        };
        Self { holding, differs }
    }
}

/// Returns the line and the message of a failure.
pub(crate) fn difference(result: &TestResult, failure: &Failure) -> Difference {
    let here = failure.diagnostic.labels.iter().find(|label| label.source.name() == &*result.file);
    let line = here.map_or(result.line, |label| label.source.line(label.span.start));
    let message = one_line(&failure.diagnostic.message);
    let values = failure.expected.as_ref().zip(failure.actual.as_ref());
    // Other messages name both values, as `red is at b1, not at c1` does; longer values would not fit into a line.
    let values = values.filter(|(one, other)| failure.values_unsaid && !one.contains('\n') && !other.contains('\n'));
    let message = match values {
        Some((expected, actual)) => format!("{message}: expected `{expected}`, got `{actual}`"),
        None => message,
    };
    Difference { line, message }
}

/// An example of the rulebook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// The file.
    pub file: String,
    /// The line of the scenario, row or branch, counted from 1.
    pub line: usize,
    /// Its title, with row and branch.
    pub title: String,
    /// The texts of its `cites` lines.
    pub cites: String,
    /// The result as it is written.
    pub as_written: Held,
    /// For each issue the reading that the example chooses itself; `Some(None)` for one that is not tried.
    chosen: Vec<Option<Option<usize>>>,
}

impl Example {
    /// Returns the example in a suite, and its course, if the test cites the rulebook.
    pub fn of(loader: &mut Loader<'_>, suite: &Suite, index: usize, issues: &[Issue]) -> Option<(Self, Course)> {
        let test = suite.tests.get(index)?;
        let cites = test.cites.as_deref()?.to_owned();
        let (result, course) = observe(loader, suite, index);
        let example = Self {
            file: suite.file.to_string(),
            line: test.line,
            title: test.title(),
            cites,
            as_written: Held::of(&result, test.plan.is_some(), false),
            chosen: issues.iter().map(|issue| issue.chosen_by(test)).collect(),
        };
        Some((example, course))
    }
}

/// A combination of readings that are not the defaults: pairs of an issue and a value, in the order of the issues.
type Combination = Vec<(usize, usize)>;

/// The readings to hold against the examples.
#[derive(Debug)]
pub struct Trials {
    issues: Vec<Issue>,
    combinations: Vec<Combination>,
}

impl Trials {
    /// Returns the trials of every value of every issue; with `paired`, also those of every pair of values of two
    /// options, as far as these values are among the issues in `paired`.
    #[must_use]
    pub fn of(issues: Vec<Issue>, paired: Option<&[Issue]>) -> Self {
        let others =
            |issue: &Issue| (0..issue.values.len()).filter(|value| *value != issue.default).collect::<Vec<_>>();
        let singles = issues.iter().enumerate();
        let mut combinations: Vec<Combination> =
            singles.flat_map(|(at, issue)| others(issue).into_iter().map(move |value| vec![(at, value)])).collect();
        let is_paired = |at: usize, value: usize| {
            let words = issues.get(at).and_then(|issue| issue.values.get(value));
            let few = paired.and_then(|paired| paired.get(at)).filter(|issue| !issue.is_house());
            few.zip(words).is_some_and(|(few, words)| few.values.contains(words))
        };
        let single: Vec<(usize, usize)> = combinations.iter().flatten().copied().collect();
        let single: Vec<(usize, usize)> = single.into_iter().filter(|(at, value)| is_paired(*at, *value)).collect();
        for (place, first) in single.iter().enumerate() {
            let later = single.iter().skip(place + 1).filter(|second| second.0 != first.0);
            combinations.extend(later.map(|second| vec![*first, *second]));
        }
        Self { issues, combinations }
    }

    /// Returns the number of readings.
    #[must_use]
    pub fn count(&self) -> usize {
        self.combinations.len()
    }

    /// Returns the issues.
    #[must_use]
    pub fn issues(&self) -> &[Issue] {
        &self.issues
    }

    /// Holds reading `at` against the examples of a file: tests with their indices in the file. Returns `None` for an
    /// example that chooses one of the values itself.
    pub fn hold(
        &self,
        loader: &mut Loader<'_>,
        file: &Path,
        at: usize,
        examples: &[(usize, &Example, &Course)],
    ) -> Vec<Option<Held>> {
        let Some(combination) = self.combinations.get(at) else { return Vec::new() };
        let free = |example: &Example| {
            combination.iter().all(|(issue, _)| example.chosen.get(*issue).is_some_and(Option::is_none))
        };
        if !examples.iter().any(|(_, example, _)| free(example)) {
            return examples.iter().map(|_| None).collect();
        }
        let mut reading = Reading::default();
        for (issue, value) in combination {
            self.issues.iter().skip(*issue).take(1).for_each(|issue| issue.add(*value, &mut reading));
        }
        let suite = plan_as(loader, file, &reading);
        let held = examples.iter().map(|(index, example, before)| {
            free(example).then(|| {
                let (result, course) = observe(loader, &suite, *index);
                let is_planned = suite.tests.get(*index).is_some_and(|test| test.plan.is_some());
                Held::of(&result, is_planned, course != **before)
            })
        });
        held.collect()
    }

    /// Returns the results of the examples. For each reading, `held` has the result of each example.
    #[must_use]
    pub fn findings(&self, examples: Vec<Example>, held: &[Vec<Option<Held>>]) -> Findings {
        let results = self.combinations.iter().zip(held).map(|(combination, held)| (combination.as_slice(), held));
        let results: Results<'_> = results.collect();
        let issues = self.issues.iter().enumerate().map(|(at, issue)| {
            let value = |value| self.finding(&results, &examples, &[(at, value)]);
            let values: Vec<ValueFinding> = (0..issue.values.len()).map(value).collect();
            // Values that are ruled out differ anyway.
            let is_left = |value: usize| values.get(value).is_some_and(|value| value.verdict() != Verdict::RuledOut);
            let differs = |example: usize| {
                let mut tried = results
                    .iter()
                    .filter(|(combination, _)| matches!(combination, [(one, value)] if *one == at && is_left(*value)));
                tried.any(|(_, held)| matches!(held.get(example), Some(Some(held)) if held.differs))
            };
            let differing = (0..examples.len()).filter(|example| differs(*example)).count();
            IssueFinding { issue: issue.clone(), values, differing }
        });
        let issues = issues.collect();
        let pairs = self.combinations.iter().filter_map(|combination| match combination.as_slice() {
            [first, second] => {
                let finding = self.finding(&results, &examples, combination);
                let issues = (first.0, second.0);
                Some(PairFinding { issues, values: (first.1, second.1), finding })
            }
            _ => None,
        });
        let pairs = pairs.collect();
        Findings { issues, pairs, examples }
    }

    /// Returns the results of the examples for a combination of values, which may be defaults.
    fn finding(&self, results: &Results<'_>, examples: &[Example], combination: &[(usize, usize)]) -> ValueFinding {
        let mut finding = ValueFinding::default();
        for (at, example) in examples.iter().enumerate() {
            let chosen = |issue: usize| example.chosen.get(issue).copied().flatten();
            // An example that chooses a value itself counts only for that value.
            if combination.iter().any(|(issue, value)| chosen(*issue).is_some_and(|own| own != Some(*value))) {
                continue;
            }
            let default = |issue: usize| self.issues.get(issue).map(|issue| issue.default);
            let changed =
                combination.iter().filter(|(issue, value)| chosen(*issue).is_none() && default(*issue) != Some(*value));
            let changed: Vec<(usize, usize)> = changed.copied().collect();
            let held = match changed.as_slice() {
                [] => Some(&example.as_written),
                changed => results.get(changed).and_then(|held| held.get(at)?.as_ref()),
            };
            let Some(held) = held else { continue };
            match &held.holding {
                Holding::Holds => finding.holds += 1,
                Holding::Fails(difference) => {
                    finding.fails += 1;
                    finding.first_failure.get_or_insert_with(|| (at, difference.clone()));
                }
                Holding::Breaks(difference) => {
                    finding.breaks += 1;
                    finding.first_error.get_or_insert_with(|| (at, difference.clone()));
                }
            }
        }
        finding
    }
}

/// For each combination of values, the result of each example.
type Results<'r> = BTreeMap<&'r [(usize, usize)], &'r Vec<Option<Held>>>;

/// The results of a rulebook's examples for its readings.
#[derive(Debug)]
pub struct Findings {
    /// The options and house rules.
    pub issues: Vec<IssueFinding>,
    /// The pairs of values of two options that are not the defaults, if they were tried.
    pub pairs: Vec<PairFinding>,
    /// The examples.
    pub examples: Vec<Example>,
}

/// The results of the examples for an option or a house rule.
#[derive(Debug)]
pub struct IssueFinding {
    /// The option or house rule.
    pub issue: Issue,
    /// The results for each value.
    pub values: Vec<ValueFinding>,
    /// The number of examples whose play is not the same under all values that are left.
    pub differing: usize,
}

/// The results of the examples for two values together.
#[derive(Debug)]
pub struct PairFinding {
    /// The indices of the options.
    pub issues: (usize, usize),
    /// The index of the value of each.
    pub values: (usize, usize),
    /// The results.
    pub finding: ValueFinding,
}

/// The results of the examples for a reading.
#[derive(Debug, Default)]
pub struct ValueFinding {
    /// The number of examples that hold.
    pub holds: usize,
    /// The number of examples in which something is different.
    pub fails: usize,
    /// The number of examples that cannot be played.
    pub breaks: usize,
    /// The first of the examples that fail: its index, and the difference.
    pub first_failure: Option<(usize, Difference)>,
    /// The first of the examples that cannot be played.
    pub first_error: Option<(usize, Difference)>,
}

/// The verdict of the examples on a reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// All examples hold.
    Allowed,
    /// An example fails.
    RuledOut,
    /// No example fails, but one cannot be played.
    Error,
    /// No example is played under it.
    Untested,
}

impl ValueFinding {
    /// Returns the verdict.
    #[must_use]
    pub const fn verdict(&self) -> Verdict {
        match (self.fails, self.breaks, self.holds) {
            (1.., _, _) => Verdict::RuledOut,
            (0, 1.., _) => Verdict::Error,
            (0, 0, 1..) => Verdict::Allowed,
            (0, 0, 0) => Verdict::Untested,
        }
    }

    /// Returns the number of examples that were tried.
    #[must_use]
    pub const fn examples(&self) -> usize {
        self.holds + self.fails + self.breaks
    }
}

impl IssueFinding {
    /// Returns the number of values that the examples do not rule out.
    #[must_use]
    pub fn left(&self) -> usize {
        self.values.iter().filter(|value| value.verdict() != Verdict::RuledOut).count()
    }

    /// Returns whether no value agrees with the examples: each is ruled out or stopped by an error.
    #[must_use]
    pub fn is_contradicted(&self) -> bool {
        self.values.iter().all(|value| matches!(value.verdict(), Verdict::RuledOut | Verdict::Error))
    }
}

impl PairFinding {
    /// Returns whether the verdict on the two values together is unexpected: they are allowed although one of them is
    /// ruled out alone, or ruled out although both are allowed alone.
    #[must_use]
    pub fn is_surprising(&self, issues: &[IssueFinding]) -> bool {
        let alone = |issue: usize, value: usize| {
            issues.get(issue).and_then(|finding| finding.values.get(value)).map(ValueFinding::verdict)
        };
        let singles = [alone(self.issues.0, self.values.0), alone(self.issues.1, self.values.1)];
        match self.finding.verdict() {
            Verdict::Allowed => singles.contains(&Some(Verdict::RuledOut)),
            Verdict::RuledOut => !singles.contains(&Some(Verdict::RuledOut)),
            Verdict::Error => singles.iter().all(|verdict| *verdict == Some(Verdict::Allowed)),
            Verdict::Untested => false,
        }
    }
}
