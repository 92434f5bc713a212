//! Telling what happened: events, and which clauses were applied.

use rhai::{Dynamic, ImmutableString};

use super::asks::{fill, variadic};
use super::{Api, MORE};
use crate::rules::session::{Link, Native, failure};
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
                match session.clauses.iter_mut().find(|(other, _)| *other == clause) {
                    Some((_, times)) => *times += 1,
                    None => session.clauses.push((clause, 1)),
                }
                session.last_clause = Some(clause);
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
