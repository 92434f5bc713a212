//! The host of compiled rules: it carries out what they call, on the same state, and turns values from one form into the
//! other.

use std::sync::Arc;

use rhai::{Engine, GlobalRuntimeState, Position};

use super::compiler::{Compiled, Out, Strings};
use super::given::{Draws, Stepping, put_numbers};
use super::heap::{allocate, get_item, head, set_item, share};
use super::layout::{self, Layout};
use super::module::Binary;
use super::moves;
use super::pointers;
use super::records::{id_of_move, made_with};
use super::runtime;
use super::value::{self, TAG_BITS, Tag};
use super::ways;
use super::words::{GaveUp, long, set_long, set_word, word};
use super::work::Work;
use crate::host::{Halt, Link, Used};
use crate::natives::Ending;
use crate::values::{Arena, Callable, Moves, Val, rules_place};
use crate::vm::{Bytecode, Machine, Memory, Pausing};
use referee_table::{
    AskId, Cell, Cells, ClauseId, Dirs, Move, Outcome, PieceId, PlayerId, PropertyId, Schema, Value, ZoneId,
};
use referee_trace::{Action, FewValues};
use smallvec::SmallVec;

/// The number of the game itself among the values that only the host knows.
pub(super) const GAME: u32 = 0;

/// How much memory is free at least when the host is called.
pub(super) const FREE: usize = 1 << 16;

/// The number of operations of the machine that a call takes about as long as, besides what it turns into the other form, and
/// the number of bytes whose copy adds one.
const CALL: u64 = 10;
const BYTES: u64 = 250;

/// What the host carries out at a site.
struct Site {
    work: Work,
    /// The function of the machine that does the same.
    function: usize,
    position: Position,
    ends: bool,
    keeps: bool,
}

/// The machine that carries out calls of the host.
pub(crate) struct Host {
    pub(crate) link: Link,
    engine: Engine,
    global: GlobalRuntimeState,
    code: Bytecode,
    pub(super) memory: Memory,
    sites: Vec<Site>,
    endings: Vec<(Ending, Position)>,
    pub(super) strings: Strings,
    /// The values of the machine for strings, by their numbers; `None` where there is none in this phase yet.
    texts: Vec<Option<Val>>,
    /// The strings that have got a value in this phase.
    laid: Vec<usize>,
    /// How many strings stay when a phase ends.
    kept_strings: usize,
    /// The values that only the host knows.
    others: Vec<Val>,
    pub(super) layout: Layout,
    /// How many functions may be nested that call the host, besides those that may call themselves.
    longest: usize,
    /// Whether a function looks at the positions before.
    reads_history: bool,
    /// The end of what is in the memory before a phase begins.
    pub(super) heap: u32,
    /// Where runs are counted, and at how many points.
    runs: (u32, usize),
    /// Where functions pause.
    pub(super) pauses: Vec<Pausing>,
    /// The end of the values that are kept as long as the table is the same.
    kept: u32,
    /// The wrapped names of what a chosen action has: its first value, its values and its verb.
    chosen: [i64; 3],
    /// The wrapped verbs of all asks.
    verbs: Vec<i64>,
    /// What its calls have taken, in operations of the machine.
    pub(crate) spent: u64,
    /// Whether the next phase is the first one of a game.
    is_new: bool,
    /// The number of answered asks of the phase that the host has seen.
    given: u64,
    /// The player to whom the next turn was given when the host has seen the state.
    pub(super) next_turn: Option<PlayerId>,
    /// What is kept if phases run one at a time.
    pub(super) stepping: Option<Stepping>,
    /// Where random numbers come from while a game is only counted.
    pub(super) counting: Option<Draws>,
    /// How many random numbers are handed out next, and how many the game has taken.
    pub(super) numbers: usize,
    pub(super) taken: usize,
    /// How many the games before have taken, about.
    pub(super) usual: usize,
    /// The number of changes of the state whose bytes are in the memory.
    seen: Option<u64>,
    /// The stamps of the board and the zones whose contents are in the memory.
    seen_zones: Option<(u64, u64)>,
}

/// What the machine needs to carry out calls of the host.
pub(crate) struct Parts<'p> {
    pub(crate) engine: Engine,
    pub(crate) code: Bytecode,
    pub(crate) arena: Arena,
    pub(crate) link: Link,
    pub(crate) schema: &'p Schema,
}

impl Compiled {
    /// Returns the functions that the machine is to have besides those of the script.
    pub(crate) fn functions(&self) -> Vec<(&crate::script::Function, bool)> {
        self.outs.iter().map(|out| (&out.function, out.prelude)).collect()
    }

    /// Returns the module and its host.
    pub(crate) fn host(self, parts: Parts<'_>) -> (Binary, Host) {
        let Self { binary, layout, outs, endings, mut strings, heap, runs, pauses, longest, reads_history, .. } = self;
        let mut wrapped = |text: &str| Tag::Text.wrap(strings.number(&text.into()));
        let Parts { engine, code, arena, link, schema } = parts;
        let verbs = schema.asks.iter().map(|ask| wrapped(&ask.verb)).collect();
        let chosen = ["value", "values", "verb"].map(wrapped);
        let site = |out: &Out| {
            let (name, count) = (out.function.name.as_str(), out.function.parameters);
            let function = if out.prelude { code.prelude(name, count) } else { code.place(name, count) };
            let position = out.function.body.at;
            let function = function.unwrap_or(usize::MAX);
            let work = Work::of(out, &code, schema);
            Site { work, function, position, ends: out.ends, keeps: out.keeps }
        };
        let sites = outs.iter().map(site).collect();
        let texts = strings.all.iter().map(|text| code.texts.get(text).copied()).collect();
        let host = Host {
            global: engine.new_global_runtime_state(),
            kept_strings: strings.all.len(),
            memory: Memory::of(arena),
            kept: layout.kept.0,
            others: vec![Val::Game],
            laid: Vec::new(),
            chosen,
            verbs,
            spent: 0,
            is_new: true,
            given: 0,
            next_turn: None,
            stepping: None,
            counting: None,
            numbers: layout::FEW_NUMBERS,
            taken: 0,
            usual: 0,
            seen: None,
            seen_zones: None,
            link,
            engine,
            code,
            sites,
            endings,
            strings,
            texts,
            layout,
            longest,
            reads_history,
            heap,
            runs,
            pauses,
        };
        (binary, host)
    }
}

