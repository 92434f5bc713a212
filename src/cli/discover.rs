//! Resolves paths on the command line to files.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::disk::words;
use referee_diagnostic::{nearest, strange_character};
use referee_scenario::{has_scenarios, is_of_snapshots, owner};
use referee_source::{Host, HostError};

/// The maximum nesting depth of folders; deeper nesting is most likely an accident.
const DEEPEST: usize = 32;

/// The files that paths resolve to.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// The files, sorted within each folder.
    pub(super) files: Vec<PathBuf>,
    /// Files and folders that cannot be read. They are never skipped silently.
    pub(super) unread: Vec<(PathBuf, HostError)>,
    /// The `.game` files in named folders, whatever the extensions.
    pub(super) games: Vec<PathBuf>,
    /// The files of snapshots in named folders that no scenario file has: it was renamed or deleted, or has no scenarios
    /// any more.
    pub(super) lost_snapshots: Vec<PathBuf>,
}

/// Returns the named files and, in named folders, the files with one of the extensions, sorted. Skips hidden files and
/// folders, and Markdown files without scenarios.
///
/// # Errors
/// Returns an error message if a path does not exist or has another extension.
pub(super) fn files(host: &dyn Host, paths: &[PathBuf], extensions: &[&str]) -> Result<Found, String> {
    let mut found = Found::default();
    for path in paths {
        match host.has_folder(path) {
            Err(error) => {
                found.unread.push((path.clone(), error));
                continue;
            }
            Ok(true) => {
                Walk { host, root: path, extensions, found: &mut found }.folder(path, 0);
                continue;
            }
            Ok(false) => {}
        }
        if !path.exists() {
            let hint = near(path).unwrap_or_else(|| "name files or folders that exist".to_owned());
            return Err(missing(path, &hint));
        } else if path.extension().is_some_and(|own| extensions.iter().any(|extension| own == *extension)) {
            found.files.push(path.clone());
        } else {
            let known: Vec<String> = extensions.iter().map(|extension| format!(".{extension}")).collect();
            return Err(format!(
                "`{}` has an unsupported extension, expected one of: {}",
                path.display(),
                known.join(", ")
            ));
        }
    }
    // A file reached by several paths is processed once, under the first.
    let mut seen = BTreeSet::new();
    found.files.retain(|path| seen.insert(std::fs::canonicalize(path).unwrap_or_else(|_| path.clone())));
    Ok(found)
}

/// A recursive search of a named folder.
struct Walk<'w> {
    host: &'w dyn Host,
    root: &'w Path,
    extensions: &'w [&'w str],
    found: &'w mut Found,
}

