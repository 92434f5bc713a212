//! Carries out the native functions that rules call most.

use std::mem::discriminant;
use std::sync::Arc;

use super::arguments::Key;
use super::code::Bytecode;
use super::fixed::{Cost, Fixed, Known};
use super::machine::Machine;
use super::owned::{Owned, Settable};
use super::quick::{CellTexts, Quick};
use super::site::Site;
use super::window::{Register, Window};
use crate::host;
use crate::natives::heading;
use crate::values::{Arena, Val, Wrong};
use referee_table::{Board, EventId};

impl Bytecode {
    /// Calls `work` with what the constants of the rules say of a board.
    #[inline(always)]
    fn with_cell_texts<T>(&self, board: &Arc<Board>, arena: &Arena, work: impl FnOnce(&CellTexts) -> T) -> T {
        let mut known = self.cell_texts.borrow_mut();
        if !known.board.as_ref().is_some_and(|known| Arc::ptr_eq(known, board)) {
            *known = self.cell_texts_of(board, arena);
        }
        work(&known)
    }

    #[cold]
    fn cell_texts_of(&self, board: &Arc<Board>, arena: &Arena) -> CellTexts {
        let texts = arena.texts.get(..self.constants().texts).unwrap_or_default();
        let mut names = vec![None; board.size()];
        let mut cells = Vec::with_capacity(texts.len());
        for (at, text) in (0..).zip(texts) {
            let cell = board.cell(text);
            cells.push(cell);
            // Other ways to write a name are not the name.
            if let Some(cell) = cell.filter(|cell| board.name(*cell) == text.as_str())
                && let Some(slot) = names.get_mut(cell.index())
            {
                *slot = Some(Val::Text(at));
            }
        }
        CellTexts { board: Some(Arc::clone(board)), cells, names }
    }
}

