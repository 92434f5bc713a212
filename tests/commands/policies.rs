//! Policies: they use only what a player knows, have conditions, and are the same in odds and simulations.

use serde_json::Value;

use super::Project;

/// Pig for two: a player with 20 points wins. A one loses the pot.
pub(super) fn pig(goal: u32) -> Project {
    let game = format!(
        "game pig\nplayers 2 ann ben\nrules \"rules.rhai\"\nboard grid 1x1\ndie 1..6\n\
counter score for each player = 0\ncounter pot = 0\ncounter first = 0\nask roll\nask hold\noption goal = {goal} in 1..100\n"
    );
    let rules = "fn turn(me) {
    game.pot = 0;
    game.first = 1;
    then(\"play_on\", me);
}
fn play_on(me) {
    let act = choose(me, \"roll\", [may(\"roll\"), may(\"hold\")]);
    if act.verb == \"hold\" {
        me.score += game.pot;
        if me.score >= option(\"goal\") { win(me); }
        return;
    }
    let shown = roll();
    if shown == 1 {
        game.pot = 0;
        return;
    }
    game.pot += shown;
    then(\"play_on\", me);
}
";
    Project::new().file("games/pig/pig.game", &game).file("games/pig/rules.rhai", rules)
}

pub(super) fn odds(project: &Project, arguments: &[&str]) -> Value {
    let ran = project.run(&[&["odds"], arguments, &["--format", "json"]].concat());
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{arguments:?}: {}", ran.all());
    serde_json::from_str(&ran.stdout).unwrap()
}

pub(super) fn simulated(project: &Project, arguments: &[&str]) -> Value {
    let ran = project.run(&[&["simulate"], arguments, &["--format", "json"]].concat());
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{arguments:?}: {}", ran.all());
    serde_json::from_str(&ran.stdout).unwrap()
}

/// A player who holds at 20 scores nothing in 9440899 of 15116544 turns (Neller and Presser 2004).
const BUSTS: &str = "9440899/15116544";

#[test]
fn hold_at_20_busts_as_often_as_known() {
    let scenario = format!(
        "use pig\n\nscenario \"A turn\"\n  turn ann\n  expect chance {{ game.pot == 0 }} = {BUSTS}\n    \
when ann hold if {{ game.pot >= 20 }}\n    when ann roll\n  expect chance {{ game.pot == 0 }} = 62.45% ± 0.01%\n    \
when ann hold if {{\n      game.pot >= {{ 19 + 1 }}\n    }}\n    when ann roll\n"
    );
    let project = pig(100).file("turn.scenario", &scenario);
    let ran = project.run(&["test", "turn.scenario"]);
    assert_eq!(ran.code, 0, "{}", ran.all());
    let condition = ["pig", "--chance", "{ game.pot == 0 }"];
    let policies = ["--policy", "ann=hold if { game.pot >= 20 }", "--policy", "ann=roll"];
    let found = odds(&project, &[&condition[..], &policies[..]].concat());
    assert_eq!(found["odds"][0]["fraction"], BUSTS);
    let when = ["--when", "ann hold if { game.pot >= 20 }", "--policy", "ann=roll"];
    assert_eq!(odds(&project, &[&condition[..], &when[..]].concat()), found);
    let run =
        simulated(&project, &[&["pig", "-n", "3000", "--max-plies", "1"], &condition[1..], &policies[..]].concat());
    let held = &run["chance"]["held"];
    let known = 9_440_899.0 / 15_116_544.0;
    assert!(held["low"].as_f64().unwrap() < known && known < held["high"].as_f64().unwrap(), "{held}");
}

/// Returns the chance that optimal play of Pig wins for the player whose turn begins, by value iteration over (own
/// points, opponent's points, pot). Enough points including the pot win at once.
fn best_share(goal: usize) -> f64 {
    let mut values = vec![0.5; goal * goal * goal];
    let place = |own: usize, other: usize, pot: usize| (own * goal + other) * goal + pot;
    loop {
        let mut change: f64 = 0.0;
        for (own, other, pot) in (0..goal.pow(3)).map(|at| (at / goal / goal, at / goal % goal, at % goal)) {
            if own + pot >= goal {
                continue;
            }
            let wins = |pot: usize| if own + pot >= goal { 1.0 } else { values[place(own, other, pot)] };
            let thrown = (2..=6).map(|shown| wins(pot + shown)).sum::<f64>() / 6.0;
            let again = thrown + (1.0 - values[place(other, own, 0)]) / 6.0;
            let hold = 1.0 - values[place(other, own + pot, 0)];
            let best = if pot == 0 { again } else { again.max(hold) };
            let value = &mut values[place(own, other, pot)];
            change = change.max((*value - best).abs());
            *value = best;
        }
        if change < 1e-14 {
            return values[0];
        }
    }
}

#[test]
fn the_best_play_of_pig_wins_as_often_as_a_solver_says() {
    for goal in [2, 3, 5, 7] {
        let found = odds(&Project::new(), &["pig", "--policy", "best", "--with", &format!("goal={goal}")]);
        let exact: f64 = found["odds"][0]["low"].as_str().unwrap().parse().unwrap();
        let solved = best_share(goal);
        assert!((exact - solved).abs() < 1e-8, "to {goal}: {exact} and {solved}");
    }
    let found = odds(&Project::new(), &["pig", "--policy", "best", "--with", "goal=10"]);
    assert_eq!(found["odds"][0]["fraction"], "7776/10961");
}

/// Each player's expression is the player's own, though both begin at the same byte of their flags.
#[test]
fn two_greedy_players_go_by_two_expressions() {
    let project = Project::new();
    let share = |ann: usize, ben: usize| {
        let [ann, ben] = [("ann", ann), ("ben", ben)].map(|(name, points)| format!("{name}=greedy:hold_at({points})"));
        let policies = ["pig", "--players", "2", "--with", "goal=8", "--policy", &ann, "--policy", &ben];
        let exact: f64 = odds(&project, &policies)["odds"][0]["low"].as_str().unwrap().parse().unwrap();
        let run = simulated(&project, &[&policies[..], &["-n", "300"]].concat());
        let wins = &run["players"][0]["wins"];
        assert!(wins["low"].as_f64().unwrap() < exact && exact < wins["high"].as_f64().unwrap(), "{exact} and {wins}");
        exact
    };
    let (better, worse) = (share(5, 1), share(1, 5));
    assert!(better > 0.8 && worse < 0.5, "{better} and {worse}");
}

#[test]
fn actions_decide_alike_in_odds_and_simulations() {
    let project = Project::new();
    let policies = [
        &["pig", "--players", "2", "--with", "goal=8", "--policy", "ann=hold if { game.pot >= 5 }"][..],
        &["--policy", "ben=hold if { game.pot > 0 }", "--policy", "again"],
    ]
    .concat();
    let exact: f64 = odds(&project, &policies)["odds"][0]["low"].as_str().unwrap().parse().unwrap();
    let run = simulated(&project, &[&policies[..], &["-n", "300"]].concat());
    let wins = &run["players"][0]["wins"];
    assert!(wins["low"].as_f64().unwrap() < exact && exact < wins["high"].as_f64().unwrap(), "{exact} and {wins}");
}

/// A turn that continues in another phase before its first ask counts as one turn, even if it is the first.
#[test]
fn no_turn_is_lost() {
    let rules = "fn turn(me) { clause(\"P1\"); me.turns += 1; then(\"second\", me); }
fn second(me) { if roll() > 0 { clause(\"P2\"); } if me.turns == 2 { win(me); } }
";
    let game = "game two\nplayers 2 ann ben\nrules \"rules.rhai\"\nrulebook \"RULES.md\"\nboard grid 1x1\ndie 1..6\n\
counter turns for each player = 0\n";
    let scenario =
        "use two\n\nscenario \"Begun\"\n  turn ann\n\nscenario \"Resumed\"\n  set ann.turns 2\n  resume second ann\n";
    let project = Project::new()
        .file("games/two/two.game", game)
        .file("games/two/rules.rhai", rules)
        .file("games/two/RULES.md", "[P1] One.\n\n[P2] Two.\n")
        .file("begun.scenario", scenario);
    for (arguments, turns) in [
        (&["two", "-n", "50"][..], 3),
        (&["two", "-n", "50", "--from", "begun.scenario"], 3),
        (&["two", "-n", "50", "--from", "begun.scenario", "--scenario", "Resumed"], 1),
    ] {
        let run = simulated(&project, arguments);
        assert_eq!(run["plies"]["histogram"], serde_json::json!([[turns, 50]]), "{arguments:?}");
        let clauses = run["clauses"].as_array().unwrap();
        assert_eq!(clauses[1]["times"], 50 * turns, "{arguments:?}");
        if turns == 3 {
            assert_eq!((&clauses[0]["times"], &clauses[0]["games"]), (&Value::from(150), &Value::from(50)));
        }
    }
}

/// Ben holds one of three cards, of which ann sees none; the ant is there three times.
fn guessing(cards: &str, rules: &str) -> Project {
    let game = "game guess\nplayers 2 ann ben\nrules \"rules.rhai\"\nboard grid 1x1\nzone deck hidden\n\
zone hand for each player secret\ncard one from \"cards.yaml\" in deck\ncounter points for each player\nask guess PIECE\n\
ask pass\n";
    Project::new()
        .file("games/guess/guess.game", game)
        .file("games/guess/rules.rhai", rules)
        .file("games/guess/cards.yaml", cards)
}

const CARDS: &str = "cards:\n  - {name: ant, count: 3}\n  - {name: bee, count: 2}\n  - {name: cat}\n";

const GUESS: &str = "fn turn(me) {
    let other = after(me);
    if is_empty(hand(other)) { draw(deck, hand(other)); }
    then(\"guessing\", me);
}
fn guessing(me) {
    let guess = choose(me, \"guess\", [piece(\"cat\"), piece(\"bee\"), piece(\"ant\")]);
    if has(hand(after(me)), guess) { me.points = 1; END }
    lose(me);
}
";

/// Options that win at once, and values that depend on hidden cards, are averaged over all possible deals: the policy
/// names the most frequent card, regardless of the card that ben holds.
#[test]
fn greed_knows_no_more_than_its_player() {
    for end in ["win(me);", "draw_game();"] {
        let hand = |card: &str| format!("use guess\n\nscenario \"{card}\"\n  hand ben: {card}\n  turn ann\n");
        let project = guessing(CARDS, &GUESS.replace("END", end))
            .file("ant.scenario", hand("ant"))
            .file("cat.scenario", hand("cat"));
        let arguments = ["guess", "--policy", "greedy:me.points", "--chance", "{ ann.points == 1 }", "--to-the-end"];
        assert_eq!(odds(&project, &arguments)["odds"][0]["fraction"], "1/2", "{end}");
        for (file, right) in [("ant.scenario", "1"), ("cat.scenario", "0")] {
            let found = odds(&project, &[&[file], &arguments[1..]].concat());
            assert_eq!(found["odds"][0]["fraction"], right, "{file} {end}");
        }
        let run = simulated(
            &project,
            &["guess", "-n", "400", "--policy", "greedy:me.points", "--chance", "{ ann.points == 1 }"],
        );
        let held = &run["chance"]["held"];
        assert!(held["low"].as_f64().unwrap() < 0.5 && 0.5 < held["high"].as_f64().unwrap(), "{end}: {held}");
    }
}

/// The same for a face-down card on the board: the policy names the ant, regardless of the card. A search finds the
/// card no more often than random guesses.
#[test]
fn nobody_sees_a_card_face_down() {
    let rules = "fn turn(me) {
    let guess = choose(me, \"guess\", [piece(\"cat\"), piece(\"bee\"), piece(\"ant\")]);
    if turn_up(cell_named(\"a1\")) == guess { win(me); }
    lose(me);
}
";
    let hidden = |card: &str| format!("use guess\n\nscenario \"{card}\"\n  place {card} at a1 face down\n  turn ann\n");
    let project = guessing(CARDS, rules).file("ant.scenario", hidden("ant")).file("cat.scenario", hidden("cat"));
    for (file, right) in [("ant.scenario", "1"), ("cat.scenario", "0")] {
        let found = odds(&project, &[file, "--policy", "greedy:0", "--chance", "winner ann", "--to-the-end"]);
        assert_eq!(found["odds"][0]["fraction"], right, "{file}");
    }
    let searched = ["guess", "--from", "cat.scenario", "-n", "40", "--policy", "mcts:60", "--chance", "winner ann"];
    let high = &simulated(&project, &searched)["chance"]["held"]["high"];
    assert!(high.as_f64().unwrap() < 0.6, "{high}");
    let best = project.run(&["odds", "cat.scenario", "--policy", "best", "--chance", "winner ann", "--to-the-end"]);
    assert!(best.code != 0 && best.stderr.contains("not_seen"), "{}", best.all());
}

/// An instruction that never decides anything is reported.
#[test]
fn an_action_that_decides_nothing_is_reported() {
    let with = |action: &str| pig(10).run(&["simulate", "pig", "-n", "20", "--policy", action, "--policy", "ann=roll"]);
    let never = with("ann=hold if { game.pot > 5000 }");
    assert!(never.code == 2 && never.stderr.contains("unused_line"), "{}", never.all());
    assert!(never.stderr.contains("hold if { game.pot > 5000 }"), "{}", never.all());
    assert_eq!(with("ann=hold if { game.pot > 5 }").code, 0);
}

/// Conditions do not see hidden cards either.
#[test]
fn conditions_do_not_see_secret_cards() {
    let project = guessing(CARDS, &GUESS.replace("END", "win(me);"));
    let peek = "ann=guess cat if { has(hand(ben), piece(\"cat\")) }";
    let ran = project.run(&["odds", "guess", "--policy", peek, "--policy", "ann=guess bee"]);
    assert!(ran.code == 2 && ran.stderr.contains("its condition never holds"), "{}", ran.all());
}

/// If there are too many deals to enumerate, `greedy` takes a sample and says so; a chance in a scenario must be exact.
#[test]
fn greed_takes_a_sample_where_the_deals_are_too_many() {
    let cards: String = (0..40).map(|at| format!("  - {{name: card{at}}}\n")).collect();
    let rules = "fn turn(me) {
    if choose(me, \"pass\", [may(\"pass\"), may(\"guess\", piece(\"card1\"))]).verb == \"pass\" { win(me); }
    lose(me);
}
";
    let hand: String = (2..10).map(|at| format!(" card{at}")).collect();
    let project = guessing(&format!("cards:\n{cards}"), rules)
        .file("many.scenario", format!("use guess\n\nscenario \"Many\"\n  hand ben:{hand}\n  turn ann\n"));
    for (command, sample) in [
        (&["simulate", "guess", "--from", "many.scenario", "-n", "1", "--policy", "greedy:0"][..], "100"),
        (&["odds", "many.scenario", "--policy", "greedy:0"], "100"),
        (&["odds", "many.scenario", "--policy", "greedy:0", "--deals", "7"], "7"),
    ] {
        let ran = project.run(command);
        let words = format!("`greedy` made 1 decision by an average over {sample} random deals");
        assert!(ran.code == 0 && ran.stdout.contains(&words), "{command:?}: {}", ran.all());
        assert_eq!(ran.all(), project.run(command).all());
        let json: Value =
            serde_json::from_str(&project.run(&[command, &["--format", "json"]].concat()).stdout).unwrap();
        assert_eq!(json["sampled"]["deals"].to_string(), sample);
    }
    // Passing wins in every deal.
    let odds = odds(&project, &["many.scenario", "--policy", "greedy:0"]);
    assert_eq!(odds["odds"][0]["fraction"], "1");
    let asks = format!(
        "use guess\n\nscenario \"Many\"\n  hand ben:{hand}\n  turn ann\n  expect chance winner ann = 1\n    \
when ann policy greedy:0\n"
    );
    let ran = project.file("asks.scenario", asks).run(&["test", "asks.scenario"]);
    assert!(ran.code != 0 && ran.stdout.contains("not_seen") && ran.stdout.contains("hand ben"), "{}", ran.all());
}

/// Limits are in states and in bytes, so that messages are the same in every run.
#[test]
fn large_states_and_many_states_are_bounded() {
    let properties: String = (0..30).map(|at| format!("property n{at} TEXT\n")).collect();
    let texts: String = (0..30).map(|at| format!("game.n{at} = s + n; ")).collect();
    let game =
        format!("game big\nplayers 2 red blue\nrules \"rules.rhai\"\nboard grid 2x2\ndie 1..10000\n{properties}");
    let rules = format!("fn turn(me) {{ let n = roll(); let s = \"\"; s.pad(9900, \"x\"); {texts} }}\n");
    let project = Project::new()
        .file("games/big/big.game", &game)
        .file("games/big/rules.rhai", &rules)
        .file("one.scenario", "use big\n\nscenario \"One\"\n  turn red\n");
    let ran =
        project.run(&["odds", "one.scenario", "--chance", "{ game.n0.len() == 3 }", "--within", "2", "--memory", "20"]);
    assert_eq!(ran.code, 1, "{}", ran.all());
    assert!(ran.stderr.contains("inconclusive") && ran.stderr.contains("memory"), "{}", ran.all());
}

#[test]
fn as_many_threads_as_anybody_asks_for() {
    let project = pig(5);
    let one = project.run(&["simulate", "pig", "-n", "20", "--jobs", "1"]);
    assert_eq!(project.run(&["simulate", "pig", "-n", "20", "--jobs", "576460752303423488"]), one);
    assert_eq!(one.code, 0);
}

/// The path of a game file means its game.
#[test]
fn the_file_of_a_game_is_the_game() {
    let project = pig(4);
    for command in [
        &["odds", "PIG", "--policy", "hold if { game.pot > 2 }", "--policy", "roll"][..],
        &["simulate", "PIG", "-n", "10"],
        &["perft", "PIG", "--depth", "2"],
        &["moves", "PIG"],
        &["show", "PIG"],
    ] {
        let with = |path: &str| {
            let words: Vec<&str> = command.iter().map(|word| if *word == "PIG" { path } else { word }).collect();
            project.run(&words)
        };
        let named = with("pig");
        assert_eq!(named.code, 0, "{}", named.all());
        assert_eq!(with("games/pig/pig.game"), named);
    }
}

/// Every game that is recorded passes, however long it is.
#[test]
fn a_long_game_passes_as_it_was_recorded() {
    let game = "game long\nplayers 2 red blue\nrules \"rules.rhai\"\nboard grid 1x1\ndie 1..6\n";
    let project =
        Project::new().file("games/long/long.game", game).file("games/long/rules.rhai", "fn turn(me) { roll(); }\n");
    let ran = project.run(&["simulate", "long", "-n", "1", "--max-plies", "12000", "--record", "played"]);
    assert_eq!(ran.code, 0, "{}", ran.all());
    let ran = project.run(&["test", "played"]);
    assert_eq!(ran.code, 0, "{}", ran.all());
}

/// Control characters in strings of scripts do not reach the terminal: no line could have them, so they are no options.
#[test]
fn perft_shows_no_control_characters() {
    let game = "game loud\nplayers 2 red blue\nrules \"rules.rhai\"\nboard grid 1x1\nask say TEXT\n";
    let rules = "fn turn(me) { choose(me, \"say\", [\"p\\x1b[31mq\", \"r\"]); }\n";
    let project = Project::new().file("games/loud/loud.game", game).file("games/loud/rules.rhai", rules);
    let ran = project.run(&["perft", "loud", "--divide"]);
    assert_eq!(ran.code, 3, "{}", ran.all());
    assert!(!ran.all().contains('\x1b') && ran.stderr.contains("the invisible character U+001B"), "{}", ran.all());
}

/// Each command says which of its policies there are, and takes one for each player.
#[test]
fn policies_of_another_command_and_second_policies_are_errors() {
    for (arguments, code, help) in [
        (["odds", "pig", "--policy", "mcts:5", "--policy", "ann=best"], "unknown_policy", "`best`, `worst`"),
        (["odds", "pig", "--policy", "ann=best", "--policy", "ann=worst"], "duplicate_name", "one policy for each"),
        (
            ["odds", "pig", "--when", "ann policy random", "--policy", "ann=best"],
            "duplicate_name",
            "one policy for each",
        ),
        (["odds", "pig", "--policy", "=best", "--policy", "random"], "missing_value", "before `=`"),
        (["odds", "pig", "--policy", "ann=greedy:", "--policy", "random"], "wrong_policy", "greedy:count(cells(me))"),
        (["simulate", "pig", "--policy", "best", "--policy", "ann=random"], "unknown_policy", "`mcts:PLAYOUTS`"),
        (["simulate", "pig", "--policy", "random", "--policy", "random"], "duplicate_name", "one policy for each"),
    ] {
        let ran = pig(20).run(&arguments);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{arguments:?}: {}", ran.all());
        assert!(ran.stderr.contains(code) && ran.stderr.contains(help), "{arguments:?}: {}", ran.stderr);
    }
}
