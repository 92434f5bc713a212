//! The files that paths on the command line mean.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::scenario::has_scenarios;
use crate::source::Host;

/// The deepest nesting of folders; deeper ones are most likely a mistake.
const DEEPEST: usize = 32;

/// Files as they are named, and in folders those with one of the endings, sorted; hidden folders are left out, and so
/// are Markdown files without scenarios.
///
/// # Errors
/// A path that does not exist or is no file of this kind, in words for people.
pub(super) fn files(host: &dyn Host, paths: &[PathBuf], endings: &[&str]) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    for path in paths {
        if host.is_folder(path) {
            walk(host, path, endings, 0, &mut found);
        } else if !path.exists() {
            return Err(format!("there is no file or folder `{}`", path.display()));
        } else if path.extension().is_some_and(|own| endings.iter().any(|ending| own == *ending)) {
            found.push(path.clone());
        } else {
            let known: Vec<String> = endings.iter().map(|ending| format!(".{ending}")).collect();
            return Err(format!("`{}` is none of the files that this works on: {}", path.display(), known.join(", ")));
        }
    }
    // A file that several paths lead to is worked on once, under the first.
    let mut seen = BTreeSet::new();
    found.retain(|path| seen.insert(std::fs::canonicalize(path).unwrap_or_else(|_| path.clone())));
    Ok(found)
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
            // A link may lead back up; what it leads to is found by its own name.
            if depth < DEEPEST && !path.is_symlink() {
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
