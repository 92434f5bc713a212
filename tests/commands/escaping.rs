//! Texts of others in every format: titles, options, reasons, events, values, names of files. None is taken for a part
//! of a report, whatever it contains.

use std::collections::BTreeSet;
use std::fs;

use roxmltree::Document;

use super::{Project, Ran};

/// Beginnings of texts that some format takes for its own, or cannot contain.
const MARKS: [&str; 14] = [
    "::stop-commands::x",
    "##[error]x",
    "##vso[task.complete]x",
    "##teamcity[x]",
    "5 passed, 0 failed",
    "not ok 9 - x",
    "ok 9 # SKIP x",
    "1..0",
    "  ...",
    "</failure><x>&amp;",
    "]]><script>x</script>",
    "\u{fffe}\u{ffff}\u{fdd0}",
    "| a | b |\u{1b}[2J",
    "# \u{202e}x\u{0}",
];

/// Returns texts that have each mark at the beginning, after each kind of line end, and after each kind of space.
fn nasty() -> Vec<String> {
    let before = ["", "a\n", "a\r\n\n", "a\r  ", "a\u{2028}", "a\u{85}", "a\n\t\u{a0}", "a\u{b}"];
    let all = MARKS.iter().enumerate();
    all.flat_map(|(at, mark)| [0, at + 1].map(|more| format!("{}{mark}", before[(at * 3 + more) % before.len()])))
        .collect()
}

/// Returns a text as a string of a script.
fn in_script(text: &str) -> String {
    let letters = text.chars().map(|letter| match letter {
        letter if letter.is_ascii_alphanumeric() || letter == ' ' => letter.to_string(),
        letter => format!("\\U{:08x}", u32::from(letter)),
    });
    format!("\"{}\"", letters.collect::<String>())
}

/// Returns a text as a title can have it: on one line, without quotes and invisible characters.
fn in_title(text: &str) -> String {
    let is_kept = |letter: &char| {
        *letter >= ' ' && !matches!(letter, '\u{7f}'..='\u{9f}' | '\u{2000}'..='\u{202f}' | '"' | '{' | '}')
    };
    text.chars().filter(is_kept).collect()
}

/// A project whose texts are all `text`; each of its scenarios fails, or is wrong, in another way.
fn project(text: &str) -> Project {
    let (written, title) = (in_script(text), in_title(text));
    let rules = format!(
        "fn turn(me) {{\n    let act = choose(me, \"say\", [\"a\", {written}, \"boom\"]);\n    event(\"says\", me, {written});\n    \
         set(game, \"mood\", {written});\n    if act == \"boom\" {{ throw {written}; }}\n    clause(\"A1\");\n}}\n\
         fn why_not(me, action) {{ {written} }}\n"
    );
    let game = format!(
        "game g \"{title}\"\nplayers 2 red blue\nrules \"rules.rhai\"\nrulebook \"RULES.md\"\nask say TEXT\n\
         event PLAYER says TEXT\nproperty mood TEXT\nboard grid 2x2\npiece man for each player symbols r b\n"
    );
    let plays = [
        "expect choices say = a",
        "red say zz",
        "refuse red say zz because \"x\"",
        "red say boom",
        "red say a\n  expect events\n    > red says zz",
        "red say a\n  expect events exactly\n    > red says zz",
        "red say a\n  expect game.mood = zz",
        "red say a\n  expect board\n    | r .\n    | . .",
        "red say a\n  expect snapshot",
        "red say a\n  expect nothing of this",
    ];
    let scenario = |number: usize, play: &str| format!("\nscenario \"{title} {number}\"\n  turn red\n  {play}\n");
    let scenarios: String = plays.iter().enumerate().take(9).map(|(at, play)| scenario(at, play)).collect();
    // Two titles that are the same, and two that only look the same.
    let wrong = format!("use g\n{}{}", scenario(1, plays[9]), scenario(1, plays[1]));
    let good = format!("use g\n{}{}", scenario(1, "red say a\n  covers A1"), scenario(2, "red say a"));
    let good = good.replace("1\"", "\u{fffe}\"").replace("2\"", "\u{ffff}\"");
    let own = if cfg!(windows) { String::from("odd") } else { text.replace(['/', '\0'], "") } + ".scenario";
    Project::new()
        .file("games/g/g.game", game)
        .file("games/g/rules.rhai", rules)
        .file("games/g/RULES.md", format!("# {title}\n\n[A1] {title}\n"))
        .file("t.scenario", format!("use g\n{scenarios}"))
        .file("wrong.scenario", wrong)
        .file(&format!("odd/{own}"), good)
}

