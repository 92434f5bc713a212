//! The search path for games: `--games`, the nearest `games/` above the scenario file, the nearest above the working
//! folder, the bundled games; in this order.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::built_in::BuiltIn;
use crate::source::{Host, HostError, Source};

/// The folders searched for games.
#[derive(Clone)]
pub struct SearchPath<'h> {
    host: &'h (dyn Host + Sync),
    games: Option<PathBuf>,
    working_folder: PathBuf,
}

/// The folder of a game, on the host or bundled.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Folder {
    pub(crate) built_in: bool,
    pub(crate) path: PathBuf,
}

impl<'h> SearchPath<'h> {
    /// Returns a search path on a host; `games` is searched first.
    pub fn new(host: &'h (dyn Host + Sync), games: Option<PathBuf>, working_folder: PathBuf) -> Self {
        Self { host, games, working_folder }
    }

    /// Returns the folder of the game `id` for a scenario in `file`.
    ///
    /// # Errors
    /// Returns an error if access to a folder is denied: the game could be there.
    pub(crate) fn find(&self, id: &str, file: &Path) -> Result<Option<Folder>, (PathBuf, HostError)> {
        let places = self.places(file).into_iter().map(|place| Folder { built_in: false, path: place.join(id) });
        let built_in = Folder { built_in: true, path: PathBuf::from(id) };
        for folder in places.chain([built_in]) {
            match self.host_of(&folder).has_folder(&folder.path) {
                Ok(true) => return Ok(Some(folder)),
                Ok(false) => {}
                Err(error) => return Err((folder.path, error)),
            }
        }
        Ok(None)
    }

    /// Returns the names of all folders and files in the search path of a scenario in `file`, sorted.
    pub(crate) fn ids(&self, file: &Path) -> Vec<String> {
        let mut ids: Vec<String> = Vec::new();
        let listed = self.places(file).into_iter().filter_map(|place| self.host.list(&place).ok());
        for path in listed.chain(BuiltIn.list(Path::new("")).ok()).flatten() {
            ids.extend(path.file_name().map(|name| name.to_string_lossy().into_owned()));
        }
        ids.sort();
        ids.dedup();
        ids
    }

    /// Returns the ids of all games that a scenario in `file` can use, sorted: the folders with a game file.
    pub(crate) fn games(&self, file: &Path) -> Vec<String> {
        let mut ids = self.ids(file);
        ids.retain(|id| match self.find(id, file) {
            Ok(folder) => folder.is_some_and(|folder| {
                self.list(&folder, "").map_or(true, |files| files.iter().any(|file| file.ends_with(".game")))
            }),
            // The folder cannot be read: it may hold a game.
            Err(_) => true,
        });
        ids
    }

    /// Returns the folder of the game `id` on the host, searched from the working folder; `None` for a bundled or
    /// unknown game.
    pub(crate) fn folder(&self, id: &str) -> Option<PathBuf> {
        let found = self.find(id, Path::new("")).ok().flatten()?;
        (!found.built_in).then_some(found.path)
    }

    fn places(&self, file: &Path) -> Vec<PathBuf> {
        let absolute = self.working_folder.join(file);
        let above_file = self.nearest(absolute.parent().unwrap_or(&self.working_folder));
        let above_working_folder = self.nearest(&self.working_folder);
        self.games.iter().cloned().chain(above_file).chain(above_working_folder).collect()
    }

    /// Returns the nearest `games/` in `folder` or above it; relative to the working folder if it is inside that.
    fn nearest(&self, folder: &Path) -> Option<PathBuf> {
        let found = folder.ancestors().map(|above| above.join("games")).find(|games| self.host.is_folder(games))?;
        Some(found.strip_prefix(&self.working_folder).map(Path::to_path_buf).unwrap_or(found))
    }

    fn host_of(&self, folder: &Folder) -> &dyn Host {
        if folder.built_in { &BuiltIn } else { self.host }
    }

    /// Returns the text of a file in a game's folder.
    pub(crate) fn read(&self, folder: &Folder, name: &Path) -> Result<String, HostError> {
        self.host_of(folder).read_within(&folder.path, &folder.path.join(name))
    }

    /// Returns the names of the files in a folder below a game's folder, sorted; none if there is no such folder.
    ///
    /// # Errors
    /// Returns an error if the folder cannot be listed.
    pub(crate) fn list(&self, folder: &Folder, below: &str) -> Result<Vec<String>, HostError> {
        let listed = match self.host_of(folder).list(&folder.path.join(below)) {
            Err(HostError::NotFound) => Vec::new(),
            listed => listed?,
        };
        Ok(listed.iter().filter_map(|path| Some(path.file_name()?.to_string_lossy().into_owned())).collect())
    }
}

impl Folder {
    /// Returns the path of a file in this folder to show to users.
    pub(crate) fn shown(&self, name: &Path) -> String {
        let path = self.path.join(name).to_string_lossy().replace('\\', "/");
        if self.built_in { format!("(built in) games/{path}") } else { path }
    }

    /// Returns the text of a file in this folder as a source.
    pub(crate) fn source(&self, name: &Path, text: String) -> Arc<Source> {
        let shown = self.shown(name);
        Arc::new(if self.built_in { Source::bundled(shown, text) } else { Source::new(shown, text) })
    }
}
