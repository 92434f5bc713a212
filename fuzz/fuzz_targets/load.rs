//! A game with its rules, rulebook, data files and a scenario, cut from one text at lines `----`: planned, judged, shown.
#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use referee::report::{Human, check_json, scenes_human, test_json};
use referee::scenario::{self, Loader, LoaderOptions};
use referee::source::MemoryHost;

fuzz_target!(|text: &str| {
    let mut parts = text.split("\n----\n");
    let mut part = || parts.next().unwrap_or_default();
    let host = MemoryHost::default()
        .with("games/g/g.game", part())
        .with("games/g/rules.rhai", part())
        .with("games/g/RULES.md", part())
        .with("a.scenario", part())
        .with("games/g/house/h.rhai", part())
        .with("games/g/cards.yaml", part())
        .with("games/g/abilities.rhai", part())
        .with("games/g/arrows.yaml", part());
    // Rules call one another deeply: they need the stack of a worker.
    let judged = std::thread::Builder::new().stack_size(256 << 20).spawn(move || loader(&host));
    judged.expect("a thread").join().expect("no panic");
});

fn loader(host: &MemoryHost) {
    let mut loader = Loader::new(host, LoaderOptions::default());
    let wrong = scenario::check_game(&mut loader, Path::new("games/g/g.game"));
    let _ = check_json(1, &wrong, &[]);
    let suite = scenario::plan(&mut loader, Path::new("a.scenario"));
    let mut results = Vec::new();
    for test in 0..suite.tests.len().min(4) {
        results.push(scenario::judge(&mut loader, &suite, test));
        let scenes = scenario::scenes(&mut loader, &suite, test).0;
        let _ = scenes_human("it", &scenes.iter().enumerate().collect::<Vec<_>>(), false);
        let _ = scenario::moves(&mut loader, &suite, test, "");
        let _ = scenario::moves(&mut loader, &suite, test, "red walk to a2");
    }
    let mut human = Human::new(false, true);
    let told = [human.file(&suite.file, &suite.problems, &results), human.summary()].concat();
    assert!(!told.chars().any(|letter| letter.is_control() && !matches!(letter, '\n' | '\t')), "{told:?}");
    let _ = test_json(&results);
}
