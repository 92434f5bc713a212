//! Values while code runs. What games are made of is held as it is; the engine's own values would put each into two boxes.

use std::any::{Any, TypeId};

use rhai::{Dynamic, ImmutableString, Variant};

use crate::rules::api::Moves;
use crate::table::{Cell, Cells, Dirs, Move, PieceId, PlayerId};

/// What sort of value something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    /// One of those that are held as they are.
    Own(u8),
    /// Any other type.
    Other(TypeId),
    /// Whatever.
    Any,
}

macro_rules! held {
    ($($name:ident: $type:ty,)*) => {
        /// A value.
        #[derive(Clone, Debug, Default)]
        pub(crate) enum Held {
            #[default]
            Nothing,
            $($name($type),)*
            /// A value of the engine, of none of those types.
            Other(Dynamic),
        }

        enum Numbers { Nothing, $($name,)* }

        impl Sort {
            /// The sort of the values of a type.
            pub(super) fn of(type_id: TypeId) -> Self {
                $(if type_id == TypeId::of::<$type>() { return Self::Own(Numbers::$name as u8); })*
                if type_id == TypeId::of::<()>() {
                    Self::Own(Numbers::Nothing as u8)
                } else if type_id == TypeId::of::<Dynamic>() {
                    Self::Any
                } else {
                    Self::Other(type_id)
                }
            }
        }

        impl Held {
            /// The engine's value. (`Dynamic::from` would put the whole into a box.)
            pub(crate) fn into_dynamic(self) -> Dynamic {
                match self {
                    Self::Nothing => Dynamic::UNIT,
                    $(Self::$name(value) => Dynamic::from(value),)*
                    Self::Other(value) => value,
                }
            }

            /// Whether a native that wants this sort takes this value.
            #[inline]
            pub(super) fn is(&self, sort: Sort) -> bool {
                match (self, sort) {
                    (_, Sort::Any) => true,
                    (Self::Other(value), Sort::Other(wanted)) => value.type_id() == wanted,
                    (Self::Nothing, Sort::Own(own)) => own == Numbers::Nothing as u8,
                    $((Self::$name(_), Sort::Own(own)) => own == Numbers::$name as u8,)*
                    _ => false,
                }
            }

            /// Hold a value.
            #[inline]
            pub(super) fn hold<T: Variant + Clone>(value: T) -> Self {
                let mut value = Some(value);
                $(if TypeId::of::<T>() == TypeId::of::<$type>() {
                    let same = (&mut value as &mut dyn Any).downcast_mut::<Option<$type>>();
                    return same.and_then(Option::take).map_or(Self::Nothing, Self::$name);
                })*
                if TypeId::of::<T>() == TypeId::of::<()>() {
                    return Self::Nothing;
                }
                value.map_or(Self::Nothing, |value| Dynamic::from(value).into())
            }

            /// Take the value out, if it is of that type.
            #[inline]
            pub(super) fn take<T: Variant + Clone>(&mut self) -> Option<T> {
                let held = std::mem::take(self);
                $(if TypeId::of::<T>() == TypeId::of::<$type>() {
                    let Self::$name(value) = held else { return None };
                    return (&mut Some(value) as &mut dyn Any).downcast_mut::<Option<T>>()?.take();
                })*
                held.into_dynamic().try_cast()
            }

            /// Do something with the value where it is, if it is of that type.
            #[inline]
            pub(super) fn look<T: Variant + Clone, R>(&mut self, work: impl FnOnce(&mut T) -> R) -> Option<R> {
                $(if TypeId::of::<T>() == TypeId::of::<$type>() {
                    let Self::$name(value) = self else { return None };
                    return (value as &mut dyn Any).downcast_mut::<T>().map(work);
                })*
                let Self::Other(value) = self else { return None };
                value.write_lock::<T>().map(|mut value| work(&mut value))
            }
        }

        impl From<Dynamic> for Held {
            fn from(value: Dynamic) -> Self {
                let value = value.flatten();
                let type_id = value.type_id();
                $(if type_id == TypeId::of::<$type>() {
                    return value.try_cast().map_or(Self::Nothing, Self::$name);
                })*
                if value.is_unit() { Self::Nothing } else { Self::Other(value) }
            }
        }

    };
}

held! {
    Truth: bool,
    Number: i64,
    Text: ImmutableString,
    Player: PlayerId,
    Piece: PieceId,
    Cell: Cell,
    Move: Move,
    Cells: Cells,
    Dirs: Dirs,
    Moves: Moves,
}
