//! From the functions of a script to those of a module.

use std::collections::BTreeMap;

use wasm_encoder::Instruction as I;

use super::asks::keep_left;
use super::body::{Body, long};
use super::callee::{Callee, MOVES, callees};
use super::compiler::{Compiled, Compiler, EQUAL, Emit, Out, Refused, Sources, Wanted, size};
use super::computing::computing;
use super::fixed::Fixed;
use super::folding::changed;
use super::layout;
use super::module::Module;
use super::of_board::{OfBoard, OnBoard};
use super::order::Acting;
use super::phases::{self, Heap, Runs};
use super::pointers::is_caller;
use super::receivers::{name_in_rules, on_value};
use super::runtime::wrap;
use super::sequences;
use super::set_up::{self, SetUp};
use super::unit::Unit;
use super::value::{Tag, Ty};
use crate::script::Function;
use crate::values::CALL_LEVELS;
use referee_table::{ROUND_BEGINS, ROUND_ENDS};

/// The function that is a turn.
pub(crate) const TURN: &str = "turn";

/// The name of the function that the host calls for a whole set-up. No script can give such a name to a function.
pub(crate) const SET_UP: &str = "(set-up)";

/// The name of the function that the host calls to evaluate an expression. No script can give such a name to a function.
pub(crate) const EXPRESSION: &str = "(expression)";

/// The name of the function that the host calls for the rest of a built-in turn, from the choice among its moves on, and for what
/// follows. No script can give such a name to a function.
pub(crate) const REST: &str = "(rest)";

/// The name of the function that the host calls for a phase alone.
pub(crate) fn step_name(name: &str, parameters: usize) -> String {
    format!("({name}/{parameters})")
}

/// The name of the function that the host calls for a phase.
pub(crate) fn exported_name(name: &str, parameters: usize) -> String {
    format!("{name}/{parameters}")
}

