//! Judges questions about all play that may follow: searches the states, and writes the line of play that decides.

use std::ops::ControlFlow;
use std::sync::Arc;

use crate::check::facts::holds;
use crate::check::verdicts::{standing, why_nothing};
use crate::check_symmetries::symmetries;
use crate::plan::horizon::{MAX_MEGABYTES, MEGABYTE, fewer_turns};
use crate::plan::model::{Condition, QuestionCheck, Sought};
use crate::run::runner::Runner;
use crate::write::state::position_expected;
use crate::write::witness::{Witness, used_placeholders};
use referee_diagnostic::{Code, Diagnostic, Label, counted};
use referee_play::{
    Alone, Bounds, Cycle, Follower, Limit, Look, LookFor, MAX_STATES, Machine, Moment, Sight, Space, SpaceError, Stop,
    Unrolled, Visitor, WalkPlan, WalkStep, replay, turns_to_mark, unrolled, walk,
};
use referee_rules::{Expression, Placeholders, Program};
use referee_source::Span;
use referee_table::Symmetry;
use referee_trace::{Answered, Failure, FailureKind, Finding};

/// A question of a line, asked after some steps of the plan.
#[derive(Clone, Copy)]
struct Asking<'a> {
    span: Span,
    check: &'a QuestionCheck,
    steps: usize,
}

/// The mark of a position in which the condition of a question holds.
const FOUND: u32 = 0;
/// The mark of a position whose images by the game's symmetries are not all alike to the condition.
const UNLIKE: u32 = 1;

/// The first thing that a search has found.
#[derive(Default)]
struct First {
    marked: Option<(WalkStep, u32)>,
    fault: Option<(WalkStep, Box<Diagnostic>)>,
}

impl Visitor for First {
    fn marked(&mut self, step: WalkStep, mark: u32) -> ControlFlow<()> {
        self.marked = Some((step, mark));
        ControlFlow::Break(())
    }

    fn fault(&mut self, step: WalkStep, wrong: Box<Diagnostic>) -> ControlFlow<()> {
        self.fault = Some((step, wrong));
        ControlFlow::Break(())
    }

    fn again(&mut self) {
        *self = Self::default();
    }
}

/// The result of a search.
struct Searched {
    space: Space,
    first: First,
    /// Whether there is a cycle up to the game's symmetries. The space need not have it, because it may be cut.
    cyclic: bool,
    /// The line of play of such a cycle.
    unrolled: Option<Unrolled>,
}

/// A line of play that decides a question.
struct Shown {
    /// The number of its answers; of a cycle, up to the position and from there.
    answers: (usize, usize),
    /// Whether a shorter cycle may be among the states that were not searched.
    shorter: bool,
    /// The line as a scenario.
    scenario: String,
}

