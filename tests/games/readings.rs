//! The rulebooks in `games` carry what `referee readings` finds in their own examples.

use std::fs;
use std::path::Path;

use crate::program::referee;

/// The lines around the table in a rulebook.
const MARKS: [&str; 2] =
    ["<!-- written by `referee readings GAME --format markdown` -->\n\n", "\n<!-- end of the readings -->\n"];

/// Whether tables are to be written instead of compared.
fn writing() -> bool {
    std::env::var_os("REFEREE_WRITE").is_some_and(|value| !value.is_empty())
}

/// Returns how many of the `wanted` games carry readings.
fn rulebooks_carry_readings(wanted: impl Fn(&str) -> bool) -> usize {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (mut carried, mut wrong) = (0, Vec::new());
    for folder in fs::read_dir(root.join("games")).unwrap() {
        let folder = folder.unwrap().path();
        let game = folder.file_name().unwrap().to_string_lossy().into_owned();
        let declared = fs::read_to_string(folder.join(format!("{game}.game"))).unwrap();
        if !wanted(&game) {
            continue;
        }
        if !declared.contains("\noption ") && !folder.join("house").exists() {
            continue;
        }
        carried += 1;
        let mut command = referee();
        let output = command.args(["readings", &game, "--format", "markdown"]).current_dir(root).output().unwrap();
        // 4: no scenario of the game cites the rulebook.
        assert!(matches!(output.status.code(), Some(0 | 4)), "{game}: {}", String::from_utf8_lossy(&output.stderr));
        let found = String::from_utf8(output.stdout).unwrap();
        let page = folder.join("RULES.md");
        let text = fs::read_to_string(&page).unwrap();
        let parts = text.split_once(MARKS[0]).and_then(|(before, rest)| Some((before, rest.split_once(MARKS[1])?)));
        let parts = parts.ok_or_else(|| format!("games/{game}/RULES.md has no table of readings"));
        let (before, (table, after)) = parts.unwrap();
        if table != found && writing() {
            fs::write(&page, [before, MARKS[0], &found, MARKS[1], after].concat()).unwrap();
        } else if table != found {
            wrong.push(format!("games/{game}/RULES.md: its readings are now\n{found}"));
        }
    }
    assert!(wrong.is_empty(), "{}\nwrite them with REFEREE_WRITE=1", wrong.join("\n"));
    carried
}

/// Games whose examples take long.
const LARGE: [&str; 4] = ["hex-squish", "squirmish", "squish-blocks", "squish-board"];

#[test]
fn rulebooks_carry_the_readings_that_their_examples_allow() {
    let carried = rulebooks_carry_readings(|game| writing() || !LARGE.contains(&game));
    assert_eq!(carried, if writing() { 18 } else { 14 });
}

#[test]
#[ignore = "runs the examples of all games by each reading"]
fn rulebooks_carry_the_readings_that_their_examples_allow_in_full() {
    assert_eq!(rulebooks_carry_readings(|_| true), 18);
}
