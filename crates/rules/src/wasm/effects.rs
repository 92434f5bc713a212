//! Looks at the position after effects, `if_made(|| …, || …)`: the effects are carried out in the memory, and what they have
//! changed is put back from a copy of the state's bytes.
//!
//! This is possible where all that may change is among these bytes. The host does not change anything in the meantime: it gives
//! the rules up if it would.

use std::collections::BTreeSet;

use wasm_encoder::{Instruction as I, ValType};

use super::body::{long, word};
use super::callee::is_look;
use super::compiler::{Compiler, Emit};
use super::layout;
use super::looks::{copied, size};
use super::of_board::OfBoard;
use super::outline::is_in_variable;
use super::runtime;
use super::unit::Unit;
use super::value::{Tag, Ty};
use crate::natives::{self, Does, Form, IF_MADE, Special};
use crate::script::{Call, Closure, LocalId, Name, Node, Target, What};
use referee_table::PropertyKind;

/// What effects may do.
#[derive(Default)]
struct Found {
    /// The functions that were looked at.
    seen: BTreeSet<(String, usize)>,
    /// A bit for each property that may be set.
    set: u64,
}

impl Unit<'_, '_> {
    /// Writes a look at the position after effects. Returns `None`, with nothing done, for any other call, and if the host is to do
    /// it.
    pub(super) fn look_after_effects(&mut self, call: &Call) -> Emit<Option<Ty>> {
        let [made, look] = call.args.as_slice() else { return Ok(None) };
        let (What::Closure(effects), What::Closure(look)) = (&made.what, &look.what) else { return Ok(None) };
        let is_plain = |closure: &Closure| closure.params.is_empty() && !closure.this;
        if !is_look(call) || !is_plain(effects) || !is_plain(look) || returns(&effects.body) {
            return Ok(None);
        }
        let ty = self.with.ty(&look.body.kind);
        let mut found = Found::default();
        let may_be = [effects, look].into_iter().all(|closure| self.with.may_be_put_back(&closure.body, &mut found));
        if !may_be || ty.wasm().is_none() {
            return Ok(None);
        }
        // What was made of values meanwhile is forgotten, if nothing of it is left.
        let forgets = [effects, look].into_iter().all(|closure| changes_own_variables(closure));
        let forgets = forgets && (matches!(ty, Ty::Number | Ty::Truth | Ty::Set) || self.is_plain_id(ty));
        let [top, copy, place, taken, moved, changes] = std::array::from_fn(|_| self.body.local(ValType::I32));
        let [set, kept] = std::array::from_fn(|_| self.body.local(ValType::I64));
        let words = [(layout::TOP, top), (layout::TAKEN, taken), (layout::MOVED, moved), (layout::CHANGES, changes)];
        let b = &mut self.body;
        for (at, local) in words {
            b.load(at);
            b.set(local);
        }
        for (at, local) in [(layout::SET, set), (layout::OCCUPIED, kept)] {
            b.all([I::I32Const(0), I::I64Load(long(at))]);
            b.set(local);
        }
        runtime::allocated(b, size(&self.with.layout));
        b.set(copy);
        b.word(layout::STATE.cast_signed());
        b.set(place);
        copied(b, &self.with.layout, place, copy);
        b.spend(|b| b.long(i64::from(size(&self.with.layout) / 64)));
        b.raise(layout::LOOKING, 1);
        self.count([&effects.body, &look.body]);
        self.effect(&effects.body)?;
        self.closure(look, ty)?;
        let b = &mut self.body;
        b.raise(layout::LOOKING, -1);
        b.word(layout::STATE.cast_signed());
        b.set(place);
        copied(b, &self.with.layout, copy, place);
        b.word(0);
        b.get(kept);
        b.add(I::I64Store(long(layout::OCCUPIED)));
        // If the host has seen a position meanwhile, it must see this one again; otherwise nothing has happened.
        b.load(layout::TAKEN);
        b.get(taken);
        b.add(I::I32Eq);
        b.when(None);
        for (at, local) in [(layout::MOVED, moved), (layout::CHANGES, changes)] {
            b.word(0);
            b.get(local);
            b.add(I::I32Store(word(at)));
        }
        b.word(0);
        b.get(set);
        b.add(I::I64Store(long(layout::SET)));
        b.otherwise();
        b.store(layout::MOVED, 1);
        b.raise(layout::CHANGES, 1);
        b.word(0);
        b.all([I::I32Const(0), I::I64Load(long(layout::SET)), I::I64Const(found.set.cast_signed()), I::I64Or]);
        b.get(set);
        b.all([I::I64Or, I::I64Store(long(layout::SET))]);
        b.end();
        if forgets {
            b.word(0);
            b.get(top);
            b.add(I::I32Store(word(layout::TOP)));
        }
        for local in [top, copy, place, taken, moved, changes] {
            b.done(ValType::I32, local);
        }
        [set, kept].into_iter().for_each(|local| b.done(ValType::I64, local));
        Ok(Some(ty))
    }

