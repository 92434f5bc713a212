//! Compiles rules: turns Rhai's syntax trees into functions of the machine.

mod assign;
mod calls;
mod chains;
mod constants;
mod emit;
mod flow;
mod in_place;
mod lower;
mod named;
mod optimize;
mod places;
mod points;
mod pure;
mod quicken;
mod tree;

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, HashSet};

use rhai::{AST, Engine, ImmutableString, Module, OptimizationLevel, Position, Shared};

use crate::diagnostic::Diagnostic;
use crate::rules::layers::{self, Definition, Layers, Mentions, Texts, rules_place};
use crate::rules::values::{Arena, Mark};
use crate::rules::vm::{
    Chosen, Code, ComponentNames, Memos, NAMES, Natives, Operator, Overloads, Owners, Places, Points, Settable, library,
};
use crate::table::{Schema, Topics};
use constants::printed;
use emit::emit;
use lower::{Lowering, Refused, Survey};
use optimize::{Draft, fold};
use points::Counting;
pub(crate) use points::end_of_the_game;
use pure::{Purity, is_long, keep, lasts};

/// The inputs of compilation.
#[derive(Clone, Copy)]
pub(crate) struct Materials<'m> {
    pub(crate) layers: &'m Layers,
    pub(crate) components: &'m Module,
    pub(crate) schema: &'m Schema,
    /// The texts that contain the compiled code.
    pub(crate) texts: &'m Texts,
    /// Whether runs of the rules are counted.
    pub(crate) counts: bool,
}

/// The owner of a function.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Rules,
    /// The rules, and its runs are counted.
    Counted,
    Prelude,
}

thread_local! {
    /// The functions of the prelude. Rhai's trees cannot leave their thread.
    static PRELUDE: Vec<Definition> = prelude();
}

/// The functions of the prelude that the program itself runs.
const ROOTS: [&str; 7] =
    ["_vm_deal", "_vm_deferred", "_vm_list", "_vm_made", "_vm_turn", "_vm_turn_or_stuck", "deal_face_up"];

fn prelude() -> Vec<Definition> {
    let mut engine = Engine::new_raw();
    engine.set_optimization_level(OptimizationLevel::None).set_max_expr_depths(0, 0);
    let ast = engine.compile(include_str!("prelude.rhai")).unwrap_or_default();
    ast.shared_lib().iter_script_fn_info().map(|(.., def)| Definition::of(Shared::clone(def))).collect()
}

/// Returns the functions of the prelude that code with these names may call and that are not there yet, with those that
/// they call.
fn called_prelude(names: impl Iterator<Item = ImmutableString>, places: &Places) -> Vec<(Definition, Part)> {
    let mut names: HashSet<ImmutableString> = names.collect();
    let mut others = PRELUDE.with(Vec::clone);
    others.retain(|def| {
        let count = def.params.len();
        places.prelude(&def.name, count).or_else(|| places.plain(&def.name, count)).is_none()
    });
    // A function value can be made of any text.
    let all = names.contains("Fn");
    let mut found = Vec::new();
    loop {
        let (more, rest): (Vec<_>, Vec<_>) = others.into_iter().partition(|def| all || names.contains(&def.name));
        if more.is_empty() {
            return found;
        }
        names.extend(more.iter().flat_map(|def| def.mentions().names()).cloned());
        found.extend(more.into_iter().map(|def| (def, Part::Prelude)));
        others = rest;
    }
}

