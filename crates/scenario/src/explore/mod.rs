//! Looks for holes in the rules of a game: plays it, and shrinks each finding to the shortest scenario that shows it.

mod case;
mod crop;
mod finding;
mod hints;
mod hunt;
mod invariant;
mod last_turn;
mod minimal;
mod reach;
mod replay;
mod settings;
mod shrink;
mod survey;

pub use finding::{Finding, FindingKey, Kind};
pub use hints::clause_hints;
pub use hunt::{Hunt, Hunted};
pub use invariant::{Invariant, invariants};
pub use reach::{Unreached, unreached, was_run};
pub use settings::{
    KnownGames, Originals, OtherSetting, SettingEffect, SettingFault, other_players, other_settings, setting_effect,
    setting_faults, setting_hints, shrink_setting,
};
pub use shrink::{Evidence, Shrunk, shrink};
pub use survey::{Extent, Survey, Surveyed, survey};
