//! All functions of the rules, ready to run.

use std::collections::BTreeMap;
use std::rc::Rc;

use rhai::ImmutableString;

use super::machine::Wrong;
use super::native;
use super::op::{Function, Overloads};
use super::operators::Operator;
use super::places::Places;
use crate::rules::values::{Arena, Mark, Val, failure};
use crate::table::{PieceId, Schema};

/// The functions of the rules, and what they call.
pub(crate) struct Code {
    pub(crate) functions: Vec<Function>,
    pub(crate) places: Places,
    pub(crate) natives: native::Natives,
    pub(crate) operators: Vec<(Overloads, ImmutableString)>,
    pub(crate) to_text: Overloads,
    pub(crate) nameless: ImmutableString,
    pub(crate) chosen: Chosen,
    /// How many variables closures share, by the names of the closures.
    pub(crate) captured: BTreeMap<String, usize>,
    pub(crate) texts: BTreeMap<ImmutableString, Val>,
    /// What is printed on cards, in the order of its names, for each piece; nothing for what is no card.
    pub(crate) printed: Vec<Vec<Option<Val>>>,
    /// How far the constants reach.
    pub(crate) mark: Mark,
    /// The same, and the functions, without the expressions of scenarios.
    pub(crate) own: (usize, Mark),
}

/// The names in the map that a script gets for an action that was chosen, and the verbs of all asks.
pub(crate) struct Chosen {
    pub(crate) value: ImmutableString,
    pub(crate) values: ImmutableString,
    pub(crate) verb: ImmutableString,
    /// Constants.
    pub(crate) verbs: Vec<Val>,
}

impl Chosen {
    /// Lays the texts down, where scripts find the same.
    pub(crate) fn of(schema: &Schema, arena: &mut Arena, texts: &mut BTreeMap<ImmutableString, Val>) -> Self {
        let mut lay = |text: &str| {
            let text = ImmutableString::from(text);
            (*texts.entry(text.clone()).or_insert_with(|| arena.text(text.clone())), text)
        };
        let verbs = schema.asks.iter().map(|form| lay(&form.verb).0).collect();
        let [value, values, verb] = ["value", "values", "verb"].map(|name| lay(name).1);
        Self { value, values, verb, verbs }
    }
}

impl Code {
    /// Returns how far the constants of the rules reach in an arena.
    pub(crate) const fn constants(&self) -> Mark {
        self.own.1
    }

    /// Returns the same with the constants of expressions outside of the rules.
    pub(crate) const fn all_constants(&self) -> Mark {
        self.mark
    }

    /// Returns the function of the rules with this name and number of values.
    pub(crate) fn place(&self, name: &str, count: usize) -> Option<usize> {
        self.places.function(name, count)
    }

    /// Returns the function of the prelude that is called so.
    pub(crate) fn prelude(&self, name: &str, count: usize) -> Option<usize> {
        self.places.plain(name, count)
    }

    pub(crate) fn function(&self, number: u32) -> Result<&Function, Wrong> {
        self.functions.get(number as usize).ok_or_else(|| failure("a function is lost"))
    }

    pub(crate) fn is_prelude(&self, number: u32) -> bool {
        self.functions.get(number as usize).is_some_and(|function| function.prelude)
    }

    pub(crate) fn name(&self, number: u32) -> String {
        self.functions.get(number as usize).map(|function| function.name.clone()).unwrap_or_default()
    }

    pub(crate) fn operator(&self, operator: Operator) -> (&Overloads, &ImmutableString) {
        // There is one for each.
        let known = self.operators.get(operator as usize);
        known.map_or((&self.to_text, &self.nameless), |(natives, name)| (natives, name))
    }

    /// Returns what is printed on a card under the name with this index; nothing for what is no card.
    pub(crate) fn printed(&self, name: usize, piece: PieceId) -> Option<Val> {
        self.printed.get(name)?.get(piece.index()).copied().flatten()
    }

    pub(crate) const fn to_text(&self) -> &Overloads {
        &self.to_text
    }

    pub(crate) fn natives(&self, name: &str, count: usize) -> Rc<[native::Native]> {
        self.natives.named(name, count)
    }
}
