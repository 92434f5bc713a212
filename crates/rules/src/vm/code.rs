//! The compiled functions of the rules.

use referee_diagnostic::MustBe as _;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use rhai::ImmutableString;

use super::op::Function;
use super::operators::Operator;
use super::owned::{Owned, Owners, Settable};
use super::places::Places;
use super::profile::Recorder;
use super::quick::CellTexts;
use super::runs::Runs;
use super::site::Overloads;
use crate::natives;
use crate::values::Wrong;
use crate::values::{Arena, Mark, Val, failure};
use referee_table::{PieceId, Schema};

/// The functions of the rules, the functions that they call, and all else that running rules look up.
pub(crate) struct Bytecode {
    pub(crate) functions: Vec<Function>,
    pub(crate) places: Places,
    /// How often the points of the rules have run; of none unless runs are counted.
    pub(crate) runs: Runs,
    /// What counts by function and line, if there is a profile.
    pub(crate) profile: Option<Rc<Recorder>>,
    pub(crate) natives: natives::Natives,
    pub(crate) operators: Vec<(Overloads, ImmutableString)>,
    pub(crate) to_text: Overloads,
    pub(crate) nameless: ImmutableString,
    pub(crate) chosen: Chosen,
    /// The number of variables that each closure shares, by its name.
    pub(crate) captured: BTreeMap<String, usize>,
    pub(crate) texts: BTreeMap<ImmutableString, Val>,
    pub(crate) cell_texts: RefCell<CellTexts>,
    /// For each string among the rules' constants, the index of the first one that is equal.
    pub(crate) first_texts: Vec<u32>,
    /// The values printed on cards, by the index of their name and by piece; `None` for pieces that are not cards.
    pub(crate) printed: Vec<Vec<Option<Val>>>,
    pub(crate) names: ComponentNames,
    pub(crate) owners: Owners,
    /// For each string among the rules' constants, the property of this name, if the machine sets it itself.
    pub(crate) settable: Vec<Option<(Owned, Settable)>>,
    /// The end of the constants.
    pub(crate) mark: Mark,
    /// The numbers of functions and of constants without the expressions of scenarios.
    pub(crate) own: (usize, Mark),
}

/// The names in the map that a script gets for a chosen action, and the verbs of all asks.
pub(crate) struct Chosen {
    pub(crate) value: ImmutableString,
    pub(crate) values: ImmutableString,
    pub(crate) verb: ImmutableString,
    /// The verbs, as constants.
    pub(crate) verbs: Vec<Val>,
    /// For each action among the constants, the map that a script gets for it. Equal actions are one constant.
    pub(crate) maps: Vec<Val>,
}

/// The names of all players and pieces, as constants; empty if the rules do not ask for a name.
#[derive(Default)]
pub(crate) struct ComponentNames {
    pub(crate) players: Vec<Val>,
    pub(crate) pieces: Vec<Val>,
}

impl Chosen {
    /// Stores the strings so that scripts share them.
    pub(crate) fn of(schema: &Schema, arena: &mut Arena, texts: &mut BTreeMap<ImmutableString, Val>) -> Self {
        let mut lay = |text: &str| {
            let text = ImmutableString::from(text);
            (*texts.entry(text.clone()).or_insert_with(|| arena.text(text.clone())), text)
        };
        let verbs = schema.asks.iter().map(|form| lay(&form.verb).0).collect();
        let [value, values, verb] = ["value", "values", "verb"].map(|name| lay(name).1);
        Self { value, values, verb, verbs, maps: Vec::new() }
    }

    /// Stores the maps for the actions among the constants, which have no values.
    pub(crate) fn lay_maps(&mut self, arena: &mut Arena) {
        let asks: Vec<_> = arena.actions.iter().map(|action| action.ask).collect();
        for ask in asks {
            let verb = self.verbs.get(ask.index()).copied().or_missing("the verb of an ask", Val::Nothing);
            let map = self.map(Val::Nothing, Vec::new(), verb, arena);
            self.maps.push(map);
        }
        // Constants are copied before a change.
        let maps = self.maps.iter();
        maps.for_each(|map| {
            let values = arena.fields(*map).and_then(|map| map.field(&self.values)).unwrap_or_default();
            arena.share(values);
            arena.share(*map);
        });
    }

    /// Stores the map that a script gets for a chosen action.
    pub(crate) fn map(&self, first: Val, values: Vec<Val>, verb: Val, arena: &mut Arena) -> Val {
        let values = arena.list(values);
        let parts = [(&self.value, first), (&self.values, values), (&self.verb, verb)];
        arena.map(parts.map(|(name, value)| (name.clone(), value)).into())
    }
}

impl Bytecode {
    /// Returns the end of the rules' constants in an arena.
    pub(crate) const fn constants(&self) -> &Mark {
        &self.own.1
    }

    /// Returns whether two strings among the rules' constants are equal; `None` if one is not among them.
    #[inline(always)]
    pub(crate) fn are_equal_texts(&self, one: u32, other: u32) -> Option<bool> {
        Some(self.first_texts.get(one as usize)? == self.first_texts.get(other as usize)?)
    }

    /// Returns the end of all constants, including those of expressions from outside the rules.
    pub(crate) const fn all_constants(&self) -> &Mark {
        &self.mark
    }

    /// Returns the function of the rules with this name and number of parameters.
    pub(crate) fn place(&self, name: &str, count: usize) -> Option<usize> {
        self.places.function(name, count)
    }

    /// Returns the function of the rules for a phase.
    pub(crate) fn phase(&self, name: &Arc<str>, count: usize) -> Option<usize> {
        self.places.phase(name, count)
    }

    /// Returns the function of the prelude with this name and number of parameters.
    pub(crate) fn prelude(&self, name: &str, count: usize) -> Option<usize> {
        self.places.plain(name, count)
    }

    pub(crate) fn function(&self, number: u32) -> Result<&Function, Wrong> {
        self.functions.get(number as usize).ok_or_else(|| failure("internal error: unknown function"))
    }

    pub(crate) fn is_prelude(&self, number: u32) -> bool {
        self.functions.get(number as usize).is_some_and(|function| function.prelude)
    }

    pub(crate) fn name(&self, number: u32) -> String {
        self.functions
            .get(number as usize)
            .map(|function| function.name.clone())
            .or_missing("the name of a function", String::new())
    }

    pub(crate) fn operator(&self, operator: Operator) -> (&Overloads, &ImmutableString) {
        // Each operator has an entry.
        let known = self.operators.get(operator as usize);
        known.map_or((&self.to_text, &self.nameless), |(natives, name)| (natives, name))
    }

    /// Returns the value printed on a card under the name with this index; `None` for a piece that is not a card.
    pub(crate) fn printed(&self, name: usize, piece: PieceId) -> Option<Val> {
        self.printed.get(name)?.get(piece.index()).copied().flatten()
    }

    pub(crate) const fn to_text(&self) -> &Overloads {
        &self.to_text
    }

    pub(crate) fn natives(&self, name: &str, count: usize) -> Rc<[natives::Native]> {
        self.natives.named(name, count)
    }
}
