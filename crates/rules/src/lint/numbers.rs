//! Numbers that are compared with a throw or an option which can never be that number, or more, or less.

use rhai::Position;

use super::check::{Check, Snippet, Walk};
use super::facts::mirrored;
use super::linter::Linter;
use super::never_equal::NEVER_EQUAL;
use crate::script::{Name, Node, Target, What};
use referee_table::{Choice, Die, Schema, Value};

pub(super) static CHECK: Check = Check {
    name: "numbers",
    finds: &[&NEVER_EQUAL],
    walks: &[Walk::Nodes(check)],
    wrong: &[
        (&NEVER_EQUAL, Snippet::Turn(r#"if roll("leap") == «7» { win(me); }"#)),
        (&NEVER_EQUAL, Snippet::Turn(r#"if option("goal") > «9» { win(me); }"#)),
        (&NEVER_EQUAL, Snippet::Turn(r#"let far = roll("leap"); if «0» == far { win(me); }"#)),
        (&NEVER_EQUAL, Snippet::Turn(r#"if sum(roll("pair")) < «2» { win(me); }"#)),
        (&NEVER_EQUAL, Snippet::Turn(r#"if roll("leap") in [1, «8»] { win(me); }"#)),
        (&NEVER_EQUAL, Snippet::Turn(r#"switch roll("leap") { 1 => win(me), «9» => lose(me) }"#)),
    ],
    right: &[
        Snippet::Turn(r#"if roll("leap") == 6 || option("goal") >= 9 { win(me); }"#),
        Snippet::Turn(r#"let far = roll("leap"); far += 3; if far == 9 { win(me); }"#),
        Snippet::Turn(r#"if sum(roll("pair")) == 12 { win(me); }"#),
        Snippet::Rules(
            r#"fn turn(me) { let far = roll("leap"); far.more(); if far == 7 { win(me); } }
fn more() { this += 1; }"#,
        ),
        Snippet::Turn(r#"let far = 0; while far == 0 { far = roll("leap"); }"#),
    ],
};

/// The numbers that an expression can be.
struct Numbers {
    /// What is one of them, with its verb: ``the die `luck` shows``.
    what: String,
    /// The ranges in which they lie, in ascending order.
    ranges: Vec<(i64, i64)>,
}

impl Numbers {
    fn contains(&self, number: i64) -> bool {
        self.ranges.iter().any(|(least, most)| (*least..=*most).contains(&number))
    }

    /// Returns whether one of them stands in this relation to a number.
    fn has(&self, operator: &str, number: i64) -> bool {
        self.ranges.iter().any(|(least, most)| match operator {
            "==" => (*least..=*most).contains(&number),
            "<" => *least < number,
            "<=" => *least <= number,
            ">" => *most > number,
            _ => *most >= number,
        })
    }

    /// Returns the numbers in words.
    fn all(&self) -> String {
        let one =
            |(least, most): &(i64, i64)| if least == most { least.to_string() } else { format!("{least} to {most}") };
        self.ranges.iter().map(one).collect::<Vec<String>>().join(", ")
    }

    /// Returns the message for a comparison or a case that never applies.
    fn never(&self, compared: &str) -> (String, String) {
        let all = self.all();
        let help = match self.ranges.as_slice() {
            [(least, most)] => format!("compare with a number from {least} to {most}"),
            _ => format!("compare with one of {all}"),
        };
        (format!("{} {all}, so `{compared}` is never true", self.what), help)
    }
}

/// Reports numbers that are compared with a throw or an option, and never are what is asked.
pub(super) fn check(l: &mut Linter<'_>, node: &Node) {
    match &node.what {
        What::Operator(sign, parts) => {
            if let ([one, other], "==" | "!=" | "<" | "<=" | ">" | ">=") = (parts.as_slice(), sign.as_str()) {
                compared(l, sign, one, other);
            }
        }
        What::Call(call) if call.name == "contains" && call.target == Target::Native => {
            if let [list, side] = call.args.as_slice() {
                in_list(l, list, side);
            }
        }
        What::Switch(switch) => {
            let Some(numbers) = numbers(l, &switch.value) else { return };
            let cases = switch.cases.iter().filter(|case| !case.is_range);
            let mut of_cases: Vec<i64> = cases.filter_map(|case| case.on.as_int().ok()).collect();
            of_cases.sort_unstable();
            for number in of_cases.into_iter().filter(|number| !numbers.contains(*number)) {
                // The number has no position of its own.
                let (message, help) = numbers.never(&format!("== {number}"));
                l.report_number(&NEVER_EQUAL, node.at, number, message, help);
            }
        }
        _ => {}
    }
}

fn compared(l: &mut Linter<'_>, operator: &str, one: &Node, other: &Node) {
    let mirrored = mirrored(operator).unwrap_or(operator);
    let (side, operator, number, at): (&Node, &str, i64, Position) = match (&one.what, &other.what) {
        (_, What::Number(number)) => (one, operator, *number, other.at),
        (What::Number(number), _) => (other, mirrored, *number, one.at),
        _ => return,
    };
    // `!=` with a number that it cannot be is always true.
    let asked = if operator == "!=" { "==" } else { operator };
    let Some(numbers) = numbers(l, side).filter(|numbers| !numbers.has(asked, number)) else { return };
    let (message, help) = numbers.never(&format!("{asked} {number}"));
    l.report(&NEVER_EQUAL, at, message, help);
}

/// Reports numbers of `[…].contains(THROW)` and `THROW in […]` that the throw cannot be.
fn in_list(l: &mut Linter<'_>, list: &Node, side: &Node) {
    let (What::List(items), Some(numbers)) = (&list.what, numbers(l, side)) else { return };
    for item in items {
        if let What::Number(number) = item.what
            && !numbers.contains(number)
        {
            let (message, help) = numbers.never(&format!("== {number}"));
            l.report(&NEVER_EQUAL, item.at, message, help);
        }
    }
}

/// Returns the ranges of the numbers that a throw or an option can be, and what they are in words; `None` for anything else.
pub(super) fn given(l: &Linter<'_>, value: &Node) -> Option<(Vec<(i64, i64)>, String)> {
    let numbers = value.call().and_then(|_| numbers(l, value))?;
    let words = format!("{} {}", numbers.what, numbers.all());
    Some((numbers.ranges, words))
}

/// Returns the numbers that an expression can be, if they are known.
fn numbers(l: &Linter<'_>, side: &Node) -> Option<Numbers> {
    let schema = l.schema;
    let call = match &side.what {
        What::Name(Name::Local(local)) => {
            let value = l.values.fixed(*local)?;
            return if matches!(value.what, What::Name(_)) { None } else { numbers(l, value) };
        }
        What::Call(call) if call.target == Target::Native => call,
        _ => return None,
    };
    match (call.name.as_str(), call.args.as_slice()) {
        ("option", [name]) => {
            let name = name.text()?;
            let option = schema.options.iter().find(|option| option.name == name.as_str())?;
            let Choice::Numbers(least, most, _) = option.choice else { return None };
            Some(Numbers { what: format!("the option `{name}` is"), ranges: vec![(least, most)] })
        }
        ("roll", values) => {
            let die = thrown(schema, values).filter(|die| die.count == 1)?;
            Some(Numbers { what: format!("{} shows", named(die)), ranges: shown(die)? })
        }
        ("sum", [thrown_dice]) => {
            let Some(("roll", values)) = thrown_dice.function_call() else { return None };
            let die = thrown(schema, values)?;
            let shown = shown(die)?;
            let count = i64::try_from(die.count).ok()?;
            let ends = (shown.first()?.0.checked_mul(count)?, shown.last()?.1.checked_mul(count)?);
            let what = format!("the sum of {} is", named(die));
            Some(Numbers { what, ranges: vec![ends] })
        }
        _ => None,
    }
}

/// Returns the die that a call of `roll` with these arguments throws, if it is known.
pub(super) fn thrown<'s>(schema: &'s Schema, values: &[Node]) -> Option<&'s Die> {
    match values.iter().find_map(Node::text) {
        Some(name) => schema.dice.iter().find(|die| die.name == name.as_str()),
        None => schema.only_die().and_then(|die| schema.dice.get(die.index())),
    }
}

/// Returns the name of a die in messages.
pub(super) fn named(die: &Die) -> String {
    if die.name.is_empty() { "the die".to_owned() } else { format!("the die `{}`", die.name) }
}

/// Returns the ranges of the numbers on a die; `None` for a die with words.
fn shown(die: &Die) -> Option<Vec<(i64, i64)>> {
    let mut ranges: Vec<(i64, i64)> = Vec::new();
    for face in &die.faces {
        let Value::Int(number) = face.shows else { return None };
        match ranges.last_mut() {
            Some((_, most)) if most.checked_add(1) == Some(number) => *most = number,
            _ => ranges.push((number, number)),
        }
    }
    Some(ranges)
}
