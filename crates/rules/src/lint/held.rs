//! What is known of the strings of the script that a value holds.

use std::collections::BTreeMap;
use std::rc::Rc;

use rhai::{Dynamic, ImmutableString, Position};

use super::values::{Place, Written};
use crate::script::{LocalId, Node, What};

/// How many strings of a value are looked at. Of one that can be more, nothing is said.
const MOST: usize = 64;

/// How deep lists in lists are looked into.
pub(super) const DEPTH: usize = 4;

/// What is known of a value: nothing, if there are no strings of the script in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Held {
    /// The strings that it can be.
    pub(super) texts: Vec<Written>,
    /// The keys of a map.
    pub(super) keys: Vec<Written>,
    /// What is in a list or a map, by index or key. Of a list whose order is not known, the numbers mean nothing.
    pub(super) parts: BTreeMap<Part, Held>,
    /// Whether the order of a list is not known.
    pub(super) unordered: bool,
    /// Whether it has been set in several ways, so that whatever the rules look at may tell which.
    pub(super) several: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Part {
    At(usize),
    Key(ImmutableString),
}

impl Held {
    pub(super) fn text(text: &ImmutableString, position: Position, place: Place) -> Self {
        let written = Written { text: text.clone(), position, place, unsure: false };
        Self { texts: vec![written], ..Self::default() }
    }

    pub(super) fn list(items: impl Iterator<Item = Self>) -> Self {
        let parts = items.enumerate().map(|(at, item)| (Part::At(at), item)).collect();
        Self { parts, ..Self::default() }.bounded()
    }

    /// Returns what is held by a constant that is written after a place.
    pub(super) fn constant(value: &Dynamic, position: Position, depth: usize) -> Self {
        if depth == 0 {
            return Self::default();
        }
        if let Some(text) = value.read_lock::<ImmutableString>() {
            return Self::text(&text, position, Place::After);
        }
        if let Some(list) = value.read_lock::<rhai::Array>() {
            return Self::list(list.iter().map(|one| Self::constant(one, position, depth - 1)));
        }
        let Some(map) = value.read_lock::<rhai::Map>() else { return Self::default() };
        let key = |key: &str| Written { text: key.into(), position, place: Place::Word, unsure: false };
        let part = |(key, value): (&rhai::Identifier, &Dynamic)| {
            (Part::Key(key.as_str().into()), Self::constant(value, position, depth - 1))
        };
        let keys = map.keys().map(|name| key(name)).collect();
        Self { keys, parts: map.iter().map(part).collect(), ..Self::default() }.bounded()
    }

    /// Returns how many strings are in it.
    fn count(&self) -> usize {
        let inside: usize = self.parts.values().map(|part| 1 + part.count()).sum();
        self.texts.len() + self.keys.len() + inside
    }

    fn depth(&self) -> usize {
        self.parts.values().map(|part| 1 + part.depth()).max().unwrap_or(0)
    }

    /// Returns the same, or nothing if it is too much.
    pub(super) fn bounded(self) -> Self {
        if self.count() > MOST || self.depth() > DEPTH { Self::default() } else { self }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.texts.is_empty() && self.keys.is_empty() && self.parts.is_empty()
    }

    fn each_text(&mut self, work: &mut impl FnMut(&mut Written)) {
        self.texts.iter_mut().chain(&mut self.keys).for_each(&mut *work);
        self.parts.values_mut().for_each(|part| part.each_text(work));
    }

    /// Returns whether some string is not unsure.
    pub(super) fn is_sure(&self) -> bool {
        self.texts.iter().chain(&self.keys).any(|text| !text.unsure) || self.parts.values().any(Self::is_sure)
    }

    /// Returns the same, with all strings unsure.
    pub(super) fn unsure(mut self) -> Self {
        self.each_text(&mut |text| text.unsure = true);
        self
    }

    /// Returns what an element of a list can be.
    pub(super) fn element(&self) -> Self {
        self.elements(false)
    }

    /// Returns what the elements of a list can be. `is_cut` says whether all but the first may be left out.
    pub(super) fn elements(&self, is_cut: bool) -> Self {
        let mut all = Self::default();
        for (at, part) in self.parts.values().enumerate() {
            let is_left_out = is_cut && (at > 0 || self.unordered);
            all = all.merged(&if is_left_out { part.clone().unsure() } else { part.clone() });
        }
        all.several |= self.several;
        all.bounded()
    }

