//! Looks at the position after a move, `if_made`: a chess by it against one with pins by hand, and everything is taken back.

use std::path::Path;

use referee_play::{Counter, Machine, Playouts, Stop, StrategyProfile};
use referee_rules::{Engine, Program};
use referee_scenario::{Loader, LoaderOptions, plan};
use referee_source::MemoryHost;
use referee_table::{Cell, Direction, Face, PieceId, PlayerId, PropertyId, State, Value, ZoneId};
use referee_trace::{Answer, Question};

use super::compiled::{beginning, compare, loaded, play_tried};
use super::compiled_search::compare_counts;
use super::every_game::games;
use super::playing::{Playable, Random, answer, silent};
use super::playouts::{first_turn, set_up};

/// The two chesses: their game files and rules.
const PINS: (&str, &str) = (
    include_str!("../../benches/games/chess-pins/chess-pins.game"),
    include_str!("../../benches/games/chess-pins/rules.rhai"),
);
const WHAT_IF: (&str, &str) = (
    include_str!("../../benches/games/chess-what-if/chess-what-if.game"),
    include_str!("../../benches/games/chess-what-if/rules.rhai"),
);

const RULEBOOK: &str = include_str!("../../benches/games/chess-pins/RULES.md");

fn chess((game, rules): (&str, &str)) -> (referee_game::Game, Program) {
    let game = game.replace("game chess-pins", "game tried").replace("game chess-what-if", "game tried");
    loaded("chess", &game, &[("RULES.md", RULEBOOK)], rules.to_owned())
}

/// The chesses with the numbers of sequences of 1, 2 … answers from these positions; a promotion is an answer of its own.
const COUNTED: [(&str, &str, &[u64]); 3] = [
    ("the first position", "", &[20, 400, 8902]),
    (
        "Kiwipete",
        "r . . . k . . r/p . p p q p b ./b n . . p n p ./. . . P N . . ./. p . . P . . ./. . N . . Q . p/P P P B B P P P/R . . . K . . R",
        &[48, 2039],
    ),
    // Captures in passing that would open a line to the king.
    (
        "pawns on a line",
        ". . . . . . . ./. . p . . . . ./. . . p . . . ./K P . . . . . r/. R . . . p . k/. . . . . . . ./. . . . P . P ./. . . . . . . .",
        &[14, 191, 2812],
    ),
];

/// Puts the pieces of a diagram on the board.
fn laid(game: &referee_game::Game, diagram: &str) -> State {
    let mut state = set_up(game, 2);
    if diagram.is_empty() {
        return state;
    }
    for at in 0..state.schema().pieces.len() {
        state.lift(PieceId::at(at));
    }
    for (row, line) in diagram.split('/').enumerate() {
        for (column, sign) in line.split(' ').enumerate().filter(|(_, sign)| *sign != ".") {
            let name = format!("{}{}", (b'a' + u8::try_from(column).unwrap()) as char, 8 - row);
            let cell = state.board().cell(&name).unwrap();
            let owner = PlayerId::at(usize::from(sign == sign.to_lowercase()));
            let kind =
                ["pawn", "knight", "bishop", "rook", "queen", "king"]["pnbrqk".find(&sign.to_lowercase()).unwrap()];
            let kind = state.schema().kind(kind).unwrap();
            let piece =
                state.schema().pieces_of(kind).find(|piece| state.schema().pieces[piece.index()].owner == Some(owner));
            state.put(piece.unwrap(), cell).unwrap();
        }
    }
    state
}

#[test]
fn both_chesses_have_the_published_numbers_of_sequences() {
    for (which, chess) in [("by hand", chess(PINS)), ("by looking", chess(WHAT_IF))] {
        let (game, program) = chess;
        for (what, diagram, counts) in COUNTED {
            let machine = first_turn(&program, laid(&game, diagram), &silent());
            for (depth, count) in (1..).zip(counts) {
                assert_eq!(
                    Counter::by(None).count(&machine, depth).unwrap(),
                    *count,
                    "{what} {which}, {depth} answers"
                );
            }
        }
    }
}