impl Host {
    /// Returns how much memory is free behind the heap, in bytes.
    pub(super) fn free(bytes: &[u8]) -> usize {
        bytes.len().saturating_sub(word(bytes, layout::TOP).unwrap_or(u32::MAX) as usize)
    }

    /// Returns how often each point was run since the last call, by the module and by the machine of the host.
    pub(super) fn take_runs(&self, bytes: &mut [u8]) -> Vec<u64> {
        let mut runs = self.code.runs.take();
        let (first, count) = self.runs;
        let places = bytes.get_mut(first as usize..).and_then(|rest| rest.get_mut(..4 * count)).unwrap_or_default();
        for (runs, place) in runs.iter_mut().zip(places.chunks_exact_mut(4)) {
            *runs += u64::from(word(place, 0).unwrap_or_default());
            place.fill(0);
        }
        runs
    }

    /// Prepares the memory for a phase with these arguments.
    pub(crate) fn begin(&mut self, bytes: &mut [u8], args: &[Value]) -> Result<(), GaveUp> {
        if args.len() > layout::MOST_ARGUMENTS {
            return Err(GaveUp);
        }
        self.forget_phase();
        set_word(bytes, layout::TOP, self.heap).ok_or(GaveUp)?;
        set_long(bytes, layout::OCCUPIED, 0).ok_or(GaveUp)?;
        for at in (layout::OVER..layout::ANSWERS).step_by(4).chain((layout::USED..layout::TURNS_LEFT).step_by(4)) {
            set_word(bytes, at, 0).ok_or(GaveUp)?;
        }
        for at in [layout::CAPTURED, layout::ENDED_AT, layout::LOOKING] {
            set_word(bytes, at, 0).ok_or(GaveUp)?;
        }
        self.given = 0;
        if std::mem::take(&mut self.is_new) {
            self.begin_game(bytes)?;
        }
        self.show(bytes)?;
        let reads_history = self.reads_history;
        let begun = self.link.with(|session| {
            let state = &session.state;
            // What is remembered of the beginning of each turn is the host's.
            let begins_turns = state.agenda.is_empty() && !(reads_history && state.has_history());
            let turns = if begins_turns { session.answers.turns_left() } else { 0 };
            let turns = u32::try_from(turns).unwrap_or(u32::MAX);
            Ok((turns, u32::try_from(session.silent).unwrap_or(u32::MAX), state.board().size()))
        });
        let (turns, silent, size) = begun.map_err(|_| GaveUp)?;
        set_word(bytes, layout::TURNS_LEFT, turns).ok_or(GaveUp)?;
        set_word(bytes, layout::SILENT, silent).ok_or(GaveUp)?;
        for (at, value) in (0..).zip(args) {
            let value = self.memory.arena.of_argument(value, size);
            let wrapped = self.wrapped(bytes, value, 0)?;
            set_long(bytes, layout::ARGUMENTS + 8 * at, wrapped).ok_or(GaveUp)?;
        }
        Ok(())
    }

    /// Forgets the values of a phase that has ended.
    pub(super) fn forget_phase(&mut self) {
        self.memory.arena.empty(self.code.constants());
        self.others.truncate(1);
        for number in self.laid.drain(..) {
            self.texts.get_mut(number).into_iter().for_each(|place| *place = None);
        }
        self.strings.forget(self.kept_strings);
        self.texts.truncate(self.kept_strings);
    }

    /// Prepares the memory for another game. Rules that were given up may have left something.
    fn begin_game(&mut self, bytes: &mut [u8]) -> Result<(), GaveUp> {
        for at in (self.layout.faces..self.layout.verbs).step_by(4) {
            set_word(bytes, at, 0).ok_or(GaveUp)?;
        }
        let answers = self.link.with(|session| Ok(session.answers.numbers(&mut []))).map_err(|_| GaveUp)?;
        set_word(bytes, layout::ANSWERS, answers.into()).ok_or(GaveUp)?;
        self.begin_numbers(bytes)
    }

    /// Ends a phase: the state gets its changes.
    pub(crate) fn end(&mut self, bytes: &mut [u8], left: i64) -> Result<(), GaveUp> {
        self.take(bytes)?;
        self.over(bytes)?;
        let spent = u64::try_from(layout::WORK - left).unwrap_or_default();
        self.link.meter.work(spent + self.memory.arena.work().take());
        if self.link.meter.excess().is_some() || self.link.meter.is_passed() { Err(GaveUp) } else { Ok(()) }
    }

    /// Returns how and where the rules have ended the game among these players, if they have.
    pub(super) fn ended(&self, bytes: &[u8], players: &[PlayerId]) -> Result<Option<(Outcome, Position)>, GaveUp> {
        let Some(at) = word(bytes, layout::ENDED_AT).ok_or(GaveUp)?.checked_sub(1) else { return Ok(None) };
        let (ending, position) = *self.endings.get(at as usize).ok_or(GaveUp)?;
        let bits = word(bytes, layout::ENDED_FOR).ok_or(GaveUp)?;
        let is_meant = |player: &PlayerId| bits >> player.index() & 1 == 1;
        let outcome = match ending {
            Ending::Won => Outcome::Won((0..u32::BITS as usize).map(PlayerId::at).filter(is_meant).collect()),
            Ending::Lost => match players.iter().copied().filter(|player| !is_meant(player)).collect::<Vec<_>>() {
                others if others.is_empty() => Outcome::Nobody,
                others => Outcome::Won(others),
            },
            Ending::Nobody => Outcome::Nobody,
            Ending::Draw => Outcome::Draw,
        };
        Ok(Some((outcome, position)))
    }

