//! Looks at the position after a move, `if_made(move, || …)`: the move is made in the memory, and what it has changed is put back.
//!
//! The host does it where a function changes the position, or looks at more than the position. What is done for
//! `if_made(|| …, || …)` is in [`super::effects`].

use std::collections::BTreeSet;

use wasm_encoder::{Instruction as I, ValType};

use super::body::{Body, at, long, word};
use super::callee::is_look;
use super::compiler::{Compiler, Emit};
use super::layout::{self, Layout};
use super::long_moves;
use super::of_board::OfBoard;
use super::outline::is_in_variable;
use super::runtime;
use super::unit::Unit;
use super::value::{Tag, Ty};
use crate::natives::{self, Does, Form, Special};
use crate::script::{Call, Name, Node, What};

/// What is put back after a move: the variables with what was there.
struct Before {
    /// The cells of the move, and what was on them.
    from: u32,
    to: u32,
    pieces: [u32; 2],
    /// Where the pieces that were there are, and the words of it.
    places: [u32; 2],
    words: [u32; 2],
    /// Where a copy of the state is, if the move has several steps or captures elsewhere.
    copy: u32,
}

impl Unit<'_, '_> {
    /// Writes a look at the position after a move. Returns `None`, with nothing done, for any other call, and if the host is to do it.
    pub(super) fn look(&mut self, call: &Call) -> Emit<Option<Ty>> {
        let [made, seen] = call.args.as_slice() else { return Ok(None) };
        let What::Closure(closure) = &seen.what else { return Ok(None) };
        let shapes = self.with.layout.shapes;
        let is_plain = shapes.small && shapes.moves && self.with.layout.footprints.is_none();
        if !is_look(call) || !is_plain || !closure.params.is_empty() || closure.this {
            return Ok(None);
        }
        if self.with.ty(&made.kind) != Ty::id(Tag::Move) || !self.with.only_looks(&closure.body, &mut BTreeSet::new()) {
            return Ok(None);
        }
        let Some(number) = self.with.of_board(OfBoard::Make) else { return Ok(None) };
        let ty = self.with.ty(&closure.body.kind);
        let [of, moved, changes, after] = std::array::from_fn(|_| self.body.local(ValType::I32));
        self.to(made, Ty::id(Tag::Move))?;
        self.body.set(of);
        self.body.raise(layout::LOOKING, 1);
        for (place, local) in [(layout::MOVED, moved), (layout::CHANGES, changes)] {
            self.body.load(place);
            self.body.set(local);
        }
        let before = Before::of(&mut self.body, &self.with.layout, of);
        self.body.get(of);
        self.body.call(number);
        self.body.load(layout::CHANGES);
        self.body.set(after);
        self.count([&closure.body]);
        self.closure(closure, ty)?;
        before.put_back(&mut self.body, &self.with.layout, of);
        self.body.raise(layout::LOOKING, -1);
        // If the host has seen the position, it must see this one again; otherwise nothing has happened.
        self.body.load(layout::CHANGES);
        self.body.get(after);
        self.body.add(I::I32Eq);
        self.body.when(None);
        for (place, local) in [(layout::MOVED, moved), (layout::CHANGES, changes)] {
            self.body.word(0);
            self.body.get(local);
            self.body.add(I::I32Store(word(place)));
        }
        self.body.otherwise();
        self.body.store(layout::MOVED, 1);
        self.body.raise(layout::CHANGES, 1);
        self.body.end();
        for local in [of, moved, changes, after] {
            self.body.done(ValType::I32, local);
        }
        Ok(Some(ty))
    }

    /// Writes what is only done in the position that is played: not where rules look at another one.
    pub(super) fn unless_looking(&mut self, work: impl FnOnce(&mut Self)) {
        if !self.with.looks {
            return work(self);
        }
        self.body.load(layout::LOOKING);
        self.body.add(I::I32Eqz);
        self.body.when(None);
        work(self);
        self.body.end();
    }
}

impl Before {
    /// Keeps what the move in a variable changes.
    fn of(b: &mut Body, layout: &Layout, made: u32) -> Self {
        let [from, to, one, other, place, goal, copy] = std::array::from_fn(|_| b.local(ValType::I32));
        let words = std::array::from_fn(|_| b.local(ValType::I64));
        let before = Self { from, to, pieces: [one, other], places: [place, goal], words, copy };
        before.if_long(
            b,
            layout,
            made,
            |b, before| {
                runtime::allocated(b, size(layout));
                b.set(before.copy);
                let from = b.local(ValType::I32);
                b.word(layout::STATE.cast_signed());
                b.set(from);
                copied(b, layout, from, before.copy);
                b.done(ValType::I32, from);
            },
            |b, before| {
                for (cell, first) in [(before.from, true), (before.to, false)] {
                    b.get(made);
                    long_moves::cell(b, first);
                    b.all([I::I32Const(1), I::I32Shl]);
                    b.set(cell);
                }
                let parts = before.pieces.iter().zip(before.places).zip(before.words);
                for (cell, ((piece, place), kept)) in [before.from, before.to].into_iter().zip(parts) {
                    b.get(cell);
                    b.add(I::I32Load16U(at(layout.board(), 1)));
                    b.tee(*piece);
                    b.all([I::I32Const(2), I::I32Shl, I::I32Load(word(layout.held_at))]);
                    b.tee(place);
                    b.add(I::I64Load(long(0)));
                    b.set(kept);
                }
            },
        );
        before
    }

