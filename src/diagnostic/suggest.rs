//! stub
/// x
pub fn did_you_mean<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    candidates.into_iter().find(|c| strsim::osa_distance(word, c) < 3).map(|c| format!("did you mean `{c}`?"))
}
/// x
pub fn one_of<'a>(candidates: impl IntoIterator<Item = &'a str>, limit: usize) -> String {
    candidates.into_iter().take(limit).map(|c| format!("`{c}`")).collect::<Vec<_>>().join(", ")
}