impl Runner<'_> {
    /// Judges a question from the present position; `steps` of the plan have been run.
    pub(crate) fn question(&mut self, span: Span, check: &QuestionCheck, steps: usize) {
        let asking = Asking { span, check, steps };
        if !matches!(self.machine.stop(), Stop::Paused(_)) {
            let wrong = self.nothing_to_ask(span);
            self.fail(wrong);
            return;
        }
        let Searched { space, first, cyclic, unrolled } = match self.found(check) {
            Ok(found) => found,
            Err(trouble) => {
                let failure = self.unsearched(span, trouble);
                self.keep_fault(failure);
                return;
            }
        };
        if let Some((step, wrong)) = &first.fault {
            self.faulty(asking, &space, *step, wrong);
            return;
        }
        let mut limit = space.limit();
        let shown = match check.sought {
            Sought::Cycle | Sought::NoCycle if self.is_of_positions(check) => {
                let (cycle, is_whole) = space.shortest_cycle_of_positions(&self.machine.state().table);
                limit = limit.or((!is_whole).then_some(Limit::Work));
                let cycle = cycle.map(|Cycle { path, round, .. }| Unrolled { path, round });
                cycle.map(|cycle| self.shown_cycle(asking, &cycle, limit.is_some()))
            }
            Sought::Cycle | Sought::NoCycle => self.cycle(asking, &space, unrolled),
            Sought::EveryLineEnds if check.turns.is_none() => self.cycle(asking, &space, unrolled),
            _ => first.marked.map(|(step, _)| self.sought(asking, &space.path_through(step))),
        };
        let exists = matches!(check.sought, Sought::Reachable(_) | Sought::Cycle);
        let finding = match (&shown, limit) {
            (Some(_), _) if exists => Finding::Holds,
            (Some(_), _) => Finding::Fails,
            (None, Some(_)) if cyclic && exists => Finding::Holds,
            (None, Some(_)) if cyclic => Finding::Fails,
            (None, Some(_)) => Finding::Undecided,
            (None, None) if exists => Finding::Fails,
            (None, None) => Finding::Holds,
        };
        self.answer(asking, (&space, limit), finding, shown);
    }

    /// Returns the error for a question where nothing is asked.
    pub(crate) fn nothing_to_ask(&self, span: Span) -> Diagnostic {
        let (message, help) = match self.machine.stop() {
            Stop::Over => (why_nothing(&self.machine), "move the question up, before the end of the game".to_owned()),
            _ => {
                let [first, _] = self.machine.names().schema.example_players();
                let message = format!("play does not continue from here: {}", standing(&self.machine));
                (message, format!("begin the play with a line such as `turn {first}`"))
            }
        };
        Diagnostic::new(Code::NothingAsked, &self.plan.source, span, message).help(help)
    }

    /// Returns the failure for a question that cannot be searched.
    fn unsearched(&self, span: Span, trouble: SpaceError) -> Failure {
        let source = &self.plan.source;
        match trouble {
            SpaceError::Fault(wrong) => Failure::plain(wrong.also(source, span, "while this is judged")),
            SpaceError::NothingAsked => self.failure(self.nothing_to_ask(span)),
            SpaceError::NotListed(wrong) => {
                let asked = wrong.labels.into_iter().map(|label| Label { text: "asked here".to_owned(), ..label });
                let mut own = Diagnostic::new(Code::NotListed, source, span, wrong.message);
                own.labels.extend(asked);
                let own = wrong.help.into_iter().fold(own, Diagnostic::help);
                Failure { kind: FailureKind::Open, ..self.failure(own) }
            }
            SpaceError::History(place) => {
                let message = "the rules ask how often a position has occurred, but a search keeps no history";
                let mut wrong = Diagnostic::new(Code::NotSupported, source, span, message)
                    .help("ask about fewer turns, or set the game's options so that this line does not run");
                let label = self.program.label(place);
                wrong.labels.extend(label.map(|label| Label { text: "asked here".to_owned(), ..label }));
                Failure { kind: FailureKind::Open, ..self.failure(wrong) }
            }
        }
    }

    /// Searches all play that may follow; positions that a declared symmetry makes one are looked at once.
    fn found(&self, check: &QuestionCheck) -> Result<Searched, SpaceError> {
        let mut symmetries = symmetries(self.program, &self.machine).map_err(SpaceError::Fault)?;
        if self.is_of_positions(check) {
            symmetries.clear();
        }
        let mut first = First::default();
        let space = self.search(check, &symmetries, &mut first)?;
        if symmetries.is_empty() {
            return Ok(Searched { space, first, cyclic: false, unrolled: None });
        }
        // A cycle up to a symmetry shows that there is one, but only a search without symmetries shows a shortest one.
        let cyclic = space.on_cycles() > 0;
        let differs = first.marked.is_some_and(|(_, mark)| mark == UNLIKE);
        if first.fault.is_some() || !differs && !cyclic {
            return Ok(Searched { space, first, cyclic, unrolled: None });
        }
        let unrolled = if cyclic { unrolled(&self.machine, &space, &symmetries) } else { None };
        drop(space);
        first = First::default();
        Ok(Searched { space: self.search(check, &[], &mut first)?, first, cyclic, unrolled })
    }

    /// Returns the machine, with states that keep apart what a condition reads of turns and rounds.
    fn told_turns(&self, condition: Option<&Condition>) -> Machine<'_> {
        let rules = condition.map(|condition| condition.reads_turns(&self.plan.source));
        self.machine.reading_turns(rules.unwrap_or_default())
    }

    /// Searches all play that may follow.
    fn search(&self, check: &QuestionCheck, symmetries: &[Symmetry], visitor: &mut First) -> Result<Space, SpaceError> {
        let (source, placeholders) = (&self.plan.source, &self.plan.placeholders);
        let condition = check.sought.condition();
        let to_horizon = matches!(check.sought, Sought::EveryLineEnds) && !self.machine.is_alone();
        let marks_if = |span| {
            let expression = Expression { source, span, of_player: false };
            LookFor { expression, is: true, mark: FOUND }
        };
        let mark = |program: &Program, sight: Sight<'_>| {
            if sight.again {
                return Ok(None);
            }
            let marked = match condition {
                Some(condition) => {
                    let seen = (source, placeholders);
                    let marked = holds(program, seen, condition, sight.state)?;
                    for symmetry in symmetries.iter().filter(|_| !condition.is_symmetric()) {
                        if holds(program, seen, condition, &sight.state.turned(symmetry))? != marked {
                            return Ok(Some(UNLIKE));
                        }
                    }
                    marked
                }
                None => to_horizon && matches!(sight.moment, Moment::Horizon),
            };
            Ok(marked.then_some(FOUND))
        };
        let look = Look {
            mark: &mark,
            only_ends: condition.is_none_or(Condition::is_of_ends),
            turn_ends: false,
            condition: condition.and_then(Condition::expression).filter(|_| placeholders.is_empty()).map(marks_if),
        };
        let (game, houses) = (&self.plan.game, &self.plan.houses);
        let rules = || {
            let mut sources = vec![game.rules.clone()];
            sources.extend(houses.iter().filter_map(|house| house.source.clone()));
            Program::load(&game.schema, &sources).ok()
        };
        let plan = WalkPlan {
            bounds: check.bounds,
            turns: check.turns,
            longest: matches!(check.sought, Sought::EveryLineEnds),
            edges: condition.is_none() && check.turns.is_none(),
            symmetries,
            look: (condition.is_some() || to_horizon).then_some(look),
            crew: self.given.crew.unwrap_or(&Alone),
            rules: &rules,
            by: Follower::default(),
        };
        walk(&self.told_turns(condition), &plan, visitor)
    }

    /// Returns a line of play to the condition, or to the horizon.
    fn sought(&self, asking: Asking<'_>, path: &[u32]) -> Shown {
        let (machine, line) = replay(&self.machine, path);
        let words = &asking.check.words;
        let (expected, placeholders) = match asking.check.sought.condition() {
            None => ((line.len(), goes_on(&machine)), Placeholders::new()),
            Some(condition) => {
                let seen = (&self.plan.source, &self.plan.placeholders);
                let expected = match holds(self.program, seen, condition, machine.state()) {
                    Ok(true) => (line.len(), vec![format!("expect {words}")]),
                    _ => {
                        let turns = self.turns_to(condition, path);
                        let passed = format!("expect reachable {words} within {}", turns_of(turns));
                        (line.len().saturating_sub(1), vec![passed])
                    }
                };
                let placeholders = match condition {
                    Condition::Expression(expression) => {
                        used_placeholders(&self.plan.source, *expression, &self.plan.placeholders)
                    }
                    _ => Placeholders::new(),
                };
                (expected, placeholders)
            }
        };
        let within = vec![expected];
        let names = self.machine.names();
        let (plan, program, steps) = (self.plan, self.program, asking.steps);
        let witness = Witness { plan, program, names, steps, line: &line, within, placeholders };
        let scenario = witness.text(&title(asking.check, false), &self.about(asking));
        Shown { answers: (line.len(), 0), shorter: false, scenario }
    }

    /// Returns within how many turns the last answer of a path leads to the condition, which holds only before the next ask.
    fn turns_to(&self, condition: &Condition, path: &[u32]) -> u32 {
        let Some((last, before)) = path.split_last() else { return 1 };
        let seen = (&self.plan.source, &self.plan.placeholders);
        let mark =
            |program: &Program, sight: Sight<'_>| Ok(holds(program, seen, condition, sight.state)?.then_some(FOUND));
        let look = Look { mark: &mark, only_ends: false, turn_ends: false, condition: None };
        turns_to_mark(&replay(&self.machine, before).0, *last, look).unwrap_or(1)
    }

    /// Returns a shortest cycle of those that were found: of the space, and the one that was unrolled.
    fn cycle(&self, asking: Asking<'_>, space: &Space, unrolled: Option<Unrolled>) -> Option<Shown> {
        let own = space.shortest_cycle().map(|Cycle { path, round, .. }| Unrolled { path, round });
        let shorter = space.limit().is_some();
        let cycle = own.into_iter().chain(unrolled).min_by_key(|one| (one.round.len(), one.path.len()))?;
        Some(self.shown_cycle(asking, &cycle, shorter))
    }

    /// Returns whether a question is about cycles, in a game in which states may differ and be one position.
    fn is_of_positions(&self, check: &QuestionCheck) -> bool {
        matches!(check.sought, Sought::Cycle | Sought::NoCycle) && self.machine.state().has_clocks()
    }

    /// Returns a cycle as a scenario; `shorter` is whether a shorter one may exist.
    fn shown_cycle(&self, asking: Asking<'_>, cycle: &Unrolled, shorter: bool) -> Shown {
        let (machine, mut line) = replay(&self.machine, &cycle.path);
        let there = position_expected(machine.state());
        let (machine, round) = replay(&machine, &cycle.round);
        let again = position_expected(machine.state());
        let within = vec![(line.len(), there), (line.len() + round.len(), again)];
        let answers = (line.len(), round.len());
        line.extend(round);
        let names = self.machine.names();
        let (plan, program, steps) = (self.plan, self.program, asking.steps);
        let witness = Witness { plan, program, names, steps, line: &line, within, placeholders: Placeholders::new() };
        let scenario = witness.text(&title(asking.check, shorter), &self.about(asking));
        Shown { answers, shorter, scenario }
    }

    /// Returns where a question is, as a comment.
    fn about(&self, asking: Asking<'_>) -> String {
        let source = &self.plan.source;
        let name = source.name().rsplit(['/', '\\']).next().unwrap_or_default();
        format!("Found by `referee test` for line {} of {name}", source.line(asking.span.start))
    }

    /// Reports an error of the rules that some line of play leads to.
    fn faulty(&mut self, asking: Asking<'_>, space: &Space, step: WalkStep, wrong: &Diagnostic) {
        let (_, line) = replay(&self.machine, &space.path_through(step));
        let names = self.machine.names();
        let (plan, program, steps) = (self.plan, self.program, asking.steps);
        let first = wrong.labels.first();
        let is_own = first.is_some_and(|label| Arc::ptr_eq(&label.source, &self.plan.source));
        let (whose, what) = match is_own {
            true => ("the condition", "the condition stops"),
            false => ("the rules", "the rules stop"),
        };
        let within = vec![(line.len(), vec![stops(what, wrong)])];
        let witness = Witness { plan, program, names, steps, line: &line, within, placeholders: Placeholders::new() };
        let scenario = witness.text(&format!("A line of play to an error of {whose}"), &self.about(asking));
        let wrong = wrong.clone().also(&self.plan.source, asking.span, "while this is judged");
        self.keep_fault(Failure { witness: Some(scenario), ..Failure::plain(wrong) });
    }

    /// Records the answer to a question, and reports it if it is not as the line says.
    fn answer(
        &mut self,
        asking: Asking<'_>,
        (space, limit): (&Space, Option<Limit>),
        finding: Finding,
        shown: Option<Shown>,
    ) {
        let check = asking.check;
        let passes = match finding {
            Finding::Holds => true,
            Finding::Fails => false,
            Finding::Undecided => check.or_undecided,
        };
        let witness = shown.as_ref().map(|shown| shown.scenario.clone());
        self.answered.push(Answered {
            line: self.plan.source.line(asking.span.start),
            question: check.written(),
            finding,
            passes,
            states: space.states(),
            bytes: space.bytes(),
            witness: witness.clone(),
        });
        if passes {
            return;
        }
        let states = counted(space.states(), "state");
        let (code, message) = match (finding, limit, &shown) {
            (Finding::Undecided, limit, _) => (Code::Inconclusive, undecided(limit, &states)),
            (_, _, Some(shown)) if shown.shorter => {
                let message = refuted(check, shown.answers);
                (Code::ExpectationFailed, format!("{message}; a shorter cycle may exist beyond the {states} searched"))
            }
            (_, _, Some(shown)) => (Code::ExpectationFailed, refuted(check, shown.answers)),
            (_, Some(_), None) => {
                (Code::ExpectationFailed, format!("there is a cycle, whose line of play is not found in {states}"))
            }
            (_, _, None) => (Code::ExpectationFailed, unfound(check)),
        };
        let wrong = Diagnostic::new(code, &self.plan.source, asking.span, message);
        let (kind, wrong) = match finding {
            Finding::Undecided => (FailureKind::Open, wrong.help(more(check, limit))),
            Finding::Holds | Finding::Fails => {
                let more = limit.filter(|_| shown.is_none()).and_then(|limit| allowance(limit, check.bounds));
                let help = |more| format!("to see it, allow more, {more}, or begin nearer to the cycle");
                (FailureKind::Play, more.map(help).into_iter().fold(wrong, Diagnostic::help))
            }
        };
        let actual = match (finding, &shown) {
            (Finding::Undecided, _) => format!("not decided, after {states}"),
            (_, Some(_)) => "the line of play below".to_owned(),
            (_, None) if limit.is_some() => "a cycle".to_owned(),
            (_, None) => format!("in none of {states}"),
        };
        let failure = self.failure(wrong);
        self.keep(Failure { kind, expected: Some(check.written()), actual: Some(actual), witness, ..failure });
    }
}

