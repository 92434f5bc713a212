//! No call does more than it counts: every function that rules can call is called with arguments of growing size. What
//! it costs, in operations, grows with the size, and with the memory that it takes.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use referee_diagnostic::{Code, Diagnostic};
use referee_game::{Game, SearchPath};
use referee_rules::{Answers, End, Form, Keep, Program, Reply, Worst};
use referee_source::MemoryHost;
use referee_table::{Phase, State, Throw, Value};
use referee_trace::{Answer, Ask, Question};

use super::on_worker;
use crate::games::playing::Playable;

/// The sizes of lists, maps and strings.
const SIZES: [i64; 2] = [100, 9000];
/// The sides of boards.
const SIDES: [i64; 2] = [6, 60];
/// The number of calls that are measured together.
const CALLS: i64 = 4;
/// The bytes that a call may take for each operation that it counts, and those that it may take besides.
const BYTES: u64 = 1024;
const BESIDES: u64 = 12_000;

/// The values of the calls: their names, and how they are made.
const VALUES: [(&str, &str); 15] = [
    ("nest", "let nest = #{a: 1}; for k in 0..n { nest = #{a: nest}; }"),
    ("list", "let list = []; list.pad(n, 1);"),
    ("other", "let other = []; other.pad(n, 1);"),
    ("text", "let text = \"\"; text.pad(n, \"x\");"),
    ("words", "let words = \"\"; words.pad(n, \"x \");"),
    ("map", "let map = #{}; for k in 0..n { map[`k${k}`] = k; }"),
    ("more", "let more = #{}; for k in 0..n { more[`m${k}`] = k; }"),
    // The prelude goes through the keys, and each of its operations counts: more keys are more than a phase may do.
    ("some", "let some = #{}; for k in 0..n / 9 { some[`k${k}`] = k; }"),
    ("letter", "let letter = 'x';"),
    ("cells", "let cells = all_cells();"),
    ("pieces", "for cell in edge() { if at(cell) == () { place(man(me), cell); } } let pieces = occupied();"),
    ("dirs", "let dirs = touched(all_cells());"),
    ("moves", "let moves = steps(touched(all_cells()));"),
    ("far", "let far = nth(directions());"),
    ("card", "let card = cards(heap)[0];"),
];

/// What is no call of a native, but reads or makes values.
const OF_THE_LANGUAGE: [Worst; 2] = [
    Worst::Grows(&[
        "let a = list; a[0] = 2",
        "let m = map; m[\"k1\"] = 2",
        "`${text}`",
        "text[0]",
        "for x in list { }",
        "for x in text { }",
        "for x in 0..n { }",
        "2 in list",
    ]),
    Worst::Same(&["switch list { [1] => 1 }"]),
];

/// The game for boards of this side.
fn game(side: i64) -> String {
    format!(
        "game costs \"Costs\"\nplayers 2 red blue\nrules \"rules.rhai\"\nrulebook \"RULES.md\"\n\
         board grid {side}x{side}\ndie d 1..6\npiece man many for each player symbols r b\npiece king symbol K\n\
         piece scout for each player symbols s t\npiece guard 1..2 for each player\npiece block 1..2\n\
         option way = one | two \"Way\"\ncounter score for each player = 0\nproperty notes for each player CELLS\n\
         zone deck pile\nzone heap open\nzone hand for each player\nask walk CELL \"Walk\"\nevent says TEXT \"Says\"\n\
         card trick from \"cards.yaml\" in heap\n"
    )
}

/// A function of the rules for each call. The second parameter is the number of calls.
fn rules(calls: &[&str]) -> String {
    let mut rules = "fn turn(me) { roll(\"d\"); }\nfn keep(value) { }\nfn walked(me, cell) { }\n\
                     fn moves(me) { steps(touched(all_cells())) }\nfn why_not(_me, _action) { }\n"
        .to_owned();
    for (at, call) in calls.iter().enumerate() {
        let words: BTreeSet<&str> = call.split(|letter: char| !letter.is_alphanumeric()).collect();
        let values = VALUES.iter().filter(|(name, _)| words.contains(name)).map(|(_, made)| *made);
        let values = values.collect::<Vec<&str>>().join(" ");
        let is_statement = call.starts_with("for ") || call.starts_with("let ") || call.contains("; ");
        let call = if is_statement { format!("{call};") } else { format!("keep({call});") };
        let _ = writeln!(rules, "fn c{at}(n, times) {{ let me = red; {values} for time in 0..times {{ {call} }} }}");
    }
    rules
}

/// Answers what is asked with the first answer.
struct First;

impl Answers for First {
    fn answer(&mut self, ask: &Ask, state: &State) -> Reply {
        Reply::Answer(match &ask.question {
            Question::Roll(_) => Answer::Rolled(Throw::of([0])),
            Question::Draw(_) => ask.question.chances(state)[0].0.clone(),
            Question::Choose(_) => Answer::Chosen(0),
            Question::ChooseAll(all) => Answer::AllChosen(vec![0; all.len()]),
        })
    }
}

/// The operations and the bytes of the calls with this number, each time in a phase of its own.
fn figures(playable: &(Playable, State), at: usize, size: i64, times: i64) -> Result<(u64, u64), String> {
    let (program, state) = (&playable.0.program, playable.1.clone());
    let phase = Phase { name: format!("c{at}").into(), args: vec![Value::Int(size), Value::Int(times)] };
    let (mut operations, mut fault) = (0, None);
    let info = allocation_counter::measure(|| {
        program.begin(0);
        let before = program.spent();
        let run = program.run(state, &phase, Box::new(First), Keep::default());
        operations = program.spent() - before;
        if let End::Fault(wrong) = run.end {
            fault = Some(wrong.message.clone());
        }
    });
    fault.map_or(Ok((operations, info.bytes_total)), Err)
}

