//! The cards of a zone that no player sees.

use super::linter::Linter;
use crate::script::Node;
use referee_table::{Visibility, ZoneDef};

/// Reports the cards of a zone that is declared `hidden`.
pub(super) fn check(l: &mut Linter<'_>, node: &Node) {
    let Some(("cards", [zone])) = node.function_call() else { return };
    let name = match (zone.component(), zone.function_call()) {
        (Some(name), _) => name.as_str(),
        (None, Some((of, [_]))) if !l.is_own(of) => of,
        _ => return,
    };
    let declared: Vec<&ZoneDef> = l.schema.zones.iter().filter(|zone| zone.name == name).collect();
    let is_hidden = |zone: &&ZoneDef| zone.visibility == Visibility::Hidden;
    if l.alone || l.is_own("cards") || declared.is_empty() || !declared.iter().all(is_hidden) {
        return;
    }
    let written = l.written_or(zone, name);
    let message = format!("no player sees the cards of `{written}`, so there is no list of them");
    let card = l.schema.pieces.iter().find(|piece| piece.card.is_some() && !piece.is_back());
    let has = card.map_or_else(String::new, |card| format!(", or `has({written}, piece(\"{}\"))`", card.name));
    let help = format!("ask for what is known: `count({written})`, `is_empty({written})`{has}");
    l.report_value("unseen_cards", zone, message, help);
}
