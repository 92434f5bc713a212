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
        let directions = session.state.board().headings().len();
        let Some(form) = session.state.schema().events.get(event.index()).filter(|_| !kept) else { return Ok(false) };
        let mut left = values;
        let mut count = 0;
        let told = evident(&form.parts, false, &mut left, directions, &mut |_| count += 1) && left.is_empty();
        if told {
            session.told += 1;
            link.meter.keep(1 + count)?;
        }
        Ok(told)
    })
}

/// Returns the action of an ask with these values; `None` if they do not plainly fit its form.
pub(crate) fn made(link: &Link, ask: AskId, values: &[Val], arena: &Arena) -> Native<Option<Action>> {
    link.with(|session| {
        let directions = session.state.board().headings().len();
        let Some(form) = session.state.schema().asks.get(ask.index()) else { return Ok(None) };
        let mut left = values;
        let mut filled = Vec::with_capacity(values.len());
        let mut fill = |value: Val| filled.push(plain_value(value, arena));
        if !evident(&form.parts, false, &mut left, directions, &mut fill) || !left.is_empty() {
            return Ok(None);
        }
        Ok(filled.into_iter().collect::<Option<Vec<Value>>>().map(|values| Action { ask, values }))
    })
}

/// Returns a value as the game keeps it, if it is one of those that are [`evident`].
fn plain_value(value: Val, arena: &Arena) -> Option<Value> {
    Some(match value {
        Val::Nothing => Value::Nothing,
        Val::Cell(cell) => Value::Cell(cell),
        Val::Player(player) => Value::Player(player),
        Val::Piece(piece) => Value::Piece(piece),
        Val::Move(at) => Value::Move(arena.single.get(at as usize)?.clone()),
        Val::Number(number) => Value::Int(number),
        _ => return None,
    })
}

/// Returns whether a value is of a kind without a closer look.
pub(super) fn is_plainly(kind: &Kind, value: Val, directions: usize) -> bool {
    match (kind, value) {
        (Kind::Cell, Val::Cell(_))
        | (Kind::Player, Val::Player(_))
        | (Kind::Piece, Val::Piece(_))
        | (Kind::Move, Val::Move(_))
        | (Kind::Number, Val::Number(_)) => true,
        (Kind::Direction, Val::Number(number)) => {
            usize::try_from(number).is_ok_and(|number| (1..=directions).contains(&number))
        }
        _ => false,
    }
}

/// Returns whether values plainly are what a form wants, so that nothing is wrong with them; those that it wants are taken
/// from the front and handed to `fill`, with [`Val::Nothing`] for what is left out.
fn evident(parts: &[Part], optional: bool, left: &mut &[Val], directions: usize, fill: &mut dyn FnMut(Val)) -> bool {
    parts.iter().all(|part| match part {
        Part::Word(_) => true,
        Part::Optional(parts) => evident(parts, true, left, directions, fill),
        Part::Value(kind) => {
            let value = left.split_off_first().copied().or(optional.then_some(Val::Nothing));
            let fits = value.is_some_and(|value| match value {
                Val::Nothing => optional,
                value => is_plainly(kind, value, directions),
            });
            value.into_iter().for_each(&mut *fill);
            fits
        }
    })
}
