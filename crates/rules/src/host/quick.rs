//! Fast paths of the machine without native functions, for calls that cannot fail: properties, and events that are not
//! kept.

use std::sync::Arc;

use super::session::{Link, Session};
use crate::values::{Arena, Native, Val};
use referee_source::unwritable;
use referee_table::{
    AskId, EventId, Kind, Move, Owner, Part, Phase, Property, PropertyId, PropertyKind, Schema, Value, text_weight,
};
use referee_trace::{Action, FewValues};

/// Returns the property of this name; `None` if it is printed on cards, or if rules cannot read it.
pub(crate) fn plain(schema: &Schema, name: &str) -> Option<PropertyId> {
    let property = schema.property(name).filter(|_| schema.printed(name).is_none())?;
    let declared = schema.properties.get(property.index())?;
    (declared.kind != PropertyKind::Counter { record: true }).then_some(property)
}

/// Returns the value of a plain property; `None` if the owner does not have it.
pub(crate) fn read(link: &Link, property: PropertyId, owner: Owner, arena: &mut Arena) -> Native<Option<Val>> {
    link.with(|session| Ok(session.state.value(property, owner).map(|value| arena.of_value(&value))))
}

/// Returns the value of a plain property, by the place of its owner; `None` if it is large.
#[inline(always)]
pub(crate) fn read_small(link: &Link, property: PropertyId, place: usize) -> Native<Option<Val>> {
    link.with(|session| {
        Ok(session.state.small_value(property, place).and_then(|value| match value {
            Value::Int(number) => Some(Val::Number(number)),
            Value::Bool(truth) => Some(Val::Truth(truth)),
            Value::Nothing => Some(Val::Nothing),
            Value::Player(player) => Some(Val::Player(player)),
            Value::Piece(piece) => Some(Val::Piece(piece)),
            Value::Cell(cell) => Some(Val::Cell(cell)),
            _ => None,
        }))
    })
}

/// Sets a flag or a counter that no drawing shows, by the place of its owner. Returns `false` without effect if the value
/// does not fit.
#[inline]
pub(crate) fn write_small(link: &Link, property: PropertyId, place: usize, value: Val) -> Native<bool> {
    changed(link, |session| session.state.change_at(property, place, |slot| set_small(slot, value)))
}

/// Sets a property whose values take the space of one, as this value does, by the place of its owner. Returns `false`
/// without effect if the owner does not have it.
#[inline]
pub(crate) fn write_plain(link: &Link, property: PropertyId, place: usize, value: Value) -> Native<bool> {
    changed(link, |session| {
        session.state.change_at(property, place, |slot| {
            let fits = slot.weight() == 1 && value.weight() == 1;
            fits.then(|| set(slot, value))
        })
    })
}

/// Changes the state, and counts it if something was changed.
#[inline]
fn changed(link: &Link, change: impl FnOnce(&mut Session) -> bool) -> Native<bool> {
    link.with(|session| {
        let is_changed = change(session);
        if is_changed {
            link.meter.work(1);
        }
        Ok(is_changed)
    })
}

/// Sets a flag or a counter. Returns whether its value is another one now, or `None` without effect if the value does not
/// fit.
#[inline]
fn set_small(slot: &mut Value, value: Val) -> Option<bool> {
    match (slot, value) {
        (Value::Int(slot), Val::Number(number)) => Some(set(slot, number)),
        (Value::Bool(slot), Val::Truth(truth)) => Some(set(slot, truth)),
        _ => None,
    }
}

/// Sets a value. Returns whether it is another one now.
#[inline]
fn set<T: PartialEq>(slot: &mut T, value: T) -> bool {
    let is_other = *slot != value;
    *slot = value;
    is_other
}

/// Returns the weight that a value has in the game's state.
#[inline]
pub(crate) fn weight(value: Val, arena: &Arena) -> u64 {
    match value {
        Val::Text(_) => arena.text_of(value).map_or(1, |text| text_weight(text)),
        Val::Move(at) => arena.single.get(at as usize).map_or(1, Move::weight),
        _ => 1,
    }
}

/// Reports an event whose values have its form and this weight. Returns `false` without effect if events are kept.
#[inline]
pub(crate) fn emitted(link: &Link, values: u64) -> Native<bool> {
    link.with(|session| {
        if session.keep.events || session.keep.moments {
            return Ok(false);
        }
        if session.is_looking() {
            return Ok(true);
        }
        session.reported += 1;
        link.meter.keep(1 + values)?;
        Ok(true)
    })
}

/// Returns whether a property can be set for an owner without a look at its copies.
fn is_single(session: &Session, declared: Option<&Property>, owner: Owner) -> bool {
    declared.is_some_and(|declared| session.state.schema().owner_with_copies(declared, owner).is_none())
}

/// Sets a flag or a counter. Returns `false` without effect if the fast path does not apply.
pub(crate) fn write(link: &Link, property: PropertyId, owner: Owner, value: Val) -> Native<bool> {
    changed(link, |session| {
        let declared = session.state.schema().properties.get(property.index());
        let is_small = |declared: &&Property| {
            !declared.in_drawings
                && !declared.resource
                && matches!(declared.kind, PropertyKind::Flag | PropertyKind::Counter { .. })
        };
        is_single(session, declared.filter(is_small), owner)
            && session.state.change_of(property, owner, |slot| set_small(slot, value))
    })
}

