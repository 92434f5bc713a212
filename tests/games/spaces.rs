//! State spaces against searches by hand: how many positions there are after so many answers, and which play comes back
//! to.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ops::ControlFlow;

use referee_diagnostic::Diagnostic;
use referee_play::{
    Alone, Bounds, Crew, Follower, Limit, Machine, Space, Stop, Visitor, WalkPlan, WalkStep, replay, walk,
};
use referee_rules::{Engine, Program};
use referee_table::{PlayerId, State, Symmetry};

use super::compiled::{GAME, loaded};
use super::hex_oracle::{End, Hex, Position, Reading};
use super::hex_play::Hexagons;
use super::playing::{Playable, Random, answer, asked, silent};
use super::playouts::{first_turn, set_up};

const PLENTY: Bounds = Bounds { states: 1_000_000, bytes: 1_000_000_000 };

/// Hears nothing but errors, which fail the test.
struct Silent;

impl Visitor for Silent {
    fn marked(&mut self, _: WalkStep, _: u32) -> ControlFlow<()> {
        ControlFlow::Break(())
    }

    fn fault(&mut self, _: WalkStep, wrong: Box<Diagnostic>) -> ControlFlow<()> {
        assert_eq!(wrong.message, "");
        ControlFlow::Break(())
    }

    fn again(&mut self) {}
}

/// So many threads more than the one that leads.
pub(super) struct Threads(pub(super) usize);

impl Crew for Threads {
    fn work(&self, help: &(dyn Fn() + Sync), lead: &mut dyn FnMut()) {
        std::thread::scope(|scope| {
            for _ in 0..self.0 {
                std::thread::Builder::new().stack_size(64 << 20).spawn_scoped(scope, help).unwrap();
            }
            lead();
        });
    }
}

fn all(machine: &Machine<'_>, bounds: Bounds, turns: Option<u32>, crew: &dyn Crew, rules: Rules<'_>) -> Space {
    let edges = turns.is_none();
    let plan = WalkPlan { bounds, turns, edges, crew, rules, ..followed_by(Follower::Machine) };
    let found = walk(machine, &plan, &mut Silent).unwrap();
    for engine in Engine::ALL {
        let other = walk(machine, &WalkPlan { by: Follower::Compiled(*engine), ..plan }, &mut Silent).unwrap();
        compare(&found, &other);
    }
    found
}

/// Returns the plan of a walk over all states that looks for nothing.
pub(super) const fn followed_by<'w>(by: Follower) -> WalkPlan<'w> {
    let (bounds, turns, look) = (PLENTY, None, None);
    WalkPlan { bounds, turns, longest: false, edges: true, symmetries: &[], look, crew: &Alone, rules: &|| None, by }
}

/// Two walks have found the same states in the same order, and the same edges between them.
pub(super) fn compare(one: &Space, other: &Space) {
    assert_eq!((one.states(), one.bytes(), one.limit()), (other.states(), other.bytes(), other.limit()));
    assert_eq!((one.levels(), one.is_whole()), (other.levels(), other.is_whole()));
    let listed = u32::try_from(one.levels().iter().sum::<usize>()).unwrap();
    for id in 0..listed {
        assert_eq!((one.edges(id), one.path(id)), (other.edges(id), other.path(id)), "state {id}");
    }
}

/// Returns all states up to these symmetries.
pub(super) fn up_to(machine: &Machine<'_>, symmetries: &[Symmetry], crew: &dyn Crew, rules: Rules<'_>) -> Space {
    let plan = WalkPlan { symmetries, crew, rules, ..followed_by(Follower::default()) };
    walk(machine, &plan, &mut Silent).unwrap()
}

pub(super) type Rules<'r> = &'r (dyn Fn() -> Option<Program> + Sync);

/// A position of the other reading: whose turn it is, or how and by whose move the game has ended.
pub(super) type Node = (Position, usize, Option<End>);

/// What the other reading finds: the number of positions after so many moves at least, and what leads where.
pub(super) struct Oracle {
    levels: Vec<usize>,
    pub(super) nodes: Vec<Node>,
    edges: Vec<Vec<usize>>,
}

