//! Runs rules in the machine and in the interpreter, and records all results.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;

use referee_diagnostic::{Code, Diagnostic, Label};
use referee_game::{Game, SearchPath};
use referee_reference::Reference;
use referee_rules::{Answers, End, Engine, Keep, Loading, Paused, Playing, Program, Reply, Run};
use referee_source::{MemoryHost, Source};
use referee_table::{ClauseId, Owner, Packer, Phase, PieceDef, PlayerId, Schema, State, StateKey, Table, Value};
use referee_trace::{Answer, Ask, Event, Question};

const GAME: &str = "game made \"Made up\"\nplayers 2 red blue\nrules \"rules.rhai\"\nrulebook \"RULES.md\"\nboard grid 3x3\n\
                    piece stone for each player\ndie six 1..6\noption goal = 3 in 1..9\noption mode = fast | slow\n\
                    counter sum for each player = 0\ncounter total\nrecord counter falls for each player\n\
                    property trail for each player NUMBERS\nproperty route for each player LIST of NUMBER\nproperty told for each player TEXT\n\
                    property home for each player CELL\nflag ready for each player\nflag tired for each stone, cell\ncounter depth for each cell\n\
                    zone deck open\nzone bag hidden\nzone heap pile\n\
                    zone hand for each player secret\ncard trick from \"cards.yaml\" in deck\nask pick NUMBER\nask walk [to] CELL\n\
                    event notes NUMBER\nevent tells TEXT [with NUMBER]\nevent PLAYER walks to CELL\n";
const CARDS: &str = "printed: {suits: LIST of NUMBER}\ncards:\n  - {name: ace, suits: [1, 2]}\n  \
                     - {name: two, suits: [2], count: 2}\n  - {name: six, suits: [], count: 3}\n";
const RULEBOOK: &str = "# Rules\n\n[C1] One.\n\n[C2] Two.\n";

/// The code of a run that panics.
pub(crate) const PANIC: &str = "panic";

/// A script that can be run.
pub(crate) struct Made {
    schema: Arc<Schema>,
    rules: Arc<Source>,
    program: Program,
    reference: Reference,
    start: State,
    phases: Vec<String>,
    /// Where chance begins.
    chance: u64,
}

/// How rules are run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum By {
    /// By the machine.
    Machine,
    /// By the machine, which pauses at every ask and goes on from there.
    Pauses,
    /// By Rhai's interpreter.
    Interpreter,
}

/// What came of a phase.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Told {
    /// The code of the error, if there was one.
    pub(crate) code: Option<&'static str>,
    pub(crate) end: String,
    told: String,
    events: Vec<Event>,
    clauses: Vec<(ClauseId, u64)>,
    last_clause: Option<ClauseId>,
    answered: Vec<(Ask, Answer)>,
    state: StateKey,
}

/// What came of all phases, one after another.
pub(crate) type Outcome = Vec<Told>;

/// Pauses at every other ask, and answers by chance at the others.
struct Pausing {
    chance: Chance,
    answers: bool,
}

impl Answers for Pausing {
    fn answer(&mut self, ask: &Ask, state: &State) -> Reply {
        if std::mem::take(&mut self.answers) { self.chance.answer(ask, state) } else { Reply::Pause }
    }
}

/// Answers at random, and now and then not at all.
#[derive(Clone)]
struct Chance {
    /// The state of the generator `SplitMix64`.
    random: u64,
}

impl Chance {
    fn below(&mut self, count: usize) -> usize {
        self.random = self.random.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.random;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        usize::try_from((mixed ^ (mixed >> 31)) % count.max(1) as u64).unwrap_or(0)
    }
}

impl Answers for Chance {
    fn answer(&mut self, ask: &Ask, state: &State) -> Reply {
        match self.below(20) {
            0 => return Reply::Pause,
            1 => return Reply::Refuse,
            _ => {}
        }
        let chances = ask.question.chances(state);
        let options = match &ask.question {
            Question::Choose(decision) => decision.options.len(),
            _ => chances.len(),
        };
        let at = self.below(options);
        Reply::Answer(chances.get(at).map_or(Answer::Chosen(at), |(answer, _)| answer.clone()))
    }
}

