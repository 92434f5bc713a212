//! `referee fmt`: formats scenario and game files.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;

use super::disk::Disk;
use super::output::{colour, print, print_data, print_error, remark};
use super::workers::spread;
use super::{Exit, discover};
use referee_diagnostic::{Code, Diagnostic, Renderer, counted, printable};
use referee_format::format;
use referee_ide::Overlay;
use referee_scenario::Loader;
use referee_source::{Host, Source, unified_changes};

/// The extensions of the files that are formatted.
const EXTENSIONS: [&str; 4] = ["scenario", "md", "game", "house"];
/// The extensions of the files that `--upgrade` looks at.
const UPGRADED: [&str; 6] = ["scenario", "md", "game", "house", "yaml", "yml"];

#[derive(Debug, Args)]
pub(super) struct FmtArguments {
    /// Files or folders [default: all scenario and game files below this folder]
    paths: Vec<PathBuf>,
    /// Change nothing; fail if a file is not formatted, and show what would change
    #[arg(long)]
    check: bool,
    /// Instead of formatting, replace words that have changed their meaning by those of this version that mean the same
    #[arg(long, conflicts_with = "stdin")]
    upgrade: bool,
    /// Format the text on standard input, and print it; the name says what kind of file it is
    #[arg(long, value_name = "NAME", conflicts_with = "paths")]
    stdin: Option<String>,
}

/// The counts of a run.
#[derive(Default)]
struct Done {
    /// Whether words are replaced, and nothing is formatted.
    upgrades: bool,
    files: usize,
    /// Files that were not formatted.
    changed: usize,
    /// Files that cannot be formatted.
    wrong: usize,
}

