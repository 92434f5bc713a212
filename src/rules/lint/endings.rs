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
    let name = first.ends_the_game()?;
    let Label { source, span, .. } = label(layers, next.start())?;
    let ended = label(layers, first.at)?;
    let line = source.line_span(source.line(span.start));
    let rest = source.slice(Span { start: span.start, ..line });
    let (what, help) = match &next.what {
        What::Return(None) => {
            ("this `return` never runs", "remove `return;`: the game is over, and nothing runs after it")
        }
        _ => ("this never runs", "write it before the line that ends the game, or remove it"),
    };
    let length = rest.find([';', '}']).unwrap_or(rest.len());
    let span = Span::new(span.range().start..span.range().start + length.max(1));
    let message = format!("{what}: `{name}` ends the game");
    Some(
        Diagnostic::new("never_runs", &source, span, message)
            .also(&ended.source, ended.span, "the game ends here")
            .help(help),
    )
}

fn label(layers: &Layers, position: Position) -> Option<Label> {
    layers.texts.label(rules_place(position))
}
