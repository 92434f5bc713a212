//! Plans scenario files and judges their tests. One for each thread: it keeps the loaded games and compiled rules.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use super::blocks::{self, Block};
use super::markdown;
use super::moves::{self, Standing};
use super::plan::{Always, Check, Plan, StepKind};
use super::position::{self, Frame};
use super::resolver::{Resolver, Row, names};
use super::runner;
use super::snapshots::{Snapshots, accepted_path};
use super::steps;
use super::suite::{PlannedTest, Suite};
use crate::diagnostic::{Diagnostic, did_you_mean, one_of};
use crate::game::{Game, House, Shelf};
use crate::rules::{Holes, Program};
use crate::source::{Host, Source, Span, Word};
use crate::syntax::ast::{File, Line, LineKind};
use crate::syntax::{FileKind, parse, parse_words};
use crate::table::{ClauseId, Setting, Table, Value};
use crate::trace::{Failure, Scene, Status, TestResult};

/// Where games are looked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JudgeOptions {
    /// A folder of games that goes before all others.
    pub games: Option<PathBuf>,
    /// The folder from which relative paths go out.
    pub working_folder: PathBuf,
}

/// Plans files and judges tests.
pub struct Judge<'h> {
    host: &'h (dyn Host + Sync),
    shelf: Shelf<'h>,
    games: BTreeMap<String, Loaded>,
    programs: BTreeMap<Vec<String>, Compiled>,
}

type Loaded = Result<Arc<Game>, Vec<Diagnostic>>;
type Compiled = Result<Rc<Program>, Vec<Diagnostic>>;

impl<'h> Judge<'h> {
    /// A judge over a host.
    #[must_use]
    pub fn new(host: &'h (dyn Host + Sync), options: JudgeOptions) -> Self {
        let shelf = Shelf::new(host, options.games, options.working_folder);
        Self { host, shelf, games: BTreeMap::new(), programs: BTreeMap::new() }
    }

    /// Everything that is wrong with a `.game` file and the files that belong to it.
    pub fn check_game(&mut self, file: &Path) -> Vec<Diagnostic> {
        match Game::of_file(&self.shelf, file) {
            Ok(game) => self.program(&Arc::new(game), &[]).err().unwrap_or_default(),
            Err(wrong) => wrong,
        }
    }

    /// Read a scenario file and resolve it against its games.
    pub fn plan(&mut self, file: &Path) -> Suite {
        let name = file.to_string_lossy().replace('\\', "/");
        let text = match self.host.read(file) {
            Ok(text) => text,
            Err(error) => {
                let problem = Diagnostic::general("unreadable_file", format!("cannot read {name}: {error}"));
                return Suite::unreadable(name, problem);
            }
        };
        let is_markdown = file.extension().is_some_and(|ending| ending == "md");
        let source = if is_markdown { markdown::source(&name, text) } else { Source::new(name.clone(), text) };
        let source = Arc::new(source);
        let (ast, mut problems) = parse(&source, FileKind::Scenario);
        let blocks = blocks::sort(&ast);
        problems.extend(blocks.wrong.iter().cloned());
        let mut tests = Vec::new();
        let mut missing: Vec<String> = Vec::new();
        for block in &blocks.scenarios {
            let planned =
                Planning { judge: self, ast: &ast, file, blocks: &blocks, block, missing: &mut missing }.tests();
            for (test, wrong) in planned {
                for diagnostic in wrong {
                    if !problems.contains(&diagnostic) {
                        problems.push(diagnostic);
                    }
                }
                tests.push(test);
            }
        }
        problems.sort_by_key(|problem| {
            problem.labels.first().map_or((false, 0), |label| (!Arc::ptr_eq(&label.source, &source), label.span.start))
        });
        let snapshots = Snapshots::load(self.host, &accepted_path(file));
        Suite { file: name, problems, snapshots, tests }
    }