    /// Puts back what the move in a variable has changed.
    fn put_back(self, b: &mut Body, layout: &Layout, made: u32) {
        self.if_long(
            b,
            layout,
            made,
            |b, before| {
                let to = b.local(ValType::I32);
                b.word(layout::STATE.cast_signed());
                b.set(to);
                copied(b, layout, before.copy, to);
                b.done(ValType::I32, to);
            },
            |b, before| {
                for (place, kept) in before.places.into_iter().zip(before.words) {
                    b.get(place);
                    b.get(kept);
                    b.add(I::I64Store(long(0)));
                }
                for (cell, piece) in [before.from, before.to].into_iter().zip(before.pieces) {
                    b.get(cell);
                    b.get(piece);
                    b.add(I::I32Store16(at(layout.board(), 1)));
                }
            },
        );
        for local in [self.from, self.to, self.copy].into_iter().chain(self.pieces).chain(self.places) {
            b.done(ValType::I32, local);
        }
        self.words.into_iter().for_each(|local| b.done(ValType::I64, local));
    }

    /// Writes what is done for a move of several steps or that captures elsewhere, and what for any other one.
    fn if_long(
        &self,
        b: &mut Body,
        layout: &Layout,
        made: u32,
        is_long: impl FnOnce(&mut Body, &Self),
        otherwise: impl FnOnce(&mut Body, &Self),
    ) {
        if layout.shapes.plain {
            return otherwise(b, self);
        }
        long_moves::is_long(b, made);
        b.when(None);
        is_long(b, self);
        b.otherwise();
        otherwise(b, self);
        b.end();
    }
}

/// The size in bytes of the state, with the columns behind it.
pub(super) fn size(layout: &Layout) -> u32 {
    let state = u32::try_from(layout.state.size().next_multiple_of(8)).unwrap_or(u32::MAX);
    layout.columns.map_or(state, |columns| columns.end() - layout::STATE)
}

/// How many words are copied in a round.
const AT_ONCE: u32 = 8;

/// Copies the bytes of the state from the address in a variable to that in another one, and leaves both.
pub(super) fn copied(b: &mut Body, layout: &Layout, from: u32, to: u32) {
    let [left, source, goal] = std::array::from_fn(|_| b.local(ValType::I32));
    for (local, begin) in [(source, from), (goal, to)] {
        b.get(begin);
        b.set(local);
    }
    let copy = |b: &mut Body, count: u32| {
        for number in 0..count {
            b.get(goal);
            b.get(source);
            b.all([I::I64Load(long(8 * number)), I::I64Store(long(8 * number))]);
        }
    };
    let words = size(layout) / 8;
    b.word((words / AT_ONCE).cast_signed());
    b.set(left);
    b.rounds(left, |b| {
        copy(b, AT_ONCE);
        b.step(goal, 8 * AT_ONCE.cast_signed());
        b.step(source, 8 * AT_ONCE.cast_signed());
    });
    copy(b, words % AT_ONCE);
    for local in [left, source, goal] {
        b.done(ValType::I32, local);
    }
}

impl Compiler<'_> {
    /// Returns whether a node, with all functions that it calls, only looks at the position: it changes nothing in the game, asks
    /// nothing, and neither lists moves nor ends the game. `seen` are the functions that were looked at.
    fn only_looks(&self, node: &Node, seen: &mut BTreeSet<(String, usize)>) -> bool {
        let mut calls = Vec::new();
        let mut looks = true;
        node.walk(&mut |part| match &part.what {
            What::Assign(assign) => looks &= is_in_variable(&assign.to),
            What::Call(call) => {
                let is_own = self.with.script.function(&call.name, call.args.len()).is_some();
                if is_own && !call.method && !call.with_scope {
                    calls.push((call.name.to_string(), call.args.len()));
                } else {
                    looks &= !is_own && self.native_looks(call);
                }
            }
            What::Throw(_) | What::Try(_) | What::Strange(_) | What::This | What::Name(Name::Function(_)) => {
                looks = false
            }
            _ => {}
        });
        looks
            && calls.into_iter().all(|key| {
                let function = self.with.script.function(&key.0, key.1);
                !seen.insert(key) || function.is_some_and(|function| self.only_looks(&function.body, seen))
            })
    }

    /// Returns whether a native only looks at the position.
    fn native_looks(&self, call: &Call) -> bool {
        let (name, count) = (call.name.as_str(), call.args.len());
        if call.with_scope || call.is_on_value() || natives::lists_moves(name) || self.looking_back.contains(name) {
            return false;
        }
        if matches!(call.natives.special(), Some(Special::Call | Special::Curry | Special::Pointer)) {
            return false;
        }
        let schema = self.with.schema;
        if !call.natives.are_known(count) {
            let is_of_game = schema.kind(name).is_some() || schema.zones.iter().any(|zone| zone.name == name);
            return is_of_game && (1..=2).contains(&count);
        }
        call.natives.taking(count).all(|form: &Form| match form.entry.does {
            Does::Nothing | Does::Reports => true,
            Does::ChangesFirst | Does::Fills => call.args.first().is_some_and(is_in_variable),
            Does::Changes | Does::Asks | Does::MayAsk | Does::Ends => false,
        })
    }
}
