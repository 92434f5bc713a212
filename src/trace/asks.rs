//! Asks: the doors of a game's program to the outside, and what came through them.

use crate::table::{AskId, Die, DieId, Names, PieceId, PlayerId, State, Throw, Value, ZoneId};

/// Something that a player may do: an ask's verb with values.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Action {
    /// The ask whose form it has.
    pub ask: AskId,
    /// A value for each kind of the form; nothing for what is left out.
    pub values: Vec<Value>,
}

/// One player's part of a decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// Who decides.
    pub player: PlayerId,
    /// The ask by which the rules ask.
    pub ask: AskId,
    /// The options, in the order of the rules, no two alike.
    pub options: Vec<Action>,
}

/// What a program asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Question {
    /// Chance: what does the die show, or what do several equal dice show?
    Roll(DieId),
    /// Chance: which card comes next from this zone, whose order is not known?
    Draw(ZoneId),
    /// A decision of one player.
    Choose(Decision),
    /// Decisions of several players at once; nobody sees another's before all have decided.
    ChooseAll(Vec<Decision>),
}

/// A place in the rules: line and column from 1, counted over all layers of the script.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct RulesPlace {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
}

/// A question and the place in the rules that asks it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ask {
    /// The question.
    pub question: Question,
    /// Where it is asked.
    pub place: RulesPlace,
}

/// An answer to a question.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Answer {
    /// What the dice show.
    Rolled(Throw),
    /// Which card comes.
    Drawn(PieceId),
    /// The place of the option chosen.
    Chosen(usize),
    /// The place of each player's option, in the order of the decisions.
    AllChosen(Vec<usize>),
}

/// Something that happened: a declared event and its values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// The event.
    pub event: crate::table::EventId,
    /// A value for each kind of its form; nothing for what is left out.
    pub values: Vec<Value>,
}

impl Action {
    /// Returns whether this, as a line says it, can mean an option: values that the line leaves out fit any.
    #[must_use]
    pub fn fits(&self, option: &Self) -> bool {
        let fits = |(wanted, offered): (&Value, &Value)| wanted.is_nothing() || wanted.says(offered);
        self.ask == option.ask
            && self.values.len() == option.values.len()
            && self.values.iter().zip(&option.values).all(fits)
    }

    /// Returns the action in the words of the language, without the player: `walk to e5`.
    #[must_use]
    pub fn write(&self, names: Names<'_>) -> String {
        let form = names.schema.asks.get(self.ask.index());
        form.map_or_else(String::new, |form| form.write(names, &self.values))
    }
}

impl Event {
    /// Returns the event in the words of its form.
    #[must_use]
    pub fn write(&self, names: Names<'_>) -> String {
        let form = names.schema.events.get(self.event.index());
        form.map_or_else(String::new, |form| form.write(names, &self.values))
    }
}

impl Decision {
    /// Who is asked what: `red walk`.
    #[must_use]
    pub fn write(&self, names: Names<'_>) -> String {
        let verb = names.schema.asks.get(self.ask.index()).map_or("", |form| form.verb.as_str());
        format!("{} {verb}", names.schema.player_name(self.player))
    }
}

impl Question {
    /// What chance may answer in this state, each answer with its weight: a throw the ways in which dice can fall so, a
    /// card as many as there are equal ones. Nothing for a decision.
    #[must_use]
    pub fn chances(&self, state: &State) -> Vec<(Answer, u64)> {
        match self {
            Self::Roll(die) => {
                let throws = state.schema().dice.get(die.index()).map(Die::throws).unwrap_or_default();
                throws.into_iter().map(|(throw, ways)| (Answer::Rolled(throw), ways)).collect()
            }
            Self::Draw(zone) => {
                let bag = state.zone(*zone).into_iter().flat_map(|zone| zone.bag());
                bag.map(|(card, count)| (Answer::Drawn(*card), u64::from(*count))).collect()
            }
            Self::Choose(_) | Self::ChooseAll(_) => Vec::new(),
        }
    }

    /// Returns an answer of chance in the words of a line: `roll distance 5`, `draw deck squash`; nothing for a
    /// decision's.
    #[must_use]
    pub fn write_chance(&self, names: Names<'_>, answer: &Answer) -> Option<String> {
        let value = match answer {
            Answer::Rolled(throw) => {
                let Self::Roll(die) = self else { return None };
                names.schema.dice.get(die.index())?.write(names, throw)
            }
            Answer::Drawn(card) => names.write(None, &Value::Piece(*card)),
            Answer::Chosen(_) | Answer::AllChosen(_) => return None,
        };
        Some(format!("{} {value}", self.write(names)))
    }

    /// Returns the question in the words of the language: `roll distance`, `red walk`.
    #[must_use]
    pub fn write(&self, names: Names<'_>) -> String {
        match self {
            Self::Roll(die) => {
                let name = names.schema.dice.get(die.index()).map_or("", |die| die.name.as_str());
                format!("roll {name}").trim_end().to_owned()
            }
            Self::Draw(zone) => format!("draw {}", names.schema.zone_name(*zone)),
            Self::Choose(decision) => decision.write(names),
            Self::ChooseAll(all) => all.iter().map(|one| one.write(names)).collect::<Vec<_>>().join(" and "),
        }
    }
}
