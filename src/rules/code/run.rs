//! Running code.

use std::sync::Arc;

use rhai::{Dynamic, Engine, EvalAltResult, GlobalRuntimeState};
use smallvec::SmallVec;

use super::quick::Caller;
use super::{Call, Code, Held, Native, Node, Operator};
use crate::rules::session::{Link, failure, stopped};
use crate::rules::{api, hooks};
use crate::table::{EventId, Table};

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

/// A function while it runs.
struct Frame<'f> {
    /// The values of all functions that run: of each its variables, then those that a call is waiting for.
    stack: &'f mut Vec<Held>,
    /// Where those of this function begin.
    base: usize,
    /// How deep in calls it is.
    level: usize,
}

/// Why a piece of code has no value.
enum Stop {
    /// The function returns what is on top of the stack.
    Return,
    Error(Box<EvalAltResult>),
}

impl From<Box<EvalAltResult>> for Stop {
    fn from(error: Box<EvalAltResult>) -> Self {
        Self::Error(error)
    }
}

type Value = Result<Held, Stop>;

/// What code cannot do; the interpreter knows better.
fn unfit() -> Stop {
    Stop::Error(failure("this is left to the interpreter"))
}

impl Runner<'_> {
    /// Call a function of the script with the values on the stack.
    pub(crate) fn call(&self, place: usize, level: usize, stack: &mut Vec<Held>) -> Result<Held, Box<EvalAltResult>> {
        self.function(place, &mut Frame { stack, base: 0, level }).map_err(|stop| match stop {
            Stop::Error(error) => error,
            Stop::Return => failure("a function returned twice"),
        })
    }

    /// Run a function whose values lie on top of the stack.
    fn function(&self, place: usize, frame: &mut Frame<'_>) -> Value {
        let Some(function) = self.code.functions.get(place) else { return Err(unfit()) };
        let Some(body) = &function.body else {
            let mut values: SmallVec<[Dynamic; 4]> = frame.stack.drain(frame.base..).map(Held::into_dynamic).collect();
            return Ok((self.interpret)(&function.name, frame.level, &mut values)?.into());
        };
        if frame.level > CALL_LEVELS {
            return Err(failure("the functions call one another too deeply").into());
        }
        frame.stack.resize(frame.base + function.slots, Held::Nothing);
        let given = match self.node(body, frame) {
            Err(Stop::Return) => Ok(frame.stack.pop().unwrap_or_default()),
            given => given,
        };
        frame.stack.truncate(frame.base);
        given
    }

    fn node(&self, node: &Node, frame: &mut Frame<'_>) -> Value {
        match node {
            Node::Value(value) => Ok(value.clone()),
            Node::Local(slot) => frame.stack.get(frame.base + slot).cloned().ok_or_else(unfit),
            Node::Set(slot, value) => {
                let value = self.node(value, frame)?;
                if let Some(slot) = frame.stack.get_mut(frame.base + slot) {
                    *slot = value;
                }
                Ok(Held::Nothing)
            }
            Node::If(parts) => {
                let [condition, then, other] = &**parts;
                let branch = if self.truth(condition, frame)? { then } else { other };
                self.node(branch, frame)
            }
            Node::Block(nodes) => {
                let Some((last, before)) = nodes.split_last() else { return Ok(Held::Nothing) };
                for node in before {
                    drop(self.node(node, frame)?);
                }
                self.node(last, frame)
            }
            Node::Return(value) => {
                let value = self.node(value, frame)?;
                frame.stack.push(value);
                Err(Stop::Return)
            }
            Node::And(parts) => {
                for part in parts {
                    if !self.truth(part, frame)? {
                        return Ok(Held::Truth(false));
                    }
                }
                Ok(Held::Truth(true))
            }
            Node::Or(parts) => {
                for part in parts {
                    if self.truth(part, frame)? {
                        return Ok(Held::Truth(true));
                    }
                }
                Ok(Held::Truth(false))
            }
            Node::Native(call) => {
                self.tick()?;
                let laid = self.lay(call, frame)?;
                self.native(call, laid, frame)
            }
            Node::Operator(operator, call) => self.operator(*operator, call, frame),
            Node::Fixed(node, known) => {
                if let Some((of, value)) = &*known.borrow()
                    && Arc::ptr_eq(of, &self.table)
                {
                    return Ok(value.clone());
                }
                let value = self.node(node, frame)?;
                *known.borrow_mut() = Some((Arc::clone(&self.table), value.clone()));
                Ok(value)
            }
            Node::Script(place, values) => {
                self.tick()?;
                let base = frame.stack.len();
                for value in values {
                    let value = self.node(value, frame)?;
                    frame.stack.push(value);
                }
                self.function(*place, &mut Frame { stack: frame.stack, base, level: frame.level + 1 })
            }
            Node::Clause(clause) => {
                self.link.with(|session| {
                    session.applied(*clause);
                    Ok(())
                })?;
                Ok(Held::Nothing)
            }
            Node::Event(event, call) => self.event(*event, call, frame),
            Node::CanMove(player) => {
                let Held::Player(player) = self.node(player, frame)? else { return Err(unfit()) };
                let Some(moves) = self.code.moves else { return Err(unfit()) };
                let base = frame.stack.len();
                let any = hooks::any_move(self.link, player, || {
                    frame.stack.push(Held::Player(player));
                    let mut inner = Frame { stack: frame.stack, base, level: frame.level + 1 };
                    match self.function(moves, &mut inner) {
                        Ok(moves) => Ok(moves),
                        Err(Stop::Error(error)) => Err(error),
                        Err(Stop::Return) => Err(failure("a function returned twice")),
                    }
                })?;
                Ok(Held::Truth(any))
            }
        }
    }

    /// Something happened: where nobody keeps events, its values are only looked at.
    fn event(&self, event: EventId, call: &Call, frame: &mut Frame<'_>) -> Value {
        let laid = self.lay(call, frame)?;
        let told = match frame.stack.get(laid.top + 1..) {
            Some(values) => api::only_told(self.link, event, values)?,
            None => false,
        };
        if told {
            laid.clear(frame);
            return Ok(Held::Nothing);
        }
        self.tick()?;
        self.native(call, laid, frame)
    }

    fn tick(&self) -> Result<(), Stop> {
        if self.link.meter.tick() { Err(Stop::Error(stopped())) } else { Ok(()) }
    }

    fn truth(&self, node: &Node, frame: &mut Frame<'_>) -> Result<bool, Stop> {
        match self.node(node, frame)? {
            Held::Truth(truth) => Ok(truth),
            _ => Err(unfit()),
        }
    }

    /// Lay the values of a call on the stack. A variable in front is lent: an empty value stays in its slot.
    fn lay(&self, call: &Call, frame: &mut Frame<'_>) -> Result<Laid, Stop> {
        let top = frame.stack.len();
        let (lent, rest) = match call.values.split_first() {
            Some((Node::Local(slot), rest)) => (Some(frame.base + slot), rest),
            _ => (None, call.values.as_slice()),
        };
        if lent.is_some() {
            frame.stack.push(Held::Nothing);
        }
        for value in rest {
            let value = self.node(value, frame)?;
            frame.stack.push(value);
        }
        let laid = Laid { top, lent };
        laid.swap(frame);
        Ok(laid)
    }

    /// Call the native that fits the values.
    fn native(&self, call: &Call, laid: Laid, frame: &mut Frame<'_>) -> Value {
        let values = frame.stack.get_mut(laid.top..).unwrap_or_default();
        let native = call.fitting(values).ok_or_else(unfit)?;
        // What takes the value away gets the one on the stack, and the variable keeps its own.
        let kept = (laid.lent.is_some() && !native.looks).then(|| values.first().cloned().unwrap_or_default());
        let caller =
            Caller { engine: self.engine, global: self.global, name: call.name.as_str(), position: call.position };
        let given = (native.work)(&caller, values)?;
        if let Some(kept) = kept
            && let Some(first) = frame.stack.get_mut(laid.top)
        {
            *first = kept;
        }
        laid.clear(frame);
        Ok(given)
    }

    fn operator(&self, operator: Operator, call: &Call, frame: &mut Frame<'_>) -> Value {
        let laid = self.lay(call, frame)?;
        let done = match frame.stack.get(laid.top..) {
            Some([one]) => Some(operator.of_one(one).ok_or_else(unfit)?),
            Some([one, other]) => operator.of_two(one, other).map_err(|()| unfit())?,
            _ => None,
        };
        if let Some(value) = done {
            laid.clear(frame);
            return Ok(value);
        }
        self.tick()?;
        self.native(call, laid, frame)
    }
}

