//! What an editor asks, at every place of files that are right, wrong, cut off in the middle, or no text at all.

use std::path::{Path, PathBuf};

use referee_ide::{NameKind, Overlay, Project};
use referee_scenario::LoaderOptions;
use referee_source::{Host, MemoryHost};

use crate::suite::HOP;

/// The bundled games with all their files, and the scenarios, as one folder in memory.
fn shipped() -> MemoryHost {
    fn add(host: MemoryHost, root: &Path, folder: &Path) -> MemoryHost {
        let mut paths: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        paths.into_iter().fold(host, |host, path| match std::fs::read_to_string(&path) {
            _ if path.is_dir() => add(host, root, &path),
            Ok(text) => host.with(path.strip_prefix(root).unwrap(), text),
            Err(_) => host,
        })
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let host = add(MemoryHost::default(), root, &root.join("games"));
    add(host, root, &root.join("scenarios"))
}

fn files(host: &MemoryHost, folder: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for path in host.list(Path::new(folder)).unwrap() {
        match host.is_folder(&path) {
            true => found.extend(files(host, &path.to_string_lossy())),
            false => found.push(path),
        }
    }
    found
}

/// Asks everything at a byte.
fn ask(project: &mut Project<'_>, file: &Path, at: u32) {
    referee_ide::hover(project, file, at);
    referee_ide::complete(project, file, at);
    referee_ide::definitions(project, file, at);
    drop(referee_ide::renamable(project, file, at));
}

/// Every mention is a word of its file, has a declaration, and every file has tokens in order.
#[test]
fn names_of_shipped_files_are_found() {
    let host = shipped();
    let overlay = Overlay::new(PathBuf::new(), &host);
    let mut project = Project::new(&overlay, LoaderOptions::default());
    let mut mentions = 0;
    for file in files(&host, "games").into_iter().chain(files(&host, "scenarios")) {
        let Some(opened) = project.open(&file) else { continue };
        for mention in &opened.mentions {
            let word = opened.source.shown().get(mention.span.range()).unwrap();
            assert_eq!(word, mention.key.name, "{}: {mention:?}", file.display());
            if mention.key.kind == NameKind::Variable {
                let places = referee_ide::definitions(&mut project, &file, mention.span.start);
                assert_eq!(places.len(), 1, "{}: {mention:?}", file.display());
            } else if mention.key.kind != NameKind::Position {
                let known = opened.game_of(mention).unwrap();
                assert!(known.names.of_key(&mention.key).next().is_some(), "{}: {mention:?}", file.display());
            }
            mentions += 1;
        }
        let tokens = referee_ide::semantic_tokens(&mut project, &file);
        assert!(tokens.windows(2).all(|pair| pair[0].span.end <= pair[1].span.start), "{}", file.display());
        for fold in referee_ide::folds(&mut project, &file) {
            assert!(fold.first < fold.last, "{}", file.display());
        }
    }
    assert!(mentions > 5000, "only {mentions} names were found");
}

/// The clauses and declarations of each game are found where they are.
#[test]
fn each_clause_of_a_rulebook_has_its_paragraph() {
    let host = shipped();
    let overlay = Overlay::new(PathBuf::new(), &host);
    let mut project = Project::new(&overlay, LoaderOptions::default());
    let mut clauses = 0;
    for file in files(&host, "games").into_iter().filter(|file| file.ends_with("RULES.md")) {
        let opened = project.open(&file).unwrap();
        let known = &opened.games[""];
        for clause in known.names.of_kind(NameKind::Clause) {
            assert!(clause.about.contains(&format!("[{}]", clause.key.name)), "{clause:?}");
            clauses += 1;
        }
    }
    assert!(clauses > 100, "only {clauses} clauses");
}

/// A scenario, a game, rules and a rulebook, cut off at every N-th character, with everything asked at the cut.
fn unfinished_files_can_be_asked_about(one_of: usize) {
    let host = HOP.iter().fold(MemoryHost::default(), |host, (path, text)| host.with(*path, *text));
    let scenario = "use hop short\n\nposition \"corner\"\n  place red at a1\n\nscenario \"Ä walk\" # 𝄞\n  from \"corner\"\n  \
                    covers R1\n  with edge = torus\n  turn red\n  roll distance 2\n  red walk to b2\n  expect events\n    \
                    > red moves to b2\n  expect { red.score == 1 && cell(marker(red)) != () }\n  expect board\n    | . b\n";
    let host = host.with("a.scenario", "").with("a.md", "");
    let markdown = format!("# Ä\n\n> ```scenario\n> {}\n> ```\n", scenario.trim_end().replace('\n', "\n> "));
    let mut asked = 0;
    for (name, text) in [
        ("a.scenario", scenario),
        ("a.md", markdown.as_str()),
        ("games/hop/hop.game", HOP[0].1),
        ("games/hop/rules.rhai", HOP[1].1),
        ("games/hop/RULES.md", HOP[2].1),
    ] {
        let overlay = Overlay::new(PathBuf::new(), &host);
        let mut project = Project::new(&overlay, LoaderOptions::default());
        let cuts = text.char_indices().map(|(at, _)| at).chain([text.len()]);
        for at in cuts.step_by(one_of + if name == "a.md" { 2 } else { 0 }) {
            overlay.set(Path::new(name), text[..at].to_owned());
            let end = u32::try_from(at).unwrap();
            ask(&mut project, Path::new(name), end);
            referee_ide::problems(&mut project, Path::new(name));
            referee_ide::symbols(&mut project, Path::new(name));
            referee_ide::folds(&mut project, Path::new(name));
            referee_ide::semantic_tokens(&mut project, Path::new(name));
            asked += 1;
        }
        // Whole, and asked at bytes within characters and beyond the end, too; in full at every byte.
        overlay.set(Path::new(name), text.to_owned());
        for at in (0..u32::try_from(text.len()).unwrap() + 3).step_by(one_of / 3) {
            referee_ide::hover(&mut project, Path::new(name), at);
            referee_ide::definitions(&mut project, Path::new(name), at);
        }
    }
    assert!(asked * one_of > 1500, "{asked}");
}

#[test]
fn files_that_are_being_written_can_be_asked_about() {
    unfinished_files_can_be_asked_about(13);
}

#[test]
#[ignore = "loads a game some hundred times"]
fn files_that_are_being_written_can_be_asked_about_in_full() {
    unfinished_files_can_be_asked_about(3);
}

/// What is unchanged is neither read nor planned again; what has changed is.
#[test]
fn what_is_unchanged_is_kept() {
    let host = HOP.iter().fold(MemoryHost::default(), |host, (path, text)| host.with(*path, *text));
    let text = "use hop short\n\nscenario \"A\"\n  turn red\n";
    let host = host.with("a.scenario", text);
    let overlay = Overlay::new(PathBuf::new(), &host);
    let mut project = Project::new(&overlay, LoaderOptions::default());
    let (scenario, rules) = (Path::new("a.scenario"), Path::new("games/hop/rules.rhai"));
    let mut last = None;
    // Nothing, the text, its snapshots, the rules.
    for (change, file) in [(0, scenario), (1, scenario), (2, Path::new("a.scenario.snap")), (3, rules)] {
        if change > 0 {
            let text = if change == 3 { format!("{}\n", HOP[1].1) } else { format!("{text}\n") };
            overlay.set(file, text);
        }
        let suite = project.suite(scenario);
        let opened = (project.open(scenario).unwrap(), project.open(rules).unwrap());
        assert!(std::rc::Rc::ptr_eq(&suite, &project.suite(scenario)), "{change}");
        assert!(std::rc::Rc::ptr_eq(&opened.0, &project.open(scenario).unwrap()), "{change}");
        assert!(std::rc::Rc::ptr_eq(&opened.1, &project.open(rules).unwrap()), "{change}");
        if let Some(last) = last.replace(std::rc::Rc::clone(&suite)) {
            assert!(!std::rc::Rc::ptr_eq(&last, &suite), "{change}");
        }
    }
    overlay.set(Path::new("other.scenario"), String::new());
    assert!(std::rc::Rc::ptr_eq(&last.unwrap(), &project.suite(scenario)));
}
