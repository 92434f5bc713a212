//! All functions of the rules, ready to run.

use std::collections::BTreeMap;
use std::rc::Rc;

use rhai::{AST, Engine, ImmutableString, Module, OptimizationLevel, Position, ScriptFuncDef, Shared};

use super::arena::{Arena, Mark};
use super::emit::emit;
use super::lower::{Lowering, Refused, Survey};
use super::machine::Wrong;
use super::op::{Function, Natives};
use super::operators::{NAMES, Operator};
use super::places::Places;
use super::{library, native};
use crate::diagnostic::Diagnostic;
use crate::rules::fault;
use crate::rules::layers::{Layers, Texts};
use crate::rules::session::failure;
use crate::table::Schema;

/// The functions of the rules, and what they call.
pub(crate) struct Code {
    functions: Vec<Function>,
    places: Places,
    natives: native::Natives,
    operators: Vec<(Natives, ImmutableString)>,
    to_text: Natives,
    nameless: ImmutableString,
    /// How many variables closures share, by the names of the closures.
    captured: BTreeMap<String, usize>,
    texts: BTreeMap<ImmutableString, super::Val>,
    /// How far the constants reach.
    mark: Mark,
    /// The same, and the functions, without the expressions of scenarios.
    own: (usize, Mark),
}

/// What rules are compiled with.
#[derive(Clone, Copy)]
pub(crate) struct Materials<'m> {
    pub(crate) layers: &'m Layers,
    pub(crate) components: &'m Module,
    pub(crate) schema: &'m Schema,
}

thread_local! {
    /// The functions of the prelude. Rhai's trees stay in their thread.
    static PRELUDE: Vec<Shared<ScriptFuncDef>> = prelude();
}

fn prelude() -> Vec<Shared<ScriptFuncDef>> {
    let mut engine = Engine::new_raw();
    engine.set_optimization_level(OptimizationLevel::None).set_max_expr_depths(0, 0);
    let ast = engine.compile(include_str!("prelude.rhai")).unwrap_or_default();
    ast.shared_lib().iter_script_fn_info().map(|(.., def)| Shared::clone(def)).collect()
}

impl Code {
    /// Compile every function of the rules.
    ///
    /// # Errors
    /// What the rules may not be made of.
    pub(crate) fn compile(
        materials: Materials<'_>,
        natives: native::Natives,
        arena: &mut Arena,
    ) -> Result<Self, Vec<Diagnostic>> {
        let operators = NAMES.iter().enumerate().map(|(at, name)| {
            let count = if at >= Operator::Not as usize { 1 } else { 2 };
            (Natives::new(natives.named(name, count), None), ImmutableString::from(*name))
        });
        let mut code = Self {
            functions: Vec::new(),
            places: Places::default(),
            operators: operators.collect(),
            to_text: Natives::new(natives.named("to_string", 1), library::find("to_string", 1)),
            natives,
            nameless: ImmutableString::new(),
            captured: BTreeMap::new(),
            texts: BTreeMap::new(),
            mark: Mark::default(),
            own: (0, Mark::default()),
        };
        let mut defs: Vec<(Shared<ScriptFuncDef>, bool)> =
            materials.layers.functions.values().map(|function| (Shared::clone(&function.def), false)).collect();
        PRELUDE.with(|prelude| defs.extend(prelude.iter().map(|def| (Shared::clone(def), true))));
        code.add(materials, &defs, arena, &materials.layers.texts)?;
        code.mark = arena.mark();
        code.own = (code.functions.len(), code.mark);
        Ok(code)
    }

    /// Compile functions behind those that are there.
    fn add(
        &mut self,
        materials: Materials<'_>,
        defs: &[(Shared<ScriptFuncDef>, bool)],
        arena: &mut Arena,
        texts: &Texts,
    ) -> Result<(), Vec<Diagnostic>> {
        let first = self.functions.len();
        for (number, (def, prelude)) in defs.iter().enumerate() {
            self.places.add(def, first + number, *prelude);
            self.captured.extend(Survey::of_function(def).captured);
        }
        let mut wrong = Vec::new();
        for (def, prelude) in defs {
            match self.lowered(materials, arena, |lowering| lowering.function(def)) {
                Ok(lowered) => match emit(&self.natives, materials.schema, &def.name, *prelude, &lowered) {
                    Ok(function) => self.functions.push(function),
                    Err(_) => {
                        let what = "a function so long, or with so many values in one expression".to_owned();
                        wrong.extend(refused(&Refused { what, at: def.body.start_position() }, texts));
                    }
                },
                Err(refusal) => wrong.extend(refused(&refusal, texts)),
            }
        }
        if wrong.is_empty() { Ok(()) } else { Err(wrong) }
    }

