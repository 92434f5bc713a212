//! Reads what can be read of a script with syntax errors: an editor asks about it while it is written.
//!
//! Each function and constant is read alone. In one that cannot be read, the statement with the error is left out, and
//! then the next, until the rest can be read.

use rhai::{AST, ParseError};

use super::items::{Item, items};
use super::texts::Text;
use super::tokens::ScriptTokenKind;
use referee_source::Span;

/// How many statements of a function are left out one after the other, before its whole body is.
const ROUNDS: usize = 8;

/// How many bytes are read for one script, all tries together. What comes after is left out.
const MOST_READ: usize = 16_000_000;

/// The words with which a statement begins.
const BEGINNINGS: [&str; 12] =
    ["let", "const", "if", "for", "while", "loop", "do", "switch", "return", "break", "continue", "throw"];

/// What could be read of a script.
pub(crate) struct Mended {
    /// Each function and constant that could be read.
    pub(crate) read: Vec<AST>,
    /// The parts that were left out.
    pub(crate) left_out: Vec<Span>,
}

/// Reads what can be read of a script.
pub(super) fn mended(text: &Text, parse: &dyn Fn(&str) -> Result<AST, ParseError>) -> Mended {
    let mut mended = Mended { read: Vec::new(), left_out: Vec::new() };
    let mut room = MOST_READ;
    for item in items(text.source(), text.tokens()) {
        let mut mender = Mender { text, item: &item, holes: Vec::new() };
        let ast = (0..=ROUNDS).find_map(|round| {
            let written = mender.written();
            room = room.checked_sub(written.len())?;
            match parse(&written) {
                Ok(ast) => Some(ast),
                Err(error) => {
                    let is_last = round + 1 >= ROUNDS;
                    mender.leave_out(&error, is_last);
                    None
                }
            }
        });
        if ast.is_none() {
            mender.holes = vec![Hole { span: item.whole, instead: "" }];
        }
        mended.read.extend(ast);
        mended.left_out.extend(mender.holes.iter().map(|hole| hole.span));
    }
    mended
}

/// Returns a script that is cut off at a byte, with a word there, so that it can be read: several tries, the most likely
/// first. The word stands for what is being written.
pub(crate) fn cut_off(text: &Text, from: u32, at: u32, word: &str) -> Vec<String> {
    let source = text.source();
    let begun = source.slice(Span { start: from, end: at });
    let open = joined("", text, (from, at), true);
    let (within, blocks) = open.split_at(open.find('}').unwrap_or(open.len()));
    let head = before(text, from);
    let closings = [
        format!("{within}{blocks}"),
        format!("{within} {{}} {blocks}"),
        format!("{within};{blocks}"),
        // A case of a `switch`.
        format!("{within} => (){blocks}"),
    ];
    closings.into_iter().map(|closing| format!("{head}{begun}{word}{closing}")).collect()
}

/// Returns lines and spaces after which a byte has the engine's position that it has in the text.
pub(crate) fn before(text: &Text, byte: u32) -> String {
    let at = text.position(byte);
    let (line, column) = (at.line().unwrap_or(1), at.position().unwrap_or(1));
    format!("{}{}", "\n".repeat(line - 1), " ".repeat(column - 1))
}

/// A part that is left out, and what is read instead.
struct Hole {
    span: Span,
    instead: &'static str,
}

/// Reads one function or constant.
struct Mender<'m> {
    text: &'m Text,
    item: &'m Item,
    holes: Vec<Hole>,
}

