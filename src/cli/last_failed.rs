//! The tests that did not pass in earlier runs, listed in the folder `.referee` of the working folder.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::chosen::Place;
use super::disk::Disk;
use referee_scenario::Suite;
use referee_source::Host;
use referee_trace::{Status, TestResult};

/// The folder, and the files in it.
const FOLDER: &str = ".referee";
const FILE: &str = ".referee/last-failed.json";
const IGNORED: &str = ".referee/.gitignore";
/// The most lists that are kept; beyond it, all lists but the present one are dropped.
const MOST: usize = 100;

/// A test: its file, and its title with row and branch. The title is empty for errors outside all tests.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct TestId {
    file: String,
    test: String,
}

/// The content of the file. What a later version has written differently counts as nothing.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Kept {
    version: u32,
    /// The tests that did not pass, for each list of paths.
    failed: BTreeMap<String, BTreeSet<TestId>>,
}

/// The tests that did not pass when some paths were last run.
pub(super) struct LastFailed {
    key: String,
    pub(super) tests: BTreeSet<TestId>,
}

impl TestId {
    /// Returns the id of a selected test.
    fn of(suites: &[Suite], (suite, test): Place) -> Option<Self> {
        let suite = suites.get(suite)?;
        let name = match test {
            Some(test) => suite.tests.get(test)?.name(),
            None => String::new(),
        };
        Some(Self { file: suite.file.to_string(), test: name })
    }

    /// Returns it for a message.
    fn shown(&self) -> String {
        if self.test.is_empty() { self.file.clone() } else { format!("{}: {}", self.file, self.test) }
    }
}

impl LastFailed {
    /// Reads the list of tests that did not pass when these paths were last run, with games from this folder.
    pub(super) fn read(paths: &[PathBuf], games: Option<&PathBuf>) -> Self {
        let mut words: Vec<String> = paths.iter().map(|path| path.to_string_lossy().replace('\\', "/")).collect();
        words.extend(games.map(|games| format!("--games {}", games.to_string_lossy())));
        let key = words.join("\n");
        let tests = kept().failed.remove(&key).unwrap_or_default();
        Self { key, tests }
    }

    /// Returns why no test is known to have failed.
    pub(super) fn why_none() -> &'static str {
        match Path::new(FILE).exists() && readable().is_none() {
            true => "the file .referee/last-failed.json is damaged, so all are run",
            false => "no test failed when these paths were last run, so all are run",
        }
    }

    /// Returns those of these tests that did not pass, and a message for each that no longer exists.
    pub(super) fn narrow(&self, suites: &[Suite], tests: Vec<Place>) -> (Vec<Place>, Vec<String>) {
        let all = |suite: &Suite| -> HashSet<String> { suite.tests.iter().map(|test| test.name()).collect() };
        let there: BTreeMap<&str, (&Suite, HashSet<String>)> =
            suites.iter().map(|suite| (&*suite.file, (suite, all(suite)))).collect();
        // A file with errors may hold the scenario in lines that could not be read.
        let gone = |id: &&TestId| match there.get(id.file.as_str()) {
            None => true,
            Some((suite, names)) => !id.test.is_empty() && suite.problems.is_empty() && !names.contains(&id.test),
        };
        let gone: Vec<String> = self.tests.iter().filter(gone).map(TestId::shown).collect();
        let files: BTreeSet<&str> = self.tests.iter().map(|id| id.file.as_str()).collect();
        let meant = |place: &Place| match TestId::of(suites, *place) {
            Some(id) => self.tests.contains(&id) || (place.1.is_none() && files.contains(id.file.as_str())),
            None => false,
        };
        (tests.into_iter().filter(meant).collect(), gone)
    }

    /// Updates the list of tests that did not pass: those that were run by their results; the others stay. If
    /// everything passes and the folder has no list, the run writes none.
    ///
    /// # Errors
    /// Returns an error message if the list cannot be written.
    pub(super) fn keep(&self, suites: &[Suite], ran: &[(Place, &TestResult)]) -> Result<(), String> {
        let mut now = self.tests.clone();
        // Few failed last time, and there may be very many tests.
        let names = suites.iter().flat_map(|suite| suite.tests.iter().map(|test| (&suite.file, test.name())));
        let names = names.map(|(file, test)| TestId { file: file.to_string(), test });
        let there: BTreeSet<TestId> = match now.is_empty() {
            true => BTreeSet::new(),
            false => names.filter(|id| now.contains(id)).collect(),
        };
        now.retain(|id| there.contains(id));
        for (place, result) in ran {
            if result.status == Status::Passed && now.is_empty() {
                continue;
            }
            let Some(id) = TestId::of(suites, *place) else { continue };
            if result.status == Status::Passed {
                now.remove(&id);
            } else {
                now.insert(id);
            }
        }
        if now == self.tests && (!now.is_empty() || !Path::new(FILE).exists()) {
            return Ok(());
        }
        let mut kept = kept();
        if kept.failed.len() >= MOST {
            kept.failed.clear();
        }
        kept.version = 1;
        kept.failed.insert(self.key.clone(), now);
        kept.failed.retain(|_, tests| !tests.is_empty());
        let text = serde_json::to_string(&kept).unwrap_or_default();
        let wrong = |error: &dyn std::fmt::Display| format!("cannot keep what failed in {FILE}: {error}");
        std::fs::create_dir_all(FOLDER).map_err(|error| wrong(&error))?;
        if !Path::new(IGNORED).exists() {
            Disk.write(Path::new(IGNORED), "*\n").map_err(|error| wrong(&error))?;
        }
        Disk.write(Path::new(FILE), &(text + "\n")).map_err(|error| wrong(&error))
    }
}

/// Returns the kept lists; none if the file is missing or cannot be read, because they can be made again.
fn kept() -> Kept {
    readable().unwrap_or_default()
}

/// Returns the content of the file; `None` if it cannot be read.
fn readable() -> Option<Kept> {
    let text = Disk.read(Path::new(FILE)).ok()?;
    serde_json::from_str(&text).ok().filter(|kept: &Kept| kept.version == 1)
}
