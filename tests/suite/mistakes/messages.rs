//! Properties of every message of the catalogue.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use referee_scenario::{Loader, LoaderOptions};
use referee_source::{Host, MemoryHost};
use referee_trace::{Failure, Status};

use super::project;

/// Names that only the two small games have, and their replacements.
const RENAMED: [(&str, &str); 13] = [
    ("red", "zora"),
    ("blue", "yago"),
    ("green", "xeno"),
    ("stone", "gnat"),
    ("rock", "plug"),
    ("walk", "hike"),
    ("distance", "reach"),
    ("resting", "dozing"),
    ("luck", "fate"),
    ("ace", "joker"),
    ("hop", "jig"),
    ("edge", "brim"),
    ("tricks", "ruses"),
];

/// Names of other games.
const FOREIGN: [&str; 16] = [
    "large", "block", "king", "ann", "ben", "bob", "stride", "guard", "baron", "princess", "white", "black", "yellow",
    "rehit", "fighter", "my-game",
];

/// Words that cannot end a help, because the text to write would be missing.
const OPEN_ENDS: [&str; 13] =
    ["write", "write:", "add", "use", "put", "call", "choose", "let", "give", "are", "is", "the", "of"];

/// The files of a catalogue's project by their paths.
fn files(host: &MemoryHost, folder: &Path, found: &mut Vec<(PathBuf, String)>) {
    for path in host.list(folder).unwrap_or_default() {
        match host.read(&path) {
            Ok(text) => found.push((path, text)),
            Err(_) => files(host, &path, found),
        }
    }
}

/// A project of the catalogue.
struct Wrong {
    name: String,
    files: Vec<(PathBuf, String)>,
    played: PathBuf,
}

fn catalogue() -> Vec<Wrong> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite/mistakes");
    let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<PathBuf> =
        paths.filter(|path| path.is_file() && path.extension().is_none_or(|ending| ending != "rs")).collect();
    paths.sort();
    let wrong = paths.iter().map(|path| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let (host, played) = project(&name, &std::fs::read_to_string(path).unwrap());
        let mut found = Vec::new();
        files(&host, Path::new(""), &mut found);
        Wrong { name, files: found, played }
    });
    let wrong: Vec<Wrong> = wrong.collect();
    assert!(wrong.len() > 300);
    wrong
}

/// Returns all diagnostics of these files.
fn failures(files: &[(PathBuf, String)], played: &Path) -> Vec<Failure> {
    let host = files.iter().fold(MemoryHost::default(), |host, (path, text)| host.with(path, text));
    let mut loader = Loader::new(&host, LoaderOptions::default());
    let suite = referee_scenario::plan(&mut loader, played);
    if !suite.problems.is_empty() {
        return suite.problems.into_iter().map(Failure::plain).collect();
    }
    let results = (0..suite.tests.len()).map(|index| referee_scenario::judge(&mut loader, &suite, index));
    results.filter(|result| result.status != Status::Passed).flat_map(|result| result.failures).collect()
}

/// The words of a text.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '_' && letter != '-')
        .filter(|word| !word.is_empty())
}

/// A text with the names of the small games replaced, and nothing else.
fn renamed(text: &str) -> String {
    let mut out = String::new();
    let mut word = String::new();
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    for letter in text.chars().chain(['\n']) {
        if is_part(letter) {
            word.push(letter);
            continue;
        }
        let new = RENAMED.iter().find(|(old, _)| *old == word).map_or(word.as_str(), |(_, new)| new);
        out.push_str(new);
        out.push(letter);
        word.clear();
    }
    out.pop();
    out
}

