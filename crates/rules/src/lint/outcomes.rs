//! The strings of the script that an expression can be.

use super::check::Entry;
use super::flow::{address, holders, texts, texts_alone};
use super::linter::Linter;
use super::values::{Place, Written, outcomes, written};
use crate::script::{Name, Node, Target, What};
use crate::values::Sort;

impl Linter<'_> {
    /// Returns the strings of the script that an expression can be, as far as they are known.
    pub(super) fn texts_of(&self, value: &Node) -> Vec<Written> {
        if !value.kind.may_be(Sort::Text) {
            return Vec::new();
        }
        outcomes(value).values.iter().flat_map(|value| self.texts_of_value(value)).collect()
    }

    /// Returns the strings that an expression for a kind can be, as far as they are known: those in a list for several words.
    pub(super) fn texts_for(&self, kind: &referee_table::Kind, value: &Node) -> Vec<Written> {
        match (kind, &value.what) {
            (referee_table::Kind::Many(..), What::List(items)) => {
                items.iter().flat_map(|item| self.texts_of(item)).collect()
            }
            (referee_table::Kind::Many(..), _) => Vec::new(),
            _ => self.texts_of(value),
        }
    }

    fn texts_of_value(&self, value: &Node) -> Vec<Written> {
        if let Some(written) = written(value) {
            return vec![written];
        }
        if !matches!(
            value.what,
            What::Name(_) | What::Call(_) | What::Field { .. } | What::Index { .. } | What::Coalesce(_)
        ) {
            return Vec::new();
        }
        let root = value.root();
        let all = match &root.what {
            What::Name(Name::Local(local)) => {
                let holders = self.values.holders.get_or_init(|| holders(self.function));
                if !holders.contains(local) {
                    return Vec::new();
                }
                self.values.texts.get_or_init(|| texts(self.function, self.layers, self.script))
            }
            What::Name(Name::Constant(_)) | What::List(_) | What::Map(_) | What::Constant(_) => {
                return texts_alone(value, self.layers, self.script);
            }
            What::Call(call) if call.target == Target::Script => {
                return texts_alone(value, self.layers, self.script);
            }
            _ => return Vec::new(),
        };
        all.get(&address(value)).cloned().unwrap_or_default()
    }

    /// Reports an error at a string.
    pub(super) fn report_written(&mut self, entry: &'static Entry, at: &Written, message: String, help: String) {
        match at.place {
            Place::Here => self.report_text(entry, at.position, &at.text, message, help),
            Place::After => self.report_string(entry, at.position, &at.text, message, help),
            Place::Word => self.report_word(entry, at.position, &at.text, message, help),
        }
    }
}
