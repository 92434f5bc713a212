//! The commands of the server: run tests, show a position, record a position as expectations.

use std::path::Path;

use lsp_server::Request;
use lsp_types::{ExecuteCommandParams, MessageType, ShowMessageParams, Uri};
use serde_json::{Value, json};

use super::messages::{Answer, RECORD, RUN, SHOW, done, path, read};
use super::session::Session;
use referee_diagnostic::Renderer;
use referee_draw::{Picture, picture_file};
use referee_ide::{Reached, Run};
use referee_report::{drawing_cells, scene_cells, scene_picture};
use referee_table::Symbol;
use referee_trace::{Drawing, Failure, Status};

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

    /// Returns the position that play has reached at a line, as text and as a picture, with the lines that may follow.
    pub(super) fn position(&mut self, path: &Path, line: usize) -> Value {
        match referee_ide::position(&mut self.project, path, line) {
            None => Value::Null,
            Some(Reached { title, scene, symbols, expected, goes_on }) => json!({
                "title": title, "line": scene.line, "text": scene.text(), "svg": scene_picture(&title, 0, &scene),
                "events": scene.events, "values": scene.values.iter().chain(&scene.cards).collect::<Vec<_>>(),
                "turn": scene.turn, "standing": scene.stands_at(),
                "diagram": scene.board.lines_of_a_file(), "cells": scene_cells(&scene),
                "symbols": symbols.iter().map(symbol_json).collect::<Vec<_>>(),
                "expected": expected.map(|board| expected_json(&board, &scene.players)),
                "answers": referee_ide::answers_below(&mut self.project, path, line),
                "goesOn": {
                    "below": goes_on.below, "indent": goes_on.indent, "next": goes_on.next,
                    "setsPosition": goes_on.sets_position, "title": goes_on.title,
                    "titleIndent": goes_on.title_indent, "diagram": goes_on.diagram,
                },
            }),
        }
    }

    fn run_tests(&mut self, path: &Path, line: Option<usize>) -> Answer {
        let wrong = referee_ide::problems(&mut self.project, path);
        if let Some(first) = wrong.first() {
            self.tell(MessageType::ERROR, &format!("not run, because the file has errors: {}", first.message));
            let renderer = Renderer::default();
            let rendered: Vec<String> = wrong.iter().map(|wrong| renderer.render(wrong)).collect();
            return done(json!({ "errors": rendered, "tests": [] }));
        }
        let at = line.map(|line| referee_ide::tests_at(&mut self.project, path, line));
        let wanted = |test: usize| at.as_ref().is_none_or(|at| at.contains(&test));
        let runs = referee_ide::run(&mut self.project, path, &|test, _| wanted(test), &|| true);
        let passed = runs.iter().filter(|run| run.result.status == Status::Passed).count();
        let failed = runs.len() - passed;
        let kind = if failed == 0 && passed > 0 { MessageType::INFO } else { MessageType::WARNING };
        match runs.len() {
            0 => self.tell(kind, "there is no test here"),
            _ => self.tell(kind, &format!("{passed} passed, {failed} failed")),
        }
        done(json!({ "errors": [], "tests": runs.iter().map(run_json).collect::<Vec<_>>() }))
    }

    /// Returns the results of the tests of an open file as they were run last, after its last change. `tests` is `null`
    /// if they were not run since.
    pub(super) fn results(&self, path: &Path) -> Answer {
        let test = |run: &Run| json!({ "title": run.title, "line": run.line, "status": run.result.status.word(), "failures": failures_json(run) });
        let tests = self.documents.runs(path, |runs| runs.map(|runs| runs.iter().map(test).collect::<Vec<_>>()));
        done(json!({ "tests": tests }))
    }

    fn record(&mut self, path: &Path, line: usize) -> Answer {
        let fix = referee_ide::record(&mut self.project, path, line);
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

/// Returns a symbol of diagrams: the piece that it puts on the board, and the columns and rows that this covers.
fn symbol_json(symbol: &Symbol) -> Value {
    let (wide, high) = symbol.size;
    json!({ "text": symbol.text, "name": symbol.name, "wide": wide, "high": high, "many": symbol.many })
}

/// Returns an expected diagram as a picture, with its cells.
fn expected_json(board: &Drawing, players: &[String]) -> Value {
    json!({ "svg": picture_of(board, "the expected board", players), "cells": drawing_cells(board) })
}

fn picture_of(board: &Drawing, title: &str, players: &[String]) -> String {
    picture_file(&Picture { id: "board", title, board, players, zones: &[], moves: &[], off: &[] })
}

/// Returns a test that was run, with its positions.
fn run_json(run: &Run) -> Value {
    let steps = run.scenes.iter().enumerate().map(|(step, scene)| {
        json!({
            "line": scene.line, "text": scene.text(), "svg": scene_picture(&run.title, step, scene),
        })
    });
    json!({
        "title": run.title, "line": run.line, "status": run.result.status.word(), "failures": failures_json(run),
        "steps": steps.collect::<Vec<_>>(),
    })
}

/// Returns the failures of a test, with the boards that were expected and reached.
fn failures_json(run: &Run) -> Vec<Value> {
    let players = run.scenes.first().map(|scene| scene.players.as_slice()).unwrap_or_default();
    run.result.failures.iter().map(|failure| failure_json(failure, players)).collect()
}

fn failure_json(failure: &Failure, players: &[String]) -> Value {
    let text = |board: &Option<Drawing>| board.as_ref().map(|board| board.plain().join("\n"));
    let svg = |board: &Option<Drawing>, title: &str| board.as_ref().map(|board| picture_of(board, title, players));
    json!({
        "line": failure.diagnostic.place().map(|(_, line)| line),
        "message": failure.diagnostic.message,
        "rendered": Renderer::default().render(&failure.diagnostic),
        "expected": failure.expected,
        "reached": failure.actual,
        "expectedBoard": text(&failure.expected_board),
        "reachedBoard": text(&failure.actual_board),
        "expectedSvg": svg(&failure.expected_board, "the expected board"),
        "reachedSvg": svg(&failure.actual_board, "the board that was reached"),
    })
}
