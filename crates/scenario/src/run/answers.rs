//! The answers of a scenario's lines, in the order of the file.

use std::sync::Arc;

use crate::check::marks::{other_paths, wrong_marks};
use crate::plan::actions::same;
use crate::plan::model::{Step, StepKind};
use crate::write::answers::shorten;
use referee_diagnostic::{Code, Diagnostic, one_of};
use referee_play::AnswerSource;
use referee_rules::Reply;
use referee_source::{Source, Span};
use referee_table::{DieId, Names, Order, PieceId, State, Throw, ZoneId};
use referee_trace::{Action, Answer, Ask, Decision, Question};

/// An answer source that reads steps from index `at`, up to the next step that is not an answer.
pub(crate) struct ScenarioAnswers {
    source: Arc<Source>,
    steps: Arc<[Step]>,
    at: usize,
    /// The step that begins a branch. Play pauses before it, even between two answers.
    barrier: Option<usize>,
    /// The step before which play pauses, in a run line by line.
    limit: Option<usize>,
    /// The dice of the current `roll` line for which the rules have not asked yet.
    dice: Option<Vec<(DieId, Throw, Span)>>,
    /// The cards of the current `draw` line that are not drawn yet.
    cards: Option<Vec<(PieceId, Span)>>,
    /// The zone that the `draw` line names.
    drawn_from: Option<ZoneId>,
    /// The answers of a simultaneous decision collected so far.
    part: Option<Vec<Option<usize>>>,
    /// The step with an answer to an open ask, before which play pauses until it is judged.
    waiting: Option<usize>,
    /// The step with an answer to an open ask that the rules do not refuse.
    accepted: Option<usize>,
    /// Why an answer does not fit.
    pub(crate) refused: Option<Refused>,
    /// The questions that were answered, if they are to be kept.
    answered: Option<Vec<Question>>,
    /// For each answer since play last continued, the step with it.
    read: Vec<usize>,
}

/// Why an answer of a line does not fit.
pub(crate) enum Refused {
    /// It is an option, but its marks `x` and `-` are wrong.
    WrongMarks(Diagnostic),
    /// It is not what the rules ask, or no option.
    Unfit(Diagnostic),
}

impl ScenarioAnswers {
    pub(crate) const fn new(source: Arc<Source>, steps: Arc<[Step]>, barrier: Option<usize>) -> Self {
        Self {
            source,
            steps,
            at: 0,
            barrier,
            limit: None,
            dice: None,
            cards: None,
            drawn_from: None,
            part: None,
            waiting: None,
            accepted: None,
            refused: None,
            answered: None,
            read: Vec::new(),
        }
    }

    /// Keeps the questions that are answered.
    pub(crate) fn keep(&mut self) {
        self.answered = Some(Vec::new());
    }

    /// Takes the questions that were answered.
    pub(crate) fn take_answered(&mut self) -> Vec<Question> {
        self.answered.take().unwrap_or_default()
    }

    /// Lets play pause after each line.
    pub(crate) fn line_by_line(self) -> Self {
        Self { limit: Some(0), ..self }
    }

    /// Continues to read at step `at`, while play runs step `taken`.
    pub(crate) fn set(&mut self, at: usize, taken: usize) {
        self.at = at;
        self.read.clear();
        self.dice = None;
        self.cards = None;
        self.limit = self.limit.map(|_| taken + 1);
        if self.barrier.is_some_and(|barrier| taken >= barrier) {
            self.barrier = None;
        }
    }

    /// Takes the step with an answer to an open ask, if play has paused before it.
    pub(crate) const fn take_waiting(&mut self) -> Option<usize> {
        self.waiting.take()
    }

    /// Takes an answer to an open ask for right when play goes on.
    pub(crate) const fn accept(&mut self, step: usize) {
        self.accepted = Some(step);
    }

    /// Returns whether some, but not all, of the players who are asked at once have answered.
    pub(crate) const fn is_partly_answered(&self) -> bool {
        self.part.is_some()
    }

    /// Returns whether the decision at this place of a question to several players still needs an answer.
    pub(crate) fn owes(&self, place: usize) -> bool {
        let given = self.part.as_ref().and_then(|part| part.get(place));
        !matches!(given, Some(Some(_)))
    }

