//! The table of all natives: the entries of all subjects, found by name.

use std::sync::{Arc, OnceLock};

use super::entry::{By, Does, Entry, Form, RESOURCES, Reads, STACKS, Sense, Shortcut};
use super::native::Natives;
use super::registry::Api;
use super::{
    amounts, asks, board, cards, cells, distances, ends, face_down, kinds, language, lines, lists, maps, moves,
    numbers, pieces, places, players, properties as of_components, stacks, telling, texts, turns, ways,
};
use crate::host::Link;
use crate::values::{Kind, Sort};
use referee_table::{NameMap, Schema};

/// A subject: its entries, and what is registered beside them.
struct Subject {
    /// The heading in the reference; `None` if the reference does not list it.
    heading: Option<&'static str>,
    entries: &'static [Entry],
    besides: fn(&mut Api),
    /// Whether its functions are useless in a game without a board.
    is_of_board: bool,
}

impl Subject {
    const fn new(heading: &'static str, entries: &'static [Entry], besides: fn(&mut Api)) -> Self {
        Self { heading: Some(heading), entries, besides, is_of_board: false }
    }

    const fn of_board(heading: &'static str, entries: &'static [Entry], besides: fn(&mut Api)) -> Self {
        Self { is_of_board: true, ..Self::new(heading, entries, besides) }
    }

    const fn unlisted(entries: &'static [Entry]) -> Self {
        Self { heading: None, ..Self::new("", entries, nothing) }
    }
}

/// Registers nothing beside the entries.
fn nothing(_: &mut Api) {}

static SUBJECTS: [Subject; 23] = [
    Subject::new("Asking", asks::ENTRIES, asks::besides),
    Subject::new("Pieces", pieces::ENTRIES, kinds::register),
    Subject::of_board(STACKS, stacks::ENTRIES, nothing),
    Subject::new("Cards and zones", cards::ENTRIES, cards::besides),
    Subject::new("Cards face down", face_down::ENTRIES, face_down::besides),
    Subject::of_board("The board", board::ENTRIES, nothing),
    Subject::of_board("Sets of cells", cells::ENTRIES, cells::besides),
    Subject::of_board("Lines, groups and moves", lines::ENTRIES, nothing),
    Subject::of_board("Lines, groups and moves", distances::ENTRIES, nothing),
    Subject::of_board("Lines, groups and moves", ways::ENTRIES, nothing),
    Subject::of_board("Links, sides, corners and ways", places::ENTRIES, nothing),
    Subject::of_board("Moves", moves::ENTRIES, moves::besides),
    Subject::new("Players", players::ENTRIES, players::besides),
    Subject::new("Turns and rounds", turns::ENTRIES, nothing),
    Subject::new("Flags, counters, properties and options", of_components::ENTRIES, of_components::besides),
    Subject::new(RESOURCES, amounts::ENTRIES, nothing),
    Subject::new("Events and clauses", telling::ENTRIES, nothing),
    Subject::new("Ending the game", ends::ENTRIES, nothing),
    Subject::unlisted(lists::ENTRIES),
    Subject::unlisted(maps::ENTRIES),
    Subject::unlisted(texts::ENTRIES),
    Subject::unlisted(numbers::ENTRIES),
    Subject::unlisted(language::ENTRIES),
];

/// Returns all forms of what every game has, in the order of the reference.
pub(crate) fn forms() -> &'static [Form] {
    static FORMS: OnceLock<Vec<Form>> = OnceLock::new();
    FORMS.get_or_init(|| {
        let of = |subject: &'static Subject| {
            subject.entries.iter().filter_map(|entry| {
                Some(Form { is_of_board: subject.is_of_board, ..Form::of(entry, subject.heading)? })
            })
        };
        SUBJECTS.iter().flat_map(of).collect()
    })
}

/// Returns all forms that the reference lists, in its order.
#[must_use]
pub fn reference() -> Vec<&'static Form> {
    forms().iter().filter(|form| form.subject.is_some()).collect()
}

/// Returns the forms of all functions and properties with a name, also those of Rhai's library, each with its description.
#[must_use]
pub fn described(name: &str) -> Vec<&'static Form> {
    functions(name).iter().chain(properties(name)).copied().collect()
}

/// Forms by their names.
type ByName = NameMap<Vec<&'static Form>, &'static str>;

/// Returns the forms of one sense by their names.
fn by_name(sense: Sense) -> ByName {
    let mut all = ByName::default();
    for form in forms().iter().filter(|form| form.sense == sense) {
        all.entry(&form.name).or_default().push(form);
    }
    all
}

