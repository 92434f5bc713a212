//! The flags that messages and reports of other modules name. No other module knows a word of the command line.

use crate::scenario::{OddsFlags, SetUpFlags, StrategyFlags};

/// The flags for a set-up.
pub(super) const SET_UP: SetUpFlags =
    SetUpFlags { variant: "--variant", players: "--players", house: "--house", option: "--with" };
/// The flags of `referee compare` for the reading that all others are compared with.
pub(super) const AGAINST: SetUpFlags = SetUpFlags { house: "--against", option: "--against", ..SET_UP };
/// The flags of `referee compare` for the other reading.
pub(super) const COMPARED: SetUpFlags = SetUpFlags { option: "--set", ..SET_UP };

/// The flags for how players decide.
pub(super) const STRATEGY: StrategyFlags = StrategyFlags { when: "--when", policy: "--policy" };
/// The flags for a question about odds.
pub(super) const ODDS: OddsFlags =
    OddsFlags { chance: "--chance", within: "--within", states: "--states", strategy: STRATEGY };

/// The flag for what must be true at every point of play.
pub(super) const ALWAYS: &str = "--always";
/// The flag for the number of turns after which a game is stopped.
pub(super) const MAX_TURNS: &str = "--max-turns";
/// The flag for the folder to which scenarios are written.
pub(super) const WRITE: &str = "--write";