    /// Ends the game, if the rules have ended it.
    fn over(&self, bytes: &[u8]) -> Result<(), GaveUp> {
        if word(bytes, layout::ENDED_AT).ok_or(GaveUp)? == 0 {
            return Ok(());
        }
        // What stops the run is no error here.
        let _ = self.link.with(|session| match self.ended(bytes, &session.state.table.players) {
            Ok(Some((outcome, position))) => self.link.halt::<()>(session, Halt::Over(outcome, rules_place(position))),
            Ok(None) | Err(GaveUp) => Ok(()),
        });
        if self.link.is_over() { Ok(()) } else { Err(GaveUp) }
    }

    /// Forgets the game that was played before.
    pub(crate) const fn forget_state(&mut self) {
        self.seen = None;
        self.seen_zones = None;
        self.is_new = true;
    }

    /// Puts the state into the memory, if it was changed.
    fn show(&mut self, bytes: &mut [u8]) -> Result<(), GaveUp> {
        let (seen, seen_zones) = (self.seen, self.seen_zones);
        let mut fits = true;
        let changes = self.link.with(|session| {
            let stamps = self.layout.zones.as_ref().map(|zones| (zones, session.state.stamps().places()));
            if let Some((zones, stamps)) = stamps.filter(|(_, stamps)| seen_zones != Some(*stamps)) {
                let written = zones.part_mut(bytes).and_then(|part| session.state.write_zones(&zones.bytes, part));
                // Without their contents the rules are given up.
                self.seen_zones = written.map(|()| stamps);
                self.spent += zones.bytes.size() as u64 / BYTES;
            }
            let changes = session.state.changes();
            if seen != Some(changes) {
                if let Some(columns) = &self.layout.columns {
                    let written = columns.part_mut(bytes).and_then(|part| session.state.write_columns(part));
                    fits = written.is_some();
                    self.spent += u64::from(columns.size) / BYTES;
                }
                let part = session.state.part_in_bytes();
                let place = bytes.get_mut(layout::STATE as usize..).and_then(|rest| rest.get_mut(..part.len()));
                place.into_iter().for_each(|place| place.copy_from_slice(part));
                self.spent += part.len() as u64 / BYTES;
            }
            let players = [session.state.turn, session.state.next_turn];
            Ok((changes, session.given, session.then.is_empty(), players))
        });
        let (changes, given, adds_none, players) = changes.map_err(|_| GaveUp)?;
        if seen != Some(changes) {
            set_long(bytes, layout::OCCUPIED, 0).ok_or(GaveUp)?;
        }
        set_word(bytes, layout::ADDED_BY_HOST, (!adds_none).into()).ok_or(GaveUp)?;
        if self.layout.zones.is_some() && self.seen_zones.is_none() || !fits {
            return Err(GaveUp);
        }
        self.next_turn = players[1];
        for (at, player) in [layout::TURN, layout::NEXT_TURN].into_iter().zip(players) {
            let player = player.map_or(value::NO_ID, |player| player.0.into());
            set_word(bytes, at, player.cast_unsigned()).ok_or(GaveUp)?;
        }
        self.seen = Some(changes);
        if self.given != given {
            // The host has used numbers.
            self.given = given;
            set_word(bytes, layout::SILENT, 0).ok_or(GaveUp)?;
            set_word(bytes, layout::NEXT, layout::NUMBERS_END).ok_or(GaveUp)?;
            self.numbers = layout::FEW_NUMBERS;
        }
        Ok(())
    }

    /// Gives the changes in the memory to the state.
    pub(super) fn take(&mut self, bytes: &mut [u8]) -> Result<(), GaveUp> {
        let turns = self.take_turns(bytes)?;
        self.take_answers(bytes, turns)?;
        let reported = word(bytes, layout::REPORTED).ok_or(GaveUp)?;
        let weight = word(bytes, layout::WEIGHT).ok_or(GaveUp)?;
        if reported > 0 || weight > 0 {
            let told = self.link.with(|session| {
                session.reported += u64::from(reported);
                self.link.meter.keep(weight.into())
            });
            told.map_err(|_| GaveUp)?;
            set_word(bytes, layout::REPORTED, 0).ok_or(GaveUp)?;
            set_word(bytes, layout::WEIGHT, 0).ok_or(GaveUp)?;
        }
        let changes = word(bytes, layout::CHANGES).ok_or(GaveUp)?;
        if changes == 0 {
            return Ok(());
        }
        let taken = word(bytes, layout::TAKEN).ok_or(GaveUp)?;
        set_word(bytes, layout::TAKEN, taken.wrapping_add(1)).ok_or(GaveUp)?;
        self.spent += self.layout.state.size() as u64 / BYTES;
        let moved = word(bytes, layout::MOVED).ok_or(GaveUp)? != 0;
        let set = long(bytes, layout::SET).ok_or(GaveUp)?.cast_unsigned();
        let part = bytes.get(layout::STATE as usize..).and_then(|rest| rest.get(..self.layout.state.size()));
        let part = part.ok_or(GaveUp)?;
        let properties = (0..64).filter(|number| set >> number & 1 == 1).map(PropertyId::at);
        let zones = self.layout.zones.as_ref();
        let zones_changed = zones.filter(|_| word(bytes, layout::ZONES).is_some_and(|changed| changed != 0));
        let seen = self.link.with(|session| {
            session.state.take_bytes(part, moved, properties, changes.into());
            if let Some(columns) = self.layout.columns.filter(|_| moved).and_then(|columns| columns.part(bytes)) {
                session.state.take_columns(columns);
            }
            if let Some(zones) = zones_changed
                && let Some(part) = zones.part(bytes)
            {
                session.state.take_zones(&zones.bytes, part);
                self.spent += zones.bytes.size() as u64 / BYTES;
            }
            self.link.meter.work(changes.into());
            Ok((session.state.changes(), session.state.stamps().places()))
        });
        let (seen, places) = seen.map_err(|_| GaveUp)?;
        self.seen = Some(seen);
        self.seen_zones = zones.map(|_| places);
        if let Some(zones) = zones_changed {
            zones.are_seen(bytes).ok_or(GaveUp)?;
        }
        for at in [layout::CHANGES, layout::MOVED, layout::ZONES] {
            set_word(bytes, at, 0).ok_or(GaveUp)?;
        }
        set_long(bytes, layout::SET, 0).ok_or(GaveUp)
    }

