//! `referee check`: analyses files without running them.

use std::collections::HashSet;
use std::path::PathBuf;

use clap::Args;

use super::arguments::{Common, Format};
use super::disk::Disk;
use super::output::{colour, print, print_error};
use super::wanted::standing;
use super::workers::spread;
use super::{Exit, discover};
use crate::diagnostic::{Diagnostic, Renderer};
use crate::report::check_json;
use crate::scenario::{self, Loader};

#[derive(Debug, Args)]
pub(super) struct CheckArguments {
    #[command(flatten)]
    common: Common,
}

/// Analyses all files, and prints what is wrong with them.
pub(super) fn run(arguments: &CheckArguments) -> Exit {
    let paths = match arguments.common.paths.as_slice() {
        [] => standing(&[]),
        paths => paths.to_vec(),
    };
    if paths.is_empty() {
        print_error("there is no folder `scenarios` or `games` here: name files or folders");
        return Exit::Nothing;
    }
    let discover::Found { files, unread } = match discover::files(&Disk, &paths, &["scenario", "md", "game"]) {
        Ok(found) => found,
        Err(message) => {
            print_error(&message);
            return Exit::Usage;
        }
    };
    let options = super::arguments::options(arguments.common.games.as_ref());
    // One worker: it has the deep stack that scripts need, and reports each error of a game once.
    let found = spread(1, 1, || Loader::new(&Disk, options.clone()), |loader, _| problems(loader, &files));
    let unread = unread.iter().map(|(path, error)| {
        Diagnostic::general("unreadable_file", format!("cannot read {}: {error}", path.display()))
    });
    let found: Vec<Diagnostic> = unread.chain(found.into_iter().flatten()).collect();
    if arguments.common.format == Format::Json {
        print(&check_json(files.len(), &found));
    } else {
        let renderer = Renderer { colour: colour() };
        for problem in &found {
            print(&format!("{}\n", renderer.render(problem)));
        }
        let plural = |count: usize, word: &str| format!("{count} {word}{}", if count == 1 { "" } else { "s" });
        let mistakes = if found.is_empty() { "no errors".to_owned() } else { plural(found.len(), "error") };
        print(&format!("{}, {mistakes}\n", plural(files.len(), "file")));
    }
    match (files.is_empty(), found.is_empty()) {
        (_, false) => Exit::Invalid,
        (true, true) => Exit::Nothing,
        (false, true) => Exit::Passed,
    }
}

/// Returns what is wrong with files, each error once.
fn problems(loader: &mut Loader<'_>, files: &[PathBuf]) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = Vec::new();
    let mut told = HashSet::new();
    for file in files {
        let is_game = file.extension().is_some_and(|ending| ending == "game");
        let problems = if is_game { scenario::check_game(loader, file) } else { scenario::plan(loader, file).problems };
        for problem in problems {
            let places = problem.labels.iter().map(|label| (label.source.name().to_owned(), label.span));
            if told.insert((problem.code, problem.message.clone(), places.collect::<Vec<_>>())) {
                found.push(problem);
            }
        }
    }
    found
}
