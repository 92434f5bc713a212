//! Plural kinds: what a set would lose is an error, in rules and in lines.

use std::path::Path;

use referee_diagnostic::Diagnostic;
use referee_scenario::{Loader, LoaderOptions};
use referee_source::MemoryHost;

/// A plural kind, and three of its values in the order of a set: in rules and in lines.
struct Sample {
    kind: &'static str,
    rules: [&'static str; 3],
    lines: [&'static str; 3],
}

const SAMPLES: [Sample; 7] = [
    Sample { kind: "NUMBERS", rules: ["1", "2", "3"], lines: ["1", "2", "3"] },
    Sample { kind: "TEXTS", rules: ["\"b\"", "\"k\"", "\"o\""], lines: ["b", "k", "o"] },
    Sample { kind: "PLAYERS", rules: ["ann", "bob", "cem"], lines: ["ann", "bob", "cem"] },
    Sample {
        kind: "PIECES",
        rules: ["piece(\"ore\")", "piece(\"big ore\")", "piece(\"wool\")"],
        lines: ["ore", "big ore", "wool"],
    },
    Sample {
        kind: "CELLS",
        rules: ["cell_named(\"a1\")", "cell_named(\"b1\")", "cell_named(\"a2\")"],
        lines: ["a1", "b1", "a2"],
    },
    Sample { kind: "DIRECTIONS", rules: ["1", "2", "4"], lines: ["N", "E", "W"] },
    Sample { kind: "MOVES", rules: ["path(a, b)", "path(a, d)", "path(b, a)"], lines: ["a1-b1", "a1-a2", "b1-a1"] },
];

const CELLS: &str = "let a = cell_named(\"a1\"); let b = cell_named(\"b1\"); let d = cell_named(\"a2\");";

/// Returns the errors of a scenario of a game whose turn is `body`.
fn errors(kind: &str, body: &str, lines: &str) -> Vec<Diagnostic> {
    let game = format!(
        "game bag \"Bag\"\nplayers 3 ann bob cem\nrules \"rules.rhai\"\nboard grid 2x2\ndirections 4 clockwise from \
         north\ncard good from \"cards.yaml\"\nask keep {kind}\nask none\nevent keeps {kind}\nevent gets {kind} [by \
         PLAYER]\nproperty code {kind}\nproperty mine for each player {kind}\n"
    );
    let rules = format!(
        "fn turn(me) {{ {CELLS} {body} }}\nfn kept(me, what) {{ event(\"keeps\", what); next(me); }}\n\
                         fn next(me) {{ choose(me, \"none\", [may(\"none\")]); }}\n"
    );
    let host = MemoryHost::default()
        .with("games/bag/bag.game", game)
        .with("games/bag/rules.rhai", rules)
        .with("games/bag/cards.yaml", "cards:\n  - {name: ore, count: 3}\n  - {name: big ore}\n  - {name: wool}\n")
        .with("a.scenario", format!("use bag\nscenario \"a\"\n{lines}"));
    let mut loader = Loader::new(&host, LoaderOptions::default());
    let suite = referee_scenario::plan(&mut loader, Path::new("a.scenario"));
    let results = (0..suite.tests.len()).flat_map(|at| referee_scenario::judge(&mut loader, &suite, at).failures);
    let failed: Vec<Diagnostic> = results.map(|failure| failure.diagnostic).collect();
    suite.problems.into_iter().chain(failed).collect()
}

/// Returns the codes of the errors, each with the text that its first label underlines.
fn codes(kind: &str, body: &str, lines: &str) -> Vec<(&'static str, String)> {
    let place = |wrong: &Diagnostic| {
        wrong.labels.first().map(|label| label.source.slice(label.span).to_owned()).unwrap_or_default()
    };
    errors(kind, body, lines).iter().map(|wrong| (wrong.code.name(), place(wrong))).collect()
}

/// The ways in which rules pass on a list, each with the call that is underlined.
const CHANNELS: [(&str, &str); 9] = [
    ("let kept = choose(me, \"keep\", [[ONE], LIST]);", "choose"),
    ("let kept = choose(me, \"keep\", [may(\"keep\", LIST)]);", "may"),
    ("choose_then(me, \"keep\", [LIST], \"kept\");", "choose_then"),
    ("let all = choose_all(players(), \"keep\", |p| [LIST]);", "choose_all"),
    ("event(\"keeps\", LIST); next(me);", "event"),
    ("event(\"gets\", LIST, me); next(me);", "event"),
    ("game.code = LIST; next(me);", ""),
    ("set(me, \"mine\", LIST); next(me);", ""),
    ("let list = LIST; me.mine = list; next(me);", ""),
];

#[test]
fn a_repeated_value_is_an_error_wherever_rules_pass_it_on() {
    for Sample { kind, rules: [one, two, _], .. } in &SAMPLES {
        for list in [format!("[{one}, {one}]"), format!("[{one}, {two}, {one}]"), format!("[{two}, {two}, {one}]")] {
            for (channel, call) in CHANNELS {
                let body = channel.replace("LIST", &list).replace("ONE", one);
                let found = codes(kind, &body, "  turn ann\n");
                let [(code, place)] = found.as_slice() else { unreachable!("no error: {kind} {body}") };
                assert!(*code == "lost_copies" && place.contains(call), "{kind} {body}: {found:?}");
            }
        }
    }
}

#[test]
fn an_order_is_lost_in_properties_and_between_options() {
    for Sample { kind, rules: [one, two, three], .. } in &SAMPLES {
        let turned = format!("[{three}, {one}, {two}]");
        for channel in ["game.code = LIST;", "set(me, \"mine\", LIST);", "me.mine = LIST;"] {
            let found = codes(kind, &format!("{} next(me);", channel.replace("LIST", &turned)), "  turn ann\n");
            assert_eq!(found.first().map(|(code, _)| *code), Some("lost_order"), "{kind} {channel}: {found:?}");
        }
        for options in ["[[A, B], [B, A]]", "[may(\"keep\", [A, B]), may(\"keep\", [B, A])]"] {
            let options = options.replace('A', one).replace('B', two);
            let found = codes(kind, &format!("choose(me, \"keep\", {options});"), "  turn ann\n");
            assert_eq!(found.first().map(|(code, _)| *code), Some("lost_order"), "{kind} {options}: {found:?}");
        }
    }
}

#[test]
fn nothing_is_lost_of_a_set() {
    for Sample { kind, rules: [one, two, three], lines: [first, second, third] } in &SAMPLES {
        let right = [
            // In order; what `set_of` returns; the empty list.
            format!(
                "game.code = [{one}, {two}, {three}]; me.mine = set_of([{three}, {one}, {three}, {two}]); next(me);"
            ),
            "game.code = []; me.mine = game.code; next(me);".to_owned(),
            // The order of one option, and of an event, means nothing.
            format!(
                "event(\"keeps\", [{three}, {one}, {two}]); choose(me, \"keep\", [[{two}, {one}], [{one}, {three}]]);"
            ),
            format!("choose(me, \"keep\", [set_of([{two}, {one}]), set_of([{one}, {two}])]);"),
            format!("choose_then(me, \"keep\", [may(\"keep\", [{two}, {one}]), may(\"keep\", [])], \"kept\");"),
        ];
        for body in right {
            assert_eq!(codes(kind, &body, "  turn ann\n  expect not over\n"), [], "{kind} {body}");
        }
        let body = format!(
            "me.mine = set_of([{three}, {one}, {two}]); event(\"keeps\", [{three}, {one}, {two}]); \
             choose(me, \"keep\", [[{two}, {one}], [{one}, {three}]]); next(me);"
        );
        let lines = format!(
            "  turn ann\n  expect events\n    > keeps {second} {third} {first}\n  expect ann.mine = {second} {first} {third}\n  \
             ann keep {first} {second}\n  expect asks ann none\n"
        );
        assert_eq!(codes(kind, &body, &lines), [], "{kind} {body}");
    }
}

#[test]
fn a_line_writes_each_value_once() {
    for Sample { kind, lines: [first, second, _], rules: [one, ..] } in &SAMPLES {
        let body = format!("event(\"keeps\", [{one}]); choose(me, \"keep\", [[{one}]]); next(me);");
        let wrong = [
            "  turn ann\n  ann keep VALUES\n",
            "  turn ann\n  refuse ann keep VALUES\n",
            "  turn ann\n  expect choices keep = VALUES\n",
            "  turn ann\n  expect choices includes keep VALUES\n",
            "  turn ann\n  expect events\n    > keeps VALUES\n",
            "  turn ann\n  expect events exactly\n    > gets VALUES by ann\n",
            "  set game.code VALUES\n  turn ann\n",
            "  set ann.mine = VALUES\n  turn ann\n",
            "  turn ann\n  expect game.code = VALUES\n",
            "  turn ann\n  expect chance game.code = VALUES = 1\n",
            "  turn ann\n  ann keep {what}\n  examples\n    | what |\n    | VALUES |\n",
        ];
        for (line, values) in wrong.iter().flat_map(|line| {
            [format!("{first} {first}"), format!("{first} {second} {first}"), format!("{second} {first} {first}")]
                .map(|values| (line, values))
        }) {
            let found = codes(kind, &body, &line.replace("VALUES", &values));
            assert_eq!(
                found.first(),
                Some(&("listed_twice", (*first).to_owned())),
                "{kind} {line} {values}: {found:?}"
            );
        }
    }
}

#[test]
fn the_messages_say_what_is_lost_in_the_words_of_the_game() {
    let said = |kind, body| {
        let found = errors(kind, body, "  turn ann\n");
        let [wrong] = found.as_slice() else { unreachable!("one error: {found:?}") };
        (wrong.message.clone(), wrong.help.clone().unwrap_or_default())
    };
    let (message, help) = said("PIECES", "let o = piece(\"ore\"); choose(me, \"keep\", [[o, o]]);");
    assert_eq!(message, "`ore` is repeated in `keep`, which keeps it once: `PIECES` is a set");
    assert!(help.contains("`keep PIECE PIECE`") && help.contains("`set_of(list)`"), "{help}");
    let (message, help) = said("NUMBERS", "let list = [3, 1, 2]; game.code = list;");
    assert_eq!(message, "the order is lost: the property `code` is a set, which keeps `1` before `3`");
    assert!(help.contains("`set_of(list)`"), "{help}");
    let (message, _) = said("CELLS", "choose(me, \"keep\", [[a, b], [b, a]]);");
    assert_eq!(message, "`keep a1 b1` is offered in two orders, which are one option: `CELLS` is a set");
}
