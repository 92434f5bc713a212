//! `referee mutate`, on a game that is small enough to change by hand.

use super::{Project, Ran};

const GAME: &str = "\
game climb \"Climb\"
players 2 red blue
rules \"rules.rhai\"
rulebook \"RULES.md\"
die 1..6
counter height for each player = 0
";

const RULEBOOK: &str = "[C1] Throw, and climb as many steps.\n\n[C2] The first player above ten steps wins.\n";

const RULES: &str = "\
fn turn(me) {
    clause(\"C1\");
    me.height += roll();
    if me.height > 10 {
        clause(\"C2\");
        win(me);
    }
}
";

/// The top is never reached exactly.
const EXAMPLES: &str = "\
use climb

scenario \"A throw\"
  covers C1
  turn red
  roll 4
  expect red.height = 4
  expect turn blue

scenario \"The top\"
  covers C2
  set red.height 6
  turn red
  roll 5
  expect winner red
";

/// The scenario that is missing.
const EXACT: &str = "\nscenario \"Ten are not enough\"\n  set red.height 6\n  turn red\n  roll 4\n  expect not over\n";

fn climb(examples: &str) -> Project {
    rules(RULES, examples)
}

fn rules(rules: &str, examples: &str) -> Project {
    Project::new()
        .file("games/climb/climb.game", GAME)
        .file("games/climb/RULES.md", RULEBOOK)
        .file("games/climb/rules.rhai", rules)
        .file("scenarios/climb.scenario", examples)
}

fn mutate(project: &Project, more: &[&str]) -> Ran {
    project.run(&[&["mutate", "climb"], more].concat())
}

#[test]
fn what_no_example_notices_is_listed_under_its_clause() {
    let ran = mutate(&climb(EXAMPLES), &[]);
    assert_eq!(ran.code, 1, "{}", ran.all());
    // By hand: two calls of `clause`, `height += roll()`, the `if` and `win` can be removed (5); the condition negated,
    // `>` as `>=`, 11 instead of 10, `-=` instead of `+=` (4). The examples throw 4 and 11, so only `>=` is not noticed.
    insta::assert_snapshot!(ran.stdout, @r#"
    climb: 9 changes: 8 noticed, 1 not noticed

    C1: no example tells `>=` from `>` here
      games/climb/rules.rhai:4:18
      -     if me.height > 10 {
      +     if me.height >= 10 {
    "#);
}

#[test]
fn an_example_that_tells_the_difference_is_enough() {
    let ran = mutate(&climb(&format!("{EXAMPLES}{EXACT}")), &[]);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, "climb: 9 changes: 9 noticed, 0 not noticed\n"));
}

/// The machine does not load some constants for calls that it carries out itself. Others are read by expressions of
/// scenarios alone.
#[test]
fn constants_that_no_operation_reads_count() {
    let game = "game climb\nplayers 2 red blue\nrules \"rules.rhai\"\noption last = two | one | three\n\
                ask add NUMBER\ncounter sum = 0\n";
    let text = "const TOP = 9;\nfn turn(me) {\n    sum += choose(me, \"add\", [2, 3]);\n    \
                if option(\"last\") == \"two\" { sum += 10; }\n}\n";
    let scenario = "use climb\n\nscenario \"Two\"\n  turn red\n  red add 2\n  expect { game.sum < TOP + 10 }\n";
    let project = rules(&text.replace("sum", "game.sum"), scenario).file("games/climb/climb.game", game);
    let ran = mutate(&project, &["--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(json["summary"]["same"], 0, "{}", ran.all());
    for change in [r#""old":"3","new":"4""#, r#""old":"9","new":"10""#] {
        assert!(ran.stdout.contains(change), "{change}: {}", ran.all());
    }
}

#[test]
fn a_remark_explains_a_change_that_means_the_same() {
    let mark = |reason: &str| RULES.replace("> 10 {", &format!("> 10 {{ // equivalent:{reason}"));
    let ran = mutate(&rules(&mark(" nobody throws a ten"), EXAMPLES), &[]);
    assert_eq!(
        (ran.code, ran.stdout.as_str()),
        (0, "climb: 9 changes: 8 noticed, 0 not noticed, 1 marked as equivalent\n")
    );
    let ran = mutate(&rules(&mark(""), EXAMPLES), &[]);
    assert!(
        ran.code == 1 && ran.stdout.contains("rules.rhai:4: remove `equivalent`: the reason is missing\n"),
        "{}",
        ran.all()
    );
    let stale = RULES.replace("win(me);", "win(me); // equivalent: no");
    let ran = mutate(&rules(&stale, EXAMPLES), &[]);
    let told = "rules.rhai:6: remove `equivalent`: the examples notice every change of this line\n";
    assert!(ran.code == 1 && ran.stdout.ends_with(told), "{}", ran.all());
}

/// Twelve steps tell neither `>` from `>=` nor 10 from 11. The other changes of the line are noticed.
#[test]
fn a_remark_names_the_change_that_it_is_about() {
    let twelve = EXAMPLES.replace("  roll 5\n", "  roll 6\n");
    let run = |remark: &str| mutate(&rules(&RULES.replace("> 10 {", &format!("> 10 {{ // {remark}")), &twelve), &[]);
    let summary = |ran: &Ran| ran.stdout.lines().next().unwrap().to_owned();
    let unnamed = run("equivalent: so");
    assert_eq!((unnamed.code, summary(&unnamed).as_str()), (1, "climb: 9 changes: 7 noticed, 2 not noticed"));
    let told = "rules.rhai:4: name the changes that are meant, as in `equivalent >, 10: …`\n";
    assert!(unnamed.stdout.ends_with(told), "{}", unnamed.all());
    let one = run("equivalent >: so");
    let told = "climb: 9 changes: 7 noticed, 1 not noticed, 1 marked as equivalent";
    assert_eq!((one.code, summary(&one).as_str()), (1, told));
    assert!(one.stdout.contains("no example tells `11` from `10` here"), "{}", one.all());
    let both = run("equivalent >, 10: so");
    let told = "climb: 9 changes: 7 noticed, 0 not noticed, 2 marked as equivalent";
    assert_eq!((both.code, both.stdout.trim_end()), (0, told));
    let stale = run("equivalent >, 10, `me.height > 10`: so");
    let told = "rules.rhai:4: remove `me.height > 10` after `equivalent`: no change of it is left\n";
    assert!(stale.code == 1 && stale.stdout.ends_with(told), "{}", stale.all());
}

#[test]
fn rules_that_never_end_are_stopped() {
    let text = RULES.replace(
        "    clause(\"C1\");\n",
        "    clause(\"C1\");\n    let left = 3;\n    while left > 0 { left -= 1; }\n",
    );
    let ran = mutate(&rules(&text, EXAMPLES), &["--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert!(json["summary"]["too_long"].as_u64().unwrap() >= 1, "{}", ran.all());
}

#[test]
fn lines_that_no_example_runs_are_told_apart() {
    let text = format!("{RULES}fn why_not(me, action) {{ \"no\" }}\n");
    let ran = mutate(&rules(&text, EXAMPLES), &[]);
    assert!(ran.stdout.contains("no clause: no example runs this line\n  games/climb/rules.rhai:9:"), "{}", ran.all());
}

#[test]
fn a_line_marked_as_not_covered_needs_no_second_remark() {
    let text = format!("{RULES}fn why_not(me, action) {{\n    \"no\" // not covered: nothing is refused\n}}\n");
    let ran = mutate(&rules(&text, &format!("{EXAMPLES}{EXACT}")), &[]);
    assert_eq!(
        (ran.code, ran.stdout.as_str()),
        (0, "climb: 10 changes: 9 noticed, 0 not noticed, 1 marked as equivalent\n")
    );
}

#[test]
fn threads_shards_and_interruptions_change_nothing() {
    let project = climb(EXAMPLES);
    let whole = mutate(&project, &[]);
    assert_eq!(mutate(&project, &["--jobs", "1"]), whole);
    for shard in ["1/2", "2/2"] {
        let file = format!("part-{}", &shard[..1]);
        mutate(&project, &["--shard", shard, "--resume", &file]);
    }
    let together = mutate(&project, &["--resume", "part-1", "--resume", "part-2"]);
    assert_eq!(together, whole);
    // All results are in the first file now.
    assert_eq!(mutate(&project, &["--resume", "part-1"]), whole);
    let json = mutate(&project, &["--shard", "1/9", "--format", "json"]);
    assert!(json.stdout.contains("\"changes\":1,"), "{}", json.all());
    // Results for other scenarios count for nothing.
    let changed = project.file("scenarios/climb.scenario", format!("{EXAMPLES}{EXACT}"));
    assert!(mutate(&changed, &["--resume", "part-1"]).stdout.contains("9 noticed"));
}

/// A house rule with which throws count double, and ten steps more are needed.
const HOUSE: &str = "\
/// Double: throws count double
fn turn(me) {
    base_turn(me);
    me.height += 1 * 2;
}
const OPTIONS = #{ top: 20 };
";

#[test]
fn house_rules_are_changed_too() {
    let text = RULES.replace("> 10", "> option(\"top\")");
    let project = rules(&text, EXAMPLES)
        .file("games/climb/climb.game", format!("{GAME}option top = 10 in 1..99\n"))
        .file("games/climb/house/double.rhai", HOUSE);
    let house = |ran: &Ran| {
        let all = ran.stdout.lines().filter(|line| line.contains("house/double.rhai")).count();
        (all, ran.stdout.matches("no example runs this line\n  games/climb/house/double.rhai").count())
    };
    // By hand: two statements can be removed; `+=`, `*`, 1, 2 and 20 (5).
    assert_eq!(house(&mutate(&project, &[])), (7, 7));
    let played = format!(
        "{EXAMPLES}\nscenario \"Double\"\n  with house \"double\"\n  turn red\n  roll 4\n  expect red.height = 6\n"
    );
    let project = project.file("scenarios/climb.scenario", &played);
    // Nothing of 20 is seen at 6 steps.
    let ran = mutate(&project, &[]);
    assert_eq!(house(&ran), (1, 0), "{}", ran.all());
    assert!(ran.stdout.contains("  + const OPTIONS = #{ top: 21 };\n"), "{}", ran.all());
    let more = "\nscenario \"Twenty steps\"\n  with house \"double\"\n  expect { option(\"top\") == 20 }\n";
    let project = project.file("scenarios/climb.scenario", format!("{played}{more}"));
    assert_eq!(house(&mutate(&project, &[])), (0, 0));
}

#[test]
fn a_house_rule_with_an_error_is_reported() {
    let project = climb(EXAMPLES).file("games/climb/house/wrong.rhai", "/// Wrong\nfn turn(me) { nothing(); }\n");
    let ran = mutate(&project, &[]);
    assert!(ran.code == 3 && ran.stderr.contains("games/climb/house/wrong.rhai:2"), "{}", ran.all());
}

#[test]
fn wrong_arguments_are_refused() {
    let project = climb(EXAMPLES).file("other", "no results");
    for (more, code) in [
        (&["--shard", "0/2"][..], 2),
        (&["--shard", "3/2"], 2),
        (&["--shard", "2"], 2),
        (&["--resume", "other"], 3),
        (&["--paths", "nowhere"], 2),
    ] {
        assert_eq!(mutate(&project, more).code, code, "{more:?}");
    }
    assert_eq!(project.run(&["mutate", "climp"]).code, 2);
    let failing = climb(&EXAMPLES.replace("= 4", "= 5"));
    let ran = mutate(&failing, &[]);
    let told = "error: 1 of 2 tests do not pass by the rules as they are; `referee test` shows why\n";
    assert_eq!((ran.code, ran.stderr.as_str(), ran.stdout.as_str()), (1, told, ""));
}

/// Scenarios of another game say nothing about this one, whether they pass or not.
#[test]
fn scenarios_of_other_games_do_not_count() {
    let hop = "game hop\nplayers 1 solo\nrules \"rules.rhai\"\nask hop\n";
    let project = climb("")
        .file("games/hop/hop.game", hop)
        .file("games/hop/rules.rhai", "fn turn(me) { choose(me, \"hop\", [may(\"hop\")]); win(me); }\n")
        .file("other/hop.scenario", "use hop\n\nscenario \"Not so\"\n  turn solo\n  solo hop\n  expect not over\n");
    let ran = mutate(&project, &["--paths", "other"]);
    assert_eq!(ran.code, 4, "{}", ran.all());
    assert!(ran.stderr.contains("no scenario of the game `climb`"), "{}", ran.stderr);
}
