//! What is fixed at a table: values of options, and what follows from them. Code that never runs there is not written.

use rhai::ImmutableString;

use super::callee::mentions;
use super::compiler::Compiler;
use super::unit::Unit;
use super::value::{Tag, Ty};
use crate::script::{Call, Function, Name, Node, What};
use referee_table::Setting;

/// A value that is the same in all games of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fixed {
    Number(i64),
    Truth(bool),
    Text(ImmutableString),
}

impl Compiler<'_> {
    /// Returns the value of a node, if it is fixed.
    pub(super) fn fixed(&self, node: &Node) -> Option<Fixed> {
        Some(match &node.what {
            What::Number(number) => Fixed::Number(*number),
            What::Truth(truth) => Fixed::Truth(*truth),
            What::Text(text) => Fixed::Text(text.clone()),
            What::Name(Name::Constant(name)) => {
                let value = self.constant(name)?;
                match (value.as_int(), value.as_bool(), value.as_immutable_string_ref()) {
                    (Ok(number), _, _) => Fixed::Number(number),
                    (_, Ok(truth), _) => Fixed::Truth(truth),
                    (_, _, Ok(text)) => Fixed::Text((*text).clone()),
                    _ => return None,
                }
            }
            What::Call(call) => self.setting(call)?,
            What::And(_) | What::Or(_) => Fixed::Truth(self.is_fixed(node)?),
            What::Operator(sign, parts) => match parts.as_slice() {
                [one] if sign == "!" => Fixed::Truth(!self.is_fixed(one)?),
                [one, other] => Fixed::Truth(compared(sign, &self.fixed(one)?, &self.fixed(other)?)?),
                _ => return None,
            },
            _ => return None,
        })
    }

    /// Returns whether a condition holds, if that is fixed.
    pub(super) fn is_fixed(&self, node: &Node) -> Option<bool> {
        let (parts, all) = match &node.what {
            What::And(parts) => (parts, true),
            What::Or(parts) => (parts, false),
            _ => {
                return match self.fixed(node)? {
                    Fixed::Truth(truth) => Some(truth),
                    _ => None,
                };
            }
        };
        // The first part that decides need not be the first part, but those before it run.
        for part in parts {
            if self.is_fixed(part)? != all {
                return Some(!all);
            }
        }
        Some(all)
    }

    /// Returns the value of an option, or the name of the variant, that a call returns.
    fn setting(&self, call: &Call) -> Option<Fixed> {
        let (name, count) = (call.name.as_str(), call.args.len());
        if call.method || self.with.script.function(name, count).is_some() || !call.natives.are_fixed(count) {
            return None;
        }
        let (schema, table) = (self.with.schema, &self.with.state.table);
        match call.args.as_slice() {
            [option] if call.natives.role() == Some(crate::host::Role::Option) => {
                match table.option(schema.option(option.text()?)?)? {
                    Setting::Word(word) => Some(Fixed::Text((&**word).into())),
                    Setting::Number(number) => super::value::number(*number).map(|_| Fixed::Number(*number)),
                }
            }
            [] if call.natives.name_the_variant() => {
                let variant = schema.variants.get(table.variant);
                Some(Fixed::Text(variant.map_or(ImmutableString::new(), |variant| variant.name.as_str().into())))
            }
            _ => None,
        }
    }

    /// Notes that the host runs a function, which may look at the positions before.
    pub(super) fn looks_back(&mut self, function: &Function) {
        self.reads_history = self.reads_history || mentions(function, &self.looking_back);
    }
}

/// Compares two values; `None` if the host is to say what comes of it.
fn compared(sign: &str, one: &Fixed, other: &Fixed) -> Option<bool> {
    let order = match (one, other) {
        (Fixed::Number(one), Fixed::Number(other)) => one.cmp(other),
        (Fixed::Truth(one), Fixed::Truth(other)) if matches!(sign, "==" | "!=") => one.cmp(other),
        (Fixed::Text(one), Fixed::Text(other)) if matches!(sign, "==" | "!=") => one.cmp(other),
        _ => return None,
    };
    Some(match sign {
        "==" => order.is_eq(),
        "!=" => order.is_ne(),
        "<" => order.is_lt(),
        "<=" => order.is_le(),
        ">" => order.is_gt(),
        ">=" => order.is_ge(),
        _ => return None,
    })
}

impl Unit<'_, '_, '_> {
    /// Puts a fixed value on the stack.
    pub(super) fn known(&mut self, fixed: &Fixed) -> Ty {
        match fixed {
            Fixed::Number(number) => {
                self.body.long(*number);
                Ty::Number
            }
            Fixed::Truth(truth) => {
                self.body.word(i32::from(*truth));
                Ty::Truth
            }
            Fixed::Text(text) => {
                let number = self.with.strings.number(text);
                self.body.word(number.cast_signed());
                Ty::id(Tag::Text)
            }
        }
    }
}
