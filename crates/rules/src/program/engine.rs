//! Builds the Rhai engine, which reads scripts and has Rhai's library: which parts of Rhai the rules may use, and their
//! limits. It runs no script.

use std::rc::Rc;
use std::sync::{Arc, OnceLock};

use rhai::{Engine, Module, OptimizationLevel, Shared};

use super::mismatch;
use crate::host::{Link, Meter};
use crate::layers::{Reading, Renaming};
use crate::natives;
use crate::natives::Natives;
use crate::natives::OfGame;
use crate::values::{CALL_LEVELS, COLLECTION, GameItself, Moves, Opaque, TEXT, VARIABLES, packages};

use referee_table::{Cell, Cells, Dirs, Move, PieceId, PlayerId, Schema, ZoneId};
use referee_trace::Action;

/// The maximum nesting of expressions.
const EXPRESSION_DEPTH: usize = 64;

/// An engine whose native functions use one link, its functions, and the hook that renames the tokens of a layer.
pub(crate) struct Built {
    pub(crate) engine: Engine,
    pub(crate) of_game: Rc<OfGame>,
    pub(crate) natives: Natives,
    pub(crate) renaming: Rc<Renaming>,
    pub(crate) meter: Rc<Meter>,
    pub(super) link: Link,
    pub(super) schema: Arc<Schema>,
    /// The components of the game, as constants.
    pub(super) components: Shared<Module>,
}

impl Built {
    /// Returns the tools with which scripts are read.
    pub(crate) fn reading(&self) -> Reading<'_> {
        let Self { engine, renaming, meter, of_game: natives, .. } = self;
        Reading { engine, renaming, meter, natives, computes: self, mends: false }
    }
}

/// Returns an engine for the rules of a game.
pub(crate) fn build(link: &Link, schema: &Arc<Schema>) -> Built {
    fix_hashing();
    let mut engine = Engine::new_raw();
    packages(&mut engine);
    // The check looks at what the author has written, and the machine has an optimizer of its own.
    engine.set_optimization_level(OptimizationLevel::None);
    engine.disable_symbol("eval").disable_symbol("import").disable_symbol("export");
    // The engine loses count in callbacks, so the meter counts instead.
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
    engine.register_fn(natives::TO_TEXT, |function: &mut Opaque| function.shown());
    engine.register_fn("to_debug", |function: &mut Opaque| function.shown());
    engine.register_type_with_name::<GameItself>("game");
    let renaming = Rc::<Renaming>::default();
    rename(&mut engine, Rc::clone(&renaming));
    let natives = natives::register(link, schema);
    engine.register_global_module(natives::for_library(&natives).into());
    mismatch::refuse(&mut engine);
    let components = Shared::new(natives::components(schema));
    let of_game = Rc::new(OfGame::of(schema));
    let (link, schema, meter) = (link.clone(), Arc::clone(schema), Rc::clone(&link.meter));
    Built { engine, of_game, natives, renaming, meter, link, schema, components }
}

/// Sets the seed with which Rhai hashes function names. Unless it is set before the first engine, it is random.
fn fix_hashing() {
    static ONCE: OnceLock<()> = OnceLock::new();
    ONCE.get_or_init(|| {
        // This fails only if a user of the library has set a seed already, which is also fixed.
        let _ = rhai::config::hashing::set_hashing_seed(Some([1, 2, 3, 4]));
    });
}

/// Passes each token to `renaming` before the engine reads it.
fn rename(engine: &mut Engine, renaming: Rc<Renaming>) {
    #[expect(
        deprecated,
        reason = "Rhai marks the hook as volatile, not as deprecated; the version is pinned by the lock file"
    )]
    engine.on_parse_token(move |token, position, _| renaming.token(token, position));
}
