//! Whole games played by compiled rules.

use std::rc::Rc;
use std::sync::Arc;

use rhai::{ImmutableString, Position};

use super::for_table::ForTable;
use super::hooks::position;
use super::{End, Playing, Program, build};
use crate::compile::Materials;
use crate::host::{Keep, Nobody, Session};
use crate::natives::{self, Named};
use crate::script::{Call, Declared, Function, Local, Name, Node, Target, What};
use crate::values::{Arena, Kind, Sort, Val};
use crate::vm::{Bytecode, Machine, Memory, Overloads};
use crate::wasm::{self, Engine, Fixed, GaveUp, Parts, Running, Sources};
use referee_table::{Phase, State};

impl Program {
    /// Compiles the rules for the games of a state's table, to be run by an engine. Returns `false` if they cannot be
    /// compiled: the machine plays all games then.
    #[must_use]
    pub fn compile(&self, engine: Engine, state: &State) -> bool {
        let mut compiled = self.compiled.borrow_mut();
        let is_known = |known: &ForTable| known.engine == engine && self.is_for(known, state);
        if compiled.as_ref().is_some_and(is_known) {
            return true;
        }
        *compiled = self.compiled_for(engine, state);
        compiled.is_some()
    }

    /// Returns whether [`Program::compile`] has compiled the rules for games of a state's table.
    #[must_use]
    pub fn is_compiled_for(&self, state: &State) -> bool {
        self.compiled.borrow().as_ref().is_some_and(|known| self.is_for(known, state))
    }

    fn is_for(&self, known: &ForTable, state: &State) -> bool {
        Arc::ptr_eq(&known.table, &state.table) && known.begins_turns == self.has_plain_turns(state)
    }

    /// Returns whether turns follow each other in the order of play, or as `next_turn` says. Only such turns begin without the host.
    pub(super) fn has_plain_turns(&self, state: &State) -> bool {
        state.table.turns.is_plain() && self.turns.is_plain() && state.turns.is_plain()
    }

    /// Returns what the host of compiled rules has done for them, in operations of the machine. Only differences between two
    /// calls are meaningful.
    #[must_use]
    pub fn spent_by_host(&self) -> u64 {
        self.compiled.borrow_mut().as_mut().map_or(0, |known| known.running.host().spent)
    }

    /// Forgets the compiled rules: the machine plays all games.
    pub fn forget_compiled(&self) {
        self.compiled.replace(None);
    }

    /// Returns the names of the functions that were not compiled, which the machine runs instead, with the reasons.
    #[must_use]
    pub fn uncompiled(&self) -> Vec<(String, &'static str)> {
        self.compiled.borrow().as_ref().map(|known| known.refused.clone()).unwrap_or_default()
    }

    fn compiled_for(&self, engine: Engine, state: &State) -> Option<ForTable> {
        self.compiled_with(engine, state, None)
    }

    /// Compiles the rules for the games of a state's table. With `steps`, phases are to run one at a time, too, and an expression
    /// may be evaluated in positions.
    pub(super) fn compiled_with(
        &self,
        engine: Engine,
        state: &State,
        steps: Option<Option<&Function>>,
    ) -> Option<ForTable> {
        // Compiled rules know only options that are listed.
        if self.opens {
            return None;
        }
        let begins_turns = self.has_plain_turns(state);
        // They note nothing for a profile.
        if self.code.borrow().profile.is_some() || state.board().size() > LARGEST_BOARD {
            return None;
        }
        let components = natives::components(&self.schema);
        // One phase at a time, nothing is counted.
        let (script, points) = if steps.is_some() { (&self.script, None) } else { self.running() };
        let turn = self.turn.as_ref().and_then(|_| script.function(wasm::TURN, 1)).and_then(|function| {
            let at = position(self.turn.as_ref()?.choose);
            listed_turn(function, at)
        });
        let rest = turn.as_ref().filter(|_| steps.is_some()).and_then(rest_of_listed);
        let (layers, schema) = (&self.layers, &*self.schema);
        let evaluate = |name: &ImmutableString, args: &[Fixed]| self.evaluated(name, args, state.board().size());
        let compute = |name: &str, args: &[Fixed]| self.computed(name, args, state.board().size());
        let components = &components;
        let pauses = |(name, count): (&str, usize), at| {
            let function = self.of_machine(name, count)?;
            self.code.borrow().function(function).ok()?.pausing(function, at)
        };
        let with_receivers = wasm::with_receivers(script);
        let callers = wasm::callers(script, layers, schema);
        let sources = Sources {
            with_receivers: &with_receivers,
            callers: &callers,
            within: engine.is_of_page(),
            script,
            points: points.unwrap_or_default(),
            layers,
            schema,
            components,
            state,
            steps: steps.is_some(),
            begins_turns,
            expression: steps.flatten(),
            rest: rest.as_ref(),
            pauses: &pauses,
            evaluate: &evaluate,
            compute: &compute,
        };
        let session = Session::new(state.clone(), Box::new(Nobody), Keep::default());
        let (mut compiled, _) = self.link.during(session, || wasm::compile(sources, turn.as_ref()));
        // What was computed is nothing that a game has done.
        self.link.meter.asked();
        let refused = std::mem::take(&mut compiled.refused);
        let set_up = std::mem::take(&mut compiled.set_up);
        let (phases, reads_history, lists_only) = (compiled.phases.take(), compiled.reads_history, compiled.lists_only);
        let built = build(&self.link, &self.schema);
        let mut arena = Arena::default();
        let more = compiled.functions();
        let texts = &self.layers.texts;
        let materials = Materials { layers, script, components, schema, texts, points, profile: None, more: &more };
        let code = Bytecode::compile(materials, built.natives, &mut arena).ok()?;
        let parts = Parts { engine: built.engine, code, arena, link: self.link.clone(), schema: &self.schema };
        let (module, host) = compiled.host(parts);
        let running = Running::new(engine, module, host)?;
        let (table, functions) = (Arc::clone(&state.table), Vec::new());
        let identity = Rc::default();
        Some(ForTable {
            table,
            identity,
            engine,
            begins_turns,
            running,
            set_up,
            phases,
            reads_history,
            lists_only,
            refused,
            functions,
        })
    }

