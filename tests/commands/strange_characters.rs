//! A character that looks like another, or like nothing, is named by its code point wherever a name with it is not found.

use super::Project;

const GAME: &str = "\
game look \"Look\"
players 2 red blue
rules \"rules.rhai\"
board grid 4x4
piece rock symbol R
die six 1..6
zone deck
card thing from \"cards.yaml\" in deck
option calm = yes | no
property tone loud|soft
ask go CELL
event PLAYER goes
counter score for each player
variant long \"Long\"
";
const CARDS: &str = "printed: {power: NUMBER, kind: water|fire}\ncards:\n  - {name: Mole, power: 1, kind: water}\n";
const RULES: &str =
    "fn turn(me) {\n    choose(me, \"go\", all_cells());\n    me.score += 1;\n    event(\"goes\", me);\n}\n";
const SCENARIO: &str = "use look\n\nscenario \"S\"\n  turn red\n";

/// A variation selector, an accent of its own, wide and narrow spaces, a space without width.
const CHARACTERS: [char; 7] = ['\u{fe0f}', '\u{301}', '\u{3000}', '\u{202f}', '\u{2009}', '\u{200b}', '\u{2060}'];

/// Words of a file, each before a word with the strange character `@`, and the command that reports it.
const PLACES: [(&str, &str, &str, &[&str]); 28] = [
    ("game", "option calm", "opt@ion calm", &["check", "games"]),
    ("game", "go CELL", "go CE@LL", &["check", "games"]),
    ("game", "in deck", "in de@ck", &["check", "games"]),
    ("game", "rules.rhai", "ru@les.rhai", &["check", "games"]),
    ("cards", "power: 1", "po@wer: 1", &["check", "games"]),
    ("cards", "cards:", "ca@rds:", &["check", "games"]),
    ("cards", "name:", "na@me:", &["check", "games"]),
    ("cards", "water}", "wa@ter}", &["check", "games"]),
    ("cards", "NUMBER", "NUM@BER", &["check", "games"]),
    ("rules", "choose", "cho@ose", &["check", "games"]),
    ("rules", "\"go\"", "\"g@o\"", &["check", "games"]),
    ("rules", "\"goes\"", "\"go@es\"", &["check", "games"]),
    ("rules", "me.score", "me.sc@ore", &["check", "games"]),
    ("rules", "me.score", "place(piece(\"ro@ck\"), cell(0, 0)); me.score", &["check", "games"]),
    ("rules", "me.score", "if option(\"ca@lm\") == \"yes\" {} me.score", &["check", "games"]),
    ("rules", "me.score", "roll(\"s@ix\"); me.score", &["check", "games"]),
    ("rules", "me.score", "place(rock, cell_named(\"a@1\")); me.score", &["check", "games"]),
    ("rules", "me.score +=", "me.score@+=", &["check", "games"]),
    ("scenario", "turn red", "turn r@ed", &["test", "s.scenario"]),
    ("scenario", "turn red", "turn@red", &["test", "s.scenario"]),
    ("scenario", "turn red", "deck: Mo@le", &["test", "s.scenario"]),
    ("scenario", "use look", "use lo@ok", &["test", "s.scenario"]),
    ("scenario", "use look", "use look lo@ng", &["test", "s.scenario"]),
    ("scenario", "turn red", "with ca@lm = yes", &["test", "s.scenario"]),
    ("scenario", "turn red", "turn red\n  expect { r@ed.score == 0 }", &["test", "s.scenario"]),
    ("scenario", "turn red", "turn red\n  red g@o a1", &["test", "s.scenario"]),
    ("scenario", "turn red", "turn red\n  red go a@1", &["test", "s.scenario"]),
    ("scenario", "turn red", "turn red\n  expect r@ed.score = 0", &["test", "s.scenario"]),
];

