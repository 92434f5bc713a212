//! A game's rules, compiled and bound to native functions: the program whose phases are run.

mod apart;
mod compiled;
mod constants;
mod counted;
mod engine;
mod expressions;
mod faults;
mod fingerprint;
mod for_table;
mod hooks;
mod mismatch;
mod needs;
mod one_by_one;
mod phases;
mod playing;
mod points;
mod profile;
mod reads;
mod sides;
mod silent;
mod stand_in;
mod steps;
mod turn;
mod turns;
mod whole;

use compiled::Expressions;
pub use compiled::Placeholders;
pub use counted::{Counted, GameCounts, PhaseCounts};
pub use expressions::Expression;
pub use one_by_one::Steps;
pub use phases::{End, Paused, Run};
pub use playing::{Playing, SILENT_PHASES};
pub use points::Point;
pub use profile::{CalledFunction, Profile, ProfileNode, ProfiledLine};
pub use stand_in::{Played, StandIn, TurnPlaces, Workings};
pub use turns::turns_read_by;

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rhai::{Dynamic, Engine, EvalAltResult, GlobalRuntimeState};

use crate::compile::Materials;
use crate::host::Link;
use crate::layers::{Layers, author_name, is_internal, rules_place};
use crate::lint::{Checked, Used};
use crate::natives;
use crate::natives::OfGame;
use crate::script::{Instrumented, Script};
use crate::values::Arena;
use crate::vm::{Bytecode, Clock, Memory, Recorder};
use crate::wasm;
pub(crate) use engine::{Built, build};
use hooks::Turn;
use referee_diagnostic::{Code, Diagnostic, Label, did_you_mean, one_of};
use referee_source::{Source, Span};
use referee_table::{Choice, Schema, Setting, TurnRules};
use referee_trace::RulesPlace;

/// The rules of a game with their house rules, ready to run: what is made of them when they are loaded. Each thread needs
/// its own.
pub struct Program {
    engine: Engine,
    link: Link,
    layers: Layers,
    /// The functions of the layers as a tree.
    script: Script,
    /// The same as it runs, if its runs are counted.
    counted: Option<Instrumented>,
    /// The functions that the rules may call.
    of_game: Rc<OfGame>,
    schema: Arc<Schema>,
    /// Whether the rules use history.
    history: bool,
    /// What the rules do with turns and rounds.
    turns: TurnRules,
    /// Whether the rules ask for values that they do not list.
    opens: bool,
    /// The built-in turn, if the rules have no `turn`.
    turn: Option<Turn>,
    /// The engine's state with which the machine calls functions of Rhai's library.
    idle: GlobalRuntimeState,
    code: RefCell<Bytecode>,
    /// The memory of the machine that runs the rules.
    memory: RefCell<Memory>,
    /// The points whose runs are counted, once they were requested.
    points: OnceCell<Arc<[Point]>>,
    expressions: Expressions,
    /// What runs phases in place of the machine.
    stand_in: RefCell<Option<Rc<dyn StandIn>>>,
    /// Rules that were compiled to run one phase at a time.
    steps: RefCell<Option<(wasm::Engine, Steps)>>,
    /// The rules compiled for a table, with the engine that runs them.
    compiled: RefCell<Option<for_table::ForTable>>,
}

/// How rules are loaded.
#[derive(Clone, Debug, Default)]
pub struct Loading {
    /// Whether runs of each place in the rules are counted, for coverage.
    pub counts: bool,
    /// The clock of a profile, if work and time are counted by function and line.
    pub profile: Option<Clock>,
    /// A script that is used in place of the one with the same name.
    pub instead: Option<Arc<Source>>,
    /// Whether the rules are not checked: tests compare what the machine and Rhai's interpreter do with wrong rules.
    pub unchecked: bool,
}

impl Loading {
    /// Returns the scripts that are used for these.
    fn scripts(&self, scripts: &[Arc<Source>]) -> Vec<Arc<Source>> {
        let used = |script: &Arc<Source>| match &self.instead {
            Some(instead) if instead.name() == script.name() => Arc::clone(instead),
            _ => Arc::clone(script),
        };
        scripts.iter().map(used).collect()
    }
}

impl Program {
    /// Compiles the rules and the house rules over them, in this order, and checks them against the game. Counted
    /// limits stop rules at the same place on every machine.
    ///
    /// # Errors
    /// Returns all errors in the scripts.
    pub fn load(schema: &Arc<Schema>, sources: &[Arc<Source>]) -> Result<Self, Vec<Diagnostic>> {
        Self::load_with(schema, sources, &Loading::default())
    }

