//! Checks that a game has one name: that of its folder, of its file and after `game`.

use std::path::Path;
use std::sync::Arc;

use super::search_path::{Folder, SearchPath};
use referee_diagnostic::{Code, Diagnostic};
use referee_source::{Source, Span};
use referee_syntax::ast::{File, LineKind};
use referee_syntax::{FileKind, parse};

/// Returns the error of a `.game` file in a folder of another name, where nothing finds it.
#[must_use]
pub fn misplaced(search_path: &SearchPath<'_>, file: &Path) -> Option<Diagnostic> {
    let stem = file.file_stem()?.to_string_lossy().into_owned();
    let folder = Folder { built_in: false, path: file.parent()?.to_path_buf() };
    let own = search_path.name_of(&folder).filter(|own| *own != stem)?;
    let (name, text) = read(search_path, &folder, &stem)?;
    let source = folder.source(Path::new(&name), text);
    let (ast, _) = parse(&source, FileKind::Game);
    Some(differing(search_path, &folder, &ast, &stem, &own))
}

/// Returns the error if the lines of the file `stem.game` name another game, or its folder has another name.
pub(super) fn wrong_name(search_path: &SearchPath<'_>, folder: &Folder, ast: &File, stem: &str) -> Option<Diagnostic> {
    let own = search_path.name_of(folder).unwrap_or_else(|| stem.to_owned());
    // A missing line is reported as such.
    let line = ast.source.word(game_line(ast)?).text;
    (line != stem || own != stem).then(|| differing(search_path, folder, ast, stem, &own))
}

/// Returns the error for a folder that has a `.game` file, but none of its own name.
pub(super) fn other_file(search_path: &SearchPath<'_>, folder: &Folder) -> Option<Diagnostic> {
    let own = search_path.name_of(folder)?;
    let stem = search_path.game_files(folder).into_iter().find(|stem| *stem != own)?;
    let (name, text) = read(search_path, folder, &stem)?;
    let (ast, _) = parse(&folder.source(Path::new(&name), text), FileKind::Game);
    Some(differing(search_path, folder, &ast, &stem, &own))
}

fn read(search_path: &SearchPath<'_>, folder: &Folder, stem: &str) -> Option<(String, String)> {
    let name = format!("{stem}.game");
    let text = search_path.read(folder, Path::new(&name)).ok()?;
    Some((name, text))
}

fn game_line(ast: &File) -> Option<Span> {
    ast.lines.iter().find_map(|line| match line.kind {
        LineKind::Game { id, .. } => Some(id),
        _ => None,
    })
}

/// Returns the error for a game whose three names are not one: that of its line, of its file and of its folder (`own`).
fn differing(search_path: &SearchPath<'_>, folder: &Folder, ast: &File, stem: &str, own: &str) -> Diagnostic {
    let source: &Arc<Source> = &ast.source;
    let named = game_line(ast);
    let line = named.map_or(stem, |span| source.word(span).text);
    let has_other = stem != own && search_path.game_files(folder).iter().any(|other| other == own);
    let (message, help) = if stem == own {
        (
            format!("the file is named `{stem}.game`, but the game `{line}`"),
            format!("write `game {stem}`, or rename the file and its folder to `{line}`"),
        )
    } else if line == stem {
        let help = match search_path.has_beside(folder, stem) {
            true => format!("write `game {own}` and rename the file to `{own}.game`"),
            false => {
                format!("rename the folder to `{stem}`, or write `game {own}` and rename the file to `{own}.game`")
            }
        };
        (format!("the game is named `{stem}`, but its folder `{own}`"), help)
    } else if line == own {
        (format!("the game is named `{line}`, but its file `{stem}.game`"), format!("rename the file to `{own}.game`"))
    } else {
        (
            format!("the game is named `{line}`, its file `{stem}.game`, and its folder `{own}`"),
            format!("write `game {own}`, and rename the file to `{own}.game`"),
        )
    };
    let help = match has_other {
        true => {
            let write = if line == stem { String::new() } else { format!("write `game {stem}` and ") };
            format!(
                "a folder holds one game, and this one has `{own}.game`: remove this file, or {write}move it to a folder \
                 `{stem}`"
            )
        }
        false => help,
    };
    Diagnostic::new(Code::WrongId, source, named.unwrap_or_default(), message).help(help)
}
