//! Sets for each direction, and steps, that are no value in the memory: each set is a variable of the function. So only the
//! directions that the rules name exist at all.

use std::collections::BTreeSet;

use wasm_encoder::{Instruction as I, ValType};

use super::body::{long, word};
use super::compiler::{Compiler, Emit, Refused, size};
use super::fixed::{Fixed, Known};
use super::moves::{self, OCCUPIED, SETS, STEPS};
use super::of_board::{Combined, OfBoard};
use super::outline::Given;
use super::parts::{Apart, Sets, Steps};
use super::runtime::{self, allocated};
use super::unit::Unit;
use super::value::{Tag, Ty};
use super::ways::{self, bits, direction, place};
use crate::natives::{self, Emitted};
use crate::script::{Call, Function, LocalId, Name, Node, What};
use crate::values::{Kind, Sort};

/// How deep functions may be nested whose results are apart.
const DEEPEST: usize = 3;

/// What is known of variables at a place.
#[derive(Clone, Default)]
struct Facts {
    known: Known,
    apart: BTreeSet<LocalId>,
}

impl Compiler<'_> {
    /// Returns whether the value of a node may be apart.
    fn is_apart(&self, node: &Node, facts: &Facts, depth: usize) -> bool {
        if !self.tries() || self.with.state.board().turns_round() {
            return false;
        }
        let is = |node: &Node| self.is_apart(node, facts, depth);
        match &node.what {
            What::Name(Name::Local(local)) => facts.apart.contains(local),
            What::Block(nodes) => match nodes.as_slice() {
                [only] => is(only),
                _ => false,
            },
            What::If(parts) => {
                let [condition, then, other] = &**parts;
                match self.is_fixed(condition, &facts.known) {
                    Some(holds) => is(if holds { then } else { other }),
                    None => false,
                }
            }
            What::Operator(sign, parts) => match parts.as_slice() {
                [one, other] => match (of_parts(&one.kind), of_parts(&other.kind), Combined::by(sign)) {
                    (Some(Sort::Dirs), Some(Sort::Dirs), Some(_)) => is(one) && is(other),
                    (Some(Sort::Dirs), Some(Sort::Cells), Some(Combined::And | Combined::Without)) => is(one),
                    (Some(Sort::Cells), Some(Sort::Dirs), Some(Combined::And)) => is(other),
                    _ => false,
                },
                _ => false,
            },
            What::Call(call) => self.call_is_apart(call, facts, depth),
            _ => false,
        }
    }

    fn call_is_apart(&self, call: &Call, facts: &Facts, depth: usize) -> bool {
        let count = call.args.len();
        let own = |count: usize| self.with.script.function(&call.name, count).is_some();
        if call.maybe || call.with_scope || call.method && count.checked_sub(1).is_some_and(own) {
            return false;
        }
        if let Some(function) = self.with.script.function(&call.name, count).filter(|_| !call.method) {
            let has_parts = |callee: &super::callee::Callee| {
                [Ty::id(Tag::Dirs), Ty::id(Tag::Moves)].contains(&callee.result) && !callee.recursive
            };
            let may_be = depth < DEEPEST && self.callee(function.key()).is_some_and(has_parts);
            return may_be && self.result_is_apart(function, &call.args, facts, depth + 1);
        }
        let is = |node: &Node| self.is_apart(node, facts, depth);
        let kinds: Vec<&Kind> = call.args.iter().map(|arg| &arg.kind).collect();
        match (natives::emitted(&call.name, &kinds), call.args.as_slice()) {
            (Some(Emitted::Only), [_, direction]) => {
                matches!(self.fixed(direction, &facts.known), Some(Fixed::Number(number)) if self.has_direction(number))
            }
            (Some(Emitted::Touched), [_]) => true,
            (Some(Emitted::Behind | Emitted::Steps), [dirs]) => is(dirs),
            (Some(Emitted::Noted), [_, moves]) => self.lists_moves().is_some() && is(moves),
            _ => false,
        }
    }

    fn has_direction(&self, number: i64) -> bool {
        (1..=i64::from(self.layout.directions)).contains(&number)
    }

    /// Returns whether the result of a function of the rules may be apart, which is called with these arguments.
    fn result_is_apart(&self, function: &Function, args: &[Node], facts: &Facts, depth: usize) -> bool {
        let Some(function) =
            self.function(function.key()).filter(|function| !self.disordered.contains(&function.key()))
        else {
            return false;
        };
        let Some(changed) = self.changed.get(&function.key()) else { return false };
        let mut inner = Facts::default();
        for (at, arg) in args.iter().enumerate().filter(|(at, _)| !changed.contains(at)) {
            if let Some(fixed) = self.fixed(arg, &facts.known) {
                inner.known.insert(at, fixed);
            } else if self.is_apart(arg, facts, depth) {
                inner.apart.insert(at);
            }
        }
        let Some((last, first)) = tail(&function.body) else { return false };
        for node in first {
            if let What::Let { local, value } = &node.what
                && !changed.contains(local)
            {
                if let Some(fixed) = self.fixed(value, &inner.known) {
                    inner.known.insert(*local, fixed);
                } else if self.is_apart(value, &inner, depth) {
                    inner.apart.insert(*local);
                }
            }
        }
        self.is_apart(last, &inner, depth)
    }
}