/// Compiles the functions of a script for the games of a table. `turn` is the built-in turn in place of that of the script.
pub(crate) fn compile<'s>(with: Sources<'s>, turn: Option<&'s Function>) -> Compiled {
    let mut compiler = Compiler::of(with);
    let own = with.script.functions.iter().filter(|function| is_compiled(function));
    let mut functions: Vec<&'s Function> =
        own.map(|function| turn.filter(|turn| turn.key() == function.key()).unwrap_or(function)).collect();
    functions.extend(with.with_receivers);
    functions.extend(with.expression);
    functions.extend(with.rest);
    // The machine that computes does not have the others.
    compiler.computing = computing(&functions, with.script, with.schema);
    functions.extend(with.callers);
    (compiler.callees, compiler.longest) = callees(&functions, compiler.layout.shapes);
    compiler.changed = functions.iter().map(|function| (function.key(), changed(function))).collect();
    let acting = Acting::of(&functions, with.script, with.schema);
    compiler.disordered = acting.disordered(&functions, with.script, with.schema);
    let lists_only = acting.is_quiet((MOVES, 1));
    if with.steps {
        compiler.asking = super::pausing::asking(&functions);
    }
    compiler.functions = functions.iter().map(|function| (function.key(), *function)).collect();
    let mut targets = phases::targets(&functions, with.script, compiler.layout.shapes, |key| {
        compiler.callee(key).is_some_and(|callee| callee.parameters.len() == key.1)
    });
    let set_up = targets.as_mut().map(|targets| SetUp::of(&mut compiler, targets)).unwrap_or_default();
    compiler.targets = targets.map(|targets| (targets, compiler.room(phases::ROOM)));
    let runs: BTreeMap<(&str, usize), Runs> =
        compiler.exported().into_iter().filter_map(|key| Some((key, compiler.runs(key)?))).collect();
    let expression = with.expression.and_then(|function| compiler.runs(function.key()));
    let rest = with.rest.and_then(|function| compiler.runs(function.key()));
    let mut module = Module::default();
    let refused = compiler.write_all(&mut module);
    if !compiler.of_board.iter().any(|function| matches!(function, OfBoard::Zones(_))) {
        // Nobody looks at them.
        compiler.layout.zones = None;
    }
    for function in &compiler.of_board {
        let (parameters, result) = function.signature(compiler.layout.shapes.small);
        let on_board = OnBoard { state: with.state, layout: &compiler.layout, functions: &compiler.of_board };
        module.add_of_board(parameters.iter().copied(), result, function.write(&on_board));
    }
    let heap = compiler.memos.next_multiple_of(8);
    let mut add = |body: Body| module.add_of_board(std::iter::empty(), Ty::Nothing, body);
    let SetUp { phases: set_up, numbers, dealt } = set_up;
    let dealt: Vec<(i32, Runs)> = dealt.into_iter().map(|(number, body)| (number, set_up::runs(add(body)))).collect();
    let chain = compiler.targets.as_ref().map(|(targets, room)| {
        let mut called: Vec<(i32, &Runs)> = dealt.iter().map(|(number, runs)| (*number, runs)).collect();
        for ((name, count), number) in targets {
            called.extend(runs.get(&(name.as_str(), *count)).map(|runs| (*number, runs)));
        }
        let turn = runs.get(&(TURN, 1)).filter(|_| with.begins_turns);
        let turns = turn.and_then(|turn| phases::Turns::at(&with.state.table, turn));
        let heap = if with.steps { Heap::FromFloor } else { Heap::From(heap) };
        let all = add(phases::run(*room, heap, &called, turns.as_ref()));
        let of = |number: &i32| called.iter().find(|(other, _)| other == number).map(|(_, runs)| *runs);
        let set_up = numbers.split_first().filter(|_| numbers.iter().all(|number| of(number).is_some()));
        let begin =
            set_up.and_then(|(first, rest)| Some(entry(of(first)?, Some(all), |body| phases::come(body, *room, rest))));
        (all, begin)
    });
    let (chain, begin) = chain.unzip();
    let begin = begin.flatten();
    let set_up = if begin.is_some() { set_up } else { Vec::new() };
    begin.into_iter().for_each(|begin| module.export(SET_UP, begin));
    let size = compiler.layout.state.size();
    export(&mut module, (&runs, with.steps), chain, (expression, rest), size);
    let phases = compiler.targets.as_ref().map(|(targets, room)| {
        let mut names: Vec<(String, usize)> = vec![Default::default(); targets.len()];
        for (name, number) in targets {
            let place = usize::try_from(*number).ok().and_then(|number| names.get_mut(number));
            place.into_iter().for_each(|place| place.clone_from(name));
        }
        (names, *room)
    });
    let binary = module.finish(&compiler.layout, &compiler.constants, heap, EQUAL, with.within);
    let runs = (compiler.runs, with.points);
    let Compiler { layout, outs, endings, strings, longest, reads_history, pauses, .. } = compiler;
    Compiled {
        phases,
        set_up,
        binary,
        layout,
        outs,
        endings,
        strings,
        heap,
        runs,
        pauses,
        longest,
        reads_history,
        lists_only,
        refused,
    }
}

/// Returns whether a function is compiled as it is: not one that is called on a value.
fn is_compiled(function: &Function) -> bool {
    !function.this && !function.is_for_one_type && !crate::script::is_closure(&function.name)
}

/// The number of players up to which a phase is written for each, and up to how many nodes of all functions.
const MOST_PLAYERS: usize = 2;
const MOST_NODES: usize = 3_000;

