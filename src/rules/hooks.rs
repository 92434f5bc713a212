//! The hooks `moves`, `apply` and `ended`, called by natives: the built-in turn without the script that stands for it, and
//! what the moves of a position are, found out once.

use std::cell::RefCell;
use std::sync::Arc;

use rhai::{
    Array, Caches, Dynamic, Engine, EvalAltResult, EvalContext, FnArgsVec, GlobalRuntimeState, NativeCallContext, Scope,
};
use rhai::{Module, Position, Shared};

use super::api::{self, Moves};
use super::layers::BuiltIn;
use super::program::Program;
use super::session::{Keep, Link, Native, Nobody, Session, failure};
use super::vm::{self, Machine, Mark, Memory, Val};
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

/// How deep in calls the functions are that the built-in turn calls: one level for the turn itself.
const LEVEL: usize = 1;

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

/// What has happened when the moves of a position began to be listed.
pub(crate) type Marks = (u64, u64, usize, Option<PlayerId>);

/// The moves of a player that are known of the position; else what has happened so far.
fn known(link: &Link, player: PlayerId) -> Native<Result<Arc<Vec<Move>>, Marks>> {
    let program = link.program;
    link.with(|session| {
        let known = session.state.listed(program, player).map(Arc::clone);
        Ok(known.ok_or_else(|| session.marks()))
    })
}

/// Moves that the rules listed. They are remembered with the position if nothing happened meanwhile.
fn noted(link: &Link, player: PlayerId, before: Marks, options: Dynamic) -> Native<Dynamic> {
    let listed = options.read_lock::<Array>().and_then(|list| Moves::listed(&list));
    let options = listed.map_or(options, Dynamic::from);
    if let Some(moves) = options.read_lock::<Moves>() {
        link.with(|session| {
            api::unambiguous(&session.state, moves.all().iter())?;
            if session.marks() == before {
                session.state.note_listed(link.program, player, Arc::clone(moves.all()));
            }
            Ok(())
        })?;
    }
    Ok(options)
}

/// What the function `moves` of the rules gives for a player, by `call`; from the position's memory if it was found out
/// before.
fn listed(link: &Link, player: PlayerId, call: impl FnOnce() -> Native<Dynamic>) -> Native<Dynamic> {
    match known(link, player)? {
        Ok(moves) => Ok(Dynamic::from(Moves::shared(moves))),
        Err(before) => noted(link, player, before, call()?),
    }
}

/// Whether a player can move, where that is known of the position. Else [`found_out`] follows.
pub(crate) fn is_known(link: &Link, player: PlayerId) -> Native<Dynamic> {
    Ok(match known(link, player)? {
        Ok(moves) => (!moves.is_empty()).into(),
        Err(before) => {
            link.with(|session| {
                if !session.asking.is_empty() {
                    return Err(failure("`moves` asks whether somebody can move, which asks `moves`"));
                }
                session.asking.push(before);
                Ok(())
            })?;
            Dynamic::UNIT
        }
    })
}

/// The moves of a player that are known of the position; else nothing, and [`listed_now`] follows.
pub(crate) fn remembered(link: &Link, player: PlayerId) -> Native<Dynamic> {
    Ok(match known(link, player)? {
        Ok(moves) => Dynamic::from(Moves::shared(moves)),
        Err(before) => {
            link.with(|session| {
                session.listing.push(before);
                Ok(())
            })?;
            Dynamic::UNIT
        }
    })
}

/// What the rules listed for a player, remembered with the position.
pub(crate) fn listed_now(link: &Link, player: PlayerId, options: Dynamic) -> Native<Dynamic> {
    let before = link.with(|session| Ok(session.listing.pop()))?;
    before.map_or_else(|| Err(failure("nobody asked for these moves")), |before| noted(link, player, before, options))
}

/// What becomes of a player without a move where the rules do not say it.
pub(crate) fn no_move(link: &Link, player: PlayerId) -> Native<()> {
    let who = link.with(|session| Ok(session.state.schema().player_name(player).to_owned()))?;
    let lost = "and the rules do not say what becomes of a player without a move: write `fn stuck(me) { … }`";
    Err(failure(format!("{who} has no move, {lost}")))
}

/// Whether a player for whom the rules listed this can move.
pub(crate) fn found_out(link: &Link, player: PlayerId, options: Dynamic) -> Native<bool> {
    match link.with(|session| Ok(session.asking.pop()))? {
        Some(before) => api::any(&noted(link, player, before, options)?),
        None => Err(failure("nobody asked whether a player can move")),
    }
}

