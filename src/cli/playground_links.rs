//! Links from reports to the playground: each opens the files of an example in the page, at its line.
//!
//! The form is that of the page's own links (docs/playground.md): the letter `1`, then base64url of DEFLATE of
//! `{"v": VERSION, "game": NAME or null, "files": {PATH: TEXT or null}, "at": PATH, "line": NUMBER}`. `files` has what
//! differs from the bundled game; `null` is a file that the bundled game has and this one has not.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Component, Path};
use std::sync::{Arc, Mutex, PoisonError};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use serde_json::json;

use super::disk::Disk;
use crate::game::{GameFiles, SearchPath, built_in_files, is_built_in};
use crate::scenario::{LoaderOptions, Suite};
use crate::source::Host as _;

/// The longest link, in bytes: a page may have hundreds.
const LONGEST: usize = 32_000;

/// The files of an example: the bundled game below them, and by their paths in the page those that differ from it.
struct Files {
    game: Option<String>,
    changed: BTreeMap<String, Option<String>>,
    /// The path of the file with the example.
    path: String,
}

/// The files of examples, by the file with the example and by the game; none if they cannot be read.
type Known = BTreeMap<(String, String), Option<Arc<Files>>>;

/// Makes links to the examples of files.
pub(super) struct Links {
    address: String,
    options: LoaderOptions,
    known: Mutex<Known>,
}

/// Parses the address of a playground.
pub(super) fn address(text: &str) -> Result<String, String> {
    let is_http = ["https://", "http://"].iter().any(|scheme| text.len() > scheme.len() && text.starts_with(scheme));
    if !is_http
        || text.contains(|letter: char| letter.is_whitespace() || letter.is_control() || "#\"'<>`".contains(letter))
    {
        return Err("expected the address of a page, as in `https://example.org/playground/`".to_owned());
    }
    Ok(text.to_owned())
}

impl Links {
    /// Links to the page at an address, for games that are found with these options.
    pub(super) fn new(address: &str, options: LoaderOptions) -> Self {
        Self { address: address.to_owned(), options, known: Mutex::default() }
    }

    /// Returns the link to a test of a suite, in the same way.
    pub(super) fn of(&self, suite: &Suite, test: Option<usize>) -> Option<String> {
        let test = suite.tests.get(test?)?;
        self.link(&suite.file, test.game.as_deref()?, test.line)
    }

    /// Returns the link to the example at a line of a file, for a game as the file names it; `None` if a file cannot be
    /// read, or the link would be too long.
    pub(super) fn link(&self, file: &str, game: &str, line: usize) -> Option<String> {
        let files = self.files(file, game)?;
        let shared = json!({
            "v": env!("CARGO_PKG_VERSION"),
            "game": files.game,
            "files": files.changed,
            "at": files.path,
            "line": line,
        });
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(shared.to_string().as_bytes()).ok()?;
        let link = format!("{}#1{}", self.address, URL_SAFE_NO_PAD.encode(encoder.finish().ok()?));
        (link.len() <= LONGEST).then_some(link)
    }

    fn files(&self, file: &str, game: &str) -> Option<Arc<Files>> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let place = (file.to_owned(), game.to_owned());
        known.entry(place).or_insert_with(|| self.read(file, game).map(Arc::new)).clone()
    }

    fn read(&self, file: &str, game: &str) -> Option<Files> {
        let text = Disk.read(Path::new(file)).ok()?;
        let search_path = SearchPath::new(&Disk, self.options.games.clone(), self.options.working_folder.clone());
        let found = GameFiles::find(&search_path, Path::new(file), game)?;
        let below = found.folder.to_string_lossy().replace('\\', "/");
        let inside = |name: &str| name.strip_prefix(below.as_str()).map(|own| own.trim_start_matches('/').to_owned());
        let own = |name: &str| inside(name).map(|own| format!("games/{game}/{own}"));
        let sources = found.sources().filter(|_| !found.built_in);
        let mut files: BTreeMap<String, String> =
            sources.filter_map(|source| Some((own(source.name())?, source.text().to_owned()))).collect();
        // A rulebook in the folder of its game is there already.
        let path = own(file).filter(|_| !found.built_in).unwrap_or_else(|| in_page(file));
        files.insert(path.clone(), text);
        let bundled: BTreeMap<String, String> = match is_built_in(game) {
            true => built_in_files(game)
                .ok()?
                .into_iter()
                .map(|(own, text)| (format!("games/{game}/{own}"), text))
                .collect(),
            false => BTreeMap::new(),
        };
        let gone = bundled.keys().filter(|own| !found.built_in && is_read(own) && !files.contains_key(*own));
        let mut changed: BTreeMap<String, Option<String>> = gone.map(|own| (own.clone(), None)).collect();
        let differing = files.into_iter().filter(|(own, text)| bundled.get(own) != Some(text));
        changed.extend(differing.map(|(own, text)| (own, Some(text))));
        Some(Files { game: is_built_in(game).then(|| game.to_owned()), changed, path })
    }
}

/// Returns whether a file of a game is read as one of its texts, so that a game without it is another one.
fn is_read(path: &str) -> bool {
    [".rhai", ".yaml", ".yml", ".md", ".game"].iter().any(|extension| path.ends_with(extension))
}

/// Returns the path that a file outside the game's folder has in the page: as it is written, or only its name if that
/// leads outside the working folder.
fn in_page(file: &str) -> String {
    let path = Path::new(file.strip_prefix("./").unwrap_or(file));
    let is_below = path.components().all(|part| matches!(part, Component::Normal(_)));
    let name = || path.file_name().map(|name| name.to_string_lossy().into_owned());
    if is_below { path.to_string_lossy().replace('\\', "/") } else { name().unwrap_or_default() }
}
