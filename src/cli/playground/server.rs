//! Answers requests: the files of the page, and below `api/` those of the project.

use std::io::Read as _;

use tiny_http::{Method, Request, Response, Server};

use super::access::Access;
use super::answers::{answer_json, header, refuse, respond};
use super::changes::Changes;
use super::pages::Pages;
use super::project::{Change, Project, Refused};

/// The maximum size of a change in bytes: two texts, each of at most 16 MiB, with what JSON adds.
const LARGEST: u64 = 80 << 20;
/// The number of threads that answer: a browser asks for several files at once.
const THREADS: usize = 4;

/// Answers requests until the server fails.
///
/// # Errors
/// Returns an error message if no request can be received.
pub(super) fn serve(
    server: &Server,
    access: &Access,
    pages: &Pages,
    project: &Project,
    changes: &Changes,
) -> Result<(), String> {
    let work = || -> Result<(), String> {
        loop {
            let request = server.recv().map_err(|error| format!("the server has stopped: {error}"))?;
            answer(request, access, pages, project, changes);
        }
    };
    std::thread::scope(|scope| {
        (1..THREADS).for_each(|_| drop(scope.spawn(work)));
        work()
    })
}

fn answer(request: Request, access: &Access, pages: &Pages, project: &Project, changes: &Changes) {
    let Some(below) = access.path(&request) else {
        respond(request, Response::from_string("not found").with_status_code(404));
        return;
    };
    let (path, query) = below.split_once('?').unwrap_or((below, ""));
    let (path, query) = (path.to_owned(), query.to_owned());
    match (request.method(), path.strip_prefix("api/")) {
        (Method::Get, Some("project")) => {
            // The number first: what changes while files are read is told by the next.
            let version = changes.count();
            let listing = project.listing();
            answer_json(request, 200, &serde_json::json!({ "version": version, "project": listing }));
        }
        (Method::Get, Some("changes")) => {
            let known = query.strip_prefix("since=").and_then(|known| known.parse().ok());
            changes.wait(request, known.unwrap_or(u64::MAX));
        }
        (Method::Post, Some("change")) => change(request, project),
        (Method::Get, None) => page(request, pages, &path),
        _ => respond(request, Response::from_string("not found").with_status_code(404)),
    }
}

/// Sends a file of the page.
fn page(request: Request, pages: &Pages, path: &str) {
    let Some((bytes, kind)) = pages.file(path) else {
        respond(request, Response::from_string("not found").with_status_code(404));
        return;
    };
    let headers = [("Content-Type", kind), ("Content-Security-Policy", pages.policy())];
    let response = headers.into_iter().filter_map(|(name, value)| header(name, value));
    respond(request, response.fold(Response::from_data(bytes), Response::with_header));
}

/// Makes a change of a file.
fn change(mut request: Request, project: &Project) {
    let mut body = Vec::new();
    let read = request.as_reader().take(LARGEST + 1).read_to_end(&mut body);
    if read.is_err() || body.len() as u64 > LARGEST {
        return refuse(request, 413, "the text is too large");
    }
    let Ok(change) = serde_json::from_slice::<Change>(&body) else {
        return refuse(request, 400, "this is no change of a file");
    };
    match project.change(&change) {
        Ok(()) => answer_json(request, 200, &serde_json::json!({ "saved": true })),
        Err(Refused::Foreign) => refuse(request, 403, "this is no file of the project"),
        Err(Refused::Changed(there)) => {
            let why = "another program has changed the file";
            answer_json(request, 409, &serde_json::json!({ "error": why, "there": there }));
        }
        Err(Refused::Failed(why)) => refuse(request, 500, &why),
    }
}
