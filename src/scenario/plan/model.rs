//! What is to be done and judged: nothing in a plan is a text that could still be wrong.

use std::sync::Arc;

use num_rational::BigRational;

use crate::game::{Game, House};
use crate::play::Inquiry;
use crate::rules::Holes;
use crate::source::{Source, Span};
use crate::syntax::ast::ChoicesHow;
use crate::table::{
    AskId, Cell, ClauseId, DieId, Drawn, EventId, Listed, Owner, Phase, PieceId, PlayerId, PropertyId, State, Throw,
    Value, ZoneId,
};
use crate::trace::Action;

/// A scenario ready to be run.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// The game.
    pub(crate) game: Arc<Game>,
    /// The house rules over it, in order.
    pub(crate) houses: Vec<House>,
    /// The text in which it stands.
    pub(crate) source: Arc<Source>,
    /// The line that begins it.
    pub(crate) head: Span,
    /// The position at the start.
    pub(crate) start: State,
    /// What is done and judged, in order.
    pub(crate) steps: Vec<Step>,
    /// Where a branch begins: the steps before it are played and not judged.
    pub(crate) branch: Option<Fork>,
    /// What must be true at every pause and phase end, and at each event.
    pub(crate) always: Vec<Always>,
    /// The values of the table's row, for expressions.
    pub(crate) holes: Holes,
    /// The clauses that must be applied, with the places of their claims.
    pub(crate) covers: Vec<(ClauseId, Span)>,
    /// The clauses that the game's set-up applies, where the scenario begins with it.
    pub(crate) set_up: Vec<ClauseId>,
}

/// Where a branch begins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fork {
    /// Its first step.
    pub(crate) step: usize,
    /// The line that begins it.
    pub(crate) head: Span,
}

/// An expression that must be true all the time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Always {
    /// The expression, braces included.
    pub(crate) island: Span,
    /// Whether it is judged at each event, too.
    pub(crate) each_event: bool,
    /// Whether it stands in the branch, and not in the scenario above it.
    pub(crate) of_branch: bool,
}

/// One step and the line that says it.
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
    /// A procedure is called alone.
    Do(Phase, Option<PlayerId>),
    /// What dice show, in any order.
    Roll(Vec<(DieId, Throw, Span)>),
    /// The cards that are drawn, the first one first; from this zone, if the line says so.
    Draw(Option<ZoneId>, Vec<(PieceId, Span)>),
    /// A player's decision.
    Answer(PlayerId, Action),
    /// A decision that must not be among the options.
    Refuse { player: PlayerId, action: Action, because: Option<String> },
    /// The players agree on a draw.
    Agree,
    /// The game's own set-up is run, in this order.
    Setup(Vec<Phase>),
    /// The rules have shuffled this zone; so its order begins.
    Shuffle(ZoneId, Listed),
    /// What must be so.
    Expect(Check),
}

/// A row of events: which, its values (nothing fits any), and its place.
pub(crate) type EventRow = (EventId, Vec<Value>, Span);

/// Something that must be so.
#[derive(Clone, Debug)]
pub(crate) enum Check {
    At(PieceId, Cell),
    Off(PieceId),
    Empty(Cell),
    /// A piece covers the cell; and the player before it, where the line says one.
    Holds(Cell, PieceId, Option<PlayerId>),
    /// Whether a card lies face down there.
    FaceDown(Cell, bool),
    Property(PropertyId, Owner, Value),
    Turn(PlayerId),
    Asks(PlayerId, AskId),
    AsksRoll(DieId),
    AsksDraw(ZoneId),
    /// What lies in a zone, and whether unknown cards follow.
    Cards(ZoneId, Vec<PieceId>, bool),
    CardCount(ZoneId, u64),
    CardIn(PieceId, ZoneId),
    Winners(Vec<PlayerId>),
    NobodyWins,
    /// Nobody has won, whether the game is over or not.
    NoWinner,
    /// The game is over, and this player has lost it.
    Loses(PlayerId),
    Draw,
    Over,
    NotOver,
    Choices {
        verb: Option<AskId>,
        how: ChoicesHow,
        list: Vec<(Action, Span)>,
    },
    ChoicesCount {
        verb: Option<AskId>,
        count: usize,
    },
    Board(Vec<Drawn>),
    Events {
        exactly: bool,
        rows: Vec<EventRow>,
    },
    Island(Span),
    Snapshot,
    Chance(Box<ChanceCheck>),
}

/// A chance that must be so large.
#[derive(Clone, Debug)]
pub(crate) struct ChanceCheck {
    /// What is to happen: something that the position alone tells.
    pub(crate) condition: Check,
    /// The same as it stands in the line.
    pub(crate) words: String,
    /// How the chance is compared.
    pub(crate) compare: Compare,
    /// With what.
    pub(crate) value: BigRational,
    /// How far it may be from there, with `=`.
    pub(crate) margin: Option<BigRational>,
    /// Whether these two are written in percent.
    pub(crate) percent: bool,
    /// Up to where, and how decisions are settled.
    pub(crate) inquiry: Inquiry,
    /// The lines of the settlement's actions.
    pub(crate) actions: Vec<Span>,
    /// The lines of its policies.
    pub(crate) policies: Vec<Span>,
}

/// How a chance is compared.
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
    /// As it is written.
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
        matches!(self.kind, StepKind::Roll(_) | StepKind::Draw(..) | StepKind::Answer(..))
    }
}
