//! Checks the names of parameters and of what closures use: those of components and constants are taken.

use rhai::{Position, ScriptFuncDef};

use super::checker::Checker;
use crate::diagnostic::Label;
use crate::rules::layers::{author_name, rules_place};
use crate::source::Span;

impl Checker<'_> {
    /// Reports a constant in a closure. A closure captures only variables.
    pub(super) fn captures_constant(&mut self, name: &str, position: Position) {
        let name = author_name(name);
        let message = format!("a closure cannot use the constant `{name}`");
        let variable = name.to_lowercase();
        let help = format!("write `let {variable} = {name};` before the closure, and use `{variable}` in it");
        self.report("closure_and_constant", position, message, Some(help));
    }

    pub(super) fn hides_by_parameter(&mut self, name: &str, def: &ScriptFuncDef) {
        let before = self.wrong.len();
        self.hides(name, def.body.start_position());
        let Some(wrong) = self.wrong.get_mut(before) else { return };
        // The parameter is between the function's name and its body.
        if let (Some(named), Some(label)) = (self.layers.name_of(def), wrong.labels.first_mut()) {
            let head = Span { start: named.span.end, end: label.span.start };
            let words = named.source.slice(head).match_indices(name);
            let whole = |at: usize| {
                let rest = named.source.slice(head).get(at + name.len()..).unwrap_or_default();
                !rest.starts_with(|letter: char| letter.is_alphanumeric() || letter == '_')
            };
            if let Some(at) = words.map(|(at, _)| at).find(|at| whole(*at)) {
                let start = head.range().start + at;
                label.span = Span::new(start..start + name.len());
            }
        }
    }

    /// Reports the parameters of the closure at a position that are named like components. The closure would get the
    /// components instead of its arguments. Rhai keeps captured variables among the parameters, so the text is read.
    pub(super) fn hides_by_closure(&mut self, position: Position) {
        let Some(Label { source, span, .. }) = self.texts.label(rules_place(position)) else { return };
        let rest = source.text().get(span.range().start..).unwrap_or_default();
        let Some((params, _)) = rest.strip_prefix('|').and_then(|rest| rest.split_once('|')) else { return };
        let mut start = span.range().start + 1;
        for param in params.split(',') {
            let name = param.trim();
            if self.is_component(name) {
                let at = start + param.find(name).unwrap_or(0);
                let before = self.wrong.len();
                self.hides(name, position);
                let label = self.wrong.get_mut(before).and_then(|wrong| wrong.labels.first_mut());
                label.into_iter().for_each(|label| label.span = Span::new(at..at + name.len()));
            }
            start += param.len() + 1;
        }
    }
}
