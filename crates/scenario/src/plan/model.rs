//! Plans: the steps and expectations of a scenario. All names in a plan are resolved.

use std::collections::BTreeSet;
use std::sync::Arc;

use num_rational::BigRational;

use referee_game::{Game, House};
use referee_play::{Bounds, Inquiry, Passed};
use referee_rules::{Placeholders, turns_read_by};
use referee_source::{Source, Span};
use referee_syntax::ast::ChoicesHow;
use referee_table::{
    Amount, AskId, Cell, ClauseId, DieId, Drawn, EventId, Listed, OptionId, Owner, Phase, PieceId, PlayerId,
    PropertyId, State, Throw, TurnRules, Value, ZoneId,
};
use referee_trace::Action;

/// A scenario ready to be run: what its lines of each kind say.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// The game.
    pub(crate) game: Arc<Game>,
    /// The house rules of the scenario, in order.
    pub(crate) houses: Vec<House>,
    /// The file of the scenario.
    pub(crate) source: Arc<Source>,
    /// The first line of the scenario.
    pub(crate) head: Span,
    /// The position at the start.
    pub(crate) start: State,
    /// The steps and expectations, in order.
    pub(crate) steps: Vec<Step>,
    /// The beginning of a branch: the steps before it are played but not judged.
    pub(crate) branch: Option<Fork>,
    /// Whether the scenario has branches.
    pub(crate) forks: bool,
    /// The expressions that must be true at every pause and phase end, at each event if they say so, or only at the ends of turns
    /// or rounds.
    pub(crate) always: Vec<Always>,
    /// The values of the table's row, for expressions.
    pub(crate) placeholders: Placeholders,
    /// The cells of the table's row as they are written, with their placeholders: `{from}`, `a1`.
    pub(crate) row: Vec<(String, String)>,
    /// The clauses that must be applied, with the locations of their claims.
    pub(crate) covers: Vec<(ClauseId, Span)>,
    /// The clauses that the game's set-up applies, if the scenario begins with it.
    pub(crate) set_up: Vec<ClauseId>,
    /// The options that the scenario sets itself, by its lines, its house rules or its variant.
    pub(crate) own_options: BTreeSet<OptionId>,
}

/// The beginning of a branch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fork {
    /// The index of its first step.
    pub(crate) step: usize,
    /// The first line of the branch.
    pub(crate) head: Span,
}

/// Where an `always` expression is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Judged {
    /// At pauses and the ends of phases.
    Pauses,
    /// There, and at each event.
    Events,
    /// At the ends of turns.
    TurnEnds,
    /// At the ends of rounds.
    RoundEnds,
}

impl Judged {
    /// Returns whether it is judged in a position that play has passed.
    pub(crate) const fn looks_at(self, passed: &Passed) -> bool {
        match self {
            Self::Pauses | Self::Events => true,
            Self::TurnEnds => passed.ends_turn,
            Self::RoundEnds => passed.ends_round,
        }
    }

    /// Returns whether it is judged at the start of play.
    pub(crate) const fn looks_at_start(self) -> bool {
        matches!(self, Self::Pauses | Self::Events)
    }

    /// Returns the words before the expression, with a space after them.
    pub(crate) const fn words(self) -> &'static str {
        match self {
            Self::Pauses => "",
            Self::Events => "each event ",
            Self::TurnEnds => "at the end of a turn ",
            Self::RoundEnds => "at the end of a round ",
        }
    }
}

/// An expression that must always be true.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Always {
    /// The expression, braces included.
    pub(crate) expression: Span,
    /// Where it is judged.
    pub(crate) judged: Judged,
    /// Whether it is in the branch, not in the scenario above it.
    pub(crate) of_branch: bool,
}

/// One step and its line.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub(crate) span: Span,
    pub(crate) kind: StepKind,
}

#[derive(Clone, Debug)]
pub(crate) enum StepKind {
    /// A turn begins.
    Turn(PlayerId),
    /// A phase begins.
    Resume(Phase, Option<PlayerId>),
    /// A single procedure is called.
    Do(Phase, Option<PlayerId>),
    /// Dice are rolled, in any order.
    Roll(Vec<(DieId, Throw, Span)>),
    /// Cards are drawn in this order, from this zone if the line names it.
    Draw(Option<ZoneId>, Vec<(PieceId, Span)>),
    /// A player decides.
    Answer(PlayerId, Action),
    /// An action must not be among the options.
    Refuse { player: PlayerId, action: Action, because: Option<String> },
    /// The players agree on a draw.
    Agree,
    /// A player resigns.
    Resign(PlayerId),
    /// The phases of the game's own set-up are run in this order.
    Setup(Vec<Phase>),
    /// The rules have shuffled this zone, and its order begins with these cards.
    Shuffle(ZoneId, Listed),
    /// An expectation is judged.
    Expect(Check),
}

/// A row of events: the event, its values (`Value::Nothing` fits any), and its location.
pub(crate) type EventRow = (EventId, Vec<Value>, Span);

