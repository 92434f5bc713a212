//! From the functions of a script to those of a module.

use wasm_encoder::{Instruction as I, ValType};

use super::body::{Body, long};
use super::callee::{Callee, callees};
use super::compiler::{Compiled, Compiler, EQUAL, Emit, Out, Refused, Sources};
use super::layout;
use super::of_board::{OfBoard, OnBoard};
use super::phases;
use super::runtime::{self, unwrap};
use super::unit::Unit;
use super::value::Ty;
use crate::script::Function;
use crate::values::CALL_LEVELS;

/// The function that is a turn.
pub(crate) const TURN: &str = "turn";

/// The name of the function that the host calls for a phase.
pub(crate) fn exported(name: &str, parameters: usize) -> String {
    format!("{name}/{parameters}")
}

/// Compiles the functions of a script for the games of a table. `turn` is the built-in turn in place of that of the script.
pub(crate) fn compile(with: Sources<'_>, turn: Option<&Function>) -> Compiled {
    let mut compiler = Compiler::of(with);
    let own = with.script.functions.iter().filter(|function| is_compiled(function));
    let functions: Vec<&Function> =
        own.map(|function| turn.filter(|turn| turn.key() == function.key()).unwrap_or(function)).collect();
    (compiler.callees, compiler.longest) = callees(&functions, compiler.layout.shapes);
    let count = u32::try_from(functions.len()).unwrap_or(u32::MAX);
    compiler.first_of_board = layout::IMPORTS + runtime::COUNT + count;
    let targets = phases::targets(
        &functions,
        with.script,
        |node| compiler.ty(&node.kind),
        |key| compiler.callee(key).is_some_and(|callee| callee.parameters.len() == key.1),
    );
    compiler.targets = targets.map(|targets| (targets, compiler.room(phases::ROOM)));
    let mut module = super::module::Module::default();
    let mut refused = Vec::new();
    for function in &functions {
        let (callee, outs) = (compiler.callee(function.key()).cloned(), compiler.outs.len());
        let Some(callee) = callee else { continue };
        let body = match compiler.function(function, &callee) {
            Ok(body) => body,
            Err(Refused(why)) => {
                refused.push((function.name.to_string(), why));
                compiler.outs.truncate(outs);
                compiler.stub(function, &callee)
            }
        };
        module.add(&callee.parameters, callee.result, body);
    }
    if !compiler.of_board.iter().any(|function| matches!(function, OfBoard::Zones(_))) {
        // Nobody looks at them.
        compiler.layout.zones = None;
    }
    for function in &compiler.of_board {
        let (parameters, result) = function.signature();
        let (functions, first) = (&compiler.of_board, compiler.first_of_board);
        let on_board = OnBoard { state: with.state, layout: &compiler.layout, functions, first };
        module.add(parameters, result, function.write(&on_board));
    }
    let heap = compiler.memos.next_multiple_of(8);
    let chain = compiler.targets.as_ref().map(|(targets, room)| {
        let callee = |((name, count), number): (&(String, usize), &i32)| {
            Some((*number, compiler.callee((name.as_str(), *count))?))
        };
        let callees: Vec<(i32, &Callee)> = targets.iter().filter_map(callee).collect();
        let of_board = u32::try_from(compiler.of_board.len()).unwrap_or(u32::MAX);
        let turns = compiler.callee((TURN, 1)).and_then(|turn| phases::Turns::at(&with.state.table, turn));
        module.add(&[], Ty::Nothing, phases::run(*room, heap, &callees, turns.as_ref()));
        compiler.first_of_board + of_board
    });
    // Where so many functions may be nested, the machine counts them.
    let run = functions.iter().filter(|_| compiler.longest < CALL_LEVELS);
    for function in run {
        let Some(callee) = compiler.callee(function.key()) else { continue };
        if callee.parameters.len() <= layout::MOST_ARGUMENTS {
            let body = entry(callee, chain);
            module.export(&exported(&function.name, function.parameters), body);
        }
    }
    let bytes = module.finish(&compiler.layout, heap, EQUAL);
    let Compiler { layout, outs, strings, longest, reads_history, .. } = compiler;
    Compiled { bytes, layout, outs, strings, heap, longest, reads_history, refused }
}

/// Returns whether a function is compiled: not one that is called on a value, for `this` is left to the machine.
fn is_compiled(function: &Function) -> bool {
    !function.this && !function.is_for_one_type && !crate::script::is_closure(&function.name)
}

impl Compiler<'_> {
    fn function(&mut self, function: &Function, callee: &Callee) -> Emit<wasm_encoder::Function> {
        let deepest = i32::try_from(CALL_LEVELS.saturating_sub(self.longest)).unwrap_or_default();
        let mut unit = Unit::of(self, function, callee.result, callee.recursive);
        unit.parameters(&callee.parameters);
        unit.enter(deepest);
        unit.count(&function.body);
        unit.to(&function.body, callee.result)?;
        unit.leave();
        Ok(unit.body.finish())
    }

    /// Returns a function that lets the machine run a function of the rules.
    fn stub(&mut self, function: &Function, callee: &Callee) -> wasm_encoder::Function {
        let number = self.outs.len();
        let mut unit = Unit::of(self, function, callee.result, false);
        unit.parameters(&callee.parameters);
        if callee.parameters.len() > layout::MOST_HANDED {
            unit.body.give_up();
            return unit.body.finish();
        }
        unit.body.word(i32::try_from(number).unwrap_or(i32::MAX));
        for (at, ty) in callee.parameters.iter().enumerate() {
            unit.parameter(at, *ty);
            unit.convert(*ty, Ty::Any);
        }
        unit.body.call(layout::out(callee.parameters.len()));
        unit.after_end(callee.ends, Some(ValType::I64));
        unit.convert(Ty::Any, callee.result);
        let finished = unit.body.finish();
        self.looks_back(function);
        let mut function = function.clone();
        function.name = format!("{}${number}", function.name).into();
        self.outs.push(Out { function, prelude: false, ends: callee.ends, keeps: false });
        finished
    }
}

/// Returns a function that takes its arguments from the memory and calls one of the rules, and then that of the phases that
/// follow, if the rules run them themselves.
fn entry(callee: &Callee, chain: Option<u32>) -> wasm_encoder::Function {
    let mut body = Body::new(0);
    body.all([I::I64Const(layout::WORK), I::GlobalSet(layout::LEFT)]);
    for (at, ty) in (0..).zip(&callee.parameters) {
        body.word(0);
        body.add(I::I64Load(long(layout::ARGUMENTS + 8 * at)));
        unwrap(&mut body, *ty);
    }
    body.call(callee.number);
    if callee.result.wasm().is_some() {
        body.add(I::Drop);
    }
    chain.into_iter().for_each(|chain| body.call(chain));
    body.finish()
}
