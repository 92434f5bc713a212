//! Checks what Cargo does not enforce between the crates of the workspace, and between the modules of the largest: this
//! test reads the sources.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The layers, from the lowest: the crates of `crates/`, and `src/cli`. Cargo allows no cycles among them.
const LAYERS: [&str; 15] = [
    "source",
    "diagnostic",
    "syntax",
    "table",
    "trace",
    "rules",
    "game",
    "play",
    "scenario",
    "draw",
    "report",
    "format",
    "ide",
    "lsp",
    "cli",
];

/// The crates of `crates/` that only tests, benchmarks and fuzz targets use.
const FOR_TESTS: [&str; 1] = ["reference"];

/// The modules within `rules`, from the lowest. Each uses only those before it.
const RULES: [&str; 10] = ["values", "host", "natives", "layers", "script", "vm", "compile", "wasm", "lint", "program"];

/// The crates of others that only one layer may use.
const HIDDEN: [(&str, &str); 8] = [
    ("miette", "diagnostic"),
    ("rhai", "rules"),
    ("pest", "syntax"),
    ("pest_derive", "syntax"),
    ("lsp_types", "lsp"),
    ("wasm_encoder", "rules"),
    ("wasmi", "rules"),
    ("wasmtime", "rules"),
];

/// The layers that may use files, threads and the clock.
const OUTER: [&str; 2] = ["lsp", "cli"];

/// System interfaces that only the command line and the language server may use.
const OUTSIDE: [&str; 12] = [
    "std::fs",
    "std::env",
    "std::time",
    "std::thread",
    "std::net",
    "std::process",
    "std::io",
    "println!(",
    "eprintln!(",
    "print!(",
    "eprint!(",
    "dbg!(",
];

/// Files below the command line whose texts have a `--word` that is no flag of a command.
const NO_FLAGS: [(&str, &str); 3] = [
    ("draw/colours.rs", "names of colours in a style sheet"),
    ("report/book/chapter.rs", "names of colours in a style sheet"),
    ("scenario/snapshots.rs", "the first line of a file of snapshots, a format"),
];

/// A line of code: comments and blank lines are left out.
struct Code {
    layer: String,
    place: String,
    text: String,
    /// Whether it is in a file of tests.
    test: bool,
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
}

/// All source files, by their layer and the path in it: `table/board/mod.rs`.
pub(crate) fn files() -> BTreeMap<String, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = BTreeMap::new();
    for layer in LAYERS {
        let folder = root.join(folder(layer));
        let mut paths = Vec::new();
        sources(&folder, &mut paths);
        assert!(!paths.is_empty(), "{} has no sources", folder.display());
        for path in paths {
            let below = path.strip_prefix(&folder).unwrap().to_string_lossy().replace('\\', "/");
            found.insert(format!("{layer}/{below}"), fs::read_to_string(&path).unwrap());
        }
    }
    found
}

/// The folder with the sources of a layer.
fn folder(layer: &str) -> String {
    if layer == "cli" { "src/cli".to_owned() } else { format!("crates/{layer}/src") }
}

/// Where the file `name` of [`files`] is.
fn place(name: &str) -> String {
    let (layer, path) = name.split_once('/').unwrap();
    format!("{}/{path}", folder(layer))
}

fn code() -> Vec<Code> {
    let mut lines = Vec::new();
    for (name, text) in files() {
        let (layer, _) = name.split_once('/').unwrap();
        let test = name.contains("/tests/") || name.ends_with("/tests.rs");
        for (number, line) in text.lines().enumerate() {
            let line = line.trim();
            if !line.is_empty() && !line.starts_with("//") {
                let place = format!("{}:{}", place(&name), number + 1);
                lines.push(Code { layer: layer.to_owned(), place, text: line.to_owned(), test });
            }
        }
    }
    lines
}

/// Whether `line` uses the crate `name`: `name::…`, and not as the end of a longer name.
fn uses(line: &str, name: &str) -> bool {
    let own =
        |before: &str| !before.ends_with(|letter: char| letter == '_' || letter == ':' || letter.is_alphanumeric());
    line.match_indices(&format!("{name}::")).any(|(at, _)| own(&line[..at]))
        || line.starts_with(&format!("use {name};"))
        || line.starts_with(&format!("extern crate {name}"))
}

#[track_caller]
fn nothing(wrong: &[String]) {
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}

/// Returns the modules of `rules` that a file of it names: `crate::host::…`, or several in braces.
fn modules_of_rules(text: &str) -> Vec<String> {
    let named = text.split("crate::").skip(1).flat_map(|rest| match rest.strip_prefix('{') {
        Some(list) => list.split('}').next().unwrap().split(',').map(str::trim).collect(),
        None => vec![rest],
    });
    let word =
        |name: &str| name.split(|letter: char| letter != '_' && !letter.is_alphanumeric()).next().unwrap().to_owned();
    named.map(word).collect()
}

