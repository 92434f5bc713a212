//! Lines of scenarios, played in a small game of cards and pieces: `from setup`, `expect perft`, arguments, `not`.

use std::path::Path;

use referee_diagnostic::Renderer;
use referee_play::{Playouts, StrategyProfile};
use referee_scenario::{Loader, LoaderOptions, Origin};
use referee_source::MemoryHost;

const GAME: &str = "game fort \"Fort\"\nplayers 2..3 ann bob cem\nrules \"rules.rhai\"\nrulebook \"RULES.md\"\nboard grid 4x3\n\
                    piece lord for each player symbols A B C\npiece wall 1..2\npiece pawn many symbol p\n\
                    zone deck hidden\nzone hand for each player secret\nzone heap\ncard trick from \"cards.yaml\" in deck\n\
                    flag tired for each player\ncounter score for each player = 0\nproperty way for each player TEXT\n\
                    ask step CELL \"Step\"\nask rest \"Rest\"\nevent PLAYER steps to CELL\nevent says TEXT\n\
                    place ann at a1, bob at a3, wall 1 at c2\nset ann.score 2\nhand ann: ace\nclause S1\n\
                    shuffle deck\ndeal 1 from deck to hand of bob\n\
                    variant plain\nvariant other\n  place cem at d1\n  set bob tired\n";

const RULES: &str = r#"
fn turn(me) {
    let options = [may("rest")];
    for to in around(cells(lord(me))) - occupied() { options.push(may("step", to)); }
    act(me, choose(me, "step", options), true);
}

fn act(me, what, loud) {
    if what.verb != "step" { return; }
    place(lord(me), what.value);
    if loud { event("steps", me, what.value); }
}

fn put(me, targets, loud) {
    for target in targets { place(pawn, target); }
    if loud { event("says", `${targets.len}`); }
}

fn mark(me, names, pair) {
    me.way = names[0];
    me.score = pair[0][1] + pair[1].len;
}

fn fill(free, why) {
    if why == () { for cell in free { place(pawn, cell); } }
}
"#;

fn host(lines: &str) -> MemoryHost {
    MemoryHost::default()
        .with("games/fort/fort.game", GAME)
        .with("games/fort/rules.rhai", RULES)
        .with("games/fort/RULES.md", "[S1] The set-up.\n")
        .with("games/fort/cards.yaml", "cards:\n  - {name: ace, count: 2}\n  - {name: two, count: 3}\n")
        .with("a.scenario", lines)
}

/// Returns the messages of a scenario file; empty if it passes.
fn said_of(file: &str) -> String {
    let (problems, failures) = super::failures(&host(file));
    let failed: Vec<String> = failures
        .into_iter()
        .map(|failure| {
            let values = failure.expected.map(|expected| format!("expected: {expected}\n")).unwrap_or_default();
            let actual = failure.actual.map(|actual| format!("actual: {actual}\n")).unwrap_or_default();
            format!("{}\n{values}{actual}", Renderer::default().render(&failure.diagnostic))
        })
        .collect();
    let problems = problems.iter().map(|problem| format!("{}\n", Renderer::default().render(problem)));
    problems.chain(failed).collect()
}

fn said(lines: &str) -> String {
    said_of(&format!("use fort\n\nscenario \"a\"\n{lines}"))
}

/// Returns the messages for each of these lines.
fn all_said(lines: &[&str]) -> String {
    lines.iter().map(|line| format!("{line}\n{}\n", said(&format!("{line}\n")))).collect()
}

#[test]
fn a_position_changes_the_set_up() {
    let lines = "  covers S1
  players ann bob
  from setup
  place bob at d3, wall 1 off, wall 2 at c2, pawn at b2
  set bob tired
  set bob.score 4
  expect ann at a1
  expect bob at d3
  expect wall 1 off
  expect c2 holds wall 2
  expect b2 holds pawn
  expect ann.score = 2
  expect bob.score = 4
  expect bob tired
  expect hand ann = ace
  expect hand bob empty
  expect deck count 4
  turn ann
  ann step b1
  expect ann at b1
";
    assert_eq!(said(lines), "");
}

