//! Times that users wait for: a roll, loading a game, starting the program, changing the rules of a game.

use std::cell::RefCell;
use std::path::Path;
use std::process::{Command, Stdio};
use std::rc::Rc;
use std::time::Instant;

use referee_play::{AnswerSource, Machine, SharedAnswers, Stop};
use referee_rules::Reply;
use referee_table::{Phase, State, Value};
use referee_trace::Ask;

use crate::contest::{one_by_one, rates};
use crate::report::{Goal, Report};
use crate::{support, tables};

/// The number of times to start the program.
const STARTS: usize = 40;

const ROLL: &str = "Squish!, a roll of the advanced game";
const LOADING: &str = "loading a game: Squish!";
const START: &str = "cold start: `referee test`, one scenario";
const MUTATE: &str = "`referee mutate`, Squish! and its examples";

/// What the game of [`MUTATE`] has at least.
const SCENARIOS: usize = 100;
const CHANGES: u64 = 300;

pub(crate) fn rows(report: &mut Report) -> std::io::Result<()> {
    if report.wants(ROLL) {
        report.time(ROLL, roll(), Goal::AtMost(0.02e-3));
    }
    if report.wants(LOADING) {
        let [rate] = rates([one_by_one(|_| {
            let game = tables::game("squish-board");
            tables::program(&game, &game.rules)
        })]);
        report.time(LOADING, 1.0 / rate, Goal::AtMost(3e-3));
    }
    if report.wants(START) {
        report.time(START, start()?, Goal::AtMost(12e-3));
    }
    if report.wants(MUTATE) {
        report.time(MUTATE, mutate()?, Goal::AtMost(20.0));
    }
    Ok(())
}

/// A source without answers.
struct Nobody;

impl AnswerSource for Nobody {
    fn read(&mut self, _: &Ask, _: &State) -> Reply {
        Reply::Pause
    }
}

/// Rolls ten steps with two bounces and a hit, and records the events.
fn roll() -> f64 {
    let game = tables::game("squish-board");
    let program = tables::program(&game, &game.rules);
    let state = tables::set_up(&game, Some("advanced"), 0);
    let Some(block) = game.schema.piece("block 1") else { unreachable!("the game has this block") };
    let phase = Phase { name: "roll_block".into(), args: vec![Value::Piece(block), Value::Int(3), Value::Int(6)] };
    let nobody: SharedAnswers = Rc::new(RefCell::new(Nobody));
    let [rate] = rates([one_by_one(|_| {
        let mut machine = Machine::new(&program, state.clone());
        machine.call(phase.clone(), None, &nobody);
        assert!(matches!(machine.stop(), Stop::Returned));
        machine.events().count()
    })]);
    1.0 / rate
}

/// Returns the wall time of a whole run of the program, the shortest of many.
fn start() -> std::io::Result<f64> {
    let folder = tempfile::tempdir()?;
    let many = support::many_rolls();
    let one = many.split("use squish-board").nth(2).map(|first| format!("use squish-board{first}"));
    std::fs::write(folder.path().join("bench.scenario"), one.unwrap_or_default())?;
    let mut shortest = f64::INFINITY;
    for _ in 0..STARTS {
        let mut program = Command::new(env!("CARGO_BIN_EXE_referee"));
        program.args(["test", "--jobs", "1", "bench.scenario"]).current_dir(folder.path()).stdin(Stdio::null());
        let began = Instant::now();
        let output = program.output()?;
        shortest = shortest.min(began.elapsed().as_secs_f64());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    }
    Ok(shortest)
}

/// Returns the wall time of `referee mutate` on all cores. Its examples must notice every change.
fn mutate() -> std::io::Result<f64> {
    let root = env!("CARGO_MANIFEST_DIR");
    let mut scenarios = 0;
    for file in std::fs::read_dir(Path::new(root).join("scenarios/squish-board"))? {
        let text = std::fs::read_to_string(file?.path())?;
        scenarios += text.lines().filter(|line| line.starts_with("scenario ")).count();
    }
    assert!(scenarios >= SCENARIOS, "{scenarios} scenarios");
    let mut program = Command::new(env!("CARGO_BIN_EXE_referee"));
    program.args(["mutate", "squish-board", "--format", "json"]).current_dir(root).stdin(Stdio::null());
    let began = Instant::now();
    let output = program.output()?;
    let took = began.elapsed().as_secs_f64();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    let json: serde_json::Value = serde_json::from_slice(&output.stdout)?;
    let changes = json.pointer("/summary/changes").and_then(serde_json::Value::as_u64);
    assert!(changes >= Some(CHANGES), "{changes:?} changes");
    println!("{scenarios} scenarios, {} changes:", changes.unwrap_or_default());
    Ok(took)
}
