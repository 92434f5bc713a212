//! How the host carries out what is at a site: by a native alone, if nothing else is called there, and else by the machine.

use std::cell::Cell;
use std::sync::Arc;

use rhai::{ImmutableString, Position};
use smallvec::SmallVec;

use super::compiler::Out;
use crate::host;
use crate::natives::{self, Lookup, Shortcut, Special};
use crate::script::{Call, Name, Node, What};
use crate::values::{Sort, Val};
use crate::vm::{Bytecode, Machine, Operator, Overloads};
use referee_table::{AskId, DieId, Schema};

/// What is at a site.
pub(super) enum Work {
    /// A function of the machine.
    Run,
    Roll(DieId),
    /// A phase to come, and whether the rules are known to have its function.
    Then(Arc<str>, Cell<bool>),
    /// A choice for an ask, among options that come last.
    Choose(AskId),
    /// An action for an ask.
    May(AskId),
    Native(Box<Plain>),
    /// A property of a move; the machine reads that of another value.
    OfMove(Box<Plain>),
    Operator(Operator),
}

/// A call of a native and nothing else.
pub(super) struct Plain {
    name: ImmutableString,
    natives: Overloads,
    lookup: Option<Lookup>,
    /// The arguments: a constant, or the next value that is given.
    args: SmallVec<[Option<Val>; 4]>,
}

/// The values of a call.
type Values = SmallVec<[Val; 6]>;

impl Work {
    /// Returns how the function of a site is carried out.
    pub(super) fn of(out: &Out, code: &Bytecode, schema: &Schema) -> Self {
        let run = Self::Run;
        if out.prelude || out.function.locals.len() > out.function.parameters {
            return run;
        }
        let body = &out.function.body;
        match &body.what {
            What::Call(call) => Self::of_call(call, code, schema).unwrap_or(run),
            What::Field { of, name, maybe: false } if of.kind.may_be(Sort::Move) && is_given(of, 0) => {
                let name: ImmutableString = natives::getter(name).into();
                let natives = Overloads::new(code.natives(&name, 1), natives::library_function(&name, 1));
                Self::OfMove(Box::new(Plain { name, natives, lookup: None, args: [None].into_iter().collect() }))
            }
            What::Operator(sign, parts) => match (parts.as_slice(), Operator::of(sign, parts.len())) {
                ([one, other], Some(operator)) if is_given(one, 0) && is_given(other, 1) => Self::Operator(operator),
                _ => run,
            },
            _ => run,
        }
    }

    fn of_call(call: &Call, code: &Bytecode, schema: &Schema) -> Option<Self> {
        let (name, count) = (&call.name, call.args.len());
        let text = |at: usize| call.args.get(at).and_then(Node::text);
        let rest_is_given = |from: usize| call.args.iter().skip(from).enumerate().all(|(at, arg)| is_given(arg, at));
        let others = code.natives(name, count);
        match call.natives.shortcut(count, &others) {
            Some(Shortcut::Roll) if count == 0 => {
                return schema.only_die().and_then(|die| schema.thrown_openly(die)).map(Self::Roll);
            }
            Some(Shortcut::Roll) => return Some(Self::Roll(schema.thrown_openly(schema.die(text(0)?)?)?)),
            Some(Shortcut::Then) if rest_is_given(1) => {
                return Some(Self::Then(text(0)?.as_str().into(), Cell::default()));
            }
            Some(Shortcut::Choose) if is_given(call.args.first()?, 0) && is_given(call.args.get(2)?, 1) => {
                return schema.ask(text(1)?).map(Self::Choose);
            }
            Some(Shortcut::Own(Special::May)) if rest_is_given(1) => return schema.ask(text(0)?).map(Self::May),
            Some(Shortcut::Own(_) | Shortcut::Then | Shortcut::Choose) => return None,
            _ => {}
        }
        let is_of_prelude = code.prelude(name, count).is_some()
            || count.checked_sub(1).is_some_and(|count| code.places.prelude(name, count).is_some());
        let is_plain = call.natives.special().is_none() && !is_of_prelude && !call.natives.may_change(count);
        // After a dot, a map may have a function of this name.
        let may_be_map = call.before_dot().is_some_and(|of| of.kind.may_be(Sort::Map));
        if !is_plain || may_be_map || code.place(name, count).is_some() {
            return None;
        }
        let mut next = 0;
        let mut args = SmallVec::new();
        for arg in &call.args {
            args.push(match &arg.what {
                What::Text(text) => Some(*code.texts.get(text)?),
                What::Number(number) => Some(Val::Number(*number)),
                What::Truth(truth) => Some(Val::Truth(*truth)),
                _ if is_given(arg, next) => {
                    next += 1;
                    None
                }
                _ => return None,
            });
        }
        let lookup = match call.natives.shortcut(count, &others) {
            Some(Shortcut::Lookup(lookup)) => Some(lookup),
            _ => None,
        };
        let natives = Overloads::new(others, natives::library_function(name, count));
        Some(Self::Native(Box::new(Plain { name: name.clone(), natives, lookup, args })))
    }

