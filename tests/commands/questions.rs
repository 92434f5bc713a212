//! Questions about all play: lines of play that are written, results as JSON, threads.

use super::Project;

/// Three questions whose lines of play are known.
const ASKED: &str = "\
use hop short

scenario \"What may happen\"
  with goal = {goal}
  turn red
  expect reachable red.score = {goal} within 1 turn
  expect never winner blue within 1 turn
  roll distance 1
  expect never red resting within 1 turn
  examples
    | goal |
    | 1    |
    | 2    |
";

fn asked() -> Project {
    Project::hop().file("a.scenario", ASKED)
}

fn files(project: &Project, folder: &str) -> Vec<String> {
    let entries = std::fs::read_dir(project.path().join(folder)).unwrap();
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn lines_of_play_are_written_and_replay() {
    let project = asked();
    let ran = project.run(&["test", "a.scenario", "--write", "found"]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    let names: Vec<String> = [("6", "1"), ("6", "2"), ("9", "1"), ("9", "2")]
        .map(|(line, row)| format!("a-line-{line}-row-{row}.scenario"))
        .into();
    assert_eq!(files(&project, "found"), names);
    let replayed = project.run(&["test", "found"]);
    assert_eq!((replayed.code, replayed.stderr.as_str()), (0, ""), "{}", replayed.stdout);
    assert!(replayed.stdout.ends_with("4 passed, 0 failed\n"), "{}", replayed.stdout);
    // Two walks take two squares, so a shortest line has a throw and two walks.
    let two = std::fs::read_to_string(project.path().join("found/a-line-6-row-2.scenario")).unwrap();
    assert!(two.contains("  with goal = 2\n") && two.matches("red walk").count() == 2, "{two}");
    assert!(two.ends_with("  expect red.score = 2\n"), "{two}");
}

#[test]
fn nothing_is_written_over_another_file() {
    let project = asked().file("found/a-line-9-row-1.scenario", "# mine\n");
    let ran = project.run(&["test", "a.scenario", "--write", "found"]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("a-line-9-row-1.scenario exists already with other content"), "{}", ran.stderr);
    assert_eq!(files(&project, "found"), ["a-line-9-row-1.scenario"]);
    std::fs::remove_file(project.path().join("found/a-line-9-row-1.scenario")).unwrap();
    let again = || project.run(&["test", "a.scenario", "--write", "found"]).code;
    assert_eq!((again(), again()), (1, 1));
}

#[test]
fn json_has_the_answers() {
    let ran = asked().run(&["test", "a.scenario", "--format", "json"]);
    let read: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    let test = &read["tests"][0];
    let questions = test["questions"].as_array().unwrap();
    let verdicts: Vec<&str> = questions.iter().map(|question| question["verdict"].as_str().unwrap()).collect();
    assert_eq!(verdicts, ["holds", "holds", "fails"]);
    assert_eq!(questions[0]["question"], "reachable red.score = 1 within 1 turn");
    assert_eq!((&questions[0]["line"], &questions[2]["line"]), (&6.into(), &9.into()));
    assert!(
        questions.iter().all(|question| question["states"].as_u64() > Some(0) && question["bytes"].as_u64() > Some(32))
    );
    assert!(questions[1]["witness"].is_null());
    assert!(
        questions[2]["witness"].as_str().unwrap().ends_with("  roll distance 1\n  red stop\n  expect red resting\n")
    );
    assert_eq!(test["failures"][0]["code"], "referee::expectation_failed");
}

#[test]
fn any_number_of_threads_gives_the_same_answer_and_the_same_line_of_play() {
    let text = "use hop short\n\nscenario \"A long way\"\n  turn red\n  expect never { red.score + blue.score > 4 } up to 3000 states\n";
    let project = Project::hop().file("a.scenario", text);
    let ran = |jobs: &str| project.run(&["test", "a.scenario", "--jobs", jobs, "-v"]);
    let one = ran("1");
    assert_eq!(one.code, 1, "{}", one.stderr);
    assert_eq!(ran("3"), one);
}

/// Two players write down a number at once; every combination is an answer.
#[test]
fn decisions_made_at_once_are_combined() {
    let game = "game weigh\nplayers 2 red blue\nrules \"rules.rhai\"\nboard grid 1x1\nask weigh NUMBER\n";
    let rules = "fn turn(me) {
    let all = choose_all(players(), \"weigh\", |player| 1..=3);
    if all[0] == 3 && all[1] == 2 { win(players()[1]); }
    draw_game();
}
";
    let text = "use weigh\n\nscenario \"All at once\"\n  turn red\n  expect reachable winner blue\n  expect never winner red\n";
    let project = Project::new()
        .file("games/weigh/weigh.game", game)
        .file("games/weigh/rules.rhai", rules)
        .file("a.scenario", text);
    let ran = project.run(&["test", "a.scenario", "-v", "--write", "found"]);
    assert_eq!(ran.code, 0, "{}", ran.stdout);
    // The question, a draw, and the win.
    assert!(ran.stdout.contains("never winner red: holds, 3 states"), "{}", ran.stdout);
    let found = std::fs::read_to_string(project.path().join("found/a-line-5.scenario")).unwrap();
    assert!(found.contains("  red weigh 3\n  blue weigh 2\n  expect winner blue\n"), "{found}");
    assert_eq!(project.run(&["test", "found"]).code, 0);
}

/// A position that play only passes between two asks is shown before the last answer.
#[test]
fn what_is_so_only_between_two_asks_is_shown_too() {
    let game = "game pass\nplayers 2 red blue\nrules \"rules.rhai\"\nboard grid 1x1\ncounter n\nask go\n";
    let rules = "fn turn(me) { game.n = 0; choose(me, \"go\", [may(\"go\")]); game.n = 7; }\n";
    let text = "use pass\n\nscenario \"Passing\"\n  turn red\n  expect reachable game.n = 7\n  expect cycle\n";
    let project =
        Project::new().file("games/pass/pass.game", game).file("games/pass/rules.rhai", rules).file("a.scenario", text);
    assert_eq!(project.run(&["test", "a.scenario", "--write", "found"]).code, 0);
    let found = std::fs::read_to_string(project.path().join("found/a-line-5.scenario")).unwrap();
    assert!(found.contains("  turn red\n  expect reachable game.n = 7 within 1 turn\n  red go\n"), "{found}");
    assert_eq!(project.run(&["test", "found"]).code, 0);
}

/// Rules that stop with an error on some line of play: no question is answered, and the line is shown.
#[test]
fn an_error_of_the_rules_is_shown_with_the_line_of_play_to_it() {
    let rules = "fn turn(me) { if me == blue { let far = roll(\"distance\"); place(marker(me), cell_named(\"a\" + (far + 8))); } roll(\"luck\"); }\n";
    let project = Project::hop()
        .file("games/hop/rules.rhai", format!("{rules}fn why_not(me, act) {{ clause(\"R1\"); clause(\"R2\"); }}\n"))
        .file("a.scenario", "use hop short\n\nscenario \"An error\"\n  turn red\n  expect never red resting\n")
        .file(
            "b.scenario",
            "use hop short\n\nscenario \"An error\"\n  turn red\n  expect chance over = 1 within 2 turns\n",
        )
        .file(
            "c.scenario",
            "use hop short\n\nscenario \"An error\"\n  turn red\n  expect never { 1 / (red.score - red.score) == 1 }\n",
        );
    let ran = project.run(&["test", "a.scenario"]);
    assert_eq!(ran.code, 3, "{}", ran.stdout);
    assert!(ran.stdout.contains("# Here the rules stop with an error"), "{}", ran.stdout);
    assert!(ran.stdout.contains("scenario \"A line of play to an error of the rules\""), "{}", ran.stdout);
    let ran = project.run(&["test", "b.scenario"]);
    assert!(ran.code == 3 && ran.stdout.contains("0 passed, 0 failed, 1 errored"), "{}", ran.stdout);
    // The rules are not to blame for the condition.
    let ran = project.run(&["test", "c.scenario"]);
    assert_eq!(ran.code, 1, "{}", ran.stdout);
    assert!(!ran.stdout.contains("error of the rules"), "{}", ran.stdout);
}

/// A pile of six, of which one or two are taken in a turn: three turns are enough, and six are possible.
#[test]
fn every_line_ends_counts_the_longest_line() {
    let game = "game pile\nplayers 1 solo\nrules \"rules.rhai\"\ncounter left = 6\nask take NUMBER\n";
    let rules = "fn turn(me) {
    game.left -= choose(me, \"take\", 1..=min(2, game.left));
    if game.left == 0 { win(me); }
}
";
    for (turns, ends) in [(2, false), (3, false), (5, false), (6, true), (7, true)] {
        let text = format!(
            "use pile\n\nscenario \"A pile\"\n  turn solo\n  expect every line ends within {turns} turns\n  expect reachable over within 3 turns\n  expect never over within 2 turns\n"
        );
        let project = Project::new()
            .file("games/pile/pile.game", game)
            .file("games/pile/rules.rhai", rules)
            .file("a.scenario", text);
        let ran = project.run(&["test", "a.scenario", "--write", "found"]);
        assert_eq!(ran.code, i32::from(!ends), "{turns}: {}", ran.stdout);
        if !ends {
            assert_eq!(project.run(&["test", "found"]).code, 0);
        }
    }
}

/// With a way back, play may last longer than any number of turns.
#[test]
fn every_line_ends_sees_play_that_goes_on_forever() {
    let game = "game row\nplayers 1 solo\nrules \"rules.rhai\"\ncounter spot = 0\nask forth\nask back\n";
    let rules = "fn turn(me) {
    let ways = [may(\"forth\")];
    if game.spot > 0 { ways.push(may(\"back\")); }
    game.spot += if choose(me, \"forth\", ways).verb == \"forth\" { 1 } else { -1 };
    if game.spot == 3 { win(me); }
}
";
    let text = "use row\n\nscenario \"A row\"\n  turn solo\n  expect cycle\n  expect reachable over within 3 turns\n  expect every line ends within 20 turns\n";
    let project =
        Project::new().file("games/row/row.game", game).file("games/row/rules.rhai", rules).file("a.scenario", text);
    let ran = project.run(&["test", "a.scenario"]);
    assert_eq!(ran.code, 1);
    assert!(ran.stdout.contains("the game may last longer than 20 turns"), "{}", ran.stdout);
}

/// Positions that differ only in a record are one, so what a record comes to cannot be asked.
#[test]
fn a_record_cannot_be_asked_about() {
    let game = "game hops\nplayers 1 solo\nrules \"rules.rhai\"\ncounter n\nrecord counter hops\nask hop\nask jump\n";
    let rules = "fn turn(me) {
    if choose(me, \"hop\", [may(\"hop\"), may(\"jump\")]).verb == \"hop\" { tally(game, \"hops\", 1); }
    game.n += 1;
    if game.n == 3 { win(me); }
}
";
    let text = "use hops\n\nscenario \"Hops\"\n  turn solo\n  expect never game.hops = 3\n  expect chance game.hops = 1 = 1/2\n";
    let project =
        Project::new().file("games/hops/hops.game", game).file("games/hops/rules.rhai", rules).file("a.scenario", text);
    let ran = project.run(&["test", "a.scenario"]);
    assert_eq!(ran.code, 3, "{}", ran.stdout);
    insta::assert_snapshot!(ran.stdout);
    let odds = project.run(&["odds", "hops", "--policy", "random", "--chance", "game.hops = 3", "--to-the-end"]);
    assert_eq!(odds.code, 2, "{}", odds.stderr);
    assert!(odds.stderr.contains("is a record"), "{}", odds.stderr);
    let simulated = project.run(&["simulate", "hops", "-n", "20", "--chance", "game.hops = 3"]);
    assert_eq!(simulated.code, 0, "{}", simulated.stderr);
}

/// A set-up with an ask comes before the first turn and is none.
#[test]
fn a_set_up_belongs_to_the_first_turn() {
    let game = "game heap\nplayers 1 solo\nrules \"rules.rhai\"\ncounter left\ndie start 2..3\nask take\n";
    let rules = "fn setup() { game.left = roll(); }
fn turn(me) {
    choose(me, \"take\", [may(\"take\")]);
    game.left -= 1;
    if game.left == 0 { win(me); }
}
";
    let text = "use heap\n\nscenario \"A heap\"\n  setup\n  expect every line ends within 3 turns\n  \
        expect reachable game.left = 2 within 1 turn\n  expect never over within 1 turn\n  \
        expect chance over = 0 to the end of the turn\n    when solo policy random\n  \
        expect chance over = 1/2 within 2 turns\n    when solo policy random\n";
    let project =
        Project::new().file("games/heap/heap.game", game).file("games/heap/rules.rhai", rules).file("a.scenario", text);
    let ran = project.run(&["test", "a.scenario"]);
    assert_eq!(ran.code, 0, "{}", ran.stdout);
    let odds = project.run(&["odds", "heap", "--policy", "random", "--chance", "over", "--within", "2"]);
    assert!(odds.stdout.contains("1/2"), "{}{}", odds.stdout, odds.stderr);
}

/// The cells of a track are numbers, so a line says `cell` where a function takes one.
#[test]
fn a_cell_of_a_track_can_be_an_argument() {
    let game = "game lane\nplayers 1 solo\nrules \"rules.rhai\"\nboard track 5\npiece man for each player symbols m\nask land\n";
    let rules = "fn turn(me) {
    choose(me, \"land\", [may(\"land\")]);
    then(\"land\", me, nth(3), 2);
}
fn land(me, to, steps) {
    choose(me, \"land\", [may(\"land\")]);
    place(man(me), to);
    if number(to) + steps == 5 { let none = in_order(no_cells()); let lost = none[0]; }
}
";
    let text = "use lane\n\nscenario \"A landing\"\n  place solo at 1\n  resume land solo cell 4 2\n  solo land\n  expect solo at 4\n";
    let project = Project::new()
        .file("games/lane/lane.game", game)
        .file("games/lane/rules.rhai", rules)
        .file("scenarios/a.scenario", text);
    let ran = project.run(&["test", "scenarios"]);
    assert_eq!(ran.code, 0, "{}", ran.stdout);
    let explored = project.run(&["explore", "lane", "--games", "2", "--write", "holes"]);
    assert_eq!(explored.code, 1, "{}{}", explored.stdout, explored.stderr);
    let written = files(&project, "holes");
    let hole = std::fs::read_to_string(project.path().join("holes").join(&written[0])).unwrap();
    assert!(hole.contains("  resume land solo cell 3 2\n"), "{hole}");
    let replayed = project.run(&["test", "holes"]);
    assert!(replayed.stdout.contains("the list has 0 elements"), "{}", replayed.stdout);
}

/// An invariant may ask how often a position has occurred, from the start on.
#[test]
fn an_invariant_may_count_repetitions() {
    let game = "game sway\nplayers 1 solo\nrules \"rules.rhai\"\nflag left\nask sway\n";
    let rules = "fn turn(me) {
    if repetitions(me) == 3 { draw_game(); }
    choose(me, \"sway\", [may(\"sway\")]);
    game.left = !game.left;
}
";
    let text = "use sway\n\nscenario \"To and fro\"\n  always { repetitions(solo) < 2 }\n  turn solo\n  solo sway\n";
    let again = format!("{text}  solo sway\n");
    let project = Project::new().file("games/sway/sway.game", game).file("games/sway/rules.rhai", rules);
    let project = project.file("a.scenario", text).file("b.scenario", again);
    let ran = project.run(&["test", "a.scenario"]);
    assert_eq!(ran.code, 0, "{}", ran.stdout);
    let ran = project.run(&["test", "b.scenario"]);
    assert_eq!(ran.code, 1, "{}", ran.stdout);
}

/// A game on a track with one token and one player.
fn walk(squares: usize, rules: &str, questions: &str) -> Project {
    let game = format!(
        "game walk\nplayers 2 red blue\nrules \"rules.rhai\"\nboard track {squares}\npiece token symbol T\n\
         ask go CELL\nplace token at 1\n"
    );
    let text = format!("use walk\n\nscenario \"A walk\"\n  turn red\n{questions}");
    Project::new().file("games/walk/walk.game", game).file("games/walk/rules.rhai", rules).file("a.scenario", text)
}

/// Writes the lines of play of a project, and returns what is written for line 5, which passes.
fn replayed(project: &Project) -> String {
    let ran = project.run(&["test", "a.scenario", "--write", "found"]);
    let replayed = project.run(&["test", "found"]);
    assert_eq!(replayed.code, 0, "{}\n{}", ran.stdout, replayed.stdout);
    std::fs::read_to_string(project.path().join("found/a-line-5.scenario")).unwrap()
}

/// The turn after the last answer ends the game before it asks, or stops with an error.
#[test]
fn a_line_that_ends_in_a_turn_without_an_ask_replays() {
    let rules = |after: &str| {
        format!(
            "fn turn(me) {{ if cell(token) == nth(2) {{ {after} }} lift(token); place(token, choose(me, \"go\", [nth(2)])); }}\n"
        )
    };
    let question = "  expect every line ends within 1 turn\n";
    let found = replayed(&walk(2, &rules("win(me);"), question));
    assert!(
        found
            .ends_with("  token go 2\n  # The game ends in a further turn, in which nothing is asked\n  expect over\n")
            || found.ends_with(
                "  red go 2\n  # The game ends in a further turn, in which nothing is asked\n  expect over\n"
            ),
        "{found}"
    );
    let project = walk(2, &rules("let n = 1 / 0;"), question);
    project.run(&["test", "a.scenario", "--write", "found"]);
    let found = std::fs::read_to_string(project.path().join("found/a-line-5.scenario")).unwrap();
    assert!(found.contains("# Here the rules stop with an error"), "{found}");
}

/// Turns that ask nothing pass before the position.
#[test]
fn the_turns_to_a_passed_position_are_counted() {
    let rules = "fn turn(me) {
    let n = number(cell(token));
    let to = nth(4);
    if n == 1 { to = choose(me, \"go\", [nth(2), nth(4)]); }
    if n == 2 { to = nth(3); }
    if n == 4 { to = choose(me, \"go\", [nth(5)]); }
    if n == 5 { win(me); }
    lift(token);
    place(token, to);
}
";
    let asked = "  expect reachable token at 3\n  expect never token at 3 within 2 turns\n  expect reachable token at 4 within 1 turn\n";
    let found = replayed(&walk(5, rules, asked));
    assert!(found.ends_with("  turn red\n  expect reachable token at 3 within 2 turns\n  red go 2\n"), "{found}");
    let undone = walk(5, rules, "  expect reachable token at 3 within 1 turn\n");
    assert_eq!(undone.run(&["test", "a.scenario"]).code, 1);
}

/// The built-in turn lists moves; what its rules ask after a move is part of it.
const COIN: [(&str, &str); 2] = [
    (
        "games/coin/coin.game",
        "game coin\nplayers 2 red blue\nrules \"rules.rhai\"\nboard grid 3x2\npiece stone for each player\n\
         die coin heads | tails\nask move MOVE\nask again\nask on\nplace red at a1, blue at a2\n",
    ),
    (
        "games/coin/rules.rhai",
        "fn moves(me) {
    steps(only(cells(me), direction_named(\"east\"))) + steps(only(cells(me), direction_named(\"west\")))
}
fn apply(me, move) { make(move); }
fn ended(me) {
    if roll(\"coin\") == \"heads\" { return; }
    if choose(me, \"again\", [may(\"again\"), may(\"on\")]).verb == \"again\" { next_turn(me); }
}
fn stuck(me) { }
",
    ),
];

/// Counted by hand: two stones on three cells each and two players to move are 18 positions. A move of either player may lead to
/// each of the nine arrangements, which are 18 pauses at the coin, and as many at the choice; from where is not kept.
#[test]
fn asks_after_a_listed_move_are_states_of_their_own() {
    let asked = |most: usize| {
        let scenario =
            format!("use coin\n\nscenario \"All\"\n  turn red\n  expect never red at a2 up to {most} states\n");
        let project = COIN.iter().fold(Project::new(), |project, (name, text)| project.file(name, text));
        project.file("a.scenario", &scenario).run(&["test", "a.scenario", "--jobs", "2"])
    };
    let all = asked(54);
    assert_eq!(all.code, 0, "{}{}", all.stdout, all.stderr);
    let fewer = asked(53);
    assert_eq!(fewer.code, 1, "{}", fewer.stderr);
    assert!(fewer.stdout.contains("not decided: more than 53 states"), "{}{}", fewer.stdout, fewer.stderr);
}

/// A turn that cannot ask for the moves that its rules list is told at the line of the ask, before anybody is asked.
#[test]
fn listed_moves_need_an_ask_that_takes_them() {
    let [(game, declared), (rules, _)] = COIN;
    let script = "fn moves(me) { steps(only(cells(me), direction_named(\"east\"))) }
fn apply(me, move) { make(move); }
fn ended(me) { }
fn stuck(me) { }
fn setup() { choose(red, \"again\", [may(\"again\"), may(\"on\")]); }
";
    let scenario = "use coin\n\nscenario \"All\"\n  setup\n  expect never red at a2 within 3 turns\n";
    let project = Project::new().file(game, declared.replace("ask move MOVE", "ask move CELL"));
    let ran = project.file(rules, script).file("a.scenario", scenario).run(&["test", "a.scenario"]);
    assert_eq!(ran.code, 3, "{}{}", ran.stdout, ran.stderr);
    assert!(ran.all().contains("rules with `moves` need the ask `move` of one move"), "{}", ran.all());
}
