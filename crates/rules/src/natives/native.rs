//! The native functions, as the machine calls them.

use std::rc::Rc;

use rhai::{Array, Dynamic, EvalAltResult, FnPtr, ImmutableString, Map, Position};
use smallvec::{SmallVec, smallvec};

#[cfg(test)]
use crate::values::Kind;
use crate::values::{Arena, GameItself, Moves, Sort, Val, failure, rules_place};
use referee_table::{Cell, Cells, Dirs, Move, NameMap, PieceId, PlayerId, ZoneId};
use referee_trace::{Action, RulesPlace};

/// The names of the native functions that read and write properties of components by name.
pub(crate) const READ: &str = "of$get";
pub(crate) const WRITE: &str = "of$set";

/// The result of a native function, or an error.
pub(crate) type Given = Result<Val, Box<EvalAltResult>>;

/// The result of a native function, or an error; the error is `None` if the arguments do not fit.
pub(crate) type Tried = Result<Val, Option<Box<EvalAltResult>>>;

/// The code of a native function, with the position of the call. It compares the arguments with its parameters before it
/// does anything.
type Work = dyn Fn(Position, &mut Arena, &[Val]) -> Tried;

/// Returns whether a parameter of a sort accepts a value; each does without a sort.
#[inline]
const fn takes(sort: Option<Sort>, value: Val) -> bool {
    let Some(sort) = sort else { return true };
    matches!(
        (sort, value),
        (Sort::Nothing, Val::Nothing)
            | (Sort::Truth, Val::Truth(_))
            | (Sort::Number, Val::Number(_))
            | (Sort::Text, Val::Text(_))
            | (Sort::Player, Val::Player(_))
            | (Sort::Piece, Val::Piece(_))
            | (Sort::Zone, Val::Zone(_))
            | (Sort::Cell, Val::Cell(_))
            | (Sort::List, Val::List(_))
            | (Sort::Map, Val::Map(_))
            | (Sort::Cells, Val::Cells(_))
            | (Sort::Dirs, Val::Dirs(_))
            | (Sort::Move, Val::Move(_))
            | (Sort::Moves, Val::Moves(_))
            | (Sort::Function, Val::Function(_))
            | (Sort::Action, Val::Action(_))
            | (Sort::Game, Val::Game)
    )
}

/// Returns the sort of a value; `None` for one that only Rhai knows.
pub(super) const fn sort_of(value: Val) -> Option<Sort> {
    Some(match value {
        Val::Nothing => Sort::Nothing,
        Val::Truth(_) => Sort::Truth,
        Val::Number(_) => Sort::Number,
        Val::Text(_) => Sort::Text,
        Val::Player(_) => Sort::Player,
        Val::Piece(_) => Sort::Piece,
        Val::Zone(_) => Sort::Zone,
        Val::Cell(_) => Sort::Cell,
        Val::List(_) => Sort::List,
        Val::Map(_) => Sort::Map,
        Val::Cells(_) => Sort::Cells,
        Val::Dirs(_) => Sort::Dirs,
        Val::Move(_) => Sort::Move,
        Val::Moves(_) => Sort::Moves,
        Val::Function(_) => Sort::Function,
        Val::Action(_) => Sort::Action,
        Val::Range(_) => Sort::Range,
        Val::Game => Sort::Game,
        _ => return None,
    })
}

/// Returns a value of a sort, to ask which functions take such values.
pub(super) const fn example(sort: Sort) -> Option<Val> {
    Some(match sort {
        Sort::Nothing => Val::Nothing,
        Sort::Truth => Val::Truth(false),
        Sort::Number => Val::Number(0),
        Sort::Text => Val::Text(0),
        Sort::Player => Val::Player(PlayerId(0)),
        Sort::Piece => Val::Piece(PieceId(0)),
        Sort::Zone => Val::Zone(ZoneId(0)),
        Sort::Cell => Val::Cell(Cell(0)),
        Sort::List => Val::List(0),
        Sort::Map => Val::Map(0),
        Sort::Cells => Val::Cells(0),
        Sort::Dirs => Val::Dirs(0),
        Sort::Move => Val::Move(0),
        Sort::Moves => Val::Moves(0),
        Sort::Function => Val::Function(0),
        Sort::Action => Val::Action(0),
        Sort::Range => Val::Range(0),
        Sort::Game => Val::Game,
        Sort::Men => return None,
    })
}

