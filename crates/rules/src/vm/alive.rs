//! Which registers decide how a function goes on: those that it reads before it writes to them.
//!
//! A pause keeps only these, so that values which nobody reads any more do not make two pauses of equal ones. Liveness of
//! variables, backwards through the operations: Aho, Lam, Sethi and Ullman, "Compilers", 2nd edition, section 9.2.5.

use std::ops::Range;

use rhai::Position;

use super::op::{ConstantTest, Function, NumberTest, Op};
use super::registers::Registers;
use super::site::{Site, Target};
use super::window::Register;
use crate::script::LocalId;
use crate::values::Val;

/// What happens to the registers of a function where it is paused.
#[derive(Clone, Copy)]
pub(super) enum Continues {
    /// This operation runs once more.
    At(usize),
    /// It goes on at this operation, after a call that sets registers.
    After(usize, [Option<Register>; 2]),
}

/// Where a function pauses, at an ask or in a call of another function, and what it keeps there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pausing {
    /// The number of the function, and that of the operation at which it goes on.
    pub(crate) function: u32,
    pub(crate) next: u32,
    /// The number of its registers there.
    pub(crate) registers: Register,
    /// What it reads from there on, with its register.
    pub(crate) kept: Vec<(Register, Kept)>,
    /// The function that it calls, and the register for the result; `None` at an ask.
    pub(crate) calls: Option<(u32, Register)>,
}

/// A value that a function keeps at a pause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kept {
    Variable(LocalId),
    /// An argument of the ask.
    Argument(usize),
}

impl Function {
    /// Returns where the function pauses in the call with this place, as the function with this number; `None` if there is not
    /// exactly one such operation, or if something else is kept there than variables and arguments of an ask.
    pub(crate) fn pausing(&self, function: u32, place: Position) -> Option<Pausing> {
        let site = |op: &Op| match *op {
            Op::Call { to, site } | Op::Recall { to, site } => {
                let site = self.sites.get(usize::from(site))?;
                let Target::Function { function, .. } = site.callee else { return None };
                Some((site, Some((function, to))))
            }
            op => Some((self.sites.get(usize::from(op.call_site()?))?, None)),
        };
        let at_place = |op: &Op| site(op).filter(|(site, _)| site.position == place);
        let mut found = self.ops.iter().enumerate().filter_map(|(at, op)| Some((at, at_place(op)?)));
        let (at, (site, calls)) = found.next().filter(|_| found.next().is_none())?;
        // An ask runs once more.
        let next = at + usize::from(calls.is_some());
        let number = u32::try_from(at).ok()?;
        let is_inlined = self.inlined.iter().any(|part| (part.from..part.to).contains(&number));
        let is_tried = Flow::handlers(self).any(|handler| handler.ops.contains(&at));
        let mut noted = self.variables.iter().filter(|(other, _)| *other == place && !is_inlined && !is_tried);
        let variables = noted.next().filter(|_| noted.next().is_none()).map(|(_, variables)| variables)?;
        let mut alive = self.alive().get(next).copied()?;
        calls.iter().for_each(|(_, to)| alive.remove(*to));
        let of_register = |at: Register| {
            let is_argument = |(other, _): &(Register, bool)| *other == at && calls.is_none();
            let kept = match variables.get(usize::from(at)) {
                Some(variable) => variable.map(Kept::Variable),
                None => site.args.iter().position(is_argument).map(Kept::Argument),
            };
            Some((at, kept?))
        };
        let kept = (0..site.top).filter(|at| alive.has(usize::from(*at))).map(of_register).collect::<Option<_>>()?;
        Some(Pausing { function, next: u32::try_from(next).ok()?, registers: site.top, kept, calls })
    }

    /// Returns for each operation the registers that are read from there on.
    fn alive(&self) -> &[Registers] {
        self.alive.0.get_or_init(|| Flow::of(self).alive)
    }

