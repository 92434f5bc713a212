//! Natives that compiled rules carry out themselves.

use wasm_encoder::{Instruction as I, ValType};

use super::body::{Body, at, long, word};
use super::compiler::Emit;
use super::fixed::Fixed;
use super::layout::{self};
use super::long_moves;
use super::of_board::{Combined, OfBoard, Wide};
use super::outline::is_in_variable;
use super::phases::after_each;
use super::properties::Change;
use super::runtime::{self, Helper};
use super::standing;
use super::unit::Unit;
use super::value::{self, NO_ID, Tag, Ty};
use crate::natives::{self, Asking, Emitted, PartOfMove};
use crate::script::{Call, Node, Target};
use crate::values::Sort;

/// Returns the function for a native that takes or makes sets of a large board, or looks at the board otherwise.
const fn on_large_board(emitted: Emitted) -> Option<OfBoard> {
    Some(OfBoard::Wide(match emitted {
        Emitted::Cells => Wide::Cells,
        Emitted::CellsOf => Wide::CellsOf,
        Emitted::Occupied => Wide::Occupied,
        Emitted::Shift => Wide::Shift,
        Emitted::Around => Wide::Around,
        Emitted::Has => Wide::Has,
        Emitted::Count => Wide::Count,
        Emitted::IsEmptySet => Wide::IsEmpty,
        Emitted::NoCells => Wide::None,
        Emitted::One => Wide::One,
        Emitted::InOrder => Wide::InOrder,
        Emitted::Flood => Wide::Flood,
        Emitted::Groups => Wide::Groups,
        Emitted::On => return Some(OfBoard::On),
        Emitted::Leaves => return Some(OfBoard::Leaves),
        Emitted::Shifted => Wide::Shifted,
        Emitted::Advance => return Some(OfBoard::Advance),
        Emitted::Put => return Some(OfBoard::Place),
        Emitted::Lift => return Some(OfBoard::Lift),
        Emitted::LiftFrom => return Some(OfBoard::LiftFrom),
        Emitted::Height => return Some(OfBoard::Height),
        Emitted::CountThere => return Some(OfBoard::CountThere),
        Emitted::Remove => return Some(OfBoard::Remove),
        _ => return None,
    }))
}

/// Returns the function that looks at the board for a native.
const fn on_board(emitted: Emitted) -> Option<OfBoard> {
    Some(match emitted {
        Emitted::Cells => OfBoard::Cells,
        Emitted::CellsOf => OfBoard::CellsOf,
        Emitted::Occupied => OfBoard::Occupied,
        Emitted::Shift => OfBoard::Shift,
        Emitted::On => OfBoard::On,
        Emitted::Leaves => OfBoard::Leaves,
        Emitted::Shifted => OfBoard::Shifted,
        Emitted::Advance => OfBoard::Advance,
        Emitted::Put => OfBoard::Place,
        Emitted::Remove => OfBoard::Remove,
        Emitted::LiftFrom => OfBoard::LiftFrom,
        Emitted::Height => OfBoard::Height,
        Emitted::CountThere => OfBoard::CountThere,
        Emitted::Around => OfBoard::Around,
        Emitted::Only => OfBoard::Only,
        Emitted::Toward => OfBoard::Toward,
        Emitted::InAny => OfBoard::InAny,
        Emitted::Touched => OfBoard::Touched,
        Emitted::TouchedFar => OfBoard::TouchedFar,
        Emitted::Seen => OfBoard::Seen,
        Emitted::SeenFar => OfBoard::SeenFar,
        Emitted::SeenThrough => OfBoard::SeenThrough,
        Emitted::Lined => OfBoard::Lined,
        Emitted::Behind => OfBoard::Behind,
        Emitted::Opposite => OfBoard::Opposite,
        Emitted::Flood => OfBoard::Flood,
        Emitted::Connected => OfBoard::Connected,
        Emitted::Groups => OfBoard::Groups,
        Emitted::InOrder => OfBoard::InOrder,
        Emitted::Steps => OfBoard::Steps,
        Emitted::Jumps => OfBoard::Jumps,
        _ => return None,
    })
}

