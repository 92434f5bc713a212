//! The kinds of the options that players choose from.

use rhai::Expr;

use super::checker::{Call, Checker};
use super::literals::form_of;
use super::predicates::closure_of;
use super::sorts::Sort;
use crate::diagnostic::counted;
use crate::table::{Form, Kind};

impl Checker<'_> {
    /// Reports options that are not of the kind of the ask's form, in `choose` and the like.
    pub(super) fn offered(&mut self, call: &Call<'_>) {
        let name = call.call.name.as_str();
        if call.method || self.layers.has_function(name) {
            return;
        }
        let ("choose" | "choose_then" | "choose_all", [_, Expr::StringConstant(verb, _), options, ..]) =
            (name, call.call.args.as_slice())
        else {
            return;
        };
        let Some(form) = form_of(self.schema, "may", verb).cloned() else { return };
        match options {
            Expr::Array(items, _) => {
                for item in items {
                    let sort = self.sort_of(item);
                    if self.offers(&form, item, sort) {
                        return;
                    }
                }
            }
            given if name == "choose_all" => {
                let offers = closure_of(given).and_then(|closure| self.result_of_closure(&closure));
                self.offers(&form, given, offers.and_then(Sort::of_element));
            }
            given => {
                let sort = self.element_of(given);
                self.offers(&form, given, sort);
            }
        }
    }

    /// Returns the kind of what a closure returns, if it is known.
    pub(super) fn result_of_closure(&self, name: &str) -> Option<Sort> {
        let mut results = self.results.iter().filter(|((known, _), _)| known == name);
        let (_, result) = results.next()?;
        result.filter(|sort| results.next().is_none() && !matches!(sort, Sort::Nothing | Sort::Open))
    }

    /// Reports an option, or several, of this kind, if the form has another one. Returns whether it did.
    fn offers(&mut self, form: &Form, option: &Expr, sort: Option<Sort>) -> bool {
        let known = sort.filter(|sort| !matches!(sort, Sort::Action | Sort::Nothing | Sort::Open));
        let Some(found) = known.map(Sort::plain) else { return false };
        let verb = &form.verb;
        let kinds = form.kinds();
        let needed = kinds.iter().filter(|(_, optional)| !optional).count();
        let (message, help) = match kinds.as_slice() {
            [] => (format!("`{verb}` has no values, found {}", found.words()), format!("write `may(\"{verb}\")`")),
            _ if needed > 1 => (
                format!("an option of `{verb}` has {}, found {}", counted(needed, "value"), found.words()),
                format!("make an action with all of them: `may(\"{verb}\", …)`"),
            ),
            [(Kind::Many(_), _), ..] => return false,
            [(kind, _), rest @ ..] => {
                let wanted = Sort::of_kind(kind);
                // An option may be the value of a kind that stands later, after one that is left out.
                if found == wanted || rest.iter().any(|(kind, _)| Sort::of_kind(kind) == found) {
                    return false;
                }
                let of_text = match option {
                    Expr::StringConstant(text, _) => {
                        let other = form_of(self.schema, "may", text);
                        other
                            .filter(|other| other.kinds().is_empty())
                            .map(|other| format!("write `may(\"{}\")`", other.verb))
                    }
                    _ => None,
                };
                let is_one = matches!(self.sort_of(option), Some(sort) if sort.plain() == found);
                let help = of_text
                    .or_else(|| self.instead(option, wanted, found).filter(|_| is_one))
                    .unwrap_or_else(|| format!("use the form `{form}`"));
                (format!("an option of `{verb}` is {}, found {}", wanted.words(), found.words()), help)
            }
        };
        self.report_value("wrong_values", option, message, help);
        true
    }
}