    /// Compiles rules like [`Program::load`], with further options.
    ///
    /// # Errors
    /// Returns all errors in the scripts.
    pub fn load_with(
        schema: &Arc<Schema>,
        sources: &[Arc<Source>],
        loading: &Loading,
    ) -> Result<Self, Vec<Diagnostic>> {
        let link = Link::of(number());
        let built = engine::build(&link, schema);
        let scripts = [loading.scripts(sources), loading.scripts(&schema.scripts)];
        let layers = Layers::compile(&built.reading(), &scripts)?;
        let script = Script::read(&layers, &built.of_game, schema);
        let wrong = if loading.unchecked {
            Vec::new()
        } else {
            Checked { layers: &layers, script: &script, of_game: &built.of_game, schema }.errors()
        };
        if !wrong.is_empty() {
            return Err(wrong);
        }
        let named = layers.functions.keys().filter(|(name, _)| !name.starts_with("anon$"));
        link.know_functions(named.cloned(), author_name);
        let mut arena = Arena::default();
        let components = natives::components(schema);
        let counted = loading.counts.then(|| Instrumented::of(&script));
        let (running, points) = Instrumented::or(counted.as_ref(), &script);
        let recorder = loading.profile.map(|clock| Rc::new(Recorder::new(clock, link.meter.spent())));
        let (texts, profile) = (&layers.texts, recorder.as_ref());
        let materials = Materials {
            layers: &layers,
            script: running,
            components: &components,
            schema,
            texts,
            points,
            profile,
            more: &[],
        };
        let code = Bytecode::compile(materials, built.natives, &mut arena)?;
        let idle = built.engine.new_global_runtime_state();
        Ok(Self {
            history: natives::readers_of_history().any(|name| script.calls(name)),
            turns: turns::rules(&script),
            opens: script.calls(natives::ANY_VALUES),
            turn: layers.built_in.map(|built_in| Turn::of(built_in, schema, &code)),
            stand_in: RefCell::default(),
            steps: RefCell::default(),
            compiled: RefCell::default(),
            idle,
            code: RefCell::new(code),
            expressions: Expressions::of(Memory::of(arena.clone())),
            memory: RefCell::new(Memory::of(arena)),
            points: OnceCell::new(),
            link,
            layers,
            script,
            counted,
            of_game: built.of_game,
            schema: Arc::clone(schema),
            engine: built.engine,
        })
    }

    /// Returns the game's declarations.
    #[must_use]
    pub const fn schema(&self) -> &Arc<Schema> {
        &self.schema
    }

    /// Returns whether the rules call `repetitions`, so that history must be kept.
    #[must_use]
    pub const fn needs_history(&self) -> bool {
        self.history
    }

    /// Returns what the rules do with turns and rounds, which states must know.
    #[must_use]
    pub const fn turn_rules(&self) -> TurnRules {
        self.turns
    }

    /// Returns the functions, properties and operators of the rules API that the rules use, as the reference writes them.
    #[must_use]
    pub fn natives_used(&self) -> std::collections::BTreeSet<String> {
        self.script.used()
    }

    /// Returns an error for each statement that never runs, because the game is over before it.
    #[must_use]
    pub fn after_the_end(&self) -> Vec<Diagnostic> {
        self.checked().playable()
    }

    /// Adds the names that the rules use to those that others use.
    pub fn uses(&self, used: &mut Used) {
        let constants = self.script.constants(&self.layers, &self.schema);
        used.add(&self.script, &constants, (&self.of_game, &self.schema));
    }

    /// Returns a note on each declaration of the game file that nothing uses, and on each parameter and variable of the
    /// rules that nobody reads. `used` is what these rules and others use.
    #[must_use]
    pub fn idle(&self, used: &Used) -> Vec<Diagnostic> {
        self.checked().notes(used)
    }

    /// Returns the names of the functions and constants of the rules that nothing uses, as far as `used` knows.
    #[must_use]
    pub fn unused(&self, used: &Used) -> std::collections::BTreeSet<String> {
        self.checked().idle(used)
    }

