//! Where names are declared and mentioned, and how they are renamed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use super::check::{problems, run};
use super::edit::{Edit, applied};
use super::known::Known;
use super::names::{Key, NameKind};
use super::overlay::Overlay;
use super::project::{Opened, Project};
use referee_diagnostic::Diagnostic;
use referee_scenario::{Snapshots, accepted_path};
use referee_source::{Host, Source, Span, quoted, unwritable};
use referee_syntax::ast::LineKind;
use referee_syntax::is_keyword;
use referee_table::written_name;

/// A place in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The text of the file.
    pub source: Arc<Source>,
    /// The place in it.
    pub span: Span,
}

/// Why a name is not changed; in words for the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RenameError(pub String);

/// Returns where the name at a byte is declared. The files of bundled games are on no disk, so they have no places.
pub fn definitions(project: &mut Project<'_>, path: &Path, at: u32) -> Vec<Place> {
    project.refresh();
    let Some(opened) = project.open(path) else { return Vec::new() };
    let Some(mention) = opened.at(at) else { return Vec::new() };
    if mention.key.kind == NameKind::Position {
        let first =
            opened.mentions.iter().find(|other| other.key == mention.key && is_position_line(&opened, other.span));
        return first.map(|first| Place { source: Arc::clone(&opened.source), span: first.span }).into_iter().collect();
    }
    if mention.key.kind == NameKind::Variable {
        let declared = |span: Span| opened.in_rules.iter().any(|(_, name)| name.span == span && name.declares);
        let all = opened.mentions.iter().filter(|other| other.key == mention.key && declared(other.span));
        return all.map(|first| Place { source: Arc::clone(&opened.source), span: first.span }).collect();
    }
    let Some(known) = opened.game_of(mention).filter(|known| !known.files.built_in) else { return Vec::new() };
    let found = known.names.of_key(&mention.key);
    found.map(|found| Place { source: Arc::clone(&found.source), span: found.span }).collect()
}

/// Returns whether the line of a mention declares a shared position.
fn is_position_line(opened: &Opened, span: Span) -> bool {
    let mut lines = opened.lines.iter().flat_map(|file| &file.lines);
    lines.any(|line| matches!(line.kind, LineKind::Position(name) if name.start <= span.start && span.end <= name.end))
}

/// Returns all places that mention the name at a byte, in all files below the root.
pub fn references(project: &mut Project<'_>, path: &Path, at: u32) -> Vec<Place> {
    project.refresh();
    let Some(opened) = project.open(path) else { return Vec::new() };
    let Some(mention) = opened.at(at) else { return Vec::new() };
    let key = mention.key.clone();
    if matches!(key.kind, NameKind::Position | NameKind::Variable) {
        return places(&opened, &key, None);
    }
    let Some(known) = opened.game_of(mention).cloned() else { return Vec::new() };
    let mut files: BTreeSet<PathBuf> = project.scenario_files().into_iter().collect();
    if !known.files.built_in {
        files.extend(known.files.sources().map(|source| PathBuf::from(source.name())));
    }
    files.insert(opened.path.clone());
    let opened = files.iter().filter_map(|file| project.open(file)).collect::<Vec<_>>();
    opened.iter().flat_map(|opened| places(opened, &key, Some(&known))).collect()
}

/// Returns the places of a file that mention a name of a game.
fn places(opened: &Opened, key: &Key, known: Option<&Rc<Known>>) -> Vec<Place> {
    let is_meant = |game: &str| {
        let Some(known) = known else { return true };
        opened.games.get(game).is_some_and(|other| {
            other.files.folder == known.files.folder && other.files.built_in == known.files.built_in
        })
    };
    let found = opened.mentions.iter().filter(|mention| mention.key == *key && is_meant(&mention.game));
    found.map(|mention| Place { source: Arc::clone(&opened.source), span: mention.span }).collect()
}

/// Returns the place of the name at a byte, if it can be renamed.
///
/// # Errors
/// Returns why it cannot be renamed.
pub fn renamable(project: &mut Project<'_>, path: &Path, at: u32) -> Result<(Span, Key), RenameError> {
    project.refresh();
    let opened = project.open(path).ok_or_else(|| RenameError("this file cannot be read".to_owned()))?;
    let mention = opened.at(at).ok_or_else(|| RenameError("there is no name of a game here".to_owned()))?;
    let key = mention.key.clone();
    match key.kind {
        NameKind::Game => return Err(RenameError("a game has the name of its folder: rename the folder".to_owned())),
        NameKind::House => {
            return Err(RenameError("a house rule has the name of its file or folder: rename that".to_owned()));
        }
        _ => {}
    }
    let is_of_file = matches!(key.kind, NameKind::Position | NameKind::Variable);
    if opened.game_of(mention).is_some_and(|known| known.files.built_in) && !is_of_file {
        return Err(RenameError("the files of bundled games cannot be changed".to_owned()));
    }
    Ok((mention.span, key))
}

/// Returns the edits that rename the name at a byte everywhere.
///
/// # Errors
/// Returns an error if the name cannot be renamed, if the new one cannot be a name, or if a file would have errors
/// afterwards that it does not have before.
pub fn rename(project: &mut Project<'_>, path: &Path, at: u32, new: &str) -> Result<Vec<Edit>, RenameError> {
    let (_, key) = renamable(project, path, at)?;
    possible(&key, new)?;
    let places = references(project, path, at);
    let edits: Vec<Edit> = places
        .into_iter()
        .map(|place| {
            let text = if key.kind == NameKind::Card { card_at(&place, new) } else { new.to_owned() };
            Edit { path: PathBuf::from(place.source.name()), span: place.span, text }
        })
        .collect();
    let changed = changed(project, &edits)?;
    harmless(project, &changed, &edits)?;
    let snapshots = snapshots(project, &changed, &key.name);
    Ok(edits.into_iter().chain(snapshots).collect())
}

