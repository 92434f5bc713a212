//! `referee book --mdbook`: a preprocessor of mdBook.

use std::collections::BTreeMap;
use std::io::Read;
use std::num::NonZeroUsize;
use std::path::{Component, Path, PathBuf};

use super::Exit;
use super::book_failures::failed;
use super::chosen::invalid;
use super::disk::Disk;
use super::output::{print_data, print_error};
use super::playground_links::{self, Links};
use super::workers::spread;
use referee_game::clause_places;
use referee_report::{
    BookText, ChapterText, Example, MdBook, ShownClause, ShownExample, book_chapter, clauses_of, example_id,
};
use referee_scenario::{Loader, LoaderOptions, Suite, has_scenarios};
use referee_source::{Host, HostError};
use referee_trace::TestResult;

/// The renderer that the chapters are for.
const RENDERER: &str = "html";

/// The disk, on which the chapters have the texts that mdBook passes.
struct Chapters {
    texts: BTreeMap<PathBuf, String>,
}

impl Host for Chapters {
    fn read(&self, path: &Path) -> Result<String, HostError> {
        self.texts.get(path).map_or_else(|| Disk.read(path), |text| Ok(text.clone()))
    }

    fn read_within(&self, folder: &Path, path: &Path) -> Result<String, HostError> {
        Disk.read_within(folder, path)
    }

    fn list(&self, folder: &Path) -> Result<Vec<PathBuf>, HostError> {
        Disk.list(folder)
    }

    fn is_folder(&self, path: &Path) -> bool {
        Disk.is_folder(path)
    }

    fn has_folder(&self, path: &Path) -> Result<bool, HostError> {
        Disk.has_folder(path)
    }
}

/// What the command line says; the folder of games and the playground may also stand in `book.toml`.
#[derive(Clone, Copy)]
pub(super) struct Given<'g> {
    pub(super) games: Option<&'g PathBuf>,
    pub(super) playground: Option<&'g str>,
    pub(super) jobs: Option<NonZeroUsize>,
}

/// Answers mdBook: whether a renderer is supported, or the book with its examples.
pub(super) fn run(words: &[String], given: Given<'_>) -> Exit {
    match words {
        [] => {}
        [asked, renderer] if asked == "supports" => {
            return if renderer == RENDERER { Exit::Passed } else { Exit::Failed };
        }
        _ => {
            print_error("`--mdbook` needs no file\nmdBook calls `referee book --mdbook` by itself: see `book.toml`");
            return Exit::Usage;
        }
    }
    let mut json = String::new();
    let read = std::io::stdin().lock().read_to_string(&mut json).map_err(|error| error.to_string());
    match read.and_then(|_| MdBook::read(&json)) {
        Ok(book) => preprocess(book, given).unwrap_or_else(|message| {
            print_error(&message);
            Exit::Usage
        }),
        Err(message) => {
            print_error(&format!("cannot read the book on standard input: {message}"));
            Exit::Usage
        }
    }
}

/// Writes the book with its examples, if all pass.
///
/// # Errors
/// Returns an error message if the table of this preprocessor in `book.toml` is wrong.
fn preprocess(book: MdBook, given: Given<'_>) -> Result<Exit, String> {
    let chapters = book.chapters();
    let working_folder = std::env::current_dir().unwrap_or_default();
    let root = Path::new(book.root());
    let root = root.strip_prefix(&working_folder).unwrap_or(root);
    let folder = root.join(book.chapters_folder());
    let paths: Vec<PathBuf> = chapters.iter().map(|chapter| plain(&folder.join(&chapter.path))).collect();
    let settings = book.settings()?;
    let games = given.games.cloned().or_else(|| settings.games.map(|games| root.join(games)));
    if let Some(missing) = games.as_ref().filter(|games| !games.is_dir()) {
        return Err(format!("no such folder of games: `{}`", missing.display()));
    }
    let of_book = settings.playground.map(address_of).transpose()?;
    let playground = given.playground.map(str::to_owned).or(of_book);
    let texts = paths.iter().cloned().zip(chapters.iter().map(|chapter| chapter.text.clone())).collect();
    let host = Chapters { texts };
    let options = super::arguments::options(games.as_ref());
    let links = playground.map(|address| Links::new(&host, &address, options.clone()));
    let running = Running { host: &host, options: &options, links: links.as_ref() };
    let ran = ran(&running, given.jobs, &paths, &chapters);
    if let Some(exit) = failed(ran.iter().flatten().map(|ran| (&ran.suite, &ran.results))) {
        return Ok(exit);
    }
    if let Some(links) = &links {
        links.remark_on_left_out();
    }
    let examples: Vec<Vec<Example>> =
        ran.into_iter().map(|ran| ran.map(|ran| ran.examples).unwrap_or_default()).collect();
    print_data(&(book.with(texts_of(&chapters, &examples)) + "\n"));
    Ok(Exit::Passed)
}

