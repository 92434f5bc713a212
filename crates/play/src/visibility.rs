//! Finds where cards are that a player cannot see, and values.

use super::machine::Machine;
use referee_diagnostic::{Code, Diagnostic, one_of};
use referee_table::{AskId, DieId, Face, Names, Owner, PlayerId, PropertyId, State, ZoneId};

/// A location of cards that a player does not see.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unseen {
    /// In a zone.
    Zone(ZoneId),
    /// Face down on the board.
    Board,
    /// In no place.
    Nowhere,
    /// No card, but a value.
    Value(PropertyId, Owner),
    /// No card, but throws of a die.
    Throws(DieId),
    /// No card, but answers to an ask.
    Answers(AskId),
}

/// Returns the locations of cards that are decided in the state but unknown to a player. Returns none if only one
/// arrangement is consistent with what the player sees. For example, the cards of a single covered zone without order
/// are exactly the cards that are nowhere else.
pub(super) fn hidden(state: &State, player: PlayerId) -> Vec<Unseen> {
    if state.faces().is_empty() && state.schema().zones.iter().all(|zone| zone.visibility.is_open()) {
        return Vec::new();
    }
    if let Some(zone) = own_unknown(state, player) {
        return vec![Unseen::Zone(zone)];
    }
    let view = state.view(player);
    // Count distinguishable locations: each index of a known order, and all cards without order together.
    let places =
        |zone: &ZoneId| state.zone(*zone).map_or(0, |zone| zone.known().len() + usize::from(!zone.bag().is_empty()));
    let covered: Vec<ZoneId> = view.covered.iter().filter(|(_, count)| *count > 0).map(|(zone, _)| *zone).collect();
    // A card that no player has seen belongs to its zone's cards without order: it is not a location of its own.
    let hides = |face: &&Face| matches!(face, Face::Card { seen, .. } if !seen.contains(&player));
    let down = state.faces().values().filter(hides).count();
    let sorts = view.unseen.values().filter(|count| **count > 0).count();
    if sorts < 2 || covered.iter().map(places).sum::<usize>() + down + view.loose < 2 {
        return Vec::new();
    }
    let board = (down > 0).then_some(Unseen::Board);
    let nowhere = (view.loose > 0).then_some(Unseen::Nowhere);
    covered.into_iter().map(Unseen::Zone).chain(board).chain(nowhere).collect()
}

/// Returns what a player does not see besides cards: values, throws and answers.
pub(super) fn secrets(state: &State, player: PlayerId) -> Vec<Unseen> {
    let values = state.unseen_values(player).into_iter().map(|(property, owner)| Unseen::Value(property, owner));
    let throws = state.unseen_dice(player).map(Unseen::Throws);
    values.chain(throws).chain(state.unseen_answers(player).map(Unseen::Answers)).collect()
}

impl Unseen {
    /// Returns the name of what is no card.
    #[must_use]
    pub fn secret_name(self, names: Names<'_>) -> Option<String> {
        let schema = names.schema;
        match self {
            Self::Value(property, owner) => Some(names.value_name(property, owner)),
            Self::Throws(die) => Some(format!("roll {}", schema.die_name(die)).trim_end().to_owned()),
            Self::Answers(ask) => Some(schema.verb(ask).to_owned()),
            Self::Zone(_) | Self::Board | Self::Nowhere => None,
        }
    }
}

/// Returns a zone with unknown cards that the player would see.
fn own_unknown(state: &State, player: PlayerId) -> Option<ZoneId> {
    state.lent_zones().map(|(zone, _)| zone).find(|zone| state.schema().sees(player, *zone))
}

/// Checks that it is known which cards a player sees, and that what they do not see besides cards can be thrown again, so that
/// trying the options tells them nothing they do not know: there are only throws since a point at which nothing was secret, and
/// what follows from them.
///
/// # Errors
/// Returns an error if it cannot: `policy` is what would decide.
pub(super) fn can_throw_again(machine: &Machine<'_>, player: PlayerId, policy: &str) -> Result<(), Box<Diagnostic>> {
    let (state, schema) = (machine.state(), machine.state().schema());
    if let Some(zone) = own_unknown(state, player) {
        let (player, zone) = (schema.player_name(player), schema.zone_name(zone));
        let message =
            format!("`{policy}` cannot decide for {player}: the position does not say which cards {zone} has");
        let help = format!("name the cards in the position, `{zone}: CARD …`; or use `random` or an action");
        return Err(Box::new(Diagnostic::question(Code::NotSeen, message).help(help)));
    }
    let unseen = secrets(state, player);
    let answers = unseen.iter().any(|one| matches!(one, Unseen::Answers(_)));
    let begins_clear = || machine.segment().is_some_and(|segment| segment.first().has_nothing_secret());
    if unseen.is_empty() || state.schema().has_secret_dice() && !answers && begins_clear() {
        return Ok(());
    }
    let names: Vec<String> = unseen.iter().filter_map(|one| one.secret_name(state.table.names())).collect();
    let list = one_of(names.iter().map(String::as_str), 6);
    let player = schema.player_name(player);
    let message = format!("`{policy}` cannot decide for {player}, who does not see {list}");
    let mut help = format!(
        "what an option leads to may depend on what is secret: use `random`, or actions with conditions, `ACTION if {{ … }}`, \
         which see what {player} sees"
    );
    if schema.has_secret_dice() && !answers {
        help.push_str("; or begin with a turn before the throws, so that they can be made again");
    }
    Err(Box::new(Diagnostic::question(Code::NotSeen, message).help(help)))
}
