//! Numbered pieces of each player, and the name of a player's piece with its kind.

use referee_diagnostic::Renderer;
use referee_play::{Playouts, StrategyProfile};
use referee_scenario::{Loader, LoaderOptions, Origin, position_lines};
use referee_source::MemoryHost;

const GAME: &str = "game camp \"Camp\"\nplayers 2 white black\nrules \"rules.rhai\"\nboard grid 4x3\n\
                    piece king for each player symbols K k\npiece man 1..3 for each player symbols w b\n\
                    flag tired for each man\nflag moved for each king\ncounter steps for each man = 0\n\
                    property beside for each man PIECE\nsymmetry colours\n\
                    ask step PIECE to CELL \"Step\"\nask crown PIECE king \"Crown\"\nask pair PIECES \"Pair\"\n\
                    event PIECE steps to CELL\nevent PIECE king is crowned\nevent PIECES rest\n\
                    place white at a1, white man 1 at b1, white man 2 at c1, black king at a3, black man 3 at b3\n";

const RULES: &str = r#"
fn turn(me) {
    let options = [may("crown", king(me))];
    for man in pieces("man") {
        if owner(man) != me || is_off(man) { continue; }
        for to in around(cells(man)) - occupied() { options.push(may("step", man, to)); }
    }
    options.push(may("pair", [man(me, 1), man(me, 2)]));
    let act = choose(me, "step", options);
    if act.verb == "crown" { event("king", act.value); return; }
    if act.verb == "pair" { event("rest", act.value); return; }
    let moved = act.values[0];
    place(moved, act.values[1]);
    set(moved, "steps", moved.steps + number(moved));
    set(moved, "tired", true);
    set(moved, "beside", man(owner(moved), 1));
    event("steps", moved, act.values[1]);
}
"#;

fn host(game: &str, lines: &str) -> MemoryHost {
    MemoryHost::default()
        .with("games/camp/camp.game", game)
        .with("games/camp/rules.rhai", RULES)
        .with("a.scenario", format!("use camp\n\nscenario \"a\"\n{lines}"))
}

/// Returns the messages of a scenario; empty if it passes.
fn said_by(host: &MemoryHost) -> String {
    let (problems, failures) = super::failures(host);
    let failed = failures.iter().map(|failure| &failure.diagnostic);
    let renderer = Renderer::default();
    problems.iter().chain(failed).map(|problem| format!("{}\n", renderer.render(problem))).collect()
}

fn said(lines: &str) -> String {
    said_by(&host(GAME, lines))
}

