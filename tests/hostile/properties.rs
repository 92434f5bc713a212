//! The properties of the fuzz targets, for mutated files: a broken game with its rules and a scenario is planned,
//! judged and printed without a panic and without terminal control characters.

use std::path::Path;

use proptest::prelude::*;
use referee_report::{Human, check_json, scenes_human, test_json};
use referee_scenario::{Loader, LoaderOptions};
use referee_source::MemoryHost;

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
  expect { m > n || at(cell_named(\"a1\")) != () }
  expect { at(cell_named(\"a1\")) == () }
  examples
    | n | m
    | 2 | 3
    | 3 | 4
";

/// A game with cards on an open board, whose players are written before them.
const DECK_GAME: &str = r#"game deck "Deck"
players 2..3 ann bob cid
rules "rules.rhai"
board open
die d 1..6
zone deck hidden
zone hand for each player secret
card fighter from "cards.yaml" in deck
property controller for each fighter PLAYER in drawings
counter hits for each fighter
ask strike PIECE
shuffle deck
deal 1 from deck to hand of each player
place ann:Pooga at (0,0), bob:Mud Lark at (1,0)
"#;

/// Its rules.
const DECK_RULES: &str = r#"fn turn(me) {
    let targets = [];
    for cell in occupied() { if !is_face_down(cell) && at(cell).controller != me { targets.push(at(cell)); } }
    let target = choose(me, "strike", targets);
    let card = piece("Pooga");
    let shown = roll("d");
    let row = card.attack[shown - 1];
    let damage = if row.missed == true { 0 } else { Fn(card.ability).call(row.damage) };
    target.hits += damage;
    if target.hits >= card.stats.life { lift(target); win(me); }
}
"#;

/// Its scenario.
const DECK_SCENARIO: &str = r#"use deck

scenario "One"
  board
    | ann:Pooga bob:(M) cid:imp
    | at (0,0)
  place bob:Slug at (5,5)
  set Mud Lark.hits 1
  deck: imp …
  turn ann
  ann strike Slug
  roll 4
  expect board
    | ann:Pooga bob:(?) cid:imp
    | at (0,0)
  expect winner ann
  expect deck = imp …
"#;

/// Its deck, with everything that is printed on cards.
const DECK_CARDS: &str = r#"rules: abilities.rhai
printed:
  clan: slime|feather
  flies: FLAG
  words: LIST of TEXT
  note: VALUE
  stats: {life: NUMBER, names: LIST of TEXT}
  ability: FUNCTION
  attack: {each: d, damage: NUMBER, missed: FLAG}
cards:
  - name: Pooga
    clan: slime
    words: [a, two words]
    note: {deep: [1, {x: y}]}
    stats: {life: 6}
    ability: twice
    attack:
      1: {missed: true}
      2-3: {damage: 1}
      4-6: {damage: 3}
  - {name: Mud Lark, symbol: M, clan: feather, flies: true}
  - {name: Slug, stats: {life: 1, names: []}}
  - {name: imp, count: 5}
"#;

/// The script beside the deck.
const DECK_SCRIPT: &str = r#"fn twice(damage) { damage * 2 }
"#;

/// Pieces that break things.
const PIECES: [&str; 53] = [
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
    ":",
    "ann:",
    "bob:(?)",
    "(M)",
    "- ",
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

fn all_of_it(host: &MemoryHost, game: &str) {
    let mut loader = Loader::new(host, LoaderOptions::default());
    let wrong = referee_scenario::check_game(&mut loader, Path::new(game));
    assert!(!check_json(1, &wrong, &[]).is_empty());
    let suite = referee_scenario::plan(&mut loader, Path::new("a.scenario"));
    let mut results = Vec::new();
    for test in 0..suite.tests.len() {
        results.push(referee_scenario::judge(&mut loader, &suite, test));
        let scenes = referee_scenario::scenes(&mut loader, &suite, test).0;
        let shown = scenes_human("it", &scenes.iter().enumerate().collect::<Vec<_>>(), false);
        assert!(is_plain(&shown), "{shown:?}");
        let _ = referee_scenario::moves(&mut loader, &suite, test, "red walk to a2");
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

fn deck(game: &str, scenario: &str, cards: &str, script: &str) -> MemoryHost {
    MemoryHost::default()
        .with("games/deck/deck.game", game)
        .with("games/deck/rules.rhai", DECK_RULES)
        .with("games/deck/cards.yaml", cards)
        .with("games/deck/abilities.rhai", script)
        .with("a.scenario", scenario)
}

#[test]
fn the_deck_is_whole_at_first() {
    let told = super::told(&deck(DECK_GAME, DECK_SCENARIO, DECK_CARDS, DECK_SCRIPT));
    assert!(told.contains("1 passed, 0 failed"), "{told}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn broken_files(game in broken(GAME), rules in broken(RULES), scenario in broken(SCENARIO), which in 0..4_u8) {
        let pick = |at: u8, broken: &str, whole: &str| if which == at || which == 3 { broken.to_owned() } else { whole.to_owned() };
        let (game, rules, scenario) = (pick(0, &game, GAME), pick(1, &rules, RULES), pick(2, &scenario, SCENARIO));
        let host = host(&rules, &scenario).with("games/attack/attack.game", &game);
        on_worker(|| all_of_it(&host, "games/attack/attack.game"));
    }
}

proptest! {
    // Fewer: an open board is large.
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn broken_decks(
        game in broken(DECK_GAME),
        scenario in broken(DECK_SCENARIO),
        cards in broken(DECK_CARDS),
        script in broken(DECK_SCRIPT),
        which in 0..4_u8,
    ) {
        let pick = |at: u8, broken: &str, whole: &str| if which == at { broken.to_owned() } else { whole.to_owned() };
        let host = deck(
            &pick(0, &game, DECK_GAME),
            &pick(1, &scenario, DECK_SCENARIO),
            &pick(2, &cards, DECK_CARDS),
            &pick(3, &script, DECK_SCRIPT),
        );
        on_worker(|| all_of_it(&host, "games/deck/deck.game"));
    }
}
