//! Loops over something that has no elements.

use super::check::{Check, Entry, Snippet, Walk};
use super::linter::{Linter, known};
use crate::script::{Node, What};
use crate::values::{Kind, Sort};
use referee_diagnostic::Code;

pub(super) static CHECK: Check = Check {
    name: "loops",
    finds: &[&WRONG_LOOP],
    walks: &[Walk::Nodes(check)],
    wrong: &[
        (&WRONG_LOOP, Snippet::Turn("for n in «me».score { me.score += n; }")),
        (&WRONG_LOOP, Snippet::Turn("for card in «hand»(me) { move_card(card, hand(me), heap); }")),
        (&WRONG_LOOP, Snippet::Turn("for step in «frog»(me) { remove(step); }")),
        (&WRONG_LOOP, Snippet::Turn("let all = #{ red: 1 }; for (key, at) in «all» { me.score += at; }")),
        (
            &WRONG_LOOP,
            Snippet::Game(
                "counter score for each player",
                "fn turn(me) { for one in «me» { one.score += 1; } win(me); }",
            ),
        ),
        (
            &WRONG_LOOP,
            Snippet::Game(
                HOPS,
                "fn moves(me) { steps(touched(all_cells() - occupied()) & cells(me)) }
fn apply(me, move) { for cell in «move» { remove(cell); } make(move); }
fn ended(me) { if count(cells(me)) < 1 { win(me); } }",
            ),
        ),
    ],
    right: &[
        Snippet::Turn("for n in 1..=me.score { me.score += n; }"),
        Snippet::Turn("for card in cards(hand(me)) { move_card(card, hand(me), heap); }"),
        Snippet::Turn("for from in cells(fly(me)) { remove(from); }"),
        Snippet::Turn("let all = #{ red: 1 }; for key in all.keys() { me.score += all[key]; }"),
        Snippet::Turn(r#"for letter in "abc" { if letter == 'b' { me.score += 1; } }"#),
        Snippet::Game(
            HOPS,
            "fn moves(me) { steps(touched(all_cells() - occupied()) & cells(me)) }
fn apply(me, move) { make(move); for stop in stops(move) { if at(stop) == () { event(\"left\", me, stop); } } }
fn ended(me) { if count(cells(me)) < 1 { win(me); } }",
        ),
    ],
};

/// A game whose turn is the built-in one.
const HOPS: &str = "board grid 3x3
directions 8 clockwise from north
piece frog many for each player symbols r b
ask move MOVE
event PLAYER left CELL
place red at a1, blue at c3
";

pub(super) static WRONG_LOOP: Entry = Entry {
    code: Code::WrongLoop,
    text: r#"
A loop goes through a value that has no elements.

```rhai
fn turn(me) {
    let far = roll("stride");
    for step in far { me.score += step; }
}
```

Loops go through lists, sets of cells, moves and ranges: `for step in 1..=far { … }`.
"#,
};

/// What loops run over.
const LOOPED: [Sort; 5] = [Sort::Text, Sort::Cells, Sort::Moves, Sort::List, Sort::Range];

/// Reports a loop over something that has no elements.
pub(super) fn check(l: &mut Linter<'_>, node: &Node) {
    let What::For(parts) = &node.what else { return };
    let value = &parts.over;
    let looped = Kind::all(LOOPED.iter().map(|sort| Kind::of(*sort)));
    // What a function returns that changes a list is reported at its call.
    let is_change = value.call().is_some_and(|call| call.natives.only_change_lists());
    if !value.kind.excludes(&looped) || is_change && value.kind.is(Sort::Nothing) {
        return;
    }
    let kind = known(&value.kind).map_or_else(|| value.kind.clone(), Kind::without_nothing);
    let name = l.written_or(value, "…");
    let help = match kind.sort() {
        Some(Sort::Player) if l.board().is_none() => "loop over all players: `for one in players() { … }`".to_owned(),
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
    l.report_once(&WRONG_LOOP, value.start(), format!("a loop cannot run over {}", kind.words()), help);
}
