//! Several players who are asked at once: whose options a line means, and who still owes an answer.

use std::path::Path;

use referee_diagnostic::Diagnostic;
use referee_scenario::{Loader, LoaderOptions};
use referee_source::MemoryHost;

const GAME: &str = "game bids \"Bids\"\nplayers 2..3 ann ben cem\nrules \"rules.rhai\"\ncounter coins for each player = 0\n\
                    ask bid NUMBER\nask pass\nevent PLAYER bids NUMBER\n";
const RULES: &str = "fn turn(me) {
    let bids = choose_all(players(), \"bid\", |p| if p.coins > 5 { [may(\"pass\"), may(\"bid\", 9)] } else { of(p.coins) });
    for n in 0..bids.len { event(\"bids\", players()[n], bids[n].value); }
    choose(me, \"pass\", [may(\"pass\")]);
}
fn of(coins) { let all = []; for n in 0..=coins { all.push(may(\"bid\", n)); } all }
fn why_not(me, act) { if act.verb == \"bid\" && act.value > me.coins { return \"not enough coins\"; } }
";
const POSITION: &str = "  players ann ben\n  set ann.coins 1\n  set ben.coins 3\n  turn ann\n";

fn host(lines: &str) -> MemoryHost {
    MemoryHost::default()
        .with("games/bids/bids.game", GAME)
        .with("games/bids/rules.rhai", RULES)
        .with("a.scenario", format!("use bids\nscenario \"a\"\n{POSITION}{lines}"))
}

/// Returns the errors of a scenario: of its lines, or of its run.
fn errors(lines: &str) -> Vec<Diagnostic> {
    let host = host(lines);
    let mut loader = Loader::new(&host, LoaderOptions::default());
    let suite = referee_scenario::plan(&mut loader, Path::new("a.scenario"));
    let results = (0..suite.tests.len()).flat_map(|at| referee_scenario::judge(&mut loader, &suite, at).failures);
    let failed: Vec<Diagnostic> = results.map(|failure| failure.diagnostic).collect();
    suite.problems.into_iter().chain(failed).collect()
}

fn passes(lines: &str) {
    let found = errors(lines);
    assert!(found.is_empty(), "{lines}{found:?}");
}

fn fails(lines: &str, message: &str) {
    let found = errors(lines);
    assert!(found.iter().any(|wrong| wrong.message.contains(message)), "{lines}{message}: {found:?}");
}

#[test]
fn a_line_names_the_player_whose_options_it_means() {
    let wrong = ["bid = 0, 1, 2, 3", "= bid 0, bid 1", "bid count 4", "count 6", "bid includes 1", "bid excludes 5"];
    for rest in wrong {
        fails(&format!("  expect choices {rest}\n"), "ann and ben are asked at once");
    }
    let found = errors("  expect choices bid count 4\n");
    assert_eq!(found[0].help.as_deref(), Some("name the player: `expect choices ann bid count 4`"));
    passes(
        "  expect choices ann bid = 0, 1\n  expect choices ann = bid 0, bid 1\n  expect choices ann bid count 2\n  \
         expect choices ann count 2\n  expect choices ben bid = 0, 1, 2, 3\n  expect choices ben bid count 4\n  \
         expect choices ben bid includes 3\n  expect choices ann bid excludes 2, 3\n  expect choices ann excludes pass\n",
    );
    fails("  expect choices ann bid = 0, 1, 2, 3\n", "not offered: bid 2, bid 3");
    fails("  expect choices ann bid count 4\n", "the number of choices is 2, not 4");
    fails("  expect choices ben bid excludes 2\n", "offered after all");
    fails("  expect choices dan bid = 0\n", "unknown player `dan`");
    fails("  expect choices cem bid = 0\n", "`cem` does not take part");
    fails("  expect choices ann bod = 0\n", "the rules never ask `bod`");
}

#[test]
fn the_same_number_is_counted_and_listed() {
    for (player, coins) in [("ann", 1), ("ben", 3)] {
        for claimed in 0..6_usize {
            let list: Vec<String> = (0..claimed).map(|bid| bid.to_string()).collect();
            let listed = format!("  expect choices {player} bid = {}\n", list.join(", "));
            let counted = format!("  expect choices {player} bid count {claimed}\n");
            let right = claimed == coins + 1;
            assert_eq!(errors(&counted).is_empty(), right, "{counted}");
            if claimed > 0 {
                assert_eq!(errors(&listed).is_empty(), right, "{listed}");
            }
        }
    }
}

#[test]
fn who_has_answered_owes_nothing() {
    let first = "  ann bid 1\n";
    // Only ben is asked now, so the player may be left out.
    passes(&format!(
        "{first}  expect asks ben bid\n  expect choices bid = 0, 1, 2, 3\n  expect choices bid count 4\n  \
         expect choices ben bid count 4\n  refuse ann bid 0 because \"not your turn\"\n  \
         refuse ben bid 4 because \"not enough coins\"\n  ben bid 3\n  expect asks ann pass\n  expect events exactly\n    \
         > ann bids 1\n    > ben bids 3\n"
    ));
    fails(&format!("{first}  expect asks ann bid\n"), "the rules do not ask this");
    fails(&format!("{first}  refuse ann bid 0\n"), "ann is not asked here: asks ben bid");
    fails(&format!("{first}  expect choices ann bid = 0, 1\n"), "not offered: bid 0, bid 1");
    fails(&format!("{first}  expect choices ann bid excludes 5\n"), "the rules do not ask `ann bid` here");
    fails(&format!("{first}  ann bid 0\n"), "ann has answered already");
    fails(&format!("{first}  turn ben\n"), "not all players who are asked at once have answered: asks ben bid");
    // In either order.
    passes("  ben bid 2\n  expect asks ann bid\n  expect choices bid = 0, 1\n  ann bid 0\n  expect asks ann pass\n");
    // With other verbs, each player has options of their own.
    fails("  ben bid 2\n  ann pass\n", "the rules do not offer `pass`");
}

#[test]
fn branches_and_rows_keep_who_has_answered() {
    passes(
        "  ann bid 1\n  branch \"low\"\n  expect choices bid count 4\n  ben bid 0\n  branch \"high\"\n  \
         expect asks ben bid\n  refuse ann bid 0 because \"not your turn\"\n  ben bid 3\n",
    );
    passes(
        "  expect choices {who} bid count {most}\n  examples\n    | who | most |\n    | ann | 2 |\n    | ben | 4 |\n",
    );
}

#[test]
fn moves_and_answers_are_those_that_are_owed() {
    let at = |lines: &str, words: &str| {
        let host = host(lines);
        let mut loader = Loader::new(&host, LoaderOptions::default());
        let suite = referee_scenario::plan(&mut loader, Path::new("a.scenario"));
        referee_scenario::moves(&mut loader, &suite, 0, words).unwrap()
    };
    let both = at("", "");
    assert_eq!(both.asks, "asks ann bid and ben bid");
    assert_eq!(both.options, ["ann bid 0", "ann bid 1", "ben bid 0", "ben bid 1", "ben bid 2", "ben bid 3"]);
    let owed = at("  ann bid 1\n", "ann bid 0");
    assert_eq!((owed.asks.as_str(), owed.options.len()), ("asks ben bid", 4));
    assert_eq!(owed.refused.and_then(|refused| refused.reason).as_deref(), Some("not your turn"));
    assert!(at("  ann bid 1\n", "ben bid 3").allowed.is_some());
}
