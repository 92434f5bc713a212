//! The states of a space: their keys, how each was reached first, and what leads where.

use ahash::RandomState;
use hashbrown::HashTable;

use crate::odds::Limit;
use referee_diagnostic::{MustBe as _, note_missing};
use referee_rules::Asked;
use referee_table::{DieId, PlayerId};

/// The number of a state, in the order in which states were found.
pub type StateId = u32;

/// The number in a list of edges for an answer after which the rules cause an error.
pub const NONE: StateId = StateId::MAX;

/// The memory of a state besides its key, in bytes: where its key ends, what it was reached from, what is asked there, and its
/// share of the index, which is at least half empty after it has grown.
const STATE: u64 = 32;
/// The memory of an edge, in bytes.
const EDGE: u64 = 4;
/// The memory of a state of a graph in addition: where its edges end, and what the search for cycles notes.
const NODE: u64 = 64;

/// Where a walk was when it found something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WalkStep {
    /// At its beginning.
    Start,
    /// After an answer at a state.
    After {
        /// The state.
        state: StateId,
        /// The number of the answer, in the order of the options or of the answers of chance.
        choice: u32,
    },
}

/// The kind of a state, the first byte of its key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The beginning of a phase that asks. The rest of the key is the encoded state, with the phase on its agenda.
    Opening,
    /// A later ask of a phase. The rest of the key is everything that decides how the phase goes on.
    Inner,
    /// Play ends here: the game is over, the horizon is reached, or a function called by itself has returned.
    End,
}

impl Kind {
    /// Returns the byte for it.
    pub(super) const fn byte(self) -> u8 {
        match self {
            Self::Opening => b'o',
            Self::Inner => b'i',
            Self::End => b'e',
        }
    }

    fn of(key: &[u8]) -> Self {
        match key.first() {
            Some(b'o') => Self::Opening,
            Some(b'i') => Self::Inner,
            _ => Self::End,
        }
    }
}

/// Who is asked at a state, and how many answers there are, in one word; 0 where that is not known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct KnownAsk(u32);

/// The bit of an ask of a player, and where the number of the player or of the die begins.
const PLAYER: u32 = 1 << 31;
const WHO: u32 = 16;

impl KnownAsk {
    /// Returns it for an ask with so many answers.
    pub(super) fn of(asked: Asked, of: u32) -> Self {
        let (bit, who) = match asked {
            Asked::Player(player) => (PLAYER, player.index()),
            Asked::Die(die) => (0, die.index()),
        };
        let who = u32::try_from(who + 1).ok().filter(|who| *who < PLAYER >> WHO);
        who.filter(|_| of < 1 << WHO).map_or(Self(0), |who| Self(bit | who << WHO | of))
    }

    /// Returns the ask and the number of its answers, if that is known.
    pub(super) fn known(self) -> Option<(Asked, u32)> {
        let who = ((self.0 & !PLAYER) >> WHO).checked_sub(1)? as usize;
        let asked = if self.0 & PLAYER == 0 { Asked::Die(DieId::at(who)) } else { Asked::Player(PlayerId::at(who)) };
        Some((asked, self.0 & ((1 << WHO) - 1)))
    }
}

/// The limits of a walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The maximum number of states.
    pub states: usize,
    /// The maximum memory for them in bytes, estimated from what is stored, so it is the same on every machine.
    pub bytes: u64,
}

/// The states found so far.
#[derive(Debug)]
pub(super) struct Store {
    bounds: Bounds,
    /// All keys, one after the other.
    keys: Vec<u8>,
    /// The end of each key.
    ends: Vec<u64>,
    /// The state from which each was reached first, and the number of the answer there.
    before: Vec<(StateId, u32)>,
    /// The turns left at each state; empty without a horizon.
    left: Vec<u32>,
    /// The number of the symmetry by which each state became its key; empty without symmetries.
    turned: Vec<u8>,
    /// What is asked at each state where that is known, up to the last one of these.
    asks: Vec<KnownAsk>,
    index: HashTable<StateId>,
    edges: Option<Edges>,
    /// The number of different states: one may be listed again with another number of turns left.
    states: usize,
    bytes: u64,
    /// Whether a state is listed again when it is reached with fewer turns left, and not with more.
    longest: bool,
}

/// The edges from each state, in the order of the states.
#[derive(Debug, Default)]
struct Edges {
    ends: Vec<u64>,
    to: Vec<StateId>,
}

/// The seeds are fixed, so that a walk takes the same steps in every run.
static HASH: RandomState = RandomState::with_seeds(1, 2, 3, 4);

/// Returns the hash of a key. Keys with equal hashes are compared in full.
pub(super) fn hash(key: &[u8]) -> u64 {
    HASH.hash_one(key)
}

/// Returns the position of a state in lists of states.
pub(super) const fn at(id: StateId) -> usize {
    id as usize
}

impl Store {
    /// Returns an empty store. It keeps the turns left if there is a horizon, and edges if the caller needs the graph.
    /// `longest` tells it that the lines of play which take more turns to a state matter.
    pub(super) fn new(bounds: Bounds, edges: bool, longest: bool) -> Self {
        Self {
            bounds,
            keys: Vec::new(),
            ends: Vec::new(),
            before: Vec::new(),
            left: Vec::new(),
            turned: Vec::new(),
            asks: Vec::new(),
            index: HashTable::new(),
            edges: edges.then(Edges::default),
            states: 0,
            bytes: 0,
            longest,
        }
    }

    pub(super) const fn states(&self) -> usize {
        self.states
    }

    pub(super) const fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Returns the number of listed states.
    pub(super) const fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns the key of a state.
    fn key(&self, id: StateId) -> &[u8] {
        key_at(&self.keys, &self.ends, id)
    }

