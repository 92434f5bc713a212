//! The kinds of values that rules have, as far as they are known before the rules run.
//!
//! A kind is a set of sorts: `at(cell)` is a piece or `()`. That of a value of which nothing is known has all sorts, and
//! that of an expression without a value, such as `return`, has none. Lists, sets, actions and maps know the kind of what
//! is in them.

use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};
use std::sync::Arc;

use rhai::Dynamic;

use super::GameItself;
use referee_table::{PieceId, PlayerId, ZoneId};

/// A sort of value, as rules distinguish them when they run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(crate) enum Sort {
    Number,
    Truth,
    Text,
    Player,
    Piece,
    /// The pieces of a `many` kind of a player: a piece that stands for all of them.
    Men,
    Cell,
    Cells,
    Dirs,
    Zone,
    Move,
    Moves,
    List,
    Map,
    Range,
    Function,
    Action,
    Game,
    Nothing,
}

impl Sort {
    /// Those that may have flags, counters and properties.
    pub(crate) const OWNERS: [Self; 5] = [Self::Player, Self::Piece, Self::Men, Self::Cell, Self::Game];

    const ALL: [Self; 19] = [
        Self::Number,
        Self::Truth,
        Self::Text,
        Self::Player,
        Self::Piece,
        Self::Men,
        Self::Cell,
        Self::Cells,
        Self::Dirs,
        Self::Zone,
        Self::Move,
        Self::Moves,
        Self::List,
        Self::Map,
        Self::Range,
        Self::Function,
        Self::Action,
        Self::Game,
        Self::Nothing,
    ];

    /// Returns the sort with an article, as messages name it.
    pub(crate) const fn words(self) -> &'static str {
        match self {
            Self::Number => "a number",
            Self::Truth => "a boolean",
            Self::Text => "a string",
            Self::Player => "a player",
            Self::Piece | Self::Men => "a piece",
            Self::Cell => "a cell",
            Self::Cells => "a set of cells",
            Self::Dirs => "a set of cells for each direction",
            Self::Zone => "a zone",
            Self::Move => "a move",
            Self::Moves => "several moves",
            Self::List => "a list",
            Self::Map => "a map",
            Self::Range => "a range of numbers",
            Self::Function => "a function",
            Self::Action => "an action",
            Self::Game => "the game",
            Self::Nothing => "`()`",
        }
    }

    /// Returns the sort as signatures in the reference name it.
    const fn short(self) -> &'static str {
        match self {
            Self::Number => "number",
            Self::Truth => "bool",
            Self::Text => "text",
            Self::Player => "player",
            Self::Piece => "piece",
            Self::Men => "men",
            Self::Cell => "cell",
            Self::Cells => "cells",
            Self::Dirs => "dirs",
            Self::Zone => "zone",
            Self::Move => "move",
            Self::Moves => "moves",
            Self::List => "list",
            Self::Map => "map",
            Self::Range => "range",
            Self::Function => "function",
            Self::Action => "action",
            Self::Game => "game",
            Self::Nothing => "()",
        }
    }

    /// Returns the sort, and a piece for one that stands for several.
    pub(crate) const fn plain(self) -> Self {
        match self {
            Self::Men => Self::Piece,
            other => other,
        }
    }

    const fn bit(self) -> u32 {
        1 << self as u8
    }
}

/// A set of sorts, and what is known of the parts of the values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Kind {
    sorts: u32,
    /// The kind of the elements of a list, of the value of an action, and of the result of a function; `None` if it is not
    /// known.
    part: Option<Arc<Kind>>,
    /// The kinds of the values of a map by their keys; `None` if there may be other keys.
    fields: Option<Arc<Fields>>,
    /// In a signature: the kind is that of other parameters with this letter.
    same: Option<char>,
    /// In a signature: besides the kind with a letter, it may be `()`.
    or_nothing: bool,
}

/// The kinds of the values of a map, by their keys.
pub(crate) type Fields = BTreeMap<Box<str>, Kind>;

/// How deep the kinds of lists in lists are known.
const DEPTH: usize = 4;

