//! Small files that grow: each is refused before it has become large. What they take is counted in bytes.

use std::fmt::Write;
use std::path::Path;

use referee_diagnostic::MAX_PROBLEMS;
use referee_report::Human;
use referee_scenario::{Loader, LoaderOptions};
use referee_source::MemoryHost;
use referee_trace::{Status, TestResult};

use super::{GAME, RULES, TURN, host, on_worker, told};

/// The bytes that reading one of these files may take at its peak.
const READ: u64 = 160 << 20;
/// The bytes that checking one of these games may take at its peak.
const CHECKED: u64 = 96 << 20;

/// The bytes that are allocated at the peak of some work.
fn peak(work: impl FnOnce() + Send) -> u64 {
    on_worker(|| allocation_counter::measure(work).bytes_max)
}

/// The codes and the number of errors of the scenario file of a host, without running it.
#[track_caller]
fn wrong(host: &MemoryHost) -> (Vec<&'static str>, usize) {
    wrong_in(host, "a.scenario", READ)
}

/// The same of a file, whose reading may take this many bytes.
#[track_caller]
fn wrong_in(host: &MemoryHost, file: &str, most: u64) -> (Vec<&'static str>, usize) {
    let mut found = (Vec::new(), 0);
    let bytes = peak(|| {
        let suite = referee_scenario::plan(&mut Loader::new(host, LoaderOptions::default()), Path::new(file));
        let mut codes: Vec<&str> = suite.problems.iter().map(|problem| problem.code.name()).collect();
        found.1 = codes.len();
        codes.dedup();
        found.0 = codes;
    });
    assert!(bytes <= most, "{bytes} bytes");
    found
}

#[track_caller]
fn refused(host: &MemoryHost, code: &str) {
    let (codes, count) = wrong(host);
    assert!(codes.contains(&code) && count <= MAX_PROBLEMS + 1, "{code}: {count} {codes:?}");
}

/// A value of many words for many placeholders, in every line that takes placeholders.
#[test]
fn placeholders_of_large_values() {
    let value = "red ".repeat(16_000);
    let many = "{v} ".repeat(8_000);
    let listed = vec!["{v}"; 8_000].join(", ");
    for line in [
        format!("red pick {many}"),
        format!("refuse red pick {many}"),
        format!("expect choices pick = {many}"),
        format!("expect choices pick = {listed}"),
        format!("expect {many}"),
        format!("expect winners {many}"),
        format!("expect reachable {many} within 2 turns"),
        format!("expect chance {many} = 1/2"),
        format!("expect events\n    > {many}"),
        format!("expect board\n    | {many}"),
        format!("roll d {many}"),
        format!("resume turn {many}"),
        format!("do turn {many}"),
        format!("covers {many}"),
    ] {
        let text = format!("{TURN}  {line}\n  examples\n    | v |\n    | {value} |\n");
        refused(&host(RULES, &text), "line_too_long");
    }
    for line in [
        format!("place {many} at a1"),
        format!("set {many}"),
        format!("players {many}"),
        format!("board 4x4\n    | {many}"),
    ] {
        let text = format!(
            "use attack\nscenario \"It\"\n  {line}\n  turn red\n  roll d 1\n  examples\n    | v |\n    | {value} |\n"
        );
        refused(&host(RULES, &text), "line_too_long");
    }
    let titled = TURN.replace("\"It\"", &format!("\"{many}\""));
    refused(
        &host(RULES, &format!("{titled}  expect {{ v != 1 }}\n  examples\n    | v |\n    | {value} |\n")),
        "line_too_long",
    );
}

/// Titles, lines and errors of a scenario count once for each row and branch.
#[test]
fn what_rows_and_branches_repeat() {
    let table = |rows: usize| {
        (0..rows).fold("  examples\n    | k |\n".to_owned(), |mut text, row| {
            let _ = writeln!(text, "    | {row} |");
            text
        })
    };
    let title = "a title ".repeat(4000);
    let text =
        format!("{}  roll 1\n  expect {{ k >= 0 }}\n{}", TURN.replace("\"It\"", &format!("\"{title}\"")), table(3000));
    refused(&host(RULES, &text), "too_many_tests");
    let lines = "  expect red at a1\n".repeat(5000);
    let text = format!("{TURN}{lines}  roll 1\n  expect {{ k >= 0 }}\n{}", table(4000));
    let (codes, count) = wrong(&host(RULES, &text.replace("  expect red at a1\n", "  expect redd at a1\n")));
    assert!(codes.contains(&"too_many_mistakes") && count == MAX_PROBLEMS + 1, "{count} {codes:?}");
}

