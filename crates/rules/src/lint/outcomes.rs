//! The strings of the script that an expression can be.

use super::check::Entry;
use super::linter::Linter;
use super::values::{Written, add_texts, outcomes, part_of, texts_in};
use crate::script::{Name, Node, What};

impl Linter<'_> {
    /// Returns the strings of the script that an expression can be, as far as they are known.
    pub(super) fn texts_of(&self, value: &Node) -> Vec<Written> {
        outcomes(value).values.iter().flat_map(|value| self.texts_of_value(value)).collect()
    }

    fn texts_of_value(&self, value: &Node) -> Vec<Written> {
        match &value.what {
            What::Name(Name::Local(local)) => match self.values.written(*local) {
                Some(list) if matches!(list.what, What::Name(_) | What::Index { .. }) => self.texts_of_constant(list),
                Some(only) if only.text().is_some() => texts_in(only, false),
                Some(value) => outcomes(value).values.iter().flat_map(|value| texts_in(value, true)).collect(),
                None => Vec::new(),
            },
            What::Index { .. } => self.texts_of_constant(value),
            What::Text(_) => texts_in(value, false),
            _ => Vec::new(),
        }
    }

    /// Returns the strings in a constant of the rules, or in a list that is written where a variable is declared: all, or
    /// with an index that is known, only those there.
    fn texts_of_constant(&self, list: &Node) -> Vec<Written> {
        let (list, index) = match &list.what {
            What::Index { of, index, .. } => (&**of, Some(&**index)),
            _ => (list, None),
        };
        let name = match &list.what {
            What::Name(Name::Local(local)) => {
                return self.values.written(*local).map(|list| texts_in(list, true)).unwrap_or_default();
            }
            What::Name(Name::Constant(name)) => name,
            _ => return Vec::new(),
        };
        let Some(constant) = self.layers.constants.get(name.as_str()) else { return Vec::new() };
        let part = index.and_then(|index| part_of(&constant.value, index));
        let unsure = part.as_ref().is_none_or(|part| !part.is_string());
        let mut texts = Vec::new();
        add_texts(part.as_ref().unwrap_or(&constant.value), &mut texts);
        let position = constant.position;
        texts.into_iter().map(|text| Written { text, position, exact: false, unsure }).collect()
    }

    /// Reports an error at a string. Its position is exact, or it is the next such string after the position.
    pub(super) fn report_written(&mut self, entry: &'static Entry, at: &Written, message: String, help: String) {
        if at.exact {
            self.report_text(entry, at.position, &at.text, message, help);
        } else {
            self.report_string(entry, at.position, &at.text, message, help);
        }
    }
}
