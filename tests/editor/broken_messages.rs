//! What is no message of the protocol.

use std::io::{Read, Write};
use std::process::{Child, Stdio};

use serde_json::{Value, json};

use crate::commands::Project;

/// Returns a message with its header.
fn message(text: &str) -> Vec<u8> {
    format!("Content-Length: {}\r\n\r\n{text}", text.len()).into_bytes()
}

/// A server to which a client has said that it begins, and then sent these bytes.
fn server(bytes: &[u8]) -> (Project, Child) {
    let project = Project::hop();
    let mut command = project.command(&["lsp"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut server = command.spawn().unwrap();
    let begin = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}"#;
    let begun = r#"{"jsonrpc":"2.0","method":"initialized","params":{}}"#;
    let input = [&message(begin), &message(begun), bytes].concat();
    server.stdin.as_mut().unwrap().write_all(&input).unwrap();
    (project, server)
}

/// Returns the standard error of a server that ends, and its exit code.
fn end(server: Child) -> (String, i32) {
    let output = server.wait_with_output().unwrap();
    (String::from_utf8(output.stderr).unwrap(), output.status.code().unwrap())
}

#[test]
fn a_message_that_is_no_json_is_answered_and_the_server_goes_on() {
    let shutdown = message(r#"{"jsonrpc":"2.0","id":2,"method":"shutdown"}"#);
    for broken in [&b"{x}"[..], b"[]", b"\xff\xfe"] {
        let header = format!("Content-Length: {}\r\n\r\n", broken.len());
        let (_project, mut server) = server(&[header.as_bytes(), broken, &shutdown].concat());
        let mut output = String::new();
        let mut answers = std::io::BufReader::new(server.stdout.take().unwrap());
        while !output.contains(r#""id":2,"result":null"#) {
            let mut byte = [0];
            answers.read_exact(&mut byte).unwrap();
            output.push(char::from(byte[0]));
        }
        assert!(output.contains(r#""id":null,"error":{"code":-32700"#), "{output}");
        server.stdin.as_mut().unwrap().write_all(&message(r#"{"jsonrpc":"2.0","method":"exit"}"#)).unwrap();
        assert_eq!(end(server), (String::new(), 0));
    }
}

#[test]
fn a_message_without_a_usable_length_ends_the_server_with_a_reason() {
    for (broken, why) in [
        (&b"Content-Length: 99999999999999999\r\n\r\n{}"[..], "no length, or one above 67108864 bytes"),
        (b"Content-Length: -3\r\n\r\n{}", "no length"),
        (b"Content-Type: text\r\n\r\n{}", "no length"),
        (b"hello\r\n\r\n", "no header"),
    ] {
        let (_project, server) = server(broken);
        let (error, code) = end(server);
        assert!(error.contains(why), "{error}");
        assert_eq!(code, 2);
    }
}

/// Returns the length of the next message, whose header is read.
fn length(output: &mut impl Read) -> Option<usize> {
    let mut header = String::new();
    while !header.ends_with("\r\n\r\n") {
        let mut byte = [0];
        if output.read(&mut byte).unwrap() == 0 {
            assert_eq!(header, "", "half a header");
            return None;
        }
        header.push(char::from(byte[0]));
    }
    Some(header.trim().strip_prefix("Content-Length: ").unwrap().parse().unwrap())
}

/// A pipe holds 64 KiB: the rest of a longer message is written when the client has read, which it does after `exit`.
#[test]
fn a_message_that_is_begun_before_the_end_is_written_whole() {
    let text = format!("use pig\n\nscenario \"A\"\n{}", "  expect game.nothing = 1\n".repeat(490));
    let document = json!({"uri": "file:///a.scenario", "languageId": "referee-scenario", "version": 1, "text": text});
    let opened = json!({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": document}});
    let (_project, mut server) = server(&message(&opened.to_string()));
    let mut output = std::io::BufReader::with_capacity(1, server.stdout.take().unwrap());
    let mut lengths = Vec::new();
    while let Some(length) = length(&mut output) {
        lengths.push(length);
        if lengths.len() == 2 {
            server.stdin.as_mut().unwrap().write_all(&message(r#"{"jsonrpc":"2.0","method":"exit"}"#)).unwrap();
            std::thread::sleep(std::time::Duration::from_millis(300));
        }
        let mut body = vec![0; length];
        output.read_exact(&mut body).unwrap();
        serde_json::from_slice::<Value>(&body).unwrap();
    }
    assert!(lengths[1] > 80_000, "{lengths:?}");
}

/// The client stays there, and is told why nothing more comes.
#[test]
fn a_client_that_does_not_begin_is_told() {
    let project = Project::hop();
    let mut command = project.command(&["lsp"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut server = command.spawn().unwrap();
    let mut input = server.stdin.take().unwrap();
    input.write_all(&message(r#"{"jsonrpc":"2.0","method":"exit"}"#)).unwrap();
    let (error, code) = end(server);
    assert!(error.contains("the language server has stopped"), "{error}");
    assert_eq!(code, 2);
    drop(input);
}
