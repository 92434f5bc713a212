//! Comparisons of an expression outside of scripts whose two sides are the same.

use super::check::{Check, Entry, Snippet, Walk};
use super::linter::Linter;
use crate::natives;
use crate::script::{Node, Target, What};

pub(super) static CHECK: Check = Check {
    name: "same",
    finds: &[&ALWAYS_THE_SAME],
    walks: &[Walk::Nodes(check)],
    wrong: &[
        (&ALWAYS_THE_SAME, Snippet::Condition("red.score «=»= red.score")),
        (&ALWAYS_THE_SAME, Snippet::Condition("red.tired || count(cells(log)) «!»= count(cells(log))")),
    ],
    right: &[
        Snippet::Condition("red.score == red.score + 0"),
        Snippet::Condition("count(cells(log)) == count(cells(frog(red)))"),
    ],
};

pub(super) static ALWAYS_THE_SAME: Entry = Entry {
    code: "always_the_same",
    text: r"
Both sides of a comparison in an expression are the same, so its result never changes.

```lines
turn red
roll stride 1
red walk to b2
expect { red.score == red.score }
```

Compare with the value that you expect: `expect { red.score == 0 }`.
",
};

/// Reports a comparison in an expectation whose two sides are the same.
pub(super) fn check(l: &mut Linter<'_>, node: &Node) {
    let What::Operator(sign, parts) = &node.what else { return };
    let ([one, other], "==" | "!=", true) = (parts.as_slice(), sign.as_str(), l.alone) else { return };
    if is_same(one, other) {
        let message = format!("both sides are the same, so this is always {}", sign == "==");
        l.report(&ALWAYS_THE_SAME, node.at, message, "compare with another value".to_owned());
    }
}

/// Returns whether two expressions are the same and have the same value: they call nothing that asks or that the rules
/// define.
fn is_same(one: &Node, other: &Node) -> bool {
    match (&one.what, &other.what) {
        (What::Name(one), What::Name(other)) => one == other,
        (What::Number(one), What::Number(other)) => one == other,
        (What::Text(one), What::Text(other)) => one == other,
        (What::Field { of, name, .. }, What::Field { of: other, name: too, .. }) => name == too && is_same(of, other),
        (What::Index { of, index, .. }, What::Index { of: other, index: too, .. }) => {
            is_same(of, other) && is_same(index, too)
        }
        (What::Call(one), What::Call(other)) => {
            let does = natives::functions(&one.name).iter().any(|form| form.tells_and_does());
            one.name == other.name
                && one.target == Target::Native
                && !does
                && one.args.len() == other.args.len()
                && one.args.iter().zip(&other.args).all(|(one, other)| is_same(one, other))
        }
        _ => false,
    }
}
