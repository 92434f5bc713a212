//! `referee lsp`: the language server, on standard input and output.

use std::io::{BufRead, Read, Write};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use clap::Args;
use crossbeam_channel::bounded;
use lsp_server::{Connection, Message};

use super::Exit;
use super::arguments::options;
use super::disk::Disk;
use super::output::print_error;
use super::workers::spread;
use referee_lsp::serve;

/// The maximum length of a message, in bytes. A client sends whole files, which have far fewer.
const LONGEST: usize = 64 << 20;
/// The answer to a message that is no JSON of the protocol, by JSON-RPC 2.0, section 5.1.
const UNREADABLE: &str =
    r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"this message cannot be read"}}"#;

#[derive(Debug, Args)]
pub(super) struct LspArguments {
    /// Look for games in this folder first
    #[arg(long, value_name = "DIR")]
    games: Option<std::path::PathBuf>,
    /// Accepted, because editors pass it; the server always uses standard input and output
    #[arg(long)]
    stdio: bool,
}

/// Serves one editor until it ends the connection.
pub(super) fn run(arguments: &LspArguments) -> Exit {
    // A message is sent when the thread that writes it takes it.
    let ((to_client, from_server), (to_server, from_client)) = (bounded(0), bounded(0));
    let connection = Connection { sender: to_client, receiver: from_client };
    let client = Connection { sender: to_server, receiver: from_server };
    let unreadable = Arc::new(Mutex::new(Ok(())));
    let writer = transport(client, &unreadable);
    let options = options(arguments.games.as_ref());
    let whole = |end: &Result<(), String>| {
        let input = unreadable.lock().map_or(Ok(()), |input| input.clone());
        input.and(end.clone())
    };
    // Ends the process: a test that is still being run is of no use any more. All answers have been written, because
    // the client has waited for the one to its `shutdown`.
    let ended = || {
        let end = exit_of(&whole(&Ok(())));
        // A message that the writer has begun is written first: half of one is nothing that a client can read.
        let _output = std::io::stdout().lock();
        std::process::exit(end as i32)
    };
    // A worker has the deep stack that scripts need.
    let ends = spread(1, 1, || (), |(), _| serve(&connection, &Disk, &options, &ended));
    drop(connection);
    // The other thread may wait for a client that sends no more messages.
    drop(writer.join());
    exit_of(&whole(&ends.into_iter().collect::<Result<Vec<()>, String>>().map(drop)))
}

/// Starts the threads that pass messages between standard input and output and a connection, and returns the one that
/// writes. The other one reads until the client says `exit` or is gone, or up to a message without a usable length,
/// which it notes.
fn transport(client: Connection, unreadable: &Arc<Mutex<Result<(), String>>>) -> JoinHandle<()> {
    let Connection { sender, receiver } = client;
    let unreadable = Arc::clone(unreadable);
    std::thread::spawn(move || {
        let end = listen(&mut std::io::stdin().lock(), |message| sender.send(message).is_ok());
        if let Ok(mut noted) = unreadable.lock() {
            *noted = end;
        }
    });
    std::thread::spawn(move || {
        for message in receiver {
            let mut text = Vec::new();
            // If the client is gone, the rest is dropped.
            if message.write(&mut text).and_then(|()| written(&text)).is_err() {
                break;
            }
        }
    })
}

/// Passes messages on until the client says `exit` or is gone, or the receiver is closed. Answers a message that is not
/// one of the protocol with an error.
fn listen(input: &mut impl BufRead, pass: impl Fn(Message) -> bool) -> Result<(), String> {
    while let Some(text) = message(input)? {
        let Ok(Some(read)) = Message::read(&mut text.as_slice()) else {
            let answer = format!("Content-Length: {}\r\n\r\n{UNREADABLE}", UNREADABLE.len());
            written(answer.as_bytes()).map_err(|error| error.to_string())?;
            continue;
        };
        let exit = matches!(&read, Message::Notification(notification) if notification.method == "exit");
        if !pass(read) || exit {
            break;
        }
    }
    Ok(())
}

/// Returns the next message with its header; `None` at the end of the input.
fn message(input: &mut impl BufRead) -> Result<Option<Vec<u8>>, String> {
    let mut text = Vec::new();
    let mut length = None;
    loop {
        let begin = text.len();
        // A header is a few words.
        let count = input.take(1 << 10).read_until(b'\n', &mut text).map_err(|error| error.to_string())?;
        let line = String::from_utf8_lossy(text.get(begin..).unwrap_or_default()).into_owned();
        match line.trim_end() {
            _ if count == 0 => return Ok(None),
            "" => break,
            line => {
                let (name, value) = line.split_once(':').ok_or("a message has no header")?;
                if name.eq_ignore_ascii_case("Content-Length") {
                    length = value.trim().parse::<usize>().ok().filter(|length| *length <= LONGEST);
                }
            }
        }
    }
    let length = length.ok_or_else(|| format!("a message has no length, or one above {LONGEST} bytes"))?;
    let begin = text.len();
    text.resize(begin + length, 0);
    let body = text.get_mut(begin..).unwrap_or_default();
    input.read_exact(body).map_err(|error| error.to_string())?;
    Ok(Some(text))
}

/// Writes to standard output at once.
fn written(text: &[u8]) -> std::io::Result<()> {
    let mut output = std::io::stdout().lock();
    output.write_all(text)?;
    output.flush()
}

/// Says why the server has stopped, if the client has not ended it.
fn exit_of(end: &Result<(), String>) -> Exit {
    match end {
        Ok(()) => Exit::Passed,
        Err(message) => {
            print_error(&format!("the language server has stopped: {message}"));
            Exit::Usage
        }
    }
}
