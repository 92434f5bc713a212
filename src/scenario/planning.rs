//! The planning of one scenario: its rows and branches, each resolved into a plan.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use super::blocks::{self, Block};
use super::chances;
use super::judge::Judge;
use super::plan::{Always, Check, Fork, Plan, StepKind};
use super::players::Mentioned;
use super::position::{self, Frame};
use super::resolver::{Resolver, Row};
use super::settings::{covers, holes, options};
use super::steps;
use super::suite::PlannedTest;
use crate::diagnostic::{Diagnostic, did_you_mean, one_of};
use crate::game::{Game, House};
use crate::source::Span;
use crate::syntax::ast::{File, Line, LineKind};
use crate::syntax::parse_words;

/// The planning of one scenario.
pub(super) struct Planning<'j, 'h, 'f> {
    pub(super) judge: &'j mut Judge<'h>,
    pub(super) ast: &'f File,
    pub(super) file: &'j Path,
    pub(super) blocks: &'j blocks::Blocks<'f>,
    pub(super) block: &'j Block<'f>,
    /// The games that were looked for in vain; each is reported once.
    pub(super) missing: &'j mut BTreeSet<String>,
    /// How many tests it may have.
    pub(super) room: usize,
}

/// The most branches of a scenario: each plays all of it again.
const MOST_BRANCHES: usize = 1000;

type Planned = Vec<(PlannedTest, Vec<Diagnostic>)>;

impl<'f> Planning<'_, '_, 'f> {
    /// The tests of the scenario, each with what is wrong with it.
    pub(super) fn tests(mut self) -> Planned {
        let source = &self.ast.source;
        let game = match self.game() {
            Ok(game) => game,
            Err(wrong) => return vec![(self.test(None, None, None), wrong)],
        };
        let rows = match self.rows() {
            Ok(rows) => rows,
            Err(wrong) => return vec![(self.test(None, None, None), wrong)],
        };
        if let Some(branch) = self.block.branches.get(MOST_BRANCHES) {
            let message = format!("a scenario has {MOST_BRANCHES} branches at most");
            let wrong = vec![Diagnostic::new("too_many_tests", source, branch.head.span, message)];
            return vec![(self.test(None, None, None), wrong)];
        }
        if rows.len().max(1) * (1 + self.block.branches.len()) > self.room {
            let message = format!("this scenario has {} rows, too many for one file", rows.len());
            let wrong = vec![Diagnostic::new("too_many_tests", source, self.block.head.span, message)];
            return vec![(self.test(None, None, None), wrong)];
        }
        let mut planned = Vec::new();
        let rows: Vec<Option<&Row<'f>>> = if rows.is_empty() { vec![None] } else { rows.iter().map(Some).collect() };
        let mentioned = self.mentioned();
        for row in rows {
            let mentioned = &row.map_or_else(|| mentioned.clone(), |row| mentioned.with(source, row));
            let mut resolver = Resolver { source, row: row.cloned(), wrong: Vec::new() };
            let stem = self.plan(&mut resolver, &game, mentioned, &self.block.lines, None);
            planned.push((self.test(row, None, stem), resolver.wrong));
            for branch in &self.block.branches {
                let mut resolver = Resolver { source, row: row.cloned(), wrong: Vec::new() };
                let plan = self.plan(&mut resolver, &game, mentioned, &self.block.lines, Some(branch));
                planned.push((self.test(row, Some(branch), plan), resolver.wrong));
            }
        }
        planned
    }

    fn test(&self, row: Option<&Row<'f>>, branch: Option<&blocks::Branch<'f>>, plan: Option<Plan>) -> PlannedTest {
        let source = &self.ast.source;
        let head = branch.map_or(self.block.head, |branch| branch.head);
        let start = row.map_or(head.span.start, |row| row.span.start);
        PlannedTest {
            scenario: source.word(self.block.title).text.to_owned(),
            row: row.map(|row| row.number),
            branch: branch.map(|branch| source.word(branch.title).text.to_owned()),
            line: source.line(start),
            extent: self.block.extent,
            plan,
        }
    }

