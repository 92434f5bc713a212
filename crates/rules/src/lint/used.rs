//! The names that rules use, so that checks find what nobody uses.

use std::collections::BTreeSet;

use crate::layers::is_house;
use crate::script::{Call, Name, Script, What};

/// The names that rules use, and what they name by a string that they compute.
#[derive(Debug, Default)]
pub struct Used {
    names: BTreeSet<String>,
    /// Whether there is a die, an ask, an event or an option whose name is computed: it may be any.
    computed: BTreeSet<&'static str>,
    /// The functions that house rules redefine, which may read what the first one does not.
    pub(super) redefined: BTreeSet<(String, usize)>,
    /// The functions of the game, whose parameters a house rule that redefines them cannot choose.
    pub(super) of_game: BTreeSet<(String, usize)>,
}

/// The functions that take the name of something, with the number of the argument.
const NAMING: [(&str, usize, &str); 8] = [
    ("roll", 0, "die"),
    ("choose", 1, "ask"),
    ("choose_all", 1, "ask"),
    ("choose_then", 1, "ask"),
    ("may", 0, "ask"),
    ("event", 0, "event"),
    ("option", 0, "option"),
    ("set", 1, "property"),
];

impl Used {
    /// Adds what the functions of a script use.
    pub(crate) fn add(&mut self, script: &Script) {
        for function in &script.functions {
            let functions = if is_house(function.layer) { &mut self.redefined } else { &mut self.of_game };
            functions.insert((function.name.to_string(), function.parameters));
            function.body.walk(&mut |node| match &node.what {
                What::Text(name)
                | What::Field { name, .. }
                | What::Name(
                    Name::Component(name) | Name::Constant(name) | Name::Function(name) | Name::Unknown(name),
                ) => _ = self.names.insert(name.to_string()),
                What::Call(call) => self.call(call),
                _ => {}
            });
        }
    }

    fn call(&mut self, call: &Call) {
        self.names.insert(call.name.to_string());
        for (function, at, what) in NAMING {
            if call.name == function && call.args.get(at).is_some_and(|name| name.text().is_none()) {
                self.computed.insert(what);
            }
        }
        if call.name == "roll" && call.args.is_empty() {
            self.computed.insert("die");
        }
    }

    pub(super) fn has(&self, name: &str, what: &str) -> bool {
        self.names.contains(name) || self.computed.contains(what)
    }
}