/// Words of the command line.
const COMMANDS: [&[&str]; 16] = [
    &["simulate", "look", "-n", "1", "--policy", "red=ran@dom"],
    &["simulate", "look", "-n", "1", "--policy", "gre@edy:0"],
    &["simulate", "look", "-n", "1", "--policy", "r@ed=random"],
    &["simulate", "look", "-n", "1", "--policy", "red=g@o a1"],
    &["simulate", "look", "-n", "1", "--policy", "greedy:r@ed.score"],
    &["simulate", "look", "-n", "1", "--variant", "lo@ng"],
    &["simulate", "look", "-n", "1", "--with", "ca@lm=yes"],
    &["simulate", "look", "-n", "1", "--players", "r@ed blue"],
    &["simulate", "look", "-n", "1", "--from", "s@.scenario"],
    &["simulate", "look", "-n", "1", "--from", "s.scenario", "--scenario", "S@"],
    &["simulate", "lo@ok", "-n", "1"],
    &["odds", "look", "--chance", "winner r@ed"],
    &["explain", "unkn@own_card"],
    &["test", "s@.scenario"],
    &["fmt", "s@.scenario"],
    &["che@ck", "games"],
];

fn project(part: &str, from: &str, to: &str) -> Project {
    let text = |own: &str, text: &str| if part == own { text.replacen(from, to, 1) } else { text.to_owned() };
    Project::new()
        .file("games/look/look.game", text("game", GAME))
        .file("games/look/cards.yaml", text("cards", CARDS))
        .file("games/look/rules.rhai", text("rules", RULES))
        .file("s.scenario", text("scenario", SCENARIO))
}

#[test]
fn a_strange_character_is_named_wherever_a_name_is_not_found() {
    for strange in CHARACTERS {
        let point = format!("U+{:04X}", u32::from(strange));
        let with = |text: &str| text.replace('@', &strange.to_string());
        for (part, from, to, command) in PLACES {
            let ran = project(part, from, &with(to)).run(command);
            assert!(ran.code != 0 && ran.all().contains(&point), "{to} {point}: {}", ran.all());
        }
        for command in COMMANDS {
            let words: Vec<String> = command.iter().map(|word| with(word)).collect();
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let ran = project("", "", "").run(&words);
            assert!(ran.code != 0 && ran.all().contains(&point), "{command:?} {point}: {}", ran.all());
        }
    }
}

/// A text that a game has, and an expectation about it that fails, are no names.
#[test]
fn characters_of_texts_are_not_named() {
    let rules = "fn turn(me) { choose(me, \"say\", [\"a\u{202f}b\"]); }\n";
    let project = Project::new()
        .file("games/say/say.game", "game say \"Say\"\nplayers 2 ann ben\nrules \"rules.rhai\"\nask say TEXT\n")
        .file("games/say/rules.rhai", rules)
        .file("s.scenario", "use say\n\nscenario \"S\"\n  turn ann\n  ann say \"a\u{202f}b\"\n  expect asks ann say\n");
    let ran = project.run(&["test", "s.scenario"]);
    assert!(ran.code == 1 && !ran.all().contains("U+202F"), "{}", ran.all());
}

/// Players, pieces and properties with other letters than a to z have a name in rules, and messages say which.
#[test]
fn names_with_other_letters_have_a_way_into_rules() {
    let game = "game name \"Name\"\nplayers 2 åsa bob\nrules \"rules.rhai\"\nboard grid 3x3\npiece größe symbol G\n\
                flag müde for each player\nask go CELL\n";
    let rules = "fn turn(me) {\n    let one = players().find(|one| name(one) == \"åsa\");\n    if me == one { set(me, \"müde\", true); }\n    \
                 place(piece(\"größe\"), choose(me, \"go\", all_cells()));\n    if me[\"müde\"] { win(one); }\n    win(bob);\n}\n";
    let scenario = "use name\n\nscenario \"S\"\n  turn åsa\n  åsa go a1\n  expect winner åsa\n";
    let project = |rules: &str| {
        Project::new()
            .file("games/name/name.game", game)
            .file("games/name/rules.rhai", rules)
            .file("s.scenario", scenario)
    };
    assert_eq!(project(rules).run(&["test", "s.scenario"]).code, 0);
    for (wrong, right) in [
        ("if me == åsa {}", "players().find(|one| name(one) == \"åsa\")"),
        ("place(größe, cell(0, 0));", "piece(\"größe\")"),
        ("me.müde = true;", "[\"müde\"]"),
        ("let x_äu1 = 3;", "`x_äu1` is not a valid name"),
    ] {
        let ran = project(&rules.replacen("    let", &format!("    {wrong}\n    let"), 1)).run(&["check", "games"]);
        let said = ran.all().split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(ran.code == 3 && said.contains(right), "{wrong}: {}", ran.all());
    }
}
