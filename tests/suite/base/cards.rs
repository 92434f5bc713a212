//! A small game with cards: a turn draws one and plays one.

use std::path::PathBuf;

use referee_source::MemoryHost;

pub(crate) const GAME: &str = "game tricks \"Tricks\"\nplayers 2..3 red blue green\nrules \"rules.rhai\"\n\nboard grid 2x2\n\n\
zone deck hidden\nzone hand for each player secret\nzone discard\ncard trick from \"cards.yaml\" in deck\n\
flag marked for each trick\n\nask play PIECE\nask keep\nevent PLAYER plays PIECE for NUMBER\n";

pub(crate) const CARDS: &str = "printed: {value: NUMBER, clan: red moles|bats, flies: FLAG, rows: VALUE, at: LIST of NUMBER}\ncards:\n  \
- {name: ace, count: 2, value: 11, clan: bats, flies: true}\n  - {name: two, count: 3, value: 2, at: [3, 1]}\n  \
- {name: Pooga the Brave, symbol: P, clan: red moles, rows: [1, none, {hit: 2}]}\n";

pub(crate) const RULES: &str = "fn setup() { deal(2, deck, \"hand\"); }\n\n\
fn turn(me) {\n    if !is_empty(deck) { draw(deck, hand(me)); }\n    let options = [may(\"keep\")];\n    \
for card in cards(hand(me)) { options.push(may(\"play\", card)); }\n    let chosen = choose(me, \"play\", options);\n    \
if chosen.verb == \"play\" {\n        let card = chosen.value;\n        move_card(card, hand(me), discard);\n        \
event(\"plays\", me, card, if card.value == () { 0 } else { card.value });\n    }\n}\n\n\
fn back(card) { shuffle(deck); move_card(card, discard, deck); }\n\nfn lay(me, card, cell) { take_card(card, hand(me)); place(card, cell); }\n";

/// The game's files.
pub(crate) fn host() -> MemoryHost {
    MemoryHost::default()
        .with("games/tricks/tricks.game", GAME)
        .with("games/tricks/rules.rhai", RULES)
        .with("games/tricks/cards.yaml", CARDS)
}

/// The game with a mistake, and the scenario to play.
pub(crate) fn project(name: &str, ending: &str, text: &str) -> (MemoryHost, PathBuf) {
    let turn = "use tricks\n\nscenario \"The turn of red\"\n  turn red\n  draw ace\n";
    let (host, scenario) = match ending {
        // Printed values may be rows for the faces of a die.
        "yaml" => {
            let game = format!("{GAME}die luck 1..6\n");
            (host().with("games/tricks/tricks.game", game).with("games/tricks/cards.yaml", text), turn)
        }
        "game" => (host().with("games/tricks/tricks.game", text), turn),
        "rhai" => (host().with("games/tricks/rules.rhai", text), turn),
        _ => (host(), text),
    };
    let file = PathBuf::from(if ending == "scenario" { name } else { "turn.scenario" });
    (host.with(file.clone(), scenario), file)
}
