//! Profiles count all work of rules, and change nothing of it.

use std::path::Path;

use super::coverage::{Disk, examples};
use referee_rules::Clock;
use referee_scenario::{Exercised, Loader, LoaderOptions};

/// Runs all examples of a game with a profile and without; both must do the same, and the rows of the profile must have
/// what was counted.
fn a_profile_has_all_work(id: &str) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    examples(&root.join("scenarios").join(id), &mut files);
    examples(&root.join("games").join(id), &mut files);
    let clock: Clock = || 0;
    let options = |profile| LoaderOptions { working_folder: root.into(), profile, ..LoaderOptions::default() };
    let (mut plain, mut profiled) = (Loader::new(&Disk, options(None)), Loader::new(&Disk, options(Some(clock))));
    for file in files {
        let (one, other) = (referee_scenario::plan(&mut plain, &file), referee_scenario::plan(&mut profiled, &file));
        // What planning does is not of the test.
        drop(profiled.take_profile());
        for at in 0..other.tests.len() {
            let (result, without) = referee_scenario::judge_counted(&mut plain, &one, at);
            let (same, with) = referee_scenario::judge_counted(&mut profiled, &other, at);
            let title = format!("{}: {}", file.display(), result.scenario);
            assert_eq!(result, same, "{title}");
            let (without, with) = (without.unwrap(), with.unwrap());
            let operations = |exercised: &Exercised| exercised.operations;
            assert_eq!(operations(&without), operations(&with), "{title}: a profile counts as an operation");
            let profile = profiled.take_profile().unwrap();
            let (work, between, recalled) = profile.operations();
            let counted = (work + between).cast_unsigned() + recalled;
            assert_eq!(counted, operations(&with), "{title}: the rows have other work than was counted");
            for node in &profile.nodes {
                let of_a_line = |line: usize| node.source.as_ref().is_none_or(|source| line <= source.line_count());
                assert!(node.lines.keys().all(|line| of_a_line(*line)), "{title}: {:?}", node.function);
                assert!(node.lines.values().all(|line| line.work >= 0), "{title}: {:?}", node.function);
                assert!(node.remembered <= node.calls, "{title}: {:?}", node.function);
            }
            assert!(plain.take_profile().is_none(), "{title}");
        }
    }
}

#[test]
fn a_profile_has_all_work_of_small_games() {
    ["breakthrough", "evil-squash", "lines-of-action", "pig"].into_iter().for_each(a_profile_has_all_work);
}

#[test]
#[ignore = "runs the examples of all games twice"]
fn a_profile_has_all_work_of_the_bundled_games_in_full() {
    referee_game::built_in_games().iter().for_each(|id| a_profile_has_all_work(id));
}