impl Oracle {
    pub(super) fn of(start: &Position, reading: &Reading) -> Self {
        let first: Node = (start.clone(), 0, None);
        let mut ids: BTreeMap<Node, usize> = BTreeMap::from([(first.clone(), 0)]);
        let mut found = Self { levels: vec![1], nodes: vec![first], edges: Vec::new() };
        let mut depth = vec![0];
        while let Some((position, player, end)) = found.nodes.get(found.edges.len()).cloned() {
            let mut to = Vec::new();
            let from = depth[found.edges.len()];
            let moves = if end.is_none() { position.moves(player, reading) } else { BTreeSet::new() };
            for made in moves {
                let mut next = position.clone();
                let end = next.make(made, player, reading);
                let node = (next, if end.is_some() { player } else { 1 - player }, end);
                let fresh = found.nodes.len();
                let id = *ids.entry(node.clone()).or_insert(fresh);
                if id == fresh {
                    found.nodes.push(node);
                    depth.push(from + 1);
                    found.levels.resize(from + 2, 0);
                    found.levels[from + 1] += 1;
                }
                to.push(id);
            }
            found.edges.push(to);
        }
        found
    }

    /// The number of moves of a shortest cycle.
    pub(super) fn shortest_cycle(&self) -> Option<usize> {
        (0..self.nodes.len()).filter_map(|start| self.back_to(start)).min()
    }

    fn back_to(&self, start: usize) -> Option<usize> {
        let mut depth: BTreeMap<usize, usize> = BTreeMap::new();
        let mut waiting = VecDeque::from([(start, 0)]);
        while let Some((node, moves)) = waiting.pop_front() {
            for to in &self.edges[node] {
                if *to == start {
                    return Some(moves + 1);
                }
                depth.entry(*to).or_insert_with(|| {
                    waiting.push_back((*to, moves + 1));
                    moves + 1
                });
            }
        }
        None
    }
}

pub(super) fn begun<'h>(hexagons: &'h Hexagons, position: &Position, reading: &Reading) -> Machine<'h> {
    let mut machine = Machine::new(&hexagons.program, hexagons.state(position, reading));
    machine.turn(PlayerId(0), &silent());
    machine
}

/// So many pieces of each side anywhere, with White able to move.
pub(super) fn scattered(side: i32, pieces: usize, random: &mut Random, reading: &Reading) -> Position {
    loop {
        let mut position = Position { side, pieces: BTreeMap::new() };
        let mut free: Vec<Hex> = position.board();
        for player in [0, 1] {
            for _ in 0..pieces {
                position.pieces.insert(free.remove(random.below(free.len())), player);
            }
        }
        if !position.moves(0, reading).is_empty() {
            return position;
        }
    }
}

#[test]
fn the_set_up_of_three_hexagons_a_side_has_as_many_positions_after_each_move_as_by_hand() {
    set_up_of_three_a_side(false);
}

#[test]
#[ignore = "thousands of positions by a slow reading of the rules"]
fn so_has_that_of_flowish() {
    set_up_of_three_a_side(true);
}

fn set_up_of_three_a_side(flowish: bool) {
    let hexagons = Hexagons::load();
    {
        let reading = hexagons.reading(flowish, None);
        let oracle = Oracle::of(&Position::start(3), &reading);
        let machine = begun(&hexagons, &Position::start(3), &reading);
        let space = all(&machine, PLENTY, None, &Alone, &|| None);
        assert_eq!(space.levels(), oracle.levels, "Flowish: {flowish}");
        assert_eq!(space.states(), oracle.nodes.len());
        assert!(space.is_whole());
        // The counts of tests/games/hex_cycles.rs leave out positions in which the game is over.
        let going = oracle.nodes.iter().filter(|(_, _, end)| end.is_none()).count();
        assert_eq!(going, if flowish { 25115 } else { 3115 });
        assert_eq!(space.shortest_cycle(), None);
    }
}

/// In a row of four, the piece in the middle goes to and fro between its neighbours.
#[test]
fn a_shortest_cycle_takes_two_moves_of_each_side() {
    let hexagons = Hexagons::load();
    let reading = hexagons.reading(false, None);
    let row = |r: i32, from: i32, player: usize| [from, from + 1, from + 3].map(|q| ((q, r), player));
    let start = Position { side: 3, pieces: row(-1, -1, 0).into_iter().chain(row(1, -2, 1)).collect() };
    let machine = begun(&hexagons, &start, &reading);
    let few = Bounds { states: 400, ..PLENTY };
    let space = all(&machine, few, None, &Alone, &|| None);
    let cycle = space.shortest_cycle().unwrap();
    assert_eq!((cycle.path.len(), cycle.round.len()), (0, 4));
    let (again, round) = replay(&machine, &cycle.round);
    assert_eq!(round.len(), 4);
    assert_eq!(machine.state().key(), again.state().key());
    assert!(space.on_cycles() >= 4);
}

