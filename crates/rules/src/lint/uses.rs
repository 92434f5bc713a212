//! What a function uses a parameter as, if that is a name: of a cell, a direction, an event and so on.

use rhai::ImmutableString;

use super::linter::Linter;
use super::properties::is_owner;
use super::values::Written;
use super::wants::{Uses, Want};
use crate::host::Role;
use crate::script::{Call, Function, LocalId, Node, Target, What};
use referee_table::{Form, Kind, PropertyKind, Schema};

/// Returns the form of the event or ask with this name, as the function of the rules API takes it.
pub(super) fn form_of<'s>(schema: &'s Schema, function: &str, verb: &str) -> Option<&'s Form> {
    match function {
        "event" => schema.events.get(schema.event(verb)?.index()),
        "may" => schema.asks.get(schema.ask(verb)?.index()),
        _ => None,
    }
}

/// Returns whether a part of a statement is carried out only under a condition. A loop that goes through something else than a
/// parameter is none.
fn branches(statement: &Node, parameters: usize) -> bool {
    if let What::For(parts) = &statement.what {
        let mut of_parameters = false;
        parts.over.walk(&mut |node| of_parameters |= node.local().is_some_and(|local| local < parameters));
        let mut inside = parts.body.statements().iter();
        return of_parameters || branches(&parts.over, parameters) || inside.any(|one| branches(one, parameters));
    }
    let mut found = false;
    statement.walk_own(&mut |node| {
        found |= matches!(
            node.what,
            What::If(_)
                | What::Switch(_)
                | What::While { .. }
                | What::Do { .. }
                | What::For(_)
                | What::Try(_)
                | What::And(_)
                | What::Or(_)
                | What::Coalesce(_)
        ) || matches!(&node.what, What::Block(_));
    });
    found
}

/// Returns whether the statements after a statement may not be carried out.
fn leaves(statement: &Node) -> bool {
    let mut found = false;
    statement.walk_own(&mut |node| {
        found |= matches!(node.what, What::Return(_) | What::Throw(_) | What::Break(_) | What::Continue);
    });
    found
}

impl Linter<'_> {
    /// Returns the function of the rules that a call runs, at once or as a phase, with its arguments, and how many arguments
    /// of the call are before them.
    pub(super) fn runs<'a>(&self, call: &'a Call) -> Option<(&'a ImmutableString, &'a [Node], usize)> {
        match call.args.as_slice() {
            [phase, values @ ..] if call.name == "then" && !call.method => Some((phase.text()?, values, 1)),
            _ if matches!(call.target, Target::Script | Target::OtherScript) => {
                Some((&call.name, call.in_brackets(), usize::from(call.method)))
            }
            _ => None,
        }
    }

    /// Returns what a function of the rules uses its parameter of this number as; `None` if it does not use it.
    pub(super) fn uses(&mut self, name: &ImmutableString, count: usize, at: usize) -> Option<Uses> {
        let key = (name.clone(), count, at);
        if let Some(known) = self.uses.get(&key) {
            return known.clone();
        }
        // Of one that calls itself, nothing is said.
        self.uses.insert(key.clone(), Some(Uses::Several));
        let function = self.script.function(name, count).filter(|function| at < function.parameters);
        let uses = function.and_then(|function| self.uses_in(function, at));
        self.uses.insert(key, uses.clone());
        uses
    }

    fn uses_in(&mut self, function: &Function, parameter: LocalId) -> Option<Uses> {
        let (mut uses, mut left): (Option<Uses>, bool) = (None, false);
        for statement in function.body.statements() {
            let unsure = left || branches(statement, function.parameters);
            left |= leaves(statement);
            // Each place where the parameter stands, and the uses that are known.
            let (mut places, mut known) = (0, 0);
            let mut found = Vec::new();
            statement.walk(&mut |node| {
                places += usize::from(node.local() == Some(parameter));
                found.push(node);
            });
            for node in found {
                for used in self.uses_of_node(node, parameter) {
                    known += 1;
                    let used = match used {
                        Uses::As { want, unsure: inner } => Uses::As { want, unsure: inner || unsure },
                        several => several,
                    };
                    uses = Some(uses.take().map_or(used.clone(), |before| before.with(used)));
                }
            }
            if places != known {
                return Some(Uses::Several);
            }
        }
        uses
    }

    /// Returns the uses of a parameter that a call or an assignment makes.
    fn uses_of_node(&mut self, node: &Node, parameter: LocalId) -> Vec<Uses> {
        let is = |value: &Node| value.local() == Some(parameter);
        match &node.what {
            What::Call(call) => {
                let given = call.args.iter().enumerate().filter(|(_, value)| is(value)).map(|(at, _)| at);
                let given: Vec<usize> = given.collect();
                given.into_iter().filter_map(|at| self.use_in_call(call, at)).collect()
            }
            What::Assign(assign) if is(&assign.value) && assign.sign.is_none() => {
                let want = self.word_of_property(&assign.to);
                want.map(|want| Uses::As { want, unsure: false }).into_iter().collect()
            }
            What::Index { of, index, .. } if is(index) && is_owner(self.schema, &of.kind) => {
                vec![Uses::As { want: Want::Name(Role::Property), unsure: false }]
            }
            _ => Vec::new(),
        }
    }

    fn use_in_call(&mut self, call: &Call, at: usize) -> Option<Uses> {
        match self.runs(call) {
            Some((function, values, before)) => self.uses(function, values.len(), at.checked_sub(before)?),
            None => self.wanted(call, at).map(|want| Uses::As { want, unsure: false }),
        }
    }

    /// Returns what a native function uses an argument of a call as, if that is a name.
    fn wanted(&self, call: &Call, at: usize) -> Option<Want> {
        let name = call.name.as_str();
        if let ([verb, ..], Some(place)) = (call.args.as_slice(), at.checked_sub(1))
            && let Some(form) = verb.text().and_then(|verb| form_of(self.schema, name, verb))
            && let Some((Kind::Word(words), _)) = form.kinds().get(place).copied()
        {
            return Some(word(&form.verb, words.iter()));
        }
        let role = self.best_form(call)?.parameters.get(at)?.role;
        let is_name = matches!(role, Role::CellName | Role::DirectionName) || self.names(role).is_some();
        is_name.then_some(Want::Name(role))
    }

    /// Returns the words of the property that an assignment sets.
    fn word_of_property(&self, set: &Node) -> Option<Want> {
        let What::Field { name, .. } = &set.what else { return None };
        if self.is_key(name) || self.schema.printed(name).is_some() {
            return None;
        }
        match &self.schema.properties.iter().find(|property| property.name == name.as_str())?.kind {
            PropertyKind::Value(Kind::Word(words)) => Some(word(name, words.iter())),
            _ => None,
        }
    }

    /// Reports strings that are not what they are used as.
    pub(super) fn texts_as(&mut self, want: &Want, texts: &[Written]) {
        for text in texts {
            match want {
                Want::Name(role) => self.name_of_role(*role, text),
                Want::Word { of, words } => self.one_of_words(of, words, text),
            }
        }
    }
}

fn word(of: &str, words: impl Iterator<Item = impl ToString>) -> Want {
    Want::Word { of: of.to_owned(), words: words.map(|word| word.to_string()).collect() }
}
