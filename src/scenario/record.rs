//! A game that was played out, written as a scenario that passes.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use crate::scenario::plan::cards;
use crate::scenario::plan::model::StepKind;
use crate::scenario::plan::properties::owner_name;
use crate::scenario::run::runner;
use crate::scenario::run::scenes::known_faces;
use crate::scenario::stage::Stage;
use crate::play::{Ending, Feed, Machine, Played, Reader};
use crate::rules::Reply;
use crate::table::{
    BoardSpec, Cell, Dealing, DieId, Names, Outcome, Phase, PlayerId, PropertyId, PropertyKind, Setting, State, Throw,
    Value, draw,
};
use crate::trace::{Answer, Ask, Decision, Question};

/// Gives recorded answers in their order, and none behind them.
struct Tape(VecDeque<Answer>);

impl Reader for Tape {
    fn read(&mut self, _: &Ask, _: &State) -> Reply {
        self.0.pop_front().map_or(Reply::Pause, Reply::Answer)
    }
}

impl Stage {
    /// Returns a game that was played from here as a scenario called `title`; `about` are lines of comment.
    ///
    /// A game that came to its end, or was stopped, ends with what can be expected there. One in which the rules went
    /// wrong has the answers up to there.
    #[must_use]
    pub fn record(&self, title: &str, about: &[String], game: &Played) -> String {
        let names = Names { schema: self.schema(), board: &self.plan.start.table.board };
        let mut lines: Vec<String> = about.iter().map(|line| format!("# {line}")).collect();
        let variant = self.set_up.as_ref().and_then(|variant| variant.as_deref()).unwrap_or_default();
        lines.push(format!("use {} {variant}", names.schema.id).trim_end().to_owned());
        lines.push(String::new());
        lines.push(format!("scenario \"{}\"", title.replace('"', "'")));
        let mut inside = self.settings(names);
        inside.extend(self.plan.steps.iter().filter_map(|step| step_line(names, &step.kind)));
        for phase in &game.answers {
            inside.extend(answer_lines(names, phase));
        }
        if let Ending::Fault(wrong) = &game.ending {
            inside.push(format!("# Here the rules go wrong: {}", wrong.message.replace('\n', " ")));
        } else {
            inside.extend(self.expectations(game));
        }
        lines.extend(inside.into_iter().map(|line| format!("  {line}")));
        lines.join("\n") + "\n"
    }

    /// House rules, options, players, and for a start that is no set-up the position.
    fn settings(&self, names: Names<'_>) -> Vec<String> {
        let (plan, table) = (&self.plan, &self.plan.start.table);
        let mut lines: Vec<String> = plan.houses.iter().map(|house| format!("with house \"{}\"", house.name)).collect();
        let mut settled: Vec<Setting> = names.schema.settled(table.variant);
        for (option, setting) in self.program.settings().unwrap_or_default() {
            if let Some(slot) = settled.get_mut(option.index()) {
                *slot = setting;
            }
        }
        for (at, option) in names.schema.options.iter().enumerate() {
            // What the game and the house rules settle needs no line.
            let Some(setting) = table.options.get(at).filter(|setting| settled.get(at) != Some(setting)) else {
                continue;
            };
            lines.push(format!("with {} = {setting}", option.name));
        }
        let (least, most) = names.schema.player_count_of(table.variant);
        let everybody = (0..names.schema.players.len()).map(PlayerId::at);
        if least != most || !everybody.eq(table.players.iter().copied()) {
            let players = table.players.iter().map(|player| names.schema.player_name(*player));
            lines.push(format!("players {}", players.collect::<Vec<_>>().join(" ")));
        }
        if self.set_up.is_none() {
            lines.extend(position(&plan.start, names));
        }
        lines
    }

    /// What is so at the end, by playing the answers again.
    fn expectations(&self, game: &Played) -> Vec<String> {
        let mut answers: VecDeque<Answer> = game.answers.iter().flatten().map(|(_, answer)| answer.clone()).collect();
        let last = answers.pop_back();
        runner::play(&self.plan, &self.program, |machine, _| {
            let mut machine = machine.clone();
            play_on(&mut machine, answers);
            let told = machine.events().count();
            play_on(&mut machine, last.into_iter().collect());
            end_lines(&machine, told)
        })
    }
}

