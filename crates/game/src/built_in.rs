//! The games bundled in the binary.

use std::path::{Path, PathBuf};

use rust_embed::Embed;

use referee_source::{Host, HostError, decoded};

#[derive(Embed)]
#[folder = "../../games/"]
struct Files;

/// The bundled games as a host; paths are relative to `games/`.
pub(crate) struct BuiltIn;

impl Host for BuiltIn {
    fn read(&self, path: &Path) -> Result<String, HostError> {
        let name = path.to_string_lossy().replace('\\', "/");
        let file = Files::get(&name).ok_or(HostError::NotFound)?;
        decoded(file.data.into_owned())
    }

    fn list(&self, folder: &Path) -> Result<Vec<PathBuf>, HostError> {
        let depth = folder.components().count() + 1;
        let inside = Files::iter().map(|name| PathBuf::from(&*name)).filter(|path| path.starts_with(folder));
        let mut names: Vec<PathBuf> = inside.map(|path| path.components().take(depth).collect()).collect();
        names.sort();
        names.dedup();
        Ok(names)
    }

    fn is_folder(&self, path: &Path) -> bool {
        Files::iter().any(|name| Path::new(&*name) != path && Path::new(&*name).starts_with(path))
    }
}

/// Returns whether a game with this name is bundled.
#[must_use]
pub fn is_built_in(id: &str) -> bool {
    BuiltIn.is_folder(Path::new(id))
}

/// Returns the names of the bundled games, sorted.
#[must_use]
pub fn built_in_games() -> Vec<String> {
    let folders = BuiltIn.list(Path::new("")).unwrap_or_default();
    folders.iter().map(|folder| folder.to_string_lossy().into_owned()).collect()
}

/// Returns the files of a bundled game, sorted by their paths in its folder, with their texts.
///
/// # Errors
/// Returns an error if a file is not UTF-8.
pub fn built_in_files(id: &str) -> Result<Vec<(String, String)>, HostError> {
    let below = format!("{id}/");
    let mut paths: Vec<String> = Files::iter().filter(|path| path.starts_with(&below)).map(String::from).collect();
    paths.sort();
    let own = paths.iter().filter_map(|path| Some((path, path.strip_prefix(&below)?)));
    own.map(|(path, own)| Ok((own.to_owned(), BuiltIn.read(Path::new(path))?))).collect()
}
