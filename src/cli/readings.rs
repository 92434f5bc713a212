//! `referee readings`: holds every option and house rule of a game against the examples of its rulebook.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::Exit;
use super::disk::Disk;
use super::output::{print, print_error};
use super::own_tests::{AskedGame, OwnTests};
use super::workers::spread_twice;
use referee_report::ReadingsReport;
use referee_scenario::{Course, Example, Held, Loader, MAX_PAIRED, MAX_VALUES, Trials, issues};

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

/// The tests of a file, and those of them that are examples: each with its index in the suite and its course as
/// written.
struct Cited {
    own: OwnTests,
    examples: Vec<(usize, Example, Course)>,
}

/// Checks the readings against the examples, and prints the results.
pub(super) fn run(arguments: &ReadingsArguments) -> Exit {
    match AskedGame::of(&arguments.game, arguments.games.as_ref(), &arguments.paths) {
        Ok(asked) => Session { arguments, asked }.run(),
        Err(exit) => exit,
    }
}

struct Session<'a> {
    arguments: &'a ReadingsArguments,
    asked: AskedGame,
}

impl Session<'_> {
    fn run(&self) -> Exit {
        let listed = &self.asked.listed;
        let few = self.arguments.pairs.then(|| issues(listed, MAX_PAIRED));
        let trials = Trials::of(issues(listed, MAX_VALUES), few.as_deref());
        let jobs = self.arguments.jobs.or_else(|| std::thread::available_parallelism().ok());
        let loader = || Loader::new(&Disk, self.asked.options.clone());
        let between = |cited: Vec<Option<Cited>>| {
            let cited: Vec<Cited> = cited.into_iter().flatten().collect();
            let good = self.asked.is_good(cited.iter().map(|file| &file.own));
            let with_examples: Vec<usize> =
                cited.iter().enumerate().filter(|(_, file)| !file.examples.is_empty()).map(|(at, _)| at).collect();
            let work = if good { trials.count() * with_examples.len() } else { 0 };
            ((cited, with_examples), work)
        };
        let ((cited, with_examples), held) = spread_twice(
            self.asked.wanted.found.files.len(),
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
                Some(trials.hold(loader, Path::new(&*file.own.suite.file), reading, &examples))
            },
        );
        if let Some(exit) = self.asked.refused(cited.iter().map(|file| &file.own), true) {
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

    /// Returns the examples of file `at` as they are written, and the errors that prevent a report.
    fn cited(&self, loader: &mut Loader<'_>, at: usize, trials: &Trials) -> Option<Cited> {
        let own = self.asked.tests(loader, at)?;
        let tests: &[usize] = if own.is_good() { &own.tests } else { &[] };
        let examples = tests.iter().filter_map(|index| {
            let (example, course) = Example::of(loader, &own.suite, *index, trials.issues())?;
            Some((*index, example, course))
        });
        let examples = examples.collect();
        Some(Cited { own, examples })
    }

    fn report(&self, trials: &Trials, examples: Vec<Example>, held: &[Vec<Option<Held>>]) -> Exit {
        let findings = trials.findings(examples, held);
        let report =
            ReadingsReport { schema: &self.asked.listed.schema, findings: &findings, paired: self.arguments.pairs };
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
