//! The yardsticks in plain Python, where there is a `python3`: one process that is told what to play.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use super::Tape;

const SCRIPT: &str = include_str!("plain.py");

pub(crate) struct Python {
    child: Child,
    commands: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
    pub(crate) version: String,
}

impl Python {
    /// Nothing where there is no Python, or one that is too old.
    pub(crate) fn start() -> Option<Self> {
        let mut python = Command::new("python3");
        let mut child = python.args(["-c", SCRIPT]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().ok()?;
        let (commands, answers) = (child.stdin.take(), BufReader::new(child.stdout.take()?));
        let mut started = Self { child, commands, answers, version: String::new() };
        started.version = started.answer()?;
        Some(started)
    }

    /// The next line of what it prints.
    fn answer(&mut self) -> Option<String> {
        let mut line = String::new();
        self.answers.read_line(&mut line).ok()?;
        Some(line.trim().to_owned()).filter(|line| !line.is_empty())
    }

    fn tell(&mut self, command: &str) -> (f64, f64) {
        let told = self.commands.as_mut().map(|commands| writeln!(commands, "{command}"));
        assert!(matches!(told, Some(Ok(()))), "Python has ended");
        let Some(answer) = self.answer() else { unreachable!("Python has ended") };
        let mut numbers = answer.split(' ').filter_map(|word| word.parse().ok());
        let (Some(one), Some(other)) = (numbers.next(), numbers.next()) else { unreachable!("Python says {answer}") };
        (one, other)
    }

    /// How many games a second it plays, by its own processor time.
    pub(crate) fn rate(&mut self, game: &str, slice: f64, seed: u64) -> f64 {
        let (took, games) = self.tell(&format!("play {game} {slice} {seed}"));
        games / took
    }

    /// The turns and the winner of a game in which this is drawn.
    pub(crate) fn replay(&mut self, game: &str, tape: &Tape) -> (usize, usize) {
        let draws: Vec<String> = tape.draws.iter().map(|(bound, drawn)| format!("{bound}:{drawn}")).collect();
        let (turns, winner) = self.tell(&format!("replay {game} {}", draws.join(" ")));
        (turns as usize, winner as usize)
    }
}

impl Drop for Python {
    fn drop(&mut self) {
        // It ends when nothing more can come.
        self.commands = None;
        let _ended = self.child.wait();
    }
}