    fn game(&mut self) -> Result<(Arc<Game>, usize), Vec<Diagnostic>> {
        let source = &self.ast.source;
        let Some(used) = self.block.used else {
            let wrong = Diagnostic::new(
                "missing_line",
                source,
                self.block.head.span,
                "no line says which game this scenario plays",
            );
            return Err(vec![wrong.help("write a line such as `use my-game simple` above it")]);
        };
        let id = source.word(used.game).text;
        let asked = Diagnostic::new("unknown_game", source, used.game, format!("there is no game `{id}`"));
        let game = self.judge.game(self.file, id, &asked);
        let game = game.map_err(|wrong| if self.missing.insert(id.to_owned()) { wrong } else { Vec::new() })?;
        let variants = &game.schema.variants;
        let Some(span) = used.variant else { return Ok((game, 0)) };
        let name = source.word(span).text;
        let found = variants.iter().position(|variant| variant.name == name);
        found.map(|place| (Arc::clone(&game), place)).ok_or_else(|| {
            let names = || variants.iter().map(|variant| variant.name.as_str()).filter(|name| !name.is_empty());
            let help = did_you_mean(name, names()).unwrap_or_else(|| match one_of(names(), 9) {
                list if list.is_empty() => "this game has no variants".to_owned(),
                list => format!("the variants are {list}"),
            });
            vec![
                Diagnostic::new("unknown_variant", source, span, format!("the game has no variant `{name}`"))
                    .help(help),
            ]
        })
    }

