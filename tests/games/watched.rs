//! Conditions that must be true at every point of random games: compiled rules find them true or broken in the games in which the
//! machine does.

use referee_play::{Bounds, Watched};
use referee_rules::Engine;
use referee_scenario::{Hunt, Loader, LoaderOptions, Origin, SetUp, invariants, stage};
use referee_source::MemoryHost;

/// Games with conditions that are always true, broken now and then, broken at the end of a game, or an error somewhere.
const CASES: &[(&str, &str)] = &[
    ("pig", "{ ann.score >= 0 && ben.score < 1000 }"),
    ("pig", "{ ann.score < 90 || ben.score < 60 }"),
    ("pig", "{ ann.score < 100 }"),
    ("breakthrough", "{ count(cells(white)) > 0 }"),
    ("breakthrough", "{ count(cells(white)) > 9 }"),
    ("breakthrough", "{ 100 / (count(cells(black)) - 10) != 0 }"),
    ("royal-game-of-ur", "{ count(cells(light)) + count(cells(dark)) <= 14 }"),
    ("royal-game-of-ur", "{ count(cells(light)) < 4 }"),
    ("lines-of-action", "{ groups(cells(black)).len < 8 }"),
    ("hex-squish", "{ count(occupied()) > 2 }"),
];

/// What is found in a game: the finding, the turns, and how often each clause was applied.
type Found = (Option<String>, u64, Vec<u64>);

/// Looks at the first games, and returns what is found in each, which places of the rules have run, and how many of the games compiled
/// rules have looked at.
fn looked_at(game: &str, conditions: &[&str], watched: Option<Engine>) -> ((Vec<Found>, Vec<bool>), u64) {
    let host = MemoryHost::default();
    let mut loader = Loader::new(&host, LoaderOptions { counts: true, ..LoaderOptions::default() });
    let mut stage = stage(&mut loader, &Origin::SetUp(SetUp { game: game.to_owned(), ..SetUp::default() })).unwrap();
    stage.watched = Watched::by(watched, 0);
    let invariants =
        invariants(&stage, ("--always", &conditions.iter().map(ToString::to_string).collect::<Vec<_>>())).unwrap();
    let bounds = Bounds { states: 0, bytes: 0 };
    let hunt = Hunt {
        stage: &stage,
        invariants: &invariants,
        seed: 5,
        max_turns: 300,
        turns_flag: "--max-turns",
        bounds,
        names_players: false,
    };
    let found = (1..=10).map(|number| {
        let hunted = hunt.game(number, 11 - number);
        let finding = hunted.finding.map(|finding| format!("{:?}", finding.key));
        (finding, hunted.tally.plies, hunted.tally.clauses)
    });
    let found = found.collect();
    let runs = stage.program.take_counts().iter().map(|runs| *runs > 0).collect();
    ((found, runs), stage.watched.looked_at())
}

#[test]
fn conditions_of_random_games_are_the_same_by_compiled_rules() {
    for (game, condition) in CASES {
        let (by_machine, none) = looked_at(game, &[condition], None);
        for engine in Engine::ALL {
            let (found, games) = looked_at(game, &[condition], Some(*engine));
            assert_eq!(found, by_machine, "{game} {condition} {engine:?}");
            // Where a condition is an error, the machine has to say so.
            let all = games == 10 || games == 9 && condition.contains(" / ");
            assert!(all && none == 0, "{game} {condition} {engine:?}: {games}, {none}");
        }
    }
}

#[test]
fn several_conditions_are_each_looked_at() {
    let conditions = ["{ ann.score >= 0 }", "{ ben.score < 80 }", "{ ann.score < 100 }"];
    let (by_machine, _) = looked_at("pig", &conditions, None);
    assert!(by_machine.0.iter().any(|(finding, ..)| finding.is_some()), "{by_machine:?}");
    let (found, games) = looked_at("pig", &conditions, Some(Engine::Wasmi));
    assert_eq!(found, by_machine);
    assert!(games > 10, "{games}");
    // One that is judged at each event is left to the machine.
    let each = ["{ ann.score >= 0 }", "each event { ben.score < 80 }"];
    assert_eq!(looked_at("pig", &each, Some(Engine::Wasmi)).0, looked_at("pig", &each, None).0);
}
