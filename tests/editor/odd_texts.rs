//! The fixes of an editor write what can be read again, whatever the texts and names are: with the fix, the line passes.

use referee_source::quoted;

use super::client::{Client, edited};
use crate::commands::Project;
use crate::commands::written::{NAMES, string, texts};

const GAME: &str = "\
game say \"Say\"
players 2 ann ben
rules \"rules.rhai\"
zone hand for each player open
zone stock
card thing from \"cards.yaml\" in stock
property note TEXT
property notes TEXTS
property top for each player PIECE
ask pick NUMBER
ask say [loudly] TEXT
ask list TEXTS
event PLAYER says TEXT
event PLAYER shows PIECE
";

/// The text with the number that ann picks is said and noted. It is the reason of each refusal, too.
const RULES: &str = "\
fn turn(me) {
    let text = LIST[choose(me, \"pick\", 0..=99)];
    game.note = text;
    let said = choose(me, \"say\", [text]);
    game.notes = [said];
    event(\"says\", me, said);
    let list = choose(me, \"list\", [may(\"list\", [said])]);
    event(\"says\", me, said);
}
fn why_not(me, action) { game.note }
";

/// Lines with a wrong last line, for a text; `zzz` is never said.
const WRONG: [(&str, &str); 10] = [
    ("value", "ann say T\n  expect game.note = zzz"),
    ("set", "ann say T\n  expect game.notes = zzz"),
    ("event", "ann say T\n  expect events\n    > ann says zzz"),
    ("events", "ann say T\n  expect events exactly\n    > ann says zzz"),
    ("choices", "expect choices ann say = zzz"),
    ("list", "ann say T\n  expect choices ann list = zzz"),
    ("reason", "refuse ann say zzz because \"zzz\""),
    ("refused", "refuse ann say T"),
    ("answer", "ann say zzz"),
    ("chance", "expect chance game.note = T = 1/3 within 1 turn\n    when ann say T\n    when ann list T"),
];

/// Those for which every text is tried.
const EVERY: [&str; 3] = ["value", "event", "reason"];

/// A folder with the game and the file `a.scenario`.
fn project(said: &[String], text: &str) -> Project {
    let list: Vec<String> = said.iter().map(|text| string(text)).collect();
    let rules = format!("const LIST = [{}];\n{RULES}", list.join(", "));
    let cards: Vec<String> = NAMES.iter().map(|name| format!("  - {{name: {}, count: 2}}\n", string(name))).collect();
    let project = Project::new()
        .file("games/say/say.game", GAME)
        .file("games/say/rules.rhai", rules)
        .file("games/say/cards.yaml", format!("cards:\n{}", cards.concat()))
        .file("a.scenario", text);
    let ran = project.run(&["check", "games"]);
    assert_eq!(ran.code, 0, "{}", ran.all());
    project
}

/// Applies the first fix of each of these lines, counted from 0, and returns the text and the lines without a fix.
fn mended(project: Project, lines: &[usize]) -> (Project, Vec<usize>) {
    let text = std::fs::read_to_string(project.path().join("a.scenario")).unwrap();
    let mut client = Client::start(project);
    client.open("a.scenario", &text);
    client.diagnostics("a.scenario", 1, |found| !found.is_empty());
    let (uri, mut edits, mut without) = (client.uri("a.scenario"), Vec::new(), Vec::new());
    for line in lines {
        let fixes = client.fixes("a.scenario", *line);
        match fixes.iter().find_map(|fix| fix["edit"]["changes"][&uri].as_array()) {
            Some(fix) => edits.extend(fix.clone()),
            None => without.push(*line),
        }
    }
    let text = edited(&text, &edits.into());
    std::fs::write(client.project.path().join("a.scenario"), text).unwrap();
    let project = std::mem::replace(&mut client.project, Project::new());
    client.stop();
    (project, without)
}

fn passes(kind: &str, project: &Project, count: usize) {
    let ran = project.run(&["test", "a.scenario"]);
    let text = std::fs::read_to_string(project.path().join("a.scenario")).unwrap();
    assert!(ran.code == 0 && ran.stdout.contains(&format!("{count} passed")), "{kind}: {}\n{text}", ran.all());
}

#[test]
fn what_a_fix_writes_passes() {
    // Each kind gets every fourth text: all of them get each kind that writes a text in its own way.
    let said = texts(60);
    for (at, (kind, lines)) in WRONG.into_iter().enumerate() {
        let lines = format!("  turn ann\n  ann pick N\n  {lines}\n");
        let (mut text, mut wrong) = ("use say\n".to_owned(), Vec::new());
        let some: Vec<usize> = (0..said.len()).filter(|text| EVERY.contains(&kind) || text % 4 == at % 4).collect();
        for at in &some {
            let said = &said[*at];
            text.push_str(&format!("\nscenario {}\n", quoted(&format!("The text {said}"))));
            text.push_str(&lines.replace('N', &at.to_string()).replace('T', &quoted(said)));
            let rows = if kind == "chance" { 3 } else { 1 };
            wrong.push(text.lines().count() - rows);
        }
        let (project, without) = mended(project(&said, &text), &wrong);
        assert!(without.is_empty(), "{kind} has no fix in {} lines, of\n{text}", without.len());
        passes(kind, &project, some.len());
    }
}

#[test]
fn a_suggested_name_of_a_card_is_read() {
    let said = texts(100);
    let places = [
        "hand ben: X",
        "set ann.top = X",
        "expect X in stock",
        "expect hand ben = X",
        "expect events\n    > ann shows X",
    ];
    for place in places {
        let (mut text, mut wrong) = ("use say\n".to_owned(), Vec::new());
        let names: Vec<&str> = NAMES.into_iter().filter(|name| name.chars().count() > 5).collect();
        for name in &names {
            // Without one of its letters.
            let at = name.char_indices().rev().find(|(_, letter)| letter.is_alphanumeric()).unwrap().0;
            let typo = format!("{}{}", &name[..at], &name[at + 1..]);
            text.push_str(&format!(
                "\nscenario {}\n  turn ann\n  {}\n",
                quoted(name),
                place.replace('X', &quoted(&typo))
            ));
            wrong.push(text.lines().count() - 1);
        }
        let (project, without) = mended(project(&said, &text), &wrong);
        assert!(without.is_empty(), "{place} has no fix in lines {without:?} of\n{text}");
        let ran = project.run(&["check", "a.scenario"]);
        let text = std::fs::read_to_string(project.path().join("a.scenario")).unwrap();
        assert!(!ran.all().contains("unknown"), "{place}: {}\n{text}", ran.all());
    }
}

/// A word with a quote that nothing closes, and with the marks that end its parts.
#[test]
fn words_that_end_nowhere_are_looked_at_once() {
    let words = ["x\".:y", "(x\".y)", "\".", "a:\"b.c", "((((\":))))", "ann:\"x.y"];
    let deep = format!("{}x{}", "(".repeat(20_000), ")".repeat(20_000));
    for word in words.into_iter().chain([deep.as_str()]) {
        let lines =
            format!("  turn ann\n  expect ann.top = {word}\n  expect {word}\n  ann say {word}\n  hand ben: {word}\n");
        let text = format!("use say\n\nscenario \"X\"\n{lines}");
        let mut client = Client::start(project(&["a".to_owned()], &text));
        client.open("a.scenario", &text);
        client.diagnostics("a.scenario", 1, |found| !found.is_empty());
        let at = client.at("a.scenario", 4, 21);
        client.request("textDocument/hover", at);
        client.stop();
    }
}
