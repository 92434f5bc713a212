//! The search path for games: `--games`, the nearest `games/` above the scenario file, the nearest above the working
//! folder, the bundled games; in this order.

use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use super::built_in::BuiltIn;
use referee_source::{Host, HostError, Source};

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

    /// Returns the folder of the game `id` for a scenario in `file`. In a folder of games without a folder `id`, it is the
    /// one that has a file `id.game`: loading it reports the wrong name, where a game found elsewhere would hide it.
    ///
    /// # Errors
    /// Returns an error if access to a folder is denied: the game could be there.
    pub(crate) fn find(&self, id: &str, file: &Path) -> Result<Option<Folder>, (PathBuf, HostError)> {
        for place in self.places(file) {
            let folder = Folder { built_in: false, path: place.join(id) };
            match self.host.has_folder(&folder.path) {
                Ok(true) => return Ok(Some(folder)),
                Ok(false) => {}
                Err(error) => return Err((folder.path, error)),
            }
            let folders = folders(self.host, &place).into_iter().map(|path| Folder { built_in: false, path });
            let misnamed = folders.into_iter().find(|folder| self.game_files(folder).iter().any(|stem| stem == id));
            if misnamed.is_some() {
                return Ok(misnamed);
            }
        }
        let built_in = Folder { built_in: true, path: PathBuf::from(id) };
        Ok(BuiltIn.is_folder(&built_in.path).then_some(built_in))
    }

    /// Returns the folder of the game `id` that is not in the search path of a scenario in `file`: one above the file, or in
    /// such a folder; relative to the working folder if it is inside that.
    pub(crate) fn elsewhere(&self, id: &str, file: &Path) -> Option<PathBuf> {
        let name = format!("{id}.game");
        let from = self.working_folder.join(file.parent().unwrap_or(Path::new("")));
        let all = ancestors(&from).flat_map(|above| [above.join(id), above]);
        let is_named = |folder: &PathBuf| folder.file_name().is_some_and(|folder| folder == id);
        let found = all.filter(is_named).find(|folder| self.host.read(&folder.join(&name)).is_ok())?;
        Some(found.strip_prefix(&self.working_folder).map(Path::to_path_buf).unwrap_or(found))
    }

    /// Returns the names of all games in the search path of a scenario in `file`, sorted.
    pub(crate) fn ids(&self, file: &Path) -> Vec<String> {
        let mut ids: Vec<String> = Vec::new();
        let own = self.places(file).into_iter().flat_map(|place| folders(self.host, &place));
        let own = own.map(|path| Folder { built_in: false, path });
        let bundled = folders(&BuiltIn, Path::new("")).into_iter().map(|path| Folder { built_in: true, path });
        for folder in own.chain(bundled) {
            let Some(name) = folder.path.file_name().map(|name| name.to_string_lossy().into_owned()) else { continue };
            // A folder that cannot be listed may hold a game.
            let unknown = self.list(&folder, "").is_err();
            let files = self.game_files(&folder);
            if unknown || files.contains(&name) {
                ids.push(name);
            } else {
                ids.extend(files);
            }
        }
        ids.sort();
        ids.dedup();
        ids
    }

    /// Returns the names of the `.game` files in a folder without the extension, sorted.
    pub(super) fn game_files(&self, folder: &Folder) -> Vec<String> {
        let files = self.list(folder, "").unwrap_or_default();
        files.iter().filter_map(|file| file.strip_suffix(".game").map(str::to_owned)).collect()
    }

    /// Returns the name of a folder; `None` if its path does not say it.
    pub(super) fn name_of(&self, folder: &Folder) -> Option<String> {
        let path = if folder.built_in { folder.path.clone() } else { self.working_folder.join(&folder.path) };
        let mut names = Vec::new();
        for part in path.components() {
            match part {
                Component::Normal(name) => names.push(name),
                Component::ParentDir => drop(names.pop()?),
                _ => {}
            }
        }
        names.last().map(|name| name.to_string_lossy().into_owned())
    }

    /// Returns whether there is a folder of this name beside a game's folder.
    pub(super) fn has_beside(&self, folder: &Folder, name: &str) -> bool {
        !folder.built_in && self.host.is_folder(&self.working_folder.join(&folder.path).join("..").join(name))
    }

    /// Returns the ids of all games that a scenario in `file` can use, sorted: the folders with a game file.
    pub fn games(&self, file: &Path) -> Vec<String> {
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
    pub fn folder(&self, id: &str) -> Option<PathBuf> {
        let found = self.find(id, Path::new("")).ok().flatten()?;
        (!found.built_in).then_some(found.path)
    }

    /// Calls `look` with each text beside a game's file in which lines can use its rules: those in its folder, or, if that is
    /// in a folder `games`, those in the folder around it. Returns whether these were all, and not too many.
    pub fn texts_around(&self, file: &Path, look: &mut dyn FnMut(&str)) -> bool {
        /// The number of files and folders that are looked at.
        const MOST: usize = 5_000;
        /// The size of a file beyond which nobody wrote it by hand, in bytes.
        const LARGEST: usize = 4_000_000;
        let folder = self.working_folder.join(file.parent().unwrap_or(Path::new("")));
        let is_in_games = folder.parent().is_some_and(|above| above.ends_with("games"));
        let above = folder.join("..").join("..");
        let root = match folder.parent().and_then(Path::parent) {
            Some(around) if is_in_games => around.to_path_buf(),
            _ if self.host.is_folder(&above.join("games")) => above,
            _ => folder,
        };
        let (mut open, mut seen) = (vec![root], 0);
        while let Some(folder) = open.pop() {
            for path in self.host.list(&folder).unwrap_or_default() {
                seen += 1;
                let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
                let is_text = [".scenario", ".md", ".game"].iter().any(|extension| name.ends_with(extension));
                if seen > MOST {
                    return false;
                } else if is_text {
                    match self.host.read(&path) {
                        Ok(text) if text.len() <= LARGEST => look(&text),
                        _ => return false,
                    }
                } else if !name.starts_with('.') && !matches!(name.as_str(), "target" | "node_modules") {
                    open.extend(self.host.is_folder(&path).then_some(path));
                }
            }
        }
        true
    }

    fn places(&self, file: &Path) -> Vec<PathBuf> {
        // No file at all is one in the working folder, not beside it.
        let above_file = self.nearest(&self.working_folder.join(file.parent().unwrap_or(Path::new(""))));
        let above_working_folder = self.nearest(&self.working_folder);
        self.games.iter().cloned().chain(above_file).chain(above_working_folder).collect()
    }

    /// Returns the nearest `games/` in `folder` or above it; relative to the working folder if it is inside that.
    fn nearest(&self, folder: &Path) -> Option<PathBuf> {
        let found = ancestors(folder).map(|above| above.join("games")).find(|games| self.host.is_folder(games))?;
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

/// Returns the folders in a folder that may hold games, sorted.
fn folders(host: &dyn Host, place: &Path) -> Vec<PathBuf> {
    let mut inside = host.list(place).unwrap_or_default();
    inside.retain(|path| host.has_folder(path).unwrap_or(true));
    inside
}

/// Returns a folder and those above it. Above `a/..` is `a/../..`, not `a`.
fn ancestors(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let depth = folder.components().fold(1_usize, |depth, part| match part {
        Component::Normal(_) => depth + 1,
        Component::ParentDir => depth.saturating_sub(1),
        _ => depth,
    });
    let above = |folder: &PathBuf| match folder.ends_with("..") {
        true => Some(folder.join("..")),
        false => folder.parent().map(Path::to_path_buf),
    };
    std::iter::successors(Some(folder.to_path_buf()), above).take(depth)
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