    /// Returns the current step, if it is an answer that may be read now.
    fn answer(&self) -> Option<Step> {
        let before = |step: Option<usize>| step.is_none_or(|step| self.at < step);
        let open = before(self.barrier) && before(self.limit);
        self.steps.get(self.at).filter(|step| open && step.is_answer()).cloned()
    }

    /// Returns the step with the last of `count` answers since play last continued; `None` before the first.
    pub(crate) fn step_of(&self, count: usize) -> Option<&Step> {
        self.steps.get(*self.read.get(count.checked_sub(1)?)?)
    }

    /// Returns the index of the first step that was not read.
    pub(crate) const fn at(&self) -> usize {
        self.at
    }

    /// Returns the remaining dice or cards of a line of which the rules have asked for others.
    pub(crate) fn left_over(&self, names: Names<'_>) -> Option<(Vec<String>, Span)> {
        if let Some(dice) = &self.dice {
            let words = dice.iter().map(|(die, _, _)| Question::Roll(*die).write(names));
            return Some((words.collect(), dice.first()?.2));
        }
        let cards = self.cards.as_ref()?;
        let words = cards.iter().map(|(card, _)| format!("draw {}", names.schema.piece_name(*card)));
        Some((words.collect(), cards.first()?.1))
    }

    /// Refuses an ask that comes while cards of a `draw` line are left.
    fn cards_left(&mut self, asked: &str) -> Option<Reply> {
        let (_, span) = *self.cards.as_ref()?.first()?;
        let message = format!("the rules ask `{asked}` here; this card does not answer it");
        Some(self.refuse(
            span,
            Code::WrongAnswer,
            message,
            "remove the card, or write it on a line of its own".to_owned(),
        ))
    }

    fn draw(&mut self, zone: ZoneId, state: &State, names: Names<'_>, asked: &str) -> Option<Reply> {
        if self.cards.is_none() {
            let step = self.answer()?;
            match (&step.kind, &self.dice) {
                (StepKind::Draw(from, cards), _) if from.is_none_or(|from| from == zone) => {
                    self.cards = Some(cards.clone());
                    self.drawn_from = *from;
                }
                _ => {
                    let message = format!("the rules ask `{asked}` here; this line does not answer it");
                    let help = match unknown_of(state, zone) {
                        Some(lent) => format!(
                            "write `{asked} …` before this line; if the rules look at unknown cards there, it says which they are, \
                             or name them in the position: {lent}"
                        ),
                        None => format!("write `{asked} …` before this line"),
                    };
                    return Some(self.refuse(step.span, Code::WrongAnswer, message, help));
                }
            }
        }
        // A line that names its zone does not answer for another.
        if self.drawn_from.is_some_and(|from| from != zone) {
            return self.cards_left(asked);
        }
        let cards = self.cards.as_mut()?;
        if cards.is_empty() {
            return None;
        }
        let (card, span) = cards.remove(0);
        if cards.is_empty() {
            self.cards = None;
            self.at += 1;
        }
        let unknown = state.zone(zone)?;
        if unknown.bag().contains_key(&card) {
            return Some(Reply::Answer(Answer::Drawn(card)));
        }
        let name = names.schema.piece_name(card);
        let message = format!("no `{name}` is left in {}", names.schema.zone_name(zone));
        let left = unknown.bag().iter().map(|(card, count)| format!("{count} {}", names.schema.piece_name(*card)));
        let help = format!("what is left: {}", shorten(&left.collect::<Vec<_>>()));
        Some(self.refuse(span, Code::WrongDraw, message, help))
    }

    fn refuse(&mut self, span: Span, code: Code, message: String, help: String) -> Reply {
        self.refused = Some(Refused::Unfit(Diagnostic::new(code, &self.source, span, message).help(help)));
        Reply::Refuse
    }

