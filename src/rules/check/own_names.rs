//! Checks the names of functions against those of the rules API.

use std::collections::BTreeSet;

use super::checker::{Checker, is_closure};
use crate::diagnostic::{Diagnostic, counted};
use crate::rules::layers::{Definition, author_name};
use crate::table::Each;

impl Checker<'_> {
    /// Reports zones and pieces that are written as calls, `hand(me)` and `marker(me)`, and have the name of a function of
    /// the rules API with as many arguments.
    pub(super) fn named_like_functions(&mut self) {
        let zones = self.schema.zones.iter().filter(|zone| zone.owner.is_some()).map(|zone| zone.name.as_str());
        let called = |each: Each| matches!(each, Each::Player | Each::Number(..));
        let kinds = self.schema.kinds.iter().filter(|kind| called(kind.each)).map(|kind| kind.name.as_str());
        let names: BTreeSet<&str> = zones.chain(kinds).collect();
        for name in names {
            let forms = self
                .natives
                .get(name)
                .map_or(0, |forms| forms.iter().filter(|form| form.counts().contains(&1)).count());
            // One of them is the zone or the piece itself.
            if let (true, Some((source, span))) = (forms > 1, self.schema.places.get(name)) {
                let message = format!("`{name}` is a function of the rules, so `{name}(me)` would be two things");
                let wrong = Diagnostic::new("hides_function", source, *span, message);
                self.wrong.push(wrong.help("choose another name"));
            }
        }
    }

    /// Reports a function that all calls would reach in place of one of the rules API. Functions of Rhai's library may have
    /// the name of one in the rules, because they are for other values: lists, strings and numbers.
    pub(super) fn hides_function(&mut self, name: &str, arity: usize, def: &Definition) {
        let author = author_name(name);
        if is_closure(name) || self.native_arities(&author).all(|native| native != arity) {
            return;
        }
        let Some(label) = self.layers.name_of(def) else { return };
        let message =
            format!("`{author}` with {} is a function that `referee` has already", counted(arity, "parameter"));
        let wrong = Diagnostic::new("hides_function", &label.source, label.span, message);
        self.wrong.push(wrong.help("choose another name"));
    }
}
