//! Measures how fast scenarios are planned and judged, and the cost of a roll and of loading a game, on one core.

mod support;

use std::cell::RefCell;
use std::hint::black_box;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use referee_diagnostic::{Code, Diagnostic};
use referee_game::{Game, SearchPath};
use referee_play::{AnswerSource, Machine, SharedAnswers, Stop};
use referee_rules::{Program, Reply};
use referee_source::MemoryHost;
use referee_table::{Phase, State, Table, Value};
use referee_trace::{Ask, Status};

const FILE: &str = "/many.scenario";

fn file(criterion: &mut Criterion) {
    let host = MemoryHost::default().with(FILE, support::many_rolls());
    let mut loader = support::loader(&host);
    let suite = referee_scenario::plan(&mut loader, Path::new(FILE));
    assert!(suite.problems.is_empty() && suite.tests.len() == support::MANY, "{:?}", suite.problems.first());
    let mut group = criterion.benchmark_group("a file of 1,000 rolls");
    group.sample_size(10);
    group.throughput(Throughput::Elements(support::MANY as u64));
    group.bench_function("parse and plan", |bencher| {
        bencher.iter(|| referee_scenario::plan(&mut loader, black_box(Path::new(FILE))))
    });
    group.bench_function("judge", |bencher| {
        bencher.iter(|| {
            let passed = (0..suite.tests.len())
                .filter(|at| referee_scenario::judge(&mut loader, &suite, *at).status == Status::Passed);
            assert_eq!(passed.count(), support::MANY);
        });
    });
    group.finish();
    criterion.bench_function("judge one scenario", |bencher| {
        bencher.iter(|| referee_scenario::judge(&mut loader, &suite, black_box(1)))
    });
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
    let Ok(board) = schema.build_board(schema.board) else { unreachable!("the game was checked") };
    let mut state = State::new(Arc::new(Table {
        schema: Arc::clone(schema),
        board: Arc::new(board),
        sizes: schema.pieces.iter().map(size).collect(),
        players: Vec::new(),
        options: schema.options.iter().map(|option| option.choice.default()).collect(),
        variant: 0,
        arrows: Vec::new(),
        places: referee_table::Places::default(),
    }));
    let variant = schema.variants.iter().filter(|known| known.name == variant);
    for placement in variant.flat_map(|variant| &variant.places) {
        let placed = state.board().cell(&placement.cell).map(|cell| state.put(placement.piece, cell));
        assert!(matches!(placed, Some(Ok(()))));
    }
    state
}

fn engine(criterion: &mut Criterion) {
    let (Ok(game), nobody): (_, SharedAnswers) = (squish(), Rc::new(RefCell::new(Nobody))) else {
        unreachable!("the built-in game can be loaded")
    };
    let Ok(program) = program(&game) else { unreachable!("its rules can be compiled") };
    let mut group = criterion.benchmark_group("one roll");
    // Six steps and a bounce; ten steps, two bounces and a hit.
    for (variant, block, direction, points) in [("simple", "large", 2, 6), ("advanced", "block 1", 3, 6)] {
        let state = set_up(&game, variant);
        let Some(block) = game.schema.piece(block) else { unreachable!("the game has this block") };
        let args = vec![Value::Piece(block), Value::Int(direction), Value::Int(points)];
        let phase = Phase { name: "roll_block".into(), args };
        group.bench_function(variant, |bencher| {
            bencher.iter(|| {
                let mut machine = Machine::new(&program, black_box(&state).clone());
                machine.call(phase.clone(), None, &nobody);
                assert!(matches!(machine.stop(), Stop::Returned));
                machine.events().count()
            });
        });
    }
    group.finish();
}

fn loading(criterion: &mut Criterion) {
    criterion.bench_function("load a game", |bencher| bencher.iter(|| squish().map(|game| program(&game).is_ok())));
}

criterion_group!(benches, file, engine, loading);
criterion_main!(benches);
