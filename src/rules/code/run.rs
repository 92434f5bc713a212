//! Running code.

use std::sync::Arc;

use rhai::{Dynamic, Engine, EvalAltResult, GlobalRuntimeState, ImmutableString, NativeCallContext, RhaiFunc};
use smallvec::SmallVec;

use super::{Call, Code, Native, Node, Operator};
use crate::rules::session::{Link, failure, stopped};
use crate::rules::{api, hooks};
use crate::table::{EventId, PlayerId, Table};

/// The deepest nesting of calls, as the interpreter has it.
const CALL_LEVELS: usize = 30;

/// Calls a function of the script by the interpreter: its name, the level of the call, the values.
type Interpret<'i> = dyn Fn(&str, usize, &mut [Dynamic]) -> Result<Dynamic, Box<EvalAltResult>> + 'i;

/// Who runs code, and what for.
pub(crate) struct Runner<'r> {
    pub(crate) engine: &'r Engine,
    pub(crate) global: &'r GlobalRuntimeState,
    pub(crate) code: &'r Code,
    pub(crate) link: &'r Link,
    /// The table, which stays the same during a run.
    pub(crate) table: Arc<Table>,
    /// The interpreter, for what is not code.
    pub(crate) interpret: &'r Interpret<'r>,
}

/// Why a piece of code has no value.
enum Stop {
    /// The function returns this.
    Return(Dynamic),
    Error(Box<EvalAltResult>),
}

impl From<Box<EvalAltResult>> for Stop {
    fn from(error: Box<EvalAltResult>) -> Self {
        Self::Error(error)
    }
}

type Value = Result<Dynamic, Stop>;

/// What code cannot do; the interpreter knows better.
fn unfit() -> Stop {
    Stop::Error(failure("this is left to the interpreter"))
}

