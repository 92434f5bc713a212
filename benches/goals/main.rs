//! Performance goals, in one run and one table: games as newcomers write them against the same games in plain Python,
//! games of moves against plain Rust, and some times that users wait for.
//!
//! Measures processor time on one thread. Baselines must play exactly the same games, which is checked first. All rows
//! are printed; the run fails at its end if a goal was missed.
//!
//! `cargo bench --bench goals -- pig draughts` runs the rows with these words; `alone` skips baselines, for profiling. With
//! `--features jit`, rules run as machine code. `gate` measures the rows with recorded ratios, and fails where one is lost.

mod chess;
mod contest;
mod gate;
mod odds;
mod ours;
mod report;
#[path = "../support/mod.rs"]
mod support;
#[path = "../tables/mod.rs"]
mod tables;
mod times;
#[expect(clippy::indexing_slicing, reason = "yardsticks are written as such programs are")]
#[path = "../yardsticks/mod.rs"]
mod yardsticks;

use std::path::Path;
use std::process::ExitCode;

use contest::{Contestant, contestant, one_by_one, rates};
use ours::{Ours, chance};
use report::{Goal, Report};
use yardsticks::bitboards::Bitboards;
use yardsticks::breakthrough::Breakthrough;
use yardsticks::draughts::Draughts;
use yardsticks::hexagons::Hexagons;
use yardsticks::python::Python;
use yardsticks::{MOST, Played, Tape, Yardstick, pig, playout, ur};

/// The number of games to compare with those of the baselines.
const COMPARED: u64 = 200;
/// The maximum number of turns of a game with dice; no game reaches it.
const ENDLESS: u64 = 1_000_000;

/// The same allocator as in the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::io::Result<ExitCode> {
    if odds::is_child() {
        return Ok(ExitCode::SUCCESS);
    }
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    if words.iter().any(|word| word == "gate") {
        return gate::gate(run);
    }
    let mut report = Report::new(words);
    run(&mut report)?;
    Ok(report.end())
}

/// Measures all rows that are wanted.
fn run(report: &mut Report) -> std::io::Result<()> {
    with_dice(report);
    draughts(report);
    with_moves(report);
    chess::rows(report);
    at_random(report);
    odds::rows(report);
    times::rows(report)
}

/// A game with dice: the style of its rules, and its two baselines.
struct WithDice {
    what: &'static str,
    game: &'static str,
    options: &'static [(&'static str, &'static str)],
    /// How many times as fast as plain Python it should be.
    goal: f64,
    python: &'static str,
    rust: fn(u64) -> Played,
    replay: fn(&mut Tape) -> Played,
}

const WITH_DICE: [WithDice; 4] = [
    WithDice {
        what: "Pig, the bundled rules",
        game: "pig",
        options: &[("winning", "by_holding")],
        goal: 12.0,
        python: "pig",
        rust: |number| pig::play(&mut chance(number)),
        replay: |tape| pig::play(tape),
    },
    WithDice {
        what: "Pig, a turn as one loop",
        game: "newcomers-pig",
        options: &[],
        goal: 12.0,
        python: "pig",
        rust: |number| pig::play(&mut chance(number)),
        replay: |tape| pig::play(tape),
    },
    WithDice {
        what: "Royal Game of Ur, the bundled rules",
        game: "royal-game-of-ur",
        options: &[],
        goal: 18.0,
        python: "ur",
        rust: |number| ur::play(&mut chance(number)),
        replay: |tape| ur::play(tape),
    },
    WithDice {
        what: "Royal Game of Ur, counted by hand",
        game: "newcomers-ur",
        options: &[],
        goal: 18.0,
        python: "ur",
        rust: |number| ur::play(&mut chance(number)),
        replay: |tape| ur::play(tape),
    },
];

/// Measures games with dice, as newcomers write them, against plain Python.
fn with_dice(report: &mut Report) {
    let rows: Vec<&WithDice> = WITH_DICE.iter().filter(|row| report.wants(row.what)).collect();
    let mut python = if rows.is_empty() { None } else { Python::start() };
    for row in rows {
        let ours = Ours::new((row.game, None), 2, row.options, ENDLESS);
        let play = one_by_one(|number| ours.play(number));
        if report.alone {
            let [rate] = rates([play]);
            report.rate(row.what, (rate, " games"), Goal::None);
            continue;
        }
        for number in 0..COMPARED {
            same(row, &ours, python.as_mut(), number);
        }
        let rust = one_by_one(row.rust);
        let against_rust = match python.as_mut() {
            Some(python) => {
                let name = format!("Python {}", python.version);
                let plain: Contestant<'_> = Box::new(|round| python.rate(row.python, contest::SLICE, round));
                let [rate, plain, rust] = rates([play, plain, rust]);
                report.ratio(row.what, (rate, " games"), (&name, plain), Goal::AtLeast(row.goal));
                [rate, rust]
            }
            None => {
                report.skipped(row.what, "not compared with Python: there is no `python3`");
                rates([play, rust])
            }
        };
        let [rate, rust] = against_rust;
        report.ratio(row.what, (rate, " games"), ("plain Rust", rust), Goal::None);
    }
}

/// Checks that all contestants draw the same numbers in a game, and that it ends in the same way.
fn same(row: &WithDice, ours: &Ours, python: Option<&mut Python>, number: u64) {
    let silent = ours.play(number);
    let mut tape = ours.tape(number);
    let told = (row.replay)(&mut tape);
    assert!(tape.is_over(), "{}: game {number} goes on in plain Rust", row.what);
    assert_eq!(silent, told, "{}: game {number}", row.what);
    assert_eq!((row.rust)(number), told, "{}: game {number} from the same chance", row.what);
    if let Some(python) = python {
        let (turns, winner) = python.replay(row.python, &tape);
        assert_eq!((turns, Some(winner)), (told.moves, told.winner), "{}: game {number} in Python", row.what);
    }
}

