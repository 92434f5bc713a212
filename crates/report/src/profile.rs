//! Where rules spend work and time: as a table, as JSON, and as stacks for flame graphs.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::sync::Arc;

use serde::Serialize;

use super::intervals::percent;
use super::object::object;
use super::tables::{shown, table};
use referee_diagnostic::{counted, one_line};
use referee_rules::{CalledFunction, Profile, ProfileNode, ProfiledLine};
use referee_source::Source;

/// The number of rows of a table.
const ROWS: usize = 15;
/// The most characters of a line of the rules that are shown.
const WIDTH: usize = 60;

/// A function with all its calls.
#[derive(Default)]
struct OfFunction {
    calls: u64,
    remembered: u64,
    work: i64,
    /// The work with that of the functions that it calls.
    with_calls: i64,
    time: u64,
}

/// The rows of a profile, most work first.
struct Rows<'p> {
    functions: Vec<(&'p CalledFunction, OfFunction)>,
    lines: Vec<(&'p Arc<Source>, usize, ProfiledLine)>,
    work: i64,
    /// The operations that count the state where phases begin.
    between: i64,
    recalled: u64,
    turns: u64,
}

impl<'p> Rows<'p> {
    fn of(profile: &'p Profile) -> Self {
        let nodes = &profile.nodes;
        let mut functions: BTreeMap<&CalledFunction, OfFunction> = BTreeMap::new();
        let mut lines: BTreeMap<(&str, usize), (&Arc<Source>, ProfiledLine)> = BTreeMap::new();
        let with_calls = with_calls(nodes);
        for (node, with_calls) in nodes.iter().zip(with_calls).skip(1).filter(|(node, _)| !node.is_between()) {
            let of = functions.entry(&node.function).or_default();
            of.calls += node.calls;
            of.remembered += node.remembered;
            of.work += node.work();
            of.time += node.time;
            // What a function does within itself is counted once.
            if !above(nodes, node).any(|other| other.function == node.function) {
                of.with_calls += with_calls;
            }
            let Some(source) = &node.source else { continue };
            for (line, counted) in &node.lines {
                let (_, all) = lines.entry((source.name(), *line)).or_insert((source, ProfiledLine::default()));
                all.times += counted.times;
                all.work += counted.work;
            }
        }
        let mut functions: Vec<_> = functions.into_iter().collect();
        functions.sort_by_key(|(function, of)| (-of.work, -of.with_calls, *function));
        let lines = lines.into_iter().filter(|(_, (_, all))| all.times > 0 || all.work != 0);
        let mut lines: Vec<_> = lines.map(|((_, line), (source, all))| (source, line, all)).collect();
        lines.sort_by_key(|(source, line, all)| (-all.work, source.name(), *line));
        let (work, between, recalled) = profile.operations();
        Self { functions, lines, work, between, recalled, turns: profile.turns() }
    }

    fn share(&self, work: i64) -> String {
        percent(work as f64 / self.work.max(1) as f64)
    }

    fn functions(&self) -> String {
        let time: u64 = self.functions.iter().map(|(_, of)| of.time).sum();
        let is_remembered = self.functions.iter().any(|(_, of)| of.remembered > 0);
        let mut head =
            vec!["function", "place", "calls", "per turn", "remembered", "work", "with calls", "share", "time"];
        if !is_remembered {
            head.retain(|title| *title != "remembered");
        }
        let right: Vec<usize> = (2..head.len()).collect();
        let mut all = table(&head, &right);
        for (function, of) in self.functions.iter().take(ROWS) {
            let is_rules = !function.file.is_empty();
            let place = if is_rules { format!("{}:{}", function.file, function.line) } else { String::new() };
            let calls = |calls: String| if of.calls > 0 { calls } else { String::new() };
            let mut row = vec![
                shown_name(function),
                one_line(&place),
                calls(of.calls.to_string()),
                calls(format!("{:.1}", of.calls as f64 / self.turns.max(1) as f64)),
            ];
            if is_remembered {
                row.push(calls(of.remembered.to_string()));
            }
            row.extend([of.work.to_string(), of.with_calls.to_string(), self.share(of.work)]);
            row.push(format!("{:.0} %", of.time as f64 * 100.0 / time.max(1) as f64));
            all.add_row(row);
        }
        format!("{}{}", shown(&all), more(self.functions.len(), "function"))
    }

    fn lines(&self) -> String {
        let mut all = table(&["line", "times", "work", "share", ""], &[1, 2, 3]);
        for (source, line, counted) in self.lines.iter().take(ROWS) {
            let text = one_line(source.slice(source.line_span(*line)).trim());
            let text = match text.char_indices().nth(WIDTH) {
                Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
                None => text,
            };
            let place = one_line(&format!("{}:{line}", source.name()));
            all.add_row([place, counted.times.to_string(), counted.work.to_string(), self.share(counted.work), text]);
        }
        format!("{}{}", shown(&all), more(self.lines.len(), "line"))
    }
}

/// Returns the last line of a table that does not show all rows.
fn more(rows: usize, what: &str) -> String {
    match rows.checked_sub(ROWS) {
        Some(more @ 1..) => format!(" and {} more\n", counted(more, what)),
        _ => String::new(),
    }
}

/// Returns a function as it is written in tables and stacks.
fn shown_name(function: &CalledFunction) -> String {
    match function.name.contains('(') || function.name.contains(' ') {
        true => function.name.clone(),
        false => format!("{}/{}", function.name, function.parameters),
    }
}

/// Returns the nodes above a node, from its caller on.
fn above<'n>(nodes: &'n [ProfileNode], node: &ProfileNode) -> impl Iterator<Item = &'n ProfileNode> {
    let caller = |at: usize| if at == 0 { None } else { nodes.get(at) };
    std::iter::successors(caller(node.parent), move |node| caller(node.parent))
}

