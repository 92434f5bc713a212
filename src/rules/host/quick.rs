//! What the machine does without a native function, where nothing can be wrong with it: properties, and events that nobody keeps.

use super::session::Link;
use crate::rules::values::{Arena, Native, Val};
use crate::table::{AskId, EventId, Kind, Owner, Part, PropertyId, PropertyKind, Schema, Value};
use crate::trace::Action;

/// Returns a property that a script reads and writes by its name, found when the rules are loaded: nothing for what is
/// printed on cards, and for what rules may not read.
pub(crate) fn plain(schema: &Schema, name: &str) -> Option<PropertyId> {
    let property = schema.property(name).filter(|_| !schema.printed.iter().any(|printed| printed == name))?;
    let declared = schema.properties.get(property.index())?;
    (declared.kind != PropertyKind::Counter { record: true }).then_some(property)
}

/// What a plain property is; nothing for who has none.
pub(crate) fn read(link: &Link, property: PropertyId, owner: Owner, arena: &mut Arena) -> Native<Option<Val>> {
    link.with(|session| Ok(session.state.value(property, owner).map(|value| arena.of_value(value))))
}

/// Sets a flag or a counter; whether that was done.
pub(crate) fn write(link: &Link, property: PropertyId, owner: Owner, value: Val) -> Native<bool> {
    link.with(|session| {
        let Some(declared) = session.state.schema().properties.get(property.index()) else { return Ok(false) };
        let value = match (&declared.kind, value) {
            (PropertyKind::Flag, Val::Truth(truth)) => Value::Bool(truth),
            (PropertyKind::Counter { .. }, Val::Number(number)) => Value::Int(number),
            _ => return Ok(false),
        };
        if declared.in_drawings || session.state.value(property, owner).is_none() {
            return Ok(false);
        }
        link.meter.work(value.weight());
        session.state.set_value(property, owner, value);
        Ok(true)
    })
}

/// Reports of an event that nobody keeps, if nothing can be wrong with it; whether that was done.
pub(crate) fn only_told(link: &Link, event: EventId, values: &[Val]) -> Native<bool> {
    link.with(|session| {
        let kept = session.keep.events || session.keep.moments;
        let form = session.state.schema().events.get(event.index());
        if kept || !form.is_some_and(|form| evident(&form.parts, values)) {
            return Ok(false);
        }
        session.told += 1;
        link.meter.keep(1 + values.len() as u64).map(|()| true)
    })
}

/// Returns the action of an ask with these values; nothing where they do not plainly fit its form.
pub(crate) fn made(link: &Link, ask: AskId, values: &[Val], arena: &Arena) -> Native<Option<Action>> {
    link.with(|session| {
        let Some(form) = session.state.schema().asks.get(ask.index()) else { return Ok(None) };
        if !evident(&form.parts, values) {
            return Ok(None);
        }
        let values: Option<Vec<Value>> = values.iter().map(|value| plain_value(*value, arena)).collect();
        Ok(values.map(|values| Action { ask, values }))
    })
}

/// Returns a value as the game keeps it, if it is one of those that are [`evident`].
fn plain_value(value: Val, arena: &Arena) -> Option<Value> {
    Some(match value {
        Val::Cell(cell) => Value::Cell(cell),
        Val::Player(player) => Value::Player(player),
        Val::Piece(piece) => Value::Piece(piece),
        Val::Move(at) => Value::Move(arena.single.get(at as usize)?.clone()),
        Val::Number(number) => Value::Int(number),
        _ => return None,
    })
}

/// Returns whether values plainly are what a form without optional parts wants, so that nothing is wrong with the
/// event.
fn evident(parts: &[Part], values: &[Val]) -> bool {
    let mut values = values.iter();
    let fit = parts.iter().all(|part| match part {
        Part::Word(_) => true,
        Part::Value(kind) => values.next().is_some_and(|value| {
            matches!(
                (kind, value),
                (Kind::Cell, Val::Cell(_))
                    | (Kind::Player, Val::Player(_))
                    | (Kind::Piece, Val::Piece(_))
                    | (Kind::Move, Val::Move(_))
                    | (Kind::Number, Val::Number(_))
            )
        }),
        Part::Optional(_) => false,
    });
    fit && values.next().is_none()
}
