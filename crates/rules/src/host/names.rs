//! The names that rules write as strings: those of the game and of phases, and the errors for unknown ones.

use std::collections::BTreeMap;
use std::sync::Arc;

use referee_diagnostic::{Code, Diagnostic, counted, did_you_mean, one_of};
use referee_table::Schema;

/// The names of one kind.
pub(crate) type Names<'n> = Box<dyn Iterator<Item = &'n str> + 'n>;

/// What the values of a parameter of a native function name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Nothing: they are used as they are.
    Plain,
    /// A direction.
    Direction,
    /// A die.
    Die,
    /// An ask.
    Ask,
    /// The verb of an ask.
    Verb,
    /// An event.
    Event,
    /// A clause of the rulebook.
    Clause,
    /// An option.
    Option,
    /// A flag, a counter or a property.
    Property,
    /// A zone that each player has.
    ZoneName,
    /// A kind of pieces.
    PieceKind,
    /// A piece or a card.
    PieceName,
    /// A cell, by its name.
    CellName,
    /// A direction, by its name.
    DirectionName,
    /// A function of the rules.
    Phase,
    /// The options of an ask.
    Options,
}

/// Returns the error for a string that is not a name of this sort in the game.
pub(super) fn unknown(schema: &Schema, role: Role, name: &str) -> Diagnostic {
    let (what, names): (_, Names<'_>) = names(schema, role).unwrap_or(("name", Box::new(std::iter::empty())));
    let names: Vec<&str> = names.collect();
    Diagnostic::general(Code::UnknownComponent, format!("unknown {what} `{name}`"))
        .help(help_for(role, what, name, &names))
}

/// Returns the word for what values with a role name in the game, and all these names; `None` for other roles.
pub(crate) fn names<'s>(schema: &'s Schema, role: Role) -> Option<(&'static str, Names<'s>)> {
    Some(match role {
        Role::Die => ("die", Box::new(schema.dice.iter().map(|die| die.name.as_str()))),
        Role::Ask | Role::Verb => ("ask", Box::new(schema.asks.iter().map(|ask| ask.verb.as_str()))),
        Role::Event => ("event", Box::new(schema.events.iter().map(|event| event.verb.as_str()))),
        Role::Clause => ("clause of the rulebook", Box::new(schema.clauses.iter().map(|clause| clause.id.as_str()))),
        Role::Option => ("option", Box::new(schema.options.iter().map(|option| option.name.as_str()))),
        Role::Property => {
            let names = schema.properties.iter().map(|property| property.name.as_str());
            ("flag, counter or property", Box::new(names))
        }
        Role::ZoneName => ("zone for each player", Box::new(owned_zones(schema).into_iter())),
        Role::PieceKind => ("kind of pieces", Box::new(schema.kinds.iter().map(|kind| kind.name.as_str()))),
        Role::PieceName => {
            let pieces = schema.pieces.iter().filter(|piece| !piece.is_back());
            ("piece", Box::new(pieces.map(|piece| piece.name.as_str())))
        }
        _ => return None,
    })
}

/// Returns the names of the zones that each player has.
fn owned_zones(schema: &Schema) -> Vec<&str> {
    let owned = schema.zones.iter().filter(|zone| zone.owner.is_some());
    let mut names: Vec<&str> = owned.map(|zone| zone.name.as_str()).collect();
    names.dedup();
    names
}

/// Returns the help for a string that is none of the names of a sort.
pub(crate) fn help_for(role: Role, what: &str, name: &str, names: &[&str]) -> String {
    let all = || names.iter().copied();
    if role == Role::Phase && names.contains(&name) {
        return format!(
            "only the house rule itself can name its function `{name}`, in quotes at the call: `then(\"{name}\", …)`"
        );
    }
    did_you_mean(name, all()).unwrap_or_else(|| match one_of(all(), 12) {
        _ if what == "die" && names.contains(&"") => "write `roll()`: the only die has no name".to_owned(),
        _ if what == "die" && names.is_empty() => format!("declare a die in the game file: `die {name} 1..6`"),
        _ if role == Role::Clause && names.is_empty() => {
            format!("begin paragraphs of the rulebook with a number in brackets, such as `[{}]`", clause_like(name))
        }
        list if list.is_empty() => format!("the game declares no {what}"),
        list => format!("use one of {list}"),
    })
}

