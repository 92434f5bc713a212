//! Compiled rules that run one phase at a time: positions, and the phases to come in them.

use std::collections::HashMap;
use std::hash::Hash as _;
use std::ops::Range;
use std::sync::Arc;

use ahash::RandomState;
use rhai::Position;

use super::counting::Counts;
use super::engine::Running;
use super::given::Numbers;
use super::layout;
use super::phases;
use super::stepping::{Listed, Reached, player_number, player_of};
use super::value::{self, TAG_BITS, Tag};
use super::words::{GaveUp, long, set_long, set_word, word};
use crate::host::Remembered;
use referee_table::{
    Cell, Decoder, Encoder, Outcome, Packer, Phase, PieceId, PlayerId, PropertyId, State, StateBytes, Table, Value,
};
use smallvec::SmallVec;

/// Returns a value as compiled rules have it; `None` if it is no number and no id.
fn wrapped(value: &Value) -> Option<i64> {
    match value {
        Value::Nothing => Some(value::NOTHING),
        Value::Bool(truth) => Some(Tag::Truth.wrap((*truth).into())),
        Value::Int(number) => value::number(*number),
        Value::Player(player) => Some(Tag::Player.wrap(player.0.into())),
        Value::Piece(piece) => Some(Tag::Piece.wrap(piece.0.into())),
        Value::Cell(cell) => Some(Tag::Cell.wrap(cell.0)),
        Value::Text(_) | Value::Move(_) | Value::Set(_) | Value::List(_) | Value::Map(_) | Value::Bag(_) => None,
    }
}

/// Returns the value that [`wrapped`] has made.
fn unwrapped(wrapped: i64) -> Option<Value> {
    let id = || u32::try_from(wrapped >> TAG_BITS).ok();
    Some(match Tag::of(wrapped)? {
        Tag::Nothing => Value::Nothing,
        Tag::Truth => Value::Bool(wrapped >> TAG_BITS != 0),
        Tag::Number => Value::Int(wrapped >> TAG_BITS),
        Tag::Player => Value::Player(PlayerId(u8::try_from(id()?).ok()?)),
        Tag::Piece => Value::Piece(PieceId(u16::try_from(id()?).ok()?)),
        Tag::Cell => Value::Cell(Cell(id()?)),
        _ => return None,
    })
}

/// Phases to come, the next one first: their numbers and arguments.
type Coming<'p> = SmallVec<[(usize, &'p [u8]); 4]>;

/// The player whose turn it is, and the one to whom the next is given.
type Players = [Option<PlayerId>; 2];

/// The phases of compiled rules.
pub(crate) struct Phases {
    /// Their names, with the numbers of their arguments.
    pub(crate) names: Vec<(Arc<str>, usize)>,
    /// The exported functions that run each alone; `None` for those that the module does not run.
    pub(crate) functions: Vec<Option<usize>>,
    /// Those that run it and all that follow.
    pub(crate) whole: Vec<Option<usize>>,
    /// The functions of the machine that run each; `None` for the built-in turn.
    pub(crate) of_machine: Vec<Option<u32>>,
    /// The number of the one that is a turn.
    pub(crate) turn: usize,
    /// Where those are that a phase adds.
    pub(crate) room: u32,
}

impl Phases {
    /// Appends a phase to a position; `None` if its arguments are more than numbers and ids.
    fn append(&self, phase: &Phase, position: &mut Vec<u8>) -> Option<()> {
        let is_named = |(name, count): &(Arc<str>, usize)| *name == phase.name && *count == phase.args.len();
        let number = self.names.iter().position(is_named)?;
        for arg in &phase.args {
            position.extend(wrapped(arg)?.to_le_bytes());
        }
        position.extend(u32::try_from(number).ok()?.to_le_bytes());
        Some(())
    }

