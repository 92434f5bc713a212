//! Expressions of scenarios that set something, or look at nothing.

use super::check::{Check, Entry, Snippet, Walk};
use super::linter::Linter;
use crate::script::{Name, Node, What};
use crate::values::Sort;
use referee_diagnostic::Code;

pub(super) static CHECK: Check = Check {
    name: "alone",
    finds: &[&WRONG_EXPRESSION, &NOTHING_CHECKED],
    walks: &[Walk::Bodies(sets), Walk::Expressions(always_the_same)],
    wrong: &[
        (&WRONG_EXPRESSION, Snippet::Condition("red.score «=» 4; true")),
        (&NOTHING_CHECKED, Snippet::Condition("«1» + 1 == 2")),
        (&NOTHING_CHECKED, Snippet::Condition("let far = «3»; far > 2")),
    ],
    right: &[
        Snippet::Condition("let far = 3; far == red.score"),
        Snippet::Condition("red.score == 3 && 1 + 1 == 2"),
        Snippet::Condition("let all = #{}; all.red = red.score; all.red == 3"),
    ],
};

pub(super) static WRONG_EXPRESSION: Entry = Entry {
    code: Code::WrongExpression,
    text: r"
The value of an expression `{ … }` is neither true nor false, or the expression asks or ends the game.

```lines
turn red
expect { red.score }
```

Compare it with something: `{ red.score == 3 }`.
",
};

pub(super) static NOTHING_CHECKED: Entry = Entry {
    code: Code::NothingChecked,
    text: r"
Something looks like a test, but could never fail: a scenario or a branch without lines, or with only a position and
neither play nor expectations, or `expect events` without rows.

```lines
turn red
expect events
```

Write an expectation. `expect events exactly` without rows expects no events.
",
};

/// Reports statements of an expression outside of scripts that set a value of the game.
pub(super) fn sets(l: &mut Linter<'_>) {
    if l.alone {
        l.statements().iter().for_each(|statement| sets_the_game(l, statement));
    }
}

/// Reports a statement of an expression outside of scripts that sets a value of the game.
fn sets_the_game(l: &mut Linter<'_>, statement: &Node) {
    if let What::Assign(assign) = &statement.what
        && let What::Field { of, .. } = &assign.to.what
        && !of.kind.is(Sort::Map)
        && assign.sign.is_none()
    {
        let example = l.schema.example_comparison();
        let help = example.replace("write a comparison, such as", "write `==` to compare, as in");
        let message = "an expression cannot set a value of the game".to_owned();
        l.report(&WRONG_EXPRESSION, statement.at, message, help);
    }
}

/// Reports an expression outside of scripts that looks at nothing, so that it always has the same truth.
pub(super) fn always_the_same(l: &mut Linter<'_>) {
    let mut looks = false;
    let mut first = None;
    l.function.body.walk(&mut |node| match &node.what {
        What::Call(_) => looks = true,
        What::Truth(_) | What::Number(_) | What::Text(_) => _ = first.get_or_insert(node.at),
        // A column of a table, or a variable of the expression.
        What::Name(Name::Local(_)) => _ = first.get_or_insert(node.at),
        What::And(_) | What::Or(_) | What::Block(_) | What::Nothing | What::Operator(..) | What::Let { .. } => {}
        _ => looks = true,
    });
    let is_truth = l.function.result.is(Sort::Truth);
    if let (false, Some(at), true) = (looks, first, is_truth) {
        let message = "this does not look at the game, so it is always the same".to_owned();
        let help = l.schema.example_comparison();
        l.report(&NOTHING_CHECKED, at, message, help);
    }
}