/// Checks text for people: no line is a command, and in the report of a run only the last line looks like the counts.
fn check_text(what: &str, text: &str) {
    for line in text.lines() {
        assert!(!line.trim_start().starts_with("::"), "{what}: {line:?}");
        for mark in ["##[", "##vso[", "##teamcity["] {
            assert!(!line.contains(mark), "{what}: {line:?}");
        }
        assert!(line.chars().all(|letter| letter == '\t' || !letter.is_control()), "{what}: {line:?}");
        assert!(!line.contains(['\u{fffe}', '\u{ffff}', '\u{202e}', '\u{2028}']), "{what}: {line:?}");
    }
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_summary =
        |line: &&str| line.trim_start().split_once(" passed, ").is_some_and(|(number, _)| is_number(number));
    if what == "test" {
        assert_eq!(text.lines().filter(is_summary).count(), 1, "{what}:\n{text}");
    }
}

fn check_ran(what: &str, ran: &Ran) {
    check_text(what, &ran.stdout);
    check_text("", &ran.stderr);
    assert!(ran.code < 70, "{what}: {}", ran.all());
}

fn check_junit(text: &str, tests: usize) {
    let xml = Document::parse(text).unwrap();
    let cases: Vec<_> = xml.descendants().filter(|node| node.has_tag_name("testcase")).collect();
    let names: BTreeSet<_> = cases.iter().map(|case| (case.attribute("classname"), case.attribute("name"))).collect();
    assert_eq!((cases.len(), names.len()), (tests, tests), "{text}");
    let known = ["testsuites", "testsuite", "testcase", "failure", "error"];
    xml.descendants()
        .filter(|node| node.is_element())
        .for_each(|node| assert!(known.contains(&node.tag_name().name())));
}

/// Reads a report in TAP: the number of its tests.
fn check_tap(text: &str, tests: usize) {
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("TAP version 14"));
    assert_eq!(lines.next(), Some("# referee"));
    assert_eq!(lines.next(), Some(&*format!("1..{tests}")), "{text}");
    let (mut names, mut is_block) = (BTreeSet::new(), false);
    for line in lines {
        if is_block {
            assert!(line.is_empty() || line.starts_with("  "), "{line:?}");
            is_block = line != "  ...";
        } else if line == "  ---" {
            is_block = true;
        } else {
            let (_, name) = line.split_once("ok ").unwrap();
            let (number, name) = name.split_once(" - ").unwrap();
            assert_eq!(number.parse::<usize>().unwrap(), names.len() + 1);
            let bare = name.replace("\\\\", "").replace("\\#", "");
            assert!(!bare.contains('#'), "a directive: {line}");
            assert!(names.insert(name.to_owned()), "twice: {name}");
        }
    }
    assert_eq!((names.len(), is_block), (tests, false));
}

/// Checks a page: its tags are in pairs, its attributes in quotes, and no script is within it.
fn check_html(page: &str) {
    const VOID: [&str; 3] = ["meta", "link", "br"];
    let mut open: Vec<&str> = Vec::new();
    let mut rest = page.strip_prefix("<!DOCTYPE html>").unwrap();
    while let Some(at) = rest.find('<') {
        assert!(!rest[..at].contains(['\u{0}', '\u{1b}', '\u{fffe}', '\u{ffff}']));
        rest = &rest[at + 1..];
        let name = &rest[..rest.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '/').unwrap()];
        let mut end = name.len();
        let mut is_quoted = false;
        while rest.as_bytes()[end] != b'>' || is_quoted {
            is_quoted ^= rest.as_bytes()[end] == b'"';
            end += 1;
        }
        let tag = &rest[..end];
        rest = &rest[end + 1..];
        match name.strip_prefix('/') {
            Some(closed) => assert_eq!(open.pop(), Some(closed), "{page}"),
            None if tag.ends_with('/') || VOID.contains(&name) => {}
            None => open.push(name),
        }
        assert!(name != "script" || tag.starts_with("script src=\"report.js\""), "{tag}");
        assert!(name != "x" && !name.is_empty(), "{tag}");
    }
    assert_eq!(open, Vec::<&str>::new(), "{page}");
}

