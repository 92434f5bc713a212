//! `referee readings`: holds every option and house rule of a game against the examples of its rulebook.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::Exit;
use super::disk::Disk;
use super::output::{print, print_error};
use super::set_up::game_at;
use super::show::print_errors;
use super::wanted::Wanted;
use super::workers::{spread, spread_twice};
use crate::diagnostic::{Diagnostic, did_you_mean};
use crate::game::SearchPath;
use crate::report::ReadingsReport;
use crate::scenario::{
    self, Course, Example, Held, Listed, Loader, LoaderOptions, MAX_PAIRED, MAX_VALUES, Suite, Trials, issues,
};

#[derive(Debug, Args)]
pub(super) struct ReadingsArguments {
    /// Name of a game, or its file
    game: PathBuf,
    /// Files, folders, or a line of a file as in `a.scenario:12` [default: all scenarios of the game]
    paths: Vec<PathBuf>,
    /// Also try every pair of values of two options
    #[arg(long)]
    pairs: bool,
    /// Look for games in this folder first
    #[arg(long, value_name = "DIR", value_parser = super::arguments::folder)]
    games: Option<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t = ReadingsFormat::Human)]
    format: ReadingsFormat,
    /// Number of threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = super::arguments::threads)]
    jobs: Option<NonZeroUsize>,
}

/// An output format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ReadingsFormat {
    /// Human-readable
    Human,
    /// For programs: one JSON object on standard output, and nothing else there
    Json,
    /// A table for the rulebook
    Markdown,
}

/// The examples of a file, each with its index in the suite and what happens in it as it is written.
struct Cited {
    examples: Vec<(usize, Example, Course)>,
    /// The errors of the file, if one of its scenarios may be an example.
    problems: Vec<Diagnostic>,
    /// A scenario that plays another game of the same name: its line.
    other: Option<usize>,
    /// The indices of the arguments that selected a test.
    used: Vec<usize>,
    suite: Suite,
}

/// Holds the readings against the examples, and prints what they say.
pub(super) fn run(arguments: &ReadingsArguments) -> Exit {
    let (game, beside) = match game_at(&arguments.game).filter(|_| arguments.game.exists()) {
        Some((game, folder)) => (game, Some(folder)),
        None => (arguments.game.to_string_lossy().into_owned(), None),
    };
    let options = super::arguments::options(beside.as_ref().or(arguments.games.as_ref()));
    let shelf = SearchPath::new(&Disk, options.games.clone(), options.working_folder.clone());
    let ids = shelf.games(Path::new(""));
    if !ids.contains(&game) {
        let near = did_you_mean(&game, ids.iter().map(String::as_str));
        let near = near.unwrap_or_else(|| "run `referee games` to list the games".to_owned());
        print_error(&format!("unknown game `{game}`\n{near}"));
        return Exit::Usage;
    }
    let paths = if arguments.paths.is_empty() { vec![arguments.game.clone()] } else { arguments.paths.clone() };
    let wanted = match Wanted::of(&paths, &shelf) {
        Ok(wanted) => wanted,
        Err(message) => {
            print_error(&message);
            return Exit::Usage;
        }
    };
    let listed = spread(1, 1, || Loader::new(&Disk, options.clone()), |loader, _| scenario::listed(loader, &game));
    let listed = match listed.into_iter().next() {
        Some(Ok(listed)) => listed,
        Some(Err(problems)) => {
            print_errors(&problems);
            return Exit::Invalid;
        }
        None => return Exit::Invalid,
    };
    Session { arguments, options, wanted, listed }.run()
}

struct Session<'a> {
    arguments: &'a ReadingsArguments,
    options: LoaderOptions,
    wanted: Wanted,
    listed: Listed,
}