/// Positions of two hexagons a side, and of three with two pieces each, under any options: all of them by hand.
#[test]
fn small_positions_have_as_many_successors_as_by_hand() {
    let hexagons = Hexagons::load();
    let mut random = Random(14);
    for round in 0..16 {
        let (side, pieces) = [(2, 2), (2, 3), (3, 2)][round % 3];
        let mut reading = hexagons.reading(round % 2 == 1, Some(&mut random));
        // With the other value the game looks at history, which no state has.
        reading.options.insert("cycle".to_owned(), "agreement".to_owned());
        let start = scattered(side, pieces, &mut random, &reading);
        let oracle = Oracle::of(&start, &reading);
        let machine = begun(&hexagons, &start, &reading);
        let space = all(&machine, PLENTY, None, &Alone, &|| None);
        assert_eq!(space.levels(), oracle.levels, "{start:?}, {reading:?}");
        let edges: usize = (0..u32::try_from(space.states()).unwrap()).map(|id| space.edges(id).len()).sum();
        assert_eq!(edges, oracle.edges.iter().map(Vec::len).sum::<usize>(), "{start:?}, {reading:?}");
        let cycle = space.shortest_cycle().map(|cycle| cycle.round.len());
        assert_eq!(cycle, oracle.shortest_cycle(), "{start:?}, {reading:?}");
    }
}

#[test]
fn any_number_of_threads_finds_the_same_states_in_the_same_order() {
    let hexagons = Hexagons::load();
    let reading = hexagons.reading(false, None);
    let machine = begun(&hexagons, &Position::start(3), &reading);
    let rules = || Some(Hexagons::load().program);
    let alone = all(&machine, PLENTY, None, &Alone, &rules);
    for more in [1, 3] {
        let helped = all(&machine, PLENTY, None, &Threads(more), &rules);
        assert_eq!((helped.levels(), helped.bytes()), (alone.levels(), alone.bytes()));
        let ids = 0..u32::try_from(alone.states()).unwrap();
        assert!(ids.clone().all(|id| helped.edges(id) == alone.edges(id) && helped.path(id) == alone.path(id)));
    }
    let few = Bounds { states: 2_000, ..PLENTY };
    for crew in [&Alone as &dyn Crew, &Threads(3)] {
        let cut = all(&machine, few, None, crew, &rules);
        assert_eq!((cut.states(), cut.limit()), (2_000, Some(Limit::States)));
        assert_eq!(cut.path(1_999), alone.path(1_999));
    }
    let tight = Bounds { bytes: 100_000, ..PLENTY };
    let cut = all(&machine, tight, None, &Alone, &rules);
    assert_eq!(cut.limit(), Some(Limit::Bytes));
    assert!(cut.bytes() <= 100_000 && cut.bytes() > 99_000, "{}", cut.bytes());
}

/// Pig by hand, to a small goal: the scores, the pot and the player. What the die shows is in the pot where a player decides, and
/// nothing reads it any more.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Pig {
    Throws([i64; 2], i64, usize),
    Chooses([i64; 2], i64, usize),
    Won([i64; 2], usize),
}

impl Pig {
    fn next(&self, goal: i64) -> Vec<Self> {
        let hold = |scores: &[i64; 2], pot: i64, me: usize| {
            let mut scores = *scores;
            scores[me] += pot;
            if scores[me] >= goal { Self::Won(scores, me) } else { Self::Throws(scores, 0, 1 - me) }
        };
        match self {
            Self::Throws(scores, pot, me) => (1..=6)
                .map(|shown| match shown {
                    1 => Self::Throws(*scores, 0, 1 - me),
                    _ if scores[*me] + pot + shown >= goal => hold(scores, pot + shown, *me),
                    _ => Self::Chooses(*scores, pot + shown, *me),
                })
                .collect(),
            Self::Chooses(scores, pot, me) => vec![Self::Throws(*scores, *pot, *me), hold(scores, *pot, *me)],
            Self::Won(..) => Vec::new(),
        }
    }
}