    /// Puts the next random numbers into the memory.
    pub(super) fn fetch(&mut self, bytes: &mut [u8]) -> Result<(), GaveUp> {
        if self.fetch_for_counting(bytes)? || self.fetch_for_step(bytes)? {
            return Ok(());
        }
        // The session knows which numbers come next.
        let turns = self.take_turns(bytes)?;
        self.take_answers(bytes, turns)?;
        let mut numbers = [0; layout::MOST_NUMBERS];
        let numbers = numbers.get_mut(..self.numbers).ok_or(GaveUp)?;
        let there = self.link.with(|session| Ok(session.answers.numbers(numbers))).map_err(|_| GaveUp)?;
        if !there {
            return Err(GaveUp);
        }
        self.put_fetched(bytes, numbers)
    }

    /// Puts fetched random numbers into the memory, and decides how many are fetched next.
    pub(super) fn put_fetched(&mut self, bytes: &mut [u8], numbers: &[u64]) -> Result<(), GaveUp> {
        put_numbers(bytes, layout::NUMBERS, numbers)?;
        self.taken += self.numbers;
        // The longer a game is, the more it may need.
        self.numbers = (self.taken / 4).clamp(layout::FEW_NUMBERS, layout::MOST_NUMBERS);
        set_word(bytes, layout::NEXT, layout::NUMBERS).ok_or(GaveUp)
    }

    /// Gives the turns that have begun to the session, and the player to whom the next one was given. Returns the number of
    /// turns.
    fn take_turns(&mut self, bytes: &mut [u8]) -> Result<u32, GaveUp> {
        let turns = word(bytes, layout::TURNS).ok_or(GaveUp)?;
        let player = |at| match word(bytes, at).ok_or(GaveUp)?.cast_signed() {
            value::NO_ID => Ok(None),
            player => usize::try_from(player).map(|player| Some(PlayerId::at(player))).map_err(|_| GaveUp),
        };
        let (turn, next) = (player(layout::TURN)?, player(layout::NEXT_TURN)?);
        if turns == 0 && next == self.next_turn {
            return Ok(0);
        }
        self.next_turn = next;
        let silent = word(bytes, layout::SILENT).ok_or(GaveUp)? as usize;
        let told = self.link.with(|session| {
            session.state.next_turn = next;
            if turns > 0 {
                session.state.turn = turn;
                session.begin();
                session.last_clause = None;
                session.silent = silent;
                return Ok(session.state.weight());
            }
            Ok(0)
        });
        let weight = told.map_err(|_| GaveUp)?;
        if turns > 0 {
            self.forget_phase();
            self.given = 0;
            if word(bytes, layout::RESTARTED).ok_or(GaveUp)? > 0 {
                self.link.meter.has_kept(weight);
            }
            for at in [layout::TURNS, layout::RESTARTED] {
                set_word(bytes, at, 0).ok_or(GaveUp)?;
            }
        }
        Ok(turns)
    }

    /// Gives the answers and clauses in the memory to the session, which were there in so many new turns and before them.
    fn take_answers(&mut self, bytes: &mut [u8], turns: u32) -> Result<(), GaveUp> {
        let answers = word(bytes, layout::ANSWERED).ok_or(GaveUp)?;
        // An ask may be in the middle of its numbers.
        if answers > 0 || turns > 0 || word(bytes, layout::USED).ok_or(GaveUp)? > 0 {
            let mut faces: SmallVec<[u32; 32]> = SmallVec::new();
            for at in 0..self.layout.face_count {
                faces.push(word(bytes, self.layout.faces + 4 * at).ok_or(GaveUp)?);
                set_word(bytes, self.layout.faces + 4 * at, 0).ok_or(GaveUp)?;
            }
            let counted = |at| word(bytes, at).map(u64::from).ok_or(GaveUp);
            let used = Used {
                numbers: counted(layout::USED)?,
                answers,
                turns,
                decisions: counted(layout::DECISIONS)?,
                options: counted(layout::OPTIONS)?,
                captures: counted(layout::CAPTURED)?,
                faces: &faces,
            };
            if answers > 0 {
                self.link.meter.asked();
            }
            // Those of earlier turns were not given in this one.
            let is_silent = turns > 0 && word(bytes, layout::SILENT).ok_or(GaveUp)? > 0;
            let told = self.link.with(|session| {
                session.answers.used(&used);
                session.given += if is_silent { 0 } else { u64::from(answers) };
                session.asked |= answers > 0;
                Ok(session.given)
            });
            self.given = told.map_err(|_| GaveUp)?;
            for at in [layout::USED, layout::ANSWERED, layout::DECISIONS, layout::OPTIONS, layout::CAPTURED] {
                set_word(bytes, at, 0).ok_or(GaveUp)?;
            }
        }
        if word(bytes, layout::APPLIED).ok_or(GaveUp)? > 0 {
            let link = self.link.clone();
            for at in 0..self.layout.clause_count {
                let place = self.layout.clauses + 4 * at;
                let times = word(bytes, place).ok_or(GaveUp)?;
                if times > 0 {
                    set_word(bytes, place, 0).ok_or(GaveUp)?;
                    let clause = ClauseId::at(at as usize);
                    let told = link.with(|session| {
                        session.applied_often(clause, times.into());
                        Ok(())
                    });
                    told.map_err(|_| GaveUp)?;
                }
            }
            let last = word(bytes, layout::LAST_CLAUSE).ok_or(GaveUp)?;
            let told = link.with(|session| {
                session.last_clause = last.checked_sub(1).map(|last| ClauseId::at(last as usize));
                Ok(())
            });
            told.map_err(|_| GaveUp)?;
            set_word(bytes, layout::APPLIED, 0).ok_or(GaveUp)?;
        }
        Ok(())
    }

