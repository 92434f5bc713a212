//! What is known of the functions that scripts call and do not define: the kinds of their parameters and results.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use crate::rules::layers::Entry;
use crate::rules::values::{Kind, Sort};
use crate::table::NameMap;

/// A function with the kinds of its parameters.
#[derive(Clone, Debug)]
pub(crate) struct Form {
    pub(crate) params: Vec<Kind>,
    /// How many arguments may follow the parameters.
    pub(crate) more: usize,
    pub(crate) result: Kind,
}

impl Form {
    /// Returns whether the function may be called with arguments of these kinds.
    pub(crate) fn takes(&self, args: &[Kind]) -> bool {
        self.takes_count(args.len()) && self.params.iter().zip(args).all(|(param, arg)| !param.excludes(arg))
    }

    /// Returns whether the function takes this number of arguments.
    pub(crate) fn takes_count(&self, count: usize) -> bool {
        (self.params.len()..=self.params.len() + self.more).contains(&count)
    }

    /// Returns the kind of the result for arguments of these kinds.
    pub(crate) fn result_for(&self, args: &[Kind]) -> Kind {
        let mut letters = BTreeMap::new();
        for (param, arg) in self.params.iter().zip(args) {
            param.learn(arg, &mut letters);
        }
        self.result.with(&letters)
    }
}

/// The functions with one name.
pub(crate) type Forms = Vec<Form>;

/// The functions of Rhai's library, and those of the prelude.
const LIBRARY: &[&str] = &[
    "len(of: list or text or map) -> number",
    "is_empty(of: list or text or map or range) -> bool",
    "contains(list: list or text or map or range, value: value) -> bool",
    "index_of(list: list or text, value: value) -> number",
    "index_of(list: list or text, value: value, start: number) -> number",
    "push(list: list, value: value)",
    "append(list: list or text, more: value)",
    "insert(list: list, at: number, value: value)",
    "clear(of: list or map or text)",
    "truncate(of: list or text, length: number)",
    "pad(of: list or text, length: number, value: value)",
    "pop(list: list of T) -> T or ()",
    "shift(list: list of T) -> T or ()",
    "remove(list: list of T, at: number) -> T or ()",
    "find(list: list of T, wanted: function) -> T or ()",
    "find(list: list of T, wanted: function, start: number) -> T or ()",
    "filter(list: list of T, wanted: function) -> list of T",
    "extract(list: list of T, from: number) -> list of T",
    "extract(list: list of T, from: number, length: number) -> list of T",
    "map(list: list or moves, each: function of T) -> list of T",
    "some(list: list or moves, wanted: function) -> bool",
    "all(list: list or moves, wanted: function) -> bool",
    "order(list: list of T, by: function) -> list of T",
    "order_by(list: list of T, by: function) -> list of T",
    "to_upper(text: text) -> text",
    "to_lower(text: text) -> text",
    "sub_string(text: text, from: number) -> text",
    "sub_string(text: text, from: number, length: number) -> text",
    "starts_with(text: text, other: text) -> bool",
    "ends_with(text: text, other: text) -> bool",
    "to_string(of: value) -> text",
    "type_of(of: value) -> text",
    "keys(map: map) -> list of text",
    "values(map: map) -> list",
    "split(text: text, at: text) -> list of text",
    "parse_int(text: text) -> number",
    "parse_int(text: text, base: number) -> number",
    "abs(number: number) -> number",
    "sign(number: number) -> number",
    "min(one: number, other: number) -> number",
    "max(one: number, other: number) -> number",
];

/// The functions that call a function with an element of their first argument.
pub(crate) const WITH_ELEMENT: [&str; 17] = [
    "all",
    "dedup",
    "drain",
    "filter",
    "find",
    "find_map",
    "for_each",
    "index_of",
    "map",
    "order",
    "order_by",
    "reduce",
    "reduce_rev",
    "retain",
    "some",
    "sort",
    "sort_by",
];

/// Returns the functions of the library by name.
pub(crate) fn library() -> &'static NameMap<Forms> {
    static LIBRARY_FORMS: OnceLock<NameMap<Forms>> = OnceLock::new();
    LIBRARY_FORMS.get_or_init(|| {
        let mut all: NameMap<Forms> = NameMap::default();
        for signature in LIBRARY {
            let entry = Entry { subject: "", signature: (*signature).to_owned(), doc: "" };
            all.entry(entry.name().to_owned()).or_default().push(form(&entry));
        }
        all
    })
}

/// Returns the forms of functions of the rules API by name.
pub(crate) fn forms(entries: &[Entry]) -> NameMap<Forms> {
    let mut all: NameMap<Forms> = NameMap::default();
    for entry in entries {
        all.entry(entry.name().to_owned()).or_default().push(form(entry));
    }
    all
}

fn form(entry: &Entry) -> Form {
    let params = entry.parameters();
    let result = entry.result().map_or(Kind::NOTHING, |result| {
        match entry.name() {
            "groups" => return Kind::list_of(Kind::CELLS),
            "players" => return Kind::list_of(Kind::PLAYER),
            "in_order" | "stops" => return Kind::list_of(Kind::CELL),
            "on" | "cards" | "pieces" => return Kind::list_of(Kind::PIECE),
            _ => {}
        }
        let kind = Kind::read(result).unwrap_or(Kind::ANY);
        // The signatures do not say yet where the result may be `()`.
        let may_lack = [Sort::Piece, Sort::Cell, Sort::Player, Sort::Number, Sort::Move];
        if may_lack.iter().any(|sort| kind.is(*sort)) { kind.or_nothing() } else { kind }
    });
    Form { params: params.iter().map(|one| kind_of_parameter(one.kind)).collect(), more: entry.more(), result }
}

fn kind_of_parameter(name: &str) -> Kind {
    let either = |sorts: &[Sort]| Kind::all(sorts.iter().map(|sort| Kind::of(*sort)));
    match name {
        "die" | "ask" | "verb" | "event" | "clause" | "option" | "property" | "zone name" | "kind" | "piece name"
        | "phase" => Kind::TEXT,
        "owner" => either(&[Sort::Player, Sort::Piece, Sort::Game]),
        "component" => either(&[Sort::Player, Sort::Piece, Sort::Cell, Sort::Zone]),
        "options" => either(&[Sort::List, Sort::Cells, Sort::Range, Sort::Moves]),
        "player" => either(&[Sort::Player, Sort::List]),
        other => Kind::read(other).unwrap_or(Kind::ANY),
    }
}
