//! Checks the names of functions against those of the rules API.

use super::checker::{Checker, is_closure};
use crate::diagnostic::{Diagnostic, counted};
use crate::rules::layers::{Definition, author_name};

impl Checker<'_> {
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
