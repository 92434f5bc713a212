//! Searches positions of Squish on hexagons by the scripted rules, on one thread and on two; on three hexagons a side
//! also written by hand. Then with the symmetries of the game, under which several positions are one.
//!
//! Prints the numbers of positions, seconds, positions a second and bytes a position. Fails if the searches find
//! different numbers of positions after the same number of moves. Words as arguments select rows by their names.

#![expect(clippy::indexing_slicing, reason = "the search by hand is written as such programs are")]

mod tables;

use std::cell::RefCell;
use std::collections::HashSet;
use std::ops::ControlFlow;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;

use referee_diagnostic::Diagnostic;
use referee_game::Game;
use referee_play::{
    Alone, AnswerSource, Bounds, Crew, Follower, Machine, SharedAnswers, Space, Visitor, WalkPlan, WalkStep, walk,
};
use referee_rules::Reply;
use referee_table::{BoardSpec, PieceId, PlayerId, State, Symmetry, Table};
use referee_trace::Ask;

// The allocator of the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The rim: rows have letters from the bottom, cells have numbers from the left.
const RIM: [&str; 12] = ["a1", "a2", "a3", "b4", "c5", "d4", "e3", "e2", "e1", "d1", "c1", "b1"];

fn main() {
    let game = tables::game("hex-squish");
    // On the middle of each side, in turn.
    let three = [("a2", 0), ("b4", 1), ("d4", 0), ("e2", 1), ("d1", 0), ("b1", 1)];
    let six: Vec<(&str, usize)> = RIM.iter().enumerate().map(|(number, cell)| (*cell, number % 2)).collect();
    row("three a side, all positions", &game, on_three(&game, &three), Some(&three), 10_000_000);
    row("six a side around the rim, the first 300000", &game, on_three(&game, &six), Some(&six), 300_000);
    row("the published set-up of side 4, the first 100000", &game, tables::set_up(&game, None, 2), None, 100_000);
}

/// Searches from a position in all ways, and prints the results; nothing if words are given and the name has none of them.
fn row(name: &str, game: &Game, start: State, pieces: Option<&[(&str, usize)]>, most: usize) {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    if !words.is_empty() && !words.iter().any(|word| name.contains(word.as_str())) {
        return;
    }
    println!("{name}");
    let levels = pieces.map(|pieces| {
        let began = Instant::now();
        let (levels, found) = by_hand(pieces, most);
        let took = began.elapsed().as_secs_f64();
        println!("  by hand: {found} positions, {took:.3} s, {:.0} a second", found as f64 / took);
        levels
    });
    let mut first = None;
    for (threads, crew) in [("one thread", &Alone as &dyn Crew), ("two threads", &Two)] {
        for edges in [false, true] {
            let began = Instant::now();
            let space = by_rules(game, start.clone(), crew, (edges, most), &[]);
            let took = began.elapsed().as_secs_f64();
            let states = space.states() as f64;
            let what = if edges { "with what leads where" } else { "positions alone" };
            let rate = states / took;
            println!(
                "  {threads}, {what}: {states} positions, {took:.3} s, {rate:.0} a second, {:.1} bytes a position",
                space.bytes() as f64 / states
            );
            if edges {
                let cycle = space.shortest_cycle();
                println!("  … and the shortest cycle, {:.3} s: {cycle:?}", began.elapsed().as_secs_f64());
                let found = (space.bytes(), cycle);
                assert_eq!(first.get_or_insert_with(|| found.clone()), &found, "{threads}: another answer");
            }
            // The last level may be cut.
            let whole = space.levels().len() - usize::from(!space.is_whole());
            for (level, count) in levels.iter().flatten().zip(space.levels()).take(whole) {
                assert_eq!(level, count, "{threads}");
            }
        }
    }
    with_symmetries(game, &start, most);
}

/// Searches again with the symmetries of the game, up to as many positions of which no symmetry makes another.
fn with_symmetries(game: &Game, start: &State, most: usize) {
    let symmetries = Symmetry::all(&start.table);
    let mut first = None;
    for (threads, crew) in [("one thread", &Alone as &dyn Crew), ("two threads", &Two)] {
        let began = Instant::now();
        let space = by_rules(game, start.clone(), crew, (false, most), &symmetries);
        let took = began.elapsed().as_secs_f64();
        println!(
            "  {threads}, with {} symmetries: {} positions, {took:.3} s, {:.0} a second",
            symmetries.len(),
            space.states(),
            space.states() as f64 / took
        );
        let found = space.levels();
        assert_eq!(first.get_or_insert_with(|| found.to_vec()).as_slice(), found, "{threads}: another answer");
    }
}

/// One thread more.
struct Two;

impl Crew for Two {
    fn work(&self, help: &(dyn Fn() + Sync), lead: &mut dyn FnMut()) {
        std::thread::scope(|scope| {
            drop(std::thread::Builder::new().stack_size(64 << 20).spawn_scoped(scope, help));
            lead();
        });
    }
}

struct Nobody;

impl AnswerSource for Nobody {
    fn read(&mut self, _: &Ask, _: &State) -> Reply {
        Reply::Pause
    }
}

struct Silent;

impl Visitor for Silent {
    fn marked(&mut self, _: WalkStep, _: u32) -> ControlFlow<()> {
        ControlFlow::Break(())
    }

