//! No word of a line is ignored: an extra word is an error, on every line of every shipped file.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use referee_diagnostic::{Code, Diagnostic};
use referee_scenario::{Loader, LoaderOptions};
use referee_source::{Host, HostError};

/// A word without a meaning in any line.
const WORD: &str = "zzz";

/// The files of the repository, one of them with another text.
struct Changed {
    path: PathBuf,
    text: Mutex<String>,
}

impl Host for Changed {
    fn read(&self, path: &Path) -> Result<String, HostError> {
        if path == self.path {
            return Ok(self.text.lock().unwrap().clone());
        }
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

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All files below `folder` with this extension, sorted.
fn files(folder: &str, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => folders.push(path),
                false if path.extension().is_some_and(|found| found == extension) => found.push(path),
                false => {}
            }
        }
    }
    found.sort();
    found
}

/// Where the comment of a line begins, or its trailing blanks.
fn content_end(line: &str) -> usize {
    let is_row = line.trim_start().starts_with('|');
    let mut quoted = false;
    let mut before = ' ';
    for (at, letter) in line.char_indices() {
        match letter {
            '"' => quoted = !quoted,
            '#' if !quoted && (!is_row || before == ' ') => return line[..at].trim_end().len(),
            _ => {}
        }
        before = letter;
    }
    line.trim_end().len()
}

/// Returns the line with an extra word after its last word; for a row of a table, also with one in its last cell.
fn longer(line: &str) -> Vec<String> {
    let (said, rest) = line.split_at(content_end(line));
    let mut lines = vec![format!("{said} {WORD} {rest}")];
    if let Some(cells) = said.trim_start().starts_with('|').then(|| said.strip_suffix('|')).flatten() {
        lines.push(format!("{cells} {WORD} | {rest}"));
    }
    lines
}

/// A line with an extra word.
struct Case {
    /// The file as it then is.
    text: String,
    /// The same without the word.
    plain: Arc<str>,
    /// The number of the line, and the line.
    at: (usize, String),
}

/// Returns every meaningful line of `text` with an extra word. Drops the other scenarios of a scenario file.
fn cases(text: &str, scenarios: bool, said: &[bool]) -> Vec<Case> {
    let lines: Vec<&str> = text.lines().collect();
    let opens = |line: &str| ["scenario ", "position ", "use "].into_iter().find(|word| line.trim().starts_with(word));
    let mut blocks = vec![0; lines.len()];
    let mut block = 0;
    for (at, line) in lines.iter().enumerate().filter(|(at, _)| said[*at]) {
        match opens(line).filter(|_| scenarios) {
            Some("scenario ") => block = at + 1,
            Some(_) => block = 0,
            None => {}
        }
        blocks[at] = block;
    }
    let kept = |at: usize, other: usize| blocks[at] == 0 || blocks[other] == 0 || blocks[other] == blocks[at];
    let with = |at: usize, changed: Option<&str>| -> String {
        let lines = lines.iter().enumerate().map(|(other, line)| match changed {
            Some(changed) if other == at => format!("{changed}\n"),
            _ if kept(at, other) => format!("{line}\n"),
            _ => "\n".to_owned(),
        });
        lines.collect()
    };
    let mut cases = Vec::new();
    let mut plain: (usize, Arc<str>) = (usize::MAX, "".into());
    for (at, line) in lines.iter().enumerate().filter(|(at, _)| said[*at]) {
        if plain.0 != blocks[at] {
            plain = (blocks[at], with(at, None).into());
        }
        for changed in longer(line).into_iter().filter(|_| scenarios || !is_a_list(line)) {
            let text = with(at, Some(&changed));
            cases.push(Case { text, plain: Arc::clone(&plain.1), at: (at + 1, changed) });
        }
    }
    cases
}

/// Whether a line of a game file may end in one more word: a name, or a word of a form.
fn is_a_list(line: &str) -> bool {
    let words = &line[..content_end(line)];
    words.starts_with("players ") || !words.ends_with('"') && (words.starts_with("event ") || words.starts_with("ask "))
}

/// Returns the meaningful lines of a text: no blank lines, no comments; in Markdown only lines of scenario blocks.
fn said(text: &str, is_markdown: bool) -> Vec<bool> {
    let mut inside = !is_markdown;
    // Whether the open fence has four marks, so that three of them are a part of its text.
    let mut long = false;
    let said = text.lines().map(|line| {
        let line = line.trim();
        if is_markdown && line.starts_with("```") && (!long || line.starts_with("````")) {
            long = line.starts_with("````") && !long;
            inside = line.starts_with("```scenario");
            return false;
        }
        inside && !line.is_empty() && !line.starts_with('#')
    });
    said.collect()
}

/// Returns the diagnostics without their locations, which the word may have moved.
fn messages(wrong: &[Diagnostic]) -> Vec<(&'static str, &str)> {
    wrong.iter().map(|diagnostic| (diagnostic.code.name(), diagnostic.message.as_str())).collect()
}

