//! The search order for games: `--games`, then the nearest `games/` above the scenario file, then the one above the
//! working folder, then the built-in games.

use super::Project;

/// A game with a marker at `cell` at the start; its title names the location of the game file.
fn game(title: &str, cell: &str) -> String {
    format!(
        "game tiny \"{title}\"\nplayers 1 red\nrules \"rules.rhai\"\nboard grid 3x3\ndie 1..2\npiece marker for each player symbols r\nvariant plain\n  place red at {cell}\n"
    )
}

const RULES: &str = "fn turn(me) { roll(); }\n";

fn scenario(cell: &str) -> String {
    format!("use tiny plain\n\nscenario \"Where red stands\"\n  turn red\n  expect red at {cell}\n")
}

fn with_game(project: Project, folder: &str, title: &str, cell: &str) -> Project {
    project
        .file(&format!("{folder}/tiny/tiny.game"), game(title, cell))
        .file(&format!("{folder}/tiny/rules.rhai"), RULES)
}

/// The tiny game in the four places outside the binary, the marker at another cell in each.
fn everywhere() -> Project {
    let project = with_game(Project::new(), "given", "given on the command line", "a1");
    let project = with_game(project, "project/near/games", "nearest above the scenario", "b1");
    let project = with_game(project, "project/games", "further above the scenario", "c1");
    with_game(project, "games", "above the working folder", "a2")
}

#[test]
fn the_folder_of_the_command_line_goes_first() {
    let project = everywhere().file("project/near/deep/where.scenario", scenario("a1"));
    let ran = project.run(&["test", "project", "--games", "given"]);
    assert_eq!(ran.code, 0, "{}", ran.all());
}

#[test]
fn then_the_nearest_above_the_scenario() {
    let project = everywhere()
        .file("project/near/deep/where.scenario", scenario("b1"))
        .file("project/where.scenario", scenario("c1"));
    let ran = project.run(&["test", "project"]);
    assert_eq!(ran.code, 0, "{}", ran.all());
}

#[test]
fn a_folder_without_the_game_is_passed_over() {
    let project = everywhere().folder("empty").file("project/near/where.scenario", scenario("b1"));
    let ran = project.run(&["test", "project", "--games", "empty"]);
    assert_eq!(ran.code, 0, "{}", ran.all());
}

#[test]
fn then_the_one_above_the_working_folder() {
    let elsewhere = Project::new().file("where.scenario", scenario("a2"));
    let file = elsewhere.path().join("where.scenario");
    let project = everywhere().folder("a/b");
    let mut command = project.command(&["test", &file.to_string_lossy()]);
    let output = command.current_dir(project.path().join("a/b")).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stdout));
}

#[test]
fn then_those_built_in() {
    let text = "use squish-board simple\n\nscenario \"The large block\"\n  turn red\n  expect large at e5\n";
    let ran = Project::new().file("built-in.scenario", text).run(&["test", "built-in.scenario"]);
    assert_eq!(ran.code, 0, "{}", ran.all());
}

#[test]
fn a_game_of_ones_own_hides_the_one_built_in() {
    let own = game("My own", "c3").replace("game tiny", "game squish-board");
    let project = Project::new()
        .file("games/squish-board/squish-board.game", own)
        .file("games/squish-board/rules.rhai", RULES)
        .file("own.scenario", scenario("c3").replace("tiny", "squish-board"));
    let ran = project.run(&["test", "own.scenario"]);
    assert_eq!(ran.code, 0, "{}", ran.all());
}

#[test]
fn one_run_plays_games_of_the_same_name_apart() {
    let project = with_game(Project::new(), "one/games", "One", "a1").file("one/where.scenario", scenario("a1"));
    let project = with_game(project, "two/games", "Two", "c3").file("two/where.scenario", scenario("c3"));
    for jobs in ["1", "2"] {
        let ran = project.run(&["test", ".", "--jobs", jobs]);
        assert_eq!(ran.code, 0, "{}", ran.all());
    }
}

#[test]
fn a_game_that_is_nowhere_is_an_error_that_lists_the_others() {
    let text = "use squishboard simple\n\nscenario \"Nowhere\"\n  turn red\n";
    let ran = Project::new().file("lost.scenario", text).run(&["test", "lost.scenario"]);
    assert_eq!(ran.code, 3);
    assert!(ran.stdout.contains("unknown game `squishboard`"), "{}", ran.stdout);
    assert!(ran.stdout.contains("did you mean `squish-board`?"), "{}", ran.stdout);
}

