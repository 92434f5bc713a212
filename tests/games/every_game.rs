//! Properties of every bundled game, in each variant and with any number of players, played at random.
//!
//! The games are those in the folder `games`.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap, VecDeque};
use std::fmt::Write;
use std::path::Path;
use std::rc::Rc;

use referee_play::{AnswerSource, Machine, SharedAnswers};
use referee_rules::Reply;
use referee_scenario::{Loader, LoaderOptions, Suite, position_lines};
use referee_source::MemoryHost;
use referee_table::{Kind, Move, PieceId, State, TurnRules, Value, Variant, draw};
use referee_trace::{Action, Answer, Ask, Decision, Question, Status};

use super::playing::{Playable, Random, answer, asked, silent};
use super::playouts;

/// The games, sorted.
pub(crate) fn games() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("games");
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let folders = entries.filter(|path| path.is_dir());
    let mut ids: Vec<String> = folders.map(|path| path.file_name().unwrap().to_string_lossy().into_owned()).collect();
    ids.sort();
    ids
}

/// A way to begin a game.
struct Start<'g> {
    id: &'g str,
    rules: &'g Playable,
    variant: &'g Variant,
    players: usize,
    seed: u64,
}

/// Try something from every beginning: each game, each variant, each number of players, options at random.
fn for_each(seeds: u64, mut test: impl FnMut(&Start<'_>)) {
    let ids = games();
    assert!(ids.len() > 3);
    for id in &ids {
        let rules = Playable::load(id, &[]);
        for (at, variant) in rules.program.schema().variants.iter().enumerate() {
            let (fewest, most) = rules.program.schema().player_count_of(at);
            for players in fewest..=most {
                (0..seeds).for_each(|seed| test(&Start { id, rules: &rules, variant, players, seed }));
            }
        }
    }
}

impl Start<'_> {
    fn state(&self) -> State {
        let options = Random(self.seed).settings(self.rules.program.schema());
        self.rules.start(self.variant, self.players, options)
    }

    /// Play at random, up to so many answers; `look` is shown each pause. The answers are returned, and how it ended.
    fn play(
        &self,
        most: usize,
        mut look: impl FnMut(&Machine<'_>, &Question, &mut Random),
    ) -> (Vec<Answer>, Machine<'_>) {
        let mut random = Random(self.seed * 1000 + self.players as u64);
        let mut machine = self.rules.begin(self.state(), &silent());
        let mut answers = Vec::new();
        while let Some(question) = asked(&machine).filter(|_| answers.len() < most) {
            look(&machine, &question, &mut random);
            let Some(given) = random.answer(&question, machine.state()) else { break };
            answers.push(given.clone());
            answer(&mut machine, given);
        }
        (answers, machine)
    }

    /// The first lines of a scenario of this game.
    fn head(&self) -> String {
        format!("use {} {}\n\nscenario \"At random\"\n", self.id, self.variant.name)
    }
}

/// A source that replays given answers.
struct Told(VecDeque<Answer>);

impl AnswerSource for Told {
    fn read(&mut self, _: &Ask, _: &State) -> Reply {
        self.0.pop_front().map_or(Reply::Pause, Reply::Answer)
    }
}

/// Returns everything observable of a game: position, values, clauses, events, and the question.
fn everything(machine: &Machine<'_>) -> (String, Vec<String>, String) {
    let events = machine.events().map(|event| event.write(machine.names())).collect();
    let state = format!("{:?} {:?} {:?}", machine.state().key(), position_lines(machine.state()), machine.clauses());
    (state, events, format!("{:?}", machine.stop()))
}

/// The machine and Rhai's interpreter must have the same results, in `games` games from each of `seeds` starts.
fn both_have_the_same_results(seeds: u64, games: u64, max_plies: u64) {
    for_each(seeds, |start| {
        let label = format!("{} {} {}", start.id, start.variant.name, start.players);
        playouts::compare(
            &label,
            &start.rules.program,
            |feed| start.rules.begin(start.state(), feed),
            games,
            max_plies,
        );
    });
}

#[test]
fn the_machine_does_what_the_interpreter_does() {
    both_have_the_same_results(1, 1, 40);
}

#[test]
#[ignore = "six games from each start, by a slow interpreter"]
fn the_machine_does_what_the_interpreter_does_in_full() {
    both_have_the_same_results(3, 2, 60);
}

/// Replaying recorded answers, all at once or one by one, must lead to the same state and events.
fn recorded_playouts_replay(seeds: u64, most: usize) -> BTreeSet<String> {
    let mut ended = BTreeSet::new();
    for_each(seeds, |start| {
        let (answers, played) = start.play(most, |_, _, _| {});
        ended.extend(asked(&played).is_none().then(|| start.id.to_owned()));
        let feed: SharedAnswers = Rc::new(RefCell::new(Told(answers.clone().into())));
        let again = start.rules.begin(start.state(), &feed);
        assert_eq!(everything(&again), everything(&played), "{}", start.id);
        let mut slowly = start.rules.begin(start.state(), &silent());
        answers.into_iter().for_each(|given| answer(&mut slowly, given));
        assert_eq!(everything(&slowly), everything(&played), "{}", start.id);
    });
    ended
}

#[test]
fn a_recorded_playout_replays() {
    recorded_playouts_replay(1, 60);
}

#[test]
#[ignore = "long games"]
fn a_recorded_playout_replays_in_full() {
    let ended = recorded_playouts_replay(2, 200);
    assert!(ended.len() > 1, "{ended:?}");
}

/// Playing on with a clone leaves the original as it was.
#[test]
fn clones_are_independent() {
    let mut moved = 0;
    for_each(1, |start| {
        start.play(60, |machine, question, random| {
            if random.below(8) > 0 {
                return;
            }
            let before = everything(machine);
            let mut clone = machine.clone();
            let mut next = Some(question.clone());
            for _ in 0..4 {
                let Some(given) = next.and_then(|question| random.answer(&question, machine.state())) else {
                    break;
                };
                answer(&mut clone, given);
                next = asked(&clone);
            }
            moved += usize::from(everything(&clone) != before);
            assert_eq!(everything(machine), before, "{}", start.id);
        });
    });
    assert!(moved > 50, "{moved}");
}

/// Encoding a state and decoding it changes nothing; nor does writing it as the lines of a scenario, but for
/// what is under way.
fn states_can_be_written_and_read_back(answers: usize) {
    for_each(1, |start| {
        let host = RefCell::new(MemoryHost::default());
        let (mut keys, mut encoded) = (HashMap::new(), HashMap::new());
        start.play(answers, |machine, _, random| {
            let state = machine.state();
            let bytes = state.encoded();
            let known = keys.entry(state.key()).or_insert_with(|| bytes.clone());
            assert_eq!(*known, bytes, "{}: one state has two encodings", start.id);
            let key = encoded.entry(bytes).or_insert_with(|| state.key());
            assert_eq!(*key, state.key(), "{}: two states have one encoding", start.id);
            let restored = State::decoded(&state.table, &state.encoded()).unwrap();
            assert_eq!(restored.key(), state.key(), "{}", start.id);
            assert_eq!(restored.encoded(), state.encoded(), "{}", start.id);
            let looks = |state: &State| state.board().cells().map(|cell| state.at(cell)).collect::<Vec<_>>();
            assert_eq!(looks(&restored), looks(state), "{}", start.id);
            assert_eq!(restored.weight(), state.weight(), "{}", start.id);
            broken_bytes_are_no_state(state, random);
            if random.below(8) == 0 {
                let text = format!("{}{}\n", start.head(), position_lines(state).join("\n"));
                let suite = plan(&host.borrow().clone().with("/a.scenario", text.clone()));
                let read = suite.tests[0].start().map(State::key);
                assert_eq!(read, Some(still(state).key()), "{text}\n{:?}", suite.problems);
            }
        });
    });
}

/// Bytes that were changed are those of another state, or of none.
fn broken_bytes_are_no_state(state: &State, random: &mut Random) {
    let bytes = state.encoded();
    for _ in 0..4 {
        let (mut broken, at) = (bytes.clone(), random.below(bytes.len()));
        if random.below(2) == 0 {
            broken.truncate(at);
        } else {
            broken[at] = broken[at].wrapping_add(1 + random.below(255) as u8);
        }
        if let Some(other) = State::decoded(&state.table, &broken) {
            assert_eq!(State::decoded(&state.table, &other.encoded()).unwrap().key(), other.key());
        }
    }
}

#[test]
fn states_are_written_and_read_back() {
    states_can_be_written_and_read_back(25);
}

#[test]
#[ignore = "thousands of states"]
fn states_are_written_and_read_back_in_full() {
    states_can_be_written_and_read_back(80);
}

/// Returns only the position, without a turn or pending phases.
fn still(state: &State) -> State {
    let mut still = state.clone();
    (still.turn, still.next_turn, still.outcome) = (None, None, None);
    still.agenda.clear();
    // A position that is read knows nothing of rules.
    std::sync::Arc::make_mut(&mut still.table).turns = TurnRules::default();
    still
}

fn plan(host: &MemoryHost) -> Suite {
    referee_scenario::plan(&mut loader(host), Path::new("/a.scenario"))
}

fn loader(host: &MemoryHost) -> Loader<'_> {
    Loader::new(host, LoaderOptions { working_folder: "/".into(), ..LoaderOptions::default() })
}

