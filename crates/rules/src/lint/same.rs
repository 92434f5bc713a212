//! Comparisons of an expression outside of scripts whose two sides are the same.

use super::check::{Check, Entry, Snippet, Walk};
use super::facts::Fact;
use super::linter::Linter;
use super::pure::is_same;
use super::reached::contrary;
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
        (&ALWAYS_THE_SAME, Snippet::Condition("red.score != 1 || «red».score != 2")),
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
twice, parts of `&&` that are never true together, `n > 40 && n < 10`, parts of `||` of which one is always true, `m != 3 || m
!= 4`, a comparison with `()` of what always has a value, and `me.score = me.score`. `while true` and `do … while false` are meant so.
",
};

/// Reports a comparison in an expectation whose two sides are the same, and conditions of which one is always true.
pub(super) fn check(l: &mut Linter<'_>, node: &Node) {
    if let (What::Or(parts), true) = (&node.what, l.alone) {
        if let Some((part, before)) = contrary(parts, false) {
            beside(l, part, &before, false);
        }
        return;
    }
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

/// Reports a part of `&&` that is never true beside another one, or a part of `||` that is true where the other one is not.
pub(super) fn beside(l: &mut Linter<'_>, part: &Node, before: &Fact<'_>, is_and: bool) {
    let (Some(here), Some(other)) = (l.label(part.start()), l.label(before.tested.start())) else { return };
    let (message, help) = match is_and {
        true => ("this is never true where the condition before it is", "join them with `||` if one of them is enough"),
        false => {
            ("this is always true where the condition before it is not", "join them with `&&` if both must be true")
        }
    };
    let message = format!("{message}, so the whole is always {}", !is_and);
    let note = ALWAYS_THE_SAME.at(&here.source, here.span, message).also(&other.source, other.span, "that is here");
    l.wrong.push(note.help(format!("{help}, or compare with another value")));
}
