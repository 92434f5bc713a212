//! Calls of natives by code.

use rhai::{Array, Dynamic, EvalAltResult, FnPtr, ImmutableString, Map};
use smallvec::SmallVec;

use super::quick::Caller;
use super::run::{Frame, Runner, Stop, Value, unfit};
use super::{Call, Held, Native, Node, Operator};
use crate::rules::api;
use crate::table::EventId;

impl Runner<'_> {
    /// Something happened: where nobody keeps events, its values are only looked at.
    pub(super) fn event(&self, event: EventId, call: &Call, frame: &mut Frame<'_>) -> Value {
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

    /// Lay the values of a call on the stack. A variable in front is lent: an empty value stays in its slot.
    pub(super) fn lay(&self, call: &Call, frame: &mut Frame<'_>) -> Result<Laid, Stop> {
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

    /// What stands behind a dot: in a map, or what natives read.
    pub(super) fn field(&self, calls: &[Call; 2], name: &ImmutableString, frame: &mut Frame<'_>) -> Value {
        let [own, named] = calls;
        self.tick()?;
        let laid = self.lay(own, frame)?;
        let values = frame.stack.get(laid.top..).unwrap_or_default();
        if let [Held::Other(value)] = values
            && value.is_map()
        {
            let field = value.read_lock::<Map>().and_then(|map| map.get(name.as_str()).cloned());
            laid.clear(frame);
            return field.map(Held::from).ok_or_else(unfit);
        }
        if let Some(native) = own.fitting(values) {
            return self.given(native, own, laid, frame);
        }
        frame.stack.push(Held::Text(name.clone()));
        if let Some(native) = named.fitting(frame.stack.get(laid.top..).unwrap_or_default()) {
            return self.given(native, named, laid, frame);
        }
        frame.stack.truncate(laid.top + 1);
        self.of_engine(own, laid, frame)
    }

    /// Give what stands behind the dot of a variable a value.
    pub(super) fn set_field(
        &self,
        slot: usize,
        (value, write): &(Node, Call),
        name: &ImmutableString,
        frame: &mut Frame<'_>,
    ) -> Value {
        let value = self.node(value, frame)?;
        self.tick()?;
        let Some(of) = frame.stack.get_mut(frame.base + slot) else { return Err(unfit()) };
        if let Held::Other(of) = of
            && of.is_map()
        {
            let mut map = of.write_lock::<Map>().ok_or_else(unfit)?;
            map.insert(name.as_str().into(), value.into_dynamic());
            drop(map);
            self.engine.ensure_data_size_within_limits(of)?;
            return Ok(Held::Nothing);
        }
        let of = of.clone();
        let laid = Laid { top: frame.stack.len(), lent: None };
        frame.stack.extend([of, Held::Text(name.clone()), value]);
        let native = write.fitting(frame.stack.get(laid.top..).unwrap_or_default()).ok_or_else(unfit)?;
        self.given(native, write, laid, frame)
    }

    /// Call the native that fits the values; the engine, if there is none.
    pub(super) fn native(&self, call: &Call, laid: Laid, frame: &mut Frame<'_>) -> Value {
        match call.fitting(frame.stack.get(laid.top..).unwrap_or_default()) {
            Some(native) => self.given(native, call, laid, frame),
            None => self.of_engine(call, laid, frame),
        }
    }

    /// What a native that fits gives.
    fn given(&self, native: &Native, call: &Call, laid: Laid, frame: &mut Frame<'_>) -> Value {
        let values = frame.stack.get_mut(laid.top..).unwrap_or_default();
        // What takes the value away gets the one on the stack, and the variable keeps its own.
        let kept = (laid.lent.is_some() && !native.looks).then(|| values.first().cloned().unwrap_or_default());
        let caller =
            Caller { engine: self.engine, global: self.global, name: call.name.as_str(), position: call.position };
        let given = self.sized((native.work)(&caller, values)?)?;
        if let Some(kept) = kept
            && let Some(first) = frame.stack.get_mut(laid.top)
        {
            *first = kept;
        }
        laid.clear(frame);
        Ok(given)
    }

    /// Call a native that the engine has by itself.
    fn of_engine(&self, call: &Call, laid: Laid, frame: &mut Frame<'_>) -> Value {
        if call.own_only {
            return Err(unfit());
        }
        let values = frame.stack.iter_mut().skip(laid.top).map(|value| std::mem::take(value).into_dynamic());
        let mut values: SmallVec<[Dynamic; 4]> = values.collect();
        let map = values.first().and_then(|value| value.read_lock::<Map>());
        // Such a map has a method of its own.
        if map.is_some_and(|map| map.get(call.name.as_str()).is_some_and(Dynamic::is::<FnPtr>)) {
            return Err(unfit());
        }
        let given = (self.interpret)(&call.name, frame.level + 1, laid.lent.is_some(), &mut values)?;
        // It may have changed the variable that was lent.
        if let (Some(first), Some(value)) = (frame.stack.get_mut(laid.top), values.first_mut()) {
            *first = std::mem::take(value).into();
        }
        laid.clear(frame);
        Ok(given.into())
    }

    pub(super) fn operator(&self, operator: Operator, call: &Call, frame: &mut Frame<'_>) -> Value {
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
        if operator == Operator::AddTo
            && let Some([Held::Other(list), other]) = frame.stack.get_mut(laid.top..)
            && list.is_array()
        {
            let mut list = std::mem::take(list).try_cast::<Array>().ok_or_else(unfit)?;
            match std::mem::take(other).into_dynamic().try_cast_result::<Array>() {
                Ok(more) => list.extend(more),
                Err(one) => list.push(one),
            }
            laid.clear(frame);
            return Ok(self.sized(Held::Other(list.into()))?);
        }
        self.native(call, laid, frame)
    }

    /// A value that is not larger than the engine allows.
    pub(super) fn sized(&self, value: Held) -> Result<Held, Box<EvalAltResult>> {
        if let Held::Other(value) = &value {
            self.engine.ensure_data_size_within_limits(value)?;
        }
        Ok(value)
    }
}

/// The values of a call on the stack.
#[derive(Clone, Copy)]
pub(super) struct Laid {
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
    pub(super) fn clear(self, frame: &mut Frame<'_>) {
        self.swap(frame);
        frame.stack.truncate(self.top);
    }
}

impl Call {
    /// The native that takes these values, tried first the one that fitted last. One that calls the script is the engine's.
    fn fitting(&self, values: &[Held]) -> Option<&Native> {
        let fits = |native: &&Native| native.sorts.iter().zip(values).all(|(sort, value)| value.is(*sort));
        // One for any values comes last, and only where no other fits.
        if let Some(native) =
            self.natives.get(self.last.get()).filter(|native| !native.takes_any && !native.calls).filter(fits)
        {
            return Some(native);
        }
        let (at, native) = self.natives.iter().enumerate().find(|(_, native)| fits(native))?;
        self.last.set(at);
        Some(native).filter(|native| !native.calls)
    }
}
