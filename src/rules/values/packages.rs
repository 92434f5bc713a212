//! The functions of Rhai's library that rules may call.

use std::sync::OnceLock;

use rhai::Engine;
use rhai::packages::{
    ArithmeticPackage, BasicArrayPackage, BasicFnPackage, BasicIteratorPackage, BasicMapPackage, BasicMathPackage,
    BasicStringPackage, LogicPackage, MoreStringPackage, Package,
};

use crate::table::NameMap;

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
}

/// Returns the functions of Rhai's library by name, each with its possible numbers of parameters.
pub(crate) fn standard() -> &'static NameMap<Vec<usize>> {
    static STANDARD: OnceLock<NameMap<Vec<usize>>> = OnceLock::new();
    STANDARD.get_or_init(|| {
        let mut engine = Engine::new_raw();
        packages(&mut engine);
        let mut known: NameMap<Vec<usize>> = NameMap::default();
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

/// Counts the commas of a parameter list that are outside brackets.
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
