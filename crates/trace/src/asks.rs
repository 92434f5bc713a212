//! Asks: the questions of a game's rules, their answers, and the events.

use smallvec::SmallVec;

use referee_diagnostic::MustBe as _;
use referee_table::{AskId, Die, DieId, Names, PieceId, PlayerId, Schema, Sight, State, Throw, Value, ZoneId};

/// The values of an action. Up to two need no allocation.
pub type FewValues = SmallVec<[Value; 2]>;

/// An action of a player: the verb of an ask with values.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Action {
    /// The ask whose form it has.
    pub ask: AskId,
    /// A value for each kind in the form; [`Value::Nothing`] for parts that are left out.
    pub values: FewValues,
}

/// One player's part of a decision.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Decision {
    /// The player who decides.
    pub player: PlayerId,
    /// The ask of the rules.
    pub ask: AskId,
    /// The options, all different, in the order of the rules. Those of open asks are suggestions, after the others.
    pub options: Vec<Action>,
    /// The asks that the player may answer with any values that the rules do not refuse.
    pub open: Vec<OpenAsk>,
}

/// An ask that takes any values that the rules do not refuse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct OpenAsk {
    /// The ask.
    pub ask: AskId,
    /// Whether the rules suggest values, or say that there are none to suggest. Otherwise no policy can answer.
    pub suggests: bool,
}

/// A question of the rules.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Question {
    /// Chance: the faces of one die or of several equal dice.
    Roll(DieId),
    /// Chance: the next card of this zone, whose order is unknown.
    Draw(ZoneId),
    /// A decision of one player.
    Choose(Decision),
    /// Simultaneous decisions of several players; no player sees another decision before all have decided.
    ChooseAll(Vec<Decision>),
}

/// A location in the rules: line and column, both counted from 1, over all layers of the script.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct RulesPlace {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
}

/// A question and the location in the rules that asks it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ask {
    /// The question.
    pub question: Question,
    /// The player for whom a die is thrown, if it is for one.
    pub by: Option<PlayerId>,
    /// The location in the rules.
    pub place: RulesPlace,
}

impl Ask {
    /// Returns a question that is asked here.
    #[must_use]
    pub const fn new(question: Question, place: RulesPlace) -> Self {
        Self { question, by: None, place }
    }

    /// Returns whether a player sees what answers it, if it is a throw.
    #[must_use]
    pub fn shows_throw_to(&self, player: PlayerId, schema: &Schema) -> bool {
        match self.question {
            Question::Roll(die) => schema.sees_throw(player, die, self.by),
            Question::Draw(_) | Question::Choose(_) | Question::ChooseAll(_) => true,
        }
    }

    /// Returns whether it throws a die whose throws not all players see.
    #[must_use]
    pub fn is_secret_throw(&self, schema: &Schema) -> bool {
        let Question::Roll(die) = self.question else { return false };
        schema.dice.get(die.index()).is_some_and(|die| die.sight != Sight::Open)
    }

    /// Returns the memory use of its options in bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let decisions = match &self.question {
            Question::Choose(decision) => std::slice::from_ref(decision),
            Question::ChooseAll(all) => all.as_slice(),
            Question::Roll(_) | Question::Draw(_) => &[],
        };
        // A value outside of the list of few takes as much again.
        let value = |value: &Value| value.weight().saturating_sub(1).saturating_mul(32);
        let option = |option: &Action| size_of::<Action>() as u64 + option.values.iter().map(value).sum::<u64>();
        decisions.iter().flat_map(|decision| &decision.options).map(option).sum()
    }
}

/// An answer to a question.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Answer {
    /// The throw.
    Rolled(Throw),
    /// The drawn card.
    Drawn(PieceId),
    /// The index of the chosen option.
    Chosen(usize),
    /// The action that answers an open ask, whose values the rules do not refuse.
    Said(Action),
    /// The index of each player's option, in the order of the decisions.
    AllChosen(Vec<usize>),
    /// The player who is asked resigns instead.
    Resigned(PlayerId),
}

/// An event that was emitted, with its values.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Event {
    /// The event.
    pub event: referee_table::EventId,
    /// A value for each kind in its form; [`Value::Nothing`] for parts that are left out.
    pub values: Vec<Value>,
}

impl Action {
    /// Returns what stands among options for any values of an ask, whose form has this number of kinds: an action with one value
    /// more, a list of whether values are suggested, and of those that are.
    #[must_use]
    pub fn any(ask: AskId, kinds: usize, suggested: Option<Vec<FewValues>>) -> Self {
        let suggests = Value::Bool(suggested.is_some());
        let each = suggested.into_iter().flatten().map(|values| Value::List(values.to_vec()));
        let more = Value::List(std::iter::once(suggests).chain(each).collect());
        Self { ask, values: std::iter::repeat_n(Value::Nothing, kinds).chain([more]).collect() }
    }

