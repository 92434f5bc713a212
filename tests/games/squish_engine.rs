//! Squish! as the engine plays it, in the terms of the independent reading: positions become states and back.

use std::sync::Arc;

use referee_play::{Machine, Stop};
use referee_rules::Program;
use referee_table::{BoardSpec, Owner, Phase, PieceId, PlayerId, State, Value};

use super::playing::{Playable, silent};
use super::squish_deal::{Deal, PLAYERS, settings};
use super::squish_oracle::Table;

/// The game with its rules compiled.
pub(crate) struct Squish {
    pub(crate) program: Program,
}

/// What came of a roll.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Played {
    pub(crate) events: Vec<String>,
    pub(crate) after: Table,
}

impl Squish {
    /// The built-in game.
    pub(crate) fn load() -> Self {
        Self { program: Playable::load("squish-board", &[]).program }
    }

    /// A deal's position as a state.
    pub(crate) fn state(&self, deal: &Deal) -> State {
        let schema = self.program.schema();
        let shape = BoardSpec::Grid(i64::from(deal.table.width), i64::from(deal.table.height));
        let mut sizes: Vec<(u8, u8)> = vec![(1, 1); schema.pieces.len()];
        for block in &deal.table.blocks {
            let size = u8::try_from(block.size).unwrap();
            sizes[self.piece(&block.name).index()] = (size, size);
        }
        let mut options: Vec<_> = schema.options.iter().map(|option| option.choice.default()).collect();
        for (option, value) in settings(&deal.table.options) {
            let option = schema.option(option).unwrap().index();
            options[option] = schema.options[option].choice.setting(value).unwrap();
        }
        let board = Arc::new(schema.build_board(shape).unwrap());
        let players = (0..PLAYERS.len()).map(PlayerId::at).collect();
        let table = referee_table::Table {
            schema: Arc::clone(schema),
            board,
            sizes,
            players,
            options,
            variant: 0,
            arrows: Vec::new(),
            turns: referee_table::TurnRules::default(),
            places: referee_table::Places::default(),
        };
        let mut state = State::new(Arc::new(table));
        let (home, shards) = (schema.property("home").unwrap(), schema.property("shards").unwrap());
        for block in &deal.table.blocks {
            let cell = state.board().cell(&deal.table.block_cell(block)).unwrap();
            state.put(self.piece(&block.name), cell).unwrap();
        }
        for marker in &deal.table.markers {
            let cell = |square| state.board().cell(&deal.table.cell(square)).unwrap();
            let (at, start) = (marker.at.map(cell), marker.home.map(cell));
            let owner = Owner::Player(schema.player(&marker.name).unwrap());
            if let Some(at) = at {
                state.put(self.piece(&marker.name), at).unwrap();
            }
            if let Some(start) = start {
                state.set_value(home, owner, Value::Cell(start));
            }
            let held = marker.shards.iter().map(|shard| Value::Int(i64::from(*shard))).collect();
            state.set_value(shards, owner, Value::Set(held));
        }
        state
    }

    /// A deal's table with everything where a state has it.
    pub(crate) fn table(&self, deal: &Deal, state: &State) -> Table {
        let mut table = deal.table.clone();
        let schema = self.program.schema();
        let cell = |piece: &str| state.place(self.piece(piece)).map(|cell| state.board().name(cell));
        for block in &mut table.blocks {
            block.at = deal.table.block_square(cell(&block.name).unwrap(), block.size);
        }
        for marker in &mut table.markers {
            marker.at = cell(&marker.name).map(|name| deal.table.square(name));
            let owner = Owner::Player(schema.player(&marker.name).unwrap());
            marker.shards = match state.value(schema.property("shards").unwrap(), owner) {
                Some(Value::Set(held)) => held.iter().map(number).collect(),
                _ => Vec::new(),
            };
        }
        table
    }

    /// The deal's roll as a procedure to call.
    pub(crate) fn roll(&self, deal: &Deal) -> Phase {
        let block = self.piece(&deal.table.blocks[deal.block].name);
        let (direction, points) = (i64::try_from(deal.direction).unwrap(), i64::from(deal.points));
        Phase { name: "roll_block".into(), args: vec![Value::Piece(block), Value::Int(direction), Value::Int(points)] }
    }

    /// Play a deal's roll from `state`; the machine as it stands afterwards.
    pub(crate) fn machine(&self, deal: &Deal, state: State) -> Machine<'_> {
        let mut machine = Machine::new(&self.program, state);
        machine.call(self.roll(deal), None, &silent());
        assert!(matches!(machine.stop(), Stop::Returned), "{:?}", machine.stop());
        machine
    }

    /// Play a deal's roll.
    pub(crate) fn play(&self, deal: &Deal) -> Played {
        let machine = self.machine(deal, self.state(deal));
        Played { events: told(&machine), after: self.table(deal, machine.state()) }
    }

    pub(crate) fn piece(&self, name: &str) -> PieceId {
        self.program.schema().piece(name).unwrap()
    }
}

fn number(value: &Value) -> u8 {
    match value {
        Value::Int(number) => u8::try_from(*number).unwrap(),
        other => unreachable!("{other:?} is no shard"),
    }
}

/// Returns the events of a machine in words.
pub(crate) fn told(machine: &Machine<'_>) -> Vec<String> {
    machine.events().map(|event| event.write(machine.names())).collect()
}