/// Returns whether a node is the set of all cells with pieces.
fn is_all_occupied(node: &Node) -> bool {
    let is_native = |call: &&Call| call.target == Target::Native && call.args.is_empty();
    node.call().filter(is_native).is_some_and(|call| natives::emitted(&call.name, &[]) == Some(Emitted::Occupied))
}

/// With how many fixed values one is compared in place.
const MOST_ALIKE: usize = 12;

impl Unit<'_, '_> {
    /// Writes a native in place. Returns `None`, with nothing done, if the board does not allow it.
    pub(super) fn emitted(&mut self, node: &Node, emitted: Emitted, args: &[Node]) -> Emit<Option<Ty>> {
        if let Some(ty) = self.of_fixed(emitted, args)? {
            return Ok(Some(ty));
        }
        if let (Emitted::SetOf, [list]) = (emitted, args) {
            return self.each_once(node, list).map(Some);
        }
        if let Some(ty) = self.of_apart(emitted, args)? {
            return Ok(Some(ty));
        }
        Ok(match self.of_components(emitted, args)? {
            Some(ty) => Some(ty),
            None => match self.of_values(node, emitted, args)? {
                Some(ty) => Some(ty),
                None => match self.of_sets(emitted, args)? {
                    Some(ty) => Some(ty),
                    None => match self.of_moves(node, emitted, args)? {
                        Some(ty) => Some(ty),
                        None => match self.of_cards(node, emitted, args)? {
                            Some(ty) => Some(ty),
                            None => self.of_amounts(node, emitted, args)?,
                        },
                    },
                },
            },
        })
    }

    /// Writes one that takes cells, pieces or players.
    fn of_components(&mut self, emitted: Emitted, args: &[Node]) -> Emit<Option<Ty>> {
        Ok(Some(match (emitted, args) {
            (Emitted::Tally, [of, name, number]) => match name.text() {
                Some(name) if self.set_property(of, name, number, Change::Tallied)? => Ty::Nothing,
                _ => return Ok(None),
            },
            (Emitted::At, [cell]) => {
                self.to(cell, Ty::id(Tag::Cell))?;
                self.body.all([I::I32Const(1), I::I32Shl]);
                self.body.add(I::I32Load16U(at(self.with.layout.board(), 1)));
                self.body.all([I::I32Const(1), I::I32Sub]);
                Ty::maybe(Tag::Piece)
            }
            // A piece of its own is on each cell with a face-down card.
            (Emitted::IsFaceDown, [cell]) => {
                let Some(back) = self.with.with.schema.back() else { return Ok(None) };
                self.to(cell, Ty::id(Tag::Cell))?;
                self.body.all([I::I32Const(1), I::I32Shl]);
                self.body.add(I::I32Load16U(at(self.with.layout.board(), 1)));
                self.body.all([I::I32Const(i32::from(back.0) + 1), I::I32Eq]);
                Ty::Truth
            }
            (Emitted::On, [cells]) if is_all_occupied(cells) => return self.on_board(OfBoard::OnAll, [].iter()),
            // On a small board, all results are in a table.
            (Emitted::DirectionTo, [_, _]) if !self.with.layout.shapes.small => {
                return self.on_board(OfBoard::DirectionTo, args.iter());
            }
            (Emitted::Step, [cell, direction]) => {
                self.to(cell, Ty::id(Tag::Cell))?;
                self.to(direction, Ty::Number)?;
                standing::stepped(&mut self.body, &self.with.layout);
                Ty::maybe(Tag::Cell)
            }
            (Emitted::Owner, [piece]) => {
                self.to(piece, Ty::id(Tag::Piece))?;
                self.body.add(I::I32Load8U(at(self.with.layout.owners, 0)));
                self.body.all([I::I32Const(1), I::I32Sub]);
                Ty::maybe(Tag::Player)
            }
            // It is an error to give it twice, or to somebody who does not play.
            (Emitted::NextTurn, [player]) if self.with.with.begins_turns => {
                let given = self.body.local(ValType::I32);
                self.to(player, Ty::id(Tag::Player))?;
                self.body.set(given);
                if self.with.with.state.table.players.len() < self.with.with.schema.players.len() {
                    self.is_playing(given);
                }
                self.body.load(layout::NEXT_TURN);
                self.body.all([I::I32Const(NO_ID), I::I32Ne]);
                self.body.give_up_if();
                self.body.word(0);
                self.body.get(given);
                self.body.add(I::I32Store(word(layout::NEXT_TURN)));
                self.body.done(ValType::I32, given);
                Ty::Nothing
            }
            (Emitted::After, [player]) => {
                let of = self.body.local(ValType::I32);
                self.to(player, Ty::id(Tag::Player))?;
                self.body.set(of);
                let after = after_each(&self.with.with.state.table).map(|player| I::I32Const(player.0.into()));
                self.body.pick(of, I::I32Const(NO_ID), after);
                self.body.done(ValType::I32, of);
                Ty::id(Tag::Player)
            }
            (Emitted::Place, [piece]) => {
                self.to(piece, Ty::id(Tag::Piece))?;
                standing::alone(&mut self.body, &self.with.layout);
                standing::place(&mut self.body, &self.with.layout);
                Ty::maybe(Tag::Cell)
            }
            // Of face-down cards nobody asks this.
            (Emitted::IsOff, [piece]) if !self.with.with.schema.pieces.iter().any(|one| one.many && !one.is_back()) => {
                self.to(piece, Ty::id(Tag::Piece))?;
                standing::alone(&mut self.body, &self.with.layout);
                standing::place(&mut self.body, &self.with.layout);
                self.body.all([I::I32Const(NO_ID), I::I32Eq]);
                Ty::Truth
            }
            _ => return Ok(None),
        }))
    }

