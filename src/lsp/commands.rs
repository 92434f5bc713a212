//! The commands of the server: run tests, show a position, record a position as expectations.

use std::path::Path;

use lsp_server::Request;
use lsp_types::{ExecuteCommandParams, MessageType, ShowMessageParams, Uri};
use serde_json::{Value, json};

use super::messages::{Answer, RECORD, RUN, SHOW, done, path, read};
use super::session::Session;
use crate::diagnostic::Renderer;
use crate::ide::{self, Run};
use crate::report::scene_picture;
use crate::trace::{Drawing, Failure, Status};

impl Session<'_> {
    /// Carries out a command. Lines are counted from 1.
    pub(super) fn command(&mut self, given: &ExecuteCommandParams) -> Answer {
        let mut arguments = given.arguments.iter().cloned();
        let uri: Uri = read(arguments.next().unwrap_or_default())?;
        let path = path(&uri)?;
        let line = arguments.next().map(read::<usize>).transpose()?;
        match given.command.as_str() {
            RUN => self.run_tests(&path, line),
            SHOW => {
                let found = self.position(&path, line.unwrap_or(1));
                let shown = found.get("text").and_then(Value::as_str).unwrap_or("there is no position here").to_owned();
                self.tell(MessageType::INFO, &shown);
                done(found)
            }
            RECORD => self.record(&path, line.unwrap_or(1)),
            other => Err(format!("unknown command `{other}`")),
        }
    }

    /// Returns the position that play has reached at a line, as text and as a picture.
    pub(super) fn position(&mut self, path: &Path, line: usize) -> Value {
        match ide::position(&mut self.project, path, line) {
            None => Value::Null,
            Some((title, scene)) => json!({
                "title": title, "line": scene.line, "text": scene.text(), "svg": scene_picture(&title, 0, &scene),
            }),
        }
    }

    fn run_tests(&mut self, path: &Path, line: Option<usize>) -> Answer {
        let wrong = ide::problems(&mut self.project, path);
        if let Some(first) = wrong.first() {
            self.tell(MessageType::ERROR, &format!("not run, because the file has errors: {}", first.message));
            let renderer = Renderer::default();
            let rendered: Vec<String> = wrong.iter().map(|wrong| renderer.render(wrong)).collect();
            return done(json!({ "errors": rendered, "tests": [] }));
        }
        let at = line.map(|line| ide::tests_at(&mut self.project, path, line));
        let wanted = |test: usize| at.as_ref().is_none_or(|at| at.contains(&test));
        let runs = ide::run(&mut self.project, path, &|test, _| wanted(test), &|| true);
        let passed = runs.iter().filter(|run| run.result.status == Status::Passed).count();
        let failed = runs.len() - passed;
        let kind = if failed == 0 && passed > 0 { MessageType::INFO } else { MessageType::WARNING };
        match runs.len() {
            0 => self.tell(kind, "there is no test here"),
            _ => self.tell(kind, &format!("{passed} passed, {failed} failed")),
        }
        done(json!({ "errors": [], "tests": runs.iter().map(run_json).collect::<Vec<_>>() }))
    }

    fn record(&mut self, path: &Path, line: usize) -> Answer {
        let fix = ide::record(&mut self.project, path, line);
        let fix = fix.ok_or("nothing to record: there is no line of play here, or its scenario has errors")?;
        let edit = self.edit(&fix.edits)?;
        self.asked += 1;
        let parameters = json!({ "label": fix.title, "edit": edit });
        self.documents.send(Request::new(self.asked.into(), "workspace/applyEdit".to_owned(), parameters));
        done(edit)
    }

    /// Shows a message, unless the client shows results itself.
    fn tell(&self, kind: MessageType, message: &str) {
        if !self.quiet {
            let parameters = ShowMessageParams { typ: kind, message: message.to_owned() };
            self.documents.notify("window/showMessage", parameters);
        }
    }
}

/// Returns a test that was run.
fn run_json(run: &Run) -> Value {
    let status = match run.result.status {
        Status::Passed => "passed",
        Status::Failed => "failed",
        Status::Errored => "errored",
        Status::Skipped => "skipped",
    };
    let steps = run.scenes.iter().enumerate().map(|(step, scene)| {
        json!({
            "line": scene.line, "text": scene.text(), "svg": scene_picture(&run.title, step, scene),
        })
    });
    json!({
        "title": run.title, "line": run.line, "status": status,
        "failures": run.result.failures.iter().map(failure_json).collect::<Vec<_>>(),
        "steps": steps.collect::<Vec<_>>(),
    })
}

fn failure_json(failure: &Failure) -> Value {
    let board = |board: &Option<Drawing>| board.as_ref().map(|board| board.plain().join("\n"));
    json!({
        "line": failure.diagnostic.place().map(|(_, line)| line),
        "message": failure.diagnostic.message,
        "rendered": Renderer::default().render(&failure.diagnostic),
        "expected": failure.expected,
        "reached": failure.actual,
        "expectedBoard": board(&failure.expected_board),
        "reachedBoard": board(&failure.actual_board),
    })
}
