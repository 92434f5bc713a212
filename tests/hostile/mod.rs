//! Malicious input must lead to an error in bounded time and memory, without loss of data.
//!
//! No test measures time: sizes are so large that quadratic work would not end.

mod books;
mod costs;
mod declared;
mod disk;
mod files;
mod growth;
mod kept;
mod looked_for;
mod properties;
mod scripts;

use std::path::Path;

use referee_report::Human;
use referee_scenario::{Loader, LoaderOptions, Suite};
use referee_source::MemoryHost;
use referee_trace::TestResult;

/// The game file of a game that rolls and chooses.
const GAME: &str = "\
game attack \"Attack\"
players 2 red blue
rules \"rules.rhai\"
board grid 4x4
die d 1..6
piece pawn for each player symbols r b
ask walk CELL \"Walk\"
ask pick NUMBER \"Pick\"
event counted NUMBER \"Counted\"
counter score for each player = 0
property notes NUMBER
property marks for each player NUMBERS
";

/// Rules that roll.
const RULES: &str = "fn turn(me) { roll(\"d\"); }";

/// A scenario that begins a turn.
const TURN: &str = "use attack\nscenario \"It\"\n  place red at a1\n  turn red\n";

/// A host with the game, these rules and this scenario.
fn host(rules: &str, scenario: &str) -> MemoryHost {
    MemoryHost::default()
        .with("games/attack/attack.game", GAME)
        .with("games/attack/rules.rhai", rules)
        .with("a.scenario", scenario)
}

/// Work on a stack like that of the workers of the command line.
fn on_worker<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    std::thread::scope(|scope| {
        std::thread::Builder::new().stack_size(64 << 20).spawn_scoped(scope, work).unwrap().join().unwrap()
    })
}

/// Returns the text report for the scenario file of a host.
fn told(host: &MemoryHost) -> String {
    on_worker(|| {
        let (suite, results) = judged(host, LoaderOptions::default());
        let mut human = Human::new(false, false);
        let text = human.file(&suite.file, &suite.problems, &results);
        format!("{text}{}", human.summary())
    })
}

fn judged(host: &MemoryHost, options: LoaderOptions) -> (Suite, Vec<TestResult>) {
    let mut loader = Loader::new(host, options);
    let suite = referee_scenario::plan(&mut loader, Path::new("a.scenario"));
    let results = (0..suite.tests.len()).map(|test| referee_scenario::judge(&mut loader, &suite, test)).collect();
    (suite, results)
}
