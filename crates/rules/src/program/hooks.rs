//! The places where the built-in turn calls functions of the rules.

use rhai::Position;

use crate::host::takes_a_move;
use crate::layers::BuiltIn;
use crate::vm::Bytecode;
use referee_diagnostic::MustBe as _;
use referee_table::Schema;
use referee_trace::RulesPlace;

/// The call depth of the functions that the built-in turn calls: one level is the turn itself.
pub(super) const LEVEL: usize = 1;

/// Converts a place in the rules to a position of the engine.
pub(super) fn position(place: RulesPlace) -> Position {
    match (u16::try_from(place.line), u16::try_from(place.column)) {
        (Ok(line), Ok(column)) if line > 0 => Position::new(line, column),
        _ => Position::NONE,
    }
}

/// The places where the built-in turn calls its hooks.
pub(crate) struct Turn {
    /// The function of the prelude that is the turn.
    pub(super) function: usize,
    pub(super) choose: RulesPlace,
    pub(super) moves: RulesPlace,
    pub(super) apply: RulesPlace,
    pub(super) ended: RulesPlace,
    /// The call of `stuck`, if the rules have this function for a player without a move.
    pub(super) stuck: Option<RulesPlace>,
    /// Whether the ask `move` takes one move. Otherwise rules that list moves cause an error when one is to be chosen.
    pub(super) takes_moves: bool,
}

impl Turn {
    pub(crate) fn of(built_in: BuiltIn, schema: &Schema, code: &Bytecode) -> Self {
        let form = schema.ask("move").and_then(|ask| schema.asks.get(ask.index()));
        let place = |function| built_in.call(function).unwrap_or_default();
        let stuck = built_in.call("stuck");
        let name = if stuck.is_some() { "_vm_turn_or_stuck" } else { "_vm_turn" };
        Self {
            function: code.prelude(name, 1).or_missing("the built-in turn", usize::MAX),
            choose: place("choose"),
            moves: place("moves"),
            apply: place("apply"),
            ended: place("ended"),
            stuck,
            takes_moves: form.is_some_and(takes_a_move),
        }
    }
}
