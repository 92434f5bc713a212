//! Amounts of resources as the machine works with them itself: the maps of its arena, without a native call.

use std::cmp::Ordering;

use rhai::ImmutableString;
use smallvec::SmallVec;

use crate::host::Session;
use crate::values::{Arena, Val};
use referee_table::{Owner, Resource, Schema};

/// How much there is of each resource, in the order of the alphabet, and no resource of which there is nothing.
type Counts = SmallVec<[(ImmutableString, i64); 8]>;

pub(super) fn plus(session: &mut Session, arena: &mut Arena, one: &Val, other: &Val) -> Option<Val> {
    let schema = session.state.schema();
    let (one, other) = (read(schema, arena, *one)?, read(schema, arena, *other)?);
    let mut sum: Vec<(ImmutableString, i64)> = Vec::with_capacity(one.len() + other.len());
    let (mut one, mut other) = (one.into_iter().peekable(), other.into_iter().peekable());
    loop {
        let next = match (one.peek(), other.peek()) {
            (Some((first, _)), Some((second, _))) => first.cmp(second),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => break,
        };
        match next {
            Ordering::Less => sum.extend(one.next()),
            Ordering::Greater => sum.extend(other.next()),
            Ordering::Equal => {
                let ((name, count), (_, more)) = (one.next()?, other.next()?);
                sum.push((name, count.checked_add(more)?));
            }
        }
    }
    Some(map(arena, sum))
}

pub(super) fn minus(session: &mut Session, arena: &mut Arena, one: &Val, other: &Val) -> Option<Val> {
    let schema = session.state.schema();
    let (one, other) = (read(schema, arena, *one)?, read(schema, arena, *other)?);
    Some(map(arena, without(one, |name| found(&other, name))))
}

pub(super) fn total(session: &mut Session, arena: &mut Arena, amount: &Val, _: &Val) -> Option<Val> {
    let amount = read(session.state.schema(), arena, *amount)?;
    let total = amount.iter().try_fold(0_i64, |sum, (_, count)| sum.checked_add(*count))?;
    Some(Val::Number(total))
}

pub(super) fn can_pay(session: &mut Session, arena: &mut Arena, of: &Val, amount: &Val) -> Option<Val> {
    let amount = read(session.state.schema(), arena, *amount)?;
    let of = player(of)?;
    let has = |(name, count): &(ImmutableString, i64)| held(session, of, name) >= *count;
    Some(Val::Truth(amount.iter().all(has)))
}

pub(super) fn missing(session: &mut Session, arena: &mut Arena, of: &Val, amount: &Val) -> Option<Val> {
    let amount = read(session.state.schema(), arena, *amount)?;
    let of = player(of)?;
    Some(map(arena, without(amount, |name| held(session, of, name))))
}

pub(super) fn amounts(session: &mut Session, arena: &mut Arena, of: &Val, _: &Val) -> Option<Val> {
    let (of, state) = (player(of)?, &session.state);
    let has = |resource: &&Resource| state.table.names().holds(of, resource);
    let count = |resource: &Resource| (resource.name.as_str().into(), state.held(of, resource));
    let mut held: Vec<(ImmutableString, i64)> = state.schema().resources.iter().filter(has).map(count).collect();
    held.retain(|(_, count)| *count != 0);
    held.sort_unstable();
    Some(map(arena, held))
}

const fn player(of: &Val) -> Option<Owner> {
    match of {
        Val::Player(player) => Some(Owner::Player(*player)),
        _ => None,
    }
}

/// Returns how much an owner has of a resource: nothing of one that they never have.
fn held(session: &Session, of: Owner, name: &str) -> i64 {
    let names = session.state.table.names();
    let resource = names.schema.resource(name).filter(|resource| names.holds(of, resource));
    resource.map_or(0, |resource| session.state.held(of, resource))
}

/// Returns the amount in a map; `None` if it is none.
fn read(schema: &Schema, arena: &Arena, amount: Val) -> Option<Counts> {
    let mut counts = Counts::new();
    for (name, count) in &arena.fields(amount)?.items {
        schema.resource(name)?;
        match count {
            Val::Nothing | Val::Number(0) => {}
            Val::Number(count @ 1..) => counts.push((name.clone(), *count)),
            _ => return None,
        }
    }
    Some(counts)
}

fn found(counts: &Counts, name: &str) -> i64 {
    counts.iter().find(|(other, _)| other.as_str() == name).map_or(0, |(_, count)| *count)
}

/// Returns an amount without so much of each.
fn without(amount: Counts, less: impl Fn(&str) -> i64) -> Vec<(ImmutableString, i64)> {
    let left = amount.into_iter().map(|(name, count)| {
        let left = count.saturating_sub(less(&name));
        (name, left)
    });
    left.filter(|(_, count)| *count > 0).collect()
}

fn map(arena: &mut Arena, counts: Vec<(ImmutableString, i64)>) -> Val {
    arena.map(counts.into_iter().map(|(name, count)| (name, Val::Number(count))).collect())
}
