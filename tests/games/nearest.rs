//! `nearest` against a search of its own, cell by cell, on boards of every shape.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use referee_diagnostic::{Code, Diagnostic};
use referee_game::{Game, SearchPath};
use referee_rules::{Answers, End, Keep, Program, Reply};
use referee_source::MemoryHost;
use referee_table::{Board, Cell, Owner, Phase, PlayerId, State, Value};
use referee_trace::Ask;

use super::playing::{Playable, Random};

const RULES: &str = "fn turn(me) { win(me); }\n\
                     fn look(from, list) { let cells = no_cells(); for cell in list { cells |= one(cell); } \
                     red.found = set_of(in_order(nearest(from, cells))); }\n\
                     fn look_around(from, list) { let cells = no_cells(); for cell in list { cells |= one(cell); } \
                     red.found = set_of(in_order(nearest(from, cells - one(from)))); }\n";

type Steps = &'static [(i32, i32)];

const FOUR: Steps = &[(0, 1), (1, 0), (0, -1), (-1, 0)];
const EIGHT: Steps = &[(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];
const SIX: Steps = &[(0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1)];
const BOTH: Steps = &[(1, 0), (-1, 0)];

/// Lines of a game that declare a board, and the steps from cell to cell by their coordinates.
const BOARDS: [(&str, Steps); 7] = [
    ("board grid 7x5", EIGHT),
    ("board grid 7x5\ndirections 4 clockwise from north", FOUR),
    ("board grid 3x4 margin 1", EIGHT),
    ("board grid 40x33", EIGHT),
    ("board hex 4", SIX),
    ("board hex 11", SIX),
    ("board track 20", BOTH),
];

struct Silent;

impl Answers for Silent {
    fn answer(&mut self, _: &Ask, _: &State) -> Reply {
        Reply::Pause
    }
}

fn load(board: &str) -> (Playable, State) {
    let game = format!(
        "game near \"Near\"\nplayers 2 red blue\nrules \"rules.rhai\"\n{board}\nproperty found for each player CELLS\n"
    );
    let host = MemoryHost::default().with("games/near/near.game", game).with("games/near/rules.rhai", RULES);
    let asked = Diagnostic::general(Code::UnknownGame, "no such game");
    let game = Game::find(&SearchPath::new(&host, None, "".into()), Path::new("a.scenario"), "near", &asked).unwrap();
    let playable = Playable { program: Program::load(&game.schema, &[Arc::clone(&game.rules)]).unwrap() };
    let variant = playable.program.schema().variants.first().cloned().unwrap_or_default();
    let state = playable.start(&variant, 2, Vec::new());
    (playable, state)
}

/// The cells that the rules find.
fn found((playable, start): &(Playable, State), function: &str, from: Cell, cells: &BTreeSet<Cell>) -> BTreeSet<Cell> {
    let list = Value::List(cells.iter().copied().map(Value::Cell).collect());
    let phase = Phase { name: function.into(), args: vec![Value::Cell(from), list] };
    playable.program.begin(0);
    let run = playable.program.run(start.clone(), &phase, Box::new(Silent), Keep::default());
    assert!(!matches!(run.end, End::Fault(_)), "{:?}", run.end);
    let property = playable.program.schema().property("found").unwrap();
    match run.state.value(property, Owner::Player(PlayerId(0))) {
        Some(Value::Set(cells)) => {
            cells.iter().filter_map(|cell| if let Value::Cell(cell) = cell { Some(*cell) } else { None }).collect()
        }
        _ => BTreeSet::new(),
    }
}

/// The number of steps from a cell to each one.
fn distances(board: &Board, steps: Steps, from: Cell) -> BTreeMap<Cell, usize> {
    let by_spot: BTreeMap<(i32, i32), Cell> = board.cells().map(|cell| (board.spot(cell), cell)).collect();
    let mut known = BTreeMap::from([(from, 0)]);
    let mut waiting = vec![from];
    let mut next = 0;
    while let Some(cell) = waiting.get(next).copied() {
        next += 1;
        let (x, y) = board.spot(cell);
        for (dx, dy) in steps {
            if let Some(beside) = by_spot.get(&(x + dx, y + dy)).copied()
                && !known.contains_key(&beside)
            {
                known.insert(beside, known[&cell] + 1);
                waiting.push(beside);
            }
        }
    }
    known
}

fn expected(far: &BTreeMap<Cell, usize>, cells: &BTreeSet<Cell>) -> BTreeSet<Cell> {
    let least = cells.iter().filter_map(|cell| far.get(cell)).min();
    cells.iter().copied().filter(|cell| least.is_some() && far.get(cell) == least).collect()
}

#[test]
fn the_nearest_cells_are_those_of_a_search_step_by_step() {
    let mut random = Random(43);
    for (declared, steps) in BOARDS {
        let game = load(declared);
        let board = Arc::clone(&game.1.table.board);
        let all: Vec<Cell> = board.cells().collect();
        let (mut several, mut tried) = (0, 0);
        for number in 0..60 {
            let from = all[random.below(all.len())];
            let far = distances(&board, steps, from);
            let count = [0, 1, 2, 3, 8, all.len() / 2, all.len()][number % 7].min(all.len());
            let mut cells: BTreeSet<Cell> = (0..count).map(|_| all[random.below(all.len())]).collect();
            if count == all.len() {
                cells = all.iter().copied().collect();
            }
            let case = format!("{declared}, from {}, {count} cells", board.name(from));
            let near = found(&game, "look", from, &cells);
            assert_eq!(near, expected(&far, &cells), "{case}");
            cells.remove(&from);
            let near = found(&game, "look_around", from, &cells);
            assert_eq!(near, expected(&far, &cells), "{case}, without itself");
            several += usize::from(near.len() > 1);
            tried += usize::from(!near.is_empty());
        }
        assert!(several > 5 && tried > 30, "{declared}: {several} of {tried} had several");
    }
}
