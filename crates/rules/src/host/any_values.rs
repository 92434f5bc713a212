//! Makes what stands among options for any values of an ask.

use rhai::Dynamic;

use super::asks::action;
use super::names::Role;
use super::open::{never_open, stands_for_any};
use super::options::listed;
use super::session::{Link, Session};
use crate::values::{Native, failure};
use referee_table::AskId;
use referee_trace::Action;

/// Returns what stands among options for any values of an ask; `suggested` are options of this ask, as `choose` takes them.
pub(crate) fn may_any(link: &Link, verb: &str, suggested: Option<&Dynamic>) -> Native<Action> {
    link.with(|session| {
        let schema = session.state.schema();
        let ask = schema.ask(verb).ok_or_else(|| link.unknown(schema, Role::Ask, verb))?;
        let Some(form) = schema.asks.get(ask.index()) else { return Err(failure("unknown ask")) };
        if let Some(why) = never_open(form) {
            return Err(failure(why));
        }
        let suggested = suggested.map(|options| suggestions(link, session, (ask, verb), options)).transpose()?;
        let values = suggested.map(|actions| actions.into_iter().map(|action| action.values).collect());
        Ok(Action::any(ask, form.kinds().len(), values))
    })
}

fn suggestions(link: &Link, session: &Session, (ask, verb): (AskId, &str), options: &Dynamic) -> Native<Vec<Action>> {
    let offered = listed(options)?;
    link.meter.charge(offered.len() as u64)?;
    let one = |option: &Dynamic| {
        let suggested = match option.read_lock::<Action>() {
            Some(made) => made.clone(),
            None => action(link, session, ask, std::slice::from_ref(option))?,
        };
        match suggested.ask == ask && !stands_for_any(session, &suggested) {
            true => Ok(suggested),
            false => Err(failure(format!("what `may_any(\"{verb}\", …)` suggests is made by `may(\"{verb}\", …)`"))),
        }
    };
    offered.iter().map(one).collect()
}
