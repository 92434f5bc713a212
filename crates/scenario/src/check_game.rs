//! Finds all errors of a game and its house rules.

use std::path::Path;
use std::sync::Arc;

use crate::check_symmetries::broken;
use crate::loader::Loader;
use crate::plan::model::StepKind;
use crate::plan::settings::house_board;
use crate::run::runner;
use crate::set_up::{SetUp, plan_set_up, settings_of};
use referee_diagnostic::{Code, Diagnostic, Label, first_of};
use referee_game::Game;
use referee_play::{Stop, first_asking, set_up_fault};
use referee_source::{Source, Span};
use referee_table::{BoardSpec, Symmetry, SymmetryWord, Table};

/// Returns all errors of a `.game` file and the files that belong to it, including house rules.
pub fn check_game(loader: &mut Loader<'_>, file: &Path) -> Vec<Diagnostic> {
    limited(wrong_with_game(loader, file, true))
}

/// Returns the errors of a `.game` file and the files that belong to it that can be found without playing. Errors of the
/// rules in a set-up, and symmetries that the rules do not have, are not among them.
pub fn check_unplayed(loader: &mut Loader<'_>, file: &Path) -> Vec<Diagnostic> {
    limited(wrong_with_game(loader, file, false))
}

/// Returns the errors that [`check_unplayed`] finds in one program: the rules under the named house rule, or without
/// any.
pub fn check_program(loader: &mut Loader<'_>, file: &Path, house: Option<&str>) -> Vec<Diagnostic> {
    limited(Game::of_file(&loader.search_path, file).map(Arc::new).and_then(|game| match house {
        Some(house) => Ok(wrong_with_house(loader, &game, house)),
        None => loader.program(&game, &[]).map(|_| Vec::new()),
    }))
}

/// Returns the errors of either kind, cut to the first ones.
fn limited(found: Result<Vec<Diagnostic>, Vec<Diagnostic>>) -> Vec<Diagnostic> {
    let mut wrong = found.unwrap_or_else(|wrong| wrong);
    first_of(&mut wrong);
    wrong
}

/// Returns the errors of house rules and symmetries.
///
/// # Errors
/// Returns the errors of the game itself, with which nothing else is checked.
fn wrong_with_game(loader: &mut Loader<'_>, file: &Path, plays: bool) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
    let game = Arc::new(Game::of_file(&loader.search_path, file)?);
    let own = loader.program(&game, &[])?.after_the_end();
    let names = game.house_names(&loader.search_path).map_err(|unread| vec![*unread])?;
    let mut wrong = if plays { faulty_set_ups(loader, &game, None) } else { Vec::new() };
    if plays && wrong.is_empty() {
        wrong.extend(unlike(loader, &game, None));
    }
    for name in &names {
        let (mut found, declares) = with_house(loader, &game, name);
        // What a house rule declares can change the set-up, and set apart what a symmetry maps onto one another.
        if plays && declares && found.is_empty() && wrong.is_empty() {
            found.extend(faulty_set_ups(loader, &game, Some(name)));
            if found.is_empty() {
                found.extend(unlike(loader, &game, Some(name)));
            }
        }
        wrong.extend(found.into_iter().filter(|found| !own.contains(found)));
    }
    wrong.extend(own);
    Ok(wrong)
}

/// Returns the errors with which the rules, with this house rule, stop in the set-up of a variant, each once.
fn faulty_set_ups(loader: &Loader<'_>, game: &Arc<Game>, house: Option<&String>) -> Vec<Diagnostic> {
    let mut loader = loader.of_game(Arc::clone(game));
    let mut wrong: Vec<Diagnostic> = Vec::new();
    for variant in &game.schema.variants {
        let variant = Some(variant.name.clone()).filter(|name| !name.is_empty());
        let houses = house.into_iter().cloned().collect();
        let set_up = SetUp { game: game.schema.id.clone(), variant, houses, ..SetUp::default() };
        // Errors in the lines of a variant are found when the game is read.
        let Ok(suite) = plan_set_up(&mut loader, &set_up) else { continue };
        let Some(plan) = suite.tests.first().and_then(|test| test.plan.as_ref()) else { continue };
        let Ok(program) = loader.program(&plan.game, &plan.houses) else { continue };
        let phases = plan.steps.iter().find_map(|step| match &step.kind {
            StepKind::Setup(phases) => Some(phases.as_slice()),
            _ => None,
        });
        let found = phases.and_then(|phases| set_up_fault(&program, &plan.start, phases));
        wrong.extend(found.filter(|found| !wrong.contains(found)));
    }
    wrong
}

/// Returns the errors of a house rule.
fn wrong_with_house(loader: &mut Loader<'_>, game: &Arc<Game>, name: &str) -> Vec<Diagnostic> {
    with_house(loader, game, name).0
}

