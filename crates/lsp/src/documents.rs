//! The open files, their errors and failures, and the messages that the client has.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use lsp_server::{Message, Notification};
use lsp_types::notification::{LogMessage, Notification as _};
use lsp_types::{LogMessageParams, MessageType, PublishDiagnosticsParams, Uri};

use super::convert::{Encoding, Placed, diagnostic, failure, note, uri_of};
use referee_diagnostic::{Diagnostic, noted_missing};
use referee_ide::{Overlay, Role, Run};

/// An open file.
#[derive(Default)]
struct Document {
    version: i32,
    /// The errors of the text.
    problems: Vec<Placed>,
    /// The errors of the game that it belongs to.
    of_game: Vec<Placed>,
    /// The failures of its tests.
    failures: Vec<Placed>,
    /// Its test runs; `None` if its tests were not run since the last change.
    runs: Option<Vec<Run>>,
}

/// Sends a message to the client. If the client is gone, the server ends when it reads its next message.
pub(super) type Send = Box<dyn Fn(Message) + std::marker::Send + Sync>;

/// The open files, shared by the threads of the server.
pub(super) struct Documents<'h> {
    pub(super) overlay: &'h Overlay<'h>,
    pub(super) encoding: Encoding,
    sender: Send,
    open: Mutex<BTreeMap<PathBuf, Document>>,
    /// The files for which the client has messages, by URI.
    published: Mutex<BTreeSet<String>>,
    /// The errors of the program itself that are in the log of the client.
    logged: Mutex<BTreeSet<String>>,
}

impl<'h> Documents<'h> {
    pub(super) fn new(overlay: &'h Overlay<'h>, encoding: Encoding, sender: Send) -> Self {
        Self {
            overlay,
            encoding,
            sender,
            open: Mutex::default(),
            published: Mutex::default(),
            logged: Mutex::default(),
        }
    }

    fn open(&self) -> MutexGuard<'_, BTreeMap<PathBuf, Document>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Opens or changes a file.
    pub(super) fn set(&self, path: &Path, version: i32, text: String) {
        self.overlay.set(path, text);
        let mut open = self.open();
        let document = open.entry(path.to_path_buf()).or_default();
        // Failures of the earlier text are dropped, because their lines may have moved. Errors of the game are checked
        // only later, so they stay until then, except those checked at once: the errors of a file other than a
        // rulebook.
        let mut before = std::mem::take(document);
        let own = uri_of(&self.overlay.absolute(path)).filter(|_| Role::of(path) != Some(Role::Markdown));
        before.of_game.retain(|(uri, _)| own.is_none() || *uri != own);
        *document = Document { version, problems: before.problems, of_game: before.of_game, ..Document::default() };
    }

    /// Closes a file, and removes its messages.
    pub(super) fn close(&self, path: &Path) {
        self.overlay.close(path);
        self.open().remove(path);
        self.publish();
    }

    /// Returns the open files.
    pub(super) fn paths(&self) -> Vec<PathBuf> {
        self.open().keys().cloned().collect()
    }

    /// Returns the version of an open file.
    pub(super) fn version(&self, path: &Path) -> Option<i32> {
        self.open().get(path).map(|document| document.version)
    }

    /// Keeps the errors of a file, unless it has changed since, and reports them to the client.
    pub(super) fn checked(&self, path: &Path, version: Option<i32>, problems: &[Diagnostic]) {
        let placed = problems.iter().map(|wrong| diagnostic(self.encoding, self.overlay, wrong)).collect();
        if let Some(document) = self.open().get_mut(path).filter(|document| Some(document.version) == version) {
            document.problems = placed;
        }
        self.publish();
    }

