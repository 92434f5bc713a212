//! Statements after a call that ends the game: they never run.

use rhai::Position;

use super::check::{Check, Entry, Snippet, Walk};
use super::facts::number;
use super::linter::Linter;
use crate::layers::{Layers, rules_place};
use crate::script::{Case, Node, Switch, What};
use referee_diagnostic::{Code, Diagnostic, Label};
use referee_source::Span;

pub(super) static CHECK: Check = Check {
    name: "endings",
    finds: &[&NEVER_RUNS],
    walks: &[Walk::Playable(check)],
    wrong: &[
        (&NEVER_RUNS, Snippet::Turn("if me.score > 3 { win(me); «return»; }")),
        (&NEVER_RUNS, Snippet::Turn("draw_game(); «me.score = 0»;")),
        (
            &NEVER_RUNS,
            Snippet::Rules(
                r"fn turn(me) { me.score = far(me); }
fn far(me) { return me.score; «me.score + 1 »}",
            ),
        ),
        (&NEVER_RUNS, Snippet::Turn("for n in 1..4 { if n > me.score { break; «me.score += 1»; } }")),
        (&NEVER_RUNS, Snippet::Turn("if me.tired { win(me); } else { lose(me); } «me.score = 1»;")),
        (
            &NEVER_RUNS,
            Snippet::Rules(
                r"fn turn(me) { me.score = far(me); }
fn far(me) { loop { me.score += 1; if me.score > 3 { return 1; } } «me.score »}",
            ),
        ),
        (
            &NEVER_RUNS,
            Snippet::Rules(
                r"fn turn(me) { me.score = far(me); }
fn far(me) { switch me.score { 1 => { return 2; } _ => { return 3; } } «me.score »}",
            ),
        ),
        (&NEVER_RUNS, Snippet::Turn("for n in «6»..1 { me.score += n; }")),
        (&NEVER_RUNS, Snippet::Turn("for n in «-»1..=-3 { me.score += n; }")),
        (&NEVER_RUNS, Snippet::Turn("for n in «3»..3 { me.score += n; }")),
        (&NEVER_RUNS, Snippet::Turn("switch me.score { 1 => win(me), 2 => lose(me), «1» => lose(me) }")),
    ],
    right: &[
        Snippet::Turn("if me.score > 3 { win(me); } me.score += 1;"),
        Snippet::Rules("fn turn(me) { if me.score > 3 { return; } me.score += 1; }"),
        Snippet::Turn("for n in 1..4 { if n > me.score { break; } me.score += 1; }"),
        Snippet::Rules(
            r"fn turn(me) { me.score = far(me); }
fn far(me) { loop { me.score += 1; for n in 1..3 { if n > me.score { break; } } if me.score > 3 { break; } } me.score }",
        ),
        Snippet::Turn("for n in 3..=3 { me.score += n; } for n in range(6, 1, -1) { me.score += n; }"),
        Snippet::Turn("if me.tired { return; } else if me.score > 3 { win(me); } me.score += 1;"),
        Snippet::Turn("switch me.score { 0 => { me.score = 2; return; } 1 => return, _ => () } me.score += 1;"),
        Snippet::Turn("switch me.score { 1 if me.tired => win(me), 2 => lose(me), 1 => lose(me) }"),
    ],
};

pub(super) static NEVER_RUNS: Entry = Entry {
    code: Code::NeverRuns,
    text: r"
`referee check` reports a line of the rules that never runs: after a call that ends the game, such as the `return` in `if
me.score == 5 { draw_game(); return; }`, and after `return`, `throw`, `break` and `continue` in the same block. After an `if`
with `else`, or a `switch` with `_`, of which each branch ends so, and after a `loop` without `break`, nothing runs, either.
So it reports a loop over a range without numbers, `6..1`, a case that a `switch` has twice, and a branch whose condition is never true where it stands: an earlier branch
of the same `else if` has run then, `if me.score > 3 { … } else if me.score > 5 { … }`; or the rules have left before, `if
me.tired { return; }`; or the branch around it does not run; or a die does not show such a number. `referee coverage` leaves
out what is after the end of the game.

Only `referee check` reports this: such rules can be played, so `test` and the other commands do not.

`win`, `lose`, `draw_game` and `nobody_wins` end the game at once: remove the `return`, and write events and clauses before
the end.
",
};

/// Reports each statement after a call that ends the game, in its block: `draw_game(); return;`.
pub(super) fn check(l: &mut Linter<'_>) {
    let (layers, script) = (l.layers, l.script);
    let wrong = &mut l.wrong;
    for function in &script.functions {
        function.body.walk(&mut |node| match &node.what {
            What::Block(statements) => wrong.extend(statements.windows(2).filter_map(|two| never_run(layers, two))),
            What::Switch(switch) => wrong.extend(never_chosen(layers, switch, node.at)),
            What::For(parts) => wrong.extend(over_no_numbers(layers, &parts.over)),
            _ => {}
        });
    }
}

/// Returns the error for a loop over a range without numbers.
fn over_no_numbers(layers: &Layers, over: &Node) -> Option<Diagnostic> {
    let What::Operator(sign, parts) = &over.what else { return None };
    let [from, to] = parts.as_slice() else { return None };
    let (from, to) = (number(from)?, number(to)?);
    let is_empty = match sign.as_str() {
        ".." => from >= to,
        "..=" => from > to,
        _ => return None,
    };
    let Label { source, span, .. } = label(layers, over.start()).filter(|_| is_empty)?;
    let message = format!("this loop never runs: there are no numbers in `{from}{sign}{to}`");
    let help = if from == to {
        format!("`..` leaves out its end: write `{from}..={to}`")
    } else {
        let end = if sign == ".." { to } else { to.saturating_sub(1) };
        format!("ranges go up: write `{to}..={from}`, or `range({from}, {end}, -1)` to count down")
    };
    Some(NEVER_RUNS.at(&source, span, message).help(help))
}

