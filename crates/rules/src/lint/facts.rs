//! What conditions say of values: which ones something can have where they are true, and where they are false.

use std::collections::BTreeSet;

use rhai::ImmutableString;

use super::pure::{is_pure, is_same};
use crate::script::{Case, LocalId, Name, Node, What};
use crate::values::Sort;

/// What is known of something at a place of the rules.
#[derive(Clone)]
pub(super) struct Fact<'n> {
    of: Subject<'n>,
    set: Set,
    /// Where it comes from.
    pub(super) tested: &'n Node,
    pub(super) how: How,
}

/// How something is known.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum How {
    /// An earlier branch has run otherwise.
    Earlier,
    /// The rules have left before otherwise.
    Left,
    /// The branch around the place does not run otherwise.
    Inside,
    /// It is another part of the same `&&` or `||`.
    Beside,
    /// It is what dice show and options are.
    Given,
}

/// What a fact is about.
#[derive(Clone, Copy)]
enum Subject<'n> {
    /// A variable, and a place where it stands.
    Local(LocalId, Option<&'n Node>),
    One(&'n Node),
    /// How the first of two values stands to the second: `<`, `=` or `>`.
    Two(&'n Node, &'n Node),
}

impl<'n> Subject<'n> {
    fn of(node: &'n Node) -> Self {
        node.local().map_or(Self::One(node), |local| Self::Local(local, Some(node)))
    }

    fn nodes(self) -> Vec<&'n Node> {
        match self {
            Self::Local(..) => Vec::new(),
            Self::One(node) => vec![node],
            Self::Two(one, other) => vec![one, other],
        }
    }
}

/// Values that something can have.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Set {
    /// The ranges of numbers, in ascending order.
    numbers: Vec<(i64, i64)>,
    /// The other values, as they are written.
    others: BTreeSet<String>,
    /// Whether these are the ones that it cannot have.
    except: bool,
}

impl Set {
    fn numbers(numbers: Vec<(i64, i64)>) -> Self {
        Self { numbers, others: BTreeSet::new(), except: false }
    }

    fn others<'w>(others: impl IntoIterator<Item = &'w str>) -> Self {
        let others = others.into_iter().map(str::to_owned).collect();
        Self { numbers: Vec::new(), others, except: false }
    }

    fn all() -> Self {
        Self::others([]).not()
    }

    fn is_empty(&self) -> bool {
        self.numbers.is_empty() && self.others.is_empty() && !self.except
    }

    /// Returns all other values.
    fn not(&self) -> Self {
        let mut numbers = Vec::new();
        let mut from = Some(i64::MIN);
        for (least, most) in &self.numbers {
            if let (Some(from), Some(to)) = (from, least.checked_sub(1))
                && from <= to
            {
                numbers.push((from, to));
            }
            from = most.checked_add(1);
        }
        numbers.extend(from.map(|from| (from, i64::MAX)));
        Self { numbers, others: self.others.clone(), except: !self.except }
    }

    /// Returns the values that are in both sets.
    fn and(&self, other: &Self) -> Self {
        let mut numbers = Vec::new();
        for (least, most) in &self.numbers {
            let both = other.numbers.iter().map(|(from, to)| (*least.max(from), *most.min(to)));
            numbers.extend(both.filter(|(least, most)| least <= most));
        }
        let (one, two) = (&self.others, &other.others);
        let (others, except) = match (self.except, other.except) {
            (false, false) => (one & two, false),
            (false, true) => (one - two, false),
            (true, false) => (two - one, false),
            (true, true) => (one | two, true),
        };
        Self { numbers, others, except }
    }

    fn or(&self, other: &Self) -> Self {
        self.not().and(&other.not()).not()
    }
}

/// A value that is written in the rules.
enum Written {
    Number(i64),
    Other(String),
}

impl Written {
    fn of(node: &Node) -> Option<Self> {
        Some(match &node.what {
            What::Nothing => Self::Other("()".to_owned()),
            What::Truth(truth) => Self::Other(truth.to_string()),
            What::Letter(letter) => Self::Other(format!("'{letter}'")),
            What::Text(text) => Self::Other(format!("\"{text}\"")),
            What::Name(Name::Component(name)) => Self::Other(name.to_string()),
            _ => Self::Number(number(node)?),
        })
    }

    fn set(&self) -> Set {
        match self {
            Self::Number(number) => Set::numbers(vec![(*number, *number)]),
            Self::Other(other) => Set::others([other.as_str()]),
        }
    }
}

/// Returns the values in a list or a range that is written in the rules.
fn written_set(list: &Node) -> Option<Set> {
    match &list.what {
        What::List(items) => {
            let items: Option<Vec<Written>> = items.iter().map(Written::of).collect();
            Some(items?.iter().fold(Set::others([]), |all, item| all.or(&item.set())))
        }
        What::Operator(sign, _) => {
            range(list).map(|range| Set::numbers(vec![range])).filter(|_| sign.starts_with(".."))
        }
        _ => None,
    }
}

