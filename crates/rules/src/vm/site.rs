//! Call sites: what the operations of a function call, and with which registers.

use std::cell::Cell;
use std::mem::Discriminant;
use std::rc::Rc;

use rhai::{ImmutableString, Position};
use smallvec::SmallVec;

use super::callback::Callback;
use super::fixed::Known;
use super::quick::Quick;
use super::window::{Register, Window};
use crate::natives::Library;
use crate::natives::Native;
use crate::values::{Val, Wrong, failure};
use referee_table::PropertyId;

/// A call site in a function.
#[derive(Debug)]
pub(crate) struct Site {
    pub(crate) name: ImmutableString,
    /// The registers of the arguments, and whether each value is new, which means that it has no other holder.
    pub(crate) args: SmallVec<[(Register, bool); 4]>,
    /// Constant arguments with their registers, which are loaded only if the machine does not carry out the call itself.
    pub(crate) unread: Vec<(Register, Val)>,
    pub(crate) callee: Target,
    /// Whether it is a method call. A map may have a function under this name.
    pub(crate) method: bool,
    /// The first free register. The registers of the called function begin there.
    pub(crate) top: Register,
    pub(crate) position: Position,
    /// The results of a native function which stay the same for equal arguments while the table does not change.
    pub(crate) fixed: Option<Known>,
    /// The function, if the machine may carry it out itself.
    pub(crate) quick: Option<Quick>,
    /// The registers of the values of an event or an action, each with the type with which they have its form; `None`
    /// if that depends on more than types.
    pub(crate) forms: Option<Forms>,
}

/// Registers, each with the type of its value.
pub(crate) type Forms = Box<[(Register, Discriminant<Val>)]>;

/// A buffer for the arguments of most calls.
pub(crate) type Few = [Val; 4];

impl Site {
    /// Returns whether a call is nothing but a call of a native function with few arguments, unless its object is a map.
    pub(crate) fn is_plain(&self) -> bool {
        let natives = matches!(&self.callee, Target::Native(natives) if !natives.chooses);
        let few = self.args.len() <= Few::default().len();
        natives && few && self.fixed.is_none() && self.unread.is_empty()
    }

    /// Returns the native functions of the call.
    pub(crate) fn natives(&self) -> Result<&Overloads, Wrong> {
        match &self.callee {
            Target::Native(natives) => Ok(natives),
            _ => Err(failure("internal error: no native function is called")),
        }
    }

    /// Returns the registers of the arguments, without the constants that are not in them.
    pub(crate) fn given(&self) -> impl Iterator<Item = Register> {
        let is_read = |at: &Register| !self.unread.iter().any(|(unread, _)| unread == at);
        self.args.iter().map(|(at, _)| *at).filter(is_read)
    }

    /// Loads the constant arguments that are not in their registers yet.
    #[inline]
    pub(crate) fn load(&self, window: &mut Window<'_>) {
        self.unread.iter().for_each(|(at, value)| window[*at] = *value);
    }

    /// Returns the arguments of the call, in `few` if they fit, otherwise in `many`.
    #[inline(always)]
    pub(crate) fn values<'v>(&self, window: &Window<'_>, few: &'v mut Few, many: &'v mut Vec<Val>) -> &'v mut [Val] {
        match self.few_values(window, few) {
            Some(values) => values,
            None => {
                many.extend(self.args.iter().map(|(at, _)| window[*at]));
                many
            }
        }
    }

    /// Returns the arguments of the call, if they fit in `few`.
    #[inline(always)]
    pub(crate) fn few_values<'v>(&self, window: &Window<'_>, few: &'v mut Few) -> Option<&'v mut [Val]> {
        let values = few.get_mut(..self.args.len())?;
        values.iter_mut().zip(&self.args).for_each(|(slot, (at, _))| *slot = window[*at]);
        Some(values)
    }
}

/// The target of a call.
#[derive(Debug)]
pub(crate) enum Target {
    /// A function, and whether it may change its `this`.
    Function {
        function: u32,
        changes: bool,
        prelude: bool,
    },
    Native(Overloads),
    /// A function of the prelude in the form of a method. The object is its first argument.
    Plain(u32),
    /// A property or field after a dot.
    Field {
        /// The name of the native function that reads it.
        getter: ImmutableString,
        own: Overloads,
        named: Overloads,
        set: Overloads,
        property: Option<PropertyId>,
        /// The index of the name, if cards have it printed.
        printed: Option<usize>,
    },
    Callback(Callback),
    /// A function value.
    Value,
    /// The function of a closure.
    Closure(Val),
}

/// The native functions with one name.
pub(crate) struct Overloads {
    pub(crate) all: Rc<[Native]>,
    /// The index of the one that fitted last, which is tried first. It never has a parameter for any value.
    pub(crate) last: Cell<usize>,
    /// The machine's own function of the library for this name.
    pub(crate) library: Option<Library>,
    /// Whether it may change the register of its first argument.
    pub(crate) changes: bool,
    /// Whether it is `choose`, for which the number of options may be enough.
    pub(crate) chooses: bool,
}

impl Overloads {
    pub(crate) fn new(all: Rc<[Native]>, library: Option<Library>) -> Self {
        let tried = all.iter().position(|native| !native.takes_any);
        Self { last: Cell::new(tried.unwrap_or(usize::MAX)), all, library, changes: false, chooses: false }
    }

    /// Returns the first native that accepts these values, with its index. `any` selects those with a parameter for any
    /// value.
    pub(crate) fn fitting(&self, values: &[Val], any: bool) -> Option<(usize, &Native)> {
        let fits = |native: &Native| native.takes_any == any && native.takes(values);
        self.all.iter().enumerate().find(|(_, native)| fits(native))
    }

    /// Returns whether one of the natives accepts these values.
    pub(crate) fn takes(&self, values: &[Val]) -> bool {
        self.all.iter().any(|native| native.takes(values))
    }
}

impl std::fmt::Debug for Overloads {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} natives", self.all.len())
    }
}
