//! What the program writes can be read again: texts and names of all sorts, wherever a line has one.

use referee_source::quoted;

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
pub(crate) fn texts(count: usize) -> Vec<String> {
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
pub(crate) fn string(text: &str) -> String {
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
        !referee_syntax::forms(referee_syntax::FileKind::Scenario, false).any(|(word, _)| word == *text)
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
pub(crate) const NAMES: [&str; 22] = [
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

/// A game in which any of these texts is said, and what was said last is noted.
fn offering(texts: &[String]) -> Project {
    let list: Vec<String> = texts.iter().map(|text| string(text)).collect();
    let rules = format!(
        "fn turn(me) {{\n    let said = choose(me, \"say\", [{}]);\n    game.note = said;\n    event(\"says\", me, said);\n}}\n",
        list.join(", ")
    );
    let game = "game any \"Any\"\nplayers 2 ann ben\nrules \"rules.rhai\"\nproperty note TEXT\nask say [loudly] TEXT\n\
                event PLAYER says [loudly] TEXT\n";
    Project::new().file("games/any/any.game", game).file("games/any/rules.rhai", rules)
}

#[test]
fn a_cell_of_a_table_is_any_text() {
    let texts = texts(120);
    let rows: Vec<String> = texts.iter().map(|text| format!("    | {} |\n", quoted(text))).collect();
    let table = format!(
        "use any\n\nscenario \"Said\"\n  turn ann\n  ann say {{x}}\n  expect game.note = {{x}}\n  expect {{ game.note == x }}\n  \
         expect events\n    > ann says {{x}}\n  examples\n    | x |\n{}",
        rows.concat()
    );
    let project = offering(&texts).file("table.scenario", table);
    let ran = project.run(&["test", "table.scenario"]);
    assert!(ran.code == 0 && ran.stdout.contains("120 passed"), "{}", ran.all());
    passes(&project.run(&["fmt", "table.scenario"]));
    passes(&project.run(&["test", "table.scenario"]));
}

#[test]
fn what_moves_prints_is_an_answer_and_what_play_saves_passes() {
    let texts = texts(120);
    let project =
        offering(&texts).file("start.scenario", "use any\n\nscenario \"Start\"\n  turn ann\n  expect not over\n");
    let moves = project.run(&["moves", "start.scenario"]);
    let answers: Vec<&str> = moves.stdout.lines().filter_map(|line| line.strip_prefix("  say ")).collect();
    assert_eq!(answers.len(), 120, "{}", moves.all());
    let each = answers.iter().map(|answer| {
        format!(
            "\nscenario {}\n  turn ann\n  ann say {answer}\n  expect choices ben includes say {answer}\n",
            quoted(answer)
        )
    });
    let project = project.file("each.scenario", format!("use any\n{}", each.collect::<String>()));
    passes(&project.run(&["test", "each.scenario"]));
    let input: String = answers.iter().map(|answer| format!("say {answer}\n")).collect();
    let played = project.run_with(&["play", "any"], &format!("{input}save saved.scenario\nquit\n"));
    assert_eq!(played.code, 0, "{}", played.all());
    passes(&project.run(&["test", "saved.scenario"]));
    let saved = std::fs::read_to_string(project.path().join("saved.scenario")).unwrap();
    assert_eq!(saved.lines().filter(|line| line.contains(" say ")).count(), 120, "{saved}");
}

#[test]
fn a_line_of_play_that_shows_a_text_passes() {
    let texts = texts(60);
    let each = texts.iter().enumerate().map(|(at, text)| {
        format!(
            "\nscenario \"At {}\"\n  turn ann\n  expect never {{ game.note == {} }} within 1 turns\n",
            at,
            string(text)
        )
    });
    let project = offering(&texts).file("never.scenario", format!("use any\n{}", each.collect::<String>()));
    let ran = project.run(&["test", "never.scenario"]);
    let mut shown = Vec::new();
    let mut is_inside = false;
    for line in ran.stdout.lines() {
        let inside = line.strip_prefix("    ").or_else(|| line.is_empty().then_some(line));
        let begins = inside.is_some_and(|line| line.starts_with("# Found by"));
        is_inside = begins || is_inside && inside.is_some();
        if begins {
            shown.push(String::new());
        }
        if let (true, Some(text), Some(line)) = (is_inside, shown.last_mut(), inside) {
            text.push_str(&format!("{line}\n"));
        }
    }
    assert_eq!(shown.len(), 60, "{}", ran.all());
    for (at, text) in shown.iter().enumerate() {
        std::fs::create_dir_all(project.path().join("shown")).unwrap();
        std::fs::write(project.path().join(format!("shown/{at}.scenario")), text).unwrap();
    }
    let ran = project.run(&["test", "shown"]);
    assert!(ran.code == 0 && ran.stdout.contains("60 passed"), "{}", ran.all());
}

/// No line can have these texts: line ends, characters that nobody sees, and too many of them.
fn unwritable() -> Vec<String> {
    let odd = ["a\nb", "a\rb", "a\u{200b}b", "a\u{feff}", "\u{202e}a", "a\u{0}b", "a\u{7}"];
    let mut texts: Vec<String> = odd.iter().map(|text| (*text).to_owned()).collect();
    texts.push("x".repeat((16 << 10) + 1));
    texts
}

/// Wherever rules could make a text that a file would have to have, it is refused, with its reason.
#[test]
fn a_text_that_no_line_can_have_is_refused_wherever_it_would_be_written() {
    let escaped = |text: &str| {
        let all = text.chars().map(|letter| match letter {
            'x' => "x".to_owned(),
            letter => format!("\\u{{{:x}}}", u32::from(letter)),
        });
        all.collect::<String>()
    };
    let places = [
        "choose(me, \"say\", [TEXT]);",
        "choose(me, \"say\", [may(\"say\", TEXT)]);",
        "choose_all(players(), \"say\", |who| [TEXT]);",
        "choose_then(me, \"say\", [TEXT], \"done\");",
        "game.note = TEXT;",
        "set(game, \"note\", TEXT);",
        "event(\"says\", me, TEXT);",
    ];
    for text in unwritable() {
        // Rhai writes characters as `\u` with four digits.
        let value = escaped(&text).replace("\\u{", "\\u").replace('}', "");
        let value = match text.len() > 100 {
            true => "long()".to_owned(),
            false => format!("\"{}\"", four_digits(&value)),
        };
        for place in places {
            let long = "fn long() { let t = \"x\"; for n in 0..14 { t += t; } t + \"x\" }\n";
            let rules = format!(
                "{long}fn turn(me) {{ {} choose(me, \"say\", [\"a\"]); }}\nfn done(me, text) {{ choose(me, \"say\", [\"b\"]); }}\n",
                place.replace("TEXT", &value)
            );
            let project = offering(&["a".to_owned()]).file("games/any/rules.rhai", rules);
            let ran = project.run(&["simulate", "any", "-n", "1", "--max-plies", "4", "--record", "rec"]);
            assert_eq!(ran.code, 3, "{place} {value}: {}", ran.all());
            let said = ran.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
            let reasons =
                ["line end", "invisible character", "is longer than 16384 bytes", "grows longer than 10000 bytes"];
            assert!(reasons.iter().any(|reason| said.contains(reason)), "{place} {value}: {said}");
        }
    }
}

/// Returns a string of rules with four digits after each `\u`.
fn four_digits(text: &str) -> String {
    let mut parts = text.split("\\u");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |all, part| {
        let digits: String = part.chars().take_while(char::is_ascii_hexdigit).collect();
        format!("{all}\\u{digits:0>4}{}", &part[digits.len()..])
    })
}

/// Snapshots and holes of scenarios with any titles, in which any texts are said.
#[test]
fn accepted_snapshots_and_holes_are_read_again_whatever_is_said() {
    let texts = texts(90);
    let titled = texts.iter().enumerate().map(|(at, text)| {
        let title = quoted(&format!("{text}{at}"));
        format!("\nscenario {title}\n  turn ann\n  ann say {}\n  expect snapshot\n", quoted(text))
    });
    let project = offering(&texts).file("titled.scenario", format!("use any\n{}", titled.collect::<String>()));
    passes(&project.run(&["test", "titled.scenario", "--accept"]));
    passes(&project.run(&["test", "titled.scenario"]));
    passes(&project.run(&["check", "titled.scenario"]));
    passes(&project.run(&["fmt", "titled.scenario"]));
    passes(&project.run(&["test", "titled.scenario"]));
    assert!(!project.path().join("titled.scenario.snap.new").exists());
    // Each is found by its title, and a game that goes on from it is recorded.
    for (at, text) in texts.iter().enumerate().step_by(9) {
        let title = format!("{text}{at}");
        let (rec, holes) = (format!("rec/{at}"), format!("holes/{at}"));
        let from = ["--from", "titled.scenario", "--scenario", &title];
        passes(
            &project.run(&[&["simulate", "any", "-n", "1", "--max-plies", "5", "--record", &rec], &from[..]].concat()),
        );
        passes(&project.run(&["test", &rec]));
        let always = format!("{{ game.note == {} }}", string(text));
        let games = ["--games", "2", "--max-turns", "4", "--always", &always, "--write", &holes];
        let explored = project.run(&[&["explore", "any"], &from[..], &games].concat());
        assert_eq!(explored.code, 1, "{text}: {}", explored.all());
        let ran = project.run(&["test", &holes]);
        assert!(ran.code == 1 && !ran.all().contains("ERROR"), "{text}: {}", ran.all());
    }
}

/// What `odds` advises is an argument that it takes, as a shell reads it.
#[test]
fn what_odds_advises_can_be_pasted() {
    let shell = ["$HOME", "`id`", "it's", "a!b", "$(id)", "a; b", "'", "'\"'", "\\'", "*", "a&b", "~", "<x", "%PATH%"];
    let shell: Vec<String> = shell.iter().map(|text| (*text).to_owned()).collect();
    for text in shell.into_iter().chain(texts(64)).filter(|text| !text.trim().is_empty()) {
        let project = offering(std::slice::from_ref(&text));
        let ran = project.run(&["odds", "any", "--chance", "{ game.note == \"x\" }", "--within", "1"]);
        let help = ran.stderr.split_once("add for example `").unwrap().1;
        // What is wrapped is put together again.
        let help = help.split_once("`, `--policy").unwrap().0.replace("\n        ", " ");
        let words = if help.contains("  ") { continue } else { shell_words(&help) };
        let ran = project.run(
            &[
                &["odds", "any", "--chance", "{ game.note == \"x\" }", "--within", "1"],
                &words.iter().map(String::as_str).collect::<Vec<_>>()[..],
            ]
            .concat(),
        );
        assert_eq!(ran.code, 0, "{text}: {help}\n{words:?}\n{}", ran.all());
    }
}

/// Returns the words of a command as a shell reads them.
fn shell_words(line: &str) -> Vec<String> {
    let ran = std::process::Command::new("sh").args(["-c", &format!("printf '%s\\0' {line}")]).output().unwrap();
    let words = String::from_utf8(ran.stdout).unwrap();
    words.split_terminator('\0').map(str::to_owned).collect()
}

/// A text of the rules that no line could have is told with what to do about it.
#[test]
fn a_text_that_no_line_can_have_gets_a_help() {
    let game = "game say \"Say\"\nplayers 2 red blue\nrules \"rules.rhai\"\nboard grid 1x1\nask say TEXT\n";
    let texts = [
        ("\"one\\ntwo\"", "it has a line end", "write it on one line"),
        ("\"one\\u200btwo\"", "it has the invisible character U+200B", "write it without this character"),
    ];
    for (text, message, help) in texts {
        let rules = format!("fn turn(me) {{ choose(me, \"say\", [{text}]); }}\n");
        let project = Project::new()
            .file("games/say/say.game", game)
            .file("games/say/rules.rhai", rules)
            .file("scenarios/a.scenario", "use say\n\nscenario \"Said\"\n  turn red\n  expect asks red say\n");
        let told = project.run(&["test"]).all();
        assert!(told.contains(message) && told.contains(help), "{told}");
    }
}