/// What is wrong with the costs of these calls, each of which may grow or not.
fn wrong(calls: &[(&str, bool)], sizes: [i64; 2], boards: [i64; 2]) -> Vec<String> {
    let script = rules(&calls.iter().map(|(call, _)| *call).collect::<Vec<_>>());
    let [small, large] = boards.map(|side| load(side, &script));
    let each = calls.iter().enumerate().filter_map(|(at, (call, may_grow))| {
        let of = |playable: &(Playable, State), size: i64| {
            // What a board knows of itself is found out once.
            figures(playable, at, size, CALLS)?;
            let (before, after) = (figures(playable, at, size, 0)?, figures(playable, at, size, CALLS)?);
            let each = |after: u64, before: u64| after.saturating_sub(before) / CALLS.unsigned_abs();
            Ok::<_, String>((each(after.0, before.0), each(after.1, before.1)))
        };
        let ((few, _), (many, bytes)) = match (of(&small, sizes[0]), of(&large, sizes[1])) {
            (Ok(few), Ok(many)) => (few, many),
            (Err(wrong), _) | (_, Err(wrong)) => return Some(format!("`{call}`: {wrong}")),
        };
        let grows = many >= 4 * few.max(1);
        let told = match may_grow {
            true if !grows => "does not grow with the size",
            false if grows && many > 40 => "grows with the size",
            _ if bytes > BESIDES + BYTES * many => "takes more memory than it counts",
            _ => return None,
        };
        Some(format!("`{call}` {told}: {few} and {many} operations, {bytes} bytes"))
    });
    each.collect()
}

#[track_caller]
fn none_wrong(worst: &[Worst], sizes: [i64; 2], boards: [i64; 2]) {
    let of = |worst: &Worst| -> Vec<(&'static str, bool)> {
        match *worst {
            Worst::Grows(calls) => calls.iter().map(|call| (*call, true)).collect(),
            Worst::Same(calls) => calls.iter().map(|call| (*call, false)).collect(),
            Worst::Unmeasured(_) => Vec::new(),
        }
    };
    let calls: Vec<(&str, bool)> = worst.iter().flat_map(of).collect();
    let wrong = on_worker(|| wrong(&calls, sizes, boards));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The rules for a board of this side.
fn load(side: i64, script: &str) -> (Playable, State) {
    let cards: String = (0..side * side / 4).map(|at| format!("  - {{name: card {at}}}\n")).collect();
    let host = MemoryHost::default()
        .with("games/costs/costs.game", game(side))
        .with("games/costs/RULES.md", "[A1] Play.\n")
        .with("games/costs/cards.yaml", format!("cards:\n{cards}"))
        .with("games/costs/rules.rhai", script);
    let asked = Diagnostic::general(Code::UnknownGame, "no such game");
    let game = Game::find(&SearchPath::new(&host, None, "".into()), Path::new("a.scenario"), "costs", &asked);
    let game = game.unwrap_or_else(|wrong| unreachable!("{wrong:?}"));
    let program = Program::load(&game.schema, &[Arc::clone(&game.rules)]);
    let playable = Playable {
        program: program.unwrap_or_else(|wrong| {
            unreachable!(
                "{:?}",
                wrong.iter().map(|one| (&one.message, one.labels.first().map(|label| label.span))).collect::<Vec<_>>()
            )
        }),
    };
    let variant = playable.program.schema().variants.first().cloned().unwrap_or_default();
    let state = playable.start(&variant, 2, playable.defaults());
    (playable, state)
}

/// The calls that cost most of the natives whose cost grows with the board, or of all others.
fn of_natives(by_board: bool) -> Vec<Worst> {
    let natives = referee_rules::entries().into_iter().filter(|form| form.costs_by_board() == by_board);
    natives.map(Form::worst).collect()
}

#[test]
fn no_function_of_the_library_does_more_than_it_counts() {
    none_wrong(&[of_natives(false).as_slice(), &OF_THE_LANGUAGE].concat(), SIZES, [6, 6]);
}

#[test]
fn no_function_of_the_board_does_more_than_it_counts() {
    none_wrong(&of_natives(true), SIDES, SIDES);
}

/// Each native has calls that measure it, or says why not.
#[test]
fn the_calls_that_cost_most_are_calls_of_their_functions() {
    for form in referee_rules::entries() {
        let (Worst::Grows(calls) | Worst::Same(calls)) = form.worst() else { continue };
        assert!(!calls.is_empty(), "`{}` has no calls", form.written());
        let is_called = |call: &&str| call.contains(form.name()) || form.name() == "NAME";
        assert!(calls.iter().all(is_called), "`{}`: {calls:?}", form.written());
    }
}

/// Rhai's library gets a map as a tree, each level with nodes of its own.
#[test]
fn nested_maps_cost_what_is_made_to_write_them() {
    on_worker(|| {
        let calls = ["`${nest}`", "nest.to_string()", "print(nest)"];
        let playable = load(6, &rules(&calls));
        for (at, call) in calls.iter().enumerate() {
            let of = |times| figures(&playable, at, 57, times).unwrap_or_else(|wrong| unreachable!("{call}: {wrong}"));
            let (before, after) = (of(0), of(100));
            let (operations, bytes) = (after.0 - before.0, after.1 - before.1);
            assert!(bytes <= 256 * operations, "{call}: {operations} operations, {bytes} bytes");
        }
    });
}
