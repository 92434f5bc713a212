//! Renames the names of one layer of a script: `base_NAME`, private functions, own constants.
//!
//! Inside the engine such a name begins with `_base` or `_own` and a number. Scripts cannot write these names, so
//! layers never clash.

use std::cell::{Cell as Slot, RefCell};
use std::collections::BTreeSet;

use crate::natives::Named;
use rhai::{LexError, Position, Token};

/// Returns the internal name by which layer `layer` calls the function `name` of the layers below it.
pub(crate) fn base_name(layer: usize, name: &str) -> String {
    format!("_base{layer}_{name}")
}

/// Returns the internal name of a private function or an own constant of layer `layer`.
fn own_name(layer: usize, name: &str) -> String {
    format!("_own{layer}_{name}")
}

/// Returns the name that the author wrote.
pub(crate) fn author_name(name: &str) -> String {
    if name.starts_with("anon$") {
        return "a closure".to_owned();
    }
    match (after_prefix(name, "_base"), after_prefix(name, "_own")) {
        (Some(rest), _) => format!("base_{rest}"),
        (_, Some(rest)) => rest.to_owned(),
        _ => name.to_owned(),
    }
}

/// Returns whether a name is internal.
pub(crate) fn is_internal(name: &str) -> bool {
    after_prefix(name, "_base").or_else(|| after_prefix(name, "_own")).is_some()
}

/// Returns the name after the prefix, a number and `_`, or `None` if it has another form.
fn after_prefix<'n>(name: &'n str, prefix: &str) -> Option<&'n str> {
    let rest = name.strip_prefix(prefix)?;
    let digits = rest.trim_start_matches(|letter: char| letter.is_ascii_digit());
    if digits.len() == rest.len() { None } else { digits.strip_prefix('_') }
}

/// An open bracket.
enum Open {
    /// The bracket of a call: the function, whether it is called as a method, the number of commas so far.
    Call {
        function: String,
        method: bool,
        commas: usize,
    },
    /// The bracket of a map. Its keys are not names.
    Map,
    Other,
}

/// The context before a token.
#[derive(Default)]
struct Before {
    open: Vec<Open>,
    last: Last,
}

#[derive(Default)]
enum Last {
    /// A name, and whether it follows a dot.
    Name(String, bool),
    Point,
    /// An opening bracket or a comma.
    Start,
    #[default]
    Other,
}

/// Renames the tokens of the present layer.
#[derive(Default)]
pub(crate) struct Renaming {
    layer: Slot<usize>,
    own: RefCell<BTreeSet<String>>,
    before: RefCell<Before>,
    /// The position of the last token, if it was `=`.
    equals: Slot<Option<Position>>,
}

impl Renaming {
    /// Starts with the tokens of `layer`, whose own names are `own`.
    pub(crate) fn begin(&self, layer: usize, own: BTreeSet<String>) {
        self.layer.set(layer);
        self.own.replace(own);
        self.before.replace(Before::default());
    }

    /// Returns the token for the engine, renamed if necessary.
    pub(crate) fn token(&self, token: Token, position: Position) -> Token {
        if self.is_reversed(&token, position) {
            let sign = format!("={}", token.literal_syntax());
            return Token::LexError(Box::new(LexError::ImproperSymbol(sign, String::new())));
        }
        if let Token::Identifier(name) = &token
            && is_internal(name)
        {
            return Token::LexError(Box::new(LexError::ImproperSymbol(name.to_string(), String::new())));
        }
        if self.layer.get() == 0 {
            return token;
        }
        let mut before = self.before.borrow_mut();
        let renamed = match &token {
            Token::Identifier(name) => {
                self.identifier(name, &before).map(|name| Token::Identifier(Box::new(name.into())))
            }
            Token::StringConstant(text) if before.names_a_phase() && self.own.borrow().contains(text.as_str()) => {
                Some(Token::StringConstant(Box::new(own_name(self.layer.get(), text).into())))
            }
            _ => None,
        };
        before.pass(&token);
        renamed.unwrap_or(token)
    }

    /// Returns whether a token is the `+` of `=+`, or the `-` of `=-`: a `+=` or `-=` the wrong way round.
    fn is_reversed(&self, token: &Token, position: Position) -> bool {
        let before = self.equals.replace(matches!(token, Token::Equals).then_some(position));
        let sign = matches!(token, Token::Plus | Token::UnaryPlus | Token::Minus | Token::UnaryMinus);
        let column = |position: Position| position.line().zip(position.position());
        sign && before.and_then(column).map(|(line, at)| (line, at + 1)) == column(position)
    }

    fn identifier(&self, name: &str, before: &Before) -> Option<String> {
        if let Some(old) = name.strip_prefix("base_") {
            return Some(base_name(self.layer.get(), old));
        }
        let is_key = matches!(before.last, Last::Start) && matches!(before.open.last(), Some(Open::Map));
        let is_property = matches!(before.last, Last::Point);
        let own = self.own.borrow().contains(name) && !is_key && !is_property;
        own.then(|| own_name(self.layer.get(), name))
    }
}

impl Before {
    /// Returns whether a string here is the name of a function, as in `then("NAME")`.
    fn names_a_phase(&self) -> bool {
        let (Some(Open::Call { function, method, commas }), Last::Start) = (self.open.last(), &self.last) else {
            return false;
        };
        Named::of(function).phase_argument() == Some(commas + usize::from(*method))
    }

    fn pass(&mut self, token: &Token) {
        let last = std::mem::take(&mut self.last);
        self.last = match token {
            Token::Identifier(name) => Last::Name(name.to_string(), matches!(last, Last::Point)),
            Token::Reserved(name) => Last::Name(name.to_string(), false),
            Token::Period | Token::Elvis => Last::Point,
            Token::LeftParen | Token::Unit => {
                let open = match last {
                    Last::Name(function, method) => Open::Call { function, method, commas: 0 },
                    _ => Open::Other,
                };
                if matches!(token, Token::LeftParen) {
                    self.open.push(open);
                }
                Last::Start
            }
            Token::MapStart => {
                self.open.push(Open::Map);
                Last::Start
            }
            Token::LeftBracket | Token::LeftBrace | Token::QuestionBracket => {
                self.open.push(Open::Other);
                Last::Other
            }
            Token::RightParen | Token::RightBracket | Token::RightBrace => {
                self.open.pop();
                Last::Other
            }
            Token::Comma => {
                if let Some(Open::Call { commas, .. }) = self.open.last_mut() {
                    *commas += 1;
                }
                Last::Start
            }
            _ => Last::Other,
        };
    }
}
