//! Bags, sets and lists: what each keeps, in rules and in lines; what a set or a property would lose is an error.

use std::path::Path;
use std::sync::Arc;

use referee_diagnostic::{Code, Diagnostic};
use referee_game::{Game, SearchPath};
use referee_scenario::{Loader, LoaderOptions};
use referee_source::{MemoryHost, Source};
use referee_table::{Names, Owner, Phrase, PlayerId, PropertyKind, Schema, Several, State, Symmetry, Table};

/// A kind, and three of its values in the order of a set: in rules and in lines.
struct Sample {
    kind: &'static str,
    rules: [&'static str; 3],
    lines: [&'static str; 3],
    /// Whether `x2` after a value says that it is there twice.
    counted: bool,
}

const SAMPLES: [Sample; 8] = [
    Sample { kind: "NUMBER", rules: ["1", "2", "3"], lines: ["1", "2", "3"], counted: true },
    Sample { kind: "TEXT", rules: ["\"b\"", "\"k\"", "\"o\""], lines: ["b", "k", "o"], counted: false },
    Sample {
        kind: "blue|green|red",
        rules: ["\"blue\"", "\"green\"", "\"red\""],
        lines: ["blue", "green", "red"],
        counted: true,
    },
    Sample { kind: "PLAYER", rules: ["ann", "bob", "cem"], lines: ["ann", "bob", "cem"], counted: true },
    Sample {
        kind: "PIECE",
        rules: ["piece(\"ore\")", "piece(\"big ore\")", "piece(\"wool\")"],
        lines: ["ore", "big ore", "wool"],
        counted: true,
    },
    Sample {
        kind: "CELL",
        rules: ["cell_named(\"a1\")", "cell_named(\"b1\")", "cell_named(\"a2\")"],
        lines: ["a1", "b1", "a2"],
        counted: true,
    },
    Sample { kind: "DIRECTION", rules: ["1", "2", "4"], lines: ["N", "E", "W"], counted: true },
    Sample {
        kind: "MOVE",
        rules: ["path(a, b)", "path(a, d)", "path(b, a)"],
        lines: ["a1-b1", "a1-a2", "b1-a1"],
        counted: true,
    },
];

const SEVERAL: [&str; 3] = ["BAG of", "SET of", "LIST of"];

const CELLS: &str = "let a = cell_named(\"a1\"); let b = cell_named(\"b1\"); let d = cell_named(\"a2\");";

/// A game in which several values of a kind are in each place that can have them.
fn host(kind: &str, body: &str, more: &str) -> MemoryHost {
    let game = format!(
        "game bag \"Bag\"\nplayers 3 ann bob cem\nrules \"rules.rhai\"\nboard grid 2x2\ndirections 4 clockwise from \
         north\ncard good from \"cards.yaml\"\nask keep {kind}\nask none\nevent keeps {kind}\nevent gets {kind} [by \
         PLAYER]\nproperty code {kind}\nproperty mine for each player {kind}\nproperty worn for each good {kind}\n{more}"
    );
    let rules = format!(
        "fn turn(me) {{ {CELLS} {body} }}\nfn kept(me, what) {{ event(\"keeps\", what); next(me); }}\n\
                         fn next(me) {{ choose(me, \"none\", [may(\"none\")]); }}\n"
    );
    MemoryHost::default()
        .with("games/bag/bag.game", game)
        .with("games/bag/rules.rhai", rules)
        .with("games/bag/cards.yaml", "cards:\n  - {name: ore, count: 3}\n  - {name: big ore}\n  - {name: wool}\n")
}

/// Returns the errors of a scenario of a game whose turn is `body`.
fn errors(kind: &str, body: &str, lines: &str) -> Vec<Diagnostic> {
    let host = host(kind, body, "").with("a.scenario", format!("use bag\nscenario \"a\"\n{lines}"));
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
const CHANNELS: [(&str, &str); 10] = [
    ("let kept = choose(me, \"keep\", [[ONE], LIST]);", "choose"),
    ("let kept = choose(me, \"keep\", [may(\"keep\", LIST)]);", "may"),
    ("choose_then(me, \"keep\", [LIST], \"kept\");", "choose_then"),
    ("let all = choose_all(players(), \"keep\", |p| [LIST]);", "choose_all"),
    ("event(\"keeps\", LIST); next(me);", "event"),
    ("event(\"gets\", LIST, me); next(me);", "event"),
    ("game.code = LIST; next(me);", ""),
    ("set(me, \"mine\", LIST); next(me);", ""),
    ("let list = LIST; me.mine = list; next(me);", ""),
    ("let good = piece(\"wool\"); good.worn = LIST; next(me);", ""),
];

#[test]
fn a_repeated_value_of_a_set_is_an_error_wherever_rules_pass_it_on() {
    for Sample { kind, rules: [one, two, _], .. } in &SAMPLES {
        for list in [format!("[{one}, {one}]"), format!("[{one}, {two}, {one}]"), format!("[{two}, {two}, {one}]")] {
            for (channel, call) in CHANNELS {
                let body = channel.replace("LIST", &list).replace("ONE", one);
                let found = codes(&format!("SET of {kind}"), &body, "  turn ann\n");
                let [(code, place)] = found.as_slice() else { unreachable!("no error: {kind} {body}: {found:?}") };
                assert!(*code == "lost_copies" && place.contains(call), "{kind} {body}: {found:?}");
            }
        }
    }
}

#[test]
fn a_bag_and_a_list_keep_it_there() {
    for Sample { kind, rules: [one, two, _], .. } in &SAMPLES {
        for several in ["BAG of", "LIST of"] {
            for list in [format!("[{one}, {one}]"), format!("[{one}, {one}, {two}]")] {
                for (channel, _) in CHANNELS {
                    let body = channel.replace("LIST", &list).replace("ONE", one);
                    let found = codes(&format!("{several} {kind}"), &body, "  turn ann\n  expect not over\n");
                    assert_eq!(found, [], "{several} {kind} {body}");
                }
            }
        }
    }
}

#[test]
fn an_order_is_lost_in_properties_that_are_bags_or_sets() {
    for Sample { kind, rules: [one, two, three], .. } in &SAMPLES {
        for several in SEVERAL {
            let turned = format!("[{three}, {one}, {two}]");
            for channel in ["game.code = LIST;", "set(me, \"mine\", LIST);", "me.mine = LIST;"] {
                let body = format!("{} next(me);", channel.replace("LIST", &turned));
                let found = codes(&format!("{several} {kind}"), &body, "  turn ann\n  expect not over\n");
                let wanted = (several != "LIST of").then_some("lost_order");
                assert_eq!(found.first().map(|(code, _)| *code), wanted, "{several} {kind} {channel}: {found:?}");
            }
        }
    }
}

#[test]
fn two_orders_are_one_option_of_a_bag_and_of_a_set_and_two_of_a_list() {
    for Sample { kind, rules: [one, two, _], lines: [first, second, _], .. } in &SAMPLES {
        for several in SEVERAL {
            for options in ["[[A, B], [B, A]]", "[may(\"keep\", [A, B]), may(\"keep\", [B, A])]"] {
                let options = options.replace('A', one).replace('B', two);
                let count = if several == "LIST of" { 2 } else { 1 };
                let body = format!(
                    "let kept = choose(me, \"keep\", {options}); event(\"keeps\", kept.value ?? kept); next(me);"
                );
                // What was chosen is what the rules get: in a list, as it was written.
                let body =
                    body.replace("kept.value ?? kept", if options.contains("may") { "kept.value" } else { "kept" });
                let lines = format!(
                    "  turn ann\n  expect choices keep count {count}\n  ann keep {second} {first}\n  expect events\n    > keeps \
                     {second} {first}\n"
                );
                assert_eq!(codes(&format!("{several} {kind}"), &body, &lines), [], "{several} {kind} {options}");
                let other = lines.replace(&format!("> keeps {second} {first}"), &format!("> keeps {first} {second}"));
                let failed = codes(&format!("{several} {kind}"), &body, &other);
                assert_eq!(failed.is_empty(), several != "LIST of", "{several} {kind} {options}: {failed:?}");
            }
        }
    }
}

/// All lists of so many of these values.
fn tuples(of: usize, size: usize) -> Vec<Vec<usize>> {
    (0..size).fold(vec![Vec::new()], |lists, _| {
        lists.iter().flat_map(|list| (0..of).map(move |next| [list.clone(), vec![next]].concat())).collect()
    })
}

/// The number of ways to choose so many of these values, without an order and without repetition.
fn chosen(of: usize, size: usize) -> usize {
    (0..size).fold(1, |ways, at| ways * (of - at) / (at + 1))
}

#[test]
fn the_options_are_as_many_as_there_are_bags_sets_and_lists() {
    for Sample { kind, rules, .. } in &SAMPLES {
        for size in 1..=4 {
            let written =
                |list: &Vec<usize>| format!("[{}]", list.iter().map(|at| rules[*at]).collect::<Vec<_>>().join(", "));
            let all = tuples(3, size);
            let distinct = |list: &&Vec<usize>| (0..3).all(|at| list.iter().filter(|other| **other == at).count() < 2);
            let sets: Vec<String> = all.iter().filter(distinct).map(written).collect();
            let all: Vec<String> = all.iter().map(written).collect();
            let cases = [
                ("BAG of", &all, chosen(3 + size - 1, size)),
                ("LIST of", &all, 3_usize.pow(size.try_into().unwrap())),
                ("SET of", &sets, if size > 3 { 0 } else { chosen(3, size) }),
            ];
            for (several, options, count) in cases.into_iter().filter(|(_, options, _)| !options.is_empty()) {
                let body = format!("choose(me, \"keep\", [{}]);", options.join(", "));
                let lines = format!("  turn ann\n  expect choices keep count {count}\n  expect perft 1 = {count}\n");
                assert_eq!(codes(&format!("{several} {kind}"), &body, &lines), [], "{several} {kind}, {size}");
            }
        }
    }
}

#[test]
fn nothing_is_lost_of_a_set() {
    for (Sample { kind, rules: [one, two, three], lines: [first, second, third], .. }, several) in
        SAMPLES.iter().flat_map(|sample| ["SET of", "BAG of"].map(|several| (sample, several)))
    {
        let kind = &format!("{several} {kind}");
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

/// Repetition is a claim: in a bag in any order and in both ways of writing it, in a list in its order.
#[test]
fn lines_say_how_often_a_value_is_there() {
    for Sample { kind, rules: [one, two, _], lines: [first, second, _], counted } in &SAMPLES {
        let body = format!(
            "me.mine = [{one}, {one}, {two}]; piece(\"wool\").worn = me.mine; event(\"keeps\", me.mine); event(\"gets\", \
             me.mine, me); choose_then(me, \"keep\", [me.mine, [{one}]], \"kept\");"
        )
        .replace("piece(\"wool\").worn =", "let good = piece(\"wool\"); good.worn =");
        let lines = "  set game.code = VALUES\n  turn ann\n  expect game.code = VALUES\n  expect ann.mine = VALUES\n  \
                     expect wool.worn = VALUES\n  expect events exactly\n    > keeps VALUES\n    > gets VALUES by ann\n  \
                     expect choices keep includes keep VALUES\n  expect choices keep count 2\n  ann keep VALUES\n  \
                     expect events exactly\n    > keeps VALUES\n";
        // Several texts take each word that follows.
        let lines = &if *kind == "TEXT" { lines.replace(" by ann\n", "\n") } else { lines.to_owned() };
        let mut bags = vec![format!("{first} {first} {second}"), format!("{first} {second} {first}")];
        let mut others = vec![format!("{first} {second}"), format!("{first} {second} {second}"), first.to_string()];
        if *counted {
            bags.extend([
                format!("{first} x2 {second}"),
                format!("{second} {first} x2"),
                format!("{second} x1 {first} x2"),
            ]);
            others.extend([format!("{first} x3 {second}"), format!("{first} {second} x2")]);
        }
        let checked =
            |several: &str, values: &str| codes(&format!("{several} {kind}"), &body, &lines.replace("VALUES", values));
        for bag in bags {
            assert_eq!(checked("BAG of", &bag), [], "{kind} {bag}");
        }
        for other in others {
            let found = checked("BAG of", &other);
            // The first expectation after the line `set` is of what it has set.
            let wrong = found.first().map(|(code, place)| (*code, place.contains("ann.mine")));
            assert!(wrong == Some(("expectation_failed", true)), "{kind} {other}: {found:?}");
        }
        let in_order = format!("{first} {first} {second}");
        assert_eq!(checked("LIST of", &in_order), [], "{kind}");
        let found = checked("LIST of", &format!("{first} {second} {first}"));
        assert_eq!(found.first().map(|(code, _)| *code), Some("expectation_failed"), "{kind}: {found:?}");
    }
}

#[test]
fn a_line_writes_each_value_of_a_set_once() {
    for Sample { kind, lines: [first, second, _], rules: [one, ..], counted } in &SAMPLES {
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
        let mut values =
            vec![format!("{first} {first}"), format!("{first} {second} {first}"), format!("{second} {first} {first}")];
        values.extend(counted.then(|| format!("{second} {first} x2")));
        for (line, values) in wrong.iter().flat_map(|line| values.iter().map(move |values| (line, values))) {
            let found = codes(&format!("SET of {kind}"), &body, &line.replace("VALUES", values));
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
    let (message, help) = said("SET of PIECE", "let o = piece(\"ore\"); choose(me, \"keep\", [[o, o]]);");
    assert_eq!(message, "`ore` is repeated in `keep`, which keeps it once: `SET of PIECE` is a set");
    assert!(help.contains("`keep PIECES`") && help.contains("`set_of(list)`"), "{help}");
    let (message, help) = said("NUMBERS", "let list = [3, 1, 2]; game.code = list;");
    assert_eq!(message, "the order is lost: the property `code` is a bag, which keeps `1` before `3`");
    assert!(help.contains("`bag_of(list)`") && help.contains("`LIST of NUMBER`"), "{help}");
    let (message, help) = said("CELLS", "let list = [a, a]; me.mine = list;");
    assert_eq!(message, "the property `mine` is a set with each value once, but `a1` is here twice");
    assert!(help.contains("`set_of(list)`") && help.contains("`BAG of CELL`"), "{help}");
    let (message, _) = said("LIST of CELL", "let cells = one(a); me.mine = cells;");
    assert_eq!(message, "the property `mine` is a list, and a set of cells has no order");
    let (message, _) = said("LIST of NUMBER", "let list = [1, \"two\"]; set(me, \"mine\", list);");
    assert!(message.contains("number") && message.contains("two"), "{message}");
}

/// Returns the messages of `referee check` about a game with more lines.
fn declared(lines: &str) -> Vec<(&'static str, String, String)> {
    let game = format!(
        "game bag \"Bag\"\nplayers 2 ann bob\nrules \"rules.rhai\"\nboard grid 2x2\nresource ore for each player\n{lines}\n"
    );
    let host = MemoryHost::default()
        .with("games/bag/bag.game", game)
        .with("games/bag/rules.rhai", "fn turn(me) { win(me); }\n");
    let asked = Diagnostic::general(Code::UnknownGame, "no such game");
    let found = match Game::find(&SearchPath::new(&host, None, "".into()), Path::new("a.scenario"), "bag", &asked) {
        Ok(_) => Vec::new(),
        Err(wrong) => wrong,
    };
    let help = |wrong: &Diagnostic| wrong.help.clone().unwrap_or_default();
    found.iter().map(|wrong| (wrong.code.name(), wrong.message.clone(), help(wrong))).collect()
}

#[test]
fn wrong_kinds_are_reported_with_the_words_to_write() {
    let wrong = [
        ("ask pay LIST of NUMBERS", "unknown_kind", "`NUMBERS` is already several values", "write `LIST of NUMBER`"),
        ("ask pay BAG of AMOUNT", "unknown_kind", "several values of the kind `AMOUNT`", "write `AMOUNT`"),
        ("ask pay SET of NUMBR", "unknown_kind", "unknown kind of values `NUMBR`", "did you mean `NUMBER`?"),
        ("property p LIST of red|red", "duplicate_name", "`red` stands twice", "write each word once"),
        ("property p LIST of red|none", "reserved_word", "`none` is no word here", "another word"),
        ("ask pay NUMBERS x2", "wrong_form", "`x2` would be read as a part of `NUMBERS`", "such as `and x2`"),
        (
            "ask pay LIST of red|blue red",
            "wrong_form",
            "`red` would be read as a part of `LIST of red|blue`",
            "`and red`",
        ),
        ("ask pay LIST of NUMBER NUMBER", "wrong_form", "`LIST of NUMBER` takes every value", "`and NUMBER`"),
    ];
    for (line, code, message, help) in wrong {
        let found = declared(line);
        let [(found_code, found_message, found_help)] = found.as_slice() else { unreachable!("{line}: {found:?}") };
        assert_eq!(*found_code, code, "{line}: {found:?}");
        assert!(found_message.contains(message) && found_help.contains(help), "{line}: {found:?}");
    }
    let right = "ask pay LIST of NUMBER for NUMBER\nask give BAG of red|blue [to PLAYER]\nproperty p for each player SET  of \
                 CELL hidden\nevent LIST of PLAYER line up\nevent PLAYER has [SET of DIRECTION] ways\nask lay CLUBS|SPADES TEXT\nask play CLUBS|SPADES CLUBS|HEARTS";
    assert_eq!(declared(right), []);
}

fn loaded(kind: &str) -> (Game, State) {
    let host = host(kind, "choose(me, \"none\", [may(\"none\")]);", "symmetry left-right colours\n");
    let asked = Diagnostic::general(Code::UnknownGame, "no such game");
    let game = Game::find(&SearchPath::new(&host, None, "".into()), Path::new("a.scenario"), "bag", &asked).unwrap();
    let schema = &game.schema;
    let state = State::new(Arc::new(Table {
        schema: Arc::clone(schema),
        board: Arc::new(schema.build_board(&schema.board).unwrap()),
        sizes: vec![(1, 1); schema.pieces.len()],
        players: vec![PlayerId(0), PlayerId(1), PlayerId(2)],
        options: Vec::new(),
        variant: 0,
        arrows: Vec::new(),
        turns: referee_table::TurnRules::default(),
        places: referee_table::Places::default(),
    }));
    (game, state)
}

/// Returns the state in which the property of the game has the values that a line writes, and these in words.
fn with_code(state: &State, line: &str) -> (State, String) {
    let schema: &Schema = state.schema();
    let property = schema.property("code").unwrap();
    let names = Names { schema, board: state.board() };
    // Lines may have commas between the values.
    let source = Arc::new(Source::new("line", line.replace(',', " ")));
    let words = source.tokens(source.line_span(1));
    let value = names.property_value(property, Phrase::new(&source, &words, source.line_span(1))).unwrap();
    let PropertyKind::Value(kind) = &schema.properties[property.index()].kind else { unreachable!() };
    let written = names.write(Some(kind), &value);
    let mut state = state.clone();
    assert!(kind.accepts(&value, state.board().headings().len()), "{line}: {value:?}");
    state.set_value(property, Owner::Game, value);
    (state, written)
}

/// A bag in two orders is one state, a list two; and what is written is read as the same, by an encoded state as well.
#[test]
fn states_are_told_apart_by_what_their_kinds_keep() {
    for Sample { kind, lines: [first, second, third], counted, .. } in &SAMPLES {
        for several in SEVERAL {
            let (_, start) = loaded(&format!("{several} {kind}"));
            let mut lines = vec![
                "none".to_owned(),
                first.to_string(),
                format!("{first} {second} {third}"),
                format!("{third} {first} {second}"),
            ];
            if several != "SET of" {
                lines.extend([
                    format!("{first} {first} {second}"),
                    format!("{first} {second} {first}"),
                    format!("{second} {second} {first}"),
                    format!("{first} {first}"),
                ]);
            }
            let sorted = |line: &String| {
                let mut words: Vec<String> = line.replace("big ore", "big_ore").split(' ').map(str::to_owned).collect();
                if several != "LIST of" {
                    words.sort();
                }
                words
            };
            for one in &lines {
                let (state, written) = with_code(&start, one);
                let (again, _) = with_code(&start, &written);
                assert_eq!(state.key(), again.key(), "{several} {kind}: {one} is written {written}");
                let decoded = State::decoded(&state.table, &state.encoded()).unwrap();
                assert_eq!(
                    (decoded.key(), decoded.encoded()),
                    (state.key(), state.encoded()),
                    "{several} {kind} {one}"
                );
                let short = several == "BAG of" && *counted && sorted(one).windows(2).any(|pair| pair[0] == pair[1]);
                assert_eq!(written.contains(" x2"), short, "{several} {kind}: {one} is written {written}");
                for other in &lines {
                    let (next, _) = with_code(&start, other);
                    let (same, alike) = (state.key() == next.key(), sorted(one) == sorted(other));
                    assert_eq!(same, alike, "{several} {kind}: {one}, {other}");
                    assert_eq!(state.encoded() == next.encoded(), alike, "{several} {kind}: {one}, {other}");
                }
            }
        }
    }
}

#[test]
fn the_image_of_a_bag_is_a_bag_and_that_of_a_list_keeps_its_order() {
    let (mut changed, mut kept) = (0, 0);
    for (kind, line) in
        [("PLAYER", "ann ann bob"), ("PLAYER", "bob ann bob"), ("CELL", "a1 b1 a1"), ("CELL", "b1 a1 a1")]
    {
        for several in Several::ALL {
            // A set has each of them once.
            let mut words: Vec<&str> = line.split(' ').collect();
            if several == Several::Set {
                words.sort_unstable();
                words.dedup();
            }
            let line = words.join(" ");
            let (_, start) = loaded(&format!("{} of {kind}", several.word()));
            let (state, _) = with_code(&start, &line);
            let value = state.value(state.schema().property("code").unwrap(), Owner::Game).unwrap();
            let symmetries = Symmetry::all(&state.table);
            assert!(symmetries.len() > 1);
            for symmetry in &symmetries {
                let image = symmetry.value(&value);
                assert_eq!(image, several.of(value.items().map(|one| symmetry.value(one)).collect()), "{kind} {line}");
                assert_eq!(symmetry.inverse().value(&image), value, "{kind} {line}");
                if image == value { kept += 1 } else { changed += 1 }
            }
        }
    }
    assert!(changed > 4 && kept > 4, "{changed}, {kept}");
}
