//! Calls of function values, and of functions that are passed to the library.

use rhai::EvalAltResult;
use smallvec::SmallVec;

use super::callback::Callback;
use super::machine::{Machine, Values};
use super::memory::{Results, Step};
use super::site::{Overloads, Site, Target};
use super::window::{Register, WINDOW, Window};
use crate::natives;
use crate::natives::Given;
use crate::values::{Callable, Val, Wrong, failure};

impl Machine<'_> {
    /// Enters the function of a function value. Returns `None` for a native function, which [`Self::pointed`] calls.
    pub(super) fn value_called(
        &mut self,
        value: u32,
        this: Option<Val>,
        rest: &[Val],
        call: (&Site, Results),
        window: &mut Window<'_>,
    ) -> Result<Option<Step>, Wrong> {
        // The result of the function that calls it depends on more than its arguments.
        self.memory.remembering = None;
        let callable = self.callable(value)?;
        let count = callable.curry.len() + rest.len();
        let Some(function) = self.code.places.value(&callable.name, count) else { return Ok(None) };
        self.enter_value(value, function, this, rest.iter().copied(), call, window).map(Some)
    }

    fn callable(&self, value: u32) -> Result<&Callable, Wrong> {
        let callable = self.memory.arena.functions.get(value as usize);
        callable.ok_or_else(|| failure("internal error: unknown function"))
    }

    /// Enters the function that a function value calls: with its bound arguments, and then with the others.
    #[inline]
    fn enter_value(
        &mut self,
        value: u32,
        function: u32,
        this: Option<Val>,
        rest: impl ExactSizeIterator<Item = Val>,
        (site, results): (&Site, Results),
        window: &mut Window<'_>,
    ) -> Result<Step, Wrong> {
        let called = self.code.function(function)?;
        let takes_this = called.this;
        let bound = self.callable(value)?.curry.len();
        let mut top = usize::from(site.top);
        if top + usize::from(takes_this) + bound + rest.len() > WINDOW {
            return Err(failure("the machine has no registers left for this many arguments"));
        }
        if takes_this {
            // An empty box marks a missing `this`.
            *window.at(top) = this.unwrap_or(Val::Shared(u32::MAX));
            top += 1;
        }
        for number in 0..bound {
            let argument = self.callable(value)?.curry.get(number).copied().unwrap_or_default();
            // The function value still holds it.
            self.memory.arena.share(argument);
            *window.at(top + number) = argument;
        }
        for (register, argument) in (top + bound..).zip(rest) {
            if bound > 0 {
                self.memory.arena.share(argument);
            }
            *window.at(register) = argument;
        }
        let back = results.back.filter(|_| takes_this);
        self.enter_above(function, called, Results { to: results.to, back }, site)
    }

    /// Calls a native function as a function value.
    fn pointed(&mut self, function: u32, this: Option<Val>, rest: &[Val], site: &Site) -> Given {
        let Some(Callable { name, curry }) = self.memory.arena.functions.get(function as usize).cloned() else {
            return Err(failure("internal error: unknown function"));
        };
        curry.iter().for_each(|value| self.memory.arena.share(*value));
        let mut values: Values = this.into_iter().chain(curry).chain(rest.iter().copied()).collect();
        let natives =
            Overloads::new(self.code.natives(&name, values.len()), natives::library_function(&name, values.len()));
        self.native(&natives, &name, site.position, &mut values)
    }

    /// Calls a function value: `f.call(…)`, `call(f, …)`, or `value.call(f, …)`.
    pub(crate) fn call_value(
        &mut self,
        site: &Site,
        to: Register,
        window: &mut Window<'_>,
    ) -> Result<Option<Step>, Wrong> {
        let values = self.handed(site, window);
        let (function, this, rest) = match values.as_slice() {
            [Val::Function(function), rest @ ..] => (*function, None, rest),
            [this, Val::Function(function), rest @ ..] if site.method => (*function, Some(*this), rest),
            [_, other, ..] if site.method => return Err(self.mismatch("Fn", *other)),
            [other, ..] => return Err(self.mismatch("Fn", *other)),
            [] => return Err(failure("internal error: no function to call")),
        };
        let back = site.args.first().map(|(at, _)| *at).filter(|_| this.is_some());
        if let Some(step) = self.value_called(function, this, rest, (site, Results { to, back }), window)? {
            return Ok(Some(step));
        }
        window[to] = self.pointed(function, this, rest, site)?;
        Ok(None)
    }

    /// Calls a function that was passed to the prelude.
    pub(crate) fn callback(
        &mut self,
        site: &Site,
        to: Register,
        window: &mut Window<'_>,
    ) -> Result<Option<Step>, Wrong> {
        let Target::Callback(callback) = site.callee else { return Err(failure("internal error: not a callback")) };
        for (at, new) in &site.args {
            if !new {
                self.memory.arena.share(window[*at]);
            }
        }
        let Some(((first, _), rest)) = site.args.split_first().filter(|(_, rest)| rest.len() == callback.values())
        else {
            return Err(failure("internal error: wrong arguments of a callback"));
        };
        let Val::Function(value) = window[*first] else { return Err(self.mismatch("Fn", window[*first])) };
        // The result of the function that calls it depends on more than its arguments.
        self.memory.remembering = None;
        let callable = self.callable(value)?;
        let register = |at: usize| rest.get(at).map_or(*first, |(register, _)| *register);
        match self.code.places.callback(&callable.name, callable.curry.len(), callback) {
            Some((function, way)) => {
                let this = way.this.map(|at| window[register(at)]);
                // A change of `this` in the function changes the prelude's value.
                let results = Results { to, back: way.this.map(register) };
                let args: SmallVec<[Val; 3]> = way.args.iter().map(|at| window[register(*at)]).collect();
                self.enter_value(value, function, this, args.into_iter(), (site, results), window).map(Some)
            }
            None => {
                let values: Values = rest.iter().map(|(at, _)| window[*at]).collect();
                window[to] = self.pointed_callback(value, callback, &values, site)?;
                Ok(None)
            }
        }
    }

    /// Calls a native function that was passed to the prelude.
    fn pointed_callback(&mut self, function: u32, callback: Callback, values: &[Val], site: &Site) -> Given {
        let mut wrong = None;
        for way in callback.ways() {
            let this = way.this.and_then(|at| values.get(at)).copied();
            let args: Values = way.args.iter().filter_map(|at| values.get(*at)).copied().collect();
            match self.pointed(function, this, &args, site) {
                Err(error) if matches!(*error, EvalAltResult::ErrorFunctionNotFound(..)) => wrong = Some(error),
                given => return given,
            }
        }
        Err(wrong.unwrap_or_else(|| failure("internal error: a callback has no function")))
    }

    /// Returns a function value with these first arguments bound.
    pub(crate) fn curry(&mut self, values: &[Val]) -> Given {
        let [Val::Function(function), rest @ ..] = values else {
            let other = values.first().copied().unwrap_or_default();
            return Err(self.mismatch("Fn", other));
        };
        let Some(mut callable) = self.memory.arena.functions.get(*function as usize).cloned() else {
            return Err(failure("internal error: unknown function"));
        };
        callable.curry.extend(rest);
        let function = self.memory.arena.functions(callable);
        self.settle()?;
        Ok(function)
    }
}
