//! The start of playouts: a game's set-up, or the end of a scenario.

use std::cell::RefCell;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;

use crate::check::facts::holds;
use crate::loader::Loader;
use crate::odds::request::read_condition;
use crate::plan::chance::END_OF_GAME;
use crate::plan::file::plan_as;
use crate::plan::model::{Condition, Plan, Step, StepKind};
use crate::plan::policy::Place;
use crate::plan::reading::Reading;
use crate::plan::strategy::{self, StrategyFlags};
use crate::plan::suite::Suite;
use crate::run::open::only_deals;
use crate::run::runner;
use crate::set_up::{Players, SetUp, plan_set_up_as};
use referee_diagnostic::{Code, Diagnostic};
use referee_play::{AnswerSource, Ended, Quicker, SharedAnswers, Start, Stop, StrategyProfile, Watched};
use referee_rules::{Placeholders, Program, Reply};
use referee_source::Source;
use referee_table::{PlayerId, Schema, State};
use referee_trace::Ask;

/// The start of games.
#[derive(Clone, Debug)]
pub enum Origin {
    /// The set-up of a game.
    SetUp(SetUp),
    /// The end of the first scenario in a file whose title contains a string.
    Scenario {
        /// The file.
        file: PathBuf,
        /// The string; `None` for the first scenario.
        title: Option<String>,
        /// The game that the scenario must use.
        game: String,
    },
}

impl Origin {
    /// Returns the same set-up with this number of players; a scenario stays as it is.
    #[must_use]
    pub fn with_players(&self, number: usize) -> Self {
        match self {
            Self::SetUp(set_up) => Self::SetUp(SetUp { players: Players::First(number), ..set_up.clone() }),
            Self::Scenario { .. } => self.clone(),
        }
    }

    /// Returns the same set-up with the fewest players; a scenario stays as it is.
    #[must_use]
    pub fn with_fewest_players(&self) -> Self {
        match self {
            Self::SetUp(set_up) => Self::SetUp(SetUp { players: Players::Fewest, ..set_up.clone() }),
            Self::Scenario { .. } => self.clone(),
        }
    }
}

/// A game that is ready for playouts. Each thread needs one of its own.
pub struct Stage {
    /// The rules.
    pub program: Rc<Program>,
    /// The start of each game.
    pub start: Start,
    /// The players who take part.
    pub players: Vec<PlayerId>,
    /// The plan that leads to the start; a recorded game begins with its lines.
    pub(crate) plan: Plan,
    /// With what games begin.
    pub(crate) begins: Begins,
    /// What is known of playing long series of these games.
    pub quicker: Quicker,
    /// What is known of the games that policies try in them.
    pub rollouts: Quicker,
    /// What is known of looking at each position of these games.
    pub watched: Watched,
}

/// With what games begin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Begins {
    /// The set-up of this variant; of the first one if none was named.
    SetUp(Option<String>),
    /// The end of a scenario.
    Scenario,
}

/// Why no game can begin.
#[derive(Clone, Debug)]
pub enum NoStage {
    /// No scenario of the file can be run and has the title.
    NoScenario(Box<Diagnostic>),
    /// The game is over at the origin.
    Over(Box<Diagnostic>),
    /// The origin or its game has errors.
    Wrong(Vec<Diagnostic>),
}

impl NoStage {
    /// Returns the errors that say so.
    #[must_use]
    pub fn problems(&self) -> &[Diagnostic] {
        match self {
            Self::NoScenario(why) | Self::Over(why) => std::slice::from_ref(why),
            Self::Wrong(problems) => problems,
        }
    }
}

impl From<Vec<Diagnostic>> for NoStage {
    fn from(problems: Vec<Diagnostic>) -> Self {
        Self::Wrong(problems)
    }
}

impl From<NoStage> for Vec<Diagnostic> {
    fn from(no_stage: NoStage) -> Self {
        match no_stage {
            NoStage::NoScenario(why) | NoStage::Over(why) => vec![*why],
            NoStage::Wrong(problems) => problems,
        }
    }
}

