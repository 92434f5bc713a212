//! Games played by compiled rules must be the same as those that the machine plays.

use std::path::Path;
use std::sync::Arc;

use referee_diagnostic::{Code, Diagnostic};
use referee_game::{Game, SearchPath};
use referee_play::{Machine, Played, Playouts, Quicker, Start, StrategyProfile};
use referee_rules::{Engine, Program};
use referee_source::MemoryHost;
use referee_table::{Phase, PlayerId, Variant};

use super::every_game::games;
use super::playing::{Playable, silent};
use super::playouts::{first_turn, set_up};

/// What came of a game.
pub(super) fn told(played: &Played) -> impl PartialEq + std::fmt::Debug + use<> {
    (played.tally.clone(), played.state.key(), format!("{:?}", played.ending), played.over_at)
}

/// Plays games by the machine and by each engine, and compares them, and those that are only counted. Returns how many were
/// played by compiled rules, for all engines together.
pub(super) fn compare(what: &str, playouts: &Playouts<'_>, games: u64) -> u64 {
    playouts.program.forget_compiled();
    let by_machine: Vec<_> = (0..games).map(|number| playouts.play(7, number, false)).collect();
    let mut whole = 0;
    for engine in Engine::ALL {
        assert!(playouts.compile(*engine), "{what}");
        let mut series = playouts.series();
        for (number, expected) in (0..).zip(&by_machine) {
            let found = playouts.play(7, number, false);
            assert_eq!(told(&found), told(expected), "{what}, game {number}, {}", engine.name());
            whole += u64::from(found.compiled);
            // Some of these begin after a game that was given up.
            for number in [number, number / 2] {
                let found = playouts.count(series.as_mut(), 7, number);
                let expected = by_machine.get(number as usize).map(|played| (&played.tally, &played.ending));
                let found = Some((&found.tally, &found.ending));
                assert_eq!(found, expected, "{what}, game {number} counted, {}", engine.name());
            }
        }
    }
    whole
}

/// Plays games of each variant with the fewest and the most players, with house rules over the game.
fn compare_game(id: &str, houses: &[&str], games: u64, max_plies: u64) {
    let rules = Playable::load(id, houses);
    let program = &rules.program;
    let (mut whole, mut most) = (0, 0);
    for (at, variant) in program.schema().variants.iter().enumerate() {
        let (fewest, many) = program.schema().player_count_of(at);
        for players in [fewest, many] {
            let start = start(&rules, variant, players);
            let playouts =
                Playouts { rollouts: None, program, start: &start, strategy: &StrategyProfile::default(), max_plies };
            whole += compare(&format!("{id} {}, {players} players", variant.name), &playouts, games);
            most += games * Engine::ALL.len() as u64;
        }
    }
    let left = program.uncompiled();
    assert!(whole * 10 >= most * 9, "{id}: compiled rules have played only {whole} of {most} games; {left:?}");
}

/// Returns a game of a variant at its first ask.
pub(super) fn begun<'p>(rules: &'p Playable, variant: &Variant, players: usize) -> Machine<'p> {
    let mut machine = Machine::new(&rules.program, rules.start(variant, players, rules.defaults()));
    match rules.program.has("setup", 0) {
        true => machine.set_up(&[Phase { name: "setup".into(), args: Vec::new() }], &silent()),
        false => machine.first_turn(PlayerId(0), &silent()),
    }
    machine
}

/// Returns the beginning of the games of a variant, after its set-up.
pub(super) fn start(rules: &Playable, variant: &Variant, players: usize) -> Start {
    Start::of(&begun(rules, variant, players)).unwrap()
}

/// The machine plays the first four games of a series, compiled rules the next four, and then whichever is quicker.
#[test]
fn a_series_is_compiled_where_its_host_is_called_seldom() {
    const LONG: u64 = 1_000_000;
    let chosen = [
        ("pig", LONG, [4, 6]),
        ("pig", 1, [0, 0]),
        ("hex-squish", LONG, [4, 6]),
        ("draughts", LONG, [4, 6]),
        ("squirmish", LONG, [4, 6]),
    ];
    for (id, left, compiled) in chosen {
        let rules = Playable::load(id, &[]);
        let start = start(&rules, &rules.program.schema().variants[0], 2);
        let playouts = Playouts {
            rollouts: None,
            program: &rules.program,
            start: &start,
            strategy: &StrategyProfile::default(),
            max_plies: 200,
        };
        let by_machine: Vec<_> = (0..14).map(|number| told(&playouts.play(7, number, false))).collect();
        let quicker = Quicker::by(Engine::ALL.first().copied());
        let played: Vec<_> = (0..14).map(|number| playouts.play_one_of(left, &quicker, 7, number)).collect();
        assert!(played.iter().map(told).eq(by_machine), "{id}");
        let state = |number| playouts.count_one_of(left, &quicker, number % 2 == 0, 7, number);
        for (number, played) in (0..).zip(&played) {
            let ended = state(number);
            assert_eq!((&ended.tally, &ended.ending), (&played.tally, &played.ending), "{id}, game {number}");
            assert!(number % 2 == 1 || ended.state.is_some_and(|state| state.key() == played.state.key()), "{id}");
        }
        let count = |from: usize, to: usize| played[from..to].iter().filter(|game| game.compiled).count();
        assert_eq!([count(4, 8), count(8, 14)], compiled, "{id}, {left} left");
        assert_eq!(count(0, 4), 0, "{id}");
    }
}