/// Returns the errors for cases of a `switch` that are there twice: the second is never chosen.
fn never_chosen(layers: &Layers, switch: &Switch, at: Position) -> Vec<Diagnostic> {
    // A case with a condition may leave its value to a later one.
    let is_sure = |case: &&Case| switch.ways.get(case.way).is_some_and(|way| way.condition.is_none());
    let written = |case: &Case| match case.on.is_string() {
        true => format!("\"{}\"", case.on),
        false => case.on.to_string(),
    };
    let values: Vec<&Case> = switch.cases.iter().filter(|case| case.on.is_string() || case.on.is_int()).collect();
    let twice = values.iter().enumerate().filter(|(number, case)| {
        values.iter().take(*number).copied().filter(is_sure).any(|other| written(other) == written(case))
    });
    let twice = twice.filter_map(|(_, case)| {
        let Label { source, span, .. } = label(layers, at)?;
        let text = written(case);
        let rest = source.text().get(span.range().start..)?;
        let begins = |from: &usize| {
            let (before, behind) = rest.split_at_checked(*from).unwrap_or_default();
            let behind = behind.get(text.len()..).unwrap_or_default().trim_start();
            let is_case = behind.starts_with("=>") || behind.starts_with('|') || behind.starts_with("if ");
            is_case && before.trim_end().ends_with(['{', '}', ',', '|'])
        };
        let second = rest.match_indices(&text).map(|(from, _)| from).filter(begins).nth(1)?;
        let start = span.range().start + second;
        let message = format!("the case `{text}` is here twice, and the second is never chosen");
        let wrong = NEVER_RUNS.at(&source, Span::new(start..start + text.len()), message);
        Some(wrong.help("remove one of them"))
    });
    twice.collect()
}

/// Returns the error for a statement that never runs, because the one before it ends the game.
fn never_run(layers: &Layers, two: &[Node]) -> Option<Diagnostic> {
    let [first, next] = two else { return None };
    // An empty block is a `;`.
    if matches!(&next.what, What::Block(none) if none.is_empty()) {
        return None;
    }
    let (leaves, note) = match (&first.what, first.ends_the_game()) {
        (What::If(_) | What::Switch(_) | What::Try(_) | What::Block(_), _) if is_left(first) => {
            ("no branch before it goes on to here".to_owned(), "each branch of this leaves")
        }
        (What::While { .. }, _) if is_left(first) => {
            ("the loop before it has no `break`".to_owned(), "this loop never ends by itself")
        }
        (_, Some(name)) => (format!("`{name}` ends the game"), "the game ends here"),
        (What::Return(_), _) => ("`return` leaves the function before it".to_owned(), "the function ends here"),
        (What::Throw(_), _) => ("`throw` stops the rules before it".to_owned(), "the rules stop here"),
        (What::Break(_) | What::Continue, _) => ("the round of the loop ends before it".to_owned(), "it ends here"),
        _ => return None,
    };
    let is_end = first.ends_the_game().is_some();
    let Label { source, span, .. } = label(layers, next.start())?;
    let ended = label(layers, first.at)?;
    let line = source.line_span(source.line(span.start));
    let rest = source.slice(Span { start: span.start, ..line });
    let (what, help) = match &next.what {
        What::Return(None) if is_end => {
            ("this `return` never runs", "remove `return;`: the game is over, and nothing runs after it")
        }
        _ if is_end => ("this never runs", "write it before the line that ends the game, or remove it"),
        _ => ("this never runs", "write it before that line, or remove it"),
    };
    let length = rest.find([';', '}']).unwrap_or(rest.len());
    let span = Span::new(span.range().start..span.range().start + length.max(1));
    let message = format!("{what}: {leaves}");
    Some(NEVER_RUNS.at(&source, span, message).also(&ended.source, ended.span, note).help(help))
}

/// Returns whether nothing goes on after a statement: every way through it leaves the round, the function or the game.
pub(super) fn is_left(node: &Node) -> bool {
    match &node.what {
        What::Return(_) | What::Throw(_) | What::Break(_) | What::Continue => true,
        What::If(parts) => parts.iter().skip(1).all(is_left),
        What::Switch(switch) => switch.otherwise.is_some() && switch.ways.iter().all(|way| is_left(&way.body)),
        What::Block(statements) => statements.iter().any(is_left),
        What::Try(parts) => is_left(&parts.body) && is_left(&parts.handler),
        What::While { condition, body } => {
            let is_endless = condition.as_ref().is_none_or(|condition| matches!(condition.what, What::Truth(true)));
            is_endless && !has_break(body)
        }
        _ => node.ends_the_game().is_some(),
    }
}

/// Returns whether the body of a loop has a `break` that ends this loop.
fn has_break(node: &Node) -> bool {
    let mut found = false;
    match &node.what {
        What::Break(_) => return true,
        What::While { .. } | What::Do { .. } | What::For(_) | What::Closure(_) => return false,
        _ => node.for_each_part(&mut |part| found |= has_break(part)),
    }
    found
}

fn label(layers: &Layers, position: Position) -> Option<Label> {
    layers.texts.label(rules_place(position))
}
