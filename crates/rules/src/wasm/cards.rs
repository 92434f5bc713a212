//! Natives of zones and cards that compiled rules carry out themselves.

use wasm_encoder::{Instruction as I, ValType};

use super::compiler::Emit;
use super::layout;
use super::of_board::OfBoard;
use super::of_zones::{OfZones, TO_HOST};
use super::outline::{is_literal, places};
use super::unit::Unit;
use super::value::{Tag, Ty};
use crate::natives::Emitted;
use crate::script::{Name, Node, What};
use referee_table::ZoneId;

const CARD: Ty = Ty::id(Tag::Piece);
const ZONE: Ty = Ty::id(Tag::Zone);

/// The number of zones up to which dealing to each is written out.
const MOST_ZONES: usize = 12;

impl Unit<'_, '_> {
    /// Writes a native of zones or cards. Returns `None`, with nothing done, if the host does it.
    pub(super) fn of_cards(&mut self, node: &Node, emitted: Emitted, args: &[Node]) -> Emit<Option<Ty>> {
        let written = |function| OfBoard::Zones(function);
        Ok(Some(match (emitted, args) {
            (Emitted::IsEmptyZone, [_]) => return self.on_board(written(OfZones::IsEmpty), args.iter()),
            (Emitted::CountZone, [_]) => return self.on_board(written(OfZones::Count), args.iter()),
            (Emitted::CountCopies, [_, _]) => return self.on_board(written(OfZones::Copies), args.iter()),
            (Emitted::CardsOf, [_]) => return self.on_board(written(OfZones::Cards), args.iter()),
            (Emitted::TakeCard, [_, _]) => return self.on_board(written(OfZones::Take), args.iter()),
            (Emitted::Lift, [_]) => return self.on_board(OfBoard::Lift, args.iter()),
            (Emitted::HasCard, [_, _]) => {
                if self.on_board(written(OfZones::Copies), args.iter())?.is_none() {
                    return Ok(None);
                }
                self.body.all([I::I64Eqz, I::I32Eqz]);
                Ty::Truth
            }
            (Emitted::MoveCard, [card, from, to]) => {
                let take = self.with.of_board(written(OfZones::Take));
                let arrive = self.with.of_board(written(OfZones::Arrive));
                let (Some(take), Some(arrive)) = (take, arrive) else { return Ok(None) };
                let locals = self.held(&[(card, CARD), (from, ZONE), (to, ZONE)])?;
                for (function, zone) in [take, arrive].into_iter().zip(locals.iter().skip(1)) {
                    locals.first().into_iter().chain([zone]).for_each(|local| self.body.get(*local));
                    self.body.call(function);
                }
                locals.into_iter().for_each(|local| self.body.done(ValType::I32, local));
                Ty::Nothing
            }
            (Emitted::PutCard, [_, _]) => return self.here_or_by_host(node, OfZones::Put, args, None),
            (Emitted::Draw, [_]) => return self.here_or_by_host(node, OfZones::Draw, args, None),
            (Emitted::DrawTo, [from, to]) => {
                return self.here_or_by_host(node, OfZones::Draw, std::slice::from_ref(from), Some(to));
            }
            (Emitted::Shuffle, [_]) => return self.on_board(written(OfZones::Shuffle), args.iter()),
            (Emitted::DealAllDown, [_, _]) => return self.here_or_by_host(node, OfZones::AllDown, args, None),
            (Emitted::DealDown, [_, _]) => return self.here_or_by_host(node, OfZones::Down, args, None),
            (Emitted::PickUp, [_, _]) => return self.here_or_by_host(node, OfZones::PickUp, args, None),
            (Emitted::Put, [_, _]) => return self.here_or_by_host(node, OfZones::Place, args, None),
            (Emitted::ChooseAll, args) => return self.ask_all_for_numbers(node, args),
            (Emitted::Deal, [number, from, to]) => return self.deal(node, number, from, to),
            _ => return Ok(None),
        }))
    }

    /// Leaves values in new variables, all of 32 bits.
    fn held(&mut self, values: &[(&Node, Ty)]) -> Emit<Vec<u32>> {
        let mut locals = Vec::new();
        for (value, ty) in values {
            let local = self.body.local(ValType::I32);
            self.to(value, *ty)?;
            self.body.set(local);
            locals.push(local);
        }
        Ok(locals)
    }