#[test]
fn a_series_is_left_to_the_machine_where_its_host_is_called_often() {
    // The machine runs what may fail and goes on.
    let deed = r#"fn part(n) { try { n } catch { 0 } }
        fn deed(me) { let six = roll("six"); for n in 0..200 { six = part(part(part(part(six)))); } me.sum += six; }"#;
    let (game, program) = loaded("often", GAME, &[], with_turn(deed));
    let start = beginning(&game, &program);
    let strategy = StrategyProfile::default();
    let playouts = Playouts { rollouts: None, program: &program, start: &start, strategy: &strategy, max_plies: 200 };
    let quicker = Quicker::by(Engine::ALL.first().copied());
    let played: Vec<_> = (0..14).map(|number| playouts.play_one_of(1_000_000, &quicker, 7, number)).collect();
    let count = |from: usize, to: usize| played[from..to].iter().filter(|game| game.compiled).count();
    assert_eq!([count(0, 4), count(4, 8), count(8, 14)], [0, 4, 0]);
}

/// Asks that take any values are unknown to compiled rules: none play such a game, and the machine's games are the same.
#[test]
fn asks_for_any_values_are_left_to_the_machine() {
    let deed = r#"fn deed(me) {
            let said = choose(me, "pick", [may_any("pick", [roll("six"), 7]), may("stay")]);
            if said.verb == "pick" { me.sum += said.value; }
        }
        fn why_not(me, action) { if action.verb == "pick" && action.value > 7 { "too much" } }"#;
    let (game, program) = loaded("open", GAME, &[], with_turn(deed));
    let start = beginning(&game, &program);
    let strategy = StrategyProfile::default();
    let playouts = Playouts { rollouts: None, program: &program, start: &start, strategy: &strategy, max_plies: 200 };
    let by_machine: Vec<_> = (0..14).map(|number| told(&playouts.play(7, number, false))).collect();
    let quicker = Quicker::by(Engine::ALL.first().copied());
    let played: Vec<_> = (0..14).map(|number| playouts.play_one_of(1_000_000, &quicker, 7, number)).collect();
    assert!(played.iter().map(told).eq(by_machine));
    assert!(played.iter().all(|game| !game.compiled && game.tally.decisions > 0));
    assert!(Engine::ALL.iter().all(|engine| !playouts.compile(*engine)));
}

#[test]
fn every_game_is_played_the_same() {
    for id in games() {
        compare_game(&id, &[], 2, 60);
    }
}

/// A house rule that declares a counter, an event and an option makes a game like any other.
#[test]
fn a_house_rule_that_declares_is_played_the_same() {
    compare_game("breakthrough", &["three-captures"], 10, 300);
}

#[test]
#[ignore = "many games"]
fn every_game_is_played_the_same_in_full() {
    for id in games() {
        compare_game(&id, &[], 10, 500);
    }
}

pub(super) const GAME: &str = "game tried \"Tried\"\nplayers 2 red blue\nrules \"rules.rhai\"\nrulebook \"RULES.md\"\n\
                    board grid 3x3\ndie six 1..6\ndie three 3 of 1..4\ndie word low | high | high\n\
                    counter sum for each player = 0\ncounter rounds\nproperty last CELL\nflag tired for each player\n\
                    piece man many for each player symbols a b\npiece king for each player symbols K Q\n\
                    ask pick NUMBER\nask go CELL\nask stay\nevent told NUMBER\nevent went PLAYER to CELL\n";

