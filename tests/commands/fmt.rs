//! `referee fmt`: what it changes, that it changes nothing else, and files that cannot be formatted.

use std::path::{Path, PathBuf};

use insta::assert_snapshot;
use referee_format::format;
use referee_play::Random;

use super::Project;

const GAME: &str = "\
#  A race.
game   race \"Race\"
players 2 red   blue


rules \"rules.rhai\"   # the rules
rulebook \"RULES.md\" # and the rulebook
board grid 3x3
| r . .
      | . . .
  |  .  .   b
piece runner for each player symbols r b
ask walk CELL \"Walk on\"
ask rest \"Stay\"
event PLAYER walks from CELL to CELL, which is a long way of saying that it walks \"A runner walks\"
event PLAYER rests   \"It  stays\"
option pace = slow |  fast \"How fast\"
variant fast \"Fast\"
with pace = fast
";

const SCENARIO: &str = "

use   race
scenario \"Two  steps\"
covers R1   R2
\tturn red
# it walks
red   walk b1 # one step
  expect red at b1# even without a space
expect { count(|cell|   cell ==
      here) == 1 }
expect board
  | . r .
  | . red:R .
    # between
  | . . b
  expect events
> red  walks from a1 to b1
examples
  | a | long name|
  |1|\"a | b\" |
  # the end of the first
scenario \"Odds\"
    expect chance red at b1 = 1/2
    when red   walk b1
    at best for red
position \"corner\"
    board hex 2
    | . b
    | . W1 .
    | . .
";

