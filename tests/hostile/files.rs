//! Files with malicious contents: long lines, many scenarios, terminal control characters.

use std::path::Path;

use referee_report::{Human, check_json, scenes_human, test_json};
use referee_scenario::{Loader, LoaderOptions};
use referee_source::MemoryHost;

use super::{GAME, TURN, host, judged, on_worker, told};

const RULES: &str = "fn turn(me) { let n = roll(\"d\"); me.score += n; choose(me, \"pick\", 1..=n); }";

#[track_caller]
fn says(told: &str, words: &str) {
    assert!(told.contains(words), "{words:?} is not in\n{}", told.get(..2000).unwrap_or(told));
}

/// Returns a file of scenarios that pass.
fn scenarios(count: usize) -> String {
    let one =
        |at: usize| format!("scenario \"It {at}\"\n  place red at a1\n  turn red\n  roll 3\n  expect red.score = 3\n");
    (0..count).fold("use attack\n".to_owned(), |text, at| text + &*one(at))
}

fn many_scenarios(count: usize) {
    let host = host(RULES, &scenarios(count));
    on_worker(|| {
        let mut loader = Loader::new(&host, LoaderOptions::default());
        let suite = referee_scenario::plan(&mut loader, Path::new("a.scenario"));
        assert_eq!((suite.tests.len(), suite.problems.len()), (count, 0));
        let last = referee_scenario::judge(&mut loader, &suite, count - 1);
        assert_eq!(last.status, referee_trace::Status::Passed);
    });
}

#[test]
fn ten_thousand_scenarios() {
    many_scenarios(10_000);
}

/// As many as a file may have, and one more.
#[test]
#[ignore = "reads files of megabytes"]
fn a_hundred_thousand_scenarios_in_full() {
    many_scenarios(100_000);
    says(&on_worker(|| problems(&host(RULES, &scenarios(100_001)))), "a file has at most 100000 tests");
}

/// What is wrong with the scenario file of a host, without running it.
fn problems(host: &MemoryHost) -> String {
    let suite = referee_scenario::plan(&mut Loader::new(host, LoaderOptions::default()), Path::new("a.scenario"));
    Human::new(false, false).file(&suite.file, &suite.problems, &[])
}

fn many_scenarios_that_are_wrong(count: usize) {
    let wrong = (0..count).fold("use attack\n".to_owned(), |text, at| {
        text + &*format!("scenario \"It {at}\"\n  place green at a1\n  expect nonsense {at}\n  {at}\n")
    });
    says(&told(&host(RULES, &wrong)), "are shown");
    let games = (0..count / 2)
        .fold(String::new(), |text, at| text + &*format!("use game-{at}\nscenario \"It {at}\"\n  turn red\n"));
    says(&told(&host(RULES, &games)), "unknown game `game-0`");
}

#[test]
fn ten_thousand_scenarios_that_are_wrong() {
    many_scenarios_that_are_wrong(10_000);
}

#[test]
#[ignore = "reads files of megabytes"]
fn a_hundred_thousand_scenarios_that_are_wrong_in_full() {
    many_scenarios_that_are_wrong(100_000);
}

fn many_rows_and_branches(rows: usize) {
    let head = "use attack\nscenario \"It\"\n  place red at a1\n  turn red\n  roll {n}\n  expect { k >= 0 }\n";
    let table: String = (0..rows).map(|row| format!("    | {} | {row} |\n", row % 6 + 1)).collect();
    let table = format!("  examples\n    | n | k |\n{table}");
    let branches = |count: usize| (0..count).map(|at| format!("  branch \"{at}\"\n  red pick 1\n")).collect::<String>();
    let count = |text: String| {
        let host = host(RULES, &text);
        on_worker(|| {
            referee_scenario::plan(&mut Loader::new(&host, LoaderOptions::default()), Path::new("a.scenario"))
                .tests
                .len()
        })
    };
    assert_eq!(count(format!("{head}{table}{}", branches(3))), 4 * rows);
    let too_many = 1_000_000 / rows;
    says(&told(&host(RULES, &format!("{head}{table}{}", branches(too_many)))), "too many for one file");
    says(&told(&host(RULES, &format!("{head}{}", branches(10 * rows)))), "at most 1000 branches");
}

