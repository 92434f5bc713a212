//! Checks the values that flags, counters and properties are set to.

use std::collections::BTreeSet;

use rhai::{Expr, OpAssignment, Position};

use super::checker::Checker;
use super::outcomes::outcomes;
use super::sorts::Sort;
use crate::table::{Kind, PropertyKind};

impl Checker<'_> {
    /// Reports a property that is set to a value of a kind that it cannot have.
    pub(super) fn property_assigned(&mut self, operator: &OpAssignment, property: &Expr, value: &Expr) {
        let Expr::Dot(parts, ..) = property else { return };
        let Some(name) = last_name(&parts.rhs) else { return };
        match operator.get_op_assignment_info() {
            Some((_, _, _, sign, ..)) => self.combined_into(name, sign, value),
            None => self.set_to(name, value),
        }
    }

    /// Reports a value of a kind that a property cannot have.
    pub(super) fn set_to(&mut self, name: &str, value: &Expr) {
        if self.keys.contains(name) || self.schema.printed(name).is_some() {
            return;
        }
        let schema = self.schema;
        let Some(property) = schema.properties.iter().find(|property| property.name == name) else { return };
        if let PropertyKind::Value(Kind::Word(words)) = &property.kind {
            self.texts_of(value).iter().for_each(|text| self.one_of_words(name, words, text));
        }
        outcomes(value).values.iter().for_each(|value| self.set_to_value(name, &property.kind, value));
    }

    fn set_to_value(&mut self, name: &str, kind: &PropertyKind, value: &Expr) {
        let Some(found) = self.sort_of(value).filter(|found| *found != Sort::Open).map(Sort::plain) else { return };
        let (fits, wanted, help) = match kind {
            PropertyKind::Flag => {
                (found == Sort::Truth, "`true` or `false` for the flag", "write `= true` or `= false`")
            }
            PropertyKind::Counter { .. } => {
                (found == Sort::Number, "a number for the counter", "write a number: `= 3`")
            }
            PropertyKind::Value(Kind::Many(one)) => {
                if let Some((twice, position)) = twice(value) {
                    let message =
                        format!("the property `{name}` is a set with each value once, but {twice} is here twice");
                    let help = "keep equal numbers in counters, one for each player or piece".to_owned();
                    return self.report("lost_copies", position, message, Some(help));
                }
                if let Some((before, later, position)) = turned(value) {
                    let message = format!(
                        "the order is lost: the property `{name}` is a set, which keeps {later} before {before}"
                    );
                    let help = "write the values in that order; if their order matters, declare a property for each";
                    return self.report("lost_order", position, message, Some(help.to_owned()));
                }
                match value {
                    Expr::Array(items, _) => {
                        for item in items {
                            self.element_of_set(name, one, item, self.sort_of(item));
                        }
                    }
                    _ if found == Sort::List => self.element_of_set(name, one, value, self.element_of(value)),
                    _ => {}
                }
                (
                    matches!(found, Sort::List | Sort::Cells | Sort::Nothing),
                    "a list for the property",
                    "write a list: `= […]`",
                )
            }
            PropertyKind::Value(Kind::Word(_)) if found == Sort::Text => return,
            PropertyKind::Value(kind) => {
                let wanted = Sort::of_kind(kind);
                if found == wanted || found == Sort::Nothing {
                    return;
                }
                let message = format!("expected {} for the property `{name}`, found {}", wanted.words(), found.words());
                let help = self
                    .instead(value, wanted, found)
                    .unwrap_or_else(|| format!("set it to {}, or to `()` for no value", wanted.words()));
                return self.report_value("wrong_values", value, message, help);
            }
        };
        if !fits {
            let message = format!("expected {wanted} `{name}`, found {}", found.words());
            self.report_value("wrong_values", value, message, help.to_owned());
        }
    }
}

/// Returns a constant that a list contains twice.
fn twice(list: &Expr) -> Option<(String, Position)> {
    let Expr::Array(items, _) = list else { return None };
    let constants = items.iter().filter_map(|item| match item {
        Expr::IntegerConstant(number, position) => Some((number.to_string(), *position)),
        Expr::StringConstant(text, position) => Some((format!("\"{text}\""), *position)),
        Expr::Variable(var, _, position) => Some((format!("`{}`", var.1), *position)),
        _ => None,
    });
    let mut seen = BTreeSet::new();
    constants.into_iter().find(|(constant, _)| !seen.insert(constant.clone()))
}

/// Returns two constants of a list that are not in the order of a set, and the position of the second.
fn turned(list: &Expr) -> Option<(String, String, Position)> {
    let Expr::Array(items, _) = list else { return None };
    let next = items.iter().skip(1);
    items.iter().zip(next).find_map(|pair| match pair {
        (Expr::IntegerConstant(one, _), Expr::IntegerConstant(next, position)) if one > next => {
            Some((one.to_string(), next.to_string(), *position))
        }
        (Expr::StringConstant(one, _), Expr::StringConstant(next, position)) if one > next => {
            Some((format!("\"{one}\""), format!("\"{next}\""), *position))
        }
        _ => None,
    })
}

/// Returns the name of the last property of a chain.
fn last_name(after_dot: &Expr) -> Option<&str> {
    match after_dot {
        Expr::Dot(parts, ..) => last_name(&parts.rhs),
        Expr::Property(names, _) => Some(names.2.as_str()),
        _ => None,
    }
}
