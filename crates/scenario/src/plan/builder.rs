//! Builds the plans of one scenario: one for each row and each branch.

use std::collections::BTreeSet;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use crate::loader::Loader;
use crate::plan::absent;
use crate::plan::blocks::{self, Block};
use crate::plan::collected::{Taker, filled};
use crate::plan::houses;
use crate::plan::model::{Always, Fork, Judged, Plan, Step, StepKind};
use crate::plan::players::Mentioned;
use crate::plan::position::{self, Frame, Origin};
use crate::plan::reading::Reading;
use crate::plan::resolver::{Resolver, Row};
use crate::plan::settings::{covers, house_board, options, placeholders};
use crate::plan::steps;
use crate::plan::strategy;
use crate::plan::suite::PlannedTest;
use crate::plan::tables;
use referee_diagnostic::{Code, Diagnostic, Label, did_you_mean, one_of};
use referee_game::{Game, House};
use referee_rules::{Placeholders, Program};
use referee_source::{Source, Span, Word, texts};
use referee_syntax::ast::{File, Line, LineKind};
use referee_table::{Table, Value};

/// Returns the error for a shared position that no scenario uses, and the errors in the position.
pub(crate) fn unused_position(
    loader: &mut Loader<'_>,
    ast: &File,
    file: &Path,
    shared: &blocks::Shared<'_>,
) -> Vec<Diagnostic> {
    let source = &ast.source;
    let message = format!("no scenario uses the position \"{}\"", source.word(shared.title).text);
    let help = format!("use it with a line `from {}`, or remove it", source.slice(shared.title));
    let mut resolver = Resolver::without_rows(source);
    resolver.report(Diagnostic::new(Code::UnusedPosition, source, shared.head.span, message).help(help));
    let Some(used) = shared.used else { return resolver.wrong };
    let asked = Diagnostic::new(Code::UnknownGame, source, used.game, "unknown game");
    // The errors of the game are reported elsewhere.
    let Ok(game) = loader.game(file, source.word(used.game).text, &asked) else { return resolver.wrong };
    let variant = match used.variant.map(|span| source.word(span).text) {
        None => 0,
        Some(name) => match game.schema.variants.iter().position(|variant| variant.name == name) {
            Some(variant) => variant,
            // The board and the pieces of the position are not known.
            None => return resolver.wrong,
        },
    };
    let options = game.schema.option_values(variant);
    let lines: Vec<(Origin, &Line)> = shared.lines.iter().map(|line| (Origin::Shared, *line)).collect();
    let frame = Frame { game: &game, variant, options, board: None, own_setup: false };
    let mentioned = Mentioned::of(source, shared.lines.iter().copied());
    let _ = position::resolve(&mut resolver, &frame, &lines, &mentioned, shared.head.span);
    resolver.wrong
}

/// The errors about names that are reported once for a file.
pub(crate) struct Found<'j> {
    /// The games that were not found; each is reported once.
    pub(crate) missing: &'j mut BTreeSet<String>,
    /// Whether a line names a position that there is not.
    pub(crate) misnamed: &'j mut bool,
    /// The number of bytes that the lines of the other tests may have, those of each row and branch counted.
    pub(crate) lines: &'j mut usize,
}

/// The builder of the plans of one scenario.
pub(crate) struct Planning<'j, 'h, 'f> {
    pub(crate) loader: &'j mut Loader<'h>,
    pub(crate) ast: &'f File,
    pub(crate) file: &'j Path,
    pub(crate) blocks: &'j blocks::Blocks<'f>,
    pub(crate) block: &'j Block<'f>,
    pub(crate) found: Found<'j>,
    /// The largest number of tests that the scenario may have.
    pub(crate) room: usize,
    /// The span of its table.
    pub(crate) table: Option<Span>,
    /// The options and house rules besides those of the scenario.
    pub(crate) reading: &'j Reading,
    /// The flag of the command line that names a house rule, if the scenario is its words.
    pub(crate) house_flag: Option<&'static str>,
}

/// The largest number of bytes of the lines of all tests of a file, those of each row and branch counted.
pub(crate) const MAX_LINES: usize = 256 << 20;

