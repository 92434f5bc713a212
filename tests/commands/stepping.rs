//! `referee show` line by line and as a player sees it, and what `referee play` shows.

use insta::assert_snapshot;

use super::Project;

const GAME: &str = "game tricks \"Tricks\"\nplayers 2 ann bob\nrules \"rules.rhai\"\nboard grid 3x2\npiece king for each player symbols A B\n\
                    zone deck hidden\nzone hand for each player secret\nzone heap\ncard trick from \"cards.yaml\" in deck\n\
                    counter score for each player = 0\ncounter pot = 5\nrecord counter plays for each player\n\
                    ask play PIECE \"Play\"\nask pass \"Pass\"\nevent PLAYER plays PIECE\nplace ann at a1, bob at c2\n\
                    hand ann: ace two\nhand bob: two\n";

const RULES: &str = "fn turn(me) {
    let options = [may(\"pass\")];
    for card in cards(hand(me)) { options.push(may(\"play\", card)); }
    let act = choose(me, \"play\", options);
    if act.verb == \"play\" {
        move_card(act.value, hand(me), heap);
        me.score += act.value.worth;
        tally(me, \"plays\", 1);
        event(\"plays\", me, act.value);
    }
}
";

const CARDS: &str = "printed: {worth: NUMBER, clan: TEXT, flies: FLAG}\ncards:\n  - {name: ace, count: 3, worth: 11, clan: moles, flies: true}\n  - {name: two, count: 3, worth: 2}\n";

const SCENARIO: &str = "use tricks\n\nscenario \"A game\"\n  turn ann\n  ann play ace\n  bob play two\n  ann pass\n  expect ann.score = 11\n";

fn project() -> Project {
    Project::new()
        .file("games/tricks/tricks.game", GAME)
        .file("games/tricks/rules.rhai", RULES)
        .file("games/tricks/cards.yaml", CARDS)
        .file("a.scenario", SCENARIO)
}

#[test]
fn every_line_of_play_has_its_position() {
    assert_snapshot!(project().run(&["show", "a.scenario", "--all"]).all());
}

#[test]
fn a_player_sees_their_own_cards_and_the_author_all() {
    let project = project();
    let seen = |arguments: &[&str]| project.run(&[&["show", "a.scenario", "--step", "1"], arguments].concat());
    assert_snapshot!(format!(
        "{}\n\n{}\n\n{}",
        seen(&[]).all(),
        seen(&["--view", "ann"]).all(),
        seen(&["--view", "bob"]).all()
    ));
    let picture = |arguments: &[&str]| seen(&[&["--format", "svg"], arguments].concat()).stdout;
    let cards = |picture: &str| [">ace<", ">two<"].map(|card| picture.contains(card));
    assert_eq!(cards(&picture(&[])), [true, true]);
    assert_eq!(cards(&picture(&["--view", "ann"])), [true, true]);
    assert_eq!(cards(&picture(&["--view", "bob"])), [false, true]);
    assert_snapshot!("view_of_nobody", seen(&["--view", "bop"]).all());
}

/// Amounts at their start, what is printed on offered cards, and counts of zones; no records.
#[test]
fn who_plays_sees_what_matters() {
    let ran = project().run_with(&["play", "tricks", "--policy", "bob=random"], "options\nplay ace\nshow\nquit\n");
    assert_snapshot!(ran.all());
    assert!(!ran.stdout.contains("plays ="), "a record is shown");
}
