//! What is right in a game as it is written, and probably not meant.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use crate::loader::Loader;
use crate::plan::model::StepKind;
use crate::set_up::{SetUp, plan_set_up, settings_of};
use referee_diagnostic::{Code, Diagnostic};
use referee_game::Game;
use referee_play::clocks;
use referee_rules::Used;
use referee_table::{Property, PropertyId, Schema};

/// Returns the notes on a `.game` file without errors. They are no errors: each is about something that works as it is
/// documented, but seldom as it is meant.
pub fn notes(loader: &Loader<'_>, file: &Path) -> Vec<Diagnostic> {
    let Ok(game) = Game::of_file(&loader.search_path, file).map(Arc::new) else { return Vec::new() };
    let mut notes: Vec<Diagnostic> =
        game.schema.properties.iter().filter_map(|property| shared(&game.schema, property)).collect();
    for house in loader.houses(&game).unwrap_or_default() {
        let Ok(housed) = loader.housed(&game, &[house]) else { continue };
        let own = housed.schema.properties.iter().skip(game.schema.properties.len());
        notes.extend(own.filter_map(|property| shared(&housed.schema, property)));
    }
    notes.extend(idle_repetitions(loader, &game));
    notes.extend(idle(loader, &game, file));
    notes
}

/// Returns those of some names that scenarios may use: those that stand in one of the files beside the game.
fn in_scenarios(loader: &Loader<'_>, file: &Path, mut names: BTreeSet<String>) -> BTreeSet<String> {
    if names.is_empty() {
        return names;
    }
    let mut found = BTreeSet::new();
    let all = loader.search_path.texts_around(file, &mut |text| {
        let words = text.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
        found.extend(words.filter_map(|word| names.take(word)));
    });
    // Of files that are not looked at, nothing is known.
    found.extend(names.into_iter().filter(|_| !all));
    found
}

/// Returns the notes on declarations that neither the rules nor a house rule uses, and on what nobody reads.
fn idle(loader: &Loader<'_>, game: &Arc<Game>, file: &Path) -> Vec<Diagnostic> {
    let mut loader = loader.of_game(Arc::clone(game));
    let Ok(program) = loader.program(game, &[]) else { return Vec::new() };
    let mut used = Used::default();
    program.uses(&mut used);
    let Ok(houses) = loader.houses(game) else { return Vec::new() };
    let mut programs = vec![program];
    for house in houses {
        match loader.program(game, &[house]).ok() {
            Some(program) => {
                program.uses(&mut used);
                programs.push(program);
            }
            // What a house rule with errors uses is not known.
            None => return Vec::new(),
        }
    }
    let idle = programs.iter().flat_map(|program| program.unused(&used)).collect();
    used.add_names(in_scenarios(&loader, file, idle));
    // What is noted on the rules of the game is the same with a house rule.
    let mut found: Vec<Diagnostic> = Vec::new();
    for note in programs.iter().flat_map(|program| program.idle(&used)) {
        if !found.contains(&note) {
            found.push(note);
        }
    }
    found
}

/// Returns the note on a flag, counter or property of a kind with copies, which have one value together.
fn shared(schema: &Schema, property: &Property) -> Option<Diagnostic> {
    let piece = schema.copied(property)?;
    let name = &property.name;
    let (whose, help) = match &piece.card {
        Some(card) => (
            format!("`{}` has {} copies, which nothing distinguishes", piece.name, card.copies),
            "if each copy needs a value of its own, write `numbered: true` for the card in the data file; if all have one on purpose, \
             end this line with `shared`",
        ),
        None => (
            format!(
                "pieces of the kind `{}` are `many`, which only their cells distinguish",
                schema.kind_name(piece.kind)
            ),
            "if each piece needs a value of its own, keep the cells in a property, `property tired_at CELLS`, or number \
             the pieces instead of `many`; if all have one value on purpose, end this line with `shared`",
        ),
    };
    // The line of a resource has no such word.
    let help = help.split("; if all").next().filter(|_| property.resource).unwrap_or(help);
    let (source, span) = &property.place;
    let message = format!("`{name}` is one value for all copies of a piece: {whose}");
    Some(Diagnostic::new(Code::SharedByCopies, source, *span, message).help(help))
}

/// Returns the notes on counters with which `repetitions` never counts a position: with the options as they are by
/// default, and with each other value of each option.
fn idle_repetitions(loader: &Loader<'_>, game: &Arc<Game>) -> Vec<Diagnostic> {
    let mut loader = loader.of_game(Arc::clone(game));
    let mut found: Vec<(PropertyId, Option<(String, String)>)> = Vec::new();
    for setting in std::iter::once(None).chain(settings_of(&game.schema).map(Some)) {
        let options = setting.iter().cloned().collect();
        let set_up = SetUp { game: game.schema.id.clone(), options, ..SetUp::default() };
        let Ok(suite) = plan_set_up(&mut loader, &set_up) else { return Vec::new() };
        let plan = suite.tests.first().and_then(|test| test.plan.as_ref());
        let Some(plan) = plan.filter(|_| suite.problems.is_empty()) else { return Vec::new() };
        let Ok(program) = loader.program(&plan.game, &plan.houses) else { return Vec::new() };
        if !program.needs_history() {
            return Vec::new();
        }
        let phases = plan.steps.iter().find_map(|step| match &step.kind {
            StepKind::Setup(phases) => Some(phases.as_slice()),
            _ => None,
        });
        for counter in clocks(&program, &plan.start, phases.unwrap_or_default()) {
            if !found.iter().any(|(other, _)| *other == counter) {
                found.push((counter, setting.clone()));
            }
        }
    }
    let note = |(counter, setting): (PropertyId, Option<(String, String)>)| {
        let property = game.schema.properties.get(counter.index())?;
        let with = setting.map_or_else(String::new, |(option, value)| format!("with {option} = {value}, "));
        let name = &property.name;
        let message = format!(
            "{with}`repetitions` counts nothing: every turn of random games changed `{name}`, which is a part of each \
             position"
        );
        let help = format!(
            "write `clock counter {name}`: rules read and write a clock, and positions leave it out; if no rule reads it, \
             write `record counter {name}`"
        );
        let (source, span) = &property.place;
        Some(Diagnostic::new(Code::IdleRepetitions, source, *span, message).help(help))
    };
    found.into_iter().filter_map(note).collect()
}
