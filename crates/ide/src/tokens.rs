//! The kinds of the words of a file, for colours.

use std::path::Path;

use super::names::NameKind;
use super::project::{Opened, Project, Role};
use referee_rules::Meaning;
use referee_source::{Span, quotations};
use referee_syntax::is_keyword;

/// The kind of a token, in the terms of editors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TokenKind {
    /// A word of the language.
    Keyword,
    /// A comment.
    Comment,
    /// A text in quotes.
    String,
    /// A number.
    Number,
    /// A function.
    Function,
    /// A player.
    Player,
    /// A piece, card or zone.
    Piece,
    /// A flag, counter or property.
    Property,
    /// An ask.
    Ask,
    /// An event.
    Event,
    /// An option, or a value of one.
    Value,
    /// A clause, variant, position or house rule.
    Label,
    /// A game.
    Game,
    /// A variable or a parameter of the rules.
    Variable,
}

/// All kinds with their names in editors, in the order of their numbers.
pub const TOKEN_KINDS: [(TokenKind, &str); 14] = [
    (TokenKind::Keyword, "keyword"),
    (TokenKind::Comment, "comment"),
    (TokenKind::String, "string"),
    (TokenKind::Number, "number"),
    (TokenKind::Function, "function"),
    (TokenKind::Player, "variable"),
    (TokenKind::Piece, "class"),
    (TokenKind::Property, "property"),
    (TokenKind::Ask, "method"),
    (TokenKind::Event, "event"),
    (TokenKind::Value, "enumMember"),
    (TokenKind::Label, "label"),
    (TokenKind::Game, "namespace"),
    (TokenKind::Variable, "parameter"),
];

/// A word with its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// The word; on one line.
    pub span: Span,
    /// Its kind.
    pub kind: TokenKind,
}

/// Returns the tokens of a file, in order and without overlaps. Words without a meaning of their own have none.
pub fn semantic_tokens(project: &mut Project<'_>, path: &Path) -> Vec<Token> {
    project.refresh();
    let Some(opened) = project.open(path) else { return Vec::new() };
    let mut found: Vec<Token> =
        opened.mentions.iter().map(|mention| Token { span: mention.span, kind: kind_of(mention.key.kind) }).collect();
    found.extend(opened.in_rules.iter().filter_map(|(_, name)| {
        let kind = match name.meaning {
            Meaning::Native => TokenKind::Function,
            Meaning::Key | Meaning::Property => TokenKind::Property,
            Meaning::Column => TokenKind::Variable,
            _ => return None,
        };
        Some(Token { span: name.span, kind })
    }));
    match opened.role {
        Role::Script => found.extend(script(&opened)),
        Role::Game | Role::House | Role::Scenario | Role::Markdown => found.extend(lines(&opened)),
        Role::Data => {}
    }
    // Names take precedence over other meanings of a word.
    let mut kept: Vec<Token> = Vec::new();
    found.sort_by_key(|token| (token.span.start, token.kind == TokenKind::String, token.span.end));
    for token in found {
        let overlaps = kept.last().is_some_and(|last| token.span.start < last.span.end);
        if !overlaps && token.span.start < token.span.end && !opened.source.slice(token.span).contains('\n') {
            kept.push(token);
        }
    }
    kept
}

const fn kind_of(kind: NameKind) -> TokenKind {
    match kind {
        NameKind::Game => TokenKind::Game,
        NameKind::Player => TokenKind::Player,
        NameKind::Piece | NameKind::Card | NameKind::Zone | NameKind::Die => TokenKind::Piece,
        NameKind::Property | NameKind::Printed | NameKind::Constant => TokenKind::Property,
        NameKind::Variable => TokenKind::Variable,
        NameKind::Ask => TokenKind::Ask,
        NameKind::Event => TokenKind::Event,
        NameKind::Option | NameKind::Value => TokenKind::Value,
        NameKind::Variant | NameKind::Clause | NameKind::Position | NameKind::House => TokenKind::Label,
        NameKind::Function => TokenKind::Function,
    }
}

/// Returns the keywords, comments, strings and numbers of a file of lines.
fn lines(opened: &Opened) -> Vec<Token> {
    let source = &opened.source;
    let Some(file) = &opened.lines else { return Vec::new() };
    let mut found: Vec<Token> =
        file.trivia.comments.iter().map(|span| Token { span: *span, kind: TokenKind::Comment }).collect();
    for line in &file.lines {
        let mut words = source.tokens(line.span).into_iter();
        let first = words.next().filter(|word| is_keyword(word.text));
        let second = first.filter(|word| word.text == "expect").and_then(|_| words.next());
        let keywords = first.into_iter().chain(second.filter(|word| is_keyword(word.text)));
        found.extend(keywords.map(|word| Token { span: word.span, kind: TokenKind::Keyword }));
        for word in source.tokens(line.span) {
            let number = word.text.trim_end_matches(',');
            if number.parse::<i64>().is_ok() {
                let end = word.span.start + Span::new(0..number.len()).end;
                found.push(Token { span: Span { end, ..word.span }, kind: TokenKind::Number });
            }
        }
        let base = line.span.range().start;
        let strings = quotations(source.slice(line.span));
        found.extend(
            strings.map(|string| Token {
                span: Span::new(base + string.start..base + string.end),
                kind: TokenKind::String,
            }),
        );
    }
    found
}

/// Returns the words of a script that are no names of the game.
fn script(opened: &Opened) -> Vec<Token> {
    let source = &opened.source;
    let tokens = referee_rules::tokens(source.text());
    let mut found = Vec::new();
    let mut end = 0;
    for token in &tokens {
        found.extend(comments(source.text(), end, token.span.range().start));
        end = token.span.range().end;
        let kind = match token.kind {
            referee_rules::ScriptTokenKind::Word if referee_rules::WORDS.contains(&source.slice(token.span)) => {
                TokenKind::Keyword
            }
            referee_rules::ScriptTokenKind::Number => TokenKind::Number,
            referee_rules::ScriptTokenKind::Text => TokenKind::String,
            referee_rules::ScriptTokenKind::Word | referee_rules::ScriptTokenKind::Sign => continue,
        };
        found.push(Token { span: token.span, kind });
    }
    found.extend(comments(source.text(), end, source.text().len()));
    found
}

/// Returns the comments between two tokens, line by line.
fn comments(text: &str, start: usize, end: usize) -> Vec<Token> {
    let mut found = Vec::new();
    let mut at = start;
    for line in text.get(start..end).unwrap_or_default().split_inclusive('\n') {
        let bare = line.trim();
        if !bare.is_empty() {
            let begin = at + line.find(bare).unwrap_or(0);
            found.push(Token { span: Span::new(begin..begin + bare.len()), kind: TokenKind::Comment });
        }
        at += line.len();
    }
    found
}