    /// Writes one that takes lists or numbers.
    fn of_values(&mut self, node: &Node, emitted: Emitted, args: &[Node]) -> Emit<Option<Ty>> {
        Ok(Some(match (emitted, args) {
            (Emitted::Length, [list]) => {
                self.to(list, Ty::id(Tag::List))?;
                self.body.add(I::I64Load32U(word(runtime::LENGTH)));
                Ty::Number
            }
            (Emitted::Sum, [list]) => {
                if let Some(call) = list.call().filter(|call| call.target == Target::Native && !call.method)
                    && call.natives.asked() == Some(Asking::Roll)
                    && let Some(ty) = self.roll(node, (call, list.at), true)?
                {
                    return Ok(Some(ty));
                }
                self.to(list, Ty::id(Tag::List))?;
                self.body.call(Helper::Sum.number());
                Ty::Number
            }
            (Emitted::IsEmptyList, [list]) => {
                self.to(list, Ty::id(Tag::List))?;
                self.body.all([I::I32Load(word(runtime::LENGTH)), I::I32Eqz]);
                Ty::Truth
            }
            (Emitted::Pop | Emitted::TakeFirst | Emitted::TakeAt, [list, rest @ ..]) if is_in_variable(list) => {
                return self.taken(emitted, list, rest.first()).map(Some);
            }
            (Emitted::Push, [list, item]) if is_in_variable(list) => {
                let value = self.body.local(ValType::I64);
                self.owned(list, Tag::List, |unit| {
                    unit.kept(item, Ty::Any)?;
                    unit.body.set(value);
                    Ok(())
                })?;
                let list = self.body.local(ValType::I32);
                self.body.set(list);
                runtime::pushed(&mut self.body, list, value);
                self.body.done(ValType::I32, list);
                self.body.done(ValType::I64, value);
                Ty::Nothing
            }
            (Emitted::Contains, [list, item]) => {
                if let Some(Fixed::List(items)) = self.fixed(list)
                    && let Some(ty) = self.is_one_of(&items, item)?
                {
                    return Ok(Some(ty));
                }
                self.to(list, Ty::id(Tag::List))?;
                self.to(item, Ty::Any)?;
                self.body.call(Helper::Contains.number());
                Ty::Truth
            }
            (Emitted::IndexOf, [list, item]) => return self.index_of(node, list, item),
            (Emitted::InRange, [range, item]) => {
                let Some((from, to, inclusive)) = self.range(range) else { return Ok(None) };
                let number = self.body.local(ValType::I64);
                self.to(item, Ty::Number)?;
                self.body.set(number);
                for (end, compare) in [(&from, I::I64GeS), (&to, if inclusive { I::I64LeS } else { I::I64LtS })] {
                    self.body.get(number);
                    self.to(end, Ty::Number)?;
                    self.body.add(compare);
                }
                self.body.add(I::I32And);
                self.body.done(ValType::I64, number);
                Ty::Truth
            }
            (Emitted::Abs, [of]) => {
                let number = self.body.local(ValType::I64);
                self.to(of, Ty::Number)?;
                self.body.tee(number);
                for sign in [I::I64Xor, I::I64Sub] {
                    self.body.get(number);
                    self.body.all([I::I64Const(63), I::I64ShrS, sign]);
                }
                self.body.done(ValType::I64, number);
                Ty::Number
            }
            (Emitted::Least | Emitted::Most, [one, other]) => {
                let (first, second) = (self.body.local(ValType::I64), self.body.local(ValType::I64));
                self.to(one, Ty::Number)?;
                self.body.set(first);
                self.to(other, Ty::Number)?;
                self.body.set(second);
                for local in [first, second, first, second] {
                    self.body.get(local);
                }
                self.body.add(if emitted == Emitted::Least { I::I64LtS } else { I::I64GtS });
                self.body.add(I::Select);
                self.body.done(ValType::I64, first);
                self.body.done(ValType::I64, second);
                Ty::Number
            }
            _ => return Ok(None),
        }))
    }

