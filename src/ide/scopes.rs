//! Which words of a script are its variables and parameters, and where a declaration stands.

use std::ops::Range;

use crate::rules::{ScriptToken, ScriptTokenKind, tokens};
use crate::source::Span;

/// What a token is, beside its kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Role {
    /// A token that may be a name of the game.
    #[default]
    Other,
    /// A variable, a parameter, or the key of a map.
    Own,
    /// The name of a function or of a constant, where the script declares it.
    Declared {
        /// Whether only this script has it.
        is_private: bool,
    },
}

/// A block, brackets, or a closure without a block.
struct Frame<'t> {
    opened: Opened,
    /// The variables that are declared in it so far.
    names: Vec<&'t str>,
    /// The variables whose declaration is not over: they are visible after it.
    coming: Vec<&'t str>,
    /// The variables of the block that comes next: those of a loop, of a function, of `catch`.
    of_block: Vec<&'t str>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Opened {
    Block,
    Map,
    Bracket,
    Closure,
}

/// Returns the tokens of a script, also those within strings in backquotes, each with its role.
pub(super) fn roles(text: &str) -> Vec<(ScriptToken, Role)> {
    let found = with_inner(text, tokens(text));
    let mut reader = Reader { text, found: &found, frames: vec![Frame::new(Opened::Block)], parameters: 0..0 };
    let roles: Vec<Role> = (0..found.len()).map(|at| reader.role(at)).collect();
    found.iter().copied().zip(roles).collect()
}

/// Returns these tokens, with those of the expressions in strings in backquotes after each string.
fn with_inner(text: &str, found: Vec<ScriptToken>) -> Vec<ScriptToken> {
    let mut all = Vec::with_capacity(found.len());
    for token in found {
        all.push(token);
        let written = text.get(token.span.range()).unwrap_or_default();
        if token.kind != ScriptTokenKind::Text || !written.starts_with('`') {
            continue;
        }
        let mut from = 0;
        while let Some(opens) = written.get(from..).and_then(|rest| rest.find("${")) {
            let start = from + opens + 1;
            let inner = written.get(start..).unwrap_or_default();
            let end = block_end(inner);
            let at = token.span.start + Span::new(0..start).end;
            let moved = |one: ScriptToken| ScriptToken {
                span: Span { start: at + one.span.start, end: at + one.span.end },
                ..one
            };
            all.extend(tokens(inner.get(..end).unwrap_or_default()).into_iter().map(moved));
            from = start + end.max(1);
        }
    }
    all
}

/// Returns the length of the block with which a text begins.
fn block_end(text: &str) -> usize {
    let mut depth = 0_usize;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' if depth <= 1 => return at + 1,
            b'}' => depth -= 1,
            _ => {}
        }
    }
    text.len()
}

impl Frame<'_> {
    const fn new(opened: Opened) -> Self {
        Self { opened, names: Vec::new(), coming: Vec::new(), of_block: Vec::new() }
    }
}

struct Reader<'t> {
    text: &'t str,
    found: &'t [ScriptToken],
    frames: Vec<Frame<'t>>,
    /// The parameters that were read last.
    parameters: Range<usize>,
}