    /// Returns whether this stands for any values; the form of its ask has this number of kinds.
    #[must_use]
    pub fn is_any(&self, kinds: usize) -> bool {
        self.values.len() > kinds
    }

    /// Returns the actions that are suggested by one which stands for any values; `None` if it suggests nothing.
    #[must_use]
    pub fn suggested(&self) -> Option<Vec<Self>> {
        let Some(Value::List(more)) = self.values.last() else { return None };
        let Some((Value::Bool(true), each)) = more.split_first() else { return None };
        let one = |values: &Value| match values {
            Value::List(values) => Some(Self { ask: self.ask, values: values.as_slice().into() }),
            _ => None,
        };
        Some(each.iter().filter_map(one).collect())
    }

    /// Returns whether this action, read from a line, matches an option: a value that the line leaves out matches any.
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
    /// Returns whether the player may answer this ask with any values that the rules do not refuse.
    #[must_use]
    pub fn takes(&self, ask: AskId) -> bool {
        self.open.iter().any(|open| open.ask == ask)
    }

    /// Returns the options without those that are only suggested.
    pub fn listed(&self) -> impl Iterator<Item = &Action> {
        self.options.iter().filter(|option| !self.takes(option.ask))
    }

    /// Returns an open ask for which a policy has nothing to choose among.
    #[must_use]
    pub fn unlisted(&self) -> Option<AskId> {
        let silent = self.open.iter().find(|open| !open.suggests);
        silent.or_else(|| self.open.first().filter(|_| self.options.is_empty())).map(|open| open.ask)
    }

    /// Returns the forms of its open asks: `propose AMOUNT for AMOUNT [to PLAYER]`.
    #[must_use]
    pub fn open_forms(&self, names: Names<'_>) -> Vec<String> {
        let form = |open: &OpenAsk| names.schema.asks.get(open.ask.index()).map(ToString::to_string);
        self.open.iter().filter_map(form).collect()
    }

    /// Returns what the player may do: the options in words, and the forms of open asks in place of what is suggested.
    #[must_use]
    pub fn written(&self, names: Names<'_>) -> Vec<String> {
        self.listed().map(|option| option.write(names)).chain(self.open_forms(names)).collect()
    }

    /// Returns the player and the verb: `red walk`.
    #[must_use]
    pub fn write(&self, names: Names<'_>) -> String {
        let verb = names.schema.verb(self.ask);
        format!("{} {verb}", names.schema.player_name(self.player))
    }
}

impl Question {
    /// Returns the possible answers of chance in this state with their weights: for a throw the number of ways to
    /// produce it, for a card the number of equal cards. Empty for a decision.
    #[must_use]
    pub fn chances(&self, state: &State) -> Vec<(Answer, u64)> {
        match self {
            Self::Roll(die) => {
                let throws = state.schema().dice.get(die.index()).noted("a die").map(Die::throws).unwrap_or_default();
                throws.into_iter().map(|(throw, ways)| (Answer::Rolled(throw), ways)).collect()
            }
            Self::Draw(zone) => {
                let bag = state.zone(*zone).noted("a zone").into_iter().flat_map(|zone| zone.bag());
                bag.map(|(card, count)| (Answer::Drawn(*card), u64::from(*count))).collect()
            }
            Self::Choose(_) | Self::ChooseAll(_) => Vec::new(),
        }
    }

    /// Returns an answer of chance in the words of a line: `roll distance 5`, `draw deck squash`; `None` for the answer
    /// to a decision.
    #[must_use]
    pub fn write_chance(&self, names: Names<'_>, answer: &Answer) -> Option<String> {
        let value = match answer {
            Answer::Rolled(throw) => {
                let Self::Roll(die) = self else { return None };
                names.schema.dice.get(die.index())?.write(names, throw)
            }
            Answer::Drawn(card) => names.write(None, &Value::Piece(*card)),
            Answer::Chosen(_) | Answer::Said(_) | Answer::AllChosen(_) | Answer::Resigned(_) => return None,
        };
        Some(format!("{} {value}", self.write(names)))
    }

    /// Returns the question in the words of the language: `roll distance`, `red walk`.
    #[must_use]
    pub fn write(&self, names: Names<'_>) -> String {
        match self {
            Self::Roll(die) => {
                let name = names.schema.die_name(*die);
                format!("roll {name}").trim_end().to_owned()
            }
            Self::Draw(zone) => format!("draw {}", names.schema.zone_name(*zone)),
            Self::Choose(decision) => decision.write(names),
            Self::ChooseAll(all) => all.iter().map(|one| one.write(names)).collect::<Vec<_>>().join(" and "),
        }
    }
}
