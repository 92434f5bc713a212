//! Compiles rules: turns Rhai's syntax trees into functions of the machine.

mod assign;
mod calls;
mod chains;
mod constants;
mod emit;
mod flow;
mod in_place;
mod lower;
mod marked;
mod named;
mod optimize;
mod places;
mod pure;
mod quicken;
mod tree;

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use rhai::{Engine, ImmutableString, Module, OptimizationLevel, Shared};

use crate::host::Role;

use crate::layers::{Definition, Layers, OFFERED, Texts, rules_place};
use crate::natives::{self, Named, Natives, OFFERING, Special};
use crate::script::{Function, Script, read_bare};
use crate::values::{Arena, Mark};
use crate::vm::{
    Bytecode, Chosen, ComponentNames, Memos, NAMES, Operator, Overloads, Owners, Places, Recorder, Runs, Settable,
};
use constants::printed;
use emit::emit;
use lower::{Lowering, Refused, Unit};
use marked::Marker;
use optimize::{Draft, fold};
use pure::{Purity, is_long, keep, lasts};
use referee_diagnostic::{Code, Diagnostic};
use referee_table::{NameSet, Schema, Topics};

/// The inputs of compilation.
#[derive(Clone, Copy)]
pub(crate) struct Materials<'m> {
    pub(crate) layers: &'m Layers,
    pub(crate) script: &'m Script,
    pub(crate) components: &'m Module,
    pub(crate) schema: &'m Schema,
    /// The texts that contain the compiled code.
    pub(crate) texts: &'m Texts,
    /// The number of points of the script, if it counts runs; then nothing is remembered.
    pub(crate) points: Option<usize>,
    /// What counts by function and line, if there is a profile.
    pub(crate) profile: Option<&'m Rc<Recorder>>,
    /// Functions besides those of the script, each with whether it is one of the prelude.
    pub(crate) more: &'m [(&'m Function, bool)],
}

/// The owner of a function.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Rules,
    Prelude,
}

thread_local! {
    /// The functions of the prelude. Rhai's trees cannot leave their thread.
    static PRELUDE: Rc<[OfPrelude]> = prelude().into();
}

/// A function of the prelude, and the names in it.
struct OfPrelude {
    function: Function,
    names: NameSet<ImmutableString>,
}

/// The functions of the prelude that the program itself runs.
const ROOTS: [&str; 7] =
    ["_vm_deal", "_vm_deferred", "_vm_list", "_vm_made", "_vm_turn", "_vm_turn_or_stuck", natives::FACE_UP];

fn prelude() -> Vec<OfPrelude> {
    let mut engine = Engine::new_raw();
    engine.set_optimization_level(OptimizationLevel::None).set_max_expr_depths(0, 0);
    let ast = engine.compile(include_str!("prelude.rhai")).unwrap_or_default();
    let definitions = ast.shared_lib().iter_script_fn_info();
    let definitions: Vec<Definition> = definitions.map(|(.., def)| Definition::of(Shared::clone(def))).collect();
    let with_names = |function: Function| {
        let mut names = NameSet::default();
        function.body.mentions(&mut names);
        OfPrelude { function, names }
    };
    read_bare(&definitions).into_iter().map(with_names).collect()
}

/// Returns the numbers of the functions of the prelude that code with these names may call and that are not there yet, with
/// those that they call.
fn called_prelude(prelude: &[OfPrelude], mut names: NameSet<ImmutableString>, places: &Places) -> Vec<usize> {
    let is_new = |one: &&OfPrelude| {
        let (name, count) = one.function.key();
        places.prelude(name, count).or_else(|| places.plain(name, count)).is_none()
    };
    let mut others: Vec<usize> =
        (0..prelude.len()).filter(|at| prelude.get(*at).is_some_and(|one| is_new(&one))).collect();
    // A function value can be made of any text.
    let all = names.iter().any(|name| Named::of(name).special() == Some(Special::Pointer));
    let mut found = Vec::new();
    loop {
        let is_called = |at: &usize| all || prelude.get(*at).is_some_and(|one| names.contains(&one.function.name));
        let (more, rest): (Vec<usize>, Vec<usize>) = others.into_iter().partition(is_called);
        if more.is_empty() {
            return found;
        }
        names.extend(more.iter().filter_map(|at| prelude.get(*at)).flat_map(|one| one.names.iter().cloned()));
        found.extend(more);
        others = rest;
    }
}