    /// Puts the place of a value in a list on the stack. The host does it for a text and what may be a function. Returns `None`, with
    /// nothing done, if all of it is the host's.
    fn index_of(&mut self, node: &Node, list: &Node, item: &Node) -> Emit<Option<Ty>> {
        if matches!(item.what, crate::script::What::Closure(_)) {
            return Ok(None);
        }
        let may_be = |sort| item.kind.may_be(sort);
        let (of, value) = (self.body.local(ValType::I32), self.body.local(ValType::I64));
        let by_host = match may_be(Sort::Function) || may_be(Sort::Text) {
            true => {
                let (site, given) = self.with.out(node, self.function, false)?;
                match super::outline::places(&given, &[list, item]) {
                    Some(places) if places == [0, 1] => Some(site),
                    _ => return Ok(None),
                }
            }
            false => None,
        };
        self.to(list, Ty::id(Tag::List))?;
        self.body.set(of);
        self.to(item, Ty::Any)?;
        self.body.set(value);
        if let Some(site) = by_host {
            self.is_tagged(value, Tag::Text);
            self.is_tagged(value, Tag::Other);
            self.body.add(I::I32Or);
            self.body.when(Some(ValType::I64));
            self.body.word(site.cast_signed());
            self.body.get(of);
            self.convert(Ty::id(Tag::List), Ty::Any);
            self.body.get(value);
            self.body.call(layout::out(2));
            self.convert(Ty::Any, Ty::Number);
            self.body.otherwise();
        }
        self.body.get(of);
        self.body.get(value);
        self.body.call(Helper::IndexOf.number());
        if by_host.is_some() {
            self.body.end();
        }
        self.body.done(ValType::I32, of);
        self.body.done(ValType::I64, value);
        Ok(Some(Ty::Number))
    }

    /// Puts on the stack whether a value is one of a few fixed ones of the same sort. Returns `None`, with nothing done, for others.
    fn is_one_of(&mut self, items: &[Fixed], value: &Node) -> Emit<Option<Ty>> {
        let ty = self.ty_of(value);
        let tag = match ty {
            Ty::Number => Some(Tag::Number),
            Ty::Id { tag, maybe: false } if tag.is_id(self.with.layout.shapes) => Some(tag),
            _ => None,
        };
        if items.len() > MOST_ALIKE || tag.is_none() || Fixed::tag_of_all(items) != tag {
            return Ok(None);
        }
        let given = self.body.local(ty.wasm().unwrap_or(ValType::I32));
        self.to(value, ty)?;
        self.body.set(given);
        self.body.word(0);
        for item in items {
            self.body.get(given);
            self.put(item);
            self.body.add(if ty == Ty::Number { I::I64Eq } else { I::I32Eq });
            self.body.add(I::I32Or);
        }
        self.body.done(ty.wasm().unwrap_or(ValType::I32), given);
        Ok(Some(Ty::Truth))
    }

