//! What the program writes can be read again: texts and names of all sorts, wherever a line has one.

use referee::source::quoted;

use super::{Project, Ran};

/// Texts that mean something else without quotes, or contain what quotes, rows and comments are made of.
const ODD: [&str; 52] = [
    "#7",
    "a,b",
    "a, b",
    "{x}",
    "{",
    "}",
    "{a b}",
    "tab\tx",
    "„ja“",
    "«x»",
    "the \"Duke\"",
    "\"",
    "\"\"",
    "\"a\" and \"b\"",
    "\\",
    "\\\\",
    "a\\",
    "a\\\"",
    "\\\"a",
    "C:\\new",
    "|",
    "| a | b",
    ">",
    "> x",
    "=",
    "a=b",
    "== b",
    "...",
    "…",
    "",
    " ",
    " a ",
    "a  b",
    "none",
    "because",
    "turn",
    "expect",
    "if",
    "at",
    "to",
    "off",
    "in",
    "loudly",
    "says",
    "(",
    ")",
    "(a",
    "a:",
    "a: b",
    "ann:x",
    "no\u{a0}break",
    "wide\u{3000}space",
];

/// Adds to the odd texts those made of their pieces, without end: each by a step of a small generator.
fn texts(count: usize) -> Vec<String> {
    let pieces = [
        "\"", "\\", "#", "|", ">", "{", "}", "(", ")", ",", "=", ":", ".", "…", " ", "\t", "a", "7", "é", "none", "’",
        "-", "'",
    ];
    let mut seed = 7_u64;
    let mut next = |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(seed >> 33).unwrap() % below
    };
    let mut texts: Vec<String> = ODD.iter().map(|text| (*text).to_owned()).collect();
    while texts.len() < count {
        let length = 1 + next(6);
        let text: String = (0..length).map(|_| pieces[next(pieces.len())]).collect();
        if !texts.contains(&text) {
            texts.push(text);
        }
    }
    texts
}

/// Returns a text as a string of rules, or of YAML.
fn string(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\t', "\\t"))
}

const GAME: &str = "\
game say \"Say\"
players 2 ann ben
rules \"rules.rhai\"
board grid 3x3
zone deck pile
zone hand for each player open
card thing from \"cards.yaml\" in deck
property controller for each thing PLAYER in drawings
property note TEXT
property notes TEXTS
property top for each player PIECE
ask say [loudly] TEXT
ask call [to PLAYER] TEXT [again]
ask take PIECE [to] CELL
ask list TEXTS
event PLAYER says [loudly] TEXT
event PIECE to CELL
";

