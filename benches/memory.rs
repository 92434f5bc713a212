//! Measures how much memory `referee test` and `referee check` need for large files, beside the size of the text. Fails
//! above the goal. Needs `/usr/bin/time`.

mod support;

use std::fmt::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// The number of bytes of each text.
const SIZE: usize = 32 << 20;
/// The largest number of bytes of a file: larger ones are not read.
const FILE: usize = 12 << 20;
/// The largest number of bytes of one of many files.
const SMALL: usize = 400_000;
/// The most bytes of memory for each byte of text, beyond those for a file with one scenario.
const GOAL: f64 = 8.0;

/// A kind of text: what it is, its head, and its scenarios by their number.
type Text<'t> = (&'t str, &'t str, &'t dyn Fn(usize) -> String);

fn main() -> std::io::Result<()> {
    let folder = tempfile::tempdir()?;
    let many = support::many_rolls();
    // Each begins with its `use` line, and has empty lines within.
    let rolls: Vec<String> =
        many.split("\n\nuse ").map(|roll| format!("use {}\n\n", roll.trim_start_matches("use ").trim_end())).collect();
    let long = |number: usize| {
        let scenario = rolls.get(number % rolls.len().max(1)).map(String::as_str).unwrap_or_default();
        scenario.replacen("scenario \"", &format!("scenario \"{number} "), 1)
    };
    let mut missed = Vec::new();
    println!("{:44}{:>10}{:>12}{:>8}", "command", "text", "memory", "ratio");
    let texts: [Text<'_>; 3] =
        [("long scenarios", "", &long), ("short scenarios", "use pig\n\n", &short), ("rows of a table", TABLE, &row)];
    for (what, head, scenario) in texts {
        for (files, size) in [("large", FILE), ("small", SMALL)] {
            let place = folder.path().join(format!("{what} {files}"));
            let bytes = write(&place, head, scenario, size)?;
            let one = folder.path().join("one.scenario");
            std::fs::write(&one, format!("{head}{}", scenario(0)))?;
            for command in ["test", "check"] {
                let (Some(whole), Some(base)) = (memory(command, &place), memory(command, &one)) else {
                    println!("{command}: unknown, there is no /usr/bin/time");
                    continue;
                };
                let ratio = (whole - base).max(0.0) / bytes as f64;
                let name = format!("referee {command}: {what}, {files} files");
                println!("{name:44}{:>7.1} MB{:>9.1} MB{ratio:>8.1}", bytes as f64 / 1e6, whole / 1e6);
                missed.extend((ratio > GOAL).then_some(name));
            }
        }
    }
    assert!(missed.is_empty(), "more than {GOAL} bytes for each byte of text: {missed:?}");
    Ok(())
}

/// The scenario of a table.
const TABLE: &str = "\
use pig

scenario \"{throw} and a claim\"
  players ann ben
  turn ann
  roll {throw}
  expect game.pot = {throw}
  expect { game.pot > 0 && claim != \"\" }
  examples
    | throw | claim |
";

fn row(number: usize) -> String {
    let claim = "as the rulebook says on one of its pages, about throws that are not a one, ".repeat(2);
    format!("    | {} | \"{claim}number {number}\" |\n", number % 5 + 2)
}

fn short(number: usize) -> String {
    let (score, throw) = (number % 90, number % 5 + 2);
    format!(
        "scenario \"A throw and no more, number {number}\"\n  set ann.score {score}\n  turn ann\n  roll {throw}\n  \
         expect game.pot = {throw}\n  ann hold\n  expect ann.score = {}\n  expect turn ben\n\n",
        score + throw
    )
}

/// Writes files of at most this size; returns the size of all.
fn write(place: &Path, head: &str, scenario: &dyn Fn(usize) -> String, size: usize) -> std::io::Result<usize> {
    std::fs::create_dir_all(place)?;
    let (mut number, mut bytes, mut files) = (0, 0, 0);
    while bytes < SIZE {
        let mut text = head.to_owned();
        while text.len() < size {
            let _ = text.write_str(&scenario(number));
            number += 1;
        }
        bytes += text.len();
        std::fs::write(place.join(format!("{files}.scenario")), text)?;
        files += 1;
    }
    Ok(bytes)
}

/// Returns the peak memory of a run, in bytes.
fn memory(command: &str, path: &Path) -> Option<f64> {
    let mut timed = Command::new("/usr/bin/time");
    timed.args(["-f", "%M", env!("CARGO_BIN_EXE_referee"), command]);
    let folder = path.parent().unwrap_or(path);
    let output = timed.arg(path).current_dir(folder).stdin(Stdio::null()).output().ok()?;
    assert!(output.status.success() || command == "test", "{}", String::from_utf8_lossy(&output.stdout));
    let kilobytes: f64 = String::from_utf8_lossy(&output.stderr).lines().last()?.trim().parse().ok()?;
    Some(kilobytes * 1024.0)
}
