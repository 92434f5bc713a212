//! What `explore` shows satisfies everything that was given, and shows the hole.

use serde_json::Value;

use super::Project;

const DECLARED: &str = "game rush \"Rush\"\nplayers 2..3 red blue green\nrules \"rules.rhai\"\nrulebook \"RULES.md\"\n\
    board grid 4x4\npiece king for each player symbols r b g\npiece stone for each player symbols 1 2 3\ndie 1..6\n\
    option pace = slow | fast\nask step [to] CELL\nplace red at a1, blue at d4, red stone at b2, blue stone at c3\n";
const RULES: &str = r#"
fn setup() {
    if players().len() == 3 { place(king(green), cell_named("a4")); }
}
fn turn(me) {
    let far = roll();
    let free = around(cells(king(me))) - occupied();
    if free.is_empty() { clause("E1"); draw_game(); return; }
    place(king(me), choose(me, "step", free));
    if far == 6 && option("pace") == "slow" { throw "the king stumbles"; }
}
"#;
const KINGS: &str = "{ cells(king(red)).count() == 1 && cells(king(blue)).count() == 1 }";
const WIDE: &str = "{ all_cells().count() >= 9 }";

fn rush(rules: &str) -> Project {
    Project::new()
        .file("games/rush/rush.game", DECLARED)
        .file("games/rush/rules.rhai", rules)
        .file(
            "games/rush/RULES.md",
            "# Rush\n\n[E1] Who cannot move ends the game.\n\n[H1] A house rule: kings rest.\n",
        )
        .file(
            "games/rush/house/resting.rhai",
            "/// Kings rest\nprivate fn rest() { clause(\"H1\"); }\nfn turn(me) { rest(); }\n",
        )
}

/// Explores with these flags; returns the holes. Each is written to `found` and played again: it shows the hole and
/// nothing else.
fn holes(project: &Project, flags: &[&str]) -> Vec<Value> {
    let words =
        [&["explore", "rush", "--games", "40", "--max-turns", "100", "--format", "json", "--write", "found"], flags]
            .concat();
    let ran = project.run(&words);
    assert_eq!(ran.code, 1, "{}", ran.all());
    let found: Value = serde_json::from_str(&ran.stdout).unwrap();
    let holes = found["holes"].as_array().unwrap().clone();
    for hole in &holes {
        let file = hole["written"].as_str().unwrap();
        let again = project.run(&["test", file, "--format", "json"]);
        let again: Value = serde_json::from_str(&again.stdout).unwrap();
        let failures = again["tests"][0]["failures"].as_array().unwrap();
        assert_eq!(failures.len(), 1, "{again}\n{}", hole["scenario"].as_str().unwrap());
        std::fs::remove_file(project.path().join(file)).unwrap();
    }
    holes
}

fn text(hole: &Value) -> &str {
    hole["scenario"].as_str().unwrap()
}

#[test]
fn conditions_stay_while_a_scenario_shrinks() {
    let project = rush(RULES);
    // Without a condition, all that is not needed goes.
    let bare = holes(&project, &["--players", "2"]);
    let bare = bare.iter().find(|hole| text(hole).contains("stumbles")).unwrap();
    assert!(text(bare).contains("board 2x1"), "{}", text(bare));
    let kept = holes(&project, &["--players", "2", "--always", KINGS, "--always", WIDE]);
    let kept = text(kept.iter().find(|hole| text(hole).contains("stumbles")).unwrap());
    for line in [&format!("always {KINGS}"), &format!("always {WIDE}")] {
        assert!(kept.contains(line), "{kept}");
    }
    let rows: Vec<&str> = kept.lines().filter(|line| line.trim_start().starts_with('|')).collect();
    let has = |symbol: char| rows.iter().any(|row| row.contains(symbol));
    assert!(has('r') && has('b') && !has('1') && !has('2'), "{kept}");
    assert!(rows.iter().flat_map(|row| row.split_whitespace().skip(1)).count() >= 9, "{kept}");
}

#[test]
fn a_broken_condition_is_shown_where_all_others_hold() {
    let project = rush(&RULES.replace("throw \"the king stumbles\";", ""));
    let near = "{ (around(cells(king(blue))) & cells(king(red))).is_empty() }";
    let found = holes(&project, &["--players", "2", "--always", WIDE, "--always", near, "--always", KINGS]);
    let found = text(found.iter().find(|hole| hole["code"] == "referee::expectation_failed").unwrap());
    for line in [WIDE, near, KINGS] {
        assert!(found.contains(&format!("always {line}")), "{found}");
    }
}

#[test]
fn options_and_players_that_were_given_stay() {
    let rules = RULES.replace("&& option(\"pace\") == \"slow\"", "");
    let project = rush(&rules);
    let found = holes(&project, &["--with", "pace=fast", "--players", "3"]);
    let found = text(found.iter().find(|hole| text(hole).contains("stumbles")).unwrap());
    assert!(found.contains("with pace = fast") && found.contains("players red blue green"), "{found}");
}

#[test]
fn clauses_of_house_rules_that_are_not_in_play_give_no_hints() {
    let project = rush(RULES);
    let hints = |flags: &[&str]| project.run(&[&["explore", "rush", "--games", "5"][..], flags].concat()).stdout;
    assert!(!hints(&[]).contains("`H1`"), "{}", hints(&[]));
    assert!(hints(&[]).contains("`E1`"), "{}", hints(&[]));
}
