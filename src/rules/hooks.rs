//! The hooks `moves`, `apply` and `ended`, called by natives: the built-in turn without the script that stands for it, and
//! what the moves of a position are, found out once.

use std::sync::Arc;

use rhai::{
    Array, Caches, Dynamic, Engine, EvalAltResult, EvalContext, FnArgsVec, GlobalRuntimeState, NativeCallContext, Scope,
};
use rhai::{Module, Position, Shared};

use super::api::{self, Moves};
use super::code::{self, Code, Held, Runner};
use super::layers::BuiltIn;
use super::program::Program;
use super::session::{Keep, Link, Native, Nobody, Session, failure};
use crate::table::{Move, Phase, PlayerId, State, Value};
use crate::trace::RulesPlace;

/// What the engine keeps between calls.
pub(crate) struct Warm {
    global: GlobalRuntimeState,
    caches: Caches,
}

impl Warm {
    pub(super) fn new(engine: &Engine, library: &Shared<Module>) -> Self {
        let mut global = engine.new_global_runtime_state();
        global.lib.push(Shared::clone(library));
        Self { global, caches: Caches::new() }
    }

    /// Call a function from so deep in calls. If its first value is lent it may be changed, else all may be taken away.
    pub(super) fn call(
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

/// A function that the built-in turn calls.
#[derive(Clone, Copy)]
enum Hook {
    Moves,
    Apply,
    Ended,
    Stuck,
}

impl Hook {
    const fn name(self) -> &'static str {
        match self {
            Self::Moves => "moves",
            Self::Apply => "apply",
            Self::Ended => "ended",
            Self::Stuck => "stuck",
        }
    }

    const fn place(self, code: &Code) -> Option<usize> {
        match self {
            Self::Moves => code.moves,
            Self::Apply => code.apply,
            Self::Ended => code.ended,
            Self::Stuck => code.stuck,
        }
    }
}

/// Where the built-in turn calls its hooks.
pub(super) struct Turn {
    choose: RulesPlace,
    moves: RulesPlace,
    apply: RulesPlace,
    ended: RulesPlace,
    /// If the rules say what becomes of a player without a move.
    stuck: Option<RulesPlace>,
}

impl Turn {
    pub(super) fn of(built_in: BuiltIn) -> Self {
        let place = |function| built_in.call(function).unwrap_or_default();
        Self {
            choose: place("choose"),
            moves: place("moves"),
            apply: place("apply"),
            ended: place("ended"),
            stuck: built_in.call("stuck"),
        }
    }
}

/// What the function `moves` of the rules gives for a player, by `call`; from the position's memory if it was found out
/// before. It is remembered if it is moves and if nothing happened while they were listed.
fn listed(
    link: &Link,
    player: PlayerId,
    call: impl FnOnce() -> Result<Held, Box<EvalAltResult>>,
) -> Result<Held, Box<EvalAltResult>> {
    let program = link.program;
    let known = link.with(|session| {
        let known = session.state.listed(program, player).map(Arc::clone);
        Ok(known.ok_or_else(|| session.marks()))
    })?;
    let before = match known {
        Ok(moves) => return Ok(Held::Moves(Moves::shared(moves))),
        Err(before) => before,
    };
    let options = match call()? {
        Held::Other(list) => {
            let moves = list.read_lock::<Array>().and_then(|list| Moves::listed(&list));
            moves.map_or(Held::Other(list), Held::Moves)
        }
        options => options,
    };
    if let Held::Moves(moves) = &options {
        link.with(|session| {
            api::unambiguous(&session.state, moves.all().iter())?;
            if session.marks() == before {
                session.state.note_listed(program, player, Arc::clone(moves.all()));
            }
            Ok(())
        })?;
    }
    Ok(options)
}

/// Whether the rules list a move for a player.
pub(crate) fn can_move(link: &Link, ctx: &NativeCallContext<'_>, player: PlayerId) -> Native<bool> {
    any_move(link, player, || {
        let Ok(mut spare) = link.spare.try_borrow_mut() else {
            return Err(failure("`moves` asks whether somebody can move, which asks `moves`"));
        };
        let Some(spare) = spare.as_mut() else { return Err(failure("this works only while a game is played")) };
        spare.call(ctx.engine(), ctx.call_level(), "moves", false, &mut [Dynamic::from(player)]).map(Held::from)
    })
}

/// Whether `call`, of the function `moves` for this player, gives any move.
pub(super) fn any_move(
    link: &Link,
    player: PlayerId,
    call: impl FnOnce() -> Result<Held, Box<EvalAltResult>>,
) -> Native<bool> {
    any(&listed(link, player, call)?)
}

fn any(options: &Held) -> Native<bool> {
    match options {
        Held::Moves(moves) => Ok(!moves.all().is_empty()),
        options => api::any(options),
    }
}

impl Program {
    /// The player whose turn of the built-in form a phase is: list the moves, make one, test for the end.
    #[must_use]
    pub fn lists(&self, phase: &Phase) -> Option<PlayerId> {
        match phase.args.as_slice() {
            [Value::Player(player)] if self.turn.is_some() && &*phase.name == "turn" => Some(*player),
            _ => None,
        }
    }

