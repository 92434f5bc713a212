//! The forms of asks and events: their words and the kinds of their values.

use std::sync::Arc;

use super::{Kind, Sight};
use referee_source::{Source, Span};

/// One part of a form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// A literal word.
    Word(String),
    /// A value of this kind.
    Value(Kind),
    /// An optional group.
    Optional(Vec<Part>),
}

impl Part {
    /// Returns whether it has no values: it is a word, or an optional group of words.
    #[must_use]
    pub fn is_wording(&self) -> bool {
        match self {
            Self::Word(_) => true,
            Self::Value(_) => false,
            Self::Optional(parts) => parts.iter().all(Self::is_wording),
        }
    }
}

/// The form of an ask or event: `walk [to] CELL`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Form {
    /// Its first word in lower case, which is its name.
    pub verb: String,
    /// Its parts, including the verb.
    pub parts: Vec<Part>,
    /// Its title, to show to users.
    pub title: String,
    /// Who sees the answers, if it is of an ask.
    pub sight: Sight,
    /// The location of its declaration.
    pub place: (Arc<Source>, Span),
}

/// Returns the first words of a form that follow one another: `is in check` of `PLAYER is in check`.
#[must_use]
pub fn opening_words(parts: &[Part]) -> Vec<&str> {
    let run = parts.iter().skip_while(|part| !matches!(part, Part::Word(_))).map_while(|part| match part {
        Part::Word(word) => Some(word.as_str()),
        _ => None,
    });
    run.collect()
}

impl Form {
    /// Returns whether this is the form's name with more of the words that follow it: `is in check` for the event `is`.
    #[must_use]
    pub fn is_called(&self, name: &str) -> bool {
        let goes_on = |longer: &str, shorter: &str| {
            longer.strip_prefix(shorter).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
        };
        goes_on(name, &self.verb) && goes_on(&opening_words(&self.parts).join(" "), name)
    }

    /// Returns the kinds of its values in order, each with whether it is optional.
    #[must_use]
    pub fn kinds(&self) -> Vec<(&Kind, bool)> {
        let mut kinds = Vec::new();
        collect(&self.parts, false, &mut kinds);
        kinds
    }
}

pub(super) fn collect<'f>(parts: &'f [Part], optional: bool, kinds: &mut Vec<(&'f Kind, bool)>) {
    for part in parts {
        match part {
            Part::Word(_) => {}
            Part::Value(kind) => kinds.push((kind, optional)),
            Part::Optional(inner) => collect(inner, true, kinds),
        }
    }
}

/// Returns whether one of the literal words of these parts is `text`.
pub(super) fn has_word(parts: &[Part], text: &str) -> bool {
    parts.iter().any(|part| match part {
        Part::Word(word) => word == text,
        Part::Value(_) => false,
        Part::Optional(inner) => has_word(inner, text),
    })
}

impl std::fmt::Display for Form {
    /// Writes the form as a game declares it: `walk [to] CELL`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        fn parts(list: &[Part]) -> String {
            list.iter().map(part).collect::<Vec<_>>().join(" ")
        }
        fn part(part: &Part) -> String {
            match part {
                Part::Word(word) => word.clone(),
                Part::Value(kind) => kind.name(),
                Part::Optional(inner) => format!("[{}]", parts(inner)),
            }
        }
        write!(f, "{}", parts(&self.parts))
    }
}