/// A recorded playout is a scenario that passes: every option can be written and read, exactly these are options, any
/// other action is refused, and all events and the final board match.
fn playouts_are_scenarios_that_pass(most: usize) {
    for_each(1, |start| {
        let mut text = opening(start);
        let told = RefCell::new(0);
        let (answers, machine) = start.play(most, |machine, question, random| {
            text.push_str(&events(machine, &mut told.borrow_mut()));
            text.push_str(&expectations(start, machine, question, random));
            // The same generator goes on to answer: look ahead with a copy.
            let given = Random(random.0).answer(question, machine.state());
            text.push_str(&line(machine, question, given.as_ref()));
        });
        text.push_str(&events(&machine, &mut told.borrow_mut()));
        // A game without a board has no rows.
        let drawing = draw(machine.state(), |_| false);
        text.push_str(if drawing.rows.is_empty() { "" } else { "  expect board\n" });
        drawing.rows_of_a_file().iter().for_each(|row| text.push_str(&format!("    | {row}\n")));
        text.push_str(if asked(&machine).is_none() { "  expect over\n" } else { "  expect not over\n" });
        assert!(!answers.is_empty());
        let host = MemoryHost::default().with("/a.scenario", text.clone());
        let suite = plan(&host);
        assert!(suite.problems.is_empty(), "{:?}\n{text}", suite.problems);
        let result = referee_scenario::judge(&mut loader(&host), &suite, 0);
        assert_eq!(result.status, Status::Passed, "{:?}\n{text}", result.failures);
    });
}

