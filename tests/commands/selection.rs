//! Selection of tests, and the number of threads.

use super::{FAILING, GOOD, INVALID, Project};

const TWO: &str = "\
use hop short

scenario \"The first\"
  turn red
  expect asks roll distance

scenario \"The second\"
  turn blue
  roll distance 1
  blue stop
  expect blue resting
  branch \"and then a walk\"
    roll distance 1
    red walk to b1
    expect red at b1

scenario \"A table\"
  turn red
  roll distance {points}
  expect asks red walk
  examples
    | points |
    | 1      |
    | 6      |
";

/// The titles of the tests that pass with these arguments, and the exit code.
fn passed(project: &Project, arguments: &[&str]) -> (Vec<String>, i32) {
    let ran = project.run(&[&["test", "--verbose"], arguments].concat());
    let names = ran.stdout.lines().filter_map(|line| line.strip_prefix("pass "));
    (names.map(|name| name.split_once(' ').unwrap().1.to_owned()).collect(), ran.code)
}

fn titles(list: &[&str]) -> (Vec<String>, i32) {
    (list.iter().map(|title| (*title).to_owned()).collect(), 0)
}

#[test]
fn a_title_chooses_tests() {
    let project = Project::hop().file("one.scenario", GOOD).file("two.scenario", TWO);
    let with = |title: &str| passed(&project, &[".", "--scenario", title]);
    assert_eq!(with("second"), titles(&["The second", "The second > and then a walk"]));
    assert_eq!(with("second > and"), titles(&["The second > and then a walk"]));
    assert_eq!(with("(row 2)"), titles(&["A table (row 2)"]));
    assert_eq!(with("two squares"), titles(&["A walk of two squares"]));
    // A file name is not part of the title: paths select files.
    assert_eq!(with("two.scenario"), (Vec::new(), 4));
}

#[test]
fn a_line_chooses_its_scenario_branch_or_row() {
    let project = Project::hop().file("two.scenario", TWO);
    let at = |line: usize| passed(&project, &[&format!("two.scenario:{line}")]);
    assert_eq!(at(3), titles(&["The first"]));
    assert_eq!(at(5), titles(&["The first"]));
    for line in [7, 9, 11] {
        assert_eq!(at(line), titles(&["The second", "The second > and then a walk"]), "{line}");
    }
    for line in [12, 15] {
        assert_eq!(at(line), titles(&["The second > and then a walk"]), "{line}");
    }
    for line in [17, 18, 21, 22] {
        assert_eq!(at(line), titles(&["A table (row 1)", "A table (row 2)"]), "{line}");
    }
    assert_eq!(at(23), titles(&["A table (row 1)"]));
    assert_eq!(at(24), titles(&["A table (row 2)"]));
    for line in [0, 1, 2, 6, 16, 25, 1000] {
        assert_eq!(at(line), (Vec::new(), 4), "{line}");
    }
    assert_eq!(passed(&project, &["two.scenario:5", "two.scenario:24"]), titles(&["The first", "A table (row 2)"]));
    assert_eq!(passed(&project, &["two.scenario:5", "two.scenario:1"]).1, 4);
    // A location in the format of messages.
    assert_eq!(passed(&project, &["two.scenario:5:3"]), titles(&["The first"]));
}

/// The selected line may be the one that cannot be read.
#[test]
fn a_line_of_a_file_with_mistakes_is_not_green() {
    let text = TWO.replace("  expect blue resting", "  expct blue resting");
    let project = Project::hop().file("two.scenario", text).file("none.scenario", "use hop short\nscenari \"x\"\n");
    for place in ["two.scenario:3", "two.scenario:11", "two.scenario:24", "none.scenario:2", "none.scenario:1"] {
        assert_eq!(project.run(&["test", place]).code, 3, "{place}");
    }
}

/// Two games, each with a scenario in the folder `scenarios` and one in its rulebook.
fn two_games() -> Project {
    let rules = |game: &str| {
        format!(
            "# Rules\n\n```scenario\nuse {game} short\n\nscenario \"Of the rulebook of {game}\"\n  turn red\n  expect asks roll distance\n```\n"
        )
    };
    let hop = Project::hop();
    let text = |name: &str| std::fs::read_to_string(hop.path().join("games/hop").join(name)).unwrap();
    let (game, script, book) = (text("hop.game"), text("rules.rhai"), text("RULES.md"));
    hop.file("games/hop/RULES.md", format!("{book}\n{}", rules("hop")))
        .file("games/skip/skip.game", game.replace("game hop", "game skip"))
        .file("games/skip/rules.rhai", script)
        .file("games/skip/RULES.md", format!("{book}\n{}", rules("skip")))
        .file("scenarios/hop.scenario", GOOD)
        .file("scenarios/skip.scenario", GOOD.replace("use hop", "use skip").replace("A walk", "A skip"))
}

