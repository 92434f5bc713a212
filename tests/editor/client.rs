//! A client of the language server.

use std::io::{BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use lsp_server::{Message, Notification, Request, RequestId, Response};
use serde_json::{Value, json};

use crate::commands::Project;

/// The longest time to wait for an answer.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running server with its client.
pub(super) struct Client {
    child: Child,
    input: Option<ChildStdin>,
    messages: Receiver<Message>,
    asked: i32,
    root: String,
    /// Messages that arrived while another one was waited for.
    waiting: Vec<Message>,
    /// The files; deleted after the client.
    pub(super) project: Project,
    /// What the server said it can do.
    pub(super) capabilities: Value,
}

impl Client {
    /// Starts the server in a project.
    pub(super) fn start(project: Project) -> Self {
        Self::start_with(project, json!({ "general": { "positionEncodings": ["utf-8", "utf-16"] } }))
    }

    /// Starts the server for a client with these capabilities.
    pub(super) fn start_with(project: Project, capabilities: Value) -> Self {
        let mut client = Self::launch(project);
        let folder = json!({ "uri": client.uri(""), "name": "project" });
        let initialize = json!({ "capabilities": capabilities, "processId": null, "workspaceFolders": [folder] });
        let result = client.request("initialize", initialize);
        client.capabilities = result["capabilities"].clone();
        client.notify("initialized", json!({}));
        client
    }

    /// Starts the server, and asks it nothing yet.
    pub(super) fn launch(project: Project) -> Self {
        let mut command = project.command(&["lsp"]);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let input = child.stdin.take().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let (send, messages) = channel();
        std::thread::spawn(move || {
            while let Ok(Some(message)) = Message::read(&mut output) {
                if send.send(message).is_err() {
                    break;
                }
            }
        });
        let root = project.path().canonicalize().unwrap().to_string_lossy().into_owned();
        Self {
            child,
            input: Some(input),
            messages,
            asked: 0,
            root,
            waiting: Vec::new(),
            project,
            capabilities: Value::Null,
        }
    }

    /// Returns the URI of a file of the project.
    pub(super) fn uri(&self, name: &str) -> String {
        format!("file://{}/{name}", self.root).trim_end_matches('/').to_owned()
    }

    fn send(&mut self, message: &Message) {
        let input = self.input.as_mut().unwrap();
        message.write(input).unwrap();
        input.flush().unwrap();
    }

    pub(super) fn notify(&mut self, method: &str, parameters: Value) {
        self.send(&Notification::new(method.to_owned(), parameters).into());
    }

    /// Sends a request and returns its result.
    pub(super) fn request(&mut self, method: &str, parameters: Value) -> Value {
        self.try_request(method, parameters).map_err(|error| format!("{method}: {error}")).unwrap()
    }

    /// Sends a request and returns its result, or the message of its error.
    pub(super) fn try_request(&mut self, method: &str, parameters: Value) -> Result<Value, String> {
        self.asked += 1;
        let id = RequestId::from(self.asked);
        self.send(&Request::new(id.clone(), method.to_owned(), parameters).into());
        loop {
            match self.next() {
                Message::Response(Response { id: answered, response_result }) if answered == id => {
                    return match response_result {
                        Ok(value) => Ok(value),
                        Err(error) => Err(error.message),
                    };
                }
                other => self.waiting.push(other),
            }
        }
    }

    fn next(&mut self) -> Message {
        self.messages.recv_timeout(PATIENCE).unwrap()
    }

    /// Waits for a message that fits.
    fn wait(&mut self, fits: impl Fn(&Message) -> bool) -> Message {
        if let Some(at) = self.waiting.iter().position(&fits) {
            return self.waiting.remove(at);
        }
        loop {
            let message = self.next();
            if fits(&message) {
                return message;
            }
            self.waiting.push(message);
        }
    }

    /// Waits for a request of the server and returns its parameters.
    pub(super) fn asked_for(&mut self, method: &str) -> Value {
        match self.wait(|message| matches!(message, Message::Request(request) if request.method == method)) {
            Message::Request(request) => request.params,
            _ => unreachable!(),
        }
    }

    /// Waits for a notification of the server and returns its parameters.
    pub(super) fn notified_of(&mut self, method: &str) -> Value {
        let is_meant = |message: &Message| matches!(message, Message::Notification(told) if told.method == method);
        match self.wait(is_meant) {
            Message::Notification(told) => told.params,
            _ => unreachable!(),
        }
    }

    /// Waits until the server says of a version of a file what `fits` accepts, and returns the diagnostics. A file that is
    /// not open has no version.
    pub(super) fn diagnostics(
        &mut self,
        name: &str,
        version: impl Into<Option<i32>>,
        fits: impl Fn(&[Value]) -> bool,
    ) -> Vec<Value> {
        let (uri, version) = (self.uri(name), json!(version.into()));
        let told = |message: &Message| {
            let Message::Notification(Notification { method, params }) = message else { return None };
            let ours = method == "textDocument/publishDiagnostics" && params["uri"] == uri.as_str();
            let list = params["diagnostics"].as_array().cloned().filter(|_| ours && params["version"] == version)?;
            fits(&list).then_some(list)
        };
        let found = self.wait(|message| told(message).is_some());
        told(&found).unwrap()
    }

    /// Opens a file with a text.
    pub(super) fn open(&mut self, name: &str, text: &str) {
        let document = json!({ "uri": self.uri(name), "languageId": "referee", "version": 1, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
    }

    /// Opens a file as it is on disk.
    pub(super) fn open_file(&mut self, name: &str) {
        let text = std::fs::read_to_string(Path::new(&self.root).join(name)).unwrap();
        self.open(name, &text);
    }

    /// Replaces the text of an open file.
    pub(super) fn change(&mut self, name: &str, version: i32, text: &str) {
        let document = json!({ "uri": self.uri(name), "version": version });
        let changes = json!([{ "text": text }]);
        self.notify("textDocument/didChange", json!({ "textDocument": document, "contentChanges": changes }));
    }

    /// The parameters of a request about a file.
    pub(super) fn of(&self, name: &str) -> Value {
        json!({ "textDocument": { "uri": self.uri(name) } })
    }

    /// The parameters of a request about a position, lines and columns from 0.
    pub(super) fn at(&self, name: &str, line: usize, character: usize) -> Value {
        let mut parameters = self.of(name);
        parameters["position"] = json!({ "line": line, "character": character });
        parameters
    }

    /// Returns the fixes at a line, from 0: titles and edits.
    pub(super) fn fixes(&mut self, name: &str, line: usize) -> Vec<Value> {
        let mut parameters = self.of(name);
        let position = json!({ "line": line, "character": 0 });
        parameters["range"] = json!({ "start": position, "end": position });
        parameters["context"] = json!({ "diagnostics": [] });
        self.request("textDocument/codeAction", parameters).as_array().cloned().unwrap()
    }

    /// Ends the connection, and checks that the server ends with it.
    pub(super) fn stop(self) {
        self.stop_within(PATIENCE);
    }

    /// Ends the connection, and checks that the server ends with it before this time is over.
    pub(super) fn stop_within(mut self, time: Duration) {
        self.request("shutdown", Value::Null);
        self.notify("exit", Value::Null);
        drop(self.input.take());
        let begun = std::time::Instant::now();
        let status = loop {
            match self.child.try_wait().unwrap() {
                Some(status) => break status,
                None => assert!(begun.elapsed() < time, "the server does not end"),
            }
            std::thread::sleep(Duration::from_millis(10));
        };
        assert!(status.success());
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// Returns a text with the edits of the protocol, whose columns are bytes.
pub(super) fn edited(text: &str, edits: &Value) -> String {
    let lines: Vec<usize> =
        std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).chain([text.len()]).collect();
    let offset = |position: &Value| {
        let (line, column) = (position["line"].as_u64().unwrap(), position["character"].as_u64().unwrap());
        lines[usize::try_from(line).unwrap()] + usize::try_from(column).unwrap()
    };
    let mut changes: Vec<(usize, usize, &str)> = edits
        .as_array()
        .unwrap()
        .iter()
        .map(|edit| {
            let range = &edit["range"];
            (offset(&range["start"]), offset(&range["end"]), edit["newText"].as_str().unwrap())
        })
        .collect();
    changes.sort_unstable();
    let mut changed = text.to_owned();
    for (start, end, new) in changes.into_iter().rev() {
        changed.replace_range(start..end, new);
    }
    changed
}
