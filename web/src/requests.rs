//! The requests of the page.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

use lsp_server::Message;
use referee_diagnostic::{Diagnostic, Renderer};
use referee_draw::STYLE;
use referee_ide::Overlay;
use referee_lsp::{Batch, Desk, Greeting, Runner, Session};
use referee_play::{Progress, watch};
use referee_report::{check_json, games_json, test_json};
use referee_scenario::{Listed, Loader, LoaderOptions, judge, listed, plan};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::engine;
use crate::files::{ROOT, files};
use crate::memory::say;
use crate::play::{Table, table};
use crate::questions::{Asked, Question};

#[derive(Deserialize)]
#[serde(tag = "op", rename_all = "snake_case")]
enum Request {
    /// Replaces all files of the project.
    Files { files: BTreeMap<PathBuf, String> },
    /// Writes a file; removes it without a text.
    Set { path: PathBuf, text: Option<String> },
    /// The style of pictures, for the page to have it once.
    Style,
    /// A message for the language server; its messages are the answer.
    Lsp { message: Value },
    /// Runs the tests of one of the open files that have changed, of this one first; the messages of the language server
    /// are part of the answer.
    Run { first: Option<PathBuf> },
    /// The results of all tests of a file, as `referee test --format json` has them.
    Test { path: PathBuf },
    /// The games with these names, as `referee games --format json` has them.
    Games { names: Vec<String> },
    /// A game at a table.
    Table(Box<Table>),
    /// Begins to answer a question.
    Ask { question: Box<Question> },
    /// Goes on with the question that was begun last, by about so much work.
    More { work: u64 },
}

/// Everything between two requests.
struct Desktop {
    loader: Loader<'static>,
    session: Option<(Session<'static>, Runner<'static>)>,
    /// The files to check and run.
    waiting: Batch,
    question: Option<Asked>,
}

thread_local! {
    static DESKTOP: RefCell<Option<Desktop>> = const { RefCell::new(None) };
}

/// The messages of the language server that the page has not got.
static SENT: Mutex<Vec<Value>> = Mutex::new(Vec::new());

/// Returns how games are loaded.
pub(crate) fn options() -> LoaderOptions {
    LoaderOptions { working_folder: PathBuf::from(ROOT), ..LoaderOptions::default() }
}

/// Answers a request.
pub(crate) fn answer_text(text: &str) -> String {
    match serde_json::from_str(text) {
        Err(error) => json!({ "error": error.to_string() }).to_string(),
        Ok(request) => DESKTOP.with_borrow_mut(|desktop| {
            watch(|progress| say(&in_words(progress).to_string()));
            engine::begin();
            let desktop = desktop.get_or_insert_with(|| Desktop {
                loader: Loader::new(files(), options()),
                session: None,
                waiting: Batch::default(),
                question: None,
            });
            desktop.answer(request).to_string()
        }),
    }
}

/// Returns what is told in the middle of a question.
fn in_words(progress: &Progress<'_>) -> Value {
    match progress {
        Progress::States(count) => json!({ "states": count }),
        Progress::Solving(count) => json!({ "solving": count }),
        Progress::Outcome(name) => json!({ "outcome": name }),
        Progress::Between(chance) | Progress::Is(chance) => json!({ "chance": chance.to_string() }),
    }
}

/// Returns errors as data and as text.
pub(crate) fn wrong(problems: &[Diagnostic]) -> Value {
    let renderer = Renderer::default();
    let rendered: Vec<String> = problems.iter().map(|problem| renderer.render(problem)).collect();
    json!({ "problems": parsed(&check_json(1, problems, &[])), "rendered": rendered })
}

/// Returns a report as data.
pub(crate) fn parsed(report: &str) -> Value {
    serde_json::from_str(report).unwrap_or_default()
}

