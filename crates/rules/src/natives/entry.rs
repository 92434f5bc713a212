//! What is known of a function, a property or an operator that rules may use: its entry, and its form taken apart.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use smallvec::SmallVec;

use super::library::Library;
use super::lookups::Lookup;
use super::native::{Native, example, sort_of};
use super::registry::Api;
use crate::host::Role;
use crate::values::{Kind, Sort, Val};
use referee_table::{Schema, Topics};

/// The heading of the functions for cells on which pieces stand on each other.
pub(super) const STACKS: &str = "Stacks";

/// The heading of the functions for resources.
pub(super) const RESOURCES: &str = "Resources";

/// A form of a function, a property or an operator. Functions with several forms have an entry for each.
pub(crate) struct Entry {
    /// The name, the parameters and the result: `step(cell: cell, direction: direction) -> cell or ()`; of a property
    /// `move.from -> cell`. `…` means more arguments. A letter is a kind that several of them share: `list of T`.
    pub(crate) form: &'static str,
    /// The description.
    pub(crate) doc: &'static str,
    /// A call, and what it gives.
    pub(crate) example: Example,
    /// What it reads, besides its arguments and what never changes while a game is played.
    pub(crate) reads: Reads,
    /// What it does besides returning a value.
    pub(crate) does: Does,
    /// How its cost grows with its arguments.
    pub(crate) cost: Cost,
    /// The calls of it that cost most.
    pub(crate) worst: Worst,
    /// Where its result stays the same.
    pub(crate) stays: Stays,
    /// What carries it out.
    pub(crate) by: By,
}

/// Returns the entry of a function of Rhai's library, or of an operator of the language. None of them reads the game.
pub(super) const fn library(
    form: &'static str,
    doc: &'static str,
    example: Example,
    does: Does,
    cost: Cost,
    worst: Worst,
    by: By,
) -> Entry {
    Entry { form, doc, example, reads: Reads::Nothing, does, cost, worst, stays: Stays::Computed, by }
}

/// A call, and what it gives.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// An expression, or statements of which the last one is an expression, for a player `me` in the game of
    /// `tests/games/examples.rs`.
    pub code: &'static str,
    /// Its value, as `to_debug` writes it, or how the game ended.
    pub gives: &'static str,
}

/// Returns an example.
pub(super) const fn shows(code: &'static str, gives: &'static str) -> Example {
    Example { code, gives }
}

/// The calls of a function that cost most, with the values of `tests/hostile/costs.rs`: a list, a map, a string, or what is
/// on a board, in a small and a large size.
#[derive(Clone, Copy, Debug)]
pub enum Worst {
    /// They cost more for larger values.
    Grows(&'static [&'static str]),
    /// They cost the same for all values: they look at one number, piece, cell or place of a list.
    Same(&'static [&'static str]),
    /// They cannot be measured, because of this.
    Unmeasured(&'static str),
}

impl Entry {
    /// Returns the name of the function, the operator or the property.
    pub(crate) fn name(&self) -> &'static str {
        let before = self.form.split_once(" -> ").map_or(self.form, |(before, _)| before);
        match before.split_once('(') {
            Some((name, _)) => name,
            None => before.split_once('.').map_or(before, |(_, name)| name),
        }
    }

    /// Returns the name under which it is registered.
    pub(super) fn registered(&self) -> String {
        if self.form.contains('(') { self.name().to_owned() } else { getter(self.name()) }
    }
}

/// What is before the name of a property in that of the native function that reads it.
pub(super) const GETTER: &str = "get$";

/// Returns the name of the native function that reads a property.
pub(crate) fn getter(property: &str) -> String {
    format!("{GETTER}{property}")
}

/// What a function reads of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reads {
    Nothing,
    /// The pieces on the board.
    Board,
    /// The contents of zones.
    Zones,
    /// The positions that were there before.
    History,
    /// Something that changes without a stamp of its own, or what a function reads that is passed to it.
    Others,
}

impl Reads {
    /// Returns the topics; `None` if there are no stamps that tell when the result changes.
    pub(crate) const fn topics(self) -> Option<Topics> {
        match self {
            Self::Nothing => Some(Topics::NONE),
            Self::Board => Some(Topics::BOARD),
            Self::Zones => Some(Topics::ZONES),
            Self::History | Self::Others => None,
        }
    }
}

