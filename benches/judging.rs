//! Measures how fast scenarios are planned and judged, and the cost of a roll and of loading a game, on one core.

mod support;

use std::cell::RefCell;
use std::hint::black_box;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use divan::Bencher;
use divan::counter::ItemsCount;
use referee_diagnostic::{Code, Diagnostic};
use referee_game::{Game, SearchPath};
use referee_play::{AnswerSource, Machine, SharedAnswers, Stop};
use referee_rules::{Program, Reply};
use referee_scenario::{Loader, Suite};
use referee_source::MemoryHost;
use referee_table::{Phase, State, Table, Value};
use referee_trace::{Ask, Status};

const FILE: &str = "/many.scenario";

fn main() {
    divan::main();
}

/// A file of 1,000 rolls.
#[divan::bench_group(sample_count = 10, sample_size = 1)]
mod many_rolls {
    use super::*;

    #[divan::bench]
    fn parse_and_plan(bencher: Bencher<'_, '_>) {
        let host = host();
        let mut loader = support::loader(&host);
        let file = bencher.counter(ItemsCount::new(support::MANY));
        file.bench_local(|| referee_scenario::plan(&mut loader, black_box(Path::new(FILE))));
    }

    #[divan::bench]
    fn judge(bencher: Bencher<'_, '_>) {
        let host = host();
        let (mut loader, suite) = planned(&host);
        bencher.counter(ItemsCount::new(support::MANY)).bench_local(|| {
            let passed = (0..suite.tests.len())
                .filter(|at| referee_scenario::judge(&mut loader, &suite, *at).status == Status::Passed);
            assert_eq!(passed.count(), support::MANY);
        });
    }
}

#[divan::bench]
fn judge_one_scenario(bencher: Bencher<'_, '_>) {
    let host = host();
    let (mut loader, suite) = planned(&host);
    bencher.bench_local(|| referee_scenario::judge(&mut loader, &suite, black_box(1)));
}

/// Returns a host with the file.
fn host() -> MemoryHost {
    MemoryHost::default().with(FILE, support::many_rolls())
}

/// Returns a loader for a host, and the file as it was planned.
fn planned(host: &MemoryHost) -> (Loader<'_>, Suite) {
    let mut loader = support::loader(host);
    let suite = referee_scenario::plan(&mut loader, Path::new(FILE));
    assert!(suite.problems.is_empty() && suite.tests.len() == support::MANY, "{:?}", suite.problems.first());
    (loader, suite)
}

/// The built-in game.
fn squish() -> Result<Game, Vec<Diagnostic>> {
    let host = MemoryHost::default();
    let asked = Diagnostic::general(Code::UnknownGame, "no such game");
    Game::find(&SearchPath::new(&host, None, "/".into()), Path::new(FILE), "squish-board", &asked)
}

fn program(game: &Game) -> Result<Program, Vec<Diagnostic>> {
    Program::load(&game.schema, &[Arc::clone(&game.rules)])
}

/// A source without answers.
struct Nobody;

impl AnswerSource for Nobody {
    fn read(&mut self, _: &Ask, _: &State) -> Reply {
        Reply::Pause
    }
}

/// Returns the variant's set-up.
fn set_up(game: &Game, variant: &str) -> State {
    let schema = &game.schema;
    let size = |piece: &referee_table::PieceDef| schema.kinds.get(piece.kind.index()).map_or((1, 1), |kind| kind.size);
    let Ok(board) = schema.build_board(&schema.board) else { unreachable!("the game was checked") };
    let mut state = State::new(Arc::new(Table {
        schema: Arc::clone(schema),
        board: Arc::new(board),
        sizes: schema.pieces.iter().map(size).collect(),
        players: Vec::new(),
        options: schema.options.iter().map(|option| option.choice.default()).collect(),
        variant: 0,
        arrows: Vec::new(),
        turns: referee_table::TurnRules::default(),
        places: referee_table::Places::default(),
    }));
    let variant = schema.variants.iter().filter(|known| known.name == variant);
    for placement in variant.flat_map(|variant| &variant.places) {
        let placed = state.board().cell(&placement.cell).map(|cell| state.put(placement.piece, cell));
        assert!(matches!(placed, Some(Ok(()))));
    }
    state
}

/// One roll: six steps and a bounce; ten steps, two bounces and a hit.
#[divan::bench(args = ["simple", "advanced"])]
fn one_roll(bencher: Bencher<'_, '_>, variant: &str) {
    let (Ok(game), nobody): (_, SharedAnswers) = (squish(), Rc::new(RefCell::new(Nobody))) else {
        unreachable!("the built-in game can be loaded")
    };
    let Ok(program) = program(&game) else { unreachable!("its rules can be compiled") };
    let (block, direction) = if variant == "simple" { ("large", 2) } else { ("block 1", 3) };
    let state = set_up(&game, variant);
    let Some(block) = game.schema.piece(block) else { unreachable!("the game has this block") };
    let args = vec![Value::Piece(block), Value::Int(direction), Value::Int(6)];
    let phase = Phase { name: "roll_block".into(), args };
    bencher.bench_local(|| {
        let mut machine = Machine::new(&program, black_box(&state).clone());
        machine.call(phase.clone(), None, &nobody);
        assert!(matches!(machine.stop(), Stop::Returned));
        machine.events().count()
    });
}

#[divan::bench]
fn load_a_game(bencher: Bencher<'_, '_>) {
    bencher.bench_local(|| squish().map(|game| program(&game).is_ok()));
}
