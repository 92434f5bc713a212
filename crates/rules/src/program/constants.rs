//! Computes the constants of scripts by the machine, before there is a game.

use rhai::{Dynamic, FnPtr, Position, Stmt};

use super::engine::Built;
use crate::compile::Materials;
use crate::layers::{Computes, Constant, Layers, declared, fault};
use crate::script::{Function, Script, is_closure};
use crate::values::{Arena, Wrong};
use crate::vm::{Bytecode, Machine, Memory};
use referee_diagnostic::Diagnostic;
use referee_table::NameSet;

impl Computes for Built {
    fn compute(&self, alone: &mut Layers, statements: &[Stmt]) -> Result<(), Vec<Diagnostic>> {
        let mut needed = None;
        for (name, position, value) in statements.iter().filter_map(declared) {
            let value = match value.get_literal_value(None) {
                Some(value) => value,
                None => {
                    let constants = match needed.take() {
                        Some(constants) => constants,
                        None => Constants::of(self, alone, statements)?,
                    };
                    let constants = needed.insert(constants);
                    constants.value(self, alone, |script| script.constant(alone, &self.schema, value))?
                }
            };
            alone.constants.insert(name.to_owned(), Constant { value, position });
        }
        Ok(())
    }
}

/// What computes the constants of a script that are not written out.
struct Constants {
    script: Script,
    code: Bytecode,
    memory: Memory,
}

impl Constants {
    /// Compiles the functions of the script that its constants may call.
    fn of(built: &Built, alone: &Layers, statements: &[Stmt]) -> Result<Self, Vec<Diagnostic>> {
        let mut script = Script::read(alone, &built.of_game, &built.schema);
        let mut names = NameSet::default();
        for (.., value) in statements.iter().filter_map(declared) {
            script.constant(alone, &built.schema, value).body.mentions(&mut names);
        }
        script.keep(names);
        let mut arena = Arena::default();
        let code = Bytecode::compile(materials(built, alone, &script), built.natives.clone(), &mut arena)?;
        Ok(Self { script, code, memory: Memory::of(arena) })
    }

    /// Returns the value of a constant.
    fn value(
        &mut self,
        built: &Built,
        alone: &Layers,
        read: impl FnOnce(&Script) -> Function,
    ) -> Result<Dynamic, Vec<Diagnostic>> {
        let function = read(&self.script);
        let materials = materials(built, alone, &self.script);
        let function = self.code.expression(materials, &function, self.memory.arena_mut())?;
        let value = self.run(built, alone, function);
        if built.meter.excess().is_some() {
            return Err(vec![fault::excess(&built.meter, value.err().as_deref(), &alone.texts)]);
        }
        value.map_err(|wrong| vec![fault::runtime(&wrong, &alone.texts)])
    }

    fn run(&mut self, built: &Built, alone: &Layers, function: usize) -> Result<Dynamic, Wrong> {
        let mark = *self.code.all_constants();
        self.memory.empty(&mark);
        let global = built.engine.new_global_runtime_state();
        let (code, memory) = (&self.code, &mut self.memory);
        let mut machine = Machine { engine: &built.engine, global: &global, link: &built.link, code, memory };
        let value = machine.run(function, 0, Position::NONE, &[])?;
        machine.settle()?;
        let pointer = |name: &str| {
            let (key, closure) = alone.functions.range((name.to_owned(), 0)..).next().unzip();
            match closure.filter(|_| is_closure(name) && key.is_some_and(|(found, _)| found == name)) {
                Some(closure) => Ok(FnPtr::from(closure.def.shared())),
                None => FnPtr::new(name),
            }
        };
        machine.memory.arena.to_constant(value, &pointer)
    }
}

/// Returns what the functions of the script are compiled of. Nothing is remembered where runs are counted: that needs a
/// game.
fn materials<'m>(built: &'m Built, alone: &'m Layers, script: &'m Script) -> Materials<'m> {
    let (components, schema, texts) = (&built.components, &built.schema, &alone.texts);
    Materials { layers: alone, script, components, schema, texts, points: Some(0), profile: None, more: &[] }
}
