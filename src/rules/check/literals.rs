//! Checks string constants in calls: names of the game, the number of values of an event, comparisons that are never
//! true.

use rhai::{Expr, ImmutableString, Position};

use super::checker::{Call, Checker, is_closure};
use super::fixed::texts_of_list;
use super::signatures::Signature;
use crate::diagnostic::{counted, did_you_mean, one_of};
use crate::rules::host::{Names, help_for, names};
use crate::rules::layers::{Entry, author_name};

impl Checker<'_> {
    /// Reports string constants that should name a component or a declaration of the game and do not.
    /// `forms` are those of the called function.
    pub(super) fn literals(&mut self, call: &Call<'_>, forms: &[Signature<'_>]) {
        let Some(signature) = forms.first() else { return };
        self.form_values(signature.entry, call);
        let skipped = usize::from(call.method);
        for (kind, value) in signature.kinds().iter().skip(skipped).zip(&call.call.args) {
            for text in self.texts_of(value) {
                self.name_of_kind(call, kind, &text);
            }
        }
    }

    /// Returns the strings that an expression can be, if all of them are written in the script, each with its position
    /// and whether that is exact.
    fn texts_of(&self, value: &Expr) -> Vec<(ImmutableString, Position, bool)> {
        match value {
            Expr::StringConstant(text, position) => vec![(text.clone(), *position, true)],
            Expr::Variable(var, ..) => match self.written.get(var.1.as_str()) {
                Some(Expr::StringConstant(text, position)) => vec![(text.clone(), *position, true)],
                list => list.map(|list| texts_of_list(list)).unwrap_or_default(),
            },
            _ => Vec::new(),
        }
    }

    /// Reports a string that is no name of this kind.
    fn name_of_kind(
        &mut self,
        call: &Call<'_>,
        kind: &str,
        (text, position, exact): &(ImmutableString, Position, bool),
    ) {
        let named = |(what, mut names): (_, Names<'_>)| (what, names.any(|name| name == text.as_str()));
        let Some((what, known)) = self.names(kind).map(named) else { return };
        if known && kind == "phase" {
            self.phase(call, text, *position);
        }
        if !known {
            let names = self.names(kind).into_iter().flat_map(|(_, names)| names);
            let names: Vec<String> = names.map(author_name).collect();
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let help = help_for(kind, what, text, &names);
            self.report_written(
                "unknown_component",
                (text, *position, *exact),
                format!("unknown {what} `{text}`"),
                help,
            );
        }
    }

    /// Reports an event or ask with another number of values than its form has.
    fn form_values(&mut self, entry: &Entry, call: &Call<'_>) {
        let forms = match entry.name() {
            "event" => &self.schema.events,
            "may" => &self.schema.asks,
            _ => return,
        };
        let [Expr::StringConstant(verb, _), values @ ..] = call.call.args.as_slice() else { return };
        let Some(form) = forms.iter().find(|form| form.verb == verb.as_str()).filter(|_| !call.method) else { return };
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

    /// Returns the word for a kind of names in the game, and all names of the kind; `None` for other kinds.
    fn names(&self, kind: &str) -> Option<(&'static str, Names<'_>)> {
        if kind == "phase" {
            let public = self.layers.functions.keys().map(|(name, _)| name.as_str());
            return Some(("function", Box::new(public.filter(|name| !is_closure(name)))));
        }
        names(self.schema, kind)
    }

    /// Reports `==` between a component and a string, and between an option and a string that is not one of its values.
    pub(super) fn comparison(&mut self, call: &Call<'_>) {
        if !matches!(call.call.name.as_str(), "==" | "!=") {
            return;
        }
        let [one, other] = call.call.args.as_slice() else { return };
        for (side, text) in [(one, other), (other, one)] {
            let Expr::StringConstant(text, position) = text else { continue };
            if let Some(kind) = self.kind_of(side) {
                let message = format!("{kind} never equals a string");
                let help = "compare it with the component itself, or compare `name(…)` with the string".to_owned();
                self.report_text("component_and_text", *position, text, message, Some(help));
            }
            self.option_value(side, text, *position);
            self.word(side, text, *position);
        }
    }

    /// Returns the kind of component of an expression, if it is obvious.
    fn kind_of(&self, expr: &Expr) -> Option<&'static str> {
        let component = |result: &str| match result {
            "player" => Some("a player"),
            "piece" => Some("a piece"),
            "cell" => Some("a cell"),
            "cells" => Some("a set of cells"),
            _ => None,
        };
        match expr {
            Expr::FnCall(call, _) => component(self.natives.get(call.name.as_str())?.first()?.entry.result()?),
            Expr::Variable(var, short, _) if short.is_none() && var.0.is_none() => {
                if self.schema.player(&var.1).is_some() {
                    Some("a player")
                } else if self.schema.piece(&var.1).is_some_and(|piece| self.schema.card(piece).is_none()) {
                    Some("a piece")
                } else {
                    None
                }
            }
            _ => None,
        }
    }

    fn option_value(&mut self, side: &Expr, text: &str, position: Position) {
        let Expr::FnCall(call, _) = side else { return };
        if call.name == "variant" && !self.schema.variants.iter().any(|variant| variant.name == text) {
            let names = || self.schema.variants.iter().map(|variant| variant.name.as_str());
            let help = did_you_mean(text, names()).or_else(|| Some(format!("use one of {}", one_of(names(), 9))));
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

impl Checker<'_> {
    /// Returns help for an unknown name after a dot, if a function returns this value.
    pub(super) fn in_place_of_property(&self, name: &str) -> Option<String> {
        let zone = self.schema.zones.iter().find(|zone| zone.name == name);
        let kind = self.schema.kinds.iter().find(|kind| kind.name == name);
        match name {
            "name" => Some("write `name(piece)`".to_owned()),
            "cell" | "owner" | "number" => Some(format!("write `{name}(piece)`")),
            "cards" => Some("write `cards(zone)`".to_owned()),
            "count" | "length" | "size" => Some("write `count(zone)`, or `list.len` for a list".to_owned()),
            _ => zone
                .map(
                    |zone| if zone.owner.is_some() { format!("write `{name}(me)`") } else { format!("write `{name}`") },
                )
                .or_else(|| kind.map(|_| format!("write `{name}(me)`"))),
        }
    }

    /// Reports a zone that is used as a list.
    pub(super) fn zone_as_list(&mut self, zone: &Expr, position: Position, form: &str) {
        let written = match zone {
            Expr::FnCall(call, _) if self.schema.is_zone(&call.name) => format!("{}(me)", call.name),
            Expr::Variable(var, ..) if self.sort_of(zone) == Some(super::sorts::Sort::Zone) => var.1.to_string(),
            _ => return,
        };
        let help = format!("write `{}`", form.replace("ZONE", &written));
        self.report("wrong_values", position, "a zone is not a list".to_owned(), Some(help));
    }
}
