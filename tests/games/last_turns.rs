//! The last turn of a game that was played becomes a scenario of its own.

use std::path::Path;

use referee::scenario::{Loader, LoaderOptions, Origin, SetUp, Sitting, judge, plan, sit, stage};
use referee::source::MemoryHost;
use referee::trace::{Answer, Question, Status};

/// Returns an answer to the present question, a different one each time.
fn any(sitting: &Sitting<'_>, step: usize) -> Option<Answer> {
    Some(match &sitting.ask()?.question {
        Question::Choose(decision) => Answer::Chosen(step * 7 % decision.options.len()),
        Question::ChooseAll(all) => {
            Answer::AllChosen(all.iter().map(|decision| step * 5 % decision.options.len()).collect())
        }
        Question::Roll(_) | Question::Draw(_) => sitting.chance(step as u64)?,
    })
}

#[test]
fn the_last_turn_of_a_game_is_a_scenario_that_passes() {
    let games = std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("games")).unwrap();
    let mut games: Vec<String> = games.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    games.sort();
    let mut shorter = 0;
    for game in &games {
        let host = MemoryHost::default();
        let mut loader = Loader::new(&host, LoaderOptions::default());
        let set_up = SetUp { game: game.clone(), ..SetUp::default() };
        let stage = stage(&mut loader, &Origin::SetUp(set_up)).unwrap();
        let recorded = sit(&stage, |sitting| {
            assert_eq!(sitting.record_turn(&mut loader, "nothing was played"), None, "{game}");
            for step in 0..14 {
                let Some(answer) = any(sitting, step) else { break };
                sitting.give(answer, true);
            }
            (sitting.record_turn(&mut loader, "The last turn"), sitting.record("The game", &[]))
        });
        let (Some(turn), whole) = recorded else { continue };
        shorter += usize::from(turn.lines().count() < whole.lines().count() + 12);
        let host = MemoryHost::default().with("turn.scenario", turn.clone());
        let mut loader = Loader::new(&host, LoaderOptions::default());
        let suite = plan(&mut loader, Path::new("turn.scenario"));
        assert_eq!(judge(&mut loader, &suite, 0).status, Status::Passed, "{game}:\n{turn}");
        assert!(turn.contains("scenario \"The last turn\"") && turn.contains("  turn "), "{game}:\n{turn}");
    }
    assert!(shorter * 4 > games.len() * 3, "{shorter} of {}", games.len());
}
