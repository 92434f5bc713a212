//! Numbers beyond the pieces of a kind and beyond the ends of a list, and loops over no numbers.

use std::collections::BTreeSet;

use super::check::{Check, Snippet, Walk};
use super::facts::{number, range};
use super::indices::WRONG_INDEX;
use super::linter::Linter;
use super::reached::may_change;
use super::texts::UNKNOWN_COMPONENT;
use crate::script::{LocalId, Name, Node, Target, What};
use referee_table::Each;

pub(super) static CHECK: Check = Check {
    name: "beyond",
    finds: &[&UNKNOWN_COMPONENT, &WRONG_INDEX],
    walks: &[Walk::Nodes(of_kind), Walk::Bodies(of_lists)],
    wrong: &[
        (&UNKNOWN_COMPONENT, Snippet::Turn("me.score = number(stone(«3»));")),
        (&UNKNOWN_COMPONENT, Snippet::Turn("if is_off(stone(«0»)) { me.score += 1; }")),
        (&UNKNOWN_COMPONENT, Snippet::Turn("let one = stone(«-»1); one.wet = true;")),
        (&UNKNOWN_COMPONENT, Snippet::Turn("for n in 0..2 { if is_off(stone(«n»)) { me.score += 1; } }")),
        (&UNKNOWN_COMPONENT, Snippet::Turn("for n in 1..=3 { let one = stone(«n»); one.wet = true; }")),
        (&WRONG_INDEX, Snippet::Turn("me.score = [1, 2][«2»];")),
        (&WRONG_INDEX, Snippet::Turn("let all = [1, 2]; me.score = all[«5»] + all.len;")),
        (&WRONG_INDEX, Snippet::Turn("let all = [1, 2]; me.score = all[«-»3];")),
        (&WRONG_INDEX, Snippet::Rules("const ALL = [1, 2, 3];\nfn turn(me) { me.score = ALL[0] + ALL[«3»]; }")),
    ],
    right: &[
        Snippet::Turn("let one = stone(2); one.wet = true; let n = 1; me.score = number(stone(n));"),
        Snippet::Turn("for n in 0..2 { if n > 0 && is_off(stone(n)) { me.score += 1; } }"),
        Snippet::Turn("for n in 0..9 { if n == 0 { continue; } if n > 2 { break; } me.score += number(stone(n)); }"),
        Snippet::Turn("for n in 0..2 { n += 1; me.score += number(stone(n)); }"),
        Snippet::Turn("for n in 1..=2 { me.score += number(stone(n)); }"),
        Snippet::Turn("let all = [1, 2]; me.score = all[1] + all[-2];"),
        Snippet::Turn("let all = [1, 2]; all.push(3); me.score = all[2];"),
        Snippet::Turn("let all = []; push(all, 1); me.score = all[0];"),
        Snippet::Turn("let all = [1, 2]; all += 3; me.score = all[2];"),
        Snippet::Turn("let all = [1, 2]; let more = |n| all.push(n); more.call(3); me.score = all[2];"),
        Snippet::Rules(
            r"fn turn(me) { let all = [1, 2]; all.more(); me.score = all[2]; }
fn more() { this.push(4); }",
        ),
        Snippet::Rules(
            r"const ALL = [1, 2, 3];
fn turn(me) { me.score = if ALL.len > 3 { ALL[3] } else { ALL[-1] }; }",
        ),
    ],
};

/// Reports a number for which there is no piece of a kind, also the first or the last number of a loop.
fn of_kind(l: &mut Linter<'_>, node: &Node) {
    if let What::For(parts) = &node.what {
        let Some((first, last)) = range(&parts.over) else { return };
        let mut always = Vec::new();
        let mut changes = false;
        parts.body.walk(&mut |part| {
            let set = if let What::Assign(assign) = &part.what { assign.to.root().local() } else { may_change(part) };
            changes |= set == Some(parts.local);
        });
        if !changes {
            add_always(parts.body.statements(), &mut always);
            for node in always {
                let call = node.call().filter(|call| call.target == Target::Native);
                if let Some([value] | [_, value]) = call.map(|call| call.args.as_slice())
                    && value.local() == Some(parts.local)
                {
                    unknown_number(l, node, value, first);
                    unknown_number(l, node, value, last);
                }
            }
        }
        return;
    }
    let Some(call) = node.call().filter(|call| call.target == Target::Native) else { return };
    if let [value] | [_, value] = call.args.as_slice()
        && let Some(number) = number(value)
    {
        unknown_number(l, node, value, number);
    }
}

/// Adds the nodes of statements in a loop that each round carries out, up to one that may leave it.
fn add_always<'n>(statements: &'n [Node], always: &mut Vec<&'n Node>) {
    for statement in statements {
        let mut leaves = false;
        statement.walk(&mut |node| {
            leaves |= matches!(node.what, What::Break(_) | What::Continue | What::Return(_) | What::Throw(_));
            leaves |= node.ends_the_game().is_some();
        });
        add_sure(statement, always);
        if leaves {
            return;
        }
    }
}

