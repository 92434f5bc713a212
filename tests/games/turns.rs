//! Clocks and the order of turns by each engine: clocks are words of a state for compiled rules, too, and where rules change the order
//! of turns, the host begins each turn.

use referee_play::{
    Bounds, DEFAULT_BYTES, Ending, Follower, Horizon, Inquiry, Machine, Playouts, StrategyProfile, WalkPlan, explore,
    walk,
};
use referee_rules::Engine;
use referee_table::State;

use super::compiled::{GAME, beginning, compare, loaded, told};
use super::playing::silent;
use super::playouts::{first_turn, set_up};
use super::spaces::followed_by;

/// Six throws without a six are a draw; each six counts.
const CLOCK: &str = "fn turn(me) {
    if roll(\"six\") == 6 { game.idle = 0; me.sum += 1; } else { game.idle += 1; }
    if me.sum == 2 { win(me); }
    if game.idle == 6 { draw_game(); }
}
";

#[test]
fn games_with_clocks_are_played_the_same_by_compiled_rules() {
    let (game, program) = loaded("clock", &format!("{GAME}clock counter idle\n"), &[], CLOCK.to_owned());
    let start = beginning(&game, &program);
    let strategy = StrategyProfile::default();
    let playouts = Playouts { rollouts: None, program: &program, start: &start, strategy: &strategy, max_plies: 200 };
    let by_machine: Vec<_> = (0..20).map(|number| told(&playouts.play(7, number, false))).collect();
    for engine in Engine::ALL {
        assert!(playouts.compile(*engine), "{}", engine.name());
        for (number, expected) in (0..).zip(&by_machine) {
            let found = playouts.play(7, number, false);
            assert!(found.compiled && told(&found) == *expected, "game {number}, {}", engine.name());
        }
    }
    program.forget_compiled();
    // Odds and walks have the same states by each engine, with the clock in them.
    let machine = first_turn(&program, set_up(&game, 2), &silent());
    let outcomes = |by| {
        let mut class = |state: &State| Ok(usize::from(format!("{:?}", state.outcome).contains("Draw")));
        let inquiry =
            Inquiry { horizon: Horizon::Game, strategy: strategy.clone(), states: 5_000, bytes: DEFAULT_BYTES, by };
        let graph = explore(&machine, &inquiry, &mut class).unwrap();
        (graph.states(), format!("{:?}", graph.chance(|class| class == 1)), graph.is_by_compiled_rules())
    };
    let (states, chance, _) = outcomes(Follower::Machine);
    // Whose turn, two sums of 0 and 1, and six numbers of the clock: with an end for each way to win and to draw.
    assert!(states > 2 * 4 * 6 / 2, "{states}");
    for engine in Engine::ALL {
        assert_eq!(outcomes(Follower::Compiled(*engine)), (states, chance.clone(), true), "{}", engine.name());
    }
}

#[test]
fn walks_over_games_with_clocks_are_the_same_by_compiled_rules() {
    let rules =
        "fn turn(me) { game.idle = (game.idle + choose(me, \"pick\", [1, 2])) % 7; me.sum = (me.sum + 1) % 3; }";
    let (game, program) = loaded("clock", &format!("{GAME}clock counter idle\n"), &[], rules.to_owned());
    let machine = first_turn(&program, set_up(&game, 2), &silent());
    let found = |by| {
        let plan = WalkPlan { bounds: Bounds { states: 10_000, bytes: 100_000_000 }, edges: true, ..followed_by(by) };
        let space = walk(&machine, &plan, &mut Silent).unwrap();
        let cycle = space.shortest_cycle().map(|cycle| cycle.round.len());
        let (of_positions, is_whole) = space.shortest_cycle_of_positions(&machine.state().table);
        assert!(is_whole);
        (space.states(), cycle, of_positions.map(|cycle| cycle.round.len()))
    };
    let by_machine = found(Follower::Machine);
    // The sums come again after three turns of each player; the clock has its own seven values.
    assert_eq!(by_machine, (6 * 7, Some(6), Some(6)));
    for engine in Engine::ALL {
        assert_eq!(found(Follower::Compiled(*engine)), by_machine, "{}", engine.name());
    }
}

/// Hears nothing.
struct Silent;