/// Returns the last part of a body, which is its value, and those before it; `None` if it may return otherwise.
fn tail(body: &Node) -> Option<(&Node, &[Node])> {
    let mut returns = false;
    body.walk_own(&mut |node| returns |= matches!(node.what, What::Return(_)));
    match &body.what {
        _ if returns => None,
        What::Block(nodes) => nodes.split_last(),
        _ => Some((body, &[])),
    }
}

/// Returns whether values of a kind are sets for each direction, or sets.
fn of_parts(kind: &Kind) -> Option<Sort> {
    [Sort::Dirs, Sort::Cells].into_iter().find(|sort| kind.is(*sort))
}

impl<'s> Unit<'_, 's> {
    /// Returns whether the value of a node may be apart.
    pub(super) fn may_be_apart(&self, node: &Node) -> bool {
        let shapes = self.with.layout.shapes;
        let has_parts = node.kind.is(Sort::Dirs) || node.kind.is(Sort::Moves) && shapes.moves || node.kind.is_any();
        if !shapes.small || !has_parts {
            return false;
        }
        let facts = Facts { known: self.scope.known.clone(), apart: self.scope.apart.keys().copied().collect() };
        self.with.is_apart(node, &facts, self.nested)
    }

    /// Puts the parts of the value of a node into variables. Returns `None`, with nothing done, if it is not apart.
    pub(super) fn in_parts(&mut self, node: &Node) -> Option<Apart> {
        if self.may_be_apart(node) { self.tried(|unit| unit.apart(node)) } else { None }
    }

    /// Does the same for one that may be apart.
    fn apart(&mut self, node: &Node) -> Emit<Apart> {
        match &node.what {
            What::Name(Name::Local(local)) => {
                self.scope.apart.get(local).cloned().ok_or(Refused("a value that is not apart"))
            }
            What::Block(nodes) => match nodes.as_slice() {
                [only] => self.apart(only),
                _ => Err(Refused("a block that is not apart")),
            },
            What::If(parts) => {
                let [condition, then, other] = &**parts;
                let holds = self.is_fixed(condition).ok_or(Refused("a condition that is not fixed"))?;
                self.apart(if holds { then } else { other })
            }
            What::Operator(sign, parts) => {
                let ([one, other], Some(how)) = (parts.as_slice(), Combined::by(sign)) else {
                    return Err(Refused("an operator of values that are apart"));
                };
                let (one, other) = (self.dirs(one)?, self.dirs(other)?);
                Ok(Apart::Dirs(self.combine_apart(&one, &other, how)))
            }
            What::Call(call) => self.call_apart(call),
            _ => Err(Refused("a value that is not apart")),
        }
    }

    /// Puts sets for each direction into variables; a set is the same for all.
    fn dirs(&mut self, node: &Node) -> Emit<Sets> {
        if node.kind.is(Sort::Cells) {
            let set = self.set_of(node)?;
            return Ok((1..=self.with.layout.directions).map(|_| Some(set)).collect());
        }
        match self.apart(node)? {
            Apart::Dirs(sets) => Ok(sets),
            Apart::Steps(_) => Err(Refused("moves in place of sets")),
        }
    }

    /// Puts a set into a new variable.
    fn set_of(&mut self, node: &Node) -> Emit<u32> {
        self.to(node, Ty::Set)?;
        let set = self.body.local(ValType::I64);
        self.body.set(set);
        Ok(set)
    }

    fn combine_apart(&mut self, one: &Sets, other: &Sets, how: Combined) -> Sets {
        let mut sets = Sets::new();
        for (one, other) in one.iter().zip(other) {
            sets.push(match (one, other, how) {
                (Some(one), Some(other), how) => {
                    let set = self.body.local(ValType::I64);
                    self.body.get(*one);
                    self.body.get(*other);
                    how.write(&mut self.body);
                    self.body.set(set);
                    Some(set)
                }
                (one, None, Combined::Or | Combined::Without) => *one,
                (None, other, Combined::Or) => *other,
                _ => None,
            });
        }
        sets
    }

    fn call_apart(&mut self, call: &Call) -> Emit<Apart> {
        let key = (call.name.as_str(), call.args.len());
        if !call.method
            && let Some(function) = self.with.function(key)
        {
            return self.result_apart(function, &call.args);
        }
        let kinds: Vec<&Kind> = call.args.iter().map(|arg| &arg.kind).collect();
        let numbers = 1..=self.with.layout.directions;
        match (natives::emitted(&call.name, &kinds), call.args.as_slice()) {
            (Some(Emitted::Only), [set, direction]) => {
                let set = self.set_of(set)?;
                let wanted = self.fixed_direction(direction);
                Ok(Apart::Dirs(numbers.map(|number| (Some(number) == wanted).then_some(set)).collect()))
            }
            (Some(Emitted::Touched), [set]) => {
                let set = self.set_of(set)?;
                Ok(self.back_apart(numbers.map(|_| Some(set)).collect()))
            }
            (Some(Emitted::Behind), [dirs]) => {
                let of = self.dirs(dirs)?;
                Ok(self.back_apart(of))
            }
            (Some(Emitted::Steps), [dirs]) => {
                let of = self.dirs(dirs)?;
                self.steps_apart(&of).map(Apart::Steps)
            }
            (Some(Emitted::Noted), [player, moves]) => {
                self.effect(player)?;
                self.apart(moves)
            }
            _ => Err(Refused("a call that is not apart")),
        }
    }

    /// Writes a function in place of a call whose result is apart.
    fn result_apart(&mut self, function: &'s Function, args: &[Node]) -> Emit<Apart> {
        if !self.with.writes_again(size(&function.body)) {
            return Err(Refused("too much that is written more than once"));
        }
        self.with_scope(function, args, |unit, body| {
            let Some((last, first)) = tail(body) else { return Err(Refused("a function that returns")) };
            first.iter().try_for_each(|node| unit.effect(node))?;
            unit.apart(last)
        })
    }

    /// Moves each set one step back in its direction.
    fn back_apart(&mut self, of: Sets) -> Apart {
        let board = self.with.with.state.board();
        let mut sets = Sets::new();
        for (number, of) in (1..).zip(of) {
            sets.push(of.map(|of| {
                let set = self.body.local(ValType::I64);
                self.body.get(of);
                ways::back(&mut self.body, board, number);
                self.body.set(set);
                set
            }));
        }
        Apart::Dirs(sets)
    }

    /// Makes a step for each cell and direction.
    fn steps_apart(&mut self, of: &Sets) -> Emit<Steps> {
        let board = self.with.with.state.board();
        let count = self.body.local(ValType::I64);
        self.body.long(0);
        let mut sets = Sets::new();
        for (number, of) in (1..).zip(of) {
            let Some(of) = *of else {
                sets.push(None);
                continue;
            };
            let set = self.body.local(ValType::I64);
            // Only those that stay on the board.
            let staying = board.step_back_of_all(direction(number)).map_or(0, |(_, from)| bits(from));
            self.body.get(of);
            self.body.all([I::I64Const(staying), I::I64And]);
            self.body.tee(set);
            self.body.all([I::I64Popcnt, I::I64Add]);
            sets.push(Some(set));
        }
        self.body.set(count);
        // The machine lists them.
        self.body.spend(|b| b.get(count));
        let occupied = self.body.local(ValType::I64);
        if self.of_fixed(Emitted::Occupied, &[])?.is_none()
            && self.on_board(OfBoard::Occupied, std::iter::empty())?.is_none()
        {
            return Err(Refused("moves of a large board"));
        }
        self.body.set(occupied);
        Ok(Steps { sets, occupied, count })
    }

    /// Puts a value that is apart on the stack, as one in the memory.
    pub(super) fn joined(&mut self, apart: &Apart) -> Ty {
        let address = self.body.local(ValType::I32);
        let (sets, first, ty) = match apart {
            Apart::Dirs(sets) => (sets, 0, Ty::id(Tag::Dirs)),
            Apart::Steps(steps) => (&steps.sets, SETS, Ty::id(Tag::Moves)),
        };
        allocated(&mut self.body, first + 8 * self.with.layout.directions);
        self.body.set(address);
        for (number, set) in (1..).zip(sets) {
            self.body.get(address);
            match set {
                Some(set) => self.body.get(*set),
                None => self.body.long(0),
            }
            self.body.add(I::I64Store(long(first + place(number))));
        }
        if let Apart::Steps(steps) = apart {
            self.body.get(address);
            self.body.get(steps.count);
            self.body.add(I::I64Store32(word(runtime::LENGTH)));
            self.body.get(address);
            self.body.all([I::I32Const(STEPS), I::I32Store(word(runtime::ROOM))]);
            self.body.get(address);
            self.body.get(steps.occupied);
            self.body.add(I::I64Store(long(OCCUPIED)));
        }
        self.body.get(address);
        self.body.done(ValType::I32, address);
        ty
    }

    /// Writes a native for an argument that is apart. Returns `None`, with nothing done, if none is.
    pub(super) fn of_apart(&mut self, emitted: Emitted, args: &[Node]) -> Emit<Option<Ty>> {
        let takes_parts = matches!(
            emitted,
            Emitted::InAny | Emitted::Toward | Emitted::CountMoves | Emitted::IsEmptyMoves | Emitted::CanMove
        );
        let Some(first) = args.first().filter(|_| takes_parts) else { return Ok(None) };
        if emitted == Emitted::CanMove {
            return self.can_move_apart(first);
        }
        let Some(first) = self.in_parts(first) else { return Ok(None) };
        Ok(Some(match (emitted, first, args) {
            (Emitted::InAny, Apart::Dirs(sets), _) => {
                self.body.long(0);
                for set in sets.into_iter().flatten() {
                    self.body.get(set);
                    self.body.add(I::I64Or);
                }
                Ty::Set
            }
            (Emitted::Toward, Apart::Dirs(sets), [_, direction]) => {
                match self.fixed_direction(direction) {
                    Some(number) => match sets.get(number as usize - 1).copied().flatten() {
                        Some(set) => self.body.get(set),
                        None => self.body.long(0),
                    },
                    None => {
                        let Some(number) = self.with.of_board(OfBoard::Toward) else {
                            return Err(Refused("a direction of a large board"));
                        };
                        self.joined(&Apart::Dirs(sets));
                        self.to(direction, Ty::Number)?;
                        self.body.call(number);
                    }
                }
                Ty::Set
            }
            (Emitted::CountMoves, Apart::Steps(steps), _) => {
                self.body.get(steps.count);
                Ty::Number
            }
            (_, Apart::Steps(steps), _) => {
                self.body.get(steps.count);
                self.body.add(I::I64Eqz);
                Ty::Truth
            }
            _ => return Err(Refused("a part of a value that is apart")),
        }))
    }

    /// Puts on the stack whether a player can move, if the moves that the rules list are apart.
    fn can_move_apart(&mut self, player: &Node) -> Emit<Option<Ty>> {
        let key = (super::callee::MOVES, 1);
        let Some(function) = self.in_place(key).filter(|_| self.with.lists_moves().is_some()) else { return Ok(None) };
        let facts = Facts { known: self.scope.known.clone(), apart: BTreeSet::new() };
        if !self.with.layout.shapes.plain
            || !self.with.result_is_apart(function, std::slice::from_ref(player), &facts, self.nested)
        {
            return Ok(None);
        }
        let listed = self.tried(|unit| unit.result_apart(function, std::slice::from_ref(player)));
        let Some(Apart::Steps(steps)) = listed else { return Ok(None) };
        self.body.get(steps.count);
        self.body.all([I::I64Const(0), I::I64GtS]);
        Ok(Some(Ty::Truth))
    }

    /// Lets a player choose one of several steps that are apart.
    pub(super) fn choose_apart(&mut self, node: &Node, player: &Node, options: &Node) -> Emit {
        let (site, given) = self.with.out(node, self.function, false)?;
        let [Given::Node(_), Given::Node(_)] = given.as_slice() else { return Err(Refused("a choice of other parts")) };
        let of = self.body.local(ValType::I32);
        self.to(player, Ty::id(Tag::Player))?;
        self.body.set(of);
        let Apart::Steps(steps) = self.apart(options)? else { return Err(Refused("sets in place of moves")) };
        self.pausing(node.at, &[(0, of, Ty::id(Tag::Player))])?;
        super::asks::asked(&mut self.body, |b| b.get(of));
        if self.with.layout.one_by_one {
            self.body.store(super::layout::LISTING, 0);
        }
        let end = self.body.block(Some(ValType::I64));
        moves::choose_of(&mut self.body, self.with.with.state.board(), &steps, |b, chosen| {
            b.get(chosen);
            moves::wrapped(b);
            b.jump(end);
        });
        self.body.word(site.cast_signed());
        self.body.get(of);
        self.convert(Ty::id(Tag::Player), Ty::Any);
        let ty = self.joined(&Apart::Steps(steps));
        self.convert(ty, Ty::Any);
        self.body.call(super::layout::out(2));
        self.body.end();
        self.body.done(ValType::I32, of);
        Ok(())
    }
}