/// Sets a property that no diagram shows to a value of its kind. Returns `false` without effect if the fast path does not
/// apply.
pub(crate) fn write_value(link: &Link, property: PropertyId, owner: Owner, value: Value) -> Native<bool> {
    link.with(|session| {
        let directions = session.state.board().headings().len();
        let declared = session.state.schema().properties.get(property.index()).filter(|declared| !declared.in_drawings);
        let Some(PropertyKind::Value(kind)) = declared.map(|declared| &declared.kind) else { return Ok(false) };
        let Ok(value) = kind.converted(value) else { return Ok(false) };
        let fits = value.is_nothing() || kind.accepts(&value, directions);
        let is_single = is_single(session, declared, owner);
        if !fits || !is_single || session.state.value(property, owner).is_none() {
            return Ok(false);
        }
        link.meter.work(value.weight());
        session.state.set_value(property, owner, value);
        Ok(true)
    })
}

/// Reports an event that is not kept. Returns `false` without effect if the fast path does not apply.
#[inline]
pub(crate) fn only_emitted(
    link: &Link,
    event: EventId,
    mut values: impl Iterator<Item = Val>,
    arena: &Arena,
) -> Native<bool> {
    link.with(|session| {
        let kept = session.keep.events || session.keep.moments;
        let known = (session.state.board().headings().len(), arena);
        let Some(form) = session.state.schema().events.get(event.index()).filter(|_| !kept) else { return Ok(false) };
        let mut count = 0;
        let fits = evident(&form.parts, false, &mut values, known, &mut |value| count += weight(value, arena))
            && values.next().is_none();
        if fits && !session.is_looking() {
            session.reported += 1;
            link.meter.keep(1 + count)?;
        }
        Ok(fits)
    })
}

/// Adds a phase with these values. Returns `false` without effect if the fast path does not apply.
pub(crate) fn queued(link: &Link, phase: &Arc<str>, values: impl ExactSizeIterator<Item = Val>) -> Native<bool> {
    let mut args = Vec::with_capacity(values.len());
    for value in values {
        let Some(value) = small_value(value) else { return Ok(false) };
        args.push(value);
    }
    link.with(|session| {
        link.meter.keep_values(&args)?;
        session.then.push(Phase { name: Arc::clone(phase), args });
        Ok(true)
    })
}

/// Converts a value outside the arena to one of the game's state.
pub(crate) const fn small_value(value: Val) -> Option<Value> {
    Some(match value {
        Val::Nothing => Value::Nothing,
        Val::Truth(truth) => Value::Bool(truth),
        Val::Number(number) => Value::Int(number),
        Val::Player(player) => Value::Player(player),
        Val::Piece(piece) => Value::Piece(piece),
        Val::Cell(cell) => Value::Cell(cell),
        _ => return None,
    })
}

/// Converts a value, or a list of values, outside the arena to one of the game's state.
pub(crate) fn listed_value(value: Val, arena: &Arena) -> Option<Value> {
    match value {
        Val::List(_) => {
            arena.items(value)?.iter().map(|item| small_value(*item)).collect::<Option<_>>().map(Value::List)
        }
        value => small_value(value),
    }
}

/// Returns the action of an ask with these values; `None` if they do not obviously fit its form.
pub(crate) fn made(link: &Link, ask: AskId, values: &[Val], arena: &Arena) -> Native<Option<Action>> {
    link.with(|session| {
        let directions = session.state.board().headings().len();
        let Some(form) = session.state.schema().asks.get(ask.index()) else { return Ok(None) };
        let mut left = values.iter().copied();
        let mut filled = FewValues::new();
        let mut plain = true;
        let mut fill = |value: Val| match plain_value(value, arena) {
            Some(value) => filled.push(value),
            None => plain = false,
        };
        let fits = evident(&form.parts, false, &mut left, (directions, arena), &mut fill) && left.next().is_none();
        Ok((fits && plain).then_some(Action { ask, values: filled }))
    })
}

/// Converts a value to one of the game's state; `None` if it is not one that [`evident`] accepts.
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

/// Returns whether a value is of a kind, judged by its type alone.
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

/// Returns whether a value is of a kind, judged by its type, or by what a string says. `known` is the number of directions,
/// and the arena.
fn is_evident(kind: &Kind, value: Val, (directions, arena): (usize, &Arena)) -> bool {
    match (kind, value) {
        (Kind::Word(words), Val::Text(_)) => {
            arena.text_of(value).is_some_and(|text| words.iter().any(|word| text.as_str() == word.as_str()))
        }
        (Kind::Text, Val::Text(_)) => arena.text_of(value).is_some_and(|text| unwritable(text).is_none()),
        (kind, value) => is_plainly(kind, value, directions),
    }
}

/// Returns whether values obviously fit a form. Takes the values of the form from the front and passes them to `fill`,
/// with [`Val::Nothing`] for those that are left out.
fn evident(
    parts: &[Part],
    optional: bool,
    left: &mut impl Iterator<Item = Val>,
    known: (usize, &Arena),
    fill: &mut impl FnMut(Val),
) -> bool {
    parts.iter().all(|part| match part {
        Part::Word(_) => true,
        Part::Optional(parts) => evident(parts, true, left, known, fill),
        Part::Value(kind) => {
            let value = left.next().or(optional.then_some(Val::Nothing));
            let fits = value.is_some_and(|value| match value {
                Val::Nothing => optional,
                value => is_evident(kind, value, known),
            });
            value.into_iter().for_each(&mut *fill);
            fits
        }
    })
}
