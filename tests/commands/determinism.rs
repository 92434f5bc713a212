//! Output does not depend on the number of threads or on the order of the arguments.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::Project;

fn scenarios(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            scenarios(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "scenario" || ending == "md") {
            found.push(path);
        }
    }
}

/// Every N-th file of the shipped scenarios; in every third of these the last one fails, in every fifth one cannot be
/// read.
fn project(one_of: usize) -> (Project, Vec<String>) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    scenarios(&root.join("scenarios"), &mut files);
    let mut project = Project::new();
    let mut names = Vec::new();
    for (at, file) in files.iter().step_by(one_of).enumerate() {
        let name = file.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/");
        let mut text = fs::read_to_string(file).unwrap();
        text.push_str(match at {
            _ if at % 3 == 0 => "\nscenario \"One too many\"\n  expect choices count 99999\n  expect choices count 1\n",
            _ if at % 5 == 0 => "\nscenario \"Not to be read\"\n  expext over\n",
            _ => "",
        });
        project = project.file(&name, text);
        names.push(name);
    }
    (project, names)
}

/// The results of each file, from the JSON of a run.
fn by_file(json: &str) -> BTreeMap<String, Vec<serde_json::Value>> {
    let whole: serde_json::Value = serde_json::from_str(json).unwrap();
    let mut files: BTreeMap<String, Vec<serde_json::Value>> = BTreeMap::new();
    for test in whole["tests"].as_array().unwrap() {
        files.entry(test["file"].as_str().unwrap().to_owned()).or_default().push(test.clone());
    }
    files
}

fn neither_threads_nor_the_order_change_a_result(one_of: usize) {
    let (project, mut files) = project(one_of);
    let run = |jobs: &str, format: &str, files: &[String]| {
        let fixed = ["test", "--jobs", jobs, "--format", format];
        let arguments: Vec<&str> = fixed.into_iter().chain(files.iter().map(String::as_str)).collect();
        let ran = project.run(&arguments);
        assert_eq!(ran.code, 3, "{}", ran.stderr);
        ran.stdout
    };
    let (text, json) = (run("1", "human", &files), run("1", "json", &files));
    let expected = by_file(&json);
    assert_eq!(expected.keys().collect::<Vec<_>>(), files.iter().collect::<Vec<_>>());
    assert_eq!(run("2", "human", &files), text);
    // The same files in an order that is far from the first.
    files.sort_by_key(|name| name.bytes().rev().collect::<Vec<u8>>());
    let lines = |text: &str| {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    assert_eq!(lines(&run("7", "human", &files)), lines(&text));
    assert_eq!(by_file(&run("7", "json", &files)), expected);
}

#[test]
fn neither_threads_nor_the_order_of_files_change_a_result() {
    neither_threads_nor_the_order_change_a_result(4);
}

#[test]
#[ignore = "runs every shipped scenario five times"]
fn neither_threads_nor_the_order_of_files_change_a_result_in_full() {
    neither_threads_nor_the_order_change_a_result(1);
}
