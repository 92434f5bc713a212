//! Links from reports to the playground: each opens the files of an example in the page, at its line.
//!
//! The form is that of the page's own links (docs/playground.md): the letter `1`, then base64url of DEFLATE of
//! `{"v": VERSION, "game": NAME or null, "files": {PATH: TEXT or null}, "at": PATH, "line": NUMBER}`. `files` has what
//! differs from the bundled game; `null` is a file that the bundled game has and this one has not. An example whose link
//! would be too long has none, and is remarked on at the end.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Component, Path};
use std::sync::{Arc, Mutex, PoisonError};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use serde_json::json;

use super::output::remark;
use referee_diagnostic::{counted, one_line};
use referee_game::{GameFiles, SearchPath, built_in_files, is_built_in};
use referee_scenario::{LoaderOptions, Suite};
use referee_source::{Host, quoted};

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

/// The examples of a file whose links are too long, by their lines: the title and the length of each.
type TooLong = BTreeMap<usize, (String, usize)>;

impl Files {
    /// Returns the path of the largest file in a link, and its size in bytes.
    fn largest(&self) -> (&str, usize) {
        let size = |text: &Option<String>| text.as_ref().map_or(0, String::len);
        let largest = self.changed.iter().max_by_key(|(_, text)| size(text));
        largest.map_or((self.path.as_str(), 0), |(path, text)| (path, size(text)))
    }
}

/// Makes links to the examples of files.
pub(super) struct Links<'h> {
    host: &'h (dyn Host + Sync),
    address: String,
    options: LoaderOptions,
    known: Mutex<Known>,
    /// By the file with the examples, and the largest file that a link to them has, with its size in bytes.
    left_out: Mutex<BTreeMap<(String, String, usize), TooLong>>,
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

impl<'h> Links<'h> {
    /// Links to the page at an address, for examples on a host and games that are found with these options.
    pub(super) fn new(host: &'h (dyn Host + Sync), address: &str, options: LoaderOptions) -> Self {
        let (known, left_out) = (Mutex::default(), Mutex::default());
        Self { host, address: address.to_owned(), options, known, left_out }
    }

    /// Returns the link to a test of a suite; `None` if a file cannot be read, or the link would be too long.
    pub(super) fn of(&self, suite: &Suite, test: Option<usize>) -> Option<String> {
        let test = suite.tests.get(test?)?;
        let files = self.files(&suite.file, test.game.as_deref()?)?;
        let link = self.link(&files, test.line)?;
        if link.len() > LONGEST {
            let (path, size) = files.largest();
            let mut left_out = self.left_out.lock().unwrap_or_else(PoisonError::into_inner);
            let place = (suite.file.to_string(), path.to_owned(), size);
            left_out.entry(place).or_default().insert(test.line, (test.title(), link.len()));
            return None;
        }
        Some(link)
    }

    fn link(&self, files: &Files, line: usize) -> Option<String> {
        let shared = json!({
            "v": env!("CARGO_PKG_VERSION"),
            "game": files.game,
            "files": files.changed,
            "at": files.path,
            "line": line,
        });
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(shared.to_string().as_bytes()).ok()?;
        Some(format!("{}#1{}", self.address, URL_SAFE_NO_PAD.encode(encoder.finish().ok()?)))
    }

    /// Prints which examples have no link, and why.
    pub(super) fn remark_on_left_out(&self) {
        let left_out = self.left_out.lock().unwrap_or_else(PoisonError::into_inner);
        for ((file, largest, size), examples) in left_out.iter() {
            let Some((line, (title, length))) = examples.first_key_value() else { continue };
            let others = match examples.len() {
                1 => String::new(),
                count => format!(" and {} below it", counted(count - 1, "example")),
            };
            let cure = match in_page(file) == *largest {
                true => "put its examples into several files",
                false => "make that file smaller, or let `referee playground` show the project",
            };
            remark(&one_line(&format!(
                "no link to the playground for {file}:{line} {}{others}: it would have {length} characters, and no more \
                 than {LONGEST} are written; the largest file in it is {largest} with {}: {cure}",
                quoted(title),
                counted(*size, "byte"),
            )));
        }
    }

    fn files(&self, file: &str, game: &str) -> Option<Arc<Files>> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let place = (file.to_owned(), game.to_owned());
        known.entry(place).or_insert_with(|| self.read(file, game).map(Arc::new)).clone()
    }

    fn read(&self, file: &str, game: &str) -> Option<Files> {
        let text = self.host.read(Path::new(file)).ok()?;
        let search_path = SearchPath::new(self.host, self.options.games.clone(), self.options.working_folder.clone());
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
    [".rhai", ".yaml", ".yml", ".md", ".game", ".house"].iter().any(|extension| path.ends_with(extension))
}

/// Returns the path that a file outside the game's folder has in the page: as it is written, or only its name if that
/// leads outside the working folder.
fn in_page(file: &str) -> String {
    let path = Path::new(file.strip_prefix("./").unwrap_or(file));
    let is_below = path.components().all(|part| matches!(part, Component::Normal(_)));
    let name = || path.file_name().map(|name| name.to_string_lossy().into_owned());
    if is_below { path.to_string_lossy().replace('\\', "/") } else { name().unwrap_or_default() }
}
