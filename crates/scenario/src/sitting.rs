//! A game at a table: people answer in the words of a scenario, policies and chance answer the rest.

use std::sync::Arc;

use crate::check::marks::wrong_marks;
use crate::loader::Loader;
use crate::moves::Refused;
use crate::plan::actions::{answer, same};
use crate::plan::resolver::Resolver;
use crate::plan::steps::{RESIGNS, resigning_is_an_answer};
use crate::run::{runner, scenes};
use crate::stage::Stage;
use referee_diagnostic::{Code, Diagnostic};
use referee_play::{Ending, Machine, Played, Playouts, Policy, Random, Stop, StrategyProfile, Tally, tape};
use referee_source::{Source, Span};
use referee_syntax::parse_words;
use referee_table::{Names, Onlooker, Phrase, PieceId, PlayerId, Sight, State, Value, View};
use referee_trace::{Action, Answer, Ask, Decision, Question, Scene};

/// A game at a table.
pub struct Sitting<'s> {
    stage: &'s Stage,
    machine: Machine<'s>,
    past: Vec<Step<'s>>,
    /// The number of events that have been shown.
    shown: usize,
    /// The position that was shown last.
    seen: Option<State>,
}

/// An answer, with the game before it.
struct Step<'s> {
    before: Machine<'s>,
    ask: Ask,
    answer: Answer,
    by_person: bool,
}

/// Why words are no answer.
#[derive(Debug)]
pub enum NoAnswer {
    /// They cannot be read.
    Wrong(Box<Diagnostic>),
    /// It is not an option.
    Refused(Refused),
    /// They fit several options.
    Several(Vec<String>),
}