/// Returns the errors of a house rule, and whether it declares.
fn with_house(loader: &mut Loader<'_>, game: &Arc<Game>, name: &str) -> (Vec<Diagnostic>, bool) {
    let asked = Diagnostic::general(Code::UnknownHouse, format!("cannot read the house rule `{name}`"));
    let house = match loader.house(game, name, &asked) {
        Ok(house) => house,
        Err(unread) => return (vec![*unread], false),
    };
    let declares = house.declared.is_some();
    let program = match loader.program(game, &[house]) {
        Ok(program) => program,
        Err(wrong) => return (wrong, declares),
    };
    let mut wrong = program.settings().err().unwrap_or_default();
    wrong.extend(house_board(game, &program).err().map(|wrong| *wrong));
    wrong.extend(program.after_the_end());
    (wrong, declares)
}

/// Returns the errors for declared symmetries that the rules do not have: with the options as they are by default, and
/// with each other value of each option, under this house rule.
fn unlike(loader: &Loader<'_>, game: &Arc<Game>, house: Option<&String>) -> Vec<Diagnostic> {
    if game.schema.symmetries.is_empty() {
        return Vec::new();
    }
    let mut loader = loader.of_game(Arc::clone(game));
    let mut wrong = Vec::new();
    for setting in std::iter::once(None).chain(settings_of(&game.schema).map(Some)) {
        let options = setting.iter().cloned().collect();
        let houses = house.into_iter().cloned().collect();
        let set_up = SetUp { game: game.schema.id.clone(), options, houses, ..SetUp::default() };
        let found = asymmetry(&mut loader, game, &set_up);
        let under = |mut found: Diagnostic| {
            if let Some(house) = house {
                found.message = format!("{}, with house \"{house}\"", found.message);
                found.help =
                    Some("remove this word, or change the house rule so that it keeps the symmetry".to_owned());
            }
            found
        };
        let found = match found.map(|found| found.map(under)) {
            Err(unplayable) => return unplayable,
            Ok(found) => found,
        };
        match (found, setting) {
            (Some(found), None) => return vec![found],
            (Some(mut found), Some((option, value))) => {
                found.message = format!("{}, with {option} = {value}", found.message);
                wrong.push(found);
            }
            (None, _) => {}
        }
    }
    wrong
}

/// Returns the error for a symmetry that a set-up does not have; `None` if it has all, and if the game is over at once.
///
/// # Errors
/// Returns all errors of the set-up.
fn asymmetry(loader: &mut Loader<'_>, game: &Game, set_up: &SetUp) -> Result<Option<Diagnostic>, Vec<Diagnostic>> {
    let suite = plan_set_up(loader, set_up)?;
    let plan = suite.tests.first().and_then(|test| test.plan.as_ref());
    let Some(plan) = plan.filter(|_| suite.problems.is_empty()) else { return Err(suite.problems) };
    if let Some(wrong) = idle(&plan.start.table) {
        return Ok(Some(wrong));
    }
    let program = loader.program(&plan.game, &plan.houses)?;
    let phases = plan.steps.iter().find_map(|step| match &step.kind {
        StepKind::Setup(phases) => Some(phases.as_slice()),
        _ => None,
    });
    runner::play(plan, &program, |machine, end| match machine.stop() {
        // An error of the rules is reported where the set-up is played.
        Stop::Over | Stop::Fault(_) => Ok(None),
        _ if end.broken => Err(end.failures.into_iter().map(|failure| failure.diagnostic).collect()),
        _ => Ok(match first_asking(&program, &plan.start, phases.unwrap_or_default()) {
            Some(state) => broken(&program, &state),
            None => Some(unchecked(game)),
        }),
    })
}

/// Returns the error for a declared word without effect: its symmetries map every position onto itself.
fn idle(table: &Table) -> Option<Diagnostic> {
    let declared = |word: SymmetryWord| Some((word, table.schema.symmetries.place(word)?));
    let mut words = SymmetryWord::ALL.into_iter().filter_map(declared);
    let (word, (source, span)) = words.find(|(word, _)| !Symmetry::exists(table, *word))?;
    let why = match word {
        _ if table.schema.board == BoardSpec::None => "this game has no board",
        _ if table.schema.board.is_graph() => {
            "no turn or mirror image of its coordinates maps places, links and lines onto themselves"
        }
        _ if !table.arrows.is_empty() => "it would change the arrows of the board",
        _ => "the board has none",
    };
    let message = format!("there is no symmetry `{}` here: {why}", word.word());
    Some(Diagnostic::new(Code::IdleSymmetry, source, span, message).help(format!("remove the word `{}`", word.word())))
}

/// Returns the error for symmetries that cannot be checked.
fn unchecked(game: &Game) -> Diagnostic {
    let message =
        "the symmetries cannot be checked, because the set-up asks something after it has changed the position";
    let mut wrong = Diagnostic::general(Code::NotSupported, message).help("remove the line `symmetry`");
    let places = SymmetryWord::ALL.into_iter().filter_map(|word| game.schema.symmetries.place(word));
    let label = |(source, span): (&Arc<Source>, Span)| Label { source: Arc::clone(source), span, text: String::new() };
    wrong.labels.extend(places.map(label).take(1));
    wrong
}