/// Returns the title of the scenario for a line of play; `shorter` is whether a shorter cycle may exist.
fn title(check: &QuestionCheck, shorter: bool) -> String {
    match (&check.sought, check.turns) {
        (Sought::Reachable(_) | Sought::Never(_), _) => format!("A shortest line of play to: {}", check.words),
        (Sought::EveryLineEnds, Some(turns)) => format!("A line of play of more than {}", counted(turns, "turn")),
        (Sought::EveryLineEnds, None) | (Sought::Cycle | Sought::NoCycle, _) => {
            if shorter { "A cycle" } else { "A shortest cycle" }.to_owned()
        }
    }
}

/// Returns what is so at the end of a line of play that takes more turns than allowed.
fn goes_on(machine: &Machine<'_>) -> Vec<String> {
    let line = match machine.stop() {
        Stop::Over => ["# The game ends in a further turn, in which nothing is asked", "expect over"],
        Stop::Fault(wrong) => return vec![stops("the rules stop", wrong)],
        _ => return vec!["expect not over".to_owned()],
    };
    line.map(str::to_owned).into()
}

/// Returns a comment about an error at the end of a line of play.
fn stops(what: &str, wrong: &Diagnostic) -> String {
    format!("# Here {what} with an error: {}", wrong.message.replace('\n', " "))
}

