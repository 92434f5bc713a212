//! Marks for a profile: they say where the rules are, and count nothing themselves. Without a profile there are none.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use rhai::Position;

use super::lower::Unit;
use crate::layers::author_name;
use crate::script::{Script, is_closure};
use crate::vm::{Function, InlinedPart, LineMark, Op, Profiled, Recorder};

/// Puts marks into functions, and knows those of the rules.
#[derive(Default)]
pub(crate) struct Marker {
    /// By the place where the body begins, in the order of the scripts: the name as compiled, and the number for the
    /// profile.
    all: BTreeMap<(usize, usize), (String, u32)>,
    /// The first line after the scripts, where expressions are.
    end: usize,
    closures: HashMap<u32, u32>,
}

/// The place of an operation: the inlined functions around it, outer before inner, each with the number of its part, and
/// the line.
type Place = (Vec<(u32, u32)>, Option<u32>);

impl Marker {
    /// Adds the functions of the rules to a recorder. The scripts end before this line.
    pub(crate) fn of(script: &Script, end: usize, recorder: &Recorder) -> Self {
        let mut all = BTreeMap::new();
        for function in script.functions.iter().filter(|function| !function.is_built_in()) {
            let name = author_name(&function.name);
            // A redefined function keeps the name that it has in its script.
            let own = name.strip_prefix("base_").filter(|_| function.name.starts_with("_base")).unwrap_or(&name);
            let (name, at) = (own.to_owned(), function.body.at);
            let number = recorder.add(Profiled { name, parameters: function.parameters, at });
            all.insert(key(at), (function.name.to_string(), number));
        }
        Self { all, end, closures: HashMap::new() }
    }

    /// Returns the function of the rules with a place, and its name as compiled.
    fn of_place(&self, at: Position) -> Option<(&str, u32)> {
        at.line().filter(|line| *line <= self.end)?;
        let (_, (name, number)) = self.all.range(..=key(at)).next_back()?;
        Some((name, *number))
    }

    /// Returns a closure in a function, as a function of its own.
    fn closure(&mut self, of: u32, recorder: &Recorder) -> u32 {
        *self.closures.entry(of).or_insert_with(|| {
            let of = recorder.functions().into_iter().nth(of as usize);
            let (name, at) = of.map_or((String::new(), Position::NONE), |of| (of.name, of.at));
            recorder.add(Profiled { name: format!("a closure in {name}"), parameters: 0, at })
        })
    }

    /// Puts marks among the operations of a function. `index` is its number in the machine.
    pub(crate) fn mark(&mut self, function: &mut Function, unit: Option<&Unit<'_>>, index: usize, recorder: &Recorder) {
        let owner = unit.filter(|_| !function.prelude).and_then(|unit| self.of_place(unit.body.at));
        let owner = owner.map(|(_, number)| number);
        let closure = unit.filter(|unit| is_closure(unit.name)).zip(owner).map(|(_, of)| self.closure(of, recorder));
        recorder.is_of(index, closure.or(owner));
        let Some(owner) = owner else {
            let begins = if unit.is_some() { Recorder::THROUGH } else { Recorder::EXPRESSION };
            let targets = targets(function, |op| matches!(op, Op::Try { .. }));
            let is_marked = |at: usize| targets.contains(&at) || is_after_call(function, at);
            let marks = (0..function.ops.len()).map(|at| is_marked(at).then_some(Recorder::BACK)).collect();
            return put(function, begins, marks);
        };
        let places = self.places(function, owner);
        let targets = targets(function, |_| true);
        let mut known: HashMap<LineMark, u32> = HashMap::new();
        let mut mark_of = |(inlined, line): &Place, begins: bool| {
            let (inlined, line) = (inlined.clone(), line.unwrap_or(0));
            let mark = LineMark { begins, function: owner, closure, inlined, line };
            *known.entry(mark).or_insert_with_key(|mark| recorder.add_mark(mark.clone()))
        };
        let Some(first) = places.first() else { return };
        let begins = mark_of(first, true);
        let mut before = first;
        let mut marks = Vec::with_capacity(places.len());
        for (at, place) in places.iter().enumerate() {
            let is_marked = before != place || targets.contains(&at) || is_after_call(function, at);
            marks.push(is_marked.then(|| mark_of(place, false)));
            before = place;
        }
        put(function, begins, marks);
    }

