//! What the kinds of pieces, the zones and the players of a game add to what rules may use.

use std::sync::OnceLock;

use super::entry::{By, Cost, Does, Entry, Form, Reads, Sense, Stays, Worst, shows};
use super::kinds::owned_zones;
use super::table::{forms, functions};
use crate::values::{Kind, Sort};
use referee_table::{Each, KindId, NameMap, Schema};

/// A kind of pieces with one for each player: `marker(me)`.
static PIECE_OF_PLAYER: Entry = Entry {
    form: "NAME(player: player) -> piece",
    doc: "Returns the piece of this kind that belongs to a player.",
    example: shows("man(me)", "red"),
    reads: Reads::Nothing,
    does: Does::Nothing,
    cost: Cost::Small,
    worst: Worst::Same(&["scout(me)"]),
    stays: Stays::Computed,
    by: By::EachGame,
};

/// A kind of pieces with any number of them for each player: `man(me)`.
static PIECES_OF_PLAYER: Entry = Entry {
    form: "NAME(player: player) -> men",
    doc: "Returns what stands for all pieces of this kind that belong to a player.",
    example: shows("pawn(me)", "red pawn"),
    reads: Reads::Nothing,
    does: Does::Nothing,
    cost: Cost::Small,
    worst: Worst::Same(&["man(me)"]),
    stays: Stays::Computed,
    by: By::EachGame,
};

/// A kind of pieces with numbers: `block(2)`.
static PIECE_WITH_NUMBER: Entry = Entry {
    form: "NAME(number: number) -> piece",
    doc: "Returns the piece of this kind with a number.",
    example: shows("block(2)", "block 2"),
    reads: Reads::Nothing,
    does: Does::Nothing,
    cost: Cost::Small,
    worst: Worst::Same(&["block(2)"]),
    stays: Stays::Computed,
    by: By::EachGame,
};

/// A kind of pieces with several for each player, which have numbers: `man(me, 3)`.
static PIECE_OF_PLAYER_WITH_NUMBER: Entry = Entry {
    form: "NAME(player: player, number: number) -> piece",
    doc: "Returns the piece of this kind that belongs to a player and has a number.",
    example: shows("guard(me, 2)", "red guard 2"),
    reads: Reads::Nothing,
    does: Does::Nothing,
    cost: Cost::Small,
    worst: Worst::Same(&["guard(me, 2)"]),
    stays: Stays::Computed,
    by: By::EachGame,
};

/// A zone that each player has: `hand(me)`.
static ZONE_OF_PLAYER: Entry = Entry {
    form: "NAME(player: player) -> zone",
    doc: "Returns this zone of a player.",
    example: shows("count(hand(me))", "0"),
    reads: Reads::Nothing,
    does: Does::Nothing,
    cost: Cost::Small,
    worst: Worst::Same(&["hand(me)"]),
    stays: Stays::Computed,
    by: By::EachGame,
};

/// Returns the forms of all entries: of the rules API, of Rhai's library, of the language, and of what games add.
#[must_use]
pub fn entries() -> Vec<&'static Form> {
    static ALL: [&Entry; 5] =
        [&PIECE_OF_PLAYER, &PIECES_OF_PLAYER, &PIECE_WITH_NUMBER, &PIECE_OF_PLAYER_WITH_NUMBER, &ZONE_OF_PLAYER];
    static OF_GAMES: OnceLock<Vec<Form>> = OnceLock::new();
    let of_games = OF_GAMES.get_or_init(|| ALL.iter().filter_map(|entry| Form::of(entry, None)).collect());
    forms().iter().chain(of_games).collect()
}

/// What a game adds to what rules may use.
#[derive(Debug, Default)]
pub(crate) struct OfGame {
    functions: NameMap<Vec<Form>>,
    components: NameMap<Kind>,
}

impl OfGame {
    pub(crate) fn of(schema: &Schema) -> Self {
        let mut functions: NameMap<Vec<Form>> = NameMap::default();
        let kinds = schema.kinds.iter().enumerate().filter_map(|(at, kind)| {
            let is_many = schema.pieces_of(KindId::at(at)).any(|piece| schema.is_many(piece));
            let entry = match kind.each {
                Each::One | Each::Card => return None,
                Each::Player if is_many => &PIECES_OF_PLAYER,
                Each::Player => &PIECE_OF_PLAYER,
                Each::Number(..) => &PIECE_WITH_NUMBER,
                Each::PlayerNumber(..) => &PIECE_OF_PLAYER_WITH_NUMBER,
            };
            Some((entry, kind.name.as_str()))
        });
        let zones = owned_zones(schema).into_iter().map(|name| (&ZONE_OF_PLAYER, name));
        for (entry, name) in kinds.chain(zones) {
            functions.entry(name.to_owned()).or_default().extend(Form::of_game(entry, name));
        }
        let mut components = NameMap::default();
        let players = schema.players.iter().map(|name| (name.as_str(), Kind::PLAYER));
        let pieces = schema.pieces.iter().filter(|piece| piece.is_alone()).map(|piece| {
            let kind = if piece.many { Kind::of(Sort::Men) } else { Kind::PIECE };
            (piece.name.as_str(), kind)
        });
        let zones = schema.zones.iter().filter(|zone| zone.owner.is_none());
        let zones = zones.map(|zone| (zone.name.as_str(), Kind::of(Sort::Zone)));
        let game = std::iter::once(("game", Kind::of(Sort::Game)));
        for (name, kind) in players.chain(pieces).chain(zones).chain(game) {
            components.insert(name.to_owned(), kind);
        }
        Self { functions, components }
    }

    /// Returns the functions of the game with this name: kinds of pieces, and zones that each player has.
    pub(crate) fn functions(&self, name: &str) -> &[Form] {
        self.functions.get(name).map_or(&[], Vec::as_slice)
    }

    /// Returns the names of all components that rules name.
    pub(crate) fn component_names(&self) -> impl Iterator<Item = &str> {
        self.components.keys().map(String::as_str)
    }

    /// Returns the kind of the component that rules name so: a player, a piece or a zone without brackets, or `game`.
    pub(crate) fn component(&self, name: &str) -> Option<&Kind> {
        self.components.get(name)
    }

    /// Returns the forms of the functions of the rules API with this name, and those of the game.
    pub(crate) fn of_api(&self, name: &str) -> impl Iterator<Item = &Form> {
        let of_all = functions(name).iter().copied().filter(|form| !form.is_of_library());
        of_all.chain(self.functions(name))
    }

    /// Returns all forms of functions: of the rules API, of the game, and of Rhai's library.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Form> {
        let is_of_library = |form: &&Form| form.sense == Sense::Function && form.is_of_library();
        let of_api = self.all_of_api().filter(|form| form.sense == Sense::Function);
        of_api.chain(forms().iter().filter(is_of_library))
    }

    /// Returns all forms of functions and operators of the rules API, and those of the game.
    pub(crate) fn all_of_api(&self) -> impl Iterator<Item = &Form> {
        let is_called = |form: &&Form| form.sense != Sense::Property && !form.is_of_library();
        forms().iter().filter(is_called).chain(self.functions.values().flatten())
    }
}