/// The values of a call on the stack.
#[derive(Clone, Copy)]
struct Laid {
    /// Where they begin.
    top: usize,
    /// The place of the variable that is lent as the first of them.
    lent: Option<usize>,
}

impl Laid {
    /// Lend the variable, or give it back.
    fn swap(self, frame: &mut Frame<'_>) {
        if let Some(slot) = self.lent {
            frame.stack.swap(slot, self.top);
        }
    }

    /// Take the values off the stack again.
    fn clear(self, frame: &mut Frame<'_>) {
        self.swap(frame);
        frame.stack.truncate(self.top);
    }
}

impl Operator {
    fn of_one(self, one: &Held) -> Option<Held> {
        match (self, one) {
            (Self::Not, Held::Truth(truth)) => Some(Held::Truth(!truth)),
            (Self::Negate, Held::Number(number)) => number.checked_neg().map(Held::Number),
            _ => None,
        }
    }

    /// What numbers, truths and texts can do by themselves; nothing for other values, an error for what they cannot do.
    fn of_two(self, one: &Held, other: &Held) -> Result<Option<Held>, ()> {
        let same = match (one, other) {
            (Held::Number(one), Held::Number(other)) => return self.of_numbers(*one, *other).map(Some).ok_or(()),
            (Held::Truth(one), Held::Truth(other)) => one == other,
            (Held::Text(one), Held::Text(other)) => one == other,
            (Held::Nothing, other) | (other, Held::Nothing) => matches!(other, Held::Nothing),
            _ => return Ok(None),
        };
        match self {
            Self::Equal => Ok(Some(Held::Truth(same))),
            Self::Unequal => Ok(Some(Held::Truth(!same))),
            _ => Err(()),
        }
    }