    /// Carries out what is at a site, and returns its value.
    pub(super) fn call(&mut self, bytes: &mut [u8], site: u32, args: &[i64]) -> Result<i64, GaveUp> {
        if self.counting.is_some() {
            return Err(GaveUp);
        }
        match self.stepping {
            Some(_) => self.call_of_step(bytes, site, args),
            None => self.carry_out(bytes, site, args),
        }
    }

    /// Carries out a call in the session of the link.
    pub(super) fn carry_out(&mut self, bytes: &mut [u8], site: u32, args: &[i64]) -> Result<i64, GaveUp> {
        self.spent += CALL;
        self.take(bytes)?;
        let looks = word(bytes, layout::LOOKING).ok_or(GaveUp)? != 0;
        let before = self.link.with(|session| {
            session.looks_elsewhere = looks;
            Ok(session.state.changes())
        });
        let before = before.map_err(|_| GaveUp)?;
        if let Some(Site { work: Work::Choose(_), .. }) = self.sites.get(site as usize)
            && let Some(chosen) = self.choose(bytes, args)?
        {
            self.show(bytes)?;
            return Ok(chosen);
        }
        let mut values = [Val::Nothing; layout::MOST_HANDED];
        let values = values.get_mut(..args.len()).ok_or(GaveUp)?;
        for (place, wrapped) in values.iter_mut().zip(args) {
            *place = self.unwrapped(bytes, *wrapped, 0)?;
        }
        let Site { work, function, position, ends, keeps, .. } = self.sites.get(site as usize).ok_or(GaveUp)?;
        let (function, position, ends, keeps) = (*function, *position, *ends, *keeps);
        let level = self.longest + word(bytes, layout::DEPTH).ok_or(GaveUp)? as usize;
        let ran = {
            let (engine, global, link, code) = (&self.engine, &self.global, &self.link, &self.code);
            let memory = &mut self.memory;
            let mut machine = Machine { engine, global, link, code, memory };
            match work.done(&mut machine, position, values) {
                Some(done) => done,
                None => machine.run(function, level, position, values),
            }
        };
        let value = match ran {
            Ok(value) => value,
            Err(_) => {
                self.memory.frames.clear();
                self.memory.handlers.clear();
                if !ends || !self.link.is_over() {
                    return Err(GaveUp);
                }
                set_word(bytes, layout::OVER, 1).ok_or(GaveUp)?;
                return Ok(value::NOTHING);
            }
        };
        let after = self.link.with(|session| {
            // What is taken next was told in the position that is played.
            session.looks_elsewhere = false;
            Ok(session.state.changes())
        });
        let after = after.map_err(|_| GaveUp)?;
        // It would not be put back.
        if looks && after != before {
            return Err(GaveUp);
        }
        self.show(bytes)?;
        let (top, others) = (word(bytes, layout::TOP).ok_or(GaveUp)?, self.others.len());
        let wrapped = self.wrapped(bytes, value, 0)?;
        if !keeps {
            return Ok(wrapped);
        }
        // It is put into the place for kept values, if there is room, and if it is nothing that only this phase has.
        let size = word(bytes, layout::TOP).ok_or(GaveUp)?.saturating_sub(top);
        let is_kept = self.others.len() == others && self.kept.saturating_add(size) <= self.layout.kept.1;
        set_word(bytes, layout::IS_KEPT, is_kept.into()).ok_or(GaveUp)?;
        if !is_kept {
            return Ok(wrapped);
        }
        set_word(bytes, layout::TOP, self.kept).ok_or(GaveUp)?;
        let wrapped = self.wrapped(bytes, value, 0)?;
        self.kept = word(bytes, layout::TOP).ok_or(GaveUp)?;
        self.kept_strings = self.strings.all.len();
        share(bytes, wrapped);
        set_word(bytes, layout::TOP, top).ok_or(GaveUp)?;
        Ok(wrapped)
    }