    /// Empties the registers of a paused function that it does not read any more.
    pub(super) fn forget_dead(&self, continues: Continues, registers: &mut [Val]) {
        let all = self.alive();
        let (next, set) = match continues {
            Continues::At(next) => (next, [None; 2]),
            Continues::After(next, set) => (next, set),
        };
        let Some(mut alive) = all.get(next).copied() else { return };
        set.into_iter().flatten().for_each(|at| alive.remove(at));
        let handled = Flow::handlers(self).filter(|handler| handler.ops.contains(&next));
        handled.for_each(|handler| alive.add(&handler.read(all)));
        let dead = registers.iter_mut().enumerate().filter(|(at, _)| !alive.has(*at));
        dead.for_each(|(_, register)| *register = Val::Nothing);
    }
}

/// A handler of errors.
struct Handler {
    /// The operations whose errors it handles.
    ops: Range<usize>,
    /// The register that gets the error.
    error: Register,
}

impl Handler {
    /// Returns what it reads, given what is read from each operation on.
    fn read(&self, alive: &[Registers]) -> Registers {
        let mut read = alive.get(self.ops.end).copied().unwrap_or_default();
        read.remove(self.error);
        read
    }
}

/// What is found out about a function.
struct Flow<'f> {
    function: &'f Function,
    alive: Vec<Registers>,
    handlers: Vec<Handler>,
}

impl<'f> Flow<'f> {
    fn of(function: &'f Function) -> Self {
        let alive = vec![Registers::default(); function.ops.len()];
        let mut flow = Self { function, alive, handlers: Self::handlers(function).collect() };
        // From one round to the next, sets grow only by what loops and handlers bring.
        while flow.goes_on() {}
        flow
    }

    /// Returns the handlers of a function: what is tried is between the beginning and its handler.
    fn handlers(function: &Function) -> impl Iterator<Item = Handler> {
        function.ops.iter().enumerate().filter_map(|(begin, op)| match *op {
            Op::Try { to, at } => Some(Handler { ops: begin + 1..to as usize, error: at }),
            _ => None,
        })
    }

    /// Returns what is read from an operation on.
    fn from(&self, at: usize) -> Registers {
        self.alive.get(at).copied().unwrap_or_default()
    }

    /// Goes backwards through the operations once. Returns whether anything was found.
    fn goes_on(&mut self) -> bool {
        let mut changed = false;
        for (at, op) in self.function.ops.iter().enumerate().rev() {
            let mut alive = self.before(at, *op);
            let handled = self.handlers.iter().filter(|handler| handler.ops.contains(&at));
            handled.for_each(|handler| alive.add(&handler.read(&self.alive)));
            if let Some(known) = self.alive.get_mut(at).filter(|known| **known != alive) {
                *known = alive;
                changed = true;
            }
        }
        changed
    }

    /// Returns what is read from this operation on, without what handlers read.
    fn before(&self, at: usize, mut op: Op) -> Registers {
        let (mut on, mut jumped) = (self.from(at + 1), Registers::default());
        if let Some(to) = op.target_mut() {
            jumped = self.from(*to as usize);
        }
        let mut alive = match op {
            Op::Jump { .. } | Op::Back { .. } => jumped,
            Op::Return { .. } | Op::Throw { .. } | Op::Fault { .. } => Registers::default(),
            // Its handler is reached from what is tried.
            Op::Try { .. } => on,
            // These write their result on one of two ways.
            Op::Next { to, .. } => {
                on.remove(to);
                on.add(&jumped);
                on
            }
            Op::Again { to, .. } => {
                jumped.remove(to);
                jumped.add(&on);
                jumped
            }
            op => {
                on.add(&jumped);
                self.touch(op, &mut |_| {}, &mut |at| on.remove(at));
                on
            }
        };
        self.touch(op, &mut |at| alive.insert(at), &mut |_| {});
        alive
    }