    /// Returns what is at an index.
    pub(super) fn at(&self, index: &Node) -> Self {
        let part = match &index.what {
            What::Number(at) if !self.unordered => usize::try_from(*at).ok().map(Part::At),
            What::Text(key) => Some(Part::Key(key.clone())),
            _ => None,
        };
        match part {
            Some(part) => self.parts.get(&part).cloned().unwrap_or_default(),
            None => self.element().unsure(),
        }
    }

    /// Adds an element to a list.
    pub(super) fn add(&mut self, element: Self) {
        let next = self.parts.len();
        self.parts.insert(Part::At(next), element);
        *self = std::mem::take(self).bounded();
    }

    /// Returns what can be one or the other: elements of one list.
    pub(super) fn merged(mut self, other: &Self) -> Self {
        let add = |to: &mut Vec<Written>, from: &[Written]| {
            for text in from {
                match to.iter_mut().find(|known| known.text == text.text && known.position == text.position) {
                    Some(known) => known.unsure &= text.unsure,
                    None => to.push(text.clone()),
                }
            }
        };
        add(&mut self.texts, &other.texts);
        add(&mut self.keys, &other.keys);
        for (key, part) in &other.parts {
            let known = self.parts.remove(key).unwrap_or_default();
            self.parts.insert(key.clone(), known.merged(part));
        }
        self.unordered |= other.unordered;
        self.several |= other.several;
        self
    }

    /// Returns whether both hold the same strings, be they sure or not.
    pub(super) fn holds_the_same(&self, other: &Self) -> bool {
        let is_same = |(one, other): (&Written, &Written)| {
            one.text == other.text && one.position == other.position && one.place == other.place
        };
        let are_same =
            |all: &[Written], others: &[Written]| all.len() == others.len() && all.iter().zip(others).all(is_same);
        (self.unordered, self.several) == (other.unordered, other.several)
            && are_same(&self.texts, &other.texts)
            && are_same(&self.keys, &other.keys)
            && self.parts.len() == other.parts.len()
            && (self.parts.iter().zip(&other.parts))
                .all(|((key, part), (same, other))| key == same && part.holds_the_same(other))
    }

    /// Returns what a variable holds where two ways meet, before which it held `before`.
    fn met(self: &Rc<Self>, other: &Rc<Self>, before: &Rc<Self>) -> Rc<Self> {
        // Most ways leave most variables as they are.
        if Rc::ptr_eq(self, other) || self.holds_the_same(other) {
            return match Rc::ptr_eq(self, before) || self.holds_the_same(before) {
                true => Rc::clone(before),
                false => Rc::new(Self::clone(self).merged(other)),
            };
        }
        // A value from before that one of the ways replaces may be there only to be replaced.
        let own = |one: &Self| if one.holds_the_same(before) { one.clone().unsure() } else { one.clone() };
        let mut met = own(self).merged(&own(other));
        met.several = true;
        Rc::new(met.bounded())
    }
}

/// What each variable holds. Most stay the same from place to place, so they are shared.
pub(super) type State = BTreeMap<LocalId, Rc<Held>>;

pub(super) fn met(one: Option<State>, other: Option<State>, before: &State) -> Option<State> {
    let (mut all, mut other) = match (one, other) {
        (Some(one), Some(other)) => (one, other),
        (one, other) => return one.or(other),
    };
    let nothing = Rc::default();
    for (local, held) in &mut all {
        let before = before.get(local).unwrap_or(&nothing);
        *held = held.met(&other.remove(local).unwrap_or_default(), before);
    }
    for (local, held) in other {
        let before = before.get(&local).unwrap_or(&nothing);
        all.insert(local, nothing.met(&held, before));
    }
    Some(all)
}

/// Returns what can be one or the other, as different ways have it.
pub(super) fn several(one: Held, other: &Held) -> Held {
    if one.is_empty() {
        return Held { several: true, ..other.clone() };
    }
    Held { several: true, ..one.merged(other) }.bounded()
}

/// Returns a list with the elements of two.
pub(super) fn joined(one: &Held, other: &Held) -> Held {
    if !one.keys.is_empty() || !other.keys.is_empty() {
        return Held::default();
    }
    Held {
        unordered: one.unordered || other.unordered,
        ..Held::list(one.parts.values().chain(other.parts.values()).cloned())
    }
}
