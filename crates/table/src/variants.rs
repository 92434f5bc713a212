//! The settings of a variant of a game.

use super::{BoardSpec, Schema, Setting, Variant};
use referee_diagnostic::{MustBe as _, note_missing, one_of};

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
        let own = self.variant(variant).and_then(|variant| variant.board.clone());
        own.unwrap_or_else(|| self.board.clone())
    }

    /// Returns the value of each option in a variant: the default if the variant does not set it.
    #[must_use]
    pub fn option_values(&self, variant: usize) -> Vec<Setting> {
        let mut values: Vec<Setting> = self.options.iter().map(|option| option.choice.default()).collect();
        for (option, setting) in self.variant(variant).into_iter().flat_map(|variant| &variant.settings) {
            if let Some(slot) = values.get_mut(option.index()).noted("the value of an option") {
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

    /// Returns why the fewest players take part in a game of this variant, `None` for the first one, if the user did not
    /// choose them (`are_named`) and others were possible.
    #[must_use]
    pub fn why_these_players(&self, variant: Option<&str>, are_named: bool) -> Option<String> {
        let named = variant.unwrap_or_default();
        let variant = self.variants.iter().position(|variant| variant.name == named).unwrap_or(0);
        let (least, most) = self.player_count_of(variant);
        (!are_named && least < most)
            .then(|| format!("the game is for {least} to {most} players; the fewest take part by default"))
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

    /// Returns the help for a number of players that the variant does not allow: the variants that allow it. `None` if
    /// variants make no difference. `choice` is how a variant is chosen, as a form: `--variant NAME`.
    #[must_use]
    pub fn help_for_players(&self, variant: usize, count: usize, choice: &str) -> Option<String> {
        let chosen = self.variant(variant).filter(|chosen| chosen.player_count.is_some())?;
        let fits = |at: &usize| self.wrong_number_of_players(*at, count).is_none();
        let fitting = (0..self.variants.len()).filter(fits).filter_map(|at| self.variant(at));
        let names: Vec<&str> = fitting.map(|fitting| fitting.name.as_str()).collect();
        let (least, most) = self.player_count;
        Some(match names.first() {
            Some(first) if names.len() == 1 => {
                format!("the variant `{first}` is for {count} players: write `{}`", choice.replace("NAME", first))
            }
            Some(first) => {
                let write = choice.replace("NAME", first);
                format!("the variants {} are for {count} players: write `{write}`", one_of(names.iter().copied(), 9))
            }
            None if (least..=most).contains(&count) => format!(
                "no variant is for {count} players: write another number on the line `players` below `variant {}`, or add \
                 a variant",
                chosen.name
            ),
            None => format!("no variant is for {count} players: the players are {}", self.players.join(", ")),
        })
    }
}
