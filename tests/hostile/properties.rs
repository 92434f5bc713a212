//! The properties of the fuzz targets, over pieces of the language: a game with its rules and a scenario, broken
//! anywhere, are planned, judged and shown, without a panic and without a character that a terminal would obey.

use std::path::Path;

use proptest::prelude::*;
use referee::report::{Human, check_json, scenes_human, test_json};
use referee::scenario::{Judge, JudgeOptions};

use super::{GAME, host, on_worker};

const RULES: &str = "\
fn turn(me) {
    let n = roll(\"d\");
    event(\"counted\", n);
    let to = choose(me, \"walk\", all_cells());
    me.score += n;
    then(\"more\", me, n);
}
fn more(me, n) { if choose(me, \"pick\", 1..=n) == 1 { then(\"more\", me, n - 1); } }
fn why_not(me, act) { if act.verb == \"walk\" { \"too far\" } }
";

const SCENARIO: &str = "\
use attack
position \"corner\"
  board 4x4
    | r . . .
    | . . . .
    | . . . .
    | . . . b
scenario \"One\"
  from \"corner\"
  always { red.score >= 0 }
  turn red
  roll {n}
  expect asks red walk
  refuse red walk d4 because \"too far\"
  red walk a2
  expect red.score = {n}
  expect events
    > counted {n}
  expect snapshot
  branch \"two\"
  red pick 1
  expect choices pick = 1, 2
  expect { m > n }
  expect { at(cell_named(\"a1\")) == () }
  examples
    | n | m
    | 2 | 3
    | 3 | 4
";

/// Pieces that break things.
const PIECES: [&str; 48] = [
    "",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "\"",
    "'",
    "`${",
    "`",
    "|",
    "| ",
    ">",
    "#",
    "#{",
    "/*",
    "*/",
    "//",
    "\\",
    ",",
    "=",
    "..",
    "-",
    "\n",
    "\r\n",
    "\r",
    "\t",
    "\0",
    "\u{1b}[2J",
    "\u{202e}",
    "\u{feff}",
    "é",
    "🎲",
    "9223372036854775807",
    "99999999999999999999",
    "-1",
    "0",
    "loop {} ",
    "{n}",
    "board 64x64",
    "players",
    "each",
    "const ",
    "fn ",
    "turn red",
    "roll",
    "a1",
];

/// A text with words replaced, put in, or lines taken out.
fn broken(text: &'static str) -> impl Strategy<Value = String> {
    let words: Vec<&str> = text.split_inclusive([' ', '\n']).collect();
    let count = words.len();
    let change = (0..count, prop::sample::select(PIECES.to_vec()), 0..3_u8);
    prop::collection::vec(change, 0..4).prop_map(move |changes| {
        let mut words: Vec<String> = words.iter().map(ToString::to_string).collect();
        for (at, piece, how) in changes {
            match how {
                0 => words[at] = piece.to_owned(),
                1 => words[at].insert_str(0, piece),
                _ => words.swap(at, count - 1 - at / 2),
            }
        }
        words.concat()
    })
}

fn is_plain(text: &str) -> bool {
    !text.contains(|letter: char| letter.is_control() && letter != '\n' && letter != '\t' || letter == '\u{202e}')
}

fn all_of_it(game: &str, rules: &str, scenario: &str) {
    let host = host(rules, scenario).with("games/attack/attack.game", game);
    let mut judge = Judge::new(&host, JudgeOptions::default());
    let wrong = judge.check_game(Path::new("games/attack/attack.game"));
    assert!(!check_json(1, &wrong).is_empty());
    let suite = judge.plan(Path::new("a.scenario"));
    let mut results = Vec::new();
    for test in 0..suite.tests.len() {
        results.push(judge.judge(&suite, test));
        let scenes = judge.scenes(&suite, test).0;
        let shown = scenes_human("it", &scenes.iter().enumerate().collect::<Vec<_>>(), false);
        assert!(is_plain(&shown), "{shown:?}");
        let _ = judge.moves(&suite, test, "red walk to a2");
    }
    let mut human = Human::new(false, true);
    let told = [human.file(&suite.file, &suite.problems, &results), human.summary()].concat();
    assert!(is_plain(&told), "{told:?}");
    assert!(!test_json(&results).is_empty());
}

#[test]
fn what_is_broken_is_whole_at_first() {
    let told = super::told(&host(RULES, SCENARIO));
    assert!(told.contains("0 errored") || !told.contains("errored"), "{told}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn broken_files(game in broken(GAME), rules in broken(RULES), scenario in broken(SCENARIO), which in 0..4_u8) {
        let pick = |at: u8, broken: &str, whole: &str| if which == at || which == 3 { broken.to_owned() } else { whole.to_owned() };
        let (game, rules, scenario) = (pick(0, &game, GAME), pick(1, &rules, RULES), pick(2, &scenario, SCENARIO));
        on_worker(|| all_of_it(&game, &rules, &scenario));
    }
}
