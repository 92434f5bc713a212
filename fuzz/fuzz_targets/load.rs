//! A game with a scenario, cut from one text: planned, judged, shown.
#![no_main]

mod game;

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use referee::report::{Human, check_json, scenes_human, test_json};
use referee::scenario::{self, Loader, LoaderOptions};
use referee::source::MemoryHost;

use game::on_worker;

fuzz_target!(|text: &str| on_worker(text, load));

fn load(host: &MemoryHost) {
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
