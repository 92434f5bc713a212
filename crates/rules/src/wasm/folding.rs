//! What is fixed at a table: values of options, of natives whose arguments are fixed, and what follows from them. Code that
//! never runs there is not written, and a function is written once more for arguments that are fixed.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use rhai::{Dynamic, ImmutableString};

use super::callee::mentions;
use super::compiler::Compiler;
use super::computing::is_of_set;
use super::fixed::{Fixed, Known, compared, computed};
use super::runtime;
use super::unit::Unit;
use super::value::{Tag, Ty, may_change};
use crate::natives::{self, Named};
use crate::script::{Call, Function, LocalId, Name, Node, What};
use crate::values::Kind;
use referee_table::Setting;

/// Up to how many operations nothing is counted for a result that was found: about as many are counted for the call.
const FEW: u64 = 16;

/// Returns what is counted for a result that is found instead of so many operations: as for all that compiled rules do, at least
/// half of them.
fn counted(operations: u64) -> i64 {
    if operations <= FEW { 0 } else { i64::try_from(operations / 2).unwrap_or(i64::MAX) }
}

/// Returns what is found for a key, once.
fn remembered<K: Ord, V: Clone>(known: &RefCell<BTreeMap<K, V>>, key: K, find: impl FnOnce(&K) -> V) -> V {
    if let Some(value) = known.borrow().get(&key) {
        return value.clone();
    }
    let value = find(&key);
    known.borrow_mut().insert(key, value.clone());
    value
}

/// How deep functions of the rules may be nested whose results are found here.
const DEEPEST: usize = 4;

