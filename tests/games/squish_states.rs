//! The keys of states: on random positions of Squish!.

use proptest::prelude::prop_assert_ne;
use referee_table::{PlayerId, StateKey};

use super::cases::check;
use super::squish_deal::{Deal, deals, is_free};
use super::squish_engine::Squish;
use super::squish_oracle::Table;

/// The key of a table's position.
fn key_of(squish: &Squish, deal: &Deal, table: &Table) -> StateKey {
    squish.state(&Deal { table: table.clone(), ..deal.clone() }).key()
}

/// A marker elsewhere, a block elsewhere, one more shard, another option, another player's turn: another key.
#[test]
fn other_positions_have_other_keys() {
    let squish = Squish::load();
    check(60, &deals(), |deal| {
        let key = squish.state(&deal).key();
        let table = &deal.table;
        let mut others = Vec::new();
        let squares = (0..table.height).flat_map(|row| (0..table.width).map(move |col| (col, row)));
        let free = squares.into_iter().find(|square| is_free(table, *square));
        for at in 0..table.markers.len() {
            let mut moved = table.clone();
            moved.markers[at].at = if moved.markers[at].at.is_some() { None } else { free };
            others.extend((moved != *table).then_some(moved));
            let mut richer = table.clone();
            richer.markers[at].shards = if richer.markers[at].shards.is_empty() { vec![3] } else { Vec::new() };
            others.push(richer);
        }
        let mut read = table.clone();
        read.options.destination = !read.options.destination;
        others.push(read);
        for other in &others {
            prop_assert_ne!(&key_of(&squish, &deal, other), &key);
        }
        let mut turned = squish.state(&deal);
        turned.turn = Some(PlayerId(1));
        prop_assert_ne!(turned.key(), key);
        Ok(())
    });
}
