//! A scenario of a game with one line made false, or with any bytes in its place: it is judged without a panic, and
//! what is certain to be false does not pass.
#![no_main]

use std::path::Path;

use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;
use referee_report::{Human, test_json};
use referee_scenario::{Loader, LoaderOptions};
use referee_source::MemoryHost;
use referee_trace::Status;

/// Scenario files that pass, of games that are built in.
const SCENARIOS: [&str; 6] = [
    include_str!("../../scenarios/breakthrough/moves.scenario"),
    include_str!("../../scenarios/evil-squash/squashing.scenario"),
    include_str!("../../scenarios/evil-squash/evil-cards.scenario"),
    include_str!("../../scenarios/hex-squish/moves.scenario"),
    include_str!("../../scenarios/lines-of-action/endings.scenario"),
    include_str!("../../scenarios/squish-board/walking.scenario"),
];

/// Words of which each pair says the opposite in the lines that begin with the first: one of them is false.
const OPPOSITES: [(&str, &str, &str); 9] = [
    ("expect choices ", " includes ", " excludes "),
    ("expect choices ", " excludes ", " includes "),
    ("expect not over", "not over", "over"),
    ("expect not over", "not over", "draw"),
    ("expect over", "over", "not over"),
    ("expect winner ", "expect winner ", "expect not over # "),
    ("expect draw", "draw", "nobody wins"),
    ("expect nobody", "nobody wins", "draw"),
    ("refuse ", "because \"", "because \"never "),
];

/// How a line changes.
#[derive(Arbitrary, Debug)]
enum Change<'a> {
    /// To its opposite, which is false.
    Opposite(u8),
    /// A number of it is another one by so much; it need not be false.
    Number(u8, i8),
    /// It gives way to another line of the file.
    Line(u16),
    /// A word gives way to any text.
    Word(u8, &'a str),
    /// It is any text.
    Text(&'a str),
    /// It stands there twice, or not at all.
    Times(bool),
}

#[derive(Arbitrary, Debug)]
struct Input<'a> {
    file: u8,
    line: u16,
    change: Change<'a>,
    /// Another change, of another line: then nothing is certain.
    more: Option<(u16, Change<'a>)>,
}

fuzz_target!(|input: Input<'_>| {
    let text = SCENARIOS[usize::from(input.file) % SCENARIOS.len()];
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let (lines, is_false) = changed(lines, input.line, &input.change);
    let (lines, is_false) = match &input.more {
        Some((line, change)) => (changed(lines, *line, change).0, false),
        None => (lines, is_false),
    };
    let text = lines.join("\n");
    // Rules call one another deeply: they need the stack of a worker.
    let judged = std::thread::Builder::new().stack_size(256 << 20).spawn(move || loader(&text, is_false));
    judged.expect("a thread").join().expect("no panic");
});

/// The lines with one of them changed, and whether that makes it false.
fn changed(mut lines: Vec<String>, at: u16, change: &Change<'_>) -> (Vec<String>, bool) {
    let count = lines.len();
    let Some(at) = usize::from(at).checked_rem(count) else { return (lines, false) };
    let line = lines[at].clone();
    match change {
        Change::Opposite(which) => {
            let fits = |(begins, old, _): &&(&str, &str, &str)| line.trim().starts_with(begins) && line.contains(old);
            let fitting: Vec<_> = OPPOSITES.iter().filter(fits).collect();
            let Some(place) = usize::from(*which).checked_rem(fitting.len()) else { return (lines, false) };
            let (_, old, new) = fitting[place];
            lines[at] = line.replacen(old, new, 1);
            return (lines, true);
        }
        Change::Number(which, by) => {
            let mut words: Vec<String> = line.split(' ').map(str::to_owned).collect();
            let numbers: Vec<usize> = (0..words.len()).filter(|at| words[*at].parse::<i64>().is_ok()).collect();
            if let Some(place) = usize::from(*which).checked_rem(numbers.len()) {
                let number: i64 = words[numbers[place]].parse().unwrap_or_default();
                words[numbers[place]] = number.saturating_add(i64::from(*by)).to_string();
            }
            lines[at] = words.join(" ");
        }
        Change::Line(other) => lines[at] = lines[usize::from(*other) % count].clone(),
        Change::Word(which, text) => {
            let mut words: Vec<&str> = line.split(' ').collect();
            let place = usize::from(*which) % words.len();
            words[place] = text;
            lines[at] = words.join(" ");
        }
        Change::Text(text) => lines[at] = (*text).to_owned(),
        Change::Times(true) => lines.insert(at, line),
        Change::Times(false) => drop(lines.remove(at)),
    }
    (lines, false)
}

fn loader(text: &str, is_false: bool) {
    let host = MemoryHost::default().with("a.scenario", text);
    let mut loader = Loader::new(&host, LoaderOptions::default());
    let suite = referee_scenario::plan(&mut loader, Path::new("a.scenario"));
    let results: Vec<_> = (0..suite.tests.len()).map(|test| referee_scenario::judge(&mut loader, &suite, test)).collect();
    let passes = suite.problems.is_empty() && results.iter().all(|result| result.status == Status::Passed);
    assert!(!(is_false && passes), "a false line passes:\n{text}");
    let mut human = Human::new(false, true);
    let told = [human.file(&suite.file, &suite.problems, &results), human.summary()].concat();
    assert!(!told.chars().any(|letter| letter.is_control() && !matches!(letter, '\n' | '\t')), "{told:?}");
    let _ = test_json(&results);
}
