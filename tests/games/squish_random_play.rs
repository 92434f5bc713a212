//! Whole games of Squish!, played at random from the set-up to the end: no script fault, and a reason for every refusal.

use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use referee::diagnostic::Diagnostic;
use referee::game::{Game, Shelf};
use referee::play::{Feed, Machine, Reader, Stop};
use referee::rules::{Program, Reply};
use referee::source::MemoryHost;
use referee::table::{Board, Cell, Choice, Owner, Phase, PieceDef, PieceId, PlayerId, Setting, State, Table, Value};
use referee::trace::{Action, Answer, Ask, Decision, Question};

/// The most asks of one game.
const LONGEST: usize = 2500;

/// The generator `SplitMix64`.
struct Random(u64);

impl Random {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        usize::try_from((mixed ^ (mixed >> 31)) % u64::try_from(count).unwrap()).unwrap()
    }
}

/// Answers at random, but takes every shard, and mostly walks towards the next one or, with all four, towards home.
struct Player {
    random: Random,
    asks: usize,
    /// Whether to pause before each decision, once.
    pauses: bool,
    armed: bool,
}

impl Player {
    fn decide(&mut self, decision: &Decision, state: &State) -> usize {
        let by_chance = self.random.below(decision.options.len());
        let goals = goals(state, decision.player);
        if goals.is_empty() || self.random.below(4) == 0 {
            return by_chance;
        }
        let nearest = |cell: Cell| goals.iter().map(|goal| distance(state.board(), cell, *goal)).min().unwrap_or(0);
        let marker = state.schema().pieces.iter().position(|piece| piece.owner == Some(decision.player)).unwrap();
        let here = state.place(PieceId::at(marker)).map_or(0, nearest);
        let far = |action: &Action| {
            let verb = state.schema().asks[action.ask.index()].verb.as_str();
            match (verb, &action.values[..]) {
                ("collect", _) => 0,
                ("walk", [Value::Cell(cell)]) => 1 + nearest(*cell),
                ("direction" | "start", _) => 0,
                ("stop", _) => 1 + here,
                _ => 100,
            }
        };
        let best = decision.options.iter().map(far).min().unwrap();
        let best: Vec<usize> = (0..decision.options.len()).filter(|at| far(&decision.options[*at]) == best).collect();
        best[self.random.below(best.len())]
    }
}

/// Where a player of the advanced game wants to go: onto the start square, or to the blocks with shards to take.
fn goals(state: &State, player: PlayerId) -> Vec<Cell> {
    let Value::Cell(home) = value(state, "home", player) else { return Vec::new() };
    let Value::Set(shards) = value(state, "shards", player) else { return Vec::new() };
    if shards.len() == 4 {
        return vec![home];
    }
    let wanted = |number: i64| !shards.contains(&Value::Int(number));
    let pieces = state.schema().pieces.iter().enumerate();
    let blocks = pieces.filter(|(_, piece)| piece.number.is_some_and(wanted));
    blocks.flat_map(|(at, _)| state.covered(PieceId::at(at)).iter().collect::<Vec<_>>()).collect()
}

/// King's steps between two cells of the board.
fn distance(board: &Board, from: Cell, to: Cell) -> usize {
    let place = |cell: Cell| {
        let (column, row) = board.name(cell).split_at(1);
        (usize::from(column.as_bytes()[0]), row.parse::<usize>().unwrap())
    };
    let ((x, y), (column, row)) = (place(from), place(to));
    x.abs_diff(column).max(y.abs_diff(row))
}

impl Reader for Player {
    fn read(&mut self, ask: &Ask, state: &State) -> Reply {
        if self.asks == LONGEST {
            return Reply::Pause;
        }
        let answer = match &ask.question {
            Question::Roll(die) => {
                let die = &state.schema().dice[die.index()];
                let faces = usize::try_from(die.high - die.low + 1).unwrap();
                Answer::Rolled(die.low + i64::try_from(self.random.below(faces)).unwrap())
            }
            Question::Choose(_) if self.pauses && !self.armed => return Reply::Pause,
            Question::Choose(decision) => Answer::Chosen(self.decide(decision, state)),
            Question::ChooseAll(_) => return Reply::Refuse,
        };
        self.armed = false;
        self.asks += 1;
        Reply::Answer(answer)
    }
}

fn value(state: &State, name: &str, player: PlayerId) -> Value {
    let property = state.schema().property(name).unwrap();
    state.value(property, Owner::Player(player)).unwrap().clone()
}

struct Squish {
    game: Game,
    program: Program,
}

impl Squish {
    fn with(houses: &[&str]) -> Self {
        let host = MemoryHost::default();
        let shelf = Shelf::new(&host, None, "".into());
        let asked = Diagnostic::general("unknown_game", "no such game");
        let game = Game::find(&shelf, Path::new("any.scenario"), "squish-board", &asked).unwrap();
        let mut sources = vec![Arc::clone(&game.rules)];
        sources.extend(houses.iter().map(|house| game.house(&shelf, house, &asked).unwrap().source));
        let program = Program::load(&game.schema, &sources, None).unwrap();
        Self { game, program }
    }