#[test]
fn the_set_up_is_that_of_the_variant_and_of_those_who_play() {
    let file = "use fort other

position \"tired\"
  from setup
  set ann tired

scenario \"all three\"
  players ann bob cem
  from \"tired\"
  expect cem at d1
  expect ann tired
  expect bob tired

scenario \"without cem\"
  players ann bob
  from setup
  place ann at b1
  expect d1 empty
  expect a3 holds bob

scenario \"a diagram shows the whole board, and no values\"
  players ann bob
  from setup
  board
    | . . . .
    | . A B .
    | . . . .
  expect board
    | . . . .
    | . A B .
    | . . . .
  expect ann.score = 2
  expect bob tired
  expect hand ann = ace

scenario \"a cell is emptied for another piece\"
  players ann bob
  from setup
  place none at c2, pawn at c2, none at a1
  expect c2 holds pawn
  expect wall 1 off
  expect ann off

scenario \"dealt\"
  players ann bob
  from setup
  hand ann: two
  setup
  draw two
  expect hand ann = two
  expect hand bob = two
  expect ann at a1
";
    assert_eq!(said_of(file), "");
}

#[test]
fn wrong_set_ups_are_explained() {
    let lines = [
        "  place ann at b1\n  from setup\n  turn ann",
        "  from setup\n  from setup\n  place ann at b1\n  turn ann",
        "  from setup\n  place pawn at c2\n  turn ann",
        "  from setup\n  place cem at a1\n  turn ann",
        "  from setup\n  hand bob: ace ace\n  turn ann",
        "  from setup\n  place none at d3\n  turn ann",
        "  place pawn at d3, none at d3\n  turn ann",
        "  from set-up\n  place ann at b1\n  turn ann",
        "  from setup now\n  turn ann",
        "  board 5x5\n  from setup\n  place ann at b1\n  turn ann",
    ];
    insta::assert_snapshot!(all_said(&lines));
}

#[test]
fn sequences_are_counted_as_perft_counts_them() {
    let scenario = "use fort\n\nscenario \"a\"\n  players ann bob\n  turn ann\n";
    for depth in 1..=4 {
        let host = host(scenario);
        let mut loader = Loader::new(&host, LoaderOptions::default());
        let suite = referee_scenario::plan(&mut loader, Path::new("a.scenario"));
        let counted = referee_scenario::perft(&mut loader, &suite, 0, depth).unwrap();
        let total: u64 = counted.counts.iter().map(|(_, count)| count).sum();
        assert!(total >= 3, "{depth}");
        assert_eq!(said(&format!("  players ann bob\n  turn ann\n  expect perft {depth} = {total}\n")), "");
        let other = said(&format!("  players ann bob\n  turn ann\n  expect perft {depth} = {}\n", total + 1));
        assert!(other.contains(&format!("{total} sequences of {depth} answer")), "{other}");
    }
}

/// The sequences of 1, 2 … answers together may be as many as the limit, and no more.
#[test]
fn a_limit_is_a_number_of_sequences() {
    let totals: Vec<u64> = (1..=3)
        .map(|depth| {
            let host = host("use fort\n\nscenario \"a\"\n  players ann bob\n  turn ann\n");
            let mut loader = Loader::new(&host, LoaderOptions::default());
            let suite = referee_scenario::plan(&mut loader, Path::new("a.scenario"));
            let counted = referee_scenario::perft(&mut loader, &suite, 0, depth).unwrap();
            counted.counts.iter().map(|(_, count)| count).sum()
        })
        .collect();
    let all: u64 = totals.iter().sum();
    let line = |limit: u64, end: &str| {
        said(&format!("  players ann bob\n  turn ann\n  expect perft 3 = {} up to {limit} states{end}\n", totals[2]))
    };
    assert_eq!(line(all, ""), "");
    assert!(line(all - 1, "").contains("not decided"), "{}", line(all - 1, ""));
    assert_eq!(line(all - 1, " or undecided"), "");
}

#[test]
fn wrong_counts_are_explained() {
    let lines = [
        "  turn ann\n  expect perft 2 = 5",
        "  turn ann\n  expect perft",
        "  turn ann\n  expect perft three = 5",
        "  turn ann\n  expect perft 0 = 5",
        "  turn ann\n  expect perft 65 = 5",
        "  turn ann\n  expect perft 2",
        "  turn ann\n  expect perft 2 5",
        "  turn ann\n  expect perft 2 =",
        "  turn ann\n  expect perft 2 = many",
        "  turn ann\n  expect perft 2 = 99999999999999999999",
        "  turn ann\n  expect perft 2 = 5 within 3 turns",
        "  turn ann\n  expect perft 2 = 5 up to 3 MB",
        "  turn ann\n  expect perft 5 = 5 up to 10 states",
        "  expect perft 2 = 5",
        "  turn ann\n  expect never perft 2 = 5",
    ];
    insta::assert_snapshot!(all_said(&lines));
}