/// Rules of a game with a turn `turn(me)` in which `deed(me)` is done, with the number of games of ten that compiled rules
/// play themselves; the machine plays the others.
pub(super) const TRIED: &[(&str, &str, u64)] = &[
    (
        "throws of one die, of several, and of one with sides of different chances",
        "fn deed(me) { for n in roll(\"three\") { me.sum += n; } me.sum += roll(\"six\"); \
         if roll(\"word\") == \"high\" { me.sum += 10; } }",
        10,
    ),
    (
        "choices with the same option twice, with many options, and with one",
        "fn deed(me) {\n    let few = [may(\"stay\"), may(\"pick\", 2), may(\"stay\"), may(\"pick\", 2), may(\"pick\", 3)];\n    \
         let chosen = choose(me, \"pick\", few.filter(|one| true));\n    \
         if chosen.verb == \"pick\" { me.sum += chosen.value; }\n    let many = [];\n    \
         for n in 0..40 { many.push(may(\"pick\", n % 30)); }\n    me.sum += choose(me, \"pick\", many).values[0];\n    \
         me.sum += choose(me, \"pick\", [may(\"pick\", 7)]).value; }",
        10,
    ),
    (
        "pieces that come and go",
        "fn deed(me) {\n    let free = all_cells() - occupied();\n    if count(free) > 2 {\n        \
         let goal = choose(me, \"go\", in_order(free).map(|cell| may(\"go\", cell))).value;\n        \
         place(man(me), goal); game.last = goal; event(\"went\", me, goal);\n    } else {\n        \
         for cell in cells(me) { if me.sum % 2 == 0 { remove(cell); } }\n        \
         let empty = all_cells() - occupied();\n        if !empty.is_empty() { place(king(me), in_order(empty)[0]); }\n    }\n    \
         me.sum += count(cells(me)) + if is_off(king(me)) { 0 } else { number(cell(king(me))) };\n    \
         if game.last != () && at(game.last) == () { game.last = (); } }",
        10,
    ),
    (
        "lists and maps with two holders",
        "fn deed(me) {\n    let a = [[1], [2]]; let b = a; b[0].push(roll(\"six\")); b.push([3]); a[1][0] = 5;\n    \
         let m = #{ x: [1], y: a }; let n = m; n.x.push(2); n.y[0] = [7]; m[\"z\"] = n;\n    \
         me.sum += a.len * 100 + b.len * 10 + b[0].len + a[1][0] + m.x.len + n.x.len + m.z.x.len;\n    \
         if a[0] != [1] || m.y != a || n.y == m.y { throw \"wrong\"; } }",
        10,
    ),
    (
        "a sum of lists with too many elements",
        "fn deed(me) { let l = [0]; for n in 0..14 { l += l; } me.sum += l.len(); }",
        0,
    ),
    (
        "a sum whose second part changes the first one",
        "fn deed(me) { let l = [1]; l += if me.sum < 100 { l = [2, 3]; [4] } else { [5] }; for n in l { me.sum += n; } }",
        10,
    ),
    (
        "a closure that nobody calls, and one that is called later",
        "fn deed(me) { let idle = |n| game.rounds = 0; let adds = |n| me.sum += n; if me.sum < 50 { adds.call(3); } }",
        10,
    ),
    (
        "numbers with more than 60 bits",
        "fn deed(me) { let big = 1; for n in 0..62 { big *= 2; } me.sum += if big > 0 { 1 } else { 2 }; }",
        0,
    ),
    (
        "loops over few values, which are written round by round",
        "const STEPS = [3, 1, 2]; const PAIRS = [[1, \"a\"], [2, \"b\"]];\n\
         fn deed(me) {\n    for n in STEPS { if n == roll(\"six\") { continue; } me.sum += n; if me.sum % 7 == 0 { break; } }\n    \
         for pair in PAIRS { let n = pair[0]; let word = pair[1]; me.sum += n; if word == \"b\" { me.sum += 10; } }\n    \
         for n in 0..3 { let l = [n]; for m in [1, 2, n] { l.push(m); if l.len > 3 { break; } } me.sum += l[-1] + l.len; }\n    \
         let found = for n in 1..=4 { if n == roll(\"six\") { break n; } }; if found != () { me.sum += found; }\n    \
         for (n, at) in [5, 6] { n += at; me.sum += n; }\n    for cell in all_cells() & one(in_order(all_cells())[2]) { me.sum += number(cell); } }",
        10,
    ),
    (
        "functions that are written for fixed arguments, and in place",
        "const WAY = [2, 0, 1];\n\
         fn way(n) { WAY[n] } fn twice(n) { n + n } fn early(me, n) { if n > 3 { return 1; } if me == red { return way(n % 3); } 2 }\n\
         fn changes(n) { n += 1; n } fn grows(list, n) { list.push(n); list } fn down(n) { if n == 0 { 0 } else { n + down(n - 1) } }\n\
         fn deed(me) {\n    me.sum += way(0) + twice(3) + early(me, 5) + early(after(me), roll(\"six\")) + changes(4) + down(3);\n    \
         let l = [1]; let m = grows(l, 2); m = grows(m, twice(way(2))); me.sum += l.len * 100 + m.len + m[2];\n    \
         let far = if me == red { twice(way(1)) } else { changes(roll(\"six\")) };\n    \
         for name in [\"low\", \"high\"] { if roll(\"word\") == name { me.sum += far; } } }",
        10,
    ),
    (
        "a loop that is written round by round in one round of another, but not in the next",
        "fn deed(me) { let s = 0; for a in 1..=2 { for b in 0..a * 10 { s += b; } } me.sum += s + roll(\"six\"); }",
        10,
    ),
    (
        "functions that the machine runs, where they would be written in place",
        "fn total(list) { let n = 0; try { for x in list { n += x; } } catch { n = 1; } n }\n\
         fn found(list) { list.some(|x| { if x == 1 { return true; } try { x } catch { } false }) }\n\
         fn deed(me) {\n    let six = roll(\"six\"); let t = total([1, 2, six].map(|x| (x + 1) * 100 + x)); me.sum += t;\n    \
         if found([3, six]) { return; } me.sum += 1; }",
        10,
    ),
    (
        "a win in a function that is written in place",
        "fn tried(me, n) { if n > 4 { win(me); } n } fn deed(me) { me.sum += tried(me, roll(\"six\")); }",
        10,
    ),
    (
        "phases to come from the host and from compiled rules",
        "fn later(me, n) { me.sum += n; if n == 3 { me.sum = me.sum * 2 % 50; } } \
         fn tried(me) { try { then(\"later\", me, 1); } catch (e) { me.sum += 100; } } \
         fn deed(me) { then(\"later\", me, 2); then(\"later\", me, 3); tried(me); me.sum += roll(\"six\"); }",
        0,
    ),
    ("a loss", "fn deed(me) { me.sum += roll(\"six\"); if me.sum > 9 { lose(me); } }", 10),
    (
        "a draw",
        "fn deed(me) { me.sum += roll(\"six\"); if me.sum > 9 { if me == red { draw_game(); } else { nobody_wins(); } } }",
        10,
    ),
    ("an error", "fn deed(me) { if me.sum > 3 { throw \"enough\"; } me.sum += 1; }", 0),
    (
        "functions nested too deep",
        "fn down(n) { if n == 0 { 0 } else { 1 + down(n - 1) } } fn deed(me) { me.sum += down(40); }",
        0,
    ),
    (
        "owners that calls evaluate before the number, and assignments after the value",
        "fn who() { if roll(\"six\") > 3 { red } else { blue } } \
         fn late(me) { let p = me; tally(p, \"sum\", { p = after(p); 3 }); } \
         fn more(n) { n * 2 } \
         fn deed(me) { tally(who(), \"sum\", roll(\"six\")); set(who(), \"sum\", me.sum * 2 + roll(\"six\")); \
         late(me); let p = me; p.sum += roll(\"six\"); tally(p, \"sum\", p.sum % 3); tally(who(), \"sum\", me.sum % 5); \
         let n = 1; me.sum += more(n) + max(n, me.sum % 2); if me.sum > 1000 { me.sum = 1; } }",
        10,
    ),
    (
        "what is called on a value and looked up in one, where both sides do something",
        "fn noted(x) { set(red, \"sum\", (red.sum * 10 + x) % 10007); x } fn all(x) { noted(x); all_cells() } \
         fn one_of(x) { noted(x); in_order(all_cells())[x] } \
         fn deed(me) { let six = roll(\"six\"); let x = noted(1).max(noted(six)); blue.sum += x + [noted(3), 7][noted(4) - 4]; \
         if all(5).has(one_of(six)) { blue.sum += 1; } blue.sum += #{ a: noted(2) }[if noted(6) == 6 { \"a\" } else { \"b\" }]; \
         me.sum += [roll(\"six\"), roll(\"six\"), 3, 4, 5, 6][roll(\"six\") - 1]; \
         let m = #{ n: [1, 2] }; me.sum += m.n.index_of({ m.n = [2, six]; six }); }",
        10,
    ),
    (
        "variables on the left of what changes them",
        "fn deed(me) { let n = roll(\"six\"); let s = n + { n += 4; n }; if n == { n += 1; n } { s += 100; } \
         let k = 1; for i in k..{ k = 4; 6 } { s = s * 10 + i; } s += switch n + { n = 5; 1 } { 6 => 2, 7 => 6, _ => 9 }; \
         let a = one(cell_named(\"a1\")); let b = a | { a = one(cell_named(\"b2\")); one(cell_named(\"c3\")) }; \
         s += count(b) + if b.has(cell_named(\"a1\")) { 7 } else { 8 }; me.sum = (me.sum + s) % 10007; }",
        10,
    ),
    (
        "moves joined until the machine has listed too many",
        "fn deed(me) { let all = no_moves(); for n in 0..3000 { all += jumps(touched(all_cells()), 1); } \
         me.sum += all.count(); }",
        0,
    ),
    ("rounds without an end", "fn deed(me) { loop { me.tired = !me.tired; } }", 0),
    ("a list that grows without an end", "fn deed(me) { let list = [1]; loop { list += list; } }", 0),
    (
        "phases in a row, the last one asks",
        "fn deed(me) { then(\"first\", me, 3); then(\"second\", me); } \
         fn first(me, n) { me.sum += n; if n > 0 { then(\"first\", me, n - 1); then(\"second\", me); } } \
         fn second(me) { game.rounds += 1; if roll(\"six\") > 4 { then(\"first\", me, 0); } }",
        10,
    ),
    ("phases without an end", "fn deed(me) { then(\"deed\", me); }", 0),
    (
        "what the machine runs",
        "fn add() { this += 1; } fn tried(me) { try { throw 3; } catch (e) { me.sum += e; } } \
         fn deed(me) { let n = 2; n.add(); me.sum += n; tried(me); let s = 0; [1, 2].for_each(|| s += 1); me.sum += s; }",
        10,
    ),
];

