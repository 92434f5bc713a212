//! `referee mutate`: changes the rules in one place at a time, and lists the changes that no scenario notices.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use serde::{Deserialize, Serialize};

use super::Exit;
use super::arguments::Format;
use super::chosen::{Chosen, Selection, run_counted};
use super::disk::Disk;
use super::output::{print, print_error, print_errors};
use super::workers::spread;
use referee_report::{MutationReport, mutation_json};
use referee_scenario::{Exercised, Fate, Loader, LoaderOptions, Mutation, Trial};
use referee_source::{Host, HostError};
use referee_trace::{Status, TestResult};

/// The number of changes after which the file of `--resume` is written again.
const PART: usize = 100;

#[derive(Debug, Args)]
pub(super) struct MutateArguments {
    /// The game whose rules are changed
    game: String,
    /// Scenario files and folders; may be given several times [default: all scenarios of the game]
    #[arg(long, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Look for games in this folder first
    #[arg(long, value_name = "DIR", value_parser = super::arguments::folder)]
    games: Option<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    /// Number of threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = super::arguments::threads)]
    jobs: Option<NonZeroUsize>,
    /// Try only every N-th change, from the K-th on, as in `1/4`
    #[arg(long, value_name = "K/N", value_parser = shard)]
    shard: Option<(usize, usize)>,
    /// Read results from this file, and write them there; may be given several times, then the first is written
    #[arg(long, value_name = "FILE")]
    resume: Vec<PathBuf>,
}

/// Parses `2/4`; returns the numbers.
fn shard(text: &str) -> Result<(usize, usize), String> {
    let pair = text.split_once('/').and_then(|(one, all)| Some((one.parse().ok()?, all.parse().ok()?)));
    pair.filter(|(one, all)| (1..=*all).contains(one)).ok_or_else(|| "expected two numbers, as in `1/4`".to_owned())
}

/// The results so far, as a file.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Kept {
    version: u32,
    /// A key of everything that the results depend on: the scripts, the declarations, the scenarios and this program.
    key: String,
    /// The result of each change, by its index.
    results: BTreeMap<usize, String>,
}

/// The names of fates in the file.
const FATES: [(&str, Fate); 6] = [
    ("noticed", Fate::Noticed),
    ("too long", Fate::TooLong),
    ("unnoticed", Fate::Unnoticed),
    ("not run", Fate::NotRun),
    ("invalid", Fate::Invalid),
    ("same", Fate::Same),
];

/// Runs the command.
pub(super) fn run(arguments: &MutateArguments) -> Exit {
    let options = super::arguments::options(arguments.games.as_ref());
    let default = [PathBuf::from(&arguments.game)];
    let selection = Selection {
        paths: if arguments.paths.is_empty() { &default } else { &arguments.paths },
        scenario: None,
        options: LoaderOptions { counts: true, ..options.clone() },
        jobs: arguments.jobs,
        helps: false,
        lean: false,
    };
    let (chosen, ran) = match run_counted(&selection, Some(&arguments.game)) {
        Ok(ran) => ran,
        Err(message) => {
            print_error(&message);
            return Exit::Usage;
        }
    };
    if let Some(exit) = not_passing(&chosen, &ran) {
        return exit;
    }
    let trials = chosen.tests.iter().zip(&ran).filter_map(|((suite, test), (_, exercised))| {
        let exercised = exercised.as_ref().filter(|one| one.game.schema.id == arguments.game)?;
        Some(Trial { suite: chosen.suites.get(*suite)?, index: (*test)?, exercised })
    });
    let trials = trials.collect();
    let mutation = match Mutation::of(&mut Loader::new(&Disk, selection.options.clone()), trials) {
        Ok(Some(mutation)) => mutation,
        Ok(None) => {
            print_error(&format!("no scenario of the game `{}`", arguments.game));
            return Exit::Nothing;
        }
        Err(wrong) => {
            print_errors(&wrong);
            return Exit::Invalid;
        }
    };
    match tried(arguments, &mutation, &options, selection.threads()) {
        Ok(fates) => report(arguments, &mutation, &fates),
        Err(message) => {
            print_error(&message);
            Exit::Invalid
        }
    }
}

