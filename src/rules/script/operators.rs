//! Which operators exist for which kinds of values. This is what the machine and Rhai's library have.

use crate::rules::values::{Kind, Sort};

/// Returns the kind of the result of an operator with two values, or of the variable after one such as `+=`; `None` if
/// there is no such operator for these kinds.
pub(crate) fn of_two(operator: &str, one: &Kind, other: &Kind) -> Option<Kind> {
    if one.is_never() || other.is_never() {
        return Some(Kind::NEVER);
    }
    if matches!(operator, "==" | "!=" | "<" | "<=" | ">" | ">=") {
        return Some(Kind::TRUTH);
    }
    let mut found: Option<Kind> = None;
    for left in one.sorts() {
        for right in other.sorts() {
            if let Some(sort) = combined(operator, left, right) {
                let kind = match (sort, left, right) {
                    (Sort::List, Sort::List, Sort::List) => Kind::list_of(part(one).or(&part(other))),
                    // A list keeps what is added to it.
                    (Sort::List, Sort::List, _) => Kind::list_of(part(one).or(&other.without_nothing())),
                    _ => Kind::of(sort),
                };
                found = Some(found.map_or_else(|| kind.clone(), |known| known.or(&kind)));
            }
        }
    }
    // An operator that is not known.
    found.or_else(|| (!KNOWN.contains(&operator)).then_some(Kind::ANY))
}

/// Returns the kind of the elements of a list.
fn part(list: &Kind) -> Kind {
    list.part()
}

/// The operators with two values that are known.
const KNOWN: [&str; 24] = [
    "+", "-", "*", "/", "%", "**", "&", "|", "^", "<<", ">>", "+=", "-=", "*=", "/=", "%=", "**=", "&=", "|=", "^=",
    "<<=", ">>=", "..", "..=",
];

fn combined(operator: &str, one: Sort, other: Sort) -> Option<Sort> {
    use Sort::{Cells, Dirs, List, Map, Move, Moves, Nothing, Number, Range, Text, Truth};
    Some(match (operator, one.plain(), other.plain()) {
        ("+=", List, _) => List,
        ("+" | "+=", Text, _) | ("+" | "+=", _, Text) => Text,
        (
            "+" | "-" | "*" | "/" | "%" | "**" | "&" | "|" | "^" | "<<" | ">>" | "+=" | "-=" | "*=" | "/=" | "%="
            | "**=" | "&=" | "|=" | "^=" | "<<=" | ">>=",
            Number,
            Number,
        ) => Number,
        ("+" | "+=", Moves, Move | Moves) => Moves,
        ("+", List, List) => List,
        ("+" | "+=", Map, Map) => Map,
        ("-" | "-=", Text, Text) => Text,
        ("-" | "-=" | "&" | "&=" | "|" | "|=", Cells, Cells) => Cells,
        ("-" | "-=" | "&" | "&=", Dirs, Cells | Dirs) | ("&" | "&=", Cells, Dirs) | ("|" | "|=", Dirs, Dirs) => Dirs,
        ("&" | "|" | "^" | "&=" | "|=" | "^=", Truth, Truth) => Truth,
        (".." | "..=", Number, Number | Nothing) | (".." | "..=", Nothing, Number) => Range,
        _ => return None,
    })
}

/// Returns the kind of the result of an operator with one value; `None` if there is no such operator for this kind.
pub(crate) fn of_one(operator: &str, one: &Kind) -> Option<Kind> {
    if one.is_never() {
        return Some(Kind::NEVER);
    }
    match operator {
        "!" => one.may_be(Sort::Truth).then_some(Kind::TRUTH),
        "-" | "+" => one.may_be(Sort::Number).then_some(Kind::NUMBER),
        _ => Some(Kind::ANY),
    }
}