const DRAUGHTS: &str = "use draughts\n\nscenario \"Draughts\"\n  turn black\n";
/// The counts that programmers of draughts compare, from one move on.
const SEQUENCES: [u64; 7] = [7, 49, 302, 1469, 7361, 36_768, 179_740];

/// Measures English draughts: counts sequences of six moves, with a whole turn as one move.
fn draughts(report: &mut Report) {
    const WHAT: &str = "English draughts, perft 6";
    if !report.wants(WHAT) {
        return;
    }
    let host = ours::host("/draughts.scenario", DRAUGHTS);
    let mut loader = ours::loader(&host);
    let suite = referee_scenario::plan(&mut loader, Path::new("/draughts.scenario"));
    let mut count = |depth| match referee_scenario::perft(&mut loader, &suite, 0, depth) {
        Ok(counted) => counted.counts.iter().map(|(_, count)| count).sum::<u64>(),
        Err(wrong) => unreachable!("{wrong:?}"),
    };
    let (plain, start) = (Draughts::new(), Draughts::start());
    for (depth, known) in (1..).zip(SEQUENCES) {
        assert_eq!(plain.perft(&start, depth), known, "plain Rust, {depth} moves");
        assert!(depth > 4 || count(depth) == known, "the rules, {depth} moves");
    }
    let ours = contestant(|_| {
        let counted = count(6);
        assert_eq!(counted, SEQUENCES[5]);
        counted
    });
    if report.alone {
        let [rate] = rates([ours]);
        return report.rate(WHAT, (rate, ""), Goal::AtLeast(1e6));
    }
    let [rate, rust] = rates([ours, contestant(|_| plain.perft(&start, 6))]);
    report.ratio(WHAT, (rate, ""), ("plain Rust", rust), Goal::AtLeast(1.0));
    report.rate("English draughts, sequences", (rate, ""), Goal::AtLeast(1e6));
}

/// Measures games of moves against plain Rust.
fn with_moves(report: &mut Report) {
    const HEXAGONS: &str = "Squish on hexagons, side 4";
    if report.wants(HEXAGONS) {
        let ours = Ours::rim(MOST as u64);
        against(report, HEXAGONS, &ours, ("plain Rust", &mut Hexagons::new()), Goal::AtLeast(6.0));
        if !report.alone {
            against(report, HEXAGONS, &ours, ("bitboards in Rust", &mut Bitboards::new()), Goal::None);
        }
    }
    const BREAKTHROUGH: &str = "Breakthrough";
    if report.wants(BREAKTHROUGH) {
        let ours = Ours::new(("breakthrough", None), 2, &[], MOST as u64);
        against(report, BREAKTHROUGH, &ours, ("plain Rust", &mut Breakthrough::new()), Goal::AtLeast(5.0));
    }
}

/// Checks that the rules and a baseline play the same games, move by move.
fn against(report: &mut Report, what: &str, ours: &Ours, (name, other): (&str, &mut impl Yardstick), goal: Goal) {
    for number in 0..COMPARED {
        let told = playout(other, chance(number));
        assert_eq!(ours.moves(number), told, "{what}: game {number}, {name}");
        assert_eq!(ours.play(number), Played { hash: 0, ..told }, "{what}: game {number}, nothing kept");
    }
    let play = one_by_one(|number| ours.play(number));
    if report.alone {
        let [rate] = rates([play]);
        return report.rate(what, (rate, " games"), Goal::None);
    }
    let theirs = one_by_one(|number| playout(other, chance(number)));
    let [rate, theirs] = rates([play, theirs]);
    report.ratio(what, (rate, " games"), (name, theirs), goal);
}

/// Games without a baseline, from their set-ups: name, game, variant, players, maximum number of turns, and goal.
type AtRandom = (&'static str, (&'static str, Option<&'static str>), usize, u64, Goal);

const AT_RANDOM: [AtRandom; 12] = [
    ("Squish!, the advanced game", ("squish-board", Some("advanced")), 2, 1000, Goal::AtLeast(400.0)),
    ("Squish Blocks 3x3, three players", ("squish-blocks", Some("square-3")), 3, 1000, Goal::AtLeast(100_000.0)),
    ("Squirmish, two players", ("squirmish", None), 2, 1000, Goal::AtLeast(4000.0)),
    ("Squish on hexagons, the published set-up", ("hex-squish", None), 2, 500, Goal::None),
    ("Lines of Action", ("lines-of-action", None), 2, 500, Goal::AtLeast(10_000.0)),
    ("Othello", ("othello", None), 2, 500, Goal::AtLeast(40_000.0)),
    ("Connect Four", ("connect-four", None), 2, 500, Goal::AtLeast(500_000.0)),
    ("Hex 11x11", ("hex", None), 2, 500, Goal::AtLeast(50_000.0)),
    ("Gomoku 15x15", ("gomoku", None), 2, 500, Goal::AtLeast(50_000.0)),
    ("A trick-taking game with bids", ("oh-hell", None), 3, 500, Goal::None),
    ("An economy with a market", ("market", None), 2, 500, Goal::None),
    ("A blind auction", ("blind-auction", None), 3, 500, Goal::None),
];

fn at_random(report: &mut Report) {
    for (what, game, players, most, goal) in AT_RANDOM {
        if report.wants(what) {
            let ours = Ours::new(game, players, &[], most);
            let [rate] = rates([one_by_one(|number| ours.play(number))]);
            report.rate(what, (rate, " games"), goal);
        }
    }
}
