//! The engine: which parts of Rhai rules may use, and how much of each.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::{Arc, OnceLock};

use rhai::packages::{
    ArithmeticPackage, BasicArrayPackage, BasicFnPackage, BasicIteratorPackage, BasicMapPackage, BasicMathPackage,
    BasicStringPackage, LogicPackage, MoreStringPackage, Package,
};
use rhai::{Engine, OptimizationLevel};

use super::api::{self, Entry, GameItself, Moves};
use super::meter::Meter;
use super::mismatch;
use super::renaming::Renaming;
use super::session::Link;
use super::vm::{Natives, Opaque};
use crate::table::{Cell, Cells, Dirs, Move, PieceId, PlayerId, Schema, ZoneId};
use crate::trace::Action;

/// The deepest nesting of calls.
pub(crate) const CALL_LEVELS: usize = 32;
/// The deepest nesting of expressions.
const EXPRESSION_DEPTH: usize = 64;
/// The most elements of an array or map, those of arrays and maps in it included.
pub(crate) const COLLECTION: usize = 10_000;
/// The most bytes of a text: a single native call may make a text as long as the square of this.
pub(crate) const TEXT: usize = 10_000;
/// The most variables of a call.
pub(crate) const VARIABLES: usize = 200;
/// The largest script, in bytes; the optimiser's time grows with the square of it.
pub(crate) const SCRIPT: usize = 1_000_000;

/// An engine whose natives reach `link`, the functions that it knows, and what renames the tokens of a layer.
pub(crate) struct Built {
    pub(crate) engine: Engine,
    pub(crate) entries: Vec<Entry>,
    pub(crate) natives: Natives,
    pub(crate) renaming: Rc<Renaming>,
    pub(crate) meter: Rc<Meter>,
}

/// An engine for the rules of a game.
pub(crate) fn build(link: &Link, schema: &Arc<Schema>) -> Built {
    fix_hashing();
    let mut engine = Engine::new_raw();
    packages(&mut engine);
    engine.set_optimization_level(OptimizationLevel::Simple);
    engine.disable_symbol("eval").disable_symbol("import").disable_symbol("export");
    // The engine loses count in callbacks, so that the meter counts.
    engine.set_max_operations(0).set_max_call_levels(CALL_LEVELS);
    engine.set_max_expr_depths(EXPRESSION_DEPTH, EXPRESSION_DEPTH);
    engine.set_max_array_size(COLLECTION).set_max_map_size(COLLECTION).set_max_string_size(TEXT);
    engine.set_max_variables(VARIABLES).set_max_functions(2000);
    engine.set_fail_on_invalid_map_property(true);
    engine.register_type_with_name::<PlayerId>("player");
    engine.register_type_with_name::<PieceId>("piece");
    engine.register_type_with_name::<ZoneId>("zone");
    engine.register_type_with_name::<Cell>("cell");
    engine.register_type_with_name::<Cells>("cells");
    engine.register_type_with_name::<Move>("move");
    engine.register_type_with_name::<Dirs>("dirs");
    engine.register_type_with_name::<Moves>("moves");
    engine.register_type_with_name::<Action>("action");
    engine.register_type_with_name::<Opaque>("Fn");
    engine.register_fn("to_string", |function: &mut Opaque| function.shown());
    engine.register_fn("to_debug", |function: &mut Opaque| function.shown());
    engine.register_iterator::<Moves>().register_iterator::<Cells>();
    engine.register_type_with_name::<GameItself>("game");
    let meter = Rc::clone(&link.meter);
    // A pause that a script's `sort` swallowed must not go on to the next operation: the latch halts the meter.
    engine.on_progress(move |_| meter.tick().then_some(rhai::Dynamic::UNIT));
    engine.on_print(|_| {});
    engine.on_debug(|_, _, _| {});
    let renaming = Rc::<Renaming>::default();
    rename(&mut engine, Rc::clone(&renaming));
    let (entries, natives) = api::register(&mut engine, link, schema);
    mismatch::refuse(&mut engine);
    engine.register_global_module(api::components(schema).into());
    Built { engine, entries, natives, renaming, meter: Rc::clone(&link.meter) }
}

fn packages(engine: &mut Engine) {
    // Not the language core: it has `sleep` and `exit`.
    ArithmeticPackage::new().register_into_engine(engine);
    BasicStringPackage::new().register_into_engine(engine);
    BasicIteratorPackage::new().register_into_engine(engine);
    BasicFnPackage::new().register_into_engine(engine);
    LogicPackage::new().register_into_engine(engine);
    BasicMathPackage::new().register_into_engine(engine);
    BasicArrayPackage::new().register_into_engine(engine);
    BasicMapPackage::new().register_into_engine(engine);
    MoreStringPackage::new().register_into_engine(engine);
}

/// Rhai hashes function names; its seed is random for each process unless it is set before the first engine.
fn fix_hashing() {
    static ONCE: OnceLock<()> = OnceLock::new();
    ONCE.get_or_init(|| {
        // Refused only if a user of the library has set a seed already, which is as good.
        let _ = rhai::config::hashing::set_hashing_seed(Some([1, 2, 3, 4]));
    });
}

/// Let `renaming` see every token before the engine does.
fn rename(engine: &mut Engine, renaming: Rc<Renaming>) {
    #[expect(
        deprecated,
        reason = "Rhai marks the hook as volatile, not as deprecated; the version is pinned by the lock file"
    )]
    engine.on_parse_token(move |token, _, _| renaming.token(token));
}

/// The functions of Rhai's own packages: name and numbers of parameters.
pub(crate) fn standard() -> &'static BTreeMap<String, Vec<usize>> {
    static STANDARD: OnceLock<BTreeMap<String, Vec<usize>>> = OnceLock::new();
    STANDARD.get_or_init(|| {
        let mut engine = Engine::new_raw();
        packages(&mut engine);
        let mut known: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for signature in engine.gen_fn_signatures(true) {
            if let Some((name, rest)) = signature.split_once('(') {
                let inside = rest.rsplit_once(')').map_or(rest, |(inside, _)| inside);
                let arity = if inside.is_empty() { 0 } else { depth_zero_commas(inside) + 1 };
                known.entry(name.trim().to_owned()).or_default().push(arity);
            }
        }
        known
    })
}

/// The commas of a parameter list that stand in no brackets.
fn depth_zero_commas(text: &str) -> usize {
    let mut depth = 0_i32;
    let mut commas = 0;
    for letter in text.chars() {
        match letter {
            '(' | '<' | '[' => depth += 1,
            ')' | '>' | ']' => depth -= 1,
            ',' if depth == 0 => commas += 1,
            _ => {}
        }
    }
    commas
}
