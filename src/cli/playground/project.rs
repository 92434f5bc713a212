//! The files of the project: read and written inside its folder only.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::cli::disk::Disk;
use referee_source::{Host as _, HostError};

/// The extensions of files that belong to a project.
const OWN: [&str; 8] = ["game", "house", "scenario", "rhai", "md", "yaml", "yml", "snap"];
/// Folders of other programs.
const FOREIGN: [&str; 2] = ["target", "node_modules"];
/// The maximum number of files, their size in bytes all together, and how deep folders are searched.
const MAX_FILES: usize = 5_000;
const MAX_BYTES: usize = 64 << 20;
const MAX_DEPTH: usize = 16;

/// A folder on disk.
pub(super) struct Project {
    root: PathBuf,
    /// One change at a time: a file is compared before it is written.
    writing: std::sync::Mutex<()>,
}

/// The files of a project, and those that are not shown, with the reason.
#[derive(Debug, Default, Serialize)]
pub(super) struct Listing {
    pub(super) files: BTreeMap<String, String>,
    pub(super) left_out: BTreeMap<String, String>,
    #[serde(skip)]
    bytes: usize,
}

/// A change of one file.
#[derive(Debug, Deserialize)]
pub(super) struct Change {
    path: String,
    /// The text that the page has seen on disk; none if there was no file.
    before: Option<String>,
    /// The text to write; none to delete the file.
    text: Option<String>,
}

/// Why a change is not made.
#[derive(Debug)]
pub(super) enum Refused {
    /// The path is not one of the project.
    Foreign,
    /// The file has been changed by another program: its text, or none if it is gone.
    Changed(Option<String>),
    /// It cannot be read or written.
    Failed(String),
}

/// Returns whether a path below the project is one of its files.
pub(super) fn is_own(path: &Path) -> bool {
    let plain = |part: Component<'_>| match part {
        Component::Normal(name) => {
            name.to_str().is_some_and(|name| !name.starts_with('.') && !FOREIGN.contains(&name) && !name.contains('\\'))
        }
        _ => false,
    };
    path.components().all(plain)
        && path.extension().and_then(|extension| extension.to_str()).is_some_and(|extension| OWN.contains(&extension))
}

impl Project {
    /// Opens a folder.
    ///
    /// # Errors
    /// Returns an error message if its place cannot be found.
    pub(super) fn open(folder: &Path) -> Result<Self, String> {
        let root = std::fs::canonicalize(folder).map_err(|error| format!("cannot open the project: {error}"))?;
        Ok(Self { root, writing: std::sync::Mutex::new(()) })
    }

    /// Returns its place, after links are followed.
    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// Returns all its files.
    pub(super) fn listing(&self) -> Listing {
        let mut listing = Listing::default();
        self.add(Path::new(""), 0, &mut listing);
        listing
    }

    fn add(&self, below: &Path, depth: usize, listing: &mut Listing) {
        let folder = self.root.join(below);
        let found = match Disk.list(&folder) {
            Ok(found) => found,
            Err(error) => {
                listing.left_out.insert(shown(below), error.to_string());
                return;
            }
        };
        for path in found {
            let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
            let own = below.join(name);
            // A link to a folder may lead outside, or in a circle.
            let is_folder = std::fs::symlink_metadata(&path).is_ok_and(|about| about.is_dir());
            if is_folder {
                if name.starts_with('.') || FOREIGN.contains(&name) {
                    continue;
                }
                if depth == MAX_DEPTH {
                    listing.left_out.insert(shown(&own), HostError::TooDeep(MAX_DEPTH).to_string());
                } else {
                    self.add(&own, depth + 1, listing);
                }
            } else if is_own(&own) {
                self.add_file(&own, listing);
            }
        }
    }

    fn add_file(&self, own: &Path, listing: &mut Listing) {
        let name = shown(own);
        let wrong = match Disk.read_within(&self.root, &self.root.join(own)) {
            Ok(_) if listing.files.len() == MAX_FILES => format!("the project has more than {MAX_FILES} files"),
            Ok(text) if listing.bytes + text.len() > MAX_BYTES => format!("the files have more than {MAX_BYTES} bytes"),
            Ok(text) => {
                listing.bytes += text.len();
                listing.files.insert(name, text);
                return;
            }
            Err(error) => error.to_string(),
        };
        listing.left_out.insert(name, wrong);
    }

    /// Writes or deletes a file whose text is the one that the page has seen.
    pub(super) fn change(&self, change: &Change) -> Result<(), Refused> {
        let own = Path::new(&change.path);
        if change.path.is_empty() || !is_own(own) || !self.is_inside(own) {
            return Err(Refused::Foreign);
        }
        let path = self.root.join(own);
        let failed = |error: &dyn std::fmt::Display| Refused::Failed(error.to_string());
        let _writing = self.writing.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let there = match Disk.read_within(&self.root, &path) {
            Ok(text) => Some(text),
            Err(HostError::NotFound) => None,
            Err(HostError::Outside(_)) => return Err(Refused::Foreign),
            Err(error) => return Err(failed(&error)),
        };
        if there != change.before {
            return Err(Refused::Changed(there));
        }
        match &change.text {
            Some(text) => crate::cli::disk::whole(&path, text).map_err(|error| failed(&error)),
            None => Disk.remove(&path).map_err(|error| failed(&error)),
        }
    }

    /// Returns whether the nearest folder of a path that is there lies in the project after links are followed.
    fn is_inside(&self, own: &Path) -> bool {
        let path = self.root.join(own);
        let nearest = path.ancestors().skip(1).find_map(|folder| std::fs::canonicalize(folder).ok());
        nearest.is_some_and(|folder| folder.starts_with(&self.root))
    }
}

/// Returns a path as it is shown and sent.
fn shown(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "/")
}
