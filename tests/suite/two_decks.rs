//! Games with several decks: what `…` stands for, and dealing that is not finished.

use std::path::Path;

use referee_diagnostic::Diagnostic;
use referee_scenario::{Loader, LoaderOptions};
use referee_source::MemoryHost;

const SHIPS: &str = "cards:\n  - {name: elk, count: 3}\n  - {name: fox, count: 3}\n";
const GOODS: &str = "cards:\n  - {name: tea, count: 4}\n";
const EXTRAS: &str = "cards:\n  - {name: map, count: 2}\n";

/// Returns the errors of scenarios of a game with decks of ships and goods, with more lines in its game file.
fn errors(game: &str, lines: &str) -> Vec<Diagnostic> {
    let game = format!(
        "game two \"Two decks\"\nplayers 2 ann bob\nrules \"rules.rhai\"\nzone ships hidden\nzone goods hidden\nzone sunk \
         pile\nzone hand for each player secret\ncard ship from \"ships.yaml\" in ships\ncard good from \"goods.yaml\" in \
         goods\ncard extra from \"extras.yaml\"\nask pass\nask take PIECE\n{game}"
    );
    let rules = "fn turn(me) { choose(me, \"pass\", [may(\"pass\")]); }\n\
                 fn give(me) { draw(goods, hand(me)); }\nfn look(me) { choose(me, \"pass\", [may(\"pass\")]); }\n";
    let host = MemoryHost::default()
        .with("games/two/two.game", game)
        .with("games/two/rules.rhai", rules)
        .with("games/two/ships.yaml", SHIPS)
        .with("games/two/goods.yaml", GOODS)
        .with("games/two/extras.yaml", EXTRAS)
        .with("a.scenario", format!("use two\nscenario \"a\"\n{lines}"));
    let mut loader = Loader::new(&host, LoaderOptions::default());
    let suite = referee_scenario::plan(&mut loader, Path::new("a.scenario"));
    let results = (0..suite.tests.len()).flat_map(|at| referee_scenario::judge(&mut loader, &suite, at).failures);
    let failed: Vec<Diagnostic> = results.map(|failure| failure.diagnostic).collect();
    suite.problems.into_iter().chain(failed).collect()
}

fn passes(game: &str, lines: &str) {
    let found = errors(game, lines);
    assert!(found.is_empty(), "{lines}{found:?}");
}

/// Expects the numbers of cards in ships, goods and the pile of sunk ones.
fn counts(lines: &str, [ships, goods, sunk]: [u32; 3]) {
    passes(
        "",
        &format!("{lines}  expect ships count {ships}\n  expect goods count {goods}\n  expect sunk count {sunk}\n"),
    );
}

#[test]
fn the_rest_is_that_of_the_cards_that_begin_in_the_zone() {
    counts("  ships: elk …\n", [6, 4, 0]);
    counts("  goods: tea …\n", [6, 4, 0]);
    counts("  ships: …\n  goods: …\n", [6, 4, 0]);
    counts("  ships: elk …\n  goods: tea\n", [6, 1, 0]);
    counts("  ships: elk …\n  goods: none\n", [6, 0, 0]);
    counts("  hand ann: elk tea\n  ships: fox …\n", [5, 3, 0]);
    counts("  ships: elk fox\n  goods: tea …\n", [2, 4, 0]);
    // A card from elsewhere may be named, and only that one comes.
    counts("  ships: tea …\n", [7, 3, 0]);
    counts("  ships: map …\n", [7, 4, 0]);
}

#[test]
fn elsewhere_the_rest_is_that_of_decks_whose_lines_list_all_their_cards() {
    counts("  ships: none\n  sunk: elk …\n", [0, 4, 6]);
    counts("  ships: fox\n  goods: none\n  sunk: …\n", [1, 0, 9]);
    // The extras begin out of the game.
    let found = errors("", "  sunk: elk …\n");
    assert_eq!(found[0].message, "`…` stands for no cards: none begin in sunk");
    assert!(found[0].help.as_deref().is_some_and(|help| help.contains("`ships: none`")), "{found:?}");
}

#[test]
fn set_ups_share_the_rest_in_the_same_way() {
    let set_up = "shuffle ships\nships: elk …\n";
    passes(set_up, "  turn ann\n  expect ships count 6\n  expect goods count 4\n");
    passes("goods: tea tea\n", "  ships: elk …\n  expect ships count 6\n  expect goods count 2\n");
}

#[test]
fn dealing_that_is_not_finished_is_reported_before_play_begins_again() {
    let begins = ["turn ann", "resume look ann", "do look ann", "setup", "deal 1 from goods to hand of ann"];
    let dealt = [
        ("deal 1 from ships to hand of bob", "the dealing is not finished: asks draw ships", "`draw ships elk`"),
        (
            "deal 2 from ships to hand of bob\n  draw elk",
            "the dealing is not finished: asks draw ships",
            "`draw ships elk`",
        ),
        ("deal 1 from ships to hand of each player\n  draw fox", "the dealing is not finished", "`draw ships elk`"),
        ("do give bob", "`do give` is not finished: asks draw goods", "`draw goods tea`"),
    ];
    for (line, message, help) in dealt {
        for begin in begins {
            let found = errors("shuffle ships\n", &format!("  hand ann: fox\n  {line}\n  {begin}\n"));
            let [wrong] = found.as_slice() else { unreachable!("one error: {line} {begin} {found:?}") };
            assert!(wrong.message.starts_with(message), "{line} {begin}: {wrong:?}");
            assert!(wrong.help.as_deref().is_some_and(|said| said.contains(help)), "{line} {begin}: {wrong:?}");
        }
    }
    let found = errors("", "  deal 1 from ships to hand of bob\n  turn ann\n");
    assert!(found[0].help.as_deref().is_some_and(|help| help.contains("`hand bob: elk`")), "{found:?}");
    // At the end, too, unless a chance is asked of the cards.
    for end in ["", "  expect hand bob empty\n", "  branch \"b\"\n    expect hand bob empty\n"] {
        let found = errors("", &format!("  deal 1 from ships to hand of bob\n{end}"));
        assert!(found[0].message.starts_with("the dealing is not finished"), "{end}: {found:?}");
    }
    passes("", "  deal 1 from ships to hand of bob\n  expect chance { has(hand(bob), piece(\"elk\")) } = 1/2\n");
    // Finished, or known: nothing is lost.
    passes("", "  deal 2 from ships to hand of bob\n  draw elk fox\n  turn ann\n  expect hand bob count 2\n");
    passes("", "  ships: elk …\n  deal 1 from ships to hand of bob\n  turn ann\n  expect hand bob = elk\n");
    // A procedure in which a player is asked may be left: nothing is dealt.
    passes("", "  do look ann\n  turn bob\n  expect asks bob pass\n");
}
