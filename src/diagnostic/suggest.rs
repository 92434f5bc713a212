//! "Did you mean …?"

/// Returns the candidate that `word` is most likely a slip for; the first of several equally near.
#[must_use]
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let lower = word.to_lowercase();
    let length = word.chars().count();
    // One slip in a short word, two in a longer one; a word of one letter is too short for a guess.
    let most = match length {
        0 | 1 => 0,
        2..=4 => 1,
        5..=8 => 2,
        _ => 3,
    };
    let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
    let number = digits(word);
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        // The distance is quadratic: no guess is worth that for a very long word.
        if candidate.is_empty() || candidate == word || candidate.chars().count().abs_diff(length) > most {
            continue;
        }
        // A number is no slip of another.
        if digits(candidate) != number {
            continue;
        }
        let distance = strsim::osa_distance(&lower, &candidate.to_lowercase());
        if distance <= most && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// "did you mean `expect`?", where a candidate is near.
#[must_use]
pub fn did_you_mean<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    nearest(word, candidates).map(|candidate| format!("did you mean `{candidate}`?"))
}

/// "`a`, `b`, `c` …": at most `limit` of the candidates; empty if there is none.
#[must_use]
pub fn one_of<'a>(candidates: impl IntoIterator<Item = &'a str>, limit: usize) -> String {
    let mut candidates = candidates.into_iter();
    let shown: Vec<String> = candidates.by_ref().take(limit).map(|candidate| format!("`{candidate}`")).collect();
    let more = if candidates.next().is_some() { " …" } else { "" };
    format!("{}{more}", shown.join(", "))
}
