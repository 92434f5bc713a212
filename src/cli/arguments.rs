//! Arguments shared by several commands.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::builder::RangedU64ValueParser;
use clap::{Args, ValueEnum};

use referee_play::DEFAULT_BYTES;
use referee_rules::Engine;
use referee_scenario::{LoaderOptions, MAX_MEGABYTES, MEGABYTE};

/// Arguments of every command that reads files.
#[derive(Debug, Args)]
pub(super) struct Common {
    /// Files or folders; without any, the folders `scenarios` and `games`
    pub(super) paths: Vec<PathBuf>,
    /// Look for games in this folder first
    #[arg(long, value_name = "DIR", value_parser = folder)]
    pub(super) games: Option<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub(super) format: Format,
}

/// An output format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// Human-readable
    Human,
    /// For programs: one JSON object on standard output, and nothing else there
    Json,
}

/// Parses a folder, which must exist.
pub(super) fn folder(name: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(name);
    if path.is_dir() { Ok(path) } else { Err("no such folder".to_owned()) }
}

/// Parses a folder to write to, which need not exist.
pub(super) fn new_folder(name: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(name);
    if path.exists() && !path.is_dir() { Err("this is no folder".to_owned()) } else { Ok(path) }
}

/// What runs the rules, where that can be chosen for a comparison.
#[derive(Clone, Copy, Debug)]
pub(super) enum RunBy {
    Machine,
    Compiled(Engine),
}

/// Reads what is to run the rules.
pub(super) fn run_by(text: &str) -> Result<RunBy, String> {
    let engine = || Engine::ALL.iter().find(|engine| engine.name() == text);
    match text {
        "machine" => Ok(RunBy::Machine),
        _ => engine().map(|engine| RunBy::Compiled(*engine)).ok_or_else(|| "this build has no such engine".to_owned()),
    }
}

/// Parses a number of threads.
pub(super) fn threads(number: &str) -> Result<NonZeroUsize, String> {
    number.parse().map_err(|_| "expected a number of threads, 1 or more".to_owned())
}

/// The default number of megabytes for states.
pub(super) const MEGABYTES: u64 = DEFAULT_BYTES / MEGABYTE;

/// Returns the parser for a number of megabytes.
pub(super) fn megabytes() -> RangedU64ValueParser {
    clap::value_parser!(u64).range(1..=MAX_MEGABYTES)
}

/// Returns the loader's options: the folders to search for games.
pub(super) fn options(games: Option<&PathBuf>) -> LoaderOptions {
    let working_folder = std::env::current_dir().unwrap_or_default();
    LoaderOptions { games: games.cloned(), working_folder, ..LoaderOptions::default() }
}
