//! Games that are only counted: of many that begin alike, how each has ended and what was counted in it.

use std::rc::Rc;

use super::for_table::ForTable;
use super::{Playing, Program};
use crate::values::rules_place;
use crate::wasm::{Beginning, Counts, Draws};
use referee_table::{ClauseId, Outcome, Phase, PropertyId, State};
use referee_trace::RulesPlace;

/// Games that begin alike, played by the rules that were compiled for them.
pub struct Counted {
    beginning: Beginning,
    counts: Counts,
    /// A state of these games, for what is read of the last one, and whether something is.
    state: State,
    reads: bool,
    /// Those rules.
    rules: Rc<()>,
}

/// What phases have counted.
#[derive(Clone, Copy, Debug)]
pub struct PhaseCounts<'c> {
    /// Decisions made.
    pub decisions: u64,
    /// The sum of the numbers of their options.
    pub options: u64,
    /// Cells on which the chosen moves capture.
    pub captures: u64,
    /// For each face of each die, in their order, how often it was thrown.
    pub faces: &'c [u32],
    /// How often each clause was applied.
    pub clauses: &'c [u32],
    /// The clause applied last in the last turn.
    pub last_clause: Option<ClauseId>,
}

impl<'c> PhaseCounts<'c> {
    pub(super) fn of(counts: &'c Counts) -> Self {
        Self {
            decisions: counts.decisions.into(),
            options: counts.options.into(),
            captures: counts.captures.into(),
            faces: &counts.faces,
            clauses: &counts.clauses,
            last_clause: counts.last_clause,
        }
    }
}

/// What a game has counted.
#[derive(Debug)]
pub struct GameCounts<'g> {
    /// Turns begun.
    pub turns: u64,
    /// What all phases have counted.
    pub counts: PhaseCounts<'g>,
    /// The outcome; `None` if the game was stopped after too many turns.
    pub outcome: Option<Outcome>,
    /// The place of the call that ended the game.
    pub over_at: Option<RulesPlace>,
    /// A state with the properties of the last position. Other parts may be those of another one.
    pub state: &'g State,
}

impl Program {
    /// Returns games that begin with a phase, as [`Program::play_compiled`] would run it: it takes the same state and source of
    /// answers, which begins no turn. Returns `None` if compiled rules do not play such games without the host.
    #[must_use]
    pub fn counted(&self, playing: Playing, mut phase: Phase, draws: Draws) -> Option<Counted> {
        let mut compiled = self.compiled.borrow_mut();
        // Their memory begins anew with each game.
        let (_, points) = self.running();
        let is_alone = |rules: &&mut ForTable| rules.phases.is_some() && rules.begins_turns && points.is_none();
        let rules = compiled.as_mut().filter(is_alone)?;
        let Playing(mut session) = playing;
        let function = rules.first(&mut phase, &mut session.state)?;
        if !session.state.agenda.is_empty() || rules.reads_history && session.state.has_history() {
            return None;
        }
        self.begin_phase(&mut session, true);
        rules.running.host().forget_state();
        let running = &mut rules.running;
        let (beginning, session) = self.link.during(session, || Beginning::of(running, function, &phase.args, draws));
        running.host().forget_state();
        let state = session.state;
        let reads = state.table.names().statistics().next().is_some();
        Some(Counted {
            beginning: beginning.ok()?,
            counts: Counts::default(),
            state,
            reads,
            rules: Rc::clone(&rules.identity),
        })
    }

    /// Plays one of these games with the random numbers that their source draws now. Returns `None` if it is to be played in
    /// another way.
    pub fn count<'g>(&self, games: &'g mut Counted) -> Option<GameCounts<'g>> {
        let mut compiled = self.compiled.borrow_mut();
        let rules = compiled.as_mut().filter(|rules| Rc::ptr_eq(&rules.identity, &games.rules))?;
        let Counted { beginning, counts, state, reads, .. } = games;
        let Ok(()) = beginning.play(&mut rules.running, &state.table.players, counts) else { return None };
        if *reads {
            let properties = (0..state.schema().properties.len()).map(PropertyId::at);
            let (part, columns) = rules.running.state_part()?;
            state.take_bytes(part, true, properties, 1);
            columns.into_iter().for_each(|columns| state.take_columns(columns));
        }
        let (outcome, over_at) = counts.ended.take().unzip();
        Some(GameCounts {
            turns: counts.turns.into(),
            counts: PhaseCounts::of(counts),
            outcome,
            over_at: over_at.map(rules_place),
            state,
        })
    }
}
