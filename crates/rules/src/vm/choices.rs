//! Choices of players without a full question.

use referee_diagnostic::MustBe as _;
use smallvec::SmallVec;
use std::mem::discriminant;

use super::machine::{Machine, Values};
use super::site::Site;
use super::window::Window;
use crate::host::{are_distinct, made, pick, pick_action, pick_known, pick_plain, small_value};
use crate::natives::Given;
use crate::values::{Val, Wrong};
use referee_table::{AskId, PlayerId};
use referee_trace::Action;

impl Machine<'_> {
    /// Returns an action that a player may take.
    pub(crate) fn may(&mut self, ask: AskId, site: &Site, window: &mut Window<'_>) -> Given {
        self.tick()?;
        if let Some(forms) = &site.forms
            && forms.iter().all(|(at, form)| discriminant(&window[*at]) == *form)
        {
            let values = forms.iter().filter_map(|(at, _)| small_value(window[*at])).collect();
            return Ok(self.memory.arena.actions(Action { ask, values }));
        }
        site.load(window);
        let (mut few, mut many) = Default::default();
        let values = site.values(window, &mut few, &mut many);
        let arena = &mut self.memory.arena;
        match made(self.link, ask, values.get(1..).unwrap_or_default(), arena)? {
            Some(action) => Ok(arena.actions(action)),
            None => self.native(site.natives()?, &site.name, site.position, values),
        }
    }

    /// Returns the ask with this verb.
    pub(crate) fn ask_named(&self, verb: Val) -> Option<AskId> {
        let verb = self.memory.arena.text_of(verb)?;
        self.link.with(|session| Ok(session.state.schema().ask(verb))).ok().flatten()
    }

    /// Returns a player's choice without a full question; `None` if the full question is needed.
    pub(crate) fn picked(&mut self, player: PlayerId, ask: AskId, options: Val) -> Result<Option<Val>, Wrong> {
        let arena = &self.memory.arena;
        match options {
            Val::List(_) => {
                let Some(items) = arena.items(options) else { return Ok(None) };
                if !matches!(items.first(), Some(Val::Action(_))) {
                    return pick_plain(self.link, player, ask, items);
                }
                if items.iter().all(|option| self.map_of(*option).is_some()) {
                    return if are_distinct(items) { self.picked_known(player, options) } else { Ok(None) };
                }
                let chosen = self.picked_action(player, items)?;
                Ok(chosen.map(|action| self.chosen(&action)))
            }
            Val::Cells(at) => {
                let Some(cells) = arena.cells.get(at as usize) else { return Ok(None) };
                let options: Values = cells.iter().map(Val::Cell).collect();
                pick_plain(self.link, player, ask, &options)
            }
            Val::Moves(at) => {
                let Some(moves) = arena.several.get(at as usize) else { return Ok(None) };
                let made = pick(self.link, player, ask, moves)?;
                Ok(made.map(|made| self.memory.arena.single(made)))
            }
            _ => Ok(None),
        }
    }

    /// Returns the map that a script gets for an action without values among the constants.
    fn map_of(&self, option: Val) -> Option<Val> {
        match option {
            Val::Action(at) => self.code.chosen.maps.get(at as usize).copied(),
            _ => None,
        }
    }

    /// Returns whether options are actions without values among the constants, without duplicates.
    pub(crate) fn are_known(&self, options: Val) -> bool {
        let items = self.memory.arena.items(options).map(Vec::as_slice).unwrap_or_default();
        items.iter().all(|option| self.map_of(*option).is_some()) && are_distinct(items)
    }

    /// Returns a player's choice among such options, in the same way.
    pub(crate) fn picked_known(&self, player: PlayerId, options: Val) -> Result<Option<Val>, Wrong> {
        let items = self.memory.arena.items(options).map(Vec::as_slice).unwrap_or_default();
        let at = pick_known(self.link, player, items.len())?;
        Ok(at.and_then(|at| items.get(at)).and_then(|option| self.map_of(*option)))
    }

    /// Returns a player's choice among options made by `may`, in the same way.
    fn picked_action(&self, player: PlayerId, options: &[Val]) -> Result<Option<Action>, Wrong> {
        let action = |option: &Val| match option {
            Val::Action(at) => self.memory.arena.actions.get(*at as usize),
            _ => None,
        };
        let offered: Option<SmallVec<[&Action; 16]>> = options.iter().map(action).collect();
        let Some(offered) = offered else { return Ok(None) };
        let at = pick_action(self.link, player, &offered)?;
        Ok(at.and_then(|at| offered.get(at)).map(|action| (*action).clone()))
    }

    /// Returns the map that a script gets for a chosen action.
    fn chosen(&mut self, action: &Action) -> Val {
        let names = &self.code.chosen;
        let verb = names.verbs.get(action.ask.index()).copied().or_missing("the verb of an ask", Val::Nothing);
        let arena = &mut self.memory.arena;
        let values: Vec<Val> = action.values.iter().map(|value| arena.of_value(value)).collect();
        let first = values.first().copied().unwrap_or_default();
        arena.share(first);
        names.map(first, values, verb, arena)
    }
}