impl<'s> Compiler<'s> {
    /// Returns the functions that the host calls as phases.
    fn exported(&self) -> Vec<(&'s str, usize)> {
        match &self.targets {
            // Where so many functions may be nested, the machine counts them.
            _ if self.longest >= CALL_LEVELS => Vec::new(),
            Some((targets, _)) => {
                let is_target = |key: &(&str, usize)| targets.keys().any(|(name, count)| *key == (name, *count));
                let is_begun = |key: &(&str, usize)| [(TURN, 1), (ROUND_BEGINS, 0), (ROUND_ENDS, 0)].contains(key);
                self.functions.keys().copied().filter(|key| is_begun(key) || is_target(key)).collect()
            }
            // Any function may be a phase.
            None => {
                let may_be = |function: &&&Function| {
                    function.parameters <= layout::MOST_ARGUMENTS
                        && name_in_rules(function).is_none()
                        && !is_caller(function)
                };
                self.functions.values().filter(may_be).map(|function| function.key()).collect()
            }
        }
    }

    /// Returns how a phase of the rules is run: for each player by a function of its own, if there are few.
    fn runs(&mut self, key: (&str, usize)) -> Option<Runs> {
        let callee = self.callee(key)?.clone();
        let generic = vec![None; callee.parameters.len()];
        let players = &self.with.state.table.players;
        let is_of_player = callee.parameters.first() == Some(&Ty::id(Tag::Player));
        let size: usize = self.functions.values().map(|function| size(&function.body)).sum();
        let mut ways = Vec::new();
        if is_of_player && players.len() <= MOST_PLAYERS && size <= MOST_NODES {
            for player in players {
                let player = Fixed::Id(Tag::Player, player.0.into());
                let mut fixed = generic.clone();
                fixed.first_mut().into_iter().for_each(|first| *first = Some(player.clone()));
                ways.push(self.number(key, fixed).ok()?);
            }
        }
        if ways.iter().any(|(_, fixed)| fixed.iter().all(Option::is_none)) || ways.is_empty() {
            ways = vec![self.number(key, generic).ok()?];
        }
        Some(Runs { ways, parameters: callee.parameters, result: callee.result })
    }

