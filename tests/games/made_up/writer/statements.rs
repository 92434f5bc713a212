//! Statements.

use super::lines::{CHANGES, FAULTS};
use super::{DEPTH, Kind, NESTING, ROUNDS, TIMES, Writer};

impl Writer<'_> {
    /// A statement, with others in it.
    pub(super) fn statement(&mut self, nesting: usize) {
        if nesting == 0 || self.cost > super::BUDGET {
            return self.small();
        }
        match self.below(28) {
            0..=9 => self.small(),
            10..=12 => self.if_else(nesting),
            13..=15 if self.rounds < ROUNDS => self.for_each(nesting),
            16 if self.rounds < ROUNDS => self.while_true(nesting),
            17 if self.rounds < ROUNDS => self.endless(nesting),
            18 if self.rounds < ROUNDS => self.do_while(nesting),
            19 | 20 => self.switch(nesting),
            21 => self.nested("{", "}", nesting, 1),
            22 => self.closure_variable(),
            23 => self.caught(nesting),
            24 => self.leave(),
            25 if self.one_in(4) => self.fault(),
            _ => self.small(),
        }
    }

    /// A statement in one line.
    pub(super) fn small(&mut self) {
        if self.below(8) < 3 {
            return self.variable_made();
        }
        self.cost += self.rounds;
        for _ in 0..6 {
            let form = self.pick(CHANGES);
            if let Some(line) = self.fill(form, self.depth()) {
                // What a form declares is its own.
                let own = line.starts_with("let ");
                return self.line(if own { format!("{{ {line} }}") } else { line });
            }
        }
        self.variable_made();
    }

    fn variable_made(&mut self) {
        const KINDS: [Kind; 21] = [
            Kind::Number,
            Kind::Numbers,
            Kind::Text,
            Kind::Record,
            Kind::Number,
            Kind::Numbers,
            Kind::Records,
            Kind::Grid,
            Kind::Truth,
            Kind::Texts,
            Kind::Number,
            Kind::Record,
            Kind::Grid,
            Kind::Cells,
            Kind::Dirs,
            Kind::Cell,
            Kind::Letter,
            Kind::Player,
            Kind::Any,
            Kind::Numbers,
            Kind::Text,
        ];
        let kind = self.pick(&KINDS);
        let list = matches!(kind, Kind::Numbers | Kind::Texts | Kind::Grid | Kind::Records);
        let filled = list && self.below(4) < 3;
        let value = if filled { self.filled(kind, self.depth()) } else { self.expression(kind, self.depth()) };
        let constant = self.one_in(14);
        let late = !constant && self.one_in(12);
        let name = if late { self.unique("v") } else { self.name() };
        match late {
            true => {
                self.line(format!("let {name};"));
                self.line(format!("{name} = {value};"));
            }
            false => self.line(format!("{} {name} = {value};", if constant { "const" } else { "let" })),
        }
        let made = self.declare(&name, kind);
        (made.fixed, made.filled) = (constant, filled);
    }

    /// Statements between two lines, run so many times.
    fn nested(&mut self, begin: &str, end: &str, nesting: usize, times: u64) {
        self.line(begin);
        self.inside(nesting, times);
        self.line(end);
    }

    /// How deeply an expression may be nested here.
    pub(super) fn depth(&self) -> usize {
        DEPTH.saturating_sub(self.inline).max(1)
    }

    /// So many statements, set in.
    fn inside(&mut self, nesting: usize, times: u64) {
        self.repeated(times, |writer| {
            writer.indent += 1;
            for _ in 0..=writer.below(3) {
                writer.statement(nesting - 1);
            }
            writer.indent -= 1;
        });
    }

    fn if_else(&mut self, nesting: usize) {
        let condition = self.expression(Kind::Truth, self.depth());
        self.line(format!("if {condition} {{"));
        self.inside(nesting, 1);
        if self.one_in(4) {
            let condition = self.expression(Kind::Truth, 2);
            self.line(format!("}} else if {condition} {{"));
            self.inside(nesting, 1);
        }
        if self.one_in(2) {
            self.line("} else {");
            self.inside(nesting, 1);
        }
        self.line("}");
    }

    fn for_each(&mut self, nesting: usize) {
        let (over, kind) = match self.below(10) {
            0 => (format!("0..{}", 1 + self.below(4)), Kind::Number),
            1 => (format!("{}..={}", self.below(3), 1 + self.below(4)), Kind::Number),
            2 => (format!("{}..{} % 5", self.below(3), self.expression(Kind::Number, 2)), Kind::Number),
            3 | 4 => (self.expression(Kind::Numbers, DEPTH), Kind::Number),
            5 => (self.expression(Kind::Texts, 2), Kind::Text),
            6 => (self.expression(Kind::Grid, 2), Kind::Numbers),
            7 => (self.expression(Kind::Records, 2), Kind::Record),
            8 => (self.expression(Kind::Text, 1), Kind::Letter),
            _ => (self.expression(Kind::Cells, 2), Kind::Cell),
        };
        let (name, counter) = (self.name(), self.one_in(4).then(|| self.unique("i")));
        self.scoped(|writer| {
            let level = writer.variables.len();
            writer.declare(&name, kind);
            let head = match &counter {
                Some(counter) => {
                    writer.declare(counter, Kind::Number);
                    format!("for ({name}, {counter}) in {over} {{")
                }
                None => format!("for {name} in {over} {{"),
            };
            let valued = writer.one_in(8).then_some(Kind::Number);
            let value = valued.map(|_| writer.unique("v"));
            let begin = value.as_ref().map_or(String::new(), |value| format!("let {value} = "));
            writer.loops.push(valued);
            writer.nested(&format!("{begin}{head}"), if value.is_some() { "};" } else { "}" }, nesting, TIMES);
            writer.loops.pop();
            if let Some(value) = value {
                writer.line(format!("print({value});"));
            }
            writer.variables.truncate(level);
        });
    }

    /// A counter for a loop, and the number of rounds at which it ends.
    fn counter(&mut self) -> (String, usize) {
        let name = self.unique("w");
        self.line(format!("let {name} = 0;"));
        self.declare(&name, Kind::Number).fixed = true;
        (name, 1 + self.below(4))
    }

    fn while_true(&mut self, nesting: usize) {
        let (counter, most) = self.counter();
        let and = if self.one_in(2) { format!(" && {}", self.expression(Kind::Truth, 2)) } else { String::new() };
        self.loops.push(None);
        self.line(format!("while {counter} < {most}{and} {{"));
        self.line(format!("    {counter} += 1;"));
        self.inside(nesting, TIMES);
        self.line("}");
        self.loops.pop();
    }

    /// A loop that `break` ends, with a value.
    fn endless(&mut self, nesting: usize) {
        let (counter, most) = self.counter();
        let kind = self.pick(&[Kind::Number, Kind::Numbers, Kind::Text]);
        let value = self.expression(kind, 2);
        let name = self.unique("v");
        self.loops.push(Some(kind));
        self.line(format!("let {name} = loop {{"));
        self.line(format!("    {counter} += 1;"));
        self.line(format!("    if {counter} > {most} {{ break {value}; }}"));
        self.inside(nesting, TIMES);
        self.line("};");
        self.loops.pop();
        self.declare(&name, kind);
    }

    fn do_while(&mut self, nesting: usize) {
        let (counter, most) = self.counter();
        self.loops.push(None);
        self.line("do {");
        // `continue` goes past the condition.
        self.line(format!("    {counter} += 1;"));
        self.line(format!("    if {counter} > 5 {{ break; }}"));
        self.inside(nesting, TIMES);
        let end =
            if self.one_in(2) { format!("until {counter} >= {most}") } else { format!("while {counter} < {most}") };
        self.line(format!("}} {end};"));
        self.loops.pop();
    }

    fn switch(&mut self, nesting: usize) {
        let (of, cases, last): (String, &[&str], &[&str]) = match self.below(5) {
            0 | 1 => {
                let of = self.expression(Kind::Number, DEPTH);
                (format!("{of} % 7"), &["0", "1 | 2", "3", "-1", "4 | 5 | 6", "1"], &["2..4", "0..=6", "-6..0"])
            }
            2 => (self.expression(Kind::Text, 2), &["\"a\"", "\"\" | \"one\"", "\"A\"", "\"x\""], &[]),
            3 => (self.expression(Kind::Truth, self.depth()), &["true", "false"], &[]),
            // The check does not know the kind of an element where they are of several.
            _ => (
                format!("[{}, 1, \"\"][0]", self.expression(Kind::Any, 2)),
                &["()", "1", "\"any\" | \"a\"", "true", "[1, 2]", "'a' | 'b'"],
                &[],
            ),
        };
        let (begin, end, kind) = if self.one_in(3) {
            let name = self.unique("v");
            (format!("let {name} = "), "};", Some((name, self.pick(&[Kind::Number, Kind::Text]))))
        } else {
            (String::new(), "}", None)
        };
        self.line(format!("{begin}switch {of} {{"));
        self.indent += 1;
        let mut arms: Vec<&str> = Vec::new();
        for _ in 0..=self.below(3) {
            arms.push(self.pick(cases));
        }
        if !last.is_empty() && self.one_in(2) {
            arms.push(self.pick(last));
        }
        // Without a default the value may be missing.
        if kind.is_some() || self.below(3) < 2 {
            arms.push("_");
        }
        for case in arms {
            let condition = match case {
                "_" => String::new(),
                _ if self.one_in(4) => format!(" if {}", self.expression(Kind::Truth, 2)),
                _ => String::new(),
            };
            match &kind {
                Some((_, kind)) if self.one_in(3) => {
                    let value = self.block(*kind, 2);
                    self.line(format!("{case}{condition} => {value},"));
                }
                Some((_, kind)) => {
                    let value = self.expression(*kind, 2);
                    self.line(format!("{case}{condition} => {value},"));
                }
                None => self.nested(&format!("{case}{condition} => {{"), "}", nesting, 1),
            }
        }
        self.indent -= 1;
        self.line(end);
        if let Some((name, kind)) = kind {
            self.declare(&name, kind);
        }
    }

    /// A closure in a variable, which nothing is assigned to any more.
    fn closure_variable(&mut self) {
        let name = self.unique("k");
        // A variable that changes in the closure, and outside after that.
        if self.below(3) < 2
            && let Some(at) = self.variable(Kind::Number, |variable| !variable.fixed)
        {
            let kept = self.variables[at].name.clone();
            let before = self.plain(Kind::Number);
            self.line(format!("let {name} = |x| {{ {kept} += x % 9; {kept} + {before} % 9 }};"));
            self.line(format!("{kept} += 1;"));
            self.line(format!("{kept} = {name}.call({kept} % 7) % 1000;"));
            self.declare(&name, Kind::Function).fixed = true;
            return;
        }
        let value = match self.below(6) {
            0 => "Fn(\"twice\")".to_owned(),
            1 => self.form(Kind::Function, DEPTH),
            _ => self.closure(&[Kind::Number], Kind::Number, DEPTH),
        };
        self.line(format!("let {name} = {value};"));
        self.declare(&name, Kind::Function).fixed = true;
        // What it captured changes behind it.
        if let Some(line) = self.fill("$vn += $d;", 1).filter(|_| self.below(3) < 2) {
            self.line(line);
        }
        if let Some(line) = self.fill(&format!("$vn += {name}.call($n % 100) % 100;"), 1) {
            self.line(line);
        }
    }

    fn caught(&mut self, nesting: usize) {
        self.line("try {");
        self.inside(nesting, 1);
        if self.one_in(2) {
            self.indent += 1;
            self.fault();
            self.indent -= 1;
        }
        let name = self.unique("e");
        self.line(format!("}} catch ({name}) {{"));
        self.indent += 1;
        self.line(format!("blue.told = to_debug({name}).sub_string(0, 120);"));
        self.indent -= 1;
        self.scoped(|writer| {
            writer.declare(&name, Kind::Any);
            writer.inside(nesting.min(1), 1);
        });
        self.line("}");
    }

    /// Leave a loop, go on with its next round, or return early.
    fn leave(&mut self) {
        let condition = self.expression(Kind::Truth, self.depth());
        let way = match (self.below(4), self.loops.last().copied()) {
            (0, Some(_)) => "continue".to_owned(),
            (1 | 2, Some(None)) => "break".to_owned(),
            (1 | 2, Some(Some(kind))) => format!("break {}", self.expression(kind, 2)),
            _ => format!("return {}", self.expression(self.result, 2)),
        };
        self.line(format!("if {condition} {{ {way}; }}"));
    }

    /// Something that goes wrong.
    pub(super) fn fault(&mut self) {
        let form = self.pick(FAULTS);
        if form.starts_with("choose") && (!self.asks || self.level > 0) {
            return;
        }
        if let Some(line) = self.fill(form, 2) {
            self.line(format!("{{ {line} }}"));
        }
    }

    /// The statements of a function.
    pub(super) fn body(&mut self, count: usize) {
        for _ in 0..count {
            self.statement(NESTING - self.inline);
        }
        if std::mem::take(&mut self.faulty) {
            const AROUND: [(&str, &str); 4] = [
                ("[1].for_each(|| {", "});"),
                ("for x in [1, 2] {", "}"),
                ("if me != () {", "}"),
                ("switch 1 { 1 => {", "} }"),
            ];
            let (begin, end) = self.pick(&AROUND);
            self.line(begin);
            // As in a closure, nothing is asked.
            self.level += 1;
            self.scoped(|writer| {
                writer.small();
                writer.fault();
            });
            self.level -= 1;
            self.line(end);
        }
    }
}