    /// Calls a function that may leave the work to the host, and puts its result into the zone `to`, if there is one. Returns
    /// `None`, with nothing done, if the arguments cannot be evaluated a second time for the host.
    fn here_or_by_host(
        &mut self,
        node: &Node,
        function: OfZones,
        args: &[Node],
        to: Option<&Node>,
    ) -> Emit<Option<Ty>> {
        let Some(number) = self.with.of_board(OfBoard::Zones(function)) else { return Ok(None) };
        let arrive = match to {
            Some(_) => self.with.of_board(OfBoard::Zones(OfZones::Arrive)),
            None => None,
        };
        let (parameters, result) = function.signature();
        let all: Vec<(&Node, Ty)> =
            args.iter().zip(parameters.iter().copied()).chain(to.map(|to| (to, ZONE))).collect();
        // The host gets what was evaluated here, unless all can be evaluated again.
        let simple = all.iter().all(|(arg, _)| self.is_simple(arg));
        if !simple && all.iter().any(|(_, ty)| ty.wasm() != Some(ValType::I32)) {
            return Ok(None);
        }
        let (site, given) = self.with.out(node, self.function, false)?;
        let nodes: Vec<&Node> = all.iter().map(|(arg, _)| *arg).collect();
        let handed = places(&given, &nodes);
        if !simple && handed.is_none() {
            self.with.outs.pop();
            return Ok(None);
        }
        let kept = if simple { Vec::new() } else { self.held(&all)? };
        let (found, value) = (self.body.local(ValType::I32), self.body.local(ValType::I64));
        for (at, (arg, ty)) in args.iter().zip(parameters).enumerate() {
            match kept.get(at) {
                Some(local) => self.body.get(*local),
                None => self.to(arg, *ty)?,
            }
        }
        self.body.call(number);
        self.body.tee(found);
        self.body.all([I::I32Const(TO_HOST), I::I32Eq]);
        self.body.when(None);
        if simple {
            self.call_host(site, &given)?;
        } else {
            self.body.word(site.cast_signed());
            for place in handed.into_iter().flatten() {
                if let (Some(local), Some((_, ty))) = (kept.get(place), all.get(place)) {
                    self.body.get(*local);
                    self.convert(*ty, Ty::Any);
                }
            }
            self.body.call(layout::out(given.len()));
        }
        self.body.set(value);
        self.body.otherwise();
        if let (Some(to), Some(arrive)) = (to, arrive) {
            self.body.get(found);
            match kept.last() {
                Some(local) => self.body.get(*local),
                None => self.to(to, ZONE)?,
            }
            self.body.call(arrive);
        }
        match result {
            Ty::Truth => self.body.long(super::value::NOTHING),
            result => {
                self.body.get(found);
                self.convert(result, Ty::Any);
            }
        }
        self.body.set(value);
        self.body.end();
        self.body.get(value);
        self.body.done(ValType::I32, found);
        self.body.done(ValType::I64, value);
        kept.into_iter().for_each(|local| self.body.done(ValType::I32, local));
        Ok(Some(self.narrowed(node)))
    }

    /// Returns whether a node has the same value if it is evaluated again, and changes nothing.
    pub(super) fn is_simple(&self, node: &Node) -> bool {
        if self.fixed(node).is_some() {
            return true;
        }
        match &node.what {
            What::Name(Name::Local(_)) => true,
            What::Field { of, maybe: false, .. } => self.is_simple(of),
            What::Operator(_, parts) => parts.iter().all(|part| self.is_simple(part)),
            What::Index { of, index, maybe: false } => self.is_simple(of) && self.is_simple(index),
            What::Call(call) => {
                let (name, count) = (call.name.as_str(), call.args.len());
                !call.method
                    && self.with.callee((name, count)).is_none()
                    && self.with.is_pure(name, count)
                    && call.args.iter().all(|arg| self.is_simple(arg))
            }
            _ => is_literal(node),
        }
    }

    /// Deals cards to each player.
    fn deal(&mut self, node: &Node, number: &Node, from: &Node, to: &Node) -> Emit<Option<Ty>> {
        let state = self.with.with.state;
        let Some(name) = to.text() else { return Ok(None) };
        let zones = state.table.players.iter().map(|player| state.schema().zone(name, Some(*player)));
        let Some(zones) = zones.collect::<Option<Vec<ZoneId>>>().filter(|zones| zones.len() <= MOST_ZONES) else {
            return Ok(None);
        };
        let draw = self.with.of_board(OfBoard::Zones(OfZones::Draw));
        let arrive = self.with.of_board(OfBoard::Zones(OfZones::Arrive));
        let (Some(draw), Some(arrive)) = (draw, arrive) else { return Ok(None) };
        if !self.is_simple(number) || !self.is_simple(from) {
            return Ok(None);
        }
        self.body.load(layout::ANSWERS);
        self.body.when(None);
        let (left, zone) = (self.body.local(ValType::I64), self.body.local(ValType::I32));
        self.to(number, Ty::Number)?;
        self.body.set(left);
        self.to(from, ZONE)?;
        self.body.set(zone);
        let end = self.body.block(None);
        let again = self.body.again();
        self.body.get(left);
        self.body.all([I::I64Const(0), I::I64LeS]);
        self.body.jump_if(end);
        self.count(std::iter::empty());
        self.body.get(left);
        self.body.all([I::I64Const(1), I::I64Sub]);
        self.body.set(left);
        for to in zones {
            self.body.get(zone);
            self.body.call(draw);
            self.body.word(i32::from(to.0));
            self.body.call(arrive);
        }
        self.body.jump(again);
        self.body.end();
        self.body.end();
        self.body.done(ValType::I64, left);
        self.body.done(ValType::I32, zone);
        self.body.otherwise();
        let (site, given) = self.with.out(node, self.function, false)?;
        self.call_host(site, &given)?;
        self.body.add(I::Drop);
        self.body.end();
        Ok(Some(Ty::Nothing))
    }
}