/// Formats all files, or checks whether they are formatted.
pub(super) fn run(arguments: &FmtArguments) -> Exit {
    if let Some(name) = &arguments.stdin {
        return standard_input(name, arguments.check);
    }
    let here = [PathBuf::from(".")];
    let paths = if arguments.paths.is_empty() { &here[..] } else { &arguments.paths };
    if let Some(missing) = paths.iter().find(|path| !path.exists()) {
        let help = "name files or folders; without one, all files below this folder are formatted";
        let help = discover::near(missing).unwrap_or_else(|| help.to_owned());
        print_error(&discover::missing(missing, &help));
        return Exit::Usage;
    }
    let extensions = if arguments.upgrade { &UPGRADED[..] } else { &EXTENSIONS };
    let discover::Found { files, unread, .. } = match discover::files(&Disk, paths, extensions) {
        Ok(found) => found,
        Err(message) => {
            print_error(&message);
            return Exit::Usage;
        }
    };
    let mut done = Done { upgrades: arguments.upgrade, ..Done::default() };
    for (path, error) in &unread {
        done.cannot(path, &error.to_string());
    }
    let unknown = if arguments.upgrade { vec![Vec::new(); files.len()] } else { unknown_lines(&Disk, &files) };
    for (file, unknown) in files.iter().zip(unknown) {
        done.files += 1;
        done.file(file, &unknown, arguments.check);
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
    fn file(&mut self, file: &Path, unknown: &[Diagnostic], check: bool) {
        let text = match Disk.read(file) {
            Ok(text) => text,
            Err(error) => return self.cannot(file, &error.to_string()),
        };
        let name = file.to_string_lossy().replace('\\', "/");
        let changed = match self.upgrades {
            true => Ok(upgraded(file, &name, &text)),
            false => format(&name, &text),
        };
        let formatted = match changed {
            Ok(formatted) => formatted,
            Err(problems) => {
                self.wrong += 1;
                return print_all(&problems);
            }
        };
        if !unknown.is_empty() {
            self.wrong += 1;
            return print_all(unknown);
        }
        if formatted == text {
            return;
        }
        let shown = printable(&name);
        if check {
            self.changed += 1;
            let what = if self.upgrades { "has words of an earlier version" } else { "is not formatted" };
            print(&format!("{shown} {what}\n{}\n", printable(&unified_changes(&text, &formatted))));
            return;
        }
        match Disk.write(file, &formatted) {
            Ok(()) => {
                self.changed += 1;
                let what = if self.upgrades { "upgraded" } else { "formatted" };
                print(&format!("{what} {shown}\n"));
            }
            Err(error) => self.cannot(file, &error.to_string()),
        }
    }

    fn cannot(&mut self, file: &Path, why: &str) {
        self.wrong += 1;
        print_all(&[Diagnostic::general(Code::UnreadableFile, format!("cannot format {}: {why}", file.display()))]);
    }

    fn summary(&self, check: bool) -> String {
        let changed = match (check, self.changed) {
            (true, 0) | (false, 0) if self.wrong == 0 && self.upgrades => "all in the words of this version".to_owned(),
            (true, 0) | (false, 0) if self.wrong == 0 => "all formatted".to_owned(),
            (true, count) if self.upgrades => format!("{count} to upgrade"),
            (true, count) => format!("{count} not formatted"),
            (false, count) => format!("{count} changed"),
        };
        let wrong = if self.wrong == 0 { String::new() } else { format!(", {} with errors", self.wrong) };
        format!("{}, {changed}{wrong}", counted(self.files, "file"))
    }
}

/// Returns the text of a file in the words of this version. Only data files have words that have changed their meaning.
fn upgraded(file: &Path, name: &str, text: &str) -> String {
    let is_data = file.extension().is_some_and(|own| own == "yaml" || own == "yml");
    let changed = is_data.then(|| referee_game::upgraded_data(&Arc::new(Source::new(name, text)))).flatten();
    changed.unwrap_or_else(|| text.to_owned())
}

/// Returns for each file the errors of lines that begin with neither a keyword nor a player, for only the game knows
/// who plays, and of lines outside of all scenarios.
fn unknown_lines(host: &(dyn Host + Sync), files: &[PathBuf]) -> Vec<Vec<Diagnostic>> {
    let options = super::arguments::options(None);
    // The one worker has the deep stack that scripts need.
    let found = spread(
        1,
        1,
        || Loader::new(host, options.clone()),
        |loader, _| {
            let unknown = |file: &PathBuf| {
                let is_game = file.extension().is_some_and(|extension| extension == "game" || extension == "house");
                let problems = if is_game { Vec::new() } else { referee_scenario::plan(loader, file).problems };
                problems.into_iter().filter(Diagnostic::is_unread).collect()
            };
            files.iter().map(unknown).collect::<Vec<_>>()
        },
    );
    found.into_iter().flatten().collect()
}

/// Formats standard input and prints it, or checks whether it is formatted. Prints nothing but errors if it cannot be
/// formatted.
fn standard_input(name: &str, check: bool) -> Exit {
    let path = PathBuf::from(name);
    if !path.extension().is_some_and(|own| EXTENSIONS.iter().any(|extension| own == *extension)) {
        let known = "name it as a file that ends with .scenario, .md, .game or .house";
        print_error(&format!("`{}` does not say what kind of file standard input is\n{known}", printable(name)));
        return Exit::Usage;
    }
    let mut text = String::new();
    if let Err(error) = std::io::stdin().read_to_string(&mut text) {
        print_error(&format!("cannot read standard input: {error}"));
        return Exit::Invalid;
    }
    let overlay = Overlay::new(std::env::current_dir().unwrap_or_default(), &Disk);
    overlay.set(&path, text.clone());
    let formatted = format(name, &text).and_then(|formatted| {
        let unknown: Vec<Diagnostic> = unknown_lines(&overlay, &[path]).into_iter().flatten().collect();
        if unknown.is_empty() { Ok(formatted) } else { Err(unknown) }
    });
    match formatted {
        Ok(formatted) if check && formatted == text => Exit::Passed,
        Ok(formatted) if check => {
            print(&format!(
                "{} is not formatted\n{}\n",
                printable(name),
                printable(&unified_changes(&text, &formatted))
            ));
            Exit::Failed
        }
        Ok(formatted) => {
            print_data(&formatted);
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
