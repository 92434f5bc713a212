//! Plans a large file part by part, and its plans again when they are needed: all of them at once would be many times as
//! large as the text. A file with errors is planned as a whole, which finds the same errors as for any file.

use std::collections::{BTreeSet, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::sync::Arc;

use crate::loader::Loader;
use crate::plan::blocks::{self, in_row};
use crate::plan::builder::{Found, MAX_LINES, Planning};
use crate::plan::collected::{Taker, Tests};
use crate::plan::idle;
use crate::plan::model::Plan;
use crate::plan::reading::Reading;
use crate::plan::suite::{Parts, PlannedTest, Suite};
use referee_diagnostic::{Code, Diagnostic};
use referee_source::{Source, Span};
use referee_syntax::ast::{File, LineKind};
use referee_syntax::{FileKind, Head, outline, parse_parts};

/// The number of bytes of scenarios that are planned together.
const WINDOW: usize = 64 << 10;
/// The number of times that the table of a scenario is read for its plans, if it has very many rows.
const WINDOWS: usize = 16;
/// The number of tests that are planned together, if the scenario has not many more.
const TESTS: usize = 64;

/// The scenarios of a file below one `use` line, as many as are planned together.
struct Window {
    used: Option<Span>,
    scenarios: Vec<Span>,
}

/// Returns the tests of a file, with the plans for which there is room; `None` if it must be read as a whole.
pub(crate) fn tests(loader: &mut Loader<'_>, file: &Path, source: &Arc<Source>) -> Option<(Vec<PlannedTest>, Parts)> {
    let outline = outline(source)?;
    let parts = shared(source, &outline)?;
    let mut tests = Tests::new(source, Vec::new(), loader.plans_left());
    let mut used_positions = BTreeSet::new();
    let mut lines = MAX_LINES;
    let mut titles = HashSet::new();
    let mut played = BTreeSet::new();
    for window in windows(&outline) {
        let (mini, positions) = read(source, &parts, &window)?;
        used_positions.extend(positions);
        played.extend(window.used.map(|used| used.start));
        let blocks = blocks::sort(&mini, &[]);
        if !blocks.wrong.is_empty() || blocks.scenarios.len() != window.scenarios.len() {
            return None;
        }
        let idle = idle::idle(source, &mini.lines, &blocks);
        if !idle.is_empty() || !idle::unplayed(source, &blocks).is_empty() {
            return None;
        }
        for block in &blocks.scenarios {
            if !titles.insert(hash(source.word(block.title).text)) {
                return None;
            }
            plan_block(loader, file, (&mini, &blocks, block), &mut lines, &mut tests);
            if tests.is_over() || !tests.problems.is_empty() {
                return None;
            }
        }
    }
    let unplayed = parts.uses.iter().filter(|used| !played.contains(&used.start));
    for used in unplayed {
        let name = game_of(source, *used)?;
        loader.game(file, &name, &Diagnostic::general(Code::UnknownGame, "unknown game")).ok()?;
    }
    let mut names = HashSet::new();
    let twice = |test: &&PlannedTest| test.branch.is_some() && test.row.is_some() && !names.insert(hash(&test.name()));
    let is_twice = tests.list.iter().find(twice).is_some();
    let right = !is_twice && parts.positions.keys().all(|name| used_positions.contains(name));
    if !right {
        return None;
    }
    loader.leave_plans(tests.plans_left);
    tests.list.shrink_to_fit();
    Some((tests.list, parts))
}

fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

/// Returns the places of the `use` lines and the shared positions; `None` if one of them has errors.
fn shared(source: &Arc<Source>, outline: &[(Head, Span)]) -> Option<Parts> {
    let mut parts = Parts::default();
    for (head, span) in outline.iter().filter(|(head, _)| *head != Head::Scenario) {
        let (file, wrong) = parse_parts(source, FileKind::Scenario, &[*span]);
        let blocks = blocks::sort(&file, &wrong);
        let idle = idle::idle(source, &file.lines, &blocks);
        if !wrong.is_empty() || !blocks.wrong.is_empty() || !idle.is_empty() {
            return None;
        }
        let mut twice = false;
        match head {
            Head::Use => parts.uses.push(*span),
            _ => blocks.positions.keys().for_each(|name| {
                twice |= parts.positions.insert((*name).to_owned(), *span).is_some();
            }),
        }
        if twice {
            return None;
        }
    }
    Some(parts)
}

/// Returns the game that a `use` line names.
fn game_of(source: &Arc<Source>, used: Span) -> Option<String> {
    let (file, _) = parse_parts(source, FileKind::Scenario, &[used]);
    file.lines.iter().find_map(|line| match line.kind {
        LineKind::Use { game, .. } => Some(source.word(game).text.to_owned()),
        _ => None,
    })
}

/// Returns the scenarios of a file in windows.
fn windows(outline: &[(Head, Span)]) -> impl Iterator<Item = Window> + '_ {
    let mut rest = outline.iter().peekable();
    let mut used = None;
    std::iter::from_fn(move || {
        let (mut scenarios, mut bytes) = (Vec::new(), 0);
        while let Some((head, span)) = rest.peek() {
            let is_whole = bytes >= WINDOW || *head == Head::Use;
            if is_whole && !scenarios.is_empty() {
                break;
            }
            match head {
                Head::Use => used = Some(*span),
                Head::Scenario => {
                    scenarios.push(*span);
                    bytes += span.range().len();
                }
                Head::Position => {}
            }
            rest.next();
        }
        (!scenarios.is_empty()).then_some(Window { used, scenarios })
    })
}

