//! Plays games at random by their scripted rules, loaded in the same way as in the program.

use std::rc::Rc;

use referee_play::{Ending, Machine, Playouts, Quicker, Random, Start, StrategyProfile};
use referee_rules::Program;
use referee_scenario::{Loader, LoaderOptions, Origin, Players, SetUp};
use referee_source::MemoryHost;
use referee_table::{Outcome, Value};
use referee_trace::{Answer, Question};

use crate::tables;
use crate::yardsticks::rim::RIM;
use crate::yardsticks::{Played, Tape};

pub(crate) const SEED: u64 = 1;

/// The files of games that exist only for benches: rules as newcomers wrote them.
macro_rules! newcomers {
    ($($game:literal: $($more:literal)*;)*) => {
        &[$(
            newcomers!(in $game, concat!($game, ".game")),
            newcomers!(in $game, "rules.rhai"),
            newcomers!(in $game, "RULES.md"),
            $(newcomers!(in $game, $more),)*
        )*]
    };
    (in $game:literal, $file:expr) => {
        (concat!("/games/", $game, "/", $file), include_str!(concat!("../games/", $game, "/", $file)))
    };
}

const NEWCOMERS: &[(&str, &str)] = newcomers! {
    "blind-auction": "lots.yaml";
    "chess-pins":;
    "chess-what-if":;
    "connect-four":;
    "gomoku":;
    "hex":;
    "market":;
    "newcomers-pig":;
    "newcomers-ur":;
    "oh-hell": "cards.yaml";
    "othello":;
};

/// A host with these games and a file.
pub(crate) fn host(file: &str, text: &str) -> MemoryHost {
    NEWCOMERS.iter().fold(MemoryHost::default(), |host, (path, text)| host.with(*path, *text)).with(file, text)
}

/// A loader over it.
pub(crate) fn loader(host: &MemoryHost) -> Loader<'_> {
    Loader::new(
        host,
        LoaderOptions { games: Some("/games".into()), working_folder: "/".into(), ..LoaderOptions::default() },
    )
}

/// A script with the start of its games.
pub(crate) struct Ours {
    program: Rc<Program>,
    start: Start,
    strategy: StrategyProfile,
    /// The number of turns after which a game is stopped.
    most: u64,
    /// What decides how the games are played, as in the program.
    quicker: Quicker,
}

/// How many games a series has, as far as it has to be known.
const SERIES: u64 = 1_000_000;

impl Ours {
    /// Loads a set-up: the game and its variant, the number of players, options and their values.
    pub(crate) fn new(
        (game, variant): (&str, Option<&str>),
        players: usize,
        options: &[(&str, &str)],
        most: u64,
    ) -> Self {
        let set_up = SetUp {
            game: game.to_owned(),
            variant: variant.map(str::to_owned),
            players: Players::First(players),
            options: options.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
            ..SetUp::default()
        };
        match referee_scenario::stage(&mut loader(&host("/none", "")), &Origin::SetUp(set_up)) {
            Ok(stage) => Self::with(stage.program, stage.start, most),
            Err(wrong) => unreachable!("{game}: {wrong:?}"),
        }
    }

    /// Loads Squish on hexagons with the set-up of the baselines.
    pub(crate) fn rim(most: u64) -> Self {
        let game = tables::game("hex-squish");
        let program = tables::program(&game, &game.rules);
        let mut state = tables::empty(&game, 2);
        for (at, cell) in RIM.iter().enumerate() {
            let cell = state.board().cell(cell);
            let placed = cell.map(|cell| state.put(referee_table::PieceId::at(at % 2), cell));
            assert!(matches!(placed, Some(Ok(()))), "the rim is on the board");
        }
        let Some(start) = Start::of(&Machine::new(&program, state)) else { unreachable!("nothing was run yet") };
        Self::with(Rc::new(program), start, most)
    }

    fn with(program: Rc<Program>, start: Start, most: u64) -> Self {
        Self { program, start, strategy: StrategyProfile::default(), most, quicker: Quicker::default() }
    }

    fn playouts(&self) -> Playouts<'_> {
        Playouts {
            rollouts: None,
            program: &self.program,
            start: &self.start,
            strategy: &self.strategy,
            max_plies: self.most,
        }
    }

    /// Plays a game; returns its number of turns and its winner.
    pub(crate) fn play(&self, number: u64) -> Played {
        let game = self.playouts().count_one_of(SERIES, &self.quicker, false, SEED, number);
        let moves = usize::try_from(game.tally.plies).unwrap_or(0);
        Played { moves, winner: winner(&game.ending), hash: 0 }
    }

    /// Plays the same game; returns all its moves, without other answers.
    pub(crate) fn moves(&self, number: u64) -> Played {
        let game = self.playouts().play(SEED, number, true);
        let mut played = Played { winner: winner(&game.ending), ..Played::default() };
        for (ask, answer) in game.answers.iter().flatten() {
            let (Question::Choose(decision), Answer::Chosen(at)) = (&ask.question, answer) else { continue };
            if let Some([Value::Move(made)]) = decision.options.get(*at).map(|option| option.values.as_slice()) {
                played.note(made.from().index(), made.to().index());
            }
        }
        played
    }

    /// Returns the random numbers of that game, for dice and choices.
    pub(crate) fn tape(&self, number: u64) -> Tape {
        let game = self.playouts().play(SEED, number, true);
        let dice = &self.program.schema().dice;
        let mut draws = Vec::new();
        for (ask, answer) in game.answers.iter().flatten() {
            match (&ask.question, answer) {
                (Question::Choose(decision), Answer::Chosen(at)) => draws.push((decision.options.len(), *at)),
                (Question::Roll(die), Answer::Rolled(throw)) => {
                    let sides = dice.get(die.index()).map_or(0, |die| die.faces.len());
                    draws.extend(throw.faces().map(|face| (sides, face)));
                }
                (question, _) => unreachable!("{question:?}"),
            }
        }
        Tape::new(draws)
    }
}

/// Returns the random generator of a game. A baseline that draws from it plays the same game.
pub(crate) fn chance(number: u64) -> Random {
    Random::of_game(SEED, number)
}

fn winner(ending: &Ending) -> Option<usize> {
    match ending {
        Ending::Over(Outcome::Won(winners)) => winners.first().map(|winner| winner.index()),
        Ending::Over(_) | Ending::Stopped => None,
        Ending::Fault(wrong) | Ending::Endless(wrong) => unreachable!("the rules go wrong: {}", wrong.message),
    }
}
