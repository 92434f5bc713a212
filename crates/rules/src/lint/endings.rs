//! Statements after a call that ends the game: they never run.

use rhai::Position;

use crate::layers::{Layers, rules_place};
use crate::script::{Case, Node, Script, Switch, What};
use referee_diagnostic::{Diagnostic, Label};
use referee_source::Span;

/// Returns an error for each statement after a call that ends the game, in its block: `draw_game(); return;`. Such rules
/// run, so this is no error for play.
pub(crate) fn after_the_end(layers: &Layers, script: &Script) -> Vec<Diagnostic> {
    let mut wrong = Vec::new();
    for function in &script.functions {
        function.body.walk(&mut |node| match &node.what {
            What::Block(statements) => wrong.extend(statements.windows(2).filter_map(|two| never_run(layers, two))),
            What::Switch(switch) => wrong.extend(never_chosen(layers, switch, node.at)),
            _ => {}
        });
    }
    wrong.sort_by_key(|wrong| wrong.labels.first().map(|label| (label.source.name().to_owned(), label.span)));
    wrong.dedup();
    wrong
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
        let wrong = Diagnostic::new("never_runs", &source, Span::new(start..start + text.len()), message);
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
