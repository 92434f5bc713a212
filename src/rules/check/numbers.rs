//! Checks numbers that are compared with a throw or an option: whether it can be that number, or more, or less.

use rhai::{Expr, Position};

use super::checker::{Call, Checker};
use crate::table::{Choice, Die, Value};

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

    /// Returns the message for a comparison or a case that never applies.
    fn never(&self, compared: &str) -> (String, String) {
        let one =
            |(least, most): &(i64, i64)| if least == most { least.to_string() } else { format!("{least} to {most}") };
        let all = self.ranges.iter().map(one).collect::<Vec<String>>().join(", ");
        let help = match self.ranges.as_slice() {
            [(least, most)] => format!("compare with a number from {least} to {most}"),
            _ => format!("compare with one of {all}"),
        };
        (format!("{} {all}, so `{compared}` is never true", self.what), help)
    }
}

impl Checker<'_> {
    /// Reports a comparison of a throw or an option with a number that is never true.
    pub(super) fn number(&mut self, call: &Call<'_>) {
        let [one, other] = call.call.args.as_slice() else { return };
        let operator = call.call.name.as_str();
        let mirrored = match operator {
            "<" => ">",
            "<=" => ">=",
            ">" => "<",
            ">=" => "<=",
            same => same,
        };
        let (side, operator, number, at) = match (one, other) {
            (side, Expr::IntegerConstant(number, at)) => (side, operator, *number, *at),
            (Expr::IntegerConstant(number, at), side) => (side, mirrored, *number, *at),
            _ => return,
        };
        // `!=` with a number that it cannot be is always true.
        let asked = if operator == "!=" { "==" } else { operator };
        let Some(numbers) = self.numbers(side).filter(|numbers| !numbers.has(asked, number)) else { return };
        let (message, help) = numbers.never(&format!("{asked} {number}"));
        self.report("never_equal", at, message, Some(help));
    }

    /// Reports numbers of `[…].contains(THROW)` and `THROW in […]` that the throw cannot be.
    pub(super) fn numbers_in_list(&mut self, list: &Expr, side: &Expr) {
        let (Expr::Array(items, _), Some(numbers)) = (list, self.numbers(side)) else { return };
        for item in items {
            if let Expr::IntegerConstant(number, at) = item
                && !numbers.contains(*number)
            {
                let (message, help) = numbers.never(&format!("== {number}"));
                self.report("never_equal", *at, message, Some(help));
            }
        }
    }

    /// Reports a number of a `switch` that its value cannot be. The number has no position of its own.
    pub(super) fn number_of_case(&mut self, side: &Expr, number: i64, switch: Position) {
        let Some(numbers) = self.numbers(side).filter(|numbers| !numbers.contains(number)) else { return };
        let (message, help) = numbers.never(&format!("== {number}"));
        self.report_number("never_equal", switch, number, message, help);
    }

    /// Returns the numbers that an expression can be, if they are known.
    fn numbers(&self, side: &Expr) -> Option<Numbers> {
        match side {
            Expr::Variable(var, ..) => match *self.fixed.get(var.1.as_str())? {
                Expr::Variable(..) => None,
                value => self.numbers(value),
            },
            Expr::FnCall(call, _) if self.layers.has_function(&call.name) => None,
            Expr::FnCall(call, _) => match (call.name.as_str(), call.args.as_slice()) {
                ("option", [Expr::StringConstant(name, _)]) => {
                    let option = self.schema.options.iter().find(|option| option.name == name.as_str())?;
                    let Choice::Numbers(least, most, _) = option.choice else { return None };
                    Some(Numbers { what: format!("the option `{name}` is"), ranges: vec![(least, most)] })
                }
                ("roll", values) => {
                    let die = self.thrown(values).filter(|die| die.count == 1)?;
                    Some(Numbers { what: format!("{} shows", named(die)), ranges: shown(die)? })
                }
                ("sum", [Expr::FnCall(roll, _)]) if roll.name == "roll" => {
                    let die = self.thrown(&roll.args)?;
                    let shown = shown(die)?;
                    let count = i64::try_from(die.count).ok()?;
                    let ends = (shown.first()?.0.checked_mul(count)?, shown.last()?.1.checked_mul(count)?);
                    let what = format!("the sum of {} is", named(die));
                    Some(Numbers { what, ranges: vec![ends] })
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns the die that a call of `roll` with these arguments throws, if it is known.
    pub(super) fn thrown(&self, values: &[Expr]) -> Option<&Die> {
        match values {
            [Expr::StringConstant(name, _)] => self.schema.dice.iter().find(|die| die.name == name.as_str()),
            _ => self.schema.dice.first().filter(|_| self.schema.dice.len() == 1),
        }
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
