//! Which clause ended a game, and where: in `show`, `play`, `moves`, reports and `explore`.

use super::Project;

/// A race to three stones, in which a player may also give up, or offer a draw.
fn stones() -> Project {
    let game = "\
game stones \"Stones\"
players 2 red blue
rules \"rules.rhai\"
rulebook \"RULES.md\"

counter stones for each player = 0

ask take
ask stop
ask give up

event PLAYER takes
";
    let rulebook = "# Stones\n\n[S1] Take a stone.\n\n[E1] Three stones win.\n\n[E2] Who stops ends the game.\n";
    let rules = "\
fn turn(me) {
    let chosen = choose(me, \"take\", [may(\"take\"), may(\"stop\"), may(\"give\")]);
    if chosen.verb == \"take\" {
        clause(\"S1\");
        then(\"taken\", me);
    } else if chosen.verb == \"stop\" {
        clause(\"E2\");
        draw_game();
    } else {
        lose(me);
    }
}

fn taken(me) {
    me.stones += 1;
    event(\"takes\", me);
    if me.stones == 3 {
        clause(\"E1\");
        win(me);
    }
}

fn agreed() {
    draw_game();
}
";
    Project::new()
        .file("games/stones/stones.game", game)
        .file("games/stones/RULES.md", rulebook)
        .file("games/stones/rules.rhai", rules)
        .file(
            "games/stones/house/long.rhai",
            "/// Two stones are enough.\nfn taken(me) {\n    me.stones += 1;\n    if me.stones == 2 { win(me); }\n}\n",
        )
}

/// The lines that lead to each end, and how it is told.
const ENDS: [(&str, &str); 5] = [
    ("red take", "over: winner red (E1), games/stones/rules.rhai:19"),
    ("red stop", "over: draw (E2), games/stones/rules.rhai:8"),
    // The clause of an earlier turn did not end the game.
    ("red give up", "over: winner blue, games/stones/rules.rhai:10"),
    ("red take\n  blue stop", "over: winner red (E1), games/stones/rules.rhai:19"),
    ("agree draw", "over: draw, games/stones/rules.rhai:24"),
];

#[test]
fn every_end_is_told_with_its_clause_and_its_line() {
    for (lines, told) in ENDS {
        // What follows the end is not played.
        let lines = lines.split('\n').next().unwrap();
        let text =
            format!("use stones\n\nscenario \"An end\"\n  set red.stones 2\n  turn red\n  {lines}\n  expect over\n");
        let project = stones().file("a.scenario", &text);
        let (shown, moves) = (project.run(&["show", "a.scenario"]), project.run(&["moves", "a.scenario"]));
        assert_eq!(shown.stdout.lines().last().unwrap().trim(), told, "{shown:?}");
        assert_eq!(moves.stdout, format!("{told}\n"), "{moves:?}");
        let (clause, line) = (told.split_once('(').map(|(_, rest)| &rest[..2]), told.rsplit(':').next().unwrap());
        let ended = serde_json::json!({
            "clause": clause, "file": "games/stones/rules.rhai", "line": line.parse::<u32>().unwrap(),
        });
        let json = |arguments: &[&str]| -> serde_json::Value {
            serde_json::from_str(&project.run(&[arguments, &["--format", "json"]].concat()).stdout).unwrap()
        };
        let step = &json(&["show", "a.scenario"])["steps"][0];
        assert_eq!(step["ended"], ended, "{step}");
        // A field that was there before is as it was.
        assert_eq!(
            step["standing"],
            told.split([' ', ','])
                .next()
                .map(|over| {
                    let outcome = told[over.len()..].split([',', '(']).next().unwrap().trim();
                    format!("over: {outcome}")
                })
                .unwrap()
        );
        assert_eq!(json(&["moves", "a.scenario"])["ended"], ended);
    }
}

#[test]
fn a_house_rule_ends_the_game_on_its_own_line() {
    let text = "use stones\n\nscenario \"Two\"\n  with house \"long\"\n  set red.stones 1\n  turn red\n  red take\n";
    let project = stones().file("a.scenario", text);
    let shown = project.run(&["show", "a.scenario"]);
    // The clause is that of the turn, as in the statistics of `simulate`.
    assert!(shown.stdout.ends_with("over: winner red (S1), games/stones/house/long.rhai:4\n"), "{shown:?}");
}

#[test]
fn a_failure_after_the_end_says_what_ended_the_game() {
    let text =
        "use stones\n\nscenario \"Three\"\n  set red.stones 2\n  turn red\n  red take\n  expect asks blue take\n";
    let project = stones().file("a.scenario", text);
    let told = "the game is over: winner red (E1), games/stones/rules.rhai:19\n";
    let human = project.run(&["test", "a.scenario"]);
    assert!(human.stdout.contains(told), "{human:?}");
    let json: serde_json::Value =
        serde_json::from_str(&project.run(&["test", "a.scenario", "--format", "json"]).stdout).unwrap();
    assert_eq!(json["tests"][0]["failures"][0]["ended"]["clause"], "E1", "{json}");
    assert!(project.run(&["test", "a.scenario", "--report", "html=pages"]).code == 1);
    let page = std::fs::read_dir(project.path().join("pages")).unwrap();
    let pages: Vec<String> = page.filter_map(|file| std::fs::read_to_string(file.unwrap().path()).ok()).collect();
    let page = pages.iter().find(|page| page.contains("over: winner red (E1)")).unwrap();
    assert!(page.contains("The rules ended the game at <code>games/stones/rules.rhai:19</code>"), "{page}");
    assert!(page.contains(&format!("The game is over: {}", told.trim().split_once(": ").unwrap().1)), "{page}");
}

#[test]
fn a_snapshot_is_as_it_was() {
    let text = "use stones\n\nscenario \"Three\"\n  set red.stones 2\n  turn red\n  red take\n  expect snapshot\n";
    let project = stones().file("a.scenario", text);
    assert_eq!(project.run(&["test", "--accept", "a.scenario"]).code, 0);
    let kept = std::fs::read_to_string(project.path().join("a.scenario.snap")).unwrap();
    assert!(kept.contains("over: winner red\n"), "{kept}");
}

#[test]
fn a_player_at_the_table_is_told() {
    let played = stones().run_with(&["play", "stones"], "take\nstop\n");
    assert!(played.stdout.contains("over: draw (E2), games/stones/rules.rhai:8\n"), "{played:?}");
}

#[test]
fn two_ends_without_a_clause_are_two_holes_each_at_its_line() {
    let project = stones();
    let path = project.path().join("games/stones/rules.rhai");
    let rules = std::fs::read_to_string(&path).unwrap();
    let rules = rules.replace("        clause(\"E2\");\n", "").replace("lose(me)", "nobody_wins()");
    std::fs::write(&path, rules).unwrap();
    let ran = project.run(&["explore", "stones", "--games", "60"]);
    for at in ["games/stones/rules.rhai:7:9", "games/stones/rules.rhai:9:9"] {
        assert!(ran.stdout.contains(at), "{ran:?}");
    }
    assert!(ran.stdout.contains("\n2 holes, "), "{ran:?}");
}

/// Lines after `return` and the like, and cases that a `switch` has twice, are found by the check, and can be played.
#[test]
fn what_never_runs_is_found_by_the_check() {
    let rules = "fn turn(me) {
    let far = roll();
    switch far {
        1 | 2 => { me.stones += 2; }
        3 if me.stones > 2 => { me.stones += 3; }
        3 => { me.stones += 1; }
        2 => { me.stones += 4; }
        _ => {}
    }
    for n in 1..=3 { if n == far { break; me.stones += 1; } }
    win(me);
}
fn idle(far) { return far; far + 1 }
";
    let game = "game few \"Few\"\nplayers 2 red blue\nrules \"rules.rhai\"\ndie 1..6\ncounter stones for each player\n";
    let project = Project::new().file("games/few/few.game", game).file("games/few/rules.rhai", rules);
    let checked = project.run(&["check", "games/few"]);
    let found: Vec<&str> = checked.stdout.lines().filter(|line| line.contains("×") || line.contains("╭─[")).collect();
    assert_eq!(
        found,
        [
            "  × the case `2` is here twice, and the second is never chosen",
            "   ╭─[games/few/rules.rhai:7:9]",
            "  × this never runs: the round of the loop ends before it",
            "    ╭─[games/few/rules.rhai:10:36]",
            "  × this never runs: `return` leaves the function before it",
            "    ╭─[games/few/rules.rhai:13:16]",
        ]
    );
    let played =
        project.file("few.scenario", "use few\n\nscenario \"Two\"\n  turn red\n  roll 2\n  expect winner red\n");
    assert_eq!(played.run(&["test", "few.scenario"]).code, 0);
}
