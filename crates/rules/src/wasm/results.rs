//! Tables of results that are always the same for the same arguments: the host computes each once for a table.

use wasm_encoder::{Instruction as I, ValType};

use super::body::long;
use super::compiler::Emit;
use super::layout;
use super::outline::is_literal;
use super::unit::Unit;
use super::value::{COMPONENTS, KNOWN, TAG_BITS, Ty};
use crate::script::{Call, Node, What};
use crate::values::Kind;

/// An argument that decides which result of a table is meant.
pub(super) struct Deciding<'n> {
    pub(super) arg: &'n Node,
    pub(super) ty: Ty,
    /// How many different values it may have.
    pub(super) count: u32,
}

impl Unit<'_, '_> {
    /// Puts the result of a call on the stack that is always the same for the same arguments: it is in a table once the host
    /// has computed it. Returns `None`, with nothing done, for any other call.
    pub(super) fn tabulated(&mut self, node: &Node, call: &Call) -> Emit<Option<Ty>> {
        let Some((key, deciding)) = self.deciding(call) else { return Ok(None) };
        if let Some(ty) = self.looked_up(node, call, &deciding)? {
            return Ok(Some(ty));
        }
        let size = deciding.iter().fold(1_u32, |size, one| size.saturating_mul(one.count));
        if deciding.is_empty() {
            return Ok(None);
        }
        let (site, given) = self.with.out(node, self.function, false)?;
        if given.len() != deciding.len() {
            return Ok(None);
        }
        let Some(table) = self.with.table(key, size) else { return Ok(None) };
        if let Some(out) = self.with.outs.last_mut() {
            out.keeps = true;
        }
        let (place, result) = (self.body.local(ValType::I32), self.body.local(ValType::I64));
        // Whether all arguments are among those that the table has room for.
        let fits = self.body.local(ValType::I32);
        let values = self.place_in_table(&deciding, place, fits)?;
        self.body.get(fits);
        self.body.when(Some(ValType::I64));
        self.body.get(place);
        self.body.add(I::I64Load(long(table)));
        self.body.otherwise();
        self.body.long(0);
        self.body.end();
        self.body.tee(result);
        self.body.add(I::I64Eqz);
        self.body.when(None);
        self.body.word(site.cast_signed());
        for (one, value) in deciding.iter().zip(&values) {
            self.body.get(*value);
            self.convert(one.ty, Ty::Any);
        }
        self.body.call(layout::out(values.len()));
        // No wrapped value is 0 then.
        self.body.all([I::I64Const(KNOWN), I::I64Xor]);
        self.body.set(result);
        self.body.get(fits);
        self.body.load(layout::IS_KEPT);
        self.body.all([I::I32And]);
        self.body.when(None);
        self.body.get(place);
        self.body.get(result);
        self.body.add(I::I64Store(long(table)));
        self.body.end();
        self.body.end();
        self.body.get(result);
        self.body.all([I::I64Const(KNOWN), I::I64Xor]);
        for (one, value) in deciding.iter().zip(values) {
            self.body.done(one.wasm(), value);
        }
        self.body.done(ValType::I32, place);
        self.body.done(ValType::I32, fits);
        self.body.done(ValType::I64, result);
        Ok(Some(self.narrowed(node)))
    }

