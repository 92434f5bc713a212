//! Rules are compiled to play one phase at a time.

use std::sync::Arc;

use rhai::ImmutableString;

use super::Program;
use super::expressions::Expression;
use super::one_by_one::Steps;
use crate::script::Function;
use crate::values::Kind;
use crate::wasm::{self, Counts, Engine, Phases, Stepper};
use referee_table::State;

impl Program {
    /// Returns the rules compiled as [`Program::steps`] does, without an expression: those that were kept, if they are for the same
    /// games.
    #[must_use]
    pub fn steps_again(&self, engine: Engine, state: &State) -> Option<Steps> {
        let kept = self.steps.borrow_mut().take_if(|kept| is_for(kept, engine, state));
        kept.map(|(_, steps)| steps).or_else(|| self.steps(engine, state, None))
    }

    /// Returns whether rules were kept that are compiled for the games of a state's table.
    #[must_use]
    pub fn keeps_steps(&self, engine: Engine, state: &State) -> bool {
        self.steps.borrow().as_ref().is_some_and(|kept| is_for(kept, engine, state))
    }

    /// Keeps compiled rules for the next time.
    pub fn keep_steps(&self, engine: Engine, steps: Steps) {
        self.steps.replace(Some((engine, steps)));
    }

    /// Returns the rules compiled for the games of a state's table, to be followed one phase at a time by an engine, with
    /// an expression that is evaluated in positions, if there is one. Returns `None` if positions of the game are more than bytes,
    /// or if the rules are not compiled as a whole.
    #[must_use]
    pub fn steps(&self, engine: Engine, state: &State, expression: Option<Expression<'_>>) -> Option<Steps> {
        // A phase runs again for each of its answers: nothing of that is to be counted.
        if self.running().1.is_some() { None } else { self.steps_of(engine, state, expression) }
    }

    /// Returns the same with an expression, where runs may be counted: what these rules run is not.
    #[must_use]
    pub fn steps_beside(&self, engine: Engine, state: &State, expression: Expression<'_>) -> Option<Steps> {
        // Functions that are called while rules are compiled are those that count.
        self.uncounted(|| self.steps_of(engine, state, Some(expression)))
    }

    fn steps_of(&self, engine: Engine, state: &State, expression: Option<Expression<'_>>) -> Option<Steps> {
        let schema = state.schema();
        let are_bytes = schema.zones.is_empty()
            && !schema.has_secrets()
            && !state.board().has_stacks()
            && !schema.properties.iter().any(referee_table::Property::is_record);
        // Nor is the order of turns a part of them.
        if !are_bytes || !self.has_plain_turns(state) {
            return None;
        }
        let expression = match expression {
            Some(expression) => Some(self.of_expression(expression)?),
            None => None,
        };
        let mut compiled = self.compiled_with(engine, state, Some(expression.as_ref()))?;
        // A condition that is left to the machine is judged there as quickly.
        let of_player = expression.as_ref().is_some_and(|function| function.parameters > 0);
        if !of_player && compiled.refused.iter().any(|(name, _)| name == wasm::EXPRESSION) {
            return None;
        }
        let (names, room) = compiled.phases.take()?;
        if compiled.reads_history {
            return None;
        }
        let mut names: Vec<(Arc<str>, usize)> = names.into_iter().map(|(name, count)| (name.into(), count)).collect();
        let turn = names.iter().position(|(name, count)| (&**name, *count) == (wasm::TURN, 1));
        let turn = turn.unwrap_or(names.len());
        if turn == names.len() {
            names.push((wasm::TURN.into(), 1));
        }
        let running = &mut compiled.running;
        let function = |(name, count): &(Arc<str>, usize)| running.function(&wasm::step_name(name, *count));
        let functions = names.iter().map(function).collect();
        let whole = |(name, count): &(Arc<str>, usize)| running.function(&wasm::exported_name(name, *count));
        let whole = names.iter().map(whole).collect();
        let of_machine = names.iter().map(|(name, count)| self.of_machine(name, *count)).collect();
        let phases = Phases { turn, names, functions, whole, of_machine, room };
        let expression = expression.as_ref().and_then(|_| compiled.running.function(wasm::EXPRESSION));
        let rest = compiled.running.function(wasm::REST);
        let counting = (2..).map_while(|depth| compiled.running.function(&wasm::counting_name(depth))).collect();
        let lists_only = compiled.lists_only;
        let mut first = state.clone();
        first.forget_history();
        compiled.running.host().begin_stepping(first.clone());
        let stepper = Stepper {
            running: compiled.running,
            phases,
            expression,
            rest,
            counting,
            lists_only,
            table: Arc::clone(&state.table),
            part: state.part_in_bytes().len(),
            packed: wasm::Packed::default(),
        };
        let share = first.weight() / 8 + 1;
        Some(Steps {
            stepper,
            first,
            spent: 0,
            share,
            runs: 0,
            judging: 0,
            for_conditions: 0,
            counts: Counts::default(),
            uncounted: 0,
        })
    }

    /// Returns the number of the function of the machine with this name and number of parameters; `None` for the built-in turn,
    /// which is one of the prelude.
    pub(super) fn of_machine(&self, name: &str, count: usize) -> Option<u32> {
        let is_own = (name, count) != (wasm::TURN, 1) || self.turn.is_none();
        self.code.borrow().place(name, count).filter(|_| is_own).and_then(|function| u32::try_from(function).ok())
    }

    /// Returns a function for an expression, of the player `me` if it is about one.
    fn of_expression(&self, expression: Expression<'_>) -> Option<Function> {
        let Expression { source, span, of_player } = expression;
        let names = of_player.then(|| (ImmutableString::from("me"), Kind::PLAYER));
        let texts = self.expression_texts(source, span);
        let mut function = self.read_expression(source, span, &texts, names.as_slice()).ok()?;
        function.name = wasm::EXPRESSION.into();
        Some(function)
    }
}

/// Returns whether compiled rules are run by an engine, for the games of a state's table.
fn is_for((known, steps): &(Engine, Steps), engine: Engine, state: &State) -> bool {
    *known == engine && steps.stepper.table == state.table
}
