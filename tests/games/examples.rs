//! The example of each entry of the natives gives what the entry says, by the machine and by Rhai's interpreter.

use std::path::Path;
use std::sync::Arc;

use referee_diagnostic::{Code, Diagnostic};
use referee_game::{Game, SearchPath};
use referee_play::{Ending, Playouts, Start, StrategyProfile};
use referee_rules::{Loading, Program, entries};
use referee_source::MemoryHost;
use referee_table::{Outcome, Owner, PlayerId, State, Value};

use super::playing::silent;
use super::playouts::{first_turn, set_up};
use super::snippets::differs;

/// The game of all examples.
const GAME: &str = "game shown \"Shown\"\nplayers 2 red blue\nrules \"rules.rhai\"\nrulebook \"RULES.md\"\n\
                    board grid 3x3 with corners sides\ndie six 1..6\noption way = short | long \"Way\"\ncounter score for each player = 0\n\
                    property told for each player TEXT\npiece man for each player symbols r b\n\
                    piece pawn many for each player symbols p q\npiece guard 1..2 for each player\npiece block 1..2\npiece king symbol K\n\
                    piece large size 2x2 symbol L\nzone deck pile\nzone heap open\nzone hand for each player\n\
                    ask walk CELL \"Walk\"\nask pick NUMBER \"Pick\"\nask slide MOVE \"Slide\"\nevent says TEXT \"Says\"\n\
                    card trick from \"cards.yaml\" in heap\n";

const CARDS: &str = "cards:\n  - {name: ace}\n  - {name: two}\n";

const AROUND: &str = "fn turn(me) { roll(\"six\"); me.told = to_debug(f(me)); nobody_wins(); }\nfn later(number) { }\n\
                      fn picked(me, number) { }\nfn moves(me) { no_moves() }\n";

fn game_of(code: &str, subject: &str) -> Game {
    let game = match subject {
        "Stacks" => GAME.replace("with corners sides", "with corners sides stacks").replace("size 2x2 ", ""),
        "Resources" => format!("{GAME}resource ore for each player supply 5\nresource wool for each player\n"),
        _ if code.contains("cup") => GAME.replace("die six 1..6", "die six 1..6\ndie cup 1..6 secret"),
        _ => GAME.to_owned(),
    };
    let host = MemoryHost::default()
        .with("games/shown/shown.game", game)
        .with("games/shown/RULES.md", "[A1] Play.\n")
        .with("games/shown/cards.yaml", CARDS)
        .with("games/shown/rules.rhai", format!("{AROUND}fn f(me) {{ {code} }}\n"));
    let asked = Diagnostic::general(Code::UnknownGame, "no such game");
    Game::find(&SearchPath::new(&host, None, "".into()), Path::new("a.scenario"), "shown", &asked).unwrap()
}

/// The value of the code, or how it ended the game. `by_both` also compares the machine with the interpreter. Pieces stack, and
/// there are resources, for the functions of these subjects.
fn given(code: &str, by_both: bool, subject: &str) -> String {
    let game = game_of(code, subject);
    let unchecked = Loading { unchecked: true, ..Loading::default() };
    let program = match Program::load_with(&game.schema, &[Arc::clone(&game.rules)], &unchecked) {
        Ok(program) => program,
        Err(wrong) => return format!("does not load: {:?}", wrong.first().map(|one| &one.message)),
    };
    let start = Start::of(&first_turn(&program, set_up(&game, 2), &silent()));
    let Some(start) = start else { return "does not begin".to_owned() };
    let strategy = StrategyProfile::default();
    let playouts = Playouts { rollouts: None, program: &program, start: &start, strategy: &strategy, max_plies: 10 };
    let played = playouts.play(7, 1, true);
    if by_both && let Some(differs) = differs(&game, code, 3) {
        return differs;
    }
    match (told(&game, &played.state), played.ending) {
        (Some(told), Ending::Over(Outcome::Nobody)) => told,
        (None, Ending::Over(outcome)) => words(&game, &outcome),
        (_, Ending::Fault(wrong)) => format!("{}: {}", wrong.code, wrong.message),
        (_, ending) => format!("{ending:?}"),
    }
}

fn told(game: &Game, state: &State) -> Option<String> {
    match state.value(game.schema.property("told")?, Owner::Player(PlayerId(0)))? {
        Value::Text(text) => Some(text.to_string()),
        _ => None,
    }
}

fn words(game: &Game, outcome: &Outcome) -> String {
    match outcome {
        Outcome::Won(players) => {
            let names: Vec<&str> = players.iter().map(|player| game.schema.player_name(*player)).collect();
            format!("{} wins", names.join(" and "))
        }
        Outcome::Nobody => "nobody wins".to_owned(),
        Outcome::Draw => "a draw".to_owned(),
    }
}

#[test]
fn examples_give_what_their_entries_say() {
    let wrong: Vec<String> = entries()
        .iter()
        .filter_map(|form| {
            let example = form.example();
            // Rhai's own functions for lists do not take moves, and the machine's do.
            let by_both = !form.is_of_library() || !form.costs_by_board();
            let given = given(example.code, by_both, form.subject());
            let told =
                || format!("`{}`: `{}` gives\n    {given}\n  not {}", form.written(), example.code, example.gives);
            (given != example.gives).then(told)
        })
        .collect();
    assert!(wrong.is_empty(), "{} examples\n{}", wrong.len(), wrong.join("\n"));
}

/// An example is a call of its function.
#[test]
fn examples_show_their_functions() {
    let is_called = |code: &str, name: &str| {
        code.split(|letter: char| letter != '_' && !letter.is_alphanumeric()).any(|word| word == name)
            || !name.starts_with(char::is_alphabetic) && code.contains(name)
            || name == "NAME"
    };
    for form in entries() {
        assert!(is_called(form.example().code, form.name()), "`{}`: {}", form.written(), form.example().code);
    }
}
