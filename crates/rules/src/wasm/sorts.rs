//! Natives on values whose sort shows when the rules run, and values that a closure puts together.

use wasm_encoder::{Instruction as I, ValType};

use super::body::word;
use super::compiler::Emit;
use super::layout;
use super::of_board::OfBoard;
use super::of_zones::OfZones;
use super::outline::places;
use super::runtime;
use super::unit::Unit;
use super::value::{Tag, Ty};
use crate::natives;
use crate::script::{Call, Node, Target, What};
use crate::values::Sort;

/// What is asked of a list, a map or a zone.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Asked {
    IsEmpty,
    Length,
    /// Whether a zone has a card.
    Has,
}

impl Asked {
    fn of(call: &Call) -> Option<Self> {
        Some(match (call.name.as_str(), call.args.len()) {
            ("is_empty", 1) => Self::IsEmpty,
            ("len", 1) => Self::Length,
            ("has", 2) => Self::Has,
            _ => return None,
        })
    }
}

impl Unit<'_, '_> {
    /// Writes a native for all sorts of values that have a length or cards; the host does it for others. Returns `None`, with nothing
    /// done, for other natives.
    pub(super) fn of_any_sort(&mut self, node: &Node, call: &Call) -> Emit<Option<Ty>> {
        let Some(asked) = Asked::of(call).filter(|_| call.target == Target::Native) else { return Ok(None) };
        // A map may have a function of this name.
        let of_map = call.method && self.with.with.script.keys.contains(call.name.as_str());
        let Some((of, rest)) = call.args.split_first().filter(|_| !of_map) else { return Ok(None) };
        if asked != Asked::Has
            && let Some(ty) = self.size_of_amount(of, asked == Asked::IsEmpty)?
        {
            return Ok(Some(ty));
        }
        if asked != Asked::Has && of.kind.is(Sort::Map) {
            self.to(of, Ty::id(Tag::Map))?;
            return Ok(Some(self.length(asked)));
        }
        if self.with.ty(&of.kind) != Ty::Any {
            return Ok(None);
        }
        let function = match asked {
            Asked::Has => OfZones::Copies,
            _ => OfZones::IsEmpty,
        };
        let zones = self.with.of_board(OfBoard::Zones(function)).filter(|_| asked != Asked::Length);
        let (site, given) = self.with.out(node, self.function, false)?;
        let parts: Vec<&Node> = std::iter::once(of).chain(rest).collect();
        let Some(places) = places(&given, &parts) else {
            self.with.outs.pop();
            return Ok(None);
        };
        let mut values = Vec::new();
        for part in parts {
            let value = self.body.local(ValType::I64);
            self.to(part, Ty::Any)?;
            self.body.set(value);
            values.push(value);
        }
        let Some(value) = values.first().copied() else { return Ok(None) };
        let end = self.body.block(Some(ValType::I64));
        for tag in [Tag::List, Tag::Map] {
            if asked != Asked::Has {
                self.is_tagged(value, tag);
                self.body.when(None);
                self.body.get(value);
                self.convert(Ty::Any, Ty::id(tag));
                let ty = self.length(asked);
                self.convert(ty, Ty::Any);
                self.body.jump(end);
                self.body.end();
            }
        }
        if let Some(zones) = zones {
            self.is_tagged(value, Tag::Zone);
            if let Some(card) = values.get(1) {
                self.is_tagged(*card, Tag::Piece);
                self.body.add(I::I32And);
            }
            self.body.when(None);
            for (value, tag) in values.iter().zip([Tag::Zone, Tag::Piece]) {
                self.body.get(*value);
                self.convert(Ty::Any, Ty::id(tag));
            }
            self.body.call(zones);
            if asked == Asked::Has {
                self.body.all([I::I64Eqz, I::I32Eqz]);
            }
            self.convert(Ty::Truth, Ty::Any);
            self.body.jump(end);
            self.body.end();
        }
        self.body.word(site.cast_signed());
        places.iter().filter_map(|place| values.get(*place)).for_each(|value| self.body.get(*value));
        self.body.call(layout::out(given.len()));
        self.body.end();
        values.into_iter().for_each(|value| self.body.done(ValType::I64, value));
        Ok(Some(self.narrowed(node)))
    }

    /// Puts the length of the list or the map on the stack there, or whether it is empty.
    fn length(&mut self, asked: Asked) -> Ty {
        if asked == Asked::IsEmpty {
            self.body.all([I::I32Load(word(runtime::LENGTH)), I::I32Eqz]);
            return Ty::Truth;
        }
        self.body.add(I::I64Load32U(word(runtime::LENGTH)));
        Ty::Number
    }

    /// Puts what a closure makes of the elements of a list on the stack, from a first value on. Returns `None`, with nothing done, for
    /// any other call.
    pub(super) fn reduced(&mut self, call: &Call) -> Emit<Option<Ty>> {
        let [list, function, first] = call.args.as_slice() else { return Ok(None) };
        let What::Closure(closure) = &function.what else { return Ok(None) };
        let is_loop = natives::reduces(&call.name) && call.target == Target::Native && list.kind.is(Sort::List);
        let ([so_far, element] | [so_far, element, _]) = *closure.params.as_slice() else { return Ok(None) };
        if !is_loop || closure.this || call.maybe {
            return Ok(None);
        }
        let counter = closure.params.get(2).copied();
        self.kept(first, Ty::Any)?;
        self.store(so_far, Ty::Any);
        let around = std::mem::take(&mut self.loops);
        let done = self.for_each(list, (Some(element), counter), &closure.body, None, |unit| {
            unit.closure(closure, Ty::Any)?;
            unit.share(Ty::Any);
            unit.store(so_far, Ty::Any);
            Ok(())
        });
        self.loops = around;
        done?;
        Ok(Some(self.variable(so_far)))
    }
}