/// Whose options an expectation is about, and which.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct Asked {
    /// The player; `None` if only one is asked.
    pub(crate) player: Option<PlayerId>,
    /// The verb of the options; `None` for all of them.
    pub(crate) verb: Option<AskId>,
}

/// A fact about a position, in words of the language.
#[derive(Clone, Debug)]
pub(crate) enum Fact {
    At(PieceId, Cell),
    Off(PieceId),
    Empty(Cell),
    /// A piece covers the cell, with this player before it if the line names one.
    Holds(Cell, PieceId, Option<PlayerId>),
    /// These pieces are on the cell, from the top; the flag is whether others may be below.
    Stack(Cell, Vec<PieceId>, bool),
    /// So many pieces are on the cell.
    Height(Cell, usize),
    /// A face-down card is on the cell, or is not.
    FaceDown(Cell, bool),
    Property(PropertyId, Owner, Value),
    Turn(PlayerId),
    /// An owner has these resources; the flag is whether the owner may have more.
    Has(Owner, Amount, bool),
    /// This player had the last turn.
    LastTurn(PlayerId),
    /// The number of the round.
    Round(u64),
    /// A zone holds these cards; the flag is whether cards of an unknown number follow, and the number how many unknown ones.
    Cards(ZoneId, Vec<PieceId>, bool, u32),
    CardCount(ZoneId, u64),
    CardIn(PieceId, ZoneId),
    Winners(Vec<PlayerId>),
    NobodyWins,
    /// Nobody has won, whether the game is over or not.
    NoWinner,
    /// The game is over, and this player has lost.
    Loses(PlayerId),
    Draw,
    Over,
    NotOver,
    /// The fact does not hold.
    Not(Box<Self>),
}

impl Fact {
    /// Returns the fact that holds where this one does not.
    pub(crate) fn negated(self) -> Self {
        match self {
            Self::Property(property, owner, Value::Bool(truth)) => Self::Property(property, owner, Value::Bool(!truth)),
            Self::FaceDown(cell, is_down) => Self::FaceDown(cell, !is_down),
            Self::Over => Self::NotOver,
            Self::NotOver => Self::Over,
            Self::Not(fact) => *fact,
            other => Self::Not(Box::new(other)),
        }
    }

    /// Returns what it reads of turns and rounds.
    pub(crate) fn reads_turns(&self) -> TurnRules {
        if let Self::Not(fact) = self {
            return fact.reads_turns();
        }
        let reads_round = matches!(self, Self::Round(_));
        let read_last = matches!(self, Self::LastTurn(_));
        TurnRules { rounds: reads_round, read_round: reads_round, read_last, ..TurnRules::default() }
    }

    /// Returns whether it holds only where the game is over.
    pub(crate) const fn is_of_ends(&self) -> bool {
        matches!(self, Self::Winners(_) | Self::NobodyWins | Self::Loses(_) | Self::Draw | Self::Over)
    }

    /// Returns whether it holds in all positions that symmetries make of one, or in none, whatever the game.
    pub(crate) fn is_symmetric(&self) -> bool {
        match self {
            Self::NobodyWins | Self::NoWinner | Self::Draw | Self::Over | Self::NotOver => true,
            Self::Not(fact) => fact.is_symmetric(),
            _ => false,
        }
    }
}

/// What a chance or a question is about. It depends only on the position.
#[derive(Clone, Debug)]
pub(crate) enum Condition {
    Fact(Fact),
    /// An embedded expression, braces included.
    Expression(Span),
}

impl Condition {
    /// Returns whether it holds in all positions that symmetries make of one, or in none, whatever the game.
    pub(crate) fn is_symmetric(&self) -> bool {
        match self {
            Self::Fact(fact) => fact.is_symmetric(),
            Self::Expression(_) => false,
        }
    }

    /// Returns whether it holds only where the game is over.
    pub(crate) const fn is_of_ends(&self) -> bool {
        match self {
            Self::Fact(fact) => fact.is_of_ends(),
            Self::Expression(_) => false,
        }
    }

    /// Returns what it reads of turns and rounds.
    pub(crate) fn reads_turns(&self, source: &Source) -> TurnRules {
        match self {
            Self::Fact(fact) => fact.reads_turns(),
            Self::Expression(span) => turns_read_by(source.slice(*span)),
        }
    }

    /// Returns the embedded expression, if it is one.
    pub(crate) const fn expression(&self) -> Option<Span> {
        match self {
            Self::Fact(_) => None,
            Self::Expression(span) => Some(*span),
        }
    }
}

/// What an expectation says of play at a pause.
#[derive(Clone, Debug)]
pub(crate) enum Present {
    Fact(Fact),
    Asks(PlayerId, AskId),
    AsksRoll(DieId),
    AsksDraw(ZoneId),
    Choices { of: Asked, how: ChoicesHow, list: Vec<(Action, Span)> },
    ChoicesCount { of: Asked, count: usize },
    Board(Vec<Drawn>),
    Events { exactly: bool, rows: Vec<EventRow> },
}

