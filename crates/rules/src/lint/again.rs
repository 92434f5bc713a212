//! Branches whose condition was tested before, and is never true where they stand.

use super::check::{Check, Snippet, Walk};
use super::endings::NEVER_RUNS;
use super::facts::{Fact, How};
use super::linter::Linter;
use super::numbers;
use super::reached::{Found, Reached};
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
        (
            &NEVER_RUNS,
            Snippet::Turn("if me.score > 3 { win(me); } else if «me».score > 5 { lose(me); } else { me.score += 1; }"),
        ),
        (&NEVER_RUNS, Snippet::Turn("if me.score == 3 { win(me); } else if «3» == me.score { lose(me); }")),
        (
            &NEVER_RUNS,
            Snippet::Turn("if me.tired { win(me); } else if !me.tired { me.score += 1; } else { «lose»(me); }"),
        ),
        (&NEVER_RUNS, Snippet::Turn("if me.score > 3 { return; } if «me».score > 3 { win(me); } me.score += 1;")),
        (
            &NEVER_RUNS,
            Snippet::Turn("switch me.score { 1 | 2 => { if «me».score == 3 { win(me); } } _ => me.score = 1 }"),
        ),
        (&NEVER_RUNS, Snippet::Turn("switch me.score { 1 => win(me), _ => { if «me».score == 1 { lose(me); } } }")),
        (&NEVER_RUNS, Snippet::Turn("if me.tired { if «!»me.tired { win(me); } } me.score += 1;")),
        (
            &NEVER_RUNS,
            Snippet::Turn(r#"let far = roll("leap"); if «far» == 7 { win(me); } far += 1; me.score += far;"#),
        ),
        (
            &NEVER_RUNS,
            Snippet::Turn("let most = me.score; if most > 3 { return; } me.score += 1; if «most» > 4 { win(me); }"),
        ),
        (
            &NEVER_RUNS,
            Snippet::Turn(
                "let best = red.score; if me.score > best { win(me); } else if «best» < me.score { lose(me); } me.score += 1;",
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
        Snippet::Turn(
            "switch me.score { 1 | 2 => { if me.score == 2 { win(me); } } _ => { if me.score == 3 { win(me); } } }",
        ),
        Snippet::Turn("switch me.score { 1 => { me.score = 2; if me.score == 2 { win(me); } } _ => me.score = 1 }"),
        Snippet::Turn("switch me.score { 1 if me.tired => win(me), _ => { if me.score == 1 { me.tired = true; } } }"),
        Snippet::Turn("switch me.score { 0..=2 => { if me.score == 1 { win(me); } } _ => lose(me) } me.score += 1;"),
        Snippet::Turn("if me.score > 3 { me.score = 3; } if me.score > 3 { win(me); } me.score += 1;"),
        Snippet::Turn("if me.score > 3 { return; } me.score += 4; if me.score > 3 { win(me); }"),
        Snippet::Turn("let far = me.score; if far > 3 { return; } far += 4; if far > 3 { win(me); }"),
        Snippet::Turn("let far = me.score; if far > 3 { return; } for n in 1..3 { if far > 3 { win(me); } far += n; }"),
        Snippet::Turn(
            "if me.score > 3 { win(me); } else if me.score <= 3 { me.score += 1; } else { throw \"never\"; }",
        ),
        Snippet::Turn(
            "let add = 0; let more = || { add += 4; }; if add > 3 { return; } more.call(); if add > 3 { win(me); } me.score += 1;",
        ),
        Snippet::Turn("if me.tired { me.tired = false; if !me.tired { me.score += 1; } } else { me.score += 1; }"),
        Snippet::Turn(
            "for one in players() { if one.score > 3 { continue; } me.score += 1; } if me.score > 3 { win(me); }",
        ),
    ],
};

/// Reports each branch that never runs, because of what was tested before it.
fn check(l: &mut Linter<'_>) {
    let script = l.script;
    for function in &script.functions {
        let found = Reached::find(function, &|value| Some(numbers::given(l, value)?.0));
        for found in found {
            match found {
                Found::Branch(part, before) => report(l, part, &before, false),
                // To throw there says that it never happens.
                Found::Otherwise(first, before) if !matches!(first.what, What::Throw(_)) => {
                    report(l, first, &before, true);
                }
                _ => {}
            }
        }
    }
}

fn report(l: &mut Linter<'_>, never: &Node, before: &Fact<'_>, is_otherwise: bool) {
    let (Some(Label { source, span, .. }), Some(other)) = (l.label(never.start()), l.label(before.tested.start()))
    else {
        return;
    };
    let (message, note) = match (is_otherwise, before.how) {
        (true, _) => ("this never runs: the condition before `else` is always true here".to_owned(), "tested here"),
        (_, How::Given) => {
            let words = numbers::given(l, before.tested).map_or_else(String::new, |(_, words)| words);
            (format!("this branch never runs: {words}"), "it is given here")
        }
        (_, How::Left) => {
            let message = "this branch never runs: where its condition is true, the rules do not come here";
            (message.to_owned(), "they leave after this")
        }
        (_, How::Inside) => {
            let message = "this branch never runs: where its condition is true, the branch around it does not run";
            (message.to_owned(), "tested here")
        }
        (_, How::Earlier | How::Beside) => {
            let message = "this branch never runs: where its condition is true, an earlier branch has run";
            (message.to_owned(), "tested here")
        }
    };
    let help = if is_otherwise {
        "write another condition, or remove `else`"
    } else {
        "write another condition, or remove the branch"
    };
    l.wrong.push(NEVER_RUNS.at(&source, span, message).also(&other.source, other.span, note).help(help));
}
