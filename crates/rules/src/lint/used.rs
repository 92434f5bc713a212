//! The names that rules use, so that checks find what nobody uses.

use std::collections::{BTreeMap, BTreeSet};

use rhai::{Dynamic, FnPtr};

use crate::host::Role;
use crate::layers::{OFFERED, author_name, is_house};
use crate::natives::{Form, OfGame, Special};
use crate::script::{Call, Function, Name, Node, Script, Target, What, is_closure};
use crate::values::{Sort, add_texts};
use referee_table::Schema;

/// What a name can be of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Sense {
    Die,
    Ask,
    Event,
    Option,
    Property,
    Resource,
    Zone,
    Constant,
    Function,
}

impl Sense {
    /// Returns what a string names that stands where a function takes one with this role.
    const fn of(role: Role) -> Option<Self> {
        Some(match role {
            Role::Die => Self::Die,
            Role::Ask | Role::Verb => Self::Ask,
            Role::Event => Self::Event,
            Role::Option => Self::Option,
            Role::Property => Self::Property,
            Role::ZoneName => Self::Zone,
            Role::Phase => Self::Function,
            _ => return None,
        })
    }
}

/// The names that rules use, and what they name by a string that they compute.
#[derive(Debug, Default)]
pub struct Used {
    names: BTreeSet<(Sense, String)>,
    /// The strings that the rules may pass to whatever takes a name.
    texts: BTreeSet<String>,
    /// Of what there are names that are computed: these may be any.
    computed: BTreeSet<Sense>,
    /// The functions that house rules redefine, which may read what the first one does not.
    pub(super) redefined: BTreeSet<(String, usize)>,
    /// The functions of the game, whose parameters a house rule that redefines them cannot choose.
    pub(super) of_game: BTreeSet<(String, usize)>,
    /// The names in each function of the game that may be those of functions.
    inside: BTreeMap<String, BTreeSet<String>>,
    /// The names of functions that something else than a function of the game names.
    called: BTreeSet<String>,
}

/// The functions that the program calls.
const CALLED: [&str; 12] = [
    "turn",
    "moves",
    "apply",
    "ended",
    "stuck",
    "why_not",
    "setup",
    "agreed",
    "resigned",
    "round_begins",
    "round_ends",
    OFFERED.0,
];

impl Used {
    /// Adds what the functions of a script use, and its constants.
    pub(crate) fn add(&mut self, script: &Script, constants: &[Function], (of_game, schema): (&OfGame, &Schema)) {
        self.called.extend(CALLED.iter().map(ToString::to_string));
        self.called.extend(schema.functions.iter().map(|function| function.name.clone()));
        for function in &script.functions {
            let functions = if is_house(function.layer) { &mut self.redefined } else { &mut self.of_game };
            functions.insert((function.name.to_string(), function.parameters));
            let of_rules = function.layer == 0 && !is_closure(&function.name);
            self.of_body(&function.body, of_rules.then(|| written(&function.name)), of_game);
        }
        for constants in constants {
            self.of_body(&constants.body, None, of_game);
            // There, the constants before another one are variables.
            constants.body.walk(&mut |node| {
                let used = node.local().and_then(|local| constants.local(local));
                self.names.extend(used.map(|used| (Sense::Constant, used.name.to_string())));
            });
        }
    }

    /// Adds names that scenarios use.
    pub fn add_names(&mut self, names: impl IntoIterator<Item = String>) {
        self.called.extend(names);
    }

    fn of_body(&mut self, body: &Node, function: Option<String>, of_game: &OfGame) {
        let mut finding = Finding { used: self, of_game, functions: BTreeSet::new() };
        finding.node(body);
        let functions = finding.functions;
        match function {
            Some(function) => self.inside.entry(function).or_default().extend(functions),
            None => self.called.extend(functions),
        }
    }

    pub(super) fn has(&self, name: &str, sense: Sense) -> bool {
        self.names.contains(&(sense, name.to_owned())) || self.texts.contains(name) || self.computed.contains(&sense)
    }

    /// Returns whether something uses an event by its verb, or by more of its words.
    pub(super) fn has_event(&self, form: &referee_table::Form) -> bool {
        let names = self.names.iter().filter(|(sense, _)| *sense == Sense::Event).map(|(_, name)| name);
        self.computed.contains(&Sense::Event) || names.chain(&self.texts).any(|name| form.is_called(name))
    }

    /// Returns the names of the functions of the game that run, if all that may name them is counted.
    pub(super) fn running(&self) -> BTreeSet<&str> {
        let mut running = BTreeSet::new();
        let mut open: Vec<&str> = self.called.iter().map(String::as_str).collect();
        while let Some(name) = open.pop() {
            if running.insert(name) {
                open.extend(self.inside.get(name).into_iter().flatten().map(String::as_str));
            }
        }
        running
    }
}

