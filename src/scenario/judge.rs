//! Plans scenario files and judges their tests. One for each thread: it keeps the loaded games and compiled rules.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use crate::scenario::moves::{self, Standing};
use crate::scenario::odds::request::{self, Odds, OddsRequest};
use crate::scenario::plan::builder::{Planning, unused_position};
use crate::scenario::run::runner::{self, End};
use crate::scenario::plan::settings::house_board;
use crate::scenario::snapshots::{Snapshots, accepted_path};
use crate::scenario::plan::suite::{PlannedTest, Suite};
use crate::scenario::plan::blocks;
use crate::scenario::plan::markdown;
use crate::diagnostic::{Diagnostic, MAX_PROBLEMS, first_of};
use crate::game::{Game, House, Shelf, Unavailable};
use crate::play::divide;
use crate::rules::{Gauges, Program};
use crate::source::{Host, Source, Span};
use crate::syntax::{FileKind, parse};
use crate::trace::{Failure, Scene, Status, TestResult};

/// The most tests of a file.
const MOST_TESTS: usize = 100_000;
/// The most mistakes that the tests of a file repeat, all together: what all rows of a long table share is told by each.
const MOST_TOLD: usize = 50_000;

/// Where games are looked for.
#[derive(Clone, Debug, Default)]
pub struct JudgeOptions {
    /// A folder of games that goes before all others.
    pub games: Option<PathBuf>,
    /// The folder from which relative paths go out.
    pub working_folder: PathBuf,
    /// What the library cannot tell by itself: stops rules that take too much time or memory in ways that are not counted.
    pub gauges: Option<Gauges>,
}

/// Plans files and judges tests.
pub struct Judge<'h> {
    host: &'h (dyn Host + Sync),
    pub(crate) shelf: Shelf<'h>,
    games: BTreeMap<String, Loaded>,
    programs: BTreeMap<Vec<String>, Compiled>,
    gauges: Option<Gauges>,
}

/// The ways in which play can go on from the end of a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counted {
    /// How many sequences begin with each answer.
    pub counts: Vec<(String, u64)>,
    /// How play came to where they begin; none are counted if it stopped before.
    pub end: End,
}

/// A game, or why there is none, in words that hold for whoever asks next.
type Loaded = Result<Arc<Game>, Unavailable>;
type Compiled = Result<Rc<Program>, Vec<Diagnostic>>;

