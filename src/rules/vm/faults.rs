//! The errors of running rules.

use rhai::{EvalAltResult, FnPtr, ImmutableString, Position};

use super::op::Fault;
use crate::rules::values::Wrong;
use crate::rules::values::{Arena, Val};

/// Returns the error for a fault.
pub(crate) fn known(fault: &Fault) -> Wrong {
    Box::new(match fault {
        Fault::Unknown(name) => EvalAltResult::ErrorVariableNotFound(name.to_string(), Position::NONE),
        Fault::Constant(name) => EvalAltResult::ErrorAssignmentToConstant(name.to_string(), Position::NONE),
        Fault::Method(name) => EvalAltResult::ErrorNonPureMethodCallOnConstant(name.to_string(), Position::NONE),
        Fault::NoThis => EvalAltResult::ErrorUnboundThis(Position::NONE),
    })
}

/// Checks the name of a function.
///
/// # Errors
/// Returns an error if the name is not valid.
pub(crate) fn callable(name: &ImmutableString) -> Result<(), Wrong> {
    FnPtr::new(name.clone()).map(|_| ())
}

/// Returns the value that `catch` gets for an error: the thrown value, or a map that describes the error.
pub(crate) fn caught(mut error: Wrong, arena: &mut Arena) -> Val {
    let mut inner = &*error;
    while let EvalAltResult::ErrorInFunctionCall(_, _, next, _) = inner {
        inner = next;
    }
    if let EvalAltResult::ErrorRuntime(value, _) = inner {
        return arena.of_dynamic(value.clone());
    }
    let position = error.take_position();
    let mut entries = vec![("message".to_owned(), arena.text(error.to_string().into()))];
    let number = |number: usize| Val::Number(i64::try_from(number).unwrap_or(i64::MAX));
    if let Some(line) = position.line() {
        entries.push(("line".to_owned(), number(line)));
        entries.push(("position".to_owned(), number(position.position().unwrap_or(0))));
    }
    let kind = format!("{error:?}");
    let kind = kind.split('(').next().unwrap_or_default().to_owned();
    entries.push(("error".to_owned(), arena.text(kind.into())));
    entries.extend(parts(&error, arena));
    let mut entries: Vec<(ImmutableString, Val)> =
        entries.into_iter().map(|(name, value)| (name.into(), value)).collect();
    entries.sort_by(|(one, _), (other, _)| one.cmp(other));
    arena.map(entries)
}

/// Returns the other parts of Rhai's description of an error, under Rhai's names.
fn parts(error: &EvalAltResult, arena: &mut Arena) -> Vec<(String, Val)> {
    let mut text = |name: &str, value: &str| (name.to_owned(), arena.text(value.into()));
    let count = |name: &str, count: usize| (name.to_owned(), Val::Number(i64::try_from(count).unwrap_or(i64::MAX)));
    match error {
        EvalAltResult::ErrorFunctionNotFound(name, _) | EvalAltResult::ErrorNonPureMethodCallOnConstant(name, _) => {
            vec![text("function", name)]
        }
        EvalAltResult::ErrorInFunctionCall(name, source, ..) => {
            vec![text("function", name), text("source", source)]
        }
        EvalAltResult::ErrorMismatchDataType(requested, actual, _) => {
            vec![text("requested", requested), text("actual", actual)]
        }
        EvalAltResult::ErrorArrayBounds(length, index, _)
        | EvalAltResult::ErrorStringBounds(length, index, _)
        | EvalAltResult::ErrorBitFieldBounds(length, index, _) => {
            vec![count("length", *length), ("index".to_owned(), Val::Number(*index))]
        }
        EvalAltResult::ErrorVariableNotFound(name, _)
        | EvalAltResult::ErrorPropertyNotFound(name, _)
        | EvalAltResult::ErrorAssignmentToConstant(name, _) => vec![text("variable", name)],
        EvalAltResult::ErrorDotExpr(property, _) => vec![text("property", property)],
        EvalAltResult::ErrorIndexingType(kind, _) => vec![text("type", kind)],
        _ => Vec::new(),
    }
}
