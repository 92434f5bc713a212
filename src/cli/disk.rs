//! Files on disk.

use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use crate::source::{Host, HostError};

/// The largest file that is read, in bytes.
const LARGEST: u64 = 16 * 1024 * 1024;

/// The disk as the library sees it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Disk;

fn words(error: &std::io::Error) -> HostError {
    match error.kind() {
        std::io::ErrorKind::NotFound => HostError::NotFound,
        _ => HostError::Other(error.to_string()),
    }
}

impl Host for Disk {
    fn read(&self, path: &Path) -> Result<String, HostError> {
        let about = fs::metadata(path).map_err(|error| words(&error))?;
        if !about.is_file() {
            return Err(HostError::NotAFile);
        }
        let mut bytes = Vec::new();
        let file = fs::File::open(path).map_err(|error| words(&error))?;
        // One byte more than the limit tells a file that has grown since it was looked at.
        file.take(LARGEST + 1).read_to_end(&mut bytes).map_err(|error| words(&error))?;
        if bytes.len() as u64 > LARGEST {
            return Err(HostError::TooLarge(LARGEST));
        }
        let text = String::from_utf8(bytes).map_err(|error| HostError::NotUtf8(error.utf8_error().valid_up_to()))?;
        // A byte order mark is no part of the text: it would move the columns of the first line.
        Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
    }

    fn list(&self, folder: &Path) -> Result<Vec<PathBuf>, HostError> {
        let entries = fs::read_dir(folder).map_err(|error| words(&error))?;
        let mut paths = Vec::new();
        for entry in entries {
            paths.push(entry.map_err(|error| words(&error))?.path());
        }
        paths.sort();
        Ok(paths)
    }

    fn is_folder(&self, path: &Path) -> bool {
        path.is_dir()
    }

    fn write(&self, path: &Path, text: &str) -> Result<(), HostError> {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut file = tempfile::NamedTempFile::new_in(folder).map_err(|error| words(&error))?;
        file.write_all(text.as_bytes()).map_err(|error| words(&error))?;
        file.persist(path).map_err(|error| words(&error.error))?;
        Ok(())
    }

    fn remove(&self, path: &Path) -> Result<(), HostError> {
        match fs::remove_file(path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(words(&error)),
            _ => Ok(()),
        }
    }
}
