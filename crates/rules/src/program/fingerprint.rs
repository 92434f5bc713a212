//! The operations of a program without their locations, to compare programs.

use std::fmt::Write;

use rhai::ImmutableString;

use super::Program;
use crate::values::{Arena, Val};
use crate::vm::{Function, InlinedPart, Quick, Site, Target};

impl Program {
    /// Returns a text that is the same for rules that are compiled to the same operations. `is_read` says which constants
    /// scenarios may read, by name: their values count even if no operation has them.
    #[must_use]
    pub fn fingerprint(&self, is_read: &dyn Fn(&str) -> bool) -> String {
        let mut arena = self.memory.borrow_mut().arena_mut().clone();
        let mut print = Print { text: String::new() };
        for (name, constant) in self.layers.constants.iter().filter(|(name, _)| is_read(name)) {
            let value = arena.of_dynamic(constant.value.clone());
            print.note(&name);
            print.value(value, &arena);
        }
        print.note(&self.history);
        for function in &self.code.borrow().functions {
            print.function(function, &arena);
        }
        print.text
    }
}

/// The text so far. Every value of a function is named, so that the compiler reports a new one.
struct Print {
    text: String,
}

impl Print {
    fn note(&mut self, what: &dyn std::fmt::Debug) {
        let _ = write!(self.text, "{what:?};");
    }

    fn function(&mut self, function: &Function, arena: &Arena) {
        let Function {
            name,
            this,
            slots,
            prelude,
            ops,
            constants,
            sites,
            names,
            faults,
            inlined,
            memos,
            positions: _,
            reads: _,
            work: _,
            variables: _,
            alive: _,
        } = function;
        // Positions are no part of the rules; what a function reads, and its work, follow from the rest.
        self.note(&(name, this, slots, prelude, memos.is_some()));
        self.note(&(ops, names, faults));
        constants.iter().for_each(|constant| self.value(*constant, arena));
        sites.iter().for_each(|site| self.site(site, arena));
        for InlinedPart { from, to, name, at: _ } in inlined {
            self.note(&(from, to, name));
        }
        self.text.push('\n');
    }

    fn site(&mut self, site: &Site, arena: &Arena) {
        // The last result of a function is no part of the rules.
        let Site { name, args, unread, callee, method, top, position: _, fixed, quick, forms } = site;
        self.note(&(name, args, method, top, fixed.is_some(), forms));
        match callee {
            Target::Closure(function) => self.value(*function, arena),
            callee => self.note(callee),
        }
        for (at, constant) in unread {
            self.note(at);
            self.value(*constant, arena);
        }
        match quick {
            Some(Quick::Choose { ask, options, known: _ }) => {
                self.note(ask);
                self.value(options.map_or(Val::Nothing, Val::List), arena);
            }
            // The name says which function it is.
            Some(Quick::Lookup(_, constant)) => self.note(constant),
            quick => self.note(quick),
        }
    }

    /// Notes a value by what it is: the same index may be another value in other rules.
    fn value(&mut self, value: Val, arena: &Arena) {
        match value {
            Val::Nothing
            | Val::Truth(_)
            | Val::Number(_)
            | Val::Letter(_)
            | Val::Player(_)
            | Val::Piece(_)
            | Val::Zone(_)
            | Val::Cell(_)
            | Val::Game => self.note(&value),
            Val::Text(at) => self.held(arena.texts.get(at as usize)),
            Val::List(at) => {
                let items = arena.lists.get(at as usize).map_or(&[][..], |list| &list.items);
                self.items("list", items, arena);
            }
            Val::Map(at) => {
                let items = arena.maps.get(at as usize).map_or(&[][..], |map| &map.items);
                self.note(&items.iter().map(|(name, _)| name).collect::<Vec<&ImmutableString>>());
                items.iter().for_each(|(_, item)| self.value(*item, arena));
            }
            Val::Cells(at) => self.held(arena.cells.get(at as usize)),
            Val::Dirs(at) => self.held(arena.dirs.get(at as usize)),
            Val::Move(at) => self.held(arena.single.get(at as usize)),
            Val::Moves(at) => self.held(arena.several.get(at as usize)),
            Val::Function(at) => {
                let function = arena.functions.get(at as usize);
                self.held(function.map(|function| &function.name));
                self.items("with", function.map_or(&[][..], |function| &function.curry), arena);
            }
            Val::Range(at) => self.held(arena.ranges.get(at as usize)),
            Val::Action(at) => self.held(arena.actions.get(at as usize)),
            Val::Other(at) => self.held(arena.others.get(at as usize)),
            Val::Shared(at) => {
                let held = arena.boxes.get(at as usize).map(|boxed| boxed.value).unwrap_or_default();
                self.items("shared", &[held], arena);
            }
        }
    }

    fn items(&mut self, what: &str, items: &[Val], arena: &Arena) {
        self.note(&(what, items.len()));
        items.iter().for_each(|item| self.value(*item, arena));
    }

    /// Notes a value that holds no other one.
    fn held<T: std::fmt::Debug>(&mut self, value: Option<&T>) {
        self.note(&(std::any::type_name::<T>(), value));
    }
}