    /// Calls `reads` with each register that an operation reads, also if it may only change a part of its value, and `writes` with
    /// those to which it writes whatever was in them.
    fn touch(&self, op: Op, reads: &mut dyn FnMut(Register), writes: &mut dyn FnMut(Register)) {
        match op {
            Op::Move { to, from } | Op::Copy { to, from } | Op::Unbox { to, from } | Op::Pointer { to, from } => {
                reads(from);
                writes(to);
            }
            Op::Share { at }
            | Op::Box { at }
            | Op::Capture { at }
            | Op::This { at }
            | Op::JumpIf { at, .. }
            | Op::JumpIfNothing { at, .. }
            | Op::Outcome { at, .. }
            | Op::Throw { at } => reads(at),
            Op::Begin { at } => {
                reads(at);
                row(at, 3).skip(1).for_each(writes);
            }
            Op::SetBox { at, from } | Op::KeepBox { at, from } => [at, from].into_iter().for_each(reads),
            Op::IsList { to, of }
            | Op::Unary { to, of, .. }
            | Op::Same { to, of, .. }
            | Op::Within { to, of, .. }
            | Op::Field { to, of, .. }
            | Op::FieldOwn { to, of, .. }
            | Op::Length { to, of, .. }
            | Op::Property { to, of, .. }
            | Op::PropertyOwn { to, of, .. }
            | Op::BinaryNumber { to, one: of, .. } => {
                reads(of);
                writes(to);
            }
            Op::Frozen { of, .. } => reads(of),
            Op::UnlessNumber(NumberTest { one, .. }, _) | Op::UnlessConstant(ConstantTest { one, .. }, _) => reads(one),
            Op::When { one, other, .. } | Op::Unless { one, other, .. } | Op::Change { at: one, by: other, .. } => {
                [one, other].into_iter().for_each(reads);
            }
            Op::Binary { to, one, other, .. }
            | Op::Index { to, of: one, at: other }
            | Op::IndexOwn { to, of: one, at: other, .. } => {
                [one, other].into_iter().for_each(reads);
                writes(to);
            }
            Op::SetIndex { of, at, value } | Op::PutIndex { of, at, value, .. } => {
                [of, at, value].into_iter().for_each(reads);
            }
            Op::SetField { of, value, .. } | Op::PutField { of, value, .. } | Op::SetProperty { of, value, .. } => {
                [of, value].into_iter().for_each(reads);
            }
            Op::List { to, from, count } | Op::Text { to, from, count } => {
                row(from, count).for_each(reads);
                writes(to);
            }
            Op::Append { to, from, count } => row(from, count).chain([to]).for_each(reads),
            Op::Map { to, from, names } => {
                self.keyed(from, names).for_each(reads);
                writes(to);
            }
            Op::Next { at, .. } | Op::Again { at, .. } => row(at, 3).for_each(reads),
            Op::Return { at } => {
                reads(at);
                if self.function.this {
                    reads(0);
                }
            }
            Op::Native { to, site }
            | Op::Plain { to, site }
            | Op::At { to, site, .. }
            | Op::Lookup { to, site, .. }
            | Op::CellNamed { to, site, .. }
            | Op::Step { to, site, .. }
            | Op::Mine { to, site, .. }
            | Op::Push { to, site, .. }
            | Op::Fixed { to, site }
            | Op::Ask { to, site }
            | Op::Quick { to, site }
            | Op::Call { to, site }
            | Op::Recall { to, site }
            | Op::Method { to, site }
            | Op::CallValue { to, site }
            | Op::Callback { to, site }
            | Op::Curry { to, site }
            | Op::Closure { to, site }
            | Op::May { to, site, .. } => {
                self.given(site).for_each(reads);
                writes(to);
            }
            Op::Event { site, .. } => self.given(site).for_each(reads),
            Op::Constant { to, .. } | Op::Number { to, .. } | Op::Truth { to, .. } | Op::Nothing { to } => writes(to),
            Op::Jump { .. }
            | Op::Back { .. }
            | Op::Clause { .. }
            | Op::Cover { .. }
            | Op::Mark { .. }
            | Op::Work { .. }
            | Op::Try { .. }
            | Op::EndTry
            | Op::Fault { .. } => {}
        }
    }

    /// Returns the registers with the values of a new map, by the number of its names.
    fn keyed(&self, from: Register, names: u16) -> impl Iterator<Item = Register> {
        let names = self.function.names.get(usize::from(names)).into_iter().flatten();
        names.map(move |(_, at)| from.wrapping_add(*at))
    }

    /// Returns the registers that a call reads. Constants that are not there yet are put there by the call.
    fn given(&self, site: u16) -> impl Iterator<Item = Register> {
        self.function.sites.get(usize::from(site)).into_iter().flat_map(Site::given)
    }
}

/// Returns `count` registers from `from` on.
fn row(from: Register, count: u8) -> impl Iterator<Item = Register> {
    (0..count).map(move |at| from.wrapping_add(at))
}
