//! What a pause within a phase keeps: where an ask has no number, compiled rules put the variables that are read from there on into the
//! memory, so that the host knows which pauses are the same. These are those that the machine keeps there, so both find the same
//! pauses. Nothing goes on from there: see [`super::stepping`].

use std::hash::Hasher;

use rhai::Position;
use wasm_encoder::Instruction as I;

use super::body::long as at;
use super::compiler::Emit;
use super::computing::Keys;
use super::host::Host;
use super::layout;
use super::unit::Unit;
use super::value::Ty;
use super::words::{GaveUp, long, word};
use crate::natives::Special;
use crate::script::{Function, LocalId, Name, What};
use crate::values::{Mark, Val};
use crate::vm::{Frame, Held, Kept, Pausing, hash_paused};

/// Returns the functions that run as phases if they run at all: no other one calls them.
pub(super) fn only_phases<'s>(functions: &[&'s Function]) -> Keys<'s> {
    let mut called = Keys::new();
    let mut named = Vec::new();
    let mut any = false;
    for function in functions {
        function.body.walk(&mut |node| match &node.what {
            What::Call(call) => {
                any |= call.natives.special() == Some(Special::Pointer);
                called.insert((call.name.as_str(), call.args.len()));
            }
            What::Name(Name::Function(name)) => named.push(name.as_str()),
            _ => {}
        });
    }
    let keys = functions.iter().filter(|function| !any && !function.this && !function.is_built_in());
    keys.map(|function| function.key()).filter(|key| !called.contains(key) && !named.contains(&key.0)).collect()
}

impl Unit<'_, '_> {
    /// Before an ask at a place: puts what is kept there into the memory, if phases run one at a time and there is no number for it.
    /// `args` are arguments of the ask that were computed, each with its number, its variable and its type.
    pub(super) fn pausing(&mut self, place: Position, args: &[(usize, u32, Ty)]) -> Emit {
        if !self.with.layout.one_by_one {
            return Ok(());
        }
        self.body.load(layout::NEXT);
        self.body.load(layout::LIMIT);
        self.body.add(I::I32GeU);
        self.body.when(None);
        let number = match self.known_pause(place, args) {
            Some(pausing) => {
                for (place, (_, kept)) in (layout::HELD..).step_by(8).zip(&pausing.kept) {
                    self.body.word(0);
                    let ty = self.kept_value(*kept, args);
                    self.convert(ty, Ty::Any);
                    self.body.add(I::I64Store(at(place)));
                }
                self.with.pauses.push(pausing);
                self.with.pauses.len()
            }
            None => 0,
        };
        self.body.store(layout::PAUSED_AT, i32::try_from(number).unwrap_or_default());
        self.body.end();
        Ok(())
    }

    /// Returns what is kept at the ask with this place; `None` if that is not known, or not there.
    fn known_pause(&self, place: Position, args: &[(usize, u32, Ty)]) -> Option<Pausing> {
        let key = self.function.key();
        if self.nested > 0 || !self.closures.is_empty() || !self.with.only_phases.contains(&key) {
            return None;
        }
        let pausing = (self.with.with.pauses)(key, place)?;
        let is_there = |kept: &Kept| match kept {
            Kept::Variable(local) => self.is_declared(*local),
            Kept::Argument(number) => args.iter().any(|(other, ..)| other == number),
        };
        let fits = pausing.kept.len() <= layout::MOST_HELD && pausing.kept.iter().all(|(_, kept)| is_there(kept));
        fits.then_some(pausing)
    }

    fn is_declared(&self, local: LocalId) -> bool {
        let scope = &self.scope;
        scope.known.contains_key(&local) || scope.apart.contains_key(&local) || scope.locals.contains_key(&local)
    }

    /// Puts a value that is kept on the stack.
    fn kept_value(&mut self, kept: Kept, args: &[(usize, u32, Ty)]) -> Ty {
        match kept {
            Kept::Variable(local) => self.variable(local),
            Kept::Argument(number) => match args.iter().find(|(other, ..)| *other == number) {
                Some((_, local, ty)) => {
                    self.body.get(*local);
                    *ty
                }
                None => Ty::Never,
            },
        }
    }
}

impl Host {
    /// Hashes what decides how the phase goes on from the ask where the module has stopped, besides the state and the phases that it has
    /// added. Gives up where that is not known.
    pub(super) fn hash_pause(&mut self, bytes: &[u8], hasher: &mut impl Hasher) -> Result<(), GaveUp> {
        let stepping = self.stepping.as_mut().ok_or(GaveUp)?;
        if !stepping.stopped || stepping.given.borrow().wanted.is_some() {
            return Err(GaveUp);
        }
        // What is made here is forgotten with the phase.
        stepping.called = true;
        let number = word(bytes, layout::PAUSED_AT).and_then(|number| number.checked_sub(1)).ok_or(GaveUp)?;
        let pausing = self.pauses.get(number as usize).ok_or(GaveUp)?;
        let frame = Frame::first(pausing.function, pausing.next);
        let mut values = vec![Val::Nothing; pausing.registers];
        let registers: Vec<_> = pausing.kept.iter().map(|(register, _)| usize::from(*register)).collect();
        for (place, register) in (layout::HELD..).step_by(8).zip(registers) {
            let value = self.unwrapped(bytes, long(bytes, place).ok_or(GaveUp)?, 0)?;
            *values.get_mut(register).ok_or(GaveUp)? = value;
        }
        let arena = &self.memory.arena;
        let held = Held { values: &values, constants: (arena, &Mark::default()), arena };
        hash_paused(&[frame], &[], held, hasher);
        Ok(())
    }
}