#[test]
fn arguments_are_booleans_lists_sets_and_none() {
    let lines = "  do put ann [b1, c1 d1] true
  expect b1 holds pawn
  expect d1 holds pawn
  expect events exactly
    > says 3
  do put ann [] false
  expect events exactly
  do mark ann [\"far away\", \"near\"] [[1, 2], [ann, bob, lost]]
";
    // `lost` names nothing.
    assert!(said(lines).contains("unknown name `lost`"), "{}", said(lines));
    let lines = lines.replace(", lost", ", wall 1");
    let lines = format!(
        "{lines}  expect ann.way = \"far away\"\n  expect ann.score = 5\n  do fill cells [a2, b2] none\n  expect b2 holds pawn\n  do fill cells [] \"none\"\n"
    );
    assert_eq!(said(&lines), "");
    let table = "  do put ann {targets} {loud}\n  expect c1 holds pawn\n  examples\n    | targets  | loud  |\n    | [c1, d1] | true  |\n    | [c1]     | false |\n";
    assert_eq!(said(table), "");
}

/// A recorded game begins with the lines of its scenario, whose arguments are read again.
#[test]
fn arguments_are_written_as_they_are_read() {
    let lines = "  players ann bob\n  resume put ann [b1, [], d1] true\n";
    assert!(said(lines).contains("place"), "a list is no cell: {}", said(lines));
    let begin = "  resume told ann [b1, [true, \"far away\"], []] cells [d1, c1] none wall 2\n";
    let told = "\nfn told(me, list, free, nothing, piece) {\n    me.score = list.len + count(free);\n}\n";
    let host = host(&format!("use fort\n\nscenario \"a\"\n  players ann bob\n{begin}"))
        .with("games/fort/rules.rhai", format!("{RULES}{told}"));
    let mut loader = Loader::new(&host, LoaderOptions::default());
    let origin = Origin::Scenario { file: "a.scenario".into(), title: None, game: "fort".into() };
    let stage = referee_scenario::stage(&mut loader, &origin).unwrap();
    let strategy = StrategyProfile::default();
    let games =
        Playouts { rollouts: None, program: &stage.program, start: &stage.start, strategy: &strategy, max_plies: 4 };
    let record = stage.record("recorded", &[], &games.play(3, 0, true));
    assert!(
        record.contains("  resume told ann [b1, [true, \"far away\"], []] cells [c1, d1] none wall 2\n"),
        "{record}"
    );
    let again = host.with("a.scenario", record.as_str());
    let mut loader = Loader::new(&again, LoaderOptions::default());
    let suite = referee_scenario::plan(&mut loader, Path::new("a.scenario"));
    assert!(suite.problems.is_empty(), "{record}\n{:?}", suite.problems);
    let judged = referee_scenario::judge(&mut loader, &suite, 0);
    assert!(judged.failures.is_empty(), "{record}\n{:?}", judged.failures);
}

#[test]
fn wrong_arguments_are_explained() {
    let lines = [
        "  do put ann [b1, c1 true",
        "  do put ann b1] true",
        "  do put ann [b1, z9] true",
        "  do fill cells [b1, 3] none",
        "  do put ann yes no",
    ];
    insta::assert_snapshot!(all_said(&lines));
}

#[test]
fn a_claim_with_not_is_the_contrary() {
    let right = "  players ann bob
  turn ann
  expect not ann at b1
  expect ann not at b1
  expect not wall 1 off
  expect wall 1 not off
  expect a1 not empty
  expect not a1 empty
  expect a1 not holds bob
  expect not ann tired
  expect two not in hand ann
  expect not hand ann = two
  expect hand ann not empty
  expect not ann.score = 3
  expect not winner ann
  expect not turn bob
  expect not over
  expect never not ann.score = 2 within 2 turns
  expect reachable ann not at a1 within 1 turn
";
    assert_eq!(said(right), "");
    let wrong = [
        "  turn ann\n  expect not ann at a1",
        "  turn ann\n  expect ann not at a1",
        "  turn ann\n  expect b1 not empty",
        "  turn ann\n  expect a1 not holds ann",
        "  turn ann\n  expect not ann.score = 2",
        "  turn ann\n  expect ace not in hand ann",
        "  turn ann\n  expect not turn ann",
        "  turn ann\n  expect ann not not at b1",
        "  turn ann\n  expect not board",
        "  turn ann\n  expect not",
        "  turn ann\n  expect not ann at z9",
    ];
    insta::assert_snapshot!(all_said(&wrong));
}