/// The same by compiled rules, also from positions in the middle of games.
#[test]
fn compiled_rules_count_the_same_sequences_of_chess() {
    for (which, chess) in [("by hand", chess(PINS)), ("by looking", chess(WHAT_IF))] {
        let (game, program) = chess;
        for (what, diagram, counts) in &COUNTED {
            let machine = first_turn(&program, laid(&game, diagram), &silent());
            compare_counts(&format!("{what} {which}"), &machine, counts.len().min(2));
        }
    }
}

#[test]
fn no_king_castles_over_an_attacked_cell() {
    for (game, program) in [chess(PINS), chess(WHAT_IF)] {
        let rook = "r . . . k . . r/. . . . . . . ./. . . . . . . ./. . . . . r . ./. . . . . . . ./. . . . . . . ./. . . . . . . ./R . . . K . . R";
        let options = options(&first_turn(&program, laid(&game, rook), &silent()));
        let has = |option: &str| options.iter().any(|other| other == option);
        assert!(has("e1-c1") && !has("e1-g1") && has("e1-e2") && !has("e1-f1"), "{options:?}");
    }
}

#[test]
fn a_mated_player_loses_and_a_stuck_one_draws() {
    for (game, program) in [chess(PINS), chess(WHAT_IF)] {
        for (diagram, end) in [
            // Black, whose turn comes after White's only sensible move, is mated; or has no move.
            (
                "k . . . . . . ./. . . . . . . ./K . . . . . . ./. . . . . . . ./. . . . . . . ./. . . . . . . ./. . . . . . . ./. . . . . . . R",
                "h1-h8",
            ),
            (
                "k . . . . . . ./. . . . . . . ./. K . . . . . ./. . . . . . . ./. . . . . . . ./. . . . . . . ./. . . . . . . ./. . Q . . . . .",
                "c1-c7",
            ),
        ] {
            let mut machine = first_turn(&program, laid(&game, diagram), &silent());
            let made = chosen(&machine, end);
            answer(&mut machine, made);
            let outcome = machine.state().outcome.clone().unwrap();
            let wanted = if end == "h1-h8" { "Won([PlayerId(0)])" } else { "Draw" };
            assert_eq!(format!("{outcome:?}"), wanted, "{end}");
        }
    }
}

/// The answer that is the option written so.
fn chosen(machine: &Machine<'_>, written: &str) -> Answer {
    let at = options(machine).iter().position(|option| option == written);
    assert!(at.is_some(), "no {written} among {:?}", options(machine));
    Answer::Chosen(at.unwrap())
}

/// The options at a pause, as they are written.
fn options(machine: &Machine<'_>) -> Vec<String> {
    let Stop::Paused(ask) = machine.stop() else { return Vec::new() };
    let Question::Choose(decision) = &ask.question else { return Vec::new() };
    let names = referee_table::Names { schema: machine.state().schema(), board: machine.state().board() };
    decision.options.iter().map(|option| option.values.iter().map(|value| names.write(None, value)).collect()).collect()
}

/// In games that are played at random, both list the same moves at each turn, and end alike.
#[test]
fn looking_at_each_move_finds_the_moves_that_pins_allow() {
    let (pins, what_if) = (chess(PINS), chess(WHAT_IF));
    let (mut turns, mut promotions) = (0, 0);
    for seed in 0..12 {
        let mut random = Random(seed);
        let diagram = COUNTED[seed as usize % 3].1;
        let mut one = first_turn(&pins.1, laid(&pins.0, diagram), &silent());
        let mut other = first_turn(&what_if.1, laid(&what_if.0, diagram), &silent());
        for _ in 0..160 {
            let (mut expected, mut found) = (options(&one), options(&other));
            let Stop::Paused(ask) = one.stop() else { break };
            let Some(Answer::Chosen(at)) = random.answer(&ask.question, one.state()) else { unreachable!("a choice") };
            let made = expected[at].clone();
            promotions += usize::from(!made.contains(['-', 'x']));
            expected.sort_unstable();
            found.sort_unstable();
            assert_eq!(found, expected, "game {seed}, turn {turns}");
            let answers = [chosen(&one, &made), chosen(&other, &made)];
            let [first, second] = answers;
            answer(&mut one, first);
            answer(&mut other, second);
            assert_eq!(one.state().part_in_bytes(), other.state().part_in_bytes(), "game {seed}, {made}");
            turns += 1;
        }
        assert_eq!(format!("{:?}", one.state().outcome), format!("{:?}", other.state().outcome));
    }
    assert!(turns > 600 && promotions > 3, "{turns} turns, {promotions} promotions");
}