    /// Returns a value of the machine as a wrapped one.
    fn wrapped(&mut self, bytes: &mut [u8], value: Val, depth: usize) -> Result<i64, GaveUp> {
        self.spent += 1;
        if depth > crate::values::DEPTH {
            return Err(GaveUp);
        }
        let id = |number: usize| u32::try_from(number).map_err(|_| GaveUp);
        Ok(match value {
            Val::Nothing => value::NOTHING,
            Val::Truth(truth) => value::truth(truth),
            Val::Number(number) => value::number(number).ok_or(GaveUp)?,
            Val::Player(player) => Tag::Player.wrap(id(player.index())?),
            Val::Piece(piece) => Tag::Piece.wrap(id(piece.index())?),
            Val::Zone(zone) => Tag::Zone.wrap(id(zone.index())?),
            Val::Cell(cell) => Tag::Cell.wrap(id(cell.index())?),
            Val::Text(_) => {
                let text = self.memory.arena.text_of(value).cloned().ok_or(GaveUp)?;
                let number = self.strings.number(&text);
                self.texts.resize(self.strings.all.len(), None);
                Tag::Text.wrap(number)
            }
            Val::List(_) => {
                let count = self.memory.arena.items(value).ok_or(GaveUp)?.len();
                let address = head(bytes, count, runtime::ITEM)?;
                for at in 0..count {
                    let item = self.memory.arena.items(value).and_then(|items| items.get(at)).copied().ok_or(GaveUp)?;
                    let item = self.wrapped(bytes, item, depth + 1)?;
                    set_item(bytes, address, at, item)?;
                }
                Tag::List.wrap(address)
            }
            Val::Map(_) => {
                let count = self.memory.arena.fields(value).ok_or(GaveUp)?.items.len();
                let address = head(bytes, count, runtime::PAIR)?;
                for at in 0..count {
                    let pair = self.memory.arena.fields(value).and_then(|fields| fields.items.get(at)).cloned();
                    let (name, item) = pair.ok_or(GaveUp)?;
                    let key = Tag::Text.wrap(self.strings.number(&name));
                    self.texts.resize(self.strings.all.len(), None);
                    let item = self.wrapped(bytes, item, depth + 1)?;
                    set_item(bytes, address, 2 * at, key)?;
                    set_item(bytes, address, 2 * at + 1, item)?;
                }
                Tag::Map.wrap(address)
            }
            Val::Cells(at) => self.wrapped_set(bytes, at)?,
            Val::Action(at) => {
                let action = self.memory.arena.actions.get(at as usize).ok_or(GaveUp)?.clone();
                let address = allocate(bytes, 8 + 8 * action.values.len())?;
                set_word(bytes, address, id(action.ask.index())?).ok_or(GaveUp)?;
                set_word(bytes, address + 4, id(action.values.len())?).ok_or(GaveUp)?;
                for (at, value) in (1..).zip(&action.values) {
                    let value = self.memory.arena.of_value(value);
                    let wrapped = self.wrapped(bytes, value, depth + 1)?;
                    set_long(bytes, address + 8 * at, wrapped).ok_or(GaveUp)?;
                }
                Tag::Action.wrap(address)
            }
            Val::Dirs(at) if self.layout.shapes.small => {
                let dirs = self.memory.arena.dirs.get(at as usize).ok_or(GaveUp)?.clone();
                let address = allocate(bytes, 8 * self.layout.directions as usize)?;
                for number in 1..=self.layout.directions {
                    let set = dirs.at(ways::direction(number)).as_ref().map_or(0, ways::bits);
                    set_long(bytes, address + ways::place(number), set).ok_or(GaveUp)?;
                }
                Tag::Dirs.wrap(address)
            }
            Val::Move(at) if self.layout.shapes.moves => {
                let made = self.memory.arena.single.get(at as usize).ok_or(GaveUp)?;
                match id_of_move(bytes, made, self.layout.shapes.plain)? {
                    Some(id) => Tag::Move.wrap(id),
                    None => self.other(value)?,
                }
            }
            Val::Moves(at) if self.layout.shapes.moves => {
                let moves = self.memory.arena.several.get(at as usize).ok_or(GaveUp)?.clone();
                let address = head(bytes, moves.all().len(), runtime::ITEM)?;
                for (at, made) in moves.all().iter().enumerate() {
                    let made = self.memory.arena.single(made.clone());
                    let made = self.wrapped(bytes, made, depth + 1)?;
                    set_item(bytes, address, at, made)?;
                }
                Tag::Moves.wrap(address)
            }
            Val::Game => Tag::Other.wrap(GAME),
            Val::Function(at) => match self.pointer(at) {
                Some(number) => Tag::Other.wrap(pointers::FIRST + number),
                None => self.other(value)?,
            },
            Val::Shared(_) => return Err(GaveUp),
            other => self.other(other)?,
        })
    }

    /// Returns a set of the machine as a wrapped one.
    fn wrapped_set(&self, bytes: &mut [u8], at: u32) -> Result<i64, GaveUp> {
        let cells = self.memory.arena.cells.get(at as usize).ok_or(GaveUp)?;
        let words: SmallVec<[u64; 64]> = cells.words().chain(std::iter::repeat(0)).take(self.layout.words()).collect();
        let set = self.layout.set_in_bytes(&words);
        let address = allocate(bytes, set.len())?;
        let place = bytes.get_mut(address as usize..).and_then(|rest| rest.get_mut(..set.len()));
        place.ok_or(GaveUp)?.copy_from_slice(&set);
        Ok(Tag::Cells.wrap(address))
    }

    /// Returns a value as a wrapped one that only the host knows.
    fn other(&mut self, value: Val) -> Result<i64, GaveUp> {
        self.others.push(value);
        let number = u32::try_from(self.others.len() - 1).ok().filter(|number| *number < pointers::FIRST);
        Ok(Tag::Other.wrap(number.ok_or(GaveUp)?))
    }

    /// Returns the number of the name of a function value that compiled rules have.
    fn pointer(&self, at: u32) -> Option<u32> {
        let value = self.memory.arena.functions.get(at as usize).filter(|value| value.curry.is_empty())?;
        self.layout.pointers.clone().find(|number| self.strings.all.get(*number as usize) == Some(&value.name))
    }

