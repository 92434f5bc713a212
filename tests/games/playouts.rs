//! Compiled playouts, which are fast and report few details, must be the same as playouts by the interpreter.

use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use referee_diagnostic::{Code, Diagnostic};
use referee_game::{Game, SearchPath};
use referee_play::{AnswerSource, Ending, Machine, Playouts, SharedAnswers, Start, Stop, StrategyProfile, perft};
use referee_reference::Reference;
use referee_rules::{Program, Reply};
use referee_source::MemoryHost;
use referee_table::{Phase, PieceDef, PlayerId, State, Table};
use referee_trace::{Answer, Ask};

use super::playing::silent;

/// A source that replays recorded answers. Each question must equal the recorded one.
pub(super) struct Recorded(pub(super) std::vec::IntoIter<(Ask, Answer)>);

impl AnswerSource for Recorded {
    fn read(&mut self, ask: &Ask, _: &State) -> Reply {
        let Some((asked, answer)) = self.0.next() else { return Reply::Pause };
        assert_eq!(asked.question, ask.question);
        Reply::Answer(answer)
    }
}

fn game(id: &str) -> Game {
    let host = MemoryHost::default();
    let asked = Diagnostic::general(Code::UnknownGame, "no such game");
    Game::find(&SearchPath::new(&host, None, "/".into()), Path::new("/test"), id, &asked).unwrap()
}

pub(super) fn set_up(game: &Game, players: usize) -> State {
    let schema = &game.schema;
    let size = |piece: &PieceDef| schema.kinds.get(piece.kind.index()).map_or((1, 1), |kind| kind.size);
    let mut state = State::new(Arc::new(Table {
        schema: Arc::clone(schema),
        board: Arc::new(schema.build_board(&schema.board).unwrap()),
        variant: 0,
        arrows: Vec::new(),
        turns: referee_table::TurnRules::default(),
        places: referee_table::Places::default(),
        sizes: schema.pieces.iter().map(size).collect(),
        players: (0..players).map(PlayerId::at).collect(),
        options: schema.options.iter().map(|option| option.choice.default()).collect(),
    }));
    for placement in schema.variants.iter().take(1).flat_map(|variant| &variant.places) {
        let cell = state.board().cell(&placement.cell).unwrap();
        state.put(placement.piece, cell).unwrap();
    }
    state
}

/// Plays games from the first pause after `begin`, and replays each from its beginning in the interpreter with the same
/// answers.
pub(super) fn compare<'p>(
    id: &str,
    program: &'p Program,
    begin: impl Fn(&SharedAnswers) -> Machine<'p>,
    games: u64,
    max_plies: u64,
) {
    let Some(start) = Start::of(&begin(&silent())) else { return };
    let playouts =
        Playouts { rollouts: None, program, start: &start, strategy: &StrategyProfile::default(), max_plies };
    let reference = Reference::of(program);
    for number in 0..games {
        let (silent, told) = (playouts.play(7, number, false), playouts.play(7, number, true));
        assert_eq!(silent.tally, told.tally, "{id}, game {number}");
        assert_eq!(silent.state.key(), told.state.key(), "{id}, game {number}");
        let recorded: Vec<(Ask, Answer)> = told.answers.into_iter().flatten().collect();
        let feed: SharedAnswers = Rc::new(RefCell::new(Recorded(recorded.into_iter())));
        let machine = reference.during(program, || begin(&feed));
        match (machine.stop(), &told.ending) {
            (Stop::Over, Ending::Over(outcome)) => assert_eq!(machine.state().outcome.as_ref(), Some(outcome)),
            (Stop::Paused(_), Ending::Stopped) => continue,
            (stop, ending) => unreachable!("{id}, game {number}: {stop:?}, and by the machine {ending:?}"),
        }
        assert_eq!(machine.state().key(), told.state.key(), "{id}, game {number}");
    }
}

fn compare_game(id: &str, games: u64, max_plies: u64) {
    let game = game(id);
    let program = Program::load(&game.schema, &[Arc::clone(&game.rules)]).unwrap();
    compare(id, &program, |feed| first_turn(&program, set_up(&game, 2), feed), games, max_plies);
}

/// Play from the first player's first turn on.
pub(super) fn first_turn<'p>(program: &'p Program, state: State, feed: &SharedAnswers) -> Machine<'p> {
    let mut machine = Machine::new(program, state);
    machine.turn(PlayerId(0), feed);
    machine
}

#[test]
fn squish_on_hexagons() {
    compare_game("hex-squish", 100, 500);
}

#[test]
fn breakthrough() {
    compare_game("breakthrough", 50, 500);
}

#[test]
fn lines_of_action() {
    compare_game("lines-of-action", 4, 500);
}

#[test]
#[ignore = "some long games, by a slow interpreter"]
fn lines_of_action_in_full() {
    compare_game("lines-of-action", 20, 500);
}

#[test]
fn squish() {
    compare_game("squish-board", 5, 60);
}

/// Phases that follow each other in one go come to the same as phases one by one, whose answers are kept.
#[test]
fn phases_in_one_go() {
    let games = [("pig", 3), ("royal-game-of-ur", 2), ("evil-squash", 4), ("draughts", 2), ("squirmish", 3)];
    for (id, players) in games {
        let game = game(id);
        let program = Program::load(&game.schema, &[Arc::clone(&game.rules)]).unwrap();
        let mut machine = Machine::new(&program, set_up(&game, players));
        match program.has("setup", 0) {
            true => machine.set_up(&[Phase { name: "setup".into(), args: Vec::new() }], &silent()),
            false => machine.turn(PlayerId(0), &silent()),
        }
        let start = Start::of(&machine).unwrap();
        for max_plies in [1, 2, 5, 60] {
            let playouts = Playouts {
                rollouts: None,
                program: &program,
                start: &start,
                strategy: &StrategyProfile::default(),
                max_plies,
            };
            for number in 0..10 {
                let (at_once, one_by_one) = (playouts.play(7, number, false), playouts.play(7, number, true));
                let case = format!("{id}, game {number}, up to {max_plies} turns");
                assert!(!one_by_one.answers.is_empty(), "{case}");
                assert_eq!(at_once.ending, one_by_one.ending, "{case}");
                assert_eq!(at_once.tally, one_by_one.tally, "{case}");
                assert_eq!(at_once.state.key(), one_by_one.state.key(), "{case}");
            }
        }
    }
}