    /// Run a test of a suite and judge it; nothing is run of a file that has mistakes.
    pub fn judge(&mut self, suite: &Suite, index: usize) -> TestResult {
        let Some(test) = suite.tests.get(index) else {
            return Self::result(suite, None, Status::Errored, Vec::new());
        };
        if !suite.problems.is_empty() {
            return Self::not_run(suite, test);
        }
        let Some(plan) = &test.plan else { return Self::result(suite, Some(test), Status::Skipped, Vec::new()) };
        match self.program(&plan.game, &plan.houses) {
            Ok(program) => {
                let given = runner::Run { watched: false, name: test.title(), accepted: Some(&suite.snapshots) };
                let outcome = runner::run(plan, &program, &given);
                let result = Self::result(suite, Some(test), outcome.status, outcome.failures);
                TestResult { snapshots: outcome.snapshots, ..result }
            }
            Err(wrong) => {
                Self::result(suite, Some(test), Status::Errored, wrong.into_iter().map(Failure::plain).collect())
            }
        }
    }

    /// The positions on the way through a test: the start, and each pause; nothing for a test that cannot be run.
    pub fn scenes(&mut self, suite: &Suite, index: usize) -> Vec<Scene> {
        let plan = suite.tests.get(index).filter(|_| suite.problems.is_empty()).and_then(|test| test.plan.as_ref());
        let program = plan.and_then(|plan| Some((plan, self.program(&plan.game, &plan.houses).ok()?)));
        let given = runner::Run { watched: true, ..runner::Run::default() };
        program.map(|(plan, program)| runner::run(plan, &program, &given).scenes).unwrap_or_default()
    }

    /// What may be done at the end of a test, or whether one action may; `words` is that action, or empty.
    ///
    /// # Errors
    /// The words name no action, or the test cannot be run.
    pub fn moves(&mut self, suite: &Suite, index: usize, words: &str) -> Result<Standing, Box<Diagnostic>> {
        let plan = suite.tests.get(index).and_then(|test| test.plan.as_ref());
        let Some(plan) = plan else {
            return Err(Box::new(Diagnostic::general("not_run", "this scenario cannot be run")));
        };
        match self.program(&plan.game, &plan.houses) {
            Ok(program) => moves::standing(plan, &program, words),
            Err(mut wrong) => Err(Box::new(wrong.swap_remove(0))),
        }
    }

    fn not_run(suite: &Suite, test: &PlannedTest) -> TestResult {
        let first = suite
            .problems
            .iter()
            .filter_map(|problem| problem.labels.first())
            .find(|label| label.source.name() == suite.file);
        let own: Vec<Failure> = match first {
            Some(label) => suite.problems_in(test, &label.source).cloned().map(Failure::plain).collect(),
            None => suite.problems.iter().cloned().map(Failure::plain).collect(),
        };
        let status = if own.is_empty() && first.is_some() { Status::Skipped } else { Status::Errored };
        Self::result(suite, Some(test), status, own)
    }

    fn result(suite: &Suite, test: Option<&PlannedTest>, status: Status, failures: Vec<Failure>) -> TestResult {
        TestResult {
            file: suite.file.clone(),
            scenario: test.map(|test| test.scenario.clone()).unwrap_or_default(),
            row: test.and_then(|test| test.row),
            branch: test.and_then(|test| test.branch.clone()),
            line: test.map_or(1, |test| test.line),
            status,
            snapshots: Vec::new(),
            failures,
        }
    }

    fn game(&mut self, file: &Path, id: &str, asked: &Diagnostic) -> Loaded {
        let folder = file.parent().map(|folder| folder.to_string_lossy().into_owned()).unwrap_or_default();
        let key = format!("{folder}\n{id}");
        if let Some(loaded) = self.games.get(&key) {
            return loaded.clone();
        }
        let loaded = Game::find(&self.shelf, file, id, asked).map(Arc::new);
        let loaded = loaded.and_then(|game| self.program(&game, &[]).map(|_| game));
        self.games.insert(key, loaded.clone());
        loaded
    }

