//! Playing the lines of a scenario: players who take part, branches, invariants, refusals, simultaneous decisions.

use super::{Project, Ran};

/// Two players who weigh at once, and may give to whom they like.
const SCALES: &str = "\
game scales \"Scales\"
players 2..3 ann bob cleo
rules \"rules.rhai\"
rulebook \"RULES.md\"
board grid 2x2
die luck 0..1
piece marker for each player symbols a b c
counter score for each player = 0
ask weigh NUMBER
ask give [to PLAYER]
event PLAYER weighs NUMBER
";
const SCALES_RULES: &str = "\
fn turn(me) {
    roll(\"luck\");
    let weights = choose_all(players(), \"weigh\", |player| [1, 2]);
    let who = players();
    for at in 0..len(who) {
        set(who[at], \"score\", weights[at]);
        event(\"weighs\", who[at], weights[at]);
    }
    choose(me, \"give\", players() - [me]);
}
";

fn scales(scenario: &str) -> Ran {
    Project::new()
        .file("games/scales/scales.game", SCALES)
        .file(
            "games/scales/rules.rhai",
            SCALES_RULES.replace("players() - [me]", "players().filter(|other| other != me)"),
        )
        .file("games/scales/RULES.md", "# Scales\n")
        .file("s.scenario", format!("use scales\n\nscenario \"Weighing\"\n{scenario}"))
        .run(&["test", "s.scenario"])
}

fn hop(text: &str) -> Ran {
    Project::hop().file("s.scenario", format!("use hop short\n\n{text}")).run(&["test", "s.scenario"])
}

#[test]
fn those_who_are_asked_at_once_answer_in_any_order_and_nothing_shows_before() {
    let ran = scales(
        "  turn ann\n  roll 1\n  bob weigh 2\n  expect ann.score = 0\n  expect bob.score = 0\n  refuse ann weigh 3\n  \
         ann weigh 1\n  expect bob.score = 2\n  expect ann.score = 1\n  expect events exactly\n    > ann weighs 1\n    > bob weighs 2\n",
    );
    assert_eq!(ran.code, 0, "{}", ran.all());
}

#[test]
fn answers_that_wait_for_others_are_not_dropped() {
    insta::assert_snapshot!(scales("  turn ann\n  roll 1\n  bob weigh 2\n  turn bob\n").all());
}

#[test]
fn a_line_that_fits_several_options_is_ambiguous() {
    insta::assert_snapshot!(
        scales(
            "  players ann bob cleo\n  turn ann\n  roll 1\n  bob weigh 2\n  ann weigh 1\n  cleo weigh 1\n  ann give\n"
        )
        .all()
    );
    let only = scales("  turn ann\n  roll 1\n  bob weigh 2\n  ann weigh 1\n  ann give\n  expect turn bob\n");
    assert_eq!(only.code, 0, "{}", only.all());
}

#[test]
fn a_refusal_stands_where_that_decision_is_pending() {
    let walk = "scenario \"A walk\"\n  turn red\n  roll distance 2\n";
    let refused = hop(&format!("{walk}  refuse red walk to d4\n  refuse blue stop because \"not your turn\"\n"));
    assert_eq!(refused.code, 0, "{}", refused.all());
    insta::assert_snapshot!(hop(&format!("{walk}  refuse blue stop\n")).all());
    let elsewhere = scales("  turn ann\n  roll 1\n  refuse ann give to ann\n");
    assert!(elsewhere.stdout.contains("`give` is not what is asked here"), "{}", elsewhere.stdout);
}

#[test]
fn players_are_those_that_the_position_and_the_play_name_and_not_comments_titles_reasons_or_claims() {
    let quiet = "  cites \"The book of cleo\"\n  turn ann   # cleo looks on\n  roll 1\n  \
         refuse bob weigh 7 because \"cleo\"\n";
    let ran = scales(&format!("{quiet}  expect {{ players().len() == 2 }}\n"));
    // `why_not` returns no reason, so the refusal fails; this test is about the two players.
    assert!(!ran.stdout.contains("this is not true"), "{}", ran.stdout);
    let claimed = scales("  turn ann\n  expect { !players().contains(cleo) && !contains(players(), cleo) }\n");
    assert_eq!(claimed.code, 0, "{}", claimed.all());
    for claim in ["cleo.score = 0", "{ cleo.score == 0 }"] {
        let told = scales(&format!("  turn ann\n  expect {claim}\n"));
        assert!(told.all().contains("`cleo` does not take part in this scenario"), "{}", told.all());
    }
    for line in ["place cleo at a1", "set cleo.score 0", "board\n    | . c\n    | a b\n"] {
        let ran = scales(&format!("  {line}\n  turn ann\n  expect {{ players().contains(cleo) }}\n"));
        assert_eq!(ran.code, 0, "{}", ran.all());
    }
    let shared = "use scales\n\nposition \"all\"\n  place cleo at a1\n\nscenario \"Weighing\"\n  from \"all\"\n  turn ann\n  \
         expect { players().contains(cleo) }\n";
    let project = Project::new()
        .file("games/scales/scales.game", SCALES)
        .file("games/scales/rules.rhai", "fn turn(me) { roll(\"luck\"); }\n")
        .file("games/scales/RULES.md", "# Scales\n")
        .file("s.scenario", shared);
    let ran = project.run(&["test", "s.scenario"]);
    assert_eq!(ran.code, 0, "{}", ran.all());
}

#[test]
fn an_invariant_of_a_branch_holds_from_there_on_and_that_of_the_stem_is_judged_once() {
    let of_branch = hop("scenario \"S\"\n  turn red\n  roll distance 2\n  red walk to b2\n\n  branch \"B\"\n  \
         always { red.score >= 1 }\n  red walk to c3\n");
    assert_eq!(of_branch.code, 0, "{}", of_branch.all());
    let late = hop(
        "scenario \"S\"\n  turn red\n  roll distance 2\n\n  branch \"B\"\n  always { red.score >= 1 }\n  red walk to b2\n",
    );
    assert!(late.stdout.contains("1 passed, 1 failed"), "{}", late.stdout);
    let of_stem =
        hop("scenario \"S\"\n  always { red.score < 1 }\n  turn red\n  roll distance 2\n  red walk to b2\n\n  \
         branch \"B\"\n  red walk to c3\n\n  branch \"C\"\n  red stop\n");
    // The stem fails at b2; B fails at c3, where it adds a point; C adds no point, and has no new position but its end.
    assert_eq!(of_stem.stdout.matches("this is not always true").count(), 2 + 1 + 3, "{}", of_stem.stdout);
}

/// Two house rules with helpers and constants of the same names, over rules that have some, too.
#[test]
fn layers_keep_their_helpers_and_constants_apart() {
    let rules = "\
const PRIZE = 1;
const BONUS = 10;
private fn extra() { 100 }
fn turn(me) { roll(\"luck\"); me.score += gain(); event(\"weighs\", me, me.score); }
fn gain() { PRIZE + extra() }
";
    let one = "\
/// A bonus
const BONUS = 3;
const OWN = #{ extra: 5 };
private fn extra() { OWN.extra + BONUS }
private fn later(me) { me.score += extra(); }
fn gain() { base_gain() + extra() }
fn turn(me) { base_turn(me); then(\"later\", me); }
";
    let two = "/// Another\nconst PRIZE = 2;\nconst OWN = 1000;\nprivate fn extra() { OWN }\nfn gain() { base_gain() + extra() }\n";
    let play = |houses: &str, score: i64| {
        let text =
            format!("use scales\n\nscenario \"S\"\n{houses}  turn ann\n  roll 1\n  expect ann.score = {score}\n");
        let project = Project::new()
            .file("games/scales/scales.game", SCALES)
            .file("games/scales/rules.rhai", rules)
            .file("games/scales/house/one.rhai", one)
            .file("games/scales/house/two.rhai", two)
            .file("games/scales/house/wrong.rhai", "/// A text for a number\nconst PRIZE = \"two\";\n")
            .file("games/scales/house/slip.rhai", "/// A private function\nfn extra() { 3 }\n")
            .file("games/scales/RULES.md", "# Scales\n")
            .file("s.scenario", text);
        project.run(&["test", "s.scenario"])
    };
    let passes = |houses: &str, score: i64| {
        let ran = play(houses, score);
        assert_eq!(ran.code, 0, "{houses}{}", ran.all());
    };
    passes("", 1 + 100);
    // The first house rule has its own value for a constant of the rules: 8 for the gain, 8 for the next phase.
    passes("  with house \"one\"\n", 101 + 8 + 8);
    passes("  with house \"two\"\n", 2 + 100 + 1000);
    passes("  with house \"one\"\n  with house \"two\"\n", 2 + 100 + 8 + 1000 + 8);
    passes("  with house \"two\"\n  with house \"one\"\n", 2 + 100 + 1000 + 8 + 8);
    insta::assert_snapshot!(play("  with house \"wrong\"\n", 1).all());
    insta::assert_snapshot!(play("  with house \"slip\"\n", 1).all());
    insta::assert_snapshot!(play("  with house \"one\"\n  with house \"one\"\n", 1).all());
}
