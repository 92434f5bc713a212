//! Helps that are followed: the wrong line, the line that the help says, and what becomes of it.

use super::{HOP, base, project, said};

/// What may be left after a help is followed: the line is right, or it claims something else of this position.
fn is_mended(message: &str) -> bool {
    message.contains("(1 of 1 passed)") || message.contains("referee::expectation_failed")
}

/// A scenario with this line at its end.
fn scenario(line: &str) -> String {
    format!(
        "use hop short\n\nscenario \"A walk\"\n  place red at a1, blue at e5\n  set red.home b2\n  turn red\n  roll distance 1\n  red walk to b2\n  {line}\n"
    )
}

/// Lines of a scenario, each with what its message has to say and with the line that follows the help.
const LINES: [(&str, &str, &str); 25] = [
    ("expect score of red = 1", "not a flag", "expect red.score = 1"),
    ("expect red is at b2", "`is` does not belong", "expect red at b2"),
    ("expect red moves to b2", "is an event", "expect events\n    > red moves to b2"),
    ("expect red at b2 and blue at e5", "`expect` needs a line", "expect blue at e5"),
    ("expect red at b2, blue at e5, rock off", "`expect` needs a line", "expect rock off"),
    ("expect red.score = 1, blue.score = 0", "`expect` needs a line", "expect red.score = 1"),
    ("expect red.score 1, blue.score 0", "`=` is missing", "expect red.score = 1"),
    ("expect red.score 1 blue.score 0", "`=` is missing", "expect red.score = 1"),
    ("expect { red at b2 }", "only rules are in braces", "expect red at b2"),
    ("expect { stone 1 off }", "only rules are in braces", "expect stone 1 off"),
    (
        "expect { cell(\"b2\") == red.home }",
        "takes a piece here, found a string",
        "expect { cell_named(\"b2\") == red.home }",
    ),
    ("expect { red.home == b2 }", "unknown name `b2`", "expect { red.home == cell_named(\"b2\") }"),
    ("expect { cell(marker(red)).row == 2 }", "`row`", "expect { row(cell(marker(red))) == 2 }"),
    ("expect { marker(red).row == 2 }", "`row`", "expect { row(cell(marker(red))) == 2 }"),
    ("expect { red.row == 2 }", "`row`", "expect { row(cell(marker(red))) == 2 }"),
    ("expect { red.home.col == 2 }", "`col`", "expect { column(red.home) == 2 }"),
    ("expect { red.cell == red.home }", "`cell`", "expect { cell(marker(red)) == red.home }"),
    ("expect { marker(red).position == red.home }", "`position`", "expect { cell(marker(red)) == red.home }"),
    ("expect { marker(red).player == red }", "`player`", "expect { owner(marker(red)) == red }"),
    ("expect { occupied().len == 2 }", "no `len`", "expect { count(occupied()) == 2 }"),
    ("expect { occupied() > 1 }", "cannot order", "expect { count(occupied()) > 1 }"),
    ("expect { cells(marker(red)) == 1 }", "never equals", "expect { count(cells(marker(red))) == 1 }"),
    ("expect { marker(red) == red }", "a piece never equals a player", "expect { owner(marker(red)) == red }"),
    ("expect { marker(red) == red.home }", "a piece never equals a cell", "expect { cell(marker(red)) == red.home }"),
    ("expect { occupied() == red.home }", "never equals a cell", "expect { occupied().has(red.home) }"),
];

#[test]
fn the_help_for_a_line_mends_it() {
    for (wrong, says, right) in LINES {
        let (host, file) = project("turn.scenario", &scenario(wrong));
        let message = said(&host, &file);
        assert!(message.contains(says), "{wrong}\n{message}");
        assert_eq!(message.matches("  × ").count(), 1, "one message: {wrong}\n{message}");
        let inner = right.trim_start_matches("expect ").trim_matches(['{', '}', ' ']);
        let part =
            message.split('`').filter(|part| part.len() > 3).any(|part| inner.contains(part) && !wrong.contains(part));
        let help = message.split("help: ").nth(1).unwrap_or_default();
        assert!(part || help.contains(right), "the help is {help}, and not {right}");
        let (host, file) = project("turn.scenario", &scenario(right));
        let message = said(&host, &file);
        assert!(is_mended(&message), "{right}\n{message}");
    }
}

