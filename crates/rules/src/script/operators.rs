//! The kinds of what operators give. Which operators there are for which values, their entries say.

use std::sync::OnceLock;

use crate::natives::{self, Form};
use crate::values::{Kind, Sort};
use referee_table::NameMap;

/// What the entries say of an operator.
#[derive(Default)]
struct Operator {
    /// For one value: its kind, and that of the result.
    alone: Vec<(&'static Kind, &'static Kind)>,
    /// For two values. No pair of values has two of them.
    combined: Vec<Combined>,
    /// Whether it compares, which is right for all values: what can never be equal is another error.
    compares: bool,
}

/// An operator for two values of certain kinds.
struct Combined {
    one: Kind,
    other: Kind,
    form: &'static Form,
    /// The kind of the result; `None` if it depends on what is in the values.
    result: Option<Kind>,
}

/// Returns what is known of the operator with this sign.
fn operator(sign: &str) -> Option<&'static Operator> {
    static ALL: OnceLock<NameMap<Operator>> = OnceLock::new();
    let all = ALL.get_or_init(|| {
        let signs = natives::operator_signs().flat_map(|sign| [sign.to_owned(), format!("{sign}=")]);
        signs.map(|sign| (sign.clone(), Operator::of(&sign))).collect()
    });
    all.get(sign)
}

impl Operator {
    fn of(sign: &str) -> Self {
        let with = |sign: &str, count: usize| {
            natives::operators(sign).iter().copied().filter(move |form| form.parameters.len() == count)
        };
        let own: Vec<&Form> = with(sign, 2).collect();
        let compares = !own.is_empty() && own.iter().all(|form| form.result.is(Sort::Truth));
        // `a -= b` is `a = a - b` for all values for which it has no entry of its own.
        let simple = sign.strip_suffix('=').into_iter().flat_map(|simple| with(simple, 2));
        let mut combined: Vec<Combined> = Vec::new();
        // Of two forms for the same values, the first one is meant.
        let mut taken: Vec<[&Kind; 2]> = Vec::new();
        for form in own.into_iter().chain(simple) {
            let [first, second] = form.parameters.as_slice() else { continue };
            let with_any = taken.iter().filter(|[_, second]| second.is_any());
            let one = with_any.fold(first.kind.clone(), |one, [first, _]| one.without(first));
            let takes_first = |kind: &Kind| first.kind.sorts().all(|sort| kind.may_be(sort));
            let with_first = taken.iter().filter(|[first, _]| takes_first(first));
            let other = with_first.fold(second.kind.clone(), |other, [_, second]| other.without(second));
            taken.push([&first.kind, &second.kind]);
            let made = if form.returns() { &form.result } else { &first.kind };
            combined.push(Combined { one, other, form, result: (!made.has_letters()).then(|| made.clone()) });
        }
        let alone = with(sign, 1).filter_map(|form| Some((&form.parameters.first()?.kind, &form.result)));
        Self { alone: alone.collect(), combined, compares }
    }
}

impl Combined {
    /// Returns the kind of the result for values of these kinds, of which some are meant.
    fn result(&self, one: &Kind, other: &Kind) -> Kind {
        if let Some(result) = &self.result {
            return result.clone();
        }
        let meant = |kind: &Kind, of: &Kind| if kind.is_any() { Kind::ANY } else { kind.among(of) };
        // `list += ()` says nothing of what is in the list.
        let kinds = [meant(one, &self.one), meant(other, &self.other).without_nothing()];
        if self.form.returns() { self.form.result_for(&kinds) } else { self.form.first_after(&kinds) }
    }
}

/// Returns the kind of the result of an operator with two values, or of the variable after one such as `+=`; `None` if
/// there is no such operator for these kinds.
pub(crate) fn of_two(sign: &str, one: &Kind, other: &Kind) -> Option<Kind> {
    if one.is_never() || other.is_never() {
        return Some(Kind::NEVER);
    }
    let Some(operator) = operator(sign).filter(|operator| !operator.combined.is_empty()) else {
        return Some(Kind::ANY);
    };
    if operator.compares {
        return Some(Kind::TRUTH);
    }
    let fits = |combined: &&Combined| combined.one.meets(one) && combined.other.meets(other);
    let results = operator.combined.iter().filter(fits).map(|combined| combined.result(one, other));
    results.reduce(|all, kind| all.or(&kind))
}

/// Returns the kind of the result of an operator with one value; `None` if there is no such operator for this kind.
pub(crate) fn of_one(sign: &str, one: &Kind) -> Option<Kind> {
    if one.is_never() {
        return Some(Kind::NEVER);
    }
    let Some(operator) = operator(sign).filter(|operator| !operator.alone.is_empty()) else { return Some(Kind::ANY) };
    let fitting = operator.alone.iter().filter(|(kind, _)| kind.meets(one)).map(|(_, result)| Kind::clone(result));
    fitting.reduce(|all, kind| all.or(&kind))
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
