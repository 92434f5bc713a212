//! What may stand in for the machine. Tests compare the machine with Rhai's interpreter, which is in a crate of theirs.

use std::rc::Rc;
use std::sync::Arc;

use rhai::{Dynamic, Engine, EvalAltResult, Module, Shared};

use super::hooks::Turn;
use super::{Program, engine};
use crate::host::{self, Link};
use crate::natives;
use crate::natives::DealingFunction;
use crate::values::{Arena, Native, failure, kind_of};
use referee_table::{DEFERRED, Dealing, Phase, PlayerId};
use referee_trace::RulesPlace;

/// Carries out the phases of rules in place of the machine.
pub trait StandIn {
    /// Runs a phase, in the run that its program has begun.
    ///
    /// # Errors
    /// Returns the error that ended it, or that of the native function that stopped the run.
    fn run(&self, phase: &Phase) -> Result<(), Box<EvalAltResult>>;
}

/// What a stand-in for the machine gets of a program.
pub struct Workings {
    /// Rhai's engine as the program has it: it reads scripts and has Rhai's library.
    pub engine: Engine,
    /// All native functions but those that the prelude carries out.
    pub natives: Shared<Module>,
    /// The components of the game.
    pub components: Shared<Module>,
    /// The constants of the rules.
    pub constants: Shared<Module>,
    /// The functions of the rules.
    pub functions: Shared<Module>,
    /// The built-in turn, if the rules have no `turn`.
    pub turn: Option<TurnPlaces>,
    /// The game that is played.
    pub played: Played,
}

/// The places of the calls in the built-in turn.
#[derive(Clone, Copy, Debug)]
pub struct TurnPlaces {
    /// The place of `choose`.
    pub choose: RulesPlace,
    /// The place of `moves`.
    pub moves: RulesPlace,
    /// The place of `apply`.
    pub apply: RulesPlace,
    /// The place of `ended`.
    pub ended: RulesPlace,
    /// The place of `stuck`, if the rules have this function for a player without a move.
    pub stuck: Option<RulesPlace>,
}

/// The game that is played, for what no native function does.
#[derive(Clone)]
pub struct Played(Link);

impl Played {
    /// Counts an operation. Returns whether the run must stop.
    #[must_use]
    pub fn stops(&self) -> bool {
        self.0.meter.tick(0)
    }

    /// Returns the arguments of a phase as values of the script.
    ///
    /// # Errors
    /// Returns an error if nothing runs.
    pub fn arguments(&self, phase: &Phase) -> Native<Vec<Dynamic>> {
        let size = self.0.with(|session| Ok(session.state.board().size()))?;
        let mut arena = Arena::default();
        let mut value = |value| {
            let value = arena.of_argument(value, size);
            arena.to_dynamic(value)
        };
        phase.args.iter().map(&mut value).collect()
    }

    /// Returns the moves of a player: those that the position remembers, or what `list` returns, which calls the rules'
    /// `moves`.
    ///
    /// # Errors
    /// Returns the error of `list`, or one for moves that are written alike.
    pub fn listed(&self, player: PlayerId, list: impl FnOnce() -> Native<Dynamic>) -> Native<Dynamic> {
        host::listed_by(&self.0, player, list)
    }

    /// Returns whether there are options.
    ///
    /// # Errors
    /// Returns an error if these are no options.
    pub fn any(options: &Dynamic) -> Native<bool> {
        host::any(options)
    }

    /// Returns the error for a player without a move, if the rules have no `stuck`.
    ///
    /// # Errors
    /// Always.
    pub fn no_move(&self, player: PlayerId) -> Native<()> {
        host::no_move(&self.0, player)
    }

    /// Returns what a player chooses, as `choose` at a place in the rules does.
    ///
    /// # Errors
    /// Returns an error if nobody has chosen yet, or if these are no options.
    pub fn choose(&self, place: RulesPlace, player: PlayerId, ask: &str, options: &Dynamic) -> Native<Dynamic> {
        host::choose_of(&self.0, place, player, ask, options)
    }

    /// Returns the player, the choice and the function that gets them, of a phase that a choice was deferred to.
    ///
    /// # Errors
    /// Returns an error if nobody has chosen yet.
    pub fn deferred(&self, phase: &Phase) -> Native<(PlayerId, Dynamic, Arc<str>)> {
        let (decision, bare, next) = host::undeferred(phase).ok_or_else(unreadable)?;
        let player = decision.player;
        let action = host::choose(&self.0, RulesPlace::default(), decision)?;
        Ok((player, host::chosen(&self.0, &action, bare)?, next))
    }

    /// Carries out a line `shuffle` or `deal` as far as it asks nothing, and returns the rest.
    ///
    /// # Errors
    /// Returns an error if there are too few cards or cells.
    pub fn deal(&self, dealing: &Dealing) -> Native<Option<DealingFunction>> {
        natives::dealing_function(&self.0, dealing)
    }

    /// Returns the kind of a value in words.
    #[must_use]
    pub fn kind_of(value: &Dynamic) -> String {
        kind_of(value)
    }
}

/// Returns the error for a phase that no deferred choice was written to.
pub(super) fn unreadable() -> Box<EvalAltResult> {
    failure("a deferred choice cannot be read")
}

impl Program {
    /// Returns what a stand-in for the machine needs.
    #[must_use]
    pub fn workings(&self) -> Workings {
        let built = engine::build(&self.link, &self.schema);
        let places = |turn: &Turn| TurnPlaces {
            choose: turn.choose,
            moves: turn.moves,
            apply: turn.apply,
            ended: turn.ended,
            stuck: turn.stuck,
        };
        Workings {
            natives: natives::for_interpreter(&built.natives).into(),
            components: built.components,
            constants: self.layers.constants_module().into(),
            engine: built.engine,
            functions: self.layers.library().shared_lib().clone(),
            turn: self.turn.as_ref().map(places),
            played: Played(self.link.clone()),
        }
    }

    /// Lets something else run phases from here on; the machine again without it. It cannot go on after a pause.
    pub fn stand_in(&self, other: Option<Rc<dyn StandIn>>) {
        *self.stand_in.borrow_mut() = other;
    }

    /// Returns what stands in for the machine.
    pub(super) fn other(&self) -> Option<Rc<dyn StandIn>> {
        self.stand_in.borrow().clone()
    }

    /// Runs a phase by what stands in for the machine.
    pub(super) fn run_by(&self, other: &dyn StandIn, phase: &Phase) -> Native<()> {
        let is_turn = self.turn.is_some() && phase.player().is_some();
        let (name, arguments) = match &*phase.name {
            DEFERRED if !is_turn => (host::undeferred(phase).ok_or_else(unreadable)?.2, 2),
            _ => (Arc::clone(&phase.name), phase.args.len()),
        };
        if !is_turn && Dealing::of(phase).is_none() && self.code.borrow().place(&name, arguments).is_none() {
            return Err(self.no_function(&name, arguments));
        }
        other.run(phase)
    }
}
