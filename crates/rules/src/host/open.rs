//! Asks that take any values which the rules do not refuse.

use super::session::Session;
use crate::values::{Native, failure};
use referee_table::{Form, Kind};
use referee_trace::{Action, OpenAsk};

/// Returns why an ask of this form cannot take any values; `None` if it can.
pub(crate) fn never_open(form: &Form) -> Option<String> {
    let verb = &form.verb;
    let kinds = form.kinds();
    let is_move = |kind: &Kind| match kind {
        Kind::Many(_, of) => **of == Kind::Move,
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
