//! Makes comparisons of values that are never equal, or that have no order, errors. Rhai would return `false` silently.

use std::any::TypeId;
use std::ops::{Range, RangeInclusive};

use rhai::{
    Array, Dynamic, Engine, EvalAltResult, FnPtr, FuncRegistration, ImmutableString, Map, Module, NativeCallContext,
    RhaiFunc, Shared,
};

use crate::values::{GameItself, Moves, failure, kind_of};
use referee_table::{Cell, Cells, Dirs, Move, PieceId, PlayerId, ZoneId};
use referee_trace::Action;

const EQUALITY: [&str; 2] = ["==", "!="];
const ORDER: [&str; 4] = ["<", "<=", ">", ">="];

thread_local! {
    /// The errors for comparisons without meaning. They are the same for all games.
    static REFUSALS: Shared<Module> = refusals().into();
}

/// Registers errors for comparisons without meaning. `==` and `!=` may compare `()` with anything.
pub(crate) fn refuse(engine: &mut Engine) {
    // The engine's built-in operators would take precedence over registered functions.
    engine.set_fast_operators(false);
    engine.register_global_module(REFUSALS.with(Shared::clone));
}

fn refusals() -> Module {
    let mut module = Module::new();
    let own = [
        TypeId::of::<i64>(),
        TypeId::of::<bool>(),
        TypeId::of::<ImmutableString>(),
        TypeId::of::<Array>(),
        TypeId::of::<Map>(),
        TypeId::of::<FnPtr>(),
        TypeId::of::<Range<i64>>(),
        TypeId::of::<RangeInclusive<i64>>(),
    ];
    for one in own {
        for other in own.into_iter().filter(|other| *other != one) {
            both(&mut module, one, other);
        }
        order(&mut module, one, TypeId::of::<()>());
        order(&mut module, TypeId::of::<()>(), one);
    }
    of_the_game::<PlayerId>(&mut module);
    of_the_game::<PieceId>(&mut module);
    of_the_game::<ZoneId>(&mut module);
    of_the_game::<Cell>(&mut module);
    of_the_game::<Cells>(&mut module);
    of_the_game::<Move>(&mut module);
    of_the_game::<Dirs>(&mut module);
    of_the_game::<Moves>(&mut module);
    of_the_game::<Action>(&mut module);
    of_the_game::<GameItself>(&mut module);
    module
}

/// Registers errors for comparisons of a game type with any type for which no function is registered.
fn of_the_game<T: 'static>(module: &mut Module) {
    both(module, TypeId::of::<T>(), TypeId::of::<Dynamic>());
    both(module, TypeId::of::<Dynamic>(), TypeId::of::<T>());
}

fn both(module: &mut Module, one: TypeId, other: TypeId) {
    for operator in EQUALITY {
        register(module, operator, [one, other], move |one, other| {
            if one.is_unit() || other.is_unit() {
                return Ok(operator == "!=");
            }
            Err(never_equal(one, other))
        });
    }
    order(module, one, other);
}

fn order(module: &mut Module, one: TypeId, other: TypeId) {
    for operator in ORDER {
        register(module, operator, [one, other], move |one, other| {
            let (one, other) = (kind_of(one), kind_of(other));
            Err(failure(format!("`{operator}` cannot order {one} and {other}")))
        });
    }
}

/// Registers an operator for two types.
fn register(
    module: &mut Module,
    operator: &'static str,
    types: [TypeId; 2],
    compare: impl Fn(&Dynamic, &Dynamic) -> Result<bool, Box<EvalAltResult>> + 'static,
) {
    let func = Shared::new(move |_: Option<NativeCallContext<'_>>, values: &mut [&mut Dynamic]| match values {
        [one, other] => compare(one, other).map(Dynamic::from),
        _ => Err(failure("a comparison takes two values")),
    });
    let function = RhaiFunc::Method { func, has_context: false, is_pure: true, is_volatile: true };
    FuncRegistration::new(operator).in_global_namespace().set_into_module_raw(module, types, function);
}

fn never_equal(one: &Dynamic, other: &Dynamic) -> Box<EvalAltResult> {
    failure(format!("{} never equals {}", kind_of(one), kind_of(other)))
}