#[test]
fn modules_of_the_rules_use_only_those_before_them() {
    let mut wrong = Vec::new();
    let mut used = 0;
    for (name, text) in files() {
        let Some((own, _)) = name.strip_prefix("rules/").and_then(|name| name.split_once('/')) else { continue };
        let Some(level) = RULES.iter().position(|module| *module == own) else {
            wrong.push(format!("{}: `{own}` is no module of the rules", place(&name)));
            continue;
        };
        if text.contains("super::super") {
            wrong.push(format!("{}: name the module, `crate::…`, instead of `super::super`", place(&name)));
        }
        for other in modules_of_rules(&text) {
            used += 1;
            match RULES.iter().position(|module| *module == other) {
                Some(at) if at < level => {}
                _ => wrong.push(format!("{}: {own} uses {other}", place(&name))),
            }
        }
    }
    nothing(&wrong);
    assert!(used > 50, "only {used} uses were found");
}

/// The crates of the project that a manifest names under a heading such as `[dependencies]`.
fn own_dependencies<'m>(manifest: &'m str, heading: &str) -> Vec<&'m str> {
    let own = manifest.split(&format!("\n{heading}\n")).nth(1).unwrap_or_default();
    let lines = own.lines().take_while(|line| !line.starts_with('['));
    lines.filter_map(|line| line.strip_prefix("referee-")?.split(['.', ' ']).next()).collect()
}

/// A layer is a crate of `crates/`, and uses only those before it.
#[test]
fn layers_are_in_their_order() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    // A folder without sources is what a move left behind: files that git ignores.
    let names = |folder: &str| -> BTreeSet<String> {
        let mut paths = Vec::new();
        sources(&root.join(folder), &mut paths);
        let below = |path: &PathBuf| {
            path.strip_prefix(root.join(folder)).unwrap().components().next().unwrap().as_os_str().to_owned()
        };
        paths.iter().map(|path| below(path).to_string_lossy().into_owned()).collect()
    };
    let layers = LAYERS.iter().filter(|layer| **layer != "cli").map(|layer| (*layer).to_owned());
    assert_eq!(names("crates"), layers.chain(FOR_TESTS.map(str::to_owned)).collect());
    assert_eq!(names("src"), BTreeSet::from(["cli".to_owned(), "main.rs".to_owned()]));
    let mut wrong = Vec::new();
    for (at, layer) in LAYERS.iter().enumerate().filter(|(_, layer)| **layer != "cli") {
        let manifest = fs::read_to_string(root.join("crates").join(layer).join("Cargo.toml")).unwrap();
        for used in own_dependencies(&manifest, "[dependencies]") {
            if LAYERS.iter().position(|layer| *layer == used).is_none_or(|lower| lower >= at) {
                wrong.push(format!("crates/{layer}/Cargo.toml: {layer} uses {used}"));
            }
        }
    }
    nothing(&wrong);
}

/// The program reads scripts by Rhai, but runs them by the machine alone.
#[test]
fn crates_for_tests_are_no_part_of_the_program() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let manifest = |path: &str| fs::read_to_string(root.join(path)).unwrap();
    let program = manifest("Cargo.toml");
    for crate_ in FOR_TESTS {
        assert!(!own_dependencies(&program, "[dependencies]").contains(&crate_), "{crate_}");
        assert!(own_dependencies(&program, "[dev-dependencies]").contains(&crate_), "no test uses {crate_}");
        assert!(!own_dependencies(&manifest("web/Cargo.toml"), "[dependencies]").contains(&crate_), "{crate_}");
    }
}

#[test]
fn one_layer_knows_each_of_the_large_crates() {
    let strange = |line: &&Code| HIDDEN.iter().any(|(name, layer)| line.layer != *layer && uses(&line.text, name));
    let wrong: Vec<String> =
        code().iter().filter(strange).map(|line| format!("{}: {}", line.place, line.text)).collect();
    nothing(&wrong);
}

#[test]
fn only_the_top_levels_touch_the_world_outside() {
    let strange = |line: &&Code| {
        let group = line.text.strip_prefix("use std::{").is_some_and(|names| {
            names
                .split([' ', ',', '}'])
                .any(|name| ["fs", "env", "time", "thread", "net", "process", "io"].contains(&name))
        });
        !line.test
            && !OUTER.contains(&line.layer.as_str())
            && (group || OUTSIDE.iter().any(|world| line.text.contains(world)))
    };
    let wrong: Vec<String> =
        code().iter().filter(strange).map(|line| format!("{}: {}", line.place, line.text)).collect();
    nothing(&wrong);
}

