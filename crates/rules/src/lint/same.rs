//! Comparisons of an expression outside of scripts whose two sides are the same.

use super::check::{Check, Entry, Snippet, Walk};
use super::linter::Linter;
use super::pure::is_same;
use crate::script::{Node, What};
use referee_diagnostic::Code;

pub(super) static CHECK: Check = Check {
    name: "same",
    finds: &[&ALWAYS_THE_SAME],
    walks: &[Walk::Nodes(check)],
    wrong: &[
        (&ALWAYS_THE_SAME, Snippet::Condition("red.score «=»= red.score")),
        (&ALWAYS_THE_SAME, Snippet::Condition("red.score «>»= red.score")),
        (&ALWAYS_THE_SAME, Snippet::Condition("red.tired || count(cells(log)) «!»= count(cells(log))")),
    ],
    right: &[
        Snippet::Condition("red.score == red.score + 0"),
        Snippet::Condition("count(cells(log)) == count(cells(frog(red)))"),
    ],
};

pub(super) static ALWAYS_THE_SAME: Entry = Entry {
    code: Code::AlwaysTheSame,
    text: r"
Both sides of a comparison in an expression are the same, so its result never changes.

```lines
turn red
roll stride 1
red walk to b2
expect { red.score == red.score }
```

Compare with the value that you expect: `expect { red.score == 0 }`.

In rules this is a note of `referee check`, as are a condition that looks at nothing, such as `if false`, one that is there
twice, and a comparison with `()` of what always has a value. `while true` and `do … while false` are meant so.
",
};

/// Reports a comparison in an expectation whose two sides are the same.
pub(super) fn check(l: &mut Linter<'_>, node: &Node) {
    let What::Operator(sign, parts) = &node.what else { return };
    let ([one, other], "==" | "!=" | "<" | "<=" | ">" | ">=", true) = (parts.as_slice(), sign.as_str(), l.alone) else {
        return;
    };
    if is_same(one, other) {
        let message =
            format!("both sides are the same, so this is always {}", matches!(sign.as_str(), "==" | "<=" | ">="));
        l.report(&ALWAYS_THE_SAME, node.at, message, "compare with another value".to_owned());
    }
}
