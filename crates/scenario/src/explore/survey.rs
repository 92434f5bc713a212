//! Follows all play from the start, breadth first, and looks for findings.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};

use super::finding::{Finding, FindingKey, Kind};
use super::hunt::Hunt;
use super::invariant::Invariant;
use crate::plan::model::Judged;
use crate::run::runner;
use referee_diagnostic::{Code, Diagnostic};
use referee_play::{
    Alone, Bounds, Follower, Limit, Look, Machine, Moment, NONE, Sight, Space, SpaceError, StateId, Visitor, WalkPlan,
    WalkStep, replay, walk,
};
use referee_rules::Program;
use referee_table::TurnRules;
use referee_trace::{Answer, Ask};

/// The result of following all play.
#[derive(Default)]
pub struct Survey {
    /// How far play was followed.
    pub extent: Extent,
    /// The findings, each with a shortest line of play to it.
    pub found: BTreeMap<FindingKey, Surveyed>,
}

/// How far play was followed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Extent {
    /// It was not asked for.
    #[default]
    Unasked,
    /// To all states, of which there are this many.
    Whole(usize),
    /// To the first states, this many: the given number of states, or the work for it, was used up.
    First(usize),
    /// To the first states, this many: they filled the memory for them, which has this many bytes.
    Filled(usize, u64),
    /// To this many states; then a phase had too many answers.
    Stuck(usize),
    /// Not at all, for this reason.
    Impossible(&'static str),
}

/// A finding of a survey.
pub struct Surveyed {
    /// The finding.
    pub finding: Finding,
    /// The number of answers at different states that lead to it.
    pub times: u64,
    /// A shortest line of play.
    pub line: Vec<(Ask, Answer)>,
}

/// Collects the findings of a walk.
struct Listener<'l> {
    hunt: &'l Hunt<'l>,
    /// Why invariants, by their numbers, could not be evaluated.
    errors: &'l Mutex<BTreeMap<u32, Diagnostic>>,
    /// For each finding how often it was found, and where first.
    found: BTreeMap<FindingKey, (Finding, u64, WalkStep)>,
}

impl Listener<'_> {
    fn saw(&mut self, step: WalkStep, finding: Finding) {
        self.found.entry(finding.key.clone()).or_insert((finding, 0, step)).1 += 1;
    }
}

impl Visitor for Listener<'_> {
    fn marked(&mut self, step: WalkStep, mark: u32) -> ControlFlow<()> {
        let at = mark as usize;
        let wrong = self.errors.lock().unwrap_or_else(PoisonError::into_inner).get(&mark).cloned();
        if let Some(wrong) = wrong.or_else(|| self.hunt.invariants.get(at).map(Invariant::broken)) {
            self.saw(step, Finding::unplaced(Kind::Broken(at), wrong));
        }
        ControlFlow::Continue(())
    }

    fn fault(&mut self, step: WalkStep, wrong: Box<Diagnostic>) -> ControlFlow<()> {
        self.saw(step, Finding::placed(Kind::Fault, *wrong));
        ControlFlow::Continue(())
    }

    fn again(&mut self) {
        self.found.clear();
    }
}

/// Returns whether no end of play can be reached from a machine's pause, as far as these bounds show.
pub(super) fn is_trap(machine: &Machine<'_>, bounds: Bounds) -> bool {
    struct Deaf;
    impl Visitor for Deaf {
        fn marked(&mut self, _: WalkStep, _: u32) -> ControlFlow<()> {
            ControlFlow::Continue(())
        }

        fn fault(&mut self, _: WalkStep, _: Box<Diagnostic>) -> ControlFlow<()> {
            ControlFlow::Break(())
        }

        fn again(&mut self) {}
    }
    let space = walk(machine, &plan(bounds, None), &mut Deaf);
    space.is_ok_and(|space| space.is_whole() && trapped(&space).is_some_and(|(first, _)| first == 0))
}

/// Returns the plan of a walk within these bounds.
fn plan<'w>(bounds: Bounds, look: Option<Look<'w>>) -> WalkPlan<'w> {
    WalkPlan {
        bounds,
        turns: None,
        longest: false,
        edges: true,
        symmetries: &[],
        look,
        crew: &Alone,
        rules: &|| None,
        by: Follower::default(),
    }
}

/// Follows all play from the start of a stage, within the bounds of the hunt.
#[must_use]
pub fn survey(hunt: &Hunt<'_>) -> Survey {
    let stage = hunt.stage;
    runner::play(&stage.plan, &stage.program, |machine, _| {
        // An invariant that cannot be evaluated is a broken one, not an error of the rules; the first error counts.
        let errors: Mutex<BTreeMap<u32, Diagnostic>> = Mutex::default();
        let invariants = hunt.invariants;
        let mark = |program: &Program, sight: Sight<'_>| {
            let (ends, is_over) = (matches!(sight.moment, Moment::TurnEnd), matches!(sight.moment, Moment::Over));
            for (mark, invariant) in (0..).zip(invariants) {
                let is_judged = match invariant.judged {
                    Judged::Pauses | Judged::Events => !ends,
                    Judged::TurnEnds => (ends || is_over) && sight.state.ends_turn(),
                    Judged::RoundEnds => (ends || is_over) && sight.state.ends_round(),
                };
                if !is_judged {
                    continue;
                }
                match invariant.holds(program, sight.state) {
                    Ok(true) => continue,
                    Ok(false) => {}
                    Err(wrong) => {
                        errors.lock().unwrap_or_else(PoisonError::into_inner).entry(mark).or_insert(*wrong);
                    }
                }
                return Ok(Some(mark));
            }
            Ok(None)
        };
        let mut listener = Listener { hunt, errors: &errors, found: BTreeMap::new() };
        // A single one may be evaluated by compiled rules.
        let turn_ends = invariants.iter().any(|one| matches!(one.judged, Judged::TurnEnds | Judged::RoundEnds));
        let condition = match invariants {
            [only] if !turn_ends => only.broken_if(0),
            _ => None,
        };
        let look = (!invariants.is_empty()).then_some(Look { mark: &mark, only_ends: false, turn_ends, condition });
        let reads = invariants.iter().map(Invariant::reads_turns).fold(TurnRules::default(), TurnRules::and);
        let machine = machine.reading_turns(reads);
        let space = walk(&machine, &plan(hunt.bounds, look), &mut listener);
        match space {
            Ok(space) => surveyed(&machine, &space, listener),
            Err(wrong) => Survey { extent: Extent::Impossible(unfollowed(&wrong)), ..Survey::default() },
        }
    })
}