#[test]
fn a_playout_is_a_scenario_that_passes() {
    playouts_are_scenarios_that_pass(15);
}

#[test]
#[ignore = "long scenarios"]
fn a_playout_is_a_scenario_that_passes_in_full() {
    playouts_are_scenarios_that_pass(40);
}

/// The scenario up to the first question.
fn opening(start: &Start<'_>) -> String {
    let state = start.state();
    let schema = start.rules.program.schema();
    let drawn = position_lines(&state);
    // The set-up is the game's own: only options and players are said.
    let said = drawn.iter().filter(|line| line.starts_with("with ") || line.starts_with("players "));
    let mut text = start.head();
    said.for_each(|line| text.push_str(&format!("  {line}\n")));
    if start.rules.program.has("setup", 0) {
        text.push_str("  setup\n");
    } else {
        let _ = writeln!(text, "  turn {}", schema.players[0]);
    }
    text
}

/// Returns the events since the last check, as an expectation.
fn events(machine: &Machine<'_>, told: &mut usize) -> String {
    let new: Vec<String> = machine.events().skip(*told).map(|event| event.write(machine.names())).collect();
    *told += new.len();
    let rows: String = new.iter().map(|event| format!("    > {event}\n")).collect();
    if new.is_empty() { String::new() } else { format!("  expect events exactly\n{rows}") }
}

