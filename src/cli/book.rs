//! `referee book`: a rulebook in Markdown with its examples, run and drawn, as a page or as chapters of an mdBook.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use clap::Args;

use super::Exit;
use super::book_chapters::{self, Given};
use super::book_failures::failed;
use super::book_pictures::pictures;
use super::chosen::{Chosen, Selection, invalid, run_chosen};
use super::discover;
use super::disk::{Disk, whole};
use super::output::{print, print_data, print_error};
use super::playground_links::Links;
use referee_diagnostic::{counted, one_line, printable};
use referee_report::{BookPage, Example, book_page, clauses_without_example};
use referee_scenario::PlannedTest;
use referee_source::{Host, HostError};
use referee_trace::TestResult;

/// The arguments of `referee book`.
#[derive(Debug, Args)]
pub(super) struct BookArguments {
    /// The rulebook: a Markdown file
    #[arg(required_unless_present = "mdbook")]
    file: Option<PathBuf>,
    /// Also show the scenarios of these files, folders, lines of a file as in `a.scenario:12`, or games
    paths: Vec<PathBuf>,
    /// Write the page to this file [default: standard output]
    #[arg(long, value_name = "FILE", conflicts_with = "mdbook")]
    out: Option<PathBuf>,
    /// Look for games in this folder first
    #[arg(long, value_name = "DIR", value_parser = super::arguments::folder)]
    games: Option<PathBuf>,
    /// Link each example to the playground at this address
    #[arg(long, value_name = "ADDRESS", value_parser = super::playground_links::address)]
    playground: Option<String>,
    /// Number of threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = super::arguments::threads)]
    jobs: Option<NonZeroUsize>,
    /// Be a preprocessor of mdBook: read a book on standard input, and write it with its examples to standard output
    #[arg(long)]
    mdbook: bool,
}

/// Makes the page, or the chapters.
pub(super) fn run(arguments: &BookArguments) -> Exit {
    if arguments.mdbook {
        let words = arguments.file.iter().chain(&arguments.paths).map(|word| word.to_string_lossy().into_owned());
        let given = Given {
            games: arguments.games.as_ref(),
            playground: arguments.playground.as_deref(),
            jobs: arguments.jobs,
        };
        return book_chapters::run(&words.collect::<Vec<_>>(), given);
    }
    let Some(file) = &arguments.file else { return Exit::Usage };
    let wrong = not_a_rulebook(file).or_else(|| arguments.out.as_deref().and_then(taken));
    if let Some(message) = wrong {
        print_error(&message);
        return Exit::Usage;
    }
    let paths: Vec<PathBuf> = std::iter::once(file).chain(&arguments.paths).cloned().collect();
    let selection = Selection {
        paths: &paths,
        scenario: None,
        options: super::arguments::options(arguments.games.as_ref()),
        jobs: arguments.jobs,
        helps: true,
        lean: false,
    };
    let name = file.to_string_lossy().replace('\\', "/");
    let links = arguments.playground.as_ref().map(|address| Links::new(&Disk, address, selection.options.clone()));
    let judged = run_chosen(&selection, |loader, work| match work.test {
        Some(test) => {
            let judged = referee_scenario::judge_watched(loader, work.suite, test);
            let result = judged.result.clone();
            let covers = work.suite.tests.get(test).map(PlannedTest::covers).unwrap_or_default();
            let mut example = Example::of(judged, covers, *work.suite.file == *name);
            if let Some(example) = &mut example {
                example.playground = links.as_ref().and_then(|links| links.of(work.suite, Some(test)));
            }
            (result, example)
        }
        None => (invalid(work.suite), None),
    });
    if let (Ok(_), Some(links)) = (&judged, &links) {
        links.remark_on_left_out();
    }
    match judged {
        Ok((chosen, ran)) => finish(arguments, (file, &name), &chosen, ran),
        Err(message) => {
            print_error(&message);
            Exit::Usage
        }
    }
}

