//! Compiled rules count how often each place has run, as the machine does.

use std::sync::Arc;

use super::compiled::{GAME, TRIED, beginning, loaded, start, told, with_turn};
use super::every_game::games;
use super::playing::Playable;
use super::playouts::set_up;
use referee_play::{Machine, Playouts, Start, StrategyProfile};
use referee_rules::{Engine, Loading, PointKind, Program};

/// Rules with all that is counted.
const RULES: &str = r#"
fn deed(me) {
    let six = roll("six");
    for n in 0..six { if n == 4 { break; } me.sum += n; }
    for (n, at) in [3, 1, six] { if n == at { continue; } me.sum += 1; }
    for cell in all_cells() { if cell == cell_named("b2") && six > 3 { break; } }
    for piece in roll("three").filter(|n| n > 1) { me.sum += piece; }
    while six > 2 && (me.sum % 2 == 0 || six == 6) { six -= 1; }
    do { six += 1; } until six > 3;
    let kind = switch six { 1 | 2 => { "few" } 3 if me.sum > 3 => "some", 4..9 => "many" };
    switch kind { "many" => { me.sum += 1; } "none" => () }
    switch me.sum % 5 { 1 => { me.sum += 1; } 2 => () }
    let sure = six > 3 || me.tired;
    if sure { me.tired = !me.tired; } else if six == 1 { me.sum -= 1; } else { return; }
    let twice = [1, 2, 3].map(|n| { if n == six { return 0; } n * 2 });
    me.sum += half(twice.len()) + half(3);
    if option("mode") == "fast" { me.sum += 1; } else { me.sum += 2; }
    part(me);
    if me.sum > 60 { win(me); }
    game.rounds += 0;
}
fn half(n) { if n % 2 == 0 { n / 2 } else { n } }
// The machine runs what may fail and goes on.
fn part(me) { try { if me.sum > 20 { throw "high"; } } catch { me.sum += half(2); } }
fn never(me) { me.sum = 0; }
"#;

/// Games with options, over a game without any.
const WITH_MODE: &str = "option mode = fast | slow\n";

/// Returns the rules of a program once more, with runs counted.
fn counting(program: &Program, rules: &Arc<referee_source::Source>) -> Program {
    let loading = Loading { counts: true, ..Loading::default() };
    Program::load_with(program.schema(), std::slice::from_ref(rules), &loading).map_err(|wrong| wrong.len()).unwrap()
}

/// What was counted in games by one engine, and how many of them compiled rules have played.
struct Counted {
    runs: Vec<u64>,
    compiled: u64,
}

/// Plays games by the machine and by each engine. Returns what was counted by the machine, and by each engine.
fn counts(program: &Program, start: &Start, games: u64) -> (Vec<u64>, Vec<Counted>) {
    let strategy = StrategyProfile::default();
    let playouts = Playouts { rollouts: None, program, start, strategy: &strategy, max_plies: 60 };
    drop(program.take_counts());
    let by_machine: Vec<_> = (0..games).map(|number| told(&playouts.play(7, number, false))).collect();
    let expected = program.take_counts();
    let by_engine = |engine: &Engine| {
        assert!(playouts.compile(*engine));
        assert!(playouts.series().is_none(), "such games are not only counted");
        let mut compiled = 0;
        for (number, expected) in (0..).zip(&by_machine) {
            let played = playouts.play(7, number, false);
            compiled += u64::from(played.compiled);
            assert_eq!(told(&played), *expected);
        }
        program.forget_compiled();
        Counted { runs: program.take_counts(), compiled }
    };
    (expected, Engine::ALL.iter().map(by_engine).collect())
}

#[test]
fn all_that_is_counted() {
    let (game, program) = loaded("counted", &format!("{GAME}{WITH_MODE}"), &[], with_turn(RULES));
    let program = counting(&program, &game.rules);
    let (expected, all) = counts(&program, &beginning(&game, &program), 40);
    let points = program.points();
    for kind in [PointKind::Statement, PointKind::Case, PointKind::NoCase, PointKind::Round, PointKind::LoopEnd] {
        let times = points.iter().zip(&expected).filter(|(point, _)| point.kind == kind).map(|(_, times)| times);
        assert!(times.sum::<u64>() > 0, "{kind:?}");
    }
    for Counted { runs, compiled } in all {
        assert!(compiled > 20, "{compiled}");
        for (point, (times, expected)) in points.iter().zip(runs.iter().zip(&expected)) {
            assert_eq!(times, expected, "{:?} at {:?}", point.kind, point.at);
        }
    }
    let of = |name: &str| points.iter().position(|point| point.kind == PointKind::Function(name.to_owned())).unwrap();
    assert_eq!(expected[of("never")], 0);
    assert!(expected[of("half")] > expected[of("deed")]);
}

/// Compiled rules may be given up in all games of some: then nothing of what they have begun is counted.
#[test]
fn rules_that_were_tried() {
    for (what, deed, _) in TRIED {
        let (game, program) = loaded(what, GAME, &[], with_turn(deed));
        let program = counting(&program, &game.rules);
        let machine = Machine::new(&program, set_up(&game, 2));
        let Some(start) = Start::of(&machine) else { continue };
        let (expected, all) = counts(&program, &start, 6);
        for Counted { runs, .. } in all {
            assert_eq!(runs, expected, "{what}");
        }
    }
}

/// Compiled rules play the first turn of bundled games from its beginning, where the machine goes on from its first ask, and list
/// moves that the machine remembers; but they come to the same places.
#[test]
fn bundled_games() {
    for id in games() {
        let rules = Playable::load_with(&id, &[], &Loading { counts: true, ..Loading::default() });
        let program = &rules.program;
        for (at, variant) in program.schema().variants.iter().enumerate() {
            let (fewest, _) = program.schema().player_count_of(at);
            drop(program.take_counts());
            let start = start(&rules, variant, fewest);
            let begun = program.take_counts();
            let (expected, all) = counts(program, &start, 4);
            for Counted { runs: times, compiled } in all {
                assert!(compiled > 2, "{id} {}: {compiled}", variant.name);
                for (at, point) in program.points().iter().enumerate() {
                    let place = format!("{id} {}, {:?} at {:?}", variant.name, point.kind, point.at);
                    let came = expected[at] > 0 || begun[at] > 0;
                    assert_eq!(times[at] > 0 || begun[at] > 0, came, "{place}");
                    if !program.has("moves", 1) {
                        assert!((expected[at]..=expected[at] + 4 * begun[at]).contains(&times[at]), "{place}");
                    }
                }
            }
        }
    }
}
