//! Rhai's interpreter, the reference with which tests compare the machine.

use rhai::{Caches, Dynamic, Engine, EvalAltResult, EvalContext, FnArgsVec, GlobalRuntimeState, Module, Scope, Shared};

/// What the interpreter keeps between calls.
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

    /// Calls a function from so deep in calls. If its first value is lent it may be changed, else all may be taken
    /// away.
    pub(crate) fn call(
        &mut self,
        engine: &Engine,
        level: usize,
        name: &str,
        lent: bool,
        args: &mut [Dynamic],
    ) -> Result<Dynamic, Box<EvalAltResult>> {
        self.global.num_operations = 0;
        self.global.level = level;
        let mut scope = Scope::new();
        let mut refs: FnArgsVec<&mut Dynamic> = args.iter_mut().collect();
        EvalContext::new(engine, &mut self.global, &mut self.caches, &mut scope, None)
            .call_fn_raw(name, lent, false, &mut refs)
    }
}
