//! The files of an editor: its open texts over those of another host.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{PoisonError, RwLock};

use referee_source::{Host, HostError};

/// The open texts of an editor over the files of a host. Relative paths are below the root.
pub struct Overlay<'h> {
    root: PathBuf,
    below: &'h (dyn Host + Sync),
    open: RwLock<BTreeMap<PathBuf, String>>,
    /// Counts the changes of files that belong to games. Data that were loaded before a change are out of date.
    changes: AtomicU64,
}

impl<'h> Overlay<'h> {
    /// Returns an overlay without open texts.
    pub fn new(root: PathBuf, below: &'h (dyn Host + Sync)) -> Self {
        Self { root, below, open: RwLock::default(), changes: AtomicU64::new(0) }
    }

    /// Returns the root.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Opens or replaces a text.
    pub fn set(&self, path: &Path, text: String) {
        self.touched(path);
        self.open.write().unwrap_or_else(PoisonError::into_inner).insert(self.absolute(path), text);
    }

    /// Closes a text: from now on, the file of the host counts.
    pub fn close(&self, path: &Path) {
        self.touched(path);
        self.open.write().unwrap_or_else(PoisonError::into_inner).remove(&self.absolute(path));
    }

    /// Notes that a file of the host has changed.
    pub fn touched(&self, path: &Path) {
        if path.extension().is_none_or(|extension| extension != "scenario") {
            self.changes.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Returns the number of changes of files that belong to games.
    pub fn changes(&self) -> u64 {
        self.changes.load(Ordering::Relaxed)
    }

    /// Returns the path by which messages name a file: relative, if it is below the root.
    #[must_use]
    pub fn shown(&self, path: &Path) -> PathBuf {
        let absolute = self.absolute(path);
        absolute.strip_prefix(&self.root).map(Path::to_path_buf).unwrap_or(absolute)
    }

    /// Returns an absolute path without `.` and `..`.
    #[must_use]
    pub fn absolute(&self, path: &Path) -> PathBuf {
        let mut plain = PathBuf::new();
        for part in self.root.join(path).components() {
            match part {
                Component::CurDir => {}
                Component::ParentDir => {
                    plain.pop();
                }
                other => plain.push(other),
            }
        }
        plain
    }

    fn opened(&self, path: &Path) -> Option<String> {
        let open = self.open.read().unwrap_or_else(PoisonError::into_inner);
        open.get(&self.absolute(path)).cloned()
    }
}

impl Host for Overlay<'_> {
    fn read(&self, path: &Path) -> Result<String, HostError> {
        self.opened(path).map_or_else(|| self.below.read(&self.absolute(path)), Ok)
    }

    fn read_within(&self, folder: &Path, path: &Path) -> Result<String, HostError> {
        let below = || self.below.read_within(&self.absolute(folder), &self.absolute(path));
        self.opened(path).map_or_else(below, Ok)
    }

    fn list(&self, folder: &Path) -> Result<Vec<PathBuf>, HostError> {
        let at = self.absolute(folder);
        let paths = self.below.list(&at)?;
        let named = |path: PathBuf| path.strip_prefix(&at).map(|name| folder.join(name)).unwrap_or(path);
        Ok(paths.into_iter().map(named).collect())
    }

    fn is_folder(&self, path: &Path) -> bool {
        self.below.is_folder(&self.absolute(path))
    }

    fn has_folder(&self, path: &Path) -> Result<bool, HostError> {
        self.below.has_folder(&self.absolute(path))
    }
}
