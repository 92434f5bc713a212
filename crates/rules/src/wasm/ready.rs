//! Tables of results that are there from the beginning: of natives whose results depend on their arguments alone. They are called
//! for all arguments that may be while rules are compiled.

use wasm_encoder::{Instruction as I, ValType};

use super::body::at;
use super::compiler::{Compiler, Emit};
use super::fixed::Fixed;
use super::layout;
use super::results::Deciding;
use super::unit::Unit;
use super::value::{Tag, Ty};
use crate::script::{Call, Node};

/// An entry for which the host is asked: the native fails there, or its result is of another sort.
const OPEN: u16 = u16::MAX;

/// The number of entries of a table, and of all calls for tables.
const MOST_ENTRIES: u32 = 5_000;
const MOST_CALLS: u32 = 10_000;

impl Compiler<'_> {
    /// Returns the address of a table with the results of a call as values of a type, each in two bytes: in the order of the
    /// arguments that are not fixed, the last one quickest. `None` if there is no such table.
    fn ready(&mut self, call: &Call, args: &[Argument], want: Ty) -> Option<u32> {
        let open: Vec<(Ty, u32)> = args.iter().filter_map(Argument::open).collect();
        let entries = open.iter().fold(1_u32, |entries, (_, count)| entries.saturating_mul(*count));
        if open.is_empty() || entries > MOST_ENTRIES || !self.is_the_same(call) {
            return None;
        }
        let key = format!("{} {args:?} {want:?}", call.name);
        if let Some(known) = self.ready.get(&key) {
            return *known;
        }
        if self.ready_calls + entries > MOST_CALLS {
            return None;
        }
        self.ready_calls += entries;
        let mut bytes = Vec::new();
        let mut is_known = false;
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
            let entry = (self.with.evaluate)(&call.name, &values).and_then(|result| entry(&result, want));
            is_known |= entry.is_some();
            bytes.extend(entry.unwrap_or(OPEN).to_le_bytes());
        }
        let address = is_known.then(|| self.in_memory(bytes));
        self.ready.insert(key, address);
        address
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
        Ty::Number => Some(Fixed::Number(number.into())),
        Ty::Id { tag: tag @ (Tag::Player | Tag::Piece | Tag::Cell | Tag::Zone), .. } => Some(Fixed::Id(tag, number)),
        _ => None,
    }
}

/// Returns the entry for a result as a value of a type: an id is one more, so that 0 is `()`.
fn entry(result: &Fixed, want: Ty) -> Option<u16> {
    let entry = match (result, want) {
        (Fixed::Number(number), Ty::Number) => u16::try_from(*number).ok()?,
        (Fixed::Truth(truth), Ty::Truth) => u16::from(*truth),
        (Fixed::Id(tag, id), Ty::Id { tag: wanted, .. }) if *tag == wanted => u16::try_from(id + 1).ok()?,
        (Fixed::Nothing, Ty::Id { maybe: true, .. }) => 0,
        _ => return None,
    };
    Some(entry).filter(|entry| *entry != OPEN)
}

impl Unit<'_, '_> {
    /// Looks the result of a call up in a table that is there from the beginning. Returns `None`, with nothing done, if there is
    /// none.
    pub(super) fn looked_up(&mut self, node: &Node, call: &Call, deciding: &[Deciding<'_>]) -> Emit<Option<Ty>> {
        let want = self.with.ty(&node.kind);
        let is_small = matches!(want, Ty::Number | Ty::Truth)
            || matches!(want, Ty::Id { tag: Tag::Player | Tag::Piece | Tag::Cell | Tag::Zone, .. });
        let args = call.args.iter().map(|arg| match self.fixed(arg) {
            Some(fixed) => Some(Argument::Fixed(fixed)),
            None => {
                let one = deciding.iter().find(|one| std::ptr::eq(one.arg, arg))?;
                Some(Argument::Open(one.ty, one.count))
            }
        });
        let Some(args) = args.collect::<Option<Vec<_>>>().filter(|_| is_small) else { return Ok(None) };
        let (site, given) = self.with.out(node, self.function, false)?;
        let table = if given.len() == deciding.len() { self.with.ready(call, &args, want) } else { None };
        let Some(table) = table else {
            self.with.outs.pop();
            return Ok(None);
        };
        let values = self.values_of(deciding)?;
        let result = want.wasm().unwrap_or(ValType::I32);
        let (entry, place) = (self.body.local(ValType::I32), self.body.local(ValType::I32));
        let found = self.body.block(Some(result));
        let open = self.body.block(None);
        let looked_at: Vec<_> = deciding.iter().zip(&values).filter(|(one, _)| self.fixed(one.arg).is_none()).collect();
        for (at, (one, value)) in looked_at.into_iter().enumerate() {
            self.body.get(*value);
            if one.wasm() == ValType::I64 {
                self.body.all([I::I64Const(one.count.into()), I::I64GeU]);
            } else {
                self.body.all([I::I32Const(one.count.cast_signed()), I::I32GeU]);
            }
            self.body.jump_if(open);
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
        self.body.all([I::I32Const(1), I::I32Shl, I::I32Load16U(at(table, 1))]);
        self.body.tee(entry);
        self.body.all([I::I32Const(OPEN.into()), I::I32Eq]);
        self.body.jump_if(open);
        self.body.get(entry);
        match want {
            Ty::Number => self.body.add(I::I64ExtendI32U),
            Ty::Truth => {}
            _ => self.body.all([I::I32Const(1), I::I32Sub]),
        }
        self.body.jump(found);
        self.body.end();
        self.body.word(site.cast_signed());
        for (one, value) in deciding.iter().zip(&values) {
            self.body.get(*value);
            self.convert(one.ty, Ty::Any);
        }
        self.body.call(layout::out(values.len()));
        self.convert(Ty::Any, want);
        self.body.end();
        for (one, value) in deciding.iter().zip(values) {
            self.body.done(one.wasm(), value);
        }
        self.body.done(ValType::I32, entry);
        self.body.done(ValType::I32, place);
        Ok(Some(want))
    }
}