/// Returns the forms of the function with this name that every game has, those of the rules API first.
pub(crate) fn functions(name: &str) -> &'static [&'static Form] {
    static NAMED: OnceLock<ByName> = OnceLock::new();
    NAMED.get_or_init(|| by_name(Sense::Function)).get(name).map_or(&[], Vec::as_slice)
}

/// Returns the forms of the property with this name, each with the kind that has it.
pub(crate) fn properties(name: &str) -> &'static [&'static Form] {
    static NAMED: OnceLock<ByName> = OnceLock::new();
    NAMED.get_or_init(|| by_name(Sense::Property)).get(name).map_or(&[], Vec::as_slice)
}

/// Returns the names of the functions of Rhai's library.
pub(crate) fn names_of_library() -> impl Iterator<Item = &'static str> {
    let of_library = |form: &&Form| form.sense == Sense::Function && form.is_of_library();
    forms().iter().filter(of_library).map(|form| &*form.name)
}

/// The number of characters that the sign of an operator has at most: `>>=`.
const LONGEST_SIGN: usize = 3;

/// Returns the forms of an operator.
pub(crate) fn operators(sign: &str) -> &'static [&'static Form] {
    static NAMED: OnceLock<ByName> = OnceLock::new();
    // Names of functions are asked for more often than signs.
    if sign.len() > LONGEST_SIGN {
        return &[];
    }
    NAMED.get_or_init(|| by_name(Sense::Operator)).get(sign).map_or(&[], Vec::as_slice)
}

/// Returns the signs of all operators.
pub(crate) fn operator_signs() -> impl Iterator<Item = &'static str> {
    forms().iter().filter(|form| form.sense == Sense::Operator).map(|form| form.entry.name())
}

/// Returns the function that errors name in place of a native function which the prelude calls with its arguments.
pub(crate) fn shown(name: &str) -> &str {
    const CALLED_BY: [(&str, &str); 3] =
        [("_vm_known", "can_move"), ("_vm_zones", "deal"), ("_vm_free_cells", face_down::FACE_UP)];
    CALLED_BY.iter().find(|(native, _)| *native == name).map_or(name, |(_, function)| function)
}

/// Returns the names of all functions that read which positions were there before.
pub(crate) fn readers_of_history() -> impl Iterator<Item = &'static str> {
    forms().iter().filter(|form| form.entry.reads == Reads::History).map(|form| form.entry.name())
}

/// Returns the names of all functions that ask.
pub(crate) fn askers() -> impl Iterator<Item = &'static str> {
    let asks = forms().iter().filter(|form| form.entry.does == Does::Asks);
    asks.map(|form| form.entry.name())
}

/// Returns whether values that are no components have a property of this name, as [`property_names`] lists them.
pub(crate) fn is_property(name: &str) -> bool {
    properties(name).iter().any(|form| !form.begins_with(Sort::Function))
}

/// Returns the names of the properties of values that are no components. Those of function values are left out: who
/// writes one of them after a dot means something else.
pub(crate) fn property_names<'n>() -> impl Iterator<Item = &'n str> {
    let is_plain = |form: &&Form| form.sense == Sense::Property && !form.begins_with(Sort::Function);
    forms().iter().filter(is_plain).map(|form| form.entry.name())
}

/// Returns the names of the properties of values of a sort that is no component.
pub(crate) fn properties_of(sort: Sort) -> Vec<&'static str> {
    let all = forms().iter().filter(|form| form.sense == Sense::Property && form.begins_with(sort));
    all.map(|form| form.entry.name()).collect()
}

/// Returns the kind of a property of values of a sort that is no component.
pub(crate) fn property_of(sort: Sort, name: &str) -> Option<&'static Kind> {
    properties(name).iter().find(|form| form.begins_with(sort)).map(|form| &form.result)
}

/// Returns whether a property with this name is the length of a list.
pub(crate) fn is_length(name: &str) -> bool {
    properties(name).iter().any(|form| matches!(form.entry.by, By::LibraryOperation(Shortcut::Length, _)))
}

