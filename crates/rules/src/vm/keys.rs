//! Keys of paused machines: hashes of everything that decides how they go on.

use std::collections::HashMap;
use std::hash::{Hash, Hasher};

use super::memory::{Frame, Handler, PausedMachine};
use crate::values::{Arena, Mark, Val};

/// Values, and where those are of which they are made.
#[derive(Clone, Copy)]
pub(crate) struct Held<'a> {
    pub(crate) values: &'a [Val],
    /// The constants of the rules, up to a mark, and what is behind them.
    pub(crate) constants: (&'a Arena, &'a Mark),
    pub(crate) arena: &'a Arena,
}

/// Hashes everything that decides how functions go on.
pub(crate) fn hash_paused(frames: &[Frame], handlers: &[Handler], held: Held<'_>, hasher: &mut impl Hasher) {
    frames.len().hash(hasher);
    for frame in frames {
        frame.hash_to(hasher);
    }
    handlers.len().hash(hasher);
    for handler in handlers {
        (handler.frame, handler.to, handler.at, handler.listings).hash(hasher);
    }
    // Values can be deeply nested, so a list of open values replaces recursion.
    let open = held.values.iter().rev().copied().collect();
    let mut walk = Walk { held, hasher, open, boxes: HashMap::new() };
    while let Some(value) = walk.open.pop() {
        walk.value(value);
    }
}

/// Hashes values by content, not by their index in an arena.
struct Walk<'a, H> {
    held: Held<'a>,
    hasher: &'a mut H,
    /// The values still to hash, the next one last.
    open: Vec<Val>,
    /// The shared variables seen so far, numbered in order.
    boxes: HashMap<u32, usize>,
}

impl PausedMachine {
    /// Hashes everything that decides how the machine goes on.
    pub(crate) fn hash_to(&self, hasher: &mut impl Hasher) {
        let constants = (&*self.constants, &self.mark);
        hash_paused(&self.frames, &self.handlers, Held { values: &self.stack, constants, arena: &self.arena }, hasher);
    }
}

impl<H: Hasher> Walk<'_, H> {
    fn value(&mut self, value: Val) {
        std::mem::discriminant(&value).hash(self.hasher);
        match value {
            Val::Nothing | Val::Game => {}
            Val::Truth(truth) => truth.hash(self.hasher),
            Val::Number(number) => number.hash(self.hasher),
            Val::Letter(letter) => letter.hash(self.hasher),
            Val::Player(player) => player.hash(self.hasher),
            Val::Piece(piece) => piece.hash(self.hasher),
            Val::Zone(zone) => zone.hash(self.hasher),
            Val::Cell(cell) => cell.hash(self.hasher),
            Val::Shared(at) => self.shared(at),
            value => self.large(value),
        }
    }

    fn large(&mut self, value: Val) {
        let Held { constants: (constants, mark), arena, .. } = self.held;
        macro_rules! look {
            ($pool:ident, $at:expr) => {
                match ($at as usize).checked_sub(mark.$pool) {
                    None => constants.$pool.get($at as usize),
                    Some(place) => arena.$pool.get(place),
                }
            };
        }
        match value {
            Val::Text(at) => look!(texts, at).map(|text| text.as_str()).hash(self.hasher),
            Val::Cells(at) => look!(cells, at).hash(self.hasher),
            Val::Dirs(at) => look!(dirs, at).hash(self.hasher),
            Val::Move(at) => look!(single, at).hash(self.hasher),
            Val::Moves(at) => look!(several, at).map(|moves| moves.all()).hash(self.hasher),
            Val::Range(at) => look!(ranges, at).hash(self.hasher),
            Val::List(at) => {
                let items = look!(lists, at).map(|list| list.items.as_slice()).unwrap_or_default();
                items.len().hash(self.hasher);
                self.open.extend(items.iter().rev());
            }
            Val::Map(at) => {
                let items = look!(maps, at).map(|map| map.items.as_slice()).unwrap_or_default();
                items.len().hash(self.hasher);
                items.iter().for_each(|(name, _)| name.as_str().hash(self.hasher));
                self.open.extend(items.iter().rev().map(|(_, item)| *item));
            }
            Val::Function(at) => {
                let Some(function) = look!(functions, at) else { return };
                function.name.as_str().hash(self.hasher);
                function.curry.len().hash(self.hasher);
                self.open.extend(function.curry.iter().rev());
            }
            Val::Action(at) => look!(actions, at).hash(self.hasher),
            Val::Other(at) => look!(others, at).map(rhai::Dynamic::type_name).hash(self.hasher),
            _ => {}
        }
    }

    /// Hashes a shared variable: its number, and its value the first time.
    fn shared(&mut self, at: u32) {
        let next = self.boxes.len();
        let number = *self.boxes.entry(at).or_insert(next);
        number.hash(self.hasher);
        if number == next
            && let Some(place) = (at as usize).checked_sub(self.held.constants.1.boxes)
            && let Some(boxed) = self.held.arena.boxes.get(place)
        {
            boxed.is_captured.hash(self.hasher);
            self.open.push(boxed.value);
        }
    }
}
