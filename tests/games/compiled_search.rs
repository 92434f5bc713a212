//! Searches in which compiled rules follow play decide as those of the machine.

use referee_play::{Counter, Playouts, Policy, Quicker, Start, Stop, StrategyProfile, tape};
use referee_rules::Engine;
use referee_table::PlayerId;

use super::compiled::{begun, start, told};
use super::playing::{Playable, Random};

/// Compares games in which these players search.
fn compare(what: &str, playouts: &Playouts<'_>, games: u64) {
    let engines: Vec<_> = Engine::ALL.iter().map(|engine| (engine, Quicker::always(*engine))).collect();
    for number in 0..games {
        let expected = told(&Playouts { rollouts: None, ..*playouts }.play(5, number, false));
        for (engine, always) in &engines {
            let found = told(&Playouts { rollouts: Some(always), ..*playouts }.play(5, number, false));
            assert_eq!(found, expected, "{what}, game {number}, {}", engine.name());
        }
    }
}

/// Games, each with the number of playouts for a decision, and after how many turns a game is stopped.
const GAMES: &[(&str, u32, u64)] = &[
    ("pig", 40, 40),
    ("royal-game-of-ur", 25, 12),
    ("breakthrough", 12, 3),
    ("hex-squish", 30, 8),
    ("draughts", 20, 4),
    ("lines-of-action", 6, 2),
    // Its cards are hidden, so the machine searches.
    ("squish-blocks", 8, 2),
];

#[test]
fn searches_of_compiled_rules_decide_as_those_of_the_machine() {
    for (id, tries, max_plies) in GAMES {
        let rules = Playable::load(id, &[]);
        let start: Start = start(&rules, &rules.program.schema().variants[0], 2);
        for searching in [vec![0], vec![0, 1]] {
            let policies = searching.into_iter().map(|at| (PlayerId::at(at), Policy::Search(*tries))).collect();
            let strategy = StrategyProfile { policies, ..StrategyProfile::default() };
            let max_plies = *max_plies;
            let playouts =
                Playouts { rollouts: None, program: &rules.program, start: &start, strategy: &strategy, max_plies };
            compare(id, &playouts, 2);
        }
    }
}

/// Games, each with the depth, and after how many random answers sequences are counted.
const COUNTED: &[(&str, usize, &[usize])] = &[
    ("pig", 4, &[0]),
    ("royal-game-of-ur", 4, &[0, 2]),
    ("breakthrough", 3, &[0, 7]),
    ("hex-squish", 4, &[0, 3]),
    ("draughts", 4, &[0, 6]),
    ("lines-of-action", 3, &[0]),
];

#[test]
fn sequences_are_counted_by_compiled_rules_as_by_the_machine() {
    for (id, depth, plies) in COUNTED {
        let rules = Playable::load(id, &[]);
        let variant = &rules.program.schema().variants[0];
        for plies in *plies {
            let mut machine = begun(&rules, variant, 2);
            let mut random = Random(11);
            for _ in 0..*plies {
                let Stop::Paused(ask) = machine.stop() else { break };
                let answer = random.answer(&ask.question, machine.state()).unwrap();
                machine.go_on(&tape(vec![answer]));
            }
            let expected = Counter::by(None).divide(&machine, *depth).unwrap();
            for engine in Engine::ALL {
                let found = Counter::always(*engine).divide(&machine, *depth).unwrap();
                assert_eq!(found, expected, "{id}, {plies} plies, {}", engine.name());
            }
        }
    }
}