    /// Returns whether the values of a type are ids, and have no parts in the memory.
    fn is_plain_id(&self, ty: Ty) -> bool {
        matches!(ty, Ty::Id { tag: Tag::Player | Tag::Piece | Tag::Cell | Tag::Zone, .. })
    }
}

fn returns(node: &Node) -> bool {
    let mut returns = false;
    node.walk_own(&mut |node| returns |= matches!(node.what, What::Return(_)));
    returns
}

/// Returns whether a closure changes no other variables than its own.
fn changes_own_variables(closure: &Closure) -> bool {
    let mut own: BTreeSet<LocalId> = BTreeSet::new();
    closure.body.walk(&mut |node| match &node.what {
        What::Let { local, .. } => drop(own.insert(*local)),
        What::For(parts) => own.extend(parts.counter.iter().chain([&parts.local])),
        What::Closure(closure) => own.extend(&closure.params),
        _ => {}
    });
    let mut all = true;
    closure.body.walk(&mut |node| {
        let changed = match &node.what {
            What::Assign(assign) => assign.to.root().local(),
            What::Call(call) if call.is_on_value() || call.natives.may_change(call.args.len()) => {
                call.args.first().and_then(|first| first.root().local())
            }
            _ => None,
        };
        all &= changed.is_none_or(|local| own.contains(&local));
    });
    all
}

/// The natives that only change where pieces are, each with the function of the module that carries it out.
const MOVING: [(&str, OfBoard); 4] =
    [("place", OfBoard::Place), ("lift", OfBoard::LiftFrom), ("remove", OfBoard::Remove), ("make", OfBoard::Make)];

impl Compiler<'_> {
    /// Returns whether all that a node may change, with all functions that it calls, is among the bytes of the state, and whether
    /// it neither asks nor ends the game.
    fn may_be_put_back(&self, node: &Node, found: &mut Found) -> bool {
        let mut calls = Vec::new();
        let mut may_be = true;
        node.walk(&mut |part| match &part.what {
            What::Assign(assign) if is_in_variable(&assign.to) => {}
            What::Assign(assign) => match self.counters_set(&assign.to) {
                Some(set) => found.set |= set,
                None => may_be = false,
            },
            What::Call(call) => {
                let is_own = self.with.script.function(&call.name, call.args.len()).is_some();
                if is_own && !call.method && !call.with_scope {
                    calls.push((call.name.to_string(), call.args.len()));
                } else {
                    may_be &= !is_own && self.native_may_be_put_back(call);
                }
            }
            What::Throw(_) | What::Try(_) | What::Strange(_) | What::This | What::Name(Name::Function(_)) => {
                may_be = false;
            }
            _ => {}
        });
        may_be
            && calls.into_iter().all(|key| {
                let function = self.with.script.function(&key.0, key.1);
                !found.seen.insert(key) || function.is_some_and(|function| self.may_be_put_back(&function.body, found))
            })
    }

    /// Returns a bit for each property that an assignment to a node may set, if all of them are counters and flags.
    fn counters_set(&self, to: &Node) -> Option<u64> {
        let What::Field { of, name, maybe: false } = &to.what else { return None };
        if is_in_variable(of) && of.local().is_none() {
            return None;
        }
        let all = self.with.schema.properties.iter().enumerate().filter(|(_, property)| property.name == name.as_str());
        let mut set = 0;
        for (at, property) in all {
            let is_plain = matches!(property.kind, PropertyKind::Flag | PropertyKind::Counter { record: false });
            set |= 1_u64.checked_shl(u32::try_from(at).ok()?).filter(|_| is_plain && !property.resource)?;
        }
        Some(set).filter(|set| *set != 0)
    }

    /// Returns whether what a native may change is among the bytes of the state.
    fn native_may_be_put_back(&self, call: &Call) -> bool {
        let (name, count) = (call.name.as_str(), call.args.len());
        if call.with_scope || call.is_on_value() || natives::lists_moves(name) {
            return false;
        }
        if name == IF_MADE && call.target == Target::Native {
            return call.args.iter().skip(1).all(|look| matches!(look.what, What::Closure(_)));
        }
        if matches!(call.natives.special(), Some(Special::Call | Special::Curry | Special::Pointer)) {
            return false;
        }
        let schema = self.with.schema;
        if !call.natives.are_known(count) {
            return schema.kind(name).is_some() && (1..=2).contains(&count);
        }
        call.natives.taking(count).all(|form: &Form| match form.entry.does {
            Does::Nothing | Does::Reports => true,
            Does::ChangesFirst | Does::Fills => call.args.first().is_some_and(is_in_variable),
            Does::Changes => {
                MOVING.iter().any(|(moving, by)| *moving == name && by.is_possible(self.with.state, &self.layout))
            }
            Does::Asks | Does::MayAsk | Does::Ends => false,
        })
    }
}
