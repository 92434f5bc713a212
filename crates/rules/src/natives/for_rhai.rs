//! Native functions for Rhai: those that its library calls, to compare and to write values, and for tests that compare the
//! machine with its interpreter, all.

use std::any::TypeId;
use std::cell::RefCell;
use std::rc::Rc;

use rhai::{
    Array, Dynamic, FnPtr, FuncRegistration, ImmutableString, Map, Module, NativeCallContext, Position, RhaiFunc,
    Shared,
};
use smallvec::SmallVec;

use super::library::TO_TEXT;
use super::native::{Native, Natives, READ, WRITE};
use super::table::operators;
use crate::values::{Arena, GameItself, Mark, Moves, Sort, Val};
use referee_table::{Cell, Cells, Dirs, Move, PieceId, PlayerId, ZoneId};
use referee_trace::Action;

/// The name of the function that writes a value as rules would write it.
const TO_DEBUG: &str = "to_debug";

/// The names under which Rhai looks for the functions that read and write `owner[name]`, and properties that have no
/// function of their own.
const INDEXERS: [(&str, &str); 2] = [(READ, "index$get$"), (WRITE, "index$set$")];

/// Returns the native functions that Rhai's library calls for the elements of lists and maps.
pub(crate) fn for_library(natives: &Natives) -> Module {
    let is_called = |name: &str| !operators(name).is_empty() || [TO_TEXT, TO_DEBUG].contains(&name);
    of_rhai(natives.all().filter(|(name, _)| is_called(name)))
}

/// Returns all native functions, for Rhai's interpreter.
pub(crate) fn for_interpreter(natives: &Natives) -> Module {
    of_rhai(natives.all())
}

fn of_rhai<'n>(natives: impl Iterator<Item = (&'n str, &'n Native)>) -> Module {
    let arena = Arena::default();
    let arena = Rc::new(RefCell::new((arena.mark(), arena)));
    let mut module = Module::new();
    for (name, native) in natives {
        let name = INDEXERS.iter().find(|(own, _)| own == &name).map_or(name, |(_, indexer)| indexer);
        let types: Vec<TypeId> = native.sorts.iter().map(|sort| type_of(*sort)).collect();
        let (native, arena) = (native.clone(), Rc::clone(&arena));
        let func = Shared::new(move |context: Option<NativeCallContext<'_>>, values: &mut [&mut Dynamic]| {
            let at = context.map_or(Position::NONE, |context| context.call_position());
            let (mark, arena) = &mut *arena.borrow_mut();
            call(&native, at, (mark, arena), values)
        });
        let function = RhaiFunc::Pure { func, has_context: true, is_pure: true, is_volatile: true };
        FuncRegistration::new(name).in_global_namespace().set_into_module_raw(&mut module, types, function);
    }
    module
}

/// Calls a native function with values of Rhai.
fn call(
    native: &Native,
    at: Position,
    (mark, arena): (&Mark, &mut Arena),
    values: &mut [&mut Dynamic],
) -> crate::values::Native<Dynamic> {
    let values: SmallVec<[Val; 8]> = values.iter_mut().map(|value| arena.of_dynamic(value.take())).collect();
    let given = native.call(at, arena, &values).and_then(|value| arena.to_dynamic(value));
    arena.work().take();
    arena.empty(mark);
    given
}

/// Returns Rhai's type for the values of a sort; without one, for any value.
fn type_of(sort: Option<Sort>) -> TypeId {
    match sort {
        None | Some(Sort::Range | Sort::Men) => TypeId::of::<Dynamic>(),
        Some(Sort::Nothing) => TypeId::of::<()>(),
        Some(Sort::Truth) => TypeId::of::<bool>(),
        Some(Sort::Number) => TypeId::of::<i64>(),
        Some(Sort::Text) => TypeId::of::<ImmutableString>(),
        Some(Sort::Player) => TypeId::of::<PlayerId>(),
        Some(Sort::Piece) => TypeId::of::<PieceId>(),
        Some(Sort::Zone) => TypeId::of::<ZoneId>(),
        Some(Sort::Cell) => TypeId::of::<Cell>(),
        Some(Sort::List) => TypeId::of::<Array>(),
        Some(Sort::Map) => TypeId::of::<Map>(),
        Some(Sort::Cells) => TypeId::of::<Cells>(),
        Some(Sort::Dirs) => TypeId::of::<Dirs>(),
        Some(Sort::Move) => TypeId::of::<Move>(),
        Some(Sort::Moves) => TypeId::of::<Moves>(),
        Some(Sort::Function) => TypeId::of::<FnPtr>(),
        Some(Sort::Action) => TypeId::of::<Action>(),
        Some(Sort::Game) => TypeId::of::<GameItself>(),
    }
}
