//! The native functions, as the machine calls them.

use std::rc::Rc;

use rhai::{
    Array, Dynamic, Engine, EvalAltResult, FnPtr, GlobalRuntimeState, ImmutableString, Map, NativeCallContext, Position,
};
use smallvec::{SmallVec, smallvec};

use crate::rules::values::{Arena, GameItself, Moves, Val, failure};
use crate::table::{Cell, Cells, Dirs, Move, NameMap, PieceId, PlayerId, ZoneId};
use crate::trace::Action;

/// The names of the native functions that read and write properties of components by name.
pub(crate) const READ: &str = "of$get";
pub(crate) const WRITE: &str = "of$set";

/// The result of a native function, or an error.
pub(crate) type Given = Result<Val, Box<EvalAltResult>>;

/// The result of a native function, or an error; the error is `None` if the arguments do not fit.
pub(crate) type Tried = Result<Val, Option<Box<EvalAltResult>>>;

/// The code of a native function. It compares the arguments with its parameters before it does anything.
type Work = dyn Fn(&Caller<'_>, &mut Arena, &[Val]) -> Tried;

/// The type of values that a parameter accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sort {
    Nothing,
    Truth,
    Number,
    Text,
    Player,
    Piece,
    Zone,
    Cell,
    List,
    Map,
    Cells,
    Dirs,
    Move,
    Moves,
    Function,
    Action,
    Game,
    /// Any value.
    Any,
}

impl Sort {
    #[inline]
    const fn takes(self, value: Val) -> bool {
        matches!(
            (self, value),
            (Self::Any, _)
                | (Self::Nothing, Val::Nothing)
                | (Self::Truth, Val::Truth(_))
                | (Self::Number, Val::Number(_))
                | (Self::Text, Val::Text(_))
                | (Self::Player, Val::Player(_))
                | (Self::Piece, Val::Piece(_))
                | (Self::Zone, Val::Zone(_))
                | (Self::Cell, Val::Cell(_))
                | (Self::List, Val::List(_))
                | (Self::Map, Val::Map(_))
                | (Self::Cells, Val::Cells(_))
                | (Self::Dirs, Val::Dirs(_))
                | (Self::Move, Val::Move(_))
                | (Self::Moves, Val::Moves(_))
                | (Self::Function, Val::Function(_))
                | (Self::Action, Val::Action(_))
                | (Self::Game, Val::Game)
        )
    }
}

/// A native function with typed parameters.
#[derive(Clone)]
pub(crate) struct Native {
    pub(crate) sorts: SmallVec<[Sort; 4]>,
    /// Whether a parameter accepts any value.
    pub(crate) takes_any: bool,
    /// Whether it has a function parameter and calls it. Such functions are in the prelude instead.
    pub(crate) calls: bool,
    work: Rc<Work>,
}

impl Native {
    fn new(sorts: SmallVec<[Sort; 4]>, work: Rc<Work>) -> Self {
        Self { takes_any: sorts.contains(&Sort::Any), calls: sorts.contains(&Sort::Function), sorts, work }
    }

    #[inline]
    pub(crate) fn takes(&self, values: &[Val]) -> bool {
        self.sorts.iter().zip(values).all(|(sort, value)| sort.takes(*value))
    }

    /// Returns whether it accepts these values by their own types, without a parameter for any value.
    pub(crate) fn is_for(&self, values: &[Val]) -> bool {
        self.sorts.len() == values.len() && !self.takes_any && self.takes(values)
    }

    /// Calls it with arguments that may not fit.
    #[inline]
    pub(crate) fn call_if_it_fits(&self, caller: &Caller<'_>, arena: &mut Arena, values: &[Val]) -> Tried {
        (self.work)(caller, arena, values)
    }

    /// Calls it with arguments that fit.
    pub(crate) fn call(&self, caller: &Caller<'_>, arena: &mut Arena, values: &[Val]) -> Given {
        self.call_if_it_fits(caller, arena, values).map_err(|wrong| wrong.unwrap_or_else(misfit))
    }
}

/// Native functions by their names, each with its number of parameters.
#[derive(Default)]
pub(crate) struct Natives(NameMap<Vec<Counted>>);

/// The native functions with one name and this number of parameters.
type Counted = (usize, Rc<[Native]>);

