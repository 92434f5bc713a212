//! Runs Rhai's interpreter, with which tests compare the machine.

use rhai::{Caches, Dynamic, Engine, EvalAltResult, EvalContext, FnArgsVec, GlobalRuntimeState, Module, Scope, Shared};

/// The state of the interpreter between calls.
pub(crate) struct Interpreter {
    global: GlobalRuntimeState,
    caches: Caches,
}

impl Interpreter {
    pub(crate) fn new(engine: &Engine, library: &Shared<Module>) -> Self {
        let mut global = engine.new_global_runtime_state();
        global.lib.push(Shared::clone(library));
        Self { global, caches: Caches::new() }
    }

    /// Calls a function at this call depth. With `is_ref_mut`, the first argument is passed by reference and may change;
    /// otherwise all arguments may be consumed.
    pub(crate) fn call(
        &mut self,
        engine: &Engine,
        level: usize,
        name: &str,
        is_ref_mut: bool,
        args: &mut [Dynamic],
    ) -> Result<Dynamic, Box<EvalAltResult>> {
        self.global.num_operations = 0;
        self.global.level = level;
        let mut scope = Scope::new();
        let mut refs: FnArgsVec<&mut Dynamic> = args.iter_mut().collect();
        EvalContext::new(engine, &mut self.global, &mut self.caches, &mut scope, None)
            .call_fn_raw(name, is_ref_mut, false, &mut refs)
    }
}
