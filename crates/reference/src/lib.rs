//! Rhai's interpreter, with which tests compare the machine: it runs the same rules, and must come to the same.
//!
//! Only tests, benchmarks and fuzz targets use this crate. The program reads scripts by Rhai, and runs them by the machine.

mod natives;

use std::cell::RefCell;
use std::rc::Rc;

use referee_rules::{DealingFunction, Moves, Played, Program, StandIn, TurnPlaces, Workings};
use referee_table::{Cells, DEFERRED, Dealing, Phase, PlayerId};
use referee_trace::RulesPlace;
use rhai::{
    Caches, Dynamic, Engine, EvalAltResult, EvalContext, FnArgsVec, GlobalRuntimeState, Module, NativeCallContext,
    Position, Scope, Shared,
};

/// The result of a call, or an error.
type Given<T = Dynamic> = Result<T, Box<EvalAltResult>>;

/// The call depth of the functions that the built-in turn calls: one level is the turn itself.
const LEVEL: usize = 1;

/// Rhai's interpreter for the rules of a program.
#[derive(Clone)]
pub struct Reference(Rc<Interpreter>);

impl Reference {
    /// Returns the interpreter for the rules of a program.
    #[must_use]
    pub fn of(program: &Program) -> Self {
        let Workings { mut engine, natives, components, constants, functions, turn, played } = program.workings();
        engine.register_iterator::<Moves>().register_iterator::<Cells>();
        engine.on_print(|_| {}).on_debug(|_, _, _| {});
        for module in [natives, Shared::clone(&components), constants] {
            engine.register_global_module(module);
        }
        find_components(&mut engine, components);
        // A script's `sort` can swallow the error of a pause. The halt also stops the count, so no further operation runs.
        let counted = played.clone();
        engine.on_progress(move |_| counted.stops().then_some(Dynamic::UNIT));
        let spare = Running::new(&engine, &functions);
        natives::register(&mut engine, &played, spare);
        let running = RefCell::new(Running::new(&engine, &functions));
        Self(Rc::new(Interpreter { engine, running, turn, played }))
    }

    /// Does `work`, in which the interpreter runs the phases of the program. It cannot go on after a pause.
    pub fn during<T>(&self, program: &Program, work: impl FnOnce() -> T) -> T {
        let own: Rc<Interpreter> = Rc::clone(&self.0);
        program.stand_in(Some(own));
        let _back = Back(program);
        work()
    }
}

impl std::fmt::Debug for Reference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Reference")
    }
}

/// Lets the machine run the phases again, also after a panic.
struct Back<'p>(&'p Program);

impl Drop for Back<'_> {
    fn drop(&mut self) {
        self.0.stand_in(None);
    }
}

/// The state of Rhai's interpreter between calls.
struct Running {
    global: GlobalRuntimeState,
    caches: Caches,
}

impl Running {
    fn new(engine: &Engine, functions: &Shared<Module>) -> Self {
        let mut global = engine.new_global_runtime_state();
        global.lib.push(Shared::clone(functions));
        Self { global, caches: Caches::new() }
    }

    /// Calls a function of the rules at this call depth.
    fn call(&mut self, engine: &Engine, level: usize, name: &str, args: &mut [Dynamic]) -> Given {
        self.global.num_operations = 0;
        self.global.level = level;
        let mut scope = Scope::new();
        let mut refs: FnArgsVec<&mut Dynamic> = args.iter_mut().collect();
        EvalContext::new(engine, &mut self.global, &mut self.caches, &mut scope, None)
            .call_fn_raw(name, false, false, &mut refs)
    }
}

struct Interpreter {
    engine: Engine,
    running: RefCell<Running>,
    turn: Option<TurnPlaces>,
    played: Played,
}

impl StandIn for Interpreter {
    fn run(&self, phase: &Phase) -> Given<()> {
        if let (Some(turn), Some(player)) = (&self.turn, phase.player()) {
            return self.turn(turn, player);
        }
        if &*phase.name == DEFERRED {
            let (player, chosen, next) = self.played.deferred(phase)?;
            return self.call(&next, 0, vec![Dynamic::from(player), chosen]).map(drop);
        }
        if let Some(dealing) = Dealing::of(phase) {
            return self.deal(&dealing);
        }
        self.call(&phase.name, 0, self.played.arguments(phase)?).map(drop)
    }
}

impl Interpreter {
    fn call(&self, name: &str, level: usize, mut args: Vec<Dynamic>) -> Given {
        self.running.borrow_mut().call(&self.engine, level, name, &mut args)
    }

    /// Runs the built-in turn, as its script would.
    fn turn(&self, turn: &TurnPlaces, player: PlayerId) -> Given<()> {
        let me = Dynamic::from(player);
        let list = || self.call("moves", LEVEL, vec![me.clone()]);
        let options = self.played.listed(player, list).map_err(at(turn.moves))?;
        if !Played::any(&options).map_err(at(turn.moves))? {
            let Some(place) = turn.stuck else {
                return self.played.no_move(player).map_err(at(turn.choose));
            };
            return self.call("stuck", LEVEL, vec![me]).map(drop).map_err(at(place));
        }
        let made = self.played.choose(turn.choose, player, "move", &options).map_err(at(turn.choose))?;
        let _nothing = self.call("apply", LEVEL, vec![me.clone(), made]).map_err(at(turn.apply))?;
        self.call("ended", LEVEL, vec![me]).map(drop).map_err(at(turn.ended))
    }

    /// Carries out a line `shuffle` or `deal`.
    fn deal(&self, dealing: &Dealing) -> Given<()> {
        let rest = self.played.deal(dealing)?;
        let global = self.engine.new_global_runtime_state();
        let context = NativeCallContext::from((&self.engine, "", None, &global, Position::NONE));
        match rest {
            None => Ok(()),
            Some(DealingFunction::EachZone(number, from, to)) => natives::deal(&context, number, from, &to),
            Some(DealingFunction::FaceUp(number, from)) => natives::deal_face_up(&context, number, from),
        }
    }
}

/// Lets closures find the components of the game. Rhai captures the names of components like variables, but looks only for
/// variables when it makes the closure.
fn find_components(engine: &mut Engine, components: Shared<Module>) {
    #[expect(
        deprecated,
        reason = "Rhai marks the hook as volatile, not as deprecated; the version is pinned by the lock file"
    )]
    engine.on_var(move |name, _, _| Ok(components.get_var(name)));
}

/// Returns a function that sets this place for errors without one.
fn at(place: RulesPlace) -> impl Fn(Box<EvalAltResult>) -> Box<EvalAltResult> {
    let position = match (u16::try_from(place.line), u16::try_from(place.column)) {
        (Ok(line), Ok(column)) if line > 0 => Position::new(line, column),
        _ => Position::NONE,
    };
    move |mut error| {
        if error.position().is_none() {
            error.set_position(position);
        }
        error
    }
}
