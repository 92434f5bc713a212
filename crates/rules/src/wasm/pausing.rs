//! What a pause within a phase keeps: where an ask has no number, and before a call of a function that may ask, compiled rules
//! put the variables that are read from there on into the memory, each function behind those that have called it. So the host
//! knows which pauses are the same. These are the values that the machine keeps there, so both find the same pauses. Nothing
//! goes on from there: see [`super::stepping`].

use std::hash::Hasher;

use rhai::Position;
use smallvec::SmallVec;
use wasm_encoder::Instruction as I;

use super::body::long as at;
use super::compiler::Emit;
use super::computing::Keys;
use super::host::Host;
use super::layout;
use super::runtime;
use super::unit::Unit;
use super::value::{TAG_BITS, Tag, Ty};
use super::words::{GaveUp, long, word};
use crate::natives::{self, Special};
use crate::script::{Function, LocalId, Node, Target, What};
use crate::values::{DEPTH, Mark, Val};
use crate::vm::{Frame, Held, Kept, Pausing, hash_paused};

/// The bytes of a kept value, and how many a function keeps at most.
const WORD: u32 = 8;
const MOST_KEPT: u32 = 32 * WORD;

/// Returns the functions that may ask.
pub(super) fn asking<'s>(functions: &[&'s Function]) -> Keys<'s> {
    let mut found = Keys::new();
    loop {
        let more = functions.iter().filter(|function| may_ask(&function.body, &found));
        let more: Keys<'s> = more.map(|function| function.key()).collect();
        if more.len() == found.len() {
            return found;
        }
        found = more;
    }
}

/// Returns whether a node may ask, given the functions that may.
pub(super) fn may_ask(node: &Node, asking: &Keys<'_>) -> bool {
    let mut any = false;
    node.walk(&mut |node| {
        any |= node.call().is_some_and(|call| {
            natives::askers().any(|name| name == call.name)
                || call.natives.special() == Some(Special::Call)
                || asking.contains(&(call.name.as_str(), call.args.len()))
        });
    });
    any
}

impl Unit<'_, '_> {
    /// Before an ask at a place: puts what is kept there into the memory, if phases run one at a time and there is no number for
    /// it. `args` are arguments of the ask that were computed, each with its number, its variable and its type.
    pub(super) fn pausing(&mut self, place: Position, args: &[(usize, u32, Ty)]) -> Emit {
        if !self.with.layout.one_by_one {
            return Ok(());
        }
        self.body.load(layout::NEXT);
        self.body.load(layout::LIMIT);
        self.body.add(I::I32GeU);
        self.body.when(None);
        let pausing = self.known_pause(place, args);
        self.keep(pausing, args);
        self.body.end();
        Ok(())
    }

    /// Before a call at a place of a function that may ask: puts what is kept there into the memory. Returns how many bytes that
    /// is, which [`Self::called`] takes away.
    pub(super) fn calling(&mut self, place: Position, key: (&str, usize), args: &[Node]) -> i32 {
        if !self.with.layout.one_by_one || !self.with.asking.contains(&key) {
            return 0;
        }
        let is_recursive = self.with.callee(key).is_none_or(|callee| callee.recursive);
        let pausing = if is_recursive || !args.iter().all(only_reads) { None } else { self.known_pause(place, &[]) };
        let size = self.keep(pausing, &[]);
        self.body.raise(layout::HELD_TOP, size);
        // There is always room for what one more function keeps.
        self.body.load(layout::HELD_TOP);
        self.body.all([I::I32Const((layout::HELD_END - MOST_KEPT).cast_signed()), I::I32GtU]);
        self.body.give_up_if();
        size
    }

    /// After such a call.
    pub(super) fn called(&mut self, size: i32) {
        if size > 0 {
            self.body.raise(layout::HELD_TOP, -size);
        }
    }

    /// Puts what a function keeps behind what its callers keep. Returns how many bytes that is.
    fn keep(&mut self, pausing: Option<Pausing>, args: &[(usize, u32, Ty)]) -> i32 {
        let kept = pausing.as_ref().map(|pausing| pausing.kept.clone()).unwrap_or_default();
        for ((_, kept), place) in kept.iter().zip((WORD..).step_by(WORD as usize)) {
            self.body.load(layout::HELD_TOP);
            let ty = self.kept_value(*kept, args);
            self.convert(ty, Ty::Any);
            self.body.add(I::I64Store(at(place)));
        }
        let number = pausing.map_or(0, |pausing| {
            self.with.pauses.push(pausing);
            self.with.pauses.len()
        });
        self.body.load(layout::HELD_TOP);
        self.body.long(i64::try_from(number).unwrap_or_default());
        self.body.add(I::I64Store(at(0)));
        WORD.cast_signed() * i32::try_from(1 + kept.len()).unwrap_or(i32::MAX)
    }

    /// Returns what is kept at a pause with this place; `None` if that is not known, or not there.
    fn known_pause(&self, place: Position, args: &[(usize, u32, Ty)]) -> Option<Pausing> {
        let pausing = (self.with.with.pauses)(self.function.key(), place)?;
        let is_there = |kept: &Kept| match kept {
            Kept::Variable(local) => self.is_declared(*local),
            Kept::Argument(number) => args.iter().any(|(other, ..)| other == number),
        };
        let fits = pausing.kept.len() < MOST_KEPT as usize / WORD as usize;
        (fits && pausing.kept.iter().all(|(_, kept)| is_there(kept))).then_some(pausing)
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

/// Returns whether a value changes nothing while it is computed: what was kept before is the same after it.
fn only_reads(node: &Node) -> bool {
    let mut reads = true;
    node.walk(&mut |part| {
        reads &= match &part.what {
            What::Call(call) => call.target == Target::Native && !call.natives.may_change(call.args.len()),
            What::Assign(_) | What::Closure(_) => false,
            _ => true,
        };
    });
    reads
}

/// The frames of functions that are paused, and their registers.
#[derive(Default)]
struct Stopped {
    frames: Vec<Frame>,
    values: Vec<Val>,
}

/// Where functions are paused: what each keeps there, and where that is in the memory, the outermost first.
type Paused<'h> = SmallVec<[(&'h Pausing, u32); 4]>;