impl Code {
    /// Compiles all functions of the rules, and what they may call of the prelude.
    ///
    /// # Errors
    /// Returns an error for each unsupported part of the rules.
    pub(crate) fn compile(
        materials: Materials<'_>,
        natives: Natives,
        arena: &mut Arena,
    ) -> Result<Self, Vec<Diagnostic>> {
        let operators = NAMES.iter().enumerate().map(|(at, name)| {
            let count = if at >= Operator::Not as usize { 1 } else { 2 };
            (Overloads::new(natives.named(name, count), None), ImmutableString::from(*name))
        });
        let mut texts = BTreeMap::new();
        let chosen = Chosen::of(materials.schema, arena, &mut texts);
        let printed = printed(materials.schema, arena, &mut texts);
        let called = materials.layers.functions.values().flat_map(|function| function.def.mentions().names());
        let called: Vec<ImmutableString> = called.cloned().collect();
        if called.iter().any(|name| name == "option") {
            constants::settings(materials.schema, arena, &mut texts);
        }
        let names = match called.iter().any(|name| name == "name") {
            true => constants::names(materials.schema, arena, &mut texts),
            false => ComponentNames::default(),
        };
        let mut code = Self {
            functions: Vec::new(),
            places: Places::default(),
            points: Points::default(),
            operators: operators.collect(),
            to_text: Overloads::new(natives.named("to_string", 1), library::find("to_string", 1)),
            natives,
            nameless: ImmutableString::new(),
            chosen,
            captured: BTreeMap::new(),
            texts,
            cell_texts: RefCell::default(),
            first_texts: Vec::new(),
            printed,
            names,
            owners: Owners::of(materials.schema),
            settable: Vec::new(),
            mark: Mark::default(),
            own: (0, Mark::default()),
        };
        let of_rules = |function: &layers::Function| match materials.counts && !function.is_built_in() {
            true => Part::Counted,
            false => Part::Rules,
        };
        let mut defs: Vec<(Definition, Part)> =
            materials.layers.functions.values().map(|function| (function.def.clone(), of_rules(function))).collect();
        defs.extend(called_prelude(called.into_iter().chain(ROOTS.map(ImmutableString::from)), &code.places));
        code.add(materials, &defs, arena)?;
        quicken::recall(&mut code.functions);
        code.chosen.lay_maps(arena);
        code.mark = arena.mark();
        code.own = (code.functions.len(), code.mark);
        code.settable = Settable::of_names(materials.schema, arena.texts.iter());
        let mut first = HashMap::new();
        let texts = (0..).zip(&arena.texts);
        code.first_texts = texts.map(|(at, text)| *first.entry(text.as_str()).or_insert(at)).collect();
        Ok(code)
    }

    /// Compiles functions and appends them.
    fn add(
        &mut self,
        materials: Materials<'_>,
        defs: &[(Definition, Part)],
        arena: &mut Arena,
    ) -> Result<(), Vec<Diagnostic>> {
        let first = self.functions.len();
        let surveys: Vec<Survey> = defs.iter().map(|(def, _)| Survey::of_function(def)).collect();
        for (number, ((def, part), survey)) in defs.iter().zip(&surveys).enumerate() {
            self.places.add(def, survey, first + number, *part == Part::Prelude);
            self.captured.extend(survey.captured.clone());
        }
        let mut wrong = Vec::new();
        let mut functions = Vec::with_capacity(defs.len());
        for ((def, part), survey) in defs.iter().zip(surveys) {
            let lowered = self.lowered(materials, arena, *part, |lowering| lowering.function(def, survey));
            let lowered = lowered.map_err(|refusal| wrong.extend(refused(&refusal, materials.texts))).ok();
            let (name, parameters) = (def.name.to_string(), def.params.len());
            functions.push(Draft::new(name, parameters, *part == Part::Prelude, lowered));
        }
        functions.iter_mut().filter_map(|function| function.lowered.as_mut()).for_each(|one| fold(one, arena));
        in_place::write_in_place(&mut functions, first, (arena, &self.places), &self.captured);
        inline_or_remember(&mut functions, first, (&self.natives, materials.schema));
        for (draft, (def, _)) in functions.iter_mut().zip(defs) {
            let Some(lowered) = &mut draft.lowered else { continue };
            let mut emitted = emit((&self.natives, materials.schema, arena), &draft.name, draft.prelude, lowered);
            if emitted.is_err()
                && let Some(plain) = draft.plain.take()
            {
                // The body without inlined functions needs fewer registers.
                lowered.body = plain;
                emitted = emit((&self.natives, materials.schema, arena), &draft.name, draft.prelude, lowered);
            }
            match emitted {
                Ok(mut function) => {
                    let counts = materials.counts || function.prelude;
                    function.reads = draft.reads;
                    function.memos = draft.depends.filter(|_| !counts).map(Memos::new);
                    self.functions.push(function);
                }
                Err(_) => {
                    let what = "a function this long, or with this many values in one expression".to_owned();
                    wrong.extend(refused(&Refused { what, at: def.body.start_position() }, materials.texts));
                }
            }
        }
        if wrong.is_empty() { Ok(()) } else { Err(wrong) }
    }

