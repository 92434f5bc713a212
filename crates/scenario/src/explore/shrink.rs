//! Shrinks a game with a finding to the shortest scenario that shows the same finding.

use std::collections::HashMap;
use std::path::Path;

use super::case::{Case, drawn};
use super::finding::{Finding, Kind};
use super::hunt::{Hunt, answered};
use super::invariant::Invariant;
use super::minimal::minimal;
use super::replay::Replay;
use crate::explore::case::Position;
use crate::loader::Loader;
use crate::plan::model::Judged;
use crate::run::runner;
use crate::write::witness::cell_of_table;
use referee_diagnostic::Diagnostic;
use referee_play::{Leg, Machine, Played, Stop, pause_key, retrace};
use referee_trace::{Answer, Ask};

/// The most scenarios that are tried for one finding.
const TRIES: usize = 4000;
/// The most phases of a game that are tried as the beginning of a scenario.
const BEGINNINGS: usize = 400;
/// The most answers of a game that are searched for a loop.
const LONGEST: usize = 20_000;
/// The most answers after the first loop that are searched for a shorter one.
const LONGER: usize = 2000;

/// The shortest scenario for a finding.
pub struct Shrunk {
    /// The message, as the scenario shows it.
    pub diagnostic: Diagnostic,
    /// The scenario.
    pub text: String,
    /// Whether the scenario shows the finding when it is played. If not, it is the whole game.
    pub shows: bool,
    /// The number of its answers.
    pub answers: usize,
}

/// How a finding was found.
#[derive(Clone, Copy)]
pub enum Evidence<'e> {
    /// In the random game with this number.
    Game(u64),
    /// By this line of play from the start.
    Line(&'e [(Ask, Answer)]),
}

/// Returns the shortest scenario found that shows a finding, beginning with this comment; `file` is the
/// file whose folder decides where games are searched for.
pub fn shrink(
    loader: &mut Loader<'_>,
    file: &Path,
    hunt: &Hunt<'_>,
    (finding, evidence): (&Finding, Evidence<'_>),
    comment: &str,
) -> Shrunk {
    let at_once = hunt.broken_in(&hunt.stage.plan.start, Judged::looks_at_start).is_some();
    let diagnostic = finding.diagnostic.clone();
    let mut shrinker =
        Shrinker { loader, file, hunt, finding, evidence, left: TRIES, diagnostic, loops: false, at_once };
    let (first, shows) = shrinker.first();
    let case = if shows { shrinker.smallest(first) } else { first };
    let (title, tail) = shrinker.words(shows);
    let answers = case.lead.len() + case.answers.len();
    let text = case.text(&[comment.to_owned()], &title, &tail);
    Shrunk { diagnostic: shrinker.diagnostic, text, shows, answers }
}

/// Returns the answers of a game.
fn all(answers: &[Vec<(Ask, Answer)>]) -> Vec<Answer> {
    answers.iter().flatten().map(|(_, answer)| answer.clone()).collect()
}

/// Returns the number of answers before each of the last phases of a game with `count` answers.
fn answers_before(legs: &[Leg], count: usize) -> Vec<usize> {
    // Answers in the rest of a phase at the start belong to none of these phases.
    let mut sum = count.saturating_sub(legs.iter().map(|leg| leg.answers.len()).sum());
    let before = legs.iter().map(|leg| {
        let before = sum;
        sum += leg.answers.len();
        before
    });
    before.collect()
}

/// Keeps the first `count` of the answers in these phases.
fn truncate(answers: &mut Vec<Vec<(Ask, Answer)>>, count: usize) {
    let mut left = count;
    for phase in answers.iter_mut() {
        phase.truncate(left);
        left -= phase.len();
    }
    answers.retain(|phase| !phase.is_empty());
}

/// The search for the shortest scenario of one finding.
struct Shrinker<'s, 'l, 'h> {
    loader: &'l mut Loader<'h>,
    file: &'s Path,
    hunt: &'s Hunt<'s>,
    finding: &'s Finding,
    evidence: Evidence<'s>,
    /// The number of scenarios that may still be tried.
    left: usize,
    /// The message, as the best scenario so far shows it.
    diagnostic: Diagnostic,
    /// Whether the scenario shows a loop of play.
    loops: bool,
    /// Whether an invariant is not true at the start of every game.
    at_once: bool,
}

