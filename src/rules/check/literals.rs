//! Checks string constants in calls: names of the game, the number of values of an event, comparisons that are never
//! true.

use rhai::{Expr, Position};

use super::checker::{Call, Checker, is_closure};
use super::signatures::Signature;
use crate::diagnostic::{counted, did_you_mean, one_of};
use crate::rules::layers::{Entry, author_name};
use crate::table::Schema;

/// The names of one kind.
type Names<'n> = Box<dyn Iterator<Item = &'n str> + 'n>;

impl Checker<'_> {
    /// Reports string constants that should name a component or a declaration of the game and do not.
    /// `forms` are those of the called function.
    pub(super) fn literals(&mut self, call: &Call<'_>, forms: &[Signature<'_>]) {
        let Some(signature) = forms.first() else { return };
        self.form_values(signature.entry, call);
        let skipped = usize::from(call.method);
        for (kind, value) in signature.kinds().iter().skip(skipped).zip(&call.call.args) {
            let Expr::StringConstant(text, position) = value else { continue };
            let named = |(what, mut names): (_, Names<'_>)| (what, names.any(|name| name == text.as_str()));
            let Some((what, known)) = self.names(kind).map(named) else { continue };
            if known && *kind == "phase" {
                self.phase(call, text, *position);
            }
            if !known {
                let names = self.names(kind).into_iter().flat_map(|(_, names)| names);
                let names: Vec<String> = names.map(author_name).collect();
                let help = did_you_mean(text, names.iter().map(String::as_str)).unwrap_or_else(|| {
                    match one_of(names.iter().map(String::as_str), 12) {
                        _ if what == "die" && names.iter().any(String::is_empty) => {
                            "write `roll()`: the only die has no name".to_owned()
                        }
                        _ if what == "die" && names.is_empty() => {
                            format!("declare a die in the game file: `die {text} 1..6`")
                        }
                        _ if *kind == "clause" && names.is_empty() => {
                            "begin paragraphs of the rulebook with a number in brackets, such as `[R1]`".to_owned()
                        }
                        list if list.is_empty() => format!("the game declares no {what}"),
                        list => format!("use one of {list}"),
                    }
                });
                self.report_text("unknown_component", *position, text, format!("unknown {what} `{text}`"), Some(help));
            }
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
        let schema = self.schema;
        Some(match kind {
            "die" => ("die", Box::new(schema.dice.iter().map(|die| die.name.as_str()))),
            "ask" | "verb" => ("ask", Box::new(schema.asks.iter().map(|ask| ask.verb.as_str()))),
            "event" => ("event", Box::new(schema.events.iter().map(|event| event.verb.as_str()))),
            "clause" => ("clause of the rulebook", Box::new(schema.clauses.iter().map(|clause| clause.id.as_str()))),
            "option" => ("option", Box::new(schema.options.iter().map(|option| option.name.as_str()))),
            "property" => {
                let names = schema.properties.iter().map(|property| property.name.as_str());
                ("flag, counter or property", Box::new(names))
            }
            "zone name" => ("zone for each player", Box::new(owned_zones(schema).into_iter())),
            "kind" => ("kind of pieces", Box::new(schema.kinds.iter().map(|kind| kind.name.as_str()))),
            "piece name" => {
                let pieces = schema.pieces.iter().filter(|piece| !piece.is_back());
                ("piece", Box::new(pieces.map(|piece| piece.name.as_str())))
            }
            "phase" => {
                let public = self.layers.functions.keys().map(|(name, _)| name.as_str());
                ("function", Box::new(public.filter(|name| !is_closure(name))))
            }
            _ => return None,
        })
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

/// Returns the names of the zones that each player has.
fn owned_zones(schema: &Schema) -> Vec<&str> {
    let owned = schema.zones.iter().filter(|zone| zone.owner.is_some());
    let mut names: Vec<&str> = owned.map(|zone| zone.name.as_str()).collect();
    names.dedup();
    names
}
