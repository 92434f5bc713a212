//! Copies of a card with states of their own, and those that share one on purpose.

use referee_source::MemoryHost;

/// Each player has wharfs, which are used once a round, and goods, whose price all share.
const GAME: &str = "game harbour \"Harbour\"\nplayers 2 ann bob\nrules \"rules.rhai\"\n\nzone yard hidden\nzone docks for each player\n\
                    zone store for each player secret\ncard building from \"buildings.yaml\" in yard\n\
                    card good from \"goods.yaml\"\nflag used for each building\ncounter price for each good = 1 shared\n\
                    counter coins for each player\nask use PIECE\nask pass\nevent PLAYER uses PIECE\n";

const BUILDINGS: &str = "printed: {income: NUMBER}\ncards:\n  - {name: wharf, count: 3, numbered: true, symbol: W, income: 2}\n  \
                         - {name: mill, income: 1}\n";

const GOODS: &str = "cards:\n  - {name: ore, count: 4}\n";

const RULES: &str = r#"fn turn(me) {
    let free = cards(docks(me)).filter(|card| !card.used).map(|card| may("use", card));
    let chosen = choose(me, "use", free + [may("pass")]);
    if chosen.verb == "pass" { return; }
    let card = chosen.value;
    card.used = true;
    event("uses", me, card);
    me.coins += card.income + if number(card) == 3 { 10 } else { 0 };
    let ore = piece("ore");
    ore.price += 1;
}
"#;

fn host(scenarios: &str) -> MemoryHost {
    MemoryHost::default()
        .with("games/harbour/harbour.game", GAME)
        .with("games/harbour/buildings.yaml", BUILDINGS)
        .with("games/harbour/goods.yaml", GOODS)
        .with("games/harbour/rules.rhai", RULES)
        .with("a.scenario", format!("use harbour\n\nscenario \"Wharfs\"\n{scenarios}"))
}

/// Asserts that the scenario passes.
fn passes(lines: &str) {
    let (said, passed) = super::judged(&host(lines));
    assert!(passed, "{said}");
}

#[test]
fn one_of_several_wharfs_is_used() {
    passes(
        "  docks ann: wharf 1 wharf 2 mill\n  docks bob: wharf 3\n  turn ann\n  expect choices use = wharf 1, wharf 2, mill\n  \
         ann use wharf 2\n  expect wharf 2 used\n  expect wharf 1 not used\n  expect ann.coins = 2\n  expect ore.price = 2\n  \
         bob use wharf 3\n  expect bob.coins = 12\n  expect choices use = wharf 1, mill\n  expect yard empty\n  \
         expect events\n    > ann uses wharf 2\n    > bob uses wharf 3\n",
    );
    // Which of them is used makes another position, and each is as likely to be drawn as any other card.
    passes(
        "  docks ann: wharf 1 wharf 2\n  turn ann\n  expect perft 1 = 3\n  expect reachable wharf 1 used within 1 turn\n  \
         expect never { piece(\"wharf 1\").used && piece(\"wharf 2\").used } within 2 turns\n",
    );
    passes(
        "  set wharf 3 used\n  deal 1 from yard to docks of ann\n  draw wharf 3\n  expect wharf 3 in docks of ann\n  expect wharf 3 used\n",
    );
}

#[test]
fn what_all_copies_would_share_is_an_error() {
    let told = |game: &str, buildings: &str, rules: &str| {
        let host = host("  turn ann\n  ann pass\n")
            .with("games/harbour/harbour.game", game)
            .with("games/harbour/buildings.yaml", buildings)
            .with("games/harbour/rules.rhai", rules);
        let (said, passed) = super::judged(&host);
        assert!(!passed, "{said}");
        said
    };
    let copies = "printed: {income: NUMBER}\ncards:\n  - {name: wharf, count: 3, income: 2}\n";
    insta::assert_snapshot!(told(GAME, copies, RULES));
    insta::assert_snapshot!(told(&GAME.replace(" = 1 shared", " = 1"), BUILDINGS, RULES));
    insta::assert_snapshot!(told(
        &GAME.replace("for each player\nask", "for each player shared\nask"),
        &BUILDINGS.replace("count: 3, ", "").replace("{name: mill", "{name: mill, count: 2, numbered: perhaps"),
        RULES
    ));
}

#[test]
fn a_card_with_copies_among_single_ones_is_told_as_it_is_set() {
    let buildings = BUILDINGS.replace(", numbered: true", "");
    let host = |scenarios: &str| host(scenarios).with("games/harbour/buildings.yaml", buildings.as_str());
    let rules = RULES.replace("if number(card) == 3 { 10 } else { 0 }", "0");
    let with = |host: MemoryHost| host.with("games/harbour/rules.rhai", rules.as_str());
    // The mill is the only one of its kind.
    let (said, passed) =
        super::judged(&with(host("  docks ann: mill wharf\n  turn ann\n  ann use mill\n  expect mill used\n")));
    assert!(passed, "{said}");
    let (said, passed) =
        super::judged(&with(host("  docks ann: mill wharf\n  turn ann\n  ann use wharf\n  bob pass\n")));
    assert!(!passed, "{said}");
    insta::assert_snapshot!(said);
    // So it is by a call, and for a value that nobody sees.
    let by_call = rules.replace("card.used = true;", "set(card, \"used\", true);");
    let hidden = GAME.replace("flag used for each building", "flag used for each building hidden  # once a round");
    let host = with(host("  docks ann: wharf\n  turn ann\n  ann use wharf\n  bob pass\n"))
        .with("games/harbour/harbour.game", hidden.as_str())
        .with("games/harbour/rules.rhai", by_call.as_str());
    let (said, passed) = super::judged(&host);
    assert!(!passed, "{said}");
    insta::assert_snapshot!(said);
    let shared = hidden.replace("building hidden", "building hidden  shared");
    let (said, passed) = super::judged(&host.with("games/harbour/harbour.game", shared.as_str()));
    assert!(passed, "{said}");
}

#[test]
fn mistakes_in_numbers_of_copies_are_told_in_the_data_file() {
    let told = |buildings: &str, goods: &str| {
        let host = host("  turn ann\n  ann pass\n")
            .with("games/harbour/buildings.yaml", buildings)
            .with("games/harbour/goods.yaml", goods);
        let (said, passed) = super::judged(&host);
        assert!(!passed, "{said}");
        said
    };
    let perhaps = BUILDINGS.replace("numbered: true", "numbered: perhaps");
    insta::assert_snapshot!(told(&perhaps.replace("{name: mill", "{name: mill, numbered: true"), GOODS));
    // Nothing shares the price of single goods; a card has the name of a copy.
    let named = format!("{BUILDINGS}  - {{name: wharf 2, income: 1}}\n");
    insta::assert_snapshot!(told(&named, "cards:\n  - {name: ore}\n"));
}