impl Made {
    /// Rules that are ready to run, or why they are none.
    pub(crate) fn load(text: &str) -> Result<Self, Vec<Diagnostic>> {
        let folder = "games/made";
        let host = MemoryHost::default()
            .with(format!("{folder}/made.game"), GAME)
            .with(format!("{folder}/cards.yaml"), CARDS)
            .with(format!("{folder}/RULES.md"), RULEBOOK)
            .with(format!("{folder}/rules.rhai"), text);
        let asked = Diagnostic::general(Code::UnknownGame, "no such game");
        let search_path = SearchPath::new(&host, None, "".into());
        let game = Game::find(&search_path, Path::new("a.scenario"), "made", &asked)?;
        let program = load(&game.schema, &game.rules, false)?;
        let phases = (0..9).map(|number| format!("play{number}")).take_while(|name| program.has(name, 1)).collect();
        let chance = text.bytes().fold(1, |sum: u64, byte| sum.wrapping_mul(31).wrapping_add(u64::from(byte)));
        let (schema, rules) = (Arc::clone(&game.schema), Arc::clone(&game.rules));
        Ok(Self { schema, rules, start: set_up(&game), reference: Reference::of(&program), program, phases, chance })
    }

    /// Runs all phases, and returns their results.
    pub(crate) fn run(&self, by: By) -> Outcome {
        let mut state = self.start.clone();
        let mut outcome = Vec::new();
        for (number, name) in self.phases.iter().enumerate() {
            // A panic ends the run.
            let ran = catch_unwind(AssertUnwindSafe(|| {
                run((&self.program, &self.reference), &state, name, self.chance ^ number as u64, by)
            }));
            let Ok(run) = ran else {
                let nothing = || Run {
                    state: state.clone(),
                    events: Vec::new(),
                    clauses: Vec::new(),
                    last_clause: None,
                    answered: Vec::new(),
                    asked: false,
                    moments: Vec::new(),
                    looked_back: None,
                    over_at: None,
                    end: End::Returned,
                    paused: None,
                };
                outcome.push(Told { code: Some(PANIC), end: PANIC.to_owned(), ..self.told(nothing()) });
                return outcome;
            };
            state = run.state.clone();
            (state.outcome, state.agenda) = (None, Vec::new());
            outcome.push(self.told(run));
        }
        outcome
    }

    fn told(&self, run: Run) -> Told {
        let (code, end) = match &run.end {
            End::Fault(wrong) => (Some(wrong.code.name()), fault(wrong)),
            end => (None, format!("{end:?}")),
        };
        Told {
            code,
            end,
            told: properties(&run.state),
            events: run.events,
            clauses: run.clauses,
            last_clause: run.last_clause,
            answered: run.answered,
            state: run.state.key(),
        }
    }
}

/// What came of the phases in play that keeps nothing, by the machine and by compiled rules.
#[derive(Debug, Default)]
pub(crate) struct Compared {
    /// The number of phases.
    pub(crate) phases: u64,
    /// How many of them compiled rules were given up in.
    pub(crate) given_up: u64,
    /// The first difference.
    pub(crate) difference: Option<String>,
}

impl Made {
    /// Compares compiled rules with the machine, phase by phase.
    pub(crate) fn compare_compiled(&self, engine: Engine) -> Compared {
        self.compare_compiled_by(engine, &self.program)
    }

    /// The same while runs of all places are counted, which must be the same, too.
    pub(crate) fn compare_counting(&self, engine: Engine) -> Compared {
        let program = load(&self.schema, &self.rules, true);
        program.map(|program| self.compare_compiled_by(engine, &program)).unwrap_or_default()
    }

    fn compare_compiled_by(&self, engine: Engine, program: &Program) -> Compared {
        let mut compared = Compared::default();
        let mut state = self.start.clone();
        if !program.compile(engine, &state) {
            compared.difference = Some("the rules cannot be compiled".to_owned());
        }
        for (number, name) in self.phases.iter().enumerate() {
            let phase = || Phase { name: name.as_str().into(), args: vec![Value::Player(PlayerId(0))] };
            let begun = || {
                let chance = Box::new(Chance { random: self.chance ^ number as u64 });
                Playing::new(state.clone(), chance, Keep::default())
            };
            let told = |mut playing: Playing, end: End| {
                let mut clauses = Vec::new();
                playing.take_applied(|all, last| clauses.push((all.to_vec(), last)));
                // Compiled rules count clauses, and do not know which came first.
                clauses.iter_mut().for_each(|(all, _)| all.sort());
                let over_at = playing.over_at();
                let state = playing.into_state();
                (format!("{end:?}\n{over_at:?}\n{clauses:?}\n{}{:?}", properties(&state), state.key()), state)
            };
            let (playing, end, _) = program.play(begun(), phase());
            let (expected, after) = told(playing, end);
            let counted = program.take_counts();
            compared.phases += 1;
            let played = program.counting(|| program.play_compiled(begun(), phase()));
            let runs = program.take_counts();
            match played {
                Some((playing, end)) => {
                    let (found, _) = told(playing, end);
                    let unlike = runs.iter().zip(&counted).position(|(one, other)| one != other);
                    if let Some(at) = unlike {
                        let (point, counts) = (program.points(), (runs[at], counted[at]));
                        let words = format!("{name}: {:?} at {:?} ran {counts:?} times", point[at].kind, point[at].at);
                        compared.difference = compared.difference.or(Some(words));
                    }
                    if found != expected {
                        let words = format!("{name}, by the machine:\n{expected}\ncompiled:\n{found}");
                        compared.difference = compared.difference.or(Some(words));
                    }
                }
                None => {
                    compared.given_up += 1;
                    if runs.iter().any(|times| *times > 0) {
                        compared.difference = compared.difference.or(Some(format!("{name}: what was given up counts")));
                    }
                }
            }
            state = after;
            (state.outcome, state.agenda) = (None, Vec::new());
        }
        compared
    }
}

