//! Walks over all states that play can come to, breadth first.

use std::ops::{ControlFlow, Range};
use std::sync::{Arc, PoisonError, RwLock};

use super::compiled::Finder;
use super::crew::{Crew, Desk};
use super::expand::{Expander, Found, FoundStep, Look, Moment, Setting, Sight, Stuck, To, key_of_pause, looked_at};
use super::states::Space;
use super::store::{Bounds, Kind, NONE, StateId, Store, WalkStep, at, hash};
use crate::odds::{Follower, Limit};
use crate::points::Pause;
use crate::progress::stepped;
use crate::{Machine, Stop};
use referee_diagnostic::Diagnostic;
use referee_diagnostic::MustBe as _;
use referee_rules::Program;
use referee_table::{Images, Symmetry};
use referee_trace::RulesPlace;

/// The number of states that a thread follows at once.
const PIECE: StateId = 128;
/// The number of states that are followed before their successors are put into the store.
const BATCH: StateId = 64 * PIECE;
/// The number of states to follow from which further threads help.
const SHARED: StateId = 2 * PIECE;
/// The number of operations of the rules allowed for each allowed state.
const WORK: u64 = 20_000;
/// The minimum and the maximum number of operations allowed.
const WORK_RANGE: (u64, u64) = (1_000_000_000, 200_000_000_000);

/// The plan of a walk.
#[derive(Clone, Copy)]
pub struct WalkPlan<'w> {
    /// Its limits.
    pub bounds: Bounds,
    /// The number of turns, the present one included, after which play is not followed; `None` for all play.
    pub turns: Option<u32>,
    /// Whether a position must be followed again from a line of play that takes more turns to it. Otherwise it is
    /// followed again from one that takes fewer.
    pub longest: bool,
    /// Whether to keep what leads where, for [`Space::edges`].
    pub edges: bool,
    /// The symmetries under which two positions at the beginning of a phase are one. With the one that changes nothing
    /// they must be a group, and what `look` finds must be the same for all that a position becomes.
    pub symmetries: &'w [Symmetry],
    /// Looks at each new position, if anything is sought in them.
    pub look: Option<Look<'w>>,
    /// The threads that may help.
    pub crew: &'w dyn Crew,
    /// Returns the rules for a thread that helps; `None` if they cannot be loaded any more.
    pub rules: &'w (dyn Fn() -> Option<Program> + Sync),
    /// What runs the rules. The states are the same for all.
    pub by: Follower,
}

/// Why there is no walk.
#[derive(Clone, Debug)]
pub enum SpaceError {
    /// Nothing is asked where it would begin.
    NothingAsked,
    /// The rules ask here about history, which is not part of a state.
    History(RulesPlace),
    /// The rules take values here that they do not list.
    NotListed(Box<Diagnostic>),
    /// The rules stopped with an error before it began.
    Fault(Box<Diagnostic>),
}

/// Hears what a walk finds: in the same order on every machine, for every number of threads.
pub trait Visitor {
    /// A position after this step has a mark. Fewer answers lead to it than to those that come later.
    fn marked(&mut self, step: WalkStep, mark: u32) -> ControlFlow<()>;

    /// The rules cause an error after this step.
    fn fault(&mut self, step: WalkStep, wrong: Box<Diagnostic>) -> ControlFlow<()>;

    /// The walk begins again: what it has found is nothing.
    fn again(&mut self);
}

/// Walks over all states that play can come to from the pause of a machine, breadth first: those to which fewer
/// answers lead come first.
///
/// # Errors
/// Returns an error if nothing is asked at the pause, or if the rules ask about history before a limit is reached and
/// before the visitor stops the walk.
pub fn walk(machine: &Machine<'_>, plan: &WalkPlan<'_>, visitor: &mut dyn Visitor) -> Result<Space, SpaceError> {
    match walk_by(machine, plan, visitor) {
        Ok(space) => Ok(space),
        Err(Unfinished::Error(wrong)) => Err(wrong),
        Err(Unfinished::TooMuch) => {
            visitor.again();
            let plan = WalkPlan { by: Follower::Machine, ..*plan };
            walk_by(machine, &plan, visitor).map_err(|unfinished| match unfinished {
                Unfinished::Error(wrong) => wrong,
                Unfinished::TooMuch => {
                    SpaceError::Fault(Box::new(Diagnostic::internal("the machine does not know its work")))
                }
            })
        }
    }
}

/// Why a walk has found nothing.
enum Unfinished {
    Error(SpaceError),
    /// Compiled rules may have done too much. Only the machine knows where the limit is.
    TooMuch,
}

impl From<SpaceError> for Unfinished {
    fn from(wrong: SpaceError) -> Self {
        Self::Error(wrong)
    }
}