#[test]
fn random_games_of_chess_are_the_same_by_each_engine() {
    for (game, program) in [chess(PINS), chess(WHAT_IF)] {
        let start = beginning(&game, &program);
        let (strategy, max_plies) = (StrategyProfile::default(), 60);
        let playouts = Playouts { rollouts: None, program: &program, start: &start, strategy: &strategy, max_plies };
        let whole = compare("chess", &playouts, 3);
        assert_eq!(whole, 3 * Engine::ALL.len() as u64, "{:?}", program.uncompiled());
    }
}

const GAME: &str = "game tried \"Tried\"\nplayers 2 red blue\nrules \"rules.rhai\"\nrulebook \"RULES.md\"\n\
                    board grid 4x4\ndirections 8 clockwise from north\ndie six 1..6\ncounter sum for each player = 0\ncounter rounds\n\
                    piece man many for each player symbols r b\npiece king for each player symbols R B\n\
                    flag tired for each king\nproperty spot CELL\nproperty trail for each player NUMBERS\n\
                    ask pick NUMBER\nask move MOVE\nask stay\nevent told NUMBER\n";

/// Functions that look in different ways. The compiled rules play so many of four games themselves.
const LOOKS: &[(&str, &str, u64)] = &[
    (
        "moves of many, in closures, with captures",
        r#"
        fn setting(me) { if at(nth(1)) == () { place(man(me), nth(1)); } if at(nth(6)) == () { place(man(after(me)), nth(6)); } }
        fn free(me) { count(around(cells(me)) - occupied()) }
        fn deed(me) {
            setting(me);
            roll("six");
            let moves = steps(cells(me) & touched(all_cells() - cells(me)));
            let good = moves.filter(|move| if_made(move, || free(me) > 4));
            let all = count(good);
            for move in good { all += if_made(move, || count(occupied()) * 10 + free(me)); }
            me.sum = (me.sum * 7 + all) % 10007;
            if count(good) > 0 { make(choose(me, "move", good)); }
        }"#,
        4,
    ),
    (
        "a king, a list of moves, a look in a look, and what is lost",
        r#"
        fn deed(me) {
            let king = king(me);
            if is_off(king) && at(nth(3)) == () { place(king, nth(3)); }
            if is_off(king) { return; }
            let found = [];
            for to in around(cells(king)) - occupied() { found.push(path(cell(king), to)); }
            let far = roll("six");
            let best = found.filter(|move| if_made(move, || count(around(cells(king))) >= far));
            let next = 0;
            for move in found {
                let to = move.to;
                next += if_made(move, || if at(move.from) == () { number(cell(king)) + count(around(one(to))) } else { 1000 });
                let back = path(move.to, move.from);
                next += if_made(move, || if_made(back, || number(cell(king))) + number(cell(king)) * 3);
            }
            me.sum = (me.sum * 3 + next + best.len) % 10007;
            if best.len > 0 { make(best[far % best.len]); }
        }"#,
        4,
    ),
    (
        "effects, with events, clauses, phases and properties, which are dropped",
        r#"
        fn apply(me, move) {
            clause("A1");
            event("told", me.sum);
            make(move);
            me.sum += 100;
            me.trail = set_of(me.trail + [3]);
            game.spot = move.to;
            then("later", me);
        }
        fn later(me) { me.sum += 1; }
        fn deed(me) {
            if at(nth(1)) == () { place(man(me), nth(1)); }
            let moves = steps(cells(me) & touched(all_cells() - occupied()));
            let far = roll("six");
            let seen = [];
            for move in moves { seen.push(if_made(|| apply(me, move), || me.sum + number(game.spot) + me.trail.len + count(occupied()))); }
            for n in seen { me.sum = (me.sum * 3 + n) % 10007; }
            if count(moves) > 0 { apply(me, choose(me, "move", moves)); }
        }"#,
        4,
    ),
    (
        "clauses and events of what looks, which are dropped",
        r#"
        fn looked(me) { clause("A1"); event("told", 3); count(around(cells(me))) }
        fn deed(me) {
            if at(nth(1)) == () { place(man(me), nth(1)); }
            let moves = steps(cells(me) & touched(all_cells() - occupied()));
            for move in moves { me.sum = (me.sum + if_made(move, || looked(me))) % 10007; }
            if count(moves) > 0 { make(choose(me, "move", moves)); event("told", looked(me)); }
        }"#,
        4,
    ),
    (
        "what the host has to look at inside",
        r#"
        fn named(me) { let all = ""; for piece in on(occupied()) { all += name(piece); } all.len }
        fn deed(me) {
            if at(nth(1)) == () { place(man(me), nth(1)); }
            if is_off(king(me)) && at(nth(11)) == () { place(king(me), nth(11)); }
            let moves = steps(cells(me) & touched(all_cells() - cells(me)));
            let all = 0;
            for move in moves { all += if_made(move, || named(me)) * 3 + named(me); }
            me.sum = (me.sum * 3 + all) % 10007;
            if count(moves) > 0 { make(choose(me, "move", moves)); }
        }"#,
        4,
    ),
    (
        "errors in a look that are caught",
        r#"
        fn tried(me, move) { try { return if_made(move, || if number(move.to) > 8 { throw "far" } else { 1 }); } catch { return if at(move.from) == () { 100 } else { 2 }; } }
        fn deed(me) {
            if at(nth(1)) == () { place(man(me), nth(1)); }
            let moves = steps(cells(me) & touched(all_cells() - occupied()));
            for move in moves { me.sum = (me.sum * 3 + tried(me, move)) % 10007; }
            if count(moves) > 0 { make(choose(me, "move", moves)); }
        }"#,
        4,
    ),
    (
        "a move that cannot be made",
        r#"fn deed(me) { let far = roll("six"); if game.rounds > 6 { me.sum += if_made(path(nth(1), nth(2)), || far); } }"#,
        0,
    ),
    (
        "the end of the game in a look",
        r#"
        fn ends(me) { if me.sum > 20 { win(me); } 1 }
        fn deed(me) {
            me.sum += roll("six");
            if at(nth(1)) == () { place(man(me), nth(1)); }
            for move in steps(cells(me) & touched(all_cells() - occupied())) { me.sum += if_made(move, || ends(me)); }
        }"#,
        0,
    ),
];

