//! Compares Squish and Flowish on hexagons with an independent implementation, move by move, in whole games and from
//! random positions, with default and random options.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use referee_diagnostic::{Code, Diagnostic};
use referee_game::{Game, SearchPath};
use referee_play::{AnswerSource, Machine, SharedAnswers, Stop};
use referee_rules::{Program, Reply};
use referee_source::MemoryHost;
use referee_table::{BoardSpec, Choice, Outcome, PlayerId, State, Table, Value};
use referee_trace::{Action, Answer, Ask, Question};

use super::hex_oracle::{DIRECTIONS, End, Hex, Position, Reading};
use super::playing::Random;

struct Once(Option<Answer>);

impl AnswerSource for Once {
    fn read(&mut self, _: &Ask, _: &State) -> Reply {
        self.0.take().map_or(Reply::Pause, Reply::Answer)
    }
}

pub(crate) struct Hexagons {
    game: Game,
    pub(crate) program: Program,
    /// The clauses that were applied in all games.
    clauses: RefCell<BTreeSet<String>>,
}

impl Hexagons {
    pub(crate) fn load() -> Self {
        let host = MemoryHost::default();
        let search_path = SearchPath::new(&host, None, "".into());
        let asked = Diagnostic::general(Code::UnknownGame, "no such game");
        let game = Game::find(&search_path, Path::new("any.scenario"), "hex-squish", &asked).unwrap();
        let program = Program::load(&game.schema, &[Arc::clone(&game.rules)]).unwrap();
        Self { game, program, clauses: RefCell::default() }
    }

    /// Every option at its first value, or at random.
    pub(crate) fn reading(&self, flowish: bool, random: Option<&mut Random>) -> Reading {
        let mut options = BTreeMap::new();
        let mut random = random;
        for option in &self.game.schema.options {
            let Choice::Words(words) = &option.choice else { continue };
            let at = random.as_mut().map_or(0, |random| random.below(words.len()));
            options.insert(option.name.clone(), words[at].to_string());
        }
        Reading { flowish, options }
    }

    pub(crate) fn state(&self, position: &Position, reading: &Reading) -> State {
        let schema = &self.game.schema;
        let setting =
            |option: &referee_table::GameOption| option.choice.setting(&reading.options[&option.name]).unwrap();
        let table = Table {
            schema: Arc::clone(schema),
            board: Arc::new(schema.build_board(BoardSpec::Hex(i64::from(position.side))).unwrap()),
            sizes: vec![(1, 1); schema.pieces.len()],
            players: vec![PlayerId::at(0), PlayerId::at(1)],
            options: schema.options.iter().map(setting).collect(),
            arrows: Vec::new(),
            turns: referee_table::TurnRules::default(),
            places: referee_table::Places::default(),
            variant: usize::from(reading.flowish),
        };
        let mut state = State::new(Arc::new(table));
        for (hex, player) in &position.pieces {
            let man = schema.pieces.iter().position(|piece| piece.owner == Some(PlayerId::at(*player))).unwrap();
            let cell = state.board().cell(&position.name(*hex)).unwrap();
            state.put(referee_table::PieceId::at(man), cell).unwrap();
        }
        state
    }

    /// Play at random from a position, both ways; how it ended, if it did within so many moves.
    fn play(&self, start: &Position, reading: &Reading, random: &mut Random, most: usize) -> Option<End> {
        let mut position = start.clone();
        let (mut player, mut last) = (0, [None, None]);
        let mut stood = BTreeMap::from([((position.clone(), player), 1)]);
        let mut machine = Machine::new(&self.program, self.state(start, reading));
        let pause: SharedAnswers = Rc::new(RefCell::new(Once(None)));
        machine.turn(PlayerId::at(0), &pause);
        for turn in 1..=most {
            let moves = position.moves(player, reading);
            let offered = self.compare(&machine, &position, player, &moves, reading, random);
            let chosen = random.below(moves.len());
            // Where a third time counts, mostly back to where it came from.
            let back = last[player].map(|(from, to)| (to, from)).filter(|back| moves.contains(back));
            let back = back.filter(|_| reading.options["cycle"] == "repeat3" && random.below(4) > 0);
            let made = back.unwrap_or_else(|| *moves.iter().nth(chosen).unwrap());
            last[player] = Some(made);
            let name = format!("{}{}", position.name(made.0), position.name(made.1));
            let captured = position.pieces.contains_key(&made.1);
            let feed: SharedAnswers = Rc::new(RefCell::new(Once(Some(Answer::Chosen(offered[&name])))));
            machine.go_on(&feed);
            let mut end = position.make(made, player, reading);
            player = 1 - player;
            let times = stood.entry((position.clone(), player)).or_insert(0);
            *times += 1;
            if *times == 3 && end.is_none() && reading.options["cycle"] == "repeat3" {
                end = Some(End::Tie);
            }
            let told = match (machine.stop(), &machine.state().outcome) {
                (Stop::Over, Some(Outcome::Won(winners))) => Some(End::Won(winners[0].index())),
                (Stop::Over, Some(Outcome::Draw)) => Some(End::Tie),
                (Stop::Paused(_), None) => None,
                other => unreachable!("{other:?} after {name} in {position:?}, {reading:?}"),
            };
            assert_eq!(told, end, "after {name} in {position:?}, {reading:?}");
            let captures = machine.events().filter(|event| event.write(machine.names()).contains(" captures ")).count();
            let lost = start.pieces.len() - position.pieces.len();
            assert_eq!(captures, lost, "after {name} (captured {captured})");
            if end.is_some() || turn == most {
                let schema = &self.game.schema;
                let names = machine.clauses().iter().map(|clause| schema.clauses[clause.index()].id.clone());
                self.clauses.borrow_mut().extend(names);
                return end;
            }
        }
        None
    }