/// A project inside a project: the folder further up holds other rules.
#[test]
fn a_name_means_the_game_of_the_working_folder() {
    let project = with_game(Project::new(), "games", "outer", "a1");
    let project = with_game(project, "inner/games", "inner", "b1");
    let project = project.folder("inner/deep");
    for folder in ["inner", "inner/deep"] {
        for (command, said) in [("games tiny", "inner"), ("show tiny", "1  . r ."), ("moves tiny", "roll")] {
            let words: Vec<&str> = command.split(' ').collect();
            let output = project.command(&words).current_dir(project.path().join(folder)).output().unwrap();
            let text = String::from_utf8(output.stdout).unwrap();
            assert!(output.status.success() && text.contains(said) && !text.contains("outer"), "{folder}: {text}");
        }
    }
}

/// A path with `..` leads up as well.
#[test]
fn a_file_beside_the_working_folder_uses_the_games_beside_it() {
    let project = with_game(Project::new(), "games", "outer", "a1");
    let project = with_game(project, "work/games", "of the working folder", "b1");
    let project = project.file("other/where.scenario", scenario("a1"));
    let mut command = project.command(&["test", "../other/where.scenario"]);
    let output = command.current_dir(project.path().join("work")).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

/// Renaming the folder must not bring back the bundled game of this name.
#[test]
fn a_game_in_a_folder_of_another_name_is_reported() {
    let game = game("Mine", "a1").replace("game tiny", "game pig");
    let project = Project::new().file("games/pigs/pig.game", game).file("games/pigs/rules.rhai", RULES);
    let project = project.file("one.scenario", "use pig\n\nscenario \"One\"\n  turn ann\n  roll 1\n");
    let said = "the game is named `pig`, but its folder `pigs`";
    for command in ["check", "test", "test one.scenario", "check one.scenario", "games pig", "perft pig"] {
        let ran = project.run(&command.split(' ').collect::<Vec<_>>());
        assert_eq!(ran.code, 3, "{command}: {}", ran.all());
        assert!(ran.all().contains(said) && ran.all().contains("rename the folder to `pig`"), "{}", ran.all());
    }
}

#[test]
fn a_folder_of_games_has_one_game_a_folder() {
    let rules = |project: Project| project.file("games/tiny/rules.rhai", RULES);
    let named = |file: &str, line: &str| {
        let text = game("Mine", "a1").replace("game tiny", &format!("game {line}"));
        rules(Project::new()).file(&format!("games/tiny/{file}.game"), text)
    };
    let copy = with_game(named("copy", "tiny"), "games", "First", "a1");
    let reported = [
        (named("other", "other"), "rename the folder to `other`"),
        (named("other", "tiny"), "rename the file to `tiny.game`"),
        (named("other", "third"), "write `game tiny`, and rename the file to `tiny.game`"),
        (copy, "remove this file, or write `game copy` and move it"),
    ];
    for (project, help) in reported {
        for command in ["check", "test"] {
            let ran = project.run(&[command]);
            let all = ran.all().split_whitespace().collect::<Vec<_>>().join(" ");
            assert_eq!(ran.code, 3, "{command}: {all}");
            assert!(all.contains("referee::wrong_id") && all.contains(help), "{command}: {all}");
        }
    }
}

#[test]
fn an_unknown_game_gets_the_names_of_games_and_not_of_folders() {
    let project =
        with_game(Project::new(), "games", "Mine", "a1").file("games/notes/a.txt", "").file("games/b.txt", "");
    let project = project.file("one.scenario", "use zzzzzz\n\nscenario \"One\"\n  turn red\n");
    let ran = project.run(&["check", "one.scenario"]);
    assert!(ran.all().contains("the games are") && !ran.all().contains("notes"), "{}", ran.all());
    assert!(!ran.all().contains("b.txt"), "{}", ran.all());
}

#[test]
fn a_game_in_another_folder_is_told_with_its_place() {
    let project = with_game(Project::new(), "mine", "in no folder `games`", "a1")
        .file("mine/tiny/scenarios/where.scenario", scenario("a1"));
    let ran = project.run(&["test", "mine/tiny/scenarios/where.scenario"]);
    let help = "it is in `mine/tiny`, but only folders `games` are searched: move it to `games/tiny`";
    let said = ran.all().split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(ran.code != 0 && said.contains(help), "{said}");
    let ran = project.run(&["test", "mine/tiny/scenarios/where.scenario", "--games", "mine"]);
    assert_eq!(ran.code, 0, "{}", ran.all());
}