#[test]
fn rules_of_every_kind_are_played_the_same() {
    for (what, deed, whole) in TRIED {
        // Rules without an end take seconds.
        compare_rules(what, GAME, deed, if *whole == 0 { 1 } else { 10 }, *whole);
    }
}

/// Compares games of a game whose turn does `deed(me)` twenty times. Compiled rules play so many of them themselves.
fn compare_rules(what: &str, game: &str, deed: &str, games: u64, whole: u64) {
    let (found, told) = play_tried(what, game, &[], deed, games);
    assert_eq!(found, whole * Engine::ALL.len() as u64, "{what}: {told}");
}

/// Compares such games, of a game with further files. Returns how many compiled rules have played, for all engines together,
/// and what is to be told if they are too few.
pub(super) fn play_tried(what: &str, game: &str, files: &[(&str, &str)], deed: &str, games: u64) -> (u64, String) {
    let (game, program) = loaded(what, game, files, with_turn(deed));
    let start = beginning(&game, &program);
    let playouts = Playouts {
        rollouts: None,
        program: &program,
        start: &start,
        strategy: &StrategyProfile::default(),
        max_plies: 60,
    };
    let found = compare(what, &playouts, games);
    let ending = playouts.play(7, 0, false).ending;
    (found, format!("{:?}, {ending:?}", program.uncompiled()))
}