/// Messages get the words of the command line from `cli`, so that a flag has its name in one place.
#[test]
fn only_the_command_line_names_its_flags() {
    let is_flag = |rest: &str| rest.starts_with(|letter: char| letter.is_ascii_lowercase());
    let strange = |line: &&Code| {
        let text = line.text.split_once(" // ").map_or(line.text.as_str(), |(code, _)| code);
        let is_free = NO_FLAGS.iter().any(|(file, _)| line.place.starts_with(&format!("{}:", place(file))));
        line.layer != "cli" && !line.test && !is_free && text.split("--").skip(1).any(is_flag)
    };
    let wrong: Vec<String> =
        code().iter().filter(strange).map(|line| format!("{}: {}", line.place, line.text)).collect();
    nothing(&wrong);
    for (file, why) in NO_FLAGS {
        assert!(files()[file].contains("--"), "{file} needs no exception: {why}");
    }
}

/// A code is for readers: what a caller may do differently is a type, such as `FailureKind` or `Diagnostic::is_unread`.
#[test]
fn nothing_depends_on_the_code_of_an_error() {
    let strange = |line: &&Code| {
        let compares = |operator: &str| {
            line.text.match_indices(operator).any(|(at, _)| {
                let (before, after) = line.text.split_at(at);
                let literal = after.trim_start_matches(['=', '!', ' ']).starts_with('"');
                before.trim_end().ends_with("code")
                    && (literal || after.contains(|letter: char| letter.is_ascii_uppercase()))
            })
        };
        !line.test
            && (compares("==") || compares("!=") || line.text.contains(".code)") && line.text.contains("contains("))
    };
    let wrong: Vec<String> =
        code().iter().filter(strange).map(|line| format!("{}: {}", line.place, line.text)).collect();
    nothing(&wrong);
}

#[test]
fn lints_are_expected_and_never_allowed() {
    let strange = |line: &&Code| line.text.starts_with("#[allow(") || line.text.starts_with("#![allow(");
    let wrong: Vec<String> = code().iter().filter(strange).map(|line| line.place.clone()).collect();
    nothing(&wrong);
}

/// Bundled games are data: code and messages must not mention any of them.
#[test]
fn no_module_names_a_game() {
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("games");
    let mut names = Vec::new();
    for entry in fs::read_dir(games).unwrap() {
        let folder = entry.unwrap().path();
        let id = folder.file_name().unwrap().to_string_lossy().into_owned();
        let Ok(text) = fs::read_to_string(folder.join(format!("{id}.game"))) else { continue };
        let title = text.lines().find(|line| line.starts_with("game ")).and_then(|line| line.split('"').nth(1));
        let title = title.unwrap_or_default().trim_matches(|letter: char| !letter.is_alphanumeric()).to_lowercase();
        // A short title may be any word.
        names.extend((title.len() > 4).then_some(title));
        // Two letters are a part of many words.
        names.extend((id.len() > 2).then_some(id));
    }
    assert!(!names.is_empty());
    let strange = |line: &&Code| {
        let text = line.text.to_lowercase();
        !line.test && names.iter().any(|name| text.contains(name.as_str()))
    };
    let wrong: Vec<String> =
        code().iter().filter(strange).map(|line| format!("{}: {}", line.place, line.text)).collect();
    nothing(&wrong);
}

/// The files of the rules outside `natives` that may have names of natives in quotes, each with the reason.
const NAMES_OF_NATIVES: [(&str, &str); 17] = [
    ("mutants.rs", "changes of calls of single functions"),
    ("compile/emit.rs", "what errors name for the operations of function values"),
    ("host/asks.rs", "a key of the map that is chosen"),
    ("host/names.rs", "words of messages"),
    ("layers/fault.rs", "words of messages"),
    ("layers/heads.rs", "words of other languages"),
    ("layers/unreadable.rs", "words of other languages"),
    ("lint/", "checks of single functions, and help that names them"),
    ("program/", "the built-in turn, names of types, and words of scenarios"),
    ("script/infer.rs", "keys of the map that is chosen"),
    ("script/read.rs", "how Rhai writes a function value"),
    ("script/spans.rs", "how Rhai writes a function value"),
    ("values/", "names of types and kinds, and the library itself"),
    ("vm/code.rs", "a key of the map that is chosen"),
    ("vm/faults.rs", "positions in texts"),
    ("vm/pointers.rs", "names of types"),
    ("wasm/", "names of imports and of a parameter, and keys of the map that is chosen"),
];

