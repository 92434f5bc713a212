//! What to write in place of a name after a dot that nothing has, because a function returns this value.

use rhai::{Expr, Position};

use super::checker::Checker;
use super::sorts::{BeforeDot, Sort};
use super::written::{written, written_or};
use crate::rules::values::standard;
use crate::table::Each;

impl Checker<'_> {
    /// Notes for each property of a chain what is before its dot.
    pub(super) fn note_owners(&mut self, of: &Expr, after_dot: &Expr) {
        let mut owner = BeforeDot { written: written(of), sort: self.sort_of(of) };
        let mut rest = after_dot;
        loop {
            let step = match rest {
                Expr::Dot(parts, ..) | Expr::Index(parts, ..) => &parts.lhs,
                last => last,
            };
            if let Expr::Property(_, position) = step {
                self.owners.entry(*position).or_insert_with(|| owner.clone());
            }
            let Expr::Dot(parts, ..) = rest else { return };
            owner = BeforeDot {
                written: owner.written.zip(written(step)).map(|(before, step)| format!("{before}.{step}")),
                sort: self.sort_after_dot(owner.sort, step),
            };
            rest = &parts.rhs;
        }
    }

    /// Returns help for an unknown name after a dot, if a function returns this value.
    pub(super) fn in_place_of_property(&self, name: &str, position: Position) -> Option<String> {
        let before = self.owners.get(&position).cloned().unwrap_or_default();
        let own = |otherwise: &str| before.written.clone().unwrap_or_else(|| otherwise.to_owned());
        let piece = || self.piece_before(&before);
        let cell = || match before.sort {
            Some(Sort::Piece | Sort::Player) => format!("cell({})", piece()),
            _ => own("cell"),
        };
        let zone = self.schema.zones.iter().find(|zone| zone.name == name);
        let kind = self.schema.kinds.iter().find(|kind| kind.name == name);
        let of_player = |name: &str| match (&before.written, before.sort) {
            (Some(player), Some(Sort::Player)) => format!("{name}({player})"),
            _ => self.called(name),
        };
        if let Some(help) = of_list(name, &own("list")) {
            return Some(help);
        }
        let form = match name {
            "name" => format!("name({})", own("piece")),
            "number" if before.sort == Some(Sort::Cell) => format!("number({})", own("cell")),
            "at" if before.sort == Some(Sort::Cell) => format!("at({})", own("cell")),
            "at" | "place" => format!("cell({})", piece()),
            "cell" | "owner" | "number" => format!("{name}({})", piece()),
            "position" | "location" | "square" => format!("cell({})", piece()),
            "player" | "colour" | "color" => format!("owner({})", piece()),
            "row" | "column" => format!("{name}({})", cell()),
            "y" | "rank" => format!("row({})", cell()),
            "x" | "col" | "file" => format!("column({})", cell()),
            "neighbours" | "neighbors" | "adjacent" => match before.sort {
                Some(Sort::Cells) => format!("around({})", own("cells")),
                _ => format!("around(one({}))", cell()),
            },
            "cards" => format!("cards({})", own("zone")),
            "piece" | "mover" if before.sort == Some(Sort::Cell) => format!("at({})", own("cell")),
            "piece" | "mover" => {
                let text = format!(
                    "a move has `from`, `to` and `captures`: write `at({}.from)` for its piece before it is made",
                    own("move")
                );
                return Some(text);
            }
            _ if zone.is_none() && kind.is_none() && standard().get(name).is_some_and(|takes| takes.contains(&1)) => {
                return Some(format!("write brackets to call a function: `{}.{name}()`", own("…")));
            }
            "count" | "length" | "size" => match before.sort {
                Some(Sort::List | Sort::Text) => format!("{}.len", own("list")),
                Some(Sort::Zone | Sort::Cells | Sort::Moves) => format!("count({})", own("zone")),
                _ => return Some("write `count(zone)`, or `list.len` for a list".to_owned()),
            },
            _ => match (zone, kind) {
                (Some(zone), _) if zone.owner.is_none() => name.to_owned(),
                (None, None) => return None,
                _ => of_player(name),
            },
        };
        Some(format!("write `{form}`"))
    }

    /// Returns the piece that is meant before a dot: that of a player, if they have one of a kind.
    fn piece_before(&self, before: &BeforeDot) -> String {
        let Some(written) = &before.written else { return "piece".to_owned() };
        let own = if before.sort == Some(Sort::Player) { self.piece_of(written) } else { None };
        own.unwrap_or_else(|| written.clone())
    }

    /// Returns the piece of a player, of the first kind for each player.
    pub(super) fn piece_of(&self, player: &str) -> Option<String> {
        let is_function = |name: &str| self.natives.contains_key(name);
        let kind = self.schema.kinds.iter().find(|kind| kind.each == Each::Player && is_function(&kind.name))?;
        Some(format!("{}({player})", kind.name))
    }

    /// Reports a zone that is used as a list.
    pub(super) fn zone_as_list(&mut self, zone: &Expr, position: Position, form: &str) {
        let named = match zone {
            Expr::FnCall(call, _) if self.schema.is_zone(&call.name) => self.called(&call.name),
            zone if self.sort_of(zone) == Some(Sort::Zone) => "zone".to_owned(),
            _ => return,
        };
        let help = format!("write `{}`", form.replace("ZONE", &written_or(zone, &named)));
        self.report("wrong_values", position, "a zone is not a list".to_owned(), Some(help));
    }
}

/// Returns help for a name after the dot of a list.
fn of_list(name: &str, list: &str) -> Option<String> {
    Some(match name {
        "first" => format!("write `{list}[0]` for the first value of a list"),
        "last" => format!("write `{list}[{list}.len - 1]` for the last value of a list"),
        "reversed" | "sorted" => {
            let method = name.trim_end_matches("ed").replace("revers", "reverse");
            format!("write `{list}.{method}()` on a line of its own: it changes the list itself")
        }
        _ => return None,
    })
}
