//! Snapshots of positions, kept beside the scenario file: `moves.scenario.snap` for `moves.scenario`.
//!
//! A run compares and reports; only `test --accept` and `review` change the file that was accepted.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use similar::{ChangeTag, TextDiff};

use crate::diagnostic::Diagnostic;
use crate::source::{Host, HostError, Source, Span};

/// What begins the entry of a snapshot.
const HEAD: &str = "=== ";
/// What version control leaves in a file that two people have changed.
const CONFLICT: [&str; 3] = ["<<<<<<< ", "=======", ">>>>>>> "];

/// The snapshots of one scenario file, by the names of their tests.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Snapshots(BTreeMap<String, String>);

/// The file that holds the accepted snapshots of a scenario file: its whole name is kept, so that `moves.scenario` and
/// `moves.md` have one each.
#[must_use]
pub fn accepted_path(file: &Path) -> PathBuf {
    beside(file, ".snap")
}

/// The file that holds those that wait to be reviewed: the new and changed ones alone.
#[must_use]
pub fn pending_path(file: &Path) -> PathBuf {
    beside(file, ".snap.new")
}

fn beside(file: &Path, ending: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

impl Snapshots {
    /// The snapshots that a file holds; none if there is no such file.
    ///
    /// # Errors
    /// The file is there and cannot be read or understood: what it holds must not be written over.
    pub fn load(host: &dyn Host, path: &Path) -> Result<Self, Vec<Diagnostic>> {
        match host.read(path) {
            Ok(text) => Self::parse(&Arc::new(Source::new(path.to_string_lossy().replace('\\', "/"), text))),
            Err(HostError::NotFound) => Ok(Self::default()),
            Err(error) => {
                let message = format!("cannot read the snapshots in {}: {error}", path.display());
                let wrong = Diagnostic::general("unreadable_file", message);
                Err(vec![wrong.help("a file of snapshots is written by `referee test --accept`")])
            }
        }
    }

    /// Reads what [`Snapshots::text`] writes; a file that was changed by hand may hold what would be lost.
    fn parse(source: &Arc<Source>) -> Result<Self, Vec<Diagnostic>> {
        let mut entries: BTreeMap<String, String> = BTreeMap::new();
        let mut open: Option<String> = None;
        let mut wrong = Vec::new();
        let mut lost = false;
        for (at, line) in source.text().lines().enumerate() {
            let mut say = |message: &str, help: &str| {
                let span = source.line_span(at + 1);
                wrong.push(Diagnostic::new("wrong_snapshots", source, span, message).help(help));
            };
            if CONFLICT.iter().any(|mark| line.starts_with(mark)) {
                say("this is the mark of a merge that was not finished", "keep one of the two sides");
            } else if let Some(name) = line.strip_prefix(HEAD.trim_end()).map(str::trim) {
                let numbered = name.rsplit_once(" #").is_some_and(|(_, number)| number.parse::<usize>().is_ok());
                if !numbered || !line.starts_with(HEAD) {
                    say(
                        "this names no snapshot",
                        "the line above a snapshot is written `=== The title of its test #1`",
                    );
                } else if entries.insert(name.to_owned(), String::new()).is_some() {
                    say("there are two snapshots of this name", "keep one of them");
                }
                open = Some(name.to_owned());
            } else if let Some(entry) = open.as_ref().and_then(|name| entries.get_mut(name)) {
                entry.push_str(line);
                entry.push('\n');
            } else if !(lost || open.is_some() || line.trim().is_empty() || line.starts_with('#')) {
                // Once is enough: the line with the name may be what is missing.
                lost = true;
                say(
                    "this belongs to no snapshot",
                    "the line above a snapshot is written `=== The title of its test #1`",
                );
            }
        }
        for (name, entry) in &mut entries {
            entry.truncate(entry.trim_end().len());
            if entry.is_empty() && wrong.is_empty() {
                let head = source.text().find(&format!("{HEAD}{name}")).unwrap_or_default();
                let span = Span::new(head..head + HEAD.len() + name.len());
                let empty = Diagnostic::new("wrong_snapshots", source, span, "there is nothing below this name");
                wrong.push(empty.help("delete this line as well, or put the position back"));
            }
        }
        if wrong.is_empty() { Ok(Self(entries)) } else { Err(wrong) }
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