fn turns_of(turns: u32) -> String {
    format!("{turns} turn{}", if turns == 1 { "" } else { "s" })
}

/// Returns why a question is not decided.
fn undecided(limit: Option<Limit>, states: &str) -> String {
    match limit {
        Some(Limit::Bytes) => format!("not decided: {states} fill the allowed memory"),
        Some(Limit::Work) => format!("not decided: the limit of work was reached after {states}"),
        Some(Limit::Phase) => format!("not decided: after {states}, an ask has too many answers"),
        Some(Limit::States) | None => format!("not decided: more than {states}"),
    }
}

/// Returns the words that raise a limit, if it can be higher.
fn allowance(limit: Limit, bounds: Bounds) -> Option<String> {
    let higher =
        |least: u64, now: u64, most: u64| Some(now.saturating_mul(4).clamp(least, most)).filter(|it| *it > now);
    match limit {
        Limit::States => {
            higher(1_000_000, bounds.states as u64, MAX_STATES as u64).map(|states| format!("`up to {states} states`"))
        }
        Limit::Bytes => higher(2000, bounds.bytes / MEGABYTE, MAX_MEGABYTES).map(|most| format!("`up to {most} MB`")),
        _ => None,
    }
}

/// Returns the help for an undecided question.
fn more(check: &QuestionCheck, limit: Option<Limit>) -> String {
    let fewer = match check.sought {
        Sought::Cycle | Sought::NoCycle => Some("begin nearer to the end of the game".to_owned()),
        _ => fewer_turns(check.turns).map(|turns| format!("ask about fewer turns, `within {}`", turns_of(turns))),
    };
    let more = limit.and_then(|limit| allowance(limit, check.bounds)).map(|more| format!("allow more, {more}"));
    let ways: Vec<String> = fewer.into_iter().chain(more).collect();
    let accept = "accept it with `or undecided`";
    match ways.as_slice() {
        [] => accept.to_owned(),
        ways => format!("{}, or {accept}", ways.join(", ")),
    }
}

/// Returns the message for a line of play that shows the contrary of a question.
fn refuted(check: &QuestionCheck, (path, round): (usize, usize)) -> String {
    let answers = |count: usize| counted(count, "answer");
    match (&check.sought, check.turns) {
        (Sought::NoCycle, _) => {
            format!("there is a cycle: after {}, {} lead back to the same position", answers(path), answers(round))
        }
        (Sought::EveryLineEnds, None) => {
            format!(
                "play may go on forever: after {}, {} lead back to the same position",
                answers(path),
                answers(round)
            )
        }
        (Sought::EveryLineEnds, Some(turns)) => {
            format!("the game may last longer than {}", counted(turns, "turn"))
        }
        _ if path == 0 => "it is so already".to_owned(),
        _ => format!("it can become so, by {}", answers(path)),
    }
}

/// Returns the message for something that no line of play leads to.
fn unfound(check: &QuestionCheck) -> String {
    match check.sought {
        Sought::Cycle => "play never comes back to a position".to_owned(),
        _ => "no line of play leads there".to_owned(),
    }
}
