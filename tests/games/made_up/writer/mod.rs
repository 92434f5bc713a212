//! Writes rules at random: functions that use the whole dialect, most of which run without an error.
//!
//! A byte string decides everything, so that a test can draw one from a seed and a fuzzer can generate one. After the
//! end of the bytes, always the first and simplest form is taken. The writer keeps rough kinds of variables in scope.

mod forms;
mod functions;
mod lines;
mod statements;

/// What a value is, as far as the writer knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Number,
    Truth,
    Text,
    Letter,
    /// A list of numbers.
    Numbers,
    /// A list of texts.
    Texts,
    /// A list of lists of numbers.
    Grid,
    /// A map `#{ a: Number, b: Text, c: Numbers, d: #{ a: Number, c: Numbers } }`.
    Record,
    /// A list of such maps.
    Records,
    Player,
    Cell,
    Cells,
    /// A set for each direction.
    Dirs,
    /// A closure from number to number, or a function's name.
    Function,
    Any,
}

impl Kind {
    /// The kind that a letter stands for in a form.
    fn of(letter: &str) -> Option<Self> {
        Some(match letter {
            "n" => Self::Number,
            "b" => Self::Truth,
            "t" => Self::Text,
            "h" => Self::Letter,
            "l" => Self::Numbers,
            "s" => Self::Texts,
            "g" => Self::Grid,
            "m" => Self::Record,
            "r" => Self::Records,
            "p" => Self::Player,
            "c" => Self::Cell,
            "z" => Self::Cells,
            "a" => Self::Dirs,
            "k" => Self::Function,
            "x" => Self::Any,
            _ => return None,
        })
    }
}

/// A variable in scope.
struct Variable {
    name: String,
    kind: Kind,
    /// Whether nothing may be assigned to it: constants, and what counts the rounds of a loop.
    fixed: bool,
    /// Whether a list is known to have an element.
    filled: bool,
    /// In how many closures it was declared.
    level: usize,
}

/// A function that can be called.
struct Function {
    name: String,
    /// The kind of `this`, if it is called as a method.
    this: Option<Kind>,
    parameters: Vec<Kind>,
    result: Kind,
    /// Whether it asks, so that closures may not call it.
    asks: bool,
    cost: u64,
}

/// About how many operations a function may take, with those that it calls.
const BUDGET: u64 = 4_000;
/// About how often the innermost body of nested loops may be run.
const ROUNDS: u64 = 60;
/// How often a loop is run, as a guess.
const TIMES: u64 = 4;
/// How deeply statements are nested.
const NESTING: usize = 3;
/// How deeply expressions are nested.
const DEPTH: usize = 3;

struct Writer<'b> {
    bytes: std::slice::Iter<'b, u8>,
    lines: Vec<String>,
    indent: usize,
    variables: Vec<Variable>,
    functions: Vec<Function>,
    /// How many names were made up.
    names: usize,
    /// What the present function has cost so far, and how often what is written now is run.
    cost: u64,
    rounds: u64,
    /// In how many closures this is.
    level: usize,
    /// In how many blocks of one line this is.
    inline: usize,
    /// Whether something is to go wrong in the present function.
    faulty: bool,
    /// Whether the present function asks.
    asks: bool,
    /// What the present function or closure returns.
    result: Kind,
    /// The loops around this: the kind of value that `break` needs, if any.
    loops: Vec<Option<Kind>>,
}

/// The rules that a byte string makes.
pub(crate) fn write(bytes: &[u8]) -> String {
    let mut writer = Writer {
        bytes: bytes.iter(),
        lines: Vec::new(),
        indent: 0,
        variables: Vec::new(),
        functions: Vec::new(),
        names: 0,
        cost: 0,
        rounds: 1,
        level: 0,
        inline: 0,
        faulty: false,
        asks: false,
        result: Kind::Number,
        loops: Vec::new(),
    };
    writer.script();
    let mut text = writer.lines.join("\n");
    text.push('\n');
    text
}