    /// Returns the kind of a state.
    pub(super) fn kind(&self, id: StateId) -> Kind {
        Kind::of(self.key(id))
    }

    /// Returns the key of a state without its kind.
    pub(super) fn encoded(&self, id: StateId) -> &[u8] {
        self.key(id).get(1..).or_missing("the key of a state", &[])
    }

    /// Returns the state from which a state was reached first, and the number of the answer; `None` for the first.
    pub(super) fn before(&self, id: StateId) -> Option<(StateId, u32)> {
        self.before.get(at(id)).copied().filter(|_| id > 0)
    }

    /// Returns the turns left at a state.
    pub(super) fn left(&self, id: StateId) -> Option<u32> {
        self.left.get(at(id)).copied()
    }

    /// Returns the number of the symmetry by which a state became its key; 0 for none.
    pub(super) fn turned(&self, id: StateId) -> u8 {
        // The list is empty up to the first state with a symmetry.
        self.turned.get(at(id)).copied().unwrap_or(0)
    }

    /// Notes what is asked at a state.
    pub(super) fn note_ask(&mut self, id: StateId, ask: KnownAsk) {
        if ask != KnownAsk::default() && self.asks.len() <= at(id) {
            self.asks.resize(at(id), KnownAsk::default());
            self.asks.push(ask);
        }
    }

    /// Returns what is asked at a state, if that is known.
    pub(super) fn ask(&self, id: StateId) -> KnownAsk {
        self.asks.get(at(id)).copied().unwrap_or_default()
    }

    /// Returns the state with this key, if nothing new follows from it with `left` turns left.
    pub(super) fn known(&self, hash: u64, key: &[u8], left: Option<u32>) -> Option<StateId> {
        self.find(hash, key).filter(|id| self.covers(*id, left))
    }

    /// Returns whether all that matters of a state with `left` turns left follows from it as it is listed.
    fn covers(&self, id: StateId, left: Option<u32>) -> bool {
        if self.longest { self.left(id) <= left } else { self.left(id) >= left }
    }

    fn find(&self, hash: u64, key: &[u8]) -> Option<StateId> {
        self.index.find(hash, |id| self.key(*id) == key).copied()
    }

    /// Puts a state into the store, unless nothing new follows from it with `left` turns left, and returns its number.
    /// `by` is the number of the symmetry by which it became the key.
    ///
    /// # Errors
    /// Returns the limit that the state would exceed; then the store is unchanged.
    pub(super) fn put(
        &mut self,
        (hash, key, by): (u64, &[u8], u8),
        left: Option<u32>,
        before: (StateId, u32),
    ) -> Result<StateId, Limit> {
        let earlier = self.find(hash, key);
        if let Some(id) = earlier.filter(|id| self.covers(*id, left)) {
            return Ok(id);
        }
        let node = if self.edges.is_some() { NODE } else { 0 };
        let bytes = self.bytes + key.len() as u64 + STATE + node;
        let states = self.states + usize::from(earlier.is_none());
        let Some(id) = StateId::try_from(self.len()).ok().filter(|id| *id != NONE) else { return Err(Limit::States) };
        if states > self.bounds.states {
            return Err(Limit::States);
        }
        if bytes > self.bounds.bytes {
            return Err(Limit::Bytes);
        }
        (self.bytes, self.states) = (bytes, states);
        self.keys.extend_from_slice(key);
        self.ends.push(self.keys.len() as u64);
        self.before.push(before);
        self.left.extend(left);
        if by > 0 || !self.turned.is_empty() {
            self.turned.resize(at(id), 0);
            self.turned.push(by);
        }
        let (keys, ends) = (&self.keys, &self.ends);
        match earlier {
            Some(earlier) => {
                if let Some(slot) = self.index.find_mut(hash, |id| *id == earlier).noted("the index of a state") {
                    *slot = id;
                }
            }
            None => {
                self.index.insert_unique(hash, id, |id| self::hash(key_at(keys, ends, *id)));
            }
        }
        Ok(id)
    }

    /// Adds the edges from a state, which must be the one after the last with edges.
    ///
    /// # Errors
    /// Returns an error if there is no room for them.
    pub(super) fn connect(&mut self, to: &[StateId]) -> Result<(), Limit> {
        let Some(edges) = &mut self.edges else { return Ok(()) };
        let bytes = self.bytes + to.len() as u64 * EDGE;
        if bytes > self.bounds.bytes {
            return Err(Limit::Bytes);
        }
        self.bytes = bytes;
        edges.to.extend_from_slice(to);
        edges.ends.push(edges.to.len() as u64);
        Ok(())
    }

    /// Returns the states to which the answers at a state lead, in the order of the answers.
    pub(super) fn edges(&self, id: StateId) -> &[StateId] {
        let Some(edges) = &self.edges else { return &[] };
        let end = |at: usize| edges.ends.get(at).and_then(|end| usize::try_from(*end).ok());
        let start = at(id).checked_sub(1).map_or(Some(0), end);
        // At a limit, states are left whose answers were not followed.
        let (Some(start), Some(end)) = (start, end(at(id))) else { return &[] };
        edges.to.get(start..end).or_missing("the answers at a state", &[])
    }
}

fn key_at<'k>(keys: &'k [u8], ends: &[u64], id: StateId) -> &'k [u8] {
    let end = |at: usize| ends.get(at).and_then(|end| usize::try_from(*end).ok());
    let start = at(id).checked_sub(1).map_or(Some(0), end);
    let (Some(start), Some(end)) = (start, end(at(id))) else {
        note_missing("the key of a state");
        return &[];
    };
    keys.get(start..end).or_missing("the key of a state", &[])
}