impl Walk<'_> {
    fn folder(&mut self, folder: &Path, depth: usize) {
        let inside = match self.host.list(folder) {
            Ok(_) if depth > DEEPEST => return self.found.unread.push((folder.into(), HostError::TooDeep(DEEPEST))),
            Ok(inside) => inside,
            Err(error) => return self.found.unread.push((folder.into(), error)),
        };
        for path in inside {
            // `./a` in the folder `.` is the same file as `a`; its errors must be reported once.
            let path = path.strip_prefix(".").map(Path::to_path_buf).unwrap_or(path);
            let hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
            if hidden {
                continue;
            }
            match std::fs::symlink_metadata(&path) {
                Ok(about) if about.is_symlink() => self.link(path),
                Ok(about) if about.is_dir() => self.folder(&path, depth + 1),
                Ok(_) => self.file(path),
                // It may be a folder with scenarios, so it must not be skipped.
                Err(error) => self.found.unread.push((path, words(&error))),
            }
        }
    }

    /// Handles a symbolic link. Skips a link to a folder inside the root: that folder is found under its own name, and
    /// cycles must not be followed. A link out of the root is an error.
    fn link(&mut self, path: PathBuf) {
        let within = || Some(std::fs::canonicalize(&path).ok()?.starts_with(std::fs::canonicalize(self.root).ok()?));
        match (self.host.is_folder(&path), within()) {
            (true, Some(true)) => {}
            (true, _) => self.found.unread.push((path, HostError::Outside(self.root.to_path_buf()))),
            (false, Some(false)) if self.is_wanted(&path) => {
                self.found.unread.push((path, HostError::Outside(self.root.to_path_buf())));
            }
            // A dangling link is reported when it is read.
            (false, _) => self.file(path),
        }
    }

    fn file(&mut self, path: PathBuf) {
        if path.extension().is_some_and(|extension| extension == "game") {
            self.found.games.push(path.clone());
        }
        if let Some(owner) = owner(&path) {
            if self.is_lost(&path, &owner) {
                self.found.lost_snapshots.push(path);
            }
        } else if self.is_wanted(&path) {
            self.found.files.push(path);
        } else if let Some(message) = self.why_unread(&path) {
            self.found.unread.push((path, HostError::Other(message)));
        }
    }

    /// Returns whether a file holds snapshots of a file that is not there, or of a Markdown file without scenarios. What
    /// cannot be read is not known to be lost.
    fn is_lost(&self, path: &Path, owner: &Path) -> bool {
        let is_gone = match self.host.read(owner) {
            Err(HostError::NotFound) => true,
            Ok(text) => owner.extension().is_some_and(|own| own == "md") && !has_scenarios(&text),
            Err(_) => false,
        };
        is_gone && self.host.read(path).is_ok_and(|text| is_of_snapshots(&text))
    }

    /// Returns why a file that should probably be processed is not: its extension is wrong, or it is in a wrong folder.
    fn why_unread(&self, path: &Path) -> Option<String> {
        let folder = path.parent()?;
        if path.extension().is_some_and(|extension| extension == "rhai") {
            return self.unused_script(path, folder);
        }
        if path.extension().is_some_and(|extension| extension == "yaml" || extension == "yml") {
            if folder.parent().is_some_and(|above| self.is_house(above)) && self.declares(folder) {
                return (!self.is_named(path, folder, &["yaml", "yml"]))
                    .then(|| "nothing uses it: name it in the file of the house rule".to_owned());
            }
            return (self.has_game(folder) && !self.is_named(path, folder, &["yaml", "yml"]))
                .then(|| "nothing uses it: name it in the game file".to_owned());
        }
        let (own, extension) = meant(path)?;
        let is_read = match extension {
            "md" => self.host.read(path).map_or(true, |text| has_scenarios(&text)),
            "rhai" => self.is_house(folder),
            _ => true,
        };
        let why = match own.eq_ignore_ascii_case(extension) {
            true => "is not in lower case".to_owned(),
            false => format!("is .{own}"),
        };
        is_read.then(|| format!("its extension {why}: rename it to end with .{extension}"))
    }

    /// Returns why nothing uses a script, if it probably is a house rule in a wrong place.
    fn unused_script(&self, path: &Path, folder: &Path) -> Option<String> {
        let above = folder.parent()?;
        if self.is_house(above) {
            let own = folder.file_name()?.to_str()?;
            if !self.declares(folder) {
                return Some(format!(
                    "it is in a folder below `house`: move it to the folder `house` itself, or write `house {own}` in a \
                     file `{own}.house` beside it"
                ));
            }
            let is_used = path.ends_with("rules.rhai") || self.is_named(path, folder, &["rhai"]);
            return (!is_used).then(|| {
                "nothing uses it: call it `rules.rhai`, or name it in the file of the house rule: `rules \"FILE\"`"
                    .to_owned()
            });
        }
        let name = folder.file_name()?.to_str()?;
        if !self.is_house(folder) && nearest(name, ["house"]).is_some() && self.has_game(above) {
            return Some(format!("house rules belong in a folder `house`, not `{name}`: rename the folder"));
        }
        // The game file and its data files name the scripts that they use.
        let lost = self.has_game(folder) && !self.is_named(path, folder, &["rhai"]);
        lost.then(|| "nothing uses it: name it in the game file, or move a house rule to the folder `house`".to_owned())
    }

    /// Returns whether a file of a folder names a file, other than those with these extensions.
    fn is_named(&self, path: &Path, folder: &Path, but: &[&str]) -> bool {
        let Some(own) = path.file_name().and_then(|name| name.to_str()) else { return true };
        let is_other = |file: &PathBuf| {
            file.extension().and_then(|extension| extension.to_str()).is_some_and(|extension| !but.contains(&extension))
        };
        let files = self.host.list(folder).unwrap_or_default().into_iter().filter(is_other);
        files.filter_map(|file| self.host.read(&file).ok()).any(|text| text.contains(own))
    }

    /// Returns whether a folder holds house rules: it is the folder `house` beside a game file.
    fn is_house(&self, folder: &Path) -> bool {
        folder.ends_with("house") && folder.parent().is_some_and(|game| self.has_game(game))
    }

    /// Returns whether there is a file of a house rule in a folder.
    fn declares(&self, folder: &Path) -> bool {
        let files = self.host.list(folder).unwrap_or_default();
        files.iter().any(|path| path.extension().is_some_and(|extension| extension == "house"))
    }

    /// Returns whether there is a game file in a folder.
    fn has_game(&self, folder: &Path) -> bool {
        let files = self.host.list(folder).unwrap_or_default();
        files.iter().any(|path| path.extension().is_some_and(|extension| extension == "game"))
    }

    /// Returns whether a file is to be processed. An unreadable Markdown file is, because it may contain scenarios.
    fn is_wanted(&self, path: &Path) -> bool {
        let extension = self.extensions.iter().find(|extension| path.extension().is_some_and(|own| own == **extension));
        match extension {
            None => false,
            Some(&"md") => self.host.read(path).map_or(true, |text| has_scenarios(&text)),
            Some(_) => true,
        }
    }
}