/// Returns rules with a turn in which something is done.
pub(super) fn with_turn(deed: &str) -> String {
    format!("{deed}\nfn turn(me) {{ deed(me); game.rounds += 1; if game.rounds > 20 {{ win(me); }} }}\n")
}

/// Returns the beginning of the games of two players.
pub(super) fn beginning(game: &Game, program: &Program) -> Start {
    let machine = Machine::new(program, set_up(game, 2));
    Start::of(&machine).or_else(|| Start::of(&first_turn(program, set_up(game, 2), &silent()))).unwrap()
}

/// Returns a game with these files and rules.
pub(super) fn game_of(game: &str, files: &[(&str, &str)], rules: String) -> Game {
    let host = MemoryHost::default()
        .with("games/tried/tried.game", game)
        .with("games/tried/RULES.md", "[A1] Play.\n")
        .with("games/tried/rules.rhai", rules);
    let host = files.iter().fold(host, |host, (name, text)| host.with(format!("games/tried/{name}"), *text));
    let asked = Diagnostic::general(Code::UnknownGame, "no such game");
    let search_path = SearchPath::new(&host, None, "".into());
    let game = Game::find(&search_path, Path::new("a.scenario"), "tried", &asked);
    game.map_err(|errors| errors.iter().map(|one| one.message.clone()).collect::<Vec<_>>()).unwrap()
}

