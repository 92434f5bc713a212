//! `referee compare`: the effect of an option or a house rule on scenarios, simulated games and exact odds.

use std::collections::BTreeSet;
use std::io::IsTerminal;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use clap::{ArgGroup, Args};

use super::arguments::{Format, MEGABYTES, megabytes};
use super::deals::DealsArguments;
use super::disk::Disk;
use super::output::{colour, print, print_error, print_errors, remark};
use super::own_tests::{AskedGame, OwnTests};
use super::pairs::{Games, PlayedPairs};
use super::progress::{bar, speed};
use super::set_up::{option, players, written};
use super::sides::{Question, Sides};
use super::simulate::unused_instruction;
use super::stage::{GamesArguments, MAX_GAMES, MAX_TURNS, exit_of};
use super::workers::spread_twice;
use super::{Exit, flags};
use referee_diagnostic::Diagnostic;
use referee_play::{Deals, Follower, Horizon, Limit, MAX_STATES, Measure};
use referee_report::{ComparedReading, Comparison, OddsPair, ReadingNames, Sampled, own_counters};
use referee_scenario::{
    Compared, Loader, MEGABYTE, Observed, Odds, OddsRequest, Players, Reading, SetUp, SetUpFlags, UnknownOdds, reading,
};

/// The default number of games to play under each reading.
const GAMES: u64 = 1000;
/// The default maximum number of states for odds.
const STATES: u64 = 10_000;

// The flags of the command. (A doc comment would be its help text.)
#[derive(Debug, Args)]
#[command(group(ArgGroup::new("what").args(["houses", "settings", "all_options"]).required(true).multiple(true)))]
pub(super) struct CompareArguments {
    /// Name of a game, or its file
    game: PathBuf,
    /// Files, folders, or a line of a file as in `a.scenario:12` [default: all scenarios of the game]
    paths: Vec<PathBuf>,
    /// House rule to compare; may be given several times
    #[arg(long = "house", value_name = "NAME")]
    houses: Vec<String>,
    /// Option to compare; may be given several times
    #[arg(long = "set", visible_alias = "with", value_name = "OPTION=VALUE", value_parser = option)]
    settings: Vec<(String, String)>,
    /// What to compare with: an option or a house rule; may be given several times [default: the options at their
    /// defaults, no house rule]
    #[arg(long, value_name = "OPTION=VALUE|HOUSE", value_parser = against)]
    against: Vec<Against>,
    /// Compare every value of every option, and every house rule, and rank them by their effect
    #[arg(long, conflicts_with_all = ["houses", "settings"])]
    all_options: bool,
    /// Variant for the games [default: the first]
    #[arg(long, value_name = "NAME")]
    variant: Option<String>,
    /// Players of the games: names, as in "red blue", or a number [default: the fewest possible]
    #[arg(long, value_name = "WHO", value_parser = players)]
    players: Option<Players>,
    #[command(flatten)]
    pub(super) games: GamesArguments,
    /// Number of games under each reading; 0 for scenarios and odds alone [default: 1000]
    #[arg(short = 'n', long, value_name = "N", value_parser = clap::value_parser!(u64).range(0..=MAX_GAMES))]
    count: Option<u64>,
    /// Random seed; the same seed gives the same games
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// How players decide, as in `referee simulate`; for one player, `PLAYER=POLICY` [default: random]
    #[arg(long = "policy", value_name = "POLICY")]
    policies: Vec<String>,
    #[command(flatten)]
    deals: DealsArguments,
    /// Also compare the chance that this condition holds at the end of a game: "winner red", "{ red.score > 3 }"
    #[arg(long, value_name = "CONDITION")]
    chance: Option<String>,
    /// Stop a game after N turns
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=MAX_TURNS))]
    max_plies: u64,
    /// Maximum number of states for the exact odds from the set-up; 0 for no odds
    #[arg(long, value_name = "N", default_value_t = STATES, value_parser = clap::value_parser!(u64).range(0..=MAX_STATES as u64))]
    states: u64,
    /// Maximum memory for these states, in megabytes
    #[arg(long, value_name = "MB", default_value_t = MEGABYTES, value_parser = megabytes())]
    memory: u64,
    /// Number of threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = super::arguments::threads)]
    jobs: Option<NonZeroUsize>,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

/// The value of `--against`.
#[derive(Clone, Debug)]
enum Against {
    Option((String, String)),
    House(String),
}

fn against(text: &str) -> Result<Against, String> {
    match text.contains('=') {
        true => option(text).map(Against::Option),
        false => Ok(Against::House(text.to_owned())),
    }
}

/// The tests of a file, and their results under the first reading.
type Tested = (OwnTests, Option<Observed>);

