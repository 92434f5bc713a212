//! States and their keys, and playing on from a pause: on random positions and turns of Squish!.

use std::cell::RefCell;
use std::rc::Rc;

use proptest::prelude::{Strategy, any, prop, prop_assert, prop_assert_eq, prop_assert_ne};
use referee::play::{Feed, Machine, Stop};
use referee::table::{PlayerId, State, StateKey};

use super::cases::check;
use super::squish_deal::{Deal, deals, deals_of, is_free};
use super::squish_engine::{Script, Squish, told};
use super::squish_oracle::Table;

/// Turns played on in one go, and the same with a pause before every answer, tell the same and come out alike.
#[test]
fn pauses_change_nothing() {
    let squish = Squish::load();
    let numbers = prop::collection::vec(any::<usize>(), 1..=8);
    let strategy = whole_games().prop_flat_map(move |deal| (proptest::prelude::Just(deal), numbers.clone()));
    check(60, &strategy, |(deal, numbers)| {
        let run = |hesitates: bool| {
            let script = Rc::new(RefCell::new(Script::new(&numbers, hesitates)));
            let feed: Feed = Rc::clone(&script) as Feed;
            let mut machine = Machine::new(&squish.program, squish.state(&deal));
            machine.turn(PlayerId(0), &feed);
            let mut pauses = 0;
            while matches!(machine.stop(), Stop::Paused(_)) && !script.borrow().is_empty() {
                machine.go_on(&feed);
                pauses += 1;
            }
            (format!("{:?}", machine.stop()), told(&machine), machine.state().key(), machine.clauses().to_vec(), pauses)
        };
        let (straight, paused) = (run(false), run(true));
        prop_assert!(straight.4 == 0 && paused.4 > 0);
        prop_assert_eq!(&straight.0, &paused.0);
        prop_assert_eq!(&straight.1, &paused.1);
        prop_assert_eq!(&straight.2, &paused.2);
        prop_assert_eq!(&straight.3, &paused.3);
        Ok(())
    });
}

/// Deals whose turns ask all dice: all four blocks of the advanced game are there.
fn whole_games() -> impl Strategy<Value = Deal> {
    proptest::prop_oneof![
        deals_of(true),
        deals_of(false).prop_filter("four blocks", |deal| deal.table.blocks.len() == 4)
    ]
}

/// Play on a clone leaves the original as it was; equal plays give equal keys.
#[test]
fn states_are_independent() {
    let squish = Squish::load();
    check(60, &deals(), |deal| {
        let state = squish.state(&deal);
        let (key, look) = (state.key(), everything(&state));
        let one = squish.machine(&deal, state.clone()).state().key();
        prop_assert_eq!(&state.key(), &key);
        prop_assert_eq!(&everything(&state), &look);
        let other = squish.machine(&deal, state.clone()).state().key();
        prop_assert_eq!(&one, &other);
        prop_assert_eq!(&squish.state(&deal).key(), &key);
        let moved = squish.table(&deal, squish.machine(&deal, state).state()) != deal.table;
        prop_assert_eq!(key != one, moved);
        Ok(())
    });
}

/// The key of a table's position.
fn key_of(squish: &Squish, deal: &Deal, table: &Table) -> StateKey {
    squish.state(&Deal { table: table.clone(), ..deal.clone() }).key()
}

/// What lies on each cell, in words.
fn everything(state: &State) -> Vec<String> {
    state.board().cells().map(|cell| format!("{:?}", state.at(cell))).collect()
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