    /// Puts the values of a list on the stack, each once; the host orders other values than small numbers.
    fn each_once(&mut self, node: &Node, list: &Node) -> Emit<Ty> {
        let (site, given) = self.with.out(node, self.function, false)?;
        let (of, bits) = (self.body.local(ValType::I32), self.body.local(ValType::I64));
        self.to(list, Ty::id(Tag::List))?;
        self.body.tee(of);
        self.body.word(0);
        self.body.call(Helper::Bits.number());
        self.body.tee(bits);
        self.body.all([I::I64Const(runtime::NO_BITS), I::I64Eq]);
        self.body.when(Some(ValType::I32));
        self.body.word(site.cast_signed());
        for _ in &given {
            self.body.get(of);
            self.convert(Ty::id(Tag::List), Ty::Any);
        }
        self.body.call(layout::out(given.len()));
        self.convert(Ty::Any, Ty::id(Tag::List));
        self.body.otherwise();
        self.body.get(bits);
        self.body.call(Helper::OfBits.number());
        self.body.end();
        self.body.done(ValType::I32, of);
        self.body.done(ValType::I64, bits);
        Ok(Ty::id(Tag::List))
    }

    /// Takes a value out of a list in a variable, the last one unless an index says otherwise, and puts it on the stack: `()` if
    /// there is none. An index that is not there gives the rules up.
    fn taken(&mut self, emitted: Emitted, list: &Node, index: Option<&Node>) -> Emit<Ty> {
        let (of, left) = (self.body.local(ValType::I32), self.body.local(ValType::I32));
        let (at, value) = (self.body.local(ValType::I64), self.body.local(ValType::I64));
        self.owned(list, Tag::List, |unit| {
            if let Some(index) = index {
                unit.to(index, Ty::Number)?;
                unit.body.set(at);
            }
            Ok(())
        })?;
        self.body.tee(of);
        self.body.add(I::I64Load32U(word(runtime::LENGTH)));
        self.body.set(value);
        match emitted {
            Emitted::TakeAt => {
                self.body.get(at);
                self.body.get(value);
                self.body.add(I::I64GeU);
                self.body.give_up_if();
            }
            Emitted::TakeFirst => {
                self.body.long(0);
                self.body.set(at);
            }
            _ => {
                self.body.get(value);
                self.body.all([I::I64Const(1), I::I64Sub]);
                self.body.set(at);
            }
        }
        self.body.get(value);
        self.body.all([I::I64Eqz]);
        self.body.when(Some(ValType::I64));
        self.body.long(value::NOTHING);
        self.body.otherwise();
        // The values behind it move up.
        self.body.get(value);
        self.body.get(at);
        self.body.all([I::I64Sub, I::I64Const(1), I::I64Sub, I::I32WrapI64]);
        self.body.set(left);
        self.body.spend(|b| {
            b.get(left);
            b.add(I::I64ExtendI32U);
        });
        self.body.get(of);
        self.body.get(value);
        self.body.all([I::I32WrapI64, I::I32Const(1), I::I32Sub, I::I32Store(word(runtime::LENGTH))]);
        self.body.get(of);
        self.body.add(I::I32Load(word(runtime::ITEMS)));
        self.body.get(at);
        self.body.all([I::I32WrapI64, I::I32Const(3), I::I32Shl, I::I32Add]);
        self.body.tee(of);
        self.body.add(I::I64Load(long(0)));
        self.body.set(value);
        self.body.rounds(left, |b| {
            b.get(of);
            b.get(of);
            b.all([I::I64Load(long(8)), I::I64Store(long(0))]);
            b.step(of, runtime::ITEM);
        });
        self.body.get(value);
        self.body.end();
        for local in [at, value] {
            self.body.done(ValType::I64, local);
        }
        for local in [of, left] {
            self.body.done(ValType::I32, local);
        }
        Ok(Ty::Any)
    }

