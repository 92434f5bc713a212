//! Asks where play cannot pause: in a closure, in an expression of a scenario, and in a function that is used as a value.

use referee_diagnostic::Code;
use rhai::Position;

use super::check::{Check, Entry, Snippet, Walk};
use super::linter::Linter;
use crate::layers::author_name;
use crate::script::{Call, Name, Node, What};

pub(super) static CHECK: Check = Check {
    name: "asks",
    finds: &[&ASK_IN_CLOSURE],
    walks: &[Walk::Nodes(check)],
    wrong: &[
        (&ASK_IN_CLOSURE, Snippet::Turn(r#"[1, 2].for_each(|| «roll»("leap"));"#)),
        (
            &ASK_IN_CLOSURE,
            Snippet::Rules(
                r#"fn turn(me) { me.score = sum([1, 2].map(|n| «far»(n))); }
fn far(n) { n + roll("leap") }"#,
            ),
        ),
        (
            &ASK_IN_CLOSURE,
            Snippet::Rules(
                r#"fn turn(me) { me.score = sum([1, 2].map(«far»)); }
fn far(n) { n + roll("leap") }"#,
            ),
        ),
        (&ASK_IN_CLOSURE, Snippet::Condition(r#"«roll»("leap") == 3"#)),
    ],
    right: &[
        Snippet::Turn(r#"for n in [1, 2] { me.score += n + roll("leap"); }"#),
        Snippet::Turn(r#"let far = roll("leap"); me.score = sum([1, 2].map(|n| n + far));"#),
        Snippet::Rules(
            r"fn turn(me) { me.score = sum([1, 2].map(far)); }
fn far(n) { n + 1 }",
        ),
    ],
};

pub(super) static ASK_IN_CLOSURE: Entry = Entry {
    code: Code::AskInClosure,
    text: r#"
A closure, `list.filter(|x| …)`, or an expression `{ … }` of a scenario asks. Play cannot pause inside them.

```rhai
fn turn(me) {
    [1, 2].map(|n| roll("stride"));
}
```

Ask in a loop instead: `for n in [1, 2] { roll("stride"); }`.
"#,
};

/// Reports asks where play cannot pause.
pub(super) fn check(l: &mut Linter<'_>, node: &Node) {
    match &node.what {
        What::Call(call) => asks_in_closure(l, call, node.at),
        What::Name(Name::Function(name)) => asks_as_value(l, name, node.at),
        _ => {}
    }
}

fn asks_in_closure(l: &mut Linter<'_>, call: &Call, at: Position) {
    if l.closures == 0 || !l.askers.contains(&call.name) {
        return;
    }
    let message = format!("`{}` asks, but asks are not possible here", author_name(&call.name));
    let help = "ask in a loop instead of a closure: `for x in list { … }`; an expectation cannot ask".to_owned();
    l.report(&ASK_IN_CLOSURE, at, message, help);
}

/// Reports a function that asks and is used as a value. Native functions such as `map` could call it.
fn asks_as_value(l: &mut Linter<'_>, name: &str, at: Position) {
    if !l.askers.contains(name) || !l.is_own(name) || l.unquoted.contains(&at) {
        return;
    }
    let message = format!("`{}` asks, so it cannot be a function value", author_name(name));
    l.report(&ASK_IN_CLOSURE, at, message, "ask in a loop instead: `for x in list { … }`".to_owned());
}
