//! Searches in which compiled rules follow play decide as those of the machine.

use std::sync::Arc;

use referee_play::{Counter, Machine, Playouts, Policy, Quicker, Start, Stop, StrategyProfile, tape};
use referee_rules::{Engine, Program};
use referee_table::PlayerId;

use super::compiled::{GAME, TRIED, begun, game_of, loaded, start, told};
use super::compiled_odds::strategy;
use super::playing::{Playable, Random, silent};
use super::playouts::{first_turn, set_up};

/// Compares games in which these players search.
fn compare(what: &str, playouts: &Playouts<'_>, games: u64) {
    let engines: Vec<_> = Engine::ALL.iter().map(|engine| (engine, Quicker::always(*engine))).collect();
    for number in 0..games {
        let expected = told(&Playouts { rollouts: None, ..*playouts }.play(5, number, false));
        for (engine, always) in &engines {
            let found = told(&Playouts { rollouts: Some(always), ..*playouts }.play(5, number, false));
            assert_eq!(found, expected, "{what}, game {number}, {}", engine.name());
        }
    }
}

/// Games, each with the number of playouts for a decision, and after how many turns a game is stopped.
const GAMES: &[(&str, u32, u64)] = &[
    ("pig", 40, 40),
    ("royal-game-of-ur", 25, 12),
    ("breakthrough", 12, 3),
    ("hex-squish", 30, 8),
    ("draughts", 20, 4),
    ("lines-of-action", 6, 2),
    // Its cards are hidden, so the machine searches.
    ("squish-blocks", 8, 2),
];

#[test]
fn searches_of_compiled_rules_decide_as_those_of_the_machine() {
    for (id, tries, max_plies) in GAMES {
        let rules = Playable::load(id, &[]);
        let start: Start = start(&rules, &rules.program.schema().variants[0], 2);
        for searching in [vec![0], vec![0, 1]] {
            let policies = searching.into_iter().map(|at| (PlayerId::at(at), Policy::Search(*tries))).collect();
            let strategy = StrategyProfile { policies, ..StrategyProfile::default() };
            let max_plies = *max_plies;
            let playouts =
                Playouts { rollouts: None, program: &rules.program, start: &start, strategy: &strategy, max_plies };
            compare(id, &playouts, 2);
        }
    }
}

/// Games, each with what players like, and after how many turns a game is stopped.
const LIKED: &[(&str, &str, u64)] = &[
    ("pig", "hold_at(20)", 60),
    ("royal-game-of-ur", "count(cells(me)) * 10 + me.home", 60),
    ("breakthrough", "count(cells(me)) - count(cells(after(me)))", 12),
    ("hex-squish", "count(cells(me))", 20),
    ("draughts", "count(cells(me)) - count(cells(after(me)))", 20),
    ("lines-of-action", "-count(cells(after(me)))", 6),
];

/// Compares games in which players rate options. Returns how often compiled rules have rated them for the machine, and how
/// many games they have played, for all engines together.
fn compare_ratings(what: &str, playouts: &Playouts<'_>, games: u64) -> (u64, u64) {
    let (mut rated, mut whole) = (0, 0);
    for engine in Engine::ALL {
        let always = Quicker::always(*engine);
        let by_compiled = Playouts { rollouts: Some(&always), ..*playouts };
        for number in 0..games {
            let expected = told(&Playouts { rollouts: None, ..*playouts }.play(5, number, true));
            // With all answers kept, the machine plays, and asks what options are worth.
            for keep in [true, false] {
                let played = by_compiled.play(5, number, keep);
                assert_eq!(told(&played), expected, "{what}, game {number}, {}, {keep}", engine.name());
                whole += u64::from(played.compiled);
            }
        }
        rated += always.rated_by_compiled_rules();
    }
    (rated, whole)
}

