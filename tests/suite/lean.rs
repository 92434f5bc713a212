//! Large files, whose plans are not kept: each result is the same as with plans that are.

use std::fmt::Write;
use std::path::Path;

use referee_report::{Human, junit, tap, test_json};
use referee_scenario::{Loader, LoaderOptions, Suite};
use referee_source::{Host, MemoryHost};
use referee_trace::TestResult;

use super::HOP;
use super::traces::{Package, files};

type Plan = fn(&mut Loader<'_>, &Path) -> Suite;

/// The errors of a file, and all reports of its tests, which are judged in this order.
fn reports(host: &(dyn Host + Sync), file: &Path, plan: Plan, order: fn(usize) -> Vec<usize>) -> (String, bool) {
    let mut loader = Loader::new(host, LoaderOptions::default());
    let suite = plan(&mut loader, file);
    let mut results: Vec<(usize, TestResult)> =
        order(suite.tests.len()).into_iter().map(|at| (at, referee_scenario::judge(&mut loader, &suite, at))).collect();
    results.sort_by_key(|(at, _)| *at);
    let results: Vec<TestResult> = results.into_iter().map(|(_, result)| result).collect();
    let mut human = Human::new(false, true);
    let text = human.file(&suite.file, &suite.problems, &results);
    let reports = [
        text,
        human.summary(),
        test_json(&results),
        junit([(&*suite.file, results.as_slice())]).unwrap(),
        tap(&results),
        format!("{:?}", results.iter().map(|result| &result.snapshots).collect::<Vec<_>>()),
        format!(
            "{:?}",
            suite.tests.iter().map(|test| (test.name(), test.line, &test.game, &test.cites)).collect::<Vec<_>>()
        ),
    ];
    let kept = suite.tests.iter().any(|test| test.start().is_some());
    (reports.join("\n────────\n"), kept)
}

fn forwards(count: usize) -> Vec<usize> {
    (0..count).collect()
}

/// Whoever judges some tests plans those around them, too.
fn apart(count: usize) -> Vec<usize> {
    (0..count).step_by(2).chain((0..count).rev().filter(|at| at % 2 == 1)).collect()
}

/// Returns whether the plans were not kept.
fn compare(host: &(dyn Host + Sync), file: &Path) -> bool {
    let (kept, _) = reports(host, file, referee_scenario::plan, forwards);
    let (lean, keeps) = reports(host, file, referee_scenario::plan_lean, forwards);
    assert!(kept == lean, "{}", difference(file, &kept, &lean));
    let (lean, _) = reports(host, file, referee_scenario::plan_lean, apart);
    assert!(kept == lean, "{}", difference(file, &kept, &lean));
    !keeps
}

fn difference(file: &Path, kept: &str, lean: &str) -> String {
    let lines = kept.lines().zip(lean.lines()).find(|(kept, lean)| kept != lean);
    format!("{}: {lines:?}", file.display())
}

#[test]
fn shipped_scenarios_have_the_same_results() {
    for file in files().iter().step_by(5) {
        assert!(compare(&Package, file), "{} has plans", file.display());
    }
}

#[test]
#[ignore = "judges each shipped scenario three times"]
fn all_shipped_scenarios_have_the_same_results() {
    for file in files() {
        assert!(compare(&Package, &file), "{} has plans", file.display());
    }
}

/// Scenarios that pass and fail, with rows, branches, positions and snapshots.
fn group(number: usize) -> String {
    let wrong = number % 7;
    format!(
        "position \"place {number}\"\n  place red at c1, blue at e{row}\n\n\
         scenario \"{number} one\"\n  from \"place {number}\"\n  turn red\n  roll distance 1\n  red walk to c2\n  \
         expect red.score = {score}\n  expect snapshot\n\n\
         scenario \"{number} {{throw}} rows\"\n  cites \"page {number}\"\n  from {{where}}\n  turn red\n  roll distance {{throw}}\n  red walk to c2\n  \
         expect red at {{to}}\n  examples\n    | throw | where | to |\n    | 2 | \"place {number}\" | c2 |\n    \
         | 3 | \"place {number}\" | c{wrong} |\n    | 1 | \"at all times\" | c2 |\n\n\
         scenario \"{number} branches\"\n  from \"at all times\"\n  turn red\n  roll distance 2\n  branch \"stays\"\n    red stop\n    \
         expect {{ red.resting }}\n  branch \"goes\"\n    red walk to c2\n    red walk to c{goal}\n    expect red.score = 2\n\n",
        row = number % 5 + 1,
        score = 1 + usize::from(number.is_multiple_of(11)),
        wrong = if wrong == 0 { 3 } else { 2 },
        goal = if number.is_multiple_of(13) { 5 } else { 3 },
    )
}

/// A file of this many groups.
fn text(groups: usize) -> String {
    let head = "use hop short\n\nposition \"at all times\"\n  place red at c1, blue at a1\n\n";
    (0..groups).fold(head.to_owned(), |mut text, number| {
        let _ = write!(text, "{}", group(number));
        // A game may be named again.
        text.push_str(if number % 20 == 19 { "use hop\n\n" } else { "" });
        text
    })
}

fn host(text: &str) -> MemoryHost {
    HOP.iter().fold(MemoryHost::default(), |host, (path, text)| host.with(*path, *text)).with("a.scenario", text)
}

#[test]
fn many_scenarios_have_the_same_results() {
    let text = text(220);
    assert!(text.len() > 2 * (64 << 10), "{} bytes are planned at once", text.len());
    let host = host(&text);
    assert!(compare(&host, Path::new("a.scenario")));
    let (all, _) = reports(&host, Path::new("a.scenario"), referee_scenario::plan_lean, forwards);
    for word in ["\"passed\"", "\"failed\"", "snapshot", "(row 3)", "> goes"] {
        assert!(all.contains(word), "{word} is missed");
    }
    assert!(!all.contains("\"errored\":1"), "{all}");
}

/// A file with an error anywhere has the same errors, and no test of it is run.
#[test]
fn errors_are_the_same() {
    let right = text(1);
    let lines: Vec<&str> = right.lines().collect();
    let file = Path::new("a.scenario");
    let mut wrong = 0;
    for at in 0..lines.len() {
        let mut changed = lines.clone();
        let line = format!("{} zzz", lines[at]);
        for other in [vec![], vec![lines[at]; 2], vec![line.as_str()]] {
            changed.splice(at..=at, other);
            let host = host(&format!("{}\n", changed.join("\n")));
            let (kept, _) = reports(&host, file, referee_scenario::plan, forwards);
            let (lean, _) = reports(&host, file, referee_scenario::plan_lean, forwards);
            assert!(kept == lean, "line {}: {}", at + 1, difference(file, &kept, &lean));
            wrong += usize::from(kept.contains("\"status\":\"errored\""));
            changed = lines.clone();
        }
    }
    assert!(wrong > lines.len(), "{wrong} changes are errors");
}