impl Kind {
    /// A value of which nothing is known.
    pub(crate) const ANY: Self = Self { sorts: u32::MAX, part: None, fields: None, same: None, or_nothing: false };
    /// No value: that of `return`, and of a parameter for which no call is known yet.
    pub(crate) const NEVER: Self = Self { sorts: 0, part: None, fields: None, same: None, or_nothing: false };
    pub(crate) const NOTHING: Self = Self::of(Sort::Nothing);
    pub(crate) const NUMBER: Self = Self::of(Sort::Number);
    pub(crate) const TRUTH: Self = Self::of(Sort::Truth);
    pub(crate) const TEXT: Self = Self::of(Sort::Text);
    pub(crate) const PLAYER: Self = Self::of(Sort::Player);
    pub(crate) const PIECE: Self = Self::of(Sort::Piece);
    pub(crate) const CELL: Self = Self::of(Sort::Cell);
    /// A list of anything.
    pub(crate) const LIST: Self = Self::of(Sort::List);
    /// A map with any keys.
    pub(crate) const MAP: Self = Self::of(Sort::Map);

    /// Returns the kind of the values of one sort.
    pub(crate) const fn of(sort: Sort) -> Self {
        Self { sorts: sort.bit(), part: None, fields: None, same: None, or_nothing: false }
    }

    /// Returns the kind of lists with elements of a kind.
    pub(crate) fn list_of(element: Self) -> Self {
        Self::with_part(Sort::List, element)
    }

    /// Returns the kind of actions with a value of a kind.
    pub(crate) fn action_of(value: Self) -> Self {
        Self::with_part(Sort::Action, value)
    }

    /// Returns the kind of functions with results of a kind.
    pub(crate) fn function_to(result: Self) -> Self {
        Self::with_part(Sort::Function, result)
    }

    fn with_part(sort: Sort, part: Self) -> Self {
        let is_known = !part.is_any() && part.depth() < DEPTH;
        Self { part: is_known.then(|| Arc::new(part)), ..Self::of(sort) }
    }

    /// Returns the kind of maps with these keys and no others.
    pub(crate) fn map_of(fields: Fields) -> Self {
        let is_deep = fields.values().any(|kind| kind.depth() >= DEPTH);
        Self { fields: (!is_deep).then(|| Arc::new(fields)), ..Self::MAP }
    }

    /// Returns the kind, or `()`.
    pub(crate) fn or_nothing(self) -> Self {
        Self { sorts: self.sorts | Sort::Nothing.bit(), ..self }
    }

    /// Returns the kind of an answer to an ask.
    pub(crate) fn of_answer(kind: &referee_table::Kind) -> Self {
        match kind {
            referee_table::Kind::Cell => Self::CELL,
            referee_table::Kind::Number | referee_table::Kind::Direction => Self::NUMBER,
            referee_table::Kind::Player => Self::PLAYER,
            referee_table::Kind::Piece => Self::PIECE,
            referee_table::Kind::Move => Self::of(Sort::Move),
            referee_table::Kind::Text | referee_table::Kind::Word(_) => Self::TEXT,
            referee_table::Kind::Amount => Self::of(Sort::Map),
            referee_table::Kind::Many(_, of) => Self::list_of(Self::of_answer(of)),
        }
    }

    /// Returns the kind of a constant.
    pub(crate) fn of_dynamic(value: &Dynamic) -> Self {
        if value.is_int() {
            Self::NUMBER
        } else if value.is_bool() {
            Self::TRUTH
        } else if value.is_string() {
            Self::TEXT
        } else if value.is_unit() {
            Self::NOTHING
        } else if let Some(list) = value.read_lock::<rhai::Array>() {
            Self::list_of(Self::all(list.iter().map(Self::of_dynamic)))
        } else if let Some(map) = value.read_lock::<rhai::Map>() {
            Self::map_of(map.iter().map(|(key, value)| (key.as_str().into(), Self::of_dynamic(value))).collect())
        } else if value.is_fnptr() {
            Self::of(Sort::Function)
        } else if value.is::<GameItself>() {
            Self::of(Sort::Game)
        } else if value.is::<PlayerId>() {
            Self::PLAYER
        } else if value.is::<PieceId>() {
            Self::PIECE
        } else if value.is::<ZoneId>() {
            Self::of(Sort::Zone)
        } else if value.is::<std::ops::Range<i64>>() || value.is::<std::ops::RangeInclusive<i64>>() {
            Self::of(Sort::Range)
        } else {
            Self::ANY
        }
    }

    /// Returns the kind that values of any of these kinds have.
    pub(crate) fn all(kinds: impl Iterator<Item = Self>) -> Self {
        kinds.fold(Self::NEVER, |all, kind| all.or(&kind))
    }