#[test]
fn looks_are_the_same_by_each_engine() {
    for (what, deed, whole) in LOOKS {
        let (found, told) = play_tried(what, GAME, &[], deed, 4);
        assert_eq!(found, whole * Engine::ALL.len() as u64, "{what}: {told}");
    }
}

/// Changes something of a state, as rules may; what is not possible there does nothing.
fn change(state: &mut State, random: &mut Random) {
    let schema = std::sync::Arc::clone(&state.table.schema);
    let piece = PieceId::at(random.below(schema.pieces.len().max(1)));
    let cell = Cell::at(random.below(state.board().size().max(1)));
    let zone = ZoneId::at(random.below(schema.zones.len().max(1)));
    match random.below(12) {
        0 | 1 => _ = state.put(piece, cell),
        2 => state.lift(piece),
        3 => state.clear(cell),
        4 => {
            let to = state.board().step(cell, Direction(1)).unwrap_or(cell);
            _ = state.make(&referee_table::Move::step(cell, to, state.at(to).is_some()));
        }
        5 | 6 => {
            let property = PropertyId::at(random.below(schema.properties.len().max(1)));
            let Some(declared) = schema.properties.get(property.index()) else { return };
            let owners = state.table.owners(declared);
            let Some(owner) = owners.get(random.below(owners.len().max(1))).copied() else { return };
            let value = match random.below(3) {
                0 => Value::Int(7),
                1 => Value::Set([Value::Int(3), Value::Int(99)].into()),
                _ => Value::Nothing,
            };
            state.set_value(property, owner, value);
        }
        _ if schema.zones.is_empty() => state.next_turn = Some(PlayerId(1)),
        7 => state.shuffle(zone),
        8 => {
            let card = state.zone(zone).and_then(|zone| zone.counts().keys().next().copied());
            if let (Some(card), Some(slot)) = (card, state.zone_mut(zone)) {
                slot.take(card);
                state.note_loose(card, zone);
                state.note_drawn(zone);
            }
        }
        9 => state.arrange(zone, u32::try_from(random.below(2)).unwrap(), &[piece]),
        10 if schema.back().is_some() => _ = state.lay_face_down(cell, Face::Unknown(zone)),
        _ => drop(state.take_face(cell)),
    }
}

