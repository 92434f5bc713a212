//! Tables of results that are there from the beginning: of natives, and of functions of the rules, whose results depend on their
//! arguments alone. They are called for all arguments that may be while rules are compiled.

use wasm_encoder::{Instruction as I, ValType};

use super::body::{at, long, word};
use super::compiler::{Compiler, Emit};
use super::computing::{Ready, is_worth_looking_up};
use super::fixed::Fixed;
use super::layout;
use super::results::Deciding;
use super::unit::Unit;
use super::value::{Tag, Ty};
use crate::script::{Call, Function, Node};

/// The number of entries of a table, and of all calls for tables.
const MOST_ENTRIES: u32 = 5_000;
const MOST_CALLS: u32 = 10_000;
/// The number of entries of a table with the results of a function of the rules.
const MOST_COMPUTED: u32 = 500;

/// How the entries of a table are written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Width {
    Two,
    Four,
    Eight,
}

impl Width {
    /// Returns that for results of a type; `None` if no table has them.
    const fn of(ty: Ty) -> Option<Self> {
        Some(match ty {
            Ty::Truth | Ty::Any => Self::Two,
            Ty::Id { tag: Tag::Player | Tag::Piece | Tag::Cell | Tag::Zone, .. } => Self::Two,
            Ty::Number | Ty::Id { tag: Tag::Text | Tag::List | Tag::Cells, .. } => Self::Four,
            Ty::Set => Self::Eight,
            _ => return None,
        })
    }

    /// Returns the entry that says that nothing is known there: the call fails, its result is of another sort, or it is one that
    /// would be written in the same way.
    const fn open(self) -> u64 {
        match self {
            Self::Two => u16::MAX as u64,
            Self::Four => 1 << 31,
            Self::Eight => u64::MAX,
        }
    }

    fn bytes(self, entry: u64) -> impl Iterator<Item = u8> {
        entry.to_le_bytes().into_iter().take(1 << self.shift())
    }

    /// Returns by how many bits the number of an entry is shifted.
    const fn shift(self) -> i32 {
        match self {
            Self::Two => 1,
            Self::Four => 2,
            Self::Eight => 3,
        }
    }
}

impl Compiler<'_> {
    /// Returns a table with the results of a call as values of a type, in the order of the arguments that are not
    /// fixed, the last one quickest. `None` if there is no such table. `of` is the function of the rules that is called, if one is.
    fn ready(&mut self, call: &Call, of: Option<&Function>, args: &[Argument], want: Ty) -> Option<Ready> {
        let width = Width::of(want)?;
        let open: Vec<(Ty, u32)> = args.iter().filter_map(Argument::open).collect();
        let entries = open.iter().fold(1_u32, |entries, (_, count)| entries.saturating_mul(*count));
        let (most, is_known) = match of {
            Some(function) => (MOST_COMPUTED, self.computing.contains(&function.key())),
            None => (MOST_ENTRIES, self.is_the_same(call)),
        };
        let are_few = entries <= most && open.iter().all(|(ty, _)| value_of(*ty, 0).is_some());
        if open.is_empty() || !are_few || !is_known {
            return None;
        }
        let key = format!("{} {} {args:?} {want:?}", call.name, of.is_some());
        if let Some(known) = self.ready.get(&key) {
            return *known;
        }
        if self.ready_calls + entries > MOST_CALLS {
            return None;
        }
        self.ready_calls += entries;
        let mut bytes = Vec::new();
        let (mut is_known, mut counted) = (false, 0);
        for number in 0..entries {
            let mut rest = number;
            let mut values = Vec::new();
            for arg in args.iter().rev() {
                values.push(match arg {
                    Argument::Fixed(fixed) => fixed.clone(),
                    Argument::Open(ty, count) => {
                        let value = rest % count;
                        rest /= count;
                        value_of(*ty, value)?
                    }
                });
            }
            values.reverse();
            let result = match of {
                Some(function) => self.computed(function, values).map(|(result, more)| {
                    counted = counted.max(more);
                    result
                }),
                None => self.evaluated(&call.name, values),
            };
            let entry = result.and_then(|result| self.entry(&result, want)).filter(|entry| *entry != width.open());
            is_known |= entry.is_some();
            bytes.extend(width.bytes(entry.unwrap_or(width.open())));
        }
        let ready = is_known.then(|| Ready { address: self.in_memory(bytes), counted });
        self.ready.insert(key, ready);
        ready
    }

    /// Returns the entry for a result as a value of a type: an id or an address is one more, so that 0 is `()`.
    fn entry(&mut self, result: &Fixed, want: Ty) -> Option<u64> {
        Some(match (result, want) {
            (Fixed::Number(number), Ty::Number) => u64::from(i32::try_from(*number).ok()?.cast_unsigned()),
            (Fixed::Truth(truth), Ty::Truth) => u64::from(*truth),
            (Fixed::Id(tag, id), Ty::Id { tag: wanted, .. }) if *tag == wanted => {
                u64::from(u16::try_from(*id).ok()?) + 1
            }
            (Fixed::Text(text), Ty::Id { tag: Tag::Text, .. }) => u64::from(self.strings.number(text)) + 1,
            (Fixed::List(items), Ty::Id { tag: Tag::List, .. }) => u64::from(self.list_in_memory(items).0) + 1,
            (Fixed::Set(words), Ty::Id { tag: Tag::Cells, .. }) => u64::from(self.set_in_memory(words)) + 1,
            (Fixed::Set(words), Ty::Set) => words.first().copied().unwrap_or_default(),
            (Fixed::Nothing, Ty::Id { maybe: true, .. }) => 0,
            // It is wrapped.
            (Fixed::Nothing | Fixed::Truth(_) | Fixed::Number(_) | Fixed::Text(_) | Fixed::Id(..), Ty::Any) => {
                let wrapped = self.wrapped(result);
                u16::try_from(wrapped).ok().filter(|entry| *entry < u16::MAX)?.into()
            }
            _ => return None,
        })
    }
}