    /// The options are the moves of the other reading, and whatever is not among them is refused for a reason.
    fn compare(
        &self,
        machine: &Machine<'_>,
        position: &Position,
        player: usize,
        moves: &BTreeSet<(Hex, Hex)>,
        reading: &Reading,
        random: &mut Random,
    ) -> BTreeMap<String, usize> {
        let Stop::Paused(Ask { question: Question::Choose(decision), .. }) = machine.stop() else {
            unreachable!("{:?} in {position:?}, {reading:?}", machine.stop())
        };
        let board = machine.state().board();
        let name = |action: &Action| match &action.values[..] {
            [Value::Move(made)] => format!("{}{}", board.name(made.from()), board.name(made.to())),
            other => unreachable!("{other:?}"),
        };
        let offered: BTreeMap<String, usize> = decision.options.iter().map(name).zip(0..).collect();
        let wanted: BTreeSet<String> =
            moves.iter().map(|(from, to)| format!("{}{}", position.name(*from), position.name(*to))).collect();
        let said: BTreeSet<String> = offered.keys().cloned().collect();
        assert_eq!(said, wanted, "{position:?}, {reading:?}");
        let all = position.board();
        for _ in 0..3 {
            let from = all[random.below(all.len())];
            let direction = DIRECTIONS[random.below(6)];
            let to = (from.0 + direction.0, from.1 + direction.1);
            if !position.has(to) {
                continue;
            }
            let cell = |hex: Hex| board.cell(&position.name(hex)).unwrap();
            let captures = position.pieces.contains_key(&to);
            let made = referee_table::Move::step(cell(from), cell(to), captures);
            let action = Action { ask: decision.ask, values: vec![Value::Move(made)].into() };
            let reason = self.program.why_not(machine.state(), PlayerId::at(player), &action).unwrap();
            let legal = moves.contains(&(from, to));
            assert_eq!(reason.is_none(), legal, "{reason:?}: {from:?} to {to:?} in {position:?}, {reading:?}");
        }
        offered
    }
}

/// A position with some pieces anywhere, in which White is not stuck.
fn anywhere(reading: &Reading, random: &mut Random) -> Position {
    loop {
        let side = 2 + i32::try_from(random.below(4)).unwrap();
        let mut position = Position { side, pieces: BTreeMap::new() };
        let (sparse, all) = (2 + random.below(8), position.board());
        for hex in all {
            if random.below(sparse) == 0 {
                position.pieces.insert(hex, random.below(2));
            }
        }
        if !position.moves(0, reading).is_empty() {
            return position;
        }
    }
}

#[test]
fn whole_games_of_both_variants() {
    let hexagons = Hexagons::load();
    for flowish in [false, true] {
        let reading = hexagons.reading(flowish, None);
        let mut ended = 0;
        for seed in 0..20 {
            let side = 3 + i32::try_from(seed % 3).unwrap();
            let end = hexagons.play(&Position::start(side), &reading, &mut Random(seed), 150);
            ended += usize::from(end.is_some());
        }
        assert!(ended > 15, "{ended} games came to an end");
    }
}

#[test]
fn random_positions_with_the_first_value_of_each_option() {
    let hexagons = Hexagons::load();
    let mut random = Random(7);
    for turn in 0..240 {
        let reading = hexagons.reading(turn % 2 == 0, None);
        let start = anywhere(&reading, &mut random);
        hexagons.play(&start, &reading, &mut random, 6);
    }
    let applied = hexagons.clauses.borrow();
    let applied: Vec<&str> = applied.iter().map(String::as_str).collect();
    let all = ["F1", "F2", "F3", "F4", "F5", "F6", "F7", "S2", "S3", "S4", "S5", "S6", "S7", "S8"];
    assert_eq!(applied, all, "the positions do not show every clause");
}

#[test]
fn random_positions_with_options_at_random() {
    let hexagons = Hexagons::load();
    let mut random = Random(8);
    let mut ties = 0;
    for turn in 0..400 {
        let reading = hexagons.reading(turn % 4 > 0, Some(&mut random));
        let start = anywhere(&reading, &mut random);
        let end = hexagons.play(&start, &reading, &mut random, if turn % 8 == 0 { 60 } else { 6 });
        ties += usize::from(end == Some(End::Tie));
    }
    assert!(ties > 0, "no position came for the third time");
}

#[test]
fn the_set_up_of_every_side_is_the_published_pattern() {
    let hexagons = Hexagons::load();
    for side in 2..=11 {
        let reading = hexagons.reading(false, None);
        let empty = Position { side, pieces: BTreeMap::new() };
        let mut machine = Machine::new(&hexagons.program, hexagons.state(&empty, &reading));
        let setup = referee_table::Phase { name: "setup".into(), args: Vec::new() };
        let pause: SharedAnswers = Rc::new(RefCell::new(Once(None)));
        machine.call(setup, None, &pause);
        // With two hexagons a side White has no move, but the set-up does not end the game: the first turn does.
        assert!(matches!(machine.stop(), Stop::Returned), "{:?}", machine.stop());
        let wanted = hexagons.state(&Position::start(side), &reading);
        let lie = |state: &State| state.board().cells().map(|cell| state.at(cell)).collect::<Vec<_>>();
        assert_eq!(lie(machine.state()), lie(&wanted), "side {side}");
    }
}
