//! Measures how long each bundled file takes to be checked again after an edit, as the language server checks it at once.
//! Fails at the end if the median of one is above the goal.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use referee_ide::{Overlay, Project, Role, edited_problems};
use referee_scenario::LoaderOptions;
use referee_source::MemoryHost;

/// The longest time that a file may take.
const GOAL: Duration = Duration::from_millis(20);
/// The number of edits of each file.
const EDITS: usize = 7;
/// The number of files that are listed.
const SHOWN: usize = 8;

fn main() -> std::io::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    // The pages of the documentation have examples for other games, and with mistakes.
    for folder in ["games", "scenarios"] {
        collect(&root.join(folder), &mut files)?;
    }
    files.sort();
    let mut host = MemoryHost::default();
    for (path, text) in &files {
        host = host.with(path, text.clone());
    }
    let overlay = Overlay::new(root.to_path_buf(), &host);
    let mut project = Project::new(&overlay, LoaderOptions::default());
    let mut medians: Vec<(Duration, &PathBuf)> = Vec::new();
    for (path, text) in &files {
        let mut times: Vec<Duration> = (1..=EDITS).map(|edit| time(&mut project, path, text, edit)).collect();
        overlay.close(path);
        times.sort();
        medians.extend(times.get(EDITS / 2).map(|median| (*median, path)));
    }
    medians.sort();
    let words = |time: Duration| format!("{:.1} ms", time.as_secs_f64() * 1e3);
    let middle = medians.get(medians.len() / 2).map_or_else(String::new, |(median, _)| words(*median));
    println!("{} files, {middle} in the middle; the slowest:", medians.len());
    for (median, path) in medians.iter().rev().take(SHOWN) {
        println!("{:>10}  {}", words(*median), path.strip_prefix(root).unwrap_or(path).display());
    }
    let missed = medians.iter().filter(|(median, _)| *median > GOAL).count();
    assert_eq!(missed, 0, "files that take longer than {}", words(GOAL));
    Ok(())
}

/// Returns how long it takes to find what is wrong with a file after an edit that changes nothing but its end.
fn time(project: &mut Project<'_>, path: &Path, text: &str, edit: usize) -> Duration {
    project.overlay.set(path, format!("{text}{}", "\n".repeat(edit)));
    let start = Instant::now();
    let wrong = edited_problems(project, path);
    let time = start.elapsed();
    assert!(wrong.is_empty(), "{}: {:?}", path.display(), wrong.first());
    time
}

/// Adds the files below a folder that the language server knows, with their texts.
fn collect(folder: &Path, files: &mut Vec<(PathBuf, String)>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if Role::of(&path).is_some() {
            let text = std::fs::read_to_string(&path)?;
            files.push((path, text));
        }
    }
    Ok(())
}