#[test]
fn a_game_and_its_scenarios() {
    let project = Project::new().file("race.game", GAME).file("a.scenario", SCENARIO);
    let check = project.run(&["fmt", "--check"]);
    assert_eq!(check.code, 1);
    assert_eq!(std::fs::read_to_string(project.path().join("race.game")).unwrap(), GAME, "nothing is changed");
    assert_snapshot!("check", check.all());
    let ran = project.run(&["fmt"]);
    assert_snapshot!(ran.all(), @"
    formatted a.scenario
    formatted race.game
    2 files, 2 changed
    ──── exit code 0
    ");
    assert_eq!(ran.code, 0);
    let read = |name: &str| std::fs::read_to_string(project.path().join(name)).unwrap();
    assert_snapshot!("game", read("race.game"));
    assert_snapshot!("scenario", read("a.scenario"));
    assert_snapshot!(project.run(&["fmt", "--check", "."]).all(), @"
    2 files, all formatted
    ──── exit code 0
    ");
    assert_eq!(project.run(&["fmt", "--check", "."]).code, 0);
}

/// Blocks in quotes and lists keep their marks; other blocks and the text around them stay.
#[test]
fn blocks_of_markdown() {
    let text = "\
#  A  rulebook

```scenario
use  hop
scenario \"A\"
turn red
```

> A quote
>
> ```scenario
> scenario \"B\"
> turn   red
>
>
> roll  distance 2
> ```

- A list

  ```scenario
  scenario \"C\"
  turn red
  ```

```text
not   formatted
```
";
    let formatted = format("RULES.md", text).unwrap();
    assert_snapshot!(formatted);
    assert_eq!(format("RULES.md", &formatted).unwrap(), formatted);
}

#[test]
fn line_ends_of_windows_stay() {
    let formatted = format("a.scenario", "use  hop\r\nscenario \"A\"\r\nturn red\r\n").unwrap();
    assert_eq!(formatted, "use hop\r\n\r\nscenario \"A\"\r\n  turn red\r\n");
}

/// A file that cannot be read is reported and stays as it is; the others are formatted.
#[test]
fn wrong_files_stay_as_they_are() {
    let wrong = "use  hop\nscenario A\n  turn   red\n";
    let project = Project::new().file("a.scenario", wrong).file("b.scenario", "use  hop\n");
    let ran = project.run(&["fmt", "."]);
    assert_snapshot!(ran.all());
    assert_eq!(ran.code, 3);
    let read = |name: &str| std::fs::read_to_string(project.path().join(name)).unwrap();
    assert_eq!((read("a.scenario").as_str(), read("b.scenario").as_str()), (wrong, "use hop\n"));
    let missing = project.run(&["fmt", "c.scenario"]);
    assert_snapshot!(missing.all(), @"
    ──── standard error
    error: no such file or folder: `c.scenario`
    did you mean `a.scenario`?
    ──── exit code 2
    ");
    assert_eq!(missing.code, 2);
}

#[test]
fn standard_input() {
    let project = Project::new();
    let ran = project.run_with(&["fmt", "--stdin", "a.scenario"], "use  hop\n");
    assert_eq!((ran.stdout.as_str(), ran.code), ("use hop\n", 0));
    let ran = project.run_with(&["fmt", "--stdin", "a.scenario"], "usse  hop\nscenario A\n");
    assert_snapshot!(ran.all());
    assert_eq!((ran.stdout.as_str(), ran.code), ("", 3));
}

/// The game says who plays, and so which lines cannot be read.
#[test]
fn lines_that_begin_with_no_keyword_and_no_player_are_reported() {
    let wrong = "use hop short\nscenario \"A\"\n  turn   red\n  exxpect turn white\n";
    let project = Project::hop().file("a.scenario", wrong);
    let ran = project.run(&["fmt", "a.scenario"]);
    assert_snapshot!(ran.all());
    assert_eq!(ran.code, 3);
    assert_eq!(std::fs::read_to_string(project.path().join("a.scenario")).unwrap(), wrong);
    let ran = project.run_with(&["fmt", "--stdin", "b.scenario"], &wrong.replace("exxpect turn white", "rad  walk b2"));
    assert_snapshot!(ran.all());
    assert_eq!((ran.stdout.as_str(), ran.code), ("", 3));
}

#[test]
fn standard_input_can_be_checked_and_needs_a_kind() {
    let project = Project::new();
    let ran = project.run_with(&["fmt", "--check", "--stdin", "a.scenario"], "use  hop\n");
    assert_snapshot!(ran.all());
    assert_eq!(ran.code, 1);
    let ran = project.run_with(&["fmt", "--check", "--stdin", "a.scenario"], "use hop\n");
    assert_eq!((ran.stdout.as_str(), ran.code), ("", 0));
    assert_snapshot!(project.run_with(&["fmt", "--stdin", "a.txt"], "use  hop\n").all());
    assert_snapshot!(project.run(&["fmt", "nosuch"]).all());
}

/// An expression over several lines in a quote; a block whose lines do not begin alike is reported.
#[test]
fn blocks_in_quotes() {
    let quoted =
        "> ```scenario\n> use hop\n> scenario \"A\"\n>   expect { red.score\n>     == 0 }\n> turn   red\n> ```\n";
    let formatted =
        "> ```scenario\n> use hop\n>\n> scenario \"A\"\n>   expect { red.score\n>     == 0 }\n>   turn red\n> ```\n";
    assert_eq!(format("a.md", quoted).as_deref(), Ok(formatted));
    let unlike = "> ```scenario\n> use hop\n>\tscenario \"A\"\n> ```\n";
    let project = Project::new().file("a.md", unlike);
    assert_snapshot!(project.run(&["fmt", "a.md"]).all());
    assert_eq!(std::fs::read_to_string(project.path().join("a.md")).unwrap(), unlike);
}

#[test]
fn comments_and_cells_that_must_stay() {
    let empty = "use hop\n\nscenario \"A\"\n  # turn white\n\nscenario \"B\"\n  turn red\n";
    assert_eq!(format("a.scenario", empty).as_deref(), Ok(empty), "a comment in an empty scenario");
    let table = "use hop\n\nscenario \"A\"\n  examples\n    |n|#c\n";
    assert_eq!(format("a.scenario", table).as_deref(), Ok(&*table.replace("|n", "| n")), "`# c` would be a comment");
    let words = "use hop\n\nscenario \"A\"\n  roll stride   {n}   luck   {m}\n";
    assert_eq!(format("a.scenario", words).as_deref(), Ok("use hop\n\nscenario \"A\"\n  roll stride {n} luck {m}\n"));
}

/// A link stays a link, and what it leads to is formatted; a write-protected file stays as it is.
#[cfg(unix)]
#[test]
fn links_and_write_protected_files() {
    let project = Project::new().file("real.scenario", "use  hop\n").file("kept.scenario", "use  hop\n");
    let path = |name: &str| project.path().join(name);
    std::os::unix::fs::symlink("real.scenario", path("link.scenario")).unwrap();
    assert_eq!(project.run(&["fmt", "link.scenario"]).code, 0);
    assert!(std::fs::symlink_metadata(path("link.scenario")).unwrap().is_symlink());
    assert_eq!(std::fs::read_to_string(path("real.scenario")).unwrap(), "use hop\n");
    let mut rights = std::fs::metadata(path("kept.scenario")).unwrap().permissions();
    rights.set_readonly(true);
    std::fs::set_permissions(path("kept.scenario"), rights).unwrap();
    let ran = project.run(&["fmt", "kept.scenario"]);
    assert!(
        ran.code == 3 && ran.stdout.contains("cannot format kept.scenario: it is write-protected"),
        "{}",
        ran.all()
    );
    assert_eq!(std::fs::read_to_string(path("kept.scenario")).unwrap(), "use  hop\n");
}

/// All files of this repository that can be formatted.
fn shipped() -> Vec<(PathBuf, String)> {
    fn walk(folder: &Path, found: &mut Vec<(PathBuf, String)>) {
        let mut paths: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        for path in paths {
            let ending = path.extension().map(|ending| ending.to_string_lossy().into_owned());
            match ending.as_deref() {
                _ if path.is_dir() => walk(&path, found),
                Some("game" | "scenario" | "md") => {
                    let text = std::fs::read_to_string(&path).unwrap();
                    found.push((path, text));
                }
                _ => {}
            }
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    ["games", "scenarios", "templates", "docs"].iter().for_each(|folder| walk(&root.join(folder), &mut found));
    assert!(found.len() > 60);
    found
}

/// Returns a text of lines with other spaces between words, other indentation, and more blank lines.
fn disarranged(text: &str, random: &mut Random) -> String {
    let mut changed = String::new();
    let mut open = 0;
    for line in text.lines() {
        let words = line.trim_start();
        let is_comment = words.starts_with('#');
        let verbatim = open > 0 || words.contains(['{', '"']) || words.starts_with('|') || words.contains('#');
        open += words.matches('{').count();
        open -= words.matches('}').count().min(open);
        // A comment keeps its indentation, which says where it belongs.
        let indent = line.len() - words.len();
        let indent = if is_comment || open > 0 { indent } else { random.place(9) };
        changed.push_str(&" ".repeat(indent));
        if is_comment || verbatim {
            changed.push_str(words);
        } else {
            for letter in words.chars() {
                changed.push(letter);
                changed.push_str(if letter == ' ' { ["", " ", "   ", "\t"][random.place(4)] } else { "" });
            }
        }
        changed.push_str(["\n", "  \n"][random.place(2)]);
        if words.is_empty() {
            changed.push_str(["", "\n", "\n \n"][random.place(3)]);
        }
    }
    changed
}

/// Every shipped file is formatted; formatting it again changes nothing; and however its spaces are disarranged, it comes out
/// the same, so that nothing but spaces is ever changed.
#[test]
fn shipped_files_are_formatted_and_come_out_the_same_from_any_spaces() {
    let mut random = Random::of_game(1, 1);
    let mut tried = 0;
    for (path, text) in shipped() {
        let name = path.to_string_lossy();
        assert_eq!(format(&name, &text).as_ref(), Ok(&text), "{name}");
        if name.ends_with(".md") {
            continue;
        }
        for _ in 0..5 {
            let changed = disarranged(&text, &mut random);
            tried += usize::from(changed != text);
            assert_eq!(format(&name, &changed), Ok(text.clone()), "{name}:\n{changed}");
        }
    }
    assert!(tried > 200, "{tried}");
}

/// What the program writes itself is formatted.
fn written_files_are_formatted(commands: &[&[&str]]) {
    let project = Project::new();
    for arguments in commands {
        let ran = project.run(arguments);
        assert!(ran.code < 2, "{arguments:?}: {}", ran.all());
    }
    let ran = project.run(&["fmt", "--check", "."]);
    assert_eq!(ran.code, 0, "{}", ran.all());
}

#[test]
fn what_the_program_writes_is_formatted() {
    written_files_are_formatted(&[
        &["new", "mine"],
        &["simulate", "hex-squish", "--games", "1", "--max-plies", "10", "--record", "games-of-hexes"],
        &["simulate", "squish-board", "--games", "1", "--max-plies", "8", "--record", "games-of-blocks"],
        &["explore", "squirmish", "--game", "1", "--max-turns", "2", "--write", "holes"],
    ]);
}

#[test]
#[ignore = "whole games, and holes that are made small"]
fn what_the_program_writes_is_formatted_in_full() {
    written_files_are_formatted(&[
        &["new", "mine"],
        &["simulate", "hex-squish", "--games", "2", "--record", "games-of-hexes"],
        &["simulate", "squish-board", "--games", "1", "--max-plies", "30", "--record", "games-of-blocks"],
        &["simulate", "squish-blocks", "--games", "2", "--record", "games-of-cards"],
        &["simulate", "squirmish", "--games", "1", "--max-plies", "30", "--record", "games-of-fights"],
        &["explore", "squirmish", "--games", "2", "--max-turns", "9", "--write", "holes"],
    ]);
}

/// A character of two columns is as wide as two letters.
#[test]
fn wide_characters_take_two_columns() {
    let text = "use hop\n\nscenario \"{name}\"\n  turn {name}\n  examples\n    | name | n |\n    | 红红 | 1 |\n    | r | 10 |\n";
    let expected = "    | name | n  |\n    | 红红 | 1  |\n    | r    | 10 |\n";
    let formatted = format("a.scenario", text).unwrap();
    assert!(formatted.ends_with(expected), "{formatted}");
}

/// A column as wide as this cell would make every row too long to be read again.
#[test]
fn a_table_with_a_very_long_cell_stays_as_it_is() {
    let rows = "    | n |\n".repeat(3);
    let text =
        format!("use hop\n\nscenario \"{{n}}\"\n  turn {{n}}\n  examples\n{rows}    | {} | \n", "long".repeat(15_000));
    let formatted = format("a.scenario", &text).unwrap();
    assert!(formatted.contains("\n    | n |\n"), "{}", &formatted[..200]);
}