    /// Returns the phases to come of a position, the next one first: their numbers and arguments.
    fn to_come<'p>(&self, mut to_come: &'p [u8]) -> Option<Coming<'p>> {
        let mut all = SmallVec::new();
        while let Some((rest, number)) = to_come.split_last_chunk() {
            let number = u32::from_le_bytes(*number) as usize;
            let (before, args) = rest.split_at_checked(rest.len().checked_sub(8 * self.names.get(number)?.1)?)?;
            all.push((number, args));
            to_come = before;
        }
        Some(all)
    }

    /// Appends the phases to come of a position to those of an agenda.
    fn read(&self, to_come: &[u8], agenda: &mut Vec<Phase>) -> Option<()> {
        for (number, args) in self.to_come(to_come)?.into_iter().rev() {
            let args = args.chunks_exact(8).map(|arg| unwrapped(long(arg, 0)?)).collect::<Option<Vec<_>>>()?;
            agenda.push(match args.as_slice() {
                [Value::Player(player)] if number == self.turn => Phase::turn(*player),
                _ => Phase { name: Arc::clone(&self.names.get(number)?.0), args },
            });
        }
        Some(())
    }

    /// Appends the encoded state with these parts and phases to come.
    fn encode(
        &self,
        at: &StateBytes,
        (part, players): (&[u8], Players),
        coming: &Coming<'_>,
        encoded: &mut Vec<u8>,
    ) -> Option<()> {
        let mut encoder = Encoder::begin(encoded, players, coming.len());
        for (number, args) in coming.iter().rev() {
            let args = args.chunks_exact(8);
            encoder.phase(&self.names.get(*number)?.0, args.len());
            for arg in args {
                encoder.argument(&unwrapped(long(arg, 0)?)?);
            }
        }
        encoder.end(at, part);
        Some(())
    }

    /// Returns the number of the next phase of a position with a part of so many bytes, its arguments, and the phases after it.
    fn split<'p>(&self, position: &'p [u8], part: usize) -> Option<(usize, &'p [u8], &'p [u8])> {
        let all = position.get(part + PLAYERS..)?;
        let (rest, number) = all.split_last_chunk()?;
        let number = u32::from_le_bytes(*number) as usize;
        let (to_come, args) = rest.split_at_checked(rest.len().checked_sub(8 * self.names.get(number)?.1)?)?;
        Some((number, args, to_come))
    }

    /// Puts the phases to come of a position into the memory. Returns how many there are.
    fn put(&self, bytes: &mut [u8], to_come: &[u8]) -> Option<u32> {
        let all = self.to_come(to_come)?;
        let count = u32::try_from(all.len()).ok().filter(|count| *count <= phases::MOST_TO_COME.cast_unsigned())?;
        let mut place = phases::agenda(self.room);
        for (number, args) in all.iter().rev() {
            set_long(bytes, place, i64::try_from(*number).ok()?)?;
            let first = place as usize + 8;
            bytes.get_mut(first..first + args.len())?.copy_from_slice(args);
            place += phases::SIZE.cast_unsigned();
        }
        Some(count)
    }
}

/// Returns the part of the state in the memory that has so many bytes, and its players.
fn in_memory(bytes: &[u8], part: usize) -> Option<(&[u8], Players)> {
    let part = bytes.get(layout::STATE as usize..)?.get(..part)?;
    Some((part, [layout::TURN, layout::NEXT_TURN].map(|at| word(bytes, at).and_then(player_of))))
}

fn append_players(players: Players, position: &mut Vec<u8>) {
    players.into_iter().for_each(|player| position.extend_from_slice(&player_number(player).to_le_bytes()));
}

fn put_arguments(bytes: &mut [u8], args: &[u8]) -> Result<(), GaveUp> {
    let place = bytes.get_mut(layout::ARGUMENTS as usize..).and_then(|rest| rest.get_mut(..args.len()));
    place.ok_or(GaveUp)?.copy_from_slice(args);
    Ok(())
}

/// Replaces the part of a state that has fixed places.
fn put_part(part: &[u8], state: &mut State) {
    let properties = (0..state.schema().properties.len()).map(PropertyId::at);
    state.take_bytes(part, true, properties, 1);
}

/// Compiled rules that run one phase at a time.
pub(crate) struct Stepper {
    pub(crate) running: Running,
    pub(crate) phases: Phases,
    /// The exported function that evaluates an expression in a position, if there is one.
    pub(crate) expression: Option<usize>,
    /// That which runs the rest of a built-in turn and what follows.
    pub(crate) rest: Option<usize>,
    /// Those that count sequences of moves, of two and more.
    pub(crate) counting: Vec<usize>,
    /// Whether listing the moves of a built-in turn changes nothing.
    pub(crate) lists_only: bool,
    pub(crate) table: Arc<Table>,
    /// The number of bytes of the part with fixed places.
    pub(crate) part: usize,
    /// The pauses that it has packed.
    pub(crate) packed: Packed,
}