/// Returns the extension of a file and the one that is probably meant; `None` for a right extension and for another
/// kind of file. Scenario extensions are long enough to detect typos; for the others, only known program-made endings
/// count.
fn meant(path: &Path) -> Option<(String, &'static str)> {
    const EXTENSIONS: [&str; 5] = ["scenario", "game", "md", "rhai", "house"];
    let own = path.extension()?.to_str()?;
    if EXTENSIONS.contains(&own) {
        return None;
    }
    let lower = own.to_lowercase();
    let found = |extension: &'static str| Some((own.to_owned(), extension));
    if let Some(extension) = EXTENSIONS.into_iter().find(|extension| lower == *extension) {
        return found(extension);
    }
    match lower.as_str() {
        // Some editors add it to unknown extensions.
        "txt" => {
            let before = Path::new(path.file_stem()?).extension()?.to_str()?;
            let extension = EXTENSIONS.into_iter().find(|extension| before.eq_ignore_ascii_case(extension))?;
            Some((format!("{before}.{own}"), extension))
        }
        "markdown" | "mdown" | "mkdn" | "mkd" => found("md"),
        "games" => found("game"),
        _ => {
            let near = ["scenario", "rhai"].into_iter().find(|extension| nearest(&lower, [*extension]).is_some())?;
            found(near)
        }
    }
}

/// Returns the file and the line of `FILE:LINE`.
pub(super) fn numbered(written: &str) -> Option<(&str, &str)> {
    let is_line = |end: &str| !end.is_empty() && end.bytes().all(|byte| byte.is_ascii_digit());
    written.rsplit_once(':').filter(|(_, line)| is_line(line))
}

/// Returns "did you mean `scenarios/walk.scenario`?" if there is a file or folder with a similar name.
pub(super) fn near(path: &Path) -> Option<String> {
    let written = path.to_string_lossy();
    let (file, line) = numbered(&written).unwrap_or((&written, ""));
    let mut there = PathBuf::new();
    let mut parts = Path::new(file).components();
    while let Some(part) = parts.next() {
        let next = there.join(part);
        if next.exists() {
            there = next;
            continue;
        }
        let folder = if there.as_os_str().is_empty() { Path::new(".") } else { &there };
        let inside = std::fs::read_dir(folder).ok()?.filter_map(Result::ok);
        let mut inside: Vec<String> = inside.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        inside.sort_unstable();
        let near = nearest(&part.as_os_str().to_string_lossy(), inside.iter().map(String::as_str))?;
        let rest = parts.as_path();
        let near = there.join(near);
        // Joining an empty path would add a trailing slash.
        let whole = if rest.as_os_str().is_empty() { near } else { near.join(rest) };
        let line = if line.is_empty() { String::new() } else { format!(":{line}") };
        let shown = whole.to_string_lossy().replace('\\', "/");
        let note = strange_character(&part.as_os_str().to_string_lossy()).map(|note| format!(" {note}"));
        let note = note.unwrap_or_default();
        return whole.exists().then(|| format!("did you mean `{shown}{line}`?{note}"));
    }
    None
}

/// Returns the message for a path where nothing is, with a note about a character that only looks like another one.
pub(super) fn missing(path: &Path, hint: &str) -> String {
    let written = path.to_string_lossy();
    let hint = match strange_character(&written).filter(|_| !hint.contains("U+")) {
        Some(note) => format!("{hint}\n{note}"),
        None => hint.to_owned(),
    };
    format!("no such file or folder: `{written}`\n{hint}")
}
