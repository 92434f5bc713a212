//! Statements after a call that ends the game: they never run.

use rhai::Position;

use crate::diagnostic::{Diagnostic, Label};
use crate::rules::layers::{Layers, rules_place};
use crate::rules::script::{Node, Script, What};
use crate::source::Span;

/// Returns an error for each statement after a call that ends the game, in its block: `draw_game(); return;`. Such rules
/// run, so this is no error for play.
pub(crate) fn after_the_end(layers: &Layers, script: &Script) -> Vec<Diagnostic> {
    let mut wrong = Vec::new();
    for function in &script.functions {
        function.body.walk(&mut |node| {
            if let What::Block(statements) = &node.what {
                wrong.extend(statements.windows(2).filter_map(|two| never_run(layers, two)));
            }
        });
    }
    wrong.sort_by_key(|wrong| wrong.labels.first().map(|label| (label.source.name().to_owned(), label.span)));
    wrong.dedup();
    wrong
}

/// Returns the error for a statement that never runs, because the one before it ends the game.
fn never_run(layers: &Layers, two: &[Node]) -> Option<Diagnostic> {
    let [first, next] = two else { return None };
    // An empty block is a `;`.
    if matches!(&next.what, What::Block(none) if none.is_empty()) {
        return None;
    }
    let (leaves, note) = match (&first.what, first.ends_the_game()) {
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
    Some(Diagnostic::new("never_runs", &source, span, message).also(&ended.source, ended.span, note).help(help))
}

fn label(layers: &Layers, position: Position) -> Option<Label> {
    layers.texts.label(rules_place(position))
}