/// The largest number of branches of a scenario: each plays the whole scenario again.
const MAX_BRANCHES: usize = 1000;

impl<'f> Planning<'_, '_, 'f> {
    /// Passes the tests of the scenario to `taker`, one by one: all their plans would be many times as large as the text.
    pub(crate) fn tests(mut self, taker: &mut dyn Taker) {
        let source = &self.ast.source;
        let game = match self.game() {
            Ok(game) => game,
            Err(wrong) => return self.unplanned(wrong, taker),
        };
        let named = self.named(&game.0);
        let examples = match tables::examples(source, &named.schema, self.block, &self.blocks.columns) {
            Ok(examples) => examples,
            Err((mut wrong, row)) => {
                // One row is enough to look at the other lines.
                if let Some(row) = row {
                    let mut resolver = Resolver::new(source, Some(row));
                    let mentioned = self.mentioned(resolver.row.as_ref());
                    let _ = self.plan(&mut resolver, &game, &mentioned, &self.block.lines, None);
                    wrong.extend(resolver.wrong);
                }
                return taker.take(self.test(None, None, None), wrong);
            }
        };
        if let Some(branch) = self.block.branches.get(MAX_BRANCHES) {
            let message = format!("a scenario has at most {MAX_BRANCHES} branches");
            let wrong = vec![Diagnostic::new(Code::TooManyTests, source, branch.head.span, message)];
            return taker.take(self.test(None, None, None), wrong);
        }
        let rows = examples.as_ref().map_or(0, |examples| examples.rows.len());
        if rows.max(1) * (1 + self.block.branches.len()) > self.room {
            let message = format!("this scenario has {rows} rows, too many for one file");
            let wrong = vec![Diagnostic::new(Code::TooManyTests, source, self.block.head.span, message)];
            return taker.take(self.test(None, None, None), wrong);
        }
        self.table = examples.as_ref().map(|examples| examples.span);
        let mut right = !self.blocks.unread;
        for at in 0..rows.max(1) {
            let row = examples.as_ref().and_then(|examples| examples.rows.row(at).ok());
            right &= self.row(row.as_ref(), &game, taker);
        }
        // If there are other errors, one of them may be the misspelt placeholder.
        if let (true, Some(examples)) = (right, examples) {
            taker.report(examples.unused);
        }
    }

    /// Returns the game with what the house rules declare that the lines name; those that are wrong are reported later.
    fn named(&self, game: &Arc<Game>) -> Arc<Game> {
        let asked = Diagnostic::general(Code::UnknownHouse, "unknown house rule");
        let names = self.block.lines.iter().filter_map(|line| match line.kind {
            LineKind::WithHouse(span) => Some(self.ast.source.word(span).text),
            _ => None,
        });
        let houses: Vec<House> = names.filter_map(|name| self.loader.house(game, name, &asked).ok()).collect();
        self.loader.housed(game, &houses).unwrap_or_else(|_| Arc::clone(game))
    }

    /// Passes the tests of a row to `taker`; returns whether all of them are right.
    fn row(&mut self, row: Option<&Row<'f>>, game: &(Arc<Game>, usize), taker: &mut dyn Taker) -> bool {
        let mut mentioned = None;
        let mut right = true;
        let blocks = self.block;
        for branch in std::iter::once(None).chain(blocks.branches.iter().map(Some)) {
            if !taker.is_wanted() {
                taker.take(self.test(row, branch, None), Vec::new());
                right = false;
                continue;
            }
            let mentioned = mentioned.get_or_insert_with(|| self.mentioned(row));
            let mut resolver = Resolver::new(&self.ast.source, row.cloned());
            let plan = self.plan(&mut resolver, game, mentioned, &blocks.lines, branch);
            right &= resolver.wrong.is_empty();
            if !resolver.wrong.is_empty() {
                let names = blocks.lines.iter().filter_map(|line| match line.kind {
                    LineKind::WithHouse(span) => resolver.words(&[span]).first().map(|word| word.text),
                    _ => None,
                });
                let used: Vec<&str> = names.collect();
                houses::hint(self.loader, (&game.0, &used), &mut resolver.wrong, (&self.ast.source, self.house_flag));
            }
            taker.take(self.test(row, branch, plan), resolver.wrong);
        }
        right
    }