/// An argument of a call.
#[derive(Debug)]
enum Argument {
    Fixed(Fixed),
    /// One of a type, of which there are so many values.
    Open(Ty, u32),
}

impl Argument {
    const fn open(&self) -> Option<(Ty, u32)> {
        match self {
            Self::Fixed(_) => None,
            Self::Open(ty, count) => Some((*ty, *count)),
        }
    }
}

/// Returns a value of a type by its number among them.
fn value_of(ty: Ty, number: u32) -> Option<Fixed> {
    match ty {
        Ty::Truth => Some(Fixed::Truth(number == 1)),
        Ty::Number => Some(Fixed::Number(number.into())),
        Ty::Id { tag: tag @ (Tag::Player | Tag::Piece | Tag::Cell | Tag::Zone), .. } => Some(Fixed::Id(tag, number)),
        _ => None,
    }
}

impl Unit<'_, '_> {
    /// Looks the result of a native up in a table that is there from the beginning. Returns `None`, with nothing done, if there is
    /// none.
    pub(super) fn looked_up(&mut self, node: &Node, call: &Call, deciding: &[Deciding<'_>]) -> Emit<Option<Ty>> {
        let want = self.with.ty(&node.kind);
        let is_small =
            matches!(want, Ty::Number | Ty::Id { tag: Tag::Text, .. }) || Width::of(want) == Some(Width::Two);
        let args = call.args.iter().map(|arg| match self.fixed(arg) {
            Some(fixed) => Some(Argument::Fixed(fixed)),
            None => {
                let one = deciding.iter().find(|one| std::ptr::eq(one.arg, arg))?;
                Some(Argument::Open(one.ty, one.count))
            }
        });
        let Some(args) = args.collect::<Option<Vec<_>>>().filter(|_| is_small) else { return Ok(None) };
        let (site, given) = self.with.out(node, self.function, false)?;
        let table = if given.len() == deciding.len() { self.with.ready(call, None, &args, want) } else { None };
        let Some(table) = table else {
            self.with.outs.pop();
            return Ok(None);
        };
        let values = self.values_of(deciding)?;
        let open = deciding.iter().zip(&values).filter(|(one, _)| self.fixed(one.arg).is_none());
        let open: Vec<(&Deciding<'_>, u32)> = open.map(|(one, value)| (one, *value)).collect();
        self.entry_of(table.address, &open, want, |unit| {
            unit.body.word(site.cast_signed());
            for (one, value) in deciding.iter().zip(&values) {
                unit.body.get(*value);
                unit.convert(one.ty, Ty::Any);
            }
            unit.body.call(layout::out(values.len()));
            unit.convert(Ty::Any, want);
            Ok(())
        })?;
        for (one, value) in deciding.iter().zip(values) {
            self.body.done(one.wasm(), value);
        }
        Ok(Some(want))
    }

    /// Looks the result of a function of the rules up in such a table: where nothing is known there, it is called. Returns `None`,
    /// with nothing done, if there is no table.
    pub(super) fn looked_up_of_rules(&mut self, node: &Node, call: &Call) -> Emit<Option<Ty>> {
        let key = (call.name.as_str(), call.args.len());
        let Some(function) = self.with.function(key).filter(|function| is_worth_looking_up(function)) else {
            return Ok(None);
        };
        let Some(callee) = self.with.callee(key).cloned() else { return Ok(None) };
        let want = callee.result;
        let (mut args, mut deciding) = (Vec::new(), Vec::new());
        for (arg, ty) in call.args.iter().zip(&callee.parameters) {
            if let Some(fixed) = self.fixed(arg) {
                args.push(Argument::Fixed(fixed));
                continue;
            }
            let is_id = matches!(ty, Ty::Truth | Ty::Number | Ty::Id { maybe: false, .. });
            let Some(count) = self.with.count_of(*ty).filter(|_| is_id) else { return Ok(None) };
            args.push(Argument::Open(*ty, count));
            deciding.push(Deciding { arg, ty: *ty, count });
        }
        let Some(table) = self.with.ready(call, Some(function), &args, want) else { return Ok(None) };
        let (number, fixed) = self.with.number(key, vec![None; args.len()])?;
        debug_assert!(fixed.iter().all(Option::is_none), "the function is written for any arguments");
        let values = self.values_of(&deciding)?;
        let open: Vec<(&Deciding<'_>, u32)> = deciding.iter().zip(values.iter().copied()).collect();
        self.note_computed(node, table.counted);
        self.entry_of(table.address, &open, want, |unit| {
            let mut given = values.iter();
            for (arg, ty) in args.iter().zip(&callee.parameters) {
                match arg {
                    Argument::Fixed(fixed) => {
                        let from = unit.put(fixed);
                        unit.convert(from, *ty);
                    }
                    Argument::Open(..) => given.next().into_iter().for_each(|value| unit.body.get(*value)),
                }
            }
            unit.body.call(number);
            Ok(())
        })?;
        for (one, value) in deciding.iter().zip(values) {
            self.body.done(one.wasm(), value);
        }
        Ok(Some(want))
    }

    /// Puts the entry of a table for the values of these arguments on the stack, or what `otherwise` puts there.
    fn entry_of(
        &mut self,
        table: u32,
        open: &[(&Deciding<'_>, u32)],
        want: Ty,
        otherwise: impl FnOnce(&mut Self) -> Emit,
    ) -> Emit {
        let Some(width) = Width::of(want) else { return otherwise(self) };
        let of_entry = if width == Width::Eight { ValType::I64 } else { ValType::I32 };
        let (entry, place) = (self.body.local(of_entry), self.body.local(ValType::I32));
        let found = self.body.block(want.wasm());
        let unknown = self.body.block(None);
        for (at, (one, value)) in open.iter().enumerate() {
            self.body.get(*value);
            if one.wasm() == ValType::I64 {
                self.body.all([I::I64Const(one.count.into()), I::I64GeU]);
            } else {
                self.body.all([I::I32Const(one.count.cast_signed()), I::I32GeU]);
            }
            self.body.jump_if(unknown);
            if at > 0 {
                self.body.get(place);
                self.body.all([I::I32Const(one.count.cast_signed()), I::I32Mul]);
            }
            self.body.get(*value);
            if one.wasm() == ValType::I64 {
                self.body.add(I::I32WrapI64);
            }
            if at > 0 {
                self.body.add(I::I32Add);
            }
            self.body.set(place);
        }
        self.body.get(place);
        self.body.all([I::I32Const(width.shift()), I::I32Shl]);
        self.body.add(match width {
            Width::Two => I::I32Load16U(at(table, 1)),
            Width::Four => I::I32Load(word(table)),
            Width::Eight => I::I64Load(long(table)),
        });
        self.body.tee(entry);
        let open = width.open();
        match width {
            Width::Two | Width::Four => self.body.all([I::I32Const((open as u32).cast_signed()), I::I32Eq]),
            Width::Eight => self.body.all([I::I64Const(open.cast_signed()), I::I64Eq]),
        }
        self.body.jump_if(unknown);
        self.body.get(entry);
        match want {
            Ty::Number => self.body.add(I::I64ExtendI32S),
            Ty::Any => self.body.add(I::I64ExtendI32U),
            Ty::Truth | Ty::Set => {}
            _ => self.body.all([I::I32Const(1), I::I32Sub]),
        }
        self.body.jump(found);
        self.body.end();
        otherwise(self)?;
        self.body.end();
        self.body.done(of_entry, entry);
        self.body.done(ValType::I32, place);
        Ok(())
    }
}
