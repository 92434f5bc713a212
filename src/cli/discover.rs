//! The files that paths on the command line mean.

use std::path::{Path, PathBuf};

use crate::scenario::has_scenarios;
use crate::source::Host;

/// The deepest nesting of folders; deeper ones are most likely a loop of links.
const DEEPEST: usize = 32;

/// Files as they are named, and in folders those with one of the endings, sorted; hidden folders are left out, and so
/// are Markdown files without scenarios.
///
/// # Errors
/// A path that does not exist, in words for people.
pub(super) fn files(host: &dyn Host, paths: &[PathBuf], endings: &[&str]) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    for path in paths {
        if host.is_folder(path) {
            walk(host, path, endings, 0, &mut found);
        } else if path.exists() {
            found.push(path.clone());
        } else {
            return Err(format!("there is no file or folder `{}`", path.display()));
        }
    }
    let mut once: Vec<PathBuf> = Vec::with_capacity(found.len());
    for path in found {
        if !once.contains(&path) {
            once.push(path);
        }
    }
    Ok(once)
}

fn walk(host: &dyn Host, folder: &Path, endings: &[&str], depth: usize, found: &mut Vec<PathBuf>) {
    let Ok(inside) = host.list(folder) else { return };
    for path in inside {
        // `./a` in the folder `.` is the same file as `a`, and mistakes in it are told once.
        let path = path.strip_prefix(".").map(Path::to_path_buf).unwrap_or(path);
        let hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        if hidden {
            continue;
        }
        let ends = |ending: &str| path.extension().is_some_and(|own| own == ending);
        if host.is_folder(&path) {
            if depth < DEEPEST {
                walk(host, &path, endings, depth + 1, found);
            }
        } else if ends("md") {
            if endings.contains(&"md") && host.read(&path).is_ok_and(|text| has_scenarios(&text)) {
                found.push(path);
            }
        } else if endings.iter().any(|ending| ends(ending)) {
            found.push(path);
        }
    }
}
