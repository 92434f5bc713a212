//! The notes of the check are shown in editors, and are no errors.

use super::client::Client;
use crate::commands::Project;

const GAME: &str = "game sea \"Sea\"\nplayers 2 ulla omer\nrules \"rules.rhai\"\nboard grid 4x4\npiece crab many symbol c\n\
                    flag wet for each crab\ncounter tides\nask wait\n";
const RULES: &str = "fn turn(me) {\n    choose(me, \"wait\", [may(\"wait\")]);\n    game.tides += 1;\n    \
                     if game.tides > 30 || repetitions(me) > 2 { draw_game(); }\n}\n";

/// The information of the protocol.
const INFORMATION: u64 = 3;

#[test]
fn notes_are_shown_as_information_until_the_game_is_changed() {
    let project = Project::new().file("games/sea/sea.game", GAME).file("games/sea/rules.rhai", RULES);
    let checked = project.run(&["check", "games"]);
    assert!(checked.code == 0 && checked.all().contains("3 notes"), "{}", checked.all());
    let mut client = Client::start(project);
    client.open("games/sea/sea.game", GAME);
    let found = client.diagnostics("games/sea/sea.game", 1, |found| found.len() == 3);
    let codes: Vec<&str> = found.iter().map(|note| note["code"].as_str().unwrap()).collect();
    assert_eq!(codes, ["shared_by_copies", "idle_repetitions", "unused_declaration"]);
    for (note, line) in found.iter().zip([5, 6, 5]) {
        assert_eq!(
            (note["severity"].as_u64(), note["range"]["start"]["line"].as_u64()),
            (Some(INFORMATION), Some(line))
        );
        assert!(note["message"].as_str().unwrap().contains("\nhelp: "), "{note}");
    }
    // A game with an error has no notes, as in the check.
    let wrong = GAME.replace("counter tides", "counter tides of");
    client.change("games/sea/sea.game", 2, &wrong);
    let found = client.diagnostics("games/sea/sea.game", 2, |found| found.iter().any(|one| one["severity"] == 1));
    assert!(found.iter().all(|one| one["severity"] == 1), "{found:?}");
    // One that is mended has those that are left.
    client.change("games/sea/sea.game", 3, &GAME.replace("flag wet for each crab\n", ""));
    let found = client.diagnostics("games/sea/sea.game", 3, |found| found.len() == 1 && found[0]["severity"] == 3);
    assert_eq!(found[0]["code"], "idle_repetitions");
}
