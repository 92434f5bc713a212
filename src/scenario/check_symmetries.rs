//! Checks that the rules have the symmetries that their game declares.

use crate::diagnostic::{Diagnostic, Label};
use crate::play::{Comparison, Difference, Machine, Start, Unlike, difference};
use crate::rules::Program;
use crate::scenario::write::state::position_lines;
use crate::table::{Names, State, Symmetry};

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
    let message = format!("the rules do not have the symmetry {}", words.join(" with "));
    let mut wrong = Diagnostic::general("asymmetric", message).help(shown(&found, symmetry));
    let symmetries = &start.table.schema.symmetries;
    for (source, span) in symmetry.words().iter().filter_map(|word| symmetries.place(*word)) {
        wrong.labels.push(Label { source: source.clone(), span, text: "declared here".to_owned() });
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
        Unlike::Positions => match found.chosen.as_slice() {
            [] => "they lead to different positions".to_owned(),
            chosen => {
                let chosen: Vec<String> = chosen.iter().map(|action| format!("`{}`", action.write(names))).collect();
                format!("after {} and its image, the positions differ", chosen.join(", "))
            }
        },
        Unlike::Options { .. } | Unlike::Asks | Unlike::Error(_) => "they ask different things".to_owned(),
    };
    let turned = found.state.turned(symmetry);
    let lines = |state: &State| position_lines(state).join("\n");
    format!("{what}\nthe first position:\n{}\nthe second:\n{}", lines(&found.state), lines(&turned))
}
