//! The server without threads sends what the one with threads sends.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use lsp_server::{Message, Notification, Request, Response};
use referee_ide::Overlay;
use referee_lsp::{Desk, Greeting, Runner, Session};
use referee_scenario::LoaderOptions;
use referee_source::{Host, HostError};
use serde_json::{Value, json};

use super::client::Client;
use crate::commands::Project;

/// A failing expectation, and a walk that the rules do not offer.
const SCENARIOS: &str = "use hop\n\nscenario \"Wrong board\"\n  board\n    | . . .\n    | r . .\n    | . . .\n  turn red\n  \
                         red walk to b3\n  expect red at c3\n\nscenario \"Wrong walk\"\n  turn red\n  red walk to c9\n";

/// The files of a project, read when asked for.
struct Files(PathBuf);

impl Host for Files {
    fn read(&self, path: &std::path::Path) -> Result<String, HostError> {
        std::fs::read_to_string(self.0.join(path)).map_err(|_| HostError::NotFound)
    }

    fn list(&self, folder: &std::path::Path) -> Result<Vec<PathBuf>, HostError> {
        let entries = std::fs::read_dir(self.0.join(folder)).map_err(|_| HostError::NotFound)?;
        let mut paths: Vec<PathBuf> = entries.map(|entry| folder.join(entry.unwrap().file_name())).collect();
        paths.sort();
        Ok(paths)
    }

    fn is_folder(&self, path: &std::path::Path) -> bool {
        self.0.join(path).is_dir()
    }
}

fn published(messages: &[Message], uri: &str) -> Option<Value> {
    let last = messages.iter().rev().find_map(|message| match message {
        Message::Notification(Notification { method, params }) if method == "textDocument/publishDiagnostics" => {
            (params["uri"] == uri).then(|| params["diagnostics"].clone())
        }
        _ => None,
    });
    last.filter(|list| list.as_array().is_some_and(|list| !list.is_empty()))
}

#[test]
fn without_threads_the_messages_are_the_same() {
    let good = SCENARIOS.split("\n\nscenario \"Wrong walk\"").next().unwrap();
    for text in [SCENARIOS, good] {
        let mut client = Client::start(Project::hop());
        client.open("a.scenario", text);
        let of = client.of("a.scenario");
        let expected = client.diagnostics("a.scenario", 1, |found| !found.is_empty());
        let symbols = client.request("textDocument/documentSymbol", of.clone());
        let tests = client.request("referee/tests", of.clone());
        let uri = client.uri("a.scenario");
        let root = client.project.path().canonicalize().unwrap();

        let greeting = Greeting::read(json!({ "capabilities": {}, "processId": null })).unwrap();
        assert_eq!(greeting.answer()["capabilities"]["hoverProvider"], true);
        let files = Files(root.clone());
        let overlay = Overlay::new(root.clone(), &files);
        let sent = Arc::new(Mutex::new(Vec::new()));
        let keeper = Arc::clone(&sent);
        let desk = Desk::new(&overlay, &greeting, move |message| keeper.lock().unwrap().push(message));
        let options = LoaderOptions { working_folder: root, ..LoaderOptions::default() };
        let mut session = Session::new(&desk, &greeting, options.clone());
        let mut runner = Runner::new(&desk, options);
        let ask = |session: &mut Session<'_>, method: &str, parameters: Value| {
            assert!(!session.handle(Request::new(7.into(), method.to_owned(), parameters).into()));
            match sent.lock().unwrap().pop() {
                Some(Message::Response(Response { response_result, .. })) => response_result,
                other => unreachable!("{other:?}"),
            }
        };

        let document = json!({ "uri": uri, "languageId": "referee", "version": 1, "text": text });
        let open = json!({ "textDocument": document });
        assert!(!session.handle(Notification::new("textDocument/didOpen".to_owned(), open).into()));
        let batch = session.take_waiting();
        assert!(!batch.is_empty() && session.take_waiting().is_empty());
        runner.run(batch);
        assert_eq!(published(&sent.lock().unwrap(), &uri), Some(Value::Array(expected)));
        assert_eq!(ask(&mut session, "textDocument/documentSymbol", of.clone()).unwrap(), symbols);
        assert_eq!(ask(&mut session, "referee/tests", of.clone()).unwrap(), tests);
        assert_eq!(ask(&mut session, "shutdown", Value::Null).unwrap(), Value::Null);
        let late = ask(&mut session, "textDocument/documentSymbol", of).unwrap_err();
        assert_eq!((late.code, late.message.as_str()), (-32600, "the server is shutting down"));
        assert!(session.handle(Notification::new("exit".to_owned(), Value::Null).into()));
        client.stop();
    }
}
