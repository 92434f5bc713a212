//! Effects of drawn cards: moves listed before, repeated positions, lines that name a zone.

use super::{Project, Ran};

fn play(rules: &str, scenario: &str) -> Ran {
    let game = "\
game draws \"Draws\"
players 2 black white
rules \"rules.rhai\"
board grid 4x4
piece man many for each player symbols b w
card trick from \"cards.yaml\" in deck
zone deck hidden
zone pile hidden
zone hand for each player secret
ask move MOVE
ask go
place black at a1, white at a4
";
    Project::new()
        .file("games/draws/draws.game", game)
        .file("games/draws/rules.rhai", rules)
        .file("games/draws/cards.yaml", "cards:\n  - {name: ace, count: 3}\n  - {name: bee, count: 3}\n")
        .file("s.scenario", format!("use draws\n\nscenario \"S\"\n{scenario}"))
        .run(&["test", "s.scenario"])
}

#[test]
fn a_draw_forgets_the_moves_that_were_listed() {
    let rules = "\
fn moves(me) { if count(deck) >= 6 { steps(only(cells(me), 1)) } else { no_moves() } }
fn apply(me, move) { draw(deck, hand(me)); }
fn ended(me) { if !can_move(me) { win(me); } draw_game(); }
";
    let ran = play(rules, "  turn black\n  black move a1-a2\n  draw deck ace\n  expect winner black\n");
    assert_eq!(ran.code, 0, "{}", ran.all());
}

#[test]
fn positions_with_other_cards_are_no_repetitions() {
    let rules = "\
fn turn(me) {
    if repetitions(me) == 3 { draw_game(); }
    choose(me, \"go\", [may(\"go\")]);
    draw(deck, hand(me));
}
";
    let turns = "  black go\n  draw deck ace\n  white go\n  draw deck ace\n  black go\n  draw deck ace\n  white go\n  draw deck bee\n";
    let ran = play(rules, &format!("  turn black\n{turns}  expect not over\n"));
    assert_eq!(ran.code, 0, "{}", ran.all());
}

#[test]
fn a_line_that_names_a_zone_says_nothing_of_another() {
    let rules = "\
fn turn(me) {
    choose(me, \"go\", [may(\"go\")]);
    put_card(draw(deck), hand(me));
    put_card(draw(pile), hand(me));
}
";
    let start = "  deck: ace ace\n  pile: bee bee\n  turn black\n  black go\n";
    // A draw from a known order is not asked.
    let known = play(rules, &format!("{start}  expect hand black = ace bee\n"));
    assert_eq!(known.code, 0, "{}", known.all());
    let shuffled = rules.replace("fn turn(me) {", "fn turn(me) {\n    shuffle(deck); shuffle(pile);");
    let each = play(&shuffled, &format!("{start}  draw deck ace\n  draw pile bee\n  expect hand black = ace bee\n"));
    assert_eq!(each.code, 0, "{}", each.all());
    insta::assert_snapshot!(play(&shuffled, &format!("{start}  draw deck ace bee\n")).all());
}