    /// Writes one that takes or makes sets of a small board, or that looks at the board as a whole.
    fn of_sets(&mut self, emitted: Emitted, args: &[Node]) -> Emit<Option<Ty>> {
        let small = self.with.layout.shapes.small;
        Ok(Some(match (emitted, args) {
            (Emitted::Has, [set, cell]) if small => {
                self.to(set, Ty::Set)?;
                self.to(cell, Ty::id(Tag::Cell))?;
                self.body.all([I::I64ExtendI32U, I::I64ShrU, I::I32WrapI64, I::I32Const(1), I::I32And]);
                Ty::Truth
            }
            (Emitted::Count, [set]) if small => {
                self.to(set, Ty::Set)?;
                self.body.add(I::I64Popcnt);
                Ty::Number
            }
            (Emitted::IsEmptySet, [set]) if small => {
                self.to(set, Ty::Set)?;
                self.body.add(I::I64Eqz);
                Ty::Truth
            }
            (Emitted::IsEmptySet | Emitted::Count, [set]) if self.is_in_few_words(set) => {
                self.counted_in_words(set, emitted == Emitted::IsEmptySet)?
            }
            (Emitted::NoCells, []) if small => {
                self.body.long(0);
                Ty::Set
            }
            (Emitted::FaceDown, []) if small => {
                let back = self.with.with.schema.back();
                let Some(place) = back.and_then(|back| self.with.layout.many(back)) else { return Ok(None) };
                self.body.all([I::I32Const(0), I::I64Load(long(place))]);
                Ty::Set
            }
            (Emitted::One, [cell]) if small => {
                self.one(cell)?;
                Ty::Set
            }
            (Emitted::OccupiedBy, [kind]) => {
                let kind = kind.text().and_then(|kind| self.with.with.schema.kind(kind));
                let Some(kind) = kind else { return Ok(None) };
                let function = if small { OfBoard::OfKind(kind) } else { OfBoard::Wide(Wide::OfKind(kind)) };
                return self.on_board(function, std::iter::empty());
            }
            (emitted, args) => match if small { on_board(emitted) } else { on_large_board(emitted) } {
                Some(function) => return self.on_board(function, args.iter()),
                None => return Ok(None),
            },
        }))
    }