impl Desktop {
    fn answer(&mut self, request: Request) -> Value {
        match request {
            Request::Files { files: texts } => {
                files().replace(texts);
                self.reload();
                Value::Null
            }
            Request::Set { path, text } => {
                files().set(&path, text);
                if path.extension().is_none_or(|extension| extension != "scenario") {
                    self.reload();
                }
                Value::Null
            }
            Request::Style => json!(STYLE),
            Request::Lsp { message } => self.lsp(message),
            Request::Run { first } => self.run(first.map(|path| Path::new(ROOT).join(path)).as_deref()),
            Request::Test { path } => self.test(&path),
            Request::Table(asked) => table(&mut self.loader, *asked),
            Request::Games { names } => self.games(&names),
            Request::Ask { question } => match question.begin() {
                Ok(asked) => {
                    self.question = Some(asked);
                    Value::Null
                }
                Err(problems) => wrong(&problems),
            },
            Request::More { work } => self.question.as_mut().map_or(Value::Null, |question| question.step(work)),
        }
    }

    /// Runs the tests of one file that waits.
    fn run(&mut self, first: Option<&Path>) -> Value {
        let mut ran = None;
        if let Some((session, runner)) = &mut self.session {
            self.waiting.append(session.take_waiting());
            let batch = self.waiting.take_one(first);
            ran = batch.paths().next().map(|path| path.strip_prefix(ROOT).unwrap_or(path).to_path_buf());
            runner.run(batch);
        }
        json!({ "messages": sent(), "ran": ran, "more": !self.waiting.is_empty() })
    }

    fn games(&mut self, names: &[String]) -> Value {
        let found = names.iter().map(|name| listed(&mut self.loader, name));
        let (games, errors): (Vec<_>, Vec<_>) = found.partition(Result::is_ok);
        let games: Vec<Listed> = games.into_iter().flatten().collect();
        let problems: Vec<Diagnostic> = errors.into_iter().filter_map(Result::err).flatten().collect();
        json!({ "games": parsed(&games_json(&games)), "wrong": wrong(&problems) })
    }

    /// Loads games again when they are next needed.
    fn reload(&mut self) {
        self.loader = Loader::new(files(), options());
    }

    fn test(&mut self, path: &Path) -> Value {
        let suite = plan(&mut self.loader, path);
        let results: Vec<_> = (0..suite.tests.len()).map(|at| judge(&mut self.loader, &suite, at)).collect();
        json!({ "problems": wrong(&suite.problems), "results": parsed(&test_json(&results)) })
    }

    fn lsp(&mut self, message: Value) -> Value {
        let Ok(message) = serde_json::from_value::<Message>(message) else {
            return json!({ "error": "this is not a message of the protocol" });
        };
        match (&mut self.session, message) {
            (Some((session, _)), message) => drop(session.handle(message)),
            (session, Message::Request(request)) if request.method == "initialize" => {
                match Greeting::read(request.params) {
                    Ok(greeting) => {
                        let desk = desk(&greeting);
                        *session = Some((Session::new(desk, &greeting, options()), Runner::new(desk, options())));
                        let response = lsp_server::Response::new_ok(request.id, greeting.answer());
                        keep(response.into());
                    }
                    Err(reason) => keep(lsp_server::Response::new_err(request.id, -32602, reason).into()),
                }
            }
            _ => return json!({ "error": "the language server has not begun" }),
        }
        sent()
    }
}

/// Returns the desk of the page; there is one for as long as the module lives.
fn desk(greeting: &Greeting) -> &'static Desk<'static> {
    static OVERLAY: OnceLock<Overlay<'static>> = OnceLock::new();
    static DESK: OnceLock<Desk<'static>> = OnceLock::new();
    let overlay = OVERLAY.get_or_init(|| Overlay::new(PathBuf::from(ROOT), files()));
    DESK.get_or_init(|| Desk::new(overlay, greeting, keep))
}

fn keep(message: Message) {
    let message = serde_json::to_value(message).unwrap_or_default();
    SENT.lock().unwrap_or_else(PoisonError::into_inner).push(message);
}

fn sent() -> Value {
    Value::Array(std::mem::take(&mut *SENT.lock().unwrap_or_else(PoisonError::into_inner)))
}
