//! `referee games`: what can be played.

use std::path::{Path, PathBuf};

use clap::Args;

use super::disk::Disk;
use super::output::{complain, print};
use super::show::complain_about;
use super::workers::spread;
use super::{Exit, Format};
use crate::diagnostic::{Diagnostic, did_you_mean, printable};
use crate::game::Shelf;
use crate::report::{games_human, games_json};
use crate::scenario::{self, Listed, Loader};

#[derive(Debug, Args)]
pub(super) struct GamesArguments {
    /// Only these games
    #[arg(value_name = "GAME")]
    names: Vec<String>,
    /// Look for games in this folder before anywhere else
    #[arg(long, value_name = "DIR", value_parser = super::folder)]
    games: Option<PathBuf>,
    /// How they are listed
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

/// List the games.
pub(super) fn run(arguments: &GamesArguments) -> Exit {
    let options = super::options(arguments.games.as_ref());
    let shelf = Shelf::new(&Disk, options.games.clone(), options.working_folder.clone());
    let mut ids = shelf.games(Path::new(""));
    for name in &arguments.names {
        if !ids.contains(name) {
            let near = did_you_mean(name, ids.iter().map(String::as_str));
            complain(&format!(
                "there is no game `{name}`\n{}",
                near.unwrap_or("`referee games` lists them".to_owned())
            ));
            return Exit::Usage;
        }
    }
    ids.retain(|id| arguments.names.is_empty() || arguments.names.contains(id));
    // One worker, for it has the deep stack that scripts need.
    let found = spread(
        1,
        1,
        || Loader::new(&Disk, options.clone()),
        |loader, _| -> Vec<Result<Listed, Vec<Diagnostic>>> {
            ids.iter().map(|id| scenario::listed(loader, id)).collect()
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
    // A game that cannot be played is never left out in silence.
    complain_about(&wrong);
    if wrong.is_empty() { Exit::Passed } else { Exit::Invalid }
}
