//! Asks that take any values which the rules do not refuse.

use rhai::Dynamic;

use super::asks::action;
use super::names::Role;
use super::options::listed;
use super::session::{Link, Session};
use crate::values::{Native, failure};
use referee_table::{AskId, Form, Kind};
use referee_trace::{Action, OpenAsk};

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

/// Returns why an ask of this form cannot take any values; `None` if it can.
pub(crate) fn never_open(form: &Form) -> Option<String> {
    let verb = &form.verb;
    let kinds = form.kinds();
    let is_move = |kind: &Kind| match kind {
        Kind::Many(of) => **of == Kind::Move,
        kind => *kind == Kind::Move,
    };
    if kinds.is_empty() {
        return Some(format!("`{verb}` has no values: write `may(\"{verb}\")`"));
    }
    kinds.iter().any(|(kind, _)| is_move(kind)).then(|| {
        format!("`{verb}` has a move, and only rules that list moves know what they capture: use the form of cells")
    })
}

/// Returns whether an action stands for any values of its ask.
pub(super) fn stands_for_any(session: &Session, action: &Action) -> bool {
    let form = session.state.schema().asks.get(action.ask.index());
    form.is_some_and(|form| action.is_any(form.kinds().len()))
}

/// The open asks of a decision, and what is suggested for them.
#[derive(Default)]
pub(super) struct Opened {
    pub(super) asks: Vec<OpenAsk>,
    pub(super) suggested: Vec<Action>,
}

impl Opened {
    /// Adds what stands for any values of an ask.
    pub(super) fn add(&mut self, any: &Action) {
        let suggested = any.suggested();
        let suggests = suggested.is_some();
        self.suggested.extend(suggested.into_iter().flatten());
        match self.asks.iter_mut().find(|open| open.ask == any.ask) {
            Some(open) => open.suggests |= suggests,
            None => self.asks.push(OpenAsk { ask: any.ask, suggests }),
        }
    }

    /// Checks that no ask is both listed and open.
    ///
    /// # Errors
    /// Returns an error if one is.
    pub(super) fn are_apart(&self, session: &Session, listed: &[Action]) -> Native<()> {
        let both = listed.iter().find(|option| self.asks.iter().any(|open| open.ask == option.ask));
        let Some(both) = both else { return Ok(()) };
        let verb = session.state.schema().verb(both.ask);
        Err(failure(format!(
            "`{verb}` is offered with any values, and this one is listed besides: suggest it, `may_any(\"{verb}\", [may(\"{verb}\", \
             …)])`, or list all of them"
        )))
    }
}