#[test]
fn options_are_rated_by_compiled_rules_as_by_the_machine() {
    for (id, liked, max_plies) in LIKED {
        let rules = Playable::load(id, &[]);
        let start: Start = start(&rules, &rules.program.schema().variants[0], 2);
        for policies in [&[*liked][..], &["random", liked], &[liked, "1"]] {
            let (strategy, max_plies) = (strategy(policies), *max_plies);
            let playouts =
                Playouts { rollouts: None, program: &rules.program, start: &start, strategy: &strategy, max_plies };
            let (rated, whole) = compare_ratings(&format!("{id}, {policies:?}"), &playouts, 2);
            assert!(rated > 0 && whole > 0, "{id}, {policies:?}: {rated} ratings and {whole} games by compiled rules");
        }
    }
}

/// Rules of every kind, and expressions that go wrong in some positions.
#[test]
fn options_are_rated_alike_whatever_rules_do() {
    let mut compiled = (0, 0);
    for (what, deed, _) in TRIED {
        let rules = format!(
            "{deed}\nfn turn(me) {{ deed(me); me.sum += choose(me, \"pick\", range(1, 4)); deed(me); \
             if me.sum > 40 {{ win(me); }} me.sum = me.sum % 7; }}\n"
        );
        let game = game_of(GAME, &[], rules);
        let Ok(program) = Program::load(&game.schema, &[Arc::clone(&game.rules)]) else { continue };
        let machine = first_turn(&program, set_up(&game, 2), &silent());
        let Some(start) = Start::of(&machine) else { continue };
        for policies in [["me.sum % 5", "random"], ["-me.sum", "100 / (me.sum - 3)"]] {
            let strategy = strategy(&policies);
            let playouts =
                Playouts { rollouts: None, program: &program, start: &start, strategy: &strategy, max_plies: 6 };
            let (rated, whole) = compare_ratings(&format!("{what}, {policies:?}"), &playouts, 2);
            compiled = (compiled.0 + rated, compiled.1 + whole);
        }
    }
    assert!(compiled.0 > 50 && compiled.1 > 0, "{compiled:?}");
}

/// Games, each with the depth, and after how many random answers sequences are counted.
const COUNTED: &[(&str, usize, &[usize])] = &[
    ("pig", 4, &[0]),
    ("royal-game-of-ur", 4, &[0, 2]),
    ("breakthrough", 3, &[0, 7]),
    ("hex-squish", 4, &[0, 3]),
    ("draughts", 4, &[0, 6]),
    ("lines-of-action", 3, &[0]),
];

/// Compares the numbers of sequences of so many answers.
pub(super) fn compare_counts(what: &str, machine: &Machine<'_>, depth: usize) {
    let expected = Counter::by(None).divide(machine, depth).unwrap();
    for engine in Engine::ALL {
        let found = Counter::always(*engine).divide(machine, depth).unwrap();
        assert_eq!(found, expected, "{what}, {depth} answers, {}", engine.name());
    }
}

#[test]
fn sequences_are_counted_by_compiled_rules_as_by_the_machine() {
    for (id, depth, plies) in COUNTED {
        let rules = Playable::load(id, &[]);
        let variant = &rules.program.schema().variants[0];
        for plies in *plies {
            let mut machine = begun(&rules, variant, 2);
            let mut random = Random(11);
            for _ in 0..*plies {
                let Stop::Paused(ask) = machine.stop() else { break };
                let answer = random.answer(&ask.question, machine.state()).unwrap();
                machine.go_on(&tape(vec![answer]));
            }
            compare_counts(&format!("{id}, {plies} plies"), &machine, *depth);
        }
    }
}

/// A small board on which men step to the right and jump over others.
pub(super) const JUMPS: &str = "game tried \"Tried\"\nplayers 2 red blue\nrules \"rules.rhai\"\nrulebook \"RULES.md\"\n\
                     board grid 4x3\ndirections 8 clockwise from north\ndie three 1..3\ncounter sum for each player = 0\n\
                     counter turns = 0\npiece man many for each player symbols a b\nask move MOVE\nask go CELL\n\
                     event moved PLAYER MOVE\nplace red at a1, red at b2, blue at c1, blue at d3\n";

