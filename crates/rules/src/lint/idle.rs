//! What nothing uses: declarations of the game file, and parameters and variables that nobody reads. Rules run all the
//! same, so these are notes.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::needed::is_called_by_name;
use crate::layers::{Layers, author_name, is_house, is_internal, rules_place};
use crate::script::{Call, Declared, Function, Local, LocalId, Name, Script, What};
use referee_diagnostic::Diagnostic;
use referee_source::{Source, Span};
use referee_table::{PropertyKind, Schema, Variant};

/// The names that rules use, and what they name by a string that they compute.
#[derive(Debug, Default)]
pub struct Used {
    names: BTreeSet<String>,
    /// Whether there is a die, an ask, an event or an option whose name is computed: it may be any.
    computed: BTreeSet<&'static str>,
    /// The functions that house rules redefine, which may read what the first one does not.
    redefined: BTreeSet<(String, usize)>,
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
            if is_house(function.layer) {
                self.redefined.insert((function.name.to_string(), function.parameters));
            }
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

    fn has(&self, name: &str, what: &str) -> bool {
        self.names.contains(name) || self.computed.contains(what)
    }
}

/// Returns a note on each declaration that none of the scripts uses. `used` is what those of the game and of all house
/// rules use, `lists` says that the rules list their moves.
pub(crate) fn declarations(used: &Used, lists: bool, schema: &Schema) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let mut note = |what: &str, name: &str, place: Option<&(Arc<Source>, Span)>| {
        if let Some((source, span)) = place {
            let message = format!("nothing uses the {what} `{name}`");
            let help = "use it in the rules, or remove it from the game file";
            found.push(Diagnostic::new("unused_declaration", source, *span, message).help(help));
        }
    };
    for form in schema.asks.iter().filter(|form| !(used.has(&form.verb, "ask") || lists && form.verb == "move")) {
        note("ask", &form.verb, Some(&form.place));
    }
    for form in schema.events.iter().filter(|form| !used.has(&form.verb, "event")) {
        note("event", &form.verb, Some(&form.place));
    }
    for die in schema.dice.iter().filter(|die| !used.has(&die.name, "die")) {
        note("die", &die.name, schema.places.get(&format!("die {}", die.name)));
    }
    for option in schema.options.iter().filter(|option| !used.has(&option.name, "option")) {
        note("option", &option.name, schema.places.get(&format!("option {}", option.name)));
    }
    for property in schema.properties.iter().filter(|property| !used.has(&property.name, "property")) {
        let what = match property.kind {
            PropertyKind::Flag => "flag",
            PropertyKind::Counter { .. } => "counter",
            PropertyKind::Value(_) => "property",
        };
        note(what, &property.name, Some(&property.place));
    }
    let mut seen = BTreeSet::new();
    for (at, zone) in schema.zones.iter().enumerate() {
        let is_home = schema.kinds.iter().any(|kind| kind.home.is_some_and(|home| home.index() == at));
        let is_laid = |variant: &Variant| !variant.laid.is_empty() || !variant.dealings.is_empty();
        let in_set_up = is_home || schema.variants.iter().any(is_laid);
        if !in_set_up && !used.has(&zone.name, "zone") && seen.insert(zone.name.clone()) {
            note("zone", &zone.name, schema.places.get(&zone.name));
        }
    }
    found
}

/// The functions that the program calls with all their arguments, whether they need them or not.
const CALLED: [&str; 6] = ["turn", "moves", "apply", "ended", "stuck", "why_not"];

/// Returns a note on each parameter and variable of the rules that nobody reads. A name that begins with `_` says that
/// it is not read.
pub(crate) fn locals(used: &Used, layers: &Layers, script: &Script, schema: &Schema) -> Vec<Diagnostic> {
    let own = script.functions.iter().filter(|function| function.layer == 0 && !is_internal(&function.name));
    own.flat_map(|function| of_function(used, layers, script, schema, function)).collect()
}

fn of_function(used: &Used, layers: &Layers, script: &Script, schema: &Schema, function: &Function) -> Vec<Diagnostic> {
    let mut assigned: Vec<LocalId> = Vec::new();
    let mut mentioned: Vec<usize> = vec![0; function.locals.len()];
    function.body.walk(&mut |node| match &node.what {
        // The target of an assignment is no reading: not even that of `total += 1`.
        What::Assign(assign) => assigned.extend(assign.to.local()),
        What::Name(Name::Local(local)) => mentioned.get_mut(*local).into_iter().for_each(|count| *count += 1),
        _ => {}
    });
    for local in assigned {
        mentioned.get_mut(local).into_iter().for_each(|count| *count -= 1);
    }
    // The program, a phase or a card passes what it has.
    let (name, count) = function.key();
    let is_redefined = used.redefined.contains(&(name.to_owned(), count));
    let is_given = is_redefined || CALLED.contains(&name) || is_called_by_name(name, script, schema);
    let idle = function.locals.iter().enumerate().filter(|(at, local)| {
        let is_looked_at = match local.how {
            Declared::Parameter => !is_given,
            Declared::Let | Declared::Const => true,
            _ => false,
        };
        is_looked_at && mentioned.get(*at) == Some(&0) && !local.name.starts_with('_')
    });
    let note = |local: &Local| {
        let label = match local.how {
            Declared::Parameter => layers.label_of(&function.name, function.parameters)?,
            _ => layers.texts.label(rules_place(local.at))?,
        };
        let name = &local.name;
        let (message, help) = match local.how {
            Declared::Parameter => (
                format!("`{}` does not read its parameter `{name}`", author_name(&function.name)),
                format!("remove it, or call it `_{name}` to say so"),
            ),
            _ => (format!("nothing reads the variable `{name}`"), format!("remove it, or call it `_{name}` to say so")),
        };
        Some(Diagnostic::new("unread_variable", &label.source, label.span, message).help(help))
    };
    idle.filter_map(|(_, local)| note(local)).collect()
}