    fn roll(&mut self, die: DieId, state: &State, names: Names<'_>, asked: &str) -> Option<Reply> {
        if self.cards.is_some() {
            return self.cards_left(asked);
        }
        if self.dice.is_none() {
            let step = self.answer()?;
            match &step.kind {
                StepKind::Roll(dice) => self.dice = Some(dice.clone()),
                kind => {
                    let message = format!("the rules ask `{asked}` here; this line does not answer it");
                    let turn = state.turn.map(|player| names.schema.player_name(player));
                    let help = match (kind, turn) {
                        (StepKind::Answer(player, _), Some(turn)) if state.turn != Some(*player) => {
                            let name = names.schema.player_name(*player);
                            format!(
                                "write `{asked} …` before this line: it is {turn}'s turn now, \
                                 so {name} has nothing to decide"
                            )
                        }
                        _ => format!("write `{asked} …` before this line"),
                    };
                    return Some(self.refuse(step.span, Code::WrongAnswer, message, help));
                }
            }
        }
        let dice = self.dice.as_mut()?;
        let span = dice.first().map(|(_, _, span)| *span);
        if let Some(place) = dice.iter().position(|(other, _, _)| *other == die) {
            let (_, value, _) = dice.remove(place);
            if dice.is_empty() {
                self.dice = None;
                self.at += 1;
            }
            return Some(Reply::Answer(Answer::Rolled(value)));
        }
        let rolled: Vec<String> = dice.iter().map(|(die, _, _)| Question::Roll(*die).write(names)).collect();
        let message = format!("the rules ask `{asked}` here, not `{}`", rolled.join("`, `"));
        let help = format!("add `{}` to this line", asked.trim_start_matches("roll "));
        Some(self.refuse(span.unwrap_or_default(), Code::WrongAnswer, message, help))
    }

    fn decide(&mut self, decision: &Decision, state: &State, names: Names<'_>) -> Option<Reply> {
        if self.cards.is_some() {
            return self.cards_left(&decision.write(names));
        }
        let step = self.answer()?;
        if let Some(dice) = &self.dice {
            let span = dice.first().map_or(step.span, |(_, _, span)| *span);
            let message = format!("the rules ask `{}` here; this die does not answer it", decision.write(names));
            return Some(self.refuse(
                span,
                Code::WrongAnswer,
                message,
                "remove the die, or write it after the decision".to_owned(),
            ));
        }
        let asked = decision.write(names);
        match &step.kind {
            StepKind::Answer(player, action) if *player == decision.player && decision.takes(action.ask) => {
                // Only where play has paused can the rules be asked whether they refuse it.
                if self.accepted.take() != Some(self.at) {
                    self.waiting = Some(self.at);
                    return None;
                }
                self.at += 1;
                Some(Reply::Answer(Answer::Said(action.clone())))
            }
            StepKind::Answer(player, action) if *player == decision.player => {
                let Some(place) = self.place_of(step.span, action, decision, names) else { return Some(Reply::Refuse) };
                self.at += 1;
                Some(Reply::Answer(Answer::Chosen(place)))
            }
            StepKind::Answer(player, _) => {
                let name = names.schema.player_name(*player);
                let message = format!("the rules ask `{asked}` here, not {name}");
                Some(self.refuse(
                    step.span,
                    Code::NotYourTurn,
                    message,
                    format!("write `{asked} …`: it is for {} to decide", names.schema.player_name(decision.player)),
                ))
            }
            _ => {
                let message = format!("the rules ask `{asked}` here, not a {}", thing(&step.kind));
                let mut zones = (0..names.schema.zones.len()).map(ZoneId::at);
                let listed = zones.find(|zone| state.order(*zone) == Order::Listed);
                let help = match listed.filter(|_| matches!(step.kind, StepKind::Draw(..))) {
                    Some(zone) => {
                        let name = names.schema.zone_name(zone);
                        format!("remove this line: `shuffle {name}: …` already names the card")
                    }
                    None => format!("write a line `{asked} …`"),
                };
                Some(self.refuse(step.span, Code::WrongAnswer, message, help))
            }
        }
    }

    /// Returns the answers of several players who decide at once, in any order. Keeps partial answers until all have
    /// answered.
    fn decide_all(&mut self, all: &[Decision], names: Names<'_>) -> Option<Reply> {
        let mut chosen = self.part.take().unwrap_or_else(|| vec![None; all.len()]);
        let reply = self.decide_each(all, &mut chosen, names);
        if !matches!(reply, Some(Reply::Answer(_))) && chosen.iter().any(Option::is_some) {
            self.part = Some(chosen);
        }
        reply
    }

