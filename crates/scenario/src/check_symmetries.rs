//! Checks that the rules have the symmetries that their game declares.

use crate::write::state::position_lines;
use referee_diagnostic::{Code, Diagnostic, Label};
use referee_play::{Comparison, Course, Difference, Machine, Start, Unlike, difference};
use referee_rules::Program;
use referee_table::{Names, State, Symmetry};

/// The games in which positions and their images are compared.
const COMPARISON: Comparison = Comparison { games: 8, turns: 40, seed: 1 };

/// Returns the symmetries that a game declares, for the position of a machine; none in the middle of a phase, where
/// states are not compared.
///
/// # Errors
/// Returns an error if random games from there show that the rules do not have one of them.
pub(crate) fn symmetries(program: &Program, machine: &Machine<'_>) -> Result<Vec<Symmetry>, Box<Diagnostic>> {
    let Some(state) = Start::of(machine).and_then(|start| start.opening()) else { return Ok(Vec::new()) };
    broken(program, &state).map_or_else(|| Ok(Symmetry::all(&state.table)), |wrong| Err(Box::new(wrong)))
}

/// Returns the error for a declared symmetry that the rules do not have, if random games from a position show one.
pub(crate) fn broken(program: &Program, start: &State) -> Option<Diagnostic> {
    let mut all = Symmetry::all(&start.table);
    // The symmetries of a single word generate all others.
    all.retain(|symmetry| symmetry.words().len() == 1);
    if all.is_empty() {
        return None;
    }
    let found = difference(program, start, &all, COMPARISON)?;
    let symmetry = all.get(found.symmetry)?;
    if let Unlike::Error(wrong) = found.what {
        return Some(*wrong);
    }
    let words: Vec<String> = symmetry.words().iter().map(|word| format!("`{}`", word.word())).collect();
    let message = format!("the symmetry {} does not hold", words.join(" with "));
    let mut wrong = Diagnostic::general(Code::Asymmetric, message).help(shown(&found, symmetry));
    let symmetries = &start.table.schema.symmetries;
    for (source, span) in symmetry.words().iter().filter_map(|word| symmetries.place(*word)) {
        wrong.labels.push(Label { source: source.clone(), span, text: "declared here".to_owned() });
    }
    // The rules need not be wrong there: play need not come to the second position.
    if let Unlike::ImageError { wrong: error, .. } = &found.what
        && let Some(label) = error.labels.first()
    {
        let text = format!("in the second position: {}", error.message);
        wrong.labels.push(Label { source: label.source.clone(), span: label.span, text });
    }
    Some(wrong)
}

/// Returns the position in which a symmetry does not hold, its image, and the difference between them.
fn shown(found: &Difference, symmetry: &Symmetry) -> String {
    let names = Names { schema: found.state.schema(), board: found.state.board() };
    let what = match &found.what {
        Unlike::Options { only_here: Some(option), .. } => {
            format!(
                "`{}` is an option in the first position; its image is not an option in the second",
                option.write(names)
            )
        }
        Unlike::Options { only_there: Some(option), .. } => {
            format!(
                "`{}` is not an option in the first position; its image is an option in the second",
                option.write(names)
            )
        }
        Unlike::Positions => "they lead to different positions".to_owned(),
        Unlike::Course { here, there } => {
            format!("the first {}; the second {}", course(here, names), course(there, names))
        }
        Unlike::ImageError { here, wrong } => {
            format!("the first {}; the second stops with an error, \"{}\"", course(here, names), wrong.message)
        }
        Unlike::Options { .. } => "they have different options".to_owned(),
        Unlike::Error(wrong) => wrong.message.clone(),
    };
    let chosen: Vec<String> = found.chosen.iter().map(|action| format!("`{}`", action.write(names))).collect();
    let after = if chosen.is_empty() { String::new() } else { format!("after {} and its image: ", chosen.join(", ")) };
    let turned = found.state.turned(symmetry);
    let lines = |state: &State| position_lines(state).join("\n");
    format!("{after}{what}\nthe first position:\n{}\nthe second:\n{}", lines(&found.state), lines(&turned))
}

/// Returns what follows in a position, in words.
fn course(course: &Course, names: Names<'_>) -> String {
    match course {
        Course::Asks(question) => format!("asks `{}`", question.write(names)),
        Course::Ends => "asks nothing more".to_owned(),
        Course::Over => "ends the game".to_owned(),
    }
}