/// Returns the lines, every N-th of a file, to which a word can be added without an error on that line, as
/// `FILE:LINE: TEXT`.
fn unread(file: &Path, one_of: usize, wrong: impl Fn(&mut Loader<'_>) -> Vec<Diagnostic>) -> (usize, Vec<String>) {
    let text = std::fs::read_to_string(file).unwrap();
    let extension = file.extension().unwrap().to_string_lossy().into_owned();
    let host = Changed { path: file.to_owned(), text: Mutex::default() };
    let mut loader = Loader::new(&host, LoaderOptions { games: games(file), ..LoaderOptions::default() });
    let cases = cases(&text, extension != "game", &said(&text, extension == "md"));
    let mut passed = Vec::new();
    let mut before: (Arc<str>, Vec<Diagnostic>) = ("".into(), Vec::new());
    let mut judged = |text: &str| {
        text.clone_into(&mut host.text.lock().unwrap());
        wrong(&mut loader)
    };
    // Another line first in each file, and the same wherever the project is.
    let file = file.strip_prefix(root()).unwrap();
    let first = file.as_os_str().len() % one_of;
    for Case { text, plain, at: (line, words) } in cases.iter().skip(first).step_by(one_of) {
        if !Arc::ptr_eq(&before.0, plain) {
            before = (Arc::clone(plain), judged(plain));
            // Only positions that other scenarios use may be wrong.
            let clean = before.1.iter().all(|diagnostic| diagnostic.code == Code::UnusedPosition);
            assert!(clean, "{}:{line}: {:?}", file.display(), messages(&before.1));
        }
        let after = judged(text);
        let (before, after) = (messages(&before.1), messages(&after));
        if after.iter().all(|message| before.contains(message)) {
            passed.push(format!("{}:{line}: {words}", file.display()));
        }
    }
    (cases.len(), passed)
}

/// The games of the documentation, for its pages.
fn games(file: &Path) -> Option<PathBuf> {
    file.starts_with(root().join("docs")).then(|| root().join("docs/games"))
}

fn words_too_many_in_game_files(one_of: usize) {
    let mut passed = Vec::new();
    for file in [files("games", "game"), files("docs", "game")].concat() {
        let (count, more) = unread(&file, one_of, |loader| referee_scenario::check_game(loader, &file));
        assert!(count > 1, "{} is read", file.display());
        passed.extend(more);
    }
    assert!(passed.is_empty(), "nobody reads the last word:\n{}", passed.join("\n"));
}

#[test]
fn a_word_too_many_in_a_game_file_is_reported() {
    words_too_many_in_game_files(4);
}

#[test]
#[ignore = "checks a game for each line of all game files"]
fn a_word_too_many_in_a_game_file_is_reported_in_full() {
    words_too_many_in_game_files(1);
}

fn words_too_many_in_scenarios(one_of: usize) {
    let mut pages = [files("games", "md"), files("docs", "md"), vec![root().join("README.md")]].concat();
    // The blocks of this page contain errors anyway.
    pages.retain(|page| !page.ends_with("docs/mistakes.md"));
    let (mut passed, mut all) = (Vec::new(), 0);
    for file in [files("scenarios", "scenario"), pages].concat() {
        let (count, more) = unread(&file, one_of, |loader| referee_scenario::plan(loader, &file).problems);
        passed.extend(more);
        all += count;
    }
    assert!(all > 4000, "{all} lines");
    assert!(passed.is_empty(), "nobody reads the last word:\n{}", passed.join("\n"));
}

#[test]
fn a_word_too_many_in_a_scenario_is_reported() {
    words_too_many_in_scenarios(10);
}

#[test]
#[ignore = "plans a scenario for each line of all scenarios"]
fn a_word_too_many_in_a_scenario_is_reported_in_full() {
    words_too_many_in_scenarios(1);
}

#[test]
fn a_key_too_many_in_a_data_file_is_reported() {
    let mut passed = Vec::new();
    let mut count = 0;
    for file in files("games", "yaml") {
        let game = file.with_file_name(file.parent().unwrap().file_name().unwrap()).with_extension("game");
        let text = std::fs::read_to_string(&file).unwrap();
        let host = Changed { path: file.clone(), text: Mutex::default() };
        for (at, line) in text.lines().enumerate().filter(|(_, line)| {
            let line = line.trim_start();
            !line.is_empty() && !line.starts_with('#')
        }) {
            // An extra key after the others of an item, or on a line of its own.
            let changed = match line.trim_end().strip_suffix('}') {
                Some(item) => text.replacen(line, &format!("{item}, {WORD}: 1}}"), 1),
                None => {
                    let (indent, rest) = line.split_at(line.len() - line.trim_start().len());
                    let more = match rest.strip_prefix("- ") {
                        Some(rest) => format!("{indent}- {WORD}: 1\n{indent}  {rest}"),
                        None => format!("{indent}{WORD}: 1\n{line}"),
                    };
                    text.replacen(&format!("\n{line}\n"), &format!("\n{more}\n"), 1)
                }
            };
            changed.clone_into(&mut host.text.lock().unwrap());
            let wrong = referee_scenario::check_game(&mut Loader::new(&host, LoaderOptions::default()), &game);
            count += 1;
            // Under `printed` a key names what cards have, and `1` is no kind of it.
            if !wrong.iter().any(|diagnostic| matches!(diagnostic.code, Code::UnknownKey | Code::UnknownKind)) {
                passed.push(format!("{}:{}: {line}", file.display(), at + 1));
            }
        }
    }
    assert!(count > 5);
    assert!(passed.is_empty(), "nobody reads this key:\n{}", passed.join("\n"));
}