    /// The rows of the scenario's table.
    fn rows(&self) -> Result<Vec<Row<'f>>, Vec<Diagnostic>> {
        let source = &self.ast.source;
        let tables: Vec<&Line> = self.all_lines().filter(|line| matches!(line.kind, LineKind::Examples(_))).collect();
        if let Some(second) = tables.get(1) {
            return Err(vec![
                Diagnostic::new("duplicate_line", source, second.span, "this scenario has a table already")
                    .help("a scenario has one table of examples"),
            ]);
        }
        let Some(LineKind::Examples(spans)) = tables.first().map(|line| &line.kind) else { return Ok(Vec::new()) };
        let cells = |row: Span| -> Vec<Span> {
            let text = source.slice(row);
            let mut start = row.start;
            let cut = text.split('|').map(|cell| {
                let span = Span { start, end: start + Span::new(0..cell.len()).end };
                start = span.end + 1;
                let lead = Span::new(0..cell.len() - cell.trim_start().len()).end;
                let trail = Span::new(0..cell.len() - cell.trim_end().len()).end;
                Span { start: span.start + lead, end: (span.end - trail).max(span.start + lead) }
            });
            let mut cut: Vec<Span> = cut.collect();
            if text.ends_with('|') {
                cut.pop();
            }
            cut
        };
        let Some((head, rest)) = spans.split_first() else { return Ok(Vec::new()) };
        let columns: Vec<&'f str> = cells(*head).iter().map(|span| source.slice(*span)).collect();
        let mut wrong = Vec::new();
        let mut rows = Vec::new();
        for (at, span) in rest.iter().enumerate() {
            let values = cells(*span);
            if values.len() != columns.len() {
                let message = format!("this row has {} values, the first row names {}", values.len(), columns.len());
                wrong.push(Diagnostic::new("wrong_table", source, *span, message).help("separate the values by `|`"));
                continue;
            }
            let values =
                columns.iter().zip(values).map(|(column, span)| (*column, parse_words(source, span))).collect();
            rows.push(Row { number: at + 1, span: *span, values });
        }
        if rows.is_empty() && wrong.is_empty() {
            wrong.push(
                Diagnostic::new("wrong_table", source, *head, "this table has no rows")
                    .help("below the row that names the holes, give their values, a row for each example"),
            );
        }
        if wrong.is_empty() { Ok(rows) } else { Err(wrong) }
    }

    /// What the scenario mentions, its branches and the shared positions that it begins with included.
    fn mentioned(&self) -> Mentioned<'f> {
        let source = &self.ast.source;
        let shared = self.all_lines().filter_map(|line| match &line.kind {
            LineKind::From(title) => self.blocks.positions.get(source.word(*title).text),
            _ => None,
        });
        Mentioned::of(source, self.all_lines().chain(shared.flatten().copied()))
    }

    fn all_lines(&self) -> impl Iterator<Item = &'f Line> + '_ {
        self.block.lines.iter().chain(self.block.branches.iter().flat_map(|branch| &branch.lines)).copied()
    }

    fn plan(
        &mut self,
        resolver: &mut Resolver<'f>,
        (game, variant): &(Arc<Game>, usize),
        mentioned: &Mentioned<'_>,
        stem: &[&'f Line],
        branch: Option<&blocks::Branch<'f>>,
    ) -> Option<Plan> {
        let source = &self.ast.source;
        let lines: Vec<&'f Line> = stem.iter().chain(branch.iter().flat_map(|branch| &branch.lines)).copied().collect();
        let houses = self.houses(resolver, game, &lines)?;
        let program = match self.judge.program(game, &houses) {
            Ok(program) => program,
            Err(wrong) => {
                resolver.wrong.extend(wrong);
                return None;
            }
        };
        let options = options(resolver, game, &program, &lines);
        let position_lines = self.position_lines(resolver, &lines);
        let frame = Frame { game, variant: *variant, options };
        let start = position::resolve(resolver, &frame, &position_lines, mentioned, self.block.head.span)?;
        let mut steps = Vec::new();
        // Where the lines of the branch begin among the steps.
        let mut fork = 0;
        for (place, line) in lines.iter().enumerate() {
            steps::unsupported(resolver, line);
            if branch.is_some()
                && place >= stem.len()
                && matches!(line.kind, LineKind::With { .. } | LineKind::WithHouse(_))
            {
                let wrong =
                    Diagnostic::new("misplaced_line", source, line.span, "a branch plays by the rules of its scenario");
                resolver.say(wrong.help("move this line up into the scenario, or write another scenario"));
            }
            if blocks::is_position(&line.kind) && !steps.is_empty() {
                resolver.say(
                    Diagnostic::new("misplaced_line", source, line.span, "the position stands before the play")
                        .help("move this line up, in front of the first line of play or expectation"),
                );
            }
            if matches!(line.kind, LineKind::When(_) | LineKind::At { .. }) {
                // What stands before a branch is settled there.
                let own = if place < stem.len() { 0 } else { fork };
                let above = steps.get_mut(own..).and_then(<[_]>::last_mut);
                chances::settle(resolver, &start.table, above, line);
            }
            steps.extend(steps::resolve(resolver, &start.table, &program, line));
            if place < stem.len() {
                fork = steps.len();
            }
        }
        let covers = covers(resolver, game, &lines);
        let always = lines.iter().enumerate();
        let always: Vec<Always> =
            always.filter_map(|(place, line)| always_of(&line.kind, place >= stem.len())).collect();
        let holes = holes(resolver, &start.table);
        let expected = steps.iter().filter_map(|step| match &step.kind {
            StepKind::Expect(Check::Island(span)) => Some(*span),
            StepKind::Expect(Check::Chance(asked)) => match asked.condition {
                Check::Island(span) => Some(span),
                _ => None,
            },
            _ => None,
        });
        for island in expected.chain(always.iter().map(|always| always.island)) {
            if let Err(wrong) = program.compile_island(source, island, &holes) {
                resolver.wrong.extend(wrong);
            }
        }
        resolver.wrong.is_empty().then(|| Plan {
            game: Arc::clone(game),
            houses,
            source: Arc::clone(source),
            head: self.block.head.span,
            start,
            steps,
            branch: branch.map(|branch| Fork { step: fork, head: branch.head.span }),
            always,
            holes,
            covers,
        })
    }

    /// The position lines, shared positions put in where they are called for.
    fn position_lines(&self, resolver: &mut Resolver<'f>, lines: &[&'f Line]) -> Vec<&'f Line> {
        let source = &self.ast.source;
        let mut found = Vec::new();
        for line in lines.iter().filter(|line| blocks::is_position(&line.kind)) {
            let LineKind::From(title) = &line.kind else {
                found.push(*line);
                continue;
            };
            let name = source.word(*title).text;
            match self.blocks.positions.get(name) {
                Some(shared) => found.extend(shared.iter().filter(|line| !matches!(line.kind, LineKind::From(_)))),
                None => {
                    let names = || self.blocks.positions.keys().copied();
                    let help = did_you_mean(name, names()).unwrap_or_else(|| match one_of(names(), 9) {
                        list if list.is_empty() => {
                            "the file has no shared positions: they begin with a line `position \"corner\"`".to_owned()
                        }
                        list => format!("the positions are {list}"),
                    });
                    resolver.say(
                        Diagnostic::new("unknown_position", source, *title, format!("there is no position \"{name}\""))
                            .help(help),
                    );
                }
            }
        }
        found
    }

    fn houses(&mut self, resolver: &mut Resolver<'f>, game: &Game, lines: &[&Line]) -> Option<Vec<House>> {
        let source = &self.ast.source;
        let mut houses = Vec::new();
        for line in lines {
            let LineKind::WithHouse(span) = line.kind else { continue };
            let name = source.word(span).text;
            let asked = Diagnostic::new("unknown_house", source, span, format!("the game has no house rule `{name}`"));
            match game.house(&self.judge.shelf, name, &asked) {
                Ok(house) => houses.push(house),
                Err(wrong) => {
                    resolver.say(*wrong);
                    return None;
                }
            }
        }
        Some(houses)
    }
}

const fn always_of(kind: &LineKind, of_branch: bool) -> Option<Always> {
    match kind {
        LineKind::Always { each_event, island } => Some(Always { island: *island, each_event: *each_event, of_branch }),
        _ => None,
    }
}
