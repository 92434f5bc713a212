//! Graphs whose shortest cycles are known in another way.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test that finds something missing should stop there"
)]

use proptest::prelude::*;

use super::store::{Bounds, KnownAsk, NONE, StateId, Store, hash};
use super::{Cycle, Space};
use crate::odds::Limit;
use referee_rules::Asked;
use referee_table::{DieId, PlayerId};

const PLENTY: Bounds = Bounds { states: 1000, bytes: 1_000_000 };

/// Returns a space with these edges. Its states were found in the order of a search from the first one.
fn space(edges: &[Vec<StateId>]) -> Space {
    let mut store = Store::new(PLENTY, true, false);
    for (id, to) in (0_u32..).zip(edges) {
        let key = id.to_le_bytes();
        let before = edges.iter().take(id as usize).position(|to| to.contains(&id)).unwrap_or(0);
        store.put((hash(&key), &key, 0), None, (u32::try_from(before).unwrap(), 0)).unwrap();
        store.connect(to).unwrap();
    }
    Space { store, limit: None, stopped: false, levels: Vec::new(), compiled: 0 }
}

/// Returns the length of a shortest way from each state to each.
fn distances(edges: &[Vec<StateId>]) -> Vec<Vec<usize>> {
    let count = edges.len();
    let mut all = vec![vec![usize::MAX / 4; count]; count];
    for (from, to) in edges.iter().enumerate() {
        to.iter().filter(|to| **to != NONE).for_each(|to| all[from][*to as usize] = 1);
    }
    for over in 0..count {
        for from in 0..count {
            for to in 0..count {
                all[from][to] = all[from][to].min(all[from][over] + all[over][to]);
            }
        }
    }
    all
}

proptest! {
    #[test]
    fn the_shortest_cycle_is_found_exactly(
        edges in (1_usize..9).prop_flat_map(|count| {
            let to = prop_oneof![20 => 0..u32::try_from(count).unwrap(), 1 => Just(NONE)];
            prop::collection::vec(prop::collection::vec(to, 0..3), count)
        })
    ) {
        let known = distances(&edges);
        let shortest = (0..edges.len()).map(|id| known[id][id]).min().filter(|length| *length <= edges.len());
        let space = space(&edges);
        let found = space.shortest_cycle();
        prop_assert_eq!(found.as_ref().map(|cycle| cycle.round.len()), shortest);
        let on_cycles = (0..edges.len()).filter(|id| known[*id][*id] <= edges.len()).count();
        prop_assert_eq!(space.on_cycles(), on_cycles);
        if let Some(Cycle { state, round, .. }) = found {
            let end = round.iter().fold(state, |id, choice| edges[id as usize][*choice as usize]);
            prop_assert_eq!(end, state);
        }
    }
}

#[test]
fn limits_are_kept_exactly() {
    let mut store = Store::new(Bounds { states: 2, bytes: 1_000 }, false, false);
    let mut put = |key: &[u8], left| store.put((7, key, 0), left, (0, 0));
    // Equal hashes are two states if the keys differ.
    assert_eq!(put(b"a", Some(1)).unwrap(), 0);
    assert_eq!(put(b"b", Some(1)).unwrap(), 1);
    assert_eq!(put(b"a", Some(1)).unwrap(), 0);
    assert_eq!(put(b"c", Some(1)).unwrap_err(), Limit::States);
    // With more turns left, a state is followed again, and is the same state.
    assert_eq!(put(b"a", Some(3)).unwrap(), 2);
    assert_eq!(put(b"a", Some(2)).unwrap(), 2);
    assert_eq!((store.states(), store.len()), (2, 3));
    let mut tight = Store::new(Bounds { states: 9, bytes: 70 }, false, false);
    assert_eq!(tight.put((1, b"ab", 0), None, (0, 0)).unwrap(), 0);
    assert_eq!(tight.put((2, b"abc", 0), None, (0, 0)).unwrap(), 1);
    assert_eq!(tight.put((3, b"x", 0), None, (0, 0)).unwrap_err(), Limit::Bytes);
    assert_eq!((tight.states(), tight.bytes()), (2, 69));
}

#[test]
fn asks_are_known_if_they_fit_into_a_word() {
    let asks = |number: usize| [Asked::Die(DieId::at(number)), Asked::Player(PlayerId::at(number))];
    for asked in [0, 1, 7, 200].into_iter().flat_map(asks) {
        for of in [0, 1, 2, 6, 65_535] {
            assert_eq!(KnownAsk::of(asked, of).known(), Some((asked, of)));
        }
        assert_eq!(KnownAsk::of(asked, 65_536), KnownAsk::default());
    }
    assert_eq!(KnownAsk::of(Asked::Die(DieId::at(1 << 15)), 6).known(), None);
    assert_eq!(KnownAsk::default().known(), None);
}
