//! Lines in ordinary English that are none of the language: the help is a line to paste, in the words of the game, and
//! the line is right.

use super::Project;

const GAME: &str = "\
game reef \"Reef\"
players 2..3 ulla omer kim
rules \"rules.rhai\"
board grid 4x4
piece boat for each player symbols u o k
piece crab many symbol c
flag deep for each player
counter pearls for each player
property home for each player CELL
option tide = low | high
zone sea
zone hand for each player secret
card thing from \"cards.yaml\" in sea
ask dive PIECE
ask wait
";
const CARDS: &str = "cards:\n  - {name: Eel, count: 4}\n  - {name: Clam, count: 3}\n  - {name: Sea Star, count: 2}\n";
const RULES: &str = "fn turn(me) { choose(me, \"wait\", [may(\"wait\")]); }\n";

/// A line that cannot be read after others, the text in backticks of the help, and the line that it advises.
const LINES: [(&str, &str, &str); 27] = [
    ("hand ulla: 2 Eel", "Eel x2", "hand ulla: Eel x2"),
    ("hand ulla: 2x Sea Star", "Sea Star x2", "hand ulla: Sea Star x2"),
    ("hand ulla: 3 of Clam", "Clam x3", "hand ulla: Clam x3"),
    ("hand ulla: two Eel", "Eel x2", "hand ulla: Eel x2"),
    ("hand ulla: Eel and Sea Star", "… Sea Star", "hand ulla: Eel Sea Star"),
    ("hand ulla: Eel & Clam", "… Clam", "hand ulla: Eel Clam"),
    ("ulla has 1 pearl", "set ulla.pearls 1", "set ulla.pearls 1"),
    ("ulla has 2 pearls", "set ulla.pearls 2", "set ulla.pearls 2"),
    ("ulla pearls 1", "set ulla.pearls 1", "set ulla.pearls 1"),
    ("ulla with deep yes", "set ulla deep", "set ulla deep"),
    ("omer is deep", "set omer deep", "set omer deep"),
    ("omer is not deep", "set omer not deep", "set omer not deep"),
    ("omer has home b2", "set omer.home = b2", "set omer.home = b2"),
    ("with tide high", "with tide = high", "with tide = high"),
    ("turn ulla\n  then ulla wait", "ulla wait", "turn ulla\n  ulla wait"),
    ("turn ulla\n  and then ulla wait", "ulla wait", "turn ulla\n  ulla wait"),
    ("turn ulla\n  then expect turn ulla", "expect turn ulla", "turn ulla\n  expect turn ulla"),
    ("turn ulla\n  ulla wait then omer wait", "omer wait", "turn ulla\n  ulla wait\n  omer wait"),
    ("turn ulla\n  ulla wait, omer wait", "omer wait", "turn ulla\n  ulla wait\n  omer wait"),
    ("place ulla", "place ulla at CELL", "place ulla at a1"),
    ("place ulla to a1", "place ulla at a1", "place ulla at a1"),
    ("place boat of ulla at a1", "ulla", "place ulla at a1"),
    ("place crab at c3, c4", "place crab at c3, crab at c4", "place crab at c3, crab at c4"),
    ("place crab at c3 and c4", "place crab at c3, crab at c4", "place crab at c3, crab at c4"),
    ("place crab at c3, crab c4", "place crab at c3, crab at c4", "place crab at c3, crab at c4"),
    ("players: 2", "players ulla omer", "players ulla omer"),
    ("players 3", "players ulla omer kim", "players ulla omer kim"),
];

#[test]
fn the_help_for_ordinary_english_can_be_pasted() {
    let game = |line: &str| {
        Project::new()
            .file("games/reef/reef.game", GAME)
            .file("games/reef/cards.yaml", CARDS)
            .file("games/reef/rules.rhai", RULES)
            .file("s.scenario", format!("use reef\n\nscenario \"S\"\n  {line}\n"))
            .run(&["test", "s.scenario"])
    };
    for (wrong, help, right) in LINES {
        let ran = game(wrong);
        let said = ran.all().split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(ran.code == 3 && said.contains(&format!("`{help}`")), "{wrong}: {}", ran.all());
        let turn = if right.starts_with("turn") { "" } else { "\n  turn ulla" };
        let ran = game(&format!("{right}{turn}\n  expect not over"));
        assert_eq!(ran.code, 0, "{right}: {}", ran.all());
    }
}