impl Compiler<'_> {
    /// Returns the value of a node, if it is fixed where these variables are.
    pub(super) fn fixed(&self, node: &Node, known: &Known) -> Option<Fixed> {
        self.fixed_at(node, known, 0)
    }

    /// Returns whether a condition holds, if that is fixed.
    pub(super) fn is_fixed(&self, node: &Node, known: &Known) -> Option<bool> {
        self.fixed(node, known)?.truth()
    }

    fn fixed_at(&self, node: &Node, known: &Known, depth: usize) -> Option<Fixed> {
        if !self.tries() {
            return None;
        }
        let fixed = |node: &Node| self.fixed_at(node, known, depth);
        Some(match &node.what {
            What::Nothing => Fixed::Nothing,
            What::Number(number) => Fixed::number(*number)?,
            What::Truth(truth) => Fixed::Truth(*truth),
            What::Text(text) => Fixed::Text(text.clone()),
            What::Name(Name::Local(local)) => known.get(local)?.clone(),
            What::Name(Name::Constant(name)) => Fixed::of_constant(self.constant(name)?)?,
            What::Name(Name::Component(name)) => {
                Fixed::of_constant(&self.with.components.get_var_value::<Dynamic>(name)?)?
            }
            What::Call(call) if self.forgets(call) => Fixed::Nothing,
            What::Call(call) => self.setting(call).or_else(|| self.result(call, known, depth))?,
            What::And(parts) => Fixed::Truth(self.logic(parts, true, known, depth)?),
            What::Or(parts) => Fixed::Truth(self.logic(parts, false, known, depth)?),
            What::Operator(sign, parts) => match parts.as_slice() {
                [one] => match (sign.as_str(), fixed(one)?) {
                    ("!", Fixed::Truth(truth)) => Fixed::Truth(!truth),
                    ("-", Fixed::Number(number)) => Fixed::number(-number)?,
                    _ => return None,
                },
                [one, other] => {
                    let (one, other) = (fixed(one)?, fixed(other)?);
                    compared(sign, &one, &other).map(Fixed::Truth).or_else(|| computed(sign, &one, &other))?
                }
                _ => return None,
            },
            What::If(parts) => {
                let [condition, then, other] = &**parts;
                match fixed(condition)? {
                    Fixed::Truth(holds) => fixed(if holds { then } else { other })?,
                    _ => return None,
                }
            }
            What::Block(nodes) => match nodes.as_slice() {
                [] => Fixed::Nothing,
                [only] => fixed(only)?,
                _ => return None,
            },
            What::List(items) => Fixed::list(items.iter().map(fixed))?,
            What::Index { of, index, maybe: false } => match (fixed(of)?, fixed(index)?) {
                (Fixed::List(items), Fixed::Number(number)) => {
                    let count = i64::try_from(items.len()).ok()?;
                    let at = if number < 0 { number + count } else { number };
                    items.get(usize::try_from(at).ok()?)?.clone()
                }
                _ => return None,
            },
            What::Field { of, name, maybe: false } if natives::is_length(name) => match fixed(of)? {
                Fixed::List(items) => Fixed::number(i64::try_from(items.len()).ok()?)?,
                _ => return None,
            },
            _ => return None,
        })
    }

    /// Returns what `&&` or `||` says, if that is fixed. The first part that decides need not be the first part, but those
    /// before it run.
    fn logic(&self, parts: &[Node], all: bool, known: &Known, depth: usize) -> Option<bool> {
        for part in parts {
            match self.fixed_at(part, known, depth)? {
                Fixed::Truth(truth) if truth == all => {}
                Fixed::Truth(_) => return Some(!all),
                _ => return None,
            }
        }
        Some(all)
    }

    /// Returns the value of an option, or the name of the variant, that a call returns.
    fn setting(&self, call: &Call) -> Option<Fixed> {
        let (name, count) = (call.name.as_str(), call.args.len());
        if call.method || self.with.script.function(name, count).is_some() || !call.natives.are_fixed(count) {
            return None;
        }
        let (schema, table) = (self.with.schema, &self.with.state.table);
        match call.args.as_slice() {
            [option] if call.natives.role() == Some(crate::host::Role::Option) => {
                match table.option(schema.option(option.text()?)?)? {
                    Setting::Word(word) => Some(Fixed::Text((&**word).into())),
                    Setting::Number(number) => Fixed::number(*number),
                }
            }
            [] if call.natives.name_the_variant() => {
                let variant = schema.variants.get(table.variant);
                Some(Fixed::Text(variant.map_or(ImmutableString::new(), |variant| variant.name.as_str().into())))
            }
            _ => None,
        }
    }

    /// Returns whether a call asks for moves that a position remembers: none are, where they can be listed again.
    fn forgets(&self, call: &Call) -> bool {
        let kinds: Vec<&Kind> = call.args.iter().map(|arg| &arg.kind).collect();
        let remembered = natives::emitted(&call.name, &kinds) == Some(natives::Emitted::Remembered);
        remembered && self.lists_moves().is_some() && call.args.iter().all(|arg| arg.local().is_some())
    }

    /// Returns what a call returns whose arguments are fixed: of a native whose result depends on nothing else, or of a
    /// function of the rules that is an expression of such parts.
    fn result(&self, call: &Call, known: &Known, depth: usize) -> Option<Fixed> {
        let (name, count) = (&call.name, call.args.len());
        let of_rules = self.with.script.function(name, count).filter(|_| !call.method);
        if call.maybe || call.with_scope || of_rules.is_some() && depth >= DEEPEST {
            return None;
        }
        if of_rules.is_none() && !self.is_the_same(call) {
            return None;
        }
        let args = call.args.iter().map(|arg| self.fixed_at(arg, known, depth));
        let args: Vec<Fixed> = args.collect::<Option<_>>()?;
        if let Some(function) = of_rules {
            let function = self.function(function.key()).unwrap_or(function);
            let changed = self.changed.get(&function.key())?;
            let known: Known = (0..).zip(args).collect();
            let is_expression = changed.is_disjoint(&known.keys().copied().collect()) && !function.this;
            let result = is_expression.then(|| self.fixed_at(&function.body, &known, depth + 1)).flatten();
            return result.or_else(|| {
                let (result, counted) = self.computed(function, known.into_values().collect())?;
                self.uncounted.set(self.uncounted.get().saturating_add(counted));
                Some(result)
            });
        }
        self.evaluated(name, args)
    }

    /// Returns what a native returns for these arguments.
    pub(super) fn evaluated(&self, name: &ImmutableString, args: Vec<Fixed>) -> Option<Fixed> {
        remembered(&self.results, (name.clone(), args), |(name, args)| (self.with.evaluate)(name, args))
    }

    /// Returns what a function of the rules returns for these arguments, if it only computes, and what is to be counted for it.
    pub(super) fn computed(&self, function: &Function, args: Vec<Fixed>) -> Option<(Fixed, i64)> {
        if !self.computing.contains(&function.key()) {
            return None;
        }
        remembered(&self.computed, (function.name.clone(), args), |(name, args)| {
            (self.with.compute)(name, args).map(|(result, operations)| (result, counted(operations)))
        })
    }

    /// Returns whether a native returns the same for equal arguments, wherever it is called in games of one table.
    pub(super) fn is_the_same(&self, call: &Call) -> bool {
        let (name, count) = (call.name.as_str(), call.args.len());
        let own = |count: usize| self.with.script.function(name, count).is_some();
        let is_own = own(count) || call.method && count.checked_sub(1).is_some_and(own);
        // The name of a function may be in its place.
        let may_be_name = natives::functions(name).iter().any(|form| form.takes_function_name());
        let is_function =
            |arg: &Node| arg.function_value().is_some() || may_be_name && arg.kind.may_be(crate::values::Sort::Text);
        let takes_functions = call.args.iter().any(is_function);
        let is_fixed = Named::of(name).are_fixed(count) || self.is_pure(name, count) || is_of_set(call);
        let changes = call.natives.may_change(count) && call.args.first().is_some_and(|first| may_change(&first.kind));
        is_fixed && !is_own && !takes_functions && !changes
    }

    /// Notes that the host runs a function, which may look at the positions before.
    pub(super) fn looks_back(&mut self, function: &Function) {
        self.reads_history = self.reads_history || mentions(function, &self.looking_back);
    }
}

