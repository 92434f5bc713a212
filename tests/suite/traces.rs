//! Every shipped scenario passes, and its events are the same as recorded.

use std::fs;
use std::path::{Path, PathBuf};

use insta::Settings;
use referee_report::{scenes_human, test_name};
use referee_scenario::{Loader, LoaderOptions};
use referee_source::{Host, HostError};
use referee_trace::{Scene, Status};

/// The package's own folder, by paths relative to it.
pub(crate) struct Package;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

impl Host for Package {
    fn read(&self, path: &Path) -> Result<String, HostError> {
        fs::read_to_string(root().join(path)).map_err(|_| HostError::NotFound)
    }

    fn list(&self, folder: &Path) -> Result<Vec<PathBuf>, HostError> {
        let entries = fs::read_dir(root().join(folder)).map_err(|_| HostError::NotFound)?;
        let mut names: Vec<PathBuf> = entries.map(|entry| folder.join(entry.unwrap().file_name())).collect();
        names.sort();
        Ok(names)
    }

    fn is_folder(&self, path: &Path) -> bool {
        root().join(path).is_dir()
    }
}

fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
    for path in Package.list(folder).unwrap() {
        if Package.is_folder(&path) {
            walk(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "scenario") || path.ends_with("RULES.md") {
            found.push(path);
        }
    }
}

pub(super) fn files() -> Vec<PathBuf> {
    let mut found = Vec::new();
    walk(Path::new("scenarios"), &mut found);
    // Rulebooks contain examples too.
    walk(Path::new("games"), &mut found);
    assert!(!found.is_empty());
    found
}

#[test]
fn every_scenario_passes() {
    let mut loader = Loader::new(&Package, LoaderOptions::default());
    let mut wrong = Vec::new();
    for file in files() {
        let suite = referee_scenario::plan(&mut loader, &file);
        wrong.extend(suite.problems.iter().map(|problem| format!("{}: {}", suite.file, problem.message)));
        for index in 0..suite.tests.len() {
            let result = referee_scenario::judge(&mut loader, &suite, index);
            if result.status != Status::Passed {
                let why = result.failures.first().map(|failure| failure.diagnostic.message.as_str());
                wrong.push(format!("{}: {}", test_name(&result), why.unwrap_or_default()));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}

#[test]
fn what_happens_is_the_same_as_ever() {
    let mut loader = Loader::new(&Package, LoaderOptions::default());
    let mut settings = Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    for file in files() {
        let suite = referee_scenario::plan(&mut loader, &file);
        if suite.tests.is_empty() {
            continue;
        }
        let mut text = String::new();
        for (index, test) in suite.tests.iter().enumerate() {
            let scenes = referee_scenario::scenes(&mut loader, &suite, index).0;
            let numbered: Vec<(usize, &Scene)> = scenes.iter().enumerate().collect();
            text.push_str(&scenes_human(&format!("=== {}", test.title()), &numbered, false));
            text.push('\n');
        }
        let bare = file.with_extension("");
        let name = bare.strip_prefix("scenarios").unwrap_or(&bare).to_string_lossy().replace(['/', '\\'], "__");
        settings.set_snapshot_suffix("");
        settings.bind(|| insta::assert_snapshot!(name.as_str(), text));
    }
}
