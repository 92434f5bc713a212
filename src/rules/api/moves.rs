//! Moves as a script hands them on: made, counted and offered by natives, never one by one.

use std::borrow::Cow;
use std::sync::Arc;

use rhai::NativeCallContext;

use super::Api;
use super::board::count;
use crate::rules::hooks;
use crate::table::{Move, PlayerId};

/// Moves; handed on without a copy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Moves(Arc<Vec<Move>>);

impl Moves {
    pub(crate) fn new(moves: Vec<Move>) -> Self {
        Self(Arc::new(moves))
    }

    pub(crate) const fn shared(moves: Arc<Vec<Move>>) -> Self {
        Self(moves)
    }

    /// The moves as they were made.
    pub(crate) const fn all(&self) -> &Arc<Vec<Move>> {
        &self.0
    }

    /// The moves in the order of their cells, each once.
    pub(crate) fn distinct(&self) -> Cow<'_, [Move]> {
        let next = |pair: &[Move]| matches!(pair, [one, other] if one < other);
        if self.0.windows(2).all(next) {
            return Cow::Borrowed(&self.0);
        }
        let mut moves = self.0.to_vec();
        moves.sort_unstable();
        moves.dedup();
        Cow::Owned(moves)
    }
}

pub(super) fn register(api: &mut Api<'_>) {
    api.add("count(moves: moves) -> number", "How many moves there are.", |moves: &mut Moves| count(moves.0.len()));
    api.add("is_empty(moves: moves) -> bool", "Whether there is no move.", |moves: &mut Moves| moves.0.is_empty());
    let link = api.link();
    api.add(
        "can_move(player: player) -> bool",
        "Whether the rules' function `moves` lists any move for a player. What it lists here is not listed again when the \
         player's turn comes, so this costs nothing where nothing changes in between.",
        move |ctx: NativeCallContext<'_>, player: PlayerId| hooks::can_move(&link, &ctx, player),
    );
    api.native("+", |one: &mut Moves, other: Moves| Moves::new([one.0.as_slice(), &other.0].concat()));
}