/// Whether the rules list a move for a player, as the interpreter finds it out.
pub(crate) fn can_move(link: &Link, ctx: &NativeCallContext<'_>, player: PlayerId) -> Native<bool> {
    let options = listed(link, player, || {
        let Ok(mut spare) = link.spare.try_borrow_mut() else {
            return Err(failure("`moves` asks whether somebody can move, which asks `moves`"));
        };
        let Some(spare) = spare.as_mut() else { return Err(failure("this works only while a game is played")) };
        spare.call(ctx.engine(), ctx.call_level(), "moves", false, &mut [Dynamic::from(player)])
    })?;
    api::any(&options)
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
    pub(super) fn turn(&self, turn: &Turn, player: PlayerId) -> Native<Dynamic> {
        if !self.interpreted.get() {
            let name = if turn.stuck.is_some() { "_vm_turn_or_stuck" } else { "_vm_turn" };
            return self.run_prelude(name, LEVEL, turn.choose, vec![Dynamic::from(player)]);
        }
        let me = Dynamic::from(player);
        let options = self.list(player).map_err(at(turn.moves))?;
        if !api::any(&options).map_err(at(turn.moves))? {
            let Some(place) = turn.stuck else {
                return no_move(&self.link, player).map(|()| Dynamic::UNIT).map_err(at(turn.choose));
            };
            return self.call_script("stuck", LEVEL, vec![me]).map_err(at(place));
        }
        let made = api::choose_of(&self.link, turn.choose, player, "move", &options).map_err(at(turn.choose))?;
        let _nothing = self.call_script("apply", LEVEL, vec![me.clone(), made]).map_err(at(turn.apply))?;
        self.call_script("ended", LEVEL, vec![me]).map_err(at(turn.ended))
    }

    fn list(&self, player: PlayerId) -> Native<Dynamic> {
        if !self.interpreted.get() {
            return self.run_prelude("_vm_list", LEVEL, RulesPlace::default(), vec![Dynamic::from(player)]);
        }
        listed(&self.link, player, || self.call_script("moves", LEVEL, vec![Dynamic::from(player)]))
    }

    /// Call a function of the script, from so deep in calls.
    pub(super) fn call_script(&self, name: &str, level: usize, mut args: Vec<Dynamic>) -> Native<Dynamic> {
        if self.interpreted.get() {
            return self.warm.borrow_mut().call(&self.engine, level, name, false, &mut args);
        }
        let function = self.code.borrow().place(name, args.len());
        let function = function.ok_or_else(|| failure(format!("the rules have no function `{name}`")))?;
        self.run_code(function, level, Position::NONE, args)
    }

    /// Calls a function of the prelude from so deep in calls, as if it were called at a place of the rules.
    pub(super) fn run_prelude(
        &self,
        name: &str,
        level: usize,
        place: RulesPlace,
        args: Vec<Dynamic>,
    ) -> Native<Dynamic> {
        let function = self.code.borrow().prelude(name, args.len());
        let function = function.ok_or_else(|| failure(format!("there is no `{name}`")))?;
        self.run_code(function, level, position(place), args)
    }

    /// Runs a function by its number. Its values are forgotten when it returns, and kept when it pauses.
    fn run_code(&self, function: usize, level: usize, position: Position, args: Vec<Dynamic>) -> Native<Dynamic> {
        self.with_machine(&self.memory, self.code.borrow().constants(), |machine| {
            machine.run(function, level, position, args)
        })
    }

    /// Goes on with a function that has paused.
    pub(super) fn resume_code(&self, paused: &vm::Paused) -> Native<Dynamic> {
        self.with_machine(&self.memory, self.code.borrow().constants(), |machine| machine.resume(paused))
    }

    /// Runs an expression that stands outside of the rules. It shares no memory with a phase that has paused.
    pub(super) fn run_expression(&self, function: usize, args: Vec<Dynamic>) -> Native<Dynamic> {
        let given = self.with_machine(&self.beside, self.code.borrow().all_constants(), |machine| {
            machine.run(function, 0, Position::NONE, args)
        });
        self.beside.borrow_mut().empty(self.code.borrow().all_constants());
        given
    }

    /// Lets a machine work in a memory whose constants end at `mark`.
    fn with_machine(
        &self,
        memory: &RefCell<Memory>,
        mark: Mark,
        work: impl FnOnce(&mut Machine<'_>) -> Result<Val, Box<EvalAltResult>>,
    ) -> Native<Dynamic> {
        let mut own = memory.take();
        own.empty(mark);
        let code = self.code.borrow();
        let mut machine =
            Machine { engine: &self.engine, global: &self.idle, link: &self.link, code: &code, memory: &mut own };
        let given = work(&mut machine);
        let given = given.and_then(|value| own.arena_mut().to_dynamic(value));
        if !self.link.is_paused() {
            own.empty(mark);
        }
        memory.replace(own);
        given
    }

    /// The moves that the rules list for a player, in the order in which they are offered; the state comes back and
    /// remembers them. Nothing where the rules list something else than moves, or do more than to list them.
    #[must_use]
    pub fn moves(&self, state: State, player: PlayerId) -> (State, Option<Arc<Vec<Move>>>) {
        let session = Session::new(state, Box::new(Nobody), Keep::default());
        let (_, session) = self.link.during(session, || self.list(player));
        let listed = session.state.listed(self.link.program, player);
        let moves = listed.map(|moves| match Moves::shared(Arc::clone(moves)).distinct() {
            std::borrow::Cow::Borrowed(_) => Arc::clone(moves),
            std::borrow::Cow::Owned(distinct) => Arc::new(distinct),
        });
        (session.state, moves)
    }
}

/// A place of the rules, as the engine has it.
fn position(place: RulesPlace) -> Position {
    match (u16::try_from(place.line), u16::try_from(place.column)) {
        (Ok(line), Ok(column)) if line > 0 => Position::new(line, column),
        _ => Position::NONE,
    }
}

/// An error that has no place happened here.
fn at(place: RulesPlace) -> impl Fn(Box<EvalAltResult>) -> Box<EvalAltResult> {
    move |mut error| {
        if error.position().is_none() {
            error.set_position(position(place));
        }
        error
    }
}