/// Returns the name of a function as the rules of the game have it.
fn written(name: &str) -> String {
    let author = author_name(name);
    match author.strip_prefix("base_") {
        Some(redefined) if author != name => redefined.to_owned(),
        _ => author,
    }
}

/// Finds the names in a function.
struct Finding<'f> {
    used: &'f mut Used,
    of_game: &'f OfGame,
    /// The names that may be those of functions.
    functions: BTreeSet<String>,
}

impl Finding<'_> {
    fn name(&mut self, sense: Sense, name: &str) {
        self.used.names.insert((sense, name.to_owned()));
    }

    /// Notes a string that may be passed on to whatever takes a name.
    fn text(&mut self, text: &str) {
        self.used.texts.insert(text.to_owned());
        self.functions.insert(text.to_owned());
    }

    fn value(&mut self, value: &Dynamic) {
        let mut texts = Vec::new();
        add_texts(value, &mut texts);
        texts.iter().for_each(|text| self.text(text));
        if let Some(pointer) = value.read_lock::<FnPtr>() {
            self.functions.insert(written(pointer.fn_name()));
        }
    }

    fn node(&mut self, node: &Node) {
        match &node.what {
            What::Text(text) => self.text(text),
            What::Constant(value) => self.value(value),
            What::Name(name) => self.name_alone(name),
            What::Field { name, .. } => self.name(Sense::Property, name),
            What::Call(call) => return self.call(call),
            What::Index { of, index, .. } => {
                let of_owner = Sort::OWNERS.iter().any(|sort| of.kind.may_be(*sort));
                match index.text() {
                    Some(text) => {
                        self.name(Sense::Property, text);
                        return self.node(of);
                    }
                    None if of_owner && index.kind.may_be(Sort::Text) => _ = self.used.computed.insert(Sense::Property),
                    None => {}
                }
            }
            // A string that something is compared with is not passed on.
            What::Operator(sign, parts) if matches!(sign.as_str(), "==" | "!=" | "<" | "<=" | ">" | ">=") => {
                return parts.iter().filter(|part| part.text().is_none()).for_each(|part| self.node(part));
            }
            _ => {}
        }
        node.for_each_part(&mut |part| self.node(part));
    }

    fn name_alone(&mut self, name: &Name) {
        match name {
            Name::Local(_) => {}
            Name::Component(name) => self.name(Sense::Zone, name),
            Name::Constant(name) => self.name(Sense::Constant, name),
            Name::Function(name) | Name::Unknown(name) => {
                self.name(Sense::Zone, name);
                self.functions.insert(written(name));
            }
        }
    }

    fn call(&mut self, call: &Call) {
        let name = call.name.as_str();
        self.name(Sense::Zone, name);
        self.functions.insert(written(name));
        let is_native = call.target == Target::Native;
        let all = call.natives.iter().chain(self.of_game.functions(name));
        let forms: Vec<&Form> = all.filter(|form| is_native && form.counts().contains(&call.args.len())).collect();
        // Amounts are computed more often than they are written where they are paid.
        if forms.iter().any(|form| form.is_of_resources()) {
            self.used.computed.insert(Sense::Resource);
        }
        for (at, value) in call.args.iter().enumerate() {
            let roles = forms.iter().filter_map(|form| form.parameters.get(at)).map(|parameter| parameter.role);
            let roles: BTreeSet<Option<Sense>> = roles.map(Sense::of).collect();
            // What follows the name of an ask or an event are values, and some are words.
            let is_word = at > 0 && is_native && matches!(call.role(), Some(Role::Verb | Role::Event));
            for sense in roles.into_iter().flatten() {
                match value.text() {
                    Some(text) if sense == Sense::Function => _ = self.functions.insert(text.to_string()),
                    Some(text) => self.name(sense, text),
                    None => _ = self.used.computed.insert(sense),
                }
            }
            let is_named = forms.iter().any(|form| {
                form.parameters.get(at).is_some_and(|parameter| !matches!(parameter.role, Role::Plain | Role::Options))
            });
            if value.text().is_none() || !is_word && !is_named {
                self.node(value);
            }
        }
        // So `Fn(name)` and `list.map(name)` may call any function.
        let takes_function =
            call.natives.special() == Some(Special::Pointer) || forms.iter().any(|form| form.takes_function_name());
        let may_name = |value: &Node| value.text().is_none() && !value.kind.is_any() && value.kind.may_be(Sort::Text);
        let is_any = |value: &Node| value.kind.is_any() && !matches!(value.what, What::Closure(_) | What::Name(_));
        let passed = call.args.iter().skip(usize::from(forms.iter().any(|form| form.calls())));
        if is_native && takes_function && passed.into_iter().any(|value| may_name(value) || is_any(value)) {
            self.used.computed.insert(Sense::Function);
        }
        // `roll()` throws the only die, which may have no name.
        if is_native && call.role() == Some(Role::Die) && call.args.iter().all(|value| value.text().is_none()) {
            self.used.computed.insert(Sense::Die);
        }
    }
}
