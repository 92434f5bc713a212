//! The functions and constants of a script, as far as its tokens tell: also those of a script that cannot be read.

use super::tokens::{ScriptTokenKind, Tokens};
use referee_source::{Source, Span};

/// A function or a constant at the top level of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Item {
    /// Its name.
    pub(crate) name: Span,
    /// The names of the parameters of a function; `None` for a constant.
    pub(crate) params: Option<Vec<Span>>,
    pub(crate) is_private: bool,
    /// From its first word to what ends it.
    pub(crate) whole: Span,
}

/// Returns the functions and constants of a script in their order.
///
/// A function ends with its block. If that is not closed, it ends where the next line begins with a function or a
/// constant: neither can be within another.
pub(crate) fn items(source: &Source, tokens: &Tokens) -> Vec<Item> {
    let reader = Reader { source, tokens };
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.all().len() {
        match reader.item(at) {
            Some((item, next)) => {
                found.push(item);
                at = next;
            }
            None => at += 1,
        }
    }
    found
}

struct Reader<'r> {
    source: &'r Source,
    tokens: &'r Tokens,
}

impl Reader<'_> {
    fn slice(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |token| self.source.slice(token.span))
    }

    fn span(&self, at: usize) -> Option<Span> {
        Some(self.tokens.get(at)?.span)
    }

    fn word(&self, at: usize) -> Option<Span> {
        Some(self.tokens.get(at).filter(|token| token.kind == ScriptTokenKind::Word)?.span)
    }

    /// Returns the item that begins with a token, and the number of the token after it.
    fn item(&self, at: usize) -> Option<(Item, usize)> {
        let is_private = self.slice(at) == "private";
        let head = at + usize::from(is_private);
        let name = self.word(head + 1)?;
        let (params, end) = match self.slice(head) {
            "fn" if self.slice(head + 2) == "(" => {
                let limit = self.limit(head + 2);
                let closes = self.tokens.partner(head + 2).filter(|closes| *closes < limit);
                let closes = closes.unwrap_or(head + 2);
                let params = (head + 3..closes).filter_map(|at| self.word(at)).collect();
                let block = self.tokens.partner(closes + 1).filter(|end| *end < limit && self.slice(closes + 1) == "{");
                (Some(params), block.map_or(limit, |end| end + 1))
            }
            "const" if !is_private => {
                let limit = self.limit(head + 1);
                (None, self.end_of_constant(head + 2, limit))
            }
            _ => return None,
        };
        let whole = self.span(at)?.to(self.span(end.max(head + 2) - 1)?);
        Some((Item { name, params, is_private, whole }, end.max(head + 2)))
    }

    /// Returns the number of the token after the `;` that ends a constant.
    fn end_of_constant(&self, from: usize, limit: usize) -> usize {
        let mut at = from;
        while at < limit {
            if self.slice(at) == ";" {
                return at + 1;
            }
            at = self.tokens.partner(at).filter(|closes| *closes > at && *closes < limit).unwrap_or(at) + 1;
        }
        limit
    }

    /// Returns the number of the next token after this one that begins a line and an item.
    fn limit(&self, after: usize) -> usize {
        let begins = |at: &usize| {
            let Some(span) = self.span(*at) else { return false };
            let head = *at + usize::from(self.slice(*at) == "private");
            let begins = match self.slice(head) {
                "fn" => self.word(head + 1).is_some() && self.slice(head + 2) == "(",
                // A constant may also be within a function, where its line is indented.
                "const" => span.start == self.source.offset(self.source.line(span.start), 1),
                _ => false,
            };
            let line = self.source.line_span(self.source.line(span.start));
            begins && self.source.slice(Span { end: span.start, ..line }).trim().is_empty()
        };
        (after + 1..self.tokens.all().len()).find(begins).unwrap_or(self.tokens.all().len())
    }
}

#[cfg(test)]
mod tests {
    use super::{Source, Span, Tokens, items};

    fn found(text: &str) -> Vec<String> {
        let source = Source::new("x", text);
        let tokens = Tokens::of(text, Span::new(0..text.len()));
        items(&source, &tokens).iter().map(|item| source.slice(item.whole).to_owned()).collect()
    }

    #[test]
    fn functions_and_constants_are_found() {
        let text = "const a = #{ b: 1 }; fn f(x, y) { const z = 1; |q| q } private fn g() {}\nconst c = 2;";
        let expected =
            ["const a = #{ b: 1 };", "fn f(x, y) { const z = 1; |q| q }", "private fn g() {}", "const c = 2;"];
        assert_eq!(found(text), expected);
    }

    #[test]
    fn what_is_not_closed_ends_before_the_next_item() {
        let text = "fn f(x) {\n  g(x;\n\nprivate fn g( {\n}\nconst c = (1;\nfn h() { }\n";
        assert_eq!(found(text), ["fn f(x) {\n  g(x;", "private fn g( {\n}", "const c = (1;", "fn h() { }"]);
        for end in 0..=text.len() {
            found(&text[..end]);
            found(&text[end..]);
        }
    }
}
