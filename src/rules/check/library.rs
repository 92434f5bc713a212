//! The functions of Rhai's library: the kinds of their results, and values that no list contains.

use rhai::{Expr, FnCallExpr};

use super::checker::{Call, Checker};
use super::predicates::closure_of;
use super::signatures::Signature;
use super::sorts::Sort;
use super::written::written_or;
use crate::rules::host::instead_of_text;
use crate::rules::natives;
use crate::rules::values::standard;
use crate::table::{Value, Visibility, ZoneDef};

impl Checker<'_> {
    /// Returns the kind of the result of a native function, or of one of Rhai's library. `before_dot` is for a method: the
    /// kind of the value before its dot.
    pub(super) fn result_of_native(&self, call: &FnCallExpr, before_dot: Option<Option<Sort>>) -> Option<Sort> {
        let name = call.name.as_str();
        let given = call.args.len() + usize::from(before_dot.is_some());
        let forms = self.natives.get(name).map(Vec::as_slice).unwrap_or_default();
        let forms = forms.iter().filter(|one| one.counts().contains(&given));
        // A function of Rhai's library may have the same name: `list.filter(…)` is not `moves.filter(…)`.
        let of_library = standard().contains_key(name);
        let first = || before_dot.unwrap_or_else(|| self.sort_of(call.args.first()?));
        let known = if of_library { first() } else { None };
        let takes = |one: &&Signature<'_>| {
            let sorts = one.sorts_of_parameter(0);
            !of_library || known.is_some_and(|known| sorts.is_some_and(|sorts| sorts.contains(&known.plain())))
        };
        let mut results = forms.filter(takes).map(Signature::result).peekable();
        if results.peek().is_none() {
            return Self::result_of_library(call, known?);
        }
        let first = results.next()??;
        results.all(|other| other == Some(first)).then_some(first)
    }

    fn result_of_library(call: &FnCallExpr, first_sort: Sort) -> Option<Sort> {
        let name = call.name.as_str();
        if first_sort == Sort::Open {
            return Some(Sort::Open);
        }
        let count = call.args.len();
        let forms = natives::functions(name).iter().filter(|form| form.is_of_library());
        let takes = |form: &&&natives::Form| {
            let first = form.parameters.first();
            let takes_first =
                first.is_some_and(|one| one.kind.sorts().filter_map(Sort::of).any(|sort| sort == first_sort));
            takes_first && (form.counts().contains(&count) || form.counts().contains(&(count + 1)))
        };
        let mut results = forms.filter(takes).map(|form| Some(&form.result).filter(|result| result.same().is_none()));
        let result = results.next()??;
        let is_only = results.all(|other| other == Some(result));
        result.sort().and_then(Sort::of).filter(|_| is_only)
    }

    /// Returns the kind of the elements of the list that a call returns, if it is known. `method` says that it stands after a
    /// dot.
    pub(super) fn element_of_result(&self, call: &FnCallExpr, method: bool) -> Option<Sort> {
        if self.layers.has_function(&call.name) {
            return None;
        }
        match (call.name.as_str(), call.args.as_slice()) {
            ("roll", values) => {
                let word = self.thrown(values)?.faces.iter().any(|face| matches!(face.shows, Value::Text(_)));
                Some(if word { Sort::Text } else { Sort::Number })
            }
            ("+", [one, other]) if self.sort_of(one) == self.sort_of(other) => {
                self.element_of(one)?.joined(self.element_of(other)?)
            }
            ("map", [given]) if method => self.result_of_closure(&closure_of(given)?),
            (name, args) => {
                let given = args.len() + usize::from(method);
                let forms = self.natives.get(name)?.iter().filter(|form| form.counts().contains(&given));
                let mut elements = forms.map(|form| form.form.result.part().sort().and_then(Sort::of));
                let element = elements.next()??;
                elements.all(|other| other == Some(element)).then_some(element)
            }
        }
    }

    /// Reports a value that a list in a chain never contains, as in `me.mates.contains(1)`. `element` is the kind of the
    /// elements of what is before the dot, if that is a list.
    pub(super) fn contained_in_chain(&mut self, element: Option<Sort>, after_dot: &Expr) {
        match after_dot {
            Expr::MethodCall(call, _) => {
                if let ("contains" | "index_of", [side]) = (call.name.as_str(), call.args.as_slice())
                    && !self.layers.has_function(&call.name)
                {
                    self.never_contained(element, side);
                }
            }
            Expr::Dot(parts, ..) => {
                let next = match &parts.lhs {
                    Expr::Property(names, _) => self.element_of_property(&names.2),
                    Expr::MethodCall(call, _) if self.returns_some(call) => element,
                    Expr::MethodCall(call, _) => self.element_of_result(call, true),
                    _ => None,
                };
                self.contained_in_chain(next, &parts.rhs);
            }
            _ => {}
        }
    }

    /// Reports a value that a list never contains, because its elements, of this kind, are of another one.
    pub(super) fn never_contained(&mut self, element: Option<Sort>, value: &Expr) {
        let known = |sort: &Sort| !matches!(sort, Sort::Open | Sort::Nothing);
        let (Some(element), Some(found)) = (element.filter(known), self.sort_of(value).filter(known).map(Sort::plain))
        else {
            return;
        };
        let element = element.plain();
        // `index_of` takes a function, too.
        if element == found || found == Sort::Function {
            return;
        }
        let message = format!("this list never contains {}: each of its values is {}", found.words(), element.words());
        let help = match value {
            Expr::StringConstant(text, _) if matches!(element, Sort::Player | Sort::Piece | Sort::Cell) => {
                instead_of_text(self.schema, element.words(), text)
            }
            _ => self.instead(value, element, found).unwrap_or_else(|| format!("look for {}", element.words())),
        };
        self.report_value("never_equal", value, message, help);
    }

    /// Reports the cards of a zone that is declared `hidden`.
    pub(super) fn cards_of_hidden(&mut self, call: &Call<'_>) {
        let ("cards", [zone], false) = (call.call.name.as_str(), call.call.args.as_slice(), call.method) else {
            return;
        };
        let name = match zone {
            Expr::Variable(var, ..) if self.is_component(&var.1) => var.1.as_str(),
            Expr::FnCall(of, _) if of.args.len() == 1 && !self.layers.has_function(&of.name) => of.name.as_str(),
            _ => return,
        };
        let declared: Vec<&ZoneDef> = self.schema.zones.iter().filter(|zone| zone.name == name).collect();
        let is_hidden = |zone: &&ZoneDef| zone.visibility == Visibility::Hidden;
        if self.alone || self.layers.has_function("cards") || declared.is_empty() || !declared.iter().all(is_hidden) {
            return;
        }
        let written = written_or(zone, name);
        let message = format!("no player sees the cards of `{written}`, so there is no list of them");
        let card = self.schema.pieces.iter().find(|piece| piece.card.is_some() && !piece.is_back());
        let has = card.map_or_else(String::new, |card| format!(", or `has({written}, piece(\"{}\"))`", card.name));
        let help = format!("ask for what is known: `count({written})`, `is_empty({written})`{has}");
        self.report_value("unseen_cards", zone, message, help);
    }
}
