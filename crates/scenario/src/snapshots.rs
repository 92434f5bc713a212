//! Snapshots of positions, stored beside the scenario file: `moves.scenario.snap` for `moves.scenario`.
//!
//! A run compares and reports; only `test --accept` and `review` change the accepted file.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use referee_diagnostic::{Code, Diagnostic};
use referee_source::{Host, HostError, Source, Span};

/// The beginning of the line above a snapshot.
const HEAD: &str = "=== ";
/// The help for a wrong line above a snapshot.
const NAMED: &str = "write the line above a snapshot like `=== The title of its test #1`";
/// The beginning of the first line of a file.
const FIRST_LINE: &str = "# Snapshots of scenarios.";
/// The conflict markers of version control.
const CONFLICT: [&str; 3] = ["<<<<<<< ", "=======", ">>>>>>> "];

/// The command that accepts all snapshots. It is part of the format: the first line of a file of snapshots names it,
/// wherever the file was written.
pub const ACCEPT: &str = "referee test --accept";

/// The snapshots of one scenario file, by the names of their tests.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Snapshots(BTreeMap<String, String>);

/// Returns the path of the accepted snapshots of a scenario file. It keeps the extension, so that `moves.scenario` and
/// `moves.md` have one file each.
#[must_use]
pub fn accepted_path(file: &Path) -> PathBuf {
    beside(file, ".snap")
}

/// Returns the path of the snapshots to review: only new and changed ones.
#[must_use]
pub fn pending_path(file: &Path) -> PathBuf {
    beside(file, ".snap.new")
}

/// Returns the scenario file to which a file of snapshots belongs by its name; `None` for another file.
#[must_use]
pub fn owner(snapshots: &Path) -> Option<PathBuf> {
    let name = snapshots.file_name()?.to_str()?;
    let file = name.strip_suffix(".new").unwrap_or(name).strip_suffix(".snap")?;
    let is_ours = [".scenario", ".md"].iter().any(|end| file.len() > end.len() && file.ends_with(end));
    is_ours.then(|| snapshots.with_file_name(file))
}

/// Returns whether a text is that of a file of snapshots: other programs have files with such names, too.
#[must_use]
pub fn is_of_snapshots(text: &str) -> bool {
    text.starts_with(FIRST_LINE)
}

fn beside(file: &Path, extension: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(extension);
    PathBuf::from(name)
}

impl Snapshots {
    /// Returns the snapshots of a file; none if there is no such file.
    ///
    /// # Errors
    /// Returns an error if the file exists but cannot be read or parsed. Its content must not be overwritten then.
    pub fn load(host: &dyn Host, path: &Path) -> Result<Self, Vec<Diagnostic>> {
        let folder = path.parent().unwrap_or(Path::new(""));
        match host.read_within(folder, path) {
            Ok(text) => Self::parse(&Arc::new(Source::new(path.to_string_lossy().replace('\\', "/"), text))),
            Err(HostError::NotFound) => Ok(Self::default()),
            Err(error) => {
                let message = format!("cannot read the snapshots in {}: {error}", path.display());
                let wrong = Diagnostic::general(Code::UnreadableFile, message);
                Err(vec![wrong.help(format!("restore the file as `{ACCEPT}` wrote it"))])
            }
        }
    }

