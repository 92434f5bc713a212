//! Lists for plural kinds, which are sets: what a list loses there is an error, unless it is only the order in a form.

use std::collections::BTreeMap;

use super::session::{Link, Session};
use crate::values::Native;
use referee_diagnostic::{Code, Diagnostic};
use referee_table::{Form, Kind, Lost, Names, Value};
use referee_trace::{Action, FewValues};

/// The words of every help: how to write a list whose repetitions and order mean nothing.
const AS_SET: &str = "`set_of(list)`, which returns each value once, in a fixed order";

/// Returns the error for a list that a property would thin or sort.
#[cold]
pub(crate) fn lost_of_property(session: &Session, (name, kind): (&str, &Kind), lost: &Lost) -> Diagnostic {
    let write = writer(session, kind);
    match lost {
        Lost::Copy(copy) => {
            let copy = write(copy);
            let message = format!("the property `{name}` is a set with each value once, but `{copy}` is here twice");
            Diagnostic::general(Code::LostCopies, message)
                .help(format!("count equal values in a counter; if repetition does not matter, write {AS_SET}"))
        }
        Lost::Order(first, later) => {
            let (first, later) = (write(first), write(later));
            let message =
                format!("the order is lost: the property `{name}` is a set, which keeps `{later}` before `{first}`");
            Diagnostic::general(Code::LostOrder, message).help(format!(
                "if the order does not matter, write {AS_SET}; otherwise declare a property for each place of the list"
            ))
        }
    }
}

/// Returns the error for a value that is repeated in a list for a form.
#[cold]
pub(crate) fn copy_in_form(session: &Session, form: &Form, (kind, copy): (&Kind, &Value)) -> Diagnostic {
    let (copy, plural) = (writer(session, kind)(copy), kind.name());
    let one = plural.strip_suffix('S').unwrap_or(&plural);
    let apart = form.to_string().replacen(&plural, &format!("{one} {one}"), 1);
    let message = format!("`{copy}` is repeated in `{}`, which keeps it once: `{plural}` is a set", form.verb);
    Diagnostic::general(Code::LostCopies, message)
        .help(format!("declare a value for each, as in `{apart}`; if repetition does not matter, write {AS_SET}"))
}

/// Returns the error for two options that differ only in the order of their lists.
#[cold]
fn order_of_options(session: &Session, action: &Action) -> Diagnostic {
    let names = Names { schema: session.state.schema(), board: session.state.board() };
    let form = names.schema.asks.get(action.ask.index());
    let kinds = form.map(Form::kinds).unwrap_or_default();
    let plural = kinds.iter().find(|(kind, _)| matches!(kind, Kind::Many(_))).map(|(kind, _)| kind.name());
    let plural = plural.unwrap_or_default();
    let one = plural.strip_suffix('S').unwrap_or(&plural);
    let apart = form.map(|form| form.to_string().replacen(&plural, &format!("{one} {one}"), 1)).unwrap_or_default();
    let action = action.write(names);
    let message = format!("`{action}` is offered in two orders, which are one option: `{plural}` is a set");
    Diagnostic::general(Code::LostOrder, message).help(format!(
        "if the order does not matter, offer {AS_SET}; otherwise declare a value for each place, as in `{apart}`"
    ))
}

/// Returns a function that writes one value of a plural kind.
fn writer<'s>(session: &'s Session, kind: &'s Kind) -> impl Fn(&Value) -> String + 's {
    let names = Names { schema: session.state.schema(), board: session.state.board() };
    let one = match kind {
        Kind::Many(one) => one,
        one => one,
    };
    move |value| names.write(Some(one), value)
}

/// Returns a value of a form with its lists as sets.
pub(crate) fn in_order(value: Value) -> Value {
    match value {
        Value::List(list) => Value::Set(list.into_iter().collect()),
        value => value,
    }
}

/// The orders in which the options of a decision list their values.
#[derive(Default)]
pub(super) struct Orders(BTreeMap<Action, FewValues>);

impl Orders {
    /// Returns an option with sets for its lists.
    ///
    /// # Errors
    /// Returns an error if another option differs from it only in the order of a list.
    pub(super) fn settled(&mut self, link: &Link, session: &Session, action: Action) -> Native<Action> {
        if !action.values.iter().any(|value| matches!(value, Value::List(_) | Value::Set(_))) {
            return Ok(action);
        }
        let listed = action.values;
        let settled = Action { ask: action.ask, values: listed.iter().cloned().map(in_order).collect() };
        match self.0.get(&settled) {
            Some(other) if *other != listed => Err(link.explain(order_of_options(session, &settled))),
            Some(_) => Ok(settled),
            None => {
                self.0.insert(settled.clone(), listed);
                Ok(settled)
            }
        }
    }
}
