//! A game with a scenario, cut from one text: planned, judged, shown.
#![no_main]

mod game;

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use referee_report::{Human, check_json, scenes_human, test_json};
use referee_scenario::{Loader, LoaderOptions};
use referee_source::MemoryHost;

use game::on_worker;

fuzz_target!(|text: &str| on_worker(text, load));

fn load(host: &MemoryHost) {
    let mut loader = Loader::new(host, LoaderOptions::default());
    let wrong = referee_scenario::check_game(&mut loader, Path::new("games/g/g.game"));
    let _ = check_json(1, &wrong, &[]);
    let suite = referee_scenario::plan(&mut loader, Path::new("a.scenario"));
    let mut results = Vec::new();
    for test in 0..suite.tests.len().min(4) {
        results.push(referee_scenario::judge(&mut loader, &suite, test));
        let scenes = referee_scenario::scenes(&mut loader, &suite, test).0;
        let _ = scenes_human("it", &scenes.iter().enumerate().collect::<Vec<_>>(), false);
        let _ = referee_scenario::moves(&mut loader, &suite, test, "");
        let _ = referee_scenario::moves(&mut loader, &suite, test, "red walk to a2");
    }
    let mut human = Human::new(false, true);
    let told = [human.file(&suite.file, &suite.problems, &results), human.summary()].concat();
    assert!(!told.chars().any(|letter| letter.is_control() && !matches!(letter, '\n' | '\t')), "{told:?}");
    let _ = test_json(&results);
}
