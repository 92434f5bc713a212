//! Values that are missing where they must be there: errors of the program itself.
//!
//! An id without an entry, or a node without an edge, has no answer. Most code that meets one returns no errors, and a
//! plausible answer must not pass for a result: it is noted here, and the command then fails, whatever it found.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use super::Diagnostic;

static MISSING: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());

/// Notes that a value is missing that must be there.
#[cold]
#[inline(never)]
pub fn note_missing(what: &'static str) {
    MISSING.lock().unwrap_or_else(PoisonError::into_inner).insert(what);
}

/// Returns an error for each kind of value that was missing so far.
#[must_use]
pub fn noted_missing() -> Vec<Diagnostic> {
    let missing = MISSING.lock().unwrap_or_else(PoisonError::into_inner);
    missing.iter().map(|what| Diagnostic::internal(format!("{what} is missing"))).collect()
}

/// A value that must be there.
pub trait MustBe<T> {
    /// Returns the value. If it is missing, notes that `what` is missing, and returns `other`.
    fn or_missing(self, what: &'static str, other: T) -> T;

    /// Notes that `what` is missing, if it is. For what is left undone without the value.
    fn noted(self, what: &'static str) -> Option<T>;
}

impl<T> MustBe<T> for Option<T> {
    #[inline]
    fn or_missing(self, what: &'static str, other: T) -> T {
        match self {
            Some(value) => value,
            None => {
                note_missing(what);
                other
            }
        }
    }

    #[inline]
    fn noted(self, what: &'static str) -> Option<T> {
        if self.is_none() {
            note_missing(what);
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::{MustBe as _, noted_missing};

    #[test]
    fn what_is_missing_is_noted_once() {
        assert_eq!(Some(1).or_missing("a number of this test", 2), 1);
        let about = |what: &str| noted_missing().iter().filter(|wrong| wrong.message.contains(what)).count();
        assert_eq!(about("a number of this test"), 0);
        assert_eq!(None.or_missing("a number of this test", 2), 2);
        assert_eq!(None.or_missing("a number of this test", 3), 3);
        assert_eq!(about("internal error: a number of this test is missing"), 1);
        assert_eq!((Some(1).noted("another of this test"), about("another of this test")), (Some(1), 0));
        assert_eq!((None::<i32>.noted("another of this test"), about("another of this test is missing")), (None, 1));
    }
}
