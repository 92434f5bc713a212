//! Answers as HTTP.

use serde::Serialize;
use tiny_http::{Header, Request, Response};

/// Sends a reason as JSON.
pub(super) fn refuse(request: Request, status: u16, why: &str) {
    answer_json(request, status, &serde_json::json!({ "error": why }));
}

/// Sends an answer as JSON.
pub(super) fn answer_json(request: Request, status: u16, answer: &impl Serialize) {
    let text = serde_json::to_string(answer).unwrap_or_default();
    let response = Response::from_string(text).with_status_code(status);
    let kind = header("Content-Type", "application/json");
    respond(request, kind.into_iter().fold(response, Response::with_header));
}

/// Sends a response that no browser keeps, or takes for something else than it is.
pub(super) fn respond<R: std::io::Read>(request: Request, response: Response<R>) {
    let headers =
        [("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer")];
    let headers = headers.into_iter().filter_map(|(name, value)| header(name, value));
    // If the browser is gone, nobody needs the answer.
    let _ = request.respond(headers.fold(response, Response::with_header));
}

/// Returns a header; `None` if its text is none.
pub(super) fn header(name: &str, value: &str) -> Option<Header> {
    Header::from_bytes(name, value).ok()
}
