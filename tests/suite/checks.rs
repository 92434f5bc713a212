//! The snippets of all checks of rules: the wrong ones are reported with their code at the marked place, the right ones are
//! not reported, and run.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use insta::Settings;
use referee_diagnostic::{Code, Diagnostic, Renderer};
use referee_rules::{Check, Snippet, checks};
use referee_scenario::{Loader, LoaderOptions};
use referee_source::MemoryHost;
use referee_trace::Status;

/// The lines of every game file.
const HEAD: &str = "game pond \"Pond\"\nplayers 2 red blue\nrules \"rules.rhai\"\n";

/// The small game of snippets: frogs that hop over a pond, flies, and fish as cards.
const LINES: &str = "board grid 5x5
directions 8 clockwise from north
die leap 1..6
die pair 2 of 1..6
die sky sun | rain | storm
zone deck hidden
zone hand for each player secret
zone heap
card fish from \"fish.yaml\" in deck
piece frog for each player symbols r b
piece fly many for each player symbols m n
piece stone 1..2
piece log symbol X
flag tired for each player
flag wet for each stone
counter score for each player = 0
counter round = 0
record counter falls for each player
property home for each player CELL
property seen for each player CELLS
property numbers for each player NUMBERS
property lucky for each player SET of NUMBER
property path for each player LIST of CELL
property moods for each player LIST of calm|angry
property rival for each player PLAYER
property mood for each player calm|angry
ask hop [to] CELL
ask eat PIECE NUMBER
ask spread NUMBERS
ask say calm|angry
ask rest
event PIECE hops to CELL
event PIECE rests
event PLAYER says calm|angry
option edge = wall | torus
option goal = 3 in 1..9
place red at a1, blue at e5, log at c3
";

const RULES: &str = "const FAR = 3;\nconst NAMES = [\"leap\", \"pair\"];\n
fn turn(me) { me.score += steps(me, FAR); }\n
fn steps(me, far) { far + me.score }\n
fn free(me) { around(cells(frog(me))) - occupied() }\n";

const FISH: &str = "printed: {size: NUMBER, colour: grey|green}\ncards:\n  - {name: carp, count: 2, size: 3, colour: grey}\n  \
- {name: pike, size: 5, colour: green}\n";

/// Returns the files of a snippet, with the marks in it.
fn files(snippet: Snippet) -> Vec<(&'static str, String)> {
    let (mut lines, mut rules, mut fish) = (LINES, RULES.to_owned(), FISH);
    let (mut house, mut play) = (None, String::new());
    match snippet {
        Snippet::Turn(statements) => rules = format!("fn turn(me) {{\n    {statements}\n}}\n"),
        Snippet::Rules(whole) => rules = format!("{whole}\n"),
        Snippet::House(over) => house = Some(format!("/// A house rule.\n{over}\n")),
        Snippet::Condition(condition) => play.push_str(&format!("  expect {{ {condition} }}\n")),
        Snippet::Game(other, whole) => (lines, rules) = (other, format!("{whole}\n")),
        Snippet::Cards(other, whole) => (fish, rules) = (other, format!("{whole}\n")),
    }
    // Rules that ask nothing would go from turn to turn; those that list moves ask.
    let turn = if rules.contains("fn moves") { "  turn red\n" } else { "  do turn red\n" };
    play.insert_str(0, turn);
    let with = if house.is_some() { "  with house \"other\"\n" } else { "" };
    let scenario = format!("use pond\n\nscenario \"A turn\"\n{with}{play}");
    let mut files = vec![
        ("turn.scenario", scenario),
        ("games/pond/pond.game", format!("{HEAD}{lines}\n")),
        ("games/pond/rules.rhai", rules),
        ("games/pond/fish.yaml", fish.to_owned()),
    ];
    files.extend(house.map(|house| ("games/pond/house/other.rhai", house)));
    files
}

/// Returns files without marks, and the file and the place of what is marked.
fn unmarked(files: Vec<(&'static str, String)>) -> (MemoryHost, Vec<(&'static str, std::ops::Range<usize>)>) {
    let mut marked = Vec::new();
    let mut host = MemoryHost::default();
    for (path, mut text) in files {
        while let (Some(start), Some(end)) = (text.find('«'), text.find('»')) {
            text = text.replacen('«', "", 1).replacen('»', "", 1);
            marked.push((path, start..end - '«'.len_utf8()));
        }
        host = host.with(PathBuf::from(path), text);
    }
    (host, marked)
}

