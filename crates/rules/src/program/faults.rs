//! Diagnostics for errors of phases, with the places in the rules.

use rhai::EvalAltResult;

use super::Program;
use crate::layers::{OFFERED, Texts, author_name, fault, is_internal, rules_place};
use crate::natives::Named;
use crate::values::{failure, is_about_no_options};
use referee_diagnostic::{Diagnostic, Label, counted};
use referee_table::Phase;

impl Program {
    /// Returns the diagnostic for an error of a phase.
    pub(super) fn faulty(&self, error: &EvalAltResult, phase: &Phase) -> Diagnostic {
        let mut diagnostic = self.placed(self.explained(error, &self.layers.texts), phase);
        if fault::is_recursion(error)
            && let Some(help) = self.help_for_recursion(&diagnostic, phase)
        {
            diagnostic.help = Some(help);
        }
        diagnostic
    }

    /// Returns the diagnostic for an error of a run, with the help of the function that failed.
    pub(super) fn explained(&self, error: &EvalAltResult, texts: &Texts) -> Diagnostic {
        let found = fault::runtime(error, texts);
        let found = match self.computed_function(error).or_else(|| self.link.explanation(&found.message)) {
            Some(explained) => explained.in_place_of(found),
            None => found,
        };
        // Options that pass through a function of the rules may be lost there.
        let offered =
            if is_about_no_options(&found.message) { self.function_label(OFFERED.0, OFFERED.1) } else { None };
        match offered {
            Some(Label { source, span, .. }) => found.also(&source, span, "its options pass through this function"),
            None => found,
        }
    }

    /// Returns the error for a function that the rules call by a computed name, `Fn(name).call(…)`, and do not have.
    fn computed_function(&self, error: &EvalAltResult) -> Option<Diagnostic> {
        let (name, arguments) = fault::not_found(error)?;
        let is_name = name.starts_with(char::is_alphabetic) && !name.contains(' ');
        let is_native = self.of_game.of_api(name).next().is_some() || Named::of(name).are_of_library();
        if !is_name || is_native || name.contains('$') {
            return None;
        }
        self.link.lacking(name, arguments)
    }

    /// Returns help for a function of a house rule that calls itself where it means the function that it redefines.
    fn help_for_recursion(&self, diagnostic: &Diagnostic, phase: &Phase) -> Option<String> {
        diagnostic.labels.first().filter(|label| self.layers.texts.is_house(&label.source))?;
        let called = diagnostic.trace.iter().filter_map(|call| call.text.split('`').nth(1));
        let name = called.chain([&*phase.name]).find(|name| {
            let base = format!("base_{name}");
            self.layers.functions.keys().any(|(own, _)| is_internal(own) && author_name(own) == base)
        })?;
        Some(format!("write `base_{name}(…)` to call the redefined function; `{name}(…)` calls the house rule itself"))
    }

    pub(super) fn excessive(&self, error: Option<Box<EvalAltResult>>, phase: &Phase) -> Diagnostic {
        self.placed(fault::excess(&self.link.meter, error.as_deref(), &self.layers.texts), phase)
    }

    /// Labels a diagnostic without a location, such as that of an exceeded limit, with the function of the phase.
    fn placed(&self, mut diagnostic: Diagnostic, phase: &Phase) -> Diagnostic {
        if diagnostic.labels.is_empty() {
            let function = self.layers.functions.get(&(phase.name.to_string(), phase.args.len()));
            let body = function.map(|function| rules_place(function.def.body.start_position()));
            let label = body.and_then(|body| self.label(body)).map(|label| {
                let line = label.source.line(label.span.start);
                let text = format!("in `{}` or in a function that it calls", phase.name);
                Label { span: label.source.line_span(line), text, source: label.source }
            });
            diagnostic.labels.extend(label);
        }
        diagnostic
    }

    /// Returns the error for a phase that the rules do not have.
    pub(super) fn no_function(&self, name: &str, arity: usize) -> Box<EvalAltResult> {
        let arguments = |count: usize| counted(count, "argument");
        failure(match (name, self.functions().find(|(function, _)| *function == name)) {
            ("turn", _) => {
                format!("unknown function `turn` with {}: write `fn turn(me) {{ … }}`", arguments(arity))
            }
            (_, Some((_, takes))) => format!("`{name}` takes {}, got {arity}", arguments(takes)),
            _ => format!("unknown function `{name}` with {}", arguments(arity)),
        })
    }
}
