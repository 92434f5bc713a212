//! Calls at run time: native functions, methods, and functions of Rhai's library.

use rhai::{Dynamic, EvalAltResult, ImmutableString, NativeCallContext, Position};
use smallvec::{SmallVec, smallvec};

use super::machine::{Machine, Values};
use super::memory::{Handler, Results, Step};
use super::op::{Function, Op};
use super::site::{Few, Overloads, Site, Target};
use super::window::{Register, WINDOW, Window};
use crate::natives::Given;
use crate::natives::{self, ChangedKinds, Cost, Named};
use crate::values::{BYTES, Boxed, Callable, Val, Wrong, failure, too_large};
use referee_diagnostic::MustBe as _;

impl Machine<'_> {
    /// Runs a call of a rarer kind, or another operation that may leave the function. Returns the function to enter, if
    /// any.
    #[inline(never)]
    pub(crate) fn invoke(
        &mut self,
        op: Op,
        function: &Function,
        window: &mut Window<'_>,
        place: Option<Position>,
    ) -> Result<Option<Step>, Wrong> {
        match op {
            Op::Native { to, site }
            | Op::At { to, site, .. }
            | Op::CellNamed { to, site, .. }
            | Op::Step { to, site, .. }
            | Op::Mine { to, site, .. } => {
                self.tick()?;
                return self.call_native(function.site(site)?, to, window, place);
            }
            // The call has been counted.
            Op::Lookup { to, site, .. }
            | Op::Push { to, site, .. }
            | Op::Ask { to, site }
            | Op::Quick { to, site }
            | Op::Plain { to, site }
            | Op::Fixed { to, site } => return self.call_native(function.site(site)?, to, window, place),
            Op::Event { event, site } => self.event(event, function.site(site)?, window)?,
            Op::May { to, ask, site } => window[to] = self.may(ask, function.site(site)?, window)?,
            Op::Method { to, site } => {
                self.tick()?;
                return self.method(function.site(site)?, to, window);
            }
            Op::CallValue { to, site } => {
                self.tick()?;
                return self.call_value(function.site(site)?, to, window);
            }
            Op::Callback { to, site } => {
                self.tick()?;
                return self.callback(function.site(site)?, to, window);
            }
            Op::Curry { to, site } => {
                let site = function.site(site)?;
                let values = self.handed(site, window);
                window[to] = self.curry(&values)?;
            }
            Op::Closure { to, site } => window[to] = self.closure(function.site(site)?, window)?,
            Op::Pointer { to, from } => {
                let Some(name) = self.memory.arena.text_of(window[from]).cloned() else {
                    return Err(self.mismatch("ImmutableString", window[from]));
                };
                super::faults::callable(&name)?;
                window[to] = self.memory.arena.functions(Callable { name, curry: Vec::new() });
            }
            Op::This { at } => this(window[at])?,
            Op::IsList { to, of } => window[to] = Val::Truth(matches!(window[of], Val::List(_))),
            Op::Work { operations } => self.link.meter.work(operations.into()),
            Op::Mark { mark } => self.at_mark(mark),
            Op::Cover { point } => self.code.runs.hit(point),
            Op::Outcome { at, point } => {
                if let Val::Truth(truth) = window[at] {
                    self.code.runs.hit(point + u32::from(!truth));
                }
            }
            Op::Throw { .. } | Op::Try { .. } | Op::EndTry | Op::Fault { .. } | Op::Frozen { .. } => {
                self.handle(op, function, window)?;
            }
            Op::Box { .. } | Op::Unbox { .. } | Op::SetBox { .. } | Op::KeepBox { .. } | Op::Capture { .. } => {
                self.boxed(op, window);
            }
            _ => self.reach(op, function, window)?,
        }
        Ok(None)
    }

    /// Runs an operation that throws an error, or that begins or ends a part whose errors are caught.
    fn handle(&mut self, op: Op, function: &Function, window: &Window<'_>) -> Result<(), Wrong> {
        match op {
            Op::Throw { at } => {
                self.charge(self.memory.arena.whole(window[at]))?;
                let value = self.memory.arena.to_dynamic(window[at])?;
                return Err(Box::new(EvalAltResult::ErrorRuntime(value, Position::NONE)));
            }
            Op::Try { to, at } => {
                let listings = self.link.open_listings()?;
                self.memory.handlers.push(Handler { frame: self.memory.frames.len(), to, at, listings });
            }
            Op::EndTry => {
                self.memory.handlers.pop();
            }
            Op::Fault { fault } => return Err(fault_of(function, fault)),
            Op::Frozen { of, kinds: ChangedKinds { maps, texts }, fault } => match window[of] {
                Val::Map(_) if !maps => {}
                Val::Text(_) if !texts => {}
                Val::List(_) | Val::Map(_) | Val::Text(_) => return Err(fault_of(function, fault)),
                _ => {}
            },
            _ => {}
        }
        Ok(())
    }

    /// Runs an operation on a variable that closures share.
    fn boxed(&mut self, op: Op, window: &mut Window<'_>) {
        match op {
            Op::Box { at } => {
                let value = self.memory.arena.unboxed(window[at]);
                window[at] = self.memory.arena.boxes(Boxed { value, is_captured: false });
            }
            Op::Unbox { to, from } => window[to] = self.memory.arena.unboxed(window[from]),
            Op::SetBox { at, from } => match self.shared(window[at]) {
                Some(shared) => shared.value = window[from],
                None => window[at] = window[from],
            },
            Op::KeepBox { at, from } => {
                if let Some(shared) = self.shared(window[at]).filter(|shared| !shared.is_captured) {
                    shared.value = window[from];
                }
            }
            Op::Capture { at } => self.capture(window[at]),
            _ => {}
        }
    }

    /// Notes that a closure has the variable in a box.
    fn capture(&mut self, value: Val) {
        if let Some(shared) = self.shared(value) {
            shared.is_captured = true;
        }
    }

    /// Returns the variable in a box.
    fn shared(&mut self, value: Val) -> Option<&mut Boxed> {
        match value {
            Val::Shared(place) => self.memory.arena.boxes.get_mut(place as usize),
            _ => None,
        }
    }

    fn closure(&mut self, site: &Site, window: &Window<'_>) -> Given {
        let Target::Closure(closure) = site.callee else { return Err(failure("internal error: not a closure")) };
        let mut values: Values = SmallVec::new();
        values.push(closure);
        for (at, _) in &site.args {
            self.capture(window[*at]);
            values.push(window[*at]);
        }
        self.curry(&values)
    }

    /// Calls a native function. If the object is a map with a function under this name, that is called instead. `place`
    /// is the position of the call for errors, if it is not that of the call site.
    #[inline(never)]
    pub(crate) fn call_native(
        &mut self,
        site: &Site,
        to: Register,
        window: &mut Window<'_>,
        place: Option<Position>,
    ) -> Result<Option<Step>, Wrong> {
        let position = place.unwrap_or(site.position);
        // `reverse` of a list is another function.
        if let Some(fixed) = &site.fixed
            && let Some(value) = self.fixed(fixed, site, window)?
        {
            window[to] = value;
            return Ok(None);
        }
        site.load(window);
        let mut few = Few::default();
        match site.few_values(window, &mut few) {
            Some(values) => self.call_native_with(site, to, window, position, values),
            None => {
                let mut many: Vec<Val> = site.args.iter().map(|(at, _)| window[*at]).collect();
                self.call_native_with(site, to, window, position, &mut many)
            }
        }
    }

    /// Counts a call at a plain site, and calls the native function that fitted last, or that of the library. Returns
    /// `false`, with nothing but the count done, if the arguments do not fit it.
    #[inline(always)]
    pub(crate) fn call_plain(
        &mut self,
        site: &Site,
        to: Register,
        window: &mut Window<'_>,
        place: Option<Position>,
    ) -> Result<bool, Wrong> {
        self.tick()?;
        let natives = site.natives()?;
        let mut few = Few::default();
        let Some(values) = site.few_values(window, &mut few) else { return Ok(false) };
        // A map may have a function under this name.
        if site.method && matches!(values, [Val::Map(_), ..]) {
            return Ok(false);
        }
        let Some(native) = natives.all.get(natives.last.get()) else {
            return self.call_library(site, to, window, values);
        };
        let position = place.unwrap_or(site.position);
        match native.call_if_it_fits(position, &mut self.memory.arena, values) {
            Ok(value) => window[to] = value,
            Err(Some(wrong)) => return Err(wrong),
            Err(None) => return Ok(false),
        }
        Ok(true)
    }

    /// Calls the machine's own function of the library. Returns `false` without effect if no function of the library
    /// alone is called, or if the arguments do not fit it.
    #[inline]
    fn call_library(
        &mut self,
        site: &Site,
        to: Register,
        window: &mut Window<'_>,
        values: &mut [Val],
    ) -> Result<bool, Wrong> {
        let natives = site.natives()?;
        let Some(library) = natives.library.filter(|_| natives.all.is_empty()) else { return Ok(false) };
        let first = values.first().copied();
        let Some(value) = library(&mut self.memory.arena, values)? else { return Ok(false) };
        window[to] = value;
        if natives.changes {
            put_back(site, to, first, values, window);
        }
        Ok(true)
    }

    /// Calls a native function with these arguments.
    #[inline]
    fn call_native_with(
        &mut self,
        site: &Site,
        to: Register,
        window: &mut Window<'_>,
        position: Position,
        values: &mut [Val],
    ) -> Result<Option<Step>, Wrong> {
        if site.method
            && matches!(values, [Val::Map(_), ..])
            && let Some(step) = self.method_of_map(site, to, values, window)?
        {
            return Ok(Some(step));
        }
        let natives = site.natives()?;
        let first = values.first().copied();
        window[to] = self.native(natives, &site.name, position, values)?;
        if natives.changes {
            put_back(site, to, first, values, window);
        }
        Ok(None)
    }

    /// Counts a call of a function by its name, and enters it.
    #[inline(never)]
    pub(crate) fn call_function(&mut self, site: &Site, to: Register, window: &mut Window<'_>) -> Result<Step, Wrong> {
        self.tick()?;
        let Target::Function { function, .. } = site.callee else {
            return Err(failure("internal error: not a function"));
        };
        // The registers of the arguments are all before those of the called function.
        let called = self.code.function(function)?;
        let mut top = usize::from(site.top);
        if top + usize::from(called.this) + site.args.len() > WINDOW {
            return Err(failure("the machine has no registers left for this many arguments"));
        }
        if called.this {
            // An empty box marks a missing `this`.
            *window.at(top) = Val::Shared(u32::MAX);
            top += 1;
        }
        for (at, new) in &site.args {
            let value = window[*at];
            if !new {
                self.memory.arena.share(value);
            }
            *window.at(top) = value;
            top += 1;
        }
        self.enter_above(function, called, Results { to, back: None }, site)
    }

    /// Marks the arguments of a call that have other holders as shared.
    fn share_known(&mut self, site: &Site, values: &[Val]) {
        for ((_, new), value) in site.args.iter().zip(values) {
            if !new {
                self.memory.arena.share(*value);
            }
        }
    }

    /// Returns the arguments of a call. Those that have other holders are marked as shared.
    pub(super) fn handed(&mut self, site: &Site, window: &Window<'_>) -> Values {
        let values: Values = site.args.iter().map(|(at, _)| window[*at]).collect();
        self.share_known(site, &values);
        values
    }

    /// Calls a function with `this`, of the rules or of the prelude.
    pub(crate) fn method(&mut self, site: &Site, to: Register, window: &mut Window<'_>) -> Result<Option<Step>, Wrong> {
        if self.is_in_order(site, window) {
            window[to] = Val::Nothing;
            return Ok(None);
        }
        let mut values = self.handed(site, window);
        if let Some(step) = self.method_of_map(site, to, &values, window)? {
            return Ok(Some(step));
        }
        if let Target::Plain(function) = site.callee {
            return self.called(function, None, &values, (site, Results { to, back: None }), window).map(Some);
        }
        let Target::Function { function, changes, prelude } = site.callee else {
            return Err(failure("internal error: not a method"));
        };
        let of = values.first().copied().unwrap_or_default();
        if prelude {
            self.by_name(&site.name, &mut values);
        }
        let calls = values.iter().any(|value| matches!(value, Val::Function(_)));
        if prelude && !(calls && matches!(of, Val::List(_) | Val::Map(_) | Val::Moves(_))) {
            // No function is passed (`list.index_of(value)`, `list.retain(0..2)`), or the object has another type.
            let natives = Overloads::new(
                self.code.natives(&site.name, values.len()),
                natives::library_function(&site.name, values.len()),
            );
            let first = values.first().copied();
            window[to] = self.native(&natives, &site.name, site.position, &mut values)?;
            put_back(site, to, first, &values, window);
            return Ok(None);
        }
        let back = site.args.first().map(|(at, _)| *at).filter(|_| changes);
        let rest = values.get(1..).unwrap_or_default();
        self.called(function, Some(of), rest, (site, Results { to, back }), window).map(Some)
    }

    /// Returns whether a call only sorts a list that has nothing to sort.
    fn is_in_order(&self, site: &Site, window: &Window<'_>) -> bool {
        let (Target::Function { prelude: true, .. }, &[(list, _), (by, _)]) = (&site.callee, site.args.as_slice())
        else {
            return false;
        };
        matches!(window[by], Val::Function(_))
            && self.memory.arena.items(window[list]).is_some_and(|items| items.len() < 2)
            && Named::of(&site.name).only_sort(2)
    }

    /// Converts a function name to a function value, for methods that accept the name as a string.
    fn by_name(&mut self, method: &str, values: &mut Values) {
        if let [Val::List(_), Val::Text(_), ..] = values.as_slice()
            && natives::functions(method).iter().any(|form| form.takes_function_name())
            && let Some(function) = values.get_mut(1)
            && let Some(name) = self.memory.arena.text_of(*function).cloned()
        {
            *function = self.memory.arena.functions(Callable { name, curry: Vec::new() });
        }
    }

    /// Enters the function that a map has under the name of a method, if there is one.
    pub(crate) fn method_of_map(
        &mut self,
        site: &Site,
        to: Register,
        values: &[Val],
        window: &mut Window<'_>,
    ) -> Result<Option<Step>, Wrong> {
        let Some((map @ Val::Map(_), rest)) = values.split_first() else { return Ok(None) };
        let Some(Val::Function(at)) = self.memory.arena.fields(*map).and_then(|map| map.field(&site.name)) else {
            return Ok(None);
        };
        let back = site.args.first().map(|(at, _)| *at);
        rest.iter().for_each(|value| self.memory.arena.share(*value));
        self.value_called(at, Some(*map), rest, (site, Results { to, back }), window)
    }

    /// Calls a function of Rhai's library.
    #[cold]
    pub(crate) fn of_rhai(&mut self, name: &ImmutableString, position: Position, values: &mut [Val]) -> Given {
        let work: usize = values.iter().map(|value| self.memory.arena.whole(*value)).sum();
        let cost = Named::of(name).cost_of_library(values);
        self.charge(match cost {
            Cost::Grows => {
                let text = values.first().and_then(|first| self.memory.arena.text_of(*first));
                work + text.map_or(0, |text| natives::growing(text.len()))
            }
            // Each comparison is a call of Rhai's.
            Cost::Compares => work * 4,
            Cost::Sorts => work * (work.checked_ilog2().unwrap_or(0) as usize + 1),
            _ => work,
        })?;
        if cost == Cost::Writes {
            let bytes = values.iter().map(|value| self.memory.arena.written(*value)).sum::<Option<usize>>();
            self.charge(natives::growing(bytes.ok_or_else(|| too_large("Length of string"))?))?;
        }
        let mut all: Vec<Dynamic> =
            values.iter().map(|value| self.memory.arena.to_dynamic(*value)).collect::<Result<_, Wrong>>()?;
        let changes = Named::of(name).may_change(values.len());
        let context = NativeCallContext::from((self.engine, name.as_str(), None, self.global, position));
        let mut references: SmallVec<[&mut Dynamic; 8]> = all.iter_mut().collect();
        let given = context.call_native_fn_raw(name.as_str(), changes, &mut references);
        drop(references);
        let given = given.map_err(|error| self.no_fitting_function(error, name, values))?;
        if changes && let (Some(value), Some(first)) = (all.into_iter().next(), values.first_mut()) {
            *first = self.memory.arena.of_dynamic(value);
            self.memory.arena.fits(*first)?;
        }
        let given = self.memory.arena.of_dynamic(given);
        if let Val::Other(_) = given {
            // Only Rhai's library knows how large it is: at most as large as the characters of its arguments.
            self.memory.arena.grown(work * size_of::<char>() * BYTES);
        }
        self.memory.arena.fits(given)?;
        Ok(given)
    }

    /// Replaces the types in the error for arguments that do not fit by Rhai's names.
    fn no_fitting_function(&self, error: Wrong, name: &str, values: &[Val]) -> Wrong {
        match &*error {
            EvalAltResult::ErrorFunctionNotFound(signature, _) if signature.starts_with(name) => {
                let types: Vec<&str> = values.iter().map(|value| self.memory.arena.signature_name(*value)).collect();
                let name = natives::shown(name);
                let signature = format!("{name} ({})", types.join(", "));
                Box::new(EvalAltResult::ErrorFunctionNotFound(signature, Position::NONE))
            }
            _ => error,
        }
    }

    /// Returns an interpolated string.
    pub(crate) fn interpolated(&mut self, parts: &[Val]) -> Given {
        let mut whole = String::new();
        for part in parts {
            match self.memory.arena.text_of(*part) {
                Some(text) => whole.push_str(text),
                None => match part {
                    Val::Number(number) => whole.push_str(&number.to_string()),
                    part => {
                        let mut values: Values = smallvec![*part];
                        let natives = self.code.to_text();
                        let text = self.native(natives, &natives::TO_TEXT.into(), Position::NONE, &mut values)?;
                        match self.memory.arena.text_of(text) {
                            Some(text) => whole.push_str(text),
                            None => return Err(failure("`to_string` returned no string")),
                        }
                    }
                },
            }
            if whole.len() > crate::values::TEXT {
                return Err(too_large("Length of string"));
            }
        }
        self.memory.arena.work().of_bytes(whole.len());
        Ok(self.memory.arena.text(whole.into()))
    }

    /// Returns the three values of a loop: a list, the index of its first element and `()`; or for numbers the step,
    /// the first number and their count.
    pub(crate) fn begin(&mut self, window: &mut Window<'_>, at: Register) -> Result<(), Wrong> {
        let (values, position, end) = self.values_of(window[at])?;
        self.settle()?;
        window[at] = values;
        window[at + 1] = position;
        window[at + 2] = end;
        Ok(())
    }

    /// Returns the list, the position and the end of a loop over a value; for numbers, the step, the first and how many.
    fn values_of(&mut self, over: Val) -> Result<(Val, Val, Val), Wrong> {
        let arena = &mut self.memory.arena;
        let list = match over {
            Val::List(_) => {
                arena.share(over);
                over
            }
            Val::Range(at) => {
                let Some(span) = arena.ranges.get(at as usize).copied() else {
                    return Err(failure("internal error: unknown range"));
                };
                return Ok((Val::Number(span.step), Val::Number(span.from), Val::Number(span.count())));
            }
            Val::Text(_) => {
                arena.work().of_bytes(8 * arena.text_of(over).map_or(0, |text| text.len()));
                let letters = arena.text_of(over).map(|text| text.chars().map(Val::Letter).collect());
                arena.list(letters.or_missing("a text", Vec::new()))
            }
            Val::Cells(at) => {
                let mut items = arena.spare();
                let cells = arena.cells.get(at as usize);
                cells.map(|cells| items.extend(cells.iter().map(Val::Cell))).or_missing("a set of cells", ());
                arena.list(items)
            }
            Val::Moves(at) => {
                let moves = arena.several.get(at as usize).map(|moves| moves.all().clone());
                let moves = moves.or_missing("a list of moves", Default::default());
                arena.work().of_values(4 * moves.len());
                let items = moves.iter().map(|made| arena.single(made.clone())).collect();
                arena.list(items)
            }
            _ => return Err(Box::new(EvalAltResult::ErrorFor(Position::NONE))),
        };
        Ok((list, Val::Number(0), Val::Nothing))
    }
}

/// Writes the first argument of a function back to its register, if Rhai's library changed it. Native functions change
/// values in the arena instead.
fn put_back(site: &Site, to: Register, before: Option<Val>, values: &[Val], window: &mut Window<'_>) {
    if let (Some((at, _)), Some(value)) = (site.args.first(), values.first())
        && before != Some(*value)
        && to != *at
    {
        window[*at] = *value;
    }
}

/// Returns the error for a fault of a function.
fn fault_of(function: &Function, number: u16) -> Wrong {
    match function.faults.get(usize::from(number)) {
        Some(fault) => super::faults::known(fault),
        None => failure("internal error: unknown fault"),
    }
}

/// Fails if a function that needs `this` was called without it: an empty box marks that.
fn this(value: Val) -> Result<(), Wrong> {
    if value == Val::Shared(u32::MAX) {
        return Err(Box::new(EvalAltResult::ErrorUnboundThis(Position::NONE)));
    }
    Ok(())
}
