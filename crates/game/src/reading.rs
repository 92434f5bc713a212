//! Reads the files that others name.

use std::path::{Component, Path};
use std::sync::Arc;

use super::search_path::{Folder, SearchPath};
use referee_diagnostic::{Code, Diagnostic, nearest};
use referee_source::{HostError, Source, Span};

/// Returns the error for a file that cannot be read.
pub(super) fn unreadable(shown: &str, error: &HostError) -> Diagnostic {
    Diagnostic::general(Code::UnreadableFile, format!("cannot read {shown}: {error}"))
}

/// Returns the path `text`, if it is inside the game's folder.
pub(super) fn inside(source: &Arc<Source>, text: &str, span: Span) -> Result<std::path::PathBuf, Box<Diagnostic>> {
    let path = Path::new(text).to_path_buf();
    let within = path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    if within && !path.as_os_str().is_empty() {
        return Ok(path);
    }
    let message = if text.is_empty() { "no file is named here" } else { "this path is outside the game's folder" };
    Err(Box::new(
        Diagnostic::new(Code::PathOutside, source, span, message)
            .help("name a file in the folder of the game file, such as `rules.rhai`"),
    ))
}

/// Returns the text of a file that the words at `span` name.
pub(super) fn read(
    search_path: &SearchPath<'_>,
    folder: &Folder,
    source: &Arc<Source>,
    span: Span,
    path: &Path,
) -> Result<Arc<Source>, Box<Diagnostic>> {
    let text = search_path.read(folder, path).map_err(|error| {
        let message = format!("cannot read `{}`: {error}", path.display());
        let within = path.parent().map(|parent| parent.to_string_lossy().into_owned()).unwrap_or_default();
        let there = search_path.list(folder, &within).unwrap_or_default();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let alike = there.iter().filter(|other| Path::new(other).extension() == path.extension());
        let near = nearest(&name, alike.map(String::as_str)).map(|near| path.with_file_name(near));
        let help = match (&error, near) {
            (HostError::NotUtf8(_), _) => "choose the encoding UTF-8 where your editor saves the file".to_owned(),
            (HostError::NotFound, Some(near)) => format!("did you mean `{}`?", near.display()),
            (HostError::Other(_), _) => "change the permissions of the file so that it can be read".to_owned(),
            _ if within.starts_with("house/") => {
                format!("put the file into the folder `{within}` beside the game file, with exactly this name")
            }
            _ => "put the file into the folder of the game file, with exactly this name".to_owned(),
        };
        Box::new(Diagnostic::new(Code::UnreadableFile, source, span, message).help(help))
    })?;
    Ok(folder.source(path, text))
}
