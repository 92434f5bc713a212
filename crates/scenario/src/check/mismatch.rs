//! Results of judging expectations.

use referee_diagnostic::{Code, one_line};
use referee_source::Span;
use referee_table::{Cells, Drawing};

/// A difference between an expectation and the state of play.
#[derive(Debug, Default)]
pub(crate) struct Mismatch {
    pub(crate) message: String,
    pub(crate) expected: String,
    pub(crate) actual: String,
    /// Whether the message names neither of the two.
    pub(crate) unsaid: bool,
    pub(crate) boards: Option<(Drawing, Drawing)>,
    pub(crate) help: Option<String>,
    /// The code of the message; `None` for that of most mismatches.
    pub(crate) code: Option<Code>,
    /// The cells to highlight.
    pub(crate) cells: Option<Cells>,
    /// The wrong part of the line, or the wrong row; `None` for the whole line.
    pub(crate) span: Option<Span>,
}

/// The result of judging an expectation. It is not an `Option`, so that `?` on a failed lookup cannot mean success.
#[must_use]
#[derive(Debug)]
pub(crate) enum Verdict {
    /// The expectation holds.
    Holds,
    /// The expectation does not hold.
    Fails(Box<Mismatch>),
}

impl Verdict {
    /// Returns the verdict with its mismatch changed.
    pub(crate) fn with(self, change: impl FnOnce(&mut Mismatch)) -> Self {
        match self {
            Self::Fails(mut found) => {
                change(&mut found);
                Self::Fails(found)
            }
            Self::Holds => Self::Holds,
        }
    }
}

/// Returns the verdict for an expectation that does not hold. The texts of the rules in it have no line ends.
pub(crate) fn mismatch(message: impl AsRef<str>, expected: impl AsRef<str>, actual: impl AsRef<str>) -> Verdict {
    mismatch_in_lines(message, one_line(expected.as_ref()), one_line(actual.as_ref()))
}

/// Returns the same for values of several lines, which are ours: see [`as_lines`](referee_diagnostic::as_lines).
pub(crate) fn mismatch_in_lines(message: impl AsRef<str>, expected: String, actual: String) -> Verdict {
    let message = one_line(message.as_ref());
    Verdict::Fails(Box::new(Mismatch { message, expected, actual, ..Mismatch::default() }))
}
