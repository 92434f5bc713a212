//! What functions need that a board may lack.

use super::table::forms;

/// Something that a board may lack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Need {
    /// Sides as places.
    Sides,
    /// Corners as places.
    Corners,
    /// Places of any second kind.
    Second,
    /// The links of a graph.
    Links,
    /// Directions.
    Directions,
    /// Straight lines.
    Lines,
    /// Columns and rows.
    Columns,
    /// An edge.
    Edge,
}

/// Returns the places of a second kind that a function needs.
pub(crate) fn place_needed(name: &str) -> Option<Need> {
    match name {
        "sides" => Some(Need::Sides),
        "corners" => Some(Need::Corners),
        "touching" => Some(Need::Second),
        "links" | "graph_lines" | "printed_on" => Some(Need::Links),
        _ => None,
    }
}

/// Returns what a function with so many arguments needs that a graph lacks.
pub(crate) fn lacking_on_graphs(name: &str, arguments: usize) -> Option<Need> {
    match name {
        "column" | "row" => Some(Need::Columns),
        "cell" => (arguments == 2).then_some(Need::Columns),
        "edge" | "outside" => Some(Need::Edge),
        "line" | "lined" | "longest_line" => Some(Need::Lines),
        _ => {
            let is_of_directions = |form: &str| form.contains("direction") || form.contains("dirs");
            let mut found = forms().iter().filter(|form| form.name() == name).peekable();
            let any = found.peek().is_some();
            (any && found.all(|form| is_of_directions(&form.written()))).then_some(Need::Directions)
        }
    }
}