/// Returns the first and the last number of a range that is written in the rules; `None` if there are none.
pub(super) fn range(node: &Node) -> Option<(i64, i64)> {
    let What::Operator(sign, parts) = &node.what else { return None };
    let [from, to] = parts.as_slice() else { return None };
    let (from, to) = (number(from)?, number(to)?);
    let last = match sign.as_str() {
        ".." => to.checked_sub(1)?,
        "..=" => to,
        _ => return None,
    };
    (from <= last).then_some((from, last))
}

/// Returns the number that a node is.
pub(super) fn number(node: &Node) -> Option<i64> {
    match &node.what {
        What::Number(number) => Some(*number),
        What::Operator(sign, parts) if sign == "-" => match parts.as_slice() {
            [one] => number(one)?.checked_neg(),
            _ => None,
        },
        _ => None,
    }
}

/// Returns the sign with which the sides of a comparison can be exchanged; `None` for other operators.
pub(super) fn mirrored(sign: &str) -> Option<&'static str> {
    Some(match sign {
        "==" => "==",
        "!=" => "!=",
        "<" => ">",
        "<=" => ">=",
        ">" => "<",
        ">=" => "<=",
        _ => return None,
    })
}

impl<'n> Fact<'n> {
    /// Returns the same fact, with another place that it comes from.
    pub(super) fn tested_at(&self, tested: &'n Node) -> Self {
        Self { tested, ..self.clone() }
    }

    /// Returns that a variable is one of these numbers.
    pub(super) fn given(local: LocalId, numbers: Vec<(i64, i64)>, from: &'n Node) -> Self {
        Self { of: Subject::Local(local, None), set: Set::numbers(numbers), tested: from, how: How::Given }
    }

    /// Returns that the value of a `switch` is that of one of these cases, or of none of them.
    pub(super) fn of_cases(value: &'n Node, cases: &[&Case], is_one: bool) -> Option<Self> {
        let mut all = Set::others([]);
        for case in cases {
            let set = match (case.on.as_int(), case.on.read_lock::<ImmutableString>(), case.on.as_bool()) {
                _ if case.is_range => return None,
                (Ok(number), ..) => Set::numbers(vec![(number, number)]),
                (_, Some(text), _) => Set::others([format!("\"{}\"", text.as_str()).as_str()]),
                (.., Ok(truth)) => Set::others([truth.to_string().as_str()]),
                _ => return None,
            };
            all = all.or(&set);
        }
        let set = if is_one { all } else { all.not() };
        let is_written = Written::of(value).is_some() || !is_pure(value);
        (!is_written).then(|| Self { of: Subject::of(value), set, tested: value, how: How::Inside })
    }

    /// Returns what a condition says that is about one thing, if it is true or if it is not.
    fn of(condition: &'n Node, is_true: bool, how: How) -> Option<Self> {
        let fact = |(of, set): (Subject<'n>, Set)| Self {
            of,
            set: if is_true { set } else { set.not() },
            tested: condition,
            how,
        };
        match &condition.what {
            What::Operator(sign, parts) if sign == "!" => {
                let inner = Self::of(parts.first()?, !is_true, how)?;
                Some(Self { tested: condition, ..inner })
            }
            What::Operator(sign, parts) if mirrored(sign).is_some() => match parts.as_slice() {
                [one, other] => compared(sign, one, other).map(fact),
                _ => None,
            },
            What::And(parts) | What::Or(parts) => {
                let joins = matches!(condition.what, What::And(_)) == is_true;
                let mut parts = parts.iter().map(|part| Self::of(part, is_true, how));
                let mut all = parts.next()??;
                for part in parts {
                    let part = part?.about(all.of)?;
                    all.set = if joins { all.set.and(&part) } else { all.set.or(&part) };
                }
                Some(Self { tested: condition, ..all })
            }
            What::Call(call) if call.name == "contains" && is_pure(condition) => {
                let [list, value] = call.args.as_slice() else { return None };
                let Some(set) = written_set(list) else { return Some(fact(truth(condition))) };
                Written::of(value).is_none().then(|| fact((Subject::of(value), set)))
            }
            What::Truth(_) => None,
            _ => is_pure(condition).then(|| fact(truth(condition))),
        }
    }

    /// Returns what it says of a subject, if it is about it.
    fn about(&self, of: Subject<'n>) -> Option<Set> {
        let is_it = match (self.of, of) {
            (Subject::Local(one, _), Subject::Local(other, _)) => one == other,
            (Subject::One(one), Subject::One(other)) => is_same(one, other),
            (Subject::Two(one, two), Subject::Two(first, second)) => {
                if is_same(one, second) && is_same(two, first) {
                    return Some(turned(&self.set));
                }
                is_same(one, first) && is_same(two, second)
            }
            _ => false,
        };
        is_it.then(|| self.set.clone())
    }

