//! Functions of the rules, zones and pieces that are named like a function of the rules API.

use std::collections::BTreeSet;

use super::check::{Check, Entry, Snippet, Walk};
use super::linter::Linter;
use crate::layers::author_name;
use crate::natives;
use referee_diagnostic::{Code, counted};
use referee_table::{DeclaredKind, Each};

pub(super) static CHECK: Check = Check {
    name: "hides_function",
    finds: &[&HIDES_FUNCTION],
    walks: &[Walk::Functions(check), Walk::Scripts(of_the_game)],
    wrong: &[
        (
            &HIDES_FUNCTION,
            Snippet::Rules(
                r"fn turn(me) { if done(me) { me.score += 1; } }
fn done(me) { cells(me).is_empty() }
fn «win»(me) { me.score = 9; }",
            ),
        ),
        (
            &HIDES_FUNCTION,
            Snippet::House(
                r"private fn «after»(me) { me }
fn steps(me, far) { after(me).score + far }",
            ),
        ),
        (&HIDES_FUNCTION, Snippet::Game("piece «name» for each player symbols r b", "fn turn(me) { win(me); }")),
    ],
    right: &[
        Snippet::Rules(
            r"fn turn(me) { win(me, 3); }
fn win(me, more) { me.score += more; }",
        ),
        Snippet::Rules(
            r"fn turn(me) { me.score += max(me, 3); }
fn max(me, more) { me.score + more }",
        ),
        Snippet::Game("piece king for each player symbols r b", "fn turn(me) { win(me); }"),
    ],
};

pub(super) static HIDES_FUNCTION: Entry = Entry {
    code: Code::HidesFunction,
    text: r#"
A function of the rules has the name and the number of parameters of an API function in [rules-api.md](rules-api.md).
All calls would reach the function of the rules.

```rhai
fn turn(me) { roll("stride"); }

fn win(player) { }
```

Choose another name. A function with another number of parameters is a different function.
"#,
};

/// Reports a function that all calls would reach in place of one of the rules API. Functions of Rhai's library may have
/// the name of one in the rules, because they are for other values: lists, strings and numbers.
pub(super) fn check(l: &mut Linter<'_>) {
    let function = l.function;
    let author = author_name(&function.name);
    let takes = |form: &&natives::Form| form.counts().contains(&function.parameters);
    if !l.of_api(&author).iter().filter(|form| form.is_for(l.schema)).any(takes) {
        return;
    }
    let Some(label) = l.layers.label_of(&function.name, function.parameters) else { return };
    let parameters = counted(function.parameters, "parameter");
    let message = format!("`{author}` with {parameters} is a function that `referee` has already");
    let wrong = HIDES_FUNCTION.at(&label.source, label.span, message);
    l.wrong.push(wrong.help("choose another name"));
}

/// Reports zones and pieces that are written as calls, `hand(me)` and `marker(me)`, and have the name of a function of the
/// rules API with as many arguments.
pub(super) fn of_the_game(l: &mut Linter<'_>) {
    let zones = l.schema.zones.iter().filter(|zone| zone.owner.is_some()).map(|zone| zone.name.as_str());
    let count = |each: Each| match each {
        Each::Player | Each::Number(..) => Some(1),
        Each::PlayerNumber(..) => Some(2),
        Each::One | Each::Card => None,
    };
    let kinds = l.schema.kinds.iter().filter_map(|kind| Some((kind.name.as_str(), count(kind.each)?)));
    let names: BTreeSet<(&str, usize)> = zones.map(|name| (name, 1)).chain(kinds).collect();
    for (name, count) in names {
        let forms = l.of_api(name);
        let forms = forms.iter().filter(|form| form.is_for(l.schema) && form.counts().contains(&count)).count();
        let mut kinds = [DeclaredKind::Zone, DeclaredKind::Kind].into_iter();
        let place = kinds.find_map(|kind| l.schema.declaration(kind, name)).map(|found| &found.place);
        // One of them is the zone or the piece itself.
        if let (true, Some((source, span))) = (forms > 1, place) {
            let values = if count == 1 { "me" } else { "me, 1" };
            let message = format!("`{name}` is a function of the rules, so `{name}({values})` would be two things");
            let wrong = HIDES_FUNCTION.at(source, *span, message);
            l.wrong.push(wrong.help("choose another name"));
        }
    }
}
