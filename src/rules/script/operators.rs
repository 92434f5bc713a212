//! The kinds of what operators give. Which operators there are for which values, their entries say.

use crate::rules::natives::{self, Form};
use crate::rules::values::{Kind, Sort};

/// Returns the kind of the result of an operator with two values, or of the variable after one such as `+=`; `None` if
/// there is no such operator for these kinds.
pub(crate) fn of_two(sign: &str, one: &Kind, other: &Kind) -> Option<Kind> {
    if one.is_never() || other.is_never() {
        return Some(Kind::NEVER);
    }
    let own = forms(sign, 2);
    // All values can be compared: what can never be equal is another error.
    if !own.is_empty() && own.iter().all(|form| form.result.is(Sort::Truth)) {
        return Some(Kind::TRUTH);
    }
    // `a -= b` is `a = a - b` for all values for which it has no entry of its own.
    let simple = sign.strip_suffix('=').map(|simple| forms(simple, 2)).unwrap_or_default();
    if own.is_empty() && simple.is_empty() {
        return Some(Kind::ANY);
    }
    let mut found: Option<Kind> = None;
    // The values that the forms so far have taken: of two forms, the first one is meant.
    let mut taken: Vec<(&Kind, &Kind)> = Vec::new();
    for form in own.into_iter().chain(simple) {
        let [first, second] = form.parameters.as_slice() else { continue };
        let with_any = taken.iter().filter(|(_, second)| second.is_any());
        let left = with_any.fold(one.clone(), |left, (kind, _)| left.without(kind));
        let takes_first = |kind: &Kind| first.kind.sorts().all(|sort| kind.may_be(sort));
        let with_first = taken.iter().filter(|(kind, _)| takes_first(kind));
        let right = with_first.fold(other.clone(), |right, (_, kind)| right.without(kind));
        taken.push((&first.kind, &second.kind));
        if !first.kind.meets(&left) || !second.kind.meets(&right) {
            continue;
        }
        // `list += ()` says nothing of what is in the list.
        let kinds = [of(one, &left, &first.kind), of(other, &right, &second.kind).without_nothing()];
        let kind = if form.returns() { form.result_for(&kinds) } else { form.first_after(&kinds) };
        found = Some(found.map_or_else(|| kind.clone(), |known| known.or(&kind)));
    }
    found
}

/// Returns what is known of a value that is taken as a parameter of a kind, if only some of its values are left for it.
fn of(value: &Kind, left: &Kind, parameter: &Kind) -> Kind {
    if value.is_any() { Kind::ANY } else { left.among(parameter) }
}

/// Returns the kind of the result of an operator with one value; `None` if there is no such operator for this kind.
pub(crate) fn of_one(sign: &str, one: &Kind) -> Option<Kind> {
    if one.is_never() {
        return Some(Kind::NEVER);
    }
    let all = forms(sign, 1);
    if all.is_empty() {
        return Some(Kind::ANY);
    }
    let given = std::slice::from_ref(one);
    let mut fitting = all.into_iter().filter(|form| form.takes(given)).peekable();
    fitting.peek()?;
    Some(Kind::all(fitting.map(|form| form.result_for(given))))
}

/// Returns the forms of an operator with this number of values.
fn forms(sign: &str, count: usize) -> Vec<&'static Form> {
    natives::operators(sign).iter().copied().filter(|form| form.parameters.len() == count).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_of_operators_follow_from_their_entries() {
        let (cells, dirs, moves) = (Kind::of(Sort::Cells), Kind::of(Sort::Dirs), Kind::of(Sort::Moves));
        let list = Kind::list_of(Kind::CELL);
        for (sign, one, other, kind) in [
            ("+", &Kind::NUMBER, &Kind::NUMBER, Some(Kind::NUMBER)),
            ("+", &Kind::NUMBER, &Kind::TEXT, Some(Kind::TEXT)),
            ("+", &Kind::NUMBER, &Kind::CELL, None),
            ("+", &list, &Kind::list_of(Kind::TEXT), Some(Kind::list_of(Kind::CELL.or(&Kind::TEXT)))),
            ("+=", &list, &Kind::TEXT, Some(Kind::list_of(Kind::CELL.or(&Kind::TEXT)))),
            ("+=", &list, &list.or(&Kind::NUMBER), Some(Kind::list_of(Kind::CELL.or(&Kind::NUMBER)))),
            ("+=", &list, &Kind::NOTHING, Some(list.clone())),
            ("+=", &list, &Kind::ANY, Some(Kind::LIST)),
            ("+=", &Kind::NUMBER, &Kind::TEXT, Some(Kind::TEXT)),
            ("&=", &cells, &dirs, Some(dirs.clone())),
            ("|", &cells, &dirs, None),
            ("+=", &moves, &Kind::of(Sort::Move), Some(moves.clone())),
            ("<", &cells, &moves, Some(Kind::TRUTH)),
            ("..=", &Kind::NUMBER, &Kind::NOTHING, Some(Kind::of(Sort::Range))),
            ("%", &Kind::ANY, &Kind::ANY, Some(Kind::NUMBER)),
            ("in", &cells, &moves, Some(Kind::ANY)),
        ] {
            assert_eq!(of_two(sign, one, other), kind, "{one} {sign} {other}");
        }
        assert_eq!(of_one("!", &Kind::NUMBER), None);
        assert_eq!(of_one("-", &Kind::NUMBER.or(&Kind::TEXT)), Some(Kind::NUMBER));
    }
}
