//! Functions that emit events and report applied clauses.

use rhai::{Dynamic, ImmutableString};

use super::entry::{By, Cost, Does, Entry, MORE, Reads, Shortcut, Special, Stays, Worst, shows};
use super::registry::variadic;
use crate::host::{Link, Role, fill, in_order};
use crate::values::Native;
use referee_trace::Event;

/// The functions of this subject.
pub(super) static ENTRIES: &[Entry] = &[
    Entry {
        form: "event(verb: event, …)",
        doc: "Emits a declared event with its values, in the order of its form. A value that the form may leave out can be \
         `()`.",
        example: shows("event(\"says\", \"x\")", "()"),
        reads: Reads::Nothing,
        does: Does::Reports,
        cost: Cost::Small,
        worst: Worst::Same(&["event(\"says\", \"x\")"]),
        stays: Stays::Computed,
        by: By::Machine(Shortcut::Own(Special::Event), |api| {
            let link = api.link();
            api.add(move |verb: ImmutableString| event(&link, &verb, &[]));
            variadic!(api, event, MORE);
        }),
    },
    Entry {
        form: "clause(id: clause)",
        doc: "Reports that a clause of the rulebook was applied: `clause(\"B4\")`.",
        example: shows("clause(\"A1\")", "()"),
        reads: Reads::Nothing,
        does: Does::Reports,
        cost: Cost::Small,
        worst: Worst::Same(&["clause(\"A1\")"]),
        stays: Stays::Computed,
        by: By::Machine(Shortcut::Own(Special::Clause), |api| {
            let link = api.link();
            api.add(move |id: ImmutableString| {
                link.with(|session| {
                    let schema = session.state.schema();
                    let clause = schema.clause(&id).ok_or_else(|| link.unknown(schema, Role::Clause, &id))?;
                    session.applied(clause);
                    Ok(())
                })
            });
        }),
    },
];

fn event(link: &Link, verb: &str, values: &[Dynamic]) -> Native<()> {
    link.with(|session| {
        let schema = session.state.schema();
        let id = schema.event(verb).ok_or_else(|| link.unknown(schema, Role::Event, verb))?;
        let Some(form) = schema.events.get(id.index()) else { return Ok(()) };
        let mut values = fill(link, session, form, values)?;
        in_order(form, &mut values);
        if session.is_looking() {
            return Ok(());
        }
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
