//! The command line: arguments, files on disk, exit codes; one file for each command.

mod check;
mod discover;
mod disk;
mod exit;
mod explain;
mod games;
mod gauges;
mod new;
mod odds;
mod output;
mod perft;
mod progress;
mod set_up;
mod show;
mod simulate;
mod snapshots;
mod test;
mod wanted;
mod workers;

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::scenario::LoaderOptions;
pub use exit::Exit;
pub use gauges::GAUGES;

/// Prove that a rulebook is right: replay its worked examples against the rules.
#[derive(Debug, Parser)]
#[command(name = "referee", version, about, long_about = None, max_term_width = 100)]
#[command(
    after_help = "Exit codes: 0 all passed, 1 an expectation failed, 2 wrong usage, 3 a file is invalid, 4 nothing matched."
)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Write a first game: its rulebook, its rules and its first examples
    New(new::NewArguments),
    /// Run scenario files and loader every expectation
    Test(test::TestArguments),
    /// List the games that can be played, with their players, variants, options and house rules
    Games(games::GamesArguments),
    /// Parse and analyse scenario and game files without running them
    Check(check::CheckArguments),
    /// Show the positions on the way through a scenario
    Show(show::ShowArguments),
    /// List what may be done at the end of a scenario, or say why something may not
    Moves(show::MovesArguments),
    /// Count the ways in which play can go on from the end of a scenario, or from a game's set-up
    Perft(perft::PerftArguments),
    /// Play a game out many times, at random or by a policy, and tell what the games came to
    Simulate(simulate::SimulateArguments),
    /// Tell the chance of each player to win, or of anything else, over all that chance may bring
    Odds(odds::OddsArguments),
    /// Look at snapshots that are new or have changed, and accept or reject each
    Review(snapshots::ReviewArguments),
    /// Explain the code of a message, or list all codes
    Explain(explain::ExplainArguments),
}

/// What every command that reads files takes.
#[derive(Debug, Args)]
struct Common {
    /// Files or folders
    #[arg(default_value = "scenarios")]
    paths: Vec<PathBuf>,
    /// Look for games in this folder before anywhere else
    #[arg(long, value_name = "DIR", value_parser = folder)]
    games: Option<PathBuf>,
    /// How results are written
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

/// How results are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    Human,
    /// For programs: one JSON object on standard output and nothing else
    Json,
}

/// Runs the command line of this process.
#[must_use]
pub fn main() -> std::process::ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            let code = if error.use_stderr() { Exit::Usage } else { Exit::Passed };
            // Nobody is left to tell where the terminal is gone.
            let _ = error.print();
            return code.into();
        }
    };
    match arguments.command {
        Command::New(arguments) => new::run(&arguments),
        Command::Test(arguments) => test::run(&arguments),
        Command::Games(arguments) => games::run(&arguments),
        Command::Check(arguments) => check::run(&arguments),
        Command::Show(arguments) => show::show(&arguments),
        Command::Moves(arguments) => show::moves(&arguments),
        Command::Perft(arguments) => perft::run(&arguments),
        Command::Simulate(arguments) => simulate::run(&arguments),
        Command::Odds(arguments) => odds::run(&arguments),
        Command::Review(arguments) => snapshots::review(&arguments),
        Command::Explain(arguments) => explain::run(&arguments),
    }
    .into()
}

/// Returns a folder that exists.
fn folder(name: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(name);
    if path.is_dir() { Ok(path) } else { Err("there is no such folder".to_owned()) }
}

/// Returns a number of threads.
fn threads(number: &str) -> Result<NonZeroUsize, String> {
    number.parse().map_err(|_| "write a number of threads, 1 or more".to_owned())
}

/// Returns where games are looked for, and what stops their rules.
fn options(games: Option<&PathBuf>) -> LoaderOptions {
    let working_folder = std::env::current_dir().unwrap_or_default();
    LoaderOptions { games: games.cloned(), working_folder, gauges: Some(gauges::GAUGES) }
}
