//! The indices of the functions of the rules and of the prelude.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::Arc;

use rhai::ImmutableString;

use super::callback::{Callback, Way};
use referee_table::NameMap;

/// The maximum number of remembered phases. Rules have few.
const PHASES: usize = 64;
/// The number of remembered names of function values, which rules may also compute. A later one takes the place of an
/// earlier one.
const VALUES: usize = 512;

/// What a function value of a name calls with a number of arguments; `None` for a native function.
#[derive(Debug)]
struct Known<K, T> {
    name: ImmutableString,
    with: K,
    calls: Option<T>,
}

/// What function values call. Names are compared by their address; a name is kept, so no other one has its address.
type Values<K, T> = RefCell<Vec<Option<Known<K, T>>>>;

/// A function, and the way in which it gets the values of a callback.
type Handed = (u32, &'static Way);

/// The indices of functions, by name and number of parameters.
#[derive(Debug, Default)]
pub(crate) struct Places {
    pub(crate) functions: NameMap<Vec<(usize, usize)>>,
    /// Methods of lists and maps that call functions.
    pub(crate) prelude: NameMap<Vec<(usize, usize)>>,
    /// Native functions of the game that call functions.
    pub(crate) plain: NameMap<Vec<(usize, usize)>>,
    /// The functions that may change their `this`.
    pub(crate) changing: BTreeSet<usize>,
    /// Functions that ran as phases, which share their names: found again without comparing texts.
    phases: RefCell<Vec<(Arc<str>, usize, usize)>>,
    /// Functions that were called as values, each with the number of its arguments.
    values: Values<usize, u32>,
    /// Functions that the library has called, each with the number of its bound arguments.
    callbacks: Values<(usize, Callback), Handed>,
}

fn found(all: &NameMap<Vec<(usize, usize)>>, name: &str, count: usize) -> Option<usize> {
    all.get(name)?.iter().find(|(takes, _)| *takes == count).map(|(_, function)| *function)
}

/// Returns what is known, or else found, of a function value.
#[inline]
fn known<K: PartialEq, T: Copy>(
    values: &Values<K, T>,
    name: &ImmutableString,
    with: K,
    found: impl FnOnce() -> Option<T>,
) -> Option<T> {
    let mut values = values.borrow_mut();
    if values.is_empty() {
        values.resize_with(VALUES, || None);
    }
    // Strings lie at least 16 bytes apart.
    let known = values.get_mut((name.as_str().as_ptr().addr() >> 4) % VALUES)?;
    if let Some(known) = known
        && known.name.ptr_eq(name)
        && known.with == with
    {
        return known.calls;
    }
    let calls = found();
    *known = Some(Known { name: name.clone(), with, calls });
    calls
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

    /// Returns the function of the rules for a phase.
    pub(crate) fn phase(&self, name: &Arc<str>, count: usize) -> Option<usize> {
        let mut phases = self.phases.borrow_mut();
        let mut known = phases.iter().filter(|(known, takes, _)| *takes == count && Arc::ptr_eq(known, name));
        if let Some((.., function)) = known.next() {
            return Some(*function);
        }
        let function = self.function(name, count)?;
        if phases.len() < PHASES {
            phases.push((Arc::clone(name), count, function));
        }
        Some(function)
    }

    /// Returns the function that a function value of this name calls with `count` arguments; `None` for a native one.
    pub(crate) fn value(&self, name: &ImmutableString, count: usize) -> Option<u32> {
        known(&self.values, name, count, || self.value_found(name, count))
    }

    /// Returns the function that a function value of this name calls with the values of a callback, after `bound`
    /// arguments, and the way in which it gets them; `None` for a native one.
    pub(crate) fn callback(&self, name: &ImmutableString, bound: usize, callback: Callback) -> Option<Handed> {
        known(&self.callbacks, name, (bound, callback), || {
            let found = |way: &'static Way| Some((self.value_found(name, bound + way.args.len())?, way));
            callback.ways().iter().find_map(found)
        })
    }

    fn value_found(&self, name: &str, count: usize) -> Option<u32> {
        let function = self.function(name, count).or_else(|| self.plain(name, count));
        function.and_then(|function| u32::try_from(function).ok())
    }

    /// Forgets what function values call, because there are other functions now.
    pub(crate) fn forget_values(&self) {
        self.values.borrow_mut().clear();
        self.callbacks.borrow_mut().clear();
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
