//! The last turn of a game that was played becomes a scenario of its own.

use std::path::Path;

use referee_scenario::{Loader, LoaderOptions, Origin, SetUp, judge, plan, sit, stage};
use referee_source::MemoryHost;
use referee_trace::Status;

use super::every_game::games;
use super::sittings::any;

#[test]
fn the_last_turn_of_a_game_is_a_scenario_that_passes() {
    let mut shorter = 0;
    for game in &games() {
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
        // A game that begins with its set-up is whole.
        let begins = turn.contains("\n  turn ") || turn.contains("\n  setup\n");
        assert!(turn.contains("scenario \"The last turn\"") && begins, "{game}:\n{turn}");
    }
    assert!(shorter * 4 > games().len() * 3, "{shorter} of {}", games().len());
}

/// Who throws first, and who moves then: a throw for a turn that nobody has played is no last turn.
#[test]
fn a_turn_for_which_only_dice_were_thrown_is_not_the_last_one() {
    let game = "game dash \"Dash\"\nplayers 2 ann ben\nrules \"rules.rhai\"\nboard track 30\ndie 1..3\npiece runner for each player\nask run NUMBER\nplace ann at 1, ben at 15\n";
    let rules = "fn turn(me) {\n    let far = roll();\n    let steps = choose(me, \"run\", [far, far + 3]);\n    let from = number(cell(runner(me)));\n    if from + steps >= 30 { win(me); } else { place(runner(me), nth(from + steps)); }\n}\n";
    let host = MemoryHost::default().with("games/dash/dash.game", game).with("games/dash/rules.rhai", rules);
    let options = || LoaderOptions { games: Some("games".into()), ..LoaderOptions::default() };
    let mut loader = Loader::new(&host, options());
    let set_up = SetUp { game: "dash".to_owned(), ..SetUp::default() };
    let stage = stage(&mut loader, &Origin::SetUp(set_up)).unwrap();
    sit(&stage, |sitting| {
        let mut turns = Vec::new();
        for step in 0..5 {
            let answer = any(sitting, step).unwrap();
            sitting.give(answer, true);
            turns.push(sitting.record_turn(&mut loader, "The last turn").unwrap());
        }
        let [first_throw, first, second_throw, second, third_throw] = turns.try_into().unwrap();
        // The first turn is the game so far.
        assert!(first_throw.contains("turn ann\n  roll") && !first_throw.contains("run"), "{first_throw}");
        assert!(first.contains("turn ann\n  roll") && first.contains("ann run"), "{first}");
        assert!(second_throw.contains("turn ann\n  roll") && second_throw.contains("ann run"), "{second_throw}");
        assert!(second.contains("turn ben\n  roll") && second.contains("ben run"), "{second}");
        // After the throw for the next turn it is the same turn, without that throw.
        assert_eq!(third_throw, second);
        assert_eq!(third_throw.matches("roll").count(), 1, "{third_throw}");
    });
}
