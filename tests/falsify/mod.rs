//! Mutation tests of shipped scenarios: a scenario with a false line must not pass.
//!
//! Each expectation, event, answer and refusal of every shipped scenario is made false, one at a time, by each edit
//! that applies to it (`edits.rs`). The scenario must then fail or be rejected. `stays.rs` lists edits that leave a
//! line true. A normal run tries a sample. `cargo test falsify -- --ignored` tries everything; `FALSIFY_ONLY=draughts`
//! restricts it to files whose name contains that word.

mod edits;
mod examples;
mod lines;
mod stays;
mod vocabulary;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use referee_scenario::{Loader, LoaderOptions};
use referee_source::Host;
use referee_trace::Status;

use edits::{Edit, edits};
use examples::{Example, Overlay, Package, shipped, tutorial};
use lines::{Part, body, parts};
use stays::{STAYS, stays};
use vocabulary::{Vocabularies, Vocabulary};

/// The result of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    /// Every test passes.
    Right,
    /// Some test fails.
    Failed,
    /// The file has errors, so that nothing is run.
    Misread,
}

/// Judges scenarios that differ in a few words, with games and rules that are read once.
struct Bench<'h> {
    overlay: &'h Overlay<'h>,
    loader: Loader<'h>,
    /// The number of sources judged so far. Each is a separate file: expressions are identified by their location.
    texts: usize,
}

impl<'h> Bench<'h> {
    fn new(overlay: &'h Overlay<'h>) -> Self {
        Self { overlay, loader: Loader::new(overlay, LoaderOptions::default()), texts: 0 }
    }

    /// Writes the file, and returns its name.
    fn write(&mut self, example: &Example, lines: &[String]) -> PathBuf {
        self.texts += 1;
        let file = example.folder.join(format!("falsified-{}.scenario", self.texts));
        *self.overlay.file.lock().unwrap() = (file.clone(), example.text(lines));
        file
    }

    fn judge(&mut self, example: &Example, lines: &[String]) -> Verdict {
        let file = self.write(example, lines);
        let suite = referee_scenario::plan(&mut self.loader, &file);
        if !suite.problems.is_empty() {
            return Verdict::Misread;
        }
        let wrong = |status| matches!(status, Status::Failed | Status::Errored);
        let failed =
            (0..suite.tests.len()).any(|test| wrong(referee_scenario::judge(&mut self.loader, &suite, test).status));
        if failed { Verdict::Failed } else { Verdict::Right }
    }

    /// Returns the possible answers when the scenario reaches line `at`: the player who is asked, and the options.
    fn offered(&mut self, example: &Example, at: usize) -> Option<(String, Vec<String>)> {
        let file = self.write(example, &example.lines[..at]);
        let suite = referee_scenario::plan(&mut self.loader, &file);
        let standing = referee_scenario::moves(&mut self.loader, &suite, suite.tests.len().checked_sub(1)?, "").ok()?;
        let player = standing.asks.split_whitespace().nth(1).unwrap_or_default().to_owned();
        Some((player, standing.options))
    }

    /// Returns whether the rules allow an answer where the scenario reaches line `at`: one of the options, or any values that they
    /// do not refuse.
    fn allows(&mut self, example: &Example, at: usize, answer: &str) -> Option<bool> {
        let file = self.write(example, &example.lines[..at]);
        let suite = referee_scenario::plan(&mut self.loader, &file);
        let last = suite.tests.len().checked_sub(1)?;
        Some(referee_scenario::moves(&mut self.loader, &suite, last, answer).ok()?.allowed.is_some())
    }
}

fn apply(lines: &[String], edit: &Edit) -> Vec<String> {
    let (before, after) = (&lines[..edit.at], &lines[edit.at + edit.count..]);
    [before, &edit.now, after].concat()
}

/// The edits tried, and the failures found.
#[derive(Default)]
struct Report {
    failed: usize,
    misread: usize,
    kept: BTreeSet<usize>,
    wrong: Vec<String>,
}

/// Whether an edit belongs to the sample: the same ones in every run.
fn is_sampled(example: &Example, edit: &Edit, one_of: u64) -> bool {
    let text = format!("{}:{}:{}:{:?}", example.file, example.line, edit.at, edit.now);
    // FNV-1a
    let hash = text
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    (hash >> 20) % one_of == 0
}