impl Shrinker<'_, '_, '_> {
    /// Returns whether a case shows the finding.
    fn shows(&mut self, case: &Case) -> bool {
        if self.left == 0 {
            return false;
        }
        self.left -= 1;
        let Some(replay) = Replay::of(self.loader, self.file, case.text(&[], "", &[])) else { return false };
        let key = &self.finding.key;
        // An invariant that is not true in a position that was made up shows nothing: play never comes there.
        let may_break = match key.kind {
            Kind::Broken(at) if self.at_once => Some(at),
            _ => None,
        };
        if !replay.holds_at_first(may_break) {
            return false;
        }
        match key.kind {
            Kind::Fault | Kind::Broken(_) => match replay.failure((key, &self.finding.diagnostic.message)) {
                Some(diagnostic) => {
                    if key.kind == Kind::Fault {
                        self.diagnostic = diagnostic;
                    }
                    true
                }
                None => false,
            },
            Kind::Unexplained => replay.ends_unexplained(key),
            Kind::Unfinished if self.loops => replay.comes_back(case.begin.len() + case.lead.len()),
            Kind::Trapped => replay.is_trap(self.hunt.bounds),
            Kind::Unfinished => replay.goes_on((self.hunt.seed, self.number()), self.hunt.max_turns),
        }
    }

    /// Returns the shortest beginning of the game from which its last answers show the finding. If no scenario shows it,
    /// returns the whole game and `false`.
    fn first(&mut self) -> (Case, bool) {
        let stage = self.hunt.stage;
        let mut game = match self.evidence {
            Evidence::Game(number) => self.hunt.play(number, true),
            Evidence::Line(line) => return self.of_line(line),
        };
        match self.finding.key.kind {
            Kind::Unfinished => {
                let found = self.endless(&game);
                return match found {
                    Some(case) => (case, true),
                    None => (self.dressed(Case::whole(stage, &game.answers)), false),
                };
            }
            Kind::Broken(_) => {
                let given = self.hunt.broken(&game).map(|(_, given)| given);
                given.into_iter().for_each(|given| truncate(&mut game.answers, given));
            }
            Kind::Fault | Kind::Unexplained | Kind::Trapped => {}
        }
        self.latest(&game.answers)
    }

    /// Returns the shortest beginning of a line of play.
    fn of_line(&mut self, line: &[(Ask, Answer)]) -> (Case, bool) {
        // The phases are not known, so each answer has a line of its own.
        self.latest(&line.iter().map(|answered| vec![answered.clone()]).collect::<Vec<_>>())
    }

    /// Returns the number of the random game; 1 if there is none.
    const fn number(&self) -> u64 {
        match self.evidence {
            Evidence::Game(number) => number,
            Evidence::Line(_) => 1,
        }
    }

    /// Returns the case that begins as late as possible and shows the finding with the last of these answers. If none
    /// does, returns the whole game and `false`.
    fn latest(&mut self, played: &[Vec<(Ask, Answer)>]) -> (Case, bool) {
        let stage = self.hunt.stage;
        let answers = all(played);
        let count = answers.len();
        let legs = retrace(&stage.program, &stage.start, answers);
        let before = answers_before(&legs, count);
        for (at, before) in before.iter().enumerate().rev().take(BEGINNINGS) {
            let case = Case::from_phase(stage, legs.get(at..).unwrap_or_default(), 0, count - before);
            let Some(case) = case.map(|case| self.dressed(case)) else { continue };
            if self.shows(&case) {
                return (case, true);
            }
        }
        let whole = self.dressed(Case::whole(stage, played));
        if !self.shows(&whole) {
            return (whole, false);
        }
        (self.drawn_out(whole), true)
    }

    /// Returns the case with its start written as a position, if it still shows the finding.
    fn drawn_out(&mut self, case: Case) -> Case {
        let drawn_out = case.clone().drawn_out(self.hunt.stage);
        if self.shows(&drawn_out) { drawn_out } else { case }
    }

    /// Returns a case that comes back to a pause where it was; otherwise one from whose end the same random game does
    /// not end either.
    fn endless(&mut self, game: &Played) -> Option<Case> {
        let stage = self.hunt.stage;
        let mut answers = all(&game.answers);
        if let Some((first, last)) = self.looped(&answers) {
            self.loops = true;
            let legs = retrace(&stage.program, &stage.start, answers.iter().take(last).cloned().collect());
            let before = answers_before(&legs, last);
            let beginnings = before.iter().enumerate().rev().filter(|(_, before)| **before <= first).take(BEGINNINGS);
            for (at, before) in beginnings {
                let legs = legs.get(at..).unwrap_or_default();
                let case = Case::from_phase(stage, legs, first - before, last - first);
                if let Some(case) = case.map(|case| self.dressed(case)).filter(|case| self.shows(case)) {
                    return Some(case);
                }
            }
            let case = self.dressed(Case::looped(stage, &game.answers, first, last - first));
            if self.shows(&case) {
                return Some(self.drawn_out(case));
            }
        }
        self.loops = false;
        answers.truncate(LONGEST);
        let legs = retrace(&stage.program, &stage.start, answers);
        let turns = legs.iter().rev().filter(|leg| leg.is_turn()).take(BEGINNINGS);
        for leg in turns {
            let case = Case::from_phase(stage, std::slice::from_ref(leg), 0, 0).map(|case| self.dressed(case));
            if let Some(case) = case.filter(|case| self.shows(case)) {
                return Some(case);
            }
        }
        None
    }

    /// Returns the shortest loop in a game: the numbers of answers before two equal pauses.
    fn looped(&self, answers: &[Answer]) -> Option<(usize, usize)> {
        let stage = self.hunt.stage;
        runner::play(&stage.plan, &stage.program, |machine, _| {
            let mut machine: Machine<'_> = machine.clone();
            let mut seen = HashMap::new();
            let mut best: Option<(usize, usize)> = None;
            for (at, answer) in answers.iter().take(LONGEST).enumerate() {
                let found = best.is_some_and(|(first, last)| last == first + 1 || at > last + LONGER);
                if found || !matches!(machine.stop(), Stop::Paused(_)) {
                    break;
                }
                if let Some(earlier) = pause_key(&machine).and_then(|key| seen.insert(key, at))
                    && best.is_none_or(|(first, last)| at - earlier < last - first)
                {
                    best = Some((earlier, at));
                }
                answered(&mut machine, answer.clone());
            }
            best
        })
    }

    /// Returns a case with all invariants, in their order: what is shown satisfies each but the one of the finding.
    fn dressed(&self, case: Case) -> Case {
        let always = self.hunt.invariants.iter().map(Invariant::line).collect();
        Case { always, table: self.table(), ..case }
    }

    /// Returns the table with the values that the invariants use. Those of a scenario share its placeholders, and those of
    /// the command line have none.
    fn table(&self) -> Vec<String> {
        let names = super::case::names_of(self.hunt.stage);
        let word = |letter: char| letter.is_alphanumeric() || letter == '_';
        let is_in = |invariant: &Invariant, name: &str| {
            invariant.words().split(|letter| !word(letter)).any(|part| part == name)
        };
        let invariants = self.hunt.invariants;
        let Some(first) = invariants.iter().find(|one| one.placeholders().iter().next().is_some()) else {
            return Vec::new();
        };
        let of_scenario = || invariants.iter().filter(|one| one.placeholders().iter().next().is_some());
        let used = |name: &str| of_scenario().any(|one| is_in(one, name));
        let used: Vec<_> = first.placeholders().iter().filter(|(name, _)| used(name)).collect();
        if used.is_empty() {
            return Vec::new();
        }
        let row = |cells: Vec<String>| format!("  | {} |", cells.join(" | "));
        let head = used.iter().map(|(name, _)| name.clone()).collect();
        let values = used.iter().map(|(_, value)| cell_of_table(names, value)).collect();
        vec!["examples".to_owned(), row(head), row(values)]
    }

    /// Returns the smallest case that still shows the finding: fewest answers, then fewest pieces and facts, then the
    /// smallest board.
    fn smallest(&mut self, first: Case) -> Case {
        let mut case = first;
        let kind = self.finding.key.kind;
        if kind == Kind::Trapped || kind == Kind::Unfinished && !self.loops {
            // Without its pieces, no game would end.
            return case;
        }
        loop {
            let before = case.text(&[], "", &[]);
            let answers =
                minimal(&case.answers, |answers| self.shows(&Case { answers: answers.to_vec(), ..case.clone() }));
            case.answers = answers;
            let lead = minimal(&case.lead, |lead| self.shows(&Case { lead: lead.to_vec(), ..case.clone() }));
            case.lead = lead;
            let pieces = minimal(&case.pieces(), |kept| self.shows(&case.with_pieces(kept)));
            case = case.with_pieces(&pieces);
            let facts = minimal(case.facts(), |facts| self.shows(&case.with_facts(facts)));
            case = case.with_facts(&facts);
            case.head = self.fewer_settings(&case);
            if case.text(&[], "", &[]) == before {
                break;
            }
        }
        while let Some(smaller) = self.cropped(&case) {
            case = smaller;
        }
        // The last scenario that was tried may have had another message.
        let _ = self.left.checked_sub(1).map(|_| self.shows(&case));
        case
    }

    /// Returns the lines of house rules, options and players without those that are not needed. What the user has given
    /// stays: house rules and options, which are written only where they are given, and players who were named.
    fn fewer_settings(&mut self, case: &Case) -> Vec<String> {
        let is_given = |line: &String| self.hunt.names_players || !line.starts_with("players ");
        let (given, free): (Vec<String>, Vec<String>) = case.head.iter().cloned().partition(is_given);
        let with = |free: &[String]| [&given[..], free].concat();
        let free = minimal(&free, |free| self.shows(&Case { head: with(free), ..case.clone() }));
        with(&free)
    }

    /// Returns the case on a smaller board.
    fn cropped(&mut self, case: &Case) -> Option<Case> {
        drawn(case)?.smaller().into_iter().find_map(|cropped| {
            let smaller = Case {
                position: Position::Drawn(cropped.drawn.clone(), cropped.lines(case.facts())?),
                begin: cropped.lines(&case.begin)?,
                lead: cropped.lines(&case.lead)?,
                answers: cropped.lines(&case.answers)?,
                ..case.clone()
            };
            self.shows(&smaller).then_some(smaller)
        })
    }

    /// Returns the title for an error of the rules.
    fn place(&self) -> String {
        let place = self.diagnostic.labels.first().filter(|label| label.source.is_file()).map(|label| {
            let file = label.source.name().rsplit('/').next().unwrap_or_default();
            format!(" at {file}, line {}", label.source.line(label.span.start))
        });
        format!("The rules stop{}", place.unwrap_or_default())
    }

    /// Returns the title of the scenario and its last lines. Each scenario fails as long as the rules have the hole.
    fn words(&self, shows: bool) -> (String, Vec<String>) {
        let message = self.diagnostic.message.lines().next().unwrap_or_default();
        let comment = |text: &str| format!("# {text}");
        match self.finding.key.kind {
            Kind::Fault => (self.place(), vec![comment(&format!("Here the rules stop with an error: {message}"))]),
            Kind::Broken(_) => ("An invariant does not hold".to_owned(), Vec::new()),
            Kind::Unexplained => (
                "The game ends without a clause".to_owned(),
                vec![comment("No clause of the rulebook explains this end."), "expect not over".to_owned()],
            ),
            Kind::Trapped => (
                "Play cannot end".to_owned(),
                vec![comment("No line of play from here ends."), "expect reachable over".to_owned()],
            ),
            Kind::Unfinished if self.loops && shows => {
                let tail = vec![comment("Here play is where it was before these answers, so it need not end.")];
                (
                    "Play comes back to where it was".to_owned(),
                    tail.into_iter().chain(["expect over".to_owned()]).collect(),
                )
            }
            Kind::Unfinished => {
                let (seed, number, turns) = (self.hunt.seed, self.number(), self.hunt.max_turns);
                let note = format!("From here, game {number} of seed {seed} is not over after {turns} turns.");
                ("Play does not end".to_owned(), vec![comment(&note), "expect over".to_owned()])
            }
        }
    }
}
