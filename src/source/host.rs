//! The one trait through which the library sees files.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

/// Why a file could not be had, in words for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HostError {
    /// No such file or directory.
    NotFound,
    /// It is there, but not as a file (a directory, a device).
    NotAFile,
    /// Larger than the limit, in bytes.
    TooLarge(u64),
    /// Not UTF-8; the byte where it stops being so.
    NotUtf8(usize),
    /// A link that leads out of this folder.
    Outside(PathBuf),
    /// A folder below more others than are looked into.
    TooDeep(usize),
    /// Anything else, as the system words it.
    Other(String),
}

impl fmt::Display for HostError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFound => write!(f, "there is no such file"),
            Self::NotAFile => write!(f, "it is not a file"),
            Self::TooLarge(limit) => write!(f, "it is larger than {limit} bytes"),
            Self::NotUtf8(at) => write!(f, "it is not UTF-8 text (from byte {at} on)"),
            Self::Outside(folder) => write!(f, "it is a link that leads out of the folder {}", folder.display()),
            Self::TooDeep(limit) => write!(f, "folders are looked into {limit} deep at most"),
            Self::Other(words) => write!(f, "{words}"),
        }
    }
}

/// Files as the library sees them: a disk below `cli`, a map of texts in tests, an editor or a web page.
pub trait Host {
    /// Returns the text of a file.
    ///
    /// # Errors
    /// Says why there is none.
    fn read(&self, path: &Path) -> Result<String, HostError>;

    /// Returns the text of a file that must lie in a folder, links followed.
    ///
    /// # Errors
    /// Says why there is none.
    fn read_within(&self, folder: &Path, path: &Path) -> Result<String, HostError> {
        let _ = folder;
        self.read(path)
    }

    /// Returns the files and folders in a folder, by name, sorted.
    ///
    /// # Errors
    /// Says why it cannot be listed.
    fn list(&self, folder: &Path) -> Result<Vec<PathBuf>, HostError>;

    /// Returns whether `path` is a folder.
    fn is_folder(&self, path: &Path) -> bool;

    /// Returns whether `path` is a folder, where that can be told.
    ///
    /// # Errors
    /// Says why it may not even be looked at.
    fn has_folder(&self, path: &Path) -> Result<bool, HostError> {
        Ok(self.is_folder(path))
    }

    /// Writes a file, whole or not at all.
    ///
    /// # Errors
    /// Says why it cannot be written.
    fn write(&self, path: &Path, text: &str) -> Result<(), HostError> {
        let _ = (path, text);
        Err(HostError::Other("nothing can be written here".to_owned()))
    }

    /// Removes a file; one that is not there is no error.
    ///
    /// # Errors
    /// Says why it cannot be removed.
    fn remove(&self, path: &Path) -> Result<(), HostError> {
        let _ = path;
        Err(HostError::Other("nothing can be removed here".to_owned()))
    }
}

/// A host over texts in memory.
#[derive(Clone, Debug, Default)]
pub struct MemoryHost {
    files: BTreeMap<PathBuf, String>,
}

impl MemoryHost {
    /// This host with one more file.
    #[must_use]
    pub fn with(mut self, path: impl Into<PathBuf>, text: impl Into<String>) -> Self {
        self.files.insert(path.into(), text.into());
        self
    }
}

impl Host for MemoryHost {
    fn read(&self, path: &Path) -> Result<String, HostError> {
        self.files.get(path).cloned().ok_or(HostError::NotFound)
    }

    fn list(&self, folder: &Path) -> Result<Vec<PathBuf>, HostError> {
        let depth = folder.components().count() + 1;
        let inside = self.files.keys().filter(|path| path.starts_with(folder));
        let mut names: Vec<PathBuf> = inside.map(|path| path.components().take(depth).collect()).collect();
        names.dedup();
        if names.is_empty() { Err(HostError::NotFound) } else { Ok(names) }
    }

    fn is_folder(&self, path: &Path) -> bool {
        self.files.keys().any(|file| file != path && file.starts_with(path))
    }
}
