//! Players before pieces in drawings: a property that is declared `in drawings`.

use std::path::Path;

use referee_play::{Playouts, StrategyProfile};
use referee_scenario::{Loader, LoaderOptions, Origin, position_lines};
use referee_source::MemoryHost;

const GAME: &str = "game tent \"Tent\"
players 2..3 ann bob cid
rules \"rules.rhai\"
board open
zone deck hidden
card fighter from \"fighters.yaml\" in deck
card rest from \"rest.yaml\"
piece banner for each player symbols fa fb fc
property controller for each fighter PLAYER in drawings
property friend for each fighter PLAYER
ask take
ask wait
event PLAYER takes PIECE

variant plain
  board
    | ann:Pooga bob:(M) S
    | at (0,0)

variant other
  place ann:Pooga at (0,0), cid:Mud at (1,0), bob:Slick the Fast at (2,0), imp at (3,0)
  set imp.controller cid

variant down
  board
    | Pooga ann:(M)
    | at (0,0)
";

const FIGHTERS: &str = "cards:
  - {name: Pooga}
  - {name: Mud, symbol: M}
  - {name: Slick the Fast, symbol: S}
  - {name: imp, count: 2}
";

const RULES: &str = "
fn turn(me) {
    if choose(me, \"take\", [may(\"take\"), may(\"wait\")]).verb == \"wait\" { return; }
    let card = piece(\"Pooga\");
    card.controller = me;
    event(\"takes\", me, card);
    if cell(card) == () { return; }
    win(me);
}
fn take_face_down() { take_card(piece(\"Pooga\"), deck); place_face_down(piece(\"Pooga\"), cell(0, 0)); set(piece(\"Pooga\"), \"controller\", players()[1]); }
fn gives(who) { set(piece(\"Pooga\"), \"controller\", who); }
";

fn host(game: &str, scenarios: &str) -> MemoryHost {
    MemoryHost::default()
        .with("games/tent/tent.game", game)
        .with("games/tent/rules.rhai", RULES)
        .with("games/tent/fighters.yaml", FIGHTERS)
        .with("games/tent/rest.yaml", "cards:\n  - {name: pot}\n")
        .with("a.scenario", scenarios)
}

fn judged(game: &str, scenarios: &str) -> (String, bool) {
    super::judged(&host(game, scenarios))
}

/// Returns the messages for wrong lines.
fn told(lines: &str) -> String {
    let (said, passed) = judged(GAME, &format!("use tent\nscenario \"s\"\n{lines}"));
    assert!(!passed, "{said}");
    said
}

fn passes(scenarios: &str) {
    let (said, passed) = judged(GAME, scenarios);
    assert!(passed, "{said}");
}

#[test]
fn drawings_say_who_has_a_piece() {
    passes(
        "use tent
scenario \"a position\"
  board
    | ann:Pooga bob:(M) S fa
    | at (0,0)
  expect Pooga.controller = ann
  expect Mud.controller = bob
  expect { piece(\"Slick the Fast\").controller == () && piece(\"Mud\").controller == bob }
  expect board
    | ann:Pooga bob:(?) S fa
    | at (0,0)
  expect board
    | ? ? ? ?
    | at (0,0)
  expect (0,0) holds ann:Pooga
  expect (0,0) holds Pooga
  expect (2,0) holds Slick the Fast
  expect (1,0) face down

scenario \"lines\"
  place ann:Pooga at (0,0), bob:Slick the Fast at (1,0), bob:Mud at (2,0) face down
  place imp at (3,0)
  set imp.controller cid
  set Pooga.controller ann
  expect board
    | ann:Pooga bob:S bob:(M) cid:imp
    | at (0,0)
  expect (1,0) holds bob:Slick the Fast

scenario \"of a table\"
  board
    | {token}
    | at (0,0)
  place {placed} at (5,5)
  expect Pooga.controller = {who}
  expect Mud.controller = {who}
  examples
    | token     | placed  | who  |
    | cid:Pooga | cid:Mud | cid  |
    | Pooga     | Mud     | none |

use tent plain
scenario \"a set-up\"
  expect board
    | ann:Pooga bob:(M) S
    | at (0,0)

use tent other
scenario \"a set-up of lines\"
  players ann bob cid
  expect board
    | ann:Pooga cid:M bob:S cid:imp
    | at (0,0)

scenario \"who does not take part puts nothing on the board\"
  players ann bob
  expect board
    | ann:Pooga . bob:S .
    | at (0,0)
  expect { piece(\"Mud\").controller == () && piece(\"imp\").controller == () }

use tent down
scenario \"face down in a set-up\"
  expect board
    | Pooga ann:(M)
    | at (0,0)
",
    );
}

#[test]
fn who_is_named_in_a_drawing_plays() {
    passes(
        "use tent
scenario \"cid is drawn\"
  board
    | cid:Pooga
    | at (0,0)
  expect { players() == [ann, cid] }

scenario \"cid places\"
  place cid:Pooga at (0,0)
  expect { players() == [ann, cid] }

scenario \"a claim lets nobody play\"
  place Pooga at (0,0)
  expect { players() == [ann, bob] }
  expect board
    | Pooga
    | at (0,0)

scenario \"a table says it\"
  board
    | {token}
    | at (0,0)
  expect { players() == [ann, cid] }
  examples
    | token     |
    | cid:Pooga |
    | cid:(M)   |
",
    );
    let said = told("  place Pooga at (0,0)\n  expect board\n    | cid:Pooga\n    | at (0,0)\n");
    assert!(said.contains("not_playing") && said.contains("`cid` does not take part in this scenario"), "{said}");
    for lines in [
        "  board\n    | cid:Pooga\n    | at (0,0)\n",
        "  place cid:Pooga at (0,0)\n",
        "  place Pooga at (0,0)\n  set Pooga.controller cid\n",
        "  place Pooga at (0,0)\n  expect (0,0) holds cid:Pooga\n",
    ] {
        let said = told(&format!("  players ann bob\n{lines}"));
        assert!(said.contains("not_playing") && said.contains("those who play are `ann`, `bob`"), "{said}");
    }
    let said = told("  players ann bob\n  place ann:Pooga at (0,0)\n  do gives cid\n");
    assert!(said.contains("`controller` cannot be cid: diagrams show it, and cid does not take part"), "{said}");
}

#[test]
fn drawings_that_differ_fail() {
    let board = "  board\n    | ann:Pooga bob:(M) S\n    | at (0,0)\n";
    let expect = |row: &str| told(&format!("{board}  expect board\n    | {row}\n    | at (0,0)\n"));
    for row in ["bob:Pooga bob:(M) S", "Pooga bob:(M) S", "ann:Pooga ann:(M) S", "ann:Pooga (M) S"] {
        assert!(expect(row).contains("the board differs on 1 cell"), "{row}");
    }
    for row in ["ann:Pooga (?) S", "ann:Pooga ann:(?) S", "ann:Pooga bob:(M) bob:S", "ann:Pooga bob:M S"] {
        assert!(expect(row).contains("the board differs on 1 cell"), "{row}");
    }
    insta::assert_snapshot!(expect("bob:Pooga bob:(M) ann:S"));
    let said = told(&format!("{board}  expect (0,0) holds bob:Pooga\n"));
    assert!(said.contains("`(0,0) holds bob:Pooga` is not true") && said.contains("(0,0) holds ann:Pooga"), "{said}");
    let said = told(&format!("{board}  expect (2,0) holds bob:Slick the Fast\n"));
    assert!(said.contains("actual:   (2,0) holds Slick the Fast"), "{said}");
}

#[test]
fn what_is_wrong_before_a_colon_or_after_it_is_told() {
    let drawn = |token: &str| told(&format!("  board\n    | {token} S\n    | at (0,0)\n"));
    let said = [
        drawn("anna:Pooga"),
        drawn("ann:Poga"),
        drawn("ann:fa"),
        drawn(":Pooga"),
        drawn("ann:"),
        drawn("ann:."),
        drawn("ann:(Poga)"),
        drawn("ann:(?)"),
        drawn("ann:pot"),
        told("  place anna:Pooga at (0,0)\n"),
        told("  place ann:Poga at (0,0)\n"),
        told("  place ann:pot at (0,0)\n"),
        told("  place ann:Pooga off\n"),
        told("  place S at (0,0)\n"),
        told("  place Mud at (0,0)\n  expect (0,0) holds anna:Mud\n"),
    ];
    insta::assert_snapshot!(said.join("\n"));
    // In a game that draws no players the colon is a part of the name.
    let game = GAME.replace(" in drawings", "").replace("ann:Pooga bob:(M)", "Pooga (M)");
    let game = game.split("variant other").next().unwrap();
    let (said, _) = judged(game, "use tent\nscenario \"s\"\n  board\n    | ann:Pooga\n    | at (0,0)\n");
    assert!(said.contains("`fighter` cannot have a player before it"), "{said}");
    let (said, _) = judged(game, "use tent\nscenario \"s\"\n  board\n    | x:Pooga\n    | at (0,0)\n");
    assert!(said.contains("unknown symbol `x:Pooga`"), "{said}");
}

#[test]
fn lines_that_contradict_each_other_are_told() {
    let drawing = "  board\n    | ann:Pooga S imp\n    | at (0,0)\n";
    let said = [
        told(&format!("{drawing}  set Pooga.controller bob\n")),
        told(&format!("  set Pooga.controller none\n{drawing}")),
        told(&format!("{drawing}  place bob:imp at (5,5)\n")),
        told("  board\n    | ann:imp bob:imp\n    | at (0,0)\n"),
        told("  place bob:Mud at (1,1)\n  set Mud.controller ann\n"),
    ];
    insta::assert_snapshot!(said.join("\n"));
    // A repeated value is not a conflict, and neither is one on a closer line.
    passes(
        "use tent
position \"two\"
  board
    | ann:Pooga S
    | at (0,0)

scenario \"the same\"
  from \"two\"
  set Pooga.controller ann
  place ann:Pooga at (1,1)
  expect Pooga.controller = ann

scenario \"nearer\"
  from \"two\"
  place bob:Pooga at (3,3)
  expect Pooga.controller = bob
  expect Pooga.controller = bob

scenario \"nearer still\"
  from \"two\"
  set Pooga.controller bob

  branch \"a\"
  set Pooga.controller none
  expect board
    | Pooga S
    | at (0,0)

  branch \"b\"
  place Pooga at (3,3)
  expect (3,3) holds bob:Pooga
",
    );
    let game = GAME.replace("  set imp.controller cid", "  set Pooga.controller cid");
    let (said, passed) = judged(&game, "use tent\nscenario \"s\"\n  expect not over\n");
    assert!(!passed && said.contains("contradiction") && said.contains("tent.game"), "{said}");
}

#[test]
fn a_variant_draws_over_what_is_for_all() {
    let game = GAME.replace(
        "variant plain",
        "place bob:Pooga at (0,0), cid:imp at (9,9)\nset Mud.controller ann\n\nvariant none\n\nvariant moved\n  place Pooga at (4,4)\n\nvariant plain",
    );
    let (said, passed) = judged(
        &game,
        "use tent none
scenario \"as for all\"
  players ann bob cid
  expect (0,0) holds bob:Pooga
  expect Mud.controller = ann

use tent moved
scenario \"elsewhere\"
  players ann bob cid
  expect (4,4) holds bob:Pooga

use tent plain
scenario \"drawn over\"
  players ann bob cid
  expect board
    | ann:Pooga bob:(M) S
    | at (0,0)
  expect imp.controller = none
",
    );
    assert!(passed, "{said}");
}

#[test]
fn a_property_in_drawings_is_a_player_of_a_kind_of_pieces() {
    let wrong = |from: &str, to: &str| {
        let (said, passed) = judged(&GAME.replace(from, to), "use tent\nscenario \"s\"\n  expect not over\n");
        assert!(!passed, "{said}");
        said
    };
    let said = [
        wrong("friend for each fighter PLAYER", "friend for each fighter PLAYER in drawings"),
        wrong("friend for each fighter PLAYER", "friend for each player PLAYER in drawings"),
        wrong("friend for each fighter PLAYER", "friend PLAYER in drawings"),
        wrong("friend for each fighter PLAYER", "friend for each banner CELL in drawings"),
        wrong("friend for each fighter PLAYER", "friend for each banner PLAYERS in drawings"),
        wrong("friend for each fighter PLAYER", "friend for each banner PLAYER in drawing"),
        wrong("symbols fa fb fc", "symbols fa fb ann:c"),
    ];
    insta::assert_snapshot!(said.join("\n"));
}

#[test]
fn nothing_is_lost_or_said_twice_where_states_are_written() {
    const START: &str = "use tent
scenario \"s\"
  players ann bob cid
  board
    | ann:Pooga bob:(M) S
    | . cid:imp fb
    | at (0,0)
  set Mud.friend ann
";
    let host = host(GAME, &format!("{START}  expect snapshot\n"));
    let mut loader = Loader::new(&host, LoaderOptions::default());
    let suite = referee_scenario::plan(&mut loader, Path::new("a.scenario"));
    let shot = &referee_scenario::judge(&mut loader, &suite, 0).snapshots[0].1;
    let origin = Origin::Scenario { file: "a.scenario".into(), title: None, game: "tent".into() };
    let stage = referee_scenario::stage(&mut loader, &origin).unwrap();
    let games = Playouts {
        rollouts: None,
        program: &stage.program,
        start: &stage.start,
        strategy: &StrategyProfile::default(),
        max_plies: 20,
    };
    let played = games.play(1, 0, true);
    let recorded = stage.record("recorded", &[], &played);
    let lines = position_lines(&played.state).join("\n");
    insta::assert_snapshot!(format!("{shot}\n\n{recorded}\n{lines}"));
    passes(&recorded);
    // Written lines must have the same meaning when read.
    passes(&format!("use tent\nscenario \"s\"\n{lines}\n  expect Mud.friend = ann\n  expect imp.controller = cid\n"));
    // Off the board nothing shows it.
    let (said, passed) = judged(
        GAME,
        "use tent
scenario \"s\"
  place Mud at (0,0)
  set Pooga.controller ann
  set Slick the Fast.controller bob
  expect Slick the Fast.controller = bob
  expect board
    | M
    | at (0,0)
  expect snapshot
",
    );
    assert!(!passed && said.contains("Pooga.controller = ann"), "{said}");
    assert!(said.contains("Slick the Fast.controller = bob"), "{said}");
    let said = told("  set Slick the Fast.controler bob\n");
    assert!(said.contains("did you mean `controller`?"), "{said}");
    let said = told("  expect Slick the Fast.controller bob\n");
    assert!(said.contains("write `expect Slick the Fast.controller = bob`"), "{said}");
    passes(
        "use tent\nscenario \"s\"\n  board\n    | .\n    | at (0,0)\n  do take_face_down\n  expect board\n    | bob:(Pooga)\n    | at (0,0)\n",
    );
}
