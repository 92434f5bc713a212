//! Playing any game from outside: loading it, starting a variant, answering what it asks.

use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use referee_diagnostic::{Code, Diagnostic};
use referee_game::{Game, House, SearchPath};
use referee_play::{AnswerSource, Machine, SharedAnswers, Stop};
use referee_rules::{Loading, Program, Reply};
use referee_source::MemoryHost;
use referee_table::{Choice, Phase, PieceDef, PlayerId, Schema, Setting, State, Table, Throw, Variant};
use referee_trace::{Answer, Ask, Question};

/// The generator `SplitMix64`.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// A number from 0, less than `count`.
    pub(crate) fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        usize::try_from((mixed ^ (mixed >> 31)) % u64::try_from(count).unwrap()).unwrap()
    }

    /// An answer that a question may have.
    pub(crate) fn answer(&mut self, question: &Question, state: &State) -> Option<Answer> {
        match question {
            Question::Roll(die) => {
                let die = &state.schema().dice[die.index()];
                Some(Answer::Rolled(Throw::of((0..die.count).map(|_| self.below(die.faces.len())))))
            }
            Question::Draw(_) => {
                let chances = question.chances(state);
                Some(chances[self.below(chances.len())].0.clone())
            }
            Question::Choose(decision) => Some(Answer::Chosen(self.below(decision.options.len()))),
            Question::ChooseAll(all) => {
                Some(Answer::AllChosen(all.iter().map(|one| self.below(one.options.len())).collect()))
            }
        }
    }

    /// Each option set at random.
    pub(crate) fn settings(&mut self, schema: &Schema) -> Vec<Setting> {
        let mut pick = |choice: &Choice| match choice {
            Choice::Words(words) => Setting::Word(words[self.below(words.len())].clone()),
            Choice::Numbers(..) => choice.default(),
        };
        schema.options.iter().map(|option| pick(&option.choice)).collect()
    }
}

/// A game with its rules compiled.
pub(crate) struct Playable {
    pub(crate) program: Program,
}

impl Playable {
    /// A built-in game, with house rules over it.
    pub(crate) fn load(id: &str, houses: &[&str]) -> Self {
        Self::load_with(id, houses, &Loading::default())
    }

    /// The same, loaded in a certain way.
    pub(crate) fn load_with(id: &str, houses: &[&str], loading: &Loading) -> Self {
        let host = MemoryHost::default();
        let search_path = SearchPath::new(&host, None, "".into());
        let asked = Diagnostic::general(Code::UnknownGame, "no such game");
        let game = Game::find(&search_path, Path::new("any.scenario"), id, &asked).unwrap();
        let houses: Vec<House> = houses.iter().map(|house| game.house(&search_path, house, &asked).unwrap()).collect();
        let game = Arc::new(game);
        let game = game.with_houses(&search_path, &houses).unwrap().map_or(game, Arc::new);
        let mut sources = vec![Arc::clone(&game.rules)];
        sources.extend(houses.into_iter().filter_map(|house| house.source));
        Self { program: Program::load_with(&game.schema, &sources, loading).unwrap() }
    }

    /// What every option is set to if nothing is said.
    pub(crate) fn defaults(&self) -> Vec<Setting> {
        self.program.schema().options.iter().map(|option| option.choice.default()).collect()
    }

    /// The variant of this name.
    pub(crate) fn variant(&self, name: &str) -> &Variant {
        self.program.schema().variants.iter().find(|variant| variant.name == name).unwrap()
    }

    /// The set-up of a variant before the rules' function `setup`; so many players, options as chosen.
    pub(crate) fn start(&self, variant: &Variant, players: usize, options: Vec<Setting>) -> State {
        let schema = self.program.schema();
        // The back of cards is a piece of no kind.
        let size = |piece: &PieceDef| schema.kinds.get(piece.kind.index()).map_or((1, 1), |kind| kind.size);
        let at = schema.variants.iter().position(|other| other == variant).unwrap();
        let mut state = State::new(Arc::new(Table {
            turns: referee_table::TurnRules::default(),
            places: referee_table::Places::default(),
            schema: Arc::clone(schema),
            board: Arc::new(schema.build_board(schema.board_of(at)).unwrap()),
            sizes: schema.pieces.iter().map(size).collect(),
            players: (0..players).map(PlayerId::at).collect(),
            options,
            variant: at,
            arrows: schema.arrows.clone(),
        }));
        for placed in &variant.places {
            let owner = schema.pieces[placed.piece.index()].owner;
            if owner.is_none_or(|owner| owner.index() < players) {
                let cell = state.board().cell(&placed.cell).unwrap();
                state.put(placed.piece, cell).unwrap();
            }
        }
        if !variant.laid.is_empty() {
            state.lay_out(&variant.laid);
        }
        state
    }

    /// A game that has begun: with the rules' set-up, or else with the first player's turn.
    pub(crate) fn begin(&self, start: State, feed: &SharedAnswers) -> Machine<'_> {
        let first = start.table.players[0];
        let mut machine = Machine::new(&self.program, start);
        if self.program.has("setup", 0) {
            machine.resume(Phase { name: "setup".into(), args: Vec::new() }, None, feed);
        } else {
            machine.turn(first, feed);
        }
        machine
    }
}

/// Answers once, or not at all.
struct Once(Option<Answer>);

impl AnswerSource for Once {
    fn read(&mut self, _: &Ask, _: &State) -> Reply {
        self.0.take().map_or(Reply::Pause, Reply::Answer)
    }
}

/// A feed that answers nothing: play pauses at the first question.
pub(crate) fn silent() -> SharedAnswers {
    Rc::new(RefCell::new(Once(None)))
}

/// Answer the question at a pause, and play on to the next.
pub(crate) fn answer(machine: &mut Machine<'_>, answer: Answer) {
    let feed: SharedAnswers = Rc::new(RefCell::new(Once(Some(answer))));
    machine.go_on(&feed);
}

/// What is asked at a pause; nothing when the game is over. Rules that go wrong fail the test.
pub(crate) fn asked(machine: &Machine<'_>) -> Option<Question> {
    match machine.stop() {
        Stop::Paused(ask) => Some(ask.question.clone()),
        Stop::Over => None,
        other => {
            let wrong = format!("{other:?}");
            assert!(wrong.is_empty(), "{wrong}");
            None
        }
    }
}
