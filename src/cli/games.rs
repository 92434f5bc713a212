//! `referee games`: lists the available games.

use std::path::{Path, PathBuf};

use clap::Args;

use super::Exit;
use super::arguments::Format;
use super::disk::Disk;
use super::output::{print, print_error, print_errors};
use super::workers::spread;
use referee_diagnostic::{Diagnostic, did_you_mean, printable};
use referee_game::SearchPath;
use referee_report::{games_human, games_json};
use referee_scenario::{Listed, Loader};

#[derive(Debug, Args)]
pub(super) struct GamesArguments {
    /// List only these games
    #[arg(value_name = "GAME")]
    names: Vec<String>,
    /// Look for games in this folder first
    #[arg(long, value_name = "DIR", value_parser = super::arguments::folder)]
    games: Option<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

/// Lists the games.
pub(super) fn run(arguments: &GamesArguments) -> Exit {
    let options = super::arguments::options(arguments.games.as_ref());
    let search_path = SearchPath::new(&Disk, options.games.clone(), options.working_folder.clone());
    let mut ids = search_path.games(Path::new(""));
    for name in &arguments.names {
        if !ids.contains(name) {
            let near = did_you_mean(name, ids.iter().map(String::as_str));
            print_error(&format!(
                "unknown game `{name}`\n{}",
                near.unwrap_or("run `referee games` to list the games".to_owned())
            ));
            return Exit::Usage;
        }
    }
    ids.retain(|id| arguments.names.is_empty() || arguments.names.contains(id));
    // One worker: it has the deep stack that scripts need.
    let found = spread(
        1,
        1,
        || Loader::new(&Disk, options.clone()),
        |loader, _| -> Vec<Result<Listed, Vec<Diagnostic>>> {
            ids.iter().map(|id| referee_scenario::listed(loader, id)).collect()
        },
    );
    let (mut games, mut wrong) = (Vec::new(), Vec::new());
    for found in found.into_iter().flatten() {
        match found {
            Ok(game) => games.push(game),
            Err(problems) => wrong.extend(problems),
        }
    }
    print(&match arguments.format {
        Format::Human => printable(&games_human(&games)),
        Format::Json => games_json(&games),
    });
    // A game that cannot be played is never skipped silently.
    print_errors(&wrong);
    if wrong.is_empty() { Exit::Passed } else { Exit::Invalid }
}
