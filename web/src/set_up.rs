//! A game that is to be played, as the page names it.

use referee_scenario::{OddsFlags, Origin, Players, SetUp, SetUpFlags, StrategyFlags};
use serde::Deserialize;

/// The words by which messages name the parts of a question: those of the command line, which the page shows beside it.
pub(crate) const SET_UP: SetUpFlags =
    SetUpFlags { variant: "--variant", players: "--players", house: "--house", option: "--with" };
/// The same for the reading that another is compared with.
pub(crate) const AGAINST: SetUpFlags = SetUpFlags { house: "--against", option: "--against", ..SET_UP };
/// The same for the reading that is compared.
pub(crate) const COMPARED: SetUpFlags = SetUpFlags { option: "--set", ..SET_UP };
/// The same for how players decide.
pub(crate) const STRATEGY: StrategyFlags = StrategyFlags { when: "--when", policy: "--policy" };
/// The same for odds.
pub(crate) const ODDS: OddsFlags =
    OddsFlags { chance: "--chance", within: "--within", states: "--states", memory: "--memory", strategy: STRATEGY };

/// The number of turns after which a game is stopped, as on the command line.
pub(crate) const MAX_PLIES: u64 = 1000;
/// The number of deals over which `greedy` averages, as on the command line.
pub(crate) const DEALS: u32 = 100;

/// A game with its settings: `{"game":"pig","variant":…,"players":…,"houses":[…],"with":[["goal","50"]]}`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Given {
    game: String,
    #[serde(default)]
    variant: Option<String>,
    #[serde(default)]
    players: Option<usize>,
    #[serde(default)]
    houses: Vec<String>,
    #[serde(default)]
    with: Vec<(String, String)>,
}

impl Given {
    /// Returns the name of the game.
    pub(crate) fn game(&self) -> &str {
        &self.game
    }

    /// Returns the same set-up without options and house rules.
    pub(crate) fn bare(&self) -> Self {
        Self { houses: Vec::new(), with: Vec::new(), ..self.clone() }
    }

    /// Returns the set-up.
    pub(crate) fn set_up(&self) -> SetUp {
        SetUp {
            game: self.game.clone(),
            variant: self.variant.clone(),
            players: self.players.map_or(Players::Fewest, Players::First),
            houses: self.houses.clone(),
            options: self.with.clone(),
            flags: SET_UP,
        }
    }

    /// Returns the set-up as the beginning of games.
    pub(crate) fn origin(&self) -> Origin {
        Origin::SetUp(self.set_up())
    }

    /// Returns whether the number of players is given.
    pub(crate) const fn names_players(&self) -> bool {
        self.players.is_some()
    }
}
