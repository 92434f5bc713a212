//! Small changes of a script, one at a time. An example should notice each.

use std::ops::Range;
use std::sync::Arc;

use super::layers::{ScriptToken, ScriptTokenKind, tokens};
use super::{Point, PointKind};
use referee_source::{Position, Source, Span};

/// A script with one small change.
#[derive(Clone, Debug)]
pub struct Mutant {
    /// The unchanged script.
    pub source: Arc<Source>,
    /// The span that is replaced.
    pub span: Span,
    /// The replacement; empty if the span is removed.
    pub new: String,
    /// Where the change begins.
    pub at: Position,
    /// The constant of the script in which it is.
    pub constant: Option<String>,
}

impl Mutant {
    /// Returns the replaced text.
    #[must_use]
    pub fn old(&self) -> &str {
        self.source.slice(self.span)
    }

    /// Returns the changed script.
    #[must_use]
    pub fn changed(&self) -> Source {
        let (text, range) = (self.source.text(), self.span.range());
        let before = text.get(..range.start).unwrap_or_default();
        let after = text.get(range.end..).unwrap_or_default();
        Source::new(self.source.name(), format!("{before}{}{after}", self.new))
    }
}

/// The values of an option: its name and its words.
pub type OptionWords = (String, Vec<String>);

/// Returns all changes of a script, in the order of their places. `points` are the places of the rules whose runs are
/// counted, which say where statements begin.
#[must_use]
pub fn mutants(source: &Arc<Source>, points: &[Point], options: &[OptionWords]) -> Vec<Mutant> {
    let tokens = tokens(source.text());
    let all = Script { source, tokens: &tokens, options };
    let mut found: Vec<(Span, String)> = Vec::new();
    let noting = all.noting();
    for at in (0..tokens.len()).filter(|at| !noting.iter().any(|condition| condition.contains(at))) {
        found.extend(all.operator(at));
        found.extend(all.constant(at));
        found.extend(all.negated(at));
        found.extend(all.player(at));
    }
    for point in points.iter().filter(|point| point.kind == PointKind::Statement && point.source == *source) {
        found.extend(all.dropped(source.offset(point.at.line, point.at.column)).map(|span| (span, String::new())));
    }
    found.sort_by(|one, other| (one.0.start, one.0.end, &one.1).cmp(&(other.0.start, other.0.end, &other.1)));
    found.dedup();
    let constants = all.constants();
    let mutant = |(span, new): (Span, String)| {
        let constant = constants.iter().find(|(_, own)| own.start <= span.start && span.end <= own.end);
        let constant = constant.map(|(name, _)| name.clone());
        Mutant { source: Arc::clone(source), at: source.position(span.start), span, new, constant }
    };
    found.into_iter().map(mutant).collect()
}

/// The operators, each with the one that comes in its place.
const OPERATORS: [(&str, &str); 22] = [
    ("==", "!="),
    ("!=", "=="),
    ("<", "<="),
    ("<=", "<"),
    (">", ">="),
    (">=", ">"),
    ("&&", "||"),
    ("||", "&&"),
    ("+", "-"),
    ("-", "+"),
    ("*", "+"),
    ("/", "*"),
    ("%", "*"),
    ("+=", "-="),
    ("-=", "+="),
    ("*=", "+="),
    ("&", "|"),
    ("|", "&"),
    ("&=", "|="),
    ("|=", "&="),
    ("..", "..="),
    ("..=", ".."),
];

/// The directions of the compass, each with the opposite one, which every board with the first has, too.
const OPPOSITE: [(&str, &str); 8] =
    [("N", "S"), ("NE", "SW"), ("E", "W"), ("SE", "NW"), ("S", "N"), ("SW", "NE"), ("W", "E"), ("NW", "SE")];

/// A script as tokens.
struct Script<'s> {
    source: &'s Arc<Source>,
    tokens: &'s [ScriptToken],
    options: &'s [OptionWords],
}