/// Statements of rules with what their message has to say, and the statements that follow the help.
const STATEMENTS: [(&str, &str); 24] = [
    ("let free = occupied() - occupied(); choose(me, \"walk\", free);", "`if free.is_empty() { return; }`"),
    ("let none = []; choose(me, \"walk\", none);", "`if none.is_empty() { return; }`"),
    ("choose(me, \"walk\", []);", "`if options.is_empty() { return; }`"),
    ("let odd = (1..=8).filter(|n| n % 2 == 1);", "`let numbers = []; for n in 1..=8 { numbers.push(n); }`"),
    ("let near = touched(occupied()); if near.is_empty() { win(me); }", "`in_any(near).is_empty()`"),
    ("if touched(occupied()).is_empty() { win(me); }", "`in_any(touched(occupied())).is_empty()`"),
    ("if seen(occupied()) == occupied() { win(me); }", "`in_any(seen(occupied()))`"),
    ("let [one, two] = [1, 2];", "`let both = [1, 2]; let first = both[0]; let second = both[1];`"),
    ("let mine = marker(me); if mine == me { win(me); }", "`owner(mine)`"),
    ("if stone(1) == me { win(me); }", "`owner(stone(1))`"),
    ("let from = cell(marker(me)); if from.row == 3 { win(me); }", "`row(from)`"),
    ("let from = cell(marker(me)); let copy = from; if copy.x == 3 { win(me); }", "`column(copy)`"),
    ("if me.home.rank == 3 { win(me); }", "`row(me.home)`"),
    ("let near = me.home.neighbours;", "`around(one(me.home))`"),
    ("let to = step(marker(me), 1);", "`cell(marker(me))`"),
    ("let to = step(cell(marker(me)), cell(marker(me)));", "`step` takes a direction here, found a cell"),
    ("let to = step(cell(marker(me)), \"N\");", "`direction_named(\"N\")`"),
    ("event(\"rests\", me);", "`marker(me)`"),
    ("let near = around(me);", "`cells(marker(me))`"),
    ("let a = no_moves(); let b = no_moves(); if a == b { win(me); }", "`count(a) == count(b)`"),
    ("if cell(stone(1)) < cell(stone(2)) { win(me); }", "`number(cell(stone(1))) < number(cell(stone(2)))`"),
    ("let all = choose_all(players(), \"walk\", occupied());", "`|player| occupied()`"),
    ("let all = choose_all(players(), \"walk\", [may(\"walk\", me.home)]);", "`|player| [may(\"walk\", me.home)]`"),
    ("if players().size == 2 { win(me); }", "`players().len`"),
];

#[test]
fn the_help_for_a_statement_names_what_is_written() {
    for (wrong, help) in STATEMENTS {
        let rules = HOP[1].1.replace("clause(\"R1\");", &format!("clause(\"R1\"); {wrong}"));
        let (_, file) = project("turn.scenario", &scenario("expect red at b2"));
        let host = base().with(HOP[1].0, rules).with(file.clone(), scenario("expect red at b2"));
        let message = said(&host, &file);
        let flat = message.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(flat.contains(help), "{wrong}\n{message}");
        assert_eq!(message.matches("  × ").count(), 1, "one message: {wrong}\n{message}");
    }
}

/// False conditions, each with the part that is shown and the values that are shown for it.
const FALSE: [(&str, &str, &str); 18] = [
    ("red.score == 2", "red.score == 2", "red.score is 1"),
    ("red.score == 2 || blue.score > 0", "red.score == 2 || blue.score > 0", "red.score is 1, blue.score is 0"),
    ("red.score == 1 && blue.score > 0", "blue.score > 0", "blue.score is 0"),
    (
        "red.score == 1 && (blue.score > 0 || red.score > 4)",
        "blue.score > 0 || red.score > 4",
        "blue.score is 0, red.score is 1",
    ),
    ("!(red.score == 1)", "!(red.score == 1)", "red.score is 1"),
    ("!(red.score == 1 && blue.score == 0)", "!(red.score == 1 && blue.score == 0)", "red.score is 1, blue.score is 0"),
    ("!(red.score == 4 || blue.score == 0)", "!(red.score == 4 || blue.score == 0)", "blue.score is 0"),
    ("red.score in [2, 3]", "red.score in [2, 3]", "red.score is 1"),
    ("red.score !in [1, 3]", "red.score !in [1, 3]", "red.score is 1"),
    ("let a = red.score; a == 2", "a == 2", "a is 1"),
    ("let a = red.score; let b = a + 1; a == b || a > b", "a == b || a > b", "a is 1, b is 2"),
    ("if red.score > 0 { blue.score == 4 } else { true }", "blue.score == 4", "blue.score is 0"),
    (
        "if red.score > 1 { true } else if blue.resting { true } else { let k = 3; k < red.score }",
        "k < red.score",
        "k is 3, red.score is 1",
    ),
    ("if true { let z = 3; } red.score > 3", "red.score > 3", "red.score is 1"),
    ("occupied().has(cell_named(\"b3\"))", "occupied().has(cell_named(\"b3\"))", "occupied() is b2 e5"),
    ("red.resting || blue.resting", "red.resting || blue.resting", "red.resting is false, blue.resting is false"),
    ("(red.score == 2) == (blue.score == 0)", "(red.score == 2) == (blue.score == 0)", "(red.score == 2) is false"),
    ("cell(marker(red)) == cell_named(\"b3\")", "cell(marker(red)) == cell_named(\"b3\")", "cell(marker(red)) is b2"),
];