#[test]
fn pig_to_nine_has_as_many_positions_after_each_answer_as_by_hand() {
    let pig = Playable::load("pig", &[]);
    let schema = pig.program.schema();
    let goal = schema.options.iter().position(|option| option.name == "goal").unwrap();
    let mut options = pig.defaults();
    options[goal] = schema.options[goal].choice.setting("9").unwrap();
    let machine = pig.begin(pig.start(&schema.variants[0], 2, options), &silent());
    let space = all(&machine, PLENTY, None, &Alone, &|| None);
    let mut known = BTreeSet::from([Pig::Throws([0, 0], 0, 0)]);
    let mut level: Vec<Pig> = known.iter().cloned().collect();
    let mut levels = Vec::new();
    while !level.is_empty() {
        levels.push(level.len());
        let next = level.iter().flat_map(|state| state.next(9));
        level = next.filter(|state| known.insert(state.clone())).collect();
    }
    assert_eq!(space.levels(), levels);
    // Two ones in a row: nobody has won or lost anything.
    let cycle = space.shortest_cycle().unwrap();
    assert_eq!((cycle.path.len(), cycle.round.len()), (0, 2));
    // Nobody can win before the second throw: a six, and at least a three.
    let turns = |turns| all(&machine, PLENTY, Some(turns), &Alone, &|| None).states();
    assert!(turns(1) < turns(2) && turns(2) < turns(4));
}

/// Turns in several ways, how many positions there are after each answer, counted by hand (pauses in the turn, then its end), and
/// whether compiled rules find some of them, too: not those where more is kept than variables and arguments of the ask.
const TURNS: [(&str, &str, &[usize], bool); 23] = [
    ("a variable of a round", "for time in 0..3 { let shown = roll(); total += shown; }", &[1, 6, 11, 16, 16], true),
    ("a variable of the loop", "for more in [0, 1, 1] { total += roll() * more; }", &[1, 1, 6, 11, 11], true),
    ("a loop that ends", "let shown = 0; while total < 3 { shown = roll(); total += shown; }", &[1, 6, 6, 2], true),
    (
        "a variable that is read",
        "let first = roll(); let second = roll(); total = first * second;",
        &[1, 6, 18, 18],
        true,
    ),
    ("variables that are given again", "let shown = roll(); shown = roll(); total = shown;", &[1, 1, 6, 6], true),
    ("a function", "total = sum_of(0); total += sum_of(total);", &[1, 6, 11, 66, 21, 21], false),
    (
        "functions in functions",
        "let first = roll() % 2; total = twice(first); total += first;",
        &[1, 2, 12, 9, 9],
        true,
    ),
    ("a function in a sum", "total = 10 * (1 + roll() % 2) + sum_of(1);", &[1, 2, 12, 21, 21], true),
    ("a function that calls itself", "total = again(2);", &[1, 2, 4, 8, 8], true),
    ("very many functions in one another", "total = a1(roll());", &[1, 6, 7, 7], false),
    ("a phase as a function", "total = 1; if roll() > 3 { bonus(me); } total += roll();", &[1, 2, 9, 24, 12], true),
    ("a part of a sum", "total = roll() + roll() % 2;", &[1, 6, 7, 7], true),
    (
        "a list of which one value is read",
        "let two = [1, 2].filter(|one| one > total); total = roll(); total += roll() * two.len();",
        &[1, 6, 16, 16],
        true,
    ),
    (
        "a list that was read",
        "let thrown = []; thrown.push(roll()); total = thrown[0] % 2; total += roll();",
        &[1, 2, 7, 7],
        true,
    ),
    (
        "an error that is caught",
        "let kept = 7; try { let shown = roll(); total = 10 / (shown - 3); kept = roll(); } catch { total = kept; }",
        &[1, 6, 6, 5],
        false,
    ),
    ("a range", "let many = 0..roll(); total = roll(); for n in many { total += n; }", &[1, 6, 21, 21], true),
    (
        "a text",
        "let word = if roll() > 3 { \"ab\" } else { \"cd\" }; total = roll(); if word == \"ab\" { total += 9; }",
        &[1, 2, 12, 12],
        true,
    ),
    ("a map", "let seen = #{ b: roll() % 2, a: 1 }; total = roll(); total += seen.b * 9;", &[1, 2, 12, 12], true),
    (
        "a set",
        "let some = if roll() > 3 { all_cells() } else { no_cells() }; total = roll(); total += count(some);",
        &[1, 2, 12, 12],
        true,
    ),
    (
        "a player",
        "let who = if roll() > 3 { me } else { after(me) }; total = roll(); who.sum += 1;",
        &[1, 2, 12, 12],
        true,
    ),
    (
        "a list of lists",
        "let all = [[roll() % 2, 2], []]; total = roll(); total += all[0][0] * 9;",
        &[1, 2, 12, 12],
        true,
    ),
    (
        "a function value",
        "let plus = if roll() > 3 { |n| n + 9 } else { |n| n }; total = roll(); total = plus.call(total);",
        &[1, 2, 12, 12],
        true,
    ),
    (
        "an action",
        "let option = may(\"pick\", roll() % 2); total = roll(); total += choose(me, \"pick\", [option]).value * 9;",
        &[1, 2, 12, 12, 12],
        true,
    ),
];

