//! Counters that only lines can read.

use super::arguments::WRONG_VALUES;
use super::check::{Check, Snippet, Walk};
use super::linter::Linter;
use crate::script::{Node, What};
use referee_table::PropertyKind;

pub(super) static CHECK: Check = Check {
    name: "records",
    finds: &[&WRONG_VALUES],
    walks: &[Walk::Nodes(check)],
    wrong: &[
        (&WRONG_VALUES, Snippet::Turn("if me.«falls» > 3 { win(me); }")),
        (&WRONG_VALUES, Snippet::Turn("me.«falls» += 1;")),
    ],
    right: &[Snippet::Turn(r#"tally(me, "falls", 1);"#), Snippet::Turn("let all = #{ falls: 1 }; me.score += 1;")],
};

/// Reports a property that rules read, and that only lines can read: a `record` counter.
pub(super) fn check(l: &mut Linter<'_>, node: &Node) {
    let What::Field { name, .. } = &node.what else { return };
    let name = name.as_str();
    if l.is_set || l.alone || l.is_key(name) || l.schema.printed(name).is_some() {
        return;
    }
    let mut declared = l.schema.properties.iter().filter(|property| property.name == name).peekable();
    let is_record = |kind: &PropertyKind| *kind == PropertyKind::Counter { record: true };
    if declared.peek().is_some() && declared.all(|property| is_record(&property.kind)) {
        let message = format!("rules cannot read `{name}`: it is a `record` counter");
        let help = format!("declare it without `record`: `counter {name}`, or only change it, with `tally`");
        l.report_once(&WRONG_VALUES, node.at, message, help);
    }
}
