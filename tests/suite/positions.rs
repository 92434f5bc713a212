//! Lines of a position are read alike in the set-up of a game file and in a scenario.

use std::path::Path;

use referee_scenario::{Loader, LoaderOptions};
use referee_source::MemoryHost;
use referee_trace::Status;

/// A game with a board, cards and values.
const GAME: &str = "game yard \"Yard\"
players 2 red blue
rules \"rules.rhai\"
board grid 4x3
piece man many for each player symbols r b
piece cart size 2x1 symbol C
piece dog symbol D
card trick from \"cards.yaml\" in deck
zone deck hidden
zone hand for each player secret
zone heap
property owner for each dog PLAYER in drawings
property kennel CELL
counter score for each player
flag ready for each player
ask pass
";

const CARDS: &str = "cards:\n  - name: ace\n  - name: two\n    count: 2\n";
const RULES: &str = "fn turn(me) { choose(me, \"pass\", [may(\"pass\")]); }\n";

/// Lines with one error each.
const WRONG: [&str; 27] = [
    "place cat at a1",
    "place dog at z9",
    "place dog at A1",
    "place dog",
    "place dog at a1 b1",
    "place dog at a1, dog at a2",
    "place dog at a1, cart at a1",
    "place cart at d1",
    "place dog at a1 face down",
    "place ace at a1, ace at b1 face down",
    "place two at a1, two at b1, two at c1 face down",
    "place green:dog at a1",
    "place red:cart at a1",
    "place red:dog off",
    "set red.score ten",
    "set red score 3",
    "set green.score 3",
    "set red.score 1, blue.score 2",
    "set red ready and blue ready",
    "set dog.owner green",
    "hand: ace",
    "hand green: ace",
    "hand red x: ace",
    "heap: ace ace",
    "heap: ace three",
    "haep: ace",
    "plaec dog: a1",
];

/// Two lines that contradict each other.
const CONTRARY: [(&str, &str); 5] = [
    ("set red.score 1", "set red.score 2"),
    ("heap: ace", "heap: two"),
    ("place dog at a1", "place dog at b1"),
    ("place red:dog at a1", "set dog.owner blue"),
    ("place dog at a1", "place red man at a1"),
];

fn host(set_up: &str, position: &str) -> MemoryHost {
    let scenario = format!("use yard\n\nscenario \"It\"\n{position}  turn red\n");
    MemoryHost::default()
        .with("games/yard/yard.game", format!("{GAME}variant plain\n{set_up}"))
        .with("games/yard/cards.yaml", CARDS)
        .with("games/yard/rules.rhai", RULES)
        .with("a.scenario", scenario)
}

/// Returns the errors of a test: code, message, help, and the words underlined.
fn errors(set_up: &str, position: &str) -> Vec<[String; 4]> {
    let host = host(set_up, position);
    let mut loader = Loader::new(&host, LoaderOptions::default());
    let suite = referee_scenario::plan(&mut loader, Path::new("a.scenario"));
    let mut wrong = suite.problems.clone();
    for index in 0..suite.tests.len() {
        let result = referee_scenario::judge(&mut loader, &suite, index);
        wrong.extend(result.failures.iter().map(|failure| failure.diagnostic.clone()));
        assert!(result.status != Status::Passed || wrong.is_empty(), "{wrong:?}");
    }
    let shown = |wrong: &referee_diagnostic::Diagnostic| {
        let first = wrong.labels.first();
        let place = first.map(|label| label.source.slice(label.span).to_owned()).unwrap_or_default();
        [wrong.code.to_string(), wrong.message.clone(), wrong.help.clone().unwrap_or_default(), place]
    };
    // An error of a scenario is one of its file, and the reason why it is not played.
    let mut all: Vec<[String; 4]> = Vec::new();
    for error in wrong.iter().map(shown) {
        if !all.contains(&error) {
            all.push(error);
        }
    }
    all
}

/// Returns the errors of lines in a set-up in the words for a position.
fn as_position(errors: Vec<[String; 4]>) -> Vec<[String; 4]> {
    errors.into_iter().map(|error| error.map(|text| text.replace("this set-up", "this position"))).collect()
}

#[test]
fn a_wrong_line_is_answered_alike_in_both_files() {
    for line in WRONG {
        let line = format!("  {line}\n");
        let (set_up, position) = (as_position(errors(&line, "")), errors("", &line));
        assert!(!position.is_empty(), "{line}");
        assert_eq!(set_up, position, "{line}");
    }
}

#[test]
fn lines_that_contradict_each_other_are_answered_alike_in_both_files() {
    for (one, other) in CONTRARY {
        let lines = format!("  {one}\n  {other}\n");
        let (set_up, mut position) = (as_position(errors(&lines, "")), errors("", &lines));
        for [_, _, help, _] in &mut position {
            *help = help.replace(", in the shared position or in the scenario", "");
        }
        assert_eq!(position.len(), 1, "{lines}: {position:?}");
        assert_eq!(set_up, position, "{lines}");
    }
}

#[test]
fn right_lines_mean_the_same_in_both_files() {
    let lines = "  board 4x3\n    | . . . .\n    | r r . b\n    | C C . red:D\n  place two at d3 face down\n  \
        set dog.owner red\n  set game.kennel c1\n  set red.score = 3\n  set blue ready\n  hand red: ace\n  deck: two …\n";
    let expected = "  turn red\n  expect board\n    | . . . (two)\n    | r r . b\n    | C C . red:D\n  expect game.kennel = c1\n  \
        expect red.score = 3\n  expect blue ready\n  expect hand red = ace\n";
    let set_up = lines.replace("board 4x3", "board grid 4x3");
    for (set_up, position) in [("", format!("{lines}{expected}")), (&set_up, expected.to_owned())] {
        let found = errors(set_up, &position.replace("  turn red\n", ""));
        assert_eq!(found, Vec::<[String; 4]>::new(), "{set_up}{position}");
    }
}

#[test]
fn pieces_of_a_shared_position_may_change_places() {
    let shared = |own: &str| {
        let text = format!(
            "use yard\n\nposition \"shared\"\n  place dog at a1, cart at a2, red man at c3, red man at d3\n\n\
             scenario \"Own\"\n  from \"shared\"\n  place {own}\n  turn red\n  expect dog at a2\n  expect d3 empty\n"
        );
        let host = host("", "").with("a.scenario", text);
        let mut loader = Loader::new(&host, LoaderOptions::default());
        let suite = referee_scenario::plan(&mut loader, Path::new("a.scenario"));
        assert!(suite.problems.is_empty(), "{own}: {:?}", suite.problems);
        referee_scenario::judge(&mut loader, &suite, 0).status == Status::Passed
    };
    assert!(shared("dog at a2, cart at a1, red man off"));
    assert!(shared("red man off, cart at c2, dog at a2, blue man at c3"));
    assert!(!shared("dog at a2, cart at a1"));
}