impl Natives {
    /// Registers a native function. For equal types the later wins.
    pub(crate) fn add(&mut self, name: &str, native: Native) {
        let entry = self.0.entry(name.to_owned()).or_default();
        let count = native.sorts.len();
        let earlier = entry.extract_if(.., |(takes, _)| *takes == count);
        let mut all: Vec<Native> = earlier.flat_map(|(_, all)| all.to_vec()).collect();
        // Functions with a parameter for any value come last.
        all.insert(if native.takes_any { all.len() } else { 0 }, native);
        entry.push((count, all.into()));
    }

    pub(crate) fn named(&self, name: &str, count: usize) -> Rc<[Native]> {
        let all = self.0.get(name).and_then(|entry| entry.iter().find(|(takes, _)| *takes == count));
        all.map(|(_, all)| Rc::clone(all)).unwrap_or_default()
    }
}

/// The context of a call of a native function.
pub(crate) struct Caller<'c> {
    pub(crate) engine: &'c Engine,
    pub(crate) global: &'c GlobalRuntimeState,
    pub(crate) name: &'c ImmutableString,
    pub(crate) position: Position,
}

impl Caller<'_> {
    pub(crate) fn context(&self) -> NativeCallContext<'_> {
        NativeCallContext::from((self.engine, self.name.as_str(), None, self.global, self.position))
    }
}

/// A type that native functions accept and return.
pub(crate) trait Kept: Sized {
    /// Returns the sort of a parameter of this type.
    fn sort() -> Sort;
    /// Converts a value, if it is of this type.
    fn take(value: Val, arena: &Arena) -> Option<Self>;
    /// Stores the value.
    fn lay(self, arena: &mut Arena) -> Val;
    /// Returns the work of reading a value of this type, in operations.
    #[inline]
    fn read(_: Val, _: &Arena) -> usize {
        0
    }
    /// Calls `work` with the value in place.
    fn look<R>(value: Val, arena: &mut Arena, work: impl FnOnce(&mut Self) -> R) -> Option<R> {
        Self::take(value, arena).map(|mut value| work(&mut value))
    }
}

macro_rules! small {
    ($($type:ty: $variant:ident,)*) => {$(
        impl Kept for $type {
            fn sort() -> Sort { Sort::$variant }
            #[inline]
            fn take(value: Val, _: &Arena) -> Option<Self> {
                match value { Val::$variant(value) => Some(value), _ => None }
            }
            #[inline]
            fn lay(self, _: &mut Arena) -> Val { Val::$variant(self) }
        }
    )*};
}

small! { bool: Truth, i64: Number, PlayerId: Player, PieceId: Piece, ZoneId: Zone, Cell: Cell, }

macro_rules! large {
    ($($type:ty: $variant:ident, $pool:ident;)*) => {$(
        impl Kept for $type {
            fn sort() -> Sort { Sort::$variant }
            #[inline]
            fn take(value: Val, arena: &Arena) -> Option<Self> {
                match value { Val::$variant(at) => arena.$pool.get(at as usize).cloned(), _ => None }
            }
            #[inline]
            fn lay(self, arena: &mut Arena) -> Val { arena.$pool(self) }
            #[inline]
            fn read(value: Val, arena: &Arena) -> usize { arena.width(value) }
            #[inline]
            fn look<R>(value: Val, arena: &mut Arena, work: impl FnOnce(&mut Self) -> R) -> Option<R> {
                match value { Val::$variant(at) => arena.$pool.get_mut(at as usize).map(work), _ => None }
            }
        }
    )*};
}

large! { Cells: Cells, cells; Dirs: Dirs, dirs; Move: Move, single; Action: Action, actions; }

impl Kept for Moves {
    fn sort() -> Sort {
        Sort::Moves
    }
    #[inline]
    fn take(value: Val, arena: &Arena) -> Option<Self> {
        match value {
            Val::Moves(at) => arena.several.get(at as usize).cloned(),
            _ => None,
        }
    }
    fn lay(self, arena: &mut Arena) -> Val {
        let moves = self.all().len();
        arena.work().of_values(moves * 4);
        arena.grown(moves * size_of::<Move>());
        arena.several(self)
    }
    #[inline]
    fn look<R>(value: Val, arena: &mut Arena, work: impl FnOnce(&mut Self) -> R) -> Option<R> {
        match value {
            Val::Moves(at) => arena.several.get_mut(at as usize).map(work),
            _ => None,
        }
    }
}