    fn lowered<T>(
        &mut self,
        materials: Materials<'_>,
        arena: &mut Arena,
        work: impl FnOnce(&mut Lowering<'_>) -> T,
    ) -> T {
        let mut lowering = Lowering {
            layers: materials.layers,
            components: materials.components,
            schema: materials.schema,
            places: &self.places,
            arena,
            captured: std::mem::take(&mut self.captured),
            texts: std::mem::take(&mut self.texts),
        };
        let done = work(&mut lowering);
        (self.captured, self.texts) = (lowering.captured, lowering.texts);
        done
    }

    /// Compile an expression that stands outside of the rules; it may use these names, in this order as its values. Gives the
    /// number of its function.
    ///
    /// # Errors
    /// What it may not be made of.
    pub(crate) fn expression(
        &mut self,
        materials: Materials<'_>,
        ast: &AST,
        names: &[ImmutableString],
        arena: &mut Arena,
        texts: &Texts,
    ) -> Result<usize, Vec<Diagnostic>> {
        let closures: Vec<(Shared<ScriptFuncDef>, bool)> =
            ast.shared_lib().iter_script_fn_info().map(|(.., def)| (Shared::clone(def), false)).collect();
        let survey = Survey::of(ast);
        self.captured.extend(survey.captured.clone());
        self.add(materials, &closures, arena, texts)?;
        let lowered = self
            .lowered(materials, arena, |lowering| lowering.body(survey, names, 0, ast.statements(), Position::NONE));
        let lowered = lowered.map_err(|refusal| Vec::from_iter(refused(&refusal, texts)))?;
        let emitted = emit(&self.natives, materials.schema, "", false, &lowered).map_err(|_| {
            let what = "an expression so long".to_owned();
            let at = ast.statements().first().map_or(Position::NONE, rhai::Stmt::position);
            Vec::from_iter(refused(&Refused { what, at }, texts))
        })?;
        self.functions.push(emitted);
        self.mark = arena.mark();
        Ok(self.functions.len() - 1)
    }

    /// Forget all expressions that stand outside of the rules.
    pub(crate) fn forget_expressions(&mut self, arena: &mut Arena) {
        let (functions, mark) = self.own;
        self.functions.truncate(functions);
        self.places.forget(functions);
        self.texts.clear();
        arena.empty(mark);
        self.mark = mark;
    }

    /// Returns how far the constants of the rules reach in an arena.
    pub(crate) const fn constants(&self) -> Mark {
        self.own.1
    }

    /// Returns the same with the constants of expressions outside of the rules.
    pub(crate) const fn all_constants(&self) -> Mark {
        self.mark
    }

    /// The function of the rules with this name and number of values.
    pub(crate) fn place(&self, name: &str, count: usize) -> Option<usize> {
        self.places.function(name, count)
    }

    /// The function of the prelude that is called so.
    pub(crate) fn prelude(&self, name: &str, count: usize) -> Option<usize> {
        self.places.plain(name, count)
    }

    pub(super) fn function(&self, number: u32) -> Result<&Function, Wrong> {
        self.functions.get(number as usize).ok_or_else(|| failure("a function is lost"))
    }

    pub(super) fn is_prelude(&self, number: u32) -> bool {
        self.functions.get(number as usize).is_some_and(|function| function.prelude)
    }

    pub(super) fn name(&self, number: u32) -> String {
        self.functions.get(number as usize).map(|function| function.name.clone()).unwrap_or_default()
    }

    pub(super) fn operator(&self, operator: Operator) -> (&Natives, &ImmutableString) {
        // There is one for each.
        let known = self.operators.get(operator as usize);
        known.map_or((&self.to_text, &self.nameless), |(natives, name)| (natives, name))
    }

    pub(super) const fn to_text(&self) -> &Natives {
        &self.to_text
    }

    pub(super) fn natives(&self, name: &str, count: usize) -> Rc<[native::Native]> {
        self.natives.named(name, count)
    }
}

/// What rules may not be made of, at its line.
fn refused(refusal: &Refused, texts: &Texts) -> Option<Diagnostic> {
    let label = texts.label(fault::place(refusal.at))?;
    let message = format!("rules cannot have {}", refusal.what);
    Some(Diagnostic::new("not_in_rules", &label.source, label.span, message))
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_prelude_can_be_read() {
        assert!(super::prelude().len() > 20);
    }
}