/// What a function does besides returning a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Does {
    Nothing,
    /// It changes the list, map or string that is its first argument, but puts no other values into it.
    ChangesFirst,
    /// It changes its first argument, and may put other values into it.
    Fills,
    /// It says what happens in the game: an event, or the clause that was applied.
    Reports,
    /// It changes the game.
    Changes,
    /// It asks chance or a player; it may change the game, too.
    Asks,
    /// It asks chance if nobody knows a card; otherwise it only changes the game.
    MayAsk,
    /// It ends the game. Nothing runs after it.
    Ends,
}

/// How the cost of a call grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cost {
    /// It does not, or as a set of cells is copied.
    Small,
    /// With the values of its arguments, each of which it reads once.
    Reads,
    /// With the values of its arguments, which are compared one by one.
    Compares,
    /// With the values of its arguments, which are put in order.
    Sorts,
    /// With the square of the length of the string, which grows character by character.
    Grows,
    /// With what writing its arguments as one string takes.
    Writes,
    /// With the cells of the board, once for each direction.
    EachWay,
    /// With the cells of the board, as often as a search takes: the result is worth remembering.
    Searches,
}

/// Where the result of a call stays the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stays {
    /// It is computed each time.
    Computed,
    /// It is kept at the place of the call, for equal arguments as long as the table is the same.
    Fixed,
}

/// What carries a function out.
pub(crate) enum By {
    /// The native function that this registers.
    Native(fn(&mut Api)),
    /// The machine itself for the usual values. The native function that this registers is for all others.
    Machine(Shortcut, fn(&mut Api)),
    /// The prelude, and what it gives to the function that is passed to it.
    Prelude(Option<Passes>),
    /// A function of the machine for the usual values; Rhai's library for all others.
    Library(Library),
    /// The same; it tells the kind of a value, so that who calls it expects several kinds of it.
    TellsKind(Library),
    /// An operation of the machine for the usual values; otherwise as `Library`.
    LibraryOperation(Shortcut, Library),
    /// The prelude, if a function is passed; otherwise Rhai's library.
    PreludeOrRhai(Passes),
    /// The same, but a call for a list is written as a loop in the function that calls it.
    Loop(Loop),
    /// Rhai's library.
    Rhai,
    /// An operation of the machine.
    Language,
    /// An operation of its own, which the compiler writes for the call.
    Special(Special),
    /// A native function for each kind of pieces or zone of a game.
    EachGame,
}

/// What a function gives to the function that is passed to it, for each element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Passes {
    /// The element, and its index.
    Elements,
    /// The element alone.
    ElementsAlone,
    /// Two elements, to compare them.
    Pairs,
    /// The result so far, the element, and its index.
    Folded,
    /// The element, that of the other list, and the index.
    Zipped,
    /// The key, and the value of a map.
    KeysAndValues,
    /// Nothing.
    Nothing,
}

impl Passes {
    /// Returns the kinds of what is passed for elements of a kind.
    pub(crate) fn kinds(self, element: &Kind) -> Vec<Kind> {
        match self {
            Self::Elements => vec![element.clone(), Kind::NUMBER],
            Self::ElementsAlone => vec![element.clone()],
            Self::Pairs => vec![element.clone(), element.clone()],
            Self::Folded => vec![Kind::ANY, element.clone(), Kind::NUMBER],
            Self::Zipped => vec![element.clone(), Kind::ANY, Kind::NUMBER],
            Self::KeysAndValues => vec![Kind::ANY, Kind::ANY],
            Self::Nothing => Vec::new(),
        }
    }
}

/// A loop over a list that the compiler writes in place, and what it does with the result for each value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Loop {
    /// It keeps the values for which the result is `true`.
    Filter,
    /// It keeps the results.
    Map,
    /// It looks for a value whose result is `true`.
    Some,
    /// It looks for a value whose result is `false`.
    All,
    /// It returns the first value whose result is `true`.
    Find,
}

/// A way in which the machine carries out a call without a native function, if its values are the usual ones.
#[derive(Clone, Copy)]
pub(crate) enum Shortcut {
    /// Rolls a die that the call names.
    Roll,
    /// Lets a player choose for an ask that the call names.
    Choose,
    /// Adds a phase that the call names.
    Then,
    At,
    Step,
    CellNamed,
    NameOf,
    /// The cells with pieces of a kind that the call names.
    Occupied,
    /// Compares the kind of a piece with the one that the call names.
    IsKind,
    Set,
    Push,
    /// The length of a list.
    Length,
    /// Looks something up.
    Lookup(Lookup),
    /// An operation of its own, which the compiler writes for the call.
    Own(Special),
}

