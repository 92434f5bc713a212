//! Checks string constants in calls: names of the game, the number of values of an event, comparisons that are never
//! true.

use rhai::{Expr, Position};

use super::checker::{Call, Checker, is_closure};
use super::outcomes::Written;
use super::signatures::Signature;
use crate::diagnostic::{counted, did_you_mean, nearest, one_of};
use crate::rules::host::{Names, Role, help_for, names};
use crate::rules::layers::{author_name, rules_place};
use crate::rules::natives;
use crate::table::{Form, Schema};

/// Returns the form of the event or ask with this name, as the function of the rules API takes it.
pub(super) fn form_of<'s>(schema: &'s Schema, function: &str, verb: &str) -> Option<&'s Form> {
    match function {
        "event" => schema.events.get(schema.event(verb)?.index()),
        "may" => schema.asks.get(schema.ask(verb)?.index()),
        _ => None,
    }
}

impl Checker<'_> {
    /// Reports string constants that should name a component or a declaration of the game and do not.
    /// `forms` are those of the called function.
    pub(super) fn literals(&mut self, call: &Call<'_>, forms: &[Signature<'_>]) {
        let given = call.call.args.len() + usize::from(call.method);
        let fitting = forms.iter().find(|form| form.counts().contains(&given));
        let Some(signature) = fitting.or(forms.first()) else { return };
        self.form_values(signature.form, call);
        let skipped = usize::from(call.method);
        for (parameter, value) in signature.form.parameters.iter().skip(skipped).zip(&call.call.args) {
            for text in self.texts_of(value) {
                // `totals.set("anna", 0)` of a map.
                if call.method && parameter.role == Role::Property && self.keys.contains(text.text.as_str()) {
                    continue;
                }
                self.name_of_role(call, parameter.role, &text);
            }
        }
    }

    /// Reports a string that is no name of this sort. One that the call may never get is reported only if it looks
    /// misspelt.
    pub(super) fn name_of_role(
        &mut self,
        call: &Call<'_>,
        role: Role,
        Written { text, position, exact, unsure }: &Written,
    ) {
        let named = |(what, mut names): (_, Names<'_>)| (what, names.any(|name| name == text.as_str()));
        let Some((what, known)) = self.names(role).map(named) else { return };
        let known = known || role == Role::Event && self.schema.event(text).is_some();
        if known && role == Role::Phase {
            self.phase(call, (text, *position, *exact));
        }
        if !known {
            let names = self.names(role).into_iter().flat_map(|(_, names)| names);
            let names: Vec<String> = names.map(author_name).collect();
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            if *unsure && nearest(text, names.iter().copied()).is_none() {
                return;
            }
            let help = help_for(role, what, text, &names);
            self.report_written(
                "unknown_component",
                (text, *position, *exact),
                if text.is_empty() { format!("`\"\"` is no {what}") } else { format!("unknown {what} `{text}`") },
                help,
            );
        }
    }

    /// Reports an event or ask with another number of values than its form has.
    fn form_values(&mut self, called: &natives::Form, call: &Call<'_>) {
        let [Expr::StringConstant(verb, _), values @ ..] = call.call.args.as_slice() else { return };
        let Some(form) = form_of(self.schema, called.name(), verb).filter(|_| !call.method) else { return };
        let kinds = form.kinds();
        let least = kinds.iter().rposition(|(_, optional)| !optional).map_or(0, |last| last + 1);
        if (least..=kinds.len()).contains(&values.len()) {
            return self.kinds_of_form(verb, &kinds, values, form);
        }
        let some = |count: usize| counted(count, "value");
        let wanted = match (least, kinds.len()) {
            (least, most) if least == most => some(most),
            (least, most) => format!("{least} to {}", some(most)),
        };
        let message = format!("`{verb}` takes {wanted}, got {}", values.len());
        let help = format!("use the form `{form}`");
        self.report("wrong_arity", call.position, message, Some(help));
    }

    /// Returns the word for what values with a role name in the game, and all these names; `None` for other roles.
    pub(super) fn names(&self, role: Role) -> Option<(&'static str, Names<'_>)> {
        if role == Role::Phase {
            let public = self.layers.functions.keys().map(|(name, _)| name.as_str());
            return Some(("function", Box::new(public.filter(|name| !is_closure(name)))));
        }
        names(self.schema, role)
    }

    /// Reports `==` between an option and a string that is not one of its values, and other words that cannot be.
    pub(super) fn comparison(&mut self, call: &Call<'_>) {
        if matches!(call.call.name.as_str(), "==" | "!=" | "<" | "<=" | ">" | ">=") {
            self.number(call);
        }
        if !matches!(call.call.name.as_str(), "==" | "!=") {
            return;
        }
        let [one, other] = call.call.args.as_slice() else { return };
        for (side, text) in [(one, other), (other, one)] {
            match text {
                Expr::StringConstant(text, position) => {
                    self.option_value(side, text, *position);
                    self.word(side, text, *position);
                }
                Expr::Variable(var, _, position) => self.word_in_constant(side, &var.1, *position),
                _ => {}
            }
        }
        if self.alone && self.is_same(one, other) {
            let truth = call.call.name == "==";
            let message = format!("both sides are the same, so this is always {truth}");
            let help = "compare with another value".to_owned();
            self.report("always_the_same", call.position, message, Some(help));
        }
    }

    /// Returns whether two expressions are the same and have the same value: they call nothing that asks or that the rules
    /// define.
    fn is_same(&self, one: &Expr, other: &Expr) -> bool {
        let all = |ones: &[Expr], others: &[Expr]| {
            ones.len() == others.len() && ones.iter().zip(others).all(|(one, other)| self.is_same(one, other))
        };
        match (one, other) {
            (Expr::Variable(one, ..), Expr::Variable(other, ..)) => one.1 == other.1,
            (Expr::Property(one, _), Expr::Property(other, _)) => one.2 == other.2,
            (Expr::IntegerConstant(one, _), Expr::IntegerConstant(other, _)) => one == other,
            (Expr::StringConstant(one, _), Expr::StringConstant(other, _)) => one == other,
            (Expr::Dot(one, ..), Expr::Dot(other, ..)) | (Expr::Index(one, ..), Expr::Index(other, ..)) => {
                self.is_same(&one.lhs, &other.lhs) && self.is_same(&one.rhs, &other.rhs)
            }
            (Expr::FnCall(one, _), Expr::FnCall(other, _)) | (Expr::MethodCall(one, _), Expr::MethodCall(other, _)) => {
                let name = one.name.as_str();
                let known = !natives::functions(name).iter().any(|form| form.tells_and_does())
                    && !self.layers.has_function(name);
                name == other.name && known && all(&one.args, &other.args)
            }
            _ => false,
        }
    }

    /// Reports `${…}` in a string between double quotes.
    pub(super) fn not_filled_in(&mut self, text: &str, position: Position) {
        let Some((_, rest)) = text.split_once("${") else { return };
        let label = self.texts.label(rules_place(position));
        let quoted =
            label.is_some_and(|at| at.source.text().get(at.span.range().start..).is_some_and(|t| t.starts_with('"')));
        if quoted && rest.contains('}') {
            let message = "`${…}` is filled in only between backticks".to_owned();
            self.report_text(
                "not_filled_in",
                position,
                text,
                message,
                Some("write backticks in place of the quotes".to_owned()),
            );
        }
    }

    fn option_value(&mut self, side: &Expr, text: &str, position: Position) {
        let Expr::FnCall(call, _) = side else { return };
        if call.name == "variant" && !self.schema.variants.iter().any(|variant| variant.name == text) {
            let names = || self.schema.variants.iter().map(|variant| variant.name.as_str());
            let help = did_you_mean(text, names()).or_else(|| match self.schema.variants.as_slice() {
                [] => Some("this game has no variants, so `variant()` is `\"\"`".to_owned()),
                _ => Some(format!("use one of {}", one_of(names(), 9))),
            });
            self.report_text("unknown_variant", position, text, format!("unknown variant `{text}`"), help);
        }
        let ("option", [Expr::StringConstant(name, _)]) = (call.name.as_str(), call.args.as_slice()) else { return };
        let Some(option) = self.schema.options.iter().find(|option| option.name == name.as_str()) else { return };
        if option.choice.setting(text).is_none() {
            let words = option.choice.words();
            let help = did_you_mean(text, words.iter().map(String::as_str))
                .unwrap_or_else(|| format!("use one of {}", one_of(words.iter().map(String::as_str), 9)));
            self.report_text(
                "unknown_value",
                position,
                text,
                format!("unknown value `{text}` for the option `{name}`"),
                Some(help),
            );
        }
    }
}