/// Whatever is changed in a look, also in looks in one another: after it the state is what it was, with its stamps.
#[test]
fn everything_is_taken_back() {
    for id in games() {
        let rules = Playable::load(&id, &[]);
        let variant = &rules.program.schema().variants[0];
        let players = rules.program.schema().player_count_of(0).0;
        let mut state = rules.start(variant, players, rules.defaults());
        let mut random = Random(5);
        for _ in 0..60 {
            // What belongs to the table never changes, and is told first.
            let written = |state: &State| format!("{state:?}").split_once(", contents: ").unwrap().1.to_owned();
            let told = |state: &State| (written(state), state.key(), state.part_in_bytes().to_vec(), state.weight());
            let before = told(&state);
            state.look();
            for _ in 0..random.below(6) {
                change(&mut state, &mut random);
            }
            let within = told(&state);
            state.look();
            for _ in 0..random.below(6) {
                change(&mut state, &mut random);
            }
            state.look_back();
            assert_eq!(told(&state), within, "{id}");
            state.look_back();
            assert_eq!(told(&state), before, "{id}");
            change(&mut state, &mut random);
        }
    }
}

/// The messages of a scenario of a game with these rules: those of its plan, or those of its run.
fn messages(rules: &str) -> String {
    let host = MemoryHost::default()
        .with("games/tried/tried.game", GAME)
        .with("games/tried/RULES.md", "[A1] Play.\n")
        .with("games/tried/rules.rhai", rules)
        .with("a.scenario", "use tried\nscenario \"a\"\n  place red at a1\n  turn red\n  expect turn blue\n");
    let options = LoaderOptions { games: Some("games".into()), working_folder: "/".into(), ..LoaderOptions::default() };
    let mut loader = Loader::new(&host, options);
    let suite = plan(&mut loader, Path::new("a.scenario"));
    let mut all: Vec<String> = suite.problems.iter().map(|one| format!("{}: {}\n", one.code, rendered(one))).collect();
    if all.is_empty() {
        let result = referee_scenario::judge(&mut loader, &suite, 0);
        all.extend(
            result.failures.iter().map(|one| format!("{}: {}\n", one.diagnostic.code, rendered(&one.diagnostic))),
        );
    }
    all.concat()
}

fn rendered(one: &referee_diagnostic::Diagnostic) -> String {
    let marked = one.labels.first().map(|label| label.source.slice(label.span).to_owned());
    format!("{} [{}] {}", one.message, marked.unwrap_or_default(), one.help.clone().unwrap_or_default())
}

/// What is wrong in a look is told with its place: when the rules are loaded, if it is plain, and otherwise when they run.
#[test]
fn errors_in_looks_are_told() {
    const MOVE: &str = "let move = path(cell_named(\"a1\"), cell_named(\"a2\"));";
    for (what, deed, told) in [
        (
            "an ask",
            "if_made(move, || roll(\"six\") > 3)",
            "ask_in_closure: `roll` asks, but asks are not possible here [roll]",
        ),
        (
            "an ask of a function",
            "if_made(|| thrown(), || me.sum)",
            "ask_in_closure: `thrown` asks, but asks are not possible here [thrown]",
        ),
        (
            "an end",
            "if_made(move, || { win(me); 1 })",
            "only_looks: the game cannot end inside `if_made`: it only looks at a position that is not played [win]",
        ),
        (
            "an end in what is carried out",
            "if_made(|| { make(move); over(me) }, || 1)",
            "only_looks: the game cannot end inside `if_made`: it only looks at a position that is not played [win]",
        ),
        (
            "a move that is not possible",
            "if_made(path(move.to, move.from), || 1)",
            "rules: a2-a1 cannot be made: there is no piece on a2",
        ),
        ("no move", "if_made(3, || 1)", "wrong_values: "),
        ("no function", "if_made(move, me.sum > 3)", "wrong_values: "),
    ] {
        let rules = format!(
            "fn thrown() {{ roll(\"six\") }}\nfn over(me) {{ win(me) }}\nfn turn(me) {{ {MOVE} let seen = {deed}; if seen == 77 {{ me.sum = seen; }} if me.sum > 99 {{ me.sum = thrown(); over(me); }} }}\n"
        );
        let found = messages(&rules);
        assert!(found.starts_with(told), "{what}:\n{found}");
    }
}
