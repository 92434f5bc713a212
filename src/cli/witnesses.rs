//! Writes the lines of play that decide questions as scenarios.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use super::disk::write_all;
use referee_trace::{Answered, TestResult};

/// Writes the lines of play of all questions to a folder.
///
/// # Errors
/// Returns a message for the user if a file exists with other content, if two lines of play would be one file, or if a
/// file cannot be written.
pub(super) fn write<'r>(folder: &Path, results: impl Iterator<Item = &'r TestResult>) -> Result<(), String> {
    let answers = results.flat_map(|result| result.answers.iter().map(move |answer| (result, answer)));
    let mut files: BTreeMap<PathBuf, &str> = BTreeMap::new();
    for (result, answer) in answers {
        let Some(witness) = &answer.witness else { continue };
        let file = folder.join(name(result, answer));
        if files.insert(file.clone(), witness).is_some_and(|other| other != witness) {
            let file = file.display();
            return Err(format!("two lines of play would be {file}, so nothing was written; test one file at a time"));
        }
    }
    write_all(folder, &files.into_iter().collect::<Vec<_>>())
}

/// Returns the name of a file for a line of play: the folder and the file of its question, its line, and the row of the
/// table.
fn name(result: &TestResult, answer: &Answered) -> String {
    let path = Path::new(&*result.file).with_extension("");
    let parts = path.components().filter_map(|part| match part {
        Component::Normal(part) => Some(part.to_string_lossy().into_owned()),
        _ => None,
    });
    let parts: Vec<String> = parts.collect();
    let last = parts.get(parts.len().saturating_sub(2)..).unwrap_or_default();
    let row = result.row.map(|row| format!("-row-{row}")).unwrap_or_default();
    format!("{}-line-{}{row}.scenario", last.join("-"), answer.line)
}
