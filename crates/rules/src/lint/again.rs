//! Branches of `else if` whose condition was tested before.

use super::check::{Check, Snippet, Walk};
use super::endings::NEVER_RUNS;
use super::linter::Linter;
use super::pure::{is_pure, is_same};
use crate::script::{Node, What};
use referee_diagnostic::Label;

pub(super) static CHECK: Check = Check {
    name: "again",
    finds: &[&NEVER_RUNS],
    walks: &[Walk::Playable(check)],
    wrong: &[
        (
            &NEVER_RUNS,
            Snippet::Turn(
                "if me.score > 3 { win(me); } else if me.tired { lose(me); } else if «me».score > 3 { lose(me); }",
            ),
        ),
        (&NEVER_RUNS, Snippet::Turn("if me.tired || me.score > 3 { win(me); } else if «me».tired { lose(me); }")),
        (
            &NEVER_RUNS,
            Snippet::Turn(
                "if me.tired { win(me); } else if me.score > 3 && «me».tired { lose(me); } else { me.score = 1; }",
            ),
        ),
    ],
    right: &[
        Snippet::Turn("if me.score > 3 { win(me); } else if me.score > 2 { lose(me); } else { me.score += 1; }"),
        Snippet::Turn(r#"if roll("leap") == 6 { win(me); } else if roll("leap") == 6 { lose(me); }"#),
        Snippet::Turn("if me.tired && me.score > 3 { win(me); } else if me.tired { lose(me); }"),
        Snippet::Rules(
            r"fn turn(me) { if me.score == 3 { win(me); } else if rises(me) { lose(me); } else if me.score == 3 { win(me); } }
fn rises(me) { me.score += 1; me.score == 9 }",
        ),
        Snippet::Turn("if me.tired { me.score += 1; } if me.tired { me.score += 1; }"),
    ],
};

/// Reports each branch that never runs, because an earlier one has run if its condition is true.
fn check(l: &mut Linter<'_>) {
    let script = l.script;
    for function in &script.functions {
        function.body.walk(&mut |node| {
            if let What::If(parts) = &node.what {
                let [condition, _, other] = &**parts;
                if is_pure(condition) {
                    never_true(l, condition, other);
                }
            }
        });
    }
}

/// Reports the next branch that needs one of the conditions which were enough for the first.
fn never_true(l: &mut Linter<'_>, first: &Node, other: &Node) {
    let enough = match &first.what {
        What::Or(parts) => parts.as_slice(),
        _ => std::slice::from_ref(first),
    };
    let mut rest = other;
    while let [next] = rest.statements()
        && let What::If(parts) = &next.what
    {
        let [condition, _, other] = &**parts;
        if !is_pure(condition) {
            return;
        }
        let needed = match &condition.what {
            What::And(parts) => parts.as_slice(),
            _ => std::slice::from_ref(condition),
        };
        let tested = |needed: &&Node| enough.iter().any(|enough| is_same(enough, needed));
        if is_same(first, condition) || needed.iter().any(|needed| tested(&needed)) {
            let part = needed.iter().find(tested).unwrap_or(condition);
            return report(l, part, first);
        }
        rest = other;
    }
}

fn report(l: &mut Linter<'_>, again: &Node, first: &Node) {
    let (Some(Label { source, span, .. }), Some(before)) = (l.label(again.start()), l.label(first.start())) else {
        return;
    };
    let message = "this branch never runs: where its condition is true, an earlier branch has run";
    let help = "write another condition, or remove the branch";
    l.wrong.push(NEVER_RUNS.at(&source, span, message).also(&before.source, before.span, "tested here").help(help));
}