/// A function whose calls the compiler writes as an operation of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Special {
    /// Makes a function value.
    Pointer,
    /// Calls a function value.
    Call,
    /// Binds values to a function value.
    Curry,
    /// Reports a clause that the call names.
    Clause,
    /// Reports an event that the call names.
    Event,
    /// Makes an action for an ask that the call names.
    May,
}

/// A parameter.
#[derive(Clone, Debug)]
pub(crate) struct Parameter {
    pub(crate) kind: Kind,
    /// What its values name.
    pub(crate) role: Role,
}

/// What an entry is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sense {
    /// A function, which is also called after the dot of its first argument.
    Function,
    /// A property of its only parameter, without brackets.
    Property,
    Operator,
}

/// An entry with its form taken apart.
pub struct Form {
    pub(crate) name: Cow<'static, str>,
    pub(crate) sense: Sense,
    pub(crate) parameters: Vec<Parameter>,
    /// The number of arguments that may follow the parameters.
    pub(crate) more: usize,
    /// The kind of the result; `()` alone if the function returns no value.
    pub(crate) result: Kind,
    pub(crate) entry: &'static Entry,
    /// The heading under which the reference lists it; `None` if it is not listed.
    pub(crate) subject: Option<&'static str>,
    /// Whether all functions of its subject are useless in a game without a board.
    pub(crate) is_of_board: bool,
}

/// The maximum number of arguments for `…`.
pub(crate) const MORE: usize = 8;

impl std::fmt::Debug for Form {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.written())
    }
}

impl Form {
    /// Returns whether it is one of the functions for resources, which are named by the keys of amounts.
    pub(crate) fn is_of_resources(&self) -> bool {
        self.subject == Some(RESOURCES)
    }

