//! Makes comparisons of values that are never equal, or that have no order, errors. Rhai would return `false` silently.

use std::any::TypeId;
use std::ops::{Range, RangeInclusive};

use rhai::{Array, Dynamic, Engine, EvalAltResult, FnPtr, ImmutableString, Map};

use crate::rules::values::{GameItself, Moves, failure, kind_of};
use crate::table::{Cell, Cells, Dirs, Move, PieceId, PlayerId, ZoneId};
use crate::trace::Action;

const EQUALITY: [&str; 2] = ["==", "!="];
const ORDER: [&str; 4] = ["<", "<=", ">", ">="];

/// Registers errors for comparisons without meaning. `==` and `!=` may compare `()` with anything.
pub(crate) fn refuse(engine: &mut Engine) {
    // The engine's built-in operators would take precedence over registered functions.
    engine.set_fast_operators(false);
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
            both(engine, one, other);
        }
        order(engine, one, TypeId::of::<()>());
        order(engine, TypeId::of::<()>(), one);
    }
    of_the_game::<PlayerId>(engine);
    of_the_game::<PieceId>(engine);
    of_the_game::<ZoneId>(engine);
    of_the_game::<Cell>(engine);
    of_the_game::<Cells>(engine);
    of_the_game::<Move>(engine);
    of_the_game::<Dirs>(engine);
    of_the_game::<Moves>(engine);
    of_the_game::<Action>(engine);
    of_the_game::<GameItself>(engine);
}

/// Registers errors for comparisons of a game type with any type for which no function is registered.
fn of_the_game<T: 'static>(engine: &mut Engine) {
    both(engine, TypeId::of::<T>(), TypeId::of::<Dynamic>());
    both(engine, TypeId::of::<Dynamic>(), TypeId::of::<T>());
}

fn both(engine: &mut Engine, one: TypeId, other: TypeId) {
    for operator in EQUALITY {
        engine.register_raw_fn(operator, [one, other], move |_, values| {
            let [one, other] = values else { return Err(failure("a comparison takes two values")) };
            if one.is_unit() || other.is_unit() {
                return Ok(operator == "!=");
            }
            Err(never_equal(one, other))
        });
    }
    order(engine, one, other);
}

fn order(engine: &mut Engine, one: TypeId, other: TypeId) {
    for operator in ORDER {
        engine.register_raw_fn(operator, [one, other], move |_, values| {
            let [one, other] = values else { return Err(failure("a comparison takes two values")) };
            let (one, other) = (kind_of(one), kind_of(other));
            Err::<bool, _>(failure(format!("`{operator}` cannot order {one} and {other}")))
        });
    }
}

fn never_equal(one: &Dynamic, other: &Dynamic) -> Box<EvalAltResult> {
    failure(format!("{} never equals {}", kind_of(one), kind_of(other)))
}