    /// Writes all functions of the rules that something calls. Returns the names of those that are left to the machine, with
    /// the reasons.
    fn write_all(&mut self, module: &mut Module) -> Vec<(String, &'static str)> {
        let mut refused: Vec<(String, &'static str)> = Vec::new();
        // Those of phases are the first.
        let phases = self.wanted.len();
        let mut at = 0;
        while let Some(wanted) = self.wanted.get(at).cloned() {
            at += 1;
            let Some(callee) = self.callee(wanted.function.key()).cloned() else { continue };
            let before = (self.outs.len(), self.wanted.len());
            let body = match self.written(&wanted, &callee, at <= phases) {
                Ok(body) => body,
                Err(Refused(why)) => {
                    let name = wanted.function.name.to_string();
                    if !refused.contains(&(name.clone(), why)) {
                        refused.push((name, why));
                    }
                    self.outs.truncate(before.0);
                    self.wanted.truncate(before.1);
                    self.stub(&wanted, &callee)
                }
            };
            module.add(open(&callee.parameters, &wanted.fixed), callee.result, body);
        }
        refused
    }

    fn written(&mut self, wanted: &Wanted<'s>, callee: &Callee, is_phase: bool) -> Emit<Body> {
        let function = wanted.function;
        if self.disordered.contains(&function.key()) {
            return Err(Refused("operands of which one does what another one may notice"));
        }
        let self_counts = self.counts_itself(function);
        let deepest = i32::try_from(CALL_LEVELS.saturating_sub(self.longest)).unwrap_or_default();
        let mut unit = Unit::of(self, function, callee.result, callee.recursive);
        unit.parameters(&callee.parameters, &wanted.fixed);
        unit.enter(deepest);
        // What runs in a row is counted where a phase begins.
        if is_phase || self_counts {
            unit.count([&function.body]);
        }
        unit.to(&function.body, callee.result)?;
        unit.leave();
        Ok(unit.body)
    }

    /// Returns a function that lets the machine run a function of the rules.
    fn stub(&mut self, wanted: &Wanted<'s>, callee: &Callee) -> Body {
        let (number, function) = (self.outs.len(), wanted.function);
        let mut unit = Unit::of(self, function, callee.result, false);
        unit.parameters(&callee.parameters, &wanted.fixed);
        if callee.parameters.len() > layout::MOST_HANDED {
            unit.body.give_up();
            return unit.body;
        }
        unit.body.word(i32::try_from(number).unwrap_or(i32::MAX));
        for (at, (ty, fixed)) in callee.parameters.iter().zip(&wanted.fixed).enumerate() {
            let ty = match fixed {
                Some(fixed) => unit.put(fixed),
                None => {
                    unit.parameter(at, *ty);
                    *ty
                }
            };
            unit.convert(ty, Ty::Any);
        }
        unit.body.call(layout::out(callee.parameters.len()));
        unit.after_end(callee.ends);
        if name_in_rules(function).is_some() {
            unit.take_both();
        }
        unit.convert(Ty::Any, callee.result);
        let body = unit.body;
        self.looks_back(function);
        let mut function = match on_value(function) {
            Some(called) => called,
            None => function.clone(),
        };
        function.name = format!("{}${number}", function.name).into();
        self.outs.push(Out { function, prelude: false, ends: callee.ends, keeps: false });
        body
    }
}

/// Returns the types of the parameters that are not fixed.
fn open<'p>(parameters: &'p [Ty], fixed: &'p [Option<Fixed>]) -> impl Iterator<Item = Ty> + 'p {
    parameters.iter().zip(fixed).filter(|(_, fixed)| fixed.is_none()).map(|(ty, _)| *ty)
}

/// Exports what the host calls: phases, each with what follows it and, with `steps`, each alone; an expression; and the rest
/// of a built-in turn. `size` is that of a state.
fn export(
    module: &mut Module,
    (runs, steps): (&BTreeMap<(&str, usize), Runs>, bool),
    chain: Option<u32>,
    (expression, rest): (Option<Runs>, Option<Runs>),
    size: usize,
) {
    for ((name, count), runs) in runs {
        module.export(&exported_name(name, *count), entry(runs, chain, |_| {}));
        if steps {
            module.export(&step_name(name, *count), entry(runs, None, |_| {}));
        }
    }
    expression.into_iter().for_each(|runs| module.export(EXPRESSION, evaluated(&runs)));
    if let (Some(rest), Some(chain)) = (rest, chain) {
        module.export(REST, entry(&rest, Some(chain), |_| {}));
        sequences::export(module, &rest, chain, size);
    }
}

/// Returns a function that takes a player from the memory, if there is a parameter for one, and puts the wrapped result of a
/// function there.
fn evaluated(runs: &Runs) -> Body {
    let mut body = Body::new(0);
    body.all([I::I64Const(layout::WORK), I::GlobalSet(layout::LEFT)]);
    let load = |body: &mut Body, _| body.all([I::I32Const(0), I::I64Load(long(layout::ARGUMENTS))]);
    runs.write_with(&mut body, load, |body, result| {
        let value = body.local(wasm_encoder::ValType::I64);
        wrap(body, result);
        body.set(value);
        body.word(0);
        body.get(value);
        body.add(I::I64Store(long(layout::ARGUMENTS)));
    });
    keep_left(&mut body);
    body
}

/// Returns a function that takes its arguments from the memory and runs a phase after what `before` writes, and then those that
/// follow, if the rules run them themselves.
fn entry(runs: &Runs, chain: Option<u32>, before: impl FnOnce(&mut Body)) -> Body {
    let mut body = Body::new(0);
    body.all([I::I64Const(layout::WORK), I::GlobalSet(layout::LEFT)]);
    before(&mut body);
    runs.write(&mut body, |body, at| {
        let place = layout::ARGUMENTS + 8 * u32::try_from(at).unwrap_or(u32::MAX);
        body.all([I::I32Const(0), I::I64Load(long(place))]);
    });
    match chain {
        Some(chain) => body.call(chain),
        // An ask without a number has kept the work before it already.
        None => {
            body.load(layout::BOUND);
            body.add(I::I32Eqz);
            body.when(None);
            keep_left(&mut body);
            body.end();
        }
    }
    body
}