/// Returns the lines of a window, above them those of the positions that they name, and these names. Returns `None` if
/// they have errors.
fn read(source: &Arc<Source>, parts: &Parts, window: &Window) -> Option<(File, BTreeSet<String>)> {
    let (own, wrong) = parse_parts(source, FileKind::Scenario, &window.scenarios);
    if !wrong.is_empty() {
        return None;
    }
    let mut named = BTreeSet::new();
    let mut listed = false;
    for line in &own.lines {
        if let LineKind::From(title) = line.kind {
            let word = source.word(title);
            listed |= !word.quoted;
            named.insert(word.text);
        }
    }
    for line in own.lines.iter().filter(|_| listed) {
        if let LineKind::Examples(rows) = &line.kind {
            named.extend(rows.iter().flat_map(|row| in_row(source, *row)));
        }
    }
    named.retain(|name| parts.positions.contains_key(*name));
    let spans = named.iter().filter_map(|name| parts.positions.get(*name)).chain(&window.used).copied();
    let (mut file, wrong) = parse_parts(source, FileKind::Scenario, &spans.collect::<Vec<Span>>());
    file.lines.extend(own.lines);
    wrong.is_empty().then(|| (file, named.into_iter().map(str::to_owned).collect()))
}

fn plan_block(
    loader: &mut Loader<'_>,
    file: &Path,
    (ast, blocks, block): (&File, &blocks::Blocks<'_>, &blocks::Block<'_>),
    lines: &mut usize,
    taker: &mut dyn Taker,
) {
    let found = Found { missing: &mut BTreeSet::new(), misnamed: &mut false, lines };
    let room = taker.room();
    let reading = &Reading::default();
    Planning { loader, ast, file, blocks, block, found, room, table: None, reading, house_flag: None }.tests(taker);
}

/// The plan of a test of a suite; `None` if the test has errors.
pub(crate) fn plan_of(loader: &mut Loader<'_>, suite: &Suite, index: usize) -> Option<Arc<Plan>> {
    let test = suite.tests.get(index)?;
    let (Some(parts), Some(source), None) = (&suite.parts, &suite.source, &test.plan) else { return test.plan.clone() };
    if let Some(plan) = loader.planned(source, index) {
        return Some(plan);
    }
    let extent = |at: usize| suite.tests.get(at).map(|test| test.extent);
    let own = |at: &usize| extent(*at) == Some(test.extent);
    let first = (0..index).rev().take_while(own).last().unwrap_or(index);
    let count = (index..suite.tests.len()).take_while(own).count() + index - first;
    let most = TESTS.max(count / WINDOWS);
    let used = |span: Span| parts.uses.iter().rfind(|used| used.start < span.start).copied();
    let mut window = Window { used: used(test.extent), scenarios: vec![test.extent] };
    let mut bytes = test.extent.range().len();
    let mut end = index;
    while let Some(next) = extent(end).filter(|_| end - index < most) {
        if window.scenarios.last() != Some(&next) {
            bytes += next.range().len();
            if bytes > WINDOW || used(next) != window.used {
                break;
            }
            window.scenarios.push(next);
        }
        end += 1;
    }
    let (mini, _) = read(source, parts, &window)?;
    let blocks = blocks::sort(&mini, &[]);
    let mut picked = Picked { next: first, from: index, end, plans: Vec::new() };
    for block in &blocks.scenarios {
        plan_block(loader, Path::new(&*suite.file), (&mini, &blocks, block), &mut MAX_LINES.clone(), &mut picked);
    }
    loader.keep_planned(source, index, picked.plans);
    loader.planned(source, index)
}

/// The plans of some tests in a row.
struct Picked {
    next: usize,
    from: usize,
    end: usize,
    plans: Vec<Option<Arc<Plan>>>,
}

impl Taker for Picked {
    fn take(&mut self, test: PlannedTest, _: Vec<Diagnostic>) {
        if self.is_wanted() {
            self.plans.push(test.plan);
        }
        self.next += 1;
    }

    fn report(&mut self, _: Vec<Diagnostic>) {}

    fn is_wanted(&self) -> bool {
        (self.from..self.end).contains(&self.next)
    }

    fn room(&self) -> usize {
        usize::MAX
    }
}