    fn fault(&mut self, _: WalkStep, wrong: Box<Diagnostic>) -> ControlFlow<()> {
        unreachable!("the rules go wrong: {}", wrong.message)
    }

    fn again(&mut self) {}
}

fn by_rules(
    game: &Game,
    start: State,
    crew: &dyn Crew,
    (edges, most): (bool, usize),
    symmetries: &[Symmetry],
) -> Space {
    let program = tables::program(game, &game.rules);
    let nobody: SharedAnswers = Rc::new(RefCell::new(Nobody));
    let mut machine = Machine::new(&program, start);
    machine.turn(PlayerId(0), &nobody);
    let rules = || Some(tables::program(game, &game.rules));
    let bounds = Bounds { states: most, bytes: 4_000_000_000 };
    let (turns, look, rules, by) = (None, None, &rules, Follower::default());
    let plan = WalkPlan { bounds, turns, longest: false, edges, symmetries, look, crew, rules, by };
    let Ok(space) = walk(&machine, &plan, &mut Silent) else { unreachable!("the rules keep no history") };
    space
}

/// Returns a position on three hexagons a side: cells with the players of their pieces.
fn on_three(game: &Game, pieces: &[(&str, usize)]) -> State {
    let schema = &game.schema;
    let Ok(board) = schema.build_board(BoardSpec::Hex(3)) else { unreachable!("there are hexagons of side 3") };
    let table = Table { board: Arc::new(board), ..(*tables::empty(game, 2).table).clone() };
    let mut state = State::new(Arc::new(table));
    for (cell, player) in pieces {
        let owner = Some(PlayerId::at(*player));
        let man = schema.pieces.iter().position(|piece| piece.owner == owner).map(PieceId::at);
        let placed = man.zip(state.board().cell(cell)).map(|(man, cell)| state.put(man, cell));
        assert!(matches!(placed, Some(Ok(()))));
    }
    state
}

/// The width of the padded grid of the search by hand.
const ROW: usize = 8;
/// The index differences of steps.
const STEPS: [i32; 6] = [-8, -7, -1, 1, 7, 8];

/// A position by hand: the cells of both sides, and a number. While the game goes on, the side to move comes first, and
/// the number is 0 or 1 for White or Black to move. When it is over, the side that has moved comes first, and the number
/// says who that is and whether that side has won.
type Position = ([u64; 2], u8);

/// Returns the number of positions after so many moves at least, and of all; it ends after the level in which there are
/// more than `most`.
fn by_hand(pieces: &[(&str, usize)], most: usize) -> (Vec<usize>, usize) {
    let place = |cell: &str| {
        let signs: Vec<usize> = cell.bytes().map(usize::from).collect();
        let row = signs[0] - usize::from(b'a');
        row * ROW + signs[1] - usize::from(b'1') + 2_usize.saturating_sub(row)
    };
    let is_cell = |at: usize| at % ROW < 5 && at / ROW < 5 && (2..=6).contains(&(at % ROW + at / ROW));
    let cells = (0..ROW * ROW).filter(|at| is_cell(*at)).fold(0_u64, |cells, at| cells | 1 << at);
    let mut sides = [0; 2];
    for (cell, player) in pieces {
        sides[*player] |= 1 << place(cell);
    }
    let mut known: HashSet<Position> = HashSet::from([(sides, 0)]);
    let mut level: Vec<Position> = known.iter().copied().collect();
    let mut levels = Vec::new();
    while !level.is_empty() && known.len() <= most {
        levels.push(level.len());
        let mut next = Vec::new();
        for position in level {
            follow(position, cells, |found| {
                if known.insert(found) {
                    next.push(found);
                }
            });
        }
        level = next;
    }
    (levels, known.len())
}

fn follow(([own, other], turn): Position, cells: u64, mut found: impl FnMut(Position)) {
    if turn > 1 {
        return;
    }
    for by in STEPS {
        let beside = moved(own, -by) & cells;
        let mut seen = beside;
        for _ in 0..4 {
            seen |= moved(seen, -by) & cells;
        }
        let mut movers = own & seen & !beside;
        while movers != 0 {
            let from = movers & movers.wrapping_neg();
            movers ^= from;
            let to = moved(from, by);
            let (own, other) = (own ^ from ^ to, other & !to);
            // The result also says who has made the last move.
            let over = connected(own) || connected(other) || !can_move(other, cells);
            let won_by_mover = connected(own) || !connected(other);
            found(match (over, won_by_mover) {
                (false, _) => ([other, own], 1 - turn),
                (true, true) => ([own, other], 2 + turn),
                (true, false) => ([own, other], 4 + turn),
            });
        }
    }
}

const fn moved(set: u64, by: i32) -> u64 {
    if by > 0 { set << by } else { set >> -by }
}

fn can_move(own: u64, cells: u64) -> bool {
    STEPS.iter().any(|by| {
        let beside = moved(own, -by) & cells;
        let mut seen = beside;
        for _ in 0..4 {
            seen |= moved(seen, -by) & cells;
        }
        own & seen & !beside != 0
    })
}

fn connected(set: u64) -> bool {
    let mut reached = set & set.wrapping_neg();
    loop {
        let next = STEPS.iter().fold(reached, |all, by| all | moved(reached, *by)) & set;
        if next == reached {
            return set != 0 && reached == set;
        }
        reached = next;
    }
}
