//! What is never right for the kinds of its values, whatever they are: operators, conditions, loops, indices, properties,
//! and functions. A kind that is not known is right everywhere.

use rhai::{ASTFlags, ASTNode, Expr, Position, Stmt};

use super::checker::{Call, Checker};
use super::operators::{exists, instead, of_one, wanted};
use super::signatures::Signature;
use super::sorts::Sort;
use super::written::written_or;
use crate::diagnostic::Diagnostic;
use crate::rules::natives;
use crate::rules::values::{self, standard};
use crate::table::PropertyKind;

/// Functions that need a single piece, each with its number of arguments and what to write for a `many` kind.
const OF_SINGLE_PIECES: [(&str, usize, &str); 4] = [
    ("cell", 1, "write `cells(PIECE)` for the cells of all of them"),
    ("advance", 2, "say which one: `make(path(from, to))` moves the piece on a cell"),
    ("remove", 1, "say which one, by its cell: `remove(cell)`"),
    ("lift", 1, "say which one: `lift(PIECE, cell)`, or `remove(cell)`"),
];

/// The kinds of values that are no components, whose properties are all known.
const WITHOUT_DECLARED: [(Sort, values::Sort); 10] = [
    (Sort::Text, values::Sort::Text),
    (Sort::List, values::Sort::List),
    (Sort::Range, values::Sort::Range),
    (Sort::Number, values::Sort::Number),
    (Sort::Move, values::Sort::Move),
    (Sort::Truth, values::Sort::Truth),
    (Sort::Cell, values::Sort::Cell),
    (Sort::Cells, values::Sort::Cells),
    (Sort::Dirs, values::Sort::Dirs),
    (Sort::Moves, values::Sort::Moves),
];

/// Returns the kinds that functions of Rhai's library with this name take as their first argument, if they do not take
/// any. Functions of the rules API may have the same names.
pub(super) fn of_library(name: &str) -> Option<Vec<Sort>> {
    natives::library_takes(name).map(|sorts| sorts.into_iter().filter_map(Sort::of).collect())
}