/// A condition for the end of a game.
#[derive(Clone, Debug)]
pub struct EndCondition {
    source: Arc<Source>,
    condition: Condition,
}

impl EndCondition {
    /// Returns the condition as it was written.
    #[must_use]
    pub fn words(&self) -> &str {
        self.source.text()
    }

    /// Returns whether a condition holds at the end of a game, of which the last position was wanted if there is one; not, without
    /// a condition.
    ///
    /// # Errors
    /// Returns an error if its expression fails.
    pub fn holds(chance: Option<&Self>, stage: &Stage, game: &Ended) -> Result<bool, Box<Diagnostic>> {
        let Some(Self { source, condition }) = chance else { return Ok(false) };
        match &game.state {
            Some(state) => holds(&stage.program, (source, &Placeholders::default()), condition, state),
            None => Err(Box::new(Diagnostic::internal("the last position of a game was not kept"))),
        }
    }
}

/// An answer source without answers.
struct Silence;

impl AnswerSource for Silence {
    fn read(&mut self, _: &Ask, _: &State) -> Reply {
        Reply::Pause
    }
}

impl Stage {
    /// Returns the declarations of the game.
    #[must_use]
    pub fn schema(&self) -> &Arc<Schema> {
        &self.plan.game.schema
    }

    /// Returns the index of the variant.
    #[must_use]
    pub fn variant_index(&self) -> usize {
        self.plan.start.table.variant
    }

    /// Returns the variant, if one was named.
    #[must_use]
    pub fn variant(&self) -> Option<String> {
        match &self.begins {
            Begins::SetUp(variant) => variant.clone(),
            Begins::Scenario => None,
        }
    }

    /// Returns the names of the house rules, in order.
    #[must_use]
    pub fn houses(&self) -> Vec<String> {
        self.plan.houses.iter().map(|house| house.name.clone()).collect()
    }

    /// Reads a condition for the end of a game, in the words of a scenario: `winner red`, `{ red.score > 3 }`.
    ///
    /// # Errors
    /// Returns all errors in the words.
    pub fn condition(&self, words: &str) -> Result<EndCondition, Vec<Diagnostic>> {
        let table = &self.plan.start.table;
        let (source, condition) = read_condition(&self.program, table, words, &END_OF_GAME)?;
        Ok(EndCondition { source, condition })
    }

    /// Reads a strategy from arguments of the command line, which follow the flag for policies. Each is a policy or an
    /// action with an optional condition; `PLAYER=` before it restricts it to one player.
    ///
    /// # Errors
    /// Returns all errors in the arguments.
    pub fn strategy(&self, named: StrategyFlags, texts: &[String]) -> Result<StrategyProfile, Vec<Diagnostic>> {
        let read = strategy::flags(&self.program, &self.plan.start.table, named, (&[], texts), Place::Playouts);
        read.map(|flags| flags.strategy)
    }

    /// Returns the value of each option.
    #[must_use]
    pub fn options(&self) -> Vec<(String, String)> {
        let options = self.schema().options.iter().zip(&self.plan.start.table.options);
        options.map(|(option, setting)| (option.name.clone(), setting.to_string())).collect()
    }
}

/// Prepares playouts from `origin`.
///
/// # Errors
/// Returns all errors of the origin and of its game. Returns an error if the game is over at the origin.
pub fn stage(loader: &mut Loader<'_>, origin: &Origin) -> Result<Stage, NoStage> {
    stage_as(loader, origin, &Reading::default())
}