#[test]
fn a_game_chooses_its_scenarios() {
    let project = two_games();
    let of = |arguments: &[&str]| passed(&project, arguments);
    let hop = titles(&["A walk of two squares", "Of the rulebook of hop"]);
    assert_eq!(of(&["hop"]), hop);
    assert_eq!(of(&["games/hop/hop.game"]), hop);
    assert_eq!(of(&["skip"]), titles(&["A skip of two squares", "Of the rulebook of skip"]));
    assert_eq!(of(&["hop", "skip"]), of(&[]));
    assert_eq!(of(&[]).0.len(), 4);
    // Bundled, and no scenario of it here.
    assert_eq!(of(&["pig"]), (Vec::new(), 4));
    assert_eq!(of(&["hop", "pig"]), (hop.0, 4));
    // An unreadable scenario may be one of the game.
    let project = project.file("scenarios/broken.scenario", "scenario \"Of which game?\"\n  turn red\n");
    assert_eq!(project.run(&["test", "hop"]).code, 3);
}

#[test]
fn an_empty_folder_points_to_a_first_game() {
    let ran = Project::new().run(&["test"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (4, ""));
    assert!(ran.stdout.contains("`referee new NAME`"), "{}", ran.stdout);
}

#[test]
fn games_are_listed() {
    let project = two_games()
        .file(
            "games/hop/house/free.rhai",
            "/// Free walks: a marker walks anywhere\n\nfn why_not(me, act) { \"no\" }\n",
        )
        .file("games/notes.txt", "x");
    let ran = project.run(&["games", "hop", "pig"]);
    insta::assert_snapshot!(ran.all());
    insta::assert_snapshot!(project.run(&["games", "hop", "--format", "json"]).all());
    let all = project.run(&["games"]);
    assert_eq!(all.code, 0, "{}", all.all());
    assert!(all.stdout.contains("\nskip  Hop\n") && !all.stdout.contains("notes"), "{}", all.stdout);
    let project = project.file("games/skip/skip.game", "game skip\nplayrs 2 a b\n");
    let all = project.run(&["games"]);
    assert_eq!(all.code, 3);
    assert!(all.stdout.contains("\npig  Pig") && all.stderr.contains("skip.game:2"), "{}", all.all());
}

#[test]
fn any_number_of_threads_says_the_same() {
    let mut project = Project::hop().file("broken.scenario", INVALID);
    for number in 0..12 {
        let text = if number % 3 == 0 { FAILING } else { TWO };
        project = project.file(&format!("folder{}/file{number}.scenario", number % 2), text);
    }
    for format in ["human", "json"] {
        let with = |jobs: &str| project.run(&["test", ".", "--verbose", "--format", format, "--jobs", jobs]);
        let alone = with("1");
        assert_eq!(alone.code, 3);
        assert_eq!(with("4"), alone);
        assert_eq!(with("64"), alone);
        assert_eq!(project.run(&["test", ".", "--verbose", "--format", format]), alone);
    }
}

#[test]
fn a_file_named_twice_runs_once() {
    let project = Project::hop().file("good.scenario", GOOD);
    let ran = project.run(&["test", "good.scenario", "good.scenario"]);
    assert!(ran.stdout.ends_with("1 passed, 0 failed\n"), "{}", ran.stdout);
}

#[test]
fn the_folder_scenarios_is_where_tests_are() {
    let project = Project::hop().file("scenarios/deep/down/good.scenario", GOOD).file("elsewhere.scenario", FAILING);
    let ran = project.run(&["test"]);
    assert_eq!(ran.code, 0, "{}", ran.all());
    assert!(ran.stdout.contains("ok   scenarios/deep/down/good.scenario"), "{}", ran.stdout);
}

#[test]
fn hidden_folders_are_left_out() {
    let project = Project::hop().file("all/.old/bad.scenario", FAILING).file("all/good.scenario", GOOD);
    assert_eq!(project.run(&["test", "all"]).code, 0);
}