/// Runs one phase.
fn run((program, reference): (&Program, &Reference), state: &State, name: &str, chance: u64, by: By) -> Run {
    let phase = Phase { name: name.into(), args: vec![Value::Player(PlayerId(0))] };
    program.begin(state.weight());
    let keep = Keep { events: true, answers: true, asks: false, moments: false };
    let mut chance = Chance { random: chance };
    if by != By::Pauses {
        let run = || program.run(state.clone(), &phase, Box::new(chance), keep);
        return if by == By::Interpreter { reference.during(program, run) } else { run() };
    }
    let mut run =
        program.run(state.clone(), &phase, Box::new(Pausing { chance: chance.clone(), answers: false }), keep);
    while let (End::Paused(ask), Some(paused)) = (&run.end, &run.paused) {
        // A pause can be gone on from any number of times, and equal pauses have equal keys.
        let resumed = |answers: Box<dyn Answers>| program.resume(run.state.clone(), paused, answers, keep);
        let key = |state: &State, paused: &Paused| {
            let mut packer = Packer::default();
            packer.state(state);
            paused.pack(&mut packer);
            packer.finish()
        };
        let before = key(&run.state, paused);
        let _ = resumed(Box::new(chance.clone()));
        let again = resumed(Box::new(Pausing { chance: chance.clone(), answers: false }));
        assert!(matches!(&again.end, End::Paused(other) if other == ask), "{ask:?} and again {:?}", again.end);
        assert_eq!(key(&again.state, again.paused.as_ref().unwrap()), before);
        let next = resumed(Box::new(Pausing { chance: chance.clone(), answers: true }));
        // The answer is drawn once more, for the chance of the next ask.
        if let Reply::Pause = chance.answer(ask, &run.state) {
            break;
        }
        run = joined(run, next);
    }
    run.paused = None;
    run
}

/// Two parts of a run as one.
fn joined(mut run: Run, next: Run) -> Run {
    for (clause, times) in next.clauses {
        match run.clauses.iter_mut().find(|(known, _)| *known == clause) {
            Some((_, sum)) => *sum += times,
            None => run.clauses.push((clause, times)),
        }
    }
    Run {
        events: [run.events, next.events].concat(),
        clauses: run.clauses,
        last_clause: next.last_clause.or(run.last_clause),
        answered: [run.answered, next.answered].concat(),
        ..next
    }
}

/// An error with its place, and the calls that led there.
pub(crate) fn fault(wrong: &Diagnostic) -> String {
    // For an error after a dot, the interpreter reports the location of the dot, the machine that of the name.
    let place = |label: &Label| {
        let dot = usize::from(label.source.slice(label.span).starts_with(['.', '[']));
        let start = label.span.range().start + dot;
        let rest = label.source.text().get(start..).unwrap_or_default();
        let word: String = rest.chars().take_while(|letter| letter.is_alphanumeric() || *letter == '_').collect();
        let line = label.source.line(label.span.start);
        format!("{}:{line} at {start} {word:?} {}", label.source.name(), label.text)
    };
    let list = |labels: &[Label]| labels.iter().map(|label| format!("\n    {}", place(label))).collect::<String>();
    let Diagnostic { code, message, labels, help, trace, .. } = wrong;
    // Where rules that hit a limit were stopped, only the machine knows.
    if ["too_deep", "too_large", "too_long"].contains(&code.name()) {
        return format!("{code}: {message}");
    }
    format!("{code}: {message}{}\n  help {help:?}\n  trace{}", list(labels), list(trace))
}

/// All properties in words.
fn properties(state: &State) -> String {
    let mut told = String::new();
    let owners = [("game", Owner::Game), ("red", Owner::Player(PlayerId(0))), ("blue", Owner::Player(PlayerId(1)))];
    for property in &state.schema().properties {
        let places = state.board().every_place();
        let places = places.iter().map(|place| (state.board().name(place), Owner::Place(place)));
        for (who, owner) in owners.into_iter().chain(places) {
            let value = state.schema().property(&property.name).and_then(|property| state.value(property, owner));
            if let Some(value) = value {
                told += &format!("{who}.{}: {value:?}\n", property.name);
            }
        }
    }
    told
}

