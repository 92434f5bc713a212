//! The arguments of `referee test`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;

use super::arguments::Format;
use super::profile::ProfileArguments;
use super::shard::Shard;
use super::test_reports::ReportTo;

/// The arguments and flags of `referee test`.
#[derive(Debug, Args)]
pub(super) struct TestArguments {
    /// Files, folders, a line of a file as in `a.scenario:12`, or a game (all its scenarios) [default: the folders
    /// `scenarios` and `games`]
    pub(super) paths: Vec<PathBuf>,
    /// Look for games in this folder first
    #[arg(long, value_name = "DIR", value_parser = super::arguments::folder)]
    pub(super) games: Option<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub(super) format: Format,
    /// Run only tests whose title (with row and branch) contains this text
    #[arg(long, value_name = "TEXT", alias = "filter")]
    pub(super) scenario: Option<String>,
    /// Number of threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = super::arguments::threads)]
    pub(super) jobs: Option<NonZeroUsize>,
    #[command(flatten)]
    pub(super) profile: ProfileArguments,
    /// Accept all new and changed snapshots, and delete stale ones
    #[arg(long, conflicts_with_all = ["report", "fail_fast"])]
    pub(super) accept: bool,
    /// Write the line of play that decides a question as a scenario to this folder
    #[arg(long, value_name = "DIR", value_parser = super::arguments::new_folder)]
    pub(super) write: Option<PathBuf>,
    /// Also report to: junit=FILE, tap=FILE, html=DIR, or github (annotations on standard output); may be repeated
    #[arg(long, value_name = "KIND[=PATH]", value_parser = ReportTo::parse)]
    pub(super) report: Vec<ReportTo>,
    /// In the pages of `--report html=DIR`, link each test to the playground at this address
    #[arg(long, value_name = "ADDRESS", requires = "report", value_parser = super::playground_links::address)]
    pub(super) playground: Option<String>,
    /// Stop at the first test that does not pass
    #[arg(long)]
    pub(super) fail_fast: bool,
    /// Run part K of N equal parts; all parts together are all tests
    #[arg(long, value_name = "K/N", value_parser = Shard::parse)]
    pub(super) shard: Option<Shard>,
    /// Run only the tests that did not pass when these paths were last run
    #[arg(long)]
    pub(super) last_failed: bool,
    /// Run again what a change of a file touches, until Ctrl-C
    #[arg(long, conflicts_with_all = ["format", "accept", "write", "report", "shard", "last_failed", "profile"])]
    pub(super) watch: bool,
    /// List passing tests too, and the results of their questions
    #[arg(short, long)]
    pub(super) verbose: bool,
}

impl TestArguments {
    /// Returns whether all tests of the paths are run.
    pub(super) const fn is_of_all(&self) -> bool {
        self.scenario.is_none() && self.shard.is_none() && !self.last_failed
    }
}