#[test]
fn tables_with_many_rows_and_branches() {
    many_rows_and_branches(2_000);
}

#[test]
#[ignore = "plans some ten thousand tests"]
fn tables_with_many_rows_and_branches_in_full() {
    many_rows_and_branches(10_000);
}

#[test]
fn long_lines_and_rows() {
    let long = "x ".repeat(5 << 20);
    says(&told(&host(RULES, &format!("{TURN}  red {long}\n"))), "this line is longer than");
    says(&told(&host(RULES, &format!("{TURN}  board 4x4\n    | {}\n", &long[..1 << 20]))), "longer than");
    says(&told(&host(RULES, &format!("{TURN}  expect red.score = {}\n", "9".repeat(60_000)))), "referee::");
    let rows = "    | r . . .\n".repeat(300_000);
    says(&told(&host(RULES, &format!("use attack\nscenario \"It\"\n  board 4x4\n{rows}"))), "referee::");
    let wide = ". ".repeat(30_000);
    says(&told(&host(RULES, &format!("use attack\nscenario \"It\"\n  board 4x4\n    | {wide}\n"))), "referee::");
    says(&told(&host(&format!("fn turn(me) {{ {} }}", "1;".repeat(600_000)), TURN)), "larger than 1000000 bytes");
    says(&told(&host(&"\n".repeat(100_000), TURN)), "more than 60000 lines");
}

#[test]
fn a_script_of_a_thousand_mistakes() {
    let calls: String = (0..20_000).map(|at| format!("unknown_{at}(me.what_{at}); ")).collect();
    says(&told(&host(&format!("fn turn(me) {{ {calls} }}"), TURN)), "unknown function `unknown_0`");
    let functions: String = (0..3000).map(|at| format!("fn f{at}() {{ f{}(); }}\n", at + 1)).collect();
    says(&told(&host(&functions, TURN)), "referee::");
}

#[test]
fn a_long_game_and_a_long_rulebook() {
    let asks: String = (0..20_000).map(|at| format!("ask verb{at} CELL \"Verb\"\n")).collect();
    assert!(!told(&host(RULES, TURN).with("games/attack/attack.game", format!("{GAME}{asks}"))).is_empty());
    let clauses: String = (0..50_000).map(|at| format!("[A{at}] A clause.\n\n")).collect();
    let game = format!("{GAME}rulebook \"RULES.md\"\n");
    let host = host(RULES, TURN).with("games/attack/attack.game", game).with("games/attack/RULES.md", clauses);
    assert!(!told(&host).is_empty());
}

/// Characters that control a terminal or are invisible.
const ESCAPES: &str =
    "\u{1b}[2J\u{1b}]8;;http://x\u{7}\u{9b}31m\u{202e}\u{2067}\u{200b}\u{ad}\u{61c}\u{e0041}\u{8}\u{7f}\r";

fn is_plain(text: &str) -> bool {
    let hidden = |letter: char| !letter.is_ascii() && ESCAPES.contains(letter);
    let bad = |letter: char| letter.is_control() && letter != '\n' || hidden(letter);
    !text.contains(bad)
}