#[test]
fn values_that_nobody_reads_any_more_make_no_further_state() {
    let mut found = Vec::new();
    for (what, turn_of, ..) in TURNS {
        let turn = turn_of.replace("roll()", "roll(\"six\")");
        let rules = format!(
            "fn turn(me) {{ let total = 0; {turn} game.rounds = total; choose(me, \"stay\", [may(\"stay\")]); win(me); }}\n\
             fn sum_of(before) {{ let one = roll(\"six\"); let other = roll(\"six\"); let both = one + other; both - before % 2 }}\n\
             fn twice(first) {{ let one = roll(\"six\") * 2; let other = half(one); if first == 1 {{ return other; }} other + 1 }}\n\
             fn half(of) {{ let shown = roll(\"six\"); if shown > 3 {{ return of / 2; }} of }}\n\
             fn again(times) {{ let shown = roll(\"six\"); if times == 0 {{ return shown; }} shown % 2 + again(times - 1) }}\n\
             fn bonus(me) {{ let more = roll(\"six\"); me.sum += more % 3; then(\"bonus\", me); }}"
        );
        // Each of these keeps several values while the next one runs.
        let deep = |at: usize| {
            let values = (0..20).map(|one| format!("let v{one} = n + {one};")).collect::<String>();
            let sum = (0..20).map(|one| format!("v{one}")).collect::<Vec<_>>().join(" + ");
            format!("\nfn a{at}(n) {{ {values} let other = a{}(n); (other + {sum}) % 7 }}", at + 1)
        };
        let deep = (1..28).map(deep).collect::<String>();
        let rules = format!("{rules}{deep}\nfn a28(n) {{ roll(\"six\") + n }}");
        let (game, program) = loaded(what, GAME, &[], rules);
        let machine = first_turn(&program, set_up(&game, 2), &silent());
        let space = all(&machine, PLENTY, None, &Alone, &|| None);
        let by_compiled = |engine: &Engine| {
            walk(&machine, &followed_by(Follower::Compiled(*engine)), &mut Silent).unwrap().is_by_compiled_rules()
        };
        found.push((what, turn_of, space.levels().to_vec(), Engine::ALL.iter().all(by_compiled)));
    }
    let expected = TURNS.map(|(what, turn, levels, by_compiled)| (what, turn, levels.to_vec(), by_compiled));
    assert_eq!(found, expected);
}

#[test]
fn states_are_made_again_from_their_bytes() {
    let mut random = Random(3);
    for id in
        ["hex-squish", "squirmish", "squish-board", "squish-blocks", "evil-squash", "royal-game-of-ur", "draughts"]
    {
        let game = Playable::load(id, &[]);
        let schema = game.program.schema();
        for variant in &schema.variants {
            let (players, _) = schema.player_count_of(0);
            let mut machine = game.begin(game.start(variant, players, game.defaults()), &silent());
            for _ in 0..150 {
                same(machine.state());
                let Some(question) = asked(&machine) else { break };
                let chosen = random.answer(&question, machine.state()).unwrap();
                answer(&mut machine, chosen);
                assert!(!matches!(machine.stop(), Stop::Refused(_)));
            }
        }
    }
}

fn same(state: &State) {
    let again = State::decoded(&state.table, &state.encoded()).unwrap();
    assert_eq!(again.key(), state.key());
    assert_eq!(again.encoded(), state.encoded());
    assert_eq!(again.weight(), state.weight());
}