    /// Returns the sets for each direction at an address.
    fn dirs(&self, bytes: &[u8], address: u32) -> Result<Dirs, GaveUp> {
        let mut sets: SmallVec<[u64; 8]> = SmallVec::new();
        for number in 1..=self.layout.directions {
            sets.push(long(bytes, address + ways::place(number)).ok_or(GaveUp)?.cast_unsigned());
        }
        let made = self.link.with(|session| {
            let board = session.state.board();
            Ok(Dirs::each(board, |direction| {
                let set = sets.get(direction.index().wrapping_sub(1)).copied().unwrap_or_default();
                Cells::of_words(board.size(), std::iter::once(set))
            }))
        });
        made.map_err(|_| GaveUp)
    }

    /// Returns the moves at an address.
    fn moves(&mut self, bytes: &[u8], address: u32) -> Result<Moves, GaveUp> {
        let count = word(bytes, address + runtime::LENGTH).ok_or(GaveUp)?;
        let mut moves = Vec::with_capacity(count as usize);
        let room = word(bytes, address + runtime::ROOM).ok_or(GaveUp)?.cast_signed();
        if room == moves::GROUP {
            return self.groups(bytes, address);
        }
        if room != moves::STEPS {
            for at in 0..count as usize {
                let made = self.unwrapped(bytes, get_item(bytes, address, at)?, 1)?;
                let Val::Move(made) = made else { return Err(GaveUp) };
                moves.push(self.memory.arena.single.get(made as usize).cloned().ok_or(GaveUp)?);
            }
            return Ok(Moves::new(moves));
        }
        let occupied = long(bytes, address + moves::OCCUPIED).ok_or(GaveUp)?;
        let dirs = self.dirs(bytes, address + moves::SETS)?;
        let listed = self.link.with(|session| {
            let board = session.state.board();
            for from in dirs.any().iter() {
                let ways = board.rising().iter().filter(|way| dirs.at(**way).is_some_and(|set| set.contains(from)));
                for to in ways.filter_map(|way| board.step(from, *way)) {
                    moves.push(Move::step(from, to, occupied >> to.0 & 1 == 1));
                }
            }
            Ok(Moves::new(moves))
        });
        listed.map_err(|_| GaveUp)
    }

    /// Returns the moves of a group and of those before it, those of the first one first.
    fn groups(&mut self, bytes: &[u8], mut address: u32) -> Result<Moves, GaveUp> {
        let mut groups = Vec::new();
        while address != 0 {
            let far = word(bytes, address + moves::FAR).ok_or(GaveUp)?;
            let occupied = long(bytes, address + moves::OCCUPIED).ok_or(GaveUp)?;
            groups.push((far, occupied, self.dirs(bytes, address + moves::GROUP_SETS)?));
            address = word(bytes, address + moves::BEFORE).ok_or(GaveUp)?;
        }
        let listed = self.link.with(|session| {
            let board = session.state.board();
            let mut moves = Vec::new();
            for (far, occupied, dirs) in groups.iter().rev() {
                for way in (1..=self.layout.directions).map(ways::direction) {
                    let Some(set) = dirs.at(way) else { continue };
                    for from in set.iter() {
                        let to = (0..*far).try_fold(from, |cell, _| board.step(cell, way));
                        moves.extend(to.map(|to| Move::step(from, to, occupied >> to.0 & 1 == 1)));
                    }
                }
            }
            Ok(moves)
        });
        let listed = listed.map_err(|_| GaveUp)?;
        self.memory.arena.work().of_values(4 * listed.len());
        Ok(Moves::new(listed))
    }

    /// Returns the action at an address.
    fn action(&mut self, bytes: &[u8], address: u32) -> Result<Action, GaveUp> {
        let ask = AskId::at(word(bytes, address).ok_or(GaveUp)? as usize);
        let count = word(bytes, address + 4).ok_or(GaveUp)?;
        let mut values = FewValues::new();
        for at in 1..=count {
            let wrapped = long(bytes, address + 8 * at).ok_or(GaveUp)?;
            let value = self.unwrapped(bytes, wrapped, 1)?;
            values.push(self.value(value)?);
        }
        Ok(Action { ask, values })
    }

    /// Returns a value of the machine as one of the game's state.
    fn value(&self, value: Val) -> Result<Value, GaveUp> {
        if let Some(small) = crate::host::small_value(value) {
            return Ok(small);
        }
        let arena = &self.memory.arena;
        Ok(match value {
            Val::Text(_) => Value::text(arena.text_of(value).ok_or(GaveUp)?.as_str()),
            Val::Move(at) => Value::Move(arena.single.get(at as usize).ok_or(GaveUp)?.clone()),
            Val::List(_) => {
                let items = arena.items(value).ok_or(GaveUp)?.iter();
                Value::List(items.map(|item| self.value(*item)).collect::<Result<_, _>>()?)
            }
            // An amount of resources.
            Val::Map(_) => {
                let fields = arena.fields(value).ok_or(GaveUp)?.items.iter();
                Value::Map(
                    fields
                        .map(|(name, item)| Ok((Arc::from(name.as_str()), self.value(*item)?)))
                        .collect::<Result<_, _>>()?,
                )
            }
            _ => return Err(GaveUp),
        })
    }

