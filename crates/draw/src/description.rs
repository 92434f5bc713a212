//! A position in words, for readers who do not see the picture.

use std::collections::BTreeMap;

use super::picture::Picture;
use referee_diagnostic::{counted, printable};
use referee_table::{Drawing, DrawnPiece, DrawnZone, Lying, Shape};

/// Returns a description of a picture in words.
#[must_use]
pub fn description(picture: &Picture<'_>) -> String {
    let mut sentences = Vec::new();
    if !picture.board.rows.is_empty() {
        sentences.push(board(picture.board));
        sentences.extend(pieces(picture.board));
        let marked: Vec<&str> =
            cells(picture.board).filter(|cell| cell.marked).map(|cell| cell.name.as_str()).collect();
        if !marked.is_empty() {
            sentences.push(format!("Marked: {}.", marked.join(" ")));
        }
        sentences.extend(picture.board.notes.iter().map(|note| format!("{note}.")));
    }
    sentences.extend(picture.zones.iter().map(|one| format!("{}.", zone(one))));
    if !picture.off.is_empty() {
        sentences.push(format!("Off the board: {}.", picture.off.join(", ")));
    }
    printable(&sentences.join(" "))
}

fn cells(board: &Drawing) -> impl Iterator<Item = &referee_table::DrawnCell> {
    board.rows.iter().flat_map(|row| &row.cells).filter(|cell| cell.cell.is_some())
}

fn board(board: &Drawing) -> String {
    let (rows, columns) = (board.rows.len(), board.rows.iter().map(|row| row.cells.len()).max().unwrap_or(0));
    match board.shape {
        Shape::Squares => format!("{columns} columns and {rows} rows of squares."),
        Shape::Hexagons => format!("{rows} rows of hexagons, the longest of {columns}."),
        Shape::Rings => format!("{rows} rings of {columns} cells."),
        Shape::Graph => {
            format!("{} places, joined by {}.", cells(board).count(), counted(board.places.len() as u64, "link"))
        }
        Shape::Track => format!("A track of {} cells.", cells(board).count()),
    }
}

/// Returns a sentence for each kind of piece on the board, with its cells.
fn pieces(board: &Drawing) -> Option<String> {
    let mut found: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for cell in cells(board) {
        let Some(piece) = &cell.piece else { continue };
        // A player may be written before the piece.
        let name = match (piece.lying, cell.text.split_once(':')) {
            _ if !cell.below.is_empty() => stack(&piece.name, &cell.below),
            (_, Some((player, _))) if !player.is_empty() => format!("{player}: {}", piece.name),
            _ => piece.name.clone(),
        };
        found.entry(name).or_default().push(&cell.name);
    }
    let phrases: Vec<String> = found.iter().map(|(name, cells)| format!("{name} on {}", cells.join(" "))).collect();
    (!phrases.is_empty()).then(|| format!("{}.", phrases.join("; ")))
}

/// Returns the pieces of a stack in words, from the top.
fn stack(top: &str, below: &[(DrawnPiece, usize)]) -> String {
    let mut runs: Vec<(&str, usize)> = vec![(top, 1)];
    for (piece, count) in below {
        match runs.last_mut() {
            Some((name, total)) if *name == piece.name => *total += count,
            _ => runs.push((&piece.name, *count)),
        }
    }
    let run =
        |(name, count): &(&str, usize)| if *count == 1 { (*name).to_owned() } else { format!("{count} times {name}") };
    runs.iter().map(run).collect::<Vec<_>>().join(" over ")
}

/// Returns the cards of a zone in words.
pub(super) fn zone(zone: &DrawnZone) -> String {
    let times =
        |(name, count): &(String, u64)| if *count == 1 { name.clone() } else { format!("{count} times {name}") };
    match (zone.hidden, zone.cards.as_slice()) {
        (0, []) => format!("{}: no cards", zone.name),
        (0, cards) => format!("{}: {}", zone.name, cards.iter().map(times).collect::<Vec<_>>().join(", ")),
        (hidden, _) => format!("{}: {}", zone.name, counted(hidden, "hidden card")),
    }
}

/// Returns the text in the middle of what is on a cell: its symbol; a question mark for a face-down card, with the
/// player before it.
pub(super) fn symbol(text: &str, lying: Lying) -> String {
    match (lying, text.split_once(':')) {
        (Lying::FaceDown, Some((player, _))) => format!("{player}:?"),
        (Lying::FaceDown, None) => "?".to_owned(),
        _ => text.to_owned(),
    }
}
