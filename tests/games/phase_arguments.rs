//! What a phase gives to a later one arrives as what it was: a set of cells is a set, a list a list, however deep.

use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use referee_diagnostic::{Code, Diagnostic};
use referee_game::{Game, SearchPath};
use referee_play::{Ending, Playouts, SharedAnswers, Start, StrategyProfile};
use referee_reference::Reference;
use referee_rules::Program;
use referee_source::MemoryHost;
use referee_table::{Outcome, PlayerId};
use referee_trace::{Answer, Ask};

use super::playing::silent;
use super::playouts::{Recorded, first_turn, set_up};

const BOARDS: [&str; 6] = ["grid 3x3", "grid 9x9 margin 1", "grid 40x40", "hex 4", "track 30", "open"];

/// Sets of cells as expressions of the rules.
const SETS: [&str; 4] = ["occupied()", "no_cells()", "around(occupied())", "around(occupied()) - occupied()"];

/// What a set is put into, and how it is found there again.
const CARRIERS: [(&str, &str); 7] = [
    ("SET", "v"),
    ("[SET, 1]", "v[0]"),
    ("#{ c: SET }", "v.c"),
    ("[[SET], 1]", "v[0][0]"),
    ("#{ a: #{ b: [SET] } }", "v.a.b[0]"),
    ("[\"text\", (), me, SET]", "v[3]"),
    ("#{ a: in_order(SET), b: SET }", "v.b"),
];

/// Returns the rules in which each set travels by each carrier, at once or past a decision.
fn rules() -> String {
    let (mut calls, mut phases) = (String::new(), String::new());
    for (at, ((carrier, found), set)) in CARRIERS.iter().flat_map(|c| SETS.map(|s| (*c, s))).enumerate() {
        let carried = carrier.replace("SET", set);
        calls += &format!("    then(\"p{at}\", me, 2, {carried}, \"x\", {at});\n");
        phases += &format!(
            "fn p{at}(me, two, v, x, n) {{
    let same = {set};
    if {at} % 3 == 0 {{ choose(me, \"go\", [may(\"go\")]); }}
    let s = {found};
    if s != same || (s & same) != same || (s | same) != same || !(s - same).is_empty() || count(s) != count(same) {{ lose(me); }}
    if type_of(s) != type_of(same) || type_of(in_order(s)) != \"array\" || n != {at} {{ lose(me); }}
    for at in same {{ if !s.has(at) {{ lose(me); }} }}
}}
"
        );
    }
    format!(
        "fn turn(me) {{
    place(stone(me), START);
{calls}    then(\"listed\", me, in_order(around(occupied())));
    then(\"end\", me);
}}
fn listed(me, l) {{ if type_of(l) != \"array\" || l.len != count(around(occupied())) {{ lose(me); }} }}
fn end(me) {{ win(me); }}
{phases}"
    )
}

#[test]
fn sets_of_cells_arrive_as_sets() {
    for board in BOARDS {
        let game = format!(
            "game sets \"Sets\"\nplayers 2 red blue\nrules \"rules.rhai\"\nboard {board}\n\
             piece stone for each player symbols r b\nask go\n"
        );
        let start = match board {
            "open" => "cell(0, 0)",
            "track 30" => "cell_named(\"4\")",
            _ => "cell_named(\"b2\")",
        };
        let host = MemoryHost::default()
            .with("games/sets/sets.game", game)
            .with("games/sets/rules.rhai", rules().replace("START", start));
        let asked = Diagnostic::general(Code::UnknownGame, "no such game");
        let game =
            Game::find(&SearchPath::new(&host, None, "".into()), Path::new("a.scenario"), "sets", &asked).unwrap();
        let program = Program::load(&game.schema, &[Arc::clone(&game.rules)]).unwrap();
        let start = Start::of(&first_turn(&program, set_up(&game, 2), &silent())).unwrap();
        let strategy = StrategyProfile::default();
        let playouts =
            Playouts { rollouts: None, program: &program, start: &start, strategy: &strategy, max_plies: 100 };
        // In one go, and with a pause at each decision.
        let mut recorded: Vec<(Ask, Answer)> = Vec::new();
        for kept in [false, true] {
            let told = playouts.play(7, 1, kept);
            assert!(won(told.state.outcome.as_ref()), "{board}: {:?}", code(&told.ending));
            assert!(matches!(told.ending, Ending::Over(_)), "{board}");
            recorded = told.answers.into_iter().flatten().collect();
        }
        let feed: SharedAnswers = Rc::new(RefCell::new(Recorded(recorded.into_iter())));
        let machine = Reference::of(&program).during(&program, || first_turn(&program, set_up(&game, 2), &feed));
        assert!(won(machine.state().outcome.as_ref()), "{board}, interpreted");
    }
}

/// Returns whether the first player has won.
fn won(outcome: Option<&Outcome>) -> bool {
    matches!(outcome, Some(Outcome::Won(players)) if players.as_slice() == [PlayerId(0)])
}

/// Returns the message of an error.
fn code(ending: &Ending) -> Option<&str> {
    match ending {
        Ending::Fault(wrong) => Some(&wrong.message),
        _ => None,
    }
}