impl Machine<'_> {
    /// Carries out a call. Returns `false` without effect if it is to be called as any other native function.
    ///
    /// The result is written to its register here, because to return it would copy it twice.
    #[inline]
    pub(crate) fn quick(
        &mut self,
        quick: &Quick,
        site: &Site,
        to: Register,
        window: &mut Window<'_>,
    ) -> Result<bool, Wrong> {
        let first = site.args.first().map_or(Val::Nothing, |(at, _)| window[*at]);
        match quick {
            Quick::Set(owned, settable) => return self.try_set_by_name((*owned, *settable), first, site, to, window),
            Quick::SetNamed => return self.try_set_by_value(first, site, to, window),
            _ => {}
        }
        let value = match (quick, first) {
            (Quick::NameOf, Val::Cell(cell)) => {
                self.of_cell_texts(|texts| texts.names.get(cell.index()).copied().flatten())?
            }
            (Quick::NameOf, Val::Piece(piece)) => self.code.names.pieces.get(piece.index()).copied(),
            (Quick::NameOf, Val::Player(player)) => self.code.names.players.get(player.index()).copied(),
            (Quick::Occupied(kind), _) => {
                let arena = &mut self.memory.arena;
                Some(self.link.with(|session| Ok(arena.cells(session.covered_by_kind(*kind))))?)
            }
            _ => None,
        };
        if let Some(value) = value {
            window[to] = value;
        }
        Ok(value.is_some())
    }

    /// Puts the piece on a cell into the register `to`. Returns `false` if it is not asked of a cell.
    #[inline(always)]
    pub(crate) fn try_at(&mut self, window: &mut Window<'_>, to: Register, of: Register) -> Result<bool, Wrong> {
        let Val::Cell(cell) = window[of] else { return Ok(false) };
        let piece = self.link.with(|session| Ok(session.state.at(cell)))?;
        window[to] = piece.map_or(Val::Nothing, Val::Piece);
        Ok(true)
    }

    /// Puts the cell with a name into the register `to`. Returns `false` without effect if the name is no constant of the
    /// rules, or if the board has no such cell.
    #[inline(always)]
    pub(crate) fn try_cell_named(&self, window: &mut Window<'_>, to: Register, of: Register) -> Result<bool, Wrong> {
        let Val::Text(at) = window[of] else { return Ok(false) };
        let cell = self.of_cell_texts(|texts| texts.cells.get(at as usize).copied().flatten())?;
        if let Some(cell) = cell {
            window[to] = Val::Cell(cell);
        }
        Ok(cell.is_some())
    }

    /// Puts the cell one step on from a cell into the register `to`. Returns `false` if it is asked of something else, or
    /// if the board does not have the direction.
    #[inline(always)]
    pub(crate) fn try_step(&mut self, window: &mut Window<'_>, [to, of, with]: [Register; 3]) -> Result<bool, Wrong> {
        let Val::Cell(cell) = window[of] else { return Ok(false) };
        let next = self.link.with(|session| {
            let board = session.state.board();
            Ok(heading(board, &window[with]).map(|direction| board.step(cell, direction)))
        })?;
        let Some(next) = next else { return Ok(false) };
        window[to] = next.map_or(Val::Nothing, Val::Cell);
        Ok(true)
    }

    /// Rolls a die, lets a player choose, or adds a phase, and puts the result into the register `to`. Returns `false` if it
    /// is to be called as any other native function.
    #[inline(never)]
    pub(crate) fn try_ask(&mut self, site: &Site, window: &mut Window<'_>, to: Register) -> Result<bool, Wrong> {
        self.tick()?;
        let value = match &site.quick {
            Some(Quick::Roll(die)) => host::rolled(self.link, *die, &mut self.memory.arena)?,
            Some(Quick::Choose { ask, options, known }) => {
                let first = site.args.first().map_or(Val::Nothing, |(at, _)| window[*at]);
                let Val::Player(player) = first else { return Ok(false) };
                match options {
                    // Constants never change, so there is no need to look at them again.
                    Some(list) if known.get() => self.picked_known(player, Val::List(*list))?,
                    Some(list) => {
                        known.set(self.are_known(Val::List(*list)));
                        self.picked(player, *ask, Val::List(*list))?
                    }
                    None => {
                        let options = site.args.get(2).map_or(Val::Nothing, |(at, _)| window[*at]);
                        self.picked(player, *ask, options)?
                    }
                }
            }
            Some(Quick::Then { phase, known }) => {
                if !known.get() {
                    self.link.phase(phase, site.args.len().saturating_sub(1))?;
                    known.set(true);
                }
                let values = site.args.iter().skip(1).map(|(at, _)| window[*at]);
                host::queued(self.link, phase, values)?.then_some(Val::Nothing)
            }
            _ => None,
        };
        if let Some(value) = value {
            window[to] = value;
        }
        Ok(value.is_some())
    }

    /// Looks up the result of a call, and puts it into the register `to`. Returns `false` if the native function is to be
    /// called.
    #[inline(always)]
    pub(crate) fn try_lookup(
        &mut self,
        site: &Site,
        window: &mut Window<'_>,
        to: Register,
        of: Register,
        with: Register,
    ) -> Result<bool, Wrong> {
        self.tick()?;
        let Some(Quick::Lookup(lookup, constant)) = &site.quick else { return Ok(false) };
        let with = constant.as_ref().unwrap_or(&window[with]);
        let arena = &mut self.memory.arena;
        let found = self.link.with(|session| Ok(lookup(session, arena, &window[of], with)));
        let Some(found) = self.link.if_played(found)? else { return Ok(false) };
        if let Some(found) = found {
            window[to] = found;
        }
        Ok(found.is_some())
    }

    /// Puts the piece of a player into the register `to`. Returns `false` if it is not asked of a player, or if there is no
    /// such piece.
    #[inline(always)]
    pub(crate) fn try_mine(
        &mut self,
        site: &Site,
        window: &mut Window<'_>,
        to: Register,
        of: Register,
    ) -> Result<bool, Wrong> {
        let (Some(Quick::Mine(pieces)), Val::Player(player)) = (&site.quick, window[of]) else { return Ok(false) };
        let piece = pieces.get(player.index()).copied().flatten();
        if let Some(piece) = piece {
            window[to] = Val::Piece(piece);
        }
        Ok(piece.is_some())
    }

    /// Adds a value to a list. Returns `false` if it is not a list.
    #[inline(always)]
    pub(crate) fn try_push(
        &mut self,
        window: &mut Window<'_>,
        to: Register,
        of: Register,
        item: Register,
    ) -> Result<bool, Wrong> {
        self.tick()?;
        let Val::List(_) = window[of] else { return Ok(false) };
        let item = window[item];
        let arena = &mut self.memory.arena;
        arena.share(item);
        arena.lay_behind(&mut window[of], item)?;
        window[to] = Val::Nothing;
        Ok(true)
    }

    /// Puts the length of a list into the register `to`. Returns `false` without effect if it is not a list.
    #[inline(always)]
    pub(crate) fn try_length(&mut self, window: &mut Window<'_>, to: Register, of: Register) -> Result<bool, Wrong> {
        let Some(items) = self.memory.arena.items(window[of]) else { return Ok(false) };
        let length = i64::try_from(items.len()).unwrap_or(i64::MAX);
        window[to] = Val::Number(length);
        Ok(true)
    }

    /// Puts the value of a property into the register `to`. Returns `false` without effect if the owner is a map, or if
    /// the value is large.
    #[inline(always)]
    pub(crate) fn try_property(
        &mut self,
        window: &mut Window<'_>,
        to: Register,
        of: Register,
        owned: Owned,
    ) -> Result<bool, Wrong> {
        let Some((property, place)) = owned.place(window[of], &self.code.owners) else { return Ok(false) };
        let Some(value) = host::read_small(self.link, property, place)? else { return Ok(false) };
        window[to] = value;
        Ok(true)
    }

    /// Sets a flag or a counter. Returns `false` without effect but the count if the owner is a map, or if the value does not
    /// fit.
    #[inline(always)]
    pub(crate) fn try_set(
        &mut self,
        window: &Window<'_>,
        of: Register,
        owned: Owned,
        value: Register,
    ) -> Result<bool, Wrong> {
        let Some((property, place)) = owned.place(window[of], &self.code.owners) else { return Ok(false) };
        if !matches!(window[value], Val::Number(_) | Val::Truth(_)) {
            return Ok(false);
        }
        host::write_small(self.link, property, place, window[value])
    }

    /// Sets a property for a call of `set`, whose name is a constant. Returns `false` without effect if the owner does not
    /// have it, or if the value does not fit.
    fn try_set_by_name(
        &mut self,
        (owned, settable): (Owned, Settable),
        owner: Val,
        site: &Site,
        to: Register,
        window: &mut Window<'_>,
    ) -> Result<bool, Wrong> {
        let Some((property, place)) = owned.place(owner, &self.code.owners) else { return Ok(false) };
        let Some(value) = site.args.get(2).map(|(at, _)| window[*at]) else { return Ok(false) };
        let is_set = match (settable, host::small_value(value)) {
            (Settable::FlagOrCounter, _) => host::write_small(self.link, property, place, value)?,
            (Settable::Listed, _) => match Self::owner(owner) {
                Some(owner) => self.try_write(property, owner, value)?,
                None => false,
            },
            (_, Some(small)) if settable.is(value) => host::write_plain(self.link, property, place, small)?,
            _ => false,
        };
        if is_set {
            window[to] = Val::Nothing;
        }
        Ok(is_set)
    }

    /// Sets a property in the same way for a call of `set` whose name is a value.
    fn try_set_by_value(
        &mut self,
        owner: Val,
        site: &Site,
        to: Register,
        window: &mut Window<'_>,
    ) -> Result<bool, Wrong> {
        let name = site.args.get(1).map(|(at, _)| window[*at]);
        let settable = match name {
            Some(Val::Text(at)) => self.code.settable.get(at as usize).copied().flatten(),
            _ => None,
        };
        settable.map_or(Ok(false), |property| self.try_set_by_name(property, owner, site, to, window))
    }

    /// Reports an event that is not kept. Returns `false` without effect if its values may not have its form.
    #[inline(always)]
    pub(crate) fn try_emit(&self, site: &Site, window: &Window<'_>) -> Result<bool, Wrong> {
        let Some(forms) = &site.forms else { return Ok(false) };
        if !forms.iter().all(|(at, form)| discriminant(&window[*at]) == *form) {
            return Ok(false);
        }
        host::emitted(self.link, forms.iter().map(|(at, _)| host::weight(window[*at], &self.memory.arena)).sum())
    }

    /// Reports an event.
    #[inline(never)]
    pub(crate) fn event(&mut self, event: EventId, site: &Site, window: &mut Window<'_>) -> Result<(), Wrong> {
        let arguments = site.args.get(1..).unwrap_or_default().iter().map(|(at, _)| window[*at]);
        if !host::only_emitted(self.link, event, arguments, &self.memory.arena)? {
            self.tick()?;
            site.load(window);
            let (mut few, mut many) = Default::default();
            let values = site.values(window, &mut few, &mut many);
            self.native(site.natives()?, &site.name, site.position, values)?;
        }
        Ok(())
    }

    /// Returns what the constants of the rules say of the present board.
    #[inline(always)]
    fn of_cell_texts<T>(&self, work: impl FnOnce(&CellTexts) -> Option<T>) -> Result<Option<T>, Wrong> {
        let (code, arena) = (self.code, &self.memory.arena);
        self.link.with(|session| Ok(code.with_cell_texts(&session.state.table.board, arena, work)))
    }

    /// Returns whether the result of a call is remembered at its call site; then it is in the register `to`.
    #[inline]
    pub(crate) fn try_fixed(&mut self, site: &Site, to: Register, window: &mut Window<'_>) -> Result<bool, Wrong> {
        self.tick()?;
        let Some(known) = &site.fixed else { return Ok(false) };
        let Some(key) = known.key(window, self.code.constants()) else { return Ok(false) };
        let value = self.known(known, &key)?;
        if let Some(value) = value {
            window[to] = value;
        }
        Ok(value.is_some())
    }

    /// Returns a result that is remembered at a call site.
    #[inline]
    fn known(&mut self, known: &Known, key: &Key) -> Result<Option<Val>, Wrong> {
        let arena = &mut self.memory.arena;
        let found = self.link.with(|session| {
            Ok(known.get(key, &session.state.table).map(|found| {
                let (result, cost) = &*found;
                let (work, bytes) = (arena.work().get() + cost.work, arena.bytes() + cost.bytes);
                let value = match result {
                    Fixed::Small(value) => *value,
                    result => result.lay(arena),
                };
                arena.work().set(work);
                arena.has_grown_to(bytes);
                value
            }))
        });
        self.link.if_played(found).map(Option::flatten)
    }

    /// Calls a native function whose result stays the same for equal arguments while the table does not change, and
    /// remembers the result. Returns `None` without effect if it cannot be remembered for these arguments.
    pub(crate) fn fixed(&mut self, known: &Known, site: &Site, window: &mut Window<'_>) -> Result<Option<Val>, Wrong> {
        let Some(key) = known.key(window, self.code.constants()) else { return Ok(None) };
        if let Some(value) = self.known(known, &key)? {
            return Ok(Some(value));
        }
        site.load(window);
        let (mut few, mut many) = Default::default();
        let values = site.values(window, &mut few, &mut many);
        let so_far = |machine: &Self| {
            (machine.link.meter.operations() + machine.memory.arena.work().get(), machine.memory.arena.bytes())
        };
        let (operations, bytes) = so_far(self);
        let value = self.native(site.natives()?, &site.name, site.position, values)?;
        let after = so_far(self);
        let cost = Cost { work: after.0.saturating_sub(operations), bytes: after.1.saturating_sub(bytes) };
        let table = self.link.with(|session| Ok(Arc::clone(&session.state.table)));
        let Some(table) = self.link.if_played(table)? else { return Ok(Some(value)) };
        if !known.takes(&key, &table) {
            return Ok(Some(value));
        }
        let Some(result) = Fixed::of_native(value, &self.memory.arena, self.code.constants()) else {
            return Ok(Some(value));
        };
        // The first call gives the same value as later ones.
        let value = if let Fixed::Small(small) = result { small } else { value };
        known.note(key, table, (result, cost));
        Ok(Some(value))
    }
}