/// Returns the exit code if the scenarios do not pass with the unchanged rules.
fn not_passing(chosen: &Chosen, ran: &[(TestResult, Option<Exercised>)]) -> Option<Exit> {
    let bad = ran.iter().filter(|(result, _)| result.status != Status::Passed).count();
    if bad > 0 {
        print_error(&format!(
            "{bad} of {} tests do not pass by the rules as they are; `referee test` shows why",
            ran.len()
        ));
        let errored = ran.iter().any(|(result, _)| result.status == Status::Errored);
        return Some(if errored { Exit::Invalid } else { Exit::Failed });
    }
    chosen.missed.iter().for_each(|message| print_error(message));
    (!chosen.missed.is_empty()).then_some(Exit::Nothing)
}

/// Tries all changes of this shard. Returns their results, and those in the files of `--resume`.
///
/// # Errors
/// Returns an error message if a file of `--resume` cannot be read or written.
fn tried(
    arguments: &MutateArguments,
    mutation: &Mutation<'_>,
    options: &LoaderOptions,
    jobs: usize,
) -> Result<Vec<(usize, Fate)>, String> {
    let mut kept = Kept { version: 1, key: key(mutation), results: BTreeMap::new() };
    for path in &arguments.resume {
        kept.results.extend(earlier(path, &kept.key)?);
    }
    let (first, step) = arguments.shard.unwrap_or((1, 1));
    let own = (0..mutation.mutants.len()).filter(|at| at % step == first - 1);
    let left: Vec<usize> = own.clone().filter(|at| !kept.results.contains_key(at)).collect();
    let part = if arguments.resume.is_empty() { left.len().max(1) } else { PART };
    let unchanged = mutation.fingerprints(&mut Loader::new(&Disk, options.clone()));
    for some in left.chunks(part) {
        let work = |(): &mut (), at: usize| {
            let index = some.get(at).copied()?;
            let mutant = mutation.mutants.get(index)?;
            let instead = Some(Arc::new(mutant.changed()));
            let mut loader = Loader::new(&Disk, LoaderOptions { instead, ..options.clone() });
            Some((index, referee_scenario::fate(&mut loader, mutation, mutant, &unchanged)))
        };
        for (at, fate) in spread(some.len(), jobs, || (), work).into_iter().flatten() {
            let name = FATES.iter().find(|(_, own)| *own == fate).map_or("", |(name, _)| name);
            kept.results.insert(at, name.to_owned());
        }
        if let Some(path) = arguments.resume.first() {
            let text = serde_json::to_string(&kept).map_err(|error| error.to_string())?;
            Disk.write(path, &format!("{text}\n"))
                .map_err(|error| format!("cannot write {}: {error}", path.display()))?;
        }
    }
    let named = |name: &str| FATES.iter().find(|(own, _)| *own == name).map(|(_, fate)| fate.clone());
    let resumed = !arguments.resume.is_empty();
    let wanted = |at: &usize| resumed || at % step == first - 1;
    let results = kept.results.iter().filter(|(at, _)| wanted(at));
    Ok(results.filter_map(|(at, name)| Some((*at, named(name)?))).collect())
}

/// Returns the results in a file, if they are those of the same rules and scenarios.
fn earlier(path: &Path, key: &str) -> Result<BTreeMap<usize, String>, String> {
    let text = match Disk.read(path) {
        Ok(text) => text,
        Err(HostError::NotFound) => return Ok(BTreeMap::new()),
        Err(error) => return Err(format!("cannot read {}: {error}", path.display())),
    };
    let kept: Kept = serde_json::from_str(&text).map_err(|error| {
        format!("{} holds no results of `referee mutate`: {error}\nname another file", path.display())
    })?;
    Ok(if kept.key == key { kept.results } else { BTreeMap::new() })
}

/// Returns a hash of all that the results depend on.
fn key(mutation: &Mutation<'_>) -> String {
    let texts = std::iter::once(env!("CARGO_PKG_VERSION").to_owned()).chain(mutation.basis());
    // FNV-1a, 64 bits: http://www.isthe.com/chongo/tech/comp/fnv/
    let hash = texts.fold(0xcbf2_9ce4_8422_2325_u64, |hash, text| {
        let bytes = text.bytes().chain([0]);
        bytes.fold(hash, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
    });
    format!("{hash:016x}")
}

fn report(arguments: &MutateArguments, mutation: &Mutation<'_>, fates: &[(usize, Fate)]) -> Exit {
    let report = MutationReport::new(mutation, fates);
    print(&match arguments.format {
        Format::Human => report.text(),
        Format::Json => mutation_json(&report),
    });
    let passed = report.survivors().is_empty() && report.wrong_marks().is_empty();
    if passed { Exit::Passed } else { Exit::Failed }
}
