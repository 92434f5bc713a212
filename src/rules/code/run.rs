//! Running code.

use std::ops::{Range, RangeInclusive};
use std::sync::Arc;

use rhai::{Array, Dynamic, Engine, EvalAltResult, GlobalRuntimeState, Identifier, Map};
use smallvec::SmallVec;

use super::{Code, Held, Node, Over};
use crate::rules::hooks;
use crate::rules::session::{Link, failure, stopped};
use crate::table::Table;

/// The deepest nesting of calls, as the interpreter has it.
const CALL_LEVELS: usize = 30;

/// Calls a function by the interpreter: its name, the level of the call, whether the first value is lent, the values.
type Interpret<'i> = dyn Fn(&str, usize, bool, &mut [Dynamic]) -> Result<Dynamic, Box<EvalAltResult>> + 'i;

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
pub(super) struct Frame<'f> {
    /// The values of all functions that run: of each its variables, then those that a call is waiting for.
    pub(super) stack: &'f mut Vec<Held>,
    /// Where those of this function begin.
    pub(super) base: usize,
    /// How deep in calls it is.
    pub(super) level: usize,
}

/// Why a piece of code has no value.
pub(super) enum Stop {
    /// The function returns what is on top of the stack.
    Return,
    /// The loop ends.
    Break,
    /// The loop goes on with the next value.
    Continue,
    Error(Box<EvalAltResult>),
}

impl From<Box<EvalAltResult>> for Stop {
    fn from(error: Box<EvalAltResult>) -> Self {
        Self::Error(error)
    }
}

pub(super) type Value = Result<Held, Stop>;

/// A `return` outside of functions, or a `break` outside of loops.
fn astray() -> Box<EvalAltResult> {
    failure("this leaves what it is not in")
}

/// What code cannot do; the interpreter knows better.
pub(super) fn unfit() -> Stop {
    Stop::Error(failure("this is left to the interpreter"))
}