/// A native function with typed parameters.
#[derive(Clone)]
pub(crate) struct Native {
    /// The sorts of its parameters; `None` for one that accepts any value.
    pub(crate) sorts: SmallVec<[Option<Sort>; 4]>,
    /// Returns the kind of its result, as its type tells.
    #[cfg(test)]
    pub(crate) gives: fn() -> Kind,
    /// Whether a parameter accepts any value.
    pub(crate) takes_any: bool,
    work: Rc<Work>,
}

impl Native {
    fn new<R: Kept>(sorts: SmallVec<[Option<Sort>; 4]>, work: Rc<Work>) -> Self {
        Self {
            takes_any: sorts.contains(&None),
            sorts,
            #[cfg(test)]
            gives: R::kind,
            work,
        }
    }

    #[inline]
    pub(crate) fn takes(&self, values: &[Val]) -> bool {
        self.sorts.iter().zip(values).all(|(sort, value)| takes(*sort, *value))
    }

    /// Calls it with arguments that may not fit.
    #[inline]
    pub(crate) fn call_if_it_fits(&self, at: Position, arena: &mut Arena, values: &[Val]) -> Tried {
        (self.work)(at, arena, values)
    }

    /// Calls it with arguments that fit.
    pub(crate) fn call(&self, at: Position, arena: &mut Arena, values: &[Val]) -> Given {
        self.call_if_it_fits(at, arena, values).map_err(|wrong| wrong.unwrap_or_else(misfit))
    }
}

/// Native functions by their names, each with its number of parameters.
#[derive(Clone, Default)]
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

    /// Returns all of them with their names.
    pub(crate) fn all(&self) -> impl Iterator<Item = (&str, &Native)> {
        self.0.iter().flat_map(|(name, counted)| {
            counted.iter().flat_map(|(_, all)| all.iter()).map(move |native| (name.as_str(), native))
        })
    }

    pub(crate) fn named(&self, name: &str, count: usize) -> Rc<[Native]> {
        let all = self.0.get(name).and_then(|entry| entry.iter().find(|(takes, _)| *takes == count));
        all.map(|(_, all)| Rc::clone(all)).unwrap_or_default()
    }
}

