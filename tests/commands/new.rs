//! New games: the created files pass, can be played, checked and filled in; existing files are never overwritten.

use std::fs;

use super::Project;

/// The kinds of games, and how to fill in the example: the words in capitals and their replacements.
const KINDS: [(&str, &[(&str, &str)]); 4] = [
    ("grid", &[("CELL-CELL", "a1-a2"), ("PLAYER", "white")]),
    (
        "hex",
        &[("CELL, white at CELL, white at CELL", "d1, white at d2, white at d3"), ("CELL", "d4"), ("PLAYER", "white")],
    ),
    (
        "track",
        &[
            ("red at NUMBER, blue at NUMBER, green at NUMBER", "red at 1, blue at 6, green at 3"),
            ("roll NUMBER", "roll 3"),
            ("turn PLAYER", "turn green"),
            ("PLAYER run", "green run"),
            ("PLAYER", "blue"),
        ],
    ),
    (
        "cards",
        &[
            ("NUMBER", "1"),
            ("hand ann: CARD", "hand ann: mouse"),
            ("stack: CARD", "stack: bear"),
            ("CARD", "mouse"),
            ("PLAYER", "ann"),
        ],
    ),
];

/// All files of a project with their texts, sorted.
fn files(project: &Project) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut folders = vec![project.path().to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(project.path()).unwrap().to_string_lossy().into_owned();
                found.push((name, fs::read_to_string(&path).unwrap()));
            }
        }
    }
    found.sort();
    found
}

#[test]
fn each_kind_passes_checks_and_plays() {
    let mut said = String::new();
    for (kind, _) in KINDS {
        let project = Project::new();
        let ran = project.run(&["new", "goat-path", "--kind", kind]);
        assert_eq!(ran.code, 0, "{}", ran.all());
        said.push_str(&format!("$ referee new goat-path --kind {kind}\n{}\n", ran.stdout));
        for (name, text) in files(&project) {
            assert!(!name.contains("my-game") && !text.contains("my-game") && !text.contains("My game"), "{name}");
            assert!(text.ends_with('\n') && !text.contains("\n\n\n"), "{name}");
        }
        let test = project.run(&["test"]);
        assert_eq!(test.code, 0, "{kind}: {}", test.all());
        let passed: usize = test.stdout.lines().last().unwrap().split(' ').next().unwrap().parse().unwrap();
        assert!(passed >= 2, "{kind}: {}", test.all());
        assert_eq!(project.run(&["check", "games", "scenarios"]).code, 0, "{kind}");
        let games = project.run(&["simulate", "goat-path", "-n", "20"]);
        assert_eq!(games.code, 0, "{kind}: {}", games.all());
        assert!(games.stdout.starts_with("Goat path: games 1 to 20"), "{kind}: {}", games.stdout);
        // Every clause of the rulebook is one that the rules apply, and a wrong example does not pass.
        let rules = fs::read_to_string(project.path().join("games/goat-path/rules.rhai")).unwrap();
        let rulebook = fs::read_to_string(project.path().join("games/goat-path/RULES.md")).unwrap();
        let clauses = rulebook.lines().filter_map(|line| line.strip_prefix('[')?.split(']').next());
        for clause in clauses {
            assert!(rules.contains(&format!("clause(\"{clause}\")")), "{kind}: {clause}");
        }
        fs::write(project.path().join("games/goat-path/rules.rhai"), rules.replacen("win(me)", "lose(me)", 9)).unwrap();
        assert_eq!(project.run(&["test"]).code, 1, "{kind}");
    }
    insta::assert_snapshot!(said.trim_end());
}

#[test]
fn the_example_to_fill_in_passes_once_it_is_filled_in() {
    for (kind, values) in KINDS {
        let project = Project::new();
        project.run(&["new", "first", "--kind", kind]);
        let path = project.path().join("scenarios/first/yours.scenario");
        let text = fs::read_to_string(&path).unwrap();
        let (head, lines) = text.split_once("\n\n").unwrap();
        let lines: String =
            lines.lines().map(|line| format!("{}\n", line.trim_start_matches('#').trim_start_matches(' '))).collect();
        let filled = values.iter().fold(lines, |text, (blank, value)| text.replace(blank, value));
        fs::write(&path, format!("{head}\n\n{filled}")).unwrap();
        let ran = project.run(&["test", "scenarios/first/yours.scenario"]);
        assert_eq!((ran.code, ran.stdout.lines().last()), (0, Some("1 passed, 0 failed")), "{kind}: {}", ran.all());
    }
}