/// Returns the parts of a message between backticks: names, and text to paste.
fn quoted(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

/// The projects of the catalogue with their diagnostics, computed once for all tests.
static FAILING: LazyLock<Vec<(Wrong, Vec<Failure>)>> = LazyLock::new(|| {
    let failing = catalogue().into_iter().map(|wrong| {
        let failures = failures(&wrong.files, &wrong.played);
        (wrong, failures)
    });
    failing.collect()
});

#[test]
fn no_help_is_empty_or_ends_before_its_end() {
    let mut found = Vec::new();
    for (wrong, reported) in FAILING.iter() {
        for failure in reported {
            let diagnostic = &failure.diagnostic;
            let Some(help) = &diagnostic.help else { continue };
            for line in [diagnostic.message.as_str()].into_iter().chain(help.split('\n')) {
                let end = line.trim_end_matches([':', ',', ';', ' ']);
                let open = line.split(' ').next_back().is_some_and(|word| OPEN_ENDS.contains(&word));
                let hollow = line.replace("```", "").contains("``");
                if end.is_empty() || end != line || hollow || open && line != diagnostic.message {
                    found.push(format!("{}: {line:?}", wrong.name));
                }
            }
        }
    }
    found.dedup();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// A message without help must contain the advice: what was expected and found, a note at the label, or text from the
/// author of the rules or of the functions for them.
#[test]
fn what_has_no_help_says_it_otherwise() {
    let mut found = Vec::new();
    for (wrong, reported) in FAILING.iter() {
        for failure in reported {
            let diagnostic = &failure.diagnostic;
            let compared = failure.expected.is_some() || failure.actual.is_some();
            let beside = diagnostic.labels.iter().any(|label| !label.text.is_empty());
            if diagnostic.help.is_none()
                && !compared
                && !beside
                && !["rules", "expectation_failed"].contains(&diagnostic.code.name())
            {
                found.push(format!("{}: {}: {}", wrong.name, diagnostic.code, diagnostic.message));
            }
        }
    }
    found.dedup();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn no_message_names_what_only_other_games_have() {
    let mut found = Vec::new();
    for wrong in catalogue() {
        let files: Vec<(PathBuf, String)> =
            wrong.files.iter().map(|(path, text)| (renamed(&path.to_string_lossy()).into(), renamed(text))).collect();
        let played = PathBuf::from(renamed(&wrong.played.to_string_lossy()));
        let texts: String = files.iter().map(|(path, text)| format!("{} {text} ", path.display())).collect();
        let own: Vec<&str> = words(&texts).collect();
        let foreign = |word: &str| {
            (RENAMED.iter().any(|(old, _)| *old == word) || FOREIGN.contains(&word)) && !own.contains(&word)
        };
        let told = failures(&files, &played);
        let is_played = wrong.name == "return-after-the-end.rhai";
        assert!(!told.is_empty() || is_played, "{} holds no mistake with other names", wrong.name);
        for failure in told {
            let diagnostic = &failure.diagnostic;
            let labels = diagnostic.labels.iter().map(|label| label.text.clone());
            let said: Vec<String> =
                [diagnostic.message.clone()].into_iter().chain(diagnostic.help.clone()).chain(labels).collect();
            for text in said {
                let names = quoted(&text).into_iter().flat_map(words).find(|word| foreign(word));
                found.extend(names.map(|name| format!("{}: {name}: {text:?}", wrong.name)));
                // What follows `for example:` is not quoted.
                let example = text.split_once("for example: ").map_or("", |(_, example)| example);
                let names = words(example).find(|word| foreign(word));
                found.extend(names.map(|name| format!("{}: {name}: {text:?}", wrong.name)));
            }
        }
    }
    found.dedup();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// Following the suggestion of a message must not lead to the same message again.
#[test]
fn what_is_suggested_is_better_than_what_was_written() {
    let mut found = Vec::new();
    let mut count = 0;
    for (wrong, reported) in FAILING.iter() {
        for failure in reported {
            let diagnostic = &failure.diagnostic;
            let suggested = diagnostic.help.as_deref().and_then(|help| help.split_once("did you mean `"));
            let Some((near, _)) = suggested.and_then(|(_, rest)| rest.split_once("`?")) else { continue };
            let Some(label) = diagnostic.labels.first() else { continue };
            let Some(at) = wrong.files.iter().position(|(path, _)| path == Path::new(label.source.name())) else {
                continue;
            };
            let mut files = wrong.files.clone();
            files[at].1.replace_range(label.span.range(), near);
            count += 1;
            let again = failures(&files, &wrong.played);
            let same = |other: &Failure| {
                let place = other.diagnostic.labels.first().map(|label| label.span.start);
                other.diagnostic.message == diagnostic.message && place == Some(label.span.start)
            };
            if again.iter().any(same) {
                found.push(format!("{}: {near}: {}", wrong.name, diagnostic.message));
            }
        }
    }
    assert!(count > 40, "{count} suggestions only");
    assert!(found.is_empty(), "{}", found.join("\n"));
}