fn play_on(machine: &mut Machine<'_>, answers: VecDeque<Answer>) {
    let feed: Feed = Rc::new(RefCell::new(Tape(answers)));
    machine.go_on(&feed);
}

/// What is so where a machine stands; the events from number `told` on.
fn end_lines(machine: &Machine<'_>, told: usize) -> Vec<String> {
    let (names, state) = (machine.names(), machine.state());
    let player = |player: &PlayerId| names.schema.player_name(*player).to_owned();
    let mut lines = vec![match &state.outcome {
        None => "expect not over".to_owned(),
        Some(Outcome::Draw) => "expect draw".to_owned(),
        Some(Outcome::Nobody) => "expect nobody wins".to_owned(),
        Some(Outcome::Won(winners)) => match winners.as_slice() {
            [] => "expect over".to_owned(),
            [one] => format!("expect winner {}", player(one)),
            several => format!("expect winners {}", several.iter().map(player).collect::<Vec<_>>().join(" ")),
        },
    }];
    lines.extend(state.board().has_cells().then(|| "expect board".to_owned()));
    lines.extend(drawing(state));
    let events: Vec<String> = machine.events().skip(told).map(|event| format!("  > {}", event.write(names))).collect();
    if !events.is_empty() {
        lines.push("expect events".to_owned());
        lines.extend(events);
    }
    lines
}

fn drawing(state: &State) -> Vec<String> {
    draw(state, |_| false).rows_of_a_file().map(|row| format!("  | {row}")).collect()
}

/// Returns a position in full.
fn position(state: &State, names: Names<'_>) -> Vec<String> {
    let (schema, table) = (names.schema, &state.table);
    let mut lines = Vec::new();
    for (piece, size) in schema.pieces.iter().zip(&table.sizes) {
        if schema.kinds.get(piece.kind.index()).is_some_and(|kind| kind.size != *size) {
            lines.push(format!("piece {} size {}x{}", piece.name, size.0, size.1));
        }
    }
    let rows = table.board.rows();
    lines.extend(match schema.board {
        BoardSpec::Grid(..) => {
            Some(format!("board grid {}x{}", rows.first().map_or(0, |row| row.cells.len()), rows.len()))
        }
        BoardSpec::Open => Some("board open".to_owned()),
        BoardSpec::Framed(..) => Some(format!("board grid {}", table.board.words())),
        BoardSpec::Hex(_) => Some(format!("board hex {}", rows.len().div_ceil(2))),
        BoardSpec::Track(_) => Some(format!("board track {}", rows.iter().map(|row| row.cells.len()).sum::<usize>())),
        BoardSpec::None => None,
    });
    lines.extend(drawing(state));
    if table.arrows != schema.arrows {
        let arrow = |(from, to): &(Cell, Cell)| format!("{} -> {}", table.board.name(*from), table.board.name(*to));
        let arrows: Vec<String> = table.arrows.iter().map(arrow).collect();
        lines.push(format!("arrow {}", if arrows.is_empty() { "none".to_owned() } else { arrows.join(", ") }));
    }
    lines.extend(cards::lines(state).into_iter().map(|(_, line)| line));
    for (at, property) in schema.properties.iter().enumerate() {
        for owner in schema.owners(property.each) {
            let id = PropertyId::at(at);
            let value = state.value(id, owner).unwrap_or(&property.initial);
            // What the drawing shows is not said twice.
            if *value == property.initial || state.is_in_drawing(id, owner) {
                continue;
            }
            let who = owner_name(schema, owner);
            lines.push(match &property.kind {
                PropertyKind::Flag => format!("set {who} {}", property.name),
                PropertyKind::Value(kind) => format!("set {who}.{} {}", property.name, names.write(Some(kind), value)),
                PropertyKind::Counter { .. } => format!("set {who}.{} {}", property.name, names.write(None, value)),
            });
        }
    }
    lines.extend(known_faces(state, names).into_iter().map(|said| format!("set {said}")));
    lines
}

