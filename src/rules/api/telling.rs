//! Telling what happened: events, and which clauses were applied.

use rhai::{Dynamic, ImmutableString};

use super::Api;
use super::asks::variadic;
use crate::rules::host::{Link, fill};
use crate::rules::layers::MORE;
use crate::rules::values::{Native, failure};
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
