//! Reads the end of a line about play that may follow: how far play goes, and the limits of the search.

use crate::plan::resolver::Resolver;
use referee_diagnostic::did_you_mean;
use referee_play::{Deals, Horizon, MAX_SAMPLE, MAX_STATES};
use referee_source::{Span, Word, span_of};
use referee_table::WordError;

/// The bytes of a megabyte.
pub const MEGABYTE: u64 = 1_000_000;
/// The highest limit on memory, in megabytes.
pub const MAX_MEGABYTES: u64 = 64_000;

/// Returns fewer turns to suggest for a question about this number of turns; `None` if there are no fewer.
pub(crate) fn fewer_turns(turns: Option<u32>) -> Option<u32> {
    turns.map_or(Some(3), |turns| turns.checked_sub(1).filter(|fewer| *fewer > 0).map(|fewer| fewer.min(3)))
}

/// The kinds of lines that end with a horizon and limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Asks {
    /// A chance.
    Chance,
    /// A question about all play.
    AllPlay,
    /// A question about cycles, which has no horizon.
    Cycles,
}

/// What a line says about its horizon and its limits; `None` for what it leaves to the default.
#[derive(Debug, Default)]
pub(crate) struct Extent {
    pub(crate) horizon: Option<Horizon>,
    pub(crate) states: Option<usize>,
    pub(crate) bytes: Option<u64>,
    pub(crate) deals: Option<Deals>,
    pub(crate) or_undecided: bool,
}

/// One part of an extent.
enum Part {
    Horizon(Horizon),
    States(usize),
    Bytes(u64),
    Deals(u32),
    OrUndecided,
}

