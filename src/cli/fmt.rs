//! `referee fmt`: formats scenario and game files.

use std::io::Read;
use std::path::{Path, PathBuf};

use clap::Args;

use super::disk::Disk;
use super::output::{colour, print, print_error, remark};
use super::{Exit, discover};
use crate::diagnostic::{Diagnostic, Renderer, printable};
use crate::format::{changes, format};
use crate::source::Host;

/// The extensions of the files that are formatted.
const ENDINGS: [&str; 3] = ["scenario", "md", "game"];

#[derive(Debug, Args)]
pub(super) struct FmtArguments {
    /// Files or folders [default: all scenario and game files below this folder]
    paths: Vec<PathBuf>,
    /// Change nothing; fail if a file is not formatted, and show what would change
    #[arg(long)]
    check: bool,
    /// Format the text on standard input, and print it; the name says what kind of file it is
    #[arg(long, value_name = "NAME", conflicts_with_all = ["paths", "check"])]
    stdin: Option<String>,
}

/// What was done.
#[derive(Default)]
struct Done {
    files: usize,
    /// Files that were not formatted.
    changed: usize,
    /// Files that cannot be formatted.
    wrong: usize,
}

/// Formats all files, or checks whether they are formatted.
pub(super) fn run(arguments: &FmtArguments) -> Exit {
    if let Some(name) = &arguments.stdin {
        return standard_input(name);
    }
    let here = [PathBuf::from(".")];
    let paths = if arguments.paths.is_empty() { &here[..] } else { &arguments.paths };
    let discover::Found { files, unread } = match discover::files(&Disk, paths, &ENDINGS) {
        Ok(found) => found,
        Err(message) => {
            print_error(&message);
            return Exit::Usage;
        }
    };
    let mut done = Done::default();
    for (path, error) in &unread {
        done.cannot(path, &error.to_string());
    }
    for file in &files {
        done.files += 1;
        done.file(file, arguments.check);
    }
    print(&format!("{}\n", done.summary(arguments.check)));
    match (done.wrong, done.changed, done.files) {
        (1.., ..) => Exit::Invalid,
        (0, 1.., _) if arguments.check => Exit::Failed,
        (0, _, 0) => Exit::Nothing,
        _ => Exit::Passed,
    }
}

impl Done {
    fn file(&mut self, file: &Path, check: bool) {
        let text = match Disk.read(file) {
            Ok(text) => text,
            Err(error) => return self.cannot(file, &error.to_string()),
        };
        let name = file.to_string_lossy().replace('\\', "/");
        let formatted = match format(&name, &text) {
            Ok(formatted) => formatted,
            Err(problems) => {
                self.wrong += 1;
                return print_all(&problems);
            }
        };
        if formatted == text {
            return;
        }
        let shown = printable(&name);
        if check {
            self.changed += 1;
            print(&format!("{shown} is not formatted\n{}\n", printable(&changes(&text, &formatted))));
            return;
        }
        match Disk.write(file, &formatted) {
            Ok(()) => {
                self.changed += 1;
                print(&format!("formatted {shown}\n"));
            }
            Err(error) => self.cannot(file, &error.to_string()),
        }
    }

    fn cannot(&mut self, file: &Path, why: &str) {
        self.wrong += 1;
        print_all(&[Diagnostic::general("unreadable_file", format!("cannot format {}: {why}", file.display()))]);
    }

    fn summary(&self, check: bool) -> String {
        let plural = |count: usize| format!("{count} file{}", if count == 1 { "" } else { "s" });
        let changed = match (check, self.changed) {
            (true, 0) | (false, 0) if self.wrong == 0 => "all formatted".to_owned(),
            (true, count) => format!("{count} not formatted"),
            (false, count) => format!("{count} changed"),
        };
        let wrong = if self.wrong == 0 { String::new() } else { format!(", {} with errors", self.wrong) };
        format!("{}, {changed}{wrong}", plural(self.files))
    }
}

/// Formats standard input and prints it. Prints nothing but errors if it cannot be formatted.
fn standard_input(name: &str) -> Exit {
    let mut text = String::new();
    if let Err(error) = std::io::stdin().read_to_string(&mut text) {
        print_error(&format!("cannot read standard input: {error}"));
        return Exit::Invalid;
    }
    match format(name, &text) {
        Ok(formatted) => {
            print(&formatted);
            Exit::Passed
        }
        Err(problems) => {
            let renderer = Renderer { colour: false };
            problems.iter().for_each(|problem| remark(&renderer.render(problem)));
            Exit::Invalid
        }
    }
}

fn print_all(problems: &[Diagnostic]) {
    let renderer = Renderer { colour: colour() };
    problems.iter().for_each(|problem| print(&format!("{}\n", renderer.render(problem))));
}