    /// Passes the tests of a scenario whose game has errors, which the first one gets. They are as many as without
    /// errors, if their table can be read.
    fn unplanned(&mut self, wrong: Vec<Diagnostic>, taker: &mut dyn Taker) {
        let examples = tables::rows(&self.ast.source, self.block);
        let (span, rows) = examples.map_or((None, None), |(span, rows)| (Some(span), Some(rows)));
        let branches = self.block.branches.len();
        let count = rows.as_ref().map_or(0, tables::Rows::len);
        if branches > MAX_BRANCHES || count.max(1) * (1 + branches) > self.room {
            return taker.take(self.test(None, None, None), wrong);
        }
        self.table = span;
        let mut wrong = Some(wrong);
        let mut add = |row: Option<&Row<'f>>| {
            let block = self.block;
            for branch in std::iter::once(None).chain(block.branches.iter().map(Some)) {
                taker.take(self.test(row, branch, None), wrong.take().unwrap_or_default());
            }
        };
        let mut any = false;
        for row in rows.iter().flat_map(tables::Rows::iter) {
            any = true;
            add(Some(&row));
        }
        if !any {
            add(None);
        }
    }

    fn test(&self, row: Option<&Row<'f>>, branch: Option<&blocks::Branch<'f>>, plan: Option<Plan>) -> PlannedTest {
        let source = &self.ast.source;
        let head = branch.map_or(self.block.head, |branch| branch.head);
        let start = row.map_or(head.span.start, |row| row.span.start);
        PlannedTest {
            scenario: filled(source, self.block.title, row).into(),
            row: row.map(|row| row.number),
            branch: branch.map(|branch| filled(source, branch.title, row).into()),
            game: self.block.used.map(|used| source.word(used.game).text.into()),
            cites: self.cites(branch),
            line: source.line(start),
            own: branch.map(|branch| {
                let last = branch.lines.last().map_or(branch.head.span, |line| blocks::whole(line));
                branch.head.span.to(last)
            }),
            extent: self.block.extent,
            rows: self.table.zip(row.map(|row| row.span)),
            plan: plan.map(Arc::new),
        }
    }

    /// Returns the texts of the `cites` lines of the scenario and of this branch.
    fn cites(&self, branch: Option<&blocks::Branch<'f>>) -> Option<Box<str>> {
        let lines = self.block.lines.iter().chain(branch.iter().flat_map(|branch| &branch.lines));
        let cited = lines.filter_map(|line| match line.kind {
            LineKind::Cites(place) => Some(self.ast.source.word(place).text),
            _ => None,
        });
        let cited: Vec<&str> = cited.collect();
        (!cited.is_empty()).then(|| cited.join("; ").into())
    }

    fn game(&mut self) -> Result<(Arc<Game>, usize), Vec<Diagnostic>> {
        let source = &self.ast.source;
        let Some(used) = self.block.used else {
            if self.blocks.use_unread {
                return Err(Vec::new());
            }
            let wrong = Diagnostic::new(
                Code::MissingLine,
                source,
                self.block.head.span,
                "no line says which game this scenario plays",
            );
            return Err(vec![wrong.help("write a line `use GAME` or `use GAME VARIANT` above it")]);
        };
        let id = source.word(used.game).text;
        if let Some(span) =
            [Some(used.game), used.variant].into_iter().flatten().find(|span| is_placeholder(source, *span))
        {
            let wrong = Diagnostic::new(Code::BadPlaceholder, source, span, "a placeholder is not allowed here");
            return Err(vec![wrong.help("write the name itself: all rows of a table use the same game and variant")]);
        }
        let asked = Diagnostic::new(Code::UnknownGame, source, used.game, format!("unknown game `{id}`"));
        let game = self.loader.game(self.file, id, &asked);
        let game = game.map_err(|wrong| if self.found.missing.insert(id.to_owned()) { wrong } else { Vec::new() })?;
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
            vec![Diagnostic::new(Code::UnknownVariant, source, span, format!("unknown variant `{name}`")).help(help)]
        })
    }

    /// Returns the players and tokens that the scenario mentions, including its branches and the shared positions that
    /// it uses.
    fn mentioned(&self, row: Option<&Row<'f>>) -> Mentioned<'f> {
        let source = &self.ast.source;
        let shared = self.all_lines().filter_map(|line| match &line.kind {
            LineKind::From(title) => {
                let title = row.and_then(|row| row.value(source, *title)).unwrap_or(*title);
                self.blocks.positions.get(source.word(title).text)
            }
            _ => None,
        });
        let lines = self.all_lines().chain(shared.flat_map(|shared| &shared.lines).copied());
        let mentioned = Mentioned::of(source, lines);
        row.map_or_else(|| mentioned.clone(), |row| mentioned.with(source, row))
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
        if !self.charge(resolver, lines.iter().copied()) {
            return None;
        }
        let own = self.houses(resolver, game, &lines)?;
        let houses = self.with_reading(resolver, game, &own)?;
        let own = self.program(resolver, game, &own, &lines)?;
        let program = self.program(resolver, game, &houses, &lines)?;
        let game = &self.loader.housed(game, &houses).map_err(|wrong| resolver.report_all(wrong)).ok()?;
        let options = options(resolver, (game, *variant), (&program, &own), &lines, self.reading);
        let position_lines = self.position_lines(resolver, &lines, stem.len())?;
        let own_setup = self.all_lines().any(|line| matches!(line.kind, LineKind::Setup));
        let board = match house_board(game, &program) {
            Ok(board) => board,
            Err(wrong) => {
                resolver.report(*wrong);
                return None;
            }
        };
        let frame = Frame { game, variant: *variant, options: options.values, board, own_setup };
        let head = self.block.head.span;
        let start = match position::resolve(resolver, &frame, &position_lines, mentioned, head) {
            Ok(start) => start,
            Err(table) => {
                // The play can be looked at without the pieces.
                table.iter().for_each(|table| drop(played(resolver, table, &program, &lines, stem.len())));
                return None;
            }
        };
        let in_position: Vec<&Line> = position_lines.iter().map(|(_, line)| *line).collect();
        let variant = game.schema.variants.get(*variant).filter(|_| {
            let from_set_up = in_position.iter().any(|line| matches!(line.kind, LineKind::FromSetup));
            from_set_up || !position::replaces_set_up(&in_position)
        });
        let set_up = variant.map(|variant| variant.clauses.clone()).unwrap_or_default();
        let Played { placeholders, steps, fork, always } = played(resolver, &start.table, &program, &lines, stem.len());
        let covers = covers(resolver, game, &lines);
        resolver.wrong.is_empty().then(|| Plan {
            game: Arc::clone(game),
            houses,
            source: Arc::clone(source),
            head: self.block.head.span,
            start,
            steps,
            branch: branch.map(|branch| Fork { step: fork, head: branch.head.span }),
            forks: !self.block.branches.is_empty(),
            always,
            placeholders,
            row: resolver.row.iter().flat_map(|row| row.written(source)).collect(),
            covers,
            set_up,
            own_options: options.own,
        })
    }

    /// Returns the compiled rules, or reports their errors.
    fn program(
        &mut self,
        resolver: &mut Resolver<'f>,
        game: &Arc<Game>,
        houses: &[House],
        lines: &[&'f Line],
    ) -> Option<Rc<Program>> {
        let wrong = match self.loader.program(game, houses) {
            Ok(program) => return Some(program),
            Err(wrong) => wrong,
        };
        // Both are right alone: the line that brings them together is what is wrong.
        let wrong = match houses {
            [.., last]
                if houses.len() > 1
                    && houses.iter().any(|house| house.declared.is_some())
                    && self.loader.fits_alone(game, houses) =>
            {
                let is_last = |word: &Word<'_>| word.text == last.name;
                let line = lines.iter().rev().find_map(|line| match line.kind {
                    LineKind::WithHouse(span) => resolver.words(&[span]).into_iter().find(is_last),
                    _ => None,
                });
                let others: Vec<&str> = houses.iter().rev().skip(1).rev().map(|house| house.name.as_str()).collect();
                let place = line.map(|word| Label::new(word.source, word.span, "this brings them together"));
                wrong.into_iter().map(|wrong| houses::apart(wrong, &last.name, &others, place.clone())).collect()
            }
            _ => wrong,
        };
        resolver.report_all(wrong);
        None
    }

    /// Returns the position lines, with the lines of shared positions in place of `from` lines.
    fn position_lines(
        &mut self,
        resolver: &mut Resolver<'f>,
        lines: &[&'f Line],
        stem: usize,
    ) -> Option<Vec<(Origin, &'f Line)>> {
        let source = &self.ast.source;
        let mut found = Vec::new();
        for (at, line) in lines.iter().enumerate().filter(|(_, line)| blocks::is_position(&line.kind)) {
            let LineKind::From(title) = &line.kind else {
                found.push((if at < stem { Origin::Scenario } else { Origin::Branch }, *line));
                continue;
            };
            let words = resolver.words(&[*title]);
            let Some(word) = words.first() else { continue };
            let (name, place) = (word.text, word.span);
            match self.blocks.positions.get(name) {
                Some(shared) if self.charge(resolver, shared.lines.iter().copied()) => {
                    found.extend(shared.lines.iter().map(|line| (Origin::Shared, *line)));
                }
                Some(_) => return None,
                None => {
                    let names = || self.blocks.positions.keys().copied();
                    let help = did_you_mean(name, names()).unwrap_or_else(|| match one_of(names(), 9) {
                        list if list.is_empty() => {
                            "add a shared position, which begins with a line `position \"NAME\"`: the file has none"
                                .to_owned()
                        }
                        list => format!("the positions are {list}"),
                    });
                    *self.found.misnamed = true;
                    resolver.report(
                        Diagnostic::new(Code::UnknownPosition, source, place, format!("unknown position \"{name}\""))
                            .help(help),
                    );
                }
            }
        }
        Some(found)
    }

    /// Charges the lines of a test; returns whether its file may still have so many. Reports it once if not.
    fn charge(&mut self, resolver: &mut Resolver<'f>, lines: impl Iterator<Item = &'f Line>) -> bool {
        let bytes = lines
            .map(|line| if matches!(line.kind, LineKind::Examples(_)) { 0 } else { blocks::whole(line).range().len() });
        match self.found.lines.checked_sub(bytes.sum::<usize>()) {
            Some(left) => {
                *self.found.lines = left;
                true
            }
            None => {
                if *self.found.lines > 0 {
                    let megabytes = MAX_LINES >> 20;
                    let message = format!(
                        "the tests of this file have more than {megabytes} MiB of lines, those of each row and branch counted"
                    );
                    let wrong = Diagnostic::new(Code::TooManyTests, resolver.source, self.block.head.span, message);
                    resolver.report(
                        wrong.help("write shorter scenarios, or fewer rows and branches; or use several files"),
                    );
                }
                *self.found.lines = 0;
                false
            }
        }
    }

    fn houses(&mut self, resolver: &mut Resolver<'f>, game: &Game, lines: &[&Line]) -> Option<Vec<House>> {
        let source = &self.ast.source;
        let mut houses = Vec::new();
        for line in lines {
            let LineKind::WithHouse(span) = line.kind else { continue };
            let words = resolver.words(&[span]);
            let name = words.first()?.text;
            let place = words.first()?.span;
            if let Some(extra) = words.get(1) {
                let wrong =
                    Diagnostic::new(Code::WrongForm, source, extra.span, "expected one house rule on this line");
                resolver.report(wrong.help("write a line `with house …` for each; put a name with spaces in quotes"));
                return None;
            }
            let asked = Diagnostic::new(Code::UnknownHouse, source, place, format!("unknown house rule `{name}`"));
            match self.loader.house(game, name, &asked) {
                Ok(house) if houses.contains(&house) => {
                    let message = format!("the house rule `{name}` is already in use");
                    resolver
                        .report(Diagnostic::new(Code::DuplicateLine, source, place, message).help("remove this line"));
                }
                Ok(house) => houses.push(house),
                Err(wrong) => {
                    resolver.report(*wrong);
                    return None;
                }
            }
        }
        Some(houses)
    }

    /// Returns the house rules of the scenario, and over them those of the reading that it does not have itself.
    fn with_reading(&self, resolver: &mut Resolver<'f>, game: &Game, own: &[House]) -> Option<Vec<House>> {
        let mut houses = own.to_vec();
        for name in &self.reading.houses {
            let asked = Diagnostic::general(Code::UnknownHouse, format!("unknown house rule `{name}`"));
            match self.loader.house(game, name, &asked) {
                Ok(house) if houses.contains(&house) => {}
                Ok(house) => houses.push(house),
                Err(wrong) => {
                    resolver.report(*wrong);
                    return None;
                }
            }
        }
        Some(houses)
    }
}

/// The play of a scenario.
struct Played {
    placeholders: Placeholders,
    steps: Vec<Step>,
    /// The index of the first step of the branch.
    fork: usize,
    always: Vec<Always>,
}

/// Resolves the lines of play, and compiles their expressions. The first `stem` lines are those before the branch.
fn played(resolver: &mut Resolver<'_>, table: &Table, program: &Program, lines: &[&Line], stem: usize) -> Played {
    let placeholders = placeholders(resolver, table);
    let (steps, fork) = resolve_steps(resolver, (table, &placeholders), program, lines, stem);
    let always = lines.iter().enumerate();
    let always: Vec<Always> =
        always.filter_map(|(place, line)| always_of(resolver.source, &line.kind, place >= stem)).collect();
    let expressions = expressions_of(&steps).chain(always.iter().map(|always| always.expression));
    for expression in expressions {
        let place = (resolver.source, expression);
        let mixed = mixed_values(resolver, program, expression);
        if !mixed.is_empty() {
            resolver.report_all(mixed);
        } else if let Err(wrong) = absent::compile(program, table, place, &placeholders) {
            let wrong = with_values(resolver, (program, table), expression, &placeholders, wrong);
            resolver.report_all(wrong);
        }
    }
    Played { placeholders, steps, fork, always }
}

/// Returns the errors for values of the table in an expression that are a text in quotes and more.
fn mixed_values(resolver: &Resolver<'_>, program: &Program, expression: Span) -> Vec<Diagnostic> {
    let source = resolver.source;
    let is_mixed = |words: &[Span]| words.len() > 1 && words.iter().any(|word| source.word(*word).quoted);
    let wrong = used_cells(resolver, program, expression).into_iter().filter(|(_, _, words)| is_mixed(words));
    let wrong = wrong.map(|(name, cell, words)| {
        let message = format!("a text in quotes is the whole value of `{name}` in an expression");
        let value = texts(&words.iter().map(|word| source.word(*word)).collect::<Vec<_>>());
        let label = Diagnostic::new(Code::BadPlaceholder, source, *cell, message);
        label
            .also(source, expression, "used in this expression")
            .help(format!("write one text, `\"{value}\"`, or one value"))
    });
    wrong.collect()
}

/// Returns the columns that an expression names, each with its cell in this row and the words in it.
fn used_cells<'r, 'f>(
    resolver: &'r Resolver<'f>,
    program: &Program,
    expression: Span,
) -> Vec<&'r (&'f str, Span, Vec<Span>)> {
    let Some(row) = &resolver.row else { return Vec::new() };
    let names = program.names_in(resolver.source, expression);
    row.values.iter().filter(|(name, _, _)| names.iter().any(|(used, _)| used == name)).collect()
}

/// Adds the values of the table to the errors of an expression that are errors only because of them.
fn with_values(
    resolver: &Resolver<'_>,
    (program, table): (&Program, &Table),
    expression: Span,
    placeholders: &Placeholders,
    wrong: Vec<Diagnostic>,
) -> Vec<Diagnostic> {
    let cells = used_cells(resolver, program, expression);
    if cells.is_empty() {
        return wrong;
    }
    let place = (resolver.source, expression);
    let unknown = placeholders.iter().map(|(name, _)| (name.clone(), Value::Nothing)).collect();
    let anyway = absent::compile(program, table, place, &unknown).err().unwrap_or_default();
    let with_values = |wrong: Diagnostic| {
        if anyway.iter().any(|other| other.message == wrong.message) {
            return wrong;
        }
        cells.iter().fold(wrong, |wrong, (name, cell, _)| {
            wrong.also(resolver.source, *cell, format!("the value of `{name}` in this row"))
        })
    };
    wrong.into_iter().map(with_values).collect()
}

/// Resolves the lines into steps, and reports misplaced lines. Also returns the index of the first step after the first
/// `stem` lines.
fn resolve_steps(
    resolver: &mut Resolver<'_>,
    (table, placeholders): (&Table, &Placeholders),
    program: &Program,
    lines: &[&Line],
    stem: usize,
) -> (Vec<Step>, usize) {
    let mut steps = Vec::new();
    // The index of the branch's first step.
    let mut fork = 0;
    // Whether the last expectation could not be read.
    let mut lost = false;
    for (place, line) in lines.iter().enumerate() {
        if resolver.is_full() {
            break;
        }
        report_misplaced(resolver, line, place >= stem, !steps.is_empty());
        if matches!(line.kind, LineKind::When { .. } | LineKind::At { .. }) {
            // Lines of a branch cannot belong to an expectation above the branch.
            let own = if place < stem { 0 } else { fork };
            let above = steps.get_mut(own..).and_then(<[_]>::last_mut);
            // The error in the chance itself was already reported.
            if !lost {
                strategy::read_policy_line(resolver, (table, placeholders), program, above, line);
            }
        }
        let step = steps::resolve(resolver, table, program, line);
        if matches!(line.kind, LineKind::Expect(_)) {
            lost = step.is_none();
        }
        steps.extend(step);
        if place < stem {
            fork = steps.len();
        }
    }
    (steps, fork)
}

/// Reports a line of the rules or of the position that is after play began, and a line of the rules in a branch.
fn report_misplaced(resolver: &mut Resolver<'_>, line: &Line, in_branch: bool, after_play: bool) {
    // Another error in the line may be why it is taken for one of the position.
    let inside = |label: &Label| {
        Arc::ptr_eq(&label.source, resolver.source) && line.span.range().contains(&label.span.range().start)
    };
    if resolver.wrong.iter().any(|wrong| wrong.labels.first().is_some_and(inside)) {
        return;
    }
    let of_rules = matches!(line.kind, LineKind::With { .. } | LineKind::WithHouse(_));
    let before_play = "move this line up, before the first line of play or expectation";
    let (message, help) = if of_rules && in_branch {
        let help = "move this line up into the scenario, or write another scenario";
        ("a branch cannot change the rules of its scenario", help)
    } else if of_rules && after_play {
        ("options and house rules must come before play", before_play)
    } else if blocks::is_position(&line.kind) && after_play {
        ("the position must come before play", before_play)
    } else {
        return;
    };
    resolver.report(Diagnostic::unread(Code::MisplacedLine, resolver.source, line.span, message).help(help));
}

/// Returns the expressions of expectations.
fn expressions_of(steps: &[Step]) -> impl Iterator<Item = Span> + '_ {
    steps.iter().filter_map(|step| match &step.kind {
        StepKind::Expect(check) => check.expression(),
        StepKind::Turn(_)
        | StepKind::Resume(..)
        | StepKind::Do(..)
        | StepKind::Setup(_)
        | StepKind::Shuffle(..)
        | StepKind::Roll(_)
        | StepKind::Draw(..)
        | StepKind::Answer(..)
        | StepKind::Agree
        | StepKind::Resign(_)
        | StepKind::Refuse { .. } => None,
    })
}

fn is_placeholder(source: &Source, span: Span) -> bool {
    source.slice(span).starts_with('{')
}

fn always_of(source: &Source, kind: &LineKind, of_branch: bool) -> Option<Always> {
    match kind {
        LineKind::Always { each_event, at_end, expression } => {
            let judged = match at_end.map(|span| source.slice(span)) {
                Some(words) if words.ends_with("round") => Judged::RoundEnds,
                Some(_) => Judged::TurnEnds,
                None if *each_event => Judged::Events,
                None => Judged::Pauses,
            };
            Some(Always { expression: *expression, judged, of_branch })
        }
        _ => None,
    }
}
