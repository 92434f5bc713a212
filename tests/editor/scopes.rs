//! Names of a game that are also variables or parameters of some function.

use super::client::{Client, edited};
use crate::commands::Project;

const GAME: &str = "\
game hop \"Hop\"
players 2 red blue
rules \"rules.rhai\"
board grid 5x5
directions 4 clockwise from north
die 1..2
piece frog for each player symbols r b
ask hop [to] CELL \"Hop\"
place red at b1, blue at d1
";

const RULES: &str = "\
const far = 2;

fn turn(me) {
    let n = roll() + far;
    hop(me, n);
    for near in 1..3 { helper(near, `${far} of ${near}`); }
}

fn hop(me, far) {
    let target = step(cell(frog(me)), direction_named(\"N\"));
    if target == () || far < 0 { return; }
    place(frog(me), target);
    let all = [1, 2].map(|helper| helper + far);
    if count(all_cells()) > far { let far = #{ far: far }; helper(far.far, all); }
}

fn helper(one, other) { near(one) + far }

private fn near(one) { one }
";

const HOUSE: &str = "\
fn hop(me, n) { base_hop(me, near(n) + far); }

private fn near(helper) { helper }
";

const FILES: [(&str, &str); 3] =
    [("games/hop/hop.game", GAME), ("games/hop/rules.rhai", RULES), ("games/hop/house/long.rhai", HOUSE)];

/// Returns the index of the occurrence of a word with this number, as whole words are counted.
fn occurrence(text: &str, word: &str, number: usize) -> usize {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    let whole = text
        .match_indices(word)
        .filter(|(at, _)| !text[..*at].ends_with(is_part) && !text[at + word.len()..].starts_with(is_part));
    whole.map(|(at, _)| at).nth(number).unwrap()
}

fn position(text: &str, at: usize) -> (usize, usize) {
    let before = &text[..at];
    let line = before.matches('\n').count();
    (line, at - before.rfind('\n').map_or(0, |end| end + 1))
}

/// Asks for the new name of a word, and returns the changed rules and the changed house rule.
fn renamed(client: &mut Client, file: usize, (word, number): (&str, usize)) -> [String; 2] {
    let (name, text) = FILES[file];
    let (line, column) = position(text, occurrence(text, word, number));
    let mut rename = client.at(name, line, column);
    rename["newName"] = "changed".into();
    let changes = client.request("textDocument/rename", rename)["changes"].clone();
    [1, 2].map(|file: usize| {
        let edits = &changes[client.uri(FILES[file].0)];
        if edits.is_null() { FILES[file].1.to_owned() } else { edited(FILES[file].1, edits) }
    })
}

/// Replaces the occurrences of a word with these numbers.
fn with(text: &str, word: &str, numbers: &[usize]) -> String {
    let mut text = text.to_owned();
    for number in numbers.iter().rev() {
        let at = occurrence(&text, word, *number);
        text.replace_range(at..at + word.len(), "changed");
    }
    text
}

#[test]
fn a_name_is_found_where_no_variable_hides_it() {
    let project = FILES.iter().fold(Project::new(), |project, (name, text)| project.file(name, text));
    let checked = project.run(&["check", "games"]);
    assert_eq!(checked.code, 0, "{}", checked.all());
    let mut client = Client::start(project);
    FILES.iter().for_each(|(name, _)| client.open_file(name));
    // The constant: at the top, in `turn`, in a text, in `helper`; in the house rule.
    let far = [0, 1, 2, 12];
    for number in far {
        let found = renamed(&mut client, 1, ("far", number));
        assert_eq!(found, [with(RULES, "far", &far), with(HOUSE, "far", &[0])], "{number}");
        let (line, column) = position(RULES, occurrence(RULES, "far", number));
        let at = client.at("games/hop/rules.rhai", line, column);
        let place = client.request("textDocument/definition", at.clone());
        assert_eq!(place[0]["range"]["start"]["line"], 0, "{number}");
        assert!(client.request("textDocument/hover", at).to_string().contains("const far = 2"), "{number}");
    }
    // A function that a closure has as a parameter, and two private functions of one name.
    assert_eq!(renamed(&mut client, 1, ("helper", 0))[0], with(RULES, "helper", &[0, 3, 4]));
    assert_eq!(renamed(&mut client, 1, ("near", 3)), [with(RULES, "near", &[3, 4]), HOUSE.to_owned()]);
    assert_eq!(renamed(&mut client, 2, ("near", 0)), [RULES.to_owned(), with(HOUSE, "near", &[0, 1])]);
    // What is a variable there is no name of the game, and is renamed alone: parameters of a function and of a closure,
    // variables of a loop and of a block. The key of a map stays.
    let variables: [(&str, &[usize], usize); 4] =
        [("far", &[3, 4, 5, 6, 9], 3), ("far", &[7, 10], 7), ("helper", &[1, 2], 1), ("near", &[0, 1, 2], 0)];
    for (word, all, declared) in variables {
        for number in all {
            let (line, column) = position(RULES, occurrence(RULES, word, *number));
            let at = client.at("games/hop/rules.rhai", line, column);
            let found = client.request("textDocument/definition", at);
            let (line, column) = position(RULES, occurrence(RULES, word, declared));
            assert_eq!(found[0]["range"]["start"]["line"], line, "{word} {number}: {found}");
            assert_eq!(found[0]["range"]["start"]["character"], column, "{word} {number}: {found}");
            assert_eq!(renamed(&mut client, 1, (word, *number))[0], with(RULES, word, all), "{word} {number}");
        }
    }
    client.stop();
}