/// Opens a game at the start of a stage.
pub fn sit<R>(stage: &Stage, then: impl FnOnce(&mut Sitting<'_>) -> R) -> R {
    runner::play(&stage.plan, &stage.program, |machine, _| {
        then(&mut Sitting { stage, machine: machine.clone(), past: Vec::new(), shown: 0, seen: None })
    })
}

impl Sitting<'_> {
    /// Returns the question, if the game is not over.
    #[must_use]
    pub const fn ask(&self) -> Option<&Ask> {
        match self.machine.stop() {
            Stop::Paused(ask) => Some(ask),
            _ => None,
        }
    }

    /// Returns the error with which the rules have stopped.
    #[must_use]
    pub const fn fault(&self) -> Option<&Diagnostic> {
        match self.machine.stop() {
            Stop::Fault(wrong) => Some(wrong),
            _ => None,
        }
    }

    /// Returns the present state.
    #[must_use]
    pub const fn state(&self) -> &State {
        self.machine.state()
    }

    /// Returns the names of the game and its board.
    #[must_use]
    pub fn names(&self) -> Names<'_> {
        self.machine.names()
    }

    /// Returns the number of answers so far.
    #[must_use]
    pub const fn answers(&self) -> usize {
        self.past.len()
    }

    /// Returns whether the rules say what follows if a player resigns, and no ask has the word for it.
    #[must_use]
    pub fn may_resign(&self) -> bool {
        self.stage.program.has("resigned", 1) && !resigning_is_an_answer(self.stage.schema())
    }

    /// Returns whether words are those of a player who resigns, `resigns`, `red resigns`, and no answer.
    #[must_use]
    pub fn is_resigning(&self, player: PlayerId, words: &str) -> bool {
        let player = self.names().schema.player_name(player);
        let is_said = match words.trim().rsplit_once(' ') {
            Some((who, last)) => who.trim_end() == player && last == RESIGNS,
            None => words.trim() == RESIGNS,
        };
        is_said && !resigning_is_an_answer(self.stage.schema())
    }

    /// Lets a player resign instead of an answer. Returns `false`, with nothing done, if the rules do not say what follows.
    pub fn resign(&mut self, player: PlayerId) -> bool {
        let Some(ask) = self.ask().cloned().filter(|_| self.stage.program.has("resigned", 1)) else { return false };
        let before = self.machine.clone();
        let is_decided = self.machine.resign(player, &tape(Vec::new()));
        match is_decided {
            true => self.past.push(Step { before, ask, answer: Answer::Resigned(player), by_person: true }),
            false => self.machine = before,
        }
        is_decided
    }

    /// Goes on with an answer.
    pub fn give(&mut self, given: Answer, by_person: bool) {
        let Some(ask) = self.ask().cloned() else { return };
        let before = self.machine.clone();
        self.machine.give(given.clone());
        self.past.push(Step { before, ask, answer: given, by_person });
    }

    /// Takes back all answers up to the last one of a person; returns whether there is one.
    pub fn undo(&mut self) -> bool {
        let Some(at) = self.past.iter().rposition(|step| step.by_person) else { return false };
        if let Some(step) = self.past.drain(at..).next() {
            self.machine = step.before;
        }
        self.shown = self.machine.events().count();
        self.seen = None;
        true
    }

    /// Returns the answer of chance to the present question; `None` if a player decides. The same seed gives the same
    /// answer after the same number of answers.
    #[must_use]
    pub fn chance(&self, seed: u64) -> Option<Answer> {
        let mut random = self.random(seed);
        match self.ask()?.question {
            Question::Roll(die) => Some(Answer::Rolled(random.throw(self.state().schema(), die))),
            Question::Draw(zone) => Some(random.card(self.state(), zone)),
            Question::Choose(_) | Question::ChooseAll(_) => None,
        }
    }

    fn random(&self, seed: u64) -> Random {
        Random::of_game(seed, self.past.len() as u64 + 1)
    }

    /// Returns the answer that a strategy gives; `None` if it has no policy and no instruction for the player.
    ///
    /// # Errors
    /// Returns an error if the rules or an expression of the policy cause an error, or if several players decide at
    /// once and the policy looks ahead.
    pub fn decided(
        &self,
        strategy: &StrategyProfile,
        decision: &Decision,
        seed: u64,
    ) -> Result<Option<Answer>, Box<Diagnostic>> {
        if strategy.policy(decision.player).is_none() {
            return Ok(None);
        }
        let playouts = Playouts {
            rollouts: Some(&self.stage.rollouts),
            program: &self.stage.program,
            start: &self.stage.start,
            strategy,
            max_plies: MAX_PLIES,
        };
        let mut random = self.random(seed);
        let at_once = matches!(self.ask(), Some(Ask { question: Question::ChooseAll(_), .. }));
        match at_once {
            true => playouts.decide_at_once(&self.machine, decision, &mut random).map(Answer::Chosen),
            false => playouts.decide(&self.machine, decision, &mut random),
        }
        .map(Some)
    }

    /// Returns the option that a tree search with this number of playouts would take.
    ///
    /// # Errors
    /// Returns an error if the rules cause an error, or if several players decide at once.
    pub fn hint(&self, decision: &Decision, tries: u32, seed: u64) -> Result<String, Box<Diagnostic>> {
        if let Some(Ask { question: question @ Question::ChooseAll(_), .. }) = self.ask() {
            let asked = question.write(self.names());
            let message = format!("there is no hint for {asked}: several players decide at once");
            return Err(Box::new(Diagnostic::question(Code::NotSupported, message)));
        }
        let policies = vec![(decision.player, Policy::Search(tries))];
        let strategy = StrategyProfile { policies, ..StrategyProfile::default() };
        let option = match self.decided(&strategy, decision, seed)? {
            Some(Answer::Chosen(at)) => decision.options.get(at),
            _ => None,
        };
        let option = option.ok_or_else(|| Box::new(Diagnostic::internal("a search returned no option")))?;
        Ok(option.write(self.names()))
    }

    /// Returns the options of a decision in words, without the player.
    #[must_use]
    pub fn options(&self, decision: &Decision) -> Vec<String> {
        decision.options.iter().map(|option| option.write(self.names())).collect()
    }

    /// Returns what is printed on the cards that an option names, after each name if there are several: `damage 3, clan
    /// moles`. Returns `None` if nothing is printed on them.
    #[must_use]
    pub fn printed(&self, option: &Action) -> Option<String> {
        let names = self.names();
        let cards = option.values.iter().flat_map(cards_in);
        let printed = |card: PieceId| {
            let values = &names.schema.card(card)?.printed;
            let one = |(name, value): &(String, Value)| match value {
                Value::Nothing | Value::Bool(false) => None,
                Value::Bool(true) => Some(name.clone()),
                value => Some(format!("{name} {}", names.write(None, value))),
            };
            let values: Vec<String> = values.iter().filter_map(one).collect();
            (!values.is_empty()).then(|| (names.schema.piece_name(card), values.join(", ")))
        };
        let mut all: Vec<(&str, String)> = cards.filter_map(printed).collect();
        all.dedup();
        match all.as_slice() {
            [] => None,
            [(_, values)] => Some(values.clone()),
            several => {
                let each: Vec<String> = several.iter().map(|(card, values)| format!("{card}: {values}")).collect();
                Some(each.join("; "))
            }
        }
    }

    /// Returns the answer that is the option with this index. What is only suggested, the rules may refuse.
    ///
    /// # Errors
    /// Returns why it is no answer.
    pub fn take(&self, decision: &Decision, at: usize) -> Result<Answer, NoAnswer> {
        match decision.options.get(at).filter(|option| decision.takes(option.ask)) {
            Some(option) => self.said(decision, option.clone()),
            None => Ok(Answer::Chosen(at)),
        }
    }

    /// Returns the answer that an action is to an open ask, if the rules do not refuse it.
    fn said(&self, decision: &Decision, action: Action) -> Result<Answer, NoAnswer> {
        let refused = self.refused(decision, &action).map_err(NoAnswer::Wrong)?;
        match refused.reason {
            Some(_) => Err(NoAnswer::Refused(refused)),
            None => Ok(Answer::Said(action)),
        }
    }

    /// Reads the answer to a decision: `walk to e5`, or with the player before it.
    ///
    /// # Errors
    /// Returns why the words are no answer; the rules may say why an action is not an option.
    pub fn read(&self, decision: &Decision, words: &str) -> Result<Answer, NoAnswer> {
        let action = self.action(decision, words).map_err(NoAnswer::Wrong)?;
        let names = self.names();
        if decision.takes(action.ask) {
            return self.said(decision, action);
        }
        let fits = |(_, option): &(usize, &Action)| same(&action, option);
        let found: Vec<(usize, &Action)> = decision.options.iter().enumerate().filter(fits).collect();
        match found.as_slice() {
            [(at, _)] => Ok(Answer::Chosen(*at)),
            [] => Err(NoAnswer::Refused(self.refused(decision, &action).map_err(NoAnswer::Wrong)?)),
            several => Err(NoAnswer::Several(several.iter().map(|(_, option)| option.write(names)).collect())),
        }
    }

    /// Returns why an action is not an option; `None` if it is one. The verb may be left out: `why e5`.
    ///
    /// # Errors
    /// Returns an error if the words cannot be read, or if the rules cause an error.
    pub fn why(&self, decision: &Decision, words: &str) -> Result<Option<Refused>, Box<Diagnostic>> {
        let action = self.action(decision, words)?;
        if decision.takes(action.ask) {
            let refused = self.refused(decision, &action)?;
            return Ok(refused.reason.is_some().then_some(refused));
        }
        if decision.options.iter().any(|option| same(&action, option)) {
            return Ok(None);
        }
        self.refused(decision, &action).map(Some)
    }

    /// Returns the options that have a cell in them; `None` if the words are not a cell.
    #[must_use]
    pub fn options_at(&self, decision: &Decision, words: &str) -> Option<Vec<String>> {
        self.state().board().cell(words)?;
        let has = |option: &String| option.split(|letter: char| !letter.is_alphanumeric()).any(|word| word == words);
        Some(self.options(decision).into_iter().filter(has).collect())
    }

    fn refused(&self, decision: &Decision, action: &Action) -> Result<Refused, Box<Diagnostic>> {
        let names = self.names();
        let marks = wrong_marks(names, action, &decision.options);
        let reason = match marks {
            Some(wrong) => Some(wrong.message),
            None => self.stage.program.why_not(self.state(), decision.player, action)?,
        };
        let action = format!("{} {}", names.schema.player_name(decision.player), action.write(names));
        Ok(Refused { action, reason })
    }

    /// Reads an action; the player, and the verb, may be left out.
    fn action(&self, decision: &Decision, words: &str) -> Result<Action, Box<Diagnostic>> {
        let names = self.names();
        let player = names.schema.player_name(decision.player);
        let verb = names.schema.verb(decision.ask);
        let first = words.split_whitespace().next().unwrap_or_default();
        if first == player {
            return self.parsed(words).map(|(_, action)| action);
        }
        let other = names.schema.player(first).filter(|other| *other != decision.player);
        if other.is_some_and(|other| self.state().table.players.contains(&other)) {
            let message = format!("not the turn of {first}: this is {player}'s decision");
            return Err(Box::new(Diagnostic::general(Code::NotYourTurn, message)));
        }
        let is_verb = names.schema.asks.iter().any(|form| form.verb == first);
        let form = if is_verb { format!("{player} {words}") } else { format!("{player} {verb} {words}") };
        self.parsed(&form).map(|(_, action)| action).map_err(|wrong| match is_verb {
            true => wrong,
            // The added verb is not the error.
            false => self.parsed(&format!("{player} {words}")).err().unwrap_or(wrong),
        })
    }

    fn parsed(&self, words: &str) -> Result<(PlayerId, Action), Box<Diagnostic>> {
        let source = Arc::new(Source::command_line(words));
        let span = Span::new(0..words.len());
        let mut resolver = Resolver::new(&source, None);
        let spans = parse_words(&source, span);
        let words = resolver.words(&spans);
        let read = answer(&mut resolver, &self.state().table, Phrase::new(&source, &words, span));
        read.ok_or_else(|| {
            let wrong = resolver.wrong.into_iter().next();
            Box::new(wrong.unwrap_or_else(|| Diagnostic::general(Code::WrongForm, "this is not an answer")))
        })
    }

    /// Returns the events since the last call.
    pub fn events(&mut self) -> Vec<String> {
        let names = self.machine.names();
        let events = self.machine.events().skip(self.shown).map(|event| event.write(names)).collect();
        self.shown = self.machine.events().count();
        events
    }

    /// Returns the position as a player sees it; without a player, the whole position. Marks the changes since the last
    /// call.
    pub fn scene(&mut self, viewer: Option<PlayerId>) -> Scene {
        let view = viewer.map(|viewer| (self.state().view(viewer), Onlooker::Player(viewer)));
        self.scene_in(view)
    }

    /// Returns the position without anything that one of the players does not see. Marks the changes since the last call.
    pub fn public_scene(&mut self) -> Scene {
        let view = self.state().public_view();
        self.scene_in(Some((view, Onlooker::Public)))
    }

    fn scene_in(&mut self, view: Option<(View, Onlooker)>) -> Scene {
        let shown = self.machine.events().count();
        let scene = scenes::seen_in(&self.machine, view, shown, self.seen.as_ref());
        self.seen = Some(self.state().clone());
        scene
    }

    /// Returns whether a throw is hidden from a player, or from one of the players in public.
    #[must_use]
    pub fn hides_throw(&self, ask: &Ask, viewer: Option<PlayerId>, in_public: bool) -> bool {
        let schema = self.state().schema();
        if in_public {
            ask.is_secret_throw(schema)
        } else {
            !viewer.is_none_or(|viewer| ask.shows_throw_to(viewer, schema))
        }
    }

    /// Returns whether not all players see an answer.
    fn is_secret_answer(&self, action: &Action) -> bool {
        self.state().schema().asks.get(action.ask.index()).is_some_and(|form| form.sight != Sight::Open)
    }

    /// Returns the last answer in the words of a scenario, as a player sees it: without a card, a throw or an answer that the
    /// player does not see. In public, no drawn card, no secret throw and no secret answer is named.
    #[must_use]
    pub fn last_answer(&self, viewer: Option<PlayerId>, in_public: bool) -> Option<String> {
        let Step { ask, answer, .. } = self.past.last()?;
        let names = self.names();
        let is_hidden = |card: PieceId| {
            viewer.is_some_and(|viewer| self.state().view(viewer).unseen.get(&card).is_some_and(|count| *count > 0))
        };
        let told = |decision: &Decision, action: &Action| {
            let sees = |viewer| names.schema.sees_answer(viewer, action.ask, decision.player);
            let is_secret = if in_public { self.is_secret_answer(action) } else { !viewer.is_none_or(sees) };
            let hides = action.values.iter().flat_map(cards_in).any(is_hidden);
            let player = names.schema.player_name(decision.player);
            match (is_secret, hides) {
                (true, _) => format!("{} …", decision.write(names)),
                (_, true) => format!("{player} {} …", names.schema.verb(action.ask)),
                _ => format!("{player} {}", action.write(names)),
            }
        };
        let option = |decision: &Decision, at: usize| Some(told(decision, decision.options.get(at)?));
        match (&ask.question, answer) {
            (Question::Draw(_), Answer::Drawn(card)) if in_public || is_hidden(*card) => {
                Some(ask.question.write(names))
            }
            (Question::Roll(_), _) if self.hides_throw(ask, viewer, in_public) => Some(ask.question.write(names)),
            (Question::Choose(decision), Answer::Chosen(at)) => option(decision, *at),
            (Question::Choose(decision), Answer::Said(action)) => Some(told(decision, action)),
            (Question::ChooseAll(all), Answer::AllChosen(chosen)) => {
                let options = all.iter().zip(chosen).filter_map(|(decision, at)| option(decision, *at));
                Some(options.collect::<Vec<_>>().join(", "))
            }
            (_, Answer::Resigned(player)) => Some(format!("{} resigns", names.schema.player_name(*player))),
            (question, answer) => question.write_chance(names, answer),
        }
    }

    /// Returns the game so far as a scenario that passes.
    #[must_use]
    pub fn record(&self, title: &str, about: &[String]) -> String {
        self.stage.record(title, about, &self.played())
    }

    /// Returns the last turn and the position before it as a scenario that passes, if there is one.
    #[must_use]
    pub fn record_turn(&self, loader: &mut Loader<'_>, title: &str) -> Option<String> {
        self.stage.record_turn(loader, title, &self.played())
    }

    fn played(&self) -> Played {
        let state = self.state().clone();
        let ending = match (self.machine.stop(), &state.outcome) {
            (Stop::Fault(wrong), _) => Ending::Fault(wrong.clone()),
            (_, Some(outcome)) => Ending::Over(outcome.clone()),
            _ => Ending::Stopped,
        };
        let answers = self.past.iter().map(|step| vec![(step.ask.clone(), step.answer.clone())]).collect();
        Played { state, ending, over_at: None, tally: Tally::default(), answers, compiled: false, dealt: Vec::new() }
    }
}

/// The number of turns after which a playout of a search is stopped.
const MAX_PLIES: u64 = 1000;

/// Returns the pieces in a value of an answer.
fn cards_in(value: &Value) -> Vec<PieceId> {
    let piece = |value: &Value| if let Value::Piece(card) = value { Some(*card) } else { None };
    match value {
        Value::Set(_) | Value::List(_) | Value::Bag(_) => value.runs().filter_map(|(value, _)| piece(value)).collect(),
        value => piece(value).into_iter().collect(),
    }
}