/// Each text is said, called and noted. What is refused is refused for a reason that is its own text.
const RULES: &str = "\
fn turn(me) {
    for text in TEXTS {
        choose(me, \"say\", [text]);
        game.note = text;
        game.notes = [text];
        event(\"says\", me, text);
        choose(me, \"call\", [may(\"call\", me, text)]);
        choose(me, \"call\", [may(\"call\", (), text)]);
        choose(me, \"list\", [may(\"list\", [text])]);
        then(\"keep\", text);
    }
    then(\"all_cards\", me);
}

fn keep(text) { choose(ann, \"say\", [text]); }

fn all_cards(me) {
    while !is_empty(deck) {
        let card = draw(deck, hand(ann));
        choose(me, \"take\", [may(\"take\", card, cell(0, 0))]);
        me.top = card;
        if at(cell(0, 0)) != () { lift(at(cell(0, 0))); }
        take_card(card, hand(ann));
        place(card, cell(0, 0));
        set(card, \"controller\", ben);
        event(\"to\", card, cell(0, 0));
    }
    draw_game();
}

fn why_not(me, action) { action.value }
";

fn game(texts: &[String]) -> Project {
    let list: Vec<String> = texts.iter().map(|text| string(text)).collect();
    let rules = RULES.replace("TEXTS {", &format!("[{}] {{", list.join(", ")));
    // Names are what is written, so they differ from the words and symbols that the language keeps for itself.
    let kept = |text: &&String| {
        !text.trim().is_empty() && !["…", "...", "..", ".", "?", "none", "-", "7"].contains(&text.as_str())
    };
    let kept = texts.iter().filter(kept).filter(|text| {
        !referee::syntax::forms(referee::syntax::FileKind::Scenario, false).any(|(word, _)| word == *text)
    });
    let reserved = ["at", "to", "off", "in", "if", "because", "loudly", "says", "a", "again"];
    let cards: Vec<String> = kept
        .filter(|text| !reserved.contains(&text.as_str()))
        .map(|text| format!("  - {{name: {}}}\n", string(text)))
        .collect();
    Project::new()
        .file("games/say/say.game", GAME)
        .file("games/say/rules.rhai", rules)
        .file("games/say/cards.yaml", format!("cards:\n{}", cards.concat()))
}

fn passes(ran: &Ran) {
    assert_eq!(ran.code, 0, "{}", ran.all());
}

#[test]
fn a_recorded_game_passes_whatever_is_said_in_it() {
    let project = game(&texts(160));
    passes(&project.run(&["check", "games"]));
    passes(&project.run(&["simulate", "say", "-n", "1", "--record", "rec"]));
    passes(&project.run(&["test", "rec"]));
}

#[test]
fn a_refused_text_is_read_with_its_reason_and_its_title() {
    let mut text = "use say\n".to_owned();
    for odd in ODD {
        let (word, title) = (quoted(odd), quoted(&format!("The text {odd}")));
        text.push_str(&format!("\nscenario {title}\n  turn ann\n  refuse ann say {word} because {word}\n"));
    }
    let project = game(&["the first".to_owned()]).file("refused.scenario", &text);
    passes(&project.run(&["test", "refused.scenario"]));
    passes(&project.run(&["fmt", "refused.scenario"]));
    passes(&project.run(&["test", "refused.scenario"]));
    // Another reason is none: the reasons above are compared.
    let other = text.replace("because \"", "because \"x");
    let ran = project.file("other.scenario", &other).run(&["test", "other.scenario"]);
    assert!(ran.all().contains(&format!("{} failed", ODD.len())), "{}", ran.all());
}

/// A game whose cards have odd names: they lie in piles and hands, on the board and face down.
fn cards(names: &[String]) -> Project {
    let game = GAME.replace("in deck", "in stock") + "zone stock\nask done\n";
    let rules = "fn turn(me) { choose(me, \"done\", [may(\"done\")]); let top = draw(deck, hand(me)); me.top = top; event(\"to\", top, cell(0, 0)); draw_game(); }";
    let list: Vec<String> = names.iter().map(|name| format!("  - {{name: {}, count: 6}}\n", string(name))).collect();
    Project::new()
        .file("games/say/say.game", game)
        .file("games/say/rules.rhai", rules)
        .file("games/say/cards.yaml", format!("cards:\n{}", list.concat()))
}

#[test]
fn a_recorded_position_passes_whatever_the_names_of_its_cards_are() {
    let names: Vec<String> = NAMES.iter().map(|name| (*name).to_owned()).collect();
    let project = cards(&names);
    let mut text = "use say\n".to_owned();
    for name in &names {
        let word = quoted(name);
        text.push_str(&format!(
            "\nscenario {word}\n  board\n    | . . .\n    | . ann:{word} .\n    | . . ann:({word})\n  deck: {word} {word}\n  hand ben: {word}\n  \
             set ann.top = {word}\n  set game.note = {word}\n  turn ann\n  expect {word} at b2\n  expect b2 holds ann:{word}\n  expect hand ben = {word}\n  \
             expect ann.top = {word}\n  expect game.note = {word}\n"
        ));
    }
    let project = project.file("start.scenario", &text);
    passes(&project.run(&["test", "start.scenario"]));
    for (at, name) in names.iter().enumerate() {
        let from = ["--from", "start.scenario", "--scenario", name];
        let [recorded, holes] = [format!("recorded/{at}"), format!("holes/{at}")];
        passes(&project.run(&[&["simulate", "say", "-n", "1", "--record", &recorded], &from[..]].concat()));
        passes(&project.run(&["test", &recorded]));
        let always = ["--always", "{ is_empty(hand(ann)) && game.note != () }", "--write", &holes];
        let explored = project.run(&[&["explore", "say", "--games", "1"], &from[..], &always].concat());
        assert_eq!(explored.code, 1, "{}", explored.all());
        // It fails as long as the hole is there, and it can be read.
        let ran = project.run(&["test", &holes]);
        assert_eq!(ran.code, 1, "{}", ran.all());
    }
    passes(&project.run(&["fmt"]));
    passes(&project.run(&["test", "start.scenario", "recorded"]));
    passes(&project.run(&["fmt", "--check"]));
}

/// Names as cards have them, and worse ones.
const NAMES: [&str; 22] = [
    "Mira, Keeper of Tides",
    "Ward against: Red",
    "Otto \"Anvil\" Brandt",
    "#1 Fan",
    "Keeper's Oath",
    "Ash // Ember",
    "Prince at Arms",
    "{x}",
    "a|b",
    "| a",
    "> b",
    "a=b",
    "(a",
    "(a)",
    "\\",
    "\"",
    "\"a\"",
    "ann:x",
    "x:",
    "Fate #7 # now",
    "...!",
    "None, or all",
];