/// Edits that need to know what the rules offer: a refusal of something that they allow.
fn allowed_after_all(bench: &mut Bench<'_>, example: &Example) -> Vec<Edit> {
    let parts = parts(&example.lines);
    let mut edits = Vec::new();
    for (at, line) in example.lines.iter().enumerate() {
        let refusal = body(line);
        if parts[at] != Part::Claim || !refusal.starts_with("refuse ") || refusal.contains('{') {
            continue;
        }
        let Some((player, options)) = bench.offered(example, at) else { continue };
        let because = refusal.find(" because ").map_or("", |found| &refusal[found..]);
        let shown = options.iter().take(2).chain(options.iter().skip(2).last());
        edits.extend(shown.flat_map(|option| {
            ["", because].map(|because| Edit {
                at,
                count: 1,
                now: vec![format!("  refuse {player} {option}{because}")],
                unless: None,
                if_not_offered: false,
            })
        }));
    }
    edits
}

/// Returns whether an edit that leaves the file valid is true nevertheless.
fn is_true_after_all(bench: &mut Bench<'_>, example: &Example, edit: &Edit) -> bool {
    if let Some(opposite) = &edit.unless {
        let opposite = Edit { now: vec![opposite.clone()], ..edit.clone() };
        return bench.judge(example, &apply(&example.lines, &opposite)) != Verdict::Right;
    }
    if edit.if_not_offered {
        return bench.allows(example, edit.at, edit.now[0].trim()) == Some(true);
    }
    false
}

fn falsify(bench: &mut Bench<'_>, example: &Example, words_of: &Vocabulary, one_of: u64, report: &mut Report) {
    let mut all = edits(&example.lines, words_of);
    if one_of == 1 || all.first().is_some_and(|edit| is_sampled(example, edit, one_of)) {
        all.extend(allowed_after_all(bench, example));
    }
    for edit in all.iter().filter(|edit| is_sampled(example, edit, one_of)) {
        match bench.judge(example, &apply(&example.lines, edit)) {
            Verdict::Failed => report.failed += 1,
            Verdict::Misread => report.misread += 1,
            Verdict::Right => {
                let was = example.lines[edit.at..edit.at + edit.count].join("\n");
                let (was, now) = (was.trim(), edit.now.join("\n"));
                if is_true_after_all(bench, example, edit) {
                    continue;
                }
                match stays(&example.file, was, now.trim()) {
                    Some(listed) => {
                        report.kept.insert(listed);
                    }
                    None => {
                        let (file, line, now) = (&example.file, example.line, now.trim());
                        let wrong =
                            format!("{file} (scenario at line {line}) passes with\n    {now}\n  instead of\n    {was}");
                        println!("{wrong}");
                        report.wrong.push(wrong);
                    }
                }
            }
        }
    }
}

/// Returns the selected examples as they are judged: with their tables, and one for each row.
fn with_rows(bench: &mut Bench<'_>, example: &Example, is_wanted: impl Fn(&Example) -> bool) -> Vec<Example> {
    let has_table = example.lines.iter().any(|line| line.trim() == "examples");
    let mut examples = if has_table { example.rows() } else { Vec::new() };
    // Where an expression uses a column as a variable, a row cannot be judged without its table.
    examples.retain(|row| is_wanted(row) && bench.judge(row, &row.lines) == Verdict::Right);
    if is_wanted(example) {
        assert_eq!(bench.judge(example, &example.lines), Verdict::Right, "{}:{}", example.file, example.line);
        examples.push(example.clone());
    }
    examples
}

fn run(host: &(dyn Host + Sync), examples: &[Example], one_of: u64) -> Report {
    let next = AtomicUsize::new(0);
    let total = Mutex::new(Report::default());
    let work = || {
        let overlay = Overlay { base: host, file: Mutex::default() };
        let mut bench = Bench::new(&overlay);
        let mut vocabularies = Vocabularies::default();
        let mut report = Report::default();
        while let Some(example) = examples.get(next.fetch_add(1, Ordering::Relaxed)) {
            let words_of = vocabularies.of(host, &example.folder, &example.used);
            let is_wanted = |example: &Example| {
                edits(&example.lines, &words_of).iter().any(|edit| is_sampled(example, edit, one_of))
            };
            for example in with_rows(&mut bench, example, is_wanted) {
                falsify(&mut bench, &example, &words_of, one_of, &mut report);
            }
        }
        let mut total = total.lock().unwrap();
        total.failed += report.failed;
        total.misread += report.misread;
        total.kept.extend(report.kept);
        total.wrong.extend(report.wrong);
    };
    std::thread::scope(|scope| {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        for _ in 0..threads {
            std::thread::Builder::new().stack_size(64 << 20).spawn_scoped(scope, work).unwrap();
        }
    });
    let mut total = total.into_inner().unwrap();
    total.wrong.sort();
    total.wrong.dedup();
    total
}

