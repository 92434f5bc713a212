//! What is no message of the protocol.

use std::io::{Read, Write};
use std::process::{Child, Stdio};

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
