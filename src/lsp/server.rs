//! The main thread: reads messages, answers requests, and reports the errors of a text after each change.

use std::path::{Path, PathBuf};
use std::sync::mpsc::channel;

use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::notification::{
    DidChangeTextDocument, DidChangeWatchedFiles, DidCloseTextDocument, DidOpenTextDocument, DidSaveTextDocument,
    Notification as _,
};
use lsp_types::{
    CodeActionKind, CodeActionOptions, CodeActionProviderCapability, CodeLensOptions, CompletionOptions,
    ExecuteCommandOptions, FoldingRangeProviderCapability, HoverProviderCapability, InitializeParams, OneOf,
    RenameOptions, SemanticTokenType, SemanticTokensFullOptions, SemanticTokensLegend, SemanticTokensOptions,
    ServerCapabilities, TextDocumentSyncCapability, TextDocumentSyncKind,
};

use super::convert::{Encoding, path_of};
use super::documents::Documents;
use super::messages::{COMMANDS, read};
use super::runner::{Job, work};
use super::state::Server;
use crate::ide::{Overlay, Project, Role, TOKEN_KINDS, edited_problems};
use crate::scenario::LoaderOptions;
use crate::source::Host;

/// The stack of the thread that runs tests, in bytes: calls in scripts nest deeply.
const STACK: usize = 64 * 1024 * 1024;

/// Serves one client until it ends the connection. The calling thread needs the stack that scripts need.
///
/// Calls `ended` when the connection ends. The other thread may then be in the middle of a test that takes minutes, and
/// only after it does this function return: a program that cannot wait ends the process.
///
/// # Errors
/// Returns an error if the client does not follow the protocol, or if a thread cannot be started.
pub fn serve(
    connection: &Connection,
    disk: &(dyn Host + Sync),
    options: &LoaderOptions,
    ended: &dyn Fn(&Result<(), String>),
) -> Result<(), String> {
    let (id, initialize) = initialized(connection)?;
    let offered = initialize.capabilities.general.as_ref().and_then(|general| general.position_encodings.as_deref());
    let encoding = Encoding::of(offered);
    let result = serde_json::json!({
        "capabilities": capabilities(encoding),
        "serverInfo": { "name": "referee", "version": env!("CARGO_PKG_VERSION") },
    });
    connection.initialize_finish(id, result).map_err(|error| error.to_string())?;
    let quiet = initialize.initialization_options.as_ref().is_some_and(|options| options["quiet"] == true);
    let root = root_of(&initialize).unwrap_or_else(|| options.working_folder.clone());
    let overlay = Overlay::new(root, disk);
    let sender = connection.sender.clone();
    let documents = Documents::new(&overlay, encoding, Box::new(move |message| drop(sender.send(message))));
    let (jobs, received) = channel();
    std::thread::scope(|scope| {
        let (documents, of_runner) = (&documents, options.clone());
        let body = move || work(documents, of_runner, &received);
        let started = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, body);
        started.map_err(|error| format!("cannot start a thread: {error}"))?;
        let project = Project::new(&overlay, options.clone());
        let mut server = Server { project, documents, jobs, asked: 0, quiet };
        let end = server.listen(connection);
        ended(&end);
        end
    })
}

/// Waits for the client to begin, and returns the number and the parameters of its request. One with other parameters
/// than those of the protocol is answered with an error.
fn initialized(connection: &Connection) -> Result<(RequestId, InitializeParams), String> {
    loop {
        let (id, parameters) = connection.initialize_start().map_err(|error| error.to_string())?;
        match read(parameters) {
            Ok(initialize) => return Ok((id, initialize)),
            Err(reason) => {
                let response = Response::new_err(id, ErrorCode::InvalidParams as i32, reason);
                connection.sender.send(response.into()).map_err(|error| error.to_string())?;
            }
        }
    }
}

/// Returns the folder that the client has opened.
#[expect(deprecated, reason = "clients without workspace folders name their root so")]
fn root_of(initialize: &InitializeParams) -> Option<PathBuf> {
    let folder = initialize.workspace_folders.as_ref().and_then(|folders| folders.first());
    let uri = folder.map(|folder| &folder.uri).or(initialize.root_uri.as_ref());
    uri.and_then(path_of)
}

/// Returns the capabilities of the server.
fn capabilities(encoding: Encoding) -> ServerCapabilities {
    let words = |words: &[&str]| Some(words.iter().map(|word| (*word).to_owned()).collect());
    let legend = SemanticTokensLegend {
        token_types: TOKEN_KINDS.iter().map(|(_, name)| SemanticTokenType::new(name)).collect(),
        token_modifiers: Vec::new(),
    };
    ServerCapabilities {
        position_encoding: Some(encoding.kind()),
        text_document_sync: Some(TextDocumentSyncCapability::Options(lsp_types::TextDocumentSyncOptions {
            open_close: Some(true),
            change: Some(TextDocumentSyncKind::FULL),
            save: Some(lsp_types::TextDocumentSyncSaveOptions::Supported(true)),
            ..lsp_types::TextDocumentSyncOptions::default()
        })),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        completion_provider: Some(CompletionOptions {
            trigger_characters: words(&[" ", "\"", ".", "="]),
            ..CompletionOptions::default()
        }),
        definition_provider: Some(OneOf::Left(true)),
        references_provider: Some(OneOf::Left(true)),
        rename_provider: Some(OneOf::Right(RenameOptions {
            prepare_provider: Some(true),
            work_done_progress_options: Default::default(),
        })),
        document_symbol_provider: Some(OneOf::Left(true)),
        folding_range_provider: Some(FoldingRangeProviderCapability::Simple(true)),
        semantic_tokens_provider: Some(
            SemanticTokensOptions {
                legend,
                full: Some(SemanticTokensFullOptions::Bool(true)),
                ..SemanticTokensOptions::default()
            }
            .into(),
        ),
        document_formatting_provider: Some(OneOf::Left(true)),
        code_action_provider: Some(CodeActionProviderCapability::Options(CodeActionOptions {
            code_action_kinds: Some(vec![CodeActionKind::QUICKFIX]),
            ..CodeActionOptions::default()
        })),
        code_lens_provider: Some(CodeLensOptions { resolve_provider: Some(false) }),
        inlay_hint_provider: Some(OneOf::Left(true)),
        execute_command_provider: Some(ExecuteCommandOptions {
            commands: COMMANDS.iter().map(|command| (*command).to_owned()).collect(),
            ..ExecuteCommandOptions::default()
        }),
        ..ServerCapabilities::default()
    }
}

impl Server<'_> {
    /// Handles messages until the client says `exit`, or is gone.
    fn listen(&mut self, connection: &Connection) -> Result<(), String> {
        for message in &connection.receiver {
            match message {
                Message::Request(request) => {
                    if connection.handle_shutdown(&request).map_err(|error| error.to_string())? {
                        return Ok(());
                    }
                    let response = self.request(request);
                    self.documents.send(response);
                }
                Message::Notification(notification) => self.notification(notification),
                // The client's answers to edits: nothing depends on them.
                Message::Response(_) => {}
            }
        }
        Ok(())
    }

    fn request(&mut self, request: Request) -> Response {
        let id = request.id.clone();
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
    fn run_others(&self, changed: &Path) {
        let others = self.documents.paths().into_iter().filter(|path| path != changed);
        others.for_each(|path| self.run(&path, true));
    }

    fn run(&self, path: &Path, check: bool) {
        // The thread that receives it ends only after this one.
        drop(self.jobs.send(Job { path: path.to_path_buf(), check }));
    }
}
