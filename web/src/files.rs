//! The files of the page: texts in memory, below one folder.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};
use std::sync::{OnceLock, PoisonError, RwLock, RwLockReadGuard};

use referee_source::{Host, HostError};

/// The folder of the project. Its files have paths below it; only editors see them.
pub(crate) const ROOT: &str = "/project";

/// The texts of a project, by their paths below [`ROOT`].
#[derive(Default)]
pub(crate) struct Files(RwLock<BTreeMap<PathBuf, String>>);

/// Returns the files of the page.
pub(crate) fn files() -> &'static Files {
    static FILES: OnceLock<Files> = OnceLock::new();
    FILES.get_or_init(Files::default)
}

/// Returns a path without `.` and `..`, below the root.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in Path::new(ROOT).join(path).components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(plain.pop()),
            other => plain.push(other),
        }
    }
    plain
}

impl Files {
    fn all(&self) -> RwLockReadGuard<'_, BTreeMap<PathBuf, String>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the paths of all files.
    pub(crate) fn paths(&self) -> Vec<PathBuf> {
        self.all().keys().cloned().collect()
    }

    /// Replaces all files.
    pub(crate) fn replace(&self, texts: BTreeMap<PathBuf, String>) {
        let texts = texts.into_iter().map(|(path, text)| (plain(&path), text)).collect();
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = texts;
    }

    /// Writes a file; without a text, removes it.
    pub(crate) fn set(&self, path: &Path, text: Option<String>) {
        let mut all = self.0.write().unwrap_or_else(PoisonError::into_inner);
        match text {
            Some(text) => drop(all.insert(plain(path), text)),
            None => drop(all.remove(&plain(path))),
        }
    }
}

impl Host for Files {
    fn read(&self, path: &Path) -> Result<String, HostError> {
        self.all().get(&plain(path)).cloned().ok_or(HostError::NotFound)
    }

    fn list(&self, folder: &Path) -> Result<Vec<PathBuf>, HostError> {
        let at = plain(folder);
        let depth = at.components().count() + 1;
        let all = self.all();
        let inside = all.keys().filter(|path| path.starts_with(&at));
        let mut names: Vec<PathBuf> = inside.map(|path| path.components().take(depth).collect()).collect();
        names.dedup();
        let below = |path: &PathBuf| path.strip_prefix(&at).map(|name| folder.join(name)).ok();
        if names.is_empty() { Err(HostError::NotFound) } else { Ok(names.iter().filter_map(below).collect()) }
    }

    fn is_folder(&self, path: &Path) -> bool {
        let at = plain(path);
        self.all().keys().any(|file| *file != at && file.starts_with(&at))
    }
}
