//! A scenario that may show a finding, in parts that can be left out.

use super::crop::Drawn;
use crate::plan::model::StepKind;
use crate::stage::{Begins, Stage};
use crate::write::answers::{answer_lines, step_line};
use crate::write::start::settings;
use crate::write::state::layout_lines;
use referee_play::Leg;
use referee_source::quoted;
use referee_table::{Cell, Names, State, Value};
use referee_trace::{Answer, Ask};

/// The position of a case.
#[derive(Clone)]
pub(super) enum Position {
    /// That of the stage, as lines; none for a set-up.
    Stage(Vec<String>),
    /// A state, of which only these lines about values, zones and sizes are written.
    Of(Box<State>, Vec<String>),
    /// A drawing on a board of another size, with lines about values, zones and sizes.
    Drawn(Drawn, Vec<String>),
}

/// A scenario that may show a finding: its parts in the order of its lines.
#[derive(Clone)]
pub(super) struct Case {
    /// The line `use`.
    pub(super) used: String,
    /// House rules, options and players.
    pub(super) head: Vec<String>,
    pub(super) position: Position,
    /// The invariants.
    pub(super) always: Vec<String>,
    /// The lines that begin the play.
    pub(super) begin: Vec<String>,
    /// The answers before the loop, for play that does not end; otherwise none.
    pub(super) lead: Vec<String>,
    /// The answers.
    pub(super) answers: Vec<String>,
    /// The table with the values that the invariants use.
    pub(super) table: Vec<String>,
}

impl Case {
    /// Returns the case of a game from the start of its stage, with these answers in their phases.
    pub(super) fn whole(stage: &Stage, answers: &[Vec<(Ask, Answer)>]) -> Self {
        let names = names_of(stage);
        Self {
            used: stage.used(),
            head: settings(&stage.plan, &stage.program, names),
            position: Position::Stage(match stage.begins {
                Begins::SetUp(_) => Vec::new(),
                Begins::Scenario => layout_lines(&stage.plan.start),
            }),
            always: Vec::new(),
            begin: stage.plan.steps.iter().filter_map(|step| step_line(names, &step.kind)).collect(),
            lead: Vec::new(),
            answers: answers.iter().flat_map(|phase| answer_lines(names, phase)).collect(),
            table: Vec::new(),
        }
    }

    /// Returns the case of a game from the start of its stage, with `count` answers after the first `lead`.
    pub(super) fn looped(stage: &Stage, answers: &[Vec<(Ask, Answer)>], lead: usize, count: usize) -> Self {
        let names = names_of(stage);
        let flat: Vec<(Ask, Answer)> = answers.iter().flatten().take(lead + count).cloned().collect();
        let (before, after) = flat.split_at(lead.min(flat.len()));
        Self { lead: answer_lines(names, before), answers: answer_lines(names, after), ..Self::whole(stage, &[]) }
    }

    /// Returns the case with the start of its stage written as a position, from which pieces can be left out.
    pub(super) fn drawn_out(self, stage: &Stage) -> Self {
        let state = stage.plan.start.clone();
        let (_, facts) = divided(&state);
        Self { position: Position::Of(Box::new(state), facts), ..self }
    }

    /// Returns the case that begins with the first of these phases of a game. After `lead` answers come those of
    /// [`Case::answers`], `count` of them. Returns `None` if a line cannot begin the phase.
    pub(super) fn from_phase(stage: &Stage, legs: &[Leg], lead: usize, count: usize) -> Option<Self> {
        let leg = legs.first()?;
        let names = Names { schema: stage.schema(), board: leg.state.board() };
        let begin = match leg.phase.args.as_slice() {
            [Value::Player(player)] if leg.is_turn() => StepKind::Turn(*player),
            _ => StepKind::Resume(leg.phase.clone(), None),
        };
        let (drawn, facts) = divided(&leg.state);
        // A position without any line would be the set-up.
        let nothing = drawn.is_empty() && facts.is_empty();
        let position = Position::Of(Box::new(leg.state.clone()), facts);
        Some(Self {
            position: if nothing { Position::Stage(Vec::new()) } else { position },
            begin: vec![step_line(names, &begin)?],
            lead: lines(names, legs, 0, lead),
            answers: lines(names, legs, lead, lead + count),
            ..Self::whole(stage, &[])
        })
    }