impl referee_play::Visitor for Silent {
    fn marked(&mut self, _: referee_play::WalkStep, _: u32) -> std::ops::ControlFlow<()> {
        std::ops::ControlFlow::Continue(())
    }

    fn fault(
        &mut self,
        _: referee_play::WalkStep,
        wrong: Box<referee_diagnostic::Diagnostic>,
    ) -> std::ops::ControlFlow<()> {
        unreachable!("{}", wrong.message)
    }

    fn again(&mut self) {}
}

#[test]
fn rules_that_change_the_order_of_turns_are_played_the_same_by_compiled_rules() {
    for call in [
        "extra_turn(me)",
        "skip(after(me))",
        "set_order([me])",
        "set_order([blue, red])",
        "no_turn()",
        "next_turn(after(me)); skip(me)",
        "if round() > 2 { win(me) }",
        "if turns() > 9 { win(me) }",
        "if last_turn() == me { win(me) }",
        "if whose_turn() != me { win(me) }",
    ] {
        let rules = format!("fn turn(me) {{ me.sum += roll(\"six\"); if roll(\"six\") > 4 {{ {call}; }} }}");
        let (game, program) = loaded(call, GAME, &[], rules);
        let start = beginning(&game, &program);
        let strategy = StrategyProfile::default();
        let playouts =
            Playouts { rollouts: None, program: &program, start: &start, strategy: &strategy, max_plies: 30 };
        assert_eq!(compare(call, &playouts, 20), 20 * Engine::ALL.len() as u64, "{call}");
        // Searches by compiled rules encode no order of turns.
        let is_refused = |engine: &Engine| program.steps(*engine, &set_up(&game, 2), None).is_none();
        assert!(Engine::ALL.iter().all(is_refused), "{call}");
    }
}

/// Random extra turns, skips, turns that do not count, and orders: in each round each player in the order has one turn of their own.
const ROUNDS: &str = "fn setup() { for one in players() { one.sum = 0; } }
fn turn(me) {
    game.rounds += 1;
    let deed = roll(\"six\");
    if deed == 1 { extra_turn(me); game.extra += 1; }
    if deed == 2 { no_turn(); game.passed += 1; }
    if deed == 3 && turn_order().contains(after(me)) { skip(after(me)); game.skipped += 1; }
    if deed == 4 { set_order(turn_order()); }
    if game.rounds > 60 { nobody_wins(); }
}
fn round_begins() {
    game.begun += 1;
    if game.begun != round() { throw \"a round was counted twice\"; }
}
fn round_ends() {
    let players = turn_order().len();
    game.due += players;
    // Each turn is one of the order, an extra one, or does not count; a turn that is left out is none. After one that does not
    // count, the others go on within the round.
    let had = game.rounds - game.passed;
    if had > game.due + game.extra + game.passed { throw `${had} turns in ${round()} rounds with ${game.extra} extra ones`; }
    if had < game.due - game.skipped { throw `${had} turns in ${round()} rounds with ${game.skipped} left out`; }
    if turns() != had { throw `${turns()} turns and not ${had}`; }
}
";

#[test]
fn rounds_have_the_turns_that_they_should_in_random_games() {
    let game = format!("{GAME}counter extra\ncounter passed\ncounter skipped\ncounter begun\ncounter due\n");
    let (game, program) = loaded("rounds", &game, &[], ROUNDS.to_owned());
    let mut machine = Machine::new(&program, set_up(&game, 2));
    machine.set_up(&[referee_table::Phase { name: "setup".into(), args: Vec::new() }], &silent());
    let start = referee_play::Start::of(&machine).unwrap();
    let strategy = StrategyProfile::default();
    let playouts = Playouts { rollouts: None, program: &program, start: &start, strategy: &strategy, max_plies: 500 };
    let mut turns = Vec::new();
    for number in 0..200 {
        let played = playouts.play(11, number, number % 2 == 0);
        assert!(matches!(played.ending, Ending::Over(_)), "game {number}: {:?}", played.ending);
        turns.push(played.tally.plies);
    }
    assert_eq!(compare("rounds", &playouts, 50), 50 * Engine::ALL.len() as u64);
    // Turns that do not count are no turns of statistics.
    assert!(turns.iter().all(|turns| *turns < 61), "{turns:?}");
    assert!(turns.iter().any(|turns| *turns < 55), "{turns:?}");
}