    fn checked(&self) -> Checked<'_> {
        Checked { layers: &self.layers, script: &self.script, of_game: &self.of_game, schema: &self.schema }
    }

    /// Returns whether the rules have a function with this name and number of parameters.
    #[must_use]
    pub fn has(&self, name: &str, arity: usize) -> bool {
        self.layers.functions.contains_key(&(name.to_owned(), arity))
    }

    /// Returns whether an author can name a function with this number of parameters.
    #[must_use]
    pub fn offers(&self, name: &str, arity: usize) -> bool {
        self.has(name, arity) && !is_internal(name)
    }

    /// Returns the names of the rules' functions with their numbers of parameters, for suggestions.
    pub fn functions(&self) -> impl Iterator<Item = (&str, usize)> {
        self.layers
            .functions
            .keys()
            .filter(|(name, _)| !is_internal(name) && !name.starts_with("anon$"))
            .map(|(name, arity)| (name.as_str(), *arity))
    }

    /// Returns the location in a file of a place in the rules.
    #[must_use]
    pub fn label(&self, place: RulesPlace) -> Option<Label> {
        self.layers.texts.label(place)
    }

    /// Returns the location of the name of a function of the rules.
    #[must_use]
    pub fn function_label(&self, name: &str, arity: usize) -> Option<Label> {
        self.layers.functions.get(&(name.to_owned(), arity)).and_then(|function| self.layers.name_of(&function.def))
    }

    /// Returns the options that the house rules set in a constant `OPTIONS`, in the order of the layers.
    ///
    /// # Errors
    /// Returns an error for each unknown option or value.
    pub fn settings(&self) -> Result<Vec<(referee_table::OptionId, Setting)>, Vec<Diagnostic>> {
        let mut set = Vec::new();
        let mut wrong = Vec::new();
        for (position, map) in self.layers.settings.iter().filter_map(|settings| settings.get("OPTIONS")) {
            let Some(map) = map.read_lock::<rhai::Map>().map(|map| map.clone()) else { continue };
            for (name, value) in &map {
                let mut report = |message: String, help: Option<String>| {
                    wrong.extend(self.bad_setting(rules_place(*position), name, message, help));
                };
                match self.schema.option(name).map(|option| (option, self.setting(option, value))) {
                    Some((option, Some(setting))) => set.push((option, setting)),
                    Some((option, None)) => {
                        let words = self.schema.options.get(option.index()).map(|option| option.choice.words());
                        let words = words.unwrap_or_default();
                        let words = || words.iter().map(String::as_str);
                        let is_number = self.schema.options.get(option.index()).is_some_and(|option| {
                            matches!(option.choice, Choice::Numbers(..))
                                && option.choice.setting(&value.to_string()).is_some()
                        });
                        let help = match did_you_mean(&value.to_string(), words()) {
                            _ if is_number => format!("write the number without quotes: `{name}: {value}`"),
                            Some(near) => near,
                            None => format!("use one of {}", one_of(words(), 9)),
                        };
                        report(format!("unknown value `{value}` for the option `{name}`"), Some(help));
                    }
                    None => {
                        let near = did_you_mean(name, self.schema.options.iter().map(|option| option.name.as_str()));
                        report(format!("unknown option `{name}`"), near);
                    }
                }
            }
        }
        if wrong.is_empty() { Ok(set) } else { Err(wrong) }
    }

    fn setting(&self, option: referee_table::OptionId, value: &Dynamic) -> Option<Setting> {
        let choice = &self.schema.options.get(option.index())?.choice;
        // A number in quotes is a text.
        choice.setting(&value.to_string()).filter(|setting| matches!(setting, Setting::Word(_)) || value.is_int())
    }

    /// Returns an error at a name in the map of options that follows `place`.
    fn bad_setting(&self, place: RulesPlace, name: &str, message: String, help: Option<String>) -> Option<Diagnostic> {
        let label = self.layers.texts.label(place)?;
        let rest = label.source.text().get(label.span.range().end..)?;
        let starts = rest.match_indices(name).filter(|(at, _)| {
            let after = rest.get(at + name.len()..).unwrap_or_default().trim_start_matches(['"', ' ']);
            after.starts_with(':')
        });
        let at = starts.map(|(at, _)| label.span.range().end + at).next();
        let span = at.map_or(label.span, |at| Span::new(at..at + name.len()));
        Some(
            help.into_iter().fold(Diagnostic::new(Code::UnknownOption, &label.source, span, message), Diagnostic::help),
        )
    }

    /// Returns the board that the last house rule with a constant `BOARD` sets, as in a `board` line, and its location.
    #[must_use]
    pub fn board(&self) -> Option<(String, Option<Label>)> {
        let (place, board) = self.layers.settings.iter().rev().find_map(|settings| settings.get("BOARD"))?;
        Some((board.to_string(), self.layers.texts.label(rules_place(*place))))
    }

    /// Restarts the count of operations and kept values. `kept` is the weight of the values already kept.
    pub fn begin(&self, kept: u64) {
        self.link.meter.reset(kept);
    }

    /// Returns the total number of operations of all runs. Only differences between two calls are meaningful.
    #[must_use]
    pub fn spent(&self) -> u64 {
        self.link.meter.spent()
    }

    /// Returns the same number without the work of native functions, and on large values.
    #[must_use]
    pub fn stepped(&self) -> u64 {
        self.link.meter.stepped()
    }

    /// Limits the operations of all runs from here on. Rules that exceed the limit stop with an error.
    pub fn allow(&self, operations: u64) {
        self.link.meter.allow(operations);
    }

    /// Returns whether more operations were used than [`Program::allow`] allows.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.link.meter.is_over()
    }

    /// Counts values of this weight that are kept after the present run. Returns whether they are within the limit.
    #[must_use]
    pub fn keep(&self, weight: u64) -> bool {
        self.link.meter.keep(weight).is_ok()
    }

    pub(crate) fn call_with(&self, name: &str, args: Vec<Dynamic>) -> Result<Dynamic, Box<EvalAltResult>> {
        if self.code.borrow().place(name, args.len()).is_none() {
            return Err(self.no_function(name, args.len()));
        }
        self.call_script(name, 0, args)
    }
}

/// Returns a new number for each program.
fn number() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

impl std::fmt::Debug for Program {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Program({})", self.schema.id)
    }
}