/// Returns the name of a card as it is written at a place: in the quotes that are there, or in quotes if it needs them.
fn card_at(place: &Place, new: &str) -> String {
    let Place { source, span } = place;
    let before = source.text().get(..span.range().start).and_then(|before| before.chars().next_back());
    let in_data =
        matches!(Path::new(source.name()).extension().and_then(|ending| ending.to_str()), Some("yaml" | "yml"));
    match before {
        Some('"') => {
            let quoted = quoted(new);
            quoted.get(1..quoted.len() - 1).unwrap_or_default().to_owned()
        }
        Some('\'') if in_data => new.replace('\'', "''"),
        _ => written_name(new),
    }
}

/// Returns the edits of the accepted snapshots that contain the renamed name: they become the new results of the tests.
/// Snapshots that already differed from the results stay.
fn snapshots(project: &mut Project<'_>, changed: &Overlay<'_>, name: &str) -> Vec<Edit> {
    let found = |project: &mut Project<'_>, file: &Path| -> Vec<(String, String)> {
        let runs = run(project, file, &|_, _| true, &|| true);
        runs.into_iter().flat_map(|run| run.result.snapshots).collect()
    };
    let mut edits = Vec::new();
    for file in project.scenario_files() {
        let path = accepted_path(&file);
        let Ok(text) = project.overlay.read(&path) else { continue };
        let Ok(accepted) = Snapshots::load(project.overlay, &path) else { continue };
        if !text.contains(name) || found(project, &file).iter().any(|(name, text)| accepted.get(name) != Some(text)) {
            continue;
        }
        let mut renamed = accepted.clone();
        for (name, text) in found(&mut project.over(changed), &file) {
            renamed.set(&name, &text);
        }
        if renamed != accepted {
            edits.push(Edit { path, span: Span::new(0..text.len()), text: renamed.text() });
        }
    }
    edits
}

/// Checks that a word can be a name.
fn possible(key: &Key, new: &str) -> Result<(), RenameError> {
    let plain = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '-';
    let fits = match key.kind {
        NameKind::Position => !new.is_empty() && !new.contains(['"', '{', '}', '\n']),
        NameKind::Card => !new.is_empty() && new.trim() == new && unwritable(new).is_none(),
        NameKind::Clause => {
            let letters = new.trim_end_matches(|letter: char| letter.is_ascii_digit());
            !letters.is_empty() && letters.len() < new.len() && letters.bytes().all(|byte| byte.is_ascii_uppercase())
        }
        NameKind::Function | NameKind::Constant | NameKind::Property | NameKind::Printed | NameKind::Variable => {
            new.chars().next().is_some_and(|first| first.is_alphabetic() || first == '_')
                && new.chars().all(|letter| letter.is_alphanumeric() || letter == '_')
        }
        NameKind::Value | NameKind::Variant => {
            new.chars().next().is_some_and(char::is_alphanumeric) && new.chars().all(plain)
        }
        // A number would be read as one.
        _ => new.chars().next().is_some_and(char::is_alphabetic) && new.chars().all(plain),
    };
    if !fits {
        return Err(RenameError(format!("`{new}` cannot be the name of a {}", key.kind.words())));
    }
    let may_be_keyword =
        matches!(key.kind, NameKind::Position | NameKind::Function | NameKind::Variable | NameKind::Card);
    if is_keyword(new) && !may_be_keyword {
        return Err(RenameError(format!("`{new}` is a word of the language")));
    }
    Ok(())
}

/// Returns the files with edits applied to copies of them.
fn changed<'h>(project: &Project<'h>, edits: &[Edit]) -> Result<Overlay<'h>, RenameError> {
    let files: BTreeSet<&PathBuf> = edits.iter().map(|edit| &edit.path).collect();
    let changed = Overlay::new(project.overlay.root().to_path_buf(), project.overlay);
    for file in files {
        let text = project.overlay.read(file).map_err(|error| RenameError(format!("{}: {error}", file.display())))?;
        let own = edits.iter().filter(|edit| edit.path == *file);
        changed.set(file, applied(&text, own));
    }
    Ok(changed)
}

/// Checks that edits cause no new errors in the files that they change.
fn harmless(project: &mut Project<'_>, changed: &Overlay<'_>, edits: &[Edit]) -> Result<(), RenameError> {
    let files: BTreeSet<&PathBuf> = edits.iter().map(|edit| &edit.path).collect();
    let mut before = BTreeMap::new();
    for file in &files {
        before.insert(*file, problems(project, file).len());
    }
    let mut after = project.over(changed);
    for (file, count) in before {
        let found = problems(&mut after, file);
        if let Some(first) = found.first().filter(|_| found.len() > count) {
            return Err(RenameError(format!("this name would cause an error: {}", in_one_line(first))));
        }
    }
    Ok(())
}

fn in_one_line(wrong: &Diagnostic) -> String {
    match wrong.place() {
        Some((file, line)) => format!("{} ({file}:{line})", wrong.message),
        None => wrong.message.clone(),
    }
}