    /// What the built-in turn does, as its script would.
    pub(super) fn turn(&self, turn: &Turn, player: PlayerId) -> Result<Dynamic, Box<EvalAltResult>> {
        let options = self.list(player).map_err(at(turn.moves))?;
        if !any(&options).map_err(at(turn.moves))? {
            let Some(place) = turn.stuck else {
                let who = self.schema.player_name(player);
                let lost =
                    "and the rules do not say what becomes of a player without a move: write `fn stuck(me) { … }`";
                return Err(failure(format!("{who} has no move, {lost}"))).map_err(at(turn.choose));
            };
            return self.call_hook(Hook::Stuck, [Held::Player(player)]).map(Held::into_dynamic).map_err(at(place));
        }
        let made = api::choose_of(&self.link, turn.choose, player, "move", &options).map_err(at(turn.choose))?;
        let _nothing = self.call_hook(Hook::Apply, [Held::Player(player), made]).map_err(at(turn.apply))?;
        self.call_hook(Hook::Ended, [Held::Player(player)]).map(Held::into_dynamic).map_err(at(turn.ended))
    }

    fn list(&self, player: PlayerId) -> Result<Held, Box<EvalAltResult>> {
        listed(&self.link, player, || self.call_hook(Hook::Moves, [Held::Player(player)]))
    }

    fn call_hook<const N: usize>(&self, hook: Hook, values: [Held; N]) -> Result<Held, Box<EvalAltResult>> {
        // One level for the turn itself.
        const LEVEL: usize = 1;
        let place = self.terse.get().then(|| self.code()).and_then(|code| hook.place(code));
        match place {
            Some(place) => self.run_code(place, LEVEL, values),
            None => self.interpret(hook.name(), LEVEL, false, &mut values.map(Held::into_dynamic)).map(Held::from),
        }
    }

    /// Call a function of the script, as code where the run may be terse.
    pub(super) fn call_script(
        &self,
        name: &str,
        level: usize,
        args: &mut [Dynamic],
    ) -> Result<Dynamic, Box<EvalAltResult>> {
        let place = self.terse.get().then(|| self.code()).and_then(|code| code.function(name, args.len()));
        match place {
            Some(place) => {
                let values = args.iter_mut().map(|value| Held::from(std::mem::take(value)));
                self.run_code(place, level, values).map(Held::into_dynamic)
            }
            None => self.interpret(name, level, false, args),
        }
    }

    pub(super) fn code(&self) -> &Code {
        self.code.get_or_init(|| {
            let components = api::components(&self.schema);
            code::compile(&self.layers, &self.natives, &components, &self.schema)
        })
    }

    fn interpret(
        &self,
        name: &str,
        level: usize,
        lent: bool,
        args: &mut [Dynamic],
    ) -> Result<Dynamic, Box<EvalAltResult>> {
        self.warm.borrow_mut().call(&self.engine, level, name, lent, args)
    }

    fn run_code(
        &self,
        place: usize,
        level: usize,
        values: impl IntoIterator<Item = Held>,
    ) -> Result<Held, Box<EvalAltResult>> {
        let table = self.link.with(|session| Ok(Arc::clone(&session.state.table)))?;
        let interpret =
            |name: &str, level: usize, lent: bool, args: &mut [Dynamic]| self.interpret(name, level, lent, args);
        let runner = Runner {
            engine: &self.engine,
            global: &self.idle,
            code: self.code(),
            link: &self.link,
            table,
            interpret: &interpret,
        };
        let mut stack = self.stack.take();
        stack.extend(values);
        let given = runner.call(place, level, &mut stack);
        stack.clear();
        self.stack.replace(stack);
        given
    }

    /// The moves that the rules list for a player, in the order in which they are offered; the state comes back and
    /// remembers them. Nothing where the rules list something else than moves, or do more than to list them.
    #[must_use]
    pub fn moves(&self, state: State, player: PlayerId) -> (State, Option<Arc<Vec<Move>>>) {
        let session = Session::new(state, Box::new(Nobody), Keep::default());
        self.terse.set(true);
        let (_, session) = self.link.during(session, || self.list(player));
        self.terse.set(false);
        let listed = session.state.listed(self.link.program, player);
        let moves = listed.map(|moves| match Moves::shared(Arc::clone(moves)).distinct() {
            std::borrow::Cow::Borrowed(_) => Arc::clone(moves),
            std::borrow::Cow::Owned(distinct) => Arc::new(distinct),
        });
        (session.state, moves)
    }
}

/// An error that has no place happened here.
fn at(place: RulesPlace) -> impl Fn(Box<EvalAltResult>) -> Box<EvalAltResult> {
    move |mut error| {
        let (line, column) = (u16::try_from(place.line), u16::try_from(place.column));
        if let (true, Ok(line), Ok(column)) = (error.position().is_none(), line, column) {
            error.set_position(Position::new(line, column));
        }
        error
    }
}