    /// Calls a function that looks at the board. Returns `None`, with nothing done, if the board does not allow it.
    pub(super) fn on_board<'n>(&mut self, function: OfBoard, args: impl Iterator<Item = &'n Node>) -> Emit<Option<Ty>> {
        let Some(number) = self.with.of_board(function) else { return Ok(None) };
        let (parameters, result) = function.signature(self.with.layout.shapes.small);
        for (arg, ty) in args.zip(parameters) {
            self.to(arg, *ty)?;
        }
        self.body.call(number);
        Ok(Some(result))
    }

    /// Combines large sets, sets for each direction, moves or lists by an operator. Returns `None`, with nothing done, for
    /// other values.
    pub(super) fn combined(&mut self, sign: &str, one: &Node, other: &Node) -> Emit<Option<Ty>> {
        const DIRS: Ty = Ty::id(Tag::Dirs);
        const MOVES: Ty = Ty::id(Tag::Moves);
        const LIST: Ty = Ty::id(Tag::List);
        const CELLS: Ty = Ty::id(Tag::Cells);
        let how = Combined::by(sign);
        let function = match (self.with.ty(&one.kind), self.with.ty(&other.kind), how) {
            (DIRS, DIRS, Some(how)) => OfBoard::Combine(how),
            (DIRS, Ty::Set, Some(how @ (Combined::And | Combined::Without))) => OfBoard::With(how),
            (Ty::Set, DIRS, Some(Combined::And)) => {
                let Some(number) = self.with.of_board(OfBoard::With(Combined::And)) else { return Ok(None) };
                let set = self.body.local(ValType::I64);
                self.to(one, Ty::Set)?;
                self.body.set(set);
                self.to(other, DIRS)?;
                self.body.get(set);
                self.body.done(ValType::I64, set);
                self.body.call(number);
                return Ok(Some(DIRS));
            }
            (CELLS, CELLS, Some(how)) => match self.combined_in_words(how, one, other)? {
                Some(ty) => return Ok(Some(ty)),
                None => OfBoard::Wide(Wide::Combine(how)),
            },
            (LIST, LIST, None) if sign == "+" => {
                self.to(one, LIST)?;
                self.to(other, LIST)?;
                self.body.call(Helper::Concat.number());
                return Ok(Some(LIST));
            }
            (MOVES, MOVES, None) if sign == "+" => OfBoard::Join,
            (MOVES, _, None) if sign == "+" && other.kind.is(Sort::Move) => OfBoard::Add,
            _ => return Ok(None),
        };
        self.on_board(function, [one, other].into_iter())
    }

    /// Writes one that takes or makes moves.
    fn of_moves(&mut self, node: &Node, emitted: Emitted, args: &[Node]) -> Emit<Option<Ty>> {
        let shapes = self.with.layout.shapes;
        if !shapes.moves {
            return Ok(None);
        }
        Ok(Some(match (emitted, args) {
            (Emitted::NoMoves, []) => {
                runtime::new_list(&mut self.body, 0);
                Ty::id(Tag::Moves)
            }
            (Emitted::CountMoves, [moves]) => {
                self.to(moves, Ty::id(Tag::Moves))?;
                self.body.add(I::I64Load32U(word(runtime::LENGTH)));
                Ty::Number
            }
            (Emitted::IsEmptyMoves, [moves]) if moves.kind.is(Sort::Moves) || self.with.lists_moves().is_some() => {
                self.to(moves, Ty::id(Tag::Moves))?;
                self.body.all([I::I32Load(word(runtime::LENGTH)), I::I32Eqz]);
                Ty::Truth
            }
            (Emitted::Path, [from, to]) => {
                self.to(from, Ty::id(Tag::Cell))?;
                self.body.all([I::I32Const(value::FROM), I::I32Shl]);
                self.to(to, Ty::id(Tag::Cell))?;
                self.body.all([I::I32Const(value::TO), I::I32Shl, I::I32Or]);
                let ty = self.with.ty(&node.kind);
                self.convert(Ty::id(Tag::Move), ty);
                ty
            }
            (Emitted::Onward, args) => return self.on_board(OfBoard::Onward, args.iter()),
            (Emitted::Capturing, [made, on]) => {
                let Some(number) = self.with.of_board(OfBoard::Capturing) else { return Ok(None) };
                self.to(made, Ty::id(Tag::Move))?;
                self.cell_or_set(on)?;
                self.body.call(number);
                Ty::id(Tag::Move)
            }
            (Emitted::Stops, [made]) => return self.on_board(OfBoard::Stops, std::iter::once(made)),
            (Emitted::Captured, [made]) => {
                let captured = |body: &mut Body| {
                    long_moves::captured(body, shapes.plain);
                    Ty::Set
                };
                return self.of_move(node, made, captured).map(Some);
            }
            (Emitted::Make, [made]) => {
                let Some(number) = self.with.of_board(OfBoard::Make) else { return Ok(None) };
                let make = |body: &mut Body| {
                    body.call(number);
                    Ty::Nothing
                };
                return self.of_move(node, made, make).map(Some);
            }
            // Long moves are looked at when somebody asks whether there are any, and it is an error if the function that lists
            // them asks that.
            (Emitted::CanMove, [player]) if shapes.plain => {
                let listing = self.with.lists_moves().filter(|listing| !listing.recursive).cloned();
                let Some(listing) = listing else { return Ok(None) };
                let fixed = vec![self.fixed(player)];
                let (number, fixed) = self.with.number((super::callee::MOVES, 1), fixed)?;
                for (ty, fixed) in listing.parameters.iter().zip(fixed) {
                    if fixed.is_none() {
                        self.to(player, *ty)?;
                    }
                }
                self.body.call(number);
                self.after_end(listing.ends);
                self.body.all([I::I32Load(word(runtime::LENGTH)), I::I32Const(0), I::I32GtU]);
                Ty::Truth
            }
            // Nothing is remembered: what the rules list is the same again. Long moves are compared when one is chosen.
            (Emitted::Remembered, [player]) if self.with.lists_moves().is_some() => {
                self.effect(player)?;
                Ty::Nothing
            }
            (Emitted::Noted, [player, moves]) if self.with.lists_moves().is_some() => {
                self.effect(player)?;
                self.to(moves, Ty::id(Tag::Moves))?;
                if self.with.layout.one_by_one {
                    self.note_listing();
                }
                Ty::id(Tag::Moves)
            }
            _ => return Ok(None),
        }))
    }

    /// Notes that the moves on the stack are those of a built-in turn, if there are any: what is asked where there are none
    /// is no choice among them. A turn that a function has called is no phase of its own.
    fn note_listing(&mut self) {
        if self.nested > 0 {
            return self.body.store(layout::LISTING, 0);
        }
        let moves = self.body.local(ValType::I32);
        self.body.tee(moves);
        self.body.word(0);
        self.body.get(moves);
        self.body.all([I::I32Load(word(runtime::LENGTH)), I::I32Const(0), I::I32GtU]);
        self.body.load(layout::HELD_TOP);
        self.body.all([I::I32Const(layout::HELD.cast_signed()), I::I32Eq, I::I32And]);
        self.body.add(I::I32Store(word(layout::LISTING)));
        self.body.done(ValType::I32, moves);
    }

    /// Puts the set of one cell of a small board on the stack.
    fn one(&mut self, cell: &Node) -> Emit {
        self.body.long(1);
        self.to(cell, Ty::id(Tag::Cell))?;
        self.body.all([I::I64ExtendI32U, I::I64Shl]);
        Ok(())
    }

    /// Puts the set of a cell or of several on the stack. Gives up for any other value.
    fn cell_or_set(&mut self, node: &Node) -> Emit {
        let ty = self.ty_of(node);
        match ty {
            Ty::Set => return self.to(node, ty),
            Ty::Id { tag: Tag::Cell, .. } => return self.one(node),
            _ => {}
        }
        let value = self.body.local(ValType::I64);
        self.to(node, Ty::Any)?;
        self.body.set(value);
        self.is_tagged(value, Tag::Cell);
        self.body.when(Some(ValType::I64));
        self.body.long(1);
        self.body.get(value);
        self.body.all([I::I64Const(value::TAG_BITS), I::I64ShrU, I::I64Shl]);
        self.body.otherwise();
        self.body.get(value);
        self.convert(Ty::Any, Ty::id(Tag::Cells));
        self.body.add(I::I64Load(long(0)));
        self.body.end();
        self.body.done(ValType::I64, value);
        Ok(())
    }

    /// Puts a part of a move on the stack. Returns `None`, with nothing done, if the value cannot be such a move, or
    /// has no such part.
    pub(super) fn part_of_move(&mut self, node: &Node, of: &Node, name: &str) -> Emit<Option<Ty>> {
        let is_move = of.kind.is_any() || of.kind.is(Sort::Move);
        let Some(part) = PartOfMove::of(name).filter(|_| self.with.layout.shapes.moves && is_move) else {
            return Ok(None);
        };
        let plain = self.with.layout.shapes.plain;
        let packed = |body: &mut Body| {
            if !plain {
                long_moves::as_packed(body);
            }
            if part == PartOfMove::Captures {
                body.all([I::I32Const(1), I::I32And]);
                return Ty::Truth;
            }
            long_moves::cell(body, part == PartOfMove::From);
            Ty::id(Tag::Cell)
        };
        self.of_move(node, of, packed).map(Some)
    }

    /// Writes what is done with a move, a part of a node, for one in the memory that is on the stack. The host does it for others.
    fn of_move(&mut self, node: &Node, of: &Node, known: impl FnOnce(&mut Body) -> Ty) -> Emit<Ty> {
        if self.with.ty(&of.kind) == Ty::id(Tag::Move) {
            self.to(of, Ty::id(Tag::Move))?;
            return Ok(known(&mut self.body));
        }
        self.of_tagged(node, Tag::Move, |unit| known(&mut unit.body))
    }
}