    /// Returns the kind that values of both kinds have.
    #[must_use]
    pub(crate) fn or(&self, other: &Self) -> Self {
        if self == other || other.is_never() {
            return self.clone();
        }
        if self.is_never() {
            return other.clone();
        }
        if self.is_any() || other.is_any() {
            return Self::ANY;
        }
        let part = match (self.has_part(), other.has_part()) {
            (true, true) => self.part.as_ref().zip(other.part.as_ref()).map(|(one, two)| Arc::new(one.or(two))),
            (true, false) => self.part.clone(),
            (false, _) => other.part.clone(),
        };
        let is_map = |kind: &Self| kind.may_be(Sort::Map);
        let fields = match (is_map(self), is_map(other)) {
            (true, true) => self.fields.as_ref().zip(other.fields.as_ref()).map(|(one, two)| joined(one, two)),
            (true, false) => self.fields.clone(),
            (false, _) => other.fields.clone(),
        };
        Self {
            sorts: self.sorts | other.sorts,
            part: part.filter(|part| !part.is_any() || part.same.is_some()),
            fields,
            same: None,
            or_nothing: false,
        }
    }

    /// Returns whether values of this kind may have parts with a kind of their own.
    fn has_part(&self) -> bool {
        [Sort::List, Sort::Action, Sort::Function].iter().any(|sort| self.may_be(*sort))
    }

    /// Returns whether nothing is known.
    pub(crate) const fn is_any(&self) -> bool {
        self.sorts == u32::MAX
    }

    /// Returns whether there is no value.
    pub(crate) const fn is_never(&self) -> bool {
        self.sorts == 0
    }

    /// Returns whether a value may be of a sort.
    pub(crate) const fn may_be(&self, sort: Sort) -> bool {
        self.sorts & sort.bit() != 0
    }

    /// Returns whether each value is of a sort; not, if there is no value.
    pub(crate) const fn is(&self, sort: Sort) -> bool {
        self.sorts == sort.bit()
    }

    /// Returns whether each value is of a sort or `()`, but not always `()`.
    pub(crate) const fn is_or_nothing(&self, sort: Sort) -> bool {
        self.sorts & !Sort::Nothing.bit() == sort.bit()
    }

    /// Returns the only sort besides `()`, or that of `()` alone; `None` if there are several or none.
    pub(crate) fn sort(&self) -> Option<Sort> {
        let without = self.sorts & !Sort::Nothing.bit();
        let sorts = if without == 0 { self.sorts } else { without };
        Sort::ALL.into_iter().find(|sort| sort.bit() == sorts)
    }

    /// Returns the kind without `()`.
    #[must_use]
    pub(crate) fn without_nothing(&self) -> Self {
        if self.is_any() {
            return self.clone();
        }
        Self { sorts: self.sorts & !Sort::Nothing.bit(), ..self.clone() }
    }

    /// Returns the sorts that a value may have.
    pub(crate) fn sorts(&self) -> impl Iterator<Item = Sort> + use<> {
        let sorts = self.sorts;
        Sort::ALL.into_iter().filter(move |sort| sort.bit() & sorts != 0)
    }

    /// Returns whether a letter of a signature is in it.
    pub(crate) fn has_letters(&self) -> bool {
        self.same.is_some() || self.part.as_ref().is_some_and(|part| part.has_letters())
    }

    /// Returns the kind of those values that may also be of another one.
    #[must_use]
    pub(crate) fn among(&self, other: &Self) -> Self {
        self.with_sorts(self.sorts & other.sorts)
    }

    /// Returns the kind of those values that are not of another one.
    #[must_use]
    pub(crate) fn without(&self, other: &Self) -> Self {
        self.with_sorts(self.sorts & !other.sorts)
    }

    /// Returns the kind of those values that are of these sorts.
    fn with_sorts(&self, sorts: u32) -> Self {
        let of_sorts = Self { sorts, part: None, fields: None, ..self.clone() };
        let part = self.part.clone().filter(|_| of_sorts.has_part());
        let fields = self.fields.clone().filter(|_| of_sorts.may_be(Sort::Map));
        Self { part, fields, ..of_sorts }
    }

    /// Returns whether a value may be of both kinds. A piece that stands for several is a piece.
    pub(crate) const fn meets(&self, other: &Self) -> bool {
        self.plain_sorts() & other.plain_sorts() != 0
    }