/// A game that uses all features of compiled code, with dice as a source of numbers.
const FORMS: &str = r#"
const LIMIT = 400;
const VALUES = #{ one: 1, two: 2 };
const NAMES = ["one", "two", "three"];

fn turn(me) {
    let n = roll();
    let before = me.sum;
    me.sum += loops(n) + lists(n);
    me.sum -= 3;
    me.twice = 2 * me.sum;
    me.sum = me.sum % 1000;
    me.trail = [n, n + 1];
    if texts(n) == "three!" || n >= 5 && !(me.sum < before) { me.sum += spend(me); }
    if me.trail.contains(before) { me.sum += 1; }
    if me.sum / 2 > LIMIT { win(me); }
    if -me.sum < -LIMIT && me.sum != 2 * LIMIT { me.sum -= LIMIT; }
}

/// Whoever adds this to the sum adds it to what the sum is then.
fn spend(me) { me.sum -= 1; n_of(#{ n: 7 }) }

fn n_of(map) { let found = map.n; map.n = 1; map.n += found; map.n }

fn loops(n) {
    let all = 0;
    for i in 1..=n { all += i; }
    for i in 0..n { if i == 2 { continue; } all += 10 * i; }
    for i in 2..5 { all *= i; if all > 300 { break; } }
    let left = n;
    while left > 0 {
        left -= 1;
        if left == 3 { continue; }
        let again = 0;
        loop { again += 1; if again > left { break; } }
        all += again;
    }
    all + first_over(3, [n, 2, 5, 9])
}

fn first_over(limit, values) {
    for value in values { for n in 0..=9 { if n == value && n > limit { return max(n, limit); } } }
    0
}

fn lists(n) {
    let grid = [[n, 2], [3, [4, #{ deep: [n, 6] }]]];
    let all = grid[0][1] + grid[1][1][0] + grid[-1][1][1].deep[0] + grid[1][1][1].deep.len;
    let queue = [];
    queue.push(n);
    queue.push(all);
    queue.push(n * n);
    let large = queue.filter(|value| value > 3);
    all += large.len + queue.len;
    if queue.contains(36) { all += queue.index_of(36); }
    if n in [1, 2] { all += 1; }
    let map = #{ a: n, b: #{ c: 5 } };
    map.a += map.b.c + VALUES["one"] + VALUES.two;
    if map["a"] > 10 { all += 1; }
    let pair = min(map.a, all) + if n > 3 { 1 } else { 2 };
    all + pair + two(n, all) + constant("two")
}

/// A constant in front of a function of the engine, which alone knows what may not be done to it.
fn constant(n) { if NAMES.contains(n) { 1 } else { 0 } }

fn two(one, other) { one = one + other; one - other }

fn texts(n) {
    let name = if n > 3 { "more" } else { NAMES[n - 1] };
    name += "!";
    if name == "more!" { return NAMES[2] + "?"; }
    name
}
"#;

#[test]
fn all_forms() {
    let words = "game forms \"Forms\"\nplayers 2 red blue\nrules \"rules.rhai\"\nboard grid 1x1\ndie six 1..6\n\
                 counter sum for each player = 0\ncounter twice for each player = 0\n\
                 property trail for each player NUMBERS\n";
    let folder = MemoryHost::default().with("games/forms/forms.game", words);
    let host = folder.with("games/forms/rules.rhai", FORMS);
    let asked = Diagnostic::general(Code::UnknownGame, "no such game");
    let game = Game::find(&SearchPath::new(&host, None, "".into()), Path::new("a.scenario"), "forms", &asked).unwrap();
    let program = Program::load(&game.schema, &[Arc::clone(&game.rules)]).unwrap();
    compare("forms", &program, |feed| first_turn(&program, set_up(&game, 2), feed), 50, 500);
}

/// Counting the last moves by their lists must give the same number as counting them one by one.
#[test]
fn moves_counted_by_the_listful() {
    let game = game("breakthrough");
    let program = Program::load(&game.schema, &[Arc::clone(&game.rules)]).unwrap();
    let mut machine = Machine::new(&program, set_up(&game, 2));
    let feed: SharedAnswers = Rc::new(RefCell::new(Recorded(Vec::new().into_iter())));
    machine.turn(PlayerId(0), &feed);
    let Stop::Paused(ask) = machine.stop().clone() else { unreachable!("a turn begins with a choice") };
    let referee_trace::Question::Choose(decision) = &ask.question else { unreachable!("a move is chosen") };
    let after = |at: usize| {
        let mut next = machine.clone();
        let feed: SharedAnswers = Rc::new(RefCell::new(Recorded(vec![(ask.clone(), Answer::Chosen(at))].into_iter())));
        next.go_on(&feed);
        let Stop::Paused(ask) = next.stop() else { return 0 };
        let referee_trace::Question::Choose(decision) = &ask.question else { return 0 };
        decision.options.len() as u64
    };
    let one_by_one: u64 = (0..decision.options.len()).map(after).sum();
    assert_eq!(perft(&machine, 2).unwrap(), one_by_one);
}
