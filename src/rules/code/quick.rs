//! Natives as code calls them: on values as they are held.

use std::any::TypeId;
use std::rc::Rc;

use rhai::{Engine, EvalAltResult, FnPtr, GlobalRuntimeState, NativeCallContext, Position, Variant};
use smallvec::{SmallVec, smallvec};

use super::held::{Held, Sort};
use crate::rules::session::failure;

/// What a native gives, or what is wrong.
type Given = Result<Held, Box<EvalAltResult>>;

/// A native's work, on as many values as it has parameters. It may take them away.
type Work = dyn Fn(&Caller<'_>, &mut [Held]) -> Given;

/// A native for values of certain sorts.
#[derive(Clone)]
pub(crate) struct Native {
    /// The sorts of its values.
    pub(super) sorts: SmallVec<[Sort; 4]>,
    /// Whether one of them may be any.
    pub(super) takes_any: bool,
    /// Whether it leaves the first value where it is.
    pub(super) looks: bool,
    /// Whether it may call the script, of which the engine has to know.
    pub(super) calls: bool,
    pub(super) work: Rc<Work>,
}

impl Native {
    fn new(sorts: SmallVec<[Sort; 4]>, looks: bool, work: Rc<Work>) -> Self {
        let calls = sorts.contains(&Sort::of(TypeId::of::<FnPtr>()));
        Self { takes_any: sorts.contains(&Sort::Any), sorts, looks, calls, work }
    }
}

/// Who calls a native, and from where.
pub(super) struct Caller<'c> {
    pub(super) engine: &'c Engine,
    pub(super) global: &'c GlobalRuntimeState,
    pub(super) name: &'c str,
    pub(super) position: Position,
}

impl Caller<'_> {
    fn context(&self) -> NativeCallContext<'_> {
        NativeCallContext::from((self.engine, self.name, None, self.global, self.position))
    }
}

/// What can be made a native. `A` tells the shapes of functions apart, as the engine's own trait does.
pub(crate) trait Quick<A> {
    /// The native of this function.
    fn native(self) -> Native;
}

/// How a function is called: with its values alone, or with the engine's context in front.
pub(crate) struct Alone;
pub(crate) struct InContext;
/// What it gives: a value, or a value or an error.
pub(crate) struct Always<R>(R);
pub(crate) struct OrError<R>(R);
/// How it gets a value: it takes it, or it looks at it.
pub(crate) struct Taken<T>(T);
pub(crate) struct LookedAt<T>(T);

/// The values do not fit, although they were compared with the native's parameters.
fn misfit() -> Box<EvalAltResult> {
    failure("a native got values of other types")
}

macro_rules! shape {
    ([$context:ty, $caller:ident $(, $given:expr => $wanted:ty)?] $($value:ident $type:ident)*) => {
        shape!(@ $context, $caller, [$($given => $wanted)?], Always<R>, R, (|given| Ok(Held::hold(given))), $($value $type)*);
        shape!(@ $context, $caller, [$($given => $wanted)?], OrError<R>, Result<R, Box<EvalAltResult>>, (|given: Result<R, _>| given.map(Held::hold)), $($value $type)*);
    };
    (@ $context:ty, $caller:ident, [$($given:expr => $wanted:ty)?], $result:ty, $gives:ty, $hold:tt, $($value:ident $type:ident)*) => {
        impl<Function, R: Variant + Clone, $($type: Variant + Clone),*> Quick<($context, $result, $(Taken<$type>,)*)> for Function
        where
            Function: Fn($($wanted,)? $($type),*) -> $gives + 'static,
        {
            fn native(self) -> Native {
                let work = move |$caller: &Caller<'_>, values: &mut [Held]| -> Given {
                    let _ = $caller;
                    let [$($value),*] = values else { return Err(misfit()) };
                    $(let $value = $value.take::<$type>().ok_or_else(misfit)?;)*
                    $hold(self($($given,)? $($value),*))
                };
                Native::new(smallvec![$(Sort::of(TypeId::of::<$type>())),*], false, Rc::new(work))
            }
        }
        shape!(@@ $context, $caller, [$($given => $wanted)?], $result, $gives, $hold, $($value $type)*);
    };
    (@@ $context:ty, $caller:ident, [$($given:expr => $wanted:ty)?], $result:ty, $gives:ty, $hold:tt, ) => {};
    (@@ $context:ty, $caller:ident, [$($given:expr => $wanted:ty)?], $result:ty, $gives:ty, $hold:tt, $first:ident $First:ident $($value:ident $type:ident)*) => {
        impl<Function, R: Variant + Clone, $First: Variant + Clone, $($type: Variant + Clone),*>
            Quick<($context, $result, LookedAt<$First>, $(Taken<$type>,)*)> for Function
        where
            Function: Fn($($wanted,)? &mut $First, $($type),*) -> $gives + 'static,
        {
            fn native(self) -> Native {
                let work = move |$caller: &Caller<'_>, values: &mut [Held]| -> Given {
                    let _ = $caller;
                    let [$first, $($value),*] = values else { return Err(misfit()) };
                    $(let $value = $value.take::<$type>().ok_or_else(misfit)?;)*
                    let given = $first.look(|$first: &mut $First| self($($given,)? $first, $($value),*)).ok_or_else(misfit)?;
                    $hold(given)
                };
                let sorts = smallvec![Sort::of(TypeId::of::<$First>()), $(Sort::of(TypeId::of::<$type>())),*];
                Native::new(sorts, true, Rc::new(work))
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
