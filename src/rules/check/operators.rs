//! Which operators exist for which kinds of values. This is what the machine and Rhai's library have.

use rhai::Expr;

use super::sorts::Sort;
use super::written::written_or;

/// All kinds that a value can have.
const ALL: [Sort; 19] = [
    Sort::Number,
    Sort::Truth,
    Sort::Text,
    Sort::Player,
    Sort::Piece,
    Sort::Men,
    Sort::Cell,
    Sort::Cells,
    Sort::Dirs,
    Sort::Zone,
    Sort::Move,
    Sort::Moves,
    Sort::List,
    Sort::Map,
    Sort::Range,
    Sort::Function,
    Sort::Action,
    Sort::Game,
    Sort::Nothing,
];

/// Returns the kind of the result of an operator with two values, or of the variable after one such as `+=`. `Ok(None)`
/// is an unknown kind, an error that there is no such operator.
pub(super) fn combined(operator: &str, one: Sort, other: Sort) -> Result<Option<Sort>, ()> {
    use Sort::{Cells, Dirs, List, Map, Move, Moves, Nothing, Number, Open, Range, Text, Truth};
    let sort = match (operator, one.plain(), other.plain()) {
        (_, Open, _) | (_, _, Open) => Open,
        ("+" | "+=", Text, _) | ("+" | "+=", _, Text) => {
            // A list keeps what is added to it.
            if operator == "+=" && one == List { List } else { Text }
        }
        (
            "+" | "-" | "*" | "/" | "%" | "**" | "&" | "|" | "^" | "<<" | ">>" | "+=" | "-=" | "*=" | "/=" | "%="
            | "**=" | "&=" | "|=" | "^=" | "<<=" | ">>=",
            Number,
            Number,
        ) => Number,
        ("+" | "+=", Moves, Move | Moves) => Moves,
        ("+", List, List) | ("+=", List, _) => List,
        ("+" | "+=", Map, Map) => Map,
        ("-" | "-=", Text, Text) => Text,
        ("-" | "-=" | "&" | "&=" | "|" | "|=", Cells, Cells) => Cells,
        ("-" | "-=" | "&" | "&=", Dirs, Cells | Dirs) | ("&" | "&=", Cells, Dirs) | ("|" | "|=", Dirs, Dirs) => Dirs,
        ("&" | "|" | "^" | "&=" | "|=" | "^=", Truth, Truth) => Truth,
        (".." | "..=", Number, Number | Nothing) | (".." | "..=", Nothing, Number) => Range,
        // What is compared is looked at elsewhere.
        ("==" | "!=" | "<" | "<=" | ">" | ">=", ..) => Truth,
        (
            "+" | "-" | "*" | "/" | "%" | "**" | "&" | "|" | "^" | "<<" | ">>" | "+=" | "-=" | "*=" | "/=" | "%="
            | "**=" | "&=" | "|=" | "^=" | "<<=" | ">>=" | ".." | "..=",
            ..,
        ) => return Err(()),
        _ => return Ok(None),
    };
    Ok(Some(sort))
}

/// Returns the kind of the result of an operator with one value. `Ok(None)` is an unknown kind, an error that there is no
/// such operator.
pub(super) fn of_one(operator: &str, one: Sort) -> Result<Option<Sort>, ()> {
    Ok(Some(match (operator, one) {
        (_, Sort::Open) => Sort::Open,
        ("!", Sort::Truth) => Sort::Truth,
        ("-" | "+", Sort::Number) => Sort::Number,
        ("!" | "-" | "+", _) => return Err(()),
        _ => return Ok(None),
    }))
}

/// Returns whether an operator exists for these two values, each of a kind that may be unknown.
pub(super) fn exists(operator: &str, one: Option<Sort>, other: Option<Sort>) -> bool {
    let ones = one.as_slice();
    let others = other.as_slice();
    let all = |known: &[Sort]| if known.is_empty() { ALL.to_vec() } else { known.to_vec() };
    let (ones, others) = (all(ones), all(others));
    ones.iter().any(|one| others.iter().any(|other| combined(operator, *one, *other).is_ok()))
}

/// Returns what an operator is for, in words.
pub(super) fn wanted(operator: &str) -> &'static str {
    match operator.trim_end_matches('=') {
        "+" => "numbers, strings, lists, maps and moves",
        "-" => "numbers and sets of cells",
        "&" | "|" => "numbers, booleans and sets of cells",
        "^" => "numbers and booleans",
        "!" => "booleans",
        _ => "numbers",
    }
}

/// Returns help for an operator that does not exist for these values.
pub(super) fn instead(operator: &str, (one, left): (&Expr, Sort), (other, right): (&Expr, Sort)) -> Option<String> {
    let (first, second) = (written_or(one, "…"), written_or(other, "…"));
    let sign = operator.trim_end_matches('=');
    Some(match (sign, left.plain(), right.plain()) {
        ("|" | "&", Sort::Moves, Sort::Moves | Sort::Move) => format!("join moves with `+`: `{first} + {second}`"),
        ("+", Sort::Cells, Sort::Cells) => format!("join sets of cells with `|`: `{first} | {second}`"),
        ("+", Sort::Dirs, Sort::Dirs) => format!("join sets for directions with `|`: `{first} | {second}`"),
        ("+" | "-" | "|" | "&", Sort::Cells, Sort::Cell) => {
            let sign = if sign == "+" { "|" } else { sign };
            format!("write the set of one cell: `{first} {sign} one({second})`")
        }
        ("|", Sort::Dirs, Sort::Cells) => format!("write the cells of all directions: `in_any({first}) | {second}`"),
        ("|" | "-", Sort::Cells, Sort::Dirs) => {
            format!("write the cells of all directions: `{first} {sign} in_any({second})`")
        }
        ("+", Sort::Move, Sort::Move | Sort::Moves) => {
            format!("begin with no moves: `no_moves() + {first} + {second}`")
        }
        ("+", Sort::List, right) => format!("add a list, `{first} + [{second}]`")
            .replace("[…]", if right == Sort::Number { "[3]" } else { "[…]" }),
        (_, Sort::Nothing, _) | (_, _, Sort::Nothing) => "`()` means no value: give it a value first".to_owned(),
        (_, Sort::Cells | Sort::Zone | Sort::Moves, Sort::Number) => {
            format!("write `count({first})` for their number")
        }
        (_, Sort::Number, Sort::Cells | Sort::Zone | Sort::Moves) => {
            format!("write `count({second})` for their number")
        }
        (_, Sort::List, Sort::Number) => format!("write `{first}.len` for the number of values"),
        (_, Sort::Number, Sort::List) => format!("write `{second}.len` for the number of values"),
        (_, Sort::Cell, Sort::Number) => {
            format!("write `number({first})`, `row({first})` or `column({first})` for a number of a cell")
        }
        ("&" | "|", Sort::Truth, _) | ("&" | "|", _, Sort::Truth) => {
            format!("join conditions with `{sign}{sign}`")
        }
        _ => return None,
    })
}
