//! Walks in which compiled rules follow play find what those of the machine do: the same states in the same order, the same marks
//! and errors, and the same limits.

use std::ops::ControlFlow;
use std::sync::Arc;

use referee_diagnostic::Diagnostic;
use referee_game::Game;
use referee_play::{
    Bounds, Follower, Look, LookFor, Machine, Moment, Sight, Space, Stop, Visitor, WalkPlan, WalkStep, walk,
};
use referee_rules::{Engine, Expression, Loading, Placeholders, Program};
use referee_source::{Source, Span};
use referee_table::Symmetry;

use super::compiled::{GAME, TRIED, begun, game_of, loaded};
use super::compiled_odds::{MADE, made_rules};
use super::compiled_search::{APPLIED, JUMPS, MOVES};
use super::playing::{Playable, silent};
use super::playouts::{first_turn, set_up};
use super::spaces::{Threads, compare, followed_by};

/// Hears everything, and stops the walk after so many reports.
struct Heard {
    all: Vec<String>,
    most: usize,
}

impl Heard {
    fn note(&mut self, step: WalkStep, what: &str) -> ControlFlow<()> {
        self.all.push(format!("{step:?}: {what}"));
        if self.all.len() < self.most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}

impl Visitor for Heard {
    fn marked(&mut self, step: WalkStep, mark: u32) -> ControlFlow<()> {
        self.note(step, &mark.to_string())
    }

    fn fault(&mut self, step: WalkStep, wrong: Box<Diagnostic>) -> ControlFlow<()> {
        self.note(step, &wrong.message)
    }

