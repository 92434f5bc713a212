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

/// Looks at the first games, and returns what is found in each, which places of the rules have run, and how often compiled rules have
/// looked at one.
fn looked_at(game: &str, conditions: &[&str], watched: Option<Engine>) -> ((Vec<Found>, Vec<bool>), u64) {
    looked_at_in(&MemoryHost::default(), LoaderOptions::default(), (game, 300), conditions, watched)
}

fn looked_at_in(
    host: &MemoryHost,
    options: LoaderOptions,
    (game, max_turns): (&str, u64),
    conditions: &[&str],
    watched: Option<Engine>,
) -> ((Vec<Found>, Vec<bool>), u64) {
    let mut loader = Loader::new(host, LoaderOptions { counts: true, ..options });
    let mut stage = stage(&mut loader, &Origin::SetUp(SetUp { game: game.to_owned(), ..SetUp::default() })).unwrap();
    stage.watched = Watched::by(watched, 0);
    let conditions: Vec<String> = conditions.iter().map(ToString::to_string).collect();
    let invariants = invariants(&stage, ("--always", &conditions)).unwrap();
    let bounds = Bounds { states: 0, bytes: 0 };
    let turns_flag = "--max-turns";
    let hunt =
        Hunt { stage: &stage, invariants: &invariants, seed: 5, max_turns, turns_flag, bounds, names_players: false };
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

/// A set-up that asks, turns of several phases, dice with several faces, and functions that only conditions call.
const DASH: &str = "game dash \"Dash\"\nplayers 2 ann ben\nrules \"rules.rhai\"\nboard track 40\ndie two 2 of 1..3\n\
    piece runner for each player\nplace ann at 1, ben at 15\ncounter rounds\ncounter last for each player\nask begin NUMBER\n\
    ask run NUMBER\n";
const RULES: &str = r#"
fn setup() { ann.last = choose(ann, "begin", 1..=3); }
fn turn(me) { game.rounds += 1; then("run", me, sum(roll("two"))); if game.rounds % 3 == 0 { then("rest", me); } }
fn run(me, far) {
    me.last = choose(me, "run", [far, far + 1]);
    let from = number(cell(runner(me)));
    if from + me.last >= 40 { win(me); } else { place(runner(me), nth(from + me.last)); }
}
fn rest(me) { me.last = 0; }
fn sane() { if ann.last > 6 { return odd(); } game.rounds < 1000 }
fn odd() { ann.last != 7 || ben.last != 0 }
"#;

#[test]
fn games_that_are_stopped_and_functions_of_conditions_are_the_same() {
    let host = MemoryHost::default().with("games/dash/dash.game", DASH).with("games/dash/rules.rhai", RULES);
    let conditions = [
        "{ game.rounds <= 5 }",
        "{ game.rounds <= 6 }",
        "{ sane() }",
        "{ ann.last > 0 }",
        "{ ben.last > 0 || game.rounds < 3 }",
        "{ number(cell(runner(ann))) < 38 }",
    ];
    let mut broken = 0;
    for condition in conditions {
        for turns in [1, 5, 6, 300] {
            let options = || LoaderOptions { games: Some("games".into()), ..LoaderOptions::default() };
            let look = |by| looked_at_in(&host, options(), ("dash", turns), &[condition], by);
            let (by_machine, _) = look(None);
            broken += by_machine.0.iter().filter(|(finding, ..)| finding.is_some()).count();
            for engine in Engine::ALL {
                let (found, games) = look(Some(*engine));
                assert_eq!(found, by_machine, "{condition} {turns} {engine:?}");
                assert_eq!(games, 10, "{condition} {turns} {engine:?}");
            }
        }
    }
    assert!(broken > 40, "{broken}");
}