    /// Parses what [`Snapshots::text`] writes. A file that was changed by hand may contain lines that would be lost;
    /// these are errors.
    fn parse(source: &Arc<Source>) -> Result<Self, Vec<Diagnostic>> {
        let mut entries: BTreeMap<String, Entry> = BTreeMap::new();
        let mut open: Option<String> = None;
        let mut wrong = Vec::new();
        let mut lost = false;
        for (at, line) in source.text().lines().enumerate() {
            let span = source.line_span(at + 1);
            let mut report = |message: &str, help: &str| {
                wrong.push(Diagnostic::new(Code::WrongSnapshots, source, span, message).help(help));
            };
            if CONFLICT.iter().any(|mark| line.starts_with(mark)) {
                report("this is a conflict marker of an unfinished merge", "keep one of the two sides");
            } else if let Some(name) = line.strip_prefix(HEAD.trim_end()).map(str::trim) {
                let name = read_name(name).filter(|_| line.starts_with(HEAD));
                match &name {
                    None => report("this is not the name of a snapshot", NAMED),
                    Some(name) => {
                        if entries.insert(name.clone(), Entry { head: span, lines: Vec::new() }).is_some() {
                            report("two snapshots have this name", "keep one of them");
                        }
                    }
                }
                lost = name.is_none();
                open = name;
            } else if let Some(entry) = open.as_ref().and_then(|name| entries.get_mut(name)) {
                match read_line(line) {
                    Some(read) => entry.lines.push((read, line.trim().is_empty())),
                    None => {
                        report("this string cannot be read", &format!("restore the line as `{ACCEPT}` wrote it"));
                    }
                }
            } else if !(lost || line.trim().is_empty() || line.starts_with('#')) {
                // Reported once: the line with the name may be missing.
                lost = true;
                report("this line is in no snapshot", NAMED);
            }
        }
        let mut read = BTreeMap::new();
        for (name, mut entry) in entries {
            // Empty lines separate a snapshot from the next one.
            while entry.lines.pop_if(|(_, is_empty)| *is_empty).is_some() {}
            if entry.lines.is_empty() && wrong.is_empty() {
                let message = "this snapshot is empty";
                let empty = Diagnostic::new(Code::WrongSnapshots, source, entry.head, message);
                wrong.push(empty.help("delete this line, or restore the position below it"));
            }
            let lines: Vec<String> = entry.lines.into_iter().map(|(line, _)| line).collect();
            read.insert(name, lines.join("\n"));
        }
        if wrong.is_empty() { Ok(Self(read)) } else { Err(wrong) }
    }

    /// Returns the snapshots as the text of a file.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = format!("{FIRST_LINE} Written by `{ACCEPT}` and `referee review`.\n");
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

    /// Adds a snapshot, or replaces the one of this name.
    pub fn set(&mut self, name: &str, text: &str) {
        self.0.insert(name.to_owned(), text.to_owned());
    }

    /// Removes a snapshot.
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

/// A snapshot as it is read: the line of its name, and its lines, each with whether it is empty in the file.
struct Entry {
    head: Span,
    lines: Vec<(String, bool)>,
}

/// Returns whether this text survives unchanged as a line of a file.
fn is_plain(text: &str) -> bool {
    text.trim() == text.trim_start_matches(' ') && !text.chars().any(|letter| letter.is_control())
}

/// Returns a text as a quoted string on one line.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Returns the text of a quoted string.
fn unquoted(line: &str) -> Option<String> {
    serde_json::from_str(line).ok()
}

/// Returns a name as the file has it: in quotes if spaces around it or line ends would be lost.
fn write_name(name: &str) -> String {
    let plain = is_plain(name) && !name.starts_with([' ', '"']);
    if plain { name.to_owned() } else { quoted(name) }
}

/// Returns the name of a snapshot with its number; `None` if the number is missing.
fn read_name(name: &str) -> Option<String> {
    let name = if name.starts_with('"') { unquoted(name)? } else { name.to_owned() };
    let number = name.rsplit_once(" #")?.1;
    number.parse::<usize>().is_ok().then_some(name)
}

/// Returns the lines of a snapshot as the file has them: a line that would be misread follows a `\\` in quotes.
fn write_lines(entry: &str) -> impl Iterator<Item = String> {
    let last = entry.trim_end_matches('\n').split('\n').count();
    entry.split('\n').enumerate().map(move |(at, line)| {
        let marks = line.starts_with(HEAD.trim_end()) || CONFLICT.iter().any(|mark| line.starts_with(mark));
        // Empty lines at the end would not be read as part of the snapshot.
        let is_empty = line.trim().is_empty() && at + 1 >= last;
        let plain = is_plain(line) && !marks && !is_empty && !line.starts_with('\\');
        if plain { line.to_owned() } else { format!("\\{}", quoted(line)) }
    })
}

/// Returns a line of a snapshot; `None` if its quotes cannot be read.
fn read_line(line: &str) -> Option<String> {
    match line.strip_prefix('\\').filter(|rest| rest.starts_with('"')) {
        Some(rest) => unquoted(rest),
        None => Some(line.to_owned()),
    }
}
