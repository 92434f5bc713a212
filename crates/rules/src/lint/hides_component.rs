//! Variables and parameters that are named like components of the game.

use rhai::Position;

use super::check::{Check, Entry, Snippet, Walk};
use super::linter::Linter;
use crate::script::{Closure, Node, What, is_closure};
use referee_diagnostic::{Code, Label};
use referee_source::Span;

pub(super) static CHECK: Check = Check {
    name: "hides_component",
    finds: &[&HIDES_COMPONENT],
    walks: &[Walk::Nodes(check), Walk::Functions(parameters)],
    wrong: &[
        (&HIDES_COMPONENT, Snippet::Turn("let «log» = 3; me.score = log;")),
        (&HIDES_COMPONENT, Snippet::Turn("for «red» in 1..3 { me.score += red; }")),
        (&HIDES_COMPONENT, Snippet::Turn("me.score = sum([1, 2].map(|«deck»| deck + 1));")),
        (
            &HIDES_COMPONENT,
            Snippet::Rules(
                r"fn turn(me) { me.score = far(me, 3); }
fn far(me, «blue») { me.score + blue }",
            ),
        ),
    ],
    right: &[
        Snippet::Turn("let logs = 3; me.score = logs;"),
        Snippet::Turn("let frog = frog(me); if at(cell(frog)) == frog { me.score = 1; }"),
        Snippet::Turn("for score in 1..3 { me.score += score; }"),
    ],
};

pub(super) static HIDES_COMPONENT: Entry = Entry {
    code: Code::HidesComponent,
    text: r#"
A variable or parameter of the rules has the name of a player or a piece.

```rhai
fn turn(me) {
    let red = roll("stride");
}
```

Choose another name. Otherwise the name would silently mean the component.
"#,
};

/// Reports variables that are named like components.
pub(super) fn check(l: &mut Linter<'_>, node: &Node) {
    match &node.what {
        What::Let { local, .. } => hides(l, *local),
        What::For(parts) => {
            hides(l, parts.local);
            parts.counter.iter().for_each(|counter| hides(l, *counter));
        }
        What::Closure(closure) => of_closure(l, closure, node.at),
        _ => {}
    }
}

/// Reports parameters of a function that are named like components.
pub(super) fn parameters(l: &mut Linter<'_>) {
    // Rhai keeps what a closure in a constant captures among its parameters.
    if is_closure(&l.function.name) {
        return;
    }
    for at in 0..l.function.parameters {
        let Some(local) = l.function.local(at).filter(|local| l.is_component(&local.name)) else { continue };
        let before = l.wrong.len();
        hides(l, at);
        let name = l.layers.label_of(&l.function.name, l.function.parameters);
        let Some(wrong) = l.wrong.get_mut(before) else { continue };
        // The parameter is between the function's name and its body.
        if let (Some(named), Some(label)) = (name, wrong.labels.first_mut())
            && named.span.end < label.span.start
        {
            let head = Span { start: named.span.end, end: label.span.start };
            let text = named.source.slice(head);
            let whole = |at: usize| {
                let rest = text.get(at + local.name.len()..).unwrap_or_default();
                !rest.starts_with(|letter: char| letter.is_alphanumeric() || letter == '_')
            };
            if let Some(at) = text.match_indices(local.name.as_str()).map(|(at, _)| at).find(|at| whole(*at)) {
                let start = head.range().start + at;
                label.span = Span::new(start..start + local.name.len());
            }
        }
    }
}

/// Reports a variable that is named like a component. Rhai would take the component.
fn hides(l: &mut Linter<'_>, local: usize) {
    let Some(local) = l.function.local(local).filter(|local| l.is_component(&local.name)) else { return };
    let message =
        format!("`{}` is the name of a component of the game, so no variable or parameter can have it", local.name);
    l.report(&HIDES_COMPONENT, local.at, message, "choose another name".to_owned());
}

/// Reports parameters of a closure that are named like components.
fn of_closure(l: &mut Linter<'_>, closure: &Closure, at: Position) {
    if closure.params.iter().all(|param| !l.is_component(l.local(*param))) {
        return;
    }
    let Some(Label { source, span, .. }) = l.label(at) else { return };
    let rest = source.text().get(span.range().start..).unwrap_or_default();
    let Some((params, _)) = rest.strip_prefix('|').and_then(|rest| rest.split_once('|')) else { return };
    let mut start = span.range().start + 1;
    for param in params.split(',') {
        let name = param.trim();
        if l.is_component(name) {
            let from = start + param.find(name).unwrap_or(0);
            let span = Span::new(from..from + name.len());
            let message =
                format!("`{name}` is the name of a component of the game, so no variable or parameter can have it");
            l.wrong.push(HIDES_COMPONENT.at(&source, span, message).help("choose another name"));
        }
        start += param.len() + 1;
    }
}
