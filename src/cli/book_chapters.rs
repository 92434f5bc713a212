//! `referee book --mdbook`: a preprocessor of mdBook.

use std::collections::BTreeMap;
use std::io::Read;
use std::num::NonZeroUsize;
use std::path::{Component, Path, PathBuf};

use super::Exit;
use super::book::failed;
use super::chosen::invalid;
use super::disk::Disk;
use super::output::{print, print_error};
use super::workers::spread;
use crate::report::{BookText, ChapterText, Example, MdBook, ShownExample, book_chapter, example_id};
use crate::scenario::{self, Loader, LoaderOptions, Suite, has_scenarios};
use crate::source::{Host, HostError};
use crate::trace::TestResult;

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

/// Answers mdBook: whether a renderer is supported, or the book with its examples.
pub(super) fn run(words: &[String], games: Option<&PathBuf>, jobs: Option<NonZeroUsize>) -> Exit {
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
        Ok(book) => preprocess(book, games, jobs),
        Err(message) => {
            print_error(&format!("cannot read the book on standard input: {message}"));
            Exit::Usage
        }
    }
}

/// Writes the book with its examples, if all pass.
fn preprocess(book: MdBook, games: Option<&PathBuf>, jobs: Option<NonZeroUsize>) -> Exit {
    let chapters = book.chapters();
    let working_folder = std::env::current_dir().unwrap_or_default();
    let root = Path::new(book.root());
    let root = root.strip_prefix(&working_folder).unwrap_or(root);
    let folder = root.join(book.chapters_folder());
    let paths: Vec<PathBuf> = chapters.iter().map(|chapter| plain(&folder.join(&chapter.path))).collect();
    let games = games.cloned().or_else(|| book.games().map(|games| root.join(games)));
    if let Some(missing) = games.as_ref().filter(|games| !games.is_dir()) {
        print_error(&format!("no such folder of games: `{}`", missing.display()));
        return Exit::Usage;
    }
    let texts = paths.iter().cloned().zip(chapters.iter().map(|chapter| chapter.text.clone())).collect();
    let options = super::arguments::options(games.as_ref());
    let ran = ran(&Chapters { texts }, &options, jobs, &paths, &chapters);
    if let Some(exit) = failed(ran.iter().flatten().map(|ran| (&ran.suite, &ran.results))) {
        return exit;
    }
    let examples: Vec<Vec<Example>> =
        ran.into_iter().map(|ran| ran.map(|ran| ran.examples).unwrap_or_default()).collect();
    print(&(book.with(texts_of(&chapters, &examples)) + "\n"));
    Exit::Passed
}

/// A chapter whose scenarios were run.
struct Ran {
    suite: Suite,
    results: Vec<TestResult>,
    examples: Vec<Example>,
}

/// Runs the scenarios of each chapter that has any.
fn ran(
    host: &Chapters,
    options: &LoaderOptions,
    jobs: Option<NonZeroUsize>,
    paths: &[PathBuf],
    chapters: &[ChapterText],
) -> Vec<Option<Ran>> {
    let cores = || std::thread::available_parallelism().ok();
    let threads = jobs.or_else(cores).map_or(1, NonZeroUsize::get);
    let loader = || Loader::new(host, options.clone());
    spread(chapters.len(), threads, loader, |loader, at| {
        let (path, chapter) = paths.get(at).zip(chapters.get(at))?;
        if !has_scenarios(&chapter.text) {
            return None;
        }
        let suite = scenario::plan(loader, path);
        let (mut results, mut examples) = (Vec::new(), Vec::new());
        results.extend((suite.loose_problems().next().is_some()).then(|| invalid(&suite)));
        for test in 0..suite.tests.len() {
            let judged = scenario::judge_watched(loader, &suite, test);
            results.push(judged.result.clone());
            examples.extend(Example::of(judged, true));
        }
        Some(Ran { suite, results, examples })
    })
}

/// Returns the new text of each chapter; `None` for one that stays as it is.
fn texts_of(chapters: &[ChapterText], examples: &[Vec<Example>]) -> Vec<Option<String>> {
    let prefix = |at: usize| format!("{}-", at + 1);
    let text = |(at, (chapter, own)): (usize, (&ChapterText, &Vec<Example>))| {
        let all = chapters.iter().zip(examples).enumerate().flat_map(|(other, (to, examples))| {
            let page = if other == at { String::new() } else { address(&chapter.path, &to.path) };
            examples.iter().enumerate().map(move |(number, example)| ShownExample {
                example,
                address: format!("{page}#{}", example_id(&prefix(other), number + 1)),
            })
        });
        let shown: Vec<ShownExample<'_>> = all.collect();
        book_chapter(&BookText { text: &chapter.text, own, shown: &shown, prefix: &prefix(at) })
    };
    chapters.iter().zip(examples).enumerate().map(text).collect()
}

/// Returns the address of a chapter's page, seen from that of another chapter.
fn address(from: &str, to: &str) -> String {
    let up = "../".repeat(from.matches('/').count());
    let stem = to.strip_suffix(".md").unwrap_or(to);
    let (folder, name) = stem.rsplit_once('/').map_or(("", stem), |(folder, name)| (folder, name));
    // mdBook makes the first page of a folder of its README.
    let name = if name.eq_ignore_ascii_case("readme") { "index" } else { name };
    if folder.is_empty() { format!("{up}{name}.html") } else { format!("{up}{folder}/{name}.html") }
}

/// Returns a path without `.`.
fn plain(path: &Path) -> PathBuf {
    path.components().filter(|part| *part != Component::CurDir).collect()
}
