//! Reads the end of a line about play that may follow: how far play goes, and the limits of the search.

use crate::plan::resolver::Resolver;
use referee_diagnostic::{Code, Diagnostic, did_you_mean};
use referee_play::{Deals, Horizon, MAX_SAMPLE, MAX_STATES};
use referee_source::Word;
use referee_table::Phrase;

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
    /// A number of sequences of answers, which has no horizon and takes no memory.
    Perft,
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

    /// Takes one of `within 3 turns`, `to the end of the game`, `up to 1000 states`, `up to 100 MB`, `over 100 deals` and
    /// `or undecided`.
    fn part(self, words: &mut Phrase<'_>) -> Result<Part, Diagnostic> {
        let texts: Vec<&str> = words.words().iter().map(Word::keyword).collect();
        let place =
            |from: usize, to: usize| words.with(words.words().get(from..to.min(words.len())).unwrap_or_default());
        let (part, taken) = match texts.as_slice() {
            ["within", ..] | ["to", "the", "end", "of", "the", "turn" | "game", ..] if self == Self::Cycles => {
                let place = place(0, 3);
                let misread = place.wrong(Code::WrongForm, place.span(), "a question about cycles is about all play");
                return Err(misread.help("remove this; to limit the search write `up to 100000 states`"));
            }
            ["within", ..] | ["to", ..] | ["up", "to", _, "MB", ..] if self == Self::Perft => {
                return Err(self.unknown(*words));
            }
            ["within", count, "turns" | "turn", ..] if is_number(count) => {
                (Part::Horizon(Horizon::Turns(turns(count, place(1, 2))?)), 3)
            }
            ["to", "the", "end", "of", "the", "turn", ..] => (Part::Horizon(Horizon::Turns(1)), 6),
            ["to", "the", "end", "of", "the", "game", ..] => (Part::Horizon(Horizon::Game), 6),
            ["up", "to", count, "states" | "state", ..] if is_number(count) => {
                (Part::States(states(count, place(2, 3))?), 4)
            }
            ["up", "to", count, "MB", ..] if is_number(count) => {
                (Part::Bytes(megabytes(count, place(2, 3))? * MEGABYTE), 4)
            }
            ["over", count, "deals", ..] if is_number(count) && self == Self::Chance => {
                (Part::Deals(deals(count, place(1, 2))?), 3)
            }
            ["or", "undecided", ..] if self != Self::Chance => (Part::OrUndecided, 2),
            _ => return Err(self.unknown(*words)),
        };
        words.skip(taken);
        Ok(part)
    }

    /// Returns the error for words that are no part of an extent.
    fn unknown(self, words: Phrase<'_>) -> Diagnostic {
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
            Self::Perft => (
                "this does not belong to the count",
                "after the number, write `up to 1000000 states` or `or undecided`",
            ),
        };
        // A suggestion of a short word would say less than the forms.
        let near = did_you_mean(words.keyword(0), ["within", "up", "or"])
            .filter(|near| near.contains("`within`") && self != Self::Perft);
        words.wrong(Code::WrongForm, words.span(), message).help(near.unwrap_or_else(|| help.to_owned()))
    }
}

impl Extent {
    /// Reads the parts in these words, in any order. Each part is allowed once.
    pub(crate) fn read(&mut self, resolver: &mut Resolver<'_>, asks: Asks, mut words: Phrase<'_>) -> Option<()> {
        while !words.is_empty() {
            let all = words;
            let part = resolver.get(asks.part(&mut words))?;
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
                let read = all.before(words);
                let misread = read.wrong(Code::WrongForm, read.span(), format!("this line says {what} twice"));
                return resolver.misread(misread.help("remove one of them"));
            }
        }
        Some(())
    }
}

/// Returns the error for a typo of `within` in the words of a condition: `winner red withn 3 turns`.
pub(crate) fn nearly_within(words: Phrase<'_>) -> Option<Diagnostic> {
    let follows = |at: usize| words.get(at + 1).is_some_and(|word| is_number(word.text));
    let at = (0..words.len()).find(|at| follows(*at) && words.get(at + 2).is_some_and(|word| word.text == "turns"))?;
    let word = words.get(at)?;
    let misread = words.wrong(Code::WrongForm, word.span.to(words.end()), "this does not say how far play goes");
    let near = did_you_mean(word.text, ["within"]);
    Some(misread.help(near.unwrap_or_else(|| "write `within 3 turns`".to_owned())))
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn turns(count: &str, place: Phrase<'_>) -> Result<u32, Diagnostic> {
    match count.parse() {
        Ok(0) => Err(place
            .wrong(Code::WrongForm, place.span(), "expected at least 1 turn")
            .help("write `within 1 turn` for the rest of the present turn")),
        Ok(turns) => Ok(turns),
        Err(_) => {
            let misread = place.wrong(Code::NumberTooLarge, place.span(), "this number of turns is too large");
            Err(misread.help("write `to the end of the game` to ask about all play"))
        }
    }
}

fn states(count: &str, place: Phrase<'_>) -> Result<usize, Diagnostic> {
    match count.parse() {
        Ok(states) if (1..=MAX_STATES).contains(&states) => Ok(states),
        Ok(0) => Err(place
            .wrong(Code::WrongForm, place.span(), "expected at least 1 state")
            .help("remove `up to 0 states`, or allow more")),
        _ => {
            let misread = place.wrong(Code::NumberTooLarge, place.span(), "this number of states is too large");
            Err(misread.help(format!("write a number up to {MAX_STATES}")))
        }
    }
}

fn deals(count: &str, place: Phrase<'_>) -> Result<u32, Diagnostic> {
    match count.parse() {
        Ok(deals) if (1..=MAX_SAMPLE).contains(&deals) => Ok(deals),
        Ok(0) => {
            Err(place.wrong(Code::WrongForm, place.span(), "expected at least 1 deal").help("write `over 100 deals`"))
        }
        _ => {
            let misread = place.wrong(Code::NumberTooLarge, place.span(), "this number of deals is too large");
            Err(misread.help(format!("write a number up to {MAX_SAMPLE}")))
        }
    }
}

fn megabytes(count: &str, place: Phrase<'_>) -> Result<u64, Diagnostic> {
    match count.parse() {
        Ok(0) => Err(place
            .wrong(Code::WrongForm, place.span(), "expected at least 1 MB")
            .help("remove `up to 0 MB`, or allow more")),
        Ok(megabytes) if megabytes <= MAX_MEGABYTES => Ok(megabytes),
        _ => {
            let misread = place.wrong(Code::NumberTooLarge, place.span(), "this amount of memory is too large");
            Err(misread.help(format!("write a number up to {MAX_MEGABYTES}")))
        }
    }
}