/// Registers all native functions for a game, and returns them.
pub(crate) fn register(link: &Link, schema: &Arc<Schema>) -> Natives {
    let mut api =
        Api { link: link.clone(), schema: Arc::clone(schema), name: String::new(), natives: Natives::default() };
    for subject in &SUBJECTS {
        for entry in subject.entries {
            if let By::Native(register) | By::Machine(_, register) = entry.by {
                api.name = entry.registered();
                register(&mut api);
            }
        }
        (subject.besides)(&mut api);
    }
    api.natives
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::values::packages;

    fn entries() -> impl Iterator<Item = &'static Entry> {
        SUBJECTS.iter().flat_map(|subject| subject.entries)
    }

    #[test]
    fn no_sign_is_longer_than_those_that_are_looked_for() {
        let longer: Vec<&str> = operator_signs().filter(|sign| sign.len() > LONGEST_SIGN).collect();
        assert_eq!(longer, Vec::<&str>::new());
    }

    #[test]
    fn every_entry_has_a_form_that_can_be_read_and_a_description() {
        for entry in entries() {
            let form = Form::of(entry, None).unwrap_or_else(|| unreachable!("`{}` cannot be read", entry.form));
            assert_eq!(form.name(), entry.name(), "{}", entry.form);
            assert!(entry.doc.ends_with(['.', '?', '`']) && entry.doc.len() > 9, "{}: {}", entry.form, entry.doc);
        }
        let written: BTreeSet<&str> = entries().map(|entry| entry.form).collect();
        assert_eq!(written.len(), entries().count(), "an entry occurs twice");
    }

    #[test]
    fn forms_agree_with_the_types_of_their_functions() {
        for entry in entries() {
            let (By::Native(register) | By::Machine(_, register)) = entry.by else { continue };
            let Some(form) = Form::of(entry, None) else { continue };
            let mut api = Api {
                link: Link::default(),
                schema: Arc::new(Schema::empty()),
                name: entry.registered(),
                natives: Natives::default(),
            };
            register(&mut api);
            let mut taken = vec![Kind::NEVER; form.parameters.len()];
            let mut registered = 0;
            for count in form.counts() {
                for native in api.natives.named(&entry.registered(), count).iter() {
                    registered += 1;
                    for (taken, sort) in taken.iter_mut().zip(&native.sorts) {
                        *taken = taken.or(&sort.map_or(Kind::ANY, Kind::of));
                    }
                    let gives = (native.gives)();
                    assert!(form.result.is_within(&gives), "`{}` gives {gives}", entry.form);
                    assert!(gives.is_any() || gives.is_within(&form.result), "`{}` gives {gives}", entry.form);
                }
            }
            assert!(registered > 0, "`{}` registers no function with its number of parameters", entry.form);
            for (at, (parameter, taken)) in form.parameters.iter().zip(taken).enumerate() {
                let kind = &parameter.kind;
                assert!(kind.is_within(&taken), "`{}` takes {taken} as its parameter {at}", entry.form);
                assert!(
                    taken.is_any() || taken.is_within(kind),
                    "`{}` takes {taken} as its parameter {at}",
                    entry.form
                );
            }
        }
    }

    #[test]
    fn the_entries_of_the_library_are_what_rhai_has() {
        let counted = |form: &Form, name: String| form.counts().map(move |count| format!("{name}/{count}"));
        let of_rhai = |by: &By| !matches!(by, By::Language | By::Special(_));
        let ours: BTreeSet<String> = forms()
            .iter()
            .filter(|form| form.is_of_library() && of_rhai(&form.entry.by))
            .flat_map(|form| counted(form, form.entry.registered()))
            // The machine's own.
            .filter(|name| !["type_of/1", "../2", "..=/2"].contains(&name.as_str()))
            .collect();
        let theirs = functions_of_rhai();
        let missing: Vec<_> = theirs.difference(&ours).collect();
        let too_many: Vec<_> = ours.difference(&theirs).collect();
        assert!(missing.is_empty() && too_many.is_empty(), "without an entry: {missing:?}; unknown: {too_many:?}");
    }
    /// Returns the functions of Rhai's library that rules may call, each with a number of parameters: `push/2`.
    fn functions_of_rhai() -> BTreeSet<String> {
        let mut engine = rhai::Engine::new_raw();
        packages(&mut engine);
        let counted = |signature: String| {
            let (name, rest) = signature.split_once('(')?;
            let inside = rest.rsplit_once(')').map_or(rest, |(inside, _)| inside);
            let count = if inside.is_empty() { 0 } else { commas_outside_brackets(inside) + 1 };
            Some(format!("{}/{count}", name.trim()))
        };
        engine.gen_fn_signatures(true).into_iter().filter_map(counted).collect()
    }

    fn commas_outside_brackets(text: &str) -> usize {
        let mut depth = 0_i32;
        let mut commas = 0;
        for letter in text.chars() {
            match letter {
                '(' | '<' | '[' => depth += 1,
                ')' | '>' | ']' => depth -= 1,
                ',' if depth == 0 => commas += 1,
                _ => {}
            }
        }
        commas
    }
}
