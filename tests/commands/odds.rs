//! `referee odds`: errors in questions, results and exit codes.

use super::{GOOD, Project};

#[test]
fn both_players_may_play_best_where_one_of_them_wins() {
    let ran = Project::hop().run(&["odds", "hop", "--with", "goal=1", "--policy", "best"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    // A throw and six walks for each of: no one, red, both resting; and blue to throw while both rest.
    assert_eq!(ran.stdout, "red   1.000000000  1\nblue  0.000000000  0\nexact, over 22 states\n");
}

#[test]
fn a_question_that_cannot_be_read_is_a_matter_of_the_command_line() {
    let asked = |more: &[&str]| Project::hop().run(&[&["odds", "hop", "--policy", "random"], more].concat());
    for (more, said) in [
        (["--chance", "rde at b2"].as_slice(), "did you mean `red`?"),
        (&["--when", "red jump"], "the rules never ask `jump`"),
        (&["--policy", "green=best"], "unknown player `green`"),
        (&["--chance", "{ 1 + }"], "(command line)"),
    ] {
        let ran = asked(more);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{more:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(said), "{more:?}: {}", ran.stderr);
    }
    // As in a scenario.
    let ran = asked(&["--states", "10"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (1, ""), "{}", ran.stderr);
    assert!(ran.stderr.contains("not decided: more than 10 states"), "{}", ran.stderr);
}

#[test]
fn settings_go_with_the_name_of_a_game() {
    let ran = Project::hop().file("good.scenario", GOOD).run(&["odds", "good.scenario", "--with", "goal=1"]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("need the name of a game"), "{}", ran.stderr);
}

/// Two players write down a number from 1 to 3 at once; the one with the larger number wins, equal ones are a draw.
fn weighing() -> Project {
    let game = "game weigh\nplayers 2 red blue\nrules \"rules.rhai\"\nboard grid 1x1\nask weigh NUMBER\nask bow\n";
    let rules = "fn turn(me) {
    let all = choose_all(players(), \"weigh\", |player| 1..=3);
    if all[0] > all[1] { win(players()[0]); }
    if all[1] > all[0] { win(players()[1]); }
    draw_game();
}
";
    Project::new().file("games/weigh/weigh.game", game).file("games/weigh/rules.rhai", rules)
}

#[test]
fn what_is_decided_at_once_has_odds_but_no_best_play() {
    let asked = |more: &[&str]| weighing().run(&[&["odds", "weigh"], more].concat());
    let random = asked(&["--policy", "random"]);
    assert_eq!(random.code, 0, "{}", random.stderr);
    assert_eq!(
        random.stdout,
        "red   0.333333333  1/3\nblue  0.333333333  1/3\ndraw  0.333333333  1/3\nexact, over 1 state\n"
    );
    let settled = asked(&["--when", "red weigh 2", "--policy", "blue=random", "--chance", "winner red"]);
    assert_eq!(settled.stdout, "winner red  0.333333333  1/3\nexact, over 1 state\n", "{}", settled.stderr);
    let open = asked(&["--policy", "red=random"]);
    assert_eq!(open.code, 2, "{}", open.all());
    for said in ["no policy for the decision `blue weigh`", "`--when \"blue weigh 1\"` or `--policy blue=random`"] {
        assert!(open.stderr.replace("\n        ", " ").contains(said), "{}", open.stderr);
    }
    let best = asked(&["--policy", "red=best", "--policy", "blue=random"]);
    insta::assert_snapshot!(best.all());
}

/// Rules that can ask about history do not matter if an option turns that off.
#[test]
fn rules_may_know_repetitions_where_they_do_not_ask_for_them() {
    let asked = |more: &[&str]| {
        let first = ["odds", "hex-squish", "--policy", "random", "--within", "2", "--chance", "turn white"];
        Project::new().run(&[&first[..], more].concat())
    };
    let without = asked(&[]);
    assert_eq!((without.code, without.stderr.as_str()), (0, ""));
    assert!(without.stdout.starts_with("turn white  "), "{}", without.stdout);
    insta::assert_snapshot!(asked(&["--with", "cycle=repeat3"]).all());
}

#[test]
fn what_settles_nothing_is_an_error() {
    let asked = |more: &[&str]| {
        let first = ["odds", "hop", "--variant", "short", "--chance", "red.score = 1"];
        let ran = Project::hop().run(&[&first[..], more].concat());
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{more:?}: {}", ran.stderr);
        ran.stderr
    };
    insta::assert_snapshot!(asked(&["--policy", "red=random", "--when", "red walk to e1"]));
    for (more, said) in [
        (["--policy", "red=random", "--policy", "blue=best"], "blue decides nothing before the horizon"),
        (["--policy", "random", "--policy", "walk to e1"], "red never has the option `walk to e1`"),
    ] {
        let told = asked(&more);
        assert!(told.contains("unused_line") && told.contains(said), "{told}");
    }
    // A policy stands for what is left, even if that is nothing.
    let left = ["odds", "hop", "--variant", "short", "--chance", "red.score = 1", "--policy", "red=random"];
    for more in [["--policy", "blue=random"], ["--when", "blue policy random"]] {
        let ran = Project::hop().run(&[&left[..], &more].concat());
        assert_eq!(ran.code, 0, "{}", ran.all());
    }
    // A line for all players need not apply to each of them.
    let ran =
        Project::hop().run(&["odds", "hop", "--variant", "short", "--chance", "red.score = 1", "--policy", "stop"]);
    assert_eq!(
        (ran.code, ran.stdout.lines().next().unwrap_or_default()),
        (0, "red.score = 1  0.000000000  0"),
        "{}",
        ran.all()
    );
}

#[test]
fn greed_decides_exactly() {
    let chance = |policy: &str| {
        let ran = Project::hop().run(&[
            "odds",
            "hop",
            "--variant",
            "short",
            "--chance",
            "{ red.score > 0 }",
            "--policy",
            policy,
        ]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        ran.stdout.lines().next().unwrap_or_default().to_owned()
    };
    // From the corner there are three squares to walk to, and the option to stop.
    assert_eq!(chance("red=random"), "{ red.score > 0 }  0.750000000  3/4");
    assert_eq!(chance("red=greedy:me.score"), "{ red.score > 0 }  1.000000000  1");
    assert_eq!(chance("red=greedy:-me.score"), "{ red.score > 0 }  0.000000000  0");
    // Rated alike, each option is equally likely.
    assert_eq!(chance("red=greedy:me.score - me.score"), chance("red=random"));
    let wrong = Project::hop().run(&["odds", "hop", "--chance", "turn blue", "--policy", "red=greedy:me.scroe"]);
    assert_eq!(wrong.code, 2, "{}", wrong.stderr);
    assert!(wrong.stderr.contains("did you mean `score`?"), "{}", wrong.stderr);
}

/// Red may take the next card, if there is one; red does not see the other players' cards.
fn taking(position: &str) -> Project {
    let game = "game take\nplayers 1..3 red blue green\nrules \"rules.rhai\"\nboard grid 1x1\nzone deck hidden\n\
zone hand for each player secret\ncard one from \"cards.yaml\" in deck\nask take yes|no\n";
    let rules = "fn turn(me) {
    if choose(me, \"take\", [\"yes\", \"no\"]) == \"yes\" && !is_empty(deck) { draw(deck, hand(me)); }
}
";
    Project::new()
        .file("games/take/take.game", game)
        .file("games/take/rules.rhai", rules)
        .file("games/take/cards.yaml", "cards:\n  - {name: ant}\n  - {name: bee}\n")
        .file("a.scenario", format!("use take\n\nscenario \"A card\"\n{position}  turn red\n"))
}

#[test]
fn best_play_goes_by_what_the_player_sees_or_there_is_none() {
    let asked = |position: &str, policy: &str| {
        let project = taking(position);
        project.run(&["odds", "a.scenario", "--chance", "{ has(hand(red), piece(\"ant\")) }", "--policy", policy])
    };
    let chance = |position: &str, policy: &str| {
        let ran = asked(position, policy);
        assert_eq!(ran.code, 0, "{position}: {}", ran.all());
        ran.stdout.lines().next().unwrap_or_default().rsplit(' ').next().unwrap_or_default().to_owned()
    };
    // A deck without order: red knows its cards, because no other zone is covered, and more cannot be known.
    assert_eq!(chance("  players red\n", "best"), "1/2");
    assert_eq!(chance("  players red\n", "worst"), "0");
    // A single covered card is known, wherever it is.
    assert_eq!(chance("  players red\n  hand red: bee\n  deck: ant\n", "best"), "1");
    assert_eq!(chance("  players red blue\n  hand red: ant\n  hand blue: bee\n", "worst"), "1");
    // If both options lead to the same result, hidden cards do not matter.
    let others = "  players red blue green\n  hand blue: ant\n  hand green: bee\n";
    assert_eq!(chance(others, "best"), "0");
    // With a known order or a card of blue's, red would decide by cards that red cannot see.
    for (position, unseen) in [
        ("  players red\n  deck: ant bee\n", "red does not see: deck\n"),
        ("  players red blue\n  hand blue: bee\n", "red does not see: deck and hand blue\n"),
    ] {
        for policy in ["red=best", "red=worst"] {
            let ran = asked(position, policy);
            assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{}", ran.all());
            let said = ran.stderr.replace("\n  │ ", " ");
            assert!(said.contains("best or worst play of `red take`") && said.contains(unseen), "{said}");
        }
        assert_eq!(asked(position, "red=random").code, 0);
    }
}

#[test]
fn a_game_without_an_end_shows_a_position_and_the_way_to_it() {
    let ran = Project::hop().run(&["odds", "hop", "--variant", "short", "--policy", "stop", "--format", "json"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    let odds: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    let trap = &odds["trap"];
    assert_eq!(trap["board"].as_array().unwrap().len(), 6, "{trap}");
    // Replayed, the line is legal, and ends in the turn of the player who is named.
    let line: Vec<&str> = trap["line"].as_array().unwrap().iter().map(|line| line.as_str().unwrap()).collect();
    let turn = trap["turn"].as_str().unwrap();
    let text =
        format!("use hop short\n\nscenario \"The way\"\n  turn red\n  {}\n  expect turn {turn}\n", line.join("\n  "));
    let replayed = Project::hop().file("way.scenario", &text).run(&["test", "way.scenario"]);
    assert_eq!(replayed.code, 0, "{text}\n{}", replayed.all());
}

/// A player throws as often as the rules say within one turn.
fn thrown(turn: &str) -> Project {
    let game = "game thrown\nplayers 2 red blue\nrules \"rules.rhai\"\nboard grid 1x1\ndie six 1..6\nask decide roll|hold\n\
                counter score for each player = 0\n";
    let rules = format!("fn turn(me) {{ {turn} }}\nfn thrown() {{ roll() }}\n");
    Project::new().file("games/thrown/thrown.game", game).file("games/thrown/rules.rhai", rules)
}

/// Endless throws within a turn are a cycle of states.
#[test]
fn a_turn_may_throw_until_something_comes() {
    let odds = |turn: &str, more: &[&str]| {
        let ran = thrown(turn).run(&[&["odds", "thrown"], more].concat());
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{turn}");
        ran.stdout
    };
    let until = "loop { let n = roll(); if n == 6 { win(me); } if n == 1 { win(after(me)); } }";
    assert_eq!(odds(until, &[]), "red   0.500000000  1/2\nblue  0.500000000  1/2\nexact, over 1 state\n");
    // Variables of functions are kept at an ask.
    let sums = "let throws = []; for n in 0..2 { throws.push(thrown()); } if throws[0] + throws[1] == 7 { win(me); } win(after(me));";
    assert_eq!(odds(sums, &["--chance", "winner red"]), "winner red  0.166666667  1/6\nexact, over 1 state\n");
    // An error that is caught does not end a throw, and a throw does not end what catches it.
    let caught =
        "let sum = 0; try { sum += roll(); throw sum; } catch (e) { if e == roll() { win(me); } } win(after(me));";
    assert_eq!(odds(caught, &["--chance", "winner red"]), "winner red  0.166666667  1/6\nexact, over 1 state\n");
}

/// A turn of Pig in one loop has the odds of a turn in phases, with as many states as there are turns.
#[test]
fn a_turn_in_a_loop_has_the_odds_of_one_in_phases() {
    let wins = "if me.score >= 10 { win(me); }";
    let looping = format!(
        "let pot = 0; loop {{ if choose(me, \"decide\", [\"roll\", \"hold\"]) == \"hold\" {{ break; }} let n = roll(); \
         if n == 1 {{ pot = 0; break; }} pot += n; if me.score + pot >= 10 {{ break; }} }} me.score += pot; {wins}"
    );
    let phased = format!(
        "then(\"go_on\", me, 0); }} fn go_on(me, pot) {{ if choose(me, \"decide\", [\"roll\", \"hold\"]) == \"hold\" {{ \
         me.score += pot; {wins} return; }} let n = roll(); if n == 1 {{ return; }} if me.score + pot + n >= 10 {{ win(me); }} \
         then(\"go_on\", me, pot + n);"
    );
    let odds = |turn: &str, policy: &str| {
        let ran = thrown(turn).run(&["odds", "thrown", "--policy", policy]);
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{turn}");
        let (chance, states) = ran.stdout.trim_end().rsplit_once('\n').unwrap();
        (chance.to_owned(), states.to_owned())
    };
    for policy in ["best", "greedy:me.score"] {
        let ((one, states), (other, more)) = (odds(&looping, policy), odds(&phased, policy));
        assert_eq!(one, other, "{policy}: {states}, {more}");
        // A score is 0 or 2 to 9, for two players, and whose turn it is; and the start once more.
        if policy == "best" {
            assert_eq!(states, "exact, over 163 states", "{more}");
        }
    }
}

/// A turn that asks endlessly has no end; the reported position is in the middle of the turn.
#[test]
fn a_turn_without_an_end_is_told() {
    let turn = "let n = 0; loop { if roll() == 1 { n = 1; } if n == 0 && roll() == 6 { win(me); } }";
    let ran = thrown(turn).run(&["odds", "thrown"]);
    insta::assert_snapshot!(ran.all());
}

/// The line of play is found even if a pause follows an ask with one answer, or a variable of an earlier turn is left.
#[test]
fn the_way_into_a_turn_without_an_end_is_found() {
    for turn in [
        "loop { roll(); choose(me, \"decide\", [\"roll\"]); roll(); }",
        "let a = roll(); let b = roll(); if a + b == 12 { loop { roll(); } }",
        "let a = roll(); if me.score > 0 && a == 1 { loop { choose(me, \"decide\", [\"hold\"]); roll(); } } me.score = 1;",
    ] {
        let ran = thrown(turn).run(&["odds", "thrown", "--policy", "random"]);
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{turn}");
        assert!(ran.stdout.contains("in the middle of a turn\n"), "{turn}\n{}", ran.stdout);
        assert!(ran.stdout.contains("play reaches it by:\n"), "{turn}\n{}", ran.stdout);
    }
}

/// If a zone hides cards and no policy rates options, the first turn is explored like any other.
#[test]
fn zones_do_not_keep_a_turn_from_leading_back() {
    let project = thrown("loop { if roll() == 6 { win(me); } }");
    let game = "game thrown\nplayers 2 red blue\nrules \"rules.rhai\"\nboard grid 1x1\ndie six 1..6\nzone deck hidden\n\
                card one from \"cards.yaml\" in deck\n";
    let cards = "cards:\n  - {name: ant}\n  - {name: bee}\n";
    let ran =
        project.file("games/thrown/thrown.game", game).file("games/thrown/cards.yaml", cards).run(&["odds", "thrown"]);
    assert_eq!(ran.stdout, "red   1.000000000  1\nblue  0.000000000  0\nexact, over 1 state\n", "{}", ran.stderr);
}

/// Deeply nested values must not overflow the stack when a pause is recognized.
#[test]
fn deep_values_lie_at_a_pause() {
    let turn = "let l = []; for i in 0..9000 { l = [l]; } roll(); win(me);";
    let ran = thrown(turn).run(&["odds", "thrown", "--chance", "winner red"]);
    assert_eq!(
        (ran.code, ran.stdout.as_str()),
        (0, "winner red  1.000000000  1\nexact, over 1 state\n"),
        "{}",
        ran.all()
    );
}

#[test]
fn dealing_draws() {
    let rules = "fn turn(me) {
    deal(1, deck, \"hand\");
    if count(hand(me)) == 1 && is_empty(deck) { win(me); }
}
";
    let ran = taking("").file("games/take/rules.rhai", rules).run(&["odds", "take", "--players", "red blue"]);
    assert_eq!(ran.stdout, "red   1.000000000  1\nblue  0.000000000  0\nexact, over 1 state\n", "{}", ran.stderr);
}

/// If a player without a move makes another decision and the rules record it, sequences continue from there.
#[test]
fn what_stuck_asks_is_counted() {
    let game = "game stay\nplayers 2 red blue\nrules \"rules.rhai\"\nboard grid 3x1\npiece stone for each player\n\
                flag free for each player\nask move MOVE\nask pick NUMBER\nplace red at a1, blue at c1\n";
    let rules = "fn moves(me) { if me.free { steps(only(cells(me), 1)) } else { no_moves() } }
fn apply(me, move) { make(move); }
fn ended(me) { }
fn stuck(me) { me.free = true; choose(me, \"pick\", [1, 2, 3, 4, 5]); }
";
    let project = Project::new().file("games/stay/stay.game", game).file("games/stay/rules.rhai", rules);
    let ran = project.run(&["perft", "stay", "--depth", "1"]);
    insta::assert_snapshot!(ran.all());
}