/// Compares, and prints the differences.
pub(super) fn run(arguments: &CompareArguments) -> Exit {
    let asked = match AskedGame::of(&arguments.game, arguments.games.folder(), &arguments.paths) {
        Ok(asked) => asked,
        Err(exit) => return exit,
    };
    let game = &asked.listed.schema.id;
    let question = Question {
        first: arguments.first(game),
        second: (!arguments.all_options).then(|| arguments.second(game)),
        policies: &arguments.policies,
        deals: arguments.deals.of(),
        chance: arguments.chance.as_ref(),
    };
    match Sides::of(&asked, &question) {
        Ok(sides) => Session { arguments, asked, sides }.run(),
        Err(problems) => {
            print_errors(&problems);
            exit_of(&problems)
        }
    }
}

impl CompareArguments {
    /// Returns the set-up of the reading that all others are compared with.
    fn first(&self, game: &str) -> SetUp {
        let options = self.against.iter().filter_map(|against| match against {
            Against::Option(words) => Some(words.clone()),
            Against::House(_) => None,
        });
        let houses = self.against.iter().filter_map(|against| match against {
            Against::House(name) => Some(name.clone()),
            Against::Option(_) => None,
        });
        self.set_up(game, (houses.collect(), options.collect()), flags::AGAINST)
    }

    /// Returns the set-up of the reading in `--house` and `--set`.
    fn second(&self, game: &str) -> SetUp {
        self.set_up(game, (self.houses.clone(), self.settings.clone()), flags::COMPARED)
    }

    fn set_up(&self, game: &str, (houses, options): (Vec<String>, Vec<(String, String)>), flags: SetUpFlags) -> SetUp {
        let players = self.players.clone().unwrap_or_default();
        SetUp { game: game.to_owned(), variant: self.variant.clone(), players, houses, options, flags }
    }

    /// Returns the number of games to play under each reading.
    fn count(&self) -> u64 {
        self.count.or_else(|| self.games.count()).unwrap_or(GAMES)
    }

    fn threads(&self) -> usize {
        self.jobs.or_else(|| std::thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get)
    }
}

struct Session<'a> {
    arguments: &'a CompareArguments,
    asked: AskedGame,
    sides: Sides,
}

