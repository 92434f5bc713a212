//! Telling what happened: events, and which clauses were applied.

use rhai::{Dynamic, ImmutableString};

use super::asks::{fill, variadic};
use super::{Api, MORE};
use crate::rules::session::{Link, Native, failure};
use crate::rules::vm::Val;
use crate::table::{EventId, Kind, Part};
use crate::trace::Event;

pub(super) fn register(api: &mut Api<'_>) {
    let link = api.link();
    api.add(
        "event(verb: event, …)",
        "Something happened: a declared event and its values, in the order of its form. What the form may leave out can be `()`.",
        move |verb: ImmutableString| event(&link, &verb, &[]),
    );
    variadic!(api, event, MORE);
    let link = api.link();
    api.add(
        "clause(id: clause)",
        "A clause of the rulebook was applied: `clause(\"B4\")`.",
        move |id: ImmutableString| {
            link.with(|session| {
                let clause = session.state.schema().clause(&id);
                let clause = clause.ok_or_else(|| failure(format!("the rulebook has no clause `{id}`")))?;
                session.applied(clause);
                Ok(())
            })
        },
    );
}

fn event(link: &Link, verb: &str, values: &[Dynamic]) -> Native<()> {
    link.with(|session| {
        let directions = session.state.board().headings().len();
        let schema = session.state.schema();
        let id = schema.event(verb).ok_or_else(|| failure(format!("the game has no event `{verb}`")))?;
        let Some(form) = schema.events.get(id.index()) else { return Ok(()) };
        let values = fill(verb, &form.kinds(), values, directions)?;
        link.meter.keep_values(&values)?;
        session.told += 1;
        if session.keep.events {
            session.events.push(Event { event: id, values });
        }
        if session.keep.moments {
            link.meter.keep(session.state.weight())?;
            session.moments.push(session.state.clone());
        }
        Ok(())
    })
}

/// Tell of an event that nobody keeps, if nothing can be wrong with it; whether that was done.
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

/// Whether values plainly are what a form without optional parts wants, so that nothing is wrong with the event.
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