    /// Keeps the errors in the game of a file and the notes on it, unless the file has changed since, and reports them to
    /// the client.
    pub(super) fn game_checked(
        &self,
        path: &Path,
        version: Option<i32>,
        problems: &[Diagnostic],
        notes: &[Diagnostic],
    ) {
        let problems = problems.iter().map(|wrong| diagnostic(self.encoding, self.overlay, wrong));
        let notes = notes.iter().map(|about| note(self.encoding, self.overlay, about));
        let placed = problems.chain(notes).collect();
        if let Some(document) = self.open().get_mut(path).filter(|document| Some(document.version) == version) {
            document.of_game = placed;
        }
        self.publish();
    }

    /// Keeps the test runs of a file, unless it has changed since, and reports the failures to the client.
    pub(super) fn ran(&self, path: &Path, version: Option<i32>, runs: Vec<Run>) {
        let mut failures = Vec::new();
        for run in &runs {
            let own = run.result.failures.iter();
            failures.extend(own.map(|found| failure(self.encoding, self.overlay, &run.title, found)));
        }
        if let Some(document) = self.open().get_mut(path).filter(|document| Some(document.version) == version) {
            document.failures = failures;
            document.runs = Some(runs);
        }
        self.publish();
    }

    /// Passes the test runs of a file to `look`; none if its tests were not run since its last change.
    pub(super) fn runs<R>(&self, path: &Path, look: impl FnOnce(Option<&[Run]>) -> R) -> R {
        let open = self.open();
        look(open.get(path).and_then(|document| document.runs.as_deref()))
    }

    /// Writes an error to the log of the client.
    pub(super) fn log(&self, message: String) {
        let params = LogMessageParams { typ: MessageType::ERROR, message };
        (self.sender)(Notification::new(LogMessage::METHOD.to_owned(), params).into());
    }

    /// Writes the missing values of internal errors to the log of the client.
    fn log_missing(&self) {
        let mut logged = self.logged.lock().unwrap_or_else(PoisonError::into_inner);
        for wrong in noted_missing() {
            if logged.insert(wrong.message.clone()) {
                self.log(wrong.message);
            }
        }
    }

    /// Sends the errors of all files. A message about a file that is not open is sent for that file.
    fn publish(&self) {
        self.log_missing();
        let open = self.open();
        let mut published = self.published.lock().unwrap_or_else(PoisonError::into_inner);
        let mut by_file: BTreeMap<String, (Uri, Option<i32>, Vec<lsp_types::Diagnostic>)> = BTreeMap::new();
        for (path, document) in open.iter() {
            let Some(own) = uri_of(&self.overlay.absolute(path)) else { continue };
            let entry = by_file.entry(own.as_str().to_owned());
            entry.or_insert_with(|| (own.clone(), None, Vec::new())).1 = Some(document.version);
            for (uri, found) in document.problems.iter().chain(&document.of_game).chain(&document.failures) {
                let uri = uri.as_ref().unwrap_or(&own);
                let entry = by_file.entry(uri.as_str().to_owned());
                let (_, _, list) = entry.or_insert_with(|| (uri.clone(), None, Vec::new()));
                if !list.contains(found) {
                    list.push(found.clone());
                }
            }
        }
        let silent: Vec<String> = published.iter().filter(|uri| !by_file.contains_key(*uri)).cloned().collect();
        for uri in silent {
            published.remove(&uri);
            if let Ok(uri) = uri.parse::<Uri>() {
                by_file.insert(uri.as_str().to_owned(), (uri, None, Vec::new()));
            }
        }
        for (key, (uri, version, diagnostics)) in by_file {
            if !diagnostics.is_empty() || version.is_some() {
                published.insert(key);
            }
            let published = PublishDiagnosticsParams { uri, diagnostics, version };
            self.notify("textDocument/publishDiagnostics", published);
        }
    }

    /// Sends a notification.
    pub(super) fn notify(&self, method: &str, parameters: impl serde::Serialize) {
        let notification = Notification::new(method.to_owned(), parameters);
        (self.sender)(notification.into());
    }

    /// Sends a message of any kind.
    pub(super) fn send(&self, message: impl Into<Message>) {
        (self.sender)(message.into());
    }
}