#[test]
fn games_that_lines_deal_are_recorded_and_replay() {
    let game = "\
game draws \"Draws\"
players 2..3 black white grey
rules \"rules.rhai\"
board grid 4x4
card trick from \"cards.yaml\" in deck
zone deck hidden
zone hand for each player secret
zone discard pile
ask play PIECE
discard: bee
shuffle deck
deal 2 from deck to hand of each player
";
    let rules = "\
fn turn(me) {
    if is_empty(deck) { win(me); }
    draw(deck, hand(me));
    let options = [];
    for card in cards(hand(me)) { options.push(may(\"play\", card)); }
    move_card(choose(me, \"play\", options).value, hand(me), discard);
}
";
    let start = "use draws\n\nscenario \"S\"\n  players white black\n  deal 1 from deck to hand of each player\n  \
                 draw ace bee\n  shuffle deck\n  shuffle deck: ace ace \"cee dee\" …\n";
    let project = Project::new()
        .file("games/draws/draws.game", game)
        .file("games/draws/rules.rhai", rules)
        .file(
            "games/draws/cards.yaml",
            "cards:\n  - {name: ace, count: 6}\n  - {name: bee, count: 6}\n  - {name: cee dee}\n",
        )
        .file("start.scenario", start);
    for arguments in [&["simulate", "draws", "--players", "3"][..], &["simulate", "draws", "--from", "start.scenario"]]
    {
        let folder = if arguments.contains(&"--from") { "played-on" } else { "played" };
        let ran = project.run(&[arguments, &["-n", "9", "--record", folder, "--record-games", "1-9"]].concat());
        assert_eq!(ran.code, 0, "{}", ran.all());
        let judged = project.run(&["test", folder]);
        assert_eq!(judged.code, 0, "{}", judged.all());
        let text = std::fs::read_to_string(project.path().join(folder).join("draws-seed-1-game-1.scenario")).unwrap();
        let lines: &[&str] = match arguments.contains(&"--from") {
            false => &["  setup\n  draw deck "],
            true => &["  deal 1 from deck to hand of each player\n", "  shuffle deck: ace ace \"cee dee\" …\n"],
        };
        assert!(lines.iter().all(|line| text.contains(line)), "{text}");
    }
}

/// A small game in which a card is dealt and played, with the scenario `a.scenario`.
fn dealt(lines: &str) -> Project {
    let rules = "\
fn turn(me) {
    if is_empty(hand(me)) { draw(deck, hand(me)); }
    move_card(choose(me, \"play\", cards(hand(me))), hand(me), table);
    if count(table) == 3 { win(me); }
}
fn pass_on(who) {
    let card = choose(who, \"play\", cards(hand(who)));
    move_card(card, hand(who), hand(after(who)));
}
";
    let game = "\
game dealt \"Dealt\"
players 2 ann bob
rules \"rules.rhai\"
zone deck hidden
zone hand for each player secret
zone table
card rank from \"cards.yaml\" in deck
ask play PIECE
";
    Project::new()
        .file("games/dealt/dealt.game", game)
        .file("games/dealt/rules.rhai", rules)
        .file("games/dealt/cards.yaml", "cards:\n  - {name: ace, count: 3}\n  - {name: two, count: 3}\n")
        .file("a.scenario", format!("use dealt\n\nscenario \"S\"\n{lines}"))
}

/// Every command that goes on from the end of a scenario reports what `test` reports there.
#[test]
fn no_command_goes_on_from_an_open_dealing() {
    for lines in [
        "  hand ann: ace\n  deal 1 from deck to hand of bob\n",
        "  deal 2 from deck to hand of each player\n  draw deck ace two\n",
        "  turn ann\n  deal 1 from deck to table\n",
    ] {
        let project = dealt(lines);
        for command in [
            &["test", "a.scenario"][..],
            &["simulate", "dealt", "--from", "a.scenario", "-n", "5"],
            &["simulate", "dealt", "--from", "a.scenario", "-n", "5", "--record", "games-of-it"],
            &["explore", "dealt", "--from", "a.scenario"],
            &["play", "dealt", "--from", "a.scenario"],
            &["odds", "a.scenario"],
            &["perft", "a.scenario", "--depth", "2"],
        ] {
            let ran = project.run(command);
            assert_ne!(ran.code, 0, "{command:?} {lines}{}", ran.all());
            assert!(ran.all().contains("the dealing is not finished"), "{command:?} {lines}{}", ran.all());
        }
        assert!(!project.path().join("games-of-it").exists());
    }
}

/// After the procedure of a line `do`, the turn that follows has a line of its own.
#[test]
fn a_game_from_the_middle_of_a_procedure_is_recorded_and_replays() {
    let project = dealt("  hand ann: ace two\n  hand bob: two\n  do pass_on ann\n");
    let ran = project.run(&[
        "simulate",
        "dealt",
        "--from",
        "a.scenario",
        "-n",
        "9",
        "--record",
        "played",
        "--record-games",
        "1-9",
    ]);
    assert_eq!(ran.code, 0, "{}", ran.all());
    let judged = project.run(&["test", "played"]);
    assert_eq!(judged.code, 0, "{}", judged.all());
    let text = std::fs::read_to_string(project.path().join("played/dealt-seed-1-game-1.scenario")).unwrap();
    assert!(text.contains("  do pass_on ann\n  ann play "), "{text}");
    assert!(text.contains("\n  turn ann\n") || text.contains("\n  turn bob\n"), "{text}");
}