/// The bytes of the players in a position.
const PLAYERS: usize = 8;

/// How many bytes of packed pauses are remembered.
const MOST_PACKED: usize = 4 << 20;

/// What [`Stepper::pack_pause`] has packed, by what it was packed from. Nothing depends on the order.
pub(crate) struct Packed {
    known: HashMap<Box<[u8]>, Box<[u8]>, RandomState>,
    bytes: usize,
    /// Room for what is to be packed.
    room: Vec<u8>,
}

impl Default for Packed {
    fn default() -> Self {
        Self { known: HashMap::with_hasher(RandomState::with_seeds(1, 2, 3, 4)), bytes: 0, room: Vec::new() }
    }
}

impl Packed {
    fn insert(&mut self, from: &[u8], packed: &[u8]) {
        let size = from.len() + packed.len() + size_of::<(Box<[u8]>, Box<[u8]>)>();
        if self.bytes + size > MOST_PACKED {
            *self = Self::default();
        }
        if size <= MOST_PACKED {
            self.bytes += size;
            self.known.insert(from.into(), packed.into());
        }
    }
}

/// What a pause keeps besides the state: the function of the machine that runs its phase, that phase, where the phases are that it
/// has added, and whether everything else is there, too.
struct Pause<'p> {
    function: u32,
    next: &'p [u8],
    added: Range<usize>,
    is_all: bool,
}

impl Stepper {
    /// Returns the position of a state between two phases, of which the next is on its agenda.
    pub(crate) fn position(&self, state: &State) -> Option<Vec<u8>> {
        let mut position = state.part_in_bytes().to_vec();
        append_players([state.turn, state.next_turn], &mut position);
        state.agenda.iter().try_for_each(|phase| self.phases.append(phase, &mut position))?;
        (!state.has_large_values()).then_some(position)
    }

    /// Returns whether it is a player's turn in a position.
    pub(crate) fn is_in_turn(&self, position: &[u8]) -> bool {
        position.get(self.part..).and_then(|players| word(players, 0)).is_some_and(|turn| player_of(turn).is_some())
    }

    /// Returns whether the next phase of a position is a turn.
    pub(crate) fn is_turn_next(&self, position: &[u8]) -> bool {
        self.phases.split(position, self.part).is_some_and(|(number, ..)| number == self.phases.turn)
    }

    /// Runs the next phase of a position with these random numbers. Returns where it has come to, and what that took.
    /// `counts` says whether what it counts is wanted.
    pub(crate) fn run(&mut self, position: &[u8], numbers: &[u64], counts: bool) -> Result<(Reached, u64), GaveUp> {
        let (number, args, _) = self.phases.split(position, self.part).ok_or(GaveUp)?;
        let function = self.phases.functions.get(number).copied().flatten().ok_or(GaveUp)?;
        self.running.step(function, |host, bytes| {
            host.put(bytes, position, numbers)?;
            if counts {
                host.clear_counts(bytes)?;
            }
            put_arguments(bytes, args)
        })?;
        let (bytes, host) = self.running.memory();
        Ok((host.reached(bytes)?, host.spent_by_step(bytes)?))
    }

    /// Runs the next phase of a position with these random numbers and further ones, and all phases and turns that follow, at
    /// most so many. Returns whether the game has ended.
    pub(crate) fn run_on(
        &mut self,
        position: &[u8],
        numbers: &[u64],
        turns: u64,
        more: Numbers,
    ) -> Result<bool, GaveUp> {
        let (number, args, to_come) = self.phases.split(position, self.part).ok_or(GaveUp)?;
        let function = self.phases.whole.get(number).copied().flatten().ok_or(GaveUp)?;
        let Self { running, phases, .. } = self;
        running.step(function, |host, bytes| {
            host.put(bytes, position, numbers)?;
            host.go_on_with(bytes, more)?;
            let turns = u32::try_from(turns).unwrap_or(u32::MAX);
            set_word(bytes, layout::TURNS_LEFT, turns).ok_or(GaveUp)?;
            let count = phases.put(bytes, to_come).ok_or(GaveUp)?;
            set_word(bytes, layout::TO_COME, count).ok_or(GaveUp)?;
            put_arguments(bytes, args)
        })?;
        let (bytes, host) = self.running.memory();
        let is_over = host.reached(bytes)? == Reached::Over;
        // The host goes on where very much has happened.
        let is_done = is_over || word(bytes, layout::TURNS_LEFT) == Some(0);
        if is_done && !host.has_stopped() { Ok(is_over) } else { Err(GaveUp) }
    }

