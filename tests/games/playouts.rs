//! Games played out by code, which is quick and short of words, are those that the interpreter plays.

use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use referee::diagnostic::Diagnostic;
use referee::game::{Game, Shelf};
use referee::play::{Ending, Feed, Machine, Playouts, Reader, Start, Stop, perft};
use referee::rules::{Program, Reply};
use referee::source::MemoryHost;
use referee::table::{PieceDef, PlayerId, State, Table};
use referee::trace::{Answer, Ask};

/// Gives recorded answers, one after the other, and then none; what is asked must be what was asked.
struct Recorded(std::vec::IntoIter<(Ask, Answer)>);

impl Reader for Recorded {
    fn read(&mut self, ask: &Ask, _: &State) -> Reply {
        let Some((asked, answer)) = self.0.next() else { return Reply::Pause };
        assert_eq!(asked.question, ask.question);
        Reply::Answer(answer)
    }
}

fn game(id: &str) -> Game {
    let host = MemoryHost::default();
    let asked = Diagnostic::general("unknown_game", "no such game");
    Game::find(&Shelf::new(&host, None, "/".into()), Path::new("/test"), id, &asked).unwrap()
}

fn set_up(game: &Game, players: usize) -> State {
    let schema = &game.schema;
    let size = |piece: &PieceDef| schema.kinds.get(piece.kind.index()).map_or((1, 1), |kind| kind.size);
    let mut state = State::new(Arc::new(Table {
        schema: Arc::clone(schema),
        board: Arc::new(schema.build_board(schema.board).unwrap()),
        variant: 0,
        arrows: Vec::new(),
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

/// Play games out, and each again by the interpreter with the same answers.
fn compare(id: &str, games: u64, max_plies: u64) {
    let game = game(id);
    let program = Program::load(&game.schema, &[Arc::clone(&game.rules)], None).unwrap();
    let fresh = Machine::new(&program, set_up(&game, 2));
    let start = Start::of(&fresh).unwrap();
    let playouts = Playouts { program: &program, start: &start, policies: &[], max_plies };
    for number in 0..games {
        let (silent, told) = (playouts.play(7, number, false), playouts.play(7, number, true));
        assert_eq!(silent.tally, told.tally, "{id}, game {number}");
        assert_eq!(silent.state.key(), told.state.key(), "{id}, game {number}");
        let recorded: Vec<(Ask, Answer)> = told.answers.into_iter().flatten().collect();
        let feed: Feed = Rc::new(RefCell::new(Recorded(recorded.into_iter())));
        let mut machine = fresh.clone();
        machine.turn(PlayerId(0), &feed);
        match (machine.stop(), &told.ending) {
            (Stop::Over, Ending::Over(outcome)) => assert_eq!(machine.state().outcome.as_ref(), Some(outcome)),
            (Stop::Paused(_), Ending::Stopped) => continue,
            (stop, ending) => unreachable!("{id}, game {number}: {stop:?}, and as code {ending:?}"),
        }
        assert_eq!(machine.state().key(), told.state.key(), "{id}, game {number}");
    }
}

#[test]
fn squish_on_hexagons() {
    compare("hex-squish", 100, 500);
}

#[test]
fn breakthrough() {
    compare("breakthrough", 50, 500);
}

#[test]
fn lines_of_action() {
    compare("lines-of-action", 20, 500);
}

#[test]
fn squish() {
    compare("squish-board", 5, 60);
}

/// The last moves counted by the listful are as many as those counted one by one.
#[test]
fn moves_counted_by_the_listful() {
    let game = game("breakthrough");
    let program = Program::load(&game.schema, &[Arc::clone(&game.rules)], None).unwrap();
    let mut machine = Machine::new(&program, set_up(&game, 2));
    let feed: Feed = Rc::new(RefCell::new(Recorded(Vec::new().into_iter())));
    machine.turn(PlayerId(0), &feed);
    let Stop::Paused(ask) = machine.stop().clone() else { unreachable!("a turn begins with a choice") };
    let referee::trace::Question::Choose(decision) = &ask.question else { unreachable!("a move is chosen") };
    let after = |at: usize| {
        let mut next = machine.clone();
        let feed: Feed = Rc::new(RefCell::new(Recorded(vec![(ask.clone(), Answer::Chosen(at))].into_iter())));
        next.go_on(&feed);
        let Stop::Paused(ask) = next.stop() else { return 0 };
        let referee::trace::Question::Choose(decision) = &ask.question else { return 0 };
        decision.options.len() as u64
    };
    let one_by_one: u64 = (0..decision.options.len()).map(after).sum();
    assert_eq!(perft(&machine, 2).unwrap(), one_by_one);
}