impl<'t> Reader<'t> {
    fn slice(&self, at: usize) -> &'t str {
        self.found.get(at).and_then(|token| self.text.get(token.span.range())).unwrap_or_default()
    }

    fn before(&self, at: usize, count: usize) -> &'t str {
        at.checked_sub(count).map_or("", |at| self.slice(at))
    }

    fn top(&mut self) -> Option<&mut Frame<'t>> {
        self.frames.last_mut()
    }

    /// Returns the role of a token; those before it have been read.
    fn role(&mut self, at: usize) -> Role {
        let Some(token) = self.found.get(at) else { return Role::Other };
        let word = self.slice(at);
        match token.kind {
            ScriptTokenKind::Sign => self.sign(at, word, token.of_closure),
            ScriptTokenKind::Word => return self.word(at, word),
            ScriptTokenKind::Number | ScriptTokenKind::Text => {}
        }
        Role::Other
    }

    fn word(&mut self, at: usize, word: &'t str) -> Role {
        let before = self.before(at, 1);
        let is_top = self.frames.len() == 1;
        match before {
            _ if self.parameters.contains(&at) && word != "in" => return Role::Own,
            "." | "?." => return Role::Other,
            "fn" => return Role::Declared { is_private: self.before(at, 2) == "private" },
            "const" if is_top => return Role::Declared { is_private: false },
            "let" | "const" => return Role::Own,
            _ => {}
        }
        let is_map = self.frames.last().is_some_and(|frame| frame.opened == Opened::Map);
        if is_map && self.slice(at + 1) == ":" && matches!(before, "#{" | ",") {
            return Role::Own;
        }
        let in_brackets = self.slice(at + 1) == "(";
        match word {
            "fn" => self.declare(at + 3, ")"),
            "for" | "catch" if in_brackets => self.declare(at + 2, ")"),
            "for" => self.declare(at + 1, "in"),
            "let" | "const" if !is_top || word == "let" => {
                let name = self.slice(at + 1);
                self.top().into_iter().for_each(|frame| frame.coming.push(name));
            }
            _ => {}
        }
        let is_visible = !in_brackets && self.frames.iter().any(|frame| frame.names.contains(&word));
        if is_visible { Role::Own } else { Role::Other }
    }

    /// Declares the words from a token up to a word for the block that comes next.
    fn declare(&mut self, from: usize, end: &str) {
        let names = self.names(from, end);
        self.top().into_iter().for_each(|frame| frame.of_block.clone_from(&names));
    }

    /// Returns the words from a token up to a word, and takes them for parameters.
    fn names(&mut self, from: usize, end: &str) -> Vec<&'t str> {
        let last = (from..self.found.len()).find(|at| self.slice(*at) == end).unwrap_or(self.found.len());
        self.parameters = from..last;
        (from..last).map(|at| self.slice(at)).filter(|word| *word != ",").collect()
    }

    fn sign(&mut self, at: usize, sign: &str, of_closure: bool) {
        if self.parameters.contains(&at) {
            return;
        }
        if matches!(sign, "," | ")" | "]" | "}" | ";") {
            while self.frames.last().is_some_and(|frame| frame.opened == Opened::Closure) {
                self.frames.pop();
            }
        }
        match sign {
            "{" => {
                let names = self.top().map(|frame| std::mem::take(&mut frame.of_block)).unwrap_or_default();
                self.frames.push(Frame { names, ..Frame::new(Opened::Block) });
            }
            "#{" => self.frames.push(Frame::new(Opened::Map)),
            "(" | "[" | "?[" => self.frames.push(Frame::new(Opened::Bracket)),
            ")" | "]" => self.close(|opened| opened == Opened::Bracket),
            "}" => self.close(|opened| opened != Opened::Bracket),
            ";" => self.top().into_iter().for_each(|frame| frame.names.append(&mut frame.coming)),
            // The `|` after the parameters of a closure has been passed.
            "|" if of_closure && self.parameters.end != at => {
                let names = self.names(at + 1, "|");
                if self.slice(self.parameters.end + 1) == "{" {
                    self.top().into_iter().for_each(|frame| frame.of_block.clone_from(&names));
                } else {
                    self.frames.push(Frame { names, ..Frame::new(Opened::Closure) });
                }
            }
            _ => {}
        }
    }

    /// Ends the innermost block or bracket. One without a beginning ends nothing.
    fn close(&mut self, fits: impl Fn(Opened) -> bool) {
        if let Some(at) = self.frames.iter().skip(1).rposition(|frame| fits(frame.opened)) {
            self.frames.truncate(at + 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Role, roles};

    /// Returns the script with `*` before each word that is its own, and `!` before each that it declares.
    fn marked(text: &str) -> String {
        let mut marked = text.to_owned();
        for (token, role) in roles(text).into_iter().rev() {
            let mark = match role {
                Role::Own => "*",
                Role::Declared { is_private: false } => "!",
                Role::Declared { is_private: true } => "?",
                Role::Other => continue,
            };
            marked.insert_str(token.span.range().start, mark);
        }
        marked
    }

    #[test]
    fn variables_are_those_of_their_function_and_block() {
        let marks = [
            "const !far = 2; fn !turn(*me) { go(*me, far) } fn !go(*me, *far) { *far + 1 } fn !end() { far }",
            "fn !f() { far; let *far = far + 1; { *far; let *near = *far; *near } near; *far }",
            "fn !f() { if far > 1 { let *far = 3; *far } else { far } far }",
            "fn !f(*list) { for *far in far..=9 { *far; } far; for (*far, *near) in *list { *far + *near; } near }",
            "fn !f(*list) { *list.map(|*far| *far + near).filter(|*near| { *near > far }) }",
            "fn !f(*list) { *list.reduce(|*far, *near| [*far, *near].len(), far); near | far; far || near }",
            "fn !f(*a) { *a.map(|*x| *x.filter(|*far| *far > *x)); far; x }",
            "fn !f() { try { far } catch (*far) { *far; } far }",
            "private fn ?f(*far) { far(*far, `a ${*far} and ${near + *far}`); owner.far; #{ *far: *far, *near: far(1) } }",
            "fn !f() { const *far = 1; *far } const !near = #{ *far: far }; fn !g() { far }",
            "fn !f() { switch far { 1 => { let *far = 2; *far }, far => far } let *g = || far; *g }",
        ];
        for marks in marks {
            let text: String = marks.chars().filter(|letter| !"*!?".contains(*letter)).collect();
            assert_eq!(marked(&text), marks);
        }
    }

    #[test]
    fn a_script_that_is_cut_off_has_roles_too() {
        let text = "const far = 2; fn go(me, far) { let x = [|y| { y }, `${far}`]; for (a, b) in #{ a: b } { a } } |";
        for end in 0..=text.len() {
            roles(&text[..end]);
            roles(&text[end..]);
        }
    }
}