/// What tells a mistake from others.
type Mistake = (&'static str, String, Vec<(String, Span)>);

fn key(mistake: &Diagnostic) -> Mistake {
    let places = mistake.labels.iter().map(|label| (label.source.name().to_owned(), label.span));
    (mistake.code, mistake.message.clone(), places.collect())
}

/// Returns the tests that are called like one before them: the values of a table may make two titles the same.
fn same_names(source: &Arc<Source>, tests: &[PlannedTest]) -> Vec<Diagnostic> {
    let mut names = BTreeSet::new();
    let mut wrong = Vec::new();
    // Titles that are the same without a table are reported where lines are sorted.
    for test in tests.iter().filter(|test| test.branch.is_some() && test.row.is_some()) {
        if !names.insert(test.name()) && wrong.len() < MAX_PROBLEMS {
            let message = format!("two tests of this file are called \"{}\"", test.title());
            let twice = Diagnostic::new("duplicate_name", source, source.line_span(test.line), message);
            wrong.push(twice.help("let the titles of branches differ by more than the values of a row"));
        }
    }
    wrong
}

impl<'h> Judge<'h> {
    /// Returns a judge over a host.
    #[must_use]
    pub fn new(host: &'h (dyn Host + Sync), options: JudgeOptions) -> Self {
        let shelf = Shelf::new(host, options.games, options.working_folder);
        Self { host, shelf, games: BTreeMap::new(), programs: BTreeMap::new(), gauges: options.gauges }
    }

    /// Returns everything that is wrong with a `.game` file and the files that belong to it, house rules included.
    pub fn check_game(&mut self, file: &Path) -> Vec<Diagnostic> {
        let mut wrong = self.wrong_with_game(file);
        first_of(&mut wrong);
        wrong
    }

    fn wrong_with_game(&mut self, file: &Path) -> Vec<Diagnostic> {
        let game = match Game::of_file(&self.shelf, file) {
            Ok(game) => Arc::new(game),
            Err(wrong) => return wrong,
        };
        if let Err(wrong) = self.program(&game, &[]) {
            return wrong;
        }
        let mut wrong = Vec::new();
        let names = match game.house_names(&self.shelf) {
            Ok(names) => names,
            Err(unread) => return vec![*unread],
        };
        for name in names {
            let asked = Diagnostic::general("unknown_house", format!("cannot read the house rule `{name}`"));
            match game.house(&self.shelf, &name, &asked) {
                Err(unread) => wrong.push(*unread),
                Ok(house) => match self.program(&game, &[house]) {
                    Err(more) => wrong.extend(more),
                    Ok(program) => {
                        wrong.extend(program.settings().err().into_iter().flatten());
                        wrong.extend(house_board(&game, &program).err().map(|wrong| *wrong));
                    }
                },
            }
        }
        wrong
    }

    /// Returns the sequences of `depth` answers that can follow the end of a test, split by the first; and how play
    /// came to that end.
    ///
    /// # Errors
    /// The test cannot be run, or the rules go wrong behind its end.
    pub fn perft(&mut self, suite: &Suite, index: usize, depth: usize) -> Result<Counted, Vec<Diagnostic>> {
        let plan = suite.tests.get(index).and_then(|test| test.plan.as_ref());
        let Some(plan) = plan else {
            return Err(vec![Diagnostic::general("not_run", "this scenario cannot be run")]);
        };
        let program = self.program(&plan.game, &plan.houses)?;
        runner::play(plan, &program, |machine, end| {
            // From a pause in the middle other numbers would come than from the end.
            let counts = if end.broken { Ok(Vec::new()) } else { divide(machine, depth) };
            counts.map(|counts| Counted { counts, end }).map_err(|wrong| vec![*wrong])
        })
    }

    /// Returns the odds at the end of a test, where play comes so far; and how it came there.
    ///
    /// # Errors
    /// The test cannot be run, the request cannot be read, a decision is not settled, or there are too many states.
    pub fn odds(
        &mut self,
        suite: &Suite,
        index: usize,
        request: &OddsRequest,
    ) -> Result<(Option<Odds>, End), Vec<Diagnostic>> {
        let plan = suite.tests.get(index).and_then(|test| test.plan.as_ref());
        let Some(plan) = plan else {
            return Err(vec![Diagnostic::general("not_run", "this scenario cannot be run")]);
        };
        let program = self.program(&plan.game, &plan.houses)?;
        runner::play(plan, &program, |machine, end| match end.broken {
            true => Ok((None, end)),
            false => request::odds(&program, machine, request).map(|odds| (Some(odds), end)),
        })
    }

    /// Reads a scenario file and resolves it against its games.
    pub fn plan(&mut self, file: &Path) -> Suite {
        let name = file.to_string_lossy().replace('\\', "/");
        let text = match self.host.read(file) {
            Ok(text) => text,
            Err(error) => {
                return Suite::unreadable(name, &error);
            }
        };
        let is_markdown = file.extension().is_some_and(|ending| ending == "md");
        let (source, wrong) =
            if is_markdown { markdown::source(&name, text) } else { (Arc::new(Source::new(name, text)), Vec::new()) };
        self.plan_text(file, source, wrong)
    }

    /// Resolves the text of a scenario file against its games; `blocks_wrong` is what is wrong with it already.
    pub(crate) fn plan_text(&mut self, file: &Path, source: Arc<Source>, blocks_wrong: Vec<Diagnostic>) -> Suite {
        let name = source.name().to_owned();
        let (ast, mut problems) = parse(&source, FileKind::Scenario);
        problems.extend(blocks_wrong);
        let read = problems.is_empty();
        let blocks = blocks::sort(&ast, !read);
        problems.extend(blocks.wrong.iter().cloned());
        let mut tests = Vec::new();
        let mut missing = BTreeSet::new();
        // The rows of a table share most of their mistakes.
        let mut told: HashSet<Mistake> = problems.iter().map(key).collect();
        for block in &blocks.scenarios {
            let room = MOST_TESTS.saturating_sub(tests.len());
            let planned = Planning {
                judge: self,
                ast: &ast,
                file,
                blocks: &blocks,
                block,
                missing: &mut missing,
                room,
                table: None,
            }
            .tests();
            for (test, wrong) in planned {
                for diagnostic in wrong {
                    if problems.len() < MAX_PROBLEMS && told.insert(key(&diagnostic)) {
                        problems.push(diagnostic);
                    }
                }
                tests.push(test);
            }
            if tests.len() >= MOST_TESTS && blocks.scenarios.last().is_some_and(|last| !std::ptr::eq(last, block)) {
                let message = format!("a file holds {MOST_TESTS} tests at most: scenarios, rows of tables, branches");
                let wrong = Diagnostic::new("too_many_tests", &source, block.head.span, message);
                problems.push(wrong.help("share the scenarios out to several files"));
                break;
            }
        }
        problems.extend(same_names(&source, &tests));
        // Where lines could not be read, one of them may have named the position.
        let misnamed = problems.iter().any(|problem| problem.code == "unknown_position");
        for shared in blocks.unused(&source).filter(|_| read && !misnamed) {
            let wrong = unused_position(self, &ast, file, shared);
            problems.extend(wrong.into_iter().filter(|wrong| told.insert(key(wrong))));
        }
        for used in blocks.uses.iter().filter(|used| {
            !blocks.scenarios.iter().any(|block| block.used.is_some_and(|other| other.game == used.game))
        }) {
            let asked = Diagnostic::new(
                "unknown_game",
                &source,
                used.game,
                format!("there is no game `{}`", source.word(used.game).text),
            );
            problems.extend(self.game(file, source.word(used.game).text, &asked).err().into_iter().flatten());
        }
        problems.sort_by_key(|problem| {
            problem.labels.first().map_or((false, 0), |label| (!Arc::ptr_eq(&label.source, &source), label.span.start))
        });
        if problems.len() >= MAX_PROBLEMS {
            problems.truncate(MAX_PROBLEMS);
            let message = format!("the first {MAX_PROBLEMS} mistakes of this file are shown");
            problems.push(Diagnostic::general("too_many_mistakes", message).help("is this the file that you meant?"));
        }
        let accepted = accepted_path(file);
        let snapshots = Snapshots::load(self.host, &accepted).unwrap_or_else(|wrong| {
            problems.extend(wrong);
            Snapshots::default()
        });
        Suite { file: name, source: Some(source), problems, snapshots, tests }
    }

    /// Runs a test of a suite and judges it; nothing is run of a file that has mistakes.
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
                let given = runner::Run { watched: false, name: test.name(), accepted: Some(&suite.snapshots) };
                let outcome = runner::run(plan, &program, &given);
                let result = Self::result(suite, Some(test), outcome.status, outcome.failures);
                TestResult { snapshots: outcome.snapshots, ..result }
            }
            Err(wrong) => {
                Self::result(suite, Some(test), Status::Errored, wrong.into_iter().map(Failure::plain).collect())
            }
        }
    }

    /// Returns the positions on the way through a test: the start, and each pause; nothing for a test that cannot be
    /// run. And how play came out.
    pub fn scenes(&mut self, suite: &Suite, index: usize) -> (Vec<Scene>, End) {
        let plan = suite.tests.get(index).filter(|_| suite.problems.is_empty()).and_then(|test| test.plan.as_ref());
        let program = plan.and_then(|plan| Some((plan, self.program(&plan.game, &plan.houses).ok()?)));
        program.map(|(plan, program)| runner::scenes(plan, &program)).unwrap_or_default()
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
        let most = (MOST_TOLD / suite.tests.len().max(1)).max(1);
        let own: Vec<Failure> = suite.problems_in(test).take(most).cloned().map(Failure::plain).collect();
        let status = if own.is_empty() { Status::Skipped } else { Status::Errored };
        Self::result(suite, Some(test), status, own)
    }

    fn result(suite: &Suite, test: Option<&PlannedTest>, status: Status, failures: Vec<Failure>) -> TestResult {
        TestResult {
            file: suite.file.clone(),
            scenario: test.map(|test| test.scenario.clone()).unwrap_or_default(),
            row: test.and_then(|test| test.row),
            branch: test.and_then(|test| test.branch.clone()),
            line: test.map_or(1, |test| test.line),
            loose: false,
            status,
            snapshots: Vec::new(),
            failures,
        }
    }

    /// Returns the game of this name for a file, its rules compiled; `asked` is where the file names it.
    pub(crate) fn game(&mut self, file: &Path, id: &str, asked: &Diagnostic) -> Result<Arc<Game>, Vec<Diagnostic>> {
        self.loaded(file, id).map_err(|why| why.told(asked))
    }

    fn loaded(&mut self, file: &Path, id: &str) -> Loaded {
        let folder = file.parent().map(|folder| folder.to_string_lossy().into_owned()).unwrap_or_default();
        let key = format!("{folder}\n{id}");
        if let Some(loaded) = self.games.get(&key) {
            return loaded.clone();
        }
        let loaded = Game::look(&self.shelf, file, id).map(Arc::new);
        let loaded = loaded.and_then(|game| match self.program(&game, &[]) {
            Ok(_) => Ok(game),
            Err(mut wrong) => {
                first_of(&mut wrong);
                Err(Unavailable::Wrong(wrong))
            }
        });
        self.games.insert(key, loaded.clone());
        loaded
    }

    pub(crate) fn program(&mut self, game: &Arc<Game>, houses: &[House]) -> Compiled {
        let mut key = vec![game.schema.id.clone(), game.rules.name().to_owned()];
        key.extend(houses.iter().map(|house| house.name.clone()));
        if let Some(compiled) = self.programs.get(&key) {
            return compiled.clone();
        }
        let mut sources = vec![Arc::clone(&game.rules)];
        sources.extend(houses.iter().map(|house| Arc::clone(&house.source)));
        let compiled = Program::load(&game.schema, &sources, self.gauges).map(Rc::new);
        self.programs.insert(key, compiled.clone());
        compiled
    }
}