/// Returns what is reported for a snippet: what is wrong with it, or what its play comes to, or notes of the check.
fn reported(check: &Check, host: &MemoryHost) -> Vec<Diagnostic> {
    let mut loader = Loader::new(host, LoaderOptions::default());
    let suite = referee_scenario::plan(&mut loader, Path::new("turn.scenario"));
    if !suite.problems.is_empty() {
        return suite.problems;
    }
    let results: Vec<_> =
        (0..suite.tests.len()).map(|index| referee_scenario::judge(&mut loader, &suite, index)).collect();
    let failures = results.into_iter().filter(|result| result.status != Status::Passed);
    let mut found: Vec<Diagnostic> =
        failures.flat_map(|result| result.failures).map(|failure| failure.diagnostic).collect();
    let game = Path::new("games/pond/pond.game");
    found.extend(referee_scenario::check_unplayed(&mut loader, game));
    let notes = referee_scenario::notes(&loader, game).into_iter();
    found.extend(notes.filter(|note| check.finds().iter().any(|entry| entry.code() == note.code)));
    found
}

/// Returns a place as snippets mark it.
fn marks_of(diagnostic: &Diagnostic) -> Option<(String, std::ops::Range<usize>)> {
    let label = diagnostic.labels.first()?;
    Some((label.source.name().replace('\\', "/"), label.span.range()))
}

#[test]
fn the_base_of_snippets_is_right() {
    for check in checks() {
        let (host, _) = unmarked(files(Snippet::Rules(RULES)));
        let found = reported(check, &host);
        let is_note = |found: &Diagnostic| ["unused_declaration", "unread_variable"].contains(&found.code.name());
        assert!(found.iter().all(is_note), "{}: {found:?}", check.name());
    }
}

#[test]
fn wrong_snippets_are_reported_where_they_are_marked() {
    let mut settings = Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.set_snapshot_path("checks");
    let _bound = settings.bind_to_scope();
    let mut astray = Vec::new();
    for check in checks() {
        let mut page = String::new();
        let mut found_codes = BTreeSet::new();
        for (entry, snippet) in check.wrong() {
            let (host, marked) = unmarked(files(*snippet));
            let found = reported(check, &host);
            let renderer = Renderer::default();
            let messages: String = found.iter().map(|found| format!("{}\n", renderer.render(found))).collect();
            let place = found.first().and_then(marks_of);
            let is_right = found.len() == 1
                && found.iter().all(|found| found.code == entry.code())
                && matches!(marked.as_slice(), [(path, span)] if place == Some(((*path).to_owned(), span.clone())))
                && check.finds().contains(entry);
            if !is_right {
                let marked = marked.iter().map(|(path, span)| format!("{path} {span:?}")).collect::<Vec<_>>();
                astray.push(format!("{}: {snippet:?}\nmarked {marked:?}, found {place:?}\n{messages}", check.name()));
            }
            found_codes.insert(entry.code());
            page.push_str(&messages);
            page.push('\n');
        }
        let all: BTreeSet<Code> = check.finds().iter().map(|entry| entry.code()).collect();
        if found_codes != all {
            astray.push(format!("{}: no wrong snippet for {:?}", check.name(), all.difference(&found_codes)));
        }
        insta::assert_snapshot!(check.name(), page.trim_end());
    }
    assert!(astray.is_empty(), "{}", astray.join("\n────────\n"));
}