    /// Takes the form of an entry apart; `None` if it is not written in the way of forms.
    pub(crate) fn of(entry: &'static Entry, subject: Option<&'static str>) -> Option<Self> {
        let (before, result) = match entry.form.split_once(" -> ") {
            Some((before, result)) => (before, read(result)?.0),
            None => (entry.form, Kind::NOTHING),
        };
        let form = |name: &'static str, sense, parameters, more| {
            let name = Cow::Borrowed(name);
            Some(Self { name, sense, parameters, more, result, entry, subject, is_of_board: false })
        };
        let Some((name, rest)) = before.split_once('(') else {
            let (of, name) = before.split_once('.')?;
            let parameter = Parameter { kind: read(of)?.0, role: Role::Plain };
            return form(name, Sense::Property, vec![parameter], 0);
        };
        let mut parameters = Vec::new();
        let mut more = 0;
        for part in rest.strip_suffix(')')?.split(", ").filter(|part| !part.is_empty()) {
            if part == "…" {
                more = MORE;
                continue;
            }
            let (kind, role) = read(part.split_once(": ")?.1)?;
            parameters.push(Parameter { kind, role });
        }
        let is_word = name.starts_with(|letter: char| letter.is_alphabetic() || letter == '_');
        form(name, if is_word { Sense::Function } else { Sense::Operator }, parameters, more)
    }

    /// Returns the form of a function of a game, which is another one in each game. `name` is the name of its kind or zone.
    pub(crate) fn of_game(entry: &'static Entry, name: &str) -> Option<Self> {
        Some(Self { name: Cow::Owned(name.to_owned()), ..Self::of(entry, None)? })
    }

    /// Returns the name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the heading under which the reference lists it.
    #[must_use]
    pub const fn subject(&self) -> &'static str {
        match self.subject {
            Some(subject) => subject,
            None => "",
        }
    }

    /// Returns the description.
    #[must_use]
    pub const fn doc(&self) -> &'static str {
        self.entry.doc
    }

    /// Returns an example.
    #[must_use]
    pub const fn example(&self) -> Example {
        self.entry.example
    }

    /// Returns the calls of it that cost most.
    #[must_use]
    pub const fn worst(&self) -> Worst {
        self.entry.worst
    }

    /// Returns whether its cost grows with the board and what is on it, instead of with lists, maps and strings.
    #[must_use]
    pub fn costs_by_board(&self) -> bool {
        !self.is_of_library() || self.is_about_cells()
    }

    /// Returns the form as the reference writes it: name, parameters and result.
    #[must_use]
    pub fn written(&self) -> String {
        match self.name {
            Cow::Borrowed(_) => self.entry.form.to_owned(),
            Cow::Owned(ref name) => {
                let rest = self.entry.form.split_once('(').map_or("", |(_, rest)| rest);
                format!("{name}({rest}")
            }
        }
    }

    /// Returns the numbers of arguments that it takes.
    pub(crate) fn counts(&self) -> RangeInclusive<usize> {
        self.parameters.len()..=self.parameters.len() + self.more
    }

    /// Returns whether it returns a value.
    #[must_use]
    pub fn returns(&self) -> bool {
        !self.result.is(Sort::Nothing)
    }

    /// Returns whether an expectation can use it: it returns a value, and neither asks nor changes anything.
    #[must_use]
    pub fn only_tells(&self) -> bool {
        self.returns() && self.entry.does == Does::Nothing
    }

    /// Returns whether it returns a value and does something besides.
    pub(crate) fn tells_and_does(&self) -> bool {
        self.returns() && matches!(self.entry.does, Does::Asks | Does::MayAsk | Does::Changes)
    }

    /// Returns whether a game has what it is for: rules of others may have functions with its name.
    pub(crate) fn is_for(&self, schema: &Schema) -> bool {
        match self.subject {
            Some(STACKS) => schema.has_stacks(),
            Some(RESOURCES) => !schema.resources.is_empty(),
            _ => true,
        }
    }

    /// Returns whether it is a function or an operator of Rhai's library, or of the language.
    #[must_use]
    pub const fn is_of_library(&self) -> bool {
        matches!(
            self.entry.by,
            By::Library(_)
                | By::TellsKind(_)
                | By::LibraryOperation(..)
                | By::PreludeOrRhai(_)
                | By::Loop(_)
                | By::Rhai
                | By::Language
                | By::Special(_)
        )
    }

    /// Returns the machine's own function, if it is one of Rhai's library.
    pub(super) const fn library(&self) -> Option<Library> {
        match self.entry.by {
            By::Library(library) | By::TellsKind(library) | By::LibraryOperation(_, library) => Some(library),
            _ => None,
        }
    }

    /// Returns whether it changes its first argument, if that is of this sort.
    pub(crate) fn changes_first(&self, sort: Sort) -> bool {
        self.may_change() && self.begins_with(sort)
    }

    /// Returns whether it may change its first argument.
    pub(crate) const fn may_change(&self) -> bool {
        matches!(self.entry.does, Does::ChangesFirst | Does::Fills)
    }

    /// Returns whether its first argument may be of this sort, and is not of any.
    pub(crate) fn begins_with(&self, sort: Sort) -> bool {
        let takes = |first: &Parameter| !first.kind.is_any() && first.kind.may_be(sort);
        self.parameters.first().is_some_and(takes)
    }

    /// Returns whether it takes a function that returns a boolean.
    pub(crate) fn takes_predicate(&self) -> bool {
        let is = |parameter: &Parameter| {
            !parameter.kind.is_any() && parameter.kind.may_be(Sort::Function) && parameter.kind.part().is(Sort::Truth)
        };
        self.parameters.iter().any(is)
    }

    /// Returns whether it takes the name of a function of the rules in place of a function.
    pub(crate) fn takes_function_name(&self) -> bool {
        let is = |kind: &Kind| !kind.is_any() && kind.may_be(Sort::Function) && kind.may_be(Sort::Text);
        self.parameters.iter().any(|parameter| is(&parameter.kind))
    }

    /// Returns whether it may take arguments of these kinds.
    pub(crate) fn takes(&self, kinds: &[Kind]) -> bool {
        let fits = |(parameter, kind): (&Parameter, &Kind)| !parameter.kind.excludes(kind);
        self.counts().contains(&kinds.len()) && self.parameters.iter().zip(kinds).all(fits)
    }

    /// Returns the kind of the result for arguments of these kinds.
    pub(crate) fn result_for(&self, kinds: &[Kind]) -> Kind {
        if !self.result.has_letters() {
            return self.result.clone();
        }
        self.result.with(&self.letters(kinds))
    }

    /// Returns the kinds that the letters of the form stand for, for arguments of these kinds.
    fn letters(&self, kinds: &[Kind]) -> BTreeMap<char, Kind> {
        let mut letters = BTreeMap::new();
        for (parameter, kind) in self.parameters.iter().zip(kinds) {
            parameter.kind.learn(kind, &mut letters);
        }
        letters
    }

    /// Returns what it passes to the function that is passed to it; `None` if it takes none.
    pub(crate) fn passes(&self) -> Option<Passes> {
        match self.entry.by {
            By::PreludeOrRhai(passes) if self.calls() => Some(passes),
            By::Loop(_) => Some(Passes::Elements),
            By::Prelude(passes) => passes,
            _ => None,
        }
    }

    /// Returns the kind of its first argument after a call with arguments of these kinds, if it puts them into it.
    pub(crate) fn first_after(&self, kinds: &[Kind]) -> Kind {
        let letters = self.letters(kinds);
        self.parameters.first().map_or(Kind::ANY, |first| first.kind.with(&letters))
    }

    /// Returns whether it sets a key of a map: its arguments are the map, the key and the value.
    pub(crate) fn sets_key(&self) -> bool {
        let [of, key, _] = self.parameters.as_slice() else { return false };
        self.entry.does == Does::Fills && of.kind.is(Sort::Map) && key.kind.is(Sort::Text)
    }

    /// Returns whether it takes these values.
    pub(crate) fn fits(&self, values: &[Val]) -> bool {
        let takes =
            |(parameter, value): (&Parameter, &Val)| sort_of(*value).is_none_or(|sort| parameter.kind.may_be(sort));
        self.parameters.iter().zip(values).all(takes)
    }

    /// Returns whether for each of its kinds of arguments, just one of these native functions takes them; or none, if the
    /// form has no native function.
    pub(crate) fn is_only(&self, natives: &[Native]) -> bool {
        let wanted = usize::from(matches!(self.entry.by, By::Machine(..)));
        are_taken(&self.parameters, &mut SmallVec::new(), &|values| {
            natives.iter().filter(|native| native.takes(values)).count() == wanted
        })
    }

    /// Returns whether it is useless in a game without a board.
    pub(crate) fn is_about_cells(&self) -> bool {
        let is_of_cells = |kind: &Kind| {
            let sorts = [Sort::Cell, Sort::Cells, Sort::Dirs, Sort::Move, Sort::Moves];
            let found: Vec<Sort> = kind.without_nothing().sorts().collect();
            !found.is_empty() && found.iter().all(|sort| sorts.contains(sort))
        };
        let has = |parameter: &Parameter| parameter.role == Role::Direction || is_of_cells(&parameter.kind);
        self.is_of_board
            || self.entry.reads == Reads::Board
            || self.parameters.iter().any(has)
            || is_of_cells(&self.result)
    }

    /// Returns whether it calls a function that is passed to it.
    pub(crate) fn calls(&self) -> bool {
        self.parameters.iter().any(|parameter| !parameter.kind.is_any() && parameter.kind.may_be(Sort::Function))
    }

    /// Returns whether it may do something besides returning a value and changing its first argument.
    pub(crate) fn may_act(&self) -> bool {
        !matches!(self.entry.does, Does::Nothing | Does::ChangesFirst | Does::Fills)
    }

    /// Returns what the result depends on besides the arguments; `None` if it does something, or depends on what has no
    /// stamp.
    pub(crate) fn topics(&self) -> Option<Topics> {
        let is_pure = !self.may_act() && !self.calls();
        self.entry.reads.topics().filter(|_| is_pure)
    }
}