fn walk_by(machine: &Machine<'_>, plan: &WalkPlan<'_>, visitor: &mut dyn Visitor) -> Result<Space, Unfinished> {
    let mut first = match (machine.stop(), Pause::of(machine)) {
        (Stop::Fault(wrong), _) => return Err(SpaceError::Fault(wrong.clone()).into()),
        (_, None) => return Err(SpaceError::NothingAsked.into()),
        (_, Some(pause)) => pause,
    };
    // Equal states are one, so their history must not matter.
    first.state.forget_history();
    first.segment = None;
    let table = first.state.table.clone();
    let symmetries = Images::new(&table.board, plan.symmetries);
    let setting = Setting { table, alone: machine.is_alone(), symmetries };
    let mut store = Store::new(plan.bounds, plan.edges, plan.longest);
    let mut reports = Reports { visitor, stopped: false };
    let sight = Sight { state: &first.state, moment: Moment::Ask, again: false };
    let mut mark = None;
    match looked_at((plan.look, machine.program()), &mut mark, sight) {
        Ok(()) => reports.mark(WalkStep::Start, mark),
        Err(wrong) => reports.fault(WalkStep::Start, wrong),
    }
    let mut key = Vec::new();
    let by = first_key(&setting, &first, &mut key);
    let limit = store.put((hash(&key), &key, by), plan.turns.map(|turns| turns.max(1)), (0, 0)).err();
    stepped(1);
    let common = Common { plan, setting: &setting, store: RwLock::new(store), desk: Desk::new() };
    let own = Expander { program: machine.program(), setting: &setting, look: plan.look, first: Some(&first) };
    let mut walk = Walk {
        common: &common,
        own: Finder::new(own, plan.by),
        reports,
        from: 0,
        levels: Vec::new(),
        work: (plan.bounds.states as u64).saturating_mul(WORK).clamp(WORK_RANGE.0, WORK_RANGE.1),
        is_exact: true,
        compiled: 0,
        end: limit.map(End::Limit),
    };
    walk.run();
    let (mut levels, stopped, compiled) = (std::mem::take(&mut walk.levels), walk.reports.stopped, walk.compiled);
    let limit = match walk.end {
        Some(End::Stuck(Stuck::History(place))) => return Err(SpaceError::History(place).into()),
        Some(End::Stuck(Stuck::NotListed(wrong))) => return Err(SpaceError::NotListed(wrong).into()),
        Some(End::Stuck(Stuck::Phase)) => Some(Limit::Phase),
        Some(End::Limit(Limit::Work)) if !walk.is_exact => return Err(Unfinished::TooMuch),
        Some(End::Limit(limit)) => Some(limit),
        Some(End::Stopped) | None => None,
    };
    let store = common.store.into_inner().unwrap_or_else(PoisonError::into_inner);
    let rest = store.len() - levels.iter().sum::<usize>();
    levels.extend((rest > 0).then_some(rest));
    Ok(Space { store, limit, stopped, levels, compiled })
}

/// Appends the key of the state at which a walk begins, and returns the number of its symmetry. If the phase changed nothing
/// before its ask, it is the beginning of the phase, so that play that comes back there comes back to this state.
fn first_key(setting: &Setting, first: &Pause, key: &mut Vec<u8>) -> u8 {
    if !first.paused.is_first(&first.state) {
        return key_of_pause(first, key);
    }
    let mut state = first.state.clone();
    state.agenda.push(first.paused.phase().clone());
    setting.key(Kind::Opening, &state, key)
}

/// Why a walk ended before all states were found.
enum End {
    Limit(Limit),
    Stopped,
    Stuck(Stuck),
}

/// The visitor, and whether it has stopped the walk.
struct Reports<'v> {
    visitor: &'v mut dyn Visitor,
    stopped: bool,
}

impl Reports<'_> {
    fn mark(&mut self, step: WalkStep, mark: Option<u32>) {
        if let Some(mark) = mark {
            self.stopped |= self.visitor.marked(step, mark).is_break();
        }
    }

    fn fault(&mut self, step: WalkStep, wrong: Box<Diagnostic>) {
        self.stopped |= self.visitor.fault(step, wrong).is_break();
    }
}

/// The data that all threads share.
struct Common<'w> {
    plan: &'w WalkPlan<'w>,
    setting: &'w Setting,
    store: RwLock<Store>,
    desk: Desk<Range<StateId>, Found>,
}

/// The thread that leads the walk.
struct Walk<'w, 'v> {
    common: &'w Common<'w>,
    own: Finder<'w>,
    reports: Reports<'v>,
    /// The first state whose successors are not known.
    from: StateId,
    /// The number of states of each level: those that this many answers lead to.
    levels: Vec<usize>,
    /// The number of operations that are left: at least so many, if it is not exact.
    work: u64,
    is_exact: bool,
    /// The number of states whose successors compiled rules have found.
    compiled: usize,
    end: Option<End>,
}

/// Returns the thread that helps with the rules that it has loaded itself.
fn help(helper: &Helper<'_>) {
    let Some(program) = (helper.rules)() else { return };
    // A table of its own: two threads that count the states of one table wait for each other.
    let setting = Setting { table: Arc::new((*helper.setting.table).clone()), ..helper.setting.clone() };
    let expander = Expander { program: &program, setting: &setting, look: helper.look, first: None };
    let finder = Finder::new(expander, helper.by);
    helper.desk.help(|ids| {
        let store = helper.store.read().unwrap_or_else(PoisonError::into_inner);
        finder.expand(&store, ids.clone())
    });
}

