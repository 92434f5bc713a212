//! The server without threads: answers requests, reports the errors of a text after each change, and collects the
//! files whose tests are to be run.

use std::path::{Path, PathBuf};

use lsp_server::{ErrorCode, Message, Notification, Request, Response};
use lsp_types::notification::{
    DidChangeTextDocument, DidChangeWatchedFiles, DidCloseTextDocument, DidOpenTextDocument, DidSaveTextDocument, Exit,
    Notification as _,
};
use lsp_types::request::{Request as _, Shutdown};

use super::convert::path_of;
use super::desk::Desk;
use super::documents::Documents;
use super::greeting::Greeting;
use super::messages::read;
use super::runner::Batch;
use referee_ide::{Project, Role, edited_problems};
use referee_scenario::LoaderOptions;

/// The conversation with one client, after its `initialize`.
pub struct Session<'h> {
    pub(super) project: Project<'h>,
    pub(super) documents: &'h Documents<'h>,
    /// The files to check and run when there is time.
    waiting: Batch,
    /// The number of requests sent to the client, which number them.
    pub(super) asked: i32,
    /// Whether the client shows the results of commands itself.
    pub(super) quiet: bool,
    /// Whether the client has said `shutdown`.
    shut: bool,
}

impl<'h> Session<'h> {
    /// Returns the session of a client.
    #[must_use]
    pub fn new(desk: &'h Desk<'h>, greeting: &Greeting, options: LoaderOptions) -> Self {
        let documents = desk.documents();
        let project = Project::new(documents.overlay, options);
        Self { project, documents, waiting: Batch::default(), asked: 0, quiet: greeting.quiet, shut: false }
    }

    /// Handles a message; answers are sent to the client. Returns whether the client has said `exit`.
    pub fn handle(&mut self, message: Message) -> bool {
        match message {
            Message::Request(request) => {
                let response = self.request(request);
                self.documents.send(response);
            }
            Message::Notification(notification) if notification.method == Exit::METHOD => return true,
            Message::Notification(notification) => self.notification(notification),
            // The client's answers to edits: nothing depends on them.
            Message::Response(_) => {}
        }
        false
    }

    /// Returns the files to check and run because of what has changed since the last call.
    pub fn take_waiting(&mut self) -> Batch {
        std::mem::take(&mut self.waiting)
    }

    fn request(&mut self, request: Request) -> Response {
        let id = request.id.clone();
        if self.shut {
            return Response::new_err(id, ErrorCode::InvalidRequest as i32, "the server is shutting down".to_owned());
        }
        if request.method == Shutdown::METHOD {
            self.shut = true;
            return Response::new_ok(id, ());
        }
        match self.answer(request) {
            Ok(Some(value)) => Response::new_ok(id, value),
            Ok(None) => Response::new_err(id, ErrorCode::MethodNotFound as i32, "unknown request".to_owned()),
            Err(message) => Response::new_err(id, ErrorCode::RequestFailed as i32, message),
        }
    }

    /// Handles a notification. Nothing can answer it, so an error goes to the log of the client.
    fn notification(&mut self, notification: Notification) {
        let method = notification.method.clone();
        if let Err(reason) = self.notified(notification) {
            self.documents.log(format!("{method}: {reason}"));
        }
    }

    fn notified(&mut self, Notification { method, params }: Notification) -> Result<(), String> {
        match method.as_str() {
            DidOpenTextDocument::METHOD => {
                let document = read::<lsp_types::DidOpenTextDocumentParams>(params)?.text_document;
                self.changed(path_of(&document.uri), document.version, document.text);
            }
            DidChangeTextDocument::METHOD => {
                let changed = read::<lsp_types::DidChangeTextDocumentParams>(params)?;
                // Whole texts were agreed on: a part would replace the file.
                if changed.content_changes.iter().any(|change| change.range.is_some()) {
                    return Err("a part of the text was sent instead of the whole text".to_owned());
                }
                if let Some(last) = changed.content_changes.into_iter().next_back() {
                    let document = changed.text_document;
                    self.changed(path_of(&document.uri), document.version, last.text);
                }
            }
            DidCloseTextDocument::METHOD => {
                let closed = read::<lsp_types::DidCloseTextDocumentParams>(params)?;
                let path = path_of(&closed.text_document.uri);
                path.iter().for_each(|path| self.documents.close(path));
            }
            DidSaveTextDocument::METHOD => {
                let saved = read::<lsp_types::DidSaveTextDocumentParams>(params)?;
                self.touched(path_of(&saved.text_document.uri).into_iter());
            }
            DidChangeWatchedFiles::METHOD => {
                let changed = read::<lsp_types::DidChangeWatchedFilesParams>(params)?;
                self.touched(changed.changes.iter().filter_map(|change| path_of(&change.uri)));
            }
            // The protocol has clients send notifications that a server does not know.
            _ => {}
        }
        Ok(())
    }

    /// Checks a text that was opened or changed, and has its tests run.
    fn changed(&mut self, path: Option<PathBuf>, version: i32, text: String) {
        let Some(path) = path.filter(|path| Role::of(path).is_some()) else { return };
        self.documents.set(&path, version, text);
        let found = edited_problems(&mut self.project, &path);
        self.documents.checked(&path, Some(version), &found);
        self.run(&path, false);
        if Role::of(&path) != Some(Role::Scenario) {
            self.run_others(&path);
        }
    }

    /// Checks the open files again after files on disk have changed.
    fn touched(&mut self, paths: impl Iterator<Item = PathBuf>) {
        for path in paths {
            self.documents.overlay.touched(&path);
            self.run_others(&path);
        }
    }

    /// Has the open files checked and run again, because another one has changed.
    fn run_others(&mut self, changed: &Path) {
        let others = self.documents.paths().into_iter().filter(|path| path != changed);
        others.for_each(|path| self.run(&path, true));
    }

    fn run(&mut self, path: &Path, check: bool) {
        self.waiting.add(path, check);
    }
}