/// A type that native functions accept and return.
pub(crate) trait Kept: Sized {
    /// Returns the sort of a parameter of this type; `None` if it accepts any value.
    fn sort() -> Option<Sort>;
    /// Returns the kind of a value of this type.
    #[cfg(test)]
    fn kind() -> Kind {
        Self::sort().map_or(Kind::ANY, Kind::of)
    }
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
            fn sort() -> Option<Sort> { Some(Sort::$variant) }
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
            fn sort() -> Option<Sort> { Some(Sort::$variant) }
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
    fn sort() -> Option<Sort> {
        Some(Sort::Moves)
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
    fn sort() -> Option<Sort> {
        Some(Sort::Text)
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
    fn sort() -> Option<Sort> {
        Some(Sort::Nothing)
    }
    fn take(value: Val, _: &Arena) -> Option<Self> {
        (value == Val::Nothing).then_some(())
    }
    fn lay(self, _: &mut Arena) -> Val {
        Val::Nothing
    }
}

impl<T: Kept> Kept for Option<T> {
    fn sort() -> Option<Sort> {
        None
    }
    #[cfg(test)]
    fn kind() -> Kind {
        T::kind().or_nothing()
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
    fn sort() -> Option<Sort> {
        Some(Sort::List)
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

impl<T: Kept> Kept for Several<T> {
    fn sort() -> Option<Sort> {
        Some(Sort::List)
    }
    #[cfg(test)]
    fn kind() -> Kind {
        Kind::list_of(T::kind())
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
    fn sort() -> Option<Sort> {
        Some(Sort::Game)
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
            fn sort() -> Option<Sort> { Some($sort) }
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
    fn sort() -> Option<Sort> {
        None
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

/// A function that can become a native function. `A` distinguishes the signatures.
pub(crate) trait IntoNative<A> {
    /// Converts the function.
    fn native(self) -> Native;
}

/// How a function is called: with its arguments alone, or with the place of the call before them.
pub(crate) struct Alone;
pub(crate) struct WithPlace;
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

/// Returns the place in the rules at a position.
fn place_of(position: Position) -> RulesPlace {
    if position.is_none() { RulesPlace::default() } else { rules_place(position) }
}

macro_rules! shape {
    ([$context:ty, $position:ident $(, $given:expr => $wanted:ty)?] $($value:ident $type:ident)*) => {
        shape!(@ $context, $position, [$($given => $wanted)?], Always<R>, R, (|given: R, arena: &mut Arena| Ok(given.lay(arena))), $($value $type)*);
        shape!(@ $context, $position, [$($given => $wanted)?], OrError<R>, Result<R, Box<EvalAltResult>>, (|given: Result<R, _>, arena: &mut Arena| given.map(|given| given.lay(arena)).map_err(Some)), $($value $type)*);
    };
    (@ $context:ty, $position:ident, [$($given:expr => $wanted:ty)?], $result:ty, $gives:ty, $lay:tt, $($value:ident $type:ident)*) => {
        impl<Function, R: Kept, $($type: Kept),*> IntoNative<($context, $result, $(Taken<$type>,)*)> for Function
        where
            Function: Fn($($wanted,)? $($type),*) -> $gives + 'static,
        {
            fn native(self) -> Native {
                let work = move |$position: Position, arena: &mut Arena, values: &[Val]| -> Tried {
                    let _ = $position;
                    let &[$($value),*] = values else { return Err(None) };
                    let work = 0 $(+ <$type as Kept>::read($value, arena))*;
                    $(let $value = <$type as Kept>::take($value, arena).ok_or(None)?;)*
                    arena.work().add(work);
                    $lay(self($($given,)? $($value),*), arena)
                };
                Native::new::<R>(smallvec![$(<$type as Kept>::sort()),*], Rc::new(work))
            }
        }
        shape!(@@ $context, $position, [$($given => $wanted)?], $result, $gives, $lay, $($value $type)*);
    };
    (@@ $context:ty, $position:ident, [$($given:expr => $wanted:ty)?], $result:ty, $gives:ty, $lay:tt, ) => {};
    (@@ $context:ty, $position:ident, [$($given:expr => $wanted:ty)?], $result:ty, $gives:ty, $lay:tt, $first:ident $First:ident $($value:ident $type:ident)*) => {
        impl<Function, R: Kept, $First: Kept, $($type: Kept),*>
            IntoNative<($context, $result, LookedAt<$First>, $(Taken<$type>,)*)> for Function
        where
            Function: Fn($($wanted,)? &mut $First, $($type),*) -> $gives + 'static,
        {
            fn native(self) -> Native {
                let work = move |$position: Position, arena: &mut Arena, values: &[Val]| -> Tried {
                    let _ = $position;
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
                Native::new::<R>(smallvec![<$First as Kept>::sort(), $(<$type as Kept>::sort()),*], Rc::new(work))
            }
        }
    };
}

macro_rules! shapes {
    ($($value:ident $type:ident)*) => {
        shape!([Alone, position] $($value $type)*);
        shape!([WithPlace, position, place_of(position) => RulesPlace] $($value $type)*);
        shapes!(@ $($value $type)*);
    };
    (@) => {};
    (@ $first:ident $First:ident $($value:ident $type:ident)*) => { shapes!($($value $type)*); };
}

shapes!(a A b B c C d D e E f F g G h H i I);