#[test]
fn lines_name_them_and_rules_find_them() {
    let lines = "  turn white
  expect choices count 9
  expect choices crown = white king
  expect choices includes step white man 1 to b2
  expect white man 1 at b1
  expect b3 holds black man 3
  expect black man 1 off
  expect white man 2 not tired
  white step white man 2 to c2
  expect white man 2 tired
  expect white man 2.steps = 2
  expect white man 2.beside = white man 1
  expect { number(at(cell_named(\"c2\"))) == 2 && owner(at(cell_named(\"c2\"))) == white }
  expect { pieces(\"man\").len() == 6 && piece(\"black man 3\") == man(black, 3) && name(man(black, 3)) == \"black man 3\" }
  expect { piece(\"white king\") == king(white) && name(king(white)) == \"white\" }
  expect board
    | k b3 .  .
    | . .  w2 .
    | K w1 .  .
  expect events
    > white man 2 steps to c2
";
    assert_eq!(said(lines), "");
}

#[test]
fn the_first_kind_is_named_with_its_kind_everywhere() {
    let lines = "  place white king at b1, black at b3, white man 1 at d1
  set white king moved
  set white man 1.steps 4
  set black man 2 tired
  expect white king at b1
  expect white moved
  expect white king moved
  expect black king not moved
  expect b3 holds black king
  expect white man 1.steps = 4
  turn white
  white crown white king
  expect events
    > white king is crowned
  black pair black man 2 black man 1
  expect events
    > black man 1 black man 2 rest
  turn white
  white crown white king king
  expect events
    > white king king is crowned
";
    assert_eq!(said(lines), "");
}

/// Play goes on alike from a position and from the one with exchanged players: the search keeps one of both.
#[test]
fn colours_exchange_the_men_with_the_same_number() {
    let lines = "  place white at a1, black at a3, white man 1 at d1, black man 1 at d3
  turn white
  expect never { man(white, 2).steps > 0 || cell(man(white, 1)) == cell(man(black, 1)) } within 3 turns
  expect reachable black man 1 at c2 within 2 turns
";
    assert_eq!(said(lines), "");
}

/// Plays a few turns from a scenario; returns the last position, and the game as a scenario.
fn played(lines: &str) -> (String, String) {
    let host = host(GAME, lines);
    let mut loader = Loader::new(&host, LoaderOptions::default());
    let origin = Origin::Scenario { file: "a.scenario".into(), title: None, game: "camp".into() };
    let stage = referee_scenario::stage(&mut loader, &origin).unwrap();
    let strategy = StrategyProfile::default();
    let games =
        Playouts { rollouts: None, program: &stage.program, start: &stage.start, strategy: &strategy, max_plies: 6 };
    let played = games.play(3, 0, true);
    let written = position_lines(&played.state).into_iter().map(|line| format!("  {line}\n")).collect();
    (written, stage.record("recorded", &[], &played))
}

#[test]
fn what_is_written_of_games_can_be_read() {
    let (position, record) = played("  turn white\n");
    insta::assert_snapshot!(format!("{position}\n{record}"));
    let own = record.split_once("scenario \"recorded\"\n").unwrap().1;
    assert_eq!(said(own), "");
    let host = host(GAME, &format!("{position}  turn white\n  expect turn white\n"));
    assert_eq!(said_by(&host), "");
}

#[test]
fn wrong_names_are_explained() {
    let lines = [
        "  place white man at a2",
        "  place man 2 at a2",
        "  place white man 4 at a2",
        "  place man 1 white at a2",
        "  place black 2 at a2",
        "  place man 2 of black at a2",
        "  place white kng at a2",
        "  expect white man at a2",
        "  expect b1 holds white man 7",
        "  set white man.steps 3",
        "  set white man 9.steps 3",
        "  set man 1 tired",
        "  turn white\n  white step man 1 to b2",
        "  turn white\n  white step white man to b2",
        "  turn white\n  expect { man(white, 4) == () }",
        "  turn white\n  expect { cell(man(white)) == () }",
        "  turn white\n  expect { piece(\"white man 5\") == () }",
        "  turn white\n  expect { white.man == () }",
    ];
    let all: String =
        lines.iter().map(|line| format!("{}\n{}\n", line.trim_start(), said(&format!("{line}\n")))).collect();
    insta::assert_snapshot!(all);
}

#[test]
fn wrong_declarations_are_explained() {
    let lines = [
        "piece boy 3..1 for each player",
        "piece boy 1..3 for each team",
        "piece boy many 1..3 for each player",
        "piece boy 1..3 for each player symbols x y z",
        "piece boy 1..3 for each player symbols w b",
        "piece boy 1..4000 for each player",
        "piece place 1..2 for each player",
    ];
    let all = lines.iter().map(|line| {
        let game = GAME.replace("flag tired", &format!("{line}\nflag tired"));
        format!("{line}\n{}\n", said_by(&host(&game, "  turn white\n  expect turn white\n")))
    });
    insta::assert_snapshot!(all.collect::<String>());
}

/// Symbols are given for each player, for each piece, or not at all.
#[test]
fn symbols_follow_players_and_numbers() {
    let board = |symbols: &str, tokens: &str| {
        let game = GAME.replace("symbols w b", symbols);
        said_by(&host(
            &game,
            &format!(
                "  place white man 2 at a1, black man 3 at b1\n  expect board\n    | . . . .\n    | . . . .\n    | {tokens} . .\n"
            ),
        ))
    };
    assert_eq!(board("symbols w b", "w2 b3"), "");
    assert_eq!(board("symbols a b c d e f", "b f"), "");
    assert_eq!(board("", "white2 black3"), "");
}