/// An empty table with every property set.
fn set_up(game: &Game) -> State {
    let schema = &game.schema;
    let size = |piece: &PieceDef| schema.kinds.get(piece.kind.index()).map_or((1, 1), |kind| kind.size);
    let board = schema.build_board(&schema.board).unwrap();
    let mut state = State::new(Arc::new(Table {
        schema: Arc::clone(schema),
        board: Arc::new(board),
        variant: 0,
        arrows: Vec::new(),
        turns: referee_table::TurnRules::default(),
        places: referee_table::Places::default(),
        sizes: schema.pieces.iter().map(size).collect(),
        players: (0..2).map(PlayerId::at).collect(),
        options: schema.options.iter().map(|option| option.choice.default()).collect(),
    }));
    for player in [0, 1].map(|number| Owner::Player(PlayerId(number))) {
        let values = [
            ("trail", Value::Set([1, 2].map(Value::Int).into())),
            ("route", Value::List([2, 1, 2].map(Value::Int).into())),
            ("told", Value::text("nothing yet")),
            ("home", state.board().cell("b2").map_or(Value::Nothing, Value::Cell)),
        ];
        for (name, value) in values {
            if let Some(property) = schema.property(name) {
                state.set_value(property, player, value);
            }
        }
    }
    state
}

/// How two outcomes differ, in words; nothing if they do not.
pub(crate) fn difference(code: &Outcome, interpreted: &Outcome) -> Option<String> {
    // Skip the comparison if the interpreter panics, does not let a closure read the list that it is called for, mistakes
    // a read of a constant for a change, or counts a closure called by the library several times.
    let unfit = |told: &&Told| {
        told.code == Some(PANIC)
            || told.code == Some("too_deep")
            || [&told.end, &told.told].iter().any(|text| {
                let text = text.to_lowercase();
                text.contains("data race detected") || text.contains("non-pure method")
            })
            || told.told.contains("DataRace")
            || told.told.contains("Stack overflow")
    };
    let compared = interpreted.iter().take_while(|told| !unfit(told));
    // Both end an endless loop, but after another number of rounds.
    let are_endless = |one: &Told, other: &Told| one.code == Some("too_long") && other.code == one.code;
    let differ = |(one, other): (&Told, &Told)| one != other && !are_endless(one, other);
    let at = code.iter().zip(compared).position(differ)?;
    let (one, other) = (&code[at], &interpreted[at]);
    let mut words = format!("phase play{at}\n");
    let mut say = |what: &str, one: String, other: String| {
        if one != other {
            words += &format!("{what}, by the machine:\n  {one}\n{what}, interpreted:\n  {other}\n");
        }
    };
    say("end", one.end.clone(), other.end.clone());
    let unlike = |one: &str, other: &str| {
        let lines = one.lines().zip(other.lines()).filter(|(one, other)| one != other);
        lines.map(|(line, _)| line).collect::<Vec<&str>>().join("\n  ")
    };
    say("properties", unlike(&one.told, &other.told), unlike(&other.told, &one.told));
    say("events", format!("{:?}", one.events), format!("{:?}", other.events));
    say(
        "clauses",
        format!("{:?}", (&one.clauses, one.last_clause)),
        format!("{:?}", (&other.clauses, other.last_clause)),
    );
    say("answers", format!("{:?}", one.answered), format!("{:?}", other.answered));
    say("state", format!("{:?}", one.state), format!("{:?}", other.state));
    Some(words)
}

/// What the check finds of values that are never right. Made-up rules have much of it, and what both ways do with it is
/// compared all the same.
const OF_KINDS: [&str; 8] = [
    "never_equal",
    "unknown_property",
    "wrong_condition",
    "wrong_index",
    "wrong_loop",
    "wrong_operator",
    "wrong_values",
    "unused_value",
];

fn load(schema: &Arc<Schema>, rules: &Arc<Source>, counts: bool) -> Result<Program, Vec<Diagnostic>> {
    let loading = Loading { counts, ..Loading::default() };
    Program::load_with(schema, &[Arc::clone(rules)], &loading).or_else(|wrong| {
        if !wrong.iter().all(|wrong| OF_KINDS.contains(&wrong.code.name())) {
            return Err(wrong);
        }
        let loading = Loading { unchecked: true, counts, ..Loading::default() };
        Program::load_with(schema, &[Arc::clone(rules)], &loading)
    })
}
