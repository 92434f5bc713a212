//! Operators: those that compute, and comparisons.

use rhai::ImmutableString;
use wasm_encoder::{Instruction as I, ValType};

use super::compiler::Emit;
use super::of_board::{OfBoard, Wide};
use super::runtime::Helper;
use super::unit::Unit;
use super::value::{NO_ID, NOTHING, Shapes, Tag, Ty};
use crate::script::{Name, Node, What};
use crate::values::Sort;

/// How an operator is carried out.
#[derive(Clone)]
pub(super) enum Operation {
    /// One instruction.
    Plain(I<'static>),
    /// One instruction, whose result may be too large.
    Checked(I<'static>),
    Product,
    /// The cells of one set without those of another.
    Difference,
}

/// Returns how an operator is carried out for two values of a type; `None` if the host does it.
pub(super) fn operator(sign: &str, ty: Ty) -> Option<Operation> {
    Some(match (ty, sign) {
        (Ty::Number, "+") => Operation::Checked(I::I64Add),
        (Ty::Number, "-") => Operation::Checked(I::I64Sub),
        (Ty::Number, "*") => Operation::Product,
        (Ty::Number, "/") => Operation::Plain(I::I64DivS),
        (Ty::Number, "%") => Operation::Plain(I::I64RemS),
        (Ty::Number | Ty::Set, "&") => Operation::Plain(I::I64And),
        (Ty::Number | Ty::Set, "|") => Operation::Plain(I::I64Or),
        (Ty::Set, "-") => Operation::Difference,
        _ => return None,
    })
}

impl Unit<'_, '_> {
    pub(super) fn operation(&mut self, node: &Node, sign: &ImmutableString, parts: &[Node]) -> Emit<Ty> {
        match parts {
            [one, other] => {
                let types = (self.ty_of(one), self.ty_of(other));
                if let Some(ty) = self.comparison(sign, (one, types.0), (other, types.1))? {
                    return Ok(ty);
                }
                if matches!(types, (Ty::Number, Ty::Number) | (Ty::Set, Ty::Set) | (Ty::Truth, Ty::Truth))
                    && let Some(operator) = operator(sign, types.0)
                {
                    self.to(one, types.0)?;
                    self.to(other, types.1)?;
                    return Ok(self.operate(operator, types.0));
                }
                if let Some(ty) = self.joined_text(node, sign, one, other)? {
                    return Ok(ty);
                }
                if let Some(ty) = self.mixed(node, sign, one, other)? {
                    return Ok(ty);
                }
                match self.combined(sign, one, other)? {
                    Some(ty) => Ok(ty),
                    None => self.handed(node),
                }
            }
            [one] if sign == "!" => {
                self.truth(one)?;
                self.body.add(I::I32Eqz);
                Ok(Ty::Truth)
            }
            [one] if sign == "-" && one.kind.is(Sort::Number) => {
                self.body.long(0);
                self.to(one, Ty::Number)?;
                Ok(self.operate(Operation::Checked(I::I64Sub), Ty::Number))
            }
            _ => self.handed(node),
        }
    }

    /// Carries out an operator on two values of the same type on the stack.
    pub(super) fn operate(&mut self, operator: Operation, ty: Ty) -> Ty {
        match operator {
            Operation::Plain(instruction) => self.body.add(instruction),
            Operation::Checked(instruction) => {
                self.body.add(instruction);
                self.within_bits();
            }
            Operation::Product => self.body.call(Helper::Product.number()),
            Operation::Difference => self.body.all([I::I64Const(-1), I::I64Xor, I::I64And]),
        }
        ty
    }

    /// Gives up if the number on the stack is too large for a wrapped one.
    pub(super) fn within_bits(&mut self) {
        let number = self.body.local(ValType::I64);
        self.body.tee(number);
        self.body.all([I::I64Const(1 << 59), I::I64Add, I::I64Const(60), I::I64ShrU, I::I64Eqz, I::I32Eqz]);
        self.body.give_up_if();
        self.body.get(number);
        self.body.done(ValType::I64, number);
    }

    /// Compares two values, if their types tell how; returns `None` with nothing done otherwise.
    fn comparison(&mut self, sign: &str, (one, first): (&Node, Ty), (other, second): (&Node, Ty)) -> Emit<Option<Ty>> {
        let is_equality = matches!(sign, "==" | "!=");
        let instruction = match (first, second) {
            (Ty::Number, Ty::Number) => match sign {
                "==" => I::I64Eq,
                "!=" => I::I64Ne,
                "<" => I::I64LtS,
                "<=" => I::I64LeS,
                ">" => I::I64GtS,
                ">=" => I::I64GeS,
                _ => return Ok(None),
            },
            _ if !is_equality => return Ok(None),
            (Ty::Set, Ty::Set) => {
                if sign == "==" {
                    I::I64Eq
                } else {
                    I::I64Ne
                }
            }
            (Ty::Truth, Ty::Truth) => {
                if sign == "==" {
                    I::I32Eq
                } else {
                    I::I32Ne
                }
            }
            (Ty::Id { tag: one, .. }, Ty::Id { tag: other, .. })
                if one == other && one.is_id(self.with.layout.shapes) =>
            {
                if sign == "==" {
                    I::I32Eq
                } else {
                    I::I32Ne
                }
            }
            (Ty::Id { tag: Tag::Cells, maybe: false }, Ty::Id { tag: Tag::Cells, maybe: false }) => {
                let function = OfBoard::Wide(Wide::Same);
                let Some(ty) = self.on_board(function, [one, other].into_iter())? else { return Ok(None) };
                if sign == "!=" {
                    self.body.add(I::I32Eqz);
                }
                return Ok(Some(ty));
            }
            (Ty::Nothing, ty) | (ty, Ty::Nothing) if is_plain(one) || is_plain(other) => {
                // The node that is not `()` has the value.
                let node = if first == Ty::Nothing { other } else { one };
                match ty {
                    Ty::Id { tag, .. } => {
                        self.to(node, Ty::maybe(tag))?;
                        self.body.all([I::I32Const(NO_ID), if sign == "==" { I::I32Eq } else { I::I32Ne }]);
                    }
                    Ty::Any => {
                        self.to(node, Ty::Any)?;
                        self.body.all([I::I64Const(NOTHING), if sign == "==" { I::I64Eq } else { I::I64Ne }]);
                    }
                    _ => return Ok(None),
                }
                return Ok(Some(Ty::Truth));
            }
            (Ty::Never | Ty::Nothing, _) | (_, Ty::Never | Ty::Nothing) => return Ok(None),
            _ => {
                self.to(one, Ty::Any)?;
                self.to(other, Ty::Any)?;
                let shapes = self.with.layout.shapes;
                if is_told_by_bits(first, shapes) || is_told_by_bits(second, shapes) {
                    self.are_same_bits();
                } else {
                    self.body.call(Helper::Equal.number());
                }
                if sign == "!=" {
                    self.body.add(I::I32Eqz);
                }
                return Ok(Some(Ty::Truth));
            }
        };
        // Ids may be `()`, which is equal to itself.
        let widened = |ty| match ty {
            Ty::Id { tag, .. } => Ty::maybe(tag),
            ty => ty,
        };
        self.to(one, widened(first))?;
        self.to(other, widened(second))?;
        self.body.add(instruction);
        Ok(Some(Ty::Truth))
    }

    /// Compares two wrapped values on the stack, of which one is equal to what has the same bits alone. The helper tells of values of
    /// different sorts whether they can be compared.
    fn are_same_bits(&mut self) {
        let values = [self.body.local(ValType::I64), self.body.local(ValType::I64)];
        let [one, other] = values;
        for value in [other, one] {
            self.body.set(value);
        }
        self.body.get(one);
        self.body.get(other);
        self.body.all([I::I64Xor, I::I64Const(15), I::I64And, I::I64Eqz]);
        self.body.when(Some(ValType::I32));
        self.body.get(one);
        self.body.get(other);
        self.body.add(I::I64Eq);
        self.body.otherwise();
        self.body.get(one);
        self.body.get(other);
        self.body.call(Helper::Equal.number());
        self.body.end();
        for value in values {
            self.body.done(ValType::I64, value);
        }
    }

    /// Returns the type in which the value of a node is put on the stack: a variable may have a narrower one than its kind says.
    pub(super) fn ty_of(&self, node: &Node) -> Ty {
        let ty = self.with.ty(&node.kind);
        if ty != Ty::Any {
            return ty;
        }
        match &node.what {
            What::Name(Name::Local(local)) => self.scope.locals.get(local).map_or(ty, |(_, ty)| *ty),
            What::Operator(sign, parts) => match parts.as_slice() {
                [one, other] if operator(sign, Ty::Number).is_some() => {
                    let are_numbers = self.ty_of(one) == Ty::Number && self.ty_of(other) == Ty::Number;
                    if are_numbers { Ty::Number } else { ty }
                }
                _ => ty,
            },
            _ => ty,
        }
    }
}

/// Returns whether the bits of a value tell what it is equal to.
const fn is_told_by_bits(ty: Ty, shapes: Shapes) -> bool {
    match ty {
        Ty::Number | Ty::Truth => true,
        Ty::Id { tag, .. } => tag.is_id(shapes),
        _ => false,
    }
}

/// Returns whether a node is `()` itself.
const fn is_plain(node: &Node) -> bool {
    matches!(node.what, What::Nothing)
}
