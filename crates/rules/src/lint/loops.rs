//! Loops over something that has no elements.

use super::linter::{Linter, known};
use crate::natives;
use crate::script::{Node, What};
use crate::values::{Kind, Sort};

/// What loops run over.
const LOOPED: [Sort; 5] = [Sort::Text, Sort::Cells, Sort::Moves, Sort::List, Sort::Range];

/// Reports a loop over something that has no elements.
pub(super) fn check(l: &mut Linter<'_>, node: &Node) {
    let What::For(parts) = &node.what else { return };
    let value = &parts.over;
    let looped = Kind::all(LOOPED.iter().map(|sort| Kind::of(*sort)));
    // What a function returns that changes a list is reported at its call.
    let is_change = value.call().is_some_and(|call| natives::only_changes_lists(&call.name));
    if !value.kind.excludes(&looped) || is_change && value.kind.is(Sort::Nothing) {
        return;
    }
    let kind = known(&value.kind).map_or_else(|| value.kind.clone(), Kind::without_nothing);
    let name = l.written_or(value, "…");
    let help = match kind.sort() {
        Some(Sort::Piece | Sort::Men | Sort::Player) => {
            format!("loop over its cells: `for from in cells({name}) {{ … }}`")
        }
        Some(Sort::Number) => format!("loop over numbers: `for n in 1..={name} {{ … }}`"),
        Some(Sort::Zone) => format!("loop over its cards: `for card in cards({name}) {{ … }}`"),
        Some(Sort::Map) => format!("loop over its keys or values: `for key in {name}.keys() {{ … }}`"),
        Some(Sort::Dirs) => {
            format!("loop over the cells of all directions: `for from in in_any({name}) {{ … }}`")
        }
        Some(Sort::Cell) => format!("loop over the cells around it: `for to in around(one({name})) {{ … }}`"),
        Some(Sort::Move) => format!("loop over its cells: `for stop in stops({name}) {{ … }}`"),
        _ => "loop over a list, a set of cells, moves, or a range: `for n in 1..=3 { … }`".to_owned(),
    };
    l.report_once("wrong_loop", value.start(), format!("a loop cannot run over {}", kind.words()), help);
}