/// Falsifies one line in `N`, in the files whose name contains `only`.
fn all(one_of: u64, only: &str) -> Report {
    let wanted = |mut examples: Vec<Example>| {
        examples.retain(|example| example.file.contains(only));
        examples
    };
    let mut report = run(&Package, &wanted(shipped()), one_of);
    let (host, examples) = tutorial();
    let examples = wanted(examples);
    let of_tutorial = run(&host, &examples, one_of);
    report.failed += of_tutorial.failed;
    report.misread += of_tutorial.misread;
    report.kept.extend(of_tutorial.kept);
    report.wrong.extend(of_tutorial.wrong);
    assert!(report.wrong.is_empty(), "{} pass:\n{}\n", report.wrong.len(), report.wrong.join("\n"));
    report
}

#[test]
fn a_sample_of_false_lines_is_found() {
    let report = all(320, "");
    assert!(report.failed > 25, "{} failed, {} misread", report.failed, report.misread);
}

#[test]
#[ignore = "tries some hundred files"]
fn a_sample_of_false_lines_is_found_in_full() {
    let report = all(80, "");
    assert!(report.failed > 100, "{} failed, {} misread", report.failed, report.misread);
}

#[test]
#[ignore = "tries some ten thousand files, which takes minutes"]
fn every_false_line_is_found() {
    let only = std::env::var("FALSIFY_ONLY").unwrap_or_default();
    let report = all(1, &only);
    println!("{} failed, {} misread", report.failed, report.misread);
    if !only.is_empty() {
        return;
    }
    // An edit that does not parse is a weak test.
    assert!(report.failed > report.misread, "{} failed, {} misread", report.failed, report.misread);
    let idle: Vec<_> = STAYS.iter().enumerate().filter(|(at, _)| !report.kept.contains(at)).collect();
    assert!(idle.is_empty(), "listed, and false after all: {idle:?}");
}

/// The lines for which there is no edit, by their beginnings.
const WITHOUT_EDITS: &[&str] = &["expect snapshot", "expect board", "expect events"];

#[test]
fn every_kind_of_claim_is_falsified() {
    let (host, of_tutorial) = tutorial();
    let mut without = BTreeSet::new();
    let mut look = |host: &(dyn Host + Sync), examples: &[Example]| {
        let mut vocabularies = Vocabularies::default();
        for example in examples {
            let words_of = vocabularies.of(host, &example.folder, &example.used);
            let edits = edits(&example.lines, &words_of);
            for (at, part) in parts(&example.lines).into_iter().enumerate() {
                let line = body(&example.lines[at]);
                let is_edited = edits.iter().any(|edit| (edit.at..edit.at + edit.count).contains(&at));
                let judges = matches!(part, Part::Claim | Part::Drawing | Part::Event { .. }) && !line.starts_with('|');
                let is_listed = WITHOUT_EDITS.iter().any(|listed| line.starts_with(listed));
                if judges && !is_edited && !is_listed && !line.contains('{') {
                    without.insert(line.to_owned());
                }
            }
        }
    };
    look(&Package, &shipped());
    look(&host, &of_tutorial);
    assert!(without.is_empty(), "{without:#?}");
}

#[test]
fn a_false_line_can_be_told_from_a_true_one() {
    let overlay = Overlay { base: &Package, file: Mutex::default() };
    let mut bench = Bench::new(&overlay);
    let examples = shipped();
    let first = |file: &str| examples.iter().find(|example| example.file == file).unwrap();
    let example = first("scenarios/breakthrough/moves.scenario");
    let words_of = Vocabulary::of(&Package, Path::new(""), &example.used);
    let edits = edits(&example.lines, &words_of);
    assert!(edits.iter().any(|edit| edit.now == ["  expect choices move count 23"]), "{edits:?}");
    assert!(edits.iter().any(|edit| edit.now == ["  expect choices move excludes a2-a3, a2-b3, h2-g3"]), "{edits:?}");
    let changed = edits.iter().filter(|edit| edit.now != example.lines[edit.at..edit.at + edit.count]);
    assert_eq!(changed.count(), edits.len());
    let options = bench.offered(example, 2).unwrap();
    assert_eq!((options.0.as_str(), options.1.len()), ("white", 22));
}