/// Returns whether something is so for each choice of values, after these, of the kinds of some parameters.
fn are_taken(parameters: &[Parameter], values: &mut SmallVec<[Val; 4]>, is_so: &dyn Fn(&[Val]) -> bool) -> bool {
    let Some((first, rest)) = parameters.split_first() else { return is_so(values) };
    let mut is_taken = |sort: Sort| {
        example(sort).is_none_or(|value| {
            values.push(value);
            let are_taken = are_taken(rest, values, is_so);
            values.pop();
            are_taken
        })
    };
    if first.kind.is_any() { is_taken(Sort::Nothing) } else { first.kind.sorts().all(is_taken) }
}

/// Returns the kind that a form writes so, and what its values name.
fn read(written: &'static str) -> Option<(Kind, Role)> {
    let (kind, role) = match written {
        "direction" | "direction or ()" => (written, Role::Direction),
        "die" => ("text", Role::Die),
        "ask" => ("text", Role::Ask),
        "verb" => ("text", Role::Verb),
        "event" => ("text", Role::Event),
        "clause" => ("text", Role::Clause),
        "option" => ("text", Role::Option),
        "property" => ("text", Role::Property),
        "zone name" => ("text", Role::ZoneName),
        "kind" => ("text", Role::PieceKind),
        "piece name" => ("text", Role::PieceName),
        "cell name" => ("text", Role::CellName),
        "direction name" => ("text", Role::DirectionName),
        "phase" => ("text", Role::Phase),
        "options" => ("list or cells or range or moves", Role::Options),
        "owner" => ("player or piece or cell or game", Role::Plain),
        "component" => ("player or piece or cell", Role::Plain),
        plain => (plain, Role::Plain),
    };
    Some((Kind::read(kind)?, role))
}