#[test]
fn escapes_reach_no_terminal() {
    let rules = |body: &str| format!("fn turn(me) {{ {body} }} fn why_not(me, act) {{ \"a{ESCAPES}b\" }}");
    let ask = "choose(me, \"pick\", [1]);";
    for (rules, scenario) in [
        (rules(&format!("throw \"a{ESCAPES}b\";")), TURN.to_owned()),
        (rules("throw \"a\\x1b[2J\\u202eb\";"), TURN.to_owned()),
        (rules(&format!("let {ESCAPES} = 1;")), TURN.to_owned()),
        (rules(&format!("roll(\"{ESCAPES}\");")), TURN.to_owned()),
        (rules(&format!("/* {ESCAPES} */ nowhere();")), TURN.to_owned()),
        (rules(&format!("/* {ESCAPES} */ throw 1;")), TURN.to_owned()),
        (rules(ask), TURN.replace("\"It\"", &format!("\"a{ESCAPES}\""))),
        (rules(ask), TURN.replace("attack", &format!("\"a{ESCAPES}\""))),
        (rules(ask), format!("{TURN}  refuse red pick 2 because \"no\"\n")),
        (rules(ask), format!("{TURN}  red pick 2\n")),
        (rules(ask), format!("{TURN}  expect {{ \"{ESCAPES}\" }}\n")),
        (rules(ask), format!("{TURN}  expect {{ \"\\x1b[2J\" }}\n")),
        (rules(ask), format!("{TURN}  with house \"{ESCAPES}\"\n")),
        (rules(ask), format!("{TURN}  expect snapshot\n{ESCAPES}\n")),
    ] {
        let host = host(&rules, &scenario);
        let told = told(&host);
        assert!(is_plain(&told), "{told:?}");
        on_worker(|| {
            let (suite, results) = judged(&host, LoaderOptions::default());
            for json in [test_json(&results), check_json(1, &suite.problems, &[])] {
                assert!(!json.trim_end().contains(|letter: char| letter.is_ascii_control()), "{json:?}");
            }
            let mut loader = Loader::new(&host, LoaderOptions::default());
            let scenes = referee_scenario::scenes(&mut loader, &suite, 0).0;
            let shown = scenes_human("it", &scenes.iter().enumerate().collect::<Vec<_>>(), false);
            assert!(is_plain(&shown), "{shown:?}");
        });
    }
    for line in ["title", "player", "piece"] {
        let game = match line {
            "title" => GAME.replace("\"Attack\"", &format!("\"{ESCAPES}\"")),
            "player" => GAME.replace("red blue", &format!("red \"{ESCAPES}\"")),
            _ => GAME.replace("symbols r b", &format!("symbols r \"{ESCAPES}\"")),
        };
        let told = told(&host(&rules(ask), TURN).with("games/attack/attack.game", game));
        assert!(is_plain(&told), "{told:?}");
    }
}

#[test]
fn paths_that_lead_out() {
    let secret = "root:x:0:0 SECRET";
    let around = |game: &str, scenario: &str| {
        let host = host(RULES, scenario)
            .with("games/attack/attack.game", game)
            .with("/etc/passwd", secret)
            .with("etc/etc.game", secret)
            .with("x", secret)
            .with("x.rhai", secret);
        let told = told(&host);
        assert!(!told.contains("SECRET"), "{told}");
        told
    };
    for path in ["/etc/passwd", "../../x", "..", "a/../../../x", "C:\\x", "\\\\x\\y", "", "./../../x", "//etc/passwd"] {
        let told = around(&GAME.replace("rules.rhai", path), TURN);
        assert!(told.contains("referee::"), "{path}: {told}");
        let told = around(&format!("{GAME}rulebook \"{path}\"\n"), TURN);
        assert!(told.contains("referee::"), "{path}: {told}");
    }
    for id in ["../../etc", "\"../etc\"", "a/b", "\"a/b\"", "..", ".", "/etc", "\"\"", "attack/../attack"] {
        let told = around(GAME, &TURN.replace("use attack", &format!("use {id}")));
        assert!(told.contains("referee::"), "{id}: {told}");
    }
    for house in ["../../x", "..", "/x", "a/../../../x", ""] {
        let told = around(GAME, &format!("{TURN}  with house \"{house}\"\n"));
        assert!(told.contains("referee::"), "{house}: {told}");
    }
}

#[test]
fn unclosed_nested_and_nul() {
    for text in [
        "expect {",
        "expect { \"",
        "red (((",
        "scenario \"",
        "examples\n  |",
        "\0",
        "expect { \0 }",
        "use",
        "\u{feff}\u{feff}",
    ] {
        for repeated in [text.to_owned(), format!("{text}\n").repeat(20_000), text.repeat(5_000)] {
            assert!(!told(&host(RULES, &format!("{TURN}{repeated}"))).is_empty());
        }
        assert!(!told(&host(RULES, TURN).with("games/attack/attack.game", format!("{GAME}{text}"))).is_empty());
        assert!(!told(&host(&format!("{RULES}{text}"), TURN)).is_empty());
    }
}
