//! Shuffling and dealing as lines say it, and as phases that are run without the script.

use super::{Phase, Schema, Table, Value, ZoneId};

/// What a line does with cards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Dealing {
    /// `shuffle deck`
    Shuffle(ZoneId),
    /// `deal 2 from deck to hand of each player`: one card at a time, from zone to zone.
    Deal {
        /// How many cards each zone gets.
        number: u32,
        /// Where they come from.
        from: ZoneId,
        /// The zones that get them, in their order.
        to: Vec<ZoneId>,
    },
    /// `deal 9 from deck to board face down`: to the empty cells inside, as a reader meets them.
    Board {
        /// How many cards.
        number: u32,
        /// Where they come from.
        from: ZoneId,
        /// Whether they lie face up.
        up: bool,
    },
}

/// Names of phases that no script can give to a function.
const SHUFFLE: &str = "(shuffle)";
const DEAL: &str = "(deal)";
const BOARD: &str = "(deal to board)";

impl Dealing {
    /// Returns the same for those who play at a table, in the order of play; nothing if nobody gets anything.
    #[must_use]
    pub fn at(&self, table: &Table) -> Option<Self> {
        let Self::Deal { number, from, to } = self else { return Some(self.clone()) };
        let place = |zone: &ZoneId| match table.schema.zones.get(zone.index())?.owner {
            None => Some(0),
            Some(owner) => table.players.iter().position(|player| *player == owner),
        };
        let mut seated: Vec<(usize, ZoneId)> = to.iter().filter_map(|zone| Some((place(zone)?, *zone))).collect();
        seated.sort_unstable();
        let to: Vec<ZoneId> = seated.into_iter().map(|(_, zone)| zone).collect();
        (!to.is_empty()).then_some(Self::Deal { number: *number, from: *from, to })
    }

    /// Returns the phase that does it.
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

    /// What a phase does, if it is one of these.
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

    /// Returns the line.
    #[must_use]
    pub fn write(&self, schema: &Schema) -> String {
        match self {
            Self::Shuffle(zone) => format!("shuffle {}", schema.zone_name(*zone)),
            Self::Deal { number, from, to } => {
                let first = to.first().and_then(|zone| schema.zones.get(zone.index()));
                let to = match (first, to.as_slice()) {
                    (Some(zone), [_, _, ..]) => format!("{} of each player", zone.name),
                    (_, [zone, ..]) => schema.zone_name(*zone),
                    _ => String::new(),
                };
                format!("deal {number} from {} to {to}", schema.zone_name(*from))
            }
            Self::Board { number, from, up } => {
                let side = if *up { "up" } else { "down" };
                format!("deal {number} from {} to board face {side}", schema.zone_name(*from))
            }
        }
    }
}
