//! Notes of `referee check`: what works as it is documented and is seldom meant.

use referee_diagnostic::Code;
use std::path::Path;

use referee_scenario::{Loader, LoaderOptions};
use referee_source::MemoryHost;

/// Returns the codes of the notes on a game, each with the text that it underlines and its message.
fn notes(game: &str, rules: &str) -> Vec<(Code, String, String)> {
    let host = MemoryHost::default()
        .with(
            "games/pace/pace.game",
            format!("game pace \"Pace\"\nplayers 2 white black\nrules \"rules.rhai\"\n{game}"),
        )
        .with("games/pace/rules.rhai", rules)
        .with("games/pace/goods.yaml", "cards:\n  - {name: ore, count: 3}\n  - {name: wool}\n")
        .with("games/pace/single.yaml", "cards:\n  - {name: ore}\n  - {name: wool}\n");
    let mut loader = Loader::new(&host, LoaderOptions::default());
    let file = Path::new("games/pace/pace.game");
    let wrong = referee_scenario::check_game(&mut loader, file);
    assert!(wrong.is_empty(), "{wrong:?}");
    let found = referee_scenario::notes(&loader, file).into_iter();
    found
        .map(|note| {
            let place = note.labels.first().map(|label| label.source.slice(label.span).to_owned());
            (note.code, place.unwrap_or_default(), note.message)
        })
        .collect()
}

const BOARD: &str =
    "board grid 4x4\npiece king for each player symbols K k\nask move MOVE\nplace white at a1, black at d4\n";
const MOVES: &str = "fn moves(me) {
    let found = no_moves();
    let from = cell(king(me));
    for to in around(one(from)) - occupied() { found += path(from, to); }
    found
}
fn stuck(me) { lose(me); }
";

/// Returns the notes on a game with a counter in which `each` is done after each move.
fn clocks(declared: &str, each: &str, ended: &str) -> Vec<(Code, String, String)> {
    let rules = format!("{MOVES}fn apply(me, move) {{ make(move); {each} }}\nfn ended(me) {{ {ended} }}\n");
    notes(&format!("{BOARD}{declared}\n"), &rules)
}

const THIRD: &str = "if repetitions(after(me)) == 2 { draw_game(); }";

#[test]
fn a_counter_that_every_turn_changes_keeps_repetitions_from_counting() {
    let clock = [
        ("counter idle = 0", "game.idle += 1;"),
        ("counter idle = 0", "set(game, \"idle\", game.idle + 1);"),
        ("counter idle = 0", "tally(game, \"idle\", 2);"),
        ("counter idle for each player", "me.idle += 1;"),
        ("counter idle for each king", "let king = king(me); king.idle += 1;"),
        ("counter idle = 0", "game.idle += 1; if game.idle > 9 { game.idle = 0; }"),
        ("counter idle = 0\noption clock = off | on", "if option(\"clock\") == \"on\" { game.idle += 1; }"),
    ];
    for (declared, each) in clock {
        let found = clocks(declared, each, THIRD);
        let [(code, place, message)] = found.as_slice() else { unreachable!("one note: {declared} {each} {found:?}") };
        assert_eq!((*code, place.as_str()), (Code::IdleRepetitions, "idle"), "{message}");
        assert_eq!(message.starts_with("with clock = on, "), declared.contains("option"), "{message}");
    }
}

#[test]
fn other_counters_leave_repetitions_alone() {
    let right = [
        // Rules cannot read it, and positions do not have it.
        ("record counter idle = 0", "tally(game, \"idle\", 1);", THIRD),
        // Only some turns change it.
        ("counter idle = 0", "if me == white { game.idle += 1; }", THIRD),
        ("counter idle = 0", "if column(cell(king(me))) == 1 { game.idle += 1; }", THIRD),
        // It comes back at once.
        ("counter idle = 0", "game.idle = 1 - game.idle;", THIRD),
        ("counter idle = 0", "game.idle += 1; game.idle -= 1;", THIRD),
        // The rules do not ask for repetitions.
        ("counter idle = 0", "game.idle += 1;", "if game.idle >= 30 { draw_game(); }"),
    ];
    for (declared, each, ended) in right {
        assert_eq!(clocks(declared, each, ended), [], "{declared} {each}");
    }
}