/// Returns a line of play as the start has it.
fn step_line(names: Names<'_>, step: &StepKind) -> Option<String> {
    let call = |word: &str, phase: &Phase| {
        if let Some(dealing) = Dealing::of(phase) {
            return dealing.write(names.schema);
        }
        let args = phase.args.iter().map(|value| match value {
            Value::Text(text) => format!(" \"{text}\""),
            other => format!(" {}", names.write(None, other)),
        });
        format!("{word} {}{}", phase.name, args.collect::<String>())
    };
    match step {
        StepKind::Turn(player) => Some(format!("turn {}", names.schema.player_name(*player))),
        StepKind::Resume(phase, _) => Some(call("resume", phase)),
        StepKind::Do(phase, _) => Some(call("do", phase)),
        StepKind::Setup(_) => Some("setup".to_owned()),
        StepKind::Shuffle(zone, order) => {
            let mut words: Vec<String> = order.order().iter().map(|card| cards::quoted(names.schema, *card)).collect();
            if words.is_empty() && order.more.is_none() {
                words.push("none".to_owned());
            }
            words.extend(order.more.map(|_| "…".to_owned()));
            Some(format!("shuffle {}: {}", names.schema.zone_name(*zone), words.join(" ")))
        }
        StepKind::Roll(dice) => {
            let shown: Vec<(DieId, Throw)> = dice.iter().map(|(die, throw, _)| (*die, throw.clone())).collect();
            Some(roll_line(names, &shown))
        }
        StepKind::Draw(zone, cards) => {
            let zone = zone.map(|zone| names.schema.zone_name(zone));
            let cards = cards.iter().map(|(card, _)| cards::quoted(names.schema, *card));
            Some(format!("draw {}", zone.into_iter().chain(cards).collect::<Vec<_>>().join(" ")))
        }
        StepKind::Answer(player, action) => {
            Some(format!("{} {}", names.schema.player_name(*player), action.write(names)))
        }
        StepKind::Agree => Some("agree draw".to_owned()),
        StepKind::Refuse { .. } | StepKind::Expect(_) => None,
    }
}

/// Returns the answers of one phase; dice that are rolled one after another stand on one line.
pub(crate) fn answer_lines(names: Names<'_>, answers: &[(Ask, Answer)]) -> Vec<String> {
    let mut lines = Vec::new();
    let mut dice: Vec<(DieId, Throw)> = Vec::new();
    for (ask, answer) in answers {
        if let (Question::Roll(die), Answer::Rolled(throw)) = (&ask.question, answer) {
            if dice.iter().any(|(other, _)| other == die) {
                lines.push(roll_line(names, &std::mem::take(&mut dice)));
            }
            dice.push((*die, throw.clone()));
            continue;
        }
        if !dice.is_empty() {
            lines.push(roll_line(names, &std::mem::take(&mut dice)));
        }
        let decided = |decision: &Decision, at: usize| {
            let option = decision.options.get(at).map(|option| option.write(names)).unwrap_or_default();
            format!("{} {option}", names.schema.player_name(decision.player))
        };
        match (&ask.question, answer) {
            (Question::Draw(_), Answer::Drawn(_)) => lines.extend(ask.question.write_chance(names, answer)),
            (Question::Choose(decision), Answer::Chosen(at)) => lines.push(decided(decision, *at)),
            (Question::ChooseAll(all), Answer::AllChosen(chosen)) => {
                lines.extend(all.iter().zip(chosen).map(|(decision, at)| decided(decision, *at)));
            }
            _ => {}
        }
    }
    if !dice.is_empty() {
        lines.push(roll_line(names, &dice));
    }
    lines
}

fn roll_line(names: Names<'_>, dice: &[(DieId, Throw)]) -> String {
    let one = |(die, throw): &(DieId, Throw)| {
        let die = names.schema.dice.get(die.index())?;
        Some(format!("{} {}", die.name, die.write(names, throw)).trim_start().to_owned())
    };
    format!("roll {}", dice.iter().filter_map(one).collect::<Vec<_>>().join(", "))
}