    /// Carries it out with these values; `None` if the machine is to run the function.
    pub(super) fn done(&self, machine: &mut Machine<'_>, at: Position, given: &[Val]) -> Option<natives::Given> {
        if let Err(wrong) = machine.tick() {
            return Some(Err(wrong));
        }
        match self {
            Self::Run => None,
            Self::Roll(die) => host::rolled(machine.link, *die, &mut machine.memory.arena).transpose(),
            Self::Then(phase, known) => {
                if !known.get() {
                    if let Err(wrong) = machine.link.phase(phase, given.len()) {
                        return Some(Err(wrong));
                    }
                    known.set(true);
                }
                let queued = host::queued(machine.link, phase, given.iter().copied());
                queued.map(|queued| queued.then_some(Val::Nothing)).transpose()
            }
            Self::Choose(ask) => match given {
                [Val::Player(player), options] => machine.picked(*player, *ask, *options).transpose(),
                _ => None,
            },
            Self::May(ask) => {
                let made = host::made(machine.link, *ask, given, &machine.memory.arena);
                made.map(|made| made.map(|action| machine.memory.arena.actions(action))).transpose()
            }
            Self::OfMove(_) if !matches!(given, [Val::Move(_)]) => None,
            Self::Native(plain) | Self::OfMove(plain) => plain.done(machine, at, given),
            Self::Operator(operator) => {
                let [one, other] = *given else { return None };
                let arena = &mut machine.memory.arena;
                if let Some(sets) = operator.of_dirs(one, other, arena).or_else(|| operator.of_sets(one, other, arena))
                {
                    return Some(Ok(sets));
                }
                match operator.of_two(one, other, arena) {
                    Ok(None) => {}
                    done => return done.transpose(),
                }
                let code = machine.code;
                let (natives, name) = code.operator(*operator);
                Some(machine.native(natives, name, Position::NONE, &mut [one, other]))
            }
        }
    }
}

impl Plain {
    fn done(&self, machine: &mut Machine<'_>, at: Position, given: &[Val]) -> Option<natives::Given> {
        let mut given = given.iter().copied();
        let mut values: Values = self.args.iter().map(|arg| arg.or_else(|| given.next()).unwrap_or_default()).collect();
        if let Some(lookup) = self.lookup {
            let arena = &mut machine.memory.arena;
            let [one, other] = [0, 1].map(|at| values.get(at).copied().unwrap_or_default());
            let found = machine.link.with(|session| Ok(lookup(session, arena, &one, &other)));
            if let Some(found) = found.transpose() {
                return Some(found);
            }
        }
        Some(machine.native(&self.natives, &self.name, at, &mut values))
    }
}

/// Returns whether a node is the given value with this number.
fn is_given(node: &Node, number: usize) -> bool {
    matches!(node.what, What::Name(Name::Local(local)) if local == number)
}
