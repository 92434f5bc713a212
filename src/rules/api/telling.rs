//! Functions that emit events and report applied clauses.

use rhai::{Dynamic, ImmutableString};

use super::asks::variadic;
use super::registry::Api;
use crate::rules::host::{Link, fill, in_order};
use crate::rules::layers::MORE;
use crate::rules::values::Native;
use crate::table::Value;
use crate::trace::Event;

pub(super) fn register(api: &mut Api<'_>) {
    let link = api.link();
    api.add(
        "event(verb: event, …)",
        "Emits a declared event with its values, in the order of its form. A value that the form may leave out can be \
         `()`.",
        move |verb: ImmutableString| event(&link, &verb, &[]),
    );
    variadic!(api, event, MORE);
    let link = api.link();
    api.add(
        "clause(id: clause)",
        "Reports that a clause of the rulebook was applied: `clause(\"B4\")`.",
        move |id: ImmutableString| {
            link.with(|session| {
                let schema = session.state.schema();
                let clause = schema.clause(&id).ok_or_else(|| link.unknown(schema, "clause", &id))?;
                session.applied(clause);
                Ok(())
            })
        },
    );
}

fn event(link: &Link, verb: &str, values: &[Dynamic]) -> Native<()> {
    link.with(|session| {
        let schema = session.state.schema();
        let id = schema.event(verb).ok_or_else(|| link.unknown(schema, "event", verb))?;
        let Some(form) = schema.events.get(id.index()) else { return Ok(()) };
        let values: Vec<Value> = fill(link, session, form, values)?.into_iter().map(in_order).collect();
        link.meter.keep_values(&values)?;
        session.reported += 1;
        if session.keep.events {
            session.events.push(Event { event: id, values });
        }
        if session.keep.moments {
            session.pass(link)?;
        }
        Ok(())
    })
}