/// Adds a node and those of its parts that are carried out with it.
fn add_sure<'n>(node: &'n Node, always: &mut Vec<&'n Node>) {
    always.push(node);
    match &node.what {
        What::If(parts) => parts.first().into_iter().for_each(|condition| add_sure(condition, always)),
        What::And(parts) | What::Or(parts) | What::Coalesce(parts) => {
            parts.first().into_iter().for_each(|first| add_sure(first, always));
        }
        What::Switch(switch) => add_sure(&switch.value, always),
        What::Block(statements) => add_always(statements, always),
        What::Closure(_) | What::While { .. } | What::Do { .. } | What::For(_) | What::Try(_) => {}
        _ => node.for_each_part(&mut |part| add_sure(part, always)),
    }
}

fn unknown_number(l: &mut Linter<'_>, node: &Node, value: &Node, number: i64) {
    let Some(call) = node.call() else { return };
    let name = call.name.as_str();
    let Some(kind) = l.schema.kinds.iter().find(|kind| kind.name == name) else { return };
    let (first, last) = match (kind.each, call.args.as_slice()) {
        (Each::Number(first, last), [_]) | (Each::PlayerNumber(first, last), [_, _]) => (first, last),
        _ => return,
    };
    // `man(me, 3)`: what stands before the number.
    let owner = call.args.first().filter(|_| call.args.len() == 2);
    let owner = owner.map_or_else(String::new, |owner| format!("{}, ", l.written_or(owner, l.somebody())));
    let numbers = || l.schema.pieces.iter().filter(|piece| l.schema.kind_name(piece.kind) == name);
    if numbers().any(|piece| piece.number == Some(number)) {
        return;
    }
    let message = format!("unknown piece `{name} {number}`");
    let help = match first == last {
        _ if value.local().is_some() => {
            format!("the pieces have the numbers {first} to {last}: loop over `{first}..={last}`")
        }
        true => format!("write `{name}({owner}{first})`"),
        false => format!("write a number from {first} to {last}: `{name}({owner}{first})`"),
    };
    l.report_once(&UNKNOWN_COMPONENT, value.start(), message, help);
}

/// Reports the numbers in brackets after lists that are written in a function and never get longer, and after constants.
fn of_lists(l: &mut Linter<'_>) {
    if !l.values.has_index {
        return;
    }
    let body = &l.function.body;
    let mut indexed: Vec<(&Node, &Node, i64)> = Vec::new();
    let mut longer: BTreeSet<LocalId> = BTreeSet::new();
    let mut asked: BTreeSet<&str> = BTreeSet::new();
    body.walk(&mut |node| {
        longer.extend(may_change(node));
        match &node.what {
            What::Index { of, index, maybe: false } => {
                indexed.extend(number(index).map(|number| (&**of, &**index, number)));
            }
            What::Field { of, name, .. } if name == "len" => asked.extend(constant(of)),
            What::Call(call) => asked.extend(call.args.iter().filter_map(constant)),
            _ => {}
        }
    });
    for (of, index, number) in indexed {
        let length = match &of.what {
            What::Name(Name::Local(local)) => {
                let is_same = !longer.contains(local) && l.function.local(*local).is_some_and(|local| !local.captured);
                l.values.fixed(*local).filter(|_| is_same).and_then(length)
            }
            // Rules that ask for the length of a constant are ready for that of a house rule.
            What::Name(Name::Constant(name)) if !asked.contains(name.as_str()) => {
                let constant = l.layers.constants.get(name.as_str());
                constant.and_then(|constant| Some(constant.value.read_lock::<rhai::Array>()?.len()))
            }
            _ => length(of),
        };
        let Some(length) = length.and_then(|length| i64::try_from(length).ok()) else { continue };
        if (-length..length).contains(&number) {
            continue;
        }
        let counted = referee_diagnostic::counted(usize::try_from(length).unwrap_or_default(), "element");
        let message = format!("the list has {counted}, but this reads element {number}");
        let help = match (length, l.written(of)) {
            (0, _) => "put values into the list first".to_owned(),
            (_, Some(list)) => format!("count elements from 0: the last is `{list}[{}]`", length - 1),
            (_, None) => format!("count elements from 0: the last is {}", length - 1),
        };
        l.report_once(&WRONG_INDEX, index.start(), message, help);
    }
}

/// Returns the name of a constant of the rules.
fn constant(node: &Node) -> Option<&str> {
    match &node.what {
        What::Name(Name::Constant(name)) => Some(name.as_str()),
        _ => None,
    }
}

/// Returns how many elements a list has that is written here.
fn length(list: &Node) -> Option<usize> {
    match &list.what {
        What::List(items) => Some(items.len()),
        What::Constant(value) => Some(value.read_lock::<rhai::Array>()?.len()),
        _ => None,
    }
}