    fn again(&mut self) {
        self.all.clear();
    }
}

/// Marks some positions by everything that a look may see of them.
fn marked(_: &Program, sight: Sight<'_>) -> Result<Option<u32>, Box<Diagnostic>> {
    let state = sight.state;
    let moment = matches!(sight.moment, Moment::Over | Moment::Horizon);
    let seen = state.encoded().iter().fold(7_u32, |all, byte| all.wrapping_mul(31).wrapping_add(u32::from(*byte)));
    let players = [state.turn, state.next_turn].map(|player| player.map_or(9, |player| u32::from(player.0)));
    let agenda = state.agenda.iter().map(|phase| phase.args.len() as u32 + 1).sum::<u32>();
    let sum = seen ^ (players[0] << 3) ^ (players[1] << 7) ^ (agenda << 11) ^ (u32::from(moment) << 13);
    Ok((sum % 23 == 0).then_some(sum))
}

/// Walks by the machine and by each engine, in several ways. Returns how many of the walks by engines compiled rules have done.
pub(super) fn compare_walks(
    what: &str,
    machine: &Machine<'_>,
    states: usize,
    symmetries: &[Symmetry],
) -> (usize, usize) {
    let bounds = Bounds { states, bytes: 300_000_000 };
    let look = Look { mark: &marked, only_ends: false, turn_ends: false, condition: None };
    let mut whole = (0, 0);
    let plain = WalkPlan { bounds, ..followed_by(Follower::Machine) };
    let ends = Look { only_ends: true, turn_ends: false, ..look };
    let plans = [
        (plain, 3),
        (WalkPlan { look: Some(look), ..plain }, usize::MAX),
        (WalkPlan { look: Some(ends), ..plain }, usize::MAX),
        (WalkPlan { look: Some(ends), turns: Some(2), symmetries, edges: false, ..plain }, usize::MAX),
        (WalkPlan { look: Some(look), turns: Some(2), edges: false, ..plain }, 5),
        (WalkPlan { look: Some(look), turns: Some(3), longest: true, edges: false, ..plain }, usize::MAX),
        (WalkPlan { turns: Some(2), edges: false, symmetries, ..plain }, 3),
        (WalkPlan { symmetries, ..plain }, 3),
        (WalkPlan { bounds: Bounds { states, bytes: 9_000 }, ..plain }, 3),
    ];
    for (plan, most) in plans {
        let (compiled, of) = compare_plan(what, machine, &plan, most);
        whole = (whole.0 + compiled, whole.1 + of);
    }
    whole
}

/// Conditions that mark positions: one for any game, and others for those with such properties, of which one may fail.
const CONDITIONS: &[&str] = &[
    "occupied().count() % 2 == 1",
    "game.rounds % 2 == 1",
    "players()[0].sum % 3 == 1",
    "4 / (players()[1].sum % 3) == 2",
    "players().some(|player| player.sum > 2)",
];

/// Walks that look for a condition, in several ways, as [`compare_walks`] does. `always` says that compiled rules are to do so.
fn compare_condition(
    what: &str,
    (text, always): (&str, bool),
    (program, machine): (&Program, &Machine<'_>),
    symmetries: &[Symmetry],
) {
    let source = Arc::new(Source::new("(condition)", format!("{{ {text} }}")));
    let (span, none) = (Span::new(0..source.text().len()), Placeholders::new());
    if program.compile_expression(&source, span, &none).is_err() {
        // Another game has such properties.
        return;
    }
    let what = &format!("{what}, looking for {text}");
    let expression = Expression { source: &source, span, of_player: false };
    let bounds = Bounds { states: 120, bytes: 300_000_000 };
    for (is, turns) in [(true, None), (false, Some(3))] {
        let mark = |program: &Program, sight: Sight<'_>| {
            // As questions do.
            if sight.again {
                return Ok(None);
            }
            let holds = program.judge_expression(&source, span, &none, sight.state)?;
            Ok((holds == is).then_some(5))
        };
        let condition = Some(LookFor { expression, is, mark: 5 });
        let look = Some(Look { mark: &mark, only_ends: false, turn_ends: false, condition });
        let edges = turns.is_none();
        let plan = WalkPlan { bounds, look, turns, edges, ..followed_by(Follower::Machine) };
        let (compiled, _) = compare_plan(what, machine, &plan, usize::MAX);
        assert!(compiled > 0 || !always, "{what}");
        compare_plan(what, machine, &WalkPlan { symmetries, ..plan }, 7);
    }
}

fn compare_plan(what: &str, machine: &Machine<'_>, plan: &WalkPlan<'_>, most: usize) -> (usize, usize) {
    let walked = |by: Follower| {
        let mut heard = Heard { all: Vec::new(), most };
        (walk(machine, &WalkPlan { by, ..*plan }, &mut heard), heard.all)
    };
    let mut compiled = (0, 0);
    let (expected, heard) = walked(Follower::Machine);
    for engine in Engine::ALL {
        let (found, also) = walked(Follower::Compiled(*engine));
        assert_eq!(heard, also, "{what}, {}", engine.name());
        match (&expected, &found) {
            (Ok(expected), Ok(found)) => {
                compare(expected, found);
                compiled = (compiled.0 + usize::from(found.is_by_compiled_rules()), compiled.1 + 1);
            }
            _ => assert_eq!(format!("{expected:?}"), format!("{found:?}"), "{what}"),
        }
    }
    compiled
}

fn tried(what: &str, game: &str, rules: &str) -> (usize, usize) {
    let (game, program) = loaded(what, game, &[], rules.to_owned());
    walked(what, &game, &program)
}

fn walked(what: &str, game: &Game, program: &Program) -> (usize, usize) {
    let machine = first_turn(program, set_up(game, 2), &silent());
    match machine.stop() {
        Stop::Paused(_) => {
            // One of them: each compiles the rules once more.
            compare_condition(what, (CONDITIONS[what.len() % CONDITIONS.len()], false), (program, &machine), &[]);
            compare_walks(what, &machine, 150, &[])
        }
        _ => (0, 0),
    }
}

#[test]
fn compiled_rules_find_the_states_of_games() {
    for (id, states, by_compiled) in [
        ("pig", 400, true),
        ("royal-game-of-ur", 400, true),
        ("breakthrough", 300, true),
        ("hex-squish", 400, true),
        ("draughts", 400, true),
        ("lines-of-action", 150, true),
    ] {
        let rules = Playable::load(id, &[]);
        let machine = begun(&rules, &rules.program.schema().variants[0], 2);
        let symmetries = Symmetry::all(&machine.state().table);
        // Not all of them make a position of the game one of the game.
        let symmetries = if id == "hex-squish" { symmetries } else { Vec::new() };
        let (compiled, of) = compare_walks(id, &machine, states, &symmetries);
        CONDITIONS.iter().for_each(|text| compare_condition(id, (text, true), (&rules.program, &machine), &symmetries));
        assert_eq!(compiled > 0, by_compiled, "{id}: {compiled} of {of}");
    }
}

#[test]
fn compiled_rules_find_the_states_for_rules_of_every_kind() {
    let mut whole = (0, 0);
    let mut count = |(compiled, of)| whole = (whole.0 + compiled, whole.1 + of);
    for (what, deed, _) in TRIED {
        count(tried(
            what,
            GAME,
            &format!("{deed}\nfn turn(me) {{ deed(me); if me.sum > 40 {{ win(me); }} me.sum %= 7; }}\n"),
        ));
    }
    for applied in APPLIED {
        count(tried(applied, JUMPS, &format!("{MOVES}{applied}")));
    }
    assert!(whole.0 * 10 > whole.1 * 2, "{whole:?}");
}

/// One choice in a turn, and what is done with it: errors, further phases, turns that list nothing, listings that change something.
const CHOSEN: &[&str] = &[
    "me.sum = (me.sum + picked) % 9;",
    "me.sum += picked; if me.sum > 6 { win(me); } if picked == 3 { game.rounds = 5 / (me.sum % 2); }",
    "me.sum = (me.sum + picked) % 5; if picked == 2 { next_turn(me); then(\"later\", me, picked); }",
    "me.tired = picked > 1; then(\"later\", after(me), me.sum); then(\"later\", me, picked); me.sum = picked;",
    "if picked == 3 { draw_game(); } me.sum = picked; if me.sum == 1 { then(\"empty\", me); }",
];

#[test]
fn what_a_single_choice_leads_to_is_found_by_compiled_rules() {
    for chosen in CHOSEN {
        let rules = format!(
            "fn turn(me) {{ if me.tired && me.sum == 0 {{ return; }}\nlet picked = choose(me, \"pick\", range(1, 4)); {chosen} }}\n\
             fn later(me, n) {{ me.sum = (me.sum + n) % 4; game.rounds = (game.rounds + 1) % 3; }}\n\
             fn empty(me) {{ if me.sum > 2 {{ return; }} me.sum = (me.sum + roll(\"coin\")) % 4; }}\n"
        );
        let (compiled, of) = tried(chosen, MADE, &rules);
        assert!(compiled > 0, "{chosen}: {compiled} of {of}");
    }
}

/// Functions that a listing calls by their names.
const COUNT: &str = "\nfn raised(me) { me.sum = (me.sum + 1) % 3; me }\nfn other(me) { me }\n";

/// A function that lists moves may change something: the state at the beginning of its turn is then another one.
#[test]
fn listings_that_change_something_are_followed_from_the_beginning_of_their_turn() {
    let changes = [
        "me.sum = (me.sum + 1) % 3;",
        "game.turns = (game.turns + me.sum) % 5; me.sum = (me.sum + 1) % 2;",
        "Fn(if me.sum > 5 { \"other\" } else { \"raised\" }).call(me);",
        "[me].map(\"raised\");",
    ];
    for change in changes {
        let moves = MOVES.replace("let found = no_moves();", &format!("let found = no_moves(); {change}"));
        let moves = moves.replace("game.turns += 1;", "");
        let (compiled, of) = tried(change, JUMPS, &format!("{moves}fn apply(me, move) {{ make(move); }}{COUNT}"));
        // Where a function is called by its name, the walk may be left to the machine.
        assert!(compiled > 0 || change.contains("raised"), "{change}: {compiled} of {of}");
    }
}

fn compare_walks_over_made_up_rules(seeds: std::ops::Range<u64>) {
    let (mut whole, mut all) = (0, 0);
    for seed in seeds {
        let rules = made_rules(seed);
        let what = format!("seed {seed}:\n{rules}");
        let game = game_of(MADE, &[], rules);
        // Some made-up conditions can never hold, which the check tells.
        let Ok(program) = Program::load(&game.schema, &[Arc::clone(&game.rules)]) else { continue };
        let (compiled, of) = walked(&what, &game, &program);
        whole += compiled;
        all += of;
    }
    assert!(whole * 2 > all, "{whole} of {all}");
}

#[test]
fn walks_over_made_up_rules_find_the_same() {
    compare_walks_over_made_up_rules(0..40);
}

#[test]
#[ignore = "takes minutes"]
fn walks_over_made_up_rules_find_the_same_in_full() {
    compare_walks_over_made_up_rules(40..300);
}

/// Threads that help compile the rules, too. They find the same.
#[test]
fn compiled_rules_on_several_threads_find_the_same_states() {
    let rules = Playable::load("hex-squish", &[]);
    let machine = begun(&rules, &rules.program.schema().variants[0], 2);
    let more = || Some(Playable::load("hex-squish", &[]).program);
    let bounds = Bounds { states: 6_000, bytes: 300_000_000 };
    let walked = |by: Follower, threads: usize| -> Space {
        let mut heard = Heard { all: Vec::new(), most: 1 };
        let plan = WalkPlan { bounds, rules: &more, crew: &Threads(threads), ..followed_by(by) };
        walk(&machine, &plan, &mut heard).unwrap()
    };
    let expected = walked(Follower::Machine, 0);
    for engine in Engine::ALL {
        for threads in [0, 2] {
            let found = walked(Follower::Compiled(*engine), threads);
            compare(&expected, &found);
            assert!(found.is_by_compiled_rules());
        }
    }
    // From some state on.
    compare(&expected, &walked(Follower::After(1_000), 0));
}

/// Compiled rules count no runs of lines, so they do not run rules whose runs are counted.
#[test]
fn runs_that_are_counted_are_those_of_the_machine() {
    let rules = "fn turn(me) { let picked = choose(me, \"pick\", range(1, 3)); me.sum = (me.sum + picked) % 9;\n\
                 if me.sum == 7 {\n rare(me);\n } }\nfn rare(me) { me.tired = !me.tired; }\n";
    let (game, _) = loaded("counted runs", MADE, &[], rules.to_owned());
    let loading = Loading { counts: true, ..Loading::default() };
    let counted = |by: Follower| {
        let program = Program::load_with(&game.schema, std::slice::from_ref(&game.rules), &loading);
        let program = program.map_err(|wrong| wrong.len()).unwrap();
        let machine = first_turn(&program, set_up(&game, 2), &silent());
        let mut heard = Heard { all: Vec::new(), most: 1 };
        let space = walk(&machine, &followed_by(by), &mut heard).unwrap();
        assert!(!space.is_by_compiled_rules());
        (space.states(), program.take_counts())
    };
    let expected = counted(Follower::Machine);
    for engine in Engine::ALL {
        assert_eq!(counted(Follower::Compiled(*engine)), expected);
    }
}

const NOUGHTS: &str = "game tried \"Noughts and crosses\"\nplayers 2 cross nought\nrules \"rules.rhai\"\n\
                       rulebook \"RULES.md\"\nboard grid 3x3\ndirections 8 clockwise from north\n\
                       piece mark many for each player symbols X O\nsymmetry rotations reflections\nask put CELL\n";

const NOUGHTS_RULES: &str = "
fn turn(me) {
    place(mark(me), choose(me, \"put\", all_cells() - occupied()));
    if has_three(cells(me)) { win(me); }
    if count(occupied()) == 9 { draw_game(); }
}

fn has_three(own) {
    for name in [\"N\", \"NE\", \"E\", \"SE\"] {
        let rows = own;
        for far in 1..3 { rows = own & rows.shift(direction_named(name)); }
        if !rows.is_empty() { return true; }
    }
    false
}
";

/// The positions after each number of marks, all and up to turns and reflections: sequences A085698 and A008907 of the On-Line
/// Encyclopedia of Integer Sequences.
const POSITIONS: [[usize; 10]; 2] =
    [[1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78], [1, 3, 12, 38, 108, 174, 204, 153, 57, 15]];

#[test]
fn noughts_and_crosses_have_as_many_positions_as_known() {
    let (game, program) = loaded("noughts and crosses", NOUGHTS, &[], NOUGHTS_RULES.to_owned());
    let machine = first_turn(&program, set_up(&game, 2), &silent());
    let turned = Symmetry::all(&machine.state().table);
    assert_eq!(turned.len(), 7);
    let followers = Engine::ALL.iter().map(|engine| Follower::Compiled(*engine)).chain([Follower::Machine]);
    for by in followers {
        for (symmetries, known) in [&[][..], &turned].into_iter().zip(POSITIONS) {
            let mut heard = Heard { all: Vec::new(), most: 1 };
            let space = walk(&machine, &WalkPlan { symmetries, ..followed_by(by) }, &mut heard).unwrap();
            assert_eq!(space.levels(), known, "{by:?}");
            assert_eq!((space.is_whole(), space.on_cycles()), (true, 0), "{by:?}");
        }
    }
}
