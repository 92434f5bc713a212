//! Constants in closures, which capture only variables.

use super::check::{Check, Entry, Snippet, Walk};
use super::linter::Linter;
use crate::layers::author_name;
use crate::script::{Name, Node, What};
use referee_diagnostic::Code;

pub(super) static CHECK: Check = Check {
    name: "closures",
    finds: &[&CLOSURE_AND_CONSTANT],
    walks: &[Walk::Nodes(check)],
    wrong: &[(
        &CLOSURE_AND_CONSTANT,
        Snippet::Rules(
            r"const FAR = 3;
fn turn(me) { me.score = sum([1, 2].map(|n| n + «FAR»)); }",
        ),
    )],
    right: &[
        Snippet::Rules(
            r"const FAR = 3;
fn turn(me) { let far = FAR; me.score = sum([1, 2].map(|n| n + far)) + FAR; }",
        ),
        Snippet::Rules(
            r"const FAR = 3;
fn turn(me) { me.score = sum([1, FAR].map(|n| n + 1)); }",
        ),
    ],
};

pub(super) static CLOSURE_AND_CONSTANT: Entry = Entry {
    code: Code::ClosureAndConstant,
    text: r"
A closure, `|x| …`, uses a constant of the script. A closure can use only the variables of the function around it, not
constants.

```rhai
const STEPS = 2;

fn turn(me) {
    let far = [1, 2].map(|n| n + STEPS);
}
```

Copy the constant into a variable first: `let steps = STEPS;`.
",
};

/// Reports a constant in a closure.
pub(super) fn check(l: &mut Linter<'_>, node: &Node) {
    let What::Closure(closure) = &node.what else { return };
    for captured in &closure.captured {
        if let Name::Constant(name) = &captured.name {
            let name = author_name(name);
            let message = format!("a closure cannot use the constant `{name}`");
            let variable = name.to_lowercase();
            let help = format!("write `let {variable} = {name};` before the closure, and use `{variable}` in it");
            l.report(&CLOSURE_AND_CONSTANT, captured.at, message, help);
        }
    }
}