    /// Returns whether no value is of both kinds. Of what has no value, nothing is known.
    pub(crate) const fn excludes(&self, other: &Self) -> bool {
        !self.is_never() && !other.is_never() && !self.meets(other)
    }

    /// Returns whether each value is also of the other kind, as far as sorts tell.
    #[cfg(test)]
    pub(crate) const fn is_within(&self, other: &Self) -> bool {
        self.plain_sorts() & !other.plain_sorts() == 0
    }

    const fn plain_sorts(&self) -> u32 {
        match self.sorts & Sort::Men.bit() {
            0 => self.sorts,
            _ => self.sorts & !Sort::Men.bit() | Sort::Piece.bit(),
        }
    }

    /// Returns the kind of what a loop goes through.
    pub(crate) fn element(&self) -> Self {
        if self.is_any() {
            return Self::ANY;
        }
        Self::all(self.sorts().map(|sort| match sort {
            Sort::List => self.part(),
            Sort::Range => Self::NUMBER,
            Sort::Cells => Self::CELL,
            Sort::Moves => Self::of(Sort::Move),
            _ => Self::NEVER,
        }))
    }

    /// Returns the kind of the elements of a list, of the value of an action, or of the result of a function.
    pub(crate) fn part(&self) -> Self {
        self.part.as_ref().map_or(Self::ANY, |part| Self::clone(part))
    }

    /// Returns the kinds of the values of a map by their keys; `None` if there may be others.
    pub(crate) fn fields(&self) -> Option<&Fields> {
        self.fields.as_deref()
    }

    fn depth(&self) -> usize {
        let of_part = self.part.as_ref().map_or(0, |part| 1 + part.depth());
        let of_fields = self.fields.iter().flat_map(|fields| fields.values()).map(|kind| 1 + kind.depth()).max();
        of_part.max(of_fields.unwrap_or(0))
    }

    /// Returns the kind with an article, as messages name it.
    pub(crate) fn words(&self) -> String {
        if self.is_any() || self.is_never() {
            return "a value".to_owned();
        }
        let mut words: Vec<&str> = self.sorts().map(Sort::words).collect();
        words.dedup();
        if let [one] = words.as_slice()
            && self.is(Sort::List)
            && let Some(many) = self.part.as_ref().and_then(|part| part.plural())
        {
            return format!("{one} of {many}");
        }
        words.join(" or ")
    }

    /// Returns the name of several values of the kind.
    fn plural(&self) -> Option<&'static str> {
        Some(match self.sort()? {
            Sort::Number => "numbers",
            Sort::Truth => "booleans",
            Sort::Text => "strings",
            Sort::Player => "players",
            Sort::Piece | Sort::Men => "pieces",
            Sort::Cell => "cells",
            Sort::Cells => "sets of cells",
            Sort::Zone => "zones",
            Sort::Move => "moves",
            Sort::List => "lists",
            Sort::Map => "maps",
            _ => return None,
        })
    }

    /// Reads a kind as signatures write it: `piece or ()`, `list of player`, `value`, or a letter for a kind that several
    /// parameters share: `list of T`.
    pub(crate) fn read(notation: &str) -> Option<Self> {
        let mut all = Self::NEVER;
        for part in notation.split(" or ") {
            let kind = match part {
                "value" => Self::ANY,
                "direction" => Self::NUMBER,
                "" => return None,
                letter if letter.len() == 1 => {
                    let same = letter.chars().next().filter(char::is_ascii_uppercase)?;
                    Self { same: Some(same), ..Self::ANY }
                }
                _ => match part.split_once(" of ") {
                    Some(("list", element)) => Self::list_of_read(Self::read(element)?),
                    Some(("function", result)) => {
                        Self { part: Some(Arc::new(Self::read(result)?)), ..Self::of(Sort::Function) }
                    }
                    Some(_) => return None,
                    None => Self::of(Sort::ALL.into_iter().find(|sort| sort.short() == part)?),
                },
            };
            all = match all {
                Self { sorts: 0, .. } => kind,
                // `T or ()`
                all if all.same.is_some() => Self { or_nothing: true, ..all },
                all => all.or(&kind),
            };
        }
        Some(all)
    }

    fn list_of_read(element: Self) -> Self {
        Self { part: Some(Arc::new(element)), ..Self::LIST }
    }

    /// Returns the kind of a signature with the kinds that its letters stand for.
    pub(crate) fn with(&self, letters: &BTreeMap<char, Self>) -> Self {
        if let Some(letter) = self.same {
            let kind = letters.get(&letter).cloned().unwrap_or(Self::ANY);
            // What is taken from a list in which nothing is known to be has no kind yet.
            if kind.is_never() {
                return kind;
            }
            return if self.or_nothing && !kind.is_any() { kind.or_nothing() } else { kind };
        }
        match &self.part {
            Some(part) => {
                let part = part.with(letters);
                let is_known = !part.is_any() && part.depth() < DEPTH;
                Self { part: is_known.then(|| Arc::new(part)), ..self.clone() }
            }
            None => self.clone(),
        }
    }

    /// Notes what the letters of a signature stand for, if an argument of the kind `given` stands here.
    pub(crate) fn learn(&self, given: &Self, letters: &mut BTreeMap<char, Self>) {
        if let Some(letter) = self.same {
            let known = letters.entry(letter).or_insert(Self::NEVER);
            *known = known.or(given);
        } else if let Some(part) = &self.part {
            let given = if part.same.is_some() && self.may_be(Sort::List) { given.element() } else { given.part() };
            part.learn(&given, letters);
        }
    }
}

