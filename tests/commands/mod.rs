//! Tests of the command line: each runs the binary in its own folder, and checks its output and exit code.

mod boards;
mod book;
mod book_chapters;
mod broken_play;
mod chance_results;
mod check;
mod chequered;
mod ci_files;
mod clauses;
mod compare;
mod coverage;
mod determinism;
mod drawing_cards;
mod endings;
mod escaping;
mod exit_codes;
mod explore;
mod failures;
mod fmt;
mod holes;
mod houses;
mod in_plain_words;
mod json;
mod lookup;
mod messages;
mod mutate;
mod never_right;
mod new;
mod newcomers;
mod odds;
mod packages;
mod pictures;
mod play;
mod play_at_a_table;
mod playground;
mod playground_links;
mod policies;
mod profile;
mod questions;
mod readings;
mod refusals;
mod remembered;
mod reports;
mod resources;
mod reviewing;
mod secret_throws;
mod secret_values;
mod secrets;
mod selection;
mod several;
mod several_decks;
mod shrinking;
mod simulate;
mod snapshots_and_markdown;
mod some_tests;
mod stacks;
mod stepping;
mod strange_characters;
mod strange_files;
mod symmetries;
mod trade;
mod turns;
mod unknown_cards;
mod usage;
mod values_of_places;
mod watching;
mod who_plays;
pub(crate) mod written;

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::TempDir;

use crate::program::referee;
use crate::suite::HOP;

/// A scenario of the small game that passes.
pub(crate) const GOOD: &str = "\
use hop short

scenario \"A walk of two squares\"
  turn red
  roll distance 2
  red walk to b2
  red walk to c3
  expect red at c3
";

/// A scenario whose expectation does not hold.
pub(crate) const FAILING: &str = "\
use hop short

scenario \"A walk that ends elsewhere\"
  turn red
  roll distance 2
  red walk to b2
  red walk to c3
  expect red at d4
";

/// A scenario that cannot be read.
pub(crate) const INVALID: &str = "\
use hop short

scenario \"A die that the game has not\"
  turn red
  roll distanse 2
";

/// A temporary folder with files, deleted when dropped.
pub(crate) struct Project {
    folder: TempDir,
}

/// The result of a run.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Ran {
    /// Its standard output.
    pub(crate) stdout: String,
    /// Its standard error.
    pub(crate) stderr: String,
    /// Its exit code.
    pub(crate) code: i32,
}

impl Project {
    /// An empty folder.
    pub(crate) fn new() -> Self {
        Self { folder: TempDir::new().unwrap() }
    }

    /// A folder with the small game.
    pub(crate) fn hop() -> Self {
        HOP.iter().fold(Self::new(), |project, (path, text)| project.file(path, text))
    }

    /// This project with one more file.
    pub(crate) fn file(self, path: &str, text: impl AsRef<[u8]>) -> Self {
        let path = self.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
        self
    }

    /// This project with one more, empty folder.
    pub(crate) fn folder(self, path: &str) -> Self {
        std::fs::create_dir_all(self.path().join(path)).unwrap();
        self
    }

    /// Where the files are.
    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Returns the command, not yet started: without colour, without `CI`, and without a terminal.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = referee();
        command.args(arguments).current_dir(self.path()).stdin(Stdio::null());
        command.env("NO_COLOR", "1").env_remove("CI").env_remove("COLUMNS").env_remove("RUST_BACKTRACE");
        command
    }

    /// Runs the command in the project's folder.
    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        let output = self.command(arguments).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        Ran { stdout: text(output.stdout), stderr: text(output.stderr), code: output.status.code().unwrap() }
    }
}

impl Project {
    /// Runs the command in the project's folder, with a text on standard input.
    pub(crate) fn run_with(&self, arguments: &[&str], input: &str) -> Ran {
        let mut command = self.command(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // A program that ends without reading closes the pipe.
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        let output = child.wait_with_output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        Ran { stdout: text(output.stdout), stderr: text(output.stderr), code: output.status.code().unwrap() }
    }
}

impl Ran {
    /// Returns everything in one string, for a snapshot.
    pub(crate) fn all(&self) -> String {
        let mut text = self.stdout.clone();
        if !self.stderr.is_empty() {
            text.push_str(&format!("──── standard error\n{}", self.stderr));
        }
        format!("{}\n──── exit code {}", text.trim_end(), self.code)
    }
}
