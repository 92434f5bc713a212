//! `referee coverage`: runs scenarios and reports their coverage of their games.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::Exit;
use super::chosen::{Chosen, Selection, run_counted};
use super::disk::Disk;
use super::output::{print, print_data, print_error, remark};
use referee_diagnostic::printable;
use referee_report::{CoverageReport, coverage_json, coverage_lcov, coverage_markdown, test_name};
use referee_scenario::{Coverage, Exercised, FileCoverage, GameCoverage, Loader, LoaderOptions, Share};
use referee_trace::{Status, TestResult};

#[derive(Debug, Args)]
pub(super) struct CoverageArguments {
    /// Files, folders, a line of a file as in `a.scenario:12`, or a game (all its scenarios) [default: the folders
    /// `scenarios` and `games`]
    paths: Vec<PathBuf>,
    /// Look for games in this folder first
    #[arg(long, value_name = "DIR", value_parser = super::arguments::folder)]
    games: Option<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t = CoverageFormat::Human)]
    format: CoverageFormat,
    /// Run only tests whose title (with row and branch) contains this text
    #[arg(long, value_name = "TEXT", alias = "filter")]
    scenario: Option<String>,
    /// Number of threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = super::arguments::threads)]
    jobs: Option<NonZeroUsize>,
    /// List all clauses with the scenarios that apply them, and the shares of each script
    #[arg(long)]
    details: bool,
    /// Fail if less than this is covered of a game, in percent, as in `lines=100,clauses=100`; also `functions` and
    /// `branches`
    #[arg(long, value_name = "WHAT=PERCENT", value_delimiter = ',', value_parser = limit)]
    fail_under: Vec<(Measure, usize)>,
}

/// The formats of a report on coverage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum CoverageFormat {
    /// Human-readable: what is missing
    Human,
    /// For programs: one JSON object on standard output, and nothing else there
    Json,
    /// For editors and other tools that show covered lines
    Lcov,
    /// A table of the clauses for the rulebook
    Markdown,
}

/// The subject of a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Measure {
    Clauses,
    Functions,
    Lines,
    Branches,
}

impl Measure {
    const ALL: [(&'static str, Self); 4] = [
        ("clauses", Self::Clauses),
        ("functions", Self::Functions),
        ("lines", Self::Lines),
        ("branches", Self::Branches),
    ];

    fn share(self, game: &GameCoverage) -> Share {
        match self {
            Self::Clauses => game.clause_share(),
            Self::Functions => game.share(FileCoverage::function_share),
            Self::Lines => game.share(FileCoverage::line_share),
            Self::Branches => game.share(FileCoverage::branch_share),
        }
    }

    fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, measure)| *measure == self).map_or("", |(name, _)| name)
    }
}

/// Parses `lines=100`.
fn limit(text: &str) -> Result<(Measure, usize), String> {
    let pair = text.split_once('=').and_then(|(name, percent)| {
        let (_, measure) = Measure::ALL.into_iter().find(|(own, _)| *own == name.trim())?;
        let percent = percent.trim().parse().ok().filter(|percent| *percent <= 100)?;
        Some((measure, percent))
    });
    pair.ok_or_else(|| {
        "expected `clauses`, `functions`, `lines` or `branches` with a percentage, as in `lines=90`".into()
    })
}

/// Runs the tests of all files, and reports their coverage.
pub(super) fn run(arguments: &CoverageArguments) -> Exit {
    let options = LoaderOptions { counts: true, ..super::arguments::options(arguments.games.as_ref()) };
    let selection = Selection {
        paths: &arguments.paths,
        scenario: arguments.scenario.as_deref(),
        options: options.clone(),
        jobs: arguments.jobs,
        helps: false,
        lean: false,
    };
    let (chosen, ran) = match run_counted(&selection, None) {
        Ok(ran) => ran,
        Err(message) => {
            print_error(&message);
            return Exit::Usage;
        }
    };
    let exercised = ran.iter().enumerate().filter_map(|(at, (_, exercised))| Some((at, exercised.as_ref()?)));
    let coverage = match Coverage::of(&Loader::new(&Disk, options), exercised) {
        Ok(coverage) => coverage,
        Err(wrong) => {
            print_error(&wrong.message);
            return Exit::Invalid;
        }
    };
    let names: Vec<String> = ran.iter().map(|(result, _)| test_name(result)).collect();
    show(arguments, &coverage, &names);
    if ran.is_empty() {
        print_error(printable(&chosen.wanted.nothing(arguments.scenario.as_deref())).trim_end());
        return Exit::Nothing;
    }
    verdict(arguments, &coverage, &chosen, &ran)
}

fn show(arguments: &CoverageArguments, coverage: &Coverage, names: &[String]) {
    match arguments.format {
        CoverageFormat::Human => print(&CoverageReport { names, details: arguments.details }.text(coverage)),
        CoverageFormat::Json => print(&coverage_json(coverage, names)),
        CoverageFormat::Markdown => print_data(&coverage_markdown(coverage, names)),
        CoverageFormat::Lcov => {
            print_data(&coverage_lcov(coverage));
            for game in coverage.games.iter().filter(|game| game.game.is_built_in()) {
                remark(&format!("the bundled game `{}` has no files on disk, so it is left out", game.schema().id));
            }
        }
    }
}

/// Reports everything that makes the command fail.
fn verdict(
    arguments: &CoverageArguments,
    coverage: &Coverage,
    chosen: &Chosen,
    ran: &[(TestResult, Option<Exercised>)],
) -> Exit {
    let mut exit = Exit::Passed;
    for game in &coverage.games {
        for (measure, percent) in &arguments.fail_under {
            let share = measure.share(game);
            // The share itself is rounded down.
            if share.covered * 100 < percent * share.all {
                let (id, name) = (&game.schema().id, measure.name());
                print_error(&format!("`{id}`: {} % of the {name} are covered, less than {percent} %", share.percent()));
                exit = Exit::Failed;
            }
        }
        if game.files.iter().any(|file| !file.idle_marks().is_empty()) {
            exit = Exit::Failed;
        }
    }
    let count = |status: Status| ran.iter().filter(|(result, _)| result.status == status).count();
    let bad = count(Status::Failed) + count(Status::Errored) + count(Status::Skipped);
    if bad > 0 {
        print_error(&format!("{bad} of {} tests did not pass; `referee test` shows why", ran.len()));
        exit = Exit::Failed;
    }
    chosen.missed.iter().for_each(|message| print_error(message));
    let unread = chosen.suites.iter().any(|suite| !suite.problems.is_empty());
    match exit {
        _ if count(Status::Errored) > 0 || unread => Exit::Invalid,
        Exit::Passed if !chosen.missed.is_empty() => Exit::Nothing,
        exit => exit,
    }
}
