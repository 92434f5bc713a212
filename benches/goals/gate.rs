//! Keeps what was reached: ratios to the same games by hand, in one run on one machine, against those recorded.

use std::collections::BTreeMap;
use std::process::ExitCode;

use crate::report::Report;

const RECORDED: &str = include_str!("recorded.txt");
/// The part of a recorded ratio that must be reached, and in how many of how many runs it must not be missed.
const KEPT: f64 = 0.7;
const MISSES: usize = 2;
const RUNS: usize = 3;

/// Returns the rows with their yardsticks, and the recorded ratios.
fn recorded() -> BTreeMap<(String, String), f64> {
    let lines = RECORDED.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    let row = |line: &str| {
        let parts: Vec<&str> = line.split('|').map(str::trim).collect();
        let [what, yardstick, ratio] = parts[..] else { unreachable!("no recorded ratio: {line}") };
        let Ok(ratio) = ratio.parse() else { unreachable!("no recorded ratio: {line}") };
        ((what.to_owned(), yardstick.to_owned()), ratio)
    };
    lines.map(row).collect()
}

/// Measures the recorded rows, and those that are too slow up to twice more: the machine may have been busy. Fails if one is too
/// slow in two runs, or was not measured.
pub(crate) fn gate(mut run: impl FnMut(&mut Report) -> std::io::Result<()>) -> std::io::Result<ExitCode> {
    let recorded = recorded();
    let mut misses: BTreeMap<&(String, String), usize> = recorded.keys().map(|row| (row, 0)).collect();
    for number in 0..RUNS {
        let again = |misses: usize| if number == 0 { true } else { misses > 0 && misses < MISSES };
        let rows: Vec<String> =
            misses.iter().filter(|(_, misses)| again(**misses)).map(|((what, _), _)| what.clone()).collect();
        if rows.is_empty() {
            break;
        }
        let mut report = Report::new(rows.clone());
        run(&mut report)?;
        for (row, misses) in &mut misses {
            if !rows.contains(&row.0) {
                continue;
            }
            let found = report.ratios.iter().find(|(what, yardstick, _)| *what == row.0 && *yardstick == row.1);
            let kept = recorded.get(*row).copied().unwrap_or(f64::INFINITY) * KEPT;
            match found {
                Some((.., ratio)) if *ratio >= kept => {}
                Some((.., ratio)) => {
                    println!("{}: {ratio:.3} of {}, and {kept:.3} must be kept", row.0, row.1);
                    *misses += 1;
                }
                None => {
                    println!("{}: not measured against {}", row.0, row.1);
                    *misses = MISSES;
                }
            }
        }
    }
    let lost: Vec<&str> =
        misses.iter().filter(|(_, misses)| **misses >= MISSES).map(|((what, _), _)| what.as_str()).collect();
    if lost.is_empty() {
        println!("\nkept: {} ratios, each at least {KEPT} of what is recorded", misses.len());
        return Ok(ExitCode::SUCCESS);
    }
    println!("\nlost: {}", lost.join("; "));
    Ok(ExitCode::FAILURE)
}
