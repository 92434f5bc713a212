//! Strings that should name something of the game: a component, an ask, a cell, a word of a property.

use super::check::{Check, Entry, Snippet, Walk};
use super::linter::Linter;
use super::values::Written;
use super::wants::Uses;
use crate::host::{Names, Role, help_for, names};
use crate::layers::author_name;
use crate::script::{Call, Node, Target, What};
use referee_diagnostic::{Code, did_you_mean, nearest, one_of};
use referee_table::BoardSpec;

pub(super) static CHECK: Check = Check {
    name: "texts",
    finds: &[&UNKNOWN_COMPONENT, &UNKNOWN_DIRECTION, &UNKNOWN_CELL, &NOT_FILLED_IN, &UNKNOWN_VALUE],
    walks: &[Walk::Nodes(check)],
    wrong: &[
        (&UNKNOWN_COMPONENT, Snippet::Turn(r#"me.score = roll(«"laep"»);"#)),
        (&UNKNOWN_COMPONENT, Snippet::Turn(r#"event(«"hopps"», frog(me), cell(log));"#)),
        (&UNKNOWN_COMPONENT, Snippet::Turn(r#"if option(«"gaol"») == 3 { win(me); }"#)),
        (&UNKNOWN_COMPONENT, Snippet::Turn(r#"for die in ["leap", «"par"»] { roll(die); }"#)),
        (
            &UNKNOWN_COMPONENT,
            Snippet::Rules(
                r#"fn turn(me) { me.score = far(«"laep"»); }
fn far(die) { roll(die) }"#,
            ),
        ),
        (
            &UNKNOWN_VALUE,
            Snippet::Rules(
                r#"fn turn(me) { feel(me, «"clam"»); }
fn feel(me, how) { me.mood = how; }"#,
            ),
        ),
        (&UNKNOWN_COMPONENT, Snippet::Turn(r#"for name in ["score", «"walked"»] { set(me, name, 0); }"#)),
        (&UNKNOWN_COMPONENT, Snippet::Turn(r#"let say = "rests"; if me.tired { say = «"sings"»; } event(say, log);"#)),
        (
            &UNKNOWN_COMPONENT,
            Snippet::Rules(
                r#"const SAY = «"sings"»;
fn turn(me) { event(SAY, log); }"#,
            ),
        ),
        (
            &UNKNOWN_COMPONENT,
            Snippet::Rules(
                r"const START = #{ score: 0, «walked»: 3 };
fn turn(me) { for name in START.keys() { set(me, name, START[name]); } }",
            ),
        ),
        (
            &UNKNOWN_COMPONENT,
            Snippet::Rules(
                r#"fn turn(me) { for name in ["score", «"walked"»] { clear(name); } }
fn clear(name) { for one in players() { set(one, name, 0); } }"#,
            ),
        ),
        (&UNKNOWN_DIRECTION, Snippet::Turn(r#"me.home = step(cell(log), direction_named(«"NNE"»));"#)),
        (&UNKNOWN_CELL, Snippet::Turn(r#"place(log, cell_named(«"f1"»));"#)),
        (&NOT_FILLED_IN, Snippet::Turn(r#"throw «"the score is ${me.score}"»;"#)),
    ],
    right: &[
        Snippet::Turn(r#"me.score = roll("leap");"#),
        Snippet::Turn(r#"me.home = step(cell(log), direction_named("NE")); place(log, cell_named("d4"));"#),
        Snippet::Turn(r#"for name in ["score", "none"] { if name != "none" { set(me, name, 0); } }"#),
        Snippet::Turn(r#"for name in ["score", "none"] { set(me, name, 0); if name == "score" { break; } }"#),
        Snippet::Turn(r#"let say = "none"; for one in players() { if one == me { say = "rests"; } } event(say, log);"#),
        Snippet::Turn(
            r#"let say = "none"; let has = false; if me.tired { say = "rests"; has = true; } if has { event(say, log); }"#,
        ),
        Snippet::Turn(r#"let say = switch me.score { 0 => "rests", _ => "none" }; event(say, log);"#),
        Snippet::Turn(r#"let said = `the score is ${me.score}`; if said == "$" { win(me); }"#),
        Snippet::Rules(
            r#"fn turn(me) { tell(me, "hops"); tell(me, "nothing"); }
fn tell(me, what) { if what == "hops" { event("hops", frog(me), cell(log)); } }"#,
        ),
    ],
};

pub(super) static UNKNOWN_COMPONENT: Entry = Entry {
    code: Code::UnknownComponent,
    text: r#"
The rules name something that the game file does not declare: a die, an ask, an event, an option, a kind of pieces …

```rhai
fn turn(me) {
    roll("strid");
}
```

Write the name as in the game file, or declare it there. A name is also reported where it stands in a list, in a variable or in
a constant, if the rules surely use it: `for name in ["score", "fals"] { set(me, name, 0); }`.
"#,
};

pub(super) static UNKNOWN_VALUE: Entry = Entry {
    code: Code::UnknownValue,
    text: r#"
An option has no such value, a die no such face, or a property no such word, where rules compare with one or set it. No player
and no piece has such a name, where `name(…)` is compared. Or a zone is not one of `open`, `secret`, `hidden` and `pile`.

```lines
with rest = fre
```

```rhai
fn turn(me) {
    if option("rest") == "fre" { return; }
    if roll("stride") > 3 { win(me); }
}
```

Write one of the values from the line of the option, the die or the property in the game file. The message lists them.
"#,
};

pub(super) static UNKNOWN_DIRECTION: Entry = Entry {
    code: Code::UnknownDirection,
    text: r"
The board has no such direction.

```game
directions 4 clockwise from north-east
```

Squares with 4 directions have no corners: `from north`.
",
};

pub(super) static UNKNOWN_CELL: Entry = Entry {
    code: Code::UnknownCell,
    text: r"
The board has no such cell.

```lines
place red at i9
```

The message says how large the board is. Columns are lower-case letters.
",
};

pub(super) static NOT_FILLED_IN: Entry = Entry {
    code: Code::NotFilledIn,
    text: r#"
`${…}` in a string is replaced by a value only between backticks, not between double quotes.

```rhai
fn turn(me) {
    let far = roll("stride");
    throw "there is no way for ${far} squares";
}
```

Write backticks in place of the quotes: `` `there is no way for ${far} squares` ``.
"#,
};

/// Reports strings in a call that should name something of the game and do not.
pub(super) fn check(l: &mut Linter<'_>, node: &Node) {
    match &node.what {
        What::Call(call) => {
            if call.target == Target::Native {
                named(l, call);
            }
            passed(l, call);
        }
        What::Text(text) => not_filled_in(l, node, text),
        _ => {}
    }
}

/// Reports strings that a function of the rules API gets as names.
fn named(l: &mut Linter<'_>, call: &Call) {
    let Some(form) = l.best_form(call) else { return };
    for (at, value) in call.args.iter().enumerate().skip(usize::from(call.method)) {
        let Some(role) = form.parameters.get(at).map(|parameter| parameter.role) else { return };
        if matches!(role, Role::Plain | Role::Options) {
            continue;
        }
        for text in l.texts_of(value) {
            // `totals.set("anna", 0)` of a map.
            if call.method && role == Role::Property && l.is_key(&text.text) {
                continue;
            }
            l.name_of_role(role, &text);
        }
    }
}

/// Reports strings that a function of the rules gets and uses only as a name.
fn passed(l: &mut Linter<'_>, call: &Call) {
    let Some((name, values, _)) = l.runs(call) else { return };
    for (at, value) in values.iter().enumerate() {
        let mut texts = l.texts_of(value);
        if texts.is_empty() {
            continue;
        }
        if let Some(Uses::As { want, unsure }) = l.uses(name, values.len(), at) {
            texts.iter_mut().for_each(|text| text.unsure |= unsure);
            l.texts_as(&want, &texts);
        }
    }
}

/// Reports `${…}` in a string between double quotes.
fn not_filled_in(l: &mut Linter<'_>, node: &Node, text: &str) {
    let Some((_, rest)) = text.split_once("${") else { return };
    let label = l.label(node.at);
    let quoted =
        label.is_some_and(|at| at.source.text().get(at.span.range().start..).is_some_and(|t| t.starts_with('"')));
    if quoted && rest.contains('}') {
        let message = "`${…}` is filled in only between backticks".to_owned();
        l.report_text(&NOT_FILLED_IN, node.at, text, message, "write backticks in place of the quotes".to_owned());
    }
}

impl Linter<'_> {
    /// Returns the word for what values with a role name in the game, and all these names; `None` for other roles.
    pub(super) fn names(&self, role: Role) -> Option<(&'static str, Names<'_>)> {
        if role == Role::Phase {
            return Some(("function", Box::new(self.script.functions.iter().map(|function| function.name.as_str()))));
        }
        names(self.schema, role)
    }

    /// Reports a string that is no name of this sort. One that the call may never get is reported only if it looks
    /// misspelt.
    pub(super) fn name_of_role(&mut self, role: Role, written: &Written) {
        match role {
            Role::CellName => return self.cell_name(written),
            Role::DirectionName => return self.direction_name(written),
            _ => {}
        }
        let text = &written.text;
        let named = |(what, mut names): (_, Names<'_>)| (what, names.any(|name| name == text.as_str()));
        let Some((what, known)) = self.names(role).map(named) else { return };
        let known = known
            || role == Role::Event && self.schema.event(text).is_some()
            || role == Role::PieceName && self.schema.piece(text).is_some();
        if known {
            return;
        }
        let names: Vec<String> = self.names(role).into_iter().flat_map(|(_, names)| names).map(author_name).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        if written.unsure && nearest(text, names.iter().copied()).is_none() {
            return;
        }
        let help = help_for(role, what, text, &names);
        let message = if text.is_empty() { format!("`\"\"` is no {what}") } else { format!("unknown {what} `{text}`") };
        self.report_written(&UNKNOWN_COMPONENT, written, message, help);
    }

    /// Reports a string that is none of the words of a property or a form.
    pub(super) fn one_of_words(&mut self, of: &str, words: &[impl AsRef<str>], written: &Written) {
        let text = written.text.as_str();
        let known = || words.iter().map(AsRef::as_ref);
        if known().any(|word| word == text) || written.unsure && nearest(text, known()).is_none() {
            return;
        }
        let help = did_you_mean(text, known()).unwrap_or_else(|| format!("use one of {}", one_of(known(), 12)));
        self.report_written(&UNKNOWN_VALUE, written, format!("unknown word `{text}` for `{of}`"), help);
    }

    /// Reports a string that is no name of a direction.
    fn direction_name(&mut self, written: &Written) {
        let text = written.text.as_str();
        if self.schema.board == BoardSpec::None || self.is_direction(text) {
            return;
        }
        let board = self.board();
        let names: Vec<&str> = board.iter().flat_map(|board| board.headings()).map(|heading| heading.name).collect();
        if written.unsure && nearest(text, names.iter().copied()).is_none() {
            return;
        }
        let help = did_you_mean(text, names.iter().copied())
            .unwrap_or_else(|| format!("use one of {}", one_of(names.iter().copied(), 8)));
        self.report_written(&UNKNOWN_DIRECTION, written, format!("unknown direction `{text}`"), help);
    }

    /// Reports a string that is no name of a cell.
    fn cell_name(&mut self, written: &Written) {
        let text = written.text.as_str();
        if !self.lacks_cell(text) || written.unsure && !self.looks_like_a_cell(text) {
            return;
        }
        let message = format!("no board of this game has a cell `{text}`");
        let help = match &self.schema.board {
            BoardSpec::Track(cells) => format!("the cells are `1` to `{cells}`"),
            BoardSpec::Grid(columns, rows) if self.schema.variants.iter().all(|one| one.board.is_none()) => {
                format!("the board has {columns} columns, from `a`, and {rows} rows, from `1`")
            }
            _ => "write the name of a cell as diagrams have it".to_owned(),
        };
        self.report_written(&UNKNOWN_CELL, written, message, help);
    }

    /// Returns whether a text has a number and is made like the names of cells: `k9`, `12`.
    fn looks_like_a_cell(&self, text: &str) -> bool {
        let first = self.board().and_then(|board| board.names().next()).map(shape);
        text.contains(|letter: char| letter.is_ascii_digit()) && first == Some(shape(text))
    }
}

/// Returns a text with `a` for letters in a row and `0` for digits in a row.
fn shape(text: &str) -> String {
    let mut shape: Vec<char> = text
        .chars()
        .map(|letter| match letter {
            digit if digit.is_ascii_digit() => '0',
            letter if letter.is_alphabetic() => 'a',
            other => other,
        })
        .collect();
    shape.dedup();
    shape.into_iter().collect()
}