/// The moves, and what follows them.
pub(super) const MOVES: &str = r#"
fn moves(me) {
    let found = no_moves();
    for from in cells(me) {
        for to in around(one(from)) {
            if at(to) == () { found += path(from, to); found += path(from, to); continue; }
            for far in around(one(to)) - occupied() {
                found += path(from, to).capturing(to).onward(far);
                if at(to) != man(me) { found += path(from, to).capturing(to); }
            }
        }
    }
    found
}
fn ended(me) { game.turns += 1; if game.turns > 30 { draw_game(); } }
fn stuck(me) { lose(me); }
"#;

/// What happens with a move: asks that are no choice of a turn, further phases, turns out of order, ends.
pub(super) const APPLIED: &[&str] = &[
    "fn apply(me, move) { make(move); }",
    "fn apply(me, move) { make(move); me.sum += roll(\"three\"); }",
    "fn apply(me, move) { make(move); if move.captures { next_turn(me); me.sum += 1; } }",
    "fn apply(me, move) { make(move); if me == red { let free = around(one(move.to)) - occupied();\n\
     if !free.is_empty() { make(choose(me, \"move\", steps(touched(free) & one(move.to)))); } } }",
    "fn apply(me, move) { make(move); if me == blue { let again = moves(me);\n\
     if !again.is_empty() { make(choose(me, \"move\", again)); } } }",
    "fn apply(me, move) { event(\"moved\", me, move); make(move); then(\"more\", me); then(\"more\", after(me)); }\n\
     fn more(me) { let own = cells(me); if own.is_empty() { return; } me.sum += number(choose(me, \"go\", own)); }",
    "fn apply(me, move) { make(move); then(\"more\", me, move.to); }\nfn more(me, cell) { if at(cell) == man(me) { \
     let far = around(one(cell)) - occupied(); for to in far { me.sum += number(to); } } }",
    "fn apply(me, move) { make(move); if me == red && game.turns % 3 == 1 { turn(after(me)); me.sum += 1; } }",
    "fn apply(me, move) { if stops(move).len > 2 { win(me); } else { make(move); } }",
    "fn apply(me, move) { try { make(move); throw 1; } catch (e) { me.sum += e; } }",
];

/// A player without a move is asked something else, also for a move, which is no choice of the turn.
const STUCK: &str = r#"
fn moves(me) {
    let found = no_moves();
    if me == blue || game.turns % 3 == 2 { return found; }
    for from in cells(me) { for to in around(one(from)) - occupied() { found += path(from, to); } }
    found
}
fn apply(me, move) { make(move); }
fn ended(me) { game.turns += 1; }
fn stuck(me) {
    game.turns += 1;
    let ways = steps(touched(cells(me)) & around(cells(me)));
    if ways.is_empty() { lose(me); }
    let made = choose(me, "move", ways);
    if at(made.to) == () { make(made); } else { me.sum += 1; }
}
"#;

#[test]
fn what_a_player_without_a_move_is_asked_is_counted_as_by_the_machine() {
    let (game, program) = loaded("stuck", JUMPS, &[], STUCK.to_owned());
    let machine = first_turn(&program, set_up(&game, 2), &silent());
    for depth in 1..=4 {
        compare_counts("stuck", &machine, depth);
    }
}

/// A turn that is listed once is gone on from for each of its moves; anything else is counted answer by answer.
#[test]
fn moves_that_a_turn_has_listed_are_counted_as_by_the_machine() {
    for applied in APPLIED {
        let (game, program) = loaded(applied, JUMPS, &[], format!("{applied}\n{MOVES}"));
        let machine = first_turn(&program, set_up(&game, 2), &silent());
        for depth in 1..=4 {
            compare_counts(applied, &machine, depth);
        }
    }
}