    /// Returns what a native function returns in the session; `None` if that is an error, or no simple value. `cells` is the
    /// number of cells of the board.
    fn evaluated(&self, name: &ImmutableString, args: &[Fixed], cells: usize) -> Option<Fixed> {
        let code = self.code.borrow();
        let mut memory = Memory::default();
        let mut values: Vec<Val> = args.iter().map(|arg| arg.value(memory.arena_mut(), cells)).collect();
        let natives = Overloads::new(code.natives(name, args.len()), natives::library_function(name, args.len()));
        let (engine, global, link, code) = (&self.engine, &self.idle, &self.link, &*code);
        let mut machine = Machine { engine, global, link, code, memory: &mut memory };
        let value = machine.native(&natives, name, Position::NONE, &mut values).ok()?;
        Fixed::of_value(value, &memory.arena)
    }

    /// The same for a function of the rules, with the operations that this took.
    fn computed(&self, name: &str, args: &[Fixed], cells: usize) -> Option<(Fixed, u64)> {
        let before = self.link.meter.operations();
        if before > MOST_COMPUTED {
            return None;
        }
        let function = self.code.borrow().place(name, args.len())?;
        let mut result = None;
        let run = |machine: &mut Machine<'_>| {
            let values: Vec<Val> = args.iter().map(|arg| arg.value(machine.memory.arena_mut(), cells)).collect();
            let value = machine.run(function, 0, Position::NONE, &values)?;
            result = Fixed::of_value(value, &machine.memory.arena);
            Ok(())
        };
        // What is an error here is one for those who call it, too.
        self.with_machine(run).ok()?;
        result.map(|result| (result, self.link.meter.operations().saturating_sub(before)))
    }

    /// Plays a phase and those that follow, like [`Program::play`], by the rules that were compiled last. Nothing is kept.
    /// Returns `None` if they are given up: the game is to be played again from its beginning.
    #[must_use]
    pub fn play_compiled(&self, playing: Playing, mut phase: Phase) -> Option<(Playing, End)> {
        let mut compiled = self.compiled.borrow_mut();
        let rules = compiled.as_mut()?;
        let Playing(mut session) = playing;
        let Some(function) = rules.first(&mut phase, &mut session.state) else {
            drop(compiled);
            let (playing, end, _) = self.play(Playing(session), phase);
            return Some((playing, end));
        };
        let restarts = session.silent == 0;
        self.begin_phase(&mut session, restarts);
        rules.running.host().forget_state();
        let (ran, session) = self.link.during(session, || self.run_compiled(rules, function, &mut phase));
        if ran.is_err() || self.link.meter.excess().is_some() {
            return None;
        }
        let (session, end, _) = self.ended((Ok(()), session), &phase);
        match end {
            End::Returned | End::Over => Some((Playing(session), end)),
            _ => None,
        }
    }

    /// Runs a phase by a function, and then those that follow. `phase` is the last one that began.
    fn run_compiled(&self, rules: &mut ForTable, mut function: usize, phase: &mut Phase) -> Result<(), GaveUp> {
        loop {
            rules.running.run(function, &phase.args)?;
            if self.link.is_over() {
                return Ok(());
            }
            let next = self.link.with(|session| self.next_phase(session, phase)).map_err(|_| GaveUp)?;
            if next.is_none() {
                return Ok(());
            }
            function = rules.function(phase).ok_or(GaveUp)?;
        }
    }
}

