//! Every shipped scenario, extracted from its file so that it can be judged by itself.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use referee_source::{Host, HostError, MemoryHost};

use super::lines::{is_blank, row_cells};
pub(crate) use crate::suite::traces::Package;

/// A host with one more file, whose text changes from try to try.
pub(crate) struct Overlay<'h> {
    pub(crate) base: &'h (dyn Host + Sync),
    pub(crate) file: Mutex<(PathBuf, String)>,
}

impl Host for Overlay<'_> {
    fn read(&self, path: &Path) -> Result<String, HostError> {
        let file = self.file.lock().unwrap();
        if file.0 == path { Ok(file.1.clone()) } else { self.base.read(path) }
    }

    fn list(&self, folder: &Path) -> Result<Vec<PathBuf>, HostError> {
        self.base.list(folder)
    }

    fn is_folder(&self, path: &Path) -> bool {
        self.base.is_folder(path)
    }
}

/// A scenario, or one row of its table, with what it needs from its file.
#[derive(Clone, Debug)]
pub(crate) struct Example {
    /// The file that it is from, and its line there.
    pub(crate) file: String,
    pub(crate) line: usize,
    /// The folder in which it is judged: the same, so that the same games are found.
    pub(crate) folder: PathBuf,
    /// The line `use` that holds for it.
    pub(crate) used: String,
    /// The shared positions of its file: title and lines.
    shared: Vec<(String, String)>,
    pub(crate) lines: Vec<String>,
}

impl Example {
    /// A scenario file with these lines as its one scenario.
    pub(crate) fn text(&self, lines: &[String]) -> String {
        let by_hole = lines.iter().any(|line| line.trim_start().starts_with("from {"));
        let names = |title: &str| {
            let quoted = format!("from \"{title}\"");
            lines.iter().any(|line| line.trim_start() == quoted || by_hole && line.contains(title))
        };
        let shared = self.shared.iter().filter(|(title, _)| names(title)).map(|(_, text)| text.as_str());
        let own = lines.iter().map(String::as_str);
        [self.used.as_str()].into_iter().chain(shared).chain(own).flat_map(|line| [line, "\n"]).collect()
    }

    /// One example for each row of its table, with the values put where the placeholders are; itself without a table.
    pub(crate) fn rows(&self) -> Vec<Self> {
        let Some(head) = self.lines.iter().position(|line| line.trim() == "examples") else {
            return vec![self.clone()];
        };
        let table: Vec<&String> = self.lines[head + 1..].iter().filter(|line| line.trim().starts_with('|')).collect();
        let names = row_cells(table[0]);
        let body = &self.lines[..head];
        let after = self.lines[head + 1..].iter().filter(|line| !line.trim().starts_with('|'));
        let body: Vec<&String> = body.iter().chain(after).collect();
        let filled = |row: &&String| {
            let values = row_cells(row);
            let mut example = self.clone();
            example.lines = body
                .iter()
                .map(|line| {
                    let fill =
                        |line: String, (name, value): (&String, &String)| line.replace(&format!("{{{name}}}"), value);
                    names.iter().zip(&values).fold((*line).clone(), fill)
                })
                .collect();
            example
        };
        table[1..].iter().map(filled).collect()
    }
}

/// The scenarios in the lines of a file; `first` is the number of the first line.
fn cut(file: &str, folder: &Path, lines: &[(usize, &str)]) -> Vec<Example> {
    let mut used = String::new();
    let mut blocks: Vec<(usize, String, Vec<String>)> = Vec::new();
    for (number, line) in lines {
        let first = line.split_whitespace().next().unwrap_or_default();
        match first {
            "use" => used = (*line).to_owned(),
            "scenario" | "position" => blocks.push((*number, used.clone(), vec![(*line).to_owned()])),
            _ if is_blank(line) => {}
            _ => blocks.last_mut().unwrap().2.push((*line).to_owned()),
        }
    }
    let (shared, scenarios): (Vec<_>, Vec<_>) =
        blocks.into_iter().partition(|(_, _, lines)| lines[0].starts_with("pos"));
    let title = |line: &str| line.split('"').nth(1).unwrap_or_default().to_owned();
    let shared: Vec<(String, String)> =
        shared.into_iter().map(|(_, _, lines)| (title(&lines[0]), lines.join("\n"))).collect();
    let example = |(line, used, lines)| Example {
        file: file.to_owned(),
        line,
        folder: folder.to_path_buf(),
        used,
        shared: shared.clone(),
        lines,
    };
    scenarios.into_iter().map(example).collect()
}

