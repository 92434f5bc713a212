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