/// The data of a thread that helps.
struct Helper<'h> {
    rules: &'h (dyn Fn() -> Option<Program> + Sync),
    setting: &'h Setting,
    look: Option<Look<'h>>,
    by: Follower,
    store: &'h RwLock<Store>,
    desk: &'h Desk<Range<StateId>, Found>,
}

impl Walk<'_, '_> {
    fn run(&mut self) {
        if self.reports.stopped {
            self.end = Some(End::Stopped);
        }
        // One thread is enough for few states.
        while self.end.is_none() && self.waiting() > 0 {
            if self.waiting() < SHARED as usize {
                self.batch();
                continue;
            }
            let Common { plan, setting, store, desk } = self.common;
            let helper = Helper { rules: plan.rules, setting, look: plan.look, by: plan.by, store, desk };
            plan.crew.work(&|| help(&helper), &mut || {
                let _closes = Closes(desk);
                while self.end.is_none() && self.waiting() > 0 {
                    self.batch();
                }
            });
        }
    }

    /// Returns the number of states whose successors are not known.
    fn waiting(&self) -> usize {
        let store = self.common.store.read().unwrap_or_else(PoisonError::into_inner);
        store.len() - at(self.from)
    }

    /// Follows the next states of one level, and puts their successors into the store.
    fn batch(&mut self) {
        let store = &self.common.store;
        let level = self.levels.iter().sum::<usize>();
        let (ids, known) = {
            let store = store.read().unwrap_or_else(PoisonError::into_inner);
            // The level ends with the states that are known now.
            if level == at(self.from) {
                self.levels.push(store.len() - level);
            }
            let end = StateId::try_from(self.levels.iter().sum::<usize>()).unwrap_or(StateId::MAX);
            let ids = self.from..end.min(self.from.saturating_add(BATCH));
            let own = ids.clone().any(|id| Expander::is_within_first(&store, id));
            (ids, own)
        };
        let pieces = (ids.start..ids.end).step_by(PIECE as usize).map(|from| from..ids.end.min(from + PIECE));
        let work = |ids: &Range<StateId>| {
            let store = store.read().unwrap_or_else(PoisonError::into_inner);
            self.own.expand(&store, ids.clone())
        };
        let found: Vec<Found> = match known {
            // Only this thread knows the ask at which the walk began.
            true => pieces.map(|ids| work(&ids)).collect(),
            false => self.common.desk.all(pieces, work),
        };
        self.from = ids.end;
        let mut store = store.write().unwrap_or_else(PoisonError::into_inner);
        let mut merge = Merge { store: &mut store, reports: &mut self.reports };
        for found in found {
            let left = self.work.checked_sub(found.work);
            if !found.is_exact {
                self.is_exact = false;
                self.compiled += found.ids.len();
            }
            self.work = left.unwrap_or(0);
            let merged = merge.all(found).and(left.map(|_| ()).ok_or(End::Limit(Limit::Work)));
            self.end = merged.err();
            if self.end.is_some() {
                return;
            }
        }
    }
}

/// Closes a desk when it is dropped, so that no thread waits for work that never comes.
struct Closes<'d>(&'d Desk<Range<StateId>, Found>);

impl Drop for Closes<'_> {
    fn drop(&mut self) {
        self.0.close();
    }
}

/// Puts what was found into the store.
struct Merge<'m, 'v> {
    store: &'m mut Store,
    reports: &'m mut Reports<'v>,
}

impl Merge<'_, '_> {
    fn all(&mut self, found: Found) -> Result<(), End> {
        let before = self.store.len();
        let mut steps = found.steps.into_iter().peekable();
        let mut start = 0;
        let mut to = Vec::new();
        for id in found.ids {
            to.clear();
            while let Some(step) = steps.next_if(|step| step.from == id) {
                to.push(self.step(step, &found.keys, &mut start)?);
            }
            self.store.connect(&to).map_err(End::Limit)?;
        }
        stepped((self.store.len() - before) as u64);
        found.stuck.map_or(Ok(()), |stuck| Err(End::Stuck(stuck)))
    }

    /// Puts the state after a step into the store, and reports its mark or error to the visitor.
    fn step(&mut self, found: FoundStep, keys: &[u8], start: &mut usize) -> Result<StateId, End> {
        let step = WalkStep::After { state: found.from, choice: found.choice };
        self.reports.mark(step, found.mark);
        let id = match found.to {
            To::Known(id) => id,
            To::New { end, hash, by, left, ask } => {
                let key = keys.get(*start..end).or_missing("the key of a new state", &[]);
                *start = end;
                let new = self.store.len();
                let id = self.store.put((hash, key, by), left, (found.from, found.choice)).map_err(End::Limit)?;
                if at(id) == new {
                    self.store.note_ask(id, ask);
                }
                id
            }
            To::Fault(wrong) => {
                self.reports.fault(step, wrong);
                NONE
            }
        };
        if self.reports.stopped { Err(End::Stopped) } else { Ok(id) }
    }
}