/// Returns the kinds of the values of two maps. A key that only one has may be missing.
fn joined(one: &Fields, other: &Fields) -> Arc<Fields> {
    let mut all = one.clone();
    for (key, kind) in other {
        let known = all.get(key).map_or_else(|| kind.clone().or_nothing(), |known| known.or(kind));
        all.insert(key.clone(), known);
    }
    for (key, kind) in &mut all {
        if !other.contains_key(key) {
            *kind = kind.clone().or_nothing();
        }
    }
    Arc::new(all)
}

impl Display for Kind {
    /// Writes the kind as signatures do.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Some(letter) = self.same {
            return write!(f, "{letter}{}", if self.or_nothing { " or ()" } else { "" });
        }
        if self.is_any() {
            return f.write_str("value");
        }
        for (at, sort) in self.sorts().enumerate() {
            if at > 0 {
                f.write_str(" or ")?;
            }
            f.write_str(sort.short())?;
            if let (Sort::List, Some(part)) = (sort, &self.part) {
                write!(f, " of {part}")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test that fails may panic")]

    use super::*;

    #[test]
    fn kinds_are_read_as_they_are_written() {
        for notation in [
            "number",
            "piece or ()",
            "list of player",
            "list of T",
            "list of T or ()",
            "cell or cells",
            "value",
            "T",
            "T or ()",
        ] {
            assert_eq!(Kind::read(notation).unwrap().to_string(), notation);
        }
        assert_eq!(Kind::read("direction"), Some(Kind::NUMBER));
        assert_eq!(Kind::read("lists of T"), None);
    }

    #[test]
    fn what_branches_give_is_joined() {
        let maybe = Kind::CELL.or(&Kind::NOTHING);
        assert!(maybe.is_or_nothing(Sort::Cell) && !maybe.is(Sort::Cell) && maybe.meets(&Kind::CELL));
        assert!(!maybe.meets(&Kind::NUMBER));
        assert_eq!(Kind::NEVER.or(&Kind::CELL), Kind::CELL);
        assert_eq!(Kind::CELL.or(&Kind::ANY), Kind::ANY);
        let empty = Kind::list_of(Kind::NEVER);
        assert_eq!(empty.or(&Kind::list_of(Kind::CELL)), Kind::list_of(Kind::CELL));
        assert_eq!(Kind::list_of(Kind::CELL).or(&Kind::list_of(Kind::TEXT)).element(), Kind::CELL.or(&Kind::TEXT));
    }

    #[test]
    fn lists_in_lists_are_known_up_to_a_depth() {
        let mut kind = Kind::NUMBER;
        for _ in 0..100 {
            kind = Kind::list_of(kind);
        }
        assert!(kind.is(Sort::List) && kind.depth() <= DEPTH);
    }

    #[test]
    fn letters_stand_for_the_kinds_of_arguments() {
        let mut letters = BTreeMap::new();
        Kind::read("list of T").unwrap().learn(&Kind::list_of(Kind::CELL), &mut letters);
        Kind::read("T").unwrap().learn(&Kind::NOTHING, &mut letters);
        assert_eq!(Kind::read("T").unwrap().with(&letters), Kind::CELL.or_nothing());
    }
}
