//! Lists for plural kinds: what a set loses of a list is an error, and so is what a property loses of its order.

use super::session::Session;
use referee_diagnostic::{Code, Diagnostic};
use referee_table::{Form, Kind, Lost, Names, Several, Value};
use referee_trace::Action;

/// Returns the error for a list that a property would thin or sort.
#[cold]
pub(crate) fn lost_of_property(session: &Session, (name, kind): (&str, &Kind), lost: &Lost) -> Diagnostic {
    let write = writer(session, kind);
    let of = |several: Several| Kind::Many(several, Box::new(kind.one().clone())).name();
    let (what, function) = match kind {
        Kind::Many(Several::Bag, _) => (Several::Bag.words(), "`bag_of(list)`, which puts the values into its order"),
        _ => (Several::Set.words(), "`set_of(list)`, which has each value once, in its order"),
    };
    match lost {
        Lost::Copy(copy) => {
            let copy = write(copy);
            let message = format!("the property `{name}` is a set with each value once, but `{copy}` is here twice");
            Diagnostic::general(Code::LostCopies, message).help(format!(
                "if repetition counts, declare `{}` for the property; otherwise write {function}",
                of(Several::Bag)
            ))
        }
        Lost::Order(first, later) => {
            let (first, later) = (write(first), write(later));
            let message =
                format!("the order is lost: the property `{name}` is {what}, which keeps `{later}` before `{first}`");
            Diagnostic::general(Code::LostOrder, message).help(format!(
                "if the order does not matter, write {function}; otherwise declare `{}` for the property",
                of(Several::List)
            ))
        }
    }
}

/// Returns the error for a value that is repeated in a list for a form.
#[cold]
pub(crate) fn copy_in_form(session: &Session, form: &Form, (kind, copy): (&Kind, &Value)) -> Diagnostic {
    let (copy, set) = (writer(session, kind)(copy), kind.name());
    let bag = Kind::Many(Several::Bag, Box::new(kind.one().clone())).name();
    let with_bag = form.to_string().replacen(&set, &bag, 1);
    let message = format!("`{copy}` is repeated in `{}`, which keeps it once: `{set}` is a set", form.verb);
    Diagnostic::general(Code::LostCopies, message).help(format!(
        "if repetition counts, declare `{with_bag}`; otherwise write `set_of(list)`, which has each value once"
    ))
}

/// Returns a function that writes one value of a plural kind.
fn writer<'s>(session: &'s Session, kind: &'s Kind) -> impl Fn(&Value) -> String + 's {
    let names = Names { schema: session.state.schema(), board: session.state.board() };
    move |value| names.write(Some(kind.one()), value)
}

/// Puts the lists among the values of a form that are for sets and bags, whose order means nothing, into the order of these.
pub(crate) fn in_order(form: &Form, values: &mut [Value]) {
    if values.iter().any(|value| matches!(value, Value::List(_))) {
        for (value, (kind, _)) in values.iter_mut().zip(form.kinds()) {
            *value = kind.in_order(std::mem::take(value));
        }
    }
}

/// Returns an option with its lists in the order of sets and bags.
pub(super) fn settled(session: &Session, mut action: Action) -> Action {
    if let Some(form) = session.state.schema().asks.get(action.ask.index()) {
        in_order(form, &mut action.values);
    }
    action
}