    /// Returns whether it stays true, whatever else changes but these variables.
    pub(super) fn stays(&self, changed: &BTreeSet<LocalId>) -> bool {
        let mut stays = match self.of {
            Subject::Local(local, _) => !changed.contains(&local),
            _ => true,
        };
        for node in self.of.nodes() {
            node.walk(&mut |part| {
                stays &= match &part.what {
                    What::Name(Name::Local(local)) => !changed.contains(local),
                    What::Name(Name::Constant(_) | Name::Component(_)) => true,
                    What::Operator(..) | What::And(_) | What::Or(_) => true,
                    _ => Written::of(part).is_some(),
                };
            });
        }
        stays
    }

    /// Returns all values that the subject can have at all.
    fn possible(&self) -> Set {
        let of_kind = |node: &Node| {
            if node.kind.is(Sort::Number) {
                Set::numbers(vec![(i64::MIN, i64::MAX)])
            } else if node.kind.is(Sort::Truth) {
                Set::others(["true", "false"])
            } else {
                Set::all()
            }
        };
        match self.of {
            Subject::One(node) | Subject::Local(_, Some(node)) => of_kind(node),
            Subject::Two(..) => Set::others(["<", "=", ">"]),
            Subject::Local(_, None) => Set::all(),
        }
    }
}

/// Returns what is the same for two values that are exchanged.
fn turned(set: &Set) -> Set {
    let turn = |sign: &String| match sign.as_str() {
        "<" => ">".to_owned(),
        ">" => "<".to_owned(),
        same => same.to_owned(),
    };
    Set { others: set.others.iter().map(turn).collect(), ..set.clone() }
}

fn truth(condition: &Node) -> (Subject<'_>, Set) {
    (Subject::of(condition), Set::others(["true"]))
}

/// Returns what a comparison is about, and the values for which it is true.
fn compared<'n>(sign: &str, one: &'n Node, other: &'n Node) -> Option<(Subject<'n>, Set)> {
    if !is_pure(one) || !is_pure(other) || is_same(one, other) {
        return None;
    }
    let (of, sign, value) = match (Written::of(one), Written::of(other)) {
        (Some(_), Some(_)) => return None,
        (None, Some(value)) => (one, sign, value),
        (Some(value), None) => (other, mirrored(sign)?, value),
        (None, None) => return Some((Subject::Two(one, other), of_two(sign)?)),
    };
    let Written::Number(number) = value else {
        return match sign {
            "==" => Some((Subject::of(of), value.set())),
            "!=" => Some((Subject::of(of), value.set().not())),
            _ => Some((Subject::Two(one, other), of_two(sign)?)),
        };
    };
    let below = |end: Option<i64>| Set::numbers(end.map(|end| (i64::MIN, end)).into_iter().collect());
    let above = |end: Option<i64>| Set::numbers(end.map(|end| (end, i64::MAX)).into_iter().collect());
    let set = match sign {
        "==" => value.set(),
        "!=" => value.set().not(),
        "<" => below(number.checked_sub(1)),
        "<=" => below(Some(number)),
        ">" => above(number.checked_add(1)),
        _ => above(Some(number)),
    };
    Some((Subject::of(of), set))
}

fn of_two(sign: &str) -> Option<Set> {
    Some(Set::others(
        match sign {
            "==" => ["="].as_slice(),
            "!=" => &["<", ">"],
            "<" => &["<"],
            "<=" => &["<", "="],
            ">" => &[">"],
            ">=" => &["=", ">"],
            _ => return None,
        }
        .iter()
        .copied(),
    ))
}

/// Returns what is known if a condition is true, or if it is not.
pub(super) fn facts<'n>(condition: &'n Node, is_true: bool, how: How) -> Vec<Fact<'n>> {
    let mut found = Vec::new();
    add_facts(condition, is_true, how, &mut found);
    found
}

fn add_facts<'n>(condition: &'n Node, is_true: bool, how: How, found: &mut Vec<Fact<'n>>) {
    let of_one = Fact::of(condition, is_true, how);
    let is_of_one = of_one.is_some();
    found.extend(of_one);
    match &condition.what {
        What::Operator(sign, parts) if sign == "!" && !is_of_one => {
            parts.iter().for_each(|part| add_facts(part, !is_true, how, found));
        }
        What::And(parts) | What::Or(parts) => {
            if !is_of_one && matches!(condition.what, What::And(_)) == is_true {
                parts.iter().for_each(|part| add_facts(part, is_true, how, found));
            }
            if is_pure(condition) {
                let (of, set) = truth(condition);
                let set = if is_true { set } else { set.not() };
                found.push(Fact { of, set, tested: condition, how });
            }
        }
        _ => {}
    }
}

/// Returns the first of some new facts that cannot be true where others are known, and the last one of these.
pub(super) fn contradiction<'k, 'n>(
    known: &'k [Fact<'n>],
    new: &'k [Fact<'n>],
) -> Option<(&'k Fact<'n>, &'k Fact<'n>)> {
    for fact in new {
        let mut possible = fact.possible().and(&fact.set);
        if possible.is_empty() {
            continue;
        }
        for other in known {
            let Some(set) = other.about(fact.of) else { continue };
            let both = possible.and(&set);
            if both.is_empty() && !fact.possible().and(&set).is_empty() {
                return Some((fact, other));
            }
            if !both.is_empty() {
                possible = both;
            }
        }
    }
    None
}