impl Session<'_> {
    fn run(&self) -> Exit {
        let few = self.arguments.pairs.then(|| issues(&self.listed, MAX_PAIRED));
        let trials = Trials::of(issues(&self.listed, MAX_VALUES), few.as_deref());
        let jobs = self.arguments.jobs.or_else(|| std::thread::available_parallelism().ok());
        let files = &self.wanted.found.files;
        let loader = || Loader::new(&Disk, self.options.clone());
        let between = |cited: Vec<Option<Cited>>| {
            let cited: Vec<Cited> = cited.into_iter().flatten().collect();
            let good = cited.iter().all(Cited::is_good) && self.wanted.found.unread.is_empty();
            let with_examples: Vec<usize> =
                cited.iter().enumerate().filter(|(_, file)| !file.examples.is_empty()).map(|(at, _)| at).collect();
            let work = if good { trials.count() * with_examples.len() } else { 0 };
            ((cited, with_examples), work)
        };
        let ((cited, with_examples), held) = spread_twice(
            files.len(),
            jobs.map_or(1, NonZeroUsize::get),
            loader,
            |loader, at| self.cited(loader, at, &trials),
            between,
            |loader, (cited, with_examples), at| {
                // All readings of a file come one after the other.
                let (place, reading) = (at / trials.count(), at % trials.count());
                let file = with_examples.get(place).and_then(|place| cited.get(*place))?;
                let examples: Vec<(usize, &Example, &Course)> =
                    file.examples.iter().map(|(index, example, course)| (*index, example, course)).collect();
                Some(trials.hold(loader, Path::new(&file.suite.file), reading, &examples))
            },
        );
        if let Some(exit) = self.refused(&cited) {
            return exit;
        }
        let mut by_reading: Vec<Vec<Option<Held>>> = vec![Vec::new(); trials.count()];
        for (at, held) in held.into_iter().enumerate() {
            let reading = by_reading.get_mut(at % trials.count().max(1));
            reading.into_iter().for_each(|all| all.extend(held.iter().flatten().cloned()));
        }
        drop(with_examples);
        let examples = cited.into_iter().flat_map(|file| file.examples).map(|(_, example, _)| example).collect();
        self.report(&trials, examples, &by_reading)
    }

    /// Returns the examples of file `at` as they are written, and what prevents a report.
    fn cited(&self, loader: &mut Loader<'_>, at: usize, trials: &Trials) -> Option<Cited> {
        let suite = scenario::plan(loader, self.wanted.found.files.get(at)?);
        let (meant, used) = self.wanted.tests(at, &suite);
        let game = &self.listed.schema.id;
        // The game of a scenario that could not be read is unknown.
        let own =
            |index: usize| suite.tests.get(index).is_some_and(|test| test.game.as_ref().is_none_or(|own| own == game));
        let meant: Vec<usize> =
            meant.iter().enumerate().filter(|(index, meant)| **meant && own(*index)).map(|(index, _)| index).collect();
        let problems = if meant.is_empty() && !suite.is_unread() { Vec::new() } else { suite.problems.clone() };
        let mut cited = Cited { examples: Vec::new(), problems, other: None, used, suite };
        if cited.problems.is_empty() {
            let others = meant.iter().filter_map(|index| cited.suite.tests.get(*index));
            cited.other = others.filter(|test| !test.plays(&self.listed)).map(|test| test.line).next();
            let examples = meant.iter().filter_map(|index| {
                let (example, course) = Example::of(loader, &cited.suite, *index, trials.issues())?;
                Some((*index, example, course))
            });
            cited.examples = examples.collect();
        }
        Some(cited)
    }

    /// Prints what prevents a report; returns the exit code if there is something.
    fn refused(&self, cited: &[Cited]) -> Option<Exit> {
        let mut exit = None;
        for (path, why) in &self.wanted.found.unread {
            print_errors(&Suite::unreadable(path.to_string_lossy().into(), why).problems);
            exit = Some(Exit::Invalid);
        }
        for file in cited {
            print_errors(&file.problems);
            if let Some(line) = file.other {
                let game = &self.listed.schema.id;
                print_error(&format!(
                    "{}:{line} plays another game named `{game}`\nname its folder of games with `--games DIR`",
                    file.suite.file
                ));
            }
            if !file.is_good() {
                exit = Some(Exit::Invalid);
            }
        }
        if exit.is_none() {
            let used: Vec<usize> = cited.iter().flat_map(|file| &file.used).copied().collect();
            let suites: Vec<&Suite> = cited.iter().map(|file| &file.suite).collect();
            let missed = self.wanted.missed(&used, &suites);
            missed.iter().for_each(|message| print_error(message));
            exit = (!missed.is_empty()).then_some(Exit::Nothing);
        }
        exit
    }

    fn report(&self, trials: &Trials, examples: Vec<Example>, held: &[Vec<Option<Held>>]) -> Exit {
        let findings = trials.findings(examples, held);
        let report = ReadingsReport { schema: &self.listed.schema, findings: &findings, paired: self.arguments.pairs };
        print(&match self.arguments.format {
            ReadingsFormat::Human => report.human(),
            ReadingsFormat::Json => report.json(),
            ReadingsFormat::Markdown => report.markdown(),
        });
        if findings.examples.is_empty() {
            print_error(
                "no example: add a line `cites \"PLACE IN THE RULEBOOK\"` to the scenarios that are examples of it",
            );
            Exit::Nothing
        } else if report.all_hold() {
            Exit::Passed
        } else {
            Exit::Failed
        }
    }
}

impl Cited {
    /// Returns whether the examples can be held against readings.
    fn is_good(&self) -> bool {
        self.problems.is_empty() && self.other.is_none()
    }
}
