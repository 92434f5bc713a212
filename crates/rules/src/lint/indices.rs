//! Brackets after something that has no elements, and indices of a wrong kind.

use super::check::{Check, Entry, Snippet, Walk};
use super::linter::{Linter, known};
use super::properties::has_properties;
use super::used::Used;
use crate::script::{Node, Target, What};
use crate::values::{Kind, Sort};
use referee_diagnostic::Code;

pub(super) static CHECK: Check = Check {
    name: "indices",
    finds: &[&WRONG_INDEX],
    walks: &[Walk::Nodes(check), Walk::Notes(bits)],
    wrong: &[
        (&WRONG_INDEX, Snippet::Turn("place(log, around(cells(log))«[»0]);")),
        (&WRONG_INDEX, Snippet::Turn(r#"me.score = roll("pair")[«"»first"];"#)),
        (&WRONG_INDEX, Snippet::Turn("let all = #{ red: 1 }; me.score = all[«0»];")),
        (&WRONG_INDEX, Snippet::Turn("me.score = me[«1»];")),
        (&WRONG_INDEX, Snippet::Turn("let where = cell(log); me.score = where«[»0];")),
        (&WRONG_INDEX, Snippet::Turn(r#"let odd = roll("leap")«[»0]; if odd { me.score += 1; } me.score += 1;"#)),
        (&WRONG_INDEX, Snippet::Turn("if count(deck)«[»0] { me.score += 1; }")),
    ],
    right: &[
        Snippet::Turn("place(log, in_order(all_cells() - occupied())[0]);"),
        Snippet::Turn("let thrown = [2, 3]; me.score = thrown[0] + thrown[-1];"),
        Snippet::Turn(r#"let bits = 1 << roll("leap"); if bits[2] || me.score[0] { me.score += 1; }"#),
        Snippet::Turn(r#"let all = #{ red: 1 }; me.score = all["red"] + all.red;"#),
        Snippet::Turn(r#"let name = "score"; set(me, name, me[name] + 1);"#),
    ],
};

pub(super) static WRONG_INDEX: Entry = Entry {
    code: Code::WrongIndex,
    text: r"
Something without elements is followed by brackets, or the value in the brackets is of a kind that is no index there, or a
number beyond the end of a list that is written in the rules.

```rhai
fn turn(me) {
    let free = around(cells(runner(me))) - occupied();
    place(runner(me), free[0]);
}
```

Lists have their elements by number, from 0, and maps by name. After a number, brackets give one of its bits, `true` or
`false`: a die that is thrown once shows a number, not a list. A set of cells is a list after `in_order(free)`.
",
};

/// Reports brackets after something that has no elements, and an index of a wrong kind.
pub(super) fn check(l: &mut Linter<'_>, node: &Node) {
    let What::Index { of, index, maybe } = &node.what else { return };
    if of.kind.is_any() || of.kind.is_never() || *maybe && of.kind.is(Sort::Nothing) {
        return;
    }
    let kind = known(&of.kind).map_or_else(|| of.kind.clone(), Kind::without_nothing);
    let fits = Kind::all(kind.sorts().map(|sort| indices(l, sort)));
    let name = l.written_or(of, "…");
    if fits.is_never() {
        let message = format!("{} has no elements in brackets", kind.words());
        let help = match kind.sort() {
            Some(Sort::Cells) => format!("write a list of its cells: `in_order({name})[0]`"),
            Some(Sort::Moves) => format!("loop over the moves: `for move in {name} {{ … }}`"),
            Some(Sort::Dirs) => format!("write `toward({name}, direction)` for the cells of a direction"),
            Some(Sort::Move) => format!("write a list of its cells: `stops({name})[0]`"),
            _ => "only lists, maps and strings have elements in brackets".to_owned(),
        };
        return l.report_once(&WRONG_INDEX, node.at, message, help);
    }
    if let (Some(found), Some(sort)) = (known(&index.kind), kind.sort())
        && found.excludes(&fits)
    {
        let wanted = if sort == Sort::Number { Kind::NUMBER } else { fits };
        let message = format!(
            "in brackets after {} is {}, found {}",
            kind.words(),
            wanted.words(),
            found.without_nothing().words()
        );
        let help = match sort {
            Sort::List => format!("write a number from 0: `{name}[0]`"),
            _ => format!("write {} in the brackets", wanted.words()),
        };
        l.report_once(&WRONG_INDEX, index.start(), message, help);
    }
}

/// Returns the kind of what may be in brackets after a value.
fn indices(l: &Linter<'_>, sort: Sort) -> Kind {
    match sort {
        Sort::Zone | Sort::Function | Sort::Action => Kind::ANY,
        Sort::Number => Kind::NUMBER.or(&Kind::of(Sort::Range)),
        Sort::Text | Sort::List => Kind::NUMBER,
        Sort::Map => Kind::TEXT,
        sort if has_properties(l.schema, sort) => Kind::TEXT,
        _ => Kind::NEVER,
    }
}

/// Notes a bit of a number that the game gives: who asks for it means a list.
fn bits(l: &mut Linter<'_>, _used: &Used) {
    let script = l.script;
    for function in script.functions.iter().filter(|function| !function.is_built_in()) {
        l.function = function;
        function.body.walk(&mut |node| {
            let What::Index { of, index, .. } = &node.what else { return };
            let is_of_game = of.call().is_some_and(|call| call.target == Target::Native);
            if !is_of_game || !of.kind.is(Sort::Number) || !matches!(index.what, What::Number(_)) {
                return;
            }
            let written = l.written_or(of, "it");
            let message = format!("`{written}` is a number, and brackets after a number give one of its bits");
            let help = format!("write `{written}` without them, or `{written} % 2 == 1` for an odd number");
            l.report(&WRONG_INDEX, node.at, message, help);
        });
    }
}
