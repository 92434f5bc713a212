//! Calls at run time: methods, functions that are values, and what Rhai's own library does.

use rhai::{Dynamic, EvalAltResult, ImmutableString, Position};
use smallvec::{SmallVec, smallvec};

use super::frames::{Frame, Handler, Results, Step};
use super::library;
use super::machine::{Machine, Values, Window, Wrong};
use super::native::{Caller, Given};
use super::op::{Callback, Function, Op, Overloads, Register, Site, Target};
use crate::rules::host::{made, only_told, pick, pick_action, pick_plain};
use crate::rules::values::{Callable, Val, failure, too_large};
use crate::table::PlayerId;
use crate::trace::Action;

/// Functions of the prelude that are named where values do not fit, by the native function to which they hand their values.
const CHECKED: [(&str, &str); 3] =
    [("_vm_known", "can_move"), ("_vm_zones", "deal"), ("_vm_free_cells", "deal_face_up")];

impl Machine<'_> {
    /// Carries out a call of a rarer kind, or another operation that may leave the function. Returns the function to begin, if
    /// any.
    #[inline(never)]
    pub(crate) fn invoke(
        &mut self,
        op: Op,
        function: &Function,
        window: &mut Window<'_>,
    ) -> Result<Option<Step>, Wrong> {
        match op {
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
            Op::Closure { to, site } => {
                let site = function.site(site)?;
                let Target::Closure(closure) = site.callee else { return Err(failure("no closure")) };
                let mut values: Values = SmallVec::new();
                values.push(closure);
                values.extend(site.args.iter().map(|(at, _)| window[*at]));
                window[to] = self.curry(&values)?;
            }
            Op::Pointer { to, from } => {
                let Some(name) = self.memory.arena.text_of(window[from]).cloned() else {
                    return Err(self.mismatch("ImmutableString", window[from]));
                };
                super::faults::callable(&name)?;
                window[to] = self.memory.arena.functions(Callable { name, curry: Vec::new() });
            }
            Op::Clause { clause } => self.link.with(|session| {
                session.applied(clause);
                Ok(())
            })?,
            Op::Event { event, site } => {
                let site = function.site(site)?;
                let (mut few, mut many) = Default::default();
                let values = site.values(window, &mut few, &mut many);
                if !only_told(self.link, event, values.get(1..).unwrap_or_default())? {
                    self.tick()?;
                    self.native(site.natives()?, &site.name, site.position, values)?;
                }
            }
            Op::May { to, ask, site } => {
                let site = function.site(site)?;
                self.tick()?;
                let (mut few, mut many) = Default::default();
                let values = site.values(window, &mut few, &mut many);
                let arena = &mut self.memory.arena;
                window[to] = match made(self.link, ask, values.get(1..).unwrap_or_default(), arena)? {
                    Some(action) => arena.actions(action),
                    None => self.native(site.natives()?, &site.name, site.position, values)?,
                };
            }
            Op::Throw { at } => {
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
            Op::Fault { fault } => {
                let fault = function.faults.get(usize::from(fault)).ok_or_else(|| failure("no fault"))?;
                return Err(super::faults::known(fault));
            }
            _ => return Err(failure("internal error: not a call")),
        }
        Ok(None)
    }

    /// Calls a native function; a map may have a function under its name.
    #[inline(never)]
    pub(crate) fn call_native(
        &mut self,
        function: &Function,
        site: u16,
        to: Register,
        window: &mut Window<'_>,
        frame: &Frame,
    ) -> Result<Option<Step>, Wrong> {
        let site = function.site(site)?;
        self.tick()?;
        let position = if function.prelude { frame.position } else { site.position };
        if let Some(fixed) = &site.fixed {
            window[to] = self.fixed(fixed, site, window)?;
            return Ok(None);
        }
        let (mut few, mut many) = Default::default();
        let values = site.values(window, &mut few, &mut many);
        if site.method
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

    /// Begins a function that is called by its name.
    #[inline(never)]
    pub(crate) fn call_function(&mut self, site: &Site, to: Register, window: &mut Window<'_>) -> Result<Step, Wrong> {
        self.tick()?;
        let Target::Function { function, .. } = site.callee else { return Err(failure("no function")) };
        let (mut few, mut many) = Default::default();
        let values = site.values(window, &mut few, &mut many);
        self.share_known(site, values);
        self.called(function, None, values, (site, Results { to, back: None }), window)
    }

    /// Lets the values of a call that others know be shared from here on.
    fn share_known(&mut self, site: &Site, values: &[Val]) {
        for ((_, new), value) in site.args.iter().zip(values) {
            if !new {
                self.memory.arena.share(*value);
            }
        }
    }

    /// Returns the values of a call; those that others know are shared from here on.
    fn handed(&mut self, site: &Site, window: &Window<'_>) -> Values {
        let values: Values = site.args.iter().map(|(at, _)| window[*at]).collect();
        self.share_known(site, &values);
        values
    }

    /// Calls a function that is given `this`: of the rules, or of the prelude.
    pub(crate) fn method(&mut self, site: &Site, to: Register, window: &mut Window<'_>) -> Result<Option<Step>, Wrong> {
        let mut values = self.handed(site, window);
        if let Some(step) = self.method_of_map(site, to, &values, window)? {
            return Ok(Some(step));
        }
        if let Target::Plain(function) = site.callee {
            return self.called(function, None, &values, (site, Results { to, back: None }), window).map(Some);
        }
        let Target::Function { function, changes, prelude } = site.callee else { return Err(failure("no method")) };
        let of = values.first().copied().unwrap_or_default();
        if prelude {
            self.by_name(&site.name, &mut values);
        }
        let calls = values.iter().any(|value| matches!(value, Val::Function(_)));
        if prelude && !(calls && matches!(of, Val::List(_) | Val::Map(_) | Val::Moves(_))) {
            // It calls nothing: `list.index_of(value)`, `list.retain(0..2)`; or it is none of these.
            let natives =
                Overloads::new(self.code.natives(&site.name, values.len()), library::find(&site.name, values.len()));
            let first = values.first().copied();
            window[to] = self.native(&natives, &site.name, site.position, &mut values)?;
            put_back(site, to, first, &values, window);
            return Ok(None);
        }
        let back = site.args.first().map(|(at, _)| *at).filter(|_| changes);
        let rest = values.get(1..).unwrap_or_default();
        self.called(function, Some(of), rest, (site, Results { to, back }), window).map(Some)
    }

    /// What a script gets for an action that was chosen.
    fn chosen(&mut self, action: &Action) -> Given {
        let names = &self.code.chosen;
        let verb = names.verbs.get(action.ask.index()).copied().unwrap_or_default();
        let arena = &mut self.memory.arena;
        let values: Vec<Val> = action.values.iter().map(|value| arena.of_value(value)).collect();
        let first = values.first().copied().unwrap_or_default();
        arena.share(first);
        let values = arena.list(values);
        let parts = [(&names.value, first), (&names.values, values), (&names.verb, verb)];
        Ok(arena.map(parts.map(|(name, value)| (name.clone(), value)).into()))
    }

    /// The library lets the function of some methods be named by a text.
    fn by_name(&mut self, method: &str, values: &mut Values) {
        const NAMED: [&str; 11] =
            ["all", "dedup", "drain", "filter", "index_of", "map", "reduce", "reduce_rev", "retain", "some", "sort"];
        if let [Val::List(_), Val::Text(_), ..] = values.as_slice()
            && NAMED.contains(&method)
            && let Some(function) = values.get_mut(1)
            && let Some(name) = self.memory.arena.text_of(*function).cloned()
        {
            *function = self.memory.arena.functions(Callable { name, curry: Vec::new() });
        }
    }

    /// What a player chooses, without putting the question in full; `None` if it has to be.
    pub(crate) fn picked(&mut self, values: &[Val]) -> Result<Option<Val>, Wrong> {
        let [Val::Player(player), ask @ Val::Text(_), options] = values else { return Ok(None) };
        let arena = &self.memory.arena;
        let Some(ask) = arena.text_of(*ask) else { return Ok(None) };
        match *options {
            Val::List(_) => {
                let Some(items) = arena.items(*options) else { return Ok(None) };
                if !matches!(items.first(), Some(Val::Action(_))) {
                    return pick_plain(self.link, *player, ask, items);
                }
                let chosen = self.picked_action(*player, ask, items)?;
                chosen.map(|action| self.chosen(&action)).transpose()
            }
            Val::Cells(at) => {
                let Some(cells) = arena.cells.get(at as usize) else { return Ok(None) };
                let options: Values = cells.iter().map(Val::Cell).collect();
                pick_plain(self.link, *player, ask, &options)
            }
            Val::Moves(at) => {
                let Some(moves) = arena.several.get(at as usize) else { return Ok(None) };
                let made = pick(self.link, *player, ask, moves)?;
                Ok(made.map(|made| self.memory.arena.single(made)))
            }
            _ => Ok(None),
        }
    }

    /// The same for options that are made by `may`.
    fn picked_action(&self, player: PlayerId, ask: &str, options: &[Val]) -> Result<Option<Action>, Wrong> {
        let action = |option: &Val| match option {
            Val::Action(at) => self.memory.arena.actions.get(*at as usize),
            _ => None,
        };
        let offered: Option<SmallVec<[&Action; 16]>> = options.iter().map(action).collect();
        let Some(offered) = offered else { return Ok(None) };
        let at = pick_action(self.link, player, ask, &offered)?;
        Ok(at.and_then(|at| offered.get(at)).map(|action| (*action).clone()))
    }

    /// Begins the function that a map has under the name of a method, if it has one.
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

    /// Begins the function that a value is; nothing if it is a native function, whose result `native` gives.
    fn value_called(
        &mut self,
        function: u32,
        this: Option<Val>,
        rest: &[Val],
        call: (&Site, Results),
        window: &mut Window<'_>,
    ) -> Result<Option<Step>, Wrong> {
        let Some(callable) = self.memory.arena.functions.get(function as usize) else {
            return Err(failure("a function is lost"));
        };
        let count = callable.curry.len() + rest.len();
        let function = self.code.place(&callable.name, count).or_else(|| self.code.prelude(&callable.name, count));
        let Some(function) = function.and_then(|function| u32::try_from(function).ok()) else { return Ok(None) };
        if callable.curry.is_empty() {
            return self.called(function, this, rest, call, window).map(Some);
        }
        let values: Values = callable.curry.iter().chain(rest).copied().collect();
        // The function value keeps what it was given.
        values.iter().for_each(|value| self.memory.arena.share(*value));
        self.called(function, this, &values, call, window).map(Some)
    }

    /// What a native function gives that is called as a value.
    fn pointed(&mut self, function: u32, this: Option<Val>, rest: &[Val], site: &Site) -> Given {
        let Some(Callable { name, curry }) = self.memory.arena.functions.get(function as usize).cloned() else {
            return Err(failure("a function is lost"));
        };
        curry.iter().for_each(|value| self.memory.arena.share(*value));
        let mut values: Values = this.into_iter().chain(curry).chain(rest.iter().copied()).collect();
        let natives = Overloads::new(self.code.natives(&name, values.len()), library::find(&name, values.len()));
        self.native(&natives, &name, site.position, &mut values)
    }

    /// `f.call(…)`, `call(f, …)`, or `value.call(f, …)`.
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
            [] => return Err(failure("nothing is called")),
        };
        let back = site.args.first().map(|(at, _)| *at).filter(|_| this.is_some());
        if let Some(step) = self.value_called(function, this, rest, (site, Results { to, back }), window)? {
            return Ok(Some(step));
        }
        window[to] = self.pointed(function, this, rest, site)?;
        Ok(None)
    }

    /// Calls a function that the prelude was given.
    pub(crate) fn callback(
        &mut self,
        site: &Site,
        to: Register,
        window: &mut Window<'_>,
    ) -> Result<Option<Step>, Wrong> {
        let Target::Callback(callback) = site.callee else { return Err(failure("no callback")) };
        let values = self.handed(site, window);
        let [Val::Function(function), rest @ ..] = values.as_slice() else {
            let other = values.first().copied().unwrap_or_default();
            return Err(self.mismatch("Fn", other));
        };
        let ways: SmallVec<[(Option<Val>, Values); 3]> = match (callback, rest) {
            (Callback::Each, &[item, number]) => {
                smallvec![(Some(item), smallvec![]), (None, smallvec![item]), (None, smallvec![item, number])]
            }
            (Callback::This, &[item, number]) => {
                smallvec![(Some(item), smallvec![]), (Some(item), smallvec![number])]
            }
            (Callback::Fold, &[before, item, number]) => smallvec![
                (Some(item), smallvec![before]),
                (None, smallvec![before, item]),
                (None, smallvec![before, item, number])
            ],
            (Callback::Pair, &[one, other, number]) => {
                smallvec![(None, smallvec![one, other]), (None, smallvec![one, other, number])]
            }
            (Callback::Key, &[key, item]) => smallvec![(Some(item), smallvec![key]), (None, smallvec![key, item])],
            _ => return Err(failure("a callback has other values")),
        };
        // What is `this` in the function is changed where the prelude has it.
        let item = match callback {
            Callback::Each | Callback::This => 1,
            Callback::Fold | Callback::Key => 2,
            Callback::Pair => 0,
        };
        let back = site.args.get(item).map(|(at, _)| *at);
        for (this, values) in &ways {
            let results = Results { to, back: back.filter(|_| this.is_some()) };
            if let Some(step) = self.value_called(*function, *this, values, (site, results), window)? {
                return Ok(Some(step));
            }
        }
        let mut wrong = None;
        for (this, values) in ways {
            match self.pointed(*function, this, &values, site) {
                Ok(value) => {
                    window[to] = value;
                    return Ok(None);
                }
                Err(error) if matches!(*error, EvalAltResult::ErrorFunctionNotFound(..)) => wrong = Some(error),
                Err(error) => return Err(error),
            }
        }
        Err(wrong.unwrap_or_else(|| failure("a callback has no function")))
    }

    /// Returns a function that is given these values before all others.
    pub(crate) fn curry(&mut self, values: &[Val]) -> Given {
        let [Val::Function(function), rest @ ..] = values else {
            let other = values.first().copied().unwrap_or_default();
            return Err(self.mismatch("Fn", other));
        };
        let Some(mut callable) = self.memory.arena.functions.get(*function as usize).cloned() else {
            return Err(failure("a function is lost"));
        };
        callable.curry.extend(rest);
        self.memory.arena.grown(size_of_val(callable.curry.as_slice()));
        Ok(self.memory.arena.functions(callable))
    }

    /// What Rhai's own library does with values.
    #[cold]
    pub(crate) fn of_rhai(&mut self, name: &ImmutableString, position: Position, values: &mut [Val]) -> Given {
        let mut all: Vec<Dynamic> =
            values.iter().map(|value| self.memory.arena.to_dynamic(*value)).collect::<Result<_, Wrong>>()?;
        let weight = values.iter().map(|value| self.memory.arena.count(*value) as u64).sum();
        self.link.meter.work(weight);
        let changes = library::may_change(name, values.len());
        let caller = Caller { engine: self.engine, global: self.global, name, position };
        let mut references: SmallVec<[&mut Dynamic; 8]> = all.iter_mut().collect();
        let given = caller.context().call_native_fn_raw(name.as_str(), changes, &mut references);
        drop(references);
        let given = given.map_err(|error| self.unfit(error, name, values))?;
        if changes && let (Some(value), Some(first)) = (all.into_iter().next(), values.first_mut()) {
            *first = self.memory.arena.of_dynamic(value);
            self.memory.arena.fits(*first)?;
        }
        let given = self.memory.arena.of_dynamic(given);
        self.memory.arena.fits(given)?;
        Ok(given)
    }

    /// Returns the error for a function that does not take such values, in the words that Rhai has for their types.
    fn unfit(&self, error: Wrong, name: &str, values: &[Val]) -> Wrong {
        match &*error {
            EvalAltResult::ErrorFunctionNotFound(signature, _) if signature.starts_with(name) => {
                let types: Vec<&str> = values.iter().map(|value| self.memory.arena.signature_name(*value)).collect();
                let name = CHECKED.iter().find(|(native, _)| *native == name).map_or(name, |(_, function)| function);
                let signature = format!("{name} ({})", types.join(", "));
                Box::new(EvalAltResult::ErrorFunctionNotFound(signature, Position::NONE))
            }
            _ => error,
        }
    }

    /// Returns a text with holes, filled.
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
                        let text = self.native(natives, &"to_string".into(), Position::NONE, &mut values)?;
                        match self.memory.arena.text_of(text) {
                            Some(text) => whole.push_str(text),
                            None => return Err(failure("`to_string` gives no text")),
                        }
                    }
                },
            }
            if whole.len() > crate::rules::values::TEXT {
                return Err(too_large("Length of string"));
            }
        }
        Ok(self.memory.arena.text(whole.into()))
    }

    /// What a loop goes over: a list and the place of its first, or how far apart the numbers are, the first of them and how
    /// many there are.
    pub(crate) fn begin(&mut self, over: Val) -> Result<(Val, Val, Val), Wrong> {
        let arena = &mut self.memory.arena;
        let list = match over {
            Val::List(_) => {
                arena.share(over);
                over
            }
            Val::Range(at) => {
                let Some(span) = arena.ranges.get(at as usize).copied() else { return Err(failure("no range")) };
                return Ok((Val::Number(span.step), Val::Number(span.from), Val::Number(span.count())));
            }
            Val::Text(_) => {
                let letters: Vec<Val> =
                    arena.text_of(over).map(|text| text.chars().map(Val::Letter).collect()).unwrap_or_default();
                arena.list(letters)
            }
            Val::Cells(at) => {
                let cells: Vec<Val> =
                    arena.cells.get(at as usize).map(|cells| cells.iter().map(Val::Cell).collect()).unwrap_or_default();
                arena.list(cells)
            }
            Val::Moves(at) => {
                let moves = arena.several.get(at as usize).map(|moves| moves.all().clone()).unwrap_or_default();
                let items = moves.iter().map(|made| arena.single(made.clone())).collect();
                arena.list(items)
            }
            _ => return Err(Box::new(EvalAltResult::ErrorFor(Position::NONE))),
        };
        Ok((list, Val::Number(0), Val::Nothing))
    }
}

/// Writes the first argument of a function back to its register, if Rhai's library changed it: natives change what lies in
/// the arena.
fn put_back(site: &Site, to: Register, before: Option<Val>, values: &[Val], window: &mut Window<'_>) {
    if let (Some((at, _)), Some(value)) = (site.args.first(), values.first())
        && before != Some(*value)
        && to != *at
    {
        window[*at] = *value;
    }
}