#[test]
fn many_wrong_lines() {
    let lines = "expect redx.scorex = 1\n".repeat(100_000);
    let (codes, count) = wrong(&host(RULES, &format!("use attack\nscenario \"x\"\n{lines}")));
    assert!(codes.contains(&"too_many_mistakes") && count == MAX_PROBLEMS + 1, "{count} {codes:?}");
    let text = told(&host(RULES, &format!("use attack\nscenario \"x\"\n{lines}")));
    assert!(text.contains("only the first 500 errors are shown; the rest of this file was not read"), "{text}");
    for line in [
        "set redx.scorex 1",
        "place redx at a1",
        "redx pick 1",
        "scenario \"x\"",
        "position \"p\"",
        "branch \"b\"",
        "covers A1 A1",
    ] {
        let lines = format!("{line}\n").repeat(50_000);
        let (_, count) = wrong(&host(RULES, &format!("use attack\nscenario \"x\"\nturn red\n{lines}")));
        assert!((1..=MAX_PROBLEMS + 1).contains(&count), "{line}: {count}");
    }
}

/// Positions and the rows that name them are looked up, not compared with one another.
#[test]
fn many_positions_and_rows() {
    let positions =
        (0..20_000).fold(String::new(), |text, at| text + &*format!("position \"p{at}\"\n  place red at a1\n"));
    let rows = (0..20_000).fold(String::new(), |text, at| text + &*format!("    | \"p{at}\" |\n"));
    let text = format!(
        "use attack\n{positions}scenario \"x\"\n  from {{p}}\n  turn red\n  roll 1\n  examples\n    | p |\n{rows}"
    );
    assert_eq!(wrong(&host(RULES, &text)).1, 0);
}

/// The codes of the errors of a game with these cards.
fn wrong_cards(yaml: &str) -> Vec<&'static str> {
    let game = format!("{GAME}die big 1..10000\nzone deck hidden\ncard trick from \"cards.yaml\" in deck\n");
    let host = host(RULES, TURN).with("games/attack/attack.game", game).with("games/attack/cards.yaml", yaml);
    let mut codes = Vec::new();
    let bytes = peak(|| {
        let mut loader = Loader::new(&host, LoaderOptions::default());
        let wrong = referee_scenario::check_game(&mut loader, Path::new("games/attack/attack.game"));
        codes = wrong.iter().map(|wrong| wrong.code.name()).collect();
    });
    assert!(bytes <= CHECKED, "{bytes} bytes");
    codes
}

#[test]
fn cards_with_a_row_for_each_face() {
    let cards = |count: usize, row: &str| {
        (0..count).fold(String::new(), |text, at| text + &*format!("  - name: card{at}\n    a:\n      {row}\n"))
    };
    let head = "printed:\n  a: {each: big, n: NUMBER}\ncards:\n";
    assert_eq!(wrong_cards(&format!("{head}{}", cards(2, "1-10000: {n: 1}"))), [""; 0]);
    assert_eq!(wrong_cards(&format!("{head}{}", cards(1000, "1-10000: {n: 1}"))), ["too_many"]);
    // A value may be a list that each face repeats.
    let list = format!("1-10000: {{n: [{}]}}", vec!["1"; 1000].join(", "));
    assert_eq!(wrong_cards(&format!("{}{}", head.replace("NUMBER", "VALUE"), cards(1, &list))), ["too_many"]);
    // A record has all its fields, even if the file leaves them out.
    let fields: Vec<String> = (0..900).map(|at| format!("f{at}: NUMBER")).collect();
    let empty = (0..4000).fold(String::new(), |text, at| text + &*format!("  - {{name: card{at}, r: {{}}}}\n"));
    assert_eq!(wrong_cards(&format!("printed:\n  r: {{{}}}\ncards:\n{empty}", fields.join(", "))), ["too_many"]);
}