impl Runner<'_> {
    /// Call a function of the script.
    pub(crate) fn call(&self, name: &str, level: usize, values: &mut [Dynamic]) -> Result<Dynamic, Box<EvalAltResult>> {
        match Code::place(&self.code.places, name, values.len()) {
            Some(place) => self.function(place, level, values),
            None => (self.interpret)(name, level, values),
        }
    }

    fn function(&self, place: usize, level: usize, values: &mut [Dynamic]) -> Result<Dynamic, Box<EvalAltResult>> {
        let Some(function) = self.code.functions.get(place) else { return Err(failure("no such function")) };
        let Some(body) = &function.body else { return (self.interpret)(&function.name, level, values) };
        if level > CALL_LEVELS {
            return Err(failure("the functions call one another too deeply"));
        }
        let mut slots: SmallVec<[Dynamic; 8]> = values.iter_mut().map(std::mem::take).collect();
        slots.resize(function.slots, Dynamic::UNIT);
        match self.node(body, &mut slots, level) {
            Ok(value) | Err(Stop::Return(value)) => Ok(value),
            Err(Stop::Error(error)) => Err(error),
        }
    }

    fn node(&self, node: &Node, slots: &mut [Dynamic], level: usize) -> Value {
        match node {
            Node::Value(value) => Ok(value.clone()),
            Node::Local(slot) => slots.get(*slot).cloned().ok_or_else(unfit),
            Node::Set(slot, value) => {
                let value = self.node(value, slots, level)?;
                if let Some(slot) = slots.get_mut(*slot) {
                    *slot = value;
                }
                Ok(Dynamic::UNIT)
            }
            Node::If(parts) => {
                let [condition, then, other] = &**parts;
                let branch = if self.truth(condition, slots, level)? { then } else { other };
                self.node(branch, slots, level)
            }
            Node::Block(nodes) => {
                let Some((last, before)) = nodes.split_last() else { return Ok(Dynamic::UNIT) };
                for node in before {
                    drop(self.node(node, slots, level)?);
                }
                self.node(last, slots, level)
            }
            Node::Return(value) => Err(Stop::Return(self.node(value, slots, level)?)),
            Node::And(parts) => {
                for part in parts {
                    if !self.truth(part, slots, level)? {
                        return Ok(false.into());
                    }
                }
                Ok(true.into())
            }
            Node::Or(parts) => {
                for part in parts {
                    if self.truth(part, slots, level)? {
                        return Ok(true.into());
                    }
                }
                Ok(false.into())
            }
            Node::Native(call) => self.native(call, slots, level),
            Node::Operator(operator, call) => self.operator(*operator, call, slots, level),
            Node::Fixed(node, known) => {
                if let Some((of, value)) = &*known.borrow()
                    && Arc::ptr_eq(of, &self.table)
                {
                    return Ok(value.clone());
                }
                let value = self.node(node, slots, level)?;
                *known.borrow_mut() = Some((Arc::clone(&self.table), value.clone()));
                Ok(value)
            }
            Node::Script(place, values) => {
                self.tick()?;
                let mut values = self.values(values, slots, level)?;
                Ok(self.function(*place, level + 1, &mut values)?)
            }
            Node::Clause(clause) => Ok(self.link.with(|session| {
                session.applied(*clause);
                Ok(Dynamic::UNIT)
            })?),
            Node::Event(event, call) => self.event(*event, call, slots, level),
            Node::CanMove(player) => {
                let Some(player) = self.node(player, slots, level)?.try_cast::<PlayerId>() else { return Err(unfit()) };
                let call = |values: &mut [Dynamic]| self.call("moves", level + 1, values);
                Ok(hooks::any_move(self.link, player, call)?.into())
            }
        }
    }

    /// Something happened: where nobody keeps events, its values are only looked at.
    fn event(&self, event: EventId, call: &Call, slots: &mut [Dynamic], level: usize) -> Value {
        let told = {
            let look = |value| match value {
                &Node::Local(slot) => slots.get(slot),
                Node::Value(value) => Some(value),
                _ => None,
            };
            let values: Option<SmallVec<[&Dynamic; 4]>> = call.values.iter().skip(1).map(look).collect();
            values.map(|values| api::only_told(self.link, event, &values)).transpose()?
        };
        if told == Some(true) { Ok(Dynamic::UNIT) } else { self.native(call, slots, level) }
    }

    fn tick(&self) -> Result<(), Stop> {
        if self.link.meter.tick() { Err(Stop::Error(stopped())) } else { Ok(()) }
    }

    fn truth(&self, node: &Node, slots: &mut [Dynamic], level: usize) -> Result<bool, Stop> {
        self.node(node, slots, level)?.as_bool().map_err(|_| unfit())
    }

    fn values(&self, nodes: &[Node], slots: &mut [Dynamic], level: usize) -> Result<SmallVec<[Dynamic; 4]>, Stop> {
        let mut values = SmallVec::new();
        for node in nodes {
            values.push(self.node(node, slots, level)?);
        }
        Ok(values)
    }

    /// Call the native that fits the values. A variable in front is lent to those that only look at it.
    fn native(&self, call: &Call, slots: &mut [Dynamic], level: usize) -> Value {
        self.tick()?;
        if let Some((Node::Local(slot), rest)) = call.values.split_first() {
            let mut values = self.values(rest, slots, level)?;
            let Some(first) = slots.get_mut(*slot) else { return Err(unfit()) };
            let native = call.fitting(|at| match at.checked_sub(1) {
                None => Some(&*first),
                Some(at) => values.get(at),
            });
            let native = native.ok_or_else(unfit)?;
            let mut copy;
            let first = if native.function.is_method() {
                first
            } else {
                copy = first.clone();
                &mut copy
            };
            let mut all: SmallVec<[&mut Dynamic; 4]> = std::iter::once(first).chain(values.iter_mut()).collect();
            return self.invoke(call, native, &mut all);
        }
        let mut values = self.values(&call.values, slots, level)?;
        let native = call.fitting(|at| values.get(at)).ok_or_else(unfit)?;
        let mut all: SmallVec<[&mut Dynamic; 4]> = values.iter_mut().collect();
        self.invoke(call, native, &mut all)
    }

    fn invoke(&self, call: &Call, native: &Native, values: &mut [&mut Dynamic]) -> Value {
        let (RhaiFunc::Pure { func, has_context, .. } | RhaiFunc::Method { func, has_context, .. }) = &native.function
        else {
            return Err(unfit());
        };
        let context = has_context
            .then(|| NativeCallContext::from((self.engine, call.name.as_str(), None, self.global, call.position)));
        Ok(func(context, values)?)
    }

    fn operator(&self, operator: Operator, call: &Call, slots: &mut [Dynamic], level: usize) -> Value {
        use Operator::{Add, AtLeast, AtMost, Equal, Less, More, Multiply, Negate, Not, Other, Subtract, Unequal};
        // A set in a variable is lent to what works on sets.
        if let Some(Node::Local(slot)) = call.values.first()
            && !matches!(operator, Equal | Unequal)
            && slots.get(*slot).is_some_and(|value| value.is_variant())
        {
            return self.native(call, slots, level);
        }
        let mut values = self.values(&call.values, slots, level)?;
        if operator != Other {
            let plain = match values.as_slice() {
                [one] => match (operator, one.as_bool(), one.as_int()) {
                    (Not, Ok(truth), _) => Some((!truth).into()),
                    (Negate, _, Ok(number)) => number.checked_neg().map(Dynamic::from),
                    _ => return Err(unfit()),
                },
                [one, other] => {
                    if let (Ok(one), Ok(other)) = (one.as_int(), other.as_int()) {
                        let number = |number: Option<i64>| number.map(Dynamic::from);
                        let done = match operator {
                            Equal => Some((one == other).into()),
                            Unequal => Some((one != other).into()),
                            Less => Some((one < other).into()),
                            AtMost => Some((one <= other).into()),
                            More => Some((one > other).into()),
                            AtLeast => Some((one >= other).into()),
                            Add => number(one.checked_add(other)),
                            Subtract => number(one.checked_sub(other)),
                            Multiply => number(one.checked_mul(other)),
                            Not | Negate | Other => None,
                        };
                        return done.ok_or_else(unfit);
                    }
                    let same = if let (Ok(one), Ok(other)) = (one.as_bool(), other.as_bool()) {
                        Some(one == other)
                    } else if one.is_unit() || other.is_unit() {
                        Some(one.is_unit() && other.is_unit())
                    } else {
                        let texts = (one.read_lock::<ImmutableString>(), other.read_lock::<ImmutableString>());
                        texts.0.zip(texts.1).map(|(one, other)| *one == *other)
                    };
                    match (operator, same) {
                        (Equal, Some(same)) => Some(same.into()),
                        (Unequal, Some(same)) => Some((!same).into()),
                        (_, Some(_)) => return Err(unfit()),
                        (_, None) => None,
                    }
                }
                _ => None,
            };
            if let Some(value) = plain {
                return Ok(value);
            }
        }
        self.tick()?;
        let native = call.fitting(|at| values.get(at)).ok_or_else(unfit)?;
        let mut all: SmallVec<[&mut Dynamic; 4]> = values.iter_mut().collect();
        self.invoke(call, native, &mut all)
    }
}

impl Call {
    /// The native that takes these values, tried first the one that fitted last.
    fn fitting<'v>(&self, value: impl Fn(usize) -> Option<&'v Dynamic>) -> Option<&Native> {
        let any = std::any::TypeId::of::<Dynamic>();
        let fits = |native: &Native| {
            let mut types = native.parameters.iter().enumerate();
            types.all(|(at, wanted)| *wanted == any || value(at).is_some_and(|value| value.type_id() == *wanted))
        };
        let last = self.last.get();
        if let Some(native) = self.natives.get(last).filter(|native| fits(native) && !native.parameters.contains(&any))
        {
            return Some(native);
        }
        let found = self.natives.iter().position(fits)?;
        self.last.set(found);
        self.natives.get(found)
    }
}