#[test]
fn right_snippets_are_not_reported_and_run() {
    let mut wrong = Vec::new();
    for check in checks() {
        for snippet in check.right() {
            let (host, marked) = unmarked(files(*snippet));
            let found = reported(check, &host);
            if !found.is_empty() || !marked.is_empty() {
                let renderer = Renderer::default();
                let messages: String = found.iter().map(|found| format!("{}\n", renderer.render(found))).collect();
                wrong.push(format!("{}: {snippet:?}\n{messages}", check.name()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n────────\n"));
}

/// Whether a comparison is true for a number.
fn holds(sign: &str, number: i64, other: i64) -> bool {
    match sign {
        "==" => number == other,
        "!=" => number != other,
        "<" => number < other,
        "<=" => number <= other,
        ">" => number > other,
        _ => number >= other,
    }
}

/// For all pairs of comparisons with small numbers, in all places, a condition is reported if and only if no number, or each
/// number, makes it true.
#[test]
fn conditions_are_reported_if_no_number_makes_them_true() {
    const SIGNS: [&str; 6] = ["==", "!=", "<", "<=", ">", ">="];
    let numbers = || -3..=9;
    let mut lines = vec!["fn turn(me) { let n = me.score + 1;".to_owned()];
    let mut wanted = BTreeSet::new();
    for (first, second, other) in SIGNS
        .iter()
        .flat_map(|first| SIGNS.iter().flat_map(move |second| (2..=4).map(move |other| (first, second, other))))
    {
        let one = |number: i64| holds(first, number, 3);
        let two = |number: i64| holds(second, number, other);
        let mut line = |text: String, is_wrong: bool| {
            lines.push(text);
            wanted.extend(is_wrong.then_some(lines.len()));
        };
        let never_both = !numbers().any(|number| one(number) && two(number));
        let never_after = !numbers().any(|number| !one(number) && two(number));
        let always_after = !numbers().any(|number| !one(number) && !two(number));
        let (one, two) = (format!("n {first} 3"), format!("n {second} {other}"));
        // A part that is there already says nothing, either.
        line(format!("if {one} && {two} {{ me.score += 1; }}"), never_both || one == two);
        line(format!("if {one} || {two} {{ me.score += 1; }}"), always_after || one == two);
        line(format!("if {one} {{ if {two} {{ me.score += 1; }} }}"), never_both);
        line(format!("if {one} {{ me.score += 1; }} else if {two} {{ me.score += 2; }}"), never_after);
        line(format!("for m in 1..3 {{ if {one} {{ continue; }} if {two} {{ me.score += m; }} }}"), never_after);
        let otherwise = "else { me.score = 3; }";
        line(
            format!("if {one} {{ me.score += 1; }} else if {two} {{ me.score += 2; }} {otherwise}"),
            never_after || always_after,
        );
    }
    lines.push("}".to_owned());
    let (host, _) = unmarked(files(Snippet::Rules(lines.join("\n").leak())));
    let check = checks().iter().find(|check| check.name() == "constant").unwrap();
    let line = |found: Diagnostic| found.labels.first().map(|label| label.source.line(label.span.start));
    let found: BTreeSet<usize> = reported(check, &host).into_iter().filter_map(line).collect();
    let texts = |these: Vec<&usize>| these.iter().map(|line| lines[**line - 1].clone()).collect::<Vec<String>>();
    assert_eq!(texts(found.difference(&wanted).collect()), Vec::<String>::new(), "reported, and right");
    assert_eq!(texts(wanted.difference(&found).collect()), Vec::<String>::new(), "wrong, and not reported");
}

/// Each way in which a variable can have two words, `GOOD` and `WRONG`, and be used; and ways in which the second is never used.
#[test]
fn words_in_lists_and_variables_are_reported_where_something_uses_them() {
    const WRONG: [&str; 14] = [
        r#"fn turn(me) { for one in ["GOOD", "WRONG"] { USE } }"#,
        r#"fn turn(me) { for one in ["WRONG"] { USE } }"#,
        r#"fn turn(me) { for (one, n) in ["GOOD", "WRONG"] { me.score += n; USE } }"#,
        r#"fn turn(me) { let all = ["GOOD", "WRONG"]; for n in 1..=2 { for one in all { USE } } }"#,
        r#"fn turn(me) { let all = ["GOOD"]; all.push("WRONG"); for one in all { if me.tired { USE } } }"#,
        r#"fn turn(me) { let all = ["GOOD"]; all += "WRONG"; for one in all { USE if me.tired { break; } } }"#,
        r#"fn turn(me) { let one = if me.tired { "GOOD" } else { "WRONG" }; USE }"#,
        r#"fn turn(me) { let one = "GOOD"; if me.tired { one = "WRONG"; } USE }"#,
        r#"fn turn(me) { let one = switch me.score { 0 => "GOOD", 1 => "WRONG", _ => "" }; USE }"#,
        "const ONE = \"WRONG\";\nfn turn(me) { let one = ONE; USE }",
        "const ALL = [\"GOOD\", \"WRONG\"];\nfn turn(me) { for one in ALL { USE } }",
        "const ALL = [[1, \"GOOD\"], [2, \"WRONG\"]];\nfn turn(me) { for pair in ALL { let one = pair[1]; USE } }",
        "const ALL = #{ a: \"GOOD\", b: \"WRONG\" };\nfn turn(me) { for one in ALL.values() { USE } }",
        "fn turn(me) { let one = which(); USE }\nfn which() { \"WRONG\" }",
    ];
    const RIGHT: [&str; 12] = [
        r#"fn turn(me) { for one in ["GOOD", "WRONG"] { if one != "WRONG" { USE } } }"#,
        r#"fn turn(me) { for one in ["GOOD", "WRONG"] { if one == "WRONG" { continue; } USE } }"#,
        r#"fn turn(me) { for one in ["GOOD", "WRONG"] { USE break; } }"#,
        r#"fn turn(me) { for one in ["GOOD", "WRONG"] { let last = one == "GOOD"; USE if last { return; } } }"#,
        r#"fn turn(me) { for (one, n) in ["GOOD", "WRONG"] { if n == 0 { USE } } }"#,
        r#"fn turn(me) { let n = 0; for one in ["GOOD", "WRONG"] { if n == 0 { USE } n += 1; } }"#,
        r#"fn turn(me) { let all = ["GOOD", "WRONG"]; all.pop(); for one in all { USE } }"#,
        r#"fn turn(me) { let one = "WRONG"; if me.score < 9 { one = "GOOD"; } USE }"#,
        r#"fn turn(me) { let one = "GOOD"; if me.tired { one = "WRONG"; } if !me.tired { USE } }"#,
        r#"fn turn(me) { let one = "WRONG"; one = "GOOD"; USE }"#,
        r#"fn turn(me) { let one = "WRONG"; do { one = "GOOD"; } while me.tired; USE }"#,
        "const ALL = [[1, \"GOOD\"], [2, \"WRONG\"]];\nfn turn(me) { for pair in ALL { let one = pair[1]; if pair[0] == 1 { \
         USE } } }",
    ];
    const USES: [(&str, &str); 9] = [
        ("set(me, one, 0);", "score"),
        ("tally(me, one, 1);", "score"),
        ("me.score = me[one];", "score"),
        ("event(one, log);", "rests"),
        ("me.score = roll(one);", "leap"),
        ("me.home = step(cell(log), direction_named(one));", "NE"),
        ("me.score = pieces(one).len;", "stone"),
        ("me.mood = one;", "calm"),
        ("if is_off(piece(one)) { return; }", "carp"),
    ];
    let mut astray = Vec::new();
    let played = |text: &str| {
        let (host, _) = unmarked(files(Snippet::Rules(text.to_owned().leak())));
        reported(checks().iter().find(|check| check.name() == "texts").unwrap(), &host)
    };
    for (used, good) in USES {
        let rules = |text: &str| text.replace("USE", used).replace("GOOD", good).replace("WRONG", "zebra");
        for text in WRONG.iter().map(|text| rules(text)) {
            let found = played(&text);
            let at = text.find("\"zebra\"").unwrap();
            let is_right = matches!(found.as_slice(), [one] if one.message.contains("zebra")
                && marks_of(one) == Some(("games/pond/rules.rhai".to_owned(), at..at + 7)));
            astray.extend((!is_right).then(|| format!("{text}\n  {found:?}")));
        }
        for text in RIGHT.iter().map(|text| rules(text)) {
            let found: Vec<Diagnostic> = played(&text);
            let said: Vec<&String> =
                found.iter().map(|one| &one.message).filter(|said| said.contains("zebra")).collect();
            astray.extend((!said.is_empty()).then(|| format!("{text}\n  {said:?}")));
        }
    }
    assert!(astray.is_empty(), "{}", astray.join("\n"));
}