impl Asks {
    /// Returns the index of the word with which the horizon, a limit or `or undecided` begins.
    pub(crate) fn tail_at(self, words: &[Word<'_>]) -> usize {
        let is = |at: usize, text: &str| words.get(at).is_some_and(|word| word.is(text));
        let begins = |at: &usize| {
            is(*at, "within")
                || is(*at, "up") && is(at + 1, "to")
                || is(*at, "to") && is(at + 1, "the")
                || is(*at, "over") && is(at + 2, "deals") && self == Self::Chance
                || is(*at, "or") && self != Self::Chance
        };
        (0..words.len()).find(begins).unwrap_or(words.len())
    }

    /// Reads one of `within 3 turns`, `to the end of the game`, `up to 1000 states`, `up to 100 MB`, `over 100 deals` and
    /// `or undecided`.
    /// Returns it with the number of its words.
    fn part(self, words: &[Word<'_>]) -> Result<(Part, usize), WordError> {
        let texts: Vec<&str> = words.iter().map(|word| if word.quoted { "" } else { word.text }).collect();
        let span = |from: usize, to: usize| whole(words.get(from..to.min(words.len())).unwrap_or_default());
        match texts.as_slice() {
            ["within", ..] | ["to", "the", "end", "of", "the", "turn" | "game", ..] if self == Self::Cycles => {
                let misread = WordError::new("wrong_form", span(0, 3), "a question about cycles is about all play");
                Err(misread.help("remove this; to limit the search write `up to 100000 states`"))
            }
            ["within", count, "turns" | "turn", ..] if is_number(count) => {
                Ok((Part::Horizon(Horizon::Turns(turns(count, span(1, 2))?)), 3))
            }
            ["to", "the", "end", "of", "the", "turn", ..] => Ok((Part::Horizon(Horizon::Turns(1)), 6)),
            ["to", "the", "end", "of", "the", "game", ..] => Ok((Part::Horizon(Horizon::Game), 6)),
            ["up", "to", count, "states" | "state", ..] if is_number(count) => {
                Ok((Part::States(states(count, span(2, 3))?), 4))
            }
            ["up", "to", count, "MB", ..] if is_number(count) => {
                Ok((Part::Bytes(megabytes(count, span(2, 3))? * MEGABYTE), 4))
            }
            ["over", count, "deals", ..] if is_number(count) && self == Self::Chance => {
                Ok((Part::Deals(deals(count, span(1, 2))?), 3))
            }
            ["or", "undecided", ..] if self != Self::Chance => Ok((Part::OrUndecided, 2)),
            _ => Err(self.unknown(texts.first().copied().unwrap_or_default(), span(0, words.len()))),
        }
    }

    /// Returns the error for words that are no part of an extent; `first` is the first of them.
    fn unknown(self, first: &str, span: Span) -> WordError {
        let (message, help) = match self {
            Self::Chance => (
                "this does not say how far play goes",
                "write `within 3 turns`, `to the end of the game`, `up to 1000000 states`, `up to 1000 MB` or \
                 `over 100 deals`; the default is the end of the turn",
            ),
            Self::AllPlay => (
                "this does not belong to the question",
                "after the question, write `within 3 turns`, `up to 100000 states`, `up to 100 MB` or `or undecided`",
            ),
            Self::Cycles => (
                "this does not belong to the question",
                "after the question, write `up to 100000 states`, `up to 100 MB` or `or undecided`",
            ),
        };
        // A suggestion of a short word would say less than the forms.
        let near = did_you_mean(first, ["within", "up", "or"]).filter(|near| near.contains("`within`"));
        WordError::new("wrong_form", span, message).help(near.unwrap_or_else(|| help.to_owned()))
    }
}

impl Extent {
    /// Reads the parts in these words, in any order. Each part is allowed once.
    pub(crate) fn read(&mut self, resolver: &mut Resolver<'_>, asks: Asks, mut words: &[Word<'_>]) -> Option<()> {
        while !words.is_empty() {
            let (part, taken) = resolver.get(asks.part(words))?;
            let (read, rest) = words.split_at_checked(taken)?;
            let (is_second, what) = match part {
                Part::Horizon(horizon) => (self.horizon.replace(horizon).is_some(), "how far play goes"),
                Part::States(states) => (self.states.replace(states).is_some(), "how many states may be searched"),
                Part::Bytes(bytes) => (self.bytes.replace(bytes).is_some(), "how much memory the search may take"),
                Part::Deals(deals) => {
                    (self.deals.replace(Deals::of(deals)).is_some(), "over how many deals `greedy` takes the average")
                }
                Part::OrUndecided => (std::mem::replace(&mut self.or_undecided, true), "`or undecided`"),
            };
            if is_second {
                let misread = WordError::new("wrong_form", whole(read), format!("this line says {what} twice"));
                return resolver.misread(misread.help("remove one of them"));
            }
            words = rest;
        }
        Some(())
    }
}

/// Returns the error for a typo of `within` in the words of a condition: `winner red withn 3 turns`.
pub(crate) fn nearly_within(words: &[Word<'_>], end: Span) -> Option<WordError> {
    let follows = |at: usize| words.get(at + 1).is_some_and(|word| is_number(word.text));
    let at = (0..words.len()).find(|at| follows(*at) && words.get(at + 2).is_some_and(|word| word.text == "turns"))?;
    let word = words.get(at)?;
    let misread = WordError::new("wrong_form", word.span.to(end), "this does not say how far play goes");
    let near = did_you_mean(word.text, ["within"]);
    Some(misread.help(near.unwrap_or_else(|| "write `within 3 turns`".to_owned())))
}

/// Returns the span of all these words.
fn whole(words: &[Word<'_>]) -> Span {
    span_of(words).unwrap_or_default()
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn turns(count: &str, span: Span) -> Result<u32, WordError> {
    match count.parse() {
        Ok(0) => Err(WordError::new("wrong_form", span, "expected at least 1 turn")
            .help("write `within 1 turn` for the rest of the present turn")),
        Ok(turns) => Ok(turns),
        Err(_) => {
            let misread = WordError::new("number_too_large", span, "this number of turns is too large");
            Err(misread.help("write `to the end of the game` to ask about all play"))
        }
    }
}

fn states(count: &str, span: Span) -> Result<usize, WordError> {
    match count.parse() {
        Ok(states) if (1..=MAX_STATES).contains(&states) => Ok(states),
        Ok(0) => Err(WordError::new("wrong_form", span, "expected at least 1 state")
            .help("remove `up to 0 states`, or allow more")),
        _ => {
            let misread = WordError::new("number_too_large", span, "this number of states is too large");
            Err(misread.help(format!("write a number up to {MAX_STATES}")))
        }
    }
}

fn deals(count: &str, span: Span) -> Result<u32, WordError> {
    match count.parse() {
        Ok(deals) if (1..=MAX_SAMPLE).contains(&deals) => Ok(deals),
        Ok(0) => Err(WordError::new("wrong_form", span, "expected at least 1 deal").help("write `over 100 deals`")),
        _ => {
            let misread = WordError::new("number_too_large", span, "this number of deals is too large");
            Err(misread.help(format!("write a number up to {MAX_SAMPLE}")))
        }
    }
}

fn megabytes(count: &str, span: Span) -> Result<u64, WordError> {
    match count.parse() {
        Ok(0) => {
            Err(WordError::new("wrong_form", span, "expected at least 1 MB").help("remove `up to 0 MB`, or allow more"))
        }
        Ok(megabytes) if megabytes <= MAX_MEGABYTES => Ok(megabytes),
        _ => {
            let misread = WordError::new("number_too_large", span, "this amount of memory is too large");
            Err(misread.help(format!("write a number up to {MAX_MEGABYTES}")))
        }
    }
}