pub(super) fn loaded(what: &str, game: &str, files: &[(&str, &str)], rules: String) -> (Game, Program) {
    let game = game_of(game, files, rules);
    let program = Program::load(&game.schema, &[Arc::clone(&game.rules)]);
    let told = |one: &Diagnostic| {
        format!("{what}: {}: {:?}", one.message, one.labels.first().map(|label| label.source.slice(label.span)))
    };
    let program = program.map_err(|errors| errors.iter().map(told).collect::<Vec<_>>()).unwrap();
    (game, program)
}

/// Boards of all shapes, the last one with more cells than a set has in one word.
const BOARDS: [&str; 7] = [
    "board grid 3x3\ndirections 8 clockwise from north",
    "board grid 8x8\ndirections 8 clockwise from north",
    "board grid 5x4\ndirections 4 clockwise from north",
    "board grid 8x2\ndirections 4 clockwise from east",
    "board hex 2\ndirections 6 clockwise from north-east",
    "board hex 4\ndirections 6 clockwise from north-east",
    "board grid 9x9\ndirections 8 clockwise from north",
];

/// Functions for the results of sets for each direction and of moves as one number.
const ADDED_UP: &str = r#"
fn of(set) {
    let sum = count(set);
    for cell in set { sum = (sum * 7 + number(cell)) % 10007; }
    sum
}

fn of_all(dirs) {
    let sum = of(in_any(dirs));
    for direction in 1..=directions() { sum = (sum * 31 + of(dirs.toward(direction))) % 10007; }
    sum
}

fn of_moves(moves) {
    let sum = count(moves);
    for move in moves {
        sum = (sum * 7 + number(move.from) * 67 + number(move.to) + if move.captures { 3000 } else { 0 }) % 10007;
        sum += of(captured(move));
    }
    sum + if moves.is_empty() { 1 } else { 0 }
}

fn thrown() {
    let cells = in_order(all_cells());
    let set = no_cells();
    for n in 0..roll("three")[0] * 5 { set |= one(cells[(roll("six") * 36 + roll("six") * 6 + roll("six")) % cells.len]); }
    set
}
"#;

