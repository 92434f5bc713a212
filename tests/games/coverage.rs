//! The examples of every bundled game exercise all of its rules.

use std::path::{Path, PathBuf};

use referee_scenario::{Coverage, Exercised, FileCoverage, Loader, LoaderOptions, Share};
use referee_source::{Host, HostError};
use referee_trace::Status;

/// The files of this project.
pub(super) struct Disk;

impl Host for Disk {
    fn read(&self, path: &Path) -> Result<String, HostError> {
        std::fs::read_to_string(path).map_err(|_| HostError::NotFound)
    }

    fn list(&self, folder: &Path) -> Result<Vec<PathBuf>, HostError> {
        let entries = std::fs::read_dir(folder).map_err(|_| HostError::NotFound)?;
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        Ok(paths)
    }

    fn is_folder(&self, path: &Path) -> bool {
        path.is_dir()
    }
}

pub(super) fn examples(folder: &Path, found: &mut Vec<PathBuf>) {
    for path in Disk.list(folder).unwrap() {
        if path.is_dir() {
            examples(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "scenario" || ending == "md") {
            found.push(path);
        }
    }
}

/// Runs all examples of a game with counts and without; both must do the same.
fn exercised(id: &str) -> (Loader<'static>, Vec<Exercised>) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    examples(&root.join("scenarios").join(id), &mut files);
    examples(&root.join("games").join(id), &mut files);
    let options = |counts| LoaderOptions { working_folder: root.into(), counts, ..LoaderOptions::default() };
    let (mut plain, mut counting) = (Loader::new(&Disk, options(false)), Loader::new(&Disk, options(true)));
    let mut all = Vec::new();
    for file in files {
        let (one, other) = (referee_scenario::plan(&mut plain, &file), referee_scenario::plan(&mut counting, &file));
        for at in 0..other.tests.len() {
            let (result, without) = referee_scenario::judge_counted(&mut plain, &one, at);
            let (same, counted) = referee_scenario::judge_counted(&mut counting, &other, at);
            let (without, counted) = (without.unwrap(), counted.unwrap());
            let title = format!("{}: {}", file.display(), result.scenario);
            assert_eq!(result.status, Status::Passed, "{title}");
            assert_eq!(result, same, "{title}");
            assert_eq!(without.clauses, counted.clauses, "{title}");
            assert_eq!(without.operations, counted.operations, "{title}: counting counts as an operation");
            assert!(without.runs.is_empty(), "{title}");
            all.push(counted);
        }
    }
    (counting, all)
}

fn every_clause_and_line_is_exercised(wanted: impl Fn(&str) -> bool) {
    let mut missing = Vec::new();
    for id in referee_game::built_in_games().into_iter().filter(|id| wanted(id)) {
        let (loader, all) = exercised(&id);
        let coverage = Coverage::of(&loader, all.iter().enumerate()).unwrap();
        assert_eq!(coverage.games.len(), 1, "the examples of {id} use other games");
        let game = &coverage.games[0];
        let full = |share: Share| share.covered == share.all && share.all > 0;
        let lines = game.files.iter().flat_map(|file| {
            let never = file.lines().into_iter().filter(|(_, runs)| *runs == 0);
            never.map(|(line, _)| format!("{}:{line} is never run", file.source.name())).collect::<Vec<_>>()
        });
        missing.extend(lines);
        if !full(game.clause_share()) || !full(game.share(FileCoverage::function_share)) {
            missing.push(format!(
                "{id}: clauses {:?}, functions {:?}",
                game.clause_share(),
                game.share(FileCoverage::function_share)
            ));
        }
        missing.extend(game.unused.iter().map(|unused| format!("{id}: {} {} is never used", unused.what, unused.name)));
        let idle = game.files.iter().flat_map(|file| file.idle_marks()).map(|mark| mark.written);
        missing.extend(idle.map(|line| format!("{id}:{line}: the remark says nothing")));
    }
    assert!(missing.is_empty(), "\n{}\n", missing.join("\n"));
}

/// Games with few examples.
const SMALL: [&str; 4] = ["breakthrough", "evil-squash", "lines-of-action", "pig"];

#[test]
fn every_clause_and_line_of_small_games_is_exercised() {
    every_clause_and_line_is_exercised(|id| SMALL.contains(&id));
}

#[test]
#[ignore = "runs the examples of all games twice"]
fn every_clause_and_line_of_the_bundled_games_is_exercised_in_full() {
    every_clause_and_line_is_exercised(|_| true);
}
