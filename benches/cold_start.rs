//! Measures a whole run of the program: wall time, and peak memory if `/usr/bin/time` is available.

mod support;

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The number of runs of each command.
const RUNS: usize = 40;

fn main() -> std::io::Result<()> {
    let folder = tempfile::tempdir()?;
    let many = support::many_rolls();
    let one = many.split("use squish-board").nth(2).map(|first| format!("use squish-board{first}")).unwrap_or_default();
    println!("{:28}{:>10}{:>12}{:>14}", "referee test --jobs 1", "shortest", "median", "most memory");
    for (name, text) in [("one scenario", &one), ("1,000 scenarios", &many)] {
        let file = folder.path().join("bench.scenario");
        std::fs::write(&file, text)?;
        let runs = if text.len() > one.len() { RUNS / 4 } else { RUNS };
        let mut times = (0..runs).map(|_| time(&file)).collect::<std::io::Result<Vec<Duration>>>()?;
        times.sort();
        let (shortest, median) = (times.first(), times.get(times.len() / 2));
        let words = |time: Option<&Duration>| time.map(|time| format!("{:.1} ms", time.as_secs_f64() * 1e3));
        println!(
            "{name:28}{:>10}{:>12}{:>14}",
            words(shortest).unwrap_or_default(),
            words(median).unwrap_or_default(),
            memory(&file).map_or_else(|| "unknown".to_owned(), |kilobytes| format!("{:.1} MB", kilobytes / 1e3)),
        );
    }
    Ok(())
}

fn referee(program: &mut Command, file: &Path) -> std::io::Result<std::process::Output> {
    let folder = file.parent().unwrap_or(file);
    program.args(["test", "--jobs", "1"]).arg(file).current_dir(folder).stdin(Stdio::null()).output()
}

fn time(file: &Path) -> std::io::Result<Duration> {
    let start = Instant::now();
    let output = referee(&mut Command::new(env!("CARGO_BIN_EXE_referee")), file)?;
    let time = start.elapsed();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    Ok(time)
}

/// Returns the peak memory of a run, in kilobytes.
fn memory(file: &Path) -> Option<f64> {
    let mut timed = Command::new("/usr/bin/time");
    timed.args(["-f", "%M", env!("CARGO_BIN_EXE_referee")]);
    let output = referee(&mut timed, file).ok()?;
    String::from_utf8_lossy(&output.stderr).lines().last()?.trim().parse().ok()
}
