//! `referee check`: analyses files without running them.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use clap::Args;

use super::arguments::{Common, Format};
use super::disk::Disk;
use super::output::{colour, print, print_error, remark};
use super::wanted::standing;
use super::workers::spread;
use super::{Exit, discover, snapshots};
use referee_diagnostic::{Code, Diagnostic, Renderer, counted, printable, share_of};
use referee_game::SearchPath;
use referee_report::check_json;
use referee_scenario::{Loader, LoaderOptions};

#[derive(Debug, Args)]
pub(super) struct CheckArguments {
    #[command(flatten)]
    common: Common,
}

/// Analyses all files, and prints their errors.
pub(super) fn run(arguments: &CheckArguments) -> Exit {
    let paths = match arguments.common.paths.as_slice() {
        [] => standing(&[]),
        paths => paths.to_vec(),
    };
    if paths.is_empty() {
        print_error("there is no folder `scenarios` or `games` here: name files or folders");
        return Exit::Nothing;
    }
    let options = super::arguments::options(arguments.common.games.as_ref());
    let found = match discover::files(&Disk, &paths, &["scenario", "md", "game"]) {
        Ok(found) => found,
        Err(message) => {
            print_error(&of_game(&paths, &options).unwrap_or(message));
            return Exit::Usage;
        }
    };
    let lost = found.lost_snapshots.clone();
    let discover::Found { files, unread, .. } = found;
    // One worker: it has the deep stack that scripts need, and reports each error of a game once.
    let found = spread(1, 1, || Loader::new(&Disk, options.clone()), |loader, _| problems(loader, &files));
    let mut notes = Vec::new();
    let (mut all, mut comments) = (Vec::new(), Vec::new());
    for checked in found {
        all.push(checked.problems);
        comments.push(checked.comments);
        notes.extend(checked.notes);
    }
    let unread = unread.iter().map(|(path, error)| {
        Diagnostic::general(Code::UnreadableFile, format!("cannot read {}: {error}", path.display()))
    });
    let lost = snapshots::lost(&lost, comments.iter().flatten().map(String::as_str));
    let stale = lost.iter().map(|path| snapshots::orphan(path, false));
    let found: Vec<Diagnostic> = unread.chain(all.into_iter().flatten()).collect();
    if arguments.common.format == Format::Json {
        print(&check_json(files.len(), &found, &notes));
        stale.for_each(|line| remark(line.trim_end()));
    } else {
        let renderer = Renderer { colour: colour() };
        for problem in &found {
            print(&format!("{}\n", renderer.render(problem)));
        }
        for note in &notes {
            print(&format!("{}\n", renderer.render_note(note)));
        }
        for file in comments.iter().flatten() {
            print(&printable(&format!("{file} has no scenario, only comments\n")));
        }
        stale.for_each(|line| print(&line));
        let mistakes = if found.is_empty() { "no errors".to_owned() } else { counted(found.len(), "error") };
        let noted = if notes.is_empty() { String::new() } else { format!(", {}", counted(notes.len(), "note")) };
        print(&format!("{}, {mistakes}{noted}\n", counted(files.len(), "file")));
    }
    match (files.is_empty(), found.is_empty()) {
        (_, false) => Exit::Invalid,
        (true, true) => Exit::Nothing,
        (false, true) => Exit::Passed,
    }
}

/// The number of bytes of a large file.
const LARGE: u64 = 256 << 10;

/// Returns the message for a path that names a game, as other commands allow.
fn of_game(paths: &[PathBuf], options: &LoaderOptions) -> Option<String> {
    let search_path = SearchPath::new(&Disk, options.games.clone(), options.working_folder.clone());
    let written = paths.iter().find(|path| !path.exists())?.to_string_lossy().into_owned();
    let is_game = search_path.games(Path::new("")).contains(&written);
    let help = match is_game.then(|| search_path.folder(&written))? {
        Some(folder) => format!("name its folder, `{}`, and folders with its scenarios", folder.display()),
        None => "this game is bundled; name files or folders of your own".to_owned(),
    };
    Some(format!("no such file or folder: `{written}`, which is a game\n{help}"))
}

/// Returns whether a file has so many scenarios that their plans are not kept.
fn is_large(file: &Path) -> bool {
    std::fs::metadata(file).is_ok_and(|file| file.len() > LARGE)
}

/// The result of checking files.
#[derive(Default)]
struct Checked {
    /// The errors, each once.
    problems: Vec<Diagnostic>,
    /// The notes on games without errors.
    notes: Vec<Diagnostic>,
    /// The names of the files that have only comments.
    comments: Vec<String>,
}

/// Checks files.
fn problems(loader: &mut Loader<'_>, files: &[PathBuf]) -> Checked {
    let mut checked = Checked::default();
    let mut reported = HashSet::new();
    for file in files {
        let is_game = file.extension().is_some_and(|extension| extension == "game");
        let mut problems = if is_game {
            referee_scenario::check_game(loader, file)
        } else {
            let suite = if is_large(file) {
                referee_scenario::plan_lean(loader, file)
            } else {
                referee_scenario::plan(loader, file)
            };
            checked.comments.extend(suite.has_only_comments().then(|| suite.file.to_string()));
            suite.problems
        };
        share_of(&mut problems, &file.to_string_lossy(), files.len());
        if is_game && problems.is_empty() {
            checked.notes.extend(referee_scenario::notes(loader, file));
        }
        for problem in problems {
            let places = problem.labels.iter().map(|label| (label.source.name().to_owned(), label.span));
            if reported.insert((problem.code, problem.message.clone(), places.collect::<Vec<_>>())) {
                checked.problems.push(problem);
            }
        }
    }
    checked
}
