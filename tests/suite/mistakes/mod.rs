//! A catalogue of errors. Each is a file whose first line names the error.
//!
//! `NAME.scenario` and `NAME.md` play the small game of `tests/suite/base`. `NAME.game` replaces its game file,
//! `NAME.rhai` replaces its rules, `NAME.yaml` has arrows for its board, and `house-NAME.rhai` is a house rule. Files
//! that begin with `cards-` use the game with cards of `tests/suite/base/cards.rs`. To add an error, add a file here
//! and accept its snapshot, provided that its message says what is wrong, where, and what to write instead, without
//! terms of programming.

mod fixes;
mod followed;
mod messages;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use insta::Settings;
use referee_diagnostic::{Diagnostic, Renderer};
use referee_report::Human;
use referee_scenario::{Loader, LoaderOptions};
use referee_source::MemoryHost;

use super::{HOP, cards};

/// The scenario for errors in other files.
const TURN: &str = "use hop short\n\nscenario \"The turn of red\"\n  turn red\n  roll distance 2\n  red walk to b2\n";

/// Terms of programming that no message may contain.
const JARGON: [&str; 19] = [
    "i64",
    "ImmutableString",
    "identifier",
    "Dynamic",
    "FnPtr",
    "token",
    "Token",
    "AST",
    "EOF",
    "Array",
    "&str",
    "usize",
    "Option<",
    "Some(",
    "rhai::",
    "expression depth",
    "lvalue",
    "Syntax error",
    "panicked",
];

fn base() -> MemoryHost {
    HOP.iter().fold(MemoryHost::default(), |host, (path, text)| host.with(*path, *text))
}

/// Returns the base game with the error, and the scenario to play.
fn project(name: &str, text: &str) -> (MemoryHost, PathBuf) {
    let (host, scenario) = match name.rsplit_once('.').unwrap() {
        (stem, "rhai") if stem.starts_with("house-") => {
            let house = stem.trim_start_matches("house-");
            let scenario = TURN.replace("  turn red", &format!("  with house \"{house}\"\n  turn red"));
            (base().with(format!("games/hop/house/{house}.rhai"), text), scenario)
        }
        (stem, ending) if stem.starts_with("cards-") => return cards::project(name, ending, text),
        (_, "rhai") => (base().with("games/hop/rules.rhai", text), TURN.to_owned()),
        (_, "yaml") => {
            let game = format!("{}\narrows \"arrows.yaml\"\n", HOP[0].1);
            (base().with(HOP[0].0, game).with("games/hop/arrows.yaml", text), TURN.to_owned())
        }
        (_, "game") => (base().with("games/hop/hop.game", text), TURN.to_owned()),
        _ => (base(), text.to_owned()),
    };
    let file = PathBuf::from(if name.ends_with(".scenario") || name.ends_with(".md") { name } else { "turn.scenario" });
    (host.with(file.clone(), scenario), file)
}

/// Returns all diagnostics of a project.
fn said(host: &MemoryHost, file: &Path) -> String {
    let mut loader = Loader::new(host, LoaderOptions::default());
    let suite = referee_scenario::plan(&mut loader, file);
    let renderer = Renderer::default();
    let mut text: String = suite.problems.iter().map(|problem| format!("{}\n", renderer.render(problem))).collect();
    if suite.problems.is_empty() {
        let results: Vec<_> =
            (0..suite.tests.len()).map(|index| referee_scenario::judge(&mut loader, &suite, index)).collect();
        let mut human = Human::new(false, false);
        let played = human.file(&suite.file, &[], &results);
        // What is wrong with rules that can be played.
        let checked = match played.starts_with("ok ") {
            true => referee_scenario::check_unplayed(&mut loader, Path::new("games/hop/hop.game")),
            false => Vec::new(),
        };
        text.push_str(&played);
        checked.iter().for_each(|wrong| text.push_str(&format!("\n{}\n", renderer.render(wrong))));
    }
    text
}

#[test]
fn the_base_game_is_right() {
    let (host, file) = project("turn.scenario", TURN);
    insta::assert_snapshot!(said(&host, &file), @"ok   turn.scenario (1 of 1 passed)");
}

