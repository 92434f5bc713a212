//! Compares Evil Squash, with random arrows, options and play, with the independent implementation, move by move.

use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use referee_diagnostic::{Code, Diagnostic};
use referee_game::{Game, SearchPath};
use referee_play::{AnswerSource, Machine, SharedAnswers, Stop};
use referee_rules::{Program, Reply};
use referee_source::MemoryHost;
use referee_table::{BoardSpec, Cell, Choice, Outcome, Phase, PlayerId, Setting, State, Table, Throw, Value};
use referee_trace::{Answer, Ask, Question};

use super::evil_oracle::{End, Entry, Hand, Oracle, Said};
use super::playing::Random;

/// The most answers of one game.
const LONGEST: usize = 400;

/// Answers at random and keeps a log.
struct Player {
    random: Random,
    log: Vec<Entry>,
}

impl AnswerSource for Player {
    fn read(&mut self, ask: &Ask, state: &State) -> Reply {
        if self.log.len() == LONGEST {
            return Reply::Pause;
        }
        let (answer, said) = match &ask.question {
            Question::Roll(_) => {
                let shown = 1 + self.random.below(6);
                (Answer::Rolled(Throw::of([shown - 1])), Said::Threw(shown))
            }
            Question::Draw(_) => {
                let name = |answer: &Answer| match answer {
                    Answer::Drawn(card) if state.schema().piece_name(*card) == "bounce" => "bounce",
                    Answer::Drawn(_) => "squash",
                    other => unreachable!("{other:?}"),
                };
                let chances = ask.question.chances(state);
                let drawn = chances[self.random.below(chances.len())].0.clone();
                let weights = chances.iter().map(|(answer, weight)| (name(answer), *weight)).collect();
                (drawn.clone(), Said::Drew(name(&drawn), weights))
            }
            Question::Choose(decision) => {
                assert_eq!(Some(decision.player), state.turn);
                let word = |value: &Value| match value {
                    Value::Text(text) => text.to_string(),
                    other => unreachable!("{other:?}"),
                };
                let ways: Vec<String> = decision.options.iter().map(|option| word(&option.values[0])).collect();
                let chosen = self.random.below(ways.len());
                (Answer::Chosen(chosen), Said::Chose(ways[chosen].clone(), ways))
            }
            other => unreachable!("{other:?}"),
        };
        self.log.push(Entry { mover: state.turn.map_or(0, PlayerId::index), squares: squares(state), said });
        Reply::Answer(answer)
    }
}

/// Where the markers of those who play stand; 0 is off the board.
fn squares(state: &State) -> Vec<usize> {
    let pieces = state.table.players.iter().map(|player| {
        let all = &state.schema().pieces;
        all.iter().position(|piece| piece.owner == Some(*player)).unwrap()
    });
    pieces.map(|piece| state.place(referee_table::PieceId::at(piece)).map_or(0, |cell| cell.index() + 1)).collect()
}

/// The cards of those who play.
fn hands(state: &State) -> Vec<Hand> {
    let schema = state.schema();
    let count = |player: &PlayerId, card: &str| {
        let hand = state.zone(schema.zone("hand", Some(*player)).unwrap()).unwrap();
        usize::try_from(hand.count(schema.piece(card).unwrap())).unwrap()
    };
    let hand = |player| Hand { bounce: count(player, "bounce"), squash: count(player, "squash") };
    state.table.players.iter().map(hand).collect()
}

fn load() -> (Game, Program) {
    let host = MemoryHost::default();
    let search_path = SearchPath::new(&host, None, "".into());
    let asked = Diagnostic::general(Code::UnknownGame, "no such game");
    let game = Game::find(&search_path, Path::new("any.scenario"), "evil-squash", &asked).unwrap();
    let program = Program::load(&game.schema, &[Arc::clone(&game.rules)]).unwrap();
    (game, program)
}

/// A game from an empty board of so many squares; the answers, and whether it came to its end.
fn play(game: &Game, program: &Program, seed: u64, dull: bool) -> bool {
    let random = &mut Random(seed);
    let schema = &game.schema;
    let last = if dull { 64 } else { 8 + random.below(30) };
    let arrow = |random: &mut Random| (1 + random.below(last - 1), 1 + random.below(last));
    let mut arrows: Vec<(usize, usize)> = (0..if dull { 0 } else { random.below(10) }).map(|_| arrow(random)).collect();
    arrows.sort_unstable();
    arrows.dedup_by_key(|(base, _)| *base);
    arrows.retain(|(base, end)| base != end);
    if dull {
        arrows = schema.arrows.iter().map(|(base, end)| (base.index() + 1, end.index() + 1)).collect();
    }
    let setting = |choice: &Choice, random: &mut Random| match choice {
        Choice::Words(words) if !dull => Setting::Word(words[random.below(words.len())].clone()),
        _ => choice.default(),
    };
    let options: Vec<Setting> = schema.options.iter().map(|option| setting(&option.choice, random)).collect();
    let named = schema.options.iter().zip(&options).map(|(option, setting)| match setting {
        Setting::Word(word) => (option.name.clone(), word.to_string()),
        Setting::Number(number) => (option.name.clone(), number.to_string()),
    });
    let named: Vec<(String, String)> = named.collect();
    let players = 1 + random.below(4);
    let shape = BoardSpec::Track(i64::try_from(last).unwrap());
    let start = State::new(Arc::new(Table {
        turns: referee_table::TurnRules::default(),
        places: referee_table::Places::default(),
        schema: Arc::clone(schema),
        board: Arc::new(schema.build_board(shape).unwrap()),
        sizes: vec![(1, 1); schema.pieces.len()],
        players: (0..players).map(PlayerId::at).collect(),
        options,
        variant: 0,
        arrows: arrows.iter().map(|(base, end)| (Cell::at(base - 1), Cell::at(end - 1))).collect(),
    }));
    let player = Rc::new(RefCell::new(Player { random: Random(seed), log: Vec::new() }));
    let feed: SharedAnswers = Rc::clone(&player) as SharedAnswers;
    let mut machine = Machine::new(program, start);
    machine.resume(Phase { name: "setup".into(), args: Vec::new() }, None, &feed);

    let log = player.borrow().log.clone();
    let squares_at_the_start = vec![0; players];
    let mut oracle = Oracle {
        last,
        arrows,
        options: named,
        squares: squares_at_the_start,
        hands: vec![Hand::default(); players],
        log: log.into_iter(),
    };
    let end = oracle.check();
    match machine.stop() {
        Stop::Over => {
            let Some(Outcome::Won(winners)) = &machine.state().outcome else { unreachable!("seed {seed}: nobody won") };
            assert_eq!(end, End::Won(winners[0].index()), "seed {seed}");
        }
        Stop::Paused(_) => assert_eq!(end, End::Asked, "seed {seed}"),
        other => unreachable!("seed {seed}: {other:?}"),
    }
    assert_eq!(oracle.squares, squares(machine.state()), "seed {seed}");
    assert_eq!(oracle.hands, hands(machine.state()), "seed {seed}");
    end != End::Asked
}

#[test]
fn every_game_goes_as_an_independent_reading_says() {
    let (game, program) = load();
    let ended = (0..1500).filter(|seed| play(&game, &program, *seed, false)).count();
    assert!(ended > 1000, "{ended}");
}

#[test]
fn the_board_as_it_is_is_played_to_its_end() {
    let (game, program) = load();
    let ended = (0..200).filter(|seed| play(&game, &program, *seed, true)).count();
    assert!(ended > 190, "{ended}");
}
