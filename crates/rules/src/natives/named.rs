//! What is known of the functions with one name: all questions of the form "is this function one that …" are asked here.

use super::entry::{By, Cost, Does, Form, GETTER, Loop, Passes, Shortcut, Special, Stays};
use super::library::{self, ChangedKinds, Library};
use super::native::Native;
use super::table::{functions, operators, properties};
use crate::host::Role;
use crate::values::{Kind, Sort, Val};
use referee_table::Topics;

/// A kind of ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Asking {
    Roll,
    Choose,
}

/// The forms of the functions with a name, or of an operator, that every game has, those of the rules API first. A call keeps
/// them, so that nobody looks for its name again.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Named(&'static [&'static Form]);

impl Named {
    /// Returns the forms of the functions or of the operator with this name.
    pub(crate) fn of(name: &str) -> Self {
        // The names of operators are signs.
        let is_word = name.starts_with(|letter: char| letter.is_alphabetic() || letter == '_');
        Self(if is_word { functions(name) } else { operators(name) })
    }

    /// Returns the forms of the property with this name.
    pub(crate) fn properties(name: &str) -> Self {
        Self(properties(name))
    }

    pub(crate) fn iter<'f>(self) -> impl Iterator<Item = &'f Form> + Clone {
        let forms: &'f [&'f Form] = self.0;
        forms.iter().copied()
    }

    /// Returns whether there are none.
    pub(crate) const fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    /// Returns those that take so many arguments.
    pub(crate) fn taking<'f>(self, count: usize) -> impl Iterator<Item = &'f Form> + Clone {
        self.iter().filter(move |form| form.counts().contains(&count))
    }

    /// Returns whether one takes so many arguments.
    pub(crate) fn are_known(self, count: usize) -> bool {
        self.taking(count).next().is_some()
    }

    /// Returns whether one is of Rhai's library.
    pub(crate) fn are_of_library(self) -> bool {
        self.iter().any(Form::is_of_library)
    }

    /// Returns whether one with this number of arguments is of Rhai's library.
    pub(crate) fn are_of_library_with(self, count: usize) -> bool {
        self.taking(count).any(Form::is_of_library)
    }

    /// Returns whether one with this number of arguments may do something besides returning a value and changing its first argument,
    /// or is not known.
    pub(crate) fn may_act(self, count: usize) -> bool {
        let mut forms = self.taking(count).peekable();
        forms.peek().is_none() || forms.any(Form::may_act)
    }

    /// Returns what the result depends on besides the arguments; `None` if they do something, or depend on what has no
    /// stamp.
    pub(crate) fn topics(self, count: usize) -> Option<Topics> {
        self.taking(count).try_fold(Topics::NONE, |all, form| Some(all.and(form.topics()?)))
    }

    /// Returns whether the result depends on the arguments alone, if none of them is a function.
    pub(crate) fn depend_on_arguments(self, count: usize) -> bool {
        let mut forms = self.taking(count).filter(|form| !form.calls()).peekable();
        forms.peek().is_some() && forms.all(|form| form.topics() == Some(Topics::NONE))
    }

    /// Returns what the strings that they take name: those of the first parameter with a role.
    pub(crate) fn role(self) -> Option<Role> {
        let mut roles = self.iter().flat_map(|form| &form.parameters).map(|parameter| parameter.role);
        roles.find(|role| !matches!(role, Role::Plain | Role::Direction | Role::Options))
    }

    /// Returns which argument names a function of the rules.
    pub(crate) fn phase_argument(self) -> Option<usize> {
        let mut all = self.iter().flat_map(|form| form.parameters.iter().enumerate());
        all.find(|(_, parameter)| parameter.role == Role::Phase).map(|(at, _)| at)
    }

    /// Returns the operation that the compiler writes for calls.
    pub(crate) fn special(self) -> Option<Special> {
        self.iter().find_map(|form| match form.entry.by {
            By::Special(special) | By::Machine(Shortcut::Own(special), _) => Some(special),
            _ => None,
        })
    }

    /// Returns whether one tells the kind of a value.
    pub(crate) fn tell_kind(self) -> bool {
        self.iter().any(|form| matches!(form.entry.by, By::TellsKind(_)))
    }

    /// Returns whether one with this number of arguments ends the game.
    pub(crate) fn end_the_game(self, count: usize) -> bool {
        self.taking(count).any(|form| form.entry.does == Does::Ends)
    }

    /// Returns whether one returns the names of components.
    pub(crate) fn name_components(self) -> bool {
        self.iter().any(|form| matches!(form.entry.by, By::Machine(Shortcut::NameOf, _)))
    }

    /// Returns whether one with this number of arguments only puts a list in the order that a function tells.
    pub(crate) fn only_sort(self, count: usize) -> bool {
        let sorts = |form: &Form| form.may_change() && form.entry.cost == Cost::Sorts && form.calls();
        self.taking(count).any(sorts)
    }

    /// Returns what they pass to the function that is passed to them, those of lists first.
    pub(crate) fn passes(self) -> Option<Passes> {
        let mut of_library = self.iter().filter(|form| form.is_of_library());
        of_library.find_map(Form::passes).or_else(|| self.iter().find_map(Form::passes))
    }

    /// Returns those that put values into their first argument.
    pub(crate) fn filling<'f>(self) -> impl Iterator<Item = &'f Form> {
        self.iter().filter(|form| form.entry.does == Does::Fills)
    }

    /// Returns whether they only change the list that is their first argument.
    pub(crate) fn only_change_lists(self) -> bool {
        let of_lists = || self.iter().filter(|form| form.begins_with(Sort::List));
        let only_changes = |form: &Form| form.may_change() && !form.calls();
        of_lists().any(only_changes) && of_lists().all(|form| !form.returns())
    }

    /// Returns whether the results are kept at the place of the call.
    pub(crate) fn are_fixed(self, count: usize) -> bool {
        self.taking(count).any(|form| form.entry.stays == Stays::Fixed)
    }

    /// Returns whether one returns the name of the variant.
    pub(crate) fn name_the_variant(self) -> bool {
        self.iter().any(|form| form.name == "variant" && form.parameters.is_empty())
    }

    /// Returns whether one searches the board.
    pub(crate) fn search(self, count: usize) -> bool {
        self.taking(count).any(|form| form.entry.cost == Cost::Searches)
    }

    /// Returns whether one takes sets of cells, or moves, as its argument of this number.
    pub(crate) fn take_sets(self, count: usize, at: usize) -> bool {
        let is_set = |kind: &Kind| {
            !kind.is_any() && [Sort::Cells, Sort::Dirs, Sort::Moves].iter().any(|sort| kind.may_be(*sort))
        };
        self.taking(count).filter_map(|form| form.parameters.get(at)).any(|parameter| is_set(&parameter.kind))
    }

    /// Returns whether one with this number of arguments may change its first argument.
    pub(crate) fn may_change(self, count: usize) -> bool {
        self.taking(count).any(Form::may_change)
    }

    /// Returns the kinds of values that those of Rhai's library change, besides lists.
    pub(crate) fn changed_kinds(self) -> ChangedKinds {
        ChangedKinds { maps: self.change_first(Sort::Map), texts: self.change_first(Sort::Text) }
    }

    /// Returns whether one of Rhai's library changes values of a sort that it is called on.
    pub(crate) fn change_first(self, sort: Sort) -> bool {
        self.iter().any(|form| form.changes_first(sort))
    }

    /// Returns the loop that a method is for a list, if the compiler writes it in place. `count` is the number of its
    /// arguments, with the list.
    pub(crate) fn loop_in_place(self, count: usize) -> Option<Loop> {
        self.taking(count).find_map(|form| match form.entry.by {
            By::Loop(of) => Some(of),
            _ => None,
        })
    }

    /// Returns whether one lets a player choose, so that the number of options may be enough.
    pub(crate) fn are_choices(self, count: usize) -> bool {
        self.taking(count).any(|form| matches!(form.entry.by, By::Machine(Shortcut::Choose, _)))
    }

    /// Returns whether one sets a property that its second argument names.
    pub(crate) fn set_a_property(self) -> bool {
        self.iter().any(|form| matches!(form.entry.by, By::Machine(Shortcut::Set, _)))
    }

    /// Returns whether one adds a phase that its first argument names.
    pub(crate) fn add_a_phase(self) -> bool {
        self.iter().any(|form| matches!(form.entry.by, By::Machine(Shortcut::Then, _)))
    }

    /// Returns what kind of ask one puts that compiled rules may answer themselves.
    pub(crate) fn asked(self) -> Option<Asking> {
        self.iter().find_map(|form| match form.entry.by {
            By::Machine(Shortcut::Roll, _) => Some(Asking::Roll),
            By::Machine(Shortcut::Choose, _) => Some(Asking::Choose),
            _ => None,
        })
    }

    /// Returns how the cost of a function of Rhai's library grows for these values.
    pub(crate) fn cost_of_library(self, values: &[Val]) -> Cost {
        let mut forms = self.taking(values.len()).filter(|form| form.is_of_library());
        forms.find(|form| form.fits(values)).map_or(Cost::Reads, |form| form.entry.cost)
    }

    /// Returns the shortcut for a function with this number of arguments, if the machine has one. Those forms are looked at
    /// that have it: `natives` are all functions of this name, and one of a game's kinds may have it, too.
    pub(crate) fn shortcut(self, count: usize, natives: &[Native]) -> Option<Shortcut> {
        let shortcut = |form: &Form| match form.entry.by {
            By::Machine(shortcut, _) | By::LibraryOperation(shortcut, _) => Some(shortcut),
            _ => None,
        };
        let mut found = None;
        for form in self.taking(count) {
            let Some(of_form) = shortcut(form) else { continue };
            if !form.is_only(natives) {
                return None;
            }
            found = found.or(Some(of_form));
        }
        found
    }

    /// Returns the machine's own function of the library with this number of arguments. `name` is their name, which is that of
    /// a function only for the prelude if there are none.
    pub(crate) fn library_function(self, name: &str, count: usize) -> Option<Library> {
        self.taking(count).find_map(Form::library).or_else(|| library::internal(name, count))
    }
}

/// Returns the machine's own function of the library with this name and number of arguments.
pub(crate) fn library_function(name: &str, count: usize) -> Option<Library> {
    let property = name.strip_prefix(GETTER).filter(|_| count == 1);
    property.and_then(library_property).or_else(|| Named::of(name).library_function(name, count))
}

/// Returns the machine's own function of the library that reads a property of this name.
pub(crate) fn library_property(name: &str) -> Option<Library> {
    properties(name).iter().copied().find_map(Form::library)
}