impl Kept for ImmutableString {
    fn sort() -> Sort {
        Sort::Text
    }
    fn take(value: Val, arena: &Arena) -> Option<Self> {
        arena.text_of(value).cloned()
    }
    fn lay(self, arena: &mut Arena) -> Val {
        arena.text(self)
    }
    #[inline]
    fn read(value: Val, arena: &Arena) -> usize {
        arena.width(value)
    }
}

impl Kept for () {
    fn sort() -> Sort {
        Sort::Nothing
    }
    fn take(value: Val, _: &Arena) -> Option<Self> {
        (value == Val::Nothing).then_some(())
    }
    fn lay(self, _: &mut Arena) -> Val {
        Val::Nothing
    }
}

impl<T: Kept> Kept for Option<T> {
    fn sort() -> Sort {
        Sort::Any
    }
    fn take(value: Val, arena: &Arena) -> Option<Self> {
        if value == Val::Nothing { Some(None) } else { T::take(value, arena).map(Some) }
    }
    fn lay(self, arena: &mut Arena) -> Val {
        self.map_or(Val::Nothing, |value| value.lay(arena))
    }
    #[inline]
    fn read(value: Val, arena: &Arena) -> usize {
        T::read(value, arena)
    }
}

impl Kept for Array {
    fn sort() -> Sort {
        Sort::List
    }
    fn take(value: Val, arena: &Arena) -> Option<Self> {
        arena.to_dynamic(value).ok()?.try_cast()
    }
    fn lay(self, arena: &mut Arena) -> Val {
        arena.of_dynamic(Dynamic::from(self))
    }
    fn read(value: Val, arena: &Arena) -> usize {
        arena.whole(value)
    }
}

/// A list of values of one type.
pub(crate) struct Several<T>(pub(crate) Vec<T>);

impl<T: Kept + rhai::Variant + Clone> Several<T> {
    /// Converts the list to one of Rhai.
    pub(crate) fn into_array(self) -> Array {
        self.0.into_iter().map(Dynamic::from).collect()
    }
}

impl<T: Kept> Kept for Several<T> {
    fn sort() -> Sort {
        Sort::List
    }
    fn take(value: Val, arena: &Arena) -> Option<Self> {
        let items = arena.items(value)?.iter();
        items.map(|item| T::take(*item, arena)).collect::<Option<_>>().map(Self)
    }
    fn lay(self, arena: &mut Arena) -> Val {
        let mut items = arena.spare();
        items.extend(self.0.into_iter().map(|item| item.lay(arena)));
        arena.list(items)
    }
    fn read(value: Val, arena: &Arena) -> usize {
        arena.items(value).map_or(0, Vec::len) / 4
    }
}

impl Kept for GameItself {
    fn sort() -> Sort {
        Sort::Game
    }
    fn take(value: Val, _: &Arena) -> Option<Self> {
        (value == Val::Game).then_some(Self)
    }
    fn lay(self, _: &mut Arena) -> Val {
        Val::Game
    }
}

macro_rules! through_rhai {
    ($($type:ty: $sort:expr;)*) => {$(
        impl Kept for $type {
            fn sort() -> Sort { $sort }
            fn take(value: Val, arena: &Arena) -> Option<Self> { arena.to_dynamic(value).ok()?.try_cast() }
            fn lay(self, arena: &mut Arena) -> Val { arena.of_dynamic(Dynamic::from(self)) }
            fn read(value: Val, arena: &Arena) -> usize { arena.whole(value) }
        }
    )*};
}

through_rhai! {
    Map: Sort::Map;
    FnPtr: Sort::Function;
}

impl Kept for Dynamic {
    fn sort() -> Sort {
        Sort::Any
    }
    fn take(value: Val, arena: &Arena) -> Option<Self> {
        arena.to_dynamic(value).ok()
    }
    fn lay(self, arena: &mut Arena) -> Val {
        arena.of_dynamic(self)
    }
    fn read(value: Val, arena: &Arena) -> usize {
        arena.whole(value)
    }
}

/// A function that can become a native function. `A` distinguishes the signatures, as in the engine's own trait.
pub(crate) trait IntoNative<A> {
    /// Converts the function.
    fn native(self) -> Native;
}

