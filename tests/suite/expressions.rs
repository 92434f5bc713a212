//! Expressions in lines, which may use library functions that the rules of the game never call, and reasons for refusals.

use std::path::Path;

use referee_scenario::{Loader, LoaderOptions};
use referee_source::MemoryHost;

use super::HOP;

#[test]
fn functions_that_the_rules_do_not_call_are_there() {
    let lines = "  turn red
  expect { [1, 2, 3].filter(|n| n > 1).len() == 2 }
  expect { [3, 1].order() == [1, 3] && [1, 2].map(|n| n * 2).reduce(|all, n| all + n, 0) == 6 }
  expect { [\"a\"].some(|word| word == \"a\") && [1, 2].index_of(|n| n == 2) == 1 }
  expect { [1, 2].filter(|n| n > 1).len() == 1 }
  expect { let least = 1; [1, 2].filter(|n| n > least).len() == 1 }
";
    let host = HOP.iter().fold(MemoryHost::default(), |host, (path, text)| host.with(*path, *text));
    let host = host.with("a.scenario", format!("use hop short\nscenario \"a\"\n{lines}"));
    let rules = HOP[1].1;
    assert!(["filter", "order", "reduce", "some", "index_of"].iter().all(|name| !rules.contains(&format!(".{name}("))));
    let mut loader = Loader::new(&host, LoaderOptions::default());
    let suite = referee_scenario::plan(&mut loader, Path::new("a.scenario"));
    let judged = referee_scenario::judge(&mut loader, &suite, 0);
    assert!(suite.problems.is_empty() && judged.failures.is_empty(), "{:?} {:?}", suite.problems, judged.failures);
}

#[test]
fn who_does_not_take_part_neither_wins_nor_has_a_turn() {
    let game = "game trio \"Trio\"\nplayers 2..3 ann ben cay\nrules \"rules.rhai\"\nask stop\n";
    for rules in ["win(cay)", "win([ann, cay])", "lose(cay)", "next_turn(cay)"] {
        let host = MemoryHost::default()
            .with("games/trio/trio.game", game)
            .with("games/trio/rules.rhai", format!("fn turn(me) {{ {rules}; }}"))
            .with("a.scenario", "use trio\nscenario \"a\"\n  players ann ben\n  turn ann\n");
        let mut loader = Loader::new(&host, LoaderOptions::default());
        let suite = referee_scenario::plan(&mut loader, Path::new("a.scenario"));
        let judged = referee_scenario::judge(&mut loader, &suite, 0);
        let told: Vec<_> = judged.failures.iter().map(|failure| failure.diagnostic.message.as_str()).collect();
        assert_eq!(told, ["cay does not take part in this game"], "{rules} {:?}", suite.problems);
    }
}

/// A board of a single column, on which every step to the west leads off it.
#[test]
fn a_piece_off_the_board_never_leaves_it() {
    let lines = "  expect { cells(marker(red)).is_empty() }
  expect { !leaves(marker(red), direction_named(\"W\")) }
  expect { leaves(marker(blue), direction_named(\"W\")) }
  expect { !leaves(marker(blue), direction_named(\"S\")) }
";
    let game = "game file \"File\"\nplayers 2 red blue\nrules \"rules.rhai\"\nboard grid 1x5\n\
                directions 4 clockwise from north\npiece marker for each player symbols r b\nask stop\n";
    let host = MemoryHost::default()
        .with("games/file/file.game", game)
        .with("games/file/rules.rhai", "fn turn(me) { choose(me, \"stop\", [()]); }")
        .with("a.scenario", format!("use file\nscenario \"a\"\n  place blue at a5\n{lines}"));
    let mut loader = Loader::new(&host, LoaderOptions::default());
    let suite = referee_scenario::plan(&mut loader, Path::new("a.scenario"));
    let judged = referee_scenario::judge(&mut loader, &suite, 0);
    assert!(suite.problems.is_empty() && judged.failures.is_empty(), "{:?} {:?}", suite.problems, judged.failures);
}

#[test]
fn a_column_may_be_used_in_a_condition_alone() {
    let lines = "  turn red
  roll distance 1
  expect chance red resting >= 0.01
    when red stop if { red.score <= most }
    when red policy random
    when blue policy random
  examples
    | most |
    | 3    |
";
    let host = HOP.iter().fold(MemoryHost::default(), |host, (path, text)| host.with(*path, *text));
    let host = host.with("a.scenario", format!("use hop short\nscenario \"a\"\n{lines}"));
    let mut loader = Loader::new(&host, LoaderOptions::default());
    let suite = referee_scenario::plan(&mut loader, Path::new("a.scenario"));
    assert!(suite.problems.is_empty(), "{:?}", suite.problems);
}

#[test]
fn a_reason_that_is_no_string_is_reported_at_its_function() {
    let host = HOP.iter().fold(MemoryHost::default(), |host, (path, text)| host.with(*path, *text));
    let host = host.with("games/hop/house/odd.rhai", "fn why_not(me, act) { 3 }\n");
    let lines = "  with house \"odd\"\n  turn red\n  roll distance 2\n  refuse red walk to c3\n";
    let host = host.with("a.scenario", format!("use hop short\nscenario \"a\"\n{lines}"));
    let mut loader = Loader::new(&host, LoaderOptions::default());
    let suite = referee_scenario::plan(&mut loader, Path::new("a.scenario"));
    let judged = referee_scenario::judge(&mut loader, &suite, 0);
    let [failure] = judged.failures.as_slice() else { unreachable!("{:?} {:?}", suite.problems, judged.failures) };
    let wrong = &failure.diagnostic;
    assert_eq!(wrong.message, "`why_not` returned neither a string nor `()`");
    let places = wrong.labels.iter().map(|label| (label.source.name(), label.source.slice(label.span)));
    assert_eq!(
        places.clone().next(),
        Some(("games/hop/house/odd.rhai", "why_not")),
        "{:?}",
        places.collect::<Vec<_>>()
    );
}