/// How many operations functions of the rules may take that are called while rules are compiled.
const MOST_COMPUTED: u64 = 200_000;

/// The number of cells up to which rules are compiled for a board: tables have its steps.
const LARGEST_BOARD: usize = 10_000;

/// Returns the built-in turn with the moves that the state remembers, as the prelude has it. `at` is the place of the choice.
fn listed_turn(function: &Function, at: Position) -> Option<Function> {
    let found = |name: &str| {
        let mut found = None;
        function.body.walk(&mut |node| {
            if node.call().is_some_and(|call| call.name == name) {
                found = found.take().or(Some(node));
            }
        });
        found.cloned()
    };
    let (choose, moves, apply, ended) = (found("choose")?, found("moves")?, found("apply")?, found("ended")?);
    let mut locals = function.locals.clone();
    let mut local = |name: &str| {
        let name = ImmutableString::from(name);
        locals.push(Local { name, at, how: Declared::Let, captured: false, kind: Kind::ANY, from: None });
        locals.len() - 1
    };
    let (known, options) = (local("known$"), local("options$"));
    let node = |what, kind| Node { what, at, kind };
    let of = |local| node(What::Name(Name::Local(local)), Kind::ANY);
    let me = || node(What::Name(Name::Local(0)), Kind::PLAYER);
    let call = |name: &str, args, kind| {
        let natives = Named::of(name);
        let (target, name) = (Target::Native, ImmutableString::from(name));
        let call = Call { name, args, method: false, maybe: false, target, with_scope: false, natives };
        node(What::Call(call), kind)
    };
    let declare = |local, value| node(What::Let { local, value: Box::new(value) }, Kind::NOTHING);
    let remembered = call("_vm_remembered", vec![me()], Kind::ANY);
    let nothing = node(What::Nothing, Kind::NOTHING);
    let is_new = node(What::Operator("==".into(), vec![of(known), nothing]), Kind::TRUTH);
    let noted = call("_vm_noted", vec![me(), moves], Kind::ANY);
    let listed = node(What::If(Box::new([is_new, noted, of(known)])), Kind::ANY);
    let none = call("_vm_none", vec![of(options)], Kind::TRUTH);
    let stuck = match found("stuck") {
        Some(stuck) => node(What::Return(Some(Box::new(stuck))), Kind::NEVER),
        None => call(wasm::NO_MOVE, vec![me()], Kind::NOTHING),
    };
    let empty = node(What::Block(Vec::new()), Kind::NOTHING);
    let ends = node(What::If(Box::new([none, stuck, empty])), Kind::NOTHING);
    let mut chosen = choose;
    let What::Call(choice) = &mut chosen.what else { return None };
    *choice.args.last_mut()? = of(options);
    let mut applied = apply;
    let What::Call(application) = &mut applied.what else { return None };
    *application.args.last_mut()? = chosen;
    let body = vec![declare(known, remembered), declare(options, listed), ends, applied, ended];
    Some(Function { locals, body: node(What::Block(body), function.body.kind.clone()), ..function.clone() })
}

/// Returns the rest of a [listed turn](listed_turn), from its choice on, as a function of the player and the moves.
fn rest_of_listed(turn: &Function) -> Option<Function> {
    let What::Block(statements) = &turn.body.what else { return None };
    let [.., applied, ended] = statements.as_slice() else { return None };
    let mut applied = applied.clone();
    let What::Call(application) = &mut applied.what else { return None };
    let What::Call(choice) = &mut application.args.last_mut()?.what else { return None };
    let (given, moves) = (choice.args.last_mut()?, Kind::of(Sort::Moves));
    // The parameter after that of the player.
    *given = Node { what: What::Name(Name::Local(turn.parameters)), at: given.at, kind: moves.clone() };
    let mut locals = turn.locals.clone();
    let options = Local { kind: moves, ..locals.pop()? };
    locals.truncate(turn.parameters);
    locals.push(options);
    let body = Node { what: What::Block(vec![applied, ended.clone()]), ..turn.body.clone() };
    Some(Function { name: wasm::REST.into(), parameters: turn.parameters + 1, locals, body, ..turn.clone() })
}
