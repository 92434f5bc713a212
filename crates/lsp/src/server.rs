//! The server with two threads, for editors on the same machine: the main one has the [`Session`], the other one runs
//! tests.

use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use lsp_server::{Connection, ErrorCode, RequestId, Response};

use super::desk::Desk;
use super::greeting::Greeting;
use super::runner::{Batch, Runner};
use super::session::Session;
use referee_ide::Overlay;
use referee_scenario::LoaderOptions;
use referee_source::Host;

/// The stack of the thread that runs tests, in bytes: calls in scripts nest deeply.
const STACK: usize = 64 * 1024 * 1024;
/// The time without a change after which the tests are run.
const QUIET: Duration = Duration::from_millis(120);

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
    ended: &dyn Fn(),
) -> Result<(), String> {
    let (id, greeting) = greeted(connection)?;
    connection.initialize_finish(id, greeting.answer()).map_err(|error| error.to_string())?;
    let root = greeting.root.clone().unwrap_or_else(|| options.working_folder.clone());
    let overlay = Overlay::new(root, disk);
    let sender = connection.sender.clone();
    // If the client is gone, the server ends when it reads its next message.
    let desk = Desk::new(&overlay, &greeting, move |message| drop(sender.send(message)));
    let (batches, received) = channel();
    std::thread::scope(|scope| {
        let (desk, of_runner) = (&desk, options.clone());
        let body = move || run_batches(Runner::new(desk, of_runner), &received);
        let started = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, body);
        started.map_err(|error| format!("cannot start a thread: {error}"))?;
        let mut session = Session::new(desk, &greeting, options.clone());
        for message in &connection.receiver {
            if session.handle(message) {
                break;
            }
            let batch = session.take_waiting();
            if !batch.is_empty() {
                // The thread that receives it ends only after this one.
                drop(batches.send(batch));
            }
        }
        drop(batches);
        ended();
        Ok(())
    })
}

/// Waits for the client to begin, and returns the number of its request and what it says. One with other parameters
/// than those of the protocol is answered with an error.
fn greeted(connection: &Connection) -> Result<(RequestId, Greeting), String> {
    loop {
        let (id, parameters) = connection.initialize_start().map_err(|error| error.to_string())?;
        match Greeting::read(parameters) {
            Ok(greeting) => return Ok((id, greeting)),
            Err(reason) => {
                let response = Response::new_err(id, ErrorCode::InvalidParams as i32, reason);
                connection.sender.send(response.into()).map_err(|error| error.to_string())?;
            }
        }
    }
}

/// Runs what arrives, as soon as nothing has arrived for a moment, until the sender is gone.
fn run_batches(mut runner: Runner<'_>, batches: &Receiver<Batch>) {
    while let Ok(first) = batches.recv() {
        let mut all = first;
        while let Ok(next) = batches.recv_timeout(QUIET) {
            all.append(next);
        }
        runner.run(all);
    }
}