/// Returns a name, if a clause can have it, or an example: capital letters, then a number.
fn clause_like(name: &str) -> &str {
    let number = name.trim_start_matches(|letter: char| letter.is_ascii_uppercase());
    let is_clause =
        !number.is_empty() && number.len() < name.len() && number.chars().all(|digit| digit.is_ascii_digit());
    if is_clause { name } else { "R1" }
}

/// Returns the help for a component that is compared with a string. `kind` is the component's kind: `a player`.
pub(crate) fn instead_of_text(schema: &Schema, kind: &str, text: &str) -> String {
    let or_name = "or compare `name(…)` with the string";
    match kind {
        "a player" if schema.player(text).is_some() => format!("write the player, without quotes: `{text}`; {or_name}"),
        "a player" => {
            let players = one_of(schema.players.iter().map(String::as_str), 9);
            format!("write one of the players {players}, without quotes; {or_name}")
        }
        "a piece" if schema.piece(text).is_some() => format!("write the piece, `piece(\"{text}\")`, {or_name}"),
        "a cell" => format!("write the cell, `cell_named(\"{text}\")`, {or_name}"),
        _ => format!("compare it with a component, {or_name}"),
    }
}

/// The maximum number of remembered phases. Rules have few.
const MAX_PHASES: usize = 64;

/// The functions of the rules that may run as phases.
#[derive(Debug, Default)]
pub(crate) struct Phases {
    /// All functions, each with its numbers of parameters.
    functions: BTreeMap<String, Vec<usize>>,
    /// Their names as authors write them: functions of house rules and below them are renamed.
    written: Vec<String>,
    /// The phases that the rules added, each with its number of arguments, without duplicates.
    added: Vec<(Arc<str>, usize)>,
}

impl Phases {
    pub(crate) fn of(functions: impl Iterator<Item = (String, usize)>, written: impl Fn(&str) -> String) -> Self {
        let mut all: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        functions.for_each(|(name, parameters)| all.entry(name).or_default().push(parameters));
        let written = all.keys().map(|name| written(name)).collect();
        Self { functions: all, written, added: Vec::new() }
    }

    /// Returns the shared name of a phase with this number of arguments.
    pub(crate) fn find(&mut self, name: &str, arguments: usize) -> Result<Arc<str>, Box<Diagnostic>> {
        let known = |(known, takes): &&(Arc<str>, usize)| *takes == arguments && known.as_ref() == name;
        if let Some((known, _)) = self.added.iter().find(known) {
            return Ok(Arc::clone(known));
        }
        match self.functions.get(name) {
            Some(takes) if takes.contains(&arguments) => {}
            Some(takes) => return Err(Box::new(of_other_arity(name, takes, arguments))),
            None => return Err(Box::new(self.unknown(name))),
        }
        let same = self.added.iter().find(|(known, _)| known.as_ref() == name);
        let new: Arc<str> = same.map_or_else(|| name.into(), |(known, _)| Arc::clone(known));
        if self.added.len() < MAX_PHASES {
            self.added.push((Arc::clone(&new), arguments));
        }
        Ok(new)
    }

    fn unknown(&self, name: &str) -> Diagnostic {
        let names: Vec<&str> = self.written.iter().map(String::as_str).collect();
        Diagnostic::general(Code::UnknownComponent, format!("unknown function `{name}`")).help(help_for(
            Role::Phase,
            "function",
            name,
            &names,
        ))
    }
}

fn of_other_arity(name: &str, takes: &[usize], given: usize) -> Diagnostic {
    let counts: Vec<String> = takes.iter().map(ToString::to_string).collect();
    let plural = if takes == [1] { "" } else { "s" };
    let message = format!("`{name}` takes {} argument{plural}, got {given}", counts.join(" or "));
    Diagnostic::general(Code::WrongArity, message).help(match takes {
        [one] => format!("pass {} to `{name}`", counted(*one, "argument")),
        _ => format!("pass {} arguments to `{name}`", counts.join(" or ")),
    })
}

/// Returns the error for a name that is no resource.
pub(crate) fn unknown_resource(schema: &Schema, name: &str) -> Diagnostic {
    let names = || schema.resources.iter().map(|resource| resource.name.as_str());
    let help = did_you_mean(name, names()).unwrap_or_else(|| match one_of(names(), 12) {
        list if list.is_empty() => "declare it in the game file: `resource NAME for each player`".to_owned(),
        list => format!("the resources are {list}"),
    });
    Diagnostic::general(Code::UnknownComponent, format!("unknown resource `{name}`")).help(help)
}