    /// Returns the place of each operation of a function.
    fn places(&self, function: &Function, owner: u32) -> Vec<Place> {
        let inlined: Vec<Option<u32>> = function.inlined.iter().map(|part| self.inlined(function, part)).collect();
        let place = |(at, position): (u32, &Position)| -> Place {
            // The parts are listed inner before outer.
            let parts = (0..).zip(function.inlined.iter().zip(&inlined));
            let around = parts.filter(|(_, (part, _))| (part.from..part.to).contains(&at));
            let mut around: Vec<(u32, u32)> = around.filter_map(|(number, (_, of))| Some((number, (*of)?))).collect();
            around.reverse();
            let innermost = around.last().map_or(owner, |(_, of)| *of);
            let is_own = self.of_place(*position).is_some_and(|(_, of)| of == innermost);
            let line = position.line().filter(|_| is_own).and_then(|line| u32::try_from(line).ok());
            (around, line)
        };
        let mut places: Vec<Place> = (0..).zip(&function.positions).map(place).collect();
        // What has no line of its function belongs to what is before it there, or else after it.
        for _ in 0..2 {
            let mut last: Option<Place> = None;
            for place in &mut places {
                if let Some((around, line)) = &last
                    && place.1.is_none()
                    && place.0 == *around
                {
                    place.1 = *line;
                }
                last = Some(place.clone());
            }
            places.reverse();
        }
        places
    }

    /// Returns the function of the rules that was inlined as this part; `None` for a closure or a method of the library,
    /// which belong to the function around them.
    fn inlined(&self, function: &Function, part: &InlinedPart) -> Option<u32> {
        let positions = function.positions.get(part.from as usize..part.to as usize)?;
        let named = |at: &Position| self.of_place(*at).filter(|(name, _)| *name == part.name);
        positions.iter().find_map(named).map(|(_, number)| number)
    }
}

const fn key(at: Position) -> (usize, usize) {
    match (at.line(), at.position()) {
        (Some(line), Some(column)) => (line, column),
        (Some(line), None) => (line, 0),
        _ => (0, 0),
    }
}

/// Returns the operations to which those jump that `counts` lets through.
fn targets(function: &Function, counts: impl Fn(&Op) -> bool) -> BTreeSet<usize> {
    let jumps = function.ops.iter().filter(|op| counts(op));
    jumps.filter_map(|op| { *op }.target_mut().map(|to| *to as usize)).collect()
}

/// Returns whether an operation is the first after one that may run another function.
fn is_after_call(function: &Function, at: usize) -> bool {
    let Some(op) = at.checked_sub(1).and_then(|before| function.ops.get(before)) else { return false };
    match op {
        Op::Call { .. } | Op::Recall { .. } | Op::Method { .. } | Op::CallValue { .. } | Op::Callback { .. } => true,
        // A map may have a function under the name of a method.
        op => op.call_site().and_then(|site| function.sites.get(usize::from(site))).is_some_and(|site| site.method),
    }
}

/// Puts marks before the operations of a function, and one where it begins, to which nothing jumps.
fn put(function: &mut Function, begins: u32, marks: Vec<Option<u32>>) {
    let mut starts = Vec::with_capacity(marks.len() + 1);
    let mut ops = vec![Op::Mark { mark: begins }];
    let mut positions: Vec<Position> = function.positions.iter().take(1).copied().collect();
    let here = |ops: &Vec<Op>| u32::try_from(ops.len()).unwrap_or(u32::MAX);
    for ((op, position), mark) in function.ops.iter().zip(&function.positions).zip(marks) {
        starts.push(here(&ops));
        if let Some(mark) = mark {
            ops.push(Op::Mark { mark });
            positions.push(*position);
        }
        ops.push(*op);
        positions.push(*position);
    }
    starts.push(here(&ops));
    let moved = |to: &mut u32| *to = starts.get(*to as usize).copied().unwrap_or(u32::MAX);
    ops.iter_mut().filter_map(Op::target_mut).for_each(moved);
    for part in &mut function.inlined {
        moved(&mut part.from);
        moved(&mut part.to);
    }
    function.ops = ops;
    function.positions = positions;
}
