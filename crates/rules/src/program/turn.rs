//! The built-in turn (the rules list the moves, one is made, the end is tested), and calls of the script's functions.

use std::borrow::Cow;
use std::cell::RefCell;
use std::sync::Arc;

use rhai::{Dynamic, Position};

use super::hooks::{LEVEL, position};
use super::{Program, Run};
use crate::host::{Keep, Nobody, Session};
use crate::values::{Mark, Moves, Native, Val, failure};
use crate::vm::{Bytecode, Machine, Memory};
use crate::{host, vm};
use referee_table::{Move, Phase, PlayerId, State};
use referee_trace::RulesPlace;

impl Program {
    /// Returns the player if a phase is their built-in turn.
    #[must_use]
    pub fn lists(&self, phase: &Phase) -> Option<PlayerId> {
        phase.player().filter(|_| self.turn.is_some())
    }

    /// Lists a player's moves, which the state remembers.
    fn list(&self, player: PlayerId) -> Native<()> {
        self.run_prelude("_vm_list", LEVEL, RulesPlace::default(), vec![Dynamic::from(player)])
    }

    /// Calls a function of the script at this call depth.
    pub(crate) fn call_script(&self, name: &str, level: usize, args: Vec<Dynamic>) -> Native<Dynamic> {
        let function = self.code.borrow().place(name, args.len());
        let function = function.ok_or_else(|| failure(format!("unknown function `{name}`")))?;
        self.with_machine(|machine| {
            let values = machine.values(args);
            let value = machine.run(function, level, Position::NONE, &values)?;
            machine.memory.arena_mut().to_dynamic(value)
        })
    }

    /// Calls a function of the prelude at this call depth, as if from a place in the rules.
    pub(crate) fn run_prelude(&self, name: &str, level: usize, place: RulesPlace, args: Vec<Dynamic>) -> Native<()> {
        let function = self.code.borrow().prelude(name, args.len());
        let function =
            function.ok_or_else(|| failure(format!("internal error: the prelude has no function `{name}`")))?;
        let run = |machine: &mut Machine<'_>| {
            let values = machine.values(args);
            machine.run(function, level, position(place), &values)
        };
        self.with_machine(run).map(drop)
    }

    /// Clears registers left from earlier runs, so that equal states lead to pauses with equal keys.
    pub fn clear_registers(&self) {
        self.memory.borrow_mut().clear_registers();
    }

    /// Resumes a paused function.
    pub(crate) fn resume_phase(&self, paused: &vm::PausedMachine) -> Native<()> {
        self.with_machine(|machine| machine.resume(paused)).map(drop)
    }

    /// Runs `work` with a machine. Its values are dropped when it returns, and kept when it pauses.
    pub(super) fn with_machine<T>(&self, work: impl FnOnce(&mut Machine<'_>) -> Native<T>) -> Native<T> {
        self.in_memory(&self.memory, Bytecode::constants, work)
    }

    /// Runs an expression from outside the rules. It shares no memory with a paused phase.
    pub(crate) fn run_expression(&self, function: usize, args: Vec<Dynamic>) -> Native<Dynamic> {
        let given = self.in_memory(&self.expressions.memory, Bytecode::all_constants, |machine| {
            let values = machine.values(args);
            let value = machine.run(function, 0, Position::NONE, &values)?;
            machine.memory.arena_mut().to_dynamic(value)
        });
        self.expressions.memory.borrow_mut().empty(self.code.borrow().all_constants());
        given
    }

    /// Runs `work` with a machine and a memory whose constants end at a mark.
    fn in_memory<T>(
        &self,
        memory: &RefCell<Memory>,
        mark: impl Fn(&Bytecode) -> &Mark,
        work: impl FnOnce(&mut Machine<'_>) -> Native<T>,
    ) -> Native<T> {
        let Ok(mut memory) = memory.try_borrow_mut() else {
            return Err(failure("internal error: the rules run while they run"));
        };
        let code = self.code.borrow();
        let mark = mark(&code);
        // A paused function that was not resumed may have left values.
        memory.empty(mark);
        let (engine, global, link) = (&self.engine, &self.idle, &self.link);
        memory.arena.work().take();
        let given = work(&mut Machine { engine, global, link, code: &code, memory: &mut memory });
        link.meter.work(memory.arena.work().take());
        if given.is_ok() || !link.is_paused() {
            memory.empty(mark);
        }
        given
    }

    /// Runs a player's built-in turn in which a listed move is chosen, from the state that [`Self::moves`] has returned, as
    /// [`Program::run`] does with this answer, but without listing and choosing again. Call [`Program::begin`] before it.
    ///
    /// If the rules ask anything more, a pause is not that of the whole turn: run it with [`Program::run`] instead.
    #[must_use]
    pub fn run_made(&self, state: State, phase: &Phase, moves: &[Move], chosen: usize) -> Run {
        let mut session = Session::new(state, Box::new(Nobody), Keep::default());
        session.begin();
        self.link.meter.work(session.state.weight() / 4);
        let ran = self.link.during(session, || self.made(phase, moves, chosen));
        let (session, end, paused) = self.ended(ran, phase);
        Run::of(*session, end, paused)
    }

    fn made(&self, phase: &Phase, moves: &[Move], chosen: usize) -> Native<()> {
        let (Some(turn), Some(player), Some(made)) = (&self.turn, self.lists(phase), moves.get(chosen)) else {
            return Err(failure("internal error: no listed move"));
        };
        host::count_move(&self.link, moves.len())?;
        let function = self.code.borrow().prelude("_vm_made", 2);
        let function = function.ok_or_else(|| failure("internal error: the prelude cannot make a move"))?;
        let run = |machine: &mut Machine<'_>| {
            let made = machine.memory.arena_mut().single(made.clone());
            machine.run(function, LEVEL, position(turn.choose), &[Val::Player(player), made])
        };
        self.with_machine(run).map(drop)
    }

    /// Returns the moves that the rules list for a player, in the order in which they are offered, and the state, which
    /// remembers them. Returns `None` if the rules list other values than moves, or do more than list them,
    /// and if the ask `move` takes no move.
    #[must_use]
    pub fn moves(&self, mut state: State, player: PlayerId) -> (State, Option<Arc<Vec<Move>>>) {
        if state.listed(self.link.program, player).is_none() {
            let session = Session::new(state, Box::new(Nobody), Keep::default());
            let (_, session) = self.link.during(session, || self.list(player));
            state = session.state;
        }
        let moves = self.known_moves(&state, player);
        (state, moves)
    }

    /// Returns the moves of a player that a state remembers, as [`Self::moves`] does.
    #[must_use]
    pub fn known_moves(&self, state: &State, player: PlayerId) -> Option<Arc<Vec<Move>>> {
        self.turn.as_ref().filter(|turn| turn.takes_moves)?;
        let moves = state.listed(self.link.program, player)?;
        Some(match Moves::shared(Arc::clone(moves)).distinct() {
            Cow::Borrowed(_) => Arc::clone(moves),
            Cow::Owned(distinct) => Arc::new(distinct),
        })
    }
}