/// Each looks like an error of the catalogue and is none.
#[test]
fn what_only_looks_wrong_is_not_reported() {
    let lines = [
        // The constant and the function are meant after the block, in which a variable hides them.
        "const LEAST = 4;\nfn free(me) { if me.score > 1 { let LEAST = 2; set(me, \"score\", LEAST); } LEAST }",
        "fn double(n) { n * 2 }\nfn twice(list) { let all = list.map(double); let double = 3; all.push(double); all }",
        // Which strings reach the call is decided elsewhere.
        "fn counted(me, name) { name != \"nothing\" }\n\
         fn raise(me) { for name in [\"score\", \"nothing\"] { if counted(me, name) { set(me, name, 1); } } }",
        "fn raise(me) { for (name, at) in [\"score\", \"nothing\"] { if at == 0 { set(me, name, 1); } } }",
        "fn raise(me) { for name in [\"score\", \"nothing\"] { set(me, name, 1); break; } }",
        "fn raise(me) { let name = \"nothing\"; try { set(me, name, 1); } catch { me.score = 1; } }",
        // What a string is used as depends on something else.
        "fn told(me, what, name) { if what == \"cell\" { cell_named(name) } else { event(name, marker(me)); } }\n\
         fn tell(me) { told(me, \"cell\", \"a1\"); told(me, \"event\", \"rests\"); }",
        "fn way(me, open) { let name = if open { \"N\" } else { \"none\" }; if open { direction_named(name) } }",
        "fn spot(named, name) { if named { cell_named(name) } }\nfn spots() { spot(false, \"\"); spot(true, \"a1\") }",
        "fn spot(named, name) { if !named { return; } cell_named(name) }\nfn spots() { spot(false, \"here\"); }",
        "fn spot(name) { name.len() == 2 && cell_named(name) == () }\nfn spots() { spot(\"nowhere\") }",
        "const PLAN = [\"a1\", \"rests\"];\nfn plan(me) { event(PLAN[1], marker(me)); cell_named(PLAN[0]) }",
        "const SAID = #{ now: \"rests\", then: \"rest\" };\nfn say(me) { event(SAID[\"now\"], marker(me)); }",
    ];
    for lines in lines {
        let (host, file) = project("right.rhai", &format!("{}\n{lines}\n", HOP[1].1));
        assert_eq!(said(&host, &file).trim_end(), "ok   turn.scenario (1 of 1 passed)", "{lines}");
    }
}

#[test]
fn every_mistake_is_explained() {
    let mut settings = Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.set_snapshot_path("snapshots");
    let _bound = settings.bind_to_scope();
    let mut jargon = Vec::new();
    insta::glob!("*.{scenario,game,md,rhai,yaml}", |path| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(path).unwrap();
        let (host, file) = project(&name, &text);
        let message = said(&host, &file);
        // `LAST` is no tree.
        let words = message.replace("LAST", "last");
        let found = JARGON.iter().filter(|word| words.contains(**word) && !text.contains(**word));
        jargon.extend(found.map(|word| format!("{name}: {word}")));
        insta::assert_snapshot!("mistake", format!("{}\n────────\n{}", text.trim_end(), message.trim_end()));
    });
    assert!(jargon.is_empty(), "words of programmers in messages:\n{}", jargon.join("\n"));
}

/// Every file must contain an error, and the errors must be of many kinds.
#[test]
fn the_mistakes_are_many_and_different() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite/mistakes");
    let mut codes: BTreeSet<&'static str> = BTreeSet::new();
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if !path.is_file() || name.ends_with(".rs") {
            continue;
        }
        let (host, file) = project(&name, &std::fs::read_to_string(&path).unwrap());
        let mut loader = Loader::new(&host, LoaderOptions::default());
        let suite = referee_scenario::plan(&mut loader, &file);
        let mut found: Vec<Diagnostic> = suite.problems.clone();
        if found.is_empty() {
            let results = (0..suite.tests.len()).map(|index| referee_scenario::judge(&mut loader, &suite, index));
            found.extend(results.flat_map(|result| result.failures).map(|failure| failure.diagnostic));
        }
        // Of rules that can be played.
        if found.is_empty() {
            found = referee_scenario::check_unplayed(&mut loader, Path::new("games/hop/hop.game"));
        }
        assert!(!found.is_empty(), "{name} holds no mistake");
        codes.extend(found.iter().map(|diagnostic| diagnostic.code.name()));
        count += 1;
    }
    assert!(count >= 60, "the catalogue has {count} mistakes only");
    assert!(codes.len() >= 30, "the catalogue has {} codes only: {codes:?}", codes.len());
}
