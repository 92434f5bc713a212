//! Values in calls that are of a kind that no form of the called function takes.

use rhai::Position;

use super::check::{Check, Entry, Snippet, Walk};
use super::linter::{Linter, known};
use super::texts::UNKNOWN_DIRECTION;
use crate::host::Role;
use crate::layers::author_name;
use crate::natives::{Form, Named};
use crate::script::{Call, Name, Node, Target, What};
use crate::values::{Kind, Sort};
use referee_diagnostic::{Code, one_of};

pub(super) static CHECK: Check = Check {
    name: "arguments",
    finds: &[&WRONG_VALUES, &UNKNOWN_DIRECTION],
    walks: &[Walk::Nodes(check)],
    wrong: &[
        (&WRONG_VALUES, Snippet::Turn(r#"place(log, «"c4"»);"#)),
        (&WRONG_VALUES, Snippet::Turn(r#"let far = roll("leap"); remove(«far»);"#)),
        (&WRONG_VALUES, Snippet::Turn("let free = around(cells(frog(me))); free.«remove»();")),
        (&WRONG_VALUES, Snippet::Turn("place(frog(me), «cells»(log));")),
        (&WRONG_VALUES, Snippet::Turn("let flies = fly(me); me.home = «cell»(flies);")),
        (&WRONG_VALUES, Snippet::Turn("me.score = owner(frog(me)).«len»();")),
        (&WRONG_VALUES, Snippet::Turn("let near = around(«cell»(frog(me))); me.score = count(near);")),
        (&WRONG_VALUES, Snippet::Turn(r#"let card = choose(me, "eat", «hand»(me)); me.score = card.size;"#)),
        (&WRONG_VALUES, Snippet::Turn(r#"for way in ["N", "S"] { me.home = step(cell(frog(me)), «way»); }"#)),
        (&WRONG_VALUES, Snippet::Turn("if at(«cells»(log)) == () { me.score += 1; }")),
        (&WRONG_VALUES, Snippet::Turn("me.home = cell(frog(«1»));")),
        (&WRONG_VALUES, Snippet::Condition("count(«red») == 1")),
        (&WRONG_VALUES, Snippet::Turn("me.rival = after(«()»);")),
        (&WRONG_VALUES, Snippet::Turn("let next = (); me.rival = after(«next»);")),
        (&WRONG_VALUES, Snippet::Turn("let all = (); all.«push»(3);")),
        (&WRONG_VALUES, Snippet::Turn(r#"me.rival = after(«event»("rests", log));"#)),
        (
            &WRONG_VALUES,
            Snippet::Rules(
                r#"fn turn(me) { me.rival = after(«rest»(me)); }
fn rest(me) { event("rests", frog(me)); }"#,
            ),
        ),
        (
            &WRONG_VALUES,
            Snippet::Rules(
                r#"fn turn(me) { let gone = rest(me); gone.«push»(3); }
fn rest(me) { event("rests", frog(me)); }"#,
            ),
        ),
        (&UNKNOWN_DIRECTION, Snippet::Turn("me.home = step(cell(frog(me)), «9»);")),
    ],
    right: &[
        Snippet::Turn(r#"place(log, cell_named("c4"));"#),
        Snippet::Turn("let where = cell(frog(me)); if where != () { remove(where); }"),
        Snippet::Turn("me.home = step(cell(frog(me)), 8);"),
        Snippet::Turn("let far = [1, 2]; me.score = sum(far) + far.len();"),
        Snippet::Turn("me.score = count(around(cells(frog(me))));"),
        Snippet::Rules(
            r"fn turn(me) { me.score = size(frog(me), true) + size(cells(log), false); }
fn size(of, single) { if single { number(cell(of)) } else { count(of) } }",
        ),
        Snippet::Condition("count(cells(frog(red))) == 1"),
        Snippet::Turn("let next = (); if me.tired { next = me; } if next != () { me.rival = after(next); }"),
        Snippet::Turn("let all = (); all?.push(3); if type_of(all) == \"()\" { me.score += 1; }"),
        Snippet::Turn("let all = []; all.push(()); me.score = if all.contains(()) { 1 } else { 0 };"),
        Snippet::Rules(
            r"fn turn(me) { let extra = bonus(me); if extra != () { me.rival = after(extra); } }
fn bonus(me) { if me.score > 90 { me.score = 0; } }",
        ),
    ],
};

pub(super) static WRONG_VALUES: Entry = Entry {
    code: Code::WrongValues,
    text: r#"
The rules call a function with arguments of the wrong kind, set a flag, counter or property to a value that it cannot
have, give a function for single pieces a kind of many, or read a `record` counter.

```rhai
fn turn(me) {
    place(rock, "a1");
}
```

The message lists the arguments. Often one of them is `()`, no value: a piece off the board has no cell, and there is no
cell beyond the edge.
"#,
};

/// Functions that need a single piece, each with its number of arguments and what to write for a `many` kind.
const OF_SINGLE_PIECES: [(&str, usize, &str); 4] = [
    ("cell", 1, "write `cells(PIECE)` for the cells of all of them"),
    ("advance", 2, "say which one: `make(path(from, to))` moves the piece on a cell"),
    ("remove", 1, "say which one, by its cell: `remove(cell)`"),
    ("lift", 1, "say which one: `lift(PIECE, cell)`, or `remove(cell)`"),
];

/// Reports the first value in a call that is of a kind which no form of the function takes.
pub(super) fn check(l: &mut Linter<'_>, node: &Node) {
    let Some(call) = node.call().filter(|call| call.target == Target::Native) else { return };
    if !call.method && of_many(l, call, node.at) {
        return;
    }
    let first = call.args.first().map(|first| &first.kind);
    if call.method && (call.maybe && first.is_some_and(|first| first.is(Sort::Nothing))) {
        return;
    }
    let mut fitting: Vec<&Form> = l.forms(call).collect();
    if fitting.is_empty() {
        return;
    }
    for (at, value) in call.args.iter().enumerate() {
        direction_number(l, &fitting, at, value);
        // After the dot of a map there may be a function of its own.
        let of_map = at == 0 && call.method && value.kind.may_be(Sort::Map);
        if l.unquoted.contains(&value.at) {
            return;
        }
        let kind = match known(&value.kind).filter(|_| !of_map) {
            Some(kind) => kind.without_nothing(),
            None if l.is_always_nothing(value) => Kind::NOTHING,
            None => continue,
        };
        let takes = |form: &&Form| form.parameters.get(at).is_none_or(|parameter| !parameter.kind.excludes(&kind));
        if !fitting.iter().any(takes) {
            return misfit(l, call, (at, value, &kind), &fitting, node.at);
        }
        fitting.retain(takes);
    }
    if call.method {
        of_many(l, call, node.at);
    }
}

/// Reports a value of a kind that none of these forms takes as its argument of this number.
fn misfit(l: &mut Linter<'_>, call: &Call, (at, value, kind): (usize, &Node, &Kind), forms: &[&Form], place: Position) {
    let name = call.name.as_str();
    let Some(first) = forms.first() else { return };
    let parameter = |form: &Form| form.parameters.get(at).map(|parameter| parameter.kind.clone());
    if at == 0 && forms.iter().any(|form| form.is_of_library()) {
        return of_library(l, call, value, kind, place);
    }
    let of_api = forms.iter().find(|form| !form.is_of_library()).unwrap_or(first);
    let Some(wanted) = parameter(of_api) else { return };
    let wanted = usual(&wanted, of_api.parameters.get(at).map(|parameter| parameter.role));
    let is_direction = of_api.parameters.get(at).is_some_and(|parameter| parameter.role == Role::Direction);
    let named = match value.text() {
        Some(text) if name == "cell" && l.is_cell(text) => Some(format!("write `cell_named(\"{text}\")`")),
        _ => None,
    };
    let direction = is_direction && kind.is(Sort::Text) && value.text().is_none();
    let direction = direction.then(|| format!("write `direction_named({})`", l.written_or(value, "name")));
    let help = named.or(direction).or_else(|| l.instead_of_nothing(value)).or_else(|| l.instead(value, &wanted));
    let help = help.unwrap_or_else(|| format!("use the form `{}`", of_api.written()));
    let help = l.origin(value).map_or(help.clone(), |origin| format!("{help}; {origin}"));
    let wanted = if is_direction { "a direction".to_owned() } else { wanted.words() };
    if at == 0 && call.method {
        let message = format!("`{name}` takes {wanted} before the dot, found {}", kind.words());
        return l.report_once(&WRONG_VALUES, place, message, help);
    }
    l.report_value(&WRONG_VALUES, value, format!("`{name}` takes {wanted} here, found {}", kind.words()), help);
}

/// Returns the kind that is usually passed, where several are possible.
fn usual(kind: &Kind, role: Option<Role>) -> Kind {
    if role == Some(Role::Options) {
        return Kind::LIST;
    }
    kind.sorts()
        .next()
        .map_or(Kind::ANY, |first| if kind.sorts().nth(1).is_some() { Kind::of(first) } else { kind.clone() })
}

/// Reports a function of Rhai's library that is given a first argument of a kind for which it does not exist.
fn of_library(l: &mut Linter<'_>, call: &Call, of: &Node, kind: &Kind, place: Position) {
    let name = call.name.as_str();
    let written = l.written_or(of, "…");
    let forms: Vec<&Form> = l.forms(call).collect();
    let first = |form: &&&Form| form.parameters.first().map(|first| first.kind.clone());
    let of_api = forms.iter().find(|form| !form.is_of_library()).and_then(|form| first(&form));
    let wanted = of_api.unwrap_or_else(|| Kind::all(forms.iter().filter_map(|form| first(&form))));
    let help = match (kind.sort(), name) {
        _ if let Some(help) = l.instead_of_nothing(of) => help,
        (Some(Sort::Cells), "contains") => format!("write `{written}.has(cell)`"),
        (Some(Sort::Cells | Sort::Moves | Sort::Zone), "len") => format!("write `count({written})`"),
        (Some(Sort::Cells), "push" | "insert") => format!("write `{written} |= one(cell);`"),
        (Some(Sort::Moves), "push" | "insert") => format!("write `{written} += move;`"),
        (Some(Sort::Cells), _) => format!("make a list of the cells: `in_order({written})`"),
        (Some(Sort::Zone), _) => format!("write `cards({written})` for a list of its cards"),
        (Some(Sort::Dirs), _) => format!("write the cells of all directions first: `in_any({written}).{name}(…)`")
            .replace("is_empty(…)", "is_empty()"),
        (Some(Sort::Range), _) => {
            "make a list of the numbers first: `let numbers = []; for n in 1..=8 { numbers.push(n); }`".to_owned()
        }
        _ => format!("`{name}` is for {}", usual(&wanted, None).words()),
    };
    l.report_once(&WRONG_VALUES, place, format!("there is no `{name}` for {}", kind.words()), help);
}

/// Reports a function for a single piece that is given a kind of many. Returns whether it did.
fn of_many(l: &mut Linter<'_>, call: &Call, at: Position) -> bool {
    let name = call.name.as_str();
    let of_single = OF_SINGLE_PIECES.iter().find(|(single, takes, _)| *single == name && *takes == call.args.len());
    let (Some((.., help)), Some(value)) = (of_single, call.args.first()) else { return false };
    if !value.kind.is_or_nothing(Sort::Men) {
        return false;
    }
    let piece = match value.function_call() {
        Some((kind, [of])) if matches!(of.what, What::Name(_)) => format!("{kind}({})", l.written_or(of, "…")),
        Some((kind, _)) => format!("{kind}(…)"),
        None => l.written_or(value, "piece"),
    };
    let message = format!("`{name}` is for a single piece, and `{piece}` is a kind of many");
    l.report_once(&WRONG_VALUES, at, message, help.replace("PIECE", &piece));
    true
}

/// Reports a number that is no direction of the board.
fn direction_number(l: &mut Linter<'_>, forms: &[&Form], at: usize, value: &Node) {
    let What::Number(number) = value.what else { return };
    let of_direction =
        |form: &&Form| form.parameters.get(at).is_some_and(|parameter| parameter.role == Role::Direction);
    if !forms.iter().all(of_direction) {
        return;
    }
    let Some(count) = l.board().map(|board| board.headings().len()) else { return };
    if usize::try_from(number).is_ok_and(|number| (1..=count).contains(&number)) {
        return;
    }
    let message = format!("unknown direction {number}: the board has 1 to {count}");
    l.report(&UNKNOWN_DIRECTION, value.at, message, format!("write a number from 1 to {count}"));
}

impl Linter<'_> {
    /// Returns whether a value is plainly nothing but `()` whenever it is used: it is written so, or what a call returns, or
    /// in a variable that the function does not compare with anything.
    pub(super) fn is_always_nothing(&self, value: &Node) -> bool {
        match &value.what {
            _ if !value.kind.is(Sort::Nothing) => false,
            What::Nothing | What::Call(_) => true,
            What::Name(Name::Local(local)) => !self.values.is_looked_at(*local) && !self.keeps_change(value),
            _ => false,
        }
    }

    /// Returns whether a variable keeps what a method returns that changes its list, which is reported there.
    fn keeps_change(&self, value: &Node) -> bool {
        let from = value.local().and_then(|local| self.function.local(local)?.from.as_ref());
        from.is_some_and(|from| Named::of(&from.called).change_first(Sort::List))
    }

    /// Returns help for a value that is always `()`.
    pub(super) fn instead_of_nothing(&self, value: &Node) -> Option<String> {
        if !value.kind.is(Sort::Nothing) {
            return None;
        }
        Some(match &value.what {
            What::Call(call) if call.target == Target::Script => {
                let name = author_name(&call.name);
                format!("`{name}` returns no value: end it with the value, without `;`, or use another one")
            }
            What::Call(call) => format!("`{}` returns no value: call it on a line of its own", call.name),
            What::Name(Name::Local(local)) => {
                let name = self.local(*local);
                format!("`{name}` is always `()`, no value: give it one before, `{name} = …;`")
            }
            _ => return None,
        })
    }

    /// Returns help for a value where one of another kind is wanted.
    pub(super) fn instead(&self, value: &Node, wanted: &Kind) -> Option<String> {
        let wanted = wanted.sort()?.plain();
        if let Some(text) = value.text() {
            return match wanted {
                Sort::Player if self.schema.player(text).is_some() => {
                    Some(format!("write the player, without quotes: `{text}`"))
                }
                Sort::Player => {
                    let players = self.schema.players.iter().map(String::as_str);
                    Some(format!("write the player without quotes: `me`, or one of {}", one_of(players, 9)))
                }
                Sort::Piece if self.schema.piece(text).is_some() => {
                    Some(format!("write the piece, `piece(\"{text}\")`"))
                }
                Sort::Cell => Some(format!("write the cell, `cell_named(\"{text}\")`")),
                Sort::Number if self.is_direction(text) => {
                    Some(format!("write the direction, `direction_named(\"{text}\")`"))
                }
                _ => None,
            };
        }
        let own = |otherwise| self.written_or(value, otherwise);
        Some(match (wanted, value.kind.sort()?.plain()) {
            (Sort::Cells, Sort::Cell) => format!("write `one({})` for a set of one cell", own("cell")),
            (Sort::Cells | Sort::List, Sort::Dirs) => {
                format!("write `in_any({})` for the cells of all directions", own("dirs"))
            }
            (Sort::Cells, Sort::Piece) => format!("write `cells({})` for the cells of a piece", own("piece")),
            (Sort::Move, Sort::Moves) => {
                format!("choose one move first: `let move = choose(me, \"move\", {});`", own("found"))
            }
            (Sort::Cells | Sort::Zone, Sort::List) => {
                let list = own("list");
                format!("`{list}` is a list: `{list}.len` is the number of its values")
            }
            (Sort::List, Sort::Zone) => format!("write `cards({})` for a list of its cards", own("zone")),
            (Sort::Cell, Sort::Cells) => {
                let cells = own("cells");
                format!("`in_order({cells})[0]` is its first cell, and `for one in {cells} {{ … }}` goes through all")
            }
            (Sort::Player, Sort::Number) => format!("write a player: `{}`", self.somebody()),
            (Sort::Player, Sort::Piece) => format!("write `owner({})` for the player whose piece it is", own("piece")),
            (Sort::Function, _) => format!("write a function of the player: `|player| {}`", own("options")),
            (Sort::Piece | Sort::Cell | Sort::Cells, Sort::Player) => {
                let piece = self.piece_of(&self.written(value)?)?;
                let form = match wanted {
                    Sort::Piece => piece,
                    Sort::Cell => format!("cell({piece})"),
                    _ => format!("cells({piece})"),
                };
                format!("write `{form}`, with the piece of the player")
            }
            (Sort::Cell, Sort::Piece) => format!("write `cell({})` for the cell of a piece", own("piece")),
            _ => return None,
        })
    }
}