impl Checker<'_> {
    /// Reports what a node does that is never right.
    pub(super) fn never_right(&mut self, node: &ASTNode<'_>) {
        match node {
            ASTNode::Stmt(Stmt::If(flow, _) | Stmt::While(flow, _) | Stmt::Do(flow, ..)) => self.condition(&flow.expr),
            ASTNode::Expr(Expr::And(parts, ..) | Expr::Or(parts, ..)) => {
                parts.iter().for_each(|part| self.condition(part));
            }
            ASTNode::Stmt(Stmt::For(parts, _)) => self.looped(&parts.2.expr),
            ASTNode::Stmt(Stmt::Assignment(assignment)) => {
                if let Some((_, _, _, sign, ..)) = assignment.0.get_op_assignment_info() {
                    self.combined(sign, &assignment.1.lhs, &assignment.1.rhs, assignment.0.position());
                }
            }
            ASTNode::Expr(Expr::Index(parts, flags, position)) => {
                let index = match &parts.rhs {
                    Expr::Dot(rest, _, at) | Expr::Index(rest, _, at) if !flags.intersects(ASTFlags::BREAK) => {
                        self.continued.insert(*at);
                        &rest.lhs
                    }
                    index => index,
                };
                if self.continued.contains(position) {
                    return;
                }
                // `?[` is for what may be `()`.
                let allows = |sort: &Sort| *sort == Sort::Nothing && flags.intersects(ASTFlags::NEGATED);
                if let Some(sort) = self.sort_of(&parts.lhs).filter(|sort| !allows(sort)) {
                    self.index(&parts.lhs, sort, index, *position);
                    if matches!(sort, Sort::Player | Sort::Piece | Sort::Men | Sort::Game) {
                        self.property_in_brackets(&parts.lhs, index);
                    }
                }
            }
            ASTNode::Expr(Expr::Dot(parts, flags, position))
                if !flags.intersects(ASTFlags::NEGATED) && !self.continued.contains(position) =>
            {
                if let Some(sort) = self.sort_of(&parts.lhs) {
                    self.chain(&parts.lhs, sort, &parts.rhs);
                }
            }
            _ => {}
        }
    }

    /// Reports an operator that does not exist for its values.
    pub(super) fn operation(&mut self, call: &Call<'_>) {
        let operator = call.call.name.as_str();
        match call.call.args.as_slice() {
            [one] => {
                let Some(sort) = self.sort_of(one).filter(|sort| of_one(operator, *sort).is_err()) else { return };
                let message = format!("`{operator}` is for {}, found {}", wanted_alone(operator), sort.words());
                let help = if operator == "!" { self.as_condition(one, sort, "!") } else { None };
                let help = help.unwrap_or_else(|| "use another value".to_owned());
                self.never("wrong_values", call.position, message, help);
            }
            [one, other] => self.combined(operator, one, other, call.position),
            _ => {}
        }
    }

    /// Reports something, unless another check has reported something there.
    fn never(&mut self, code: &'static str, position: Position, message: String, help: String) {
        let before = self.wrong.len();
        self.report(code, position, message, Some(help));
        let place = |wrong: &Diagnostic| {
            let label = wrong.labels.first();
            label.map(|label| (label.source.name().to_owned(), label.span.start))
        };
        let is_known = self.wrong.get(before).is_some_and(|new| {
            let at = place(new);
            self.wrong.iter().take(before).any(|known| place(known) == at)
        });
        if is_known {
            self.wrong.truncate(before);
        }
    }

    /// Reports an operator that does not exist for these two values.
    fn combined(&mut self, operator: &str, one: &Expr, other: &Expr, position: Position) {
        let (left, right) = (self.sort_of(one), self.sort_of(other));
        if left.or(right).is_none() || exists(operator, left, right) {
            return;
        }
        let (message, help) = match (left, right) {
            (Some(left), Some(right)) => (
                format!("there is no `{operator}` for {} and {}", left.words(), right.words()),
                instead(operator, (one, left), (other, right)),
            ),
            (Some(only), None) | (None, Some(only)) => {
                let is_condition = matches!(operator, "&" | "|") && only == Sort::Truth;
                (
                    format!("there is no `{operator}` for {}", only.words()),
                    is_condition.then(|| format!("join conditions with `{operator}{operator}`")),
                )
            }
            (None, None) => return,
        };
        let help = help.unwrap_or_else(|| format!("`{operator}` is for {}", wanted(operator)));
        self.never("wrong_values", position, message, help);
    }

    /// Reports a condition that is no boolean.
    fn condition(&mut self, value: &Expr) {
        // `loop` has a condition without a value.
        let sort = self.sort_of(value).filter(|sort| !matches!(sort, Sort::Truth | Sort::Open));
        let Some(sort) = sort.filter(|_| !matches!(value, Expr::Unit(_))) else { return };
        let message = format!("a condition is a boolean, found {}", sort.words());
        let help = self.as_condition(value, sort, "").unwrap_or_else(|| "compare it, with `==` or `>`".to_owned());
        self.never("wrong_values", start_of(value), message, help);
    }

    /// Returns help for a value in place of a condition, or after `!`.
    fn as_condition(&self, value: &Expr, sort: Sort, sign: &str) -> Option<String> {
        let name = written_or(value, "…");
        let is_negated = sign == "!";
        Some(match sort {
            Sort::Cells | Sort::Moves | Sort::Zone => {
                format!("write `{}{name}.is_empty()`", if is_negated { "" } else { "!" })
            }
            Sort::Dirs => format!("write `{}in_any({name}).is_empty()`", if is_negated { "" } else { "!" }),
            Sort::List | Sort::Text => format!("write `{}{name}.is_empty()`", if is_negated { "" } else { "!" }),
            Sort::Number => format!("compare it: `{name} {} 0`", if is_negated { "==" } else { "!=" }),
            Sort::Player | Sort::Piece | Sort::Men | Sort::Cell | Sort::Move => {
                format!("compare it: `{name} {} ()`", if is_negated { "==" } else { "!=" })
            }
            _ => return None,
        })
    }

    /// Reports a loop over something that has no elements.
    fn looped(&mut self, value: &Expr) {
        let Some(sort) = self.sort_of(value) else { return };
        if matches!(sort, Sort::Open | Sort::Text | Sort::Cells | Sort::Moves | Sort::List | Sort::Range) {
            return;
        }
        let name = written_or(value, "…");
        let help = match sort {
            Sort::Piece | Sort::Men | Sort::Player => {
                format!("loop over its cells: `for from in cells({name}) {{ … }}`")
            }
            Sort::Number => format!("loop over numbers: `for n in 1..={name} {{ … }}`"),
            Sort::Zone => format!("loop over its cards: `for card in cards({name}) {{ … }}`"),
            Sort::Map => format!("loop over its keys or values: `for key in {name}.keys() {{ … }}`"),
            Sort::Dirs => format!("loop over the cells of all directions: `for from in in_any({name}) {{ … }}`"),
            Sort::Cell => format!("loop over the cells around it: `for to in around(one({name})) {{ … }}`"),
            Sort::Move => format!("loop over its cells: `for stop in stops({name}) {{ … }}`"),
            _ => "loop over a list, a set of cells, moves, or a range: `for n in 1..=3 { … }`".to_owned(),
        };
        let message = format!("a loop cannot run over {}", sort.words());
        self.never("wrong_values", start_of(value), message, help);
    }

    /// Reports brackets after something that has no elements, and an index of a wrong kind.
    fn index(&mut self, of: &Expr, sort: Sort, index: &Expr, position: Position) {
        let name = written_or(of, "…");
        let fits: &[Sort] = match sort {
            Sort::Open | Sort::Zone | Sort::Function | Sort::Action => return,
            Sort::Number => &[Sort::Number, Sort::Range],
            Sort::Text => &[Sort::Number],
            Sort::List => &[Sort::Number],
            Sort::Map | Sort::Player | Sort::Piece | Sort::Men | Sort::Game => &[Sort::Text],
            _ => &[],
        };
        let found = self.sort_of(index).filter(|found| *found != Sort::Open);
        if fits.is_empty() {
            let message = format!("{} has no elements in brackets", sort.words());
            let help = match sort {
                Sort::Cells => format!("write a list of its cells: `in_order({name})[0]`"),
                Sort::Moves => format!("loop over the moves: `for move in {name} {{ … }}`"),
                Sort::Dirs => format!("write `toward({name}, direction)` for the cells of a direction"),
                Sort::Move => format!("write a list of its cells: `stops({name})[0]`"),
                _ => "only lists, maps and strings have elements in brackets".to_owned(),
            };
            return self.never("wrong_values", position, message, help);
        }
        if let Some(found) = found.filter(|found| !fits.contains(found)) {
            let wanted = fits.first().map_or("", |wanted| wanted.words());
            let message = format!("in brackets after {} is {wanted}, found {}", sort.words(), found.words());
            let help = match sort {
                Sort::List => format!("write a number from 0: `{name}[0]`"),
                _ => format!("write {wanted} in the brackets"),
            };
            self.never("wrong_values", start_of(index), message, help);
        }
    }

    /// Reports what follows the dots after a value and is never right for its kind.
    fn chain(&mut self, of: &Expr, sort: Sort, after_dot: &Expr) {
        let (step, rest) = match after_dot {
            Expr::Dot(parts, flags, _) => (&parts.lhs, Some((&parts.rhs, *flags))),
            Expr::Index(parts, ..) => (&parts.lhs, None),
            last => (last, None),
        };
        let next = match step {
            Expr::Property(names, position) => {
                if self.lacks_property(of, sort, &names.2, *position) {
                    return;
                }
                self.sort_after_dot(Some(sort), step)
            }
            Expr::MethodCall(call, position) => {
                let call = Call { call, method: true, position: *position };
                let before = self.wrong.len();
                self.receiver(&call, of, sort);
                self.of_many(&call, Some((of, sort)));
                if self.wrong.len() > before {
                    return;
                }
                self.sort_after_dot(Some(sort), step)
            }
            _ => return,
        };
        if let (Some(next), Some((rest, flags))) = (next, rest)
            && !flags.intersects(ASTFlags::NEGATED)
        {
            self.chain(step, next, rest);
        }
    }

    /// Reports a property that no value of a kind has. Returns whether it did.
    fn lacks_property(&mut self, of: &Expr, sort: Sort, name: &str, position: Position) -> bool {
        let written = written_or(of, "…");
        if sort == Sort::Nothing {
            let message = format!("`{written}` is never anything but `()` here, which has no `{name}`");
            let help = format!("give `{written}` a value before");
            self.never("unknown_property", position, message, help);
            return true;
        }
        if (sort, name) == (Sort::Map, "len") && !self.keys.contains(name) {
            let help = format!("write `{written}.len()` for the number of its keys");
            self.never("unknown_property", position, "a map has no `len` without brackets".to_owned(), help);
            return true;
        }
        if self.lacks_declared(of, sort, name, position) {
            return true;
        }
        let Some((_, of_values)) = WITHOUT_DECLARED.iter().find(|(kind, _)| *kind == sort) else { return false };
        // A name that nothing has is reported anyway.
        if !self.is_property(name) {
            return false;
        }
        let has = natives::properties_of(*of_values);
        if has.contains(&name) {
            return false;
        }
        let help = match (sort, name) {
            (Sort::Cells | Sort::Moves, "len") => format!("write `count({written})`"),
            (Sort::Cells | Sort::Moves, "is_empty") => format!("write `{written}.is_empty()`"),
            (Sort::Cell, _) if self.natives.contains_key(name) => format!("write `{name}({written})`"),
            (Sort::Cell, _) => format!("write `at({written})` for the piece on it"),
            (Sort::Moves, "from" | "to" | "captures") => {
                format!("look at one move: `for move in {written} {{ … }}`")
            }
            (_, _) if has.is_empty() => format!("{} has nothing after a dot but functions", sort.words()),
            _ => format!("after a dot it has `{}`", has.join("`, `")),
        };
        let have = if sort == Sort::Moves { "have" } else { "has" };
        self.never("unknown_property", position, format!("{} {have} no `{name}`", sort.words()), help);
        true
    }

    /// Reports a name after a dot that no component of a kind has. Returns whether it did.
    fn lacks_declared(&mut self, of: &Expr, sort: Sort, name: &str, position: Position) -> bool {
        let is_piece = matches!(sort, Sort::Piece | Sort::Men);
        let is_owner = is_piece || matches!(sort, Sort::Player | Sort::Game);
        let is_declared = self.schema.properties.iter().any(|property| property.name == name)
            || (is_piece && self.schema.printed(name).is_some());
        if !(is_owner || sort == Sort::Zone) || (is_owner && is_declared) || !self.is_property(name) {
            return false;
        }
        let help = match sort {
            // A zone that is used as a list is reported anyway.
            Sort::Zone if name == "len" => return true,
            Sort::Zone if name == "is_empty" => format!("write `{}.is_empty()`", written_or(of, "zone")),
            Sort::Zone => {
                let zone = written_or(of, "zone");
                format!("a zone has nothing after a dot but functions: `count({zone})`, `cards({zone})`")
            }
            _ => format!("after a dot, {} has its flags, counters and properties", sort.words()),
        };
        self.never("unknown_property", position, format!("{} has no `{name}`", sort.words()), help);
        true
    }

    /// Reports a function after a dot that does not take the value before the dot.
    fn receiver(&mut self, call: &Call<'_>, of: &Expr, sort: Sort) {
        let name = call.call.name.as_str();
        if matches!(sort, Sort::Nothing | Sort::Open | Sort::Map) || self.layers.has_function(name) {
            return;
        }
        self.of_library_kind(call, of, sort);
        let natives = std::rc::Rc::clone(&self.natives);
        let forms = natives.get(name).map(Vec::as_slice).unwrap_or_default();
        let count = call.call.args.len() + 1;
        let fitting = || forms.iter().filter(|one: &&Signature<'_>| one.counts().contains(&count));
        let mut wanted = None;
        for form in fitting() {
            let Some(sorts) = form.sorts_of_parameter(0) else { return };
            if sorts.contains(&sort.plain()) {
                return self.after_receiver(call, forms, sort.plain());
            }
            wanted = wanted.or_else(|| sorts.first().copied());
        }
        let (Some(wanted), Some(first), false) = (wanted, fitting().next(), standard().contains_key(name)) else {
            return;
        };
        let message = format!("`{name}` takes {} before the dot, found {}", wanted.words(), sort.words());
        let help = self.instead(of, wanted, sort).unwrap_or_else(|| format!("use the form `{}`", first.form.written()));
        self.never("wrong_values", call.position, message, help);
    }

    /// Reports a value in the brackets of a function after a dot that no form takes together with what is before the dot.
    fn after_receiver(&mut self, call: &Call<'_>, forms: &[Signature<'_>], first: Sort) {
        let count = call.call.args.len() + 1;
        let fits = |form: &&Signature<'_>| {
            form.counts().contains(&count) && form.sorts_of_parameter(0).is_none_or(|sorts| sorts.contains(&first))
        };
        let fitting: Vec<&Signature<'_>> = forms.iter().filter(fits).collect();
        self.kinds_of_given(call, fitting);
    }

    /// Reports a function for a single piece that is given a kind of many.
    pub(super) fn of_many(&mut self, call: &Call<'_>, before_dot: Option<(&Expr, Sort)>) {
        let name = call.call.name.as_str();
        let count = call.call.args.len() + usize::from(call.method);
        let of_single = OF_SINGLE_PIECES.iter().find(|(single, takes, _)| *single == name && *takes == count);
        let Some((.., help)) = of_single.filter(|_| !self.layers.has_function(name)) else { return };
        let first = match before_dot {
            Some(given) => Some(given),
            None if call.method => None,
            None => call.call.args.first().and_then(|value| Some((value, self.sort_of(value)?))),
        };
        let Some((value, Sort::Men)) = first else { return };
        let piece = match value {
            Expr::FnCall(kind, _) => match kind.args.as_slice() {
                [Expr::Variable(var, ..)] => format!("{}({})", kind.name, var.1),
                _ => format!("{}(…)", kind.name),
            },
            value => written_or(value, "piece"),
        };
        let message = format!("`{name}` is for a single piece, and `{piece}` is a kind of many");
        self.never("wrong_values", call.position, message, help.replace("PIECE", &piece));
    }

    /// Reports a function of Rhai's library that is given a first argument of a kind for which it does not exist.
    pub(super) fn of_library(&mut self, call: &Call<'_>) {
        if let [first, ..] = call.call.args.as_slice()
            && let Some(sort) = self.sort_of(first).filter(|_| !call.method)
        {
            self.of_library_kind(call, first, sort);
        }
    }

    fn of_library_kind(&mut self, call: &Call<'_>, of: &Expr, sort: Sort) {
        let name = call.call.name.as_str();
        let Some(kinds) = of_library(name).filter(|_| !self.layers.has_function(name)) else { return };
        if kinds.contains(&sort) || matches!(sort, Sort::Open | Sort::Nothing | Sort::Map | Sort::Function) {
            return;
        }
        let count = call.call.args.len() + usize::from(call.method);
        let natives = self.natives.get(name).map(Vec::as_slice).unwrap_or_default();
        let takes = |form: &Signature<'_>| form.sorts_of_parameter(0).is_none_or(|sorts| sorts.contains(&sort.plain()));
        if natives.iter().any(|form| form.counts().contains(&count) && takes(form)) {
            return;
        }
        let written = written_or(of, "…");
        let native = natives.first().and_then(|form| form.sorts_of_parameter(0)?.first().copied());
        let wanted = native.or(kinds.first().copied()).map_or("", Sort::words);
        let help = match (sort, name) {
            (Sort::Cells, "contains") => format!("write `{written}.has(cell)`"),
            (Sort::Cells | Sort::Moves | Sort::Zone, "len") => format!("write `count({written})`"),
            (Sort::Cells, "push" | "insert") => format!("write `{written} |= one(cell);`"),
            (Sort::Moves, "push" | "insert") => format!("write `{written} += move;`"),
            (Sort::Cells, _) => format!("make a list of the cells: `in_order({written})`"),
            (Sort::Zone, _) => format!("write `cards({written})` for a list of its cards"),
            (Sort::Dirs, _) => format!("write the cells of all directions first: `in_any({written}).{name}(…)`")
                .replace("is_empty(…)", "is_empty()"),
            (Sort::Range, _) => {
                "make a list of the numbers first: `let numbers = []; for n in 1..=8 { numbers.push(n); }`".to_owned()
            }
            _ => format!("`{name}` is for {wanted}"),
        };
        let message = format!("there is no `{name}` for {}", sort.words());
        self.never("wrong_values", call.position, message, help);
    }

    /// Reports a property that rules read, and that only lines can read: a `record` counter.
    pub(super) fn record_read(&mut self, name: &str, position: Position) {
        if self.alone || self.keys.contains(name) || self.schema.printed(name).is_some() {
            return;
        }
        let mut declared = self.schema.properties.iter().filter(|property| property.name == name).peekable();
        let is_record = |kind: &PropertyKind| *kind == PropertyKind::Counter { record: true };
        if declared.peek().is_some() && declared.all(|property| is_record(&property.kind)) {
            let message = format!("rules cannot read `{name}`: it is a `record` counter");
            let help = format!("declare it without `record`: `counter {name}`, or only change it, with `tally`");
            self.never("wrong_values", position, message, help);
        }
    }
}

/// Returns where an expression begins. The position of a chain is its dot.
fn start_of(value: &Expr) -> Position {
    match value {
        Expr::Dot(parts, ..) => parts.lhs.start_position(),
        other => other.start_position(),
    }
}

/// Returns what an operator with one value is for, in words.
fn wanted_alone(operator: &str) -> &'static str {
    if operator == "!" { "a boolean" } else { "a number" }
}