    /// Lets a player choose among the items of a list, if they are actions. Returns the wrapped map that the rules get for
    /// the chosen one; `None`, with nothing done, if the machine is to put the question.
    fn choose(&mut self, bytes: &mut [u8], args: &[i64]) -> Result<Option<i64>, GaveUp> {
        let [player, options] = *args else { return Ok(None) };
        let (Some(Tag::Player), Some(Tag::List)) = (Tag::of(player), Tag::of(options)) else { return Ok(None) };
        let list = u32::try_from(options >> TAG_BITS).map_err(|_| GaveUp)?;
        let count = word(bytes, list + runtime::LENGTH).ok_or(GaveUp)?;
        let mut offered: SmallVec<[Action; 16]> = SmallVec::new();
        for at in 0..count as usize {
            let item = get_item(bytes, list, at)?;
            if Tag::of(item) != Some(Tag::Action) {
                return Ok(None);
            }
            offered.push(self.action(bytes, u32::try_from(item >> TAG_BITS).map_err(|_| GaveUp)?)?);
        }
        let refs: SmallVec<[&Action; 16]> = offered.iter().collect();
        let player = PlayerId::at(usize::try_from(player >> TAG_BITS).map_err(|_| GaveUp)?);
        let picked = crate::host::pick_action(&self.link, player, &refs).map_err(|_| GaveUp)?;
        let Some(at) = picked else { return Ok(None) };
        let action = get_item(bytes, list, at)?;
        let action = u32::try_from(action >> TAG_BITS).map_err(|_| GaveUp)?;
        let verb = word(bytes, action).ok_or(GaveUp)? as usize;
        let count = word(bytes, action + 4).ok_or(GaveUp)?;
        let values = head(bytes, count as usize, runtime::ITEM)?;
        let mut first = value::NOTHING;
        for at in 0..count {
            let item = long(bytes, action + 8 + 8 * at).ok_or(GaveUp)?;
            if at == 0 {
                first = item;
                share(bytes, first);
            }
            set_item(bytes, values, at as usize, item)?;
        }
        let verb = *self.verbs.get(verb).ok_or(GaveUp)?;
        let map = head(bytes, 3, runtime::PAIR)?;
        let [value_key, values_key, verb_key] = self.chosen;
        let pairs = [(value_key, first), (values_key, Tag::List.wrap(values)), (verb_key, verb)];
        for (at, (key, item)) in pairs.into_iter().enumerate() {
            set_item(bytes, map, 2 * at, key)?;
            set_item(bytes, map, 2 * at + 1, item)?;
        }
        Ok(Some(Tag::Map.wrap(map)))
    }

    /// Returns a wrapped value as one of the machine.
    pub(super) fn unwrapped(&mut self, bytes: &[u8], wrapped: i64, depth: usize) -> Result<Val, GaveUp> {
        self.spent += 1;
        if depth > crate::values::DEPTH {
            return Err(GaveUp);
        }
        let id = u32::try_from(wrapped >> TAG_BITS);
        let short = || u16::try_from(wrapped >> TAG_BITS).map_err(|_| GaveUp);
        Ok(match Tag::of(wrapped).ok_or(GaveUp)? {
            Tag::Nothing => Val::Nothing,
            Tag::Truth => Val::Truth(wrapped >> TAG_BITS != 0),
            Tag::Number => Val::Number(wrapped >> TAG_BITS),
            Tag::Player => Val::Player(PlayerId::at(short()?.into())),
            Tag::Piece => Val::Piece(PieceId(short()?)),
            Tag::Zone => Val::Zone(ZoneId::at(short()?.into())),
            Tag::Cell => Val::Cell(Cell(id.map_err(|_| GaveUp)?)),
            Tag::Text => {
                let number = id.map_err(|_| GaveUp)? as usize;
                if let Some(Some(known)) = self.texts.get(number) {
                    return Ok(*known);
                }
                let text = self.strings.all.get(number).ok_or(GaveUp)?.clone();
                let value = self.memory.arena.text(text);
                self.texts.get_mut(number).into_iter().for_each(|place| *place = Some(value));
                self.laid.push(number);
                value
            }
            Tag::List => {
                let address = id.map_err(|_| GaveUp)?;
                let count = word(bytes, address + runtime::LENGTH).ok_or(GaveUp)?;
                let mut items = self.memory.arena.spare();
                for at in 0..count as usize {
                    let item = self.unwrapped(bytes, get_item(bytes, address, at)?, depth + 1)?;
                    items.push(item);
                }
                self.memory.arena.list(items)
            }
            Tag::Map => {
                let address = id.map_err(|_| GaveUp)?;
                let count = word(bytes, address + runtime::LENGTH).ok_or(GaveUp)?;
                let mut items = Vec::with_capacity(count as usize);
                for at in 0..count as usize {
                    let key = usize::try_from(get_item(bytes, address, 2 * at)? >> TAG_BITS).map_err(|_| GaveUp)?;
                    let key = self.strings.all.get(key).ok_or(GaveUp)?.clone();
                    items.push((key, self.unwrapped(bytes, get_item(bytes, address, 2 * at + 1)?, depth + 1)?));
                }
                self.memory.arena.unsorted_map(items)
            }
            Tag::Cells => {
                let words = self.layout.set_at(bytes, id.map_err(|_| GaveUp)?).ok_or(GaveUp)?;
                let cells = Cells::of_words(self.layout.cells as usize, words.into_iter());
                self.memory.arena.cells(cells)
            }
            Tag::Action => {
                let action = self.action(bytes, id.map_err(|_| GaveUp)?)?;
                self.memory.arena.actions(action)
            }
            Tag::Dirs => {
                let dirs = self.dirs(bytes, id.map_err(|_| GaveUp)?)?;
                self.memory.arena.dirs(dirs)
            }
            Tag::Move => {
                let made = made_with(bytes, id.map_err(|_| GaveUp)?)?;
                self.memory.arena.single(made)
            }
            Tag::Moves => {
                let moves = self.moves(bytes, id.map_err(|_| GaveUp)?)?;
                self.memory.arena.several(moves)
            }
            Tag::Other => match id.map_err(|_| GaveUp)? {
                number @ pointers::FIRST.. => {
                    let name = self.strings.all.get((number - pointers::FIRST) as usize).ok_or(GaveUp)?;
                    self.memory.arena.functions(Callable { name: name.clone(), curry: Vec::new() })
                }
                number => self.others.get(number as usize).copied().ok_or(GaveUp)?,
            },
        })
    }
}