/// What is done with them in a turn.
const WAYS_AND_MOVES: [&str; 7] = [
    r#"fn deed(me) {
        let a = thrown();
        let b = thrown();
        me.sum = (me.sum + of_all(touched(a)) + 2 * of_all(seen(a)) + 3 * of_all(seen_through(a, b))) % 10007;
        for far in 0..5 {
            me.sum = (me.sum * 3 + of_all(touched(a, far)) + of_all(seen(a, far)) + of_all(lined(b, far))) % 10007;
        }
        let ways = only(a, roll("six") % directions() + 1);
        ways |= touched(b);
        ways -= seen(a, 1);
        ways &= seen(b);
        let others = (a & ways.behind()) | (b & seen(a)).opposite() - (touched(b) & a) - b;
        me.sum = (me.sum + of_all(ways) + of_all(others) + of(flood(a, b)) + of(flood(a, a | b))) % 10007;
        for group in groups(a | b) { me.sum = (me.sum * 5 + of(group) + if connected(group) { 1 } else { 0 }) % 10007; }
        if connected(a) { me.sum += 1; }
    }"#,
    r#"fn deed(me) {
        let a = thrown();
        let b = thrown();
        for cell in b - occupied() { place(man(if roll("six") > 3 { me } else { after(me) }), cell); }
        let found = no_moves();
        found += jumps(touched(a, 2), roll("six"));
        let far = jumps(touched(a), 1) + jumps(seen(b, 3), 2) + jumps(seen(b), roll("six"));
        me.sum = (me.sum + of_moves(far)) % 10007;
        if !far.is_empty() {
            let one = choose(me, "move", far);
            me.sum = (me.sum * 7 + number(one.from) + number(one.to) + if one.captures { 1 } else { 0 }) % 10007;
            if at(one.from) == () { place(man(me), one.from); }
            let again = far + jumps(touched(b), 2);
            let other = choose(me, "move", again + far);
            me.sum = (me.sum * 7 + number(other.to) + again.count() + of_moves(again)) % 10007;
            found += far;
        }
        found += steps((touched(a) & cells(me)) - touched(cells(me)));
        let all = found + steps(seen(a)) + path(in_order(all_cells())[0], in_order(all_cells())[2]);
        me.sum = (me.sum + of_moves(found) + of_moves(all) + of_moves(no_moves())) % 10007;
        let one = choose(me, "move", all);
        me.sum = (me.sum * 3 + number(one.from) + number(one.to)) % 10007;
        let own = steps(only(cells(me), 1) | (touched(cells(after(me))) & cells(me)) - touched(cells(me)));
        if !own.is_empty() {
            let made = choose(me, "move", own);
            if made.captures || at(made.to) == () {
                event("moved", me, made);
                make(made);
            }
            if made == one { me.sum += 5; }
            if made == path(made.from, made.to) { me.sum += 9; }
        }
        for cell in occupied() & a { remove(cell); }
    }"#,
    r#"
    fn into(own, goals, way) { only(own & goals.shift(way), way) }
    fn both(own, goals) { let near = into(own, goals, 1); near | into(own, goals, 2) }
    fn listed(me, set) { if me == red { steps(both(cells(me), set)) } else { steps(touched(set) & cells(me)) } }
    fn deed(me) {
        let a = thrown();
        for cell in a - occupied() { place(man(if roll("six") > 3 { me } else { after(me) }), cell); }
        let free = all_cells() - occupied();
        let ways = both(cells(me), free);
        me.sum = (me.sum + of_all(ways) + of(in_any(ways | touched(a) - free)) + of(ways.toward(2))) % 10007;
        for far in 1..=2 { me.sum = (me.sum + of(ways.toward(far)) + of(ways.behind().toward(far))) % 10007; }
        let options = listed(me, free);
        me.sum = (me.sum * 3 + count(options) + of_moves(options)) % 10007;
        if !options.is_empty() {
            let made = choose(me, "move", options);
            event("moved", me, made);
            make(made);
        }
        for cell in occupied() & a { remove(cell); }
    }"#,
    r#"fn deed(me) {
        let a = thrown();
        let b = thrown();
        let c = (a | b) - (a & b);
        c |= around(a);
        c -= b.shift(roll("six") % directions() + 1);
        me.sum = (me.sum + of(c) + of(around(b)) + if a == b { 1 } else { 2 } + if (a | b) != (b | a) { 3 } else { 4 }) % 10007;
        let seen = [0] + [0, 0];
        for cell in in_order(c) { seen += [number(cell)]; }
        for n in seen + seen { me.sum = (me.sum * 3 + n) % 10007; }
        if !c.is_empty() {
            let one = choose(me, "go", c);
            let other = choose(me, "go", in_order(c) + in_order(a) + [one]);
            let third = choose(me, "pick", [3, 5, 3, 7]);
            me.sum += number(one) + number(other) * 3 + third + if c.has(other) { 9 } else { 0 };
        }
        for cell in c - occupied() { place(man(if number(cell) % 3 == 0 { me } else { after(me) }), cell); }
        if is_off(king(me)) && occupied() != all_cells() { place(king(me), in_order(all_cells() - occupied())[0]); }
        me.sum = (me.sum + of(cells(me)) + of(occupied()) + of(cells(after(me)) & b)) % 10007;
        for cell in occupied() & (a | around(c)) { remove(cell); }
    }"#,
    // Moves of several steps.
    r#"fn deed(me) {
        let cells = in_order(all_cells());
        place(man(me), cells[0]);
        let long = path(cells[0], cells[2]).onward(cells[3]).capturing(cells[1]);
        let all = steps(touched(thrown())) + path(cells[0], cells[1]) + long;
        if at(cells[1]) == () { place(man(after(me)), cells[1]); }
        let made = choose(me, "move", all);
        me.sum = (me.sum + of_moves(all) + number(made.to) + stops(made).len) % 10007;
        if made == long { make(made); } else { remove(cells[1]); }
        for cell in occupied() { remove(cell); }
    }"#,
    r#"
    fn of_one(move) {
        let sum = number(move.from) * 67 + number(move.to) + if move.captures { 3000 } else { 0 } + of(captured(move));
        for stop in stops(move) { sum = (sum * 5 + number(stop)) % 10007; }
        sum
    }
    fn grown(cells, move, left) {
        if left == 0 { return move; }
        let on = cells[(roll("six") * 6 + roll("six")) % cells.len];
        let next = if roll("six") > 3 { move.onward(on) } else { move.capturing(on) };
        if roll("six") == 1 { next = next.capturing(thrown()); }
        grown(cells, next, left - 1)
    }
    fn any_move(cells) {
        let from = cells[roll("six") % cells.len];
        grown(cells, path(from, cells[(roll("six") + roll("six")) % cells.len]), roll("six") % 5)
    }
    fn deed(me) {
        let cells = in_order(all_cells());
        let some = [any_move(cells), any_move(cells)];
        let base = no_moves() + some[0];
        let one = base + some[1];
        let other = base + any_move(cells) + any_move(cells);
        base += one + other;
        for move in base + one { me.sum = (me.sum * 3 + of_one(move)) % 10007; }
        me.sum = (me.sum * 7 + of_moves(one) + of_moves(other) + of_moves(steps(touched(thrown())) + base)) % 10007;
        if some.contains(to_list(one)[0]) { me.sum += 1; }
        let same = some[0].capturing(some[0].to);
        if same == some[0] { me.sum += 2; }
        if some[0] != some[1].capturing(no_cells()) { me.sum += 4; }
        event("moved", me, same);
    }
    fn to_list(moves) { let list = []; for move in moves { list.push(move); } list }
    "#,
    r#"fn deed(me) {
        let cells = in_order(all_cells());
        for n in 0..4 {
            let cell = cells[(roll("six") * 3 + roll("three")[0]) % cells.len];
            if at(cell) == () { place(man(if roll("six") > 3 { me } else { after(me) }), cell); }
        }
        let found = no_moves();
        for from in cells(me) {
            let taken = no_cells();
            for over in around(one(from)) & cells(after(me)) {
                for to in around(one(over)) - occupied() - taken {
                    taken |= one(to);
                    let jump = path(from, to).capturing(over);
                    found += jump;
                    found += jump.onward(from);
                    for last in around(one(to)) - occupied() { found += path(from, to).capturing(over).onward(last); }
                }
            }
        }
        found += found;
        me.sum = (me.sum + of_moves(found)) % 10007;
        if !found.is_empty() {
            let made = choose(me, "move", found + steps(touched(all_cells() - occupied()) & cells(me)));
            event("moved", me, made);
            make(made);
            me.sum = (me.sum * 3 + stops(made).len + of(captured(made)) + of(occupied())) % 10007;
        }
        for cell in occupied() & thrown() { remove(cell); }
    }"#,
];