fn check_annotations(text: &str) {
    for line in text.lines() {
        let (head, message) = line.strip_prefix("::error ").and_then(|rest| rest.split_once("::")).unwrap();
        for (property, key) in head.split(',').zip(["file=", "line="]) {
            assert!(property.starts_with(key), "{line}");
        }
        assert!(!message.contains(['\r', '\u{1b}']), "{line}");
    }
}

#[test]
fn no_text_of_others_is_taken_for_a_part_of_a_report() {
    for (at, text) in nasty().iter().enumerate() {
        let project = project(text);
        let read = |path: &str| fs::read_to_string(project.path().join(path)).unwrap();
        let reports =
            ["--report", "junit=j.xml", "--report", "tap=t.tap", "--report", "html=pages", "--report", "github"];
        let ran = project.run(&[&["test", "t.scenario", "wrong.scenario", "odd"][..], &reports].concat());
        let begins = ran.stdout.lines().take_while(|line| !line.starts_with("::error file=")).count();
        let own: String = ran.stdout.lines().take(begins).map(|line| format!("{line}\n")).collect();
        let annotations: Vec<&str> = ran.stdout.lines().skip(begins).collect();
        assert!(annotations.len() >= 10, "{text:?}: {}", ran.all());
        check_annotations(&annotations.join("\n"));
        check_ran("test", &Ran { stdout: own, stderr: ran.stderr, code: ran.code });
        check_junit(&read("j.xml"), 13);
        check_tap(&read("t.tap"), 13);
        for page in 0..=13 {
            let name = if page == 0 { "index.html".to_owned() } else { format!("{page:04}.html") };
            check_html(&read(&format!("pages/{name}")));
        }
        // The commands whose texts come from the same writers take turns.
        let (json, human): (&[&[&str]], &[&[&str]]) = match at % 4 {
            0 => (
                &[&["test", "--format", "json"], &["check", "--format", "json"]],
                &[&["check"], &["simulate", "g", "--count", "3"]],
            ),
            1 => (
                &[&["show", "t.scenario", "--format", "json"]],
                &[&["show", "t.scenario"], &["coverage", "odd", "--details"]],
            ),
            2 => (&[&["coverage", "odd", "--format", "json"]], &[&["explore", "g", "--count", "5"], &["games"]]),
            _ => (&[&["games", "--format", "json"]], &[&["test", "-v", "odd"], &["explain", text]]),
        };
        for words in json {
            let ran = project.run(words);
            serde_json::from_str::<serde_json::Value>(&ran.stdout).unwrap();
            assert_eq!(ran.stdout.lines().count(), 1);
            check_text("json", &ran.stdout);
        }
        for words in human.iter().filter(|words| !words.iter().any(|word| word.contains('\0'))) {
            let ran = project.run(words);
            check_ran(if words[0] == "test" { "test" } else { words[0] }, &ran);
        }
        let played = project.run_with(&["play", "g", "--players", "red,blue"], "say zz\nsay a\nsay a\nquit\n");
        check_ran("play", &played);
        let page = project.run(&["book", "games/g/RULES.md", "odd"]);
        if page.code == 0 {
            check_html(&page.stdout)
        } else {
            check_ran("book", &page)
        }
        let lcov = project.run(&["coverage", "odd", "--format", "lcov"]).stdout;
        assert!(lcov.lines().all(|line| line == "end_of_record" || line.contains(':')), "{lcov}");
        let table = project.run(&["coverage", "odd", "--format", "markdown"]).stdout;
        for row in table.lines().filter(|line| line.starts_with('|')) {
            assert_eq!(row.replace("\\\\", "").replace("\\|", "").matches('|').count(), 4, "{row}");
        }
    }
}
