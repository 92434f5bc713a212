//! Sets of a board of a few words that operators combine: each word of the result is computed at once, and no set is made of what is
//! between.

use wasm_encoder::{Instruction as I, ValType};

use super::body::long;
use super::compiler::{Emit, Refused};
use super::fixed::Fixed;
use super::of_board::Combined;
use super::runtime::allocated;
use super::unit::Unit;
use super::value::{Tag, Ty};
use crate::script::{Node, What};

/// How many words a set has at most for each to be written out where it is wanted.
const MOST_WORDS: usize = 4;

/// A set whose words are known, or can be computed.
pub(super) enum InWords {
    /// The variable with its address.
    At(u32),
    Known(Vec<u64>),
    Combined(Combined, Box<[Self; 2]>),
}

impl InWords {
    /// Returns how many operators make it.
    fn operators(&self) -> i64 {
        match self {
            Self::At(_) | Self::Known(_) => 0,
            Self::Combined(_, parts) => parts.iter().fold(1, |sum, part| sum + part.operators()),
        }
    }
}

impl Unit<'_, '_> {
    /// Returns the number of words of a set, if each is written out.
    fn few_words(&self) -> Option<u32> {
        let layout = &self.with.layout;
        let are_few = !layout.shapes.small && layout.vast.is_none() && layout.words() <= MOST_WORDS;
        u32::try_from(layout.words()).ok().filter(|_| are_few)
    }

    /// Writes what is needed to compute the words of a set.
    fn in_words(&mut self, node: &Node) -> Emit<InWords> {
        const CELLS: Ty = Ty::id(Tag::Cells);
        if let Some(Fixed::Set(mut words)) = self.fixed(node) {
            self.count_computed();
            words.resize(self.with.layout.words(), 0);
            return Ok(InWords::Known(words));
        }
        if let What::Operator(sign, parts) = &node.what
            && let [one, other] = parts.as_slice()
            && let Some(how) = Combined::by(sign)
            && [one, other].iter().all(|part| self.with.ty(&part.kind) == CELLS)
        {
            let parts = [self.in_words(one)?, self.in_words(other)?];
            return Ok(InWords::Combined(how, Box::new(parts)));
        }
        let set = self.body.local(ValType::I32);
        self.to(node, CELLS)?;
        self.body.set(set);
        Ok(InWords::At(set))
    }

    /// Puts a word of a set on the stack.
    fn put_word(&mut self, set: &InWords, number: u32) {
        match set {
            InWords::At(set) => {
                self.body.get(*set);
                self.body.add(I::I64Load(long(8 * number)));
            }
            InWords::Known(words) => {
                let word = words.get(number as usize).copied().unwrap_or_default();
                self.body.long(word.cast_signed());
            }
            InWords::Combined(how, parts) => {
                parts.iter().for_each(|part| self.put_word(part, number));
                how.write(&mut self.body);
            }
        }
    }

    /// Counts what making the sets between would have taken, and frees the variables.
    fn done_with(&mut self, set: &InWords, words: u32) {
        let work = (set.operators() - 1).max(0) * i64::from(words);
        if work > 0 {
            self.body.spend(|b| b.long(work));
        }
        self.free(set);
    }

    fn free(&mut self, set: &InWords) {
        match set {
            InWords::At(set) => self.body.done(ValType::I32, *set),
            InWords::Known(_) => {}
            InWords::Combined(_, parts) => parts.iter().for_each(|part| self.free(part)),
        }
    }

    /// Combines two sets. Returns `None`, with nothing done, on boards whose words are not written out.
    pub(super) fn combined_in_words(&mut self, how: Combined, one: &Node, other: &Node) -> Emit<Option<Ty>> {
        let Some(words) = self.few_words() else { return Ok(None) };
        let set = InWords::Combined(how, Box::new([self.in_words(one)?, self.in_words(other)?]));
        let made = self.body.local(ValType::I32);
        allocated(&mut self.body, 8 * words);
        self.body.set(made);
        for number in 0..words {
            self.body.get(made);
            self.put_word(&set, number);
            self.body.add(I::I64Store(long(8 * number)));
        }
        self.done_with(&set, words);
        self.body.get(made);
        self.body.done(ValType::I32, made);
        Ok(Some(Ty::id(Tag::Cells)))
    }

    /// Returns whether a node is a set each of whose words is written out.
    pub(super) fn is_in_few_words(&self, node: &Node) -> bool {
        self.few_words().is_some() && self.with.ty(&node.kind) == Ty::id(Tag::Cells)
    }

    /// Puts on the stack how many cells a set of [few words](Self::is_in_few_words) has, or whether there are none.
    pub(super) fn counted_in_words(&mut self, node: &Node, is_empty: bool) -> Emit<Ty> {
        let words = self.few_words().ok_or(Refused("a set of many words"))?;
        let set = self.in_words(node)?;
        self.body.long(0);
        for number in 0..words {
            self.put_word(&set, number);
            match is_empty {
                true => self.body.add(I::I64Or),
                false => self.body.all([I::I64Popcnt, I::I64Add]),
            }
        }
        // No set is made of the outermost operator, which counts nothing.
        self.done_with(&set, words);
        if !is_empty {
            return Ok(Ty::Number);
        }
        self.body.add(I::I64Eqz);
        Ok(Ty::Truth)
    }
}