/// An expectation.
#[derive(Clone, Debug)]
pub(crate) enum Check {
    Present(Present),
    Expression(Span),
    Snapshot,
    Chance(Box<ChanceCheck>),
    Question(Box<QuestionCheck>),
    Perft(PerftCheck),
}

impl Check {
    /// Returns its embedded expression; `None` if it has none.
    pub(crate) fn expression(&self) -> Option<Span> {
        match self {
            Self::Expression(span) => Some(*span),
            Self::Chance(asked) => asked.condition.expression(),
            Self::Question(asked) => asked.sought.condition()?.expression(),
            Self::Present(_) | Self::Snapshot | Self::Perft(_) => None,
        }
    }
}

/// An expectation about the number of sequences of answers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PerftCheck {
    /// The number of answers of a sequence.
    pub(crate) depth: usize,
    /// The number of sequences.
    pub(crate) count: u64,
    /// The largest number of sequences of up to `depth` answers that may be counted.
    pub(crate) states: usize,
    /// Whether the line also holds if there are more.
    pub(crate) or_undecided: bool,
}

/// What a question about all play that may follow asks for.
#[derive(Clone, Debug)]
pub(crate) enum Sought {
    /// The condition holds at some point of some line of play.
    Reachable(Condition),
    /// It holds at no point of any line.
    Never(Condition),
    /// Play can come back to a position.
    Cycle,
    NoCycle,
    EveryLineEnds,
}

impl Sought {
    /// Returns its condition; `None` if it is about the lines of play.
    pub(crate) const fn condition(&self) -> Option<&Condition> {
        match self {
            Self::Reachable(condition) | Self::Never(condition) => Some(condition),
            Self::Cycle | Self::NoCycle | Self::EveryLineEnds => None,
        }
    }
}

/// A question about all play that may follow.
#[derive(Clone, Debug)]
pub(crate) struct QuestionCheck {
    pub(crate) sought: Sought,
    /// The words of the condition.
    pub(crate) words: String,
    /// The number of turns, the present one included, after which play is not followed.
    pub(crate) turns: Option<u32>,
    /// The limits of the search.
    pub(crate) bounds: Bounds,
    /// Whether the line also holds if a limit is reached before the answer is known.
    pub(crate) or_undecided: bool,
}

impl QuestionCheck {
    /// Returns the question in the words of the language, without limits: `reachable winner red within 3 turns`.
    pub(crate) fn written(&self) -> String {
        let question = match self.sought {
            Sought::Reachable(_) => format!("reachable {}", self.words),
            Sought::Never(_) => format!("never {}", self.words),
            Sought::Cycle => "cycle".to_owned(),
            Sought::NoCycle => "no cycle".to_owned(),
            Sought::EveryLineEnds => "every line ends".to_owned(),
        };
        match self.turns {
            Some(1) => format!("{question} within 1 turn"),
            Some(turns) => format!("{question} within {turns} turns"),
            None => question,
        }
    }
}

/// An expectation about a chance.
#[derive(Clone, Debug)]
pub(crate) struct ChanceCheck {
    pub(crate) condition: Condition,
    /// The words of the condition in the line.
    pub(crate) words: String,
    /// The comparison of the chance with `value`.
    pub(crate) compare: Compare,
    /// The expected value.
    pub(crate) value: BigRational,
    /// The largest allowed difference, with `=`.
    pub(crate) margin: Option<BigRational>,
    /// Value and margin as they are written.
    pub(crate) written: String,
    /// The horizon, the limit of states, and the actions and policies for decisions.
    pub(crate) inquiry: Inquiry,
    /// The lines of the actions in `inquiry`.
    pub(crate) actions: Vec<Span>,
    /// The lines of the policies in `inquiry`.
    pub(crate) policies: Vec<Span>,
}

impl ChanceCheck {
    /// Returns whether value and margin are written in percent.
    pub(crate) fn is_percent(&self) -> bool {
        self.written.ends_with('%')
    }
}

/// The comparison of a chance with a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compare {
    /// `=`
    Equal,
    /// `<`
    Less,
    /// `>`
    More,
    /// `<=`
    AtMost,
    /// `>=`
    AtLeast,
}

impl Compare {
    /// Returns the sign of the comparison.
    pub(crate) const fn sign(self) -> &'static str {
        match self {
            Self::Equal => "=",
            Self::Less => "<",
            Self::More => ">",
            Self::AtMost => "<=",
            Self::AtLeast => ">=",
        }
    }
}

impl Step {
    /// Returns whether it answers an ask.
    pub(crate) const fn is_answer(&self) -> bool {
        match self.kind {
            StepKind::Roll(_) | StepKind::Draw(..) | StepKind::Answer(..) => true,
            StepKind::Turn(_)
            | StepKind::Resume(..)
            | StepKind::Do(..)
            | StepKind::Setup(_)
            | StepKind::Shuffle(..)
            | StepKind::Agree
            | StepKind::Resign(_)
            | StepKind::Refuse { .. }
            | StepKind::Expect(_) => false,
        }
    }
}
