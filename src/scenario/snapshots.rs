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
/// How the line above a snapshot is written.
const NAMED: &str = "the line above a snapshot is written `=== The title of its test #1`";
/// What version control leaves in a file that two people have changed.
const CONFLICT: [&str; 3] = ["<<<<<<< ", "=======", ">>>>>>> "];

/// The snapshots of one scenario file, by the names of their tests.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Snapshots(BTreeMap<String, String>);

/// Returns the file that holds the accepted snapshots of a scenario file: its whole name is kept, so that
/// `moves.scenario` and `moves.md` have one each.
#[must_use]
pub fn accepted_path(file: &Path) -> PathBuf {
    beside(file, ".snap")
}

/// Returns the file that holds those that wait to be reviewed: the new and changed ones alone.
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
    /// Returns the snapshots that a file holds; none if there is no such file.
    ///
    /// # Errors
    /// The file is there and cannot be read or understood: what it holds must not be written over.
    pub fn load(host: &dyn Host, path: &Path) -> Result<Self, Vec<Diagnostic>> {
        let folder = path.parent().unwrap_or(Path::new(""));
        match host.read_within(folder, path) {
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
        let mut entries: BTreeMap<String, Entry> = BTreeMap::new();
        let mut open: Option<String> = None;
        let mut wrong = Vec::new();
        let mut lost = false;
        for (at, line) in source.text().lines().enumerate() {
            let span = source.line_span(at + 1);
            let mut say = |message: &str, help: &str| {
                wrong.push(Diagnostic::new("wrong_snapshots", source, span, message).help(help));
            };
            if CONFLICT.iter().any(|mark| line.starts_with(mark)) {
                say("this is the mark of a merge that was not finished", "keep one of the two sides");
            } else if let Some(name) = line.strip_prefix(HEAD.trim_end()).map(str::trim) {
                let name = read_name(name).filter(|_| line.starts_with(HEAD));
                match &name {
                    None => say("this names no snapshot", NAMED),
                    Some(name) => {
                        if entries.insert(name.clone(), Entry { head: span, lines: Vec::new() }).is_some() {
                            say("there are two snapshots of this name", "keep one of them");
                        }
                    }
                }
                lost = name.is_none();
                open = name;
            } else if let Some(entry) = open.as_ref().and_then(|name| entries.get_mut(name)) {
                match read_line(line) {
                    Some(read) => entry.lines.push((read, line.trim().is_empty())),
                    None => say("these quotes cannot be read", "take the line as `referee test --accept` wrote it"),
                }
            } else if !(lost || line.trim().is_empty() || line.starts_with('#')) {
                // Once is enough: the line with the name may be what is missing.
                lost = true;
                say("this belongs to no snapshot", NAMED);
            }
        }
        let mut read = BTreeMap::new();
        for (name, mut entry) in entries {
            // Blank lines set a snapshot off from the next one.
            while entry.lines.pop_if(|(_, blank)| *blank).is_some() {}
            if entry.lines.is_empty() && wrong.is_empty() {
                let message = "there is nothing below this name";
                let empty = Diagnostic::new("wrong_snapshots", source, entry.head, message);
                wrong.push(empty.help("delete this line as well, or put the position back"));
            }
            let lines: Vec<String> = entry.lines.into_iter().map(|(line, _)| line).collect();
            read.insert(name, lines.join("\n"));
        }
        if wrong.is_empty() { Ok(Self(read)) } else { Err(wrong) }
    }

    /// Returns the snapshots as the text of a file.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text =
            "# Snapshots of scenarios. Written by `referee test --accept` and `referee review`.\n".to_owned();
        for (name, entry) in &self.0 {
            let _ = writeln!(text, "\n{HEAD}{}", write_name(name));
            for line in write_lines(entry) {
                let _ = writeln!(text, "{line}");
            }
        }
        text
    }

    /// Returns a snapshot.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// Puts a snapshot in, or another in its place.
    pub fn set(&mut self, name: &str, text: &str) {
        self.0.insert(name.to_owned(), text.to_owned());
    }

    /// Takes a snapshot out.
    pub fn remove(&mut self, name: &str) {
        self.0.remove(name);
    }

    /// Returns the names, sorted.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// Returns whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// A snapshot as it is read: the line of its name, and its lines, each with whether it is blank in the file.
struct Entry {
    head: Span,
    lines: Vec<(String, bool)>,
}

/// Returns whether a line of a file holds this text as it is, whatever reads it.
fn is_plain(text: &str) -> bool {
    text.trim() == text.trim_start_matches(' ') && !text.chars().any(|letter| letter.is_control())
}

/// Returns a text in quotes, on one line.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Returns the text that stands in quotes.
fn unquoted(line: &str) -> Option<String> {
    serde_json::from_str(line).ok()
}

/// Returns a name as the file has it: in quotes where blanks around it or line ends would be lost.
fn write_name(name: &str) -> String {
    let plain = is_plain(name) && !name.starts_with([' ', '"']);
    if plain { name.to_owned() } else { quoted(name) }
}

/// Returns the name that a line gives, numbered.
fn read_name(name: &str) -> Option<String> {
    let name = if name.starts_with('"') { unquoted(name)? } else { name.to_owned() };
    let number = name.rsplit_once(" #")?.1;
    number.parse::<usize>().is_ok().then_some(name)
}

/// Returns the lines of a snapshot as the file has them: behind a `\\` in quotes where they would be read as something
/// else.
fn write_lines(entry: &str) -> impl Iterator<Item = String> {
    let last = entry.trim_end_matches('\n').split('\n').count();
    entry.split('\n').enumerate().map(move |(at, line)| {
        let marks = line.starts_with(HEAD.trim_end()) || CONFLICT.iter().any(|mark| line.starts_with(mark));
        // Blank lines at the end are none of the snapshot's, if nothing says so.
        let blank = line.trim().is_empty() && at + 1 >= last;
        let plain = is_plain(line) && !marks && !blank && !line.starts_with('\\');
        if plain { line.to_owned() } else { format!("\\{}", quoted(line)) }
    })
}

/// Returns a line of a snapshot.
fn read_line(line: &str) -> Option<String> {
    match line.strip_prefix('\\').filter(|rest| rest.starts_with('"')) {
        Some(rest) => unquoted(rest),
        None => Some(line.to_owned()),
    }
}

/// Returns the lines in which two texts differ, `-` what was accepted, `+` what is.
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
