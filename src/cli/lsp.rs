//! `referee lsp`: the language server, on standard input and output.

use clap::Args;
use lsp_server::Connection;

use super::Exit;
use super::arguments::options;
use super::disk::Disk;
use super::output::print_error;
use super::workers::spread;
use crate::lsp::serve;

#[derive(Debug, Args)]
pub(super) struct LspArguments {
    /// Look for games in this folder first
    #[arg(long, value_name = "DIR")]
    games: Option<std::path::PathBuf>,
    /// Accepted, because editors pass it; the server always uses standard input and output
    #[arg(long)]
    stdio: bool,
}

/// Serves one editor until it ends the connection.
pub(super) fn run(arguments: &LspArguments) -> Exit {
    let (connection, threads) = Connection::stdio();
    let options = options(arguments.games.as_ref());
    // A worker has the deep stack that scripts need.
    let ends = spread(1, 1, || (), |(), _| serve(&connection, &Disk, &options, &ended));
    drop(connection);
    let joined = threads.join().map_err(|error| error.to_string());
    exit_of(&ends.into_iter().collect::<Result<Vec<()>, String>>().map(drop).and(joined))
}

/// Ends the process: a test that is still being run is of no use any more. All answers have been written, because the client
/// has waited for the one to its `shutdown`.
fn ended(end: &Result<(), String>) {
    std::process::exit(exit_of(end) as i32);
}

/// Says why the server has stopped, if the client has not ended it.
fn exit_of(end: &Result<(), String>) -> Exit {
    match end {
        Ok(()) => Exit::Passed,
        Err(message) => {
            print_error(&format!("the language server has stopped: {message}"));
            Exit::Usage
        }
    }
}
