//! `referee test --watch`: a process that is told of changes by the system. Each wait ends with the output that is waited
//! for; the limit only ends a test that would wait for ever.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use super::{FAILING, GOOD, Project};

const LIMIT: Duration = Duration::from_secs(60);

/// A running process and the lines that it prints.
struct Watching {
    child: Child,
    lines: Receiver<String>,
}

impl Watching {
    fn start(project: &Project, arguments: &[&str]) -> Self {
        Self::of(project.command(arguments))
    }

    fn of(mut command: Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::inherit()).spawn().unwrap();
        let out = BufReader::new(child.stdout.take().unwrap());
        let (send, lines) = channel();
        std::thread::spawn(move || out.lines().map_while(Result::ok).try_for_each(|line| send.send(line)));
        Self { child, lines }
    }

    /// The lines up to the one that says that changes are waited for.
    fn run(&self) -> Vec<String> {
        let mut all = Vec::new();
        loop {
            let line = self.lines.recv_timeout(LIMIT).unwrap();
            if line == "watching for changes; Ctrl-C ends" {
                return all;
            }
            all.push(line);
        }
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_change_runs_what_it_touches() {
    let project = Project::hop()
        .file("scenarios/good.scenario", GOOD)
        .file("scenarios/other.scenario", GOOD.replace("two squares", "the other"));
    let watching = Watching::start(&project, &["test", "--watch"]);
    let all = [
        "ok   scenarios/good.scenario (1 of 1 passed)",
        "ok   scenarios/other.scenario (1 of 1 passed)",
        "2 passed, 0 failed",
    ];
    assert_eq!(watching.run(), all);

    // A scenario file alone.
    let project = project.file("scenarios/good.scenario", FAILING);
    let ran = watching.run();
    assert_eq!(ran.first().map(String::as_str), Some("changed: scenarios/good.scenario"));
    assert_eq!(ran.last().map(String::as_str), Some("0 passed, 1 failed"));
    assert!(!ran.iter().any(|line| line.contains("other.scenario")), "{ran:?}");

    // A new file.
    let project = project.file("scenarios/new.scenario", GOOD);
    assert_eq!(
        watching.run(),
        ["changed: scenarios/new.scenario", "ok   scenarios/new.scenario (1 of 1 passed)", "1 passed, 0 failed"]
    );

    // The rules: all scenarios of the game.
    let rules = std::fs::read_to_string(project.path().join("games/hop/rules.rhai")).unwrap();
    let project = project.file("games/hop/rules.rhai", format!("{rules}\n// changed\n"));
    let ran = watching.run();
    assert_eq!(ran.first().map(String::as_str), Some("changed: games/hop/rules.rhai"));
    assert_eq!(ran.last().map(String::as_str), Some("2 passed, 1 failed"));

    // A file that belongs to none of them changes nothing: the next output is that of the scenario.
    let project = project.file("scenarios/notes.txt", "notes").file("scenarios/good.scenario", GOOD);
    let ran = watching.run();
    assert_eq!(ran.last().map(String::as_str), Some("1 passed, 0 failed"));
    assert_eq!(ran.first().map(String::as_str), Some("changed: scenarios/good.scenario"));
    drop(project);
}

/// Returns the command with the signal of Ctrl-C as a terminal leaves it. A shell has its background jobs ignore it, and
/// what they start inherits that.
#[cfg(unix)]
fn with_ctrl_c(command: Command) -> Command {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    if ignored & 0b10 == 0 {
        return command;
    }
    let mut wrapped = Command::new("env");
    wrapped.arg("--default-signal=INT").arg(command.get_program()).args(command.get_args());
    command.get_current_dir().map(|folder| wrapped.current_dir(folder));
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => wrapped.env(name, value),
            None => wrapped.env_remove(name),
        };
    }
    wrapped
}

/// Ctrl-C is the signal 2.
#[test]
#[cfg(unix)]
fn ctrl_c_ends_it() {
    use std::os::unix::process::ExitStatusExt;
    let project = Project::hop().file("scenarios/good.scenario", GOOD);
    let mut watching = Watching::of(with_ctrl_c(project.command(&["test", "--watch"])));
    watching.run();
    let sent = Command::new("kill").args(["-INT", &watching.child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    let late = Instant::now() + LIMIT;
    let ended = loop {
        match watching.child.try_wait().unwrap() {
            None if Instant::now() < late => std::thread::sleep(Duration::from_millis(10)),
            ended => break ended,
        }
    };
    assert_eq!(ended.and_then(|status| status.signal()), Some(2));
}

#[test]
fn a_file_with_errors_is_watched_too() {
    let project = Project::hop().file("scenarios/bad.scenario", super::INVALID);
    let watching = Watching::start(&project, &["test", "scenarios", "--watch"]);
    assert_eq!(watching.run().last().map(String::as_str), Some("0 passed, 0 failed, 1 errored"));
    let _project = project.file("scenarios/bad.scenario", GOOD);
    assert_eq!(watching.run().last().map(String::as_str), Some("1 passed, 0 failed"));
}