fn surveyed(machine: &Machine<'_>, space: &Space, listener: Listener<'_>) -> Survey {
    let hunt = listener.hunt;
    let mut found: BTreeMap<FindingKey, Surveyed> = BTreeMap::new();
    for (key, (finding, times, step)) in listener.found {
        let (_, line) = replay(machine, &space.path_through(step));
        found.insert(key, Surveyed { finding, times, line });
    }
    if let Some((first, times)) = space.is_whole().then(|| trapped(space)).flatten() {
        let (_, line) = replay(machine, &space.path(first));
        let finding = Finding::unplaced(Kind::Trapped, cannot_end(times, space.states()));
        found.insert(finding.key.clone(), Surveyed { finding, times, line });
    }
    Survey { found, extent: extent(space, hunt.bounds) }
}

/// Returns the first of the states from which no end of play can be reached, and their number. An error of the rules is
/// an end, too: it is a finding of its own.
pub(super) fn trapped(space: &Space) -> Option<(StateId, u64)> {
    let ids = || (0..StateId::MAX).take(space.states());
    let before = Before::of(space);
    let mut ends = vec![false; space.states()];
    let mut waiting = Vec::new();
    for id in ids() {
        let edges = space.edges(id);
        if edges.is_empty() || edges.contains(&NONE) {
            waiting.push(id);
        }
    }
    while let Some(id) = waiting.pop() {
        let Some(ended) = ends.get_mut(id as usize).filter(|ended| !**ended) else { continue };
        *ended = true;
        waiting.extend(before.of_state(id));
    }
    let mut traps = ids().zip(ends).filter(|(_, ended)| !ended).map(|(id, _)| id);
    traps.next().map(|first| (first, 1 + traps.count() as u64))
}

/// For each state, those that lead to it. They take about as much memory as the edges, which the walk has counted.
struct Before {
    /// Where in `all` those of each state begin, and where the last end.
    begins: Vec<usize>,
    all: Vec<StateId>,
}

impl Before {
    fn of(space: &Space) -> Self {
        let count = space.states();
        let edges = || {
            let of = |id| space.edges(id).iter().filter(|to| (**to as usize) < count).map(move |to| (id, *to as usize));
            (0..StateId::MAX).take(count).flat_map(of)
        };
        let mut begins = vec![0_usize; count];
        edges().for_each(|(_, to)| begins.get_mut(to).into_iter().for_each(|number| *number += 1));
        let mut sum = 0;
        for begin in &mut begins {
            sum += *begin;
            *begin = sum;
        }
        // Now they are the ends. The lists are filled from there to their beginnings.
        let mut all = vec![0; sum];
        for (id, to) in edges() {
            let Some(begin) = begins.get_mut(to) else { continue };
            *begin = begin.saturating_sub(1);
            all.get_mut(*begin).into_iter().for_each(|place| *place = id);
        }
        begins.push(sum);
        Self { begins, all }
    }

    fn of_state(&self, id: StateId) -> &[StateId] {
        let place = |at: usize| self.begins.get(at).copied();
        let range = place(id as usize).zip(place(id as usize + 1));
        range.and_then(|(begin, end)| self.all.get(begin..end)).unwrap_or_default()
    }
}

/// Returns the error that play cannot end from some states.
fn cannot_end(traps: u64, states: usize) -> Diagnostic {
    let message = format!("play cannot end from {traps} of {states} states");
    Diagnostic::general(Code::CannotEnd, message).help("let a rule end the game there, or before play comes there")
}

/// Returns how far play was followed within these bounds.
const fn extent(space: &Space, bounds: Bounds) -> Extent {
    let states = space.states();
    match space.limit() {
        None => Extent::Whole(states),
        Some(Limit::Phase) => Extent::Stuck(states),
        Some(Limit::Bytes) => Extent::Filled(states, bounds.bytes),
        Some(Limit::States | Limit::Work) => Extent::First(states),
    }
}

/// Returns why play was not followed.
const fn unfollowed(wrong: &SpaceError) -> &'static str {
    match wrong {
        SpaceError::NothingAsked => "nothing is asked at the start",
        SpaceError::History(_) => "the rules ask how often a position has occurred, which is not part of a state",
        SpaceError::NotListed(_) => "the rules take values that they do not list",
        SpaceError::Fault(_) => "the rules stop before they ask anything",
    }
}
