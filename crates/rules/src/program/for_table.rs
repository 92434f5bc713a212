//! Compiled rules with the engine that runs them.

use std::rc::Rc;
use std::sync::Arc;

use crate::wasm::{self, Engine, Running};
use referee_table::{Phase, State, Table};

/// The number of names of phases that are kept.
const MOST_NAMES: usize = 64;

/// Compiled rules for the games of one table.
pub(super) struct ForTable {
    pub(super) table: Arc<Table>,
    /// What tells these rules from those that were compiled before or later.
    pub(super) identity: Rc<()>,
    pub(super) engine: Engine,
    /// Whether the compiled rules begin the turns of the players themselves.
    pub(super) begins_turns: bool,
    pub(super) running: Running,
    /// The phases with which games begin, in their order, if one function runs them all.
    pub(super) set_up: Vec<Phase>,
    /// The phases that the rules run themselves, by their numbers, and where those are that a phase adds.
    pub(super) phases: Option<(Vec<(String, usize)>, u32)>,
    /// Whether a function looks at the positions before.
    pub(super) reads_history: bool,
    /// Whether the function that lists the moves of a built-in turn changes nothing.
    pub(super) lists_only: bool,
    /// The functions that the machine runs instead, with the reasons.
    pub(super) refused: Vec<(String, &'static str)>,
    /// The numbers of the functions that run phases, by their names and numbers of arguments.
    pub(super) functions: Vec<(Arc<str>, usize, Option<usize>)>,
}

impl ForTable {
    /// Returns the number of the function that runs a phase with which a session begins; `None` if compiled rules do not. If it is
    /// that of the whole set-up, all phases are taken off the agenda.
    pub(super) fn first(&mut self, phase: &mut Phase, state: &mut State) -> Option<usize> {
        // Compiled rules know no order that a shuffle is to give.
        if state.has_coming_orders() {
            return None;
        }
        let Some(set_up) = self.set_up(phase, &state.agenda) else { return self.function(phase) };
        state.agenda.clear();
        phase.args.clear();
        Some(set_up)
    }

    /// Returns the number of the function that runs a phase and all those of an agenda, if that is a set-up.
    fn set_up(&mut self, phase: &Phase, agenda: &[Phase]) -> Option<usize> {
        let (first, rest) = self.set_up.split_first()?;
        let is_same = first == phase && rest.len() == agenda.len() && rest.iter().eq(agenda.iter().rev());
        if is_same { self.running.function(wasm::SET_UP) } else { None }
    }

    /// Returns the number of the function that runs a phase; `None` if it is not compiled.
    pub(super) fn function(&mut self, phase: &Phase) -> Option<usize> {
        let count = phase.args.len();
        let known = self.functions.iter().find(|(name, args, _)| Arc::ptr_eq(name, &phase.name) && *args == count);
        if let Some((.., function)) = known {
            return *function;
        }
        let function = self.running.function(&wasm::exported_name(&phase.name, count));
        // Phases of one game share their names.
        if self.functions.len() < MOST_NAMES {
            self.functions.push((Arc::clone(&phase.name), count, function));
        }
        function
    }
}