impl Writer<'_> {
    fn below(&mut self, count: usize) -> usize {
        self.bytes.next().map_or(0, |byte| usize::from(*byte) % count)
    }

    /// Whether one in so many cases is here; never where the bytes have ended.
    fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == count - 1
    }

    fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }

    fn line(&mut self, text: impl AsRef<str>) {
        self.lines.push(format!("{}{}", "    ".repeat(self.indent), text.as_ref()));
    }

    /// A name that nothing else has.
    fn unique(&mut self, stem: &str) -> String {
        self.names += 1;
        format!("{stem}{}", self.names)
    }

    /// A name for a variable, now and then one that is taken.
    fn name(&mut self) -> String {
        if self.one_in(6)
            && let Some(at) = self.visible().into_iter().find(|at| self.variables[*at].name.len() < 3)
        {
            let variable = &self.variables[at];
            if !variable.fixed && variable.kind != Kind::Player && variable.kind != Kind::Function {
                return variable.name.clone();
            }
        }
        self.unique("v")
    }

    fn declare(&mut self, name: &str, kind: Kind) -> &mut Variable {
        self.variables.push(Variable { name: name.to_owned(), kind, fixed: false, filled: false, level: self.level });
        let last = self.variables.len() - 1;
        &mut self.variables[last]
    }

    /// The places of the variables that can be named, the last declared first.
    fn visible(&self) -> Vec<usize> {
        let mut seen: Vec<&str> = Vec::new();
        let mut found = Vec::new();
        for (at, variable) in self.variables.iter().enumerate().rev() {
            if seen.contains(&variable.name.as_str()) {
                continue;
            }
            seen.push(&variable.name);
            // A closure has a `this` of its own.
            if variable.name != "this" || variable.level == self.level {
                found.push(at);
            }
        }
        found
    }

    /// A variable of a kind.
    fn variable(&mut self, kind: Kind, fits: impl Fn(&Variable) -> bool) -> Option<usize> {
        let mut found = self.visible();
        found.retain(|at| {
            let variable = &self.variables[*at];
            (variable.kind == kind || kind == Kind::Any) && fits(variable)
        });
        if found.is_empty() { None } else { Some(self.pick(&found)) }
    }

    /// Something in a scope of its own.
    fn scoped<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        let outside = self.variables.len();
        let done = work(self);
        self.variables.truncate(outside);
        done
    }

    /// Something that is run so many times as often as what is around it.
    fn repeated<T>(&mut self, times: u64, work: impl FnOnce(&mut Self) -> T) -> T {
        let rounds = self.rounds;
        self.rounds = rounds.saturating_mul(times);
        let done = self.scoped(work);
        self.rounds = rounds;
        done
    }

    /// An expression.
    fn expression(&mut self, kind: Kind, depth: usize) -> String {
        self.cost += self.rounds;
        if depth == 0 || self.cost > BUDGET || self.bytes.as_slice().is_empty() {
            return self.plain(kind);
        }
        match self.below(16) {
            0..=3 => self.plain(kind),
            4 | 5 => self.call(kind, depth).unwrap_or_else(|| self.plain(kind)),
            6 => self.branch(kind, depth),
            _ => self.form(kind, depth),
        }
    }

    /// A variable or a literal.
    fn plain(&mut self, kind: Kind) -> String {
        if self.below(4) < 3
            && let Some(at) = self.variable(kind, |_| true)
        {
            return self.variables[at].name.clone();
        }
        self.literal(kind)
    }

    fn literal(&mut self, kind: Kind) -> String {
        match kind {
            Kind::Number if self.one_in(6) => format!("(-{})", 1 + self.below(9)),
            Kind::Number => self.below(10).to_string(),
            Kind::Truth => self.pick(&["true", "false"]).to_owned(),
            Kind::Text => self.pick(&["\"a\"", "\"one\"", "\"\"", "\"a,b c\"", "\"Ab\"", "\"é1\""]).to_owned(),
            Kind::Letter => self.pick(&["'a'", "'b'", "'x'", "'é'"]).to_owned(),
            Kind::Numbers => {
                let count = self.below(4);
                let numbers: Vec<String> = (0..count).map(|_| self.below(10).to_string()).collect();
                format!("[{}]", numbers.join(", "))
            }
            Kind::Texts if self.level == 0 && self.one_in(4) => "NAMES".to_owned(),
            Kind::Texts => self.pick(&["[\"a\"]", "[\"one\", \"a\"]", "[]"]).to_owned(),
            Kind::Grid => self.pick(&["[[1]]", "[[1, 2], [3]]", "[]", "[[], [4, 5, 6]]"]).to_owned(),
            Kind::Record => {
                let (a, c) = (self.below(10), self.literal(Kind::Numbers));
                format!("#{{ a: {a}, b: \"t\", c: {c}, d: #{{ a: 1, c: [2] }} }}")
            }
            Kind::Records => {
                let one = self.literal(Kind::Record);
                format!("[{one}]")
            }
            Kind::Player => self.pick(&["red", "blue"]).to_owned(),
            Kind::Cell => format!("nth({})", 1 + self.below(9)),
            Kind::Cells => self.pick(&["all_cells()", "no_cells()", "edge()"]).to_owned(),
            Kind::Dirs => self.pick(&["touched(edge())", "only(edge(), 1)", "seen(occupied())"]).to_owned(),
            Kind::Function => self.pick(&["twice", "Fn(\"twice\")", "|x| x + 1"]).to_owned(),
            Kind::Any => self.pick(&["()", "1", "\"any\"", "[]", "true", "'a'", "(0..3)", "(1..=2)"]).to_owned(),
        }
    }

    /// A list literal with at least one element, or any other value of a kind.
    fn filled(&mut self, kind: Kind, depth: usize) -> String {
        let form = match kind {
            Kind::Numbers => self.pick(&["[$n]", "[$n, $n]", "[$n, $n, $n]"]),
            Kind::Texts => self.pick(&["[$t]", "[$t, $t]"]),
            Kind::Grid => self.pick(&["[$l]", "[$l, $l]", "[[$n], $l]"]),
            Kind::Records => self.pick(&["[$m]", "[$m, $m]"]),
            Kind::Record => "#{ a: $n, b: $t, c: $l, d: #{ a: $n, c: [$n] } }",
            _ => return self.expression(kind, depth),
        };
        self.fill(form, depth).unwrap_or_else(|| self.literal(kind))
    }

    /// A form of this kind with its holes filled.
    fn form(&mut self, kind: Kind, depth: usize) -> String {
        if kind == Kind::Any {
            let kind = self.pick(&ANY);
            return self.expression(kind, depth - 1);
        }
        let all = forms::of(kind);
        for _ in 0..3 {
            let form = self.pick(all);
            if let Some(filled) = self.fill(form, depth) {
                // A condition must not begin with a brace.
                return if filled.starts_with('{') { format!("({filled})") } else { filled };
            }
        }
        self.plain(kind)
    }

    /// Fill the holes of a form. Nothing where it needs a variable that is not there.
    fn fill(&mut self, form: &str, depth: usize) -> Option<String> {
        // Closures may not use the constants of a script.
        if self.level > 0 && ["LIMIT", "NAMES", "VALUES"].iter().any(|name| form.contains(name)) {
            return None;
        }
        let closure = ["|x", "|sum", "(|| this", "if_made("].iter().any(|begin| form.contains(begin));
        self.level += usize::from(closure);
        let filled = self.filled_form(form, depth);
        self.level -= usize::from(closure);
        filled
    }

    fn filled_form(&mut self, form: &str, depth: usize) -> Option<String> {
        let mut filled = String::new();
        let mut rest = form;
        // The variable that was named last.
        let mut same = String::new();
        while let Some((before, behind)) = rest.split_once('$') {
            filled.push_str(before);
            if behind.starts_with('{') {
                filled.push('$');
                rest = behind;
                continue;
            }
            let end = behind.find(|letter: char| !letter.is_ascii_lowercase()).unwrap_or(behind.len());
            let (hole, behind) = behind.split_at(end);
            if hole == "same" {
                filled.push_str(&same);
            } else if let Some(kind) = hole.get(1..).and_then(Kind::of).filter(|_| "vuwy".contains(&hole[..1])) {
                let (write, filled_list) = (hole.starts_with(['v', 'u', 'y']), hole.starts_with(['w', 'y']));
                let at =
                    self.variable(kind, |variable| !(write && variable.fixed || filled_list && !variable.filled))?;
                self.variables[at].filled &= !hole.starts_with('u');
                same.clone_from(&self.variables[at].name);
                filled.push_str(&same);
            } else {
                filled.push_str(&self.hole(hole, depth.saturating_sub(1))?);
            }
            rest = behind;
        }
        filled.push_str(rest);
        Some(filled)
    }

    fn hole(&mut self, hole: &str, depth: usize) -> Option<String> {
        if let Some(kind) = Kind::of(hole) {
            return Some(self.expression(kind, depth));
        }
        Some(match hole {
            "i" => self.below(6).to_string(),
            "d" => (1 + self.below(9)).to_string(),
            "tl" => self.literal(Kind::Text),
            "f" => self.closure(&[Kind::Number], Kind::Number, depth),
            "fb" => self.closure(&[Kind::Number], Kind::Truth, depth),
            "ft" => self.closure(&[Kind::Number], Kind::Text, depth),
            "fl" => self.closure(&[Kind::Number], Kind::Numbers, depth),
            "fr" => self.closure(&[Kind::Number, Kind::Number], Kind::Number, depth),
            "fg" => self.closure(&[Kind::Numbers], Kind::Number, depth),
            "fs" => self.closure(&[Kind::Text], Kind::Truth, depth),
            "fm" => self.closure(&[Kind::Record], Kind::Number, depth),
            "roll" if self.asks && self.level == 0 => "roll()".to_owned(),
            "choose" if self.asks && self.level == 0 => {
                let most = 1 + self.below(4);
                let who = self.pick(&["red", "blue"]);
                if self.one_in(5) {
                    return Some(format!("sum(choose_all(players(), \"pick\", |x| 0..={most}))"));
                }
                format!("choose({who}, \"pick\", 0..={most})")
            }
            "walk" if self.asks && self.level == 0 => "choose(red, \"walk\", edge())".to_owned(),
            "may" if self.asks && self.level == 0 => {
                "[choose(red, \"pick\", [may(\"pick\", 1), may(\"walk\", nth(2))]).verb][0]".to_owned()
            }
            _ => return None,
        })
    }

    /// A closure; what it takes from the variables around it, it captures.
    fn closure(&mut self, parameters: &[Kind], result: Kind, depth: usize) -> String {
        let (before, loops) = (std::mem::replace(&mut self.result, result), std::mem::take(&mut self.loops));
        self.level += 1;
        let written = self.repeated(TIMES, |writer| {
            let mut names = Vec::new();
            for kind in parameters {
                let name = writer.unique("x");
                writer.declare(&name, *kind);
                names.push(name);
            }
            let body = if writer.one_in(4) { writer.block(result, depth) } else { writer.expression(result, depth) };
            format!("|{}| {body}", names.join(", "))
        });
        self.level -= 1;
        (self.result, self.loops) = (before, loops);
        written
    }

    /// A block in one line that has a value.
    fn block(&mut self, kind: Kind, depth: usize) -> String {
        if self.inline > 1 {
            return format!("{{ {} }}", self.plain(kind));
        }
        self.inline += 1;
        let block = self.block_of(kind, depth);
        self.inline -= 1;
        block
    }

    fn block_of(&mut self, kind: Kind, depth: usize) -> String {
        self.scoped(|writer| {
            let lines = std::mem::take(&mut writer.lines);
            let indent = std::mem::take(&mut writer.indent);
            for _ in 0..=writer.below(2) {
                writer.small();
            }
            let value = writer.expression(kind, depth.saturating_sub(1));
            let inside = std::mem::replace(&mut writer.lines, lines);
            writer.indent = indent;
            format!("{{ {} {value} }}", inside.join(" "))
        })
    }

    /// An expression that takes one of several ways.
    fn branch(&mut self, kind: Kind, depth: usize) -> String {
        let mut value = || self.expression(kind, depth - 1);
        let (one, other) = (value(), value());
        match self.below(8) {
            0 => format!("(if {} {{ {one} }} else {{ {other} }})", self.expression(Kind::Truth, depth - 1)),
            1 => {
                let (first, second) = (self.expression(Kind::Truth, depth - 1), self.expression(Kind::Truth, 0));
                let last = self.plain(kind);
                format!("(if {first} {{ {one} }} else if {second} {{ {other} }} else {{ {last} }})")
            }
            2 => {
                let of = self.expression(Kind::Number, depth - 1);
                let last = self.plain(kind);
                settled(&format!(
                    "switch {of} % 5 {{ 0 => {one}, 1 | 3 => {other}, 2..=4 => {{ {last} }}, _ => {one} }}"
                ))
            }
            3 => {
                let (of, when) = (self.expression(Kind::Text, depth - 1), self.expression(Kind::Truth, 0));
                settled(&format!("switch {of} {{ \"a\" | \"one\" if {when} => {one}, \"\" => {other}, _ => {one} }}"))
            }
            4 => format!("([{one}, ()][{}] ?? {other})", self.below(2)),
            5 => {
                let when = self.expression(Kind::Truth, depth - 1);
                settled(&format!("loop {{ if {when} {{ break {one}; }} break {other}; }}"))
            }
            6 => format!("[{one}, {other}][{}]", self.pick(&["0", "1", "-1", "-2"])),
            _ => format!("({})", self.block(kind, depth)),
        }
    }

    /// A call of a function that was written before.
    fn call(&mut self, kind: Kind, depth: usize) -> Option<String> {
        let asks = self.asks && self.level == 0;
        let left = BUDGET.saturating_sub(self.cost) / self.rounds.max(1);
        let fits = |function: &Function| {
            (function.result == kind || kind == Kind::Any) && (asks || !function.asks) && function.cost <= left
        };
        let found: Vec<usize> = (0..self.functions.len()).filter(|at| fits(&self.functions[*at])).collect();
        if found.is_empty() {
            return None;
        }
        let at = self.pick(&found);
        let Function { name, this, parameters, cost, asks: asking, .. } = &self.functions[at];
        let (name, this, parameters, asking) = (name.clone(), *this, parameters.clone(), *asking);
        self.cost += self.rounds * cost;
        let object = match this {
            None => String::new(),
            Some(kind) => {
                // Where the object stands: in a variable, or in something else that then changes there.
                let places: &[&str] = match kind {
                    Kind::Number => &["$vn", "$vm.a", "$yl[0]", "$yr[0].d.a", "$vn"],
                    Kind::Numbers => &["$ul", "$vm.c", "$yg[-1]", "$yr[0].d.c", "$ul"],
                    Kind::Text => &["$vt", "$vm.b", "$ys[0]"],
                    Kind::Record => &["$vm", "$yr[-1]"],
                    _ => &["$ug"],
                };
                let place = self.pick(places);
                let object = self.fill(place, 1).unwrap_or_else(|| self.filled(kind, depth - 1));
                format!("{object}.")
            }
        };
        let recursive = name.starts_with("down");
        let mut values = Vec::new();
        for (place, kind) in parameters.iter().enumerate() {
            values.push(match (recursive && place == 0, kind) {
                // So often a recursive function calls itself.
                (true, _) if self.one_in(10) => (20 + self.below(16)).to_string(),
                (true, _) => self.below(5).to_string(),
                (_, Kind::Function) => match self.below(3) {
                    0 => self.plain(Kind::Function),
                    _ => self.closure(&[Kind::Number], Kind::Number, depth - 1),
                },
                (_, kind) => self.expression(*kind, depth - 1),
            });
        }
        let values = values.join(", ");
        Some(match (this, self.below(8)) {
            (None, 6) if !asking => format!("Fn(\"{name}\").call({values})"),
            (None, 7) if !asking && !values.is_empty() && parameters.len() > 1 => {
                // The first value must not hold a comma of its own.
                let first = self.plain(parameters[0]);
                let first = if recursive { "2".to_owned() } else { first };
                let rest: Vec<String> = parameters[1..].iter().map(|kind| self.plain(*kind)).collect();
                format!("Fn(\"{name}\").curry({first}).call({})", rest.join(", "))
            }
            _ => format!("{object}{name}({values})"),
        })
    }
}

/// A `switch` or a `loop` as a value. Rhai panics where one of them gives a captured variable to a native that calls a
/// closure, such as `map`, so that the value goes through a variable.
fn settled(value: &str) -> String {
    format!("({{ let q = {value}; q }})")
}

/// The kinds that a value of any kind has.
const ANY: [Kind; 12] = [
    Kind::Number,
    Kind::Text,
    Kind::Numbers,
    Kind::Truth,
    Kind::Record,
    Kind::Letter,
    Kind::Texts,
    Kind::Grid,
    Kind::Player,
    Kind::Cell,
    Kind::Cells,
    Kind::Dirs,
];