    /// Returns the moves among which the phase that ran last is to choose, if they are those of a built-in turn and nothing of it is
    /// the host's.
    pub(crate) fn listed(&mut self) -> Option<Listed> {
        let (of, part) = (self.count_listed()?, self.part);
        let (bytes, host) = self.running.memory();
        host.listed(bytes, part, of)
    }

    /// Returns how many there are.
    pub(crate) fn count_listed(&mut self) -> Option<u32> {
        self.rest?;
        let (bytes, host) = self.running.memory();
        host.stepping.as_ref().filter(|stepping| stepping.calls == 0)?;
        host.count_listed(bytes)
    }

    /// Chooses one of the moves that were listed, and runs the phases and turns that follow, up to the next ask. Returns where
    /// that is, and what it took.
    pub(crate) fn go_on_from(&mut self, listed: &Listed, at: u32) -> Result<(Reached, u64), GaveUp> {
        let rest = self.rest.ok_or(GaveUp)?;
        self.running.step(rest, |host, bytes| host.put_choice(bytes, listed, at))?;
        let (bytes, host) = self.running.memory();
        Ok((host.reached(bytes)?, host.spent_by_step(bytes)?))
    }

    /// Counts the sequences of so many moves that begin with those that were listed. Gives up where anything else happens,
    /// and for other depths.
    pub(crate) fn count_sequences(&mut self, listed: &Listed, depth: usize) -> Result<u64, GaveUp> {
        let function = depth.checked_sub(2).and_then(|at| self.counting.get(at)).ok_or(GaveUp)?;
        self.running.step(*function, |host, bytes| host.put_count(bytes, listed))?;
        let (bytes, host) = self.running.memory();
        let calls_nothing = host.stepping.as_ref().is_some_and(|stepping| stepping.calls == 0);
        let count = long(bytes, layout::ARGUMENTS).filter(|_| calls_nothing && !host.has_stopped());
        count.and_then(|count| u64::try_from(count).ok()).ok_or(GaveUp)
    }

    /// Appends the position that the phase of another one has come to with its end, with the next phase. Returns whether a
    /// turn ends there.
    pub(crate) fn append(&mut self, before: &[u8], position: &mut Vec<u8>) -> Result<bool, GaveUp> {
        let begun = position.len();
        let (part, players) = in_memory(self.running.memory().0, self.part).ok_or(GaveUp)?;
        position.extend_from_slice(part);
        append_players(players, position);
        let (_, _, to_come) = self.phases.split(before, self.part).ok_or(GaveUp)?;
        position.extend_from_slice(to_come);
        self.append_added(position)?;
        let players = begun + self.part;
        if position.len() > players + PLAYERS {
            return Ok(false);
        }
        let player = |at| position.get(at..).and_then(|rest| word(rest, 0)).ok_or(GaveUp);
        let (turn, next) = (player_of(player(players)?), player_of(player(players + 4)?));
        let first = || self.table.players.first().copied();
        let following = || turn.map_or_else(first, |turn| Some(self.table.after(turn)));
        let next = next.or_else(following).ok_or(GaveUp)?;
        position.truncate(players);
        append_players([Some(next), None], position);
        position.extend_from_slice(&Tag::Player.wrap(next.0.into()).to_le_bytes());
        position.extend_from_slice(&u32::try_from(self.phases.turn).map_err(|_| GaveUp)?.to_le_bytes());
        Ok(turn.is_some())
    }

    /// Puts what is in the memory into a state of the same table.
    pub(crate) fn show(&mut self, state: &mut State) -> Result<(), GaveUp> {
        state.outcome = self.outcome()?;
        let (part, players) = in_memory(self.running.memory().0, self.part).ok_or(GaveUp)?;
        put_part(part, state);
        [state.turn, state.next_turn] = players;
        state.agenda.clear();
        Ok(())
    }

