//! Players, and comparing components.

use std::cell::OnceCell;
use std::rc::Rc;

use rhai::{Array, Dynamic, EvalAltResult, ImmutableString};

use super::Api;
use crate::rules::values::{failure, kind_of};
use crate::rules::vm::Kept;
use crate::table::{Cell, PieceId, PlayerId, Schema};

pub(super) fn register(api: &mut Api<'_>) {
    let link = api.link();
    api.add("players() -> list", "The players who take part, in the order of play.", move || {
        link.with(|session| Ok(session.state.table.players.iter().copied().map(Dynamic::from).collect::<Array>()))
    });
    let link = api.link();
    api.add(
        "after(player: player) -> player",
        "The player whose turn follows, in the order of play.",
        move |player: &mut PlayerId| link.with(|session| Ok(session.state.table.after(*player))),
    );
    let link = api.link();
    api.add(
        "next_turn(player: player)",
        "The next turn is this player's; from there play goes on in the order of play.",
        move |player: PlayerId| {
            link.with(|session| {
                session.state.next_turn = Some(player);
                Ok(())
            })
        },
    );
    let link = api.link();
    let names = Names::default();
    api.add("name(of: component) -> text", "The name of a player, a piece or a cell.", move |player: PlayerId| {
        let all = |schema: &Schema| schema.players.iter().map(ImmutableString::from).collect();
        link.with(|session| Ok(named(&names, player.index(), || all(session.state.schema()))))
    });
    let link = api.link();
    let names = Names::default();
    api.also(move |piece: PieceId| {
        let all = |schema: &Schema| schema.pieces.iter().map(|piece| piece.name.as_str().into()).collect();
        link.with(|session| Ok(named(&names, piece.index(), || all(session.state.schema()))))
    });
    let link = api.link();
    api.also(move |cell: Cell| link.with(|session| Ok(ImmutableString::from(session.state.board().name(cell)))));
    compare::<PlayerId>(api);
    compare::<PieceId>(api);
    compare::<Cell>(api);
}

/// The names of all players or pieces of a game, laid down when one is first wanted.
type Names = Rc<OnceCell<Vec<ImmutableString>>>;

/// Returns the name of the component with this index.
fn named(names: &Names, index: usize, all: impl FnOnce() -> Vec<ImmutableString>) -> ImmutableString {
    names.get_or_init(all).get(index).cloned().unwrap_or_default()
}

/// Components are equal to themselves only; a comparison with a text is an error, for it would always be false.
fn compare<T: Clone + PartialEq + Kept + 'static>(api: &mut Api<'_>) {
    fn wrong<R>(component: Dynamic, text: &str) -> Result<R, Box<EvalAltResult>> {
        let kind = kind_of(&component);
        Err(failure(format!(
            "{kind} is compared with the text \"{text}\", which it never equals; compare it with the component, or `name(…)` with the text"
        )))
    }
    api.native("==", |one: T, other: T| one == other);
    api.native("!=", |one: T, other: T| one != other);
    api.native("==", |one: T, text: ImmutableString| wrong::<bool>(Dynamic::from(one), &text));
    api.native("!=", |one: T, text: ImmutableString| wrong::<bool>(Dynamic::from(one), &text));
    api.native("==", |text: ImmutableString, one: T| wrong::<bool>(Dynamic::from(one), &text));
    api.native("!=", |text: ImmutableString, one: T| wrong::<bool>(Dynamic::from(one), &text));
}