    /// The set-up of a variant before its function `setup`; so many players, options as chosen.
    fn start(&self, variant: &str, players: usize, options: Vec<Setting>) -> State {
        let schema = &self.game.schema;
        let size = |piece: &PieceDef| schema.kinds[piece.kind.index()].size;
        let mut state = State::new(Arc::new(Table {
            schema: Arc::clone(schema),
            board: Arc::new(schema.build_board(schema.board).unwrap()),
            sizes: schema.pieces.iter().map(size).collect(),
            players: (0..players).map(PlayerId::at).collect(),
            options,
            arrows: Vec::new(),
        }));
        let variant = schema.variants.iter().find(|found| found.name == variant).unwrap();
        for placed in &variant.places {
            let cell = state.board().cell(&placed.cell).unwrap();
            state.put(placed.piece, cell).unwrap();
        }
        state
    }

    fn default_options(&self) -> Vec<Setting> {
        self.game.schema.options.iter().map(|option| option.choice.default()).collect()
    }

    fn random_options(&self, random: &mut Random) -> Vec<Setting> {
        let pick = |choice: &Choice, random: &mut Random| match choice {
            Choice::Words(words) => Setting::Word(words[random.below(words.len())].clone()),
            Choice::Numbers(..) => choice.default(),
        };
        self.game.schema.options.iter().map(|option| pick(&option.choice, random)).collect()
    }

    /// Play a game; whether it came to its end. With `reasons` each decision on the way is looked at.
    fn play(&self, start: State, seed: u64, reasons: bool) -> bool {
        let player = Player { random: Random(seed), asks: 0, pauses: reasons, armed: false };
        let player = Rc::new(RefCell::new(player));
        let feed: Feed = Rc::clone(&player) as Feed;
        let mut machine = Machine::new(&self.program, start);
        machine.resume(Phase { name: "setup".into(), args: Vec::new() }, None, &feed);
        loop {
            match machine.stop() {
                Stop::Over => return true,
                Stop::Paused(ask) if reasons && player.borrow().asks < LONGEST => {
                    let Question::Choose(decision) = &ask.question else { return false };
                    self.reasons(machine.state(), decision, &mut player.borrow_mut().random, seed);
                    player.borrow_mut().armed = true;
                    machine.go_on(&feed);
                }
                other => {
                    assert!(matches!(other, Stop::Paused(_)), "seed {seed}: {other:?}");
                    return false;
                }
            }
        }
    }

    /// An action is refused for a reason exactly if it is not among the options.
    fn reasons(&self, state: &State, decision: &Decision, random: &mut Random, seed: u64) {
        let schema = state.schema();
        let ask = |verb: &str| schema.ask(verb).unwrap();
        let cells: Vec<Cell> = state.board().cells().collect();
        let cell = cells[random.below(cells.len())];
        let players = &state.table.players;
        let mut tried = decision.options.clone();
        let act = |verb: &str, value: Value| Action { ask: ask(verb), values: vec![value] };
        match schema.asks[decision.ask.index()].verb.as_str() {
            "walk" => {
                tried.push(act("walk", Value::Cell(cell)));
                tried.extend(players.iter().map(|player| act("shove", Value::Player(*player))));
                tried.extend((0..=5).map(|number| act("collect", Value::Int(number))));
            }
            "start" => tried.push(act("start", Value::Cell(cell))),
            _ => {}
        }
        for action in tried {
            let offered = decision.options.contains(&action);
            let reason = self.program.why_not(state, decision.player, &action).unwrap();
            let direction = action.ask == ask("direction");
            assert!(direction || reason.is_none() == offered, "seed {seed}: {action:?} offered {offered}: {reason:?}");
        }
    }
}

#[test]
fn the_simple_game_is_played_to_its_end() {
    let squish = Squish::with(&[]);
    let ended = (0..60).filter(|seed| {
        let players = 2 + usize::try_from(seed % 7).unwrap();
        squish.play(squish.start("simple", players, squish.default_options()), *seed, false)
    });
    let ended = ended.count();
    assert!(ended > 50, "{ended}");
}

#[test]
fn the_advanced_game_is_played_to_its_end() {
    let squish = Squish::with(&[]);
    let ended = (0..20).filter(|seed| {
        let players = 2 + usize::try_from(seed % 7).unwrap();
        squish.play(squish.start("advanced", players, squish.default_options()), *seed, false)
    });
    let ended = ended.count();
    assert!(ended > 15, "{ended}");
}

#[test]
fn whatever_the_options_and_house_rules_no_game_errs() {
    for houses in [&["soft-walls"][..], &["slip-aside"], &["soft-walls", "slip-aside"]] {
        let squish = Squish::with(houses);
        for seed in 0..8 {
            let mut random = Random(1000 + seed);
            let options = squish.random_options(&mut random);
            let variant = if seed % 2 == 0 { "simple" } else { "advanced" };
            squish.play(squish.start(variant, 2 + random.below(7), options), seed, false);
        }
    }
}

#[test]
fn every_refusal_has_a_reason_and_no_option_has_one() {
    let squish = Squish::with(&[]);
    for seed in 0..4 {
        let mut random = Random(2000 + seed);
        let options = squish.random_options(&mut random);
        let variant = if seed % 2 == 0 { "simple" } else { "advanced" };
        squish.play(squish.start(variant, 2 + random.below(7), options), seed, true);
    }
}
