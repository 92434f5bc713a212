//! Writes a game that was played as a scenario that passes.

use std::borrow::Cow;

use crate::check::facts::outcome;
use crate::plan::model::{Plan, StepKind};
use crate::run::runner;
use crate::stage::{Begins, Stage};
use crate::write::answers::{answer_lines, step_line};
use crate::write::start::{settings, settings_and_position};
use referee_play::{Ending, Machine, Played, Start, Stop, tape};
use referee_source::quoted;
use referee_table::{Names, State, draw};
use referee_trace::{Answer, Ask};

impl Stage {
    /// Returns a game that was played from here as a scenario with this title; `about` contains lines of comment.
    ///
    /// The scenario ends with expectations about the last position. If the rules failed, it ends with the last answer
    /// before the error.
    #[must_use]
    pub fn record(&self, title: &str, about: &[String], game: &Played) -> String {
        let names = Names { schema: self.schema(), board: &self.plan.start.table.board };
        let mut lines: Vec<String> = about.iter().map(|line| format!("# {line}")).collect();
        lines.push(self.used());
        lines.push(String::new());
        lines.push(format!("scenario {}", quoted(title)));
        // Cards that were dealt before the game are certain ones in its record.
        let plan = match game.dealt.is_empty() {
            true => Cow::Borrowed(&self.plan),
            false => {
                let mut plan = self.plan.clone();
                game.dealt.iter().for_each(|(zone, card)| plan.start.settle_lent(*zone, *card));
                Cow::Owned(plan)
            }
        };
        let mut inside = match self.begins {
            Begins::SetUp(_) if game.dealt.is_empty() => settings(&plan, &self.program, names),
            _ => settings_and_position(&plan, &self.program, names),
        };
        inside.extend(self.plan.steps.iter().filter_map(|step| step_line(names, &step.kind)));
        let Replayed { lines: played, end } = self.replayed(&plan, &game.answers, &game.ending);
        inside.extend(played);
        if let Ending::Fault(wrong) | Ending::Endless(wrong) = &game.ending {
            inside.push(format!("# Here the rules stop with an error: {}", wrong.message.replace('\n', " ")));
        } else {
            inside.extend(end);
        }
        lines.extend(inside.into_iter().map(|line| format!("  {line}")));
        lines.join("\n") + "\n"
    }

    /// Returns the line `use`.
    pub(crate) fn used(&self) -> String {
        let variant = self.variant().unwrap_or_default();
        format!("use {} {variant}", self.schema().id).trim_end().to_owned()
    }

    /// Plays answers of a game again and returns expectations about the last position.
    pub(crate) fn expectations(&self, answers: &[Vec<(Ask, Answer)>], ending: &Ending) -> Vec<String> {
        self.replayed(&self.plan, answers, ending).end
    }

    /// Plays the answers again. After a line `do`, play ends with its procedure: the next turn then begins with a line.
    fn replayed(&self, plan: &Plan, answers: &[Vec<(Ask, Answer)>], ending: &Ending) -> Replayed {
        let silent = tape(Vec::new());
        runner::play(plan, &self.program, |machine, _| {
            let (mut machine, mut lines, mut shown) = (machine.clone(), Vec::new(), 0);
            let begin = |machine: &mut Machine<'_>| {
                let ready = matches!(machine.stop(), Stop::Fresh | Stop::Returned);
                let player = ready.then(|| Start::of(machine).and_then(Start::next_turn)).flatten()?;
                machine.turn(player, &silent);
                step_line(machine.names(), &StepKind::Turn(player))
            };
            for phase in answers {
                let mut open = 0;
                for (at, (_, answer)) in phase.iter().enumerate() {
                    if let Some(turn) = begin(&mut machine) {
                        lines.extend(answer_lines(machine.names(), phase.get(open..at).unwrap_or_default()));
                        lines.push(turn);
                        open = at;
                    }
                    shown = machine.events().count();
                    machine.give(answer.clone());
                }
                lines.extend(answer_lines(machine.names(), phase.get(open..).unwrap_or_default()));
            }
            // A turn that asks nothing has ended the game.
            if matches!(ending, Ending::Over(_)) {
                lines.extend(begin(&mut machine));
            }
            Replayed { lines, end: end_lines(&machine, shown) }
        })
    }
}

/// A game that was played again.
struct Replayed {
    /// The lines of play.
    lines: Vec<String>,
    /// Expectations about the last position.
    end: Vec<String>,
}

/// Returns expectations about the position of a machine, with the events from index `shown`.
pub(crate) fn end_lines(machine: &Machine<'_>, shown: usize) -> Vec<String> {
    let (names, state) = (machine.names(), machine.state());
    let mut lines = vec![format!("expect {}", outcome(names, state.outcome.as_ref()))];
    lines.extend(state.board().has_cells().then(|| "expect board".to_owned()));
    lines.extend(drawing(state));
    let events: Vec<String> = machine.events().skip(shown).map(|event| format!("  > {}", event.write(names))).collect();
    if !events.is_empty() {
        lines.push("expect events".to_owned());
        lines.extend(events);
    }
    lines
}

fn drawing(state: &State) -> Vec<String> {
    draw(state, |_| false).lines_of_a_file()
}
