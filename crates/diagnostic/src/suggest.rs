//! Suggestions: "did you mean …?".

use std::cmp::Reverse;

use super::alike::{difference, look_alike, strange_character};

/// The maximum number of letters of a word with suggestions.
const LONGEST: usize = 200;

/// Returns the candidate nearest to `word` if `word` may be a typo of it; of several equally near ones, see [`nearest_within`].
#[must_use]
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let mut same = None;
    let candidates = candidates.into_iter().inspect(|candidate| {
        if same.is_none() && look_alike(word, candidate) {
            same = Some(*candidate);
        }
    });
    // A word of one character is too short for a guess.
    let most = match word.chars().count() {
        0 | 1 => 0,
        2..=4 => 1,
        5..=8 => 2,
        _ => 3,
    };
    let near = nearest_within(word, candidates, most);
    same.or(near)
}

/// Returns how many letters two words share at their beginnings and at their ends: of `cell` and `cells`, the second is more
/// likely meant by `cels`.
fn shared_at_ends(one: &str, other: &str) -> usize {
    let shared = |(a, b): &(char, char)| a == b;
    let first = one.chars().zip(other.chars()).take_while(shared).count();
    let last = one.chars().rev().zip(other.chars().rev()).take_while(shared).count();
    (first + last).min(one.chars().count()).min(other.chars().count())
}

/// Returns the candidate nearest to `word` that at most `most` typos turn into it; of several equally near ones that which
/// shares most letters at its ends, or the first of these.
#[must_use]
pub fn nearest_within<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>, most: usize) -> Option<&'a str> {
    let length = word.chars().count();
    // The distance takes quadratic time, and nobody misspells a word of this length.
    if length > LONGEST {
        return None;
    }
    let lower = word.to_lowercase();
    let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
    let number = digits(word);
    let mut best: Option<((usize, Reverse<usize>), &str)> = None;
    for candidate in candidates {
        // Skip candidates whose length differs too much.
        if candidate.is_empty() || candidate == word || candidate.chars().count().abs_diff(length) > most {
            continue;
        }
        // A number is never a typo of another number: `block 2` is not meant as `block 3`. But `boots2` has one too
        // many.
        let stem = candidate.len() >= 3 && word.trim_end_matches(|last: char| last.is_ascii_digit()) == candidate;
        if digits(candidate) != number && !stem {
            continue;
        }
        let other = candidate.to_lowercase();
        let distance = strsim::osa_distance(&lower, &other);
        let near = (distance, Reverse(shared_at_ends(&lower, &other)));
        if distance <= most && best.is_none_or(|(nearest, _)| near < nearest) {
            best = Some((near, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// Returns the candidate that the fewest typos turn into `text`, without a limit; the first of several equally near
/// ones.
#[must_use]
pub fn closest<'a>(text: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    candidates.into_iter().min_by_key(|candidate| strsim::osa_distance(text, candidate))
}

/// Returns "did you mean `expect`?" if a candidate is near.
#[must_use]
pub fn did_you_mean<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    nearest(word, candidates).map(|candidate| match difference(word, candidate) {
        Some(difference) => format!("did you mean `{candidate}`? {difference}"),
        None => match strange_character(word) {
            Some(note) => format!("did you mean `{candidate}`? {note}"),
            None => format!("did you mean `{candidate}`?"),
        },
    })
}

/// Returns the words that a help text suggests by "did you mean …?"; several, if it names several.
#[must_use]
pub fn meant(help: &str) -> Vec<String> {
    let Some((_, rest)) = help.split_once("did you mean ") else { return Vec::new() };
    let words = rest.split('`').skip(1).step_by(2);
    // Only the words before the question mark are suggestions.
    let count = rest.split("?").next().unwrap_or_default().matches('`').count().div_ceil(2);
    words.take(count).map(str::to_owned).collect()
}

/// Returns at most `limit` candidates as "`a`, `b`, `c` …"; empty if there are none.
#[must_use]
pub fn one_of<'a>(candidates: impl IntoIterator<Item = &'a str>, limit: usize) -> String {
    let mut candidates = candidates.into_iter();
    let shown: Vec<String> = candidates.by_ref().take(limit).map(|candidate| format!("`{candidate}`")).collect();
    let more = if candidates.next().is_some() { " …" } else { "" };
    format!("{}{more}", shown.join(", "))
}
