//! The command line: arguments, files on disk, exit codes; one file for each command.

mod arguments;
mod book;
mod book_chapters;
mod book_failures;
mod book_pictures;
mod check;
mod chosen;
mod compare;
mod coverage;
mod deals;
mod discover;
mod disk;
mod exit;
mod explain;
mod explore;
mod flags;
mod fmt;
mod games;
mod last_failed;
mod lsp;
mod mutate;
mod new;
mod odds;
mod output;
mod own_tests;
mod pairs;
mod perft;
mod play;
mod playground;
mod playground_links;
mod profile;
mod progress;
mod readings;
mod review;
mod set_up;
mod shard;
mod shell;
mod show;
mod sides;
mod simulate;
mod snapshots;
mod stage;
mod test;
mod test_arguments;
mod test_reports;
mod test_run;
mod test_watch;
mod wanted;
mod witnesses;
mod workers;

use std::sync::LazyLock;

use clap::{CommandFactory, Parser, Subcommand};

use referee_diagnostic::{noted_missing, strange_character};
use referee_rules::Engine;

pub(crate) use exit::Exit;

/// The version, and the engines that run compiled rules in this build: `--version` prints it, `-V` only the version.
static VERSION: LazyLock<String> = LazyLock::new(|| {
    let engines: Vec<&str> = Engine::ALL.iter().map(|engine| engine.name()).collect();
    format!("{} (engines: {})", env!("CARGO_PKG_VERSION"), engines.join(", "))
});

/// Prove that a rulebook is right: replay its worked examples against the rules.
#[derive(Debug, Parser)]
#[command(name = "referee", version, long_version = VERSION.as_str(), about, long_about = None, max_term_width = 100)]
#[command(
    after_help = "Exit codes: 0 all passed, 1 an expectation failed, 2 wrong usage, 3 a file is invalid, 4 nothing matched, \
                  70 internal error."
)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Create a new game: its rulebook, its rules and its first examples
    New(new::NewArguments),
    /// Run scenario files and check every expectation
    Test(test_arguments::TestArguments),
    /// Show which clauses, lines and options of the rules the scenarios exercise, and which they miss
    Coverage(coverage::CoverageArguments),
    /// Change the rules in one place at a time, and list the changes that no scenario notices
    Mutate(mutate::MutateArguments),
    /// List the available games with their players, variants, options and house rules
    Games(games::GamesArguments),
    /// Parse and analyse scenario and game files without running them
    Check(check::CheckArguments),
    /// Format scenario and game files: indentation, aligned diagrams and tables
    Fmt(fmt::FmtArguments),
    /// Show the positions of a scenario, step by step
    Show(show::ShowArguments),
    /// List the legal actions at the end of a scenario, or explain why an action is refused
    Moves(show::MovesArguments),
    /// Count the possible sequences of answers after a scenario or a game's set-up
    Perft(perft::PerftArguments),
    /// Play many games, at random or by a policy, and print statistics
    Simulate(simulate::SimulateArguments),
    /// Play a game at the terminal, against policies or other players
    Play(play::PlayArguments),
    /// Open a project in a browser: the files, their boards and their examples, on this machine alone
    Playground(playground::PlaygroundArguments),
    /// Look for holes in the rules, and print the shortest scenario that shows each
    Explore(explore::ExploreArguments),
    /// Compute the chance that a player wins or a condition holds
    Odds(odds::OddsArguments),
    /// Check every option value and house rule against the examples of the rulebook
    Readings(readings::ReadingsArguments),
    /// Show what an option or a house rule changes, in scenarios, in simulated games and in exact odds
    Compare(compare::CompareArguments),
    /// Make a page of a rulebook: its examples are run and drawn, and each clause names those that show it
    Book(book::BookArguments),
    /// Review new and changed snapshots: accept, reject or skip each
    Review(review::ReviewArguments),
    /// Explain the code of a message, or list all codes
    Explain(explain::ExplainArguments),
    /// Serve an editor: the language server, on standard input and output
    Lsp(lsp::LspArguments),
    /// Print a script with which a shell completes the command line
    Completions(shell::CompletionsArguments),
    /// Write the manual pages
    Man(shell::ManArguments),
}

impl Command {
    /// Returns an error message for a flag that is given twice, if the parser allows it for another meaning of the flag.
    fn twice(&self) -> Option<&'static str> {
        match self {
            Self::Simulate(arguments) => arguments.stage.twice(),
            Self::Play(arguments) => arguments.stage.twice(),
            Self::Explore(arguments) => arguments.stage.twice(),
            Self::Compare(arguments) => arguments.games.twice(),
            _ => None,
        }
    }
}

/// Runs the command line of this process.
#[must_use]
pub(crate) fn main() -> std::process::ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            let exit = if error.use_stderr() { Exit::Usage } else { Exit::Passed };
            // If the terminal is gone, there is nowhere to report the error.
            let _ = error.print();
            let (text, words) = (error.to_string(), std::env::args().skip(1));
            let words = words.filter(|word| text.contains(word.as_str()));
            if let Some(note) = words.filter(|_| exit == Exit::Usage).find_map(|word| strange_character(&word)) {
                output::print_error(&note);
            }
            return exit.into();
        }
    };
    if let Some(message) = arguments.command.twice() {
        output::print_error(message);
        return Exit::Usage.into();
    }
    let exit = match arguments.command {
        Command::New(arguments) => new::run(&arguments),
        Command::Test(arguments) => test::run(&arguments),
        Command::Coverage(arguments) => coverage::run(&arguments),
        Command::Mutate(arguments) => mutate::run(&arguments),
        Command::Games(arguments) => games::run(&arguments),
        Command::Check(arguments) => check::run(&arguments),
        Command::Fmt(arguments) => fmt::run(&arguments),
        Command::Show(arguments) => show::show(&arguments),
        Command::Moves(arguments) => show::moves(&arguments),
        Command::Perft(arguments) => perft::run(&arguments),
        Command::Simulate(arguments) => simulate::run(&arguments),
        Command::Play(arguments) => play::run(&arguments),
        Command::Playground(arguments) => playground::run(&arguments),
        Command::Explore(arguments) => explore::run(&arguments),
        Command::Odds(arguments) => odds::run(&arguments),
        Command::Readings(arguments) => readings::run(&arguments),
        Command::Compare(arguments) => compare::run(&arguments),
        Command::Book(arguments) => book::run(&arguments),
        Command::Review(arguments) => review::run(&arguments),
        Command::Explain(arguments) => explain::run(&arguments),
        Command::Lsp(arguments) => lsp::run(&arguments),
        Command::Completions(arguments) => shell::completions(&arguments, Arguments::command()),
        Command::Man(arguments) => shell::man(&arguments, Arguments::command()),
    };
    let missing = noted_missing();
    missing.iter().for_each(|wrong| output::print_error(&wrong.message));
    if missing.is_empty() { exit.into() } else { Exit::Internal.into() }
}