    /// Returns the lines of the position.
    fn layout(&self) -> Vec<String> {
        match &self.position {
            Position::Stage(lines) => lines.clone(),
            Position::Of(state, facts) => {
                let (drawn, _) = divided(state);
                drawn.into_iter().chain(facts.iter().cloned()).collect()
            }
            Position::Drawn(drawn, facts) => drawn.lines().into_iter().chain(facts.iter().cloned()).collect(),
        }
    }

    /// Returns the text of the scenario, with comments above it and these lines after its last answer.
    pub(super) fn text(&self, comments: &[String], title: &str, tail: &[String]) -> String {
        let mut text: String = comments.iter().map(|line| format!("# {line}\n")).collect();
        text.push_str(&format!("{}\n\nscenario {}\n", self.used, quoted(&title.replace('\n', " "))));
        let layout = self.layout();
        let parts = [&self.head, &layout, &self.always, &self.begin, &self.lead, &self.answers];
        let lines = parts.into_iter().flatten().chain(tail).chain(&self.table);
        lines.for_each(|line| text.push_str(&format!("  {line}\n")));
        text
    }

    /// Returns the facts of the position, which can be left out one by one.
    pub(super) fn facts(&self) -> &[String] {
        match &self.position {
            Position::Stage(_) => &[],
            Position::Of(_, facts) | Position::Drawn(_, facts) => facts,
        }
    }

    /// Returns the case with other facts.
    pub(super) fn with_facts(&self, facts: &[String]) -> Self {
        let position = match &self.position {
            Position::Stage(lines) => Position::Stage(lines.clone()),
            Position::Of(state, _) => Position::Of(state.clone(), facts.to_vec()),
            Position::Drawn(drawn, _) => Position::Drawn(drawn.clone(), facts.to_vec()),
        };
        Self { position, ..self.clone() }
    }

    /// Returns a cell of each piece in the position; none if the position is not that of a state.
    pub(super) fn pieces(&self) -> Vec<Cell> {
        let Position::Of(state, _) = &self.position else { return Vec::new() };
        let mut seen = Vec::new();
        let cells = state.board().cells().filter(|cell| match state.at(*cell) {
            None => false,
            Some(piece) if state.schema().is_many(piece) || state.schema().is_back(piece) => true,
            Some(piece) => {
                let first = !seen.contains(&piece);
                seen.push(piece);
                first
            }
        });
        cells.collect()
    }

    /// Returns the case without the pieces that [`Case::pieces`] lists, except those on these cells.
    pub(super) fn with_pieces(&self, kept: &[Cell]) -> Self {
        let Position::Of(state, facts) = &self.position else { return self.clone() };
        let mut fewer = state.clone();
        self.pieces().into_iter().filter(|cell| !kept.contains(cell)).for_each(|cell| fewer.sweep(cell));
        Self { position: Position::Of(fewer, facts.clone()), ..self.clone() }
    }
}

/// Returns the names for the lines of a stage.
pub(super) fn names_of(stage: &Stage) -> Names<'_> {
    Names { schema: stage.schema(), board: &stage.plan.start.table.board }
}

/// Returns the lines of the answers from `first` up to `end`, counted from the first of these phases. Dice of different
/// phases do not share a line.
fn lines(names: Names<'_>, legs: &[Leg], first: usize, end: usize) -> Vec<String> {
    let mut before = 0;
    let mut all = Vec::new();
    for leg in legs {
        let count = leg.answers.len();
        let (from, to) = (first.saturating_sub(before).min(count), end.saturating_sub(before).min(count));
        all.extend(answer_lines(names, leg.answers.get(from..to).unwrap_or_default()));
        before += count;
    }
    all
}

/// Returns the lines that describe a state: those of the board and its drawing, and the others.
fn divided(state: &State) -> (Vec<String>, Vec<String>) {
    let drawn = |line: &String| line.starts_with("board ") || line.trim_start().starts_with('|');
    layout_lines(state).into_iter().partition(drawn)
}

/// Returns the drawing of a case's position, if its board can be made smaller.
pub(super) fn drawn(case: &Case) -> Option<Drawn> {
    match &case.position {
        Position::Of(state, _) => Drawn::of(state.board(), &divided(state).0),
        Position::Drawn(drawn, _) => Some(drawn.clone()),
        Position::Stage(_) => None,
    }
}