    fn program(&mut self, game: &Arc<Game>, houses: &[House]) -> Compiled {
        let mut key = vec![game.schema.id.clone(), game.rules.name().to_owned()];
        key.extend(houses.iter().map(|house| house.name.clone()));
        if let Some(compiled) = self.programs.get(&key) {
            return compiled.clone();
        }
        let mut sources = vec![Arc::clone(&game.rules)];
        sources.extend(houses.iter().map(|house| Arc::clone(&house.source)));
        let compiled = Program::load(&game.schema, &sources).map(Rc::new);
        self.programs.insert(key, compiled.clone());
        compiled
    }
}

/// The planning of one scenario.
struct Planning<'j, 'h, 'f> {
    judge: &'j mut Judge<'h>,
    ast: &'f File,
    file: &'j Path,
    blocks: &'j blocks::Blocks<'f>,
    block: &'j Block<'f>,
    /// The games that were looked for in vain; each is reported once.
    missing: &'j mut Vec<String>,
}

type Planned = Vec<(PlannedTest, Vec<Diagnostic>)>;

impl<'f> Planning<'_, '_, 'f> {
    fn tests(mut self) -> Planned {
        let source = &self.ast.source;
        let game = match self.game() {
            Ok(game) => game,
            Err(wrong) => return vec![(self.test(None, None, None), wrong)],
        };
        let rows = match self.rows() {
            Ok(rows) => rows,
            Err(wrong) => return vec![(self.test(None, None, None), wrong)],
        };
        let mut planned = Vec::new();
        let rows: Vec<Option<&Row<'f>>> = if rows.is_empty() { vec![None] } else { rows.iter().map(Some).collect() };
        for row in rows {
            let mut resolver = Resolver { source, row: row.cloned(), wrong: Vec::new() };
            let stem = self.plan(&mut resolver, &game, &self.block.lines, None);
            planned.push((self.test(row, None, stem), resolver.wrong));
            for branch in &self.block.branches {
                let mut resolver = Resolver { source, row: row.cloned(), wrong: Vec::new() };
                let plan = self.plan(&mut resolver, &game, &self.block.lines, Some(&branch.lines));
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
        let game = game.map_err(|wrong| {
            let again = self.missing.iter().any(|missing| missing == id);
            self.missing.push(id.to_owned());
            if again { Vec::new() } else { wrong }
        })?;
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

    fn all_lines(&self) -> impl Iterator<Item = &'f Line> + '_ {
        self.block.lines.iter().chain(self.block.branches.iter().flat_map(|branch| &branch.lines)).copied()
    }

    fn plan(
        &mut self,
        resolver: &mut Resolver<'f>,
        (game, variant): &(Arc<Game>, usize),
        stem: &[&'f Line],
        branch: Option<&[&'f Line]>,
    ) -> Option<Plan> {
        let source = &self.ast.source;
        let lines: Vec<&'f Line> = stem.iter().chain(branch.unwrap_or_default()).copied().collect();
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
        let all: Vec<&Line> = self.all_lines().collect();
        let start = position::resolve(resolver, &frame, &position_lines, &all)?;
        let mut steps = Vec::new();
        let mut unjudged = 0;
        for (place, line) in lines.iter().enumerate() {
            if branch.is_some() && place == stem.len() {
                unjudged = steps.len();
            }
            steps::unsupported(resolver, line);
            if blocks::is_position(&line.kind) && !steps.is_empty() {
                resolver.say(
                    Diagnostic::new("misplaced_line", source, line.span, "the position stands before the play")
                        .help("move this line up, in front of the first line of play or expectation"),
                );
            }
            steps.extend(steps::resolve(resolver, &start.table, &program, line));
        }
        if branch.is_some_and(<[_]>::is_empty) {
            unjudged = steps.len();
        }
        let covers = covers(resolver, game, &lines);
        let always: Vec<Always> = lines.iter().filter_map(|line| always_of(&line.kind)).collect();
        let holes = holes(resolver, &start.table);
        let expected = steps.iter().filter_map(|step| match &step.kind {
            StepKind::Expect(Check::Island(span)) => Some(*span),
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
            unjudged,
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

const fn always_of(kind: &LineKind) -> Option<Always> {
    match kind {
        LineKind::Always { each_event, island } => Some(Always { island: *island, each_event: *each_event }),
        _ => None,
    }
}

/// The values of the table's row as values: what they name, else texts.
fn holes(resolver: &Resolver<'_>, table: &Table) -> Holes {
    let Some(row) = &resolver.row else { return Vec::new() };
    let value = |spans: &[Span]| {
        let words: Vec<Word<'_>> = spans.iter().map(|span| resolver.source.word(*span)).collect();
        match steps::any_value(names(table), &words, Span::default()) {
            Ok((value, taken)) if taken == words.len() => value,
            _ => Value::text(&words.iter().map(|word| word.text).collect::<Vec<_>>().join(" ")),
        }
    };
    row.values.iter().map(|(name, spans)| ((*name).to_owned(), value(spans))).collect()
}

/// What the options are set to: the defaults, then the house rules, then the scenario's lines.
fn options(resolver: &mut Resolver<'_>, game: &Game, program: &Program, lines: &[&Line]) -> Vec<Setting> {
    let schema = &game.schema;
    let mut options: Vec<Setting> = schema.options.iter().map(|option| option.choice.default()).collect();
    match program.settings() {
        Ok(settings) => {
            for (option, setting) in settings {
                if let Some(slot) = options.get_mut(option.index()) {
                    *slot = setting;
                }
            }
        }
        Err(wrong) => resolver.wrong.extend(wrong),
    }
    for line in lines {
        let LineKind::With { name, value } = line.kind else { continue };
        let words = resolver.words(&[name, value]);
        let [name, value] = words.as_slice() else { continue };
        let Some(id) = schema.option(name.text) else {
            let all = || schema.options.iter().map(|option| option.name.as_str());
            let help = did_you_mean(name.text, all()).unwrap_or_else(|| match one_of(all(), 12) {
                list if list.is_empty() => "this game has no options".to_owned(),
                list => format!("the options are {list}"),
            });
            resolver.say(
                Diagnostic::new(
                    "unknown_option",
                    resolver.source,
                    name.span,
                    format!("the game has no option `{}`", name.text),
                )
                .help(help),
            );
            continue;
        };
        let Some(option) = schema.options.get(id.index()) else { continue };
        match (option.choice.setting(value.text), options.get_mut(id.index())) {
            (Some(setting), Some(slot)) => *slot = setting,
            _ => {
                let values = option.choice.words();
                let help = did_you_mean(value.text, values.iter().map(String::as_str))
                    .unwrap_or_else(|| format!("its values are {}", one_of(values.iter().map(String::as_str), 9)));
                resolver.say(
                    Diagnostic::new(
                        "unknown_value",
                        resolver.source,
                        value.span,
                        format!("the option `{}` has no value `{}`", name.text, value.text),
                    )
                    .help(help),
                );
            }
        }
    }
    options
}

fn covers(resolver: &mut Resolver<'_>, game: &Game, lines: &[&Line]) -> Vec<(ClauseId, Span)> {
    let mut covers = Vec::new();
    for line in lines {
        let LineKind::Covers(spans) = &line.kind else { continue };
        for word in resolver.words(spans) {
            match game.schema.clause(word.text) {
                Some(clause) => covers.push((clause, word.span)),
                None => {
                    let all = || game.schema.clauses.iter().map(|clause| clause.id.as_str());
                    let help = did_you_mean(word.text, all()).unwrap_or_else(|| match one_of(all(), 30) {
                        list if list.is_empty() => {
                            "the game's rulebook has no clauses: they are paragraphs that begin with `[B4]`".to_owned()
                        }
                        list => format!("the clauses are {list}"),
                    });
                    resolver.say(
                        Diagnostic::new(
                            "unknown_clause",
                            resolver.source,
                            word.span,
                            format!("the rulebook has no clause `{}`", word.text),
                        )
                        .help(help),
                    );
                }
            }
        }
    }
    covers
}