#[test]
fn pieces_that_cover_several_cells_are_seen_whole() {
    let game =
        GAME.replace("board grid 3x3", "board grid 8x8").replace("piece king", "piece block 1..2 size 2x2\npiece king");
    let deed = r#"fn deed(me) {
        let free = in_order(all_cells() - occupied()).filter(|cell| column(cell) < 7 && row(cell) < 7);
        let goal = choose(me, "go", free);
        if count(around(one(goal)) & occupied()) == 0 && at(goal) == () { place(block(roll("six") % 2 + 1), goal); }
        me.sum = (me.sum * 3 + count(occupied()) + number(goal)) % 10007;
    }"#;
    compare_rules("pieces of four cells", &game, deed, 4, 4);
}

#[test]
fn numbered_pieces_of_players_are_the_same() {
    let game = GAME
        .replace("board grid 3x3", "board grid 6x6")
        .replace("piece king", "piece guard 2..4 for each player symbols g h\ncounter hits for each guard\npiece king");
    let deed = r#"fn deed(me) {
        let mine = guard(me, 2 + roll("six") % 3);
        let free = in_order(all_cells() - occupied());
        if is_off(mine) && !free.is_empty() { place(mine, choose(me, "go", free)); }
        for one in pieces("guard") {
            if owner(one) == me && !is_off(one) { set(one, "hits", one.hits + number(one)); }
        }
        let other = guard(after(me), 3);
        if !is_off(other) && roll("six") == 1 { lift(other); }
        me.sum = (me.sum * 3 + mine.hits + count(occupied()) + number(mine)) % 10007;
    }"#;
    compare_rules("numbered guards", &game, deed, 4, 4);
}

#[test]
fn sets_for_each_direction_and_moves_are_the_same() {
    for board in BOARDS {
        let game = GAME.replace("board grid 3x3", board) + "ask move MOVE\nevent moved PLAYER MOVE\n";
        for (at, deed) in WAYS_AND_MOVES.iter().enumerate() {
            let deed = format!("{ADDED_UP}{deed}");
            compare_rules(&format!("{board}, turn {at}"), &game, &deed, 2, 2);
        }
    }
}

/// Reasons for refusals are no part of compiled games, whatever they look at.
#[test]
fn a_closure_in_a_reason_leaves_the_rules_compiled() {
    let deed = "fn tried(me, cell) { if_made(|| place(man(me), cell), || count(cells(me)) < 5) }
fn free(me) { in_order(all_cells() - occupied()).filter(|cell| tried(me, cell)) }
fn deed(me) { let free = free(me); if !free.is_empty() { place(man(me), choose(me, \"go\", free)); } me.sum += count(occupied()); }
fn why_not(me, action) { if in_order(all_cells()).filter(|cell| tried(me, cell)).is_empty() { return \"no\"; } }";
    compare_rules("a closure in a reason", GAME, deed, 10, 10);
}
