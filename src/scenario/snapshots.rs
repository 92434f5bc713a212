//! Snapshots of positions, kept beside the scenario file: `moves.snap` for `moves.scenario`.
//!
//! A run compares and reports; only `test --accept` and `review` change the file that was accepted.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use similar::{ChangeTag, TextDiff};

use crate::source::{Host, HostError};

/// What begins the entry of a snapshot.
const HEAD: &str = "=== ";

/// The snapshots of one scenario file, by the names of their tests.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Snapshots(BTreeMap<String, String>);

/// The file that holds the accepted snapshots of a scenario file.
#[must_use]
pub fn accepted_path(file: &Path) -> PathBuf {
    file.with_extension("snap")
}

/// The file that holds those that wait to be reviewed.
#[must_use]
pub fn pending_path(file: &Path) -> PathBuf {
    file.with_extension("snap.new")
}

impl Snapshots {
    /// The snapshots that a file holds; none if there is no such file.
    ///
    /// # Errors
    /// The file is there and cannot be read: what it holds must not be written over.
    pub fn load(host: &dyn Host, path: &Path) -> Result<Self, HostError> {
        match host.read(path) {
            Ok(text) => Ok(Self::parse(&text)),
            Err(HostError::NotFound) => Ok(Self::default()),
            Err(error) => Err(error),
        }
    }

    fn parse(text: &str) -> Self {
        let mut entries: BTreeMap<String, String> = BTreeMap::new();
        let mut open: Option<String> = None;
        for line in text.lines() {
            if let Some(name) = line.strip_prefix(HEAD) {
                open = Some(name.to_owned());
                entries.entry(name.to_owned()).or_default();
            } else if let Some(entry) = open.as_ref().and_then(|name| entries.get_mut(name)) {
                entry.push_str(line);
                entry.push('\n');
            }
        }
        let trimmed = entries.into_iter().map(|(name, text)| (name, text.trim_end().to_owned()));
        Self(trimmed.collect())
    }

    /// The snapshots as the text of a file.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text =
            "# Snapshots of scenarios. Written by `referee test --accept` and `referee review`.\n".to_owned();
        for (name, entry) in &self.0 {
            let _ = write!(text, "\n{HEAD}{name}\n{entry}\n");
        }
        text
    }

    /// A snapshot.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// Put a snapshot in, or another in its place.
    pub fn set(&mut self, name: &str, text: &str) {
        self.0.insert(name.to_owned(), text.to_owned());
    }

    /// Take a snapshot out.
    pub fn remove(&mut self, name: &str) {
        self.0.remove(name);
    }

    /// The names, sorted.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// The lines in which two texts differ, `-` what was accepted, `+` what is.
#[must_use]
pub fn difference(accepted: &str, actual: &str) -> String {
    let diff = TextDiff::from_lines(accepted, actual);
    let mut text = String::new();
    for change in diff.iter_all_changes() {
        let sign = match change.tag() {
            ChangeTag::Delete => '-',
            ChangeTag::Insert => '+',
            ChangeTag::Equal => ' ',
        };
        let _ = writeln!(text, "{sign} {}", change.value().trim_end_matches('\n'));
    }
    text.trim_end().to_owned()
}
