//! Statements after a call that ends the game: they never run.

use rhai::{ASTNode, Expr, Position, Stmt};

use crate::diagnostic::{Diagnostic, Label};
use crate::rules::compile::end_of_the_game;
use crate::rules::layers::{Layers, rules_place, walk};
use crate::source::Span;

/// Returns an error for each statement after a call that ends the game, in its block: `draw_game(); return;`. Such rules
/// run, so this is no error for play.
pub(crate) fn after_the_end(layers: &Layers) -> Vec<Diagnostic> {
    let mut wrong = Vec::new();
    let mut block = |statements: &[Stmt]| wrong.extend(statements.windows(2).filter_map(|two| never_run(layers, two)));
    for function in layers.functions.values() {
        block(function.def.statements());
        walk(&function.def, |node| match node {
            ASTNode::Stmt(Stmt::If(flow, _) | Stmt::TryCatch(flow, _)) => {
                block(flow.body.statements());
                block(flow.branch.statements());
            }
            ASTNode::Stmt(Stmt::While(flow, _) | Stmt::Do(flow, ..)) => block(flow.body.statements()),
            ASTNode::Stmt(Stmt::For(parts, _)) => block(parts.2.body.statements()),
            ASTNode::Stmt(Stmt::Block(body)) => block(body.statements()),
            ASTNode::Expr(Expr::Stmt(body)) => block(body.statements()),
            _ => {}
        });
    }
    wrong.sort_by_key(|wrong| wrong.labels.first().map(|label| (label.source.name().to_owned(), label.span)));
    wrong.dedup();
    wrong
}

/// Returns the error for a statement that never runs, because the one before it ends the game.
fn never_run(layers: &Layers, two: &[Stmt]) -> Option<Diagnostic> {
    let [first, next] = two else { return None };
    let (name, ends) = end_of_the_game(first)?;
    let Label { source, span, .. } = label(layers, next.position())?;
    let ended = label(layers, ends)?;
    let line = source.line_span(source.line(span.start));
    let rest = source.slice(Span { start: span.start, ..line });
    let (what, help) = match next {
        Stmt::Return(None, ..) => {
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
