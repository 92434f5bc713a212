//! Errors of running rules.

use rhai::{EvalAltResult, FnPtr, ImmutableString, Position};

use super::arena::Arena;
use super::machine::Wrong;
use super::tree::Fault;
use super::value::Val;

/// What always goes wrong where it is reached.
pub(super) fn known(fault: &Fault) -> Wrong {
    Box::new(match fault {
        Fault::Unknown(name) => EvalAltResult::ErrorVariableNotFound(name.to_string(), Position::NONE),
        Fault::Constant(name) => EvalAltResult::ErrorAssignmentToConstant(name.to_string(), Position::NONE),
        Fault::Method(name) => EvalAltResult::ErrorNonPureMethodCallOnConstant(name.to_string(), Position::NONE),
        Fault::NoThis => EvalAltResult::ErrorUnboundThis(Position::NONE),
    })
}

/// Returns an error if no function can be called so.
pub(super) fn callable(name: &ImmutableString) -> Result<(), Wrong> {
    FnPtr::new(name.clone()).map(|_| ())
}

/// What `catch` sees of an error: what was thrown, or a map that tells of it.
pub(super) fn caught(mut error: Wrong, arena: &mut Arena) -> Val {
    if let EvalAltResult::ErrorRuntime(value, _) = &*error {
        return arena.of_dynamic(value.clone());
    }
    let position = error.take_position();
    let mut told = vec![("message".to_owned(), arena.text(error.to_string().into()))];
    let number = |number: usize| Val::Number(i64::try_from(number).unwrap_or(i64::MAX));
    if let Some(line) = position.line() {
        told.push(("line".to_owned(), number(line)));
        told.push(("position".to_owned(), number(position.position().unwrap_or(0))));
    }
    let told: Vec<(ImmutableString, Val)> = told.into_iter().map(|(name, value)| (name.into(), value)).collect();
    let mut told = told;
    told.sort_by(|(one, _), (other, _)| one.cmp(other));
    arena.map(told)
}
