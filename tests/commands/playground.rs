//! `referee playground`: the page, and the files of a project, for one browser on this machine.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use super::{GOOD, Project};

/// A server, ended when dropped.
struct Served {
    server: Child,
    port: u16,
    token: String,
    _page: Project,
}

/// An answer: its status, its headers, and its text.
struct Got {
    status: u16,
    headers: String,
    text: String,
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

impl Served {
    fn new(project: &Project) -> Self {
        let page = Project::new()
            .file("page/index.html", "<title>the page</title>")
            .file("page/policy.txt", "default-src 'none'\n")
            .file("page/main.js", "1")
            .file("secret.txt", "not a part of the page");
        let folder = page.path().join("page");
        let mut command = project.command(&["playground", ".", "--files", folder.to_str().unwrap()]);
        let mut server = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut address = String::new();
        BufReader::new(server.stdout.take().unwrap()).read_line(&mut address).unwrap();
        let (host, path) = address.strip_prefix("http://127.0.0.1:").unwrap().split_once('/').unwrap();
        let token = path.strip_suffix("/?project\n").unwrap().to_owned();
        assert_eq!(token.len(), 32);
        let port = host.parse().unwrap();
        Self { server, port, token, _page: page }
    }

    /// Sends a request as it is given.
    fn send(&self, method: &str, path: &str, headers: &[&str], body: &str) -> Got {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        let host = format!("Host: 127.0.0.1:{}", self.port);
        let host =
            if headers.iter().any(|header| header.starts_with("Host:")) { Vec::new() } else { vec![host.as_str()] };
        let headers = [&host, headers].concat().join("\r\n");
        let length = body.len();
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\n{headers}\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{body}"
        )
        .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, text) = answer.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        Got { status, headers: head.to_owned(), text: text.to_owned() }
    }

    fn get(&self, below: &str) -> Got {
        self.send("GET", &format!("/{}/{below}", self.token), &[], "")
    }

    fn change(&self, path: &str, before: Option<&str>, text: Option<&str>) -> (u16, Value) {
        let body = json!({ "path": path, "before": before, "text": text }).to_string();
        let got = self.send("POST", &format!("/{}/api/change", self.token), &[], &body);
        (got.status, serde_json::from_str(&got.text).unwrap())
    }

    fn files(&self) -> Value {
        serde_json::from_str(&self.get("api/project").text).unwrap()
    }
}

#[test]
fn the_page_is_sent_with_its_policy_to_who_knows_the_address() {
    let project = Project::hop();
    let served = Served::new(&project);
    let page = served.get("?project");
    assert_eq!((page.status, page.text.as_str()), (200, "<title>the page</title>"));
    for header in [
        "Content-Security-Policy: default-src 'none'",
        "Content-Type: text/html; charset=utf-8",
        "X-Content-Type-Options: nosniff",
        "Referrer-Policy: no-referrer",
    ] {
        assert!(page.headers.contains(header), "{}", page.headers);
    }
    assert!(served.get("main.js").headers.contains("Content-Type: text/javascript"));
    for other in ["none.js", "../secret.txt", "%2e%2e/secret.txt", "policy", "", "/etc/passwd"] {
        let other = if other.is_empty() { "page/" } else { other };
        assert_eq!(served.get(other).status, 404, "{other}");
    }
    for path in ["/", "/index.html", "/api/project", "/0123456789abcdef0123456789abcdef/"] {
        assert_eq!(served.send("GET", path, &[], "").status, 404, "{path}");
    }
}

/// A page of another origin cannot read files, whatever name it gives to this machine.
#[test]
fn other_origins_are_refused() {
    let project = Project::hop();
    let served = Served::new(&project);
    let path = format!("/{}/api/project", served.token);
    let own = format!("Origin: http://127.0.0.1:{}", served.port);
    assert_eq!(served.send("GET", &path, &[&own, "Sec-Fetch-Site: same-origin"], "").status, 200);
    for header in [
        "Origin: https://example.org",
        "Origin: null",
        "Host: example.org",
        "Sec-Fetch-Site: cross-site",
        "Sec-Fetch-Site: same-site",
    ] {
        assert_eq!(served.send("GET", &path, &[header], "").status, 404, "{header}");
        assert_eq!(served.send("POST", &path, &[header], "{}").status, 404, "{header}");
    }
    let body = json!({ "path": "a.scenario", "before": null, "text": "x" }).to_string();
    let change = format!("/{}/api/change", served.token);
    assert_eq!(served.send("POST", &change, &["Origin: https://example.org"], &body).status, 404);
    assert!(!project.path().join("a.scenario").exists());
}