/// Returns the functions of the machine for these functions, in the order of their names and numbers of parameters.
fn units<'t>(functions: impl Iterator<Item = (&'t Function, Part)>) -> Vec<(Unit<'t>, Part)> {
    let of_function =
        |(function, part): (&'t Function, Part)| Unit::all_of(function).into_iter().map(move |unit| (unit, part));
    let mut all: Vec<(Unit<'t>, Part)> = functions.flat_map(of_function).collect();
    all.sort_by(|(one, _), (other, _)| {
        (one.name.as_str(), one.params.len()).cmp(&(other.name.as_str(), other.params.len()))
    });
    all
}

impl Bytecode {
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
        let called = materials.script.mentioned();
        if called.iter().any(|name| Named::of(name).role() == Some(Role::Option)) {
            constants::settings(materials.schema, arena, &mut texts);
        }
        let names = match called.iter().any(|name| Named::of(name).name_components()) {
            true => constants::names(materials.schema, arena, &mut texts),
            false => ComponentNames::default(),
        };
        let mut code = Self {
            functions: Vec::new(),
            places: Places::default(),
            runs: Runs::of(materials.points.unwrap_or_default()),
            operators: operators.collect(),
            to_text: Overloads::new(natives.named(natives::TO_TEXT, 1), natives::library_function(natives::TO_TEXT, 1)),
            profile: materials.profile.cloned(),
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
        let mut all = units(materials.script.functions.iter().map(|function| (function, Part::Rules)));
        let mut called = called.clone();
        called.extend(ROOTS.map(ImmutableString::from));
        if materials.script.function(OFFERED.0, OFFERED.1).is_some() {
            called.extend(OFFERING.map(|(.., offering)| ImmutableString::from(offering)));
        }
        materials.more.iter().for_each(|(function, _)| function.body.mentions(&mut called));
        let prelude = PRELUDE.with(Rc::clone);
        let of_prelude = called_prelude(&prelude, called, &code.places);
        all.extend(units_of_prelude(&prelude, &of_prelude));
        let more = materials
            .more
            .iter()
            .map(|(function, is_prelude)| (*function, if *is_prelude { Part::Prelude } else { Part::Rules }));
        all.extend(units(more));
        let mut marker = match materials.profile {
            Some(recorder) => Marker::of(materials.script, materials.texts.end(), recorder),
            None => Marker::default(),
        };
        code.add(materials, &all, &mut marker, arena)?;
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
        units: &[(Unit<'_>, Part)],
        marker: &mut Marker,
        arena: &mut Arena,
    ) -> Result<(), Vec<Diagnostic>> {
        let first = self.functions.len();
        for (number, (unit, part)) in units.iter().enumerate() {
            self.places.add(unit, first + number, *part == Part::Prelude);
            if unit.captured > 0 {
                self.captured.insert(unit.name.to_string(), unit.captured);
            }
        }
        let mut wrong = Vec::new();
        let mut functions = Vec::with_capacity(units.len());
        for (unit, part) in units {
            let lowered = self.lowered(materials, arena, *part, |lowering| lowering.function(unit));
            let lowered = lowered.map_err(|refusal| wrong.extend(refused(&refusal, materials.texts))).ok();
            functions.push(Draft::new(unit.name.to_string(), unit.params.len(), *part == Part::Prelude, lowered));
        }
        functions.iter_mut().filter_map(|function| function.lowered.as_mut()).for_each(|one| fold(one, arena));
        in_place::write_in_place(&mut functions, first, (arena, &self.places), &self.captured);
        inline_or_remember(&mut functions, first, (&self.natives, materials.schema));
        for (draft, (unit, _)) in functions.iter_mut().zip(units) {
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
                    let counts = materials.points.is_some() || function.prelude;
                    if let Some(recorder) = &self.profile {
                        marker.mark(&mut function, Some(unit), self.functions.len(), recorder);
                    }
                    function.reads = draft.reads;
                    function.memos = draft.depends.filter(|_| !counts).map(Memos::new);
                    self.functions.push(function);
                }
                Err(_) => {
                    let what = "a function this long, or with this many values in one expression".to_owned();
                    wrong.extend(refused(&Refused { what, at: unit.body.at }, materials.texts));
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
            texts: std::mem::take(&mut self.texts),
            prelude: part == Part::Prelude,
        };
        let done = work(&mut lowering);
        self.texts = lowering.texts;
        done
    }

    /// Compiles an expression from outside the rules, whose parameters are the names that it may use. Returns the index of its
    /// function.
    ///
    /// # Errors
    /// Returns an error for each unsupported part of the expression.
    pub(crate) fn expression(
        &mut self,
        materials: Materials<'_>,
        expression: &Function,
        arena: &mut Arena,
    ) -> Result<usize, Vec<Diagnostic>> {
        let before = self.functions.len();
        let compiled = self.compiled(materials, expression, arena);
        if compiled.is_err() {
            // A refused expression must leave nothing behind.
            self.forget_from(before, self.mark, arena);
        }
        compiled
    }

    fn compiled(
        &mut self,
        materials: Materials<'_>,
        expression: &Function,
        arena: &mut Arena,
    ) -> Result<usize, Vec<Diagnostic>> {
        let mut closures = Unit::all_of(expression);
        let whole = closures.remove(0);
        let mut all: Vec<(Unit<'_>, Part)> = closures.into_iter().map(|unit| (unit, Part::Rules)).collect();
        let mut names = NameSet::default();
        expression.body.mentions(&mut names);
        let prelude = PRELUDE.with(Rc::clone);
        let of_prelude = called_prelude(&prelude, names, &self.places);
        all.extend(units_of_prelude(&prelude, &of_prelude));
        let mut marker = Marker::default();
        self.add(materials, &all, &mut marker, arena)?;
        let lowered = self.lowered(materials, arena, Part::Rules, |lowering| lowering.body(&whole));
        let mut lowered = lowered.map_err(|refusal| Vec::from_iter(refused(&refusal, materials.texts)))?;
        fold(&mut lowered, arena);
        let mut emitted = emit((&self.natives, materials.schema, arena), "", false, &lowered).map_err(|_| {
            let what = "an expression this long".to_owned();
            Vec::from_iter(refused(&Refused { what, at: expression.body.at }, materials.texts))
        })?;
        if let Some(recorder) = &self.profile {
            marker.mark(&mut emitted, None, self.functions.len(), recorder);
        }
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

/// Returns the functions of the machine for the functions of the prelude with these numbers, in this order.
fn units_of_prelude<'t>(prelude: &'t [OfPrelude], numbers: &[usize]) -> Vec<(Unit<'t>, Part)> {
    let functions = numbers.iter().filter_map(|at| prelude.get(*at));
    functions.flat_map(|one| Unit::all_of(&one.function)).map(|unit| (unit, Part::Prelude)).collect()
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
    Some(Diagnostic::new(Code::NotInRules, &label.source, label.span, message))
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_prelude_can_be_read() {
        assert!(super::prelude().len() > 20);
    }
}
