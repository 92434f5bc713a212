//! Files on disk.

use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use referee_diagnostic::one_line;
use referee_source::{Host, HostError, decoded};

/// The maximum size of a file, in bytes.
const LARGEST: u64 = 16 * 1024 * 1024;

/// The file system as a [`Host`].
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Disk;

/// Converts an error of the operating system.
pub(super) fn words(error: &std::io::Error) -> HostError {
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
        // A text that grows while it is read would have room for twice as much.
        let mut bytes = Vec::with_capacity(usize::try_from(about.len().min(LARGEST)).unwrap_or(0).saturating_add(1));
        let file = fs::File::open(path).map_err(|error| words(&error))?;
        // One byte more than the limit detects a file that has grown since its size was read.
        file.take(LARGEST + 1).read_to_end(&mut bytes).map_err(|error| words(&error))?;
        if bytes.len() as u64 > LARGEST {
            return Err(HostError::TooLarge(LARGEST));
        }
        let text = decoded(bytes)?;
        // Drop a byte order mark: it would shift the columns of the first line.
        Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
    }

    fn read_within(&self, folder: &Path, path: &Path) -> Result<String, HostError> {
        let real = |path: &Path| fs::canonicalize(path).map_err(|error| words(&error));
        // The folder of a bare `a.scenario` is the working folder.
        let inside = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        if !real(path)?.starts_with(real(inside)?) {
            return Err(HostError::Outside(inside.to_path_buf()));
        }
        self.read(path)
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

    fn has_folder(&self, path: &Path) -> Result<bool, HostError> {
        use std::io::ErrorKind::{NotADirectory, NotFound};
        match fs::metadata(path) {
            Ok(about) => Ok(about.is_dir()),
            Err(error) if matches!(error.kind(), NotFound | NotADirectory) => Ok(false),
            Err(error) => Err(words(&error)),
        }
    }

    fn write(&self, path: &Path, text: &str) -> Result<(), HostError> {
        // A link stays a link: its target is replaced.
        let real = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
        let path = real.as_path();
        if fs::metadata(path).is_ok_and(|about| about.permissions().readonly()) {
            return Err(HostError::Other("it is write-protected".to_owned()));
        }
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut new = tempfile::Builder::new();
        #[cfg(unix)]
        new.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let mut file = new.tempfile_in(folder).map_err(|error| words(&error))?;
        // Keep the permissions of a file that is replaced, and its owner where the user may.
        if let Ok(about) = fs::metadata(path) {
            #[cfg(unix)]
            {
                use std::os::unix::fs::MetadataExt as _;
                let _ = std::os::unix::fs::fchown(file.as_file(), Some(about.uid()), Some(about.gid()));
            }
            file.as_file().set_permissions(about.permissions()).map_err(|error| words(&error))?;
        }
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

/// Writes files to a folder, which is made if there is none. Nothing is written if one of the files exists with other
/// content.
///
/// # Errors
/// Returns a message for the user if a file exists with other content, or cannot be read or written.
pub(super) fn write_all(folder: &Path, files: &[(PathBuf, &str)]) -> Result<(), String> {
    fs::create_dir_all(folder)
        .map_err(|error| format!("cannot create the folder {}: {error}", one_line(&folder.to_string_lossy())))?;
    for (file, text) in files {
        match Disk.read(file) {
            Ok(there) if there == *text => {}
            Err(HostError::NotFound) => {}
            Ok(_) | Err(_) => {
                let file = one_line(&file.to_string_lossy());
                return Err(format!(
                    "{file} exists already with other content, so nothing was written\n\
                     rename or delete it, or write to another folder"
                ));
            }
        }
    }
    for (file, text) in files {
        Disk.write(file, text).map_err(|error| format!("cannot write {}: {error}", file.display()))?;
    }
    Ok(())
}

/// Writes a file, and makes its folder if there is none.
///
/// # Errors
/// Returns an error message if the file or its folder cannot be written.
pub(super) fn whole(path: &Path, text: &str) -> Result<(), String> {
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        fs::create_dir_all(folder).map_err(|error| error.to_string())?;
    }
    Disk.write(path, text).map_err(|error| error.to_string())
}
