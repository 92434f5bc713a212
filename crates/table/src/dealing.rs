//! Shuffling and dealing, as lines and as phases that run without the script.

use super::{Phase, Value, ZoneId};

/// The effect of a line that shuffles or deals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Dealing {
    /// `shuffle deck`
    Shuffle(ZoneId),
    /// `deal 2 from deck to hand of each player`: one card at a time, from zone to zone.
    Deal {
        /// The number of cards for each zone.
        number: u32,
        /// The zone they are taken from.
        from: ZoneId,
        /// The zones that receive them, in order.
        to: Vec<ZoneId>,
    },
    /// `deal 9 from deck to board face down`: to the empty cells inside the margin, in reading order.
    Board {
        /// The number of cards.
        number: u32,
        /// The zone they are taken from.
        from: ZoneId,
        /// Whether they are face up.
        up: bool,
    },
}

// Names of phases. No script can give such a name to a function.
const SHUFFLE: &str = "(shuffle)";
const DEAL: &str = "(deal)";
const BOARD: &str = "(deal to board)";

impl Dealing {
    /// Returns the phase that performs it.
    #[must_use]
    pub fn phase(&self) -> Phase {
        let id = |zone: &ZoneId| Value::Int(i64::from(zone.0));
        match self {
            Self::Shuffle(zone) => Phase { name: SHUFFLE.into(), args: vec![id(zone)] },
            Self::Deal { number, from, to } => {
                let mut args = vec![Value::Int(i64::from(*number)), id(from)];
                args.extend(to.iter().map(id));
                Phase { name: DEAL.into(), args }
            }
            Self::Board { number, from, up } => {
                let args = vec![Value::Int(i64::from(*number)), id(from), Value::Bool(*up)];
                Phase { name: BOARD.into(), args }
            }
        }
    }

    /// Returns the shuffling or dealing of a phase; `None` for other phases.
    #[must_use]
    pub fn of(phase: &Phase) -> Option<Self> {
        let id = |value: &Value| match value {
            Value::Int(id) => u16::try_from(*id).ok().map(ZoneId),
            _ => None,
        };
        match (&*phase.name, phase.args.as_slice()) {
            (SHUFFLE, [zone]) => id(zone).map(Self::Shuffle),
            (DEAL, [Value::Int(number), from, to @ ..]) => Some(Self::Deal {
                number: u32::try_from(*number).ok()?,
                from: id(from)?,
                to: to.iter().map(id).collect::<Option<_>>()?,
            }),
            (BOARD, [Value::Int(number), from, Value::Bool(up)]) => {
                Some(Self::Board { number: u32::try_from(*number).ok()?, from: id(from)?, up: *up })
            }
            _ => None,
        }
    }
}