#[test]
fn files_are_read_written_and_deleted_inside_the_project() {
    let project = Project::hop()
        .file("a.scenario", GOOD)
        .file("notes.txt", "no file of a project")
        .file(".hidden/b.scenario", GOOD)
        .file("target/c.scenario", GOOD)
        .file("wrong.md", b"\xff");
    let outside = Project::new().file("outside.scenario", GOOD);
    #[cfg(unix)]
    std::os::unix::fs::symlink(outside.path(), project.path().join("link")).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(outside.path().join("outside.scenario"), project.path().join("linked.scenario"))
        .unwrap();
    let served = Served::new(&project);
    let listed = served.files();
    let listed = &listed["project"];
    let names: Vec<&String> = listed["files"].as_object().unwrap().keys().collect();
    assert!(names.iter().any(|name| *name == "games/hop/hop.game"), "{names:?}");
    assert!(names.iter().any(|name| *name == "a.scenario"), "{names:?}");
    let foreign = ["notes", "hidden", "target", "link", "outside", "wrong"];
    assert!(!names.iter().any(|name| foreign.iter().any(|foreign| name.contains(foreign))), "{names:?}");
    assert_eq!(listed["left_out"]["wrong.md"], "line 1 is not UTF-8: save the file as UTF-8");

    assert_eq!(served.change("a.scenario", Some(GOOD), Some("use hop\n")).0, 200);
    assert_eq!(std::fs::read_to_string(project.path().join("a.scenario")).unwrap(), "use hop\n");
    assert_eq!(served.change("new/deep/b.scenario", None, Some(GOOD)).0, 200);
    assert_eq!(served.change("new/deep/b.scenario", Some(GOOD), None).0, 200);
    assert!(!project.path().join("new/deep/b.scenario").exists());

    // What another program has written stays, and is shown.
    std::fs::write(project.path().join("a.scenario"), "another").unwrap();
    let (status, answer) = served.change("a.scenario", Some("use hop\n"), Some("mine"));
    assert_eq!((status, &answer["there"]), (409, &json!("another")));
    assert_eq!(served.change("a.scenario", None, Some("mine")).0, 409);
    assert_eq!(std::fs::read_to_string(project.path().join("a.scenario")).unwrap(), "another");

    for foreign in [
        "../x.scenario",
        "/x.scenario",
        "a/../../x.scenario",
        "./x.scenario",
        "",
        "notes.txt",
        ".x.scenario",
        "x",
        ".git/x.md",
        "target/x.md",
        "link/x.scenario",
        "link/new/x.scenario",
        "..\\x.scenario",
        "a\u{0}.md",
    ] {
        let (status, answer) = served.change(foreign, None, Some("x"));
        assert!([403, 500].contains(&status), "{foreign}: {status} {answer}");
    }
    let (status, _) = served.change("linked.scenario", Some(GOOD), Some("x"));
    assert_eq!(status, 403);
    assert_eq!(std::fs::read_dir(outside.path()).unwrap().count(), 1);
    assert_eq!(std::fs::read_to_string(outside.path().join("outside.scenario")).unwrap(), GOOD);
    let body = "{\"path\": 3}";
    assert_eq!(served.send("POST", &format!("/{}/api/change", served.token), &[], body).status, 400);
}

#[test]
fn who_waits_is_told_of_a_change_by_another_program() {
    let project = Project::hop().file("a.scenario", GOOD);
    let served = Served::new(&project);
    let version = served.files()["version"].as_u64().unwrap();
    std::thread::scope(|scope| {
        let waits = scope.spawn(|| served.get(&format!("api/changes?since={version}")));
        std::thread::sleep(Duration::from_millis(200));
        // No file of the project: nobody is told.
        std::fs::write(project.path().join("notes.txt"), "x").unwrap();
        std::thread::sleep(Duration::from_millis(200));
        assert!(!waits.is_finished());
        std::fs::write(project.path().join("a.scenario"), "use hop\n").unwrap();
        let told: Value = serde_json::from_str(&waits.join().unwrap().text).unwrap();
        assert!(told["version"].as_u64().unwrap() > version);
    });
    assert_eq!(served.files()["project"]["files"]["a.scenario"], "use hop\n");
    // One who knows less than there is does not wait.
    assert_eq!(served.get("api/changes?since=0").status, 200);
}

#[test]
fn without_the_page_its_command_is_named() {
    let project = Project::hop().file("page/index.html", "x");
    // The page may have been built beside the program itself.
    let alone = project.path().join("referee-alone");
    let own = env!("CARGO_BIN_EXE_referee");
    std::fs::hard_link(own, &alone).or_else(|_| std::fs::copy(own, &alone).map(drop)).unwrap();
    let ran = std::process::Command::new(&alone).arg("playground").current_dir(project.path()).output().unwrap();
    let stderr = String::from_utf8(ran.stderr).unwrap();
    assert_eq!(ran.status.code(), Some(2));
    assert!(stderr.contains("the page of the playground is not here"), "{stderr}");
    assert!(stderr.contains("build it with `web/build.sh`"), "{stderr}");
    let ran = project.run(&["playground", "--files", "page"]);
    assert!(ran.stderr.contains("`page` is no folder of the playground"), "{}", ran.stderr);
    let ran = project.run(&["playground", "nowhere"]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("no such folder"), "{}", ran.stderr);
}