impl Runner<'_> {
    /// Call a function of the script with the values on the stack.
    pub(crate) fn call(&self, place: usize, level: usize, stack: &mut Vec<Held>) -> Result<Held, Box<EvalAltResult>> {
        self.function(place, &mut Frame { stack, base: 0, level }).map_err(|stop| match stop {
            Stop::Error(error) => error,
            Stop::Return | Stop::Break | Stop::Continue => astray(),
        })
    }

    /// Run a function whose values lie on top of the stack.
    fn function(&self, place: usize, frame: &mut Frame<'_>) -> Value {
        let Some(function) = self.code.functions.get(place) else { return Err(unfit()) };
        let Some(body) = &function.body else {
            let mut values: SmallVec<[Dynamic; 4]> = frame.stack.drain(frame.base..).map(Held::into_dynamic).collect();
            return Ok((self.interpret)(&function.name, frame.level, false, &mut values)?.into());
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

    pub(super) fn node(&self, node: &Node, frame: &mut Frame<'_>) -> Value {
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
            Node::For(slot, over, body) => self.each(*slot, over, body, frame),
            Node::While(parts) => {
                let [condition, body] = &**parts;
                let top = frame.stack.len();
                while self.truth(condition, frame)? {
                    self.tick()?;
                    if !self.round(body, top, frame)? {
                        break;
                    }
                }
                Ok(Held::Nothing)
            }
            Node::Break => Err(Stop::Break),
            Node::Continue => Err(Stop::Continue),
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
            Node::List(nodes) => {
                let values: Result<Array, Stop> =
                    nodes.iter().map(|node| self.node(node, frame).map(Held::into_dynamic)).collect();
                Ok(self.sized(Held::Other(values?.into()))?)
            }
            Node::Map(nodes) => {
                let pair = |(name, node): &(Identifier, Node)| {
                    self.node(node, frame).map(|value| (name.clone(), value.into_dynamic()))
                };
                let values: Result<Map, Stop> = nodes.iter().map(pair).collect();
                Ok(self.sized(Held::Other(values?.into()))?)
            }
            Node::Element(parts) => {
                let [of, at] = &**parts;
                // What lies in a variable or a constant is not copied for this.
                let found = match of {
                    Node::Local(_) | Node::Value(_) => Held::Nothing,
                    of => self.node(of, frame)?,
                };
                let at = self.node(at, frame)?;
                let whole = match of {
                    Node::Local(slot) => frame.stack.get(frame.base + slot),
                    Node::Value(value) => Some(value),
                    _ => Some(&found),
                };
                whole.and_then(|whole| element(whole, &at)).ok_or_else(unfit)
            }
            Node::Field(calls, name) => self.field(calls, name, frame),
            Node::SetField(slot, parts, name) => self.set_field(*slot, parts, name, frame),
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
                    // As by the interpreter, it is not asked again while it is found out; and it takes as many levels.
                    let Ok(_asking) = self.link.spare.try_borrow_mut() else {
                        return Err(failure("this is left to the interpreter"));
                    };
                    frame.stack.push(Held::Player(player));
                    let mut inner = Frame { stack: frame.stack, base, level: frame.level + 3 };
                    match self.function(moves, &mut inner) {
                        Ok(moves) => Ok(moves),
                        Err(Stop::Error(error)) => Err(error),
                        Err(Stop::Return | Stop::Break | Stop::Continue) => Err(astray()),
                    }
                })?;
                Ok(Held::Truth(any))
            }
        }
    }

    /// Run the body of a loop for each value.
    fn each(&self, slot: usize, over: &Over, body: &Node, frame: &mut Frame<'_>) -> Value {
        let top = frame.stack.len();
        let with = |value: Held, frame: &mut Frame<'_>| {
            self.tick()?;
            if let Some(slot) = frame.stack.get_mut(frame.base + slot) {
                *slot = value;
            }
            self.round(body, top, frame)
        };
        let numbers = |from: i64, to: i64, inclusive: bool, frame: &mut Frame<'_>| {
            let mut number = from;
            while number < to || inclusive && number == to {
                if !with(Held::Number(number), frame)? {
                    break;
                }
                let Some(next) = number.checked_add(1) else { break };
                number = next;
            }
            Ok(Held::Nothing)
        };
        let values = match over {
            Over::Numbers(ends, inclusive) => {
                let [from, to] = &**ends;
                let (Held::Number(from), Held::Number(to)) = (self.node(from, frame)?, self.node(to, frame)?) else {
                    return Err(unfit());
                };
                return numbers(from, to, *inclusive, frame);
            }
            Over::List(list) => match self.node(list, frame)? {
                Held::Text(text) => text.chars().map(Dynamic::from).collect(),
                Held::Moves(moves) => moves.into_iter().map(Dynamic::from).collect(),
                Held::Cells(cells) => cells.iter().map(Dynamic::from).collect(),
                Held::Other(values) => {
                    if let Some(range) = values.read_lock::<Range<i64>>() {
                        return numbers(range.start, range.end, false, frame);
                    }
                    if let Some(range) = values.read_lock::<RangeInclusive<i64>>() {
                        return numbers(*range.start(), *range.end(), true, frame);
                    }
                    values.try_cast::<Array>().ok_or_else(unfit)?
                }
                _ => return Err(unfit()),
            },
        };
        for value in values {
            if !with(value.into(), frame)? {
                break;
            }
        }
        Ok(Held::Nothing)
    }

    /// Run the body of a loop once; whether the loop goes on. The stack is as high as `top` outside of it.
    fn round(&self, body: &Node, top: usize, frame: &mut Frame<'_>) -> Result<bool, Stop> {
        match self.node(body, frame) {
            Ok(_) => Ok(true),
            Err(stop @ (Stop::Break | Stop::Continue)) => {
                frame.stack.truncate(top);
                Ok(matches!(stop, Stop::Continue))
            }
            Err(stop) => Err(stop),
        }
    }

    pub(super) fn tick(&self) -> Result<(), Stop> {
        if self.link.meter.tick() { Err(Stop::Error(stopped())) } else { Ok(()) }
    }

    pub(super) fn truth(&self, node: &Node, frame: &mut Frame<'_>) -> Result<bool, Stop> {
        match self.node(node, frame)? {
            Held::Truth(truth) => Ok(truth),
            _ => Err(unfit()),
        }
    }
}

/// An element of a list, by its number; negative numbers count from its end. Or what a map has under a text.
fn element(whole: &Held, at: &Held) -> Option<Held> {
    let Held::Other(whole) = whole else { return None };
    let found = match at {
        Held::Number(at) => {
            let list = whole.read_lock::<Array>()?;
            let at = if *at < 0 { i64::try_from(list.len()).ok()?.checked_add(*at)? } else { *at };
            list.get(usize::try_from(at).ok()?).cloned()
        }
        Held::Text(name) => whole.read_lock::<Map>()?.get(name.as_str()).cloned(),
        _ => None,
    };
    found.map(Held::from)
}