impl Session<'_> {
    /// Returns the line about decisions that were made by a sample of deals.
    fn sampled(&self) -> String {
        let deals = self.sides.all.first().map(|first| &first.strategy.deals);
        deals.and_then(Sampled::of).map(|sampled| format!("\n{}", sampled.human())).unwrap_or_default()
    }

    fn run(&self) -> Exit {
        let scenarios = match self.scenarios() {
            Ok(scenarios) => scenarios,
            Err(exit) => return exit,
        };
        let schema = &self.asked.listed.schema;
        let measures = Measure::all(schema, &self.sides.players, self.arguments.chance.is_some());
        let played = self.games(&measures);
        let odds = self.odds();
        let report = self.report(&measures, scenarios, &played, odds);
        print(&match self.arguments.format {
            Format::Human => format!("{}{}", report.human(colour()), self.sampled()),
            Format::Json => report.json(),
        });
        let wrong = self.faults(&played);
        let unused = if wrong { Vec::new() } else { self.unused() };
        print_errors(&unused);
        match (wrong, unused.is_empty()) {
            (true, _) => Exit::Invalid,
            (false, false) => Exit::Usage,
            (false, true) => Exit::Passed,
        }
    }

    /// Returns the scenarios under each reading but the first, compared with the first.
    ///
    /// # Errors
    /// Prints the errors of the files, and returns the exit code.
    fn scenarios(&self) -> Result<Vec<Vec<Compared>>, Exit> {
        let schema = &self.asked.listed.schema;
        let readings: Vec<Reading> = self.sides.all.iter().map(|side| reading(schema, &side.set_up)).collect();
        let (first, others) = readings.split_first().ok_or(Exit::Invalid)?;
        let between = |tested: Vec<Option<Tested>>| {
            let tested: Vec<Tested> = tested.into_iter().flatten().collect();
            let good = self.asked.is_good(tested.iter().map(|(own, _)| own));
            let work = if good { tested.len() * others.len() } else { 0 };
            (tested, work)
        };
        let (tested, compared) = spread_twice(
            self.asked.wanted.found.files.len(),
            self.arguments.threads(),
            || Loader::new(&Disk, self.asked.options.clone()),
            |loader, at| {
                let own = self.asked.tests(loader, at)?;
                let file = Path::new(&*own.suite.file);
                let is_used = own.is_good() && !own.tests.is_empty();
                let observed = is_used.then(|| Observed::of(loader, file, &own.tests, first));
                Some((own, observed))
            },
            between,
            |loader, tested, at| {
                // All readings of a file come one after the other.
                let (own, observed) = tested.get(at / others.len())?;
                let reading = others.get(at % others.len())?;
                Some(observed.as_ref()?.compare(loader, Path::new(&*own.suite.file), reading))
            },
        );
        // A game without scenarios can be compared by its games.
        let all = !self.arguments.paths.is_empty();
        if let Some(exit) = self.asked.refused(tested.iter().map(|(own, _)| own), all) {
            return Err(exit);
        }
        let mut by_reading: Vec<Vec<Compared>> = vec![Vec::new(); others.len()];
        for (at, compared) in compared.into_iter().enumerate() {
            let reading = by_reading.get_mut(at % others.len().max(1));
            reading.into_iter().for_each(|all| all.extend(compared.iter().flatten().cloned()));
        }
        Ok(by_reading)
    }

    /// Plays the games under all readings.
    fn games(&self, measures: &[Measure]) -> PlayedPairs {
        let (arguments, sides) = (self.arguments, &self.sides.all);
        let games = Games {
            sides,
            measures,
            seed: arguments.seed,
            count: arguments.count(),
            max_plies: arguments.max_plies,
            bar: bar(arguments.format, arguments.count(), "pairs of games"),
        };
        let began = std::time::Instant::now();
        let played = games.play(&self.asked.options, arguments.threads());
        if arguments.format == Format::Human && std::io::stderr().is_terminal() && arguments.count() > 0 {
            remark(&speed(arguments.count() * sides.len() as u64, "games", began.elapsed()));
        }
        played
    }

    /// Returns the odds from the set-up: for each reading but the first its odds and those of the first. If those of
    /// the first are not known, no other is computed.
    fn odds(&self) -> Option<Vec<OddsPair>> {
        let arguments = self.arguments;
        if arguments.states == 0 {
            return None;
        }
        // Every decision needs a policy; in games it is random without one.
        let random = self.sides.is_open.then(|| "random".to_owned());
        let winners = OddsRequest {
            when: Vec::new(),
            policies: arguments.policies.iter().cloned().chain(random).collect(),
            chance: None,
            horizon: Horizon::Game,
            states: usize::try_from(arguments.states).unwrap_or(MAX_STATES),
            deals: self.sides.all.first().map_or_else(Deals::default, |side| side.strategy.deals.clone()),
            bytes: arguments.memory * MEGABYTE,
            by: Follower::default(),
            flags: flags::ODDS,
        };
        let held = arguments.chance.clone();
        let held = held.map(|chance| OddsRequest { chance: Some(chance), ..winners.clone() });
        let requests: Vec<OddsRequest> = std::iter::once(winners).chain(held).collect();
        let (first, others) = self.sides.all.split_first()?;
        let (first, others) = spread_twice(
            1,
            arguments.threads(),
            || Loader::new(&Disk, self.asked.options.clone()),
            |loader, _| odds(loader, &first.set_up, &requests),
            |mut found| {
                let found = found.pop().unwrap_or_else(|| Err(String::new()));
                let count = if found.is_ok() { others.len() } else { 0 };
                (found, count)
            },
            |loader, _, at| others.get(at).map(|side| odds(loader, &side.set_up, &requests)),
        );
        let first = match first {
            Ok(first) => first,
            Err(why) => return Some(vec![Err(why); self.sides.all.len()]),
        };
        Some(others.into_iter().flatten().map(|found| found.map(|other| (first.clone(), other))).collect())
    }

    fn report<'r>(
        &'r self,
        measures: &'r [Measure],
        scenarios: Vec<Vec<Compared>>,
        played: &PlayedPairs,
        odds: Option<Vec<OddsPair>>,
    ) -> Comparison<'r> {
        let arguments = self.arguments;
        let named = |set_up: &SetUp, options: &[(String, String)]| ReadingNames {
            label: label(set_up),
            chosen: chosen(set_up),
            houses: set_up.houses.clone(),
            settings: options.to_vec(),
        };
        let counters = |at: usize| self.sides.all.get(at).map(|side| &side.counters);
        let mut sides = self.sides.all.iter().map(|side| named(&side.set_up, &side.options));
        let base = sides.next().unwrap_or_default();
        let readings = sides.zip(scenarios).enumerate().map(|(at, (names, scenarios))| {
            let why_no_games = self.why_no_games(at + 1, played);
            let is_played = why_no_games.is_none() && arguments.count() > 0;
            ComparedReading {
                names,
                scenarios,
                games: played.sums.get(at + 1).filter(|_| is_played).cloned(),
                why_no_games,
                own_counters: counters(0)
                    .zip(counters(at + 1))
                    .map(|(first, own)| own_counters(&self.asked.listed.schema, [first, own]))
                    .unwrap_or_default(),
                odds: odds.as_ref().and_then(|odds| odds.get(at).cloned()),
            }
        });
        Comparison {
            schema: &self.asked.listed.schema,
            variant: arguments.variant.clone(),
            readings: readings.collect(),
            base,
            all_options: arguments.all_options,
            cut: &self.sides.cut,
            players: &self.sides.players,
            policies: &self.sides.policies,
            why_these: self.why_these(),
            flags: (flags::AGAINST, flags::COMPARED),
            chance: arguments.chance.as_deref(),
            seed: arguments.seed,
            games: arguments.count(),
            max_plies: arguments.max_plies,
            measures,
        }
    }

    /// Returns why the games under reading `at` cannot be compared with those under the first, if they cannot.
    fn why_no_games(&self, at: usize, played: &PlayedPairs) -> Option<String> {
        [0, at].into_iter().find_map(|at| {
            let side = self.sides.all.get(at)?;
            let why = match (&side.unplayable, played.faults.get(at)?) {
                (Some(why), _) => why.problems().first()?.message.clone(),
                (None, Some((number, _))) => format!("the rules stop with an error in game {number}"),
                (None, None) => return None,
            };
            Some(format!("under {}: {why}", label(&side.set_up)))
        })
    }

    /// Prints the errors of the rules, of games each with its number; returns whether there are any. If the first
    /// reading has one, it is the only one: nothing can be compared with it.
    fn faults(&self, played: &PlayedPairs) -> bool {
        let mut any = false;
        for (at, (side, fault)) in self.sides.all.iter().zip(&played.faults).enumerate() {
            if !side.errors().is_empty() {
                any = true;
                print_errors(side.errors());
                print_error(&format!("no game can be played under {}", label(&side.set_up)));
            }
            let Some((number, wrong)) = fault else { continue };
            any = true;
            print_errors(&[(**wrong).clone()]);
            let (label, seed) = (label(&side.set_up), self.arguments.seed);
            print_error(&format!("this is game {number} of seed {seed} under {label}"));
            if at == 0 {
                break;
            }
        }
        any
    }

    /// Returns an error for each instruction of a policy that decided nothing in any game of any reading.
    fn unused(&self) -> Vec<Diagnostic> {
        let actions = || self.sides.all.iter().flat_map(|side| &side.strategy.actions);
        let followed: BTreeSet<&str> =
            actions().filter(|action| action.is_followed()).map(|action| action.words.as_str()).collect();
        let words: BTreeSet<&str> = actions().map(|action| action.words.as_str()).collect();
        let unused = words.difference(&followed).filter(|_| self.arguments.count() > 0);
        unused.map(|words| unused_instruction(words)).collect()
    }

    /// Returns why these players take part, if the user did not choose them and others were possible.
    fn why_these(&self) -> Option<String> {
        let are_named = self.arguments.players.is_some();
        self.asked.listed.schema.why_these_players(self.arguments.variant.as_deref(), are_named)
    }
}

