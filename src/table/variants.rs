//! The settings of a variant of a game.

use super::{BoardSpec, Schema, Setting, Variant};
use crate::diagnostic::note_missing;

impl Schema {
    /// Returns a variant; `None` for the first one while none are declared yet.
    fn variant(&self, at: usize) -> Option<&Variant> {
        let found = self.variants.get(at);
        if found.is_none() && at > 0 {
            note_missing("a variant");
        }
        found
    }

    /// Returns the board of a variant: its own, or the game's.
    #[must_use]
    pub fn board_of(&self, variant: usize) -> BoardSpec {
        self.variant(variant).and_then(|variant| variant.board).unwrap_or(self.board)
    }

    /// Returns the value of each option in a variant: the default if the variant does not set it.
    #[must_use]
    pub fn option_values(&self, variant: usize) -> Vec<Setting> {
        let mut values: Vec<Setting> = self.options.iter().map(|option| option.choice.default()).collect();
        for (option, setting) in self.variant(variant).into_iter().flat_map(|variant| &variant.settings) {
            if let Some(slot) = values.get_mut(option.index()) {
                slot.clone_from(setting);
            }
        }
        values
    }

    /// Returns the minimum and maximum number of players of a variant.
    #[must_use]
    pub fn player_count_of(&self, variant: usize) -> (usize, usize) {
        self.variant(variant).and_then(|variant| variant.player_count).unwrap_or(self.player_count)
    }

    /// Returns a message if the variant does not allow this number of players.
    #[must_use]
    pub fn wrong_number_of_players(&self, variant: usize, count: usize) -> Option<String> {
        let (least, most) = self.player_count_of(variant);
        let plays = if least == most { least.to_string() } else { format!("{least} to {most}") };
        let played = match self.variant(variant) {
            Some(Variant { name, player_count: Some(_), .. }) => format!("`{name}`"),
            _ => "the game".to_owned(),
        };
        let wrong = !(least..=most).contains(&count);
        wrong.then(|| format!("{played} is for {plays} players, not for {count}"))
    }
}