impl Host {
    /// Returns where the module has stopped in a phase that a function of the machine runs. Gives up where that is not known.
    fn paused(&self, bytes: &[u8], phase: u32) -> Result<Paused<'_>, GaveUp> {
        let stepping = self.stepping.as_ref().ok_or(GaveUp)?;
        if !stepping.stopped || stepping.given.borrow().wanted.is_some() {
            return Err(GaveUp);
        }
        let mut paused = Paused::new();
        let (mut place, mut function) = (layout::HELD, phase);
        loop {
            let number = long(bytes, place).and_then(|number| usize::try_from(number).ok()?.checked_sub(1));
            let pausing = self.pauses.get(number.ok_or(GaveUp)?).ok_or(GaveUp)?;
            // Something else was called between the two.
            if pausing.function != function || place >= layout::HELD_END {
                return Err(GaveUp);
            }
            paused.push((pausing, place));
            place += WORD * (1 + u32::try_from(pausing.kept.len()).map_err(|_| GaveUp)?);
            match pausing.calls {
                Some((called, _)) => function = called,
                None => return Ok(paused),
            }
        }
    }

    /// Appends what the functions keep where the module has stopped, without addresses. Returns whether that is all that is kept.
    pub(super) fn append_kept(&self, bytes: &[u8], phase: u32, kept: &mut Vec<u8>) -> Result<bool, GaveUp> {
        for (pausing, place) in self.paused(bytes, phase)? {
            kept.extend_from_slice(&long(bytes, place).ok_or(GaveUp)?.to_le_bytes());
            for place in (place + WORD..).step_by(WORD as usize).take(pausing.kept.len()) {
                if self.append_value(bytes, long(bytes, place).ok_or(GaveUp)?, 0, kept).is_none() {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Appends what a value is, so that different ones differ; `None` for one of a rare kind.
    fn append_value(&self, bytes: &[u8], wrapped: i64, depth: usize, kept: &mut Vec<u8>) -> Option<()> {
        let tag = Tag::of(wrapped)?;
        if tag <= Tag::Zone {
            kept.extend_from_slice(&wrapped.to_le_bytes());
            return Some(());
        }
        let id = u32::try_from(wrapped >> TAG_BITS).ok().filter(|_| depth < DEPTH)?;
        kept.push(tag as u8);
        match tag {
            Tag::Text => {
                let text = self.strings.all.get(id as usize)?.as_bytes();
                kept.extend_from_slice(&text.len().to_le_bytes());
                kept.extend_from_slice(text);
            }
            Tag::List => {
                let count = word(bytes, id + runtime::LENGTH)?;
                kept.extend_from_slice(&count.to_le_bytes());
                let items = bytes.get(word(bytes, id + runtime::ITEMS)? as usize..)?;
                for item in items.get(..count as usize * runtime::ITEM as usize)?.as_chunks().0 {
                    self.append_value(bytes, i64::from_le_bytes(*item), depth + 1, kept)?;
                }
            }
            Tag::Action => {
                let count = word(bytes, id + 4)?;
                kept.extend([word(bytes, id)?, count].into_iter().flat_map(u32::to_le_bytes));
                for at in 1..=count {
                    self.append_value(bytes, long(bytes, id + 8 * at)?, depth + 1, kept)?;
                }
            }
            Tag::Cells => kept.extend(self.layout.set_at(bytes, id)?.into_iter().flat_map(u64::to_le_bytes)),
            _ => return None,
        }
        Some(())
    }

    /// Hashes what decides how the phase that a function of the machine runs goes on from the ask where the module has stopped,
    /// besides the state and the phases that it has added. Gives up where that is not known.
    pub(super) fn hash_pause(&mut self, bytes: &[u8], phase: u32, hasher: &mut impl Hasher) -> Result<(), GaveUp> {
        // What is made here is forgotten with the phase.
        self.stepping.as_mut().ok_or(GaveUp)?.called = true;
        let Stopped { frames, values } = self.stopped(bytes, phase)?;
        let arena = &self.memory.arena;
        let held = Held { values: &values, constants: (arena, &Mark::default()), arena };
        hash_paused(&frames, &[], held, hasher);
        Ok(())
    }

    /// Returns what the machine would have where the module has stopped.
    fn stopped(&mut self, bytes: &[u8], phase: u32) -> Result<Stopped, GaveUp> {
        let mut stopped = Stopped::default();
        let mut kept: SmallVec<[(usize, u32); 8]> = SmallVec::new();
        let mut to = 0;
        for (pausing, place) in self.paused(bytes, phase)? {
            let base = stopped.values.len();
            let from = u32::try_from(base).map_err(|_| GaveUp)?;
            stopped.frames.push(Frame::paused(pausing.function, pausing.next, from, to));
            stopped.values.resize(base + usize::from(pausing.registers), Val::Nothing);
            let places = (place + WORD..).step_by(WORD as usize);
            kept.extend(pausing.kept.iter().zip(places).map(|((at, _), place)| (base + usize::from(*at), place)));
            to = pausing.calls.map_or(to, |(_, to)| to);
        }
        for (register, place) in kept {
            let value = self.unwrapped(bytes, long(bytes, place).ok_or(GaveUp)?, 0)?;
            *stopped.values.get_mut(register).ok_or(GaveUp)? = value;
        }
        Ok(stopped)
    }
}