    /// Reads the answers that are left of several players. Returns `None` if there are no more lines.
    fn decide_each(&mut self, all: &[Decision], chosen: &mut [Option<usize>], names: Names<'_>) -> Option<Reply> {
        while chosen.iter().any(Option::is_none) {
            let step = self.answer()?;
            let StepKind::Answer(player, action) = &step.kind else {
                return Some(self.refuse(
                    step.span,
                    Code::WrongAnswer,
                    format!("the rules ask for decisions here, not a {}", thing(&step.kind)),
                    "write a line for each player".to_owned(),
                ));
            };
            let mine =
                all.iter().zip(chosen.iter_mut()).find(|(decision, slot)| decision.player == *player && slot.is_none());
            let Some((decision, slot)) = mine else {
                let name = names.schema.player_name(*player).to_owned();
                let message = match all.iter().any(|decision| decision.player == *player) {
                    true => format!("{name} has answered already"),
                    false => format!("{name} is not asked here"),
                };
                let help = "remove this line: each player who is asked answers once".to_owned();
                return Some(self.refuse(step.span, Code::NotYourTurn, message, help));
            };
            match self.place_of(step.span, action, decision, names) {
                Some(place) => *slot = Some(place),
                None => return Some(Reply::Refuse),
            }
            self.at += 1;
        }
        Some(Reply::Answer(Answer::AllChosen(chosen.iter().copied().flatten().collect())))
    }

    /// Returns the index of the option that a line means: the identical one, otherwise the only one that fits. Records
    /// the problem if there is no such option.
    fn place_of(&mut self, span: Span, action: &Action, decision: &Decision, names: Names<'_>) -> Option<usize> {
        let options = &decision.options;
        if let Some(exact) = options.iter().position(|option| option == action) {
            return Some(exact);
        }
        let fitting = |(place, option): (usize, &Action)| same(action, option).then_some(place);
        let fitting: Vec<usize> = options.iter().enumerate().filter_map(fitting).collect();
        let written = |place: &usize| options.get(*place).map(|option| option.write(names));
        match fitting.as_slice() {
            [only] => return Some(*only),
            [] => {
                if let Some(wrong) = wrong_marks(names, action, options) {
                    self.refused = Some(Refused::WrongMarks(wrong.at(&self.source, span)));
                    return None;
                }
                let list = decision.written(names);
                let message = format!("the rules do not offer `{}`", action.write(names));
                let help = other_paths(names, action, options).unwrap_or_else(|| {
                    format!("{} may: {}", names.schema.player_name(decision.player), shorten(&list))
                });
                self.refuse(span, Code::NotAnOption, message, help);
            }
            several => {
                let list: Vec<String> = several.iter().filter_map(written).collect();
                let message = format!("`{}` fits several options", action.write(names));
                self.refuse(span, Code::Ambiguous, message, format!("write one of: {}", shorten(&list)));
            }
        }
        None
    }
}

impl AnswerSource for ScenarioAnswers {
    fn read(&mut self, ask: &Ask, state: &State) -> Reply {
        let names = Names { schema: state.schema(), board: state.board() };
        let at = self.at;
        let reply = match &ask.question {
            Question::Roll(die) => self.roll(*die, state, names, &ask.question.write(names)),
            Question::Draw(zone) => self.draw(*zone, state, names, &ask.question.write(names)),
            Question::Choose(decision) => self.decide(decision, state, names),
            Question::ChooseAll(all) => self.decide_all(all, names),
        };
        if let (Some(answered), Some(_)) = (&mut self.answered, &reply) {
            answered.push(ask.question.clone());
        }
        if let Some(Reply::Answer(_)) = &reply {
            self.read.push(at);
        }
        reply.unwrap_or(Reply::Pause)
    }
}

/// Returns the noun for the content of a chance line.
const fn thing(step: &StepKind) -> &'static str {
    if matches!(step, StepKind::Draw(..)) { "card" } else { "die" }
}

/// Returns the lines that name the cards of zones with unknown cards that come from another.
fn unknown_of(state: &State, from: ZoneId) -> Option<String> {
    let lent = state.lent_zones().filter(|(_, lent)| lent.from == from);
    let lines: Vec<String> = lent.map(|(zone, _)| format!("{}: CARD …", state.schema().zone_name(zone))).collect();
    (!lines.is_empty()).then(|| one_of(lines.iter().map(String::as_str), 4))
}