impl Compiler<'_> {
    /// Returns a fixed value as a wrapped one.
    pub(super) fn wrapped(&mut self, fixed: &Fixed) -> i64 {
        match fixed {
            Fixed::Nothing => super::value::NOTHING,
            Fixed::Truth(truth) => super::value::truth(*truth),
            Fixed::Number(number) => super::value::number(*number).unwrap_or_default(),
            Fixed::Text(text) => Tag::Text.wrap(self.strings.number(text)),
            Fixed::Id(tag, id) => tag.wrap(*id),
            Fixed::Set(words) => Tag::Cells.wrap(self.set_in_memory(words)),
            Fixed::List(items) => Tag::List.wrap(self.list_in_memory(items).0),
        }
    }

    /// Returns the address of a set that is in the memory from the beginning.
    pub(super) fn set_in_memory(&mut self, words: &[u64]) -> u32 {
        self.in_memory(self.layout.set_in_bytes(words))
    }

    /// Returns the addresses of a list that is in the memory from the beginning, and of its items. It is shared, so that nobody
    /// changes it.
    pub(super) fn list_in_memory(&mut self, items: &[Fixed]) -> (u32, u32) {
        let wrapped: Vec<i64> = items.iter().map(|item| self.wrapped(item)).collect();
        let items = self.in_memory(wrapped.iter().flat_map(|item| item.to_le_bytes()).collect());
        let count = u32::try_from(wrapped.len()).unwrap_or_default();
        let head = self.in_memory(runtime::head(count, items).iter().flat_map(|word| word.to_le_bytes()).collect());
        (head, items)
    }

    /// Returns the address of bytes that are in the memory from the beginning.
    pub(super) fn in_memory(&mut self, bytes: Vec<u8>) -> u32 {
        if let Some((address, _)) = self.constants.iter().find(|(_, known)| *known == bytes) {
            return *address;
        }
        let address = self.room(u32::try_from(bytes.len().next_multiple_of(8)).unwrap_or_default());
        self.constants.push((address, bytes));
        address
    }
}

/// Returns the variables that a function changes after they were declared.
pub(super) fn changed(function: &Function) -> BTreeSet<LocalId> {
    let mut found = BTreeSet::new();
    function.body.walk(&mut |node| match &node.what {
        What::Assign(assign) => found.extend(assign.to.root().local()),
        What::Call(call)
            if call.natives.may_change(call.args.len())
                || call.is_on_value()
                || call.natives.is_empty() && call.method =>
        {
            // A number, say, is not what such a native changes.
            let of_rules = call.is_on_value() || call.natives.is_empty();
            let first = call.args.first().filter(|first| of_rules || may_change(&first.kind));
            found.extend(first.and_then(|first| first.root().local()));
        }
        _ => {}
    });
    found
}

impl Unit<'_, '_> {
    /// Returns the value of a node, if it is fixed.
    pub(super) fn fixed(&self, node: &Node) -> Option<Fixed> {
        self.with.uncounted.set(0);
        let fixed = self.with.fixed(node, &self.scope.known)?;
        self.note_computed(node, self.with.uncounted.get());
        Some(fixed)
    }

    /// Returns whether a condition holds, if that is fixed.
    pub(super) fn is_fixed(&self, node: &Node) -> Option<bool> {
        self.fixed(node)?.truth()
    }

    /// Notes that so much is to be counted for a node in what is written now, once.
    pub(super) fn note_computed(&self, node: &Node, counted: i64) {
        if counted > 0 {
            self.computed.borrow_mut().insert(std::ptr::from_ref(node), counted);
        }
    }

    /// Counts what was noted: here it would have run.
    pub(super) fn count_computed(&mut self) {
        let counted = self.computed.get_mut().values().fold(0_i64, |sum, counted| sum.saturating_add(*counted));
        if counted > 0 {
            self.computed.get_mut().clear();
            self.body.spend(|b| b.long(counted));
        }
    }

    /// Returns the number of a fixed direction of the board.
    pub(super) fn fixed_direction(&self, node: &Node) -> Option<u32> {
        match self.fixed(node)? {
            Fixed::Number(number) => {
                u32::try_from(number).ok().filter(|number| (1..=self.with.layout.directions).contains(number))
            }
            _ => None,
        }
    }

    /// Puts a fixed value on the stack.
    pub(super) fn put(&mut self, fixed: &Fixed) -> Ty {
        match fixed {
            Fixed::Nothing => Ty::Nothing,
            Fixed::Number(number) => {
                self.body.long(*number);
                Ty::Number
            }
            Fixed::Truth(truth) => {
                self.body.word(i32::from(*truth));
                Ty::Truth
            }
            Fixed::Text(text) => {
                let number = self.with.strings.number(text);
                self.body.word(number.cast_signed());
                Ty::id(Tag::Text)
            }
            Fixed::Id(tag, id) => {
                self.body.word(id.cast_signed());
                Ty::id(*tag)
            }
            Fixed::Set(words) if self.with.layout.shapes.small => {
                self.body.long(words.first().copied().unwrap_or_default().cast_signed());
                Ty::Set
            }
            Fixed::Set(words) => {
                let address = self.with.set_in_memory(words);
                self.body.word(address.cast_signed());
                Ty::id(Tag::Cells)
            }
            Fixed::List(items) => {
                let (address, _) = self.with.list_in_memory(items);
                self.body.word(address.cast_signed());
                Ty::id(Tag::List)
            }
        }
    }
}