#[test]
fn cards_with_many_names_and_words() {
    let one = "cards:\n  - name: lone\n";
    let words = |count: usize| (0..count).map(|at| format!("w{at}")).collect::<Vec<_>>().join("|");
    assert_eq!(wrong_cards(&format!("printed: {{k: {}}}\n{one}", words(900))), [""; 0]);
    assert_eq!(wrong_cards(&format!("printed: {{k: {}}}\n{one}", words(100_000))), ["too_many"]);
    let names = (0..50_000).map(|at| format!("k{at}: NUMBER")).collect::<Vec<_>>().join(", ");
    assert_eq!(wrong_cards(&format!("printed: {{{names}}}\n{one}")), ["too_many"]);
    let unknown = (0..50_000).map(|at| format!("k{at}: 1")).collect::<Vec<_>>().join(", ");
    assert_eq!(wrong_cards(&format!("cards:\n  - {{name: lone, {unknown}}}\n")).len(), MAX_PROBLEMS + 1);
}

/// What waits for an answer counts with all its answers.
#[test]
fn odds_with_many_options_are_limited_in_memory() {
    let game = format!("{GAME}die big 1..10000\n");
    let rules = "fn turn(me) { let n = roll(\"big\"); me.score += n; choose(me, \"pick\", 1..=n); }";
    let asked = |line: &str| {
        let scenario = format!(
            "{TURN}  expect chance {{ red.score > 3 }} = 1/2 {line}\n    when red policy random\n    when blue policy random\n"
        );
        told(&host(rules, &scenario).with("games/attack/attack.game", game.clone()))
    };
    let told = asked("within 2 turns up to 20 MB");
    assert!(told.contains("need more than 20 MB, the limit on memory"), "{told}");
    assert!(told.contains("`up to 2000 MB`"), "{told}");
}

/// Results and planned tests share their names, and no plan is kept: many short tests take little more than their text.
#[test]
fn many_tests_take_few_bytes_for_each_byte_of_text() {
    let held = |count: usize| {
        let text = (0..count).fold("use attack\n\n".to_owned(), |mut text, at| {
            let (score, throw) = (at % 90, at % 6 + 1);
            let _ = write!(
                text,
                "scenario \"A throw and no more, number {at}\"\n  set red.score {score}\n  turn red\n  roll {throw}\n  \
                 expect red.score = {score}\n  expect turn blue\n\n"
            );
            text
        });
        let host = host(RULES, &text);
        let bytes = peak(|| {
            let mut loader = Loader::new(&host, LoaderOptions::default());
            let suite = referee_scenario::plan_lean(&mut loader, Path::new("a.scenario"));
            let judge = |test| referee_scenario::judge(&mut loader, &suite, test);
            let results: Vec<TestResult> = (0..suite.tests.len()).map(judge).collect();
            assert!(results.len() == count && results.iter().all(|result| result.status == Status::Passed));
            assert!(Human::new(false, false).file(&suite.file, &suite.problems, &results).starts_with("ok"));
        });
        (text.len() as u64, bytes)
    };
    let (few, many) = (held(2000), held(4000));
    let (text, bytes) = (many.0 - few.0, many.1 - few.1);
    assert!(bytes <= 8 * text, "{bytes} bytes for {text} bytes of text");
}

/// Each line is looked for among the blocks, not compared with all of them.
#[test]
fn many_blocks_of_markdown() {
    let head = "```scenario\nuse attack\nscenario \"y\"\n  turn red\n```\n";
    for (part, right) in
        [("text\n\n```\nx\n```\n", true), ("<!-- x -->\n\n", true), ("> ```\n\n", false), ("<!-- x\n\n", true)]
    {
        let host = host(RULES, TURN).with("a.md", format!("{head}{}", part.repeat(20_000)));
        let (codes, _) = wrong_in(&host, "a.md", READ);
        assert_eq!(codes.is_empty(), right, "{part:?}: {codes:?}");
    }
}
