//! The functions of Rhai's library that rules may call.

use rhai::packages::{
    ArithmeticPackage, BasicArrayPackage, BasicFnPackage, BasicIteratorPackage, BasicMapPackage, BasicMathPackage,
    BasicStringPackage, LogicPackage, MoreStringPackage, Package,
};
use rhai::{Engine, FuncRegistration, ImmutableString};

use super::errors::{Native, failure, too_large};
use super::limits::TEXT;

/// The packages that rules may use. The language core is left out because it has `sleep` and `exit`.
struct Packages(
    ArithmeticPackage,
    BasicStringPackage,
    BasicIteratorPackage,
    BasicFnPackage,
    LogicPackage,
    BasicMathPackage,
    BasicArrayPackage,
    BasicMapPackage,
    MoreStringPackage,
);

thread_local! {
    /// They are the same for all games; making them takes a thirtieth of loading one.
    static PACKAGES: Packages = Packages(
        ArithmeticPackage::new(),
        BasicStringPackage::new(),
        BasicIteratorPackage::new(),
        BasicFnPackage::new(),
        LogicPackage::new(),
        BasicMathPackage::new(),
        BasicArrayPackage::new(),
        BasicMapPackage::new(),
        MoreStringPackage::new(),
    );
}

/// Registers the packages that rules may use.
pub(crate) fn packages(engine: &mut Engine) {
    PACKAGES.with(|Packages(arithmetic, strings, iterators, functions, logic, math, arrays, maps, more_strings)| {
        arithmetic.register_into_engine(engine);
        strings.register_into_engine(engine);
        iterators.register_into_engine(engine);
        functions.register_into_engine(engine);
        logic.register_into_engine(engine);
        math.register_into_engine(engine);
        arrays.register_into_engine(engine);
        maps.register_into_engine(engine);
        more_strings.register_into_engine(engine);
    });
    bounded(engine);
}

/// Registers functions of the library that would do more than their arguments and their results are large.
fn bounded(engine: &mut Engine) {
    // As in Rhai, they cannot change a constant.
    let function = |name: &str| FuncRegistration::new(name).with_purity(false);
    function("pad").register_into_engine(engine, |text: &mut ImmutableString, length: i64, with: ImmutableString| {
        padded(text, length, &with)
    });
    function("pad").register_into_engine(engine, |text: &mut ImmutableString, length: i64, with: char| {
        padded(text, length, &String::from(with))
    });
    function("replace")
        .register_into_engine(engine, |text: &mut ImmutableString, old: ImmutableString, new: ImmutableString| {
            replaced(text, &old, &new)
        });
    function("replace").register_into_engine(engine, |text: &mut ImmutableString, old: char, new: ImmutableString| {
        replaced(text, &String::from(old), &new)
    });
    function("replace").register_into_engine(engine, |text: &mut ImmutableString, old: ImmutableString, new: char| {
        replaced(text, &old, &String::from(new))
    });
}

/// Adds a string to another, as often as fits, until it has `length` characters.
///
/// # Errors
/// Returns an error if nothing is added, so that it would never become longer, or if it would be too long.
fn padded(text: &mut ImmutableString, length: i64, with: &str) -> Native<()> {
    let count = text.chars().count();
    let length = usize::try_from(length).unwrap_or(0);
    if length <= count {
        return Ok(());
    }
    if with.is_empty() {
        return Err(failure("`pad` needs something to add: the string is empty"));
    }
    if length > TEXT {
        return Err(too_large("Length of string"));
    }
    let added: String = with.chars().cycle().take(length - count).collect();
    text.make_mut().push_str(&added);
    if text.len() > TEXT { Err(too_large("Length of string")) } else { Ok(()) }
}

/// Replaces each occurrence of a string by another.
///
/// # Errors
/// Returns an error if the result would be too long.
fn replaced(text: &mut ImmutableString, old: &str, new: &str) -> Native<()> {
    if text.is_empty() {
        return Ok(());
    }
    let found = text.matches(old).count();
    let length = text.len().saturating_sub(found.saturating_mul(old.len()));
    if found.saturating_mul(new.len()).saturating_add(length) > TEXT {
        return Err(too_large("Length of string"));
    }
    *text = text.replace(old, new).into();
    Ok(())
}
