//! Functions for players, names and the comparison of components.

use super::entry::{By, Cost, Does, Entry, Reads, Shortcut, Stays, Worst, shows};
use super::lookups;
use super::registry::Api;
use referee_diagnostic::{Code, Diagnostic, MustBe as _};
use std::cell::OnceCell;
use std::rc::Rc;

use rhai::{Array, Dynamic, ImmutableString};

use super::native::Kept;
use crate::host::{Link, instead_of_text};
use crate::values::{Native, kind_of};
use referee_table::{Cell, PieceId, PlayerId, Schema};

/// The functions of this subject.
pub(super) static ENTRIES: &[Entry] = &[
    Entry {
        form: "players() -> list of player",
        doc: "Returns the players who take part, in the order in which they sit. Turns follow this order, unless `set_order` has \
         set another one.",
        example: shows("players()", "[red, blue]"),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Same(&["players()"]),
        stays: Stays::Fixed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move || {
                link.with(|session| {
                    Ok(session.state.table.players.iter().copied().map(Dynamic::from).collect::<Array>())
                })
            });
        }),
    },
    Entry {
        form: "after(player: player) -> player",
        doc: "Returns the next player in the order in which they sit.",
        example: shows("after(me)", "blue"),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Same(&["after(me)"]),
        stays: Stays::Computed,
        by: By::Machine(Shortcut::Lookup(lookups::after), |api| {
            let link = api.link();
            api.add(move |player: &mut PlayerId| link.with(|session| Ok(session.state.table.after(*player))));
        }),
    },
    Entry {
        form: "name(of: component) -> text",
        doc: "Returns the name of a player, a piece or a cell. In a text, `${me}` does the same.",
        example: shows("name(me)", "\"red\""),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Same(&["name(far)"]),
        stays: Stays::Computed,
        by: By::Machine(Shortcut::NameOf, names),
    },
];

/// Registers `name`, and the same function for what becomes part of a text, also in a list.
fn names(api: &mut Api) {
    let (link, names) = (api.link(), Names::default());
    let player = move |player: PlayerId| {
        let all = |schema: &Schema| schema.players.iter().map(ImmutableString::from).collect();
        link.with(|session| Ok(named(&names, player.index(), || all(session.state.schema()))))
    };
    let (link, names) = (api.link(), Names::default());
    let piece = move |piece: PieceId| {
        let all = |schema: &Schema| schema.pieces.iter().map(|piece| piece.name.as_str().into()).collect();
        link.with(|session| Ok(named(&names, piece.index(), || all(session.state.schema()))))
    };
    let link = api.link();
    let cell = move |cell: Cell| link.with(|session| Ok(ImmutableString::from(session.state.board().name(cell))));
    api.add(player.clone());
    api.add(piece.clone());
    api.add(cell.clone());
    for part_of_text in ["to_string", "to_debug"] {
        api.besides(part_of_text, player.clone());
        api.besides(part_of_text, piece.clone());
        api.besides(part_of_text, cell.clone());
    }
}

/// The names of all players or pieces of a game, computed at the first use.
type Names = Rc<OnceCell<Vec<ImmutableString>>>;

/// Returns the name of the component with this index.
fn named(names: &Names, index: usize, all: impl FnOnce() -> Vec<ImmutableString>) -> ImmutableString {
    names.get_or_init(all).get(index).cloned().or_missing("the name of a component", ImmutableString::new())
}

/// Registers the comparison of components.
pub(super) fn besides(api: &mut Api) {
    compare::<PlayerId>(api);
    compare::<PieceId>(api);
    compare::<Cell>(api);
}

/// Registers comparisons of components. A comparison with a string is an error because it would always be false.
fn compare<T: Clone + PartialEq + Kept + 'static>(api: &mut Api) {
    fn wrong(link: &Link, component: Dynamic, text: &str) -> Native<bool> {
        link.with(|session| {
            let kind = kind_of(&component);
            let help = instead_of_text(session.state.schema(), &kind, text);
            let message = format!("{kind} never equals a string");
            Err(link.explain(Diagnostic::general(Code::ComponentAndText, message).help(help)))
        })
    }
    api.besides("==", |one: T, other: T| one == other);
    api.besides("!=", |one: T, other: T| one != other);
    for operator in ["==", "!="] {
        let link = api.link();
        api.besides(operator, move |one: T, text: ImmutableString| wrong(&link, Dynamic::from(one), &text));
        let link = api.link();
        api.besides(operator, move |text: ImmutableString, one: T| wrong(&link, Dynamic::from(one), &text));
    }
}
