//! The functions of a script.

use super::{Function, Kind, TIMES, Writer};

/// What every script begins with.
const AROUND: &str = "
const LIMIT = 4;
const KEYS = #{ a: 1, b: 1, c: 1, d: 1, e: 1, zz: 1, nothing: 1 };
const NAMES = [\"one\", \"two\"];
const VALUES = #{ one: 1, two: [2, 3] };
fn bump(me) { me.sum += 1; me.sum }
fn second(one, other) { other }
fn twice(n) { n * 2 }
fn is_small(n) { n < 3 }
fn add(n, m) { n + m }
fn add(n) { n + 1 }
fn twice_this() { this * 2 }
fn raise(n) { this += n % 10; this }
fn grow(n) { this.push(n); this.len }
fn deep(n) { if n > 0 { 1 + deep(n - 1) } else { 0 } }
fn later(me, n) { me.sum = n; }
fn turn(me) { play0(me); }
";

/// Functions that are called like some of the engine, which a script now and then has.
const HIDING: &[&str] = &[
    "fn max(one, other) { one * 2 + other % 7 }",
    "fn abs(n) { n + 100 }",
    "fn sign() { this + 1 }",
    "fn push(list, n) { n + 1 }",
    "fn len(list) { 77 }",
    "fn reverse() { 5 }",
    "fn count(z) { 3 }",
    "fn int.twice_this(n) { this * n }",
];

/// What functions take and return.
const KINDS: [Kind; 13] = [
    Kind::Number,
    Kind::Numbers,
    Kind::Text,
    Kind::Record,
    Kind::Number,
    Kind::Truth,
    Kind::Grid,
    Kind::Records,
    Kind::Texts,
    Kind::Any,
    Kind::Cells,
    Kind::Dirs,
    Kind::Number,
];

impl Writer<'_> {
    pub(super) fn script(&mut self) {
        for line in AROUND.trim().lines() {
            self.line(line);
        }
        if self.one_in(12) {
            let hiding = self.pick(HIDING);
            self.line(hiding);
        }
        for _ in 0..1 + self.below(4) {
            match self.below(6) {
                4 => self.method(),
                5 => self.recursion(),
                _ => self.function(),
            }
        }
        self.function();
        for _ in 0..2 + self.below(3) {
            self.short();
        }
        if self.one_in(2) {
            self.faulty = true;
            self.function();
        }
        self.phases();
    }

    /// Write a function of these parameters; each has a name and a kind.
    fn define(&mut self, name: &str, this: Option<Kind>, parameters: &[(String, Kind)], count: usize) {
        let result = self.pick(&KINDS);
        (self.cost, self.rounds, self.result) = (1, 1, result);
        self.asks = this.is_none() && self.one_in(2);
        let names: Vec<&str> = parameters.iter().map(|(name, _)| name.as_str()).collect();
        self.line(format!("fn {name}({}) {{", names.join(", ")));
        self.scoped(|writer| {
            if let Some(kind) = this {
                writer.declare("this", kind);
            }
            for (name, kind) in parameters {
                writer.declare(name, *kind).fixed = matches!(kind, Kind::Function);
            }
            writer.indent += 1;
            writer.body(count);
            let value = writer.expression(result, writer.depth());
            let semicolon = if writer.one_in(8) { "return " } else { "" };
            writer.line(format!("{semicolon}{value}"));
            writer.indent -= 1;
        });
        self.line("}");
        let kinds = parameters.iter().map(|(_, kind)| *kind).collect();
        let (cost, asks) = (self.cost, self.asks);
        self.functions.push(Function { name: name.to_owned(), this, parameters: kinds, result, asks, cost });
    }

    fn parameters(&mut self, most: usize) -> Vec<(String, Kind)> {
        let mut parameters = Vec::new();
        for _ in 0..self.below(most + 1) {
            let kind = if self.one_in(8) { Kind::Function } else { self.pick(&KINDS) };
            parameters.push((self.unique(if kind == Kind::Function { "k" } else { "v" }), kind));
        }
        parameters
    }

    fn function(&mut self) {
        let name = self.unique("f");
        let mut parameters = vec![("me".to_owned(), Kind::Player)];
        parameters.extend(self.parameters(3));
        let count = 2 + self.below(6);
        self.define(&name, None, &parameters, count);
    }

    /// A function of one or two lines.
    fn short(&mut self) {
        let name = self.unique("s");
        let mut parameters = vec![("me".to_owned(), Kind::Player)];
        parameters.extend(self.parameters(2));
        let count = self.below(2);
        self.faulty = self.one_in(8);
        self.inline = 1;
        self.define(&name, None, &parameters, count);
        self.inline = 0;
    }

    /// A function that changes `this`.
    fn method(&mut self) {
        let name = self.unique("g");
        let this = self.pick(&[Kind::Number, Kind::Numbers, Kind::Text, Kind::Record, Kind::Grid]);
        let parameters = self.parameters(2);
        let count = 1 + self.below(4);
        self.define(&name, Some(this), &parameters, count);
    }

    /// A function that calls itself so many times as its first value says.
    fn recursion(&mut self) {
        let name = self.unique("down");
        let result = self.pick(&[Kind::Number, Kind::Numbers, Kind::Text]);
        (self.cost, self.rounds, self.result, self.asks) = (1, 1, result, false);
        let kind = self.pick(&KINDS);
        self.line(format!("fn {name}(n, v) {{"));
        self.scoped(|writer| {
            writer.declare("n", Kind::Number).fixed = true;
            writer.declare("v", kind);
            writer.indent += 1;
            let end = writer.expression(result, 2);
            writer.line(format!("if n <= 0 {{ return {end}; }}"));
            writer.repeated(TIMES, |writer| {
                writer.statement(1);
                writer.statement(1);
                let way = writer.below(3);
                // What a closure holds is written as in one.
                writer.level += usize::from(way == 1);
                let value = writer.expression(kind, 2);
                writer.level -= usize::from(way == 1);
                let value = if matches!(kind, Kind::Numbers | Kind::Grid | Kind::Text | Kind::Records | Kind::Texts) {
                    format!("{{ let q = {value}; q.truncate(8); q }}")
                } else {
                    value
                };
                let again = match way {
                    0 => format!("{name}(n - 1, {value})"),
                    1 => format!("[n - 1].map(|x| {name}(x, {value}))[0]"),
                    _ => format!("Fn(\"{name}\").call(n - 1, {value})"),
                };
                writer.line(match result {
                    Kind::Number => format!("{again} % 1000 + n"),
                    Kind::Numbers => format!("[n] + {again}"),
                    _ => format!("{again} + n"),
                });
            });
            writer.indent -= 1;
        });
        self.line("}");
        let cost = self.cost;
        self.functions.push(Function {
            name,
            this: None,
            parameters: vec![Kind::Number, kind],
            result,
            asks: false,
            cost,
        });
    }

    /// Functions for phases: each calls one of the functions written and keeps what it gives.
    fn phases(&mut self) {
        let named = |stem: char| {
            let places = (0..self.functions.len()).rev();
            places.filter(|at| self.functions[*at].name.starts_with(stem)).take(4).collect::<Vec<usize>>()
        };
        for (number, at) in [named('f'), named('s')].concat().into_iter().enumerate() {
            let (name, parameters) = (self.functions[at].name.clone(), self.functions[at].parameters.clone());
            self.variables.clear();
            (self.cost, self.rounds, self.level) = (0, 1, 0);
            let values: Vec<String> = parameters[1..].iter().map(|kind| self.literal(*kind)).collect();
            let values = [vec!["me".to_owned()], values].concat().join(", ");
            self.line(format!("fn play{number}(me) {{"));
            self.line(format!("    let got = {name}({values});"));
            self.line("    me.told = to_debug(got);");
            self.line("}");
        }
    }
}
