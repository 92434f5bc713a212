//! The tests that questions about a game are about: those of all files of the project.

use std::path::{Path, PathBuf};

use referee_diagnostic::Diagnostic;
use referee_scenario::{Loader, Suite, plan};

use crate::files::{ROOT, files};

/// The folders of a project.
const FOLDERS: [&str; 2] = ["scenarios", "games"];

/// Returns the files that may have scenarios, in the order of the command line: the folder `scenarios` first.
pub(super) fn paths() -> Vec<PathBuf> {
    let of_examples =
        |path: &PathBuf| path.extension().is_some_and(|extension| extension == "scenario" || extension == "md");
    let all = files().paths();
    let own = all.iter().map(|path| path.strip_prefix(ROOT).unwrap_or(path).to_path_buf());
    let mut paths: Vec<PathBuf> = own.filter(of_examples).collect();
    paths.sort_by_key(|path| FOLDERS.iter().position(|folder| path.starts_with(folder)).unwrap_or(FOLDERS.len()));
    paths
}

/// Returns a file with the indices of its tests of a game.
///
/// # Errors
/// Returns the errors of the file, if one of its tests may be of the game.
pub(super) fn own(
    loader: &mut Loader<'static>,
    path: &Path,
    game: &str,
) -> Result<(Suite, Vec<usize>), Vec<Diagnostic>> {
    let suite = plan(loader, path);
    let own = suite.tests.iter().enumerate().filter(|(_, test)| test.may_be_of(game)).map(|(at, _)| at);
    let own: Vec<usize> = own.collect();
    if own.is_empty() || suite.problems.is_empty() { Ok((suite, own)) } else { Err(suite.problems) }
}