/// Returns the work of each node with that of all below it.
fn with_calls(nodes: &[ProfileNode]) -> Vec<i64> {
    let mut sums: Vec<i64> = nodes.iter().map(ProfileNode::work).collect();
    for (at, node) in nodes.iter().enumerate().skip(1).rev() {
        let own = sums.get(at).copied().unwrap_or(0);
        if let Some(sum) = sums.get_mut(node.parent) {
            *sum += own;
        }
    }
    sums
}

/// Returns a profile as text: the functions and the lines with most work.
#[must_use]
pub fn profile_human(profile: &Profile) -> String {
    let rows = Rows::of(profile);
    let mut text = format!("profile: {} operations", rows.work);
    if rows.turns > 0 {
        let mean = rows.work as f64 / rows.turns as f64;
        let turns = usize::try_from(rows.turns).unwrap_or(usize::MAX);
        let _ = write!(text, " in {}, {mean:.1} on average", counted(turns, "turn"));
    }
    text.push('\n');
    if rows.between > 0 {
        let _ = writeln!(text, "beside them: {} that count the state where phases begin", rows.between);
    }
    if rows.recalled > 0 {
        let _ = writeln!(text, "spared by remembered results: {}", rows.recalled);
    }
    let _ = write!(text, "\n{}", rows.functions());
    if !rows.lines.is_empty() {
        let _ = write!(text, "\n{}", rows.lines());
    }
    text
}

/// Returns a profile for JSON: all rows. Times are left out, because they are others in each run.
pub(super) fn profile_shown(profile: &Profile) -> impl Serialize + use<> {
    let rows = Rows::of(profile);
    let file = |file: &str| (!file.is_empty()).then(|| file.to_owned());
    let functions: Vec<_> = rows
        .functions
        .iter()
        .map(|(function, of)| {
            object()
                .with("function", function.name.clone())
                .with("parameters", function.parameters)
                .with("file", file(&function.file))
                .with("line", (function.line > 0).then_some(function.line))
                .with("calls", of.calls)
                .with("remembered", of.remembered)
                .with("work", of.work)
                .with("work_with_calls", of.with_calls)
        })
        .collect();
    let lines: Vec<_> = rows
        .lines
        .iter()
        .map(|(source, line, counted)| {
            object()
                .with("file", source.name().to_owned())
                .with("line", *line)
                .with("times", counted.times)
                .with("work", counted.work)
        })
        .collect();
    object()
        .with("version", 1)
        .with("turns", rows.turns)
        .with("work", rows.work)
        .with("between_phases", rows.between)
        .with("spared", rows.recalled)
        .with("functions", functions)
        .with("lines", lines)
}

/// Returns the work as folded stacks, the form that tools for flame graphs read: on each line the functions that called
/// each other and the line of the rules, `turn/1;moves/1;line 12`, a space, and the operations.
#[must_use]
pub fn profile_stacks(profile: &Profile) -> String {
    let nodes = &profile.nodes;
    let files: BTreeSet<&str> = nodes.iter().filter_map(|node| Some(node.source.as_ref()?.name())).collect();
    let name = |node: &ProfileNode| {
        let name = shown_name(&node.function);
        let file = &node.function.file;
        // Functions of a house rule may have the names of those below.
        let shown = if files.len() > 1 && !file.is_empty() { format!("{name} {file}") } else { name };
        one_line(&shown).replace(';', ",")
    };
    let mut stacks: BTreeMap<String, i64> = BTreeMap::new();
    for node in nodes.iter().skip(1).filter(|node| !node.is_between()) {
        let mut frames: Vec<String> = std::iter::once(node).chain(above(nodes, node)).map(name).collect();
        frames.reverse();
        for (line, counted) in &node.lines {
            let line = if *line > 0 { format!(";line {line}") } else { String::new() };
            *stacks.entry(format!("{}{line}", frames.join(";"))).or_default() += counted.work;
        }
    }
    let stacks = stacks.into_iter().filter(|(_, work)| *work > 0);
    stacks.map(|(stack, work)| format!("{stack} {work}\n")).collect()
}

/// Returns whether a text is one of [`profile_stacks`].
#[must_use]
pub fn are_stacks(text: &str) -> bool {
    text.lines().all(|line| line.rsplit_once(' ').is_some_and(|(_, count)| count.parse::<u64>().is_ok()))
}