    /// Returns the part of a position between two phases, its players, and the phases to come.
    fn cut<'p>(&self, position: &'p [u8]) -> Option<(&'p [u8], Players, &'p [u8])> {
        let (part, rest) = position.split_at_checked(self.part)?;
        let (players, to_come) = rest.split_at_checked(PLAYERS)?;
        Some((part, [0, 4].map(|at| word(players, at).and_then(player_of)), to_come))
    }

    /// Puts a position between two phases into a state of the same table.
    pub(crate) fn show_position(&self, position: &[u8], state: &mut State) -> Option<()> {
        let (part, players, to_come) = self.cut(position)?;
        put_part(part, state);
        state.outcome = None;
        [state.turn, state.next_turn] = players;
        state.agenda.clear();
        self.phases.read(to_come, &mut state.agenda)
    }

    /// Puts what is in the memory into a state of the same table, with the phases to come after the present one of a position.
    pub(crate) fn show_ask(&mut self, position: &[u8], state: &mut State) -> Result<(), GaveUp> {
        self.show(state)?;
        let (_, _, to_come) = self.phases.split(position, self.part).ok_or(GaveUp)?;
        self.phases.read(to_come, &mut state.agenda).ok_or(GaveUp)
    }

    /// Packs what decides how the present phase of a position goes on from the ask where it has stopped, besides the state, as
    /// for a pause of the machine. Gives up where that is not known.
    pub(crate) fn pack_pause(&mut self, position: &[u8], packed: &mut Vec<u8>) -> Result<(), GaveUp> {
        let mut pause = std::mem::take(&mut self.packed.room);
        pause.clear();
        let Pause { function, next, added, is_all } = self.append_pause(position, &mut pause)?;
        if is_all && let Some(known) = self.packed.known.get(pause.as_slice()) {
            packed.extend_from_slice(known);
            self.packed.room = pause;
            return Ok(());
        }
        let (mut phase, mut then) = (Vec::new(), Vec::new());
        self.phases.read(next, &mut phase).ok_or(GaveUp)?;
        self.phases.read(pause.get(added).ok_or(GaveUp)?, &mut then).ok_or(GaveUp)?;
        // In the order in which they were added.
        then.reverse();
        let mut packer = Packer::default();
        phase.first().ok_or(GaveUp)?.hash(&mut packer);
        Remembered::of_phase(then).hash_to(&mut packer);
        let (bytes, host) = self.running.memory();
        host.hash_pause(bytes, function, &mut packer)?;
        let found = packer.finish();
        packed.extend_from_slice(found.as_bytes());
        if is_all {
            self.packed.insert(&pause, found.as_bytes());
        }
        self.packed.room = pause;
        Ok(())
    }

    /// Appends what a pause keeps besides the state, where the present phase of a position has stopped, without addresses.
    fn append_pause<'p>(&mut self, position: &'p [u8], pause: &mut Vec<u8>) -> Result<Pause<'p>, GaveUp> {
        let (number, _, to_come) = self.phases.split(position, self.part).ok_or(GaveUp)?;
        let function = self.phases.of_machine.get(number).copied().flatten().ok_or(GaveUp)?;
        let next = position.get(self.part + PLAYERS + to_come.len()..).ok_or(GaveUp)?;
        pause.extend_from_slice(&next.len().to_le_bytes());
        pause.extend_from_slice(next);
        let length = pause.len();
        pause.extend_from_slice(&0_u64.to_le_bytes());
        let begun = pause.len();
        self.append_added(pause)?;
        let added = begun..pause.len();
        // The length comes first, so that nothing else is read as the same bytes.
        let place = pause.get_mut(length..).and_then(|rest| rest.first_chunk_mut()).ok_or(GaveUp)?;
        *place = (added.len() as u64).to_le_bytes();
        let (bytes, host) = self.running.memory();
        let is_all = host.append_kept(bytes, function, pause)?;
        Ok(Pause { function, next, added, is_all })
    }

    /// Appends everything that decides how play goes on from the ask where the present phase of a position has stopped. Gives up
    /// where that is not known.
    pub(crate) fn append_ask(&mut self, position: &[u8], ask: &mut Vec<u8>) -> Result<(), GaveUp> {
        let (part, players) = in_memory(self.running.memory().0, self.part).ok_or(GaveUp)?;
        ask.extend_from_slice(part);
        append_players(players, ask);
        let (_, _, to_come) = self.phases.split(position, self.part).ok_or(GaveUp)?;
        ask.extend_from_slice(&to_come.len().to_le_bytes());
        ask.extend_from_slice(to_come);
        if self.append_pause(position, ask)?.is_all { Ok(()) } else { Err(GaveUp) }
    }

    /// Appends the phases that the present one has added, the first one last.
    fn append_added(&mut self, position: &mut Vec<u8>) -> Result<(), GaveUp> {
        let (bytes, _) = self.running.memory();
        for at in (0..word(bytes, layout::ADDED).ok_or(GaveUp)?).rev() {
            let place = self.phases.room + at * phases::SIZE.cast_unsigned();
            let number = word(bytes, place).ok_or(GaveUp)?;
            let count = self.phases.names.get(number as usize).ok_or(GaveUp)?.1;
            for at in (1..).take(count) {
                position.extend_from_slice(&long(bytes, place + 8 * at).ok_or(GaveUp)?.to_le_bytes());
            }
            position.extend_from_slice(&number.to_le_bytes());
        }
        Ok(())
    }

    /// Appends the encoded state of a position between two phases.
    pub(crate) fn encode_position(&self, position: &[u8], encoded: &mut Vec<u8>) -> Option<()> {
        let (part, players, to_come) = self.cut(position)?;
        let coming = self.phases.to_come(to_come)?;
        self.phases.encode(self.table.bytes(), (part, players), &coming, encoded)
    }

    /// Appends the encoded state in the memory, with the phases to come after the present one of a position.
    pub(crate) fn encode_ask(&mut self, position: &[u8], encoded: &mut Vec<u8>) -> Option<()> {
        let (_, _, to_come) = self.phases.split(position, self.part)?;
        let coming = self.phases.to_come(to_come)?;
        let in_memory = in_memory(self.running.memory().0, self.part)?;
        self.phases.encode(self.table.bytes(), in_memory, &coming, encoded)
    }

    /// Returns whether a turn has listed moves that are all in the memory, and has changed nothing since it began.
    pub(crate) fn is_listed(&mut self) -> bool {
        self.lists_only && self.count_listed().is_some()
    }

    /// Appends the encoded state at the beginning of a turn that [`Self::is_listed`].
    pub(crate) fn encode_listed(&mut self, encoded: &mut Vec<u8>) -> Option<()> {
        let (bytes, _) = self.running.memory();
        let player = Tag::Player.wrap(player_of(word(bytes, layout::ASKED)?)?.0.into()).to_le_bytes();
        let coming = Coming::from_slice(&[(self.phases.turn, player.as_slice())]);
        self.phases.encode(self.table.bytes(), in_memory(bytes, self.part)?, &coming, encoded)
    }

    /// Returns the position of an encoded state between two phases; `None` if it is more than bytes.
    pub(crate) fn decode(&self, encoded: &[u8]) -> Option<Vec<u8>> {
        let mut decoder = Decoder::begin(encoded)?;
        let players = decoder.players;
        let mut coming: SmallVec<[u8; 24]> = SmallVec::new();
        for _ in 0..decoder.phases {
            let (name, args) = decoder.phase()?;
            let is_named = |(known, count): &(Arc<str>, usize)| (&**known, *count) == (name, args);
            let number = self.phases.names.iter().position(is_named)?;
            for _ in 0..args {
                coming.extend(wrapped(&decoder.argument()?)?.to_le_bytes());
            }
            coming.extend(u32::try_from(number).ok()?.to_le_bytes());
        }
        let mut position = decoder.end(&self.table)?;
        append_players(players, &mut position);
        position.extend_from_slice(&coming);
        Some(position)
    }

    /// Puts the beginning of a turn that [`Self::is_listed`] into a state of the same table.
    pub(crate) fn show_listed(&mut self, state: &mut State) -> Option<()> {
        self.show(state).ok()?;
        let (bytes, _) = self.running.memory();
        state.agenda.push(Phase::turn(player_of(word(bytes, layout::ASKED)?)?));
        Some(())
    }

    /// Returns what the function that ran last has kept, and how many bytes its values take.
    pub(crate) fn kept(&mut self) -> (u64, u64) {
        let (bytes, host) = self.running.memory();
        let top = word(bytes, layout::TOP).unwrap_or_default();
        (word(bytes, layout::WEIGHT).unwrap_or(u32::MAX).into(), top.saturating_sub(host.heap).into())
    }

    /// Reads what the phase that ran last has counted. Gives up if the host was called, which takes what was counted before.
    pub(crate) fn counts(&mut self, counts: &mut Counts) -> Result<(), GaveUp> {
        let (bytes, host) = self.running.memory();
        let is_all = host.stepping.as_ref().is_some_and(|stepping| !stepping.called);
        if is_all { host.counted_in_run(bytes, counts) } else { Err(GaveUp) }
    }

    /// Returns how often the host was called so far.
    pub(crate) fn calls(&mut self) -> u64 {
        let (_, host) = self.running.memory();
        host.stepping.as_ref().map_or(0, |stepping| stepping.calls)
    }

    /// Returns how the game has ended, if it has.
    pub(crate) fn outcome(&mut self) -> Result<Option<Outcome>, GaveUp> {
        Ok(self.ended()?.map(|(outcome, _)| outcome))
    }

    /// Returns how and where the game has ended, if it has.
    pub(crate) fn ended(&mut self) -> Result<Option<(Outcome, Position)>, GaveUp> {
        let (bytes, host) = self.running.memory();
        host.ended(bytes, &self.table.players)
    }

    /// Evaluates the expression in what is in the memory, for a player if it is about one. Returns the wrapped value, and what that
    /// has done. With the players of a position, it is their turn. What a phase has left besides the state is forgotten.
    fn evaluate(&mut self, player: Option<PlayerId>, players: Option<Players>) -> Result<(i64, u64), GaveUp> {
        self.running.step(self.expression.ok_or(GaveUp)?, |host, bytes| {
            host.clear(bytes)?;
            for (place, player) in [layout::TURN, layout::NEXT_TURN].into_iter().zip(players.into_iter().flatten()) {
                set_word(bytes, place, player_number(player)).ok_or(GaveUp)?;
            }
            // An expression asks nothing.
            set_word(bytes, layout::ANSWERS, 0).ok_or(GaveUp)?;
            let player = player.map_or(value::NOTHING, |player| Tag::Player.wrap(player.0.into()));
            set_long(bytes, layout::ARGUMENTS, player).ok_or(GaveUp)
        })?;
        let (bytes, host) = self.running.memory();
        let is_over = word(bytes, layout::ENDED_AT).ok_or(GaveUp)? != 0;
        if host.has_stopped() || is_over {
            return Err(GaveUp);
        }
        Ok((long(bytes, layout::ARGUMENTS).ok_or(GaveUp)?, host.spent_by_step(bytes)?))
    }

    /// Rates what is in the memory for a player. Returns the number, and what that has done.
    pub(crate) fn rate(&mut self, player: PlayerId) -> Result<(i64, u64), GaveUp> {
        let (rated, spent) = self.evaluate(Some(player), None)?;
        if Tag::of(rated) == Some(Tag::Number) { Ok((rated >> TAG_BITS, spent)) } else { Err(GaveUp) }
    }

    /// Returns whether the expression is true in what is in the memory, and what that has done. It is the turn of the players of a
    /// position, if one is given.
    pub(crate) fn holds(&mut self, position: Option<&[u8]>) -> Result<(bool, u64), GaveUp> {
        let players = position.map(|position| self.cut(position).ok_or(GaveUp)).transpose()?;
        let (value, spent) = self.evaluate(None, players.map(|(_, players, _)| players))?;
        if Tag::of(value) == Some(Tag::Truth) { Ok((value >> TAG_BITS != 0, spent)) } else { Err(GaveUp) }
    }

    /// Returns whether the state in the memory is that of a position.
    pub(crate) fn is_at(&mut self, position: &[u8]) -> bool {
        let part = self.part;
        let Some((there, players, _)) = self.cut(position) else { return false };
        in_memory(self.running.memory().0, part) == Some((there, players))
    }
}
