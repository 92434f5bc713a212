//! The indices of the functions of the rules and of the prelude.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rhai::ImmutableString;

/// The maximum number of remembered phases. Rules have few.
const PHASES: usize = 64;
/// The number of remembered names of function values, which rules may also compute. A later one takes the place of an
/// earlier one.
const VALUES: usize = 512;

/// The name of a function value, the number of arguments, and the index of the function that it calls; `None` for a
/// native one.
type Called = (ImmutableString, usize, Option<u32>);

/// The indices of functions, by name and number of parameters.
#[derive(Debug, Default)]
pub(crate) struct Places {
    pub(crate) functions: BTreeMap<String, Vec<(usize, usize)>>,
    /// Methods of lists and maps that call functions.
    pub(crate) prelude: BTreeMap<String, Vec<(usize, usize)>>,
    /// Native functions of the game that call functions.
    pub(crate) plain: BTreeMap<String, Vec<(usize, usize)>>,
    /// The functions that may change their `this`.
    pub(crate) changing: BTreeSet<usize>,
    /// Functions that ran as phases, which share their names: found again without comparing texts.
    phases: RefCell<Vec<(Arc<str>, usize, usize)>>,
    /// Functions that were called as values. Names are compared by their address; a name is kept, so no other one has
    /// its address.
    values: RefCell<Vec<Option<Called>>>,
}

fn found(all: &BTreeMap<String, Vec<(usize, usize)>>, name: &str, count: usize) -> Option<usize> {
    all.get(name)?.iter().find(|(takes, _)| *takes == count).map(|(_, function)| *function)
}

impl Places {
    /// Drops the functions from this index on.
    pub(crate) fn forget(&mut self, from: usize) {
        self.phases.borrow_mut().retain(|(.., function)| *function < from);
        self.forget_values();
        for places in [&mut self.functions, &mut self.prelude, &mut self.plain] {
            places.retain(|_, all| {
                all.retain(|(_, function)| *function < from);
                !all.is_empty()
            });
        }
        self.changing.retain(|function| *function < from);
    }

    /// Returns the function of the rules with this name and number of parameters.
    pub(crate) fn function(&self, name: &str, count: usize) -> Option<usize> {
        found(&self.functions, name, count)
    }

    /// Returns the function of the rules that [`Self::phase`] has found before.
    pub(crate) fn known_phase(&self, name: &Arc<str>, count: usize) -> Option<usize> {
        let phases = self.phases.borrow();
        let mut known = phases.iter().filter(|(known, takes, _)| *takes == count && Arc::ptr_eq(known, name));
        known.next().map(|(.., function)| *function)
    }

    /// Returns the function of the rules for a phase.
    pub(crate) fn phase(&self, name: &Arc<str>, count: usize) -> Option<usize> {
        let known = self.known_phase(name, count);
        if known.is_some() {
            return known;
        }
        let function = self.function(name, count)?;
        let mut phases = self.phases.borrow_mut();
        if phases.len() < PHASES {
            phases.push((Arc::clone(name), count, function));
        }
        Some(function)
    }

    /// Returns the function that a function value of this name calls with `count` arguments; `None` for a native one.
    pub(crate) fn value(&self, name: &ImmutableString, count: usize) -> Option<u32> {
        let mut values = self.values.borrow_mut();
        if values.is_empty() {
            values.resize(VALUES, None);
        }
        // Strings lie at least 16 bytes apart.
        let place = ((name.as_str().as_ptr().addr() >> 4) + count) % VALUES;
        let known = values.get_mut(place)?;
        if let Some((other, takes, function)) = known
            && other.ptr_eq(name)
            && *takes == count
        {
            return *function;
        }
        let function = self.function(name, count).or_else(|| self.plain(name, count));
        let function = function.and_then(|function| u32::try_from(function).ok());
        *known = Some((name.clone(), count, function));
        function
    }

    /// Forgets what function values call, because there are other functions now.
    pub(crate) fn forget_values(&self) {
        self.values.borrow_mut().clear();
    }

    /// Returns the method of the prelude with this name and number of parameters.
    pub(crate) fn prelude(&self, name: &str, count: usize) -> Option<usize> {
        found(&self.prelude, name, count)
    }

    /// Returns the function of the prelude that is not a method.
    pub(crate) fn plain(&self, name: &str, count: usize) -> Option<usize> {
        found(&self.plain, name, count)
    }

    /// Returns whether the rules have a function with this name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.functions.contains_key(name)
    }

    /// Returns whether a function may change its `this`.
    pub(crate) fn changes_this(&self, function: usize) -> bool {
        self.changing.contains(&function)
    }
}