/// Returns a reading in few words: `goal=50, dry-feet`.
fn label(set_up: &SetUp) -> String {
    let words: Vec<String> = chosen(set_up).into_iter().chain(set_up.houses.iter().cloned()).collect();
    if words.is_empty() { "default".to_owned() } else { words.join(", ") }
}

/// Returns the options of a set-up that the user chose, as `OPTION=VALUE`.
fn chosen(set_up: &SetUp) -> Vec<String> {
    set_up.options.iter().map(written).collect()
}

/// Returns the odds of a set-up for several requests, or why they are not known.
fn odds(loader: &mut Loader<'_>, set_up: &SetUp, requests: &[OddsRequest]) -> Result<Odds, String> {
    let why = |UnknownOdds { problems, limit }| {
        let message = problems.into_iter().next().map_or_else(String::new, |one| one.message);
        let more = match limit {
            Some(Limit::States | Limit::Work) => format!("; `{} N` allows more", flags::ODDS.states),
            Some(Limit::Bytes) => format!("; `{} MB` allows more", flags::ODDS.memory),
            Some(Limit::Phase) | None => String::new(),
        };
        format!("under {}: {message}{more}", label(set_up))
    };
    let mut all: Option<Odds> = None;
    for request in requests {
        let suite = referee_scenario::plan_set_up(loader, set_up).map_err(|wrong| why(wrong.into()))?;
        let found = referee_scenario::odds(loader, &suite, 0, request);
        let found = match found.map_err(why)? {
            (Some(odds), _) => odds,
            (None, end) => {
                let problems: Vec<Diagnostic> = end.failures.into_iter().map(|failure| failure.diagnostic).collect();
                return Err(why(problems.into()));
            }
        };
        match &mut all {
            None => all = Some(found),
            Some(all) => all.rows.extend(found.rows),
        }
    }
    all.ok_or_else(String::new)
}