/// What is asked, exactly which options there are, and something that is none of them.
fn expectations(start: &Start<'_>, machine: &Machine<'_>, question: &Question, random: &mut Random) -> String {
    let names = machine.names();
    if let Question::ChooseAll(all) = question {
        let asked = all.iter().map(|decision| format!("  expect asks {}\n", decision.write(names)));
        return asked.collect();
    }
    let mut text = format!("  expect asks {}\n", question.write(names));
    if let Question::Choose(decision) = question {
        let options: Vec<String> = decision.options.iter().map(|option| option.write(names)).collect();
        let _ = writeln!(text, "  expect choices = {}", options.join(", "));
        if let Some(other) = no_option(machine.state(), decision, random) {
            let reason = start.rules.program.why_not(machine.state(), decision.player, &other).unwrap();
            let because = reason.map(|reason| format!(" because \"{reason}\"")).unwrap_or_default();
            let player = names.schema.player_name(decision.player);
            let _ = writeln!(text, "  refuse {player} {}{because}", other.write(names));
        }
    }
    text
}

/// The line that gives an answer.
fn line(machine: &Machine<'_>, question: &Question, given: Option<&Answer>) -> String {
    let names = machine.names();
    match (question, given) {
        (Question::Roll(_) | Question::Draw(_), Some(drawn)) => {
            format!("  {}\n", question.write_chance(names, drawn).unwrap())
        }
        (Question::Choose(decision), Some(Answer::Chosen(at))) => {
            let player = names.schema.player_name(decision.player);
            format!("  {player} {}\n", decision.options[*at].write(names))
        }
        (Question::ChooseAll(all), Some(Answer::AllChosen(chosen))) => {
            let each = all.iter().zip(chosen).map(|(decision, at)| {
                let player = names.schema.player_name(decision.player);
                format!("  {player} {}\n", decision.options[*at].write(names))
            });
            each.collect()
        }
        _ => String::new(),
    }
}

/// An action like the options, of the same ask as one of them, that is not among them.
fn no_option(state: &State, decision: &Decision, random: &mut Random) -> Option<Action> {
    let like = &decision.options[random.below(decision.options.len())];
    let kinds = state.schema().asks[like.ask.index()].kinds();
    (0..20).find_map(|_| {
        let values = kinds.iter().map(|(kind, _)| any(kind, state, random)).collect();
        let action = Action { ask: like.ask, values };
        (!kinds.is_empty() && !decision.options.contains(&action)).then_some(action)
    })
}

/// Any value of a kind.
fn any(kind: &Kind, state: &State, random: &mut Random) -> Value {
    let cells: Vec<_> = state.board().cells().collect();
    let mut cell = || cells[random.below(cells.len())];
    match kind {
        Kind::Cell => Value::Cell(cell()),
        Kind::Move => Value::Move(Move::step(cell(), cell(), false)),
        Kind::Number => Value::Int(i64::try_from(random.below(12)).unwrap()),
        Kind::Direction => Value::Int(i64::try_from(random.below(state.board().headings().len()) + 1).unwrap()),
        Kind::Player => Value::Player(state.table.players[random.below(state.table.players.len())]),
        Kind::Piece => {
            // The back of cards, the last of all pieces, has no name in lines.
            let named = state.schema().back().map_or(state.schema().pieces.len(), PieceId::index);
            Value::Piece(PieceId::at(random.below(named)))
        }
        Kind::Text => Value::text("something else"),
        Kind::Amount => Value::Map(Vec::new()),
        Kind::Word(words) => Value::text(&words[random.below(words.len())]),
        Kind::Many(several, one) => several.of(vec![any(one, state, random)]),
    }
}