#[test]
fn a_value_of_a_kind_with_copies_is_shared() {
    let rules = "fn turn(me) { choose(me, \"go\", [may(\"go\")]); }\n";
    let kinds = [
        ("board grid 4x4\npiece man many for each player symbols m n\n", "man"),
        ("board grid 4x4\npiece rock many symbol r\n", "rock"),
        ("card good from \"goods.yaml\"\n", "good"),
    ];
    for (declared, kind) in kinds {
        for property in ["flag tired for each", "counter hits for each", "property mate for each"] {
            let value = if property.starts_with("property") { " PLAYER" } else { "" };
            let mut found = notes(&format!("{declared}{property} {kind}{value}\nask go\n"), rules);
            found.retain(|(code, ..)| *code != Code::UnusedDeclaration);
            let [(code, place, _)] = found.as_slice() else { unreachable!("one note: {property} {kind} {found:?}") };
            assert_eq!((*code, place.as_str()), (Code::SharedByCopies, property.split(' ').nth(1).unwrap()));
        }
    }
    let apart = [
        "board grid 4x4\npiece king for each player\nflag tired for each king\nask go\n",
        "board grid 4x4\npiece block 1..3\nflag tired for each block\nask go\n",
        "card good from \"single.yaml\"\nflag tired for each good\nask go\n",
        "card good from \"goods.yaml\"\nflag tired for each player\ncounter sold\nask go\n",
    ];
    for game in apart {
        let mut found = notes(game, rules);
        found.retain(|(code, ..)| *code != Code::UnusedDeclaration);
        assert_eq!(found, [], "{game}");
    }
}

/// What nothing uses, and what nobody reads. Each line of the game file is used by a rule that is left out.
#[test]
fn what_nothing_uses_is_noted() {
    let game = "die luck 1..6\ndie storm 1..6\nask stop\nask go NUMBER\nevent PLAYER rests\nevent PLAYER runs\n\
                option wind = calm | strong\noption tide = low | high\nflag wet for each player\nflag dry for each player\n\
                counter steps for each player\ncounter falls for each player\nzone bag hidden\nzone box hidden\n";
    let rules = "fn turn(me) {
    let act = choose(me, \"go\", 1..=roll(\"luck\"));
    let idle = act + 1;
    let total = 0;
    total += act;
    if option(\"wind\") == \"calm\" { me.steps += act; }
    set(me, \"wet\", is_empty(bag));
    event(\"runs\", me);
    rest(me, act);
    if me.steps > 9 { then(\"end\", me, act); }
}
fn rest(me, act) { if me.steps > 5 { me.steps = 5; } }
fn end(me, act) { win(me); }
";
    let found = notes(game, rules);
    let told: Vec<(&str, &str)> = found.iter().map(|(code, place, _)| (code.name(), place.as_str())).collect();
    assert_eq!(
        told,
        [
            ("unused_declaration", "storm"),
            ("unused_declaration", "ask stop"),
            ("unused_declaration", "event PLAYER rests"),
            ("unused_declaration", "tide"),
            ("unused_declaration", "dry"),
            ("unused_declaration", "falls"),
            ("unused_declaration", "box"),
            ("unread_variable", "idle"),
            ("unread_variable", "total"),
            ("unread_variable", "rest"),
        ]
    );
    let computed = rules.replace("event(\"runs\", me);", "let verb = \"runs\"; event(verb, me);");
    assert!(notes(game, &computed).iter().all(|(_, place, _)| !place.contains("rests")));
    let said = rules.replace("idle", "_idle").replace("rest(me, act) {", "rest(me, _act) {");
    let said = notes(game, &said);
    let places: Vec<&str> = said.iter().map(|(_, place, _)| place.as_str()).collect();
    assert!(!places.contains(&"_idle") && !places.contains(&"rest"), "{places:?}");
}