/// Where several names of natives may stand in one list, each with the reason.
const LISTS_OF_NATIVES: [(&str, &str); 4] = [
    ("lint/forms.rs", "the functions whose asks have forms"),
    ("lint/properties.rs", "help for single functions"),
    ("vm/code.rs", "keys of the map that is chosen"),
    ("wasm/", "keys of the map that is chosen"),
];

/// The texts between quotes in code, each with its place.
fn quoted(code: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(begin) = code[at..].find('"').map(|begin| at + begin + 1) {
        let mut end = begin;
        while end < code.len() && code.as_bytes()[end] != b'"' {
            end += if code.as_bytes()[end] == b'\\' { 2 } else { 1 };
        }
        let is_character = code[..begin - 1].ends_with('\'') && code[begin..].starts_with('\'');
        if is_character {
            at = begin;
            continue;
        }
        found.push((begin, code.get(begin..end).unwrap_or_default()));
        at = (end + 1).min(code.len());
    }
    found
}

/// The lists of texts in code, over any number of lines: texts with nothing between them but separators.
fn lists<'c>(code: &'c str) -> Vec<Vec<(usize, &'c str)>> {
    let mut lists: Vec<Vec<(usize, &str)>> = Vec::new();
    for (at, text) in quoted(code) {
        let follows = |list: &Vec<(usize, &'c str)>| {
            list.last().is_some_and(|(before, text)| {
                let between = &code[before + text.len() + 1..at - 1];
                between.chars().all(|letter| letter.is_whitespace() || [',', '|', '&', '(', ')'].contains(&letter))
            })
        };
        match lists.last_mut().filter(|list| follows(list)) {
            Some(list) => list.push((at, text)),
            None => lists.push(vec![(at, text)]),
        }
    }
    lists
}

/// The code of a file without comments and tests, with the same lines.
fn without_comments(text: &str) -> String {
    let code = text.lines().take_while(|line| !line.starts_with("mod tests"));
    code.map(|line| if line.trim_start().starts_with("//") { "" } else { line }).collect::<Vec<_>>().join("\n")
}

#[test]
fn lists_of_texts_are_found_over_several_lines() {
    let code = "let a = [\n    \"one\",\n    \"two\",\n];\nmatch b {\n    \"x\" | \"y\\\"\"\n    | \"z\" => 1,\n    '\"' => \"w\",\n}";
    let found: Vec<Vec<&str>> = lists(code).iter().map(|list| list.iter().map(|(_, text)| *text).collect()).collect();
    assert_eq!(found, [vec!["one", "two"], vec!["x", "y\\\"", "z"], vec!["w"]]);
}

#[test]
fn what_is_known_of_natives_is_asked_of_their_entries() {
    let natives: BTreeSet<String> =
        referee_rules::entries().iter().map(|form| form.name().to_owned()).filter(|name| name != "NAME").collect();
    let is_native = |text: &str| natives.contains(text) && text.starts_with(char::is_alphabetic);
    let allowed = |files: &[(&'static str, &str)], name: &str| {
        files
            .iter()
            .find(|(file, _)| name == *file || file.ends_with('/') && name.starts_with(file))
            .map(|(file, _)| *file)
    };
    let (mut wrong, mut met) = (Vec::new(), BTreeSet::new());
    for (path, text) in files() {
        let Some(name) = path.strip_prefix("rules/").filter(|name| !name.starts_with("natives/")) else { continue };
        let code = without_comments(&text);
        let line = |at: usize| code[..at].lines().count();
        for list in lists(&code) {
            let found: Vec<(usize, &str)> = list.into_iter().filter(|(_, text)| is_native(text)).collect();
            let Some((at, first)) = found.first() else { continue };
            match allowed(&NAMES_OF_NATIVES, name) {
                Some(file) => drop(met.insert(file)),
                None => wrong.push(format!("{}, line {}: ask the entry of `{first}`", place(&path), line(*at))),
            }
            if found.len() > 2 {
                match allowed(&LISTS_OF_NATIVES, name) {
                    Some(file) => drop(met.insert(file)),
                    None => wrong.push(format!(
                        "{}, line {}: a list of names of natives; ask their entries: {}",
                        place(&path),
                        line(*at),
                        found.iter().map(|(_, text)| *text).collect::<Vec<_>>().join(" ")
                    )),
                }
            }
        }
    }
    nothing(&wrong);
    let exceptions = NAMES_OF_NATIVES.iter().chain(&LISTS_OF_NATIVES).map(|(file, _)| *file);
    let stale: Vec<&str> = exceptions.filter(|file| !met.contains(file)).collect();
    assert!(stale.is_empty(), "files without a name of a native: {stale:?}");
}