/// Prepares playouts from `origin`, under a reading of the rules of its game.
///
/// # Errors
/// Returns all errors of the origin and of its game. Returns an error if the game is over at the origin.
pub(super) fn stage_as(loader: &mut Loader<'_>, origin: &Origin, reading: &Reading) -> Result<Stage, NoStage> {
    let (suite, index, begins) = match origin {
        Origin::SetUp(set_up) => (plan_set_up_as(loader, set_up, reading)?, 0, Begins::SetUp(set_up.variant.clone())),
        Origin::Scenario { file, title, game } => {
            let suite = plan_as(loader, file, reading);
            let index = chosen(&suite, title.as_deref(), game)?;
            (suite, index, Begins::Scenario)
        }
    };
    let plan = suite.tests.get(index).and_then(|test| test.plan.as_deref().cloned());
    let Some(mut plan) = plan.filter(|_| suite.problems.is_empty()) else { return Err(suite.problems.into()) };
    let program = loader.program(&plan.game, &plan.houses)?;
    let feed: SharedAnswers = Rc::new(RefCell::new(Silence));
    let begun = runner::play(&plan, &program, |machine, end| {
        // A set-up has no line of a file to add to the error.
        if let (Stop::Fault(wrong), Begins::SetUp(_)) = (machine.stop(), &begins) {
            return Err(NoStage::Wrong(vec![*wrong.clone()]));
        }
        if end.broken {
            return Err(NoStage::Wrong(end.failures.into_iter().map(|failure| failure.diagnostic).collect()));
        }
        if let Some(open) = end.owed.map(|owed| *owed).or_else(|| only_deals(machine, &plan)) {
            return Err(NoStage::Wrong(vec![open]));
        }
        let mut machine = machine.clone();
        let ready = matches!(machine.stop(), Stop::Fresh | Stop::Returned);
        let next = ready.then(|| Start::of(&machine).and_then(Start::next_turn)).flatten();
        if let Some(player) = next {
            machine.first_turn(player, &feed);
        }
        match machine.stop() {
            Stop::Fault(wrong) => Err(NoStage::Wrong(vec![*wrong.clone()])),
            _ => Start::of(&machine)
                .map(|start| (start.applying(&plan.set_up), next))
                .ok_or_else(|| NoStage::Over(Box::new(over(&plan, &begins)))),
        }
    });
    let (start, turn) = begun?;
    plan.steps.extend(turn.map(|player| Step { span: plan.head, kind: StepKind::Turn(player) }));
    let players = plan.start.table.players.clone();
    Ok(Stage {
        program,
        start,
        players,
        plan,
        begins,
        quicker: Quicker::default(),
        rollouts: Quicker::default(),
        watched: Watched::default(),
    })
}

/// Returns the index of the first test whose title contains `title`.
fn chosen(suite: &Suite, title: Option<&str>, game: &str) -> Result<usize, NoStage> {
    if !suite.problems.is_empty() {
        return Err(suite.problems.clone().into());
    }
    let fits = |name: &str| title.is_none_or(|title| name.contains(title));
    let found = suite.tests.iter().position(|test| fits(&test.title()));
    let plan = found.and_then(|index| Some((index, suite.tests.get(index)?.plan.as_ref()?)));
    let Some((index, plan)) = plan else {
        let message = match title {
            Some(title) => format!("{} has no scenario whose title contains `{title}`", suite.file),
            None => format!("{} has no scenario that can be run", suite.file),
        };
        return Err(NoStage::NoScenario(Box::new(Diagnostic::general(Code::NotRun, message))));
    };
    let schema = &plan.game.schema;
    if schema.id != game {
        let message = format!("this scenario plays `{}`, not `{game}`", schema.id);
        return Err(vec![Diagnostic::new(Code::UnknownGame, &plan.source, plan.head, message)].into());
    }
    Ok(index)
}

/// Returns the error for a start at which the game is over.
fn over(plan: &Plan, begins: &Begins) -> Diagnostic {
    if let Begins::SetUp(_) = begins {
        let game = plan.source.line_span(1);
        return Diagnostic::new(Code::NotRun, &plan.source, game, "the game is over at the beginning");
    }
    let message = "the game is over at the end of this scenario";
    Diagnostic::new(Code::NotRun, &plan.source, plan.head, message).help("remove its last lines of play")
}