/// Returns the address of a playground that `book.toml` names.
fn address_of(text: &str) -> Result<String, String> {
    playground_links::address(text)
        .map_err(|why| format!("`playground` in `[preprocessor.referee]` of `book.toml` is no address\n{why}"))
}

/// What chapters are run with.
struct Running<'r> {
    host: &'r Chapters,
    options: &'r LoaderOptions,
    links: Option<&'r Links<'r>>,
}

/// A chapter whose scenarios were run.
struct Ran {
    suite: Suite,
    results: Vec<TestResult>,
    examples: Vec<Example>,
}

/// Runs the scenarios of each chapter that has any.
fn ran(
    running: &Running<'_>,
    jobs: Option<NonZeroUsize>,
    paths: &[PathBuf],
    chapters: &[ChapterText],
) -> Vec<Option<Ran>> {
    let cores = || std::thread::available_parallelism().ok();
    let threads = jobs.or_else(cores).map_or(1, NonZeroUsize::get);
    let loader = || Loader::new(running.host, running.options.clone());
    spread(chapters.len(), threads, loader, |loader, at| {
        let (path, chapter) = paths.get(at).zip(chapters.get(at))?;
        if !has_scenarios(&chapter.text) {
            return None;
        }
        let suite = referee_scenario::plan(loader, path);
        let (mut results, mut examples) = (Vec::new(), Vec::new());
        results.extend((suite.loose_problems().next().is_some()).then(|| invalid(&suite)));
        for (at, test) in suite.tests.iter().enumerate() {
            let judged = referee_scenario::judge_watched(loader, &suite, at);
            results.push(judged.result.clone());
            let example = Example::of(judged, test.covers(), true);
            examples.extend(example.map(|mut example| {
                example.playground = running.links.and_then(|links| links.of(&suite, Some(at)));
                example
            }));
        }
        Some(Ran { suite, results, examples })
    })
}

/// Returns the new text of each chapter; `None` for one that stays as it is.
fn texts_of(chapters: &[ChapterText], examples: &[Vec<Example>]) -> Vec<Option<String>> {
    let prefixes: Vec<String> = (1..=chapters.len()).map(|number| format!("{number}-")).collect();
    let texts = || chapters.iter().zip(examples).zip(&prefixes);
    let shown_from = |from: &ChapterText| {
        let mut shown: Vec<ShownExample<'_>> = Vec::new();
        // Only clauses name examples.
        let has_clauses = !clause_places(&from.text).is_empty();
        for ((to, own), prefix) in texts().filter(|_| has_clauses) {
            let (page, is_own) = (address(from, to), to.path == from.path);
            shown.extend(own.iter().enumerate().map(|(at, example)| {
                let address = format!("{page}#{}", example_id(prefix, at + 1));
                ShownExample { example, address, is_own }
            }));
        }
        shown
    };
    let clauses = texts().map(|((chapter, own), prefix)| {
        let (text, shown) = (chapter.text.as_str(), shown_from(chapter));
        clauses_of(&BookText { text, own, shown: &shown, elsewhere: &[], prefix })
    });
    let clauses: Vec<Vec<ShownClause>> = clauses.collect();
    let written = texts().map(|((chapter, own), prefix)| {
        let (text, shown) = (chapter.text.as_str(), shown_from(chapter));
        let mut elsewhere: Vec<ShownClause> = Vec::new();
        for (to, own) in chapters.iter().zip(&clauses).filter(|(to, _)| to.path != chapter.path) {
            let page = address(chapter, to);
            let far = |clause: &ShownClause| format!("{page}{}", clause.address);
            elsewhere.extend(own.iter().map(|clause| ShownClause { address: far(clause), ..clause.clone() }));
        }
        book_chapter(&BookText { text, own, shown: &shown, elsewhere: &elsewhere, prefix })
    });
    written.collect()
}

/// Returns the address of a chapter's page, seen from that of another chapter; empty for the same chapter.
fn address(from: &ChapterText, to: &ChapterText) -> String {
    if from.path == to.path {
        return String::new();
    }
    format!("{}{}", "../".repeat(from.page.matches('/').count()), to.page)
}

/// Returns a path without `.`.
fn plain(path: &Path) -> PathBuf {
    path.components().filter(|part| *part != Component::CurDir).collect()
}