#[test]
fn nothing_is_written_over_and_nothing_by_halves() {
    for taken in ["games/hut/hut.game", "scenarios/hut/a.scenario", "games/hut", "scenarios"] {
        let project = Project::new().file(taken, "mine\n");
        let before = files(&project);
        let ran = project.run(&["new", "hut"]);
        assert_eq!(ran.code, 2, "{taken}: {}", ran.all());
        assert!(ran.stdout.is_empty() && ran.stderr.contains("nothing was written"), "{taken}: {}", ran.all());
        assert_eq!(files(&project), before, "{taken}");
    }
    let project = Project::new();
    project.run(&["new", "hut"]);
    let before = files(&project);
    assert_eq!(project.run(&["new", "hut", "--kind", "cards"]).code, 2);
    assert_eq!(files(&project), before);
    assert_eq!(project.run(&["new", "shed", "--kind", "hexes"]).code, 0);
    assert_eq!(project.run(&["test"]).code, 0);
}

#[test]
fn names_that_no_game_can_have() {
    let project = Project::new();
    let names =
        ["Goat Path", "../goats", "7up", "breakthrough", "expect", "games", "", "-", "höhle", "a-", "goat_path"];
    let mut said = String::new();
    for name in names {
        let ran = project.run(&["new", "--", name]);
        said.push_str(&format!("$ referee new \"{name}\"\n{}\n\n", ran.all()));
    }
    assert!(files(&project).is_empty());
    insta::assert_snapshot!(said.trim_end());
}

/// The words of the last line that begin with a number of tests that passed.
fn passed(ran: &super::Ran) -> String {
    ran.stdout.lines().last().unwrap_or_default().to_owned()
}

/// The bundled games that are `wanted` are copied; of those in `changed`, the copies are also played with broken rules.
fn bundled_games_are_copied(wanted: impl Fn(&str) -> bool, changed: &[&str]) {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let games =
        fs::read_dir(root.join("games")).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    for game in games.filter(|game| wanted(game)) {
        let project = Project::new();
        let ran = project.run(&["new", "goat-path", "--from", &game]);
        assert_eq!(ran.code, 0, "{game}: {}", ran.all());
        let checked = project.run(&["check", "games", "scenarios"]);
        assert_eq!(checked.code, 0, "{game}: {}", checked.all());
        for (name, text) in files(&project) {
            assert!(!text.contains(&format!("use {game}")) && !name.contains(&game), "{name} of {game}");
        }
        if !changed.contains(&game.as_str()) {
            continue;
        }
        // The tests play the copy, not the bundled game: all pass, and none passes with broken rules.
        let rules = project.path().join("games/goat-path/rules.rhai");
        let own = project.run(&["test", "goat-path"]);
        let bundled = crate::program::referee().current_dir(root).args(["test", game.as_str()]).output().unwrap();
        let bundled = String::from_utf8(bundled.stdout).unwrap();
        assert_eq!((own.code, passed(&own).as_str()), (0, bundled.lines().last().unwrap()), "{game}");
        fs::write(&rules, fs::read_to_string(&rules).unwrap().replace("win(", "lose(")).unwrap();
        assert_eq!(project.run(&["test", "goat-path"]).code, 1, "{game}");
    }
}

#[test]
fn a_bundled_game_is_copied_with_its_examples() {
    bundled_games_are_copied(|game| ["pig", "evil-squash"].contains(&game), &["pig"]);
}

#[test]
#[ignore = "checks all examples of every game"]
fn a_bundled_game_is_copied_with_its_examples_in_full() {
    bundled_games_are_copied(|_| true, &["pig", "squirmish"]);
}

#[test]
fn only_bundled_games_are_copied() {
    let project = Project::new();
    let mut said = String::new();
    for arguments in [["--from", "squirmsh"], ["--from", "../pig"], ["--from", ""]] {
        let ran = project.run(&[["new", "hut"].as_slice(), &arguments].concat());
        said.push_str(&format!("$ referee new hut {}\n{}\n\n", arguments.join(" "), ran.all()));
    }
    let both = project.run(&["new", "hut", "--from", "pig", "--kind", "hex"]);
    assert_eq!(both.code, 2, "{}", both.all());
    assert!(files(&project).is_empty());
    insta::assert_snapshot!(said.trim_end());
}