    /// Returns the arguments that decide, and the call without them; `None` if its results have no table.
    pub(super) fn deciding<'n>(&self, call: &'n Call) -> Option<(String, Vec<Deciding<'n>>)> {
        let (name, count) = (call.name.as_str(), call.args.len());
        let changes = call.natives.may_change(count)
            && call.args.first().is_some_and(|first| super::value::may_change(&first.kind));
        if !self.with.is_pure(name, count) || changes {
            return None;
        }
        let mut deciding = Vec::new();
        let mut key = name.to_owned();
        for (at, arg) in call.args.iter().enumerate() {
            if is_literal(arg) {
                if arg.function_value().is_some() || matches!(arg.what, What::List(_) | What::Constant(_)) {
                    return None;
                }
                key += &format!(" {:?}", arg.what);
                continue;
            }
            let ty = match self.with.ty(&arg.kind) {
                Ty::Any => self.only_type(call, at).unwrap_or(Ty::Any),
                ty => ty,
            };
            let ty = if let Ty::Id { tag, .. } = ty { Ty::id(tag) } else { ty };
            key += &format!(" {ty:?}");
            deciding.push(Deciding { arg, ty, count: self.with.count_of(ty)? });
        }
        Some((key, deciding))
    }

    /// Returns the type that an argument of a native must have; `None` if it may have several.
    fn only_type(&self, call: &Call, at: usize) -> Option<Ty> {
        let mut kinds: Vec<Kind> = call.args.iter().map(|arg| arg.kind.clone()).collect();
        let mut fitting = Kind::ANY.sorts().filter(|sort| {
            kinds.get_mut(at).into_iter().for_each(|kind| *kind = Kind::of(*sort));
            call.natives.taking(kinds.len()).any(|form| form.takes(&kinds))
        });
        let (only, None) = (fitting.next()?, fitting.next()) else { return None };
        Some(self.with.ty(&Kind::of(only)))
    }

    /// Leaves arguments in new variables.
    pub(super) fn values_of(&mut self, deciding: &[Deciding<'_>]) -> Emit<Vec<u32>> {
        let mut values = Vec::new();
        for one in deciding {
            let value = self.body.local(one.wasm());
            self.to(one.arg, one.ty)?;
            self.body.set(value);
            values.push(value);
        }
        Ok(values)
    }

    /// Leaves the place in a table in a variable, in bytes, and in another one whether there is such a place. Returns the
    /// variables with the arguments.
    fn place_in_table(&mut self, deciding: &[Deciding<'_>], place: u32, fits: u32) -> Emit<Vec<u32>> {
        let values = self.values_of(deciding)?;
        let number = self.body.local(ValType::I32);
        self.body.word(1);
        self.body.set(fits);
        self.body.word(0);
        self.body.set(place);
        for (one, value) in deciding.iter().zip(&values) {
            self.number_of(one, *value, number);
            self.body.get(number);
            self.body.all([I::I32Const(one.count.cast_signed()), I::I32LtU]);
            self.body.get(fits);
            self.body.add(I::I32And);
            self.body.set(fits);
            self.body.get(place);
            self.body.all([I::I32Const(one.count.cast_signed()), I::I32Mul]);
            self.body.get(number);
            self.body.add(I::I32Add);
            self.body.set(place);
        }
        self.body.get(place);
        self.body.all([I::I32Const(3), I::I32Shl]);
        self.body.set(place);
        self.body.done(ValType::I32, number);
        Ok(values)
    }

    /// Leaves the number of a value among those that an argument may have in a variable; a larger one, or -1, if it has none.
    fn number_of(&mut self, one: &Deciding<'_>, value: u32, number: u32) {
        match one.ty {
            Ty::Any => self.number_of_any(value, number),
            _ if one.wasm() == ValType::I64 => {
                self.body.word(-1);
                self.body.set(number);
                self.body.get(value);
                self.body.all([I::I64Const(one.count.into()), I::I64LtU]);
                self.body.when(None);
                self.body.get(value);
                self.body.add(I::I32WrapI64);
                self.body.set(number);
                self.body.end();
            }
            _ => {
                self.body.get(value);
                self.body.set(number);
            }
        }
    }

    /// The same for a wrapped value, which has a number if it is a player, a piece, a cell or a zone.
    fn number_of_any(&mut self, value: u32, number: u32) {
        let id = self.body.local(ValType::I32);
        self.body.word(-1);
        self.body.set(number);
        let mut first = 0;
        for tag in COMPONENTS {
            let count = self.with.count_of(Ty::id(tag)).unwrap_or_default();
            self.body.get(value);
            self.body.all([I::I64Const(15), I::I64And, I::I64Const(tag as i64), I::I64Eq]);
            self.body.when(None);
            self.body.get(value);
            self.body.all([I::I64Const(TAG_BITS), I::I64ShrU, I::I32WrapI64]);
            self.body.tee(id);
            self.body.all([I::I32Const(count.cast_signed()), I::I32LtU]);
            self.body.when(None);
            self.body.get(id);
            self.body.all([I::I32Const(first), I::I32Add]);
            self.body.set(number);
            self.body.end();
            self.body.end();
            first += count.cast_signed();
        }
        self.body.done(ValType::I32, id);
    }
}

impl Deciding<'_> {
    pub(super) fn wasm(&self) -> ValType {
        self.ty.wasm().unwrap_or(ValType::I32)
    }
}