/// Returns an error message if a file is no rulebook in Markdown.
fn not_a_rulebook(file: &Path) -> Option<String> {
    let shown = one_line(&file.to_string_lossy());
    if file.is_file() {
        let is_markdown = file.extension().is_some_and(|extension| extension == "md");
        return (!is_markdown).then(|| {
            format!(
                "`{shown}` is no rulebook\nname a Markdown file first, and then the scenarios to show beside its own"
            )
        });
    }
    if file.is_dir() {
        let inside = std::fs::read_dir(file).into_iter().flatten().filter_map(Result::ok).map(|entry| entry.path());
        let mut pages: Vec<PathBuf> = inside.filter(|path| path.extension().is_some_and(|own| own == "md")).collect();
        pages.sort();
        let help = match pages.first() {
            Some(page) => {
                format!("name the rulebook itself: `{}`", one_line(&page.to_string_lossy().replace('\\', "/")))
            }
            None => "name the rulebook, a Markdown file, first".to_owned(),
        };
        return Some(format!("`{shown}` is a folder\n{help}"));
    }
    let help = "name the rulebook, a Markdown file, first";
    let help = discover::near(file).unwrap_or_else(|| help.to_owned());
    Some(format!("no such file: `{shown}`\n{help}"))
}

/// Returns an error message if a page would replace a file that is no earlier page.
fn taken(out: &Path) -> Option<String> {
    let is_free = match Disk.read(out) {
        Ok(text) => text.is_empty() || text.contains("<meta name=\"generator\" content=\"referee\">"),
        Err(error) => matches!(error, HostError::NotFound),
    };
    let shown = one_line(&out.to_string_lossy());
    (!is_free)
        .then(|| format!("`{shown}` is no earlier page, so nothing was run\nname another file, or delete this one"))
}

/// A test that was run, and the example that it is if it passes.
type Ran = (TestResult, Option<Example>);

/// Reports the failures; writes the page if there are none.
fn finish(arguments: &BookArguments, (file, name): (&Path, &str), chosen: &Chosen, ran: Vec<Ran>) -> Exit {
    let mut results: Vec<Vec<TestResult>> = chosen.suites.iter().map(|_| Vec::new()).collect();
    let (mut own, mut further) = (Vec::new(), Vec::new());
    for ((suite, _), (result, example)) in chosen.tests.iter().zip(ran) {
        let into = if *result.file == *name { &mut own } else { &mut further };
        into.extend(example);
        if let Some(results) = results.get_mut(*suite) {
            results.push(result);
        }
    }
    if let Some(exit) = failed(chosen.suites.iter().zip(&results)) {
        return exit;
    }
    chosen.missed.iter().for_each(|message| print_error(message));
    if !chosen.missed.is_empty() {
        return Exit::Nothing;
    }
    if own.is_empty() && further.is_empty() {
        print_error(&format!(
            "no examples: `{name}` has no scenario blocks\nname the scenarios to show, a file, a folder or a game, after it"
        ));
        return Exit::Nothing;
    }
    let text = match Disk.read(file) {
        Ok(text) => text,
        Err(error) => {
            print_error(&format!("cannot read `{name}`: {error}"));
            return Exit::Invalid;
        }
    };
    let pictures = pictures(file, &text);
    let page = BookPage { name, text: &text, own: &own, further: &further, pictures: &pictures };
    write(arguments, &page)
}

/// Writes the page, and lists the clauses without an example.
fn write(arguments: &BookArguments, page: &BookPage<'_>) -> Exit {
    let text = book_page(page);
    let Some(out) = &arguments.out else {
        print_data(&text);
        return Exit::Passed;
    };
    let shown = one_line(&out.to_string_lossy());
    if let Err(error) = whole(out, &text) {
        print_error(&format!("cannot write the page to `{shown}`: {error}"));
        return Exit::Usage;
    }
    let (clauses, missing) = clauses_without_example(page);
    let examples = counted(page.own.len() + page.further.len(), "example");
    let shown_clauses = if clauses == 0 {
        String::new()
    } else {
        format!(", {} of {clauses} clauses are shown", clauses - missing.len())
    };
    print(&printable(&format!("{shown}: {examples}{shown_clauses}\n")));
    if !missing.is_empty() {
        print(&printable(&format!("no example shows {}\n", missing.join(" "))));
    }
    Exit::Passed
}