    fn lowered<T>(
        &mut self,
        materials: Materials<'_>,
        arena: &mut Arena,
        part: Part,
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
            prelude: part == Part::Prelude,
            points: Counting((part == Part::Counted).then(|| std::mem::take(&mut self.points))),
        };
        let done = work(&mut lowering);
        (self.captured, self.texts) = (lowering.captured, lowering.texts);
        if let Counting(Some(points)) = lowering.points {
            self.points = points;
        }
        done
    }

    /// Compiles an expression from outside the rules. `names` are its parameters, in this order. Returns the index of
    /// its function.
    ///
    /// # Errors
    /// Returns an error for each unsupported part of the expression.
    pub(crate) fn expression(
        &mut self,
        materials: Materials<'_>,
        ast: &AST,
        names: &[ImmutableString],
        arena: &mut Arena,
    ) -> Result<usize, Vec<Diagnostic>> {
        let before = self.functions.len();
        let compiled = self.compiled(materials, ast, names, arena);
        if compiled.is_err() {
            // A refused expression must leave nothing behind.
            self.forget_from(before, self.mark, arena);
        }
        compiled
    }

    fn compiled(
        &mut self,
        materials: Materials<'_>,
        ast: &AST,
        names: &[ImmutableString],
        arena: &mut Arena,
    ) -> Result<usize, Vec<Diagnostic>> {
        let closures = ast.shared_lib().iter_script_fn_info();
        let closures = closures.map(|(.., def)| (Definition::of(Shared::clone(def)), Part::Rules));
        let mut defs: Vec<(Definition, Part)> = closures.collect();
        defs.extend(called_prelude(Mentions::of(ast).names().cloned(), &self.places));
        let survey = Survey::of(ast);
        self.captured.extend(survey.captured.clone());
        self.add(materials, &defs, arena)?;
        let lowered = self.lowered(materials, arena, Part::Rules, |lowering| {
            lowering.body(survey, names, 0, ast.statements(), Position::NONE)
        });
        let mut lowered = lowered.map_err(|refusal| Vec::from_iter(refused(&refusal, materials.texts)))?;
        fold(&mut lowered, arena);
        let emitted = emit((&self.natives, materials.schema, arena), "", false, &lowered).map_err(|_| {
            let what = "an expression this long".to_owned();
            let at = ast.statements().first().map_or(Position::NONE, rhai::Stmt::position);
            Vec::from_iter(refused(&Refused { what, at }, materials.texts))
        })?;
        self.functions.push(emitted);
        self.mark = arena.mark();
        Ok(self.functions.len() - 1)
    }

    /// Drops all expressions from outside the rules.
    pub(crate) fn forget_expressions(&mut self, arena: &mut Arena) {
        let (functions, mark) = self.own;
        self.forget_from(functions, mark, arena);
    }

    /// Drops the functions from this index on, and the constants after a mark.
    fn forget_from(&mut self, functions: usize, mark: Mark, arena: &mut Arena) {
        self.functions.truncate(functions);
        self.places.forget(functions);
        self.texts.clear();
        arena.forget(&mark);
        self.mark = mark;
    }
}

/// Inlines short functions, unless their results are better remembered, and finds out what the remembered ones read.
fn inline_or_remember(drafts: &mut [Draft], first: usize, (natives, schema): (&Natives, &Schema)) {
    let depends = Purity::of(drafts, first, (natives, schema)).of_all();
    for (draft, depends) in drafts.iter_mut().zip(depends) {
        draft.depends = depends;
        draft.reads = depends.map_or(Topics::NONE, |depends| depends.topics);
    }
    keep(drafts, first);
    optimize::inline(drafts, first);
    let mut purity = Purity::of(&mut [], first, (natives, schema));
    for draft in drafts {
        let Some(lowered) = draft.lowered.as_mut().filter(|_| draft.depends.is_some()) else { continue };
        if draft.is_kept || is_long(&mut lowered.body) && lasts(&mut lowered.body, draft.parameters) {
            draft.reads = purity.own_topics(&mut lowered.body);
        } else {
            draft.depends = None;
        }
    }
}

/// Returns the diagnostic for an unsupported part of the rules, at its line.
fn refused(refusal: &Refused, texts: &Texts) -> Option<Diagnostic> {
    let label = texts.label(rules_place(refusal.at))?;
    let message = format!("rules do not support {}", refusal.what);
    Some(Diagnostic::new("not_in_rules", &label.source, label.span, message))
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_prelude_can_be_read() {
        assert!(super::prelude().len() > 20);
    }
}