/// How a function is called: with its arguments alone, or with the engine's context before them.
pub(crate) struct Alone;
pub(crate) struct InContext;
/// The kinds of return types: a value, or a `Result`.
pub(crate) struct Always<R>(R);
pub(crate) struct OrError<R>(R);
/// How a function gets an argument: by value, or by reference.
pub(crate) struct Taken<T>(T);
pub(crate) struct LookedAt<T>(T);

/// Returns the error for arguments that cannot be converted although they fit the parameters.
fn misfit() -> Box<EvalAltResult> {
    failure("lists, maps or functions are nested too deeply in a value")
}

macro_rules! shape {
    ([$context:ty, $caller:ident $(, $given:expr => $wanted:ty)?] $($value:ident $type:ident)*) => {
        shape!(@ $context, $caller, [$($given => $wanted)?], Always<R>, R, (|given: R, arena: &mut Arena| Ok(given.lay(arena))), $($value $type)*);
        shape!(@ $context, $caller, [$($given => $wanted)?], OrError<R>, Result<R, Box<EvalAltResult>>, (|given: Result<R, _>, arena: &mut Arena| given.map(|given| given.lay(arena)).map_err(Some)), $($value $type)*);
    };
    (@ $context:ty, $caller:ident, [$($given:expr => $wanted:ty)?], $result:ty, $gives:ty, $lay:tt, $($value:ident $type:ident)*) => {
        impl<Function, R: Kept, $($type: Kept),*> IntoNative<($context, $result, $(Taken<$type>,)*)> for Function
        where
            Function: Fn($($wanted,)? $($type),*) -> $gives + 'static,
        {
            fn native(self) -> Native {
                let work = move |$caller: &Caller<'_>, arena: &mut Arena, values: &[Val]| -> Tried {
                    let _ = $caller;
                    let &[$($value),*] = values else { return Err(None) };
                    let work = 0 $(+ <$type as Kept>::read($value, arena))*;
                    $(let $value = <$type as Kept>::take($value, arena).ok_or(None)?;)*
                    arena.work().add(work);
                    $lay(self($($given,)? $($value),*), arena)
                };
                Native::new(smallvec![$(<$type as Kept>::sort()),*], Rc::new(work))
            }
        }
        shape!(@@ $context, $caller, [$($given => $wanted)?], $result, $gives, $lay, $($value $type)*);
    };
    (@@ $context:ty, $caller:ident, [$($given:expr => $wanted:ty)?], $result:ty, $gives:ty, $lay:tt, ) => {};
    (@@ $context:ty, $caller:ident, [$($given:expr => $wanted:ty)?], $result:ty, $gives:ty, $lay:tt, $first:ident $First:ident $($value:ident $type:ident)*) => {
        impl<Function, R: Kept, $First: Kept, $($type: Kept),*>
            IntoNative<($context, $result, LookedAt<$First>, $(Taken<$type>,)*)> for Function
        where
            Function: Fn($($wanted,)? &mut $First, $($type),*) -> $gives + 'static,
        {
            fn native(self) -> Native {
                let work = move |$caller: &Caller<'_>, arena: &mut Arena, values: &[Val]| -> Tried {
                    let _ = $caller;
                    let &[$first, $($value),*] = values else { return Err(None) };
                    let work = <$First as Kept>::read($first, arena) $(+ <$type as Kept>::read($value, arena))*;
                    $(let $value = <$type as Kept>::take($value, arena).ok_or(None)?;)*
                    let given = <$First as Kept>::look($first, arena, |$first: &mut $First| {
                        self($($given,)? $first, $($value),*)
                    });
                    let given = given.ok_or(None)?;
                    arena.work().add(work);
                    $lay(given, arena)
                };
                Native::new(smallvec![<$First as Kept>::sort(), $(<$type as Kept>::sort()),*], Rc::new(work))
            }
        }
    };
}

macro_rules! shapes {
    ($($value:ident $type:ident)*) => {
        shape!([Alone, caller] $($value $type)*);
        shape!([InContext, caller, caller.context() => NativeCallContext<'_>] $($value $type)*);
        shapes!(@ $($value $type)*);
    };
    (@) => {};
    (@ $first:ident $First:ident $($value:ident $type:ident)*) => { shapes!($($value $type)*); };
}

shapes!(a A b B c C d D e E f F g G h H i I);
