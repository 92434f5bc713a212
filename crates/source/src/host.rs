//! The only trait through which the library accesses files.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

/// Why a file could not be read; displayed in plain words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HostError {
    /// No such file or directory.
    NotFound,
    /// The path exists but is not a file: a directory or a device.
    NotAFile,
    /// Larger than the limit, in bytes.
    TooLarge(u64),
    /// Not UTF-8; the first line with an invalid byte, from 1.
    NotUtf8(usize),
    /// A link to a target outside this folder.
    Outside(PathBuf),
    /// A folder nested deeper than this limit.
    TooDeep(usize),
    /// Any other error, in the words of the system.
    Other(String),
}

/// Returns the text of a file.
///
/// # Errors
/// Returns an error if the bytes are not UTF-8.
pub fn decoded(bytes: Vec<u8>) -> Result<String, HostError> {
    String::from_utf8(bytes).map_err(|error| {
        let valid = error.as_bytes().get(..error.utf8_error().valid_up_to()).unwrap_or_default();
        HostError::NotUtf8(1 + valid.iter().filter(|byte| **byte == b'\n').count())
    })
}

impl fmt::Display for HostError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFound => write!(f, "no such file"),
            Self::NotAFile => write!(f, "not a file"),
            Self::TooLarge(limit) => write!(f, "larger than {limit} bytes"),
            Self::NotUtf8(at) => write!(f, "line {at} is not UTF-8: save the file as UTF-8"),
            Self::Outside(folder) => write!(f, "a link to a target outside the folder {}", folder.display()),
            Self::TooDeep(limit) => write!(f, "nested too deep: folders are searched at most {limit} levels deep"),
            Self::Other(words) => write!(f, "{words}"),
        }
    }
}

/// Access to files: `cli` implements it for the disk, [`MemoryHost`] for texts in memory.
pub trait Host {
    /// Returns the text of a file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read.
    fn read(&self, path: &Path) -> Result<String, HostError>;

    /// Returns the text of a file that must be inside a folder after links are followed.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or is outside the folder.
    fn read_within(&self, folder: &Path, path: &Path) -> Result<String, HostError> {
        let _ = folder;
        self.read(path)
    }

    /// Returns the paths of the files and folders in a folder, sorted.
    ///
    /// # Errors
    /// Returns an error if the folder cannot be listed.
    fn list(&self, folder: &Path) -> Result<Vec<PathBuf>, HostError>;

    /// Returns whether `path` is a folder.
    fn is_folder(&self, path: &Path) -> bool;

    /// Returns whether `path` is a folder.
    ///
    /// # Errors
    /// Returns an error if access to `path` is denied, so that the answer is unknown.
    fn has_folder(&self, path: &Path) -> Result<bool, HostError> {
        Ok(self.is_folder(path))
    }

    /// Writes a file, completely or not at all.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    fn write(&self, path: &Path, text: &str) -> Result<(), HostError> {
        let _ = (path, text);
        Err(HostError::Other("this host cannot write files".to_owned()))
    }

    /// Removes a file; does nothing if it does not exist.
    ///
    /// # Errors
    /// Returns an error if the file cannot be removed.
    fn remove(&self, path: &Path) -> Result<(), HostError> {
        let _ = path;
        Err(HostError::Other("this host cannot remove files".to_owned()))
    }
}

/// A host whose files are texts in memory.
#[derive(Clone, Debug, Default)]
pub struct MemoryHost {
    files: BTreeMap<PathBuf, String>,
}

impl MemoryHost {
    /// Returns this host with one more file.
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