    fn of_numbers(self, one: i64, other: i64) -> Option<Held> {
        Some(match self {
            Self::Equal => Held::Truth(one == other),
            Self::Unequal => Held::Truth(one != other),
            Self::Less => Held::Truth(one < other),
            Self::AtMost => Held::Truth(one <= other),
            Self::More => Held::Truth(one > other),
            Self::AtLeast => Held::Truth(one >= other),
            Self::Add => Held::Number(one.checked_add(other)?),
            Self::Subtract => Held::Number(one.checked_sub(other)?),
            Self::Multiply => Held::Number(one.checked_mul(other)?),
            Self::Not | Self::Negate | Self::Other => return None,
        })
    }
}

impl Call {
    /// The native that takes these values, tried first the one that fitted last.
    fn fitting(&self, values: &[Held]) -> Option<&Native> {
        let fits = |native: &&Native| native.sorts.iter().zip(values).all(|(sort, value)| value.is(*sort));
        // One for any values comes last, and only where no other fits.
        if let Some(native) = self.natives.get(self.last.get()).filter(|native| !native.takes_any).filter(fits) {
            return Some(native);
        }
        let (at, native) = self.natives.iter().enumerate().find(|(_, native)| fits(native))?;
        self.last.set(at);
        Some(native)
    }
}