impl Mender<'_> {
    /// Returns the text of the item without the parts that are left out, and with all brackets closed. All that is left has
    /// its position.
    fn written(&self) -> String {
        let whole = self.item.whole;
        let mut written = before(self.text, whole.start);
        let base = whole.range().start;
        let mut instead = String::new();
        for (at, letter) in self.text.source().slice(whole).char_indices() {
            let at = Span::new(0..base + at).end;
            match self.holes.iter().find(|hole| hole.span.start <= at && at < hole.span.end) {
                Some(hole) => {
                    if hole.span.start == at {
                        hole.instead.clone_into(&mut instead);
                    }
                    let blank = if letter == '\n' { '\n' } else { ' ' };
                    let next = if instead.is_empty() || blank == '\n' { blank } else { instead.remove(0) };
                    written.push(next);
                }
                None => written.push(letter),
            }
        }
        written.push_str(&self.open_brackets());
        written
    }

    /// Returns the brackets that are missing at the end.
    fn open_brackets(&self) -> String {
        let mut at = self.item.whole.start;
        let mut open = String::new();
        let mut holes: Vec<Span> = self.holes.iter().map(|hole| hole.span).collect();
        holes.sort();
        // The brackets in what is left out do not count, and those around it go on after it.
        let mut rest = Vec::new();
        for hole in holes {
            rest.push((at, hole.start));
            at = at.max(hole.end);
        }
        rest.push((at, self.item.whole.end));
        for (from, to) in rest {
            open = joined(&open, self.text, (from, to), false);
        }
        open
    }

    /// Leaves out the statement with an error; with `all`, the whole body.
    fn leave_out(&mut self, error: &ParseError, all: bool) {
        let tokens = self.text.tokens();
        let first = tokens.from(self.item.whole.start);
        let last = tokens.from(self.item.whole.end).saturating_sub(1);
        let body = (first..=last).find(|at| self.text.slice(*at) == "{" && tokens.get(*at).is_some());
        let Some(body) = body.filter(|_| self.item.params.is_some()) else { return };
        let wrong = self.text.byte(error.position()).unwrap_or(u32::MAX);
        let wrong = tokens.from(wrong).clamp(first, last);
        let hole = if all || wrong <= body { None } else { self.statement(body, wrong, last) };
        let is_new = |hole: &Hole| {
            hole.span.start < hole.span.end
                && !self.holes.iter().any(|old| old.span.start <= hole.span.start && hole.span.end <= old.span.end)
        };
        match hole.filter(is_new) {
            Some(hole) => {
                self.holes.retain(|old| old.span.end <= hole.span.start || hole.span.end <= old.span.start);
                self.holes.push(hole);
            }
            None => {
                let start = tokens.get(body).map_or(self.item.whole.start, |brace| brace.span.end);
                let closes = tokens.partner(body).and_then(|closes| tokens.get(closes));
                let end = closes.map_or(self.item.whole.end, |brace| brace.span.start);
                self.holes = vec![Hole { span: Span { start, end }, instead: "" }];
            }
        }
    }

    /// Returns the statement with a token: up to its end, or up to its block, which then is a block of its own.
    fn statement(&self, body: usize, wrong: usize, last: usize) -> Option<Hole> {
        let tokens = self.text.tokens();
        let slice = |at: usize| self.text.slice(at);
        // The blocks and brackets around the token, and where the present statement of each block began.
        let mut open: Vec<(usize, usize)> = Vec::new();
        for at in body..wrong {
            let block = |open: &mut Vec<(usize, usize)>| {
                open.last_mut()
                    .filter(|(opens, _)| slice(*opens) == "{")
                    .into_iter()
                    .for_each(|(_, begun)| *begun = at + 1);
            };
            match slice(at) {
                "{" | "#{" | "(" | "[" | "?[" => open.push((at, at + 1)),
                closing @ (")" | "]" | "}") => {
                    let fits = |(opens, _): &(usize, usize)| match closing {
                        ")" => slice(*opens) == "(",
                        "]" => matches!(slice(*opens), "[" | "?["),
                        _ => matches!(slice(*opens), "{" | "#{"),
                    };
                    if let Some(found) = open.iter().rposition(fits) {
                        let was_block = open.get(found).is_some_and(|(opens, _)| slice(*opens) == "{");
                        open.truncate(found);
                        if was_block && !self.goes_on(at + 1) {
                            block(&mut open);
                        }
                    }
                }
                ";" => block(&mut open),
                _ => {}
            }
        }
        let (_, begun) = *open.iter().rfind(|(opens, _)| slice(*opens) == "{")?;
        let begins = |at: usize| self.begins_line(at) && BEGINNINGS.contains(&slice(at));
        let mut end = wrong;
        if wrong == begun || !begins(wrong) {
            let mut depth = 0_usize;
            while end <= last {
                match slice(end) {
                    ";" if depth == 0 => {
                        end += 1;
                        break;
                    }
                    "}" | "{" if depth == 0 => break,
                    "(" | "[" | "?[" | "#{" | "{" => depth += 1,
                    ")" | "]" | "}" => depth = depth.saturating_sub(1),
                    _ if end > wrong && begins(end) => break,
                    _ => {}
                }
                end += 1;
            }
        }
        let start = tokens.get(begun)?.span;
        let end = tokens.get(end.max(begun + 1) - 1)?.span.end;
        // A variable stays declared, with a value that is not known.
        let declares = matches!(slice(begun), "let" | "const");
        match tokens.get(begun + 1).filter(|name| declares && name.kind == ScriptTokenKind::Word && name.span.end < end)
        {
            Some(name) => {
                let span = Span { start: name.span.end, end };
                let written = self.text.source().slice(span);
                let room = written.lines().next().map_or(0, |line| line.chars().count());
                let instead = [" = this;", "=this;", ";"].into_iter().find(|instead| instead.len() <= room);
                Some(match instead {
                    Some(instead) => Hole { span, instead },
                    None => Hole { span: start.to(Span { start: end, end }), instead: "" },
                })
            }
            None => Some(Hole { span: Span { end, ..start }, instead: "" }),
        }
    }

    fn begins_line(&self, token: usize) -> bool {
        let Some(span) = self.text.tokens().get(token).map(|token| token.span) else { return false };
        let source = self.text.source();
        let line = source.line_span(source.line(span.start));
        source.slice(Span { end: span.start, ..line }).trim().is_empty()
    }

    /// Returns whether a statement goes on with this token after a block.
    fn goes_on(&self, token: usize) -> bool {
        match self.text.slice(token) {
            "else" | "catch" | "while" | "until" => true,
            word => {
                let is_sign = self.text.tokens().get(token).is_some_and(|token| token.kind == ScriptTokenKind::Sign);
                is_sign && word != "}" && !self.begins_line(token)
            }
        }
    }
}

/// Returns the closing brackets after a further part of a text; if it is `cut` off there, also backquotes.
fn joined(open: &str, text: &Text, (from, to): (u32, u32), cut: bool) -> String {
    let tokens = text.tokens();
    let mut open: Vec<char> = open.chars().rev().collect();
    for token in tokens.from(from)..tokens.from(to) {
        let Some((kind, span)) = tokens.get(token).map(|token| (token.kind, token.span)) else { break };
        let written = text.slice(token);
        if kind == ScriptTokenKind::Text && cut && written.starts_with('`') {
            let is_closed = span.end <= to && written.len() > 1 && written.ends_with('`');
            open.extend((!is_closed).then_some('`'));
        }
        if kind != ScriptTokenKind::Sign {
            continue;
        }
        let closing = match text.slice(token) {
            "(" => ')',
            "[" | "?[" => ']',
            "{" | "#{" => '}',
            ")" | "]" | "}" => {
                let closing = text.slice(token).chars().next().unwrap_or(' ');
                if let Some(at) = open.iter().rposition(|opened| *opened == closing) {
                    open.truncate(at);
                }
                continue;
            }
            _ => continue,
        };
        open.push(closing);
    }
    open.iter().rev().collect()
}
