//! `referee odds` from outside: what is wrong with a question, and how the answer ends.

use super::{GOOD, Project};

#[test]
fn both_players_may_play_best_where_one_of_them_wins() {
    let ran = Project::hop().run(&["odds", "hop", "--with", "goal=1", "--policy", "best"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    // A throw and six walks for each of: nobody, red, both resting; and blue to throw while both rest.
    assert_eq!(ran.stdout, "red   1.000000000  1\nblue  0.000000000  0\nexact, over 22 states\n");
}

#[test]
fn a_question_that_cannot_be_read_is_a_matter_of_the_command_line() {
    let asked = |more: &[&str]| Project::hop().run(&[&["odds", "hop", "--policy", "random"], more].concat());
    for (more, said) in [
        (["--chance", "rde at b2"].as_slice(), "did you mean `red`?"),
        (&["--when", "red jump"], "the rules never ask `jump`"),
        (&["--policy", "green=best"], "there is no player `green`"),
        (&["--states", "10"], "not decided: after 10 states"),
        (&["--chance", "{ 1 + }"], "(command line)"),
    ] {
        let ran = asked(more);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{more:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(said), "{more:?}: {}", ran.stderr);
    }
}

#[test]
fn settings_go_with_the_name_of_a_game() {
    let ran = Project::hop().file("good.scenario", GOOD).run(&["odds", "good.scenario", "--with", "goal=1"]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("go with the name of a game"), "{}", ran.stderr);
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
    let best = asked(&["--policy", "red=best", "--policy", "blue=random"]);
    insta::assert_snapshot!(best.all());
}

/// Where an option lets the rules do without, that they know what was before is no matter.
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
        (["--policy", "red=random", "--policy", "blue=best"], "blue is asked nothing on the way"),
        (["--policy", "red=random", "--when", "blue policy random"], "blue is asked nothing on the way"),
        (["--policy", "random", "--policy", "walk to e1"], "`walk to e1` is no option of red"),
    ] {
        let told = asked(&more);
        assert!(told.contains("unused_line") && told.contains(said), "{told}");
    }
    // What is said of everybody need not be true of each.
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