impl Script<'_> {
    fn text(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |token| self.source.slice(token.span))
    }

    fn kind(&self, at: usize) -> Option<ScriptTokenKind> {
        self.tokens.get(at).map(|token| token.kind)
    }

    /// Returns the conditions, as indices of tokens, that only decide whether clauses are applied: scenarios can claim
    /// that a clause is applied, but not that it is not.
    fn noting(&self) -> Vec<Range<usize>> {
        let condition = |at: usize| {
            let open = self.end_of(at + 1, |text| text == "{")?;
            let mut next = open + 1;
            while self.kind(next + 2) == Some(ScriptTokenKind::Text)
                && [0, 1, 3, 4].map(|more| self.text(next + more)) == ["clause", "(", ")", ";"]
            {
                next += 5;
            }
            let only = next > open + 1 && self.text(next) == "}" && self.text(next + 1) != "else";
            only.then_some(at..open)
        };
        let begins = (0..self.tokens.len()).filter(|at| self.text(*at) == "if");
        begins.filter_map(condition).collect()
    }

    /// Returns the constants outside of all functions, each with its statement.
    fn constants(&self) -> Vec<(String, Span)> {
        let mut constants = Vec::new();
        let mut at = 0;
        while let Some(end) = self.end_of(at, |text| matches!(text, ";" | "{")) {
            if let Some(token) = self.tokens.get(at).filter(|_| self.text(at) == "const" && self.text(end) == ";") {
                let last = self.tokens.get(end).map_or(token.span, |last| last.span);
                constants.push((self.text(at + 1).to_owned(), Span { start: token.span.start, end: last.end }));
            }
            let body = if self.text(end) == "{" { self.end_of(end + 1, |text| text == "}") } else { Some(end) };
            let Some(body) = body else { break };
            at = body + 1;
        }
        constants
    }

    /// Returns an exchanged operator between two values.
    fn operator(&self, at: usize) -> Option<(Span, String)> {
        let token = self.tokens.get(at).filter(|token| token.kind == ScriptTokenKind::Sign)?;
        let (_, new) = OPERATORS.iter().find(|(old, _)| *old == self.text(at))?;
        let follows_value = at > 0
            && match self.kind(at - 1) {
                Some(ScriptTokenKind::Word) => !matches!(self.text(at - 1), "return" | "in" | "if" | "else"),
                Some(ScriptTokenKind::Number | ScriptTokenKind::Text) => true,
                _ => matches!(self.text(at - 1), ")" | "]" | "}"),
            };
        (follows_value && !token.of_closure).then(|| (token.span, (*new).to_owned()))
    }

    /// Returns another number, truth, value of an option or direction.
    fn constant(&self, at: usize) -> Option<(Span, String)> {
        let token = self.tokens.get(at)?;
        let text = self.text(at);
        let new = match token.kind {
            ScriptTokenKind::Number => (text.parse::<i64>().ok()?.checked_add(1)?).to_string(),
            ScriptTokenKind::Word if text == "true" => "false".to_owned(),
            ScriptTokenKind::Word if text == "false" => "true".to_owned(),
            ScriptTokenKind::Text => {
                let inner = text.strip_prefix('"')?.strip_suffix('"')?;
                let word = self.other_value(at, inner).or_else(|| {
                    OPPOSITE.iter().find(|(name, _)| *name == inner).map(|(_, opposite)| (*opposite).to_owned())
                })?;
                format!("\"{word}\"")
            }
            _ => return None,
        };
        Some((token.span, new))
    }

    /// Returns the next value of the option with which the value at this token is compared. With two values that is
    /// the same as the opposite comparison.
    fn other_value(&self, at: usize, value: &str) -> Option<String> {
        let start = at.checked_sub(5)?;
        let [option, open, name, close, sign] = [0, 1, 2, 3, 4].map(|more| self.text(start + more));
        if option != "option" || open != "(" || close != ")" || !matches!(sign, "==" | "!=") {
            return None;
        }
        let (_, words) = self.options.iter().find(|(own, _)| *own == name.trim_matches('"'))?;
        let place = words.iter().position(|word| word == value).filter(|_| words.len() > 2)?;
        words.get((place + 1) % words.len()).cloned()
    }

    /// Returns the condition of an `if` or `while`, negated.
    fn negated(&self, at: usize) -> Option<(Span, String)> {
        if !matches!(self.text(at), "if" | "while") || self.kind(at) != Some(ScriptTokenKind::Word) {
            return None;
        }
        let end = self.end_of(at + 1, |text| text == "{")?;
        let (first, last) = (self.tokens.get(at + 1)?, self.tokens.get(end.checked_sub(1)?)?);
        let span = Span { start: first.span.start, end: last.span.end };
        Some((span, format!("!({})", self.source.slice(span))))
    }

    /// Returns `me` in place of `after(me)`.
    fn player(&self, at: usize) -> Option<(Span, String)> {
        let [after, open, who, close] = [0, 1, 2, 3].map(|more| self.text(at + more));
        let plain = self.kind(at + 2) == Some(ScriptTokenKind::Word);
        if after != "after" || open != "(" || close != ")" || !plain || at > 0 && self.text(at - 1) == "fn" {
            return None;
        }
        let (first, last) = (self.tokens.get(at)?, self.tokens.get(at + 3)?);
        Some((Span { start: first.span.start, end: last.span.end }, who.to_owned()))
    }

    /// Returns the statement that begins at a byte, if the script may do without it: not the declaration of a variable.
    fn dropped(&self, start: u32) -> Option<Span> {
        let at = self.tokens.iter().position(|token| token.span.start == start)?;
        let last = match self.text(at) {
            "let" | "const" => return None,
            // A block without a value has this one.
            "(" if self.text(at + 1) == ")" && self.text(at + 2) == "}" => return None,
            "if" | "for" | "while" | "loop" | "switch" | "do" | "try" => {
                let mut end = self.block_end(at)?;
                while matches!(self.text(end + 1), "else" | "catch") {
                    end = self.block_end(end + 2)?;
                }
                end
            }
            _ => {
                let end = self.end_of(at, |text| text == ";" || text == "}")?;
                // Without `;` it is the value of its block.
                if self.text(end) == ";" { end } else { end.checked_sub(1)? }
            }
        };
        Some(Span { start, end: self.tokens.get(last)?.span.end })
    }

    /// Returns the token that closes the first block after a token.
    fn block_end(&self, at: usize) -> Option<usize> {
        let open = self.end_of(at, |text| text == "{")?;
        self.end_of(open + 1, |text| text == "}")
    }

    /// Returns the first token from `at` on that ends something, outside of all brackets that open after `at`. Brackets
    /// that end it are found before they open or close.
    fn end_of(&self, at: usize, ends: impl Fn(&str) -> bool) -> Option<usize> {
        let mut depth = 0_usize;
        for at in at..self.tokens.len() {
            let text = if self.kind(at) == Some(ScriptTokenKind::Sign) { self.text(at) } else { "" };
            if depth == 0 && ends(text) {
                return Some(at);
            }
            match text {
                "(" | "[" | "{" | "#{" => depth += 1,
                ")" | "]" | "}" => depth = depth.checked_sub(1)?,
                _ => {}
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{OptionWords, mutants};
    use crate::{Point, PointKind};
    use referee_source::Source;

    /// Returns each change as `old -> new`; statements begin at these texts.
    fn changes(text: &str, statements: &[&str], options: &[OptionWords]) -> Vec<String> {
        let source = Arc::new(Source::new("x", text));
        let point = |statement: &&str| {
            let at = text.find(*statement).and_then(|at| u32::try_from(at).ok());
            assert!(at.is_some(), "{statement}");
            let at = source.position(at.unwrap_or_default());
            Point { source: Arc::clone(&source), at, kind: PointKind::Statement }
        };
        let points: Vec<Point> = statements.iter().map(point).collect();
        let found = mutants(&source, &points, options);
        found.iter().map(|mutant| format!("{} -> {}", mutant.old(), mutant.new)).collect()
    }

    #[test]
    fn operators_numbers_and_conditions_are_changed() {
        let text = "fn f(a) {\n    if a > 3 && b() { return -1; }\n    c(\"> 3\"); // a > 3\n    a + 1\n}\n";
        let found = changes(text, &["if a", "return", "c(", "a + 1"], &[]);
        let wanted = [
            "if a > 3 && b() { return -1; } -> ",
            "a > 3 && b() -> !(a > 3 && b())",
            "> -> >=",
            "3 -> 4",
            "&& -> ||",
            "return -1; -> ",
            "1 -> 2",
            "c(\"> 3\"); -> ",
            "a + 1 -> ",
            "+ -> -",
            "1 -> 2",
        ];
        assert_eq!(found, wanted);
    }

    #[test]
    fn a_bar_of_a_closure_is_no_operator() {
        let text = "fn f(a) { a.filter(|x| x | y).map(|x, y| after(x)) }";
        assert_eq!(changes(text, &[], &[]), ["| -> &", "after(x) -> x"]);
    }

    #[test]
    fn options_and_directions_take_other_values() {
        let options = vec![
            ("two".to_owned(), vec!["p".to_owned(), "q".to_owned()]),
            ("three".to_owned(), vec!["p".to_owned(), "q".to_owned(), "r".to_owned()]),
        ];
        let text = "fn f() { option(\"two\") == \"p\"; option(\"three\") != \"r\"; step(x, \"NE\"); #{ a: true } }";
        let found = changes(text, &[], &options);
        assert_eq!(found, ["== -> !=", "!= -> ==", "\"r\" -> \"p\"", "\"NE\" -> \"SW\"", "true -> false"]);
    }

    #[test]
    fn a_statement_ends_after_all_its_branches() {
        let text = "fn f() {\n    if a { b; } else if c { d; } else { e; }\n    g(#{ h: 1 })\n}\nfn i() { j; () }\n";
        let found = changes(text, &["if a", "if c", "g(", "() }"], &[]);
        assert!(!found.contains(&"() -> ".to_owned()), "{found:?}");
        assert!(found.contains(&"if a { b; } else if c { d; } else { e; } -> ".to_owned()), "{found:?}");
        assert!(found.contains(&"if c { d; } else { e; } -> ".to_owned()), "{found:?}");
        assert!(found.contains(&"g(#{ h: 1 }) -> ".to_owned()), "{found:?}");
    }

    #[test]
    fn a_condition_of_clauses_alone_is_left() {
        let text = "fn f(a) { if a > 1 { clause(\"C1\"); } if a > 2 { clause(\"C1\"); b(); } \
                    if a > 3 { clause(\"C1\"); } else { b(); } }";
        let found = changes(text, &["if a > 1", "clause"], &[]);
        let wanted = [
            "if a > 1 { clause(\"C1\"); } -> ",
            "clause(\"C1\"); -> ",
            "a > 2 -> !(a > 2)",
            "> -> >=",
            "2 -> 3",
            "a > 3 -> !(a > 3)",
            "> -> >=",
            "3 -> 4",
        ];
        assert_eq!(found, wanted);
    }

    #[test]
    fn a_change_in_a_constant_names_it() {
        let text = "const A = [\n    1,\n    #{ b: 2 },\n];\nfn f() { const C = 3; A[4] }\nconst D = 5;\n";
        let source = Arc::new(Source::new("x", text));
        let found = mutants(&source, &[], &[]);
        let found: Vec<_> = found.iter().map(|mutant| (mutant.old(), mutant.constant.as_deref())).collect();
        assert_eq!(found, [("1", Some("A")), ("2", Some("A")), ("3", None), ("4", None), ("5", Some("D"))]);
    }

    #[test]
    fn the_changed_script_differs_only_there() {
        let source = Arc::new(Source::new("x", "fn f() { 1 + 2 }"));
        let found = mutants(&source, &[], &[]);
        let texts: Vec<String> = found.iter().map(|mutant| mutant.changed().text().to_owned()).collect();
        assert_eq!(texts, ["fn f() { 2 + 2 }", "fn f() { 1 - 2 }", "fn f() { 1 + 3 }"]);
    }
}