#[test]
fn a_false_condition_shows_the_values_of_its_parts() {
    for (condition, part, values) in FALSE {
        let (host, file) = project("turn.scenario", &scenario(&format!("expect {{ {condition} }}")));
        let message = said(&host, &file);
        assert!(message.contains(&format!("\n  expected: {part}\n")), "{condition}\n{message}");
        assert!(message.contains(&format!("\n  actual:   {values}")), "{condition}\n{message}");
    }
}

/// Where a `return` may decide, the last value does not say why the condition is false.
#[test]
fn a_condition_with_a_return_shows_no_value_of_its_end() {
    let condition = "expect { if red.score == 1 { return false; } red.score > 3 }";
    let (host, file) = project("turn.scenario", &scenario(condition));
    assert!(!said(&host, &file).contains("actual:"));
}

/// Placeholders for whole phrases, each with the help.
const PHRASES: [(&str, &str, &str); 6] = [
    ("expect {what}", "red at b2", "`expect red at {what}` with `b2`"),
    ("expect {what}", "stone 1 off", "`expect stone 1 {what}` with `off`"),
    ("expect { what }", "over", "`expect over`"),
    ("expect {what}", "red", "write a comparison"),
    ("expect red at b{what}", "2", "replace the whole word by the placeholder"),
    ("refuse blue walk to {what}3", "b", "replace the whole word by the placeholder"),
];

#[test]
fn a_placeholder_for_a_phrase_is_one_message_that_says_what_to_write() {
    for (line, value, help) in PHRASES {
        let table = format!("{line}\n  examples\n    | what |\n    | {value} |");
        let (host, file) = project("turn.scenario", &scenario(&table));
        let message = said(&host, &file);
        let flat = message.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(flat.contains(help), "{line} {value}\n{message}");
        assert_eq!(message.matches("  × ").count(), 1, "{line} {value}\n{message}");
    }
}

/// Quotes mean what they say, so a column is not filled in them; a value of the table is never filled again.
#[test]
fn braces_in_quotes_are_themselves_unless_a_column_has_their_name() {
    let lines = |reason: &str, value: &str| {
        format!(
            "use hop short\n\nscenario \"A walk\"\n  turn red\n  roll distance 1\n  refuse red walk to {{x}} because \
             {reason}\n  examples\n    | x | y |\n    | e4 | {value} |\n"
        )
    };
    let rules = HOP[1].1.replace("\"too far\"", "\"{x}\"");
    let host = |text: String| base().with(HOP[1].0, rules.clone()).with("turn.scenario", text);
    let file = std::path::Path::new("turn.scenario");
    let inside = said(&host(lines("\"{x}\"", "1").replace(" | y", "").replace(" | 1", "")), file);
    assert!(inside.contains("a placeholder is not filled inside quotes"), "{inside}");
    // The help: another name for the column.
    let renamed =
        lines("\"{x}\"", "1").replace(" | y", "").replace(" | 1", "").replace("to {x}", "to {z}").replace("| x", "| z");
    assert_eq!(said(&host(renamed), file).trim_end(), "ok   turn.scenario (1 of 1 passed)");
    let in_table = said(&host(lines("{y}", "\"{x}\"")), file);
    assert_eq!(in_table.trim_end(), "ok   turn.scenario (1 of 1 passed)");
}
