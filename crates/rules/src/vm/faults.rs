//! The errors of running rules.

use rhai::{EvalAltResult, FnPtr, ImmutableString, Position};

use super::op::Fault;
use crate::values::Wrong;
use crate::values::{Arena, Val};

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
    let whole = format!("{error:?}");
    // An error is made and written down with all that it quotes.
    arena.work().of_bytes(whole.len());
    let kind = whole.split('(').next().unwrap_or_default().to_owned();
    entries.push(("error".to_owned(), arena.text(kind.into())));
    entries.extend(parts(&error, arena));
    arena.described(entries)
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

#[cfg(test)]
mod tests {
    use rhai::{EvalAltResult, Position};

    use super::caught;
    use crate::values::Arena;

    /// What errors take is counted, so that rules that catch them in a loop stop at their limit.
    #[test]
    fn the_memory_of_caught_errors_is_counted() {
        let errors: [fn() -> EvalAltResult; 3] = [
            || EvalAltResult::ErrorArrayBounds(1, 5, Position::new(1, 60)),
            || EvalAltResult::ErrorFunctionNotFound("foo (array, string, string)".repeat(20), Position::new(1, 1)),
            || {
                let inner = EvalAltResult::ErrorVariableNotFound("x".to_owned(), Position::NONE);
                EvalAltResult::ErrorInFunctionCall("f".to_owned(), String::new(), Box::new(inner), Position::NONE)
            },
        ];
        for error in errors {
            let mut arena = Arena::default();
            let taken = allocation_counter::measure(|| {
                for _ in 0..10_000 {
                    caught(Box::new(error()), &mut arena);
                }
            });
            let (taken, counted) = (taken.bytes_current, arena.bytes());
            let counted = i64::try_from(counted).unwrap_or(i64::MAX);
            // Lists that grow have room for up to twice as much.
            assert!(taken * 2 <= counted * 3, "{:?}: {taken} bytes, {counted} counted", error());
        }
    }
}