/// Lines with their numbers.
type Lines<'t> = Vec<(usize, &'t str)>;

/// The fenced blocks of a Markdown text whose first word is `kind`: their second word, and their lines.
fn fenced<'t>(text: &'t str, kinds: &[&str]) -> Vec<(String, Lines<'t>)> {
    let mut blocks = Vec::new();
    let mut open: Option<(String, bool, Lines<'t>)> = None;
    for (at, line) in text.lines().enumerate() {
        let mark = line.chars().take_while(|mark| *mark == '`').count();
        match &mut open {
            Some((fence, _, _)) if mark >= fence.len() && line.len() == mark => {
                let (_, wanted, lines) = open.take().unwrap();
                if wanted {
                    blocks.push(lines);
                }
            }
            Some((_, _, lines)) => lines.push((at + 1, line)),
            None if mark >= 3 => {
                let info = line[mark..].split_whitespace().next().unwrap_or_default();
                open = Some(("`".repeat(mark), kinds.contains(&info), vec![(at, line)]));
            }
            None => {}
        }
    }
    let name = |head: &str| head.split_whitespace().nth(1).unwrap_or_default().to_owned();
    blocks.into_iter().map(|lines| (name(lines[0].1), lines[1..].to_vec())).collect()
}

fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
    for path in Package.list(folder).unwrap() {
        if Package.is_folder(&path) {
            walk(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "scenario" || ending == "md") {
            found.push(path);
        }
    }
}

/// The examples of `scenarios`, of the rulebooks and of the documentation.
pub(crate) fn shipped() -> Vec<Example> {
    let mut files = vec![PathBuf::from("README.md")];
    ["scenarios", "games", "docs"].into_iter().for_each(|folder| walk(Path::new(folder), &mut files));
    let mut found = Vec::new();
    for file in files {
        // These pages show errors.
        if file.ends_with("mistakes.md") {
            continue;
        }
        let text = Package.read(&file).unwrap();
        let name = file.to_string_lossy().replace('\\', "/");
        let folder = file.parent().unwrap();
        if file.extension().unwrap() == "scenario" {
            let lines: Vec<(usize, &str)> = text.lines().enumerate().map(|(at, line)| (at + 1, line)).collect();
            found.extend(cut(&name, folder, &lines));
        } else {
            let lines: Vec<(usize, &str)> =
                fenced(&text, &["scenario"]).into_iter().flat_map(|(_, lines)| lines).collect();
            found.extend(cut(&name, folder, &lines));
        }
    }
    found
}

/// Lines that the tutorial corrects later, or shows to be wrong. A snapshot cannot fail before one was accepted.
const CORRECTED: [(&str, &str); 3] =
    [("  expect red at 13", "  expect red at 6"), ("  expect snapshot", ""), ("  expect every line ends", "")];

/// The files of the tutorial as they are at its end, and the examples among them.
pub(crate) fn tutorial() -> (MemoryHost, Vec<Example>) {
    let text = Package.read(Path::new("docs/tutorial.md")).unwrap();
    let blocks = fenced(&text, &["file", "game", "rhai"]);
    let files: BTreeMap<String, Vec<(usize, &str)>> =
        blocks.into_iter().filter(|(name, _)| name.contains('.')).collect();
    let written = |game: &str| {
        let id = game.split_whitespace().next().unwrap_or_default();
        files.contains_key(&format!("games/{id}/{id}.game"))
            || Package.read(Path::new(&format!("games/{id}/{id}.game"))).is_ok()
    };
    let mut host = MemoryHost::default();
    let mut found = Vec::new();
    for (name, lines) in &files {
        let content: String = lines.iter().flat_map(|(_, line)| [*line, "\n"]).collect();
        host = host.with(name.as_str(), content);
        // A game that the reader copies is not written on the page: its scenarios are those of a bundled game.
        let copied = |line: &&(usize, &str)| line.1.strip_prefix("use ").is_some_and(|game| !written(game));
        if name.ends_with(".scenario") && !lines.iter().any(|line| copied(&line)) {
            let correct = |line| CORRECTED.iter().find(|(wrong, _)| *wrong == line).map_or(line, |(_, right)| *right);
            let lines: Vec<(usize, &str)> = lines.iter().map(|(number, line)| (*number, correct(*line))).collect();
            found.extend(cut("docs/tutorial.md", Path::new("scenarios"), &lines));
        }
    }
    (host, found)
}
